"""Read-outs and classifiers: they read public and released numbers, and spend nothing by that."""
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

import numpy as np

from ._native import Array, Immutable, Ints, Progress, Run, call, lib, pointer, struct, taken
from .errors import ArgumentError
from .graph import Features, Graph, Labels, as_features, as_graph, as_labels
from .ledger import Object, Payer
from .mechanism import Target
from .network import Model, Part
from .pipeline import Pipeline
from .release import Release
from .rng import Rng, noise_source
from .query import Query

__all__ = ["directions", "Logistic", "histogram_cells", "histogram_posterior", "histogram_mix", "Classification", "classify",
           "encode", "learn_nodes", "learn_nodes_exact", "UserClassification", "learn_users", "learn_users_exact",
           "learn_rows", "learn_rows_exact", "train_rows", "HiddenNodes", "learn_hidden_nodes", "learn_hidden_nodes_exact"]


def directions(features: Any, columns: int = 64, *, threads: int = 0,
               progress: Optional[Progress] = None) -> Array:
    """The features in `columns` orthogonal directions that hold most of them, rows of length 1."""
    held = as_features(features)
    out = np.zeros((held.shape[0], columns))
    call("pvg_directions_project", pointer(out), held._pointer, columns, run=Run(threads, progress))
    return out


class Logistic(Immutable):
    """Multinomial logistic regression with an L2 penalty. The same bits for any number of threads.

    Parameters
    ----------
    x : array
        Rows x columns.
    labels : sequence of int
        A class for each row; -1 leaves the row out.
    classes : int
        Number of classes; 0: one more than the largest label.
    penalty, rounds, tolerance : float, int, float
        Weight of the penalty; when Newton's method ends, 0 for the defaults.
    threads, progress
        Of the calculation.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> model = pg.Logistic([[0.0], [1.0], [4.0], [5.0]], [0, 0, 1, 1], penalty=0.1)
    >>> model.predict([[0.5], [4.5]]).argmax(axis=1)
    array([0, 1])
    """

    __slots__ = ()
    _type = "pvg_logistic"

    def __init__(self, x: Any, labels: Ints, *, classes: int = 0, penalty: float = 1.0,
                 rounds: int = 0, tolerance: float = 0.0, threads: int = 0,
                 progress: Optional[Progress] = None) -> None:
        matrix = taken(x, np.float64, "x")
        if matrix.ndim != 2:
            raise ArgumentError(f"x has shape {matrix.shape}, not (rows, columns)")
        known = taken(labels, np.int32, "labels", (len(matrix),))
        config = struct("pvg_logistic_config", classes=classes or int(known.max(initial=0)) + 1,
                        penalty=penalty, rounds=rounds, tolerance=tolerance)
        self._take("pvg_logistic_fit", config, pointer(matrix), pointer(known), *matrix.shape,
                   run=Run(threads, progress))

    @property
    def weights(self) -> Array:
        """(columns + 1) x classes; the last row is the intercept."""
        out = np.zeros((lib.pvg_logistic_columns(self._pointer) + 1,
                        lib.pvg_logistic_classes(self._pointer)))
        call("pvg_logistic_copy_weights", pointer(out), self._pointer)
        return out

    def predict(self, x: Any, *, threads: int = 0) -> Array:
        """Class probabilities of each row."""
        matrix = taken(x, np.float64, "x")
        columns = lib.pvg_logistic_columns(self._pointer)
        if matrix.ndim != 2 or matrix.shape[1] != columns:
            raise ArgumentError(f"x has shape {matrix.shape}, not (rows, {columns})")
        out = np.zeros((len(matrix), lib.pvg_logistic_classes(self._pointer)))
        call("pvg_logistic_predict", pointer(out), self._pointer, pointer(matrix), len(matrix),
             run=Run(threads))
        return out


def _prior(prior: Any) -> Array:
    matrix = taken(prior, np.float64, "prior")
    if matrix.ndim != 2:
        raise ArgumentError(f"prior has shape {matrix.shape}, not (nodes, classes)")
    return matrix


def histogram_cells(prior: Any, labels: Ints) -> Tuple[Array, Array]:
    """(priorities, kinds) for `Query("edge-histogram")` with 2 x classes kinds: who sends, and what."""
    matrix = _prior(prior)
    known = taken(labels, np.int32, "labels", (len(matrix),))
    priorities, kinds = np.zeros(len(matrix)), np.zeros(len(matrix), np.int32)
    call("pvg_histogram_cells", pointer(priorities), pointer(kinds), pointer(matrix), pointer(known),
         *matrix.shape)
    return priorities, kinds


class _Posterior:
    """The settings of a read-out, with the arrays that they point to."""

    def __init__(self, shape: Tuple[int, ...], checks: Any, transition: Any, strength: float,
                 rounds: int) -> None:
        classes = shape[1]
        self.checks = None if checks is None else taken(checks, np.int32, "checks", (shape[0],))
        self.transition = None if transition is None else taken(transition, np.float64, "transition",
                                                                (classes, classes))
        self.config = struct("pvg_posterior_config", classes=classes, strength=strength, rounds=rounds,
                             checks=None if self.checks is None else pointer(self.checks),
                             transition=None if self.transition is None
                             else pointer(self.transition))


def _of_nodes(release: Release, prior: Array) -> None:
    if release.shape[0] != len(prior):
        raise ArgumentError(f"prior has {len(prior)} rows, the release {release.shape[0]}")


def histogram_posterior(query: Query, release: Release, prior: Any, labels: Ints, *,
                    checks: Optional[Ints] = None, transition: Any = None,
                    strength: float = 0.0, rounds: int = 0, threads: int = 0,
                    progress: Optional[Progress] = None) -> Array:
    """Class probabilities of every node, from a query of edge-histogram, the release that answers it, and public numbers.

    checks: classes of validation nodes (-1 elsewhere), by which strength and the use of unlabelled
    senders are chosen. transition: the matrix of a response that labels went through."""
    matrix = _prior(prior)
    known = taken(labels, np.int32, "labels", (len(matrix),))
    settings = _Posterior(matrix.shape, checks, transition, strength, rounds)
    out = np.zeros(matrix.shape)
    _of_nodes(release, matrix)
    call("pvg_estimate_classes", pointer(out), query._pointer, release._pointer, pointer(matrix),
         pointer(known), settings.config, run=Run(threads, progress))
    return out


def histogram_mix(query: Query, release: Release, prior: Any, labels: Ints, checks: Ints, *,
              averages: int = 0, seed: Optional[Rng] = None, threads: int = 0,
              progress: Optional[Progress] = None) -> Array:
    """The same by two judges whose log posteriors are averaged: histogram_posterior at the temperature
    that checks like best, and a network that the checked nodes train in folds."""
    matrix = _prior(prior)
    known = taken(labels, np.int32, "labels", (len(matrix),))
    settings = _Posterior(matrix.shape, checks, None, 0.0, 0)
    _of_nodes(release, matrix)
    out = np.zeros(matrix.shape)
    call("pvg_estimate_classes_mixed", pointer(out), query._pointer, release._pointer, pointer(matrix),
         pointer(known), settings.config, averages, noise_source(seed)._pointer,
         run=Run(threads, progress))
    return out


@dataclass(frozen=True)
class Classification:
    """Class probabilities of every node, and the releases they were read from.

    Attributes
    ----------
    probabilities : array
        Nodes x classes.
    prior : array
        The same from features alone: what is had without the private edges.
    releases : tuple of Release
        What was paid for.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> truth = np.repeat([0, 1], 100)
    >>> graph = pg.Graph.blocks([100, 100], [[0.2, 0.01], [0.01, 0.2]], 1).with_object("school")
    >>> known = np.where(np.arange(200) % 3, truth, -1)  # a third is to be found out
    >>> found = pg.classify(graph, known, epsilon=2, ledger=pg.Ledger(epsilon=2))
    >>> found.probabilities.shape, bool(np.mean(found.classes == truth) > 0.9)
    ((200, 2), True)
    """

    probabilities: Array
    prior: Array
    releases: Tuple[Release, ...]

    @property
    def classes(self) -> Array:
        """The likeliest class of every node."""
        found: Array = self.probabilities.argmax(axis=1)
        return found

    @property
    def text(self) -> str:
        """The guarantee in plain words; with two rounds that of the second has the first in it."""
        return self.releases[-1].text if self.releases else ""


def classify(graph: Any, labels: Any, epsilon: Optional[float] = None, *, features: Any = None, checks: Any = None,
             prior: Any = None, transition: Any = None, network: Optional[str] = None,
             target: Optional[Target] = None, object: Optional[Object] = None,  # pylint: disable=redefined-builtin
             rng: Optional[Rng] = None, ledger: Payer = None, threads: int = 0,
             progress: Optional[Progress] = None, **options: Any) -> Classification:
    """Classes of nodes from public features and labels and **private edges**: encoder, release, read-out. The
    `Pipeline` "edges", whose options these are: method ("histogram"; "sums", "gap", "pcmp", "response", "features"),
    delta, averages, hidden, directions, hops, first_share, held_out, ...

    labels: the class of each node, -1 where it is not known; they are public and may be sent as messages. checks:
    classes of further nodes, which choose, stop and calibrate, and train the read-out of histograms, but send nothing;
    without them a share of the labels does (held_out, a fifth). Where edges add nothing on these nodes the result is
    that of features alone. features: public; or prior: class probabilities of each node made without the edges.
    `.prior` of the result is the row "no edges", learn_nodes_exact the row "no noise".

    By default every node counts its neighbours that come before it in a public order, by label or predicted class;
    noise of deviation 1.36 at epsilon 1 is added to each count, whatever their number (pure epsilon edge-DP); what
    reads them knows the law of the noise and spends nothing."""
    held = as_graph(graph)
    source = noise_source(rng)
    pipeline = Pipeline("edges", order=held.order, labels=labels, checks=checks, features=features, prior=prior,
                        transition=transition, network=network, target=target, seed=source, threads=threads,
                        progress=progress, epsilon=epsilon if target is None else None, **options)
    drawn = pipeline.draw(held, object=object, rng=source, ledger=ledger, threads=threads, progress=progress)
    made = tuple(one for one in drawn if one is not None)
    try:
        read = pipeline.read(*drawn, seed=source, threads=threads, progress=progress)
    except Exception as error:
        setattr(error, "releases", made)  # paid for, though nothing was read from it
        raise
    return Classification(read.probabilities, read.without, made)


learn_nodes = classify


def learn_nodes_exact(graph: Any, labels: Any, *, features: Any = None, checks: Any = None, prior: Any = None,
                      network: Optional[str] = None, seed: Optional[Rng] = None, threads: int = 0,
                      progress: Optional[Progress] = None, **options: Any) -> Array:
    """The same without noise: what it could do at most. NOT FOR PUBLICATION."""
    held = as_graph(graph)
    source = noise_source(seed)
    pipeline = Pipeline("edges", order=held.order, labels=labels, checks=checks, features=features, prior=prior,
                        network=network, seed=source, threads=threads, progress=progress,
                        epsilon=1, **options)  # no noise is drawn
    return pipeline.exact(held, seed=source, threads=threads, progress=progress).probabilities


def encode(features: Any, labels: Any, *, checks: Any = None, seed: Optional[Rng] = None, threads: int = 0,
           progress: Optional[Progress] = None, **options: Any) -> Array:
    """Class probabilities of every node from **public** features: networks whose probabilities are averaged,
    calibrated on checks; nodes with a label are judged by networks that did not see it."""
    held = as_features(features)
    pipeline = Pipeline("edges", order=held.shape[0], labels=labels, checks=checks, features=held, method="features",
                        seed=noise_source(seed), threads=threads, progress=progress, **options)
    return np.array(pipeline.prior)


@dataclass(frozen=True)
class UserClassification:
    """Classes of users from what they reported, and the releases that their reports are.

    Attributes
    ----------
    probabilities : array
        Users x classes.
    without : array
        The judgement without any feature, from labels and lists alone. Where reported labels of those held out
        like it as well, it is the judgement.
    lists, features, labels : Release or None
        The reports.
    model : Model or None
        The network, with all draws in its record; None without features.
    pipeline : Pipeline
        Reads the reports again: `pipeline.read(lists, features, labels)`.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> truth = np.repeat([0, 1], 60)
    >>> features = truth[:, None] + 0.3 * np.random.default_rng(1).normal(size=(120, 4))
    >>> found = pg.learn_users(pg.Graph.cycle(120).with_object("users"), truth, np.arange(120) % 3, classes=2,
    ...                        features=pg.public(features), label_epsilon=2, rounds=1,
    ...                        label_ledger=pg.Ledger(epsilon=2, notion="label-ldp"))
    >>> found.probabilities.shape, found.labels.notion, found.lists is None
    ((120, 2), 'label-ldp', True)
    """

    probabilities: Array
    without: Array
    lists: Optional[Release]
    features: Optional[Release]
    labels: Optional[Release]
    model: Optional[Model]
    pipeline: Pipeline

    @property
    def classes(self) -> Array:
        """The likeliest class of every user."""
        found: Array = self.probabilities.argmax(axis=1)
        return found


def users_pipeline(graph: Any, labels: Any, parts: Any, features: Any, *, list_epsilon: float = 0.0,
                   feature_epsilon: float = 0.0, label_epsilon: float = 0.0, **options: Any
                   ) -> Tuple[Pipeline, Dict[str, Any]]:
    """The pipeline of users who report what has an epsilon; and what they hold, for its draw."""
    secret = not isinstance(features, Part) or features.secret
    shown = features.value if isinstance(features, Part) else features
    if shown is not None and secret and not feature_epsilon > 0:
        raise ArgumentError("features are given, but feature_epsilon is 0: an epsilon to ask users for them,"
                            " public(features) if everybody knows them, or no features")
    reported = shown is not None and secret
    asked = {"graph": graph if list_epsilon > 0 else None,
             "features": as_features(shown) if reported else None,
             "labels": as_labels(labels) if label_epsilon > 0 else None}
    pipeline = Pipeline(
        "users", parts=parts, graph=None if list_epsilon > 0 else graph,
        labels=None if label_epsilon > 0 else np.asarray(labels.values if isinstance(labels, Labels) else labels),
        features=None if reported else shown, list_epsilon=list_epsilon or None,
        feature_epsilon=feature_epsilon if reported else None, label_epsilon=label_epsilon or None,
        columns=asked["features"].shape[1] if reported else None, **options)
    return pipeline, asked


def learn_users(graph: Any, labels: Any, parts: Any, *, features: Any = None, network: Optional[str] = None,
                allow_seeded: bool = False, object: Optional[Object] = None,  # pylint: disable=redefined-builtin
                rng: Optional[Rng] = None, list_ledger: Payer = None, feature_ledger: Payer = None,
                label_ledger: Payer = None, threads: int = 0, progress: Optional[Progress] = None,
                **options: Any) -> UserClassification:
    """Nobody is trusted: users perturb their lists, features and labels, and a network with forward correction learns
    from the reports. The `Pipeline` "users", whose options these are: list_epsilon, feature_epsilon, label_epsilon
    (without one that part is public), classes (needed where labels are not), low, high, rounds, target_rounds, averages, held_out.

    features: with feature_epsilon what users hold; `public(x)`: everybody knows them, and they are read as they are.
    parts: 0 train, 1 validation, 2 test; only the first two tell their label. The three notions stand side by side and
    are not one number; a ledger keeps one notion, so each part has its own, and nothing is paid unless all of them
    have enough."""
    held, source = as_graph(graph), noise_source(rng)
    pipeline, asked = users_pipeline(held, labels, taken(parts, np.int32, "parts", (held.order,)), features,
                                     network=network, allow_seeded=allow_seeded, seed=source, threads=threads,
                                     progress=progress, **options)
    drawn = pipeline.draw(**asked, whose=held, object=object, rng=source,
                          ledger=(list_ledger, feature_ledger, label_ledger), threads=threads, progress=progress)
    try:
        read = pipeline.read(*drawn, seed=source, threads=threads, progress=progress)
    except Exception as error:
        setattr(error, "releases", tuple(one for one in drawn if one is not None))
        raise
    return UserClassification(read.probabilities, read.without, *drawn, read.model, pipeline)


def learn_users_exact(graph: Any, labels: Any, parts: Any, *, features: Any = None, network: Optional[str] = None,
                      seed: Optional[Rng] = None, threads: int = 0, progress: Optional[Progress] = None,
                      **options: Any) -> UserClassification:
    """The same with what users hold instead of reports: what it could do at most. NOT FOR PUBLICATION."""
    source, told = noise_source(seed), as_labels(labels)
    options.setdefault("classes", max(2, int(np.asarray(told.values).max(initial=1)) + 1))
    pipeline, asked = users_pipeline(as_graph(graph), told, parts, features, network=network, seed=source,
                                     threads=threads, progress=progress,
                                     **{"list_epsilon": 1, "feature_epsilon": 1, "label_epsilon": 1,  # no noise is drawn
                                        **options})
    read = pipeline.exact(**asked, seed=source, threads=threads, progress=progress)
    return UserClassification(read.probabilities, read.without, None, None, None, None, pipeline)


@dataclass(frozen=True)
class HiddenNodes:
    """Networks drawn while nodes were hidden, with their edges, features and labels.

    Attributes
    ----------
    encoder, head, states
        May be published under their records; that of the head composes all three. head and states are None for the
        encoder alone.
    pipeline : Pipeline
        Reads them for one node.
    releases : tuple of Release
        What they are.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> truth = np.repeat([0, 1], 100)
    >>> features = truth[:, None] + 0.3 * np.random.default_rng(1).normal(size=(200, 4))
    >>> graph = pg.Graph.cycle(200).with_object("school")
    >>> made = pg.learn_hidden_nodes(graph, truth, np.where(np.arange(200) % 2, 0, 2), 8, 1e-6, features=features,
    ...                              classes=2, steps=20, ledger=pg.Ledger(epsilon=8, notion="node-removed"))
    >>> made.head is None, bool(made.releases[0].epsilon(1e-6) <= 8)
    (True, True)
    """

    encoder: Model
    head: Optional[Model]
    states: Optional[Release]
    pipeline: Pipeline
    releases: Tuple[Release, ...]

    @property
    def model(self) -> Model:
        """The one whose record composes everything that was drawn."""
        return self.encoder if self.head is None else self.head

    def predict_exact(self, features: Any, *, threads: int = 0, progress: Optional[Progress] = None) -> Array:
        """NOT FOR PUBLICATION: class probabilities of every node, row v from v's own features, for v
        alone."""
        return self.pipeline.read_exact(self.encoder, self.states, self.head, features=features, threads=threads,
                                        progress=progress).probabilities


def _nodes_pipeline(held: Graph, parts: Any, features: Features, options: Dict[str, Any]) -> Tuple[Pipeline, bool]:
    """The pipeline, and whether it reads the graph."""
    pipeline = Pipeline("nodes", order=held.order, parts=parts, columns=features.shape[1], **options)
    return pipeline, options.get("method") == "gap"


def learn_hidden_nodes(graph: Any, labels: Any, parts: Any, epsilon: float, delta: Optional[float] = None, *,
                       features: Any, network: Optional[str] = None, allow_seeded: bool = False,
                       object: Optional[Object] = None,  # pylint: disable=redefined-builtin
                       rng: Optional[Rng] = None, ledger: Payer = None, threads: int = 0,
                       progress: Optional[Progress] = None, **options: Any) -> HiddenNodes:
    """Hides nodes with their edges, features and labels. The `Pipeline` "nodes", whose options these are: method
    ("features": an encoder by DP-SGD with the whole budget; "gap": also sums over neighbours with noise for a removed
    node, and a head by DP-SGD, all within epsilon and delta), max_degree (gap: promised, no node has more neighbours),
    hops, steps, batch, rate, clip, directions, hidden, encoder_share, states_share, head_share; classes must be given:
    labels are private.

    parts: 0 for nodes that train, public. network: the encoder. ledger: of notion "node-removed"."""
    held, stored, told, source = as_graph(graph), as_features(features), as_labels(labels), noise_source(rng)
    pipeline, sums = _nodes_pipeline(held, parts, stored, dict(
        options, epsilon=epsilon, delta=delta, network=network, allow_seeded=allow_seeded, seed=source, threads=threads))
    encoder, states, head = pipeline.draw(held if sums else None, features=stored, labels=told, whose=held,
                                          object=object, rng=source, ledger=ledger, threads=threads, progress=progress)
    assert encoder is not None
    return HiddenNodes(encoder.model, None if head is None else head.model, states, pipeline,
                       tuple(one for one in (encoder, states, head) if one is not None))


def learn_hidden_nodes_exact(graph: Any, labels: Any, parts: Any, *, features: Any,
                             network: Optional[str] = None, seed: Optional[Rng] = None, threads: int = 0,
                             progress: Optional[Progress] = None, **options: Any) -> Array:
    """The same without noise: what it could do at most. NOT FOR PUBLICATION."""
    held, stored, told, source = as_graph(graph), as_features(features), as_labels(labels), noise_source(seed)
    pipeline, sums = _nodes_pipeline(held, parts, stored, dict(
        {"classes": max(2, int(np.asarray(told.values).max(initial=1)) + 1), **options}, epsilon=1,
        network=network, threads=threads))
    return pipeline.exact(held if sums else None, features=stored, labels=told, seed=source, threads=threads,
                          progress=progress).probabilities


def _rows_pipeline(labels: Any, checks: Any, rows: int, options: Dict[str, Any]) -> Pipeline:
    return Pipeline("rows", order=rows, labels=labels, checks=checks, **options)


def learn_rows(release: Release, labels: Any, *, checks: Any = None, seed: Optional[Rng] = None, threads: int = 0,
               progress: Optional[Progress] = None, **options: Any) -> Array:
    """Class probabilities of every row of a release, as the embeddings of graphs: post-processing. The `Pipeline`
    "rows", whose options these are: classes, hidden, averages, held_out.

    labels: -1 where unknown; checks: classes of further rows, which stop the training."""
    return _rows_pipeline(labels, checks, len(release), options).read(
        release, seed=noise_source(seed), threads=threads, progress=progress).probabilities


def train_rows(release: Release, labels: Any, *, checks: Any = None, seed: Optional[Rng] = None, threads: int = 0,
               progress: Optional[Progress] = None, **options: Any) -> Model:
    """The model of `learn_rows`, to be saved, and asked about rows that are released later. It takes rows as
    they are released, and its record has the release."""
    read = _rows_pipeline(labels, checks, len(release), options).read(
        release, seed=noise_source(seed), threads=threads, progress=progress)
    assert read.model is not None
    return read.model


def learn_rows_exact(values: Any, labels: Any, *, checks: Any = None, seed: Optional[Rng] = None, threads: int = 0,
                     progress: Optional[Progress] = None, **options: Any) -> Array:
    """The same for numbers without noise: what it could do at most. NOT FOR PUBLICATION."""
    x = taken(values, np.float64, "values")
    if x.ndim != 2:
        raise ArgumentError(f"values has shape {x.shape}, not rows and columns")
    return _rows_pipeline(labels, checks, len(x), options).exact(
        features=x, seed=noise_source(seed), threads=threads, progress=progress).probabilities
