"""Every Python block of the README and of docs/guide/python.md runs, in order, in one program per
page; what a comment `# -> text` claims is compared with what the line before it printed."""
import os
import re
import subprocess
import sys

import pytest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


def blocks(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return re.findall(r"^```python\n(.*?)^```$", file.read(), flags=re.M | re.S)


@pytest.mark.parametrize("page", ["README.md", "docs/guide/python.md"])
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
