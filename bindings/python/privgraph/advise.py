"""Which release for which task and budget, from what was measured. Reads no data, spends nothing."""
from dataclasses import dataclass
from math import log
from typing import Any, Dict, List, Optional, Sequence

from ._advice import FIELDS, ROWS
from .errors import ArgumentError

__all__ = ["Advice", "Evidence", "advise", "evidence"]

TASKS = ("classes", "degrees", "triangles", "graph", "edges", "graphs")
_SHOWN = 2  # sets
_SLACK = 1.5  # by which they may be less like than the nearest


@dataclass(frozen=True)
class Evidence:
    """What a release gave on one measured set. without: what is had without private edges, None if there is
    nothing to compare with; empty: what the same pipeline gave on a graph without edges, if that was measured;
    exact: without noise; interval: half of the 95 percent interval of the gain, or of the value; homophily: the
    share of edges inside a class."""

    task: str
    release: str
    command: str
    set: str
    nodes: float
    degree: float
    homophily: Optional[float]
    epsilon: float
    measure: str
    without: Optional[float]
    empty: Optional[float]
    value: float
    interval: float
    exact: Optional[float]
    useful: bool


@dataclass(frozen=True)
class Advice:
    """What to release for one task. False, with release and command None, if nothing useful is to be expected.
    It hides one link; for a whole person see the page "An edge or a person?"."""

    task: str
    release: Optional[str]
    command: Optional[str]
    evidence: List[Evidence]
    hides: str = "one link"

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


def _better(a: Evidence, b: Evidence) -> bool:
    """By epsilon first: of a set the largest that the budget allows, or else the smallest."""
    if a.epsilon != b.epsilon:
        return a.epsilon > b.epsilon
    return a.value < b.value if a.exact == 0.0 else a.value > b.value


def _unlike(row: Evidence, order: int, degree: float, homophily: Optional[float]) -> float:
    mixed = 0.0 if homophily is None or row.homophily is None else 4.0 * abs(row.homophily - homophily)
    return abs(log(row.nodes / order)) + abs(log(row.degree / degree)) + mixed


def _one(task: str, epsilon: float, order: int, degree: float, homophily: Optional[float]) -> Advice:
    rows = evidence(task)
    budget = epsilon * (1.0 + 1e-9)
    affordable = [row for row in rows if row.epsilon <= budget]
    least = min(row.epsilon for row in rows)
    by_set: Dict[str, Evidence] = {}
    for row in affordable or [row for row in rows if row.epsilon == least]:
        if row.set not in by_set or _better(row, by_set[row.set]):
            by_set[row.set] = row
    ranked = sorted(((_unlike(row, order, degree, homophily), row) for row in by_set.values()), key=lambda pair: pair[0])
    near = [row for far, row in ranked[:_SHOWN] if far <= ranked[0][0] + _SLACK]
    useful = bool(affordable) and all(row.useful for row in near)
    return Advice(task, near[0].release if useful else None, near[0].command if useful else None, near)


def advise(epsilon: float, order: int, *, task: Optional[str] = None, degree: float = 10.0,
           homophily: Optional[float] = None) -> List[Advice]:
    """What to release about a graph of `order` nodes with about `degree` neighbours each (a guess that need not
    come from the data), for one task or all: "classes", "degrees", "triangles", "graph", "edges", "graphs".

    One link or a person? That question comes first: everything here hides one link. homophily, for classes, is the
    share of edges inside a class if that is public or was released (`edge-histogram`, `group-ratio`). Goes by the
    measured sets most like the data, each at its largest measured epsilon not above the one given. An Advice is
    false if nothing useful is to be expected: if on one of these sets the release gained no more than chance. The
    same as `privgraph advise`.

    Examples
    --------
    >>> import privgraph as pg
    >>> [advice.release for advice in pg.advise(1, 3000, task="edges")]
    [None]
    >>> pg.advise(1, 20000, task="degrees")[0].command
    'privgraph stats --degrees 32,N'
    """
    if not epsilon > 0.0 or order < 1 or not degree > 0.0:
        raise ArgumentError("epsilon, order and degree must be positive")
    if homophily is not None and not 0.0 <= homophily <= 1.0:
        raise ArgumentError("homophily must be in [0, 1]")
    return [_one(word, epsilon, order, degree, homophily) for word in (TASKS if task is None else (_known(task),))]
