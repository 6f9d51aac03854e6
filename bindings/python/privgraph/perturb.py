"""Perturbers: mechanisms whose output looks like their input, a graph, features or labels."""
from typing import Any, Optional, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Progress, Run, call, constant, ffi, lib, name_of,
                      number, pointer, struct, taken)
from .errors import ArgumentError
from .graph import Graph, as_features, as_graph, as_graphset, as_labels
from .guarantee import Promising
from .ledger import Ledger, Object
from .mechanism import Target
from .release import Release, drawn
from .rng import Rng

__all__ = ["Perturber", "kprop"]


class Perturber(Promising, Immutable):
    """A mechanism for graphs, features or labels. All of it is public: it knows its guarantee
    before it sees anything private."""

    __slots__ = ("columns",)
    _type = "pvg_perturber"
    columns: int

    @classmethod
    def _own(cls, out: Any) -> "Perturber":
        self = super()._own(out)
        self.columns = 0
        return self

    # --- graphs ---

    @classmethod
    def response(cls, target: Target, *, keep: float = 0.0, edge_limit: int = 0) -> "Perturber":
        """Randomised response on every pair of nodes: a graph comes out (pure edge-DP).

        keep: chance that an edge stays; 0 for the largest. A smaller one gives a sparser graph
        with the same share of true edges. edge_limit: most edges that noise may add."""
        config = struct("pvg_response_config", keep=keep, edge_limit=edge_limit)
        return cls._make("pvg_perturber_new_response", config, target._struct())

    def preview_edges(self, order: int) -> Tuple[float, float]:
        """(expected, most) edges that randomised response or LapGraph adds to `order` nodes."""
        expected, most = ffi.new("double *"), ffi.new("double *")
        call("pvg_perturber_preview_edges", expected, most, self._pointer, order)
        return expected[0], most[0]

    def _estimate(self, name: str, released: Any, *more: Any) -> Tuple[float, float]:
        graph, value, variance = as_graph(released), ffi.new("double *"), ffi.new("double *")
        call("pvg_perturber_estimate_" + name, value, variance, self._pointer, graph._pointer, *more)
        return value[0], variance[0]

    def estimate_edges(self, released: Any) -> Tuple[float, float]:
        """(estimate, its variance) of the number of edges of the private graph, unbiased, from
        a graph that this perturber (randomised response) released. Spends nothing."""
        return self._estimate("edges", released)

    def estimate_degrees(self, released: Any) -> Tuple[Array, Array]:
        """(estimates, their variances) of the degree of every node, in the same way."""
        graph = as_graph(released)
        degrees, variances = np.zeros(graph.order), np.zeros(graph.order)
        call("pvg_perturber_estimate_degrees", pointer(degrees), pointer(variances),
             self._pointer, graph._pointer)
        return degrees, variances

    def estimate_triangles(self, released: Any, *, threads: int = 0,
                           progress: Optional[Progress] = None) -> Tuple[float, float]:
        """(estimate, its variance) of the number of triangles, in the same way."""
        run = Run(threads, progress)
        return self._estimate("triangles", released, run.pointer)

    @classmethod
    def lapgraph(cls, target: Target, *, count_share: float = 0.0, edge_limit: int = 0
                 ) -> "Perturber":
        """LapGraph: a noisy number of edges, and as many pairs of largest noisy bits. A graph
        comes out (pure edge-DP); at small epsilon hardly one of its edges is true.

        count_share: of epsilon, for the number of edges; 0 for 0.01."""
        config = struct("pvg_lapgraph_config", count_share=count_share, edge_limit=edge_limit)
        return cls._make("pvg_perturber_new_lapgraph", config, target._struct())

    @classmethod
    def blink(cls, target: Target, *, reports: Union[str, int] = "owned",
              degree_share: float = 0.0, edge_limit: int = 0) -> "Perturber":
        """Blink (hard): the pairs that are likelier edges than not, given noisy reports and
        degrees. A graph comes out (relationship DP).

        reports: "owned" (one answer about each pair) or "published" (one of each end). edge_limit:
        refuse more, after paying; 0 is 2^28."""
        config = struct("pvg_blink_config", reports=constant("BLINK", reports, "reports"),
                        degree_share=degree_share, edge_limit=edge_limit)
        return cls._make("pvg_perturber_new_blink", config, target._struct())

    @classmethod
    def graphprivatizer(cls, target: Target, features: Any, *,
                        strategy: Union[str, int] = "most-similar",
                        similarity: Union[str, int] = "cosine", alpha: float = 0.0,
                        threshold: float = 0.0) -> "Perturber":
        """GraphPrivatizer as published, for comparison only. Its proof fails: the guarantee
        says that epsilon is infinite, and why. features: perturbed ones."""
        config = struct("pvg_graphprivatizer_config",
                        strategy=constant("GP_STRATEGY", strategy, "strategy"),
                        similarity=constant("GP_SIMILARITY", similarity, "similarity"),
                        alpha=alpha, threshold=threshold)
        return cls._make("pvg_perturber_new_graphprivatizer", config, target._struct(),
                         as_features(features)._pointer)

    @classmethod
    def dprr(cls, target: Target, *, reports: Union[str, int] = "owned",
             split: Union[str, int] = "share", degree_share: float = 0.0,
             edge_limit: int = 0) -> "Perturber":
        """Degree-preserving randomised response: about as sparse as the graph, and about 1 / (2 eps1)
        entries more for each list, eps1 being what is spent on its degree. edge_limit: refuse more;
        0 is 2^28.

        reports: "owned" (edge-DP, a graph comes out), "half" (relationship DP, a graph) or
        "published" (relationship DP, directed lists); split: how much is spent on degrees,
        "share" (degree_share, 0.1 by default) or "balanced"."""
        config = struct("pvg_dprr_config", reports=constant("DPRR_REPORTS", reports, "reports"),
                        split=constant("DPRR_SPLIT", split, "split"), degree_share=degree_share,
                        edge_limit=edge_limit)
        return cls._make("pvg_perturber_new_dprr", config, target._struct())

    @classmethod
    def subset(cls, target: Target, *, lists: Union[str, int] = "owned") -> "Perturber":
        """Edge-set LDP, the best of its kind: a list of d becomes a set of d nodes with
        probability proportional to e^(epsilon k), k the entries that stay. Lists come out.

        lists: "owned" (an edge is in the list of its lower end: hidden is which node with a higher
        number an entry names) or "whole" (in both: hidden is which ends two edges join, notion
        "switch", and each list gets a quarter of epsilon). Lengths of lists are released."""
        config = struct("pvg_lists_config", lists=constant("LISTS", lists, "lists"))
        return cls._make("pvg_perturber_new_subset", config, target._struct())

    @classmethod
    def slots(cls, target: Target, order: int, *, lists: Union[str, int] = "owned",
              kernel: Union[str, int] = "uniform", repeats: Union[str, int] = "keep",
              blocks: Any = None, similarities: Any = None, node_epsilon: float = 0.0,
              by_size: bool = False) -> "Perturber":
        """Edge-set LDP entry by entry: each entry is replaced for itself. Lists come out.

        lists: as for subset. kernel: "uniform", "blocks" (first the block, then the node) or "similarity"; repeats:
        "keep", "drop" or "redraw". blocks: block of each node; similarities: order x order numbers in
        [0, 1]. Both must be public, or made from something released and charged for."""
        config = struct("pvg_slots_config", lists=constant("LISTS", lists, "lists"),
                        kernel=constant("SLOTS_KERNEL", kernel, "kernel"),
                        repeats=constant("SLOTS_REPEATS", repeats, "repeats"),
                        order=order, node_epsilon=node_epsilon, by_size=int(by_size))
        groups = None if blocks is None else taken(blocks, np.int32, "blocks", (order,))
        matrix = None if similarities is None else taken(similarities, np.float64, "similarities",
                                                         (order, order))
        return cls._make("pvg_perturber_new_slots", config, target._struct(),
                         ffi.NULL if groups is None else pointer(groups),
                         ffi.NULL if matrix is None else pointer(matrix))

    # --- features ---

    @classmethod
    def features(cls, columns: int, target: Target, *, low: Any = 0.0, high: Any = 1.0,
                 method: Union[str, int] = "multibit", sampled: int = 0, refuse: bool = False,
                 sparse: bool = False) -> "Perturber":
        """Hides all features of each user (feature-LDP).

        low, high: public range of every column, a number or one per column; a range read off the
        data breaks the guarantee. method: "multibit", "one-bit" or "noise". sampled: columns
        each user reports, 0 for the best number. Values outside count as the nearest end;
        refuse=True: they are refused, which tells for free and exactly that there is one. sparse:
        release differences to the middle of the range (Release.features).
        """
        ends = [taken(np.atleast_1d(np.asarray(end, np.float64)), np.float64, name)
                for end, name in ((low, "low"), (high, "high"))]
        ranges = max(len(ends[0]), len(ends[1]))
        ends = [np.ascontiguousarray(np.broadcast_to(end, (ranges,))) for end in ends]
        if ranges not in (1, columns):
            raise ArgumentError(f"low and high have {ranges} entries, not 1 or {columns}")
        config = struct("pvg_features_config", method=constant("FEATURES", method, "method"),
                        columns=columns, ranges=ranges, sampled=sampled, refuse=int(refuse),
                        sparse=int(sparse))
        made = cls._make("pvg_perturber_new_features", config, target._struct(), pointer(ends[0]),
                         pointer(ends[1]))
        made.columns = columns
        return made

    @property
    def sampled(self) -> int:
        """Columns that each user reports; 0 for a perturber of something else."""
        return int(lib.pvg_perturber_sampled(self._pointer))

    def feature_variance(self, column: int, value: float) -> float:
        """Variance of the released number of a column whose true value is `value`."""
        return number("double", "pvg_perturber_feature_variance", self._pointer, column, value)

    # --- labels ---

    @classmethod
    def labels(cls, classes: int, target: Target, *, refuse: bool = False) -> "Perturber":
        """k-ary randomised response on labels 0 .. classes - 1; -1 stays -1 (label-LDP).

        A larger label counts as the last class; refuse=True: it is refused, which tells for free
        that there is one.
        """
        config = struct("pvg_labels_config", classes=classes, refuse=int(refuse))
        made = cls._make("pvg_perturber_new_labels", config, target._struct())
        made.columns = int(lib.pvg_perturber_classes(made._pointer))
        return made

    @property
    def transition(self) -> Array:
        """Entry [c, a]: the chance that a user of class c answers a."""
        out = np.zeros((self.columns, self.columns))
        call("pvg_perturber_copy_transition", pointer(out), self._pointer)
        return out

    def label_histogram(self, released: Any) -> Tuple[Array, Array]:
        """(estimates, their variances) of the number of users in each class, unbiased, from
        released labels. Spends nothing."""
        labels = taken(released, np.int32, "released")
        estimates, variances = np.zeros(self.columns), np.zeros(self.columns)
        call("pvg_perturber_label_histogram", pointer(estimates), pointer(variances),
             self._pointer, pointer(labels), len(labels))
        return estimates, variances

    # --- what all share ---

    @property
    def input(self) -> str:
        """What it takes: "graph", "features" or "labels"."""
        return name_of("PERTURBS", lib.pvg_perturber_input(self._pointer))

    def __repr__(self) -> str:
        return f"<Perturber of {self.input}, {self.claim}>"

    def release(self, data: Any, *, object: Optional[Object] = None, rng: Optional[Rng] = None,
                ledger: Optional[Ledger] = None, threads: int = 0,
                progress: Optional[Progress] = None) -> Release:
        """Draws a private version of a graph, of features (a matrix) or of labels (a vector).

        object: its name or number in the ledger. rng: a secure generator unless given."""
        kind = self.input
        held: Any = {"graph": as_graph, "features": as_features, "labels": as_labels}[kind](data)
        made = drawn(self, f"pvg_release_draw_{kind}", held, object, rng, ledger, Run(threads, progress),
                     what="the object that the data are")
        return made._of(held) if kind == "graph" else made

    def release_set(self, graphs: Any, *, objects: Any = None, rng: Optional[Rng] = None,
                    ledger: Optional[Ledger] = None, threads: int = 0,
                    progress: Optional[Progress] = None) -> Release:
        """Draws a private version of every graph of a set (`Release.graphs`, or `Release.lists` one
        graph after the other), each a private object of its own. objects: their names or numbers
        in the ledger, by default those they carry; all pay or none."""
        return drawn(self, "pvg_release_draw_graphs", as_graphset(graphs), objects, rng, ledger,
                     Run(threads, progress))


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
