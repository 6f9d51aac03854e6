#!/usr/bin/env python3
"""A released graph and what to read from it: unbiased sums over randomised response beside Gaussian sums.

    released.py [--data FOLDER] [--splits N] [--out CSV]
    released.py --report CSV [--figure SVG]      Markdown table on stdout, figure

Cora, edges private, one encoder and the same labels for all rows. "unbiased sums": every pair answers by randomised response
(pure epsilon), and (B m - f (sum of all m - m)) / (1 - 2 f) is read by a network, f = 1 / (1 + e^epsilon). "plain GCN": the
same kind of released graph as if it were the true one. "Gaussian sums": delta 1e-6. Edge histograms: pure epsilon.
The notes expect randomised response to be ahead of Gaussian sums where n f (1-f) / (1-2f)^2 < 2 c / mu^2: from epsilon 5.5 on
for n = 2708 and c = 7. Edge histograms are ahead of both at any epsilon.
"""
import argparse
import os
import sys
import time
from typing import Any

import numpy as np

import common
import privgraph as pg
from common import cell

SEEDS, DELTA = 7770000, 1e-6
EPSILONS = (4.0, 6.0, 8.0)
COLUMNS = ["row", "epsilon", "seed", "accuracy"]
ROWS = {"response": "unbiased sums of randomised response", "sums": "Gaussian sums", "plain": "plain GCN on the released graph",
        "histogram": "histogram"}
NOTES = {"response": (78.2, 82.0, 85.6), "sums": (80.2, 81.0, 82.9), "plain": (None, 70.2, 85.0)}


def plain_gcn(graph: Any, unit: Any, truth: np.ndarray, part: np.ndarray, epsilon: float) -> float:
    """The released graph is public: any network, no further price."""
    released = pg.Query("response", epsilon=epsilon).draw(graph)
    return common.train_exact("gcn", released.graph, unit, truth, part)[1]


def run(arguments: argparse.Namespace) -> int:
    if not common.present(arguments.data, ["cora"]):
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    graph, features, truth = common.load(os.path.join(arguments.data, "cora"))
    unit, table = common.unit_rows(features), common.Table(arguments.out, COLUMNS)
    for seed in range(SEEDS, SEEDS + arguments.splits):
        if table.has("features", 0.0, seed):
            continue
        part, start = common.parts_of(truth, seed), time.time()
        labels, checks = (np.where(part == which, truth, -1).astype(np.int32) for which in (0, 1))
        prior = pg.encode(features, labels, checks=checks)
        for epsilon in EPSILONS:
            for row in ("response", "sums", "histogram"):
                made = pg.learn_nodes(graph, labels, epsilon, delta=DELTA if row == "sums" else 0.0, method=row, prior=prior,
                                      checks=checks)
                table.add(row, epsilon, seed, common.percent(made.probabilities, truth, part == 2))
            table.add("plain", epsilon, seed, plain_gcn(graph, unit, truth, part, epsilon))
        table.add("features", 0.0, seed, common.percent(prior, truth, part == 2))
        print(f"{seed}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def report(found: common.Results) -> str:
    plain = found["features", 0.0]
    lines = [f"| Cora ({len(plain)} splits), no edges {cell(plain)} | " + " | ".join(f"{e:g}" for e in EPSILONS) + " |",
             "|---|" + "---|" * len(EPSILONS)]
    for row, words in ROWS.items():
        lines.append(f"| {words} | " + " | ".join(cell(found.get((row, e))) for e in EPSILONS) + " |")
        if row in NOTES:
            lines.append("| *design notes* | " + " | ".join("" if n is None else f"{n:.1f}" for n in NOTES[row]) + " |")
    return "\n".join(lines)


def figure(found: common.Results, path: str) -> None:
    drawing, panel = common.epsilon_panel("released", EPSILONS, "epsilon, for any single edge",
                                          "Cora: right class of test nodes, %")
    for row, colour in zip(ROWS, ("#27ae60", "#2471a3", "#999999", "#c0392b")):
        panel.plot(EPSILONS, [np.mean(found[row, e]) for e in EPSILONS], "o-", color=colour, label=ROWS[row])
    panel.axhline(np.mean(found["features", 0.0]), color="#555555", linestyle="--", linewidth=1, label="no edges")
    panel.legend(frameon=False)
    drawing.tight_layout()
    common.save(drawing, path)


def main() -> int:
    return common.study(__doc__, "released", COLUMNS, run, report, figure, ("splits", 6))


if __name__ == "__main__":
    sys.exit(main())
