#!/usr/bin/env python3
"""Classes of nodes: what a pipeline gains when there are no edges at all.

    control.py [--data FOLDER] [--sets NAME,...] [--splits N] [--out CSV]
    control.py --report CSV      Markdown table on stdout

"No edges" in the other tables is the encoder alone. A pipeline also fits a read-out to it, and that may gain (or lose)
on its own. The control is the same pipeline, budget, labels and split on a graph of the same nodes without an edge. And
since labels of validation nodes are public, every method may fall back to the encoder where it does no better on them:
rows "or features" do, for edge histograms and the rival alike, with and without edges. Splits, encoder and settings are
those of studies/encoder.py; test labels choose nothing.
"""
import os
import sys
import time
from typing import Any, Iterator, List, Tuple

import numpy as np

import common
import encoder
import privgraph as pg

EPSILONS = (1.0, 4.0)
PIPELINES = {"histogram": "edge histograms", "sums": "GAP, same encoder and labels", "gap": "GAP, its own head",
             "pcmp": "contractive, 1 layer"}
SMALL = ("cora", "citeseer", "chameleon")  # all pipelines; else the first two
SETS = {"cora": 5, "citeseer": 5, "chameleon": 5, "imdb_movies": 3, "lastfm_asia": 3, "facebook100_wisconsin87": 3,
        "computers": 3, "photo": 3, "pubmed": 3, "facebook_pages": 3}
TITLES = {**common.TITLES, "citeseer": "CiteSeer", "imdb_movies": "IMDb movies", "computers": "Computers"}
FALLS_BACK = " or features"


class Both(encoder.Split):
    """A split whose pipelines say how they do on validation nodes too."""

    def outcome(self, graph: Any, name: str, epsilon: float) -> Tuple[float, float]:
        """Accuracy on test nodes, and the same where the encoder is taken unless validation nodes speak for the pipeline."""
        held, self.graph = self.graph, graph
        try:
            found = self.probabilities(name, epsilon)
        finally:
            self.graph = held
        checks = [common.percent(rows, self.truth, self.part == 1) for rows in (found, self.prior)]
        return self.accuracy(found), self.accuracy(found if checks[0] > checks[1] else self.prior)


def pipelines(name: str) -> List[str]:
    return list(PIPELINES) if name in SMALL else list(PIPELINES)[:2]


def measure(split: Both, names: List[str]) -> Iterator[Tuple[str, float, float]]:
    yield "features", 0.0, split.accuracy(split.prior)
    empty = pg.Graph.from_edges(np.zeros((2, 0), np.int64), order=split.graph.order)
    for where, graph in (("", split.graph), (" empty", empty)):
        for name in names:
            for epsilon in EPSILONS:
                plain, careful = split.outcome(graph, name, epsilon)
                yield name + where, epsilon, plain
                yield name + where + FALLS_BACK, epsilon, careful


def run(arguments: Any) -> int:
    wanted = common.present(arguments.data, arguments.sets.split(",") if arguments.sets else list(SETS))
    if not wanted:
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    table = common.Table(arguments.out, encoder.COLUMNS)
    for index in range(max(SETS[name] for name in wanted)):
        for name in wanted:
            seed, start = encoder.SEEDS + index, time.process_time()
            names = [one for one in pipelines(name) if not table.has(name, one, EPSILONS[-1], seed)]
            if index >= (arguments.splits or SETS[name]) or not names:
                continue
            split = Both(*common.load(os.path.join(arguments.data, name)), seed)
            for row, epsilon, accuracy in measure(split, names):
                if not table.has(name, row, epsilon, seed):
                    table.add(name, row, epsilon, seed, accuracy)
            print(f"{name} {seed}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def gain(values: List[float], plain: List[float]) -> str:
    gains = [ours - theirs for ours, theirs in zip(values, plain)]
    return ("+" if np.mean(gains) >= 0 else "") + common.cell(gains)


def report(found: common.Results) -> str:
    """Gains over the encoder, paired by split."""
    lines = ["| set (splits), encoder alone | pipeline | edges: 1 | 4 | empty graph: 1 | 4 |",
             "|---" * 6 + "|"]
    for name in SETS:
        plain = found.get((name, "features", 0.0))
        if not plain:
            continue
        head = f"| {TITLES[name]} ({len(plain)}), {common.cell(plain)} "
        for row in pipelines(name):
            for careful in ("", FALLS_BACK):
                cells = [gain(found[name, row + where + careful, e], plain) for where in ("", " empty") for e in EPSILONS]
                lines.append(head + f"| {PIPELINES[row]}{',' + careful if careful else ''} | " + " | ".join(cells) + " |")
                head = "| "
    return "\n".join(lines)


def main() -> int:
    return common.study(__doc__, "control", encoder.COLUMNS, run, report, lambda found, path: None)


if __name__ == "__main__":
    sys.exit(main())
