"""Which release for which task and budget, from what was measured. Reads no data, spends nothing."""
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

from ._native import encoded, ffi, json_of, struct
from .errors import ArgumentError

__all__ = ["Advice", "Evidence", "advise", "evidence"]


@dataclass(frozen=True)
class Evidence:
    """What a release gave on one measured set.

    Attributes
    ----------
    task, release, command, set : str
        What was measured, and on which set.
    nodes, degree : float
        Of the set: nodes, and neighbours of a node; of sets of graphs the means.
    homophily : float or None
        The share of edges inside a class.
    epsilon, measure : float, str
        At which epsilon, and what the values are.
    without : float or None
        What is had without private edges; None if there is nothing to compare with.
    empty : float or None
        What the same pipeline gave on a graph without edges, if that was measured.
    value, interval : float
        What it gave, and half of the 95 percent interval of the gain, or of the value.
    exact : float or None
        Without noise.
    useful : bool
        Whether the gain was more than chance.

    Examples
    --------
    >>> import privgraph as pg
    >>> row = next(row for row in pg.evidence("classes") if row.set == "Cora" and row.epsilon == 4)
    >>> row.measure, row.value > row.without
    ('percent right', True)
    """

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

    Attributes
    ----------
    task : str
        As it was asked for.
    release, command : str or None
        What to release, and the command of the tool that does it.
    evidence : list of Evidence
        The measured sets most like the data.
    hides : str
        "one link"; for a whole person see the page "An edge or a person?".

    Examples
    --------
    >>> import privgraph as pg
    >>> advice, = pg.advise(1, 20000, task="degrees")
    >>> bool(advice), advice.release
    (True, 'degree distribution')
    """

    task: str
    release: Optional[str]
    command: Optional[str]
    evidence: List[Evidence]
    hides: str = "one link"

    def __bool__(self) -> bool:
        return self.release is not None


def _asked(task: Optional[str], **fields: Any) -> List[Advice]:
    word = None if task is None else ffi.new("char[]", encoded(task))
    told = json_of("pvg_advice_copy_json", struct("pvg_advice_config", task=word, **fields))["advice"]
    return [Advice(one["task"], one["release"], one["command"], [Evidence(**row) for row in one["evidence"]], one["hides"])
            for one in told]


def evidence(task: str) -> List[Evidence]:
    """Everything that was measured for a task, one entry for each release, set and epsilon."""
    if not isinstance(task, str):
        raise ArgumentError(f"task is a {type(task).__name__}, not a word")
    return _asked(task, all=1)[0].evidence


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
    if not degree > 0.0:
        raise ArgumentError("degree must be positive")
    return _asked(task, epsilon=float(epsilon), order=int(order), degree=float(degree),
                  homophily=0.0 if homophily is None else float(homophily), homophily_told=int(homophily is not None))
