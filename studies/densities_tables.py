#!/usr/bin/env python3
"""Tables 3, 5, 6, 7 and Figures 2b, 3 of the homomorphism-density paper, with noise that holds.

    studies/densities_tables.py [--part NAME] --out studies/results/densities_tables.csv; ... --report

Learners and splits are the paper's (nearest neighbours, a forest, ridge; the official scaffold split); nothing is chosen by
test molecules, nothing is tuned. Trees of the paper's law, three samples, one draw of each; delta 1e-6, one scale of noise
for all coordinates, degrees promised (10, else 6). "released": test rows as a user has them; "exact": as in the paper, which
trains on noisy and tests on exact rows. Area under the curve in percent; MOLLIPO: root mean square error.

width: treewidth 1, 2, 3, a quarter of the patterns of the largest width, MOLHIV (Figure 2b); attack: share of test molecules
whose own exact row is the nearest to the released one among all molecules, or among the ten nearest. epsilon: Figure 3 and
Proposition C.1. features: Table 3. patterns: Table 5. global: Table 6. gin: Table 7, GIN of studies/graph_classes.py on graphs
of randomised response and DPRR, epsilon 1, on the exact graphs, and on graphs without any edge."""
import os
import sys
from typing import Any, Iterator, List, Optional, Tuple

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score

import common
import densities_theory
import graph_classes
import mollipo
import privgraph as pg
import table2

COLUMNS = common.LINES
DELTA, TREES = 1e-6, 50
SAMPLES = 3
DEGREES = {"molhiv": 10, "molbace": 6, "molbbbp": 6, "mollipo": 6}
NEIGHBOURS = {"molhiv": 1000, "molbace": 100}
TITLES = {"molhiv": "MOLHIV", "molbace": "MOLBACE", "molbbbp": "MOLBBBP", "mollipo": "MOLLIPO"}
# Columns of OGB's atoms: number, chirality, degree, charge, hydrogens, radicals, hybridisation, aromatic, in a ring
FREE_OF_BONDS = (0, 3)


class Molecules:
    """A set: graphs, targets, split, and what is known of its atoms."""

    def __init__(self, data: str, name: str) -> None:
        folder = os.path.join(data, name)
        self.name = name
        if name == "mollipo":
            self.graphs, self.owner = mollipo.graphs_of(folder)
            self.target = mollipo.read_column(folder, "graph_attributes")
        else:
            self.graphs = pg.read_graphset(folder)
            self.owner = np.repeat(np.arange(len(self.graphs)), self.graphs.orders)
            self.target = np.asarray(self.graphs.labels)
        self.split = table2.read_numbers(folder, f"{name}_split.txt")
        self.folder = folder

    def atoms(self) -> np.ndarray:
        return np.loadtxt(os.path.join(self.folder, f"{self.name}_node_attributes.txt.gz"), delimiter=",")

    def learn(self, rows: np.ndarray, exact: np.ndarray, seed: int = 0) -> Tuple[float, float]:
        """(released test rows, exact test rows) of a learner that saw released rows."""
        if self.name == "mollipo":
            return mollipo.ridge(rows, self.target, self.split), mixed_ridge(rows, exact, self.target, self.split)
        train, test = self.split == 0, self.split == 2
        if self.name in NEIGHBOURS:
            found = [neighbours(rows[train], self.target[train], part[test], NEIGHBOURS[self.name])
                     for part in (rows, exact)]
        else:
            model = RandomForestClassifier(n_estimators=200, random_state=seed, n_jobs=1).fit(rows[train], self.target[train])
            found = [model.predict_proba(part[test])[:, 1] for part in (rows, exact)]
        return tuple(100 * roc_auc_score(self.target[test], one) for one in found)  # type: ignore[return-value]


def mixed_ridge(rows: np.ndarray, exact: np.ndarray, target: np.ndarray, split: np.ndarray) -> float:
    return mollipo.ridge(np.where((split == 2)[:, None], exact, rows), target, split)


def neighbours(known: np.ndarray, labels: np.ndarray, asked: np.ndarray, count: int) -> np.ndarray:
    """Share of ones among the nearest rows; columns to mean 0 and deviation 1 on the known ones."""
    mean, scale = known.mean(0), known.std(0)
    scale = np.where(scale > 0, scale, 1)
    a, b = ((known - mean) / scale).astype(np.float32), ((asked - mean) / scale).astype(np.float32)
    lengths, found = (a * a).sum(1), []
    for start in range(0, len(b), 256):
        far = lengths - 2 * (b[start:start + 256] @ a.T)
        found.append(labels[np.argpartition(far, count, axis=1)[:, :count]].mean(1))
    return np.concatenate(found)


def found_again(rows: np.ndarray, exact: np.ndarray, asked: np.ndarray) -> Tuple[float, float]:
    """(nearest, among the ten nearest): share of rows whose own exact row is, ties against the attacker."""
    mean = exact.mean(0)
    a, b = exact - mean, rows[asked] - mean
    lengths, first, ten = (a * a).sum(1), 0, 0
    own = np.flatnonzero(asked)
    for start in range(0, len(b), 256):
        far = lengths - 2 * (b[start:start + 256] @ a.T)
        mine = far[np.arange(len(far)), own[start:start + 256]]
        nearer = (far <= mine[:, None]).sum(1) - 1
        first, ten = first + int((nearer == 0).sum()), ten + int((nearer < 10).sum())
    return first / len(b), ten / len(b)


def trees(sample: int, count: int = TREES, width: int = 1) -> Any:
    share = 0.25 if width > 1 else 0.0
    return pg.Sampler(f"reference{width}", order_min=2, wide_share=share).draw(count, pg.Rng.seeded(1000 + sample))


def released(held: Molecules, patterns: Any, epsilon: float, degree: Optional[int] = -1) -> np.ndarray:
    plan = pg.PrivateEmbedding(patterns, max_degree=DEGREES[held.name] if degree == -1 else degree, degrees="promised",
                               epsilon=epsilon, delta=DELTA, allocation="isotropic", scaling="density").fit()
    return np.asarray(plan.release(held.graphs).values)


def of_width(data: str) -> Iterator[common.Line]:
    held = Molecules(data, "molhiv")
    tested = held.split == 2
    for width in (1, 2, 3):
        for sample in range(SAMPLES):
            patterns = trees(sample, width=width)
            exact = pg.Density(patterns).evaluate_exact(held.graphs)
            rows = released(held, patterns, 1.0)
            yield "molhiv", "no noise", width, sample, held.learn(exact, exact)[0]
            for name, value in zip(("released", "exact"), held.learn(rows, exact)):
                yield "molhiv", name, width, sample, value
            for name, value in zip(("attack", "attack, ten"), found_again(rows, exact, tested)):
                yield "molhiv", name, width, sample, 100 * value
            for name, value in zip(("attack, no noise", "attack, ten, no noise"), found_again(exact, exact, tested)):
                yield "molhiv", name, width, sample, 100 * value


def predicted(held: Molecules, exact: np.ndarray, rows: np.ndarray, spread: bool) -> float:
    """Proposition C.1 along the line between the two means of the training part, noise and spread as they are there."""
    train = held.split == 0
    ones, zeros = train & (held.target == 1), train & (held.target == 0)
    way = exact[ones].mean(0) - exact[zeros].mean(0)
    gap = float(np.linalg.norm(way))
    if gap == 0:
        return 50.0
    noise = float(((rows - exact)[train] @ (way / gap)).std())
    inner = np.concatenate([(exact[part] - exact[part].mean(0)) @ (way / gap) for part in (ones, zeros)])
    return 100 * densities_theory.predicted_auc(gap, noise, float(inner.std()) if spread else 0.0)


def of_epsilon(data: str) -> Iterator[common.Line]:
    for name in ("molbace", "molhiv"):
        held = Molecules(data, name)
        for sample in range(SAMPLES if name == "molbace" else 1):
            patterns = trees(sample)
            exact = pg.Density(patterns).evaluate_exact(held.graphs)
            yield name, "released", np.inf, sample, held.learn(exact, exact)[0]
            for epsilon in (.1, 1.0, 4.0, 10.0, 100.0):
                rows = released(held, patterns, epsilon)
                for row, value in zip(("released", "exact"), held.learn(rows, exact)):
                    yield name, row, epsilon, sample, value
                yield name, "attack", epsilon, sample, 100 * found_again(rows, exact, held.split == 2)[0]
                yield name, "predicted", epsilon, sample, predicted(held, exact, rows, False)
                yield name, "predicted, with spread", epsilon, sample, predicted(held, exact, rows, True)


def statistics(values: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """Mean, deviation, median, greatest, least, sum of the atoms' columns of every molecule."""
    cuts = np.searchsorted(owner, np.arange(1, owner[-1] + 1))
    parts = np.split(values, cuts)
    return np.array([np.concatenate([p.mean(0), p.std(0), np.median(p, 0), p.max(0), p.min(0), p.sum(0)]) for p in parts])


def of_features(data: str) -> Iterator[common.Line]:
    for name in ("molbace", "molbbbp", "mollipo", "molhiv"):
        held = Molecules(data, name)
        atoms = held.atoms()
        told = {"all nine": statistics(atoms, held.owner),
                "free of bonds": statistics(atoms[:, FREE_OF_BONDS], held.owner)}
        count = np.asarray(held.graphs.orders, float)[:, None]
        yield name, "node count", 0, 0, held.learn(count, count)[0]
        for words, columns in told.items():
            yield name, f"{words}, features only", 0, 0, held.learn(columns, columns)[0]
        for sample in range(SAMPLES if name != "molhiv" else 1):
            patterns = trees(sample)
            exact = pg.Density(patterns).evaluate_exact(held.graphs)
            rows = released(held, patterns, 1.0)
            for words, columns in told.items():
                both, clean = np.hstack([rows, columns]), np.hstack([exact, columns])
                yield name, f"{words}, 50 trees", 0, sample, held.learn(both, clean, sample)[0]
                yield name, f"{words}, 50 trees, no noise", 0, sample, held.learn(clean, clean, sample)[0]


def edges_from_sums(data: str, name: str) -> Tuple[int, int]:
    """Table 3 calls sums of atoms' columns edge-private. (molecules of the set, those whose number of edges is told exactly by
    the sums of degree and hydrogens.)"""
    held = Molecules(data, name)
    atoms = held.atoms()
    sums = np.zeros(len(held.graphs))
    np.add.at(sums, held.owner, atoms[:, 2] - atoms[:, 4])
    edges = np.array([graph.size for graph in held.graphs])
    return len(edges), int((sums == 2 * edges).sum())


def of_patterns(data: str) -> Iterator[common.Line]:
    for name in ("molbace", "molbbbp", "mollipo", "molhiv"):
        held = Molecules(data, name)
        for sample in range(SAMPLES if name != "molhiv" else 1):
            for count in (10, 20, 30, 40, 50):
                patterns = trees(sample, count)
                exact = pg.Density(patterns).evaluate_exact(held.graphs)
                rows = released(held, patterns, 1.0)
                for row, value in zip(("released", "exact"), held.learn(rows, exact, sample)):
                    yield name, row, count, sample, value


def of_global(data: str) -> Iterator[common.Line]:
    for name in ("molbace", "molbbbp", "mollipo", "molhiv"):
        held = Molecules(data, name)
        for sample in range(SAMPLES if name != "molhiv" else 1):
            patterns = trees(sample)
            exact = pg.Density(patterns).evaluate_exact(held.graphs)
            for words, degree in (("degree bound", -1), ("global", None)):
                rows = released(held, patterns, 1.0, degree)
                for row, value in zip(("released", "exact"), held.learn(rows, exact, sample)):
                    yield name, f"{words}, {row}", 0, sample, value


def of_gin(data: str) -> Iterator[common.Line]:
    for name in ("molbace", "molbbbp"):
        held = Molecules(data, name)
        labels, types = np.asarray(held.graphs.labels), np.array(held.graphs.node_labels)
        fold = (held.split == 0, held.split == 1, held.split == 2)
        empty = pg.GraphSet.from_graphs([pg.Graph.from_edges(np.zeros((2, 0), int), order=int(order))
                                         for order in held.graphs.orders], labels)
        yield name, "no edges", 1, 0, graph_classes.read_by_gin(empty, types, labels, fold)
        yield name, "no noise", 1, 0, graph_classes.read_by_gin(held.graphs, types, labels, fold)
        for seed in range(1):
            for kind in ("response", "dprr"):
                made = pg.Query(kind, epsilon=1.0).draw(held.graphs)
                graphs = made.graphs if hasattr(made, "graphs") else made.graph
                yield name, kind, 1, seed, graph_classes.read_by_gin(graphs, types, labels, fold)


HIV_NEGATIVES, HIV_CHECKS, BINS, EPOCHS = 1500, 1000, 10, 25


def of_gin_large(data: str) -> Iterator[common.Line]:
    """Table 7 on the other two sets, within an hour: fewer epochs; MOLHIV learns from all positive molecules and some negative
    ones and chooses by some, tested are all; MOLLIPO's targets are cut into ten bins of equal size, and the mean of a bin
    weighted by its probability is the answer."""
    for name in ("mollipo", "molhiv"):
        held = Molecules(data, name)
        if name == "mollipo":
            kept = np.arange(len(held.graphs))
            cuts = np.quantile(held.target[held.split == 0], np.arange(1, BINS) / BINS)
            labels = np.searchsorted(cuts, held.target).astype(np.int32)
            types = mollipo.read_column(held.folder, "node_labels").astype(int)
        else:
            rng, labels = np.random.default_rng(0), np.asarray(held.target)
            negatives, checks = ((held.split == 0) & (labels == 0)).nonzero()[0], (held.split == 1).nonzero()[0]
            kept = np.sort(np.concatenate([((held.split == 0) & (labels == 1)).nonzero()[0], (held.split == 2).nonzero()[0],
                                           rng.choice(negatives, HIV_NEGATIVES, False), rng.choice(checks, HIV_CHECKS, False)]))
            types = np.array(held.graphs.node_labels)
        _, types = np.unique(types[np.isin(held.owner, kept)], return_inverse=True)
        labels, split = labels[kept].astype(np.int32), held.split[kept]
        graphs = pg.GraphSet.from_graphs([held.graphs[int(one)] for one in kept], labels)
        fold = (split == 0, split == 1, split == 2)
        empty = pg.GraphSet.from_graphs([pg.Graph.from_edges(np.zeros((2, 0), int), order=int(order)) for order in graphs.orders],
                                        labels)
        for row in ("response", "dprr", "no edges", "no noise"):
            if row in ("response", "dprr"):
                made = pg.Query(row, epsilon=1.0).draw(graphs)
                read = made.graphs if hasattr(made, "graphs") else made.graph
            else:
                read = empty if row == "no edges" else graphs
            rows = graph_classes.rows_by_gin(read, types, labels, fold, EPOCHS)[fold[2]]
            if name == "molhiv":
                yield name, row, 1, 0, 100 * float(roc_auc_score(labels[fold[2]], rows[:, 1]))
            else:
                means = np.array([held.target[(held.split == 0) & (labels == one)].mean() for one in range(BINS)])
                yield name, row, 1, 0, float(np.sqrt(((rows @ means - held.target[fold[2]]) ** 2).mean()))


PARTS: common.Parts = {
    "gin_large": of_gin_large, "width": of_width, "epsilon": of_epsilon, "features": of_features, "patterns": of_patterns, "global": of_global,
    "gin": of_gin}


def text(values: Optional[List[float]]) -> str:
    if not values:
        return ""
    digits = 3 if max(values) < 3 else 1
    return f"{np.mean(values):.{digits}f}" + (f" ± {common.half_width(values):.{digits}f}" if len(values) > 1 else "")


def report(found: common.Results) -> str:
    sets = [(name, TITLES[name]) for name in ("molhiv", "molbbbp", "molbace", "mollipo")]
    out: List[str] = []

    def table(part: str, head: str, columns: common.Words, rows: common.Words, key: Any) -> None:
        out.extend(common.grid(found, part, head, columns, rows, key, text))

    table("width", "MOLHIV, Figure 2b", [(f"{w}.0", f"width {w}") for w in (1, 2, 3)], common.plain(
        ["no noise", "released", "exact", "attack", "attack, ten", "attack, no noise", "attack, ten, no noise"]),
          lambda c, row: ("molhiv", row, c))
    epsilons = [("0.1", "epsilon .1"), ("1.0", "1"), ("4.0", "4"), ("10.0", "10"), ("100.0", "100"), ("inf", "no noise")]
    for name in ("molhiv", "molbace"):
        table("epsilon", f"{TITLES[name]}, Figure 3", epsilons, common.plain(
            ["released", "exact", "attack", "predicted", "predicted, with spread"]), lambda c, row: (name, row, c))
    kinds = ["node count"] + [f"{w}, {r}" for w in ("free of bonds", "all nine")
                              for r in ("features only", "50 trees", "50 trees, no noise")]
    table("features", "columns of atoms, Table 3", sets, common.plain(kinds), lambda c, row: (c, row, "0.0"))
    for row in ("released", "exact"):
        table("patterns", f"Table 5, {row} test rows", sets, [(f"{d}.0", f"d {d}") for d in (10, 20, 30, 40, 50)],
              lambda c, count: (c, row, count))
    table("global", "sensitivity, Table 6", sets, common.plain([f"{w}, {r}" for w in ("degree bound", "global") for r in ("released", "exact")]),
          lambda c, row: (c, row, "0.0"))
    table("gin", "Table 7, GIN", [one for one in sets if one[0] in ("molbbbp", "molbace")],
          [("response", "randomised response"), ("dprr", "DPRR"), ("no edges", "no edges"), ("no noise", "no noise")],
          lambda c, row: (c, row, "1.0"))
    table("gin_large", "Table 7, GIN", [one for one in sets if one[0] in ("molhiv", "mollipo")],
          [("response", "randomised response"), ("dprr", "DPRR"), ("no edges", "no edges"), ("no noise", "no noise")],
          lambda c, row: (c, row, "1.0"))
    return "\n".join(out)


def main() -> int:
    chosen = common.study_of_parts(
        __doc__, "densities_tables", PARTS, report, list(TITLES),
        lambda parser: parser.add_argument("--edges-from-sums", action="store_true", help="show what sums of atoms' columns tell"))
    if chosen:
        for name in TITLES:
            print("%s: of %d molecules the sums tell the number of edges of %d" % (name, *edges_from_sums(chosen.data, name)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
