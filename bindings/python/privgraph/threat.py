"""What `NodeClassifier` draws, and how it reads the draw, for each of the parties that it hides things from.
A draw is a dict that JSON can hold, so that refits and other processes find it again."""
import base64
import contextlib
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import Array
from .errors import ArgumentError, PrivacyError
from .learn import (HiddenNodes, UserClassification, encode, learn_hidden_nodes, learn_reports, learn_users,
                    histogram_cells, histogram_mix, histogram_posterior)
from .ledger import Ledger, ledger_of, payer_of
from .network import Model, Part
from .release import Release, file_of, from_file
from .rng import Rng
from .query import Query

__all__: List[str] = []

Drawn = Dict[str, Any]
Records = Dict[str, str]  # of the parts of a draw, by the names of the ledgers that pay for them
CHECKS = 20  # nodes that it takes to train a read-out
TRAIN, VALIDATION, TEST = 0, 1, 2


def coin(nodes: Array) -> Array:
    """A public coin for each node: a hash of its number, in [0, 1)."""
    z = (nodes.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD1B54A32D192ED03)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) * 2.0 ** -53


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


def labelled(nodes: Array, labels: Sequence[Any]) -> Tuple[Array, List[Any]]:
    """Those that have a label: -1 is none, as in every file and function here."""
    known = [_is_label(label) for label in labels]
    return nodes[np.asarray(known, bool)], [label for label, there in zip(labels, known) if there]


def _is_label(label: Any) -> bool:
    return isinstance(label, (str, bytes, bool)) or label != -1


def told_classes(owner: Any) -> Optional[List[Any]]:
    """The classes of the constructor, as plain values in order."""
    if owner.classes is None:
        return None
    told = sorted(np.asarray(list(owner.classes)).tolist())
    if not all(_is_label(one) for one in told):
        raise ArgumentError("classes holds -1, which means that a node has no label; name that class otherwise")
    return told


def _public_classes(owner: Any) -> List[Any]:
    told = told_classes(owner)
    if told is None:
        raise PrivacyError("classes are not told: labels are private, so the list of classes must be public:"
                           " classes=[...]")
    return told


def _values(features: Any) -> Any:
    """Features without the word of who knows them, where `hidden` says that already."""
    return features.value if isinstance(features, Part) else features


def _source(owner: Any) -> Optional[Rng]:
    return None if owner.insecure_seed is None else Rng.seeded(owner.insecure_seed)


def _kept(one: Union[Release, Model, None]) -> Optional[str]:
    """Its file as text."""
    return None if one is None else base64.b64encode(file_of(one)).decode()


def _again(kind: Any, text: Optional[str]) -> Any:
    return None if text is None else from_file(kind, base64.b64decode(text))


def _one_book(owner: Any, stack: contextlib.ExitStack) -> Dict[str, Ledger]:
    if isinstance(owner.ledger, dict):
        raise ArgumentError(f"ledger is a dict; hidden={owner.hidden!r} has one budget")
    book = stack.enter_context(ledger_of(payer_of(owner)))
    return {} if book is None else {"": book}


class Edges:
    """Edges are private, features and labels public: histogram by kind of sender, pure epsilon."""

    default_share = 2 / 3  # of the nodes of the first fit that send their label

    @staticmethod
    def _query(owner: Any, prior: Array, sent: Array) -> Query:
        priorities, kinds = histogram_cells(prior, sent)
        return Query("edge-histogram", kinds_of=kinds, priorities=priorities, kinds=2 * prior.shape[1],
                     epsilon=owner.epsilon, allow_seeded=owner.insecure_seed is not None)

    books = staticmethod(_one_book)

    @classmethod
    def draw(cls, owner: Any, held: Any, nodes: Array, labels: List[Any], books: Dict[str, Ledger]
             ) -> Tuple[Drawn, Records]:
        """Classes, message of each node (-1: none), what the encoder says, histogram."""
        classes = told_classes(owner) or sorted(set(labels))
        if len(classes) < 2:
            raise ArgumentError("messages have fewer than two classes (a label of -1 is none)")
        sent = _spread(held.order, nodes, _numbers(labels, classes))
        # the encoder sees messages only: labels that later score must not be in the draw
        stops = (coin(np.arange(held.order) + held.order) < 0.2) & (sent >= 0)
        trains = np.where(stops, -1, sent).astype(np.int32)
        if len(set(trains[trains >= 0])) < len(classes):
            trains, stops = sent, np.zeros(held.order, bool)
        if owner.features is None:
            counts = np.bincount(sent[sent >= 0], minlength=len(classes)) + 1.0
            prior = np.tile(counts / counts.sum(), (held.order, 1))
        else:
            prior = encode(_values(owner.features), trains, classes=len(classes), averages=owner.averages,
                           checks=np.where(stops, sent, -1).astype(np.int32) if stops.any() else None,
                           seed=Rng.seeded(owner.encoder_seed), threads=owner.threads, progress=owner.progress)
        release = cls._query(owner, prior, sent).draw(held, rng=_source(owner), ledger=books.get(""),
                                                      threads=owner.threads)
        owner.guarantee_ = release.text
        return {"classes": classes, "sent": sent.tolist(), "prior": prior.tolist(),
                "release": _kept(release)}, {"": release.guarantee.json}

    @classmethod
    def read(cls, owner: Any, held: Any, drawn: Drawn, nodes: Array, labels: List[Any]) -> None:
        """Bayes with the law of the noise, and a network of those labels of `fit` that are no messages."""
        checks = _spread(held.order, nodes, _numbers(labels, drawn["classes"]))
        sent, prior = np.asarray(drawn["sent"], np.int32), np.asarray(drawn["prior"])
        release = _again(Release, drawn["release"])
        both = (sent >= 0) & (checks >= 0)
        if (sent[both] != checks[both]).any():
            raise ArgumentError(f"y contradicts the label that node {int(np.flatnonzero(both & (sent != checks))[0])}"
                                " sent as a message")
        checks[sent >= 0] = -1
        query = cls._query(owner, prior, sent)
        if (checks >= 0).sum() >= CHECKS:
            rows = histogram_mix(query, release, prior, sent, checks, averages=owner.averages,
                             seed=Rng.seeded(owner.encoder_seed), threads=owner.threads, progress=owner.progress)
        else:
            rows = histogram_posterior(query, release, prior, sent, threads=owner.threads, progress=owner.progress)
        owner.probabilities_, owner.messages_ = rows, np.flatnonzero(sent >= 0)
        owner._inferred = np.setdiff1d(owner.messages_, nodes)


class Users:
    """Nobody is trusted: users perturb lists, features and labels themselves, each with its own epsilon."""

    default_share = 1.0

    @staticmethod
    def books(owner: Any, stack: contextlib.ExitStack) -> Dict[str, Ledger]:
        """The three ledgers, as far as they were given."""
        if payer_of(owner) is not None and owner.session is not None:
            raise ArgumentError("users have three budgets, and a session has one: ledger={'lists': ..., ...}")
        if owner.ledger is None:
            return {}
        if not isinstance(owner.ledger, dict) or set(owner.ledger) - {"lists", "features", "labels"}:
            raise ArgumentError("users have three budgets: ledger={'lists': ..., 'features': ..., 'labels': ...}")
        opened = {name: stack.enter_context(ledger_of(book)) for name, book in owner.ledger.items()}
        return {name: book for name, book in opened.items() if book is not None}

    @classmethod
    def draw(cls, owner: Any, held: Any, nodes: Array, labels: List[Any], books: Dict[str, Ledger]
             ) -> Tuple[Drawn, Records]:
        """All reports; public labels are in none."""
        asked = owner.label_epsilon > 0
        classes = _public_classes(owner) if asked else told_classes(owner) or sorted(set(labels))
        told = _spread(held.order, nodes, _numbers(labels, classes, private=asked))
        made = learn_users(held, told, np.where(told >= 0, TRAIN, TEST).astype(np.int32), classes=len(classes),
                           features=owner.features,
                           list_epsilon=owner.epsilon, feature_epsilon=owner.feature_epsilon,
                           label_epsilon=owner.label_epsilon, low=owner.feature_range[0],
                           high=owner.feature_range[1], allow_seeded=owner.insecure_seed is not None,
                           rng=_source(owner), threads=owner.threads, progress=owner.progress,
                           list_ledger=books.get("lists"), feature_ledger=books.get("features"),
                           label_ledger=books.get("labels"))
        parts = {"lists": made.lists, "features": made.features, "labels": made.labels}
        owner.guarantee_ = "".join(one.text for one in parts.values() if one is not None)
        return {"classes": classes, "asked": nodes.tolist() if asked else None,
                **{name: _kept(one) for name, one in parts.items()}}, \
            {name: one.guarantee.json for name, one in parts.items() if one is not None}

    @staticmethod
    def read(owner: Any, held: Any, drawn: Drawn, nodes: Array, labels: List[Any]) -> None:
        """The network, or labels alone where reported labels of a fifth of the users like them better."""
        asked = drawn["asked"] is not None  # then labels are private, and only who has one is read here
        known = _spread(held.order, nodes, _numbers(labels, drawn["classes"], private=asked))
        if asked:
            strangers = np.setdiff1d(nodes, np.asarray(drawn["asked"], np.int64))
            if len(strangers):
                raise ArgumentError(f"node {int(strangers[0])} was not asked for its label in the draw. Give messages="
                                    " with all users who may be asked, once")
        answers = _again(Release, drawn["labels"])
        parts = np.where(known < 0, TEST, np.where(coin(np.arange(held.order)) < 0.2, VALIDATION, TRAIN))
        lists = _again(Release, drawn["lists"])

        def judged(reports: Any, split: Array) -> UserClassification:
            return learn_reports(split.astype(np.int32), classes=len(drawn["classes"]), lists=lists,
                                 features=reports, labels=known if answers is None else answers,
                                 graph=held if lists is None else None, label_epsilon=owner.label_epsilon,
                                 averages=owner.averages, seed=Rng.seeded(owner.encoder_seed),
                                 threads=owner.threads, progress=owner.progress)

        reports = _again(Release, drawn["features"])
        shown = owner.features if isinstance(owner.features, Part) and not owner.features.secret else None
        both = judged(reports if shown is None else shown, parts)
        rows = both.probabilities
        if reports is not None or shown is not None:
            heard = np.flatnonzero(parts == VALIDATION)
            said = (known if answers is None else np.asarray(answers.labels))[heard]
            alone = judged(None, np.where(parts == VALIDATION, TEST, parts)).without
            if (alone[heard].argmax(axis=1) == said).sum() >= (rows[heard].argmax(axis=1) == said).sum():
                rows = both.without
        owner.probabilities_ = rows
        owner.messages_ = np.asarray([] if drawn["asked"] is None else drawn["asked"], np.int64)
        owner._inferred = np.asarray([], np.int64)  # what is not read cannot come back
        owner.reports_ = {"lists": lists, "features": reports, "labels": answers}


class Nodes:
    """Nodes are hidden with their edges, features and labels: an encoder by DP-SGD, which has the whole budget."""

    default_share = 1.0

    books = staticmethod(_one_book)

    @staticmethod
    def draw(owner: Any, held: Any, nodes: Array, labels: List[Any], books: Dict[str, Ledger]
             ) -> Tuple[Drawn, Records]:
        """The model."""
        classes = _public_classes(owner)
        if owner.features is None:
            raise ArgumentError("NodeClassifier(hidden='nodes') needs features: what a node says of itself")
        told = _spread(held.order, nodes, _numbers(labels, classes, private=True))
        made = learn_hidden_nodes(held, told, np.where(told >= 0, TRAIN, TEST).astype(np.int32), owner.epsilon,
                                  owner.delta, features=_values(owner.features), recipe="features",
                                  classes=len(classes), allow_seeded=owner.insecure_seed is not None,
                                  rng=_source(owner), ledger=books.get(""), threads=owner.threads,
                                  progress=owner.progress)
        promise = made.model.promise("node-removed")
        owner.guarantee_ = promise.text
        return {"classes": classes, "model": _kept(made.encoder), "asked": nodes.tolist()}, {"": promise.json}

    @staticmethod
    def read(owner: Any, held: Any, drawn: Drawn, nodes: Array, labels: List[Any]) -> None:
        """Nothing is left to learn: whose label is in the draw must be who was given."""
        if not np.array_equal(np.unique(nodes), np.unique(np.asarray(drawn["asked"], np.int64))):
            raise ArgumentError("the model was drawn with other nodes; to train anew, and to pay again: sticky=False")
        owner.model_ = _again(Model, drawn["model"])
        owner.messages_ = np.asarray(drawn["asked"], np.int64)
        owner._inferred = np.asarray([], np.int64)

    @staticmethod
    def judge_exact(owner: Any) -> Array:
        """NOT FOR PUBLICATION: class probabilities of every node from its own features."""
        if owner.features is None:
            raise ArgumentError("features are missing: set_params(features=...)")
        return HiddenNodes(owner.model_, None, None, 0).predict_exact(_values(owner.features), threads=owner.threads)


THREATS: Dict[str, Any] = {"edges": Edges, "users": Users, "nodes": Nodes}
