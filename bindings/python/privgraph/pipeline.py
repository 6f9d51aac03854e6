"""Pipelines: classes from what is hidden, as a kind, its options, public arrays and a budget. The library runs them."""
import functools
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import (Array, Immutable, Ints, Progress, Run, check, encoded, ffi, json_of, lent, lib, pointer, struct,
                      taken, text)
from .errors import ArgumentError
from .graph import as_features, as_graph, as_labels
from .ledger import Payer
from .mechanism import Target, as_target
from .memory import Releasing
from .network import Model
from .preview import Preview
from .query import Objects, QueryOption, listed, options_of, releases_of, text_of
from .release import Release
from .rng import Rng
from .visible import warn_of_pipeline

__all__ = ["Pipeline", "Reading", "pipeline_kinds"]

Drawn = Tuple[Optional[Release], Optional[Release], Optional[Release]]
PLACES = 3


class PipelineKind(NamedTuple):
    """A kind of pipeline and its options."""

    kind: str
    says: str
    claim: str
    options: Tuple[QueryOption, ...]


@functools.lru_cache(maxsize=None)
def _table() -> Dict[str, PipelineKind]:
    return {row["kind"]: PipelineKind(row["kind"], row["says"], row["claim"], options_of(row["options"]))
            for row in json_of("pvg_pipeline_copy_kinds")["kinds"]}


def pipeline_kinds() -> Dict[str, PipelineKind]:
    """All kinds of pipelines with their options, by name, as the library lists them."""
    return dict(_table())


class Reading(NamedTuple):
    """What a pipeline read from what was drawn.

    Attributes
    ----------
    probabilities : array
        Class probabilities of every row.
    without : array
        Those of the encoder, or of labels, alone.
    model : Model or None
        The network, where the kind leaves one.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> truth = np.repeat([0, 1], 50)
    >>> graph = pg.Graph.blocks([50, 50], [[0.3, 0.01], [0.01, 0.3]], 1).with_object("school")
    >>> pipeline = pg.Pipeline("edges", labels=np.where(np.arange(100) % 3, truth, -1), averages=1, epsilon=2)
    >>> reading = pipeline.read(*pipeline.draw(graph, ledger=pg.Ledger(epsilon=2)))
    >>> reading.probabilities.shape, reading.model is None
    ((100, 2), True)
    """

    probabilities: Array
    without: Array
    model: Optional[Model]


def _raw(one: Any) -> Any:
    return ffi.NULL if one is None else one._pointer


def _two_d(values: Any, name: str, rows: int) -> Array:
    matrix = taken(values, np.float64, name)
    if matrix.ndim != 2 or rows and len(matrix) != rows:
        raise ArgumentError(f"{name} has shape {matrix.shape}, not ({rows or 'nodes'}, classes)")
    return matrix


class Pipeline(Immutable):
    """Classes from what is hidden: `Pipeline("edges", order=100, labels=labels, features=x, epsilon=1)`. Made from
    public values, it knows what it will draw; `draw` pays for everything at once, `read` spends nothing and may be
    repeated, also elsewhere: a pipeline of the same settings, labels and prior reads what another one drew.

    All arrays and handles must be public, or made from `sources`.

    Parameters
    ----------
    kind : str
        "edges" hides edges, "users" is for users who trust nobody, "nodes" hides nodes with all that is theirs, "rows"
        reads a release that was drawn before.
    order : int
        Number of nodes; of "edges" it follows from the labels.
    labels, checks : sequence of int
        A class for each node, -1: none.
    parts : sequence of int
        0 trains, 1 chooses, 2 tests.
    prior, transition, features, graph
        Public ones, where the kind takes them.
    network : str
        Text of the network that reads, instead of the usual one.
    sources : Release or several
        What the arrays were made from.
    target : Target or float
        The budget, instead of epsilon and delta.
    allow_seeded : bool
        Accept a seeded generator; nothing is private then.
    seed : Rng
        Of weights and dropout, which nothing private rests on.
    threads, progress
        Of the calculation.
    options
        Those of `pipeline_kinds()`, with underscores for dashes; None: as if it were left out.

    Examples
    --------
    >>> import numpy as np, privgraph as pg
    >>> pipeline = pg.Pipeline("edges", labels=np.arange(60) % 2, method="sums", averages=1, epsilon=1)
    >>> pipeline.kind, pipeline.order, pipeline.classes
    ('edges', 60, 2)"""

    __slots__ = ("_kept",)
    _type = "pvg_pipeline"

    def __init__(self, kind: str, *, order: Optional[int] = None, labels: Optional[Ints] = None,
                 checks: Optional[Ints] = None, parts: Optional[Ints] = None, prior: Any = None, transition: Any = None,
                 features: Any = None, graph: Any = None, network: Optional[str] = None,
                 sources: Union[Release, Iterable[Release]] = (), target: Optional[Target] = None,
                 allow_seeded: bool = False, seed: Optional[Rng] = None, threads: int = 0,
                 progress: Optional[Progress] = None, **options: Any) -> None:
        held: Dict[str, Any] = {name: taken(value, np.int32, name)
                                for name, value in (("labels", labels), ("checks", checks), ("parts", parts))
                                if value is not None}
        if prior is not None:
            held["prior"] = _two_d(prior, "prior", 0)
            options.setdefault("classes", held["prior"].shape[1])
        if order is None:
            order = next((len(array) for array in held.values() if array.ndim), 0)
        for name, array in held.items():
            held[name] = _two_d(array, name, order) if name == "prior" else taken(array, np.int32, name, (order,))
        if transition is not None:
            held["transition"] = _two_d(transition, "transition", 0)
            self._square(held["transition"], options, held)
        handles = {"features": None if features is None else as_features(features),
                   "graph": None if graph is None else as_graph(graph)}
        several = releases_of(sources)
        fields: Dict[str, Any] = {name: pointer(array) for name, array in held.items()}
        fields.update((name, one._pointer) for name, one in handles.items() if one is not None)
        named = None if network is None else ffi.new("char[]", encoded(network))
        row = listed(several)
        arguments = struct("pvg_pipeline_arguments", order=order, sources=row, source_count=len(several), network=named,
                           **fields)
        wanted = struct("pvg_target", allow_seeded=int(allow_seeded)) if target is None else as_target(target)._struct()
        self._take("pvg_pipeline_new", encoded(self._words(kind, options)), arguments, wanted, _raw(seed),
                   run=Run(threads, progress))

    @staticmethod
    def _words(kind: str, options: Dict[str, Any]) -> str:
        known = {one.name: one for one in _table()[kind].options} if kind in _table() else {}
        words = [kind]
        for name, value in options.items():
            if value is not None:
                dashed = name.replace("_", "-")
                words.append(f"{dashed}={text_of(name, value, known.get(dashed))}")
        return " ".join(words)

    @staticmethod
    def _square(matrix: Array, options: Dict[str, Any], held: Dict[str, Any]) -> None:
        """The library reads classes x classes numbers: as many are there."""
        named = options.get("classes")
        classes = int(named) if named is not None else max(
            [2] + [int(held[name].max(initial=1)) + 1 for name in ("labels", "checks") if name in held])
        if matrix.shape != (classes, classes):
            raise ArgumentError(f"transition has shape {matrix.shape}, not ({classes}, {classes})")

    # --- what it is ---

    @property
    def text(self) -> str:
        """Kind and options with everything filled in."""
        return text("pvg_pipeline_copy_text", self._pointer)

    @property
    def kind(self) -> str:
        """The kind."""
        return self.text.split(" ", 1)[0]

    @property
    def order(self) -> int:
        """Nodes or rows."""
        return int(lib.pvg_pipeline_order(self._pointer))

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(lib.pvg_pipeline_classes(self._pointer))

    def __repr__(self) -> str:
        return f"Pipeline({self.text!r})"

    def _labels(self) -> Tuple[Optional[Array], Optional[Array]]:
        outs = [ffi.new("const int32_t **") for _ in range(2)]
        check(lib.pvg_pipeline_view_labels(*outs, self._pointer))
        both = [None if out[0] == ffi.NULL else lent(out[0], (self.order,), np.int32, self) for out in outs]
        return both[0], both[1]

    @property
    def labels(self) -> Optional[Array]:
        """Labels that are sent or train, -1 elsewhere."""
        return self._labels()[0]

    @property
    def checks(self) -> Optional[Array]:
        """Labels that choose and send nothing, -1 elsewhere; None: nobody chooses."""
        return self._labels()[1]

    @property
    def prior(self) -> Array:
        """What public features say about each node: the row "no edges"."""
        out = ffi.new("const double **")
        check(lib.pvg_pipeline_view_prior(out, self._pointer))
        return lent(out[0], (self.order, self.classes), np.float64, self)

    def preview(self, place: int = 0, *, threads: int = 0) -> Optional[Preview]:
        """Range against noise of what will be drawn at a place, before anything is paid; None: nothing is drawn there,
        or it is a network, whose weights have no public range."""
        out = ffi.new("pvg_preview **")
        check(lib.pvg_pipeline_preview(out, self._pointer, place, Run(threads).pointer))
        return None if out[0] == ffi.NULL else Preview._own(out)

    # --- what it does ---

    def _input(self, graph: Any, features: Any, labels: Any, door: Optional[Releasing] = None) -> Any:
        held = {"graph": None if graph is None else as_graph(graph),
                "features": None if features is None else as_features(features),
                "labels": None if labels is None else as_labels(labels)}
        fields: Dict[str, Any] = {name: one._pointer for name, one in held.items() if one is not None}
        objects = None
        if door is not None and door.numbers is not None:
            objects = door.several
            fields.update(objects=objects, object_count=len(door.numbers))
        return struct("pvg_input", **fields), (held, objects)

    def draw(self, graph: Any = None, *, features: Any = None, labels: Any = None, whose: Any = None,
             object: Objects = None,  # pylint: disable=redefined-builtin
             rng: Optional[Rng] = None, ledger: Union[Payer, Sequence[Payer]] = None, threads: int = 0,
             progress: Optional[Progress] = None) -> Drawn:
        """Pays for everything, then draws: three places, None where nothing is. "edges": the release about the edges,
        a second one with first_share; "users": lists, features, labels; "nodes": encoder, sums, head.

        graph, features, labels: exactly what is hidden and read. whose: the handle whose object it is, where that is
        none of these. ledger: one; for "users" three, each of its own notion. After a failure what was drawn is the
        attribute `releases` of the error: it is paid for."""
        held: List[Any] = [as_graph(graph) if graph is not None else None,
                           as_features(features) if features is not None else None,
                           as_labels(labels) if labels is not None else None]
        owner = whose if whose is not None else next((one for one in held if one is not None), None)
        if owner is None:
            raise ArgumentError("nothing is given: graph, features or labels that the pipeline reads")
        several = list(ledger) if isinstance(ledger, (list, tuple)) else [ledger]
        if len(several) not in (1, PLACES):
            raise ArgumentError(f"ledger has {len(several)} entries, not one, or one for each of {PLACES} places")
        outs, run = [ffi.new("pvg_release **") for _ in range(PLACES)], Run(threads, progress)
        with Releasing(several, owner, object) as door:
            warn_of_pipeline(self)
            given, _alive = self._input(held[0], held[1], held[2], door)
            books = [*door.books, *[ffi.NULL] * (PLACES - len(door.books))]
            status = lib.pvg_pipeline_draw(*outs, self._pointer, given, _raw(rng), *books, run.pointer)
            made = [None if out[0] == ffi.NULL else Release._own(out) for out in outs]
            # each report is about something else; elsewhere the last draw's record has those before it
            counted: List[Optional[Release]] = [one for one in made if one is not None]
            door.drew(*(made if self.kind == "users" else counted[-1:]))
        try:
            check(status)
        except Exception as error:
            setattr(error, "releases", tuple(one for one in made if one is not None))
            raise
        return made[0], made[1], made[2]

    def _read(self, call: Any, model: bool) -> Reading:
        out = np.zeros((self.order, self.classes))
        without, kept = np.zeros_like(out), ffi.new("pvg_model **")
        check(call(pointer(out), pointer(without), kept if model else ffi.NULL))
        return Reading(out, without, None if kept[0] == ffi.NULL else Model._own(kept))

    def read(self, *releases: Optional[Release], seed: Optional[Rng] = None, threads: int = 0,
             progress: Optional[Progress] = None) -> Reading:
        """Reads what was drawn, now or before, by this pipeline or one that asks the same. Nothing is paid."""
        if len(releases) > PLACES:
            raise ArgumentError(f"{len(releases)} releases are given, for {PLACES} places")
        given = [_raw(one) for one in releases] + [ffi.NULL] * (PLACES - len(releases))
        run, kind = Run(threads, progress), self.kind
        return self._read(lambda out, without, model: lib.pvg_pipeline_read(
            out, without, model, self._pointer, *given, _raw(seed), run.pointer), kind in ("users", "rows"))

    def read_exact(self, encoder: Model, states: Optional[Release] = None, head: Optional[Model] = None, *,
                   features: Any, threads: int = 0, progress: Optional[Progress] = None) -> Reading:
        """NOT FOR PUBLICATION: what hidden nodes' networks say of every node, row v from v's own private features, for v
        alone."""
        given, _alive = self._input(None, features, None)
        run = Run(threads, progress)
        return self._read(lambda out, without, _model: lib.pvg_pipeline_read_exact(
            out, without, self._pointer, encoder._pointer, _raw(states), _raw(head), given, run.pointer), False)

    def exact(self, graph: Any = None, *, features: Any = None, labels: Any = None, seed: Optional[Rng] = None,
              threads: int = 0, progress: Optional[Progress] = None) -> Reading:
        """NOT FOR PUBLICATION: the same without noise, from private data: what it could do at most."""
        given, _alive = self._input(graph, features, labels)
        run = Run(threads, progress)
        return self._read(lambda out, without, _model: lib.pvg_pipeline_exact(
            out, without, self._pointer, given, _raw(seed), run.pointer), False)
