#!/usr/bin/env python3
"""No BLAS before it is needed, and then one. A process that loads libprivgraph has one thread and
no implementation of dgemm_ (one, where the library is linked to it); after a problem that gains by
a BLAS it has at most one, and what the host set as OpenBLAS's number of threads stands as before.

usage: blas.py check LIBRARY KIND       (lazy, linked or none: how the library was built)
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


# Loads the libraries, perhaps uses the first one, and tells threads and mappings on the way.
PROGRAM = """
import ctypes, re, sys
use, *names = sys.argv[1:]
def threads(): return int(re.search(r"Threads:\\s+(\\d+)", open("/proc/self/status").read()).group(1))
loaded = [ctypes.CDLL(name) for name in names]
print("threads", threads())
if use == "use":
    n = 400
    layers = ctypes.c_void_p()
    numbers = (ctypes.c_double * (n * n))(*[(i * 7919 % 1000) / 1000 - 0.5 for i in range(n * n)])
    status = loaded[0].pvg_layers_new(ctypes.byref(layers), None, numbers, ctypes.c_int64(n))
    loaded[0].pvg_error_message.restype = ctypes.c_char_p
    print("status", status, loaded[0].pvg_error_message().decode())
print(open("/proc/self/maps").read())
"""


def after_loading(libraries, use=False):
    """What a fresh process prints that loads these libraries."""
    return run(sys.executable, "-c", PROGRAM, "use" if use else "load", *libraries)


def mapped_after_loading(libraries, use=False):
    """Shared objects mapped then."""
    return sorted(set(re.findall(r" (/.+\.so[.\d]*)$", after_loading(libraries, use), flags=re.M)))


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
        here = len(survey(mapped_after_loading((library,)))[0])
        for others, expected in [((second,), here + 1), ((second, door), here + 1), ((second, whole), here + 2)]:
            found, _ = survey(mapped_after_loading((library,) + others))
            assert len(found) == expected, (others, expected, found)
    print("self-test: a second and a third BLAS were noticed, a door was not counted")


def main():
    command, library = sys.argv[1:3]
    if command == "self-test":
        return self_test(library, sys.argv[3:])
    kind = sys.argv[3]
    least = 1 if kind == "linked" else 0
    loaded = after_loading([library])
    count = len(survey(mapped_after_loading([library]))[0])
    if count != least:
        sys.exit(f"{count} BLAS implementations loaded, {least} expected")
    if kind != "linked" and "threads 1\n" not in loaded:
        sys.exit("a thread started with the library: " + loaded.splitlines()[0])
    used = after_loading([library], use=True)
    if "status 0" not in used:
        sys.exit(next(line for line in used.splitlines() if line.startswith("status")))
    implementations, doors = survey(mapped_after_loading([library], use=True))
    for path in implementations:
        print("implementation", path)
    for path in doors:
        print("door", path)
    if len(implementations) > (0 if kind == "none" else 1):
        sys.exit(f"{len(implementations)} BLAS implementations in use")


if __name__ == "__main__":
    main()
