"""A graph learnt from rows alone: SLAPS (Fatemi et al. 2021), and with it GSE and GSEF, which are SLAPS on explanations and on
explanations beside features. Rebuilt in full form: every entry of the n x n adjacency is a parameter, started at the graph of
nearest rows; a network of two layers on the symmetric, normalised adjacency learns the known classes, a second one learns to
fill in features that were hidden from it, and the adjacency learns from both. By hand in numpy; not private, a baseline."""
from typing import Dict, List, Tuple

import numpy as np

NEAREST, HIDDEN, RATE, START = 20, 32, .01, 6.0


def nearest_rows(rows: np.ndarray, count: int) -> np.ndarray:
    """1 where j is one of the rows most like i by cosine, else 0."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    alike = unit @ unit.T
    np.fill_diagonal(alike, -2)
    best = np.argpartition(-alike, count, axis=1)[:, :count]
    near = np.zeros_like(alike)
    np.put_along_axis(near, best, 1, axis=1)
    return near


class Adam:
    def __init__(self, values: List[np.ndarray]) -> None:
        self.values, self.step = values, 0
        self.first, self.second = [np.zeros_like(v) for v in values], [np.zeros_like(v) for v in values]

    def move(self, slopes: List[np.ndarray]) -> None:
        self.step += 1
        for value, slope, first, second in zip(self.values, slopes, self.first, self.second):
            first += .1 * (slope - first)
            second += .001 * (slope * slope - second)
            value -= RATE * first / (1 - .9 ** self.step) / (np.sqrt(second / (1 - .999 ** self.step)) + 1e-8)


def adjacency(w: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(symmetric positive entries, 1 / sqrt of degrees, normalised, slope of the activation elu(w) + 1)."""
    low = np.exp(np.minimum(w, 0))
    positive = np.where(w > 0, w + 1, low)
    both = (positive + positive.T) / 2
    scale = 1 / np.sqrt(both.sum(1) + 1e-6)
    return both, scale, scale[:, None] * both * scale, np.where(w > 0, 1, low)


def back(slope: np.ndarray, scale: np.ndarray, normal: np.ndarray, steep: np.ndarray) -> np.ndarray:
    """From the slope of the normalised adjacency to that of its parameters."""
    pulled = slope * normal
    degree = -.5 * (pulled.sum(1) + pulled.sum(0)) * scale ** 2
    moved = scale[:, None] * slope * scale + degree[:, None]
    return (moved + moved.T) / 2 * steep


def layers(normal: np.ndarray, x: np.ndarray, first: np.ndarray, second: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    sent = x @ first
    middle = np.maximum(normal @ sent, 0)
    return sent, middle, normal @ middle @ second


def layers_back(normal: np.ndarray, x: np.ndarray, first: np.ndarray, second: np.ndarray, sent: np.ndarray, middle: np.ndarray,
                slope: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Slopes of the adjacency and of both matrices. slope: that of the output."""
    inner = slope @ second.T
    upper = (normal.T @ inner) * (middle > 0)
    return inner @ middle.T + upper @ sent.T, x.T @ (normal.T @ upper), (normal @ middle).T @ slope


def loss(w: np.ndarray, weights: Dict[str, np.ndarray], rows: np.ndarray, target: np.ndarray, known: np.ndarray, hide: np.ndarray,
         asked: np.ndarray, trade: float) -> Tuple[float, np.ndarray, List[np.ndarray]]:
    """Value, slope of w, slopes of the four matrices. target: one-hot classes. Entries of `hide` are set to 0 before the second
    network sees them; it answers those of `asked` (rows in [0, 1]: cross-entropy)."""
    _, scale, normal, steep = adjacency(w)
    sent, middle, out = layers(normal, rows, weights["a"], weights["b"])
    out = out - out.max(1, keepdims=True)
    odds = np.exp(out)
    odds /= odds.sum(1, keepdims=True)
    value = -float((np.log(odds + 1e-12) * target)[known].sum()) / len(known)
    slope = np.zeros_like(odds)
    slope[known] = (odds - target)[known] / len(known)
    at, da, db = layers_back(normal, rows, weights["a"], weights["b"], sent, middle, slope)
    seen = np.where(hide, 0, rows)
    sent, middle, out = layers(normal, seen, weights["c"], weights["d"])
    odds = 1 / (1 + np.exp(-np.clip(out, -30, 30)))
    count = max(1, int(asked.sum()))
    value += trade * float(-(rows * np.log(odds + 1e-12) + (1 - rows) * np.log(1 - odds + 1e-12))[asked].sum()) / count
    more, dc, dd = layers_back(normal, seen, weights["c"], weights["d"], sent, middle,
                               (trade * np.where(asked, odds - rows, 0) / count).astype(rows.dtype))
    return value, back(at + more, scale, normal, steep), [da, db, dc, dd]


def learn_graph(rows: np.ndarray, classes: np.ndarray, known: np.ndarray, seed: int, epochs: int = 100, trade: float = 10.0
                ) -> np.ndarray:
    """The symmetric adjacency learnt from rows and the classes of `known` nodes."""
    rng = np.random.default_rng(seed)
    low, high = rows.min(), rows.max()
    x = ((rows - low) / (high - low if high > low else 1)).astype(np.float32)  # in [0, 1], as the second network answers
    target = np.eye(int(classes.max()) + 1, dtype=np.float32)[np.maximum(classes, 0)]
    w = np.where(nearest_rows(rows, NEAREST) > 0, 0, -START).astype(np.float32)  # entries 1 and e^-6
    width = x.shape[1]
    weights = {"a": rng.standard_normal((width, HIDDEN)), "b": rng.standard_normal((HIDDEN, target.shape[1])),
               "c": rng.standard_normal((width, HIDDEN)), "d": rng.standard_normal((HIDDEN, width))}
    weights = {name: (value * np.sqrt(2 / sum(value.shape))).astype(np.float32) for name, value in weights.items()}
    adam = Adam([w, *weights.values()])
    share = min(.5, 5 * float((x > 0).mean()))
    for _ in range(epochs):
        hide = rng.random(x.shape, dtype=np.float32) < .2
        asked = hide & ((x > 0) | (rng.random(x.shape, dtype=np.float32) < share))
        _, slope, slopes = loss(w, weights, x, target, known, hide, asked, trade)
        adam.move([slope, *slopes])
    return adjacency(w)[0]
