"""Whether anything can be seen in a release: public range against noise, before it is drawn."""
import warnings
from typing import Any, Iterable, List, Optional, Tuple

from ._native import make_all
from .errors import NothingVisibleWarning, PrivacyError
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
        try:
            found = _hidden(query.preview(order, brief=True))
            if found:  # what would be enough is searched for where it is told
                found = _hidden(query.preview(order))
        except PrivacyError:  # smooth noise: how it compares with the range is private
            return
        if found is None:
            return
        best = best or found
    _warn_of(best)


def warn_of_recipe(name: str, *arguments: Any, parts: int = 1) -> None:
    """The same for what a recipe would release: `name`(out, ..., arguments...) makes its previews. Each part
    that shows nothing is told, whatever the others show."""
    from .preview import Preview
    for one in make_all([Preview] * parts, name, *arguments):
        if one is not None:
            _warn_of(_hidden(one))
