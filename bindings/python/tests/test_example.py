"""studies/table2.py: the quick mode on generated graphs, and what it says without data."""
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

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
