"""What follows from released numbers: degree sequences, moments, synthetic graphs. Spends nothing."""
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from ._native import Array, Progress, Run, call, pointer, struct, taken
from .errors import ArgumentError
from .graph import Graph, as_graph
from .ledger import Ledger, Object
from .mechanism import Target
from .pattern import as_patterns
from .release import Release
from .rng import Rng, noise_source
from .statistic import Statistic

__all__ = ["degree_sequence", "degree_moments", "degree_densities", "wire", "synthesize"]


def _released(values: Any, statistic: Statistic) -> Array:
    held = taken(values, np.float64, "values").reshape(-1)
    if held.size != statistic.shape[0] * statistic.shape[1]:
        raise ArgumentError(f"values has {held.size} numbers, not {statistic.shape}")
    return held


def degree_sequence(statistic: Statistic, values: Any, order: int) -> Array:
    """A degree for each node such that a graph with these degrees exists. values: as released by
    Statistic.degrees. Which node of a group has which degree is made up."""
    held, out = _released(values, statistic), np.zeros(order, dtype=np.int64)
    call("pvg_degrees_sequence", pointer(out), statistic._pointer, pointer(held), order)
    return out


def degree_moments(statistic: Statistic, values: Any, order: int, count: int = 5) -> Array:
    """Estimated sums of the k-th powers of all degrees, k = 0 .. count - 1."""
    held, out = _released(values, statistic), np.zeros(count)
    call("pvg_degrees_moments", pointer(out), count, statistic._pointer, pointer(held), order)
    return out


def degree_densities(statistic: Statistic, values: Any, patterns: Any, order: int) -> Array:
    """Estimated homomorphism densities of forests: those of an average graph with these degrees."""
    held, listed = _released(values, statistic), as_patterns(patterns)
    out = np.zeros(len(listed))
    call("pvg_degrees_densities", pointer(out), listed._pointer, statistic._pointer, pointer(held), order)
    return out


def wire(statistic: Statistic, values: Any, *, mixing: float = 0.0, rng: Optional[Rng] = None,
         threads: int = 0, progress: Optional[Progress] = None) -> Graph:
    """A random graph with the numbers released by Statistic.synthesis. No edge of it is evidence
    of an edge. Spends nothing: draw as often as you like."""
    held = _released(values, statistic)
    config = struct("pvg_wiring_config", mixing=mixing)
    return Graph._make("pvg_synthesis_draw", statistic._pointer, pointer(held), config,
                       noise_source(rng)._pointer, run=Run(threads, progress))


def synthesize(graph: Any, epsilon: float, *, blocks: Optional[Sequence[int]] = None,
               shares: Sequence[float] = (0.0, 0.0, 0.0, 0.0), rng: Optional[Rng] = None,
               object: Optional[Object] = None, ledger: Optional[Ledger] = None,
               threads: int = 0) -> Tuple[Graph, Release]:
    """A synthetic graph with the degrees, edges between public blocks, triangles and assortativity of a
    private one, and the release it was made from: pure epsilon edge-DP. No edge is evidence of an edge.
    shares: of epsilon, as for Statistic.synthesis."""
    held = as_graph(graph)
    target = Target(epsilon=epsilon, allow_seeded=rng is not None and not rng.is_secure)
    statistic = Statistic.synthesis(held.order, target, blocks=blocks, shares=shares)
    release = statistic.release(held, object=object, rng=rng, ledger=ledger, threads=threads)
    return wire(statistic, release.values, rng=rng, threads=threads), release
