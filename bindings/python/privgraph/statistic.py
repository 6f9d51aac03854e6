"""Statistics: numbers about a graph that one edge moves little, with noise for the whole vector."""
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._native import Immutable, Progress, Run, call, constant, lib, pointer, struct, taken
from .errors import ArgumentError
from .graph import as_graph
from .guarantee import Promising
from .ledger import Ledger, Object, object_number, paying
from .mechanism import Target
from .release import Release
from .rng import Rng, noise_source

__all__ = ["Statistic"]


def _optional(values: Any, dtype: Any, argument: str, shape: Any) -> Any:
    return None if values is None else taken(values, dtype, argument, shape)


class Statistic(Promising, Immutable):
    """A vector of numbers with noise. All of it is public: it knows its guarantee before it
    sees anything private. In a Target, noise "default" is discrete Laplace here (pure epsilon)."""

    __slots__ = ()
    _type = "pvg_statistic"

    @classmethod
    def tallies(cls, order: int, target: Target, *, kinds: Optional[Sequence[int]] = None,
                priorities: Optional[Sequence[float]] = None,
                groups: Optional[Sequence[int]] = None, weights: Any = None,
                cells: Union[str, int] = "received", kind_count: int = 0, group_count: int = 0,
                grid: float = 0.0) -> "Statistic":
        """Edges counted in public cells; one edge is in one cell, so that the noise does not
        depend on their number.

        cells: "received" counts an edge in (group of the receiver, kind of the sender); whoever has
        the higher priority sends. "between" counts it in the pair of kinds, "both-ways" at both ends.
        kinds, groups: a number for each node, -1 for none; by default every node is its own group.
        weights: order x kinds, in place of kinds. All of it must be public or released before;
        priorities made from degrees would break the guarantee."""
        held = {"priorities": _optional(priorities, np.float64, "priorities", (order,)),
                "kinds": _optional(kinds, np.int32, "kinds", (order,)),
                "groups": _optional(groups, np.int32, "groups", (order,)),
                "weights": None}
        if weights is not None:
            held["weights"] = taken(weights, np.float64, "weights")
            if held["weights"].ndim != 2 or len(held["weights"]) != order:
                raise ArgumentError(f"weights has shape {held['weights'].shape}, not ({order}, kinds)")
            kind_count = held["weights"].shape[1]
        if not kind_count:
            kind_count = 1 if held["kinds"] is None else int(held["kinds"].max(initial=0)) + 1
        if held["groups"] is not None and not group_count:
            group_count = int(held["groups"].max(initial=0)) + 1
        config = struct("pvg_tallies_config", cells=constant("TALLIES", cells, "cells"), order=order,
                        kinds=kind_count, groups=group_count, grid=grid)
        nodes = struct("pvg_tallies_nodes", **{name: None if array is None else pointer(array)
                                               for name, array in held.items()})
        return cls._make("pvg_statistic_new_tallies", config, target._struct(), nodes)

    @property
    def shape(self) -> Any:
        """(rows, columns) of a release."""
        return (lib.pvg_statistic_rows(self._pointer), lib.pvg_statistic_columns(self._pointer))

    def deviations(self) -> np.ndarray:
        """Standard deviation of the noise of each column, before anything is spent."""
        out = np.zeros(self.shape[1])
        call("pvg_statistic_copy_deviation", pointer(out), self._pointer)
        return out

    def values_exact(self, graph: Any, *, threads: int = 0, progress: Optional[Progress] = None
                     ) -> np.ndarray:
        """NOT FOR PUBLICATION: the numbers without noise."""
        held, out = as_graph(graph), np.zeros(self.shape)
        call("pvg_statistic_values_exact", pointer(out), self._pointer, held._pointer,
             run=Run(threads, progress))
        return out

    def release(self, graph: Any, *, object: Optional[Object] = None, rng: Optional[Rng] = None,
                ledger: Optional[Ledger] = None, threads: int = 0,
                progress: Optional[Progress] = None, scratch_limit: int = 0) -> Release:
        """Draws it: rows x columns numbers that may be published."""
        held = as_graph(graph)
        object = held.object if object is None else object
        if ledger is not None and object is None:
            raise ArgumentError("a ledger needs the object that the graph is")
        with paying(ledger) as book:
            return Release._make("pvg_release_draw_statistic", self._pointer, held._pointer,
                                 0 if object is None else object_number(object),
                                 noise_source(rng)._pointer, book,
                                 run=Run(threads, progress, scratch_limit))
