"""Range against noise of propagators and perturbers, and the warning where nothing can be seen."""
import warnings

import numpy as np
import pytest

import privgraph as pg


def ring(order):
    return pg.Graph.from_edges([(i, (i + 1) % order) for i in range(order)], order)


def silent(call):
    with warnings.catch_warnings():
        warnings.simplefilter("error", pg.NothingVisibleWarning)
        return call()


def test_tiny_graphs():
    embedder = pg.Query("embed", patterns="edge,cycle6", epsilon=0.05, delta=1e-6)
    with pytest.warns(pg.NothingVisibleWarning, match="nothing can be seen"):
        embedder.draw(ring(8))
    with pytest.warns(pg.NothingVisibleWarning):
        embedder.draw([ring(8), ring(6)])
    large = pg.Query("embed", patterns="edge,cycle6", epsilon=1, delta=1e-6)
    silent(lambda: large.draw(ring(200)))
    smooth = pg.Query("embed", patterns="edge", epsilon=0.5, delta=1e-6, noise="smooth", beta=0.001)
    silent(lambda: smooth.draw(ring(8)))


def test_long_counts_are_told_before():
    slow = pg.Query("embed", patterns="wheel5", max_degree=60, epsilon=1, delta=1e-6)
    ledger = pg.Ledger(1.0, 1e-6)
    assert slow.cost(5000)[1] > 10 > slow.cost(60)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error", pg.SlowWarning)
        slow.draw(ring(60), object="small")
        pg.Query("scalars", list="edges", epsilon=1).draw(ring(5000))
        with pytest.raises(pg.SlowWarning, match="time_limit"):  # before anything is drawn or paid
            slow.draw(ring(5000), object="ring", ledger=ledger)
    assert ledger.charges == 0
    with pytest.warns(pg.SlowWarning, match="up to .* seconds"):
        slow.draw(ring(5000))
    with pytest.raises(pg.LimitError):
        slow.draw(ring(5000), time_limit=1)
    several = pg.GraphSet.from_graphs([ring(5000), ring(60)])
    with pytest.warns(pg.SlowWarning):
        slow.draw(several)
    untold = pg.Graph.from_edges([(0, 4999)], 5000, declared=False)
    with warnings.catch_warnings(), pytest.raises(pg.PrivacyError):  # no word tells how many nodes there are
        warnings.simplefilter("error", pg.SlowWarning)
        slow.draw(untold)


def test_messages():
    layers = pg.Layers(depth=2)
    drowned = pg.Query("message-passing", layers=layers, order=40, columns=3, epsilon=1, delta=1e-6)
    plan = drowned.preview()
    assert len(plan) == 1 and plan.informative == 0
    assert plan.name(0) == "layer2"
    assert plan[0].noise == drowned.describe(40)["output_noise"]
    with pytest.warns(pg.NothingVisibleWarning, match=f"epsilon {plan[0].epsilon_min:.3g}"):
        drowned.draw(ring(40), features=np.ones((40, 3)), open="features")
    enough = pg.Query("message-passing", layers=layers, order=40, columns=3, epsilon=1.01 * plan[0].epsilon_min,
                      delta=1e-6)
    assert enough.preview().informative == 1
    silent(lambda: enough.draw(ring(40), features=np.ones((40, 3)), open="features"))


def test_answers():
    weak = pg.Query("response", epsilon=0.01)
    plan = weak.preview(20)
    assert [plan.name(i) for i in range(2)] == ["an edge", "number of edges"]
    assert [line.verdict for line in plan.lines] == ["hidden", "hidden"]
    with pytest.warns(pg.NothingVisibleWarning, match="number of edges"):
        weak.draw(ring(20))
    assert weak.preview(2000).informative == 1
    labels = pg.Query("labels", classes=3, epsilon=0.001)
    with pytest.warns(pg.NothingVisibleWarning, match="users of a class"):
        labels.draw(np.zeros(10, dtype=np.int32))
    silent(lambda: pg.Query("labels", classes=3, epsilon=1).draw(
        np.zeros(1000, dtype=np.int32)))


def test_numbers():
    weak = pg.Query("scalars", list=["edges"], order=20, epsilon=0.001)
    with pytest.warns(pg.NothingVisibleWarning, match="edges"):
        weak.draw(ring(20))
    silent(lambda: pg.Query("scalars", list=["edges"], order=20, epsilon=1).draw(ring(20)))


def test_classes_of_nodes():
    """What a pipeline would draw, from public numbers: 30 nodes at epsilon 0.01 show nothing."""
    graph, labels = ring(30), np.arange(30) % 2
    features = np.random.default_rng(1).random((30, 4))
    for method, delta in (("histogram", 0.0), ("sums", 1e-6), ("gap", 1e-6), ("pcmp", 1e-6), ("response", 0.0)):
        with pytest.warns(pg.NothingVisibleWarning):
            pg.learn_nodes(graph, labels, 0.01, delta=delta, method=method, features=features, averages=1)
    silent(lambda: pg.learn_nodes(graph, labels, 2.0, features=features, averages=1))
    silent(lambda: pg.learn_nodes(graph, labels, 0.01, method="features", features=features, averages=1))
    for share in (0.0, 0.4):
        with pytest.warns(pg.NothingVisibleWarning):
            pg.classify(graph, labels, 0.01, features=features, first_share=share)
    silent(lambda: pg.classify(graph, labels, 2.0, features=features))


def test_users_and_hidden_nodes():
    graph, labels, parts = ring(30), np.arange(30) % 2, np.zeros(30, np.int32)
    parts[20:] = 1
    features = np.random.default_rng(1).random((30, 4))
    with pytest.warns(pg.NothingVisibleWarning):
        pg.learn_users(graph, labels, parts, classes=2, label_epsilon=0.001, list_epsilon=0.001)
    with pytest.warns(pg.NothingVisibleWarning) as told:  # a part that is hidden is told, whatever the others show
        pg.learn_users(graph, labels, parts, classes=2, label_epsilon=3.0, list_epsilon=0.001)
    assert sum(one.category is pg.NothingVisibleWarning for one in told) == 1
    silent(lambda: pg.learn_users(graph, labels, parts, classes=2, label_epsilon=3.0, list_epsilon=8.0))
    with pytest.warns(pg.NothingVisibleWarning):
        pg.learn_hidden_nodes(graph, labels, parts, 0.05, 1e-5, features=features, classes=2, method="gap", max_degree=2, steps=2)
    silent(lambda: pg.learn_hidden_nodes(graph, labels, parts, 0.05, 1e-5, features=features, classes=2,
                                         steps=2))
