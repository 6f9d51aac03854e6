"""Who the nodes are is public, and never read off private edges: every way in without a public
list is refused at the door, names come back, and no container washes the mark off."""
import copy
import pickle
import warnings

import networkx as nx
import numpy as np
import pytest

import privgraph as pg

TARGET = pg.Target(epsilon=1.0, delta=1e-6)


def worlds(bound):
    """Two sorted lists of edges that differ in one line, the first. Read in that order, the line
    gives "m" a low number: it takes a place in the list of every "y", and is not kept itself."""
    def names(letters, count):
        return [f"{letters}{i:03d}" for i in range(count)]
    lines = [("a", "z")] + [(name, "z") for name in names("aa", bound)]
    lines += [(b, y) for b in names("b", bound) for y in names("y", bound)]
    lines += [("m", name) for name in names("aa", bound) + names("y", bound)]
    people = sorted({name for line in lines for name in line})
    return sorted(lines), sorted(lines + [("a", "m")]), people


def in_order_of_edges(lines):
    """What every constructor did before."""
    index = {name: i for i, name in enumerate(dict.fromkeys(end for line in lines for end in line))}
    return pg.Graph.from_edges([(index[u], index[v]) for u, v in lines], len(index))




def smallest(graph, bound):
    """Edges that are among the `bound` smallest numbers of both ends: how graphs were cut then."""
    first = [set(graph.neighbours(v)[:bound].tolist()) for v in range(graph.order)]
    return sum(int(v) in first[u] and int(u) in first[v] for u, v in graph.edges().T)


@pytest.mark.parametrize("bound, truth", [(10, 5.3), (30, 21.6), (100, 123.5)])
def test_one_line_of_a_sorted_list_renumbers_many(bound, truth):
    first, second, people = worlds(bound)
    scale = pg.Query("embed", patterns="edge", max_degree=bound, scaling="density",
                     target=TARGET).deviations(len(people))[0] * len(people) ** 2 / 2  # in edges

    def epsilon(pair, cut=lambda graph, bound: graph.truncate_degree(bound).size):
        moved = abs(cut(pair[0], bound) - cut(pair[1], bound))
        return pg.Curve.gdp(moved / scale).epsilon(1e-6) if moved else 0.0

    # numbered as the edges name them, the truth is not 1 ...
    assert epsilon([in_order_of_edges(first), in_order_of_edges(second)], smallest) >= truth - 0.05
    # ... and with told nodes it is
    told = [pg.Graph.from_networkx(nx.Graph(lines), nodes=people) for lines in (first, second)]
    assert epsilon(told) <= 1.0 and epsilon(told, smallest) <= 1.0
    for lines in (first, second):  # what came in as it was is not released
        for given in (nx.Graph(lines), [nx.Graph(lines)]):
            for embedding in (pg.PrivateEmbedding(), pg.PrivateEmbedding("edge", max_degree=bound)):
                with pytest.raises(pg.PrivacyError, match="nodes="):
                    embedding.fit_transform(given)


def test_randomised_response_of_renumbered_graphs_is_told_apart():
    first, second, people = worlds(10)
    perturber = pg.Query("response", epsilon=1.0)

    def hits(pair, runs=20):
        """Share of guesses of a likelihood test that are right."""
        bits = [np.zeros((graph.order,) * 2, bool) for graph in pair]
        for bit, graph in zip(bits, pair):
            bit[tuple(graph.edges())] = True
        right = 0
        for run in range(runs):
            seen = np.zeros_like(bits[0])
            seen[tuple(perturber.draw(pair[run % 2]).graph.edges())] = True
            right += ((seen ^ bits[1]).sum() < (seen ^ bits[0]).sum()) == bool(run % 2)
        return right / runs

    assert hits([in_order_of_edges(first), in_order_of_edges(second)]) == 1.0
    told = [pg.Graph.from_networkx(nx.Graph(lines), nodes=people) for lines in (first, second)]
    assert hits(told, 60) < 0.95  # at most 0.74 in the mean
    for lines in (first, second):
        with pytest.raises(pg.PrivacyError, match="nodes="):
            perturber.draw(nx.Graph(lines))


# --- every way in ---------------------------------------------------------------------------------

EDGES = [("bo", "al"), ("cy", "al"), ("bo", "cy"), ("di", "cy")]
PEOPLE = ["al", "bo", "cy", "di", "ed"]


def frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({"from": [u for u, _ in EDGES], "to": [v for _, v in EDGES],
                             "weight": 1.0})


def neighbours():
    return {name: [v for u, v in EDGES if u == name] for name in ("bo", "cy", "di")}


def bare_graphs():
    late = nx.Graph(EDGES)
    late.add_nodes_from(PEOPLE)  # after the edges: too late
    yield "edges", nx.Graph(EDGES)
    yield "read", nx.parse_edgelist([" ".join(edge) for edge in EDGES])
    yield "late", late
    yield "multi", nx.MultiGraph(EDGES + EDGES[:2])
    yield "dict", neighbours()
    yield "path", nx.path_graph(5)  # numbers that look public are not told either
    yield "undirected", nx.DiGraph(EDGES).to_undirected()
    yield "component", nx.Graph(EDGES).subgraph(next(nx.connected_components(nx.Graph(EDGES))))


@pytest.mark.parametrize("given", [pytest.param(g, id=name) for name, g in bare_graphs()])
def test_nothing_inferred_is_released(given):
    def refused(call, *arguments, **options):
        with pytest.raises(pg.PrivacyError, match="nodes="):
            call(*arguments, **options)

    graph = pg.as_graph(given)
    assert not graph.order_declared and repr(graph) == "<Graph>"
    layers = pg.Layers("symmetric", depth=1, contraction=0.5)
    propagator = pg.Query("message-passing", layers=layers, order=graph.order, columns=2, target=TARGET)
    with pg.Ledger(1.0, 1e-5) as ledger:
        for data in (given, graph, [given], [pg.Graph.path(3), given], (given,)):
            refused(pg.PrivateEmbedding("edge", ledger=ledger).release, data,
                    objects=[f"graph {c}" for c in "xy"[:len(pg.as_graphset(data))]])
        for data in (given, graph, [given], [pg.Graph.path(3), given]):
            refused(pg.Query("embed", patterns="edge", target=TARGET).draw, data)
        for data in (given, graph):
            for made in (pg.Query("response", epsilon=1.0), pg.Query("dprr", epsilon=1.0),
                         pg.Query("subset", epsilon=1.0), pg.Query("blink", epsilon=1.0),
                         pg.Query("lapgraph", epsilon=1.0)):
                refused(made.draw, data)
            refused(propagator.draw, data, features=np.zeros((graph.order, 2)), open="features")
        assert ledger.charges == 0
    # it serves inside the program
    assert pg.Density("edge").count_exact(given).tolist() == [[2 * graph.size]]
    # and whatever is made of it knows
    for made in (graph.truncate_degree(1), graph.induce([0, 1]), graph.relabel(range(graph.order)),
                 pickle.loads(pickle.dumps(graph)), copy.copy(graph),
                 pg.GraphSet.from_graphs([graph])[0], pg.as_graph(graph.to_networkx()),
                 pg.as_graph(graph.to_scipy()), pg.Graph.from_adjacency(graph.to_scipy())):
        assert not made.order_declared
    assert not pg.GraphSet.from_graphs([pg.Graph.path(3), given]).order_declared
    assert not pickle.loads(pickle.dumps(pg.GraphSet.from_graphs([given]))).order_declared


def test_no_file_washes_the_mark_off(tmp_path):
    graph = pg.Graph.from_networkx(nx.Graph(EDGES))
    for name in ("g.txt", "g.mtx", "g.g6", "g.s6"):
        with pytest.raises(pg.PrivacyError):
            pg.write_graph(tmp_path / name, graph)
    with pytest.raises(pg.PrivacyError):
        pg.format_graph(graph, format="edge-list")
    with pytest.raises(pg.PrivacyError):
        pg.write_graphset(tmp_path / "g.g6", pg.GraphSet.from_graphs([graph]))
    assert not list(tmp_path.iterdir())


def told_graphs():
    told = nx.Graph(EDGES)
    yield pg.Graph.from_networkx(nx.Graph(EDGES), nodes=PEOPLE)
    yield pg.Graph.from_networkx(nx.MultiGraph(EDGES + EDGES), nodes=np.array(PEOPLE))
    yield pg.Graph.from_networkx(nx.Graph(EDGES), nodes=set(PEOPLE))
    yield pg.Graph.from_networkx(nx.Graph(EDGES), nodes=dict.fromkeys(PEOPLE))
    yield pg.as_graph(pg.tell_nodes(told, PEOPLE))
    yield pg.Graph.from_dict(neighbours(), nodes=PEOPLE)
    yield pg.Graph.from_dict({**{name: [] for name in reversed(PEOPLE)}, **neighbours()},
                             nodes="public")
    whole = nx.Graph(EDGES)
    whole.add_nodes_from(reversed(PEOPLE))
    yield pg.Graph.from_networkx(whole, nodes="public")
    yield pg.as_graph(pg.tell_nodes(whole))


def test_told_graphs_are_the_same_whatever_the_edges_say_first():
    for graph in told_graphs():
        assert graph.order_declared and list(graph.nodes) == PEOPLE and graph.order == 5
        assert graph.edges().T.tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]
        assert pg.PrivateEmbedding("edge").fit_transform([graph]).shape == (1, 1)


def test_pandas_edges_by_named_columns():
    pandas = pytest.importorskip("pandas")
    table = frame()
    graph = pg.Graph.from_pandas(table, "from", "to", nodes=pandas.Series(PEOPLE))
    assert graph.order_declared and list(graph.nodes) == PEOPLE
    assert graph.edges().T.tolist() == [[0, 1], [0, 2], [1, 2], [2, 3]]
    bare = pg.Graph.from_pandas(table, "from", "to")
    assert not bare.order_declared
    with pytest.raises(pg.PrivacyError, match="nodes="):
        pg.Query("embed", patterns="edge", target=TARGET).draw(bare)
    with pytest.raises(pg.PrivacyError, match="nodes="):
        pg.Query("embed", patterns="edge", target=TARGET).draw(nx.from_pandas_edgelist(table, "from", "to"))
    for call, words in (
            (lambda: pg.Graph.from_pandas(table, "from", "nobody", nodes=PEOPLE), "no column"),
            (lambda: pg.Graph.from_pandas(table, "from", "to", nodes="public"), "list them"),
            (lambda: pg.Graph.from_pandas(table, "from", "to", nodes=PEOPLE[:3]), "'di'"),
            (lambda: pg.Graph.from_pandas(table.assign(to=None), "from", "to", nodes=PEOPLE),
             "missing"),
            (lambda: pg.Graph.from_edges(table[["from", "to"]].iloc[:2], 4), "from_pandas"),
            (lambda: pg.Graph.from_pandas(EDGES, "from", "to"), "no table")):
        with pytest.raises(pg.ArgumentError, match=words):
            call()
    for given in (table, [table]):
        with pytest.raises(TypeError, match="from_pandas"):
            pg.PrivateEmbedding("edge").fit_transform(given)
    square = nx.to_pandas_adjacency(nx.Graph(EDGES))
    assert not pg.Graph.from_adjacency(square).order_declared
    assert pg.Graph.from_adjacency(square, nodes=PEOPLE) == graph
    with pytest.raises(pg.ArgumentError, match="different names"):
        pg.Graph.from_adjacency(square.rename(columns={"al": "xy"}), nodes=PEOPLE)


def test_what_is_no_list_of_nodes_is_refused():
    graph = nx.Graph(EDGES)
    for nodes, words in ((["al", "bo", "cy"], "'di'"), (PEOPLE + ["al"], "twice"), ("al", "public"),
                         ([["al"]], "hashed")):
        with pytest.raises(pg.ArgumentError, match=words):
            pg.Graph.from_networkx(graph, nodes=nodes)
        with pytest.raises(pg.ArgumentError):
            pg.tell_nodes(graph, nodes)
    assert not hasattr(graph, "privgraph_nodes")
    with pytest.raises(pg.ArgumentError, match="directed"):
        pg.Graph.from_networkx(nx.DiGraph(EDGES), nodes=PEOPLE)
    with pytest.raises(pg.ArgumentError, match="key"):
        pg.Graph.from_dict({"al": []}, nodes=["bo"])


def test_a_mark_is_a_list_and_does_not_follow_the_edges():
    whole = nx.Graph()
    whole.add_nodes_from(PEOPLE)
    whole.add_edges_from(EDGES)
    pg.tell_nodes(whole)
    part = whole.subgraph(next(nx.connected_components(whole)))  # who is in it, edges say
    assert not pg.as_graph(part).order_declared and pg.as_graph(whole).order_declared
    assert not pg.as_graph(whole.copy()).order_declared
    whole.add_edge("al", "zo")
    with pytest.raises(pg.ArgumentError, match="'zo'"):
        pg.as_graph(whole)
    inferred = pg.Graph.from_networkx(nx.Graph(EDGES)).to_networkx()
    for call in (lambda: pg.Graph.from_networkx(inferred, nodes="public"),
                 lambda: pg.tell_nodes(inferred)):
        with pytest.raises(pg.PrivacyError, match="list them"):
            call()
    assert not pg.as_graph(inferred.copy()).order_declared
    assert pg.Graph.from_networkx(inferred, nodes=PEOPLE).order_declared


def test_names_of_all_kinds_have_one_order():
    mixed = ["b", 2, (1, "x"), "a", 1.5, b"q", (1, 2), True, 10]
    rng = np.random.default_rng(1)
    orders = set()
    for _ in range(20):
        graph = nx.Graph()
        graph.add_nodes_from(mixed[i] for i in rng.permutation(len(mixed)))
        graph.add_edge("a", 2)
        orders.add(tuple(map(repr, pg.Graph.from_networkx(graph, nodes="public").nodes)))
    assert len(orders) == 1
    for name in (frozenset([1]), object(), float("nan"), 1j):
        graph = nx.Graph()
        graph.add_nodes_from([name, 3])
        with pytest.raises(pg.ArgumentError, match="nodes="):
            pg.Graph.from_networkx(graph, nodes="public")
        assert pg.Graph.from_networkx(graph, nodes=[3, name]).nodes == (3, name)


def test_names_stay_and_come_back():
    graph = pg.Graph.from_networkx(nx.Graph(EDGES), nodes=PEOPLE)
    assert graph.induce([4, 0]).nodes == ("ed", "al")
    assert graph.relabel([1, 2, 3, 4, 0]).nodes == ("ed", "al", "bo", "cy", "di")
    turned = graph.relabel([1, 2, 3, 4, 0])
    assert {frozenset(e) for e in turned.to_networkx().edges()} == set(map(frozenset, EDGES))
    members = pg.GraphSet.from_graphs([pg.Graph.path(3), graph], objects=["p", "g"])
    for given in (members, members[::-1][::-1], pickle.loads(pickle.dumps(members))):
        assert given[1].nodes == tuple(PEOPLE) and list(given[0].nodes) == [0, 1, 2]
    assert graph.truncate_degree(1).nodes == tuple(PEOPLE)
    back = graph.to_networkx()
    assert list(back.nodes()) == PEOPLE and pg.as_graph(back) == graph and pg.as_graph(back).order_declared
    released = pg.Query("response", epsilon=2.0).draw(graph)
    assert released.nodes == released.graph.nodes == tuple(PEOPLE)
    assert list(released.graph.to_networkx().nodes()) == PEOPLE
    many = pg.Query("response", epsilon=2.0).draw(members)
    assert many.graphs[1].nodes == tuple(PEOPLE) and list(many.graphs[0].nodes) == [0, 1, 2]
    states = pg.Query("message-passing", layers=pg.Layers("symmetric", depth=1, contraction=0.5), order=5, columns=2,
                      target=TARGET).draw(graph, features=np.zeros((5, 2)), open="features")
    assert states.nodes == tuple(PEOPLE)
    assert pg.Query("response", epsilon=2.0).draw(pg.Graph.path(4)).nodes is None
    assert list(pg.Graph.path(3).nodes) == [0, 1, 2]


def test_features_whose_width_was_read_off_them(tmp_path):
    (tmp_path / "edges.txt").write_text("# order 3\n0 1\n")
    (tmp_path / "features.txt").write_text("0:1 2:1\n1:1\n\n")
    features = pg.read_folder(tmp_path, labels=False)[1]
    assert not features.columns_declared
    again = pg.Features.from_scipy(features.to_scipy())
    assert not again.columns_declared and not pg.as_features(features.to_scipy()).columns_declared
    perturber = pg.Query("features", columns=3, epsilon=1.0)
    for given in (features, again, features.to_scipy()):
        with pytest.raises(pg.PrivacyError, match="columns"):
            perturber.draw(given)
    told = pg.read_folder(tmp_path, labels=False, feature_columns=3)[1]
    assert told.columns_declared and pg.as_features(told.to_scipy()).columns_declared


# --- one object, one budget -----------------------------------------------------------------------

def test_a_name_and_its_first_graph_are_one_object():
    assert pg.object_number("friends") == pg.object_number("friends:0") == \
        pg.object_number("friends:0:0")
    assert len({pg.object_number(name) for name in ("friends", "friends:1", "friends:00",
                                                    "friends0", "friend", ":0", ":")}) == 7
    with pg.Ledger(1.0, 1e-5) as ledger:
        embedder = pg.Query("embed", patterns="edge", epsilon=1.0, delta=1e-6)
        embedder.draw(pg.Graph.cycle(9), object="friends", ledger=ledger)
        with pytest.raises(pg.PrivacyError):  # the same network as a set of one, and of two
            embedder.draw([pg.Graph.cycle(9)], object=["friends:0"], ledger=ledger)
        with pytest.raises(pg.PrivacyError):
            embedder.draw([pg.Graph.cycle(9), pg.Graph.path(4)],
                             object=["friends:0", "friends:1"], ledger=ledger)


@pytest.mark.parametrize("name, snapshot", [
    ("graph 2026-Q1", True), ("graph-20260131", True), ("calls 2026", True), ("v2", True),
    ("friends March", True), ("calls_jan", True), ("graph 7:0", True), ("friends", False),
    ("friends:3", False), ("summary", False), ("Q1 friends", False), ("", False)])
def test_names_that_look_like_snapshots(name, snapshot):
    embedder = pg.Query("embed", patterns="edge", target=TARGET)
    pg.forget_releases()
    with pg.Ledger(9.0, 1e-5) as ledger, warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        ledger.spent(name)  # a question is no release
        assert not seen
        embedder.draw(pg.Graph.cycle(9), object=name, ledger=ledger)
        pg.GraphSet.from_graphs([pg.Graph.cycle(9)], objects=[name])
        pg.Query("response", epsilon=1.0).draw(pg.Graph.cycle(9), object=name, ledger=ledger)
        ledger.charge(name, pg.Curve.pure(0.1))
    assert [str(w.category.__name__) for w in seen] == ["SnapshotWarning"] * (4 if snapshot else 0)
    assert all("one name" in str(w.message) and w.filename == __file__ for w in seen)


# --- truncation -----------------------------------------------------------------------------------

def test_nothing_is_cut_unless_asked_for():
    star = pg.Graph.star(200)
    plain = pg.PrivateEmbedding("edge", epsilon=1e6, delta=1e-6, scaling="density")
    cut = pg.PrivateEmbedding("edge", epsilon=1e6, delta=1e-6, scaling="density", max_degree=10)
    exact = pg.Density("edge").evaluate_exact([star, star.truncate_degree(10)])[:, 0]
    for embedding, value, word in ((plain, exact[0], False), (cut, exact[1], True)):
        release = embedding.release(star)
        assert abs(release.values[0, 0] - value) < 0.05 * value
        said = "values are those of the graph truncated to degree 10"
        assert (said in " ".join(release.record["assumptions"])) == word
        assert (said in release.text) == word
    for bound in (3, None):
        said = pg.Query("message-passing", order=9, max_degree=bound, columns=2, target=TARGET).guarantee().text
        assert ("truncated to degree 3" in said) == (bound is not None)
