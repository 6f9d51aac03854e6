#!/usr/bin/env python3
"""The programs of docs/guide/go.md and node.md: those of bindings/, and they run.

usage: others.py go|node SOURCE_ROOT BUILD_DIR

Ends with 77 and a line where the language is not there.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

LANGUAGE, ROOT, BUILD = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
FILE, FENCE = {"go": ("first.go", "go"), "node": ("first.js", "js")}[LANGUAGE]


def main():
    source = os.path.join(ROOT, "bindings", LANGUAGE, FILE)
    with open(source, encoding="utf-8") as file:
        program = file.read()
    with open(os.path.join(ROOT, "docs", "guide", LANGUAGE + ".md"), encoding="utf-8") as file:
        shown = re.findall(rf"^```{FENCE}\n(.*?)^```$", file.read(), flags=re.M | re.S)
    if shown != [program]:
        print(f"docs/guide/{LANGUAGE}.md does not show bindings/{LANGUAGE}/{FILE}")
        return 1
    if not shutil.which(LANGUAGE):
        print(f"no {LANGUAGE} here: its program was not tried")
        return 77
    env = dict(os.environ, LD_LIBRARY_PATH=os.path.join(BUILD, "lib"),
               PATH=os.path.join(BUILD, "tools") + ":" + os.environ["PATH"], GO111MODULE="off", CGO_ENABLED="1",
               GOCACHE=os.path.join(BUILD, "test", "bindings", "go-cache"),  # the first time Go compiles its own library
               CGO_CFLAGS=f"'-I{ROOT}/include' '-I{BUILD}/include'",  # there may be a space in them
               CGO_LDFLAGS=f"'-L{BUILD}/lib' -lprivgraph")
    with tempfile.TemporaryDirectory(prefix="privgraph-other-") as work:
        env["GOPATH"] = os.path.join(work, "go")
        shutil.copy(source, work)
        command = ["go", "run", FILE] if LANGUAGE == "go" else ["node", FILE]
        done = subprocess.run(command, cwd=work, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode:
        return 1
    found = re.findall(r"^(edges|components) (-?\d+), 95 %: (-?\d+) to (-?\d+)$", done.stdout, flags=re.M)
    right = {"edges": 1000, "components": 1}
    if [name for name, *_ in found] != ["edges", "components"] or any(
            abs(int(value) - right[name]) > 100 for name, value, *_ in found):
        return 1
    return 0 if re.search(r"^again: .*?exceeds the budget", done.stdout, flags=re.M | re.S) else 1


if __name__ == "__main__":
    sys.exit(main())
