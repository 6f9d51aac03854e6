"""Graphs, sets of graphs, node features and labels. All of it is private data: what leaves
the program must be a Release.

Nodes are public in every guarantee: how many, their names, their numbers. That is why every
way to make a graph from edges asks for them: read off the edges they would depend on them. A
file that lists edges, networkx graphs and dicts may be read without; such a graph serves
inside the program (`Graph.order_declared` is False), and a release of it, or of anything made from
it, raises PrivacyError.
"""
import hashlib
import itertools
import os
import secrets
import sys
import threading
import warnings
import weakref
from collections.abc import Mapping
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Ints, Progress, Run, call, check, constant, encoded, ffi, lent, lib,
                      make_all, pointer, struct, taken)
from .errors import ArgumentError, SnapshotWarning
from .nodes import (COLUMNS_INFERRED, DECLARED, IDENTITY, INFERRED, MATRIX_INFERRED, Names, chosen, kept,
                    listed, numbered, pairs_of)
from .rng import Rng, public_source

__all__ = ["Graph", "GraphSet", "Features", "Labels", "as_graph", "as_graphset",
           "as_features"]


_HERE = os.path.dirname(__file__)


def edge_policy(merge: bool, drop_loops: bool, declared: bool = True) -> int:
    merging = lib.PVG_EDGES_MERGE if merge else 0
    dropping = lib.PVG_EDGES_DROP_LOOPS if drop_loops else 0
    return int(merging | dropping | (0 if declared else lib.PVG_EDGES_INFERRED))


def _is_frame(data: Any) -> bool:
    """A table of pandas, which is never imported here."""
    return hasattr(data, "columns") and hasattr(data, "iloc")


# Names behind numbers, for ledgers to keep: a graph carries the number of its object only.
NAMES: Dict[int, str] = {}


def _object_number(name: Union[str, int, None]) -> Optional[int]:
    if isinstance(name, str):
        number = int(lib.pvg_ledger_object(name.encode("utf-8")))
        NAMES.setdefault(number, name)
        return number
    return None if name is None else int(name)


def warn_of_snapshots(names: Any) -> None:
    """Warns where an object is charged under a name that looks like a snapshot's."""
    for given in [names] if isinstance(names, (str, int, np.integer)) else names:
        name = given if isinstance(given, str) else NAMES.get(int(given))
        if isinstance(name, str) and lib.pvg_ledger_object_is_snapshot(name.encode("utf-8")):
            warnings.warn(f"the object {name!r} looks like one snapshot of several: an object is"
                          " the network, and an edge that stays through snapshots with names of"
                          " their own pays their budgets together; give all of them one name",
                          SnapshotWarning, stacklevel=levels_to_caller())
            return


# Who is who among what others made: arrays, matrices, PyG data. A number as long as the thing lives.
_KNOWN: Dict[Tuple[int, Any], Tuple[Any, int]] = {}
_KNOWING = threading.Lock()


def identity_of(thing: Any, more: Any = None) -> int:
    """The number of a thing that is not ours: the same for the same Python object, whatever it holds. What
    cannot be known again (dicts, lists) has a new one each time. more: told with it, as an order."""
    fresh, key = secrets.randbits(63), (id(thing), more)
    try:
        held = weakref.ref(thing, lambda _: _KNOWN.pop(key, None))
    except TypeError:
        return fresh
    with _KNOWING:
        known = _KNOWN.get(key)
        if known is None or known[0]() is not thing:
            known = _KNOWN[key] = held, fresh
        return known[1]


def levels_to_caller() -> int:
    """stacklevel of the first caller outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and (os.path.dirname(frame.f_code.co_filename) == _HERE or
                                        frame.f_globals.get("__name__") == "contextlib"):
        level, frame = level + 1, frame.f_back
    return level


class Graph(Immutable):
    """An undirected simple graph with nodes 0 .. order - 1.

    `nodes` are their names, if they have any. `object` is the number of the graph in a ledger,
    if it has one; it is not part of the graph.

    Examples
    --------
    >>> import privgraph as pg
    >>> graph = pg.Graph.from_edges([(0, 1), (1, 2), (2, 0)], order=5)   # five people, whoever knows whom
    >>> graph.order, graph.size
    (5, 3)
    >>> pg.Graph.from_dict({"Ada": ["Bob"]}, nodes=["Ada", "Bob", "Cy"]).nodes
    ('Ada', 'Bob', 'Cy')
    """

    __slots__ = ("object", "_names", "_id")
    _type = "pvg_graph"
    object: Optional[int]
    _names: Optional[Tuple[Any, ...]]
    _id: int

    @classmethod
    def _own(cls, out: Any) -> "Graph":
        self = super()._own(out)
        self.object = self._names = None
        self._id = secrets.randbits(63)  # now, so that processes that fork and threads have the same
        return self

    @property
    def identity(self) -> int:
        """A random number that this graph has, and its copies and pickles; no other graph has it,
        whatever its edges. By it transformers know what they have released."""
        return self._id

    def _named(self, names: Optional[Sequence[Any]]) -> "Graph":
        self._names = kept(names)
        return self

    # --- making graphs ---

    @classmethod
    def from_edges(cls, edge_index: Any, order: int, *, merge: bool = True,
                   drop_loops: bool = False, declared: bool = True, pairs: bool = False, threads: int = 0,
                   progress: Optional[Progress] = None) -> "Graph":
        """From a 2 x m array of end points, such as PyG's edge_index, or a list of m pairs; with pairs=True from an
        m x 2 array. That is not guessed from the shape: a graph with two edges would be read as another one.

        order: the number of nodes, which is public; it is not read off the edges, because it
        would then depend on them. The same holds for the numbers of the nodes: declared=False if
        they were given in the order of the edges, by degree or the like; no release takes the
        graph then. merge: keep one of repeated edges ((u, v) and (v, u) are the
        same); drop_loops: ignore self loops. Arrays of int64 are not copied on the way.
        """
        if _is_frame(edge_index):
            raise ArgumentError("a table has columns with names: Graph.from_pandas(frame, source,"
                                " target, nodes=...)")
        edges = np.asarray(edge_index)
        if edges.size == 0:
            edges = np.zeros((2, 0), np.int64)
        elif isinstance(edge_index, (list, tuple)) and edges.ndim == 2 and edges.shape[1] == 2 \
                and not all(isinstance(part, np.ndarray) for part in edge_index):
            edges = edges.T  # a list of pairs
        elif pairs:
            if edges.ndim != 2 or edges.shape[1] != 2:
                raise ArgumentError(f"edge_index has shape {edges.shape}, not (m, 2), which pairs=True says")
            edges = edges.T
        edges = _two_rows(edges)
        sources = taken(edges[0], np.int64, "edge_index")
        targets = taken(edges[1], np.int64, "edge_index")
        return cls._make("pvg_graph_from_edges", order, pointer(sources), pointer(targets),
                         len(sources), edge_policy(merge, drop_loops, declared),
                         run=Run(threads, progress))

    @classmethod
    def map(cls, path: Any, *, order: int = 0, order_limit: int = 0, threads: int = 0,
            progress: Optional[Progress] = None) -> "Graph":
        """A graph whose edges stay in a csr file (`pg.pack_graph`, `privgraph convert`): memory is taken for what is
        computed, not for edges. All of the file is looked at once, so a damaged one raises FormatError and names the
        block. It must not change while the graph lives: a call that takes the graph raises FileError if it did."""
        return cls._make("pvg_graph_map", encoded(path), struct("pvg_io_options", order=order, order_limit=order_limit),
                         run=Run(threads, progress))

    @classmethod
    def from_csr(cls, offsets: Any, columns: Any, *, merge: bool = False,
                 drop_loops: bool = False, declared: bool = True, threads: int = 0,
                 progress: Optional[Progress] = None) -> "Graph":
        """From compressed rows. merge: mirror entries that stand in one row only. declared: as in
        from_edges."""
        offsets = taken(offsets, np.int64, "offsets")
        columns = taken(columns, np.int32, "columns")
        if offsets.ndim != 1 or len(offsets) == 0 or columns.shape != (int(offsets[-1]),):
            raise ArgumentError("offsets must be a vector whose last entry is len(columns)")
        return cls._make("pvg_graph_from_csr", len(offsets) - 1, pointer(offsets),
                         pointer(columns), edge_policy(merge, drop_loops, declared),
                         run=Run(threads, progress))

    @classmethod
    def from_adjacency(cls, matrix: Any, *, nodes: Optional[Union[str, Iterable[Any]]] = None,
                       merge: bool = False, drop_loops: bool = False, declared: bool = True,
                       threads: int = 0, progress: Optional[Progress] = None) -> "Graph":
        """From a square adjacency matrix, dense, scipy.sparse or a pandas table with the same
        names of rows and columns; what is not zero is an edge. It must be symmetric unless
        merge is given. The order of the rows is public and not made from the edges: that of
        nx.to_scipy_sparse_array(graph) is, unless its nodelist is given.

        nodes: public names of the rows. A table needs them, as in from_networkx."""
        names: Optional[List[Any]] = None
        if _is_frame(matrix):
            own = matrix.index.tolist()
            declared = declared and nodes is not None
            names = own if nodes is None else chosen(nodes, own)
            if set(own) != set(matrix.columns.tolist()) or len(own) != matrix.shape[1]:
                raise ArgumentError("the rows and the columns of the table have different names")
            numbered(own)
            if not set(own) <= set(names):
                raise ArgumentError("the table has rows that nodes does not list")
            matrix = matrix.reindex(index=names, columns=names, fill_value=0).to_numpy()
        elif nodes is not None:
            names = listed(nodes)
        declared = declared and not getattr(matrix, MATRIX_INFERRED, False)
        if hasattr(matrix, "tocsr"):
            rows = matrix.tocsr()
            if not rows.has_canonical_format or not np.all(rows.data):
                rows = rows.copy()
                rows.sum_duplicates()
                rows.eliminate_zeros()
            shape, offsets, columns = rows.shape, rows.indptr, rows.indices
        else:
            dense = np.asarray(matrix)
            shape = dense.shape
            if dense.ndim == 2:
                places = np.nonzero(dense)
                offsets = np.zeros(shape[0] + 1, np.int64)
                np.cumsum(np.bincount(places[0], minlength=shape[0]), out=offsets[1:])
                columns = places[1]
        if len(shape) != 2 or shape[0] != shape[1]:
            raise ArgumentError(f"the adjacency matrix has shape {shape}, which is not square")
        if names is not None and len(names) != shape[0]:
            raise ArgumentError(f"nodes has {len(names)} names for {shape[0]} rows")
        return cls.from_csr(offsets, columns, merge=merge, drop_loops=drop_loops, declared=declared,
                            threads=threads, progress=progress)._named(names)

    @classmethod
    def from_networkx(cls, graph: Any, nodes: Optional[Union[str, Iterable[Any]]] = None, *,
                      drop_loops: bool = False, threads: int = 0,
                      progress: Optional[Progress] = None) -> "Graph":
        """From a networkx graph. Edge data are ignored, parallel edges count once.

        nodes: who the nodes are, which is public. A list of all names, in a public order; nodes
        without edges belong to it, and need not be in the networkx graph. Or "public": the names
        that the graph holds are public and the same whatever its edges are; they are sorted.
        `tell_nodes` says the same on the networkx graph. Without, nodes stand in the order of
        the private edges, as networkx has them, and a release of the graph raises PrivacyError."""
        if graph.is_directed():
            raise ArgumentError("the networkx graph is directed; call to_undirected() first")
        said = getattr(graph, DECLARED, None) if nodes is None else nodes
        declared = said is not None and not (nodes is None and graph.graph.get(INFERRED))
        names = list(graph.nodes()) if said is None else \
            chosen(said, graph.nodes(), bool(graph.graph.get(INFERRED)))
        if said is not None:
            index = numbered(names)
            for name in graph.nodes():
                if name not in index:
                    raise ArgumentError(f"the networkx graph has a node {name!r} that nodes does"
                                        " not list")
        made = cls.from_edges(pairs_of(graph.edges(), names), len(names), merge=True,
                              drop_loops=drop_loops, declared=declared, threads=threads,
                              progress=progress)._named(names)
        with _KNOWING:
            made._id = getattr(graph, IDENTITY, made._id)
            setattr(graph, IDENTITY, made._id)
        return made

    @classmethod
    def from_arrow(cls, table: Any, source: str, target: str, *, nodes: Any = None, order: int = 0,
                   merge: bool = True, drop_loops: bool = False, declared: bool = True, threads: int = 0,
                   progress: Optional[Progress] = None) -> "Graph":
        """From two columns of a table of pyarrow, Polars, DuckDB or whatever has `__arrow_c_stream__`, chunk by chunk
        and without a loop in Python. Ends are whole numbers from 0 to order - 1; or names, texts or numbers, and nodes
        is the public list of all of them, node by node: a list, or a column that Arrow knows. The rest as in
        from_edges. Names are not kept: `nodes` of the graph are numbers unless nodes is a list."""
        from .arrow import streams
        edges, names = streams(table, nodes)
        made = cls._make("pvg_graph_from_arrow", edges.pointer, encoded(source), encoded(target),
                         ffi.NULL if names is None else names.pointer, order, edge_policy(merge, drop_loops, declared),
                         run=Run(threads, progress))
        return made._named(listed(nodes)) if isinstance(nodes, (list, tuple)) else made

    @classmethod
    def from_pandas(cls, frame: Any, source: Any, target: Any,
                    nodes: Optional[Iterable[Any]] = None, *, drop_loops: bool = False,
                    threads: int = 0, progress: Optional[Progress] = None) -> "Graph":
        """From a pandas table of edges: `source` and `target` are the names of the columns with
        the two ends. Repeated edges count once.

        nodes: all names in a public order, such as a column of the table of people. A table of
        edges cannot tell them: who has no edge is not in it. Without, a release of the graph
        raises PrivacyError."""
        if not _is_frame(frame):
            raise ArgumentError(f"a {type(frame).__name__} is no table of pandas")
        for column in (source, target):
            if column not in frame.columns:
                raise ArgumentError(f"the table has no column {column!r}")
        ends = [frame[column] for column in (source, target)]
        if any(end.ndim != 1 for end in ends):
            raise ArgumentError("the table has several columns of that name")
        if any(bool(end.isna().any()) for end in ends):
            raise ArgumentError("an edge has an end that is missing")
        values = [end.tolist() for end in ends]
        if isinstance(nodes, str):
            raise ArgumentError("a table of edges does not hold all nodes: list them, nodes=[...]")
        names = list(dict.fromkeys(values[0] + values[1])) if nodes is None else listed(nodes)
        return cls.from_edges(pairs_of(zip(*values), names), len(names), merge=True,
                              drop_loops=drop_loops, declared=nodes is not None, threads=threads,
                              progress=progress)._named(names)

    @classmethod
    def from_dict(cls, neighbours: Any, nodes: Optional[Union[str, Iterable[Any]]] = None, *,
                  drop_loops: bool = False, threads: int = 0,
                  progress: Optional[Progress] = None) -> "Graph":
        """From a dict: for each name the names of its neighbours, each edge at one end or both.

        nodes: as in from_networkx; "public" if the keys are all nodes, and public."""
        if not isinstance(neighbours, Mapping):
            raise ArgumentError(f"a {type(neighbours).__name__} is no dict of neighbours")
        edges = [(name, other) for name, others in neighbours.items() for other in others]
        if nodes is None:
            names = list(dict.fromkeys([*neighbours, *(other for _, other in edges)]))
        else:
            names = chosen(nodes, neighbours)
            unknown = set(neighbours) - set(names)
            if unknown:
                raise ArgumentError("the dict has a key that nodes does not list")
        return cls.from_edges(pairs_of(edges, names), len(names), merge=True,
                              drop_loops=drop_loops, declared=nodes is not None, threads=threads,
                              progress=progress)._named(names)

    def with_object(self, name: Union[int, str]) -> "Graph":
        """The same graph with this name or number in a ledger."""
        other = type(self).__new__(type(self))
        other._pointer = self._pointer  # shared: freed when both are gone
        other.object, other._names, other._id = _object_number(name), self._names, self._id
        return other

    def induce(self, nodes: Any) -> "Graph":
        """The subgraph on `nodes` (numbers); node i of the result is nodes[i]. The list must be
        public: a component or a neighbourhood depends on the edges."""
        nodes = taken(nodes, np.int64, "nodes")
        made = self._make("pvg_graph_induce", self._pointer, pointer(nodes), len(nodes), run=Run())
        return made._named(None if self._names is None else [self._names[i] for i in nodes])

    def relabel(self, names: Any) -> "Graph":
        """The same graph with node v renumbered to names[v], a permutation. It must be public:
        an order by degree or by breadth-first search depends on the edges."""
        names = taken(names, np.int64, "names", (self.order,))
        made = self._make("pvg_graph_relabel", self._pointer, pointer(names), run=Run())
        return made._named(None if self._names is None else
                           [self._names[v] for v in np.argsort(names)])

    def truncate_degree(self, bound: int) -> "Graph":
        """Enforces a degree bound, edge stably: one edge more or less changes at most three."""
        made = self._make("pvg_graph_truncate_degree", self._pointer, bound, run=Run())
        return made._named(self._names)

    # --- public test data ---

    @classmethod
    def path(cls, order: int) -> "Graph":
        """A path."""
        return cls._make("pvg_graph_new_path", order)

    @classmethod
    def cycle(cls, order: int) -> "Graph":
        """A cycle, order >= 3."""
        return cls._make("pvg_graph_new_cycle", order)

    @classmethod
    def clique(cls, order: int) -> "Graph":
        """All nodes joined."""
        return cls._make("pvg_graph_new_clique", order)

    @classmethod
    def star(cls, order: int) -> "Graph":
        """Node 0 joined to all others."""
        return cls._make("pvg_graph_new_star", order)

    @classmethod
    def erdos_renyi(cls, order: int, probability: float, seed: Union[Rng, int] = 0) -> "Graph":
        """Every pair an edge independently."""
        return cls._make("pvg_graph_draw_erdos_renyi", order, probability,
                         public_source(seed)._pointer, run=Run())

    @classmethod
    def blocks(cls, orders: Any, probabilities: Any, seed: Union[Rng, int] = 0) -> "Graph":
        """Stochastic block model with a symmetric matrix of probabilities."""
        orders = taken(orders, np.int64, "orders")
        probabilities = taken(probabilities, np.float64, "probabilities", (len(orders),) * 2)
        return cls._make("pvg_graph_draw_blocks", pointer(orders), pointer(probabilities),
                         len(orders), public_source(seed)._pointer, run=Run())

    @classmethod
    def preferential(cls, order: int, attach: int, seed: Union[Rng, int] = 0) -> "Graph":
        """Barabasi-Albert."""
        return cls._make("pvg_graph_draw_preferential", order, attach,
                         public_source(seed)._pointer, run=Run())

    @classmethod
    def chung_lu(cls, weights: Any, seed: Union[Rng, int] = 0) -> "Graph":
        """Pair u, v an edge with probability min(1, w_u w_v / sum of w)."""
        weights = taken(weights, np.float64, "weights")
        return cls._make("pvg_graph_draw_chung_lu", pointer(weights), len(weights),
                         public_source(seed)._pointer, run=Run())

    @classmethod
    def tree(cls, order: int, seed: Union[Rng, int] = 0) -> "Graph":
        """A uniformly random labelled tree."""
        return cls._make("pvg_graph_draw_tree", order, public_source(seed)._pointer)

    @classmethod
    def ktree(cls, order: int, width: int, seed: Union[Rng, int] = 0) -> "Graph":
        """A random k-tree."""
        return cls._make("pvg_graph_draw_ktree", order, width, public_source(seed)._pointer)

    @staticmethod
    def chains(dataset: str = "s", seed: Union[Rng, int, None] = None
               ) -> Tuple["Graph", "Features", "Labels"]:
        """The chain data sets of the CARIBOU paper: "s", "m", "l" or "x"."""
        source = None if seed is None else public_source(seed)
        return tuple(make_all([Graph, Features, Labels], "pvg_graph_draw_chains",
                              constant("CHAINS", dataset, "dataset"),
                              ffi.NULL if source is None else source._pointer))  # type: ignore

    # --- looking at a graph ---

    @property
    def order(self) -> int:
        """Number of nodes: public, if it was declared."""
        return int(lib.pvg_graph_order(self._pointer))

    @property
    def order_declared(self) -> bool:
        """Whether the nodes were declared. If not, their number or their order was read off the
        edges and is as private as they are: make the graph again with order= or nodes=, or no
        release takes it."""
        return bool(lib.pvg_graph_order_declared(self._pointer))

    @property
    def nodes(self) -> Names:
        """Names of the nodes: node i, and row i of whatever has a row per node, is nodes[i].
        Without names the numbers themselves. Public, if they were declared."""
        return range(self.order) if self._names is None else self._names

    @property
    def size(self) -> int:
        """Number of edges: private."""
        return int(lib.pvg_graph_size(self._pointer))

    def __len__(self) -> int:
        return self.order

    def __repr__(self) -> str:
        # the order is public if it was declared, the edges are not
        return f"<Graph of {self.order} nodes>" if self.order_declared else "<Graph>"

    def degree(self, node: int) -> int:
        """Degree of a node."""
        found = lib.pvg_graph_degree(self._pointer, node)
        if found < 0:
            raise IndexError(f"there is no node {node}")
        return int(found)

    def max_degree_exact(self) -> int:
        """Largest degree. Used as a degree bound it breaks every guarantee."""
        return int(lib.pvg_graph_max_degree_exact(self._pointer))

    def has_edge(self, u: int, v: int) -> bool:
        """Whether u and v are joined."""
        return bool(lib.pvg_graph_has_edge(self._pointer, u, v))

    def csr(self) -> Tuple[Array, Array]:
        """(offsets, columns), read-only views of the graph's own memory."""
        offsets, columns = ffi.new("int64_t **"), ffi.new("int32_t **")
        call("pvg_graph_view_csr", offsets, columns, self._pointer)
        return (lent(offsets[0], (self.order + 1,), np.int64, self),
                lent(columns[0], (2 * self.size,), np.int32, self))

    def neighbours(self, node: int) -> Array:
        """The neighbours of a node, ascending: a read-only view."""
        found, count = ffi.new("int32_t **"), ffi.new("int64_t *")
        call("pvg_graph_view_neighbours", found, count, self._pointer, node)
        return lent(found[0], (count[0],), np.int32, self)

    def edges(self) -> Array:
        """A 2 x size array of the edges, each once with source < target, ascending."""
        out = np.zeros((2, self.size), np.int64)
        call("pvg_graph_copy_edges", pointer(out[0]), pointer(out[1]), self._pointer)
        return out

    def to_scipy(self) -> Any:
        """Adjacency matrix as scipy.sparse.csr_matrix; the rows are views. If the nodes were
        not declared the matrix knows (an attribute, which copies and results of calculations lose),
        and a graph made from it is not declared either."""
        from scipy import sparse
        offsets, columns = self.csr()
        matrix = sparse.csr_matrix((np.ones(len(columns), np.int8), columns, offsets),
                                   shape=(self.order, self.order))
        if not self.order_declared:
            setattr(matrix, MATRIX_INFERRED, True)
        return matrix

    def to_pandas(self) -> Any:
        """The edges as a pandas table, from and to, by the names of the nodes. As private as the graph."""
        import pandas
        ends = self.edges()
        names = np.asarray(self.nodes, dtype=None if self._names is None else object)
        return pandas.DataFrame({"from": names[ends[0]], "to": names[ends[1]]})

    def to_networkx(self) -> Any:
        """The graph as networkx.Graph, with the names of the nodes. Whether they were declared goes
        with it and comes back; copies and subgraphs of it have to be declared again."""
        import networkx
        graph, names = networkx.Graph(), self.nodes
        graph.add_nodes_from(names)
        edges = self.edges().T.tolist()
        graph.add_edges_from(edges if self._names is None else
                             ((names[u], names[v]) for u, v in edges))
        if self.order_declared:
            setattr(graph, DECLARED, tuple(names))
        else:
            graph.graph[INFERRED] = True
        return graph

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return all(np.array_equal(a, b) for a, b in zip(self.csr(), other.csr()))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return _graph_again, (*map(np.array, self.csr()), self.object, self.order_declared,
                              self._names, self.identity)


def _graph_again(offsets: Array, columns: Array, number: Optional[int],
                 declared: bool = True, names: Optional[Sequence[Any]] = None,
                 identity: Optional[int] = None) -> Graph:
    graph = Graph.from_csr(offsets, columns, declared=declared)._named(names)
    graph.object = number
    if identity is not None:
        graph._id = identity
    return graph


def _two_rows(edge_index: Any) -> Array:
    edges = np.asarray(edge_index)
    if edges.size == 0:
        return np.zeros((2, 0), np.int64)
    if edges.ndim != 2 or edges.shape[0] != 2:
        raise ArgumentError(f"edge_index has shape {edges.shape}, not (2, m); an (m, 2) array needs pairs=True in "
                            "Graph.from_edges, or its transpose")
    return edges


def _starts(counts: Any, argument: str) -> Array:
    """Where each of so many begins, and where the last one ends."""
    counts = taken(counts, np.int64, argument)
    if counts.ndim != 1 or np.any(counts < 0):
        raise ArgumentError(f"{argument} must be a vector of numbers that are not negative")
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _set_labels(starts: Array, labels: Any, node_labels: Any) -> Tuple[Any, Any]:
    """(arrays to keep, their pointers) of labels of graphs and of nodes."""
    count = len(starts) - 1
    held = [None if labels is None else taken(labels, np.int32, "labels", (count,)),
            None if node_labels is None else
            taken(node_labels, np.int32, "node_labels", (int(starts[-1]),))]
    return held, [ffi.NULL if array is None else pointer(array) for array in held]


def _ranges(first: Array, counts: Array) -> Array:
    """first[0], first[0] + 1, ... (counts[0] of them), first[1], ...: without a loop."""
    shifts: Array = np.repeat(first - (np.cumsum(counts) - counts), counts)
    return np.arange(len(shifts)) + shifts


def _one_pass(given: List[Any]) -> Optional[Tuple[Array, Any, Any]]:
    """(edges, orders, sizes) of a list of pairs (edge_index, order) or of objects with edge_index
    and a number of nodes; None for anything else."""
    if not given:
        return None
    if all(type(one) is tuple and len(one) == 2 and type(one[0]) is np.ndarray
           and one[0].ndim == 2 and one[0].shape[0] == 2 and type(one[1]) is int for one in given):
        parts, orders = [one[0] for one in given], [one[1] for one in given]
    elif all(hasattr(one, "edge_index") and not hasattr(one, "tocsr") for one in given):
        parts = [_two_rows(one.edge_index) for one in given]
        orders = [_stored_order(one) for one in given]
    else:
        return None
    return np.concatenate(parts, axis=1), orders, [part.shape[1] for part in parts]


def _joined_matrices(given: List[Any], labels: Any) -> Optional["GraphSet"]:
    """A set of a list of scipy.sparse matrices in compressed rows, all declared; None for anything
    else, and where something is to be repaired or is wrong."""
    if not given or not all(getattr(one, "format", "") == "csr" and one.shape[0] == one.shape[1]
                            and not getattr(one, MATRIX_INFERRED, False) for one in given):
        return None
    orders = [one.shape[0] for one in given]
    columns = np.concatenate([one.indices for one in given]).astype(np.int64, copy=False)
    lengths = np.concatenate([np.diff(one.indptr) for one in given])
    sizes = [len(one.indices) for one in given]
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    starts = _starts(orders, "orders")
    if offsets[-1] != len(columns) or np.any(lengths < 0) or \
            any(one.indptr[-1] != size or len(one.data) != size for one, size in zip(given, sizes)) or \
            not np.all(np.concatenate([one.data for one in given])) or \
            np.any(columns < 0) or np.any(columns >= np.repeat(orders, sizes)):
        return None
    columns = columns + np.repeat(starts[:-1], sizes)
    ascends = np.diff(columns) > 0
    ascends[offsets[1:-1][(offsets[1:-1] > 0) & (offsets[1:-1] < len(columns))] - 1] = True  # from row to row
    if not np.all(ascends) or (len(columns) and starts[-1] > np.iinfo(np.int32).max):
        return None
    try:
        made = GraphSet.from_csr(starts, offsets, columns.astype(np.int32), labels=labels)
    except ArgumentError:
        return None  # which graph it is, one after another tell
    made._ids = [identity_of(one) for one in given]
    return made


def _joined_networks(given: List[Any], labels: Any) -> Optional["GraphSet"]:
    """A set of a list of networkx graphs whose nodes were declared of all of them, or of none; None
    for anything else, and where something is wrong."""
    heads: List[int] = []  # of rows
    lengths: List[int] = []
    targets: List[int] = []
    names: List[List[Any]] = []
    sizes: List[int] = []
    declared = None
    for graph in given:
        if not (hasattr(graph, "is_directed") and hasattr(graph, "adjacency")) or graph.is_directed():
            return None
        said = getattr(graph, DECLARED, None)
        this = said is not None and not graph.graph.get(INFERRED)
        if declared not in (None, this) or not (said is None or type(said) is tuple):
            return None
        declared, own = this, list(graph) if said is None else list(said)
        index = {name: number for number, name in enumerate(own)}
        rows, before = dict(graph.adjacency()), len(targets)
        try:
            heads += map(index.__getitem__, rows)
            targets += map(index.__getitem__, itertools.chain.from_iterable(rows.values()))
        except KeyError:
            return None
        if len(index) != len(own):
            return None
        names.append(own)
        lengths += map(len, rows.values())
        sizes.append(len(targets) - before)
    if declared is None:
        return None
    try:
        edges = np.array([np.repeat(np.array(heads, np.int64), lengths), targets], np.int64)
        made = GraphSet.from_edges(edges, [len(own) for own in names], sizes=sizes, declared=declared, labels=labels)
    except ArgumentError:
        return None
    remembered = [kept(own) for own in names]
    made._names = remembered if any(own is not None for own in remembered) else None
    made._ids = []
    with _KNOWING:  # networkx graphs carry theirs
        for graph in given:
            number = getattr(graph, IDENTITY, None)
            if number is None:
                number = secrets.randbits(63)
                setattr(graph, IDENTITY, number)
            made._ids.append(number)
    return made


class GraphSet(Immutable):
    """Many graphs, each with an optional class label and real targets, optional node labels.

    Behaves like a sequence of graphs. `objects` are their numbers in a ledger, or None.

    Examples
    --------
    >>> import privgraph as pg
    >>> graphs = pg.GraphSet.from_graphs([pg.Graph.cycle(5), pg.Graph.path(4)], labels=[0, 1])
    >>> len(graphs), graphs.orders.tolist()
    (2, [5, 4])
    """

    __slots__ = ("objects", "_names", "_ids", "_orders", "_seed")
    _type = "pvg_graphset"
    objects: Optional[Array]
    _ids: Optional[List[int]]
    _seed: int  # of the identities, now: processes that fork and threads make the same of it
    _orders: Optional[Array]
    _names: Optional[List[Optional[Tuple[Any, ...]]]]  # of the nodes of each graph

    @classmethod
    def _own(cls, out: Any) -> "GraphSet":
        self = super()._own(out)
        self.objects = self._names = self._ids = self._orders = None
        self._seed = secrets.randbits(128)
        return self

    @property
    def identities(self) -> List[int]:
        """Graph.identity of each graph."""
        if self._ids is None:
            self._ids = np.random.default_rng(self._seed).integers(2 ** 63, size=len(self)).tolist()
        return self._ids

    # --- all graphs at once: no work in Python for each of them ---

    @classmethod
    def from_edges(cls, edge_index: Any, orders: Any, *, sizes: Any = None, merge: bool = True,
                   drop_loops: bool = False, declared: bool = True,
                   labels: Optional[Ints] = None, node_labels: Any = None,
                   objects: Optional[Sequence[Union[int, str]]] = None, threads: int = 0,
                   progress: Optional[Progress] = None) -> "GraphSet":
        """From one 2 x m array of end points for all graphs.

        orders: nodes of each graph, public as in Graph.from_edges; graph i owns the numbers from
        orders[0] + ... + orders[i - 1] on. With sizes (edges of each graph) the edges stand graph
        by graph and have the numbers of their own graph. labels: a class per graph; node_labels:
        one entry for each node of all graphs. The rest as in Graph.from_edges."""
        starts = _starts(orders, "orders")
        edges = _two_rows(edge_index)
        if sizes is not None:
            ends = _starts(sizes, "sizes")
            if len(ends) != len(starts) or ends[-1] != edges.shape[1]:
                raise ArgumentError("sizes must have an entry for each graph, and add up to the edges")
            of_edge = np.repeat(np.arange(len(starts) - 1), np.diff(ends))
            limits, edges = np.diff(starts)[of_edge], taken(edges, np.int64, "edge_index")
            # as unsigned, so that what is negative is too large
            if any(np.any(row.view(np.uint64) >= limits.view(np.uint64)) for row in edges):
                raise ArgumentError("an edge ends outside its graph")
            edges = edges + starts[of_edge]
        sources = taken(edges[0], np.int64, "edge_index")
        targets = taken(edges[1], np.int64, "edge_index")
        held, where = _set_labels(starts, labels, node_labels)
        made = cls._make("pvg_graphset_from_edges", pointer(starts), len(starts) - 1,
                         pointer(sources), pointer(targets), len(sources),
                         edge_policy(merge, drop_loops, declared), *where, run=Run(threads, progress))
        del held
        return made if objects is None else made.with_objects(objects)

    @classmethod
    def from_batch(cls, edge_index: Any, batch: Any, *, count: Optional[int] = None,
                   merge: bool = True, drop_loops: bool = False, declared: bool = True,
                   labels: Optional[Ints] = None, node_labels: Any = None,
                   objects: Optional[Sequence[Union[int, str]]] = None, threads: int = 0,
                   progress: Optional[Progress] = None) -> "GraphSet":
        """From the layout of a PyG batch: edge_index with numbers in the whole batch, and for each
        node the number of its graph, ascending. count: graphs, where the last ones have no nodes."""
        graphs = taken(batch, np.int64, "batch")
        if graphs.ndim != 1 or (len(graphs) and (graphs[0] < 0 or np.any(np.diff(graphs) < 0))):
            raise ArgumentError("batch must be a vector of graph numbers that ascend")
        found = int(graphs[-1]) + 1 if len(graphs) else 0
        if count is not None and count < found:
            raise ArgumentError(f"batch names graph {found - 1}, but count is {count}")
        orders = np.bincount(graphs, minlength=found if count is None else count)
        return cls.from_edges(edge_index, orders, merge=merge, drop_loops=drop_loops, declared=declared,
                              labels=labels, node_labels=node_labels, objects=objects,
                              threads=threads, progress=progress)

    @classmethod
    def from_csr(cls, starts: Any, offsets: Any, columns: Any, *, merge: bool = False,
                 drop_loops: bool = False, declared: bool = True,
                 labels: Optional[Ints] = None, node_labels: Any = None,
                 objects: Optional[Sequence[Union[int, str]]] = None, threads: int = 0,
                 progress: Optional[Progress] = None) -> "GraphSet":
        """From the compressed rows of a block-diagonal matrix, as `csr` gives them: columns are numbers in the whole
        set. starts: the first row of each graph, and the number of all rows, as np.r_[0, np.cumsum(orders)]."""
        starts = taken(starts, np.int64, "starts")
        if starts.ndim != 1 or not len(starts) or starts[0] != 0 or np.any(np.diff(starts) < 0):
            raise ArgumentError("starts must be a vector from 0 to the number of all rows that does not descend")
        offsets = taken(offsets, np.int64, "offsets", (int(starts[-1]) + 1,))
        columns = taken(columns, np.int32, "columns", (int(offsets[-1]),))
        held, where = _set_labels(starts, labels, node_labels)
        made = cls._make("pvg_graphset_from_csr", pointer(starts), len(starts) - 1, pointer(offsets),
                         pointer(columns), edge_policy(merge, drop_loops, declared), *where,
                         run=Run(threads, progress))
        del held
        return made if objects is None else made.with_objects(objects)

    @classmethod
    def from_block_diagonal(cls, matrix: Any, orders: Any, *, declared: bool = True,
                            **options: Any) -> "GraphSet":
        """From a scipy.sparse adjacency matrix with the graphs along its diagonal, such as
        scipy.sparse.block_diag makes. orders: rows of each block. options: as in from_csr."""
        rows = matrix.tocsr()
        if not rows.has_canonical_format or not np.all(rows.data):
            rows = rows.copy()
            rows.sum_duplicates()
            rows.eliminate_zeros()
        starts = _starts(orders, "orders")
        if rows.shape != (int(starts[-1]),) * 2:
            raise ArgumentError(f"the matrix has shape {rows.shape}, the orders add up to {starts[-1]}")
        return cls.from_csr(starts, rows.indptr, rows.indices,
                            declared=declared and not getattr(matrix, MATRIX_INFERRED, False), **options)

    @classmethod
    def from_graphs(cls, graphs: Iterable[Any], labels: Optional[Ints] = None,
                    targets: Any = None, node_labels: Optional[Sequence[Any]] = None,
                    objects: Optional[Sequence[Union[int, str]]] = None) -> "GraphSet":
        """From anything `as_graph` takes. labels: a class per graph, -1 for none; targets: a
        row of real numbers per graph; node_labels: an array per graph; objects: names or
        numbers for a ledger. A list of one kind, pairs (edge_index, order), objects with
        edge_index, networkx graphs or scipy matrices in compressed rows, is joined in one pass."""
        given = list(graphs)
        if targets is None and node_labels is None:
            joined = _one_pass(given)
            if joined is not None:
                edges, orders, sizes = joined
                found = cls.from_edges(edges, orders, sizes=sizes, labels=labels, objects=objects)
                found._ids = [identity_of(one[0] if isinstance(one, tuple) else one, order)
                              for one, order in zip(given, orders)]
                return found
            for join in (_joined_matrices, _joined_networks):
                made = join(given, labels)
                if made is not None:
                    return made if objects is None else made.with_objects(objects)
        members = [as_graph(graph) for graph in given]
        count = len(members)
        classes = taken([-1] * count if labels is None else labels, np.int32, "labels", (count,))
        rows = None
        if targets is not None:
            rows = taken(targets, np.float64, "targets")
            rows = rows.reshape(count, -1) if rows.ndim < 2 and count else rows
            if rows.ndim != 2 or len(rows) != count:
                raise ArgumentError(f"targets has shape {rows.shape} for {count} graphs")
        if node_labels is not None and len(node_labels) != count:
            raise ArgumentError(f"node_labels has {len(node_labels)} entries, not {count}")
        builder = ffi.new("pvg_graphset_builder **")
        call("pvg_graphset_builder_new", builder, 0 if rows is None else rows.shape[1])
        held = ffi.gc(builder[0], lib.pvg_graphset_builder_free)
        add, none, marks = lib.pvg_graphset_builder_add, ffi.NULL, None
        for i, (graph, label) in enumerate(zip(members, classes.tolist())):
            if node_labels is not None:
                marks = taken(node_labels[i], np.int32, f"node_labels[{i}]", (graph.order,))
            status = add(held, graph._pointer, label,
                         none if rows is None or rows.shape[1] == 0 else pointer(rows[i]),
                         none if marks is None else pointer(marks))
            if status:
                check(status)
        made = cls._make("pvg_graphset_builder_finish", held)
        if any(graph._names is not None for graph in members):
            made._names = [graph._names for graph in members]
        made._ids = [graph.identity for graph in members]
        if objects is None and members and all(graph.object is not None for graph in members):
            objects = [graph.object for graph in members]  # type: ignore[misc]
        return made if objects is None else made.with_objects(objects)

    def with_objects(self, objects: Sequence[Union[int, str]]) -> "GraphSet":
        """The same set whose graphs have these names or numbers in a ledger: one for each
        network, whatever its snapshots and files are."""
        warn_of_snapshots(objects)
        numbers = taken(np.array([_object_number(name) for name in objects], np.uint64),
                        np.uint64, "objects", (len(self),))
        other = type(self).__new__(type(self))
        other._pointer = self._pointer  # shared: freed when both are gone
        other.objects, other._names, other._ids = numbers, self._names, self.identities
        other._orders, other._seed = self._orders, self._seed
        return other

    @classmethod
    def sbm(cls, order: int, zeta: Any, per_class: int, q: float = 0.5,
            seed: Union[Rng, int] = 0) -> "GraphSet":
        """The stochastic block model classes of the homomorphism-density paper."""
        zeta = taken(zeta, np.float64, "zeta")
        return cls._make("pvg_graphset_draw_sbm", order, pointer(zeta), len(zeta), per_class, q,
                         public_source(seed)._pointer, run=Run())

    def __len__(self) -> int:
        return int(lib.pvg_graphset_count(self._pointer))

    def __getitem__(self, index: Any) -> Any:
        """A graph, or for a slice, a list or a mask a set with those graphs. A slice of step 1
        copies nothing: both sets share their rows."""
        if isinstance(index, (int, np.integer)):
            number = int(index) + (len(self) if index < 0 else 0)
            if not 0 <= number < len(self):
                raise IndexError(f"there is no graph {index}")
            graph = Graph._make("pvg_graphset_get", self._pointer, number)
            if self.objects is not None:
                graph.object = int(self.objects[number])
            graph._id = self.identities[number]
            return graph if self._names is None else graph._named(self._names[number])
        if isinstance(index, slice):
            first, last, step = index.indices(len(self))
            if step == 1:
                return self._slice(first, max(last, first))
        return self._select(np.arange(len(self))[index])

    def _slice(self, first: int, last: int) -> "GraphSet":
        """Graphs first .. last - 1: the sets share their arrays."""
        made = GraphSet._make("pvg_graphset_slice", self._pointer, first, last - first)
        made.objects = None if self.objects is None else self.objects[first:last]
        made._ids = self.identities[first:last]
        made._orders = self.orders[first:last]
        made._names = None if self._names is None else self._names[first:last]
        return made

    def _select(self, chosen: Array) -> "GraphSet":
        """Those graphs, in that order: one pass over their rows. Objects, names and identities go
        with them."""
        starts, offsets, columns = self.csr()
        orders = np.diff(starts)[chosen]
        marks = self.node_labels
        if self.target_count:  # the builder alone takes targets
            return GraphSet.from_graphs(
                (self[int(i)] for i in chosen), self.labels[chosen], self.targets[chosen],
                None if marks is None else [marks[starts[i]:starts[i + 1]] for i in chosen],
                None if self.objects is None else self.objects[chosen].tolist())
        nodes = _ranges(starts[:-1][chosen], orders)
        lengths = np.diff(offsets)[nodes]
        entries = _ranges(offsets[:-1][nodes], lengths)
        shift = np.repeat(np.cumsum(orders) - orders - starts[:-1][chosen], orders)
        rows = np.zeros(len(nodes) + 1, np.int64)
        np.cumsum(lengths, out=rows[1:])
        moved = columns[entries] + np.repeat(shift, lengths)
        made = GraphSet.from_csr(_starts(orders, "orders"), rows, moved.astype(np.int32), declared=self.order_declared,
                                 labels=self.labels[chosen],
                                 node_labels=None if marks is None else marks[nodes])
        made.objects = None if self.objects is None else self.objects[chosen]
        ids = self.identities
        made._ids = [ids[i] for i in chosen.tolist()]
        if self._names is not None:
            made._names = [self._names[i] for i in chosen.tolist()]
        return made

    def __iter__(self) -> Iterator[Graph]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<GraphSet of {len(self)} graphs>"

    @property
    def order(self) -> int:
        """Nodes of all graphs."""
        return int(lib.pvg_graphset_order(self._pointer))

    @property
    def orders(self) -> Array:
        """Number of nodes of each graph: public, if they were declared."""
        if self._orders is None:
            self._orders = np.diff(self.csr()[0])
            self._orders.flags.writeable = False
        return self._orders

    @property
    def order_declared(self) -> bool:
        """Whether the nodes of all graphs were told; if not, no release takes the set."""
        return len(self) == 0 or self[0].order_declared

    @property
    def target_count(self) -> int:
        """Real targets per graph."""
        return int(lib.pvg_graphset_target_count(self._pointer))

    def csr(self) -> Tuple[Array, Array, Array]:
        """(starts, offsets, columns) of the block-diagonal matrix, as `from_csr` takes them: read-only views."""
        starts, offsets = ffi.new("int64_t **"), ffi.new("int64_t **")
        columns = ffi.new("int32_t **")
        call("pvg_graphset_view_csr", starts, offsets, columns, self._pointer)
        rows = lent(offsets[0], (self.order + 1,), np.int64, self)
        return (lent(starts[0], (len(self) + 1,), np.int64, self), rows,
                lent(columns[0], (int(rows[-1]),), np.int32, self))

    def _labels(self) -> List[Any]:
        found = [ffi.new("int32_t **"), ffi.new("double **"), ffi.new("int32_t **")]
        call("pvg_graphset_view_labels", *found, self._pointer)
        return [where[0] for where in found]

    @property
    def labels(self) -> Array:
        """Class of each graph, -1 for none: a read-only view."""
        return lent(self._labels()[0], (len(self),), np.int32, self)

    @property
    def targets(self) -> Array:
        """Real targets, a row per graph: a read-only view."""
        return lent(self._labels()[1], (len(self), self.target_count), np.float64, self)

    @property
    def node_labels(self) -> Optional[Array]:
        """Label of every node of all graphs, or None: a read-only view."""
        where = self._labels()[2]
        return None if where == ffi.NULL else lent(where, (self.order,), np.int32, self)

    def __reduce__(self) -> Any:
        marks, starts = self.node_labels, self.csr()[0]
        return GraphSet.from_graphs, (
            list(self), np.array(self.labels), np.array(self.targets) if self.target_count else None,
            None if marks is None else [np.array(marks[a:b]) for a, b in zip(starts, starts[1:])],
            None if self.objects is None else self.objects.tolist())


class Features(Immutable):
    """A matrix of node features, one row per node, stored by its non-zero entries.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.Features.from_dense([[1.0, 0.0], [0.0, 2.0]]).shape
    (2, 2)
    """

    __slots__ = ("_id",)
    _type = "pvg_features"
    _id: int

    @classmethod
    def _own(cls, out: Any) -> "Features":
        self = super()._own(out)
        self._id = secrets.randbits(63)
        return self

    @classmethod
    def from_dense(cls, matrix: Any) -> "Features":
        """From a dense matrix; float64 and float32 in C order are not copied on the way."""
        narrow = getattr(matrix, "dtype", None) == np.float32
        matrix = taken(matrix, np.float32 if narrow else np.float64, "matrix")
        if matrix.ndim != 2:
            raise ArgumentError(f"the matrix has {matrix.ndim} dimensions, not 2")
        return cls._make("pvg_features_from_dense_float" if narrow else "pvg_features_from_dense",
                         *matrix.shape, pointer(matrix))

    @classmethod
    def from_scipy(cls, matrix: Any) -> "Features":
        """From a scipy.sparse matrix."""
        declared = not getattr(matrix, COLUMNS_INFERRED, False)
        rows = matrix.tocsr().copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
        offsets = taken(rows.indptr, np.int64, "indptr")
        indices = taken(rows.indices, np.int32, "indices")
        narrow = rows.data.dtype == np.float32
        values = taken(rows.data, np.float32 if narrow else np.float64, "data")
        made = cls._make("pvg_features_from_csr_float" if narrow else "pvg_features_from_csr",
                         *rows.shape, pointer(offsets), pointer(indices), pointer(values))
        return made if declared else cls._make("pvg_features_copy_inferred", made._pointer)

    @property
    def shape(self) -> Tuple[int, int]:
        """(rows, columns)."""
        return (lib.pvg_features_rows(self._pointer), lib.pvg_features_columns(self._pointer))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        # a width that was read off the entries is as private as they are
        width = f" x {self.shape[1]}" if self.columns_declared else ""
        return f"<Features {self.shape[0]}{width}>"

    @property
    def columns_declared(self) -> bool:
        """Whether the number of columns was declared. If not, it was read off the entries: no
        release that hides features takes them."""
        return bool(lib.pvg_features_columns_declared(self._pointer))

    def to_dense(self) -> Array:
        """The matrix as a new array. An array cannot say that its width was read off its
        entries: features made from it count as told, so ask `columns_declared` first."""
        out = np.zeros(self.shape)
        call("pvg_features_copy_dense", pointer(out), self._pointer, 0, self.shape[0])
        return out

    def csr(self) -> Tuple[Array, Array, Array]:
        """(offsets, indices, values): read-only views."""
        offsets, indices = ffi.new("int64_t **"), ffi.new("int32_t **")
        values = ffi.new("double **")
        call("pvg_features_view_csr", offsets, indices, values, self._pointer)
        rows = lent(offsets[0], (self.shape[0] + 1,), np.int64, self)
        return (rows, lent(indices[0], (int(rows[-1]),), np.int32, self),
                lent(values[0], (int(rows[-1]),), np.float64, self))

    def to_scipy(self) -> Any:
        """The matrix as scipy.sparse.csr_matrix over views. If the number of columns was not
        told the matrix knows, in an attribute which copies and results of calculations lose."""
        from scipy import sparse
        offsets, indices, values = self.csr()
        matrix = sparse.csr_matrix((values, indices, offsets), shape=self.shape)
        if not self.columns_declared:
            setattr(matrix, COLUMNS_INFERRED, True)
        return matrix


class Labels(Immutable):
    """Class of each node, -1 where unknown.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.Labels.from_array([0, 1, 1]).values.tolist()
    [0, 1, 1]
    """

    __slots__ = ("_id",)
    _type = "pvg_labels"
    _id: int

    @classmethod
    def _own(cls, out: Any) -> "Labels":
        self = super()._own(out)
        self._id = secrets.randbits(63)
        return self

    @classmethod
    def from_array(cls, values: Any) -> "Labels":
        """From entries that are -1 or more."""
        values = taken(values, np.int32, "values")
        return cls._make("pvg_labels_from_array", pointer(values), len(values))

    def __len__(self) -> int:
        return int(lib.pvg_labels_count(self._pointer))

    def __repr__(self) -> str:
        return f"<Labels of {len(self)} nodes>"

    @property
    def classes(self) -> int:
        """Largest label + 1."""
        return int(lib.pvg_labels_classes(self._pointer))

    @property
    def values(self) -> Array:
        """The entries: a read-only view."""
        out = ffi.new("int32_t **")
        call("pvg_labels_view", out, self._pointer)
        return lent(out[0], (len(self),), np.int32, self)


# --- whatever a caller has ----------------------------------------------------------------

def _stored(data: Any, name: str) -> Any:
    """An attribute that was really given, not one that is guessed from others."""
    held = data.to_dict() if hasattr(data, "to_dict") else vars(data)
    return held.get(name)


def _stored_order(data: Any) -> int:
    order, rows = _stored(data, "num_nodes"), _stored(data, "x")
    if order is None and rows is None:
        raise ArgumentError("the object has neither num_nodes nor x: the number of nodes is"
                            " public and must not be read off the edges")
    return len(rows) if order is None else int(order)


def as_graph(data: Any) -> Graph:
    """A graph from what people have:

    a Graph; a networkx graph; a dict of neighbours; a scipy.sparse adjacency matrix; a pair
    (edge_index, order); an object with edge_index and num_nodes or x, as PyG's Data.

    An edge_index alone is refused: the number of nodes is public, so it must not be read
    off the private edges. A networkx graph whose nodes nobody declared (`tell_nodes`,
    Graph.from_networkx) and a dict serve inside the program; a release of them raises
    PrivacyError. What the others say of their nodes, their order included, is believed: it
    must be public.
    """
    if isinstance(data, Graph):
        return data
    made = _graph_of(data)
    if isinstance(data, tuple) or hasattr(data, "edge_index"):
        made._id = identity_of(data[0] if isinstance(data, tuple) else data, made.order)
    elif not hasattr(data, "adjacency"):  # networkx graphs carry theirs, through copies too
        made._id = identity_of(data)
    return made


def _graph_of(data: Any) -> Graph:
    if hasattr(data, "tocsr"):
        return Graph.from_adjacency(data)
    if hasattr(data, "is_directed") and hasattr(data, "adjacency"):
        return Graph.from_networkx(data)
    if hasattr(data, "edge_index"):
        return Graph.from_edges(np.asarray(data.edge_index), _stored_order(data))
    if isinstance(data, tuple) and len(data) == 2 and isinstance(data[1], (int, np.integer)):
        return Graph.from_edges(data[0], int(data[1]))
    if isinstance(data, np.ndarray):
        raise ArgumentError("an array alone is no graph: pass (edge_index, order), or"
                            " Graph.from_adjacency(matrix)")
    if isinstance(data, Mapping):
        return Graph.from_dict(data)
    if _is_frame(data):
        raise TypeError("a table of edges needs the names of its columns, and a list of all"
                        " nodes: Graph.from_pandas(frame, source, target, nodes=...)")
    raise TypeError(f"a {type(data).__name__} is no graph; as_graph takes Graph, networkx, dicts,"
                    " scipy.sparse, (edge_index, order) and objects with edge_index")


def as_features(data: Any) -> Features:
    """Node features: Features, a scipy.sparse or a dense matrix, one row per node."""
    if isinstance(data, Features):
        return data
    made = Features.from_scipy(data) if hasattr(data, "tocsr") else Features.from_dense(data)
    made._id = identity_of(data)
    return made


def as_labels(data: Any) -> Labels:
    """Labels of nodes: Labels, or entries that are -1 or more."""
    if isinstance(data, Labels):
        return data
    made = Labels.from_array(data)
    made._id = identity_of(data)
    return made


def as_graphset(data: Any) -> GraphSet:
    """A set of graphs: a GraphSet, a sequence of what `as_graph` takes, a path of a TUDataset
    folder or of a graph6 or sparse6 file."""
    if isinstance(data, GraphSet):
        return data
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        from .io import read_graphset
        found = read_graphset(data)
        # the same file is the same graphs, also in other processes; one that was written anew is not
        place = os.path.realpath(data)
        declared = repr((place, os.stat(place).st_ino, os.stat(place).st_mtime_ns))
        found._seed = int.from_bytes(hashlib.sha256(declared.encode()).digest()[:16], "little")
        return found
    if isinstance(data, (Graph, Mapping)) or hasattr(data, "tocsr") or \
            hasattr(data, "adjacency") or _is_frame(data):
        return GraphSet.from_graphs([data])
    return GraphSet.from_graphs(data)
