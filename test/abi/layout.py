#!/usr/bin/env python3
"""Layout of every public struct and value of every constant, against test/abi/layout.txt.

usage: layout.py source OUTPUT.c FFI_HEADER...      writes a program that prints the compiler's view
       layout.py check PROGRAM TABLE FFI_HEADER...  compares it with the table and with cffi's view
       layout.py update PROGRAM TABLE FFI_HEADER    stores the table
       layout.py self-test

The structs, their fields and the enumerators come from cffi's parse of privgraph_ffi.h, so the
table covers everything a header declares; cffi computes the offsets by itself, as a second
opinion. The table has what the first header declares: libprivgraph. Of libprivgraph-learn nothing is
promised; compiler and cffi must agree on it. A table line is one of
    struct NAME size alignment
    field NAME.FIELD offset size
    constant NAME value
"""
import re
import subprocess
import sys

import cffi


def parse(*ffi_headers):
    """(cffi's parse, the text)."""
    ffi, text = cffi.FFI(), ""
    for path in ffi_headers:
        with open(path, encoding="utf-8") as file:
            text += file.read()
    ffi.cdef(text)
    return ffi, text


def structs(ffi):
    """[(name, cffi type)] of the structs that are not opaque."""
    kinds = [(name, ffi.typeof(name)) for name in sorted(ffi.list_types()[0])]
    untyped = set(ffi.list_types()[1]) - {name for name, _ in kinds}
    if untyped:
        sys.exit(f"structs without a typedef of the same name: {sorted(untyped)}")
    return [(name, kind) for name, kind in kinds
            if kind.kind == "struct" and kind.fields is not None]


def constants(declarations):
    """Enumerator names in the order of the header. Every one must state its value."""
    names = []
    for body in re.findall(r"\benum\s*\w*\s*\{(.*?)\}", declarations, flags=re.S):
        for item in filter(None, (part.strip() for part in body.split(","))):
            if "=" not in item:
                sys.exit(f"enumerator {item} has no explicit value")
            names.append(item.split("=")[0].strip())
    return names


def write_source(output, *ffi_headers):
    ffi, text = parse(*ffi_headers)
    header = "privgraph-learn.h" if len(ffi_headers) > 1 else "privgraph.h"
    with open(output, "w", encoding="utf-8") as out:
        out.write(f"/* Made by test/abi/layout.py. */\n#include <{header}>\n#include <stdio.h>\n\n"
                  "int main(void) {\n")
        for name, kind in structs(ffi):
            out.write(f'    printf("struct {name} %zu %zu\\n", sizeof({name}), _Alignof({name}));\n')
            for field, _ in kind.fields:
                out.write(f'    printf("field {name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                          f"sizeof((({name} *)0)->{field}));\n")
        for name in constants(text):
            out.write(f'    printf("constant {name} %lld\\n", (long long){name});\n')
        out.write("    return 0;\n}\n")


def cffi_view(ffi):
    lines = []
    for name, kind in structs(ffi):
        lines.append(f"struct {name} {ffi.sizeof(kind)} {ffi.alignof(kind)}")
        lines += [f"field {name}.{field} {info.offset} {ffi.sizeof(info.type)}"
                  for field, info in kind.fields]
    return lines


def promised(lines, ffi_header):
    """Those about what this header declares."""
    ffi, text = parse(ffi_header)
    names = {name for name, _ in structs(ffi)} | set(constants(text))
    return [line for line in lines if line.split()[1].split(".")[0] in names]


def judge(table, now):
    """(incompatible, compatible) differences between the stored lines and today's."""
    def index(lines):
        return {tuple(line.split()[:2]): line.split()[2:] for line in lines}
    old, new = index(table), index(now)
    broken, added = [], []
    for key, values in new.items():  # sizes told by callers are multiples of 8, in every version
        if key[0] == "struct" and ("field", key[1] + ".size") in new and int(values[0]) % 8 != 0:
            broken.append(f"struct {key[1]}: {values[0]} bytes, not a multiple of 8; add a reserved field")
    for key in old:
        text = " ".join(key)
        if key not in new:
            broken.append(f"{text}: gone")
        elif new[key] != old[key]:
            grown = key[0] == "struct" and int(new[key][0]) > int(old[key][0]) and \
                new[key][1] == old[key][1] and new.get(("field", key[1] + ".size")) == ["0", "4"]
            (added if grown else broken).append(f"{text}: was {old[key]}, is {new[key]}")
    for key in new:
        if key not in old:
            owner = ("struct", key[1].split(".")[0])
            inside = key[0] == "field" and owner in old and \
                int(new[key][0]) < int(old[owner][0])
            (broken if inside else added).append(f"{' '.join(key)} {' '.join(new[key])}: new")
    return broken, added


def self_test():
    table = ["struct pvg_x 16 8", "field pvg_x.size 0 4", "field pvg_x.a 8 8", "constant PVG_A 1"]
    assert judge(table, table) == ([], [])
    for now, part in [
            (table[:3], "constant PVG_A: gone"),
            (table[:3] + ["constant PVG_A 2"], "constant PVG_A: was"),
            (["struct pvg_x 16 4"] + table[1:], "struct pvg_x: was"),
            (["struct pvg_x 8 8"] + table[1:], "struct pvg_x: was"),
            (table[:2] + ["field pvg_x.a 4 8", table[3]], "field pvg_x.a: was"),
            (table[:2] + ["field pvg_x.b 8 8", table[3]], "field pvg_x.b 8 8: new"),
            (table[1:], "struct pvg_x: gone")]:
        broken, _ = judge(table, now)
        assert any(part in line for line in broken), (now, part, broken)
    odd = ["struct pvg_x 12 4", "field pvg_x.size 0 4", "field pvg_x.a 4 8", "constant PVG_A 1"]
    assert any("multiple of 8" in line for line in judge(odd, odd)[0])
    grown = ["struct pvg_x 24 8"] + table[1:] + ["field pvg_x.b 16 8", "constant PVG_B 7"]
    broken, added = judge(table, grown)
    assert broken == [] and len(added) == 3, (broken, added)
    # A struct without a size field must not grow at all.
    broken, _ = judge(["struct pvg_y 8 8", "field pvg_y.a 0 8"],
                      ["struct pvg_y 16 8", "field pvg_y.a 0 8", "field pvg_y.b 8 8"])
    assert broken, "a struct without size grew"
    print("self-test: 9 violations rejected")


def main():
    command = sys.argv[1]
    if command == "self-test":
        return self_test()
    if command == "source":
        return write_source(*sys.argv[2:])
    program, table, *ffi_headers = sys.argv[2:]
    now = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
    now = now.splitlines()
    if command == "update":
        with open(table, "w", encoding="utf-8") as out:
            out.write("".join(line + "\n" for line in promised(now, ffi_headers[0])))
        return
    second = cffi_view(parse(*ffi_headers)[0])
    different = set(second) ^ {line for line in now if not line.startswith("constant ")}
    if different or not second:
        sys.exit(f"compiler and cffi disagree: {sorted(different)}")
    now = promised(now, ffi_headers[0])
    with open(table, encoding="utf-8") as file:
        broken, added = judge(file.read().splitlines(), now)
    for line in broken:
        print("INCOMPATIBLE", line)
    for line in added:
        print("compatible addition", line)
    if broken or added:
        print("If this is meant, store it with ./dev abi-update (docs/inside/abi.md says what may change).")
    print(f"{len(now)} lines compared")
    # New constants may wait for the next update; a struct must be in the table.
    uncovered = [line for line in added if not line.startswith("constant ")]
    sys.exit(1 if broken or uncovered else 0)


if __name__ == "__main__":
    main()
