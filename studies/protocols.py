#!/usr/bin/env python3
"""How far details of a protocol move an attack's number: lists of questions, targets, windows, starts of weights.

    protocols.py [--quick] [--part links|windows|torch] [--data FOLDER] [--out CSV]
    protocols.py --report CSV      Markdown tables on stdout

links: LinkTeller against TWO_HOP on Cora, for lists with and without repeated pairs, and for other targets.
windows: the one-step twin of the library on GRAD, several seeds.
torch: the same network in torch, an independent program (left out where there is no torch): starts of weights, biases
of attention, order in which searches meet neighbours. Public test data; nothing here is private.
"""
import argparse
import os
import sys
from typing import Any, Callable, Dict, List, Tuple

import numpy as np

import common
import explanations
import privgraph as pg
from privgraph import attack

COLUMNS = ["part", "row", "seed", "measure", "value"]
SPLITS, LISTS, DRAWN = 5, 15, 60000
CUTS, WINDOW, KNOWN, TESTS, DIRECTIONS, HIDDEN, STEPS, BATCH = 5, 20, 400, 40, 32, 32, 350, 16
TEXT = "drop {drop} | gcn {hidden} relu | drop {drop} | gcn classes"
TARGETS: Dict[str, Dict[str, Any]] = {
    "as described": {}, "60 epochs": {"epochs": 60}, "400 epochs": {"epochs": 400}, "no decay": {"decay": 0.0},
    "16 hidden": {"hidden": 16}, "64 hidden": {"hidden": 64}, "probabilities, not logits": {"probabilities": True}}
LINES = ("1000, as drawn", "1000, no pair twice", "4000, as drawn", "4000, no pair twice")
STARTS: Dict[str, Dict[str, Any]] = {
    "1 / sqrt(terms), biases, random order": {},
    "Glorot, biases, random order": {"glorot": True},
    "1 / sqrt(terms), biases, order of numbers": {"ordered": True},
    "Glorot, no biases, order of numbers": {"glorot": True, "biased": False, "ordered": True}}


# --- links -------------------------------------------------------------------------------

def target(graph: Any, x: np.ndarray, labels: np.ndarray, seed: int, *, hidden: int = 32, drop: float = .5,
           epochs: int = 150, decay: float = 5e-4) -> Tuple[Any, Any]:
    part = common.parts_of(labels.astype(np.int32), seed)
    data = pg.Dataset(features=pg.public(x), graph=pg.public(graph), labels=pg.public(labels), split=part)
    network = pg.Network(TEXT.format(hidden=hidden, drop=drop), x.shape[1], int(labels.max()) + 1)
    return pg.Model.train(network, data, seed=seed, epochs=epochs, decay=decay, select="accuracy", patience=-1), data


def lists_of(found: Any, line: str, rng: np.random.Generator, lists: int) -> List[Tuple[np.ndarray, np.ndarray]]:
    """Numbers of questions: edges, and pairs at distance two in the order in which they were drawn."""
    count, twice = int(line.split(",")[0]), line.endswith("drawn")
    edges, far = np.flatnonzero(found.kinds == -1), np.flatnonzero(found.kinds == 1)
    pairs, made, at = np.sort(found.questions, 0), [], 0
    while len(made) < lists:
        seen: Dict[Tuple[int, int], int] = {}
        chosen: List[int] = []
        while len(chosen) < count and at < len(far):
            key = (int(pairs[0, far[at]]), int(pairs[1, far[at]]))
            if twice or key not in seen:
                chosen.append(int(far[at]))
            seen[key] = 1
            at += 1
        if len(chosen) < count:
            break
        made.append((rng.permutation(edges)[:count], np.array(chosen)))
    return made


def links(graph: Any, x: np.ndarray, labels: np.ndarray, table: common.Table, quick: bool) -> None:
    for seed in range(1 if quick else SPLITS):
        for row, settings in TARGETS.items():
            if table.has("links", row, seed, "LinkTeller, " + LINES[0]) or quick and row != "as described":
                continue
            of_model = {key: value for key, value in settings.items() if key != "probabilities"}
            model, data = target(graph, x, labels, seed, **of_model)
            found = attack.links_influence(model, data, graph, seed=seed, positives=6000, draws=1, features=x,
                                           negatives=8000 if quick else DRAWN,
                                           probabilities=settings.get("probabilities"))
            scores = {"LinkTeller": found.scores, "degrees": found.scores_of("degrees"),
                      "features": found.scores_of("features")}
            for line in LINES if row == "as described" else LINES[:1]:
                made = lists_of(found, line, np.random.default_rng(seed), LISTS)
                for name, score in scores.items():
                    if row != "as described" and name != "LinkTeller":
                        continue
                    areas = [attack.auc(score[up], score[down])[0] for up, down in made]
                    table.add("links", row, seed, f"{name}, {line}", float(np.mean(areas)))
                    table.add("links", row, seed, f"{name}, {line}, deviation", float(np.std(areas, ddof=1)))


# --- windows -----------------------------------------------------------------------------

def windows(graph: Any, x: np.ndarray, labels: np.ndarray, table: common.Table, quick: bool) -> None:
    model, data = explanations.target(graph, x, labels, explanations.TEXT["gcn"], 0)
    rows = pg.explain_exact("grad", model, data)
    size = {"cuts": 2, "windows": 30, "tests": 10, "steps": 30} if quick else {"cuts": CUTS}
    for seed in range(1 if quick else 8):
        if table.has("windows", "the library", seed, "twin"):
            continue
        found = pg.reconstruct(rows, graph, seed=seed, **size).reports
        for name in ("cosine", "twin", "chance"):
            table.add("windows", "the library", seed, name, found[name].auc)


class Ground:
    """Searches in a graph, for windows of the independent program."""

    def __init__(self, graph: Any) -> None:
        self.starts, self.nodes = (np.asarray(part) for part in graph.csr()[:2])
        self.order = graph.order
        self.dense = np.zeros((self.order, self.order), np.float32)
        self.dense[np.repeat(np.arange(self.order), np.diff(self.starts)), self.nodes] = 1

    def search(self, start: int, allowed: np.ndarray, width: int, order: Callable[[np.ndarray], np.ndarray]) -> List[int]:
        found, seen, at = [start], {start}, 0
        while at < len(found) and len(found) < width:
            for v in order(self.nodes[self.starts[found[at]]:self.starts[found[at] + 1]]):
                if len(found) < width and allowed[v] and int(v) not in seen:
                    seen.add(int(v))
                    found.append(int(v))
            at += 1
        return found

    def cut(self, rng: np.random.Generator, order: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        known = np.zeros(self.order, bool)
        while known.sum() < self.order // 2:
            start = int(rng.choice(np.flatnonzero(~known)))
            known[self.search(start, ~known, self.order // 2 - int(known.sum()), order)] = True
        return known

    def windows(self, rng: np.random.Generator, allowed: np.ndarray, count: int,
                order: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        inside, made = np.flatnonzero(allowed), []
        while len(made) < count:
            found = self.search(int(rng.choice(inside)), allowed, WINDOW, order)
            if len(found) == WINDOW:
                made.append(rng.permutation(found))
        return np.array(made)

    def area(self, scores: np.ndarray, drawn: np.ndarray) -> float:
        up, areas = np.triu_indices(WINDOW, 1), []
        for score, nodes in zip(scores, drawn):
            truth = self.dense[np.ix_(nodes, nodes)][up] > 0
            if truth.any() and not truth.all():
                areas.append(attack.auc(score[up][truth], score[up][~truth])[0])
        return float(np.mean(areas))


def twin_of(torch: Any, glorot: bool, biased: bool) -> Any:
    """The network of lib/audit/reconstruct/twin.c without diffusion."""
    nn = torch.nn

    class Twin(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.enter = nn.Linear(DIRECTIONS, HIDDEN)
            self.maps = nn.ModuleList(nn.Linear(HIDDEN, HIDDEN, bias=biased) for _ in range(6))
            self.norms = nn.ModuleList(nn.LayerNorm(HIDDEN) for _ in range(2))
            self.pair, self.last = nn.Linear(2 * HIDDEN + 1, HIDDEN), nn.Linear(HIDDEN, 1)
            for part in self.modules() if glorot else ():
                if isinstance(part, nn.Linear):
                    nn.init.xavier_uniform_(part.weight)
                    if part.bias is not None:
                        nn.init.zeros_(part.bias)

        def forward(self, x: Any) -> Any:
            h = self.enter(x)
            for at in range(2):
                query, key, value = (one(h) for one in self.maps[3 * at:3 * at + 3])
                heard = torch.softmax(query @ key.transpose(1, 2) / HIDDEN ** .5, -1) @ value
                h = self.norms[at](h + torch.relu(heard))
            a, b, unit = h[:, :, None], h[:, None], nn.functional.normalize(x, dim=-1)
            alike = (unit @ unit.transpose(1, 2))[..., None]
            return self.last(torch.relu(self.pair(torch.cat([a * b, (a - b).abs(), alike], -1))))[..., 0]

    return Twin()


def independent(graph: Any, x: np.ndarray, labels: np.ndarray, table: common.Table, quick: bool) -> None:
    try:
        import torch
    except ImportError:
        print("no torch: the independent program is not run", file=sys.stderr)
        return
    torch.set_num_threads(1)
    model, data = explanations.target(graph, x, labels, explanations.TEXT["gcn"], 0)
    rows, ground = pg.explain_exact("grad", model, data), Ground(graph)
    up = torch.triu_indices(WINDOW, WINDOW, 1)
    for row, settings in STARTS.items():
        for seed in range(1 if quick else CUTS):
            if table.has("torch", row, seed, "twin"):
                continue
            rng = np.random.default_rng(seed)
            torch.manual_seed(seed)
            order = (lambda found: found) if settings.get("ordered") else rng.permutation
            known = ground.cut(rng, order)
            drawn, tests = ground.windows(rng, known, KNOWN, order), ground.windows(rng, ~known, TESTS, order)
            signal = (rows - rows[known].mean(0)) @ rng.standard_normal((rows.shape[1], DIRECTIONS))
            signal /= np.maximum(np.linalg.norm(signal, axis=1, keepdims=True), 1e-12)
            held = torch.tensor(signal, dtype=torch.float32)
            network = twin_of(torch, settings.get("glorot", False), settings.get("biased", True))
            steps = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-4)
            for _ in range(20 if quick else STEPS):
                batch = drawn[rng.integers(len(drawn), size=BATCH)]
                truth = torch.tensor(np.stack([ground.dense[np.ix_(nodes, nodes)] for nodes in batch]))
                said = network(held[torch.tensor(batch)])[:, up[0], up[1]]
                loss = torch.nn.functional.binary_cross_entropy_with_logits(said, truth[:, up[0], up[1]])
                steps.zero_grad()
                loss.backward()
                steps.step()
            with torch.no_grad():
                said = network(held[torch.tensor(tests)]).numpy()
            table.add("torch", row, seed, "cosine", ground.area(np.stack([signal[n] @ signal[n].T for n in tests]), tests))
            table.add("torch", row, seed, "twin", ground.area(said, tests))


# --- report ------------------------------------------------------------------------------

def interval(values: List[float]) -> str:
    if not values:
        return ""
    return f"{np.mean(values):.3f}" + (f" ± {common.half_width(values):.3f}" if len(values) > 1 else "")


def report(found: common.Results) -> str:
    out = ["| list against TWO_HOP | LinkTeller | deviation of a list | degrees | features |", "|---|---|---|---|---|"]
    for line in LINES:
        cells = [interval(found.get(("links", "as described", f"{name}, {line}{more}"), []))
                 for name, more in (("LinkTeller", ""), ("LinkTeller", ", deviation"), ("degrees", ""), ("features", ""))]
        out.append(f"| {line} | " + " | ".join(cells) + " |")
    out += ["", "| target, 1000 as drawn | LinkTeller TWO_HOP |", "|---|---|"]
    out += [f"| {row} | {interval(found.get(('links', row, 'LinkTeller, ' + LINES[0]), []))} |" for row in TARGETS]
    out += ["", "| twin on GRAD | cosine | twin | twin less cosine |", "|---|---|---|---|"]
    for part, row in [("windows", "the library")] + [("torch", name) for name in STARTS]:
        cosine, twin = (found.get((part, row, name), []) for name in ("cosine", "twin"))
        if twin:
            words = row if part == "windows" else "torch: " + row
            out.append(f"| {words} | {interval(cosine)} | {interval(twin)} | "
                       f"{interval([b - a for a, b in zip(cosine, twin)])} |")
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--part", choices=("links", "windows", "torch"))
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--out", default="protocols.csv", help="CSV to append to")
    parser.add_argument("--report", help="CSV to read")
    asked = parser.parse_args()
    if asked.report:
        print(report(common.read(asked.report, COLUMNS)))
        return 0
    if not common.present(asked.data, ["cora"]):
        print(f"no Cora in {asked.data}: nothing is measured")
        return common.SKIPPED
    graph, x, labels = explanations.load(asked.data, "cora")
    table = common.Table(asked.out, COLUMNS)
    for part, measure in (("links", links), ("windows", windows), ("torch", independent)):
        if asked.part in (None, part):
            measure(graph, x, labels, table, asked.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
