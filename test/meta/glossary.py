#!/usr/bin/env python3
"""The glossary has the words that pages use, and no others.

usage: glossary.py SOURCE_ROOT | glossary.py --self-test

Words with a meaning of their own here are listed below. Each that a page, a header or a docstring uses must have an
entry; each entry must be used somewhere, and entries stand in order.
"""
import glob
import os
import re
import sys

PAGE = os.path.join("docs", "privacy", "glossary.md")
WORDS = """accounting adaptive allocation arc assumption attacker AUC audit band budget calibrate cap ceiling cell charge checks
claim clipping column composition contractive control curve declared delta density door draw encoder epsilon exact filter
floor game GDP grid group head homomorphism homophily hop inferred input interval joined joint kind Kolmogorov ladder
learner ledger level list local mechanism neighbours notion object open owner pattern pipeline PLD post-processing
posterior preview prior priority pure query range rank read-out record release rung sampler saturate scaffold scaling
seeded sender sensitivity session share slot source spectrum split star sticky tally target transitivity treewidth truncation
validation verdict witness world zCDP""".split()


def entries(text):
    """Heads of the glossary in order, as they stand."""
    return re.findall(r"^\*\*(.+?)\*\*:", re.sub(r"(?<=[^\n])\n(?=[^\n])", " ", text), flags=re.M)


def forms(word):
    """A word, and the same in the plural."""
    ending = "(?:y|ies)" if word.endswith("y") else "(?:s|es)?"
    stem = word[:-1] if word.endswith("y") else word
    return re.compile(rf"(?<![\w-]){re.escape(stem)}{ending}(?![\w])", flags=re.I)


def wrong(glossary, corpus):
    heads = entries(glossary)
    found = [f"{PAGE}: {word!r} is used and has no entry" for word in WORDS
             if forms(word).search(corpus) and not any(forms(word).search(head) for head in heads)]
    found += [f"{PAGE}: nothing uses {head!r}" for head in heads
              if not any(forms(part.strip()).search(corpus) for part in re.sub(r"[()]", ",", head).split(",") if part.strip())]
    found += [f"{PAGE}: {after!r} stands behind {before!r}" for before, after in zip(heads, heads[1:])
              if before.lower() > after.lower()]
    return found


def self_test():
    text = "# Glossary\n\n**budget**: what\nit is.\n\n**cell, unused thing**: x\n"
    assert entries(text) == ["budget", "cell, unused thing"], entries(text)
    assert wrong(text, "a budget and cells") == []
    assert wrong(text, "a budget, cells, a ladder") == [f"{PAGE}: 'ladder' is used and has no entry"]
    assert wrong(text, "a budget") == [f"{PAGE}: nothing uses 'cell, unused thing'"]
    assert len(wrong("**cell**: x\n\n**budget**: y\n", "cell budget")) == 1
    assert wrong("**tally**: x\n", "two tallies") == [] and wrong("", "two tallies") != []
    print("self-test: a missing word, an unused entry and a wrong order found")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = sys.argv[1]
    paths = [path for place in (("docs", "**", "*.md"), ("include", "privgraph", "*.h"), ("bindings", "python", "privgraph", "*.py"))
             for path in sorted(glob.glob(os.path.join(root, *place), recursive=True)) if not path.endswith("glossary.md")]
    corpus = "\n".join(open(path, encoding="utf-8").read() for path in paths)
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        found = wrong(file.read(), corpus)
    for line in found:
        print(line)
    print(f"{len(WORDS)} words in {len(paths)} files")
    return 1 if found or len(paths) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
