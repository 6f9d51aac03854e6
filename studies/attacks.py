#!/usr/bin/env python3
"""What an attacker gets beside what a user gets, release by release, at epsilon 0.5 to 8.

    attacks.py [--quick] [--data FOLDER] [--sets NAME,...] [--out CSV]
    attacks.py --report CSV      Markdown tables on stdout

Edges are private in all rows but the last ones. A user gets the share of right classes on test nodes (of graphs, for
REDDIT-BINARY). An attacker asks about 1000 edges and 1000 negatives of each kind and scores pairs by what was released:
the count of the cell a pair would be in (tallies), a matched filter (sums), the bits of a released graph, and the
posteriors that were read from it; controls are features, the encoder that saw no edge, and degrees. The ceiling is that
of the game about one edge, from the record of the release; an AUC over pairs is another number and may be above it. One
split and one draw of each release; noise comes from a secure generator.
"""
import argparse
import csv
import os
import sys
import time
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np
import scipy.sparse

import privgraph as pg
from privgraph import attack

import common

EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
EXACT = 60.0  # stands for "no noise" in the CSV
DELTA = 1e-6
SEED = 7750000
SETS = ("cora", "photo", "facebook_pages", "REDDIT-BINARY")
TITLES = dict(common.TITLES, **{"REDDIT-BINARY": "REDDIT-BINARY"})
RESPONSE_NODES = 3000  # a graph of all noisy pairs
COLUMNS = ["set", "row", "epsilon", "user", "attack", "uniform", "two_hop", "two_hop_low", "two_hop_high", "degree",
           "control", "control_auc", "excess", "excess_low", "excess_high", "true_positive", "ceiling"]


class Target:
    """One split of one set, and what every attack on it shares."""

    def __init__(self, folder: str) -> None:
        self.graph, features, self.truth = common.load(folder)
        self.large = self.graph.order > RESPONSE_NODES  # one encoder, in fewer directions: it is only the ground
        self.unit = common.unit_rows(features)
        self.part = common.parts_of(self.truth, SEED)
        self.labels = np.where(self.part == 0, self.truth, -1).astype(np.int32)
        self.checks = np.where(self.part == 1, self.truth, -1).astype(np.int32)
        self.tested = self.part == 2
        self.features = features
        self.prior = pg.encode(features, self.labels, checks=self.checks, averages=1 if self.large else 3,
                               directions=64 if self.large else 0)
        self.asking = {"seed": SEED, "features": self.unit, "posteriors": self.prior}

    def user(self, rows: np.ndarray) -> float:
        return common.percent(rows, self.truth, self.tested)

    def posteriors(self, rows: np.ndarray) -> Any:
        options = {name: value for name, value in self.asking.items() if name != "posteriors"}
        return attack.links_posteriors(rows, self.graph, control_posteriors=self.prior, **options)

    def recipe(self, name: str, epsilon: float) -> Any:
        return pg.learn_nodes(self.graph, self.labels, epsilon, delta=DELTA if name == "sums" else 0.0, recipe=name,
                              prior=self.prior, checks=self.checks, averages=1 if self.large else 0)

    def cells(self, release: Any) -> Any:
        """The count that an edge of the pair would be in."""
        priorities, kinds = pg.tally_cells(self.prior, self.labels)
        counts = np.asarray(release.values)

        def score(first: np.ndarray, second: np.ndarray) -> np.ndarray:
            sends = (priorities[first] > priorities[second]) | (
                (priorities[first] == priorities[second]) & (first < second))
            sender, receiver = np.where(sends, first, second), np.where(sends, second, first)
            return counts[receiver, kinds[sender]]

        return attack.links(score, self.graph, **self.asking)

    def messages(self) -> np.ndarray:
        """What nodes send in the recipe sums."""
        classes = self.prior.shape[1]
        sent = np.where(self.labels[:, None] >= 0, np.eye(classes)[np.maximum(self.labels, 0)], self.prior)
        return np.asarray((sent - 1 / classes) / np.sqrt(1 - 1 / classes))

    def network(self, released: Any) -> Tuple[Any, Any]:
        """(model, dataset) of a GCN on a released or public graph."""
        data = pg.Dataset(graph=released, features=pg.public(self.unit), split=np.where(self.part == 2, -1, self.part),
                          labels=pg.public(np.where(self.part == 2, -1, self.truth).astype(np.int32)))
        made = pg.Network("drop .5 | gcn 32 relu | drop .5 | gcn classes", self.unit.shape[1], int(self.truth.max()) + 1)
        return pg.Model.train(made, data, seed=1, select="accuracy", epochs=150, patience=-1), data


def line(row: str, epsilon: float, user: float, name: str, found: Any, ceiling: float) -> Dict[str, Any]:
    """Of one attack on links."""
    far = found.report("two-hop")
    return {"row": row, "epsilon": epsilon, "user": user, "attack": name, "uniform": found.report("uniform").auc,
            "two_hop": far.auc, "two_hop_low": far.auc_low, "two_hop_high": far.auc_high,
            "degree": found.report("degree").auc, "control": far.control, "control_auc": far.control_auc,
            "excess": far.excess, "excess_low": far.excess_low, "excess_high": far.excess_high,
            "true_positive": far.true_positive, "ceiling": ceiling}


def from_graph(target: Target, row: str, released: Any, epsilon: float) -> Iterator[Dict[str, Any]]:
    """Reading it, and what a model adds to that."""
    model, data = target.network(released)
    rows = model.predict_exact(data)
    ceiling = attack.ceiling_guarantee(released)[0]
    user = target.user(rows)
    yield line(row, epsilon, user, "reading", attack.links_release(released, target.graph, **target.asking), ceiling)
    yield line(row, epsilon, user, "influence",
               attack.links_influence(model, data, target.graph, **target.asking), ceiling)
    yield line(row, epsilon, user, "posteriors", target.posteriors(rows), ceiling)


def measure_nodes(folder: str, quick: bool) -> Iterator[Dict[str, Any]]:
    target = Target(folder)
    yield line("no edges", 0.0, target.user(target.prior), "posteriors", target.posteriors(target.prior), 0.5)
    small = not target.large
    for epsilon in EPSILONS[1:4:2] if quick or target.large else EPSILONS:
        learnt = target.recipe("tallies", epsilon)
        ceiling = attack.ceiling_guarantee(learnt.releases[0])[0]
        user = target.user(learnt.probabilities)
        yield line("tallies", epsilon, user, "cells", target.cells(learnt.releases[0]), ceiling)
        yield line("tallies", epsilon, user, "posteriors", target.posteriors(learnt.probabilities), ceiling)
        learnt = target.recipe("sums", epsilon)
        ceiling = attack.ceiling_guarantee(learnt.releases[0])[0]
        user = target.user(learnt.probabilities)
        yield line("sums", epsilon, user, "matched filter",
                   attack.links_states(learnt.releases[0], target.messages(), target.graph, **target.asking), ceiling)
        yield line("sums", epsilon, user, "posteriors", target.posteriors(learnt.probabilities), ceiling)
        goal = pg.Target(epsilon=epsilon)
        yield from from_graph(target, "LapGraph", pg.Perturber.lapgraph(goal).release(target.graph), epsilon)
        if small and not quick:
            for row, made in (("response", pg.Perturber.response(goal)), ("DPRR", pg.Perturber.dprr(goal)),
                              ("Blink", pg.Perturber.blink(goal)), ("edge-set lists", pg.Perturber.subset(goal))):
                if row == "response" and epsilon < 2:
                    continue  # a million edges and more
                released = made.release(target.graph)
                if row != "edge-set lists":
                    yield from from_graph(target, row, released, epsilon)
                else:
                    found = attack.links_release(released, target.graph, **target.asking)
                    yield line(row, epsilon, float("nan"), "reading", found, attack.ceiling_guarantee(released)[0])
            yield from from_users(target, epsilon)
            yield from games(target, epsilon)
    model, data = target.network(pg.public(target.graph))
    rows = model.predict_exact(data)
    yield line("exact GCN", EXACT, target.user(rows), "influence",
               attack.links_influence(model, data, target.graph, **target.asking), 1.0)
    yield line("exact GCN", EXACT, target.user(rows), "posteriors", target.posteriors(rows), 1.0)


GAME_RUNS = 4000


def games(target: Target, epsilon: float) -> Iterator[Dict[str, Any]]:
    """Numbers that name no nodes: the game about one pair that is no edge; `uniform` holds its AUC, `excess_low` the
    epsilon it proves (confidence .999)."""
    goal = pg.Target(epsilon=epsilon)
    u, v = next((u, v) for u, v in zip(range(100, target.graph.order), range(2000, target.graph.order))
                if not target.graph.has_edge(u, v))
    for row, statistic in (("one count (tallies)", pg.Statistic.tallies(target.graph.order, goal)),
                           ("degree levels", pg.Statistic.degrees(goal)),
                           ("synthetic graph", pg.Statistic.synthesis(target.graph.order, goal))):
        verdict, ceiling = attack.edge_game(statistic, target.graph, u, v, runs=GAME_RUNS, confidence=0.999)
        yield {"row": row, "epsilon": epsilon, "attack": "game", "uniform": verdict.auc,
               "excess_low": verdict.epsilon_lower, "ceiling": ceiling}


def from_users(target: Target, epsilon: float) -> Iterator[Dict[str, Any]]:
    """Features and labels reported by the users themselves; the graph is public here."""
    read = target.features.to_scipy()
    held = scipy.sparse.csr_matrix((read.data, read.indices, read.indptr), read.shape)  # its width is public
    learnt = pg.learn_users(target.graph, target.truth, target.part, features=held, feature_epsilon=epsilon,
                            label_epsilon=epsilon)
    user = target.user(learnt.probabilities)
    classes = int(target.truth.max()) + 1
    told = np.asarray(learnt.labels.labels)
    values: List[Tuple[str, Any, np.ndarray, Any]] = [
        ("reported features", learnt.features, learnt.features.features.to_scipy().toarray(), held),
        ("reported labels", learnt.labels, np.eye(classes)[np.maximum(told, 0)] * (told >= 0)[:, None],
         np.eye(classes)[target.truth])]
    asked = (target.part < 2).astype(np.int32)  # who told a label
    for row, release, scores, truth in values:
        if scores.shape != truth.shape:
            continue
        found = attack.values(scores, truth, seed=SEED, asked=asked)
        near, same = found.report("uniform"), found.report("degree")
        yield {"row": row, "epsilon": epsilon, "user": user, "attack": "values", "uniform": near.auc, "degree": same.auc,
               "control": near.control, "control_auc": near.control_auc, "excess": near.excess,
               "excess_low": near.excess_low, "excess_high": near.excess_high, "true_positive": near.true_positive,
               "ceiling": attack.ceiling_guarantee(release)[0]}


def measure_graphs(folder: str, quick: bool) -> Iterator[Dict[str, Any]]:
    """Embeddings: is a released row nearest to its own graph? `uniform` holds that share, `control_auc` guessing."""
    graphs = pg.read_graphset(folder)
    labels = np.asarray(graphs.labels).astype(np.int32)
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    order = np.random.default_rng(SEED).permutation(len(labels))
    learns, checks = labels.copy(), np.full(len(labels), -1, np.int32)
    learns[order[len(order) // 2:]] = -1
    chosen = order[len(order) // 2:3 * len(order) // 4]
    checks[chosen] = labels[chosen]
    tested = order[3 * len(order) // 4:]
    patterns = "edge,path3,star3,star4,cycle3,cycle4"
    exact = None
    for epsilon in EPSILONS[1:4:2] if quick else EPSILONS:
        made = pg.PrivateEmbedding(patterns, epsilon=epsilon, delta=DELTA, append_order=True)
        release = made.release(graphs)
        rows = pg.learn_rows(release, learns, checks=checks)
        user = 100 * float((rows.argmax(1) == labels)[tested].mean())
        if exact is None:
            exact = np.asarray(pg.PrivateEmbedding(patterns, epsilon=1e6, delta=0.5, append_order=True).release(graphs).values)
        released = np.asarray(release.values)
        scale = np.maximum(released.std(0), 1e-12)
        for name, columns in (("re-identification", slice(0, -1)), ("the same with the public order", slice(None))):
            share = pg.reidentify(released[:, columns] / scale[columns], exact[:, columns] / scale[columns])
            yield {"row": "embeddings", "epsilon": epsilon, "user": user, "attack": name, "uniform": share,
                   "control_auc": 1 / len(labels), "ceiling": attack.ceiling_guarantee(release)[0]}


# --- report -----------------------------------------------------------------------------

def cell(text: str, digits: int = 3) -> str:
    return "" if text in ("", "nan") else f"{float(text):.{digits}f}"


def report(path: str) -> str:
    with open(path, newline="") as stream:
        lines = list(csv.DictReader(stream))
    out: List[str] = []
    for name in SETS:
        mine = [one for one in lines if one["set"] == name]
        if not mine:
            continue
        out += [f"### {TITLES[name]}", ""]
        if name == "REDDIT-BINARY":
            out += ["| epsilon | user: right | attack | found | by guessing | game: ceiling |", "|---|---|---|---|---|---|"]
            out += [f"| {float(one['epsilon']):g} | {cell(one['user'], 1)} | {one['attack']} | {cell(one['uniform'], 4)} "
                    f"| {cell(one['control_auc'], 4)} | {cell(one['ceiling'])} |" for one in mine]
            out.append("")
            continue
        out += ["| release | epsilon | user: right | attack | UNIFORM | DEGREE | TWO_HOP [95 %] | best control | excess "
                "[95 %] | game: ceiling |", "|---|---|---|---|---|---|---|---|---|---|"]
        played = [one for one in mine if one["attack"] == "game"]
        for one in [one for one in mine if one["attack"] != "game"]:
            epsilon = {"0.0": "", "60.0": "no noise"}.get(one["epsilon"], f"{float(one['epsilon']):g}")
            far = f"{cell(one['two_hop'])} [{cell(one['two_hop_low'])}, {cell(one['two_hop_high'])}]" if one["two_hop"] else ""
            over = f"{float(one['excess']):+.3f} [{float(one['excess_low']):+.3f}, {float(one['excess_high']):+.3f}]"
            out.append(f"| {one['row']} | {epsilon} | {cell(one['user'], 1)} | {one['attack']} | {cell(one['uniform'])} | "
                       f"{cell(one['degree'])} | {far} | {one['control']} {cell(one['control_auc'])} | {over} | "
                       f"{cell(one['ceiling']) if epsilon != 'no noise' else ''} |")
        out.append("")
        if played:
            out += [f"The game about one edge, {GAME_RUNS} runs in each world:", "",
                    "| what is released | epsilon | AUC | ceiling | epsilon is at least |", "|---|---|---|---|---|"]
            out += [f"| {one['row']} | {float(one['epsilon']):g} | {cell(one['uniform'])} | {cell(one['ceiling'])} | "
                    f"{cell(one['excess_low'], 2)} |" for one in played] + [""]
    return "\n".join(out)


def run(arguments: argparse.Namespace) -> int:
    wanted = common.present(arguments.data, (arguments.sets or ",".join(SETS)).split(","))
    if not wanted:
        print(f"no sets in {arguments.data}: nothing is measured")
        return common.SKIPPED
    fresh = not os.path.exists(arguments.out)
    with open(arguments.out, "a", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        if fresh:
            writer.writeheader()
        for name in wanted:
            start = time.time()
            measure = measure_graphs if name == "REDDIT-BINARY" else measure_nodes
            for one in measure(os.path.join(arguments.data, name), arguments.quick):
                rounded = {key: round(value, 5) if isinstance(value, float) else value for key, value in one.items()}
                writer.writerow(dict(rounded, set=name))
                stream.flush()
            print(f"{name}: {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two epsilons")
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--sets")
    parser.add_argument("--out", default="attacks.csv", help="CSV to append to")
    parser.add_argument("--report", help="CSV to read")
    arguments = parser.parse_args()
    if arguments.report:
        print(report(arguments.report).rstrip())
        return 0
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
