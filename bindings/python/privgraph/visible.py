"""Whether anything can be seen in a release: public range against noise, before it is drawn."""
import warnings
from typing import Any, Iterable, Union

import numpy as np

from .errors import NothingVisibleWarning

__all__ = ["warn_if_hidden"]


def _warn(name: str, width: float, noise: float, more: str = "") -> None:
    warnings.warn(f"nothing can be seen: noise is above the public range of everything. Best: {name}, "
                  f"range {width:.3g}, noise {noise:.3g}{more}", NothingVisibleWarning, stacklevel=4)


def _embedder(plan: Any, orders: Iterable[int]) -> None:
    best = None
    for order in sorted({int(o) for o in orders if o > 0}, reverse=True):
        known = plan.preview(order)
        if known.scale is None:  # smooth noise: how it compares with the range is private
            return
        noise = np.sqrt(np.diagonal(plan.covariance(order)))
        moves = known.sensitivity > 0
        if not moves.any() or (noise[moves] < known.range[moves]).any():
            return
        if best is None:
            i = int(np.argmax(np.where(moves, known.range / np.where(moves, noise, 1.0), -1.0)))
            best = plan.patterns.names[i], known.range[i], noise[i]
    if best is not None:
        _warn(*best)


def warn_if_hidden(plan: Any, orders: Union[int, Iterable[int]]) -> None:
    """A NothingVisibleWarning if noise is above the public range of every number that an Embedder,
    Propagator or Perturber will release about graphs of these orders: what the tool refuses."""
    from .tradeoff import Tradeoff  # it knows all plans
    each = [orders] if isinstance(orders, (int, np.integer)) else list(orders)
    if plan._type == "pvg_embedder":
        _embedder(plan, each)
        return
    best = None
    for order in sorted({int(o) for o in each if o > 0}, reverse=True):
        tradeoff = Tradeoff(plan, order)
        moving = [i for i in range(len(tradeoff)) if tradeoff[i].verdict != "constant"]
        if tradeoff.informative or not moving:
            return
        if best is None:
            top = max(moving, key=lambda i: tradeoff[i].ratio)
            best = tradeoff.name(top), tradeoff[top]
    if best is not None:
        name, line = best
        _warn(name, line.range, line.noise, f"; it needs epsilon {line.epsilon_min:.3g}"
              if line.epsilon_min < float("inf") else "")
