#!/usr/bin/env python3
"""The Rust crates, built by plain cargo against the library of this build: tests, documentation
examples, the example program.

usage: test_rust.py SHARED_LIBRARY VERSION SOURCE_ROOT TARGET_DIR
"""
import os
import shutil
import subprocess
import sys
import tempfile

SKIP = 77


def main():
    library, version, source, target = map(os.path.abspath, sys.argv[1:5])
    version = sys.argv[2]
    if not shutil.which("cargo"):
        print("no cargo here: the Rust crates are not built")
        return SKIP
    folder = os.path.dirname(library)
    with tempfile.TemporaryDirectory() as work:
        # a .pc file for the build tree, which is not laid out as an installation
        with open(os.path.join(work, "privgraph.pc"), "w", encoding="utf-8") as out:
            out.write(f"Name: privgraph\nDescription: build tree\nVersion: {version}\n"
                      "kinds=" + os.path.join(source, "include", "kinds.json").replace(" ", "\\ ") + "\n"
                      "Libs: -L" + folder.replace(" ", "\\ ") + " -lprivgraph\n")
        # cargo writes Cargo.lock beside the manifest, so it gets a copy of the crates
        crates = os.path.join(work, "rust")
        shutil.copytree(os.path.join(source, "bindings", "rust"), crates,
                        ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        # Debian's compiler, if it is there, before newer ones: it is the oldest that the manifests promise
        path = "/usr/bin" + os.pathsep + os.environ["PATH"] if os.access("/usr/bin/cargo", os.X_OK) else os.environ["PATH"]
        env = dict(os.environ, PATH=path, PKG_CONFIG_PATH=work, LD_LIBRARY_PATH=folder, CARGO_TARGET_DIR=target,
                   CARGO_NET_OFFLINE="true")
        for command in (["cargo", "test", "--offline", "--quiet"],
                        ["cargo", "build", "--offline", "--quiet", "--no-default-features", "--package", "privgraph"],
                        ["cargo", "run", "--offline", "--quiet", "--example", "embed"],
                        ["cargo", "run", "--offline", "--quiet", "--example", "first"],
                        ["cargo", "run", "--offline", "--quiet", "--example", "query"]):
            done = subprocess.run([shutil.which(command[0], path=path), *command[1:]], cwd=crates, env=env)
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
