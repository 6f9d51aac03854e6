#!/usr/bin/env python3
"""Each public header compiles alone, as C11 and as C++11 and C++17, without a warning.

usage: alone.py INCLUDE_DIR C_COMPILER CXX_COMPILER HEADER...
       alone.py self-test C_COMPILER CXX_COMPILER
"""
import os
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wundef", "-Wshadow", "-fsyntax-only"]
C_FLAGS = ["-Wstrict-prototypes", "-Wc++-compat"]


def failures(include_dir, header, c_compiler, cxx_compiler):
    """[(dialect, compiler output)] of the dialects that refuse the header."""
    wrong = []
    for compiler, standard, suffix, more in [
            (c_compiler, "c11", ".c", C_FLAGS), (cxx_compiler, "c++11", ".cc", []),
            (cxx_compiler, "c++17", ".cc", [])]:
        with tempfile.TemporaryDirectory() as work:
            source = os.path.join(work, "alone" + suffix)
            with open(source, "w", encoding="utf-8") as out:
                # Twice: the include guard must hold. The typedef gives -pedantic a declaration.
                out.write(f'#include "{header}"\n#include "{header}"\ntypedef int alone;\n')
            done = subprocess.run([compiler, "-std=" + standard, *WARNINGS, *more, "-I", include_dir,
                                   source], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            if done.returncode:
                wrong.append((standard, done.stdout))
    return wrong


def self_test(c_compiler, cxx_compiler):
    good = "#ifndef X_H\n#define X_H\n#include <stdint.h>\ntypedef struct x x;\nint32_t f(x *y);\n#endif\n"
    cases = [
        (good, set()),
        (good.replace("#include <stdint.h>\n", ""), {"c11", "c++11", "c++17"}),
        (good.replace("*y", "*class"), {"c11", "c++11", "c++17"}),
        (good.replace("f(x *y)", "f()"), {"c11"}),
        (good.replace("typedef struct x x;", "typedef struct x x; enum { A = 1, };\n"
                      "struct { int a; };"), {"c11", "c++11", "c++17"}),
        (good.replace("#ifndef X_H\n#define X_H", "#if 1\nenum { TWICE = 1 };"),
         {"c11", "c++11", "c++17"}),
    ]
    for text, expected in cases:
        with tempfile.TemporaryDirectory() as work:
            with open(os.path.join(work, "x.h"), "w", encoding="utf-8") as out:
                out.write(text)
            found = {dialect for dialect, _ in failures(work, "x.h", c_compiler, cxx_compiler)}
        assert found == expected, (text, expected, found)
    print(f"self-test: {len(cases) - 1} bad headers refused")


def main():
    if sys.argv[1] == "self-test":
        return self_test(*sys.argv[2:])
    include_dir, c_compiler, cxx_compiler = sys.argv[1:4]
    bad = 0
    for header in sys.argv[4:]:
        name = os.path.relpath(header, include_dir)
        for dialect, output in failures(include_dir, name, c_compiler, cxx_compiler):
            print(f"{name} as {dialect}:\n{output}")
            bad += 1
    print(f"{len(sys.argv) - 4} headers, 3 dialects each, {bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
