"""Tables that live elsewhere, by Arrow's PyCapsule protocol: pyarrow, Polars, DuckDB, pandas from 2.2 on and others hand
over their columns as they are; none of them is imported here."""
import ctypes
from typing import Any, Callable, List, Optional, Tuple, TypeVar

import cffi
import numpy as np

from ._native import ffi
from .errors import ArgumentError

__all__: List[str] = []

Call = TypeVar("Call", bound=Callable[..., Any])

# The structs of Arrow's C interface, for what hands over one array, and for lists of names.
_arrow = cffi.FFI()
_arrow.cdef("""
struct ArrowSchema { const char *format; const char *name; const char *metadata; int64_t flags; int64_t n_children;
    struct ArrowSchema **children; struct ArrowSchema *dictionary; void (*release)(struct ArrowSchema *);
    void *private_data; };
struct ArrowArray { int64_t length; int64_t null_count; int64_t offset; int64_t n_buffers; int64_t n_children;
    const void **buffers; struct ArrowArray **children; struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *); void *private_data; };
struct ArrowArrayStream { int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *); void (*release)(struct ArrowArrayStream *);
    void *private_data; };
""")

_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class _Once:
    """A stream of one schema and one array, both of which are given away; or were never asked for, and are released."""

    def __init__(self, schema: Any, array: Any, kept: Any) -> None:
        self.schema, self.array, self.kept = schema, array, kept
        self.handle = _arrow.new_handle(self)
        self.stream = _arrow.new("struct ArrowArrayStream *", {
            "get_schema": _get_schema, "get_next": _get_next, "release": _release, "private_data": self.handle})


def _callback(signature: str, **more: Any) -> Callable[[Call], Call]:
    def made(function: Call) -> Call:
        pointer: Call = _arrow.callback(signature, function, **more)
        return pointer

    return made


def _move(out: Any, item: Any) -> None:
    out[0] = item[0]
    item.release = _arrow.NULL


@_callback("int(struct ArrowArrayStream *, struct ArrowSchema *)", error=5)
def _get_schema(stream: Any, out: Any) -> int:
    _move(out, _arrow.from_handle(stream.private_data).schema)
    return 0


@_callback("int(struct ArrowArrayStream *, struct ArrowArray *)", error=5)
def _get_next(stream: Any, out: Any) -> int:
    _move(out, _arrow.from_handle(stream.private_data).array)  # the second time it is released: the end
    return 0


@_callback("void(struct ArrowArrayStream *)")
def _release(stream: Any) -> None:
    own = _arrow.from_handle(stream.private_data)
    for item in (own.schema, own.array):
        if item.release != _arrow.NULL:
            item.release(item)
    stream.release = _arrow.NULL


@_callback("void(struct ArrowSchema *)")
def _nothing_schema(schema: Any) -> None:
    schema.release = _arrow.NULL  # what it points to is Python's


@_callback("void(struct ArrowArray *)")
def _nothing_array(array: Any) -> None:
    array.release = _arrow.NULL


def _of_capsule(capsule: Any, name: bytes, kind: str) -> Any:
    return _arrow.cast(kind, _get_pointer(capsule, name))


class Stream:
    """A stream for one call, and what must live as long. `pointer` goes to the library, which releases it."""

    def __init__(self, data: Any, what: str) -> None:
        if hasattr(data, "__arrow_c_stream__"):
            self._kept: Any = data.__arrow_c_stream__()
            address = _get_pointer(self._kept, b"arrow_array_stream")
        else:
            if hasattr(data, "__arrow_c_array__"):
                capsules = data.__arrow_c_array__()
                self._kept = _Once(_of_capsule(capsules[0], b"arrow_schema", "struct ArrowSchema *"),
                                   _of_capsule(capsules[1], b"arrow_array", "struct ArrowArray *"), capsules)
            elif what == "nodes":
                self._kept = _names(data)
            else:
                raise ArgumentError(f"a {type(data).__name__} has no __arrow_c_stream__: no table that Arrow knows")
            address = int(_arrow.cast("uintptr_t", self._kept.stream))
        self.pointer = ffi.cast("void *", address)


def _names(names: Any) -> _Once:
    """A list of texts, or of whole numbers, as a column."""
    listed = list(names)
    if all(isinstance(name, (int, np.integer)) and not isinstance(name, bool) for name in listed):
        code, buffers = b"l", [np.array(listed, np.int64)]
    elif all(isinstance(name, str) for name in listed):
        texts = [name.encode("utf-8") for name in listed]
        ends = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(one) for one in texts], out=ends[1:])
        code, buffers = b"U", [ends, np.frombuffer(b"".join(texts) + b"\0", np.uint8)]
    else:
        raise ArgumentError("nodes must be texts, or whole numbers")
    format_code = _arrow.new("char[]", code)
    pointers = _arrow.new("void *[]", [_arrow.NULL] + [_arrow.cast("void *", one.ctypes.data) for one in buffers])
    schema = _arrow.new("struct ArrowSchema *", {"format": format_code, "release": _nothing_schema})
    array = _arrow.new("struct ArrowArray *", {
        "length": len(listed), "n_buffers": len(buffers) + 1, "buffers": _arrow.cast("const void **", pointers),
        "release": _nothing_array})
    return _Once(schema, array, (format_code, buffers, pointers))


def streams(edges: Any, nodes: Optional[Any]) -> Tuple[Stream, Optional[Stream]]:
    return Stream(edges, "edges"), None if nodes is None else Stream(nodes, "nodes")
