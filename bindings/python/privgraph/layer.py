"""Stacks of message-passing layers, as public descriptions. Nothing here sees a graph."""
from typing import Any, Dict, Optional, Union

import numpy as np

from ._native import (Array, Immutable, call, constant, ffi, lib, name_of, number, pointer, struct, taken)
from .errors import ArgumentError

__all__ = ["Layers"]


def layers_config(operation: Union[str, int], depth: int, settings: Dict[str, Any]) -> Any:
    """The settings of layers whose weights come from elsewhere."""
    for name, prefix in (("activation", "ACTIVATION"), ("rows", "ROWS")):
        if name in settings:
            settings[name] = constant(prefix, settings[name], name)
    try:
        return struct("pvg_layers_config", operation=constant("OPERATOR", operation, "operation"), depth=depth,
                      **settings)
    except KeyError as error:
        raise ArgumentError(f"layers have no setting {error}") from None


class Layers(Immutable):
    """K layers X <- act(C ((1 - a) A^ P(X) + a Mean P(X)) W) + b X_0, as a public description.

    Parameters
    ----------
    operation : str
        How neighbours are summed, A^: "symmetric", "floor", "laplacian", "row" or "sum".
    depth : int
        Number of layers, K.
    weights : array, optional
        Public matrices W, of shape (depth, d, d); None: the identity.
    activation : str
        "none", "relu", "tanh" or "selu".
    rows : str
        What P does to a row: "projected" onto the unit ball or "normalised".
    tau, self_weight, floor : float
        Settings of the operation; 0: the default.
    contraction, mean_weight, residual : float
        C, a and b; 0: the default.

    Examples
    --------
    >>> import privgraph as pg
    >>> layers = pg.Layers("symmetric", depth=2)
    >>> layers, layers.gain(0)
    (<Layers symmetric x 2>, 1.0)
    """

    __slots__ = ()
    _type = "pvg_layers"

    def __init__(self, operation: Union[str, int] = "symmetric", depth: int = 1, *,
                 weights: Any = None, activation: Union[str, int] = "none",
                 rows: Union[str, int] = "projected", tau: float = 0.0, self_weight: float = 0.0,
                 floor: float = 0.0, contraction: float = 0.0, mean_weight: float = 0.0,
                 residual: float = 0.0) -> None:
        config = struct("pvg_layers_config",
                        operation=constant("OPERATOR", operation, "operation"),
                        activation=constant("ACTIVATION", activation, "activation"),
                        rows=constant("ROWS", rows, "rows"), depth=depth, tau=tau,
                        self_weight=self_weight, floor=floor, contraction=contraction,
                        mean_weight=mean_weight, residual=residual)
        stack: Optional[Array] = None
        if weights is not None:
            stack = taken(weights, np.float64, "weights")
            if stack.ndim != 3 or stack.shape[0] != max(depth, 1) or stack.shape[1] != stack.shape[2]:
                raise ArgumentError(f"weights has shape {stack.shape}, not (depth, d, d)")
        self._take("pvg_layers_new", config, ffi.NULL if stack is None else pointer(stack),
                   0 if stack is None else stack.shape[1])

    @property
    def depth(self) -> int:
        """Number of layers."""
        return int(lib.pvg_layers_depth(self._pointer))

    def __len__(self) -> int:
        return self.depth

    @property
    def dimension(self) -> int:
        """Rows of the weight matrices, 0 without."""
        return int(lib.pvg_layers_dimension(self._pointer))

    @property
    def config(self) -> Dict[str, Any]:
        """The settings, defaults filled in."""
        out = struct("pvg_layers_config")
        call("pvg_layers_copy_config", out, self._pointer)
        found = {name: getattr(out, name) for name, _ in ffi.typeof("pvg_layers_config").fields
                 if name not in ("size", "reserved")}
        for name, prefix in (("operation", "OPERATOR"), ("activation", "ACTIVATION"),
                             ("rows", "ROWS")):
            found[name] = name_of(prefix, found[name])
        return found

    def gain(self, layer: int) -> float:
        """How far weights and activation of a layer can move two matrices apart."""
        return number("double", "pvg_layers_gain", self._pointer, layer)

    def __repr__(self) -> str:
        return f"<Layers {self.config['operation']} x {self.depth}>"
