#!/usr/bin/env python3
"""Command lines that nearly make sense: options of a command (--dump-options) with values of their kind, and small
input files, some of them damaged. Whatever they are, the program ends with 0, 1, 2 or 3, no sanitizer speaks,
and a run that did not succeed leaves no output file and no half-written one; input files stay as they were.

usage: tool_fuzz.py PROGRAM RUNS [FIRST_SEED]      each run has its seed, printed if it fails

PVG_SOAK in the environment: a hundred times as many runs.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

CODES = tuple(range(9))  # those of the man page
OUTPUTS = {"output": "out", "guarantee": "out.guarantee", "release": "out.release", "svg": "out.svg"}
TEXTS = {"patterns": ["edge", "edge,triangle", "path3,star4", "trees:2", "treewidth2:1", "cycle99", "@set.g6", ""],
         "object": ["town", "town:0", "a"], "network": ["gcn classes", "dense classes", "gcn 2\nrelu\ngcn classes", "x"],
         "edge": ["0,1", "1,0", "5,99", "a"], "degrees": ["1,1", "2,0"], "name": ["set", "town"], "task": ["embed", "nodes"],
         "list": ["edges", "degrees", "triangles,edges", "x"], "stats": ["edges", "triangles", "x"]}
NEEDED = {"epsilon": 0.9, "patterns": 0.9, "columns": 0.5, "classes": 0.5, "order": 0.3}  # chances; others 0.12


def write(path, data):
    with open(path, "wb") as out:
        out.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def damage(chance, data):
    data = bytearray(data)
    for _ in range(chance.choice([0, 0, 0, 1, 3])):
        at = chance.randrange(len(data) + 1)
        if chance.random() < 0.4:
            del data[at:at + chance.randrange(1, 9)]
        else:
            data[at:at + chance.randrange(2)] = chance.choice([b"\0", b"-1", b"99999999999999999999", b"\n", b"nan", b"#", b"\xff"])
    return bytes(data)


def inputs(chance, work):
    """Small files of every kind; what each of them holds."""
    ring = "".join(f"{v} {(v + step) % 30}\n" for v in range(30) for step in (1, 3)).encode()
    files = {"ring.txt": b"# order 30\n" + ring, "bare.txt": ring, "set.g6": b"Bw\nCr\nDhc\n", "one.s6": b":Bf\n",
             "m.mtx": b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n", "g.metis": b"3 2\n2 3\n1\n1\n",
             "scores": b"0.1\n0.4\n0.2\n", "rows.csv": b"a,b\n0.5,1\n0.25,2\n", "town/edges.txt": ring,
             "town/features.txt": b"".join(b"%d %d\n" % (v % 2, 2 + v % 3) for v in range(30)),
             "town/labels.txt": b"".join(b"%d\n" % (v % 2) for v in range(30)), "none": b""}
    os.mkdir(os.path.join(work, "town"))
    files = {name: damage(chance, data) if chance.random() < 0.2 else data for name, data in files.items()}
    for name, data in files.items():
        write(os.path.join(work, name), data)
    return files


def value(chance, option):
    kind, name = option["kind"], option["name"]
    if kind == "choice":
        return chance.choice(option["value"].split("|") + ["nonsense"] * (chance.random() < 0.05))
    if kind in ("real", "signed"):
        return chance.choice(["1", "0.5", "0.1", "2", "1e-6", "1e-3", "8", "0", "-1", "nan", "1e999", "x"][:12 if chance.random() < 0.2 else 7])
    if kind in ("whole", "seed"):
        return chance.choice(["1", "2", "3", "6", "30", "0", "-1", "99999999999999999999", ""][:9 if chance.random() < 0.15 else 5])
    if kind == "file":
        return OUTPUTS.get(name) or chance.choice(["led", "rows.csv", "set.g6", "none", "missing", "town/labels.txt"])
    return chance.choice(TEXTS.get(name, ["1", "0.5,1", "edge", "x"]))


def line(chance, commands):
    command = chance.choice(commands)
    words = command["name"].split()
    for option in (option for group in command["groups"] for option in group["options"]):
        name = option["name"]
        if option["kind"] == "action" or chance.random() >= NEEDED.get(name, 0.12):
            continue
        words += ["--" + name] if option["kind"] == "flag" else [f"--{name}={value(chance, option)}"]
    for operand in command["operands"].split():
        if operand.strip("[]") == "OUTPUT":  # may be there already: then it is replaced
            words.append(chance.choice(["out.txt", "out.g6", "out.mtx", "missing/out.txt"]))
        elif operand[0] != "[" or chance.random() < 0.8:
            good = {"FOLDER": "town", "FILE": "led", "LIST": "edge,path3", "CLASS": "trees", "SET": "set.g6"}.get(operand.strip("[]"))
            words.append(good if good and chance.random() < 0.8 else
                         chance.choice(["ring.txt", "bare.txt", "set.g6", "one.s6", "m.mtx", "g.metis", "scores", "rows.csv", "town", "none"]))
    return words


def tree(work):
    return {os.path.relpath(os.path.join(where, name), work) for where, _, names in os.walk(work) for name in names}


def run(program, commands, seed):
    """None, or what was wrong."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="privgraph-fuzz-") as work:
        files = inputs(chance, work)
        if chance.random() < 0.7:
            subprocess.run([program, "ledger", "create", "led", "--epsilon=4"], cwd=work, check=True, capture_output=True)
        before = tree(work)
        words = line(chance, commands)
        try:
            # a program that fails leaves its memory to the system; leaks of the library are for fuzz_sequence
            env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
            done = subprocess.run([program, *words], cwd=work, input=files["bare.txt"], capture_output=True, timeout=60,
                                  check=False, env=env)
        except subprocess.TimeoutExpired:
            return f"{words}: not done in a minute"
        told = done.stderr.decode("utf-8", "replace")
        after = tree(work)
        if done.returncode not in CODES or "Sanitizer" in told or "runtime error" in told:
            return f"{words}: {done.returncode}\n{told[-3000:]}"
        if done.returncode and not told and not done.stdout:
            return f"{words}: {done.returncode} without a word"
        if done.returncode >= 2 and after != before:
            return f"{words}: {done.returncode}, but wrote {sorted(after - before)}"
        if any(".tmp" in name for name in after - before):
            return f"{words}: {done.returncode} left {sorted(after - before)}"
        changed = [name for name, data in files.items() if name in after and read(os.path.join(work, name)) != data]
        if changed or before - after:
            return f"{words}: {done.returncode} changed {changed}, removed {before - after}"
    return None


def main():
    program, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    runs *= 100 if os.environ.get("PVG_SOAK") else 1
    commands = json.loads(subprocess.run([program, "--dump-options"], stdout=subprocess.PIPE, check=True).stdout)["commands"]
    # what trains for long is for test/tool
    commands = [one for one in commands if one["name"] not in ("attack reconstruct", "attack explain", "attack membership")]
    wrong = 0
    for seed in range(first, first + runs):
        found = run(program, commands, seed)
        if found:
            print(f"seed {seed}: privgraph {found}", flush=True)
            wrong += 1
    print(f"{runs} runs, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
