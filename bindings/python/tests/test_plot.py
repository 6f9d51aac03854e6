"""Pictures: what is drawn is what the numbers say, and the pictures of the guide are current."""
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

import numpy as np
import pytest

import privgraph as pg

PLACE = os.path.dirname(os.path.abspath(__file__))
pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib is not installed (Debian: python3-matplotlib)")


@pytest.fixture(autouse=True)
def closed():
    yield
    pyplot.close("all")


def words(ax):
    return [label.get_text() for label in ax.get_yticklabels()]


def test_preview_draws_noise_and_range():
    embedding = pg.PrivateEmbedding("edge,clique6", epsilon=1, delta=1e-6, max_degree=8)
    given = pyplot.subplots()[1]
    ax = pg.plot.preview(embedding, order=20, ax=given)
    assert ax is given and words(ax) == ["edge", "clique6 (hidden)"]
    lines = embedding.query_.preview(20).lines
    for row, line in enumerate(lines):
        drawn = [tuple(one.get_xdata()) for one in ax.lines if row in list(one.get_ydata())]
        assert (line.noise, line.range) in drawn
    numbers = pg.Query("scalars", list=["edges", "components"], epsilon=1)
    same = [pg.plot.preview(plan, 1000) for plan in (numbers, numbers.preview(1000))]
    assert words(same[0]) == words(same[1]) == ["edges", "components"] and same[0] is not same[1]
    assert len(words(pg.plot.preview(pg.DegreeEmbedding(levels=3, ranks=2), 50))) == 6


def test_depth_draws_what_previews_say():
    layers, assumption = pg.Layers("symmetric", contraction=0.8), pg.Assumption(order=100)
    target = pg.Target(epsilon=2, delta=1e-6)
    ax = pg.plot.depth(layers, assumption, 4, target, depths=[1, 3], methods=["output"])
    drawn, = ax.lines
    assert list(drawn.get_xdata()) == [1, 3]
    for depth, noise in zip(*drawn.get_data()):
        stack = pg.Layers("symmetric", int(depth), contraction=0.8)
        assert pg.Query("message-passing", layers=stack, order=assumption.order, max_degree=assumption.degree_bound or None,
                        degrees=assumption.degrees, columns=4, method="output", target=target).describe(assumption.order)["output_noise"] == noise
    with pytest.raises(pg.ArgumentError, match="weights"):
        pg.plot.depth(pg.Layers(weights=np.eye(4)[None]), assumption, 4, target)


def test_released_draws_values_and_noise():
    release = pg.Query("embed", patterns="edge,triangle", epsilon=1.0, delta=1e-6).draw([pg.Graph.cycle(30)] * 2)
    ax = pg.plot.released(release, row=1)
    dots = ax.lines[-1] if len(ax.lines[-1].get_xdata()) == 2 and list(ax.lines[-1].get_xdata()) != [0, 0] else \
        next(line for line in ax.lines if list(line.get_xdata()) == list(release.values[1]))
    assert list(dots.get_xdata()) == list(release.values[1]) and words(ax) == ["edge", "triangle"]
    bar = ax.containers[0].lines[2][0].get_segments()[0][:, 0]
    assert bar == pytest.approx([end[1, 0] for end in release.interval(0.95)])
    numbers = pg.Query("scalars", list=["edges"], epsilon=1).draw(pg.Graph.cycle(9))
    assert words(pg.plot.released(numbers)) == ["edges"]
    with pytest.raises(pg.ArgumentError, match="row is 2"):
        pg.plot.released(release, row=2)
    assert words(pg.plot.released(pg.Query("triangles", epsilon=1).draw(pg.Graph.clique(9)))) == [
        "triangles", "triangles-common"]
    secret = pg.Query("triangles", bound_share=0, epsilon=1).draw(pg.Graph.clique(9))
    assert secret.noise is None  # the noise of a ladder depends on the graph
    with pytest.raises(pg.ArgumentError, match="not public"):
        pg.plot.released(secret)


def test_measured_draws_the_table_of_advice():
    ax = pg.plot.measured("classes", "Cora")
    rows = sorted((line.epsilon, line.value) for line in pg.evidence("classes")
                  if line.set == "Cora" and line.release == "edge histograms")
    drawn = [sorted(zip(*line.get_data())) for line in ax.lines]
    assert rows in drawn
    with pytest.raises(pg.ArgumentError, match="Cora"):
        pg.plot.measured("classes", "nowhere")
    with pytest.raises(pg.ArgumentError, match="task is 'nothing', not classes"):
        pg.plot.measured("nothing")


def test_without_matplotlib_the_package_works_and_plot_says_what_to_install():
    program = ("import sys\nsys.modules['matplotlib'] = None\nimport privgraph as pg\n"
               "try:\n    pg.plot.measured()\nexcept ImportError as e:\n    print(e)\n")
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    assert "python3-matplotlib" in done.stdout


def text_of(path):
    return sorted(" ".join(node.itertext()) for node in xml.parse(path).iter()
                  if node.tag.endswith("}text"))


def test_pictures_of_the_guide_are_current(tmp_path):
    subprocess.run([sys.executable, os.path.join(PLACE, "..", "pictures.py"), str(tmp_path)], check=True)
    made = sorted(os.listdir(tmp_path))
    assert len(made) == 4
    for name in made:  # words and ticks, not bytes: those depend on the version of matplotlib
        stored = os.path.join(PLACE, "..", "..", "..", "docs", "guide", name)
        assert text_of(tmp_path / name) == text_of(stored), name
