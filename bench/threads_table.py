#!/usr/bin/env python3
"""Fills the table of two threads in docs/measured/benchmarks.md from runs of the bench.

usage: threads_table.py DATE JSON...    (./dev bench --json JSON threads)

Of several runs of a case the least counts.
"""
import json
import pathlib
import sys

PAGE = pathlib.Path(__file__).parent.parent / "docs/measured/benchmarks.md"
BEGIN, END = "<!-- threads -->", "<!-- end of threads -->"
HOSTS = {
    "dense": "G(500, 1/2)",
    "middle": "G(200, 1/10)",
    "small": "G(80, 1/2)",
    "lastfm": "LastFM Asia",
    "facebook": "Facebook pages",
    "law100k": "power law, 100k",
    "law1m": "power law, 1M",
}


def main():
    date, *paths = sys.argv[1:]
    seconds = {}
    for path in paths:
        for case in json.loads(pathlib.Path(path).read_text()):
            _, _, host, pattern = case["name"].split(".")
            times = seconds.setdefault(pattern, {}).setdefault(host, {})
            times[case["threads"]] = min(case["seconds"], times.get(case["threads"], case["seconds"]))
    for row in seconds.values():
        for host in [host for host, times in row.items() if times[1] < 0.1]:
            del row[host]
    seconds = {pattern: row for pattern, row in seconds.items() if row}
    hosts = [host for host in HOSTS if any(host in row for row in seconds.values())]
    ratios = [times[1] / times[2] for row in seconds.values() for times in row.values()]
    rows = [f"Measured {date}: {len(ratios)} cases, of which {sum(ratio >= 1.8 for ratio in ratios)} at 1.8 times "
            f"or more; the least {min(ratios):.2f}.", "",
            "| pattern | " + " | ".join(HOSTS[host] for host in hosts) + " |", "| --- |" + " --- |" * len(hosts)]
    for pattern, row in seconds.items():
        cells = [f"{row[host][1]:.2g} / {row[host][2]:.2g} ({row[host][1] / row[host][2]:.2f})" if host in row else ""
                 for host in hosts]
        rows.append(f"| {pattern} | " + " | ".join(cells) + " |")
    start, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(start + BEGIN + "\n\n" + "\n".join(rows) + "\n\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
