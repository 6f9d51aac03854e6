#!/usr/bin/env python3
"""Classes of graphs by a forest: what private numbers add to what is public, on sets of small and large graphs.

    graph_sets.py [--data FOLDER] [--sets NAME,...] [--draws N] [--out CSV]
    graph_sets.py --report CSV      Markdown table on stdout

Every graph is a private object; its number of nodes, types of its nodes (where the set has them) and its label are
public. Rows: "public" has these alone, "edges" the private number of edges besides (also over the nodes), "levels" the
columns of DegreeEmbedding; all are pure epsilon for any single edge of a graph. A forest of 100 trees with 3 graphs in
a leaf reads them, the same for every row and set; nothing is tuned. Five stratified folds, drawn anew with the noise:
area under the curve on graphs left out, whose rows are noisy too. EXACT stands for "no noise", which must not be
published.
"""
import os
import sys
import time
import warnings
from typing import Any, Iterator, Tuple

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

import common
import graph_classes
import privgraph as pg

EPSILONS = (0.5, 1.0, 4.0)
EXACT = 60.0
COLUMNS = ["set", "row", "epsilon", "seed", "area"]
SETS = ("MUTAG", "IMDB-BINARY", "deezer_egos", "molbbbp", "NCI1", "molbace", "PROTEINS", "REDDIT-BINARY")
ROWS = {"edges": "number of edges", "levels": "degree distribution"}
SEEDS, FOLDS = 900, 5


def private_columns(graphs: Any, row: str, epsilon: float) -> np.ndarray:
    if row == "levels":
        return np.asarray(pg.DegreeEmbedding(epsilon=epsilon, sticky=False).fit().transform(graphs))
    edges = np.asarray(pg.Query("scalars", list="edges", epsilon=epsilon).draw(graphs).values)
    return np.hstack([edges, edges / graphs.orders[:, None]])


def areas(rows: np.ndarray, labels: np.ndarray, draw: int) -> Iterator[Tuple[int, float]]:
    """(seed, area) of every fold."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEEDS + draw)
    for fold, (learn, test) in enumerate(folds.split(rows, labels)):
        model = RandomForestClassifier(100, min_samples_leaf=3, random_state=0).fit(rows[learn], labels[learn])
        yield FOLDS * draw + fold, float(roc_auc_score(labels[test], model.predict_proba(rows[test])[:, 1]))


def measure(graphs: Any, draw: int) -> Iterator[Tuple[str, float, int, float]]:
    labels, public = np.asarray(graphs.labels), graph_classes.public_columns(graphs)
    for seed, found in areas(public, labels, draw):
        yield "public", 0.0, seed, found
    for row in ROWS:
        for epsilon in EPSILONS + (EXACT,):
            for seed, found in areas(np.hstack([private_columns(graphs, row, epsilon), public]), labels, draw):
                yield row, epsilon, seed, found


def run(arguments: Any) -> int:
    wanted = common.present(arguments.data, arguments.sets.split(",") if arguments.sets else list(SETS))
    if not wanted:
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    warnings.simplefilter("ignore")  # the same graphs are released again and again: they are public here
    table = common.Table(arguments.out, COLUMNS)
    for draw in range(arguments.draws):
        for name in wanted:
            start = time.process_time()
            if table.has(name, "done", 0.0, draw):
                continue
            for row, epsilon, seed, found in measure(pg.read_graphset(os.path.join(arguments.data, name)), draw):
                if not table.has(name, row, epsilon, seed):
                    table.add(name, row, epsilon, seed, found)
            table.add(name, "done", 0.0, draw, time.process_time() - start)
            print(f"{name} {draw}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def gained(values: Any, plain: Any) -> str:
    """Difference to the public row of the same folds, with the 95 % interval of its mean over folds."""
    gains = [ours - theirs for ours, theirs in zip(values, plain)]
    return f"{np.mean(gains):+.3f} ± {common.half_width(gains):.3f}"


def report(found: common.Results) -> str:
    lines = ["| set (folds) | public alone | row | " + " | ".join(f"{e:g}" for e in EPSILONS) + " | no noise |",
             "|---" * (len(EPSILONS) + 4) + "|"]
    for name in SETS:
        plain = found.get((name, "public", 0.0))
        if not plain:
            continue
        head = f"| {name.upper()} ({len(plain)}) | {np.mean(plain):.3f} "
        for row, words in ROWS.items():
            lines.append(head + f"| {words} | " + " | ".join(gained(found[name, row, e], plain)
                                                           for e in EPSILONS + (EXACT,)) + " |")
            head = "| | "
    return "\n".join(lines)


def main() -> int:
    return common.study(__doc__, "graph_sets", COLUMNS, run, report, lambda found, path: None, ("draws", 2))


if __name__ == "__main__":
    sys.exit(main())
