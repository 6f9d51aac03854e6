#!/usr/bin/env python3
"""What the library may say to a host's log: docs/guide/c.md lists every message, and only those.

usage: logged.py SOURCE_ROOT | --self-test

A message is the format of a call of pvgi_log in lib/. Reviewed against the rule of base_internal.h: no
value, no size and no event that private data decide.
"""
import glob
import os
import re
import sys

CALL = re.compile(r'pvgi_log\(\s*PVG_LOG_(INFO|WARNING)\s*,\s*((?:"(?:[^"\\\\]|\\\\.)*"\s*)+)')
LEVELS = {"INFO": "note", "WARNING": "warning"}


def said(text):
    """{(level, format)} of a source file."""
    return {(LEVELS[level], "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', parts)))
            for level, parts in CALL.findall(text)}


def told(page):
    """The same of the table of a page."""
    return set(re.findall(r"^\| (note|warning) \| `(.*)` \|$", page, flags=re.M))


def compare(sources, page):
    found = set().union(*map(said, sources))
    calls = sum(len(re.findall(r"(?<!void )pvgi_log\(", text)) for text in sources)
    matched = sum(len(CALL.findall(text)) for text in sources)
    wrong = [f"said and not listed: {level}: {line}" for level, line in sorted(found - told(page))]
    wrong += [f"listed and never said: {level}: {line}" for level, line in sorted(told(page) - found)]
    return wrong + ([f"{calls - matched} messages are not plain text"] if calls != matched else [])


def self_test():
    page = "| note | `a %s b` |\n"
    good = 'pvgi_log(PVG_LOG_INFO, "a %s "\n   "b", x);'
    assert compare([good], page) == []
    assert compare([good.replace("INFO", "WARNING")], page) != []
    assert compare([good, 'pvgi_log(PVG_LOG_INFO, "c");'], page) != []
    assert compare([good, "pvgi_log(PVG_LOG_INFO, text);"], page) != []
    assert compare([good], page + "| warning | `d` |\n") != []


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = sys.argv[1]
    sources = []
    for path in glob.glob(os.path.join(root, "lib", "*", "**", "*.c"), recursive=True):
        with open(path, encoding="utf-8") as file:
            sources.append(file.read())
    with open(os.path.join(root, "docs", "guide", "c.md"), encoding="utf-8") as file:
        wrong = compare(sources, file.read())
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
