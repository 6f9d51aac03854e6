#!/usr/bin/env python3
"""GraphPrivatizer and its two-hop baseline as published: what share of the true edges they publish, and what a network
makes of it. Nothing here is private: the epsilon of the columns is the paper's, and its proof fails.

    studies/privatizer.py --out studies/results/privatizer.csv; studies/privatizer.py --report"""
import argparse
import csv
import os
import sys
from typing import Any, Dict, List, Tuple

import numpy as np
import scipy.sparse

import common
import privgraph as pg

COLUMNS = ["set", "method", "alpha", "delta", "epsilon", "seed", "kept", "true", "accuracy"]
METHODS: List[Tuple[str, str, float, float]] = [
    ("GP-t", "threshold", .5, 0.0), ("GP-m", "most-similar", .5, 0.0), ("GP-t", "threshold", 0.0, 0.0),
    ("GP-t", "threshold", 0.0, 1.0)]
FEATURE_EPSILON = LABEL_EPSILON = 3.0


def arcs_of(graph: Any) -> Tuple[np.ndarray, np.ndarray]:
    ends = np.asarray(graph.edges())
    ends = ends if ends.shape[0] == 2 else ends.T
    both = np.concatenate([ends, ends[::-1]], axis=1)
    order = np.argsort(both[0], kind="stable")
    return both[0][order], both[1][order]


def shares(order: int, truth: Tuple[np.ndarray, np.ndarray], owner: np.ndarray, entry: np.ndarray
           ) -> Tuple[float, float]:
    """(share of true edges that one of their ends publishes, share of published entries that are true)."""
    real = set((truth[0] * order + truth[1]).tolist())
    told = set((owner * order + entry).tolist())
    found = {(min(divmod(arc, order)), max(divmod(arc, order))) for arc in real & told}
    return 2 * len(found) / len(real), len(real & told) / max(1, len(told))


def two_hops(graph: Any, epsilon: float, rng: np.random.Generator) -> Tuple[np.ndarray, np.ndarray]:
    """The baseline: randomised response on the bits of the nodes within two hops of each user."""
    near = (graph.to_scipy() > 0).astype(np.int64).tocsr()
    reach = ((near + near @ near) > 0).astype(np.int64).tolil()
    reach.setdiag(0)
    owner, entry = reach.tocsr().nonzero()
    flip = 1 / (1 + np.exp(epsilon))
    bit = np.asarray(near[owner, entry]).ravel() > 0
    answer = bit ^ (rng.random(len(bit)) < flip)
    return owner[answer].astype(np.int64), entry[answer].astype(np.int64)


def accuracy(graph: Any, unit: Any, truth: np.ndarray, part: np.ndarray, owner: np.ndarray, entry: np.ndarray,
             seed: int) -> float:
    """Of the network of `learn_users` on these lists, features and labels reported at epsilon 3."""
    joined = pg.Graph.from_edges(np.stack([owner, entry]), order=graph.order, merge=True, drop_loops=True)
    found = pg.learn_users(joined, truth, part, features=unit, feature_epsilon=FEATURE_EPSILON,
                            label_epsilon=LABEL_EPSILON, classes=int(truth.max()) + 1, rng=pg.Rng.seeded(seed), allow_seeded=True)
    return common.percent(found.probabilities, truth, part == 2)


def lists_of(release: Any) -> Tuple[np.ndarray, np.ndarray]:
    offsets, targets = release.lists[:2]
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return owner.astype(np.int64), np.asarray(targets, np.int64)


def measure(name: str, data: str, epsilons: List[float], seeds: int, learn: bool) -> List[Dict[str, Any]]:
    graph, features, truth = common.load(os.path.join(data, name))
    held = (features.to_scipy() if hasattr(features, "to_scipy") else features).tocsr()
    unit = scipy.sparse.csr_matrix((held.data, held.indices, held.indptr), held.shape)  # columns are public here
    reports = pg.Query("features", columns=unit.shape[1], sparse=True, epsilon=FEATURE_EPSILON, allow_seeded=True)
    rows = []
    real = arcs_of(graph)
    for seed in range(seeds):
        part = common.parts_of(truth, seed)
        told = reports.draw(unit, rng=pg.Rng.seeded(100 + seed)).features
        for epsilon in epsilons:
            for title, strategy, alpha, delta in METHODS:
                plan = pg.Query("graphprivatizer", strategy=strategy, alpha=alpha, threshold=delta, epsilon=epsilon,
                                allow_seeded=True)
                owner, entry = lists_of(plan.draw(graph, features=told, open="features", rng=pg.Rng.seeded(seed)))
                rows.append(row(name, title, alpha, delta, epsilon, seed, graph, real, owner, entry,
                                accuracy(graph, unit, truth, part, owner, entry, seed) if learn else float("nan")))
            owner, entry = two_hops(graph, epsilon, np.random.default_rng(seed))
            rows.append(row(name, "two-hop response", 0, 0, epsilon, seed, graph, real, owner, entry,
                            accuracy(graph, unit, truth, part, owner, entry, seed) if learn else float("nan")))
    return rows


def row(name: str, title: str, alpha: float, delta: float, epsilon: float, seed: int, graph: Any,
        real: Tuple[np.ndarray, np.ndarray], owner: np.ndarray, entry: np.ndarray, right: float) -> Dict[str, Any]:
    kept, true = shares(graph.order, real, owner, entry)
    print(name, title, alpha, delta, epsilon, seed, f"{kept:.4f} {true:.4f} {right:.1f}", file=sys.stderr)
    return dict(zip(COLUMNS, (name, title, alpha, delta, epsilon, seed, f"{kept:.5f}", f"{true:.5f}", f"{right:.2f}")))


def read(path: str) -> List[Dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def report(rows: List[Dict[str, str]]) -> str:
    """One table for each set."""
    out = []
    for name in dict.fromkeys(one["set"] for one in rows):
        mine = [one for one in rows if one["set"] == name]
        out += [f"{common.TITLES.get(name, name)}: published as if at this epsilon; mean of "
                f"{len({one['seed'] for one in mine})} draws", "",
                "| method | alpha | delta | epsilon | true edges published | true entries | accuracy |",
                "|---|---|---|---|---|---|---|"]
        for key in dict.fromkeys(tuple(one[c] for c in COLUMNS[1:5]) for one in mine):
            same = [one for one in mine if tuple(one[c] for c in COLUMNS[1:5]) == key]
            kept, true, right = (np.mean([float(one[c]) for one in same]) for c in COLUMNS[6:])
            out.append(f"| {key[0]} | {float(key[1]):g} | {float(key[2]):g} | {float(key[3]):g} | {100 * kept:.1f} % |"
                       f" {100 * true:.1f} % | {'' if np.isnan(right) else f'{right:.1f}'} |")
        out.append("")
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--out")
    parser.add_argument("--report", nargs="?", const=os.path.join(common.HERE, "results", "privatizer.csv"))
    parser.add_argument("--sets", nargs="+", default=["cora"])
    parser.add_argument("--epsilon", nargs="+", type=float, default=[.1, 1])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--no-accuracy", action="store_true")
    chosen = parser.parse_args()
    if chosen.report:
        print(report(read(chosen.report)), end="")
        return 0
    found = common.present(chosen.data, chosen.sets)
    if not found:
        print("no data", file=sys.stderr)
        return common.SKIPPED
    rows = [one for name in found for one in measure(name, chosen.data, chosen.epsilon, chosen.seeds,
                                                     not chosen.no_accuracy)]
    with open(chosen.out, "w", newline="", encoding="utf-8") if chosen.out else sys.stdout as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
