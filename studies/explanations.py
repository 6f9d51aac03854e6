#!/usr/bin/env python3
"""What explanations of graph networks give away: the tables of PrivX (Sahoo et al. 2026), measured again with controls.

    explanations.py [--quick] [--part links|windows] [--data FOLDER] [--sets NAME,...] [--splits N] [--cuts N]
                    [--out CSV]
    explanations.py --report CSV                  Markdown tables on stdout

links: ExplainSim (cosine of rows) against three kinds of negatives; rows are explanations of every kind.
windows: reconstruction of windows of nodes the attacker did not know: cosine, one-step twin, diffusion, controls;
explanations of every kind, features, nothing, noise, windows in the order of their search.
Target: `drop .5 | gcn 32 relu | drop .5 | gcn classes`, rows of length 1, 50/25/25. Nothing here is private: the graphs are
public test data, and an explanation is no release.
"""
import argparse
import csv
import os
import sys
import time
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

import privgraph as pg
from privgraph import attack

SKIPPED = 77  # how Meson wants to be told
SEEDS = 4410000
TEXT = {"gcn": "drop .5 | gcn 32 relu | drop .5 | gcn classes", "sage": "drop .5 | sage 32 relu | drop .5 | sage classes"}
EXPLAINERS = ("grad", "grad_input", "grad_ball", "grad_input_ball", "graph_lime", "gnn_explainer", "gnn_explainer_sum")
WORDS = {"grad": "GRAD", "grad_input": "GRAD_INPUT", "grad_ball": "GRAD_BALL", "grad_input_ball": "GRAD_INPUT_BALL",
         "graph_lime": "GraphLIME", "gnn_explainer": "GNNExplainer (mean)", "gnn_explainer_sum": "GNNExplainer (sum)",
         "features": "features", "nothing": "nothing", "chance": "random rows"}
COLUMNS = {"cora": 1433, "chameleon": 2325, "imdb_movies": 3066, "pubmed": 500}
FEW = ("grad", "grad_ball", "graph_lime")  # of other sets: a ball of Chameleon is a third of it
FIELDS = ("part", "set", "model", "signal", "setting", "split", "measure", "value", "low", "high")


def load(folder: str, name: str) -> Tuple[pg.Graph, np.ndarray, np.ndarray]:
    """Graph, features with rows of length 1, labels."""
    graph, features, labels = pg.read_folder(os.path.join(folder, name), feature_columns=COLUMNS[name])
    x = features.to_dense()
    length = np.linalg.norm(x, axis=1, keepdims=True)
    return graph, x / np.where(length > 0, length, 1), labels.values.copy()


def target(graph: pg.Graph, x: np.ndarray, labels: np.ndarray, text: str, split: int) -> Tuple[pg.Model, pg.Dataset]:
    """The model whose explanations are looked at."""
    order = np.random.default_rng(SEEDS + split).permutation(len(labels))
    part = np.zeros(len(labels), np.int32)
    part[order[len(labels) // 2:]] = 1
    part[order[len(labels) // 2 + len(labels) // 4:]] = 2
    data = pg.Dataset(features=pg.public(x), graph=pg.public(graph), labels=pg.public(labels), split=part)
    network = pg.Network(text, x.shape[1], int(labels.max()) + 1)
    return pg.Model.train(network, data, seed=SEEDS + split, epochs=150, select="accuracy", patience=-1), data


def rows_of(explainer: str, model: pg.Model, data: pg.Dataset, seed: int) -> np.ndarray:
    """Explanations of all nodes."""
    if explainer == "gnn_explainer_sum":
        return pg.explain_exact("gnn_explainer", model, data, seed=seed, published=1)
    return pg.explain_exact(explainer, model, data, seed=seed)


def links(graph: pg.Graph, x: np.ndarray, labels: np.ndarray, name: str, asked: Any) -> Iterator[Dict[str, Any]]:
    """ExplainSim."""
    quick = asked.quick
    for split in range(asked.splits):
        for kind in TEXT:
            model, data = target(graph, x, labels, TEXT[kind], split)
            row = {"part": "links", "set": name, "model": kind, "split": split, "setting": ""}
            yield dict(row, signal="", measure="accuracy", value=model.score(data, "test")[0])
            for explainer in EXPLAINERS if name == "cora" else FEW:
                if kind == "sage" and (explainer.startswith("gnn") or split > 0):
                    continue
                start = time.process_time()
                rows = rows_of(explainer, model, data, SEEDS + split)
                spent = time.process_time() - start
                yield dict(row, signal=explainer, measure="ms per node", value=1000 * spent / len(rows))
                if explainer.startswith("gnn"):
                    some = np.arange(0, len(rows), max(1, len(rows) // 200))
                    agreed = pg.explain_masks_exact(model, data, some, seed=SEEDS,
                                                    published=int(explainer.endswith("sum"))).agreement
                    yield dict(row, signal=explainer, measure="agreement of starts", value=float(np.nanmean(agreed)))
                for metric in ("cosine", "centred") if explainer.startswith("gnn") else ("cosine",):
                    found = attack.links_rows(rows, graph, seed=SEEDS + split, features=x, metric=metric,
                                              positives=100 if quick else 1000)
                    for report in found.reports():
                        yield dict(row, signal=explainer, setting=metric, measure=report.negatives, value=report.auc,
                                   low=report.auc_low, high=report.auc_high)
                        yield dict(row, signal=explainer, setting=metric, measure="excess " + report.negatives,
                                   value=report.excess, low=report.excess_low, high=report.excess_high)
            if kind == "gcn":
                found = attack.links_rows(x, graph, seed=SEEDS + split, positives=100 if quick else 1000)
                for report in found.reports():
                    yield dict(row, signal="features", setting="cosine", measure=report.negatives, value=report.auc,
                               low=report.auc_low, high=report.auc_high)


def windows(graph: pg.Graph, x: np.ndarray, labels: np.ndarray, name: str, options: Any) -> Iterator[Dict[str, Any]]:
    """Reconstruction."""
    quick = options.quick
    size: Dict[str, Any] = {"cuts": options.cuts}
    if quick:
        size.update(window=8, windows=30, tests=10, cuts=2, steps=30)
    model, data = target(graph, x, labels, TEXT["gcn"], 0)
    grad = rows_of("grad", model, data, SEEDS)
    asked: List[Tuple[str, str, Any, Dict[str, Any]]] = []
    for explainer in (one for one in EXPLAINERS if not one.startswith("grad_input")) if name == "cora" else FEW:
        asked.append((explainer, "", None, {}))
    # two controls without signal: equal rows tie all pairs, random ones leave the network something to over-fit
    chance = np.random.default_rng(SEEDS).standard_normal((len(x), 32))
    asked += [("features", "", x, {}), ("nothing", "", np.zeros((len(x), 1)), {}), ("chance", "", chance, {})]
    if name == "cora":
        asked += [("grad", "sigma .1", grad, {"sigma": .1}), ("grad", "sigma .3", grad, {"sigma": .3}),
                  ("nothing", "ordered", np.zeros((len(x), 1)), {"ordered": 1, "steps": 30}),
                  ("grad", "diffusion", grad, {"diffusion": 1, "cuts": 1 if quick else 2, "steps": 30 if quick else 1500})]
    for signal, setting, rows, more in asked:
        given = rows_of(signal, model, data, SEEDS) if rows is None else rows
        found = pg.reconstruct(given, graph, seed=SEEDS, features=x if (signal, setting) == ("grad", "") else None,
                               **dict(size, **more))
        for score, report in found.reports.items():
            row = {"part": "windows", "set": name, "model": "gcn", "signal": signal, "setting": setting, "split": 0}
            yield dict(row, measure=score, value=report.auc, low=report.auc_low, high=report.auc_high)
            if score in ("attack", "cosine", "twin", "diffusion"):
                yield dict(row, measure=score + " chosen", value=report.chosen)
            if score == "attack":
                yield dict(row, measure="excess", value=report.excess, low=report.excess_low, high=report.excess_high)
                yield dict(row, measure="precision", value=report.precision_mean)
                yield dict(row, measure="prevalence", value=report.prevalence)


def span(found: List[float]) -> str:
    """One number, or from the least to the largest."""
    if not found:
        return ""
    low, high = min(found), max(found)
    return f"{low:.3f}" if len(found) == 1 else f"{low:.3f} to {high:.3f}"


def tables(path: str) -> str:
    """Those of a CSV, in Markdown."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines: List[str] = []

    def values(**match: str) -> List[float]:
        return [float(row["value"]) for row in rows if all(row[key] == want for key, want in match.items())]

    for name, kind in dict.fromkeys((row["set"], row["model"]) for row in rows if row["part"] == "links"):
        lines += ["", f"| {name}, {kind}: rows | UNIFORM | DEGREE | TWO_HOP | excess TWO_HOP |", "|---|---|---|---|---|"]
        for signal in EXPLAINERS + ("features",):
            for metric in ("cosine", "centred"):
                cells = [span(values(part="links", set=name, model=kind, signal=signal, setting=metric, measure=measure))
                         for measure in ("uniform", "degree", "two-hop", "excess two-hop")]
                if any(cells):
                    words = WORDS[signal] + (", centred" if metric == "centred" else "")
                    lines.append(f"| {words} | " + " | ".join(cells) + " |")
    for name in dict.fromkeys(row["set"] for row in rows if row["part"] == "windows"):
        lines += ["", f"| {name}, windows: rows | cosine | twin | diffusion | choice | excess |", "|---|---|---|---|---|---|"]
        for signal, setting in dict.fromkeys((row["signal"], row["setting"]) for row in rows
                                             if row["part"] == "windows" and row["set"] == name):
            cells = [span(values(part="windows", set=name, signal=signal, setting=setting, measure=measure))
                     for measure in ("cosine", "twin", "diffusion", "attack", "excess")]
            lines.append(f"| {WORDS[signal]}{', ' if setting else ''}{setting} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> int:
    """Runs or reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part", choices=("links", "windows"))
    parser.add_argument("--data", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "data"))
    parser.add_argument("--sets", default="cora,chameleon")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--cuts", type=int, default=5)
    parser.add_argument("--out", default="-")
    parser.add_argument("--report")
    asked = parser.parse_args()
    if asked.report:
        print(tables(asked.report))
        return 0
    if not os.path.isdir(asked.data):
        print(f"skipped: no data in {asked.data}")
        return SKIPPED
    file = sys.stdout if asked.out == "-" else open(asked.out, "w", newline="", encoding="utf-8")
    writer = csv.DictWriter(file, FIELDS)
    writer.writeheader()
    for name in asked.sets.split(","):
        graph, x, labels = load(asked.data, name)
        for part, function in (("links", links), ("windows", windows)):
            if asked.part in (None, part):
                for row in function(graph, x, labels, name, asked):
                    writer.writerow({key: f"{value:.5f}" if isinstance(value, float) else value for key, value in row.items()})
                    file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
