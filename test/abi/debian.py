#!/usr/bin/env python3
"""The Debian package: its symbols file has the symbols of the version script, and what is installed
goes into exactly one package.

usage: debian.py update MAP SYMBOLS | check MAP SYMBOLS LIBRARY | files SOURCE BUILD | self-test

update keeps the version since which a symbol is there; new ones get the version of the changelog.
check also lets dpkg-gensymbols judge the library, as the package build does. files asks Meson what BUILD
installs and looks for what no .install file takes, or takes twice, or misses.
"""
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import symbols as abi  # noqa: E402

# What the two libraries share has the hash of a build in its version; only libprivgraph-learn0 of the same
# version of the package uses it.
PRIVATE = ' (optional|regex)"@PRIVGRAPH_PRIVATE_[0-9a-f]+$" '
SCRIPTED = ["usr/share/man/man3/"]  # installed by a script, which Meson does not list


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def kind_of(path):
    """(package, version node) by the name of the symbols file."""
    package = os.path.basename(path)[:-len(".symbols")]
    return package, {"libprivgraph0": "PRIVGRAPH_0", "libprivgraph-learn0": "PRIVGRAPH_LEARN_0"}[package]


def listed(text, node):
    """{symbol: version since} of a symbols file."""
    return dict(re.findall(r"^ (\w+)@" + node + r" (\S+)$", text, flags=re.M))


def made(package, node, names, since, version):
    head = f"{package[:-1]}.so.0 {package} #MINVER#\n" + (PRIVATE + version + "\n" if node == "PRIVGRAPH_0" else "")
    return head + "".join(f" {name}@{node} {since.get(name, version)}\n" for name in sorted([*names, node]))


def changelog_version():
    return re.search(r"\(([^)]+)\)", read(os.path.join(HERE, "..", "..", "debian", "changelog"))).group(1)


def differences(names, text, node):
    there, wanted = set(listed(text, node)), {*names, node}
    return ([f"{name} is exported and not in the symbols file; ./dev abi-update" for name in sorted(wanted - there)]
            + [f"{name} is in the symbols file and not exported" for name in sorted(there - wanted)])


def gensymbols(path, library):
    """What dpkg-gensymbols holds against the library; None if it is content."""
    package, _ = kind_of(path)
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "debian"))
        with open(os.path.join(folder, "debian", "control"), "w", encoding="utf-8") as out:
            out.write(f"Source: privgraph\n\nPackage: {package}\nArchitecture: any\n")
        done = subprocess.run(
            ["dpkg-gensymbols", "-p" + package, "-v" + changelog_version(), "-c4", "-P.", "-O/dev/null",
             "-e" + os.path.abspath(library), "-I" + os.path.abspath(path)],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout if done.returncode else None


# --- files -------------------------------------------------------------------------------

def rows(source):
    """(package, pattern) of all .install files."""
    for path in sorted(glob.glob(os.path.join(source, "debian", "*.install"))):
        for line in read(path).splitlines():
            if line.strip():
                yield os.path.basename(path)[:-len(".install")], line.split()[0]


def takes(pattern, name):
    """As dh_install: a pattern takes a file, or a folder with all below. * stops at a slash."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) >= len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def misplaced(names, wanted):
    wrong = []
    for name in sorted(names):
        owners = sorted({package for package, pattern in wanted if takes(pattern, name)})
        if len(owners) != 1:
            wrong.append(f"{name}: {'no package' if not owners else ' and '.join(owners)}")
    for package, pattern in wanted:
        if not any(takes(pattern, name) for name in names):
            wrong.append(f"{package}: nothing is {pattern}")
    return wrong


def staged(build):
    """Names of all that `meson install` installs, as below the root of a Debian system."""
    done = subprocess.run(["meson", "introspect", "--installed", build], check=True, stdout=subprocess.PIPE, text=True)
    prefix = next(option["value"] for option in json.loads(subprocess.run(
        ["meson", "introspect", "--buildoptions", build], check=True, stdout=subprocess.PIPE, text=True).stdout)
        if option["name"] == "prefix")
    return {"usr/" + os.path.relpath(path, prefix) for path in json.loads(done.stdout).values()}


def lists(source):
    """Files that .docs and .examples name and the source does not have."""
    wrong = []
    for path in glob.glob(os.path.join(source, "debian", "*.docs")) + glob.glob(
            os.path.join(source, "debian", "*.examples")):
        for line in read(path).split():
            if not glob.glob(os.path.join(source, line)):
                wrong.append(f"{os.path.basename(path)}: no {line}")
    return wrong


# --- self-test ---------------------------------------------------------------------------

def self_test():
    package, node = kind_of("x/libprivgraph0.symbols")
    text = made(package, node, ["pvg_a", "pvg_b"], {"pvg_a": "0.1"}, "0.2")
    assert text.startswith("libprivgraph.so.0 libprivgraph0 #MINVER#\n"), text
    assert listed(text, node) == {node: "0.2", "pvg_a": "0.1", "pvg_b": "0.2"}, text
    assert differences(["pvg_a", "pvg_b"], text, node) == []
    assert len(differences(["pvg_a"], text, node)) == 1
    assert len(differences(["pvg_a", "pvg_b", "pvg_c"], text, node)) == 1
    assert "PRIVATE" in text and "PRIVATE" not in made(*kind_of("libprivgraph-learn0.symbols"), [], {}, "0.2")
    wanted = [("one", "usr/bin/x"), ("two", "usr/lib/*/*.so"), ("two", "usr/share")]
    assert misplaced({"usr/bin/x", "usr/lib/cpu/a.so", "usr/share/a/b"}, wanted) == []
    assert misplaced({"usr/bin/x", "usr/lib/cpu/a.so"}, wanted) == ["two: nothing is usr/share"]
    assert misplaced({"usr/bin/x", "usr/lib/c/a.so", "usr/share/a", "usr/y"}, wanted) == ["usr/y: no package"]
    assert misplaced({"usr/bin/x"}, [("one", "usr/bin/x"), ("two", "usr/bin")]) == ["usr/bin/x: one and two"]
    return []


def main():
    what, arguments = sys.argv[1], sys.argv[2:]
    wrong = []
    if what == "self-test":
        wrong = self_test()
    elif what == "files":
        there, wanted = {*staged(arguments[1]), *SCRIPTED}, list(rows(arguments[0]))
        if not any("/privgraph/__init__.py" in name for name in there):  # configured without -Dpython=true
            wanted = [row for row in wanted if row[0] != "python3-privgraph"]
        if not any("/libprivgraph-learn.so" in name for name in there):  # -Dlearn=false
            wanted = [row for row in wanted if not row[0].startswith("libprivgraph-learn")]
        if not any("/libprivgraph-mpi.so" in name for name in there):  # no MPI, or -Dmpi=disabled
            wanted = [row for row in wanted if "privgraph-mpi" not in row[0]]
        left = read(os.path.join(arguments[0], "debian", "not-installed")).split()
        there = {name for name in there if not any(takes(pattern, name) for pattern in left)}
        wrong = misplaced(there, wanted) + lists(arguments[0])
    else:
        names = abi.map_symbols(read(arguments[0]))
        package, node = kind_of(arguments[1])
        if what == "update":
            since = listed(read(arguments[1]), node) if os.path.exists(arguments[1]) else {}
            with open(arguments[1], "w", encoding="utf-8") as out:
                out.write(made(package, node, names, since, changelog_version()))
        else:
            wrong = differences(names, read(arguments[1]), node)
            said = gensymbols(arguments[1], arguments[2])
            wrong += [said] if said else []
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
