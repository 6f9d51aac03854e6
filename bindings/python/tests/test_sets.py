"""Sets of graphs made at once, cut and chosen from: the same graphs as one by one."""
import numpy as np
import pytest
from scipy import sparse

import privgraph as pg


@pytest.fixture(name="parts")
def _parts():
    """(edge_index, order) of 40 graphs, some without edges, some without nodes, both directions."""
    rng, found = np.random.default_rng(1), []
    for i in range(40):
        order = int(rng.integers(0, 9))
        pairs = np.argwhere(np.triu(rng.random((order, order)) < 0.4, 1)).T.reshape(2, -1)
        if i % 2:
            pairs = np.concatenate([pairs, pairs[::-1]], axis=1)
        found.append((np.ascontiguousarray(pairs, np.int64), order))
    return found


def one_by_one(parts):
    return [pg.Graph.from_edges(edges, order) for edges, order in parts]


def same(graphs, others):
    return len(graphs) == len(others) and all(a == b for a, b in zip(graphs, others))


def joined(parts):
    starts = np.cumsum([0] + [order for _, order in parts])
    return np.concatenate([edges + start for (edges, _), start in zip(parts, starts)], axis=1)


class Data:
    """As PyG's."""

    def __init__(self, edge_index, num_nodes):
        self.edge_index, self.num_nodes = edge_index, num_nodes


def test_every_way_gives_the_same_graphs(parts):
    graphs, edges = one_by_one(parts), joined(parts)
    orders = [order for _, order in parts]
    sizes = [part.shape[1] for part, _ in parts]
    batch = np.repeat(np.arange(40), orders)
    matrix = sparse.block_diag([graph.to_scipy() for graph in graphs], format="csr")
    for made in (pg.GraphSet.from_batch(edges, batch, count=40),
                 pg.GraphSet.from_edges(edges, orders),
                 pg.GraphSet.from_edges(np.concatenate([part for part, _ in parts], axis=1), orders, sizes=sizes),
                 pg.GraphSet.from_block_diagonal(matrix, orders),
                 pg.GraphSet.from_csr(np.r_[0, np.cumsum(orders)], matrix.indptr, matrix.indices),
                 pg.GraphSet.from_graphs(parts), pg.GraphSet.from_graphs(Data(*part) for part in parts),
                 pg.GraphSet.from_graphs(graphs)):
        assert same(made, graphs) and made.order_declared
        assert same(pg.GraphSet.from_csr(*made.csr()), graphs)
    for wrong in (orders, np.r_[0, orders], [], np.r_[0, np.cumsum(orders)][::-1]):
        with pytest.raises(pg.ArgumentError, match="starts"):
            pg.GraphSet.from_csr(wrong, matrix.indptr, matrix.indices)
    alone = pg.GraphSet.from_graphs(graphs[:1])
    assert len(pg.GraphSet.from_csr(*alone.csr())) == 1
    assert len(pg.GraphSet.from_csr([0], [0], [])) == 0


def test_lists_of_matrices_are_joined(parts):
    graphs = one_by_one(parts)
    matrices = [graph.to_scipy() for graph in graphs]
    labels = [i % 3 for i in range(len(graphs))]
    made = pg.GraphSet.from_graphs(matrices, labels=labels)
    assert same(made, graphs) and made.order_declared and made.labels.tolist() == labels
    # what one after another repairs or refuses
    zero = sparse.csr_matrix((np.array([1, 1, 0, 0]), ([0, 1, 0, 2], [1, 0, 2, 0])), shape=(3, 3))
    assert [g.size for g in pg.GraphSet.from_graphs([zero, matrices[1]])] == [1, graphs[1].size]
    shuffled = sparse.csr_matrix((np.ones(4), np.array([2, 1, 0, 0]), np.array([0, 2, 3, 4])), shape=(3, 3))
    assert pg.GraphSet.from_graphs([shuffled, shuffled])[1].edges().tolist() == [[0, 0], [1, 2]]
    for wrong in (sparse.csr_matrix(([1], ([0], [1])), shape=(2, 2)), sparse.csr_matrix((2, 3)),
                  sparse.csr_matrix(([1], ([0], [0])), shape=(2, 2))):
        with pytest.raises(pg.ArgumentError):
            pg.GraphSet.from_graphs([matrices[1], wrong])
    inferred = sparse.csr_matrix(matrices[1])
    inferred.privgraph_inferred = True
    assert not pg.GraphSet.from_graphs([matrices[1], inferred]).order_declared
    assert same(pg.GraphSet.from_graphs([sparse.csr_matrix((0, 0)), sparse.csr_matrix((2, 2))]),
                [pg.Graph.from_edges([], 0), pg.Graph.from_edges([], 2)])


def test_lists_of_networks_are_joined(parts):
    networkx = pytest.importorskip("networkx")
    graphs = one_by_one(parts)

    def copies(names=lambda number: number):
        out = []
        for (edges, order), _ in zip(parts, graphs):
            one = networkx.Graph()
            one.add_nodes_from(map(names, range(order)))
            one.add_edges_from((names(int(u)), names(int(v))) for u, v in edges.T)
            out.append(one)
        return out

    told = [pg.tell_nodes(one, sorted(one)) for one in copies()]
    made = pg.GraphSet.from_graphs(told, labels=range(len(told)))
    assert same(made, graphs) and made.order_declared and made.labels.tolist() == list(range(len(told)))
    assert made.identities == [pg.as_graph(one).identity for one in told]
    assert made.identities == pg.GraphSet.from_graphs(told).identities
    inferred = copies()
    assert not pg.GraphSet.from_graphs(inferred).order_declared
    assert not pg.GraphSet.from_graphs(told[:3] + inferred[:3]).order_declared
    named = [pg.tell_nodes(one) for one in copies(lambda number: f"n{number:03}")]
    assert list(pg.GraphSet.from_graphs(named)[1].nodes) == [f"n{i:03}" for i in range(parts[1][1])]
    loop = networkx.Graph([(0, 0), (0, 1)])
    late = pg.tell_nodes(networkx.Graph([(0, 1)]))
    late.add_edge(1, 2)  # after it was told
    for wrong in (loop, networkx.DiGraph([(0, 1)]), late):
        with pytest.raises(pg.ArgumentError):
            pg.GraphSet.from_graphs([told[0], wrong])
    several = pg.tell_nodes(networkx.MultiGraph([(0, 1), (0, 1), (1, 2)]))
    assert [g.size for g in pg.GraphSet.from_graphs([several, told[0]])] == [2, graphs[0].size]


def test_labels_objects_and_identities(parts):
    orders = [order for _, order in parts]
    marks = np.arange(sum(orders), dtype=np.int32)
    made = pg.GraphSet.from_edges(joined(parts), orders, labels=range(40), node_labels=marks,
                                  objects=[f"net:{i}" for i in range(40)])
    assert made.labels.tolist() == list(range(40)) and np.array_equal(made.node_labels, marks)
    assert made[3].object == pg.object_number("net:3")
    assert len(set(made.identities)) == 40 and made[3].identity == made.identities[3]


@pytest.mark.parametrize("index", [slice(5, 30), slice(None, None, -3), [7, 7, 0], np.arange(40) % 3 == 0, slice(4, 4)])
def test_parts_of_a_set(parts, index):
    orders = [order for _, order in parts]
    whole = pg.GraphSet.from_edges(joined(parts), orders, labels=range(40),
                                   node_labels=np.arange(sum(orders)),
                                   objects=list(range(100, 140)))
    numbers = np.arange(40)[index]
    part = whole[index]
    assert same(part, [whole[int(i)] for i in numbers])
    assert part.labels.tolist() == numbers.tolist()
    assert part.objects.tolist() == (100 + numbers).tolist()
    assert part.identities == [whole.identities[i] for i in numbers]
    starts = whole.csr()[0]
    assert part.node_labels.tolist() == [label for i in numbers for label in range(starts[i], starts[i + 1])]


def test_parts_with_targets_and_names():
    names = ["a", "b", "c"]
    graph = pg.Graph.from_dict({"a": ["b"]}, nodes=names)
    whole = pg.GraphSet.from_graphs([graph, graph], targets=[[0.5], [1.5]])
    assert whole[1:].targets.tolist() == [[1.5]] and list(whole[1:][0].nodes) == names
    plain = pg.GraphSet.from_graphs([graph, pg.Graph.cycle(3)])
    assert list(plain[:1][0].nodes) == names


def test_a_slice_shares_rows_and_outlives_the_set(parts):
    whole = pg.GraphSet.from_graphs(parts)
    copied, cut = whole[list(range(5, 25))], whole[5:25]
    twice = cut[3:]
    del whole
    assert np.array_equal(cut.orders, copied.orders) and same(cut, copied) and same(twice, copied[3:])
    assert all(np.array_equal(a, b) for a, b in zip(twice.csr(), copied[3:].csr()))
    density = pg.Density("edge,cycle4,clique4")
    assert np.array_equal(density.evaluate_exact(twice), density.evaluate_exact(copied)[3:])
    assert len(cut[9:2]) == 0 and len(cut[20:]) == 0 and same(cut[:100], copied)


def test_inferred_stays_inferred():
    made = pg.GraphSet.from_edges([[0], [1]], [2], declared=False)
    assert not made.order_declared and not made[:1].order_declared
    with pytest.raises(pg.PrivacyError):
        pg.PrivateEmbedding("edge", epsilon=1, delta=1e-6).release(made[:1])


@pytest.mark.parametrize("call, words", [
    (lambda: pg.GraphSet.from_edges([[0], [1]], [1, 1]), "graph"),
    (lambda: pg.GraphSet.from_edges([[0], [2]], [2, 3], sizes=[1, 0]), "outside its graph"),
    (lambda: pg.GraphSet.from_edges([[-1], [1]], [2, 3], sizes=[0, 1]), "outside its graph"),
    (lambda: pg.GraphSet.from_edges([[0], [1]], [2], sizes=[2]), "sizes"),
    (lambda: pg.GraphSet.from_edges([[0], [1]], [-2]), "orders"),
    (lambda: pg.GraphSet.from_edges([0, 1], [2]), "shape"),
    (lambda: pg.GraphSet.from_batch([[0], [1]], [1, 0]), "ascend"),
    (lambda: pg.GraphSet.from_batch([[0], [1]], [0, 5], count=2), "count"),
    (lambda: pg.GraphSet.from_edges([[0], [1]], [2], labels=[1, 2]), "labels"),
    (lambda: pg.GraphSet.from_block_diagonal(sparse.eye(3), [2]), "shape"),
    (lambda: pg.GraphSet.from_graphs([Data(np.zeros((2, 0)), None)]), "num_nodes"),
])
def test_what_is_wrong_is_said(call, words):
    with pytest.raises(pg.ArgumentError, match=words):
        call()


def test_rows_of_nodes_keep_their_names():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"from": ["ann", "bob"], "to": ["bob", "cid"]})
    names = ["ann", "bob", "cid", "dee"]
    graph = pg.Graph.from_pandas(table, "from", "to", nodes=names)
    target = pg.Target(epsilon=1)
    histogram = pg.Query("edge-histogram", order=4, kinds=[0, 1, 0, 1], target=target)
    assert list(histogram.draw(graph).to_pandas().index) == names
    # a group is no node, even if there are as many
    grouped = pg.Query("edge-histogram", order=4, groups=[3, 2, 1, 0], target=target)
    assert list(grouped.draw(graph).to_pandas().index) == [0, 1, 2, 3]
    between = pg.Query("edge-histogram", order=4, kinds=[0, 1, 2, 3], cells="between", target=target)
    assert between.draw(graph).nodes is None
    scalars = pg.Query("scalars", list=["edges", "leaves"], order=4, target=target).draw(graph).to_pandas()
    assert list(scalars.columns)[0] == "edges" and len(scalars.columns) == 2
    degrees = pg.Query("degrees", order=4, levels=2, ranks=1, target=target).draw(graph).to_pandas()
    assert list(degrees.columns) == ["level1", "level2", "rank1", "rest"]


def test_guarantees_are_compared_and_composed():
    embedding = pg.PrivateEmbedding("edge", epsilon=1, delta=1e-6)
    release = embedding.release(pg.Graph.cycle(30))
    record = pg.Guarantee.parse(__import__("json").dumps(release.record))
    assert record.id == release.guarantee.id and record.rows == 1 and not record.seeded
    assert release.verify(release.values) and not release.verify(release.values + 1)
    assert pg.Guarantee.compose([record, release.guarantee]).epsilon(1e-6) <= 1
    other = pg.Guarantee.state(pg.Curve.pure(0.5))
    assert pg.Guarantee.compose([record, other]).epsilon(1e-6) > 1
    graph = pg.Query("response", epsilon=5).draw(pg.Graph.cycle(9))
    assert graph.verify(graph.graph) and not graph.verify(pg.Graph.cycle(8))
    lists = pg.Query("subset", epsilon=5).draw(pg.Graph.cycle(9))
    assert lists.verify(lists.lists)
    assert pg.notion_pays("edge", "relationship")
    assert pg.notion_pays("edge", "node") and not pg.notion_pays("node", "edge")  # a node hides its edges


def test_words_and_joint_noise():
    assert "laplace" in pg.noise_laws() and pg.noise_is_pure("laplace") and not pg.noise_is_pure("gaussian")
    assert pg.noise_deviation("gaussian", 2.0) == 2.0 and "optimal" in pg.allocation_names()
    assert "trees" in pg.pattern_classes()
    assert pg.file_formats()["metis"] == (True, False, False) and pg.find_format("x.g6") == "graph6"
    joint = pg.Mechanism.joint(pg.Target(epsilon=1, noise="laplace"), 5, l1=1, grid=1)
    assert len(joint) == 5 and joint.grid.tolist() == [1] * 5


def test_models_tell_weights_and_gradients():
    parts = pg.Graph.cycle(6)
    data = pg.Dataset(features=pg.public(np.eye(6)[:, :3] + 0.1), graph=pg.public(parts),
                      labels=pg.public([0, 1, 0, 1, 0, 1]))
    model = pg.Model.train(pg.Network("gcn classes", 3, 2), data, epochs=2, seed=1)
    square = pg.Model.train(pg.Network("dense 3 | dense classes", 3, 2), data, epochs=2, seed=1)
    layers = square.layers(depth=1, contraction=0.5)
    assert layers.dimension == 3 and layers.config["contraction"] == 0.5
    assert model.inputs == 3 and len(model.weights_exact()) == 8
    features, arcs = model.gradient_exact(data, 0, 0)
    assert features.shape == (6, 3) and len(arcs) == data.arcs_exact == 12 and data.order == 6
