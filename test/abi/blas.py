#!/usr/bin/env python3
"""One BLAS: a process that loads libprivgraph holds one implementation of dgemm_, not two.

usage: blas.py check LIBRARY
       blas.py self-test LIBRARY COMPILER...

Debian's OpenBLAS comes as libopenblas plus thin libblas and liblapack: they define dgemm_ as
well, but as a door, with the kernels, the memory pool and the threads in libopenblas. So
counting definitions would be wrong in both directions. Here a loaded library that defines
dgemm_ is a door if it is linked (DT_NEEDED) to another such library and takes symbols from it;
every other one is an implementation, with its own kernels and its own threads.
"""
import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def mapped_after_loading(libraries):
    """Shared objects mapped in a fresh process that loads these libraries."""
    code = ("import ctypes, sys\nfor name in sys.argv[1:]: ctypes.CDLL(name)\n"
            "print(open('/proc/self/maps').read())")
    maps = run(sys.executable, "-c", code, *libraries)
    return sorted(set(re.findall(r"(/\S+\.so[.\d]*)$", maps, flags=re.M)))


def symbols(path, which):
    lines = run("nm", "-D", which, path).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines}


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", path))


def soname(path):
    found = re.findall(r"\(SONAME\).*\[(.*)\]", run("readelf", "-d", path))
    return found[0] if found else os.path.basename(path)


def survey(paths):
    """(implementations, doors) among the objects that define dgemm_."""
    defined = {path: symbols(path, "--defined-only") for path in paths}
    holders = [path for path in paths if "dgemm_" in defined[path]]
    doors = []
    for path in holders:
        for other in holders:
            if other != path and soname(other) in needed(path) and \
                    symbols(path, "--undefined-only") & defined[other]:
                doors.append(path)
                break
    return [path for path in holders if path not in doors], doors


def self_test(library, compiler):
    with tempfile.TemporaryDirectory() as work:
        def build(name, code, *more):
            path = os.path.join(work, name)
            source = path + ".c"
            with open(source, "w") as out:
                out.write(code)
            subprocess.run(compiler + ["-shared", "-fPIC", "-Wl,--no-as-needed",
                                       "-Wl,-soname," + name, "-o", path, source,
                                       *more], check=True)
            return path
        second = build("libsecond.so", "int kernel(void) { return 1; } int dgemm_(void) { return 1; }")
        door = build("libdoor.so", "int kernel(void); int dgemm_(void) { return kernel(); }", second)
        whole = build("libwhole.so", "int dgemm_(void) { return 2; }", second)
        for others, expected in [((second,), 2), ((second, door), 2), ((second, whole), 3)]:
            found, _ = survey(mapped_after_loading((library,) + others))
            assert len(found) == expected, (others, expected, found)
    print("self-test: a second and a third BLAS were noticed, a door was not counted")


def main():
    command, library = sys.argv[1:3]
    if command == "self-test":
        return self_test(library, sys.argv[3:])
    implementations, doors = survey(mapped_after_loading([library]))
    for path in implementations:
        print("implementation", path)
    for path in doors:
        print("door", path)
    sys.exit(0 if len(implementations) == 1 else f"{len(implementations)} BLAS implementations loaded")


if __name__ == "__main__":
    main()
