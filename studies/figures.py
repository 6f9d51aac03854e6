#!/usr/bin/env python3
"""Draws what studies/results holds: pictures for the documents.

usage: figures.py [RESULTS [PICTURES]]     default: studies/results, docs/measured

 chains.svg        accuracy over depth, one panel for each set of chains, one curve for each epsilon
 propagation.svg   accuracy over epsilon on real graphs, one curve for each method
 perturbation.svg  true and false edges over epsilon, one curve for each method

The tables are what molecules, propagation_table and perturbation_table printed, as CSV.
"""
import collections
import csv
import os
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "privgraph", "svg.fonttype": "none", "font.size": 9, "axes.grid": True, "grid.alpha": 0.3})
from matplotlib import pyplot  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))


def table(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def curves(rows, key, x, y):
    """{key: [(x, y)]} in the order of the table."""
    found = collections.OrderedDict()
    for row in rows:
        if row[y]:
            found.setdefault(row[key], []).append((float(row[x]), float(row[y])))
    return found


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def panels(rows, by, wide):
    names = list(dict.fromkeys(row[by] for row in rows))
    figure, axes = pyplot.subplots(1, len(names), figsize=(wide, 3), sharey=True)
    return figure, [(axis, name, [row for row in rows if row[by] == name]) for axis, name in zip(axes, names)]


def chains(rows, path):
    figure, parts = panels(rows, "set", 10)
    for axis, name, inside in parts:
        for epsilon, points in curves(inside, "epsilon", "layers", "accuracy").items():
            axis.plot(*zip(*points), label="no noise" if epsilon == "inf" else f"epsilon {epsilon}",
                      color="black" if epsilon == "inf" else None, linewidth=1.2)
        axis.set_title(name)
        axis.set_xlabel("layers")
    parts[0][0].set_ylabel("accuracy, %")
    parts[0][0].legend(fontsize=7)
    save(figure, path)


def propagation(rows, path):
    figure, parts = panels([row for row in rows if row["epsilon"] != "inf"], "set", 10)
    for axis, name, inside in parts:
        for method, points in curves(inside, "method", "epsilon", "accuracy").items():
            axis.plot(*zip(*points), marker="o", markersize=3, label=method, linewidth=1.2)
        axis.set_title(name)
        axis.set_xscale("log", base=2)
        axis.set_xlabel("epsilon")
    parts[0][0].set_ylabel("accuracy, %")
    parts[-1][0].legend(fontsize=6)
    save(figure, path)


def perturbation(rows, path):
    inside = [row for row in rows if row["set"] == "Cora" and row["hides"] != "nothing"]
    figure, axes = pyplot.subplots(1, 2, figsize=(10, 3.4))
    for axis, column, title in zip(axes, ("kept", "added"), ("true edges kept (of 5278)", "false edges added")):
        for method, points in curves(inside, "method", "epsilon", column).items():
            axis.plot(*zip(*points), marker="o", markersize=3, label=method, linewidth=1.2)
        axis.set_xscale("log", base=2)
        axis.set_yscale("log")
        axis.set_xlabel("epsilon")
        axis.set_title(title)
    axes[1].legend(fontsize=6)
    save(figure, path)


def main():
    results = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "results")
    pictures = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "..", "docs", "measured")
    for draw in (chains, propagation, perturbation):
        draw(table(os.path.join(results, draw.__name__ + ".csv")), os.path.join(pictures, draw.__name__ + ".svg"))


if __name__ == "__main__":
    main()
