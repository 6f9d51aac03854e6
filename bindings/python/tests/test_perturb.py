"""Perturbers of graphs, labels and features."""
import gc
import json
import math
import pickle

import numpy as np
import pytest
from scipy import sparse

import privgraph as pg

SEEDED = pg.Target(2.0, allow_seeded=True)


def test_labels():
    perturber = pg.Query("labels", classes=4, target=SEEDED)
    keep = math.exp(2) / (math.exp(2) + 3)
    expected = np.full((4, 4), (1 - keep) / 3)
    np.fill_diagonal(expected, keep)
    np.testing.assert_allclose(pg.estimate_transition(perturber), expected, rtol=1e-9)
    assert (perturber.reads, perturber.notion) == (("labels",), "label-ldp")
    assert perturber.guarantee().epsilon(0.0) <= 2.0
    truth = np.repeat([0, 1, 2, 3, -1], [4000, 3000, 2000, 1000, 500])
    release = perturber.draw(truth, rng=pg.Rng.seeded(1))
    given = release.labels
    gc.collect()
    assert (given[truth == -1] == -1).all() and release.notion == "label-ldp"
    assert np.mean(given[truth == 0] == 0) == pytest.approx(keep, abs=0.05)
    estimates, variances = pg.estimate_labels(perturber, release)
    assert (abs(estimates - [4000, 3000, 2000, 1000]) < 6 * np.sqrt(variances)).all()
    assert (abs(estimates - [1000, 2000, 3000, 4000]) > 6 * np.sqrt(variances)).any()  # it can fail
    with pytest.raises(pg.ArgumentError):
        release.values
    with pytest.raises(pg.ArgumentError):
        release.graph


def test_secure_by_default():
    secure = pg.Query("labels", classes=3, epsilon=1.0).draw([0, 1, 2])
    assert secure.publishable and secure.epsilon(0.0) <= 1.0
    with pytest.raises(pg.PrivacyError):
        pg.Query("labels", classes=3, epsilon=1.0).draw([0, 1, 2], rng=pg.Rng.seeded(1))
    assert not pg.Query("labels", classes=3, target=SEEDED).draw([0], rng=pg.Rng.seeded(1)).publishable


def test_features_are_unbiased():
    truth = np.random.default_rng(2).uniform(0, 1, (40, 3))
    truth[0] = [0.0, 0.5, 1.0]
    for method, target in (("multibit", SEEDED), ("one-bit", SEEDED),
                           ("noise", pg.Target(2.0, noise="laplace", allow_seeded=True))):
        perturber = pg.Query("features", columns=3, method=method, target=target)
        rng = pg.Rng.seeded(5)
        draws = np.array([perturber.draw(truth, rng=rng).values for _ in range(600)])
        for column in range(3):
            variance = pg.estimate_variance(perturber, column, truth[0, column])
            assert abs(draws[:, 0, column].mean() - truth[0, column]) < 6 * math.sqrt(variance / 600)
            assert draws[:, 0, column].var() == pytest.approx(variance, rel=0.5)
    assert pg.Query("features", columns=3, method="one-bit", target=SEEDED).describe()["sampled"] == 3


def test_sparse_features():
    perturber = pg.Query("features", columns=6, low=-1, high=[1] * 6, sparse=True, sampled=2, epsilon=1.0)
    release = perturber.draw(sparse.random(50, 6, 0.5, format="csr", random_state=1))
    features = release.features
    del release
    gc.collect()
    assert features.shape == (50, 6)
    assert (np.diff(features.csr()[0]) == 2).all()
    with pytest.raises(pg.ArgumentError, match="ranges"):
        pg.Query("features", columns=6, low=[0, 0], high=1, epsilon=1.0)
    with pytest.raises(pg.ArgumentError):
        pg.Query("features", columns=1, refuse=True, epsilon=1.0).draw([[2.0]])
    assert pg.Query("features", columns=1, epsilon=1.0).draw([[2.0]]).shape == (1, 1)


def test_labels_beyond_the_classes():
    assert set(pg.Query("labels", classes=3, epsilon=30.0).draw([7, 2, 0, -1]).labels) == {2, 0, -1}
    with pytest.raises(pg.ArgumentError, match="number of classes"):
        pg.Query("labels", classes=3, refuse=True, epsilon=1.0).draw([7])


def test_ledger_is_charged():
    book = pg.Ledger(3.0, notion="label-ldp")
    perturber = pg.Query("labels", classes=2, epsilon=2.0)
    perturber.draw([0, 1], object="votes", ledger=book)
    assert book.spent("votes", 0.0) == pytest.approx(2.0)
    with pytest.raises(pg.PrivacyError):
        perturber.draw([0, 1], object="votes", ledger=book)
    with pytest.raises(pg.ArgumentError, match="object"):
        perturber.draw([0, 1], ledger=book)
    with pytest.raises(TypeError):
        pickle.dumps(perturber)


# --- graphs -------------------------------------------------------------------------------

def test_response():
    perturber = pg.Query("response", epsilon=1.0, allow_seeded=True)
    assert (perturber.reads, perturber.notion) == (("graph",), "edge")
    assert perturber.guarantee().epsilon(0.0) <= 1.0
    flip = 1 / (1 + math.e)
    expected, most = (perturber.describe(200)[name] for name in ("added_edges", "added_edges_most"))
    assert expected == pytest.approx(flip * 200 * 199 / 2, rel=1e-6) and most > expected
    release = perturber.draw(pg.Graph.clique(200), rng=pg.Rng.seeded(3))
    graph = release.graph
    del release
    gc.collect()
    pairs = 200 * 199 / 2
    assert graph.order == 200
    assert abs(graph.size / pairs - (1 - flip)) < 6 * math.sqrt(flip * (1 - flip) / pairs)
    empty = perturber.draw((np.zeros((2, 0), np.int64), 200), rng=pg.Rng.seeded(4)).graph
    assert abs(empty.size / pairs - flip) < 6 * math.sqrt(flip * (1 - flip) / pairs)
    with pytest.raises(pg.PrivacyError):
        pg.Query("response", keep=0.99, epsilon=1.0)


def test_dprr():
    graph = pg.Graph.erdos_renyi(400, 0.02, 1)
    owned = pg.Query("dprr", epsilon=2.0)
    release = owned.draw(graph)
    assert release.publishable and release.notion == "edge" and release.epsilon(0.0) <= 2.0
    assert 0.3 * graph.size < release.graph.size < 3 * graph.size  # as sparse as the graph
    lists = pg.Query("dprr", reports="published", epsilon=4.0).draw(graph)
    offsets, targets = lists.lists
    assert lists.notion == "relationship" and len(offsets) == 401 and offsets[-1] == len(targets)
    with pytest.raises(pg.ArgumentError, match="published"):
        pg.Query("dprr", reports="split-share", epsilon=2.0)


def test_cycles_of_lent_graphs_are_collected():
    """The owner may go before what it lent; nobody may look at it then."""
    for _ in range(20):
        release = pg.Query("dprr", epsilon=2.0).draw(pg.Graph.cycle(30))
        ring = [release, release.graph]
        ring.append(ring)
        del release, ring
    gc.collect()


def test_object_of_a_graph_is_charged():
    book = pg.Ledger(3.0)
    graph = pg.Graph.cycle(30)
    graph.object = pg.object_number("ring")
    pg.Query("dprr", epsilon=2.0).draw(graph, ledger=book)
    assert book.spent("ring", 0.0) == pytest.approx(2.0)


def test_smoothing():
    graph = pg.Graph.erdos_renyi(20, 0.3, 2)
    values = np.random.default_rng(1).normal(size=(20, 3))
    adjacency = graph.to_scipy().toarray().astype(float)
    scale = 1 / np.sqrt(np.maximum(adjacency.sum(axis=1), 1))
    operator = scale[:, None] * adjacency * scale
    np.testing.assert_allclose(pg.kprop(graph, values, 2), operator @ operator @ values, atol=1e-12)
    np.testing.assert_allclose(pg.kprop(graph.csr(), values, 2), operator @ operator @ values, atol=1e-12)
    assert (pg.kprop(graph, values, 0) == values).all()
    with pytest.raises(pg.ArgumentError, match="shape"):
        pg.kprop(graph, values[:3], 1)


def test_edge_set_lists():
    graph = pg.Graph.erdos_renyi(40, 0.2, 3)
    blocks = np.arange(40) % 4
    near = np.exp(-np.abs(np.subtract.outer(np.arange(40), np.arange(40))) / 5)
    target = pg.Target(2.0)
    perturbers = [pg.Query("subset", target=target), pg.Query("subset", lists="whole", target=target),
                  pg.Query("slots", order=40, target=target), pg.Query("slots", order=40, kernel="blocks",
                                                                       groups=blocks, target=target),
                  pg.Query("slots", order=40, kernel="similarity", similarities=near, repeats="drop", target=target)]
    for perturber in perturbers:
        release = perturber.draw(graph)
        offsets, targets = release.lists
        assert release.publishable and release.epsilon(0.0) <= 2.0
        assert release.notion == ("switch" if perturber is perturbers[1] else "edge-set-ldp")
        assert len(offsets) == 41 and offsets[-1] == len(targets) and targets.max() < 40
    assert perturbers[0].draw(graph).lists[0][-1] == graph.size  # lengths are public and stay
    assert perturbers[1].draw(graph).lists[0][-1] == 2 * graph.size
    with pytest.raises(pg.ArgumentError, match="kernel"):
        pg.Query("slots", order=40, kernel="drop", target=target)
    with pytest.raises(pg.ArgumentError, match="40|groups"):
        pg.Query("slots", order=40, kernel="blocks", groups=[1, 2], target=target)


def test_other_graphs():
    graph = pg.Graph.erdos_renyi(200, 0.05, 3)
    lap = pg.Query("lapgraph", epsilon=4.0)
    release = lap.draw(graph)
    assert release.publishable and release.notion == "edge" and release.epsilon(0.0) <= 4.0
    assert abs(release.graph.size - graph.size) < 0.9 * graph.size + 500  # noise of scale 25
    assert lap.describe(200)["added_edges_most"] > 0
    blink = pg.Query("blink", epsilon=8.0).draw(graph)
    assert blink.publishable and blink.notion == "relationship" and blink.graph.order == 200


def test_refuted_method_says_so():
    graph, features = pg.Graph.erdos_renyi(30, 0.2, 3), np.random.default_rng(1).uniform(size=(30, 4))
    perturber = pg.Query("graphprivatizer", epsilon=1.0)
    assert perturber.guarantee().epsilon(1e-6) == math.inf
    release = perturber.draw(graph, features=features, open="features")
    assert not release.publishable and "NOT PRIVATE" in repr(release)


def test_estimates_are_unbiased():
    graph = pg.Graph.erdos_renyi(60, 0.3, 3)
    perturber = pg.Query("response", epsilon=2.0, allow_seeded=True)
    rng = pg.Rng.seeded(9)
    drawn = [perturber.draw(graph, rng=rng) for _ in range(200)]
    edges = np.array([pg.estimate_edges(perturber, one) for one in drawn])
    assert abs(edges[:, 0].mean() - graph.size) < 6 * math.sqrt(edges[:, 1].mean() / 200)
    assert abs(np.mean([one.graph.size for one in drawn]) - graph.size) > 50  # without correction: far off
    degrees = np.array([pg.estimate_degrees(perturber, one) for one in drawn]).mean(axis=0)
    assert abs(degrees[0][0] - graph.degree(0)) < 6 * math.sqrt(degrees[1][0] / 200)
    triangles = np.array([pg.estimate_triangles(perturber, one) for one in drawn])
    exact = int(pg.Density("triangle").count_exact(graph)[0]) // 6
    assert abs(triangles[:, 0].mean() - exact) < 6 * triangles[:, 0].std() / math.sqrt(200)


def test_sets_pay_for_all_or_none(tmp_path):
    graphs = pg.GraphSet.from_graphs([pg.Graph.from_edges([[0, 1], [1, 2]], order=5) for _ in range(3)])
    perturber = pg.Query("response", epsilon=1)
    ledger = pg.Ledger(epsilon=1.5)
    release = perturber.draw(graphs, object=["a", "b", "c"], ledger=ledger)
    assert [graph.order for graph in release.graphs] == [5, 5, 5]
    assert release.record["objects"] == 3 and release.record["paid"]["charge"] == 1
    with pytest.raises(pg.PrivacyError):
        perturber.draw(graphs, object=["d", "e", "a"], ledger=ledger)
    assert ledger.charges == 1 and ledger.spent("d") == 0
    release.save(tmp_path / "set.release")
    loaded = pg.Release.load(tmp_path / "set.release")
    assert loaded.loaded and not release.loaded and loaded.record == release.record
    for a, b in zip(loaded.graphs, release.graphs):
        assert np.array_equal(a.edges(), b.edges())
    parsed = pg.Guarantee.parse(json.dumps(release.record))
    assert parsed.record == release.record and parsed.holds
