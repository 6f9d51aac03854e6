"""The program `privgraph`, which a wheel carries, and the report page that it makes."""
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, NoReturn, Optional, Tuple, Union

from ._native import _HERE, _TREE, LIBRARY
from .errors import ArgumentError, FileError
from .release import Release

__all__ = ["report"]


def _candidates() -> List[str]:
    chosen = os.environ.get("PRIVGRAPH_PROGRAM")
    if chosen:
        return [chosen]
    places = [os.path.join(_HERE, "_lib", "privgraph")]  # a wheel that carries it
    if os.path.isfile(os.path.join(_TREE, "include", "privgraph.h")):
        places.append(os.path.join(_TREE, "build", "tools", "privgraph"))
    folder = os.path.dirname(LIBRARY)
    places += [os.path.join(folder, *up, "bin", "privgraph") for up in ((os.pardir,), (os.pardir, os.pardir))]
    return places + [shutil.which("privgraph") or ""]


def _program() -> Tuple[str, Dict[str, str]]:
    """The program, and the environment in which it finds the library of this package."""
    for place in _candidates():
        if os.access(place, os.X_OK):
            around = dict(os.environ)
            if os.path.dirname(LIBRARY):
                known = around.get("LD_LIBRARY_PATH")
                around["LD_LIBRARY_PATH"] = os.path.dirname(LIBRARY) + (os.pathsep + known if known else "")
            return place, around
    raise FileError("the program privgraph was not found; install it or set PRIVGRAPH_PROGRAM to its path")


def report(release: Release, path: Union[None, str, "os.PathLike[str]"] = None, *, title: Optional[str] = None,
           ledger: Union[None, str, "os.PathLike[str]"] = None, object: Optional[str] = None) -> str:
    """A page about a release for those who decide: what is published, with error bars, what is hidden from whom, what
    the best attack can reach, the assumptions to sign. HTML without scripts; written to `path` if it is given.

    ledger, object: the file and the name of a budget, whose state is shown.

    >>> import privgraph as pg
    >>> with pg.Session(pg.Graph.cycle(100), object="ring", epsilon=1) as session:
    ...     page = pg.report(session.release("scalars", list="edges", epsilon=1), title="The ring")
    >>> "The ring" in page
    True
    """
    if not isinstance(release, Release):
        raise ArgumentError(f"release is a {type(release).__name__}, not a Release")
    program, around = _program()
    with tempfile.TemporaryDirectory(prefix="privgraph-") as folder:
        saved, made = os.path.join(folder, "release.pvg"), os.path.join(folder, "report.html")
        release.save(saved)
        more: List[Any] = [] if title is None else ["--title", title]
        more += [] if ledger is None else ["--ledger", os.fspath(ledger)]
        more += [] if object is None else ["--object", object]
        done = subprocess.run([program, "report", saved, "--output", made, "--quiet", *more], env=around,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            raise FileError(f"privgraph report: {done.stdout.strip()}")
        with open(made, encoding="utf-8") as file:
            page = file.read()
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page)
    return page


def main() -> NoReturn:
    """The program, as the command of a wheel."""
    program, around = _program()
    os.execve(program, [program, *sys.argv[1:]], around)
