#!/usr/bin/env python3
"""Pages whose blocks run as they stand, and show what they print.

usage: run_pages.py run SOURCE_ROOT PROGRAM LIBRARY FFI_HEADER CC PAGE...
       run_pages.py refresh (the same)     writes what was printed into the pages
       run_pages.py self-test

Blocks that say `sh run`, `c run` (a whole program) or `python` run in order, in one empty folder; `run fails N`: the
exit code must be N; `tab` is how the site shows the block. The block `output` below one is what it prints: word by
word, or in `output noise` with numbers that may be others. A line `...` stands for any lines. What prints
something must be followed by such a block.
"""
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$(?:\n\n^```output([^\n]*)\n(.*?)^```$)?", flags=re.M | re.S)

LEAST = {"index.md": 1, "epsilon.md": 4, "embeddings.md": 3, "propagation.md": 1}  # blocks that run; elsewhere 8


def blocks(text):
    """[(language, expected exit code, code, how outputs are compared or None, output, match)] of the blocks that run."""
    found = []
    for match in FENCE.finditer(text):
        language, info, code, mode, output = match.groups()
        words = [word for word in info.split() if word != "tab"]
        if language == "python" or (language in ("sh", "c") and words[:1] == ["run"]):
            status = int(words[2]) if words[1:2] == ["fails"] else 0
            found.append((language, status, code, None if output is None else mode.strip(), output or "", match))
    return found


def words_of(text, noisy):
    """Lines as they are compared: blanks do not count, and of noise only that there is a number."""
    if noisy:
        text = re.sub(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[-+]?\d+)?(?!\w)", "N", text)
        text = re.sub(r" *([][(),]) *", r"\1", text)  # arrays are padded by the longest number
    return [" ".join(line.split()) for line in text.strip("\n").split("\n")]


def matches(expected, actual):
    """Whether lines are those, where "..." stands for any."""
    if not expected:
        return not actual
    if expected[0] == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


class Runner:
    def __init__(self, source, program, library, ffi_header, compiler):
        self.library, self.compiler = os.path.abspath(library), compiler
        self.include = [os.path.join(source, "include"), os.path.dirname(os.path.abspath(ffi_header))]
        self.env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"],
                        PYTHONPATH=os.path.join(source, "bindings", "python"), PYTHONDONTWRITEBYTECODE="1",
                        PRIVGRAPH_LIBRARY=self.library, PRIVGRAPH_FFI_HEADER=os.path.abspath(ffi_header))

    def command(self, language, code, work):
        if language == "python":
            return [sys.executable, "-c", code]
        if language == "sh":
            return ["bash", "-eu", "-c", code]
        with tempfile.TemporaryDirectory() as folder:
            path, binary = os.path.join(folder, "example.c"), os.path.join(work, "example")
            with open(path, "w", encoding="utf-8") as out:
                out.write(code)
            subprocess.run([*self.compiler.split(), "-std=c11", "-Wall", "-Wextra", "-Werror",
                            *(f"-I{where}" for where in self.include), path, "-o", binary, *self.libraries(code),
                            f"-Wl,-rpath,{os.path.dirname(self.library)}", "-lm"], check=True)
        return [binary]

    def libraries(self, code):
        """What the program links: the second library if it includes its header."""
        learn = os.path.join(os.path.dirname(self.library), "libprivgraph-learn.so")
        return ([learn] if "<privgraph-learn.h>" in code else []) + [self.library]

    def printed(self, language, code, status, work):
        done = subprocess.run(self.command(language, code, work), cwd=work, env=self.env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if done.returncode != status:
            sys.exit(f"{code}{done.stdout}exit code {done.returncode}, the page says {status}")
        return done.stdout


def run(*arguments):
    *place, compiler = arguments[:5]
    wrong = 0
    for page in arguments[5:]:
        with open(page, encoding="utf-8") as file:
            found = blocks(file.read())
        if len(found) < LEAST.get(os.path.basename(page), 8):
            sys.exit(f"{page} has lost its blocks")
        runner = Runner(*place, compiler)
        with tempfile.TemporaryDirectory() as work:
            for language, status, code, mode, output, _ in found:
                actual = runner.printed(language, code, status, work)
                if mode is None and actual.strip():
                    wrong += 1
                    print(f"{page}: nothing is shown below\n{code}which prints\n{actual}")
                elif mode is not None and not matches(words_of(output, mode == "noise"),
                                                      words_of(actual, mode == "noise")):
                    wrong += 1
                    print(f"{page}:\n{code}prints\n{actual}\nand the page shows\n{output}")
    return 1 if wrong else 0


def refresh(*arguments):
    """Keeps how outputs are compared and those with a line "..."; new ones are compared word by word."""
    *place, compiler = arguments[:5]
    for page in arguments[5:]:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        runner, out, end = Runner(*place, compiler), [], 0
        with tempfile.TemporaryDirectory() as work:
            for language, status, code, mode, output, match in blocks(text):
                actual = runner.printed(language, code, status, work)
                actual = "\n".join(line.rstrip() for line in actual.strip("\n").split("\n"))
                whole = match.group(0).split("\n\n```output")[0] if mode is not None else match.group(0)
                if "..." in output.split("\n"):
                    whole = match.group(0)
                elif actual:
                    whole += f"\n\n```output{' ' + mode if mode else ''}\n{actual}\n```"
                out += [text[end:match.start()], whole]
                end = match.end()
        with open(page, "w", encoding="utf-8") as file:
            file.write("".join(out) + text[end:])
    return 0


def self_test():
    text = ("```sh\nno\n```\n\n```sh run\nyes\n```\n\n```sh run fails 3\nfalse\n```\n\n```output noise\n1\n```\n"
            "```python\nx\n```\n```c\ny\n```\n```c tab run\nz\n```\n")
    seen = [block[:5] for block in blocks(text)]
    assert seen == [("sh", 0, "yes\n", None, ""), ("sh", 3, "false\n", "noise", "1\n"), ("python", 0, "x\n", None, ""),
                    ("c", 0, "z\n", None, "")], seen
    assert words_of("a  1.5\n", False) == ["a 1.5"] and words_of("a -1.5e-06 x2\n", True) == ["a N x2"]
    assert words_of("0.5122683965796281,12", True) == words_of("-3,4e+02", True) == ["N,N"]
    assert words_of("[ 1. -2.5]\n", True) == words_of("[-10.25  3. ]", True)
    assert words_of("a 1\n", True) != words_of("b 1\n", True)
    assert matches(["a", "...", "c"], ["a", "b", "b", "c"]) and not matches(["a", "...", "c"], ["a", "b"])
    assert matches(["..."], []) and not matches(["a"], ["a", "b"]) and not matches(["a", "b"], ["a"])
    return 0


if __name__ == "__main__":
    sys.exit({"run": run, "refresh": refresh, "self-test": self_test}[sys.argv[1]](*sys.argv[2:]))
