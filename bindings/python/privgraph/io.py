"""Files: graphs, sets of graphs, node-level folders. Files packed with gzip are unpacked on
the way, whether their name says .gz or only the packed file is there."""
import gzip
import io
import os
import weakref
from typing import Any, Dict, Optional, Tuple, Union

from ._native import (Progress, Run, call, callback, constant, encoded, ffi, lib, make_all,
                      name_of, number, struct, text)
from .errors import ArgumentError, LimitError
from .graph import Features, Graph, GraphSet, Labels, edge_policy

__all__ = ["read_graph", "parse_graph", "write_graph", "format_graph", "read_graphset",
           "parse_graphset", "write_graphset", "read_folder", "file_formats", "find_format", "pack_graph"]

Path = Union[str, "os.PathLike[str]"]


def file_formats() -> Dict[str, Tuple[bool, bool, bool]]:
    """For each format: whether it is read, is written, holds sets of graphs."""
    found, which = {}, 1
    while lib.pvg_format_name(which) != ffi.NULL:
        can = lib.pvg_format_can(which)
        found[ffi.string(lib.pvg_format_name(which)).decode()] = (
            bool(can & lib.PVG_CAN_READ), bool(can & lib.PVG_CAN_WRITE), bool(can & lib.PVG_CAN_SETS))
        which += 1
    return found


def find_format(path: Path, data: bytes = b"") -> str:
    """The format of a file by its name and first bytes; "auto" if neither tells."""
    return name_of("FORMAT", number("int32_t", "pvg_format_find", encoded(path), data, len(data)))


class _Files:
    """The file that the library reads, unpacked piece by piece: a graph takes what it keeps of a file, not what the
    file unpacks to. The default limit is that of the program: 64 MiB and 100 times what is packed, 4 GiB at most."""

    def __init__(self, unpack_limit: Optional[int]) -> None:
        self.unpack_limit = unpack_limit
        self.file: Any = None
        self.limit: Optional[int] = None
        self.given = 0
        self.pipes: Dict[str, bytes] = {}  # what came through them, for they can be read once

    def close(self) -> None:
        if self.file is not None:
            self.file.close()
        self.file = None

    def raw(self, name: str) -> Any:
        if name in self.pipes:
            return io.BytesIO(self.pipes[name])
        file = open(name, "rb")
        if file.seekable():
            return file
        with file:
            self.pipes[name] = file.read()
        return io.BytesIO(self.pipes[name])

    def open(self, name: str) -> bool:
        """False: there is no such file."""
        self.close()
        try:
            file = self.raw(name)
        except FileNotFoundError:
            try:
                file = self.raw(name + ".gz")
            except FileNotFoundError:
                return False
        self.file, self.limit, self.given = file, None, 0
        packed = file.read(2) == b"\x1f\x8b"
        if packed:
            bytes_packed = file.seek(0, os.SEEK_END)
            self.limit = self.unpack_limit
            if self.limit is None:
                self.limit = min(1 << 32, (64 << 20) + 100 * bytes_packed)
        file.seek(0)
        if packed:
            self.file = _Unpacked(file)
        return True

    def read(self, name: str, out: Any) -> int:
        count = self.file.readinto(out)
        self.given += count
        if self.limit is not None and self.given > self.limit:
            raise LimitError(f"{name}: more than {self.limit} bytes once unpacked; unpack_limit allows no more")
        return int(count)


class _Unpacked(gzip.GzipFile):
    def __init__(self, file: Any) -> None:
        super().__init__(fileobj=file)
        self.packed = file

    def close(self) -> None:
        super().close()
        self.packed.close()


@callback("int64_t(void *, const char *, int64_t, char *, size_t)", error=-2)
def _read(context: Any, path: Any, offset: int, out: Any, count: int) -> int:
    files, name = ffi.from_handle(context), os.fsdecode(ffi.string(path))
    if out == ffi.NULL:
        files.close()
        return 0
    if offset == 0 and not files.open(name):
        return -1
    return int(files.read(name, ffi.buffer(out, count)))


# What an options struct points to lives as long as the struct.
_kept: "weakref.WeakKeyDictionary[Any, Any]" = weakref.WeakKeyDictionary()


def _options(format: Union[str, int] = "auto", merge: bool = False, drop_loops: bool = False,
             index_base: int = 0, extra_columns: bool = False, order: int = 0,
             order_limit: int = 0, unpack_limit: Optional[int] = None) -> Any:
    files = _Files(unpack_limit)
    handle = ffi.new_handle(files)
    options = struct(
        "pvg_io_options", policy=edge_policy(merge, drop_loops),
        format=constant("FORMAT", format, "format"), index_base=index_base,
        extra_columns=int(extra_columns), order=order, order_limit=order_limit, read=_read,
        load_context=handle)
    _kept[options] = (files, handle)
    return options


def read_graph(path: Path, *, progress: Optional[Progress] = None, threads: int = 0,
               **options: Any) -> Graph:
    """Reads one graph. Options: format ("auto", "edge-list", "matrix-market", "graph6",
    "sparse6", "metis", "csr-file"), merge, drop_loops, index_base, extra_columns, order, order_limit,
    unpack_limit (bytes of a file once gzip is unpacked; 64 MiB and 100 times its packed bytes, 4 GiB at most).

    order: the number of nodes. It is public, so it must be declared: here, or by a first line
    "# order N" of an edge list; the other formats state it, and must agree (Matrix Market may
    state fewer). Without, the order of an edge list is read off the edges, and
    a release of the graph raises PrivacyError."""
    return Graph._make("pvg_graph_read", encoded(path), _options(**options),
                       run=Run(threads, progress))


def pack_graph(path: Path, source: Path, *, memory: int = 0, progress: Optional[Progress] = None, threads: int = 0,
               **options: Any) -> None:
    """Makes a csr file, for `Graph.map`, from a file with more edges than memory: they are sorted with `memory` bytes
    (0: 1 GiB) and with 16 bytes of disk for each edge in the folder of path. options, those of source, as in read_graph.
    The file is complete or not there, and its owner's alone if it is new."""
    call("pvg_graph_pack", encoded(path), encoded(source), _options(**options), memory,
         run=Run(threads, progress))


def parse_graph(data: Union[bytes, str], **options: Any) -> Graph:
    """Reads one graph from memory; options, and what order means, as in read_graph."""
    content = data.encode("utf-8") if isinstance(data, str) else bytes(data)
    return Graph._make("pvg_graph_parse", content, len(content), _options(**options),
                       run=Run())


def write_graph(path: Path, graph: Graph, **options: Any) -> None:
    """Writes one graph; the file is complete or not there. The graph is private. If its order
    was not told, only an edge list can be written: other formats state it (PrivacyError)."""
    call("pvg_graph_write", encoded(path), graph._pointer, _options(**options), run=Run())


def format_graph(graph: Graph, **options: Any) -> str:
    """The text write_graph would write."""
    held = _options(**options)
    return text("pvg_graph_format", graph._pointer, held)


def read_graphset(path: Path, name: Optional[str] = None, *, progress: Optional[Progress] = None,
                  threads: int = 0, **options: Any) -> GraphSet:
    """Reads a set of graphs: a TUDataset folder, or a file with one graph6 or sparse6 line per
    graph. name: of the files in the folder, by default the name of the folder."""
    run, held = Run(threads, progress), _options(**options)
    if os.path.isdir(path):
        return GraphSet._make("pvg_graphset_read_tudataset", encoded(path),
                              ffi.NULL if name is None else ffi.new("char[]", encoded(name)),
                              held, run=run)
    if name is not None:
        raise ArgumentError("name is for folders")
    return GraphSet._make("pvg_graphset_read", encoded(path), held, run=run)


def parse_graphset(data: Union[bytes, str], **options: Any) -> GraphSet:
    """Reads graph6 or sparse6 lines from memory."""
    content = data.encode("utf-8") if isinstance(data, str) else bytes(data)
    return GraphSet._make("pvg_graphset_parse", content, len(content), _options(**options),
                          run=Run())


def write_graphset(path: Path, graphs: GraphSet, name: Optional[str] = None,
                   **options: Any) -> None:
    """Writes a set: as TUDataset files into an existing folder, else into a file with one
    graph6 or sparse6 line per graph."""
    if os.path.isdir(path):
        base = name or os.path.basename(os.path.normpath(os.fspath(path)))
        call("pvg_graphset_write_tudataset", encoded(path), encoded(base), graphs._pointer,
             run=Run())
        return
    held = _options(**options)
    call("pvg_graphset_write", encoded(path), graphs._pointer, held, run=Run())


def read_folder(path: Path, *, features: bool = True, labels: bool = True,
                feature_columns: int = 0, progress: Optional[Progress] = None, threads: int = 0,
                **options: Any) -> Tuple[Graph, Optional[Features], Optional[Labels]]:
    """Reads a node-level folder: edges.txt, and if wanted features.txt and labels.txt. The
    lines of one of these tell the number of nodes; else as for edge lists (read_graph).

    feature_columns: number of features. With 0 the features are as wide as their largest index;
    that depends on them, and no release that hides features takes them (PrivacyError)."""
    held = _options(**options)
    made = make_all([Graph, Features if features else None, Labels if labels else None],
                    "pvg_graph_read_folder", encoded(path), feature_columns, held,
                    run=Run(threads, progress))
    return made[0], made[1], made[2]
