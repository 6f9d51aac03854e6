"""Statistics: numbers about a graph that one edge moves little, with noise for the whole vector."""
from typing import Any, Optional, Sequence, Union

import numpy as np

from ._native import (Array, Immutable, Ints, Progress, Run, call, constant, ffi, lib, pointer, struct,
                      taken)
from .errors import ArgumentError, PrivacyError
from .graph import Graph, as_graph, as_graphset
from .guarantee import Promising
from .ledger import Ledger, Object
from .mechanism import Target
from .release import Release, drawn
from .rng import Rng

__all__ = ["Statistic", "doubled"]


def _optional(values: Any, dtype: Any, argument: str, shape: Any) -> Any:
    return None if values is None else taken(values, dtype, argument, shape)


def _lent(array: Optional[Array]) -> Any:
    return ffi.NULL if array is None else pointer(array)


def doubled(arcs: Any, order: int) -> Graph:
    """A directed graph as an undirected one of 2 x order nodes: arc (u, v) is the edge {u, order + v}, node u
    as one that points and node order + v as one that is pointed at. One arc is one edge, so what hides
    edges of it hides arcs; arcs both ways are two. For `Statistic.arcs`. arcs: (2, count), loops allowed."""
    held = np.array(arcs, dtype=np.int64).reshape(2, -1)
    if held.size and not 0 <= held.min() <= held.max() < order:
        raise ArgumentError(f"an arc has an end outside [0, {order})")
    return Graph.from_edges(held + np.array([[0], [order]]), 2 * order)


class Statistic(Promising, Immutable):
    """A vector of numbers with noise. All of it is public: it knows its guarantee before it
    sees anything private. In a Target, noise "default" is discrete Laplace here (pure epsilon)."""

    __slots__ = ("_per_node",)
    _type = "pvg_statistic"
    _per_node: bool  # whether row i of a release is that of node i

    @classmethod
    def _own(cls, out: Any) -> "Statistic":
        self = super()._own(out)
        self._per_node = False
        return self

    @classmethod
    def tallies(cls, order: int, target: Target, *, kinds: Optional[Ints] = None,
                priorities: Union[Sequence[float], Array, None] = None,
                groups: Optional[Ints] = None, weights: Any = None,
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
        made: Statistic = cls._make("pvg_statistic_new_tallies", config, target._struct(), nodes)
        made._per_node = held["groups"] is None and config.cells != lib.PVG_TALLIES_BETWEEN
        return made

    @classmethod
    def arcs(cls, order: int, target: Target, *, kinds: Optional[Sequence[int]] = None,
             groups: Optional[Sequence[int]] = None, kind_count: int = 0, group_count: int = 0) -> "Statistic":
        """Tallies of a directed graph of `order` nodes, given as `doubled`: how many arcs lead into each
        node (or group of nodes) from nodes of each kind. One arc is in one cell: pure epsilon for arcs, no
        orientation needed. kinds, groups: of the `order` nodes, public, -1 for none."""
        sent = np.zeros(order, np.int32) if kinds is None else taken(kinds, np.int32, "kinds", (order,))
        got = np.arange(order, dtype=np.int32) if groups is None else taken(groups, np.int32, "groups", (order,))
        nowhere = np.full(order, -1, np.int32)
        return cls.tallies(2 * order, target, kinds=np.concatenate([sent, nowhere]),
                           priorities=np.repeat([1.0, 0.0], order), groups=np.concatenate([nowhere, got]),
                           kind_count=kind_count, group_count=group_count or int(got.max(initial=0)) + 1)

    @classmethod
    def degrees(cls, target: Target, *, order: int = 0, levels: int = 4, ranks: int = 4,
                groups: Optional[Ints] = None, group_count: int = 0) -> "Statistic":
        """The degree distribution: for every group, how many nodes have degree >= 1 .. levels, how
        far the `ranks` largest degrees exceed that (-1: all), and the sum of the others. One edge
        moves two of all numbers. order 0: graphs of any number of nodes, one group."""
        held = _optional(groups, np.int32, "groups", (order,))
        if held is not None and not group_count:
            group_count = int(held.max(initial=0)) + 1
        config = struct("pvg_degrees_config", order=order, levels=levels, ranks=ranks, groups=group_count)
        return cls._make("pvg_statistic_new_degrees", config, target._struct(), _lent(held))

    @classmethod
    def triangles(cls, target: Target, *, order: int = 0, floor: int = 0) -> "Statistic":
        """The number of triangles by a ladder: noise follows how many neighbours two nodes share."""
        config = struct("pvg_triangles_config", order=order, floor=floor)
        return cls._make("pvg_statistic_new_triangles", config, target._struct())

    @classmethod
    def stars(cls, target: Target, *, leaves: int = 2, order: int = 0, floor: int = 0) -> "Statistic":
        """The number of stars with 2 or 3 leaves by a ladder: noise follows the two largest degrees."""
        config = struct("pvg_stars_config", leaves=leaves, order=order, floor=floor)
        return cls._make("pvg_statistic_new_stars", config, target._struct())

    @classmethod
    def scalars(cls, names: Sequence[Union[str, int]], target: Target, *, order: int = 0,
                weights: Optional[Sequence[float]] = None) -> "Statistic":
        """Single numbers under one budget: "edges", "components", "cycles", "largest-degree",
        "degeneracy", "radius", "isolated", "leaves". weights: shares of the budget."""
        which = np.array([constant("SCALAR", name, "names") for name in names], dtype=np.int32)
        held = _optional(weights, np.float64, "weights", (len(which),))
        config = struct("pvg_scalars_config", order=order, count=len(which))
        return cls._make("pvg_statistic_new_scalars", config, target._struct(), pointer(which),
                         _lent(held))

    @classmethod
    def spectrum(cls, order: int, target: Target) -> "Statistic":
        """All adjacency eigenvalues, the largest first; one edge moves them by 2 in total."""
        return cls._make("pvg_statistic_new_spectrum", order, target._struct())

    @classmethod
    def joined(cls, parts: Sequence["Statistic"]) -> "Statistic":
        """Several pure statistics as one release: numbers one after the other, epsilons added."""
        held = ffi.new("pvg_statistic *[]", [part._pointer for part in parts])
        return cls._make("pvg_statistic_new_joined", held, len(parts))

    @classmethod
    def synthesis(cls, order: int, target: Target, *, blocks: Optional[Ints] = None,
                  block_count: int = 0, levels: int = 0, floor: int = 0,
                  shares: Sequence[float] = (0.0, 0.0, 0.0, 0.0)) -> "Statistic":
        """What a synthetic graph is made from: degrees of every block, edges between blocks,
        triangles, which degrees meet. shares: of epsilon, 0.45, 0.15, 0.3 and 0.1 by default; without the
        fourth the assortativity is not asked for. See synthesize."""
        held = _optional(blocks, np.int32, "blocks", (order,))
        if held is not None and not block_count:
            block_count = int(held.max(initial=0)) + 1
        config = struct("pvg_synthesis_config", order=order, blocks=block_count, levels=levels,
                        floor=floor, degrees_share=shares[0], between_share=shares[1],
                        triangles_share=shares[2],
                        assortativity_share=shares[3] if len(shares) > 3 else 0.0)
        return cls._make("pvg_statistic_new_synthesis", config, target._struct(), _lent(held))

    @property
    def parts(self) -> Any:
        """(first, rows, columns) of each part of a joined statistic."""
        out = []
        for part in range(lib.pvg_statistic_parts(self._pointer)):
            where = ffi.new("int64_t[3]")
            call("pvg_statistic_part", where, where + 1, where + 2, self._pointer, part)
            out.append(tuple(where))
        return out

    @property
    def shape(self) -> Any:
        """(rows, columns) of a release."""
        return (lib.pvg_statistic_rows(self._pointer), lib.pvg_statistic_columns(self._pointer))

    def deviations(self) -> Array:
        """Standard deviation of the noise of each column, before anything is spent."""
        out = np.zeros(self.shape[1])
        call("pvg_statistic_copy_deviation", pointer(out), self._pointer)
        return out

    def values_exact(self, graph: Any, *, threads: int = 0, progress: Optional[Progress] = None
                     ) -> Array:
        """NOT FOR PUBLICATION: the numbers without noise."""
        held, out = as_graph(graph), np.zeros(self.shape)
        call("pvg_statistic_values_exact", pointer(out), self._pointer, held._pointer,
             run=Run(threads, progress))
        return out

    def release(self, graph: Any, *, object: Optional[Object] = None, rng: Optional[Rng] = None,
                ledger: Optional[Ledger] = None, threads: int = 0,
                progress: Optional[Progress] = None, scratch_limit: int = 0) -> Release:
        """Draws it: rows x columns numbers that may be published. Rows that are those of nodes keep the
        names of the nodes (`Release.nodes`, `to_pandas`)."""
        held = as_graph(graph)
        made = drawn(self, "pvg_release_draw_statistic", held, object, rng, ledger,
                     Run(threads, progress, scratch_limit))
        try:
            made._noise = self.deviations()
        except PrivacyError:  # it depends on the graph
            pass
        return made._of(held) if self._per_node else made

    def release_set(self, graphs: Any, *, objects: Optional[Sequence[Object]] = None, rng: Optional[Rng] = None,
                    ledger: Optional[Ledger] = None, threads: int = 0, progress: Optional[Progress] = None,
                    scratch_limit: int = 0) -> Release:
        """Draws it of every graph of a set, each a private object of its own: a row for each, with the rows of
        the statistic one after the other in it. objects: their names or numbers in the ledger, by default
        those they carry; all pay or none."""
        return drawn(self, "pvg_release_draw_statistics", as_graphset(graphs), objects, rng, ledger,
                     Run(threads, progress, scratch_limit))
