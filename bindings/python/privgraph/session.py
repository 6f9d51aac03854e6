"""A session: private data and the one budget that everything released about them is paid from."""
import contextlib
import hashlib
import os
import threading
from html import escape
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ._native import Progress
from .errors import ArgumentError
from .graph import Graph, GraphSet, as_graph, as_graphset
from .ledger import HasLedger, Ledger, ledger_of, object_numbers
from .mechanism import Curve, CurveTerm
from .query import Composition, Query, _Asked
from .release import Release
from .rng import Rng

__all__ = ["Session"]

_DELTA = 1e-6


def _agreed(book: Ledger, where: str, epsilon: Optional[float], delta: Optional[float], notion: Optional[str]) -> None:
    """A budget that is there does not change because somebody says another number."""
    known = book.config
    for name, given in (("epsilon", epsilon), ("delta", delta), ("notion", notion)):
        if given is not None and known[name] != given:
            raise ArgumentError(f"{name} is {given}, but {where} was made with {name} {known[name]}: a budget stays as"
                                " it is")


class Session(HasLedger):
    """A private graph, or a set of them, and its budget. Whatever is released through it is charged first, and refused
    when the budget does not allow it.

    Parameters
    ----------
    data : graph, set of graphs, or None
        Anything that `as_graph` takes; a GraphSet or a list is a set, where each graph is a private object with the
        whole budget.
    object : str
        The public name of the network: all that is ever released about an edge is charged to one name. Graph i of a
        set is NAME:i. By default the name that the graph carries.
    epsilon, delta : float
        The budget. Not needed where the ledger is there already; then it must agree.
    ledger : path or Ledger, optional
        A path keeps the budget in that file, which is made if it is missing and open during each release only, and
        what was drawn in a folder beside it: a session with the same path goes on where the last one stopped. Without,
        the budget ends with the session.
    notion : str
        What is hidden, "edge" by default.

    Examples
    --------
    >>> import privgraph as pg
    >>> graph = pg.Graph.erdos_renyi(1000, 0.01, seed=1)
    >>> with pg.Session(graph, object="friends", epsilon=2) as session:
    ...     edges, triangles = session.plan(pg.Query("scalars", list="edges", epsilon=0.5),
    ...                                     pg.Query("triangles", epsilon=1))
    ...     again = session.release("triangles", epsilon=1)   # the same draw: nothing is spent
    ...     print(again is triangles, round(session.spent, 3), round(session.left, 3))
    True 1.5 0.5
    """

    def __init__(self, data: Any = None, *, object: Optional[str] = None,  # pylint: disable=redefined-builtin
                 epsilon: Optional[float] = None, delta: Optional[float] = None,
                 ledger: Union[None, Ledger, str, "os.PathLike[str]"] = None, notion: Optional[str] = None) -> None:
        several = isinstance(data, (GraphSet, list))
        held: Union[None, Graph, GraphSet] = \
            None if data is None else as_graphset(data) if several else as_graph(data)
        self._names = self._named(held, object)
        self.name = object if object is not None else None
        if isinstance(held, GraphSet):
            held = held.with_objects(self._names)
        elif held is not None:
            held = held.with_object(int(object_numbers(self._names)[0]))
        self._data = held
        self._lock, self._closed = threading.RLock(), False
        self._draws: Dict[str, Tuple[Release, int]] = {}  # and charges when it was paid
        self._path: Optional[str] = None
        self._book: Optional[Ledger] = None
        self._open(epsilon, delta, ledger, notion, object)

    @staticmethod
    def _named(held: Any, name: Optional[str]) -> Any:
        if name is None:
            carried = getattr(held, "objects" if isinstance(held, GraphSet) else "object", None)
            if carried is None:
                raise ArgumentError('object is missing: the public name of the network, as object="friends"')
            return carried if isinstance(held, GraphSet) else [carried]
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"object is {name!r}, not a name")
        return [f"{name}:{i}" for i in range(len(held))] if isinstance(held, GraphSet) else [name]

    def _open(self, epsilon: Optional[float], delta: Optional[float], ledger: Any, notion: Optional[str],
              name: Optional[str]) -> None:
        if isinstance(ledger, Ledger):
            _agreed(ledger, "the ledger", epsilon, delta, notion)
            self._book = ledger
            return
        if ledger is not None and not isinstance(ledger, (str, os.PathLike)):
            raise ArgumentError(f"ledger is a {type(ledger).__name__}, not a Ledger or the path of one")
        if ledger is not None and os.path.exists(ledger):
            self._path = os.path.abspath(ledger)
            with ledger_of(self._path) as book:
                assert book is not None
                _agreed(book, os.fspath(ledger), epsilon, delta, notion)
            return
        if epsilon is None:
            raise ArgumentError("epsilon is missing: the budget of the session" if ledger is None else
                                f"epsilon is missing: {os.fspath(ledger)} is not there yet and needs a budget")
        budget = (epsilon, _DELTA if delta is None else delta)
        kind: Dict[str, Any] = {"notion": notion or "edge"}
        if name is not None:  # another name would be a fresh budget
            kind["objects"] = {name: len(self._names)}
        if ledger is None:
            self._book = Ledger(*budget, **kind)
        else:
            path = self._path = os.path.abspath(ledger)
            Ledger.create(path, *budget, **kind).close()

    # --- the budget ---

    @contextlib.contextmanager
    def _ledger_for_a_release(self) -> Iterator[Ledger]:
        if self._closed:
            raise ArgumentError("the session is closed")
        with ledger_of(self._path if self._book is None else self._book) as book:
            assert book is not None
            yield book

    @property
    def objects(self) -> Any:
        """Names or numbers of the objects that it is about."""
        return self._names

    @property
    def graph(self) -> Graph:
        """The private graph, which carries the session's name."""
        if not isinstance(self._data, Graph):
            raise ArgumentError("the session is not about one graph")
        return self._data

    @property
    def graphs(self) -> GraphSet:
        """The private graphs of a set, which carry their names."""
        if not isinstance(self._data, GraphSet):
            raise ArgumentError("the session is not about a set of graphs")
        return self._data

    def _numbers(self) -> List[int]:
        return [int(number) for number in object_numbers(self._names)]

    @property
    def budget(self) -> Tuple[float, float]:
        """(epsilon, delta)."""
        with self._ledger_for_a_release() as book:
            known = book.config
        return known["epsilon"], known["delta"]

    @property
    def spent(self) -> float:
        """An epsilon that holds for all that was charged so far, at the session's delta; of a set, of the graph with
        the most."""
        with self._ledger_for_a_release() as book:
            return self._spent(book)

    def _spent(self, book: Ledger) -> float:
        charged = set(book.objects)
        return max((book.spent(one) for one in self._numbers() if one in charged), default=0.0)

    def _left(self, book: Ledger, term: CurveTerm) -> float:
        charged = set(book.objects)
        own = self._numbers()
        asked = [one for one in own if one in charged] or own[:1]
        return min(book.remaining(one, term) for one in asked)

    @property
    def left(self) -> float:
        """The largest epsilon of one more pure release (delta 0) that is still paid for."""
        with self._ledger_for_a_release() as book:
            return self._left(book, CurveTerm("pure"))

    @property
    def left_gaussian(self) -> float:
        """The largest epsilon, at the session's delta, of one more release with Gaussian noise that is still paid
        for. 0 where delta is 0."""
        with self._ledger_for_a_release() as book:
            delta = book.config["delta"]
            mu = self._left(book, CurveTerm("gdp")) if delta > 0 else 0.0
            return Curve.gdp(mu).epsilon(delta) if mu > 0 else 0.0

    def fits(self, *queries: Union[str, Query]) -> bool:
        """Whether the budget allows all of these together now. Costs nothing."""
        with self._ledger_for_a_release() as book, Composition() as all_of_them:
            new = [one for one in (self._query(query, {}) for query in queries)
                   if self._known(_Asked(one, self._data, None, None, (), ()), one, book) is None]
            for one in new:
                all_of_them.add(one, self._data, object=self._names, ledger=book)
            return not new or book.fits(self._names, all_of_them.guarantee(book.config["notion"]))

    # --- releasing ---

    def _query(self, query: Union[str, Query], options: Dict[str, Any]) -> Query:
        if isinstance(query, Query):
            if options:
                raise ArgumentError(f"{', '.join(options)}: options belong to the query that is given")
            return query
        text = " " in query.strip()
        try:
            return Query.parse(query, **options) if text else Query(query, **options)
        except ArgumentError as error:
            order = self._data.order if isinstance(self._data, Graph) and self._data.order_declared else None
            if order is None or "needs order" not in str(error) or "order" in options or "+" in query:
                raise
        # the number of nodes, which was declared: the same query as if it had been written there
        return Query.parse(f"{query} order={order}", **options) if text else Query(query, order=order, **options)

    @staticmethod
    def _key(asked: _Asked, query: Query) -> str:
        """All that a draw depends on but the session's graph, never what private data contain."""
        more = [one._id for one in (asked.features, asked.labels) if one is not None]
        behind = [one.guarantee.id for one in asked.sources]
        return f"{query.id:032x} {more} {asked.open} {behind}"

    def _file(self, book: Ledger, key: str) -> Optional[str]:
        """Where a draw is kept, of a session in a file; what hangs on data of this process has no place."""
        if self._path is None or not key.endswith(" [] 0 []"):
            return None
        own = hashlib.sha256(repr((key, f"{book.identity:x}", self._numbers())).encode()).hexdigest()[:40]
        return os.path.join(self._path + ".draws", own)

    def _charges(self, book: Ledger) -> int:
        return sum(book._charges_of(one) for one in self._numbers())

    def _known(self, asked: _Asked, query: Query, book: Ledger) -> Optional[Release]:
        """The draw of before. A ledger that has forgotten its charge (an older copy was put back) pays again."""
        key = self._key(asked, query)
        if key not in self._draws:
            place = self._file(book, key)
            if place is None or not os.path.exists(place):
                return None
            with open(place + ".charges", encoding="ascii") as file:
                self._draws[key] = query._described(Release.load(place), asked), int(file.read())
        made, count = self._draws[key]
        if self._charges(book) < count:
            book.charge(self._names, made.guarantee)
            self._keep(key, made, book)
        return made

    def _keep(self, key: str, made: Release, book: Ledger) -> None:
        if not made.guarantee.holds:  # of a seeded generator
            return
        count, place = self._charges(book), self._file(book, key)
        self._draws[key] = made, count
        if place is None:
            return
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        with open(place + ".charges", "w", encoding="ascii") as file:
            file.write(str(count))
        with contextlib.suppress(FileNotFoundError):
            os.unlink(place)
        made.save(place)

    def release(self, query: Union[str, Query], /, *, again: bool = False, features: Any = None, labels: Any = None,
                open: Union[str, Sequence[str]] = (),  # pylint: disable=redefined-builtin
                sources: Union[Release, Iterable[Release]] = (), rng: Optional[Rng] = None, threads: int = 0,
                progress: Optional[Progress] = None, scratch_limit: int = 0, **options: Any) -> Release:
        """Answers a query and charges it: a Query, its text, or its kind with options.

        The same query again gives **the same draw**, and spends nothing; `again=True` draws anew and spends again.
        features, labels, open, sources and the rest are those of `Query.draw`."""
        asked_for = self._query(query, options)
        asked = _Asked(asked_for, self._data, features, labels, open, sources)
        with self._lock, self._ledger_for_a_release() as book:
            found = None if again or rng is not None else self._known(asked, asked_for, book)
            if found is not None:
                return found
            made = asked_for.draw(self._data, features=asked.features, labels=asked.labels, open=open,
                                  object=self._names, ledger=book, rng=rng, sources=asked.sources, threads=threads,
                                  progress=progress, scratch_limit=scratch_limit)
            self._keep(self._key(asked, asked_for), made, book)
            return made

    def plan(self, *queries: Union[str, Query], threads: int = 0, progress: Optional[Progress] = None
             ) -> List[Release]:
        """Answers several queries that are paid for together before the first is drawn: PrivacyError, and nothing
        spent, if the budget does not allow them all. What was drawn before is not drawn again."""
        several = [self._query(query, {}) for query in queries]
        with self._lock, self._ledger_for_a_release() as book, Composition() as paid:
            asked = [_Asked(query, self._data, None, None, (), ()) for query in several]
            known = [self._known(one, query, book) for one, query in zip(asked, several)]
            places = {self._key(one, query): paid.add(query, self._data, object=self._names, ledger=book)
                      for one, query, found in {self._key(one, query): (one, query, found) for one, query, found
                                                in zip(asked, several, known)}.values() if found is None}
            if places:
                paid.pay()
            made = {key: paid.draw(place, threads=threads, progress=progress) for key, place in places.items()}
            for key, release in made.items():
                self._keep(key, release, book)
            return [made[self._key(one, query)] if found is None else found
                    for one, query, found in zip(asked, several, known)]

    def synthesize(self, epsilon: float, **options: Any) -> Tuple[Graph, Release]:
        """A synthetic graph and the release it was made from: `pg.synthesize`. The same settings again read the same
        draw, and spend nothing."""
        from .derive import synthesis_graph
        rng, threads = options.pop("rng", None), options.pop("threads", 0)
        query = Query("synthesis", order=self.graph.order, groups_of=options.pop("groups", None), epsilon=epsilon,
                      **options)
        made = self.release(query, threads=threads)
        return synthesis_graph(query, made, rng=rng, threads=threads)._named(self.graph._names), made

    def learn_nodes(self, labels: Any, epsilon: float, **options: Any) -> Any:
        """Classes of nodes: `pg.learn_nodes` of the session's graph."""
        from .learn import learn_nodes
        return learn_nodes(self.graph, labels, epsilon, ledger=self, **options)

    def classify(self, labels: Any, epsilon: float, **options: Any) -> Any:
        """Classes of nodes: `pg.classify` of the session's graph."""
        from .learn import classify
        return classify(self.graph, labels, epsilon, ledger=self, **options)

    # --- its end ---

    def close(self) -> None:
        """Nothing can be released afterwards. A budget in a file goes on with the next session."""
        self._closed = True

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_details: Any) -> None:
        self.close()

    def __copy__(self) -> "Session":
        return self  # a budget cannot be doubled

    def __deepcopy__(self, _memo: Any) -> "Session":
        return self

    def __reduce__(self) -> Any:
        if self._path is None:
            raise TypeError("a session in memory cannot go to another process: give it ledger=path")
        return _session_again, (self._path, self.name, [int(one) for one in self._numbers()])

    def _told(self) -> Tuple[str, float, float, float, float, float, int]:
        (epsilon, delta) = self.budget
        shown = self.name if self.name is not None else f"object {self._numbers()[0]}"
        return shown, epsilon, delta, self.spent, self.left, self.left_gaussian, len(self._draws)

    def __repr__(self) -> str:
        if self._closed:
            return f"<Session {self.name or ''}, closed>"
        if self._book is not None and self._book.foreign:
            return f"<Session {self.name or ''}, of another process>"
        name, epsilon, delta, spent, left, gaussian, draws = self._told()
        more = f" or {gaussian:.4g} with Gaussian noise" if delta > 0 else ""
        return (f"<Session {name}: spent {spent:.4g} of epsilon {epsilon:g} at delta {delta:g}; left {left:.4g} pure"
                f"{more}; {draws} draws>")

    def _repr_html_(self) -> str:
        """For notebooks: spent and left as a bar."""
        if self._closed:
            return f"<p>{escape(repr(self))}</p>"
        name, epsilon, delta, spent, left, gaussian, draws = self._told()
        share = min(max(spent / epsilon, 0.0), 1.0)
        more = f" (or {gaussian:.4g} with Gaussian noise)" if delta > 0 else ""
        return (f"<div><p><b>Session {escape(name)}</b>, {draws} draws</p>"
                f'<svg width="240" height="12" role="img" aria-label="{100 * share:.0f} percent spent">'
                f'<rect width="240" height="12" fill="none" stroke="currentColor"/>'
                f'<rect width="{240 * share:.1f}" height="12" fill="currentColor"/></svg>'
                f"<p>spent {spent:.4g} of epsilon {epsilon:g} at delta {delta:g}; left {left:.4g}{more}</p></div>")


def _session_again(path: str, name: Optional[str], numbers: List[int]) -> Session:
    """In another process: the budget, without the private data."""
    made = Session.__new__(Session)
    made.name, made._path, made._book, made._data = name, path, None, None
    made._names = numbers
    made._lock, made._closed, made._draws = threading.RLock(), False, {}
    return made
