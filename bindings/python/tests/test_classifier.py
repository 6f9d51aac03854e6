"""NodeClassifier and the pipelines behind it: one draw for all refits, labels that were messages score nothing."""
import pickle

import numpy as np
import pytest

import privgraph as pg

ORDER, CLASSES = 300, 3


@pytest.fixture(autouse=True)
def fresh():
    pg.forget_releases()
    yield
    pg.forget_releases()


@pytest.fixture(scope="module")
def task():
    rng = np.random.default_rng(4)
    y = np.arange(ORDER) % CLASSES
    pairs = set()
    while len(pairs) < 5 * ORDER:
        a, b = rng.integers(0, ORDER, 2)
        if a != b and (y[a] == y[b] or rng.random() < 0.1):
            pairs.add((min(a, b), max(a, b)))
    edges = np.array(sorted(pairs)).T
    x = (rng.random((ORDER, 9)) < 0.3 + 0.1 * (np.arange(9) % CLASSES == y[:, None])).astype(float)
    return pg.Graph.from_edges(edges, ORDER), x, y


def make(task, **settings):
    graph, x, _ = task
    return pg.NodeClassifier(graph, settings.pop("features", x), **{"epsilon": 8.0, "averages": 1, **settings})


def spent(graph):
    from privgraph.memory import MEMORY
    return len(MEMORY.spent.get(f"graph {graph.identity}", []))


def test_fit_predict_score(task):
    graph, _, y = task
    before = spent(graph)
    train, test = np.arange(0, 200), np.arange(200, ORDER)
    model = make(task).fit(train, y[train])
    assert model.predict(test).shape == (100,)
    assert np.allclose(model.predict_proba(test).sum(1), 1)
    assert model.score(test, y[test]) > 0.6
    assert "epsilon" in model.guarantee_
    assert spent(graph) == before + 1


def test_refits_share_one_draw(task):
    graph, _, y = task
    given = {int(v): int(y[v]) for v in range(120)}
    rest = np.arange(120, ORDER)
    first = make(task, messages=given).fit(rest[:90], y[rest[:90]])
    count = spent(graph)
    second = make(task, messages=given).fit(rest[90:], y[rest[90:]])
    assert spent(graph) == count
    assert second.score(rest[:90], y[rest[:90]]) > 0.6
    again = pickle.loads(pickle.dumps(first))
    assert np.array_equal(again.predict_proba(rest), first.predict_proba(rest))
    with pytest.raises(pg.ArgumentError, match="set_params"):
        again.fit(rest[:30], y[rest[:30]])
    again.set_params(graph=graph, features=first.features, messages=given).fit(rest[:30], y[rest[:30]])
    assert spent(graph) == count


def test_cross_validation_is_one_draw(task):
    selection = pytest.importorskip("sklearn.model_selection")
    graph, _, y = task
    given = (np.arange(120), y[:120])
    rest = np.arange(120, ORDER)
    scores = selection.cross_val_score(make(task, messages=given), rest[:, None], y[rest], cv=3)
    assert spent(graph) == 1
    assert scores.mean() > 0.6


def test_messages_score_nothing(task):
    selection = pytest.importorskip("sklearn.model_selection")
    graph, _, y = task
    nodes = np.arange(ORDER)
    with pytest.raises(pg.SearchStopped, match="message"):  # would be nan otherwise
        selection.cross_val_score(make(task), nodes, y, cv=3)
    assert spent(graph) == 1
    model = make(task).fit(nodes[:100], y[:100])  # the draw of the first fold
    with pytest.raises(pg.ArgumentError, match="cannot test"):
        model.predict(nodes[100:])
    assert spent(graph) == 1


def test_draw_is_known_by_the_graph_not_by_its_edges(task):
    graph, x, y = task
    edges = np.array(graph.edges()) if callable(getattr(graph, "edges", None)) else None
    if edges is None:
        pytest.skip("no edge list")
    twin = pg.Graph.from_edges(edges.T if edges.shape[0] != 2 else edges, ORDER)
    make(task).fit(np.arange(200), y[:200])
    pg.NodeClassifier(twin, x, epsilon=8.0, averages=1).fit(np.arange(200), y[:200])
    assert spent(graph) == 1 and spent(twin) == 1


def test_other_settings_draw_again_and_warn(task):
    graph, _, y = task
    make(task).fit(np.arange(200), y[:200])
    with pytest.warns(pg.RepeatedReleaseWarning):
        make(task, epsilon=4.0).fit(np.arange(200), y[:200])
    assert spent(graph) == 2


def test_words_as_classes_and_bad_input(task):
    graph, x, y = task
    words = np.array(["ash", "birch", "cedar"])[y]
    model = make(task).fit(np.arange(200), words[:200])
    assert set(model.predict(np.arange(200, ORDER))) <= {"ash", "birch", "cedar"}
    assert list(model.classes_) == ["ash", "birch", "cedar"]
    with pytest.raises(pg.ArgumentError, match="no message"):
        model.fit(np.arange(200), np.where(np.arange(200) < 5, "oak", words[:200]))
    with pytest.raises(pg.ArgumentError, match="contradicts"):
        model.fit(np.arange(200), np.roll(words[:200], 1))
    with pytest.raises(pg.ArgumentError, match="node 300"):
        model.predict([300])
    with pytest.raises(pg.ArgumentError, match="numbers of nodes"):
        model.fit(x, y)
    with pytest.raises(pg.ArgumentError, match="200 nodes, y 3"):
        model.fit(np.arange(200), y[:3])
    with pytest.raises(pg.ArgumentError, match="needs a graph"):
        pg.NodeClassifier().fit([0], [0])
    with pytest.raises(pg.ArgumentError, match="not fitted"):
        make(task).predict([0])


@pytest.mark.parametrize("none", [-1, -1.0])
def test_minus_one_is_no_label(task, none):
    _, _, y = task
    train = np.arange(200)
    given = np.where(train % 4 == 0, none, y[train])
    model = make(task).fit(train, given)
    assert model.classes_.tolist() == [0, 1, 2]
    assert not np.isin(train[train % 4 == 0], model.messages_).any()
    pg.forget_releases()
    sent = make(task, messages=(train, given)).fit(np.arange(200, 260), y[200:260])
    assert sent.classes_.tolist() == [0, 1, 2] and len(sent.messages_) == 150
    pg.forget_releases()
    with pytest.raises(pg.ArgumentError, match="-1"):
        make(task, classes=[-1, 0, 1, 2]).fit(train, given)
    with pytest.raises(pg.ArgumentError, match="-1 is none"):
        make(task).fit(train, np.where(y[train] == 0, 1, -1))
    for missing in (None, np.nan):
        with pytest.raises(pg.ArgumentError, match="None or NaN"):
            make(task).fit(train, np.where(given == none, missing, given.astype(object)))
    pg.forget_releases()
    words = np.array(["-1", "b", "c"])[y]  # a name is a name
    assert "-1" in make(task).fit(train, words[train]).classes_.tolist()


def test_users_with_public_features(task):
    graph, x, y = task
    train, rest = np.arange(200), np.arange(200, ORDER)
    with pytest.raises(pg.ArgumentError, match="feature_epsilon"):
        make(task, hidden="users", epsilon=0.5).fit(train, y[train])
    pg.forget_releases()
    told = np.eye(int(y.max()) + 1)[y]  # features that say it all: whoever reads them is right
    shown = pg.NodeClassifier(graph, pg.public(told), hidden="users", epsilon=0.5, averages=1).fit(train, y[train])
    assert shown.reports_["lists"] is not None and shown.reports_["features"] is None
    assert shown.score(rest, y[rest]) > 0.8


def test_parameters_and_clone(task):
    base = pytest.importorskip("sklearn.base")
    _, _, y = task
    model = make(task, messages={0: 0, 1: 1})
    other = base.clone(model)
    assert other.get_params()["epsilon"] == 8.0 and base.is_classifier(other)
    assert other.graph.identity == model.graph.identity
    assert other.set_params(epsilon=2.0).epsilon == 2.0
    assert "epsilon=8.0" in repr(model)


def test_contract_of_scikit_learn(task):
    """Those checks of check_estimator that fit a classifier whose X are node numbers, and the others with
    such an X."""
    checks = pytest.importorskip("sklearn.utils.estimator_checks",
                                 reason="scikit-learn is not installed: its contract is not checked")
    from sklearn.base import clone, is_classifier
    from sklearn.exceptions import NotFittedError
    from sklearn.model_selection import GridSearchCV, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.utils.validation import check_is_fitted
    graph, x, y = task
    for check in ("check_no_attributes_set_in_init", "check_get_params_invariance", "check_set_params"):
        getattr(checks, check)("NodeClassifier", pg.NodeClassifier())
    checks.check_parameters_default_constructible("NodeClassifier", pg.NodeClassifier())
    sent = np.arange(0, 150)
    model = make(task, messages=(sent, y[sent]))
    assert is_classifier(model)
    for method in ("predict", "predict_proba"):
        with pytest.raises(NotFittedError):
            getattr(model, method)(sent)
        with pytest.raises(ValueError):  # an ArgumentError all the same
            getattr(model, method)(sent)
    rest, before = np.arange(150, ORDER), dict(model.get_params())
    column = rest.reshape(-1, 1)
    frozen, labels = column.copy(), y[rest].copy()
    assert model.fit(column, labels) is model and model.n_features_in_ == 1
    check_is_fitted(model)
    assert all(model.get_params()[name] is value for name, value in before.items())  # fit changes no parameter
    np.testing.assert_array_equal(column, frozen)
    np.testing.assert_array_equal(labels, y[rest])
    np.testing.assert_array_equal(model.classes_, np.unique(y))
    first = model.predict_proba(rest)
    np.testing.assert_array_equal(model.fit(rest, y[rest]).predict_proba(rest), first)  # idempotent: one draw
    np.testing.assert_array_equal(model.predict(rest), model.classes_[first.argmax(1)])
    np.testing.assert_array_equal(model.predict_proba(rest[::-1]), first[::-1])  # no row feels another
    np.testing.assert_array_equal(model.predict(rest[:7]), model.predict(rest)[:7])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(rest), first)
    assert model.score(rest, y[rest], np.where(rest < 200, 1.0, 0.0)) == model.score(rest[:50], y[rest[:50]])
    again = clone(model)
    assert again is not model and not hasattr(again, "probabilities_")
    with pytest.raises(ValueError):
        again.fit(rest, y[rest][:-1])
    assert len(cross_val_predict(model, column, y[rest], cv=3)) == len(rest)
    assert make_pipeline(clone(model)).fit(column, y[rest]).predict(column).shape == rest.shape
    search = GridSearchCV(clone(model), {"averages": [1]}, cv=2, error_score="raise").fit(column, y[rest])
    assert search.best_params_ == {"averages": 1}


def test_ledger_pays_once(task, tmp_path):
    _, x, y = task
    graph = pg.Graph.from_edges(np.array([[0, 1, 2, 3], [1, 2, 3, 4]]), ORDER)
    graph.object = "people"
    ledger = pg.Ledger(epsilon=3.0, delta=1e-9)
    model = pg.NodeClassifier(graph, x, epsilon=2.0, averages=1, ledger=ledger)
    model.fit(np.arange(200), y[:200])
    model.fit(np.arange(200), y[:200])
    with pytest.raises(pg.PrivacyError):
        pg.NodeClassifier(graph, x, epsilon=2.5, averages=1, ledger=ledger).fit(np.arange(200), y[:200])


# --- pipelines -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method, delta", [("histogram", 0.0), ("sums", 1e-6), ("gap", 1e-6), ("pcmp", 1e-6),
                                           ("response", 0.0), ("features", 0.0)])
def test_methods(task, method, delta):
    graph, _, y = task
    # Features that say something: gap sends no labels, so what its neighbours' features cannot tell it never learns.
    x = (np.random.default_rng(5).random((ORDER, 9)) < 0.2 + 0.3 * (np.arange(9) % CLASSES == y[:, None])).astype(float)
    labels = np.where(np.arange(ORDER) < 150, y, -1)
    checks = np.where((np.arange(ORDER) >= 150) & (np.arange(ORDER) < 220), y, -1)
    made = pg.learn_nodes(graph, labels, 8.0, delta=delta or None, method=method, features=x, checks=checks, averages=1)
    assert made.probabilities.shape == made.prior.shape == (ORDER, CLASSES)
    assert len(made.releases) == (method != "features")
    for release in made.releases:
        assert release.guarantee.notion == "edge" and release.epsilon(delta) <= 8.0 * (1 + 1e-9)
    exact = pg.learn_nodes_exact(graph, labels, method=method, features=x, checks=checks, averages=1)
    right = [(p.argmax(1) == y)[220:].mean() for p in (made.prior, exact)]
    assert method == "features" or right[1] > right[0], right


def test_methods_refuse(task):
    graph, x, y = task
    with pytest.raises(pg.ArgumentError, match="method"):
        pg.learn_nodes(graph, y, 1.0, method="magic", features=x)
    with pytest.raises(pg.ArgumentError, match="labels"):
        pg.learn_nodes(graph, y[:5], 1.0, features=x)
    with pytest.raises(pg.ArgumentError, match="has no option"):
        pg.learn_nodes(graph, y, 1.0, recipe="sums", features=x)


def test_users(task):
    graph, x, y = task
    parts = np.where(np.arange(ORDER) < 150, 0, np.where(np.arange(ORDER) < 220, 1, 2))
    made = pg.learn_users(graph, y, parts, features=x, list_epsilon=12.0, feature_epsilon=3.0, label_epsilon=3.0,
                          rounds=2, classes=CLASSES)
    assert made.lists.guarantee.notion == "edge-set-ldp"
    assert made.features.guarantee.notion == "feature-ldp" and made.labels.guarantee.notion == "label-ldp"
    assert (made.without.argmax(1) == y)[220:].mean() > 0.5
    for notion, epsilon in (("edge-set-ldp", 12.0), ("feature-ldp", 3.0), ("label-ldp", 3.0)):  # all are in its record
        assert made.model.promise(notion, 0).epsilon(0.0) == pytest.approx(epsilon)
    data = pg.Dataset(graph=pg.public(graph), features=made.features)  # reports serve as features
    assert made.model.predict(data, "probabilities", notion="feature-ldp").values.shape == (ORDER, y.max() + 1)
    exact = pg.learn_users_exact(graph, y, parts, features=x, rounds=2)
    assert exact.lists is exact.features is exact.labels is exact.model is None
    assert (exact.without.argmax(1) == y)[220:].mean() > 0.5
    books = [pg.Ledger(2.0 if notion == "feature-ldp" else 12.0, notion=notion)
             for notion in ("edge-set-ldp", "feature-ldp", "label-ldp")]
    with pytest.raises(pg.PrivacyError):  # the features are refused, and so nothing is paid
        pg.learn_users(graph, y, parts, features=x, list_epsilon=12.0, feature_epsilon=3.0, label_epsilon=3.0,
                       classes=CLASSES, object="people", list_ledger=books[0], feature_ledger=books[1], label_ledger=books[2])
    assert [book.charges for book in books] == [0, 0, 0]
    public = pg.learn_users(graph, y, parts)
    assert public.lists is public.features is public.labels is public.model is None
    assert np.array_equal(public.probabilities, public.without)


def test_rows_of_a_release(task, tmp_path):
    graph, _, y = task
    release = pg.Query("edge-histogram", order=ORDER, kinds=y, cells="both-ways", epsilon=8.0).draw(graph)
    labels = np.where(np.arange(ORDER) < 150, y, -1)
    rows = pg.learn_rows(release, labels, averages=2)
    assert (rows.argmax(1) == y)[150:].mean() > 0.7
    model = pg.train_rows(release, labels, averages=2)
    assert model.promise("edge", "people").epsilon(0.0) == pytest.approx(8.0)
    path = str(tmp_path / "rows.pvgm")
    model.save(path)
    data = pg.Dataset(features=release)
    found = pg.Model.load(path).predict(data, "classes", notion="edge", object="people").values
    assert (np.asarray(found).ravel() == y)[150:].mean() > 0.7
    exact = pg.learn_rows_exact(release.values, labels, averages=2)
    assert (exact.argmax(1) == y)[150:].mean() > 0.7
    with pytest.raises(pg.ArgumentError, match="shape"):
        pg.learn_rows_exact(np.zeros(4), labels)


def test_hidden_nodes(task):
    graph, x, y = task
    parts = np.where(np.arange(ORDER) < 200, 0, 2)
    bound = int(np.diff(graph.offsets).max()) if hasattr(graph, "offsets") else ORDER
    book = pg.Ledger(6.0, 1e-5, notion="node-removed")
    made = pg.learn_hidden_nodes(graph, y, parts, 6.0, 1e-5, features=x, classes=CLASSES, method="gap", max_degree=bound, steps=20,
                                 object="people", ledger=book)
    assert book.charges == 1 and made.states.guarantee.notion == "node-removed"
    assert 5.5 < made.model.promise("node-removed", "people").epsilon(1e-5) <= 6.0
    assert made.predict_exact(x).shape == (ORDER, y.max() + 1)
    with pytest.raises(pg.PrivacyError):
        pg.learn_hidden_nodes(graph, y, parts, 6.0, 1e-5, features=x, classes=CLASSES, method="gap", max_degree=bound, object="people", ledger=book)
    alone = pg.learn_hidden_nodes(graph, y, parts, 6.0, 1e-5, features=x, classes=CLASSES, method="features", steps=20)
    assert alone.head is None and alone.states is None and alone.model is alone.encoder
    record = alone.encoder.training().record
    assert record["claim"] == "learn.dpsgd" and record["curve"]["steps"] == 20
    assert made.head.training().record["id"] != made.encoder.training().record["id"]
    exact = pg.learn_hidden_nodes_exact(graph, y, parts, features=x)
    np.testing.assert_allclose(exact.sum(1), 1.0)
    with pytest.raises(pg.ArgumentError, match="max_degree"):
        pg.learn_hidden_nodes(graph, y, parts, 6.0, 1e-5, features=x, classes=CLASSES, method="gap")
    with pytest.raises(pg.ArgumentError, match="head_share"):
        pg.learn_hidden_nodes(graph, y, parts, 6.0, 1e-5, features=x, classes=CLASSES, method="gap", max_degree=bound, head_share=0)


@pytest.mark.parametrize("unit", [2.0**-1010, 2.0**-560, 2.0**900])
def test_units_of_hidden_nodes_do_not_matter(task, unit):
    """A row in a tiny unit once added millions of clips; in a huge one it was dropped."""
    graph, x, y = task
    parts = np.where(np.arange(ORDER) < 200, 0, 2)
    features = np.where(np.asarray(x) != 0, np.round(np.asarray(x) * 8), 0.0)
    other = features.copy()
    other[3] *= unit
    drawn = [pg.learn_hidden_nodes(graph, y, parts, 0.1, 1e-6, features=rows, classes=CLASSES, method="features", steps=5,
                                   directions=4, allow_seeded=True, rng=pg.Rng.seeded(7)).encoder
             for rows in (features, other)]
    np.testing.assert_array_equal(drawn[0].weights_exact(), drawn[1].weights_exact())


# --- one door: the pipeline of the library ---


def test_all_faces_run_the_same_pipeline(task):
    """The estimator, the function and the pipeline itself: the same seeds, the same rows."""
    graph, x, y = task
    nodes = np.arange(0, ORDER, 2)
    labels = np.full(ORDER, -1)
    labels[nodes] = y[nodes]
    model = make(task, insecure_seed=5, averages=3).fit(nodes, y[nodes])
    pipeline = pg.Pipeline("edges", labels=labels, features=x, epsilon=8, allow_seeded=True, seed=pg.Rng.seeded(0))
    drawn = pipeline.draw(graph, rng=pg.Rng.seeded(5))
    again = pg.Pipeline("edges", labels=pipeline.labels, checks=pipeline.checks, prior=pipeline.prior, epsilon=8)
    for one in (pipeline, again):
        rows = one.read(*drawn, seed=pg.Rng.seeded(0)).probabilities
        assert np.array_equal(model.probabilities_, rows)
    assert np.array_equal(np.flatnonzero((pipeline.labels >= 0) | (pipeline.checks >= 0)), model.messages_)
    source = pg.Rng.seeded(5)
    by_hand = pg.Pipeline("edges", labels=labels, features=x, epsilon=8, allow_seeded=True, seed=source)
    rows = by_hand.read(*by_hand.draw(graph, rng=source), seed=source).probabilities
    made = pg.classify(graph, labels, features=x, target=pg.Target(8.0, allow_seeded=True), rng=pg.Rng.seeded(5))
    assert np.array_equal(made.probabilities, rows) and pg.learn_nodes is pg.classify


def test_never_below_features_on_those_who_choose():
    """Edges that join anybody, features that tell: what is held out says so, and the answer is that of features."""
    rng = np.random.default_rng(6)
    y = np.arange(400) % 2
    x = np.eye(2)[np.where(rng.random(400) < 0.9, y, 1 - y)]
    strangers = pg.Graph.from_edges(rng.integers(0, 400, (2, 1200)), 400, merge=True, drop_loops=True)
    nodes = np.arange(300)
    fell = 0
    for _ in range(4):
        pg.forget_releases()
        made = pg.classify(strangers, np.where(np.arange(400) < 300, y, -1), 0.5, features=x, averages=1)
        fell += np.array_equal(made.probabilities[300:], made.prior[300:])
    assert fell >= 2
    model = pg.NodeClassifier(strangers, x, epsilon=0.5, averages=1, sticky=False).fit(nodes, y[nodes])
    assert model.score(np.arange(300, 400), y[300:]) > 0.8


def test_a_reused_draw_tells_its_guarantee(task):
    graph, _, y = task
    for settings, holds in (({}, lambda model: model.release_.publishable),
                            (dict(hidden="users", epsilon=12.0, feature_epsilon=4.0, label_epsilon=4.0,
                                  classes=range(CLASSES)), lambda model: model.release_["lists"].publishable),
                            (dict(hidden="nodes", epsilon=4.0, classes=range(CLASSES)),
                             lambda model: model.release_ is model.model_)):
        pg.forget_releases()
        nodes = np.arange(200)
        first, second = (make(task, **settings).fit(nodes, y[nodes]) for _ in range(2))
        assert spent(graph) == 1
        assert "e^" in second.guarantee_ and second.guarantee_ == first.guarantee_
        assert holds(first) and holds(second)


def test_any_network_reads(task):
    graph, x, y = task
    parts = np.where(np.arange(ORDER) < 200, 0, 2)
    given = dict(features=x, list_epsilon=12.0, feature_epsilon=6.0, label_epsilon=6.0, classes=CLASSES, rounds=2)
    usual = pg.learn_users(graph, y, parts, **given)
    pg.forget_releases()
    other = pg.learn_users(graph, y, parts, network="kprop 2 | gin 8 bn relu | sage classes", **given)
    assert len(other.model.weights_exact()) != len(usual.model.weights_exact())
    with pytest.raises(pg.ArgumentError, match="cannot pool"):
        pg.learn_users(graph, y, parts, network="gcn 4 relu | pool mean | dense classes", **given)
    pg.forget_releases()
    alone = pg.learn_hidden_nodes(graph, y, parts, 2.0, features=x, classes=CLASSES, steps=3, network="dense classes")
    assert len(alone.encoder.weights_exact()) == (x.shape[1] + 1) * CLASSES
    labels = np.where(parts == 0, y, -1)
    pg.classify(graph, labels, 4.0, features=x, method="sums", averages=1, network="dense 4 tanh | dense classes")
    with pytest.raises(pg.ArgumentError, match="receive sums"):
        pg.classify(graph, labels, 4.0, features=x, network="dense classes")
    with pytest.raises(pg.ArgumentError, match="first_share"):  # Python's words
        pg.classify(graph, labels, 4.0, features=x, first_share=2)
    with pytest.raises(pg.ArgumentError, match="transition has shape"):
        pg.classify(graph, labels, 4.0, features=x, transition=np.eye(2))


# --- other parties ---


def users(task, **settings):
    return make(task, **{"hidden": "users", "epsilon": 12.0, "feature_epsilon": 4.0, "label_epsilon": 4.0,
                         "classes": range(CLASSES), **settings})


def test_users_report_once(task):
    selection = pytest.importorskip("sklearn.model_selection")
    graph, _, y = task
    asked = np.arange(240)
    model = users(task, messages=(asked, y[asked])).fit(asked[:200], y[asked[:200]])
    assert spent(graph) == 1
    assert model.score(np.arange(200, ORDER), y[200:]) > 0.55  # a third by chance
    assert set(model.reports_) == {"lists", "features", "labels"}
    assert model.guarantee_.count("Notion:") == 3
    scores = selection.cross_val_score(users(task, messages=(asked, y[asked])), asked, y[asked], cv=3)
    assert spent(graph) == 1 and scores.mean() > 0.55
    again = users(task, messages=(asked, y[asked])).fit(asked[:200], y[asked[:200]])
    assert np.array_equal(again.predict_proba([5, 299]), model.predict_proba([5, 299]))
    with pytest.raises(pg.ArgumentError, match="node 250 was not asked"):
        users(task, messages=(asked, y[asked])).fit([3, 250], [0, 1])


def test_answers_of_others_are_not_read(task):
    """Who is left out cannot get the own label back: whatever it is, the prediction is the same."""
    from privgraph.memory import MEMORY
    graph, _, y = task
    asked = np.arange(240)
    first = users(task, messages=(asked, y[asked]), insecure_seed=3).fit(asked[:200], y[asked[:200]])
    other = y.copy()
    other[200:240] = (y[200:240] + 1) % CLASSES
    second = users(task, messages=(asked, other[asked]), insecure_seed=3).fit(asked[:200], y[asked[:200]])
    assert not np.array_equal(first.reports_["labels"].labels, second.reports_["labels"].labels)
    assert np.array_equal(np.asarray(first.reports_["labels"].labels)[:200],
                          np.asarray(second.reports_["labels"].labels)[:200])
    assert np.array_equal(first.predict_proba(asked), second.predict_proba(asked))
    assert not MEMORY.spent


def test_other_classes_are_another_draw(task, tmp_path):
    """Of three classes a fourth would be taken for the third without a word."""
    graph, _, y = task
    nodes = np.arange(200)
    first = users(task, classes=np.arange(CLASSES)).fit(nodes, y[nodes])
    pickle.dumps(first)  # from here on the memory is a file: what is kept must be plain
    with pytest.warns(pg.RepeatedReleaseWarning):
        second = users(task, classes=np.arange(CLASSES + 1)).fit(nodes, y[nodes])
    assert spent(graph) == 2
    assert first.classes_.tolist() == [0, 1, 2] and second.classes_.tolist() == [0, 1, 2, 3]
    paths = {part: tmp_path / part for part in ("lists", "features", "labels")}
    notions = {"lists": "edge-set-ldp", "features": "feature-ldp", "labels": "label-ldp"}
    for part, path in paths.items():
        pg.Ledger.create(path, 12.0, notion=notions[part]).close()
    other = pg.Graph.from_edges(np.array(graph.edges()), ORDER)
    other.object = pg.object_number("club")
    pg.NodeClassifier(other, task[1], hidden="users", epsilon=12.0, feature_epsilon=4.0, label_epsilon=4.0, averages=1,
                      classes=range(CLASSES), ledger=paths).fit(nodes, y[nodes])
    for path in paths.values():
        with pg.Ledger.open(path) as book:
            assert book.charges == 1


def test_private_labels_need_public_classes_and_tell_nothing(task):
    _, _, y = task
    nodes = np.arange(200)
    for settings in ({"hidden": "nodes", "delta": 1e-5}, {"hidden": "users", "label_epsilon": 2.0, "features": None}):
        with pytest.raises(pg.PrivacyError, match="classes"):
            make(task, **settings).fit(nodes, y[nodes])
        odd = y[nodes].copy()
        odd[7] = 99  # no class: taken for the last one, without a word
        assert len(make(task, classes=range(CLASSES), **settings).fit(nodes, odd).classes_) == CLASSES
        pg.forget_releases()
    settings = users(task, messages=(nodes, y[nodes]))
    same = users(task, messages=(nodes, odd))
    assert settings._settings(task[0]) == same._settings(task[0])  # a key made of labels would tell them


def test_public_labels_and_public_graph_of_users(task):
    graph, _, y = task
    model = users(task, label_epsilon=0.0, classes=None, epsilon=0.0).fit(np.arange(200), y[:200])
    assert model.reports_["labels"] is None and model.reports_["lists"] is None
    assert model.score(np.arange(200, ORDER), y[200:]) > 0.6
    users(task, label_epsilon=0.0, classes=None, epsilon=0.0).fit(np.arange(100, 300), y[100:])
    assert spent(graph) == 1


def test_users_pay_three_ledgers(task):
    _, x, y = task
    graph = pg.Graph.from_edges(np.array(task[0].edges()), ORDER)
    graph.object = pg.object_number("club")
    books = {"lists": pg.Ledger(4.0, notion="edge-set-ldp"), "features": pg.Ledger(4.0, notion="feature-ldp"),
             "labels": pg.Ledger(4.0, notion="label-ldp")}
    same = {"hidden": "users", "epsilon": 4.0, "feature_epsilon": 4.0, "label_epsilon": 4.0, "averages": 1,
            "classes": range(CLASSES), "ledger": books}
    for _ in range(2):
        pg.NodeClassifier(graph, x, **same).fit(np.arange(200), y[:200])
    assert [book.charges for book in books.values()] == [1, 1, 1]
    with pytest.raises(pg.ArgumentError, match="three budgets"):
        pg.NodeClassifier(graph, x, **{**same, "epsilon": 1.0, "ledger": books["lists"]}).fit([0, 1], [0, 1])


def test_hidden_nodes(task):
    graph, _, y = task
    nodes = np.arange(200)
    model = make(task, hidden="nodes", classes=range(CLASSES)).fit(nodes, y[nodes])
    assert "node-removal" in model.guarantee_ and spent(graph) == 1
    for refused in (model.predict, model.predict_proba, lambda X: model.score(X, y[X])):
        with pytest.raises(pg.PrivacyError, match="predict_exact"):
            refused(nodes)
    assert np.allclose(model.predict_proba_exact(nodes).sum(1), 1)
    assert set(model.predict_exact(nodes)) <= set(range(CLASSES))
    assert not model.model_.holds_secrets
    again = make(task, hidden="nodes", classes=range(CLASSES)).fit(nodes, y[nodes])
    assert spent(graph) == 1
    assert np.array_equal(again.predict_proba_exact(nodes), model.predict_proba_exact(nodes))
    moved = pickle.loads(pickle.dumps(model))
    with pytest.raises(pg.ArgumentError, match="features are missing"):  # they are private
        moved.predict_exact(nodes)
    moved.set_params(features=model.features)
    assert np.array_equal(moved.predict_exact(nodes), model.predict_exact(nodes)) and moved.model_.loaded
    with pytest.raises(pg.ArgumentError, match="other nodes"):
        again.fit(nodes[:100], y[:100])
    pg.forget_releases()
    with pytest.raises(pg.ArgumentError, match="hidden nodes, not of edges"):
        make(task).fit(nodes, y[nodes]).predict_exact(nodes)
    with pytest.raises(pg.ArgumentError, match="needs features"):
        pg.NodeClassifier(graph, hidden="nodes", classes=[0, 1, 2]).fit(nodes, y[nodes])
    with pytest.raises(pg.ArgumentError, match="one of edges, users, nodes"):
        make(task, hidden="all").fit(nodes, y[nodes])
