"""The statements of the PrivX paper (Sahoo, Shivottam and Mishra 2026) as calculators: what is printed, and what holds.

Heuristics about attackers, never guarantees. `python3 studies/privx_theory.py` prints every number that
docs/papers/privx.md quotes; test/studies/test_privx.py checks each against an independent computation."""
import math
from typing import Any, Dict, Iterator, NamedTuple, Optional, Tuple

import numpy as np


def normal(z: float) -> float:
    """Standard normal distribution function."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


# --- who attacks: Definitions 1 and 2 ----------------------------------------------------------


class Adversary(NamedTuple):
    """Definition 1: what is known of the mechanism, and how many nodes are observed."""
    sigma_guess: Optional[float]  # None: noise is ignored (type I)
    rho: float                    # share of nodes whose explanations are seen

    @property
    def type(self) -> str:
        """Definition 2."""
        if self.sigma_guess is None:
            return "I (oblivious)"
        return "III (oracle)" if self.rho == 1 else "II (partial, adaptive)"


def observed(order: int, rho: float, rng: np.random.Generator) -> np.ndarray:
    """A uniform subset of round(rho n) nodes, as booleans."""
    seen = np.zeros(order, bool)
    seen[rng.permutation(order)[:round(rho * order)]] = True
    return seen


def guessed_sigma(sigma: float, kappa: float) -> Tuple[float, float]:
    """(least, most) sigma that an attacker may believe in who has epsilon up to a relative error kappa; sigma
    is proportional to 1/epsilon. The proof of Theorem 2 prints sigma (1 +- kappa / 2)."""
    return sigma / (1 + kappa), sigma / (1 - kappa)


# --- Lemma 2, Theorems 1 and 2, Corollary 1 ----------------------------------------------------


def partition(rho: float, order: Optional[int] = None) -> Tuple[float, float, float]:
    """Lemma 2: chances that both, one, none of the ends of an edge are observed; order None: the limit."""
    if order is None:
        return rho * rho, 2 * rho * (1 - rho), (1 - rho) ** 2
    seen, pairs = round(rho * order), order * (order - 1)
    return (seen * (seen - 1) / pairs, 2 * seen * (order - seen) / pairs,
            (order - seen) * (order - seen - 1) / pairs)


def upper(both: float, half: float, none: float, rho: float, order: Optional[int] = None) -> float:
    """Theorem 1, (1): both, half, none must be the best AUCs *of each part*. (2) is half = both."""
    ss, su, uu = partition(rho, order)
    return both * ss + half * su + none * uu


def lower(both: float, none: float, rho: float, order: Optional[int] = None, half: Optional[float] = None) -> float:
    """Theorem 2, (3); with half, the refinement below Lemma 3."""
    ss, su, uu = partition(rho, order)
    return both * ss + (none if half is None else half) * su + none * uu


def bracket_width(both: float, none: float, rho: float) -> float:
    """Corollary 1: upper (2) less lower (3)."""
    return 2 * rho * (1 - rho) * (both - none)


# --- Lemmas 1 and 3 ----------------------------------------------------------------------------


def sign_kept(snr: float) -> float:
    """P(sign(x + sigma Z) = sign x), |x| / sigma = snr."""
    return normal(snr)


def sign_kept_printed(snr: float) -> float:
    """Before (14): 2 Phi(snr / sqrt 2) - 1."""
    return 2 * normal(snr / math.sqrt(2)) - 1


def half_auc(distance: float, sigma: float, spread: float = 0.0) -> float:
    """Lemma 3: best AUC between N(mu0, s) and N(mu1, s) along mu1 - mu0, s = sigma^2 + spread; printed
    without the spread within a class."""
    return normal(distance / math.sqrt(2 * (sigma * sigma + spread)))


# --- Theorem 3, Propositions 1 to 3 ------------------------------------------------------------


def product_variance(variance: float, square: float, sigma: float, width: int) -> float:
    """Of <a + N, b + N'> given an edge: square is the mean of |row|^2 over *ends of edges*."""
    return variance + 2 * sigma ** 2 * square + sigma ** 4 * width


def chebyshev(gap: float, variance: float) -> float:
    """Share of edges above a threshold that is `gap` below their mean, as printed."""
    return max(0.0, 1 - variance / gap ** 2)


def cantelli(gap: float, variance: float) -> float:
    """The one-sided inequality: never less than chebyshev, and never 0."""
    return gap ** 2 / (gap ** 2 + variance)


def vacuous_from(h: float, gamma: float, square: float, variance: float, width: int) -> float:
    """sigma^2 from which (8) says nothing. The paper's crossover is h gamma square."""
    a = (h * gamma * square) ** 2 / 4 - variance
    return max(0.0, (-square + math.sqrt(max(0.0, square ** 2 + width * a))) / width)


def anti_printed(h: float, anti: float) -> float:
    """Proposition 2 at sigma 0: (1 - h) |rho|."""
    return (1 - h) * anti


def anti_holds(h: float, anti: float) -> float:
    """What does hold for rows of length 1, where ends of one class do not have a negative mean product: with
    m = (1 - h) anti - h (at worst products of 1 within a class) the mean of -<a, b>, at least
    m/2 / (1 - m/2) of the edges are below -m/2."""
    mean = (1 - h) * anti - h
    return max(0.0, mean / (2 - mean))


# --- Lemma 4, Proposition 4, Theorem 4, Definition 9 -------------------------------------------


def laplace_kl(width: int = 1) -> float:
    """KL(Laplace || Gauss of the same variance), any scale."""
    return width * (math.log(math.pi) - 1) / 2


def pinsker(width: int) -> float:
    """The printed bound on the total variation."""
    return min(1.0, math.sqrt(laplace_kl(width) / 2))


def bretagnolle_huber(width: int) -> float:
    """One that is below 1 in every dimension."""
    return math.sqrt(-math.expm1(-laplace_kl(width)))


def bayes_gap() -> Tuple[float, float]:
    """Theorem 4's second half is false: (gap of the true positive rates of two Bayes rules, total variation
    of the two laws). No edge: (.9, .1); edge: (.91, .09) or (.89, .11); even odds."""
    none, first, second = np.array([.9, .1]), np.array([.91, .09]), np.array([.89, .11])
    rates = [float(law[law > none].sum()) for law in (first, second)]
    return abs(rates[0] - rates[1]), float(np.abs(first - second).sum() / 2)


def timestep(sigma2: float, kept: np.ndarray, printed: bool = False) -> int:
    """Equation (5): the step t at which rows were noised as much, kept[t] = abar_t. Noise is added to the row
    itself, a step of diffusion shrinks it too: rows must be divided by sqrt(1 + sigma2), and
    1 - abar_t = sigma2 / (1 + sigma2). As printed, 1 - abar_t = sigma2, which has no solution above 1."""
    wanted = sigma2 if printed else sigma2 / (1 + sigma2)
    return int(np.argmin(np.abs(1 - kept - wanted)))


def cosine_schedule(steps: int = 200) -> np.ndarray:
    t = (np.arange(steps + 1) / steps + .008) / 1.008
    kept = np.cos(t * np.pi / 2) ** 2
    return kept / kept[0]


def diffuse(logit: np.ndarray, start: int, kept: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Lines 5 to 10 of Algorithm 1 with the best prediction of the noise that single pairs allow: entries are -1 or 1, logit is
    what the condition says about each, and E(z_0 | z_t) = tanh(logit / 2 + sqrt(abar) z_t / (1 - abar)). Started below the last step
    from noise, as printed, it takes the noise for a state that was shrunk a little, and keeps it."""
    z = rng.standard_normal(logit.shape)
    for t in range(start, 0, -1):
        bar, rest = kept[t], max(1 - kept[t], 1e-9)
        clean = np.tanh(logit / 2 + math.sqrt(bar) * z / rest)
        noise = (z - math.sqrt(bar) * clean) / math.sqrt(rest)
        alpha = max(bar / kept[t - 1], 1e-3)
        z = (z - (1 - alpha) / math.sqrt(rest) * noise) / math.sqrt(alpha)
        if t > 1:
            z = z + math.sqrt(1 - alpha) * rng.standard_normal(z.shape)
    return z


# --- explanations as a release ------------------------------------------------------------------


def rows_moved(degree: int, radius: int) -> int:
    """Nodes within `radius` of one of the ends of an edge, degrees at most `degree` with the edge: each end has degree - 1 other
    neighbours. Rows of other nodes do not see the edge."""
    return 2 * sum((degree - 1) ** step for step in range(radius + 1))


def radius_of(layers: int, scaled: bool, hops: int = 0) -> int:
    """How far from an edge explanations move: `layers` maps over neighbours reach layers - 1 beyond its ends, and one further if
    a message is scaled by the degree of its *sender* (gcn). hops: of GraphLIME, which reads predictions around a node."""
    return layers - 1 + int(scaled) + hops


def explanation_sensitivity(clip: float, asked: int, degree: Optional[int] = None, radius: Optional[int] = None,
                            signed: bool = False) -> float:
    """L2, under one edge, of a table of `asked` explanations cut to length `clip`, of a model that never saw the graph (or saw a
    release of it). Rows of entries >= 0 are at most sqrt 2 clip apart, signed ones 2 clip. degree None: nothing is known, all
    rows may move. For a model that was *trained* on the graph nothing better than that is known."""
    moved = asked if degree is None or radius is None else min(asked, rows_moved(degree, radius))
    return clip * (2.0 if signed else math.sqrt(2.0)) * math.sqrt(moved)


# --- Definitions 3 to 6, measured --------------------------------------------------------------


def homophily(edges: np.ndarray, labels: np.ndarray) -> float:
    """Definition 3; edges: 2 x m; ends without a label do not count."""
    known = (labels[edges] >= 0).all(0)
    return float((labels[edges[0]] == labels[edges[1]])[known].mean())


def edge_fidelity(rows: np.ndarray, edges: np.ndarray, rng: np.random.Generator, draws: int = 4) -> float:
    """Definition 4, ties counting half: is the row of a neighbour nearer (cosine) than that of one who is not?"""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = rows / np.where(lengths > 0, lengths, 1)
    order = len(rows)
    arcs = np.concatenate([edges, edges[::-1]], axis=1)
    joined = set((arcs[0] * order + arcs[1]).tolist())
    right = count = 0.0
    for _ in range(draws):
        other = rng.integers(0, order, arcs.shape[1])
        fine = np.array([o != i and i * order + o not in joined for i, o in zip(arcs[0].tolist(), other.tolist())])
        near = (unit[arcs[0]] * unit[arcs[1]]).sum(1)[fine]
        far = (unit[arcs[0]] * unit[other]).sum(1)[fine]
        right += float((near > far).sum() + (near == far).sum() / 2)
        count += float(fine.sum())
    return right / count


def label_fidelity(predict: Any, features: np.ndarray, rows: np.ndarray, labels: np.ndarray, kept: int) -> float:
    """Definition 5: right predictions when each node keeps its `kept` most important features only.
    predict: features -> class of each node."""
    order = np.argsort(-np.abs(rows), axis=1, kind="stable")[:, :kept]
    cut = np.zeros_like(features)
    np.put_along_axis(cut, order, np.take_along_axis(features, order, 1), 1)
    known = labels >= 0
    return float((predict(cut) == labels)[known].mean())


def sign_fidelity(noisy: np.ndarray, exact: np.ndarray) -> float:
    """As the proof of Lemma 1 uses it: signs that noise left, where there is one."""
    there = exact != 0
    return float((np.sign(noisy) == np.sign(exact))[there].mean())


def statements() -> Iterator[Tuple[str, Dict[str, float]]]:
    """Numbers of the page."""
    yield "Lemma 1, signal to noise 1", {"kept": sign_kept(1), "printed": sign_kept_printed(1)}
    yield "Lemma 2, 50 nodes, rho .5", dict(zip(("both", "one", "none"), partition(.5, 50)))
    yield "Theorem 2, kappa .3", {"relative error of sigma": guessed_sigma(1, .3)[1] - 1, "printed": .15}
    yield "Corollary 1, .774 and .534, rho .5", {"width": bracket_width(.774, .534, .5)}
    yield "Lemma 3, distance 1, sigma 1", {"spread 0": half_auc(1, 1), "spread .5": half_auc(1, 1, .5)}
    yield "Theorem 3, d 1433, h .81, gamma .7", {"vacuous from": vacuous_from(.81, .7, 1, 0, 1433),
                                                 "printed": .81 * .7}
    yield "Proposition 2, h 0, anti .5", {"holds": anti_holds(0, .5), "printed": anti_printed(0, .5)}
    yield "Lemma 4", {"KL": laplace_kl()}
    yield "Proposition 4, d 28", {"Pinsker": pinsker(28), "sqrt(1 - exp(-KL))": bretagnolle_huber(28)}
    yield "explanations, 2 gcn maps, degree 5", {"rows": rows_moved(5, radius_of(2, True)),
                                                 "sensitivity": explanation_sensitivity(1, 10 ** 6, 5, 2)}
    yield "explanations, Cora (degree 168), all 2708", {"sensitivity": explanation_sensitivity(1, 2708, 168, 2),
                                                        "one node": explanation_sensitivity(1, 1)}
    yield "Theorem 4, Bayes rules", dict(zip(("gap", "total variation"), bayes_gap()))


if __name__ == "__main__":
    for name, numbers in statements():
        print(f"{name:40}", "  ".join(f"{word} {value:.6f}" for word, value in numbers.items()))
