#!/usr/bin/env python3
"""Classes of graphs: a network that reads private embeddings, and GIN on graphs released by DPRR.

    graph_classes.py [--data FOLDER] [--sets NAME,...] [--draws N] [--out CSV]
    graph_classes.py --report CSV [--figure SVG]      Markdown table on stdout, figure

Every graph is a private object; its number of nodes, types of nodes (where the set has them) and its label are public.
Embeddings: the number of edges (Laplace), or degree levels and ranks, with the node count and public types, columns to mean 0
and deviation 1; read by `dense 64 relu drop .3 | dense classes`, ten restarts averaged, and by nearest neighbours as
in table 2. Rival: `gin 64 bn relu` three times, `pool mean | dense classes`, on graphs that DPRR released, nodes with a one, the
log of their released degree and their public type; GIN on the exact graphs is not private. Area under the curve on test
graphs as released: the scaffold split of molecules, else ten given folds (three for GIN), the fold before the tested one
chooses. Settings are those of the design notes, but for batch norm in GIN; nothing was tuned. REDDIT-BINARY is too large for GIN here.
"""
import argparse
import os
import sys
import time
import warnings
from typing import Any, Iterator, List, Tuple

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import common
import privgraph as pg
import table2

EPSILONS = (1.0, 4.0)
EXACT = 60.0  # stands for "no noise" in the CSV
COLUMNS = ["set", "row", "epsilon", "seed", "area"]
SETS = {"REDDIT-BINARY": 300, "PROTEINS": 100, "IMDB-BINARY": 100, "molbace": 100}  # nearest neighbours
ROWS = {"count mlp": "node count and types (public), network", "edges knn": "edges, nearest neighbours",
        "edges mlp": "edges, network", "levels knn": "levels and ranks, nearest neighbours",
        "levels mlp": "levels and ranks, network", "gin": "GIN on DPRR graphs"}
GIN = "gin 64 bn relu | gin 64 bn relu | gin 64 bn relu | pool mean | dense classes"
MLP = "dense 64 relu drop .3 | dense classes"
GIN_NODES, GIN_FOLDS = 100000, 3

Fold = Tuple[np.ndarray, np.ndarray, np.ndarray]


def folds_of(folder: str, name: str, count: int) -> List[Fold]:
    """(learn, choose, test)."""
    split = table2.read_numbers(folder, f"{name}_split.txt")
    if split is not None:
        return [(split == 0, split == 1, split == 2)]
    folds = table2.read_numbers(folder, f"{name}_folds.txt")
    assert folds is not None and len(folds) == count, folder
    chooses = [k - 1 or 10 for k in range(1, 11)]
    return [((folds != k) & (folds != c) & (folds > 0), folds == c, folds == k) for k, c in zip(range(1, 11), chooses)]


def parts(fold: Fold) -> np.ndarray:
    return np.where(fold[0], 0, np.where(fold[1], 1, -1)).astype(np.int32)


def read_by_network(rows: np.ndarray, labels: np.ndarray, fold: Fold) -> float:
    spread = rows.std(0)
    x = (rows - rows.mean(0)) / np.where(spread > 0, spread, 1)
    known = np.where(fold[2], -1, labels).astype(np.int32)
    data = pg.Dataset(features=pg.public(x), labels=pg.public(known), split=parts(fold))
    model = pg.Model.train(pg.Network(MLP, x.shape[1], int(labels.max()) + 1), data, averages=10, epochs=100)
    return 100 * roc_auc_score(labels[fold[2]], model.predict_exact(data)[fold[2], 1])


def read_by_neighbours(rows: np.ndarray, labels: np.ndarray, fold: Fold, neighbours: int) -> float:
    learner = make_pipeline(StandardScaler(), KNeighborsClassifier(neighbours, algorithm="brute"))
    learner.fit(rows[fold[0]], labels[fold[0]])
    return 100 * roc_auc_score(labels[fold[2]], learner.predict_proba(rows[fold[2]])[:, 1])


def public_columns(graphs: Any) -> np.ndarray:
    columns = [graphs.orders[:, None].astype(float)]
    if graphs.node_labels is not None:
        columns.append(table2.type_counts(graphs, int(np.max(graphs.node_labels)) + 1))
    return np.hstack(columns)


def embed(graphs: Any, row: str, epsilon: float) -> np.ndarray:
    warnings.simplefilter("ignore", pg.RepeatedReleaseWarning)  # the study as a whole has no guarantee
    if row == "levels":
        return np.asarray(pg.DegreeEmbedding(epsilon=epsilon).fit().transform(graphs))
    made = pg.PrivateEmbedding("edge", epsilon=epsilon, delta=0.0, noise="laplace", scaling="per-node").fit()
    return np.asarray(made.draw(graphs).values)


def rows_by_gin(graphs: Any, types: Any, labels: np.ndarray, fold: Fold, epochs: int = 60) -> np.ndarray:
    """graphs: released, or exact. Types of nodes are public, and in the same order."""
    degrees = np.concatenate([np.bincount(np.concatenate(graph.edges()), minlength=graph.order) for graph in graphs])
    columns = [np.ones((graphs.order, 1)), np.log1p(degrees)[:, None]]
    if types is not None:
        columns.append(np.eye(int(types.max()) + 1)[types])
    x = np.hstack(columns)
    told = np.where(fold[2], -1, labels).astype(np.int32)
    held = pg.GraphSet.from_graphs(list(graphs), told)
    data = pg.Dataset(graph=pg.public(held), features=pg.public(x), split=parts(fold))
    model = pg.Model.train(pg.Network(GIN, x.shape[1], int(labels.max()) + 1), data, seed=1, epochs=epochs, patience=20)
    return np.asarray(model.predict_exact(data))


def read_by_gin(graphs: Any, types: Any, labels: np.ndarray, fold: Fold) -> float:
    return 100 * roc_auc_score(labels[fold[2]], rows_by_gin(graphs, types, labels, fold)[fold[2], 1])


def measure(graphs: Any, folds: List[Fold], neighbours: int) -> Iterator[Tuple[str, float, float]]:
    labels, public = np.asarray(graphs.labels), public_columns(graphs)
    types = None if graphs.node_labels is None else np.array(graphs.node_labels)
    yield "count mlp", 0.0, float(np.mean([read_by_network(public, labels, fold) for fold in folds]))
    for epsilon in EPSILONS:
        for row in ("edges", "levels"):
            rows = np.hstack([embed(graphs, row, epsilon), public])
            yield f"{row} knn", epsilon, float(np.mean([read_by_neighbours(rows, labels, fold, neighbours)
                                                        for fold in folds]))
            yield f"{row} mlp", epsilon, float(np.mean([read_by_network(rows, labels, fold) for fold in folds]))
        if graphs.order <= GIN_NODES:
            released = pg.Query("dprr", epsilon=epsilon).draw(graphs).graphs
            yield "gin", epsilon, float(np.mean([read_by_gin(released, types, labels,
                                                             fold) for fold in folds[:GIN_FOLDS]]))
    if graphs.order <= GIN_NODES:
        yield "gin", EXACT, float(np.mean([read_by_gin(graphs, types, labels, fold) for fold in folds[:GIN_FOLDS]]))


def run(arguments: argparse.Namespace) -> int:
    wanted = common.present(arguments.data, arguments.sets.split(",") if arguments.sets else list(SETS))
    if not wanted:
        print(f"no data in {arguments.data}: nothing measured")
        return common.SKIPPED
    table = common.Table(arguments.out, COLUMNS)
    for draw in range(arguments.draws):
        for name in wanted:
            folder, start = os.path.join(arguments.data, name), time.time()
            if table.has(name, "done", 0.0, draw):
                continue
            graphs = pg.read_graphset(folder)
            for row, epsilon, area in measure(graphs, folds_of(folder, name, len(graphs)), SETS[name]):
                table.add(name, row, epsilon, draw, area)
            table.add(name, "done", 0.0, draw, time.time() - start)
            print(f"{name} {draw}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def text(values: Any) -> str:
    if not values:
        return ""
    return f"{np.mean(values):.1f}" + (f" ({np.std(values, ddof=1):.1f})" if len(values) > 1 else "")


def report(found: common.Results) -> str:
    lines = ["| set (draws) | row | no edges | 1 | 4 | no noise |", "|---|---|---|---|---|---|"]
    for name in SETS:
        if (name, "done", 0.0) not in found:
            continue
        head = f"| {name.upper()} ({len(found[name, 'done', 0.0])}) "
        for row, words in ROWS.items():
            cells = [text(found.get((name, row, e))) for e in (0.0,) + EPSILONS + (EXACT,)]
            if any(cells):
                lines.append(head + f"| {words} | " + " | ".join(cells) + " |")
                head = "| "
    return "\n".join(lines)


def figure(found: common.Results, path: str) -> None:
    names = [name for name in SETS if (name, "done", 0.0) in found]
    shown = (("count mlp", 0.0, "#888888"), ("edges mlp", 1.0, "#9ecae1"), ("levels mlp", 1.0, "#3182bd"),
             ("gin", 1.0, "#e6550d"), ("gin", EXACT, "#fdae6b"))
    drawing, panel = common.panel("graph_classes", (8, 3.4))
    for i, (row, epsilon, colour) in enumerate(shown):
        words = ROWS[row] + ("" if row == "count mlp" else " (NOT PRIVATE)" if epsilon == EXACT else f", epsilon {epsilon:g}")
        if epsilon == EXACT:
            words = "GIN on exact graphs (NOT PRIVATE)"
        heights = [np.mean(found.get((name, row, epsilon), [np.nan])) for name in names]
        panel.bar(np.arange(len(names)) + (i - 2) * 0.16, heights, 0.15, color=colour, label=words)
    panel.set_ylim(45, 100)
    panel.set_xticks(np.arange(len(names)), [name.upper() for name in names])
    panel.set_ylabel("area under the curve, %")
    panel.spines[["top", "right"]].set_visible(False)
    drawing.legend(*panel.get_legend_handles_labels(), loc="lower center", ncol=2, frameon=False)
    drawing.tight_layout(rect=(0, 0.2, 1, 1))
    common.save(drawing, path)


def main() -> int:
    return common.study(__doc__, "graph_classes", COLUMNS, run, report, figure, ("draws", 3))


if __name__ == "__main__":
    sys.exit(main())
