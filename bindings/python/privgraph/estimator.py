"""What scikit-learn asks of an estimator, without scikit-learn."""
import inspect
import reprlib
import sys
from typing import Any, Dict, List

from .errors import ArgumentError

__all__: List[str] = []


def would_be_nan() -> bool:
    """Whether scikit-learn would turn an Exception into nan and go on."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name in ("_fit_and_score", "_score") and \
                frame.f_globals.get("__name__", "").startswith("sklearn.model_selection"):
            return bool(frame.f_locals.get("error_score") != "raise")
        frame = frame.f_back
    return False


def not_fitted(words: str) -> Exception:
    """ArgumentError; where scikit-learn is in use its NotFittedError as well."""
    known = getattr(sys.modules.get("sklearn.exceptions"), "NotFittedError", None)
    if known is None:
        return ArgumentError(words)
    both = type("NotFittedError", (ArgumentError, known), {"__doc__": "Not fitted yet."})
    made: Exception = both(words)
    return made


_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 60
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 3


def _is_default(value: Any, default: Any) -> bool:
    return value is default or type(value) is type(default) and isinstance(value, (int, float, str, tuple)) \
        and bool(value == default)


class Parameters:
    """Parameters are the arguments of the constructor, kept as attributes of the same names."""

    @classmethod
    def _names(cls) -> List[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters
                      if name != "self")

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name."""
        known = self._names()
        for name, value in params.items():
            if name not in known:
                raise ArgumentError(f"there is no parameter {name}; there are {', '.join(known)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        given = [f"{name}={_SHORT.repr(getattr(self, name))}" for name in self._names()
                 if not _is_default(getattr(self, name), defaults[name].default)]
        return f"{type(self).__name__}({', '.join(given)})"
