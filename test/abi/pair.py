#!/usr/bin/env python3
"""libprivgraph-learn loads with the libprivgraph of its own build and with no other.

usage: pair.py LIBRARY LEARN_LIBRARY COMPILER

The other one is made here: it has every symbol of the real library, but what is shared has the version of
other headers.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = """
import ctypes, os, sys
core, learn = (ctypes.CDLL(path) for path in sys.argv[1:])
learn.pvg_learn_version_string.restype = core.pvg_version_string.restype = ctypes.c_char_p
assert learn.pvg_learn_version_string() == core.pvg_version_string()
"""


def load(core, learn):
    """(exit code, what was said) of a process that loads these two."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, core, learn], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def symbols(library):
    """{version: names}"""
    found = {}
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, text=True).stdout
    for name, version in re.findall(r" [A-Z] (\w+)@@(\w+)$", lines, flags=re.M):
        if name != version:
            found.setdefault(version, []).append(name)
    return found


def impostor(library, folder, compiler, change):
    """A library of the same name with the same symbols below versions that `change` made."""
    found = symbols(library)
    source, script, out = (os.path.join(folder, name) for name in ("x.c", "x.map", "libprivgraph.so.0"))
    with open(source, "w", encoding="utf-8") as file:
        file.write('const char *pvg_version_string(void) { return "0"; }\n')
        for name in (name for names in found.values() for name in names if name != "pvg_version_string"):
            file.write(f"void {name}(void) {{}}\n")
    with open(script, "w", encoding="utf-8") as file:
        for version, names in found.items():
            file.write(change(version) + " { global: " + " ".join(name + ";" for name in names) + " };\n")
    subprocess.run([compiler, "-w", "-shared", "-fPIC", "-Wl,-soname,libprivgraph.so.0",
                    "-Wl,--version-script=" + script, source, "-o", out], check=True)
    return out


def main():
    library, learn, compiler = sys.argv[1:]
    library, learn = map(os.path.abspath, (library, learn))
    code, said = load(library, learn)
    if code:
        sys.exit(f"the pair of this build does not load:\n{said}")
    with tempfile.TemporaryDirectory() as folder:
        moved = shutil.copy(learn, folder)  # away from its own
        private = [version for version in symbols(library) if version.startswith("PRIVGRAPH_PRIVATE_")]
        if len(private) != 1:
            sys.exit(f"libprivgraph has {private}, not one private version")
        code, said = load(impostor(library, folder, compiler, lambda version: version.replace(private[0], private[0][:-1] + "x")),
                          moved)
        if code == 0 or f"{private[0]}' not found" not in said:
            sys.exit(f"a library of other headers was taken, or refused without naming the version:\n{said}")
        # the other way round: with the right version the loader has nothing against it
        code, said = load(impostor(library, folder, compiler, lambda version: version), moved)
        if "not found" in said:
            sys.exit(f"the impostor is refused for another reason:\n{said}")
    print(f"refused: {private[0]} is not there")


if __name__ == "__main__":
    main()
