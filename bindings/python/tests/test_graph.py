"""Graphs, sets, features, labels: what goes in comes out, views keep their owner."""
import copy
import gc
import itertools
import pickle

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import privgraph as pg

EDGES = [(0, 1), (0, 2), (1, 2), (2, 3)]


def small():
    return pg.Graph.from_edges(EDGES, 5)


def random_edges(seed, order=60, count=200):
    rng = np.random.default_rng(seed)
    pairs = {tuple(sorted(p)) for p in rng.integers(0, order, (count, 2)) if p[0] != p[1]}
    return sorted((int(u), int(v)) for u, v in pairs), order


def test_edges_in_edges_out():
    graph = small()
    assert (graph.order, graph.size, len(graph)) == (5, 4, 5)
    assert graph.edges().T.tolist() == [list(e) for e in EDGES]
    assert [graph.degree(v) for v in range(5)] == [2, 2, 3, 1, 0]
    assert graph.max_degree_exact() == 3
    assert graph.has_edge(3, 2) and not graph.has_edge(3, 4)
    assert graph.neighbours(2).tolist() == [0, 1, 3]
    with pytest.raises(IndexError):
        graph.degree(5)


def test_edge_index_of_every_shape():
    expected = small()
    forward = np.array(EDGES).T
    both = np.concatenate([forward, forward[::-1]], axis=1)  # as PyG stores it
    for given in (forward, both, both.astype(np.int32), np.asfortranarray(both), EDGES, both.tolist(),
                  [forward[0], forward[1]], np.array(EDGES).T[:, ::-1], both.astype(np.uint16)):
        assert pg.Graph.from_edges(given, 5) == expected, given
    assert pg.Graph.from_edges([], 3).size == 0
    assert pg.Graph.from_edges(np.zeros((2, 0)), 0).order == 0


def test_two_edges_are_not_guessed_wrong():
    # 2 x 2: an array is edge_index, a list of tuples is a list of edges
    assert pg.Graph.from_edges(np.array([[0, 1], [2, 3]]), 4).edges().T.tolist() == [[0, 2], [1, 3]]
    assert pg.Graph.from_edges([(0, 1), (2, 3)], 4).edges().T.tolist() == [[0, 1], [2, 3]]


@pytest.mark.parametrize("seed", range(8))
def test_all_ways_agree(seed):
    edges, order = random_edges(seed)
    graph = pg.Graph.from_edges(np.array(edges).T, order)
    other = nx.Graph(edges)
    other.add_nodes_from(range(order))
    ordered = nx.Graph()
    ordered.add_nodes_from(range(order))
    ordered.add_edges_from(edges)
    matrix = nx.to_scipy_sparse_array(ordered, nodelist=range(order), format="coo")
    dense = matrix.toarray()
    for again in (pg.Graph.from_networkx(ordered), pg.Graph.from_adjacency(sparse.csr_matrix(matrix)),
                  pg.Graph.from_adjacency(sparse.coo_matrix(matrix)), pg.Graph.from_adjacency(dense),
                  pg.Graph.from_csr(*graph.csr()), pg.Graph.from_networkx(graph.to_networkx()),
                  pg.Graph.from_adjacency(graph.to_scipy()), pickle.loads(pickle.dumps(graph)),
                  pg.as_graph((np.array(edges).T, order)), graph.relabel(np.arange(order))):
        assert again == graph
    assert nx.utils.graphs_equal(graph.to_networkx(), ordered)
    assert (graph.to_scipy().toarray() == (dense != 0)).all()


def test_stored_zeros_and_repeats_are_no_edges():
    matrix = sparse.coo_matrix(([1, 1, 0, 0, 2, 2], ([0, 1, 1, 2, 0, 1], [1, 0, 2, 1, 1, 0])), (3, 3))
    assert pg.Graph.from_adjacency(matrix).edges().T.tolist() == [[0, 1]]
    assert matrix.nnz == 6  # the caller's matrix is untouched


def test_a_number_of_nodes_is_never_read_off_the_edges():
    class Data:
        edge_index = np.array(EDGES).T

    with pytest.raises(pg.ArgumentError, match="public"):
        pg.as_graph(Data())
    data = Data()
    data.num_nodes = 7
    assert pg.as_graph(data).order == 7
    data = Data()
    data.x = np.zeros((6, 2))
    assert pg.as_graph(data).order == 6
    with pytest.raises(pg.ArgumentError, match="order"):
        pg.as_graph(np.array(EDGES).T)
    with pytest.raises(TypeError):
        pg.as_graph("a path")


def test_refusals_carry_the_message():
    with pytest.raises(pg.ArgumentError, match="1") as caught:
        pg.Graph.from_edges([(0, 1), (1, 9)], 3)
    assert isinstance(caught.value, ValueError) and caught.value.status == "PVG_E_ARGUMENT"
    with pytest.raises(pg.ArgumentError):
        pg.Graph.from_edges([(0, 1), (1, 0)], 3, merge=False)
    with pytest.raises(pg.ArgumentError):
        pg.Graph.from_edges([(1, 1), (0, 1)], 3)
    assert pg.Graph.from_edges([(1, 1), (0, 1)], 3, drop_loops=True).size == 1
    with pytest.raises(pg.ArgumentError, match="type float64"):
        pg.Graph.from_edges(np.array([[0.5], [1.0]]), 3)
    with pytest.raises(pg.ArgumentError, match="fit"):
        pg.Graph.from_edges(np.array([[2 ** 63], [1]], np.uint64), 3)
    with pytest.raises(pg.ArgumentError, match="shape"):
        pg.Graph.from_edges(np.zeros((3, 4), np.int64), 3)
    with pytest.raises(pg.ArgumentError, match="directed"):
        pg.Graph.from_networkx(nx.DiGraph(EDGES))
    with pytest.raises(pg.ArgumentError, match="square"):
        pg.Graph.from_adjacency(np.zeros((2, 3)))
    with pytest.raises(pg.ArgumentError):
        pg.Graph.from_adjacency(np.array([[0, 1], [0, 0]]))
    with pytest.raises(pg.ArgumentError, match="len"):
        pg.Graph.from_csr([0, 5], [0])
    with pytest.raises(TypeError):
        pg.Graph()


def test_views_keep_the_graph_alive():
    offsets, columns = pg.Graph.clique(200).csr()  # the graph itself is dropped here
    gc.collect()
    churn = [pg.Graph.clique(200) for _ in range(20)]
    assert offsets[-1] == 200 * 199 == len(columns)
    assert (columns.reshape(200, 199).sum(axis=1) == 199 * 100 - np.arange(200)).all()
    assert not columns.flags.writeable
    with pytest.raises(ValueError):
        columns[0] = 1
    assert len(churn) == 20


def test_views_share_memory():
    graph = pg.Graph.cycle(10)
    first, second = graph.csr()[1], graph.csr()[1]
    assert first.ctypes.data == second.ctypes.data


def test_handles_die_in_any_order():
    for order in itertools.permutations(range(4)):
        graph = small()
        kept = [graph, graph.csr()[0], pg.GraphSet.from_graphs([graph]), graph.truncate_degree(2)]
        del graph
        for index in order:
            kept[index] = None


def test_copies_are_the_same_object():
    graph = small()
    assert copy.deepcopy(graph) is graph and copy.copy(graph) is graph


def test_generators():
    assert pg.Graph.path(4).size == 3 and pg.Graph.star(5).degree(0) == 4
    assert pg.Graph.clique(5).size == 10 and pg.Graph.tree(50, 3).size == 49
    assert pg.Graph.ktree(20, 3, 1).size == 6 + 16 * 3
    assert pg.Graph.erdos_renyi(100, 0.3, 5) == pg.Graph.erdos_renyi(100, 0.3, 5)
    assert pg.Graph.erdos_renyi(100, 0.3, 5) != pg.Graph.erdos_renyi(100, 0.3, 6)
    assert pg.Graph.preferential(50, 2, 1).order == 50
    assert pg.Graph.chung_lu([1.0] * 30, 1).order == 30
    assert pg.Graph.blocks([10, 10], [[1, 0], [0, 1]], 1).size == 90
    graph, features, labels = pg.Graph.chains("s", 4)
    assert graph.order == features.shape[0] == len(labels) and features.shape[1] == 5
    assert labels.classes == 2


def test_graph_surgery():
    graph = pg.Graph.clique(6)
    assert graph.induce([5, 1, 3]) == pg.Graph.clique(3)
    assert pg.Graph.star(10).truncate_degree(3).max_degree_exact() <= 3


# --- sets -------------------------------------------------------------------------------

def some_set():
    return pg.GraphSet.from_graphs([small(), nx.path_graph(3), (np.array([[0], [1]]), 2)], [1, 0, -1],
                                   [[0.5, 1], [2, 3], [4, 5]], [[0, 1, 2, 3, 4], [5, 6, 7], [8, 9]])


def test_set():
    graphs = some_set()
    assert len(graphs) == 3 and graphs.orders.tolist() == [5, 3, 2] and graphs.order == 10
    assert graphs.labels.tolist() == [1, 0, -1]
    assert graphs.targets.tolist() == [[0.5, 1], [2, 3], [4, 5]]
    assert graphs.node_labels.tolist() == list(range(10))
    assert graphs[0] == small() and graphs[-1].order == 2
    assert [g.order for g in graphs] == [5, 3, 2]
    with pytest.raises(IndexError):
        graphs[3]


def test_set_selection_and_pickle():
    graphs = some_set().with_objects(["a", 7, "c"])
    for again in (graphs[[2, 0]], graphs[np.array([2, 0])], graphs[::-2], pickle.loads(pickle.dumps(graphs))[[2, 0]]):
        assert again.orders.tolist() == [2, 5] and again.labels.tolist() == [-1, 1]
        assert again.targets.tolist() == [[4, 5], [0.5, 1]]
        assert again.node_labels.tolist() == [8, 9, 0, 1, 2, 3, 4]
        assert again.objects.tolist() == [pg.object_number("c"), pg.object_number("a")]
    assert graphs[1].object == 7
    assert pg.GraphSet.from_graphs([graphs[2], graphs[1]]).objects.tolist() == [pg.object_number("c"), 7]
    assert len(graphs[np.array([True, False, True])]) == 2
    assert len(graphs[[]]) == 0


def test_set_views_outlive_it():
    labels, starts = some_set().labels, some_set().csr()[0]
    gc.collect()
    assert labels.tolist() == [1, 0, -1] and starts.tolist() == [0, 5, 8, 10]


def test_set_refusals():
    with pytest.raises(pg.ArgumentError, match="labels"):
        pg.GraphSet.from_graphs([small()], [1, 2])
    with pytest.raises(pg.ArgumentError, match="node_labels"):
        pg.GraphSet.from_graphs([small()], node_labels=[[1, 2]])
    with pytest.raises(pg.ArgumentError, match="objects"):
        some_set().with_objects(["a"])


def test_sbm():
    graphs = pg.GraphSet.sbm(30, [0.1, 0.3], 4, seed=3)
    assert len(graphs) == 8 and set(graphs.labels) == {0, 1} and set(graphs.orders) == {30}


# --- features and labels ------------------------------------------------------------------

def test_features():
    dense = np.random.default_rng(1).integers(0, 3, (7, 4)).astype(float)
    for made in (pg.Features.from_dense(dense), pg.Features.from_scipy(sparse.coo_matrix(dense)),
                 pg.Features.from_dense(np.asfortranarray(dense)),
                 pg.Features.from_dense(dense.astype(np.float32))):
        assert made.shape == (7, 4) and (made.to_dense() == dense).all()
        assert (made.to_scipy().toarray() == dense).all()
    odd = pg.Features.from_dense([[1.0, float("nan")], [1.0, 0.0]])  # private: 0, without a word
    assert odd.to_dense().tolist() == [[1.0, 0.0], [1.0, 0.0]]
    with pytest.raises(pg.ArgumentError, match="row 0, column 1 is not a finite number"):
        pg.Dataset(features=pg.public(odd))
    assert len(pg.Dataset(features=pg.private(odd))) == 2
    with pytest.raises(pg.ArgumentError):
        pg.Features.from_dense([1.0, 2.0])


def test_labels():
    labels = pg.Labels.from_array([2, -1, 0])
    assert labels.values.tolist() == [2, -1, 0] and labels.classes == 3 and len(labels) == 3
    odd = pg.Labels.from_array([1, -2])
    assert odd.values.tolist() == [1, 0]
    with pytest.raises(pg.ArgumentError, match="entry 1 is less than -1"):
        pg.Dataset(features=pg.public(np.eye(2)), labels=pg.public(odd))
