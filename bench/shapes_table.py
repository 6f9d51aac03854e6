#!/usr/bin/env python3
"""Fills the tables of shapes in docs/measured/benchmarks.md from a run of the bench.

usage: shapes_table.py JSON DATE    (./dev bench --json JSON shapes)
"""
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).parent.parent / "docs/measured/benchmarks.md"
BEGIN, END = "<!-- shapes -->", "<!-- end of shapes -->"
# seconds before these paths were there, and the goals for 1 / 2 threads
BEFORE = {
    "density.lastfm_asia.cycles": ("1.5", ".10 / .06"),
    "density.facebook_pages.cycle8": ("8.8", ".6 / .35"),
    "density.facebook_pages.clique7": ("4.8 to 6.1", ".35 / .2"),
    "density.lastfm_asia.cube3": ("above 75, 1.25 GB and growing", "10 times less"),
    "density.lastfm_asia.grid3x4": ("7.3 to 8.8, 315 MB", ".75"),
    "density.lastfm_asia.grid4x4": ("about 65, gigabytes", "6.5"),
    "density.dense.cliques": ("14.2", ".25 / .14"),
    "density.dense.wheel": ("10.6, 606 MB", "1.0, < 100 MB"),
    "density.reddit_like.cycles": ("1.34 / .67", ".3 / .16"),
    "density.reddit_like.trees_counts": ("", "twice the densities"),
    "density.reddit_like.tw2_counts": ("", "twice the densities"),
    "density.hub_100000.cycle4": ("42", ".1"),
    "density.hub_100000.cycle6": ("about 420", ".1"),
    "density.powerlaw_100k.cycle5": ("about 143", "6 / 3.5"),
    "density.powerlaw.triangle": ("20", "1.5 / .8"),
    "density.powerlaw.cycle4": ("about 118", "9 / 5"),
}
HELD = {"tw2_held": (".49", ".15"), "tw3_held": (".84", ".3")}
# one table for each way in which cost grows: what grows, and the cases as (size, name)
GROWTH = (
    ("degree of the hub", r"density\.hub_(\d+)\.(cycle\d+)"),
    ("length of the cycle (network, 7624 nodes)", r"density\.network_\d+\.cycle(\d+)()"),
    ("share of pairs joined, percent (300 nodes, cliques of 5)", r"density\.dense_(\d+)\.(?:clique5)()"),
    ("size of the clique (300 nodes, every second pair joined)", r"density\.dense_50\.clique(\d+)()"),
)


def before(name):
    for key, figures in HELD.items():
        if key in name:
            return figures
    return BEFORE.get(name, ("", ""))


def note(case):
    """(processor seconds, megabytes held) of a note, or nothing."""
    found = re.fullmatch(r"cpu (\S+) s; at most (\S+) MB held", case["note"])
    return found.groups() if found else ("", "")


def beside(case):
    if case["name"].endswith("counts"):
        return f"{1 / case['reference_ratio']:.2g} times the densities"
    if case["reference_ratio"]:
        return f"{case['reference_ratio']:.3g} times as fast as closed walks from every node"
    if case["roofline_ratio"]:
        return f"{1 / case['roofline_ratio']:.3g} times two matrix products per hub"
    return ""


def threads(by, name):
    return " / ".join(f"{by[name, count]['seconds']:.3g}" for count in (1, 2) if (name, count) in by)


def growth(by, names):
    """Tables of how cost grows; the names used."""
    rows, used = [], set()
    for what, shape in GROWTH:
        cells = [(int(m.group(1)), m.group(2), name) for name in names if (m := re.fullmatch(shape, name))]
        kinds = list(dict.fromkeys(kind for _, kind, _ in cells))
        rows += ["", f"| {what} | " + " | ".join(f"{kind}, s" if kind else "seconds" for kind in kinds)
                 + " | memory held, MB |", "| --- |" + " --- |" * (len(kinds) + 1)]
        for size in sorted({size for size, _, _ in cells}):
            found = {kind: name for at, kind, name in cells if at == size}
            held = max((note(by[name, 1])[1] for name in found.values()), key=float)
            rows.append(f"| {size} | " + " | ".join(threads(by, found[kind]) if kind in found else "" for kind in kinds)
                        + f" | {held} |")
        used.update(name for _, _, name in cells)
    return rows, used


def main():
    path, date = sys.argv[1:]
    cases = [case for case in json.loads(pathlib.Path(path).read_text()) if case["name"].startswith("density.")]
    by = {(case["name"], case["threads"]): case for case in cases}
    names = list(dict.fromkeys(case["name"] for case in cases))
    tables, used = growth(by, names)
    rows = [f"Measured {date}; seconds of wall time with 1 / 2 threads, memory with one.", "",
            "| case | before, s | goal, s | measured, s | processor, s | memory, MB | next to |",
            "| --- |" + " --- |" * 6]
    for name in names:
        if name in used and not any(before(name)):
            continue
        one = by[name, 1]
        cpu, held = note(one)
        rows.append(f"| {name} | {before(name)[0]} | {before(name)[1]} | {threads(by, name)} | {cpu} | {held} | "
                    f"{beside(one)} |")
    rows += ["", "How cost grows, seconds with 1 / 2 threads:"] + tables
    text = PAGE.read_text()
    start, rest = text.split(BEGIN)
    PAGE.write_text(start + BEGIN + "\n\n" + "\n".join(rows) + "\n\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
