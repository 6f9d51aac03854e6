"""Writes privgraph/_ffi.py, the declarations of the C headers, into what is built, and, for a
wheel that carries the library (make_wheel.py), the folder $PRIVGRAPH_BUNDLE as privgraph/_lib. The
rest is in pyproject.toml."""
import os
import runpy
import shutil

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")


def write_declarations(folder):
    if not os.path.isfile(os.path.join(INCLUDE, "privgraph.h")):
        return  # a source distribution carries the file
    write = runpy.run_path(os.path.join(HERE, "make_ffi.py"))["write"]
    write(os.path.join(folder, "privgraph", "_ffi.py"), INCLUDE)


BUNDLE = os.environ.get("PRIVGRAPH_BUNDLE")


class Package(Distribution):
    def has_ext_modules(self):
        return bool(BUNDLE)  # not for every platform


class Build(build_py):
    def run(self):
        super().run()
        write_declarations(self.build_lib)
        inside = os.path.join(self.build_lib, "privgraph", "_lib")
        shutil.rmtree(inside, ignore_errors=True)
        if BUNDLE:
            shutil.copytree(BUNDLE, inside)


class Source(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        write_declarations(base_dir)


commands = {"build_py": Build, "sdist": Source}
if BUNDLE:
    from wheel.bdist_wheel import bdist_wheel

    class Wheel(bdist_wheel):
        """For this platform and any Python 3: nothing is compiled against Python."""

        def get_tag(self):
            return ("py3", "none", os.environ.get("PRIVGRAPH_PLATFORM") or super().get_tag()[2])

    commands["bdist_wheel"] = Wheel

setup(cmdclass=commands, distclass=Package)
