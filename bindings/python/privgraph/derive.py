"""What follows from released numbers: degree sequences, moments, synthetic graphs. Spends nothing."""
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from ._native import Array, Progress, Run, call, ffi, number, pointer, struct, taken
from .errors import ArgumentError
from .graph import Graph, as_graph
from .ledger import Ledger, Object
from .mechanism import Target
from .pattern import as_patterns
from .query import Query
from .release import Release
from .rng import Rng, noise_source
from .statistic import Statistic

__all__ = ["degree_sequence", "degree_moments", "degree_densities", "wire", "synthesize", "estimate_sequence",
           "estimate_moments", "estimate_densities", "estimate_edges", "estimate_degrees", "estimate_triangles",
           "estimate_labels", "estimate_transition", "estimate_variance", "synthesis_graph"]


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


# --- from a query and a release that answers it; one that answers another is refused ---

def estimate_sequence(query: Query, release: Release, order: int = 0) -> Array:
    """A degree for each node such that a graph with these degrees exists, from a query of degrees. Which node of a
    group has which degree is made up. order: needed if the query is for any."""
    out = np.zeros(order or query.order, dtype=np.int64)
    call("pvg_estimate_sequence", pointer(out), query._pointer, release._pointer, order)
    return out


def estimate_moments(query: Query, release: Release, order: int = 0, count: int = 5) -> Array:
    """Estimated sums of the k-th powers of all degrees, k = 0 .. count - 1, from a query of degrees."""
    out = np.zeros(count)
    call("pvg_estimate_moments", pointer(out), count, query._pointer, release._pointer, order)
    return out


def estimate_densities(query: Query, release: Release, patterns: Any, order: int = 0) -> Array:
    """Estimated homomorphism densities of forests, from a query of degrees: those of an average graph."""
    listed = as_patterns(patterns)
    out = np.zeros(len(listed))
    call("pvg_estimate_densities", pointer(out), listed._pointer, query._pointer, release._pointer, order)
    return out


def _two_numbers(name: str, *arguments: Any, run: Optional[Run] = None) -> Tuple[float, float]:
    out = ffi.new("double[2]")
    call(name, out, out + 1, *arguments, run=run)
    return out[0], out[1]


def estimate_edges(query: Query, release: Release) -> Tuple[float, float]:
    """(estimate, its variance) of the number of edges of the private graph, unbiased, from a query of response."""
    return _two_numbers("pvg_estimate_edges", query._pointer, release._pointer)


def estimate_degrees(query: Query, release: Release) -> Tuple[Array, Array]:
    """(estimates, their variances) of the degree of every node, from a query of response."""
    order = release.graph.order
    out, variances = np.zeros(order), np.zeros(order)
    call("pvg_estimate_degrees", pointer(out), pointer(variances), query._pointer, release._pointer)
    return out, variances


def estimate_triangles(query: Query, release: Release, *, threads: int = 0,
                       progress: Optional[Progress] = None) -> Tuple[float, float]:
    """(estimate, its variance) of the number of triangles, from a query of response."""
    return _two_numbers("pvg_estimate_triangles", query._pointer, release._pointer, run=Run(threads, progress))


def estimate_labels(query: Query, release: Release) -> Tuple[Array, Array]:
    """(estimates, their variances) of the number of users in each class, unbiased, from a query of labels."""
    out, variances = np.zeros(query._whole("classes")), np.zeros(query._whole("classes"))
    call("pvg_estimate_labels", pointer(out), pointer(variances), query._pointer, release._pointer)
    return out, variances


def estimate_transition(query: Query) -> Array:
    """Entry [c, a]: the chance that a user of class c answers a, of a query of labels."""
    out = np.zeros((query._whole("classes"), query._whole("classes")))
    call("pvg_estimate_transition", pointer(out), query._pointer)
    return out


def estimate_variance(query: Query, column: int, value: float) -> float:
    """Variance of the released number of a column whose true value is `value`, of a query of features."""
    return number("double", "pvg_estimate_variance", query._pointer, column, value)


def synthesis_graph(query: Query, release: Release, *, mixing: float = 0.0, rng: Optional[Rng] = None,
                    threads: int = 0, progress: Optional[Progress] = None) -> Graph:
    """A random graph with the numbers that a query of synthesis released. No edge of it is evidence of an edge.
    Draw as often as you like."""
    return Graph._make("pvg_synthesis_graph", query._pointer, release._pointer,
                       struct("pvg_wiring_config", mixing=mixing), noise_source(rng)._pointer,
                       run=Run(threads, progress))
