#!/usr/bin/env python3
"""Writes privgraph_ffi.h: the public headers as plain declarations, for bindings whose
parsers know no preprocessor (cffi, LuaJIT, ...). Enums with values, structs, opaque types and
prototypes; no includes, macros, attributes or comments.

usage: ffi_header.py OUTPUT INCLUDE_DIR COMPILER...

The C preprocessor does the work. The standard headers are replaced by empty ones, because
every such parser knows size_t and int32_t already.
"""
import os
import re
import subprocess
import sys
import tempfile

STANDARD = ["stddef.h", "stdint.h"]


def plain_declarations(include_dir, compiler):
    with tempfile.TemporaryDirectory() as stub:
        for name in STANDARD:
            open(os.path.join(stub, name), "w").close()
        # Without __GNUC__ the export macro is empty.
        command = compiler + ["-E", "-P", "-nostdinc", "-U__GNUC__", "-I", stub, "-I", include_dir,
                              os.path.join(include_dir, "privgraph.h")]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r"\n\s*\n", "\n", text).strip() + "\n"
    for word in ("#", "__attribute__", "PRIVGRAPH_", "extern"):
        if word in text:
            sys.exit(f"ffi_header.py: '{word}' is left over in the declarations")
    return text


def main():
    output, include_dir, compiler = sys.argv[1], sys.argv[2], sys.argv[3:]
    text = plain_declarations(include_dir, compiler)
    with open(output, "w", encoding="utf-8") as out:
        out.write("/* Made from privgraph.h for foreign-function interfaces; see the headers"
                  " for what\n * each declaration means. */\n" + text)


if __name__ == "__main__":
    main()
