"""Declarations for cffi out of the C headers, by text alone.

The headers are the one source. An installed package carries the result (`_cdef.py`, written
by setup.py or Meson); in a source tree it is made when the package is imported. A test
compares it with what the C preprocessor makes of the same headers.
"""
import os
import re
from typing import List

_INCLUDE = re.compile(r'^#include "(privgraph/\w+\.h)"', flags=re.M)


def _plain(text: str) -> str:
    """One header without comments, preprocessor lines, linkage and export macro."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    # What a C++ compiler alone sees, and macros, which go over several lines.
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n?", "", text, flags=re.S | re.M)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    text = re.sub(r"\bPRIVGRAPH_API\b", "", text)
    text = re.sub(r"[ \t]+", " ", text)
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def header_paths(include_dir: str) -> List[str]:
    """The room headers in the order of privgraph.h."""
    with open(os.path.join(include_dir, "privgraph.h"), encoding="utf-8") as file:
        return [os.path.join(include_dir, name) for name in _INCLUDE.findall(file.read())]


def declarations(include_dir: str) -> str:
    """Everything cffi needs to know, as plain C."""
    parts = []
    for path in header_paths(include_dir):
        with open(path, encoding="utf-8") as file:
            parts.append(_plain(file.read()))
    return "\n".join(parts) + "\n"


def module_text(include_dir: str) -> str:
    """The text of `_cdef.py`."""
    return ('"""Made from the C headers by _declare.py; do not edit."""\n'
            f'DECLARATIONS = """\n{declarations(include_dir)}"""\n')


if __name__ == "__main__":
    import sys
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(module_text(sys.argv[1]))
