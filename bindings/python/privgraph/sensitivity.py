"""How far one private change can move a density or a layer of message passing, from public
values."""
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._native import Array, call, constant, optional_numbers, pointer, struct
from .layer import Layers
from .pattern import as_patterns

__all__ = ["Assumption", "edge_sensitivity", "edge_sensitivity_published", "density_range",
           "smooth_sensitivity_exact", "smooth_sensitivity_published", "layer_lipschitz",
           "layer_sensitivity", "layer_sensitivity_published"]


@dataclass(frozen=True)
class Assumption:
    """What is publicly known of a private graph.

    Parameters
    ----------
    order : int
        Number of nodes.
    degree_bound : int
        The largest degree, if there is a bound.
    degrees : str
        Where the bound comes from: "any" (there is none), "promised" (all possible inputs have it; the guarantee is
        void for a graph that breaks the promise), "truncated" (the library enforces it).
    least_degree : int
        Promised of what is left when the private edge or node is taken away.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.edge_sensitivity("edge", pg.Assumption(order=101)) * 101**2
    array([2.])
    """

    order: int
    degree_bound: int = 0
    degrees: Union[str, int] = "any"
    least_degree: int = 0

    def _struct(self) -> Any:
        return struct("pvg_assumption", degrees=constant("DEGREES", self.degrees, "degrees"),
                      order=self.order, degree_bound=self.degree_bound,
                      least_degree=self.least_degree)


def _per_pattern(name: str, patterns: Any, assumption: Assumption, *more: Any) -> Array:
    held = as_patterns(patterns)
    out = np.zeros(len(held))
    call(name, pointer(out), held._pointer, assumption._struct(), *more)
    return out


def edge_sensitivity(patterns: Any, assumption: Assumption,
                     relative_error: Optional[Sequence[float]] = None) -> Array:
    """Edge sensitivity of the density of each pattern; rounding errors of computed densities
    (Density.relative_error) are charged here."""
    held = as_patterns(patterns)
    errors, where = optional_numbers(relative_error, len(held), "relative_error")
    return _per_pattern("pvg_sensitivity_edge", held, assumption, where)


def density_range(patterns: Any, assumption: Assumption) -> Array:
    """Largest density of each pattern over the graphs of the assumption."""
    return _per_pattern("pvg_sensitivity_range", patterns, assumption)


def edge_sensitivity_published(patterns: Any, assumption: Assumption) -> Array:
    """The bound of the homomorphism-density paper, for comparison only: it does not hold for
    disconnected patterns nor for a degree bound read off the graph."""
    return _per_pattern("pvg_sensitivity_edge_published", patterns, assumption)


def smooth_sensitivity_exact(patterns: Any, assumption: Assumption, beta: float, max_degree: int,
                             relative_error: Optional[Sequence[float]] = None) -> Array:
    """NOT FOR PUBLICATION: a beta-smooth bound at a graph of that largest degree."""
    held = as_patterns(patterns)
    errors, where = optional_numbers(relative_error, len(held), "relative_error")
    return _per_pattern("pvg_sensitivity_smooth_exact", held, assumption, where, beta, max_degree)


def smooth_sensitivity_published(patterns: Any, assumption: Assumption, beta: float, max_degree: int
                                 ) -> Array:
    """The paper's form, stopped after six edits: not a smooth bound; for comparison only."""
    return _per_pattern("pvg_sensitivity_smooth_published", patterns, assumption, beta, max_degree)


def _per_layer(name: str, layers: Layers, *more: Any) -> Array:
    out = np.zeros(len(layers))
    call(name, pointer(out), layers._pointer, *more)
    return out


def layer_lipschitz(layers: Layers, assumption: Assumption) -> Array:
    """Lipschitz constant of each layer in Frobenius norm over all graphs of the assumption."""
    return _per_layer("pvg_sensitivity_lipschitz", layers, assumption._struct())


def layer_sensitivity(layers: Layers, assumption: Assumption, notion: Union[str, int] = "edge"
                      ) -> Array:
    """How far neighbours of a notion ("edge", "edge-directed", "node", "node-removed") move the
    output of each layer at most."""
    return _per_layer("pvg_sensitivity_layers", layers, assumption._struct(),
                      constant("NOTION", notion, "notion"))


def layer_sensitivity_published(layers: Layers, assumption: Assumption,
                                notion: Union[str, int] = "edge") -> Array:
    """The bounds of the CARIBOU paper, which do not always hold; for comparison only."""
    return _per_layer("pvg_sensitivity_layers_published", layers, assumption._struct(),
                      constant("NOTION", notion, "notion"))
