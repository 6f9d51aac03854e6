"""The examples of docstrings run and print what they say; settings as strangers give them; errors in Python's words."""
import doctest
import importlib
import io
import inspect
import os
import pkgutil
import re
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


def _classes():
    return [kind for kind in (getattr(pg, name) for name in pg.__all__) if inspect.isclass(kind)
            and not issubclass(kind, BaseException)]


def _told(kind):
    """What a docstring names, and what it must name: arguments of the constructor, or fields."""
    made = "__init__" in vars(kind) or kind is pg.Ledger
    fields = getattr(kind, "_fields", None) or tuple(getattr(kind, "__dataclass_fields__", ()))
    wanted = set(fields)
    if made and not fields:
        wanted = {"epsilon", "delta", "notion", "objects"} if kind is pg.Ledger else \
            {name for name in inspect.signature(kind).parameters if name != "options"}
    text = inspect.getdoc(kind)
    return set(re.findall(r"\w+", text)), wanted, text


def test_every_class_has_a_docstring_with_an_example():
    kinds = _classes()
    assert len(kinds) > 45
    for kind in kinds:
        words, wanted, text = _told(kind)
        assert "\nExamples\n--------\n>>> " in text, kind
        assert not wanted or re.search(r"\n(Parameters|Attributes)\n----------\n", text), kind
        assert wanted <= words, (kind, wanted - words)


def test_names_are_where_the_table_says():
    for module, names in pg._NAMES.items():
        assert sorted(names.split()) == sorted(importlib.import_module(f"privgraph.{module}").__all__), module
    public = {name for name in MODULES if getattr(importlib.import_module(f"privgraph.{name}"), "__all__", [])}
    assert public == set(pg._NAMES) | set(pg._MODULES) and not set(pg._NAMES) & set(pg.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Grpah'"):
        pg.Grpah


def test_import_opens_the_library_and_no_more():
    look = "import sys, privgraph; print(sorted(name for name in sys.modules if name.startswith('privgraph.')))"
    folder = os.path.dirname(os.path.dirname(os.path.abspath(pg.__file__)))
    done = subprocess.run([sys.executable, "-c", look], stdout=subprocess.PIPE, text=True, check=True,
                          env=dict(os.environ, PYTHONPATH=folder))
    assert set(eval(done.stdout)) <= {f"privgraph.{name}" for name in ("_ffi", "_native", "_version", "errors")}


def test_names():
    assert not [name for name in pg.__all__ if isinstance(getattr(pg, name), types.ModuleType)
                and name not in pg._MODULES]
    assert not {"Any", "Dict"} & set(dir(pg)) and set(dir(pg)) == set(pg.__all__) and "forget_releases" in pg.__all__


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


def test_functions_in_messages_have_their_names_here():
    """Messages of the library name functions; every one of them has its own word in Python, which is there."""
    from privgraph import _native
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "lib")
    named = set()
    for folder, _folders, names in os.walk(root):
        for name in names:
            if name.endswith((".c", ".inc")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    for text in re.findall(r'"((?:[^"\\\n]|\\.)*)"', file.read()):
                        named |= set(re.findall(r"(?<=[ (])pvg_\w+(?!\w*\.h)", text))
    functions = {name for name in named if name in dir(_native._core)}
    assert len(functions) > 3 and functions <= set(_native._HERE_CALLED), functions - set(_native._HERE_CALLED)
    for words in _native._HERE_CALLED.values():
        found = pg
        for word in words.split("."):
            found = getattr(found, word)
        assert callable(found)
    with pytest.raises(pg.PrivacyError, match="Query.describe tells") as raised:
        pg.Query("message-passing", order=400, columns=2, operator="sum", epsilon=1, delta=1e-6).covariance()
    assert "pvg_" not in str(raised.value)


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
