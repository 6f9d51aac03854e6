#!/usr/bin/env python3
"""What a synthetic graph could still learn privately: assortativity, and communities below blocks.

usage: mixing.py [--sets NAME,...] [--draws N] [--output FILE]

Noise is simulated by its law with a seeded generator: nothing here is a release. Writes
set,what,epsilon,draw,value lines.

Assortativity in two rounds, epsilon shared equally. First a noisy degree z of every node (an edge moves two of
them by one: L1 2). Then, z being released, the sum over edges of the product of (z_u - c) and (z_v - c), each
clipped to [-B, B], of which one edge is one term: L1 B^2. Noise of z is independent of the graph and has mean 0,
so but for clipping the sum is unbiased for that of true degrees. c and the variance are those of the degree
sequence, which a synthesis has. The rest is post-processing: pairs of edges of a synthetic graph that are in no
triangle exchange ends within their pair of blocks, which keeps degrees and counts between blocks, until the
assortativity is the released one.

Splits: halves of every block, first at random; three rounds, each a histogram (L1 1) of how many neighbours that
send to it a node has in either half of its block, after which it joins the larger number. A split that says
something has more than half of the edges inside halves."""
import argparse
import csv
import os
import sys

import numpy as np

import privgraph as pg
from structure import DATA, EPSILONS, SETS, degrees, load

HERE = os.path.dirname(os.path.abspath(__file__))
TRIANGLES = pg.Query("triangles", epsilon=1.0)
CLIP = 20.0     # standard deviations of degrees
SWAPS = 400_000


def edges_of(graph):
    offsets, columns = graph.csr()[:2]
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    keep = rows < columns
    return rows[keep], np.asarray(columns)[keep]


def geometric(rate, size, pick):
    stay = 1 - np.exp(-rate)
    return pick.geometric(stay, size) - pick.geometric(stay, size)


def moments(d):
    """Mean and variance of the degree at an end of an edge."""
    mean = (d ** 2.0).sum() / d.sum()
    return mean, (d ** 3.0).sum() / d.sum() - mean ** 2


def assortativity(d, u, v):
    mean, variance = moments(d)
    return float(((d[u] - mean) * (d[v] - mean)).mean() / variance)


def asked(d, u, v, epsilon, pick):
    """The two rounds; mean and variance are taken as known."""
    mean, variance = moments(d)
    bound = CLIP * np.sqrt(np.var(d))
    z = np.clip(d + geometric(epsilon / 4, len(d), pick) - mean, -bound, bound)
    total = (z[u] * z[v]).sum() + pick.laplace(0, 2 * bound ** 2 / epsilon)
    return float(total / len(u) / variance)


def in_no_triangle(graph, u, v):
    offsets, columns = graph.csr()[:2]
    near = [set(columns[offsets[i]:offsets[i + 1]]) for i in range(len(offsets) - 1)]
    return np.array([near[a].isdisjoint(near[b]) for a, b in zip(u, v)])


def exchanged(graph, blocks, wanted, pick):
    """Ends of edges without triangles exchanged, within the same pair of blocks, until the assortativity is wanted."""
    u, v = edges_of(graph)
    d = degrees(graph)
    mean, variance = moments(d)
    turn = blocks[u] > blocks[v]
    u, v = np.where(turn, v, u), np.where(turn, u, v)
    present = set(zip(np.minimum(u, v).tolist(), np.maximum(u, v).tolist()))
    free = np.flatnonzero(in_no_triangle(graph, u, v))
    kind = blocks[u[free]] * (blocks.max() + 1) + blocks[v[free]]
    free = free[np.argsort(kind, kind="stable")]
    kind = np.sort(kind)
    first, last = np.searchsorted(kind, kind), np.searchsorted(kind, kind, "right")
    need = (wanted - assortativity(d, u, v)) * variance * len(u)
    for at in pick.integers(0, len(free), SWAPS):
        i, j = free[at], free[pick.integers(first[at], last[at])]
        a, b, c, e = u[i], v[i], u[j], v[j]
        gain = float(d[a] - d[c]) * float(d[e] - d[b])  # of a-e, c-b over a-b, c-e
        if gain * need <= 0 or abs(gain) > 2 * abs(need) or len({a, b, c, e}) < 4:
            continue
        new = [(min(a, e), max(a, e)), (min(c, b), max(c, b))]
        if any(pair in present for pair in new):
            continue
        present -= {(min(a, b), max(a, b)), (min(c, e), max(c, e))}
        present |= set(new)
        v[i], v[j] = e, b
        need -= gain
    return pg.Graph.from_edges(np.array([u, v]), graph.order)


def splits(u, v, blocks, epsilon, pick):
    """Share of edges inside blocks that are inside halves, after three rounds."""
    half = pick.integers(0, 2, len(blocks))
    inside = blocks[u] == blocks[v]
    u, v = u[inside], v[inside]
    for _ in range(3):
        sent = pick.integers(0, 2, len(u)).astype(bool)  # a public coin says who receives
        receiver, sender = np.where(sent, u, v), np.where(sent, v, u)
        counts = np.bincount(2 * receiver + half[sender], minlength=2 * len(blocks)).reshape(-1, 2)
        noisy = counts + geometric(epsilon / 3, counts.shape, pick)
        half = np.where(noisy[:, 1] == noisy[:, 0], half, noisy[:, 1] > noisy[:, 0]).astype(np.int64)
    sizes = np.bincount(2 * blocks + half, minlength=2 * (blocks.max() + 1)).reshape(-1, 2)
    shares = (sizes / np.maximum(sizes.sum(1, keepdims=True), 1)) ** 2  # by chance
    return float((half[u] == half[v]).mean() - shares.sum(1)[blocks[u]].mean())


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--synthetic", default="pubmed,facebook_pages", help="sets of which graphs are made")
    parser.add_argument("--output", default=os.path.join(HERE, "results", "mixing.csv"))
    options = parser.parse_args(arguments)
    if not os.path.isdir(DATA):
        print(f"skipped: {DATA} is not there")
        return 77
    with open(options.output, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["set", "what", "epsilon", "draw", "value"])

        def put(name, what, epsilon, draw, value):
            lines.writerow([name, what, epsilon, draw, f"{value:.5g}"])
            file.flush()
        for name in options.sets.split(","):
            graph, blocks = load(name)
            blocks = blocks.astype(np.int64)
            (u, v), d, pick = edges_of(graph), degrees(graph), np.random.default_rng(3)
            put(name, "assortativity", 0, 0, assortativity(d, u, v))
            for epsilon in [0.1, 0.2, 0.4] + EPSILONS:
                for draw in range(options.draws):
                    put(name, "asked", epsilon, draw, asked(d, u, v, epsilon, pick))
            for epsilon in [0.3] + EPSILONS + [100]:
                for draw in range(options.draws):
                    put(name, "split", epsilon, draw, splits(u, v, blocks, epsilon, pick))
            if name not in options.synthetic.split(","):
                continue
            for draw in range(min(options.draws, 2)):
                made = pg.synthesize(graph, 0.8, groups=blocks, rng=pg.Rng.seeded(20 + draw))[0]
                wanted = asked(d, u, v, 0.2, pick)
                again = exchanged(made, blocks, wanted, pick)
                for what, one in (("made", made), ("exchanged", again)):
                    put(name, what + " assortativity", 1.0, draw, assortativity(degrees(one), *edges_of(one)))
                    put(name, what + " triangles", 1.0, draw, TRIANGLES.values_exact(one)[0, 0])
                put(name, "degrees kept", 1.0, draw, float((degrees(made) == degrees(again)).mean()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
