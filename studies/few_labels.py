#!/usr/bin/env python3
"""Can histogram be beaten with few labels? Several rounds, public feature graphs, posteriors passed on.

    few_labels.py [--data FOLDER] [--out CSV]

A development study: accuracy is that of a validation part (a fifth of the nodes) which chose nothing; the nodes that the
other tables test are never looked at. Another tenth of the nodes chooses settings, 10 or 2 percent learn. Mean and half of a 95 percent
interval (two deviations of the mean) over a few splits. Without the data it says so and stops.
"""
import argparse
import os
import sys

import numpy as np

import privgraph as pg

SETS = (("cora", 6), ("photo", 3), ("facebook_pages", 2))
SHARES, EPSILONS, SEEDS = (0.1, 0.02), (1.0, 4.0), 990000


def encoder(x, labels, checks, classes):
    """Class probabilities of a logistic regression, its penalty by the nodes that choose."""
    best, score = None, -1.0
    for penalty in (0.3, 1.0, 3.0, 10.0):
        found = pg.Logistic(x, labels, classes=classes, penalty=penalty, tolerance=1e-3, rounds=100).predict(x)
        right = (found.argmax(1) == checks)[checks >= 0].mean()
        if right > score:
            best, score = found, right
    return best


def normalised(p, least):
    p = np.clip(p, least, None)
    return p / p.sum(1, keepdims=True)


def spread(prior, labels, near, rounds=5):
    """Labels and probabilities passed along a public graph of like features."""
    known = labels >= 0
    sent = np.eye(prior.shape[1])[np.maximum(labels, 0)]
    now = np.where(known[:, None], sent, prior)
    for _ in range(rounds):
        now = np.where(known[:, None], sent, 0.5 * now[near].mean(1) + 0.5 * prior)
    return normalised(np.where(known[:, None], prior, now), 1e-4)


def methods(graph, labels, checks, plain, smooth, epsilon):
    def once(prior, budget, share=0.0):
        return pg.classify(graph, labels, budget, prior=prior, checks=checks, first_share=share).probabilities

    yield "one round", once(plain, epsilon)
    yield "one round, feature graph", once(smooth, epsilon)
    yield "two rounds", once(plain, epsilon, 0.4)
    yield "two rounds, feature graph", once(smooth, epsilon, 0.4)
    passed = plain
    for part in (0.25, 0.35, 0.4):  # each round's posterior is the next one's prior
        passed = normalised(once(passed, epsilon * part), 1e-5)
    yield "three rounds, posteriors passed on", passed


def measure(put, name, splits, folder):
    from sklearn.neighbors import NearestNeighbors
    graph, features, marks = pg.read_folder(os.path.join(folder, name))[:3]
    classes, n = np.asarray(marks.values), graph.order
    count, x = int(classes.max()) + 1, pg.directions(features, 64) * 8.0
    unit = x / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-12)
    near = NearestNeighbors(n_neighbors=11).fit(unit).kneighbors(unit, return_distance=False)[:, 1:]
    for share in SHARES:
        found = {}
        for split in range(splits):
            order, learn = np.random.default_rng(SEEDS + split).permutation(n), int(share * n)
            part = np.full(n, 3)  # 3: never looked at
            part[order[:learn]], part[order[learn:learn + n // 10]] = 0, 1
            part[order[learn + n // 10:learn + 3 * n // 10]] = 2
            labels = np.where(part == 0, classes, -1).astype(np.int32)
            checks = np.where(part == 1, classes, -1).astype(np.int32)

            def note(method, epsilon, p):
                found.setdefault((method, epsilon), []).append(100 * (p.argmax(1) == classes)[part == 2].mean())

            plain = encoder(x, labels, checks, count)
            smooth = spread(plain, labels, near)
            note("features", 0, plain)
            note("features, feature graph", 0, smooth)
            for epsilon in EPSILONS:
                for method, p in methods(graph, labels, checks, plain, smooth, epsilon):
                    note(method, epsilon, p)
        for (method, epsilon), right in found.items():
            put(name, share, method, epsilon, np.mean(right), 2 * np.std(right, ddof=1) / np.sqrt(len(right)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../shared/data"))
    parser.add_argument("--out")
    arguments = parser.parse_args()
    if not os.path.isdir(arguments.data):
        print(f"no data in {arguments.data}: nothing measured")
        return 77
    out = open(arguments.out, "w") if arguments.out else sys.stdout
    print("set,labelled,method,epsilon,accuracy,interval", file=out)

    def put(name, share, method, epsilon, accuracy, interval):
        print(f'{name},{share:g},"{method}",{epsilon:g},{accuracy:.1f},{interval:.1f}', file=out, flush=True)

    for name, splits in SETS:
        measure(put, name, splits, arguments.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
