#!/usr/bin/env python3
"""What pgb_measure says of graphs whose numbers are known by hand.

usage: test_pgb.py PROGRAM
"""
import subprocess
import sys
import unittest


def measure(*graphs):
    text = "".join("%d %d\n%s" % (n, len(edges), "".join("%d %d\n" % e for e in edges)) for n, edges in graphs)
    said = subprocess.run([PROGRAM], input=text, capture_output=True, text=True, check=True).stdout
    found = []
    for line in said.splitlines():
        word, *numbers = line.split()
        if word == "numbers":
            found.append({})
        found[-1][word] = [float(x) for x in (numbers if word == "numbers" else numbers[1:])]
    return found


class Numbers(unittest.TestCase):
    def test_two_triangles_on_a_path_and_a_lone_node(self):
        # 0-1-2 and 3-4-5 are triangles, 2-3 joins them, 6 is alone
        edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)]
        (found,) = measure((7, edges))
        numbers = found["numbers"]
        self.assertEqual(numbers[:3], [7, 7, 2])
        self.assertAlmostEqual(numbers[3], 2.0)                         # mean degree
        self.assertAlmostEqual(numbers[4], (4 * 4 + 2 * 9) / 7 - 4.0)   # variance
        self.assertEqual(numbers[5], 3)                                 # diameter
        self.assertEqual(found["distances"], [7, 14, 8, 8])
        self.assertAlmostEqual(numbers[6], (14 + 2 * 8 + 3 * 8) / 30)
        self.assertAlmostEqual(numbers[7], 3 * 2 / (4 + 2 * 3))         # global clustering
        self.assertAlmostEqual(numbers[8], (4 + 2 / 3) / 7)             # local, of all nodes
        self.assertAlmostEqual(numbers[9], 6 / 7 - 2 * (7 / 14) ** 2)   # modularity
        self.assertEqual(found["degrees"], [1, 0, 4, 2])
        community = found["community"]
        self.assertEqual(len({community[0], community[1], community[2]}), 1)
        self.assertEqual(len(set(community)), 3)
        # pairs of degrees at ends: 2-2 twice, 2-3 four times, 3-3 once; both ways
        mean, square = (8 * 2 + 6 * 3) / 14, (8 * 4 + 6 * 9) / 14
        self.assertAlmostEqual(numbers[10], ((2 * 4 + 4 * 6 + 9) / 7 - mean ** 2) / (square - mean ** 2))

    def test_several_graphs_in_a_row(self):
        star = [(0, v) for v in range(1, 101)]
        first, second = measure((101, star), (3, [(0, 1), (1, 2), (0, 2)]))
        self.assertAlmostEqual(first["numbers"][10], -1.0)              # all edges join 1 and 100
        self.assertAlmostEqual(first["top"][0], 0.5 ** 0.5, 5)          # a hub has half of the square
        self.assertEqual(second["numbers"][2], 1)

    def test_no_graph(self):
        done = subprocess.run([PROGRAM], input="2 1\n0 5\n", capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (1, "pgb_measure: not a graph\n"))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
