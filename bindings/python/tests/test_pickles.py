"""Pickles made to harm. A pickle runs code, so one of a stranger's is never safe; but what ours are made of goes
through the same checks as anything else: nothing crashes, nothing becomes cheaper, and what comes back says that
it was loaded."""
import io
import pickle
import pickletools
import random

import numpy as np
import pytest

import privgraph as pg

ALLOWED = ("privgraph", "numpy", "collections")


class Own(pickle.Unpickler):
    """Makes what our own pickles are made of: bytes by chance must not call the system."""

    def find_class(self, module, name):
        if module.split(".")[0] in ALLOWED or (module, name) == ("builtins", "getattr"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name}")


def again(data):
    return Own(io.BytesIO(data)).load()


def table(data):
    """Entries of the table of things already read that the interpreter makes for a pickle. A damaged byte can be an
    order to remember something at place two thousand million, for which it takes gigabytes and seconds before any
    of our code is called; that is its own, and no part of what is tried here."""
    largest = 0
    try:
        for order, argument, _ in pickletools.genops(data):
            if order.name in ("PUT", "BINPUT", "LONG_BINPUT"):
                largest = max(largest, argument)
    except Exception:  # the rest is not read
        pass
    return largest


def test_a_damaged_byte_may_ask_for_a_large_table():
    good = pickle.dumps(animals()["set"], protocol=4)
    assert table(good) == 0
    # BUILD made LONG_BINPUT; bytes that are no such order make no table
    assert max(table(good[:i] + b"r" + good[i + 1:]) for i in range(len(good)) if good[i] == ord("b")) > 1 << 24


def animals():
    graph = pg.Graph.from_edges([[0, 1, 2, 3], [1, 2, 3, 0]], 5)
    embedding = pg.PrivateEmbedding("edge,cycle3", insecure_seed=1)
    embedding.fit_transform(graph)
    return {
        "graph": graph,
        "set": pg.GraphSet.from_graphs([graph, graph], labels=[0, 1]),
        "patterns": pg.Patterns.from_names("edge,cycle3,path3"),
        "release": embedding.release_,
        "embedding": embedding,
        "curve": embedding.release_.curve(),
    }


def consistent(one):
    """What came back must hold together; reading all of it must not crash."""
    if isinstance(one, pg.Graph):
        offsets, columns = one.csr()
        assert offsets[0] == 0 and offsets[-1] == len(columns) and np.all(np.diff(offsets) >= 0)
        assert len(columns) == 0 or (columns.min() >= 0 and columns.max() < one.order)
    elif isinstance(one, pg.GraphSet):
        assert len(list(one)) == len(one)
    elif isinstance(one, pg.Release):
        assert one.loaded
        np.asarray(one.values)
        assert one.text
    elif isinstance(one, pg.PrivateEmbedding) and hasattr(one, "query_"):
        assert one.query_.guarantee(9).epsilon(one.delta) <= one.epsilon


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["graph", "set", "patterns", "release", "embedding", "curve"])
def test_damaged_pickles_are_refused_or_hold_together(kind):
    chance = random.Random(kind)
    good = pickle.dumps(animals()[kind], protocol=4)
    consistent(again(good))
    refused = 0
    for _ in range(200):
        bad = bytearray(good)
        for _ in range(chance.choice((1, 1, 2, 8))):
            at = chance.randrange(len(bad))
            bad[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, bad[at] ^ 1 << chance.randrange(8)))
        if table(bytes(bad)) > 1 << 20:
            continue
        try:
            made = again(bytes(bad))
        except Exception:  # of any kind, as long as it is one
            refused += 1
            continue
        consistent(made)
    assert refused > 5


def test_rows_that_are_none_are_refused():
    chance = random.Random(1)
    make, (offsets, columns, *rest) = animals()["graph"].__reduce__()
    refused = 0
    for _ in range(500):
        one, other = np.array(offsets), np.array(columns)
        for array in (one, other):
            for _ in range(chance.randrange(3)):
                array[chance.randrange(len(array))] = chance.choice((-1, 0, 1, 4, 5, 2**31 - 1, -2**31))
        try:
            consistent(make(one, other, *rest))
        except pg.PrivGraphError:
            refused += 1
    assert refused > 300
    for bad in ((None, columns), (offsets, None), (offsets[:0], columns), (offsets.astype(float) + 0.5, columns),
                (np.full(5, np.nan), columns), (offsets[::-1], columns), ([offsets], columns)):
        with pytest.raises((pg.PrivGraphError, TypeError, ValueError)):
            make(*bad, *rest)


@pytest.mark.filterwarnings("ignore")
def test_states_do_not_bring_what_they_never_hold():
    """The settings say what is spent: an embedder, a generator or a release comes from them alone."""
    one = animals()["embedding"]
    other = pg.PrivateEmbedding("edge,cycle3", epsilon=1000.0).fit(pg.Graph.cycle(5))
    for name, value in (("query_", other.query_), ("_seeded", pg.Rng.seeded(3)), ("release_", one.release_),
                        ("_fitted_to", None)):
        state = dict(one.__getstate__(), **{name: value})
        with pytest.raises(pg.ArgumentError, match=name):
            pg.PrivateEmbedding.__new__(pg.PrivateEmbedding).__setstate__(state)
    made = pg.PrivateEmbedding.__new__(pg.PrivateEmbedding)
    made.__setstate__(dict(one.__getstate__(), epsilon=0.01))
    assert " epsilon=0.01" in made.query_.text
    for epsilon in (0.0, -1.0, float("nan"), "1", None):
        with pytest.raises((pg.PrivGraphError, TypeError)):
            pg.PrivateEmbedding.__new__(pg.PrivateEmbedding).__setstate__(dict(one.__getstate__(), epsilon=epsilon))


def test_what_pays_does_not_travel(tmp_path):
    with pg.Ledger.create(tmp_path / "ledger", epsilon=1.0) as book:
        for one in (book, pg.Rng.secure(), pg.Rng.seeded(1)):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with pytest.raises(TypeError, match="cannot be pickled"):
                    pickle.dumps(one, protocol)
