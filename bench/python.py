#!/usr/bin/env python3
"""Sets of graphs on their way into Python: 41127 graphs like molecules, 100,000 of ten nodes.

usage: python.py    (PYTHONPATH and PRIVGRAPH_LIBRARY as for the tests; ./dev bench python)

Prints for each case the least processor time and wall-clock time of five runs. Targets: 0.12 s from a batch, 0.35 s
from a list, 0.3 microseconds for a graph of ten nodes.
"""
import time

import numpy as np
from scipy import sparse

import privgraph as pg

GRAPHS, SMALL = 41127, 100000


class Data:
    """As PyG's."""

    def __init__(self, edge_index, num_nodes):
        self.edge_index, self.num_nodes = edge_index, num_nodes


def ring(order):
    ends = np.arange(order)
    return np.array([np.r_[ends, (ends + 1) % order], np.r_[(ends + 1) % order, ends]])


def report(name, call, each=1):
    times = []
    for _ in range(5):
        processor, wall = time.process_time(), time.perf_counter()
        call()
        times.append((time.process_time() - processor, time.perf_counter() - wall))
    processor, wall = map(min, zip(*times))
    unit, factor = ("s", 1.0) if each == 1 else ("us each", 1e6 / each)
    print(f"{name:28} {processor * factor:8.4f} {unit} processor {wall * factor:8.4f} {unit} wall", flush=True)


def main():
    orders = np.random.default_rng(1).integers(10, 42, GRAPHS)
    parts = [ring(int(order)) for order in orders]
    starts = np.r_[0, np.cumsum(orders)]
    edges = np.concatenate([part + start for part, start in zip(parts, starts)], axis=1)
    batch = np.repeat(np.arange(GRAPHS), orders)
    pairs = [(part, int(order)) for part, order in zip(parts, orders)]
    data = [Data(*pair) for pair in pairs]
    matrix = sparse.csr_matrix((np.ones(edges.shape[1], np.int8), tuple(edges)), shape=(starts[-1],) * 2)
    whole = pg.GraphSet.from_batch(edges, batch)
    graphs = list(whole)
    few = np.arange(10)
    small = np.tile([few, (few + 1) % 10], SMALL) + np.repeat(10 * np.arange(SMALL), 10)
    report("python.set.batch", lambda: pg.GraphSet.from_batch(edges, batch))
    report("python.set.pairs", lambda: pg.GraphSet.from_graphs(pairs))
    report("python.set.objects", lambda: pg.GraphSet.from_graphs(data))
    report("python.set.graphs", lambda: pg.GraphSet.from_graphs(graphs))
    report("python.set.block_diagonal", lambda: pg.GraphSet.from_block_diagonal(matrix, orders))
    report("python.set.slice", lambda: whole[1000:21000])
    report("python.set.ten_nodes", lambda: pg.GraphSet.from_edges(small, np.full(SMALL, 10), merge=False), SMALL)


if __name__ == "__main__":
    main()
