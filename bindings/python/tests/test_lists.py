"""Lists of persons and things, from whatever people have, and what is asked of them."""
import gzip

import numpy as np
import pytest

import privgraph as pg

NAMES = ["milk", "bread", "wine, red", "tea"]
LINES = [("ann", "bread"), ("bob", "wine, red"), ("ann", "milk"), ("bob", "wine, red"), ("eve", "tea")]


def rows(lists):
    offsets, columns = lists.rows
    return [list(columns[offsets[i]:offsets[i + 1]]) for i in range(lists.persons)]


EXPECTED = [[0, 1], [2], [3], []]


def test_from_pairs():
    lists = pg.Lists.from_pairs([0, 1, 0, 1, 2], [1, 2, 0, 2, 3], persons=4, things=4, object="shop")
    assert rows(lists) == EXPECTED and lists.size == 4 and lists.inferred == () and lists.object == "shop"
    assert repr(lists) == "<Lists of 4 persons, 4 things>"
    with pytest.raises(pg.ArgumentError, match="entries"):
        pg.Lists.from_pairs([0], [4], persons=4, things=4)
    with pytest.raises(pg.ArgumentError, match="shape"):
        pg.Lists.from_pairs([0, 1], [1], persons=4, things=4)


def test_from_scipy():
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.csr_matrix((np.ones(5), ([0, 1, 0, 1, 2], [1, 2, 0, 2, 3])), shape=(4, 4))
    assert rows(pg.Lists.from_scipy(matrix)) == EXPECTED


def test_from_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(LINES, columns=["who", "what"])
    lists = pg.Lists.from_pandas(frame, "who", "what", persons=4, things=NAMES)
    assert rows(lists) == EXPECTED and lists.name(2) == "wine, red"
    with pytest.raises(pg.ArgumentError, match="not in the"):
        pg.Lists.from_pandas(frame, "who", "what", persons=4, things=NAMES[:3])
    assert pg.Lists.from_pandas(frame, "who", "what", persons=4, things=NAMES[:3], drop_unknown=True).size == 3
    with pytest.raises(pg.ArgumentError, match="more than the 2"):
        pg.Lists.from_pandas(frame, "who", "what", persons=2, things=NAMES)
    assert pg.Lists.from_pandas(frame, "who", "what", persons=None, things=None).inferred == ("persons", "things")


@pytest.mark.parametrize("packed", [False, True])
def test_from_csv(tmp_path, packed):
    text = "who,what\n" + "".join(f'{who},"{what}"\n' for who, what in LINES)
    path = tmp_path / ("entries.csv.gz" if packed else "entries.csv")
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    lists = pg.Lists.from_csv(path, persons=4, things=NAMES, header=True)
    assert rows(lists) == EXPECTED and lists.names == tuple(NAMES)
    with pytest.raises(pg.FormatError, match=":6: the thing 'tea'"):
        pg.Lists.from_csv(path, persons=4, things=NAMES[:3], header=True)
    with pytest.raises(pg.ArgumentError, match="twice"):
        pg.Lists.from_csv(path, persons=4, things=NAMES + ["tea"], header=True)


def shop(persons=600, things=40, seed=3):
    rng = np.random.default_rng(seed)
    kind = np.arange(persons) % 2
    chance = np.where((np.arange(things)[None, :] % 2) == kind[:, None], .5, .05) / (1 + np.arange(things) / 20)
    owners, entries = np.nonzero(rng.random((persons, things)) < chance)
    return pg.Lists.from_pairs(owners, entries, persons=persons, things=things), owners, entries


def test_a_top_list_with_intervals():
    lists, owners, entries = shop()
    query = lists.query("top", top=5, epsilon=4)
    release = query.draw(lists)
    counts = np.bincount(entries, minlength=40)
    assert release.shape == (5, 2) and release.columns == ["thing", "count"]
    low, high = pg.estimate_list_intervals(query, release, 0.999999)
    listed = release.values[:, 0].astype(int)
    assert np.all(low[:, 1] <= counts[listed]) and np.all(counts[listed] <= high[:, 1])
    assert release.guarantee.notion == "person"


def test_a_recommender_for_the_owner():
    lists, _, _ = shop(persons=4000)
    query = lists.query("pairs", epsilon=8)
    vectors, weights = pg.estimate_list_directions(query, query.draw(lists))
    assert vectors.shape[1] == 40 and len(vectors) >= 2 and np.all(weights <= 1)
    things, scores = pg.recommend_own(vectors, weights, [0, 2, 4, 6, 8], count=5)
    assert np.all(things % 2 == 0) and len(set(things) & {0, 2, 4, 6, 8}) == 0 and np.all(np.diff(scores) <= 0)
    with pytest.raises(pg.ArgumentError, match="own"):
        pg.recommend_own(vectors, weights, [40])


def test_what_is_inferred_is_refused():
    lists = pg.Lists.from_pairs([0, 1], [1, 0], persons=2, things=None)
    with pytest.raises(pg.PrivacyError, match="catalogue"):
        lists.query("top", top=1, epsilon=1).draw(lists)
    lists = pg.Lists.from_pairs([0, 1], [1, 0], persons=None, things=2)
    with pytest.raises(pg.PrivacyError, match="persons"):
        lists.query("lengths", epsilon=1).draw(lists)


def test_a_ledger_pays_for_a_person(tmp_path):
    lists, _, _ = shop()
    lists.object = "shop"
    with pg.Ledger.create(tmp_path / "book", epsilon=1, delta=1e-6, notion="person") as ledger:
        lists.query("lengths", epsilon=0.5).draw(lists, ledger=ledger)
        with pytest.raises(pg.PrivacyError):
            lists.query("lengths", epsilon=0.6).draw(lists, ledger=ledger)
        # a person who has another list is two who are absent in turn
        with pytest.raises(pg.PrivacyError):
            lists.query("lengths", epsilon=0.3, notion="absent").draw(lists, ledger=ledger)
        lists.query("lengths", epsilon=0.2, notion="absent").draw(lists, ledger=ledger)


def test_hidden_groups():
    lists, _, _ = shop()
    groups = np.arange(600) % 3
    release = lists.query("groups", groups=3, epsilon=2).draw(lists, labels=groups)
    assert release.shape == (40, 3)


def test_a_source_and_a_text():
    things = [[4, 1], [4], []]
    asked = []

    def read(person):
        asked.append(person)
        return things[person]

    source = pg.Lists.from_source(read, persons=3, things=5, object="shop")
    text = pg.Lists.parse("x,e\nx,b\ny,e\n", persons=3, things=["a", "b", "c", "d", "e"])
    count = pg.Query("list-rows", things=5, row="whole", epsilon=1, noise="laplace")
    assert count.values_exact(source).ravel().tolist() == [0, 1, 0, 0, 2] and asked == [0, 1, 2]
    assert count.values_exact(text).ravel().tolist() == [0, 1, 0, 0, 2]
    assert text.name(4) == "e" and text.size == 3 and source.object == "shop"
    for wrong in ([7], [-1], [0.5], [[1]], "no"):
        with pytest.raises(pg.ArgumentError):
            count.values_exact(pg.Lists.from_source(lambda person: wrong, persons=1, things=5))
    with pytest.raises(ZeroDivisionError):
        count.values_exact(pg.Lists.from_source(lambda person: 1 // 0, persons=1, things=5))


def test_layers_of_a_release():
    lists = pg.Lists.from_pairs([0, 1], [0, 1], persons=2, things=4)
    sums = lists.query("rows", epsilon=1, delta=1e-6).draw(lists)
    release = pg.Release.derive(np.reshape(sums.values, (2, 2)), sums, "square")
    layers = release.layers("row", 1)
    assert layers.depth == 1 and layers.dimension == 2
    with pytest.raises(pg.ArgumentError):
        release.layers(colour=1)
