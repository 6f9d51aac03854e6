"""A session: one budget for all that is released about its data."""
import copy
import doctest
import os
import pickle
import shutil
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

import privgraph as pg


@pytest.fixture(autouse=True)
def fresh():
    pg.forget_releases()
    with warnings.catch_warnings():
        warnings.simplefilter("error", pg.UnbudgetedWarning)
        warnings.simplefilter("ignore", pg.NothingVisibleWarning)
        yield
    pg.forget_releases()


def graph(order=60, seed=3):
    return pg.Graph.erdos_renyi(order, 0.2, seed=seed)


def session(data=None, **options):
    return pg.Session(graph() if data is None else data, **{"object": "friends", "epsilon": 2.0, **options})


@pytest.mark.parametrize("where", ["memory", "file"])
def test_spends_once_for_one_query_and_refuses_what_is_too_much(where, tmp_path):
    with session(ledger=None if where == "memory" else tmp_path / "book") as held:
        first = held.release("triangles", epsilon=1.0)
        assert held.release(pg.Query("triangles", epsilon=1.0)) is first
        assert held.spent == pytest.approx(1.0, abs=1e-4) and held.left == pytest.approx(1.0, abs=1e-4)
        assert 0 < held.left_gaussian < 1.0 and held.budget == (2.0, 1e-6)
        assert held.fits("stars epsilon=1") and not held.fits("stars epsilon=1", "degrees epsilon=0.1")
        with pytest.raises(pg.PrivacyError, match="friends"):
            held.release("stars", epsilon=1.5)
        assert held.release("triangles", epsilon=1.0, again=True).guarantee.id != first.guarantee.id
        assert held.left == pytest.approx(0.0, abs=1e-4)
        assert held.release("triangles", epsilon=1.0).guarantee.holds  # known, so it costs nothing
    with pytest.raises(pg.ArgumentError, match="closed"):
        held.release("triangles", epsilon=1.0)
    assert "closed" in repr(held) and "closed" in held._repr_html_()


def test_a_plan_is_refused_whole():
    held = session()
    with pytest.raises(pg.PrivacyError):
        held.plan("triangles epsilon=1", "stars epsilon=0.7", "degrees epsilon=0.7")
    assert held.spent == 0.0
    first, second, same = held.plan("triangles epsilon=1", "stars epsilon=1", "triangles epsilon=1")
    assert first is same and held.spent == pytest.approx(2.0, abs=1e-4)
    assert held.plan("stars epsilon=1", "triangles epsilon=1") == [second, first]


def test_goes_on_where_the_last_one_stopped(tmp_path):
    path = tmp_path / "book"
    with session(ledger=path) as held:
        values = np.array(held.release("degrees", epsilon=0.5).values)
        backup = path.read_bytes()
        more = np.array(held.release("triangles", epsilon=0.5).values)
    pg.forget_releases()
    with pg.Session(graph(), object="friends", ledger=str(path)) as held:
        again = held.release("degrees", epsilon=0.5)
        assert (again.values == values).all() and again.loaded and again.noise is not None
        assert held.spent == pytest.approx(1.0, abs=1e-4)
    for wrong in ({"epsilon": 3.0}, {"delta": 1e-5}, {"notion": "node"}):
        with pytest.raises(pg.ArgumentError, match="stays as it is"):
            session(ledger=path, **{"epsilon": None, **wrong})
    path.write_bytes(backup)  # the ledger has forgotten the triangles: it pays for them when they are read
    with pg.Session(graph(), object="friends", ledger=path) as held:
        assert held.spent == pytest.approx(0.5, abs=1e-4)
        assert (held.release("triangles", epsilon=0.5).values == more).all()
        assert held.spent == pytest.approx(1.0, abs=1e-4)
    # another ledger of the same name is not one that has paid
    os.unlink(path)
    with session(ledger=path) as held:
        assert not held.release("triangles", epsilon=0.5).loaded
        assert held.spent == pytest.approx(0.5, abs=1e-4)
    shutil.rmtree(f"{path}.draws")


def test_another_name_is_no_fresh_budget(tmp_path):
    session(ledger=tmp_path / "book").close()
    other = pg.Session(graph(), object="Friends", ledger=tmp_path / "book")
    with pytest.raises(pg.PrivacyError):
        other.release("triangles", epsilon=0.1)


def test_arguments():
    for wrong, words in (({"object": None}, "object is missing"), ({"epsilon": None}, "epsilon is missing"),
                         ({"object": ""}, "not a name")):
        with pytest.raises(pg.ArgumentError, match=words):
            session(**wrong)
    with pytest.raises(pg.ArgumentError, match="not a Ledger"):
        pg.Query("triangles", epsilon=1.0).draw(graph(), object="a", ledger=17)
    carried = graph().with_object("club")
    held = pg.Session(carried, epsilon=1.0)
    assert held.graph.object == pg.object_number("club") and held.graph.identity == carried.identity
    with pytest.raises(pg.ArgumentError, match="set of graphs"):
        held.graphs


def test_everything_that_releases_takes_it(tmp_path):
    labels = (np.arange(60) % 2).astype(np.int32)
    features = pg.Features.from_dense(np.random.default_rng(0).random((60, 4)))
    for where in (None, tmp_path / "book"):
        held = session(epsilon=20.0, ledger=where)
        spent = [held.spent]

        def more(_made):
            assert held.spent > spent[-1] + 0.05
            spent.append(held.spent)

        more(held.synthesize(1.0))
        more(held.learn_nodes(labels, 1.0, averages=1, features=features))
        more(held.classify(labels, 1.0, features=features))
        more(pg.synthesize(held.graph, 1.0, ledger=held))
        more(held.release("response", epsilon=0.5))
        with pg.Composition() as both:
            first = both.add(pg.Query("stars", epsilon=0.5), held.graph, ledger=held)
            second = both.add(pg.Query("triangles", epsilon=0.5), graph(), ledger=held)  # the session's name
            both.pay()
            both.draw(first), both.draw(second)
        more(None)
        more(pg.PrivateEmbedding("edge", epsilon=0.5, session=held).fit_transform([held.graph]))
        more(pg.DegreeEmbedding(epsilon=0.5, session=held).fit_transform([held.graph]))
        more(pg.NodeClassifier(session=held, epsilon=0.5).fit(np.arange(40), labels[:40]))


def test_a_set_and_scikit_learn(tmp_path):
    graphs = pg.GraphSet.from_graphs([graph(seed=i) for i in range(12)], labels=[0, 1] * 6)
    held = session(graphs, object="molecules", epsilon=1.0, ledger=tmp_path / "book")
    model = make_pipeline(pg.PrivateEmbedding("edge,path3", epsilon=1.0, session=held), LogisticRegression())
    assert clone(model).steps[0][1].session is held and copy.deepcopy(held) is held
    cross_val_score(model, held.graphs, graphs.labels, cv=3, n_jobs=2, error_score="raise")
    assert held.spent == pytest.approx(1.0, abs=0.01)
    with pytest.raises(pg.PrivacyError):
        held.release("degrees", epsilon=0.5)
    with pytest.raises(pg.ArgumentError, match="objects"):
        pg.PrivateEmbedding("edge", session=held).fit_transform(graphs[:3])
    with pytest.raises(pg.ArgumentError, match="both given"):
        pg.PrivateEmbedding("edge", session=held, ledger=tmp_path / "book").fit_transform(held.graphs)
    with pytest.raises(pg.ArgumentError, match="not a Session"):
        pg.PrivateEmbedding("edge", session=3).fit_transform(held.graphs)
    far = pickle.loads(pickle.dumps(held))
    assert far._data is None and far.spent == held.spent
    with pytest.raises(TypeError, match="ledger=path"):
        pickle.dumps(session())


def test_without_one_it_warns_once_for_each_object():
    query, held = pg.Query("triangles", epsilon=0.1), graph()
    with pytest.warns(pg.UnbudgetedWarning, match="Session"):
        query.draw(held)
    with pytest.warns(pg.RepeatedReleaseWarning, match="2 times") as told:
        query.draw(held)
    assert not any(issubclass(one.category, pg.UnbudgetedWarning) for one in told)
    with pytest.raises(pg.UnbudgetedWarning) as raised:  # the filter of this file: what was drawn is not lost
        query.draw(graph(seed=9))
    assert len(raised.value.releases) == 1
    query.draw(graph(seed=8), rng=None, object="paid", ledger=pg.Ledger(1.0))
    pg.Query("triangles", epsilon=0.1, allow_seeded=True).draw(graph(seed=7), rng=pg.Rng.seeded(1))  # not private


def test_example():
    assert doctest.testmod(pg.session).failed == 0


def test_a_forked_copy_tells_no_budget():
    """What another process charges it cannot know: an answer would be 0, or old."""
    with pg.Session(graph(40), object="friends", epsilon=2) as session:
        session.release("stars", epsilon=1)
        ends = os.pipe()
        child = os.fork()
        if child == 0:
            told = []
            for ask in (lambda: session.spent, lambda: session.left, lambda: session.release("triangles", epsilon=.5)):
                try:
                    told.append(str(ask()))
                except pg.PrivacyError:
                    told.append("refused")
            os.write(ends[1], f"{told} {session!r}".encode())
            os._exit(0)
        os.waitpid(child, 0)
        assert os.read(ends[0], 1000).decode() == \
            "['refused', 'refused', 'refused'] <Session friends, of another process>"
        assert session.spent == pytest.approx(1, abs=1e-5) and "spent 1 of" in repr(session)


def test_a_session_knows_how_many_nodes_there_are():
    with pg.Session(graph(40), object="friends", epsilon=9) as session:
        first = session.release("synthesis", epsilon=1)
        assert session.release("synthesis", epsilon=1, order=40) is first is session.release("synthesis epsilon=1")
        with pytest.raises(pg.ArgumentError):
            session.release("synthesis", epsilon=1, order=41)
    networkx = pytest.importorskip("networkx")
    with pg.Session(pg.Graph.from_networkx(networkx.path_graph(4)), object="friends", epsilon=9) as session, \
            pytest.raises(pg.PrivGraphError):
        session.release("synthesis", epsilon=1)  # inferred: it is nobody's to tell


def test_wrong_budgets_are_named():
    for wrong, says in ((dict(epsilon="1"), "epsilon is '1'"), (dict(epsilon=1, ledger=3), "ledger is a int"),
                        (dict(epsilon=1, delta="x"), "delta is 'x'")):
        with pytest.raises(pg.ArgumentError, match=says) as raised:
            pg.Session(graph(9), object="a", **wrong)
        assert "pvg_" not in str(raised.value)
