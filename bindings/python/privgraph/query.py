"""Queries: what is asked of private data, as a kind, its options, public arrays and a budget."""
import contextlib
import functools
import numbers
import os
import re
import threading
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np

from ._native import (Array, Handle, Immutable, Progress, Run, call, constant, encoded, ffi, json_of, lib, names_of,
                      pointer, struct, taken, text)
from .errors import ArgumentError, PrivacyError
from .graph import Graph, GraphSet, as_features, as_graph, as_graphset, as_labels
from .guarantee import Guarantee
from .layer import Layers
from .ledger import HasLedger, Ledger, Object, Payer, ledger_of, paying
from .lists import Lists
from .mechanism import Target, as_target
from .memory import Releasing
from .pattern import Patterns, as_patterns
from .release import Release
from .rng import Rng
from .visible import warn_if_hidden, warn_if_slow

__all__ = ["Query", "Composition", "QueryKind", "QueryOption", "kinds"]

Objects = Union[None, Object, Sequence[Object]]


# --- the table of kinds ---------------------------------------------------------------

class QueryOption(NamedTuple):
    """An option of a kind of query.

    Attributes
    ----------
    name, type, help : str
        As in the tool, with dashes; in Python, underscores.
    choices : tuple of str
        The words that it takes.
    values : str
        What a number may be.
    word, default : str or None
        The word for its default, and the default.

    Examples
    --------
    >>> import privgraph as pg
    >>> option = pg.kinds()["stars"].options[0]
    >>> option.name, option.type, option.default
    ('leaves', 'whole', '2')
    """

    name: str
    type: str
    help: str
    choices: Tuple[str, ...]
    values: str
    word: Optional[str]
    default: Optional[str]


class QueryKind(NamedTuple):
    """A kind of query, as `kinds()` lists it.

    Attributes
    ----------
    kind, says, claim : str
        Its word, what it gives, and its row in docs/guarantees.md.
    reads, takes, gives : tuple of str
        Private data, public arrays and handles, and what a release of it holds.
    can : tuple of str
        What else is offered for it: "preview", "interval", ...
    notions, noise : tuple of str
        What it can hide, and by which noise.
    options, common : tuple of QueryOption
        Its own options, and those of every kind.

    Examples
    --------
    >>> import privgraph as pg
    >>> kind = pg.kinds()["triangles"]
    >>> kind.reads, kind.gives, "epsilon" in [option.name for option in kind.common]
    (('graph',), ('numbers',), True)
    """

    kind: str
    says: str
    claim: str
    reads: Tuple[str, ...]
    takes: Tuple[str, ...]
    gives: Tuple[str, ...]
    can: Tuple[str, ...]
    notions: Tuple[str, ...]
    noise: Tuple[str, ...]
    options: Tuple[QueryOption, ...]
    common: Tuple[QueryOption, ...]


def options_of(rows: List[Dict[str, Any]]) -> Tuple[QueryOption, ...]:
    return tuple(QueryOption(row["name"], row["type"], row["help"], tuple(row.get("choices", ())),
                             row.get("values", ""), row.get("word"), row.get("default")) for row in rows)


@functools.lru_cache(maxsize=None)
def _table() -> Dict[str, QueryKind]:
    told = json_of("pvg_query_copy_kinds")
    common = options_of(told["common"]["options"])
    for row in told["kinds"]:
        row.update(options=options_of(row["options"]), common=common)
    return {row["kind"]: QueryKind(**{name: tuple(value) if isinstance(value, list) else value
                                      for name, value in row.items()}) for row in told["kinds"]}


def kinds() -> Dict[str, QueryKind]:
    """All kinds of queries with their options, by name, as the library lists them."""
    return dict(_table())


# --- values as text -------------------------------------------------------------------

_WORD = re.compile(r"[!-~]*")  # printable ASCII without a blank


def _word(name: str, value: str) -> str:
    """A word that is one value and nothing else: it cannot begin another option or part."""
    word = str.__str__(value)
    if not _WORD.fullmatch(word) or "+" in word or "=" in word:
        raise ArgumentError(f"{name} is {word!r}, not a word without blanks, '+' and '='")
    return word


def _number(name: str, value: Any) -> str:
    """A number as the library reads it, without loss."""
    if isinstance(value, numbers.Integral):
        return int.__repr__(int(value))
    if isinstance(value, numbers.Real):
        return float.__repr__(float(value)).replace("e+", "e")
    raise ArgumentError(f"{name} is a {type(value).__name__}, not a number, a word or a list of words")


def _is_single(value: Any) -> bool:
    """Whether it is one value; else it is an array."""
    return isinstance(value, (str, bytes, numbers.Number, np.generic)) or \
        isinstance(value, np.ndarray) and value.ndim == 0


def text_of(name: str, value: Any, option: Optional[QueryOption]) -> str:
    """The value of an option in a text."""
    if isinstance(value, (np.generic, np.ndarray)) and value.ndim == 0:
        if value.dtype.kind not in "biufU" or isinstance(value, np.ma.MaskedArray):
            raise ArgumentError(f"{name} is {value!r}, not a number, a word or a list of words")
        value = value.item()
    if isinstance(value, bool):
        if option is not None and option.type != "flag":
            raise ArgumentError(f"{name} is {value}, not {option.values or 'one of ' + ', '.join(option.choices)}")
        return "yes" if value else "no"
    if isinstance(value, str):
        return _word(name, value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(one, str) for one in value):
        if any("," in one or not one for one in value):
            raise ArgumentError(f"{name} is {list(value)!r}, not a list of words")
        return ",".join(_word(name, one) for one in value)
    return _number(name, value)


# --- arrays ---------------------------------------------------------------------------

# By the name that they have in the canonical text of a query, and the field of pvg_arguments. The short name of an
# array may be that of an option too, the number of groups: one value is the option, several are the array.
_ARRAYS = {"kinds_of": "kinds", "groups_of": "groups", "patterns_of": "patterns", "layers_of": "layers",
           "things_of": "things"}
_NODES = {"kinds": np.int32, "groups": np.int32, "priorities": np.float64}
_FIELDS = {*_NODES, "similarities", "weights", "low", "high", "patterns", "layers", "things"}


def _split(options: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """(options, arrays): one value is an option, several are an array."""
    single: Dict[str, Any] = {}
    arrays: Dict[str, Any] = {}
    for name, value in options.items():
        if value is None:
            continue
        field = _ARRAYS.get(name, name)
        words = isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(one, str) for one in value)
        if words and field in _NODES:
            raise ArgumentError(f"{name} are names; they must be numbers, by a public list of names: "
                                "pandas.Categorical(names, categories=public).codes")
        if field not in _FIELDS or isinstance(value, str) or (name == field and (_is_single(value) or words)):
            single[name] = value
        elif field in arrays:
            raise ArgumentError(f"{field} is given twice")
        else:
            arrays[field] = value
    if ("low" in arrays) != ("high" in arrays):  # one for all columns, one for each
        other = "low" if "high" in arrays else "high"
        if other in single:
            arrays[other] = single.pop(other)
    return single, arrays


def _ranges(held: Dict[str, Any]) -> None:
    ends = {name: np.atleast_1d(taken(held[name], np.float64, name)) for name in ("low", "high") if name in held}
    count = max(len(end) for end in ends.values())
    for name, end in ends.items():
        if end.ndim != 1 or len(end) not in (1, count):
            raise ArgumentError(f"{name} has shape {end.shape}, not ({count},)")
        held[name] = np.ascontiguousarray(np.broadcast_to(end, (count,)))
    held["ranges"] = count


def _arguments(arrays: Dict[str, Any], sources: Union[Release, Iterable[Release]]) -> Tuple[Any, Any]:
    """(pvg_arguments, what must live as long as it). Lengths agree: the library reads as much as they say."""
    held: Dict[str, Any] = dict(arrays)
    order: Optional[int] = None
    for name, dtype in _NODES.items():
        if name in held:
            held[name] = taken(held[name], dtype, name)
            order = len(held[name].reshape(-1)) if order is None else order
            held[name] = taken(held[name], dtype, name, (order,))
    if "similarities" in held:
        matrix = taken(held["similarities"], np.float64, "similarities")
        order = len(matrix) if order is None else order
        held["similarities"] = taken(matrix, np.float64, "similarities", (order, order))
    if "weights" in held:
        matrix = np.atleast_2d(taken(held["weights"], np.float64, "weights"))
        if matrix.ndim != 2:
            raise ArgumentError(f"weights has shape {matrix.shape}, not (rows, columns)")
        held.update(weights=matrix, weight_rows=matrix.shape[0], weight_columns=matrix.shape[1])
        if order is None and len(matrix) > 1:  # one row for each node
            order = len(matrix)
    if "things" in held:
        held["things"] = taken(held["things"], np.int32, "things")
        held["thing_count"] = held["things"].size
    if "low" in held or "high" in held:
        _ranges(held)
    if "patterns" in held:
        held["patterns"] = as_patterns(held["patterns"])
    if "layers" in held and not isinstance(held["layers"], Layers):
        raise ArgumentError(f"layers is a {type(held['layers']).__name__}, not Layers or their number")
    fields = {name: value._pointer if isinstance(value, (Patterns, Layers)) else
              pointer(value) if isinstance(value, np.ndarray) else value for name, value in held.items()}
    several = releases_of(sources)
    row = listed(several)
    return struct("pvg_arguments", order=order, sources=row, source_count=len(several), **fields), \
        (held, fields, several, row)


def releases_of(sources: Union[Release, Iterable[Release]]) -> List[Release]:
    several = [sources] if isinstance(sources, Release) else list(sources)
    for one in several:
        if not isinstance(one, Release):
            raise ArgumentError(f"sources has a {type(one).__name__}, not releases")
    return several


def listed(several: List[Release]) -> Any:
    """Releases as the library takes them, None without. They must live as long."""
    return ffi.new("const pvg_release *[]", [one._pointer for one in several]) if several else None


# --- what it is asked of --------------------------------------------------------------

def _words_of(prefix: str, bits: int) -> Tuple[str, ...]:
    return tuple(name for name, bit in sorted(names_of(prefix).items(), key=lambda pair: pair[1]) if bits & bit)


class _Asked:
    """Private data of one question: what the query reads, and whose they are."""

    def __init__(self, query: "Query", data: Any, features: Any, labels: Any, open: Union[str, Sequence[str]],
                 sources: Union[Release, Iterable[Release]]) -> None:
        reads = query.reads
        self.dataset = data if getattr(data, "_type", "") == "pvg_dataset" else None
        self.lists: Optional[Lists] = data if isinstance(data, Lists) else None
        if self.dataset is not None or self.lists is not None:
            data = None
        if data is not None and len(reads) == 1 and reads[0] != "graph":  # the only thing that it reads
            if features is not None or labels is not None:
                raise ArgumentError(f"{query.kind} does not read the graph; data is given")
            features, labels = (data, None) if reads == ("features",) else (None, data)
            data = None
        several = isinstance(data, GraphSet) or isinstance(data, list)
        self.graph: Union[None, Graph, GraphSet] = \
            None if data is None else as_graphset(data) if several else as_graph(data)
        self.features = None if features is None else as_features(features)
        self.labels = None if labels is None else as_labels(labels)
        self.open = 0
        for word in [open] if isinstance(open, str) else open:
            self.open |= constant("DATA", word, "open")
        self.sources = releases_of(sources)
        self._listed = listed(self.sources)
        out = ffi.new("int64_t[2]")  # checks what is there and what is not, before anybody is asked to pay
        call("pvg_query_shape", out, out + 1, query._pointer, self.struct())
        self.shape = int(out[0]), int(out[1])

    @property
    def held(self) -> Any:
        """What has a name in a ledger."""
        return next(one for one in (self.graph, self.lists, self.features, self.labels, self.dataset)
                    if one is not None)

    @property
    def unnamed(self) -> bool:
        """Whether the data carry no name of their own."""
        return getattr(self.held, "object", None) is None and getattr(self.held, "objects", None) is None

    @property
    def told(self) -> bool:
        """Whether the numbers of nodes are public."""
        if self.lists is not None:
            return not self.lists.inferred
        return self.graph is None or self.graph.order_declared

    @property
    def orders(self) -> List[int]:
        """Public numbers of nodes, or of users."""
        if isinstance(self.graph, GraphSet):
            return [int(order) for order in self.graph.orders]
        if self.dataset is not None:
            return []
        return [self.graph.order if self.graph is not None else len(self.held)]

    def struct(self, door: Optional[Releasing] = None) -> Any:
        """pvg_input. It lives no longer than this and the door."""
        fields: Dict[str, Any] = {"set" if isinstance(self.graph, GraphSet) else "graph": self.graph,
                                  "features": self.features, "labels": self.labels, "dataset": self.dataset,
                                  "lists": self.lists}
        given = {name: one._pointer for name, one in fields.items() if one is not None}
        if door is not None and door.numbers is not None:
            self._objects = door.several
            given.update(objects=self._objects, object_count=len(door.numbers))
        return struct("pvg_input", open=self.open, sources=self._listed, source_count=len(self.sources), **given)

    def of(self, query: "Query") -> "_Asked":
        """The same data for another query, as far as it reads them."""
        words = query.reads
        if self.dataset is not None:
            return _Asked(query, self.dataset, None, None, (), self.sources)
        data = self.lists if "lists" in words else self.graph if "graph" in words else None
        return _Asked(query, data, self.features if "features" in words else None,
                      self.labels if "labels" in words else None,
                      [word for word in _words_of("DATA", self.open) if word in words], self.sources)

    def door(self, ledger: Payer, object: Objects) -> Releasing:
        """The door for it. One name for a set: graph i is NAME:i."""
        if isinstance(self.graph, GraphSet) and isinstance(object, str):
            object = [f"{object}:{i}" for i in range(len(self.graph))]
        return Releasing(ledger, self.held, object, "the object that the data are")


class Query(Immutable):
    """A question: `Query("stars", leaves=3, epsilon=1)`. Public: it knows its guarantee, columns and noise before it
    sees anything private; `draw` answers it.

    `first + second` asks both in one release: pure queries, epsilons add.

    Parameters
    ----------
    kind : str
        One of `kinds()`.
    target : Target or float
        The budget, instead of epsilon, delta, noise, ...
    allow_seeded : bool
        Accept a seeded generator; nothing is private then.
    sources : Release or several
        What the arrays were made from.
    progress, scratch_limit
        Of the calculation that making it may take.
    options
        Those of the kind, with underscores for dashes. Arrays and handles, where the kind takes them: kinds, groups (of
        each node; -1: none), priorities, similarities, weights, low and high, patterns, layers, things (of lists). A number
        under one of these names is the option (groups=3), groups_of=... is the array beside it. All of it must be public,
        or made from `sources`.

    Examples
    --------
    >>> import privgraph as pg
    >>> query = pg.Query("scalars", list="edges,components", epsilon=1)
    >>> query.columns, query.guarantee().epsilon() <= 1
    (['edges', 'components'], True)
    >>> float(query.deviations()[0].round(2))
    2.8
    """

    __slots__ = ("_parts", "_known")
    _type = "pvg_query"
    _parts: Tuple["Query", ...]
    _known: Dict[Any, Any]  # what was found out about it: nothing of it changes

    def __init__(self, kind: str, /, *, target: Optional[Target] = None, allow_seeded: bool = False,
                 sources: Union[Release, Iterable[Release]] = (), progress: Optional[Progress] = None,
                 scratch_limit: int = 0, **options: Any) -> None:
        if not isinstance(kind, str) or not re.fullmatch(r"[A-Za-z0-9_-]+", kind):
            raise ArgumentError(f"kind is {kind!r}, not one word; Query.parse takes text")
        kind = kind.replace("_", "-")
        single, arrays = _split(options)
        known = _table().get(kind)
        table = {} if known is None else {option.name: option for option in (*known.options, *known.common)}
        words = [kind]
        for name, value in single.items():
            option = name.replace("_", "-")
            if not re.fullmatch(r"[A-Za-z0-9-]+", option):
                raise ArgumentError(f"{name!r} is no name of an option")
            words.append(f"{option}={text_of(name, value, table.get(option))}")
        self._ask(" ".join(words), arrays, target, allow_seeded, sources, Run(0, progress, scratch_limit))

    def _ask(self, words: str, arrays: Dict[str, Any], target: Optional[Target], allow_seeded: bool,
             sources: Any, run: Run) -> None:
        self._parts, self._known = (), {}
        given, _held = _arguments(arrays, sources)
        budget = as_target(target)._struct() if target is not None else struct("pvg_target")
        if allow_seeded:
            budget.allow_seeded = 1
        self._take("pvg_query_new", encoded(words), given, budget, run=run)

    @classmethod
    def _own(cls: Type["Query"], out: Any) -> "Query":
        self = super()._own(out)
        self._parts, self._known = (), {}
        return self

    def _once(self, what: Any, find: Callable[[], Any]) -> Any:
        """What `find` finds, looked for once."""
        if what not in self._known:
            self._known[what] = find()
        return self._known[what]

    @classmethod
    def parse(cls, words: str, *, target: Optional[Target] = None, allow_seeded: bool = False,
              sources: Union[Release, Iterable[Release]] = (), progress: Optional[Progress] = None,
              scratch_limit: int = 0, **arrays: Any) -> "Query":
        """From text: "stars leaves=3 epsilon=1", "scalars list=edges share=1 + triangles share=2 epsilon=1"; also
        the `text` of a query, with the same arrays. Of text from strangers give the target."""
        fields = {_ARRAYS.get(name, name): value for name, value in arrays.items() if value is not None}
        unknown = sorted(set(fields) - _FIELDS)
        if unknown:
            first = unknown[0].replace("_", "-")
            raise ArgumentError(f'{", ".join(unknown)}: beside a text there may only be arrays; options stand in it:'
                                f' "{words} {first}={fields[unknown[0]]}"')
        self = cls.__new__(cls)
        self._ask(words, fields, target, allow_seeded, sources, Run(0, progress, scratch_limit))
        return self

    @classmethod
    def join(cls, parts: Sequence["Query"]) -> "Query":
        """Several as one: numbers one after the other, epsilons added. `Release.select` gives each back."""
        several = [one for part in parts for one in (part._parts or (part,))]
        held = ffi.new("pvg_query *[]", [one._pointer for one in several])
        made = cls._make("pvg_query_join", held, len(several))
        made._parts = tuple(several)
        return made

    def __add__(self, other: "Query") -> "Query":
        if not isinstance(other, Query):
            return NotImplemented
        return self.join([self, other])

    # --- looking at it: public, spends nothing ---

    @property
    def text(self) -> str:
        """With everything filled in; arrays stand there as digests."""
        return str(self._once("text", lambda: text("pvg_query_copy_text", self._pointer)))

    @property
    def id(self) -> int:
        """128-bit digest of text and arrays: equal queries have equal ids."""
        halves = ffi.new("uint64_t[2]")
        call("pvg_query_copy_id", halves, halves + 1, self._pointer)
        return int(halves[0]) << 64 | int(halves[1])

    def describe(self, order: int = 0) -> Dict[str, Any]:
        """What it will do on `order` nodes: method chosen, constants of layers, edges that noise adds."""
        return json_of("pvg_query_copy_json", self._pointer, order)

    @property
    def kind(self) -> str:
        """ "stars", ..., or "joined"."""
        return str(self.describe()["kind"])

    @property
    def notion(self) -> str:
        """What is hidden: "edge", "label-ldp", ..."""
        return self._columns_declared().notion

    @property
    def reads(self) -> Tuple[str, ...]:
        """Parts of the private data that it reads: "graph", "features", "labels"."""
        found: Tuple[str, ...] = self._once("reads", lambda: _words_of("DATA", lib.pvg_query_reads(self._pointer)))
        return found

    def _whole(self, option: str) -> int:
        """An option of the text that is a whole number; 0 if it is not there."""
        found = re.search(rf" {option}=([0-9]+)", self.text)
        return 0 if found is None else int(found.group(1))

    @property
    def order(self) -> int:
        """Nodes of the graphs that it is for; 0: any."""
        return self._whole("order")

    def guarantee(self, orders: Union[None, int, Sequence[int], Array] = None) -> Guarantee:
        """What one draw promises, with a secure generator, about graphs of these orders; by default as the query
        says."""
        if orders is None:
            return Guarantee._make("pvg_query_guarantee", self._pointer, ffi.NULL, 0)
        held = np.atleast_1d(taken(orders, np.int64, "orders"))
        return Guarantee._make("pvg_query_guarantee", self._pointer, pointer(held), len(held))

    def _columns_declared(self) -> Guarantee:
        """A guarantee that tells the columns: their names are the same for all orders."""
        return self.guarantee(None if self.order or self.kind != "embed" else 2)

    @property
    def columns(self) -> List[str]:
        """Names of the columns; none where it gives no numbers."""
        return self._columns_declared().columns

    def preview(self, order: int = 0, *, common: int = 0, mean_degree: float = 0.0, brief: bool = False,
                threads: int = 0, progress: Optional[Progress] = None) -> Any:
        """A Preview: range, noise and verdict of each column for graphs of `order` nodes (0: as the query says).
        common: a guess of what two nodes have in common, where noise follows it. mean_degree: a guess, for
        capped-edges and capped-degrees: whether graphs of that mean show more than it. brief: no search for the
        epsilon that would be enough."""
        from .preview import Preview  # it knows this class
        config = struct("pvg_preview_config", order=order, common=common, mean_degree=mean_degree,
                        brief=int(brief))
        return Preview._make("pvg_query_preview", self._pointer, config, run=Run(threads, progress))

    def cost(self, *orders: int) -> Tuple[float, float]:
        """Of embed: what graphs of these orders (none: as the query says) cost at most to count, from public numbers:
        operations, and seconds on one thread of this machine. Most graphs take far less."""
        operations, seconds = ffi.new("double *"), ffi.new("double *")
        call("pvg_query_cost", operations, seconds, self._pointer,
             ffi.new("int64_t[]", list(orders)) if orders else ffi.NULL, len(orders))
        return float(operations[0]), float(seconds[0])

    def covariance(self, order: int = 0) -> Array:
        """Of the noise of a row, one row and column for each column. PrivacyError where it is private."""
        side = int(self.describe()["columns"])
        out = np.zeros((side, side))
        call("pvg_query_covariance", pointer(out), self._pointer, order)
        return out

    def deviations(self, order: int = 0) -> Array:
        """Standard deviation of the noise of each column, before anything is spent; nan where it is private.
        PrivacyError if all of it is."""
        found: Array = np.sqrt(np.diagonal(self.covariance(order)))
        return found

    def compare_exact(self, values: Any, first: Any, second: Any, order: int) -> Array:
        """NOT FOR PUBLICATION, for audits on public graphs, of a query of embed: of each released row, the logarithm of
        how much likelier it is with the exact densities `second` than with `first`, under the joint law of the noise
        for graphs of that order."""
        rows, columns = np.atleast_2d(taken(values, np.float64, "values")), self.columns
        count = len(columns) - (columns[-1:] == ["order"])
        if rows.shape[1] != len(columns):
            raise ArgumentError(f"values has {rows.shape[1]} columns, not {len(columns)}")
        worlds = [taken(world, np.float64, name, (count,)) for name, world in (("first", first), ("second", second))]
        out = np.zeros(len(rows))
        call("pvg_query_compare_exact", pointer(out), pointer(rows), len(rows), pointer(worlds[0]), pointer(worlds[1]),
             self._pointer, order)
        return out

    def __repr__(self) -> str:
        return f"<Query {self.text}>"

    # --- asking ---

    def shape(self, data: Any = None, *, features: Any = None, labels: Any = None,
              open: Union[str, Sequence[str]] = ()) -> Tuple[int, int]:
        """(rows, columns) of the numbers; (0, 0) if it gives something else. Of the data only sizes are looked at."""
        return _Asked(self, data, features, labels, open, ()).shape

    def values_exact(self, data: Any = None, *, features: Any = None, labels: Any = None,
                     open: Union[str, Sequence[str]] = (), threads: int = 0,
                     progress: Optional[Progress] = None) -> Array:
        """NOT FOR PUBLICATION: the numbers without noise."""
        asked = _Asked(self, data, features, labels, open, ())
        out = np.zeros(asked.shape)
        call("pvg_query_values_exact", pointer(out), self._pointer, asked.struct(), run=Run(threads, progress))
        return out

    def draw(self, data: Any = None, *, features: Any = None, labels: Any = None,
             open: Union[str, Sequence[str]] = (), object: Objects = None, ledger: Payer = None,
             rng: Optional[Rng] = None, sources: Union[Release, Iterable[Release]] = (), threads: int = 0,
             progress: Optional[Progress] = None, scratch_limit: int = 0, time_limit: int = 0) -> Release:
        """Answers it. data: a graph, or a set (GraphSet or a list), where each graph is a private object with a row
        of its own; of a query that reads lists, Lists; of one that reads features or labels alone, these; of a private training a Dataset.

        open: parts that are read and not hidden, "features": public, or made from `sources`. object: the name or
        number in the ledger, by default what the data carry. A charge stays. rng: a secure generator unless given.
        time_limit: seconds; LimitError, before anything is paid, where `cost` is more."""
        asked = _Asked(self, data, features, labels, open, sources)
        with asked.door(ledger, object) as door:
            made = self._draw(asked, door, "pvg_release_draw", self._pointer, rng=rng, last=(door.book,),
                              run=Run(threads, progress, scratch_limit, time_limit))
        return made

    def _draw(self, asked: _Asked, door: Releasing, name: str, *first: Any, rng: Optional[Rng], run: Run,
              last: Tuple[Any, ...] = ()) -> Release:
        """Inside the door: `name`(out, first..., input, rng, last..., run)."""
        if rng is not None and not isinstance(rng, Rng):
            raise TypeError("rng must be None or an Rng; noise from Rng.seeded(...) is not private")
        if asked.told:  # else it is refused, and no word before may tell how many nodes there are
            warn_if_hidden(self, asked.orders)
            warn_if_slow(self, asked.orders)
        made = Release._make(name, *first, asked.struct(door), ffi.NULL if rng is None else rng._pointer, *last, run=run)
        door.drew(made)
        return self._described(made, asked)

    def _described(self, made: Release, asked: _Asked) -> Release:
        """With names of nodes and, where it is public and the same for all rows, the noise."""
        if isinstance(asked.graph, GraphSet):
            made._set_names = asked.graph._names
        elif asked.graph is not None and (self._rows_are_nodes() or "numbers" not in made.holds):
            made._of(asked.graph)
        orders = set(asked.orders)
        if isinstance(asked.graph, GraphSet):
            made._orders = np.asarray(asked.orders, np.int64)
        if len(orders) == 1 and made.shape[0]:
            made._noise = functools.partial(_deviations, self, orders.pop())
        return made

    def _rows_are_nodes(self) -> bool:
        words = self.text.split()
        return words[0] == "message-passing" or words[0] == "edge-histogram" and "+" not in words and \
            "cells=between" not in words and not any(word.startswith("groups-of=") for word in words)


def _deviations(query: Query, order: int) -> Optional[Array]:
    try:
        return query.deviations(order)
    except (PrivacyError, ArgumentError):  # it is private, or not the same for all values
        return None


# --- several draws, one payment -------------------------------------------------------

class _Place(NamedTuple):
    query: Query
    asked: _Asked
    door: Releasing


class Composition(Handle):
    """Draws that are paid before the first; later queries may be chosen in view of earlier outcomes.

    All ledgers pay or none. Whoever leaves the block without `pay` has spent nothing. It stays in the process that made
    it: a copy in a forked one would draw a second time what was paid once.

    Examples
    --------
    >>> import privgraph as pg
    >>> graph, ledger = pg.Graph.cycle(50).with_object("friends"), pg.Ledger(epsilon=2)
    >>> with pg.Composition() as both:
    ...     first = both.add(pg.Query("stars", epsilon=1), graph, ledger=ledger)
    ...     second = both.add(pg.Query("triangles", epsilon=1), graph, ledger=ledger)
    ...     both.pay()
    ...     releases = both.draw(first), both.draw(second)
    >>> round(ledger.spent("friends"), 3)
    2.0
    """

    __slots__ = ("_places", "_lock", "_maker", "_books", "_opened")
    _type = "pvg_composition"
    _places: List[_Place]
    _books: Dict[Any, Optional[Ledger]]  # in files, open until they have paid
    _opened: contextlib.ExitStack
    _lock: Any
    _maker: int

    def __init__(self) -> None:
        self._places, self._lock, self._maker = [], threading.RLock(), os.getpid()
        self._books, self._opened = {}, contextlib.ExitStack()
        self._take("pvg_composition_new")

    def _book(self, given: Payer) -> Optional[Ledger]:
        """A ledger that stays open: several places pay together, from one file."""
        if given is None or isinstance(given, Ledger):
            return given
        key = id(given) if isinstance(given, HasLedger) else os.path.realpath(given)
        if key not in self._books:
            self._books[key] = self._opened.enter_context(ledger_of(given))
        return self._books[key]

    def add(self, query: Query, data: Any = None, *, features: Any = None, labels: Any = None,
            open: Union[str, Sequence[str]] = (), object: Objects = None, ledger: Payer = None,
            times: int = 1, sources: Union[Release, Iterable[Release]] = ()) -> int:
        """Sets `times` draws aside; of the data only sizes and objects are looked at. The place, for `draw`."""
        asked, place = _Asked(query, data, features, labels, open, sources), ffi.new("int64_t *")
        with self._lock, contextlib.ExitStack() as undo:
            if object is None and isinstance(ledger, HasLedger) and asked.unnamed:
                object = ledger.objects
            door = undo.enter_context(asked.door(self._book(ledger), object))  # lent until it has paid
            call("pvg_composition_add", place, self._open(), query._pointer, asked.struct(door), times, door.book)
            self._places.append(_Place(query, asked, door))
            undo.pop_all()
        return int(place[0])

    def guarantee(self, notion: Union[str, int] = "edge") -> Guarantee:
        """Of all of it together, about a notion."""
        with self._lock:
            return Guarantee._make("pvg_composition_guarantee", self._open(), constant("NOTION", notion, "notion"))

    def pay(self) -> None:
        """All ledgers pay or none. Once; nothing can be added afterwards."""
        with self._lock, contextlib.ExitStack() as books:
            for place in self._places:
                for ledger in place.door.ledgers:
                    books.enter_context(paying(ledger))  # one that was closed meanwhile does not pay
            call("pvg_composition_pay", self._open())
            self._return()

    def draw(self, place: int, query: Optional[Query] = None, *, rng: Optional[Rng] = None, threads: int = 0,
             progress: Optional[Progress] = None, scratch_limit: int = 0) -> Release:
        """Draws at a place, of the data it was added for. query: another one that promises as much, else
        PrivacyError."""
        with self._lock:
            held = self._open()
            if not 0 <= place < len(self._places):
                raise ArgumentError(f"there is no place {place}")
            own, asked, door = self._places[place]
            return (query or own)._draw(asked if query is None else asked.of(query), door, "pvg_composition_draw",
                                        held, place, ffi.NULL if query is None else query._pointer, rng=rng,
                                        run=Run(threads, progress, scratch_limit))

    def _open(self) -> Any:
        if self._pointer == ffi.NULL:
            raise ArgumentError("the composition is closed")
        if self._maker != os.getpid():
            raise PrivacyError("the composition belongs to the process that made it: what is paid once is drawn once")
        return self._pointer

    def _return(self) -> None:
        for place in self._places:
            place.door.__exit__()
        self._opened.close()
        self._books = {}

    def close(self) -> None:
        """Nothing can be drawn afterwards; what was paid stays so."""
        with self._lock:
            self._return()
            self._places, self._pointer = [], ffi.NULL

    def __enter__(self) -> "Composition":
        return self

    def __exit__(self, *_details: Any) -> None:
        self.close()
