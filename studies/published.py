#!/usr/bin/env python3
"""Tables of CARIBOU and GraphPrivatizer, measured again with mechanisms whose guarantee holds, beside what was published.

    published.py [--quick] [--part caribou|users] [--data FOLDER] [--sets NAME,...] [--splits N] [--out CSV]
    published.py --report CSV [--figure SVG]      Markdown tables on stdout, figure of Cora

caribou: edges hidden, curator trusted (Table 3 of the paper). Rows: contractive layers with noise inside (pcmp, 1 and 4
layers), GAP's head, sums with labels, tallies; one encoder for all. Splits are 50/25/25; the paper learns on 10 %.
users: nobody trusted (Tables 8 to 12). Features and labels by epsilon 3 each, lists of neighbours by subsets of the same
size at the epsilon of the column, or public; with features, without (labels and lists alone), and with Drop. GraphPrivatizer's
own noise promises nothing (docs/guarantees.md, L3), so it is not run here; its figures are those of the paper.
"""
import argparse
import csv
import os
import sys
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

import privgraph as pg

SKIPPED = 77  # how Meson wants to be told
SEEDS = 7730000
DELTA = 1e-6
PUBLIC = 0.0  # epsilon of lists that everyone sees
EPSILONS = {"caribou": (1.0, 2.0, 4.0, 8.0), "users": (1.0, 2.0, 8.0, PUBLIC)}
SETS = {"cora": "Cora", "pubmed": "PubMed", "photo": "Photo"}
COLUMNS = {"cora": 1433, "pubmed": 500, "photo": 745}  # of the features, public: never read off private ones
ROWS = {"caribou": (("pcmp-1", "contractive, 1 layer"), ("pcmp-4", "contractive, 4 layers"), ("gap-2", "GAP's head, 2 hops"),
                    ("sums", "sums, labels sent"), ("tallies", "tallies (pure epsilon)")),
        "users": (("network", "with features"), ("drop", "with features and Drop"), ("without", "labels and lists alone"))}
# accuracy in percent as printed; users: GCN, GP-t and its baseline, epsilon 1, 2, 8, infinity, lists kept nearly as they are
PUBLISHED = {
    ("caribou", "cora"): (("CARIBOU, published", (85.1, 86.9, 87.3, 88.4)), ("GAP, published", (77.1, 77.5, 77.1, 79.0))),
    ("caribou", "pubmed"): (("CARIBOU, published", (88.2, 89.1, 89.5, 89.8)), ("GAP, published", (87.4, 87.5, 87.4, 88.1))),
    ("caribou", "photo"): (("CARIBOU, published", (95.8, 95.9, 95.9, 96.0)), ("GAP, published", (93.0, 93.4, 93.0, 94.6))),
    ("users", "cora"): (("GraphPrivatizer (GP-t, GCN), published", (86.5, 86.5, 86.6, 86.5)),
                        ("its baseline, published", (84.2, 84.5, 86.4, 86.5))),
}


def split_of(truth: np.ndarray, seed: int) -> np.ndarray:
    """0: learns, 1: chooses, 2: is tested."""
    order = np.random.default_rng(seed).permutation(len(truth))
    part = np.zeros(len(truth), np.int32)
    part[order[len(truth) // 2:]] = 1
    part[order[len(truth) // 2 + len(truth) // 4:]] = 2
    return part


def caribou(graph: Any, features: Any, truth: np.ndarray, part: np.ndarray) -> Iterator[Tuple[str, float, np.ndarray]]:
    labels = np.where(part == 0, truth, -1).astype(np.int32)
    checks = np.where(part == 1, truth, -1).astype(np.int32)
    prior = pg.encode(features, labels, checks=checks)
    yield "features", 0.0, prior
    for epsilon in EPSILONS["caribou"]:
        for row, _ in ROWS["caribou"]:
            recipe, _, hops = row.partition("-")
            delta = 0.0 if recipe == "tallies" else DELTA
            yield row, epsilon, pg.learn_nodes(graph, labels, epsilon, delta=delta, recipe=recipe, prior=prior,
                                               checks=checks, hops=int(hops or 0)).probabilities


def users(graph: Any, features: Any, truth: np.ndarray, part: np.ndarray) -> Iterator[Tuple[str, float, np.ndarray]]:
    for epsilon in EPSILONS["users"]:
        for row, rounds in (("network", 0), ("drop", 2)):
            made = pg.learn_users(graph, truth, part, features=features, list_epsilon=epsilon, feature_epsilon=3.0,
                                  label_epsilon=3.0, target_rounds=rounds)
            yield row, epsilon, made.probabilities
            if row == "network":
                yield "without", epsilon, made.without


def run(arguments: argparse.Namespace) -> int:
    wanted = ["cora"] if arguments.quick else arguments.sets.split(",")
    parts = [arguments.part] if arguments.part else list(ROWS)
    present = [name for name in wanted if os.path.isdir(os.path.join(arguments.data, name))]
    if not present:
        print(f"no data in {arguments.data}: nothing measured")
        return SKIPPED
    fresh = not os.path.exists(arguments.out) if arguments.out else True
    stream = open(arguments.out, "a", newline="") if arguments.out else sys.stdout
    writer = csv.writer(stream)
    if fresh:
        writer.writerow(["part", "set", "row", "epsilon", "seed", "accuracy"])
    for name in present:
        graph, features, labels = pg.read_folder(os.path.join(arguments.data, name), features=True,
                                                feature_columns=COLUMNS[name])[:3]
        truth = np.asarray(labels.values).astype(np.int32)
        for index in range(1 if arguments.quick else arguments.splits):
            part = split_of(truth, SEEDS + index)
            for what in parts:
                for row, epsilon, rows in (caribou if what == "caribou" else users)(graph, features, truth, part):
                    accuracy = 100 * (rows.argmax(1) == truth)[part == 2].mean()
                    writer.writerow([what, name, row, epsilon, SEEDS + index, f"{accuracy:.3f}"])
                    stream.flush()
    return 0


Results = Dict[Tuple[str, str, str, float], List[float]]


def read(path: str) -> Results:
    found: Results = {}
    with open(path, newline="") as stream:
        for line in csv.DictReader(stream):
            key = line["part"], line["set"], line["row"], float(line["epsilon"])
            found.setdefault(key, []).append(float(line["accuracy"]))
    return found


def mean(values: List[float]) -> str:
    return f"{np.mean(values):.1f}" if values else ""


def tables(found: Results) -> str:
    lines: List[str] = []
    for what, epsilons in EPSILONS.items():
        for name in sorted({key[1] for key in found if key[0] == what}):
            count = max(len(values) for key, values in found.items() if key[:2] == (what, name))
            lines += ["", f"{SETS[name]}, {what} ({count} splits)", "",
                      "| row | " + " | ".join("public lists" if e == PUBLIC else f"{e:g}" for e in epsilons) + " |",
                      "|---|" + "---|" * len(epsilons)]
            plain = found.get((what, name, "features", 0.0))
            if plain:
                lines.append(f"| no edges | {mean(plain)} |" + " |" * (len(epsilons) - 1))
            for row, words in ROWS[what]:
                lines.append(f"| {words} | " + " | ".join(mean(found.get((what, name, row, e), [])) for e in epsilons)
                             + " |")
            for words, numbers in PUBLISHED.get((what, name), ()):
                lines.append(f"| *{words}* | " + " | ".join(f"{number:.1f}" for number in numbers) + " |")
    return "\n".join(lines).strip()


def figure(found: Results) -> str:
    """Cora: bars at epsilon 1 and 4 beside the published ones."""
    bars: List[Tuple[str, float, str]] = []
    for epsilon, place in ((1.0, 0), (4.0, 2)):
        for row, words in ROWS["caribou"]:
            values = found.get(("caribou", "cora", row, epsilon))
            if values:
                bars.append((f"{words}, epsilon {epsilon:g}", float(np.mean(values)), "#2471a3"))
        for words, numbers in PUBLISHED["caribou", "cora"]:
            bars.append((f"{words}, epsilon {epsilon:g}", numbers[place], "#aaa"))
    height = 30 + 20 * len(bars)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height + 14}" font-family="sans-serif" '
             f'font-size="12"><rect width="720" height="{height + 14}" fill="white"/>',
             '<text x="250" y="18">Cora: right class of test nodes in percent (blue: measured here, noise proven)</text>']
    for i, (words, value, colour) in enumerate(bars):
        y, width = 30 + 20 * i, (value - 60) * 12
        parts.append(f'<text x="242" y="{y + 12}" text-anchor="end">{words}</text>'
                     f'<rect x="250" y="{y}" width="{width:.1f}" height="15" fill="{colour}"/>'
                     f'<text x="{256 + width:.1f}" y="{y + 12}">{value:.1f}</text>')
    return "\n".join(parts + ["</svg>"]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--quick", action="store_true", help="one split of Cora")
    parser.add_argument("--part", choices=sorted(ROWS))
    parser.add_argument("--data", default=os.path.join(root, "..", "..", "shared", "data"))
    parser.add_argument("--sets", default="cora")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--out", help="CSV to append to; default: standard output")
    parser.add_argument("--report", help="CSV to read")
    parser.add_argument("--figure", help="SVG to write")
    arguments = parser.parse_args()
    if not arguments.report:
        return run(arguments)
    found = read(arguments.report)
    print(tables(found))
    if arguments.figure:
        with open(arguments.figure, "w") as stream:
            stream.write(figure(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
