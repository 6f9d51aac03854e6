"""Graphs, sets of graphs, node features and labels. All of it is private data: what leaves
the program must be a Release.

The number of nodes is public in every guarantee. That is why every way to make a graph from
edges asks for it: read off the edges it would depend on them. Only a file that lists edges may
be read without it; such a graph serves inside the program (`Graph.order_told` is False), and a
release of it, or of anything made from it, raises PrivacyError.
"""
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Immutable, Progress, Run, call, constant, ffi, lent, lib, make_all, pointer,
                      taken)
from .errors import ArgumentError
from .rng import Rng, public_source

__all__ = ["Graph", "GraphSet", "Features", "Labels", "as_graph", "as_graphset",
           "as_features"]


def _policy(merge: bool, drop_loops: bool) -> int:
    return (lib.PVG_EDGES_MERGE if merge else 0) | (lib.PVG_EDGES_DROP_LOOPS if drop_loops else 0)


def _object_number(name: Union[str, int, None]) -> Optional[int]:
    if isinstance(name, str):
        return int(lib.pvg_ledger_object(name.encode("utf-8")))
    return None if name is None else int(name)


class Graph(Immutable):
    """An undirected simple graph with nodes 0 .. order - 1.

    `object` is its number in a ledger, if it has one. It is not part of the graph.
    """

    __slots__ = ("object",)
    _type = "pvg_graph"
    object: Optional[int]

    @classmethod
    def _own(cls, out: Any) -> "Graph":
        self = super()._own(out)
        self.object = None
        return self

    # --- making graphs ---

    @classmethod
    def from_edges(cls, edge_index: Any, order: int, *, merge: bool = True,
                   drop_loops: bool = False, threads: int = 0,
                   progress: Optional[Progress] = None) -> "Graph":
        """From a 2 x m array of end points, such as PyG's edge_index, or a list of m pairs.

        order: the number of nodes, which is public; it is not read off the edges, because it
        would then depend on them. merge: keep one of repeated edges ((u, v) and (v, u) are the
        same); drop_loops: ignore self loops. Arrays of int64 are not copied on the way.
        """
        edges = np.asarray(edge_index)
        if edges.size == 0:
            edges = np.zeros((2, 0), np.int64)
        elif isinstance(edge_index, (list, tuple)) and edges.ndim == 2 and edges.shape[1] == 2 \
                and not all(isinstance(part, np.ndarray) for part in edge_index):
            edges = edges.T  # a list of pairs
        if edges.ndim != 2 or edges.shape[0] != 2:
            raise ArgumentError(f"edge_index has shape {edges.shape}, not (2, m)")
        sources = taken(edges[0], np.int64, "edge_index")
        targets = taken(edges[1], np.int64, "edge_index")
        return cls._make("pvg_graph_from_edges", order, pointer(sources), pointer(targets),
                         len(sources), _policy(merge, drop_loops), run=Run(threads, progress))

    @classmethod
    def from_csr(cls, offsets: Any, columns: Any, *, merge: bool = False,
                 drop_loops: bool = False, threads: int = 0,
                 progress: Optional[Progress] = None) -> "Graph":
        """From compressed rows. merge: mirror entries that stand in one row only."""
        offsets = taken(offsets, np.int64, "offsets")
        columns = taken(columns, np.int32, "columns")
        if offsets.ndim != 1 or len(offsets) == 0 or columns.shape != (int(offsets[-1]),):
            raise ArgumentError("offsets must be a vector whose last entry is len(columns)")
        return cls._make("pvg_graph_from_csr", len(offsets) - 1, pointer(offsets),
                         pointer(columns), _policy(merge, drop_loops), run=Run(threads, progress))

    @classmethod
    def from_adjacency(cls, matrix: Any, *, merge: bool = False, drop_loops: bool = False,
                       threads: int = 0, progress: Optional[Progress] = None) -> "Graph":
        """From a square adjacency matrix, dense or scipy.sparse; what is not zero is an edge.
        It must be symmetric unless merge is given."""
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
        return cls.from_csr(offsets, columns, merge=merge, drop_loops=drop_loops,
                            threads=threads, progress=progress)

    @classmethod
    def from_networkx(cls, graph: Any, *, drop_loops: bool = False, threads: int = 0,
                      progress: Optional[Progress] = None) -> "Graph":
        """From a networkx graph; nodes are numbered in its order. Edge data are ignored."""
        if graph.is_directed():
            raise ArgumentError("the networkx graph is directed; call to_undirected() first")
        index = {node: number for number, node in enumerate(graph.nodes())}
        flat = np.fromiter((index[end] for edge in graph.edges() for end in edge), np.int64)
        return cls.from_edges(flat.reshape(-1, 2).T, len(index), merge=True,
                              drop_loops=drop_loops, threads=threads, progress=progress)

    def induce(self, nodes: Any) -> "Graph":
        """The subgraph on `nodes`; node i of the result is nodes[i]."""
        nodes = taken(nodes, np.int64, "nodes")
        return self._make("pvg_graph_induce", self._pointer, pointer(nodes), len(nodes), run=Run())

    def relabel(self, names: Any) -> "Graph":
        """The same graph with node v renamed to names[v], a permutation."""
        names = taken(names, np.int64, "names", (self.order,))
        return self._make("pvg_graph_relabel", self._pointer, pointer(names), run=Run())

    def truncate_degree(self, bound: int) -> "Graph":
        """Enforces a degree bound, edge stably: one edge more or less changes at most three."""
        return self._make("pvg_graph_truncate_degree", self._pointer, bound, run=Run())

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
        """Number of nodes: public, if it was told."""
        return lib.pvg_graph_order(self._pointer)

    @property
    def order_told(self) -> bool:
        """Whether the number of nodes was told. If not, it was read off the edges and is as
        private as they are: read the graph again with order=, or no release takes it."""
        return bool(lib.pvg_graph_order_told(self._pointer))

    @property
    def size(self) -> int:
        """Number of edges: private."""
        return lib.pvg_graph_size(self._pointer)

    def __len__(self) -> int:
        return self.order

    def __repr__(self) -> str:
        # the order is public if it was told, the edges are not
        return f"<Graph of {self.order} nodes>" if self.order_told else "<Graph>"

    def degree(self, node: int) -> int:
        """Degree of a node."""
        found = lib.pvg_graph_degree(self._pointer, node)
        if found < 0:
            raise IndexError(f"there is no node {node}")
        return found

    def max_degree_exact(self) -> int:
        """Largest degree. Used as a degree bound it breaks every guarantee."""
        return lib.pvg_graph_max_degree_exact(self._pointer)

    def has_edge(self, u: int, v: int) -> bool:
        """Whether u and v are joined."""
        return bool(lib.pvg_graph_has_edge(self._pointer, u, v))

    def csr(self) -> Tuple[np.ndarray, np.ndarray]:
        """(offsets, columns), read-only views of the graph's own memory."""
        offsets, columns = ffi.new("int64_t **"), ffi.new("int32_t **")
        call("pvg_graph_view_csr", offsets, columns, self._pointer)
        return (lent(offsets[0], (self.order + 1,), np.int64, self),
                lent(columns[0], (2 * self.size,), np.int32, self))

    def neighbours(self, node: int) -> np.ndarray:
        """The neighbours of a node, ascending: a read-only view."""
        found, count = ffi.new("int32_t **"), ffi.new("int64_t *")
        call("pvg_graph_view_neighbours", found, count, self._pointer, node)
        return lent(found[0], (count[0],), np.int32, self)

    def edges(self) -> np.ndarray:
        """A 2 x size array of the edges, each once with source < target, ascending."""
        out = np.zeros((2, self.size), np.int64)
        call("pvg_graph_copy_edges", pointer(out[0]), pointer(out[1]), self._pointer)
        return out

    def to_scipy(self) -> Any:
        """Adjacency matrix as scipy.sparse.csr_matrix; the rows are views."""
        from scipy import sparse
        offsets, columns = self.csr()
        return sparse.csr_matrix((np.ones(len(columns), np.int8), columns, offsets),
                                 shape=(self.order, self.order))

    def to_networkx(self) -> Any:
        """The graph as networkx.Graph."""
        import networkx
        graph = networkx.Graph()
        graph.add_nodes_from(range(self.order))
        graph.add_edges_from(self.edges().T.tolist())
        return graph

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return all(np.array_equal(a, b) for a, b in zip(self.csr(), other.csr()))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return _graph_again, (*map(np.array, self.csr()), self.object, self.order_told)


def _graph_again(offsets: np.ndarray, columns: np.ndarray, number: Optional[int],
                 told: bool = True) -> Graph:
    graph = Graph.from_csr(offsets, columns)
    if not told:
        # As a list of edges that tells no order; a loop at the last node, which is dropped,
        # keeps nodes without edges.
        from .io import parse_graph
        last = graph.order - 1
        lines = [f"{u} {v}\n" for u, v in graph.edges().T.tolist()]
        lines += [f"{last} {last}\n"] if graph.order else []
        graph = parse_graph("".join(lines), format="edge-list", drop_loops=True,
                            order_limit=graph.order)
    graph.object = number
    return graph


class GraphSet(Immutable):
    """Many graphs, each with an optional class label and real targets, optional node labels.

    Behaves like a sequence of graphs. `objects` are their numbers in a ledger, or None.
    """

    __slots__ = ("objects",)
    _type = "pvg_graphset"
    objects: Optional[np.ndarray]

    @classmethod
    def _own(cls, out: Any) -> "GraphSet":
        self = super()._own(out)
        self.objects = None
        return self

    @classmethod
    def from_graphs(cls, graphs: Iterable[Any], labels: Optional[Sequence[int]] = None,
                    targets: Any = None, node_labels: Optional[Sequence[Any]] = None,
                    objects: Optional[Sequence[Union[int, str]]] = None) -> "GraphSet":
        """From anything `as_graph` takes. labels: a class per graph, -1 for none; targets: a
        row of real numbers per graph; node_labels: an array per graph; objects: names or
        numbers for a ledger."""
        members = [as_graph(graph) for graph in graphs]
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
        for i, graph in enumerate(members):
            marks = None
            if node_labels is not None:
                marks = taken(node_labels[i], np.int32, f"node_labels[{i}]", (graph.order,))
            call("pvg_graphset_builder_add", held, graph._pointer, int(classes[i]),
                 ffi.NULL if rows is None or rows.shape[1] == 0 else pointer(rows[i]),
                 ffi.NULL if marks is None else pointer(marks))
        made = cls._make("pvg_graphset_builder_finish", held)
        if objects is None and members and all(graph.object is not None for graph in members):
            objects = [graph.object for graph in members]  # type: ignore[misc]
        return made if objects is None else made.with_objects(objects)

    def with_objects(self, objects: Sequence[Union[int, str]]) -> "GraphSet":
        """The same set whose graphs have these names or numbers in a ledger."""
        numbers = taken(np.array([_object_number(name) for name in objects], np.uint64),
                        np.uint64, "objects", (len(self),))
        other = type(self).__new__(type(self))
        other._pointer = self._pointer  # shared: freed when both are gone
        other.objects = numbers
        return other

    @classmethod
    def sbm(cls, order: int, zeta: Any, per_class: int, q: float = 0.5,
            seed: Union[Rng, int] = 0) -> "GraphSet":
        """The stochastic block model classes of the homomorphism-density paper."""
        zeta = taken(zeta, np.float64, "zeta")
        return cls._make("pvg_graphset_draw_sbm", order, pointer(zeta), len(zeta), per_class, q,
                         public_source(seed)._pointer, run=Run())

    def __len__(self) -> int:
        return lib.pvg_graphset_count(self._pointer)

    def __getitem__(self, index: Any) -> Any:
        """A graph, or for a slice, a list or a mask a set with those graphs."""
        if isinstance(index, (int, np.integer)):
            number = int(index) + (len(self) if index < 0 else 0)
            if not 0 <= number < len(self):
                raise IndexError(f"there is no graph {index}")
            graph = Graph._make("pvg_graphset_get", self._pointer, number)
            if self.objects is not None:
                graph.object = int(self.objects[number])
            return graph
        chosen = np.arange(len(self))[index]
        marks = self.node_labels
        starts = self.csr()[0]
        return GraphSet.from_graphs(
            (self[int(i)] for i in chosen), self.labels[chosen],
            None if self.target_count == 0 else self.targets[chosen],
            None if marks is None else [marks[starts[i]:starts[i + 1]] for i in chosen],
            None if self.objects is None else self.objects[chosen].tolist())

    def __iter__(self) -> Iterator[Graph]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<GraphSet of {len(self)} graphs>"

    @property
    def order(self) -> int:
        """Nodes of all graphs."""
        return lib.pvg_graphset_order(self._pointer)

    @property
    def orders(self) -> np.ndarray:
        """Number of nodes of each graph: public."""
        return np.diff(self.csr()[0])

    @property
    def target_count(self) -> int:
        """Real targets per graph."""
        return lib.pvg_graphset_target_count(self._pointer)

    def csr(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(starts, offsets, columns) of the block-diagonal matrix: read-only views."""
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
    def labels(self) -> np.ndarray:
        """Class of each graph, -1 for none: a read-only view."""
        return lent(self._labels()[0], (len(self),), np.int32, self)

    @property
    def targets(self) -> np.ndarray:
        """Real targets, a row per graph: a read-only view."""
        return lent(self._labels()[1], (len(self), self.target_count), np.float64, self)

    @property
    def node_labels(self) -> Optional[np.ndarray]:
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
    """A matrix of node features, one row per node, stored by its non-zero entries."""

    __slots__ = ()
    _type = "pvg_features"

    @classmethod
    def from_dense(cls, matrix: Any) -> "Features":
        """From a dense matrix; float64 in C order is not copied on the way."""
        matrix = taken(matrix, np.float64, "matrix")
        if matrix.ndim != 2:
            raise ArgumentError(f"the matrix has {matrix.ndim} dimensions, not 2")
        return cls._make("pvg_features_from_dense", *matrix.shape, pointer(matrix))

    @classmethod
    def from_scipy(cls, matrix: Any) -> "Features":
        """From a scipy.sparse matrix."""
        rows = matrix.tocsr().copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
        offsets = taken(rows.indptr, np.int64, "indptr")
        indices = taken(rows.indices, np.int32, "indices")
        values = taken(rows.data, np.float64, "data")
        return cls._make("pvg_features_from_csr", *rows.shape, pointer(offsets), pointer(indices),
                         pointer(values))

    @property
    def shape(self) -> Tuple[int, int]:
        """(rows, columns)."""
        return (lib.pvg_features_rows(self._pointer), lib.pvg_features_columns(self._pointer))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<Features {self.shape[0]} x {self.shape[1]}>"

    def to_dense(self) -> np.ndarray:
        """The matrix as a new array."""
        out = np.zeros(self.shape)
        call("pvg_features_copy_dense", pointer(out), self._pointer, 0, self.shape[0])
        return out

    def csr(self) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(offsets, indices, values): read-only views."""
        offsets, indices = ffi.new("int64_t **"), ffi.new("int32_t **")
        values = ffi.new("double **")
        call("pvg_features_view_csr", offsets, indices, values, self._pointer)
        rows = lent(offsets[0], (self.shape[0] + 1,), np.int64, self)
        return (rows, lent(indices[0], (int(rows[-1]),), np.int32, self),
                lent(values[0], (int(rows[-1]),), np.float64, self))

    def to_scipy(self) -> Any:
        """The matrix as scipy.sparse.csr_matrix over views."""
        from scipy import sparse
        offsets, indices, values = self.csr()
        return sparse.csr_matrix((values, indices, offsets), shape=self.shape)


class Labels(Immutable):
    """Class of each node, -1 where unknown."""

    __slots__ = ()
    _type = "pvg_labels"

    @classmethod
    def from_array(cls, values: Any) -> "Labels":
        """From entries that are -1 or more."""
        values = taken(values, np.int32, "values")
        return cls._make("pvg_labels_from_array", pointer(values), len(values))

    def __len__(self) -> int:
        return lib.pvg_labels_count(self._pointer)

    def __repr__(self) -> str:
        return f"<Labels of {len(self)} nodes>"

    @property
    def classes(self) -> int:
        """Largest label + 1."""
        return lib.pvg_labels_classes(self._pointer)

    @property
    def values(self) -> np.ndarray:
        """The entries: a read-only view."""
        out = ffi.new("int32_t **")
        call("pvg_labels_view", out, self._pointer)
        return lent(out[0], (len(self),), np.int32, self)


# --- whatever a caller has ----------------------------------------------------------------

def _stored(data: Any, name: str) -> Any:
    """An attribute that was really given, not one that is guessed from others."""
    held = data.to_dict() if hasattr(data, "to_dict") else vars(data)
    return held.get(name)


def as_graph(data: Any) -> Graph:
    """A graph from what people have:

    a Graph; a networkx graph; a scipy.sparse adjacency matrix; a pair (edge_index, order);
    an object with edge_index and num_nodes or x, as PyG's Data.

    An edge_index alone is refused: the number of nodes is public, so it must not be read
    off the private edges. What the others say of their nodes is believed: a networkx graph or
    a matrix made from the edges alone must be given its nodes first.
    """
    if isinstance(data, Graph):
        return data
    if hasattr(data, "tocsr"):
        return Graph.from_adjacency(data)
    if hasattr(data, "is_directed") and hasattr(data, "adjacency"):
        return Graph.from_networkx(data)
    if hasattr(data, "edge_index"):
        order, rows = _stored(data, "num_nodes"), _stored(data, "x")
        if order is None and rows is None:
            raise ArgumentError("the object has neither num_nodes nor x: the number of nodes is"
                                " public and must not be read off the edges")
        return Graph.from_edges(np.asarray(data.edge_index), len(rows) if order is None else order)
    if isinstance(data, tuple) and len(data) == 2 and isinstance(data[1], (int, np.integer)):
        return Graph.from_edges(data[0], int(data[1]))
    if isinstance(data, np.ndarray):
        raise ArgumentError("an array alone is no graph: pass (edge_index, order), or"
                            " Graph.from_adjacency(matrix)")
    raise TypeError(f"a {type(data).__name__} is no graph; as_graph takes Graph, networkx,"
                    " scipy.sparse, (edge_index, order) and objects with edge_index")


def as_features(data: Any) -> Features:
    """Node features: Features, a scipy.sparse or a dense matrix, one row per node."""
    if isinstance(data, Features):
        return data
    return Features.from_scipy(data) if hasattr(data, "tocsr") else Features.from_dense(data)


def as_graphset(data: Any) -> GraphSet:
    """A set of graphs: a GraphSet, a sequence of what `as_graph` takes, a path of a TUDataset
    folder or of a graph6 or sparse6 file."""
    if isinstance(data, GraphSet):
        return data
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        from .io import read_graphset
        return read_graphset(data)
    if isinstance(data, Graph) or hasattr(data, "tocsr") or hasattr(data, "adjacency"):
        return GraphSet.from_graphs([data])
    return GraphSet.from_graphs(data)
