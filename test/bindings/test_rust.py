#!/usr/bin/env python3
"""The Rust crates, built by plain cargo against the library of this build: tests, documentation
examples, the example program.

usage: test_rust.py SHARED_LIBRARY VERSION SOURCE_ROOT TARGET_DIR [releases]

releases: there is no libprivgraph-learn; what does without the feature is built and run.
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
        for name, more in (("privgraph", ""), ("privgraph-learn", f"Requires: privgraph = {version}\n")):
            with open(os.path.join(work, name + ".pc"), "w", encoding="utf-8") as out:
                out.write(f"Name: {name}\nDescription: build tree\nVersion: {version}\n{more}"
                          "kinds=" + os.path.join(source, "include", "kinds.json").replace(" ", "\\ ") + "\n"
                          "Libs: -L" + folder.replace(" ", "\\ ") + f" -l{name}\n")
        # cargo writes Cargo.lock beside the manifest, so it gets a copy of the crates
        crates = os.path.join(work, "rust")
        shutil.copytree(os.path.join(source, "bindings", "rust"), crates,
                        ignore=shutil.ignore_patterns("target", "Cargo.lock"))
        # Debian's compiler, if it is there, before newer ones: it is the oldest that the manifests promise
        path = "/usr/bin" + os.pathsep + os.environ["PATH"] if os.access("/usr/bin/cargo", os.X_OK) else os.environ["PATH"]
        # built once; a failed assertion names its line without debug information
        env = dict(os.environ, PATH=path, PKG_CONFIG_PATH=work, LD_LIBRARY_PATH=folder, CARGO_TARGET_DIR=target,
                   CARGO_NET_OFFLINE="true", CARGO_INCREMENTAL="0", CARGO_PROFILE_DEV_DEBUG="0",
                   CARGO_PROFILE_TEST_DEBUG="0")
        # without the feature nothing of the other library is asked for: this links
        commands = [["cargo", "run", "--no-default-features", "--example", "query"]]
        if sys.argv[5:] != ["releases"]:
            commands += [["cargo", "test"]] + [["cargo", "run", "--example", name] for name in ("embed", "first", "query")]
        for command in ([*command[:2], "--offline", "--quiet", *command[2:]] for command in commands):
            done = subprocess.run([shutil.which(command[0], path=path), *command[1:]], cwd=crates, env=env)
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
