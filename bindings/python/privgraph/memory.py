"""What was released before. A transformer that is asked again for the same graph under the same
settings gives the same row again, and spends nothing: a search with five folds and twelve
settings would otherwise draw sixty releases of every graph without a word.

A graph is known by its ledger object or by an identity given when it was made, never by its
content: equal rows for equal contents would tell two worlds apart. The same row comes back also
if the content behind the name has changed.
"""
import atexit
import contextlib
import fcntl
import json
import os
import shutil
import sys
import tempfile
import threading
import warnings
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ._native import Array

from .errors import RepeatedReleaseWarning

__all__ = ["forget_releases"]

Key = str  # of a graph: "object 17" or "graph 93..."


class Memory:
    """Rows by settings and graph, and what each graph has spent. One for the whole process; it
    moves into a folder of its own when something that uses it goes to another process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._clear()

    def _clear(self) -> None:
        self.rows: Dict[Tuple[str, Key], Any] = {}  # whatever JSON can hold
        self.spent: Dict[Key, List[Tuple[float, float]]] = {}
        self._folder: Optional[str] = None
        self._read = 0

    # --- the folder, where there is one ---

    def folder(self) -> str:
        """Where other processes find the memory; made when first asked for."""
        with self._lock:
            if self._folder is None:
                self._folder = tempfile.mkdtemp(prefix="privgraph-memory-")
                atexit.register(shutil.rmtree, self._folder, True)
                known = [{"settings": s, "key": k, "row": row} for (s, k), row in self.rows.items()]
                known += [{"key": k, "cost": cost} for k, costs in self.spent.items()
                          for cost in costs]
                self._append(known)
            return self._folder

    def join(self, folder: str) -> None:
        """In another process: uses what is in the folder."""
        with self._lock:
            if self._folder is None and not self.rows and os.path.isdir(folder):
                self._folder = folder

    def _append(self, notes: Sequence[Dict[str, Any]]) -> None:
        if self._folder is None or not notes:
            return
        with open(os.path.join(self._folder, "notes"), "ab") as file:
            file.write("".join(json.dumps(note) + "\n" for note in notes).encode())
            file.flush()
            self._read = file.tell()

    def _catch_up(self) -> None:
        """What other processes have noted since."""
        assert self._folder is not None
        try:
            with open(os.path.join(self._folder, "notes"), "rb") as file:
                file.seek(self._read)
                for line in file:
                    note = json.loads(line)
                    if "row" in note:
                        self.rows.setdefault((note["settings"], note["key"]), note["row"])
                    else:
                        self.spent.setdefault(note["key"], []).append((note["cost"][0], note["cost"][1]))
                self._read = file.tell()
        except FileNotFoundError:
            pass

    @contextlib.contextmanager
    def open(self) -> Iterator["Memory"]:
        """Nobody else draws meanwhile: whoever comes second finds the row."""
        with self._lock:
            if self._folder is None:
                yield self
                return
            with open(os.path.join(self._folder, "lock"), "ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                self._catch_up()
                yield self

    # --- notes ---

    def note(self, keys: Sequence[Key], epsilon: float, delta: float) -> None:
        """Counts a release of each of the graphs, and warns of those that were released before."""
        again = [key for key in dict.fromkeys(keys) if key in self.spent]
        for key in keys:
            self.spent.setdefault(key, []).append((epsilon, delta))
        self._append([{"key": key, "cost": (epsilon, delta)} for key in keys])
        if not again:
            return
        most = max(again, key=lambda key: sum(cost[0] for cost in self.spent[key]))
        total = np.sum(self.spent[most], axis=0)
        warnings.warn(f"{len(again)} of {len(set(keys))} graphs are released once more, one of them"
                      f" {len(self.spent[most])} times by now: together that is up to epsilon"
                      f" {total[0]:g} at delta {total[1]:g}, not {epsilon:g}",
                      RepeatedReleaseWarning, stacklevel=_levels_out())

    def keep(self, settings: str, keys: Sequence[Key], rows: Array) -> None:
        """The first row of a graph is the one that stays."""
        for key, row in zip(keys, rows.tolist()):
            self.keep_one(settings, key, row)

    def keep_one(self, settings: str, key: Key, row: Any) -> None:
        """The same of one graph."""
        if (settings, key) not in self.rows:
            self.rows[settings, key] = row
            self._append([{"settings": settings, "key": key, "row": row}])


def _levels_out() -> int:
    """stacklevel of the first caller outside this package."""
    here, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == here:
        level, frame = level + 1, frame.f_back
    return level


MEMORY = Memory()


def forget_releases() -> None:
    """Forgets all rows and totals of this process: every graph is drawn anew, and spends again. A
    ledger forgets nothing."""
    with MEMORY._lock:
        MEMORY._clear()
