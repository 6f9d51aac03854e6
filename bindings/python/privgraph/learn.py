"""Read-outs and classifiers: they read public and released numbers, and spend nothing by that."""
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Ints, Progress, Run, call, check, constant, ffi, lib, pointer,
                      struct, taken)
from .errors import ArgumentError
from .graph import Features, Labels, as_features, as_graph, as_labels
from .ledger import Object, Payer, object_number
from .mechanism import Target, as_target
from .memory import Releasing
from .network import Model, Part
from .release import Release
from .rng import Rng, noise_source
from .query import Query
from .visible import warn_of_recipe

__all__ = ["directions", "Logistic", "histogram_cells", "histogram_posterior", "histogram_mix", "Classification", "classify",
           "encode", "learn_nodes", "learn_nodes_exact", "UserClassification", "learn_users",
           "learn_users_exact", "learn_reports", "learn_rows", "learn_rows_exact", "train_rows", "HiddenNodes", "learn_hidden_nodes",
           "learn_hidden_nodes_exact"]


def directions(features: Any, columns: int = 64, *, threads: int = 0,
               progress: Optional[Progress] = None) -> Array:
    """The features in `columns` orthogonal directions that hold most of them, rows of length 1."""
    held = as_features(features)
    out = np.zeros((held.shape[0], columns))
    call("pvg_directions_project", pointer(out), held._pointer, columns, run=Run(threads, progress))
    return out


class Logistic(Immutable):
    """Multinomial logistic regression with an L2 penalty. The same bits for any number of threads.

    x: rows x columns; labels: -1 for rows that are left out."""

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
    """Class probabilities of every node, and the releases they were read from."""

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
        """The guarantee in plain words; with two rounds, that of each, and they add up."""
        return "".join(release.text for release in self.releases)


PENALTIES = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)


def _encode(features: Any, labels: Array, checks: Optional[Array], classes: int,
            columns: int, threads: int) -> Array:
    """A prior from public features: directions, logistic regression, penalty by validation."""
    if features is None:
        counts = np.bincount(labels[labels >= 0], minlength=classes) + 1.0
        return np.tile(counts / counts.sum(), (len(labels), 1))
    held = as_features(features)
    x = directions(held, min(columns, *held.shape), threads=threads) * np.sqrt(min(columns, *held.shape))
    best, score = None, -1.0
    for penalty in PENALTIES if checks is not None else (1.0,):
        model = Logistic(x, labels, classes=classes, penalty=penalty, tolerance=1e-4,
                         threads=threads)
        prior = model.predict(x, threads=threads)
        right = 0.0 if checks is None else float(
            (prior.argmax(axis=1) == checks)[checks >= 0].mean())
        if right > score:
            best, score = prior, right
    assert best is not None
    return best


def classify(graph: Any, labels: Any, epsilon: float, *, features: Any = None,
             prior: Any = None, checks: Any = None, columns: int = 64,
             transition: Any = None, strength: float = 0.0, rounds: int = 0,
             first_share: float = 0.0, target: Optional[Target] = None,
             object: Optional[Object] = None, rng: Optional[Rng] = None,
             ledger: Payer = None, threads: int = 0,
             progress: Optional[Progress] = None) -> Classification:
    """Classes of nodes from public features and labels and **private edges**, pure epsilon edge-DP.

    labels: the class of each node, -1 where it is not known. checks: classes of further nodes, which
    choose settings but send nothing (-1 elsewhere). features: public; or prior: class probabilities
    of each node that were made without the edges. first_share: a first round with this part of
    epsilon, whose outcome makes the cells of a second one (for few labels).

    Every node counts its neighbours that come before it in a public order, by label or predicted class;
    noise of deviation 1.36 at epsilon 1 is added to each count, whatever their number; a Bayes
    read-out that knows the law of the noise does the rest and spends nothing."""
    held = as_graph(graph)
    known = taken(labels, np.int32, "labels", (held.order,))
    checked = None if checks is None else taken(checks, np.int32, "checks", (held.order,))
    if prior is None:
        classes = 1 + max(int(known.max(initial=1)), -1 if checked is None else
                          int(checked.max(initial=-1)))
        matrix = _encode(features, known, checked, classes, columns, threads)
    else:
        matrix = _prior(prior)
    if len(matrix) != held.order:
        raise ArgumentError(f"features or prior have {len(matrix)} rows for {held.order} nodes")
    settings = _Posterior(matrix.shape, checked, transition, strength, rounds)
    wanted = Target(epsilon) if target is None else target
    out = np.zeros(matrix.shape)
    with Releasing(ledger, held, object) as door:
        if wanted.epsilon:
            part = Target(wanted.epsilon * max(first_share, 1 - first_share))
            warn_of_recipe("pvg_recipe_preview", struct("pvg_recipe_config", classes=matrix.shape[1]), part._struct(), held.order)
        outs, run = [ffi.new("pvg_release **") for _ in range(2)], Run(threads, progress)
        status = lib.pvg_classify_nodes(
            pointer(out), *outs, held._pointer, pointer(matrix), pointer(known), settings.config,
            first_share, wanted._struct(), door.number, noise_source(rng)._pointer, door.book, run.pointer)
        return Classification(out, matrix, _handed_back(status, outs, door))


def _handed_back(status: int, outs: Sequence[Any], door: Releasing) -> Tuple[Release, ...]:
    """What was drawn; after a failure it is the attribute `releases` of the error: it is paid for,
    though nothing was read from it."""
    found = [None if where[0] == ffi.NULL else Release._own(where) for where in outs]
    door.drew(*found)
    made = tuple(one for one in found if one is not None)
    try:
        check(status)
    except Exception as error:
        setattr(error, "releases", made)
        raise
    return made


# --- recipes: whole pipelines in one call ------------------------------------------------------


class _Recipe:
    """Settings of a recipe, with the arrays they point to."""

    def __init__(self, order: int, labels: Any, checks: Any, prior: Any, recipe: str, classes: int,
                 **settings: float) -> None:
        self.labels = taken(labels, np.int32, "labels", (order,))
        self.checks = None if checks is None else taken(checks, np.int32, "checks", (order,))
        self.prior = None if prior is None else _prior(prior)
        if self.prior is not None and len(self.prior) != order:
            raise ArgumentError(f"prior has {len(self.prior)} rows for {order} nodes")
        self.classes = classes or (self.prior.shape[1] if self.prior is not None else 1 + max(
            int(self.labels.max(initial=1)),
            -1 if self.checks is None else int(self.checks.max(initial=-1))))
        self.config = struct("pvg_recipe_config", recipe=constant("RECIPE", recipe, "recipe"),
                             classes=self.classes,
                             checks=None if self.checks is None else pointer(self.checks),
                             prior=None if self.prior is None else pointer(self.prior), **settings)


def encode(features: Any, labels: Any, *, checks: Any = None, classes: int = 0, hidden: int = 0,
           directions: int = 0, averages: int = 0,  # pylint: disable=redefined-outer-name
           seed: Optional[Rng] = None, threads: int = 0,
           progress: Optional[Progress] = None) -> Array:
    """Class probabilities of every node from **public** features: networks whose probabilities are
    averaged, calibrated on checks; nodes with a label are judged by networks that did not see it."""
    held = as_features(features)
    recipe = _Recipe(held.shape[0], labels, checks, None, "features", classes, hidden=hidden,
                     directions=directions, averages=averages)
    out = np.zeros((held.shape[0], recipe.classes))
    call("pvg_recipe_encode", pointer(out), held._pointer, pointer(recipe.labels), held.shape[0],
         recipe.config, noise_source(seed)._pointer, run=Run(threads, progress))
    return out


def learn_nodes(graph: Any, labels: Any, epsilon: float, *, delta: float = 0.0, recipe: str = "histogram",
                features: Any = None, checks: Any = None, prior: Any = None, classes: int = 0,
                hidden: int = 0, directions: int = 0,  # pylint: disable=redefined-outer-name
                averages: int = 0, hops: int = 0, contraction: float = 0.0, mean_weight: float = 0.0,
                residual: float = 0.0, target: Optional[Target] = None,
                object: Optional[Object] = None,  # pylint: disable=redefined-builtin
                rng: Optional[Rng] = None, ledger: Payer = None, threads: int = 0,
                progress: Optional[Progress] = None) -> Classification:
    """Classes of nodes from public features and labels and **private edges**: encoder, release, read-out.

    recipe: what is released about the edges. "histogram" (pure epsilon, the default) and "response" (a
    whole graph, pure epsilon) need no delta; "sums", "gap" and "pcmp" (message passing with Gaussian
    noise; `hops` layers; of "pcmp" contraction C_L, mean_weight alpha_2 = 1 - alpha_1, residual beta) do; "features" looks at no edge. labels: -1 where unknown; they are public and
    may be sent as messages. checks: classes of further nodes, which choose, stop and calibrate, and train
    the read-out of histogram, but send nothing. `.prior` of the result is the row "no edges";
    learn_nodes_exact the row "no noise"."""
    held = as_graph(graph)
    stored = None if features is None else as_features(features)
    settings = _Recipe(held.order, labels, checks, prior, recipe, classes, hidden=hidden,
                       directions=directions, averages=averages, hops=hops, contraction=contraction,
                       mean_weight=mean_weight, residual=residual)
    wanted = Target(epsilon, delta) if target is None else as_target(target)
    out = np.zeros((held.order, settings.classes))
    before = np.zeros_like(out)
    where, run = ffi.new("pvg_release **"), Run(threads, progress)
    with Releasing(ledger, held, object) as door:
        if recipe != "features":
            warn_of_recipe("pvg_recipe_preview", settings.config, wanted._struct(), held.order)
        status = lib.pvg_recipe_learn(
            pointer(out), pointer(before), where, held._pointer,
            ffi.NULL if stored is None else stored._pointer, pointer(settings.labels), settings.config,
            wanted._struct(), door.number, noise_source(rng)._pointer, door.book, run.pointer)
        return Classification(out, before, _handed_back(status, [where], door))


def learn_nodes_exact(graph: Any, labels: Any, *, recipe: str = "histogram", features: Any = None,
                      checks: Any = None, prior: Any = None, classes: int = 0, hidden: int = 0,
                      directions: int = 0,  # pylint: disable=redefined-outer-name
                      averages: int = 0, hops: int = 0, contraction: float = 0.0, mean_weight: float = 0.0,
                      residual: float = 0.0, seed: Optional[Rng] = None, threads: int = 0,
                      progress: Optional[Progress] = None) -> Array:
    """The same recipe without noise: what it could do at most. NOT FOR PUBLICATION."""
    held = as_graph(graph)
    stored = None if features is None else as_features(features)
    settings = _Recipe(held.order, labels, checks, prior, recipe, classes, hidden=hidden,
                       directions=directions, averages=averages, hops=hops, contraction=contraction,
                       mean_weight=mean_weight, residual=residual)
    out = np.zeros((held.order, settings.classes))
    call("pvg_recipe_learn_exact", pointer(out), held._pointer,
         ffi.NULL if stored is None else stored._pointer, pointer(settings.labels), settings.config,
         noise_source(seed)._pointer, run=Run(threads, progress))
    return out


def _split_config(struct_name: str, order: int, labels: Any, parts: Any, classes: int,
                  settings: Dict[str, Any]) -> Tuple[Any, Labels, int, Array]:
    """A config with classes and parts, the labels, the number of classes; the parts must outlive the config."""
    told = as_labels(labels)
    split = taken(parts, np.int32, "parts", (order,))
    wanted = classes or int(np.asarray(told.values).max(initial=1)) + 1
    return struct(struct_name, classes=wanted, parts=pointer(split), **settings), told, wanted, split


@dataclass(frozen=True)
class UserClassification:
    """Classes of users from what they reported, and the releases that their reports are.

    without: the judgement without any feature, from labels and lists alone. Where it is as good,
    features gave nothing. model: the network, with all draws in its record; None if features were not
    asked for."""

    probabilities: Array
    without: Array
    lists: Optional[Release]
    features: Optional[Release]
    labels: Optional[Release]
    model: Optional[Model] = None

    @property
    def classes(self) -> Array:
        """The likeliest class of every user."""
        found: Array = self.probabilities.argmax(axis=1)
        return found


def _two_kinds(features: Any) -> Tuple[Optional[Features], Optional[Features]]:
    """(what users hold, what everybody knows)."""
    if features is None:
        return None, None
    if not isinstance(features, Part):
        return as_features(features), None
    held = as_features(features.value)
    return (held, None) if features.secret else (None, held)


def learn_users(graph: Any, labels: Any, parts: Any, *, features: Any = None, list_epsilon: float = 0.0,
                feature_epsilon: float = 0.0, label_epsilon: float = 0.0, low: float = 0.0,
                high: float = 1.0, rounds: int = 0, target_rounds: int = 0, averages: int = 0,
                classes: int = 0, allow_seeded: bool = False,
                object: Optional[Object] = None,  # pylint: disable=redefined-builtin
                rng: Optional[Rng] = None, list_ledger: Payer = None,
                feature_ledger: Payer = None, label_ledger: Payer = None,
                threads: int = 0, progress: Optional[Progress] = None) -> UserClassification:
    """Nobody is trusted: users perturb their lists, features and labels, and a network with forward
    correction learns from the reports. An epsilon of 0: that part is public. features: with
    feature_epsilon what users hold; `public(x)`: everybody knows them, and they are read as they are.
    parts: 0 train, 1 validation, 2 test; only the first two tell their label. The three notions
    stand side by side and are not one number; a ledger keeps one notion, so each part has its own, and
    nothing is paid unless all of them have enough."""
    held = as_graph(graph)
    stored, shown = _two_kinds(features)
    config, told, wanted, _parts = _split_config("pvg_users_config", held.order, labels, parts, classes, dict(
        rounds=rounds, target_rounds=target_rounds, averages=averages, list_epsilon=list_epsilon,
        feature_epsilon=feature_epsilon, label_epsilon=label_epsilon, low=low, high=high,
        allow_seeded=int(allow_seeded), public_features=None if shown is None else shown._pointer))
    out = np.zeros((held.order, wanted))
    alone = np.zeros_like(out)
    outs, run = [ffi.new("pvg_release **") for _ in range(3)], Run(threads, progress)
    model = ffi.new("pvg_model **")
    with Releasing((list_ledger, feature_ledger, label_ledger), held, object) as door:
        warn_of_recipe("pvg_recipe_users_preview", config, held.order, 0 if stored is None else stored.shape[1],
                       parts=3)
        status = lib.pvg_recipe_users(
            pointer(out), pointer(alone), model, *outs, held._pointer,
            ffi.NULL if stored is None else stored._pointer, told._pointer, config, door.number,
            noise_source(rng)._pointer, *door.books, run.pointer)
        if status != 0:
            _handed_back(status, outs, door)
        lists, reports, answers = (None if where[0] == ffi.NULL else Release._own(where) for where in outs)
        door.drew(lists, reports, answers)
    return UserClassification(out, alone, lists, reports, answers,
                              None if model[0] == ffi.NULL else Model._own(model))


def learn_reports(parts: Any, *, lists: Optional[Release] = None, features: Union[Release, Part, None] = None, labels: Any,
                  graph: Any = None, label_epsilon: float = 0.0, rounds: int = 0, target_rounds: int = 0,
                  averages: int = 0, classes: int = 0, seed: Optional[Rng] = None, threads: int = 0, progress: Optional[Progress] = None
                  ) -> UserClassification:
    """As `learn_users`, from reports that were drawn before (its lists, features and labels): nothing is
    drawn or paid, and it may be repeated.

    lists, or graph if that is public. features: reports, or `public(x)`. labels: the release of answers, with label_epsilon as at its draw, or
    public labels. Answers of users whose part is 2 (test) are not read."""
    split = taken(parts, np.int32, "parts")
    held = None if graph is None else as_graph(graph)
    answers = labels if isinstance(labels, Release) else None
    told = None if answers is not None else labels if isinstance(labels, Labels) else Labels.from_array(labels)
    order = held.order if held is not None else len(split)
    reports = features if isinstance(features, Release) else None
    hidden, shown = (None, None) if reports is not None else _two_kinds(features)
    if hidden is not None:
        raise ArgumentError("features are neither a release of reports nor public(x)")
    config = struct("pvg_users_config", classes=classes or int(np.asarray(
        told.values if told is not None else answers.labels if answers is not None else [1]).max(initial=1)) + 1,
        parts=pointer(split), rounds=rounds, target_rounds=target_rounds, averages=averages,
        label_epsilon=label_epsilon, public_features=None if shown is None else shown._pointer)
    if split.shape != (order,) or lists is not None and len(lists.lists[0]) != order + 1:
        raise ArgumentError(f"parts has shape {split.shape}, not one number for each user")
    out = np.zeros((order, int(config.classes)))
    alone, model = np.zeros_like(out), ffi.new("pvg_model **")

    def raw(one: Any) -> Any:
        return ffi.NULL if one is None else one._pointer

    call("pvg_recipe_users_learn", pointer(out), pointer(alone), model, raw(lists), raw(reports), raw(answers),
         raw(held), raw(told), config, noise_source(seed)._pointer,
         run=Run(threads, progress))
    return UserClassification(out, alone, lists, reports, answers,
                              None if model[0] == ffi.NULL else Model._own(model))


def learn_users_exact(graph: Any, labels: Any, parts: Any, *, features: Any = None, rounds: int = 0,
                      target_rounds: int = 0, averages: int = 0, classes: int = 0, seed: Optional[Rng] = None,
                      threads: int = 0, progress: Optional[Progress] = None) -> UserClassification:
    """The same with what users hold instead of reports: what it could do at most. NOT FOR PUBLICATION."""
    held = as_graph(graph)
    stored, shown = _two_kinds(features)
    config, told, wanted, _parts = _split_config("pvg_users_config", held.order, labels, parts, classes, dict(
        rounds=rounds, target_rounds=target_rounds, averages=averages, feature_epsilon=1.0,  # not 0: read them
        public_features=None if shown is None else shown._pointer))
    out = np.zeros((held.order, wanted))
    alone = np.zeros_like(out)
    call("pvg_recipe_users_exact", pointer(out), pointer(alone), held._pointer,
         ffi.NULL if stored is None else stored._pointer, told._pointer, config, noise_source(seed)._pointer,
         run=Run(threads, progress))
    return UserClassification(out, alone, None, None, None)


@dataclass(frozen=True)
class HiddenNodes:
    """Networks drawn while nodes were hidden, with their edges, features and labels.

    encoder, head and states may be published under their records; head's composes all three. head and
    states are None for the encoder alone."""

    encoder: Model
    head: Optional[Model]
    states: Optional[Release]
    directions: int

    @property
    def model(self) -> Model:
        """The one whose record composes everything that was drawn."""
        return self.encoder if self.head is None else self.head

    def predict_exact(self, features: Any, *, threads: int = 0, progress: Optional[Progress] = None) -> Array:
        """NOT FOR PUBLICATION: class probabilities of every node, row v from v's own features, for v
        alone."""
        stored = as_features(features)
        out = np.zeros((stored.shape[0], lib.pvg_model_columns(self.encoder._pointer, 0)))
        call("pvg_recipe_nodes_predict_exact", pointer(out), self.encoder._pointer,
             ffi.NULL if self.head is None else self.head._pointer,
             ffi.NULL if self.states is None else self.states._pointer, stored._pointer, self.directions,
             run=Run(threads, progress))
        return out


def learn_hidden_nodes(graph: Any, labels: Any, parts: Any, epsilon: float, delta: float, *, features: Any,
                       degree_bound: int = 0, recipe: str = "gap", classes: int = 0, hidden: int = 0,
                       directions: int = 0,  # pylint: disable=redefined-outer-name
                       hops: int = 0, steps: int = 0, batch: float = 0.0, rate: float = 0.0, clip: float = 0.0,
                       shares: Sequence[float] = (0.0, 0.0, 0.0), allow_seeded: bool = False,
                       object: Optional[Object] = None,  # pylint: disable=redefined-builtin
                       rng: Optional[Rng] = None, ledger: Payer = None, threads: int = 0,
                       progress: Optional[Progress] = None) -> HiddenNodes:
    """Hides nodes with their edges, features and labels (GAP at node level): an encoder by DP-SGD, sums
    over neighbours with noise for a removed node, a head by DP-SGD, all within epsilon and delta.

    parts: 0 for nodes that train, public. degree_bound: promised, no node has more neighbours. recipe:
    "gap", or "features" for the encoder alone. shares: parts of the budget of encoder, sums and head.
    classes: public; without it the largest label is told. ledger: of notion "node-removed"."""
    held, stored = as_graph(graph), as_features(features)
    if len(shares) != 3:
        raise ArgumentError("shares are not three numbers: encoder, sums, head")
    config, told, _classes, _parts = _split_config("pvg_nodes_config", held.order, labels, parts, classes, dict(
        recipe=constant("RECIPE", recipe, "recipe"), hidden=hidden, directions=directions, hops=hops, degree_bound=degree_bound, steps=steps, batch=batch,
        rate=rate, clip=clip, encoder_share=shares[0], states_share=shares[1], head_share=shares[2]))
    models, states = [ffi.new("pvg_model **") for _ in range(2)], ffi.new("pvg_release **")
    run, both = Run(threads, progress), Target(epsilon=epsilon, delta=delta, allow_seeded=allow_seeded)._struct()
    with Releasing(ledger, held, object) as door:
        if recipe == "gap":
            warn_of_recipe("pvg_recipe_nodes_preview", config, both, held.order, stored.shape[1])
        status = lib.pvg_recipe_nodes(
            *models, states, held._pointer, stored._pointer, told._pointer, config, both, door.number,
            noise_source(rng)._pointer, door.book, run.pointer)
        made = [None if where[0] == ffi.NULL else Model._own(where) for where in models]
        drawn = None if states[0] == ffi.NULL else Release._own(states)
        last = made[1] or made[0]  # whose record composes what came before
        door.drew(drawn if last is None else last.promise("node-removed", door.number))
    try:
        check(status)
    except Exception as error:
        setattr(error, "models", tuple(one for one in made if one is not None))  # paid for
        setattr(error, "releases", () if drawn is None else (drawn,))
        raise
    assert made[0] is not None
    return HiddenNodes(made[0], made[1], drawn, directions)


def learn_hidden_nodes_exact(graph: Any, labels: Any, parts: Any, *, features: Any, degree_bound: int = 0,
                             recipe: str = "gap", classes: int = 0, hidden: int = 0,
                             directions: int = 0,  # pylint: disable=redefined-outer-name
                             hops: int = 0, seed: Optional[Rng] = None, threads: int = 0,
                             progress: Optional[Progress] = None) -> Array:
    """The same recipe without noise: what it could do at most. NOT FOR PUBLICATION."""
    held, stored = as_graph(graph), as_features(features)
    config, told, wanted, _parts = _split_config("pvg_nodes_config", held.order, labels, parts, classes, dict(
        recipe=constant("RECIPE", recipe, "recipe"), hidden=hidden, directions=directions, hops=hops, degree_bound=degree_bound or held.order))
    out = np.zeros((held.order, wanted))
    call("pvg_recipe_nodes_exact", pointer(out), held._pointer, stored._pointer, told._pointer, config,
         noise_source(seed)._pointer, run=Run(threads, progress))
    return out


def learn_rows(release: Release, labels: Any, *, checks: Any = None, classes: int = 0, hidden: int = 0,
               averages: int = 0, seed: Optional[Rng] = None, threads: int = 0,
               progress: Optional[Progress] = None) -> Array:
    """Class probabilities of every row of a release, as the embeddings of graphs: post-processing.

    labels: -1 where unknown; checks: classes of further rows, which stop the training."""
    rows = len(release)
    settings = _Recipe(rows, labels, checks, None, "features", classes, hidden=hidden, averages=averages)
    out = np.zeros((rows, settings.classes))
    call("pvg_recipe_rows", pointer(out), ffi.NULL, release._pointer, pointer(settings.labels), settings.config,
         noise_source(seed)._pointer, run=Run(threads, progress))
    return out


def train_rows(release: Release, labels: Any, *, checks: Any = None, classes: int = 0, hidden: int = 0,
               averages: int = 0, seed: Optional[Rng] = None, threads: int = 0,
               progress: Optional[Progress] = None) -> Model:
    """The model of `learn_rows`, to be saved, and asked about rows that are released later. It takes rows as
    they are released, and its record has the release."""
    rows = len(release)
    settings = _Recipe(rows, labels, checks, None, "features", classes, hidden=hidden, averages=averages)
    out, model = np.zeros((rows, settings.classes)), ffi.new("pvg_model **")
    call("pvg_recipe_rows", pointer(out), model, release._pointer, pointer(settings.labels), settings.config,
         noise_source(seed)._pointer, run=Run(threads, progress))
    return Model._own(model)


def learn_rows_exact(values: Any, labels: Any, *, checks: Any = None, classes: int = 0, hidden: int = 0,
                     averages: int = 0, seed: Optional[Rng] = None, threads: int = 0,
                     progress: Optional[Progress] = None) -> Array:
    """The same for numbers without noise: what it could do at most. NOT FOR PUBLICATION."""
    x = taken(values, np.float64, "values")
    if x.ndim != 2:
        raise ArgumentError(f"values has shape {x.shape}, not rows and columns")
    settings = _Recipe(len(x), labels, checks, None, "features", classes, hidden=hidden, averages=averages)
    out = np.zeros((len(x), settings.classes))
    call("pvg_recipe_rows_exact", pointer(out), pointer(x), *x.shape, pointer(settings.labels), settings.config,
         noise_source(seed)._pointer, run=Run(threads, progress))
    return out
