#!/usr/bin/env python3
"""Makes the installed .pc files relocatable: their prefix is told from where they lie.

usage: relocate.py FOLDER    run by meson install; FOLDER: below the prefix
"""
import os
import re
import sys

folder = os.path.join(os.environ["MESON_INSTALL_DESTDIR_PREFIX"], sys.argv[1])
above = os.path.relpath(os.environ["MESON_INSTALL_DESTDIR_PREFIX"], folder)
for name in ("privgraph.pc", "privgraph-learn.pc"):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        continue
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(r"^prefix=.*$", "prefix=${pcfiledir}/" + above, text, count=1, flags=re.M))
