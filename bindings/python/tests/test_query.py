"""Queries: every kind draws the bits it always drew; hostile values; one payment for several draws;
what follows from a query and its release."""
import gc
import hashlib
import inspect
import os
import pickle
import warnings

import numpy as np
import pytest

import privgraph as pg

ORDER = 24
GRAPH = pg.Graph.preferential(ORDER, 3, seed=5)
SET = pg.GraphSet.sbm(ORDER, [0.2, 0.3], 3)
X = np.random.default_rng(3).uniform(0, 1, (ORDER, 5))
Y = np.arange(ORDER) % 4
HALVES = (np.arange(ORDER) % 2).astype(np.int32)
THIRDS = np.arange(ORDER) % 3
THINGS = 6
LISTS = pg.Lists.from_pairs(np.arange(3 * ORDER) % ORDER, np.arange(3 * ORDER) * 7 // 5 % THINGS, persons=ORDER, things=THINGS)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pg.RepeatedReleaseWarning)
        warnings.simplefilter("ignore", pg.NothingVisibleWarning)
        pg.forget_releases()
        yield


class Case:
    """A query, what it is asked of, and a digest of what a seeded draw holds: no bit of it may change."""

    def __init__(self, bits, options, data=None, **asked):
        self.bits, self.options, self.data, self.asked = bits, options, GRAPH if data is None else data, asked

    def query(self, kind, **more):
        return pg.Query(kind, allow_seeded=True, **self.options, **more)


SCALARS = ["edges", "components", "largest-degree", "radius"]
CASES = {
    "embed": Case("094a0d877739f1c2", dict(patterns="edge,path3,triangle", max_degree=4, epsilon=1, delta=1e-6)),
    "message-passing": Case("6b38aad1de18b69b", dict(columns=5, order=ORDER, max_degree=4, epsilon=1, delta=1e-6),
                            features=X,
                            open="features"),
    "edge-histogram": Case("1d06b72d84046edb", dict(groups=HALVES, kinds=THIRDS, epsilon=2)),
    "degrees": Case("ed7748e33b045bbe", dict(levels=4, ranks="all", groups=HALVES, epsilon=2)),
    "capped-edges": Case("3f5058337800d136", dict(cap=3, epsilon=2)),
    "capped-degrees": Case("7d7adea505d1bb97", dict(order=ORDER, epsilon=2)),
    "capped-triangles": Case("7a3114764ad5235e", dict(order=ORDER, epsilon=2)),
    "node-scalars": Case("70185897aff02d02", dict(list=["matching", "fractional-matching", "rank1"], epsilon=2)),
    "group-ratio": Case("d81651f2ad7da892", dict(ratio="homophily", groups=HALVES, parts=3, epsilon=2)),
    "triangles": Case("a64fb36eb3492009", dict(bound_share=0, epsilon=2)),
    "stars": Case("c3b0a1ee98ef4903", dict(leaves=3, bound_share=0, epsilon=2)),
    "scalars": Case("829d888b994dea98", dict(list=SCALARS, weights=[1, 2, 3, 4], epsilon=2)),
    "spectrum": Case("1a4f59c9ceff0f95", dict(order=ORDER, epsilon=2)),
    "synthesis": Case("4e3af98506a9c4c0", dict(groups=HALVES, degrees_share=0.45, between_share=0.15,
                                               triangles_share=0.3, assortativity_share=0.1, epsilon=2)),
    "response": Case("0d6c7b3b84cd786b", dict(epsilon=2)),
    "lapgraph": Case("b27c7e5b2ab4b447", dict(epsilon=2)),
    "dprr": Case("febc9d7137539335", dict(reports="half", epsilon=2)),
    "blink": Case("ba0fb9806a6bfb7c", dict(epsilon=2)),
    "subset": Case("6930b9cfb75fdcd4", dict(epsilon=2)),
    "slots": Case("c97fde92644ea9c4", dict(groups=HALVES, node_epsilon=0.5, epsilon=2)),
    "features": Case("c892eb24d0c98d72", dict(columns=5, low=0, high=np.ones(5), epsilon=2), X),
    "labels": Case("cc9fcd07c7c98796", dict(classes=4, epsilon=2), Y),
    "list-lengths": Case("a5abee6881a9384d", dict(things=THINGS, epsilon=2), LISTS),
    "list-top": Case("2c6a6b8891e20b75", dict(things=THINGS, top=3, counts=0.4, epsilon=2), LISTS),
    "list-rows": Case("bb144526e34fa437", dict(things=THINGS, bound=2, epsilon=2), LISTS),
    "list-groups": Case("13f23f8b16c6fe3a", dict(things=THINGS, groups=3, epsilon=2), LISTS, labels=THIRDS),
    "list-pairs": Case("2fd12b148cd97f9a", dict(things=THINGS, epsilon=2), LISTS),
    "graphprivatizer": Case("34fc736be1525788", dict(epsilon=2), features=X, open=["features"]),
}


def spent(ledger, name):
    return ledger.spent(name, 0.0)


def contents(release):
    """What a release holds, to compare."""
    held = {}
    for what in release.holds:
        found = {"numbers": lambda: release.values, "graph": lambda: release.graph.edges(),
                 "lists": lambda: np.concatenate(release.lists), "labels": lambda: release.labels,
                 "features": lambda: release.features.to_dense()}[what]()
        held[what] = np.array(found)
    return held


def digest(held):
    every = hashlib.sha256()
    for what, value in held.items():
        every.update(f"{what} {value.dtype} {value.shape} ".encode() + value.tobytes())
    return every.hexdigest()[:16]


def test_every_kind_has_a_case():
    assert set(CASES) == set(pg.kinds())
    # keywords of the constructor are not options of a kind
    own = set(inspect.signature(pg.Query.__init__).parameters)
    for kind in pg.kinds().values():
        assert not own & {option.name.replace("-", "_") for option in kind.options + kind.common}
        assert kind.says and kind.reads and kind.gives and kind.notions


@pytest.mark.parametrize("kind", sorted(CASES))
def test_draws_the_same_bits_as_ever(kind):
    case = CASES[kind]
    query = case.query(kind)
    mine = query.draw(case.data, rng=pg.Rng.seeded(7), **case.asked)
    held = contents(mine)
    assert tuple(held) == mine.holds and held
    assert digest(held) == case.bits
    assert mine.guarantee.claim == pg.kinds()[kind].claim
    assert mine.query == query.text and mine.columns == (query.columns if "numbers" in mine.holds else [])
    assert mine.shape == query.shape(case.data, **case.asked)
    told = query.guarantee(ORDER if kind == "embed" else None)
    assert told.epsilon(1e-6) == (mine if kind == "graphprivatizer" else query.draw(
        case.data, **case.asked)).guarantee.epsilon(1e-6)


@pytest.mark.parametrize("kind", sorted(CASES))
def test_text_comes_back(kind):
    case = CASES[kind]
    query = case.query(kind)
    arrays = {name: value for name, value in case.options.items()
              if name in ("groups", "kinds", "weights") and not isinstance(value, int)}
    if kind == "features":
        arrays = {"low": np.zeros(5), "high": np.ones(5)}
    again = pg.Query.parse(query.text, allow_seeded=True, **arrays)
    assert again.text == query.text and again.id == query.id and repr(again) == f"<Query {query.text}>"
    assert again.kind == kind and again.reads == query.reads == pg.kinds()[kind].reads
    assert again.notion == query.notion
    if "order" in pg.kinds()[kind].can or arrays.keys() & {"groups", "kinds"}:
        assert query.order == ORDER


@pytest.mark.parametrize("kind", sorted(set(CASES) - {"features"}))
def test_previews(kind):
    case = CASES[kind]
    query = case.query(kind)
    plan = query.preview(ORDER)
    assert len(plan) > 0 and len(query.preview(ORDER, brief=True)) == len(plan)
    rows, columns = query.shape(case.data, **case.asked)
    if not columns:
        assert query.columns == ([] if kind != "labels" else ["class"])
        return
    assert len(query.columns) == len(set(query.columns)) == columns
    exact = query.values_exact(case.data, **case.asked)
    assert exact.shape == (rows, columns)
    release = query.draw(case.data, **case.asked)
    if kind in ("triangles", "stars", "capped-degrees", "capped-triangles", "group-ratio"):
        assert release.noise is None
        with pytest.raises(pg.PrivacyError):
            query.covariance(ORDER)
    elif kind != "synthesis":
        noise = np.sqrt(np.diagonal(query.covariance(ORDER)))
        assert np.array_equal(release.noise, noise, equal_nan=True)
        added = ~np.isnan(noise)  # all but the things of list-top, which are chosen: no noise is added to them
        assert added.tolist() == ([False, True] if kind == "list-top" else [True] * columns) and (noise[added] > 0).all()
        # what is counted of list-top is of the things that were chosen, others than those on top
        assert kind == "list-top" or (abs(release.values - exact) < 60 * noise).all()


# --- words -----------------------------------------------------------------------------

@pytest.mark.parametrize("options, words", [
    (dict(kind="star"), "'star' .* is no kind; there are embed"),
    (dict(kind="stars", leafs=3), "stars has no option 'leafs' .*; it has leaves"),
    (dict(kind="stars", leaves=5), "stars: leaves is 5, not 2 or 3"),
    (dict(kind="stars", leaves=2.5), "stars: leaves is 2.5, not 2 or 3"),
    (dict(kind="stars", leaves=float("nan")), "stars: leaves is nan"),
    (dict(kind="stars", epsilon=float("inf")), "epsilon is inf"),
    (dict(kind="stars", epsilon=-1), "epsilon is -1, not a positive number"),
    (dict(kind="stars", epsilon=2 ** 70, leaves=2 ** 70), "leaves is 1180591620717411303424"),
    (dict(kind="stars", groups=[0, 1]), "stars takes no groups"),
    (dict(kind="stars", leaves=""), "leaves has no value"),
    (dict(kind="stars", target=pg.Target(epsilon=1)), "epsilon is in the text and in target"),
    (dict(kind="dprr", reports="some"), r"reports is some, not one of owned\|half\|published"),
    (dict(kind="scalars"), "needs list"),
    (dict(kind="spectrum"), "needs order"),
    (dict(kind="spectrum", order=-3), "order is -3"),
    (dict(kind="degrees", groups=[0, 1, 1], order=4), "order is 4 in the text and 3 in arguments"),
    (dict(kind="degrees", groups=[]), "order is needed"),
    (dict(kind="features", columns=3, low=[0.0, 1.0], high=2), "ranges"),
    (dict(kind="features", columns=3, low=[0.0, 1.0]), "do not agree"),
    (dict(kind="edge-histogram", weights=np.ones((4, 2)), order=5), "5 in the text and 4"),
])
def test_refusals_are_the_library_s(options, words):
    given = dict(epsilon=1, **options) if "epsilon" not in options else options
    with pytest.raises(pg.ArgumentError, match=words) as caught:
        pg.Query(given.pop("kind"), **given)
    assert caught.value.status == "PVG_E_ARGUMENT" and "pvg_" not in str(caught.value)


HOSTILE = ["3 epsilon=9", "3\tepsilon=9", "3\nepsilon=9", "3 + triangles", "+", "3+3", "=", "leaves=3", "3\x00", "\u00a03",
           "\u2003", "3\u2028", "é", " 3", "3 ", b"3", 3j, object(), {}, {3}, True, np.True_, np.bool_(0), [3], [[3]],
           ["3", "4,5"], ["a b"], ["a", "+"], [""], ("edges", 3), np.array("3 epsilon=9"), np.str_("3 epsilon=9"), [True],
           np.timedelta64(3, "ns"), np.datetime64(3, "ns"), np.ma.masked, np.bytes_(b"3"), np.complex64(3)]


@pytest.mark.parametrize("value", HOSTILE, ids=repr)
def test_hostile_values_never_become_text(value):
    for option in ("leaves", "epsilon", "order", "unknown"):
        if option == "unknown" and isinstance(value, (bool, np.bool_)):
            continue  # the library refuses the option
        given = {"epsilon": 1, option: value}
        with pytest.raises(pg.ArgumentError) as caught:
            pg.Query("stars", **given)
        assert not hasattr(caught.value, "status") or caught.value.status != "PVG_E_ARGUMENT" \
            or not str(caught.value).startswith("pvg_"), caught.value
    for kind in ("stars epsilon=9", "stars + stars", "", " stars", "stars\n", "stars=", None, 3):
        with pytest.raises(pg.ArgumentError, match="Query.parse"):
            pg.Query(kind, epsilon=1)
    for name in ("leaves=3 epsilon", "leaves leaves", "", "leaves\n", "+", "leaves=3"):
        with pytest.raises(pg.ArgumentError, match="no name of an option"):
            pg.Query("stars", **{"epsilon": 1, name: 3})


class Liar(str):
    def __str__(self):
        return "3 epsilon=9"

    def __format__(self, spec):
        return "3 epsilon=9"

    __repr__ = __str__


class Number(int):
    def __str__(self):
        return "3 epsilon=9"

    __repr__ = __format__ = lambda self, *_: "3 epsilon=9"


def test_numbers_mean_what_they_are():
    text = pg.Query("stars", leaves=3, epsilon=1).text
    for three in (3, 3.0, "3", np.int8(3), np.uint64(3), np.float32(3), np.array(3), np.longdouble(3), Liar("3"),
                  Number(3), np.str_("3")):
        assert pg.Query("stars", leaves=three, epsilon=np.float64(1)).text == text
    # without loss, and without a plus sign
    for limit in (0.1, 1 / 3, 1e-5, 1e16, 1.5e20, -1.5e100, np.float32(0.1)):
        told = pg.Query("features", columns=1, low=limit, high=1e101, epsilon=1).text
        assert float(told.split(" low=")[1].split()[0]) == float(limit) and " + " not in told
    flag = pg.Query("embed", patterns=["edge", "triangle"], append_order=True, saturate=np.False_, epsilon=1)
    assert "patterns=edge,triangle" in flag.text and "append-order=yes saturate=no" in flag.text
    assert flag.columns == ["edge", "triangle", "order"]
    assert pg.Query("stars", leaves=None, epsilon=1).text == pg.Query("stars", epsilon=1).text
    assert pg.Query("edge_histogram", order=3, epsilon=1).kind == "edge-histogram"


def test_arrays_and_numbers_of_one_name():
    # a number is the option, an array the argument; both by its name in the text
    assert "groups=3 groups-of=#" in pg.Query("degrees", groups=3, groups_of=HALVES, epsilon=1).text
    assert "layers=3" in pg.Query("message-passing", columns=2, order=5, layers=3, max_degree=2, epsilon=1).text
    given = pg.Query("message-passing", columns=2, order=5, layers=pg.Layers(depth=3), max_degree=2, epsilon=1)
    assert "layers-of=#" in given.text
    listed = pg.Query("embed", patterns=pg.Patterns.from_names("edge,triangle"), epsilon=1)
    assert "patterns-of=#" in listed.text and listed.columns == ["edge", "triangle"]
    ends = pg.Query("features", columns=3, low=[0, 0, 1], high=2, epsilon=1)
    assert "ranges=#" in ends.text
    assert pg.Query("slots", order=4, similarities=np.eye(4), epsilon=1).kind == "slots"
    for wrong in (dict(groups=HALVES, kinds=[0, 1]), dict(groups=HALVES[None]), dict(groups=[0.5, 1]),
                  dict(priorities=np.zeros((2, 2))), dict(similarities=np.eye(3)[:2]), dict(weights=np.ones((2, 2, 2))),
                  dict(groups=[2 ** 40]), dict(groups=HALVES, groups_of=HALVES), dict(layers=[1, 2]),
                  dict(low=np.zeros((2, 2)), high=1), dict(low=[0.0, 1.0, 2.0], high=[1.0, 2.0])):
        with pytest.raises(pg.ArgumentError):
            pg.Query("edge-histogram", epsilon=1, **wrong)
    with pytest.raises(pg.ArgumentError, match='options stand in it: "stars epsilon=1 leaves=3"'):
        pg.Query.parse("stars epsilon=1", leaves=3)
    with pytest.raises(pg.ArgumentError, match="groups are names; they must be numbers"):
        pg.Query("degrees", groups=["a", "b", "a"], epsilon=1)
    with pytest.raises(pg.ArgumentError, match="differ from groups-of"):
        pg.Query.parse(pg.Query("degrees", groups=HALVES, epsilon=1).text, groups=1 - HALVES)
    with pytest.raises(pg.ArgumentError, match="sources has a int"):
        pg.Query("stars", epsilon=1, sources=[3])


# --- asking ----------------------------------------------------------------------------

def test_wrong_inputs():
    stars = pg.Query("stars", epsilon=1)
    passing = CASES["message-passing"].query("message-passing")
    book = pg.Ledger(5)
    for words, ask in (
            ("stars reads the graph; graph is missing", lambda: stars.draw()),
            ("does not read the features", lambda: stars.draw(GRAPH, features=X)),
            ("names the graph, which stars hides", lambda: stars.draw(GRAPH, open="graph")),
            ("open is 'edges'", lambda: stars.draw(GRAPH, open="edges")),
            ("not for sets", lambda: passing.draw(SET, features=X, open="features")),
            ("a ledger needs", lambda: stars.draw(GRAPH, ledger=book)),
            ("objects has 2 entries for one graph", lambda: stars.draw(GRAPH, object=["a", "b"], ledger=book)),
            ("sources belong to open parts", lambda: stars.draw(GRAPH, sources=stars.draw(GRAPH))),
            ("labels does not read the graph", lambda: CASES["labels"].query("labels").draw(GRAPH, labels=Y))):
        with pytest.raises(pg.ArgumentError, match=words):
            ask()
    with pytest.raises(pg.PrivacyError, match="reads the features and does not hide them"):
        passing.draw(GRAPH, features=X)
    with pytest.raises(pg.PrivacyError, match="seeded"):
        stars.draw(GRAPH, rng=pg.Rng.seeded(1))
    with pytest.raises(TypeError, match="rng must be"):
        stars.draw(GRAPH, rng=7)
    assert book.charges == 0


def test_objects_and_sets():
    book = pg.Ledger(5, objects={"net": 1, "set": len(SET)})
    query = pg.Query("stars", epsilon=1)
    query.draw(GRAPH, object="net", ledger=book)
    assert spent(book, "net") == pytest.approx(1)
    made = query.draw(SET, object="set", ledger=book)
    assert made.shape == (len(SET), 2) and [round(spent(book, f"set:{i}"), 6) for i in range(len(SET))] == [1] * len(SET)
    again = query.draw(list(SET), object=[f"set:{i}" for i in range(len(SET))], ledger=book)
    assert again.shape == made.shape and spent(book, "set:1") == pytest.approx(2)
    assert made.guarantee.about("edge", "set:1").epsilon() == pytest.approx(1)
    with pytest.raises(pg.ArgumentError):
        made.guarantee.about("edge", "net")
    with pytest.raises(pg.PrivacyError):
        pg.Query("stars", epsilon=9).draw(GRAPH, object="net", ledger=book)


def test_draws_are_counted_and_warned_of():
    graph = pg.Graph.preferential(50, 3, seed=1)
    query, book = pg.Query("scalars", list="edges", epsilon=1), pg.Ledger(50)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        query.draw(graph, object="net", ledger=book)
        query.draw(graph, object="net", ledger=book)  # the same ledger pays
    with pytest.warns(pg.RepeatedReleaseWarning, match="3 times by now"):
        query.draw(graph, object="net")
    with warnings.catch_warnings():
        warnings.simplefilter("error", pg.RepeatedReleaseWarning)
        with pytest.raises(pg.RepeatedReleaseWarning) as caught:
            query.draw(graph, object="net", ledger=book)
    assert caught.value.releases[0].query == query.text  # nothing is lost
    with pytest.warns(pg.SnapshotWarning):
        query.draw(graph, object="net-2024-05-01", ledger=book)
    with pytest.warns(pg.NothingVisibleWarning, match="edges"):
        pg.Query("scalars", list="edges", epsilon=1e-4).draw(pg.Graph.cycle(9))


def test_names_of_nodes_and_columns():
    pandas = pytest.importorskip("pandas")
    names = ["ann", "bob", "cid", "dee"]
    graph = pg.Graph.from_pandas(pandas.DataFrame({"from": ["ann", "bob"], "to": ["bob", "cid"]}), "from", "to",
                                 nodes=names)
    rows = pg.Query("edge-histogram", kinds=[0, 1, 0, 1], epsilon=1).draw(graph).to_pandas()
    assert list(rows.index) == names and list(rows.columns) == ["kind0", "kind1"]
    grouped = pg.Query("edge-histogram", groups=[3, 2, 1, 0], epsilon=1).draw(graph)
    assert list(grouped.to_pandas().index) == [0, 1, 2, 3]
    assert list(pg.Query("response", epsilon=1).draw(graph).graph.nodes) == names
    column = grouped.guarantee.column(0)
    assert column.name == grouped.columns[0] and column.scale > 0
    with pytest.raises(pg.ArgumentError, match="no column"):
        grouped.guarantee.column(9)
    again = pickle.loads(pickle.dumps(grouped))
    assert again.columns == grouped.columns and np.array_equal(again.noise, grouped.noise)
    assert again.query == grouped.query and again.loaded


# --- several in one --------------------------------------------------------------------

def test_joined():
    stars, edges = pg.Query("stars", epsilon=1), pg.Query("scalars", list=["edges", "leaves"], epsilon=0.5)
    both = stars + edges + pg.Query("stars", leaves=3, epsilon=0.25)
    assert both.kind == "joined" and both.columns == ["stars2", "stars2-degree", "edges", "leaves", "stars3", "stars3-degree"]
    assert both.text == " + ".join([stars.text, edges.text, pg.Query("stars", leaves=3, epsilon=0.25).text])
    assert pg.Query.parse(both.text).id == both.id
    assert both.guarantee().epsilon() == pytest.approx(1.75)
    release = both.draw(GRAPH)
    parts = [release.select(i) for i in range(3)]
    assert np.hstack([part.values for part in parts]).tolist() == release.values.tolist()
    assert [part.columns for part in parts] == [["stars2", "stars2-degree"], ["edges", "leaves"], ["stars3", "stars3-degree"]]
    # the same draw counts once
    total = pg.Release.derive([parts[0].values[0, 0] + parts[1].values[0, 0]], [release, *parts], "a sum")
    assert total.epsilon() == pytest.approx(1.75) and total.query == "" and total.holds == ("numbers",)
    assert pg.Release.derive([[1.0]], both.draw(GRAPH), "one").epsilon() == pytest.approx(1.75)
    assert pg.Release.derive([1, 2], [release, both.draw(GRAPH)], "two").epsilon() == pytest.approx(3.5)
    for wrong in (lambda: release.select(3), lambda: parts[0].select(0), lambda: pg.Release.derive([1.0], [], "none"),
                  lambda: pg.Release.derive(np.zeros((1, 1, 1)), [release], "deep"),
                  lambda: stars + pg.Query("response", epsilon=1)):
        with pytest.raises(pg.ArgumentError):
            wrong()
    with pytest.raises(TypeError):
        stars + 1
    shared = pg.Query.parse("scalars list=edges share=1 + triangles share=2 epsilon=3")
    assert shared.guarantee().epsilon() == pytest.approx(3)


def test_queries_made_from_releases():
    book = pg.Ledger(5)
    first = pg.Query("edge-histogram", order=ORDER, epsilon=1).draw(GRAPH, object="net", ledger=book)
    groups = (first.values[:, 0] > 2).astype(np.int32)
    query = pg.Query("degrees", levels=2, ranks=2, groups=2, groups_of=groups, sources=[first], epsilon=0.5)
    second = query.draw(GRAPH, object="net", ledger=book)
    assert second.epsilon() == pytest.approx(1.5) and spent(book, "net") == pytest.approx(1.5)
    # a list that is read once is not forgotten, nor are releases that nobody else has
    fresh = pg.Query("degrees", levels=2, ranks=2, groups=groups, epsilon=0.5, sources=(
        pg.Query("stars", epsilon=1).draw(GRAPH) for _ in range(2)))
    gc.collect()
    assert fresh.guarantee().epsilon() == pytest.approx(2.5)
    other = pg.Ledger(5)
    query.draw(GRAPH, object="net", ledger=other)
    assert spent(other, "net") == pytest.approx(1.5)


# --- compositions ----------------------------------------------------------------------

def test_one_payment():
    graph = pg.Graph.preferential(50, 3, seed=2)
    book, poor = pg.Ledger(5), pg.Ledger(1, notion="label-ldp")
    stars, triangles = pg.Query("stars", epsilon=1), pg.Query("triangles", epsilon=1)
    with pg.Composition() as all_of_it:
        first = all_of_it.add(stars, graph, object="net", ledger=book, times=2)
        labels = all_of_it.add(pg.Query("labels", classes=4, epsilon=1), labels=Y, object="net", ledger=poor)
        assert (first, labels) == (0, 1)
        assert all_of_it.guarantee("edge").epsilon() == pytest.approx(2)
        assert all_of_it.guarantee("label-ldp").epsilon() == pytest.approx(1)
        with pytest.raises(pg.ArgumentError, match="not paid"):
            all_of_it.draw(first)
        with pytest.raises(pg.ArgumentError, match="objects"):
            all_of_it.add(stars, graph, object="other", ledger=book)
        assert book.charges == 0
        all_of_it.pay()
        assert spent(book, "net") == pytest.approx(2) and spent(poor, "net") == pytest.approx(1)
        with pytest.raises(pg.ArgumentError, match="paid"):
            all_of_it.add(stars, graph, object="net", ledger=book)
        with pytest.raises(pg.ArgumentError, match="paid"):
            all_of_it.pay()
        one = all_of_it.draw(first)
        assert one.query == stars.text
        with pytest.raises(pg.PrivacyError, match="does not promise as much"):
            all_of_it.draw(first, pg.Query("stars", epsilon=2))
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # the same ledger has paid
            assert all_of_it.draw(first, triangles).query == triangles.text  # chosen in view of the first
        with pytest.raises(pg.PrivacyError, match="used up"):
            all_of_it.draw(first)
        assert len(all_of_it.draw(labels).labels) == ORDER
        for wrong in (-1, 2):
            with pytest.raises(pg.ArgumentError, match="no place"):
                all_of_it.draw(wrong)
        assert spent(book, "net") == pytest.approx(2)
    for closed in (lambda: all_of_it.draw(first), all_of_it.pay, all_of_it.guarantee, lambda: all_of_it.add(stars, graph)):
        with pytest.raises(pg.ArgumentError, match="closed"):
            closed()


def test_all_ledgers_pay_or_none():
    rich, poor = pg.Ledger(5), pg.Ledger(0.5, notion="label-ldp")
    both = pg.Composition()
    both.add(pg.Query("stars", epsilon=1), GRAPH, object="net", ledger=rich)
    both.add(pg.Query("labels", classes=4, epsilon=1), Y, object="net", ledger=poor)
    with pytest.raises(pg.PrivacyError):
        both.pay()
    assert rich.charges == poor.charges == 0


def test_ledgers_of_compositions_live_long_enough(tmp_path):
    stars = pg.Query("stars", epsilon=1)
    # lent, and dropped by everybody else
    whole = pg.Composition()
    whole.add(stars, GRAPH, object="net", ledger=pg.Ledger.create(tmp_path / "book", 5))
    gc.collect()
    whole.pay()
    assert whole.draw(0).publishable
    del whole
    gc.collect()
    with pg.Ledger.open(tmp_path / "book") as book:  # its lock is gone
        assert spent(book, "net") == pytest.approx(1)
    # one that was closed does not pay, and is freed afterwards
    late, book = pg.Composition(), pg.Ledger.open(tmp_path / "book")
    late.add(stars, GRAPH, object="net", ledger=book)
    book.close()
    with pytest.raises(pg.ArgumentError, match="the ledger is closed"):
        late.pay()
    late.close()
    # closed after it has paid: the draw still knows who did
    with pg.Composition() as paid:
        book = pg.Ledger.open(tmp_path / "book")
        paid.add(stars, GRAPH, object="net", ledger=book)
        paid.pay()
        book.close()
        assert paid.draw(0).publishable
    with pg.Ledger.open(tmp_path / "book") as book:
        assert spent(book, "net") == pytest.approx(2)


def test_sources_of_open_parts_stay():
    passing = CASES["message-passing"].query("message-passing")
    noisy = pg.Query("features", columns=5, epsilon=1).draw(X)
    made = passing.draw(GRAPH, features=noisy.values, open="features", sources=(one for one in [noisy]))
    assert made.record["sources"] == f"{noisy.guarantee.id:032x}"
    draws = pg.Composition()
    draws.add(passing, GRAPH, features=noisy.values, open="features", sources=(one for one in [noisy]))
    draws.pay()
    again = draws.draw(0, CASES["message-passing"].query("message-passing"))
    assert again.record["sources"] == made.record["sources"]


def test_forks_do_not_draw_twice():
    draws = pg.Composition()
    draws.add(pg.Query("stars", epsilon=1), GRAPH)
    draws.pay()
    child = os.fork()
    if child == 0:
        try:
            draws.draw(0)
        except pg.PrivacyError:
            os._exit(7)
        os._exit(0)
    assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 7
    assert draws.draw(0).publishable


def test_unpaid_places_are_counted():
    graph = pg.Graph.preferential(50, 3, seed=3)
    free = pg.Composition()
    free.add(pg.Query("stars", epsilon=1), graph, times=2)
    free.pay()
    free.draw(0)
    with pytest.warns(pg.RepeatedReleaseWarning):
        free.draw(0)


# --- what follows ----------------------------------------------------------------------

def test_estimates(tmp_path):
    degrees = pg.Query("degrees", order=ORDER, levels=4, ranks="all", epsilon=100)  # the noise rounds away
    drawn = degrees.draw(GRAPH)
    drawn.save(tmp_path / "saved")
    true = sorted((GRAPH.degree(v) for v in range(ORDER)), reverse=True)
    for release in (drawn, pg.Release.load(tmp_path / "saved")):
        assert pg.estimate_sequence(degrees, release).tolist() == true
        assert pg.estimate_moments(degrees, release, count=3).tolist() == [ORDER, sum(true), sum(d * d for d in true)]
        assert pg.estimate_densities(degrees, release, "edge")[0] == pytest.approx(sum(true) / ORDER ** 2)
    anyone = pg.Query("degrees", levels=4, ranks=4, epsilon=2)
    assert len(pg.estimate_sequence(anyone, anyone.draw(GRAPH), ORDER)) == ORDER

    # their laws are tested in test_perturb.py; here, that they take what they should
    response, labels = pg.Query("response", epsilon=30), pg.Query("labels", classes=4, epsilon=30)
    graph, answers = response.draw(GRAPH), labels.draw(Y)
    assert pg.estimate_edges(response, graph)[0] == pytest.approx(GRAPH.size, rel=1e-9)
    assert pg.estimate_degrees(response, graph)[0] == pytest.approx([GRAPH.degree(v) for v in range(ORDER)], rel=1e-9)
    assert pg.estimate_triangles(response, graph)[0] == pytest.approx(
        pg.Query("triangles", epsilon=1).values_exact(GRAPH)[0, 0], rel=1e-9)
    assert pg.estimate_labels(labels, answers)[0] == pytest.approx([6, 6, 6, 6])
    assert pg.estimate_transition(labels) == pytest.approx(np.eye(4), abs=1e-9)
    assert pg.estimate_variance(pg.Query("features", columns=5, epsilon=2), 1, 0.5) > 0

    synthesis = pg.Query("synthesis", order=ORDER, epsilon=2)
    numbers = synthesis.draw(GRAPH)
    made, again = (pg.synthesis_graph(synthesis, numbers, rng=pg.Rng.seeded(1)) for _ in range(2))
    assert made.order == ORDER and made.edges().tolist() == again.edges().tolist()

    other = pg.Query("degrees", order=ORDER, levels=4, ranks="all", epsilon=1)
    for wrong in (lambda: pg.estimate_sequence(other, release), lambda: pg.estimate_moments(other, release),
                  lambda: pg.estimate_edges(response, release), lambda: pg.estimate_labels(labels, release),
                  lambda: pg.estimate_labels(degrees, release), lambda: pg.estimate_transition(degrees),
                  lambda: pg.estimate_variance(labels, 0, 0.5), lambda: pg.estimate_degrees(response, release),
                  lambda: pg.synthesis_graph(degrees, numbers), lambda: pg.estimate_sequence(anyone, release),
                  lambda: pg.estimate_sequence(degrees, release, 7),
                  lambda: pg.estimate_densities(other, release, "edge")):
        with pytest.raises(pg.ArgumentError):
            wrong()


def test_a_query_is_no_pickle():
    with pytest.raises(TypeError):
        pickle.dumps(pg.Query("stars", epsilon=1))
    query = pg.Query("stars", epsilon=1)
    assert query.__copy__() is query


def test_cost_before_paying():
    query = pg.Query("embed", patterns="wheel5", noise="laplace", epsilon=1.0)
    tame = pg.Query("embed", patterns="wheel5", max_degree=3, noise="laplace", epsilon=1.0)
    operations, seconds = query.cost(20000)
    assert operations > 1e14 and seconds > 100 and query.cost(20000, 20000)[0] == 2 * operations
    assert 0 < tame.cost(20000)[0] < 1e-5 * operations
    ring = pg.Graph.from_edges([[i, (i + 1) % 20000] for i in range(20000)], order=20000)
    ledger = pg.Ledger(epsilon=2.0)
    with pytest.raises(pg.LimitError, match="nothing was paid"):
        query.draw(ring, ledger=ledger, object="ring", time_limit=1)
    tame.draw(ring, ledger=ledger, object="ring", time_limit=1)
    with pytest.raises(pg.ArgumentError, match="none of embed"):
        pg.Query("stars", epsilon=1.0).cost(10)
