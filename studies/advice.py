#!/usr/bin/env python3
"""One table of what was measured: which release, for which task, at which epsilon, gives what.

    advice.py build RESULTS ADVICE.csv    collects it from the studies' own results
    advice.py c ADVICE.csv OUT.h          the same as a table for the program (at compile time)
    advice.py python ADVICE.csv OUT.py    the same for the Python package
    advice.py page ADVICE.csv PAGE.md     writes its tables into the page that decides

A row is useful if what the release adds is more than chance and more than LEAST of its measure; the rule is here and
nowhere else. `without` is what is had without private edges (nan: nothing), `exact` the same without noise.
"""
import csv
import math
import os
import sys
from collections import defaultdict

FIELDS = ["task", "release", "command", "set", "nodes", "degree", "epsilon", "measure", "without", "value", "interval",
          "exact", "useful"]
# set: (name, nodes, neighbours of a node on average)
SETS = {"cora": ("Cora", 2708, 3.9), "pubmed": ("PubMed", 19717, 4.5), "photo": ("Photo", 7650, 31.1),
        "facebook_pages": ("Facebook pages", 22470, 15.2), "lastfm_asia": ("LastFM", 7624, 7.3),
        "facebook100_wisconsin87": ("Facebook100 Wisconsin", 23842, 70.1),
        "REDDIT-BINARY": ("REDDIT-BINARY", 430, 2.3)}
NAMES = {name: key for key, (name, _, _) in SETS.items()}
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


def classes(folder):
    """Percent of test nodes that are right; gains are paired by split."""
    found = defaultdict(dict)
    for row in read(os.path.join(folder, "histograms.csv")):
        found[row["set"], row["method"], float(row["epsilon"])][row["seed"]] = float(row["accuracy"])
    for (name, method, epsilon), right in sorted(found.items()):
        if method not in ("histogram", "gap") or epsilon > 10:
            continue
        plain, exact = found[name, "features", 0.0], found[name, method, 60.0]
        gains = [value - plain[seed] for seed, value in right.items()]
        yield {"task": "classes", "release": "edge histograms" if method == "histogram" else "message passing",
               "command": "privgraph classify" if method == "histogram" else "privgraph propagate", "set": name,
               "epsilon": epsilon, "measure": "percent right", "without": mean(list(plain.values())),
               "value": mean(list(right.values())), "interval": half_width(gains), "exact": mean(list(exact.values())),
               "useful": mean(gains) - half_width(gains) > 0.5}


def structure(folder):
    found = defaultdict(list)
    for row in read(os.path.join(folder, "structure.csv")):
        found[row["set"], row["what"], row["method"], float(row["epsilon"])].append(float(row["value"]))
    for (name, what, method, epsilon), values in sorted(found.items()):
        row = {"set": name, "epsilon": epsilon, "value": mean(values), "interval": half_width(values),
               "without": math.nan, "exact": 0.0}
        if what == "kolmogorov" and method == "distribution 32":
            yield {**row, "task": "degrees", "release": "degree distribution", "command": "privgraph stats --degrees 32,N",
                   "measure": "Kolmogorov distance of the degree distribution", "useful": row["value"] < 0.05}
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
                   "interval": half_width(errors), "useful": mean(errors) < 0.2 and mean(shares) < 0.05}
    for (name, what, method, epsilon), values in sorted(found.items()):
        if name == "REDDIT-BINARY" and what == "auc_forest" and method == "levels 4 ranks 4":
            plain = found[name, what, "node count", 0.0][0]
            yield {"task": "graphs", "release": "degree distribution", "command": "privgraph stats --degrees 4,4",
                   "set": name, "epsilon": epsilon, "measure": "AUC", "without": plain, "value": mean(values),
                   "interval": half_width(values), "exact": found[name, what, "no noise", 0.0][0],
                   "useful": mean(values) - half_width(values) > plain + 0.01}


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
               "measure": "share of true edges among those released", "without": math.nan, "value": share,
               "interval": 0.0, "exact": 1.0, "useful": share > 0.5}


def build(folder, path):
    rows = [*classes(folder), *structure(folder), *edges(folder)]
    with open(path, "w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            name, nodes, degree = SETS[row["set"]]
            numbers = {key: f"{row[key]:.4g}" for key in ("without", "value", "interval", "exact", "epsilon")}
            writer.writerow({**row, **numbers, "set": name, "nodes": nodes, "degree": degree,
                             "useful": int(row["useful"])})


def c_text(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def write_c(rows, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write("/* Made by studies/advice.py from studies/results/advice.csv. */\n"
                  "static const advice_row advice_rows[] = {\n")
        for row in rows:
            words = ", ".join(c_text(row[key]) for key in ("task", "release", "command", "set", "measure"))
            numbers = ", ".join("NAN" if row[key] == "nan" else row[key] for key in
                                ("nodes", "degree", "epsilon", "without", "value", "interval", "exact", "useful"))
            out.write(f"    {{{words}, {numbers}}},\n")
        out.write("};\n")


def write_python(rows, path):
    with open(path, "w", encoding="utf-8") as out:
        out.write('"""Made by studies/advice.py from studies/results/advice.csv: what was measured."""\n'
                  "FIELDS = " + repr(tuple(FIELDS)) + "\nROWS = (\n")
        for row in rows:
            cells = [row[key] if key in ("task", "release", "command", "set", "measure") else
                     bool(int(row[key])) if key == "useful" else None if row[key] == "nan" else float(row[key])
                     for key in FIELDS]
            out.write("    " + repr(tuple(cells)) + ",\n")
        out.write(")\n")


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
                for e in epsilons) + f" | {first['exact']} |")
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
    elif mode == "python":
        write_python(read(source), sys.argv[3])
    else:
        write_page(read(source), sys.argv[3])


if __name__ == "__main__":
    main()
