"""Graphs reconstructed from a row of numbers per node: PrivX, with its controls."""
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Progress, Run, call, constant, ffi, lent, lib, names_of, pointer, struct,
                      taken)
from .errors import ArgumentError
from .graph import as_graph
from .rng import Rng

__all__ = ["ReconstructReport", "Reconstruction", "reconstruct"]


@dataclass(frozen=True)
class ReconstructReport:  # pylint: disable=too-many-instance-attributes
    """What one score of a reconstruction found.

    Attributes
    ----------
    score : str
        Which.
    windows, cuts : int
        How many windows of nodes were rebuilt, in how many ways the attacker's half was chosen.
    auc, auc_low, auc_high : float
        Mean over windows, and its interval.
    precision_mean, prevalence : float
        Average precision, and the share of pairs that have an edge.
    held_out, chosen : float
        AUC on nodes that the attacker held out; the score it chose by them.
    control, control_auc : str, float
        The best control, which never sees the rows.
    excess, excess_low, excess_high : float
        AUC above that of the control.
    mu_row, mu_edge : float
        The guarantee of a row while the others stay; of an edge, which may move all rows.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> graph = pg.Graph.blocks([60, 60], [[0.5, 0.02], [0.02, 0.5]], 1)
    >>> rows = np.eye(2)[np.repeat([0, 1], 60)]
    >>> report = pg.reconstruct(rows, graph, seed=1, window=10, windows=4, tests=1).report("cosine")
    >>> report.score, report.windows > 0
    ('cosine', True)
    """

    score: str
    windows: int
    cuts: int
    auc: float
    auc_low: float
    auc_high: float
    precision_mean: float
    prevalence: float
    held_out: float
    chosen: float
    control: str
    control_auc: float
    excess: float
    excess_low: float
    excess_high: float
    mu_row: float
    mu_edge: float


def _names() -> Dict[int, str]:
    return {value: name.lower() for name, value in names_of("RECONSTRUCT").items()}


class Reconstruction(Immutable):
    """Pairs of windows of nodes the attacker did not know, their truth, and scores of the attack and
    of every control. Made by `reconstruct`.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> graph = pg.Graph.blocks([60, 60], [[0.5, 0.02], [0.02, 0.5]], 1)
    >>> rows = np.eye(2)[np.repeat([0, 1], 60)]
    >>> found = pg.reconstruct(rows, graph, seed=1, window=10, windows=4, tests=1)
    >>> first, second, truth = found.pairs()
    >>> len(first) == len(second) == len(found.scores("cosine"))
    True
    """

    __slots__ = ()
    _type = "pvg_reconstruction"

    def report(self, score: Union[str, int] = "attack") -> ReconstructReport:
        """Of "attack" (what the attacker chose by nodes it held out), "cosine", "twin", "diffusion", or
        a control: "position", "density", "features", "features_twin", "memoriser", "chance" (random rows)."""
        out = struct("pvg_reconstruct_report")
        call("pvg_reconstruction_copy_report", out, self._pointer, constant("RECONSTRUCT", score, "score"))
        values = {name: getattr(out, name) for name in ReconstructReport.__dataclass_fields__}
        values["score"], values["control"] = _names()[out.score], _names()[out.control]
        return ReconstructReport(**values)

    @property
    def reports(self) -> Dict[str, ReconstructReport]:
        """All that were asked for, by name."""
        every = {name: self.report(name) for name in _names().values()}
        return {name: report for name, report in every.items() if report.windows > 0}

    def pairs(self) -> Tuple[Array, Array, Array]:
        """Nodes (first, second) of every pair and 1 where there is an edge, window by window."""
        first, second = ffi.new("int64_t **"), ffi.new("int64_t **")
        truth = ffi.new("int32_t **")
        call("pvg_reconstruction_view_pairs", first, second, truth, self._pointer)
        count = (int(lib.pvg_reconstruction_count(self._pointer)),)
        return (lent(first[0], count, np.int64, self), lent(second[0], count, np.int64, self),
                lent(truth[0], count, np.int32, self))

    def scores(self, score: Union[str, int] = "attack") -> Array:
        """A number for each pair, the larger the more an edge is suspected."""
        out = ffi.new("double **")
        call("pvg_reconstruction_view_scores", out, self._pointer, constant("RECONSTRUCT", score, "score"))
        return lent(out[0], (int(lib.pvg_reconstruction_count(self._pointer)),), np.float64, self)

    def __repr__(self) -> str:
        report = self.report()
        return f"<Reconstruction: AUC {report.auc:.3f}, {report.control} alone {report.control_auc:.3f}>"


def reconstruct(rows: Any, truth: Any, *, features: Any = None, seed: Union[Rng, int, None] = None,
                threads: int = 0, progress: Optional[Progress] = None, **settings: Any) -> Reconstruction:
    """Reconstructs windows of a public test graph from a row of numbers per node, by an attacker who
    knows the edges among the other half of the nodes. features: for the controls. settings: fields of
    pvg_reconstruct_config (window, windows, tests, cuts, directions, hidden, steps, diffusion, sigma, ...)."""
    graph = as_graph(truth)
    matrix = taken(rows, np.float64, "rows")
    if matrix.ndim != 2 or len(matrix) != graph.order:
        raise ArgumentError(f"rows has shape {matrix.shape}, not one row for each of {graph.order} nodes")
    known = None if features is None else taken(features, np.float64, "features")
    if known is not None and (known.ndim != 2 or len(known) != graph.order):
        raise ArgumentError(f"features has shape {known.shape}, not one row for each of {graph.order} nodes")
    rng = seed if isinstance(seed, Rng) else Rng.secure() if seed is None else Rng.seeded(seed)
    return Reconstruction._make(
        "pvg_attack_reconstruct", pointer(matrix), matrix.shape[1],
        ffi.NULL if known is None else pointer(known), 0 if known is None else known.shape[1], graph._pointer,
        struct("pvg_reconstruct_config", **settings), rng._pointer, run=Run(threads, progress))
