"""Graphs from edges that come in pieces, and where messages of the library go."""
from typing import Any, Callable, Optional

import numpy as np

from ._native import Handle, Progress, Run, callback, call, constant, ffi, name_of, pointer, struct, taken
from .errors import ArgumentError
from .graph import Graph, edge_policy

__all__ = ["GraphBuilder", "log_to"]


class GraphBuilder(Handle):
    """A graph under construction, for edges that do not fit into one array or come from a stream.

    Parameters
    ----------
    order : int
        Number of nodes.
    merge, drop_loops, declared : bool
        As in `Graph.from_edges`. With merge=True, memory does not grow with how often edges repeat.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> builder = pg.GraphBuilder(order=6)
    >>> for piece in (np.array([[0, 1], [1, 2]]), np.array([[3, 4, 5], [4, 5, 3]])):
    ...     builder.add(piece[0], piece[1])
    >>> builder.finish()
    <Graph of 6 nodes>
    """

    __slots__ = ()
    _type = "pvg_graph_builder"

    def __init__(self, order: int, *, merge: bool = True, drop_loops: bool = False,
                 declared: bool = True) -> None:
        self._take("pvg_graph_builder_new", order, edge_policy(merge, drop_loops, declared))

    def add(self, sources: Any, targets: Any) -> None:
        """Adds a piece: two arrays of end points of the same length. Arrays of int32 and int64 are
        not copied on the way. An error names piece and edge; nothing of the piece is then taken."""
        narrow = all(getattr(ends, "dtype", None) == np.int32 for ends in (sources, targets))
        kind = np.int32 if narrow else np.int64
        first, second = taken(sources, kind, "sources"), taken(targets, kind, "targets")
        if first.ndim != 1 or first.shape != second.shape:
            raise ArgumentError(f"sources has shape {first.shape}, targets {second.shape}")
        call("pvg_graph_builder_add_int32" if narrow else "pvg_graph_builder_add", self._pointer,
             pointer(first), pointer(second), len(first))

    def finish(self, *, threads: int = 0, progress: Optional[Progress] = None) -> Graph:
        """The graph of all pieces. The builder is empty afterwards, also on failure."""
        return Graph._make("pvg_graph_builder_finish", self._pointer, run=Run(threads, progress))


_written: Optional[Callable[[str, str], Any]] = None


@callback("void(void *, int32_t, const char *)")
def _write(_context: Any, level: int, message: Any) -> None:
    if _written is not None:
        _written(name_of("LOG", level), ffi.string(message).decode("utf-8", "replace"))


_hook: Any = None


def log_to(write: Optional[Callable[[str, str], Any]], level: str = "info") -> None:
    """Calls write("info" or "warning", message) for what the library has to say: charges, seeded
    draws, releases in which nothing can be seen. Never anything that depends on private data.
    None: no more. The level of the first call stays.

        log_to(lambda level, message: logging.getLogger("privgraph").log(
            {"info": logging.INFO, "warning": logging.WARNING}[level], message))
    """
    global _written, _hook
    if _hook is None and write is not None:
        hook = struct("pvg_log", level=constant("LOG", level, "level"), write=_write)
        call("pvg_log_set", hook)
        _hook = hook
    _written = write
