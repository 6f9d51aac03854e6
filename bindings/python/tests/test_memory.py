"""The same graph under the same settings gets the same row: within a process, in searches, in
processes that joblib starts. Graphs are known by who they are, never by what they contain."""
import copy
import pickle
import warnings

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import privgraph as pg
from privgraph.memory import MEMORY


@pytest.fixture(autouse=True)
def fresh():
    pg.forget_releases()
    yield
    pg.forget_releases()


def embedding(**options):
    return pg.PrivateEmbedding("edge,path3", **options)


def data(count=20):
    graphs = [pg.Graph.erdos_renyi(20, 0.2 + 0.5 * (i % 2), seed=i) for i in range(count)]
    return pg.GraphSet.from_graphs(graphs), np.arange(count) % 2


def test_the_same_graph_gets_the_same_row():
    graph, other = pg.Graph.cycle(30), pg.Graph.cycle(30)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pg.UnbudgetedWarning)
        row = embedding().fit_transform(graph)
        for same in (graph, copy.copy(graph), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)),
                     pg.GraphSet.from_graphs([graph]), [graph], pg.GraphSet.from_graphs([other, graph])[1:]):
            assert (embedding().fit_transform(same) == row).all()
        assert (clone(embedding()).fit_transform([graph, graph]) == np.vstack([row, row])).all()
        # never by content: equal graphs are two graphs
        assert (embedding().fit_transform(other) != row).all()
        assert (embedding().fit_transform(pg.Graph.cycle(30)) != row).all()
    assert len(MEMORY.spent) == 3


def test_an_object_of_a_ledger_is_who_it_is_whatever_it_holds():
    with pg.Ledger(1.0, 1e-5) as book:
        first, second = pg.Graph.cycle(30), pg.Graph.path(30)
        first.object = second.object = pg.object_number("friends")
        row = embedding(ledger=book).fit_transform(first)
        assert (embedding(ledger=book).fit_transform(second) == row).all() and book.charges == 1
        with pytest.raises(pg.PrivacyError):
            embedding(ledger=book).release(second)  # a new draw is charged
    told = pg.tell_nodes(nx.path_graph(9))
    assert (embedding().fit_transform(told) == embedding().fit_transform(told)).all()
    assert (embedding().fit_transform(told) != embedding().fit_transform(pg.tell_nodes(told.copy()))).all()


def test_new_draws_and_other_settings_are_counted_aloud():
    graph = pg.Graph.cycle(30)
    first = embedding(epsilon=1).fit_transform(graph)
    with pytest.warns(pg.RepeatedReleaseWarning, match="2 times.*epsilon 3 at delta 2e-06"):
        embedding(epsilon=2).fit_transform(graph)
    with pytest.warns(pg.RepeatedReleaseWarning, match="3 times.*epsilon 4") as seen:
        again = embedding(epsilon=1).release(graph).values
    assert seen[0].filename == __file__
    assert (again != first).all() and (embedding(epsilon=1).fit_transform(graph) == first).all()
    with pytest.warns(pg.RepeatedReleaseWarning):
        assert (embedding(epsilon=1, sticky=False).fit_transform(graph) != first).all()
    assert len(MEMORY.spent[f"graph {graph.identity}"]) == 4


def test_a_search_draws_each_graph_once_per_setting():
    graphs, labels = data()
    model = make_pipeline(embedding(), LogisticRegression())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pg.RepeatedReleaseWarning)
        GridSearchCV(model, {"privateembedding__epsilon": [1, 4]}, cv=5).fit(graphs, labels)
    assert {len(costs) for costs in MEMORY.spent.values()} == {2} and len(MEMORY.spent) == 20


def test_processes_share_what_was_released(tmp_path):
    graphs, labels = data()
    path = tmp_path / "l"
    pg.Ledger.create(path, 1.0, 1e-5).close()
    graphs = graphs.with_objects([f"net {chr(97 + i)}" for i in range(20)])
    model = make_pipeline(embedding(ledger=str(path)), LogisticRegression())
    scores = cross_val_score(model, graphs, labels, cv=5, n_jobs=2)
    assert np.isfinite(scores).all()
    with pg.Ledger.open(path) as book:  # one release of each, although ten worlds asked for them
        assert {book.curve(number)[1] for number in book.objects} == {1} and len(book.objects) == 20
    assert np.isfinite(embedding(ledger=str(path)).fit_transform(graphs)).all()
    with pg.Ledger.open(path) as book:
        assert {book.curve(number)[1] for number in book.objects} == {1}


@pytest.mark.parametrize("jobs", [None, 2])
def test_a_spent_budget_is_an_error_and_not_nan(tmp_path, jobs):
    graphs, labels = data()
    path = tmp_path / "l"
    pg.Ledger.create(path, 0.5, 1e-5).close()
    graphs = graphs.with_objects([f"net {chr(97 + i)}" for i in range(20)])
    model = make_pipeline(embedding(epsilon=1, ledger=str(path)), LogisticRegression())
    with pytest.raises(pg.SearchStopped, match="budget"):
        cross_val_score(model, graphs, labels, cv=5, n_jobs=jobs)
    with pytest.raises(pg.PrivacyError):
        cross_val_score(model, graphs, labels, cv=5, error_score="raise")
    with pytest.raises(pg.PrivacyError):
        model.fit(graphs, labels)


def test_seeded_noise_is_not_remembered():
    graph = pg.Graph.cycle(9)
    seeded = embedding(insecure_seed=1).fit()
    assert (seeded.transform(graph) != seeded.transform(graph)).all() and not MEMORY.spent
