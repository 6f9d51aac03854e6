"""Tables by Arrow's PyCapsule protocol, from a producer of our own: pyarrow need not be there."""
import ctypes
import time

import numpy as np
import pytest

import privgraph as pg
from privgraph import arrow

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
ffi = arrow._arrow


class Table:
    """Columns of NumPy arrays as one chunk."""

    def __init__(self, as_array=False, release=None, **columns):
        self.columns, self.released, self.live = columns, 0, []
        if as_array:
            self.__arrow_c_array__ = self.both
        else:
            self.__arrow_c_stream__ = self.stream
        del release

    def made(self):
        codes = {"int32": b"i", "int64": b"l", "uint32": b"I", "uint64": b"L", "float64": b"g"}
        schemas, arrays, kept = [], [], []
        for name, values in self.columns.items():
            words = ffi.new("char[]", codes[values.dtype.name]), ffi.new("char[]", name.encode())
            pointers = ffi.new("void *[]", [ffi.NULL, ffi.cast("void *", values.ctypes.data)])
            schemas.append(ffi.new("struct ArrowSchema *", {"format": words[0], "name": words[1]}))
            arrays.append(ffi.new("struct ArrowArray *", {"length": len(values), "n_buffers": 2,
                                                          "buffers": ffi.cast("const void **", pointers)}))
            kept += [words, pointers]
        lists = ffi.new("struct ArrowSchema *[]", schemas), ffi.new("struct ArrowArray *[]", arrays)
        none, code = ffi.new("void *[]", [ffi.NULL]), ffi.new("char[]", b"+s")

        @ffi.callback("void(struct ArrowArray *)")
        def gone(array):
            array.release = ffi.NULL
            self.released += 1

        schema = ffi.new("struct ArrowSchema *", {"format": code, "n_children": len(schemas), "children": lists[0],
                                                  "release": arrow._nothing_schema})
        array = ffi.new("struct ArrowArray *", {
            "length": len(next(iter(self.columns.values()))), "n_buffers": 1, "buffers": ffi.cast("const void **", none),
            "n_children": len(arrays), "children": lists[1], "release": gone})
        self.live.append((schemas, arrays, kept, lists, none, code, gone, schema, array))
        return schema, array

    def stream(self, requested_schema=None):
        once = arrow._Once(*self.made(), None)
        self.live.append(once)
        return _new(int(ffi.cast("uintptr_t", once.stream)), b"arrow_array_stream", None)

    def both(self, requested_schema=None):
        schema, array = self.made()
        return (_new(int(ffi.cast("uintptr_t", schema)), b"arrow_schema", None),
                _new(int(ffi.cast("uintptr_t", array)), b"arrow_array", None))


A, B = np.array([0, 1, 2, 3]), np.array([1, 2, 0, 4])
GRAPH = pg.Graph.from_edges([A, B], 6)


@pytest.mark.parametrize("as_array", [False, True])
@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint32, np.uint64])
def test_numbers(kind, as_array):
    table = Table(as_array, a=A.astype(kind), w=np.ones(4), b=B.astype(kind))
    graph = pg.Graph.from_arrow(table, "a", "b", order=6)
    assert graph == GRAPH and graph.order_declared and table.released == 1
    assert not pg.Graph.from_arrow(table, "a", "b", order=6, declared=False).order_declared


def test_names():
    ids = np.array([70, 60, 50, 40, 30, 20])
    table = Table(a=ids[A], b=ids[B])
    assert pg.Graph.from_arrow(table, "a", "b", nodes=ids.tolist()).edges().tolist() == GRAPH.edges().tolist()
    assert pg.Graph.from_arrow(table, "a", "b", nodes=ids.tolist()).nodes == tuple(ids)
    assert pg.Graph.from_arrow(table, "a", "b", nodes=Table(id=ids)) == GRAPH
    with pytest.raises(pg.ArgumentError, match="column b, row 3: is not among the nodes"):
        pg.Graph.from_arrow(table, "a", "b", nodes=ids[:4].tolist())
    with pytest.raises(pg.ArgumentError, match="another type than nodes"):
        pg.Graph.from_arrow(table, "a", "b", nodes=["Ada", "Bob"])
    with pytest.raises(pg.ArgumentError, match="repeats a name"):
        pg.Graph.from_arrow(table, "a", "b", nodes=[1, 1])


def test_what_is_refused():
    table = Table(a=A, b=B)
    with pytest.raises(pg.ArgumentError, match="no column c"):
        pg.Graph.from_arrow(table, "a", "c", order=6)
    with pytest.raises(pg.ArgumentError, match="row 3: is not in 0"):
        pg.Graph.from_arrow(table, "a", "b", order=4)
    assert table.released == 2 and pg.Graph.from_arrow(table, "a", "b", order=5).size == 4
    with pytest.raises(pg.ArgumentError, match="no __arrow_c_stream__"):
        pg.Graph.from_arrow({"a": A}, "a", "b", order=6)
    with pytest.raises(pg.ArgumentError, match="Arrow type"):
        pg.Graph.from_arrow(Table(a=np.ones(2), b=np.ones(2)), "a", "b", order=6)


def test_large():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 10**5, 10**6, dtype=np.int32), rng.integers(0, 10**5, 10**6, dtype=np.int32)
    begin = time.process_time()
    graph = pg.Graph.from_arrow(Table(a=a, b=b), "a", "b", order=10**5, drop_loops=True)
    print(f"10^6 edges: {time.process_time() - begin:.3f} s of CPU")
    assert graph == pg.Graph.from_edges([a, b], 10**5, drop_loops=True)
