"""Patterns: small public graphs to be counted in private ones, and samplers of them."""
import re
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Progress, Run, call, constant, encoded, ffi, lent, lib, name_of,
                      names_of, number, pointer, struct, taken, text)
from .errors import ArgumentError
from .rng import Rng, public_source

__all__ = ["Patterns", "Sampler", "as_patterns", "pattern_classes"]


def pattern_classes() -> List[str]:
    """Names of the classes of patterns."""
    found: List[str] = []
    while lib.pvg_class_name(len(found)) != ffi.NULL:
        found.append(ffi.string(lib.pvg_class_name(len(found))).decode())
    return found



class Patterns(Immutable):
    """An ordered list of patterns. Patterns are public: choose them before you look at data.

    Each has its treewidth, an elimination order that attains it and a canonical form.

    Examples
    --------
    >>> import privgraph as pg
    >>> len(pg.Patterns.from_names("edge,path3,cycle6"))
    3
    """

    __slots__ = ()
    _type = "pvg_patterns"

    @classmethod
    def from_names(cls, names: Union[str, Iterable[str]]) -> "Patterns":
        """From names: vertex, edge, triangle, pathK, cycleK, cliqueK, starK, wheelK,
        bicliqueKxL, gridKxL, cubeK, emptyK; separated by commas, or a list of them."""
        joined = names if isinstance(names, str) else ",".join(names)
        return cls._make("pvg_patterns_from_names", encoded(joined))

    @classmethod
    def from_graph6(cls, lines: Union[str, bytes, Iterable[str]]) -> "Patterns":
        """From graph6 text, one pattern per line, or a list of lines."""
        if not isinstance(lines, (str, bytes)):
            lines = "\n".join(lines)
        data = lines.encode("ascii") if isinstance(lines, str) else lines
        return cls._make("pvg_patterns_from_graph6", data, len(data))

    @classmethod
    def from_edges(cls, patterns: Iterable[Tuple[Any, int]]) -> "Patterns":
        """From pairs (edges, order); edges as pairs of vertices 0 .. order - 1."""
        orders, sizes, ends = [], [], [np.zeros((0, 2), np.int64)]
        for edges, order in patterns:
            pairs = taken(edges, np.int64, "edges").reshape(-1, 2)
            orders.append(order)
            sizes.append(len(pairs))
            ends.append(pairs)
        flat = np.ascontiguousarray(np.concatenate(ends).T)
        heads = taken(orders, np.int64, "order"), taken(sizes, np.int64, "sizes")
        return cls._make("pvg_patterns_from_edges", pointer(heads[0]), pointer(heads[1]),
                         len(orders), pointer(flat[0]), pointer(flat[1]))

    @classmethod
    def from_networkx(cls, graphs: Iterable[Any]) -> "Patterns":
        """From small networkx graphs."""
        def pair(graph: Any) -> Tuple[Any, int]:
            index = {node: i for i, node in enumerate(graph.nodes())}
            return [(index[u], index[v]) for u, v in graph.edges()], len(index)
        return cls.from_edges(map(pair, graphs))

    @classmethod
    def draw(cls, sampler: Union["Sampler", str], count: int, seed: Union[Rng, int] = 0, *,
             progress: Optional[Progress] = None, **config: Any) -> "Patterns":
        """Draws patterns from a sampler, or from one made by name: "trees", "treewidth3",
        "reference1". Patterns are public, so a seed is fine."""
        if isinstance(sampler, str):
            sampler = Sampler(sampler, **config)
        elif config:
            raise ArgumentError("settings belong to the sampler")
        return cls._make("pvg_patterns_draw", sampler._pointer, count,
                         public_source(seed)._pointer, run=Run(0, progress))

    def __add__(self, other: "Patterns") -> "Patterns":
        if not isinstance(other, Patterns):
            return NotImplemented
        return self._make("pvg_patterns_concat", self._pointer, other._pointer)

    def __len__(self) -> int:
        return int(lib.pvg_patterns_count(self._pointer))

    def __getitem__(self, index: Any) -> "Patterns":
        """The patterns with these indices (a number, a slice, a list, a mask) as a list."""
        if isinstance(index, (int, np.integer)):
            self._checked(int(index) + (len(self) if index < 0 else 0))
            index = [index]
        chosen = np.arange(len(self), dtype=np.int64)[index]
        chosen = np.ascontiguousarray(chosen)
        return self._make("pvg_patterns_select", self._pointer, pointer(chosen), len(chosen))

    def __iter__(self) -> Iterator["Patterns"]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        shown = ", ".join(self.name(i) for i in range(min(len(self), 6)))
        return f"<Patterns {shown}{', ...' if len(self) > 6 else ''} ({len(self)})>"

    def __reduce__(self) -> Any:
        return Patterns.from_edges, ([(self.edges(i).T.tolist(), self.order(i))
                                      for i in range(len(self))],)

    def merge(self) -> Tuple["Patterns", Array]:
        """One of every set of isomorphic patterns, and for each pattern its index there."""
        group = np.zeros(len(self), np.int64)
        out = ffi.new("pvg_patterns **")
        call("pvg_patterns_merge", out, pointer(group), self._pointer)
        return self._own(out), group

    # --- one pattern ---

    def _checked(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise IndexError(f"there is no pattern {index}")
        return index

    def order(self, index: int) -> int:
        """Vertices."""
        return int(lib.pvg_patterns_order(self._pointer, self._checked(index)))

    def size(self, index: int) -> int:
        """Edges."""
        return int(lib.pvg_patterns_size(self._pointer, self._checked(index)))

    def components(self, index: int) -> int:
        """Connected components."""
        return int(lib.pvg_patterns_components(self._pointer, self._checked(index)))

    def isolated(self, index: int) -> int:
        """Isolated vertices."""
        return int(lib.pvg_patterns_isolated(self._pointer, self._checked(index)))

    def width(self, index: int) -> int:
        """Treewidth."""
        return int(lib.pvg_patterns_width(self._pointer, self._checked(index)))

    def multiplicity(self, index: int) -> int:
        """1 unless patterns were merged."""
        return int(lib.pvg_patterns_multiplicity(self._pointer, self._checked(index)))

    def kinds(self, index: int) -> List[str]:
        """What it is: "connected", "forest", "tree", "path", "star", "cycle", "clique", "ktree"."""
        found = lib.pvg_patterns_kinds(self._pointer, self._checked(index))
        return [name for name, bit in names_of("KIND").items() if found & bit]

    def edges(self, index: int) -> Array:
        """A 2 x size array of the edges."""
        sources, targets = ffi.new("int32_t **"), ffi.new("int32_t **")
        call("pvg_patterns_view_edges", sources, targets, self._pointer, index)
        count = self.size(index)
        return np.stack([lent(sources[0], (count,), np.int32, self),
                         lent(targets[0], (count,), np.int32, self)])

    def elimination(self, index: int) -> Array:
        """An elimination order that attains the treewidth: a read-only view."""
        out = ffi.new("int32_t **")
        call("pvg_patterns_view_elimination", out, self._pointer, index)
        return lent(out[0], (self.order(index),), np.int32, self)

    def elimination_width(self, index: int, elimination: Any) -> int:
        """Width of any elimination order of a pattern: the independent check."""
        given = taken(elimination, np.int32, "elimination", (self.order(index),))
        found = lib.pvg_patterns_elimination_width(self._pointer, index, pointer(given))
        if found < 0:
            raise ArgumentError("elimination is not a permutation of the vertices")
        return int(found)

    def component_of(self, index: int) -> Array:
        """Component number of every vertex: a read-only view."""
        out = ffi.new("int32_t **")
        call("pvg_patterns_view_components", out, self._pointer, index)
        return lent(out[0], (self.order(index),), np.int32, self)

    def name(self, index: int) -> str:
        """A name `from_names` knows, otherwise canonical graph6 text."""
        return text("pvg_patterns_copy_name", self._pointer, index)

    @property
    def names(self) -> List[str]:
        """All names."""
        return [self.name(i) for i in range(len(self))]

    def graph6(self, index: int) -> str:
        """The pattern as graph6 text."""
        return text("pvg_patterns_copy_graph6", self._pointer, index)

    def canonical(self, index: int) -> str:
        """graph6 text that is the same for isomorphic patterns."""
        return text("pvg_patterns_copy_canonical", self._pointer, index)

    def hash(self, index: int) -> int:
        """A number that is the same for isomorphic patterns."""
        return int(lib.pvg_patterns_hash(self._pointer, self._checked(index)))

    def isomorphic(self, index: int, other: "Patterns", other_index: int) -> bool:
        """Whether two patterns are isomorphic."""
        return bool(lib.pvg_patterns_isomorphic(self._pointer, self._checked(index),
                                                other._pointer, other._checked(other_index)))

    def in_class(self, index: int, pattern_class: Union[str, int], parameter: int = 0) -> bool:
        """Whether a pattern belongs to "trees", "fan-cactus", "parallel-trees",
        "apex-forests", "treewidth", "cycles" or "all"."""
        return bool(number("int32_t", "pvg_patterns_in_class", self._pointer, index,
                           constant("CLASS", pattern_class, "pattern_class"), parameter))


class Sampler(Immutable):
    """A distribution on the patterns of a class. `Patterns.draw` draws from it.

    Parameters
    ----------
    name : str
        "trees", "treewidth3", "apex-forests2", "fan-cactus6", "parallel-trees", "cycles", "all", or "referenceK", the law
        of the homomorphism-density paper with width K.
    size_law, order_min, order_typical, order_max
        How many vertices a pattern has; 0: the default of the class.
    allow_disconnected, distinct : bool
        Patterns in several pieces; no pattern twice.
    width_min : int
        Least treewidth.
    graph_order : int
        Nodes of the graphs, for laws that go by it.
    keep, extra : float
        Share of the edges of a k-tree that stay; of edges that are added to a tree.
    wide_share : float
        At least this share of a list has the largest treewidth of the class (in the paper a quarter).

    Examples
    --------
    >>> import privgraph as pg
    >>> sampler = pg.Sampler("trees", order_max=5)
    >>> len(pg.Patterns.draw(sampler, 3, seed=1))
    3
    """

    __slots__ = ()
    _type = "pvg_sampler"

    def __init__(self, name: str = "trees", *, size_law: Union[str, int] = "default",
                 order_min: int = 0, order_typical: int = 0, order_max: int = 0,
                 allow_disconnected: bool = False, distinct: bool = False, width_min: int = 0,
                 graph_order: int = 0, keep: float = 0.0, extra: float = 0.0, wide_share: float = 0.0) -> None:
        config = struct("pvg_sampler_config", size_law=constant("SIZE", size_law, "size_law"),
                        order_min=order_min, order_typical=order_typical, order_max=order_max,
                        allow_disconnected=int(allow_disconnected), distinct=int(distinct),
                        width_min=width_min, graph_order=graph_order, keep=keep, extra=extra,
                        wide_share=wide_share)
        self._take("pvg_sampler_from_name", encoded(name), config)

    @property
    def config(self) -> Dict[str, Any]:
        """The settings, defaults filled in."""
        out = struct("pvg_sampler_config")
        call("pvg_sampler_copy_config", out, self._pointer)
        fields = [name for name, _ in ffi.typeof("pvg_sampler_config").fields if name != "size"]
        found = {name: getattr(out, name) for name in fields}
        found["pattern_class"] = name_of("CLASS", found["pattern_class"])
        found["size_law"] = name_of("SIZE", found["size_law"])
        return found

    def draw(self, count: int, seed: Union[Rng, int] = 0) -> Patterns:
        """Draws patterns."""
        return Patterns.draw(self, count, seed)


def _is_class(name: str) -> bool:
    return re.sub(r"\d+$", "", name.strip()) in {*names_of("CLASS"), "reference"}


def as_patterns(data: Union[Patterns, str, Sequence[Any]], count: int = 50,
                seed: Union[Rng, int] = 0) -> Patterns:
    """Patterns from what people write: Patterns; names ("edge,path3" or a list of names); the
    name of a class ("trees", "treewidth2", "reference1"), from which `count` distinct connected
    patterns are drawn by a public seed; networkx graphs."""
    if isinstance(data, Patterns):
        return data
    if isinstance(data, Sampler):
        return Patterns.draw(data, count, seed)
    if isinstance(data, str):
        if _is_class(data):
            # The single vertex has density 1 in every graph.
            return Patterns.draw(data, count, seed, distinct=True,
                                 order_min=2 if data.strip().startswith("reference") else 0)
        return Patterns.from_names(data)
    items = list(data)
    if all(isinstance(item, str) for item in items):
        return Patterns.from_names(items)
    return Patterns.from_networkx(items)
