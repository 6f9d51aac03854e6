#!/usr/bin/env python3
"""Hygiene of the text itself.

usage: text.py SOURCE_ROOT | text.py --self-test

 C files       no tabs, no blanks at line ends, at most 90 columns, a comment on the first line
 every file    ends with one newline, UTF-8, no absolute path of somebody's machine
 Markdown      links to files of the repository lead somewhere
 headers       every exported function has a comment above it, or above its group of
               neighbouring declarations, that says since when it exists
"""
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "include"))
import api  # noqa: E402

COLUMNS = 90
# In pieces, because this file is read too.
MACHINE_PATHS = re.compile(r"(?<![\w.])/" + "(?:work|root|home|Users)" + r"/")
TEXT = (".c", ".h", ".cc", ".py", ".md", ".build", ".txt", ".map", ".wrap", ".svg", ".abi", ".yml", "")


def check_c(name, text):
    wrong = []
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            wrong.append(f"{name}:{number}: tab")
        if line != line.rstrip():
            wrong.append(f"{name}:{number}: blank at the end of the line")
        if len(line) > COLUMNS:
            wrong.append(f"{name}:{number}: {len(line)} columns")
    if not text.startswith("/*"):
        wrong.append(f"{name}:1: a file opens by saying what it is")
    return wrong


def check_any(name, data):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return [f"{name}: not UTF-8"]
    wrong = [f"{name}:{number}: absolute path of a machine"
             for number, line in enumerate(text.split("\n"), 1) if MACHINE_PATHS.search(line)]
    if text and (not text.endswith("\n") or text.endswith("\n\n")):
        wrong.append(f"{name}: should end with one newline")
    return wrong


def check_since(name, text):
    return [f"{name}: {item['name']}: no comment with 'Since' above" for item in api.items(text)
            if item["kind"] == "function" and not item["since"]]


def check_links(name, text, exists):
    """exists(path) says whether a path relative to the root is there."""
    wrong = []
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        path = os.path.normpath(os.path.join(os.path.dirname(name), target))
        if "://" not in target and not exists(path):
            wrong.append(f"{name}: the link {target} leads nowhere")
    return wrong


def files_below(root):
    for folder, folders, names in os.walk(root):
        folders[:] = [f for f in sorted(folders) if not f.startswith((".git", "build", "__pycache__"))
                      and not (os.path.basename(folder) == "subprojects")]
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.splitext(name)[1] in TEXT and not os.path.islink(path) and name != ".git":
                yield path


def self_test():
    for text, part in [("/* x */\n\tint a;\n", "tab"), ("/* x */\nint a; \n", "blank"),
                       ("/* x */\n" + "x" * 91 + "\n", "91 columns"), ("int a;\n", "opens")]:
        assert any(part in line for line in check_c("x.c", text)), (text, part)
    assert check_c("x.c", "/* x */\n" + "x" * 90 + "\n") == []
    bad_path = "see /" + "root/notes\n"
    for data, part in [(b"\xff\n", "UTF-8"), (b"x", "newline"), (b"x\n\n", "newline"),
                       (bad_path.encode(), "absolute path")]:
        assert any(part in line for line in check_any("x", data)), (data, part)
    assert check_any("x", b"framework/root/x and ../work/x\n") == []
    good = "/* Does it. Since 0.1. */\nPRIVGRAPH_API int pvg_a(void);\nPRIVGRAPH_API int pvg_b(void);\n"
    assert check_since("x.h", good) == []
    for text in [good.replace("Since 0.1.", ""), good.replace("\nPRIVGRAPH_API int pvg_b",
                                                              "\n\nPRIVGRAPH_API int pvg_b")]:
        assert check_since("x.h", text) != [], text
    there = {"docs/a.md", "README.md"}.__contains__
    assert check_links("docs/b.md", "[x](a.md#part) [y](../README.md) [z](https://a.b/c)", there) == []
    assert check_links("README.md", "[x](a.md)", there) != []
    print("self-test: 11 violations rejected")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    root = sys.argv[1]
    wrong, count = [], 0
    for path in files_below(root):
        name = os.path.relpath(path, root)
        with open(path, "rb") as file:
            data = file.read()
        count += 1
        # Corpora hold malformed input on purpose.
        if "corpus" in name.split(os.sep) or name.startswith(os.path.join("test", "data")):
            continue
        found = check_any(name, data)
        wrong += found
        if name.endswith((".c", ".h")) and not any("UTF-8" in line for line in found):
            wrong += check_c(name, data.decode("utf-8"))
        if name.endswith(".md"):
            wrong += check_links(name, data.decode("utf-8"),
                                 lambda path: os.path.exists(os.path.join(root, path)))
        if name.startswith(os.path.join("include", "privgraph")) and name.endswith(".h"):
            wrong += check_since(name, data.decode("utf-8"))
    for line in wrong:
        print(line)
    print(f"{count} files read")
    sys.exit(1 if wrong or count < 20 else 0)


if __name__ == "__main__":
    main()
