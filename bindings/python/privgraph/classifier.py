"""Classes of nodes as a scikit-learn classifier whose X are node numbers. scikit-learn itself is not needed."""
import hashlib
import json
import os
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from ._native import Array, Progress
from .errors import ArgumentError, SearchStopped
from .estimator import Parameters, keys_of, not_fitted, would_be_nan
from .graph import as_graph
from .learn import encode, tally_cells, tally_mix, tally_posterior
from .ledger import Ledger, ledger_of
from .mechanism import Target
from .memory import MEMORY
from .rng import Rng
from .statistic import Statistic

__all__ = ["NodeClassifier"]

CHECKS = 20  # nodes that it takes to train a read-out


def _coin(nodes: Array) -> Array:
    """A public coin for each node: a hash of its number, in [0, 1)."""
    z = (nodes.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD1B54A32D192ED03)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0 ** -53


class NodeClassifier(Parameters):
    """Classes of nodes from **private edges**, public features and public labels. X are node numbers.

    Graph and features belong to the constructor, so that `fit`, refits, clones and cross-validation
    share **one draw** of the edges: pure epsilon edge-DP, spent once. The draw is known by the graph
    (its object in a ledger, or `Graph.identity`) and the settings, never by what the graph contains,
    and is remembered for the process and those that it starts.

    Some labels go into the draw as *messages*: a node counts its neighbours by their label. Such a
    label is in the released numbers of the node's neighbours, and the read-out was made with it, so
    the node cannot test what came out: its own label comes back to it, and the score is too good.
    Prediction for a message node that is not among the nodes of `fit` is therefore refused (cross-
    validation over message nodes does that). To cross-validate, give `messages`: labels of nodes that
    are never left out, and validate on the others, whose labels train the read-out but are in no draw.

    Parameters

    graph : private; anything that as_graph takes
    features : public, a row per node; None: class shares take their place
    epsilon : of the draw, for any single edge
    messages : labels that may go into the draw, all public: {node: label}, or (nodes, labels). None: two
        thirds, by a public coin, of the nodes of the first `fit`
    averages : restarts whose probabilities are averaged
    encoder_seed : of weights and dropout, which nothing private rests on
    ledger : charged once, before the draw
    sticky : False draws anew with every fit, and spends again
    insecure_seed : noise from a seeded generator: nothing is private then. For tests

    After `fit`: classes_, probabilities_ (of every node), messages_ (nodes), release text in
    guarantee_ if this object made the draw."""

    def __init__(self, graph: Any = None, features: Any = None, *, epsilon: float = 1.0, messages: Any = None,
                 averages: int = 3, encoder_seed: int = 0,
                 ledger: Union[None, Ledger, str, "os.PathLike[str]"] = None, sticky: bool = True,
                 threads: int = 0, insecure_seed: Optional[int] = None,
                 progress: Optional[Progress] = None) -> None:
        self.graph = graph
        self.features = features
        self.epsilon = epsilon
        self.messages = messages
        self.averages = averages
        self.encoder_seed = encoder_seed
        self.ledger = ledger
        self.sticky = sticky
        self.threads = threads
        self.insecure_seed = insecure_seed
        self.progress = progress

    # --- what scikit-learn asks of a classifier ---

    _estimator_type = "classifier"

    def _more_tags(self) -> Dict[str, Any]:
        return {"non_deterministic": self.insecure_seed is None, "X_types": ["node numbers"],
                "requires_fit": True, "no_validation": True, "requires_y": True}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, Tags, TargetTags
        return Tags(estimator_type="classifier", target_tags=TargetTags(required=True), transformer_tags=None,
                    classifier_tags=ClassifierTags(), no_validation=True,
                    non_deterministic=self.insecure_seed is None)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "probabilities_")

    def __getstate__(self) -> Dict[str, Any]:
        return dict(vars(self), _memory=MEMORY.folder()) if self._remembers() else dict(vars(self))

    def __setstate__(self, state: Dict[str, Any]) -> None:
        MEMORY.join(state.pop("_memory", ""))
        vars(self).update(state)

    def _remembers(self) -> bool:
        return self.sticky and self.insecure_seed is None

    # --- the work ---

    def _nodes(self, X: Any, order: int) -> Array:
        nodes = np.asarray(X)
        if nodes.ndim == 2 and nodes.shape[1] == 1:
            nodes = nodes[:, 0]
        if nodes.ndim != 1 or nodes.dtype.kind not in "iu" and not (
                nodes.dtype.kind == "f" and np.array_equal(nodes, np.floor(nodes))):
            raise ArgumentError(f"X has shape {np.shape(X)} and type {nodes.dtype}; it must be numbers of nodes")
        nodes = nodes.astype(np.int64)
        if len(nodes) and (nodes.min() < 0 or nodes.max() >= order):
            raise ArgumentError(f"X has node {int(nodes.max())} (or a negative one) of a graph of {order} nodes")
        return nodes

    def _given(self, order: int) -> Optional[Tuple[Array, Array]]:
        """Messages of the constructor: nodes and labels."""
        if self.messages is None:
            return None
        if isinstance(self.messages, dict):
            nodes, labels = list(self.messages.keys()), list(self.messages.values())
        else:
            nodes, labels = self.messages
        numbers = self._nodes(nodes, order)
        if len(numbers) != len(labels) or len(np.unique(numbers)) != len(numbers):
            raise ArgumentError("messages are not one label for each of their nodes")
        return numbers, np.asarray(labels)

    def _settings(self, held: Any) -> str:
        """All that the draw depends on but graph and public features. Messages are public."""
        given = self._given(held.order)
        told = "first fit" if given is None else hashlib.sha256(
            json.dumps([given[0].tolist(), given[1].tolist()]).encode()).hexdigest()
        return json.dumps(["NodeClassifier", float(self.epsilon), told, self.averages, self.encoder_seed])

    def _draw(self, held: Any, nodes: Array, labels: List[Any]) -> Dict[str, Any]:
        """The draw: classes, message of each node (-1: none), what the encoder says, tallies."""
        classes = sorted(set(labels))
        if len(classes) < 2:
            raise ArgumentError("messages have fewer than two classes")
        index = {label: number for number, label in enumerate(classes)}
        sent = np.full(held.order, -1, np.int32)
        sent[nodes] = [index[label] for label in labels]
        # the encoder sees messages only: labels that later score must not be in the draw
        stops = (_coin(np.arange(held.order) + held.order) < 0.2) & (sent >= 0)
        trains = np.where(stops, -1, sent).astype(np.int32)
        if len(set(trains[trains >= 0])) < len(classes):
            trains, stops = sent, np.zeros(held.order, bool)
        if self.features is None:
            counts = np.bincount(sent[sent >= 0], minlength=len(classes)) + 1.0
            prior = np.tile(counts / counts.sum(), (held.order, 1))
        else:
            prior = encode(self.features, trains, classes=len(classes), averages=self.averages,
                           checks=np.where(stops, sent, -1).astype(np.int32) if stops.any() else None,
                           seed=Rng.seeded(self.encoder_seed), threads=self.threads, progress=self.progress)
        statistic = self._statistic(prior, sent)
        rng = None if self.insecure_seed is None else Rng.seeded(self.insecure_seed)
        with ledger_of(self.ledger) as book:
            release = statistic.release(held, rng=rng, ledger=book, threads=self.threads)
        self.guarantee_ = release.text
        return {"classes": classes, "sent": sent, "prior": prior, "values": np.asarray(release.values)}

    def _statistic(self, prior: Array, sent: Array) -> Statistic:
        priorities, kinds = tally_cells(prior, sent)
        return Statistic.tallies(len(sent), Target(self.epsilon, allow_seeded=self.insecure_seed is not None),
                                 kinds=kinds, priorities=priorities, kind_count=2 * prior.shape[1])

    def _drawn(self, held: Any, nodes: Array, labels: List[Any]) -> Dict[str, Any]:
        """The draw of this graph under these settings: that of before, or a new one."""
        given = self._given(held.order)
        if given is not None:
            first = given[0], given[1].tolist()
        else:
            chosen = _coin(nodes) < 2 / 3
            first = nodes[chosen], [label for label, taken in zip(labels, chosen) if taken]
        if not self._remembers():
            return self._draw(held, *first)
        key, settings = keys_of(held, None)[0], self._settings(held)
        with MEMORY.open() as memory:
            if (settings, key) not in memory.rows:
                made = self._draw(held, *first)
                flat = np.concatenate([made["sent"].astype(float), made["prior"].ravel(), made["values"].ravel()])
                memory.keep(settings, [key], flat[None])
                memory.keep(settings + " classes", [key], np.array([made["classes"]], dtype=object))
                memory.note([key], float(self.epsilon), 0.0)
            flat = np.asarray(memory.rows[settings, key])
            classes = list(memory.rows[settings + " classes", key])
        n, count = held.order, len(classes)
        return {"classes": classes, "sent": flat[:n].astype(np.int32),
                "prior": flat[n:n + n * count].reshape(n, count),
                "values": flat[n + n * count:].reshape(n, 2 * count)}

    def fit(self, X: Any, y: Any) -> "NodeClassifier":
        """Reads the draw out with these labels; makes the draw if there is none, which spends epsilon."""
        if self.graph is None:
            raise ArgumentError("NodeClassifier needs a graph: NodeClassifier(graph, features)")
        held = as_graph(self.graph)
        nodes, labels = self._nodes(X, held.order), np.asarray(y).tolist()
        if len(nodes) != len(labels):
            raise ArgumentError(f"X has {len(nodes)} nodes, y {len(labels)} labels")
        drawn = self._drawn(held, nodes, labels)
        index = {label: number for number, label in enumerate(drawn["classes"])}
        missing = sorted(set(labels) - set(index))
        if missing:
            raise ArgumentError(f"class {missing[0]!r} of y has no message in the draw, which knows"
                                f" {len(index)} classes")
        checks = np.full(held.order, -1, np.int32)
        checks[nodes] = [index[label] for label in labels]
        sent, prior, values = drawn["sent"], drawn["prior"], drawn["values"]
        both = (sent >= 0) & (checks >= 0)
        if (sent[both] != checks[both]).any():
            raise ArgumentError(f"y contradicts the label that node {int(np.flatnonzero(both & (sent != checks))[0])}"
                                " sent as a message")
        checks[sent >= 0] = -1
        statistic = self._statistic(prior, sent)
        if (checks >= 0).sum() >= CHECKS:
            rows = tally_mix(statistic, values, prior, sent, checks, averages=self.averages,
                             seed=Rng.seeded(self.encoder_seed), threads=self.threads, progress=self.progress)
        else:
            rows = tally_posterior(statistic, values, prior, sent, threads=self.threads, progress=self.progress)
        self.classes_ = np.asarray(drawn["classes"])
        self.probabilities_, self.messages_ = rows, np.flatnonzero(sent >= 0)
        self._untold = np.setdiff1d(self.messages_, nodes)
        self.n_features_in_ = 1
        return self

    def predict_proba(self, X: Any) -> Array:
        """Class probabilities of nodes. Those whose label was a message, but was not given to `fit`, are refused:
        what is known about them was made with their label."""
        if not self.__sklearn_is_fitted__():
            raise not_fitted("NodeClassifier is not fitted yet: call fit first")
        nodes = self._nodes(X, len(self.probabilities_))
        spoilt = np.intersect1d(nodes, self._untold)
        if len(spoilt):
            words = (f"{len(spoilt)} of these nodes, as node {int(spoilt[0])}, sent their label as a message into the"
                     " draw, so they cannot test it. Give messages= with nodes that are never left out, and"
                     " validate on the others")
            if would_be_nan():
                raise SearchStopped(words)
            raise ArgumentError(words)
        found: Array = self.probabilities_[nodes]
        return found

    def predict(self, X: Any) -> Array:
        """The likeliest class of each node."""
        chosen = self.predict_proba(X).argmax(axis=1)
        found: Array = self.classes_[chosen]
        return found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right classes, by weight if weights are given."""
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))
