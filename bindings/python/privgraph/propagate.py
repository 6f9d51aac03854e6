"""Message passing on node features: exact, and along released graphs. `Query("message-passing")` is the private one."""
from typing import Any, Optional

import numpy as np

from ._native import Array, Progress, Run, call, number, pointer, taken
from .errors import ArgumentError
from .graph import Features, Graph, as_features, as_graph
from .layer import Layers

__all__ = ["propagate_exact", "apply_operator_exact", "propagation_rounding", "kprop"]


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


def kprop(released: Any, values: Any, rounds: int, *, threads: int = 0,
          progress: Optional[Progress] = None) -> Array:
    """Smooths released numbers, one row per node, along a released graph or released lists
    (Release.graph, Release.lists), which spends nothing. On private data the outcome is
    private too. For labels, give released labels as one-hot rows."""
    matrix, run = taken(values, np.float64, "values"), Run(threads, progress)
    if isinstance(released, tuple) and not isinstance(released[1], (int, np.integer)):
        offsets = taken(released[0], np.int64, "offsets")
        targets = taken(released[1], np.int32, "targets", (int(offsets[-1]),))
        where: Any = (pointer(offsets), pointer(targets), len(offsets) - 1)
        order, name = len(offsets) - 1, "pvg_kprop_lists"
    else:
        graph: Graph = as_graph(released)
        order, name, where = graph.order, "pvg_kprop_graph", (graph._pointer,)
    if matrix.ndim != 2 or len(matrix) != order:
        raise ArgumentError(f"values has shape {matrix.shape}, not ({order}, columns)")
    out = np.zeros(matrix.shape)
    call(name, pointer(out), *where, pointer(matrix), matrix.shape[1], rounds, run=run)
    return out
