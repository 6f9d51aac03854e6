#!/usr/bin/env python3
"""The pictures of docs/guide/python.md, drawn by privgraph.plot. Noise is seeded: nothing here is private.

usage: pictures.py FOLDER    writes plot-NAME.svg files
"""
import os
import sys

import matplotlib

matplotlib.use("Agg")
# text stays text, and the same input gives the same file
matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "privgraph", "figure.figsize": (4.6, 3.4)})

import privgraph as pg  # noqa: E402


def pictures():
    """{name: axes}"""
    patterns = "edge,path3,triangle,cycle4,clique6"
    embedding = pg.PrivateEmbedding(patterns, epsilon=1, delta=1e-6, max_degree=8, insecure_seed=1)
    layers = pg.Layers("symmetric", contraction=0.8)
    assumption = pg.Assumption(order=1000, degree_bound=30, degrees="truncated")
    return {"preview": pg.plot.preview(embedding, order=20),
            "released": pg.plot.released(embedding.release(pg.Graph.cycle(2000))),
            "depth": pg.plot.depth(layers, assumption, 8, pg.Target(epsilon=2, delta=1e-6)),
            "measured": pg.plot.measured("classes", "LastFM")}


def main():
    for name, axes in pictures().items():
        axes.figure.savefig(os.path.join(sys.argv[1], f"plot-{name}.svg"), metadata={"Date": None}, bbox_inches="tight")


if __name__ == "__main__":
    main()
