"""What is promised about something released: known before the draw, the same after it."""
from typing import Any, Dict, Iterable, List, NamedTuple, Tuple, Union

import numpy as np

from ._native import (Handle, Immutable, call, constant, encoded, ffi, json_of, lib, name_of, number,
                      pointer, struct, taken, text)
from .graph import _object_number
from .mechanism import Curve

__all__ = ["Guarantee", "Promising", "Column", "notion_pays"]


def notion_pays(budget: Union[str, int], notion: Union[str, int]) -> bool:
    """Whether a budget of one notion may pay for something of another."""
    return bool(lib.pvg_notion_pays(constant("NOTION", budget, "budget"),
                                    constant("NOTION", notion, "notion")))


class Column(NamedTuple):
    """What a column of released numbers is. NaN: not told, because there is none or it is private.

    Attributes
    ----------
    name, unit : str
        As in files and previews.
    low, high : float
        Range of the value before noise.
    grid : float
        Values and noise are multiples of it.
    scale : float
        Of the noise, as its law has it; 0 for none.

    Examples
    --------
    >>> import privgraph as pg
    >>> column = pg.Query("scalars", list="edges", epsilon=1).guarantee(100).column(0)
    >>> column.name, column.grid, round(column.scale, 3)
    ('edges', 1.0, 1.0)
    """

    name: str
    unit: str
    low: float
    high: float
    grid: float
    scale: float


class Guarantee(Immutable):
    """Notion, curve and assumptions. Lent by releases
    (`.guarantee`); `Guarantee.state` makes one for something that is drawn by other means.

    Examples
    --------
    >>> import privgraph as pg
    >>> told = pg.Query("stars", epsilon=1).guarantee()
    >>> told.notion, round(told.epsilon(), 3), told.holds
    ('edge', 1.0, True)
    """

    __slots__ = ()
    _type = "pvg_guarantee"

    @classmethod
    def state(cls, curve: Curve, *, notion: Union[str, int] = "edge", words: str = "") -> "Guarantee":
        """The caller's own statement, to charge a ledger with."""
        return cls._make("pvg_guarantee_state", constant("NOTION", notion, "notion"),
                         curve._pointer, encoded(words) if words else ffi.NULL)

    @classmethod
    def parse(cls, record: str) -> "Guarantee":
        """From the JSON text of a record."""
        data = record.encode()
        return cls._make("pvg_guarantee_parse", data, len(data))

    @property
    def notion(self) -> str:
        """What is hidden: "edge", "edge-ldp", "label-ldp", ..."""
        return name_of("NOTION", lib.pvg_guarantee_notion(self._pointer))

    @property
    def holds(self) -> bool:
        """Whether it is worth something."""
        return bool(lib.pvg_guarantee_holds(self._pointer))

    @property
    def delta(self) -> float:
        """The delta that was asked for."""
        return float(lib.pvg_guarantee_delta(self._pointer))

    def epsilon(self, delta: float = 0.0) -> float:
        """epsilon at any delta; infinite where nothing holds."""
        return number("double", "pvg_guarantee_epsilon", self._pointer, delta)

    def curve(self) -> Curve:
        """What is spent, to compose with others."""
        return Curve._make("pvg_guarantee_curve", self._pointer)

    def group(self, size: int) -> Curve:
        """What holds for `size` changes at once: of a guarantee about one edge, what any so many edges, or whether a
        person with so many takes part, still get. A replaced person of at most d edges is 2 d of them."""
        return Curve._make("pvg_guarantee_group", self._pointer, size)

    @staticmethod
    def compose(guarantees: Iterable["Guarantee"]) -> Curve:
        """What several releases about the same object spend together. A draw that stands there more
        than once counts once."""
        held = list(guarantees)
        every = ffi.new("const pvg_guarantee *[]", [one._pointer for one in held])
        return Curve._make("pvg_guarantee_compose", every, len(held))

    @property
    def seeded(self) -> bool:
        """Whether the noise came from a seeded generator; False before the draw."""
        return bool(lib.pvg_guarantee_seeded(self._pointer))

    @property
    def rows(self) -> int:
        """Rows of the numbers that were drawn; 0 before the draw and for all else."""
        return int(lib.pvg_guarantee_rows(self._pointer))

    @property
    def id(self) -> int:
        """The random 128-bit number by which a draw is known again; copies of a record keep it."""
        halves = ffi.new("uint64_t[2]")
        call("pvg_guarantee_copy_id", halves, halves + 1, self._pointer)
        return int(halves[0]) << 64 | int(halves[1])

    def verify(self, values: Any) -> bool:
        """Whether these are the values that were drawn under it, bit by bit: an array of numbers, a
        Graph, GraphSet, Features, Labels, or (offsets, targets) of lists."""
        kind = getattr(values, "_type", "")
        field = {"pvg_graph": "graph", "pvg_graphset": "set", "pvg_features": "features",
                 "pvg_labels": "labels"}.get(kind)
        if field is not None:
            said = struct("pvg_released", **{field: values._pointer})
        elif isinstance(values, tuple):
            held = (taken(values[0], np.int64, "offsets"), taken(values[1], np.int32, "targets"))
            said = struct("pvg_released", users=len(held[0]) - 1, offsets=pointer(held[0]),
                          targets=pointer(held[1]))
        else:
            numbers = np.atleast_2d(taken(values, np.float64, "values"))
            said = struct("pvg_released", rows=numbers.shape[0], columns=numbers.shape[1],
                          values=pointer(numbers))
        return bool(number("int32_t", "pvg_release_verify", self._pointer, said))

    @property
    def columns(self) -> List[str]:
        """Names of the columns, each its own; none if it is not about numbers."""
        return [text("pvg_guarantee_copy_column_name", self._pointer, i)
                for i in range(lib.pvg_guarantee_columns(self._pointer))]

    def column(self, index: int, order: int = 0) -> Column:
        """What a column is, for objects of `order` nodes (0: where that is the same for all)."""
        out = struct("pvg_column")
        call("pvg_guarantee_copy_column", out, self._pointer, index, order)
        return Column(text("pvg_guarantee_copy_column_name", self._pointer, index),
                      text("pvg_guarantee_copy_column_unit", self._pointer, index),
                      out.low, out.high, out.grid, out.scale)

    def interval(self, row: Any, confidence: float = 0.95, *, order: int = 0) -> Tuple[Any, Any]:
        """Error bars (low, high) of one row of numbers that was released under it; see Release.interval."""
        held = taken(row, np.float64, "row")
        low, high = np.zeros(len(held)), np.zeros(len(held))
        call("pvg_guarantee_interval", pointer(low), pointer(high), self._pointer, pointer(held), len(held), order,
             confidence)
        return low, high

    @property
    def query(self) -> str:
        """The query that it answers, as text; "" if it answers none."""
        return text("pvg_guarantee_copy_query", self._pointer)

    def about(self, notion: Union[str, int], object: Union[None, str, int] = None) -> "Guarantee":
        """What all draws behind it promise together about a notion, each once, and about one object (None:
        whichever it is). Draws that read nothing the notion hides are free, and those about other objects."""
        known = _object_number(object)
        return Guarantee._make("pvg_guarantee_about", self._pointer, constant("NOTION", notion, "notion"),
                               ffi.NULL if known is None else ffi.new("uint64_t *", known))

    @property
    def claim(self) -> str:
        """Id of the claim in docs/guarantees.md."""
        return str(ffi.string(lib.pvg_guarantee_claim(self._pointer)).decode())

    @property
    def record(self) -> Dict[str, Any]:
        """Notion, epsilon, delta, noise law, assumptions, ..."""
        return json_of("pvg_guarantee_copy_json", self._pointer)

    @property
    def json(self) -> str:
        """The record as text, for `parse`."""
        return text("pvg_guarantee_copy_json", self._pointer)

    @property
    def text(self) -> str:
        """In plain words."""
        return text("pvg_guarantee_copy_text", self._pointer)

    def __repr__(self) -> str:
        return f"<Guarantee {self.notion}{'' if self.holds else ', NOT PRIVATE'}, {self.claim}>"


class Promising(Handle):
    """What has a guarantee, and shows it as its own: a Release is one.

    Examples
    --------
    >>> import privgraph as pg
    >>> graph = pg.Graph.erdos_renyi(50, 0.2, seed=1)
    >>> with pg.Session(graph, object="friends", epsilon=1) as session:
    ...     release = session.release("stars", epsilon=1)
    >>> isinstance(release, pg.Promising), release.notion, round(release.epsilon(), 6)
    (True, 'edge', 1.0)
    """

    __slots__ = ()

    @property
    def guarantee(self) -> Guarantee:
        """What is promised."""
        return Guarantee._lend(getattr(lib, self._type + "_guarantee")(self._pointer), self)

    @property
    def notion(self) -> str:
        """What is hidden: "edge", "edge-ldp", "feature-ldp", ..."""
        return self.guarantee.notion

    def epsilon(self, delta: float = 0.0) -> float:
        """epsilon of the guarantee at any delta; infinite where nothing holds."""
        return self.guarantee.epsilon(delta)

    def curve(self) -> Curve:
        """The guarantee as a curve, to compose with others."""
        return self.guarantee.curve()

    @property
    def claim(self) -> str:
        """Id of the claim in docs/guarantees.md."""
        return self.guarantee.claim

    @property
    def record(self) -> Dict[str, Any]:
        """The guarantee record: notion, epsilon, delta, noise law, assumptions, ..."""
        return self.guarantee.record
