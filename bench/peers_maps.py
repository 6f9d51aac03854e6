#!/usr/bin/env python3
"""Maps of the network grammar next to torch: an epoch of `MAP 64 relu | MAP classes` on Cora, one thread, processor time.

usage: PYTHONPATH=bindings/python PRIVGRAPH_LIBRARY=... bench/peers_maps.py [--data FOLDER]

Both read Cora's features as they are best for them (ours sparse; torch's first products sparse). The epoch of the library is the
difference of two trainings over their epochs, without choosing; torch's is the least of many. The maps of torch are written here
with sparse products and index_add, as graph libraries do it; softmax over neighbours with the largest entry taken off.
"""
import argparse
import math
import os
import sys
import time

import numpy
import privgraph as pg
import torch

HEADS, HIDDEN, EPOCHS = 4, 64, (10, 50)
SKIPPED = 77


class Arcs:
    """Arcs from sender to receiver, in the order of receivers."""

    def __init__(self, graph, loops):
        matrix = graph.to_scipy().tocoo()
        rows, columns = matrix.row.astype(numpy.int64), matrix.col.astype(numpy.int64)
        if loops:
            rows = numpy.concatenate([rows, numpy.arange(graph.order)])
            columns = numpy.concatenate([columns, numpy.arange(graph.order)])
        order = numpy.argsort(rows, kind="stable")
        self.order = graph.order
        self.to, self.origin = torch.from_numpy(rows[order]), torch.from_numpy(columns[order])
        values = torch.ones(len(rows))
        self.matrix = torch.sparse_coo_tensor(torch.stack([self.to, self.origin]), values, (graph.order, graph.order)).coalesce()

    def softmax(self, scores):
        top = torch.full((self.order, scores.shape[1]), -math.inf).scatter_reduce(
            0, self.to[:, None].expand_as(scores), scores, "amax")
        weights = torch.exp(scores - top[self.to])
        total = torch.zeros(self.order, scores.shape[1]).index_add(0, self.to, weights)
        return weights / total[self.to]

    def gather(self, weights, messages):
        out = torch.zeros(self.order, *messages.shape[1:])
        return out.index_add(0, self.to, weights[..., None] * messages[self.origin])


class Linear(torch.nn.Module):
    """Of dense or sparse rows."""

    def __init__(self, width, out):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.nn.init.xavier_uniform_(torch.empty(width, out)))

    def forward(self, x):
        return torch.sparse.mm(x, self.weight) if x.is_sparse else x @ self.weight


class GraphConv(torch.nn.Module):
    def __init__(self, width, out, arcs):
        super().__init__()
        self.own, self.other, self.arcs = Linear(width, out), Linear(width, out), arcs

    def forward(self, x):
        return self.own(x) + torch.sparse.mm(self.arcs.matrix, self.other(x))


class Gatv2(torch.nn.Module):
    def __init__(self, width, out, arcs, heads):
        super().__init__()
        self.left, self.right, self.arcs, self.heads = Linear(width, out), Linear(width, out), arcs, heads
        self.attention = torch.nn.Parameter(torch.randn(heads, out // heads) / math.sqrt(out // heads))

    def forward(self, x):
        left = self.left(x).view(self.arcs.order, self.heads, -1)
        right = self.right(x).view(self.arcs.order, self.heads, -1)
        both = torch.nn.functional.leaky_relu(left[self.arcs.to] + right[self.arcs.origin], .2)
        return self.arcs.gather(self.arcs.softmax((both * self.attention).sum(-1)), right).flatten(1)


class Transformer(torch.nn.Module):
    def __init__(self, width, out, arcs, heads):
        super().__init__()
        self.parts = torch.nn.ModuleList(Linear(width, out) for _ in range(4))
        self.arcs, self.heads = arcs, heads

    def forward(self, x):
        query, key, value = (part(x).view(self.arcs.order, self.heads, -1) for part in self.parts[:3])
        scores = (query[self.arcs.to] * key[self.arcs.origin]).sum(-1) / math.sqrt(query.shape[-1])
        return self.arcs.gather(self.arcs.softmax(scores), value).flatten(1) + self.parts[3](x)


def torch_epoch(make, x, labels, classes):
    first, second = make(x.shape[1], HIDDEN, HEADS), make(HIDDEN, classes, 1)
    model = torch.nn.ModuleList([first, second])
    optimiser = torch.optim.Adam(model.parameters(), lr=.01)
    seconds = []
    for _ in range(20):
        begin = time.process_time()
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(second(torch.relu(first(x))), labels).backward()
        optimiser.step()
        seconds.append(time.process_time() - begin)
    return min(seconds)


def our_epoch(text, data, columns, classes):
    spent = []
    for epochs in EPOCHS:
        found = []
        for _ in range(3):
            begin = time.process_time()
            pg.Model.train(pg.Network(text, columns, classes), data, seed=1, epochs=epochs, threads=1)
            found.append(time.process_time() - begin)
        spent.append(min(found))
    return (spent[1] - spent[0]) / (EPOCHS[1] - EPOCHS[0])


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.path.join(here, "..", "..", "shared", "data"))
    folder = os.path.join(parser.parse_args().data, "cora")
    if not os.path.isdir(folder):
        print("no data: nothing to compare")
        return SKIPPED
    torch.set_num_threads(1)
    graph, features, labels = pg.read_folder(folder)[:3]
    matrix, truth = features.to_scipy().tocoo(), numpy.asarray(labels.values)
    classes, columns = int(truth.max()) + 1, matrix.shape[1]
    x = torch.sparse_coo_tensor(numpy.stack([matrix.row, matrix.col]).astype(numpy.int64), matrix.data.astype(numpy.float32),
                                matrix.shape).coalesce()
    told = torch.from_numpy(truth.astype(numpy.int64))
    data = pg.Dataset(graph=pg.public(graph), features=pg.public(matrix.tocsr()), labels=pg.public(truth.astype(numpy.int32)))
    plain, loops = Arcs(graph, False), Arcs(graph, True)
    cases = (("graphconv", "", lambda width, out, heads: GraphConv(width, out, plain)),
             ("gatv2", f" heads={HEADS}", lambda width, out, heads: Gatv2(width, out, loops, heads)),
             ("transformer", f" heads={HEADS}", lambda width, out, heads: Transformer(width, out, plain, heads)))
    print("| map | ms an epoch | torch | times |\n|---|---|---|---|")
    for name, heads, make in cases:
        one = " heads=1" if heads else ""
        ours = our_epoch(f"{name} {HIDDEN}{heads} relu | {name} classes{one}", data, columns, classes)
        theirs = torch_epoch(make, x, told, classes)
        print(f"| `{name}` | {1000 * ours:.2f} | {1000 * theirs:.2f} | {theirs / ours:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
