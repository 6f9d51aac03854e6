"""Attacks: reports, controls, scores as arrays, models and releases; Cora if it is there."""
import os
import sys

import numpy as np
import pytest

import privgraph as pg
from privgraph import attack

DATA = os.environ.get("PVG_SHARED_DATA", os.path.join(os.path.dirname(__file__), *[".."] * 4, "shared", "data"))


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
    released = pg.Perturber.response(pg.Target(epsilon=1)).release(graph)
    axes = attack.plot_roc(attack.links_release(released, graph), "degree", guarantee=released, ax=figure.add_subplot(121))
    lines = {line.get_label(): line.get_data() for line in axes.get_lines()}
    assert "ceiling of the game 0.731" in lines
    x, y = lines["ceiling of the game 0.731"]
    assert y[-1] == 1.0 and np.trapz(y, x) == pytest.approx(np.e / (1 + np.e), abs=0.01)
    axes = attack.plot_areas(found, ax=figure.add_subplot(122))
    assert [text.get_text() for text in axes.get_xticklabels()] == list(attack.KINDS)
    bars = {one.get_label(): one for one in axes.containers}
    assert set(bars) == {"attack", "features", "degrees"}
    assert bars["attack"].lines[0].get_ydata()[1] == pytest.approx(found.report("two-hop").auc)


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
    released = pg.Perturber.response(pg.Target(epsilon=20)).release(graph)
    found = attack.links_release(released, graph)
    assert all(one.auc > 0.999 for one in found.reports())
    assert attack.ceiling_guarantee(released)[0] > 0.999
    made = pg.Perturber.dprr(pg.Target(epsilon=5))
    lists = made.release(graph)
    plain, weighed = (attack.links_release(lists, graph, **more) for more in ({}, {"perturber": made}))
    owner = weighed.questions.min(0)
    for node in np.unique(owner):  # of one node, an answer "yes" counts for more than a "no", and all of a kind alike
        yes, no = ({round(x, 12) for x in weighed.scores[(owner == node) & (plain.scores == bit)]} for bit in (2, 0))
        assert len(yes) <= 1 and len(no) <= 1 and (not yes or not no or min(yes) > max(no))
    assert len(set(weighed.scores)) > 20  # nodes differ
    other = attack.links_release(lists, graph, perturber=pg.Perturber.response(pg.Target(epsilon=5)))
    assert (other.scores == plain.scores).all()
    with pytest.raises(pg.ArgumentError, match="such a release"):
        attack.links_release(lists, graph, perturber=pg.Perturber.dprr(pg.Target(epsilon=5), reports="published"))
    with pytest.raises(pg.ArgumentError, match="not a Perturber"):
        attack.links_release(lists, graph, perturber=3)
    hot = np.eye(2)[labels]
    values = attack.values(hot, hot)
    assert values.report("degree").auc == 1.0 and values.report("two-hop").negative_count == 0


def test_games_on_numbers():
    """One count moves in tallies, two entries in degrees: .731 and .680 (or one by 2: .726) at epsilon 1."""
    graph, runs, target = pg.Graph.cycle(12), 1500, pg.Target(epsilon=1, allow_seeded=True)
    deviation = np.sqrt(0.25 / 3 / runs * 2)
    verdict, ceiling = attack.edge_game(pg.Statistic.tallies(12, target), graph, 0, 6, runs=runs, rng=pg.Rng.seeded(1))
    assert ceiling == pytest.approx(0.731, abs=0.001) and abs(verdict.auc - ceiling) < 6 * deviation
    assert verdict.epsilon_lower < 1
    verdict, ceiling = attack.edge_game(pg.Statistic.degrees(target), graph, 0, 6, runs=runs, rng=pg.Rng.seeded(1))
    assert 0.680 - 6 * deviation < verdict.auc < 0.731 + 6 * deviation and verdict.epsilon_lower < 1


# --- Cora, as measured elsewhere -------------------------------------------------------
# Training and questions have fixed seeds and the same bits on all machines, and 5000 questions of a kind (nearly all
# edges) leave .004 of chance, where the references asked 1000 (.02) and fewer: all must be within .02 of what was
# measured over three splits. What is wider says so.
SOAK = os.environ.get("PVG_SOAK") == "1"
KINDS = ("uniform", "degree", "two-hop")
ROOM = 0.02
LINKS = {("influence", "none"): ((0.999, 1.0), (0.999, 0.999), (0.845, 0.855)),
         ("similar", "none"): ((0.914, 0.921), (0.915, 0.920), (0.620, 0.625)),
         ("similar", "posteriors"): ((0.820, 0.850), (0.834, 0.850), (0.537, 0.564)),
         ("similar", "features"): ((0.792, 0.802), (0.790, 0.794), (0.620, 0.635)),
         ("similar", "degrees"): ((0.788, 0.797), (0.502, 0.505), (0.684, 0.692))}
SAME_CLASS = ((0.752, 0.787), None, (0.530, 0.550))  # DEGREE was not measured
EXPLAINED = {"grad": ((0.877, 0.913), (0.912, 0.920), (0.667, 0.725)),
             "grad_input": ((0.812, 0.828), (0.804, 0.821), (0.598, 0.612)),
             "grad_ball": ((0.960, 0.982), (0.961, 0.974), (0.719, 0.786))}
# references of 100 + 100 and 60 + 60 questions of one split: their own intervals. DEGREE was not measured there.
FEW = {"graph_lime": ((0.786 - 0.063, 0.786 + 0.063), None, (0.477 - 0.080, 0.477 + 0.080)),
       "gnn_explainer": ((0.98 - 0.03, 1.0), None, (0.74 - 0.09, 0.74 + 0.09)),
       "gnn_explainer_sum": ((0.50 - 0.10, 0.50 + 0.10), None, (0.47 - 0.10, 0.47 + 0.10))}


class Reference:
    """The reference target: a split and a model for each seed."""

    def __init__(self):
        scipy = pytest.importorskip("scipy.sparse")
        self.graph, features, labels = pg.read_folder(os.path.join(DATA, "cora"), feature_columns=1433)[:3]
        rows = scipy.csr_matrix(features.to_scipy())
        self.rows = scipy.csr_matrix(rows.multiply(1 / np.maximum(np.sqrt(rows.multiply(rows).sum(1)), 1e-12)))
        self.truth = np.asarray(labels.values).astype(np.int32)
        self.targets = [self.target(seed) for seed in range(3 if SOAK else 1)]

    def target(self, seed):
        n = self.graph.order
        part, order = np.full(n, 2, np.int32), np.random.default_rng(seed).permutation(n)
        part[order[:n // 2]] = 0
        part[order[n // 2:3 * n // 4]] = 1
        data = pg.Dataset(graph=pg.public(self.graph), features=pg.public(self.rows), labels=pg.public(self.truth),
                          split=part)
        network = pg.Network("drop .5 | gcn 32 relu | drop .5 | gcn classes", 1433, 7)
        model = pg.Model.train(network, data, seed=seed, select="accuracy", epochs=150, patience=-1)
        assert 0.866 - ROOM < model.score(data)[0] < 0.904 + ROOM
        return seed, part, data, model


@pytest.fixture(scope="module")
def reference():
    if not os.path.isdir(os.path.join(DATA, "cora")):
        pytest.skip(f"no data in {DATA}")
    return Reference()


def within(found, control, bounds, *words, room=ROOM):
    for kind, span in zip(KINDS, bounds):
        area = found.auc(control, kind)[0]
        assert span is None or span[0] - room <= area <= span[1] + room, (*words, control, kind, area)


def test_links_of_cora(reference):
    for seed, part, data, model in reference.targets:
        mlp = attack.posteriors_without_graph(reference.rows, reference.truth, part, seed=seed)
        asking = {"seed": seed, "positives": 5000, "draws": 20}
        found = {"influence": attack.links_influence(model, data, reference.graph, posteriors=mlp, **asking),
                 "similar": attack.links_posteriors(model.predict_exact(data), reference.graph, control_posteriors=mlp,
                                                    features=reference.rows, **asking)}
        for (name, control), bounds in LINKS.items():
            within(found[name], control, bounds, seed, name)
        said = np.asarray(mlp).argmax(1)  # the same class, by a network without edges: no attack, a number to beat
        alike = attack.links(lambda first, second: (said[first] == said[second]).astype(float), reference.graph, **asking)
        within(alike, "none", SAME_CLASS, seed, "same class")
        assert found["influence"].report("two-hop").excess_low > 0.05
        similar = found["similar"]
        assert similar.report("two-hop").excess_high < 0.0 < similar.report("uniform").excess_low


@pytest.mark.skipif(not SOAK, reason="a whole forward pass for each node")
def test_influence_in_one_direction(reference):
    """I(v -> u) alone, from the definition: predictions with row v times 1 + h. Uniform v, all its neighbours against
    as many nodes at distance two; .836 to .848 with both ends of 1000 pairs."""
    seed, part, data, model = reference.targets[0]
    graph, h, rng = reference.graph, 1e-3, np.random.default_rng(seed)
    clean, yes, no = model.predict_exact(data, "logits"), [], []
    around = [set(int(u) for u in graph.neighbours(v)) for v in range(graph.order)]
    for v in rng.permutation(graph.order)[:500]:
        two = sorted(set().union(*(around[u] for u in around[v])) - around[v] - {int(v)}) if around[v] else []
        if not two:
            continue
        rows = reference.rows.tolil(copy=True)
        rows[v] = rows[v] * (1 + h)
        moved = pg.Dataset(graph=pg.public(graph), features=pg.public(rows.tocsr()), labels=pg.public(reference.truth),
                           split=part)
        score = np.linalg.norm(model.predict_exact(moved, "logits") - clean, axis=1) / h
        yes += [score[u] for u in around[v]]
        no += [score[u] for u in rng.choice(two, 4)]
    area = attack.auc(yes, no)[0]
    assert 0.836 - ROOM <= area <= 0.848 + ROOM, area


def test_explanations_of_cora(reference):
    graph = reference.graph
    for seed, _, data, model in reference.targets:
        asking = {"seed": seed, "draws": 20, "features": reference.rows}
        rows = {}
        for name, bounds in EXPLAINED.items():
            rows[name] = pg.explain_exact(name, model, data)
            found = attack.links_rows(rows[name], graph, positives=5000, **asking)
            within(found, "none", bounds, seed, name)
            within(found, "degrees", LINKS["similar", "degrees"], seed, name)
        # |sum_i x_ij g_ij| and mean_i |x_ij g_ij|: words are in few nodes of a ball, so that the rows are parallel and
        # the table of the former is that of the latter. The reference has .93 to .965 for it, from 250 questions.
        other = pg.explain_exact("grad_input_ball", model, data)
        lengths = np.linalg.norm(rows["grad_ball"], axis=1) * np.linalg.norm(other, axis=1)
        assert ((rows["grad_ball"] * other).sum(1) > 0.99 * lengths).mean() > 0.95
        # of a part of the nodes unless there is time
        asked = (np.arange(graph.order) % (1 if SOAK else 4) == 0).astype(np.int32)
        nodes = np.flatnonzero(asked)
        for name, bounds in FEW.items() if SOAK else list(FEW.items())[:2]:
            given = pg.explain_exact(name.replace("_sum", ""), model, data, nodes, seed=seed,
                                     published=int(name.endswith("_sum")))
            every = np.zeros((graph.order, given.shape[1]))
            every[nodes] = given
            metric = "centred" if name == "gnn_explainer" else "cosine"
            within(attack.links_rows(every, graph, positives=5000, asked=asked, metric=metric, **asking), "none", bounds,
                   seed, name)
        for published in (0, 1):  # two starts agree; with the sum of published code each returns its own
            agreed = pg.explain_masks_exact(model, data, nodes[::30], seed=seed, published=published).agreement
            assert abs(np.mean(agreed)) < 0.1 if published else np.mean(agreed) > 0.85


def test_members_of_cora(reference):
    plain = pg.Network("gcn 128 relu | gcn classes", 1433, 7)
    whole = pg.Dataset(graph=pg.public(reference.graph), features=pg.public(reference.rows),
                       labels=pg.public(reference.truth))
    right, wrong = ([attack.membership(plain, whole, per_class=90, seed=seed, published=published).report("uniform")
                     for seed in range(4 if SOAK else 1)] for published in (False, True))
    assert abs(np.mean([one.auc for one in right]) - 0.709) < 0.03
    assert abs(np.mean([one.auc for one in wrong]) - 0.899) < 0.03 + ROOM / np.sqrt(len(wrong))
    assert all(abs(one.excess) < 0.03 and one.true_positive < 0.15 for one in right)


def test_reconstruction_of_cora(reference):
    """The twin finds much in GRAD and nothing in nothing. Cuts differ by .04 (their standard deviation), so that two of
    them, with fewer steps, are further from the reference than five. Other targets and seeds have .70 to .76, five cuts
    each, mostly .72: the reference is above most of what is found (docs/measured/explanations.md)."""
    graph = reference.graph
    _, _, data, model = reference.targets[0]
    size = {"cuts": 5, "tests": 40} if SOAK else {"cuts": 2, "tests": 20, "windows": 200, "steps": 150}
    found = pg.reconstruct(pg.explain_exact("grad", model, data), graph, seed=1, **size).reports
    empty = pg.reconstruct(np.zeros((graph.order, 1)), graph, seed=1, **size).reports
    room = ROOM if SOAK else 0.08
    assert 0.74 - room < found["twin"].auc < 0.80 + room
    for name in ("twin", "position", "cosine"):
        assert abs(empty[name].auc - 0.5) < 0.03, (name, empty[name].auc)
