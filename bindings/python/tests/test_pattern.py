"""Patterns and samplers."""
import pickle

import networkx as nx
import numpy as np
import pytest

import privgraph as pg


def test_names_and_numbers():
    patterns = pg.Patterns.from_names("edge, triangle,path4,cycle5,star3,clique4,biclique2x3,empty2")
    assert len(patterns) == 8 and patterns.names[:4] == ["edge", "triangle", "path4", "cycle5"]
    assert [patterns.order(i) for i in range(8)] == [2, 3, 4, 5, 4, 4, 5, 2]
    assert [patterns.size(i) for i in range(8)] == [1, 3, 3, 5, 3, 6, 6, 0]
    assert [patterns.width(i) for i in range(8)] == [1, 2, 1, 2, 1, 3, 2, 0]
    assert patterns.components(7) == patterns.isolated(7) == 2
    assert {"tree", "path", "connected"} <= set(patterns.kinds(2)) and "cycle" in patterns.kinds(3)
    assert patterns.edges(1).T.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert sorted(patterns.elimination(3)) == [0, 1, 2, 3, 4]
    assert all(patterns.elimination_width(i, patterns.elimination(i)) == patterns.width(i) for i in range(8))
    assert patterns.component_of(7).tolist() == [0, 1] and patterns.component_of(1).tolist() == [0, 0, 0]
    with pytest.raises(pg.ArgumentError):
        patterns.elimination_width(0, [1, 1])
    with pytest.raises(IndexError):
        patterns.order(8)
    with pytest.raises(pg.FormatError, match="nonsense"):
        pg.Patterns.from_names("edge,nonsense")


def test_all_ways_agree():
    names = pg.Patterns.from_names(["path3", "cycle4", "star3"])
    edges = pg.Patterns.from_edges([([(0, 1), (1, 2)], 3), ([(0, 1), (1, 2), (2, 3), (3, 0)], 4),
                                    ([(0, 1), (0, 2), (0, 3)], 4)])
    graphs = pg.Patterns.from_networkx([nx.path_graph(3), nx.cycle_graph(4), nx.star_graph(3)])
    lines = pg.Patterns.from_graph6([names.graph6(i) for i in range(3)])
    again = pickle.loads(pickle.dumps(names))
    for other in (edges, graphs, lines, again, names[[0, 1, 2]], names[:1] + names[1:]):
        assert all(names.isomorphic(i, other, i) for i in range(3))
        assert [names.hash(i) for i in range(3)] == [other.hash(i) for i in range(3)]
        assert [names.canonical(i) for i in range(3)] == [other.canonical(i) for i in range(3)]
    assert not names.isomorphic(0, names, 1)
    assert names[-1].names == ["star3"] and [p.names[0] for p in names] == names.names


def test_merge():
    merged, group = pg.Patterns.from_names("path3,edge,star2,path2").merge()
    assert len(merged) == 2 and group.tolist() == [0, 1, 0, 1]
    assert merged.multiplicity(0) == 2


def test_samplers():
    trees = pg.Patterns.draw("trees", 40, 7, distinct=True)
    assert len(trees) == 40 == len(trees.merge()[0])
    assert all(trees.in_class(i, "trees") for i in range(40))
    assert trees.names == pg.Sampler("trees", distinct=True).draw(40, 7).names
    assert trees.names != pg.Patterns.draw("trees", 40, 8, distinct=True).names
    wide = pg.Patterns.draw(pg.Sampler("treewidth3", order_typical=8), 30, 1)
    assert all(wide.in_class(i, "treewidth", 3) for i in range(30))
    assert pg.Sampler("treewidth3").config["parameter"] == 3
    with pytest.raises(pg.ArgumentError, match="size_law"):
        pg.Sampler("trees", size_law="cubic")
    with pytest.raises(pg.ArgumentError, match="sampler"):
        pg.Patterns.draw(pg.Sampler(), 3, distinct=True)


def test_as_patterns():
    assert pg.as_patterns("edge,cycle5").names == ["edge", "cycle5"]
    assert pg.as_patterns(["edge", "path3"]).names == ["edge", "path3"]
    assert len(pg.as_patterns("reference1", 20)) == 20
    assert len(pg.as_patterns("fan-cactus4", 5)) == 5
    assert pg.as_patterns([nx.cycle_graph(3)]).names == ["triangle"]
    assert pg.as_patterns("cycles", 1).in_class(0, "cycles")
    patterns = pg.as_patterns("edge")
    assert pg.as_patterns(patterns) is patterns


def test_random_patterns_have_networkx_components():
    for i, pattern in enumerate(pg.Patterns.draw("treewidth2", 30, 5, allow_disconnected=True)):
        graph = nx.Graph()
        graph.add_nodes_from(range(pattern.order(0)))
        graph.add_edges_from(pattern.edges(0).T.tolist())
        assert pattern.components(0) == nx.number_connected_components(graph), i
        assert np.all(pattern.edges(0)[0] < pattern.edges(0)[1])
