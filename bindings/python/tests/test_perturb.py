"""Perturbers of labels and features, layers and their sensitivities."""
import gc
import math
import pickle

import numpy as np
import pytest
from scipy import sparse

import privgraph as pg

SEEDED = pg.Target(2.0, allow_seeded=True)


def test_labels():
    perturber = pg.Perturber.labels(4, SEEDED)
    keep = math.exp(2) / (math.exp(2) + 3)
    expected = np.full((4, 4), (1 - keep) / 3)
    np.fill_diagonal(expected, keep)
    np.testing.assert_allclose(perturber.transition, expected, rtol=1e-9)
    assert (perturber.input, perturber.notion) == ("labels", "label-ldp")
    assert perturber.epsilon(0.0) <= 2.0 and perturber.record["notion"] == "label-LDP"
    truth = np.repeat([0, 1, 2, 3, -1], [4000, 3000, 2000, 1000, 500])
    release = perturber.release(truth, rng=pg.Rng.seeded(1))
    given = release.labels
    gc.collect()
    assert (given[truth == -1] == -1).all() and release.notion == "label-ldp"
    assert np.mean(given[truth == 0] == 0) == pytest.approx(keep, abs=0.05)
    estimates, variances = perturber.label_histogram(given)
    assert (abs(estimates - [4000, 3000, 2000, 1000]) < 6 * np.sqrt(variances)).all()
    assert (abs(estimates - [1000, 2000, 3000, 4000]) > 6 * np.sqrt(variances)).any()  # it can fail
    with pytest.raises(pg.ArgumentError):
        release.values
    with pytest.raises(pg.ArgumentError):
        release.graph


def test_secure_by_default():
    secure = pg.Perturber.labels(3, pg.Target(1.0)).release([0, 1, 2])
    assert secure.is_private and secure.epsilon(0.0) <= 1.0
    with pytest.raises(pg.PrivacyError):
        pg.Perturber.labels(3, pg.Target(1.0)).release([0, 1, 2], rng=pg.Rng.seeded(1))
    assert not pg.Perturber.labels(3, SEEDED).release([0], rng=pg.Rng.seeded(1)).is_private


def test_features_are_unbiased():
    truth = np.random.default_rng(2).uniform(0, 1, (40, 3))
    truth[0] = [0.0, 0.5, 1.0]
    for method, target in (("multibit", SEEDED), ("one-bit", SEEDED),
                           ("noise", pg.Target(2.0, noise="laplace", allow_seeded=True))):
        perturber = pg.Perturber.features(3, target, method=method)
        rng = pg.Rng.seeded(5)
        draws = np.array([perturber.release(truth, rng=rng).values for _ in range(600)])
        for column in range(3):
            variance = perturber.feature_variance(column, truth[0, column])
            assert abs(draws[:, 0, column].mean() - truth[0, column]) < 6 * math.sqrt(variance / 600)
            assert draws[:, 0, column].var() == pytest.approx(variance, rel=0.5)
    assert pg.Perturber.features(3, SEEDED, method="one-bit").sampled == 3


def test_sparse_features():
    perturber = pg.Perturber.features(6, pg.Target(1.0), low=-1, high=[1] * 6, sparse=True, sampled=2)
    release = perturber.release(sparse.random(50, 6, 0.5, format="csr", random_state=1))
    features = release.features
    del release
    gc.collect()
    assert features.shape == (50, 6)
    assert (np.diff(features.csr()[0]) == 2).all()
    with pytest.raises(pg.ArgumentError, match="low and high"):
        pg.Perturber.features(6, pg.Target(1.0), low=[0, 0], high=1)
    with pytest.raises(pg.ArgumentError):
        pg.Perturber.features(1, pg.Target(1.0), clamp=False).release([[2.0]])
    assert pg.Perturber.features(1, pg.Target(1.0)).release([[2.0]]).shape == (1, 1)


def test_ledger_is_charged():
    book = pg.Ledger(3.0, notion="label-ldp")
    perturber = pg.Perturber.labels(2, pg.Target(2.0))
    perturber.release([0, 1], object="votes", ledger=book)
    assert book.spent("votes", 0.0) == pytest.approx(2.0)
    with pytest.raises(pg.PrivacyError):
        perturber.release([0, 1], object="votes", ledger=book)
    with pytest.raises(pg.ArgumentError, match="object"):
        perturber.release([0, 1], ledger=book)
    with pytest.raises(TypeError):
        pickle.dumps(perturber)


def test_layers():
    layers = pg.Layers("symmetric", 3, contraction=0.8, residual=0.1)
    assert len(layers) == layers.depth == 3 and layers.dimension == 0
    assert layers.config["operation"] == "symmetric" and layers.config["contraction"] == 0.8
    premise = pg.Premise(100, 20, "promised", least_degree=2)
    assert layers.gain(0) == 1.0
    assert layer_ok(pg.layer_lipschitz(layers, premise), 0.8)
    found = pg.layer_sensitivity(layers, premise)
    assert found.shape == (3,) and (found > 0).all()
    assert (pg.layer_sensitivity(layers, premise, "node-removed") >= found).all()
    assert pg.layer_sensitivity_published(layers, premise).shape == (3,)
    turned = pg.Layers("symmetric", 2, weights=[np.eye(2) * 3, np.eye(2)], activation="relu")
    assert turned.gain(0) == pytest.approx(3.0) and turned.dimension == 2
    with pytest.raises(pg.ArgumentError, match="weights"):
        pg.Layers("symmetric", 2, weights=[np.eye(2)])
    with pytest.raises(pg.ArgumentError, match="operation"):
        pg.Layers("sideways")
    with pytest.raises(pg.PrivacyError):
        pg.layer_sensitivity(layers, premise, "edge-directed")


def layer_ok(found, expected):
    return found == pytest.approx([expected] * 3, rel=1e-9)
