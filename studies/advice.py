#!/usr/bin/env python3
"""One table of what was measured: which release, for which task, at which epsilon, gives what.

    advice.py build RESULTS ADVICE.csv    collects it from the studies' own results
    advice.py c ADVICE.csv OUT.h          the same as a table for the library (at compile time)
    advice.py page ADVICE.csv PAGE.md     writes its tables into the page that decides

A row is useful if what the release adds is more than chance and more than LEAST of its measure; the rule is here and
nowhere else. `without` is what is had without private edges (nan: nothing), `empty` what the same pipeline
gives on a graph without edges, `exact` what it gives without noise (nan: not measured).
"""
import csv
import math
import os
import sys
from collections import defaultdict

FIELDS = ["task", "release", "command", "set", "nodes", "degree", "homophily", "epsilon", "measure", "without", "empty",
          "value", "interval", "exact", "useful"]
WORDS = ("task", "release", "command", "set", "measure")
# set: (name, nodes, neighbours of a node on average, share of edges inside a class); of sets of graphs the means
SETS = {"cora": ("Cora", 2708, 3.9, 0.81), "citeseer": ("CiteSeer", 3327, 2.7, 0.74),
        "pubmed": ("PubMed", 19717, 4.5, 0.80), "chameleon": ("Chameleon", 2277, 27.6, 0.23),
        "imdb_movies": ("IMDb movies", 4278, 3.1, 0.61), "photo": ("Photo", 7650, 31.1, 0.83),
        "computers": ("Computers", 13752, 35.8, 0.78), "facebook_pages": ("Facebook pages", 22470, 15.2, 0.89),
        "lastfm_asia": ("LastFM", 7624, 7.3, 0.87), "facebook100_wisconsin87": ("Facebook100 Wisconsin", 17667, 61.8, 0.57),
        "MUTAG": ("MUTAG", 18, 2.2, math.nan), "IMDB-BINARY": ("IMDB-BINARY", 20, 9.8, math.nan),
        "deezer_egos": ("Deezer egos", 23, 5.6, math.nan), "molbbbp": ("MOLBBBP", 24, 2.2, math.nan),
        "NCI1": ("NCI1", 30, 2.2, math.nan), "molbace": ("MOLBACE", 34, 2.2, math.nan),
        "PROTEINS": ("PROTEINS", 39, 3.7, math.nan), "REDDIT-BINARY": ("REDDIT-BINARY", 430, 2.3, math.nan),
        "gnutella25": ("Gnutella25", 22687, 4.8, math.nan), "econ_poli": ("econ-poli", 2343, 2.3, math.nan)}
NAMES = {row[0]: key for key, row in SETS.items()}
LEAST = {"percent right": 0.5, "AUC": 0.01}  # what a release must gain beyond chance
BEGINS, ENDS = "<!-- made by studies/advice.py -->\n", "<!-- to here -->\n"
STUDENTS = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 9: 2.31, 10: 2.26}


def mean(values):
    return sum(values) / len(values)


def half_width(values):
    """Of the 95 percent interval of the mean (t); 0 for a single value."""
    n = len(values)
    if n < 2:
        return 0.0
    spread = math.sqrt(sum((x - mean(values)) ** 2 for x in values) / (n - 1))
    return STUDENTS.get(n, 2.1) * spread / math.sqrt(n)


def read(path):
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def gains_of(plain, row):
    """Mean gain over `plain` of the same seeds, and half of its 95 percent interval."""
    gains = [value - plain[seed] for seed, value in row.items() if seed in plain]
    return mean(gains), half_width(gains)


def classes(folder):
    """Percent of test nodes that are right with the strong encoder; gains are paired by split. Useful is what gains more
    than chance over the encoder, and, where the same pipeline was run on an empty graph, also over that."""
    found = defaultdict(dict)
    for name in ("encoder.csv", "control.csv"):  # of one split both have the same encoder; the first has more splits
        for row in read(os.path.join(folder, name)):
            found[row["set"], row["row"], float(row["epsilon"])].setdefault(row["seed"], float(row["accuracy"]))
    for (name, row, epsilon), right in sorted(found.items()):
        if row not in ("histogram", "sums") or epsilon > 10 or len(right) < 2:
            continue
        plain, exact = found[name, "features", 0.0], found.get((name, row, 60.0))
        empty = found.get((name, row + " empty", epsilon), {})
        gain, width = gains_of(plain, right)
        above, chance = gains_of(empty, right) if len(empty) > 1 else (math.inf, 0.0)
        yield {"task": "classes", "release": "edge histograms" if row == "histogram" else "message passing",
               "command": "privgraph classify" if row == "histogram" else "privgraph propagate", "set": name,
               "epsilon": epsilon, "measure": "percent right", "without": mean(list(plain.values())),
               "empty": mean(list(plain.values())) + gains_of(plain, empty)[0] if empty else math.nan,
               "value": mean(list(right.values())), "interval": width,
               "exact": mean(list(exact.values())) if exact else math.nan,
               "useful": gain - width > LEAST["percent right"] and above - chance > 0.0}


def structure(folder):
    """What is useful is below a bound with its interval."""
    found = defaultdict(list)
    for row in read(os.path.join(folder, "structure.csv")):
        found[row["set"], row["what"], row["method"], float(row["epsilon"])].append(float(row["value"]))
    for (name, what, method, epsilon), values in sorted(found.items()):
        row = {"set": name, "epsilon": epsilon, "value": mean(values), "interval": half_width(values),
               "without": math.nan, "empty": math.nan, "exact": 0.0}
        if what == "kolmogorov" and method == "distribution 32":
            yield {**row, "task": "degrees", "release": "degree distribution", "command": "privgraph stats --degrees 32,N",
                   "measure": "Kolmogorov distance of the degree distribution",
                   "useful": row["value"] + row["interval"] < 0.05}
        if what == "triangles_median_error" and method == "ladder":
            share = row["value"] / found[name, "triangles", "true", 0.0][0]
            yield {**row, "task": "triangles", "release": "ladder", "command": "privgraph stats -l triangles",
                   "measure": "median error, share of the triangles", "value": share, "useful": share < 0.1}
        if what == "triangles" and method == "synthetic":
            true = found[name, what, "true", 0.0][0]
            errors = [abs(value / true - 1) for value in values]
            shares = found[name, "kolmogorov", method, epsilon]
            yield {**row, "task": "graph", "release": "synthetic graph", "command": "privgraph synthesize",
                   "measure": "error of the triangles, share of them", "value": mean(errors),
                   "interval": half_width(errors),
                   "useful": mean(errors) + half_width(errors) < 0.2 and mean(shares) < 0.05}


def few_triangles(folder):
    """Sparse graphs, 60 draws of each."""
    found = defaultdict(list)
    for row in read(os.path.join(folder, "few_triangles.csv")):
        if row["graph"] != "cora":  # which stands in structure.csv
            found[row["graph"], float(row["epsilon"])].append(abs(float(row["made"]) / float(row["true"]) - 1))
    for (name, epsilon), errors in sorted(found.items()):
        yield {"task": "graph", "release": "synthetic graph", "command": "privgraph synthesize", "set": name,
               "epsilon": epsilon, "measure": "error of the triangles, share of them", "without": math.nan,
               "empty": math.nan, "exact": 0.0, "value": mean(errors), "interval": half_width(errors),
               "useful": mean(errors) + half_width(errors) < 0.2}


def graphs(folder):
    """Area under the curve of a forest; gains over public columns are paired by fold."""
    found = defaultdict(dict)
    for row in read(os.path.join(folder, "graph_sets.csv")):
        found[row["set"], row["row"], float(row["epsilon"])][row["seed"]] = float(row["area"])
    words = {"edges": ("number of edges", "privgraph stats -l edges"),
             "levels": ("degree distribution", "privgraph stats --degrees 4,4")}
    for (name, row, epsilon), areas in sorted(found.items()):
        if row not in words or epsilon > 10 or (name, row, 60.0) not in found:
            continue
        gain, width = gains_of(found[name, "public", 0.0], areas)
        yield {"task": "graphs", "release": words[row][0], "command": words[row][1], "set": name, "epsilon": epsilon,
               "measure": "AUC", "without": mean(list(found[name, "public", 0.0].values())), "empty": math.nan,
               "value": mean(list(areas.values())), "interval": width, "exact": mean(list(found[name, row, 60.0].values())),
               "useful": gain - width > LEAST["AUC"]}


def edges(folder):
    """Which edges there are: the share of true ones among those released, by the best edge-DP method."""
    best = {}
    for row in read(os.path.join(folder, "perturbation.csv")):
        if row["set"] not in NAMES or not row["hides"].startswith("edge-DP") or not float(row["kept"] or 0):
            continue
        share = float(row["kept"]) / (float(row["kept"]) + float(row["added"]))
        key = NAMES[row["set"]], float(row["epsilon"])
        if share > best.get(key, (0, ""))[0]:
            best[key] = share, row["method"]
    for (name, epsilon), (share, method) in sorted(best.items()):
        yield {"task": "edges", "release": method, "command": "privgraph perturb graph", "set": name, "epsilon": epsilon,
               "measure": "share of true edges among those released", "without": math.nan, "empty": math.nan,
               "value": share, "interval": 0.0, "exact": 1.0, "useful": share > 0.5}


def build(folder, path):
    rows = [*classes(folder), *structure(folder), *few_triangles(folder), *graphs(folder), *edges(folder)]
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            name, nodes, degree, homophily = SETS[row["set"]]
            if row["task"] != "classes":
                homophily = math.nan
            numbers = {key: f"{row[key]:.4g}" for key in ("without", "empty", "value", "interval", "exact", "epsilon")}
            writer.writerow({**row, **numbers, "set": name, "nodes": nodes, "degree": degree, "homophily": homophily,
                             "useful": int(row["useful"])})


def c_text(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_c(rows, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write("/* Made by studies/advice.py from studies/results/advice.csv. */\n"
                  "static const advice_row advice_rows[] = {\n")
        for row in rows:
            words = ", ".join(c_text(row[key]) for key in WORDS)
            numbers = ", ".join("NAN" if row[key] == "nan" else row[key] for key in FIELDS if key not in WORDS)
            out.write(f"    {{{words}, {numbers}}},\n")
        out.write("};\n")


def table(rows):
    """Value (and what is had without) by set and epsilon, one table per task and release."""
    lines = []
    for task, release in dict.fromkeys((row["task"], row["release"] if row["task"] != "edges" else "") for row in rows):
        own = [row for row in rows if row["task"] == task and (row["release"] == release or not release)]
        epsilons = sorted({float(row["epsilon"]) for row in own})
        lines.append(f"\n**{task}**: {release or 'perturbed graphs, the best of them'}; {own[0]['measure']}\n")
        lines.append("| set | without | " + " | ".join(f"{e:g}" for e in epsilons) + " | no noise |")
        lines.append("|---" * (len(epsilons) + 3) + "|")
        for name in dict.fromkeys(row["set"] for row in own):
            cells = {float(row["epsilon"]): row for row in own if row["set"] == name}
            first = next(iter(cells.values()))
            lines.append(f"| {name} | {'' if first['without'] == 'nan' else first['without']} | " + " | ".join(
                (f"**{cells[e]['value']}**" if cells[e]["useful"] == "1" else cells[e]["value"]) if e in cells else ""
                for e in epsilons) + f" | {'' if first['exact'] == 'nan' else first['exact']} |")
    return "\n".join(lines) + "\n"


def write_page(rows, path):
    with open(path, encoding="utf-8") as stream:
        before, rest = stream.read().split(BEGINS)
    with open(path, "w", encoding="utf-8") as out:
        out.write(before + BEGINS + table(rows) + ENDS + rest.split(ENDS)[1])


def main():
    mode, source = sys.argv[1:3]
    if mode == "build":
        build(source, sys.argv[3])
    elif mode == "c":
        write_c(read(source), sys.argv[3])
    else:
        write_page(read(source), sys.argv[3])


if __name__ == "__main__":
    main()
