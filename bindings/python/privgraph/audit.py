"""What a release leaks, measured. An audit can refute a guarantee, never prove one."""
from dataclasses import dataclass
from typing import Any, Callable, Optional, Tuple

import numpy as np

from ._native import Progress, Run, call, callback, ffi, number, pointer, struct, taken

__all__ = ["Verdict", "audit_scores", "audit_game", "audit_ceiling", "reidentify", "interval"]


@dataclass(frozen=True)
class Verdict:
    """What a distinguishing game found.

    Attributes
    ----------
    epsilon_lower : float
        The true epsilon is at least this, with the given confidence.
    auc, separation : float
        Area under the curve of the scores, and how far their means are apart in standard deviations.
    true_positive, false_positive : float
        Of the threshold that gives epsilon_lower.
    confidence, delta : float
        As they were asked for.
    runs : int
        Runs in each world.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> noise = np.random.default_rng(1).laplace(size=(2, 4000))  # of scale 1: epsilon 1
    >>> verdict = pg.audit_scores(noise[0], noise[1] + 1, delta=0.0, confidence=0.95)
    >>> 0.5 < verdict.epsilon_lower < 1
    True
    """

    epsilon_lower: float
    auc: float
    separation: float
    true_positive: float
    false_positive: float
    confidence: float
    delta: float
    runs: int


def _verdict(out: Any) -> Verdict:
    return Verdict(out.epsilon_lower, out.auc, out.separation, out.true_positive,
                   out.false_positive, out.confidence, out.delta, out.runs)


def audit_scores(first: Any, second: Any, delta: float, confidence: float = 1 - 1e-9) -> Verdict:
    """Judges scores of two worlds that differ in one edge."""
    first = taken(first, np.float64, "first")
    second = taken(second, np.float64, "second", first.shape)
    out = struct("pvg_audit_verdict")
    call("pvg_audit_scores", out, pointer(first), pointer(second), len(first), delta, confidence)
    return _verdict(out)


@callback("int32_t(void *, int32_t, int64_t, double *)", error=1)
def _play(context: Any, world: int, run: int, score: Any) -> int:
    score[0] = ffi.from_handle(context)(world, run)
    return 0


def audit_game(play: Callable[[int, int], float], runs: int, delta: float,
               confidence: float = 1 - 1e-9, *, progress: Optional[Progress] = None) -> Verdict:
    """Calls play(world, run) for both worlds (0: the edge is absent, 1: present) and judges
    the scores it returns."""
    out, handle = struct("pvg_audit_verdict"), ffi.new_handle(play)
    call("pvg_audit_game", out, _play, handle, runs, delta, confidence, run=Run(0, progress))
    return _verdict(out)


def audit_ceiling(mu: float) -> Tuple[float, float]:
    """(AUC, separation) that Gaussian DP with mu permits at most."""
    auc, separation = ffi.new("double *"), ffi.new("double *")
    call("pvg_audit_ceiling", auc, separation, mu)
    return auc[0], separation[0]


def reidentify(released: Any, known: Any, top: int = 1, *, threads: int = 0,
               progress: Optional[Progress] = None) -> float:
    """Share of released rows whose own row is among the nearest `top` of the known ones."""
    released = taken(released, np.float64, "released")
    known = taken(known, np.float64, "known", released.shape)
    rows, columns = released.shape
    return number("double", "pvg_audit_reidentify", pointer(released), pointer(known), rows,
                  columns, top, run=Run(threads, progress))


def interval(hits: int, trials: int, confidence: float = 0.975) -> Tuple[float, float]:
    """One-sided Clopper-Pearson bounds, each with the given confidence."""
    lower, upper = ffi.new("double *"), ffi.new("double *")
    call("pvg_audit_interval", lower, upper, hits, trials, confidence)
    return lower[0], upper[0]
