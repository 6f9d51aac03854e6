"""Explanations of networks: they read private data, and are not for publication."""
from dataclasses import dataclass
from typing import Any, Optional, Tuple, Union

import numpy as np

from ._native import Array, Ints, Progress, Run, call, constant, ffi, pointer, struct, taken
from .errors import ArgumentError
from .network import Dataset, Model
from .rng import Rng

__all__ = ["explain_exact", "Masks", "explain_masks_exact"]


def _nodes(dataset: Dataset, nodes: Optional[Ints]) -> Tuple[Any, Any, int]:
    if nodes is None:
        return None, ffi.NULL, dataset.order
    asked = taken(nodes, np.int64, "nodes")
    if asked.ndim != 1:
        raise ArgumentError(f"nodes has shape {asked.shape}, not a list")
    return asked, pointer(asked), len(asked)


def explain_exact(explainer: Union[str, int], model: Model, dataset: Dataset, nodes: Optional[Ints] = None, *,
                  seed: Union[Rng, int, None] = None, threads: int = 0,
                  progress: Optional[Progress] = None, **settings: Any) -> Array:
    """Why a model says what it says: a row of numbers, one per feature, for each node (None: all).

    explainer: "grad", "grad_input", "grad_ball", "grad_input_ball", "graph_lime", "gnn_explainer";
    settings: fields of pvg_explain_config. seed: of gnn_explainer's start.
    NOT FOR PUBLICATION if anything private is in model or dataset: explanations give edges away."""
    asked, where, count = _nodes(dataset, nodes)
    config = struct("pvg_explain_config", **settings)
    rng = seed if isinstance(seed, Rng) else Rng.secure() if seed is None else Rng.seeded(seed)
    out = np.zeros((count, model.inputs))
    call("pvg_explain_exact", pointer(out), constant("EXPLAINER", explainer, "explainer"), model._pointer,
         dataset._pointer, where, count, config, rng._pointer, run=Run(threads, progress))
    del asked
    return out


@dataclass(frozen=True)
class Masks:
    """What GNNExplainer found.

    Attributes
    ----------
    features : array
        A mask of the features for each node.
    arcs : array or None
        A mask of the arcs for each node, if it was asked for.
    agreement : array
        Of each node the correlation between two random starts.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> graph, features, labels = pg.Graph.cycle(6), np.eye(6), np.arange(6) % 2
    >>> data = pg.Dataset(graph=pg.public(graph), features=pg.public(features), labels=pg.public(labels))
    >>> model = pg.Model.train(pg.Network("gcn classes", 6, 2), data, seed=1, epochs=5)
    >>> masks = pg.explain_masks_exact(model, data, [0], seed=1)
    >>> masks.features.shape, masks.arcs is None
    ((1, 6), True)
    """

    features: Array
    arcs: Optional[Array]
    agreement: Array


def explain_masks_exact(model: Model, dataset: Dataset, nodes: Optional[Ints] = None, *, arcs: bool = False,
                        seed: Union[Rng, int, None] = None, threads: int = 0,
                        progress: Optional[Progress] = None, **settings: Any) -> Masks:
    """GNNExplainer in full: masks of features, of arcs if asked for (nodes x arcs of the dataset), and
    how far two starts agree. NOT FOR PUBLICATION if anything private is in model or dataset."""
    asked, where, count = _nodes(dataset, nodes)
    config = struct("pvg_explain_config", **settings)
    rng = seed if isinstance(seed, Rng) else Rng.secure() if seed is None else Rng.seeded(seed)
    out = Masks(np.zeros((count, model.inputs)), np.zeros((count, dataset.arcs_exact)) if arcs else None,
                np.zeros(count))
    call("pvg_explain_masks_exact", pointer(out.features), pointer(out.arcs) if out.arcs is not None else ffi.NULL,
         pointer(out.agreement), model._pointer, dataset._pointer, where, count, config, rng._pointer,
         run=Run(threads, progress))
    del asked
    return out
