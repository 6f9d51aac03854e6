#!/usr/bin/env python3
"""Classes of nodes from private edges with a strong encoder: every recipe beside the others.

    encoder.py [--quick] [--data FOLDER] [--sets NAME,...] [--splits N] [--out CSV]
    encoder.py --report CSV [--figure SVG]      Markdown table on stdout, figure of one set

Edges are private, features and labels of learning nodes public. Half of the nodes learn, a quarter chooses (early
stopping, temperatures, strength), a quarter is tested. All recipes share one encoder, the same labels and the same
split; settings were fixed on splits 8000 and 8001 (Cora, Photo; the
encoder of Photo by validation nodes), and the seeds from SEEDS on were first used for the
table: test labels were looked at once per cell, and choose nothing. Rows: "no edges" is the encoder, "no noise" the
recipe on exact numbers, and GCN a network on the exact graph; the last two must not be published. Noise comes from a
secure generator, so a single release has its guarantee; the study as a whole has not.
"""
import argparse
import csv
import gzip
import os
import sys
import time
from typing import Any, Dict, Iterator, List, Optional, Tuple

import numpy as np
import scipy.sparse

import privgraph as pg

SKIPPED = 77  # how Meson wants to be told
SEEDS = 7720000
EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
BOTH = (1.0, 4.0)  # where the rivals run too
DELTA = 1e-6
EXACT = 60.0  # stands for "no noise" in the CSV
SETS = {"cora": ("Cora", 10), "facebook100_wisconsin87": ("Facebook100 Wisconsin", 5), "lastfm_asia": ("LastFM", 5),
        "photo": ("Photo", 5), "pubmed": ("PubMed", 4), "facebook_pages": ("Facebook pages", 4)}
GOALS = {"cora": (78.4, 85.6), "pubmed": (87.1, 88.2), "photo": (93.8, 94.5), "facebook_pages": (91.6, 93.4),
         "facebook100_wisconsin87": (82.1, 83.7), "lastfm_asia": (53.7, 77.0)}
ROWS = {"tallies": "**tallies**", "sums": "GAP, same encoder and labels", "gap": "GAP, its own head",
        "response": "randomised response, unbiased sums"}
RESPONSE_NODES = 3000  # a released graph has n^2 / 2 / (1 + e^epsilon) edges
LARGE = 10000  # nodes: fewer cells are measured


class Split:
    """One split of one set, and what the encoder says."""

    def __init__(self, graph: Any, features: Any, truth: np.ndarray, seed: int) -> None:
        self.graph, self.features, self.truth = graph, features, truth
        order = np.random.default_rng(seed).permutation(graph.order)
        self.part = np.zeros(graph.order, np.int32)
        self.part[order[graph.order // 2:]] = 1
        self.part[order[graph.order // 2 + graph.order // 4:]] = 2
        self.part[truth < 0] = -1
        self.labels = np.where(self.part == 0, truth, -1).astype(np.int32)
        self.checks = np.where(self.part == 1, truth, -1).astype(np.int32)
        self.tested = self.part == 2
        self.prior = pg.encode(features, self.labels, checks=self.checks)

    def accuracy(self, probabilities: np.ndarray) -> float:
        return 100 * float((probabilities.argmax(1) == self.truth)[self.tested].mean())

    def recipe(self, name: str, epsilon: float) -> float:
        settings = {"recipe": name, "prior": self.prior, "checks": self.checks, "hops": 2 if name == "gap" else 0}
        if epsilon == EXACT:
            return self.accuracy(pg.learn_nodes_exact(self.graph, self.labels, **settings))
        delta = DELTA if name in ("sums", "gap") else 0.0
        return self.accuracy(pg.learn_nodes(self.graph, self.labels, epsilon, delta=delta, **settings).probabilities)

    def gcn(self) -> float:
        """A network on the exact graph: not private."""
        data = pg.Dataset(graph=pg.private(self.graph), features=pg.public(self.features),
                          labels=pg.public(self.truth.astype(np.int32)), split=self.part)
        network = pg.Network("drop .5 | gcn 64 relu | drop .5 | gcn classes", self.features.shape[1],
                             int(self.truth.max()) + 1)
        return self.accuracy(pg.Model.train(network, data, seed=1, select="accuracy").predict_exact(data))


def measure(split: Split, quick: bool) -> Iterator[Tuple[str, float, float]]:
    """(row, epsilon, accuracy); epsilon 0 where no edge is looked at."""
    yield "features", 0.0, split.accuracy(split.prior)
    large = split.graph.order > LARGE
    for epsilon in (BOTH if quick or large else EPSILONS) + (EXACT,):
        yield "tallies", epsilon, split.recipe("tallies", epsilon)
    for epsilon in BOTH + (EXACT,):
        yield "sums", epsilon, split.recipe("sums", epsilon)
        if not large:
            yield "gap", epsilon, split.recipe("gap", epsilon)
        if split.graph.order <= RESPONSE_NODES:
            yield "response", epsilon, split.recipe("response", epsilon)
    if not quick:
        yield "gcn", EXACT, split.gcn()


def load(folder: str) -> Tuple[Any, Any, np.ndarray]:
    """Graph, features, classes. LastFM has the artists of some users only; the others have none."""
    partial = os.path.join(folder, "features_partial.txt.gz")
    graph, features, labels = pg.read_folder(folder, features=not os.path.exists(partial))[:3]
    if os.path.exists(partial):
        with gzip.open(partial, "rt") as stream:
            rows = [np.array(line.split(), dtype=np.int32) for line in stream if not line.startswith("#")]
        offsets = np.zeros(graph.order + 1, np.int64)
        offsets[1:len(rows) + 1] = np.cumsum([len(row) for row in rows])
        offsets[len(rows) + 1:] = offsets[len(rows)]
        indices = np.concatenate(rows)
        features = scipy.sparse.csr_matrix((np.ones(len(indices)), indices, offsets),
                                           (graph.order, int(indices.max()) + 1))
    return graph, features, np.asarray(labels.values)


def finished(path: Optional[str]) -> set:
    """(set, seed) that a file has all rows of."""
    if not path or not os.path.exists(path):
        return set()
    with open(path, newline="") as stream:
        return {(line["set"], int(line["seed"])) for line in csv.DictReader(stream) if line["row"] == "gcn"}


def run(arguments: argparse.Namespace) -> int:
    wanted = arguments.sets.split(",") if arguments.sets else list(SETS)
    if arguments.quick:
        wanted = ["cora"]
    present = [name for name in wanted if os.path.isdir(os.path.join(arguments.data, name))]
    if not present:
        print(f"no data in {arguments.data}: nothing measured")
        return SKIPPED
    fresh = not os.path.exists(arguments.out) if arguments.out else True
    done = finished(arguments.out)
    stream = open(arguments.out, "a", newline="") if arguments.out else sys.stdout
    writer = csv.writer(stream)
    if fresh:
        writer.writerow(["set", "row", "epsilon", "seed", "accuracy"])
    for index in range(1 if arguments.quick else max(SETS[name][1] for name in present)):
        for name in present:  # a split of each, so that all sets grow together
            if index >= (arguments.splits or SETS[name][1]):
                continue
            start, seed = time.time(), SEEDS + index
            if (name, seed) in done:
                continue
            split = Split(*load(os.path.join(arguments.data, name)), seed)
            for row, epsilon, accuracy in measure(split, arguments.quick):
                writer.writerow([name, row, epsilon, seed, f"{accuracy:.3f}"])
                stream.flush()
            print(f"{name} {seed}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


# --- report ---------------------------------------------------------------------------

Results = Dict[Tuple[str, str, float], List[float]]


def read(path: str) -> Results:
    found: Results = {}
    with open(path, newline="") as stream:
        for line in csv.DictReader(stream):
            found.setdefault((line["set"], line["row"], float(line["epsilon"])), []).append(float(line["accuracy"]))
    return found


def half_width(values: List[float]) -> float:
    """Of the 95 % interval of the mean."""
    students = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
    return float(students.get(len(values), 2.1) * np.std(values, ddof=1) / np.sqrt(len(values)))


def cell(values: Optional[List[float]]) -> str:
    if not values:
        return ""
    return f"{np.mean(values):.1f}" + (f" ± {half_width(values):.1f}" if len(values) > 1 else "")


def table(found: Results) -> str:
    lines = ["| set (splits), no edges | row | " + " | ".join(f"{e:g}" for e in EPSILONS) + " | no noise | goal at 1 / 4 |",
             "|---|---|" + "---|" * (len(EPSILONS) + 2)]
    for name, (title, _) in SETS.items():
        plain = found.get((name, "features", 0.0))
        if not plain:
            continue
        head = f"| {title} ({len(plain)}), {cell(plain)} "
        for row, words in ROWS.items():
            cells = [cell(found.get((name, row, e))) for e in EPSILONS + (EXACT,)]
            if any(cells):
                goal = "{:.1f} / {:.1f}".format(*GOALS[name]) if row == "tallies" else ""
                lines.append(head + f"| {words} | " + " | ".join(cells) + f" | {goal} |")
                head = "| "
        lines.append(f"| | GCN on the exact graph |{' |' * len(EPSILONS)} {cell(found.get((name, 'gcn', EXACT)))} | |")
    return "\n".join(lines)


def figure(found: Results, name: str) -> str:
    """Accuracy over epsilon as SVG, drawn by hand so that nothing is needed for it."""
    left, right, top, bottom = 64, 560, 30, 290
    shown = [np.mean(values) for (which, row, _), values in found.items() if which == name and row != "gap"]
    low, high = np.floor(min(shown) / 5) * 5, np.ceil(max(shown) / 5) * 5

    def across(epsilon: float) -> float:
        return left + (right - left) * (np.log2(epsilon) + 1) / 4

    def down(accuracy: float) -> float:
        return bottom - (bottom - top) * (accuracy - low) / (high - low)

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 340" font-family="sans-serif" font-size="13">',
             '<rect width="780" height="340" fill="white"/>']
    for tick in np.arange(low, high + 1, 5):
        parts.append(f'<line x1="{left}" x2="{right}" y1="{down(tick):.1f}" y2="{down(tick):.1f}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{down(tick) + 4:.1f}" text-anchor="end">{tick:.0f} %</text>')
    for epsilon in EPSILONS:
        parts.append(f'<text x="{across(epsilon):.1f}" y="{bottom + 20}" text-anchor="middle">{epsilon:g}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 40}" text-anchor="middle">'
                 "epsilon, for any single edge</text>")
    parts.append(f'<text x="{left}" y="18">{SETS[name][0]}: right class of test nodes, edges private</text>')
    lines = [("tallies", "tallies", "#c0392b", EPSILONS, ""), ("sums", "message passing (GAP)", "#2471a3", BOTH, ""),
             ("features", "no edges", "#555", None, "6 4"), ("gcn", "GCN, not private", "#27ae60", None, "2 3")]
    labels = []
    for row, words, colour, epsilons, dash in lines:
        flat = found.get((name, row, 0.0 if row == "features" else EXACT))
        pairs = [(e, found.get((name, row, e)) if epsilons else flat) for e in epsilons or EPSILONS]
        if not all(values for _, values in pairs):
            continue
        points = [(across(e), down(float(np.mean(values or [0])))) for e, values in pairs]
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}" points="'
                     + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>')
        if not dash:
            parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in points]
        labels.append([points[-1][1] + 4, words, colour])
    labels.sort()
    for before, after in zip(labels, labels[1:]):  # words must not lie on each other
        after[0] = max(after[0], before[0] + 16)
    parts += [f'<text x="{right + 10}" y="{y:.1f}" fill="{colour}">{words}</text>' for y, words, colour in labels]
    return "\n".join(parts + ["</svg>"]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--quick", action="store_true", help="one split of Cora")
    parser.add_argument("--data", default=os.path.join(root, "..", "..", "shared", "data"))
    parser.add_argument("--sets")
    parser.add_argument("--splits", type=int, default=0)
    parser.add_argument("--out", help="CSV to append to; default: standard output")
    parser.add_argument("--report", help="CSV to read")
    parser.add_argument("--figure", help="SVG to write")
    parser.add_argument("--shown", default="cora", help="set of the figure")
    arguments = parser.parse_args()
    if not arguments.report:
        return run(arguments)
    found = read(arguments.report)
    print(table(found))
    if arguments.figure:
        with open(arguments.figure, "w") as stream:
            stream.write(figure(found, arguments.shown))
    return 0


if __name__ == "__main__":
    sys.exit(main())
