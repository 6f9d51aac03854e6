#!/usr/bin/env python3
"""Networks without privacy, for comparison: MLP, GCN, SAGE, GIN, GAT on 50/25/25 splits.

    reference.py [--quick] [--data FOLDER] [--sets NAME,...] [--networks NAME,...] [--splits N] [--out CSV]
    reference.py --check NAME [--splits N] [--out CSV]    the same in NumPy, written independently
    reference.py --report CSV                             Markdown tables on stdout

Rows of length 1, `drop .5 | X 64 relu | drop .5 | X classes`, Adam .01, decay 5e-4, at most 200 epochs, best validation
accuracy of every fifth. Labels of test nodes are not in the data of the trainer. --check trains MLP and GCN with
nothing of the library but its reader: same splits, own initial weights, dropout, gradients and Adam; beside the right
trainer one that stops after 60 epochs, and one whose dropout does not rescale what it leaves.
"""
import argparse
import os
import sys
import time
from typing import Any, Iterator, Tuple

import numpy as np
import scipy.sparse

import common
from common import NAMES, TITLES

SEEDS = 7750000
COLUMNS = ["set", "network", "seed", "accuracy"]
SPLITS = {"cora": 10, "pubmed": 10, "photo": 10, "facebook_pages": 10}
CHECKS = {"numpy": "as above", "numpy-60": "60 epochs", "numpy-plain": "dropout does not rescale"}
# of an earlier throw-away program: mean, standard deviation, splits
NOTES = {"cora": {"mlp": (75.8, 1.5, 10), "gcn": (87.8, 1.5, 10), "sage": (88.1, 1.5, 10), "gin": (85.8, 1.4, 10),
                  "gat": (88.2, 1.5, 10)},
         "pubmed": {"mlp": (86.6, .3, 4), "gcn": (87.1, .6, 5)}, "photo": {"mlp": (89.5, .7, 5), "gcn": (92.1, .5, 6)},
         "facebook_pages": {"mlp": (89.2, .2, 4), "gcn": (93.3, .2, 5)}}


# --- an independent trainer -----------------------------------------------------------

class Plain:
    """Two layers, by hand: softmax(A drop(relu(A drop(X) W + b)) V + c); A is the identity for an MLP."""

    def __init__(self, x: Any, spread: Any, truth: np.ndarray, part: np.ndarray, seed: int, rescale: bool) -> None:
        self.rng = np.random.default_rng(seed)
        self.x, self.spread, self.rescale = scipy.sparse.csr_matrix(x, dtype=np.float32), spread, rescale
        self.truth, self.part, self.classes = truth, part, int(truth.max()) + 1
        shapes = ((self.x.shape[1], 64), (1, 64), (64, self.classes), (1, self.classes))
        self.weights = [self.start(*shape) for shape in shapes]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]

    def start(self, rows: int, columns: int) -> np.ndarray:
        if rows == 1:
            return np.zeros((1, columns), np.float32)
        bound = np.sqrt(6 / (rows + columns))
        return self.rng.uniform(-bound, bound, (rows, columns)).astype(np.float32)

    def keep(self, shape: Any) -> np.ndarray:
        """Dropout of one half."""
        return (self.rng.random(shape, dtype=np.float32) < 0.5) * np.float32(2.0 if self.rescale else 1.0)

    def pass_on(self, values: np.ndarray) -> np.ndarray:
        return values if self.spread is None else self.spread @ values

    def predict(self) -> np.ndarray:
        w, b, v, c = self.weights
        return self.pass_on(np.maximum(self.pass_on(self.x @ w) + b, 0) @ v) + c

    def step(self, time_step: int) -> None:
        w, b, v, c = self.weights
        dropped = self.x.copy()
        dropped.data = dropped.data * self.keep(len(dropped.data))
        before = self.pass_on(dropped @ w) + b
        mask = self.keep(before.shape)
        hidden = np.maximum(before, 0) * mask
        logits = self.pass_on(hidden @ v) + c
        learns = np.flatnonzero(self.part == 0)
        slopes = np.zeros_like(logits)
        chances = np.exp(logits[learns] - logits[learns].max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        chances[np.arange(len(learns)), self.truth[learns]] -= 1
        slopes[learns] = chances / len(learns)
        back = self.pass_on(slopes)  # the operator is symmetric
        inner = (back @ v.T) * mask * (before > 0)
        gradients = (dropped.T @ self.pass_on(inner), inner.sum(0, keepdims=True), hidden.T @ back,
                     slopes.sum(0, keepdims=True))
        for weight, gradient, moments in zip(self.weights, gradients, self.moments):
            gradient = gradient + 5e-4 * weight
            moments[0] += 0.1 * (gradient - moments[0])
            moments[1] += 0.001 * (gradient * gradient - moments[1])
            weight -= 0.01 * (moments[0] / (1 - 0.9 ** time_step)) / (
                np.sqrt(moments[1] / (1 - 0.999 ** time_step)) + 1e-8)

    def train(self, epochs: int) -> float:
        """Test accuracy of the weights with the best validation accuracy."""
        best, tested = -1.0, 0.0
        for epoch in range(1, epochs + 1):
            self.step(epoch)
            if epoch % 5 == 0:
                rows = self.predict()
                chosen = common.percent(rows, self.truth, self.part == 1)
                if chosen > best:
                    best, tested = chosen, common.percent(rows, self.truth, self.part == 2)
        return tested


def spread_of(graph: Any) -> Any:
    """D^-1/2 (A + I) D^-1/2."""
    edges = np.stack(graph.edges(), 1)
    pairs = np.concatenate([edges, edges[:, ::-1], np.repeat(np.arange(graph.order)[:, None], 2, 1)])
    matrix = scipy.sparse.csr_matrix((np.ones(len(pairs), np.float32), (pairs[:, 0], pairs[:, 1])),
                                     (graph.order, graph.order))
    scale = scipy.sparse.diags((1 / np.sqrt(np.asarray(matrix.sum(1)).ravel())).astype(np.float32))
    return scipy.sparse.csr_matrix(scale @ matrix @ scale)


def check(graph: Any, unit: Any, truth: np.ndarray, part: np.ndarray, seed: int) -> Iterator[Tuple[str, float]]:
    for network, spread in (("mlp", None), ("gcn", spread_of(graph))):
        for variant in CHECKS:
            plain = Plain(unit, spread, truth, part, seed, variant != "numpy-plain")
            yield f"{network} {variant}", plain.train(60 if variant == "numpy-60" else 200)


# --- the study --------------------------------------------------------------------------

def run(arguments: argparse.Namespace) -> int:
    wanted = [arguments.check] if arguments.check else arguments.sets.split(",") if arguments.sets else list(SPLITS)
    wanted = common.present(arguments.data, ["cora"] if arguments.quick else wanted)
    if not wanted:
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    networks = arguments.networks.split(",") if arguments.networks else list(NAMES)
    table = common.Table(arguments.out, COLUMNS)
    for name in wanted:
        graph, features, truth = common.load(os.path.join(arguments.data, name))
        unit = common.unit_rows(features)
        for seed in range(SEEDS, SEEDS + (arguments.splits or (2 if arguments.check else SPLITS[name]))):
            part, start = common.parts_of(truth, seed), time.time()
            if arguments.check:
                if not table.has(name, "gcn numpy-plain", seed):
                    for network, tested in check(graph, unit, truth, part, seed):
                        table.add(name, network, seed, tested)
            else:
                for network in networks:
                    if not table.has(name, network, seed):
                        table.add(name, network, seed, common.train_exact(network, graph, unit, truth, part)[1])
            print(f"{name} {seed}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def spread_text(values: Any) -> str:
    return f"{np.mean(values):.1f} ({np.std(values, ddof=1):.1f}; {len(values)})" if len(values) > 1 else f"{values[0]:.1f}"


def report(found: common.Results) -> str:
    lines = ["| set | " + " | ".join(NAMES.values()) + " |", "|---|" + "---|" * len(NAMES)]
    for name in SPLITS:
        lines.append(f"| {TITLES[name]} | " + " | ".join(
            spread_text(found[name, network]) if (name, network) in found else "" for network in NAMES) + " |")
        notes = NOTES[name]
        lines.append("| *design notes* | " + " | ".join(
            "{:.1f} ({:.1f}; {})".format(*notes[network]) if network in notes else "" for network in NAMES) + " |")
    checked = sorted({name for name, network in found if "numpy" in network})
    if checked:
        lines += ["", "| set, independent trainer | " + " | ".join(f"MLP, {words} | GCN, {words}" for words in CHECKS.values())
                  + " |", "|---|" + "---|" * (2 * len(CHECKS))]
        for name in checked:
            lines.append(f"| {TITLES[name]} | " + " | ".join(
                spread_text(found[name, f"{network} {variant}"]) for variant in CHECKS for network in ("mlp", "gcn")) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="Cora only")
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--sets")
    parser.add_argument("--networks")
    parser.add_argument("--check", help="set of the independent trainer")
    parser.add_argument("--splits", type=int, default=0)
    parser.add_argument("--out", default="reference.csv", help="CSV to append to")
    parser.add_argument("--report", help="CSV to read")
    arguments = parser.parse_args()
    if not arguments.report:
        return run(arguments)
    print(report(common.read(arguments.report, COLUMNS)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
