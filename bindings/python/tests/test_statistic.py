"""Degree diagrams, triangles, scalars, joined statistics and what is derived from them."""
import networkx as nx
import numpy as np
import pytest

import privgraph as pg

ORDER = 200
TARGET = pg.Target(epsilon=1.0, allow_seeded=True)


@pytest.fixture
def graph():
    edges = np.array(nx.powerlaw_cluster_graph(ORDER, 4, 0.5, seed=1).edges).T
    return pg.Graph.from_edges(edges, ORDER)


def test_diagrams_give_degrees_back(graph):
    statistic = pg.Statistic.degrees(TARGET, order=ORDER, levels=5, ranks=-1)
    exact = statistic.values_exact(graph)
    degrees = np.diff(graph.csr()[0])
    sequence = pg.degree_sequence(statistic, exact, ORDER)
    assert sequence.sum() == 2 * graph.size
    assert (np.diff(sequence) <= 0).all()
    moments = pg.degree_moments(statistic, exact, ORDER, 3)
    assert moments[0] == ORDER and moments[1] == 2 * graph.size
    assert moments[2] == pytest.approx((sequence.astype(float) ** 2).sum())
    assert sorted(degrees) == sorted(sequence)
    density = pg.degree_densities(statistic, exact, "edge", ORDER)
    assert density[0] == pytest.approx(2 * graph.size / ORDER ** 2)
    released = statistic.release(graph, rng=pg.Rng.seeded(1)).values
    assert abs(pg.degree_sequence(statistic, released, ORDER).sum() / 2 - graph.size) < 150
    with pytest.raises(pg.ArgumentError):
        pg.degree_sequence(statistic, released[:, :3], ORDER)


def test_numbers_under_one_budget(graph):
    scalars = pg.Statistic.scalars(["edges", "components", "radius"], TARGET, weights=[2, 1, 1])
    triangles = pg.Statistic.triangles(TARGET)
    joined = pg.Statistic.joined([scalars, triangles])
    assert joined.parts == [(0, 1, 3), (3, 1, 1)]
    exact = joined.values_exact(graph)[0]
    assert exact[0] == graph.size and exact[1] == 1
    assert exact[3] == triangles.values_exact(graph)[0, 0]
    assert exact[2] == pytest.approx(pg.Statistic.spectrum(ORDER, TARGET).values_exact(graph)[0, 0], abs=0.02)
    assert scalars.deviations()[0] < scalars.deviations()[1]
    assert joined.release(graph, rng=pg.Rng.secure()).values.shape == (1, 4)
    with pytest.raises(pg.PrivacyError):
        joined.deviations()


def test_synthetic_graph(graph):
    blocks = np.arange(ORDER) % 2
    made, release = pg.synthesize(graph, 8.0, blocks=blocks)
    assert made.order == ORDER and abs(made.size - graph.size) < 30
    again, _ = pg.synthesize(graph, 8.0, blocks=blocks, rng=pg.Rng.seeded(1))
    other, _ = pg.synthesize(graph, 8.0, blocks=blocks, rng=pg.Rng.seeded(1))
    assert again.size == other.size


def test_planned_noise_is_that_of_the_release(graph):
    joined = pg.Statistic.joined([pg.Statistic.scalars(["edges", "radius"], pg.Target(epsilon=1.0)),
                                  pg.Statistic.triangles(pg.Target(epsilon=1.0))])
    lines = pg.Tradeoff(joined, 1000, common=20).lines
    assert [line.verdict for line in lines] == ["informative"] * 3
    assert lines[0].noise == pytest.approx(joined_deviation(0.5))
    assert 25 < lines[2].noise < 45 < pg.Tradeoff(joined, 1000)[2].noise


def joined_deviation(rate):
    return np.sqrt(2 * np.exp(-rate)) / (1 - np.exp(-rate))
