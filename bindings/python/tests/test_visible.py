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
    embedder = pg.Embedder("edge,cycle6", pg.Target(epsilon=0.05, delta=1e-6))
    with pytest.warns(pg.NothingVisibleWarning, match="nothing can be seen"):
        embedder.release(ring(8))
    with pytest.warns(pg.NothingVisibleWarning):
        embedder.release([ring(8), ring(6)])
    large = pg.Embedder("edge,cycle6", pg.Target(epsilon=1, delta=1e-6))
    silent(lambda: large.release(ring(200)))
    smooth = pg.Embedder("edge", pg.Target(epsilon=0.5, delta=1e-6, noise="smooth", beta=0.001))
    silent(lambda: smooth.release(ring(8)))


def test_messages():
    layers = pg.Layers(depth=2)
    drowned = pg.Propagator(layers, pg.Premise(40), 3, pg.Target(epsilon=1, delta=1e-6))
    plan = pg.Tradeoff(drowned)
    assert len(plan) == 1 and plan.informative == 0
    assert plan.name(0) == "state after layer 2"
    assert plan[0].noise == drowned.preview().output_noise
    with pytest.warns(pg.NothingVisibleWarning, match=f"epsilon {plan[0].epsilon_min:.3g}"):
        drowned.release(ring(40), np.ones((40, 3)))
    enough = pg.Propagator(layers, pg.Premise(40), 3, pg.Target(epsilon=1.01 * plan[0].epsilon_min, delta=1e-6))
    assert pg.Tradeoff(enough).informative == 1
    silent(lambda: enough.release(ring(40), np.ones((40, 3))))


def test_answers():
    weak = pg.Perturber.response(pg.Target(epsilon=0.01))
    plan = pg.Tradeoff(weak, 20)
    assert [plan.name(i) for i in range(2)] == ["an edge", "number of edges"]
    assert [line.verdict for line in plan.lines] == ["hidden", "hidden"]
    with pytest.warns(pg.NothingVisibleWarning, match="number of edges"):
        weak.release(ring(20))
    assert pg.Tradeoff(weak, 2000).informative == 1
    labels = pg.Perturber.labels(3, pg.Target(epsilon=0.001))
    with pytest.warns(pg.NothingVisibleWarning, match="users of a class"):
        labels.release(np.zeros(10, dtype=np.int32))
    silent(lambda: pg.Perturber.labels(3, pg.Target(epsilon=1)).release(
        np.zeros(1000, dtype=np.int32)))
