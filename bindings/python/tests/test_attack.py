"""Attacks: reports, controls, scores as arrays, models and releases. Cora: test_attack_cora.py."""
import sys

import numpy as np
import pytest

import privgraph as pg
from privgraph import attack


@pytest.fixture(scope="module")
def blocks():
    graph = pg.Graph.blocks([50, 50], [[0.12, 0.01], [0.01, 0.12]], seed=3)
    labels = np.repeat([0, 1], 50).astype(np.int32)
    features = np.random.default_rng(1).normal(size=(100, 6)) + labels[:, None]
    return graph, features, labels


def test_any_score(blocks):
    graph, features, _ = blocks
    asked = []

    def oracle(first, second):
        asked.append(len(first))
        return [float(graph.has_edge(int(u), int(v))) for u, v in zip(first, second)]

    found = attack.links(oracle, graph, positives=50, features=features, seed=5)
    assert asked == [len(found)] and len(found) == 200
    assert [one.auc for one in found.reports()] == [1.0, 1.0, 1.0]
    assert found.truth.sum() == 50 and (found.scores == found.truth).all()
    assert sorted(found.controls) == ["degrees", "features"]
    report = found.report("two-hop")
    assert report.control in found.controls and not report.silent
    assert report.excess == pytest.approx(1 - report.control_auc)
    assert report.excess_low < report.excess < report.excess_high
    table = found.to_pandas()
    assert len(table) == 200 and {"score", "degrees", "features", "truth"} <= set(table.columns)
    assert "two-hop" in str(found) and found.questions.shape == (2, 200)
    again = attack.links_rows(features, graph, positives=50, seed=5)
    assert (again.questions == found.questions).all()  # the same seed asks the same
    with pytest.raises(ZeroDivisionError):
        attack.links(lambda first, second: 1 / 0, graph)
    with pytest.raises(pg.ArgumentError, match="no setting"):
        attack.links_rows(features, graph, colour=3)
    with pytest.raises(pg.ArgumentError, match="shape"):
        attack.links_rows(features[1:], graph)


def test_curves_are_drawn(blocks):
    pytest.importorskip("matplotlib")
    graph, features, _ = blocks
    found = attack.links_rows(features, graph, features=features)
    axes = found.plot("uniform")
    assert len(axes.get_lines()) == 4  # attack, features, degrees, the diagonal
    figure = axes.figure
    released = pg.Query("response", epsilon=1).draw(graph)
    axes = attack.plot_roc(attack.links_release(released, graph), "degree", guarantee=released,
                           ax=figure.add_subplot(121))
    lines = {line.get_label(): line.get_data() for line in axes.get_lines()}
    assert "ceiling of the game 0.731" in lines
    x, y = lines["ceiling of the game 0.731"]
    assert y[-1] == 1.0 and np.trapz(y, x) == pytest.approx(np.e / (1 + np.e), abs=0.01)
    axes = attack.plot_areas(found, ax=figure.add_subplot(122))
    assert [text.get_text() for text in axes.get_xticklabels()] == list(attack.KINDS)
    bars = {one.get_label(): one for one in axes.containers}
    assert set(bars) == {"attack", "features", "degrees"}
    assert bars["attack"].lines[0].get_ydata()[1] == pytest.approx(found.report("two-hop").auc)
    rebuilt = attack.reconstruct(features, graph, window=5, windows=10, tests=5, cuts=2, steps=3, seed=1)
    axes = attack.plot_windows(rebuilt, ax=figure.add_subplot(133))
    names = [text.get_text() for text in axes.get_xticklabels()]
    assert names == list(rebuilt.reports) and {"attack", "cosine", "twin", "chance"} <= set(names)
    assert axes.containers[0].lines[0].get_ydata()[0] == pytest.approx(rebuilt.report("attack").auc)


def test_drawing_names_the_package(blocks, monkeypatch):
    graph, features, _ = blocks
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="python3-matplotlib"):
        attack.plot_areas(attack.links_rows(features, graph))


def test_numbers():
    area, low, high = attack.auc([3, 4, 5], [1, 2, 4])
    assert area == pytest.approx(7.5 / 9) and low < area < high
    assert attack.ceiling_pure(1)[0] == pytest.approx(np.e / (1 + np.e))
    assert attack.ceiling_gdp(1.0)[0] == pytest.approx(pg.audit_ceiling(1.0)[0])
    assert attack.likelihood(3.0, [2, 3, 4], [-1, 0, 1]) > 0 > attack.likelihood(0.0, [2, 3, 4], [-1, 0, 1])


def test_models(blocks):
    graph, features, labels = blocks
    data = pg.Dataset(graph=pg.public(graph), features=pg.public(features), labels=pg.public(labels))
    network = pg.Network("gcn 8 relu | gcn classes", 6, 2)
    model = pg.Model.train(network, data, seed=1, epochs=30)
    balls = attack.links_influence(model, data, graph, positives=40)
    boxed = attack.links_influence(model, data, graph, positives=40, black_box=True)
    assert (balls.scores == boxed.scores).all() and balls.report("uniform").auc > 0.95
    mlp = attack.posteriors_without_graph(features, labels, np.arange(100) % 3)
    found = attack.links_posteriors(model.predict_exact(data), graph, control_posteriors=mlp, features=features)
    assert {"posteriors", "features", "degrees"} == set(found.controls)
    known = (np.arange(100) % 2).astype(np.int32)
    learnt = attack.links_learned(model.predict_exact(data), known, graph, pairs="directions")
    assert not known[learnt.questions].any() and "memoriser" in learnt.controls
    members = attack.membership(network, data, per_class=10)
    assert [one.negatives for one in members.reports()] == ["uniform"]
    assert members.report("uniform").control == "threshold" and members.report("uniform").positive_count == 20
    secret = pg.Dataset(graph=pg.private(graph), features=pg.public(features), labels=pg.public(labels))
    with pytest.raises(pg.PrivacyError):
        attack.membership(network, secret, per_class=10)
    with pytest.raises(pg.PrivacyError):
        attack.links_influence(model, secret, graph)
    assert len(attack.membership_exact(network, secret, per_class=10)) == 40
    assert len(attack.links_influence_exact(model, secret, graph, positives=40)) == 160


def test_releases(blocks):
    graph, _, labels = blocks
    released = pg.Query("response", epsilon=20).draw(graph)
    found = attack.links_release(released, graph)
    assert all(one.auc > 0.999 for one in found.reports())
    assert attack.ceiling_guarantee(released)[0] > 0.999
    made = pg.Query("dprr", epsilon=5)
    lists = made.draw(graph)
    plain, weighed = (attack.links_release(lists, graph, **more) for more in ({}, {"query": made}))
    owner = weighed.questions.min(0)
    for node in np.unique(owner):  # of one node, an answer "yes" counts for more than a "no", and all of a kind alike
        yes, no = ({round(x, 12) for x in weighed.scores[(owner == node) & (plain.scores == bit)]} for bit in (2, 0))
        assert len(yes) <= 1 and len(no) <= 1 and (not yes or not no or min(yes) > max(no))
    assert len(set(weighed.scores)) > 20  # nodes differ
    for other in (pg.Query("response", epsilon=5), pg.Query("dprr", reports="published", epsilon=5)):
        with pytest.raises(pg.ArgumentError, match="another query"):
            attack.links_release(lists, graph, query=other)
    with pytest.raises(pg.ArgumentError, match="not a Query"):
        attack.links_release(lists, graph, query=3)
    hot = np.eye(2)[labels]
    values = attack.values(hot, hot)
    assert values.report("degree").auc == 1.0 and values.report("two-hop").negative_count == 0


def test_games_on_numbers():
    """One count moves in histogram, two entries in degrees: .731 and .680 (or one by 2: .726) at epsilon 1."""
    graph, runs, target = pg.Graph.cycle(12), 1500, pg.Target(epsilon=1, allow_seeded=True)
    deviation = np.sqrt(0.25 / 3 / runs * 2)
    verdict, ceiling = attack.edge_game(pg.Query("edge-histogram", order=12, target=target), graph, 0, 6, runs=runs,
                                        rng=pg.Rng.seeded(1))
    assert ceiling == pytest.approx(0.731, abs=0.001) and abs(verdict.auc - ceiling) < 6 * deviation
    assert verdict.epsilon_lower < 1
    verdict, ceiling = attack.edge_game(pg.Query("degrees", target=target), graph, 0, 6, runs=runs,
                                        rng=pg.Rng.seeded(1))
    assert 0.680 - 6 * deviation < verdict.auc < 0.731 + 6 * deviation and verdict.epsilon_lower < 1
