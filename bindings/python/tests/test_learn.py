"""PrivateEmbedding as scikit-learn sees it."""
import os
import pickle
import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import privgraph as pg


def graphs_and_labels(count=60):
    graphs = [nx.cycle_graph(30) if i % 2 else nx.gnp_random_graph(30, 0.5, seed=i) for i in range(count)]
    graphs = [pg.tell_nodes(graph, range(30)) for graph in graphs]
    return graphs, np.arange(count) % 2


def test_params_and_clone():
    embedding = pg.PrivateEmbedding("edge,path3", epsilon=2, max_degree=4)
    params = embedding.get_params()
    assert params["epsilon"] == 2 and params["delta"] == 1e-6 and params["degrees"] == "truncated"
    again = clone(embedding)
    assert again is not embedding and again.get_params() == params
    assert not hasattr(again, "query_")
    again.set_params(epsilon=3, patterns="edge")
    assert again.epsilon == 3 and embedding.epsilon == 2
    with pytest.raises(ValueError, match="there is no parameter"):
        again.set_params(epsilom=3)
    assert repr(embedding) == "PrivateEmbedding(epsilon=2, max_degree=4, patterns='edge,path3')"
    held = pg.PrivateEmbedding(pg.as_patterns("edge"), ledger=pg.Ledger(9.0, 1e-5))
    assert clone(held).ledger is held.ledger


def test_defaults_of_the_issue():
    embedding = pg.PrivateEmbedding(patterns="trees", epsilon=1, delta=1e-6, max_degree=10)
    values = embedding.fit_transform([pg.Graph.cycle(20)] * 2)
    assert values.shape == (2, 50) == (2, embedding.n_features_out_)
    assert embedding.release_.publishable and embedding.release_.epsilon(1e-6) <= 1
    assert len(embedding.get_feature_names_out()) == 50


def test_fit_looks_at_no_data():
    """What fit learns is the same for any graphs, so it cannot leak."""
    a = pg.PrivateEmbedding("trees", n_patterns=5).fit([pg.Graph.clique(50)])
    b = pg.PrivateEmbedding("trees", n_patterns=5).fit(None)
    assert a.patterns_.names == b.patterns_.names
    assert (a.query_.deviations(30) == b.query_.deviations(30)).all()


def test_pipeline_learns():
    graphs, labels = graphs_and_labels()
    model = make_pipeline(pg.PrivateEmbedding("edge,path3", epsilon=4, max_degree=None, append_order=True),
                          StandardScaler(), LogisticRegression())
    model.fit(graphs[:40], labels[:40])
    assert model.score(graphs[40:], labels[40:]) > 0.9  # densities 0.07 and 0.5: far apart
    assert cross_val_score(model, graphs, labels, cv=3).mean() > 0.9
    shuffled = np.random.default_rng(0).permutation(labels)
    assert cross_val_score(model, graphs, shuffled, cv=3).mean() < 0.8  # and it can fail


def test_grid_search_and_sets():
    graphs, labels = graphs_and_labels(30)
    model = make_pipeline(pg.PrivateEmbedding("edge", max_degree=None), LogisticRegression())
    search = GridSearchCV(model, {"privateembedding__epsilon": [1, 4]}, cv=3)
    search.fit(pg.GraphSet.from_graphs(graphs), labels)
    assert search.best_params_["privateembedding__epsilon"] in (1, 4)


def test_every_kind_of_input():
    embedding = pg.PrivateEmbedding("edge", max_degree=3)
    path = pg.tell_nodes(nx.path_graph(4))
    for given in (path, [path], [pg.Graph.path(4)], pg.Graph.path(4), nx.to_scipy_sparse_array(path),
                  [nx.to_scipy_sparse_array(path)], [(np.array([[0, 1, 2], [1, 2, 3]]), 4)],
                  pg.GraphSet.from_graphs([path])):
        assert embedding.fit_transform(given).shape == (1, 1)


def test_folder(tmp_path):
    folder = tmp_path / "SET"
    folder.mkdir()
    pg.write_graphset(folder, pg.GraphSet.from_graphs([pg.Graph.cycle(5)] * 4, [0, 1, 0, 1]))
    assert pg.PrivateEmbedding("edge").fit_transform(folder).shape == (4, 1)


def test_seed_is_insecure_and_says_so():
    def draw():
        return pg.PrivateEmbedding("edge,path3", insecure_seed=5).fit_transform([pg.Graph.cycle(9)] * 3)
    assert (draw() == draw()).all()
    embedding = pg.PrivateEmbedding("edge", insecure_seed=5)
    first, second = embedding.fit_transform(pg.Graph.cycle(9)), embedding.transform(pg.Graph.cycle(9))
    assert (first != second).all()  # the stream goes on
    assert not embedding.release_.publishable


def test_ledger_in_a_pipeline():
    book = pg.Ledger(1.5, 1e-5)
    graphs = pg.GraphSet.from_graphs([pg.Graph.cycle(9), pg.Graph.path(9)], objects=["a", "b"])
    embedding = pg.PrivateEmbedding("edge", ledger=book).fit()
    embedding.transform(list(graphs))  # plain graphs carry their objects
    assert 0 < book.spent("a") <= 1
    with pytest.raises(pg.PrivacyError):
        for _ in range(4):
            embedding.release(graphs)  # transform would give the same rows again


def test_pickle():
    embedding = pg.PrivateEmbedding("trees", n_patterns=7, insecure_seed=3).fit()
    again = pickle.loads(pickle.dumps(embedding))
    assert again.patterns_.names == embedding.patterns_.names
    assert again.transform(pg.Graph.cycle(9)).shape == (1, 7)


def test_laplace_and_refusals():
    row = pg.PrivateEmbedding("edge", noise="laplace", delta=0, epsilon=1).fit_transform(pg.Graph.cycle(9))
    assert row.shape == (1, 1)
    with pytest.raises(pg.ArgumentError, match="max_degree"):
        pg.PrivateEmbedding("edge", max_degree=0).fit()
    with pytest.raises(pg.ArgumentError):
        pg.PrivateEmbedding("edge", epsilon=0).fit()


def test_sklearn_is_not_needed():
    program = ("import sys, privgraph\n"
               "privgraph.PrivateEmbedding('edge').fit_transform(privgraph.Graph.cycle(5))\n"
               "print([m for m in ('sklearn', 'scipy', 'networkx', 'matplotlib') if m in sys.modules])\n")
    out = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True,
                         env=dict(os.environ)).stdout
    assert out.strip() == "[]"
