"""Every Python block of the README and of the guides to attacks, learning and Python runs, in order, in one program per
page; what a comment `# -> text` claims is compared with what the line before it printed."""
import os
import re
import shutil
import subprocess
import sys

import pytest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def blocks(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return re.findall(r"^```python(?: tab run)?\n(.*?)^```$", file.read(), flags=re.M | re.S)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/attacks.md", "docs/guide/learning.md", "docs/guide/lists.md",
                                  "docs/guide/perturbation.md", "docs/guide/python.md"])
def test_blocks_run(page, tmp_path):
    found = blocks(page)
    assert found, page
    program = "\n".join(found)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    for claim in re.findall(r"^# -> (.*)$", program, flags=re.M):
        assert claim in printed, (claim, printed)


def test_blocks_have_types(tmp_path):
    """What strict users see: the package tells the types of all that the examples call."""
    programs = []
    for page in ("README.md", "docs/guide/python.md", "docs/guide/tutorial.md", "docs/guide/releases.md",
                 "docs/guide/lists.md"):
        programs.append(tmp_path / (os.path.basename(page)[:-3] + "_page.py"))
        programs[-1].write_text("\n".join(blocks(page)), encoding="utf-8")
    tool = shutil.which("mypy")
    if tool is None:
        pytest.skip("mypy is not installed (Debian: mypy)")
    package = os.path.join(ROOT, "bindings", "python")
    done = subprocess.run([tool, "--strict", "--follow-imports=silent", "--ignore-missing-imports",
                           "--cache-dir", str(tmp_path / "cache"), *map(str, programs)], cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=dict(os.environ, MYPYPATH=os.path.abspath(package)))
    assert done.returncode == 0, done.stdout


def test_the_package_has_strict_types(tmp_path):
    tool = shutil.which("mypy")
    if tool is None:
        pytest.skip("mypy is not installed (Debian: mypy)")
    done = subprocess.run([tool, "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"),
                           "privgraph"], cwd=os.path.join(ROOT, "bindings", "python"), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
