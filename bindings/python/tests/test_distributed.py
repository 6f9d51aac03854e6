"""One query about the graphs of many parts, drawn by Dask and joblib: paid once, one record, and what is drawn twice is
used once."""
import json
import os
import signal
import warnings

import numpy as np
import pytest

import privgraph as pg
import privgraph.distributed as pgd

try:
    import joblib
except ImportError:
    joblib = None
try:
    import distributed as dask_distributed
except ImportError:
    dask_distributed = None

needs_joblib = pytest.mark.skipif(joblib is None, reason="joblib is not there (Debian: python3-joblib)")
needs_dask = pytest.mark.skipif(dask_distributed is None, reason="Dask is not there (Debian: python3-distributed)")
QUESTION = "embed patterns=edge,path3,star3 max-degree=9 noise=laplace epsilon=1"


def graphs_of(place, count=5):
    """Some graphs of different orders: what a worker reads from files."""
    rng = np.random.default_rng(place)
    made = []
    for i in range(count):
        order = 8 + (3 * place + i) % 5
        edges = {(min(a, b), max(a, b)) for a, b in rng.integers(0, order, (14, 2)) if a != b}
        made.append(pg.Graph.from_edges(sorted(edges), order=order))
    return pg.GraphSet.from_graphs(made)


def dies_once(place, marker):
    """The first worker that loads it is killed."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return graphs_of(place)
    os.kill(os.getpid(), signal.SIGKILL)


def dies(_place):
    os.kill(os.getpid(), signal.SIGKILL)


def parts_of(count):
    return [pgd.Part(graphs_of, place, orders=graphs_of(place).orders) for place in range(count)]


def whole_of(count):
    return pg.GraphSet.from_graphs([graph for place in range(count) for graph in graphs_of(place)])


def ledger_of(epsilon):
    return pg.Ledger(epsilon, 0.0, method="basic")


class Answer:
    def __init__(self, answer):
        self.answer = answer

    def result(self):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Client:
    """In this process; tells what was drawn, and loses what it is told to lose, after it was drawn."""

    def __init__(self, lose=(), twice=()):
        self.lose, self.twice, self.drawn, self.tasks = list(lose), twice, [], []

    def submit(self, function, *task, pure, retries):
        assert not pure and retries == 0
        place = len(self.tasks)
        self.tasks.append(task)
        answer = function(*task)
        self.drawn.append(answer)
        if place in self.twice:  # an engine that runs a task again
            self.drawn.append(function(*task))
        return Answer(OSError("worker lost") if place in self.lose else answer)

    def cancel(self, futures):
        pass


def plain(release):
    """The record without what is different for every draw."""
    return {key: value for key, value in release.record.items() if key not in ("draw", "digest", "day", "id")}


@pytest.mark.parametrize("question", [QUESTION, "degrees levels=3 ranks=4 epsilon=1", "scalars list=edges epsilon=1"])
def test_the_record_is_that_of_one_draw(question, tmp_path):
    one, several = ledger_of(3), ledger_of(3)
    whole = whole_of(4)
    want = pg.Query.parse(question).draw(whole, object="m", ledger=one)
    made = pgd.draw(question, parts_of(4), object="m", ledger=several, client=Client())
    assert made.values.shape == want.values.shape
    a, b = plain(made), plain(want)
    assert a == b, [key for key in set(a) | set(b) if a.get(key) != b.get(key)]
    assert several.spent("m:7") == one.spent("m:7") and several.charges == one.charges
    assert several.names() == one.names()
    assert made.verify(made.values) and made.publishable
    path = str(tmp_path / "made.pvg")
    made.save(path)
    assert plain(pg.Release.load(path)) == a
    for i in (0, 19):
        assert made.guarantee.about("edge", f"m:{i}").epsilon() == want.guarantee.about("edge", f"m:{i}").epsilon()


def test_rows_are_those_of_their_objects():
    question = "scalars list=edges,components epsilon=100000"
    made = pgd.draw(question, parts_of(5), object="m", ledger=ledger_of(1e6), client=Client())
    exact = pg.Query.parse(question).values_exact(whole_of(5))
    assert np.array_equal(made.values, np.asarray(exact).reshape(made.values.shape))


def test_a_lost_part_is_asked_again_and_nothing_is_drawn_twice_for_the_caller():
    ledger, client = ledger_of(1), Client(lose=(1, 4), twice=(0, 2))
    made = pgd.draw(QUESTION, parts_of(4), object="m", ledger=ledger, client=client)
    assert ledger.charges == 1 and len(client.drawn) == 8  # 4, two of them twice, then 1 that is lost again, then 1
    rows = [np.asarray(pgd.from_file(pg.Release, answer).values) for well, answer in client.drawn]
    assert np.array_equal(made.values, np.vstack([rows[0], rows[7], rows[3], rows[5]]))
    with pytest.raises(pg.BudgetError):
        pgd.draw(QUESTION, parts_of(4), object="m", ledger=ledger, client=client)
    assert len(client.drawn) == 8, "drawn without a budget"


def test_what_stays_lost_is_told_and_stays_charged():
    ledger = ledger_of(1)
    with pytest.raises(pg.PrivGraphError, match="1 of 2 parts were lost 2 times"):
        pgd.draw(QUESTION, parts_of(2), object="m", ledger=ledger, client=Client(lose=(1, 2)), attempts=2)
    assert ledger.charges == 1


def test_bad_parts_are_told():
    parts = parts_of(2)
    with pytest.raises(pg.ArgumentError, match=r"parts\[1\]: the graphs that were loaded have other orders"):
        pgd.draw(QUESTION, [parts[0], pgd.Part(graphs_of, 1, orders=[3] * 5)], object="m", ledger=ledger_of(1), client=Client())
    with pytest.raises(pg.ArgumentError, match="no graphs"):
        pgd.draw(QUESTION, [pgd.Part(graphs_of, 1, orders=[])], object="m", ledger=ledger_of(1), client=Client())
    with pytest.raises(pg.ArgumentError, match="client is a int"):
        pgd.draw(QUESTION, parts, object="m", ledger=ledger_of(1), client=3)
    with pytest.raises(pg.ArgumentError, match="row of numbers"):
        pgd.draw("response epsilon=1", parts, object="m", ledger=ledger_of(1), client=Client())
    with pytest.raises(pg.UndeclaredError):
        pgd.draw(QUESTION, [[pg.Graph.from_csr([0, 1, 2], [1, 0], declared=False)]], object="m", client=Client())
    with pytest.warns(pg.UnbudgetedWarning):
        made = pgd.draw(QUESTION, parts, object="m", client=Client())
    assert "paid" not in made.record or not made.record["paid"]


def test_draws_that_were_not_paid_for_are_refused():
    """Other objects, the same ones twice, another query, fewer parts, other promises."""
    query, parts = pg.Query.parse(QUESTION), parts_of(3)
    orders = np.concatenate([part.orders for part in parts])
    numbers = pgd._numbers("m", len(orders))
    paid = pgd._pay(query, orders, "m", numbers, ledger_of(9))

    def drawn(place, first, question=QUESTION):
        return pg.Query.parse(question).draw(graphs_of(place), object=numbers[first:first + 5])

    def stack(*releases):
        held = pgd.listed(list(releases))
        return pg.Release._make("pvg_release_stack", paid._pointer, held, len(releases))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first, second, third = drawn(0, 0), drawn(1, 5), drawn(2, 10)
        for others, words in (((second, first, third), "not about the objects"), ((first, first, third), "not about the objects"),
                              ((first, second), "about 10 objects, 15 were paid"),
                              ((first, second, third, third), "not about the objects"),
                              ((first, drawn(1, 5, QUESTION.replace("epsilon=1", "epsilon=2")), third), "another query"),
                              ((first, pg.Query.parse(QUESTION).draw(graphs_of(1)), third), "not about the objects"),
                              ((first, pg.Query.parse(QUESTION).draw(graphs_of(1), object=numbers[5:10], ledger=ledger_of(1)), third),
                               "was paid for already")):
            with pytest.raises(pg.PrivGraphError, match=words):
                stack(*others)
        assert stack(first, second, third).shape == (15, 3)
        with pytest.raises(pg.ArgumentError, match="paid is not what"):  # one payment, one release
            stack(first, second, third)
    with pytest.raises(pg.ArgumentError, match="two of the objects"):
        pgd._pay(query, orders[:2], "m", numbers[[0, 0]], None)


def test_embeddings():
    embedding = pg.PrivateEmbedding("trees", n_patterns=4, pattern_seed=3, epsilon=1, delta=1e-6, max_degree=6)
    made = pgd.embed(parts_of(2), embedding, object="m", ledger=pg.Ledger(1), client=Client())
    assert made.shape == (10, len(embedding.patterns_))
    seeded = pg.PrivateEmbedding("edge", epsilon=1, insecure_seed=1)
    with pytest.raises(pg.ArgumentError, match="insecure_seed"):
        pgd.embed(parts_of(1), seeded, object="m", client=Client())


# --- engines ---------------------------------------------------------------------------

@needs_joblib
def test_joblib(tmp_path):
    ledger = ledger_of(2)
    client = joblib.Parallel(n_jobs=2)
    made = pgd.draw(QUESTION, parts_of(3), object="m", ledger=ledger, client=client)
    assert made.shape == (15, 3) and ledger.charges == 1
    parts = parts_of(3)
    parts[1] = pgd.Part(dies_once, 1, str(tmp_path / "marker"), orders=parts[1].orders)
    made = pgd.draw(QUESTION, parts, object="m", ledger=ledger, client=client)
    assert made.shape == (15, 3) and ledger.charges == 2 and os.path.exists(tmp_path / "marker")


@needs_dask
def test_dask(tmp_path):
    import dask
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), \
            dask_distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            dask_distributed.Client(cluster) as client:
        ledger = ledger_of(2)
        made = pgd.draw(QUESTION, parts_of(4), object="m", ledger=ledger, client=client)
        assert made.shape == (20, 3) and ledger.charges == 1
        whole = pgd.draw(QUESTION, [graphs_of(0), graphs_of(1)], object="other", ledger=ledger, client=client)  # they travel
        assert whole.shape == (10, 3)
        parts = parts_of(4)
        parts[2] = pgd.Part(dies_once, 2, str(tmp_path / "marker"), orders=parts[2].orders)
        made = pgd.draw(QUESTION, parts, object="m", ledger=ledger, client=client)
        assert made.shape == (20, 3) and os.path.exists(tmp_path / "marker")
        assert json.loads(json.dumps(made.record))["objects"] == 20
        with pytest.raises(pg.BudgetError):
            pgd.draw(QUESTION, parts, object="m", ledger=ledger, client=client)
