#!/usr/bin/env python3
"""The reader of the headers (include/api.py) against the C preprocessor, and what the headers do
not tell it.

usage: reader.py INCLUDE_DIR COMPILER... | reader.py --self-test

cffi parses what the reader declares and what the preprocessor makes of privgraph.h; both must know
the same types, constants and functions.
"""
import os
import subprocess
import sys
import tempfile

import cffi

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "include"))
import api  # noqa: E402


def preprocessed(include_dir, compiler):
    """privgraph-learn.h, and with it privgraph.h, without macros. The standard headers are replaced by empty ones, because cffi
    knows their types; without __GNUC__ the export macro is empty."""
    with tempfile.TemporaryDirectory() as stub:
        for name in ("stddef.h", "stdint.h"):
            with open(os.path.join(stub, name), "w", encoding="utf-8"):
                pass
        return subprocess.run([*compiler, "-E", "-P", "-nostdinc", "-U__GNUC__", "-I", stub, "-I", include_dir,
                               os.path.join(include_dir, "privgraph-learn.h")], check=True,
                              stdout=subprocess.PIPE, text=True).stdout


def known(text):
    """{name: what cffi says of it}: struct with fields, callback, constant, function."""
    ffi = cffi.FFI()
    ffi.cdef(text)
    found = {}
    for name in ffi.list_types()[0]:
        kind = ffi.typeof(name)
        fields = kind.fields if kind.kind == "struct" else None
        found[name] = [(field, info.type.cname) for field, info in fields] if fields else kind.cname
    for key, (kind, _) in ffi._parser._declarations.items():
        if key.startswith(("function ", "constant ")):
            found[key.split()[1]] = str(kind)
    for key, value in ffi._parser._int_constants.items():
        found[key] = str(value)
    return found


def differences(first, second):
    return sorted(name for name in set(first) | set(second) if first.get(name) != second.get(name))


def self_test():
    header = """enum { PVG_A = 0, /* one */
    /* two, {x} */
    PVG_B = 0x10 };
typedef struct pvg_x pvg_x;

/* A config. */
typedef struct pvg_c {
    uint32_t size; /* sizeof */
    PVG_ENUM(A) int32_t a, b; /* PVG_A_* */
    int32_t (*go)(void *context, const char **data);
} pvg_c;

/* --- part ---- */

/* Does it. Since 0.1. */
PRIVGRAPH_API int32_t pvg_f(pvg_x **out, PVG_OPT PVG_LEN(count * (1 + 2)) const double *values,
                            int64_t count, const char *name, int32_t (*call)(void *context));
PRIVGRAPH_API PVG_BOOL int32_t pvg_g(const pvg_x *x);
"""
    items = api.items(header)
    assert [item["kind"] for item in items] == ["enum", "opaque", "struct", "section", "function", "function"], items
    assert items[0]["constants"] == [{"name": "PVG_A", "value": 0, "doc": "one"},
                                     {"name": "PVG_B", "value": 16, "doc": "two, {x}"}], items[0]
    assert [(f["name"], f["doc"]) for f in items[2]["fields"]] == \
        [("size", "sizeof"), ("a", "PVG_A_*"), ("b", "PVG_A_*"), ("go", "")], items[2]
    values = items[4]["parameters"][1]
    assert values["opt"] and values["len"] == "count * (1 + 2)" and values["pointers"] == [True], values
    assert items[5]["since"] == "0.1" and items[5]["result"]["bool"]
    assert api.declare(items[4]) == ("int32_t pvg_f(pvg_x **out, const double *values, int64_t count, "
                                     "const char *name, int32_t (*call)(void *context));")
    text = "\n".join(map(api.declare, (item for item in items if item["kind"] != "section")))
    assert differences(known(text), known(text)) == []
    for old, new in (("int64_t count", "int32_t count"), ("PVG_B = 16", "PVG_B = 17"), ("int32_t b", "int64_t b")):
        assert old in text and differences(known(text), known(text.replace(old, new))) != [], old
    for bad in ("int x[3];", "enum { PVG_A };", "PRIVGRAPH_API int32_t pvg_f(int64_t *const a);", "union u { int a; } u;",
                "typedef struct pvg_a { int32_t x; } pvg_b;", "PRIVGRAPH_API int32_t pvg_f(void)"):
        try:
            api.items(bad)
        except ValueError:
            continue
        raise AssertionError(bad)
    two = {"modules": [{"items": api.items("enum { PVG_A_ONE = 0, PVG_A_TWO = 1 };\n"
                                         "enum { PVG_A_B_ONE = 0, PVG_A_B_TWO = 1 };\n"
                                         "enum { PVG_C_ONE = 0, PVG_C_TWO = 1, PVG_A_SIZE_MAX = 3 };\n")}]}
    assert len(api.shared_prefixes(two)) == 1, api.shared_prefixes(two)
    print("self-test: 3 differences found, 6 headers refused, 1 shared prefix")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    include_dir, compiler = sys.argv[1], sys.argv[2:]
    wrong = [f"{name}: not what the preprocessor says" for name in
             differences(known(api.declarations(include_dir)), known(preprocessed(include_dir, compiler)))]
    found = api.load(include_dir)
    names = [module["name"] for module in found["modules"]]
    there = {name[:-2] for name in os.listdir(os.path.join(include_dir, "privgraph"))}
    if names != [name for name in api.modules(ROOT) if name in there]:
        wrong.append("privgraph.h and privgraph-learn.h do not include the modules of lib/modules.txt in their order")
    wrong += api.unannotated(found) + api.shared_prefixes(found)
    for line in wrong:
        print(line)
    print(f"{len(api.each(found, 'function'))} functions, {len(api.all_constants(found))} constants")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
