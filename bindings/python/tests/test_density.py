"""Exact counts against enumeration of all maps, and against networkx."""
import itertools

import networkx as nx
import numpy as np
import pytest

import privgraph as pg

NAMES = "vertex,edge,path3,triangle,cycle4,star3,clique4,empty2"


def homomorphisms(patterns, index, graph):
    adjacency = graph.to_scipy().toarray()
    edges = patterns.edges(index).T
    return sum(all(adjacency[place[u], place[v]] for u, v in edges)
               for place in itertools.product(range(graph.order), repeat=patterns.order(index)))


@pytest.mark.parametrize("seed", range(4))
def test_counts_and_densities(seed):
    patterns = pg.Patterns.from_names(NAMES)
    graphs = [pg.Graph.erdos_renyi(6, 0.5, seed), pg.Graph.tree(7, seed), pg.Graph.clique(4)]
    density = pg.Density(patterns)
    expected = np.array([[homomorphisms(patterns, i, g) for i in range(len(patterns))] for g in graphs])
    assert (density.count_exact(graphs) == expected).all()
    assert (density.count_exact(graphs, wide=True) == expected).all()
    assert (density.count_exact(graphs[0]) == expected[0]).all()
    scale = [[float(g.order) ** patterns.order(i) for i in range(len(patterns))] for g in graphs]
    np.testing.assert_allclose(density.evaluate_exact(graphs), expected / scale, rtol=1e-12)
    np.testing.assert_allclose(density.evaluate_exact(graphs[1]), (expected / scale)[1], rtol=1e-12)


def test_wide_counts():
    graph = pg.Graph.star(3000)
    density = pg.Density("star6")
    exact = 2999 ** 6 + 2999
    with pytest.raises(pg.LimitError) as caught:
        density.count_exact(graph)
    assert isinstance(caught.value, OverflowError)
    assert density.count_exact(graph, wide=True).tolist() == [exact]


def test_triangles_by_networkx():
    graph = pg.Graph.erdos_renyi(200, 0.1, 3)
    count = int(pg.Density("triangle").count_exact(graph)[0])
    assert count == 6 * sum(nx.triangles(graph.to_networkx()).values()) // 3
    assert pg.Density("triangle").evaluate_exact(graph) == pytest.approx(count / 200 ** 3)


def test_rooted_mean_is_density():
    graph = pg.Graph.erdos_renyi(40, 0.2, 1)
    density = pg.Density("edge,path3,cycle4")
    rooted = density.rooted_exact(graph, [0, 1, 2])
    np.testing.assert_allclose(rooted.mean(axis=0), density.evaluate_exact(graph), rtol=1e-12)


def test_edge_toggles():
    graph = pg.Graph.from_edges([(0, 1), (1, 2)], 4)
    density = pg.Density("edge,path3,triangle")
    more = pg.Graph.from_edges([(0, 1), (1, 2), (0, 2)], 4)
    change = density.count_exact(more).astype(int) - density.count_exact(graph).astype(int)
    assert density.edge_exact(graph, np.array([[0], [2]])).tolist() == [change.tolist()]


def test_threads_do_not_matter():
    graphs = pg.GraphSet.sbm(40, [0.1, 0.4], 20, seed=2)
    density = pg.Density("trees")
    assert (density.evaluate_exact(graphs) == density.evaluate_exact(graphs, threads=4)).all()


def test_about_the_plan():
    density = pg.Density("path5,star4,cycle5,empty2")
    assert [density.engine(i) for i in range(4)] == ["trees", "trees", "cycles", "constant"]
    assert 0 < density.products <= density.products_unshared
    assert density.relative_error(0, 100, 10) < 1e-12
    operations, seconds = density.cost(100, 10)
    assert operations > 0 and seconds > 0
    with pytest.raises(IndexError):
        density.engine(4)


def test_scratch_limit():
    with pytest.raises(pg.LimitError):
        pg.Density("trees").evaluate_exact(pg.Graph.cycle(100000), scratch_limit=10)
