#!/usr/bin/env python3
"""What an attacker gets beside what a user gets, release by release, at epsilon 0.5 to 8, over seeds.

    attacks.py [--quick] [--data FOLDER] [--sets NAME,...] [--seeds N] [--out CSV]
    attacks.py --report CSV      Markdown tables on stdout

A seed is a split, a list of questions and a draw of every release; noise comes from a secure generator. A cell is a
release at an epsilon with a seed; cells that are in the CSV are not measured again, so that a run that was stopped goes on.
A user gets the share of right classes on test nodes (of graphs, for REDDIT-BINARY), or for released graphs without names
the Kolmogorov distance of degrees. An attacker asks about 1000 edges and 1000 negatives of each kind and scores pairs by
what was released: the count of the cell a pair would be in (histogram), a matched filter (sums, propagation), the bits of a
released graph, and the posteriors that were read from it; controls are features, the encoder that saw no edge, and degrees.
The ceiling is that of the game about one edge, from the record of the release; an AUC over pairs is another number and may
be above it.
"""
import argparse
import csv
import os
import sys
import time
import warnings
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Set, Tuple

import numpy as np
import scipy.sparse

import privgraph as pg
from privgraph import attack

import common

EPSILONS = (0.5, 1.0, 2.0, 4.0, 8.0)
EXACT = 60.0  # stands for "no noise" in the CSV
DELTA = 1e-6
SEED = 7750000
SEEDS = {"cora": 5, "photo": 3, "facebook_pages": 3, "REDDIT-BINARY": 5}
TITLES = dict(common.TITLES, **{"REDDIT-BINARY": "REDDIT-BINARY"})
LARGE = 3000            # nodes; beyond, one encoder in fewer directions: it is only the ground
RELEASED_EDGES = 8e6    # expected edges of a released graph; beyond, it is not drawn
TRAINED_EDGES = 5e5     # beyond, it is only read
GAME_RUNS = 4000
COLUMNS = ["set", "row", "epsilon", "seed", "attack", "user", "uniform", "two_hop", "two_hop_low", "two_hop_high", "degree",
           "control", "control_auc", "excess", "excess_low", "excess_high", "true_positive", "ceiling"]
Line = Dict[str, Any]


class Cell(NamedTuple):
    """What is measured, or skipped, together."""
    row: str
    epsilon: float
    measure: Callable[[], Iterator[Line]]


def line(user: float, name: str, found: Any, ceiling: float) -> Line:
    """Of one attack on links."""
    far = found.report("two-hop")
    return {"user": user, "attack": name, "uniform": found.report("uniform").auc,
            "two_hop": far.auc, "two_hop_low": far.auc_low, "two_hop_high": far.auc_high,
            "degree": found.report("degree").auc, "control": far.control, "control_auc": far.control_auc,
            "excess": far.excess, "excess_low": far.excess_low, "excess_high": far.excess_high,
            "true_positive": far.true_positive, "ceiling": ceiling}


class Target:
    """One split of one set, and what every attack on it shares."""

    def __init__(self, graph: Any, features: Any, truth: np.ndarray, seed: int, quick: bool) -> None:
        self.runs = GAME_RUNS // (40 if quick else 4 if graph.order > LARGE else 1)
        self.graph, self.features, self.truth, self.seed = graph, features, truth, seed
        self.large = graph.order > LARGE
        self.classes = int(truth.max()) + 1
        self.unit = common.unit_rows(features)
        self.part = common.parts_of(truth, seed)
        self.labels = np.where(self.part == 0, truth, -1).astype(np.int32)
        self.checks = np.where(self.part == 1, truth, -1).astype(np.int32)
        self.prior = pg.encode(features, self.labels, checks=self.checks, averages=1 if self.large else 3,
                               directions=64 if self.large else 0)
        self.asking = {"seed": seed, "features": self.unit, "posteriors": self.prior}

    def user(self, rows: np.ndarray) -> float:
        return common.percent(rows, self.truth, self.part == 2)

    def posteriors(self, rows: np.ndarray) -> Any:
        options = {name: value for name, value in self.asking.items() if name != "posteriors"}
        return attack.links_posteriors(rows, self.graph, control_posteriors=self.prior, **options)

    def messages(self) -> np.ndarray:
        """What nodes send in pipelines of message passing."""
        sent = np.where(self.labels[:, None] >= 0, np.eye(self.classes)[np.maximum(self.labels, 0)], self.prior)
        return np.asarray((sent - 1 / self.classes) / np.sqrt(1 - 1 / self.classes))

    def filtered(self, release: Any) -> Any:
        """A matched filter on released rows: messages of both ends, in all states that were released."""
        sent = self.messages()
        states = np.asarray(release.values).reshape(self.graph.order, -1, self.classes).sum(1)

        def score(first: np.ndarray, second: np.ndarray) -> np.ndarray:
            return np.asarray((states[first] * sent[second] + states[second] * sent[first]).sum(1))

        return attack.links(score, self.graph, **self.asking)

    def counted(self, release: Any) -> Any:
        """The count that an edge of the pair would be in."""
        priorities, kinds = pg.histogram_cells(self.prior, self.labels)
        counts = np.asarray(release.values)

        def score(first: np.ndarray, second: np.ndarray) -> np.ndarray:
            sends = (priorities[first] > priorities[second]) | (
                (priorities[first] == priorities[second]) & (first < second))
            sender, receiver = np.where(sends, first, second), np.where(sends, second, first)
            return np.asarray(counts[receiver, kinds[sender]])

        return attack.links(score, self.graph, **self.asking)

    def method(self, name: str, epsilon: float) -> Iterator[Line]:
        """A pipeline for nodes: what it released, and the posteriors it led to."""
        learnt = pg.learn_nodes(self.graph, self.labels, epsilon, delta=0.0 if name == "histogram" else DELTA, method=name,
                                prior=self.prior, checks=self.checks, **({"averages": 1} if self.large else {}))
        ceiling = attack.ceiling_guarantee(learnt.releases[0])[0]
        user = self.user(learnt.probabilities)
        if name == "histogram":
            yield line(user, "cells", self.counted(learnt.releases[0]), ceiling)
        else:
            yield line(user, "matched filter", self.filtered(learnt.releases[0]), ceiling)
        yield line(user, "posteriors", self.posteriors(learnt.probabilities), ceiling)

    def network(self, released: Any) -> Tuple[Any, Any]:
        """(model, dataset) of a GCN on a released or public graph."""
        data = pg.Dataset(graph=released, features=pg.public(self.unit), split=np.where(self.part == 2, -1, self.part),
                          labels=pg.public(np.where(self.part == 2, -1, self.truth).astype(np.int32)))
        made = pg.Network("drop .5 | gcn 32 relu | drop .5 | gcn classes", self.unit.shape[1], self.classes)
        return pg.Model.train(made, data, seed=1, select="accuracy", epochs=150, patience=-1), data

    def modelled(self, model: Any, data: Any, ceiling: float) -> Iterator[Line]:
        """Attacks on a GCN."""
        rows = model.predict_exact(data)
        yield line(self.user(rows), "influence", attack.links_influence(model, data, self.graph, **self.asking), ceiling)
        yield line(self.user(rows), "posteriors", self.posteriors(rows), ceiling)

    def perturbed(self, made: Any) -> Iterator[Line]:
        """A released graph, or lists: reading it, and what a model on it adds to that."""
        released = made.draw(self.graph)
        ceiling = attack.ceiling_guarantee(released)[0]
        read = attack.links_release(released, self.graph, **self.asking)
        if pg.Dataset(graph=released, features=pg.public(self.unit)).arcs_exact > 2 * TRAINED_EDGES:
            yield line(float("nan"), "reading", read, ceiling)
            return
        model, data = self.network(released)
        yield line(self.user(model.predict_exact(data)), "reading", read, ceiling)
        yield from self.modelled(model, data, ceiling)

    def weighed(self, made: Any) -> Iterator[Line]:
        """A graph of DPRR, read with the rates at which its nodes keep their answers."""
        released = made.draw(self.graph)
        yield line(float("nan"), "reading", attack.links_release(released, self.graph, query=made, **self.asking),
                   attack.ceiling_guarantee(released)[0])

    def reported(self, epsilon: float) -> Iterator[Line]:
        """Features and labels told by the users themselves; the graph is public here."""
        read = self.features.to_scipy()
        held = scipy.sparse.csr_matrix((read.data, read.indices, read.indptr), read.shape)  # its width is public
        learnt = pg.learn_users(self.graph, self.truth, self.part, features=held, feature_epsilon=epsilon,
                                label_epsilon=epsilon, classes=self.classes)
        user, told = self.user(learnt.probabilities), np.asarray(learnt.labels.labels)
        values: List[Tuple[str, Any, np.ndarray, Any]] = [
            ("features", learnt.features, learnt.features.features.to_scipy().toarray(), held),
            ("labels", learnt.labels, np.eye(self.classes)[np.maximum(told, 0)] * (told >= 0)[:, None],
             np.eye(self.classes)[np.maximum(self.truth, 0)] * (self.truth >= 0)[:, None])]
        asked = (self.part < 2).astype(np.int32)  # who told a label
        for name, release, scores, truth in values:
            found = attack.values(scores, truth, seed=self.seed, asked=asked)
            near, same = found.report("uniform"), found.report("degree")
            yield {"user": user, "attack": name, "uniform": near.auc, "degree": same.auc, "control": near.control,
                   "control_auc": near.control_auc, "excess": near.excess, "excess_low": near.excess_low,
                   "excess_high": near.excess_high, "true_positive": near.true_positive,
                   "ceiling": attack.ceiling_guarantee(release)[0]}

    def trained(self, epsilon: float) -> Iterator[Line]:
        """A model by DP-SGD; a record is a node with features and label. Was a node among those it learnt from? By the
        probability of its class (`uniform`); `control_auc` is that of a model that learnt from none of them."""
        network = pg.Network("dense 32 tanh | dense classes", self.unit.shape[1], self.classes)
        rows = []
        for learns in (0, 1):
            known = np.where(self.part == learns, self.truth, -1).astype(np.int32)
            data = pg.Dataset(features=pg.private(self.unit), labels=pg.private(known),
                              split=np.where(known >= 0, 0, -1).astype(np.int32))
            records = int((known >= 0).sum())
            model = pg.PrivateTraining(network, records, pg.Target(epsilon, DELTA), steps=250,
                                       batch=min(512, records / 2), clip=1.0, rate=0.01).draw(data).model
            rows.append(model.predict_exact(data))
            if learns == 0:
                ceiling = attack.ceiling_guarantee(model.promise("node-removed", 1))[0]
        sure = [each[np.arange(len(self.truth)), np.maximum(self.truth, 0)] for each in rows]
        found = [attack.auc(each[self.part == 0], each[self.part == 2]) for each in sure]
        yield {"user": self.user(rows[0]), "attack": "membership", "uniform": found[0][0], "control": "other model",
               "control_auc": found[1][0], "excess": found[0][0] - found[1][0], "ceiling": ceiling}

    def nameless(self, row: str, epsilon: float) -> Iterator[Line]:
        """Numbers that name no nodes: the game about one pair that is no edge. `uniform` holds its AUC, `excess_low` the
        epsilon it proves (confidence .999), `user` the Kolmogorov distance of the degrees that a user reads from them."""
        order, goal = self.graph.order, pg.Target(epsilon=epsilon)
        pick = np.random.default_rng(self.seed)
        u, v = next((u, v) for u, v in iter(lambda: pick.integers(order, size=2).tolist(), None)
                    if u != v and not self.graph.has_edge(u, v))
        degrees, user = np.diff(self.graph.csr()[0]), float("nan")
        if row == "one count (histogram)":
            statistic = pg.Query("edge-histogram", order=order, target=goal)
        elif row == "degree levels":
            statistic = pg.Query("degrees", order=order, levels=32, ranks="all", target=goal)
            user = kolmogorov(pg.estimate_sequence(statistic, statistic.draw(self.graph)), degrees)
        else:
            statistic = pg.Query("synthesis", order=order, target=goal)
            drawn = pg.synthesis_graph(statistic, statistic.draw(self.graph))
            user = kolmogorov(np.diff(drawn.csr()[0]), degrees)
        verdict, ceiling = attack.edge_game(statistic, self.graph, u, v, confidence=0.999, runs=self.runs)
        yield {"user": user, "attack": "game", "uniform": verdict.auc, "excess_low": verdict.epsilon_lower,
               "ceiling": ceiling}

    def cells(self, quick: bool) -> Iterator[Cell]:
        """All of them, the cheap and telling ones first."""
        yield Cell("no edges", 0.0, lambda: iter([line(self.user(self.prior), "posteriors", self.posteriors(self.prior),
                                                       0.5)]))
        yield Cell("exact GCN", EXACT, lambda: self.modelled(*self.network(pg.public(self.graph)), 1.0))
        for epsilon in EPSILONS[1:4:2] if quick else EPSILONS:
            for row, method in (("histogram", "histogram"), ("sums", "sums"), ("propagation (GAP)", "gap"),
                                ("propagation (PCMP)", "pcmp")):
                yield Cell(row, epsilon, lambda m=method, e=epsilon: self.method(m, e))
            for row, kind in (("LapGraph", "lapgraph"), ("response", "response"), ("DPRR", "dprr"), ("Blink", "blink"),
                              ("edge-set lists", "subset")):
                made = pg.Query(kind, epsilon=epsilon)
                if row == "response" and made.describe(self.graph.order)["added_edges"] > RELEASED_EDGES:
                    continue
                yield Cell(row, epsilon, lambda m=made: self.perturbed(m))
                if row == "DPRR":
                    yield Cell("DPRR, by rates", epsilon, lambda m=made: self.weighed(m))
            yield Cell("reported by users", epsilon, lambda e=epsilon: self.reported(e))
            yield Cell("model (DP-SGD)", epsilon, lambda e=epsilon: self.trained(e))
            for row in ("one count (histogram)", "degree levels", "synthetic graph"):
                yield Cell(row, epsilon, lambda r=row, e=epsilon: self.nameless(r, e))


def kolmogorov(a: np.ndarray, b: np.ndarray) -> float:
    top = int(max(a.max(), b.max())) + 1
    return float(np.abs(np.cumsum(np.bincount(a, minlength=top)) - np.cumsum(np.bincount(b, minlength=top))).max()) / len(a)


class Graphs:
    """A set of graphs, every one a private object with a public number of nodes."""

    PATTERNS = "edge,path3,star3,star4,cycle3,cycle4"

    def __init__(self, folder: str, seed: int) -> None:
        self.graphs = pg.read_graphset(folder)
        self.labels = np.unique(np.asarray(self.graphs.labels), return_inverse=True)[1].astype(np.int32)
        order = np.random.default_rng(seed).permutation(len(self.labels))
        self.learns, self.checks = self.labels.copy(), np.full(len(self.labels), -1, np.int32)
        half, rest = len(order) // 2, 3 * len(order) // 4
        self.learns[order[half:]] = -1
        self.checks[order[half:rest]] = self.labels[order[half:rest]]
        self.tested, self.seed = order[rest:], seed

    def embedding(self, name: str, epsilon: float, delta: float = DELTA) -> Any:
        if name == "degree distributions":
            return pg.DegreeEmbedding(epsilon=epsilon)
        return pg.PrivateEmbedding(self.PATTERNS, epsilon=epsilon, delta=delta, append_order=True)

    def user(self, values: np.ndarray) -> float:
        """Right classes by a network on released rows."""
        known = np.where(self.learns >= 0, self.learns, self.checks).astype(np.int32)
        part = np.where(self.learns >= 0, 0, np.where(self.checks >= 0, 1, -1)).astype(np.int32)
        scaled = (values - values.mean(0)) / np.maximum(values.std(0), 1e-12)
        data = pg.Dataset(features=pg.public(scaled), labels=pg.public(known), split=part)
        network = pg.Network("dense 64 relu drop .3 | dense classes", values.shape[1], int(self.labels.max()) + 1)
        rows = pg.Model.train(network, data, seed=1, select="accuracy", averages=3).predict_exact(data)
        return 100 * float((rows.argmax(1) == self.labels)[self.tested].mean())

    def embedded(self, name: str, epsilon: float) -> Iterator[Line]:
        """Is a released row nearest to its own graph? `uniform` holds that share, `control_auc` guessing. Is a pair an edge
        (edge inference)? All else is known of each graph, a coin says whether the pair is joined; `uniform` holds the AUC."""
        released = self.embedding(name, epsilon).draw(self.graphs)
        values = np.asarray(released.values)
        user = self.user(values)
        exact = np.asarray(self.embedding(name, 1e6, 0.5).draw(self.graphs).values)
        scale = np.maximum(values.std(0), 1e-12)
        of_order = np.array(["order" in str(one) for one in self.embedding(name, 1.0).fit().get_feature_names_out()])
        for words, columns in (("re-identification", ~of_order), ("re-identification, public order", np.full(len(scale), True))):
            share = pg.reidentify(np.ascontiguousarray(values[:, columns] / scale[columns]),
                                  np.ascontiguousarray(exact[:, columns] / scale[columns]))
            yield {"user": user, "attack": words, "uniform": share, "control_auc": 1 / len(self.labels)}
        yield self.inferred(name, epsilon, user)

    def inferred(self, name: str, epsilon: float, user: float) -> Line:
        """Edge inference in graphs of at most 300 nodes, where it is hardest to hide; the likelihood ratio for noise of the
        deviations that a release of the empty change shows."""
        pick = np.random.default_rng(self.seed)
        small = [i for i in pick.permutation(len(self.labels)) if 5 <= self.graphs.orders[i] <= 300][:200]
        worlds: List[List[Any]] = [[], []]
        for i in small:
            graph = self.graphs[int(i)]
            u, v = sorted(pick.choice(graph.order, 2, replace=False).tolist())
            edges = np.asarray(graph.edges()).reshape(2, -1)
            bare = edges[:, ~((edges.min(0) == u) & (edges.max(0) == v))]
            worlds[0].append(pg.Graph.from_edges(bare, graph.order))
            worlds[1].append(pg.Graph.from_edges(np.concatenate([bare, [[u], [v]]], 1), graph.order))
        sets = [pg.GraphSet.from_graphs(world) for world in worlds]
        exact = [np.asarray(self.embedding(name, 1e6, 0.5).draw(one).values) for one in sets]
        made = self.embedding(name, epsilon)
        drawn = [np.stack([np.asarray(made.draw(one).values) for _ in range(20)]) for one in sets]
        spread = np.sqrt(np.mean([(d - d.mean(0)) ** 2 for d in drawn], axis=(0, 1)) * 20 / 19)
        spread = np.where(spread > 1e-9, spread, np.inf)
        power = 1 if name == "degree distributions" else 2
        scores = [((np.abs((d - exact[0]) / spread) ** power - np.abs((d - exact[1]) / spread) ** power).sum(2)).ravel()
                  for d in drawn]
        found = attack.auc(scores[1], scores[0])
        return {"user": user, "attack": "edge inference", "uniform": found[0], "control_auc": 0.5,
                "ceiling": ceiling_of(made)}

    def cells(self, quick: bool) -> Iterator[Cell]:
        for epsilon in EPSILONS[1:4:2] if quick else EPSILONS:
            for name in ("embeddings", "degree distributions"):
                yield Cell(name, epsilon, lambda n=name, e=epsilon: self.embedded(n, e))


def ceiling_of(made: Any) -> float:
    """Of an embedding of graphs that was drawn: of its one release, or of one like all."""
    drawn = made.release_
    return attack.ceiling_guarantee(drawn.releases[0] if hasattr(drawn, "releases") else drawn)[0]


# --- report -----------------------------------------------------------------------------

LINKS = (("uniform", "UNIFORM"), ("two_hop", "TWO_HOP"), ("degree", "DEGREE"), ("excess", "excess TWO_HOP"))
VALUES = (("uniform", "UNIFORM"), ("degree", "same column"), ("excess", "excess UNIFORM"))
MEASURES = {"features": VALUES, "labels": VALUES, "game": (("uniform", "AUC"), ("excess_low", "epsilon is at least")),
            "membership": (("uniform", "AUC"), ("control_auc", "AUC, model of others"))}
MEASURES.update({name: (("uniform", "share found"),) for name in ("re-identification", "re-identification, public order")})
MEASURES["edge inference"] = (("uniform", "AUC"),)


def mean(values: List[float], digits: int) -> str:
    """With half of its 95 % interval over seeds."""
    held = [value for value in values if value == value]
    if not held:
        return ""
    return f"{np.mean(held):.{digits}f}" + (f" ± {common.half_width(held):.{digits}f}" if len(held) > 1 else "")


def report(path: str) -> str:
    with open(path, newline="") as stream:
        lines = list(csv.DictReader(stream))
    out: List[str] = []
    for name in SEEDS:
        mine = [one for one in lines if one["set"] == name]
        if not mine:
            continue
        found: Dict[Tuple[str, str], Dict[float, List[Line]]] = {}
        for one in mine:
            found.setdefault((one["row"], one["attack"]), {}).setdefault(float(one["epsilon"]), []).append(one)
        seeds = len({one["seed"] for one in mine})
        noise = [e for e in EPSILONS if any(e in each for each in found.values())]
        out += [f"### {TITLES[name]}", "", f"{seeds} seeds." if seeds > 1 else "One seed.", "",
                "| release | what | " + " | ".join(f"{e:g}" for e in noise) + " |", "|---|---|" + "---|" * len(noise)]

        def put(row: str, words: str, each: Dict[float, List[Line]], field: str, digits: int) -> None:
            texts = [mean([float(one[field] or "nan") for one in each.get(e, [])], digits) for e in noise]
            if any(texts):
                out.append(f"| {row} | {words} | " + " | ".join(texts) + " |")

        before, rows = "", list(dict.fromkeys(row for row, _ in found))
        for (row, attacked), each in sorted(found.items(), key=lambda item: rows.index(item[0][0])):
            if not set(each) & set(noise):
                continue
            if row != before:
                nameless = attacked == "game"
                put(f"**{row}**", "user: distance of degrees" if nameless else "user: right (%)", each, "user", 4 if nameless else 1)
                ends = [max((float(one["ceiling"] or "nan") for one in each.get(e, [])), default=float("nan")) for e in noise]
                before = row
                if any(end == end for end in ends):
                    out.append(f"| {row} | game: ceiling | " + " | ".join("" if end != end else f"{end:.3f}" for end in ends) + " |")
            for field, words in MEASURES.get(attacked, LINKS):
                put(row, f"{attacked}: {words}", each, field, 3)
        grounds = [(key, each) for key, each in found.items() if set(each) & {0.0, EXACT}]
        if grounds:
            out += ["", "| without noise | user: right (%) | " + " | ".join(words for _, words in LINKS) + " |",
                    "|---|---|" + "---|" * len(LINKS)]
            for (row, attacked), each in grounds:
                held = next(iter(each.values()))
                out.append(f"| {row}: {attacked} | {mean([float(one['user']) for one in held], 1)} | " + " | ".join(
                    mean([float(one[field]) for one in held], 3) for field, _ in LINKS) + " |")
        out.append("")
    return "\n".join(out)


# --- running ----------------------------------------------------------------------------

def measure(name: str, folder: str, seed: int, quick: bool, done: Set[Tuple[str, ...]], writer: Any, stream: Any) -> None:
    """All cells of a set and a seed that are not in the CSV."""
    target: Any = Graphs(folder, seed) if name == "REDDIT-BINARY" else Target(*common.load(folder), seed, quick)
    for cell in target.cells(quick):
        if (name, cell.row, str(cell.epsilon), str(seed)) in done:
            continue
        start = time.process_time()
        lines = list(cell.measure())  # a cell is written whole
        for one in lines:
            rounded = {key: round(value, 5) if isinstance(value, float) else value for key, value in one.items()}
            writer.writerow(dict(rounded, set=name, row=cell.row, epsilon=cell.epsilon, seed=seed))
        stream.flush()
        print(f"{name} {seed - SEED} {cell.row} {cell.epsilon:g}: {time.process_time() - start:.1f} s", file=sys.stderr,
              flush=True)


def run(arguments: argparse.Namespace) -> int:
    wanted = common.present(arguments.data, (arguments.sets or ",".join(SEEDS)).split(","))
    if not wanted:
        print(f"no sets in {arguments.data}: nothing is measured")
        return common.SKIPPED
    done: Set[Tuple[str, ...]] = set()
    fresh = not os.path.exists(arguments.out)
    if not fresh:
        with open(arguments.out, newline="") as stream:
            done = {(one["set"], one["row"], one["epsilon"], one["seed"]) for one in csv.DictReader(stream)}
    warnings.simplefilter("ignore", pg.RepeatedReleaseWarning)  # it is what a study does
    with open(arguments.out, "a", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
        if fresh:
            writer.writeheader()
        for seed in range(max(arguments.seeds or SEEDS[name] for name in wanted)):
            for name in wanted:
                if seed < (arguments.seeds or SEEDS[name]):
                    measure(name, os.path.join(arguments.data, name), SEED + seed, arguments.quick, done, writer, stream)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="two epsilons")
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--sets")
    parser.add_argument("--seeds", type=int, default=0, help="as many as the page has, if 0")
    parser.add_argument("--out", default="attacks.csv", help="CSV to append to")
    parser.add_argument("--report", help="CSV to read")
    arguments = parser.parse_args()
    if arguments.report:
        print(report(arguments.report).rstrip())
        return 0
    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
