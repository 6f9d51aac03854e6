"""What can be told about a release before it is drawn, from public numbers: whether anything can be seen in it,
public range against noise; and how long it may take."""
import collections
import warnings
from typing import Any, Iterable, List, Optional, Sequence, Tuple

from .errors import ArgumentError, NothingVisibleWarning, PrivacyError, SlowWarning
from .graph import levels_to_caller

__all__: List[str] = []

Best = Optional[Tuple[str, Any]]


def _hidden(preview: Any) -> Best:
    """The best line where nothing can be seen, else None."""
    moving = [i for i in range(len(preview)) if preview[i].verdict != "constant"]
    if preview.informative or not moving:
        return None
    top = max(moving, key=lambda i: float(preview[i].ratio))
    return preview.name(top), preview[top]


def _warn_of(best: Best) -> None:
    if best is None:
        return
    name, line = best
    more = f"; it needs epsilon {line.epsilon_min:.3g}" if line.epsilon_min < float("inf") else ""
    warnings.warn(f"nothing can be seen: noise is above the public range of everything. Best: {name}, "
                  f"range {line.range:.3g}, noise {line.noise:.3g}{more}", NothingVisibleWarning,
                  stacklevel=levels_to_caller())


def warn_if_hidden(query: Any, orders: Iterable[int]) -> None:
    """A NothingVisibleWarning if noise is above the public range of every number that a query will release about
    graphs of these orders: what the tool refuses."""
    best: Best = None
    for order in sorted({int(o) for o in orders if o > 0}, reverse=True):
        found = query._once(("hidden", order), lambda o=order: _hidden_at(query, o))
        if found is None:
            return
        best = best or found
    _warn_of(best)


def _hidden_at(query: Any, order: int) -> Best:
    try:
        found = _hidden(query.preview(order, brief=True))
        if found:  # what would be enough is searched for where it is told
            found = _hidden(query.preview(order))
        return found
    except PrivacyError:  # smooth noise: how it compares with the range is private
        return None


LONG = 10.0  # seconds


def _seconds(query: Any, orders: Sequence[int]) -> float:
    try:
        return float(query.cost(*orders)[1])
    except ArgumentError:  # something else beside counts
        return 0.0


def warn_if_slow(query: Any, orders: Sequence[int]) -> None:
    """A SlowWarning if counting patterns in graphs of these orders may take long: as the tool says."""
    if query.text.split(" ", 1)[0] != "embed":
        return
    key = ("seconds", orders[0]) if len(orders) == 1 else ("seconds", *sorted(collections.Counter(orders).items()))
    seconds = query._once(key, lambda: _seconds(query, orders))
    if seconds > LONG:
        warnings.warn(f"counting takes up to {seconds:.2g} seconds on this machine, for the worst graphs of these sizes:"
                      " max_degree lowers that, time_limit=SECONDS refuses before anything is paid, progress=True shows"
                      " how far it is", SlowWarning, stacklevel=levels_to_caller())


def warn_of_pipeline(pipeline: Any) -> None:
    """The same for what a pipeline would draw. Each part that shows nothing is told, whatever the others show."""
    for place in range(3):
        preview = pipeline.preview(place)
        if preview is not None:
            _warn_of(_hidden(preview))
