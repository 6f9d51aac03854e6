"""Who the nodes are. In every guarantee they are public: their set, their names, and the
number each of them has. None of it may be made from private edges, because one edge more
would then renumber many nodes, and no noise hides that.

A networkx graph, a table of edges and a dict name their nodes in the order in which edges
were added. So they do not tell: who holds them must, with a list of all names (in the order
of its entries), or by saying that the names they hold are public (then they are sorted).
"""
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import Array

from .errors import ArgumentError, PrivacyError

__all__ = ["tell_nodes"]

# What a networkx graph carries. The public names, in order, are an attribute of the Python
# object: copies and subgraphs, whose nodes may follow from edges, do not have it. That nodes were
# read off edges is in graph.graph and goes with copies.
DECLARED = "privgraph_nodes"
INFERRED = "privgraph_inferred"
IDENTITY = "privgraph_identity"  # of the Python object, too: see Graph.identity
MATRIX_INFERRED = "privgraph_inferred"           # attribute of a scipy matrix that is a graph
COLUMNS_INFERRED = "privgraph_columns_inferred"  # of one that holds features

PUBLIC = "public"
Names = Sequence[Any]

HOW = ("nodes=[...] with a public list of all names, or nodes='public' if the set of names it"
       " holds is public and the same whatever the edges are (they are sorted then)")


def _key(name: Any) -> Tuple[int, Any]:
    """A total order of the names people use. Anything else may compare by halves (sets), or by
    where it lies in memory: its order would depend on the one it came in."""
    if isinstance(name, (bool, np.bool_, int, np.integer)) or \
            isinstance(name, (float, np.floating)) and name == name:
        return 0, name
    for rank, kind in ((1, str), (2, bytes)):
        if isinstance(name, kind):
            return rank, name
    if isinstance(name, tuple):
        return 3, tuple(map(_key, name))
    if name is None:
        return 4, 0
    raise ArgumentError(f"names of type {type(name).__name__} have no order of their own; list"
                        " them: nodes=[...]")


def sort_names(names: Iterable[Any]) -> List[Any]:
    """Names in an order that depends on nothing but the set of them."""
    return sorted(names, key=_key)


def listed(nodes: Any) -> List[Any]:
    """An explicit list of names; a set has no order of its own and is sorted."""
    if isinstance(nodes, (str, bytes)):
        raise ArgumentError(f"nodes is {nodes!r}; it must be a list of names, or 'public'")
    if isinstance(nodes, (set, frozenset)):
        names = sort_names(nodes)
    else:
        names = list(nodes.tolist() if hasattr(nodes, "tolist") else nodes)
    numbered(names)
    return names


def numbered(names: Sequence[Any]) -> Dict[Any, int]:
    """The number of each name; a name twice is refused."""
    try:
        index = {name: number for number, name in enumerate(names)}
    except TypeError:
        raise ArgumentError("nodes holds something that is no name: it cannot be hashed") from None
    if len(index) != len(names):
        raise ArgumentError("nodes lists a name twice")
    return index


def chosen(nodes: Any, own: Iterable[Any], read_off_edges: bool = False) -> List[Any]:
    """The public names: those listed, or, where the holder says so, the container's own."""
    if isinstance(nodes, str) and nodes == PUBLIC:
        if read_off_edges:
            raise PrivacyError("these nodes were read off private edges, so they are not public:"
                               " list them, nodes=[...]")
        return sort_names(own)
    return listed(nodes)


def kept(names: Optional[Sequence[Any]]) -> Optional[Tuple[Any, ...]]:
    """What a graph remembers: None where names are the numbers themselves."""
    if names is None or all(type(name) is int and name == i for i, name in enumerate(names)):
        return None
    return tuple(names)


def pairs_of(edges: Iterable[Any], names: Sequence[Any]) -> Array:
    """Edges between names as a 2 x m array of numbers."""
    index = numbered(names)
    try:
        flat = np.fromiter((index[end] for edge in edges for end in edge), np.int64)
    except KeyError as unknown:
        raise ArgumentError(f"an edge ends at {unknown}, which is not among the nodes") from None
    except TypeError:
        raise ArgumentError("an edge ends at something that is no name of a node") from None
    return flat.reshape(-1, 2).T


def tell_nodes(graph: Any, nodes: Union[str, Iterable[Any]] = PUBLIC) -> Any:
    """Says which nodes a networkx graph has, so that functions that take networkx graphs
    release it: all names in a list, whose order becomes that of the rows, or "public" if the
    names it holds now are public, isolated ones included, and the same whatever the edges are;
    they are sorted then. The graph keeps the list (`graph.privgraph_nodes`) and is returned; its
    copies and subgraphs must be declared again. A list made from the edges breaks every guarantee."""
    names = chosen(nodes, graph.nodes(), bool(graph.graph.get(INFERRED)))
    index = numbered(names)
    missing = [name for name in graph.nodes() if name not in index]
    if missing:
        raise ArgumentError(f"the graph has a node {missing[0]!r} that nodes does not list")
    setattr(graph, DECLARED, tuple(names))
    graph.graph.pop(INFERRED, None)
    return graph
