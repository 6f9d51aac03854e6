#!/usr/bin/env python3
"""Runs the table of perturbed graphs in its quick mode and compares what was seen with what its
formulas expect; and asks for data that are not there.

usage: test_perturbation_table.py PROGRAM
"""
import re
import subprocess
import sys
import unittest

PAIR = re.compile(r"^([0-9.]+) \(([0-9.]+)\)$")


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Table(unittest.TestCase):
    def test_what_is_seen_is_what_is_expected(self):
        done = run("--quick")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in done.stdout.splitlines() if line.startswith("| ")]
        graphs = [row for row in rows if len(row) == 8 and row[0] != "method"]
        self.assertGreaterEqual(len({row[0] for row in graphs}), 7)
        self.assertEqual({row[0] for row in graphs if row[1] == "nothing"}, {"GraphPrivatizer (entries)"})
        without = {row[0] for row in graphs if "(" not in row[3]}
        self.assertEqual(without, {"Blink", "GraphPrivatizer (entries)"})
        for row in graphs:
            if row[0] in without:
                continue
            # counts: noise on degrees moves all entries of a list together
            for cell in row[3:5]:
                seen, expected = map(float, PAIR.match(cell).groups())
                self.assertLessEqual(abs(seen - expected), 0.25 * expected + 6 * expected ** 0.5 + 3, row)
            seen, expected = map(float, PAIR.match(row[5]).groups())
            self.assertLessEqual(abs(seen - expected), 0.25 * expected + 0.3, row)
            seen, expected = map(float, PAIR.match(row[6]).groups())
            self.assertLessEqual(abs(seen - expected), 0.1, row)
        labels = [row for row in rows if len(row) == 4 and row[0] != "labels"]
        self.assertEqual(len(labels), 5)
        for row in labels:
            for cell in row[2:]:
                seen, expected = map(float, PAIR.match(cell).groups())
                self.assertLessEqual(abs(seen - expected), 0.15, row)

    def test_without_data_it_says_so(self):
        done = run("/nonexistent")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("skipped"), 3)


if __name__ == "__main__":
    PROGRAM = sys.argv[1]
    unittest.main(argv=sys.argv[:1])
