"""privgraph-mpi under mpirun: the bits of privgraph for 1 to 4 processes, one payment, and what failures leave.

Usage: test_mpi.py PRIVGRAPH_MPI PRIVGRAPH [MPIRUN]; without an mpirun it says what it skips (exit code 77)."""

import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM, TOOL = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
MPIRUN = sys.argv[3] if len(sys.argv) > 3 else shutil.which("mpirun")
if not MPIRUN:
    print("skipped: no mpirun (Debian: openmpi-bin), so privgraph-mpi was built and not run")
    sys.exit(77)
ORDER, COLUMNS = 9000, 3
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_orte_abort_print_stack="0")
EMBED = ["embed", "--patterns", "edge,path3,star4,path5", "--max-degree", "12", "--noise", "laplace", "--epsilon", "1"]
PASSING = ["message-passing", "--columns", str(COLUMNS), "--features", "features.txt", "--open", "features",
           "--epsilon", "1", "--delta", "1e-6", "--max-degree", "9", "--mean-weight", "0.25"]


def run(processes, arguments, **settings):
    """One set of arguments for all, or a list of them."""
    command = [MPIRUN]
    if isinstance(arguments[0], list):
        for i, own in enumerate(arguments):
            command += ([":"] if i else []) + ["-n", "1", PROGRAM] + own
    else:
        command += ["-n", str(processes), PROGRAM] + arguments
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False, **settings)


def check(condition, *what):
    if not condition:
        print("failed:", *what)
        sys.exit(1)


def numbers(path, skip):
    with open(path, newline="", encoding="utf-8") as file:
        return [[float(x) for x in row] for row in list(csv.reader(file))[skip:]]


def fails(done, code, words, *files):
    check(done.returncode == code, "exit code", done.returncode, "not", code, done.stderr)
    check(words in done.stderr, repr(words), "not in", done.stderr)
    check(done.stderr.count("privgraph-mpi: ") == 1, "not one message:", done.stderr)
    for file in files:
        check(not os.path.exists(file), file, "was left")
    check(not [f for f in os.listdir(".") if f.startswith("out.")], os.listdir("."))


def write_data():
    random.seed(1)
    edges = set()
    while len(edges) < 4 * ORDER:
        u, v = int(ORDER * random.random() ** 2), random.randrange(ORDER)
        if u != v:
            edges.add((min(u, v), max(u, v)))
    with open("edges.txt", "w", encoding="utf-8") as file:
        print("# a test", file=file)
        for i, (u, v) in enumerate(sorted(edges, key=lambda e: hash((e, 1)))):
            print(*((u, v) if i % 2 else (v, u)), sep="\t" if i % 3 else " ", file=file)
    with open("kinds.txt", "w", encoding="utf-8") as file:
        for _ in range(ORDER):
            print(random.randrange(-1, 4), file=file)
    with open("classes.txt", "w", encoding="utf-8") as file:
        for _ in range(ORDER):
            print(random.randrange(3), file=file)
    with open("features.txt", "w", encoding="utf-8") as file:
        for _ in range(ORDER):
            print(*(f"{random.uniform(-1, 1):.3f}" for _ in range(COLUMNS)), file=file)


def same_bits():
    """Of all numbers of processes, and of the program in one process without MPI."""
    common = ["--order", str(ORDER), "--seed-not-private", "5", "edges.txt"]
    one = subprocess.run([TOOL, *EMBED, "--order", str(ORDER), "--seed-not-private", "5", "-o", "one.csv", "edges.txt"],
                         capture_output=True, text=True, check=False)
    check(one.returncode == 0, one.stderr)
    want = numbers("one.csv", 1)
    for processes in (1, 2, 3, 4):
        done = run(processes, EMBED + common + ["--csv", f"e{processes}.csv", "--threads", str(1 + processes % 2)])
        check(done.returncode == 0, done.stderr)
        check(numbers(f"e{processes}.csv", 0) == want, "embed in", processes, numbers(f"e{processes}.csv", 0), want)
        done = run(processes, PASSING + common + ["--csv", f"m{processes}.csv", "--output", f"m{processes}.pvg"])
        check(done.returncode == 0, done.stderr)
        for name in ("m{}.csv", "m{}.pvg"):
            with open(name.format(1), "rb") as first, open(name.format(processes), "rb") as other:
                check(first.read() == other.read(), name, "in", processes)
    check(subprocess.run([TOOL, "verify", "m4.pvg"], capture_output=True, check=False).returncode == 0, "verify")


def counts():
    """Degrees, histograms and capped counts, from the text and from a csr file."""
    done = subprocess.run([TOOL, "convert", "--order", str(ORDER), "edges.txt", "edges.csr"], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr)
    for words, processes in ((["degrees", "--levels", "4", "--ranks", "30"], 3), (["capped-edges"], 2),
                             (["edge-histogram", "--kinds-of", "kinds.txt"], 4), (["edge-histogram", "--cells", "between", "--kinds-of", "kinds.txt"], 3),
                             (["capped-edges", "--cells", "blocks", "--cap", "5", "--groups-of", "classes.txt"], 4), (["capped-degrees"], 3),
                             (EMBED[:-2], 4)):
        words = words + ["--epsilon", "1", "--seed-not-private", "5"]
        command = [TOOL] + (["embed"] + words[1:] if words[0] == "embed" else ["release"] + words)
        one = subprocess.run(command + ["-o", "one.csv", "edges.csr"], capture_output=True, text=True, check=False)
        check(one.returncode == 0, one.stderr)
        want = numbers("one.csv", 1)
        for source in (["edges.csr"], ["--order", str(ORDER), "edges.txt"]):
            done = run(processes, words + ["--csv", "several.csv"] + source)
            check(done.returncode == 0, done.stderr)
            check(numbers("several.csv", 0) == want, words, "in", processes, "from", source)
    with open("edges.csr", "rb") as file:
        good = file.read()
    for at in (100, 5000, len(good) // 2, len(good) - 3):  # header, offsets, columns, end
        with open("bad.csr", "wb") as file:
            file.write(good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
        fails(run(3, EMBED + ["--csv", "out", "bad.csr"]), 1, "damaged", "out")
    fails(run(2, EMBED + ["--order", "4", "--csv", "out", "edges.csr"]), 1, "--order says 4", "out")
    fails(run(2, EMBED + ["--merge-edges", "--csv", "out", "edges.csr"]), 2, "are for text", "out")


def paid_once():
    made = subprocess.run([TOOL, "ledger", "create", "--epsilon", "2.5", "--delta", "0", "--method", "basic", "book"],
                          capture_output=True, text=True, check=False)
    check(made.returncode == 0, made.stderr)
    paying = EMBED + ["--order", str(ORDER), "--ledger", "book", "--object", "g", "--csv", "out", "edges.txt"]

    def charges():
        with open("book", "rb") as file:
            return len(file.read())
    sizes = [charges()]
    for _ in range(2):
        done = run(3, paying)
        check(done.returncode == 0, done.stderr)
        os.remove("out")
        sizes.append(charges())
    check(sizes[0] < sizes[1] < sizes[2], sizes)
    fails(run(3, paying), 3, "budget", "out")
    check(charges() == sizes[2], "a refused charge was written")
    # one edge list is damaged where one process reads it: nothing is paid
    with open("edges.txt", "rb") as file:
        text = file.read()
    with open("bad.txt", "wb") as file:
        file.write(text[:len(text) // 2] + b"\n17 x\n" + text[len(text) // 2:])
    fails(run(3, paying[:-1] + ["bad.txt"]), 1, "bad.txt: line ", "out")
    check(charges() == sizes[2], "paid for a bad file")


def bad_calls():
    common = ["--order", str(ORDER), "--csv", "out", "edges.txt"]
    fails(run(0, [EMBED + common, EMBED[:-1] + ["2"] + common]), 2, "different arguments", "out")
    fails(run(2, ["embed", "--patterns", "triangle", "--epsilon", "1"] + common), 1, "triangle has a cycle", "out")
    fails(run(2, ["triangles", "--epsilon", "1"] + common), 1, "triangles is not for graphs in parts", "out")
    fails(run(2, EMBED + ["--order", str(ORDER), "--csv", "no/out", "edges.txt"]), 1, "no/out", "no/out")
    fails(run(2, PASSING[:3] + PASSING[5:] + common), 1, "features", "out")


def full_disk():
    """No room for what is released: an error, and no file."""
    wrapper = os.path.abspath("limited.sh")
    with open(wrapper, "w", encoding="utf-8") as file:
        print(f"#!/bin/sh\ntrap '' XFSZ\nulimit -f 64\nexec '{PROGRAM}' \"$@\"", file=file)
    os.chmod(wrapper, 0o755)
    command = [MPIRUN, "-n", "2", wrapper] + PASSING + ["--order", str(ORDER), "--csv", "out", "edges.txt"]
    env = dict(ENVIRONMENT, OMPI_MCA_btl="tcp,self")  # shared memory is a file, too
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=120, check=False)
    fails(done, 1, "out: cannot write", "out")


def killed():
    """A process that dies takes the job down; there is no output."""
    env = dict(ENVIRONMENT)
    command = [MPIRUN, "-n", "3", PROGRAM] + PASSING + ["--order", str(ORDER), "--layers", "2000", "--csv", "out", "edges.txt"]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    children, until = [], time.time() + 20
    while len(children) < 3 and time.time() < until:
        time.sleep(0.05)
        found = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(job.pid)], capture_output=True, text=True, check=False)
        children = [int(line.split()[0]) for line in found.stdout.splitlines() if PROGRAM in line]
    check(len(children) == 3, "no three processes", children)
    time.sleep(0.3)
    os.kill(children[1], signal.SIGKILL)
    job.communicate(timeout=60)
    check(job.returncode != 0, "the job went on")
    check(not os.path.exists("out"), "a file was left")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    write_data()
    for test in (same_bits, counts, paid_once, bad_calls, full_disk, killed):
        begin = time.time()
        test()
        print(f"{test.__name__}: {time.time() - begin:.1f} s", flush=True)
    os.chdir("/")
