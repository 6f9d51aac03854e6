"""One query about very many graphs, drawn by the workers of Dask or joblib.

    import privgraph as pg, privgraph.distributed as pgd
    parts = [pgd.Part(pg.read_graphset, path, orders=[20] * 1000) for path in paths]     # public: how many nodes each has
    made = pgd.draw("embed patterns=edge,path3 max-degree=4 epsilon=1", parts, object="molecules", ledger=ledger, client=client)

The ledger stays here and pays for all graphs before a part is sent. Each worker draws with a secure generator of its own,
without a ledger, about objects that are named here: graph i of all is "molecules:i". What comes back first is kept and
becomes one release with one record; what a worker that was asked again drew beside it is dropped unseen. Workers write no
results; an engine that keeps them (on disk, in logs, for other clients) is part of the curator, as its network is.

Neither Dask nor joblib is needed before a client is given.
"""
import warnings
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from ._native import Array, lib, pointer, taken
from .embedding import PrivateEmbedding
from .errors import ArgumentError, PrivGraphError, UndeclaredError, UnbudgetedWarning
from .graph import GraphSet, as_graphset, levels_to_caller, warn_of_snapshots
from .guarantee import Guarantee
from .ledger import Payer, ledger_of, payer_of, paying
from .query import Query, listed
from .release import Release, file_of, from_file

__all__ = ["Part", "draw", "embed"]


class Part:
    """Graphs that a worker gets by itself: load(*arguments) gives them there, a GraphSet or a list. load is a function
    that the worker can import. orders: how many nodes each graph has, public, in this order."""

    def __init__(self, load: Callable[..., Any], *arguments: Any, orders: Union[Sequence[int], Array]) -> None:
        if not callable(load):
            raise ArgumentError(f"load is a {type(load).__name__}, no function")
        self.load, self.arguments = load, arguments
        self.orders = taken(orders, np.int64, "orders").reshape(-1)

    def graphs(self) -> GraphSet:
        return as_graphset(self.load(*self.arguments))


def _same(graphs: GraphSet) -> GraphSet:
    return graphs


def _as_part(given: Any, place: int) -> Part:
    if isinstance(given, Part):
        part = given
    elif isinstance(given, (GraphSet, list)):
        graphs = as_graphset(given)
        if not graphs.order_declared:
            raise UndeclaredError(f"parts[{place}]: the nodes, or their numbers, were read off the private edges")
        part = Part(_same, graphs, orders=graphs.orders)
    else:
        raise ArgumentError(f"parts[{place}] is a {type(given).__name__}, not a Part, a GraphSet or a list of graphs")
    if len(part.orders) == 0:
        raise ArgumentError(f"parts[{place}] has no graphs")
    return part


# --- in the worker ---------------------------------------------------------------------

def _draw_part(words: str, arrays: Dict[str, Any], part: Part, numbers: Array, threads: int) -> Tuple[bool, Any]:
    """(True, the file of a release) or (False, an error that another attempt would meet as well)."""
    try:
        graphs = part.graphs()
        if not graphs.order_declared:
            raise UndeclaredError("the nodes, or their numbers, were read off the private edges")
        if not np.array_equal(np.asarray(graphs.orders), part.orders):
            raise ArgumentError("the graphs that were loaded have other orders than the part says")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # who pays, and what can be seen, is known to the client
            made = Query.parse(words, **arrays).draw(graphs, object=[int(number) for number in numbers], threads=threads)
        return True, file_of(made)
    except (PrivGraphError, OSError, ValueError, TypeError) as error:
        return False, (type(error), str(error))


# --- engines ---------------------------------------------------------------------------

class _Lost(Exception):
    """A worker or its answer is gone; asking again may help."""


def _by_client(client: Any, tasks: Dict[int, Tuple[Any, ...]]) -> Dict[int, Any]:
    """Dask: each task a future of its own, whose first answer is taken once."""
    futures = {place: client.submit(_draw_part, *task, pure=False, retries=0) for place, task in tasks.items()}
    done: Dict[int, Any] = {}
    lost: Optional[BaseException] = None
    try:
        for place, future in futures.items():
            try:
                done[place] = future.result()
            except Exception as error:  # the engine's: ours come as answers
                lost = error
            if place in done and not done[place][0]:
                return done
    finally:
        client.cancel(list(futures.values()))
    if lost is not None and not done:
        raise _Lost(str(lost) or type(lost).__name__) from lost
    return done


def _by_joblib(parallel: Any, tasks: Dict[int, Tuple[Any, ...]]) -> Dict[int, Any]:
    """joblib answers all or nothing."""
    import joblib
    try:
        return dict(zip(tasks, parallel(joblib.delayed(_draw_part)(*task) for task in tasks.values())))
    except Exception as error:
        raise _Lost(str(error) or type(error).__name__) from error


def _engine_of(client: Any) -> Callable[[Any, Dict[int, Tuple[Any, ...]]], Dict[int, Any]]:
    if hasattr(client, "submit") and hasattr(client, "cancel"):
        return _by_client
    if type(client).__module__.split(".")[0] == "joblib" and callable(client):
        return _by_joblib
    raise ArgumentError(f"client is a {type(client).__name__}, not a dask.distributed.Client or a joblib.Parallel")


# --- here ------------------------------------------------------------------------------

def _numbers(object: str, count: int) -> Array:
    """NAME:0, NAME:1, ... as a ledger knows them."""
    told = lib.pvg_ledger_object
    return np.fromiter((told(b"%s:%d" % (name, i)) for name in [object.encode("utf-8")] for i in range(count)), np.uint64, count)


def _pay(query: Query, orders: Array, object: str, numbers: Array, ledger: Payer) -> Guarantee:
    with ledger_of(ledger) as book, paying(book, None if book is None else [f"{object}:{len(numbers) - 1}"]) as held:
        return Guarantee._make("pvg_release_pay", query._pointer, pointer(orders), pointer(numbers), len(orders), held)


def _collect(client: Any, attempts: int, tasks: Dict[int, Tuple[Any, ...]]) -> List[Release]:
    """The first answer to each task. A task that was lost is asked again: nobody saw what it drew."""
    run, left = _engine_of(client), dict(tasks)
    kept: Dict[int, Release] = {}
    for attempt in range(1, attempts + 1):
        try:
            answers = run(client, left)
        except _Lost as lost:
            if attempt == attempts:
                raise PrivGraphError(f"{len(left)} of {len(tasks)} parts were lost {attempts} times, the last time: {lost}. "
                                     "What was charged stays") from lost
            continue
        for place, (well, answer) in answers.items():
            if not well:
                kind, words = answer
                raise kind(f"parts[{place}]: {words}")
            kept.setdefault(place, from_file(Release, answer))
            left.pop(place, None)
        if not left:
            break
    if left:
        raise PrivGraphError(f"{len(left)} of {len(tasks)} parts were lost {attempts} times. What was charged stays")
    return [kept[place] for place in range(len(tasks))]


def draw(query: Union[str, Query], parts: Sequence[Any], *, object: str, client: Any, ledger: Payer = None,
         attempts: int = 3, threads: int = 1, **arrays: Any) -> Release:
    """Answers a query about the graphs of all parts, one row for each: a release as `query.draw(all of them)` would give.

    query: text or a Query; its arrays (patterns, groups, ...) are given again as `arrays`. parts: Part, or sets of graphs,
    which then travel. object: a name; graph i, counted through all parts, is NAME:i. client: a dask.distributed.Client
    or a joblib.Parallel. attempts: how often a part is asked for; no attempt is charged again. threads: of each task."""
    held = query if isinstance(query, Query) else Query.parse(query, **arrays)
    _engine_of(client)
    if not isinstance(object, str) or not object:
        raise ArgumentError("object is the name of the set: graph i is NAME:i")
    if attempts < 1:
        raise ArgumentError(f"attempts is {attempts}, less than 1")
    several = [_as_part(given, place) for place, given in enumerate(parts)]
    if not several:
        raise ArgumentError("there are no parts")
    Query.parse(held.text, **arrays)  # in workers it must be the same question
    orders = np.concatenate([part.orders for part in several])
    numbers = _numbers(object, len(orders))
    if ledger is None:
        warnings.warn("released without a budget: nobody refuses the release that is one too many", UnbudgetedWarning,
                      stacklevel=levels_to_caller())
    else:
        warn_of_snapshots(object)
    paid = _pay(held, orders, object, numbers, ledger)
    ends = np.cumsum([0] + [len(part.orders) for part in several])
    tasks: Dict[int, Tuple[Any, ...]] = {
        place: (held.text, arrays, part, numbers[ends[place]:ends[place + 1]], threads)
        for place, part in enumerate(several)}
    releases = _collect(client, attempts, tasks)
    made = Release._make("pvg_release_stack", paid._pointer, listed(releases), len(releases))
    made._orders = orders
    return made


def embed(parts: Sequence[Any], embedding: PrivateEmbedding, *, object: str, client: Any, ledger: Payer = None,
          attempts: int = 3, threads: int = 1) -> Release:
    """The same for a PrivateEmbedding."""
    if embedding.insecure_seed is not None:
        raise ArgumentError("the embedding has an insecure_seed; each worker has a secure generator of its own")
    embedding._fit_again()
    weights = {} if embedding.weights is None else {"weights": embedding.weights}
    return draw(embedding.query_, parts, object=object, client=client,
                ledger=payer_of(embedding) if ledger is None else ledger, attempts=attempts, threads=threads,
                patterns=embedding.patterns_, **weights)
