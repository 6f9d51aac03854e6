#!/usr/bin/env python3
"""Classes of nodes from private edges: histogram beside message passing with the same learner and labels.

    histograms.py [--quick] [--data FOLDER] [--sets NAME,...] [--splits N] [--out CSV]
    histograms.py --report CSV --figure SVG      Markdown table on stdout, figure of one set

Edges are private, features and labels of learning nodes public. Half of the nodes learn, a quarter chooses
among settings (penalties, strength), a quarter is tested; test labels choose nothing. Every method gets the
same weak encoder, 64 directions of the features and a logistic regression, whose class probabilities are
the row "features only". Noise comes from a secure generator, so a single release has its guarantee; the study
as a whole has not, as it releases the same graphs again and again. Seeds of the splits start at SEEDS and were
not used while the method was made. Without the data it says so and stops.
"""
import argparse
import csv
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

import privgraph as pg

SKIPPED = 77  # how Meson wants to be told
SEEDS = 7710000
EPSILONS = (0.5, 1.0, 2.0, 4.0)
DELTA = 1e-6
COLUMNS = 64
NO_NOISE = 60.0  # a count is wrong with a chance of e^-60
SETS = {"cora": ("Cora", 10), "pubmed": ("PubMed", 4), "photo": ("Photo", 5), "facebook_pages": ("Facebook pages", 5),
        "facebook100_wisconsin87": ("Facebook100 Wisconsin", 3), "lastfm_asia": ("LastFM, no features", 3)}
PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)
METHODS = {"features": "features only", "gap": "GAP, same learner", "gap-labels": "GAP, labels as messages",
           "hop-l1": "one hop with L1 noise, labels", "histogram": "**histogram**"}


class Task:
    """One split of one set: what every method may look at."""

    def __init__(self, graph: Any, x: Optional[np.ndarray], classes: np.ndarray, seed: int,
                 penalties: Tuple[float, ...] = PENALTIES) -> None:
        self.penalties = penalties
        self.graph, self.truth, self.order = graph, classes, graph.order
        order = np.random.default_rng(seed).permutation(self.order)
        part = np.zeros(self.order, int)
        part[order[self.order // 2:]] = 1
        part[order[self.order // 2 + self.order // 4:]] = 2
        part[classes < 0] = 3
        self.labels = np.where(part == 0, classes, -1).astype(np.int32)
        self.checks = np.where(part == 1, classes, -1).astype(np.int32)
        self.tested = part == 2
        self.count = int(classes.max()) + 1
        self.prior = self.shares() if x is None else self.learn(x)
        self.has_features = x is not None

    def shares(self) -> np.ndarray:
        counts = np.bincount(self.labels[self.labels >= 0], minlength=self.count) + 1.0
        return np.tile(counts / counts.sum(), (self.order, 1))

    def learn(self, x: np.ndarray) -> np.ndarray:
        """Class probabilities of a logistic regression; its penalty is chosen by validation."""
        best, score = None, -1.0
        for penalty in self.penalties:
            model = pg.Logistic(x, self.labels, classes=self.count, penalty=penalty, tolerance=3e-4, rounds=200)
            probabilities = model.predict(x)
            right = (probabilities.argmax(1) == self.checks)[self.checks >= 0].mean()
            if right > score:
                best, score = probabilities, right
        assert best is not None
        return best

    def accuracy(self, probabilities: np.ndarray) -> float:
        return 100 * float((probabilities.argmax(1) == self.truth)[self.tested].mean())

    def messages(self, with_labels: bool) -> np.ndarray:
        """What nodes send: class probabilities, or the label where it is known."""
        rows = self.prior.copy()
        if with_labels:
            known = self.labels >= 0
            rows[known] = np.eye(self.count)[self.labels[known]]
        return rows

    def read_out(self, received: np.ndarray) -> np.ndarray:
        """The learner of message passing: logistic regression on (ln p, what was received)."""
        columns = [received]
        if self.has_features:
            columns.insert(0, np.log(self.prior + 1e-6))
        x = np.hstack(columns)
        x = (x - x.mean(0)) / (x.std(0) + 1e-12)
        return self.learn(x)


def gap(task: Task, epsilon: float, with_labels: bool) -> np.ndarray:
    """One hop of sums, rows of length 1, Gaussian noise (aggregation perturbation)."""
    rows = task.messages(with_labels)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    layers = pg.Layers("sum", 1)
    if epsilon == NO_NOISE:
        return task.read_out(pg.propagate_exact(layers, task.graph, rows))
    propagator = pg.Query("message-passing", layers=layers, order=task.order, columns=task.count, method="output",
                          epsilon=epsilon, delta=DELTA)
    return task.read_out(propagator.draw(task.graph, features=rows, open="features").values)


def hop_l1(task: Task, epsilon: float) -> np.ndarray:
    """One hop, both ways, rows in the L1 ball, discrete Laplace noise on a grid: pure epsilon."""
    statistic = pg.Query("edge-histogram", order=task.order, weights=task.messages(True), cells="both-ways",
                         epsilon=epsilon)
    return task.read_out(statistic.draw(task.graph).values)


def histogram(task: Task, epsilon: float) -> np.ndarray:
    return pg.classify(task.graph, task.labels, epsilon, prior=task.prior, checks=task.checks).probabilities


def measure(task: Task) -> Iterator[Tuple[str, float, float]]:
    """(method, epsilon, accuracy); epsilon 0 where no edge is looked at."""
    yield "features", 0.0, task.accuracy(task.prior)
    for epsilon in EPSILONS + (NO_NOISE,):
        yield "histogram", epsilon, task.accuracy(histogram(task, epsilon))
        if task.has_features:
            yield "gap", epsilon, task.accuracy(gap(task, epsilon, False))
        if epsilon in (1.0, 2.0, NO_NOISE):
            yield "gap-labels", epsilon, task.accuracy(gap(task, epsilon, True))
        if epsilon in (1.0, 2.0):
            yield "hop-l1", epsilon, task.accuracy(hop_l1(task, epsilon))


def quick(data: str) -> int:
    """One split of Cora and the rows that tell most: is the order of methods that of the table, with room?"""
    if not os.path.isdir(os.path.join(data, "cora")):
        print(f"no data in {data}: nothing measured")
        return SKIPPED
    graph, features, labels = pg.read_folder(os.path.join(data, "cora"), features=True)[:3]
    task = Task(graph, pg.directions(features, COLUMNS) * np.sqrt(COLUMNS), np.asarray(labels.values), 8000,
                penalties=(3.0, 30.0))
    plain = task.accuracy(task.prior)
    counted, exact = (task.accuracy(histogram(task, epsilon)) for epsilon in (4.0, NO_NOISE))
    passed, passed_exact = (task.accuracy(gap(task, epsilon, True)) for epsilon in (4.0, NO_NOISE))
    print(f"Cora, features only: {plain:.1f}; histogram at epsilon 4: {counted:.1f}, without noise {exact:.1f}; "
          f"GAP with labels: {passed:.1f}, without noise {passed_exact:.1f}")
    ordered = plain + 5 < counted and passed < counted and plain + 4 < passed_exact
    return 0 if 63 < plain and ordered and exact < 95 else 1


def run(arguments: argparse.Namespace) -> int:
    wanted = arguments.sets.split(",") if arguments.sets else list(SETS)
    present = [name for name in wanted if os.path.isdir(os.path.join(arguments.data, name))]
    if not present:
        print(f"no data in {arguments.data}: nothing measured")
        return SKIPPED
    fresh = not os.path.exists(arguments.out) if arguments.out else True
    stream = open(arguments.out, "a", newline="") if arguments.out else sys.stdout
    writer = csv.writer(stream)
    if fresh:
        writer.writerow(["set", "method", "epsilon", "seed", "accuracy"])
    for name in present:
        featureless = name == "lastfm_asia"
        folder = pg.read_folder(os.path.join(arguments.data, name), features=not featureless)
        graph, features, labels = folder[:3]
        x = None if featureless else pg.directions(features, COLUMNS) * np.sqrt(COLUMNS)
        splits = arguments.splits or SETS[name][1]
        for split in range(splits):
            seed = SEEDS + split
            task = Task(graph, x, np.asarray(labels.values), seed)
            for method, epsilon, accuracy in measure(task):
                writer.writerow([name, method, epsilon, seed, f"{accuracy:.3f}"])
                stream.flush()
    return 0


# --- report ---------------------------------------------------------------------------

Results = Dict[Tuple[str, str, float], List[float]]


def read(path: str) -> Results:
    found: Results = {}
    with open(path, newline="") as stream:
        for row in csv.DictReader(stream):
            found.setdefault((row["set"], row["method"], float(row["epsilon"])), []).append(float(row["accuracy"]))
    return found


def cell(values: Optional[List[float]]) -> str:
    if not values:
        return ""
    if len(values) < 2:
        return f"{values[0]:.1f}"
    students = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
    half = students.get(len(values), 2.1) * np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):.1f} ± {half:.1f}"


def table(found: Results) -> str:
    lines = ["| set (splits) | method | " + " | ".join(f"{e:g}" for e in EPSILONS) + " | no noise |",
             "|---|---|" + "---|" * (len(EPSILONS) + 1)]
    for name, (title, _) in SETS.items():
        splits = len(found.get((name, "features", 0.0), []))
        if not splits:
            continue
        plain = cell(found[name, "features", 0.0])
        lines.append(f"| {title} ({splits}) | features only: {plain} |" + " |" * (len(EPSILONS) + 1))
        for method, words in METHODS.items():
            cells = [cell(found.get((name, method, e))) for e in EPSILONS + (NO_NOISE,)]
            if method != "features" and any(cells):
                lines.append(f"| | {words} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def figure(found: Results, name: str) -> str:
    """Accuracy over epsilon as SVG, drawn by hand so that nothing is needed for it."""
    left, right, top, bottom = 64, 560, 30, 290
    shown = [np.mean(found[key]) for key in found if key[0] == name]
    low, high = np.floor(min(shown) / 5) * 5, np.ceil(max(shown) / 5) * 5

    def across(epsilon: float) -> float:
        return left + (right - left) * (np.log2(epsilon) + 1) / 3

    def down(accuracy: float) -> float:
        return bottom - (bottom - top) * (accuracy - low) / (high - low)

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 340" font-family="sans-serif" font-size="13">',
             '<rect width="760" height="340" fill="white"/>']
    for tick in np.arange(low, high + 1, 5):
        parts.append(f'<line x1="{left}" x2="{right}" y1="{down(tick):.1f}" y2="{down(tick):.1f}" stroke="#ddd"/>'
                     f'<text x="{left - 8}" y="{down(tick) + 4:.1f}" text-anchor="end">{tick:.0f} %</text>')
    for epsilon in EPSILONS:
        parts.append(f'<text x="{across(epsilon):.1f}" y="{bottom + 20}" text-anchor="middle">{epsilon:g}</text>')
    parts.append(f'<text x="{(left + right) / 2}" y="{bottom + 40}" text-anchor="middle">'
                 "epsilon, for any single edge</text>")
    parts.append(f'<text x="{left}" y="18">{SETS[name][0]}: right class of test nodes, edges private</text>')
    flat: Callable[[str, float], Any] = lambda method, e: found.get((name, method, e))
    exact = flat("histogram", NO_NOISE)
    lines = [("histogram", "histogram", "#c0392b", [flat("histogram", e) for e in EPSILONS], ""),
             ("gap", "message passing (GAP)", "#2471a3", [flat("gap", e) for e in EPSILONS], ""),
             ("features", "features only", "#555", [flat("features", 0.0)] * len(EPSILONS), "6 4"),
             ("exact", "no noise", "#27ae60", [exact] * len(EPSILONS), "2 3")]
    labels = []
    for _, words, colour, values, dash in lines:
        if not all(values):
            continue
        points = [(across(e), down(np.mean(v))) for e, v in zip(EPSILONS, values)]
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
    parser.add_argument("--shown", default="facebook_pages", help="set of the figure")
    arguments = parser.parse_args()
    if arguments.quick:
        return quick(arguments.data)
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
