#!/usr/bin/env python3
"""Notebooks run as they stand, without Jupyter, and hold what they print.

usage: notebooks.py run NOTEBOOK...        every code cell, in order; outputs as stored, numbers apart
       notebooks.py refresh NOTEBOOK...    writes what was printed, shown and drawn into the notebooks
       notebooks.py self-test

A cell shows what it prints, the value of its last line and the pictures that are open, as Jupyter does.
"""
import ast
import base64
import contextlib
import importlib.util
import io
import json
import os
import sys
import tempfile

import run_pages

SKIP = 77
NEEDED = ("matplotlib", "pandas", "sklearn")
BYTES = 120_000  # of a notebook: outputs stay small


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def shape(path, book):
    """What is wrong with a notebook as a file: format 4.5, ids, sources and outputs as lists of lines."""
    wrong = [] if (book.get("nbformat"), book.get("nbformat_minor")) == (4, 5) else ["it is not of format 4.5"]
    ids = [cell.get("id") for cell in book["cells"]]
    if len(set(ids)) != len(ids) or not all(ids):
        wrong.append("ids of cells are missing or not unique")
    for cell in book["cells"]:
        keys = {"cell_type", "id", "metadata", "source"}
        keys |= {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        if cell["cell_type"] not in ("code", "markdown") or set(cell) != keys:
            wrong.append(f"cell {cell.get('id')} has other fields than {sorted(keys)}")
        if not isinstance(cell["source"], list) or not all(isinstance(line, str) for line in cell["source"]):
            wrong.append(f"cell {cell.get('id')}: source is not a list of lines")
    if os.path.getsize(path) > BYTES:
        wrong.append(f"it has more than {BYTES} bytes")
    return [f"{path}: {text}" for text in wrong]


def lines(text):
    return text.splitlines(keepends=True)


def pictures():
    """What is drawn and open, as PNG; closed afterwards."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    pyplot, out = sys.modules["matplotlib.pyplot"], []
    for number in pyplot.get_fignums():
        held = io.BytesIO()
        pyplot.figure(number).savefig(held, format="png", dpi=75)
        out.append({"output_type": "display_data", "metadata": {},
                    "data": {"image/png": base64.b64encode(held.getvalue()).decode(), "text/plain": ["<Figure>"]}})
    pyplot.close("all")
    return out


def run_cell(code, names, count):
    """The outputs of a cell. Its names stay."""
    tree, last = ast.parse(code), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    said, value = io.StringIO(), None
    with contextlib.redirect_stdout(said):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(last, "cell", "eval"), names)
    out = [{"output_type": "stream", "name": "stdout", "text": lines(said.getvalue())}] if said.getvalue() else []
    drawn = pictures()
    if value is not None and not drawn:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = lines(value._repr_html_())
        out.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return out + drawn


def run_all(book):
    """[outputs] of its code cells."""
    names, out = {"__name__": "__main__"}, []
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        try:
            for cell in book["cells"]:
                if cell["cell_type"] == "code":
                    out.append(run_cell("".join(cell["source"]), names, len(out) + 1))
        finally:
            os.chdir(here)
    return out


def plain(outputs):
    """The words of outputs; of a picture that there is one."""
    return "\n".join("".join(one.get("text", one.get("data", {}).get("text/plain", []))) for one in outputs)


def run(*paths):
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"no {', '.join(missing)} here: notebooks are not run")
        return SKIP
    wrong = []
    for path in paths:
        book = read(path)
        wrong += shape(path, book)
        cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        for cell, made in zip(cells, run_all(book)):
            if run_pages.words_of(plain(made), True) != run_pages.words_of(plain(cell["outputs"]), True):
                wrong.append(f"{path}: cell {cell['id']} shows\n{plain(made)}\nand the notebook has\n{plain(cell['outputs'])}")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def refresh(*paths):
    for path in paths:
        book = read(path)
        cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        for count, (cell, made) in enumerate(zip(cells, run_all(book)), 1):
            cell["outputs"], cell["execution_count"] = made, count
        with open(path, "w", encoding="utf-8") as out:
            json.dump(book, out, indent=1, ensure_ascii=False)
            out.write("\n")
    return 0


def self_test():
    names = {}
    assert run_cell("x = 2\nprint('a')\nx + 1", names, 1) == [
        {"output_type": "stream", "name": "stdout", "text": ["a\n"]},
        {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": ["3"]}}]
    assert run_cell("y = x", names, 2) == [] and names["y"] == 2
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "a.ipynb")
        cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": ["print(1)"], "execution_count": 1, "outputs": []}
        for book, count in (({"nbformat": 4, "nbformat_minor": 5, "cells": [cell]}, 0), ({"cells": [cell, cell]}, 2)):
            with open(path, "w", encoding="utf-8") as out:
                json.dump(book, out)
            assert len(shape(path, book)) == count, shape(path, book)
    return 0


if __name__ == "__main__":
    sys.exit({"run": run, "refresh": refresh, "self-test": self_test}[sys.argv[1]](*sys.argv[2:]))
