#!/usr/bin/env python3
"""Pages of docs/papers answer every numbered item of their paper: no more, no fewer, each once.

papers.py ROOT: compares docs/papers/NAME.md with test/meta/papers.txt and, where the texts of the papers are at hand
(ROOT/../shared/papers), the list with the numbers that the text mentions. What has no number ("said: WORDS" in the list) must
stand on the page in these words. papers.py --self-test: hands it mistakes."""
import os
import re
import sys

KINDS = "Theorem|Lemma|Proposition|Corollary|Definition|Table|Figure|Algorithm|Assumption|Remark"
ITEM = rf"(?:{KINDS}) [A-Z]?\.?\d+(?:\.\d+)?"
PAGES = ("densities", "caribou", "privx", "graphprivatizer")


def read_list(text):
    """{name: (file, items, numbers of other works, words that the page must have)}."""
    found, name = {}, None
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        word, _, rest = line.partition(":")
        if word == "paper":
            name, file = rest.split()
            found[name] = (file, [], [], [])
        elif word == "said":
            found[name][3].append(rest.strip())
        else:
            items = [f"{word.removeprefix('other ')} {number}" for number in rest.split()]
            found[name][2 if word.startswith("other ") else 1].extend(items)
    return found


def check_page(name, page, items):
    """What is wrong with a page: rows of tables that begin with an item."""
    rows = re.findall(rf"^\| ({ITEM}) \|", page, re.M)
    wrong = [f"{name}: {item} is not answered" for item in items if item not in rows]
    wrong += [f"{name}: {item} is answered twice" for item in sorted({row for row in rows if rows.count(row) > 1})]
    wrong += [f"{name}: {row} is not in the paper" for row in rows if row not in items]
    for row in re.findall(rf"^\| {ITEM} \|(.*)$", page, re.M):
        if not row.strip(" |"):
            wrong.append(f"{name}: a row says nothing: {row}")
    return wrong


def check_words(name, page, words):
    """Items without a number."""
    plain = re.sub(r"\s+", " ", page)
    return [f"{name}: nothing is said about: {one}" for one in words if one not in plain]


def check_text(name, text, items, others):
    """Whether the list has what the text of the paper mentions. Words may be bold or links there."""
    plain = re.sub(r"[*\[\]\u00a0\u02dc]", " ", text)
    plain = re.sub(r"\bFig\. ", "Figure ", plain)
    said = {re.sub(r"\s+", " ", one) for one in
            re.findall(rf"\b(?:{KINDS})\s+(?:[A-Z]\.)?\d+(?:\.\d+)?", plain)}
    wrong = [f"{name}: the text mentions {one}, the list does not" for one in sorted(said - set(items) - set(others))]
    wrong += [f"{name}: the list has {one}, the text does not" for one in sorted((set(items) | set(others)) - said)]
    return wrong


def check_tests(name, page, exists, listed):
    """Tests that a page names are there. exists: of a path below test/; listed: test/meson.build."""
    wrong = []
    for word in sorted(set(re.findall(r"`((?:study|meta)_[a-z_0-9]+|[a-z_0-9]+_property)`", page))):
        kind, _, rest = word.partition("_")
        if word.endswith("_property"):
            known = f"'property', '{word.removesuffix('_property')}'," in listed
        else:
            known = exists(f"studies/test_{rest}.py" if kind == "study" else f"meta/{rest}.py")
        if not known:
            wrong.append(f"{name}: there is no test {word}")
    return wrong


def check_functions(name, page, symbols):
    """Functions that a page names are exported."""
    named = set(re.findall(r"`(pvg_[a-z_0-9]+)`", page))
    return [f"{name}: there is no function {one}" for one in sorted(named) if f" {one};" not in symbols]


def self_test():
    assert check_functions("x", "`pvg_a` `pvg_b`", " pvg_a;") == ["x: there is no function pvg_b"]
    listed = "['x/y', 'property', 'd', 60],"
    assert check_tests("x", "`a_property` `study_b` `meta_c` `d_property`", lambda path: path == "studies/test_b.py",
                       listed) == ["x: there is no test a_property", "x: there is no test meta_c"]
    page = "| Theorem 1 | holds |\n| Table 2 | measured |\n"
    assert not check_page("x", page, ["Theorem 1", "Table 2"])
    assert check_page("x", page, ["Theorem 1", "Table 2", "Lemma 3"]) == ["x: Lemma 3 is not answered"]
    assert check_page("x", page, ["Theorem 1"]) == ["x: Table 2 is not in the paper"]
    assert "twice" in check_page("x", page + page, ["Theorem 1", "Table 2"])[0]
    assert "nothing" in check_page("x", "| Theorem 1 |  |\n", ["Theorem 1"])[0]
    text = "**Theorem 1.** see [Table 2](#) and [6, Lemma A.4]"
    assert not check_text("x", text, ["Theorem 1", "Table 2"], ["Lemma A.4"])
    assert len(check_text("x", text, ["Theorem 1"], ["Lemma A.4"])) == 1
    assert len(check_text("x", text, ["Theorem 1", "Table 2", "Figure 9"], ["Lemma A.4"])) == 1
    lists = read_list("paper: x x.txt\nTheorem: 1 2\nother Lemma: A.4\nsaid: up to 6 edits\n")
    assert lists == {"x": ("x.txt", ["Theorem 1", "Theorem 2"], ["Lemma A.4"], ["up to 6 edits"])}
    assert not check_words("x", "with up to\n6 edits", ["up to 6 edits"])
    assert check_words("x", "with 6 edits", ["up to 6 edits"]) == ["x: nothing is said about: up to 6 edits"]


def main():
    if sys.argv[1] == "--self-test":
        self_test()
        return 0
    root = sys.argv[1]
    with open(os.path.join(root, "test", "meta", "papers.txt"), encoding="utf-8") as stream:
        lists = read_list(stream.read())
    symbols = ""
    for name in ("privgraph.map", "privgraph-learn.map"):
        with open(os.path.join(root, "lib", name), encoding="utf-8") as stream:
            symbols += stream.read()
    with open(os.path.join(root, "test", "meson.build"), encoding="utf-8") as stream:
        listed = stream.read()
    wrong = [] if tuple(sorted(lists)) == tuple(sorted(PAGES)) else [f"papers.txt has {sorted(lists)}"]
    for name, (file, items, others, words) in lists.items():
        with open(os.path.join(root, "docs", "papers", name + ".md"), encoding="utf-8") as stream:
            page = stream.read()
        wrong += check_page(name, page, items) + check_words(name, page, words)
        wrong += check_functions(name, page, symbols)
        wrong += check_tests(name, page, lambda path: os.path.exists(os.path.join(root, "test", path)), listed)
        paper = os.path.join(root, "..", "shared", "papers", file)
        if not os.path.exists(paper):  # in a worktree the texts are one folder further up
            paper = os.path.join(root, "..", "..", "shared", "papers", file)
        if os.path.exists(paper):
            with open(paper, encoding="utf-8") as stream:
                wrong += check_text(name, stream.read(), items, others)
        else:
            print(f"{name}: the text of the paper is not here; compared with the list only")
    print("\n".join(wrong) or f"{sum(len(one[1]) for one in lists.values())} items of {len(lists)} papers are answered")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
