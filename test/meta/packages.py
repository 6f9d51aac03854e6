#!/usr/bin/env python3
"""What ./dev does about Debian packages, with an apt-get, a dpkg-query, an id and a sleep of the
test: it waits for the package lock, installs in one step, and its last sentence names packages
and command where it cannot.

usage: packages.py SOURCE_ROOT
"""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))
LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt-get)"


class Packages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="privgraph-dev-")
        self.addCleanup(folder.cleanup)
        self.work = folder.name
        self.command("dpkg-query", 'case "$*" in *pkg-config*) echo installed;; *) exit 1;; esac')
        self.command("sleep", 'echo "$1" >> "$WORK/slept"')
        self.command("id", "echo ${FAKE_UID:-0}")

    def command(self, name, body):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"#!/bin/bash\nWORK={self.work}\n{body}\n")
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def dev(self, *arguments, code=0, **env):
        done = subprocess.run([os.path.join(ROOT, "dev"), *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True,
                              env=dict(os.environ, PATH=self.work + ":" + os.environ["PATH"], **env))
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def calls(self, name="calls"):
        path = os.path.join(self.work, name)
        if not os.path.exists(path):
            return []
        with open(path, encoding="utf-8") as file:
            return file.read().splitlines()

    def test_one_step(self):
        self.command("apt-get", 'echo "$*" >> "$WORK/calls"')
        self.dev("deps", "build", "wheel", "python")
        update, install = self.calls()
        self.assertTrue(update.endswith("update") and "install -y" in install)
        words = install.split()
        self.assertEqual(words.count("python3-numpy"), 1)
        self.assertIn("meson", words)
        self.assertNotIn("pkg-config", words)

    def test_waits_for_the_lock(self):
        self.command("apt-get", f'echo "$*" >> "$WORK/calls"\n'
                     f'[ $(wc -l < "$WORK/calls") -ge 4 ] || {{ echo "{LOCKED}" >&2; exit 100; }}')
        said = self.dev("deps", "build")
        self.assertEqual(said.count("holds the package lock"), 1)
        self.assertEqual(self.calls("slept"), ["5"] * 3)

    def test_gives_up_after_ten_minutes(self):
        self.command("apt-get", f'echo "{LOCKED}" >&2; exit 100')
        last = self.dev("deps", "build", code=1).strip().splitlines()[-1]
        self.assertEqual(len(self.calls("slept")), 240)  # for the lists and for the packages
        self.assertIn("apt-get install", last)

    def test_no_network(self):
        self.command("apt-get", 'echo "E: Unable to locate package meson" >&2; exit 100')
        said = self.dev("deps", "build", code=1).strip().splitlines()
        self.assertEqual(self.calls("slept"), [])
        self.assertIn("could not be installed. Missing: ", said[-2])
        self.assertIn("as root, with a network: apt-get update && apt-get install", said[-1])
        self.assertIn(" meson ", said[-1])

    def test_no_root(self):
        self.command("apt-get", 'echo "$*" >> "$WORK/calls"')
        said = self.dev("deps", "build", code=1, FAKE_UID="1000").strip().splitlines()
        self.assertEqual(self.calls(), [])
        self.assertIn("only root may install", said[-2])
        self.assertIn("apt-get install", said[-1])
        self.assertIn(" meson ", said[-1])


if __name__ == "__main__":
    unittest.main()
