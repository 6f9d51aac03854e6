#!/usr/bin/env python3
"""Table 2's fourth set, MOLLIPO: regression by ridge, RMSE on the official scaffold split, epsilon 1, delta 1e-6.
Rows as in studies/table2.py; the penalty is chosen by validation molecules; test rows are released ones.

    studies/mollipo.py --out studies/results/mollipo.csv; studies/mollipo.py --report"""
import argparse
import csv
import gzip
import os
import sys
from typing import Any, Dict, Iterator, List

import numpy as np

import common
import privgraph as pg

COLUMNS = ["row", "sample", "draw", "rmse"]
EPSILON, DELTA, TREES = 1.0, 1e-6, 50


def read_column(folder: str, name: str) -> np.ndarray:
    with gzip.open(os.path.join(folder, f"mollipo_{name}.txt.gz"), "rt") as stream:
        return np.loadtxt(stream, ndmin=1)


def graphs_of(folder: str) -> Any:
    owner = read_column(folder, "graph_indicator").astype(np.int64) - 1
    with gzip.open(os.path.join(folder, "mollipo_A.txt.gz"), "rt") as stream:
        arcs = np.loadtxt(stream, delimiter=",", dtype=np.int64) - 1
    arcs = arcs[arcs[:, 0] < arcs[:, 1]]
    first = np.searchsorted(owner, np.arange(owner[-1] + 2))
    which = owner[arcs[:, 0]]
    order = np.argsort(which, kind="stable")
    cuts = np.searchsorted(which[order], np.arange(owner[-1] + 2))
    graphs = [pg.Graph.from_edges(arcs[order[cuts[g]:cuts[g + 1]]].T - first[g], order=int(first[g + 1] - first[g]))
              for g in range(owner[-1] + 1)]
    return pg.GraphSet.from_graphs(graphs, [0] * len(graphs)), owner


def ridge(rows: np.ndarray, target: np.ndarray, split: np.ndarray) -> float:
    """Root mean square error on test rows; penalty by validation rows. Columns are standardised on training rows."""
    train, check, test = (split == part for part in (0, 1, 2))
    mean, scale = rows[train].mean(0), rows[train].std(0)
    x = (rows - mean) / np.where(scale > 0, scale, 1)
    centre = target[train].mean()
    best = (np.inf, np.inf)
    for penalty in 10.0 ** np.arange(-2, 7):
        inner = x[train].T @ x[train] + penalty * np.eye(x.shape[1])
        weights = np.linalg.solve(inner, x[train].T @ (target[train] - centre))
        errors = target - centre - x @ weights
        best = min(best, (float(np.sqrt((errors[check] ** 2).mean())), float(np.sqrt((errors[test] ** 2).mean()))))
    return best[1]


def measure(data: str, samples: int, draws: int) -> Iterator[Dict[str, Any]]:
    folder = os.path.join(data, "mollipo")
    graphs, owner = graphs_of(folder)
    target, split = read_column(folder, "graph_attributes"), read_column(folder, "split").astype(int)
    labels = read_column(folder, "node_labels").astype(int)
    count = np.asarray(graphs.orders, float)[:, None]
    types = np.zeros((len(graphs), labels.max() + 1))
    np.add.at(types, (owner, labels), 1)
    types = types[:, types.any(0)]
    flat = float(np.sqrt(((target[split == 2] - target[split == 0].mean()) ** 2).mean()))
    for name, value in (("mean of the training part", flat), ("node count alone (public)", ridge(count, target, split)),
                        ("node count and types (public)", ridge(np.hstack([count, types]), target, split))):
        yield dict(zip(COLUMNS, (name, 0, 0, f"{value:.5f}")))
    for sample in range(samples):
        patterns = pg.Sampler("reference1", order_min=2).draw(TREES, pg.Rng.seeded(sample))
        exact = pg.Density(patterns).evaluate_exact(graphs)
        yield dict(zip(COLUMNS, ("50 trees, EXACT", sample, 0, f"{ridge(exact, target, split):.5f}")))
        yield dict(zip(COLUMNS, ("50 trees, node count and types, EXACT", sample, 0,
                                 f"{ridge(np.hstack([exact, count, types]), target, split):.5f}")))
        for draw in range(draws):
            for allocation, name in (("isotropic", "50 trees"), ("optimal", "50 trees, node count")):
                plan = pg.PrivateEmbedding(patterns, max_degree=6, degrees="promised", epsilon=EPSILON, delta=DELTA,
                                           allocation=allocation, scaling="density").fit()
                rows = np.asarray(plan.release(graphs).values)
                if allocation == "optimal":
                    rows = np.hstack([rows, count])
                    both = np.hstack([rows, types])
                    yield dict(zip(COLUMNS, ("50 trees, node count and types", sample, draw,
                                             f"{ridge(both, target, split):.5f}")))
                yield dict(zip(COLUMNS, (name, sample, draw, f"{ridge(rows, target, split):.5f}")))


def read(path: str) -> List[Dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def report(rows: List[Dict[str, str]]) -> str:
    out = ["| MOLLIPO | RMSE, released test rows |", "|---|---|"]
    for name in dict.fromkeys(one["row"] for one in rows):
        found = [float(one["rmse"]) for one in rows if one["row"] == name]
        spread = f" ({np.std(found):.3f})" if len(found) > 1 else ""
        out.append(f"| {name} | {np.mean(found):.3f}{spread} |")
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--out")
    parser.add_argument("--report", nargs="?", const=os.path.join(common.HERE, "results", "mollipo.csv"))
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--draws", type=int, default=3)
    chosen = parser.parse_args()
    if chosen.report:
        print(report(read(chosen.report)), end="")
        return 0
    if not common.present(chosen.data, ["mollipo"]):
        print("no data", file=sys.stderr)
        return common.SKIPPED
    with open(chosen.out, "w", newline="", encoding="utf-8") if chosen.out else sys.stdout as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for line in measure(chosen.data, chosen.samples, chosen.draws):
            print(line, file=sys.stderr)
            writer.writerow(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
