#!/usr/bin/env python3
"""Writes constants.c: pvg_constant_value, a table of every enumerator of the public headers.

usage: constants.py OUTPUT HEADER...
"""
import re
import sys

output, headers = sys.argv[1], sys.argv[2:]
names = []
for header in headers:
    text = re.sub(r"/\*.*?\*/", "", open(header, encoding="utf-8").read(), flags=re.S)
    for body in re.findall(r"\benum\s*\w*\s*\{(.*?)\}", text, flags=re.S):
        names += [item.split("=")[0].strip() for item in body.split(",") if item.strip()]

with open(output, "w", encoding="utf-8") as out:
    out.write("/* Made by lib/constants.py from the public headers. */\n")
    for header in headers:
        out.write(f'#include "privgraph/{header.rsplit("/", 1)[-1]}"\n')
    out.write('#include "base/base_internal.h"\n#include <string.h>\n\n')
    out.write("static const struct { const char *name; int64_t value; } constants[] = {\n")
    for name in names:
        out.write(f'    {{"{name}", {name}}},\n')
    out.write("""};

int32_t pvg_constant_value(int64_t *out, const char *name) {
    if (!out) return pvgi_fail_null("pvg_constant_value", "out");
    if (!name) return pvgi_fail_null("pvg_constant_value", "name");
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        if (strcmp(constants[i].name, name) == 0) {
            *out = constants[i].value;
            return PVG_OK;
        }
    return pvgi_fail(PVG_E_ARGUMENT, "pvg_constant_value: no constant '%.64s'", name);
}
""")
