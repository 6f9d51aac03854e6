"""Files, packed and plain."""
import copy
import gzip
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import privgraph as pg

GRAPH = pg.Graph.from_edges([(0, 1), (1, 2), (0, 4)], 6)


@pytest.mark.parametrize("name", ["g.txt", "g.mtx", "g.g6", "g.s6"])
def test_round_trip(tmp_path, name):
    path = tmp_path / name
    pg.write_graph(path, GRAPH)
    assert pg.read_graph(path) == GRAPH
    packed = tmp_path / (name + ".gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert pg.read_graph(packed) == GRAPH  # a name that says so
    os.unlink(path)
    assert pg.read_graph(path) == GRAPH  # only the packed file is there


def test_text():
    text = pg.format_graph(GRAPH, format="edge-list")
    assert text.startswith("# order 6")
    assert pg.parse_graph(text) == GRAPH == pg.parse_graph(text.encode())
    assert pg.parse_graph("1 2\n2 3\n", format="edge-list", index_base=1).edges().T.tolist() == [[0, 1], [1, 2]]
    with pytest.raises(pg.FormatError, match="memory>:2"):
        pg.parse_graph("0 1\nx\n", format="edge-list")
    with pytest.raises(pg.ArgumentError, match="edge-list"):
        pg.parse_graph("0 1\n", format="xml")


def test_missing_and_broken_files(tmp_path):
    with pytest.raises(pg.FileError) as caught:
        pg.read_graph(tmp_path / "none.txt")
    assert isinstance(caught.value, OSError)
    broken = tmp_path / "broken.txt.gz"
    broken.write_bytes(gzip.compress(b"0 1\n" * 1000)[:-20])
    with pytest.raises(EOFError):  # what gzip raised inside the hook
        pg.read_graph(broken)
    assert pg.parse_graph("0 1\n", format="edge-list").size == 1  # and the next call is a new one


def test_tudataset(tmp_path):
    folder = tmp_path / "SET"
    folder.mkdir()
    graphs = pg.GraphSet.from_graphs([GRAPH, pg.Graph.cycle(4)], [0, 1], [[1.5], [2.5]])
    pg.write_graphset(folder, graphs)
    for name in os.listdir(folder):  # packed, as data sets often are
        path = folder / name
        (folder / (name + ".gz")).write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    for again in (pg.read_graphset(folder), pg.as_graphset(str(folder)), pg.as_graphset(folder)):
        assert again.labels.tolist() == [0, 1] and again.targets.tolist() == [[1.5], [2.5]]
        assert again[0] == GRAPH and again[1] == pg.Graph.cycle(4)


def test_graph6_lines(tmp_path):
    path = tmp_path / "set.g6"
    pg.write_graphset(path, pg.GraphSet.from_graphs([GRAPH, pg.Graph.path(3)]))
    assert [g.order for g in pg.read_graphset(path)] == [6, 3]
    assert [g.order for g in pg.parse_graphset(path.read_bytes())] == [6, 3]


def test_folder(tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n1 2\n")
    (tmp_path / "features.txt").write_text("0 2\n\n1\n")
    (tmp_path / "labels.txt").write_text("0\n1\n-1\n")
    graph, features, labels = pg.read_folder(tmp_path)
    assert graph.order == 3 and labels.values.tolist() == [0, 1, -1]
    assert features.to_dense().tolist() == [[1, 0, 1], [0, 0, 0], [0, 1, 0]]
    graph, features, labels = pg.read_folder(tmp_path, features=False, labels=False)
    assert features is None and labels is None and graph.order == 3
    assert pg.read_folder(tmp_path, feature_columns=5)[1].shape == (3, 5)


def test_large_file_survives_collection(tmp_path):
    edges = np.stack([np.arange(20000), np.arange(1, 20001)])
    graph = pg.Graph.from_edges(edges, 20001)
    path = tmp_path / "large.txt"
    pg.write_graph(path, graph)
    assert pg.read_graph(path, threads=2) == graph


# --- who told the number of nodes -------------------------------------------------------------

PATH = "0 1\n1 2\n"


def test_an_order_read_off_the_edges_is_not_released(tmp_path):
    """Two neighbours must not be told apart by the number of nodes."""
    target = pg.Target(1.0, 1e-6)
    features = np.full((3, 2), 0.5)
    ledger = pg.Ledger(50, 1e-6)
    for text in (PATH, PATH + "2 99\n"):
        graph = pg.parse_graph(text, format="edge-list")
        assert not graph.order_declared and repr(graph) == "<Graph>"
        releases = [
            lambda: pg.Query("embed", patterns="edge", append_order=True, target=target).draw(
                graph, ledger=ledger, object="a"),
            lambda: pg.Query("embed", patterns="edge", target=target).draw(
                [pg.Graph.cycle(5), graph], ledger=ledger, object=["a", "b"]),
            lambda: pg.Query("response", epsilon=1.0).draw(graph, ledger=ledger, object="a"),
            lambda: pg.Query("message-passing", layers=1, order=3, columns=2, target=target).draw(
                graph, features=features, open="features", ledger=ledger, object="a"),
        ]
        for release in releases:
            with pytest.raises(pg.PrivacyError, match="read off the private edges"):
                release()
    assert ledger.charges == 0
    told = pg.parse_graph(PATH, format="edge-list", order=100)
    assert told.order_declared and told.order == 100 and repr(told) == "<Graph of 100 nodes>"
    assert pg.Query("embed", patterns="edge", append_order=True, target=target).draw(told).values[0, 1] == 100
    path = tmp_path / "g.txt"
    path.write_text(PATH)
    assert not pg.read_graph(path).order_declared and pg.read_graph(path, order=3).order_declared
    path.write_text("# order 3\n" + PATH)
    assert pg.read_graph(path).order_declared


def test_what_is_made_from_it_is_not_released_either(tmp_path):
    graph = pg.parse_graph("0 1\n1 2\n5 6\n", format="edge-list")
    graph.object = 7
    alone = graph.induce([0, 1, 4])  # its last node has no edge
    for made in (alone, graph.relabel(np.arange(7)), graph.truncate_degree(1), copy.copy(graph),
                 pickle.loads(pickle.dumps(graph)), copy.deepcopy(alone), pg.GraphSet.from_graphs([graph])[0],
                 pickle.loads(pickle.dumps(pg.GraphSet.from_graphs([pg.Graph.cycle(3), alone])))[1],
                 pickle.loads(pickle.dumps(pg.parse_graph("", format="edge-list")))):
        assert not made.order_declared
        with pytest.raises(pg.PrivacyError):
            pg.Query("embed", patterns="edge", epsilon=1.0, delta=1e-6).draw(made)
    again = pickle.loads(pickle.dumps(graph))
    assert again == graph and again.object == 7
    assert pickle.loads(pickle.dumps(alone)) == alone and alone.order == 3
    assert pickle.loads(pickle.dumps(pg.Graph.cycle(5))).order_declared
    for name in ("g.mtx", "g.g6", "g.s6"):
        with pytest.raises(pg.PrivacyError):
            pg.write_graph(tmp_path / name, graph)
    with pytest.raises(pg.PrivacyError):
        pg.write_graphset(tmp_path, pg.GraphSet.from_graphs([graph]))
    assert os.listdir(tmp_path) == []
    assert pg.format_graph(graph) == "0 1\n1 2\n5 6\n"


def test_a_folder_tells_by_its_lines(tmp_path):
    (tmp_path / "edges.txt").write_text("0 1\n")
    assert not pg.read_folder(tmp_path, features=False, labels=False)[0].order_declared
    assert pg.read_folder(tmp_path, features=False, labels=False, order=2)[0].order_declared
    (tmp_path / "labels.txt").write_text("0\n1\n0\n")
    assert pg.read_folder(tmp_path, features=False, labels=False)[0].order_declared


def test_features_tell_no_width(tmp_path):
    (tmp_path / "edges.txt").write_text("# order 3\n0 1\n")
    (tmp_path / "features.txt").write_text("3 17\n2\n5\n")
    perturber = pg.Query("features", columns=18, low=0, high=1, epsilon=1.0)
    read = pg.read_folder(tmp_path, labels=False)[1]
    assert read.shape == (3, 18)
    with pytest.raises(pg.PrivacyError, match="columns was read off"):
        perturber.draw(read)
    assert perturber.draw(pg.read_folder(tmp_path, labels=False, feature_columns=18)[1]).publishable


def test_unpacking_has_a_limit(tmp_path):
    path = tmp_path / "bomb.txt.gz"
    path.write_bytes(gzip.compress(b"# order 3\n" + b"#\n" * 500000))
    assert pg.read_graph(path, unpack_limit=1000010).order == 3
    with pytest.raises(pg.LimitError, match="unpack_limit"):
        pg.read_graph(path, unpack_limit=1000009)


def test_a_long_file_takes_what_it_keeps(tmp_path):
    """A packed file of half a megabyte and 256 MiB of text: the graph has one edge, and the process stays small."""
    path, piece = tmp_path / "long.txt.gz", b"0 1\n" * (1 << 20)
    with gzip.open(path, "wb", 1) as file:
        file.write(b"# order 2\n")
        for _ in range(64):
            file.write(piece)
    code = """
import resource, sys
import privgraph as pg
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert pg.read_graph(sys.argv[1], merge=True, unpack_limit=1 << 30).size == 1
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    grown = int(subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True).stdout)
    assert grown < 100000, grown


def test_pipes_are_read_once(tmp_path):
    """The line of a failure is found by reading again, which a pipe does not allow."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    for packed in (False, True):
        text = b"# order 3\n0 1\n1 2\n0 1\n"
        writer = threading.Thread(target=path.write_bytes, args=(gzip.compress(text) if packed else text,))
        writer.start()
        with pytest.raises(pg.FormatError, match="pipe:4: a repeated edge"):
            pg.read_graph(path, format="edge-list")
        writer.join()


def test_mapped_graphs(tmp_path):
    source, path = tmp_path / "g.txt.gz", tmp_path / "g.csr"
    rng = np.random.default_rng(3)
    edges = rng.integers(0, 300, (2, 4000))
    graph = pg.Graph.from_edges(edges[:, edges[0] != edges[1]], 300)
    pg.write_graph(tmp_path / "plain.txt", graph)
    source.write_bytes(gzip.compress((tmp_path / "plain.txt").read_bytes()))
    pg.pack_graph(path, source, memory=1 << 20)
    assert path.stat().st_mode & 0o777 == 0o600
    mapped = pg.Graph.map(path)
    assert mapped == graph and mapped.order_declared
    assert pg.read_graph(path) == graph and pg.find_format(path) == "csr-file"
    query = pg.Query("embed", patterns="edge,path3,triangle", epsilon=1, delta=1e-6)
    assert np.array_equal(query.values_exact(mapped), query.values_exact(graph))
    offsets, columns = mapped.csr()
    del mapped
    assert columns[-1] == graph.csr()[1][-1]  # what was lent keeps the map
    del offsets, columns
    mapped = pg.Graph.map(path, order=300)
    with pytest.raises(pg.FormatError, match="another number of nodes"):
        pg.Graph.map(path, order=301)
    data = bytearray(path.read_bytes())
    path.write_bytes(data)
    with pytest.raises(pg.FileError, match="changed since it was mapped"):
        query.values_exact(mapped)
    data[4096] ^= 1
    path.write_bytes(data)
    with pytest.raises(pg.FormatError, match="block 0 of the offsets is damaged"):
        pg.Graph.map(path)
    (tmp_path / "edges.el").write_text("0 1\n1 2\n")
    pg.pack_graph(path, tmp_path / "edges.el")
    with pytest.raises(pg.PrivacyError):
        query.draw(pg.Graph.map(path))
    with pytest.raises(pg.FormatError, match="edges.el:1"):
        pg.pack_graph(path, tmp_path / "edges.el", index_base=1)
