"""What was released. Every call that releases goes through `releasing`, which counts it and warns; and a
transformer that is asked again for the same graph under the same settings gives the same row again, and spends
nothing: a search with five folds and twelve settings would otherwise draw sixty releases of every graph without
a word.

A graph is known by its ledger object or by an identity given when it was made, never by its
content: equal rows for equal contents would tell two worlds apart. The same row comes back also
if the content behind the name has changed.

A remembered draw knows which ledgers have paid for it. One that has not pays when it is asked with it.
"""
import atexit
import contextlib
import fcntl
import json
import math
import os
import shutil
import tempfile
import threading
import warnings
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np

from ._native import Array, ffi, lib, number
from .errors import ArgumentError, RepeatedReleaseWarning, UnbudgetedWarning
from .graph import Graph, GraphSet, levels_to_caller, warn_of_snapshots
from .guarantee import Guarantee, Promising
from .ledger import HasLedger, Ledger, Payer, ledger_of, object_numbers, paying

__all__ = ["forget_releases"]

Key = str  # of a graph: "object 17" or "graph 93..."
Books = Dict[str, Ledger]  # who pays for which part of a draw


class Draw(NamedTuple):
    """What a remembered row was drawn under: the record of each of its parts, and which charge of which
    ledger, by identity, has paid for it."""

    records: Dict[str, str]
    paid: Dict[Tuple[str, str], int]  # (part, ledger): charges of the object when it was paid


class Spent:
    """What a graph has spent: how often, together, and by whom."""

    __slots__ = ("epsilon", "delta", "by")

    def __init__(self) -> None:
        self.epsilon = self.delta = 0.0
        self.by: Dict[str, List[float]] = {}  # ledger that paid: epsilon, delta, how often

    def add(self, epsilon: float, delta: float, payer: str, times: int = 1) -> None:
        """One release, or several together."""
        self.epsilon, self.delta = self.epsilon + epsilon, self.delta + delta
        held = self.by.setdefault(payer, [0.0, 0.0, 0])
        held[0], held[1], held[2] = held[0] + epsilon, held[1] + delta, held[2] + times

    def __len__(self) -> int:
        return int(sum(held[2] for held in self.by.values()))

    def by_others(self, payer: str) -> bool:
        """Whether a ledger but this one, or nobody, paid for some."""
        return bool(self.by) and (not payer or self.by.keys() != {payer})


def keys_of(held: Any, objects: Any) -> List[Key]:
    """Who the graphs are: objects of a ledger, or identities; never what they contain."""
    kind = {"pvg_features": "features", "pvg_labels": "labels"}.get(getattr(held, "_type", ""), "")
    if held._type == "pvg_dataset":
        return [key for part in held._private for key in keys_of(part, objects)]
    if objects is None and isinstance(held, (Graph, GraphSet)):
        objects = held.object if isinstance(held, Graph) else held.objects
    if objects is None and held._type == "pvg_lists":
        objects = held.object
    if objects is not None:
        return [f"{kind} of object {number}" if kind else f"object {number}" for number in object_numbers(objects)]
    if isinstance(held, GraphSet):
        return [f"graph {number}" for number in held.identities]
    return [f"{kind or 'graph'} {held._id}"]


def _object_of(key: Key) -> int:
    """The object that pays for a graph."""
    kind, _, number = key.partition(" ")
    if kind != "object":
        raise ArgumentError("a ledger needs objects: a name or number of each graph (Graph.object,"
                            " GraphSet.with_objects)")
    return int(number)


class Memory:
    """Rows by settings and graph, and what each graph has spent. One for the whole process; it
    moves into a folder of its own when something that uses it goes to another process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._held: Any = None  # the lock, while this process has it
        self._later: Optional[List[Tuple[str, Type[UserWarning]]]] = None
        self._clear()

    def _clear(self) -> None:
        self.rows: Dict[Tuple[str, Key], Any] = {}  # whatever JSON can hold
        self.draws: Dict[Tuple[str, Key], Draw] = {}
        self.releases: Dict[Tuple[str, Key], Any] = {}  # of this process: what a row stands in
        self.spent: Dict[Key, Spent] = {}
        self._folder: Optional[str] = None
        self._maker = 0  # process that made the folder
        self._read = 0

    # --- the folder, where there is one ---

    def folder(self) -> str:
        """Where other processes find the memory; made when first asked for."""
        with self._lock:
            if self._folder is None or not os.path.isdir(self._folder):
                self._folder, self._maker = tempfile.mkdtemp(prefix="privgraph-memory-"), os.getpid()
                atexit.register(_remove, self._folder, self._maker)
                self._read = 0
                self._append(self._notes())
            return self._folder

    def _notes(self) -> List[Dict[str, Any]]:
        """All that is known, as lines."""
        known: List[Dict[str, Any]] = []
        for (settings, key), row in self.rows.items():
            draw = self.draws[settings, key]
            known.append({"settings": settings, "key": key, "row": row, "records": draw.records})
            known += [{"settings": settings, "key": key, "paid": [*who, count]} for who, count in draw.paid.items()]
        return known + [{"key": key, "cost": [held[0], held[1], payer, held[2]]} for key, spent in self.spent.items()
                        for payer, held in spent.by.items()]

    def join(self, folder: str) -> None:
        """In another process: uses what is in the folder."""
        if not folder or not os.path.isdir(folder):
            return
        with self._lock:
            if folder == self._folder or self._depth:
                return
            own = self._notes() if self._folder is None else []
            if self._folder is not None and self._maker == os.getpid():  # it has a memory of its own
                with self.open(), contextlib.suppress(FileNotFoundError), \
                        open(os.path.join(folder, "notes"), "rb") as file:
                    self._append([note for note in map(self._take, file) if note is not None])
                return
            self._clear()
            self._folder = folder
            with self.open():
                for note in own:
                    self._take(json.dumps(note).encode())
                self._append(own)

    def _append(self, notes: Sequence[Dict[str, Any]]) -> None:
        if self._folder is None or not notes:
            return
        with open(os.path.join(self._folder, "notes"), "ab") as file:
            # a process that died while it wrote left half a line
            file.write(("\n" + "".join(json.dumps(note) + "\n" for note in notes)).encode())
            file.flush()
            self._read = file.tell()

    def _take(self, line: bytes) -> Optional[Dict[str, Any]]:
        """Takes over a note; None if it is none."""
        try:
            note: Dict[str, Any] = json.loads(line)
            if "row" in note:
                place = note["settings"], note["key"]
                if place not in self.rows:
                    self.rows[place], self.draws[place] = note["row"], Draw(note["records"], {})
            elif "paid" in note:
                part, ledger, count = note["paid"]
                self.draws[note["settings"], note["key"]].paid[part, ledger] = count
            else:
                epsilon, delta, ledger, times = note["cost"]
                self.spent.setdefault(note["key"], Spent()).add(epsilon, delta, ledger, times)
            return note
        except (ValueError, KeyError):
            return None

    def _catch_up(self) -> None:
        """What other processes have noted since."""
        assert self._folder is not None
        with contextlib.suppress(FileNotFoundError), open(os.path.join(self._folder, "notes"), "rb") as file:
            file.seek(self._read)
            for line in file:
                self._take(line)
            self._read = file.tell()

    @contextlib.contextmanager
    def open(self) -> Iterator["Memory"]:
        """Nobody else draws meanwhile: whoever comes second finds the row."""
        with self._lock:
            self._depth += 1
            try:
                if self._folder is None or self._depth > 1:
                    yield self
                    return
                if not os.path.isdir(self._folder):  # the process that made it has ended, this one goes on
                    self.folder()
                with open(os.path.join(self._folder, "lock"), "ab") as self._held:
                    fcntl.flock(self._held, fcntl.LOCK_EX)
                    self._catch_up()
                    yield self
            finally:
                self._depth -= 1

    # --- forks: the folder comes first, so that parent and children share it ---

    def before_fork(self) -> None:
        """No other thread is inside, and there is a folder."""
        self._lock.acquire()
        with contextlib.suppress(OSError):
            self.folder()

    def after_fork(self, child: bool = False) -> None:
        """The parent keeps its lock, of which the child has a copy."""
        if child and self._held is not None:
            with contextlib.suppress(OSError):
                self._held.close()  # without unlocking: the parent still is inside
        self._lock.release()

    # --- notes ---

    def note(self, keys: Sequence[Key], epsilon: float, delta: float, payer: str = "") -> None:
        """Counts a release of each of the graphs, and warns of those that were released before and not paid
        for by the same ledger all along."""
        different = dict.fromkeys(keys)
        again = [key for key in different if key in self.spent and self.spent[key].by_others(payer)]
        fresh = [] if payer else [key for key in different if key not in self.spent]
        for key in keys:
            self.spent.setdefault(key, Spent()).add(epsilon, delta, payer)
        if self._folder is not None:
            self._append([{"key": key, "cost": [epsilon, delta, payer, 1]} for key in keys])
        if fresh:
            self._say("released without a budget: nobody refuses the release that is one too many. pg.Session(graph,"
                      " object=..., epsilon=...) adds up what is spent", UnbudgetedWarning)
        if not again:
            return
        most = max(again, key=lambda key: self.spent[key].epsilon)
        times = len(self.spent[most])
        if times > 8 and times & (times - 1):  # games and searches: then at every doubling
            return
        total = self.spent[most].epsilon, self.spent[most].delta
        words = (f"{len(again)} of {len(set(keys))} graphs are released once more, one of them"
                 f" {times} times by now: together that is up to epsilon"
                 f" {total[0]:g} at delta {total[1]:g}, not {epsilon:g}")
        self._say(words, RepeatedReleaseWarning)

    def _say(self, words: str, kind: Type[UserWarning]) -> None:
        if self._later is None:
            warnings.warn(words, kind, stacklevel=levels_to_caller())
        else:
            self._later.append((words, kind))

    @contextlib.contextmanager
    def warning_later(self) -> Iterator[None]:
        """Warns at the end: who makes warnings errors loses no draw that is paid for."""
        self._later = []
        try:
            yield
        finally:
            told, self._later = self._later, None
            for words, kind in told:
                warnings.warn(words, kind, stacklevel=levels_to_caller())

    # --- remembered draws, and who has paid for them ---

    def keep(self, settings: str, keys: Sequence[Key], rows: Union[Array, Sequence[Any]], records: Dict[str, str],
             books: Books) -> None:
        """The first row of a graph is the one that stays. records: of the parts it was drawn in, which the
        books have just paid for."""
        plain = rows.tolist() if isinstance(rows, np.ndarray) else list(rows)
        for key, row in zip(keys, plain):
            place = settings, key
            if place in self.rows:
                continue
            self.rows[place], self.draws[place] = row, Draw(dict(records), {})
            self._append([{"settings": settings, "key": key, "row": row, "records": records}])
            for part, book in books.items():
                if part in records:
                    self._has_paid(place, part, book)

    def _has_paid(self, place: Tuple[str, Key], part: str, book: Ledger) -> None:
        ledger, count = f"{book.identity:x}", book._charges_of(_object_of(place[1]))
        self.draws[place].paid[part, ledger] = count
        self._append([{"settings": place[0], "key": place[1], "paid": [part, ledger, count]}])

    def _owes(self, place: Tuple[str, Key], part: str, book: Ledger) -> bool:
        """Whether a ledger has not paid: it never did, or what it says of the object is from before."""
        count = self.draws[place].paid.get((part, f"{book.identity:x}"))
        return count is None or book._charges_of(_object_of(place[1])) < count

    def owed(self, settings: str, keys: Sequence[Key], books: Books) -> List[Tuple[str, str, List[Key]]]:
        """Part, record and graphs of all remembered draws that the books have not paid for. PrivacyError if one
        cannot."""
        found: Dict[Tuple[str, str], List[Key]] = {}
        for key in dict.fromkeys(keys):
            for part, book in books.items():
                record = self.draws[settings, key].records.get(part)
                if record is not None and self._owes((settings, key), part, book):
                    found.setdefault((part, record), []).append(key)
        bills = [(part, record, held) for (part, record), held in found.items()]
        for part, record, held in bills:
            numbers, price = [_object_of(key) for key in held], Guarantee.parse(record)
            if not books[part].fits(numbers, price):
                books[part].charge(numbers, price)  # says what is left
        return bills

    def pay(self, settings: str, bills: Sequence[Tuple[str, str, List[Key]]], books: Books) -> None:
        """Charges what is owed."""
        for part, record, held in bills:
            books[part].charge([_object_of(key) for key in held], Guarantee.parse(record))
            for key in held:
                self._has_paid((settings, key), part, books[part])


def _remove(folder: str, maker: int) -> None:
    """Of the process that made it: a forked one ends with the same list of things to do."""
    if os.getpid() == maker:
        shutil.rmtree(folder, True)


MEMORY = Memory()
os.register_at_fork(before=MEMORY.before_fork, after_in_parent=MEMORY.after_fork,
                    after_in_child=lambda: MEMORY.after_fork(child=True))


def _cost(one: Union[Promising, Guarantee, None]) -> Optional[Tuple[float, float]]:
    """(epsilon, delta) of what is promised; None where nothing is."""
    if one is None:
        return None
    held = one._pointer if isinstance(one, Guarantee) else getattr(lib, one._type + "_guarantee")(one._pointer)
    if not lib.pvg_guarantee_holds(held):
        return None
    delta = float(lib.pvg_guarantee_delta(held))
    epsilon = number("double", "pvg_guarantee_epsilon", held, delta)
    if math.isfinite(epsilon):
        return epsilon, delta
    return number("double", "pvg_guarantee_epsilon", held, 1e-6), 1e-6


class Releasing:
    """`with Releasing(ledger, data, objects) as door`: around every call that releases. Asks for objects where a
    ledger pays, warns of names that look like snapshots, lends the ledger (`door.book`), and counts what was
    drawn (`door.drew`): what was released before without that ledger is warned of.

    data: a Graph, GraphSet, Features, Labels or a Dataset with private parts. objects: their names or numbers, by default those they carry."""

    def __init__(self, ledger: Union[Payer, Sequence[Payer]], data: Any, objects: Any = None,
                 what: str = "the object that the graph is") -> None:
        self._given: List[Payer] = list(ledger) if isinstance(ledger, (list, tuple)) else \
            [ledger]  # type: ignore[list-item]
        self.ledgers: List[Optional[Ledger]] = []
        if objects is None and isinstance(data, (Graph, GraphSet)):
            objects = data.object if isinstance(data, Graph) else data.objects
        if objects is None and data._type == "pvg_lists":
            objects = data.object
        if objects is None and isinstance(self._given[0], HasLedger):
            objects = self._given[0].objects
        self.numbers = None if objects is None else object_numbers(objects)
        paid = any(one is not None for one in self._given)
        count = len(data) if isinstance(data, GraphSet) else 1
        if paid and self.numbers is None:
            raise ArgumentError("a ledger needs objects: one name or number per graph" if isinstance(data, GraphSet)
                                else f"a ledger needs {what}")
        if self.numbers is not None and len(self.numbers) != count:
            raise ArgumentError(f"objects has {len(self.numbers)} entries for {count} graphs"
                                if isinstance(data, GraphSet) else
                                f"objects has {len(self.numbers)} entries for one graph")
        if paid:
            warn_of_snapshots(objects)
        self.keys = keys_of(data, objects)
        self.number = int(self.numbers[0]) if self.numbers is not None and len(self.numbers) == 1 else 0

    def __enter__(self) -> "Releasing":
        self._stack = contextlib.ExitStack()
        try:
            self._open()
        except BaseException:
            self._stack.close()
            raise
        return self

    def _open(self) -> None:
        if all(one is None for one in self._given):  # nobody to wait for
            self.ledgers, self.book = [None] * len(self._given), ffi.NULL
            self.books, self.payers = [ffi.NULL] * len(self._given), [""] * len(self._given)
            return
        self.ledgers = [self._stack.enter_context(ledger_of(one)) for one in self._given]
        self.books = [self._stack.enter_context(paying(one, self.numbers)) for one in self.ledgers]
        self.book = self.books[0]
        self.payers = ["" if one is None else f"{one.identity:x}" for one in self.ledgers]

    def __exit__(self, *_details: Any) -> None:
        self._stack.close()

    @property
    def several(self) -> Any:
        """The numbers as the library takes them, NULL without."""
        return ffi.NULL if self.numbers is None else ffi.from_buffer("uint64_t[]", self.numbers)

    def drew(self, *made: Union[Promising, Guarantee, None]) -> None:
        """Counts what was drawn in this call; noise of a seeded generator is not counted."""
        costs, payers = [], set()
        for i, one in enumerate(made):
            cost = _cost(one)
            if cost is not None:
                costs.append(cost)
                payers.add(self.payers[min(i, len(self.payers) - 1)])
        if costs:
            try:
                with MEMORY.open() as memory:
                    memory.note(self.keys, sum(cost[0] for cost in costs), sum(cost[1] for cost in costs),
                                "" if "" in payers else " ".join(sorted(payers)))
            except (RepeatedReleaseWarning, UnbudgetedWarning) as raised:  # an error by the caller's filter: nothing is lost
                setattr(raised, "releases", tuple(one for one in made if one is not None))
                raise


def forget_releases() -> None:
    """Forgets all rows and totals of this process: every graph is drawn anew, and spends again. A
    ledger forgets nothing."""
    with MEMORY._lock:
        MEMORY._clear()
