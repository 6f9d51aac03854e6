"""Networks, datasets and models."""
import numpy as np
import pytest

import privgraph as pg

ORDER, CLASSES = 90, 3


@pytest.fixture(scope="module")
def parts():
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(CLASSES), ORDER // CLASSES)
    features = rng.random((ORDER, 6)) + .3 * (np.arange(6) % CLASSES == labels[:, None])
    graph = pg.Graph.blocks([ORDER // CLASSES] * CLASSES, np.full((3, 3), .01) + .2 * np.eye(3), 3)
    return graph, features, labels, np.arange(ORDER) % 3


def dataset(parts, **changes):
    graph, features, labels, split = parts
    given = dict(graph=pg.public(graph), features=pg.public(features), labels=pg.public(labels), split=split)
    given.update(changes)
    return pg.Dataset(**given)


TEXT = "drop .2 | gcn 16 relu | gcn classes"


def test_learns_and_predicts(parts):
    data = dataset(parts)
    network = pg.Network(TEXT, 6, CLASSES)
    assert network.text == TEXT and network.parameters == 6 * 16 + 16 + 16 * 3 + 3
    assert network.memory_exact(data) > 4 * network.parameters
    model = pg.Model.train(network, data, seed=1, epochs=100, select="accuracy", calibrate=1, averages=2)
    accuracy, loss = model.score(data)
    assert accuracy > .7 and loss > 0 and model.members == 2 and model.temperature_exact > 0
    release = model.predict(data)
    assert release.values.shape == (ORDER, CLASSES)
    np.testing.assert_allclose(release.values.sum(axis=1), 1)
    np.testing.assert_array_equal(release.values, model.predict_exact(data))
    classes = model.predict_exact(data, "classes")
    np.testing.assert_array_equal(classes, release.values.argmax(axis=1))
    history = model.history_exact()
    assert history.shape[1] == 4 and history[0, 0] == 5
    again = pg.Model.train(network, data, seed=1, epochs=100, select="accuracy", calibrate=1, averages=2,
                           threads=2)
    np.testing.assert_array_equal(again.predict_exact(data), release.values)


def test_private_parts_are_not_published(parts):
    data, hidden = dataset(parts), dataset(parts, graph=pg.private(parts[0]))
    assert hidden.holds_secrets and not data.holds_secrets
    network = pg.Network(TEXT, 6, CLASSES)
    model = pg.Model.train(network, data, seed=1, epochs=3)
    taught = pg.Model.train(network, hidden, seed=1, epochs=3)
    for model_, data_ in ((model, hidden), (taught, data)):
        with pytest.raises(pg.PrivacyError):
            model_.predict(data_)
        with pytest.raises(pg.PrivacyError):
            model_.score(data_)
        assert len(model_.predict_exact(data_)) == ORDER
        assert 0 <= model_.score_exact(data_)[0] <= 1


def test_released_parts_are_counted_once(parts):
    perturber = pg.Query("response", epsilon=4)
    release = perturber.draw(parts[0])
    notion = release.guarantee.notion
    data = dataset(parts, graph=release)
    model = pg.Model.train(pg.Network(TEXT, 6, CLASSES), data, epochs=3)
    assert model.predict(data, notion=notion).epsilon(0) == pytest.approx(4)
    assert model.promise(notion).epsilon(0) == pytest.approx(4)
    other = dataset(parts, graph=perturber.draw(parts[0]))
    assert model.predict(other, notion=notion).epsilon(0) == pytest.approx(8)


def test_errors_are_clear(parts):
    with pytest.raises(pg.ArgumentError, match='word 1, "gnc"'):
        pg.Network("gnc 3", 6, 3)
    with pytest.raises(pg.ArgumentError, match="say public"):
        dataset(parts, graph=parts[0])
    with pytest.raises(pg.ArgumentError, match="split"):
        dataset(parts, split=np.full(ORDER, 7))
    with pytest.raises(pg.ArgumentError, match="optimiser"):
        pg.Model.train(pg.Network(TEXT, 6, 3), dataset(parts), optimiser="best")
    with pytest.raises(pg.ArgumentError, match="epoch_count"):
        pg.Model.train(pg.Network(TEXT, 6, 3), dataset(parts), epoch_count=1)


def test_models_are_saved_and_loaded(parts, tmp_path):
    data, path = dataset(parts), tmp_path / "model.pvgm"
    model = pg.Model.train(pg.Network(TEXT, 6, CLASSES), data, epochs=3)
    model.save(path)
    loaded = pg.Model.load(path)
    assert loaded.loaded and not model.loaded and not loaded.holds_secrets
    np.testing.assert_array_equal(loaded.predict_exact(data), model.predict_exact(data))
    assert loaded.seen["network"] == TEXT and loaded.seen["draws"] == []
    hidden = pg.Model.train(pg.Network(TEXT, 6, CLASSES), dataset(parts, labels=pg.private(parts[2])), epochs=3)
    with pytest.raises(pg.PrivacyError):
        hidden.save(path)
    hidden.save_exact(path)
    assert pg.Model.load(path).holds_secrets
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(pg.FormatError):
        pg.Model.load(path)


def test_private_training(parts, tmp_path):
    graph, features, labels, split = parts
    records = int((split == 0).sum())
    network = pg.Network("dense 8 tanh | dense classes", 6, CLASSES)
    query = pg.PrivateTraining(network, records, pg.Target(epsilon=8, delta=1e-5), steps=50, batch=records, rate=.05)
    told = query.describe()
    assert told["steps"] == 50 and told["sampling"] == 1 and told["epsilon"] <= 8
    assert query.notion == "node-removed" and query.guarantee().claim == "learn.dpsgd"
    assert query.text.startswith("training network=dense,8,tanh,|,dense,classes inputs=6")
    hidden = pg.Dataset(features=pg.private(features), labels=pg.private(labels), split=split)
    ledger = pg.Ledger(epsilon=10, delta=1e-5, notion="node-removed")
    with pytest.raises(pg.ArgumentError, match="needs the object"):
        query.draw(hidden, ledger=ledger)
    made = query.draw(hidden, ledger=ledger, object="people")
    model = made.model
    assert made.holds == ("model",) and made.shape == (0, 0)
    assert made.epsilon(1e-5) == pytest.approx(told["epsilon"])
    del made  # the model keeps it
    assert ledger.spent("people", 1e-5) == pytest.approx(told["epsilon"])
    with pytest.raises(pg.PrivacyError):
        query.draw(hidden, ledger=ledger, object="people")
    with pytest.raises(pg.ArgumentError, match="reads a dataset"):
        query.draw(graph)
    with pytest.raises(pg.ArgumentError, match="reads no dataset"):
        pg.Query("stars", epsilon=1).draw(hidden)
    assert len(model.history_exact()) == 0
    release = model.predict(dataset(parts), notion="node-removed", object="people")
    with pytest.raises(pg.ArgumentError, match="about the object 'People'"):
        model.promise("node-removed", "People")
    assert release.epsilon(1e-5) == pytest.approx(told["epsilon"])
    with pytest.raises(pg.PrivacyError):
        model.predict(hidden, notion="node-removed", object="people")
    with pytest.raises(pg.PrivacyError, match="mixes records"):
        pg.PrivateTraining(pg.Network(TEXT, 6, CLASSES), records, pg.Target(epsilon=8, delta=1e-5))
    model.save(tmp_path / "m.pvgm")
    assert pg.Model.load(tmp_path / "m.pvgm").promise("node-removed", "people").epsilon(1e-5) == \
        pytest.approx(told["epsilon"])


def test_windows_and_weights(parts):
    graph, features, labels, split = parts
    window = 5
    links = np.zeros((ORDER, window))
    kind = np.arange(ORDER) % 2
    pairs = [(i, j) for base in range(0, ORDER, window) for i in range(base, base + window)
             for j in range(i + 1, base + window)]
    alike = np.array([kind[i] == kind[j] for i, j in pairs], np.int32)
    for v in range(ORDER):
        links[v] = kind[v] == kind[v // window * window:][:window]
    data = pg.Dataset(features=pg.public(features), window=window, pairs=True, links=pg.public(links),
                      labels=pg.public(alike))
    assert len(data) == len(pairs)
    network = pg.Network("dense 8 | attend heads=2 links relu skip ln | pairs 8 links relu | dense 1", 6, 1)
    model = pg.Model.train(network, data, loss="binary", batch=5, epochs=60, seed=1)
    assert ((model.predict_exact(data)[:, 0] > .5) == alike).mean() > .95
    assert pg.Dataset(features=pg.public(features), window=2, links=pg.private(links[:, :2])).holds_secrets
    with pytest.raises(pg.ArgumentError, match="windows"):
        pg.Dataset(features=pg.public(features), window=7)
    with pytest.raises(pg.ArgumentError, match="public"):
        pg.Dataset(features=pg.public(features), window=2, links=links[:, :2])
    # masks of 1 change nothing, masks of 0 leave the node itself
    plain = pg.Model.train(pg.Network(TEXT, 6, CLASSES), dataset(parts), epochs=3)
    arcs = 2 * graph.size
    ones = pg.Dataset(graph=pg.public(graph), features=pg.public(features), arc_weights=np.ones(arcs), arcs="masks")
    none = pg.Dataset(graph=pg.public(graph), features=pg.public(features), arc_weights=np.zeros(arcs), arcs="masks")
    np.testing.assert_allclose(plain.predict_exact(ones), plain.predict_exact(dataset(parts)), rtol=1e-5)
    assert abs(plain.predict_exact(none) - plain.predict_exact(ones)).max() > 1e-3
    with pytest.raises(pg.ArgumentError, match="weights"):
        pg.Dataset(graph=pg.public(graph), features=pg.public(features), arc_weights=np.ones(3))


def test_what_an_encoder_saw_is_counted(parts):
    perturber = pg.Query("response", epsilon=4)
    release = perturber.draw(parts[0])
    encoder = pg.Model.train(pg.Network(TEXT, 6, CLASSES), dataset(parts, graph=release), epochs=3)
    hidden = pg.Dataset(features=pg.public(encoder.predict_exact(dataset(parts))), labels=pg.public(parts[2]),
                        split=parts[3], seen=[encoder])
    head = pg.Model.train(pg.Network("dense classes", CLASSES, CLASSES), hidden, epochs=3)
    assert head.promise(release.guarantee.notion).epsilon(0) == pytest.approx(4)


def test_explanations(parts):
    data = dataset(parts)
    model = pg.Model.train(pg.Network("gcn 8 tanh | gcn classes", 6, CLASSES), data, epochs=20, seed=1,
                           precision="double")
    features, _arcs = model.gradient_exact(data, 4, int(model.predict_exact(data, "classes")[4]))
    rows = pg.explain_exact("grad", model, data)
    assert rows.shape == (ORDER, 6)
    np.testing.assert_allclose(rows[4], np.abs(features[4]), atol=1e-12)
    for explainer in ["grad_input", "grad_ball", "grad_input_ball", "graph_lime", "gnn_explainer"]:
        some = pg.explain_exact(explainer, model, data, [4, 9], seed=3)
        np.testing.assert_array_equal(some, pg.explain_exact(explainer, model, data, [4, 9], seed=3, threads=2))
        assert some.shape == (2, 6) and (some >= 0).all()
    masks = pg.explain_masks_exact(model, data, [4, 9], arcs=True, seed=3, steps=5)
    assert masks.features.shape == (2, 6) and masks.agreement.shape == (2,)
    assert masks.arcs is not None and masks.arcs.shape == (2, data.arcs_exact) and (masks.arcs > 0).any()
    assert pg.explain_masks_exact(model, data, [4], seed=3).arcs is None
    with pytest.raises(pg.ArgumentError, match="explainer"):
        pg.explain_exact("lucky", model, data)
    with pytest.raises(pg.ArgumentError, match="not a node"):
        pg.explain_exact("grad", model, data, [ORDER])
    with pytest.raises(pg.ArgumentError, match="not a list"):
        pg.explain_exact("grad", model, data, [[1]])


def test_reconstruction():
    order, groups = 240, 24
    rng = np.random.default_rng(1)
    near = np.abs(np.arange(order)[:, None] // 10 - np.arange(order)[None, :] // 10)
    edges = np.argwhere(np.triu(rng.random((order, order)) < np.where(near == 0, .5, np.where(near == 1, .05, 0)), 1))
    graph = pg.Graph.from_edges(edges.T, order)
    rows = np.repeat(np.eye(groups), 10, axis=0)
    found = pg.reconstruct(rows, graph, features=rng.random((order, 3)), seed=2, window=8, windows=40, tests=15, cuts=2,
                           hidden=8, steps=40, directions=8)
    reports = found.reports
    assert "diffusion" not in reports and reports["twin"].cuts == 2 and reports["density"].auc == .5
    assert reports["attack"].auc > .6 and reports["attack"].excess == pytest.approx(
        reports["attack"].auc - reports["attack"].control_auc)
    first, second, truth = found.pairs()
    assert len(first) == 2 * 15 * 28 and found.scores().shape == truth.shape
    known = {tuple(edge) for edge in edges.tolist()}
    assert all(((min(u, v), max(u, v)) in known) == bool(t) for u, v, t in zip(first, second, truth))
    assert "AUC" in repr(found)
    noisy = pg.reconstruct(rows, graph, seed=2, window=8, windows=10, tests=5, cuts=1, hidden=8, steps=1, sigma=4)
    assert noisy.report("cosine").mu_row == .5 and noisy.report().mu_edge == pytest.approx(.5 * 120 ** .5)
    with pytest.raises(pg.ArgumentError, match="rows"):
        pg.reconstruct(rows[:5], graph)
    with pytest.raises(pg.ArgumentError, match="features"):
        pg.reconstruct(rows, graph, features=rows[0])
    with pytest.raises(pg.ArgumentError, match="connected"):
        pg.reconstruct(rows, pg.Graph.from_edges(np.zeros((2, 0), int), order))


def test_features_side_by_side():
    """What a node knows of itself beside noisy sums about it."""
    rng = np.random.default_rng(3)
    order = 40
    graph = pg.Graph.from_edges(np.stack([np.arange(order), (np.arange(order) + 1) % order]), order)
    x, labels = rng.random((order, 3)), np.arange(order) % 2
    layers = pg.Layers("sum", 1)
    states = pg.Query("message-passing", layers=layers, order=order, columns=3, epsilon=2.0, delta=1e-6).draw(graph,
                                                                                                              features=x, open="features")
    both = pg.Dataset(features=[pg.public(x), states], labels=pg.public(labels))
    model = pg.Model.train(pg.Network("dense 8 relu | dense classes", 6, 2), both, epochs=3)
    assert model.predict(both).guarantee.epsilon(1e-5) == pytest.approx(states.guarantee.epsilon(1e-5))
    closed = pg.Dataset(features=[pg.private(x), pg.public(x)], labels=pg.public(labels))
    assert closed.holds_secrets
    with pytest.raises(pg.ArgumentError, match="empty"):
        pg.Dataset(features=[])
    with pytest.raises(pg.ArgumentError, match="features"):
        pg.Dataset(features=[x])


def test_gin_does_not_die():
    """On an easy graph every start learns; as narrow as the classes, most starts died, and attacks say so."""
    rng = np.random.default_rng(0)
    order, classes, columns = 300, 3, 30
    y = rng.integers(0, classes, order)
    chance = np.where(y[:, None] == y[None], .08, .01)
    edges = np.argwhere(np.triu(rng.random((order, order)) < chance, 1)).T
    x = (rng.random((order, columns)) < .1) + np.eye(classes)[y] @ (rng.random((classes, columns)) < .3) * (
        rng.random((order, columns)) < .4)
    graph = pg.Graph.from_edges(edges, order)
    split = np.where(rng.random(order) < .5, 0, np.where(rng.random(order) < .4, 1, 2))
    data = pg.Dataset(graph=pg.public(graph), features=pg.public(x), labels=pg.public(y), split=split)
    for seed in range(6):
        model = pg.Model.train(pg.Network("gin 64 relu | gin classes", columns, classes), data, seed=seed)
        assert model.score(data)[0] > .9, seed
        assert not pg.attack.links_influence(model, data, graph).report("uniform").dead
    dead = [pg.Model.train(pg.Network("gin 64 relu | gin classes hidden=3", columns, classes), data, seed=seed)
            for seed in range(6)]
    dead = [model for model in dead if np.ptp(model.predict_exact(data, "logits"), axis=0).max() == 0]
    assert dead  # this test sees death
    report = pg.attack.links_influence(dead[0], data, graph).report("uniform")
    assert report.dead and report.silent and "dead model" in str(report)


@pytest.mark.parametrize("text", ["graphconv 8 relu | graphconv classes", "gatv2 8 heads=2 elu | gatv2 classes heads=2",
                                  "transformer 8 heads=2 relu | transformer classes"])
def test_more_maps(text):
    """They learn, and every explainer takes them."""
    rng = np.random.default_rng(1)
    order = 120
    y = np.arange(order) % 2
    pairs = rng.integers(0, order, (2, 900))
    pairs = pairs[:, (pairs[0] < pairs[1]) & (y[pairs[0]] == y[pairs[1]])]
    graph = pg.Graph.from_edges(np.unique(pairs, axis=1), order)
    x = rng.random((order, 4)) + .4 * y[:, None]
    data = pg.Dataset(graph=pg.public(graph), features=pg.public(x), labels=pg.public(y),
                      split=np.arange(order) // 2 % 3)
    model = pg.Model.train(pg.Network(text, 4, 2), data, seed=1)
    assert model.score(data)[0] > .9
    assert np.isfinite(pg.explain_exact("grad_ball", model, data)).all()
    assert np.isfinite(pg.explain_exact("gnn_explainer", model, data, nodes=[0, 1], seed=1)).all()
