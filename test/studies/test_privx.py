"""Calculators of the PrivX paper's statements against independent computations: enumeration, integration, simulation.
What is printed in the paper and does not hold must fail here, too."""
import itertools
import math
import os
import sys

import numpy as np
import scipy.integrate

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "studies"))

import privgraph as pg  # noqa: E402
import privx_theory as theory  # noqa: E402
import slaps  # noqa: E402


def close(value, wanted, within=1e-9):
    assert abs(value - wanted) <= within, (value, wanted)


def test_partition_by_enumeration():
    order, seen = 7, 3
    counts = [0, 0, 0]
    for chosen in itertools.combinations(range(order), seen):
        counts[2 - (0 in chosen) - (1 in chosen)] += 1
    for value, count in zip(theory.partition(seen / order, order), counts):
        close(value, count / sum(counts))
    for value, wanted in zip(theory.partition(.5, 50), (12 / 49, 25 / 49, 12 / 49)):
        close(value, wanted)
    close(sum(theory.partition(.3)), 1)


def test_bracket():
    for rho in (0, .25, .5, 1):
        width = theory.upper(.8, .8, .55, rho) - theory.lower(.8, .55, rho)
        close(width, theory.bracket_width(.8, .55, rho))
    close(theory.bracket_width(.774, .534, .5), .12)
    # an attack whose parts have known AUCs is inside
    both, half, none = .9, .7, .5
    for rho in np.linspace(0, 1, 11):
        mixed = sum(p * auc for p, auc in zip(theory.partition(rho), (both, half, none)))
        assert theory.lower(both, none, rho) - 1e-12 <= mixed <= theory.upper(both, both, none, rho) + 1e-12
    # and outside if unobserved pairs are told by the rows of observed nodes, which Theorem 1 forgets
    told = sum(p * auc for p, auc in zip(theory.partition(.5), (both, half, .65)))
    assert told > theory.upper(both, half, none, .5)


def test_guess_of_sigma():
    low, high = theory.guessed_sigma(2.0, .3)
    for wrong in (.7, 1.3):  # epsilon wrong by 30 %; sigma = c / epsilon
        assert low - 1e-12 <= 2.0 / wrong <= high + 1e-12
    close(high / 2 - 1, .3 / .7)
    assert high / 2 - 1 > .15 + .2  # printed: kappa / 2


def test_signs():
    rng = np.random.default_rng(1)
    noise = rng.standard_normal(400000)
    for snr in (.3, 1.0, 2.0):
        share = float((snr + noise > 0).mean())
        assert abs(share - theory.sign_kept(snr)) < 4e-3
        assert abs(share - theory.sign_kept_printed(snr)) > .04
    close(theory.sign_kept(1), .8413447460685429)
    close(theory.sign_kept_printed(1), .5204998778130465)
    exact = rng.standard_normal((200, 40))
    close(theory.sign_fidelity(exact, exact), 1)
    close(theory.sign_fidelity(-exact, exact), 0)


def auc(high, low):
    ranks = np.argsort(np.argsort(np.concatenate([high, low]))) + 1
    return (ranks[:len(high)].sum() - len(high) * (len(high) + 1) / 2) / (len(high) * len(low))


def test_half_edges():
    rng = np.random.default_rng(2)
    for spread in (0, .5):
        s = math.sqrt(1 + spread)
        high, low = 1 + s * rng.standard_normal(20000), s * rng.standard_normal(20000)
        assert abs(auc(high, low) - theory.half_auc(1, 1, spread)) < .01
    assert theory.half_auc(1, 1, .5) < theory.half_auc(1, 1) - .04  # printed: a lower bound


def test_products_of_noisy_rows():
    rng = np.random.default_rng(3)
    width, sigma, count = 20, .4, 40000
    a, b = rng.standard_normal((2, width))
    noisy = ((a + sigma * rng.standard_normal((count, width))) * (b + sigma * rng.standard_normal((count, width)))).sum(1)
    square = (a @ a + b @ b) / 2
    wanted = theory.product_variance(0, square, sigma, width)
    assert abs(noisy.var() / wanted - 1) < .05
    gap = abs(a @ b) / 2
    above = float((np.sign(a @ b) * noisy > gap).mean())
    assert above >= theory.cantelli(gap, wanted) - .01
    assert theory.cantelli(gap, wanted) >= theory.chebyshev(gap, wanted)


def test_crossover():
    sigma2 = theory.vacuous_from(.81, .7, 1, 0, 1433)
    close(sigma2, .0068237112, 1e-9)
    gap = .81 * .7 / 2
    for step, holds in ((.999, True), (1.001, False)):
        variance = theory.product_variance(0, 1, math.sqrt(step * sigma2), 1433)
        assert (theory.chebyshev(gap, variance) > 0) == holds
    variance = theory.product_variance(0, 1, math.sqrt(.567), 1433)  # the printed crossover
    assert theory.chebyshev(gap, variance) == 0


def test_assumption_of_theorem_3():
    """gamma_E = h = 1 with products as small as one likes: the ranking says nothing about size."""
    rng = np.random.default_rng(4)
    tiny = .01
    shared = np.eye(30)[:10].repeat(2, 0) * tiny  # ten pairs share a direction a little
    rows = shared + np.eye(30)[10:30] * math.sqrt(1 - tiny ** 2)
    edges = np.arange(20).reshape(10, 2).T
    close(theory.edge_fidelity(rows, edges, rng), 1)
    close(theory.homophily(edges, np.arange(20) // 2), 1)
    assert (rows[edges[0]] * rows[edges[1]]).sum(1).mean() < 1e-3  # printed: at least 1


def test_noise_that_drowns():
    """Proposition 1 says R -> 0 as epsilon -> 0; a score of nothing but noise has .5."""
    rng = np.random.default_rng(5)
    assert abs(auc(rng.standard_normal(5000), rng.standard_normal(5000)) - .5) < .02


def test_anti_correlation():
    """Proposition 2 with h 0 and no noise: a law of products whose mean is -.5, of which a third is below the
    threshold -.25, where one half is promised."""
    share = theory.anti_holds(0, .5)
    close(share, 1 / 3)
    mean = share * 1 + (1 - share) * .25  # -1 with this chance, else just above -.25
    close(mean, .5)
    assert share < theory.anti_printed(0, .5)
    rng = np.random.default_rng(6)
    for _ in range(200):  # no law on [-1, 1] has less
        values = -rng.beta(*rng.uniform(.1, 3, 2), 500) if rng.random() < .5 else -rng.choice([0, .3, 1], 500)
        m = -values.mean()
        assert (values <= -m / 2 + 1e-12).mean() >= theory.anti_holds(0, m) - 1e-9


def test_laplace_and_gauss():
    def laplace(x):
        return math.exp(-abs(x)) / 2

    def gauss(x):
        return math.exp(-x * x / 4) / math.sqrt(4 * math.pi)

    kl = 2 * scipy.integrate.quad(lambda x: laplace(x) * math.log(laplace(x) / gauss(x)), 0, 40)[0]
    close(kl, theory.laplace_kl(), 1e-8)
    close(theory.laplace_kl(), .0723649429, 1e-9)
    tv = sum(scipy.integrate.quad(lambda x: abs(laplace(x) - gauss(x)), a, b)[0]
             for a, b in ((0, .5), (.5, 1), (1, 3), (3, 5), (5, 60)))
    close(tv, .1413022370, 1e-6)
    assert tv <= theory.pinsker(1) and tv <= theory.bretagnolle_huber(1)
    close(theory.pinsker(28), 1)
    close(theory.bretagnolle_huber(28), .931755, 1e-6)


def test_bayes_rules():
    gap, tv = theory.bayes_gap()
    close(gap, .8, 1e-12)
    close(tv, .02, 1e-12)


def test_timesteps():
    kept = theory.cosine_schedule()
    for t in (20, 100, 180):
        sigma2 = (1 - kept[t]) / kept[t]  # rows z0 + N(0, sigma2), divided by sqrt(1 + sigma2)
        assert theory.timestep(sigma2, kept) == t
    t = theory.timestep(4.0, kept, printed=True)
    assert t == len(kept) - 1  # the last step, whatever the noise above 1


def test_fidelities():
    rng = np.random.default_rng(7)
    features = rng.standard_normal((30, 5))
    labels = (features[:, 0] > 0).astype(int)
    rows = np.zeros((30, 5))
    rows[:, 0] = 1

    def predict(x):
        return (x[:, 0] > 0).astype(int)

    close(theory.label_fidelity(predict, features, rows, labels, 1), 1)
    assert theory.label_fidelity(predict, features, np.eye(5)[[1] * 30], labels, 1) < .8
    assert abs(theory.edge_fidelity(rng.standard_normal((300, 8)), rng.integers(0, 300, (2, 900)), rng) - .5) < .05


def test_adversaries():
    rng = np.random.default_rng(8)
    assert theory.observed(100, .25, rng).sum() == 25
    assert theory.Adversary(None, 1).type.startswith("I ")
    assert theory.Adversary(1.0, .5).type.startswith("II ")
    assert theory.Adversary(1.0, 1).type.startswith("III")


def test_algorithm_1_keeps_its_start():
    """With the best denoiser and a condition that tells nearly everything, a start below the last step gives noise."""
    rng = np.random.default_rng(9)
    truth = rng.random(4000) < .5
    logit = np.where(truth, 4.0, -4.0) + rng.standard_normal(4000)
    kept = theory.cosine_schedule(200)

    def right(start):
        return float(((theory.diffuse(logit, start, kept, rng) > 0) == truth).mean())

    assert theory.timestep(.01 ** 2, kept, printed=True) == 0
    assert abs(right(theory.timestep(.1 ** 2, kept, printed=True)) - .5) < .03  # 11 of 200 steps
    assert abs(right(theory.timestep(.1 ** 2, kept)) - .5) < .03
    assert right(200) > .9


def explanations(graph, model, features, explainer):
    data = pg.Dataset(graph=pg.public(graph), features=pg.public(features))
    return np.asarray(pg.explain_exact(explainer, model, data, seed=1))  # a fixed, public start of masks


def distances(near, ends):
    """Of every node from the nearer of two."""
    far = np.full(len(near), 99)
    far[list(ends)] = 0
    for step in range(len(near)):
        for v in np.flatnonzero(far == step):
            far[near[v] & (far > step + 1)] = step + 1
    return far


def test_rows_that_an_edge_moves():
    """All edges of paths, cycles, trees and all graphs of five nodes: rows move within the radius, no more of them than
    the bound says, and the bound is attained on a path. The model is the same in both worlds."""
    rng = np.random.default_rng(10)
    order, columns = 16, 6
    features = rng.random((order, columns))
    labels = (features[:, 0] > .5).astype(np.int32)
    worlds = [[(v, v + 1) for v in range(order - 1)], [(v, (v + 1) % order) for v in range(order)],
              [(v, (v - 1) // 3) for v in range(1, order)], [(v, int(rng.integers(0, v))) for v in range(1, order)]]
    shapes = [edges for k in range(11) for edges in itertools.combinations(list(itertools.combinations(range(5), 2)), k)]
    worlds += [list(shapes[i]) for i in rng.permutation(len(shapes))[:60]]
    for network, scaled in (("gcn 4 tanh | gcn classes", True), ("sage 4 tanh | sage classes", False)):
        ring = pg.Graph.from_edges(np.array([(v, (v + 1) % order) for v in range(order)]).T, order=order)
        told = pg.Dataset(graph=pg.public(ring), features=pg.public(features), labels=pg.public(labels))
        model = pg.Model.train(pg.Network(network, columns, 2), told, seed=1, epochs=5)
        for explainer, hops in (("grad", 0), ("grad_input", 0), ("graph_lime", 2), ("gnn_explainer", 0)):
            radius, most, beyond = theory.radius_of(2, scaled, hops), 0, 0
            for edges in worlds if explainer != "gnn_explainer" else worlds[:3]:
                graph = pg.Graph.from_edges(np.array(edges, np.int64).reshape(-1, 2).T, order=order)
                before = explanations(graph, model, features, explainer)
                near = np.zeros((order, order), bool)
                for u, v in edges:
                    near[u, v] = near[v, u] = True
                for u, v in edges[::1 if len(edges) < 8 else 3]:
                    rest = np.array([one for one in edges if one != (u, v)], np.int64).reshape(-1, 2).T
                    after = explanations(pg.Graph.from_edges(rest, order=order), model, features, explainer)
                    moved = np.abs(before - after).max(1) > 0
                    assert not moved[distances(near, (u, v)) > radius].any(), (network, explainer, edges, (u, v))
                    assert moved.sum() <= theory.rows_moved(int(near.sum(1).max()), radius)
                    most = max(most, int(moved.sum())) if edges is worlds[0] else most
                    beyond += int(moved[distances(near, (u, v)) == radius].sum())
            assert beyond > 0, "a smaller radius would do"
            if explainer == "grad":  # on a path, degree 2: every node within the radius
                assert most == theory.rows_moved(2, radius), (network, most)
    # rows of length 1 with entries >= 0
    rows = np.abs(rng.standard_normal((200, 5)))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert np.linalg.norm(rows[:100] - rows[100:], axis=1).max() <= theory.explanation_sensitivity(1, 1)
    close(theory.explanation_sensitivity(1, 9, signed=True), 6)
    close(np.linalg.norm([1.0, -1.0]), theory.explanation_sensitivity(1, 1))


def test_slopes_of_a_learnt_graph():
    """SLAPS by differences, every parameter; then two groups of like rows, of which a class is known each."""
    rng = np.random.default_rng(1)
    w, x, target = rng.standard_normal((7, 7)), rng.random((7, 4)), np.eye(3)[rng.integers(0, 3, 7)]
    weights = {name: rng.standard_normal(shape) for name, shape in {"a": (4, 5), "b": (5, 3), "c": (4, 5), "d": (5, 4)}.items()}
    hide = rng.random((7, 4)) < .4
    more = (x, target, np.array([0, 2, 5]), hide, hide & (rng.random((7, 4)) < .7), 2.0)
    _, slope, slopes = slaps.loss(w, weights, *more)
    for held, found in [(w, slope), *zip(weights.values(), slopes)]:
        for at in np.ndindex(held.shape):
            kept, values = held[at], []
            for step in (1e-6, -1e-6):
                held[at] = kept + step
                values.append(slaps.loss(w, weights, *more)[0])
            held[at] = kept
            close((values[0] - values[1]) / 2e-6, found[at], 1e-8)
    group = np.repeat([0, 1], 30)
    rows = (rng.random((60, 20)) < np.where(np.arange(20) % 2 == group[:, None], .5, .1)).astype(float)
    made = slaps.learn_graph(rows, group, np.arange(0, 60, 3), 1, 30)
    assert (made > 0).all() and np.abs(made - made.T).max() == 0
    same = group[:, None] == group
    assert made[same].mean() > 2 * made[~same].mean(), (made[same].mean(), made[~same].mean())


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name)
