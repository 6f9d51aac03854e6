#!/usr/bin/env python3
"""Classes of nodes from private features and labels: an MLP trained by DP-SGD, no edge looked at.

    dpsgd.py [--data FOLDER] [--sets NAME,...] [--splits N] [--out CSV]
    dpsgd.py --report CSV [--figure SVG]      Markdown table on stdout, figure

A record is a node with its features and its label, removed or not (delta 1e-5). `dense 32 tanh | dense classes`, 250
steps, 512 records per step on average, clip 1, Adam .01, half of the nodes train, a quarter is tested. There is no
validation: settings are those of the design notes. Rows are scaled to length 1 one by one; Cora's 1433 columns go through
256 public random directions. "No noise" is a plain training of the same 250 steps of the whole batch. "With sums":
learn_hidden_nodes, which adds sums over neighbours under a promised degree bound (the largest degree of the set, taken as
public here) and a head, all within the same epsilon; its "no noise" is learn_hidden_nodes_exact.
"""
import argparse
import os
import sys
import time
from typing import Any, Tuple

import numpy as np

import common
import privgraph as pg
from common import TITLES, cell

SEEDS = 7760000
EPSILONS = (1.0, 2.0, 4.0, 8.0)
EXACT = 60.0  # stands for "no noise" in the CSV
DELTA, STEPS, BATCH, CLIP, DIRECTIONS = 1e-5, 250, 512, 1.0, 256
NETWORK = "dense 32 tanh | dense classes"
SUMS = "+sums"  # after the name of a set: the whole pipeline
SPLITS = {"pubmed": 4, "pubmed+sums": 3, "cora": 4}
NOTES = {"pubmed": (84.0, 85.8, 86.3, 86.4, 86.3), "cora": (31.9, None, 54.4, None, 64.0)}
COLUMNS = ["set", "epsilon", "seed", "accuracy"]


def prepare(folder: str, name: str) -> Tuple[Any, np.ndarray]:
    """Rows of length 1; for Cora after a random map that is public."""
    _, features, truth = common.load(folder)
    unit = common.unit_rows(features)
    if name == "cora":
        public = np.random.default_rng(1).standard_normal((unit.shape[1], DIRECTIONS)) / np.sqrt(DIRECTIONS)
        unit = common.unit_rows(unit @ public)
    return unit, truth


def measure(unit: Any, truth: np.ndarray, part: np.ndarray, epsilon: float) -> float:
    known = np.where(part == 0, truth, -1).astype(np.int32)
    split = np.where(part == 0, 0, -1).astype(np.int32)
    network = pg.Network(NETWORK, unit.shape[1], int(truth.max()) + 1)
    if epsilon == EXACT:
        data = pg.Dataset(features=pg.public(unit), labels=pg.public(known), split=split)
        model = pg.Model.train(network, data, seed=1, epochs=STEPS, decay=-1.0, patience=-1, select="last")
    else:
        data = pg.Dataset(features=pg.private(unit), labels=pg.private(known), split=split)
        query = pg.PrivateTraining(network, int((part == 0).sum()), pg.Target(epsilon, DELTA), steps=STEPS, batch=BATCH,
                                   clip=CLIP, rate=0.01)
        model = query.draw(data).model
    return common.percent(model.predict_exact(data), truth, part == 2)


def measure_sums(graph: Any, features: Any, truth: np.ndarray, part: np.ndarray, epsilon: float) -> float:
    settings = {"features": features, "method": "gap", "max_degree": int(np.bincount(np.concatenate(graph.edges())).max()),
                "classes": int(truth.max()) + 1}
    if epsilon == EXACT:
        rows = pg.learn_hidden_nodes_exact(graph, truth, part, **settings)
    else:
        rows = pg.learn_hidden_nodes(graph, truth, part, epsilon, DELTA, **settings).predict_exact(features)
    return common.percent(rows, truth, part == 2)


def run(arguments: argparse.Namespace) -> int:
    asked = arguments.sets.split(",") if arguments.sets else list(SPLITS)
    wanted = [name for name in asked if common.present(arguments.data, [name.replace(SUMS, "")])]
    if not wanted:
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    table = common.Table(arguments.out, COLUMNS)
    for name in wanted:
        folder = os.path.join(arguments.data, name.replace(SUMS, ""))
        unit, truth = prepare(folder, name)
        graph = common.load(folder)[0]
        for seed in range(SEEDS, SEEDS + (arguments.splits or SPLITS[name])):
            part, start = common.parts_of(truth, seed), time.time()
            for epsilon in EPSILONS + (EXACT,):
                if not table.has(name, epsilon, seed):
                    sums = name.endswith(SUMS)
                    table.add(name, epsilon, seed, measure_sums(graph, unit, truth, part, epsilon) if sums
                              else measure(unit, truth, part, epsilon))
            print(f"{name} {seed}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def report(found: common.Results) -> str:
    lines = ["| set (splits) | " + " | ".join(f"{e:g}" for e in EPSILONS) + " | no noise |",
             "|---|" + "---|" * (len(EPSILONS) + 1)]
    for name in SPLITS:
        if (name, EXACT) not in found:
            continue
        title = TITLES[name.replace(SUMS, "")] + (", with sums" if name.endswith(SUMS) else "")
        lines.append(f"| {title} ({len(found[name, EXACT])}) | "
                     + " | ".join(cell(found.get((name, e))) for e in EPSILONS + (EXACT,)) + " |")
        if name in NOTES:
            lines.append("| *design notes* | " + " | ".join("" if n is None else f"{n:.1f}" for n in NOTES[name]) + " |")
    return "\n".join(lines)


def figure(found: common.Results, path: str) -> None:
    drawing, panel = common.epsilon_panel("dpsgd", EPSILONS, "epsilon for a node with its features and label (dotted: no noise)",
                                          "right class of test nodes, %")
    for name, colour in (("pubmed", "#c0392b"), ("cora", "#2471a3")):
        if (name, EXACT) in found:
            panel.plot(EPSILONS, [np.mean(found[name, e]) for e in EPSILONS], "o-", color=colour, label=TITLES[name])
            panel.axhline(np.mean(found[name, EXACT]), color=colour, linestyle=":", linewidth=1)
    panel.set_xscale("log", base=2)
    panel.set_xticks(EPSILONS, [f"{e:g}" for e in EPSILONS])
    panel.legend(frameon=False)
    drawing.tight_layout()
    common.save(drawing, path)


def main() -> int:
    return common.study(__doc__, "dpsgd", COLUMNS, run, report, figure)


if __name__ == "__main__":
    sys.exit(main())
