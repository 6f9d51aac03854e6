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
    release = pg.Embedder("edge,path3", TARGET, degree_bound=5).release([pg.Graph.cycle(20)] * 3)
    assert release.shape == (3, 2) and release.publishable and len(release) == 3
    assert 0.99 < release.epsilon(1e-6) <= 1.0 and release.epsilon(1e-3) < release.epsilon(1e-6)
    assert release.curve().epsilon(1e-6) == release.epsilon(1e-6)
    assert release.record["private"] is True and release.record["claim"] == release.claim
    assert "single edge" in release.text
    assert np.asarray(release).shape == (3, 2) and not release.values.flags.writeable
    assert release.values[0].tolist() != release.values[1].tolist()  # noise is fresh for each


def test_degree_bound_is_enforced_unless_promised():
    assert "truncated" in str(pg.Embedder("edge", TARGET, degree_bound=3).release(pg.Graph.star(9)).record)
    promised = pg.Embedder("edge", TARGET, degree_bound=3, degrees="promised")
    assert "promised" in str(promised.release(pg.Graph.path(9)).record)


def test_seeded_noise_is_refused_or_marked():
    seeded = pg.Rng.seeded(1)
    with pytest.raises(pg.PrivacyError):
        pg.Embedder("edge", TARGET).release(pg.Graph.cycle(5), rng=seeded)
    with pytest.raises(TypeError):
        pg.Embedder("edge", TARGET).release(pg.Graph.cycle(5), rng=7)
    open_target = pg.Target(1.0, 1e-6, allow_seeded=True)
    release = pg.Embedder("edge", open_target).release(pg.Graph.cycle(5), rng=seeded)
    assert not release.publishable and release.epsilon(1e-6) == math.inf and "NOT PRIVATE" in repr(release)


def test_noise_has_the_previewed_scale():
    embedder = pg.Embedder("edge,path3", pg.Target(1.0, 1e-6, allow_seeded=True))
    graph = pg.Graph.cycle(12)
    preview = embedder.preview(12)
    values = embedder.release([graph] * 4000, rng=pg.Rng.seeded(3)).values
    exact = pg.Density("edge,path3").evaluate_exact(graph) / pg.density_range("edge,path3", pg.Premise(12))
    deviation = (values - exact).std(axis=0) / preview.scale
    assert (abs(deviation - 1) < 0.08).all()  # more than 6 standard errors
    assert (abs((values - exact).mean(axis=0)) < 6 * preview.scale / math.sqrt(4000)).all()
    assert (abs(deviation * 1.2 - 1) > 0.08).all()  # a scale wrong by a fifth would be noticed
    assert pg.Embedder("edge", pg.Target(1, 1e-6, noise="smooth", beta=1e-3)).preview(20).scale is None


def test_units_and_extra_column():
    graph = pg.Graph.cycle(30)
    embedder = pg.Embedder("edge", pg.Target(1e6, noise="laplace"), scaling="per-node", append_order=True)
    assert embedder.columns == 2
    row = embedder.release(graph).values[0]
    assert row[0] == pytest.approx(2.0, abs=1e-3) and row[1] == 30


def test_ledger_guards_releases():
    book = pg.Ledger(2.0, 1e-5)
    embedder = pg.Embedder("edge", TARGET)
    graphs = pg.GraphSet.from_graphs([pg.Graph.cycle(5), pg.Graph.path(5)]).with_objects(["a", "b"])
    embedder.release(graphs, ledger=book)
    assert 0 < book.spent("a") <= 1.0 and book.spent("a") == book.spent("b")
    embedder.release(graphs[0], ledger=book)
    with pytest.raises(pg.PrivacyError):
        for _ in range(5):
            embedder.release(graphs[0], ledger=book)
    assert book.spent("a") <= 2.0
    embedder.release(pg.Graph.cycle(5), objects="c", ledger=book)
    with pytest.raises(pg.ArgumentError, match="object"):
        embedder.release(pg.Graph.cycle(5), ledger=book)
    with pytest.raises(pg.ArgumentError, match="objects"):
        embedder.release([pg.Graph.cycle(5)], ledger=book)
    with pytest.raises(pg.ArgumentError, match="entries"):
        embedder.release([pg.Graph.cycle(5)], objects=["a", "b"], ledger=book)
    book.close()
    with pytest.raises(pg.ArgumentError, match="closed"):
        embedder.release(graphs, ledger=book)


def test_values_outlive_everything_in_any_order():
    for order in itertools.permutations(range(4)):
        patterns = pg.as_patterns("edge,path3")
        embedder = pg.Embedder(patterns, TARGET)
        release = embedder.release(pg.Graph.cycle(40))
        values, copy = release.values, np.array(release.values)
        kept = [patterns, embedder, release, pg.Rng.secure()]
        del patterns, embedder, release
        for index in order:
            kept[index] = None
            assert (values == copy).all()
    gc.collect()


def test_refusals():
    with pytest.raises(pg.ArgumentError):
        pg.Embedder("edge", pg.Target(-1, 1e-6))
    with pytest.raises(pg.ArgumentError, match="weights"):
        pg.Embedder("edge,path3", TARGET, weights=[1.0])
    with pytest.raises(pg.ArgumentError, match="scaling"):
        pg.Embedder("edge", TARGET, scaling="furlongs")
    with pytest.raises(pg.ArgumentError, match="degrees"):
        pg.Embedder("edge", TARGET, degrees="guessed", degree_bound=3)


def test_threads_share_handles():
    embedder, graphs = pg.Embedder("trees", TARGET), pg.GraphSet.sbm(40, [0.1, 0.3], 10)
    found = []
    workers = [threading.Thread(target=lambda: found.append(embedder.release(graphs).values))
               for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4 and len({values.tobytes() for values in found}) == 4


def test_a_cancelled_release_stays_charged():
    book = pg.Ledger(1.2, 1e-5)
    embedder = pg.Embedder("clique6", TARGET)
    named = pg.GraphSet.from_graphs([pg.Graph.erdos_renyi(1000, 0.4, 1)]).with_objects([0])  # minutes
    with pytest.raises(pg.Cancelled):
        embedder.release(named, ledger=book, progress=lambda fraction: True)
    assert 0 < book.spent(0) <= 1.0
    with pytest.raises(pg.PrivacyError):
        for _ in range(3):
            embedder.release(named, ledger=book, progress=lambda fraction: True)


# --- tables and notebooks ---

def test_tables():
    pandas = pytest.importorskip("pandas")
    embedder = pg.Embedder("edge,triangle", pg.Target(1.0, 1e-6), append_order=True)
    release = embedder.release([pg.Graph.cycle(30), pg.Graph.path(30)])
    table = release.to_pandas()
    assert list(table.columns) == ["edge", "triangle", "order"] and (table.to_numpy() == release.values).all()
    assert table.attrs["guarantee"] == release.record
    named = pg.Graph.from_dict({"al": ["bo"], "bo": ["cy"], "cy": []}, nodes="public")
    noisy = pg.Perturber.response(pg.Target(epsilon=40.0)).release(named)
    assert noisy.to_pandas().to_numpy().tolist() == [["al", "bo"], ["bo", "cy"]]
    states = pg.Propagator(pg.Layers("symmetric", depth=1, contraction=0.5), pg.Premise(order=3), 2,
                           pg.Target(1.0, 1e-6)).release(named, np.zeros((3, 2)))
    assert list(states.to_pandas().index) == ["al", "bo", "cy"]
    votes = pg.Perturber.labels(3, pg.Target(1.0)).release([0, 1, 2])
    assert votes.to_pandas()["label"].tolist() == votes.labels.tolist()
    embedding = pg.PrivateEmbedding("edge,triangle").set_output(transform="pandas")
    made = embedding.fit_transform([pg.Graph.cycle(9)])
    assert isinstance(made, pandas.DataFrame) and list(made.columns) == ["edge", "triangle"]
    assert isinstance(embedding.set_output(transform="default").transform([pg.Graph.cycle(9)]), np.ndarray)
    with pytest.raises(pg.ArgumentError):
        embedding.set_output(transform="polars")


def test_notebooks_show_values_noise_and_words():
    embedder = pg.Embedder("edge,triangle", pg.Target(1.0, 1e-6))
    release = embedder.release([pg.Graph.cycle(30)])
    page = release._repr_html_()
    scale = embedder.preview(30).scale
    for part in ("<th>edge</th>", f"&plusmn; {scale[0]:.2g}", "<svg", "Release, private", "Claim release.embedding"):
        assert part in page, part
    seeded = pg.PrivateEmbedding("edge", insecure_seed=1).release(pg.Graph.cycle(9))._repr_html_()
    assert "NOT PRIVATE" in seeded
    graph = pg.Perturber.response(pg.Target(1.0)).release(pg.Graph.cycle(9))._repr_html_()
    assert "<table" not in graph and "edge" in graph
    mixed = embedder.release([pg.Graph.cycle(30), pg.Graph.cycle(31)])._repr_html_()
    assert "&plusmn;" not in mixed  # noise differs from row to row


def test_constructors_say_what_to_call():
    for kind, words in ((pg.Patterns, "Patterns.from_names"), (pg.Graph, "Graph.from_edges"),
                        (pg.GraphSet, "GraphSet.from_graphs"), (pg.Features, "Features.from_dense"),
                        (pg.Perturber, "Perturber.response"), (pg.Release, "Release.load")):
        with pytest.raises(TypeError, match=words):
            kind("edge")


def test_releases_are_pickled_as_they_are_saved():
    named = pg.Graph.from_dict({"al": ["bo"], "bo": ["cy"], "cy": []}, nodes="public")
    noisy = pg.Perturber.response(pg.Target(epsilon=2.0)).release(named)
    again = pickle.loads(pickle.dumps(noisy))
    assert again.graph == noisy.graph and again.graph.nodes == ("al", "bo", "cy") and again.loaded
    rows = pg.Embedder("edge,triangle", pg.Target(1.0, 1e-6)).release([pg.Graph.cycle(30)] * 3)
    again = pickle.loads(pickle.dumps(rows))
    assert (again.values == rows.values).all() and again.epsilon(1e-6) == rows.epsilon(1e-6)
    assert again._repr_html_().count("&plusmn;") == rows._repr_html_().count("&plusmn;") > 0


def test_columns_share_noise_where_that_lessens_it():
    names = "edge,path3,path4,star4,cycle4,cycle5,triangle,path5"
    plans = {joint: pg.Embedder(names, TARGET, degree_bound=4, degrees="promised", joint=joint)
             for joint in ("auto", "never", "one-way")}
    sums = {joint: (plan.preview(50).scale ** 2).sum() for joint, plan in plans.items()}
    assert sums["auto"] < 0.98 * sums["one-way"] < 0.6 * sums["never"]
    for plan in plans.values():
        variance = np.diag(plan.covariance(50))
        assert np.allclose(np.sqrt(variance), plan.preview(50).scale)
    apart = plans["never"].covariance(50)
    assert np.all(apart == np.diag(np.diag(apart))) and np.all(plans["one-way"].covariance(50) > 0)
    made = plans["one-way"].release(pg.Graph.cycle(50))
    assert "common" in str(made.record) and made.record["allocation"] == "one-way"
    assert plans["auto"].release(pg.Graph.cycle(50)).record["allocation"] == "ellipsoid"
    with pytest.raises(pg.ArgumentError):
        pg.Embedder("edge", pg.Target(1.0, 1e-6, allocation="isotropic"), joint="one-way")


def test_shaping_noise_can_be_watched_and_bounded():
    names = "edge,path3,path4,path5,star3,star4"
    calls = []
    pg.Embedder(names, TARGET, degree_bound=4, joint="ellipsoid",
                progress=lambda done: calls.append(done))
    assert calls == sorted(calls) and all(0 <= done <= 1 for done in calls)
    with pytest.raises(pg.LimitError, match="scratch_limit"):
        pg.Embedder(names, TARGET, degree_bound=4, joint="ellipsoid", scratch_limit=1000)
    small, shared = (pg.Embedder(names, TARGET, degree_bound=4, joint=joint, scratch_limit=1000)
                     for joint in ("auto", "one-way"))
    assert np.all(small.preview(50).scale == shared.preview(50).scale)


def test_a_row_speaks_for_the_world_it_came_from():
    names = "edge,path3,triangle"
    plan = pg.Embedder(names, pg.Target(4.0, 1e-6), append_order=True)
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
    unit = plan.preview(20).range / pg.density_range(names, pg.Premise(20))
    shift, middle = (second - first) * unit, (second + first) * unit / 2
    weights = np.linalg.solve(plan.covariance(20), shift)
    assert scores[0] == pytest.approx(-weights @ middle, rel=1e-6)
