#!/usr/bin/env python3
"""Sets of graphs on their way into Python: 41127 graphs like molecules, 100,000 of ten nodes.

usage: python.py [--quick | --smoke] [--case PREFIX] [--json FILE] [--append]
       (PYTHONPATH and PRIVGRAPH_LIBRARY as for the tests; ./dev bench python)

Prints for each case the median wall-clock time and the least processor time of several runs, its goal, and how many
times as long it takes as copying the arrays that the set consists of. --append: behind the cases that FILE holds.
"""
import argparse
import json
import pathlib
import statistics
import time

import numpy as np

import privgraph as pg

try:
    from scipy import sparse
except ImportError:
    sparse = None


class Data:
    """As PyG's."""

    def __init__(self, edge_index, num_nodes):
        self.edge_index, self.num_nodes = edge_index, num_nodes


class Report:
    """Cases in the form of bench.c."""

    def __init__(self, options):
        self.cases, self.prefix = [], options.case
        self.runs = 1 if options.smoke else 3 if options.quick else 7

    def add(self, name, call, goal="", items=1, item="set", limit=None):
        """limit: a call that does what cannot be avoided."""
        if not name.startswith(self.prefix):
            return
        seconds, processor = self.measure(call)
        case = {"name": name, "seconds": seconds, "threads": 1, "pairs_per_second": items / seconds, "item": item,
                "roofline_ratio": None, "reference_ratio": None,
                "note": f"cpu {processor:.4g} s" + (f"; goal {goal}" if goal else ""), "checksum": "0" * 16}
        text = f"{name:40}  1 thr {seconds:10.4g} s {1e9 * seconds / items:9.3g} ns/{item:8}"
        if limit is not None:
            case["roofline_ratio"] = self.measure(limit)[0] / seconds
            text += f"  {1 / case['roofline_ratio']:6.2f}x the time of copying its arrays"
        print(f"{text}  ({case['note']})", flush=True)
        self.cases.append(case)

    def measure(self, call):
        times = []
        for _ in range(self.runs):
            processor, wall = time.process_time(), time.perf_counter()
            call()
            times.append((time.perf_counter() - wall, time.process_time() - processor))
        return statistics.median(wall for wall, _ in times), min(processor for _, processor in times)

    def write(self, path, append):
        file = pathlib.Path(path)
        before = json.loads(file.read_text()) if append and file.exists() else []
        file.write_text("[\n" + ",\n".join("  " + json.dumps(case) for case in before + self.cases) + "\n]\n")


def ring(order):
    ends = np.arange(order)
    return np.array([np.r_[ends, (ends + 1) % order], np.r_[(ends + 1) % order, ends]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--append", action="store_true")
    parser.add_argument("--peers", action="store_true", help="taken and ignored")
    parser.add_argument("--case", default="")
    parser.add_argument("--json")
    options = parser.parse_args()
    count, small_count = (200, 500) if options.smoke else (4000, 10000) if options.quick else (41127, 100000)
    orders = np.random.default_rng(1).integers(10, 42, count)
    parts = [ring(int(order)) for order in orders]
    starts = np.r_[0, np.cumsum(orders)]
    edges = np.concatenate([part + start for part, start in zip(parts, starts)], axis=1)
    batch = np.repeat(np.arange(count), orders)
    pairs = [(part, int(order)) for part, order in zip(parts, orders)]
    data = [Data(*pair) for pair in pairs]
    whole = pg.GraphSet.from_batch(edges, batch)
    arrays = [np.array(part) for part in whole.csr()]
    graphs = list(whole)
    few = np.arange(10)
    small = np.tile([few, (few + 1) % 10], small_count) + np.repeat(10 * np.arange(small_count), 10)
    half = slice(count // 40, count // 40 + count // 2)
    assert np.array_equal(whole[half].orders, orders[half])

    def copy():
        return [part.copy() for part in arrays]

    report = Report(options)
    report.add("python.set.batch", lambda: pg.GraphSet.from_batch(edges, batch), ".12 s for 41127 graphs", count,
               "graph", copy)
    report.add("python.set.pairs", lambda: pg.GraphSet.from_graphs(pairs), ".35 s for 41127 graphs", count, "graph",
               copy)
    report.add("python.set.objects", lambda: pg.GraphSet.from_graphs(data), ".35 s for 41127 graphs", count, "graph",
               copy)
    report.add("python.set.graphs", lambda: pg.GraphSet.from_graphs(graphs), "", count, "graph", copy)
    if sparse is None:
        print("python.set.block_diagonal: no scipy here, skipped")
    else:
        matrix = sparse.csr_matrix((np.ones(edges.shape[1], np.int8), tuple(edges)), shape=(starts[-1],) * 2)
        report.add("python.set.block_diagonal", lambda: pg.GraphSet.from_block_diagonal(matrix, orders), "", count,
                   "graph", copy)
    report.add("python.set.slice", lambda: whole[half], "", count // 2, "graph", copy)
    report.add("python.set.ten_nodes",
               lambda: pg.GraphSet.from_edges(small, np.full(small_count, 10), merge=False), "300 ns", small_count,
               "graph")
    if options.json:
        report.write(options.json, options.append)


if __name__ == "__main__":
    main()
