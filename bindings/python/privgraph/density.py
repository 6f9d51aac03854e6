"""Exact homomorphism counts and densities. What ends in _exact must not be published."""
from typing import Any, Optional, Tuple

import numpy as np

from ._native import (Array, Immutable, Progress, Run, call, ffi, lib, number, pointer, struct, taken)
from .errors import ArgumentError
from .graph import Graph, as_graph, as_graphset
from .pattern import Patterns, as_patterns

__all__ = ["Density"]


def _whole(low: Array, high: Array) -> Array:
    """Exact Python integers out of two halves."""
    whole: Array = (high.astype(object) << 64) + low.astype(object)
    return whole


class Density(Immutable):
    """A list of patterns compiled for counting. Depends on the patterns only, hence public.

    Parameters
    ----------
    patterns : str, Patterns or list of networkx graphs
        What to count.
    cycle_eigenvalues : bool
        Densities of long cycles by eigenvalues of the adjacency matrix.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.Density("edge,triangle").count_exact(pg.Graph.clique(4)).tolist()   # NOT FOR PUBLICATION
    [12, 24]
    """

    __slots__ = ("patterns",)
    _type = "pvg_density"
    patterns: Patterns

    def __init__(self, patterns: Any, *, cycle_eigenvalues: bool = False) -> None:
        self.patterns = as_patterns(patterns)
        config = struct("pvg_density_config", cycle_eigenvalues=int(cycle_eigenvalues))
        self._take("pvg_density_new", self.patterns._pointer, config)

    def __len__(self) -> int:
        return int(lib.pvg_density_pattern_count(self._pointer))

    @property
    def products(self) -> int:
        """Steps over all edges of a graph that the trees need together."""
        return int(lib.pvg_density_products(self._pointer))

    @property
    def products_unshared(self) -> int:
        """Steps they would need if every pattern were counted alone."""
        return int(lib.pvg_density_products_unshared(self._pointer))

    def engine(self, index: int) -> str:
        """What counts a pattern: "trees", "cycles", "cliques", "elimination", ..."""
        name = lib.pvg_density_engine(self._pointer, index)
        if name == ffi.NULL:
            raise IndexError(f"there is no pattern {index}")
        return str(ffi.string(name).decode())

    def relative_error(self, index: int, order: int, degree_bound: int) -> float:
        """A public bound on the relative rounding of a density."""
        return number("double", "pvg_density_relative_error", self._pointer, index, order,
                      degree_bound)

    def cost(self, order: int, degree_bound: int) -> Tuple[float, float]:
        """What the densities of one graph cost at most, from public numbers: operations, and
        seconds on one thread of this machine. Most graphs take far less."""
        operations, seconds = ffi.new("double *"), ffi.new("double *")
        call("pvg_density_cost", operations, seconds, self._pointer, order, degree_bound)
        return float(operations[0]), float(seconds[0])

    def evaluate_exact(self, graphs: Any, *, threads: int = 0,
                       progress: Optional[Progress] = None, scratch_limit: int = 0) -> Array:
        """NOT FOR PUBLICATION: densities, one row per graph, one column per pattern; a single
        row for a Graph."""
        run = Run(threads, progress, scratch_limit)
        if isinstance(graphs, Graph):
            out = np.zeros(len(self))
            call("pvg_density_evaluate_graph_exact", pointer(out), self._pointer, graphs._pointer,
                 run=run)
            return out
        held = as_graphset(graphs)
        out = np.zeros((len(held), len(self)))
        call("pvg_density_evaluate_exact", pointer(out), self._pointer, held._pointer, run=run)
        return out

    def count_exact(self, graphs: Any, *, wide: bool = False, threads: int = 0,
                    progress: Optional[Progress] = None, scratch_limit: int = 0) -> Array:
        """NOT FOR PUBLICATION: numbers of homomorphisms, rows and columns as above, as uint64
        (LimitError if one does not fit), or with wide as Python integers of up to 128 bits."""
        run = Run(threads, progress, scratch_limit)
        single = isinstance(graphs, Graph)
        held = graphs if single else as_graphset(graphs)
        low = np.zeros((len(self),) if single else (len(held), len(self)), np.uint64)
        high = np.zeros(low.shape, np.uint64) if wide else None
        call("pvg_density_count_graph_exact" if single else "pvg_density_count_exact",
             pointer(low), ffi.NULL if high is None else pointer(high), self._pointer,
             held._pointer, run=run)
        return low if high is None else _whole(low, high)

    def rooted_exact(self, graph: Any, roots: Any = None, *, threads: int = 0,
                     progress: Optional[Progress] = None) -> Array:
        """NOT FOR PUBLICATION: rooted densities, one row per node, one column per pattern."""
        graph = as_graph(graph)
        given = None if roots is None else taken(roots, np.int32, "roots", (len(self),))
        out = np.zeros((graph.order, len(self)))
        call("pvg_density_rooted_exact", pointer(out), self._pointer,
             ffi.NULL if given is None else pointer(given), graph._pointer,
             run=Run(threads, progress))
        return out

    def edge_exact(self, graph: Any, pairs: Any, *, threads: int = 0,
                   progress: Optional[Progress] = None) -> Array:
        """NOT FOR PUBLICATION: how much each count changes when a pair of nodes (2 x m) is
        joined or parted: one row per pair, as Python integers."""
        graph = as_graph(graph)
        pairs = taken(pairs, np.int64, "pairs")
        if pairs.ndim != 2 or pairs.shape[0] != 2:
            raise ArgumentError(f"pairs has shape {pairs.shape}, not (2, m)")
        low = np.zeros((pairs.shape[1], len(self)), np.uint64)
        high = np.zeros(low.shape, np.uint64)
        call("pvg_density_edge_exact", pointer(low), pointer(high), self._pointer, graph._pointer,
             pointer(pairs[0]), pointer(pairs[1]), pairs.shape[1], run=Run(threads, progress))
        return _whole(low, high)
