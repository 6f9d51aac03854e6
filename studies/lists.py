#!/usr/bin/env python3
"""Lists of persons and things: what most persons have, and what goes with a person's own list, by epsilon.

usage: lists.py [--draws N] [--splits N] [--data FOLDER] [--out FILE] [--report FILE]

LastFM, 1800 persons x 7842 artists (features_partial), delta 1e-6, a whole person hidden. Ways to a top list of 50:
peel (`list-top`, all of the budget for which, or `counts` .2, the default, for how many), and the 50 largest of noisy sums of rows:
unit lists, lists cut to k entries with Gaussian noise, and with Laplace noise (the same cap, plain), k the best of 1, 4,
16, 64, 256 *in hindsight*, which no private release has. precision: share of the true 50. error: mean of |count - truth|
/ truth over the listed, of released counts and as `estimate_list_counts` reads them. hit: one entry of each person is held out; is it among the ten that the recommender names?
Directions of `list-pairs` on 300 things, which unit lists with a fifth of mu^2 name; the recommender is that of
`recommend_own`. popularity: the ten that most persons have, without noise. 300 things
were chosen after looking at this set; the share of counts after a simulation on nine others (bags of words, degrees, Zipf
laws: `--shares`). Seeded noise: nothing here is a release. Needs ../shared/data, and ends without it."""
import argparse
import gzip
import os
import sys
from typing import Any, Dict, List, Tuple

import numpy as np

import common
import privgraph as pg

COLUMNS = ["what", "method", "epsilon", "seed", "value"]
EPSILONS = [0.5, 1.0, 2.0, 4.0]
CAPS = [1, 4, 16, 64, 256]
TOP, THINGS, LOOKED, HITS = 50, 7842, 300, 10
DELTA = 1e-6


def entries(data: str) -> Tuple[np.ndarray, np.ndarray, int]:
    with gzip.open(os.path.join(data, "lastfm_asia", "features_partial.txt.gz"), "rt") as stream:
        rows = [np.array(line.split(), dtype=np.int64) for line in stream]
    return np.repeat(np.arange(len(rows)), [len(row) for row in rows]), np.concatenate(rows), len(rows)


def mu_of(epsilon: float) -> float:
    curve = pg.Query("list-rows", things=2, noise="gaussian", epsilon=epsilon, delta=DELTA)
    return 2 ** 0.5 / curve.deviations(1)[0]  # the change of a unit row


def cut_at_random(lists: Any, best: Any, draws: int, table: Any) -> None:
    """The stronger rival: every person keeps k entries of her own choice, which the library does not offer (her
    number would have to be public). Simulated."""
    draw = np.random.default_rng(5)
    offsets, columns = lists.rows
    for cap in CAPS:
        for seed in range(draws):
            kept = [draw.permutation(np.array(columns[a:b]))[:cap] for a, b in zip(offsets[:-1], offsets[1:])]
            counts = np.bincount(np.concatenate(kept), minlength=THINGS)
            for epsilon in EPSILONS:
                noisy = {"Gaussian": draw.normal(size=THINGS) * (2 * cap) ** 0.5 / mu_of(epsilon),
                         "Laplace": draw.laplace(size=THINGS) * 2 * cap / epsilon}
                for noise, added in noisy.items():
                    table.add("precision", f"cut at random to {cap}, {noise}", epsilon, seed,
                              len(best & set(np.argsort(-(counts + added))[:TOP])) / TOP)


def top_lists(lists: Any, counts: np.ndarray, draws: int, table: Any) -> None:
    best = set(np.argsort(-counts, kind="stable")[:TOP])
    rng = pg.Rng.seeded(17)

    def ask(kind: str, **options: Any) -> Any:
        return lists.query(kind, allow_seeded=True, **options)

    cut_at_random(lists, best, draws, table)
    for epsilon in EPSILONS:
        for notion in ("replaced", "absent"):
            for name, share in (("peel", 0.0), ("peel with counts", 0.2)):
                query = ask("top", top=TOP, counts=share, epsilon=epsilon, delta=DELTA, notion=notion)
                for seed in range(draws):
                    release = query.draw(lists, rng=rng)
                    values = release.values
                    listed = values[:, 0].astype(int)
                    table.add("precision", f"{name}, {notion}", epsilon, seed, len(best & set(listed)) / TOP)
                    if share:
                        error = np.mean(np.abs(values[:, 1] - counts[listed]) / counts[listed])
                        table.add("error", f"{name}, {notion}", epsilon, seed, float(error))
                        read = pg.estimate_list_counts(query, release)
                        table.add("read", f"{name}, {notion}", epsilon, seed,
                                  float(np.mean(np.abs(read - counts[listed]) / counts[listed])))
        rivals: Dict[str, Any] = {"unit lists": ask("rows", epsilon=epsilon, delta=DELTA)}
        for cap in CAPS:
            rivals[f"cut to {cap}, Gaussian"] = ask("rows", row="kept", bound=cap, epsilon=epsilon, delta=DELTA)
            rivals[f"cut to {cap}, Laplace"] = ask("rows", row="kept", bound=cap, noise="laplace", epsilon=epsilon)
        for name, query in rivals.items():
            for seed in range(draws):
                sums = query.draw(lists, rng=rng).values.ravel()
                table.add("precision", name, epsilon, seed, len(best & set(np.argsort(-sums)[:TOP])) / TOP)


def hit_share(scores: np.ndarray, looked: np.ndarray, have: np.ndarray, held: np.ndarray) -> float:
    place = np.full(THINGS, -1)
    place[looked] = np.arange(len(looked))
    scores = np.where(have[:, looked], -np.inf, scores)
    mine = place[held]
    own = scores[np.arange(len(held)), np.maximum(mine, 0)]
    return float(np.mean((mine >= 0) & ((scores > own[:, None]).sum(1) < HITS)))


def recommend(owners: np.ndarray, things: np.ndarray, persons: int, splits: int, table: Any) -> None:
    for seed in range(splits):
        draw, rng = np.random.default_rng(seed), pg.Rng.seeded(100 + seed)
        have = np.zeros((persons, THINGS), bool)
        have[owners, things] = True
        asked = np.flatnonzero(have.sum(1) > 1)
        held = np.array([draw.choice(np.flatnonzero(have[p])) for p in asked])
        have[asked, held] = False
        who, what = np.nonzero(have)
        lists = pg.Lists.from_pairs(who, what, persons=persons, things=THINGS)
        counts = have.sum(0)
        popular = np.argsort(-counts, kind="stable")[:1000]
        table.add("hit", "popularity, no noise", 0.0, seed,
                  hit_share(np.tile(counts[popular].astype(float), (len(asked), 1)), popular, have[asked], held))
        for epsilon in EPSILONS + [1e6]:
            mu = mu_of(epsilon) if epsilon < 1e6 else 1e6
            first = lists.query("rows", noise="gaussian", parameter=mu * 0.2 ** 0.5, allow_seeded=True)
            sums = first.draw(lists, rng=rng)
            looked = np.argsort(-sums.values.ravel())[:LOOKED].astype(np.int32)
            query = lists.query("pairs", things=looked, noise="gaussian", parameter=mu * 0.8 ** 0.5, allow_seeded=True,
                                sources=sums)
            vectors, weights = pg.estimate_list_directions(query, query.draw(lists, rng=rng), most=LOOKED)
            rows = have[np.ix_(asked, looked)].astype(float)  # what recommend_own does, for all persons at once
            rows /= np.sqrt(np.maximum(rows.sum(1, keepdims=True), 1))
            scores = (rows @ vectors.T * weights) @ vectors
            name = "pairs" if epsilon < 1e6 else "pairs, no noise"
            table.add("hit", name, epsilon if epsilon < 1e6 else 0.0, seed, hit_share(scores, looked, have[asked], held))
            table.add("directions", name, epsilon if epsilon < 1e6 else 0.0, seed, len(vectors))


# --- shares, on other sets ------------------------------------------------------------------

def other_sets(data: str) -> Dict[str, np.ndarray]:
    """How many have each thing, elsewhere: bags of words, degrees, and two Zipf laws."""
    out: Dict[str, np.ndarray] = {}
    for name in ("cora", "citeseer", "photo", "computers", "facebook_pages", "imdb_movies", "pubmed"):
        if os.path.exists(os.path.join(data, name, "features.txt.gz")):
            with gzip.open(os.path.join(data, name, "features.txt.gz"), "rt") as stream:
                out[name] = np.bincount([int(one.split(":")[0]) for line in stream for one in line.split()])
    draw = np.random.default_rng(1)
    for power, many, things in ((1.0, 5000, 2000), (0.8, 50000, 10000)):
        law = np.arange(1, things + 1.0) ** -power
        out[f"Zipf {power:g}"] = draw.binomial(many, 1 - (1 - law / law.sum()) ** 20)
    return out


def falling(seen: np.ndarray, deviation: float) -> np.ndarray:
    """What `estimate_list_counts` makes of counts."""
    blocks: List[List[float]] = []
    for one in seen:
        blocks.append([one, 1])
        while len(blocks) > 1 and blocks[-1][0] / blocks[-1][1] >= blocks[-2][0] / blocks[-2][1]:
            total, many = blocks.pop()
            blocks[-1] = [blocks[-1][0] + total, blocks[-1][1] + many]
    mean = np.concatenate([np.full(int(many), total / many) for total, many in blocks])
    square = ((seen - mean) ** 2).sum() / max(1, len(seen) - len(blocks))
    return np.maximum(mean + max(0.0, 1 - deviation ** 2 / max(square, 1e-300)) * (seen - mean), 0)


def shares(data: str, draws: int) -> None:
    """Precision, and error in % of the counts as they are and as they are read, epsilon 1, replaced: the law of
    `list-top`, drawn by numpy."""
    draw = np.random.default_rng(2)
    rho = pg.Query("list-top", things=9, top=1, counts=0.5, epsilon=1, delta=DELTA).deviations(1)[1] ** -2  # half of it
    for name, counts in other_sets(data).items():
        last, cells = np.sort(counts)[-TOP], []
        for share in (0.1, 0.2, 0.3, 0.4):
            scale, deviation = 2 / (8 * rho * (1 - share) / TOP) ** 0.5, (TOP / (2 * rho * share)) ** 0.5
            right, raw, read = [], [], []
            for _ in range(draws):
                noisy = counts + scale * draw.gumbel(size=len(counts))
                listed = counts[np.argsort(-noisy)[:TOP]]
                right.append(np.mean(listed >= last))
                seen = listed + deviation * draw.normal(size=TOP)
                raw.append(np.mean(np.abs(seen - listed) / np.maximum(listed, 1)))
                read.append(np.mean(np.abs(falling(seen, deviation) - listed) / np.maximum(listed, 1)))
            cells.append(f"{share:g}: {np.mean(right):.3f}, {100 * np.mean(raw):.1f} and {100 * np.mean(read):.1f} %")
        print(f"{name}: " + "; ".join(cells), flush=True)


# --- the page -------------------------------------------------------------------------------

def _cell(values: List[float], scale: float = 1.0) -> str:
    wide = common.half_width([value * scale for value in values])
    return f"{np.mean(values) * scale:.{1 if scale == 100 else 3}f} \u00b1 {wide:.{1 if scale == 100 else 3}f}"


def _best(found: Any, cut: str, noise: str, epsilon: float) -> List[float]:
    return max((found["precision", f"{cut} {cap}, {noise}", epsilon] for cap in CAPS), key=lambda one: float(np.mean(one)))


def report(found: Any) -> str:
    lines = ["| precision of the top 50 | " + " | ".join(f"{e:g}" for e in EPSILONS) + " |", "|---|---|---|---|---|"]

    def row(words: str, values: List[List[float]], scale: float = 1.0) -> None:
        lines.append(f"| {words} | " + " | ".join(_cell(one, scale) for one in values) + " |")

    for words, cut in (("in one public order", "cut to"), ("at random for each person", "cut at random to")):
        for noise in ("Laplace", "Gaussian"):
            row(f"lists cut to k {words}, {noise}, best k in hindsight", [_best(found, cut, noise, e) for e in EPSILONS])
    for name in ("unit lists", "peel, replaced", "peel with counts, replaced", "peel, absent", "peel with counts, absent"):
        row(name, [found["precision", name, e] for e in EPSILONS])
    lines += ["", "| error of the counts of the listed, % | " + " | ".join(f"{e:g}" for e in EPSILONS) + " |",
              "|---|---|---|---|---|"]
    for notion in ("replaced", "absent"):
        for words, what in ((f"released, {notion}", "error"), (f"`pvg_estimate_list_counts`, {notion}", "read")):
            row(words, [found[what, f"peel with counts, {notion}", e] for e in EPSILONS], 100)
    lines += ["", "| hit@10 of the held-out thing, % | " + " | ".join(f"{e:g}" for e in EPSILONS) + " | no noise |",
              "|---|---|---|---|---|---|"]
    row("directions of pairs, own list", [found["hit", "pairs", e] for e in EPSILONS] +
        [found["hit", "pairs, no noise", 0.0]], 100)
    popular = _cell(found["hit", "popularity, no noise", 0.0], 100)
    lines.append(f"| popularity | | | | | {popular} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=40)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--data", default=common.DATA)
    parser.add_argument("--out", default="lists.csv", help="CSV to append to")
    parser.add_argument("--report", help="CSV to read")
    parser.add_argument("--shares", action="store_true", help="only the simulation of shares on other sets")
    asked = parser.parse_args()
    if asked.shares:
        shares(asked.data, asked.draws)
        return 0
    if asked.report:
        print(report(common.read(asked.report, COLUMNS)))
        return 0
    if not common.present(asked.data, ["lastfm_asia"]):
        print(f"no LastFM in {asked.data}: nothing is measured")
        return common.SKIPPED
    table = common.Table(asked.out, COLUMNS)
    owners, things, persons = entries(asked.data)
    lists = pg.Lists.from_pairs(owners, things, persons=persons, things=THINGS)
    top_lists(lists, np.bincount(things, minlength=THINGS), asked.draws, table)
    recommend(owners, things, persons, asked.splits, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
