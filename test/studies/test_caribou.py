"""What docs/papers/caribou.md says about the CARIBOU paper beside the layers that the library has (those: layer_bounds_property,
contractive_property): max aggregation, the noise behind its figures, and the best of many runs."""
import os
import sys

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "studies"))

import caribou_tables as tables  # noqa: E402
import privgraph as pg  # noqa: E402


def largest(near, x):
    """Appendix A: entry by entry the largest of a node's own row and its neighbours'."""
    return np.array([x[np.append(np.flatnonzero(near[v]), v)].max(0) for v in range(len(x))])


def test_max_aggregation_is_no_contraction():
    """One row that moves by 1 at the centre of a star moves all rows: the norm grows by sqrt(D + 1), and is never more."""
    for degree in (1, 3, 8):
        near = np.zeros((degree + 1, degree + 1), bool)
        near[0, 1:] = near[1:, 0] = True
        x = np.zeros((degree + 1, 2))
        y = x.copy()
        y[0, 0] = 1
        moved = np.linalg.norm(largest(near, y) - largest(near, x)) / np.linalg.norm(y - x)
        assert abs(moved - np.sqrt(degree + 1)) < 1e-12
    rng = np.random.default_rng(1)
    for _ in range(200):
        near = rng.random((7, 7)) < .4
        near = np.triu(near, 1) | np.triu(near, 1).T
        x, y = rng.standard_normal((2, 7, 3))
        grown = np.linalg.norm(largest(near, y) - largest(near, x)) / np.linalg.norm(y - x)
        assert grown <= np.sqrt(near.sum(1).max() + 1) + 1e-12


def test_max_aggregation_under_one_edge():
    """Rows at most 1 long: an edge moves its two ends by at most 2 each; (-1, 1) comes near."""
    near = np.zeros((2, 2), bool)
    x = np.array([[1.0], [-1.0]])
    apart = largest(near, x)
    near[0, 1] = near[1, 0] = True
    assert np.linalg.norm(largest(near, x) - apart) == 2
    rng = np.random.default_rng(2)
    for _ in range(300):
        x = rng.standard_normal((6, 3))
        x /= np.maximum(1, np.linalg.norm(x, axis=1, keepdims=True))
        near = rng.random((6, 6)) < .5
        near = np.triu(near, 1) | np.triu(near, 1).T
        other = near.copy()
        other[0, 1] = other[1, 0] = not near[0, 1]
        assert np.linalg.norm(largest(other, x) - largest(near, x)) <= 2 * np.sqrt(2)


def test_noise_behind_the_published_accuracy():
    proven = tables.sigma_of(1.0, 1e-6, 4, .9, .9 * np.sqrt(2))
    printed = tables.sigma_of(1.0, 1e-6, 4, .9, tables.published_shift(.9, 1.0))
    assert abs(proven - 10.68) < .01 and abs(printed - 7.34) < .01
    # one edge moves a layer by no more than the library says without any promise
    assert abs(float(pg.layer_sensitivity(pg.Layers(contraction=.9), pg.Assumption(2708))[0]) - .9 * np.sqrt(2)) < 1e-6
    low, high = 1.0, 1000.0  # epsilon of a hundredth of the noise
    while high - low > .1:
        middle = (low + high) / 2
        low, high = (middle, high) if tables.sigma_of(middle, 1e-6, 4, .9, .9 * np.sqrt(2)) > proven / 100 else (low, middle)
    assert 380 < low < 400, low


def test_best_of_many_runs_of_nothing():
    """A few hundred readings of noise: the best by test nodes is far above one half, their mean is not."""
    rng = np.random.default_rng(3)
    held = tables.Chains("Chain-S", rng)
    found = [held.score(np.hstack([held.x, rng.standard_normal(held.x.shape)])) for _ in range(300)]
    assert max(found) > 65 and abs(np.mean(found) - 50) < 6


if __name__ == "__main__":
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(name)
