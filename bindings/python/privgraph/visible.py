"""Whether anything can be seen in a release: public range against noise, before it is drawn."""
import warnings
from typing import Any, Iterable, List, Optional, Tuple, Union

import numpy as np

from ._native import make_all
from .errors import NothingVisibleWarning, PrivacyError
from .graph import levels_to_caller

__all__ = ["warn_if_hidden"]

Best = Optional[Tuple[str, Any]]


def _warn(name: str, width: float, noise: float, more: str = "") -> None:
    warnings.warn(f"nothing can be seen: noise is above the public range of everything. Best: {name}, "
                  f"range {width:.3g}, noise {noise:.3g}{more}", NothingVisibleWarning, stacklevel=levels_to_caller())


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


def _hidden(tradeoff: Any) -> Best:
    """The best line where nothing can be seen, else None."""
    moving = [i for i in range(len(tradeoff)) if tradeoff[i].verdict != "constant"]
    if tradeoff.informative or not moving:
        return None
    top = max(moving, key=lambda i: float(tradeoff[i].ratio))
    return tradeoff.name(top), tradeoff[top]


def _warn_of(best: Best) -> None:
    if best is not None:
        name, line = best
        _warn(name, line.range, line.noise, f"; it needs epsilon {line.epsilon_min:.3g}"
              if line.epsilon_min < float("inf") else "")


def warn_if_hidden(plan: Any, orders: Union[int, Iterable[int]]) -> None:
    """A NothingVisibleWarning if noise is above the public range of every number that a Query, Embedder,
    Propagator, Perturber or Statistic will release about graphs of these orders: what the tool refuses."""
    from .tradeoff import Tradeoff  # it knows all plans
    each = [orders] if isinstance(orders, (int, np.integer)) else list(orders)
    if plan._type == "pvg_embedder":
        _embedder(plan, each)
        return
    best: Best = None
    for order in sorted({int(o) for o in each if o > 0}, reverse=True):
        try:
            found = _hidden(plan.preview(order, brief=True) if plan._type == "pvg_query" else Tradeoff(plan, order))
        except PrivacyError:  # smooth noise: how it compares with the range is private
            return
        if found is None:
            return
        best = best or found
    _warn_of(best)


def warn_of_recipe(name: str, *arguments: Any, parts: int = 1) -> None:
    """The same for what a recipe would release: `name`(out, ..., arguments...) makes its tradeoffs. Each part
    that shows nothing is told, whatever the others show."""
    from .tradeoff import Tradeoff
    for one in make_all([Tradeoff] * parts, name, *arguments):
        if one is not None:
            _warn_of(_hidden(one))
