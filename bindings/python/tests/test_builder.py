"""Graphs from pieces, floats, one call, the log."""
import numpy as np
import pytest
from scipy import sparse

import privgraph as pg


def test_pieces_make_the_same_graph():
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 200, (2, 3000))
    whole = pg.Graph.from_edges(ends, 200, drop_loops=True)
    builder = pg.GraphBuilder(200, drop_loops=True)
    for first in range(0, 3000, 700):
        piece = ends[:, first:first + 700]
        builder.add(*(piece.astype(np.int32) if first % 1400 else piece))
    made = builder.finish(threads=2)
    for mine, theirs in zip(made.csr(), whole.csr()):
        np.testing.assert_array_equal(mine, theirs)
    assert builder.finish().size == 0  # empty again


def test_refusals_name_piece_and_edge():
    builder = pg.GraphBuilder(5, merge=False)
    builder.add([0, 1], [1, 2])
    with pytest.raises(pg.ArgumentError, match="piece 1, edge 1: an end"):
        builder.add([0, 9], [3, 1])
    with pytest.raises(pg.ArgumentError, match="targets"):
        builder.add([0, 1], [1])
    builder.add(np.array([3, 2], np.int32), np.array([4, 1], np.int32))
    with pytest.raises(pg.ArgumentError, match="piece 1, edge 1 repeats"):
        builder.finish()


def test_floats_are_not_rounded():
    values = np.random.default_rng(2).random((30, 4)).astype(np.float32)
    np.testing.assert_array_equal(pg.Features.from_dense(values).to_dense(), values.astype(float))
    held = pg.Features.from_scipy(sparse.csr_matrix(values))
    np.testing.assert_array_equal(held.to_dense(), values.astype(float))


def test_one_call():
    ledger = pg.Ledger(epsilon=1.0, delta=1e-6, notion="edge")
    made = pg.Query("embed", patterns="edge,path3", epsilon=1.0, max_degree=4).draw(
        pg.Graph.cycle(2000), object="ring", ledger=ledger)
    assert made.shape == (1, 2) and list(made.to_pandas().columns) == ["edge", "path3"]
    assert made.epsilon(1e-6) <= 1.0
    with pytest.raises(pg.PrivacyError):
        pg.Query("embed", patterns="edge", epsilon=1.0).draw(pg.Graph.cycle(2000), object="ring", ledger=ledger)
    with pytest.warns(pg.NothingVisibleWarning):
        pg.Query("embed", patterns="edge", epsilon=0.01).draw(pg.Graph.cycle(6))


def test_log():
    lines = []
    pg.log_to(lambda level, message: lines.append((level, message)))
    plan = pg.Query("embed", patterns="edge", epsilon=1.0, delta=1e-6, allow_seeded=True)
    plan.draw(pg.Graph.cycle(100), rng=pg.Rng.seeded(1))
    assert ("warning", "pvg_release_draw: a seeded generator: nothing is private") in lines
    pg.log_to(None)
    before = len(lines)
    plan.draw(pg.Graph.cycle(100), rng=pg.Rng.seeded(1))
    assert len(lines) == before
