"""progress=True: a bar on stderr, or in the cell of a notebook, with the time that is left."""
import sys
import time
from typing import Any, List, Optional

__all__: List[str] = []

_WIDTH, _FIRST, _BETWEEN = 30, 0.5, 0.2  # seconds before it appears, and between two pictures


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


class Bar:
    """A function of the fraction done. What is left is reckoned from the speed of the last seconds: a call may take
    its steps at different speeds."""

    def __init__(self) -> None:
        self._begin = self._shown = time.monotonic()
        self._seen = [(self._begin, 0.0)]
        self._cell: Optional[Any] = None
        self._open = False

    def left(self, now: float, fraction: float) -> float:
        """Seconds until the end, as far as one can tell."""
        while len(self._seen) > 2 and now - self._seen[1][0] > 5.0:
            self._seen.pop(0)
        then, before = self._seen[0]
        speed = (fraction - before) / (now - then) if now > then else 0.0
        return (1.0 - fraction) / speed if speed > 0 else float("inf")

    def __call__(self, fraction: float) -> bool:
        now = time.monotonic()
        left = self.left(now, fraction)
        self._seen.append((now, fraction))
        if now - self._begin < _FIRST or now - self._shown < _BETWEEN and fraction < 1.0:
            return False
        self._shown = now
        full = int(_WIDTH * fraction)
        rest = f", {_time(left)} left" if left < 1e7 and fraction < 1.0 else ""
        self._show(f"[{'#' * full}{'.' * (_WIDTH - full)}] {100 * fraction:3.0f} %, {_time(now - self._begin)}{rest}")
        if fraction >= 1.0:
            self.close()
        return False

    def _show(self, words: str) -> None:
        if "ipykernel" in sys.modules:
            from IPython.display import display
            if self._cell is None:
                self._cell = display({"text/plain": words}, raw=True, display_id=True)
            else:
                self._cell.update({"text/plain": words}, raw=True)
        else:
            sys.stderr.write(f"\r{words:<{_WIDTH + 45}}")
            sys.stderr.flush()
            self._open = True

    def close(self) -> None:
        """Ends the line."""
        if self._open:
            sys.stderr.write("\n")
            self._open = False

    def __del__(self) -> None:
        self.close()
