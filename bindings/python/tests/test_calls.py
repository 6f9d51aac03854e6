"""Calls as such: progress, cancelling, Ctrl-C, the GIL, errors, threads."""
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import privgraph as pg
from privgraph import _native

HEAVY = "clique6"


def heavy_graph():
    """Minutes of work."""
    return pg.Graph.erdos_renyi(1000, 0.4, 1)


def test_progress_is_told():
    seen = []
    pg.Density("trees").evaluate_exact(pg.GraphSet.sbm(200, [0.1, 0.2, 0.3], 60), progress=seen.append)
    assert all(0 <= fraction <= 1 for fraction in seen) and seen == sorted(seen)


def test_callback_cancels():
    seen = []

    def stop(fraction):
        seen.append(fraction)
        return True
    with pytest.raises(pg.Cancelled):
        pg.Density(HEAVY).evaluate_exact(heavy_graph(), progress=stop)
    assert len(seen) == 1
    assert pg.Density("edge").count_exact(pg.Graph.cycle(5)).tolist() == [10]


def test_exceptions_of_a_callback_come_through():
    def broken(fraction):
        raise LookupError("inside")
    with pytest.raises(LookupError, match="inside"):
        pg.Density(HEAVY).evaluate_exact(heavy_graph(), progress=broken)
    assert pg.Density("edge").count_exact(pg.Graph.cycle(5)).tolist() == [10]


def test_keyboard_interrupt():
    """Ctrl-C ends a call that would take far longer, without any callback of the user."""
    program = """if True:
        import sys, privgraph as pg
        graph = pg.Graph.erdos_renyi(1000, 0.4, 1)
        density = pg.Density("clique6")
        print("ready", flush=True)
        try:
            density.evaluate_exact(graph)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(0)
        print("finished")
        """
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout.readline() == "ready\n"
            time.sleep(0.2)
            os.kill(child.pid, signal.SIGINT)
            assert child.stdout.readline() == "interrupted\n"
            assert child.wait(60) == 0
        finally:
            child.kill()


def test_the_gil_is_free_during_calls():
    stop = threading.Event()

    def work():
        with pytest.raises(pg.Cancelled):
            pg.Density(HEAVY).evaluate_exact(graph, progress=lambda fraction: stop.is_set())
    graph = heavy_graph()
    worker = threading.Thread(target=work)
    worker.start()
    gaps, last = [], time.monotonic()
    for _ in range(200):
        time.sleep(0.001)
        now = time.monotonic()
        gaps.append(now - last)
        last = now
    alive = worker.is_alive()
    stop.set()
    worker.join()
    assert alive and sorted(gaps)[100] < 0.05, sorted(gaps)[-5:]


def test_messages_belong_to_their_thread():
    wrong = []

    def work(place):
        edges = np.stack([np.zeros(place + 1, np.int64), np.ones(place + 1, np.int64)])
        edges[1, place] = 9
        for _ in range(50):
            try:
                pg.Graph.from_edges(edges, 3)
                wrong.append("no error")
            except pg.ArgumentError as error:
                if f"edge {place}:" not in str(error):
                    wrong.append(str(error))
    threads = [threading.Thread(target=work, args=(1000 + i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_every_status_has_its_exception():
    names = [name for name in dir(_native.lib) if name.startswith("PVG_E_")]
    assert len(names) >= 11
    for name in names:
        kind = pg.errors.BY_STATUS[name]
        with pytest.raises(kind) as caught:
            _native.check(getattr(_native.lib, name))
        assert caught.value.status == name and issubclass(kind, pg.PrivGraphError)
    with pytest.raises(pg.PrivGraphError):
        _native.check(-9999)


def test_versions():
    assert pg.__version__ == pg.build_info()["version"]
    assert pg.__version__.count(".") == 2


def test_struct_fields_that_do_not_fit():
    with pytest.raises(pg.ArgumentError, match="threads is -1: can't convert negative"):
        pg.Density("edge").evaluate_exact(pg.Graph.cycle(3), threads=-1)
    with pytest.raises(pg.ArgumentError):
        pg.Density("edge").evaluate_exact(pg.Graph.cycle(3), threads=10 ** 6)
