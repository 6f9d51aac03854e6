"""The only door out: numbers that may be published, with their guarantee."""
import os
import tempfile
from typing import Any, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Progress, Run, call, constant, encoded, ffi, lent, lib, names_of,
                      number, optional_numbers, pointer, struct, taken)
from .errors import ArgumentError
from .graph import Features, Graph, GraphSet, as_graph, as_graphset
from .guarantee import Promising
from .ledger import Ledger, Object
from .mechanism import Target
from .memory import Releasing
from .nodes import Names
from .page import release_page
from .pattern import Patterns, as_patterns
from .rng import Rng, noise_source
from .visible import warn_if_hidden

__all__ = ["Release", "Embedder", "Preview", "release_patterns", "scaling_names", "joint_names"]


def file_of(one: Any) -> bytes:
    """The file that `save` of a release or a model writes."""
    with tempfile.TemporaryDirectory(prefix="privgraph-") as folder:
        path = os.path.join(folder, "saved")
        one.save(path)
        with open(path, "rb") as file:
            return file.read()


def from_file(kind: Any, data: bytes) -> Any:
    """What `load` of a release or a model reads from such a file."""
    with tempfile.TemporaryDirectory(prefix="privgraph-") as folder:
        path = os.path.join(folder, "saved")
        with open(path, "wb") as file:
            file.write(data)
        return kind.load(path)


def joint_names() -> List[str]:
    """The words for whether columns of an embedding share noise."""
    found: List[str] = []
    while lib.pvg_joint_name(len(found)) != ffi.NULL:
        found.append(ffi.string(lib.pvg_joint_name(len(found))).decode())
    return found


def scaling_names() -> List[str]:
    """The words for units of embeddings."""
    found: List[str] = []
    while lib.pvg_scaling_name(len(found)) != ffi.NULL:
        found.append(ffi.string(lib.pvg_scaling_name(len(found))).decode())
    return found


class Release(Promising, Immutable):
    """Numbers, a graph, lists or labels, and the guarantee under which they were made.
    `np.asarray(release)` works for numbers."""

    __slots__ = ("_names", "_set_names", "_noise")
    _type = "pvg_release"
    _names: Optional[Tuple[Any, ...]]
    _set_names: Optional[List[Optional[Tuple[Any, ...]]]]
    _noise: Any  # of each column, where it is public and the same for all rows; or who tells it

    @classmethod
    def _own(cls, out: Any) -> "Release":
        self = super()._own(out)
        self._names = self._set_names = self._noise = None
        return self

    def _of(self, graph: Graph) -> "Release":
        """Keeps the public names of the nodes of the graph it was made from."""
        self._names = graph._names
        return self

    @property
    def nodes(self) -> Optional[Names]:
        """Names of the nodes, where the release has a row, a list or a label for each of them;
        None if they have no names but their numbers."""
        return self._names

    @property
    def shape(self) -> Any:
        """(rows, columns)."""
        return (lib.pvg_release_rows(self._pointer), lib.pvg_release_columns(self._pointer))

    def __len__(self) -> int:
        return int(self.shape[0])

    @property
    def values(self) -> Array:
        """The numbers: a read-only view that keeps the release alive."""
        out = ffi.new("double **")
        call("pvg_release_view", out, self._pointer)
        return lent(out[0], self.shape, np.float64, self)

    @property
    def noise(self) -> Optional[Array]:
        """Standard deviation of the noise of each column; None where it is not public or not the same in all
        rows, and of a release that was loaded."""
        if callable(self._noise):
            self._noise = self._noise()
        known: Optional[Array] = self._noise
        return known

    @property
    def columns(self) -> List[str]:
        """Names of the columns; none where nobody has told them, or if it holds something else."""
        names = self.guarantee.columns
        return names if len(names) == self.shape[1] else []

    @property
    def query(self) -> str:
        """The query that it answers, as text; "" if it answers none."""
        return self.guarantee.query

    @property
    def holds(self) -> Tuple[str, ...]:
        """What is in it: "numbers", "graph", "graphs", "lists", "labels", "features"."""
        bits = lib.pvg_release_holds(self._pointer)
        return tuple(name for name, bit in sorted(names_of("HOLDS").items(), key=lambda one: one[1]) if bits & bit)

    def select(self, part: int) -> "Release":
        """Part number `part` of the answer to a joined query: the same draw."""
        return Release._make("pvg_release_select", self._pointer, part)

    @classmethod
    def derive(cls, values: Any, sources: Union["Release", Sequence["Release"]], words: str) -> "Release":
        """Numbers that you made from releases and public numbers alone: nothing is paid. The guarantee is that of all
        draws behind the sources together, each once. words: how they were made, in one line."""
        held = np.atleast_2d(taken(values, np.float64, "values"))
        if held.ndim != 2:
            raise ArgumentError(f"values has shape {held.shape}, not (rows, columns)")
        several = [sources] if isinstance(sources, Release) else list(sources)
        listed = ffi.new("const pvg_release *[]", [one._pointer for one in several])
        return cls._make("pvg_release_derive", pointer(held), *held.shape, listed, len(several), encoded(words))

    # --- releases that look like their input ---

    @property
    def graph(self) -> Graph:
        """The released graph, with the names of its nodes. It may be published, and used as any
        graph."""
        out = ffi.new("const pvg_graph **")
        call("pvg_release_view_graph", out, self._pointer)
        return Graph._lend(out[0], self)._named(self._names)

    @property
    def graphs(self) -> GraphSet:
        """The released graphs of a set, in its order."""
        out = ffi.new("const pvg_graphset **")
        call("pvg_release_view_graphs", out, self._pointer)
        made = GraphSet._lend(out[0], self)
        made._names = self._set_names
        return made

    @property
    def lists(self) -> Tuple[Array, Array]:
        """(offsets, targets) of the released neighbour lists: read-only views."""
        offsets, targets = ffi.new("const int64_t **"), ffi.new("const int32_t **")
        count = ffi.new("int64_t *")
        call("pvg_release_view_lists", offsets, targets, count, self._pointer)
        rows = lent(offsets[0], (count[0] + 1,), np.int64, self)
        return rows, lent(targets[0], (int(rows[-1]),), np.int32, self)

    @property
    def labels(self) -> Array:
        """The released labels: a read-only view."""
        out, count = ffi.new("const int32_t **"), ffi.new("int64_t *")
        call("pvg_release_view_labels", out, count, self._pointer)
        return lent(out[0], (count[0],), np.int32, self)

    @property
    def features(self) -> Features:
        """The released sparse features: differences to the middle of each column's range."""
        out = ffi.new("const pvg_features **")
        call("pvg_release_view_features", out, self._pointer)
        return Features._lend(out[0], self)

    @property
    def model(self) -> Any:
        """The Model of a private training."""
        from .network import Model  # it knows this class
        out = ffi.new("const pvg_model **")
        call("pvg_release_view_model", out, self._pointer)
        return Model._lend(out[0], self)

    # --- the guarantee ---

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        values = self.values
        return np.array(values, dtype) if copy or dtype is not None else values

    @property
    def publishable(self) -> bool:
        """Whether the guarantee is worth something: it may be published under it."""
        return self.guarantee.holds

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes values and record as one file."""
        call("pvg_release_save", encoded(path), self._pointer)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Release":
        """Reads such a file; its record is taken at its word (`loaded`)."""
        return cls._make("pvg_release_load", encoded(path))

    def verify(self, values: Any) -> bool:
        """Whether these are the values that were released, bit by bit; see Guarantee.verify."""
        return self.guarantee.verify(values)

    def __reduce__(self) -> Any:
        # What comes back says that it was loaded.
        return _release_again, (file_of(self), self._names, self._set_names, self.noise)

    @property
    def loaded(self) -> bool:
        """Whether it was loaded, not drawn here."""
        return bool(lib.pvg_release_loaded(self._pointer))

    @property
    def text(self) -> str:
        """The guarantee in plain words."""
        return self.guarantee.text

    def _labels(self) -> Tuple[Any, Any]:
        """(rows, columns) of a table, where they have names."""
        index = self._names if self._names is not None and len(self._names) == self.shape[0] else None
        return index, self.columns or None

    def to_pandas(self) -> Any:
        """The numbers as a pandas table: columns are patterns, rows are nodes by their names where
        there are such. The guarantee is in `attrs`. A graph becomes a table of its edges, from and
        to, labels become a column."""
        import pandas
        if lib.pvg_release_rows(self._pointer) and lib.pvg_release_columns(self._pointer):
            index, names = self._labels()
            table = pandas.DataFrame(np.array(self.values), index=index, columns=names)
        else:
            table = self._other_table(pandas)
        table.attrs["guarantee"] = self.record
        return table

    def _other_table(self, pandas: Any) -> Any:
        try:
            graph = self.graph
        except ArgumentError:
            return pandas.DataFrame({"label": np.array(self.labels)}, index=self._names)
        ends = graph.edges()
        names = np.asarray(graph.nodes, dtype=None if self._names is None else object)
        return pandas.DataFrame({"from": names[ends[0]], "to": names[ends[1]]})

    def _repr_html_(self) -> str:
        """For notebooks: the numbers with their noise, and the guarantee in words."""
        return release_page(self)

    def __repr__(self) -> str:
        rows, columns = self.shape
        shape = f"{rows} x {columns}, " if rows else ""
        kind = "private" if self.publishable else "NOT PRIVATE"
        return f"<Release {shape}{kind}, {self.claim}>"


def _release_again(data: bytes, names: Any, set_names: Any, noise: Any) -> Release:
    made: Release = from_file(Release, data)
    made._names, made._set_names, made._noise = names, set_names, noise
    return made


def drawn(plan: Any, name: str, held: Any, objects: Any, rng: Optional[Rng], ledger: Optional[Ledger], run: Run,
          *more: Any, what: str = "the object that the graph is") -> Release:
    """What `name`(out, plan, held, more..., objects, rng, ledger, run) draws, through the door, of a graph, a set,
    features or labels."""
    source, several = noise_source(rng), isinstance(held, GraphSet)
    with Releasing(ledger, held, objects, what) as door:
        warn_if_hidden(plan, held.orders if several else held.order if isinstance(held, Graph) else len(held))
        made = Release._make(name, plan._pointer, held._pointer, *more, door.several if several else door.number,
                             source._pointer, door.book, run=run)
        door.drew(made)
    if several:
        made._set_names = held._names
    return made


class Preview(NamedTuple):
    """Per pattern: edge sensitivity, largest value, noise scale (None for smooth noise). note:
    what the values will be values of."""

    sensitivity: Array
    range: Array
    scale: Optional[Array]
    note: str = ""


def truncation_note(degrees: int, degree_bound: int) -> str:
    """Whose values a release has. How many edges fall is private."""
    if degrees != lib.PVG_DEGREES_TRUNCATED:
        return ""
    return f"values are those of the graph truncated to degree {degree_bound}"


class Embedder(Immutable):
    """Everything about a private embedding that is public: patterns, degree bound, budget.

    patterns: anything `as_patterns` takes. degrees and degree_bound: see Premise; by default
    a bound is enforced ("truncated": values are those
    of the graph cut to it) if one is given, else there is none ("any"). scaling:
    "range" (in [0, 1]), "density" (as published), "per-node". append_order: one more column,
    the number of nodes, without noise. saturate: clamp to the public range. weights: how
    much the squared error of each pattern matters. joint: whether columns share part of
    their noise, since an edge moves all of them one way: "auto" (where it lessens the
    noise), "never", "one-way", "ellipsoid" (trees of diameter 4 or less; others of the
    list beside them). Making an ellipsoid may take seconds: progress, and scratch_limit,
    below whose need "auto" does without.
    """

    __slots__ = ("patterns", "target", "_note")
    _type = "pvg_embedder"
    patterns: Patterns
    target: Target
    _note: str

    def __init__(self, patterns: Any, target: Target, *, degree_bound: int = 0,
                 degrees: Optional[Union[str, int]] = None, scaling: Union[str, int] = "range",
                 append_order: bool = False, saturate: bool = False,
                 weights: Optional[Sequence[float]] = None,
                 joint: Union[str, int] = "auto", progress: Optional[Progress] = None,
                 scratch_limit: int = 0) -> None:
        self.patterns, self.target = as_patterns(patterns), target
        if degrees is None:
            degrees = "truncated" if degree_bound else "any"
        config = struct("pvg_embedder_config", degree_bound=degree_bound,
                        degrees=constant("DEGREES", degrees, "degrees"),
                        scaling=constant("SCALING", scaling, "scaling"),
                        append_order=int(append_order), saturate=int(saturate),
                        joint=constant("JOINT", joint, "joint"))
        self._note = truncation_note(config.degrees, degree_bound)
        given, where = optional_numbers(weights, len(self.patterns), "weights")
        self._take("pvg_embedder_new", self.patterns._pointer, config, target._struct(), where,
                   run=Run(0, progress, scratch_limit))

    @property
    def columns(self) -> int:
        """Columns of a release."""
        return int(lib.pvg_embedder_columns(self._pointer))

    def preview(self, order: int) -> Preview:
        """What a graph of that order will get, before any budget is spent."""
        arrays = [np.zeros(len(self.patterns)) for _ in range(3)]
        smooth = str(self.target.noise).replace("_", "-").startswith("smooth") or \
            self.target.noise in (lib.PVG_NOISE_SMOOTH, lib.PVG_NOISE_SMOOTH_PUBLISHED)
        call("pvg_embedder_preview", pointer(arrays[0]), pointer(arrays[1]),
             ffi.NULL if smooth else pointer(arrays[2]), self._pointer, order)
        return Preview(arrays[0], arrays[1], None if smooth else arrays[2], self._note)

    def covariance(self, order: int) -> Array:
        """Of the noise that a graph of that order will get, one row and column per pattern."""
        out = np.zeros((len(self.patterns), len(self.patterns)))
        call("pvg_embedder_covariance", pointer(out), self._pointer, order)
        return out

    def compare_exact(self, values: Any, first: Any, second: Any, order: int) -> Array:
        """NOT FOR PUBLICATION, for audits on public graphs: of each released row, the logarithm of how
        much likelier it is with the exact densities `second` than with `first`, under the joint law of the
        noise for graphs of that order."""
        rows = np.atleast_2d(taken(values, np.float64, "values"))
        if rows.shape[1] != self.columns:
            raise ArgumentError(f"values has {rows.shape[1]} columns, not {self.columns}")
        worlds = [taken(world, np.float64, name, (len(self.patterns),))
                  for name, world in (("first", first), ("second", second))]
        out = np.zeros(len(rows))
        call("pvg_embedder_compare_exact", pointer(out), pointer(rows), len(rows),
             pointer(worlds[0]), pointer(worlds[1]), self._pointer, order)
        return out

    def release(self, graphs: Any, *, objects: Optional[Union[Object, Sequence[Object]]] = None,
                rng: Optional[Rng] = None, ledger: Optional[Ledger] = None, threads: int = 0,
                progress: Optional[Progress] = None, scratch_limit: int = 0) -> Release:
        """Draws a private embedding: one row per graph, each with the whole guarantee.

        Releasing the same graph again spends again. With a ledger that is counted: `objects`
        are the names or numbers of the graphs there, by default those they carry. A charge
        stays even if the release is cancelled. rng: a secure generator unless given.
        """
        held: Union[Graph, GraphSet] = graphs if isinstance(graphs, Graph) else as_graphset(graphs)
        made = drawn(self, "pvg_release_draw_embedding" + ("" if isinstance(held, Graph) else "s"), held, objects, rng,
                     ledger, Run(threads, progress, scratch_limit))
        return self._described(made, [held.order] if isinstance(held, Graph) else set(held.orders.tolist()))

    def _described(self, made: Release, orders: Iterable[int]) -> Release:
        """With the noise of the columns, if all graphs have the same order."""
        only = list(orders)
        if len(only) == 1 and only[0] > 0:
            scale = self.preview(only[0]).scale
            made._noise = None if scale is None else \
                np.concatenate([scale, np.zeros(self.columns - len(scale))])
        return made


def release_patterns(graph: Any, patterns: str, epsilon: float, *, max_degree: int = 0,
                     object: Optional[Object] = None, ledger: Optional[Ledger] = None,
                     threads: int = 0, progress: Optional[Progress] = None) -> Release:
    """The common case in one call: patterns by name ("edge,triangle,cycle6"), a budget, one graph, with
    all defaults (delta 1e-6, numbers in [0, 1] plus noise) and a secure generator. max_degree: a public
    number from elsewhere to which degrees are truncated, for far less noise; 0: none."""
    plan = Embedder(patterns, Target(epsilon=epsilon, delta=1e-6), degree_bound=max_degree)
    return plan.release(as_graph(graph), objects=object, ledger=ledger, threads=threads, progress=progress)
