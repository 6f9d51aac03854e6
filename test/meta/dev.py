#!/usr/bin/env python3
"""./dev and shared temporary folders: nothing is made there under a name that somebody could have known, and Unity comes
as pinned or not at all.

usage: dev.py SOURCE_ROOT C_COMPILER | dev.py --self-test C_COMPILER

The script runs in a copy of its folder, with stand-ins for apt, Meson and ninja, under a library that notes every file and
folder made in /tmp or $TMPDIR. A name made by mktemp (opened exclusively, or a folder for its owner alone) is fine: a link
that waits there is not followed. Anything else would be.
"""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

NOTES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void note(const char *path, int fine) {
    const char *folder = getenv("TMPDIR"), *log = getenv("NOTES");
    int (*really)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    char line[9000], whole[8200];
    size_t length = folder ? strlen(folder) : 0;
    if (!log || !path) return;
    if (path[0] != '/' && getcwd(whole, 4096) && strlen(path) < 4096) path = strcat(strcat(whole, "/"), path);
    if (strncmp(path, "/tmp/", 5) != 0 && !(length && strncmp(path, folder, length) == 0 && path[length] == '/')) return;
    const int to = really(log, O_WRONLY | O_APPEND | O_CREAT, 0600);
    snprintf(line, sizeof line, "%s %s\n", fine ? "fine" : "known", path);
    if (to < 0 || write(to, line, strlen(line)) < 0) abort();
    close(to);
}
#define OPEN(NAME) \
    int NAME(const char *path, int flags, ...) { \
        int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #NAME); \
        va_list rest; va_start(rest, flags); \
        const int mode = flags & O_CREAT ? va_arg(rest, int) : 0; va_end(rest); \
        if (flags & O_CREAT) note(path, flags & O_EXCL); \
        return next(path, flags, mode); }
OPEN(open)
OPEN(open64)
#define OPENAT(NAME) \
    int NAME(int at, const char *path, int flags, ...) { \
        int (*next)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, #NAME); \
        va_list rest; va_start(rest, flags); \
        const int mode = flags & O_CREAT ? va_arg(rest, int) : 0; va_end(rest); \
        if (flags & O_CREAT) note(path, flags & O_EXCL); \
        return next(at, path, flags, mode); }
OPENAT(openat)
OPENAT(openat64)
#define FOPEN(NAME) \
    FILE *NAME(const char *path, const char *mode) { \
        FILE *(*next)(const char *, const char *) = (FILE *(*)(const char *, const char *))dlsym(RTLD_NEXT, #NAME); \
        if (mode[0] != 'r') note(path, strchr(mode, 'x') != NULL); \
        return next(path, mode); }
FOPEN(fopen)
FOPEN(fopen64)
int mkdir(const char *path, mode_t mode) {
    int (*next)(const char *, mode_t) = (int (*)(const char *, mode_t))dlsym(RTLD_NEXT, "mkdir");
    note(path, (mode & 077) == 0);
    return next(path, mode);
}
"""
STUBS = {
    "dpkg-query": "printf installed",
    "ninja": ":",
    # "setup DIR": a folder that looks configured; anything else needs a network
    "meson": """case $1 in
setup) mkdir -p "$2/studies"; : >"$2/build.ninja"; printf '#!/bin/sh\n' >"$2/studies/demo"; chmod +x "$2/studies/demo" ;;
*) exit 1 ;;
esac""",
    "apt-get": """case "$*" in *"source --download-only"*) cp "$NTPSEC" ./ntpsec_1.orig.tar.gz ;; esac""",
}


def compiler_made(compiler, work):
    source, library = os.path.join(work, "notes.c"), os.path.join(work, "notes.so")
    with open(source, "w", encoding="utf-8") as out:
        out.write(NOTES)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-w", "-o", library, source, "-ldl"], check=True)
    return library


def run(library, folder, work, *arguments, **more):
    """Runs ./dev of the folder: what it made under names that are known; its code; what it said."""
    stubs, temporary, log = (os.path.join(work, name) for name in ("stubs", "shared", "log"))
    os.makedirs(stubs, exist_ok=True)
    os.makedirs(temporary, exist_ok=True)
    if os.path.exists(log):
        os.unlink(log)
    for name, text in STUBS.items():
        path = os.path.join(stubs, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
    before = [os.path.realpath(path) + "/" for path in (folder, stubs, temporary)]
    env = {**os.environ, "PATH": stubs + ":" + os.environ["PATH"], "TMPDIR": temporary, "NOTES": log,
           # a list that spaces separate: a name, and the folder, which may have some, apart
           "LD_PRELOAD": os.path.basename(library), "LD_LIBRARY_PATH": os.path.dirname(library), **more}
    done = subprocess.run(["bash", os.path.join(folder, "dev"), *arguments], env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    made = []
    if os.path.exists(log):
        with open(log, encoding="utf-8") as lines:
            made = [line.split(" ", 1) for line in lines.read().splitlines()]
    # the folder resolved, not the name itself: a link that waits there must not hide
    made = [(kind, os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))) for kind, path in made]
    # what lies in a folder of mktemp is nobody else's, nor is the clone, which may itself stand in the shared folder
    own = (*(path + "/" for kind, path in made if kind == "fine"), *before[:2], os.path.realpath(log))
    # "mkdir -p" asks for every folder on the way, also for those that the clone stands in
    known = [path for kind, path in made if kind == "known" and not (path + "/").startswith(own)
             and not any(place.startswith(os.path.realpath(path) + "/") for place in before)]
    return known, done.returncode, done.stdout


def packed(work, name, unity, change=b""):
    """A source package that holds Unity as ntpsec's does."""
    place = os.path.join(work, name, "ntpsec-1", "tests", "unity")
    os.makedirs(place)
    for part in ("unity.c", "unity.h", "unity_internals.h"):
        shutil.copy(os.path.join(unity, part), place)
    with open(os.path.join(place, "unity.c"), "ab") as out:
        out.write(change)
    archive = os.path.join(work, name + ".tar.gz")
    with tarfile.open(archive, "w:gz") as out:
        out.add(os.path.join(work, name, "ntpsec-1"), "ntpsec-1")
    return archive


def places(run_in):
    """Calls run_in(folder) where a clone may stand: in the build folder, and in the shared folder, under a name with
    spaces, through a link, where its parent cannot be written."""
    faults = []
    with tempfile.TemporaryDirectory(prefix="privgraph-dev-", dir=os.environ.get("MESON_BUILD_ROOT", os.getcwd())) as work:
        faults += run_in(work)
    with tempfile.TemporaryDirectory(prefix="privgraph dev-") as shared:
        real, link = os.path.join(shared, "a clone", "work"), os.path.join(shared, "link")
        os.makedirs(real)
        os.symlink("a clone/work", link)
        os.chmod(os.path.dirname(real), 0o555)
        faults += [f"in a shared folder: {fault}" for fault in run_in(link)]
        os.chmod(os.path.dirname(real), 0o755)
    return faults


def check(work, root, compiler):
    wrong = []
    library, tree = compiler_made(compiler, work), os.path.join(work, "tree")
    os.makedirs(os.path.join(tree, "subprojects"))
    shutil.copy(os.path.join(root, "dev"), tree)
    shutil.copytree(os.path.join(root, "subprojects", "packagefiles"), os.path.join(tree, "subprojects", "packagefiles"))
    shutil.copy(os.path.join(root, "subprojects", "unity.wrap"), os.path.join(tree, "subprojects"))
    made, code, said = run(library, tree, work, "demo")
    if made or code:
        wrong.append(f"./dev demo: code {code}, made {made}\n{said}")
    # Unity from Debian's archive: as pinned, if this machine has that copy, and never with one byte more
    unity = os.path.join(root, "subprojects", "unity", "src")
    copies = [(packed(work, "changed", unity, b"\n"), 1)] if os.path.isdir(unity) else []
    if copies and not os.path.isdir(os.path.join(root, "subprojects", "unity", "docs")):
        copies.append((packed(work, "same", unity), 0))
    for archive, wanted in copies:
        made, code, said = run(library, tree, work, "test", NTPSEC=archive)
        there = os.path.isfile(os.path.join(tree, "subprojects", "unity", "src", "unity.c"))
        if made or there != (wanted == 0) or (wanted and not code):
            wrong.append(f"Unity of {os.path.basename(archive)}: code {code}, there: {there}, made {made}\n{said}")
        left = os.listdir(os.path.join(work, "shared"))
        if wanted == 0 and left:
            wrong.append(f"left in the shared folder: {left}")
    with open(os.path.join(root, "subprojects", "unity.wrap"), encoding="utf-8") as file:
        wrap = file.read()
    if not re.search(r"^source_hash = [0-9a-f]{64}$", wrap, flags=re.M) or not re.search(r"\b[0-9a-f]{40}\b", wrap):
        wrong.append("unity.wrap: no checksum, or no commit")
    return wrong


def self_test(work, compiler):
    """A script that writes to a known name is caught, with a link waiting there or not; one that asks mktemp is not."""
    bad = ['echo x >"/tmp/privgraph-test.$$"; rm -f "/tmp/privgraph-test.$$"', 'echo x >"$TMPDIR/log"', 'mkdir -p "$TMPDIR/known"',
           'python3 -c "import os; open(os.environ[\'TMPDIR\'] + \'/a\', \'w\')"']
    good = ['work=$(mktemp -d); echo x >"$work/log"; rm -r "$work"', "said=$(echo x 2>&1)", 'rm "$(mktemp)"', "cat <<X\nx\nX"]
    failures = []
    library, tree = compiler_made(compiler, work), os.path.join(work, "tree")
    os.makedirs(tree)
    for text, caught in [(text, True) for text in bad] + [(text, False) for text in good]:
        with open(os.path.join(tree, "dev"), "w", encoding="utf-8") as out:
            out.write(text + "\n")
        made, _, said = run(library, tree, work)
        if bool(made) != caught:
            failures.append(f"{text!r}: {made} {said}")
    return failures


def main():
    first, compiler = sys.argv[1:3]
    faults = places(lambda work: self_test(work, compiler) if first == "--self-test" else check(work, first, compiler))
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
