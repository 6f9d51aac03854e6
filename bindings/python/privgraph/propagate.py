"""Message passing on node features: exact, and private with a guarantee."""
from dataclasses import dataclass
from typing import Any, NamedTuple, Optional, Union

import numpy as np

from ._native import (Array, Immutable, Progress, Run, call, constant, lib, name_of, number, pointer,
                      struct, taken)
from .errors import ArgumentError
from .graph import Features, as_features, as_graph
from .layer import Layers
from .ledger import Ledger, Object
from .mechanism import Target
from .release import Release, drawn, truncation_note
from .rng import Rng
from .sensitivity import Premise

__all__ = ["propagate_exact", "apply_operator_exact", "propagation_rounding", "Propagator",
           "PropagationPreview", "PropagationLayers"]


def _matrix(x: Any, order: int, dtype: Any) -> Array:
    matrix = taken(x, dtype, "x")
    if matrix.ndim != 2 or len(matrix) != order:
        raise ArgumentError(f"x has shape {matrix.shape}, not ({order}, columns)")
    return matrix


def propagate_exact(layers: Layers, graph: Any, x: Any, *, threads: int = 0,
                    progress: Optional[Progress] = None, scratch_limit: int = 0) -> Array:
    """NOT FOR PUBLICATION: all layers of a stack, from a dense matrix or from Features."""
    graph, run = as_graph(graph), Run(threads, progress, scratch_limit)
    if isinstance(x, Features) or hasattr(x, "tocsr"):
        held = as_features(x)
        out = np.zeros((graph.order, held.shape[1]))
        call("pvg_propagate_features_exact", pointer(out), layers._pointer, graph._pointer,
             held._pointer, run=run)
        return out
    matrix = _matrix(x, graph.order, np.float64)
    out = np.zeros(matrix.shape)
    call("pvg_propagate_exact", pointer(out), layers._pointer, graph._pointer, pointer(matrix),
         matrix.shape[1], run=run)
    return out


def apply_operator_exact(layers: Layers, graph: Any, x: Any, *, threads: int = 0,
                         progress: Optional[Progress] = None) -> Array:
    """NOT FOR PUBLICATION: the operator of the layers alone, once. Numbers of 32 bits stay
    what they are."""
    graph = as_graph(graph)
    single = np.asarray(x).dtype == np.float32
    matrix = _matrix(x, graph.order, np.float32 if single else np.float64)
    out = np.zeros(matrix.shape, matrix.dtype)
    call("pvg_propagate_apply_float_exact" if single else "pvg_propagate_apply_exact",
         pointer(out), layers._pointer, graph._pointer, pointer(matrix), matrix.shape[1],
         run=Run(threads, progress))
    return out


def propagation_rounding(layers: Layers, layer: int, order: int, columns: int,
                         degree_bound: int = 0) -> float:
    """A public bound on the rounding of one layer, in Frobenius norm."""
    return number("double", "pvg_propagate_rounding", layers._pointer, layer, order, degree_bound,
                  columns)


@dataclass(frozen=True)
class PropagationPreview:
    """What a release will be, before any budget is spent."""

    method: str
    columns: int
    mu: float
    epsilon: float
    scale: float
    grid: float
    output_noise: float
    other_noise: float
    sensitivity: float
    gamma: float
    note: str = ""


class PropagationLayers(NamedTuple):
    """Per layer: Lipschitz constant, sensitivity, standard deviation of its noise."""

    gammas: Array
    shifts: Array
    scales: Array


class Propagator(Immutable):
    """Everything about private message passing that is public: layers, premise, budget.

    For graphs of exactly premise.order nodes with `columns` features. method: "perturbed" (noise
    after every layer, the last state released), "output" (noise on the last state), "hops" (all
    states released) or "auto", whichever of the first two needs less noise. change: what is
    hidden, "edge", "edge-directed", "node-removed", "node-replaced"; at edge level features are
    public, or protected by other means. scale: noise instead of a budget. l1_rows: pull rows into
    the L1 ball, which allows Laplace noise for one plain sum (pure epsilon, and less of it).
    """

    __slots__ = ("layers", "columns", "_note")
    _type = "pvg_propagator"
    layers: Layers
    columns: int
    _note: str

    def __init__(self, layers: Layers, premise: Premise, columns: int, target: Target, *,
                 method: Union[str, int] = "auto", change: Union[str, int] = "edge",
                 published: bool = False, scale: float = 0.0, l1_rows: bool = False) -> None:
        self.layers, self.columns = layers, columns
        config = struct("pvg_propagator_config",
                        method=constant("PROPAGATION", method, "method"),
                        change=constant("CHANGE", change, "change"), published=int(published),
                        scale=scale, l1_rows=int(l1_rows))
        assumed = premise._struct()
        self._note = truncation_note(assumed.degrees, assumed.degree_bound)
        self._take("pvg_propagator_new", layers._pointer, assumed, columns, config,
                   target._struct())

    def preview(self) -> PropagationPreview:
        """Noise, sensitivity and guarantee of a release."""
        out = struct("pvg_propagation_preview")
        call("pvg_propagator_preview", out, self._pointer)
        return PropagationPreview(name_of("PROPAGATION", out.method), out.columns, out.mu,
                                  out.epsilon, out.scale, out.grid, out.output_noise,
                                  out.other_noise, out.sensitivity, out.gamma, self._note)

    def layer_table(self) -> PropagationLayers:
        """What every layer does and gets."""
        depth = int(lib.pvg_propagator_depth(self._pointer))
        columns = [np.zeros(depth) for _ in range(3)]
        call("pvg_propagator_copy_layers", *map(pointer, columns), self._pointer)
        return PropagationLayers(*columns)

    def release(self, graph: Any, features: Any, *, object: Optional[Object] = None,
                rng: Optional[Rng] = None, ledger: Optional[Ledger] = None, threads: int = 0,
                progress: Optional[Progress] = None, scratch_limit: int = 0) -> Release:
        """Private message passing: one row per node, in the order of graph.nodes."""
        held, matrix = as_graph(graph), as_features(features)
        return drawn(self, "pvg_release_draw_propagation", held, object, rng, ledger,
                     Run(threads, progress, scratch_limit), matrix._pointer)._of(held)
