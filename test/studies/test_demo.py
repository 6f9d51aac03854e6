#!/usr/bin/env python3
"""Runs the demonstration in its quick mode and reads everything it says.

usage: test_demo.py DEMO

 table      cycles tell the classes apart without noise, trees hardly; cycles keep most of it at a
            large budget; the exact line is marked
 guarantee  the JSON record is a private one within the budget, in words as well
 picture    well-formed SVG, four curves in each of two panels, everything inside the frame
 terminal   a progress bar there and only there; bold headings unless NO_COLOR is set
 failures   wrong arguments and a file that cannot be written
"""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

BAR = re.compile(r"\r\[#*\.*\] +\d+ %")
SVG = "{http://www.w3.org/2000/svg}"


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def table(text, name):
    """{epsilon: [accuracy on exact, on noisy, top 1, top 10]} of one family, in per cent."""
    part = text.split(f"\n{name}\n", 1)[1].split("\n\n", 1)[0]
    rows = {}
    for line in part.splitlines()[1:]:
        key = "exact" if line.strip().startswith("no noise") else float(line.split()[0])
        numbers = re.sub(r"\+-\s*[\d.]+", "", line.replace("no noise", "0").split("<-")[0]).split()
        rows[key] = [float(number) for number in numbers[1:]]
        assert len(rows[key]) == 4 and all(0 <= value <= 100 for value in rows[key]), line
        assert ("NOT FOR PUBLICATION" in line) == (key == "exact"), line
    return rows


def check_tables(text):
    cycles, trees = table(text, "Cycles"), table(text, "Trees")
    assert list(cycles) == list(trees) and len(cycles) == 3, (cycles, trees)
    largest = max(key for key in cycles if key != "exact")
    for rows in (cycles, trees):
        assert rows["exact"][2:] == [100, 100], rows
        for values in rows.values():
            assert values[3] >= values[2], rows
        smallest = min(key for key in rows if key != "exact")
        assert rows[smallest][2] < rows[largest][2], rows
    assert cycles["exact"][1] >= 85 and cycles[largest][1] >= 80, cycles
    assert trees["exact"][1] <= 50 and trees[largest][1] <= 50, trees


def check_guarantee(text):
    record = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
    assert record["private"] is True and record["seeded"] is False, record
    assert 0.99 < record["epsilon"] <= 1 and record["delta"] == 1e-6, record
    assert not any("promised" in item for item in record["assumptions"]), record
    assert "Whether any single edge is present" in text


def check_picture(path):
    root = ElementTree.parse(path).getroot()
    assert root.tag == SVG + "svg", root.tag
    width, height = [float(part) for part in root.get("viewBox").split()[2:]]
    assert len(root.findall(f".//{SVG}polyline")) == 8
    places = [(element.get(x), element.get(y)) for element in root.iter()
              for x, y in (("cx", "cy"), ("x1", "y1"), ("x2", "y2"), ("x", "y")) if element.get(x)]
    for curve in root.iter(SVG + "polyline"):
        places += [point.split(",") for point in curve.get("points").split()]
    assert len(places) > 80, len(places)
    for x, y in places:
        assert 0 <= float(x) <= width and 0 <= float(y) <= height, (x, y)


def on_terminal(command, environment):
    """What the command writes to a terminal until it has shown its bar, or to its end."""
    master, slave = pty.openpty()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                          env=environment) as process:
        os.close(slave)
        text = ""
        while not BAR.search(text):
            try:
                piece = os.read(master, 4096)
            except OSError:  # Linux says so when the last writer has gone
                break
            if not piece:
                break
            text += piece.decode()
        process.terminate()
        process.wait()
        os.close(master)
    return text


def main():
    demo = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "picture.svg")
        result = run(demo, "--quick", "--svg", picture)
        assert result.returncode == 0 and result.stderr == "", result
        assert "\033" not in result.stdout and "\r" not in result.stdout
        assert picture in result.stdout
        check_tables(result.stdout)
        check_guarantee(result.stdout)
        check_picture(picture)

        coloured = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        for environment, escapes in ((coloured, True), (dict(coloured, NO_COLOR="1"), False)):
            text = on_terminal([demo, "--quick", "--svg", picture], environment)
            assert BAR.search(text) and ("\033" in text) == escapes, text

        assert run(demo, "--svg").returncode == 2
        assert run(demo, "--no-such-option").returncode == 2
        result = run(demo, "--quick", "--svg", os.path.join(folder, "none", "picture.svg"))
        assert result.returncode == 1 and result.stdout == "" and "cannot write" in result.stderr, result
    print("the demonstration says what it should")


if __name__ == "__main__":
    main()
