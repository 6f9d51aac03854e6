#!/usr/bin/env python3
"""Tables 1, 4, 7 to 10 and Figures 2, 3, 8 of the PrivX paper, Algorithm 1 as printed, and its third claim on several splits.

    studies/privx_tables.py [--part NAME] --out studies/results/privx_tables.csv; ... --report

Nothing here is private: the graphs are public, and the epsilon of the paper's noise is not one (docs/papers/privx.md). Rows are
explanations of length 1; the attack is their cosine, which needs no training; 2000 edges and 2000 pairs without, percent.
third: against uniform pairs; "same class": edges and pairs of nodes that the model puts into one class, so that telling classes
apart is worth nothing. noise: Gaussian, Laplace and Renyi noise as printed, by epsilon; networks gcn, sage, gin. fidelity:
Definitions 4 to 6, before noise and at epsilon 5; label-fidelity keeps ten features. splits: share of nodes that trained the
explained model. rho: pairs with an unseen end are tied. windows: share of edges that windows of k nodes, nearest first, cut; with
it edges inside. diffusion: Algorithm 1 with the best denoiser there is for single pairs, in closed form: E(z_0 | z_t, cosine) is a
tanh of a logit fitted on other pairs; started at the printed step, at the corrected one and at the last."""
import math
import os
import sys
from typing import Any, Iterator

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score

import common
import heterophily
import privgraph as pg
import privx_theory
import slaps

COLUMNS = common.LINES
EXPLAINERS = heterophily.EXPLAINERS
NETWORKS = {"gcn": heterophily.NETWORK, "sage": "drop .5 | sage 32 relu | drop .5 | sage classes",
            "gin": "drop .5 | gin 32 bn relu | drop .5 | gin classes"}
EPSILONS = (.1, .5, 1.0, 2.0, 5.0, 8.0, 16.0)
DELTA = 1e-5
PAIRS = 2000
SPLITS = 3


class Target:
    """A model, what it explains, and pairs that are asked about."""

    def __init__(self, data: str, name: str, network: str, seed: int, share: float = .5) -> None:
        if name.startswith("sbm"):
            self.graph, features, self.truth = heterophily.blocks(*((.012, .001) if name == "sbm_hom" else (.001, .012)), seed + 1)
        else:
            self.graph, features, self.truth = common.load(os.path.join(data, name))
        self.unit, self.seed = common.unit_rows(features), seed
        order = np.random.default_rng(seed).permutation(self.graph.order)
        part = np.full(self.graph.order, 2, np.int32)
        part[order[:int(share * len(order))]] = 0
        part[order[:len(order) // 10]] = 1
        part[self.truth < 0] = -1
        self.part = part
        self.data = pg.Dataset(graph=pg.public(self.graph), features=pg.public(self.unit), labels=pg.public(self.truth), split=part)
        made = pg.Network(NETWORKS[network], self.unit.shape[1], int(self.truth.max()) + 1)
        self.model = pg.Model.train(made, self.data, seed=seed, select="accuracy")
        self.said = np.asarray(self.model.predict_exact(self.data)).argmax(1)
        rng = np.random.default_rng(seed)
        near = self.graph.to_scipy().tocsr()
        edges = np.asarray(self.graph.edges())
        self.edges = edges if edges.shape[0] == 2 else edges.T
        some = self.edges[:, rng.permutation(self.edges.shape[1])[:PAIRS]]
        pairs = rng.integers(0, self.graph.order, (2, 5 * PAIRS))
        fine = (pairs[0] != pairs[1]) & (np.asarray(near[pairs[0], pairs[1]]).ravel() == 0)
        self.pairs = np.hstack([some, pairs[:, fine][:, :PAIRS]])
        self.joined = np.arange(self.pairs.shape[1]) < some.shape[1]

    def rows(self, explainer: str) -> np.ndarray:
        found = np.asarray(pg.explain_exact(explainer, self.model, self.data, seed=self.seed))
        if explainer == "gnn_explainer":
            found = found - found.mean(0)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.where(lengths > 0, lengths, 1)

    def cosines(self, rows: np.ndarray) -> np.ndarray:
        lengths = np.linalg.norm(rows, axis=1)
        unit = rows / np.where(lengths > 0, lengths, 1)[:, None]
        return (unit[self.pairs[0]] * unit[self.pairs[1]]).sum(1)

    def area(self, rows: np.ndarray, where: Any = slice(None)) -> float:
        return 100 * float(roc_auc_score(self.joined[where], self.cosines(rows)[where]))


def sigma_of(mechanism: str, epsilon: float) -> float:
    """Standard deviation of the noise as printed, sensitivity 1."""
    if mechanism == "laplace":
        return math.sqrt(2) / epsilon
    if mechanism == "gauss":
        return math.sqrt(2 * math.log(1.25 / DELTA)) / epsilon
    log = math.log(1 / DELTA)  # Renyi: least over alpha of alpha / (2 s^2) + log / (alpha - 1) = epsilon
    root = (math.sqrt(log + epsilon) - math.sqrt(log)) * math.sqrt(2)
    return 1 / root


def noised(rows: np.ndarray, mechanism: str, epsilon: float, rng: np.random.Generator) -> np.ndarray:
    sigma = sigma_of(mechanism, epsilon)
    if mechanism == "laplace":
        return rows + rng.laplace(0, sigma / math.sqrt(2), rows.shape)
    return rows + sigma * rng.standard_normal(rows.shape)


def of_third(data: str) -> Iterator[common.Line]:
    for name in ("sbm_hom", "sbm_het", "cora", "citeseer", "chameleon", "imdb_movies", "pubmed"):
        for seed in range(SPLITS if name != "pubmed" else 1):
            held = Target(data, name, "gcn", seed)
            u, v = held.pairs
            same = held.said[u] == held.said[v]
            yield name, "homophily", 0, seed, 100 * privx_theory.homophily(held.edges, held.truth)
            yield name, "same class told", 0, seed, 100 * float(roc_auc_score(held.joined, same))
            for explainer in EXPLAINERS:
                if explainer == "gnn_explainer" and name in ("chameleon", "pubmed"):
                    continue  # balls are most of the graph; minutes
                rows = held.rows(explainer)
                yield name, explainer, 0, seed, held.area(rows)
                yield name, f"{explainer}, same class", 0, seed, held.area(rows, same)
            yield name, "features", 0, seed, held.area(held.unit.toarray())


def of_noise(data: str) -> Iterator[common.Line]:
    for name in ("cora", "imdb_movies"):
        for seed in range(2):
            for network in NETWORKS:
                held = Target(data, name, network, seed)
                for explainer in EXPLAINERS if network == "gcn" else EXPLAINERS[:1]:
                    rows = held.rows(explainer)
                    for mechanism in ("gauss", "laplace", "renyi") if network == "gcn" else ("gauss",):
                        for epsilon in EPSILONS:
                            found = held.cosines(noised(rows, mechanism, epsilon, np.random.default_rng(seed + 99)))
                            yield name, f"{network} {explainer} {mechanism}", epsilon, seed, \
                                100 * float(average_precision_score(held.joined, found))
                    yield name, f"{network} {explainer} gauss", np.inf, seed, \
                        100 * float(average_precision_score(held.joined, held.cosines(rows)))


def of_fidelity(data: str) -> Iterator[common.Line]:
    for name in ("cora", "citeseer", "imdb_movies", "chameleon"):
        for seed in range(2 if name in ("cora", "citeseer") else 1):
            held = Target(data, name, "gcn", seed)
            dense = held.unit.toarray()

            def predict(features: np.ndarray) -> np.ndarray:
                given = pg.Dataset(graph=pg.public(held.graph), features=pg.public(features))
                return np.asarray(held.model.predict_exact(given)).argmax(1)

            yield name, "right, all features", 0, seed, 100 * float((predict(dense) == held.truth)[held.truth >= 0].mean())
            for explainer in EXPLAINERS:
                if explainer == "gnn_explainer" and name == "chameleon":
                    continue
                rows = held.rows(explainer)
                noisy = noised(rows, "gauss", 5.0, np.random.default_rng(seed))
                for words, one in (("no noise", rows), ("epsilon 5", noisy)):
                    fidelity = privx_theory.edge_fidelity(one, held.edges, np.random.default_rng(seed), 1)
                    yield name, f"{explainer}, gamma_E, {words}", 0, seed, 100 * fidelity
                    yield name, f"{explainer}, gamma_L, {words}", 0, seed, \
                        100 * privx_theory.label_fidelity(predict, dense, one, held.truth, 10)
                yield name, f"{explainer}, gamma_S", 0, seed, 100 * privx_theory.sign_fidelity(noisy, rows)


def of_splits(data: str) -> Iterator[common.Line]:
    for name in ("cora", "citeseer"):
        for share in (.2, .4, .6, .8):
            for seed in range(SPLITS):
                held = Target(data, name, "gcn", seed, share)
                for explainer in ("grad", "graph_lime", "gnn_explainer")[:3 if seed == 0 else 2]:
                    yield name, explainer, share, seed, held.area(held.rows(explainer))


def of_trained(data: str) -> Iterator[common.Line]:
    """Figure 3: a network trained on other windows (the library's one-step twin), by window, on rows of GRAD without noise and with
    noise as printed for epsilon 5."""
    held = Target(data, "cora", "gcn", 0)
    rows = held.rows("grad")
    for size in (32, 64, 128):
        for words, sigma in (("no noise", 0.0), ("epsilon 5", sigma_of("gauss", 5.0))):
            found = pg.reconstruct(rows, held.graph, seed=1, window=size, sigma=sigma, windows=60, tests=15, cuts=1, steps=300)
            for score in ("twin", "cosine"):
                report = found.reports[score]
                yield "cora", f"{words}, {score}, AUC", size, 0, 100 * report.auc
                yield "cora", f"{words}, {score}, AP", size, 0, 100 * report.precision_mean
            yield "cora", f"{words}, share of edges", size, 0, 100 * report.prevalence


def of_slaps(data: str) -> Iterator[common.Line]:
    """Table 2: SLAPS learns a graph from features, GSE from explanations, GSEF from both; labels of the learning nodes are known."""
    held = Target(data, "cora", "gcn", 0)
    known = (held.part == 0).nonzero()[0]
    dense = held.unit.toarray()
    asked = {"SLAPS": dense, "SLAPS, epsilon 5": noised(dense, "gauss", 5.0, np.random.default_rng(1))}
    for explainer in ("grad", "gnn_explainer"):
        rows = held.rows(explainer)
        asked[f"GSE, {explainer}"] = rows
        asked[f"GSEF, {explainer}"] = np.hstack([dense, rows])
        if explainer == "grad":
            noisy = noised(rows, "gauss", 5.0, np.random.default_rng(0))
            asked[f"GSE, {explainer}, epsilon 5"] = noisy
            asked[f"GSEF, {explainer}, epsilon 5"] = np.hstack([dense, noisy])
    u, v = held.pairs
    for words, rows in asked.items():
        for epochs in (0, 100):
            found = slaps.learn_graph(rows, held.truth, known, 0, epochs)[u, v]
            row = words if epochs else f"{words}, nearest rows"
            yield "cora", f"{row}, AUC", 0, 0, 100 * float(roc_auc_score(held.joined, found))
            yield "cora", f"{row}, AP", 0, 0, 100 * float(average_precision_score(held.joined, found))
        yield "cora", f"{words}, cosine, AUC", 0, 0, held.area(rows)
        yield "cora", f"{words}, cosine, AP", 0, 0, 100 * float(average_precision_score(held.joined, held.cosines(rows)))


def of_rho(data: str) -> Iterator[common.Line]:
    for seed in range(SPLITS):
        held = Target(data, "cora", "gcn", seed)
        for explainer in EXPLAINERS:
            found = held.cosines(noised(held.rows(explainer), "gauss", 5.0, np.random.default_rng(seed)))
            for rho in (.25, .5, .75, 1.0):
                seen = privx_theory.observed(held.graph.order, rho, np.random.default_rng(seed))[held.pairs].all(0)
                score = np.where(seen, found, -1.0)
                yield "cora", explainer, rho, seed, 100 * float(average_precision_score(held.joined, score))


def of_windows(data: str) -> Iterator[common.Line]:
    for name in ("cora", "pubmed"):
        graph = common.load(os.path.join(data, name))[0]
        near = graph.to_scipy().tocsr()
        for seed in range(50):
            start = int(np.random.default_rng(seed).integers(graph.order))
            order, place, at = [start], {start: 0}, 0
            while at < len(order) and len(order) < 128:
                for other in near.indices[near.indptr[order[at]]:near.indptr[order[at] + 1]]:
                    if other not in place:
                        place[int(other)] = len(order)
                        order.append(int(other))
                at += 1
            for size in (32, 64, 128):
                window = np.array(order[:size])
                if len(window) < size:
                    continue
                inside = near[window][:, window].sum() / 2
                touched = near[window].sum() - inside
                yield name, "cut", size, seed, 100 * float((touched - inside) / touched)
                yield name, "inside", size, seed, float(inside)


def of_diffusion(data: str) -> Iterator[common.Line]:
    kept = privx_theory.cosine_schedule(200)
    for seed in range(SPLITS):
        held = Target(data, "cora", "gcn", seed)
        rows = held.rows("grad")
        for sigma in (.01, .02, .05, .1, .5, 1.0):
            rng = np.random.default_rng(seed)
            found = held.cosines(rows + sigma * rng.standard_normal(rows.shape))
            half = rng.random(len(found)) < .5
            fitted = LogisticRegression().fit(found[half, None] * 10, held.joined[half])
            logit = fitted.decision_function(found[~half, None] * 10)
            truth = held.joined[~half]
            starts = {"printed start": privx_theory.timestep(sigma ** 2, kept, printed=True),
                      "corrected start": privx_theory.timestep(sigma ** 2, kept), "last start": 200}
            yield "cora", "cosine", sigma, seed, 100 * float(roc_auc_score(truth, logit))
            for words, start in starts.items():
                yield "cora", f"{words}, step", sigma, seed, start
                yield "cora", words, sigma, seed, 100 * float(roc_auc_score(truth, privx_theory.diffuse(logit, start, kept, rng)))
            many = np.mean([np.tanh(privx_theory.diffuse(logit, 200, kept, rng)) for _ in range(30)], axis=0)
            yield "cora", "last start, mean of 30", sigma, seed, 100 * float(roc_auc_score(truth, many))


def of_release(data: str) -> Iterator[common.Line]:
    """Explanations with the noise that holds for a model that never saw the graph: one node asked, all of them with degrees at
    most 5 promised, all of them with nothing promised. epsilon 5, delta 1e-5; ten features as a user reads them."""
    for seed in range(SPLITS):
        held = Target(data, "cora", "gcn", seed)
        dense = held.unit.toarray()

        def predict(features: np.ndarray) -> np.ndarray:
            given = pg.Dataset(graph=pg.public(held.graph), features=pg.public(features))
            return np.asarray(held.model.predict_exact(given)).argmax(1)

        for explainer in ("grad", "gnn_explainer"):
            rows = held.rows(explainer)
            best = np.argsort(-rows, axis=1)[:, :10]
            for words, sensitivity in (("none", 0.0), ("one", privx_theory.explanation_sensitivity(1, 1)),
                                       ("degree 5", privx_theory.explanation_sensitivity(1, len(rows), 5, 2)),
                                       ("all", privx_theory.explanation_sensitivity(1, len(rows)))):
                sigma = sensitivity * pg.gaussian_sigma(5.0, DELTA)
                noisy = rows + sigma * np.random.default_rng(seed).standard_normal(rows.shape)
                found = np.argsort(-noisy, axis=1)[:, :10]
                same = np.mean([len(set(a) & set(b)) for a, b in zip(best.tolist(), found.tolist())])
                yield explainer, f"{words}, sigma", 0, seed, sigma
                yield explainer, f"{words}, ten best features found", 0, seed, 10 * float(same)
                yield explainer, f"{words}, gamma_L", 0, seed, \
                    100 * privx_theory.label_fidelity(predict, dense, noisy, held.truth, 10)
                yield explainer, f"{words}, attack", 0, seed, held.area(noisy)


PARTS: common.Parts = {
    "diffusion": of_diffusion, "third": of_third, "rho": of_rho, "splits": of_splits, "fidelity": of_fidelity,
    "windows": of_windows, "trained": of_trained, "slaps": of_slaps, "noise": of_noise, "release": of_release}


def report(found: common.Results) -> str:
    sets = [(name, heterophily.NAMES.get(name, name)) for name in
            ("sbm_hom", "sbm_het", "cora", "citeseer", "pubmed", "imdb_movies", "chameleon")]
    rows = ["homophily", "same class told", "features", *(f"{e}{more}" for e in EXPLAINERS for more in ("", ", same class"))]
    out = common.grid(found, "third", "no noise", sets, common.plain(rows), lambda c, row: (c, row, "0.0"))
    epsilons = [(str(e), f"{e:g}") for e in EPSILONS] + [("inf", "no noise")]
    for name in ("cora", "imdb_movies"):
        ways = [f"{n} {e} {m}" for n in NETWORKS for e in EXPLAINERS for m in ("gauss", "laplace", "renyi")]
        out += common.grid(found, "noise", f"{heterophily.NAMES[name]}, AP, printed epsilon", epsilons, common.plain(ways),
                    lambda c, row: (name, row, c))
    out += common.grid(found, "fidelity", "fidelity", [(name, heterophily.NAMES[name]) for name in
                                                ("cora", "citeseer", "imdb_movies", "chameleon")],
                common.plain(["right, all features"] + [f"{e}, {m}" for e in EXPLAINERS for m in (
                    "gamma_E, no noise", "gamma_E, epsilon 5", "gamma_L, no noise", "gamma_L, epsilon 5", "gamma_S")]),
                lambda c, row: (c, row, "0.0"))
    for name in ("cora", "citeseer"):
        out += common.grid(found, "splits", f"{heterophily.NAMES[name]}, share that trained",
                    [(str(s), f"{100 * s:.0f} %") for s in (.2, .4, .6, .8)],
                    common.plain(["grad", "graph_lime", "gnn_explainer"]), lambda c, row: (name, row, c))
    out += common.grid(found, "rho", "Cora, AP, epsilon 5 as printed, rho", [(str(r), f"{r:g}") for r in (.25, .5, .75, 1.0)],
                common.plain(EXPLAINERS), lambda c, row: ("cora", row, c))
    learnt = ["SLAPS", "SLAPS, epsilon 5"] + [f"{w}, {e}" for e in ("grad", "grad, epsilon 5", "gnn_explainer") for w in ("GSE", "GSEF")]
    out += common.grid(found, "slaps", "Cora, learnt graphs", [(f"{w}{m}", f"{t}{m}") for m in ("AUC", "AP") for w, t in (
        ("cosine, ", "cosine, "), ("nearest rows, ", "nearest rows, "), ("", "learnt, "))], common.plain(learnt),
                lambda c, row: ("cora", f"{row}, {c}", "0.0"))
    out += common.grid(found, "trained", "Cora, GRAD, windows the attacker did not know", [(f"{s}.0", f"{s} nodes") for s in (32, 64, 128)],
                common.plain([f"{w}, {m}" for w in ("no noise", "epsilon 5") for m in (
                    "twin, AUC", "twin, AP", "cosine, AUC", "cosine, AP", "share of edges")]), lambda c, row: ("cora", row, c))
    out += common.grid(found, "windows", "windows", [(f"{n} {s}", f"{heterophily.NAMES.get(n, n)}, {s:g}") for n in ("cora", "pubmed")
                                              for s in (32.0, 64.0, 128.0)],
                [("cut", "edges cut, % of those touched"), ("inside", "edges inside")],
                lambda c, row: (c.split()[0], row, c.split()[1]))
    out += common.grid(found, "diffusion", "Cora, GRAD, AUC, sigma", [(str(s), f"{s:g}") for s in (.01, .02, .05, .1, .5, 1.0)],
                common.plain(["cosine", "printed start, step", "printed start", "corrected start, step", "corrected start", "last start",
                       "last start, mean of 30"]), lambda c, row: ("cora", row, c))
    for explainer in ("grad", "gnn_explainer"):
        out += common.grid(found, "release", f"{explainer}, noise that holds", [
            ("none", "none"), ("one", "one node asked"), ("degree 5", "all, degrees at most 5"), ("all", "all")],
                    common.plain(["sigma", "ten best features found", "gamma_L", "attack"]), lambda c, row: (explainer, f"{c}, {row}", "0.0"))
    return "\n".join(out)


def main() -> int:
    common.study_of_parts(__doc__, "privx_tables", PARTS, report, ["cora"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
