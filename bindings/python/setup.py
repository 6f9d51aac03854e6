"""Writes privgraph/_cdef.py, the declarations of the C headers, into what is built. The rest
is in pyproject.toml."""
import os
import runpy

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")


def write_declarations(folder):
    if not os.path.isfile(os.path.join(INCLUDE, "privgraph.h")):
        return  # a source distribution carries the file
    make = runpy.run_path(os.path.join(INCLUDE, "api.py"))["cdef_module"]
    with open(os.path.join(folder, "privgraph", "_cdef.py"), "w", encoding="utf-8") as out:
        out.write(make(INCLUDE))


class Build(build_py):
    def run(self):
        super().run()
        write_declarations(self.build_lib)


class Source(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        write_declarations(base_dir)


setup(cmdclass={"build_py": Build, "sdist": Source})
