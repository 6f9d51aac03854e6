#!/usr/bin/env python3
"""Runs the depth curve and compares its numbers with closed forms; the picture must be XML.

usage: test_depth_curve.py PROGRAM
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

SIGMA = 3.7306316348  # per unit of sensitivity at epsilon 1, delta 1e-5


class Curve(unittest.TestCase):
    def test_numbers_and_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            table, picture = os.path.join(folder, "depth.csv"), os.path.join(folder, "depth.svg")
            done = subprocess.run([PROGRAM, table, picture], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            with open(table, encoding="utf-8") as file:
                text = file.read()
            root = xml.parse(picture).getroot()
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 9)
        plain = subprocess.run([PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((plain.returncode, plain.stdout), (0, text))
        rows = list(csv.DictReader(text.splitlines()))
        self.assertEqual(len(rows), 2 * 40 * 3)
        for row in rows:
            gamma, depth = float(row["contraction"]), int(row["depth"])
            whole = sum(gamma ** k for k in range(depth))
            squares = math.sqrt(sum(gamma ** (2 * k) for k in range(depth)))
            draw = {"composition": math.sqrt(depth), "convergent": whole / squares, "output": whole}[row["account"]]
            last = draw * (1 if row["account"] == "output" else squares)
            self.assertAlmostEqual(float(row["noise_of_a_draw"]) / (SIGMA * draw), 1, 5)
            self.assertAlmostEqual(float(row["noise_of_the_last_state"]) / (SIGMA * last), 1, 5)

    def test_a_file_that_cannot_be_written(self):
        done = subprocess.run([PROGRAM, "/nowhere/depth.csv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write", done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
