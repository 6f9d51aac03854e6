"""Attacks on what was released, with the controls that make their numbers mean something.

    from privgraph import attack

    found = attack.links_influence(model, dataset, graph, features=features)
    found.report("two-hop").excess      # AUC less that of the best control
    print(found)                        # one line for each kind of negatives

The truth is a public test graph: on a private one every result is private. An AUC over pairs also
collects what classes and degrees tell, so it refutes no epsilon (audit_game does), and a low one
proves nothing: it is about this attack.
"""
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Ints, Progress, Run, call, callback, constant, ffi, lent, lib,
                      name_of, names_of, pointer, struct, taken)
from .audit import Verdict, audit_game, reidentify
from .errors import ArgumentError
from .graph import Graph, as_features, as_graph
from .guarantee import Guarantee
from .network import Dataset, Model, Network, _config, public
from .plot import _axes
from .query import Query
from .reconstruction import Reconstruction, reconstruct
from .release import Release
from .rng import Rng, public_source

__all__ = ["Attack", "Report", "auc", "ceiling_pure", "ceiling_gdp", "ceiling_guarantee", "prediction_ceiling",
           "likelihood", "edge_game", "links", "links_rows", "links_posteriors", "links_influence",
           "links_influence_exact", "links_states", "links_release", "links_learned", "membership", "membership_exact",
           "values", "posteriors_without_graph", "reconstruct", "reidentify", "plot_roc", "plot_areas", "plot_windows"]

KINDS = ("uniform", "two-hop", "degree")


@dataclass(frozen=True)
class Report:
    """What an attack found against one kind of negatives. Intervals are from a bootstrap over
    nodes. control: name of the best one, or None."""

    negatives: str
    positive_count: int
    negative_count: int
    auc: float
    auc_low: float
    auc_high: float
    pairs_low: float
    pairs_high: float
    precision_mean: float
    prevalence: float
    true_positive: float
    true_positive_low: float
    true_positive_high: float
    control: Optional[str]
    control_auc: float
    excess: float
    excess_low: float
    excess_high: float
    silent: bool
    dead: bool

    def __str__(self) -> str:
        if self.negative_count == 0:
            return f"{self.negatives:8}  no such questions"
        words = f"{self.negatives:8}  AUC {self.auc:.3f} [{self.auc_low:.3f}, {self.auc_high:.3f}]"
        if self.dead:
            words += "  dead model: it says the same about every node"
        elif self.silent:
            words += "  no interface"
        if self.control is not None:
            words += (f"  best control {self.control} {self.control_auc:.3f}"
                      f"  excess {self.excess:+.3f} [{self.excess_low:+.3f}, {self.excess_high:+.3f}]")
        return words + f"  TPR at 1 % {self.true_positive:.3f}"


class Attack(Immutable):
    """Questions with answers, scores, and scores of controls. Made by the functions of this module."""

    __slots__ = ()
    _type = "pvg_attack"

    def __len__(self) -> int:
        return int(lib.pvg_attack_count(self._pointer))

    def report(self, negatives: Union[str, int] = "two-hop") -> Report:
        """What came out against "uniform", "two-hop" or "degree" negatives."""
        out = struct("pvg_attack_report")
        call("pvg_attack_copy_report", out, self._pointer, constant("NEGATIVES", negatives, "negatives"))
        fields = {name: getattr(out, name) for name in Report.__annotations__}
        control = name_of("CONTROL", out.control)
        fields.update(negatives=name_of("NEGATIVES", out.negatives), silent=bool(out.silent), dead=bool(out.dead),
                      control=None if control == "none" else control)
        return Report(**fields)

    def reports(self) -> List[Report]:
        """Those of all kinds of which there are questions."""
        found = [self.report(kind) for kind in KINDS]
        return [one for one in found if one.negative_count]

    def auc(self, control: Union[str, int] = "none", negatives: Union[str, int] = "two-hop"
            ) -> Tuple[float, float, float]:
        """(AUC, low, high) of a control ("features", "posteriors", "degrees", ...) or of the
        attack ("none"); NaN if there is no such control."""
        out = [ffi.new("double *") for _ in range(3)]
        call("pvg_attack_copy_auc", *out, self._pointer, constant("CONTROL", control, "control"),
             constant("NEGATIVES", negatives, "negatives"))
        return out[0][0], out[1][0], out[2][0]

    def _questions(self) -> Tuple[Array, Array, Array]:
        first, second, kinds = ffi.new("int64_t **"), ffi.new("int64_t **"), ffi.new("int32_t **")
        call("pvg_attack_view_questions", first, second, kinds, self._pointer)
        shape = (len(self),)
        return (lent(first[0], shape, np.int64, self), lent(second[0], shape, np.int64, self),
                lent(kinds[0], shape, np.int32, self))

    @property
    def questions(self) -> Array:
        """Two rows: the nodes of each question (or a node and a column)."""
        first, second, _ = self._questions()
        return np.stack([first, second])

    @property
    def kinds(self) -> Array:
        """-1 where the answer is yes, else the kind of negative: 0, 1, 2 as in KINDS."""
        return self._questions()[2]

    @property
    def truth(self) -> Array:
        """Whether the answer is yes."""
        return np.asarray(self.kinds == -1)

    def scores_of(self, control: Union[str, int]) -> Array:
        """Scores of a control, for each question."""
        out = ffi.new("double **")
        call("pvg_attack_view_scores", out, self._pointer, constant("CONTROL", control, "control"))
        return lent(out[0], (len(self),), np.float64, self)

    @property
    def scores(self) -> Array:
        """Scores of the attack, for each question."""
        return self.scores_of("none")

    @property
    def controls(self) -> Dict[str, Array]:
        """Scores of all controls it has, by name."""
        found = {}
        for name in names_of("CONTROL"):
            if name != "none" and not np.isnan(self.auc(name, self.reports()[0].negatives
                                                        if self.reports() else "uniform")[0]):
                found[name] = self.scores_of(name)
        return found

    def to_pandas(self) -> Any:
        """A table with a row for each question."""
        import pandas
        first, second, kinds = self._questions()
        table = {"first": first, "second": second, "truth": kinds == -1,
                 "negatives": [KINDS[k] if k >= 0 else "" for k in kinds], "score": self.scores}
        table.update(self.controls)
        return pandas.DataFrame(table)

    def plot(self, negatives: str = "two-hop", ax: Any = None) -> Any:
        """The same as plot_roc."""
        return plot_roc(self, negatives, ax=ax)

    def __str__(self) -> str:
        return "\n".join(str(one) for one in self.reports())

    def __repr__(self) -> str:
        return f"<Attack with {len(self)} questions>"


# --- numbers ----------------------------------------------------------------------------

def auc(positives: Any, negatives: Any, confidence: float = 0.95) -> Tuple[float, float, float]:
    """(AUC, low, high), ties half; the interval is DeLong's, for independent questions."""
    up, down = taken(positives, np.float64, "positives"), taken(negatives, np.float64, "negatives")
    out = [ffi.new("double *") for _ in range(3)]
    call("pvg_audit_auc", *out, pointer(up), up.size, pointer(down), down.size, confidence)
    return out[0][0], out[1][0], out[2][0]


def _pair(name: str, *arguments: Any) -> Tuple[float, float]:
    first, second = ffi.new("double *"), ffi.new("double *")
    call(name, first, second, *arguments)
    return first[0], second[0]


def ceiling_pure(epsilon: float, delta: float = 0.0, false_positive: float = 0.01) -> Tuple[float, float]:
    """(AUC, true positives) that epsilon and delta permit in the game about one edge or node."""
    return _pair("pvg_audit_ceiling_pure", epsilon, delta, false_positive)


def prediction_ceiling(posterior: Any, epsilon: float) -> float:
    """The largest expected accuracy of predicting the class of a person from what is epsilon-DP for her data.
    posterior: a row for each person, chances of classes given public data and everybody else's private data."""
    rows = np.ascontiguousarray(np.atleast_2d(posterior), dtype=np.float64)
    out = ffi.new("double *")
    call("pvg_audit_prediction_ceiling", out, pointer(rows), rows.shape[0], rows.shape[1], epsilon)
    return float(out[0])


def ceiling_gdp(mu: float, false_positive: float = 0.01) -> Tuple[float, float]:
    """The same for Gaussian DP."""
    return _pair("pvg_audit_ceiling_gdp", mu, false_positive)


def ceiling_guarantee(guarantee: Union[Guarantee, Release], false_positive: float = 0.01
                      ) -> Tuple[float, float]:
    """The same for what a release promises, from its whole curve."""
    promise = guarantee.guarantee if isinstance(guarantee, Release) else guarantee
    return _pair("pvg_audit_ceiling_guarantee", promise._pointer, false_positive)


def likelihood(observed: float, with_it: Any, without_it: Any) -> float:
    """LiRA's score: log of how much likelier `observed` is with the record than without, by
    normal laws fitted to both. Logits of the probability of the true class go in."""
    inside, outside = taken(with_it, np.float64, "with_it"), taken(without_it, np.float64, "without_it")
    out = ffi.new("double *")
    call("pvg_audit_likelihood", out, observed, pointer(inside), inside.size, pointer(outside), outside.size)
    return float(out[0])


def edge_game(query: Query, graph: Any, u: int, v: int, *, runs: int = 2000, confidence: float = 0.999999,
              rng: Optional[Rng] = None, progress: Optional[Progress] = None) -> Tuple[Verdict, float]:
    """The game about one edge on released numbers that name no nodes (degree distributions, histogram, what
    synthetic graphs are made of): (verdict, the AUC that the promise permits). Both worlds, with {u, v}
    joined and not, are known exactly; the score is the likelihood ratio for Laplace noise, or for Gaussian
    noise where a delta is promised, of one scale in all numbers. It is valid, if not best, for other noise."""
    held, promise = as_graph(graph), query.guarantee()
    edges = [(int(a), int(b)) for a, b in np.asarray(held.edges()).reshape(2, -1).T]
    bare = [pair for pair in edges if set(pair) != {u, v}]
    worlds = [Graph.from_edges(list(zip(*pairs)) if pairs else [[], []], held.order) for pairs in (bare, bare + [(u, v)])]
    exact = [query.values_exact(world) for world in worlds]
    power = 2 if np.isinf(promise.epsilon(0.0)) else 1

    def play(world: int, _run: int) -> float:
        drawn = np.asarray(query.draw(worlds[world], rng=rng).values)
        return float((np.abs(drawn - exact[0]) ** power - np.abs(drawn - exact[1]) ** power).sum())

    return audit_game(play, runs, promise.delta, confidence, progress=progress), ceiling_guarantee(promise)[0]


# --- drawings ---------------------------------------------------------------------------

def _series(found: Attack) -> List[Tuple[str, str]]:
    """(label, control) of the attack and of its controls."""
    return [("attack", "none")] + [(name, name) for name in sorted(found.controls)]


def plot_roc(found: Attack, negatives: str = "two-hop", *, guarantee: Union[Guarantee, Release, None] = None,
             ax: Any = None) -> Any:
    """True over false positives of an attack and its controls; returns the axes. guarantee: of what was attacked; the
    ceiling of the game about one edge is drawn, which an attack over many pairs may exceed."""
    axes = _axes(ax)
    kind, kinds = constant("NEGATIVES", negatives, "negatives"), found.kinds
    for label, control in _series(found):
        scores = found.scores_of(control)
        up, down = (np.sort(scores[kinds == side]) for side in (-1, kind))
        cuts = np.unique(np.concatenate([up, down]))[::-1]
        rates = [np.concatenate([[0.0], 1 - np.searchsorted(side, cuts) / max(len(side), 1)]) for side in (down, up)]
        axes.plot(*rates, label=f"{label} {found.auc(control, negatives)[0]:.3f}", linewidth=2 if control == "none" else 1)
    if guarantee is not None:
        at = np.linspace(0, 1, 51)
        most = [ceiling_guarantee(guarantee, float(rate))[1] for rate in at]
        axes.plot(at, most, color="black", linestyle="--", linewidth=1,
                  label=f"ceiling of the game {ceiling_guarantee(guarantee)[0]:.3f}")
    axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    axes.set(xlabel=f"false positives ({negatives})", ylabel="true positives", xlim=(0, 1), ylim=(0, 1))
    axes.legend(title="AUC")
    return axes


def plot_areas(found: Attack, *, guarantee: Union[Guarantee, Release, None] = None, ax: Any = None) -> Any:
    """AUC with its interval against every kind of negatives, of an attack beside its controls; returns the axes."""
    axes = _axes(ax)
    kinds = [report.negatives for report in found.reports()]
    series = _series(found)
    for place, (label, control) in enumerate(series):
        areas = np.array([found.auc(control, kind) for kind in kinds]).reshape(-1, 3)
        x = np.arange(len(kinds)) + 0.15 * (place - (len(series) - 1) / 2)
        axes.errorbar(x, areas[:, 0], [areas[:, 0] - areas[:, 1], areas[:, 2] - areas[:, 0]], fmt="o", capsize=3,
                      label=label)
    if guarantee is not None:
        axes.axhline(ceiling_guarantee(guarantee)[0], color="black", linestyle="--", linewidth=1,
                     label="ceiling of the game about one edge")
    axes.axhline(0.5, color="0.8", linewidth=1)
    axes.set(xticks=range(len(kinds)), xticklabels=kinds, ylabel="AUC")
    axes.legend()
    return axes


def plot_windows(found: Reconstruction, *, ax: Any = None) -> Any:
    """AUC over the pairs of windows with its interval over cuts, of what the attacker chose, of all it chose from, and of
    the controls, which never see the rows; returns the axes."""
    axes = _axes(ax)
    reports = list(found.reports.values())
    for place, one in enumerate(reports):
        low, high = max(one.auc - one.auc_low, 0.0), max(one.auc_high - one.auc, 0.0)
        axes.errorbar([place], [one.auc], [[low], [high]], fmt="o", capsize=3,
                      color="C0" if one.score in ("attack", "cosine", "twin", "diffusion") else "0.5")
    axes.axhline(0.5, color="0.8", linewidth=1)
    axes.set(ylabel="AUC over pairs of windows", xticks=range(len(reports)))
    axes.set_xticklabels([one.score for one in reports], rotation=45, ha="right")
    return axes


# --- settings ---------------------------------------------------------------------------

def _query(value: Any) -> Query:
    if not isinstance(value, Query):
        raise ArgumentError(f"query is a {type(value).__name__}, not a Query")
    return value


class _Settings:
    """A pvg_attack_config with what it points to."""

    def __init__(self, order: int, options: Dict[str, Any]) -> None:
        self.kept: List[Any] = []
        fields: Dict[str, Any] = {}
        for name in ("positives", "negatives", "draws", "confidence", "step", "black_box", "probabilities", "per_class", "published"):
            fields[name] = options.pop(name, None)
        for name, prefix in (("metric", "METRIC"), ("pairs", "PAIRS")):
            value = options.pop(name, None)
            fields[name] = None if value is None else constant(prefix, value, name)
        for name, kind in (("asked", np.int32), ("positions", np.float64)):
            value = options.pop(name, None)
            fields[name] = None if value is None else self._array(value, kind, name, (order,))
        for name, width in (("posteriors", "posterior_columns"), ("rows", "row_columns")):
            value = options.pop(name, None)
            if value is not None:
                matrix = taken(value, np.float64, name)
                if matrix.ndim != 2 or len(matrix) != order:
                    raise ArgumentError(f"{name} has shape {matrix.shape}, not ({order}, columns)")
                fields[name], fields[width] = self._array(matrix, np.float64, name, matrix.shape), matrix.shape[1]
        for name, make in (("features", as_features), ("known", as_graph), ("query", _query)):
            value = options.pop(name, None)
            if value is not None:
                self.kept.append(make(value))
                fields[name] = self.kept[-1]._pointer
        if options:
            raise ArgumentError(f"an attack has no setting {sorted(options)[0]!r}")
        self.config = struct("pvg_attack_config", **fields)

    def _array(self, value: Any, kind: Any, name: str, shape: Tuple[int, ...]) -> Any:
        self.kept.append(taken(value, kind, name, shape))
        return pointer(self.kept[-1])


def _make(name: str, truth: Any, before: Tuple[Any, ...], seed: Union[Rng, int], threads: int,
          progress: Optional[Progress], options: Dict[str, Any]) -> Attack:
    """`before` are the arguments up to the truth."""
    graph = as_graph(truth)
    settings = _Settings(graph.order, options)
    return Attack._make(name, *before, graph._pointer, settings.config, public_source(seed)._pointer,
                        run=Run(threads, progress))


def _matrix(values_given: Any, order: int, argument: str) -> Array:
    matrix = taken(values_given, np.float64, argument)
    if matrix.ndim != 2 or len(matrix) != order:
        raise ArgumentError(f"{argument} has shape {matrix.shape}, not ({order}, columns)")
    return matrix


# --- links ------------------------------------------------------------------------------

@callback("int32_t(void *, double *, int64_t *, int64_t *, int64_t)", error=1)
def _score(context: Any, scores: Any, first: Any, second: Any, count: int) -> int:
    nodes = [np.frombuffer(ffi.buffer(end, 8 * count), np.int64) for end in (first, second)]
    found = taken(ffi.from_handle(context)(*nodes), np.float64, "scores", (count,))
    ffi.memmove(scores, pointer(found), 8 * count)
    return 0


def links(score: Callable[[Array, Array], Any], truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
          progress: Optional[Progress] = None, **options: Any) -> Attack:
    """Any attack on links: score(first, second) gives a number for each pair of nodes, the larger
    the more an edge is suspected.

    options, here and below: positives, negatives, draws, confidence; asked (1 for nodes that may be
    asked about); controls: features, posteriors, positions, known (a graph), rows. The same seed
    gives the same questions to every attack on one graph."""
    handle = ffi.new_handle(score)
    return _make("pvg_attack_links_custom", truth, (_score, handle), seed, threads, progress, options)


def links_rows(rows: Any, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
               progress: Optional[Progress] = None, control_rows: Any = None, **options: Any) -> Attack:
    """Similarity of rows: explanations (ExplainSim), features (FeatureSim), embeddings of nodes.
    metric: "cosine", "centred", "correlation", "dot", "euclidean", ..."""
    graph = as_graph(truth)
    matrix = _matrix(rows, graph.order, "rows")
    return _make("pvg_attack_links_rows", graph, (pointer(matrix), matrix.shape[1]), seed, threads, progress,
                 dict(options, rows=control_rows))


def links_posteriors(posteriors: Any, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
                     progress: Optional[Progress] = None, control_posteriors: Any = None, **options: Any) -> Attack:
    """Similarity of posteriors (LSA2), of a Release or an array: the centred cosine, or another
    metric. control_posteriors: those of a model that never saw an edge."""
    graph = as_graph(truth)
    found = posteriors.values if isinstance(posteriors, Release) else posteriors
    matrix = _matrix(found, graph.order, "posteriors")
    return _make("pvg_attack_links_posteriors", graph, (pointer(matrix), matrix.shape[1]), seed, threads,
                 progress, dict(options, posteriors=control_posteriors))


def links_influence(model: Model, dataset: Dataset, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
                    progress: Optional[Progress] = None, **options: Any) -> Attack:
    """LinkTeller: how far the output at one node moves when the features of another do. The dataset
    is what the model is asked on. options too: step, probabilities (instead of logits), black_box.
    PrivacyError for private parts."""
    return _make("pvg_attack_links_influence", truth, (model._pointer, dataset._pointer), seed, threads,
                 progress, options)


def links_influence_exact(model: Model, dataset: Dataset, truth: Any, *, seed: Union[Rng, int] = 0,
                          threads: int = 0, progress: Optional[Progress] = None, **options: Any) -> Attack:
    """NOT FOR PUBLICATION: the same for any model and dataset, as private as they are."""
    return _make("pvg_attack_links_influence_exact", truth, (model._pointer, dataset._pointer), seed, threads,
                 progress, options)


def links_states(release: Release, messages: Any, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
                 progress: Optional[Progress] = None, **options: Any) -> Attack:
    """Matched filter on released sums of public messages over neighbours: <S_u, x_v> + <S_v, x_u>."""
    graph = as_graph(truth)
    matrix = _matrix(messages, graph.order, "messages")
    return _make("pvg_attack_links_states", graph, (release._pointer, pointer(matrix), matrix.shape[1]), seed,
                 threads, progress, options)


def links_release(release: Release, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
                  progress: Optional[Progress] = None, **options: Any) -> Attack:
    """Reading a released graph or released lists. query: what it answers, which everybody knows; with that of
    DPRR, answers are weighed by the rates at which nodes keep theirs."""
    return _make("pvg_attack_links_release", truth, (release._pointer,), seed, threads, progress, options)


def links_learned(rows: Any, known_nodes: Ints, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
                  progress: Optional[Progress] = None, control_rows: Any = None, **options: Any) -> Attack:
    """A network that judges pairs of rows, trained on pairs of the nodes that the attacker knows (1 in
    known_nodes) and asked about the others. pairs: "distances" (Attack-3) or "directions"."""
    graph = as_graph(truth)
    matrix = _matrix(rows, graph.order, "rows")
    held = taken(known_nodes, np.int32, "known_nodes", (graph.order,))
    return _make("pvg_attack_links_learned", graph, (pointer(matrix), matrix.shape[1], pointer(held)), seed,
                 threads, progress, dict(options, rows=control_rows))


def posteriors_without_graph(features: Any, labels: Ints, split: Ints, *, hidden: int = 32,
                             seed: Union[Rng, int] = 0, threads: int = 0) -> Array:
    """Posteriors of `drop .5 | dense hidden relu | drop .5 | dense classes`, trained as a graph
    network would be but without edges: the control of attacks on models."""
    held = as_features(features)
    known = taken(labels, np.int32, "labels", (len(held),))
    data = Dataset(features=public(held), labels=public(known), split=[int(part) for part in split])
    network = Network(f"drop .5 | dense {hidden} relu | drop .5 | dense classes", held.shape[1],
                      int(known.max(initial=0)) + 1)
    model = Model.train(network, data, seed=public_source(seed), select="accuracy", epochs=150, patience=-1,
                        threads=threads)
    return model.predict_exact(data)


# --- other attacks ----------------------------------------------------------------------

def _membership(name: str, network: Network, dataset: Dataset, training: Optional[Dict[str, Any]],
                seed: Union[Rng, int], threads: int, progress: Optional[Progress], options: Dict[str, Any]) -> Attack:
    settings = _Settings(dataset.order, options)
    config, _kept = (ffi.NULL, []) if training is None else _config(network.classes, training)
    return Attack._make(name, network._pointer, dataset._pointer, config, settings.config,
                        public_source(seed)._pointer, run=Run(threads, progress))


def membership(network: Network, dataset: Dataset, *, training: Optional[Dict[str, Any]] = None,
               seed: Union[Rng, int] = 0, threads: int = 0, progress: Optional[Progress] = None,
               **options: Any) -> Attack:
    """G-MIA, corrected: was a node among those a network was trained on? Members and others are
    queried on the same graph (published=True: as published, which is wrong). options too:
    per_class, draws, confidence. Its reports have "uniform" negatives only."""
    return _membership("pvg_attack_membership", network, dataset, training, seed, threads, progress, options)


def membership_exact(network: Network, dataset: Dataset, *, training: Optional[Dict[str, Any]] = None,
                     seed: Union[Rng, int] = 0, threads: int = 0, progress: Optional[Progress] = None,
                     **options: Any) -> Attack:
    """NOT FOR PUBLICATION: the same for any dataset, as private as it is."""
    return _membership("pvg_attack_membership_exact", network, dataset, training, seed, threads, progress,
                       options)


def values(scores: Any, truth: Any, *, seed: Union[Rng, int] = 0, threads: int = 0,
           progress: Optional[Progress] = None, **options: Any) -> Attack:
    """Single values: is an entry of `truth` (features; labels as one-hot rows) there? scores has the
    same shape: reported features, or probabilities of classes. Negatives "uniform" and "degree"
    (the same column)."""
    held = as_features(truth)
    matrix = taken(scores, np.float64, "scores", held.shape)
    settings = _Settings(held.shape[0], options)
    return Attack._make("pvg_attack_values", pointer(matrix), held._pointer, settings.config,
                        public_source(seed)._pointer, run=Run(threads, progress))
