#!/usr/bin/env python3
"""Makes a wheel with the library inside, and all that the library needs but the C library.

usage: make_wheel.py LIBRARY FOLDER [--any-place]

LIBRARY: libprivgraph.so.0, with libprivgraph-learn.so.0 beside it (-Dlearn=true), linked with DT_RPATH $ORIGIN, so that it finds what lies beside it, and
so do the libraries that they need. The wheel goes to FOLDER and is tried at once: installed without
an index into a new environment, imported without any variable, used. --any-place: the library was
linked without that path (a test): its dependencies may come from the system.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# What every Linux has; the rest goes into the wheel.
SYSTEM = re.compile(r"(libc|libm|libdl|librt|libpthread|libgcc_s|ld-linux[\w-]*)\.so[.\d]*$")

TRIAL = """
import os, privgraph as pg
inside = os.path.dirname(pg.__file__)
assert pg._native.LIBRARY.startswith(inside), pg._native.LIBRARY
assert not any("privgraph-learn" in line for line in open("/proc/self/maps")), "opened before it was needed"
pg._native.lib.pvg_learn_version_string()
assert any(os.path.join(inside, "_lib", "libprivgraph-learn") in line for line in open("/proc/self/maps"))
assert pg.PrivateEmbedding("edge,cycle3").fit_transform(pg.Graph.cycle(9)).shape == (1, 2)
if os.path.exists(os.path.join(inside, "_lib", "privgraph")):
    assert "<html" in pg.report(pg.Query("stars", epsilon=1).draw(pg.Graph.cycle(9)))
with open("/proc/self/maps") as maps:
    print("\\n".join(sorted({line.split()[-1] for line in maps if "libsodium" in line})))
print(pg.__version__)
"""


def run(*command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode:
        sys.exit(f"make_wheel.py: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def closure(library):
    """{name: file} of what the library needs, directly or not."""
    found = re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", library), flags=re.M)
    return {name: os.path.realpath(path) for name, path in found if not SYSTEM.match(name)}


def notices(files):
    """The licences of what is bundled, as the system that it comes from tells them."""
    parts = []
    for name, path in sorted(files.items()):
        owner = subprocess.run(["dpkg", "-S", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True).stdout.split(":")[0] if shutil.which("dpkg") else ""
        terms = f"/usr/share/doc/{owner}/copyright"
        parts.append(f"==== {name} ({owner or 'origin unknown'})\n")
        if owner and os.path.isfile(terms):
            with open(terms, encoding="utf-8", errors="replace") as file:
                parts.append(file.read())
    return "\n".join(parts)


def platform_tag(folder):
    """manylinux_2_N by the newest symbol of the C library that a file of the bundle asks for: the wheel starts there, and
    on no older one."""
    asked = [(2, 17)]
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            if file.read(4) != b"\x7fELF":
                continue
        versions = re.findall(r"\bGLIBC_(\d+)\.(\d+)", run("readelf", "--version-info", "--wide", path))
        asked += [(int(major), int(minor)) for major, minor in versions]
    return "manylinux_{}_{}_{}".format(*max(asked), os.uname().machine)


def stage(library, folder):
    learn = os.path.join(os.path.dirname(library), "libprivgraph-learn.so.0")
    shutil.copy(os.path.realpath(library), os.path.join(folder, "libprivgraph.so.0"))
    shutil.copy(os.path.realpath(learn), os.path.join(folder, "libprivgraph-learn.so.0"))
    files = {**closure(library), **closure(learn)}
    files.pop("libprivgraph.so.0")
    program = os.path.join(os.path.dirname(library), "..", "tools", "privgraph")
    if os.path.isfile(program):
        shutil.copy(program, os.path.join(folder, "privgraph"))
        files = {**closure(program), **files}
        for own in ("libprivgraph.so.0", "libprivgraph-learn.so.0"):
            files.pop(own, None)
    for name, path in files.items():
        shutil.copy(path, os.path.join(folder, name))
    with open(os.path.join(folder, "LICENCES.txt"), "w", encoding="utf-8") as out:
        out.write(notices(files))
    for name in files:  # what is bundled is given on under its own terms
        if name.startswith("libsodium") and shutil.which("dpkg"):
            with open(os.path.join(folder, "LICENCES.txt"), encoding="utf-8") as text:
                if "Permission to use, copy, modify" not in text.read():
                    sys.exit(f"make_wheel.py: the licence of {name} was not found")


def build(library, folder, work):
    bundle, place = os.path.join(work, "bundle"), os.path.join(work, "out")
    source = os.path.join(work, "bindings", "python")  # a copy: building leaves things behind
    os.mkdir(bundle)
    stage(library, bundle)
    shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    shutil.copytree(os.path.join(HERE, "..", "..", "include"), os.path.join(work, "include"))
    # setuptools takes both into the .dist-info
    shutil.copy(os.path.join(HERE, "..", "..", "LICENSE"), os.path.join(source, "LICENSE"))
    shutil.copy(os.path.join(bundle, "LICENCES.txt"), os.path.join(source, "LICENCE.bundled.txt"))
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "--no-index",
        "--disable-pip-version-check", "--wheel-dir", place, source,
        env=dict(os.environ, PRIVGRAPH_BUNDLE=bundle, PRIVGRAPH_PLATFORM=platform_tag(bundle)))
    name, = os.listdir(place)
    os.makedirs(folder, exist_ok=True)
    return shutil.copy(os.path.join(place, name), os.path.join(folder, name))


def attempt(wheel, work, any_place):
    """In an environment of its own; cffi and NumPy come from the machine, nothing from a network."""
    home = os.path.join(work, "environment")
    run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", home)
    python = os.path.join(home, "bin", "python")
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index",
        "--disable-pip-version-check", os.path.abspath(wheel))
    clean = {key: value for key, value in os.environ.items()
             if key not in ("PYTHONPATH", "LD_LIBRARY_PATH", "PRIVGRAPH_LIBRARY")}
    said = run(python, "-c", TRIAL, env=clean, cwd=work).split()
    if not any_place and not all(path.startswith(home) for path in said[:-1]):
        sys.exit(f"make_wheel.py: the library did not take what lies beside it: {said[:-1]}")


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--any-place"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="privgraph-wheel-") as work:
        wheel = build(arguments[0], arguments[1], work)
        attempt(wheel, work, "--any-place" in sys.argv)
    print(wheel)


if __name__ == "__main__":
    main()
