#!/usr/bin/env python3
"""Private homomorphism densities on four benchmarks: what they tell a classifier, what they tell
an attacker, how long they take.

    table2.py [--quick] [--data FOLDER] [--out FOLDER] [--sets NAME,...] [--patterns N] [--draws N]

The sets are those of Table 2 (and of Table 4: REDDIT-BINARY) of the homomorphism-density paper, with
its learners, its budget (epsilon 1, delta 1e-6) and its attack. Three samples of 50 trees, three draws
of noise each. Writes table2.md (what stands above its marker line stays) and table2.svg into --out.
--quick uses generated graphs and one draw.

Every choice is made in this file before any label is looked at; nothing is tuned. Noise comes from a
secure generator, so every single embedding has its guarantee. The experiment as a whole has not:
it embeds the same graphs again and again. Do this with public data only.
"""
import argparse
import os
import sys
import time
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import privgraph as pg

EPSILON, DELTA, PATTERNS = 1.0, 1e-6, 50
SKIPPED = 77  # how Meson wants to be told
MARKER = "<!-- measured by studies/table2.py -->"


# --- data -------------------------------------------------------------------------------

@dataclass(frozen=True)
class Benchmark:
    """A set, what is publicly known of its degrees, and the published learner."""

    name: str
    folder: str
    max_degree: Optional[int]  # known from chemistry, not from the data; None: nothing is
    neighbours: int            # k nearest neighbours; 0: random forest of 200 trees
    published: Tuple[float, float, float, float] = (np.nan,) * 4  # AUC, attack; private, exact


BENCHMARKS = [
    Benchmark("MOLHIV", "molhiv", 10, 1000, (0.692, 0.003, 0.745, 0.955)),
    Benchmark("MOLBACE", "molbace", 6, 100, (0.652, 0.027, 0.752, 0.990)),
    Benchmark("MOLBBBP", "molbbbp", 6, 0, (0.602, 0.025, 0.644, 1.000)),
    Benchmark("REDDIT-BINARY", "REDDIT-BINARY", None, 300, (0.775, 0.046, 0.844, 0.999)),
]


def read_numbers(folder: str, name: str) -> Optional[np.ndarray]:
    for path in (os.path.join(folder, name), os.path.join(folder, name + ".gz")):
        if os.path.exists(path):
            return np.loadtxt(path, dtype=np.int64)
    return None


def splits_of(folder: str, name: str, count: int) -> List[Tuple[np.ndarray, np.ndarray]]:
    """(train, test) pairs: the official scaffold split, or ten given folds."""
    split = read_numbers(folder, f"{name}_split.txt")
    if split is not None:
        return [(np.flatnonzero(split == 0), np.flatnonzero(split == 2))]
    folds = read_numbers(folder, f"{name}_folds.txt")
    assert folds is not None and len(folds) == count, folder
    return [(np.flatnonzero(folds != k), np.flatnonzero(folds == k)) for k in range(1, 11)]


def generated() -> Tuple[Benchmark, pg.GraphSet, List]:
    """Two classes that trees tell apart: many or few edges."""
    rng = np.random.default_rng(5)
    graphs, labels = [], []
    for i in range(200):
        order = int(rng.integers(40, 60))
        graphs.append(pg.Graph.erdos_renyi(order, 0.06 if i % 2 else 0.12, i))
        labels.append(i % 2)
    order = rng.permutation(200)
    return (Benchmark("generated", "", None, 15), pg.GraphSet.from_graphs(graphs, labels),
            [(order[:150], order[150:])])


# --- embeddings -------------------------------------------------------------------------

@dataclass(frozen=True)
class Plan:
    """One row of the table."""

    name: str
    private: bool
    trees: bool = True        # 50 sampled trees, else the edge alone
    order: bool = False       # with the number of nodes, which is public
    types: bool = False       # with how many nodes of each type there are, which is public as well
    noise: Dict = field(default_factory=dict)


PLANS = [
    Plan("node count alone (public)", True, trees=False, order=True, noise={"none": True}),
    Plan("node count and types (public)", True, trees=False, order=True, types=True, noise={"none": True}),
    Plan("50 trees", True, noise={"allocation": "isotropic", "scaling": "density"}),
    Plan("50 trees, node count", True, order=True,
         noise={"allocation": "optimal", "scaling": "density"}),
    Plan("edges, node count", True, trees=False, order=True,
         noise={"noise": "laplace", "delta": 0.0, "scaling": "per-node"}),
    Plan("50 trees, EXACT", False),
    Plan("50 trees, node count, EXACT", False, order=True),
]


@dataclass
class Rows:
    """Embeddings of all graphs: what a learner may see, and what an attacker knows."""

    given: np.ndarray
    exact: np.ndarray
    seconds: float


def embed(plan: Plan, bench: Benchmark, graphs: pg.GraphSet, patterns: pg.Patterns) -> Rows:
    if plan.noise.get("none"):
        nothing = np.zeros((len(graphs), 0))
        return Rows(nothing, nothing, 0.0)
    chosen = patterns if plan.trees else pg.as_patterns("edge")
    start = time.perf_counter()
    exact = pg.Density(chosen).evaluate_exact(graphs)  # NOT FOR PUBLICATION
    seconds = time.perf_counter() - start
    if not plan.private:
        return Rows(exact, exact, seconds)
    settings = dict({"epsilon": EPSILON, "delta": DELTA}, **plan.noise)
    embedding = pg.PrivateEmbedding(chosen, max_degree=bench.max_degree if plan.trees else None,
                                    degrees="promised", **settings).fit()
    start = time.perf_counter()
    release = embedding.release(graphs)
    seconds = time.perf_counter() - start
    assert release.publishable and release.epsilon(DELTA) <= EPSILON
    if settings["scaling"] == "per-node":  # hom / n instead of hom / n^2
        exact = exact * graphs.orders[:, None]
    return Rows(release.values, exact, seconds)


# --- learner and attacker ---------------------------------------------------------------

def learner(bench: Benchmark, seed: int):
    if bench.neighbours == 0:
        return RandomForestClassifier(n_estimators=200, random_state=seed, n_jobs=1)
    return make_pipeline(StandardScaler(),
                         KNeighborsClassifier(bench.neighbours, algorithm="brute", n_jobs=1))


def type_counts(graphs: pg.GraphSet, types: int) -> np.ndarray:
    """How many nodes of each type every graph has."""
    owner = np.repeat(np.arange(len(graphs)), graphs.orders)
    return np.bincount(owner * types + np.asarray(graphs.node_labels), minlength=len(graphs) * types).reshape(-1, types)


def utility(plan: Plan, bench: Benchmark, graphs: pg.GraphSet, splits: List, rows: Rows, seed: int
            ) -> Tuple[float, float]:
    """(AUC on exact test rows, as published; AUC on test rows as released)."""
    orders = graphs.orders[:, None].astype(float)
    given = np.hstack([rows.given, orders]) if plan.order else rows.given
    exact = np.hstack([rows.exact, orders]) if plan.order else rows.exact
    if plan.types and graphs.node_labels is not None:
        counts = type_counts(graphs, int(np.max(graphs.node_labels)) + 1)
        given, exact = np.hstack([given, counts]), np.hstack([exact, counts])
    found = []
    for train, test in splits:
        model = learner(bench, seed).fit(given[train], graphs.labels[train])
        found.append([roc_auc_score(graphs.labels[test], model.predict_proba(part[test])[:, 1])
                      for part in (exact, given)])
    clean, noisy = np.mean(found, axis=0)
    return float(clean), float(noisy)


def attack(plan: Plan, graphs: pg.GraphSet, rows: Rows) -> float:
    """Share of graphs whose own exact vector is the nearest to the released one, among all
    graphs of the set; ties count against the attacker. With the node count the attacker looks only
    among graphs of that order."""
    orders = graphs.orders[:, None].astype(float)
    if not plan.private:  # the nearest is at distance 0: found unless another graph has the same row
        both = np.hstack([rows.exact, orders]) if plan.order else rows.exact
        _, group, counts = np.unique(both, axis=0, return_inverse=True, return_counts=True)
        return float(np.mean(counts[group.ravel()] == 1))
    if not plan.order:
        return pg.reidentify(rows.given, rows.exact, threads=2)
    found = 0.0
    for order in np.unique(graphs.orders):
        here = np.flatnonzero(graphs.orders == order)
        if rows.given.shape[1] == 0:
            found += len(here) == 1
        else:
            found += len(here) * pg.reidentify(rows.given[here], rows.exact[here])
    return found / len(graphs)


# --- the experiment ---------------------------------------------------------------------

@dataclass
class Result:
    clean: np.ndarray
    noisy: np.ndarray
    attack: np.ndarray
    seconds: np.ndarray


def measure(plan: Plan, bench: Benchmark, graphs: pg.GraphSet, splits: List, samples: int, draws: int
            ) -> Result:
    """Exact rows do not vary with the noise, and rows without trees not with the sample."""
    lines = []
    random_learner = bench.neighbours == 0
    for sample in range(samples if plan.trees or plan.noise.get("noise") else 1):
        patterns = pg.as_patterns("reference1", PATTERNS, seed=1000 + sample)
        noisy = plan.private and not plan.noise.get("none")
        for draw in range(draws if noisy or random_learner else 1):
            rows = embed(plan, bench, graphs, patterns)
            lines.append((*utility(plan, bench, graphs, splits, rows, 10 * sample + draw),
                          attack(plan, graphs, rows), rows.seconds))
    return Result(*(np.array(column) for column in zip(*lines)))


def spread(values: np.ndarray, digits: int = 3) -> str:
    """Mean (standard deviation)."""
    def short(value: float) -> str:
        return f"{value:.{digits}f}" if value == 0 or value >= 10.0 ** -digits else f"<{10.0 ** -digits:g}"
    mean = short(values.mean())
    return mean if len(values) == 1 else f"{mean} ({short(values.std(ddof=1))})"


def table(results: Dict[str, Dict[str, Result]], benches: Dict[str, Benchmark], quick: bool) -> str:
    lines = []
    for name, found in results.items():
        bench = benches[name]
        words = f"k-NN, k = {bench.neighbours}" if bench.neighbours else "random forest, 200 trees"
        bound = "none" if bench.max_degree is None else f"promised, {bench.max_degree}"
        lines += [f"### {name}", "", f"Learner: {words}. Degree bound: {bound}.", "",
                  "| | AUC, exact test rows | AUC, released test rows | attack, top 1 | seconds |",
                  "|---|---|---|---|---|"]
        for plan in PLANS:
            result = found[plan.name]
            mark = "" if plan.private else " **NOT PRIVATE**"
            # A forest of its own seed varies a little even without noise.
            lines.append(f"| {plan.name}{mark} | {spread(result.clean)} | {spread(result.noisy)} |"
                         f" {spread(result.attack)} | {result.seconds.mean():.2f} |")
        if not quick:
            private, found_private, exact, found_exact = bench.published
            lines += [f"| published, epsilon 1 | {private:.3f} | | {found_private:.3f} | |",
                      f"| published, no noise, **NOT PRIVATE** | {exact:.3f} | | {found_exact:.3f} | |"]
        lines.append("")
    return "\n".join(lines)


def write_page(path: str, measured: str) -> None:
    """Keeps what a page says above the marker and replaces what stands below."""
    head = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            head = file.read().partition(MARKER)[0]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{MARKER}\n\n{measured}".rstrip("\n") + "\n")


def picture(results: Dict[str, Dict[str, Result]], benches: Dict[str, Benchmark], path: str) -> None:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "table2", "font.size": 9})
    colours = ["#888888", "#bbbbbb", "#9ecae1", "#3182bd", "#08519c", "#fdae6b", "#e6550d"]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10.5, 4.6))
    width = 0.8 / len(PLANS)
    for i, plan in enumerate(PLANS):
        label = plan.name + ("" if plan.private else " (NOT PRIVATE)")
        where = np.arange(len(results)) + (i - (len(PLANS) - 1) / 2) * width
        for panel, values in ((left, [r[plan.name].noisy for r in results.values()]),
                              (right, [r[plan.name].attack for r in results.values()])):
            errors = [v.std(ddof=1) if len(v) > 1 else 0.0 for v in values]
            panel.bar(where, [max(v.mean(), 1e-4) for v in values], width * 0.9, yerr=errors,
                      color=colours[i], label=label, error_kw={"linewidth": 0.8})
    for panel, title in ((left, "AUC on test rows as released"),
                         (right, "graphs found again by the attacker (share)")):
        panel.set_xticks(np.arange(len(results)), list(results))
        panel.set_title(title, fontsize=10)
        panel.spines[["top", "right"]].set_visible(False)
    left.axhline(0.5, color="black", linewidth=0.6, linestyle=":")
    left.set_ylim(0.4, 1.0)
    right.set_yscale("log")
    right.set_ylim(1e-4, 1.2)
    figure.legend(*left.get_legend_handles_labels(), loc="lower center", ncol=3, frameon=False)
    figure.tight_layout(rect=(0, 0.12, 1, 1))
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--quick", action="store_true", help="generated graphs, one sample, one draw")
    parser.add_argument("--data", default=os.path.join(here, "..", "..", "shared", "data"))
    parser.add_argument("--out", default=".")
    parser.add_argument("--sets", default=",".join(b.name for b in BENCHMARKS))
    parser.add_argument("--patterns", type=int, default=3, help="samples of patterns")
    parser.add_argument("--draws", type=int, default=3, help="draws of noise for each")
    options = parser.parse_args(arguments)
    if options.quick:
        jobs = [generated()]
        options.patterns = options.draws = 1
    else:
        wanted = options.sets.split(",")
        jobs = []
        for bench in BENCHMARKS:
            folder = os.path.join(options.data, bench.folder)
            if bench.name not in wanted:
                continue
            if not os.path.isdir(folder):
                print(f"skipped: {folder} is not there")
                return SKIPPED
            jobs.append((bench, None, None))
    results: Dict[str, Dict[str, Result]] = {}
    for bench, graphs, splits in jobs:
        if graphs is None:
            folder = os.path.join(options.data, bench.folder)
            graphs = pg.read_graphset(folder)
            splits = splits_of(folder, bench.folder, len(graphs))
        results[bench.name] = {}
        for plan in PLANS:
            result = measure(plan, bench, graphs, splits, options.patterns, options.draws)
            results[bench.name][plan.name] = result
            print(f"{bench.name:14} {plan.name:28} AUC {spread(result.clean)} exact,"
                  f" {spread(result.noisy)} released, attack {spread(result.attack)},"
                  f" {result.seconds.mean():.2f} s{'' if plan.private else '   NOT PRIVATE'}", flush=True)
    benches = {bench.name: bench for bench, _, _ in jobs}
    write_page(os.path.join(options.out, "table2.md"), table(results, benches, options.quick))
    picture(results, benches, os.path.join(options.out, "table2.svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
