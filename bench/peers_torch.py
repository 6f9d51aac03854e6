#!/usr/bin/env python3
"""torch on the graph that bench wrote: a two-layer GCN, dropout .5, Adam with decay, one thread.

usage: peers_torch.py FILE HIDDEN BUDGET

Prints the least processor seconds of an epoch with dense and with sparse features; nan for dense ones above 1 GB.
"""
import sys
import time

import numpy
import torch


class Gcn(torch.nn.Module):
    def __init__(self, width, hidden, classes, operator, dense):
        super().__init__()
        self.first = torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(width, hidden)))
        self.second = torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(hidden, classes)))
        self.biases = torch.nn.ParameterList([torch.nn.Parameter(torch.zeros(hidden)),
                                              torch.nn.Parameter(torch.zeros(classes))])
        self.operator, self.dense = operator, dense

    def forward(self, x):
        if self.dense:
            h = torch.nn.functional.dropout(x, .5) @ self.first
        else:
            kept = torch.nn.functional.dropout(x.values(), .5)
            h = torch.sparse.mm(torch.sparse_coo_tensor(x.indices(), kept, x.shape), self.first)
        h = torch.relu(torch.sparse.mm(self.operator, h) + self.biases[0])
        h = torch.nn.functional.dropout(h, .5) @ self.second
        return torch.sparse.mm(self.operator, h) + self.biases[1]


def operator_of(offsets, columns, order):
    degree = numpy.diff(offsets) + 1.0
    rows = numpy.concatenate([numpy.repeat(numpy.arange(order), numpy.diff(offsets)), numpy.arange(order)])
    ends = numpy.concatenate([columns.astype(numpy.int64), numpy.arange(order)])
    values = (1 / numpy.sqrt(degree[rows] * degree[ends])).astype(numpy.float32)
    return torch.sparse_coo_tensor(torch.from_numpy(numpy.stack([rows, ends])), torch.from_numpy(values),
                                   (order, order)).coalesce()


def epoch_of(model, x, labels, budget):
    optimiser = torch.optim.Adam(model.parameters(), lr=.01, weight_decay=5e-4)
    seconds, start = [], time.perf_counter()
    while len(seconds) < 4 or (time.perf_counter() - start < budget and len(seconds) < 200):
        begin = time.process_time()
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(model(x), labels).backward()
        optimiser.step()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def main():
    torch.set_num_threads(1)
    with open(sys.argv[1], "rb") as file:
        order, arcs, width, entries, classes = numpy.fromfile(file, dtype=numpy.int64, count=5)
        offsets = numpy.fromfile(file, dtype=numpy.int64, count=order + 1)
        columns = numpy.fromfile(file, dtype=numpy.int32, count=arcs)
        x_offsets = numpy.fromfile(file, dtype=numpy.int64, count=order + 1)
        indices = numpy.fromfile(file, dtype=numpy.int32, count=entries)
        values = numpy.fromfile(file, dtype=numpy.float64, count=entries)
        labels = torch.from_numpy(numpy.fromfile(file, dtype=numpy.int32, count=order).astype(numpy.int64))
    hidden, budget = int(sys.argv[2]), float(sys.argv[3])
    operator = operator_of(offsets, columns, order)
    rows = numpy.repeat(numpy.arange(order), numpy.diff(x_offsets))
    x = torch.sparse_coo_tensor(torch.from_numpy(numpy.stack([rows, indices.astype(numpy.int64)])),
                                torch.from_numpy(values.astype(numpy.float32)), (order, width)).coalesce()
    dense = float("nan")
    if order * width * 4 < 10**9:
        dense = epoch_of(Gcn(width, hidden, classes, operator, True), x.to_dense(), labels, budget)
    print(f"{dense:.9g} {epoch_of(Gcn(width, hidden, classes, operator, False), x, labels, budget):.9g}")


if __name__ == "__main__":
    main()
