"""Classes of nodes as a scikit-learn classifier whose X are node numbers. scikit-learn itself is not needed."""
import contextlib
import copy
import hashlib
import json
import os
import pickle
import sys
from multiprocessing.reduction import ForkingPickler
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from ._native import Array, Progress
from .errors import ArgumentError, PrivacyError, SearchStopped
from .estimator import Parameters, not_fitted, would_be_nan
from .graph import Graph, as_graph
from .ledger import HasLedger, Ledger
from .memory import MEMORY, keys_of
from .threat import THREATS, coin, labelled, told_classes

__all__ = ["NodeClassifier"]


class NodeClassifier(Parameters):
    """Classes of nodes from what is private about a network. X are node numbers.

    `hidden` says from whom and what, and with it what is drawn; each is the best of the pipelines that were
    measured for it:

    "edges" : features and labels are public, edges are not. Edge histograms by kind of sender, pure epsilon edge-DP.
    "users" : nobody is trusted. Users perturb their lists (epsilon), features (feature_epsilon) and labels
        (label_epsilon) themselves; 0: the graph is public, labels are public. Features that everybody knows:
        features=pg.public(x); others need feature_epsilon.
    "nodes" : a node is hidden with its edges, features and labels. A network by DP-SGD with the whole budget
        (epsilon, delta). It may be published (`model_`); what it says of a node is made from the node's
        private features, so `predict` is refused, and `predict_exact` is for that node alone.

    Graph and features belong to the constructor, so that `fit`, refits, clones and cross-validation
    share **one draw**, spent once. The draw is known by the graph (its object in a ledger, or
    `Graph.identity`) and the settings, never by what the graph contains, and is remembered for the process
    and those that it starts.

    Of hidden edges some labels go into the draw as *messages*: a node counts its neighbours by their label.
    Such a label is in the released numbers of the node's neighbours, and the read-out was made with it, so
    the node cannot test what came out: its own label comes back to it, and the score is too good.
    Prediction for a message node that is not among the nodes of `fit` is therefore refused (cross-
    validation over message nodes does that). To cross-validate, give `messages`: labels of nodes that
    are never left out, and validate on the others, whose labels train the read-out but are in no draw.
    Users who report their label do so in the draw: `messages` are all who are asked, `fit` reads the
    answers of its own nodes only, and any of the others may be left out. A score by labels that are
    private is itself a private number.

    **Pickles hold what may be published**: `pickle.dump`, `joblib.dump` keep what `fit` learnt, and neither graph
    nor features nor messages; what was loaded predicts, and is fitted again after `set_params(graph=..., ...)`.
    Processes that this one starts and sends it to (n_jobs, multiprocessing) get all of it. `save_exact` and
    `load_exact` keep all of it in a file.

    Parameters

    graph : anything that as_graph takes; it becomes a Graph at once, so that clones have the same
    features : a row per node; None: class shares take their place. Of "users": what users hold, or public(x)
    hidden : "edges", "users" or "nodes"
    epsilon : of the draw: for any single edge, entry of a list, or node
    delta : of "nodes"
    feature_epsilon, label_epsilon : of "users"
    feature_range : public, of every feature, for "users"
    classes : all classes, public; needed where labels are private, else those of the labels
    messages : labels that may go into the draw: {node: label}, or (nodes, labels). None: of the nodes of the
        first `fit` two thirds by a public coin for hidden edges, else all
    averages : restarts whose probabilities are averaged
    encoder_seed : of weights and dropout, which nothing private rests on
    session : the Session that pays; graph is its graph, and need not be given
    ledger : instead, charged once, before the draw, or when it is asked for a draw that it has not paid for; for "users"
        {"lists": ..., "features": ..., "labels": ...}
    sticky : False draws anew with every fit, and spends again
    insecure_seed : noise from a seeded generator: nothing is private then. For tests

    After `fit`: classes_, probabilities_ (of every node), messages_ (nodes), release text in
    guarantee_ if this object made the draw; `reports_` of users, `model_` of hidden nodes."""

    classes_: Array
    probabilities_: Array
    messages_: Array
    guarantee_: str
    _inferred: Array  # nodes whose label is in the draw, but was not given to fit

    def __init__(self, graph: Any = None, features: Any = None, *, hidden: str = "edges", epsilon: float = 1.0,
                 delta: float = 1e-6, feature_epsilon: float = 0.0, label_epsilon: float = 0.0,
                 feature_range: Tuple[float, float] = (0.0, 1.0), classes: Any = None, messages: Any = None,
                 averages: int = 3, encoder_seed: int = 0,
                 session: Optional[HasLedger] = None,
                 ledger: Union[None, Ledger, str, "os.PathLike[str]", Dict[str, Ledger]] = None, sticky: bool = True,
                 threads: int = 0, insecure_seed: Optional[int] = None,
                 progress: Optional[Progress] = None) -> None:
        self.graph = graph
        _send_whole()
        self.features = features
        self.hidden = hidden
        self.epsilon = epsilon
        self.delta = delta
        self.feature_epsilon = feature_epsilon
        self.label_epsilon = label_epsilon
        self.feature_range = feature_range
        self.classes = classes
        self.messages = messages
        self.averages = averages
        self.encoder_seed = encoder_seed
        self.session = session
        self.ledger = ledger
        self.sticky = sticky
        self.threads = threads
        self.insecure_seed = insecure_seed
        self.progress = progress

    graph: Optional[Graph]

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, as_graph(value) if name == "graph" and value is not None else value)

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
        return hasattr(self, "classes_")

    def __getstate__(self) -> Dict[str, Any]:
        state = self._whole()
        state.update(graph=None, features=None, messages=None, progress=None, session=None)
        return state

    def _whole(self) -> Dict[str, Any]:
        return dict(vars(self), _memory=MEMORY.folder()) if self._remembers() else dict(vars(self))

    def __setstate__(self, state: Dict[str, Any]) -> None:
        MEMORY.join(state.pop("_memory", ""))
        vars(self).update(state)

    def __copy__(self) -> "NodeClassifier":
        made = type(self).__new__(type(self))
        vars(made).update(vars(self))
        return made

    def __deepcopy__(self, memo: Any) -> "NodeClassifier":
        made = type(self).__new__(type(self))
        vars(made).update(copy.deepcopy(vars(self), memo))
        return made

    def save_exact(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """NOT FOR PUBLICATION: all of it as a file that only its owner may read, with graph, features and
        messages."""
        data = pickle.dumps(dict(vars(self), progress=None))
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)

    @classmethod
    def load_exact(cls, path: Union[str, "os.PathLike[str]"]) -> "NodeClassifier":
        """Reads such a file, whose content is NOT FOR PUBLICATION. It is a pickle: only your own."""
        with open(path, "rb") as file:
            made: NodeClassifier = _again(cls, pickle.load(file))
        return made

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
        known, told = labelled(numbers, np.asarray(labels).tolist())
        return known, np.asarray(told)

    def _threat(self) -> Any:
        if self.hidden not in THREATS:
            raise ArgumentError(f"hidden is {self.hidden!r}; it must be one of {', '.join(THREATS)}")
        return THREATS[self.hidden]

    def _settings(self, held: Any) -> str:
        """All that the draw depends on but graph and features. Who sends is public; of private labels
        nothing is kept here that was made from them."""
        given = self._given(held.order)
        told: Any = "first fit"
        if given is not None:
            private = self.hidden == "nodes" or self.label_epsilon > 0
            told = hashlib.sha256(json.dumps([given[0].tolist(), None if private else given[1].tolist()]
                                             ).encode()).hexdigest()
        return json.dumps(["NodeClassifier", self.hidden, float(self.epsilon), float(self.delta),
                           float(self.feature_epsilon), float(self.label_epsilon),
                           [float(end) for end in self.feature_range], told_classes(self), told, int(self.averages),
                           int(self.encoder_seed)])

    def _drawn(self, held: Any, nodes: Array, labels: List[Any]) -> Dict[str, Any]:
        """The draw of this graph under these settings: that of before, or a new one."""
        threat, given = self._threat(), self._given(held.order)
        if given is not None:
            first = given[0], given[1].tolist()
        else:
            chosen = coin(nodes) < threat.default_share
            first = nodes[chosen], [label for label, taken in zip(labels, chosen) if taken]
        if (self.ledger is not None or self.session is not None) and held.object is None:
            raise ArgumentError("a ledger needs the object that the graph is (Graph.object)")
        key, settings = keys_of(held, None)[0], self._settings(held)
        with MEMORY.open() as memory, memory.warning_later(), contextlib.ExitStack() as stack:
            books = threat.books(self, stack)
            if not self._remembers():
                found: Dict[str, Any] = threat.draw(self, held, *first, books)[0]
            else:
                if (settings, key) not in memory.rows:
                    drawn, records = threat.draw(self, held, *first, books)
                    memory.keep(settings, [key], [drawn], records, books)
                memory.pay(settings, memory.owed(settings, [key], books), books)
                found = memory.rows[settings, key]
        return found

    def fit(self, X: Any, y: Any) -> "NodeClassifier":
        """Reads the draw out with these labels (-1: none); makes the draw if there is none, which spends epsilon."""
        if self.graph is None and self.session is not None:
            self.graph = self.session.graph  # type: ignore[attr-defined]
        if self.graph is None:
            raise ArgumentError("NodeClassifier needs a graph: NodeClassifier(graph, features), and after a pickle, which"
                                " does not hold it, set_params(graph=..., features=...)")
        held = self.graph
        nodes, labels = self._nodes(X, held.order), np.asarray(y).tolist()
        if len(nodes) != len(labels):
            raise ArgumentError(f"X has {len(nodes)} nodes, y {len(labels)} labels")
        nodes, labels = labelled(nodes, labels)
        drawn = self._drawn(held, nodes, labels)
        self._threat().read(self, held, drawn, nodes, labels)
        self.classes_ = np.asarray(drawn["classes"])
        self.n_features_in_ = 1
        return self

    def _fitted(self) -> None:
        if not self.__sklearn_is_fitted__():
            raise not_fitted("NodeClassifier is not fitted yet: call fit first")

    def predict_proba(self, X: Any) -> Array:
        """Class probabilities of nodes. Those whose label was a message, but was not given to `fit`, are refused:
        what is known about them was made with their label."""
        self._fitted()
        if self.hidden == "nodes":
            raise PrivacyError("what the model says of a node is made from its private features and is for that node"
                               " alone: predict_exact, predict_proba_exact. The model may be published: model_")
        nodes = self._nodes(X, len(self.probabilities_))
        spoilt = np.intersect1d(nodes, self._inferred)
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

    def predict_proba_exact(self, X: Any) -> Array:
        """NOT FOR PUBLICATION: of hidden nodes, class probabilities from each node's own private features, for
        that node alone."""
        self._fitted()
        if self.hidden != "nodes":
            raise ArgumentError(f"predict_proba_exact is of hidden nodes, not of {self.hidden}: predict_proba")
        rows: Array = self._threat().judge_exact(self)
        found: Array = rows[self._nodes(X, len(rows))]
        return found

    def predict_exact(self, X: Any) -> Array:
        """NOT FOR PUBLICATION: the likeliest class of each hidden node, for that node alone."""
        chosen = self.predict_proba_exact(X).argmax(axis=1)
        found: Array = self.classes_[chosen]
        return found

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right classes, by weight if weights are given."""
        return float(np.average(self.predict(X) == np.asarray(y), weights=sample_weight))


def _again(kind: Any, state: Dict[str, Any]) -> Any:
    made = kind.__new__(kind)
    made.__setstate__(state)
    return made


def _all_of(one: NodeClassifier) -> Any:
    return _again, (type(one), one._whole())


def _send_whole() -> None:
    """Between processes of one program all of it travels: the picklers of multiprocessing and of loky, which
    joblib has, are told so. Those that write files are not."""
    for name in ("joblib.externals.loky.backend.reduction", "loky.backend.reduction"):
        if name in sys.modules:
            sys.modules[name].register(NodeClassifier, _all_of)


ForkingPickler.register(NodeClassifier, _all_of)
