#!/usr/bin/env python3
"""Synthetic graphs on PGB (arXiv 2408.02928): its fifteen queries, beside the published values.

usage: pgb.py [--draws N] [--epsilons X,...] [--graphs NAME,...] [--output FILE] [--measure PROGRAM]
       pgb.py --picture FILE     from the lines that are there: mean rank by query at epsilon 1

Writes graph,query,name,epsilon,draw,value lines and prints, for every graph and query, the mean over draws with
half of a 95 % interval and, where values were published, the rank among the six methods. Seeded noise: nothing
here is a release. The library's default settings. Five more public graphs have no published values.
Needs ../shared/pgb and ../shared/data; says so and ends without them."""
import argparse
import collections
import csv
import gzip
import math
import os
import subprocess
import sys

import privgraph as pg

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get("PVG_SHARED", os.path.join(HERE, "..", "..", "shared"))
PUBLISHED = ["facebook_ego", "gnutella25", "econ_poli"]
OTHERS = ["cora", "citeseer", "pubmed", "lastfm_asia", "photo"]
NAMES = ["nodes", "edges", "triangles", "mean degree", "degree variance", "degrees", "diameter", "mean path",
         "distances", "global clustering", "local clustering", "communities", "modularity", "assortativity",
         "centrality"]
TINY = 2.220446049250313e-16    # PGB adds this to every share


def load(name):
    """Order and edges."""
    if name in PUBLISHED:
        with gzip.open(os.path.join(SHARED, "pgb", name + ".txt.gz"), "rt") as file:
            order = int(next(file).split()[2])
            return order, [tuple(map(int, line.split())) for line in file]
    folder = os.path.join(SHARED, "data", name)
    with gzip.open(os.path.join(folder, "labels.txt.gz"), "rt") as file:
        order = sum(1 for _ in file)
    with gzip.open(os.path.join(folder, "edges.txt.gz"), "rt") as file:
        return order, [tuple(map(int, line.split())) for line in file]


def edges_of(graph):
    offsets, columns = graph.csr()
    return [(u, int(v)) for u in range(graph.order) for v in columns[offsets[u]:offsets[u + 1]] if v > u]


def measure(program, order, edges):
    """What studies/pgb_measure.c says of one graph."""
    text = "".join(["%d %d\n" % (order, len(edges))] + ["%d %d\n" % edge for edge in edges])
    said = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    out = {}
    for line in said.splitlines():
        word, *numbers = line.split()
        out[word] = [float(x) for x in (numbers if word == "numbers" else numbers[1:])]
    return out


def divergence(true, made):
    """Kullback-Leibler of two lists of counts."""
    many = max(len(true), len(made))
    p, q = ([x / sum(counts) + TINY for x in counts + [0] * (many - len(counts))] for counts in (true, made))
    p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
    return sum(x * math.log(x / y) for x, y in zip(p, q))


def information(a, b):
    """Normalised mutual information of two partitions."""
    n = len(a)
    first, second, both = collections.Counter(a), collections.Counter(b), collections.Counter(zip(a, b))
    entropy = -sum(k / n * math.log(k / n) for c in (first, second) for k in c.values())
    shared = sum(k / n * math.log(k * n / (first[x] * second[y])) for (x, y), k in both.items())
    return 2.0 * shared / entropy if entropy > 0 else 1.0


def errors(true, made):
    """The fifteen queries, in their order. Relative errors but for distributions, communities, centrality."""
    t, m = true["numbers"], made["numbers"]
    off = [abs(x - y) / abs(x) if x else abs(y) for x, y in zip(t, m)]
    top = [abs(x - y) for x, y in zip(true["top"], made["top"])]
    return off[:5] + [divergence(true["degrees"], made["degrees"]), off[5], off[6],
                      divergence(true["distances"], made["distances"]), off[7], off[8],
                      information(true["community"], made["community"]), off[9], off[10], sum(top) / len(top)]


def published():
    """(graph, query, epsilon) -> {method: value}."""
    out = collections.defaultdict(dict)
    with open(os.path.join(SHARED, "pgb", "published.csv"), encoding="ascii") as file:
        for row in csv.DictReader(file):
            out[row["dataset"], int(row["query"]), float(row["eps"])][row["method"]] = float(row["value"])
    return out


def rank(value, others, query):
    """1: as good as the best. Communities: larger is better."""
    sign = -1.0 if query == 12 else 1.0
    return 1 + sum(sign * other < sign * value - 1e-12 for other in others)


def interval(values):
    """Mean and half of a 95 % interval, normal."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, float("nan")
    spread = sum((x - mean) ** 2 for x in values) / (len(values) - 1)
    return mean, 2.262 * math.sqrt(spread / len(values))    # Student, ten draws


def report(name, epsilon, all_errors, known):
    ranks = []
    for query, title in enumerate(NAMES, 1):
        mean, half = interval([e[query - 1] for e in all_errors])
        line = "%-13s %-4g %2d %-18s %.5f +- %.5f" % (name, epsilon, query, title, mean, half)
        others = known.get((name, query, epsilon))
        if others:
            pick = max if query == 12 else min
            best = pick(others, key=others.get)
            ranks.append(rank(mean, others.values(), query))
            line += "  rank %d  best published %s %.5f" % (ranks[-1], best, others[best])
        print(line)
    if ranks:
        print("%s, epsilon %g: first in %d of %d, mean rank %.2f\n" % (name, epsilon, ranks.count(1), len(ranks),
                                                                     sum(ranks) / len(ranks)), flush=True)
    return ranks


def picture(source, path, known, epsilon=1.0):
    """Mean rank among seven over the published graphs, one column for each query."""
    own = collections.defaultdict(list)
    with open(source, encoding="ascii") as file:
        for row in csv.DictReader(file):
            if row["graph"] in PUBLISHED and float(row["epsilon"]) == epsilon:
                own[row["graph"], int(row["query"])].append(float(row["value"]))
    ranks = collections.defaultdict(list)
    for (name, query), values in own.items():
        all_values = dict(known[name, query, epsilon], libprivgraph=sum(values) / len(values))
        for method, value in all_values.items():
            ranks[method, query].append(rank(value, all_values.values(), query))
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" width="720" height="330" font-family="sans-serif" '
             'font-size="11">',
             '<text x="45" y="16">Mean rank among seven methods, three graphs of PGB, epsilon %g '
             '(1 is best)</text>' % epsilon]
    for step in range(1, 8):
        y = 10 + 28 * step
        lines.append('<line x1="40" x2="700" y1="%d" y2="%d" stroke="#ddd"/><text x="24" y="%d">%d</text>' %
                     (y, y, y + 4, step))
    for (method, query), found in sorted(ranks.items(), key=lambda item: item[0][0] == "libprivgraph"):
        x, y = 18 + 44 * query, 10 + 28 * sum(found) / len(found)
        mine = method == "libprivgraph"
        lines.append('<circle cx="%d" cy="%.1f" r="%d" fill="%s"><title>%s %.2f</title></circle>' %
                     (x, y, 6 if mine else 3, "#c33" if mine else "#89a", method, sum(found) / len(found)))
    for query, title in enumerate(NAMES, 1):
        x = 18 + 44 * query
        lines.append('<text x="%d" y="230" transform="rotate(40 %d 230)">%s</text>' % (x, x, title))
    lines += ['<circle cx="520" cy="312" r="6" fill="#c33"/><text x="530" y="316">libprivgraph</text>',
              '<circle cx="620" cy="312" r="3" fill="#89a"/><text x="628" y="316">published</text>', "</svg>"]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def main():
    library = os.environ.get("PRIVGRAPH_LIBRARY", os.path.join(HERE, "..", "build", "lib", "libprivgraph.so"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--epsilons", default="1,2")
    parser.add_argument("--graphs", default=",".join(PUBLISHED + OTHERS))
    parser.add_argument("--output", default=os.path.join(HERE, "results", "pgb.csv"))
    parser.add_argument("--measure",
                        default=os.path.join(os.path.dirname(library), "..", "studies", "pgb_measure"))
    parser.add_argument("--picture")
    options = parser.parse_args()
    if not os.path.isdir(os.path.join(SHARED, "pgb")):
        sys.exit("pgb.py: no folder %s: the graphs are not there" % os.path.join(SHARED, "pgb"))
    known, found = published(), collections.defaultdict(list)
    if options.picture:
        picture(options.output, options.picture, known)
        return
    with open(options.output, "w", encoding="ascii") as file:
        file.write("graph,query,name,epsilon,draw,value\n")
        for name in options.graphs.split(","):
            order, edges = load(name)
            graph, true = pg.Graph.from_edges(edges, order), measure(options.measure, order, edges)
            for epsilon in map(float, options.epsilons.split(",")):
                draws = []
                for draw in range(options.draws):
                    made, _ = pg.synthesize(graph, epsilon, rng=pg.Rng.seeded(1000 + draw))
                    draws.append(errors(true, measure(options.measure, order, edges_of(made))))
                    for query, title in enumerate(NAMES, 1):
                        file.write("%s,%d,%s,%g,%d,%.8g\n" % (name, query, title, epsilon, draw,
                                                              draws[-1][query - 1]))
                    file.flush()
                found[epsilon] += report(name, epsilon, draws, known)
    for epsilon, ranks in found.items():
        if ranks:
            print("epsilon %g, published graphs: first in %d of %d, mean rank %.2f" %
                  (epsilon, ranks.count(1), len(ranks), sum(ranks) / len(ranks)))


if __name__ == "__main__":
    main()
