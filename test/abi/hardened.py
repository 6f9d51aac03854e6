#!/usr/bin/env python3
"""The built library and program are hardened: read off the files, not off the flags.

usage: hardened.py check CPU_FAMILY PROGRAM LIBRARY... [ARCHIVE.a...] | self-test COMPILER...

Full RELRO with BIND_NOW, no executable stack, no text relocations, stack protector, FORTIFY, on
x86 control-flow enforcement (a shadow stack for the whole file; both kinds in each object of ours), and a
position-independent program that exports nothing.
"""
import os
import re
import subprocess
import sys
import tempfile


def readelf(*arguments):
    return subprocess.run(["readelf", "--wide", *arguments], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True).stdout


def code(path):
    return subprocess.run(["objdump", "--disassemble", "--section=.text", "--section=.text.startup", path], check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def faults(path, cpu, program=False):
    """What is missing in this file, in words."""
    segments, dynamic = readelf("--segments", path), readelf("--dynamic", path)
    symbols = readelf("--dyn-syms", path)
    wrong = []
    if "GNU_RELRO" not in segments:
        wrong.append("no RELRO segment")
    if not re.search(r"BIND_NOW|FLAGS_1.*\bNOW\b", dynamic):
        wrong.append("symbols are bound lazily")
    stack = re.search(r"GNU_STACK.*?(\bRWE?\b)\s+0x", segments)
    if not stack or "E" in stack.group(1):
        wrong.append("executable stack")
    if "TEXTREL" in dynamic:
        wrong.append("text relocations")
    if "__stack_chk_fail" not in symbols:
        wrong.append("no stack protector")
    if not re.search(r"__(?:mem|str|v?s?n?f?printf|v?f?printf|fread|read)\w*_chk", symbols):
        wrong.append("no FORTIFY")
    # the note of the whole file is Debian's start code's to give: look at our own functions
    if cpu == "x86_64" and not re.search(r"<(?:pvg_status_name|pvg_learn_version_string|pvg_mpi_error_message|main)[^>]*>:\n\s+\w+:\s[^\n]*endbr64", code(path)):
        wrong.append("no control-flow enforcement")
    if cpu == "x86_64" and "SHSTK" not in readelf("--notes", path):
        wrong.append("no note of a shadow stack")
    # a function of ours under a name of libc's would be called by libc; data of libc's are copied here by the linker
    if program and re.search(r"\b(?:FUNC|IFUNC)\s+GLOBAL\s+DEFAULT\s+\d+\s", symbols):
        wrong.append("exports functions")
    if program and not re.search(r"Type:\s+DYN", readelf("--file-header", path)):
        wrong.append("not position-independent")
    return wrong


def unmarked(archive):
    """Objects of ours without the notes of control-flow enforcement."""
    found = re.split(r"^File: ", readelf("--notes", archive), flags=re.M)[1:]
    return [part.split("\n", 1)[0] for part in found if not re.search(r"x86 feature: IBT, SHSTK", part)]


def self_test(compiler):
    """Each rule rejects a file built against it, and one built as we build passes."""
    source = """
#include <stdio.h>
#include <string.h>
__attribute__((visibility("hidden"))) int f(const char *text, int n);
int f(const char *text, int n) { char own[64]; memcpy(own, text, (size_t)n); return puts(own); }
int main(void) { return f("x", 2); }
"""
    good = ["-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong",
            "-fcf-protection=full", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack", "-Wl,-z,shstk", "-fPIE", "-pie"]
    cpu = os.uname().machine
    changes = {
        "symbols are bound lazily": ["-Wl,-z,lazy"],
        "no RELRO segment": ["-Wl,-z,norelro"],
        "executable stack": ["-Wl,-z,execstack"],
        "no stack protector": ["-fno-stack-protector"],
        "no FORTIFY": ["-U_FORTIFY_SOURCE"],
        "not position-independent": ["-fno-PIE", "-no-pie"],
        "exports functions": ["-rdynamic"],
    }
    if cpu == "x86_64":
        changes["no control-flow enforcement"] = ["-fcf-protection=none"]
        changes["no note of a shadow stack"] = None
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x")
        with open(path + ".c", "w", encoding="utf-8") as out:
            out.write(source)
        for wanted, more in [(None, []), *changes.items()]:
            flags = [*good, *more] if more is not None else [flag for flag in good if "shstk" not in flag]
            subprocess.run([*compiler, *flags, path + ".c", "-o", path], check=True)
            found = faults(path, cpu, program=True)
            if found != ([wanted] if wanted else []):
                return f"built with {more}: {found}"
    return None


def main():
    if sys.argv[1] == "self-test":
        wrong = self_test(sys.argv[2:])
        print(wrong or "every rule rejects")
        return 1 if wrong else 0
    cpu, program, *files = sys.argv[2:]
    archives = [path for path in files if path.endswith(".a")]
    status = 0
    for name in [name for path in archives for name in unmarked(path)] if cpu == "x86_64" else []:
        print(f"{name}: no notes of control-flow enforcement")
        status = 1
    for path in [program, *(path for path in files if path not in archives)]:
        for words in faults(path, cpu, program=path == program):
            print(f"{path}: {words}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
