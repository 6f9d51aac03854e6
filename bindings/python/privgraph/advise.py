"""Which release for which task and budget, from what was measured. Reads no data, spends nothing."""
from dataclasses import dataclass
from math import log
from typing import Any, Dict, List, Optional, Sequence

from ._advice import FIELDS, ROWS
from .errors import ArgumentError

__all__ = ["Advice", "Evidence", "advise", "evidence"]

TASKS = ("classes", "degrees", "triangles", "graph", "edges", "graphs")
_SHOWN = 2  # sets


@dataclass(frozen=True)
class Evidence:
    """What a release gave on one measured set. without: what is had without private edges, None if there is
    nothing to compare with; exact: without noise; interval: half of the 95 percent interval."""

    task: str
    release: str
    command: str
    set: str
    nodes: float
    degree: float
    epsilon: float
    measure: str
    without: Optional[float]
    value: float
    interval: float
    exact: float
    useful: bool


@dataclass(frozen=True)
class Advice:
    """release and command are None if nothing useful is to be expected."""

    task: str
    release: Optional[str]
    command: Optional[str]
    evidence: List[Evidence]

    def __bool__(self) -> bool:
        return self.release is not None


def _evidence(row: Sequence[Any]) -> Evidence:
    return Evidence(**dict(zip(FIELDS, row)))


_EVIDENCE = [_evidence(row) for row in ROWS]


def _known(task: str) -> str:
    if task not in TASKS:
        raise ArgumentError(f"there is no task {task!r}: {', '.join(TASKS)}")
    return task


def evidence(task: str) -> List[Evidence]:
    """Everything that was measured for a task, one entry for each release, set and epsilon."""
    known = _known(task)
    return [row for row in _EVIDENCE if row.task == known]


def _better(a: Evidence, b: Optional[Evidence]) -> bool:
    if b is None:
        return True
    return a.value < b.value if a.exact == 0.0 else a.value > b.value


def _one(task: str, epsilon: float, order: int, degree: float) -> Advice:
    rows = evidence(task)
    budget = epsilon * (1.0 + 1e-9)
    measured = max([row.epsilon for row in rows if row.epsilon <= budget],
                   default=min(row.epsilon for row in rows))
    rows = [row for row in rows if row.epsilon == measured]
    by_set: Dict[str, Evidence] = {}
    for row in rows:
        if _better(row, by_set.get(row.set)):
            by_set[row.set] = row
    near = sorted(by_set.values(), key=lambda row: abs(log(row.nodes / order)) + abs(log(row.degree / degree)))[:_SHOWN]
    useful = measured <= budget and all(row.useful for row in near)
    return Advice(task, near[0].release if useful else None, near[0].command if useful else None, near)


def advise(epsilon: float, order: int, *, task: Optional[str] = None, degree: float = 10.0) -> List[Advice]:
    """What to release about a graph of `order` nodes with about `degree` neighbours each (a guess that need not
    come from the data), for one task or all: "classes", "degrees", "triangles", "graph", "edges", "graphs".

    Goes by the measured sets most like the data, at the largest measured epsilon not above the one given. An
    Advice is false if nothing useful is to be expected. The same as `privgraph advise`."""
    if not epsilon > 0.0 or order < 1 or not degree > 0.0:
        raise ArgumentError("epsilon, order and degree must be positive")
    return [_one(word, epsilon, order, degree) for word in (TASKS if task is None else (_known(task),))]
