#!/usr/bin/env python3
"""Runs every bench once with its smallest inputs: a case that aborts or counts wrong ends it.

usage: smoke.py BENCH [MODULE...]

Also reads what --json wrote: each module has cases, every name and time is sound.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile


def main():
    bench, asked = sys.argv[1], sys.argv[2:]
    told = subprocess.run([bench, "--help"], check=True, capture_output=True, text=True).stdout
    modules = asked or told.split("modules:")[1].split()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            path = pathlib.Path(folder, module + ".json")
            run = subprocess.run([bench, "--smoke", "--json", path, module], capture_output=True, text=True)
            cases = json.loads(path.read_text()) if run.returncode == 0 else []
            odd = [case for case in cases if not math.isfinite(case["seconds"]) or "." not in case["name"]
                   or case["threads"] not in (1, 2)]
            if not cases or odd:
                wrong += 1
                print(f"{module}: status {run.returncode}, odd cases {odd}\n{run.stdout}{run.stderr}")
            else:
                print(f"{module}: {len(cases)} cases")
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main()
