#!/usr/bin/env python3
"""Degree diagrams, ladder triangles and synthetic graphs on real graphs: errors over epsilon.

usage: structure.py [--draws N] [--reddit] [--output FILE]

Writes set,what,method,epsilon,draw,value lines. Seeded noise: nothing here is a release. Needs ../shared/data,
and says so and ends without it. Budget shares, levels and mixing are the defaults of the library; they were
fixed after looking at these very graphs, so synthetic figures are descriptive, not held out."""
import argparse
import gzip
import os
import sys

import numpy as np

import privgraph as pg

DATA = os.environ.get("PVG_SHARED_DATA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                                      "shared", "data"))
SETS = ["cora", "pubmed", "lastfm_asia", "photo", "facebook_pages"]
EPSILONS = [0.5, 1.0, 2.0, 4.0]


def numbers(path, dtype=np.int64):
    with gzip.open(path, "rt") as file:
        return np.loadtxt(file, dtype=dtype, ndmin=1, delimiter="," if "_A." in path else None)


def load(name):
    edges = numbers(os.path.join(DATA, name, "edges.txt.gz"))
    labels = numbers(os.path.join(DATA, name, "labels.txt.gz"))
    blocks = np.where(labels < 0, labels.max() + 1, labels).astype(np.int32)
    return pg.Graph.from_edges(edges.T, len(labels)), blocks


def degrees(graph):
    return np.diff(graph.csr()[0])


def kolmogorov(a, b):
    top = int(max(a.max(), b.max())) + 1
    return float(np.abs(np.cumsum(np.bincount(a, minlength=top + 1)) -
                        np.cumsum(np.bincount(b, minlength=top + 1))).max()) / len(a)


ONE = pg.Target(epsilon=1.0, allow_seeded=True)
SCALARS = pg.Statistic.scalars(["radius", "largest-degree"], ONE)
TRIANGLES = pg.Statistic.triangles(ONE)


def measure(graph, blocks, truth):
    offsets, columns = graph.csr()
    d = np.diff(offsets)
    rows = np.repeat(np.arange(len(d)), d)
    x, y = d[rows].astype(float), d[columns].astype(float)
    radius, largest = SCALARS.values_exact(graph)[0]
    return {"edges": graph.size, "triangles": TRIANGLES.values_exact(graph)[0, 0], "radius": radius,
            "largest_degree": largest, "same_block": float((blocks[rows] == blocks[columns]).mean()),
            "assortativity": float(np.corrcoef(x, y)[0, 1]), "kolmogorov": kolmogorov(d, truth),
            "degree_error": float(np.abs(np.sort(d) - np.sort(truth)).mean())}


def structure(put, draws):
    for name in SETS:
        graph, blocks = load(name)
        truth, order = degrees(graph), graph.order
        for what, value in measure(graph, blocks, truth).items():
            put(name, what, "true", 0, 0, value)
        for epsilon in EPSILONS:
            target = pg.Target(epsilon=epsilon, allow_seeded=True)
            rng = pg.Rng.seeded(int(1000 * epsilon))
            diagram = pg.Statistic.degrees(target, order=order, levels=10, ranks=-1)
            ladder = pg.Statistic.triangles(target, order=order)
            exact = TRIANGLES.values_exact(graph)[0, 0]
            errors = [abs(ladder.release(graph, rng=rng).values[0, 0] - exact) for _ in range(15)]
            put(name, "triangles_median_error", "ladder", epsilon, 0, float(np.median(errors)))
            lap = pg.Perturber.lapgraph(target) if hasattr(pg, "Perturber") else None
            for draw in range(draws):
                sequence = pg.degree_sequence(diagram, diagram.release(graph, rng=rng).values, order)
                put(name, "kolmogorov", "diagram", epsilon, draw, kolmogorov(sequence, truth))
                put(name, "degree_error", "diagram", epsilon, draw,
                    float(np.abs(np.sort(sequence) - np.sort(truth)).mean()))
                made, _ = pg.synthesize(graph, epsilon, blocks=blocks, rng=rng)
                for what, value in measure(made, blocks, truth).items():
                    put(name, what, "synthetic", epsilon, draw, value)
            if lap is not None:
                for what, value in measure(lap.release(graph, rng=rng).graph, blocks, truth).items():
                    put(name, what, "lapgraph", epsilon, 0, value)


def reddit(put):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    base = os.path.join(DATA, "REDDIT-BINARY", "REDDIT-BINARY_")
    arcs = numbers(base + "A.txt.gz") - 1
    owner = numbers(base + "graph_indicator.txt.gz") - 1
    labels, folds = numbers(base + "graph_labels.txt.gz"), numbers(base + "folds.txt.gz")
    starts = np.searchsorted(owner, np.arange(len(labels) + 1))
    cut = np.searchsorted(owner[arcs[:, 0]], np.arange(len(labels) + 1))
    graphs = [pg.Graph.from_edges(arcs[cut[i]:cut[i + 1]].T - starts[i], int(starts[i + 1] - starts[i]))
              for i in range(len(labels))]
    orders = np.diff(starts)[:, None].astype(float)
    learners = {"knn300": make_pipeline(StandardScaler(), KNeighborsClassifier(300)),
                "forest": RandomForestClassifier(100, min_samples_leaf=3, random_state=0)}
    for epsilon in (1.0, 0.1, 0.0):
        statistic = pg.Statistic.degrees(pg.Target(epsilon=epsilon or 1.0, allow_seeded=True), levels=4, ranks=4)
        rng = pg.Rng.seeded(7)
        raw = np.vstack([statistic.release(g, rng=rng).values if epsilon else statistic.values_exact(g)
                         for g in graphs])
        total = raw.sum(axis=1, keepdims=True)
        rows = np.hstack([orders, raw[:, :8], raw / orders, total / orders])
        for name, learner in learners.items():
            scores = []
            for fold in range(1, 11):
                test = folds == fold
                learner.fit(rows[~test], labels[~test])
                scores.append(roc_auc_score(labels[test], learner.predict_proba(rows[test])[:, 1]))
            put("REDDIT-BINARY", "auc_" + name, "levels 4 ranks 4" if epsilon else "no noise", epsilon, 0,
                float(np.mean(scores)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--reddit", action="store_true", help="graph classification as well")
    parser.add_argument("--output")
    arguments = parser.parse_args()
    if not os.path.isdir(DATA):
        print("structure.py: skipped, no ../shared/data")
        return
    out = open(arguments.output, "w") if arguments.output else sys.stdout
    print("set,what,method,epsilon,draw,value", file=out)

    def put(name, what, method, epsilon, draw, value):
        print(f"{name},{what},{method},{epsilon:g},{draw},{value:.6g}", file=out, flush=True)

    if arguments.reddit:
        reddit(put)
    structure(put, arguments.draws)


if __name__ == "__main__":
    main()
