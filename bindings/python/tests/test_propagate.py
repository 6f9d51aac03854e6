"""Layers, their sensitivities, exact and private message passing."""
import math

import numpy as np
import pytest
from scipy import sparse

import privgraph as pg


def test_layers():
    layers = pg.Layers("symmetric", 3, contraction=0.8, residual=0.1)
    assert len(layers) == layers.depth == 3 and layers.dimension == 0
    assert layers.config["operation"] == "symmetric" and layers.config["contraction"] == 0.8
    assumption = pg.Assumption(100, 20, "promised", least_degree=2)
    assert layers.gain(0) == 1.0
    assert layer_ok(pg.layer_lipschitz(layers, assumption), 0.8)
    found = pg.layer_sensitivity(layers, assumption)
    assert found.shape == (3,) and (found > 0).all()
    assert (pg.layer_sensitivity(layers, assumption, "node-removed") >= found).all()
    assert pg.layer_sensitivity_published(layers, assumption).shape == (3,)
    turned = pg.Layers("symmetric", 2, weights=[np.eye(2) * 3, np.eye(2)], activation="relu")
    assert turned.gain(0) == pytest.approx(3.0) and turned.dimension == 2
    with pytest.raises(pg.ArgumentError, match="weights"):
        pg.Layers("symmetric", 2, weights=[np.eye(2)])
    with pytest.raises(pg.ArgumentError, match="operation"):
        pg.Layers("sideways")
    with pytest.raises(pg.PrivacyError):
        pg.layer_sensitivity(layers, assumption, "edge-directed")


def layer_ok(found, expected):
    return found == pytest.approx([expected] * 3, rel=1e-9)


# --- exact --------------------------------------------------------------------------------

def graph_and_features(seed=1, order=30, columns=4):
    x = np.random.default_rng(seed).normal(size=(order, columns)) * 0.3
    return pg.Graph.erdos_renyi(order, 0.2, seed).truncate_degree(11), x


def by_hand(graph, x, depth, contraction, mean, residual):
    """The formula of layer.h with dense matrices: symmetric operator, tau = self_weight = 1."""
    adjacency = graph.to_scipy().toarray().astype(float)
    scale = 1 / np.sqrt(adjacency.sum(axis=1) + 1)
    operator = scale[:, None] * (adjacency + np.eye(len(x))) * scale

    def project(rows):
        return rows / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))
    start = state = project(x)
    for _ in range(depth):
        inside = project(state)
        state = contraction * ((1 - mean) * operator @ inside
                               + mean * inside.mean(axis=0, keepdims=True)) + residual * start
    return state


def test_exact_layers():
    graph, x = graph_and_features()
    layers = pg.Layers("symmetric", 3, contraction=0.8, mean_weight=0.2, residual=0.1)
    expected = by_hand(graph, x * 5, 3, 0.8, 0.2, 0.1)
    for given in (x * 5, sparse.csr_matrix(x * 5), pg.Features.from_dense(x * 5)):
        np.testing.assert_allclose(pg.propagate_exact(layers, graph, given), expected, atol=1e-12)
    assert (pg.propagate_exact(layers, graph, x, threads=3) == pg.propagate_exact(layers, graph, x)).all()
    error = pg.propagation_rounding(layers, 0, 30, 4)
    assert 0 < error < 1e-9
    with pytest.raises(pg.ArgumentError, match="shape"):
        pg.propagate_exact(layers, graph, x[:5])


def test_operator_alone():
    graph, x = graph_and_features()
    total = pg.apply_operator_exact(pg.Layers("sum"), graph, x)
    np.testing.assert_allclose(total, graph.to_scipy() @ x, atol=1e-12)
    single = pg.apply_operator_exact(pg.Layers("sum"), graph, x.astype(np.float32))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, total, atol=1e-5)


# --- private ------------------------------------------------------------------------------

ASSUMPTION = pg.Assumption(30, 12, "promised", least_degree=1)
GIVEN = dict(order=30, max_degree=12, degrees="promised", least_degree=1)


def test_private_layers():
    graph, x = graph_and_features()
    layers = pg.Layers("symmetric", 4, contraction=0.7)
    propagator = pg.Query("message-passing", layers=layers, **GIVEN, columns=4, epsilon=2.0, delta=1e-6)
    told = propagator.describe(30)
    assert propagator.guarantee().epsilon(1e-6) <= 2.0 and told["method"] in ("output", "perturbed")
    assert told["columns"] == 4
    release = propagator.draw(graph, features=x, open="features")
    assert release.shape == (30, 4) and release.publishable
    assert release.epsilon(1e-6) <= 2.0 and release.notion == "edge"
    np.testing.assert_allclose(told["lipschitz"], pg.layer_lipschitz(layers, ASSUMPTION))
    hops = pg.Query("message-passing", layers=layers, **GIVEN, columns=4, method="hops", epsilon=2.0, delta=1e-6)
    assert hops.draw(graph, features=sparse.csr_matrix(x), open="features").shape == (30, 16)


def test_noise_has_the_previewed_scale():
    graph, x = graph_and_features()
    layers = pg.Layers("symmetric", 2, contraction=0.7)
    propagator = pg.Query("message-passing", layers=layers, **GIVEN, columns=4, method="output", epsilon=1.0,
                          delta=1e-6, allow_seeded=True)
    exact, rng = pg.propagate_exact(layers, graph, x), pg.Rng.seeded(2)
    noise = np.array([propagator.draw(graph, features=x, open="features", rng=rng).values - exact for _ in range(40)])
    deviation = noise.std() / propagator.describe(30)["scale"]
    assert abs(deviation - 1) < 0.07  # 4800 numbers: more than 6 standard errors
    assert abs(1.2 * deviation - 1) > 0.07


def test_contractive_accounting():
    assert pg.contractive_mu([0.5, 0.5], [1, 1], [1, 1]) == pytest.approx(pg.contractive_mu(0.5, [1, 1], [1, 1]))
    assert pg.contractive_shift([math.inf, 0.5], [1, 1]) == pytest.approx(1.5)


def test_refusals():
    graph, x = graph_and_features()
    layers = pg.Layers("symmetric", 2)
    with pytest.raises(pg.ArgumentError):
        pg.Query("message-passing", layers=layers, **GIVEN, columns=3, epsilon=1.0, delta=1e-6).draw(graph, features=x,
                                                                                                     open="features")
    with pytest.raises(pg.PrivacyError):
        pg.Query("message-passing", layers=layers, **GIVEN, columns=4, hide="edge-directed", epsilon=1.0, delta=1e-6)
    with pytest.raises(pg.ArgumentError, match="object"):
        pg.Query("message-passing", layers=layers, **GIVEN, columns=4, epsilon=1.0, delta=1e-6).draw(graph, features=x,
                                                                                                     open="features", ledger=pg.Ledger(1.0, 1e-5))
    book = pg.Ledger(1.5, 1e-5)
    made = pg.Query("message-passing", layers=layers, **GIVEN, columns=4, epsilon=1.0, delta=1e-6)
    made.draw(graph, features=x, open="features", object="net", ledger=book)
    assert 0 < book.spent("net") <= 1.0
