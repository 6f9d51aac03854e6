"""The border: finds the library, turns statuses into exceptions, lends memory to NumPy.

Everything else in this package calls the library through the few functions here. cffi in
ABI mode releases the GIL during every call.
"""
import functools
import json
import os
import re
import threading
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Literal, Optional, Sequence, Tuple, Type, TypeVar, Union,
                    overload)

import numpy as np

from . import errors
from ._version import VERSION

if TYPE_CHECKING:
    import numpy.typing as npt
    Array = npt.NDArray[Any]
else:
    Array = np.ndarray  # numpy.typing takes as long as the rest of this module
Ints = Union[Sequence[int], Array]

SONAME = "libprivgraph.so.0"
LEARN_SONAME = "libprivgraph-learn.so.0"
_HERE = os.path.dirname(os.path.abspath(__file__))
_TREE = os.path.normpath(os.path.join(_HERE, "..", "..", ".."))


def _interface() -> Any:
    """The declarations of the library, as make_ffi.py wrote them: parsing C takes half a second."""
    try:
        from ._ffi import ffi as installed
        return installed
    except ImportError:
        headers, maker = os.path.join(_TREE, "include"), os.path.join(_HERE, "..", "make_ffi.py")
        if not (os.path.isfile(os.path.join(headers, "api.py")) and os.path.isfile(maker)):
            raise ImportError("the package has no declarations: install it with pip or Meson, or"
                              " use it inside the source tree") from None
    import runpy
    ready = os.path.join(_TREE, "build", "bindings", "python", "_ffi.py")
    folder = os.path.join(headers, "privgraph")
    newest = max(os.path.getmtime(os.path.join(folder, name)) for name in os.listdir(folder))
    if os.path.isfile(ready) and os.path.getmtime(ready) > newest:
        return runpy.run_path(ready)["ffi"]
    import contextlib
    import io
    import tempfile
    with tempfile.TemporaryDirectory() as place, contextlib.redirect_stdout(io.StringIO()):
        path = os.path.join(place, "_ffi.py")
        runpy.run_path(maker)["write"](path, headers)
        return runpy.run_path(path)["ffi"]


def _candidates() -> List[str]:
    """Where the library may be, best first. PRIVGRAPH_LIBRARY, if set, is the only one."""
    chosen = os.environ.get("PRIVGRAPH_LIBRARY")
    if chosen:
        return [chosen]
    found = []
    inside = os.path.join(_HERE, "_lib", SONAME)  # a wheel that carries it
    if os.path.exists(inside):
        return [inside]
    if os.path.isfile(os.path.join(_TREE, "include", "privgraph.h")):  # a source tree
        built = os.path.join(_TREE, "build", "lib", SONAME)
        found += [built] if os.path.exists(built) else []
    try:
        from ._place import FOLDER
        found.append(os.path.join(FOLDER, SONAME))  # installed together
    except ImportError:
        pass
    found.append(SONAME)
    return found


def _asked() -> Iterator[str]:
    """Where else it may be; whom to ask takes time, so only if it is not found without."""
    import ctypes.util
    import subprocess
    try:
        folder = subprocess.run(["pkg-config", "--variable=libdir", "privgraph"], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True).stdout.strip()
        yield os.path.join(folder, SONAME)
    except (OSError, subprocess.CalledProcessError):
        pass
    named = ctypes.util.find_library("privgraph")
    if named:
        yield named


def _places() -> Iterator[str]:
    first = _candidates()
    yield from first
    if first[-1] == SONAME:
        yield from _asked()


# Handles may be finalized at the very end, when this module is gone already: the libraries stay mapped.
_STAY = getattr(os, "RTLD_NOW", 0) | getattr(os, "RTLD_NODELETE", 0)


def _load() -> Tuple[Any, str]:
    """The library and where it was found."""
    failures = []
    for place in _places():
        try:
            opened = ffi.dlopen(place, _STAY)
        except OSError as error:
            failures.append(str(error))
            continue
        version = ffi.string(opened.pvg_version_string()).decode()
        if version == VERSION:
            return opened, place
        failures.append(f"{place} is version {version}, this package is {VERSION}")
    raise ImportError("libprivgraph was not found; install it or set PRIVGRAPH_LIBRARY to the"
                      " path of libprivgraph.so:\n  " + "\n  ".join(failures))


def _load_learn() -> Any:
    """libprivgraph-learn of the same build: beside the other, or where the loader looks."""
    beside = os.path.join(os.path.dirname(LIBRARY), LEARN_SONAME)
    try:
        return ffi.dlopen(beside if os.path.exists(beside) else LEARN_SONAME, _STAY)
    except OSError as error:
        raise errors.PrivGraphError(
            f"networks, learning, attacks and audits are in {LEARN_SONAME}, which was not found beside {LIBRARY}"
            f" (Debian: libprivgraph-learn0): {error}") from None


class _Libraries:
    """The functions and constants of both libraries. The second is opened by the first use of something
    from it."""

    def __init__(self, core: Any) -> None:
        self._core, self._learn = core, None

    def __getattr__(self, name: str) -> Any:
        try:
            found = getattr(self._core, name)
        except ffi.error:  # declared, and not in there
            if self._learn is None:
                self._learn = _load_learn()
            found = getattr(self._learn, name)
        setattr(self, name, found)  # found at once the next time
        return found

    def __dir__(self) -> List[str]:
        return list(dir(self._core))


ffi = _interface()
_core, LIBRARY = _load()
lib = _Libraries(_core)

# --- statuses -------------------------------------------------------------------------

_thread = threading.local()


_C_WORDS = ((re.compile(r"^pvg_\w+: "), ""),
            (re.compile(r"\b(?:config|target|input|run|term|arguments|options|out|log|values)->"), ""),
            (re.compile(r"\bis NULL\b"), "is missing"))
# Functions that messages name, as Python calls them (a test knows all of them).
_HERE_CALLED = {"pvg_graph_pack": "pack_graph", "pvg_graph_write": "write_graph", "pvg_ledger_claim": "Ledger.claim",
                "pvg_model_save": "Model.save", "pvg_model_train": "Model.train", "pvg_pipeline_read": "Pipeline.read",
                "pvg_pipeline_read_exact": "Pipeline.read_exact", "pvg_query_copy_json": "Query.describe",
                "pvg_release_pay": "distributed.draw"}


@functools.lru_cache(maxsize=None)
def _dashed(table: str) -> Any:
    """Options of a table of kinds that have a dash in their name, as a pattern."""
    told = json_of(table)
    rows = told["kinds"] + [told["common"]]
    names = {option["name"] for row in rows for option in row["options"] if "-" in option["name"]}
    return re.compile(r"(?<![\w-])(?:" + "|".join(sorted(names, key=len, reverse=True)) + r")(?![\w-])")


def message() -> str:
    """Why the last failed call of this thread failed, in the words of this package."""
    told = str(ffi.string(lib.pvg_error_message()).decode("utf-8", "replace"))
    table = next((f"pvg_{kind}_copy_kinds" for kind in ("query", "pipeline") if told.startswith(f"pvg_{kind}_")), None)
    if table is not None:
        told = _dashed(table).sub(lambda found: found.group().replace("-", "_"), told)
    for pattern, words in _C_WORDS:
        told = pattern.sub(words, told)
    return re.sub(r"\bpvg_\w+", lambda found: _HERE_CALLED.get(found.group(), found.group()), told)


def check(status: int) -> None:
    """Raises what a negative status stands for. An exception that was raised inside a
    callback of the call, KeyboardInterrupt included, is raised as it is."""
    raised = getattr(_thread, "raised", None)
    if raised is not None:
        _thread.raised = None
        raise raised
    if status == 0:
        return
    name = ffi.string(lib.pvg_status_name(status)).decode()
    error = errors.BY_STATUS.get(name, errors.PrivGraphError)(message())
    error.status = name
    raise error


def keep_exception(_kind: Any, value: Any, _traceback: Any) -> None:
    """onerror of callbacks: keeps what was raised for `check`."""
    _thread.raised = value


def callback(signature: str, error: Any = None) -> Callable[[Callable[..., Any]], Any]:
    """Makes a function of the library's side of the border; what it raises, `check` raises."""
    made: Callable[[Callable[..., Any]], Any] = ffi.callback(signature, error=error,
                                                             onerror=keep_exception)
    return made


# --- handles --------------------------------------------------------------------------

class _Keeper:
    """A destructor that only keeps an owner. It must not look at it: in a garbage cycle the
    owner may be gone already."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __call__(self, _pointer: Any) -> None:
        pass


H = TypeVar("H", bound="Handle")


class Handle:
    """An object of the library. It is freed when Python drops it, in any order."""

    __slots__ = ("_pointer", "__weakref__")
    _type = ""  # "pvg_graph", ...
    _pointer: Any

    def __init__(self, *_arguments: Any, **_options: Any) -> None:
        import inspect
        kind = type(self)
        ways = [name for name in dir(kind) if not name.startswith("_")
                and isinstance(inspect.getattr_static(kind, name), classmethod)]
        first = [name for name in ways if name.startswith("from_")] + \
            [name for name in ways if not name.startswith("from_")]
        raise TypeError(f"{kind.__name__}(...) makes nothing; use " +
                        (", ".join(f"{kind.__name__}.{name}" for name in first)
                         or "the function or method that gives you one"))

    @classmethod
    def _own(cls: Type[H], out: Any) -> H:
        """Wraps what a call wrote to `out` (a `pvg_x **`); the object frees it."""
        self = cls.__new__(cls)
        self._pointer = ffi.gc(out[0], getattr(lib, cls._type + "_free"))
        return self

    @classmethod
    def _lend(cls: Type[H], lent_pointer: Any, owner: Any) -> H:
        """Wraps an object that belongs to another, which it keeps alive."""
        out = ffi.new(cls._type + " **", ffi.cast(cls._type + " *", lent_pointer))
        self = cls._own(out)
        ffi.gc(self._pointer, None)  # the owner frees it
        self._pointer = ffi.gc(out[0], _Keeper(owner))
        return self

    @classmethod
    def _make(cls: Type[H], name: str, *arguments: Any, run: Optional["Run"] = None) -> H:
        """Calls `name`(out, arguments..., [run]) and wraps the result."""
        made: H = make_all([cls], name, *arguments, run=run)[0]
        return made

    def _take(self, name: str, *arguments: Any, run: Optional["Run"] = None) -> None:
        """The same for a constructor: this object becomes the result."""
        self._pointer = self._make(name, *arguments, run=run)._pointer

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled")


class Immutable(Handle):
    """A handle that never changes: copies are the object itself."""

    __slots__ = ()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, _memo: Any) -> Any:
        return self


def call(name: str, *arguments: Any, run: Optional["Run"] = None) -> None:
    """Calls a function that returns a status, with `run` last if given."""
    if run is not None:
        arguments += (run.pointer,)
    check(getattr(lib, name)(*arguments))


def make_all(kinds: Sequence[Any], name: str, *arguments: Any, run: Optional["Run"] = None
             ) -> List[Any]:
    """Calls `name`(out, ..., arguments..., [run]) with one `out` per class of handles, None
    for an output that is not wanted, and wraps the results. Nothing is lost if a callback
    raised though the call itself succeeded."""
    outs = [ffi.NULL if kind is None else ffi.new(kind._type + " **") for kind in kinds]
    if run is not None:
        arguments += (run.pointer,)
    status = getattr(lib, name)(*outs, *arguments)
    made = [kind._own(out) if kind is not None and out[0] != ffi.NULL else None
            for kind, out in zip(kinds, outs)]
    check(status)
    return made


# --- long calls -----------------------------------------------------------------------

Progress = Union[bool, Callable[[float], Any]]


def _watcher(progress: Optional[Progress]) -> Optional[Callable[[float], Any]]:
    """True: a bar with the time that is left."""
    if progress is True:
        from .bar import Bar
        return Bar()
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise errors.ArgumentError(f"progress is a {type(progress).__name__}, not True or a function of the fraction")
    return progress


@callback("int32_t(void *, double)", error=1)
def _report(context: Any, fraction: float) -> int:
    # Python handles signals when it runs: that is here, so that Ctrl-C ends a long call.
    progress = ffi.from_handle(context).progress
    return 1 if progress is not None and progress(fraction) else 0


class Run:
    """How a long call runs: threads, progress callback, scratch memory.

    progress=True shows a bar with the time that is left. A function gets the fraction done, at most ten times a second. If it returns something
    true the call raises Cancelled; if it raises, the call raises the same.
    """

    __slots__ = ("pointer", "progress", "_handle", "__weakref__")

    def __init__(self, threads: int = 0, progress: Optional[Progress] = None,
                 scratch_limit: int = 0, time_limit: int = 0) -> None:
        self.progress = _watcher(progress)
        threads, scratch_limit = int(threads), int(scratch_limit)
        self._handle = ffi.new_handle(self)
        self.pointer = struct("pvg_run", threads=threads, scratch_limit=scratch_limit, time_limit=time_limit,
                              progress=_report, progress_context=self._handle)


def struct(kind: str, /, **fields: Any) -> Any:
    """A config struct with its size set; fields that are None stay zero."""
    values = {name: value.item() if isinstance(value, np.generic) else value
              for name, value in fields.items() if value is not None}
    try:
        return ffi.new(kind + " *", dict(values, size=ffi.sizeof(kind)))
    except (OverflowError, TypeError) as error:
        for name, value in values.items():
            try:
                ffi.new(kind + " *", {name: value})
            except (OverflowError, TypeError):
                raise errors.ArgumentError(f"{name} is {value!r}: {error}") from None
        raise errors.ArgumentError(str(error)) from None


# --- constants ------------------------------------------------------------------------

@functools.lru_cache(maxsize=None)
def names_of(prefix: str) -> Dict[str, int]:
    """The constants PVG_<prefix>_*, by the rest of their name in small letters."""
    start = f"PVG_{prefix}_"
    return {name[len(start):].lower().replace("_", "-"): getattr(lib, name)
            for name in dir(lib) if name.startswith(start)}


def constant(prefix: str, value: Union[str, int], argument: str) -> int:
    """A constant by its name ("gaussian", PVG_NOISE_GAUSSIAN) or as the number it is."""
    if not isinstance(value, str):
        return int(value)
    names = names_of(prefix)
    try:
        return names[value.lower().replace("_", "-")]
    except KeyError:
        raise errors.ArgumentError(
            f"{argument} is {value!r}; it must be one of {', '.join(sorted(names))}") from None


def name_of(prefix: str, value: int) -> str:
    """The other way round."""
    for name, number in names_of(prefix).items():
        if number == value:
            return name
    return str(value)


# --- arrays and text ------------------------------------------------------------------

_C_TYPES = {np.dtype(np.int64): "int64_t[]", np.dtype(np.int32): "int32_t[]",
            np.dtype(np.uint64): "uint64_t[]", np.dtype(np.uint8): "uint8_t[]",
            np.dtype(np.float64): "double[]", np.dtype(np.float32): "float[]"}


def pointer(array: Array) -> Any:
    """The memory of a C-contiguous array; it keeps the array alive. Nothing is copied."""
    return ffi.from_buffer(_C_TYPES[array.dtype], array)


def _refuse_change(given: Array, dtype: Any, argument: str) -> None:
    whole = dtype.kind in "iu"
    if given.dtype.kind not in ("biu" if whole else "biuf"):
        raise errors.ArgumentError(f"{argument} has entries of type {given.dtype}, not {dtype}")
    if whole and not (np.iinfo(dtype).min <= int(given.min())
                      and int(given.max()) <= np.iinfo(dtype).max):
        raise errors.ArgumentError(f"{argument} has entries that do not fit in {dtype}")


def taken(values: Any, dtype: Any, argument: str, shape: Optional[Tuple[int, ...]] = None
          ) -> Array:
    """An array as the library takes it. Copied only if type or layout differ; numbers that
    would change by it are refused."""
    given = np.asarray(values)
    dtype = np.dtype(dtype)
    if given.dtype != dtype:
        if given.size and not np.can_cast(given.dtype, dtype, "safe"):
            _refuse_change(given, dtype, argument)
        given = given.astype(dtype)
    given = np.ascontiguousarray(given)
    if shape is not None and given.shape != shape:
        raise errors.ArgumentError(f"{argument} has shape {given.shape}, not {shape}")
    return given


class _Lent:
    """What NumPy asks for memory that belongs to a handle; the array keeps it, and with it
    the handle."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, address: int, shape: Tuple[int, ...], dtype: Any, owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape,
                                    "typestr": dtype.str}


def lent(where: Any, shape: Tuple[int, ...], dtype: Any, owner: Any) -> Array:
    """A read-only array over memory of the library that keeps its owner alive."""
    dtype = np.dtype(dtype)
    if where == ffi.NULL or 0 in shape:
        empty = np.zeros(shape, dtype)
        empty.flags.writeable = False
        return empty
    return np.asarray(_Lent(int(ffi.cast("uintptr_t", where)), shape, dtype, owner))


def text(name: str, *arguments: Any) -> str:
    """The text a function `name`(out, capacity, length, arguments...) writes."""
    length = ffi.new("size_t *")
    function = getattr(lib, name)
    check(function(ffi.NULL, 0, length, *arguments))
    while True:
        capacity = length[0] + 1
        out = ffi.new("char[]", capacity)
        status = function(out, capacity, length, *arguments)
        if status == lib.PVG_E_LIMIT and length[0] >= capacity:  # it has grown meanwhile
            continue
        check(status)
        return str(ffi.string(out).decode("utf-8"))


def json_of(name: str, *arguments: Any) -> Dict[str, Any]:
    """The same for a function that writes JSON."""
    found: Dict[str, Any] = json.loads(text(name, *arguments))
    return found


@overload
def number(kind: Literal["double"], name: str, *arguments: Any, run: Optional[Run] = None) -> float: ...
@overload
def number(kind: Literal["int32_t", "int64_t", "uint64_t"], name: str, *arguments: Any,
           run: Optional[Run] = None) -> int: ...


def number(kind: str, name: str, *arguments: Any, run: Optional[Run] = None) -> Any:
    """The number that `name`(out, arguments...) writes to its first argument."""
    out = ffi.new(kind + " *")
    call(name, out, *arguments, run=run)
    return out[0]


def encoded(value: Union[str, "os.PathLike[str]"]) -> bytes:
    """A path or a text as the library takes it."""
    data = os.fsencode(value)
    if b"\0" in data:
        raise errors.ArgumentError("a text holds a NUL character")
    return data


def optional_numbers(values: Optional[Sequence[float]], count: int, argument: str) -> Any:
    """(array or None, its pointer or NULL) for an optional vector of `count` doubles."""
    if values is None:
        return None, ffi.NULL
    array = taken(values, np.float64, argument, (count,))
    return array, pointer(array)
