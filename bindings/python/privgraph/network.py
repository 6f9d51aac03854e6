"""Networks from text, datasets whose parts say where they came from, models that know what they saw."""
import contextlib
import json
import os
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Handle, Immutable, Progress, Run, call, constant, encoded, ffi, lib, number,
                      pointer, struct, taken, text)
from .errors import ArgumentError, PrivacyError
from .graph import Features, GraphSet, Labels, as_features, as_graph, as_labels
from .guarantee import Guarantee
from .layer import Layers, layers_config
from .ledger import Object, object_number
from .mechanism import Target, as_target
from .query import Query
from .release import Release, file_of, from_file
from .rng import Rng

__all__ = ["Network", "Dataset", "Model", "PrivateTraining", "Part", "public", "private"]


class Part(NamedTuple):
    """A part of a dataset that was not released: `public(x)` or `private(x)`.

    Attributes
    ----------
    value
        Graph, features or labels.
    secret : bool
        Whether what is learnt from it may not be published.

    Examples
    --------
    >>> import privgraph as pg
    >>> pg.public([1, 2]).secret, pg.private([1, 2]).secret
    (False, True)
    """

    value: Any
    secret: bool


def public(value: Any) -> Part:
    """A graph, features or labels that are nobody's secret: the caller says so."""
    return Part(value, False)


def private(value: Any) -> Part:
    """Private ones: what is learnt from them only methods ending in _exact tell."""
    return Part(value, True)


def _about(object: Optional[Object]) -> Any:  # pylint: disable=redefined-builtin
    """The object that a promise is about; NULL: whichever it is."""
    return ffi.NULL if object is None else ffi.new("uint64_t *", object_number(object))


@contextlib.contextmanager
def _naming(object: Optional[Object]) -> Iterator[None]:  # pylint: disable=redefined-builtin
    """Errors speak of an object by its name: the library knows its number only."""
    try:
        yield
    except (ArgumentError, PrivacyError) as error:
        if not isinstance(object, str):
            raise
        raise type(error)(str(error).replace(str(object_number(object)), repr(object))) from None


class Network(Immutable):
    """A network without weights.

    Parameters
    ----------
    text : str
        Stages separated by bars: "drop .5 | gcn 64 relu | drop .5 | gcn classes".
    inputs, classes : int
        Columns of the features and of the output.

    Examples
    --------
    >>> import privgraph as pg
    >>> network = pg.Network("drop .5 | gcn 16 relu | gcn classes", inputs=8, classes=3)
    >>> network.parameters == (8 + 1) * 16 + (16 + 1) * 3
    True
    """

    __slots__ = ()
    _type = "pvg_network"

    def __init__(self, text: str, inputs: int, classes: int) -> None:  # pylint: disable=redefined-outer-name
        self._take("pvg_network_from_text", encoded(text), inputs, classes)

    @property
    def text(self) -> str:
        """The text, words separated by single spaces."""
        return text("pvg_network_copy_text", self._pointer)

    @property
    def inputs(self) -> int:
        """Columns of the features."""
        return int(lib.pvg_network_inputs(self._pointer))

    @property
    def classes(self) -> int:
        """Columns of the output."""
        return int(lib.pvg_network_classes(self._pointer))

    @property
    def parameters(self) -> int:
        """Numbers in all weights."""
        return int(lib.pvg_network_parameters(self._pointer))

    def __repr__(self) -> str:
        return f"Network({self.text!r}, {self.inputs}, {self.classes})"

    def memory_exact(self, dataset: "Dataset", **settings: Any) -> int:
        """Bytes that a training will hold beside the dataset. NOT FOR PUBLICATION if the graph is private: they
        follow the number of its edges."""
        config, _kept = _config(self.classes, settings)
        return int(number("uint64_t", "pvg_network_memory_exact", self._pointer, dataset._pointer, config))


class _Builder(Handle):
    __slots__ = ()
    _type = "pvg_dataset_builder"


class Dataset(Immutable):
    """Nodes, or the graphs of a set, with features, labels and a split.

    Each part is a Release, `public(x)` or `private(x)`. Whom a release is about it knows itself: the object it was drawn
    with, or any object if it was given none.

    Parameters
    ----------
    features : part or list of parts
        A release of numbers serves as features; a list stands side by side, as [public(x), release] for what a node
        knows of itself and noisy sums about it.
    graph : part, optional
        May be public(GraphSet), which brings labels.
    labels : part, optional
        A class for each row.
    split : sequence of int, optional
        0 train, 1 validation, 2 test, -1 none, one per row; without it all rows with a label train.
    seen : sequence of Model
        Models that parts were made with, as an encoder; what they saw counts too.
    window, pairs : int, bool
        Nodes of a window, consecutive rows, for `attend`; with pairs, rows of labels, split and predictions are the pairs
        of each window, (0, 1), (0, 2), ...
    links : part, optional
        Nodes x window numbers known beforehand.
    arc_weights, arcs : array, str
        One number for each arc of the graph, row by row: "weights" of a weighted graph, or "masks", factors of messages.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> data = pg.Dataset(graph=pg.public(pg.Graph.cycle(6)), features=pg.private(np.eye(6)),
    ...                   labels=pg.public(np.arange(6) % 2))
    >>> data.holds_secrets
    True
    """

    __slots__ = ("_private",)
    _type = "pvg_dataset"
    _private: List[Any]  # private parts

    def __init__(self, *, features: Union[Release, Part, Sequence[Union[Release, Part]]],
                 graph: Union[Release, Part, None] = None,
                 labels: Union[Release, Part, None] = None,
                 split: Optional[Sequence[int]] = None, seen: Sequence["Model"] = (),
                 window: int = 0, pairs: bool = False, links: Optional[Part] = None,
                 arc_weights: Any = None, arcs: str = "weights") -> None:
        tables: List[Any] = list(features) if isinstance(features, (list, tuple)) and not isinstance(features, Part) \
            else [features]
        if not tables:
            raise ArgumentError("features is empty")
        for name, part in [("graph", graph), ("labels", labels)] + [("features", one) for one in tables]:
            if (part is not None or name == "features") and not isinstance(part, (Release, Part)):
                raise ArgumentError(f"{name} is a {type(part).__name__}: say public(x), private(x), "
                                    "or give a Release")
        stored: List[Union[Release, Features]] = [one if isinstance(one, Release) else as_features(one.value)
                                                  for one in tables]
        first = stored[0]
        order = len(first)
        if isinstance(first, Release) and order == 0:  # reports of users, not a table of numbers
            order = first.features.shape[0]
        builder = _Builder._make("pvg_dataset_builder_new", order)
        self._private = []
        if graph is not None:
            self._add(builder, "graph", graph)
        if arc_weights is not None:
            weights = taken(arc_weights, np.float64, "arc_weights")
            call("pvg_dataset_builder_set_arc_weights", builder._pointer, pointer(weights), weights.size,
                 constant("ARCS", arcs, "arcs"))
        if window or pairs or links is not None:
            self._add_windows(builder, window, pairs, links)
        for part, held in zip(tables, stored):
            self._add(builder, "features", part, held)
        if labels is not None:
            self._add(builder, "labels", labels)
        for model in seen:
            call("pvg_dataset_builder_add_seen", builder._pointer, model._pointer)
        if split is not None:
            parts = taken(split, np.int32, "split")
            if parts.ndim != 1 or (len(parts) and (parts.min() < -1 or parts.max() > 2)):
                raise ArgumentError("split has entries other than -1, 0, 1, 2")
            small = np.ascontiguousarray(parts, np.int32)
            call("pvg_dataset_builder_set_split", builder._pointer,
                 ffi.from_buffer("int32_t[]", small), len(small))
        self._take("pvg_dataset_builder_finish", builder._pointer)

    @staticmethod
    def _add_windows(builder: _Builder, window: int, pairs: bool, links: Optional[Part]) -> None:
        if links is not None and not isinstance(links, Part):
            raise ArgumentError(f"links is a {type(links).__name__}: say public(x) or private(x)")
        told = None if links is None else taken(links.value, np.float64, "links")
        where = ffi.NULL if told is None else pointer(told)
        size = 0 if told is None else told.size
        if links is not None and links.secret:
            call("pvg_dataset_builder_add_private_windows", builder._pointer, window, int(pairs), where, size)
        else:
            call("pvg_dataset_builder_add_public_windows", builder._pointer, window, int(pairs), where, size)

    def _add(self, builder: _Builder, name: str, part: Union[Release, Part], stored: Any = None) -> None:
        if isinstance(part, Release):
            role = {"graph": "graph", "labels": "labels", "features": "states"}[name]
            if name == "graph" and lib.pvg_release_view_lists(
                    ffi.new("int64_t **"), ffi.new("int32_t **"), ffi.new("int64_t *"),
                    part._pointer) == 0:
                role = "lists"
            if name == "features" and part.guarantee.notion == "feature-ldp":
                role = "features"
            call("pvg_dataset_builder_add_released", builder._pointer, part._pointer,
                 constant("ROLE", role, "role"))
            return
        if name == "graph" and isinstance(part.value, GraphSet):
            if part.secret:
                raise ArgumentError("graph is a private set of graphs: release it, or embeddings of it")
            call("pvg_dataset_builder_add_public_graphset", builder._pointer, part.value._pointer)
            return
        if stored is None:
            stored = as_graph(part.value) if name == "graph" else part.value
            if name == "labels":
                stored = as_labels(stored)
        if part.secret:
            self._private.append(stored)
            call(f"pvg_dataset_builder_add_private_{name}", builder._pointer, stored._pointer)
        else:
            call(f"pvg_dataset_builder_add_public_{name}", builder._pointer, stored._pointer)

    def __len__(self) -> int:
        return int(lib.pvg_dataset_rows(self._pointer))

    @property
    def holds_secrets(self) -> bool:
        """Whether any part is private."""
        return bool(lib.pvg_dataset_holds_secrets(self._pointer))

    @property
    def order(self) -> int:
        """Nodes."""
        return int(lib.pvg_dataset_order(self._pointer))

    @property
    def arcs_exact(self) -> int:
        """Two for each edge, one for each entry of a list. NOT FOR PUBLICATION if the graph is private."""
        return int(lib.pvg_dataset_arcs_exact(self._pointer))

    def __repr__(self) -> str:
        return f"<Dataset of {len(self)} rows{', private' if self.holds_secrets else ''}>"


_NAMES = {"optimiser": "OPTIMISER", "loss": "LOSS", "select": "SELECT", "precision": "PRECISION"}


def _config(classes: int, settings: Any, name_of_struct: str = "pvg_training_config"
            ) -> Tuple[Any, List[Array]]:
    """The struct of a training, and the arrays it points to."""
    kept: List[Array] = []
    fields = dict(settings)
    for name, prefix in _NAMES.items():
        if fields.get(name) is not None:
            fields[name] = constant(prefix, fields[name], name)
    for name, shape in (("class_weights", (classes,)), ("transition", (classes, classes))):
        if fields.get(name) is not None:
            kept.append(taken(fields[name], np.float64, name, shape))
            fields[name] = pointer(kept[-1])
    try:
        return struct(name_of_struct, **fields), kept
    except KeyError as error:
        known = [name for name, _ in ffi.typeof(name_of_struct).fields if name not in ("size", "reserved")]
        raise ArgumentError(f"a training has no setting {error}; there are {', '.join(known)}") from None


class Model(Immutable):
    """A network with weights, and what they have seen. Made by `train`, `load` or a private training.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> labels = np.repeat([0, 1], 30)
    >>> graph = pg.Graph.blocks([30, 30], [[0.3, 0.01], [0.01, 0.3]], 1)
    >>> with pg.Session(graph, object="school", epsilon=4) as session:
    ...     sums = session.release("message-passing", order=60, columns=2, epsilon=4, delta=1e-6,
    ...                            features=np.eye(2)[labels], open="features")
    >>> data = pg.Dataset(features=sums, labels=pg.public(labels))
    >>> model = pg.Model.train(pg.Network("dense classes", 2, 2), data, seed=1, epochs=20)
    >>> round(model.predict(data).epsilon(1e-6), 2)  # what the sums cost, and no more
    4.0
    """

    __slots__ = ()
    _type = "pvg_model"

    @classmethod
    def train(cls, network: Network, dataset: Dataset, *, start: Optional["Model"] = None,
              seed: Union[Rng, int, None] = None, threads: int = 0,
              progress: Optional[Progress] = None, **settings: Any) -> "Model":
        """Trains. settings: the fields of pvg_training_config by name (epochs, rate, decay, select,
        folds, averages, calibrate, transition, ...); left out, its defaults. seed: of weights,
        dropout and folds, which nothing private rests on."""
        config, _kept = _config(network.classes, settings)
        rng = seed if isinstance(seed, Rng) else Rng.secure() if seed is None else Rng.seeded(seed)
        return cls._make("pvg_model_train", network._pointer, dataset._pointer, config,
                         start._pointer if start else ffi.NULL, rng._pointer,
                         run=Run(threads, progress))

    def predict(self, dataset: Dataset, kind: str = "probabilities", *,
                notion: Union[str, int] = "edge",
                object: Optional[Object] = None,  # pylint: disable=redefined-builtin
                threads: int = 0, progress: Optional[Progress] = None) -> Release:
        """Predictions as a release: refused if anything private is in them. Its guarantee composes
        the draws that were seen, about this notion and object; None: whichever object it is, so that
        all of them count."""
        with _naming(object):
            return Release._make("pvg_model_predict", self._pointer, dataset._pointer,
                                 constant("PREDICT", kind, "kind"), constant("NOTION", notion, "notion"),
                                 _about(object), run=Run(threads, progress))

    def predict_exact(self, dataset: Dataset, kind: Union[str, int] = "probabilities", *, threads: int = 0,
                      progress: Optional[Progress] = None) -> Array:
        """The same numbers, whatever is in them. NOT FOR PUBLICATION if anything private is."""
        which = constant("PREDICT", kind, "kind")
        out = np.zeros((len(dataset), max(1, lib.pvg_model_columns(self._pointer, which))))
        call("pvg_model_predict_exact", pointer(out), self._pointer, dataset._pointer, which,
             run=Run(threads, progress))
        return out[:, 0] if which == constant("PREDICT", "classes", "kind") else out

    def _score(self, name: str, dataset: Dataset, part: Union[str, int], threads: int
               ) -> Tuple[float, float]:
        out = np.zeros(2)
        both = pointer(out)
        call(name, both, both + 1, self._pointer, dataset._pointer, constant("PART", part, "part"),
             run=Run(threads))
        return float(out[0]), float(out[1])

    def score(self, dataset: Dataset, part: Union[str, int] = "test", *, threads: int = 0
              ) -> Tuple[float, float]:
        """(accuracy, cross entropy) on the rows of a part; refused if anything private is read."""
        return self._score("pvg_model_score", dataset, part, threads)

    def score_exact(self, dataset: Dataset, part: Union[str, int] = "test", *, threads: int = 0
                    ) -> Tuple[float, float]:
        """The same, whatever is read. NOT FOR PUBLICATION if anything private is."""
        return self._score("pvg_model_score_exact", dataset, part, threads)

    def promise(self, notion: Union[str, int] = "edge",
                object: Optional[Object] = None  # pylint: disable=redefined-builtin
                ) -> Guarantee:
        """What the weights promise about a notion and an object; None: whichever object it is."""
        with _naming(object):
            return Guarantee._make("pvg_model_promise", self._pointer, constant("NOTION", notion, "notion"),
                                   _about(object))

    def training(self) -> Guarantee:
        """The record of the private training that made the weights: law, scale, sampling rate, steps, id,
        claim learn.dpsgd. What else the model has seen is in promise()."""
        return Guarantee._make("pvg_model_training", self._pointer)

    def save(self, path: Any) -> None:
        """Writes network, weights and what they have seen as one file; refused if that is private."""
        call("pvg_model_save", encoded(os.fspath(path)), self._pointer)

    def save_exact(self, path: Any) -> None:
        """The same for any model. NOT FOR PUBLICATION if it saw private parts."""
        call("pvg_model_save_exact", encoded(os.fspath(path)), self._pointer)

    @classmethod
    def load(cls, path: Any) -> "Model":
        """Reads such a file; its records are taken at their word."""
        return cls._make("pvg_model_load", encoded(os.fspath(path)))

    def __reduce__(self) -> Any:
        return from_file, (Model, file_of(self))

    def __repr__(self) -> str:
        kind = "PRIVATE, answers only by _exact" if self.holds_secrets else f"{len(self.seen['draws'])} draws seen"
        return f"<Model {self.seen['network']!r}, {kind}>"

    @property
    def loaded(self) -> bool:
        """Whether it was read from a file."""
        return bool(lib.pvg_model_loaded(self._pointer))

    @property
    def holds_secrets(self) -> bool:
        """Whether it saw private parts other than through a mechanism."""
        return bool(lib.pvg_model_holds_secrets(self._pointer))

    @property
    def seen(self) -> Dict[str, Any]:
        """The network, and the record of every draw it has seen."""
        return dict(json.loads(text("pvg_model_copy_seen_json", self._pointer)))

    @property
    def inputs(self) -> int:
        """Columns of the features it takes."""
        return int(lib.pvg_model_inputs(self._pointer))

    def layers(self, operation: Union[str, int] = "symmetric", depth: int = 1,
               **settings: Any) -> Layers:
        """Layers whose weights are the square maps of the model, `depth` of them; settings: as of
        Layers. They carry the draws behind the model: a propagator composes them with its own curve, and
        a ledger is charged for those that it has not charged to the object yet."""
        return Layers._make("pvg_layers_from_model", layers_config(operation, depth, settings), self._pointer)

    def weights_exact(self, member: int = 0) -> Array:
        """All weights of a member. NOT FOR PUBLICATION if anything private was seen."""
        out = np.zeros(int(lib.pvg_model_parameters(self._pointer)))
        call("pvg_model_copy_weights_exact", pointer(out), self._pointer, member)
        return out

    def gradient_exact(self, dataset: Dataset, row: int, column: int, *, threads: int = 0
                       ) -> Tuple[Array, Array]:
        """Of one logit: to every feature (order x inputs), and to a factor of every arc.

        NOT FOR PUBLICATION if anything private is read."""
        features, arcs = np.zeros((dataset.order, self.inputs)), np.zeros(dataset.arcs_exact)
        call("pvg_model_gradient_exact", pointer(features), pointer(arcs) if len(arcs) else ffi.NULL,
             self._pointer, dataset._pointer, row, column, run=Run(threads))
        return features, arcs

    @property
    def members(self) -> int:
        """Models whose probabilities are averaged."""
        return int(lib.pvg_model_members(self._pointer))

    @property
    def temperature_exact(self) -> float:
        """T of `calibrate`; 1 without. NOT FOR PUBLICATION if anything private was seen."""
        return float(lib.pvg_model_temperature_exact(self._pointer))

    def history_exact(self) -> Array:
        """Checks of the first member: epoch, training loss, validation loss and accuracy.

        NOT FOR PUBLICATION if anything private was seen."""
        size = ffi.new("int64_t *")
        call("pvg_model_copy_history_exact", ffi.NULL, size, self._pointer)
        out = np.zeros((size[0], 4))
        call("pvg_model_copy_history_exact", pointer(out), size, self._pointer)
        return out


class PrivateTraining(Query):
    """A query for a private training (DP-SGD) of a network that does not mix records.

    `draw(dataset, ledger=..., object=...)` trains on private features, private labels, or both; the ledger is charged
    first, for all steps. `Release.model` is what comes out: it tells nothing but its weights. `describe()` tells
    noise (sigma), sampling and what is spent.

    Parameters
    ----------
    network : Network
        Without stages that read a graph.
    records : int
        Number of training rows, which is public.
    target : Target or float
        The budget.
    start : Model, optional
        A model to go on from.
    settings
        The fields of pvg_dpsgd_config by name: steps, batch, clip, optimiser, rate, ...

    Examples
    --------
    >>> import privgraph as pg
    >>> network = pg.Network("dense 8 relu | dense classes", inputs=4, classes=2)
    >>> training = pg.PrivateTraining(network, 1000, pg.Target(epsilon=2, delta=1e-6), steps=200, batch=100)
    >>> training.guarantee().epsilon(1e-6) <= 2
    True
    """

    __slots__ = ()

    def __init__(self, network: Network, records: int, target: Target, *, start: Optional[Model] = None,
                 **settings: Any) -> None:  # pylint: disable=super-init-not-called
        config, _kept = _config(network.classes, settings, "pvg_dpsgd_config")
        self._parts, self._known = (), {}
        self._take("pvg_query_new_training", network._pointer, records, config,
                   start._pointer if start else ffi.NULL, as_target(target)._struct())

    @classmethod
    def _own(cls, out: Any) -> "PrivateTraining":
        self = super()._own(out)
        assert isinstance(self, PrivateTraining)
        return self
