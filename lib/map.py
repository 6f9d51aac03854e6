#!/usr/bin/env python3
"""Writes the version script that libprivgraph is linked with: privgraph.map and a node of what
libprivgraph-learn shares with it.

usage: map.py OUTPUT DEPFILE SOURCE_ROOT

What is shared is marked PVGI_SHARED in the internal headers, but for the entry files (border.py) of the public
functions that libprivgraph-learn calls: those are found in its text. The node is called PRIVGRAPH_PRIVATE_<key>;
the key is a hash of all headers of the modules of libprivgraph, public and internal: what they say of layouts
and arguments both libraries must have been compiled with. The loader refuses any other pair.
"""
import glob
import hashlib
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include"))
import api  # noqa: E402
import border  # noqa: E402

NODE = "PRIVGRAPH_PRIVATE_"


def headers(root):
    """Paths of the headers that fix layouts, relative to the root, in one order everywhere."""
    include = os.path.join(root, "include")
    known = api.library_of(include)
    modules = [module for module in api.modules(root) if known.get(module, api.CORE) == api.CORE]
    found = ["include/privgraph.h"] + [f"include/privgraph/{module}.h" for module in modules if module in known]
    for module in modules:
        inside = glob.glob(os.path.join(glob.escape(root), "lib", module, "**", "*.h"), recursive=True)
        found += [os.path.relpath(path, root) for path in inside]
    return sorted(found)


def key(root):
    total = hashlib.sha256()
    for name in headers(root):
        total.update(name.encode() + b"\0" + api.read(os.path.join(root, name)).encode() + b"\0")
    return total.hexdigest()[:12]


def marked(text):
    """Names of the functions and tables that a header marks as shared."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", api.without_comments(text), flags=re.M)
    return re.findall(r"\bPVGI_SHARED\b[^;{(]*?\b(\w+)\s*[(\[;]", code)


def shared(root):
    """{name: header}"""
    return {found: name for name in headers(root) for found in marked(api.read(os.path.join(root, name)))}


def inside(root):
    """Paths of the files of libprivgraph-learn, relative to the root."""
    modules = [module for module, library in api.library_of(os.path.join(root, "include")).items() if library == api.LEARN]
    return sorted(os.path.relpath(path, root) for module in modules for path in glob.glob(
        os.path.join(glob.escape(root), "lib", module, "**", "*.[ch]"), recursive=True))


def entries(root):
    """Names of the entry files that libprivgraph-learn calls past the border."""
    found = api.load(os.path.join(root, "include"))
    text = " ".join(api.without_comments(api.read(os.path.join(root, name))) for name in inside(root))
    called = {"pvgi_entry_" + name for name in re.findall(r"\bpvg_(\w+)", text)}
    for one in border.all_crossings(found, api.LEARN):  # its own border calls some as well
        called.update(re.findall(r"\bpvgi_entry_\w+", " ".join(one.text())))
    core = ("pvgi_entry_" + one.function["name"][4:] for one in border.all_crossings(found, api.CORE))
    return {name for name in core if name in called}


def main():
    output, depfile, root = sys.argv[1:]
    text = api.read(os.path.join(root, "lib", "privgraph.map"))
    text += "\n" + NODE + key(root) + " {\n  global:\n"
    text += "".join(f"    {name};\n" for name in sorted({*shared(root), *entries(root)})) + "};\n"
    with open(output, "w", encoding="utf-8") as out:
        out.write(text)
    with open(depfile, "w", encoding="utf-8") as out:
        read = [os.path.join(root, name).replace(" ", "\\ ") for name in headers(root) + inside(root)]
        out.write(output.replace(" ", "\\ ") + ": " + " ".join(read) + "\n")


if __name__ == "__main__":
    main()
