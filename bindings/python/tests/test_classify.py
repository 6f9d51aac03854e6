"""Statistics and what is learnt from them: histogram against NumPy, logistic regression against scikit-learn."""
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import privgraph as pg


def blocks(seed=1, each=200):
    """Two classes that keep to themselves, weak features, a third of the labels known."""
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1], each)
    chance = np.where(truth[:, None] == truth[None, :], 0.06, 0.01)
    upper = np.triu(rng.random(chance.shape) < chance, 1)
    graph = pg.Graph.from_edges(np.array(np.nonzero(upper)), order=2 * each)
    features = rng.normal(size=(2 * each, 6)) + 0.4 * truth[:, None]
    part = rng.integers(0, 3, 2 * each)
    labels = np.where(part == 0, truth, -1).astype(np.int32)
    checks = np.where(part == 1, truth, -1).astype(np.int32)
    return graph, features, truth, labels, checks, part == 2


def test_histogram_count_each_edge_once():
    graph, _, truth, _, _, _ = blocks()
    order = graph.order
    priorities = np.random.default_rng(2).integers(0, 5, order).astype(float)
    statistic = pg.Query("edge-histogram", order=order, kinds=truth, priorities=priorities, epsilon=1.0)
    promise = statistic.guarantee()
    assert statistic.shape(graph) == (order, 2) and statistic.notion == "edge" and promise.claim == "release.histogram"
    assert promise.epsilon() <= 1 and promise.record["private"]
    assert np.allclose(statistic.deviations(), np.sqrt(2 / np.e) / (1 - 1 / np.e))
    expected = np.zeros((order, 2))
    for u, v in graph.edges().T:
        sends, gets = (u, v) if (priorities[u], -u) > (priorities[v], -v) else (v, u)
        expected[gets, truth[sends]] += 1
    assert np.array_equal(statistic.values_exact(graph), expected)
    assert expected.sum() == graph.size
    release = statistic.draw(graph)
    assert release.publishable and np.array_equal(release.values, np.floor(release.values))
    assert 0.5 < np.std(release.values - expected) < 2.5


def test_other_cells():
    graph, _, truth, _, _, _ = blocks()
    between = pg.Query("edge-histogram", order=graph.order, kinds=truth, cells="between",
                       epsilon=1.0).values_exact(graph)
    assert between[0, 1] == between[1, 0] and between[0, 0] + between[0, 1] + between[1, 1] == graph.size
    weights = np.linspace(0, 1, graph.order)[:, None]
    both = pg.Query("edge-histogram", order=graph.order, weights=weights, cells="both-ways", grid=2.0 ** -12,
                    epsilon=1.0)
    sums = np.zeros((graph.order, 1))
    for u, v in graph.edges().T:
        sums[u] += weights[v]
        sums[v] += weights[u]
    assert np.abs(both.values_exact(graph) - sums).max() < 0.02
    with pytest.raises(pg.ArgumentError, match="NaN"):
        pg.Query("edge-histogram", order=2, priorities=[0.0, np.nan], epsilon=1.0)
    with pytest.raises(pg.ArgumentError, match="1 rows for 2 nodes"):
        pg.Query("edge-histogram", order=2, weights=[1.0, 2.0], epsilon=1.0)


def test_logistic_is_that_of_sklearn():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(300, 4))
    labels = (x @ rng.normal(size=(4, 3)) + rng.normal(size=(300, 3))).argmax(1).astype(np.int32)
    labels[::7] = -1
    known = labels >= 0
    own = pg.Logistic(x, labels, penalty=0.5, tolerance=1e-9)
    other = LogisticRegression(C=2.0, tol=1e-10, max_iter=10000).fit(x[known], labels[known])
    assert np.allclose(own.predict(x), other.predict_proba(x), atol=1e-5)
    assert own.weights.shape == (5, 3)


def test_classify():
    graph, features, truth, labels, checks, tested = blocks()
    result = pg.classify(graph, labels, 2.0, features=features, checks=checks)
    assert np.allclose(result.probabilities.sum(1), 1)
    before = (result.prior.argmax(1) == truth)[tested].mean()
    assert (result.classes == truth)[tested].mean() > before + 0.05
    assert len(result.releases) == 1 and result.releases[0].epsilon(0.0) <= 2 and "e^2" in result.text
    assert np.array_equal(result.classes[labels >= 0], labels[labels >= 0])
    twice = pg.classify(graph, labels, 2.0, prior=result.prior, first_share=0.4)
    assert len(twice.releases) == 2 and twice.releases[1].epsilon(0.0) <= 2  # the second has the first in it
    bare = pg.classify(graph, labels, 2.0)
    assert bare.prior.std(axis=0).max() < 1e-12
    with pytest.raises(pg.ArgumentError, match="prior has shape"):
        pg.classify(graph, labels, 2.0, prior=result.prior[:5])


def test_a_ledger_pays():
    graph, features, _, labels, _, _ = blocks()
    ledger = pg.Ledger(1.5, 1e-9)
    pg.classify(graph, labels, 1.0, features=features, ledger=ledger, object="people")
    with pytest.raises(pg.PrivacyError):
        pg.classify(graph, labels, 1.0, features=features, ledger=ledger, object="people")
    with pytest.raises(pg.ArgumentError, match="object"):
        pg.classify(graph, labels, 1.0, features=features, ledger=ledger)


def test_one_hop_in_l1():
    graph, features, _, _, _, _ = blocks()
    layers = pg.Layers("sum", 1)
    own = pg.Query("message-passing", layers=layers, order=graph.order, columns=6, l1_rows=True, epsilon=1.0)
    other = pg.Query("message-passing", layers=layers, order=graph.order, columns=6, epsilon=1.0, delta=1e-6)
    assert own.preview()[0].noise < 0.5 * other.preview()[0].noise
    assert own.draw(graph, features=features, open="features").epsilon(0.0) <= 1
