"""advise and evidence: the choice against an oracle, on the table that the studies keep."""
import csv
import math
import os

import numpy as np
import pytest

import privgraph as pg


def oracle(rows, task, epsilon, order, degree, homophily):
    """The rule of `advise`, written again from its description, on the table that the studies keep."""
    own = [row for row in rows if row["task"] == task]
    least = min(row["epsilon"] for row in own)
    allowed = [row for row in own if row["epsilon"] <= max(epsilon, least)]

    def far(row):
        apart = abs(math.log(row["nodes"] / order)) + abs(math.log(row["degree"] / degree))
        known = homophily is not None and row["homophily"] is not None
        return apart + (4 * abs(row["homophily"] - homophily) if known else 0)
    chosen = []
    for name in sorted({row["set"] for row in allowed}, key=lambda name: min(far(r) for r in allowed if r["set"] == name)):
        held = [row for row in allowed if row["set"] == name]
        most = max(row["epsilon"] for row in held)
        errors = held[0]["exact"] == 0
        chosen.append(sorted((row for row in held if row["epsilon"] == most),
                             key=lambda row: row["value"] if errors else -row["value"])[0])
    near = [row for row in chosen[:2] if far(row) <= far(chosen[0]) + 1.5]
    return [(row["set"], row["epsilon"], row["value"]) for row in near], \
        epsilon >= least and all(row["useful"] for row in near)


def test_advice():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "studies", "results", "advice.csv")
    words = {"task", "release", "command", "set", "measure"}
    with open(path, encoding="utf-8", newline="") as file:
        rows = [{key: value if key in words else None if value == "nan" else float(value)
                 for key, value in row.items()} for row in csv.DictReader(file)]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    for task in tasks:
        told = [(row.set, row.epsilon, row.value, row.without, row.empty, row.interval) for row in pg.evidence(task)]
        assert told == [tuple(row[key] for key in ("set", "epsilon", "value", "without", "empty", "interval"))
                        for row in rows if row["task"] == task]
    random = np.random.default_rng(1)
    for _ in range(60):
        epsilon, order, degree = (float(np.exp(random.uniform(*ends))) for ends in ((-3, 3), (2, 12), (0, 5)))
        homophily = None if random.random() < .3 else round(float(random.random()), 3)
        for advice in pg.advise(epsilon, int(order), degree=degree, homophily=homophily):
            found = [(row.set, row.epsilon, row.value) for row in advice.evidence], bool(advice)
            assert found == oracle(rows, advice.task, epsilon, int(order), degree, homophily)
            assert (advice.release is None) == (advice.command is None) == (not advice)
    assert {advice.task for advice in pg.advise(1, 3000)} == set(tasks)
    for wrong, says in ((dict(epsilon=0, order=5), "epsilon must be positive"), (dict(epsilon=1, order=0), "order must"),
                        (dict(epsilon=1, order=5, degree=0), "degree must"), (dict(epsilon=1, order=5, task="x"), "task is 'x'"),
                        (dict(epsilon=1, order=5, homophily=2), "homophily")):
        with pytest.raises(pg.ArgumentError, match=says) as raised:
            pg.advise(**wrong)
        assert "pvg_" not in str(raised.value)
