#!/usr/bin/env python3
"""The ABI of the built library against the stored dump, with libabigail.

usage: dump.py update LIBRARY INCLUDE_DIR DUMP
       dump.py check LIBRARY INCLUDE_DIR DUMP
       dump.py self-test COMPILER...

Removed or changed functions fail. Added ones are compatible: they pass with a note.
"""
import os
import re
import subprocess
import sys
import tempfile


def write_dump(library, include_dir, dump):
    """No paths, no locations, ids from names: the same text on every machine."""
    with tempfile.TemporaryDirectory() as work:
        inside = os.path.join(work, "inside")  # what libprivgraph-learn alone uses is nobody's ABI
        with open(inside, "w", encoding="utf-8") as out:
            out.write("".join(f"[suppress_{kind}]\nsymbol_name_regexp = ^pvgi_\ndrop = yes\n\n"
                              for kind in ("function", "variable")))
        subprocess.run(["abidw", "--suppressions", inside, "--no-show-locs", "--no-comp-dir-path", "--no-corpus-path",
                        "--no-elf-needed", "--no-architecture", "--no-parameter-names",
                        "--no-write-default-sizes", "--type-id-style", "hash",
                        "--drop-undefined-syms", "--drop-private-types",
                        "--headers-dir", include_dir, "--out-file", dump, library], check=True)
    with open(dump, encoding="utf-8") as file:
        text = file.read()
    # abidw names the translation unit of a declaration by its path in the build; the file
    # name says the same and does not depend on where the build folder is.
    text = re.sub(r" path='(?:[^']*/)?([^'/]*)'", r" path='\1'", text)
    with open(dump, "w", encoding="utf-8") as file:
        file.write(text)


def compare(library, include_dir, dump):
    """('same' | 'added' | 'broken', report). Compares two dumps made the same way: abidiff would
    take a dump without locations, given a headers folder, for private types only, and pass."""
    def judged(*extra):
        done = subprocess.run(["abidiff", "--no-show-locs", *extra, dump, fresh],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode & 3:  # bits: 1 tool error, 2 usage, 4 change, 8 incompatible
            sys.exit(f"abidiff failed:\n{done.stdout}")
        return done.returncode, done.stdout

    with tempfile.TemporaryDirectory() as work:
        fresh = os.path.join(work, "fresh.abi")
        write_dump(library, include_dir, fresh)
        code, report = judged("--no-added-syms")
        if code:
            return "broken", report
        code, report = judged()
        return ("added" if code else "same"), report


SELF_TEST_HEADER = """
typedef struct thing thing;
typedef struct { unsigned size; int a; } config;
int pvg_one(thing *t, const config *c);
%s
"""
SELF_TEST_CODE = """
#include "x.h"
struct thing { int hidden; %s };
int pvg_one(thing *t, const config *c) { return t->hidden + c->a; }
%s
"""


def self_test(compiler):
    two = ("int pvg_two(int x);", "int pvg_two(int x) { return x; }")
    cases = [  # header addition, hidden field, code addition, header edit, expected
        (*two, "", ("", ""), "same"),
        (*two, "int more;", ("", ""), "same"),
        (two[0] + "int pvg_three(void);", two[1] + "int pvg_three(void) { return 3; }", "",
         ("", ""), "added"),
        ("", "", "", ("", ""), "broken"),
        ("long pvg_two(long x);", "long pvg_two(long x) { return x; }", "", ("", ""), "broken"),
        (*two, "", ("int a;", "int b; int a;"), "broken"),
    ]
    with tempfile.TemporaryDirectory() as work:
        def build(name, header, code, hidden, edit):
            os.makedirs(os.path.join(work, name, "include"))
            text = SELF_TEST_HEADER % header
            with open(os.path.join(work, name, "include", "x.h"), "w") as out:
                out.write(text.replace(*edit) if edit[0] else text)
            with open(os.path.join(work, name, "x.c"), "w") as out:
                out.write(SELF_TEST_CODE % (hidden, code))
            library = os.path.join(work, name, "x.so")
            subprocess.run(compiler + ["-g", "-shared", "-fPIC", "-I",
                                       os.path.join(work, name, "include"), "-o", library,
                                       os.path.join(work, name, "x.c")], check=True)
            return library, os.path.join(work, name, "include")

        base = build("base", *two, "", ("", ""))
        dump = os.path.join(work, "base.abi")
        write_dump(*base, dump)
        with open(dump, encoding="utf-8") as file:
            assert work not in file.read(), "the dump names a folder of this machine"
        for i, (header, code, hidden, edit, expected) in enumerate(cases):
            result, report = compare(*build(f"case{i}", header, code, hidden, edit), dump)
            assert result == expected, (i, expected, result, report)
    print(f"self-test: {len(cases)} libraries judged as they should be")


def main():
    if sys.argv[1] == "self-test":
        return self_test(sys.argv[2:])
    command, library, include_dir, dump = sys.argv[1:5]
    if command == "update":
        return write_dump(library, include_dir, dump)
    result, report = compare(library, include_dir, dump)
    if result != "same":
        print(report)
        print("compatible additions" if result == "added" else "INCOMPATIBLE with the stored dump")
        print("If this is meant, store it with ./dev abi-update.")
    sys.exit(1 if result == "broken" else 0)


if __name__ == "__main__":
    main()
