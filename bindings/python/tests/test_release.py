"""Releases: guarantee, law of the noise, budget."""
import gc
import itertools
import math
import pickle
import threading

import numpy as np
import pytest

import privgraph as pg

TARGET = pg.Target(1.0, 1e-6)


def test_record_of_a_release():
    release = pg.Query("embed", patterns="edge,path3", max_degree=5, target=TARGET).draw([pg.Graph.cycle(20)] * 3)
    assert release.shape == (3, 2) and release.publishable and len(release) == 3
    assert 0.99 < release.epsilon(1e-6) <= 1.0 and release.epsilon(1e-3) < release.epsilon(1e-6)
    assert release.curve().epsilon(1e-6) == release.epsilon(1e-6)
    assert release.record["private"] is True and release.record["claim"] == release.claim
    assert "single edge" in release.text
    assert np.asarray(release).shape == (3, 2) and not release.values.flags.writeable
    assert release.values[0].tolist() != release.values[1].tolist()  # noise is fresh for each


def test_degree_bound_is_enforced_unless_promised():
    assert "truncated" in str(pg.Query("embed", patterns="edge", max_degree=3,
                                       target=TARGET).draw(pg.Graph.star(9)).record)
    promised = pg.Query("embed", patterns="edge", max_degree=3, degrees="promised", target=TARGET)
    assert "promised" in str(promised.draw(pg.Graph.path(9)).record)


def test_seeded_noise_is_refused_or_marked():
    seeded = pg.Rng.seeded(1)
    with pytest.raises(pg.PrivacyError):
        pg.Query("embed", patterns="edge", target=TARGET).draw(pg.Graph.cycle(5), rng=seeded)
    with pytest.raises(TypeError):
        pg.Query("embed", patterns="edge", target=TARGET).draw(pg.Graph.cycle(5), rng=7)
    open_target = pg.Target(1.0, 1e-6, allow_seeded=True)
    release = pg.Query("embed", patterns="edge", target=open_target).draw(pg.Graph.cycle(5), rng=seeded)
    assert not release.publishable and release.epsilon(1e-6) == math.inf and "NOT PRIVATE" in repr(release)


def test_noise_has_the_previewed_scale():
    embedder = pg.Query("embed", patterns="edge,path3", epsilon=1.0, delta=1e-6, allow_seeded=True)
    graph = pg.Graph.cycle(12)
    scale = embedder.deviations(12)
    values = embedder.draw([graph] * 4000, rng=pg.Rng.seeded(3)).values
    exact = pg.Density("edge,path3").evaluate_exact(graph) / pg.density_range("edge,path3", pg.Assumption(12))
    deviation = (values - exact).std(axis=0) / scale
    assert (abs(deviation - 1) < 0.08).all()  # more than 6 standard errors
    assert (abs((values - exact).mean(axis=0)) < 6 * scale / math.sqrt(4000)).all()
    assert (abs(deviation * 1.2 - 1) > 0.08).all()  # a scale wrong by a fifth would be noticed
    with pytest.raises(pg.PrivacyError):
        pg.Query("embed", patterns="edge", epsilon=1, delta=1e-6, noise="smooth", beta=1e-3).deviations(20)


def test_units_and_extra_column():
    graph = pg.Graph.cycle(30)
    embedder = pg.Query("embed", patterns="edge", scaling="per-node", append_order=True, epsilon=1e6, noise="laplace")
    assert embedder.columns == ["edge", "order"]
    row = embedder.draw(graph).values[0]
    assert row[0] == pytest.approx(2.0, abs=1e-3) and row[1] == 30


def test_ledger_guards_releases():
    book = pg.Ledger(2.0, 1e-5)
    embedder = pg.Query("embed", patterns="edge", target=TARGET)
    graphs = pg.GraphSet.from_graphs([pg.Graph.cycle(5), pg.Graph.path(5)]).with_objects(["a", "b"])
    embedder.draw(graphs, ledger=book)
    assert 0 < book.spent("a") <= 1.0 and book.spent("a") == book.spent("b")
    embedder.draw(graphs[0], ledger=book)
    with pytest.raises(pg.PrivacyError):
        for _ in range(5):
            embedder.draw(graphs[0], ledger=book)
    assert book.spent("a") <= 2.0
    embedder.draw(pg.Graph.cycle(5), object="c", ledger=book)
    with pytest.raises(pg.ArgumentError, match="object"):
        embedder.draw(pg.Graph.cycle(5), ledger=book)
    with pytest.raises(pg.ArgumentError, match="objects"):
        embedder.draw([pg.Graph.cycle(5)], ledger=book)
    with pytest.raises(pg.ArgumentError, match="entries"):
        embedder.draw([pg.Graph.cycle(5)], object=["a", "b"], ledger=book)
    book.close()
    with pytest.raises(pg.ArgumentError, match="closed"):
        embedder.draw(graphs, ledger=book)


def test_values_outlive_everything_in_any_order():
    for order in itertools.permutations(range(4)):
        patterns = pg.as_patterns("edge,path3")
        embedder = pg.Query("embed", patterns=patterns, target=TARGET)
        release = embedder.draw(pg.Graph.cycle(40))
        values, copy = release.values, np.array(release.values)
        kept = [patterns, embedder, release, pg.Rng.secure()]
        del patterns, embedder, release
        for index in order:
            kept[index] = None
            assert (values == copy).all()
    gc.collect()


def test_refusals():
    with pytest.raises(pg.ArgumentError):
        pg.Query("embed", patterns="edge", epsilon=-1, delta=1e-6)
    with pytest.raises(pg.ArgumentError, match="weights"):
        pg.Query("embed", patterns="edge,path3", weights=[1.0], target=TARGET)
    with pytest.raises(pg.ArgumentError, match="scaling"):
        pg.Query("embed", patterns="edge", scaling="furlongs", target=TARGET)
    with pytest.raises(pg.ArgumentError, match="degrees"):
        pg.Query("embed", patterns="edge", degrees="guessed", max_degree=3, target=TARGET)


def test_threads_share_handles():
    embedder, graphs = pg.Query("embed", patterns=pg.as_patterns("trees"), target=TARGET), pg.GraphSet.sbm(40, [0.1,
                                                                                                                0.3], 10)
    found = []
    workers = [threading.Thread(target=lambda: found.append(embedder.draw(graphs).values))
               for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4 and len({values.tobytes() for values in found}) == 4


def test_a_cancelled_release_stays_charged():
    book = pg.Ledger(1.2, 1e-5)
    embedder = pg.Query("embed", patterns="clique6", target=TARGET)
    named = pg.GraphSet.from_graphs([pg.Graph.erdos_renyi(1000, 0.4, 1)]).with_objects([0])  # minutes
    with pytest.raises(pg.Cancelled):
        embedder.draw(named, ledger=book, progress=lambda fraction: True)
    assert 0 < book.spent(0) <= 1.0
    with pytest.raises(pg.PrivacyError):
        for _ in range(3):
            embedder.draw(named, ledger=book, progress=lambda fraction: True)


# --- tables and notebooks ---

def test_tables():
    pandas = pytest.importorskip("pandas")
    embedder = pg.Query("embed", patterns="edge,triangle", append_order=True, epsilon=1.0, delta=1e-6)
    release = embedder.draw([pg.Graph.cycle(30), pg.Graph.path(30)])
    table = release.to_pandas()
    assert list(table.columns) == ["edge", "triangle", "order"] and (table.to_numpy() == release.values).all()
    assert table.attrs["guarantee"] == release.record
    named = pg.Graph.from_dict({"al": ["bo"], "bo": ["cy"], "cy": []}, nodes="public")
    noisy = pg.Query("response", epsilon=40.0).draw(named)
    assert noisy.to_pandas().to_numpy().tolist() == [["al", "bo"], ["bo", "cy"]]
    states = pg.Query("message-passing", layers=pg.Layers("symmetric", depth=1, contraction=0.5), order=3, columns=2,
                      epsilon=1.0, delta=1e-6).draw(named, features=np.zeros((3, 2)), open="features")
    assert list(states.to_pandas().index) == ["al", "bo", "cy"]
    votes = pg.Query("labels", classes=3, epsilon=1.0).draw([0, 1, 2])
    assert votes.to_pandas()["label"].tolist() == votes.labels.tolist()
    embedding = pg.PrivateEmbedding("edge,triangle").set_output(transform="pandas")
    made = embedding.fit_transform([pg.Graph.cycle(9)])
    assert isinstance(made, pandas.DataFrame) and list(made.columns) == ["edge", "triangle"]
    assert isinstance(embedding.set_output(transform="default").transform([pg.Graph.cycle(9)]), np.ndarray)
    with pytest.raises(pg.ArgumentError):
        embedding.set_output(transform="polars")


def test_notebooks_show_values_noise_and_words():
    embedder = pg.Query("embed", patterns="edge,triangle", epsilon=1.0, delta=1e-6)
    release = embedder.draw([pg.Graph.cycle(30)])
    page = release._repr_html_()
    scale = embedder.deviations(30)
    for part in ("<th>edge</th>", "<small>", "95 % error bars", "<svg", "Release, private", "Claim release.embedding"):
        assert part in page, part
    seeded = pg.PrivateEmbedding("edge", insecure_seed=1).release(pg.Graph.cycle(9))._repr_html_()
    assert "NOT PRIVATE" in seeded
    graph = pg.Query("response", epsilon=1.0).draw(pg.Graph.cycle(9))._repr_html_()
    assert "<table" not in graph and "edge" in graph
    mixed = embedder.draw([pg.Graph.cycle(30), pg.Graph.cycle(31)])._repr_html_()
    assert "<small>" in mixed  # noise differs from row to row, and is known for each


def test_constructors_say_what_to_call():
    for kind, words in ((pg.Patterns, "Patterns.from_names"), (pg.Graph, "Graph.from_edges"),
                        (pg.GraphSet, "GraphSet.from_graphs"), (pg.Features, "Features.from_dense"),
                        (pg.Release, "Release.load")):
        with pytest.raises(TypeError, match=words):
            kind("edge")


def test_releases_are_pickled_as_they_are_saved():
    named = pg.Graph.from_dict({"al": ["bo"], "bo": ["cy"], "cy": []}, nodes="public")
    noisy = pg.Query("response", epsilon=2.0).draw(named)
    again = pickle.loads(pickle.dumps(noisy))
    assert again.graph == noisy.graph and again.graph.nodes == ("al", "bo", "cy") and again.loaded
    rows = pg.Query("embed", patterns="edge,triangle", epsilon=1.0, delta=1e-6).draw([pg.Graph.cycle(30)] * 3)
    again = pickle.loads(pickle.dumps(rows))
    assert (again.values == rows.values).all() and again.epsilon(1e-6) == rows.epsilon(1e-6)
    assert again._repr_html_().count("<small>") == rows._repr_html_().count("<small>") > 0
    mixed = pg.Query("embed", patterns="edge", epsilon=1.0).draw([pg.Graph.cycle(30), pg.Graph.cycle(40)])
    assert (pickle.loads(pickle.dumps(mixed)).interval()[0] == mixed.interval()[0]).all()
    assert np.isfinite(mixed.interval()[1]).all()


def test_columns_share_noise_where_that_lessens_it():
    names = "edge,path3,path4,star4,cycle4,cycle5,triangle,path5"
    plans = {joint: pg.Query("embed", patterns=names, max_degree=4, degrees="promised", joint=joint, target=TARGET)
             for joint in ("auto", "never", "one-way")}
    sums = {joint: (plan.deviations(50) ** 2).sum() for joint, plan in plans.items()}
    assert sums["auto"] < 0.98 * sums["one-way"] < 0.6 * sums["never"]
    for plan in plans.values():
        assert np.allclose(plan.deviations(50), [line.noise for line in plan.preview(50, brief=True).lines])
    apart = plans["never"].covariance(50)
    assert np.all(apart == np.diag(np.diag(apart))) and np.all(plans["one-way"].covariance(50) > 0)
    made = plans["one-way"].draw(pg.Graph.cycle(50))
    assert "common" in str(made.record) and made.record["allocation"] == "one-way"
    assert plans["auto"].draw(pg.Graph.cycle(50)).record["allocation"] == "ellipsoid"
    with pytest.raises(pg.ArgumentError):
        pg.Query("embed", patterns="edge", joint="one-way", epsilon=1.0, delta=1e-6, allocation="isotropic")


def test_shaping_noise_can_be_watched_and_bounded():
    names = "edge,path3,path4,path5,star3,star4"
    calls = []
    pg.Query("embed", patterns=names, max_degree=4, joint="ellipsoid", progress=lambda done: calls.append(done),
             target=TARGET)
    assert calls == sorted(calls) and all(0 <= done <= 1 for done in calls)
    with pytest.raises(pg.LimitError, match="scratch_limit"):
        pg.Query("embed", patterns=names, max_degree=4, joint="ellipsoid", scratch_limit=1000, target=TARGET)
    small, shared = (pg.Query("embed", patterns=names, max_degree=4, joint=joint, scratch_limit=1000, target=TARGET)
                     for joint in ("auto", "one-way"))
    assert np.all(small.deviations(50) == shared.deviations(50))


def test_a_row_speaks_for_the_world_it_came_from():
    names = "edge,path3,triangle"
    plan = pg.Query("embed", patterns=names, append_order=True, epsilon=4.0, delta=1e-6)
    ring = [(i, (i + 1) % 20) for i in range(20)]
    worlds = [pg.Graph.from_edges(ring, 20), pg.Graph.from_edges(ring + [(0, 2)], 20)]
    first, second = pg.Density(names).evaluate_exact(worlds)
    row = np.zeros((1, 4))
    scores = plan.compare_exact(row, first, second, 20)
    back = plan.compare_exact(row, second, first, 20)
    assert scores.shape == (1,) and scores[0] == pytest.approx(-back[0]) and scores[0] < 0
    with pytest.raises(pg.ArgumentError):
        plan.compare_exact(row[:, :2], first, second, 20)
    # the same by the covariance of the noise, in the units of the release
    unit = np.array([line.range for line in plan.preview(20).lines[:3]]) / pg.density_range(names, pg.Assumption(20))
    shift, middle = (second - first) * unit, (second + first) * unit / 2
    weights = np.linalg.solve(plan.covariance(20)[:3, :3], shift)
    assert scores[0] == pytest.approx(-weights @ middle, rel=1e-6)
