"""The examples of docstrings run and print what they say; settings as strangers give them; errors in Python's words."""
import doctest
import importlib
import io
import inspect
import os
import pkgutil
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest

import privgraph as pg
from privgraph.bar import Bar

MODULES = sorted(name for _, name, _ in pkgutil.iter_modules(pg.__path__) if not name.startswith("_"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert doctest.testmod(importlib.import_module(f"privgraph.{name}")).failed == 0


def test_what_people_use_has_an_example():
    for kind in (pg.Session, pg.Graph, pg.GraphSet, pg.Features, pg.Labels, pg.Query, pg.Release, pg.Guarantee, pg.Ledger,
                 pg.Curve, pg.PLD, pg.Target, pg.Mechanism, pg.Rng, pg.Density, pg.Patterns, pg.Preview,
                 pg.PrivateEmbedding, pg.DegreeEmbedding, pg.report):
        assert ">>>" in inspect.getdoc(kind), kind


def test_names():
    assert not [name for name in pg.__all__ if isinstance(getattr(pg, name), types.ModuleType)
                and name not in ("attack", "plot")]
    assert not {"Any", "Dict"} & set(dir(pg)) and "forget_releases" in pg.__all__


def test_numbers_are_targets_and_numpy_scalars_are_numbers():
    assert pg.Query("stars", target=1.0).text == pg.Query("stars", epsilon=1).text
    graphs = [pg.Graph.cycle(30).with_object("a")]
    with pg.Session(graphs, object="a", epsilon=9) as session:
        assert pg.DegreeEmbedding(levels=np.int64(4), epsilon=np.float32(1), session=session).fit_transform(
            session.graphs).shape == (1, 19)
        assert pg.PrivateEmbedding("trees", n_patterns=np.int64(3), max_degree=np.int64(5), epsilon=np.float32(1),
                                   pattern_seed=np.int64(3), threads=np.int64(1), session=session).fit_transform(
                                       session.graphs).shape == (1, 3)
    with pytest.raises(pg.ArgumentError, match="epsilon is 'a', not a number"):
        pg.Query("stars", target="a")
    for wrong in (0, -1, "1", float("nan"), True):
        with pytest.raises(pg.ArgumentError, match="epsilon is"):
            pg.Target(epsilon=wrong)


def test_pairs_in_rows_or_columns():
    pairs = np.array([[0, 1], [1, 2], [2, 3]])
    wanted = pg.Graph.from_edges(pairs.T, 5)
    assert pg.Graph.from_edges(pairs, 5, pairs=True) == wanted == pg.Graph.from_edges(pairs.tolist(), 5)
    # two edges: what an array means must not follow from how many edges there are
    assert pg.Graph.from_edges(pairs[:2], 5, pairs=True) == pg.Graph.from_edges(pairs[:2].T, 5)
    for wrong, how in ((pairs, {}), (np.zeros((3, 3), int), {}), (pairs.T, {"pairs": True})):
        with pytest.raises(pg.ArgumentError, match="edge_index has shape"):
            pg.Graph.from_edges(wrong, 5, **how)


def test_errors_are_in_our_words():
    for call in (lambda: pg.Ledger(0), lambda: pg.Graph.cycle(-3), lambda: pg.Query("stars", epsilon=1).draw(),
                 lambda: pg.Query("stars", epsilon=1).guarantee().epsilon(2), lambda: pg.Ledger.open("/nowhere/at/all")):
        with pytest.raises(pg.PrivGraphError) as raised:
            call()
        assert not any(word in str(raised.value) for word in ("pvg_", "->", "NULL")), str(raised.value)


def test_tables():
    pandas = pytest.importorskip("pandas")
    people = ["Ada", "Bob", "Cy"]
    named = pg.Graph.from_pandas(pandas.DataFrame({"a": ["Ada"], "b": ["Cy"]}), "a", "b", nodes=people)
    assert named.to_pandas().values.tolist() == [["Ada", "Cy"]]
    table = pg.Query("stars", epsilon=1).preview(100).to_pandas()
    assert list(table.index) == ["stars2", "stars2-degree"] and "noise" in table.columns


def test_reprs_are_short():
    graph = pg.Graph.cycle(60)
    made = pg.NodeClassifier(graph, messages={i: i % 2 for i in range(60)}, classes=list(range(50)))
    assert len(repr(made)) < 200 and "messages" in repr(made) and "epsilon" not in repr(made)


def test_estimators_tell_their_guarantee_also_of_a_draw_of_before():
    pg.forget_releases()
    with pg.Session([pg.Graph.cycle(30)], object="a", epsilon=1) as session:
        for _ in range(2):
            made = pg.PrivateEmbedding("edge", session=session)
            made.fit_transform(session.graphs)
            assert made.guarantee_.holds and made.release_.guarantee.id == made.guarantee_.id


def test_a_bar(capsys):
    bar, now = Bar(), 0.0
    bar._begin = bar._shown = 0.0
    bar._seen = [(0.0, 0.0)]
    import privgraph.bar as module
    clock = types.SimpleNamespace(monotonic=lambda: now)
    keep, module.time = module.time, clock
    try:
        for step in range(1, 41):  # twice as slow in its second half: what is left follows
            now = step * 0.5 if step <= 20 else 10 + (step - 20) * 1.0
            bar(step / 40)
            if step == 30:
                assert bar.left(now, 0.75) == pytest.approx(10, rel=0.25)
    finally:
        module.time = keep
    told = capsys.readouterr().err
    assert "100 %" in told and "left" in told and told.endswith("\n")
    quick = Bar()
    quick(0.5), quick(1.0)
    assert capsys.readouterr().err == ""
    with pytest.raises(pg.ArgumentError, match="progress is a str"):
        pg.Density("edge").count_exact(pg.Graph.cycle(5), progress="yes")
    assert pg.Density("edge").count_exact(pg.Graph.cycle(5), progress=True).tolist() == [10]


def test_the_program(tmp_path):
    try:
        page = pg.report(pg.Query("stars", epsilon=1, allow_seeded=True).draw(pg.Graph.cycle(9), rng=pg.Rng.seeded(1)),
                         tmp_path / "page.html", title="Nine")
    except pg.FileError as missing:
        pytest.skip(str(missing))
    assert "Nine" in page and (tmp_path / "page.html").read_text(encoding="utf-8") == page
    folder = os.path.dirname(os.path.dirname(os.path.abspath(pg.__file__)))
    done = subprocess.run([sys.executable, "-m", "privgraph", "--version"], stdout=subprocess.PIPE, text=True,
                          env=dict(os.environ, PYTHONPATH=folder), check=True)
    assert pg.__version__ in done.stdout
    with pytest.raises(pg.ArgumentError, match="not a Release"):
        pg.report(3)
