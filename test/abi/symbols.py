#!/usr/bin/env python3
"""Exported symbols == symbol map == PRIVGRAPH_API declarations, and no name can clash.

usage: symbols.py SHARED STATIC MAP FFI_HEADER SOURCE_ROOT LIBRARY [--shared] [--pending MODULE,MODULE]

LIBRARY: privgraph or privgraph-learn. --shared: what PVGI_SHARED marks is exported as well, under the version
of this build's headers; without it nothing is but the map.
A pending module is one under construction: its header may promise functions that are not there
yet. --self-test shows that each rule rejects a violation.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "include"))
sys.path.insert(0, os.path.join(ROOT, "lib"))
import api  # noqa: E402
import map as private  # noqa: E402

# Names that belong to others. pg_ and PG_ are PostgreSQL's, a likely host.
FOREIGN_PREFIXES = ("pg_", "pq", "sodium_", "crypto_", "cblas_", "LAPACK", "openblas_")


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def dynamic_symbols(library):
    """{name: version} of the defined dynamic symbols, without the version's own entry."""
    found = {}
    for line in run("nm", "-D", "--defined-only", library).splitlines():
        kind, name = line.split()[-2:]
        if kind != "A":
            name, _, version = name.partition("@")
            found[name] = version.lstrip("@")
    return found


def static_symbols(library):
    lines = run("nm", "-g", "--defined-only", library).splitlines()
    return {parts[2] for parts in (line.split() for line in lines) if len(parts) == 3}


def libraries_below(library):
    """Paths of the shared libraries that the dynamic linker loads with this one."""
    return sorted(set(re.findall(r"=> (/.+?) \(0x", run("ldd", library))))


def map_symbols(text):
    """Global names of a linker version script with one version."""
    body = re.search(r"global:(.*?)local:", api.without_comments(text), flags=re.S).group(1)
    return [name.strip() for name in body.split(";") if name.strip()]


def names_of(items):
    """What a header puts into the program that includes it, macros apart."""
    return {one["name"] for item in items for one in item.get("constants", [item]) if "name" in one}


def macros(text):
    return set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", api.without_comments(text), flags=re.M))


def compare(exported, mapped, declared, pending, static, below, names, node, shared):
    """Returns the list of violations. node: the version of what is private; shared: the names below it."""
    wrong = []
    inside = {name for name, version in exported.items() if version == node}
    wrong += [f"{name}: marked PVGI_SHARED, not exported as {node}" for name in sorted(shared - inside)]
    wrong += [f"{name}: exported as {node}, not marked PVGI_SHARED" for name in sorted(inside - shared)]
    wrong += [f"{name}: shared, but not called pvgi_" for name in sorted(shared) if not name.startswith("pvgi_")]
    exported = {name: version for name, version in exported.items() if name not in inside}
    order = [name for name in mapped]
    if order != sorted(set(order)):
        wrong.append("the map is not sorted, or has a name twice")
    mapped = set(mapped)
    for name in sorted(set(exported) - mapped):
        wrong.append(f"{name}: exported, not in the map")
    for name in sorted(mapped - set(exported)):
        wrong.append(f"{name}: in the map, not exported")
    for name in sorted(mapped - declared):
        wrong.append(f"{name}: in the map, not declared in a header")
    for name in sorted(declared - mapped - pending):
        wrong.append(f"{name}: declared in a header, not in the map")
    for name, version in sorted(exported.items()):
        if not name.startswith("pvg_"):
            wrong.append(f"{name}: exported without the prefix pvg_")
        if not version:
            wrong.append(f"{name}: exported without a symbol version")
    for name in sorted(static):
        if not name.startswith(("pvg_", "pvgi_")):
            wrong.append(f"{name}: global in the static library without pvg_ or pvgi_")
    for name in sorted(names):
        if not re.match(r"pvg_|PVG_|PRIVGRAPH_", name):
            wrong.append(f"{name}: a header defines it without our prefix")
    for name in sorted(set(exported) | static | names):
        if name.startswith(FOREIGN_PREFIXES):
            wrong.append(f"{name}: looks like another project's name")
        if name in below:
            wrong.append(f"{name}: also defined by {below[name]}")
    return wrong


def self_test():
    good = dict(exported={"pvg_a": "V"}, mapped=["pvg_a"], declared={"pvg_a", "pvg_later"},
                pending={"pvg_later"}, static={"pvg_a", "pvgi_b"}, below={"malloc": "libc"},
                names={"pvg_a", "PVG_OK", "PRIVGRAPH_API"}, node="P_1", shared=set())
    assert compare(**good) == [], compare(**good)
    assert compare(**{**good, "exported": {"pvg_a": "V", "pvgi_s": "P_1"}, "shared": {"pvgi_s"}}) == []
    bad = [
        (dict(shared={"pvgi_s"}), "marked PVGI_SHARED, not exported"),
        (dict(exported={"pvg_a": "V", "pvgi_s": "P_1"}), "not marked PVGI_SHARED"),
        (dict(exported={"pvg_a": "V", "pvgi_s": "P_0"}, shared={"pvgi_s"}), "not exported as P_1"),
        (dict(exported={"pvg_a": "V", "pvg_s": "P_1"}, shared={"pvg_s"}), "not called pvgi_"),
        (dict(exported={}), "not exported"),
        (dict(exported={"pvg_a": "V", "pvg_b": "V"}), "not in the map"),
        (dict(exported={"pvg_a": ""}), "symbol version"),
        (dict(mapped=["pvg_a", "pvg_a"]), "sorted"),
        (dict(mapped=["pvg_b", "pvg_a"], exported={"pvg_a": "V", "pvg_b": "V"},
              declared={"pvg_a", "pvg_b", "pvg_later"}), "sorted"),
        (dict(declared={"pvg_later"}), "not declared"),
        (dict(pending=set()), "declared in a header, not in the map"),
        (dict(exported={"pg_a": "V"}, mapped=["pg_a"], declared={"pg_a"}), "another project"),
        (dict(static={"helper"}), "static library"),
        (dict(static={"pvg_a"}, below={"pvg_a": "libm.so.6"}), "also defined by libm.so.6"),
        (dict(names={"MAX"}), "without our prefix"),
    ]
    for change, part in bad:
        wrong = compare(**{**good, **change})
        assert any(part in line for line in wrong), (change, part, wrong)
    text = ('/* PRIVGRAPH_API int no(void); */\n#define PRIVGRAPH_API x(("y"))\n'
            "PRIVGRAPH_API const char *pvg_f(int32_t (*call)(void *x));\n"
            "typedef struct pvg_s { int a; } pvg_s;\ntypedef int (*pvg_cb)(int a);\n"
            "enum { PVG_A = 0, PVG_B = 1 };\n")
    assert api.functions(text) == ["pvg_f"]
    assert names_of(api.items(text)) == {"pvg_f", "pvg_s", "pvg_cb", "PVG_A", "PVG_B"}
    assert macros(text) == {"PRIVGRAPH_API"}
    marks = ("/* PVGI_SHARED int pvgi_no(void); */\n#define PVGI_SHARED x\nint pvgi_n(void);\n"
             "PVGI_SHARED const char *pvgi_a(int32_t (*call)(void *x));\nPVGI_SHARED extern const int pvgi_b[3];\n")
    assert private.marked(marks) == ["pvgi_a", "pvgi_b"], private.marked(marks)
    print(f"self-test: {len(bad)} violations rejected")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    parser = argparse.ArgumentParser()
    parser.add_argument("--pending", default="")
    parser.add_argument("shared")
    parser.add_argument("static")
    parser.add_argument("map")
    parser.add_argument("ffi_header")
    parser.add_argument("root")
    parser.add_argument("library")
    parser.add_argument("--shared", action="store_true", dest="private")
    given = parser.parse_args()
    include = os.path.join(given.root, "include")
    modules = {module["name"]: module["items"] for module in api.only(api.load(include), given.library)["modules"]}
    by_module = {name: [item["name"] for item in items if item["kind"] == "function"]
               for name, items in modules.items()}
    declared = {name for found in by_module.values() for name in found}
    promised = {name for module in given.pending.split(",") for name in by_module.get(module, [])}
    below = {name: os.path.basename(path) for path in libraries_below(given.shared)
             for name in dynamic_symbols(path)}
    if "malloc" not in below or "sodium_init" not in below:
        sys.exit("the libraries below were not found: cannot judge clashes")
    exported = dynamic_symbols(given.shared)
    names = set().union(*(names_of(items) for items in modules.values()), *(
        macros(api.read(os.path.join(include, "privgraph", name + ".h"))) for name in modules))
    wrong = compare(exported, map_symbols(api.read(given.map)), declared, promised,
                    static_symbols(given.static), below, names, private.NODE + private.key(given.root),
                    {*private.shared(given.root), *private.entries(given.root)} if given.private else set())
    # What bindings see must be what is exported, too.
    plain = set(re.findall(r"\b(pvg_\w+)\s*\(", api.read(given.ffi_header)))
    wrong += [f"{name}: not the same in privgraph_ffi.h" for name in sorted(plain ^ declared)]
    for line in wrong:
        print(line)
    missing = declared - set(exported)
    if missing:
        print(f"note: {len(missing)} functions of modules under construction are still missing")
    print(f"{len(exported)} symbols exported, {len(below)} foreign symbols compared")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
