"""Lists of persons and things: purchases, visits, memberships. Queries about them hide a whole person."""
import os
import secrets
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import Array, Immutable, Run, call, callback, encoded, ffi, lent, lib, pointer, struct, taken
from .errors import ArgumentError
from .io import _options

__all__ = ["Lists"]

Catalogue = Union[int, Sequence[str], None]


class Lists(Immutable):
    """Which things each person has: purchases, visits, memberships. An entry that is there twice counts once. Made by
    `from_pairs`, `from_csr`, `from_scipy`, `from_pandas` or `from_csv`.

    persons, how many there are, and things, how many or the public catalogue of their names, are the same in every
    possible world: numbers that somebody declares, not what the entries name. Where one is left out (None) it is
    inferred, and no release takes the lists.

    Attributes
    ----------
    names : tuple of str or None
        Those of the catalogue.
    object : str or None
        The name that the lists have in a ledger.

    Examples
    --------
    >>> import privgraph as pg
    >>> lists = pg.Lists.from_pairs([0, 0, 1, 2], [1, 2, 2, 0], persons=3, things=4, object="shop")
    >>> lists, lists.query("top", top=2, epsilon=1).notion
    (<Lists of 3 persons, 4 things>, 'person')
    """

    __slots__ = ("_id", "_read", "names", "object")
    _type = "pvg_lists"
    _id: int
    _read: Any
    names: Optional[Tuple[str, ...]]
    object: Optional[str]

    @classmethod
    def _own(cls, out: Any) -> "Lists":
        self = super()._own(out)
        self._id = secrets.randbits(63)
        self._read = None
        self.names = None
        self.object = None
        return self

    @classmethod
    def from_pairs(cls, owners: Any, entries: Any, *, persons: Optional[int], things: Optional[int],
                   object: Optional[str] = None) -> "Lists":
        """From two arrays of numbers: person owners[i] has thing entries[i]."""
        owners, entries = taken(owners, np.int64, "owners"), taken(entries, np.int64, "entries")
        if owners.ndim != 1 or owners.shape != entries.shape:
            raise ArgumentError(f"owners has shape {owners.shape}, entries {entries.shape}: one of each for an entry")
        inferred = (persons is None) * 1 + (things is None) * 2
        persons = int(owners.max(initial=-1)) + 1 if persons is None else persons
        things = int(entries.max(initial=-1)) + 1 if things is None else things
        made = cls._make("pvg_lists_from_pairs", persons, things, pointer(owners), pointer(entries), len(owners),
                         inferred)
        made.object = object
        return made

    @classmethod
    def from_csr(cls, offsets: Any, columns: Any, *, things: Optional[int], object: Optional[str] = None) -> "Lists":
        """From compressed rows, one for each person."""
        offsets, columns = taken(offsets, np.int64, "offsets"), taken(columns, np.int32, "columns")
        if offsets.ndim != 1 or len(offsets) < 1 or columns.ndim != 1 or offsets[-1] != len(columns):
            raise ArgumentError("offsets is not one number more than there are rows, the last how many columns")
        inferred = 2 if things is None else 0
        things = int(columns.max(initial=-1)) + 1 if things is None else things
        made = cls._make("pvg_lists_from_csr", len(offsets) - 1, things, pointer(offsets), pointer(columns), inferred)
        made.object = object
        return made

    @classmethod
    def from_scipy(cls, matrix: Any, *, object: Optional[str] = None) -> "Lists":
        """From a scipy.sparse matrix of persons x things, whose shape is public: what is not zero is an entry."""
        rows = matrix.tocsr().copy()
        rows.eliminate_zeros()
        return cls.from_csr(rows.indptr, rows.indices, things=rows.shape[1], object=object)

    @classmethod
    def from_pandas(cls, frame: Any, person: str, thing: str, *, persons: Optional[int], things: Catalogue,
                    drop_unknown: bool = False, object: Optional[str] = None) -> "Lists":
        """From a line for each entry, with the columns `person` and `thing`. things: the public catalogue, or a number
        if the column holds numbers below it. Persons get numbers as they come."""
        owners = frame[person].factorize()[0]
        if persons is not None and owners.max(initial=-1) >= persons:
            raise ArgumentError(f"{person!r} names more than the {persons} persons that were declared")
        if isinstance(things, (int, np.integer)):
            return cls.from_pairs(owners, frame[thing], persons=persons, things=int(things), object=object)
        if things is None:
            return cls.from_pairs(owners, frame[thing].factorize()[0], persons=persons, things=None, object=object)
        names = _catalogue(things)
        place = {name: i for i, name in enumerate(names)}
        entries = np.array([place.get(str(one), -1) for one in frame[thing]], dtype=np.int64)
        unknown = np.flatnonzero(entries < 0)
        if len(unknown) and not drop_unknown:
            raise ArgumentError(f"line {unknown[0]}: the thing {frame[thing].iloc[unknown[0]]!r} is not in the"
                                " catalogue")
        made = cls.from_pairs(owners[entries >= 0], entries[entries >= 0], persons=persons, things=len(names),
                              object=object)
        made.names = names
        return made

    @classmethod
    def from_csv(cls, path: Union[str, "os.PathLike[str]"], *, persons: Optional[int], things: Catalogue,
                 person_column: int = 0, thing_column: int = 1, header: bool = False, drop_unknown: bool = False,
                 object: Optional[str] = None) -> "Lists":
        """From a file with a line for each entry; columns are counted from 0 and stand between commas, semicolons or
        tabs. things: the public catalogue of names, or a number if the file has numbers below it."""
        names, text = _catalogue_text(things)
        options = _stand(persons, things, names, text, person_column, thing_column, header, drop_unknown)
        made = cls._make("pvg_lists_read", encoded(path), options, _options(), run=Run())
        made.names, made.object = names, object
        return made

    @classmethod
    def parse(cls, data: Union[str, bytes], *, persons: Optional[int], things: Catalogue, person_column: int = 0,
              thing_column: int = 1, header: bool = False, drop_unknown: bool = False,
              object: Optional[str] = None) -> "Lists":
        """As from_csv, from text in memory."""
        names, text = _catalogue_text(things)
        options = _stand(persons, things, names, text, person_column, thing_column, header, drop_unknown)
        held = data.encode() if isinstance(data, str) else data
        made = cls._make("pvg_lists_parse", held, len(held), options, run=Run())
        made.names, made.object = names, object
        return made

    @classmethod
    def from_source(cls, read: Callable[[int], Any], *, persons: int, things: int,
                    object: Optional[str] = None) -> "Lists":
        """Lists that stay where they are: read(person) gives the numbers of her things, in any order, once for each
        draw. What it raises is raised, and the draw is paid for."""
        handle = ffi.new_handle((read, things))
        source = struct("pvg_lists_source", read=_read_person, context=handle)
        made = cls._make("pvg_lists_from_source", persons, things, source, 0)
        made._read, made.object = handle, object
        return made

    def __len__(self) -> int:
        return self.persons

    def __repr__(self) -> str:
        return f"<Lists of {self.persons} persons, {self.things} things>"

    @property
    def persons(self) -> int:
        """How many persons there are."""
        return int(lib.pvg_lists_persons(self._pointer))

    @property
    def things(self) -> int:
        """How many things there are."""
        return int(lib.pvg_lists_things(self._pointer))

    @property
    def size(self) -> int:
        """Entries: private."""
        return int(lib.pvg_lists_size(self._pointer))

    @property
    def inferred(self) -> Tuple[str, ...]:
        """What was read off the entries: "persons", "things". Nothing is released then."""
        bits = int(lib.pvg_lists_inferred(self._pointer))
        return tuple(word for bit, word in ((1, "persons"), (2, "things")) if bits & bit)

    @property
    def rows(self) -> Tuple[Array, Array]:
        """(offsets, columns): read-only views of private data."""
        out, columns = ffi.new("int64_t **"), ffi.new("int32_t **")
        call("pvg_lists_view_csr", out, columns, self._pointer)
        return (lent(out[0], (self.persons + 1,), np.int64, self), lent(columns[0], (self.size,), np.int32, self))

    def query(self, kind: str, /, **options: Any) -> Any:
        """A query about these lists: `query("top", top=50, epsilon=1)` is `Query("list-top", things=..., ...)`. things:
        those that are looked at, where the kind takes some, by number or by name."""
        from .query import Query
        looked = options.pop("things", None)
        if looked is not None:
            options["things_of"] = self.numbers(looked)
        name = kind if kind.startswith("list-") else "list-" + kind
        return Query(name, things=self.things, order=self.persons, **options)

    def numbers(self, things: Sequence[Union[int, str]]) -> Array:
        """Numbers of things, by number or name."""
        place: Dict[str, int] = {name: i for i, name in enumerate(self.names or ())}
        out: List[int] = []
        for one in things:
            if isinstance(one, str) and one not in place:
                raise ArgumentError(f"{one!r} is not in the catalogue")
            out.append(place[one] if isinstance(one, str) else int(one))
        return np.array(out, dtype=np.int32)

    def name(self, thing: int) -> Union[int, str]:
        """Its name in the catalogue; without one its number."""
        return self.names[int(thing)] if self.names is not None else int(thing)


@callback("int64_t(void *, int64_t, int32_t *, int64_t)", error=-1)
def _read_person(context: Any, person: int, out: Any, capacity: int) -> int:
    read, things = ffi.from_handle(context)
    found = taken(read(person), np.int64, "things")
    if found.ndim != 1 or len(found) > capacity or (len(found) and not 0 <= found.min() <= found.max() < things):
        raise ArgumentError(f"read({person}) gave what are no numbers of things")
    held = found.astype(np.int32)
    ffi.memmove(out, pointer(held), 4 * len(held))
    return len(held)


def _catalogue_text(things: Catalogue) -> Tuple[Optional[Tuple[str, ...]], Any]:
    """The names, and the same as C wants them."""
    if things is None or isinstance(things, (int, np.integer)):
        return None, ffi.NULL
    names = _catalogue(things)
    return names, ffi.new("char[]", "\n".join(names).encode())


def _stand(persons: Optional[int], things: Catalogue, names: Any, text: Any, person_column: int, thing_column: int,
           header: bool, drop_unknown: bool) -> Any:
    """How lists stand in a text."""
    return struct("pvg_lists_options", header=int(header), person_column=person_column, thing_column=thing_column,
                  drop_unknown=int(drop_unknown), persons=0 if persons is None else persons,
                  things=0 if things is None or names is not None else int(things),  # type: ignore[arg-type]
                  catalogue=text)


def _catalogue(things: Sequence[str]) -> Tuple[str, ...]:
    names = tuple(str(one) for one in things)
    if len(set(names)) != len(names):
        raise ArgumentError("the catalogue names a thing twice")
    if any("\n" in name or "\0" in name or not name for name in names):
        raise ArgumentError("a name of the catalogue is empty or has more than one line")
    return names
