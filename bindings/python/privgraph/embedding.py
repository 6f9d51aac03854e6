"""Private embeddings as a scikit-learn transformer. scikit-learn itself is not needed."""
import os
import sys
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Union

import numpy as np

from ._native import Array, Progress
from .errors import ArgumentError, PrivacyError, SearchStopped
from .estimator import Parameters, would_be_nan
from .graph import Graph, GraphSet, as_graphset
from .guarantee import Guarantee
from .ledger import HasLedger, Ledger, ledger_of, payer_of
from .mechanism import Target
from .memory import MEMORY, keys_of
from .pattern import Patterns, as_patterns
from .query import Query
from .release import Release
from .rng import Rng

__all__ = ["PrivateEmbedding", "DegreeEmbedding"]

_STAY = ("query_", "release_", "guarantee_", "_seeded", "_fitted_to")  # no pickle takes them along
UNFITTED = ("session", "ledger", "sticky", "threads", "progress")  # parameters that fit does not look at


def type_counts(graphs: GraphSet, types: int) -> Array:
    """How many nodes of each type (node label) every graph has: public, not private edges."""
    marks = graphs.node_labels
    if types == 0:
        return np.zeros((len(graphs), 0))
    if marks is None:
        raise ArgumentError("the graphs have no node labels to count types of")
    marks = np.asarray(marks)
    if len(marks) and not 0 <= marks.min() <= marks.max() < types:
        raise ArgumentError(f"node labels are in [{marks.min()}, {marks.max()}], not in [0, {types})")
    owner = np.repeat(np.arange(len(graphs)), graphs.orders)
    return np.bincount(owner * types + marks, minlength=len(graphs) * types).reshape(-1, types).astype(float)


class PrivateEmbedding(Parameters):
    """Graphs in, private vectors out: homomorphism densities of small patterns plus noise.

    Every graph gets the whole guarantee: whether any single edge is present stays hidden up
    to (epsilon, delta). `fit` looks at no data; `transform` draws noise and spends the budget of
    every graph that it has not seen under these settings. **The same graph gets the same row
    again**, from any transformer of this process and of those that it starts (n_jobs, fork), and
    that spends nothing; a ledger that has not paid for the row is charged for it. A graph is known by its object in a ledger or by `Graph.identity`, never by
    its edges. `release` draws anew, and so do other settings; that spends again, and a
    RepeatedReleaseWarning has the running total.

    Parameters
    ----------
    patterns : names ("edge,path3,cycle6"), a class to draw from ("trees", "treewidth2",
        "reference1"), Patterns, or a list of networkx graphs.
    n_patterns, pattern_seed : how many to draw from a class, and the public seed.
    epsilon, delta : the budget of every graph. Laplace noise needs delta=0.
    max_degree : a public degree bound, never one read off the graphs. None, the default: no
        bound, and nothing is cut. With a bound the values are those of the graph that was
        cut to it ("truncated"), and nothing tells how much fell.
    degrees : "truncated" (the library cuts excess edges: holds for every graph, at twice the
        noise) or "promised" (every possible graph is known to keep it: the guarantee is void
        for one that does not).
    noise : "gaussian", "laplace", "discrete-gaussian".
    allocation : "optimal", "isotropic", "proportional".
    scaling : "range", "density", "per-node".
    append_order : one more column, the number of nodes, which is public.
    types : so many more columns, how many nodes of each type (node label) a graph has. Types are taken
        as public, like the nodes: the guarantee is about edges and does not cover them.
    saturate : clamp values to their public range.
    weights : how much the squared error of each pattern matters.
    joint : whether columns share part of their noise: "auto" (where it lessens the noise),
        "never", "one-way".
    session : the Session that pays; X are its graphs (`session.graphs`).
    ledger : instead, a Ledger to charge, or the path of one, which is opened for each release and may be
        used by several processes (n_jobs); the graphs then carry object numbers
        (Graph.object, GraphSet.with_objects).
    sticky : False draws new rows with every transform.
    threads : of the calculation; the values do not depend on it.
    insecure_seed : draws noise from a seeded generator, for tests. NOTHING IS PRIVATE THEN.
    progress : called with the fraction done.

    Attributes
    ----------
    patterns_ : the patterns, after fit.
    query_ : what is asked of every graph, after fit.
    release_ : the last release, with its guarantee (`release_.text`), after transform; also where a draw is reused, in
        the process that made it.
    guarantee_ : the Guarantee under which rows were drawn, after transform.

    Examples
    --------
    >>> import privgraph as pg
    >>> graphs = pg.GraphSet.sbm(order=60, zeta=[0.05, 0.45], per_class=5, seed=1)
    >>> session = pg.Session(graphs, object="blocks", epsilon=2)
    >>> embedding = pg.PrivateEmbedding("edge,triangle", epsilon=2, session=session)
    >>> embedding.fit_transform(session.graphs).shape
    (10, 2)
    >>> bool((embedding.transform(session.graphs) == embedding.transform(session.graphs)).all())
    True
    """

    def __init__(self, patterns: Any = "trees", *, n_patterns: int = 50, pattern_seed: int = 0,
                 epsilon: float = 1.0, delta: float = 1e-6, max_degree: Optional[int] = None,
                 degrees: str = "truncated", noise: str = "gaussian",
                 allocation: str = "optimal", scaling: str = "range",
                 append_order: bool = False, types: int = 0, saturate: bool = False,
                 weights: Optional[Sequence[float]] = None, joint: str = "auto",
                 session: Optional[HasLedger] = None,
                 ledger: Union[None, Ledger, str, "os.PathLike[str]"] = None, sticky: bool = True,
                 threads: int = 0, insecure_seed: Optional[int] = None,
                 progress: Optional[Progress] = None) -> None:
        self.patterns = patterns
        self.n_patterns = n_patterns
        self.pattern_seed = pattern_seed
        self.epsilon = epsilon
        self.delta = delta
        self.max_degree = max_degree
        self.degrees = degrees
        self.noise = noise
        self.allocation = allocation
        self.scaling = scaling
        self.append_order = append_order
        self.types = types
        self.saturate = saturate
        self.weights = weights
        self.joint = joint
        self.session = session
        self.ledger = ledger
        self.sticky = sticky
        self.threads = threads
        self.insecure_seed = insecure_seed
        self.progress = progress

    # --- what scikit-learn asks of an estimator ---

    def _more_tags(self) -> Dict[str, Any]:
        return {"non_deterministic": self.insecure_seed is None, "X_types": ["graphs"],
                "requires_fit": True, "no_validation": True}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import Tags, TargetTags, TransformerTags
        return Tags(estimator_type="transformer", target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags(), no_validation=True,
                    non_deterministic=self.insecure_seed is None)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "query_")

    def __getstate__(self) -> Dict[str, Any]:
        # Handles stay behind; patterns travel, and the query is made again from them.
        # What was released is known in the other process as well.
        state = {name: value for name, value in vars(self).items() if name not in _STAY}
        return dict(state, _memory=MEMORY.folder()) if self._remembers() else state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        # Settings say what is spent: nothing that draws comes along with them.
        for name in _STAY:
            if name in state:
                raise ArgumentError(f"the state has {name}, which no pickle of ours holds")
        state = dict(state)
        MEMORY.join(state.pop("_memory", ""))
        vars(self).update(state)
        if "patterns_" in state:
            self.query_ = self._query(self.patterns_)
            self._fitted()

    # --- the work ---

    def _query(self, patterns: Patterns) -> Query:
        bound = self.max_degree
        if bound is not None and bound < 1:
            raise ArgumentError(f"max_degree is {bound}; it must be positive or None")
        target = Target(self.epsilon, self.delta, self.noise, self.allocation,
                        allow_seeded=self.insecure_seed is not None)
        return Query("embed", patterns=patterns, max_degree=bound, degrees="any" if bound is None else self.degrees,
                     scaling=self.scaling, append_order=self.append_order, saturate=self.saturate, weights=self.weights,
                     joint=self.joint, target=target)

    def fit(self, X: Any = None, y: Any = None) -> "PrivateEmbedding":
        """Draws or parses the patterns and calibrates the noise. X and y are not looked at:
        what they hold is private."""
        self.patterns_ = as_patterns(self.patterns, self.n_patterns, self.pattern_seed)
        self.query_ = self._query(self.patterns_)
        self._fitted()
        return self

    def _fitted(self) -> None:
        self.n_features_out_ = len(self.get_feature_names_out())
        self._seeded = None if self.insecure_seed is None else Rng.seeded(self.insecure_seed)
        self._fitted_to = self._parameters()

    def _parameters(self) -> str:
        return repr({name: value.tolist() if isinstance(value, np.ndarray) else value
                     for name, value in self.get_params().items() if name not in UNFITTED})

    def _fit_again(self) -> None:
        """What is drawn is what the parameters say now, also if they were set after fit."""
        if not self.__sklearn_is_fitted__() or getattr(self, "_fitted_to", None) != self._parameters():
            self.fit()

    def release(self, X: Any, *, objects: Any = None) -> Release:
        """Draws a private embedding of every graph of X, as a Release with its guarantee. Always
        anew: what was released before is spent as well."""
        held: Union[Graph, GraphSet] = X if isinstance(X, Graph) else as_graphset(X)
        self._fit_again()
        with MEMORY.open(), ledger_of(payer_of(self)) as book:
            made: Release = self._draw(held, objects, book)
            return made

    def _draw(self, held: Union[Graph, GraphSet], objects: Any, book: Optional[Ledger]) -> Any:
        self.release_ = self.query_.draw(held, object=objects, rng=self._seeded, ledger=book,
                                               threads=self.threads, progress=self.progress)
        self.guarantee_ = self.release_.guarantee
        return self.release_

    def _remembers(self) -> bool:
        return self.sticky and self.insecure_seed is None

    def _settings(self) -> str:
        """All that a row depends on but the graph."""
        return f"{self.query_.id:x}"

    def transform(self, X: Any) -> Any:
        """One row per graph, as a NumPy array (or a table, see set_output): the row that was released before, if there is one,
        else a new one, which spends the budget of the graph."""
        held = as_graphset(X)
        self._fit_again()
        try:
            public = type_counts(held, self.types)  # refused before anything is spent
            rows = self._remembered(held) if self._remembers() else np.atleast_2d(self.release(held).values)
            return self._wrapped(np.hstack([rows, public]))
        except PrivacyError as refusal:
            if would_be_nan():
                raise SearchStopped(f"the search is stopped: {refusal}") from refusal
            raise

    def _remembered(self, held: GraphSet) -> Array:
        keys, settings = keys_of(held, None), self._settings()
        with MEMORY.open() as memory, memory.warning_later(), ledger_of(payer_of(self)) as book:
            books = {} if book is None else {"": book}
            places = {key: i for i, key in enumerate(keys) if (settings, key) not in memory.rows}
            bills = memory.owed(settings, [key for key in keys if key not in places], books)
            if places:
                fresh = held if len(places) == len(held) else held[list(places.values())]
                made = self._draw(fresh, None, book)
                memory.releases.update({(settings, key): made for key in places})
                memory.keep(settings, list(places), np.atleast_2d(made.values), {"": made.guarantee.json}, books)
            memory.pay(settings, bills, books)
            if not places and keys:  # all of it was drawn before
                known = memory.releases.get((settings, keys[0]))
                if known is not None:
                    self.release_ = known
                self.guarantee_ = Guarantee.parse(memory.draws[settings, keys[0]].records[""])
            return np.array([memory.rows[settings, key] for key in keys]).reshape(
                len(held), self.n_features_out_ - self.types)

    def set_output(self, *, transform: Optional[str] = None) -> "PrivateEmbedding":
        """"pandas": transform gives a table with a column for each pattern; "default": an array."""
        if transform not in (None, "default", "pandas"):
            raise ArgumentError(f"transform is {transform!r}; it must be 'default' or 'pandas'")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}  # where scikit-learn looks
        return self

    def _wrapped(self, rows: Array) -> Any:
        """As set_output, or scikit-learn's own setting, wants it."""
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform")
        if chosen is None and "sklearn" in sys.modules:
            chosen = sys.modules["sklearn"].get_config().get("transform_output", "default")
        if chosen != "pandas":
            return rows
        import pandas
        return pandas.DataFrame(rows, columns=self.get_feature_names_out())

    def fit_transform(self, X: Any, y: Any = None, **_fit_params: Any) -> Any:
        """fit, then transform."""
        return self.fit(X, y).transform(X)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the columns."""
        names = self.query_.columns
        return np.array(names + [f"type{i}" for i in range(self.types)], dtype=object)

    def preview(self, order: int) -> Any:
        """Range and noise of each column for graphs of that many nodes, before any budget is spent."""
        self._fit_again()
        return self.query_.preview(order)


def _distributions(orders: Array, raw: Array) -> Array:
    """Degree distributions, and what they are for each node."""
    n = np.maximum(orders, 1).astype(float)[:, None]
    return np.hstack([n, raw[:, :-1], raw / n, raw.sum(axis=1, keepdims=True) / n])


@dataclass(frozen=True)
class _Drawn:
    """The release of all graphs, and what was made of its numbers."""

    values: Array
    release: Release

    @property
    def guarantee(self) -> Guarantee:
        return self.release.guarantee

    @property
    def text(self) -> str:
        return self.release.text

    def epsilon(self, delta: float = 0.0) -> float:
        return self.release.epsilon(delta)


class DegreeEmbedding(PrivateEmbedding):
    """Graphs in, private degree distributions out: pure epsilon, no degree bound.

    How many nodes have degree >= 1 .. levels, how far the `ranks` largest degrees exceed that, the sum of
    the others, each also over the number of nodes, which is public and a column as well. One edge
    moves two of these numbers by one, so that the noise does not grow with their number. For graphs of hundreds of
    nodes (REDDIT-BINARY: +0.16 AUC at epsilon 1); with 18 to 39 nodes it was behind
    the number of edges alone on six of seven sets.

    Parameters
    ----------
    levels, ranks : int
        See above; both are public.
    epsilon : float
        Of every graph; pure.
    types, session, ledger, sticky, threads, insecure_seed, progress
        As for PrivateEmbedding.

    Attributes
    ----------
    query_, release_, guarantee_
        As for PrivateEmbedding.

    Examples
    --------
    >>> import privgraph as pg
    >>> session = pg.Session([pg.Graph.cycle(30), pg.Graph.path(40)], object="shapes", epsilon=1)
    >>> pg.DegreeEmbedding(epsilon=1, session=session).fit_transform(session.graphs).shape
    (2, 19)
    """

    def __init__(self, *, levels: int = 4, ranks: int = 4, epsilon: float = 1.0, types: int = 0,
                 session: Optional[HasLedger] = None,
                 ledger: Union[None, Ledger, str, "os.PathLike[str]"] = None, sticky: bool = True,
                 threads: int = 0, insecure_seed: Optional[int] = None,
                 progress: Optional[Progress] = None) -> None:
        super().__init__(epsilon=epsilon, delta=0.0, types=types, session=session, ledger=ledger, sticky=sticky, threads=threads,
                         insecure_seed=insecure_seed, progress=progress)
        self.levels = levels
        self.ranks = ranks

    def __setstate__(self, state: Dict[str, Any]) -> None:
        super().__setstate__(state)
        if "n_features_out_" in state:
            self.fit()

    def fit(self, X: Any = None, y: Any = None) -> "DegreeEmbedding":
        """Calibrates the noise. X and y are not looked at."""
        self.query_ = Query("degrees", levels=self.levels, ranks=self.ranks,
                            target=Target(self.epsilon, allow_seeded=self.insecure_seed is not None))
        self._fitted()
        return self

    def _draw(self, held: Union[Graph, GraphSet], objects: Any, book: Optional[Ledger]) -> Any:
        several = GraphSet.from_graphs([held]) if isinstance(held, Graph) else held
        made = self.query_.draw(several, object=objects, rng=self._seeded, ledger=book, threads=self.threads,
                                progress=self.progress)
        self.release_: Any = _Drawn(_distributions(np.asarray(several.orders), made.values), made)
        self.guarantee_ = made.guarantee
        return self.release_

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Names of the columns."""
        own = self.query_.columns
        names = ["order", *own[:-1], *(name + "/n" for name in own), "ends/n"]
        return np.array(names + [f"type{i}" for i in range(self.types)], dtype=object)

    def shrunk(self, rows: Any, among: Any = None) -> Array:
        """Rows of transform with each count pulled towards what the number of nodes explains of it, by how much of
        the rest is noise: the posterior mean for noise of known deviation and a normal prior, which is fitted to
        the rows `among` (default: rows). Spends nothing. It lifts nearest neighbours at small epsilon."""
        self._fit_again()
        held = np.asarray(rows, dtype=float)
        given = held if among is None else np.asarray(among, dtype=float)
        noise = self.query_.deviations()[0] ** 2
        count = len(self.query_.columns)
        raw = held[:, count:2 * count] * held[:, :1]
        fitted = given[:, count:2 * count] * given[:, :1]
        for k in range(count):
            line = np.linalg.lstsq(np.vander(given[:, 0], 2), fitted[:, k], rcond=None)[0]
            true = max(float(np.var(fitted[:, k] - np.vander(given[:, 0], 2) @ line)) - noise, 0.0)
            expected = np.vander(held[:, 0], 2) @ line
            raw[:, k] = expected + true / (true + noise) * (raw[:, k] - expected)
        made = _distributions(held[:, 0], raw)
        return np.hstack([made, held[:, made.shape[1]:]])
