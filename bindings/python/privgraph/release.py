"""The only door out: numbers that may be published, with their guarantee."""
import functools
import os
import tempfile
from typing import Any, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import Array, Immutable, call, encoded, ffi, lent, lib, names_of, pointer, taken
from .errors import ArgumentError
from .graph import Features, Graph, GraphSet
from .guarantee import Promising
from .layer import Layers, layers_config
from .nodes import Names
from .page import release_page

__all__ = ["Release"]


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


@functools.lru_cache(maxsize=None)
def _held(bits: int) -> Tuple[str, ...]:
    return tuple(name for name, bit in sorted(names_of("HOLDS").items(), key=lambda one: one[1]) if bits & bit)


class Release(Promising, Immutable):
    """Numbers, a graph, lists or labels, and the guarantee under which they were made.
    `np.asarray(release)` works for numbers.

    Examples
    --------
    >>> import privgraph as pg
    >>> with pg.Session(pg.Graph.cycle(500), object="ring", epsilon=1) as session:
    ...     release = session.release("scalars", list="edges", epsilon=1)
    >>> low, high = release.interval(0.999999)
    >>> bool(low[0, 0] <= 500 <= high[0, 0]), release.publishable
    (True, True)
    """

    __slots__ = ("_names", "_set_names", "_noise", "_orders")
    _type = "pvg_release"
    _names: Optional[Tuple[Any, ...]]
    _set_names: Optional[List[Optional[Tuple[Any, ...]]]]
    _orders: Optional[Array]  # public numbers of nodes, of the rows of a set
    _noise: Any  # of each column, where it is public and the same for all rows; or who tells it

    @classmethod
    def _own(cls, out: Any) -> "Release":
        self = super()._own(out)
        self._names = self._set_names = self._noise = self._orders = None
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

    def interval(self, confidence: float = 0.95, *, orders: Optional[Sequence[int]] = None) -> Tuple[Array, Array]:
        """Error bars: arrays (low, high) that enclose each number as it was before noise with that probability, each
        by itself, computed from the law of its noise. Spends nothing, and works on what was loaded. Where nothing
        narrower is known it is the public range. orders: numbers of nodes of the graphs of a set that was loaded."""
        low, high = np.zeros(self.shape), np.zeros(self.shape)
        told = self._orders if orders is None else taken(orders, np.int64, "orders", (self.shape[0],))
        call("pvg_release_interval", pointer(low), pointer(high), self._pointer,
             ffi.NULL if told is None else pointer(told), confidence)
        return low, high

    @property
    def noise(self) -> Optional[Array]:
        """Standard deviation of the noise of each column, nan where it is private; None where it is not the same in
        all rows, and of a release that was loaded."""
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
        return _held(lib.pvg_release_holds(self._pointer))

    def select(self, part: int) -> "Release":
        """Part number `part` of the answer to a joined query: the same draw."""
        return Release._make("pvg_release_select", self._pointer, part)

    def layers(self, operation: Union[str, int] = "symmetric", depth: int = 1, **settings: Any) -> Layers:
        """Layers whose weights are its numbers, `depth` square matrices one below the other; settings: as of Layers. A
        query with them composes this draw with its own."""
        return Layers._make("pvg_layers_from_release", layers_config(operation, depth, settings), self._pointer)

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
        return _release_again, (file_of(self), self._names, self._set_names, self.noise, self._orders)

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
        return graph.to_pandas()

    def _repr_html_(self) -> str:
        """For notebooks: the numbers with their noise, and the guarantee in words."""
        return release_page(self)

    def __repr__(self) -> str:
        rows, columns = self.shape
        shape = f"{rows} x {columns}, " if rows else ""
        kind = "private" if self.publishable else "NOT PRIVATE"
        return f"<Release {shape}{kind}, {self.claim}>"


def _release_again(data: bytes, names: Any, set_names: Any, noise: Any, orders: Any = None) -> Release:
    made: Release = from_file(Release, data)
    made._names, made._set_names, made._noise, made._orders = names, set_names, noise, orders
    return made
