#!/usr/bin/env python3
"""Lines of Markdown, so that a change of a word is a change of a line.

usage: markdown.py SOURCE_ROOT            says which lines of README.md and docs/ are too long
       markdown.py --wrap FILE...         wraps paragraphs and list items that have such lines
       markdown.py --self-test

Tables, headings, code, pictures and HTML stay as they are. Pages that no
other one links to are reported too.
"""
import glob
import os
import re
import sys
import textwrap

COLUMNS = 110


def blocks(text):
    """[(lines, may be wrapped)] in order."""
    found, lines, fence = [], [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```|~~~)", line)
        if fence or mark:
            if not fence:
                found.append((lines, True))
                lines = []
            lines.append(line)
            if fence and line.strip().startswith(fence):
                found.append((lines, False))
                lines, fence = [], None
            elif not fence:
                fence = mark.group(1)
            continue
        fixed = re.match(r"\s*$|#|\s*\||\s*<|!\[|\s*!\[|    \S|\[[^\]]+\]:", line)
        start = re.match(r"\s*([-*+]|\d+\.)\s", line)
        continued = lines and re.match(r"\s*([-*+]|\d+\.)\s", lines[0]) and re.match(r"\s+\S", line)
        if fixed and not continued:
            found += [(lines, True), ([line], False)]
            lines = []
        elif start and lines:
            found.append((lines, True))
            lines = [line]
        else:
            lines.append(line)
    return found + [(lines, fence is None)]


def long_lines(lines):
    return [line for line in lines if len(line) > COLUMNS and " " in line.strip()[:COLUMNS]]


def wrapped(lines):
    """A paragraph or a list item in lines of COLUMNS; code in backticks is not broken."""
    lead = re.match(r"(\s*)((?:[-*+]|\d+\.)\s+)?", lines[0])
    indent = lead.group(1)
    first, rest = lead.group(0), indent + " " * len(lead.group(2) or "")
    if any(re.search(r"\S(  |\\)$", line) for line in lines[:-1]):
        return lines  # hard breaks
    text = " ".join([lines[0][lead.end():].strip()] + [line.strip() for line in lines[1:]])
    whole = re.sub(r"`[^`]+`|\]\([^)]*\)", lambda m: m.group(0).replace(" ", "\0"), text)
    made = textwrap.wrap(whole, COLUMNS, initial_indent=first, subsequent_indent=rest,
                         break_long_words=False, break_on_hyphens=False)
    made = [line.replace("\0", " ") for line in made]
    # a line must not become a heading, a list or a table by accident
    if any(re.match(r"\s*([-*+#|>]|\d+\.)(\s|$)", line) for line in made[1:]):
        return lines
    return made


def wrap(text):
    out = []
    for lines, free in blocks(text):
        out += wrapped(lines) if free and long_lines(lines) else lines
    return "\n".join(out)


def check(name, text):
    wrong, number = [], 0
    for lines, free in blocks(text):
        for line in lines:
            number += 1
            if free and long_lines([line]) and wrapped(lines) != lines:
                wrong.append(f"{name}:{number}: {len(line)} columns; markdown.py --wrap {name}")
    return wrong


def unreached(pages):
    """pages: {path: text}. Pages of docs/ that no other one links to."""
    linked = set()
    for path, text in pages.items():
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            linked.add((os.path.normpath(os.path.join(os.path.dirname(path), target)), path))
    reached = {target for target, source in linked if target != source}
    return [f"{path}: no page links to it" for path in pages
            if path not in reached and path not in ("README.md", os.path.join("docs", "index.md"))]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def self_test():
    words = ("word " * 40).strip()
    text = f"# {words}\n\n{words}\nmore\n\n| {words} |\n\n```\n{words}\n```\n- {words}\n  and {words}\n1. short\n"
    made = wrap(text)
    assert all(len(line) <= COLUMNS for line in made.split("\n") if line.startswith(("- ", "  "))), made
    assert re.sub(r"\s+", " ", made) == re.sub(r"\s+", " ", text)
    assert wrap(made) == made and check("x.md", made) == [] and len(check("x.md", text)) == 3
    for kept in (f"# {words}", f"| {words} |", f"```\n{words}\n```"):
        assert kept in made, kept
    code = "a " * 50 + "`one two three four five six seven` b\n"
    assert "`one two three four five six seven`" in wrap(code), wrap(code)
    pages = {"README.md": "[a](docs/a.md)", "docs/a.md": "[a](a.md)", "docs/b.md": "[b](b.md#x)"}
    assert unreached(pages) == ["docs/b.md: no page links to it"], unreached(pages)
    print("self-test: long lines wrapped, tables and code left alone, a lost page noticed")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    if sys.argv[1] == "--wrap":
        for path in sys.argv[2:]:
            text = read(path)
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrap(text))
        return 0
    root = sys.argv[1]
    names = ["README.md"] + sorted(os.path.relpath(path, root) for path in
                                   glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))
    pages = {name: read(os.path.join(root, name)) for name in names}
    wrong = [line for name in names for line in check(name, pages[name])]
    wrong += unreached(pages)
    for line in wrong:
        print(line)
    print(f"{len(names)} pages")
    sys.exit(1 if wrong or len(names) < 2 else 0)


if __name__ == "__main__":
    main()
