"""What several studies share: sets, splits, networks without privacy, intervals, CSV files that grow."""
import argparse
import csv
import gzip
import os
import sys
import warnings
from typing import Any, Callable, Dict, IO, Iterator, List, Optional, Tuple

import numpy as np
import scipy.sparse

import privgraph as pg

SKIPPED = 77  # how Meson wants to be told
HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "..", "..", "shared", "data")
TITLES = {"cora": "Cora", "pubmed": "PubMed", "photo": "Photo", "facebook_pages": "Facebook pages",
          "facebook100_wisconsin87": "Facebook100 Wisconsin", "lastfm_asia": "LastFM", "chameleon": "Chameleon"}
# on rows of length 1, Adam .01, decay 5e-4, at most 200 epochs, best validation accuracy of every fifth
NETWORKS = {"mlp": "drop .5 | dense 64 relu | drop .5 | dense classes",
            "gcn": "drop .5 | gcn 64 relu | drop .5 | gcn classes",
            "sage": "drop .5 | sage 64 relu | drop .5 | sage classes",
            "gin": "drop .5 | gin 64 bn relu | drop .5 | gin classes",
            "gat": "drop .5 | gat 64 heads=8 elu | drop .5 | gat classes heads=1"}
NAMES = {"mlp": "MLP", "gcn": "GCN", "sage": "SAGE", "gin": "GIN (bn)", "gat": "GAT (8 x 8, elu)"}


def load(folder: str) -> Tuple[Any, Any, np.ndarray]:
    """Graph, features, classes. LastFM has the artists of some users only; the others have none."""
    partial = os.path.join(folder, "features_partial.txt.gz")
    graph, features, labels = pg.read_folder(folder, features=not os.path.exists(partial))[:3]
    if os.path.exists(partial):
        with gzip.open(partial, "rt") as stream:
            rows = [np.array(line.split(), dtype=np.int32) for line in stream if not line.startswith("#")]
        offsets = np.zeros(graph.order + 1, np.int64)
        offsets[1:len(rows) + 1] = np.cumsum([len(row) for row in rows])
        offsets[len(rows) + 1:] = offsets[len(rows)]
        indices = np.concatenate(rows)
        features = scipy.sparse.csr_matrix((np.ones(len(indices)), indices, offsets),
                                           (graph.order, int(indices.max()) + 1))
    return graph, features, np.asarray(labels.values).astype(np.int32)


def parts_of(truth: np.ndarray, seed: int) -> np.ndarray:
    """0: half of the nodes learn; 1: a quarter chooses; 2: a quarter is tested; -1: no class."""
    count = len(truth)
    order = np.random.default_rng(seed).permutation(count)
    part = np.zeros(count, np.int32)
    part[order[count // 2:]] = 1
    part[order[count // 2 + count // 4:]] = 2
    part[truth < 0] = -1
    return part


def unit_rows(features: Any) -> Any:
    """A copy with rows of length 1; rows of zeros stay."""
    matrix = scipy.sparse.csr_matrix(features.to_scipy() if hasattr(features, "to_scipy") else features)
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(1)).ravel())
    return scipy.sparse.csr_matrix(scipy.sparse.diags(1 / np.where(lengths > 0, lengths, 1)) @ matrix)


def percent(rows: np.ndarray, truth: np.ndarray, where: np.ndarray) -> float:
    return 100 * float((rows.argmax(1) == truth)[where].mean())


def train_exact(network: str, graph: Any, unit: Any, truth: np.ndarray, part: np.ndarray) -> Tuple[float, float]:
    """(validation, test) accuracy of a network on the exact graph: not private. Labels of test nodes are not
    in its data."""
    data = pg.Dataset(graph=pg.private(graph), features=pg.public(unit), split=np.where(part == 2, -1, part),
                      labels=pg.public(np.where(part == 2, -1, truth).astype(np.int32)))
    made = pg.Network(NETWORKS[network], unit.shape[1], int(truth.max()) + 1)
    rows = pg.Model.train(made, data, seed=1, select="accuracy").predict_exact(data)
    return percent(rows, truth, part == 1), percent(rows, truth, part == 2)


def present(data: str, wanted: List[str]) -> List[str]:
    return [name for name in wanted if os.path.isdir(os.path.join(data, name))]


def half_width(values: List[float]) -> float:
    """Of the 95 % interval of the mean (Student)."""
    students = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}
    return float(students.get(len(values), 2.1) * np.std(values, ddof=1) / np.sqrt(len(values)))


def cell(values: Optional[List[float]]) -> str:
    if not values:
        return ""
    return f"{np.mean(values):.1f}" + (f" ± {half_width(values):.1f}" if len(values) > 1 else "")


class Table:
    """A CSV that grows: lines are written as they are measured, and what is there is not measured again."""

    def __init__(self, path: str, columns: List[str]) -> None:
        self.columns, self.keys = columns, columns[:-1]
        self.seen: Dict[Tuple[str, ...], str] = {}
        if os.path.exists(path):
            with open(path, newline="") as stream:
                for line in csv.DictReader(stream):
                    self.seen[tuple(line[key] for key in self.keys)] = line[columns[-1]]
        fresh = not os.path.exists(path)
        self.stream: IO[str] = open(path, "a", newline="")
        self.writer = csv.writer(self.stream, lineterminator="\n")
        if fresh:
            self.writer.writerow(columns)

    def has(self, *key: Any) -> bool:
        return tuple(str(part) for part in key) in self.seen

    def add(self, *line: Any) -> None:
        self.writer.writerow([*line[:-1], f"{line[-1]:.3f}"])
        self.stream.flush()
        self.seen[tuple(str(part) for part in line[:-1])] = f"{line[-1]:.3f}"


Results = Dict[Tuple[Any, ...], List[float]]


def read(path: str, columns: List[str]) -> Results:
    """Values of the last column by the others but the seed; epsilon is a number."""
    found: Results = {}
    with open(path, newline="") as stream:
        for line in csv.DictReader(stream):
            key = tuple(float(line[name]) if name == "epsilon" else line[name] for name in columns[:-1] if name != "seed")
            found.setdefault(key, []).append(float(line[columns[-1]]))
    return found


def save(drawing: Any, path: str) -> None:
    """As SVG, the same bytes for the same numbers."""
    drawing.savefig(path, format="svg", metadata={"Date": None})
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    with open(path, "w", encoding="utf-8") as stream:
        stream.write("\n".join(line.rstrip() for line in text.splitlines()) + "\n")


def panel(name: str, size: Tuple[float, float], **look: Any) -> Tuple[Any, Any]:
    """A drawing and its axes; no display is needed, and words stay words."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": name, "font.size": 9, **look})
    return pyplot.subplots(figsize=size)


def epsilon_panel(name: str, epsilons: Any, words: str, accuracy: str) -> Tuple[Any, Any]:
    """Axes of accuracy over epsilon."""
    drawing, axes = panel(name, (6, 3.2), **{"axes.grid": True, "grid.alpha": 0.3})
    axes.set_xticks(epsilons, [f"{e:g}" for e in epsilons])
    axes.set_xlabel(words)
    axes.set_ylabel(accuracy)
    return drawing, axes


def study(words: Optional[str], name: str, columns: List[str], run: Callable[[argparse.Namespace], int],
          report: Callable[[Results], str], figure: Callable[[Results, str], None],
          repeats: Tuple[str, int] = ("splits", 0)) -> int:
    """Command line of a study: measure into a CSV that grows, or report from one."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--sets")
    parser.add_argument(f"--{repeats[0]}", type=int, default=repeats[1])
    parser.add_argument("--out", default=f"{name}.csv", help="CSV to append to")
    parser.add_argument("--report", help="CSV to read")
    parser.add_argument("--figure", help="SVG to write")
    arguments = parser.parse_args()
    if not arguments.report:
        return run(arguments)
    found = read(arguments.report, columns)
    print(report(found))
    if arguments.figure:
        figure(found, arguments.figure)
    return 0


# --- studies of many parts: lines (set, row, x, seed, value) in one CSV -----------------------------

Line = Tuple[str, str, float, int, float]
LINES = ["part", "set", "row", "x", "seed", "value"]
Parts = Dict[str, Callable[[str], Iterator[Line]]]
Words = List[Tuple[str, str]]  # keys and what a table calls them


def plain(words: List[str]) -> Words:
    return [(word, word) for word in words]


def grid(found: Results, part: str, head: str, columns: Words, rows: Words, key: Callable[[str, str], Tuple[str, str, str]],
         text: Callable[[Optional[List[float]]], str] = cell) -> List[str]:
    """A Markdown table of one part; key: of column and row to (set, row, x). Rows without any number are left out."""
    out = [f"| {head} | " + " | ".join(words for _, words in columns) + " |", "|---|" + "---|" * len(columns)]
    for row, words in rows:
        cells = [text(found.get((part, *key(column, row)))) for column, _ in columns]
        if any(cells):
            out.append(f"| {words} | " + " | ".join(cells) + " |")
    return out + [""] if len(out) > 2 else []


def study_of_parts(words: Optional[str], name: str, parts: Parts, report: Callable[[Results], str], needs: List[str],
                   more: Optional[Callable[[argparse.ArgumentParser], None]] = None) -> Optional[argparse.Namespace]:
    """Command line: measures one part or all into a CSV that grows, or reports. Returns the arguments if neither was asked for."""
    parser = argparse.ArgumentParser(description=words, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--part", choices=list(parts))
    parser.add_argument("--out", default=f"{name}.csv")
    parser.add_argument("--report", nargs="?", const=os.path.join(HERE, "results", f"{name}.csv"))
    if more:
        more(parser)
    chosen = parser.parse_args()
    if chosen.report:
        print(report(read(chosen.report, LINES)), end="")
        return None
    if more and any(value for key, value in vars(chosen).items() if key not in ("data", "part", "out", "report")):
        return chosen
    if not present(chosen.data, needs):
        print(f"no data in {chosen.data}: nothing measured")
        sys.exit(SKIPPED)
    warnings.simplefilter("ignore")  # the same graphs are released again and again: they are public here
    table = Table(chosen.out, LINES)
    for part in [chosen.part] if chosen.part else parts:
        for where, row, x, seed, value in parts[part](chosen.data):
            if not table.has(part, where, row, float(x), seed):
                table.add(part, where, row, float(x), seed, value)
            print(part, where, row, x, seed, f"{value:.2f}", file=sys.stderr, flush=True)
    return None
