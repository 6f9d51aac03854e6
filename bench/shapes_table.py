#!/usr/bin/env python3
"""Fills the table of shapes in docs/measured/benchmarks.md from a run of the bench.

usage: shapes_table.py JSON DATE    (./dev bench --json JSON shapes)
"""
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).parent.parent / "docs/measured/benchmarks.md"
BEGIN, END = "<!-- shapes -->", "<!-- end of shapes -->"


def main():
    path, date = sys.argv[1:]
    cases = [case for case in json.loads(pathlib.Path(path).read_text()) if case["name"].startswith("density.")]
    names = list(dict.fromkeys(case["name"] for case in cases))
    rows = [f"Measured {date}.", "", "| case | 1 / 2 threads, s | processor time, s | memory held, MB | next to |",
            "| --- | --- | --- | --- | --- |"]
    for name in names:
        one, two = (next(case for case in cases if case["name"] == name and case["threads"] == t) for t in (1, 2))
        cpu, held = re.fullmatch(r"cpu (\S+) s; at most (\S+) MB held", one["note"]).groups()
        beside = ""
        if one["reference_ratio"]:
            beside = f"{one['reference_ratio']:.3g} times as fast as closed walks from every node"
        if one["roofline_ratio"]:
            beside = f"{1 / one['roofline_ratio']:.3g} times two matrix products per hub"
        rows.append(f"| {name} | {one['seconds']:.3g} / {two['seconds']:.3g} | {cpu} | {held} | {beside} |")
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n\n" + "\n".join(rows) + "\n\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
