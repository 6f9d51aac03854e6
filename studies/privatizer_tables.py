#!/usr/bin/env python3
"""Tables 1, 2, 5, 6, 7 and the alpha x delta maps (Figures 3 to 15) of the GraphPrivatizer paper, its perturber as published.

    studies/privatizer_tables.py [--part NAME] --out studies/results/privatizer_tables.csv; ... --report

Nothing here is private: the epsilon of lists is the paper's, whose proof fails. Features and labels are reported at epsilon 3 each
(those mechanisms hold), half of the nodes learn, a quarter chooses by reported labels, a quarter is tested; networks
`kprop 16 | MAP 32 selu drop .5 | MAP classes`, forward correction of the labels. Attack: the paper's on posteriors (centred
cosine), 500 edges and 500 random pairs without, AUC in percent.

models: six maps of the grammar on lists of GP-t, GP-m (alpha .5, delta 0), two-hop response, subsets (which hold), true lists and no
lists at all; Cora. maps: share of true edges that somebody publishes, by alpha and delta; and the accuracy of GCN. metric: GP-m
whose most similar neighbour is told by cosine or by Euclidean distance (Table 5); the lists differ, the share of true edges cannot.
lastfm: LastFM's ten largest classes, 7083 users and 25814 edges as in the paper's Table 4; features of the 1800 users who have some."""
import os
import sys
import warnings
from typing import Any, Iterator, List, Tuple

import numpy as np
import scipy.sparse
import scipy.stats
from sklearn.metrics import roc_auc_score

import common
import privatizer
import privgraph as pg

COLUMNS = common.LINES
MAPS = {"gcn": "GCN", "sage": "SAGE", "gat": "GAT", "gatv2": "GATv2", "transformer": "transformer", "graphconv": "GraphConv"}
ALPHAS, THRESHOLDS = (0.0, .25, .5, .75, 1.0), (0.0, .1, .25, .5, 1.0)
STRATEGIES = {"GP-t": "threshold", "GP-m": "most-similar"}
Lists = Tuple[np.ndarray, np.ndarray]


class Users:
    """A set, a split, and what users reported about features and labels."""

    def __init__(self, graph: Any, features: Any, truth: np.ndarray, seed: int) -> None:
        held = (features.to_scipy() if hasattr(features, "to_scipy") else features).tocsr()
        held = scipy.sparse.csr_matrix((held.data, held.indices, held.indptr), held.shape)  # columns are public here
        self.graph, self.truth, self.seed, self.columns = graph, truth, seed, held.shape[1]
        self.classes, self.part = int(truth.max()) + 1, common.parts_of(truth, seed)
        asked = pg.Query("features", columns=self.columns, sparse=True, epsilon=3.0, allow_seeded=True)
        self.told = asked.draw(held, rng=pg.Rng.seeded(100 + seed))
        labels = pg.Query("labels", classes=self.classes, epsilon=3.0, allow_seeded=True)
        self.answers = labels.draw(pg.Labels.from_array(truth), rng=pg.Rng.seeded(200 + seed))
        self.transition = pg.estimate_transition(labels)

    def lists(self, title: str, epsilon: float, alpha: float = .5, delta: float = 0.0) -> Lists:
        if title == "two-hop response":
            return privatizer.two_hops(self.graph, epsilon, np.random.default_rng(self.seed))
        if title == "true lists":
            return privatizer.arcs_of(self.graph)
        if title == "no lists":
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        if title == "subsets":
            plan = pg.Query("subset", epsilon=epsilon, allow_seeded=True)
            return privatizer.lists_of(plan.draw(self.graph, rng=pg.Rng.seeded(self.seed)))
        plan = pg.Query("graphprivatizer", strategy=STRATEGIES[title], alpha=alpha, threshold=delta, epsilon=epsilon,
                        allow_seeded=True)
        return privatizer.lists_of(plan.draw(self.graph, features=self.told.features, open="features",
                                             rng=pg.Rng.seeded(self.seed)))

    def learn(self, lists: Lists, name: str, hops: int = 16, **settings: Any) -> np.ndarray:
        joined = pg.Graph.from_edges(np.stack(lists), order=self.graph.order, merge=True, drop_loops=True)
        data = pg.Dataset(graph=pg.public(joined), features=self.told, labels=self.answers,
                          split=np.where(self.part == 2, -1, self.part).astype(np.int32))
        text = f"kprop {hops} | {name} 32 selu drop .5 | {name} classes"
        model = pg.Model.train(pg.Network(text, self.columns, self.classes), data, seed=self.seed, decay=1e-3,
                               transition=self.transition, **{"epochs": 60, **settings})
        return np.asarray(model.predict_exact(data))

    def score(self, rows: np.ndarray) -> float:
        return common.percent(rows, self.truth, self.part == 2)

    def attack(self, rows: np.ndarray) -> float:
        rng = np.random.default_rng(self.seed)
        near = self.graph.to_scipy().tocsr()
        edges = np.asarray(self.graph.edges())
        edges = (edges if edges.shape[0] == 2 else edges.T)[:, rng.permutation(edges.size // 2)[:500]]
        pairs = rng.integers(0, self.graph.order, (2, 2000))
        pairs = pairs[:, (pairs[0] != pairs[1]) & (np.asarray(near[pairs[0], pairs[1]]).ravel() == 0)][:, :500]
        x = rows - rows.mean(0)
        x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-12)
        both = np.hstack([edges, pairs])
        return 100 * float(roc_auc_score(np.arange(1000) < 500, (x[both[0]] * x[both[1]]).sum(1)))


def load(data: str, name: str) -> Tuple[Any, Any, np.ndarray]:
    if name != "lastfm10":
        return common.load(os.path.join(data, name))
    graph, features, truth = common.load(os.path.join(data, "lastfm_asia"))
    kept = np.isin(truth, np.argsort(-np.bincount(truth[truth >= 0]))[:10])
    place = np.cumsum(kept) - 1
    edges = np.asarray(graph.edges())
    edges = edges if edges.shape[0] == 2 else edges.T
    edges = edges[:, kept[edges].all(0)]
    classes = np.unique(truth[kept])
    return (pg.Graph.from_edges(place[edges], order=int(kept.sum())), features[kept],
            np.searchsorted(classes, truth[kept]).astype(np.int32))


def of_models(data: str) -> Iterator[common.Line]:
    for seed in range(2):
        held = Users(*load(data, "cora"), seed)
        for name in MAPS:
            for title in ("no lists", "true lists"):
                rows = held.learn(held.lists(title, 0), name)
                yield "accuracy", f"{name}, {title}", 0, seed, held.score(rows)
                yield "attack", f"{name}, {title}", 0, seed, held.attack(rows)
            for epsilon in (.1, 8.0):
                for title in ("GP-t", "GP-m", "two-hop response", "subsets"):
                    rows = held.learn(held.lists(title, epsilon), name)
                    yield "accuracy", f"{name}, {title}", epsilon, seed, held.score(rows)
                    yield "attack", f"{name}, {title}", epsilon, seed, held.attack(rows)


def of_maps(data: str) -> Iterator[common.Line]:
    for name in ("cora", "lastfm10"):
        held = Users(*load(data, name), 0)
        real = privatizer.arcs_of(held.graph)
        for title in STRATEGIES:
            for alpha in ALPHAS:
                for delta in THRESHOLDS:
                    kept, _ = privatizer.shares(held.graph.order, real, *held.lists(title, .1, alpha, delta))
                    yield f"{name} {title} published", f"{alpha:g}", delta, 0, 100 * kept
    held = Users(*load(data, "cora"), 0)
    for alpha in (0.0, .5, 1.0):
        for delta in (0.0, .25, 1.0):
            for title in STRATEGIES:
                rows = held.learn(held.lists(title, .1, alpha, delta), "gcn")
                yield f"cora {title} accuracy", f"{alpha:g}", delta, 0, held.score(rows)
                yield f"cora {title} attack", f"{alpha:g}", delta, 0, held.attack(rows)


def of_networks(data: str) -> Iterator[common.Line]:
    """Figures 3 to 7 and 10 to 15: nine cells of each map, by network. GCN's stand in "maps"."""
    held = Users(*load(data, "cora"), 0)
    cells = [(alpha, delta) for alpha in (0.0, .5, 1.0) for delta in (0.0, .25, 1.0)]
    drawn = {(title, *cell): held.lists(title, .1, *cell) for title in STRATEGIES for cell in cells}
    for name in MAPS:
        if name == "gcn":
            continue
        for (title, alpha, delta), lists in drawn.items():
            rows = held.learn(lists, name)
            yield f"{name} {title} accuracy", f"{alpha:g}", delta, 0, held.score(rows)
            yield f"{name} {title} attack", f"{alpha:g}", delta, 0, held.attack(rows)


CHOICES = ((0.0, 0.0), (.5, 0.0), (.5, .5), (1.0, 1.0))


def of_budgets(data: str) -> Iterator[common.Line]:
    """Table 3: the share of true edges that somebody publishes, by epsilon."""
    held = Users(*load(data, "cora"), 0)
    real = privatizer.arcs_of(held.graph)
    for title in STRATEGIES:
        for epsilon in (.1, 1.0, 2.0, 8.0):
            for alpha, delta in CHOICES:
                kept, _ = privatizer.shares(held.graph.order, real, *held.lists(title, epsilon, alpha, delta))
                yield "cora", f"{title}, alpha {alpha:g}, delta {delta:g}", epsilon, 0, 100 * kept


def of_sets(data: str) -> Iterator[common.Line]:
    """Tables 6 and 10 to 12, 100 epochs without early stopping and 4 hops: 16 on PubMed, as the paper, keep this network at the largest
    class. Two-hop lists of Photo and Facebook have millions of entries and are left out."""
    for name, hops in (("pubmed", 4), ("photo", 4), ("facebook_pages", 4)):
        held = Users(*load(data, name), 0)
        real = privatizer.arcs_of(held.graph)
        for title in ("no lists", "GP-t", "GP-m", "subsets", "true lists") + (("two-hop response",) if name == "pubmed" else ()):
            lists = held.lists(title, .1)
            rows = held.learn(lists, "gcn", hops, epochs=100, patience=-1)
            yield name, f"{title}, accuracy", .1, 0, held.score(rows)
            yield name, f"{title}, attack", .1, 0, held.attack(rows)
            yield name, f"{title}, published", .1, 0, 100 * privatizer.shares(held.graph.order, real, *lists)[0] \
                if len(lists[0]) else 0.0


def most_similar(held: Users, epsilon: float, metric: str) -> Lists:
    """Algorithms 1 to 3 with alpha 0, delta 0: each entry u of a list is kept with chance e^eps / (1 + e^eps), else replaced by the
    neighbour of u most similar to u, told by reported features; without another neighbour it stays."""
    x = held.told.features.to_scipy().tocsr().astype(float)
    near = held.graph.to_scipy().tocsr()
    lengths = np.sqrt(np.asarray(x.multiply(x).sum(1)).ravel())
    lengths = np.where(lengths > 0, lengths, 1)
    best = np.arange(held.graph.order)
    for u in range(held.graph.order):
        others = near.indices[near.indptr[u]:near.indptr[u + 1]]
        if len(others):
            products = np.asarray((x[others] @ x[u].T).todense()).ravel()
            likeness = products / lengths[others] if metric == "cosine" else 2 * products - lengths[others] ** 2
            best[u] = others[int(likeness.argmax())]
    owner, entry = privatizer.arcs_of(held.graph)
    kept = np.random.default_rng(held.seed).random(len(owner)) < np.exp(epsilon) / (1 + np.exp(epsilon))
    return owner, np.where(kept, entry, best[entry])


def of_metric(data: str) -> Iterator[common.Line]:
    for seed in range(3):
        held = Users(*load(data, "cora"), seed)
        real = privatizer.arcs_of(held.graph)
        for metric in ("cosine", "euclid"):
            lists = most_similar(held, .1, metric)
            rows = held.learn(lists, "gcn")
            yield "cora", f"{metric}, accuracy", .1, seed, held.score(rows)
            yield "cora", f"{metric}, attack", .1, seed, held.attack(rows)
            yield "cora", f"{metric}, published", .1, seed, 100 * privatizer.shares(held.graph.order, real, *lists)[0]


def of_lastfm(data: str) -> Iterator[common.Line]:
    held = Users(*load(data, "lastfm10"), 0)
    real = privatizer.arcs_of(held.graph)
    yield "lastfm10", "nodes", 0, 0, held.graph.order
    yield "lastfm10", "edges", 0, 0, len(real[0]) / 2
    for title in ("no lists", "GP-t", "GP-m", "two-hop response", "subsets", "true lists"):
        lists = held.lists(title, .1)
        rows = held.learn(lists, "gcn")
        yield "lastfm10", f"{title}, accuracy", .1, 0, held.score(rows)
        yield "lastfm10", f"{title}, attack", .1, 0, held.attack(rows)
        yield "lastfm10", f"{title}, published", .1, 0, 100 * privatizer.shares(held.graph.order, real, *lists)[0] \
            if len(lists[0]) else 0.0


PARTS: common.Parts = {"models": of_models, "maps": of_maps, "metric": of_metric, "lastfm": of_lastfm,
                       "networks": of_networks, "sets": of_sets, "budgets": of_budgets}


def wilcoxon(found: common.Results, measure: str, title: str) -> Tuple[float, float, int]:
    """(mean difference to the two-hop response, P of the signed rank test, pairs), over networks, epsilons and draws."""
    gaps: List[float] = []
    for (part, what, row, x), values in found.items():
        if part == "models" and what == measure and row.endswith(f", {title}"):
            other = found.get(("models", measure, row.replace(title, "two-hop response"), x), [])
            gaps += [a - b for a, b in zip(values, other)]
    if len(gaps) < 3:
        return float("nan"), float("nan"), len(gaps)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few pairs, and ties: P is then approximate
        return float(np.mean(gaps)), float(scipy.stats.wilcoxon(gaps).pvalue), len(gaps)


def report(found: common.Results) -> str:
    titles = ["GP-t", "GP-m", "two-hop response", "subsets"]
    out: List[str] = []
    for measure in ("accuracy", "attack"):
        columns = [(f"{t} .1", f"{t}, .1") for t in titles] + [(f"{t} 8.0", f"{t}, 8") for t in titles] + [
            ("true lists 0.0", "true lists"), ("no lists 0.0", "no lists")]
        out += common.grid(found, "models", f"Cora, {measure}", columns, list(MAPS.items()),
                    lambda c, row: (measure, f"{row}, {c.rsplit(' ', 1)[0]}", {".1": "0.1"}.get(c.rsplit(' ', 1)[1],
                                                                                              c.rsplit(' ', 1)[1])))
    out += ["| Table 1, Cora | accuracy - two-hop response | P | attack - two-hop response | P | pairs |", "|---|---|---|---|---|---|"]
    for title in ("GP-t", "GP-m", "subsets"):
        (gain, p, count), (leak, q, _) = (wilcoxon(found, measure, title) for measure in ("accuracy", "attack"))
        out.append(f"| {title} | {gain:.1f} | {p:.3f} | {leak:.1f} | {q:.3f} | {count} |")
    out.append("")
    deltas = [(str(d), f"delta {d:g}") for d in THRESHOLDS]
    for name in ("cora", "lastfm10"):
        for title in STRATEGIES:
            for what in ("published", "accuracy", "attack"):
                rows = common.grid(found, "maps", f"{name}, {title}, {what}, alpha", deltas, [(f"{a:g}", f"{a:g}") for a in ALPHAS],
                            lambda c, row: (f"{name} {title} {what}", row, c))
                out += rows if len(rows) > 3 else []
    out += common.grid(found, "metric", "Table 5, Cora, GP-m, GCN", [("cosine", "cosine"), ("euclid", "Euclidean")],
                [(w, w) for w in ("accuracy", "attack", "published")], lambda c, row: ("cora", f"{c}, {row}", "0.1"))
    out += common.grid(found, "lastfm", "LastFM, ten classes, GCN, .1", [(w, w) for w in ("accuracy", "attack", "published")],
                [(t, t) for t in ("no lists", *titles, "true lists")], lambda c, row: ("lastfm10", f"{row}, {c}", "0.1"))
    out += common.grid(found, "budgets", "Cora, true edges published, percent", [(str(e), f"epsilon {e:g}") for e in (.1, 1.0, 2.0, 8.0)],
                common.plain([f"{t}, alpha {a:g}, delta {d:g}" for t in STRATEGIES for a, d in CHOICES]), lambda c, row: ("cora", row, c))
    named = [("pubmed", "PubMed"), ("photo", "Photo"), ("facebook_pages", "Facebook")]
    for what in ("accuracy", "attack", "published"):
        out += common.grid(found, "sets", f"GCN, .1, {what}", named, [(t, t) for t in ("no lists", *titles, "true lists")],
                    lambda c, row: (c, f"{row}, {what}", "0.1"))
    cells = [(f"{a:g} {d}", f"{a:g}, {d:g}") for a in (0.0, .5, 1.0) for d in (0.0, .25, 1.0)]
    both = {(("networks", *key[1:]) if key[0] == "maps" and key[1].startswith("cora ") else key): value for key, value in found.items()}
    for title in STRATEGIES:
        for what in ("accuracy", "attack"):
            out += common.grid(both, "networks", f"Cora, {title}, .1, {what}, alpha, delta", cells, list(MAPS.items()), lambda c, row: (
                f"{'cora' if row == 'gcn' else row} {title} {what}", *c.split()))
    return "\n".join(out)


def main() -> int:
    common.study_of_parts(__doc__, "privatizer_tables", PARTS, report, ["cora"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
