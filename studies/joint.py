#!/usr/bin/env python3
"""Noise that columns share against noise apart, for a learner: REDDIT-BINARY and MOLHIV over epsilon.

usage: joint.py [--draws N] [--sets NAME,...] [--list NAME] [--epsilons E,...] [--output FILE]

Same patterns, learner and splits as in table2.py and the node count beside them; the only difference is
`joint`: "never", or "auto" (one-way noise, or the ellipsoid where trees and a degree bound allow it). Rows for
training and test are as released. Writes set,list,joint,epsilon,draw,what,value lines: AUC, and the mean
deviation of a column in units of what it would have alone. Seeded noise: nothing here is a release. Nothing was
tuned; lists were fixed before anything was run. Needs ../shared/data, and says so and ends without it."""
import argparse
import csv
import os
import sys

import numpy as np
from sklearn.metrics import roc_auc_score

import privgraph as pg
from table2 import BENCHMARKS, DELTA, SKIPPED, learner, splits_of

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("PVG_SHARED_DATA", os.path.join(HERE, "..", "..", "shared", "data"))
EPSILONS = [0.5, 1.0, 2.0, 4.0]
SMALL = "edge,path3,star3,path4,star4,star5"
# name: patterns, how the degree bound is meant, the bound (0: that of the set, if any)
LISTS = {
    "50 trees": (None, "promised", 0),
    "stars and paths, truncated at 10": (SMALL, "truncated", 10),
    "stars, paths and cycles": (SMALL + ",triangle,cycle4,cycle5,cycle6", "promised", 0),
}


def embedder(bench, words, epsilon, joint, degrees, bound):
    """Columns matter in proportion to their sensitivity: a deviation of one of it is worth the same in each."""
    patterns = pg.as_patterns("reference1", 50, seed=1000) if words is None else pg.as_patterns(words)
    bound = bound or bench.max_degree or 0
    settings = dict(patterns=patterns, max_degree=bound or None, degrees=degrees if bound else "any", epsilon=epsilon,
                    delta=DELTA, allow_seeded=True)
    apart = pg.Query("embed", joint="never", **settings).preview(100, brief=True)
    return pg.Query("embed", joint=joint, weights=[line.sensitivity ** -2.0 for line in apart.lines], **settings)


def measure(bench, draws, only, epsilons, put):
    folder = os.path.join(DATA, bench.folder)
    graphs = pg.read_graphset(folder)
    splits = splits_of(folder, bench.folder, len(graphs))
    orders = graphs.orders[:, None].astype(float)

    def judge(rows):
        found = []
        for train, test in splits:
            model = learner(bench, 0).fit(rows[train], graphs.labels[train])
            found.append(roc_auc_score(graphs.labels[test], model.predict_proba(rows[test])[:, 1]))
        return float(np.mean(found))

    put(bench.name, "node count", "", 0, 0, "auc", judge(orders))
    for name, (words, degrees, bound) in LISTS.items():
        if only not in ("", name):
            continue
        for epsilon in epsilons:
            for joint in ("never", "auto"):
                plan = embedder(bench, words, epsilon, joint, degrees, bound)
                seen = plan.preview(100, brief=True).lines
                alone = pg.gaussian_sigma(epsilon, DELTA)
                put(bench.name, name, joint, epsilon, 0, "deviation", 
                    float(np.mean([line.noise / line.sensitivity for line in seen]) / alone))
                rng = pg.Rng.seeded(11)
                for draw in range(draws):
                    rows = plan.draw(graphs, rng=rng).values
                    put(bench.name, name, joint, epsilon, draw, "auc", judge(np.hstack([rows, orders])))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--sets", default="REDDIT-BINARY,MOLHIV")
    parser.add_argument("--list", default="", help="one of the lists alone")
    parser.add_argument("--epsilons", default=",".join(map(str, EPSILONS)))
    parser.add_argument("--output", default=os.path.join(HERE, "results", "joint.csv"))
    options = parser.parse_args(arguments)
    benches = [bench for bench in BENCHMARKS if bench.name in options.sets.split(",")]
    for bench in benches:
        if not os.path.isdir(os.path.join(DATA, bench.folder)):
            print(f"skipped: {os.path.join(DATA, bench.folder)} is not there")
            return SKIPPED
    with open(options.output, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["set", "list", "joint", "epsilon", "draw", "what", "value"])

        def put(*line):
            lines.writerow([f"{part:.6g}" if isinstance(part, float) else part for part in line])
            file.flush()
        for bench in benches:
            measure(bench, options.draws, options.list, [float(e) for e in options.epsilons.split(",")], put)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
