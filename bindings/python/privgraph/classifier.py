"""Classes of nodes as a scikit-learn classifier whose X are node numbers. scikit-learn itself is not needed.

What is drawn and how it is read is a `Pipeline` of the library; here is which nodes it is given, and where its draw
is kept: as a dict that JSON can hold, so that refits and other processes find it again."""
import base64
import contextlib
import copy
import hashlib
import json
import os
import pickle
import sys
from multiprocessing.reduction import ForkingPickler
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import Array, Progress
from .errors import ArgumentError, PrivacyError, SearchStopped
from .estimator import Parameters, not_fitted, would_be_nan
from .graph import Graph, as_features, as_graph
from .learn import users_pipeline
from .ledger import HasLedger, Ledger, ledger_of, payer_of
from .memory import MEMORY, keys_of
from .network import Model, Part
from .pipeline import Pipeline
from .release import Release, file_of, from_file
from .rng import Rng

__all__ = ["NodeClassifier"]

HIDDEN = ("edges", "users", "nodes")
REPORTS = ("lists", "features", "labels")
TRAIN, TEST = 0, 2


def _numbers(labels: Sequence[Any], classes: Sequence[Any], *, private: bool = False) -> List[int]:
    """Labels by their place among the classes. A private one that is none of them is taken for the last, as
    everywhere: an error would tell."""
    index = {label: number for number, label in enumerate(classes)}
    if private:
        return [index.get(label, len(index) - 1) for label in labels]
    unknown = [label for label in labels if label not in index]
    if unknown:
        raise ArgumentError(f"class {unknown[0]!r} of y has no message in the draw, which knows {len(index)} classes")
    return [index[label] for label in labels]


def _spread(order: int, nodes: Array, numbers: Sequence[int]) -> Array:
    """One number for each node, -1 where none is known."""
    out = np.full(order, -1, np.int32)
    out[nodes] = numbers
    return out


def _is_label(label: Any) -> bool:
    """-1 is none, as in every file and function here. None and NaN are mistakes: they would be a class of their own."""
    if label is None or label != label:
        raise ArgumentError("y holds None or NaN; a node without a label has -1, or is left out")
    return isinstance(label, (str, bytes, bool)) or label != -1


def _labelled(nodes: Array, labels: Sequence[Any]) -> Tuple[Array, List[Any]]:
    """Those that have a label."""
    known = [_is_label(label) for label in labels]
    return nodes[np.asarray(known, bool)], [label for label, there in zip(labels, known) if there]


def _kept(one: Union[Release, Model, None]) -> Optional[str]:
    """Its file as text."""
    return None if one is None else base64.b64encode(file_of(one)).decode()


def _from_kept(kind: Any, text: Optional[str]) -> Any:
    return None if text is None else from_file(kind, base64.b64decode(text))


class NodeClassifier(Parameters):
    """Classes of nodes from what is private about a network. X are node numbers.

    `hidden` says from whom and what, and with it what is drawn; each is the best of the pipelines that were
    measured for it:

    "edges" : features and labels are public, edges are not. Edge histograms by kind of sender, pure epsilon edge-DP;
        the same as `pg.classify`, and never below features alone on labels that are held out.
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

    Of hidden edges labels go into the draw as *messages*: a node counts its neighbours by their label (a fifth of them
    is held out, and chooses). Such a label is in what was made of the node's neighbours, and the read-out was made with it, so
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
    ----------
    graph : anything that as_graph takes
        It becomes a Graph at once, so that clones have the same.
    features : array, optional
        A row per node; None: class shares take their place. Of "users": what users hold, or public(x).
    hidden : str
        "edges", "users" or "nodes".
    epsilon : float
        Of the draw: for any single edge, entry of a list, or node.
    delta : float
        Of "nodes".
    feature_epsilon, label_epsilon : float
        Of "users".
    feature_range : pair
        Public, of every feature, for "users".
    classes : sequence, optional
        All classes, public; needed where labels are private, else those of the labels.
    messages : dict or pair of sequences, optional
        Labels that may go into the draw: {node: label}, or (nodes, labels). None: of the nodes of the first `fit` all.
    network : str, optional
        Text of the network that reads what users report, or of the encoder of hidden nodes; None: the usual one.
    averages : int
        Restarts whose probabilities are averaged.
    encoder_seed : int
        Of weights and dropout, which nothing private rests on.
    session : Session, optional
        The one that pays; graph is its graph, and need not be given.
    ledger : Ledger or path, optional
        Instead, charged once, before the draw, or when it is asked for a draw that it has not paid for; for "users"
        {"lists": ..., "features": ..., "labels": ...}.
    sticky : bool
        False draws anew with every fit, and spends again.
    threads : int
        Of the calculation; what comes out does not depend on it.
    insecure_seed : int, optional
        Noise from a seeded generator: nothing is private then. For tests.
    progress : bool or function
        True: a bar with the time that is left.

    Attributes
    ----------
    classes_, probabilities_, messages_ : array
        All classes; probabilities of every node; nodes whose label is in the draw.
    guarantee_ : str
        In words; also where the draw was made before.
    release_ : Release
        Of users a dict (also `reports_`); of hidden nodes the Model (also `model_`).

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> labels = np.repeat([0, 1], 150)
    >>> graph = pg.Graph.blocks([150, 150], [[0.2, 0.01], [0.01, 0.2]], 1)
    >>> some, others = np.arange(0, 300, 2), np.arange(1, 300, 2)
    >>> with pg.Session(graph, object="school", epsilon=2) as session:
    ...     model = pg.NodeClassifier(session=session, epsilon=2).fit(some, labels[some])
    >>> bool(model.score(others, labels[others]) > 0.9)
    True
    """

    classes_: Array
    probabilities_: Array
    messages_: Array
    guarantee_: str
    release_: Any
    _inferred: Array  # nodes whose label is in the draw, but was not given to fit

    def __init__(self, graph: Any = None, features: Any = None, *, hidden: str = "edges", epsilon: float = 1.0,
                 delta: float = 1e-6, feature_epsilon: float = 0.0, label_epsilon: float = 0.0,
                 feature_range: Tuple[float, float] = (0.0, 1.0), classes: Any = None, messages: Any = None,
                 network: Optional[str] = None, averages: int = 3, encoder_seed: int = 0,
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
        self.network = network
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
        known, told = _labelled(numbers, np.asarray(labels).tolist())
        return known, np.asarray(told)

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
                           [float(end) for end in self.feature_range], self._told_classes(), told, int(self.averages),
                           int(self.encoder_seed), self.network if self.hidden == "nodes" else None])

    # --- the draw ---

    def _told_classes(self) -> Optional[List[Any]]:
        """The classes of the constructor, as plain values in order."""
        if self.classes is None:
            return None
        told = sorted(np.asarray(list(self.classes)).tolist())
        if not all(_is_label(one) for one in told):
            raise ArgumentError("classes holds -1, which means that a node has no label; name that class otherwise")
        return told

    def _private_labels(self) -> bool:
        return self.hidden == "nodes" or self.hidden == "users" and self.label_epsilon > 0

    def _all_classes(self, labels: List[Any]) -> List[Any]:
        told = self._told_classes()
        if told is None and self._private_labels():
            raise PrivacyError("classes are not told: labels are private, so the list of classes must be public:"
                               " classes=[...]")
        found = told or sorted(set(labels))
        if len(found) < 2:
            raise ArgumentError("messages have fewer than two classes (a label of -1 is none)")
        return found

    def _shown(self) -> Any:
        """Features without the word of who knows them, where `hidden` says that already."""
        return self.features.value if isinstance(self.features, Part) else self.features

    def _plan(self, held: Graph, classes: int, told: Array, **known: Any) -> Tuple[Pipeline, Dict[str, Any]]:
        """The pipeline whose nodes have these classes; what its draw reads."""
        common: Dict[str, Any] = dict(classes=classes, network=self.network, allow_seeded=self.insecure_seed is not None,
                      seed=Rng.seeded(self.encoder_seed), threads=self.threads, progress=self.progress)
        if self.hidden == "edges":
            made = Pipeline("edges", order=held.order, epsilon=self.epsilon, averages=self.averages,
                            **{"labels": told, "features": self._shown(), **common, **known})
            return made, {"graph": held}
        parts = np.where(told >= 0, TRAIN, TEST).astype(np.int32)
        if self.hidden == "users":
            made, reads = users_pipeline(held, told, parts, self.features, list_epsilon=self.epsilon,
                                  feature_epsilon=self.feature_epsilon, label_epsilon=self.label_epsilon,
                                  low=self.feature_range[0], high=self.feature_range[1], averages=self.averages,
                                  **common)
            return made, {**reads, "whose": held}
        if self.features is None:
            raise ArgumentError("NodeClassifier(hidden='nodes') needs features: what a node says of itself;"
                                " set_params(features=...)")
        stored = as_features(self._shown())
        return Pipeline("nodes", order=held.order, parts=parts, columns=stored.shape[1], epsilon=self.epsilon,
                        delta=self.delta, **common), {"features": stored, "labels": told, "whose": held}

    def _books(self, stack: contextlib.ExitStack) -> Dict[str, Ledger]:
        """Who pays for which part, as far as somebody does."""
        if self.hidden != "users":
            if isinstance(self.ledger, dict):
                raise ArgumentError(f"ledger is a dict; hidden={self.hidden!r} has one budget")
            book = stack.enter_context(ledger_of(payer_of(self)))
            return {} if book is None else {"": book}
        if payer_of(self) is not None and self.session is not None:
            raise ArgumentError("users have three budgets, and a session has one: ledger={'lists': ..., ...}")
        if self.ledger is None:
            return {}
        if not isinstance(self.ledger, dict) or set(self.ledger) - set(REPORTS):
            raise ArgumentError("users have three budgets: ledger={'lists': ..., 'features': ..., 'labels': ...}")
        opened = {name: stack.enter_context(ledger_of(book)) for name, book in self.ledger.items()}
        return {name: book for name, book in opened.items() if book is not None}

    def _draw(self, held: Graph, nodes: Array, labels: List[Any], books: Dict[str, Ledger]
              ) -> Tuple[Dict[str, Any], Dict[str, str]]:
        """What is kept of a draw, and the records of its parts by who pays for them."""
        classes = self._all_classes(labels)
        told = _spread(held.order, nodes, _numbers(labels, classes, private=self._private_labels()))
        pipeline, reads = self._plan(held, len(classes), told)
        drawn = pipeline.draw(**reads, rng=None if self.insecure_seed is None else Rng.seeded(self.insecure_seed),
                              ledger=tuple(books.get(name) for name in REPORTS) if self.hidden == "users"
                              else books.get(""), threads=self.threads, progress=self.progress)
        kept: Dict[str, Any] = {"classes": classes, "asked": nodes.tolist()}
        if self.hidden == "edges":
            kept.update(sent=np.asarray(pipeline.labels).tolist(), prior=pipeline.prior.tolist(),
                        checks=None if pipeline.checks is None else pipeline.checks.tolist())
        names = REPORTS if self.hidden == "users" else ("",)
        kept["parts"] = {name: _kept(one.model if self.hidden == "nodes" and one is not None else one)
                         for name, one in zip(names, drawn)}
        return kept, {name: one.guarantee.json for name, one in zip(names, drawn) if one is not None}

    def _drawn(self, held: Any, nodes: Array, labels: List[Any]) -> Dict[str, Any]:
        """The draw of this graph under these settings: that of before, or a new one."""
        given = self._given(held.order)
        first = (nodes, labels) if given is None else (given[0], given[1].tolist())
        if (self.ledger is not None or self.session is not None) and held.object is None:
            raise ArgumentError("a ledger needs the object that the graph is (Graph.object)")
        key, settings = keys_of(held, None)[0], self._settings(held)
        with MEMORY.open() as memory, memory.warning_later(), contextlib.ExitStack() as stack:
            books = self._books(stack)
            if not self._remembers():
                found: Dict[str, Any] = self._draw(held, *first, books)[0]
            else:
                if (settings, key) not in memory.rows:
                    drawn, records = self._draw(held, *first, books)
                    memory.keep(settings, [key], [drawn], records, books)
                memory.pay(settings, memory.owed(settings, [key], books), books)
                found = memory.rows[settings, key]
        return found

    # --- reading it ---

    def _read(self, held: Graph, drawn: Dict[str, Any], nodes: Array, labels: List[Any]) -> None:
        known = _spread(held.order, nodes, _numbers(labels, drawn["classes"], private=self._private_labels()))
        asked = np.asarray(drawn["asked"], np.int64)
        getattr(self, f"_read_{self.hidden}")(held, drawn, nodes, known, asked)

    def _read_by(self, pipeline: Pipeline, *releases: Optional[Release]) -> None:
        self.probabilities_ = pipeline.read(*releases, seed=Rng.seeded(self.encoder_seed), threads=self.threads,
                                            progress=self.progress).probabilities
        self.guarantee_ = "".join(one.text for one in releases if one is not None)

    def _read_edges(self, held: Graph, drawn: Dict[str, Any], nodes: Array, known: Array, asked: Array) -> None:
        """Labels of `fit` that are in no message choose, beside those that were held out."""
        sent = np.asarray(drawn["sent"], np.int32)
        checks = np.full(held.order, -1, np.int32) if drawn["checks"] is None else np.asarray(drawn["checks"], np.int32)
        told = np.where(sent >= 0, sent, checks)
        wrong = (told >= 0) & (known >= 0) & (told != known)
        if wrong.any():
            raise ArgumentError(f"y contradicts the label that node {int(np.flatnonzero(wrong)[0])} sent as a message")
        pipeline, _ = self._plan(held, len(drawn["classes"]), sent, features=None, prior=np.asarray(drawn["prior"]),
                                 checks=np.where(sent >= 0, -1, np.where(checks >= 0, checks, known)).astype(np.int32))
        self.release_ = _from_kept(Release, drawn["parts"][""])
        self._read_by(pipeline, self.release_)
        self.messages_ = asked
        self._inferred = np.setdiff1d(asked, nodes)

    def _read_users(self, held: Graph, drawn: Dict[str, Any], nodes: Array, known: Array, asked: Array) -> None:
        """Answers of the nodes of `fit` alone; what is not read cannot come back."""
        strangers = np.setdiff1d(nodes, asked) if self.label_epsilon > 0 else nodes[:0]
        if len(strangers):
            raise ArgumentError(f"node {int(strangers[0])} was not asked for its label in the draw. Give messages="
                                " with all users who may be asked, once")
        self.reports_ = self.release_ = {name: _from_kept(Release, drawn["parts"][name]) for name in REPORTS}
        pipeline, _ = self._plan(held, len(drawn["classes"]), known)
        self._read_by(pipeline, *(self.reports_[name] for name in REPORTS))
        self.messages_ = asked if self.label_epsilon > 0 else asked[:0]
        self._inferred = asked[:0]

    def _read_nodes(self, held: Graph, drawn: Dict[str, Any], nodes: Array, known: Array, asked: Array) -> None:
        """Nothing is left to learn: whose label is in the draw must be who was given."""
        del held, known
        if not np.array_equal(np.unique(nodes), np.unique(asked)):
            raise ArgumentError("the model was drawn with other nodes; to train anew, and to pay again: sticky=False")
        self.model_ = self.release_ = _from_kept(Model, drawn["parts"][""])
        self.guarantee_ = self.model_.promise("node-removed").text
        self.messages_ = asked
        self._inferred = asked[:0]

    def fit(self, X: Any, y: Any) -> "NodeClassifier":
        """Reads the draw out with these labels (-1: none); makes the draw if there is none, which spends epsilon."""
        if self.graph is None and self.session is not None:
            self.graph = self.session.graph  # type: ignore[attr-defined]
        if self.graph is None:
            raise ArgumentError("NodeClassifier needs a graph: NodeClassifier(graph, features), and after a pickle, which"
                                " does not hold it, set_params(graph=..., features=...)")
        if self.hidden not in HIDDEN:
            raise ArgumentError(f"hidden is {self.hidden!r}; it must be one of {', '.join(HIDDEN)}")
        held = self.graph
        nodes, labels = self._nodes(X, held.order), np.asarray(y).tolist()
        if len(nodes) != len(labels):
            raise ArgumentError(f"X has {len(nodes)} nodes, y {len(labels)} labels")
        nodes, labels = _labelled(nodes, labels)
        drawn = self._drawn(held, nodes, labels)
        self._read(held, drawn, nodes, labels)
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
        if self.features is None:
            raise ArgumentError("features are missing: set_params(features=...)")
        stored = as_features(self._shown())
        parts = np.full(stored.shape[0], TEST, np.int32)
        parts[self.messages_] = TRAIN
        pipeline = Pipeline("nodes", parts=parts, network=self.network,
                            columns=stored.shape[1], classes=len(self.classes_), epsilon=self.epsilon, delta=self.delta)
        rows = pipeline.read_exact(self.model_, features=stored, threads=self.threads).probabilities
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
