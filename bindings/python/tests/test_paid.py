"""Who has paid for a remembered draw; processes that fork; what pickles hold; one place that counts releases."""
import contextlib
import copy
import inspect
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

import privgraph as pg
from privgraph.memory import MEMORY

ORDER = 60


@pytest.fixture(autouse=True)
def fresh():
    pg.forget_releases()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pg.RepeatedReleaseWarning)
        warnings.simplefilter("ignore", pg.NothingVisibleWarning)
        yield
    pg.forget_releases()


def named(name="friends", order=30):
    graph = pg.Graph.cycle(order)
    graph.object = pg.object_number(name)
    return graph


def embedding(**options):
    return pg.PrivateEmbedding("edge,path3", **options)


def club(name="club"):
    rng = np.random.default_rng(5)
    y = np.arange(ORDER) % 2
    graph = pg.Graph.from_edges(np.array([(a, b) for a in range(ORDER) for b in range(a)
                                          if rng.random() < (0.3 if y[a] == y[b] else 0.05)]).T, ORDER)
    if name is not None:
        graph.object = pg.object_number(name)
    return graph, y


# --- 3: a ledger sees remembered draws -------------------------------------------------------------

@pytest.mark.parametrize("kind", ["memory", "file"])
def test_a_ledger_pays_for_a_draw_of_before(kind, tmp_path):
    graph = named()
    row = embedding(epsilon=5.0).fit_transform(graph)
    path = tmp_path / "book"
    tight, wide = [pg.Ledger(e, 1e-5) if kind == "memory" else pg.Ledger.create(f"{path}{e}", e, 1e-5)
                   for e in (0.5, 8.0)]
    with tight, wide:
        with pytest.raises(pg.PrivacyError):
            embedding(epsilon=5.0, ledger=tight).fit_transform(graph)
        assert tight.charges == 0
        for _ in range(3):
            assert (embedding(epsilon=5.0, ledger=wide).fit_transform(graph) == row).all()
        assert wide.charges == 1 and 4.5 < wide.spent("friends", 1e-6) <= 5.01
    assert (embedding(epsilon=5.0).fit_transform(graph) == row).all()


def test_a_file_is_known_again_and_a_backup_put_back_pays_again(tmp_path):
    graph, path = named(), tmp_path / "book"
    pg.Ledger.create(path, 8.0, 1e-5).close()
    with pg.Ledger.open(path) as book:
        identity = book.identity
        book.compact()
        assert book.identity == identity
    before = path.read_bytes()
    row = embedding(epsilon=2.0, ledger=path).fit_transform(graph)
    assert (embedding(epsilon=2.0, ledger=str(path)).fit_transform(graph) == row).all()
    with pg.Ledger.open(path) as book:
        assert book.charges == 1 and book.identity == identity
    path.write_bytes(before)  # it does not know of the charge any more
    assert (embedding(epsilon=2.0, ledger=path).fit_transform(graph) == row).all()
    with pg.Ledger.open(path) as book:
        assert book.charges == 1 and book.identity == identity


def test_all_owed_or_none():
    graphs = pg.GraphSet.from_graphs([named("a"), named("b"), named("c")])
    with pg.Ledger(3.0, 1e-5) as book:
        embedding(epsilon=2.0).fit_transform(graphs[:2])
        book.charge("c", pg.Curve.pure(2.5))
        with pytest.raises(pg.PrivacyError):  # c cannot be drawn, so nothing is paid for a and b
            embedding(epsilon=2.0, ledger=book).fit_transform(graphs)
        assert book.charges == 1
        embedding(epsilon=2.0, ledger=book).fit_transform(graphs[:2])
        assert book.spent("a", 1e-6) > 1.9 and book.spent("b", 1e-6) > 1.9 and book.charges == 2


def test_a_ledger_needs_an_object_also_for_a_draw_of_before():
    graph, (net, y) = pg.Graph.cycle(30), club(None)
    embedding().fit_transform(graph)
    pg.NodeClassifier(net, epsilon=4.0).fit(np.arange(40), y[:40])
    with pg.Ledger(9.0, 1e-5) as book:
        with pytest.raises(pg.ArgumentError, match="object"):
            embedding(ledger=book).fit_transform(graph)
        with pytest.raises(pg.ArgumentError, match="object"):
            pg.NodeClassifier(net, epsilon=4.0, ledger=book).fit(np.arange(40), y[:40])
        assert book.charges == 0


def test_node_classifiers_pay_for_a_draw_of_before():
    net, y = club()
    nodes = np.arange(40)
    first = pg.NodeClassifier(net, epsilon=4.0).fit(nodes, y[nodes])
    with pg.Ledger(0.5, 1e-5) as tight, pg.Ledger(5.0, 1e-5) as wide:
        with pytest.raises(pg.PrivacyError):
            pg.NodeClassifier(net, epsilon=4.0, ledger=tight).fit(nodes, y[nodes])
        for _ in range(2):
            again = pg.NodeClassifier(net, epsilon=4.0, ledger=wide).fit(nodes, y[nodes])
        assert tight.charges == 0 and wide.charges == 1 and wide.spent("club") == pytest.approx(4.0, rel=1e-4)
        assert np.array_equal(again.predict_proba([50]), first.predict_proba([50]))


def test_hidden_nodes_and_users_pay_for_a_draw_of_before():
    net, y = club()
    nodes, x = np.arange(40), np.random.default_rng(1).random((ORDER, 4))
    same = {"features": x, "classes": [0, 1], "epsilon": 3.0, "averages": 1}
    pg.NodeClassifier(net, hidden="nodes", **same).fit(nodes, y[nodes])
    with pg.Ledger(1.0, 1e-4, notion="node-removed") as tight, pg.Ledger(6.0, 1e-4, notion="node-removed") as wide:
        with pytest.raises(pg.PrivacyError):
            pg.NodeClassifier(net, hidden="nodes", ledger=tight, **same).fit(nodes, y[nodes])
        for _ in range(2):
            pg.NodeClassifier(net, hidden="nodes", ledger=wide, **same).fit(nodes, y[nodes])
        assert tight.charges == 0 and wide.charges == 1 and 2.0 < wide.spent("club", 1e-5) < 3.01
    users = {"hidden": "users", "feature_epsilon": 2.0, "label_epsilon": 1.0, **same}
    pg.NodeClassifier(net, **users).fit(nodes, y[nodes])
    books = {"lists": pg.Ledger(4.0, notion="edge-set-ldp"), "features": pg.Ledger(4.0, notion="feature-ldp"),
             "labels": pg.Ledger(0.5, notion="label-ldp")}
    with pytest.raises(pg.PrivacyError):
        pg.NodeClassifier(net, ledger=books, **users).fit(nodes, y[nodes])
    assert [book.charges for book in books.values()] == [0, 0, 0]
    books["labels"] = pg.Ledger(4.0, notion="label-ldp")
    for _ in range(2):
        pg.NodeClassifier(net, ledger=books, **users).fit(nodes, y[nodes])
    assert [book.spent("club") for book in books.values()] == pytest.approx([3.0, 2.0, 1.0], rel=1e-5)


def test_a_search_pays_for_what_was_drawn_before():
    graphs = pg.GraphSet.from_graphs([pg.Graph.erdos_renyi(20, 0.2 + 0.5 * (i % 2), seed=i) for i in range(10)])
    graphs = graphs.with_objects([f"net {chr(97 + i)}" for i in range(10)])
    labels = np.arange(10) % 2
    for epsilon in (0.5, 2.0):
        embedding(epsilon=epsilon).fit_transform(graphs)
    with pg.Ledger(2.0, 1e-6) as book:
        model = make_pipeline(embedding(ledger=book), LogisticRegression())
        with pytest.raises(pg.SearchStopped):
            GridSearchCV(model, {"privateembedding__epsilon": [0.5, 2.0]}, cv=2).fit(graphs, labels)
        assert max(book.spent(number) for number in book.objects) <= 2.0


def test_parameters_that_are_set_after_fit():
    """The row of a setting is drawn under it; noise of a seed is never remembered as if it were none."""
    graph = named()
    first = embedding(epsilon=5.0).fit()
    first.set_params(epsilon=0.5)
    first.transform(graph)
    assert first.release_.epsilon(1e-6) <= 0.5
    seeded = embedding(insecure_seed=1).fit()
    seeded.set_params(insecure_seed=None)
    row = seeded.transform(graph)
    assert seeded.release_.publishable and (embedding().fit_transform(graph) == row).all()


# --- 4: fork ---------------------------------------------------------------------------------------

GLOBAL = pg.PrivateEmbedding("edge,path3")
SHARED = pg.GraphSet.from_graphs([pg.Graph.cycle(30)])


def _row(_):
    return GLOBAL.fit_transform(SHARED).tolist()


def test_forked_processes_share_one_draw():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        rows = pool.map(_row, range(6), chunksize=1)
    assert all(row == rows[0] for row in rows)
    assert _row(0) == rows[0]
    assert len(MEMORY.spent[f"graph {SHARED.identities[0]}"]) == 1


def test_a_child_that_ends_leaves_the_memory_alone():
    code = """
import os, sys, privgraph as pg
graph, embedding = pg.Graph.cycle(30), pg.PrivateEmbedding("edge")
import pickle; pickle.dumps(embedding)
child = os.fork()
if child == 0:
    row = embedding.fit_transform(graph)
    sys.exit(0)                       # runs what was registered to run at the end
os.waitpid(child, 0)
from privgraph.memory import MEMORY
embedding.fit_transform(graph)
assert len(MEMORY.spent[f"graph {graph.identity}"]) == 1, MEMORY.spent
folder = MEMORY.folder()
assert os.path.isdir(folder) and oct(os.stat(folder).st_mode)[-3:] == "700"
print(folder)
"""
    folder = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    assert folder and not os.path.exists(folder)


def test_a_child_that_goes_on_without_its_parent(tmp_path):
    """The folder is gone with the parent; what the child knows it still knows."""
    code = f"""
import os, time, privgraph as pg
graph, embedding = pg.Graph.cycle(30), pg.PrivateEmbedding("edge")
row = embedding.fit_transform(graph).tolist()
from privgraph.memory import MEMORY
folder = MEMORY.folder()
if os.fork() == 0:
    while os.path.isdir(folder):
        time.sleep(0.01)
    same = embedding.fit_transform(graph).tolist() == row
    open({str(tmp_path / "said")!r} + ".part", "w").write(str(same))
    os.rename({str(tmp_path / "said")!r} + ".part", {str(tmp_path / "said")!r})
    os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    for _ in range(3000):
        if (tmp_path / "said").exists():
            break
        threading.Event().wait(0.02)
    assert (tmp_path / "said").read_text() == "True"


def test_threads_share_one_draw():
    graphs = pg.GraphSet.from_graphs([(np.array([[0, 1], [1, 2]]), 9)] * 2)
    rows = [None] * 8

    def work(i):
        rows[i] = embedding().fit_transform(graphs).tolist()

    hands = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    assert all(row == rows[0] for row in rows)


# --- who is who ------------------------------------------------------------------------------------

def edges_of(edges, kept={}):  # as PyG's Data
    class Data:
        edge_index, num_nodes = edges, 5

        def to_dict(self):
            return {"num_nodes": 5}
    return kept.setdefault("data", Data())


def test_the_same_python_object_is_the_same_graph(tmp_path):
    edges = np.array([[0, 1, 2], [1, 2, 3]])
    matrix = pg.Graph.cycle(9).to_scipy()
    (tmp_path / "set.g6").write_text("Cr\nCF\n")
    for given in ([(edges, 5)], [matrix], matrix, [edges_of(edges)], str(tmp_path / "set.g6")):
        assert (embedding().fit_transform(given) == embedding().fit_transform(given)).all()
    assert (embedding().fit_transform([(edges.copy(), 5)]) != embedding().fit_transform([(edges, 5)])).all()


@pytest.mark.parametrize("way", ["networkx", "scipy", "pair"])
def test_clones_of_a_classifier_share_one_draw(way):
    net, y = club(None)
    given = {"networkx": lambda: pg.tell_nodes(net.to_networkx()), "scipy": lambda: net.to_scipy().copy(),
             "pair": lambda: (net.edges(), ORDER)}[way]()
    model = pg.NodeClassifier(given, epsilon=4.0, messages=(np.arange(20), y[:20]), averages=1)
    cross_val_score(model, np.arange(20, ORDER), y[20:], cv=3)
    clone(model).fit(np.arange(20, ORDER), y[20:])
    assert sum(len(costs) for costs in MEMORY.spent.values()) == 1


# --- 8: pickles and words --------------------------------------------------------------------------

@pytest.mark.parametrize("hidden", ["edges", "users", "nodes"])
def test_pickles_hold_what_may_be_published(hidden, tmp_path):
    joblib = pytest.importorskip("joblib")
    net, y = club()
    x = np.random.default_rng(2).random((ORDER, 4))
    model = pg.NodeClassifier(net, x, hidden=hidden, epsilon=4.0, classes=[0, 1], averages=1, label_epsilon=2.0,
                              feature_epsilon=2.0, messages=(np.arange(40), y[:40])).fit(np.arange(40), y[:40])
    joblib.dump(make_pipeline(model), tmp_path / "file")
    with open(tmp_path / "plain", "wb") as file:
        pickle.dump(model, file)
    code = f"""
import joblib, pickle, numpy as np
for one in (joblib.load({str(tmp_path / "file")!r}).steps[0][1], pickle.load(open({str(tmp_path / "plain")!r}, "rb"))):
    assert one.graph is None and one.features is None and one.messages is None, vars(one)
    print(one.predict([50])[0] if {hidden != "nodes"} else one.model_.holds_secrets)
"""
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert said == [str(model.predict([50])[0] if hidden != "nodes" else False)] * 2
    data = (tmp_path / "plain").read_bytes()
    offsets, columns = net.csr()
    for secret in (columns.tobytes(), offsets.tobytes(), x.tobytes(), x[7].tobytes()):
        assert secret not in data and secret not in (tmp_path / "file").read_bytes()
    model.save_exact(tmp_path / "whole")
    assert os.stat(tmp_path / "whole").st_mode & 0o077 == 0
    again = pg.NodeClassifier.load_exact(tmp_path / "whole")
    assert again.graph == net and np.array_equal(again.features, x)
    for twin in (copy.copy(model), copy.deepcopy(model), clone(model)):
        assert twin.graph is net and twin.fit(np.arange(40), y[:40]).graph is net


@pytest.mark.parametrize("way", ["loky", "spawn"])
def test_processes_of_this_program_get_all_of_it(way):
    net, y = club()
    model = pg.NodeClassifier(net, epsilon=4.0, messages=(np.arange(20), y[:20]), averages=1)
    rest = np.arange(20, ORDER)
    if way == "loky":
        assert np.isfinite(cross_val_score(model, rest, y[rest], cv=3, n_jobs=2)).all()
    else:
        from multiprocessing.reduction import ForkingPickler
        again = pickle.loads(ForkingPickler.dumps(model))
        assert again.graph == net
        again.fit(rest, y[rest])
    assert MEMORY.folder()
    model.fit(rest, y[rest])
    assert [len(costs) for costs in MEMORY.spent.values()] == [1]


def test_exact_numbers_say_so():
    assert not any(hasattr(pg.Model, name) for name in ("temperature", "is_private"))
    assert not any(hasattr(pg.Dataset, name) for name in ("arcs", "is_private"))
    assert not hasattr(pg.Release, "is_private") and not hasattr(pg.Network, "memory")
    wide = pg.Features.from_dense(np.eye(7, 13))
    assert "13" in repr(wide)
    inferred = wide.to_scipy()
    inferred.privgraph_columns_inferred = True
    assert "13" not in repr(pg.Features.from_scipy(inferred)) and "7" in repr(pg.Features.from_scipy(inferred))


# --- 10: all graphs or none ------------------------------------------------------------------------

def test_degree_embeddings_pay_for_all_or_none():
    graphs = pg.GraphSet.from_graphs([named("a"), named("b"), named("c")])
    with pg.Ledger(1.0, 1e-5) as book:
        book.charge("c", pg.Curve.pure(0.6))
        for sticky in (True, False):
            with pytest.raises(pg.PrivacyError):
                pg.DegreeEmbedding(epsilon=0.5, ledger=book, sticky=sticky).fit_transform(graphs)
        assert book.charges == 1 and book.spent("a") == book.spent("b") == 0
        assert pg.DegreeEmbedding(epsilon=0.5, ledger=book).fit_transform(graphs[:2]).shape[0] == 2
        assert book.charges == 2


# --- 12: one place warns ---------------------------------------------------------------------------

def everything_that_releases():
    net, y = club(None)
    x = np.random.default_rng(3).random((ORDER, 4))
    labels = np.where(np.arange(ORDER) < 40, y, -1).astype(np.int32)
    parts = np.where(np.arange(ORDER) < 40, 0, 2).astype(np.int32)
    target = pg.Target(1.0, 1e-6)
    layers = pg.Layers("symmetric", depth=1, contraction=0.5)
    network = pg.Network("dense 4 relu | dense classes", 4, 2)
    return {
        "embedder": lambda **k: pg.Query("embed", patterns="edge", target=target).draw(net, **k),
        "set": lambda **k: pg.Query("embed", patterns="edge", target=target).draw([net], **k),
        "statistic": lambda **k: pg.Query("degrees", epsilon=1.0).draw(net, **k),
        "statistics": lambda **k: pg.Query("degrees", epsilon=1.0).draw([net], **k),
        "synthesize": lambda **k: pg.synthesize(net, 1.0, **k),
        "propagator": lambda **k: pg.Query("message-passing", layers=layers, order=ORDER, columns=4,
                                           target=target).draw(net, features=x, open="features", **k),
        "perturber": lambda **k: pg.Query("response", epsilon=1.0).draw(net, **k),
        "perturbers": lambda **k: pg.Query("response", epsilon=1.0).draw([net], **k),
        "features": lambda **k: pg.Query("features", columns=4, epsilon=1.0).draw(x, **k),
        "labels": lambda **k: pg.Query("labels", classes=2, epsilon=1.0).draw(labels, **k),
        "classify": lambda **k: pg.classify(net, labels, 1.0, **k),
        "learn_nodes": lambda **k: pg.learn_nodes(net, labels, 1.0, averages=1, **k),
        "learn_users": lambda ledger=None, **k: pg.learn_users(
            net, labels, parts, list_epsilon=1.0, averages=1, list_ledger=ledger, **k),
        "learn_hidden_nodes": lambda **k: pg.learn_hidden_nodes(
            net, labels, parts, 1.0, 1e-5, features=x, classes=2, **k),
        "training": lambda **k: pg.PrivateTraining(network, 40, pg.Target(1.0, 1e-5)).draw(
            pg.Dataset(features=pg.private(x), labels=pg.private(labels), split=parts), **k),
    }


NOTIONS = {"features": "feature-ldp", "labels": "label-ldp", "learn_users": "edge-set-ldp",
           "learn_hidden_nodes": "node-removed", "training": "node-removed"}


@pytest.mark.parametrize("name", sorted(everything_that_releases()))
def test_every_release_is_counted_and_names_are_looked_at(name):
    release = everything_that_releases()[name]
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        release()
        assert not [w for w in seen if w.category is pg.RepeatedReleaseWarning]
        release()
    again = [w for w in seen if w.category is pg.RepeatedReleaseWarning]
    assert len(again) == 1 and "epsilon 2" in str(again[0].message), [str(w.message) for w in seen]
    assert again[0].filename == __file__
    objects = {"object": ["calls 2026"] if name in ("set", "statistics", "perturbers") else "calls 2026"}
    pg.forget_releases()
    with pg.Ledger(9.0, 1e-4, notion=NOTIONS.get(name, "edge")) as book:
        with pytest.warns(pg.SnapshotWarning) as said:
            release(ledger=book, **objects)
        assert said[0].filename == __file__ and book.charges >= 1
        with warnings.catch_warnings():
            warnings.simplefilter("error", pg.RepeatedReleaseWarning)  # the ledger counts
            warnings.simplefilter("ignore", pg.SnapshotWarning)
            release(ledger=book, **objects)


def test_warnings_that_are_errors_lose_no_draw():
    graph, (net, y) = pg.Graph.cycle(30), club(None)
    embedding(epsilon=1.0).fit_transform(graph)
    pg.NodeClassifier(net, epsilon=4.0).fit(np.arange(40), y[:40])
    with warnings.catch_warnings():
        warnings.simplefilter("error", pg.RepeatedReleaseWarning)
        with pytest.raises(pg.RepeatedReleaseWarning) as raised:
            pg.Query("embed", patterns="edge", epsilon=1.0, delta=1e-6).draw(graph)
        assert raised.value.releases[0].shape == (1, 1)
        for other in (embedding(epsilon=2.0).fit_transform, embedding(epsilon=2.0).fit_transform):
            with contextlib.suppress(pg.RepeatedReleaseWarning):
                other(graph)
        for _ in range(2):
            with contextlib.suppress(pg.RepeatedReleaseWarning):
                pg.NodeClassifier(net, epsilon=3.0).fit(np.arange(40), y[:40])
    assert [len(costs) for costs in MEMORY.spent.values()] == [3, 2]


def test_every_draw_goes_through_the_one_place():
    """A call of the library that draws stands inside a `with Releasing`, its own or that of a function it is given to."""
    assert "door.drew(" in inspect.getsource(pg.Query._draw) and "Releasing(" in inspect.getsource(pg.query._Asked.door)
    given = re.compile(r"\._draw\(asked\b")
    draws = re.compile(r"pvg_(release_draw|composition_draw\b|pipeline_draw\b)")
    found = 0
    for path in Path(pg.__file__).parent.glob("*.py"):
        lines = path.read_text().splitlines()
        for i, line in enumerate(lines):
            if not draws.search(line) or path.name == "audit.py":
                continue
            found += 1
            around = "\n".join(lines[max(0, i - 12):i + 12])
            if given.search("\n".join(lines[i - 2:i + 1])):
                continue
            assert "with Releasing(" in around and "drew(" in around, (path.name, i + 1)
    assert found >= 3


# --- declared objects ------------------------------------------------------------------------------

def test_a_name_that_was_not_declared_is_no_fresh_budget(tmp_path):
    path = tmp_path / "book"
    with pg.Ledger.create(path, 1.0, 1e-5, objects={"friends": 1, "mutag": 3}) as book:
        assert book.declared == ["friends", "mutag*3"]
    for again in range(2):
        with pg.Ledger.open(path) as book:
            for name in ("Friends", "friends ", "mutag:3", "friends:1", "mutag4"):
                with pytest.raises(pg.PrivacyError, match="made for"):
                    book.charge(name, pg.Curve.pure(0.1))
                with pytest.raises(pg.PrivacyError):
                    pg.Query("degrees", epsilon=0.1).draw(pg.Graph.cycle(9), object=name, ledger=book)
                assert not book.fits(name, pg.Curve.pure(0.1)) and name not in book.names().values()
            with pytest.raises(pg.PrivacyError, match="made for"):
                book.charge(pg.object_number("Friends") if again else 12345, pg.Curve.pure(0.1))
            book.charge(["friends", "mutag", "mutag:2"], pg.Curve.pure(0.1))
            book.compact()
            assert book.declared == ["friends", "mutag*3"] and book.charges == again + 1
            assert book.to_dict()["declared"] == ["friends", "mutag*3"]
    assert pg.Ledger.verify(path)[0] == "whole"
    for wrong in ([], [""], ["a\nb"], ["x*0"], [7]):
        with pytest.raises(pg.ArgumentError):
            pg.Ledger(1.0, objects=wrong)
    assert pg.Ledger(1.0).declared is None
    with pg.Ledger(1.0, objects="only") as book, pytest.raises(pg.PrivacyError, match="only"):
        embedding(ledger=book).fit_transform(named("other"))
