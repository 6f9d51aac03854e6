"""Many small graphs by one worker and by two: python3 bench/distributed.py FOLDER [GRAPHS [PARTS]] [dask]

Writes graph6 files of random graphs of 20 nodes into FOLDER, then embeds all of them, read by the workers, with joblib
(or Dask). Prints wall seconds, and the CPU seconds of the client and of the workers: on a machine that is busy
otherwise the ratio that two idle cores allow is (client + workers) / (client + workers / 2)."""
import os
import resource
import sys
import time
import warnings

import numpy as np

import privgraph as pg
import privgraph.distributed as pgd

ORDER, EDGES = 20, 24
QUESTION = "embed patterns=edge,path3,path4,star3,path5,star4,cycle3,cycle4,cycle5,cycle6 max-degree=6 noise=laplace epsilon=1"


def load(path):
    """In the worker; says at the end what it took."""
    return pg.read_graphset(path)


def write(folder, graphs, parts):
    paths = []
    for part in range(parts):
        path = os.path.join(folder, f"part{part}-{graphs}.g6")
        paths.append(path)
        if os.path.exists(path):
            continue
        rng = np.random.default_rng(part)
        with open(path, "w", encoding="ascii") as file:
            upper = np.triu_indices(ORDER, 1)
            order = np.lexsort((upper[0], upper[1]))  # column by column, as graph6 has them
            bits = np.zeros((graphs // parts, len(order) + (-len(order)) % 6), np.uint8)
            bits[:, :len(order)] = rng.random((graphs // parts, len(order))) < EDGES / len(order)
            words = np.packbits(bits.reshape(len(bits), -1, 6), axis=2)[:, :, 0] >> 2
            for row in words:
                file.write(chr(63 + ORDER) + bytes(row + 63).decode() + "\n")
    return paths


def cpu(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def run(paths, graphs, workers, engine):
    parts = [pgd.Part(load, path, orders=np.full(graphs // len(paths), ORDER)) for path in paths]
    wall, mine, theirs = time.perf_counter(), cpu(resource.RUSAGE_SELF), cpu(resource.RUSAGE_CHILDREN)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ledger = pg.Ledger(1, 0.0, method="basic")
        if engine == "dask":
            from distributed import Client, LocalCluster
            with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
                begin = time.perf_counter(), cpu(resource.RUSAGE_SELF)
                pgd.draw(QUESTION, parts, object="m", ledger=ledger, client=client)
                took = time.perf_counter() - begin[0], cpu(resource.RUSAGE_SELF) - begin[1]
        else:
            from joblib import Parallel
            from joblib.externals.loky import get_reusable_executor
            begin = time.perf_counter(), cpu(resource.RUSAGE_SELF)
            pgd.draw(QUESTION, parts, object="m", ledger=ledger, client=Parallel(n_jobs=workers, backend="loky"))
            took = time.perf_counter() - begin[0], cpu(resource.RUSAGE_SELF) - begin[1]
            get_reusable_executor().shutdown(wait=True)
    children = cpu(resource.RUSAGE_CHILDREN) - theirs
    print(f"{workers} workers ({engine}): {took[0]:.1f} s wall, client {took[1]:.1f} s of CPU, workers {children:.1f} s with start",
          flush=True)
    return took[1], children


def main():
    folder = sys.argv[1]
    numbers = [int(word) for word in sys.argv[2:] if word.isdigit()]
    graphs, parts = (numbers + [1000000, 20][len(numbers):])[:2]
    engine = "dask" if "dask" in sys.argv else "joblib"
    paths = write(folder, graphs, parts)
    for workers in (1, 2):
        mine, theirs = run(paths, graphs, workers, engine)
        print(f"  two idle cores would allow {(mine + theirs) / (mine + theirs / 2):.2f}", flush=True)


if __name__ == "__main__":
    main()
