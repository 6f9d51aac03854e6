"""Directed graphs as undirected ones of twice the nodes, so that what hides an edge hides an arc."""
from typing import Any, Optional

import numpy as np

from ._native import Ints, taken
from .errors import ArgumentError
from .graph import Graph
from .query import Query

__all__ = ["doubled", "arc_histogram"]


def doubled(arcs: Any, order: int) -> Graph:
    """A directed graph as an undirected one of 2 x order nodes: arc (u, v) is the edge {u, order + v}, node u
    as one that points and node order + v as one that is pointed at. One arc is one edge, so what hides
    edges of it hides arcs; arcs both ways are two. For `arc_histogram`. arcs: (2, count), loops allowed."""
    held = np.array(arcs, dtype=np.int64).reshape(2, -1)
    if held.size and not 0 <= held.min() <= held.max() < order:
        raise ArgumentError(f"an arc has an end outside [0, {order})")
    return Graph.from_edges(held + np.array([[0], [order]]), 2 * order)


def arc_histogram(order: int, *, kinds: Optional[Ints] = None, groups: Optional[Ints] = None, **budget: Any) -> Query:
    """The query how many arcs lead into each node (or group of nodes) from nodes of each kind, of a directed graph of
    `order` nodes given as `doubled`. One arc is in one cell: pure epsilon for arcs, no orientation needed. kinds,
    groups: of the `order` nodes, public, -1 for none. budget: epsilon and whatever else `Query` takes."""
    sent = np.zeros(order, np.int32) if kinds is None else taken(kinds, np.int32, "kinds", (order,))
    got = np.arange(order, dtype=np.int32) if groups is None else taken(groups, np.int32, "groups", (order,))
    nowhere = np.full(order, -1, np.int32)
    return Query("edge-histogram", kinds_of=np.concatenate([sent, nowhere]), priorities=np.repeat([1.0, 0.0], order),
                 groups_of=np.concatenate([nowhere, got]), **budget)
