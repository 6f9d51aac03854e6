"""What follows from released numbers: degree sequences, moments, synthetic graphs. Spends nothing. Each takes a query
and a release that answers it; one that answers another is refused."""
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from ._native import Array, Progress, Run, call, ffi, number, pointer, struct, taken
from .errors import ArgumentError
from .graph import Graph, as_graph
from .ledger import Object, Payer
from .pattern import as_patterns
from .query import Query
from .release import Release
from .rng import Rng, noise_source

__all__ = ["synthesize", "synthesis_graph", "estimate_sequence", "estimate_moments", "estimate_densities",
           "estimate_edges", "estimate_degrees", "estimate_triangles", "estimate_least_edges", "estimate_degree_law",
           "estimate_labels", "estimate_transition", "estimate_variance", "estimate_list_counts", "estimate_list_intervals",
           "estimate_list_directions", "recommend_own"]


def estimate_sequence(query: Query, release: Release, order: int = 0) -> Array:
    """A degree for each node such that a graph with these degrees exists, from a query of degrees or capped-degrees. Which node of a
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


def estimate_least_edges(query: Query, release: Release, order: int = 0, confidence: float = 0.95, row: int = 0) -> float:
    """So many edges there are at least, with this confidence, from a query of capped-edges with cap="auto": the cap
    hides edges, and nothing that hides a node says how many."""
    out = ffi.new("double *")
    call("pvg_estimate_least_edges", out, row, confidence, query._pointer, release._pointer, order)
    return float(out[0])


def estimate_degree_law(query: Query, release: Release) -> Tuple[float, float]:
    """(noise, distance from the geometric law of the same mean), both as shares of nodes, from a query of
    capped-degrees. Where the second is not well above the first, the release tells a mean and nothing else."""
    return _two_numbers("pvg_estimate_degree_law", query._pointer, release._pointer)


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


def synthesize(graph: Any, epsilon: float, *, groups: Optional[Sequence[int]] = None, rng: Optional[Rng] = None,
               object: Optional[Object] = None, ledger: Payer = None, threads: int = 0,
               **options: Any) -> Tuple[Graph, Release]:
    """A synthetic graph with the degrees, edges between public groups, triangles and assortativity of a
    private one, and the release it was made from: pure epsilon edge-DP. No edge is evidence of an edge.
    options: those of `Query("synthesis")`, degrees_share, levels, ..."""
    held = as_graph(graph)
    query = Query("synthesis", order=held.order, groups_of=groups, epsilon=epsilon,
                  allow_seeded=rng is not None and not rng.is_secure, **options)
    release = query.draw(held, object=object, rng=rng, ledger=ledger, threads=threads)
    return synthesis_graph(query, release, rng=rng, threads=threads), release


# --- lists of persons and things ----------------------------------------------------------

def estimate_list_intervals(query: Query, release: Release, confidence: float = 0.95) -> Tuple[Array, Array]:
    """(low, high): where each number lay before noise, with that confidence for each of them; what has no noise of its
    own (which thing) is itself. From any query about lists."""
    low, high = np.zeros(release.shape), np.zeros(release.shape)
    call("pvg_estimate_list_intervals", pointer(low), pointer(high), confidence, query._pointer, release._pointer)
    return low, high


def estimate_list_counts(query: Query, release: Release) -> Array:
    """How many persons have each thing of a list-top with counts, in its order: nearer to the truth than the released
    numbers, as they are known to fall."""
    out = np.zeros(len(release))
    call("pvg_estimate_list_counts", pointer(out), query._pointer, release._pointer)
    return out


def estimate_list_directions(query: Query, release: Release, most: int = 32) -> Tuple[Array, Array]:
    """(vectors, weights): directions of things that are had together, from a query of list-pairs: a row for each that
    stands out of the noise, with a number for each thing of the query, and how much of it can be trusted, in (0, 1]."""
    pairs = release.shape[0]
    places = int(round((1 + (1 + 8 * pairs) ** 0.5) / 2))
    vectors, weights, found = np.zeros((most, places)), np.zeros(most), ffi.new("int64_t *")
    call("pvg_estimate_list_directions", pointer(vectors), pointer(weights), found, most, query._pointer,
         release._pointer, run=Run())
    return vectors[:found[0]].copy(), weights[:found[0]].copy()


def recommend_own(vectors: Array, weights: Array, own: Sequence[int], count: int = 10) -> Tuple[Array, Array]:
    """(things, scores): what goes best with a person's own list, for her alone, on her own device. vectors and weights
    are published; own are her things, as positions among those of the query.

    The result is private against nobody she shows it to: it says what is on her list. It may not be stored centrally,
    ranked on or scored: then it is a release without noise."""
    vectors = taken(vectors, np.float64, "vectors")
    if vectors.ndim != 2 or vectors.shape[1] < 1:
        raise ArgumentError(f"vectors has shape {vectors.shape}, not (directions, places)")
    weights = taken(weights, np.float64, "weights", (len(vectors),))
    mine = taken(own, np.int32, "own")
    out, scores = np.zeros(count, dtype=np.int32), np.zeros(count)
    call("pvg_recommend_own", pointer(out), pointer(scores), count, pointer(vectors), pointer(weights), len(vectors),
         vectors.shape[1], pointer(mine), mine.size)
    return out[out >= 0], scores[out >= 0]
