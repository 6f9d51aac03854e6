"""Curves, noise, sensitivities, ledger, preview, audit, generators."""
import copy
import math
import pickle
import threading
import time

import numpy as np
import pytest
from scipy import stats

import privgraph as pg


def gaussian_delta(epsilon, mu):
    """Exact for the Gaussian mechanism, by scipy's normal law."""
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)


def test_curves():
    curve = pg.Curve.gdp(0.3)
    assert curve.delta(1.0) == pytest.approx(gaussian_delta(1.0, 0.3), rel=1e-9)
    assert gaussian_delta(curve.epsilon(1e-6), 0.3) == pytest.approx(1e-6, rel=1e-6)
    assert (curve + curve).epsilon(1e-6) == pytest.approx(pg.Curve.gdp(0.3 * math.sqrt(2)).epsilon(1e-6))
    assert (curve * 4).terms[0].mu == pytest.approx(0.6)
    assert pg.Curve.pure(0.5).epsilon(0.0) == 0.5
    assert (pg.Curve.pure(0.1) * 100).epsilon(1e-6) == pytest.approx(4.774568, abs=1e-5)
    assert (pg.Curve.pure(0.5) + pg.Curve.approximate(0.25, 1e-7)).epsilon(1e-6) <= 0.75
    assert curve.epsilon(0.0) == math.inf
    assert pg.Curve.zcdp(0.1).renyi(2.0) == pytest.approx(0.2)
    mixed = pickle.loads(pickle.dumps(curve + pg.Curve.pure(1.0)))
    assert len(mixed) == 2 and mixed.epsilon(1e-6) == (curve + pg.Curve.pure(1.0)).epsilon(1e-6)
    with pytest.raises(pg.ArgumentError, match="kind"):
        pg.Curve.of(pg.CurveTerm("gaussian"))
    with pytest.raises(pg.ArgumentError):
        pg.Curve.pure(-1)


def test_lists_composed_exactly() -> None:
    pure = pg.PLD.pure(0.1, 100)
    assert pure.epsilon(1e-6) == pytest.approx((pg.Curve.pure(0.1) * 100).epsilon(1e-6), abs=1e-6)
    assert pg.PLD.laplace(0.1, 100).epsilon(1e-6) < pure.epsilon(1e-6)
    assert pg.PLD.gdp(0.5).epsilon(1e-6) == pytest.approx(pg.Curve.gdp(0.5).epsilon(1e-6))
    mixed = pure + pg.PLD.laplace(0.3, 10) + pg.PLD.gdp(0.2, 4) + pg.PLD.approximate(0.1, 1e-9)
    assert len(mixed) == 4 and mixed.delta(mixed.epsilon(1e-6)) <= 1e-6
    assert pure.epsilon(1e-6) < mixed.epsilon(1e-6) < 13.1 + pg.Curve.gdp(0.4).epsilon(1e-6)
    assert pg.PLD.discrete_laplace(1, 10.0, 100).epsilon(1e-6) == pytest.approx(pure.epsilon(1e-6), abs=1e-6)
    mechanism = pg.Mechanism(pg.Target(1.0, 1e-6, noise="discrete-gaussian"), [1.0])
    assert mechanism.pld().epsilon(1e-6) < 0.95 * mechanism.curve().epsilon(1e-6)
    assert "epsilon" in repr(pure)
    with pytest.raises(pg.ArgumentError, match="epsilon"):
        pg.PLD.pure(-1.0)


def test_calibration():
    sigma = pg.gaussian_sigma(1.0, 1e-6)
    assert gaussian_delta(1.0, 1 / sigma) == pytest.approx(1e-6, rel=1e-4)
    assert pg.solve(pg.CurveTerm("gdp"), 1.0, 1e-6) == pytest.approx(1 / sigma, rel=1e-9)
    rho = pg.solve_published(pg.CurveTerm("zcdp"), 1.0, 1e-6)
    assert pg.epsilon_published(pg.CurveTerm("zcdp", rho=rho), 1e-6) <= 1.0 + 1e-9
    assert rho <= pg.solve(pg.CurveTerm("zcdp"), 1.0, 1e-6)
    assert pg.contractive_mu(2.0, [1, 1], [1, 1]) == pytest.approx(math.sqrt(2))


def test_mechanism():
    mechanism = pg.Mechanism(pg.Target(1.0, 1e-6), [0.01, 0.02])
    assert len(mechanism) == 2 and mechanism.noise == "gaussian"
    assert mechanism.epsilon(1e-6) <= 1.0 and mechanism.claim == "mechanism.gaussian"
    mu2 = sum((s / d) ** 2 for s, d in zip([0.01, 0.02], mechanism.scale))
    assert mechanism.curve().terms[0].mu ** 2 >= mu2 * (1 - 1e-6)
    assert (np.log2(mechanism.grid) % 1 == 0).all()
    laplace = pg.Mechanism(pg.Target(1.0, noise="laplace"), [0.01], [0], [2], None)
    assert laplace.epsilon(0.0) <= 1.0
    with pytest.raises(pg.PrivacyError):
        pg.Mechanism(pg.Target(1.0, 1e-6, noise="smooth", beta=1e-3), [0.01]).scale
    with pytest.raises(pg.ArgumentError, match="noise"):
        pg.Mechanism(pg.Target(1.0, 1e-6, noise="brown"), [0.01])
    with pytest.raises(pg.ArgumentError, match="low"):
        pg.Mechanism(pg.Target(1.0, 1e-6), [0.01], [0, 1])


def test_smooth_choose():
    beta, rho, noise = pg.smooth_choose(pg.Target(1.0, 1e-6, noise="smooth"), 1,
                                        lambda b: 0.01 + 0.1 * math.exp(-b * 100))
    assert beta > 0 and rho > 0 and noise > 0
    with pytest.raises(ZeroDivisionError):
        pg.smooth_choose(pg.Target(1.0, 1e-6, noise="smooth"), 1, lambda b: 1 / 0)
    with pytest.raises(pg.ArgumentError, match="positive"):
        pg.smooth_choose(pg.Target(1.0, 1e-6, noise="smooth"), 1, lambda b: -1)


def test_sensitivity():
    assumption = pg.Assumption(50, 4, "promised")
    found = pg.edge_sensitivity("edge,path3", assumption)
    assert found[0] == pytest.approx(2 / 50 ** 2)
    twice = pg.edge_sensitivity("edge,path3", pg.Assumption(50, 4, "truncated"))
    assert (twice > found).all()
    assert pg.density_range("edge,path3", assumption) == pytest.approx([4 / 50, 16 / 2500])
    assert len(pg.edge_sensitivity_published("edge,path3", assumption)) == 2
    smooth = pg.smooth_sensitivity_exact("edge,path3", assumption, 0.1, 3)
    assert (smooth <= found * (1 + 1e-9)).all()
    assert len(pg.smooth_sensitivity_published("path3", assumption, 0.1, 3)) == 1


# --- ledger -------------------------------------------------------------------------------

def test_ledger(tmp_path):
    book = pg.Ledger(1.0, 1e-6)
    curve = pg.Curve.gdp(0.15)
    assert book.fits("ada", curve)
    book.charge("ada", curve)
    book.charge(["ada", "bob"], curve)
    assert book.objects == [pg.object_number("ada"), pg.object_number("bob")] and book.charges == 2
    assert book.spent("ada") == pytest.approx((curve * 2).epsilon(1e-6), rel=1e-6)
    assert book.curve("ada")[1] == 2 and book.curve("eve") == (None, 0)
    assert 0 < book.remaining("ada", pg.CurveTerm("gdp")) < book.remaining("eve", pg.CurveTerm("gdp"))
    with pytest.raises(pg.PrivacyError):
        book.charge("ada", curve * 4)
    assert book.spent("ada") <= 1.0 and not book.fits("ada", curve * 4)
    assert book.to_dict()["epsilon"] == 1.0 and book.config["notion"] == "edge"
    assert copy.deepcopy(book) is book  # a budget cannot be doubled
    with pytest.raises(TypeError):
        pickle.dumps(book)
    with pytest.raises(pg.ArgumentError):
        book.charge("ada", curve, notion="label-ldp")
    assert pg.notion_name("edge-ldp") == "edge-LDP"


def test_closing_waits_for_charges_of_other_threads(tmp_path):
    """close() during a charge frees nothing under it; the file is free once it has ended."""
    curve, numbers = pg.Curve.pure(1e-9), np.arange(100000, dtype=np.uint64)
    began = time.monotonic()
    pg.Ledger(1.0).charge(numbers, curve)
    length, hits = time.monotonic() - began, 0
    for i in range(12):
        path = tmp_path / f"book{i}"
        book, outcome = pg.Ledger.create(path, 1.0), []

        def work(book=book, outcome=outcome):
            try:
                book.charge(numbers, curve)
                outcome.append("charged")
            except pg.ArgumentError as error:
                outcome.append(str(error))
        worker = threading.Thread(target=work)
        worker.start()
        time.sleep(length * (0.3 + 0.05 * i))
        hits += book._running
        book.close()
        book.close()
        with pytest.raises(pg.ArgumentError, match="closed"):
            book.charge(1, curve)
        worker.join()
        assert outcome in (["charged"], ["the ledger is closed"])
        with pg.Ledger.open(path) as again:  # not locked any more, and complete
            assert len(again.objects) == (len(numbers) if outcome == ["charged"] else 0)
    assert hits > 0


def test_a_closed_ledger_is_not_a_free_release():
    graph, embedder = pg.Graph.cycle(5), pg.Query("embed", patterns="edge", epsilon=0.001, delta=1e-6)
    perturber = pg.Query("response", epsilon=0.001)
    for draw in (lambda book: embedder.draw(graph, object=1, ledger=book),
                 lambda book: embedder.draw([graph], object=[1], ledger=book),
                 lambda book: perturber.draw(graph, object=1, ledger=book)):
        book = pg.Ledger(1.0, 1e-3)
        draw(book)
        book.close()
        with pytest.raises(pg.ArgumentError, match="closed"):
            draw(book)


def test_an_exception_kept_does_not_keep_the_file(tmp_path):
    with pg.Ledger.create(tmp_path / "book", 1.0) as book:
        with pytest.raises(pg.PrivacyError) as kept:
            book.charge("ada", pg.Curve.pure(2.0))
    with pg.Ledger.open(tmp_path / "book") as book:
        assert book.charges == 0 and kept.value.status


def test_ledger_witness_and_claim(tmp_path):
    path, witness = tmp_path / "ledger", tmp_path / "witness"
    with pg.Ledger.create(path, 1.0, 0.0) as ledger:
        ledger.add_witness(witness)
        ledger.charge("x", pg.Curve.pure(0.25))
    before = path.read_bytes()
    with pg.Ledger.open(path) as ledger:
        ledger.charge("x", pg.Curve.pure(0.25))
    path.write_bytes(before)  # the same file, with what a backup held
    with pytest.raises(pg.PrivacyError, match="older copy"):
        pg.Ledger.open(path)
    with pytest.raises(pg.PrivacyError, match="older copy"):
        pg.Ledger.claim(path)
    with pg.Ledger.open_readonly(path) as ledger:
        assert ledger.spent("x", 0.0) == 0.25
        with pytest.raises(pg.ArgumentError, match="for reading"):
            ledger.charge("x", pg.Curve.pure(0.25))
    witness.unlink()
    pg.Ledger.claim(path, tmp_path / "other")
    with pg.Ledger.open(path) as ledger:
        assert ledger.spent("x", 0.0) == 0.25


def test_failures_to_act_on(tmp_path):
    """A class for each, also the one that programs of Python expect."""
    path = tmp_path / "book"
    with pytest.raises(FileNotFoundError) as missing:
        pg.Ledger.open(path)
    assert isinstance(missing.value, (pg.MissingError, pg.FileError)) and missing.value.status == "PVG_E_MISSING"
    with pytest.raises(pg.MissingError):
        pg.read_graph(tmp_path / "none.txt")
    with pg.Ledger.open_or_create(path, 1.0, 0.0, objects="ada") as book:
        with pytest.raises(BlockingIOError) as busy:
            pg.Ledger.open_or_create(path, 1.0, 0.0)
        assert isinstance(busy.value, pg.BusyError)
        book.charge("ada", pg.Curve.pure(0.75))
        with pytest.raises(pg.BudgetError) as spent:
            book.charge("ada", pg.Curve.pure(0.5))
        assert isinstance(spent.value, pg.PrivacyError)
        with pytest.raises(pg.PrivacyError) as stranger:
            book.charge("eve", pg.Curve.pure(0.125))
        assert not isinstance(stranger.value, pg.BudgetError)
    with pg.Ledger.open_or_create(path, 1.0, 0.0) as book:
        assert book.spent("ada", 0.0) == 0.75
    with pytest.raises(pg.ArgumentError, match="epsilon"):
        pg.Ledger.open_or_create(path, 2.0, 0.0)
    with pytest.raises(pg.SeededError):
        pg.Query("stars", epsilon=1).draw(pg.Graph.cycle(9), rng=pg.Rng.seeded(1))
    (tmp_path / "bare.txt").write_text("0 1\n")
    with pytest.raises(pg.UndeclaredError):
        pg.Query("stars", epsilon=1).draw(pg.read_graph(tmp_path / "bare.txt"))


def test_ledger_file(tmp_path):
    path = tmp_path / "book"
    with pg.Ledger.create(path, 1.0, 1e-6) as book:
        book.charge("ada", pg.Curve.pure(0.25))
        with pytest.raises(pg.FileError):
            pg.Ledger.open(path)  # in use
    assert repr(book) == "<Ledger, closed>"
    with pytest.raises(pg.ArgumentError):
        book.charge("ada", pg.Curve.pure(0.25))
    with pg.Ledger.open(path) as book:
        assert book.spent("ada", 0.0) == 0.25
    with pytest.raises(pg.FileError):
        pg.Ledger.create(path, 5.0)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"this is no ledger")
    with pytest.raises(pg.FormatError):
        pg.Ledger.open(damaged)


# --- preview and audit -------------------------------------------------------------------

def test_preview():
    embedder = pg.Query("embed", patterns="edge,clique4,empty2", epsilon=1.0, delta=1e-6)
    found = embedder.preview(30)
    assert [line.noise for line in found.lines] == list(embedder.deviations(30))
    assert [line.range for line in found.lines] == [embedder.guarantee(30).column(i, 30).high for i in range(3)]
    assert len(found) == 3 and [line.verdict for line in found.lines][2] == "constant"
    assert found.informative == sum(line.verdict == "informative" for line in found.lines)
    assert found[0].ratio == pytest.approx(found[0].range / found[0].noise)
    assert len(found.to_dict()["patterns"]) == 3
    with pytest.raises(IndexError):
        found[3]
    assert pg.class_max_edges("trees", 7) == 6 and pg.class_max_edges("cycles", 5) == 5
    assert pg.class_patterns("trees", 5).size(0) == 4
    assert "WL" in pg.class_network("trees") and pg.class_formula("trees")


def test_audit_refutes_what_is_wrong():
    rng = np.random.default_rng(1)
    apart = pg.audit_scores(rng.normal(0, 1, 20000), rng.normal(3, 1, 20000), 1e-6)
    assert apart.epsilon_lower > 1.5 and apart.auc > 0.95
    alike = pg.audit_scores(rng.normal(0, 1, 20000), rng.normal(0, 1, 20000), 1e-6)
    assert alike.epsilon_lower == 0.0
    assert pg.audit_ceiling(3.0)[0] == pytest.approx(stats.norm.cdf(3 / math.sqrt(2)))


def test_audit_game():
    embedder = pg.Query("embed", patterns="edge", epsilon=1.0, noise="laplace")
    worlds = [pg.Graph.from_edges([(0, 1)], 4), pg.Graph.from_edges([(0, 1), (2, 3)], 4)]
    verdict = pg.audit_game(lambda world, run: embedder.draw(worlds[world]).values[0, 0], 500, 0.0)
    assert verdict.runs == 500 and verdict.epsilon_lower <= 1.0

    def fails(world, run):
        raise KeyError("lost")
    with pytest.raises(KeyError, match="lost"):
        pg.audit_game(fails, 50, 0.0)


def test_reidentify_and_interval():
    known = np.random.default_rng(2).normal(size=(50, 3))
    assert pg.reidentify(known, known) == 1.0
    assert pg.reidentify(known[::-1].copy(), known) < 0.1
    lower, upper = pg.interval(5, 100)
    assert lower == pytest.approx(stats.beta.ppf(0.025, 5, 96), rel=1e-6)
    assert upper == pytest.approx(stats.beta.ppf(0.975, 6, 95), rel=1e-6)


# --- generators ---------------------------------------------------------------------------

def test_rng():
    first, again = pg.Rng.seeded(5), pg.Rng.seeded(5)
    assert (first.rounded_gaussian(1000, 50) == again.rounded_gaussian(1000, 50)).all()
    assert not first.is_secure and pg.Rng.secure().is_secure
    assert first.split(1).bytes(8) != first.split(2).bytes(8)
    assert pg.Rng.seeded(5).split(1).bytes(8) == first.split(1).bytes(8)
    values = first.discrete_laplace(100, 4000)
    assert abs(values.mean()) < 20 and 120 < values.std() < 165
    assert set(first.bernoulli(1, 3, 100)) == {0, 1} and set(first.bernoulli_exp(1, 2, 100)) == {0, 1}
    assert first.below(7, 1000).max() == 6
    assert first.geometric(10, 100).min() >= 0
    assert len(first.discrete_gaussian(4, 10)) == len(first.rounded_laplace(4, 10)) == 10
    bits = first.flips(pg.flip_threshold(1.0), 20000)
    assert bits.mean() == pytest.approx(1 / (1 + math.e), abs=0.02) and len(bits) == 20000
    with pytest.raises(pg.ArgumentError):
        first.below(0, 1)
    with pytest.raises(TypeError):
        pickle.dumps(first)


def test_ledger_keeps_names_and_mends(tmp_path):
    path, copy = tmp_path / "l", tmp_path / "l.damaged"
    graph = pg.Graph.from_edges([(0, 1), (1, 2)], 4)
    graph.object = "friends"
    with pg.Ledger.create(path, 4.0) as book:
        pg.Query("response", epsilon=0.5).draw(graph, ledger=book)
        book.charge(["rings:0", "rings:1", "rings:2"], pg.Curve.gdp(0.1))
        assert sorted(book.names().values()) == ["friends", "rings", "rings:1", "rings:2"]
        assert book.config["delta"] == 1e-6 and book.torn_bytes == 0
        before = book.to_dict()
        book.compact()
        assert book.to_dict() == before
        with pytest.raises(pg.PrivacyError, match='"friends"'):
            book.charge("friends", pg.Curve.pure(9.0))
    assert pg.Ledger.verify(path) == ("whole", "whole: 2 charges\n")
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    assert pg.Ledger.verify(path)[0] == "repairable"
    pg.Ledger.repair(path, copy)
    assert copy.read_bytes() == data
    with pg.Ledger.open(path) as book:
        assert book.to_dict() == before
