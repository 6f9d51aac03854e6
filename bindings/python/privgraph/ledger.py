"""Budgets that cannot be overspent."""
import contextlib
import os
import threading
import time
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Handle, call, constant, encoded, ffi, json_of, lib, name_of, number, pointer,
                      struct, text)
from .errors import ArgumentError, BusyError, PrivacyError
from .graph import NAMES, _object_number, warn_of_snapshots
from .guarantee import Guarantee, Promising
from .mechanism import Curve, CurveTerm

__all__ = ["Ledger", "object_number", "notion_name"]

Object = Union[int, str]
Cost = Union[Curve, Guarantee, Promising]
Declared = Union[None, str, Iterable[str], Dict[str, int]]


class HasLedger:
    """What lends a ledger for each release: a Session."""

    def _ledger_for_a_release(self) -> Any:
        raise NotImplementedError

    @property
    def objects(self) -> Any:
        """Names of the objects that it is about."""
        raise NotImplementedError


# Who pays: a Ledger, the path of one, or a Session.
Payer = Union[None, "Ledger", str, "os.PathLike[str]", HasLedger]


def object_number(name: Object) -> int:
    """The number of an object in a ledger, from its name: of the network, not of a file or
    of a snapshot; NAME and NAME:0, the first graph of a set, are one. Names must be public:
    never a hash of private data."""
    found = _object_number(name)
    if found is None:
        raise ArgumentError("an object needs a name or a number")
    return found


def object_numbers(objects: Union[Object, Sequence[Object], Array]) -> Array:
    """The same for several."""
    if isinstance(objects, (int, str, np.integer)):
        objects = [objects]
    return np.array([object_number(name) for name in objects], np.uint64)


def notion_name(notion: Union[str, int]) -> str:
    """"edge" -> "edge-DP undirected", ..."""
    found = lib.pvg_notion_name(constant("NOTION", notion, "notion"))
    if found == ffi.NULL:
        raise ArgumentError(f"there is no notion {notion}")
    return str(ffi.string(found).decode())


def _guarantee(cost: Cost, notion: Union[str, int]) -> Guarantee:
    if isinstance(cost, Curve):
        return Guarantee.state(cost, notion=notion)
    return cost.guarantee if isinstance(cost, Promising) else cost


def _lines(objects: Union[str, Iterable[str], Dict[str, int]]) -> bytes:
    """Names of objects as the library takes them, one on each line."""
    if isinstance(objects, dict):
        names = [name if count == 1 else f"{name}*{int(count)}" for name, count in objects.items()]
    else:
        names = [objects] if isinstance(objects, str) else list(objects)
    for name in names:
        if not isinstance(name, str) or "\n" in name or "\0" in name:
            raise ArgumentError(f"objects has {name!r}, which is no name")
    return "\n".join(names).encode("utf-8")


class Ledger(Handle):
    """A budget (epsilon, delta) for every private object, and what was charged to it.

    It is asked before noise is drawn and raises PrivacyError when a budget would be exceeded.
    `Ledger(...)` lives in memory, `Ledger.create(path, ...)` and `Ledger.open(path)` in a file
    that is locked while it is open. May be used as a context manager, which closes the file.

    Parameters
    ----------
    epsilon, delta : float
        The budget of each object.
    notion : str
        What is hidden, "edge" by default.
    method, order
        How charges are composed; the default takes whatever is least.
    objects : list or dict, optional
        Names of all objects that may be charged, those of sets of graphs as {name: count} or "name*count"; another name
        ("Friends" for "friends") is then refused, and is no fresh budget.

    Examples
    --------
    >>> import privgraph as pg
    >>> with pg.Ledger(epsilon=2, objects=["friends"]) as ledger:
    ...     ledger.charge("friends", pg.Curve.pure(1.5))
    ...     ledger.fits("friends", pg.Curve.pure(1.0))
    False
    """

    __slots__ = ("_lock", "_running", "_maker")
    _type = "pvg_ledger"
    _lock: Any
    _maker: int
    _running: int

    def __new__(cls, *_arguments: Any, **_options: Any) -> "Ledger":
        self = super().__new__(cls)
        self._pointer, self._lock, self._running = ffi.NULL, threading.RLock(), 0
        self._maker = os.getpid()
        return self

    @property
    def foreign(self) -> bool:
        """Whether this is a copy in a forked process, which can neither charge nor tell what was charged."""
        return self._maker != os.getpid()

    def _own_process(self) -> None:
        if self.foreign:
            raise PrivacyError("the ledger belongs to the process that opened it; a forked copy does not know what is"
                               " charged there")

    @contextlib.contextmanager
    def _use(self) -> Iterator[Any]:
        """The pointer for one call, which `close` in another thread does not free meanwhile.
        A closed ledger is an error, never a release that nobody pays for."""
        with self._lock:
            self._running += 1
            held = self._pointer
        try:
            if held == ffi.NULL:
                raise ArgumentError("the ledger is closed")
            yield held
        finally:
            with self._lock:
                self._running -= 1
                last = self._running == 0 and self._pointer == ffi.NULL
            if last and held != ffi.NULL:
                ffi.release(held)

    @staticmethod
    def _config(epsilon: float, delta: float, notion: Union[str, int], method: Union[str, int],
                order: float, objects: Declared) -> Tuple[Any, Any]:
        names = None if objects is None else ffi.new("char[]", _lines(objects))
        return struct("pvg_ledger_config", notion=constant("NOTION", notion, "notion"),
                      epsilon=epsilon, delta=delta, method=constant("METHOD", method, "method"),
                      order=order, objects=names), names

    def __init__(self, epsilon: float, delta: float = 1e-6, *, notion: Union[str, int] = "edge",
                 method: Union[str, int] = "default", order: float = 0.0, objects: Declared = None) -> None:
        config, _names = self._config(epsilon, delta, notion, method, order, objects)
        self._take("pvg_ledger_new", config)

    @classmethod
    def create(cls, path: Union[str, "os.PathLike[str]"], epsilon: float, delta: float = 1e-6, *,
               notion: Union[str, int] = "edge", method: Union[str, int] = "default",
               order: float = 0.0, objects: Declared = None) -> "Ledger":
        """A new ledger in a new file; an existing file is never replaced."""
        config, _names = cls._config(epsilon, delta, notion, method, order, objects)
        return cls._make("pvg_ledger_create", encoded(path), config)

    @classmethod
    def open_or_create(cls, path: Union[str, "os.PathLike[str]"], epsilon: float, delta: float = 1e-6, *,
                       notion: Union[str, int] = "edge", method: Union[str, int] = "default",
                       order: float = 0.0, objects: Declared = None) -> "Ledger":
        """The ledger in a file, which must have this budget, or a new one there. A file that was lost is made anew,
        with a whole budget."""
        config, _names = cls._config(epsilon, delta, notion, method, order, objects)
        return cls._make("pvg_ledger_open_or_create", encoded(path), config)

    @classmethod
    def open(cls, path: Union[str, "os.PathLike[str]"]) -> "Ledger":
        """The ledger in a file."""
        return cls._make("pvg_ledger_open", encoded(path))

    @classmethod
    def open_readonly(cls, path: Union[str, "os.PathLike[str]"]) -> "Ledger":
        """The ledger in a file, to read it: nothing is written, and a copy will do."""
        return cls._make("pvg_ledger_open_readonly", encoded(path))

    @staticmethod
    def claim(path: Union[str, "os.PathLike[str]"],
              witness: Optional[Union[str, "os.PathLike[str]"]] = None) -> None:
        """Makes a copy the ledger itself: who calls it says that no charge is missing in this file
        and that no other one will be charged any more. witness: a new one, where the old one is gone
        or stands elsewhere now."""
        call("pvg_ledger_claim", encoded(path), ffi.NULL if witness is None else encoded(witness))

    def add_witness(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """A second file, on other storage, that every charge needs from now on: it notices an older
        copy of the ledger, whatever road it came."""
        with self._use() as book:
            call("pvg_ledger_add_witness", book, encoded(path))

    def close(self) -> None:
        """Closes the file; the ledger cannot be used afterwards. What other threads are
        charging just now comes to its end first: the last of them closes the file."""
        with self._lock:
            held, self._pointer = self._pointer, ffi.NULL
            idle = self._running == 0
        if idle and held != ffi.NULL:
            ffi.release(held)

    def __copy__(self) -> "Ledger":
        return self  # a budget cannot be doubled

    def __deepcopy__(self, _memo: Any) -> "Ledger":
        return self

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_details: Any) -> None:
        self.close()

    def name(self, name: str, count: int = 1) -> None:
        """Keeps a name in the ledger and its file, for those who read it: of one object, or of a
        set of `count` graphs, NAME:0 and on. What charges keeps the names it was given."""
        with self._use() as book:
            call("pvg_ledger_name", book, encoded(name), count)

    def names(self) -> Dict[int, str]:
        """The names that were kept of objects that were charged, by number."""
        found = {}
        for object in self.objects:
            with self._use() as book:
                kept = text("pvg_ledger_copy_name", book, object)
            if kept:
                found[object] = kept
        return found

    @property
    def identity(self) -> int:
        """A random number of 128 bits that the ledger has, and its file keeps: by it a payment is known. A
        copy of the file has it too."""
        halves = ffi.new("uint64_t[2]")
        with self._use() as book:
            call("pvg_ledger_copy_identity", halves, halves + 1, book)
        return int(halves[0]) << 64 | int(halves[1])

    @property
    def declared(self) -> Optional[List[str]]:
        """The objects that it was made for, "name*count" for sets; None: any name is one."""
        out = struct("pvg_ledger_config")
        with self._use() as book:
            call("pvg_ledger_copy_config", out, book)
            return None if out.objects == ffi.NULL else \
                [line for line in ffi.string(out.objects).decode("utf-8").split("\n") if line]

    @property
    def torn_bytes(self) -> int:
        """Bytes of an unfinished charge that opening cut off; nothing was released for it."""
        with self._use() as book:
            return int(lib.pvg_ledger_torn_bytes(book))

    def compact(self) -> None:
        """Writes the file anew with one record for each object; every later answer is the same."""
        with self._use() as book:
            call("pvg_ledger_compact", book)

    @staticmethod
    def verify(path: Union[str, "os.PathLike[str]"]) -> Tuple[str, str]:
        """Examines a file and changes nothing: ("whole", "torn", "repairable", "lost" or
        "superseded", what was found, in lines)."""
        condition = ffi.new("int32_t *")
        found = text("pvg_ledger_verify", condition, encoded(path))
        return name_of("LEDGER", condition[0]), found

    @staticmethod
    def repair(path: Union[str, "os.PathLike[str]"], copy: Union[str, "os.PathLike[str]"]) -> None:
        """Puts a damaged file right if no charge is forgotten by it; the file as it was is kept as
        `copy`. FormatError, and nothing changed, if that cannot be."""
        call("pvg_ledger_repair", encoded(path), encoded(copy))

    def charge(self, objects: Union[Object, Sequence[Object]], cost: Cost, *,
               notion: Union[str, int] = "edge") -> None:
        """Charges a guarantee (or what has one), or a curve of `notion`, to each of the
        objects, all or none. PrivacyError if a budget would be exceeded. Releases charge by
        themselves: this is for what is made elsewhere."""
        warn_of_snapshots(objects)
        numbers, held = object_numbers(objects), _guarantee(cost, notion)
        with paying(self, objects) as book:
            call("pvg_ledger_charge", book, pointer(numbers), len(numbers), held._pointer)

    def fits(self, objects: Union[Object, Sequence[Object]], cost: Cost, *,
             notion: Union[str, int] = "edge") -> bool:
        """What charge would say, without charging."""
        numbers, held = object_numbers(objects), _guarantee(cost, notion)
        with self._use() as book:
            return bool(number("int32_t", "pvg_ledger_fits", book, pointer(numbers), len(numbers),
                               held._pointer))

    def spent(self, name: Object, delta: Optional[float] = None) -> float:
        """An epsilon that holds for all that was charged to an object, by default at the
        delta of the ledger."""
        at = self.config["delta"] if delta is None else delta
        with self._use() as book:
            return number("double", "pvg_ledger_spent", book, object_number(name), at)

    def remaining(self, name: Object, term: CurveTerm) -> float:
        """The largest parameter one more term of this kind could have; 0 if nothing fits."""
        with self._use() as book:
            return number("double", "pvg_ledger_remaining", book, object_number(name),
                          term._struct())

    def _charges_of(self, name: Object) -> int:
        charges = ffi.new("int64_t *")
        with self._use() as book:
            call("pvg_ledger_curve", ffi.NULL, charges, book, object_number(name))
        return int(charges[0])

    def curve(self, name: Object) -> Tuple[Optional[Curve], int]:
        """(composition of all charges, their number) of an object; (None, 0) without any."""
        out, charges = ffi.new("pvg_curve **"), ffi.new("int64_t *")
        with self._use() as book:
            call("pvg_ledger_curve", out, charges, book, object_number(name))
        return (None if out[0] == ffi.NULL else Curve._own(out)), charges[0]

    @property
    def config(self) -> Dict[str, Any]:
        """Notion, budget and method."""
        out = struct("pvg_ledger_config")
        with self._use() as book:
            call("pvg_ledger_copy_config", out, book)
        return {"notion": name_of("NOTION", out.notion), "epsilon": out.epsilon,
                "delta": out.delta, "method": name_of("METHOD", out.method), "order": out.order}

    @property
    def objects(self) -> List[int]:
        """Numbers of the objects charged so far, in the order of their first charge."""
        with self._use() as book:
            self._own_process()
            count = lib.pvg_ledger_object_count(book)
            return [number("uint64_t", "pvg_ledger_object_at", book, i) for i in range(count)]

    @property
    def charges(self) -> int:
        """Charges made; a batch is one."""
        with self._use() as book:
            self._own_process()
            return int(lib.pvg_ledger_charge_count(book))

    def to_dict(self) -> Dict[str, Any]:
        """Notion, budget, and per object its number, charges, method and spent epsilon."""
        with self._use() as book:
            return json_of("pvg_ledger_copy_json", book)

    def __repr__(self) -> str:
        if self._pointer == ffi.NULL:
            return "<Ledger, closed>"
        config = self.config
        return f"<Ledger epsilon {config['epsilon']:g}, delta {config['delta']:g}>"


@contextlib.contextmanager
def ledger_of(given: Payer) -> Iterator[Optional[Ledger]]:
    """A ledger, or one in a file that is open for this release only: several processes may pay from
    it, one after the other. Waits a minute for the others."""
    if isinstance(given, HasLedger):
        with given._ledger_for_a_release() as book:
            yield book
        return
    if given is None or isinstance(given, Ledger):
        yield given
        return
    if not isinstance(given, (str, os.PathLike)):
        raise ArgumentError(f"ledger is a {type(given).__name__}, not a Ledger, the path of one or a Session")
    until = time.monotonic() + 60.0
    while True:
        try:
            book = Ledger.open(given)
            break
        except BusyError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
    with book:
        yield book


def payer_of(estimator: Any) -> Any:
    """The session of an estimator, or its ledger."""
    if estimator.session is not None and estimator.ledger is not None:
        raise ArgumentError("session and ledger are both given; one of them pays")
    if estimator.session is not None and not isinstance(estimator.session, HasLedger):
        raise ArgumentError(f"session is a {type(estimator.session).__name__}, not a Session")
    return estimator.ledger if estimator.session is None else estimator.session


def _sets(objects: Iterable[Any]) -> Dict[str, int]:
    """Names and for how many objects each stands: NAME:0 to NAME:9 are ten of NAME."""
    found: Dict[str, int] = {}
    for given in objects:
        name = given if isinstance(given, str) else NAMES.get(int(given))
        if name is None or not 1 <= len(name.encode("utf-8")) <= 255 or not name.isprintable():
            continue  # an object all the same, but no name to keep
        base, colon, place = name.rpartition(":")
        if not (colon and base and place.isascii() and place.isdigit() and len(place) < 8 and
                str(int(place)) == place):
            base, place = name, "0"
        found[base] = max(found.get(base, 1), int(place) + 1)
    return found


@contextlib.contextmanager
def paying(ledger: Optional[Ledger], objects: Any = None) -> Iterator[Any]:
    """`with paying(ledger, objects) as book`: the pointer for one release, NULL without a ledger,
    which keeps the names of what is about to be charged."""
    if ledger is None:
        yield ffi.NULL
        return
    with ledger._use() as book:
        several = () if objects is None else objects
        for name, count in _sets([several] if isinstance(several, (int, str, np.integer)) else several).items():
            call("pvg_ledger_name", book, encoded(name), count)
        yield book
