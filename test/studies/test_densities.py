"""Calculators of the homomorphism-density paper's statements, by enumeration; what is printed and false must fail."""
import itertools
import math
import os
import sys

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "studies"))

import densities_theory as theory  # noqa: E402


def close(value, wanted, within=1e-9):
    assert abs(value - wanted) <= within, (value, wanted)


def graphs(order):
    pairs = list(itertools.combinations(range(order), 2))
    for bits in range(1 << len(pairs)):
        yield theory.adjacency(order, [pair for i, pair in enumerate(pairs) if bits >> i & 1])


def test_cut_distance_by_all_pairs_of_sets():
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = int(rng.integers(2, 6))
        a, b = (theory.adjacency(order, [pair for pair in itertools.combinations(range(order), 2)
                                         if rng.random() < .5]) for _ in range(2))
        sets = [np.array(bits, bool) for bits in itertools.product((0, 1), repeat=order)]
        wanted = max(abs(int((a - b)[s][:, t].sum())) for s in sets for t in sets) / order ** 2
        close(theory.cut_distance(a, b), wanted)
        assert theory.cut_distance(a, b) <= 2 * theory.edge_distance(a, b) / order ** 2 + 1e-12


def test_counting_lemma():
    """Lemma 3.1 on all pairs of graphs of 4 nodes, triangle and path."""
    every = list(graphs(4))[::3]
    for order, edges in ((3, [(0, 1), (1, 2), (0, 2)]), (3, [(0, 1), (1, 2)])):
        for a, b in itertools.combinations(every, 2):
            gap = abs(theory.density(order, edges, a) - theory.density(order, edges, b))
            assert gap <= len(edges) * theory.cut_distance(a, b) + 1e-12


def test_theorem_4_5():
    true, printed = theory.two_edges(5)
    close(true, .0192)
    close(printed, .0064)
    # of connected patterns it holds, on all graphs of 5 nodes
    for order, edges in ((3, [(0, 1), (1, 2)]), (3, [(0, 1), (1, 2), (0, 2)]), (4, [(0, 1), (0, 2), (0, 3)])):
        for graph in list(graphs(5))[1::17]:
            degree = int(graph.sum(0).max())
            u, v = (int(end[0]) for end in np.nonzero(np.triu(graph)))
            less = graph.copy()
            less[u, v] = less[v, u] = 0
            gap = theory.density(order, edges, graph) - theory.density(order, edges, less)
            assert gap <= theory.printed_sensitivity(order, len(edges), 5, degree) + 1e-12


def test_six_edits():
    least, six = theory.star_smooth(25, 4, 11, .001684)
    close(six, 9.4772277e-6, 1e-12)
    assert least >= 9.2e-3, least  # a thousand times more
    # the lower bound is one: a hub of degree d, one edge more
    nodes, leaves = 6, 3
    star = theory.adjacency(nodes, [(0, i) for i in range(1, 4)])
    more = theory.adjacency(nodes, [(0, i) for i in range(1, 5)])
    pattern = [(0, i) for i in range(1, leaves + 1)]
    gap = theory.density(leaves + 1, pattern, more) - theory.density(leaves + 1, pattern, star)
    assert gap >= (4 ** leaves - 3 ** leaves) / nodes ** (leaves + 1) - 1e-12


def test_theorem_a_4():
    close(theory.gauss_printed(10, 1e-6), .529880, 1e-6)
    assert theory.gauss_delta(theory.gauss_printed(10, 1e-6), 10) > 1.9e-6
    for epsilon in (.1, .5, 1):
        assert theory.gauss_delta(theory.gauss_printed(epsilon, 1e-6), epsilon) < 1e-6


def test_patterns_needed():
    for theta, telling in ((.05, .5), (.01, .1), (.3, .9)):
        d = theory.patterns_needed(theta, telling)
        assert (1 - telling) ** d <= theta + 1e-12 and (1 - telling) ** (d - 1) > theta
    # what it says of a pair: trees never tell two regular graphs of one degree apart
    hexagon = theory.adjacency(6, [(i, (i + 1) % 6) for i in range(6)])
    triangles = theory.adjacency(6, [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)])
    for order, edges in ((2, [(0, 1)]), (3, [(0, 1), (1, 2)]), (4, [(0, 1), (0, 2), (0, 3)]), (4, [(0, 1), (1, 2), (2, 3)])):
        close(theory.density(order, edges, hexagon), theory.density(order, edges, triangles))
    assert theory.density(3, [(0, 1), (1, 2), (0, 2)], triangles) > 0


def test_predicted_auc():
    rng = np.random.default_rng(2)
    for gap, sigma, spread in ((1, 1, 0), (.5, 2, 1)):
        s = math.hypot(sigma, spread)
        high, low = gap + s * rng.standard_normal(4000), s * rng.standard_normal(4000)
        auc = float((high[:, None] > low[None]).mean())
        assert abs(auc - theory.predicted_auc(gap, sigma, spread)) < .02


def test_sbm_means():
    """Lemma C.2 on its graphon, whose two blocks have the same size: exact, by blocks."""
    q, zeta = .4, .25
    table = np.array([[q + zeta, q - zeta], [q - zeta, q + zeta]])

    def mean(order, edges):
        return sum(math.prod(table[at[a], at[b]] for a, b in edges)
                   for at in itertools.product((0, 1), repeat=order)) / 2 ** order

    for m in (3, 4, 5):
        close(mean(m, [(i, (i + 1) % m) for i in range(m)]), q ** m + zeta ** m)
    for edges in ([(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (0, 3)]):
        close(mean(4, edges), q ** 3)


def test_sums_of_atoms_tell_bonds():
    """Table 3 calls sums of OGB's node columns edge-private. Degree counts hydrogens too: less those, its sum is twice the bonds."""
    folder = os.path.join(ROOT, "..", "shared", "data", "molbace")
    folder = folder if os.path.isdir(folder) else os.path.join(ROOT, "..", "..", "shared", "data", "molbace")
    if not os.path.isdir(folder):
        print("no data: what sums of atoms tell was not looked at")
        return
    owner = np.loadtxt(os.path.join(folder, "molbace_graph_indicator.txt.gz"), dtype=int) - 1
    arcs = np.loadtxt(os.path.join(folder, "molbace_A.txt.gz"), delimiter=",", dtype=int) - 1
    atoms = np.loadtxt(os.path.join(folder, "molbace_node_attributes.txt.gz"), delimiter=",")
    told = np.bincount(owner, atoms[:, 2] - atoms[:, 4])
    assert len(told) == 1513 and (told == np.bincount(owner[arcs[:, 0]])).all()
    assert np.median(told) > 40


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name)
