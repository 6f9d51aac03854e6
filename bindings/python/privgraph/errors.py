"""Exceptions: one class per status of the library, each with its message."""
from typing import Dict, Type

__all__ = [
    "PrivGraphError", "ArgumentError", "OutOfMemoryError", "Cancelled", "FileError", "FormatError",
    "LimitError", "NumericError", "PrivacyError", "EntropyError", "VersionError", "InternalError",
    "BudgetError", "UndeclaredError", "SeededError", "BusyError", "MissingError",
    "SnapshotWarning", "RepeatedReleaseWarning", "UnbudgetedWarning", "NothingVisibleWarning", "SlowWarning",
    "SearchStopped",
]


class PrivGraphError(Exception):
    """Any failure of the library. `status` is its name in C, such as "PVG_E_LIMIT"."""

    status: str = "PVG_E_UNKNOWN"


class ArgumentError(PrivGraphError, ValueError):
    """An argument is malformed; the message names it."""

    status = "PVG_E_ARGUMENT"


class OutOfMemoryError(PrivGraphError, MemoryError):
    """There was not enough memory; nothing was changed."""

    status = "PVG_E_NOMEM"


class Cancelled(PrivGraphError):
    """The progress callback asked to stop."""

    status = "PVG_E_CANCELLED"


class FileError(PrivGraphError, OSError):
    """The operating system refused a file operation."""

    status = "PVG_E_IO"


class FormatError(PrivGraphError, ValueError):
    """A file or a text is malformed; the message names file, line and reason."""

    status = "PVG_E_FORMAT"


class LimitError(PrivGraphError, OverflowError):
    """Well formed, but larger than a stated limit."""

    status = "PVG_E_LIMIT"


class NumericError(PrivGraphError, ArithmeticError):
    """A computation left the range of its numbers."""

    status = "PVG_E_NUMERIC"


class BusyError(FileError, BlockingIOError):
    """Another program or ledger has the file: try again later."""

    status = "PVG_E_BUSY"


class MissingError(FileError, FileNotFoundError):
    """There is no such file or folder."""

    status = "PVG_E_MISSING"


class PrivacyError(PrivGraphError):
    """Well formed, but no sound guarantee exists for it. BudgetError, UndeclaredError and SeededError are kinds of it."""

    status = "PVG_E_PRIVACY"


class BudgetError(PrivacyError):
    """The budget of a ledger or session would be exceeded; nothing was paid or drawn."""

    status = "PVG_E_BUDGET"


class UndeclaredError(PrivacyError):
    """What must be public was read off private data, or nobody told it: the nodes, a number of columns, what a query
    reads and does not hide."""

    status = "PVG_E_UNDECLARED"


class SeededError(PrivacyError):
    """Noise of a seeded generator, where only noise that nobody can draw again will do."""

    status = "PVG_E_SEEDED"


class EntropyError(PrivGraphError):
    """The operating system gave no random key; nothing was released."""

    status = "PVG_E_ENTROPY"


class VersionError(PrivGraphError):
    """The library that was found is too old for what was asked."""

    status = "PVG_E_VERSION"


class InternalError(PrivGraphError):
    """A broken invariant of the library: please report."""

    status = "PVG_E_INTERNAL"


class SnapshotWarning(UserWarning):
    """An object is charged under a name that ends in a date or a number. If it is one of several
    snapshots of a network, they need one name and one budget."""


class RepeatedReleaseWarning(UserWarning):
    """A graph is released once more; the message has the running total. Where a filter makes it an error,
    its attribute `releases` has what was drawn."""


class UnbudgetedWarning(UserWarning):
    """A graph is released for the first time and no session or ledger pays. Where a filter makes it an error, its
    attribute `releases` has what was drawn."""


class NothingVisibleWarning(UserWarning):
    """Noise is above the public range of everything that is released: nothing can be learned from it.
    The tool refuses such a release unless it is told --anyway; here filter this warning, or make it an
    error."""


class SlowWarning(UserWarning):
    """Counting may take longer than ten seconds, by a bound from public numbers that most graphs stay far below."""


class SearchStopped(BaseException):
    """A release was refused inside a search or a cross-validation that would have written nan and
    gone on. Not an Exception, because those are what it catches; the refusal is its cause."""


def _by_status(kind: Type[PrivGraphError]) -> Dict[str, Type[PrivGraphError]]:
    found = {kind.status: kind}
    for special in kind.__subclasses__():
        found.update(_by_status(special))
    return found


BY_STATUS: Dict[str, Type[PrivGraphError]] = _by_status(PrivGraphError)
