#!/usr/bin/env python3
"""Meson refuses a 32-bit target with a sentence, before it looks for anything else; so does every file of the
library for a compiler without Meson.

usage: target.py SOURCE_ROOT MESON C_COMPILER
"""
import os
import platform
import subprocess
import sys
import tempfile

CROSS = """[binaries]
c = ['{compiler}', '-m32']
ar = 'ar'
strip = 'strip'
[properties]
skip_sanity_check = true
[host_machine]
system = 'linux'
cpu_family = 'x86'
cpu = 'i686'
endian = 'little'
"""
SENTENCE = "libprivgraph needs a 64-bit target with __int128; this compiler builds for x86"
BY_COMPILER = "libprivgraph needs a 64-bit target with __int128"


def main():
    source, meson, compiler = sys.argv[1:4]
    if platform.machine() != "x86_64":
        print("-m32 is x86's")
        return 77
    done = subprocess.run([compiler, "-m32", "-E", "-I", os.path.join(source, "include"), "-I", os.path.join(source, "lib"),
                           os.path.join(source, "lib", "base", "base_internal.h")],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0 or BY_COMPILER not in done.stderr:
        print(f"compiled for 32 bits, lib/base/base_internal.h says: {done.stderr[-2000:]}")
        return 1
    with tempfile.TemporaryDirectory(prefix="privgraph-target-") as work:
        path = os.path.join(work, "cross.ini")
        with open(path, "w", encoding="utf-8") as out:
            out.write(CROSS.format(compiler=compiler))
        done = subprocess.run([meson, "setup", os.path.join(work, "build"), source, "--cross-file", path, "-Dtests=disabled"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode and SENTENCE in done.stdout:
        return 0
    print(done.stdout[-3000:])
    return 1


if __name__ == "__main__":
    sys.exit(main())
