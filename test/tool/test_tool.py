#!/usr/bin/env python3
"""The privgraph program, used as a stranger would: every command, every exit code, files, pipes,
signals, a terminal; and that help, man pages and completions say the same.

usage: test_tool.py PROGRAM PAGES_FOLDER SOURCE_ROOT [CLASS...]
"""
import html.parser
import glob
import gzip
import json
import math
import os
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree
import xml.dom.minidom

PROGRAM, PAGES, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
OK, FAILED, USAGE, REFUSED = 0, 1, 2, 3
BUDGET, UNDECLARED, SEEDED, BUSY, MISSING = 4, 5, 6, 7, 8
# A process takes twenty times as long then: every path once, and what repeats one in the plain run.
SANITIZED = "PRIVGRAPH_TEST_SANITIZED" in os.environ
COMMANDS = json.loads(subprocess.run([PROGRAM, "--dump-options"], stdout=subprocess.PIPE, check=True).stdout)["commands"]


def options_of(command):
    return [option for group in command["groups"] for option in group["options"]]


def read(path, mode="r"):
    with open(path, mode, **({} if "b" in mode else {"encoding": "utf-8"})) as file:
        return file.read()


def write_bytes(path, data):
    with open(path, "wb") as out:
        out.write(data)


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def read_npy(data):
    """By hand: shape and numbers of an NPY 1.0 file of little-endian doubles."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    length, = struct.unpack("<H", data[8:10])
    head = eval(data[10:10 + length].decode("ascii"), {"__builtins__": {}})  # a dict literal
    assert head["descr"] == "<f8" and not head["fortran_order"] and (10 + length) % 64 == 0, head
    rows, columns = head["shape"]
    numbers = struct.unpack(f"<{rows * columns}d", data[10 + length:])
    return [list(numbers[r * columns:(r + 1) * columns]) for r in range(rows)]


OPTIONS_OF = {c["name"]: {o["name"] for g in c["groups"] for o in g["options"]} for c in COMMANDS}


class Base(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="privgraph-tool-")
        self.addCleanup(shutil.rmtree, self.work)
        write(self.path("cycle.txt"), "# order 6\n0 1\n0 5\n1 2\n2 3\n3 4\n4 5\n")
        write(self.path("bare.txt"), "0 1\n1 2\n2 3\n3 4\n4 5\n0 5\n")
        write(self.path("set.g6"), "Bw\nCr\nDhc\n")  # triangle, cycle4, cycle5

    def path(self, name):
        return os.path.join(self.work, name)

    def town(self):
        """A node-level folder with 60 nodes of two classes."""
        folder, state = self.path("town"), 7
        os.mkdir(folder)
        edges, features = set(), []
        for v in range(60):  # two rings of 30 with chords
            for step in (1, 3):
                edges.add((v, v // 30 * 30 + (v % 30 + step) % 30))
            state = state * 1103515245 + 12345 & 0x7fffffff
            features.append(f"{v // 30} {2 + state % 5}")
        write(os.path.join(folder, "edges.txt"), "".join(f"{u} {v}\n" for u, v in sorted(edges)))
        write(os.path.join(folder, "features.txt"), "\n".join(features) + "\n")
        write(os.path.join(folder, "labels.txt"), "".join(f"{v // 30}\n" for v in range(60)))

    def unchanged(self, *arguments, part="must not write it", **more):
        """A usage error that touches nothing, above all no ledger."""
        def everything():
            found = {}
            for folder, _, names in os.walk(self.work):
                found.update({os.path.join(folder, name): read(os.path.join(folder, name), "rb") for name in names})
            return found
        before = everything()
        self.assertIn(part, self.run_tool(*arguments, code=USAGE, **more)[1])
        self.assertEqual(everything(), before, arguments)

    def run_tool(self, *arguments, code=OK, stdin=b"", env=None, anyway=True):
        """Returns stdout and stderr as text; binary is kept in self.raw. anyway: toys are released although
        nothing can be seen in them."""
        for words in (1, 2):
            if anyway and "anyway" in OPTIONS_OF.get(" ".join(arguments[:words]), ()):
                arguments = arguments[:words] + ("--anyway",) + arguments[words:]
                break
        done = subprocess.run([PROGRAM, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.work, env=dict(os.environ, **(env or {})), timeout=60)
        self.raw = done.stdout
        err = done.stderr.decode()
        self.assertEqual(done.returncode, code, f"privgraph {' '.join(arguments)}\n{err}")
        return done.stdout.decode("latin-1"), err

    def groups(self, name):
        """A folder of 120 nodes: groups of ten that know each other, with features and labels."""
        os.mkdir(self.path(name))
        pairs = [(a, b) for a in range(120) for b in range(a + 1, 120)
                 if (a // 10 == b // 10 and (a * b + a + b) % 2) or (b - a == 10 and a % 3 == 0)]
        write(self.path(name + "/edges.txt"), "".join(f"{a} {b}\n" for a, b in pairs))
        write(self.path(name + "/labels.txt"), "".join(f"{v // 10 % 3}\n" for v in range(120)))
        write(self.path(name + "/features.txt"), "".join(f"{v // 10 % 3} {3 + v % 5}\n" for v in range(120)))

    def leftovers(self):
        return sorted(set(os.listdir(self.work)) - {"cycle.txt", "bare.txt", "set.g6", "people"})


class Frame(Base):
    def test_help_and_version(self):
        out, err = self.run_tool("--help")
        self.assertEqual(err, "")
        for command in COMMANDS:
            of_kind = command["name"].startswith("release ")  # made from the library's table
            self.assertIn("  release KIND " if of_kind else f"  {command['name']} ", out)
            help_text, err = self.run_tool(*command["name"].split(), "--help")
            self.assertEqual(err, "")
            self.assertIn("Budget:" if of_kind else "Examples:", help_text)
            self.assertLess(max(len(line) for line in help_text.split("\n") if "  privgraph" not in line
                                and "|" not in line), 81)
            for option in options_of(command):
                self.assertIn("--" + option["name"], help_text)
            if not SANITIZED or command is COMMANDS[0]:
                self.assertEqual(self.run_tool("help", *command["name"].split())[0], help_text)
        self.assertRegex(self.run_tool("--version")[0], r"^privgraph \d+\.\d+\.\d+\n$")
        self.assertIn("ledger show", self.run_tool("ledger", "--help")[0])
        self.assertIn("ledger show", self.run_tool("help", "ledger")[0])

    def test_usage_errors(self):
        for arguments, part in [
                ((), "usage:"), (("nonsense",), "no command 'nonsense'"), (("ledger",), "ledger show"),
                (("ledger", "sohw"), "no command 'ledger sohw'"), (("embed", "cycle.txt"), "--patterns is missing"),
                (("embed", "-p", "edge", "-e", "1"), "missing operand"),
                (("embed", "-p", "edge", "cycle.txt"), "--epsilon is missing"),
                (("embed", "-p", "edge", "-e", "0", "cycle.txt"), "more than 0"),
                (("embed", "-p", "edge", "-e", "one", "cycle.txt"), "'one' is no number"),
                (("embed", "-p", "edge", "-e", "1", "-d", "1", "cycle.txt"), "--delta must be"),
                (("embed", "-p", "edge", "-e"), "--epsilon needs a value"),
                (("embed", "--epsilno", "1"), "did you mean --epsilon?"),
                (("embed", "--patt", "1"), "did you mean --patterns?"),
                (("embed", "-Z"), "unknown option -Z"), (("embed", "--json=1"), "takes no value"),
                (("embed", "--noise", "pink"), "none of gaussian"),
                (("embed", "--order", "-3"), "no whole number"),
                (("embed", "--seed-not-private", "18446744073709551616"), "below 2^64"),
                (("embed", "-p", "edge", "-e", "1", "a", "b"), "unexpected operand 'b'"),
                (("embed", "-p", "egde", "-e", "1", "cycle.txt"), "patterns list"),
                (("embed", "-p", "edge,,path3", "-e", "1", "cycle.txt"), "an item is empty"),
                (("embed", "-p", "trees:x", "-e", "1", "cycle.txt"), "how many"),
                (("embed", "-p", "edge", "-e", "1", "--threads", "0", "cycle.txt"), "--threads must be"),
                (("embed", "-p", "edge", "-e", "1", "--beta", "1", "cycle.txt"), "--beta is for"),
                (("embed", "-p", "edge", "-e", "1", "--object", "x", "cycle.txt"), "--object needs --ledger"),
                (("embed", "-p", "edge", "-e", "1", "--ledger", "x", "cycle.txt"), "--ledger needs --object"),
                (("embed", "-p", "edge", "-e", "1", "--json", "-f", "npy", "cycle.txt"), "exclude each other"),
                (("embed", "-p", "edge", "-e", "1", "--max-degree", "2", "--promise-max-degree", "2", "cycle.txt"),
                 "exclude each other"),
                (("calibrate",), "--epsilon or --scale"), (("calibrate", "-e", "1,"), "after the last comma"),
                (("calibrate", "-e", "1,x"), "'x' is no number > 0"), (("calibrate", "-e", ""), "empty list"),
                (("calibrate", "-e", "1", "-p", "edge"), "needs --order"),
                (("calibrate", "--scale", "1", "-p", "edge"), "--scale do not go with --patterns"),
                *((("calibrate", what, "1", "--releases", wrong), "no whole number from 1")
                  for what in ("-e", "--scale")
                  for wrong in ("0.5", "1.5", "0", "2,0.5", "-1", "1e3", "9007199254740993")),
                (("ledger", "spend", "x", "--object", "a", "--mu", "1", "--times", "0.5"), "no whole number"),
                (("ledger", "spend", "x", "--object", "a", "--mu", "1", "--times", "0"), "at least 1"),
                (("preview", "-e", "1"), "--order is missing"),
                (("patterns", "sample", "tress"), "tress"),
                (("ledger", "check", "x"), "--object is missing"),
                (("ledger", "spend", "x", "--object", "a", "--mu", "1", "--rho", "1"), "one of them"),
                (("convert", "cycle.txt", "out.unknown"), "does not tell a format"),
                (("audit", "edge", "-e", "1", "--edge", "3,3"), "two different nodes")]:
            out, err = self.run_tool(*arguments, code=USAGE)
            self.assertEqual(out, "", arguments)
            self.assertIn(part, err, arguments)
            self.assertEqual(self.leftovers(), [])

    def test_lines_of_other_tools(self):
        """A header and a third column are named with file and line, and what to do about them."""
        write(self.path("h.txt"), "from to\n0 1\n")
        write(self.path("w.txt"), "0 1 0.5\n")
        self.assertRegex(self.run_tool("info", "h.txt", "--order", "3", code=FAILED)[1], r"h.txt:1: .*header, put #")
        self.assertRegex(self.run_tool("info", "w.txt", "--order", "3", code=FAILED)[1], r"w.txt:1: .*--extra-columns")
        self.run_tool("info", "w.txt", "--order", "3", "--extra-columns")

    def pairs(self, *arguments):
        return [tuple(map(int, line.split())) for line in
                self.run_tool("convert", *arguments, "--order", "9", "-f", "edge-list")[0].split("\n")[1:-1]]

    def test_edge_columns(self):
        """Edges from two columns of a table: by name, by number, whatever separates them."""
        for separator in (",", ";", "\t", " ", " , "):
            rows = (("day", "to", "from", "w"), ("m", "3", "1", ".5"), ("t", "0", "4", "x"))
            text = "\n".join(separator.join(row) for row in rows)
            tables = (text, text + "\n", text.replace("\n", "\r\n"), "\ufeff" + text, "# a\n\n" + text,
                      text.replace("from", '"from"').replace("3", '"3"'))
            for table in tables[:1] if SANITIZED and separator != "," else tables:
                write(self.path("t.csv"), table)
                for columns in ("from,to", "3,2", "2,3", "from,2"):
                    self.assertEqual(self.pairs("t.csv", "--edge-columns", columns), [(0, 4), (1, 3)], (table, columns))
        # by number there need not be a header; other columns may hold anything, also nothing
        write(self.path("t.csv"), '"a, b",1,2\n,2,3,,\n')
        self.assertEqual(self.pairs("t.csv", "--edge-columns", "2,3"), [(1, 2), (2, 3)])
        # a header in a comment, right above the data; sentences that hold the words are none
        for above in ("# FromNodeId ToNodeId\n", "#FromNodeId\tToNodeId\n", "# a b\n% Nodes: 5 Edges: 2\n#  FromNodeId ToNodeId \n",
                      "# FromNodeId and ToNodeId are people\nFromNodeId ToNodeId\n", "# FromNodeId ToNodeId\n# w\nFromNodeId ToNodeId\n"):
            for between in (" ", "\t"):
                write(self.path("t.txt"), above + f"1{between}3\n0{between}4\n")
                self.assertEqual(self.pairs("t.txt", "--edge-columns", "FromNodeId,ToNodeId"), [(0, 4), (1, 3)], above)
        write(self.path("t.txt"), "# order 9\n# w,a,b\n7,1,2\n8,2,3\n")
        self.assertEqual(self.pairs("t.txt", "--edge-columns", "a,b"), [(1, 2), (2, 3)])
        write(self.path("t.txt"), "# the edges from one to another\n1 2\n")
        self.assertIn("t.txt:2: no column has the name 'from'",
                      self.run_tool("convert", "t.txt", "--order", "9", "--edge-columns", "from,to", code=FAILED)[1])
        # one-based numbers, a folder, gzip, the order in the first line
        write(self.path("t.csv"), "# order 4\nw a b\n5 1 2\n5 2 4\n")
        self.assertEqual(self.run_tool("convert", "t.csv", "--edge-columns", "a,b", "--index-base", "1", "-f",
                                       "edge-list")[0], "# order 4\n0 1\n1 3\n")
        os.mkdir(self.path("folder"))
        with gzip.open(self.path("folder/edges.txt.gz"), "wt") as file:
            file.write("w a b\n5 1 2\n5 2 4\n")
        for name in ("folder", "folder/"):
            self.assertEqual(self.pairs(name, "--edge-columns", "a,b"), [(1, 2), (2, 4)])
        # never a graph that was not meant
        for table, columns, says in (("a,b\n1,2\n", "a,c", r"t.csv:1: no column has the name 'c'"),
                                     ("a,a,b\n1,2,3\n", "a,b", r"t.csv:1: two columns have the name 'a'"),
                                     ("a,b\n1,2\n3\n", "a,b", r"t.csv:3: column 2 is missing"),
                                     ("a,b\n1,2\n3,\n", "a,b", r"t.csv:3: expected a node number in column 2, found ''"),
                                     ("a,b\n1,#2\n", "b,a", r"t.csv:2: .*found '#2'"),
                                     ("a,b\n1,2 3\n", "a,b", r"t.csv:2: .*found '2 3'"),
                                     ("a,b\n1,-2\n", "a,b", r"t.csv:2: .*found '-2'"),
                                     ("1,2\nx,y\n", "1,2", r"t.csv:2: .*found 'x'"),
                                     ("x,2\n", "1,2", r"t.csv:1: .*found 'x'"),
                                     ("a,b\n1,9\n", "a,b", r"t.csv:2: .*beyond the last node"),
                                     ('a,b\n"1,2\n', "a,b", r"t.csv:2: a quote has no end"),
                                     ("a,b\n1,2\n", "a,2", None), ("a,b\n1,2\n", "b,2", r"one column given twice")):
            write(self.path("t.csv"), table)
            err = self.run_tool("convert", "t.csv", "--order", "9", "--edge-columns", columns, "--extra-columns",
                                "-f", "edge-list", code=FAILED if says else OK)[1]
            self.assertRegex(err, says or ".*")
        for wrong in ("a", "a,", ",a", "a,b,c", "a,a", "1,1", "0,1", "1,99999999999999999999"):
            self.run_tool("convert", "t.csv", "--order", "9", "--edge-columns", wrong, code=USAGE)
        self.run_tool("convert", "t.csv", "--edge-columns", "a,b", "--input-format", "graph6", code=USAGE)

    def test_config(self):
        """Options from a file: the same as typed, what is typed wins, errors name file and line."""
        write(self.path("c"), "# every quarter\n\npatterns = edge,path3\n  epsilon=1.5 \r\nquiet\njson\n")
        out = json.loads(self.run_tool("embed", "--config", "c", "cycle.txt")[0])
        self.assertAlmostEqual(out["guarantee"]["epsilon"], 1.5, places=6)
        out = json.loads(self.run_tool("embed", "-e", "2.5", "cycle.txt", "--config=c")[0])
        self.assertAlmostEqual(out["guarantee"]["epsilon"], 2.5, places=6)
        for line, said in (("epsilon", "--epsilon needs a value"), ("epsilon =", "--epsilon needs a value"),
                           ("epsilon = x", "'x' is no number"), ("quiet = 1", "--quiet takes no value"),
                           ("epsilno = 1", "did you mean --epsilon"), ("epsilon 1", "not 'name = value'"),
                           ("a b = 1", "not 'name = value'"), ("noise = loud", "is none of"),
                           ("seed-not-private = 1", "has to be typed"), ("exact-not-private", "has to be typed"),
                           ("config = c", "has to be typed"), ("help", "has to be typed")):
            write(self.path("bad"), "json\n\n" + line + "\n")
            err = self.run_tool("embed", "--config", "bad", "-p", "edge", "cycle.txt", code=USAGE)[1]
            self.assertIn("bad:3: ", err)
            self.assertIn(said, err)
        self.run_tool("embed", "--config", "none", "cycle.txt", code=MISSING)
        for command in COMMANDS:
            self.assertIn("config", OPTIONS_OF[command["name"]])

    def test_counts_are_whole(self):
        """No option that counts something takes a fraction or a negative number."""
        names = set()
        for command in COMMANDS:
            for option in options_of(command):
                if option["kind"] in ("whole", "seed") and not (SANITIZED and option["name"] in names):
                    names.add(option["name"])
                    err = self.run_tool(*command["name"].split(), f"--{option['name']}=1.5", code=USAGE)[1]
                    self.assertIn(f"--{option['name']}: '1.5' is no whole number", err)
        for wrong in ("0.5", "-1", "1e3", "", "+1", " 1", "nan", "0x1", "18446744073709551616"):
            self.assertIn("no whole number", self.run_tool("ledger", "spend", f"--times={wrong}", code=USAGE)[1])
        for wrong in ("trees:0.5", "trees:1.5", "trees:0", "trees:-1", "trees:"):
            self.assertIn("how many", self.run_tool("patterns", "describe", wrong, code=USAGE)[1])

    def test_no_option_twice(self):
        for command in COMMANDS:
            names = [option["name"] for option in options_of(command)]
            letters = [option["letter"] for option in options_of(command) if option["letter"]]
            self.assertEqual(len(names), len(set(names)), command["name"])
            self.assertEqual(len(letters), len(set(letters)), command["name"])

    def test_same_name_same_kind(self):
        """An option that several commands have takes the same kind of value everywhere."""
        kinds = {}
        for command in COMMANDS:
            for option in options_of(command):
                kinds.setdefault(option["name"], set()).add(option["kind"])
        lists = {"epsilon": {"real", "text"}, "delta": {"real", "text"}, "scale": {"real", "text"},  # calibrate takes lists
                 "high": {"real", "signed"},  # of features any number, of group-ratio a positive one
                 "degrees": {"choice", "text"}}  # of stats what to count, as LEVELS,RANKS; of kinds who sees to the bound
        for name, found in kinds.items():
            self.assertTrue(len(found) == 1 or found == lists.get(name), (name, found))

    def test_pages(self):
        """Every command and option is in its man page and in both completions."""
        pages = {os.path.basename(path): read(path) for path in glob.glob(os.path.join(PAGES, "*.1"))}
        bash, zsh = read(os.path.join(PAGES, "privgraph.bash")), read(os.path.join(PAGES, "_privgraph"))
        for command in COMMANDS:
            page = pages[f"privgraph-{command['name'].split()[0]}.1"]
            self.assertIn(command["name"].replace("-", "\\-"), pages["privgraph.1"])
            for option in options_of(command):
                self.assertIn("\\-\\-" + option["name"].replace("-", "\\-") + "\\fR", page)
                self.assertIn("--" + option["name"], bash)
                self.assertIn("--" + option["name"] + "[", zsh)

    def test_man_lint(self):
        if not shutil.which("groff"):
            self.skipTest("groff is not here")
        for path in glob.glob(os.path.join(PAGES, "*.1")):
            done = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8", "-rLL=200n", path],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, ""), path)

    def complete(self, *words):
        script = f"source {shlex.quote(PAGES + '/privgraph.bash')}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _privgraph; " \
            "printf '%s\\n' \"${COMPREPLY[@]}\""
        done = subprocess.run(["bash", "-c", script, "bash", "privgraph", *words], stdout=subprocess.PIPE,
                              check=True, text=True, cwd=self.work)
        return [word for word in done.stdout.split("\n") if word]

    def test_bash_completion(self):
        self.assertEqual(self.complete("em"), ["embed"])
        self.assertEqual(self.complete("ledger", "s"), ["show", "spend"])
        self.assertEqual(self.complete("embed", "--epsi"), ["--epsilon"])
        self.assertEqual(self.complete("embed", "--noise", "la"), ["laplace"])
        self.assertEqual(self.complete("ledger", "create", "--metho"), ["--method"])
        self.assertEqual(self.complete("embed", "cyc"), ["cycle.txt"])
        self.assertEqual(self.complete("embed", "--epsilon", ""), [])

    def test_zsh_completion(self):
        if not shutil.which("zsh"):
            self.skipTest("zsh is not here")
        done = subprocess.run(["zsh", "-n", os.path.join(PAGES, "_privgraph")], check=False)
        self.assertEqual(done.returncode, 0)


class Embed(Base):
    FIXED = ("embed", "-p", "edge,path3", "-e", "1", "--seed-not-private", "7")

    def test_csv_and_guarantee(self):
        out, err = self.run_tool("embed", "-p", "edge,path3,cycle4", "-e", "1", "--max-degree", "2", "set.g6",
                                 "-o", "x.csv")
        self.assertEqual(out, "")
        self.assertIn("factor e^", err)
        lines = read(self.path("x.csv")).split("\n")
        self.assertEqual(lines[0], "edge,path3,cycle4")
        self.assertEqual([len(line.split(",")) for line in lines[1:4]], [3, 3, 3])
        for line in lines[1:4]:
            for word in line.split(","):
                self.assertTrue(math.isfinite(float(word)))
        record = json.loads(read(self.path("x.csv.guarantee.json")))
        self.assertTrue(record["private"])
        self.assertLessEqual(record["epsilon"], 1)
        self.assertEqual(record["rows"], 3)
        self.assertEqual(self.leftovers(), ["x.csv", "x.csv.guarantee.json"])

    def test_time_is_told_before_paying(self):
        """--dry-run ends before anything is paid or written, --time-limit refuses, ten seconds are a warning."""
        self.run_tool("ledger", "create", "l", "-e", "100", "-d", "1e-5")
        before = read(self.path("l"), "rb")
        pay = ("--order", "20000", "--ledger", "l", "--object", "x", "-o", "out.csv", "cycle.txt")
        for options in (("--dry-run",), ("--time-limit", "5")):
            err = self.run_tool("embed", "-p", "wheel5", "-e", "1", *options, *pay,
                                code=OK if options == ("--dry-run",) else FAILED)[1]
            self.assertRegex(err, r"warning: counting takes at most [0-9.e+]+ seconds")
            self.assertFalse(os.path.exists(self.path("out.csv")))
            self.assertEqual(read(self.path("l"), "rb"), before)
        self.assertIn("time_limit is 5; nothing was paid", err)
        err = self.run_tool("embed", "-p", "wheel5", "-e", "1", "--max-degree", "2", "--time-limit", "5", *pay)[1]
        self.assertNotIn("warning", err)
        self.assertNotEqual(read(self.path("l"), "rb"), before)
        err = self.run_tool("embed", "-p", "edge", "-e", "1", "--dry-run", "cycle.txt")[1]
        self.assertRegex(err, r"counting takes at most [0-9.e+-]+ seconds")
        self.run_tool("embed", "-p", "edge", "--exact-not-private", "--dry-run", "cycle.txt", code=USAGE)

    def test_nothing_to_be_seen_is_not_sold(self):
        """Exit code 3 with what it would need; nothing is written, no ledger pays; --anyway does."""
        self.groups("cora")
        self.run_tool("ledger", "create", "l", "-e", "100", "-d", "1e-5")
        pay = ("--ledger", "l", "--object", "x", "-o", "out.csv")
        drowned = [("embed", "-p", "edge,cycle6", "-e", "0.01", "cycle.txt"),
                   ("embed", "-p", "edge,cycle6", "-e", "0.01", "cycle.txt", "--noise", "laplace"),
                   ("propagate", "cora", "-e", "8", "--layers", "2"),
                   ("propagate", "cora", "-e", "2", "--layers", "2", "--method", "hops"),
                   ("stats", "-e", "0.001", "cycle.txt"),
                   ("stats", "-e", "0.001", "--degrees", "1,1", "cycle.txt"),
                   ("perturb", "features", "cora", "--columns", "8", "-e", "0.1"),
                   ("perturb", "labels", "cora", "--classes", "3", "-e", "0.01")]
        for call in drowned:
            before = read(self.path("l"), "rb")
            err = self.run_tool(*call, *pay, code=REFUSED, anyway=False)[1]
            self.assertIn("nothing can be seen", err)
            self.assertIn("--anyway", err)
            self.assertFalse(os.path.exists(self.path("out.csv")))
            self.assertEqual(read(self.path("l"), "rb"), before)
            needed = re.search(r"it needs --epsilon ([0-9.e+]*[0-9])", err)
            self.assertTrue(needed, err)
            # a little more than that is enough, and a line says so
            more = list(call)
            more[more.index("-e") + 1] = str(1.01 * float(needed.group(1)))
            err = self.run_tool(*more, "-o", "seen.csv", anyway=False)[1]
            self.assertRegex(err, r"public range / noise for \d+ nodes: .* can be seen")
        # classes of nodes: what is released about edges, of parts of which one is enough, and sums of hidden nodes
        given = ("--averages", "1", "--held-out", "0", "-o", "out.csv")
        for call in (("classify", "cora", "-e", "0.01", *given), ("classify", "cora", "-e", "0.015", "--first-share", "0.4", *given),
                     ("classify", "cora", "-e", "0.02", "--method", "gap", *given),
                     ("learn", "edges", "cora", "-e", "0.01", "--method", "response", *given),
                     ("learn", "embeddings", "set.g6", "-p", "cycle6", "-e", "0.01", "-o", "out.csv"),
                     ("learn", "users", "cora", "--classes", "3", "--label-epsilon", "0.001", "--list-epsilon", "0.001", "-o", "out.csv"),
                     ("learn", "nodes", "cora", "-e", "0.1", "--columns", "8", "--classes", "3", "--method", "gap",
                      "--promise-max-degree", "12", "--model", "out.csv")):
            err = self.run_tool(*call, code=REFUSED, anyway=False)[1]
            self.assertIn("nothing can be seen", err)
            self.assertFalse(os.path.exists(self.path("out.csv")))
        err = self.run_tool("classify", "cora", "-e", "1", "--averages", "1", "-o", "seen.csv", anyway=False)[1]
        self.assertIn("public range / noise for 120 nodes", err)
        self.run_tool("learn", "users", "cora", "--classes", "3", "--label-epsilon", "3", "--list-epsilon", "0.001", "-o",
                      "seen.csv", anyway=False)
        self.run_tool("learn", "nodes", "cora", "-e", "0.1", "--columns", "8", "--classes", "3", "--steps", "2", "--model", "seen.pvgm", anyway=False)
        self.run_tool(*drowned[0], *pay, "--anyway", anyway=False)
        self.assertTrue(os.path.exists(self.path("out.csv")))
        # a set is released if any graph of it shows anything; smooth noise is not judged
        write(self.path("two.g6"), "Bw\nIhCGHCGH?\n")
        self.run_tool("embed", "-p", "edge", "-e", "2", "two.g6", anyway=False)
        self.run_tool("embed", "-p", "edge", "-e", "1", "--noise", "smooth", "--beta", "0.01", "cycle.txt",
                      anyway=False)
        for epsilon, said in (("1e9", True), ("2", False)):
            err = self.run_tool("embed", "-p", "edge", "-e", epsilon, "cycle.txt")[1]
            self.assertEqual("hides next to nothing" in err, said)

    def test_noise_is_fresh(self):
        one = self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt")[0]
        two = self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt")[0]
        self.assertNotEqual(one, two)

    def test_seeded_is_not_private(self):
        out, err = self.run_tool(*self.FIXED, "cycle.txt")
        self.assertIn("Not private", err)
        self.assertEqual(out, self.run_tool(*self.FIXED, "cycle.txt", "--threads", "2")[0])
        self.assertNotEqual(out, self.run_tool(*self.FIXED[:-1], "8", "cycle.txt")[0])
        record = json.loads(self.run_tool(*self.FIXED, "cycle.txt", "--json")[0])["guarantee"]
        self.assertFalse(record["private"])
        self.assertEqual(record["epsilon"], "infinity")

    def test_formats_agree(self):
        """CSV, JSON and NPY hold the same bits."""
        rows = [[float(word) for word in line.split(",")]
                for line in self.run_tool(*self.FIXED, "set.g6")[0].split("\n")[1:-1]]
        document = json.loads(self.run_tool(*self.FIXED, "set.g6", "--json")[0])
        self.assertEqual(document["columns"], ["edge", "path3"])
        self.assertEqual(document["values"], rows)
        self.run_tool(*self.FIXED, "set.g6", "-f", "npy")
        self.assertEqual(read_npy(self.raw), rows)
        self.run_tool(*self.FIXED, "set.g6", "-f", "npy", "-o", "x.npy")
        self.assertEqual(read_npy(read(self.path("x.npy"), "rb")), rows)
        self.run_tool(*self.FIXED, "set.g6", "-o", "x.csv.gz")
        with gzip.open(self.path("x.csv.gz"), "rt") as file:
            self.assertEqual(file.read(), self.run_tool(*self.FIXED, "set.g6")[0])

    def test_unpacking_has_a_limit(self):
        with gzip.open(self.path("bomb.txt.gz"), "wb") as out:
            out.write(b"# order 3\n" + b"#\n" * 500000)
        self.assertLess(os.path.getsize(self.path("bomb.txt.gz")), 10000)
        self.run_tool("info", "bomb.txt.gz")
        self.run_tool("info", "bomb.txt.gz", "--unpack-limit", "1000010")
        for limit in ("1000009", "1000", "0"):
            err = self.run_tool("info", "bomb.txt.gz", "--unpack-limit", limit, code=FAILED)[1]
            self.assertIn("bomb.txt.gz: cannot read: it has more bytes, unpacked, than the limit", err)
        with open(self.path("bomb.txt.gz"), "rb") as packed:
            self.run_tool("info", "-", "--unpack-limit", "1000", stdin=packed.read(), code=FAILED)

    def test_stdin_and_gzip(self):
        expected = self.run_tool(*self.FIXED, "cycle.txt")[0]
        data = read(self.path("cycle.txt"), "rb")
        self.assertEqual(self.run_tool(*self.FIXED, "-", stdin=data)[0], expected)
        self.assertEqual(self.run_tool(*self.FIXED, "-", stdin=gzip.compress(data))[0], expected)
        with gzip.open(self.path("packed.txt.gz"), "wb") as out:
            out.write(data)
        self.assertEqual(self.run_tool(*self.FIXED, "packed.txt.gz")[0], expected)
        self.assertEqual(self.run_tool(*self.FIXED, "-", "--output", "-", stdin=data)[0], expected)
        self.assertEqual(self.run_tool(*self.FIXED, "--", "cycle.txt")[0], expected)
        data = gzip.compress(data)[:-9]
        self.assertIn("cut short", self.run_tool(*self.FIXED, "-", stdin=data, code=FAILED)[1])

    def test_tudataset(self):
        self.run_tool("convert", "set.g6", "rings/")
        expected = self.run_tool(*self.FIXED, "set.g6")[0]
        self.assertEqual(self.run_tool(*self.FIXED, "rings")[0], expected)
        for path in glob.glob(self.path("rings/*.txt")):
            with gzip.open(path + ".gz", "wb") as out:
                out.write(read(path, "rb"))
            os.unlink(path)
        self.assertEqual(self.run_tool(*self.FIXED, "rings/")[0], expected)
        os.rename(self.path("rings"), self.path("other"))
        self.assertIn("--name", self.run_tool(*self.FIXED, "other", code=FAILED)[1])
        self.assertEqual(self.run_tool(*self.FIXED, "other", "--name", "rings")[0], expected)

    def test_order_must_be_public(self):
        """The largest number in a list of edges tells about the edges."""
        out, err = self.run_tool("embed", "-p", "edge", "-e", "1", "bare.txt", "-o", "x", code=UNDECLARED)
        self.assertIn("--order", err)
        self.assertEqual(self.leftovers(), [])
        self.run_tool("embed", "-p", "edge", "-e", "1", "bare.txt", "--order", "6")
        # messages name options, not fields of C
        write(self.path("far.txt"), "0 2000000000\n")
        err = self.run_tool("convert", "far.txt", "far.mtx", code=FAILED)[1]
        self.assertIn("--order or --order-limit", err)
        self.assertNotIn("order_limit", err)
        os.unlink(self.path("far.txt"))
        os.mkdir(self.path("folder"))
        shutil.copy(self.path("bare.txt"), self.path("folder/edges.txt"))
        self.run_tool("embed", "-p", "edge", "-e", "1", "folder", code=UNDECLARED)
        write(self.path("folder/labels.txt"), "0\n" * 6)
        self.run_tool("embed", "-p", "edge", "-e", "1", "folder")

    def test_exact_only_behind_its_flag(self):
        out, err = self.run_tool("embed", "-p", "edge,triangle", "set.g6", "--exact-not-private", "--append-order")
        self.assertIn("NOT private", err)
        rows = [[float(word) for word in line.split(",")] for line in out.split("\n")[1:-1]]
        self.assertEqual(rows[0], [2 / 3, 6 / 27, 3])  # densities of the triangle
        self.assertEqual(rows[1], [0.5, 0, 4])
        record = json.loads(self.run_tool("embed", "-p", "edge", "set.g6", "--exact-not-private",
                                          "--json")[0])["guarantee"]
        self.assertFalse(record["private"])
        self.run_tool("embed", "-p", "edge", "set.g6", "--exact-not-private", "--scaling", "range", code=USAGE)
        self.run_tool("embed", "-p", "edge", "set.g6", "--exact-not-private", "--ledger", "x", "--object", "y",
                      code=REFUSED)

    def test_smooth(self):
        self.run_tool("embed", "-p", "edge", "-e", "1", "--noise", "smooth", "set.g6", code=USAGE)
        for noise in ("smooth", "smooth-published"):
            record = json.loads(self.run_tool("embed", "-p", "edge", "-e", "1", "--noise", noise, "--beta", "0.01",
                                              "set.g6", "--json")[0])["guarantee"]
            self.assertIn("smooth sensitivity", record["noise"])
            self.assertLessEqual(record["epsilon"], 1)

    def test_noise_laws(self):
        for noise, curve in [("gaussian", "gdp"), ("laplace", "pure"), ("discrete-gaussian", "zcdp")]:
            record = json.loads(self.run_tool("embed", "-p", "edge", "-e", "1", "--noise", noise, "set.g6",
                                              "--json")[0])["guarantee"]
            self.assertEqual(record["curve"]["kind"], curve)
            self.assertLessEqual(record["epsilon"], 1)

    def test_patterns_from_file(self):
        self.run_tool("patterns", "sample", "trees", "-n", "4", "-o", "t.g6")
        one = self.run_tool("embed", "-p", "@t.g6", "-e", "1", "cycle.txt")[0].split("\n")[0]
        two = self.run_tool("embed", "-p", "trees:4", "-e", "1", "cycle.txt")[0].split("\n")[0]
        self.assertEqual(one, two)
        self.assertEqual(len(one.split(",")), 4)
        err = self.run_tool("embed", "-p", "edge,path2,clique2", "-e", "1", "cycle.txt")[1]
        self.assertIn("2 of the patterns are repeats", err)

    def test_bad_input(self):
        """Messages name file, line and reason."""
        write(self.path("bad.txt"), "# order 4\n0 1\n1 x\n")
        self.assertIn("bad.txt:3:", self.run_tool(*self.FIXED, "bad.txt", code=FAILED)[1])
        self.assertIn("--input-format", self.run_tool(*self.FIXED, "-", stdin=b"0 1\n", code=FAILED)[1])
        err = self.run_tool(*self.FIXED, "-", "--input-format", "edge-list", stdin=b"0 1\n0 1\n", code=FAILED)[1]
        self.assertIn("<stdin>:2:", err)
        self.assertIn("cannot open: No such file", self.run_tool(*self.FIXED, "missing.txt", code=MISSING)[1])
        self.assertIn("neither", self.run_tool(*self.FIXED, ".", code=FAILED)[1])
        self.assertIn("cannot create", self.run_tool(*self.FIXED, "cycle.txt", "-o", "no/where.csv", code=MISSING)[1])
        self.assertIn("is a folder", self.run_tool(*self.FIXED, "cycle.txt", "-o", ".", code=FAILED)[1])
        write(self.path("twice.txt"), "# order 3\n0 1\n1 0\n")
        self.run_tool(*self.FIXED, "twice.txt", code=FAILED)
        self.run_tool(*self.FIXED, "twice.txt", "--merge-edges")

    def test_talk_tells_nothing_private(self):
        """The same talk, word for word, for two graphs on the same nodes."""
        write(self.path("a.txt"), "# order 40\n" + "".join(f"0 {v}\n" for v in range(1, 40)))
        write(self.path("b.txt"), "# order 40\n1 2\n")
        talks = []
        for name in ("a.txt", "b.txt"):
            out, err = self.run_tool("embed", "-p", "edge,triangle,star4", "-e", "1", "--max-degree", "5", name,
                                     "-g", "record.json")
            info, more = self.run_tool("info", name)
            record = read(self.path("record.json"))  # id and digest are drawn
            record = re.sub(r'"(id|digest)": "[^"]*"', "", record)
            talks.append((err, info, more, record))
        self.assertEqual(talks[0], talks[1])

    def test_a_told_order_holds_for_all_formats(self):
        write(self.path("a.mtx"), "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
        self.assertTrue(self.run_tool("convert", "a.mtx", "--order", "9", "-", "-f", "edge-list")[0]
                        .startswith("# order 9\n"))
        self.assertIn("more nodes than --order", self.run_tool("convert", "a.mtx", "--order", "2", "-", "-f",
                                                                     "edge-list", code=FAILED)[1])
        write(self.path("a.g6"), "DQc\n")
        self.run_tool("embed", "-p", "edge", "-e", "1", "--order", "5", "a.g6")
        self.assertIn("does not have --order nodes", self.run_tool("embed", "-p", "edge", "-e", "1", "--order", "6", "a.g6",
                                                     code=FAILED)[1])

    def test_existing_file_survives_failure(self):
        write(self.path("x.csv"), "old\n")
        os.chmod(self.path("x.csv"), 0o640)
        write(self.path("bad.txt"), "# order 4\n0 9\n")
        self.run_tool("embed", "-p", "edge", "-e", "1", "bad.txt", "-o", "x.csv", code=FAILED)
        self.assertEqual(read(self.path("x.csv")), "old\n")
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "x.csv")
        self.assertNotEqual(read(self.path("x.csv")), "old\n")
        self.assertEqual(os.stat(self.path("x.csv")).st_mode & 0o777, 0o640)
        if os.geteuid() == 0:  # who may give any group keeps it
            os.chown(self.path("x.csv"), -1, os.getegid() + 4)
            os.chmod(self.path("x.csv"), 0o640)
            self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "x.csv")
            after = os.stat(self.path("x.csv"))
            self.assertEqual((after.st_mode & 0o777, after.st_gid), (0o640, os.getegid() + 4))
        os.symlink("x.csv", self.path("link.csv"))
        before = read(self.path("x.csv"))
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "link.csv")
        self.assertFalse(os.path.islink(self.path("link.csv")))  # replaced, not followed
        self.assertEqual(read(self.path("x.csv")), before)
        os.symlink("nowhere.csv", self.path("dangling.csv"))
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "dangling.csv")
        self.assertFalse(os.path.exists(self.path("nowhere.csv")))
        os.symlink("/dev/null", self.path("null"))  # of our own: leads to a device
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "null", "-g", "g.json")
        self.assertTrue(os.path.islink(self.path("null")))
        if os.geteuid() == 0:
            os.chown(self.path("null"), 65534, 65534, follow_symlinks=False)
            self.assertIn("somebody else", self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "null",
                                                         "-g", "g.json", code=FAILED)[1])
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "/dev/null", "-g", "g.json")
        if os.path.exists("/dev/full"):
            self.assertIn("No space", self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "/dev/full",
                                                    "-g", "full.json", code=FAILED)[1])
            self.assertFalse(os.path.exists(self.path("full.json")))

    def test_closed_pipe(self):
        done = subprocess.run(f"{shlex.quote(PROGRAM)} embed --anyway -p trees:40 -e 1 -q - | head -c 10", shell=True, cwd=self.work,
                              input=b">>graph6<<DQc\n" + b"DQc\n" * 3000, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.stderr, b"")


class Files(Base):
    """What may stand beside what: a guarantee record beside data is always the one of these data, and no
    command writes what it reads."""
    EMBED = ("embed", "-p", "edge", "cycle.txt", "-e")

    def epsilon(self, name="out.csv"):
        """Of the record beside a file; None if there is none."""
        path = self.path(name + ".guarantee.json")
        return json.loads(read(path))["epsilon"] if os.path.exists(path) else None

    def test_no_stale_record(self):
        def first(name="out.csv"):
            self.run_tool(*self.EMBED, "0.1", "-o", name)
            self.assertAlmostEqual(self.epsilon(name), 0.1)
        first()
        self.run_tool(*self.EMBED, "5", "-o", "out.csv", "-g", "rec.json")
        self.assertIsNone(self.epsilon())
        self.assertAlmostEqual(json.loads(read(self.path("rec.json")))["epsilon"], 5)
        first()
        self.run_tool(*self.EMBED, "5", "-o", "out.csv", "-g", "out.csv.guarantee.json")
        self.assertAlmostEqual(self.epsilon(), 5)
        for other in ((*self.EMBED, "5", "--json"), (*self.EMBED[:-1], "--exact-not-private", "-g", "rec.json"),
                      ("convert", "cycle.txt", "-f", "edge-list"), ("patterns", "list"), ("patterns", "sample", "trees"),
                      ("patterns", "describe", "edge"), ("info",), ("info", "cycle.txt"), ("calibrate", "-e", "1"),
                      ("preview", "--order", "100", "-e", "1"),
                      ("audit", "edge", "-e", "1", "--runs", "50", "--test-order", "10")):
            first()
            self.run_tool(*other, "-o", "out.csv")
            self.assertIsNone(self.epsilon(), other)
        first("out.svg")
        self.run_tool("preview", "--order", "100", "-e", "1", "--svg", "out.svg")
        self.assertIsNone(self.epsilon("out.svg"))
        first("priv.txt")
        self.run_tool("perturb", "graph", "-e", "3", "cycle.txt", "-o", "priv.txt")
        self.assertEqual(self.epsilon("priv.txt"), 3)
        self.run_tool("convert", "cycle.txt", "priv.txt")
        self.assertIsNone(self.epsilon("priv.txt"))
        # exact values have a record of their own that says so
        first()
        self.run_tool(*self.EMBED[:-1], "--exact-not-private", "-o", "out.csv")
        self.assertEqual(self.epsilon(), "infinity")
        # a folder of files
        self.run_tool("convert", "set.g6", "rings/")
        self.run_tool("perturb", "graph", "-e", "3", "cycle.txt", "-f", "edge-list", "-o", "rings/rings_A.txt")
        self.assertEqual(self.epsilon("rings/rings_A.txt"), 3)
        self.run_tool("convert", "set.g6", "rings/")
        self.assertIsNone(self.epsilon("rings/rings_A.txt"))

    def test_no_stale_record_beside_a_link(self):
        """A link is replaced: the file it led to and that one's record stay as they are."""
        os.mkdir(self.path("far"))
        write(self.path("far/real.csv"), "far")
        write(self.path("far/real.csv.guarantee.json"), '{"epsilon": 7}')
        os.symlink("far/real.csv", self.path("link.csv"))
        write(self.path("link.csv.guarantee.json"), '{"epsilon": 0}')
        self.run_tool(*self.EMBED, "0.1", "-o", "link.csv")
        self.assertFalse(os.path.islink(self.path("link.csv")))
        self.assertEqual((read(self.path("far/real.csv")), self.epsilon("far/real.csv")), ("far", 7))
        self.assertAlmostEqual(self.epsilon("link.csv"), 0.1)
        self.run_tool(*self.EMBED, "5", "-o", "link.csv", "--json")
        self.assertIsNone(self.epsilon("link.csv"))

    def test_record_that_is_a_link(self):
        for more, place in (((), "out.csv.guarantee.json"), (("-g", "out.csv.guarantee.json"), "out.csv.guarantee.json"),
                            (("-g", "far.json"), "far.json")):
            write(self.path("far.json"), "{}")
            if os.path.lexists(self.path("out.csv.guarantee.json")):
                os.unlink(self.path("out.csv.guarantee.json"))
            os.symlink("far.json", self.path("out.csv.guarantee.json"))
            self.run_tool(*self.EMBED, "0.1", "-o", "out.csv", *more)
            self.assertFalse(os.path.islink(self.path("out.csv.guarantee.json")))
            self.assertAlmostEqual(json.loads(read(self.path(place)))["epsilon"], 0.1)
            if place != "far.json":
                self.assertEqual(read(self.path("far.json")), "{}")

    def test_closed_stdout_pays_nothing(self):
        """Neither a closed descriptor, which the ledger would get, nor a pipe that nobody reads."""
        self.run_tool("ledger", "create", "l", "-e", "9", "-d", "1e-6")
        before = read(self.path("l"), "rb")
        pay = [PROGRAM, *self.EMBED, "1", "--ledger", "l", "--object", "x", "--anyway"]
        closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *pay], cwd=self.work, stderr=subprocess.PIPE, check=False)
        self.assertEqual(closed.returncode, FAILED, closed.stderr)
        self.assertIn(b"stdout: is closed", closed.stderr)
        self.assertEqual(read(self.path("l"), "rb"), before)
        reading, writing = os.pipe()
        os.close(reading)
        unread = subprocess.run(pay, cwd=self.work, stdout=writing, stderr=subprocess.PIPE, check=False)
        os.close(writing)
        self.assertEqual(unread.returncode, FAILED, unread.stderr)
        self.assertIn(b"nobody reads", unread.stderr)
        self.assertEqual(read(self.path("l"), "rb"), before)
        # with all three closed as well, and an output of its own
        done = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", *pay, "-o", "out.csv"], cwd=self.work, check=False)
        self.assertEqual(done.returncode, OK)
        self.run_tool("ledger", "verify", "l")

    def test_control_bytes_are_shown(self):
        """Names of files do not move the cursor nor set the title of a terminal."""
        for name in ("a\x1b]0;title\x07b", "a\x9bb", "a\rb", "a\x7fb"):
            err = self.run_tool("info", name, code=MISSING)[1]
            self.assertFalse(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", err), repr(err))
        self.assertIn("a\\x1b]0;title\\x07b", self.run_tool("info", "a\x1b]0;title\x07b", code=MISSING)[1])

    def test_small_files_take_little(self):
        """Two hundred kilobytes that unpack to two hundred megabytes."""
        with gzip.open(self.path("bomb.txt.gz"), "wb") as out:
            out.write(b"# order 3\n")
            for _ in range(200):
                out.write(b"#\n" * 500000)
        self.assertLess(os.path.getsize(self.path("bomb.txt.gz")), 300000)
        self.assertIn("--unpack-limit", self.run_tool("info", "bomb.txt.gz", code=FAILED)[1])
        self.assertIn("than the limit", self.run_tool("info", "-", stdin=read(self.path("bomb.txt.gz"), "rb"),
                                                      code=FAILED)[1])

    def test_ledger_is_one_whatever_its_name(self):
        self.run_tool("ledger", "create", "real", "-e", "1", "-d", "0")
        spend = ("ledger", "spend", "--object", "a", "-e", "0.5")
        self.run_tool(*spend, "real")
        os.symlink("real", self.path("alias"))
        self.run_tool("ledger", "compact", "alias")
        self.assertTrue(os.path.islink(self.path("alias")))
        self.run_tool(*spend, "real")
        for name in ("real", "alias"):
            self.run_tool(*spend, name, code=BUDGET)
        os.link(self.path("real"), self.path("hard"))
        self.assertIn("2 names", self.run_tool("ledger", "compact", "hard", code=FAILED)[1])
        os.unlink(self.path("hard"))
        shutil.copy(self.path("real"), self.path("copy"))
        if os.stat(self.path("copy")).st_ino and "copy" in self.run_tool("ledger", "verify", "copy")[0]:
            self.assertIn("claim", self.run_tool("ledger", "check", "copy", "--object", "b", "-e", "1", code=REFUSED)[1])
        self.run_tool("ledger", "claim", "copy")
        self.run_tool("ledger", "check", "copy", "--object", "b", "-e", "1")
        os.chmod(self.path("copy"), 0o444)
        self.run_tool("ledger", "show", "copy")
        self.run_tool("ledger", "verify", "copy")

    def test_ledger_with_a_witness(self):
        self.run_tool("ledger", "create", "l", "-e", "1", "-d", "0", "--witness", "w")
        spend = ("ledger", "spend", "l", "--object", "a", "-e", "0.25")
        self.run_tool(*spend)
        before = read(self.path("l"), "rb")
        self.run_tool(*spend)
        with open(self.path("l"), "r+b") as out:  # the same file, with what a backup held
            out.write(before)
            out.truncate()
        self.assertIn("older copy", self.run_tool(*spend, code=REFUSED)[1])
        self.assertIn("older copy", self.run_tool("ledger", "claim", "l", code=REFUSED)[1])
        self.run_tool("ledger", "create", "other", "-e", "1", "-d", "0")
        self.run_tool("ledger", "claim", "other", "--witness", "w", code=REFUSED)
        self.run_tool("ledger", "claim", "other", "--witness", "v")
        os.unlink(self.path("v"))
        self.run_tool("ledger", "spend", "other", "--object", "a", "-e", "0.25", code=FAILED)
        self.run_tool("ledger", "show", "other")

    def test_failure_keeps_both(self):
        self.run_tool(*self.EMBED, "0.1", "-o", "out.csv")
        before = read(self.path("out.csv"))
        write(self.path("bad.txt"), "# order 4\n0 9\n")
        self.run_tool("embed", "-p", "edge", "-e", "5", "bad.txt", "-o", "out.csv", code=FAILED)
        self.assertEqual((read(self.path("out.csv")), round(self.epsilon(), 6)), (before, 0.1))
        # a record that cannot be removed is found before anything is paid
        os.unlink(self.path("out.csv.guarantee.json"))
        os.mkdir(self.path("out.csv.guarantee.json"))
        self.run_tool("ledger", "create", "l", "-e", "9", "-d", "1e-6")
        for more in ((), ("--json",), ("-g", "rec.json")):
            self.assertIn("is a folder", self.run_tool(*self.EMBED, "5", "--ledger", "l", "--object", "x", "-o", "out.csv",
                                                       *more, code=FAILED)[1])
        self.assertEqual(read(self.path("out.csv")), before)
        self.assertIn("0 charges", self.run_tool("ledger", "show", "l")[0])

    def test_killed_between_data_and_record(self):
        shim = os.environ.get("PRIVGRAPH_TEST_RENAME")
        if not shim:
            self.skipTest("PRIVGRAPH_TEST_RENAME is not set")
        sanitizer = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"

        def run(**how):
            # a list that spaces separate: the name, and its folder, which may have some, apart
            folders = os.path.dirname(os.path.abspath(shim)) + ":" + os.environ.get("LD_LIBRARY_PATH", "")
            env = dict(os.environ, LD_PRELOAD=os.path.basename(shim), LD_LIBRARY_PATH=folders, ASAN_OPTIONS=sanitizer, **how)
            return subprocess.run([PROGRAM, *self.EMBED, "5", "-o", "out.csv"], cwd=self.work, env=env, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        for number, replaced in ((1, False), (2, True)):
            for how, code in (("KILL_AT_RENAME", -signal.SIGKILL), ("FAIL_AT_RENAME", FAILED)):
                self.run_tool(*self.EMBED, "0.1", "-o", "out.csv")
                before = read(self.path("out.csv"))
                done = run(**{how: str(number)})
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(read(self.path("out.csv")) != before, replaced)
                self.assertIsNone(self.epsilon())
                if code == FAILED:
                    self.assertEqual(b"without a guarantee record: out.csv" in done.stderr, replaced, done.stderr)
                    self.assertEqual(self.leftovers(), ["out.csv"])
                for name in set(self.leftovers()) - {"out.csv"}:  # temporary files of the killed one
                    os.unlink(self.path(name))
        self.assertEqual(run(KILL_AT_RENAME="3").returncode, OK)  # two renames and no more
        self.assertAlmostEqual(self.epsilon(), 5)

    def test_declared_objects(self):
        """A name that is spelt otherwise is an error and no fresh budget, also after compaction."""
        self.run_tool("ledger", "create", "l", "-e", "9", "-d", "1e-6", "--objects", "friends,rings*3")
        for round in range(2):
            self.run_tool("ledger", "spend", "l", "--object", "friends", "-e", "1")
            self.run_tool("embed", "-p", "edge", "-e", "1", "set.g6", "--ledger", "l", "--object", "rings", "-q",
                          "-o", "out.csv", "--anyway")
            for name in ("Friends", "friends 2", "ring", "rings:3"):
                for call in (("ledger", "spend", "l", "--object", name, "-e", "1"),
                             ("stats", "-e", "1", "cycle.txt", "--ledger", "l", "--object", name, "--anyway"),
                             ("embed", "-p", "edge", "-e", "1", "cycle.txt", "--ledger", "l", "--object", name,
                              "--anyway")):
                    said = self.run_tool(*call, code=REFUSED)[1]
                    self.assertIn("made for", said)
                    self.assertIn(name, said)
            self.run_tool("ledger", "check", "l", "--object", "Friends", "-e", "1", code=BUDGET)
            shown = json.loads(self.run_tool("ledger", "show", "l", "--json")[0])
            self.assertEqual(shown["declared"], ["friends", "rings*3"])
            self.assertEqual(shown["charges"], 2 * (round + 1))
            self.assertIn("made for friends\nmade for rings*3\n", self.run_tool("ledger", "show", "l")[0])
            self.run_tool("ledger", "compact", "l")
        for wrong in ("", ",", "a*0"):
            said = self.run_tool("ledger", "create", "other", "-e", "1", "--objects", wrong, code=USAGE)[1]
            self.assertIn("--objects", said)
            self.assertFalse(os.path.exists(self.path("other")))

    def test_ledger_in_use(self):
        """Another program has it: an error at once, or after --wait."""
        self.run_tool("ledger", "create", "l", "-e", "9", "-d", "1e-6")
        pay = (*self.EMBED, "1", "--ledger", "l", "--object", "x")
        held = "import fcntl, sys, time; f = open('l', 'rb'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); " \
               "time.sleep(float(sys.argv[1]))"
        for seconds, wait, code in (("60", (), BUSY), ("60", ("--wait", "0.2"), BUSY), ("0.3", ("--wait", "30"), OK)):
            with subprocess.Popen([sys.executable, "-c", held, seconds], cwd=self.work, stdout=subprocess.PIPE) as other:
                other.stdout.readline()
                err = self.run_tool(*pay, *wait, code=code)[1]
                other.kill()
            self.assertEqual("in use" in err, code == BUSY)

    def test_ledger_is_not_an_output(self):
        self.run_tool("ledger", "create", "l", "-e", "9", "-d", "1e-6")
        os.symlink("l", self.path("link"))
        os.mkdir(self.path("sub"))
        pay = (*self.EMBED, "1", "--ledger", "l", "--object", "x")
        for name in ("l", "./l", "sub/../l", "link", self.path("l")):
            self.unchanged(*pay, "-o", name)
            self.unchanged(*pay, "-g", name)
            self.unchanged(*pay, "-o", "out.csv", "-g", name)
            self.unchanged(*pay, "--json", "-o", name)
            self.unchanged("ledger", "show", "l", "-o", name)
            self.unchanged("ledger", "check", "l", "--object", "x", "-e", "1", "-o", name)
        self.unchanged("perturb", "graph", "-e", "1", "cycle.txt", "--ledger", "link", "--object", "x", "-o", "l",
                       "-f", "edge-list")
        # the name of the record that would be removed
        self.run_tool("ledger", "create", "out.csv.guarantee.json", "-e", "9", "-d", "1e-6")
        for more in (("-o", "out.csv"), ("-o", "out.csv", "--json"), ("-o", "out.csv", "-g", "rec.json")):
            self.unchanged(*self.EMBED, "1", "--ledger", "out.csv.guarantee.json", "--object", "x", *more)
        # stdout that is appended to the ledger
        with open(self.path("l"), "ab") as out:
            before = read(self.path("l"), "rb")
            done = subprocess.run([PROGRAM, *pay], cwd=self.work, stdout=out, stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, USAGE)
            self.assertEqual(read(self.path("l"), "rb"), before)

    def test_two_outputs_are_two_files(self):
        os.mkdir(self.path("sub"))
        write(self.path("there.csv"), "old\n")
        os.symlink("there.csv", self.path("link.csv"))
        for one, two in (("x.csv", "x.csv"), ("x.csv", "./x.csv"), ("x.csv", "sub/../x.csv"), ("x.csv", self.path("x.csv")),
                         ("there.csv", "link.csv"), ("link.csv", "there.csv"), ("-", "-")):
            self.unchanged(*self.EMBED, "1", "-o", one, "-g", two, part="two things would be written")
        self.unchanged(*self.EMBED, "1", "-g", "-", part="two things would be written")
        self.run_tool("preview", "--order", "100", "-e", "1", "--svg", "x.svg", "-o", "x.svg", code=USAGE)
        with open(self.path("x.csv"), "wb") as out:  # stdout is the file of the record
            done = subprocess.run([PROGRAM, *self.EMBED, "1", "-g", "x.csv"], cwd=self.work, stdout=out,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, USAGE)
        self.run_tool(*self.EMBED, "1", "-o", "-", "-g", "rec.json")
        self.assertEqual(json.loads(self.run_tool(*self.EMBED, "1", "-o", "y.csv", "-g", "-")[0])["private"], True)

    def test_input_is_not_an_output(self):
        for arguments in ((*self.EMBED, "1", "-o", "cycle.txt"), (*self.EMBED, "1", "-g", "cycle.txt"),
                          ("perturb", "graph", "-e", "1", "cycle.txt", "-o", "cycle.txt"),
                          ("perturb", "graph", "-e", "1", "set.g6", "-o", "set.g6"),
                          ("convert", "cycle.txt", "cycle.txt"), ("convert", "cycle.txt", "-o", "./cycle.txt"),
                          ("info", "cycle.txt", "-o", "cycle.txt")):
            self.unchanged(*arguments)
        self.run_tool("patterns", "sample", "trees", "-n", "3", "-o", "t.g6")
        self.unchanged("embed", "-p", "@t.g6", "-e", "1", "cycle.txt", "-o", "t.g6")
        os.mkdir(self.path("people"))
        shutil.copy(self.path("cycle.txt"), self.path("people/edges.txt"))
        write(self.path("people/features.txt"), "0 3\n1\n\n0 1 2 3\n2\n1\n")
        write(self.path("people/labels.txt"), "0\n1\n2\n-1\n1\n0\n")
        self.unchanged("perturb", "features", "people", "--columns", "4", "-e", "1", "-o", "people/features.txt")
        self.unchanged("perturb", "labels", "people", "--classes", "3", "-e", "1", "-o", "people/labels.txt")
        self.unchanged("propagate", "people", "-e", "1", "-o", "people/edges.txt")
        self.run_tool("convert", "set.g6", "rings/")
        self.unchanged("convert", "rings/", "rings/")
        self.run_tool("convert", "rings/", "rings/", "--output-name", "again")
        with open(self.path("cycle.txt"), "rb") as data:
            done = subprocess.run([PROGRAM, "convert", "-", "cycle.txt"], cwd=self.work, stdin=data,
                                  stderr=subprocess.PIPE, check=False)
            self.assertEqual(done.returncode, USAGE)

    def test_quiet_does_not_hide_the_only_guarantee(self):
        for arguments in ((*self.EMBED, "1"), ("perturb", "graph", "-e", "1", "cycle.txt"),
                          ("perturb", "graph", "-e", "1", "set.g6"), (*self.EMBED, "1", "-o", "/dev/null")):
            self.assertIn("factor e^", self.run_tool(*arguments, "-q")[1], arguments)
            for more in (("--json",), ("-g", "rec.json")):
                self.assertEqual(self.run_tool(*arguments, "-q", *more)[1], "")
        self.assertFalse(os.path.exists("/dev/null.guarantee.json"))
        self.assertIn("each of 3 graphs on its own", self.run_tool("perturb", "graph", "-e", "1", "set.g6", "-q")[1])
        self.assertEqual(self.run_tool(*self.EMBED, "1", "-q", "-o", "out.csv")[1], "")
        self.assertIn("Not private", self.run_tool(*self.EMBED, "1", "-q", "--seed-not-private", "1", "-o", "out.csv")[1])
        self.assertIn("NOT private", self.run_tool(*self.EMBED[:-1], "-q", "--exact-not-private", "-o", "out.csv")[1])

    def test_verify(self):
        self.run_tool(*self.EMBED, "1", "-o", "out.csv")
        self.assertIn("belong together", self.run_tool("verify", "out.csv")[0])
        self.assertTrue(json.loads(self.run_tool("verify", "out.csv", "--json")[0])["private"])
        record = read(self.path("out.csv.guarantee.json"))
        self.assertNotIn('"paid"', record)
        text = read(self.path("out.csv"))
        at = re.search(r"\d", text[text.index("\n"):]).start() + text.index("\n")  # of the first number
        write(self.path("out.csv"), text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:])
        self.run_tool("verify", "out.csv", code=REFUSED)
        write(self.path("out.csv"), text)
        write(self.path("other.json"), record.replace('"private": true', '"private": false'))
        self.run_tool("verify", "out.csv", "-g", "other.json", code=FAILED)
        self.run_tool("perturb", "graph", "-e", "1", "set.g6", "-o", "p.g6")
        self.assertIn("each of 3 graphs", self.run_tool("verify", "p.g6")[0])
        # deviations stand beside released numbers; triangles are released last
        self.run_tool("stats", "-e", "1", "-l", "triangles,edges,leaves", "cycle.txt", "-o", "n.csv")
        self.assertTrue(read(self.path("n.csv")).startswith("edges,leaves,triangles,triangles-common,edges_sd,leaves_sd\n"))
        self.assertIn("2 columns beside them are the deviations", self.run_tool("verify", "n.csv")[0])
        names, numbers = read(self.path("n.csv")).splitlines()
        record = read(self.path("n.csv.guarantee.json"))
        row = numbers.split(",")
        for i in (4, 5):  # a deviation that was edited, a little or much, up or down
            for factor in (0.5, 0.999999, 1.000001, 2):
                edited = row[:i] + [repr(float(row[i]) * factor)] + row[i + 1:]
                write(self.path("e.csv"), names + "\n" + ",".join(edited) + "\n")
                write(self.path("e.csv.guarantee.json"), record)
                self.assertIn("not the deviation", self.run_tool("verify", "e.csv", code=REFUSED)[1])
                # without names they are what 'stats' writes
                write(self.path("e.csv"), ",".join(edited) + "\n")
                self.run_tool("verify", "e.csv", code=REFUSED)
        write(self.path("e.csv"), numbers + "\n")
        self.run_tool("verify", "e.csv")
        # of triangles none is told; of something that was not released neither; other columns are counted
        for name in ("triangles_sd", "nodes_sd"):
            write(self.path("e.csv"), names + "," + name + "\n" + numbers + ",1\n")
            self.run_tool("verify", "e.csv", code=REFUSED)
        write(self.path("e.csv"), names + ",note\n" + numbers + ",7\n")
        self.assertIn("1 columns are not part", self.run_tool("verify", "e.csv")[0])
        told = json.loads(self.run_tool("verify", "e.csv", "--json")[0])
        self.assertEqual((told["deviations"], told["columns_beside"]), (2, 1))
        # error bars stand beside the numbers, of one row and of many
        self.run_tool("stats", "-e", "1", "-l", "edges,triangles", "cycle.txt", "--interval", "95", "-o", "i.csv")
        names, numbers = (line.split(",") for line in read(self.path("i.csv")).splitlines())
        self.assertEqual(names, ["edges", "triangles", "triangles-common", "edges_sd", "edges_low", "edges_high",
                                 "triangles_low", "triangles_high", "triangles-common_low", "triangles-common_high"])
        row = dict(zip(names, map(float, numbers)))
        self.assertTrue(row["edges_high"] - row["edges_low"] > 4 and row["triangles_low"] >= 0)
        self.assertIn("6 columns are not part", self.run_tool("verify", "i.csv")[0])
        self.run_tool("embed", "-p", "edge", "-e", "1", "set.g6", "--interval", "90", "-o", "s.csv")
        self.assertTrue(read(self.path("s.csv")).startswith("edge,edge_low,edge_high\n"))
        self.assertIn("2 columns are not part", self.run_tool("verify", "s.csv")[0])
        for wrong in ("0.95e3", "100", "-5", "x"):
            self.run_tool("stats", "-e", "1", "cycle.txt", "--interval", wrong, code=USAGE)
        # the page shows the deviation of the discrete law, not that of the continuous one
        self.run_tool("stats", "-e", "1", "-l", "edges,components", "cycle.txt", "-o", "m.csv")
        deviation = float(read(self.path("m.csv")).splitlines()[1].split(",")[2])
        self.assertAlmostEqual(deviation, 2.7991777682, places=6)
        self.run_tool("report", "m.csv", "-o", "m.html")
        page = read(self.path("m.html"))
        self.assertIn(">2.799<", page)
        self.assertNotIn("2.828", page)

    def people(self):
        os.mkdir(self.path("people"))
        shutil.copy(self.path("cycle.txt"), self.path("people/edges.txt"))
        write(self.path("people/features.txt"), "0 3\n1\n\n0 1 2 3\n2\n1\n")
        write(self.path("people/labels.txt"), "0\n1\n1\n-1\n1\n0\n")

    def damage(self, path):
        with open(self.path(path), "r+b") as file:
            data = file.read()
            file.seek(len(data) // 2)
            file.write(bytes([data[len(data) // 2] ^ 1]))

    def check_page(self, page):
        """Well formed, and nothing from elsewhere; returns its text."""
        class Reader(html.parser.HTMLParser):
            VOID = {"meta", "br", "img", "link", "input", "hr"}

            def __init__(self):
                super().__init__()
                self.open, self.text, self.bad = [], "", []

            def handle_starttag(self, tag, attrs):
                if tag in ("script", "iframe", "link", "img", "object") or any(
                        name.startswith("on") or name in ("src", "href", "xlink:href") for name, _ in attrs):
                    self.bad.append((tag, attrs))
                if tag not in self.VOID:
                    self.open.append(tag)

            def handle_startendtag(self, tag, attrs):
                pass

            def handle_endtag(self, tag):
                if not self.open or self.open.pop() != tag:
                    self.bad.append(tag)

            def handle_data(self, data):
                self.text += data
        reader = Reader()
        reader.feed(page)
        reader.close()
        self.assertEqual((reader.open, reader.bad), ([], []))
        self.assertNotRegex(page, r"url\(|@import|https?:")
        for picture in re.findall(r"<svg.*?</svg>", page, flags=re.S):
            xml.etree.ElementTree.fromstring(picture.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '))
        return reader.text

    def test_report(self):
        """A page of every kind of release, verified first; hostile names stay text."""
        self.groups("people")
        hostile = '</title><script>alert("1")</script> \'&\x01\xff'
        kinds = [("embed", "-p", "edge,triangle", "-e", "1", "set.g6"), ("embed", "-p", "edge", "-e", "1", "cycle.txt"),
                 ("stats", "-e", "1", "cycle.txt"), ("stats", "-e", "1", "--degrees", "2,2", "set.g6"),
                 ("propagate", "people", "-e", "4"), ("perturb", "graph", "-e", "2", "cycle.txt", "-f", "edge-list"),
                 ("perturb", "graph", "-e", "2", "--method", "subset", "cycle.txt", "-f", "edge-list"),
                 ("perturb", "graph", "-e", "2", "set.g6", "-f", "graph6"),
                 ("perturb", "features", "people", "--columns", "8", "-e", "2"),
                 ("perturb", "labels", "people", "--classes", "3", "-e", "2")]
        for call in kinds:
            data = {"graph6": "out.g6", "edge-list": "out.txt"}.get(call[-1], "out.csv")
            self.run_tool(*call, "-o", data, "--release", "out.pvg", "-q")
            for name in (data, "out.pvg"):
                self.run_tool("report", name, "-o", "page.html", "--title", hostile)
                page = read(self.path("page.html"))
                text = self.check_page(page)
                self.assertIn("Private: epsilon " + call[call.index("-e") + 1], text)
                self.assertIn("<svg", page)
                self.assertIn("What the best attack can reach", text)
                self.assertIn("signature", text)
                self.assertIn('<script>alert("1")</script>', text)
                who = {"features": "The features of one person", "labels": "The label of one person"}.get(
                    call[1], "Who is linked with whom" if "subset" in call and "switch" in text.lower() else "One link")
                self.assertRegex(text, who + r"[^.]* hidden, not [^.]*: k \w+ together get k times epsilon, 10 of them")
        for name in ("--release out.pvg synthesize people -e 3 -o made.txt -f edge-list",
                     "--release out.pvg classify people -e 1 -o made.txt"):
            first, second, *rest = name.split()
            self.run_tool(*rest, first, second, "-q")
            self.run_tool("report", "made.txt", code=REFUSED)
            self.check_page(self.run_tool("report", "made.txt", "--from", "out.pvg")[0])
        # models: one notion, three of them, weights that saw nothing private
        self.run_tool("learn", "nodes", "people", "-e", "4", "--columns", "8", "--classes", "3", "--method", "gap",
                      "--promise-max-degree", "12", "--steps", "5", "--model", "nodes.pvgm", "-q", "-o", "n.json")
        self.run_tool("learn", "users", "people", "--classes", "3", "--columns", "8", "--label-epsilon", "3", "--list-epsilon",
                      "8", "--feature-epsilon", "2", "--model", "users.pvgm", "-q", "-o", "u.csv")
        for name, marks, ends in (("nodes.pvgm", ["4"], 1), ("users.pvgm", ["8", "2", "3"], 3)):
            text = self.check_page(self.run_tool("report", name, "--title", hostile)[0])
            self.assertEqual(re.findall(r"Private: epsilon (\d+)", text), marks)
            self.assertEqual(text.count("What the best attack can reach"), ends)
            self.assertEqual("side by side" in text, ends > 1)
            self.assertIn('<script>alert("1")</script>', text)
            for word in ("signature", "Which model this is", "weights", "A trained network"):
                self.assertIn(word, text)
        self.run_tool("report", "nodes.pvgm", "-g", "n.json", code=USAGE)
        whole = read(self.path("nodes.pvgm"), "rb")
        with open(self.path("torn.pvgm"), "wb") as file:
            file.write(whole[:-9])
        self.run_tool("report", "torn.pvgm", "-o", "torn.html", code=FAILED)
        self.assertFalse(os.path.exists(self.path("torn.html")))
        # the ceiling is that of the audit, at e^1 one in a thousand becomes 2.7
        self.run_tool("embed", "-p", "edge", "-e", "1", "--noise", "laplace", "cycle.txt", "-o", "n.csv", "-q",
                      "--seed-not-private", "1")
        text = self.check_page(self.run_tool("report", "n.csv")[0])
        self.assertIn("NOT private", text)
        self.assertNotIn("best attack", text)
        self.run_tool("ledger", "create", "l", "-e", "3", "-d", "1e-6")
        self.run_tool("stats", "-e", "1", "cycle.txt", "-o", "n.csv", "-q", "--ledger", "l", "--object", "<b>us</b>")
        for more in ((), ("--object", "<b>us</b>")):
            text = self.check_page(self.run_tool("report", "n.csv", "--ledger", "l", *more)[0])
            self.assertIn("<b>us</b>", text)
            self.assertRegex(text, r"1 of 3")
            self.assertIn("2.7 in 1000", text)
            self.assertIn("One link is hidden, not one person: k links together get k times epsilon, 10 of them "
                          "epsilon 10 (a factor of 2.2e+04), so a person with as many links is hidden no better", text)
        for epsilon, said in (("0.1", "epsilon 1, delta 1.63e-05"), ("3", "nothing that could be promised")):
            self.run_tool("embed", "-p", "edge", "-e", epsilon, "--anyway", "cycle.txt", "-o", "g.csv", "-q")
            self.assertIn(said, self.check_page(self.run_tool("report", "g.csv")[0]))
        head, row, *rest = read(self.path("n.csv")).split("\n")
        edges, others = row.split(",", 1)
        write(self.path("n.csv"), "\n".join([head, f"{int(edges) + 1},{others}", *rest]))
        self.assertIn("not the values", self.run_tool("report", "n.csv", "-o", "no.html", code=REFUSED)[1])
        self.assertFalse(os.path.exists(self.path("no.html")))

    def test_the_picture_of_a_report(self):
        """Error bars are those of the release, numbers have all digits that noise leaves, no name is cut."""
        write(self.path("large.txt"), "# order 3000\n" + "".join(f"{i} {j}\n" for i in range(3000) for j in range(i)
                                                               if (i * i + j * 7919) % 11 == 0))
        self.run_tool("stats", "-e", "1", "-l", "edges,largest-degree", "--interval", "95", "large.txt", "-o", "bars.csv", "-q")
        head, row = (line.split(",") for line in read(self.path("bars.csv")).split("\n")[:2])
        values = dict(zip(head, row))
        page = self.run_tool("report", "bars.csv")[0]
        for name in ("edges", "largest-degree"):
            told = "{} ({} to {})".format(*(f"{float(values[name + end]):.0f}" for end in ("", "_low", "_high")))
            self.assertIn(f">{told}</text>", page)
        texts = re.findall(r'<text x="([\d.]+)" y="[\d.]+"( text-anchor="end")?[^>]*>([^<]*)</text>', page)
        wide = int(re.search(r'viewBox="0 0 (\d+)', page).group(1))
        self.assertEqual(len(texts), 4)
        for x, ends, words in texts:
            self.assertLess(len(words) * 7, float(x) if ends else wide - float(x))

    def test_every_draw_is_written_as_one_file(self):
        self.people()
        kinds = {"embed": (*self.EMBED, "1"),
                 "embed a set": ("embed", "-p", "edge", "-e", "1", "set.g6"),
                 "graph": ("perturb", "graph", "-e", "1", "cycle.txt"),
                 "graphs": ("perturb", "graph", "-e", "1", "set.g6"),
                 "lists": ("perturb", "graph", "-e", "1", "--method", "subset", "cycle.txt"),
                 "features": ("perturb", "features", "people", "--columns", "4", "-e", "1"),
                 "labels": ("perturb", "labels", "people", "--classes", "3", "-e", "1"),
                 "propagate": ("propagate", "people", "-e", "1"),
                 "stats": ("stats", "-e", "1", "cycle.txt"),
                 "synthesize": ("synthesize", "-e", "1", "cycle.txt"),
                 "classify": ("classify", "people", "-e", "1", "--held-out", "0")}
        for kind, call in kinds.items():
            with self.subTest(kind):
                data = "out.g6" if kind == "graphs" else "out.txt" if kind in ("graph", "synthesize", "lists", "labels") else "out.csv"
                made = kind in ("synthesize", "classify")
                self.run_tool(*call, "-o", data, "--release", "out.release")
                record = json.loads(read(self.path(data + ".guarantee.json")))
                self.assertIn("belong together", self.run_tool("verify", "out.release")[0])
                if made:
                    self.assertIn("not in it", self.run_tool("verify", data, code=REFUSED)[1])
                    self.assertIn("is not checked", self.run_tool("verify", data, "--from", "out.release")[0])
                    self.assertTrue(json.loads(self.run_tool("verify", data, "--from", "out.release", "--json")[0])["made_from_release"])
                    self.run_tool(*call, "-o", "other.txt", "--release", "other.release")
                    self.run_tool("verify", data, "--from", "other.release", code=REFUSED)
                else:
                    told = json.loads(self.run_tool("verify", data, "--json")[0])
                    self.assertTrue(told["belongs"] and told["private"] and not told["made_from_release"])
                    text = read(self.path(data))
                    if kind not in ("graph", "graphs", "lists"):
                        start = 0 if kind == "labels" else text.index("\n")
                        at = start + re.search(r"\d", text[start:]).start()
                        write(self.path(data), text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:])
                    else:
                        lines = text.splitlines(keepends=True)
                        write(self.path(data), "".join(lines[:-1]) + (lines[0] if kind == "graphs" else ""))
                        if kind == "graphs" and lines[0] == lines[-1]:
                            continue
                        if len(lines) == 1:
                            continue
                    self.run_tool("verify", data, code=REFUSED)
                self.assertIn("coordinates" if kind not in ("graph", "graphs", "lists") else "curve", record)
                self.damage("out.release")
                self.run_tool("verify", "out.release", code=FAILED)

    def test_release_files_are_files_of_their_own(self):
        self.unchanged(*self.EMBED, "1", "-o", "x.csv", "--release", "x.csv", part="two things would be written")
        self.unchanged(*self.EMBED, "1", "-o", "x.csv", "--release", "x.csv.guarantee.json", part="two things")
        self.unchanged(*self.EMBED, "1", "--release", "cycle.txt")
        self.unchanged(*self.EMBED, "1", "-o", "x.csv", "--release", "-", part="plain file")
        self.unchanged(*self.EMBED, "1", "-o", "x.csv", "--release", "x.gz", part="plain file")
        self.unchanged(*self.EMBED[:-1], "--exact-not-private", "-o", "x.csv", "--release", "r", part="exact")
        self.run_tool(*self.EMBED, "1", "-o", "x.csv", "--release", "r.release")
        self.run_tool("verify", "r.release", "--from", "r.release", code=USAGE)
        # paid once, and nothing is paid where a place cannot be written
        self.run_tool("ledger", "create", "b.ledger", "--epsilon", "2", "--delta", "1e-5")
        self.run_tool(*self.EMBED, "1", "--ledger", "b.ledger", "--object", "c", "--release", "no/such/place", code=MISSING)
        self.assertNotIn("c", json.loads(self.run_tool("ledger", "show", "b.ledger", "--json")[0]).get("objects", []))

    def test_record_of_a_set(self):
        for method in ("response", "dprr", "lapgraph", "blink"):
            call = ("perturb", "graph", "-e", "2", "--method", method)
            self.run_tool(*call, "set.g6", "-o", "p.g6")
            for record in (json.loads(read(self.path("p.g6.guarantee.json"))),
                           json.loads(self.run_tool(*call, "set.g6", "--json")[0])["guarantee"]):
                self.assertEqual(record["objects"], 3)
                self.assertIn("each graph is a private object of its own", record["composition"])
                self.assertTrue(record["private"])
            record = json.loads(self.run_tool(*call, "cycle.txt", "--json")[0])["guarantee"]
            self.assertNotIn("graphs", record)
            self.assertIn("about one private object", record["composition"])


class Terminal(Base):
    def slow(self):
        """A graph and patterns that take minutes."""
        import random
        draw = random.Random(1)
        with open(self.path("dense.txt"), "w", encoding="utf-8") as out:
            out.write("# order 1200\n")
            for u in range(1200):
                out.writelines(f"{v} {u}\n" for v in range(u) if draw.random() < 0.3)
        return [PROGRAM, "embed", "-p", "treewidth4:40", "-e", "1", "dense.txt", "-o", "x.csv"]

    def wait_for_output(self):
        for _ in range(300):
            if glob.glob(self.path("x.csv*")):
                return
            time.sleep(0.1)
        self.fail("no temporary file after 30 seconds")

    def test_interrupt(self):
        """Ctrl-C ends a long command soon, by the signal, and leaves nothing."""
        command = self.slow()
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(command, cwd=self.work, stderr=subprocess.PIPE)
            self.wait_for_output()
            time.sleep(0.2)
            process.send_signal(number)
            err = process.communicate(timeout=30)[1].decode()
            self.assertEqual(process.returncode, -number)
            self.assertIn("cancelled", err)
            self.assertEqual(self.leftovers(), ["dense.txt"])

    def on_terminal(self, command, env, until, seconds=20):
        """Runs on a pseudo terminal until the text appears; returns all that was written."""
        pid, file = pty.fork()
        if pid == 0:
            os.chdir(self.work)
            os.execve(command[0], command, dict(os.environ, TERM="xterm", **env))
        text, end = b"", time.time() + seconds
        while until not in text and time.time() < end:
            if select.select([file], [], [], 0.2)[0]:
                try:
                    text += os.read(file, 4096)
                except OSError:
                    break
        os.write(file, b"\x03")  # Ctrl-C
        while time.time() < end:
            try:
                data = os.read(file, 4096)
            except OSError:
                break
            if not data:
                break
            text += data
        status = os.waitpid(pid, 0)[1]
        os.close(file)
        return text.decode(), status

    def test_colour_and_ctrl_c(self):
        command = [PROGRAM, "embed", "--nonsense"]
        self.assertIn("\033[1;31m", self.on_terminal(command, {"NO_COLOR": ""}, b"--help")[0])
        self.assertNotIn("\033[", self.on_terminal(command, {"NO_COLOR": "1"}, b"--help")[0])
        self.assertNotIn("\033", self.run_tool("embed", "--nonsense", code=USAGE)[1])

    def test_npy_is_not_for_a_terminal(self):
        """And it is said before a ledger is charged."""
        self.run_tool("ledger", "create", "l", "-e", "1", "-d", "1e-6")
        before = read(self.path("l"), "rb")
        command = [PROGRAM, "embed", "-p", "edge", "-e", "1", "cycle.txt", "-f", "npy", "--ledger", "l", "--object", "x"]
        text, status = self.on_terminal(command, {}, b"--help")
        self.assertIn("NPY is not for a terminal", text)
        self.assertEqual(os.WEXITSTATUS(status), USAGE)
        self.assertEqual(before, read(self.path("l"), "rb"))

    def test_progress(self):
        """A bar with rate and time left, on a terminal only."""
        command = [PROGRAM, "audit", "edge", "-e", "1", "--runs", "10000000"]
        text, status = self.on_terminal(command, {}, b"ETA")
        self.assertRegex(text, r"auditing \[#*\.*\] +\d+%  [\d.]+[kM]? releases/s  ETA \d+:\d\d")
        self.assertTrue(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, status)


class Release(Base):
    """Commands that come from the library's table of kinds."""
    NEEDED = {"embed": ["-p", "edge,triangle", "--max-degree", "3"], "message-passing": ["--columns", "4", "--open", "features"],
              "scalars": ["--list", "edges,leaves"], "capped-edges": ["--cap", "2"],
              "node-scalars": ["--list", "matching,rank1"], "group-ratio": ["--ratio", "transitivity", "--parts", "2"], "features": ["--columns", "4"],
              "labels": ["--classes", "3"], "graphprivatizer": ["--open", "features"], "list-top": ["--top", "2"]}

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("people"))
        shutil.copy(self.path("cycle.txt"), self.path("people/edges.txt"))
        write(self.path("people/features.txt"), "0 3\n1\n\n0 1 2 3\n2\n1\n")
        write(self.path("people/labels.txt"), "0\n1\n2\n-1\n1\n0\n")

    def kinds(self):
        dumped = json.loads(self.run_tool("--dump-options")[0])
        found = [one["name"].split()[1] for one in dumped["commands"] if one["name"].startswith("release ")]
        self.assertGreaterEqual(len(found), 19)
        return found

    def test_pages_name_every_kind(self):
        guide = read(os.path.join(SOURCE, "docs/guide/queries.md"))
        page = read(os.path.join(PAGES, "privgraph-queries.7"))
        for kind in self.kinds():
            self.assertIn(f"`{kind}`", guide)
            self.assertIn(".SH " + kind.upper().replace("-", "\\-"), page)

    def test_every_kind(self):
        write(self.path("entries.csv"), "0,1\n1,2\n0,3\n2,2\n4,0\n5,2\n")
        reads = {one["kind"]: one["reads"] for one in json.loads(self.run_tool("--dump-kinds")[0])["kinds"]}
        for kind in self.kinds():
            more = self.NEEDED.get(kind, [])
            if reads[kind] == ["labels", "lists"]:
                continue  # hidden groups of persons have no file format: it is asked of a binding
            if reads[kind] == ["lists"]:
                more = [*more, "--persons", "6", "--things", "4"]
            where = "entries.csv" if reads[kind] == ["lists"] else "people" if kind in ("features", "labels", "message-passing", "graphprivatizer") else "cycle.txt"
            arguments = ("release", kind, *more, "-e", "8", where, "--anyway", "--order", "6")
            out, err = self.run_tool(*arguments)
            self.assertTrue(out, kind)
            self.assertIn("Not private" if kind == "graphprivatizer" else "Claim ", err, kind)
            document = json.loads(self.run_tool(*arguments, "--json")[0])
            self.assertTrue(document["guarantee"]["query"].startswith(kind + " ") or
                            document["guarantee"]["query"] == kind, document["guarantee"])
            seeded = (*arguments, "--seed-not-private", "7")
            self.assertEqual(self.run_tool(*seeded)[0], self.run_tool(*seeded, "-t", "2")[0], kind)

    def test_lists(self):
        names = ["apple", "pear", "plum", "fig"]
        write(self.path("catalogue.txt"), "".join(n + "\n" for n in names))
        rows = [f"p{i},{names[0 if i % 2 else i % 4]}\n" for i in range(40)] + ["p3,apple\n", "p3,fig\n"]  # one stands twice
        write(self.path("shop.csv"), "who,what\n" + "".join(rows))
        given = ("shop.csv", "--header", "--persons", "40", "--catalogue", "catalogue.txt", "-e", "200")
        out, err = self.run_tool("lists", "top", "--top", "2", "--json", *given)
        self.assertIn("Claim release.list-top", err)
        top = json.loads(out)
        self.assertEqual(top["guarantee"]["notion"], "person-DP")
        counts = [len({r.split(",")[0] for r in rows if r.strip().endswith("," + n)}) for n in names]
        found = [[int(value) for value in row] for row in top["values"]]
        self.assertEqual(found, [[t, counts[t]] for t in sorted(range(4), key=lambda t: -counts[t])[:2]])
        for command in ("lengths", "rows", "pairs"):
            self.assertIn("Claim release.list-" + command, self.run_tool("lists", command, *given)[1])
        refused = ((("--things", "4"), "--persons N"), (("--persons", "40"), "--catalogue FILE"))
        for more, word in refused:  # what is not declared is not taken from the file
            self.assertIn(word, self.run_tool("lists", "top", "shop.csv", "--header", "-e", "1", *more, code=5)[1])
        write(self.path("other.csv"), "p1,cherry\n")
        other = ("lists", "top", "other.csv", "--top", "1", "--persons", "2", "--catalogue", "catalogue.txt", "-e", "1")
        self.assertIn(":1: the thing 'cherry'", self.run_tool(*other, code=FAILED)[1])
        self.assertTrue(self.run_tool(*other, "--drop-unknown")[0])

    def test_same_as_the_older_commands(self):
        seed = ("--seed-not-private", "3", "--anyway")
        self.assertEqual(self.run_tool("release", "degrees", "--levels", "2", "--ranks", "2", "-e", "1", "cycle.txt", *seed)[0],
                         self.run_tool("stats", "--degrees", "2,2", "-e", "1", "cycle.txt", *seed)[0])
        self.assertEqual(self.run_tool("release", "dprr", "-e", "3", "cycle.txt", *seed)[0],
                         self.run_tool("perturb", "graph", "--method", "dprr", "-e", "3", "cycle.txt", *seed)[0])
        self.assertEqual(self.run_tool("release", "embed", "-p", "edge,path3", "-e", "3", "--max-degree", "3", "cycle.txt", *seed)[0],
                         self.run_tool("embed", "-p", "edge,path3", "-e", "3", "--max-degree", "3", "cycle.txt", *seed)[0])

    def test_a_node_level_ledger_pays(self):
        self.run_tool("ledger", "create", "n.ledger", "--notion", "node", "-e", "3")
        pays = ("--ledger", "n.ledger", "--object", "net", "--anyway")
        self.run_tool("release", "capped-edges", "--cap", "2", "-e", "2", "cycle.txt", *pays)
        _, err = self.run_tool("release", "capped-edges", "--cap", "2", "-e", "2", "cycle.txt", *pays, code=BUDGET)
        self.assertIn("exceeds the budget", err)
        _, err = self.run_tool("release", "stars", "-e", "1", "cycle.txt", *pays, code=2)
        self.assertIn("cannot be charged", err)

    def test_refusals(self):
        for arguments, words in ((("stars", "--leaves", "5", "-e", "1"), "leaves is 5, not 2 or 3"),
                                 (("stars", "-e", "1 + triangles"), "no number"), (("stars", "-e", "1", "--leaves", "2 + triangles"), "blank"), (("stars", "-e", "1", "--cap", "3"), "unknown option"),
                                 (("capped-edges", "-e", "1", "--noise", "gaussian"), "noise of its own"), (("stars",), "epsilon"),
                                 (("scalars", "--list", "edges,x", "-e", "1"), "'x' is none of edges")):
            _, err = self.run_tool("release", *arguments, "cycle.txt", code=2)
            self.assertIn(words, err)
        _, err = self.run_tool("release", "message-passing", "--columns", "4", "-e", "9", "people", "--anyway", code=UNDECLARED)
        self.assertIn("does not hide them", err)

    def test_preview_reads_nothing(self):
        out, _ = self.run_tool("release", "capped-edges", "--cap", "3", "-e", "1", "--preview", "--order", "1000")
        self.assertIn("informative", out)

    def test_sets(self):
        self.run_tool("convert", "cycle.txt", "-f", "graph6", "-o", "one.g6")
        write(self.path("two.g6"), read(self.path("one.g6")) * 2)
        out, _ = self.run_tool("release", "capped-edges", "--cap", "2", "-e", "9", "two.g6", "--anyway")
        self.assertEqual(len(out.splitlines()), 3)


class Perturb(Base):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("people"))
        shutil.copy(self.path("cycle.txt"), self.path("people/edges.txt"))
        write(self.path("people/features.txt"), "0 3\n1\n\n0 1 2 3\n2\n1\n")
        write(self.path("people/labels.txt"), "0\n1\n2\n-1\n1\n0\n")

    def record(self, *arguments):
        return json.loads(self.run_tool(*arguments, "--json")[0])

    def test_graph(self):
        out, err = self.run_tool("perturb", "graph", "-e", "1", "cycle.txt")
        self.assertTrue(out.startswith("# order 6\n"))
        self.assertIn("e^1", err)
        document = self.record("perturb", "graph", "-e", "1", "cycle.txt")
        self.assertEqual((document["order"], document["directed"]), (6, False))
        self.assertTrue(document["guarantee"]["private"])
        self.assertLessEqual(document["guarantee"]["epsilon"], 1)
        self.assertTrue(all(0 <= u < v < 6 for u, v in document["edges"]))
        # hardly any noise: the graph itself; and what is written can be read
        self.run_tool("perturb", "graph", "-e", "40", "cycle.txt", "-o", "p.s6.gz")
        self.assertEqual(self.run_tool("convert", "p.s6.gz", "-f", "edge-list")[0], read(self.path("cycle.txt")))
        self.assertIn("private", json.loads(read(self.path("p.s6.gz.guarantee.json"))))
        seeded = ("perturb", "graph", "-e", "0.5", "cycle.txt", "--seed-not-private", "5")
        one, err = self.run_tool(*seeded)
        self.assertIn("Not private", err)
        self.assertEqual(one, self.run_tool(*seeded, "-t", "2")[0])
        self.assertFalse(self.record(*seeded)["guarantee"]["private"])

    def test_graph_methods(self):
        document = self.record("perturb", "graph", "-e", "2", "--method", "dprr", "cycle.txt")
        self.assertFalse(document["directed"])
        for extra in (("lapgraph",), ("lapgraph", "--count-share", "0.1"), ("blink",), ("blink", "--reports", "published"),
                      ("blink", "--degree-share", "0.2"), ("dprr", "--split", "balanced"), ("dprr", "--reports", "half")):
            document = self.record("perturb", "graph", "-e", "2", "cycle.txt", "--method", *extra)
            self.assertFalse(document["directed"])
            self.assertTrue(document["guarantee"]["private"])
            self.assertLessEqual(document["guarantee"]["epsilon"], 2)
            self.record("perturb", "graph", "-e", "2", "set.g6", "--method", *extra)
        document = self.record("perturb", "graph", "-e", "2", "--method", "dprr", "--reports", "published", "cycle.txt")
        self.assertTrue(document["directed"])
        self.assertIn("directed", self.run_tool("perturb", "graph", "-e", "2", "--method", "dprr", "--reports",
                                                "published", "cycle.txt")[0])
        for extra in (("--method", "subset"), ("--method", "subset", "--lists", "whole"), ("--method", "slots"),
                      ("--method", "slots", "--repeats", "redraw"), ("--method", "slots", "--blocks", "blocks.txt"),
                      ("--method", "slots", "--blocks", "blocks.txt", "--node-epsilon", "0.5")):
            write(self.path("blocks.txt"), "0\n0\n0\n1\n1\n1\n")
            document = self.record("perturb", "graph", "-e", "2", "cycle.txt", *extra)
            self.assertTrue(document["directed"])
            self.assertLessEqual(document["guarantee"]["epsilon"], 2)
            self.assertEqual(document["guarantee"]["notion"], "edge-switch-DP" if "whole" in extra else "edge-set-LDP")
        write(self.path("blocks.txt"), "0\n0\n0\n1\n1\nx\n")
        for text in ("0\n0\n", "0\n0\n0\n0.5\n1\n1\n", "0\n0\n0\n-1\n1\n1\n"):
            write(self.path("blocks.txt"), text)
            self.run_tool("perturb", "graph", "-e", "1", "--method", "slots", "--blocks", "blocks.txt", "cycle.txt",
                          code=FAILED)
        self.run_tool("perturb", "graph", "-e", "1", "--keep", "0.5", "cycle.txt")
        self.run_tool("perturb", "graph", "-e", "1", "--keep", "0.99", "cycle.txt", code=REFUSED)
        self.run_tool("perturb", "graph", "-e", "1", "--edge-limit", "1", "cycle.txt", code=FAILED)
        self.run_tool("perturb", "graph", "-e", "1", "bare.txt", code=UNDECLARED)
        for wrong in (("--keep", "0.5", "--method", "dprr"), ("--split", "balanced"), ("--keep", "x"), ("--count-share", "0.1"),
                      ("--method", "blink", "--reports", "half"), ("--method", "slots", "--edge-limit", "5"),
                      ("--method", "subset", "--repeats", "drop"), ("--method", "slots", "--node-epsilon", "1")):
            self.run_tool("perturb", "graph", "-e", "1", "cycle.txt", *wrong, code=USAGE)
        self.run_tool("perturb", "graph", "cycle.txt", code=USAGE)
        self.run_tool("perturb", "graph", "-e", "1", "cycle.txt", "-o", "x.unknown", code=USAGE)

    def test_set(self):
        out, err = self.run_tool("perturb", "graph", "-e", "40", "set.g6")
        self.assertEqual(out, read(self.path("set.g6")))
        self.assertIn("each of 3 graphs", err)
        document = self.record("perturb", "graph", "-e", "1", "set.g6")
        self.assertEqual([graph["order"] for graph in document["graphs"]], [3, 4, 5])
        self.assertTrue(document["guarantee"]["private"])
        self.run_tool("perturb", "graph", "-e", "2", "--method", "dprr", "set.g6", "-o", "p.s6")
        self.assertEqual(len(read(self.path("p.s6")).split()), 3)
        self.assertFalse(self.record("perturb", "graph", "-e", "1", "set.g6", "--seed-not-private",
                                     "1")["guarantee"]["private"])
        self.run_tool("ledger", "create", "l", "-e", "3", "-d", "0")
        spend = ("perturb", "graph", "-e", "2", "set.g6", "--ledger", "l", "--object", "rings")
        self.run_tool("ledger", "spend", "l", "--object", "rings:1", "-e", "2")
        before = read(self.path("l"), "rb")
        self.run_tool(*spend, "-o", "no.g6", code=BUDGET)  # one cannot pay: none does
        self.run_tool(*spend, "--seed-not-private", "1", code=SEEDED)
        self.assertEqual(before, read(self.path("l"), "rb"))
        self.run_tool(*spend[:-1], "others")
        shown = json.loads(self.run_tool("ledger", "show", "l", "--object", "others:2", "--json")[0])
        self.assertEqual(shown["objects"][0]["spent"], 2)
        for wrong in (("--method", "subset"), ("--method", "dprr", "--reports", "published"), ("-f", "edge-list")):
            self.run_tool("perturb", "graph", "-e", "1", "set.g6", *wrong, code=USAGE)
        write(self.path("one.g6"), "@\n")
        self.run_tool("perturb", "graph", "-e", "1", "--method", "dprr", "one.g6", code=USAGE)
        self.run_tool("perturb", "graph", "-e", "1", "one.g6")

    def test_ledger_notions(self):
        self.run_tool("ledger", "create", "edges", "-e", "3")
        spend = ("perturb", "graph", "-e", "2", "cycle.txt", "--ledger", "edges", "--object", "six")
        self.run_tool(*spend)
        self.run_tool(*spend, "-o", "no.txt", code=BUDGET)
        self.assertFalse(glob.glob(self.path("no.txt*")))
        # an edge ledger does not pay for features
        err = self.run_tool("perturb", "features", "people", "--columns", "4", "-e", "1", "--ledger", "edges",
                            "--object", "six", code=USAGE)[1]
        self.assertIn("cannot be charged for feature-LDP", err)

    def test_features(self):
        out = self.run_tool("perturb", "features", "people", "--columns", "4", "-e", "1")[0]
        lines = out.split("\n")
        self.assertEqual(lines[0], "feature0,feature1,feature2,feature3")
        self.assertEqual(len(lines), 8)
        for extra in (("--method", "one-bit"), ("--method", "noise"), ("--method", "noise", "--noise", "gaussian"),
                      ("--low", "-1", "--high", "1"), ("--sampled", "2")):
            document = self.record("perturb", "features", "people", "--columns", "4", "-e", "1", *extra)
            self.assertTrue(document["guarantee"]["private"], extra)
            self.assertEqual((len(document["values"]), len(document["values"][0])), (6, 4))
        self.run_tool("perturb", "features", "people", "--columns", "4", "-e", "1", "-f", "npy", "-o", "f.npy")
        self.assertEqual(len(read_npy(read(self.path("f.npy"), "rb"))), 6)
        for wrong in (("-e", "1"), ("--columns", "4"), ("--columns", "4", "-e", "1", "--low", "2"),
                      ("--columns", "4", "-e", "1", "-d", "0.1"), ("--columns", "4", "-e", "1", "--noise", "gaussian")):
            self.run_tool("perturb", "features", "people", *wrong, code=USAGE)
        os.unlink(self.path("people/features.txt"))
        self.run_tool("perturb", "features", "people", "--columns", "4", "-e", "1", code=FAILED)

    def test_labels(self):
        out = self.run_tool("perturb", "labels", "people", "--classes", "3", "-e", "1")[0].split()
        self.assertEqual((len(out), out[3]), (6, "-1"))
        document = self.record("perturb", "labels", "people", "--classes", "3", "-e", "40")
        self.assertEqual(document["labels"], [0, 1, 2, -1, 1, 0])
        self.assertAlmostEqual(document["estimated_class_sizes"][0], 2, places=6)
        self.run_tool("perturb", "labels", "people", "-e", "1", code=USAGE)

    def test_learn(self):
        # another name of classify, and the released graph
        document = self.record("learn", "edges", "people", "-e", "2", "--averages", "1")
        self.assertEqual(document["guarantee"]["claim"], "release.histogram")
        document = self.record("learn", "edges", "people", "-e", "2", "--method", "response", "--averages", "1", "--release", "g.pvgr")
        self.assertEqual(document["guarantee"]["claim"], "perturb.response")
        self.run_tool("verify", "g.pvgr")
        self.groups("test")
        talk = self.run_tool("learn", "edges", "test", "-e", "2", "--averages", "1", "--rows-not-private")[1]
        self.assertRegex(talk, r"right on \d+ labelled nodes that were held out")
        self.assertIn("NOT private", talk)
        self.run_tool("learn", "edges", "people", "-e", "2", "--held-out", "0", "--rows-not-private", code=USAGE)
        # nodes hidden: networks and what they promise
        given = ("learn", "nodes", "people", "-e", "4", "--columns", "4", "--classes", "3", "--steps", "5")
        bounded = (*given, "--method", "gap", "--promise-max-degree", "5")
        out, talk = self.run_tool(*bounded, "--model", "m.pvgm", "--release", "s.pvgr")[:2]
        promise = json.loads(out)
        self.assertEqual(promise["notion"], "node-removal-DP")
        self.assertTrue(3.5 < promise["epsilon"] <= 4 and promise["delta"] == 1e-6)
        self.assertNotIn("NOT private", talk)
        for made in ("m.pvgm", "m.pvgm.encoder", "s.pvgr"):
            self.run_tool("verify", made)
        self.run_tool(*given, "--model", "e.pvgm")
        self.assertFalse(os.path.exists(self.path("e.pvgm.encoder")))
        self.run_tool("ledger", "create", "n.ledger", "--notion", "node-removed", "-e", "4", "--delta", "1e-5")
        paid = (*bounded, "--model", "p.pvgm", "--ledger", "n.ledger", "--object", "people")
        self.run_tool(*paid)
        self.run_tool(*paid, code=BUDGET)
        for wrong in ((*given, "--method", "gap", "--model", "x.pvgm"), bounded,
                      (*given, "--promise-max-degree", "5", "--model", "x.pvgm"),
                      ("learn", "nodes", "people", "-e", "4", "--columns", "4", "--model", "x.pvgm",
                       "--promise-max-degree", "5"), (*bounded, "--model", "x.pvgm", "--rows-not-private"),
                      (*given, "--model", "x.pvgm", "--max-degree", "5")):
            self.run_tool(*wrong, code=USAGE)
        self.run_tool("learn", "nodes", "people", "-e", "4", "--classes", "3", "--model", "x.pvgm", code=USAGE)  # columns are public
        # nobody trusted
        document = self.record("learn", "users", "people", "--classes", "3", "--label-epsilon", "3",
                               "--list-epsilon", "3", "--held-out", "0")
        self.assertEqual(len(document["guarantee"]["guarantees"]), 2)
        self.assertEqual(len(document["values"]), 6)
        self.run_tool("learn", "users", "people", "--classes", "3", code=USAGE)
        told = ["learn", "users", "people", "--classes", "3", "--label-epsilon", "3", "--public-features", "--seed-not-private", "7"]
        usual, other = (self.run_tool(*told, *more, "-q")[0] for more in ([], ["--network", "kprop 2 | gat 8 heads=2 elu | dense classes"]))
        self.assertNotEqual(usual, other)
        self.assertEqual(len(usual.splitlines()), len(other.splitlines()))
        said = self.run_tool(*told, "--network", "nonsense 3", code=USAGE)[1]
        self.assertIn("no such map", said)
        self.assertIn("sums", self.run_tool("learn", "edges", "people", "-e", "1", "--network", "dense classes", code=USAGE)[1])
        self.run_tool("learn", "users", "people", "--label-epsilon", "3", code=USAGE)

    def test_attack_explain(self):
        self.groups("test")
        words = ("test", "--public-input", "--seed-not-private", "3")
        for kind in ("explain", "reconstruct", "links", "membership"):  # all ask for the same word
            self.assertIn("--public-input", self.run_tool("attack", kind, "test", code=UNDECLARED)[1])
        document = json.loads(self.run_tool("attack", "explain", *words, "--positives", "40", "--json")[0])
        self.assertEqual([row["negatives"] for row in document["attacks"]], ["uniform", "two-hop", "degree"])
        for row in document["attacks"]:
            self.assertTrue(row["auc_low"] <= row["auc"] <= row["auc_high"])
            self.assertAlmostEqual(row["excess"], row["auc"] - row["control_auc"])
        out, talk = self.run_tool("attack", "explain", *words, "-x", "gnn-explainer", "--published",
                                  "--positives", "20")[:2]
        self.assertEqual(len(out.split("\n")), 5)
        self.assertIn("refutes no epsilon", talk)
        asked = ("attack", "reconstruct", *words, "-w", "6", "--cuts", "2", "--steps", "10")
        document = json.loads(self.run_tool(*asked, "--diffusion", "--json")[0])
        scores = {row["score"]: row for row in document["scores"]}
        self.assertEqual(len(scores), 10)
        self.assertEqual(scores["random rows"]["held_out"], "-")
        self.assertEqual(scores["density"]["auc"], 0.5)
        out, talk = self.run_tool(*asked, "--signal", "nothing", "--ordered", "--sigma", "2")[:2]
        self.assertIn("mu = 1 for a row", talk)
        self.assertNotIn("features", out)
        self.assertEqual(self.run_tool(*asked)[0], self.run_tool(*asked, "-t", "2")[0])
        self.run_tool("attack", "reconstruct", *words, "-w", "2", code=USAGE)
        os.unlink(self.path("test/features.txt"))
        self.run_tool("attack", "explain", *words, code=FAILED)

    def test_classify(self):
        out = self.run_tool("classify", "people", "-e", "2")[0].split("\n")
        self.assertEqual((out[0], len(out)), ("class,p0,p1,p2", 8))
        for line in out[1:7]:
            numbers = [float(word) for word in line.split(",")]
            self.assertAlmostEqual(sum(numbers[1:]), 1, places=9)
            self.assertEqual(numbers[1 + int(numbers[0])], max(numbers[1:]))
        document = self.record("classify", "people", "-e", "2", "--held-out", "0", "--directions", "2")
        self.assertEqual(document["guarantee"]["claim"], "release.histogram")
        self.assertLessEqual(document["guarantee"]["epsilon"], 2)
        self.assertTrue(document["guarantee"]["private"])
        # labels that are known stay what they are
        self.assertEqual([document["values"][v][0] for v in (0, 1, 2, 4, 5)], [0, 1, 2, 1, 0])
        for method in ("sums", "gap", "pcmp"):
            document = self.record("classify", "people", "-e", "2", "--method", method, "--hops", "2", "--averages", "1")
            self.assertLessEqual(document["guarantee"]["epsilon"], 2)
            self.assertEqual(document["guarantee"]["delta"], 1e-6)
        document = self.record("classify", "people", "-e", "2", "--method", "response", "--averages", "1")
        self.assertEqual(document["guarantee"]["claim"], "perturb.response")
        document = self.record("classify", "people", "--exact-not-private", "--averages", "1")
        self.assertFalse(document["guarantee"]["private"])
        seeded = ("classify", "people", "-e", "1", "--seed-not-private", "1")
        self.assertEqual(self.run_tool(*seeded)[0], self.run_tool(*seeded, "-t", "2")[0])
        os.unlink(self.path("people/features.txt"))
        self.run_tool("classify", "people", "-e", "1", "-f", "npy", "-o", "c.npy")
        self.assertEqual(len(read_npy(read(self.path("c.npy"), "rb"))), 6)
        for wrong in (("people",), ("people", "-e", "1", "--held-out", "1"), ("-e", "1"),
                      ("people", "-e", "1", "--directions", "-2"), ("people", "-e", "1", "--method", "magic"),
                      ("people", "-e", "1", "--delta", "1"), ("people", "-e", "1", "--hops", "17")):
            self.run_tool("classify", *wrong, code=USAGE)
        two = self.record("classify", "people", "-e", "1", "--first-share", "0.4")["guarantee"]
        self.assertTrue(0.99 < two["epsilon"] <= 1.0)  # of both rounds
        self.run_tool("classify", "people", "-e", "1", "--first-share", "1", code=USAGE)
        os.unlink(self.path("people/labels.txt"))
        self.run_tool("classify", "people", "-e", "1", "--order", "6", code=FAILED)

    def test_degree_distributions(self):
        out = self.run_tool("stats", "people", "-e", "1", "--degrees", "2,1")[0].split("\n")
        self.assertEqual(out[0], "level1,level2,rank1,rest")
        self.assertEqual(len(out[1].split(",")), 4)
        self.run_tool("stats", "-e", "1", "--degrees", "3,0", "cycle.txt", "-o", "d.csv")
        self.run_tool("verify", "d.csv")
        for wrong in (("people", "-e", "1", "--degrees", "2"), ("people", "-e", "1", "--degrees", "a,b"),
                      ("people", "-e", "1", "--degrees", "1,1", "--preview"), ("-e", "1", "--degrees", "1,1")):
            self.run_tool("stats", *wrong, code=USAGE)

    def test_stats(self):
        names = "edges,components,cycle-rank,largest-degree,degeneracy,radius,isolated,leaves,triangles"
        out = self.run_tool("stats", "people", "-e", "1", "-l", names)[0].split("\n")
        self.assertEqual(out[0].split(",")[:9], names.split(","))
        self.assertEqual(len(out[0].split(",")), 10 + 8)  # no deviation of triangles
        self.assertEqual([len(line.split(",")) for line in out[1:2]], [18])
        document = self.record("stats", "people", "-e", "1", "-l", "edges,triangles")
        self.assertEqual(document["guarantee"]["claim"], "release.joined")
        self.assertTrue(0.999 < document["guarantee"]["epsilon"] <= 1)
        seeded = ("stats", "people", "-e", "1", "--seed-not-private", "1")
        self.assertEqual(self.run_tool(*seeded)[0], self.run_tool(*seeded, "-t", "2")[0])
        for wrong in (("people",), ("people", "-e", "1", "-l", "edges,edges"), ("people", "-e", "1", "-l", ""),
                      ("people", "-e", "1", "-l", "diameter"), ("people", "-e", "1", "-l", "edges", "--least-common", "3")):
            self.run_tool("stats", *wrong, code=USAGE)

    def test_names_of_nodes(self):
        """A public list of nodes in place of numbers."""
        write(self.path("list.txt"), "Ada\r\nBob\nCy Dee\nEve\nz\n")
        write(self.path("names.csv"), 'from,to,w\nAda,Bob,1\n"Cy Dee",Eve,2\n')
        write(self.path("names.txt"), "Ada Bob\n# a comment\nz Eve\nz Ada\n")
        asked = ("release", "scalars", "--list", "edges", "-e", "1", "--exact-not-private", "--nodes", "list.txt")
        self.assertEqual(self.run_tool(*asked, "--edge-columns", "from,to", "names.csv")[0].split(), ["edges", "2"])
        self.assertEqual(self.run_tool(*asked, "names.txt")[0].split(), ["edges", "3"])
        self.assertIn("nodes: 5", self.run_tool("info", "--nodes", "list.txt", "names.txt")[0])
        write(self.path("other.txt"), "Ada Bob\nAda Zoe\n")
        self.assertIn("other.txt:2: 'Zoe' is not in list.txt", self.run_tool(*asked, "other.txt", code=FAILED)[1])
        for text, words in (("Ada\n\nBob\n", ":2: no name"), ("Ada\nBob\nAda\n", ":3: 'Ada' stands there twice"),
                            ("", "no names")):
            write(self.path("bad.txt"), text)
            self.assertIn(words, self.run_tool("info", "--nodes", "bad.txt", "names.txt", code=FAILED)[1])
        self.run_tool(*asked, "--order", "5", "names.txt", code=USAGE)
        long = "".join(f"{i:x}\n" for i in range(20000))  # numbers longer than names
        write(self.path("long.txt"), long)
        write(self.path("long.csv"), "".join(f"{i:x} {i - 1:x}\n" for i in range(19999, 10000, -1)))
        self.assertEqual(self.run_tool(*asked[:-1], "long.txt", "long.csv")[0].split(), ["edges", "9999"])

    def test_l1_rows(self):
        """One hop with Laplace noise: pure, and less of it."""
        hop = ("people", "-e", "1", "--layers", "1", "--operator", "sum", "--contraction", "1")
        pure = self.record("propagate", *hop, "--l1-rows")["guarantee"]
        self.assertEqual(pure["delta"], 0)
        self.assertTrue(0.999 < pure["epsilon"] <= 1)
        self.run_tool("propagate", "people", "-e", "1", "--l1-rows", code=USAGE)

    def test_advise(self):
        text = self.run_tool("advise", "--order", "24000", "--degree", "65", "-e", "1")[0]
        for word in ("classes", "edges", "nothing useful", "privgraph classify"):
            self.assertIn(word, text)
        rows = json.loads(self.run_tool("advise", "--task", "edges", "--order", "3000", "-e", "1", "--json")[0])["advice"]
        self.assertEqual({row["release"] for row in rows}, {"nothing useful"})
        self.assertTrue(all(row["epsilon"] <= 1 for row in rows))
        small = json.loads(self.run_tool("advise", "--task", "classes", "--order", "3000", "-e", "0.01", "--json")[0])
        self.assertEqual({row["release"] for row in small["advice"]}, {"nothing useful"})  # nothing was measured there
        for wrong in (("-e", "1"), ("--order", "9"), ("--order", "9", "-e", "1", "--task", "luck"),
                      ("--order", "9", "-e", "1", "--degree", "0"), ("--order", "9", "-e", "1", "--homophily", "1.5"),
                      ("--order", "9", "-e", "1", "--homophily", "-0.1")):
            self.run_tool("advise", *wrong, code=USAGE)
        self.assertIn("one link or a person?", self.run_tool("advise", "--order", "3000", "-e", "1")[1])

    def test_json_is_data_or_refused(self):
        """A command that writes no data, or none that are JSON, has no such option."""
        commands = json.loads(self.run_tool("--dump-options")[0])["commands"]
        names = {one["name"]: {option["name"] for group in one["groups"] for option in group["options"]} for one in commands}
        without = {name for name, options in names.items() if "json" not in options}
        self.assertEqual(without, {"convert", "report", "ledger create", "ledger spend", "ledger repair", "ledger compact",
                                   "ledger claim"})
        self.assertEqual({name for name, options in names.items() if "output" not in options},
                         {name for name in without if name.startswith("ledger ")})
        path = self.path("budget.ledger")
        self.assertIn("--json", self.run_tool("ledger", "create", path, "-e", "1", "--json", code=USAGE)[1])
        self.assertFalse(os.path.exists(path))

    def test_messages_name_what_would_do(self):
        with open(self.path("people.txt"), "w", encoding="utf-8") as file:
            file.write("Ada\nBob\n")
        with open(self.path("table.csv"), "w", encoding="utf-8") as file:
            file.write("from,to\nAda,Bob\n")
        said = self.run_tool("release", "stars", "-e", "1", "--nodes", self.path("people.txt"), self.path("table.csv"), code=1)[1]
        self.assertIn("--edge-columns FROM,TO", said)
        said = self.run_tool("stats", "-e", "1", "--order", "9", "-l", "walks", "--preview", code=USAGE)[1]
        self.assertIn("--list: 'walks' is none of edges, ", said)
        self.assertIn("leaves, triangles, stars2, stars3", said)

    def test_advice_is_what_the_studies_found(self):
        results = os.path.join(SOURCE, "studies", "results")
        subprocess.run([sys.executable, os.path.join(SOURCE, "studies", "advice.py"), "build", results,
                        self.path("advice.csv")], check=True, timeout=60)
        self.assertEqual(read(self.path("advice.csv")), read(os.path.join(results, "advice.csv")))
        alike, other = ([row["set"] for row in json.loads(self.run_tool(
            "advise", "--task", "classes", "--order", "2500", "--degree", "20", "-e", "1", "--homophily", same,
            "--json")[0])["advice"]] for same in ("0.85", "0.2"))
        self.assertNotEqual(alike, other)
        page = os.path.join(SOURCE, "docs", "guide", "decide.md")
        shutil.copy(page, self.path("decide.md"))
        subprocess.run([sys.executable, os.path.join(SOURCE, "studies", "advice.py"), "page",
                        os.path.join(results, "advice.csv"), self.path("decide.md")], check=True, timeout=60)
        self.assertEqual(read(self.path("decide.md")), read(page))

    def test_stats_preview(self):
        """What is told before is what stands beside the numbers."""
        names = ("-l", "edges,radius,leaves,triangles")
        plan = json.loads(self.run_tool("stats", "--preview", "--order", "6", "-e", "1", *names, "--json")[0])
        told = [line["noise"] for line in plan["numbers"]]
        out = self.run_tool("stats", "people", "-e", "1", *names)[0].split("\n")
        self.assertEqual(out[0].split(",")[5:], ["edges_sd", "radius_sd", "leaves_sd"])
        for said, shown in zip(told, out[1].split(",")[5:]):
            self.assertAlmostEqual(said, float(shown), places=9)
        same = self.run_tool("preview", "--stats", names[1], "--order", "6", "-e", "1", "--json")[0]
        self.assertEqual(json.loads(same), plan)
        few = json.loads(self.run_tool("stats", "--preview", "--order", "900", "--common", "20", "-e", "1",
                                       "-l", "triangles", "--json")[0])["numbers"][0]
        self.assertTrue(25 < few["noise"] < 50)
        for wrong in (("-e", "1"), ("--preview", "-e", "1"), ("--preview", "--order", "6", "-e", "1", "people"),
                      ("people", "-e", "1", "--common", "3")):
            self.run_tool("stats", *wrong, code=USAGE)
        self.run_tool("preview", "--stats", "edges", "-p", "edge", "--order", "6", "-e", "1", code=USAGE)

    def test_synthesize(self):
        self.run_tool("synthesize", "people", "-e", "1", "--label-blocks", "-o", "made.txt")
        self.assertIn("order 6", read(self.path("made.txt")))
        record = json.loads(read(self.path("made.txt.guarantee.json")))
        self.assertEqual(record["claim"], "release.synthesis")
        self.assertIn("no edge of them is evidence", json.dumps(record))
        document = self.record("synthesize", "people", "-e", "100")
        self.assertEqual(document["order"], 6)
        seeded = ("synthesize", "people", "-e", "1", "--seed-not-private", "1")
        self.assertEqual(self.run_tool(*seeded)[0], self.run_tool(*seeded, "-t", "2")[0])
        self.run_tool("synthesize", "people", "-e", "1", "--label-blocks", "-b", "x", code=USAGE)
        self.run_tool("synthesize", "people", code=USAGE)

    def test_propagate(self):
        out = self.run_tool("propagate", "people", "-e", "4", "--layers", "2")[0].split("\n")
        self.assertEqual((out[0], len(out)), ("layer2.0,layer2.1,layer2.2,layer2.3", 8))
        document = self.record("propagate", "people", "-e", "4", "-k", "3", "--method", "hops")
        self.assertEqual(document["columns"][:5], ["layer1.0", "layer1.1", "layer1.2", "layer1.3", "layer2.0"])
        self.assertLessEqual(document["guarantee"]["epsilon"], 4)
        preview = self.record("propagate", "--preview", "--order", "6", "--columns", "4", "-e", "4", "-k", "2")
        self.assertEqual(preview, self.record("propagate", "people", "--preview", "-e", "4", "-k", "2"))
        self.assertGreater(preview["output_noise"], 0)
        self.assertIn("noise in a number", self.run_tool("propagate", "--preview", "--order", "6", "--columns", "4",
                                                         "-e", "4")[0])
        # nodes hidden: their features as well, so the width must be public
        hidden = ("propagate", "people", "-e", "4", "--hide", "node")
        self.assertIn("--columns", self.run_tool(*hidden, "--promise-max-degree", "2", code=UNDECLARED)[1])
        self.assertIn("--promise-max-degree", self.run_tool(*hidden, "--max-degree", "2", "--columns", "4",
                                                            code=REFUSED)[1])
        record = self.record(*hidden, "--promise-max-degree", "2", "--columns", "4")["guarantee"]
        self.assertIn("node", record["notion"])
        exact, err = self.run_tool("propagate", "people", "--exact-not-private", "--layers", "1", "--contraction", "1")
        self.assertIn("NOT private", err)
        first = [float(word) for word in exact.split("\n")[1].split(",")]
        # node 0: itself (1, 0, 0, 1)/sqrt 2 and its neighbours 1 and 5, both (0, 1, 0, 0); degrees 2 + 1
        for got, expected in zip(first, [math.sqrt(0.5) / 3, 2 / 3, 0, math.sqrt(0.5) / 3]):
            self.assertAlmostEqual(got, expected, places=12)
        seeded = ("propagate", "people", "-e", "1", "--seed-not-private", "1")
        self.assertEqual(self.run_tool(*seeded)[0], self.run_tool(*seeded, "-t", "2")[0])
        for wrong in ((), ("people",), ("people", "-e", "1", "-k", "0"), ("--preview", "-e", "1"),
                      ("people", "-e", "1", "--operator", "floor")):
            self.run_tool("propagate", *wrong, code=USAGE)
        self.run_tool("propagate", "cycle.txt", "-e", "1", code=FAILED)


class Others(Base):
    def test_calibrate(self):
        rows = json.loads(self.run_tool("calibrate", "-e", "0.5,1", "-d", "1e-6", "--json")[0])["rows"]
        self.assertEqual(len(rows), 8)
        gaussian = [row for row in rows if row["noise"] == "gaussian"]
        self.assertAlmostEqual(gaussian[1]["scale"], 4.2247, places=3)
        laplace = [row for row in rows if row["noise"] == "laplace"]
        for row, scale in zip(laplace, (2, 1)):  # a little less, for the delta
            self.assertTrue(scale * (1 - 1e-5) < row["scale"] < scale)
        # many pure releases: their sum, unless a delta allows to compose them exactly
        for more, each in (((), 0.047746), (("-d", "1e-6"), 0.1)):
            row, = json.loads(self.run_tool("calibrate", "-e", "4.7746", "--releases", "100", "--noise", "laplace",
                                            "--json", *more)[0])["rows"]
            self.assertAlmostEqual(row["parameter_each"], each, places=5)
        # there and back: never below what was asked
        for row in rows:
            back = json.loads(self.run_tool("calibrate", "--scale", repr(row["scale"]), "--noise", row["noise"], "-d",
                                            "1e-6", "--json")[0])["rows"][0]["epsilon"]
            self.assertLessEqual(back, row["epsilon"])
            self.assertGreater(back, row["epsilon"] * 0.999)
        text = self.run_tool("calibrate", "-e", "1", "--releases", "1,100", "--noise", "gaussian")[0]
        self.assertIn("42.247", text)
        rows = json.loads(self.run_tool("calibrate", "-p", "edge,triangle", "--order", "1000", "--max-degree", "20",
                                        "-e", "1", "--json")[0])["rows"]
        self.assertEqual([row["pattern"] for row in rows], ["edge", "triangle"])
        self.assertTrue(all(row["scale"] > 0 for row in rows))

    def plan(self, *arguments):
        return json.loads(self.run_tool("plan", *arguments, "--json")[0])

    def test_plan(self):
        # one kind: what calibrate tells
        for noise in ("gaussian", "laplace", "discrete-gaussian", "staircase"):
            row, = self.plan("-e", "4", "-d", "1e-6", "--list", "a:9:" + noise)["rows"]
            same, = json.loads(self.run_tool("calibrate", "-e", "4", "-d", "1e-6", "--releases", "9", "--noise", noise,
                                             "--json")[0])["rows"]
            self.assertEqual(row["parameter"], same["parameter"])
            self.assertAlmostEqual(row["parameter_each"] / same["parameter_each"], 1, 9)
            self.assertAlmostEqual(row["standard_deviation"] / same["standard_deviation"], 1, 9)
            self.assertLessEqual(row["ledger_parameter_each"], row["parameter_each"])
            self.assertGreater(row["ledger_parameter_each"], 0.8 * row["parameter_each"])
        # weights are ratios of noise; without delta epsilons add up
        one, two = self.plan("-e", "2", "--list", "a:1:laplace:6,b:4:pure:2")["rows"]
        self.assertAlmostEqual(one["parameter_each"], 6 / 7, 12)
        self.assertAlmostEqual(two["parameter_each"], 2 / 7, 12)
        self.assertLessEqual(one["parameter_each"] + 4 * two["parameter_each"], 2)
        self.assertIsNone(two["standard_deviation"])
        self.assertAlmostEqual(one["standard_deviation"], math.sqrt(2) * 7 / 6, 12)
        # many unequal pure ones beside Gaussian noise: better than a ledger, which is better than their sum
        plan = self.plan("-e", "4", "-d", "1e-6", "--list", "embed:4,stats:40,perturb:40:pure:2")
        self.assertLess(plan["noise_factor"], 0.99 * plan["ledger_noise_factor"])
        self.assertGreater(sum(row["times"] * row["parameter_each"] for row in plan["rows"]
                               if row["parameter"] == "epsilon"), 4)

        # the page shows what is printed
        lines = self.run_tool("plan", "-e", "4", "-d", "1e-6", "--list", "embed:4")[0].split("\n")
        self.assertIn("\n".join(lines[:2]), read(os.path.join(SOURCE, "docs/guide/cli.md")))

    def test_plan_fits_a_ledger(self):
        """What is told of a ledger can be spent from one, and hardly more."""
        rows = self.plan("-e", "3", "-d", "1e-6", "--list", "embed:3,stats:2,x:2:discrete-gaussian")["rows"]
        for factor, code in ((1, 0), (1.001, BUDGET)):
            name = f"plan{code}.ledger"
            self.run_tool("ledger", "create", name, "-e", "3", "-d", "1e-6")
            charges = [("--" + row["parameter"], repr(row["ledger_parameter_each"] * factor))
                       for row in rows for _ in range(row["times"])]
            for cost in charges[:-1]:
                self.run_tool("ledger", "spend", name, "--object", "a", *cost)
            self.run_tool("ledger", "spend", name, "--object", "a", *charges[-1], code=code)
        # -e of a release spends at most what was planned for it
        for row in rows:
            if row["noise"] == "gaussian":
                same, = json.loads(self.run_tool("calibrate", "-e", repr(row["epsilon_each"]), "-d", "1e-6", "--noise",
                                                 "gaussian", "--json")[0])["rows"]
                self.assertLessEqual(same["parameter_each"], row["parameter_each"])
                self.assertAlmostEqual(same["parameter_each"] / row["parameter_each"], 1, 9)

    def test_plan_refuses(self):
        for wrong, says in (((), "--list is missing"), (("--list", "embed"), "--epsilon is missing"),
                            (("-e", "0", "--list", "embed"), "more than 0"),
                            (("-e", "1", "--list", "census:2"), "as census:1:laplace"),
                            (("-e", "1", "--list", "embed:0"), "no whole number"),
                            (("-e", "1", "--list", "embed:1:pink"), "there is no noise 'pink'"),
                            (("-e", "1", "--list", "embed:1:smooth"), "is private"),
                            (("-e", "1", "--list", "embed:1:laplace:0"), "no number > 0"),
                            (("-e", "1", "--list", "embed:1:laplace:1:1"), "too many ':'"),
                            (("-e", "1", "--list", "embed,"), "without a name"),
                            (("-e", "1", "--list", "embed:600,stats:401"), "at most 1000"),
                            (("-e", "1", "-d", "0", "--list", "embed"), "more than 0 where"),
                            (("-e", "1", "-d", "1", "--list", "embed"), "below 1")):
            self.assertIn(says, self.run_tool("plan", *wrong, code=USAGE)[1], wrong)

    def test_shown_numbers_are_on_the_sound_side(self):
        for epsilon in ("0.1", "0.3", "0.7", "1.3", "2", "9"):
            row = json.loads(self.run_tool("calibrate", "-e", epsilon, "--noise", "gaussian", "--json")[0])["rows"][0]
            shown = self.run_tool("calibrate", "-e", epsilon, "--noise", "gaussian")[0].split("\n")[1].split()
            self.assertGreaterEqual(float(shown[6]), row["scale"])
            self.assertLessEqual(float(shown[6]), row["scale"] * 1.0002)
            self.assertLessEqual(float(shown[5]), row["parameter_each"])

    def test_preview(self):
        out, err = self.run_tool("preview", "--order", "1000", "--max-degree", "20", "-e", "1", "--svg", "t.svg")
        for word in ("trees", "treewidth2", "informative", "1-WL"):
            self.assertIn(word, out)
        picture = xml.dom.minidom.parse(self.path("t.svg"))
        self.assertEqual(picture.documentElement.tagName, "svg")
        document = json.loads(self.run_tool("preview", "-p", "edge,clique5", "--order", "10", "-e", "0.1",
                                            "--json")[0])
        self.assertEqual([line["verdict"] for line in document["patterns"]], ["hidden", "hidden"])
        out = self.run_tool("preview", "-p", "edge,vertex", "--order", "100", "-e", "1", "--svg", "-", "-q")[0]
        xml.dom.minidom.parseString(out)
        classes = json.loads(self.run_tool("preview", "--order", "100", "-e", "1", "--json")[0])["classes"]
        self.assertEqual(len(classes), 7)
        self.run_tool("preview", "--order", "9", "-e", "1", "--noise", "smooth", "--beta", "1", code=USAGE)

    def test_plans_agree(self):
        """The README's first command, calibrate and embed tell the same noise."""
        for more in ((), ("--scaling", "density"), ("--noise", "laplace"), ("--allocation", "isotropic"),
                     ("--noise", "laplace", "--scaling", "per-node", "--allocation", "proportional")):
            plan = ("-p", "edge,triangle,cycle6", "--order", "1000", "--max-degree", "20", "-e", "1") + more
            lines = json.loads(self.run_tool("preview", *plan, "--json")[0])["patterns"]
            rows = json.loads(self.run_tool("calibrate", *plan, "--json")[0])["rows"]
            deviation = math.sqrt(2) if "laplace" in more else 1.0
            for line, row in zip(lines, rows):
                self.assertEqual(line["range"], row["range"])
                self.assertEqual(line["sensitivity"], row["sensitivity"])
                self.assertAlmostEqual(line["noise"] / row["scale"], deviation, 12)
                self.assertAlmostEqual(line["ratio"] / row["ratio"], 1.0, 12)
            if not more:
                self.assertEqual([line["verdict"] for line in lines], ["informative"] * 3)
                self.assertGreater(lines[2]["ratio"], 100)
        with open(self.path("empty.g6"), "w") as f:
            f.write(("I" + "?" * 8 + "\n") * 400)  # ten nodes, no edge
        for scaling in ("range", "density"):
            plan = ("-p", "edge,triangle,cycle6", "--max-degree", "4", "-e", "1", "--scaling", scaling)
            text = self.run_tool("embed", *plan, "empty.g6", "--seed-not-private", "1", "-q")[0]
            columns = list(zip(*([float(x) for x in line.split(",")] for line in text.split("\n")[1:] if line)))
            lines = json.loads(self.run_tool("preview", *plan, "--order", "10", "--json")[0])["patterns"]
            for column, line in zip(columns, lines):
                self.assertEqual(len(column), 400)
                seen = math.sqrt(sum(x * x for x in column) / 400)
                self.assertLess(abs(seen / line["noise"] - 1), 0.3)

    def test_ledger(self):
        self.run_tool("ledger", "create", "l", "-e", "1", "-d", "1e-6")
        self.run_tool("ledger", "create", "l", "-e", "1", code=FAILED)
        spend = ("embed", "-p", "edge", "-e", "0.8", "cycle.txt", "--ledger", "l", "--object", "six")
        self.run_tool(*spend)
        before = read(self.path("l"), "rb")
        out, err = self.run_tool(*spend, "-o", "no.csv", code=BUDGET)
        self.assertIn("refused", err)
        self.assertEqual(before, read(self.path("l"), "rb"))
        self.assertEqual(self.leftovers(), ["l"])
        self.assertEqual(self.run_tool("ledger", "check", "l", "--object", "six", "--mu", "9", code=BUDGET)[0],
                         "does not fit\n")
        self.assertEqual(self.run_tool("ledger", "check", "l", "--object", "six", "--mu", "0.01")[0], "fits\n")
        self.assertEqual(before, read(self.path("l"), "rb"))
        self.run_tool("ledger", "spend", "l", "--object", "six", "--mu", "0.01", "--times", "2")
        self.run_tool("ledger", "spend", "l", "--object", "six", "--mu", "9", code=BUDGET)
        self.run_tool(*spend, "--seed-not-private", "1", code=SEEDED)
        one = json.loads(self.run_tool("ledger", "show", "l", "--object", "six", "--json")[0])
        self.assertEqual(one["objects"][0]["charges"], 2)
        self.assertTrue(0.8 < one["objects"][0]["spent"] < 0.81, one)
        self.run_tool("embed", "-p", "edge", "-e", "0.5", "set.g6", "--ledger", "l", "--object", "rings")
        self.assertEqual(json.loads(self.run_tool("ledger", "show", "l", "--object", "rings:2",
                                                  "--json")[0])["objects"][0]["charges"], 1)
        self.assertIn("to 4 objects", self.run_tool("ledger", "show", "l")[0])
        json.loads(self.run_tool("ledger", "show", "l", "--json")[0])
        write(self.path("junk"), "junk")
        self.run_tool("ledger", "show", "junk", code=FAILED)
        self.run_tool("ledger", "show", "missing", code=MISSING)
        # an output that cannot be written costs nothing
        before = read(self.path("l"), "rb")
        self.run_tool("embed", "-p", "edge", "-e", "0.1", "cycle.txt", "--ledger", "l", "--object", "new", "-o",
                      "no/where", code=MISSING)
        self.assertEqual(before, read(self.path("l"), "rb"))

    def test_ledger_names_and_files(self):
        self.run_tool("ledger", "create", "l", "-e", "4")
        self.run_tool("ledger", "spend", "l", "--object", "wild", "-e", "9", code=BUDGET)  # above the budget
        self.run_tool("embed", "-p", "edge", "-e", "0.5", "set.g6", "--ledger", "l", "--object", "rings")
        for i in range(6):
            self.run_tool("ledger", "spend", "l", "--object", "six", "--mu", "0.01")
        shown = self.run_tool("ledger", "show", "l")[0]
        self.assertIn("rings:2", shown)
        self.assertIn("six", shown)
        err = self.run_tool("ledger", "spend", "l", "--object", "six", "-e", "9", code=BUDGET)[1]
        self.assertIn('"six"', err)
        self.assertIn("whole: 7 charges", self.run_tool("ledger", "verify", "l")[0])
        self.run_tool("ledger", "compact", "l")
        self.assertEqual(shown, self.run_tool("ledger", "show", "l")[0])
        whole = read(self.path("l"), "rb")
        broken = bytearray(whole)
        broken[-50] ^= 64
        write_bytes(self.path("l"), bytes(broken))
        self.run_tool("ledger", "show", "l", code=FAILED)
        found = json.loads(self.run_tool("ledger", "verify", "l", "--json", code=FAILED)[0])
        self.assertEqual(found["condition"], "repairable")
        self.run_tool("ledger", "repair", "l")
        self.assertEqual(whole[12288:], read(self.path("l"), "rb")[12288:])  # before: which file it is
        self.assertEqual(bytes(broken), read(self.path("l.damaged"), "rb"))
        self.assertEqual(shown, self.run_tool("ledger", "show", "l")[0])
        write_bytes(self.path("l"), whole[:-30])
        self.run_tool("ledger", "repair", "l", code=FAILED)
        self.assertEqual(whole[:-30], read(self.path("l"), "rb"))
        write_bytes(self.path("l"), whole + b"half a charge")
        self.assertIn("13 bytes", self.run_tool("ledger", "show", "l")[1])
        self.assertEqual(whole + b"half a charge", read(self.path("l"), "rb"))  # who reads changes nothing
        self.run_tool("ledger", "claim", "l")  # these bytes were another file's
        write_bytes(self.path("l"), read(self.path("l"), "rb") + b"half a charge")
        self.assertIn("dropped 13 bytes", self.run_tool("ledger", "check", "l", "--object", "x", "-e", "1")[1])

    def test_one_network_is_one_object(self):
        """An edge list, the same graph as a set of one, and the first of a set that has grown."""
        self.run_tool("convert", "cycle.txt", "one.g6")
        write(self.path("more.g6"), read(self.path("one.g6")) + read(self.path("set.g6")))
        ways = ("cycle.txt", "one.g6", "more.g6")
        for first in ways:
            for second in ways:
                self.run_tool("ledger", "create", "l", "-e", "1", "-d", "1e-6")
                release = ("embed", "-p", "edge", "-e", "0.8", "--ledger", "l", "--object", "six")
                self.run_tool(*release, first)
                self.run_tool(*release, second, code=BUDGET)
                for name in ("six", "six:0"):
                    shown = json.loads(self.run_tool("ledger", "show", "l", "--object", name, "--json")[0])
                    self.assertEqual(shown["objects"][0]["charges"], 1)
                os.remove(self.path("l"))

    def test_snapshots_are_warned_of(self):
        self.run_tool("ledger", "create", "l", "-e", "9", "-d", "1e-6")
        for name, warned in (("calls 2026-Q1", True), ("calls March", True), ("calls", False)):
            for command in (("embed", "-p", "edge", "-e", "0.1", "cycle.txt", "--ledger", "l", "-o", "out.csv"),
                            ("perturb", "graph", "cycle.txt", "-e", "0.1", "--ledger", "l", "-o", "out.txt"),
                            ("ledger", "spend", "l", "-e", "0.1")):
                err = self.run_tool(*command, "--object", name, "-q")[1]
                self.assertEqual("looks like one snapshot of several" in err, warned, err)

    def test_truncation_is_said_and_never_silent(self):
        said = "values are those of the graph truncated to degree 3"
        for command in (("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "out.csv"),
                        ("preview", "-p", "edge", "-e", "1", "--order", "9")):
            self.assertIn(said, self.run_tool(*command, "--max-degree", "3")[1])
            self.assertNotIn("truncated", self.run_tool(*command)[1])
        self.assertNotIn("truncated", read(self.path("out.csv.guarantee.json")))
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "out.csv", "--max-degree", "3")
        self.assertIn(said, read(self.path("out.csv.guarantee.json")))

    def test_exact_copies_are_as_private_as_what_was_read(self):
        def mode(name):
            return os.stat(self.path(name)).st_mode & 0o777

        self.addCleanup(os.umask, os.umask(0o022))
        for given, want in ((0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o400, 0o600), (0o604, 0o604)):
            os.chmod(self.path("cycle.txt"), given)
            for name in ("a.mtx", "a.txt.gz"):
                write(self.path("old-" + name), "")  # replaced: no more than both allow
                os.chmod(self.path("old-" + name), 0o664)
                self.run_tool("convert", "cycle.txt", name)
                self.run_tool("convert", "cycle.txt", "old-" + name)
                self.assertEqual(mode(name), want)
                self.assertEqual(mode("old-" + name) & ~want & 0o066, 0)
                os.remove(self.path(name))
            self.run_tool("convert", "cycle.txt", f"tu{given:o}/")
            self.assertEqual(mode(f"tu{given:o}") & 0o077, (want & 0o044) * 5 // 4)
            for name in os.listdir(self.path(f"tu{given:o}")):
                self.assertEqual(mode(f"tu{given:o}/{name}") & ~want, 0, name)
            self.run_tool("embed", "-p", "edge", "cycle.txt", "--exact-not-private", "-o", "exact.csv")
            self.assertEqual(mode("exact.csv"), want)
            os.remove(self.path("exact.csv"))
            os.remove(self.path("exact.csv.guarantee.json"))
        os.chmod(self.path("tu644"), 0o700)  # open files in a closed folder
        self.run_tool("convert", "tu644/", "back.g6")
        self.assertEqual(mode("back.g6"), 0o600)
        os.chmod(self.path("cycle.txt"), 0o600)  # a release may be published
        self.run_tool("embed", "-p", "edge", "-e", "1", "cycle.txt", "-o", "out.csv")
        self.assertEqual(mode("out.csv"), 0o644)

    def test_convert(self):
        for name in ("a.mtx", "a.g6", "a.s6", "a.el", "a.txt.gz", "a.mtx.gz"):
            self.run_tool("convert", "cycle.txt", name)
            self.assertEqual(self.run_tool("convert", name, "-", "-f", "edge-list")[0], read(self.path("cycle.txt")))
        out, err = self.run_tool("convert", "set.g6")
        self.assertEqual(out, read(self.path("set.g6")))
        self.assertIn("as private as", err)
        self.assertEqual(self.run_tool("convert", "cycle.txt", "-q")[1], "")
        self.run_tool("convert", "set.g6", "many.txt", code=FAILED)
        self.assertFalse(os.path.exists(self.path("many.txt")))
        self.run_tool("convert", "cycle.txt", "tu", "-f", "tudataset", "--output-name", "SIX")
        self.assertTrue(os.path.exists(self.path("tu/SIX_A.txt")))
        write(self.path("m.graph"), "3 2\n2\n1 3\n2\n")
        self.assertEqual(self.run_tool("convert", "m.graph")[0], "# order 3\n0 1\n1 2\n")
        self.assertEqual(self.run_tool("convert", "-", "--input-format", "metis",
                                       stdin=b"3 2\n2\n1 3\n2\n")[0], "# order 3\n0 1\n1 2\n")
        self.assertEqual(self.run_tool("convert", "-", "--input-format", "edge-list", "--index-base", "1", "--extra-columns", "--drop-loops",
                                       stdin=b"1 2 0.5\n2 2 1\n")[0], "0 1\n")

    def test_csr_files(self):
        """Sorted on the disk, mapped by every command, and private."""
        self.run_tool("convert", "--memory", "1M", "cycle.txt", "a.csr")
        self.run_tool("convert", "a.csr", "again.csr")
        self.run_tool("convert", "a.csr", "b.mtx")
        self.run_tool("convert", "b.mtx", "c.csr", "--memory", "3G")
        data = read(self.path("a.csr"), "rb")
        for name in ("again.csr", "c.csr"):
            self.assertEqual(read(self.path(name), "rb"), data)
        self.assertEqual(os.stat(self.path("a.csr")).st_mode & 0o777, 0o600)
        self.assertEqual(self.run_tool("convert", "a.csr", "-", "-f", "edge-list")[0], read(self.path("cycle.txt")))
        self.assertEqual(self.run_tool("info", "a.csr")[0].replace("csr-file", "edge-list"), self.run_tool("info", "cycle.txt")[0])
        exact = ("release", "scalars", "--list", "edges", "--exact-not-private")
        self.assertEqual(self.run_tool(*exact, "a.csr")[0], self.run_tool(*exact, "cycle.txt")[0])
        # packed, or through a pipe, it is read into memory
        with gzip.open(self.path("p.csr.gz"), "wb") as out:
            out.write(data)
        self.assertEqual(self.run_tool(*exact, "p.csr.gz")[0], self.run_tool(*exact, "cycle.txt")[0])
        self.assertEqual(self.run_tool(*exact, "-", stdin=data)[0], self.run_tool(*exact, "cycle.txt")[0])
        # what nobody declared is kept as it is, and refused as before
        self.run_tool("convert", "bare.txt", "bare.csr")
        self.run_tool("release", "stars", "--epsilon", "1", "bare.csr", code=UNDECLARED)
        self.run_tool("convert", "bare.csr", "bare.mtx", code=UNDECLARED)
        self.assertEqual(self.run_tool("convert", "bare.csr")[0], self.run_tool("convert", "bare.txt")[0])
        for words in (("-",), ("x.csr.gz",), ("x.csr", "--memory", "12"), ("x.csr", "--memory", "2X"), ("x.txt", "--memory", "2G")):
            self.run_tool("convert", "cycle.txt", *words, "-f", "csr-file" if words[0] != "x.txt" else "edge-list", code=USAGE)
        self.run_tool("convert", "set.g6", "x.csr", code=FAILED)
        self.run_tool("release", "response", "--epsilon", "1", "cycle.txt", "-o", "x.csr", code=USAGE)
        self.assertFalse(os.path.exists(self.path("x.csr")))
        self.unchanged("convert", "a.csr", "a.csr")
        broken = bytearray(data)
        broken[4100] ^= 1
        with open(self.path("a.csr"), "wb") as out:
            out.write(broken)
        self.assertIn("block 0 of the offsets is damaged", self.run_tool(*exact, "a.csr", code=FAILED)[1])
        os.chmod(self.path("c.csr"), 0o620)
        self.assertIn("others may write it", self.run_tool(*exact, "c.csr", code=FAILED)[1])

    def test_convert_does_not_launder_the_order(self):
        """An order that was read off the edges does not become one that a file states."""
        wants = [("a.mtx", ()), ("a.g6", ()), ("a.s6.gz", ()), ("tu/", ()), ("-", ("-f", "sparse6"))]
        for name, options in wants:
            out, err = self.run_tool("convert", "bare.txt", name, *options, code=UNDECLARED)
            self.assertEqual(out, "")
            self.assertIn("--order", err)
            self.assertEqual(self.leftovers(), [])
        self.run_tool("convert", "bare.txt", "a.txt")
        self.assertEqual(sorted(read(self.path("a.txt")).split("\n")), sorted(read(self.path("bare.txt")).split("\n")))
        self.run_tool("embed", "-p", "edge", "-e", "1", "a.txt", code=UNDECLARED)
        self.run_tool("perturb", "graph", "-e", "1", "a.txt", code=UNDECLARED)
        # whoever says the number tells it, also of nodes without edges
        for name, options in wants:
            out = self.run_tool("convert", "bare.txt", name, *options, "--order", "7")[0]
            if name != "-":
                self.run_tool("embed", "-p", "edge", "-e", "1", name)
            else:
                self.run_tool("embed", "-p", "edge", "-e", "1", "-", "--input-format", "sparse6", stdin=out.encode())
        self.run_tool("convert", "bare.txt", "b.txt", "--order", "7")
        self.assertTrue(read(self.path("b.txt")).startswith("# order 7\n"))
        self.run_tool("embed", "-p", "edge", "-e", "1", "b.txt")
        os.mkdir(self.path("folder"))
        shutil.copy(self.path("bare.txt"), self.path("folder/edges.txt"))
        self.run_tool("convert", "folder", "c.mtx", code=UNDECLARED)
        write(self.path("folder/edges.txt"), "# order 0\n")
        self.run_tool("convert", "folder", "c.mtx")

    def test_patterns(self):
        for share, wide in (("0.25", 5), ("1", 20)):
            told = json.loads(self.run_tool("patterns", "sample", "reference3", "-n", "20", "--wide-share", share, "--json")[0])
            self.assertGreaterEqual(sum(one["width"] == 3 for one in told["patterns"]), wide)
        self.run_tool("patterns", "sample", "trees", "--wide-share", "0.5", code=USAGE)
        out = self.run_tool("patterns", "sample", "treewidth2", "-n", "5", "--max-vertices", "8")[0]
        self.assertEqual(len(out.split()), 5)
        self.assertEqual(out, self.run_tool("patterns", "sample", "treewidth2", "-n", "5", "--max-vertices", "8")[0])
        self.assertNotEqual(out, self.run_tool("patterns", "sample", "treewidth2", "-n", "5", "--max-vertices", "8",
                                               "--pattern-seed", "2")[0])
        lines = json.loads(self.run_tool("patterns", "describe", "triangle,star3,trees:3", "--json")[0])["patterns"]
        self.assertEqual((lines[0]["vertices"], lines[0]["edges"], lines[0]["width"]), (3, 3, 2))
        self.assertEqual(lines[1]["edge_list"], "0-1 0-2 0-3")
        self.assertEqual(len(lines), 5)
        json.loads(self.run_tool("patterns", "sample", "cycles", "-n", "1", "--json")[0])
        out = self.run_tool("patterns", "list")[0]
        for name in ("bicliqueKxL", "trees", "parallel-trees", "referenceK"):
            self.assertIn(name, out)

    def test_audit_releases(self):
        """Every perturber and message passing: no claim is refuted, and what attains its claim is seen to."""
        quick = ("-e", "2", "--runs", "1000", "--seed-not-private", "5", "--json")
        graph = ("audit", "graph", "--test-order", "12")
        spread = ("audit", "propagate", "--test-order", "12")
        users = ("audit", "features", "--columns", "3")
        for command, least in (((*graph,), 0.8), ((*graph, "--method", "lapgraph"), 0),
                               ((*graph, "--method", "dprr"), 0.1), ((*graph, "--method", "dprr", "--reports", "half"), 0),
                               ((*graph, "--method", "dprr", "--reports", "published"), 0),
                               ((*graph, "--method", "blink"), 0), ((*graph, "--method", "subset", "--edge", "3,1"), 0.3),
                               ((*graph, "--method", "subset", "--lists", "whole"), 0),
                               ((*graph, "--method", "slots"), 0), ((*graph, "--method", "slots", "--lists", "whole"), 0),
                               (users, 0.8), ((*users, "--method", "one-bit", "--low", "-1", "--high", "3"), 0.2),
                               ((*users, "--method", "noise"), 0), ((*users, "--method", "noise", "--noise", "gaussian"), 0),
                               (("audit", "labels", "--classes", "4"), 0.8),
                               ((*spread, "-k", "1", "--operator", "sum", "--hide", "node-removed", "--promise-max-degree", "11"), 0),
                               ((*spread, "-k", "1", "--operator", "sum", "--hide", "node", "--promise-max-degree", "11"), 0),
                               ((*spread, "-k", "1", "--operator", "sum"), 0),
                               ((*spread, "-k", "1", "--operator", "sum", "--l1-rows"), 0.1),
                               ((*spread, "--method", "hops"), 0), ((*spread, "--method", "perturbed"), 0),
                               ((*spread, "--max-degree", "3"), 0)):
            out = json.loads(self.run_tool(*command, *quick)[0])
            self.assertEqual(out["verdict"], "not refuted", command)
            self.assertTrue(least <= out["epsilon_lower"] <= 2, (command, out))
            self.assertTrue(out["auc_low"] <= out["auc"] <= out["auc_high"], command)
            # the confidence of the interval is 0.999999: it reaches below what is allowed
            self.assertLess(out["auc_low"], out["auc_ceiling"], command)
        # where 4 is spent, a claim of 2 would be refuted
        out = json.loads(self.run_tool("audit", "labels", "--classes", "2", "-e", "4", *quick[2:])[0])
        self.assertGreater(out["epsilon_lower"], 2)
        write(self.path("pair.txt"), "# order 2\n0 1\n")
        self.run_tool("audit", "graph", "pair.txt", *quick, code=UNDECLARED)
        self.run_tool("audit", "graph", "pair.txt", "--public-input", *quick)
        for lists in ("owned", "whole"):
            self.assertIn("too few nodes", self.run_tool("audit", "graph", "pair.txt", "--public-input", "--method",
                                                         "subset", "--lists", lists, *quick, code=FAILED)[1])
        found = json.loads(self.run_tool("audit", "graph", "--test-order", "20", "--method", "lapgraph", "-e", "2", "--runs",
                                         "2000", "--seed-not-private", "1", "--json")[0])
        self.assertIn("noisy cell", found["below_ceiling"])
        self.assertIn("no directions", self.run_tool(*spread, *quick, "--hide", "edge-directed", code=USAGE)[1])
        self.run_tool("audit", "labels", *quick, code=USAGE)

    def test_audit(self):
        quick = ("audit", "edge", "--test-order", "20", "--runs", "400", "--seed-not-private", "3")
        out = json.loads(self.run_tool(*quick, "-e", "1", "--json")[0])
        self.assertEqual(out["verdict"], "not refuted")
        self.assertGreater(out["auc_ceiling"], 0.5)
        self.assertLess(out["auc"], 0.75)
        self.run_tool(*quick, "-e", "1", "--noise", "laplace", "--max-degree", "4")
        self.run_tool(*quick, "-e", "1", "cycle.txt", code=UNDECLARED)
        self.run_tool(*quick, "-e", "1", "cycle.txt", "--public-input")
        self.assertTrue(out["auc_low"] < out["auc"] < out["auc_high"])
        # a mechanism without noise is refuted
        write(self.path("a"), "score\n" + "0\n" * 500)
        write(self.path("b"), "1\n" * 500)
        self.assertIn("REFUTED", self.run_tool("audit", "scores", "a", "b", "-e", "1", code=FAILED)[0])
        self.assertIn("no claim", self.run_tool("audit", "scores", "a", "b")[0])
        self.run_tool("audit", "scores", "a", "a", "-e", "1")
        write(self.path("c"), "1,2\n3\n")
        self.assertIn("c:2:", self.run_tool("audit", "scores", "a", "c", code=FAILED)[1])
        exact = ("embed", "-p", "edge,triangle", "set.g6", "--exact-not-private")
        self.run_tool(*exact, "-o", "known.csv")
        self.run_tool(*exact, "-f", "npy", "-o", "known.npy")
        found = json.loads(self.run_tool("audit", "reidentify", "known.npy", "known.csv", "--json")[0])["found"]
        self.assertEqual(found, 1)
        self.run_tool("audit", "reidentify", "known.csv", "a", code=FAILED)

    def test_attack(self):
        self.town()
        quick = ("attack", "links", "town", "--draws", "10", "--seed-not-private", "3")
        self.run_tool(*quick, code=UNDECLARED)
        rows = json.loads(self.run_tool(*quick, "--public-input", "--network", "gcn classes", "--json")[0])["attacks"]
        self.assertEqual([(row["attack"], row["negatives"]) for row in rows],
                         [(name, kind) for name in ("influence", "posteriors")
                          for kind in ("uniform", "two-hop", "degree")])
        self.assertEqual([row["auc"] for row in rows[:3]], [1, 1, 1])  # one layer hears neighbours only
        for row in rows:
            self.assertIn(row["control"], ("features", "posteriors", "degrees"))
            self.assertAlmostEqual(row["excess"], row["auc"] - row["control_auc"], delta=0.002)
        dense = self.run_tool(*quick, "--public-input", "--network", "dense classes")[0]
        self.assertIn("no interface", dense)
        self.assertIn("proves nothing", dense)
        self.assertEqual(dense, self.run_tool(*quick, "--public-input", "--network", "dense classes")[0])
        write(self.path("rows.csv"), "".join(f"{v // 30},{1 - v // 30}\n" for v in range(60)))
        out = json.loads(self.run_tool(*quick, "--public-input", "--vectors", "rows.csv", "--json")[0])["attacks"]
        self.assertEqual(([row["attack"] for row in out], out[1]["auc"]), (["rows"] * 3, 0.5))
        member = ("attack", "membership", "town", "--public-input", "--draws", "10", "--per-class", "8", "--json")
        for extra in ((), ("--as-published",)):
            row = json.loads(self.run_tool(*member, *extra)[0])["attacks"][0]
            self.assertEqual((row["negatives"], row["control"]), ("uniform", "threshold"))
        self.run_tool(*member, "--per-class", "20", code=USAGE)
        self.run_tool("attack", "links", "cycle.txt", "--public-input", code=FAILED)
        self.run_tool("attack", "links", "town", "--public-input", "--draws", "-1", code=USAGE)

    def test_info(self):
        self.assertIn("version:", self.run_tool("info")[0])
        self.assertEqual(json.loads(self.run_tool("info", "--json")[0])["version"],
                         self.run_tool("--version")[0].split()[1])
        public = json.loads(self.run_tool("info", "cycle.txt", "--json")[0])
        self.assertEqual(public, {"format": "edge-list", "graphs": 1, "nodes": 6})
        self.assertNotIn("nodes", json.loads(self.run_tool("info", "bare.txt", "--json")[0]))
        out, err = self.run_tool("info", "cycle.txt", "--exact-not-private")
        self.assertIn("edges (not private): 6", out)
        self.assertIn("NOT private", err)


class Examples(Base):
    """Every command line of the help texts and of docs/guide/cli.md runs."""

    def world(self):
        """The files that the examples speak of."""
        self.run_tool("convert", "set.g6", "MUTAG/")
        write(self.path("MUTAG/MUTAG_graph_labels.txt"), "0\n1\n0\n")
        write(self.path("friends.txt"), "0 1\n1 2\n0 2\n2 3\n")
        write(self.path("web.txt"), "0 1\n1 0\n1 2\n2 1\n")
        write(self.path("karate.txt"), "0 1\n0 33\n2 33\n")
        write(self.path("items.txt"), "".join(f"item{i}\n" for i in range(30)))
        write(self.path("purchases.csv"), "".join(f"customer{p},item{p % 30}\n" for p in range(900)))
        write(self.path("shown.txt"), "".join(f"{i}\n" for i in range(20)))
        write(self.path("visits.csv"), "".join(f"{p},{p % 800}\n" for p in range(4000)))
        self.run_tool("convert", "cycle.txt", "graph.mtx.gz")
        self.run_tool("convert", "friends.txt", "friends.txt.gz")
        self.run_tool("patterns", "sample", "trees", "-o", "more.g6")
        self.run_tool("ledger", "create", "study.ledger", "-e", "5", "-d", "1e-6")
        os.mkdir(self.path("people"))
        write(self.path("people/edges.txt"), "# order 900\n" + "".join(f"{v} {v + 1}\n" for v in range(899)))
        write(self.path("people/features.txt"), "0 3\n1\n\n0 1 2 3\n2\n1\n" * 150)
        write(self.path("people/labels.txt"), "0\n1\n2\n-1\n1\n0\n" * 150)
        self.town()
        self.run_tool("perturb", "graph", "town", "-e", "4", "-o", "noisy.txt", "--release", "noisy.pvg")
        self.groups("cora")
        for name in ("without.txt", "with.txt"):
            write(self.path(name), "0.5\n1.5\n" * 10)
        self.run_tool("embed", "cycle.txt", "-p", "edge", "-e", "1", "-o", "numbers.csv", "-g", "record.json", "-q")
        for name in ("released.csv", "known.csv"):
            write(self.path(name), "a,b\n" + "".join(f"{i},{i * i}\n" for i in range(9)))

    def shell(self, line):
        env = dict(os.environ, PATH=os.path.dirname(PROGRAM) + ":" + os.environ["PATH"])
        done = subprocess.run(["bash", "-ec", line], cwd=self.work, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, line + "\n" + done.stdout.decode("latin-1"))

    def test_help_examples(self):
        self.world()
        for command in COMMANDS:
            self.assertTrue(command["examples"] or command["name"].startswith("release "), command["name"])
            for example in command["examples"]:
                if command["name"] == "ledger create":
                    os.unlink(self.path("study.ledger"))
                self.shell(example["call"])
                if command["name"] == "ledger create":
                    self.assertIn("epsilon 2", self.run_tool("ledger", "show", "study.ledger")[0])

    def test_documentation(self):
        """The blocks of docs/guide/cli.md marked sh, in order, in one folder."""
        blocks = re.findall(r"^```sh\n(.*?)^```$", read(os.path.join(SOURCE, "docs", "guide", "cli.md")), flags=re.M | re.S)
        self.assertGreater(len(blocks), 8)
        for name in self.leftovers() + ["cycle.txt", "bare.txt", "set.g6"]:
            os.unlink(self.path(name))
        for block in blocks:
            self.shell(block)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
