"""Attacks on Cora, as measured elsewhere: skipped where the data are not. PVG_SOAK=1: three splits, five cuts, all nodes.

Training and questions have fixed seeds and the same bits on all machines, and 5000 questions of a kind (nearly all
edges) leave .004 of chance, where the references asked 1000 (.02) and fewer: all must be within .02 of what was
measured over three splits. What is wider says so."""
import os

import numpy as np
import pytest

import privgraph as pg
from privgraph import attack

DATA = os.environ.get("PVG_SHARED_DATA", os.path.join(os.path.dirname(__file__), *[".."] * 4, "shared", "data"))
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


# windows of 20: cosine, twin. Cuts differ by .03 to .04 (standard deviation), references are of one to three cuts.
WINDOWS = {"grad": ((0.68, 0.71), (0.74, 0.80)), "features": ((0.57, 0.59), (0.53, 0.53)),
           "sigma .1": ((0.67, 0.67), (0.58, 0.58)), "sigma .3": ((0.57, 0.57), (0.51, 0.51))}


def test_reconstruction_of_cora(reference):
    """The twin finds much in GRAD, nothing in nothing, nor in random rows; noise and features leave little. Five cuts are
    within .02 or .04 of the reference, two of them with fewer steps within .08."""
    graph, (_, _, data, model) = reference.graph, reference.targets[0]
    size = {"cuts": 5, "tests": 40} if SOAK else {"cuts": 2, "tests": 20, "windows": 200, "steps": 150}
    grad = pg.explain_exact("grad", model, data)
    rows = {"grad": (grad, {}), "features": (reference.rows.toarray(), {}), "sigma .1": (grad, {"sigma": 0.1}),
            "sigma .3": (grad, {"sigma": 0.3})}
    for name, bounds in WINDOWS.items() if SOAK else list(WINDOWS.items())[:1]:
        given, more = rows[name]
        found = pg.reconstruct(given, graph, seed=1, **size, **more).reports
        for score, (low, high) in zip(("cosine", "twin"), bounds):
            room = 0.08 if not SOAK else ROOM if low < high else SINGLE
            assert low - room < found[score].auc < high + room, (name, score, found[score].auc)
        assert abs(found["chance"].auc - 0.5) < 0.06 and abs(found["position"].auc - 0.5) < 0.06
    empty = pg.reconstruct(np.zeros((graph.order, 1)), graph, seed=1, **size).reports
    for name in ("twin", "position", "cosine"):
        assert abs(empty[name].auc - 0.5) < 0.03, (name, empty[name].auc)
    if SOAK:  # in the order of a search positions tell: .62
        ordered = pg.reconstruct(np.zeros((graph.order, 1)), graph, seed=1, ordered=1, steps=1).reports
        assert abs(ordered["position"].auc - 0.62) < 0.03


# One split and one draw of noise there, 1000 questions (+- .02 by themselves); lists there have no pair twice, which is
# .01 against TWO_HOP (docs/measured/protocols.md); accuracies of splits differ by .02 (their standard deviation).
SINGLE, ACCURACY = 0.04, 0.06
GAP = {1: (0.237, 0.762, 0.566, (0.817, 0.571), (0.739, 0.621)),
       4: (0.838, 0.804, 0.723, (0.858, 0.602), (0.886, 0.671)),
       8: (1.53, 0.833, 0.861, (0.883, 0.614), (0.915, 0.679))}
NO_EDGES = (0.75, (0.801, 0.557), (0.827, 0.549))
LAPGRAPH = {4: (371, 0.487, (0.544, 0.541), (0.540, 0.540), (0.719, 0.544)),
            8: (4216, 0.870, (0.940, 0.800), (0.902, 0.902), (0.916, 0.622))}


def near(found, wanted, room, *words):
    for kind, area in zip(("uniform", "two-hop"), wanted):
        assert abs(found.report(kind).auc - area) < room, (*words, kind, found.report(kind).auc, area)


def test_private_pipeline_of_cora(reference):
    """Sums of messages with Gaussian noise: the user's accuracy, similarity of posteriors, matched filter; and the game
    about one edge, which meets its ceiling and is above it with half of the noise."""
    graph, truth = reference.graph, reference.truth
    matrix = graph.to_scipy().astype(float)
    for seed, part, _, _ in reference.targets:
        labels, checks = (np.where(part == one, truth, -1).astype(np.int32) for one in (0, 1))
        prior = pg.encode(reference.rows, labels, checks=checks, averages=1, seed=pg.Rng.seeded(seed))
        sent = (np.where(labels[:, None] >= 0, np.eye(7)[np.maximum(labels, 0)], prior) - 1 / 7) / np.sqrt(6 / 7)
        asking = {"seed": seed, "positives": 5000, "draws": 20}

        def right(rows, part=part):
            return (rows.argmax(1) == truth)[part == 2].mean()

        assert abs(right(prior) - NO_EDGES[0]) < ACCURACY
        near(attack.links_posteriors(prior, graph, **asking), NO_EDGES[1], SINGLE, seed, "no edges")
        near(attack.links_rows(sent, graph, metric="dot", **asking), NO_EDGES[2], SINGLE, seed, "messages")
        learns = np.random.default_rng(seed).permutation(np.flatnonzero(part == 0))  # messages of length 1
        u, v = learns[:len(learns) // 2], learns[len(learns) // 2:len(learns) // 2 * 2]
        for epsilon, (mu, accuracy, ceiling, posteriors, states) in GAP.items():
            learnt = pg.learn_nodes(graph, labels, epsilon, method="sums", prior=prior, checks=checks, averages=1,
                                    target=pg.Target(epsilon, 1e-6, allow_seeded=True), rng=pg.Rng.seeded(seed))
            release = learnt.releases[0]
            assert abs(right(learnt.probabilities) - accuracy) < ACCURACY, (seed, epsilon, right(learnt.probabilities))
            near(attack.links_posteriors(learnt.probabilities, graph, **asking), posteriors, SINGLE, seed, epsilon)
            near(attack.links_states(release, sent, graph, **asking), states, SINGLE, seed, epsilon, "filter")
            # all else is known, so that what is left of the sums is noise; disjoint pairs, half of them joined
            noise = np.asarray(release.values) - matrix @ sent
            assert np.sqrt(2) / noise.std() == pytest.approx(mu, rel=0.02)
            assert attack.ceiling_gdp(mu)[0] == pytest.approx(ceiling, abs=0.002)
            for share in (1.0, 0.5):
                scores = share * ((noise[u] * sent[v]).sum(1) + (noise[v] * sent[u]).sum(1))
                half = len(scores) // 2
                area, low, high = attack.auc(scores[:half] + 2, scores[half:])
                beyond = (area - ceiling) / ((high - low) / 3.92)
                assert abs(beyond) < 6 if share == 1 else beyond > 6 or epsilon == 1, (seed, epsilon, share, area)


def as_true(graph, count, rng):
    """A graph with as many edges, `count` of them true."""
    edges = np.asarray(graph.edges()).reshape(2, -1)
    others = set()
    while len(others) < edges.shape[1] - count:
        u, v = sorted(rng.integers(graph.order, size=2).tolist())
        if u != v and not graph.has_edge(u, v):
            others.add((u, v))
    kept = edges[:, rng.permutation(edges.shape[1])[:count]]
    return pg.Graph.from_edges(np.concatenate([kept, np.array(sorted(others)).T], 1), graph.order)


def test_models_on_released_graphs_of_cora(reference):
    """A GCN on a graph as true as LapGraph's gives away what the graph says by itself; and LapGraph is that true."""
    truth = reference.graph
    for seed, part, _, _ in reference.targets:
        asking = {"seed": seed, "positives": 5000, "draws": 20}
        for epsilon, (count, accuracy, influence, reading, posteriors) in LAPGRAPH.items():
            graph = as_true(truth, count, np.random.default_rng(seed))
            data = pg.Dataset(graph=pg.public(graph), features=pg.public(reference.rows), split=part,
                              labels=pg.public(reference.truth))
            network = pg.Network("drop .5 | gcn 32 relu | drop .5 | gcn classes", 1433, 7)
            model = pg.Model.train(network, data, seed=seed, select="accuracy", epochs=150, patience=-1)
            assert abs(model.score(data)[0] - accuracy) < ACCURACY, (seed, epsilon, model.score(data))
            near(attack.links_influence(model, data, truth, **asking), influence, ROOM, seed, epsilon, "influence")
            near(attack.links_posteriors(model.predict_exact(data), truth, **asking), posteriors, ROOM, seed, epsilon)
            made = pg.Query("lapgraph", epsilon=epsilon, allow_seeded=True)
            released = made.draw(truth, rng=pg.Rng.seeded(seed))
            near(attack.links_release(released, truth, **asking), reading, ROOM, seed, epsilon, "reading")
