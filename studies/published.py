#!/usr/bin/env python3
"""Tables of CARIBOU and GraphPrivatizer, measured again with mechanisms whose guarantee holds, beside what was published.

    published.py [--part caribou|users|attacks] [--data FOLDER] [--sets NAME,...] [--splits N] [--out CSV]
    published.py --report CSV [--chains CSV] [--figure SVG]      Markdown tables on stdout, figure of Cora

caribou: edges hidden, curator trusted (Table 3 of the paper; its chains are those of studies/results/chains.csv). Rows: contractive layers with noise inside (pcmp, 1 and 4
layers), GAP's head, sums with labels, histogram; one encoder for all. Splits are 50/25/25; the paper learns on 10 %.
users: nobody trusted (Tables 8 to 12; their captions stand below, as Table 6 confirms). Features and labels by epsilon 3 each, lists of neighbours by subsets of the same
size at the epsilon of the column, or public; with features, without (labels and lists alone), and with Drop. GraphPrivatizer's
own noise promises nothing (docs/guarantees.md, L3), so it is not run here; its figures are those of the paper.
attacks: the three of the GraphPrivatizer paper (LinkTeller; the centred cosine of posteriors, LSA2-post, and of features,
LSA2-attr) on what users reported in part users, 200 edges, AUC in percent against pairs at distance two (their balanced
questions) and against any pair that is no edge. A control for LinkTeller and LSA2-post is LSA2-attr: it sees no list.
"""
import argparse
import csv
import os
import sys
import time
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

import common
import privgraph as pg
from privgraph import attack
from common import Results, TITLES, cell, parts_of

SEEDS = 7730000
DELTA = 1e-6
PUBLIC = 0.0  # epsilon of lists that everyone sees
EPSILONS = {"caribou": (1.0, 2.0, 4.0, 8.0), "users": (1.0, 2.0, 8.0, PUBLIC), "attacks": (1.0, 2.0, 8.0, PUBLIC)}
SETS = {"caribou": ("cora", "pubmed", "photo"), "users": ("cora", "lastfm_asia", "pubmed", "facebook_pages", "photo"),
        "attacks": ("cora", "photo")}
NEGATIVES = {"two-hop": "distance two", "uniform": "any pair"}
WIDTHS = {"cora": 1433, "pubmed": 500, "photo": 745, "facebook_pages": 4714}  # public: never read off private features
ROUNDS = {"photo": 4, "facebook_pages": 4}  # of kprop; else 16, as in the notes
ROWS = {"caribou": (("pcmp-1", "contractive, 1 layer"), ("pcmp-4", "contractive, 4 layers"), ("gap-2", "GAP's head, 2 hops"),
                    ("sums", "sums, labels sent"), ("histogram", "histogram (pure epsilon)")),
        "users": (("network", "with features"), ("drop", "with features and Drop"), ("without", "labels and lists alone")),
        "attacks": tuple((f"{name} {kind}", f"{name}, {words}") for kind, words in NEGATIVES.items()
                         for name in ("LinkTeller", "LSA2-post", "LSA2-attr"))}
CAPTIONS = {"caribou": "edges hidden, curator trusted", "users": "nobody trusted",
            "attacks": "nobody trusted, two attacks, AUC in percent"}
COLUMNS = ["part", "set", "row", "epsilon", "seed", "accuracy"]
# accuracy in percent as printed; users: GCN, GP-t and its baseline, epsilon 1, 2, 8, infinity, lists kept nearly as they are
PUBLISHED = {
    ("caribou", "cora"): (("CARIBOU, published", (85.1, 86.9, 87.3, 88.4)), ("GAP, published", (77.1, 77.5, 77.1, 79.0))),
    ("caribou", "pubmed"): (("CARIBOU, published", (88.2, 89.1, 89.5, 89.8)), ("GAP, published", (87.4, 87.5, 87.4, 88.1))),
    ("caribou", "photo"): (("CARIBOU, published", (95.8, 95.9, 95.9, 96.0)), ("GAP, published", (93.0, 93.4, 93.0, 94.6))),
    ("users", "cora"): (("GraphPrivatizer (GP-t, GCN), published", (81.0, 81.2, 81.3, 81.7)),
                        ("its baseline, published", (76.9, 79.8, 80.9, 81.7))),
    ("users", "lastfm_asia"): (("GraphPrivatizer (GP-t, GCN), published", (86.5, 86.5, 86.6, 86.5)),
                               ("its baseline, published", (84.2, 84.5, 86.4, 86.5))),
    ("users", "pubmed"): (("GraphPrivatizer (GP-t, GCN), published", (82.4, 82.4, 82.4, 82.4)),
                          ("its baseline, published", (81.4, 81.9, 82.3, 82.4))),
    ("users", "facebook_pages"): (("GraphPrivatizer (GP-t, GCN), published", (91.6, 91.7, 91.9, 91.9)),
                                  ("its baseline, published", (87.6, 88.7, 91.9, 91.9))),
    ("users", "photo"): (("GraphPrivatizer (GP-t, GCN), published", (83.7, 83.3, 84.2, 80.8)),
                         ("its baseline, published", (73.1, 70.4, 85.9, 80.8))),
}
CHAINS = {"Chains-S": ((84.4, 90.6, 90.6, 93.8), (65.6, 65.6, 65.6, 65.6)),
          "Chains-M": ((82.5, 82.5, 82.5, 82.5), (67.5, 67.5, 67.5, 60.0)),
          "Chains-L": ((70.0, 73.3, 73.3, 75.0), (61.7, None, None, None)),
          "Chains-X": ((66.0, 68.0, 69.0, 70.0), (67.0, 68.0, 67.0, 67.0))}


def caribou(graph: Any, features: Any, truth: np.ndarray, part: np.ndarray) -> Iterator[Tuple[str, float, np.ndarray]]:
    labels = np.where(part == 0, truth, -1).astype(np.int32)
    checks = np.where(part == 1, truth, -1).astype(np.int32)
    prior = pg.encode(features, labels, checks=checks)
    yield "features", 0.0, prior
    for epsilon in EPSILONS["caribou"]:
        for row, _ in ROWS["caribou"]:
            method, _, hops = row.partition("-")
            delta = 0.0 if method == "histogram" else DELTA
            yield row, epsilon, pg.learn_nodes(graph, labels, epsilon, delta=delta, method=method, prior=prior,
                                               checks=checks, hops=int(hops or 1)).probabilities


def users(graph: Any, features: Any, truth: np.ndarray, part: np.ndarray, rounds_of_features: int
          ) -> Iterator[Tuple[str, float, np.ndarray]]:
    for epsilon in EPSILONS["users"]:
        for row, rounds in (("network", 0), ("drop", 2)):
            made = pg.learn_users(graph, truth, part, features=features, list_epsilon=epsilon, feature_epsilon=3.0,
                                  label_epsilon=3.0, target_rounds=rounds, rounds=rounds_of_features or None,
                                  classes=int(truth.max()) + 1)
            yield row, epsilon, made.probabilities
            if row == "network":
                yield "without", epsilon, made.without


def join_lists(release: Any, order: int) -> Any:
    """The graph of all entries of released lists, heard at both ends, as the pipeline reads them."""
    offsets, targets = release.lists
    return pg.Graph.from_edges(np.stack([np.repeat(np.arange(order), np.diff(offsets)), targets]), order)


def attacks(graph: Any, features: Any, truth: np.ndarray, part: np.ndarray, rounds_of_features: int
            ) -> Iterator[Tuple[str, float, float]]:
    """(row, epsilon, AUC in percent). The same questions for all."""
    for epsilon in EPSILONS["attacks"]:
        made = pg.learn_users(graph, truth, part, features=features, list_epsilon=epsilon, feature_epsilon=3.0,
                              label_epsilon=3.0, rounds=rounds_of_features or None, classes=int(truth.max()) + 1)
        heard = graph if made.lists is None else join_lists(made.lists, graph.order)
        data = pg.Dataset(graph=pg.public(heard), features=made.features)
        reports = made.features.features.to_scipy().toarray()
        asking = {"seed": 1, "positives": 200}
        for name, found in (("LinkTeller", attack.links_influence(made.model, data, graph, **asking)),
                            ("LSA2-post", attack.links_posteriors(made.probabilities, graph, **asking)),
                            ("LSA2-attr", attack.links_rows(reports, graph, metric="centred", **asking))):
            for kind in NEGATIVES:
                yield f"{name} {kind}", epsilon, 100 * found.report(kind).auc


def load(data: str, name: str) -> Tuple[Any, Any, np.ndarray]:
    """Features with a width that was told."""
    folder = os.path.join(data, name)
    if name not in WIDTHS:
        return common.load(folder)
    graph, features, labels = pg.read_folder(folder, features=True, feature_columns=WIDTHS[name])[:3]
    return graph, features, np.asarray(labels.values).astype(np.int32)


def run(arguments: argparse.Namespace) -> int:
    parts = [arguments.part] if arguments.part else list(ROWS)
    if not common.present(arguments.data, ["cora"]):
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    table = common.Table(arguments.out, COLUMNS)
    for index in range(arguments.splits):
        for what in parts:
            wanted = arguments.sets.split(",") if arguments.sets else list(SETS[what])
            for name in common.present(arguments.data, wanted):
                seed, start = SEEDS + index, time.time()
                if table.has(what, name, "done", 0.0, seed):
                    continue
                graph, features, truth = load(arguments.data, name)
                part = parts_of(truth, seed)
                if what == "attacks":
                    for row, epsilon, area in attacks(graph, features, truth, part, ROUNDS.get(name, 16)):
                        table.add(what, name, row, epsilon, seed, area)
                else:
                    rows = caribou(graph, features, truth, part) if what == "caribou" else users(
                        graph, features, truth, part, ROUNDS.get(name, 16))
                    for row, epsilon, chances in rows:
                        table.add(what, name, row, epsilon, seed, common.percent(chances, truth, part == 2))
                table.add(what, name, "done", 0.0, seed, time.time() - start)
                print(f"{what} {name} {seed}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def tables(found: Results) -> str:
    lines: List[str] = []
    for what, epsilons in EPSILONS.items():
        for name in SETS[what]:
            count = len(found.get((what, name, "done", 0.0), []))
            if not count:
                continue
            lines += ["", f"{TITLES[name]}, {CAPTIONS[what]} ({count} split{'s' if count > 1 else ''})", "",
                      "| row | " + " | ".join("public lists" if e == PUBLIC else f"{e:g}" for e in epsilons) + " |",
                      "|---|" + "---|" * len(epsilons)]
            plain = found.get((what, name, "features", 0.0))
            if plain:
                lines.append(f"| no edges | {cell(plain)} |" + " |" * (len(epsilons) - 1))
            for row, words in ROWS[what]:
                lines.append(f"| {words} | " + " | ".join(cell(found.get((what, name, row, e))) for e in epsilons) + " |")
            for words, numbers in PUBLISHED.get((what, name), ()):
                lines.append(f"| *{words}* | " + " | ".join(f"{number:.1f}" for number in numbers) + " |")
    return "\n".join(lines).strip()


def chains(path: str) -> str:
    """The best of 1 to 20 layers by test accuracy, as published, and what 8 layers give."""
    with open(path, newline="") as stream:
        rows = list(csv.DictReader(stream))
    epsilons = EPSILONS["caribou"]
    lines = ["", "Chains, edges hidden, curator trusted", "",
             "| set | row | " + " | ".join(f"{e:g}" for e in epsilons) + " |", "|---|---|" + "---|" * len(epsilons)]
    for name, (ours, gap) in CHAINS.items():
        best: Dict[float, str] = {}
        fixed: Dict[float, str] = {}
        for epsilon in epsilons:
            here = [row for row in rows if row["set"] == name and row["epsilon"] == f"{epsilon:g}"]
            if not here:
                continue
            most = max(here, key=lambda row: float(row["accuracy"]))
            best[epsilon] = f"{most['accuracy']} ± {most['interval']}"
            eight = [row for row in here if row["layers"] == "8"]
            fixed[epsilon] = f"{eight[0]['accuracy']} ± {eight[0]['interval']}" if eight else ""
        lines.append(f"| {name} | measured, 8 layers | " + " | ".join(fixed.get(e, "") for e in epsilons) + " |")
        lines.append("| | measured, best of 20 depths by test nodes | " + " | ".join(best.get(e, "") for e in epsilons) + " |")
        for words, numbers in (("CARIBOU, published", ours), ("GAP, published", gap)):
            lines.append(f"| | *{words}* | " + " | ".join("" if n is None else f"{n:.1f}" for n in numbers) + " |")
    return "\n".join(lines)


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
    parser.add_argument("--part", choices=sorted(ROWS))
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--sets")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--out", default="published.csv", help="CSV to append to")
    parser.add_argument("--chains", default=os.path.join(common.HERE, "results", "chains.csv"))
    parser.add_argument("--report", help="CSV to read")
    parser.add_argument("--figure", help="SVG to write")
    arguments = parser.parse_args()
    if not arguments.report:
        return run(arguments)
    found = common.read(arguments.report, COLUMNS)
    print(tables(found))
    print(chains(arguments.chains))
    if arguments.figure:
        with open(arguments.figure, "w") as stream:
            stream.write(figure(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
