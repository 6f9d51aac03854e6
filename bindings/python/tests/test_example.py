"""studies/table2.py: the quick mode on generated graphs, and what it says without data; so studies/attacks.py."""
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np

import privgraph as pg

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
TABLE2 = os.path.join(ROOT, "studies", "table2.py")


def run(*arguments):
    return subprocess.run([sys.executable, TABLE2, *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))


def test_quick(tmp_path):
    done = run("--quick", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "table2.md").read_text()
    rows = {cells[0].strip(): [float(cell.split()[0]) for cell in cells[1:5]]
            for cells in (line.strip("|").split("|") for line in text.splitlines()
                          if re.match(r"\| \w", line))}
    assert len(rows) == 7 and "node count and types (public)" in rows
    for name, (clean, released, attack, seconds) in rows.items():
        assert ("NOT PRIVATE" in name) == ("EXACT" in name), name
        assert 0 <= min(clean, released, attack) and max(clean, released, attack) <= 1 and seconds >= 0
    exact = rows["50 trees, EXACT **NOT PRIVATE**"]
    assert exact[1] > 0.9 and exact[2] > 0.9
    assert rows["edges, node count"][1] > 0.85  # expected numbers of edges differ by a factor 2
    assert rows["node count alone (public)"][1] < 0.75  # orders are drawn alike
    assert rows["50 trees"][2] < exact[2] / 2
    root = ElementTree.parse(tmp_path / "table2.svg").getroot()
    assert root.tag.endswith("svg")
    words = " ".join(element.text or "" for element in root.iter())
    assert "NOT PRIVATE" in words and "generated" in words


def test_figures(tmp_path):
    """studies/figures.py draws the tables of studies/results as the documents show them."""
    subprocess.run([sys.executable, os.path.join(ROOT, "studies", "figures.py"),
                    os.path.join(ROOT, "studies", "results"), str(tmp_path)], check=True)
    for name, panels, word in (("chains", 4, "no noise"), ("propagation", 4, "features only"),
                               ("perturbation", 2, "LapGraph")):
        root = ElementTree.parse(tmp_path / (name + ".svg")).getroot()
        ids = [element.get("id", "") for element in root.iter()]
        assert len([one for one in ids if re.fullmatch(r"axes_\d+", one)]) == panels
        assert any(word in (element.text or "") for element in root.iter())
        assert os.path.exists(os.path.join(ROOT, "docs", "measured", name + ".svg"))


def test_without_data(tmp_path):
    done = run("--data", str(tmp_path / "none"), "--out", str(tmp_path))
    assert done.returncode == 77 and done.stdout.startswith("skipped: ") and not os.listdir(tmp_path)


def test_attacks_go_on_where_they_stopped(tmp_path):
    """Every release on a small graph; cells of the CSV are not measured again, lost ones are; --report has them all."""
    folder, table = tmp_path / "data" / "cora", tmp_path / "attacks.csv"
    folder.mkdir(parents=True)
    graph = pg.Graph.blocks([50, 50, 50], 0.01 + 0.11 * np.eye(3), seed=1)
    label, pick = np.repeat([0, 1, 2], 50), np.random.default_rng(1)
    np.savetxt(folder / "edges.txt", np.asarray(graph.edges()).reshape(2, -1).T, "%d", header="order 150")
    np.savetxt(folder / "labels.txt", label, "%d")
    words = [sorted(set(pick.choice(10, 3) + 10 * one) | {29}) for one in label]
    (folder / "features.txt").write_text("".join(" ".join(map(str, row)) + "\n" for row in words))

    def study(*arguments):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "studies", "attacks.py"), *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
        assert done.returncode == 0, done.stderr
        return done

    asked = ("--quick", "--seeds", "1", "--data", str(tmp_path / "data"), "--sets", "cora", "--out", str(table))
    study(*asked)
    lines = table.read_text().splitlines(True)
    kept = [line for line in lines if ",LapGraph,1.0," not in line]
    assert len(lines) - len(kept) == 3
    table.write_text("".join(kept))
    again = study(*asked)
    assert again.stderr.count(" s\n") == 1 and "LapGraph 1:" in again.stderr
    assert len(table.read_text().splitlines()) == len(lines)
    page = study("--report", str(table)).stdout
    for row in ("histogram", "sums", "propagation (GAP)", "propagation (PCMP)", "LapGraph", "response", "DPRR", "Blink",
                "edge-set lists", "reported by users", "model (DP-SGD)", "degree levels", "synthetic graph"):
        assert f"| **{row}** | user" in page, row
    assert "exact GCN: influence" in page and "game: epsilon is at least" in page
