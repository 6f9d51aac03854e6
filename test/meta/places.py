#!/usr/bin/env python3
"""The tests pass wherever the clone stands: in /tmp, in a path with a space, called through a symbolic link, in a folder
that nobody may write to. A copy of the sources is configured there, and the checks that read sources or run ./dev are run.

usage: places.py SOURCE_ROOT MESON

What has to be compiled first is not run again here.
"""
import os
import shutil
import subprocess
import sys
import tempfile

CHECKS = ["meta_dev", "meta_text", "meta_markdown", "meta_papers", "meta_logged", "meta_target",
          "abi_debian_files"]
LEFT_OUT = shutil.ignore_patterns("build", "build-*", ".git", "dist", "target", "__pycache__", "packagecache")


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        print(done.stdout[-6000:])
        sys.exit(f"{' '.join(command)}: {done.returncode}")
    return done.stdout


def main():
    source, meson = sys.argv[1:3]
    with tempfile.TemporaryDirectory(dir="/tmp") as work:
        parent = os.path.join(work, "a folder")
        clone, link = os.path.join(parent, "the clone"), os.path.join(work, "link to it")
        shutil.copytree(source, clone, symlinks=True, ignore=LEFT_OUT)
        # tests ask git for the files of the project, which are all that was copied
        run(["git", "init", "-q"], cwd=clone)
        run(["git", "add", "-A"], cwd=clone)
        os.symlink(clone, link)
        os.chmod(parent, 0o555)
        try:
            run([meson, "setup", "build", "-Dtests=enabled"], cwd=link)
            print(run([meson, "test", "-C", "build", "--no-rebuild", "--print-errorlogs", *CHECKS], cwd=link)[-1500:])
        finally:
            os.chmod(parent, 0o755)
    return 0


if __name__ == "__main__":
    sys.exit(main())
