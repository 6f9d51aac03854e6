#!/usr/bin/env python3
"""Degree distributions, ladder triangles and synthetic graphs on real graphs: errors over epsilon.

usage: structure.py [--draws N] [--degrees-draws N] [--sets NAME,...] [--reddit N] [--speed N] [--output FILE]

Writes set,what,method,epsilon,draw,value lines. Seeded noise: nothing here is a release. Needs ../shared/data,
and says so and ends without it. Budget shares, levels and mixing are the defaults of the library; they were
fixed after looking at these very graphs, so synthetic figures are descriptive, not held out."""
import argparse
import csv
import gzip
import os
import sys

import numpy as np

import privgraph as pg

DATA = os.environ.get("PVG_SHARED_DATA", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                                                      "shared", "data"))
SETS = ["cora", "pubmed", "lastfm_asia", "photo", "facebook_pages"]
EPSILONS = [0.5, 1.0, 2.0, 4.0]
LEVELS = [10, 32]
SYNTHETIC = {"synthetic": {}, "synthetic not asked": {"degrees_share": 0.5, "between_share": 0.2, "triangles_share": 0.3,
                                                      "assortativity_share": 0}}    # shares of epsilon
EDGES_MOST = 700_000    # perturbed graphs beyond are not drawn: nobody could use them
DETAILS_MOST = 400_000    # clustering and paths are measured up to this many edges
BANDS = [("2_4", 2, 5), ("5_9", 5, 10), ("10_29", 10, 30), ("30_up", 30, 10 ** 9)]
NODES_PER_BAND, SOURCES = 150, 6


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
SCALARS = pg.Query("scalars", list=["radius", "largest-degree"], target=ONE)
TRIANGLES = pg.Query("triangles", target=ONE)


def clustering(d, offsets, columns, pick):
    """Share of the pairs of neighbours that are joined, mean over sampled nodes of each band of degrees."""
    member = np.zeros(len(d), bool)
    out = {}
    for name, low, high in BANDS:
        nodes = np.flatnonzero((d >= low) & (d < high))
        found = []
        for v in pick.permutation(nodes)[:NODES_PER_BAND]:
            row = columns[offsets[v]:offsets[v + 1]]
            member[row] = True
            joined = sum(int(member[columns[offsets[u]:offsets[u + 1]]].sum()) for u in row)
            member[row] = False
            found.append(joined / (len(row) * (len(row) - 1)))
        if len(nodes) >= 20:
            out["clustering_" + name] = float(np.mean(found))
    return out


def distance(offsets, columns, pick):
    """Mean number of steps between nodes that are joined by any path, from sampled nodes."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra
    n = len(offsets) - 1
    matrix = csr_matrix((np.ones(len(columns), np.int8), columns, offsets), shape=(n, n))
    steps = dijkstra(matrix, unweighted=True, indices=pick.integers(0, n, SOURCES))
    near = steps[np.isfinite(steps) & (steps > 0)]
    return float(near.mean()) if len(near) else float("nan")


def measure(graph, blocks, truth, details=True):
    offsets, columns = (np.asarray(x) for x in graph.csr())
    d = np.diff(offsets)
    rows = np.repeat(np.arange(len(d)), d)
    x, y = d[rows].astype(float), d[columns].astype(float)
    radius, largest = SCALARS.values_exact(graph)[0]
    out = {"edges": graph.size, "triangles": TRIANGLES.values_exact(graph)[0, 0], "radius": radius,
           "largest_degree": largest, "same_block": float((blocks[rows] == blocks[columns]).mean()),
           "assortativity": float(np.corrcoef(x, y)[0, 1]) if x.std() > 0 else 0.0,
           "kolmogorov": kolmogorov(d, truth), "degree_error": float(np.abs(np.sort(d) - np.sort(truth)).mean())}
    if details:
        pick = np.random.default_rng(1)
        out["distance"] = distance(offsets, columns, pick)
        out.update(clustering(d, offsets, columns, pick))
    return out


def distributions(put, name, graph, draws):
    """The degree distribution as released, and the ladder: many draws, nothing is wired."""
    truth, order = degrees(graph), graph.order
    exact = TRIANGLES.values_exact(graph)[0, 0]
    for epsilon in EPSILONS:
        target = pg.Target(epsilon=epsilon, allow_seeded=True)
        rng = pg.Rng.seeded(int(1000 * epsilon))
        for levels in LEVELS:
            distribution = pg.Query("degrees", order=order, levels=levels, ranks="all", target=target)
            for draw in range(draws):
                sequence = pg.estimate_sequence(distribution, distribution.draw(graph, rng=rng))
                put(name, "kolmogorov", f"distribution {levels}", epsilon, draw, kolmogorov(sequence, truth))
                put(name, "degree_error", f"distribution {levels}", epsilon, draw,
                    float(np.abs(np.sort(sequence) - np.sort(truth)).mean()))
        ladder = pg.Query("triangles", order=order, target=target)
        errors = [abs(ladder.draw(graph, rng=rng).values[0, 0] - exact) for _ in range(15)]
        put(name, "triangles_median_error", "ladder", epsilon, 0, float(np.median(errors)))


def rivals(target):
    """Graphs with noise inside, all edge-DP with the same epsilon."""
    return {"randomised response": lambda: pg.Query("response", edge_limit=EDGES_MOST, target=target),
            "LapGraph": lambda: pg.Query("lapgraph", edge_limit=EDGES_MOST, target=target),
            "DPRR": lambda: pg.Query("dprr", edge_limit=EDGES_MOST, target=target),
            "Blink": lambda: pg.Query("blink", edge_limit=EDGES_MOST, target=target)}


def graphs(put, name, graph, blocks, draws):
    """Synthetic graphs beside perturbed ones."""
    truth = degrees(graph)
    for what, value in measure(graph, blocks, truth).items():
        put(name, what, "true", 0, 0, value)
    for epsilon in EPSILONS:
        target = pg.Target(epsilon=epsilon, allow_seeded=True)
        rng = pg.Rng.seeded(int(1000 * epsilon) + 1)
        for method, shares in SYNTHETIC.items():
            for draw in range(draws):
                made, _ = pg.synthesize(graph, epsilon, groups=blocks, rng=rng, **shares)
                for what, value in measure(made, blocks, truth).items():
                    put(name, what, method, epsilon, draw, value)
        for number, (method, make) in enumerate(rivals(target).items()):
            rng = pg.Rng.seeded(int(1000 * epsilon) + 2 + number)
            for draw in range(draws):
                try:
                    made = make().draw(graph, rng=rng).graph
                except pg.PrivGraphError as error:
                    put(name, "refused", method, epsilon, draw, EDGES_MOST)
                    print(f"{name}, {method}, epsilon {epsilon:g}: {error}", file=sys.stderr)
                    break
                for what, value in measure(made, blocks, truth, made.size <= DETAILS_MOST).items():
                    put(name, what, method, epsilon, draw, value)


def speed(put, name, graph, blocks, draws):
    """User time from released numbers to a finished graph, nothing else."""
    import resource
    statistic = pg.Query("synthesis", order=graph.order, groups=blocks, target=ONE)
    rng = pg.Rng.seeded(7)
    for draw in range(draws):
        release = statistic.draw(graph, rng=rng)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        pg.synthesis_graph(statistic, release, rng=rng)
        put(name, "seconds", "synthetic", 1, draw, resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)


def reddit_sets():
    base = os.path.join(DATA, "REDDIT-BINARY", "REDDIT-BINARY_")
    arcs = numbers(base + "A.txt.gz") - 1
    owner = numbers(base + "graph_indicator.txt.gz") - 1
    labels, folds = numbers(base + "graph_labels.txt.gz"), numbers(base + "folds.txt.gz")
    starts = np.searchsorted(owner, np.arange(len(labels) + 1))
    cut = np.searchsorted(owner[arcs[:, 0]], np.arange(len(labels) + 1))
    return [pg.Graph.from_edges(arcs[cut[i]:cut[i + 1]].T - starts[i], int(starts[i + 1] - starts[i]))
            for i in range(len(labels))], np.diff(starts)[:, None].astype(float), labels, folds


def shrunk(raw, orders, deviation):
    """Each column pulled towards what the number of nodes explains of it, by how much of the rest is noise: the noise
    is known and the nodes are public, so this is post-processing of all rows together."""
    out = raw.copy()
    for k in range(raw.shape[1]):
        fit = np.polyval(np.polyfit(orders[:, 0], raw[:, k], 1), orders[:, 0])
        true = max(np.var(raw[:, k] - fit) - deviation ** 2, 0.0)
        out[:, k] = fit + true / (true + deviation ** 2) * (raw[:, k] - fit)
    return out


def columns_of(raw, orders):
    return np.hstack([orders, raw[:, :8], raw / orders, raw.sum(axis=1, keepdims=True) / orders])


def fresh_folds(put, draws, graphs, orders, labels, learners):
    """The form of shrinking was chosen on the given folds; here are other folds and other noise."""
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold
    for draw in range(draws):
        for epsilon in (0.1, 0.25, 0.5, 1.0):
            statistic = pg.Query("degrees", levels=4, ranks=4, epsilon=epsilon, allow_seeded=True)
            rng = pg.Rng.seeded(1000 + draw)
            raw = np.vstack([statistic.draw(g, rng=rng).values for g in graphs])
            splits = list(StratifiedKFold(10, shuffle=True, random_state=500 + draw).split(raw, labels))
            for method, x in (("levels 4 ranks 4", raw), ("shrunk", shrunk(raw, orders, statistic.deviations()[0]))):
                rows = columns_of(x, orders)
                for name, learner in learners.items():
                    scores = [roc_auc_score(labels[test], learner().fit(rows[train], labels[train])
                                            .predict_proba(rows[test])[:, 1]) for train, test in splits]
                    put("REDDIT-BINARY", "auc_" + name, method + " fresh folds", epsilon, draw, float(np.mean(scores)))


def reddit(put, draws):
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    graphs, orders, labels, folds = reddit_sets()
    learners = {"knn300": lambda: make_pipeline(StandardScaler(), KNeighborsClassifier(300)),
                "forest": lambda: RandomForestClassifier(100, min_samples_leaf=3, random_state=0)}

    def judge(method, epsilon, draw, rows):
        for name, learner in learners.items():
            scores = []
            for fold in range(1, 11):
                test = folds == fold
                model = learner().fit(rows[~test], labels[~test])
                scores.append(roc_auc_score(labels[test], model.predict_proba(rows[test])[:, 1]))
            put("REDDIT-BINARY", "auc_" + name, method, epsilon, draw, float(np.mean(scores)))

    judge("node count", 0, 0, orders)
    fresh_folds(put, draws, graphs, orders, labels, learners)
    for epsilon in (1.0, 0.5, 0.25, 0.1, 0.0):
        statistic = pg.Query("degrees", levels=4, ranks=4, epsilon=epsilon or 1.0, allow_seeded=True)
        rng = pg.Rng.seeded(7)
        for draw in range(draws if epsilon else 1):
            raw = np.vstack([statistic.draw(g, rng=rng).values if epsilon else statistic.values_exact(g)
                             for g in graphs])
            for method, x in (("levels 4 ranks 4" if epsilon else "no noise", raw),
                              ("shrunk", shrunk(raw, orders, statistic.deviations()[0]))):
                if method != "shrunk" or epsilon == 0.1:
                    judge(method, epsilon, draw, columns_of(x, orders))


# --- report ---------------------------------------------------------------------------

STUDENTS = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 10: 2.26, 20: 2.09}
TITLES = {"cora": "Cora", "pubmed": "PubMed", "lastfm_asia": "LastFM", "photo": "Photo",
          "facebook_pages": "Facebook pages"}


def interval(values):
    return STUDENTS.get(len(values), 2.0) * np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0


def shown(values, digits):
    if not values:
        return ""
    half = interval(values)
    return f"{np.mean(values):.{digits}f}" + (f" ± {half:.{digits}f}" if half else "")


def rivals_report(found, sets):
    """Synthetic graphs beside perturbed ones: means at all epsilons in one cell."""
    columns = [("edges", 0), ("triangles", 0), ("radius", 1), ("same_block", 3), ("kolmogorov", 3)]
    print("\n| set | graph | edges at " + " / ".join(f"{e:g}" for e in EPSILONS) +
          " | triangles | largest eigenvalue | same class | Kolmogorov |\n|---|---|---|---|---|---|---|")
    for name in sets:
        cells = [shown(found[name, what, "true", 0.0], digits) for what, digits in columns]
        print(f"| {TITLES[name]} | true | " + " | ".join(cells) + " |")
        for method in ["synthetic", "randomised response", "LapGraph", "DPRR", "Blink"]:
            cells = []
            for what, digits in columns:
                values = [found.get((name, what, method, e), []) for e in EPSILONS]
                texts = [f"{np.mean(v):.{digits}f}" if v else "-" for v in values]
                cells.append(" / ".join(texts))
            print(f"|  | {method} | " + " | ".join(cells) + " |")


def report(path):
    found = {}
    with open(path, newline="") as stream:
        for row in csv.DictReader(stream):
            key = row["set"], row["what"], row["method"], float(row["epsilon"])
            found.setdefault(key, []).append(float(row["value"]))
    sets = [name for name in SETS if (name, "edges", "true", 0.0) in found]
    print("| set | levels | 0.5 | 1 | 2 | 4 |\n|---|---|---|---|---|---|")
    for name in sets:
        for levels in LEVELS:
            cells = [shown(found.get((name, "kolmogorov", f"distribution {levels}", e), []), 4) + " / " +
                     shown(found.get((name, "degree_error", f"distribution {levels}", e), []), 2).split(" ")[0]
                     for e in EPSILONS]
            print(f"| {TITLES[name] if levels == LEVELS[0] else ''} | {levels} | " + " | ".join(cells) + " |")
    columns = [("edges", 0), ("triangles", 0), ("radius", 1), ("largest_degree", 0), ("same_block", 3),
               ("assortativity", 2), ("kolmogorov", 4), ("distance", 2), ("clustering_2_4", 2), ("clustering_5_9", 2),
               ("clustering_10_29", 2), ("clustering_30_up", 2)]
    print("\n| set | epsilon | graph | edges | triangles | largest eigenvalue | largest degree | same class | "
          "assortativity | Kolmogorov | distance | clustering, degree 2-4 | 5-9 | 10-29 | 30 and more |")
    print("|---" * (3 + len(columns)) + "|")
    for name in sets:
        for epsilon in [0.0] + EPSILONS:
            method = "synthetic" if epsilon else "true"
            cells = [shown(found.get((name, what, method, epsilon), []), digits) for what, digits in columns]
            print(f"| {TITLES[name] if not epsilon else ''} | {f'{epsilon:g}' if epsilon else ''} | {method} | " + " | ".join(cells) + " |")
    rivals_report(found, sets)
    print("\n| REDDIT-BINARY, AUC | epsilon | 300 neighbours | forest |\n|---|---|---|---|")
    for key in sorted({key[2:] for key in found if key[0] == "REDDIT-BINARY"}, key=lambda k: (-k[1], k[0])):
        print(f"| {key[0]} | {key[1] or ''} | " + " | ".join(
            shown(found.get(("REDDIT-BINARY", what) + key, []), 3) for what in ("auc_knn300", "auc_forest")) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=3, help="of every graph; 0: none")
    parser.add_argument("--degrees-draws", type=int, default=20)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--reddit", type=int, default=0, metavar="N", help="graph classification, N draws of noise")
    parser.add_argument("--speed", type=int, default=0, metavar="N", help="time of N synthetic graphs, nothing else")
    parser.add_argument("--output")
    parser.add_argument("--report", metavar="CSV", help="tables of such a file as Markdown, nothing is measured")
    arguments = parser.parse_args()
    if arguments.report:
        report(arguments.report)
        return
    if not os.path.isdir(DATA):
        print("structure.py: skipped, no ../shared/data")
        return
    out = open(arguments.output, "w") if arguments.output else sys.stdout
    print("set,what,method,epsilon,draw,value", file=out)

    def put(name, what, method, epsilon, draw, value):
        if np.isnan(value):  # too few edges to tell
            return
        print(f"{name},{what},{method},{epsilon:g},{draw},{value:.6g}", file=out, flush=True)

    if arguments.reddit:
        reddit(put, arguments.reddit)
    for name in [name for name in arguments.sets.split(",") if name]:
        graph, blocks = load(name)
        if arguments.speed:
            speed(put, name, graph, blocks, arguments.speed)
            continue
        if arguments.distribution_draws:
            distributions(put, name, graph, arguments.distribution_draws)
        if arguments.draws:
            graphs(put, name, graph, blocks, arguments.draws)


if __name__ == "__main__":
    main()
