"""Degree distributions, triangles, scalars, joined statistics and what is derived from them."""
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


def test_distributions_give_degrees_back(graph):
    statistic = pg.Query("degrees", order=ORDER, levels=5, ranks="all", target=TARGET)
    sharp = pg.Query("degrees", order=ORDER, levels=5, ranks="all", epsilon=200)
    exact = sharp.draw(graph)
    assert np.array_equal(exact.values, sharp.values_exact(graph))  # the noise rounds away
    degrees = np.diff(graph.csr()[0])
    sequence = pg.estimate_sequence(sharp, exact)
    assert sequence.sum() == 2 * graph.size
    assert (np.diff(sequence) <= 0).all()
    moments = pg.estimate_moments(sharp, exact, count=3)
    assert moments[0] == ORDER and moments[1] == 2 * graph.size
    assert moments[2] == pytest.approx((sequence.astype(float) ** 2).sum())
    assert sorted(degrees) == sorted(sequence)
    density = pg.estimate_densities(sharp, exact, "edge")
    assert density[0] == pytest.approx(2 * graph.size / ORDER ** 2)
    released = statistic.draw(graph, rng=pg.Rng.seeded(1))
    assert abs(pg.estimate_sequence(statistic, released).sum() / 2 - graph.size) < 150
    with pytest.raises(pg.ArgumentError, match="another query"):
        pg.estimate_sequence(statistic, exact)


def test_numbers_under_one_budget(graph):
    scalars = pg.Query("scalars", list=["edges", "components", "radius"], weights=[2, 1, 1], target=TARGET)
    triangles = pg.Query("triangles", target=TARGET)
    joined = pg.Query.join([scalars, triangles])
    assert joined.columns[:2] == ["edges", "components"] and joined.columns[3:] == ["triangles", "triangles-common"]
    degree = np.diff(graph.csr()[0])
    for leaves, stars in ((2, degree * (degree - 1) // 2), (3, degree * (degree - 1) * (degree - 2) // 6)):
        assert pg.Query("stars", leaves=leaves, target=TARGET).values_exact(graph)[0, 0] == stars.sum()
    exact = joined.values_exact(graph)[0]
    assert exact[0] == graph.size and exact[1] == 1
    assert exact[3] == triangles.values_exact(graph)[0, 0]
    assert exact[2] == pytest.approx(pg.Query("spectrum", order=ORDER, target=TARGET).values_exact(graph)[0, 0],
                                     abs=0.02)
    assert scalars.deviations()[0] < scalars.deviations()[1]
    assert joined.draw(graph, rng=pg.Rng.secure()).values.shape == (1, 5)
    known = ~np.isnan(joined.deviations())  # of the ladder it is private, of the others not
    assert known.tolist() == [True, True, True, False, True]
    release = joined.draw(graph, rng=pg.Rng.secure())
    assert (~np.isnan(release.noise) == known).all()
    low, high = release.interval(0.9999999)
    assert ((low <= exact) & (exact <= high)).all() and np.isfinite(high).all()
    narrow = release.interval(0.5)
    assert (narrow[0] >= low).all() and (narrow[1] <= high).all()
    with pytest.raises(pg.ArgumentError, match="confidence"):
        release.interval(95)
    with pytest.raises(pg.PrivacyError):
        pg.Query("triangles", bound_share=0, target=TARGET).deviations()


def test_synthetic_graph(graph):
    blocks = np.arange(ORDER) % 2
    made, release = pg.synthesize(graph, 8.0, groups=blocks)
    assert made.order == ORDER and abs(made.size - graph.size) < 30
    again, _ = pg.synthesize(graph, 8.0, groups=blocks, rng=pg.Rng.seeded(1))
    other, _ = pg.synthesize(graph, 8.0, groups=blocks, rng=pg.Rng.seeded(1))
    assert again.size == other.size


def test_planned_noise_is_that_of_the_release(graph):
    joined = pg.Query.join([pg.Query("scalars", list=["edges", "radius"], epsilon=1.0),
                                  pg.Query("triangles", epsilon=1.0)])
    lines = joined.preview(1000, common=20).lines
    assert [line.verdict for line in lines] == ["informative"] * 4
    assert lines[0].noise == pytest.approx(joined_deviation(0.5))
    assert 25 < lines[2].noise < 50 < joined.preview(1000)[2].noise


def joined_deviation(rate):
    return np.sqrt(2 * np.exp(-rate)) / (1 - np.exp(-rate))


def test_degree_embedding():
    shapes = [nx.star_graph(29), nx.cycle_graph(30), nx.empty_graph(30)]
    graphs = pg.GraphSet.from_graphs([pg.Graph.from_networkx(g, nodes=range(30)) for g in shapes],
                                     node_labels=[[i % 3 for i in range(30)]] * 3)
    tight = pg.DegreeEmbedding(levels=2, ranks=2, epsilon=60.0, types=3)
    rows = tight.fit_transform(graphs)
    assert rows.shape == (3, 14) == (3, tight.n_features_out_)
    assert list(tight.get_feature_names_out())[:6] == ["order", "level1", "level2", "rank1", "rank2", "level1/n"]
    assert rows[0, :5].tolist() == [30, 30, 1, 27, 0]      # a star: one node above level 2
    assert rows[1, :5].tolist() == [30, 30, 30, 0, 0]
    assert rows[2, 1:5].tolist() == [0, 0, 0, 0] and rows[:, -3:].tolist() == [[10, 10, 10]] * 3
    assert rows[0, 10] == pytest.approx(58 / 30)           # ends of edges over nodes
    np.testing.assert_array_equal(tight.transform(graphs), rows)   # remembered
    assert pg.DegreeEmbedding(epsilon=0.5).fit(None).query_.guarantee().epsilon() == pytest.approx(0.5)
    noisy = pg.DegreeEmbedding(epsilon=0.5, insecure_seed=1)
    assert not np.array_equal(noisy.fit(None).release(graphs).values, noisy.release(graphs).values)
    ledger = pg.Ledger(1.0)
    paid = pg.DegreeEmbedding(epsilon=0.7, ledger=ledger, sticky=False)
    paid.fit(None).release(graphs.with_objects(["a", "b", "c"]))
    with pytest.raises(pg.PrivacyError):
        paid.release(graphs.with_objects(["a", "b", "c"]))


def test_shrunk_rows_are_nearer_to_the_truth():
    """At epsilon 0.1 noise hides what graphs of one order differ in: shrinking must take most of it away (by far:
    the noise on a count is 28, and rings have none to find). Without noise nothing changes."""
    sizes = [20 + i % 50 for i in range(150)]
    graphs = pg.GraphSet.from_graphs([pg.Graph.from_networkx(nx.cycle_graph(n), nodes=range(n)) for n in sizes])
    rough, fine = pg.DegreeEmbedding(epsilon=0.1, insecure_seed=3), pg.DegreeEmbedding(epsilon=60.0, types=0)
    noisy, exact = rough.fit_transform(graphs), fine.fit_transform(graphs)
    better = rough.shrunk(noisy)
    assert better.shape == noisy.shape and np.array_equal(better[:, 0], noisy[:, 0])
    assert np.square(better - exact)[:, 1:9].mean() < 0.3 * np.square(noisy - exact)[:, 1:9].mean()
    held_out = rough.shrunk(noisy[100:], noisy[:100])
    assert np.square(held_out - exact[100:])[:, 1:9].mean() < 0.3 * np.square(noisy - exact)[100:, 1:9].mean()
    np.testing.assert_allclose(fine.shrunk(exact), exact, atol=1e-6)


def test_types_are_counted():
    graphs = pg.GraphSet.from_graphs([pg.Graph.from_networkx(nx.path_graph(4), nodes=range(4))], node_labels=[[0, 1, 1, 2]])
    embedding = pg.PrivateEmbedding("edge", epsilon=1, types=4)
    assert embedding.fit_transform(graphs)[0, -4:].tolist() == [1, 2, 1, 0]
    assert list(embedding.get_feature_names_out()) == ["edge", "type0", "type1", "type2", "type3"]
    with pytest.raises(pg.ArgumentError):
        pg.PrivateEmbedding("edge", types=2).fit_transform(graphs)


def test_arcs_are_counted_once():
    """All directed graphs on three nodes, loops too: one arc more is one more in one cell."""
    kinds, groups = [0, 1, 1], [1, 0, 1]
    own = pg.arc_histogram(3, target=TARGET, kinds=kinds)
    grouped = pg.arc_histogram(3, target=TARGET, kinds=kinds, groups=groups)
    pairs = [(u, v) for u in range(3) for v in range(3)]
    histogram = {}
    for mask in range(1 << 9):
        arcs = [pair for bit, pair in enumerate(pairs) if mask >> bit & 1]
        graph = pg.doubled(np.array(arcs, dtype=np.int64).reshape(-1, 2).T, 3)
        histogram[mask] = own.values_exact(graph), grouped.values_exact(graph)
        expected = np.zeros((3, 2))
        for u, v in arcs:
            expected[v, kinds[u]] += 1
        np.testing.assert_array_equal(histogram[mask][0], expected)
    for mask in range(1 << 9):
        for bit in range(9):
            if not mask >> bit & 1:
                for a, b in zip(histogram[mask], histogram[mask | 1 << bit]):
                    assert np.abs(a - b).sum() == 1
    assert own.guarantee().epsilon() == pytest.approx(1.0)
    with pytest.raises(pg.ArgumentError):
        pg.doubled([[0], [3]], 3)
