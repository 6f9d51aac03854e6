"""Statements of the homomorphism-density paper as calculators, and the counterexamples to those that do not hold.

`python3 studies/densities_theory.py` prints what docs/papers/densities.md quotes; test/studies/test_densities.py checks
it by enumeration."""
import itertools
import math
from typing import Dict, Iterator, List, Sequence, Tuple

import numpy as np

Edge = Tuple[int, int]


def adjacency(order: int, edges: Sequence[Edge]) -> np.ndarray:
    out = np.zeros((order, order), int)
    for u, v in edges:
        out[u, v] = out[v, u] = 1
    return out


def homs(order: int, edges: Sequence[Edge], graph: np.ndarray) -> int:
    """Homomorphisms of a pattern, by trying all maps: small ones only."""
    return sum(all(graph[at[a], at[b]] for a, b in edges)
               for at in itertools.product(range(len(graph)), repeat=order))


def density(order: int, edges: Sequence[Edge], graph: np.ndarray) -> float:
    return homs(order, edges, graph) / len(graph) ** order


def cut_distance(a: np.ndarray, b: np.ndarray) -> float:
    """Definition 3.2, exact, for graphs of at most 22 nodes: for each S the best T is told by signs."""
    order = len(a)
    if order > 22:
        raise ValueError("the cut distance of more than 22 nodes is not computed by trying all sets")
    change = (a - b).astype(float)
    best, sums = 0.0, np.zeros(order)
    inside = np.zeros(order, bool)
    for step in range(1, 1 << order):  # Gray code: one node enters or leaves S
        node = (step & -step).bit_length() - 1
        inside[node] = not inside[node]
        sums += change[node] if inside[node] else -change[node]
        best = max(best, float(sums[sums > 0].sum()), float(-sums[sums < 0].sum()))
    return best / order ** 2


def edge_distance(a: np.ndarray, b: np.ndarray) -> int:
    return int(np.abs(a - b).sum()) // 2


def printed_sensitivity(order: int, edges: int, nodes: int, degree: int) -> float:
    """Theorem 4.5: 2 e(F) / n^2 (D / n)^(m - 2)."""
    return 2 * edges / nodes ** 2 * (degree / nodes) ** (order - 2)


def two_edges(nodes: int = 5) -> Tuple[float, float]:
    """Theorem 4.5 on the pattern of two disjoint edges: (change by one edge, printed) on two disjoint edges of
    `nodes` nodes, degree 1."""
    graph = adjacency(nodes, [(0, 1), (2, 3)])
    less = adjacency(nodes, [(0, 1)])
    pattern: List[Edge] = [(0, 1), (2, 3)]
    return density(4, pattern, graph) - density(4, pattern, less), printed_sensitivity(4, 2, nodes, 1)


def star_smooth(nodes: int, degree: int, leaves: int, beta: float) -> Tuple[float, float]:
    """Appendix D, "up to 6 edits", of a star with `leaves` leaves: (a lower bound on the smooth sensitivity of a
    graph with that largest degree, what six edits give with Theorem 4.5). k edits at a hub raise its degree to
    degree + k; one more edge there then moves the density by 2 ((d + 1)^leaves - d^leaves) / n^(leaves + 1),
    counting maps of the centre to the hub only."""
    order = leaves + 1
    best = six = 0.0
    for k in range(nodes - 1 - degree):
        d = degree + k
        local = ((d + 1) ** leaves - d ** leaves) / nodes ** order
        best = max(best, math.exp(-beta * k) * local)
    for k in range(7):
        six = max(six, math.exp(-beta * k) * printed_sensitivity(order, leaves, nodes, min(nodes - 1, degree + k + 1)))
    return best, six


def normal(z: float) -> float:
    return 0.5 * math.erfc(-z / math.sqrt(2))


def gauss_delta(sigma: float, epsilon: float) -> float:
    """Of the Gaussian mechanism with sensitivity 1, exact."""
    mu = 1 / sigma
    return normal(-epsilon / mu + mu / 2) - math.exp(epsilon) * normal(-epsilon / mu - mu / 2)


def gauss_printed(epsilon: float, delta: float) -> float:
    """Theorem A.4, printed for every epsilon."""
    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon


def patterns_needed(theta: float, telling: float) -> int:
    """Theorem 4.2: d with (1 - telling)^d <= theta, telling the chance that a drawn pattern has different
    densities in the two graphs. It is about *one pair* of graphs: telling is as small as one likes for others, so
    no d serves all pairs; and it is about exact densities: with noise in them all vectors differ."""
    if not 0 < telling <= 1 or not 0 < theta < 1:
        raise ValueError("chances are between 0 and 1")
    return 1 if telling == 1 else math.ceil(math.log(theta) / math.log1p(-telling))


def predicted_auc(gap: float, sigma: float, spread: float = 0.0) -> float:
    """Proposition C.1; spread: deviation within a class, which the proposition sets to 0."""
    return normal(gap / math.sqrt(2 * (sigma ** 2 + spread ** 2)))


def statements() -> Iterator[Tuple[str, Dict[str, float]]]:
    yield "Theorem 4.5, two edges in 5 nodes", dict(zip(("true", "printed"), two_edges()))
    yield "up to 6 edits, star of 11 leaves, 25 nodes, degree 4, beta .001684", \
        dict(zip(("at least", "six edits"), star_smooth(25, 4, 11, .001684)))
    sigma = gauss_printed(10, 1e-6)
    yield "Theorem A.4, epsilon 10, delta 1e-6", {"sigma": sigma, "true delta": gauss_delta(sigma, 10)}
    yield "Theorem 4.2, theta .05", {f"telling {p}": patterns_needed(.05, p) for p in (.5, .1, .01)}
    yield "Proposition C.1, gap of one sigma", {"AUC": predicted_auc(1, 1), "with spread 1": predicted_auc(1, 1, 1)}
    path, cycle = adjacency(4, [(0, 1), (1, 2), (2, 3)]), adjacency(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
    yield "cut distance of path4 and cycle4", {"cut": cut_distance(path, cycle),
                                               "2 d_edge / n^2": 2 * edge_distance(path, cycle) / 16}


if __name__ == "__main__":
    for name, numbers in statements():
        print(f"{name}:", "  ".join(f"{word} {value:.6g}" for word, value in numbers.items()))
