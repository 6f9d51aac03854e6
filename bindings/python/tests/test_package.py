"""Declarations, installation, type hints."""
import inspect
import os
import re
import runpy
import shutil
import subprocess
import sys

import pytest

import privgraph as pg
from privgraph import _native

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(PACKAGE))
INCLUDE = os.path.join(ROOT, "include")
DECLARATIONS = runpy.run_path(os.path.join(INCLUDE, "api.py"))["declarations"](INCLUDE)


def test_layout_is_the_library_s():
    """cffi's constants are the library's own."""
    value = _native.ffi.new("int64_t *")
    names = [name for name in dir(_native.lib) if name.startswith("PVG_")]
    assert len(names) > 80
    asked = (_native.lib.pvg_constant_value, _native.lib.pvg_learn_constant_value)
    for name in names:
        assert [ask(value, name.encode()) for ask in asked].count(0) == 1, name  # of one library
        assert value[0] == getattr(_native.lib, name), name


def test_what_learns_is_opened_when_it_is_needed(tmp_path):
    """The second library lies beside the first; where it does not, only what needs it fails, and says so."""
    look = "import privgraph as pg\nfound = lambda: 'privgraph-learn' in open('/proc/self/maps').read()\n" \
           "pg.Graph.cycle(5); pg.Query('stars', epsilon=1)\nassert not found()\n"
    use = "pg._native.lib.pvg_learn_version_string()\nassert found()\n"
    env = dict(os.environ, PYTHONPATH=PACKAGE, PRIVGRAPH_LIBRARY=_native.LIBRARY)
    assert subprocess.run([sys.executable, "-c", look + use], env=env).returncode == 0
    alone = shutil.copy(os.path.realpath(_native.LIBRARY), tmp_path / "libprivgraph.so.0")
    env = {**env, "PRIVGRAPH_LIBRARY": str(alone)}
    env.pop("LD_LIBRARY_PATH", None)
    done = subprocess.run([sys.executable, "-c", look + use], env=env, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and "are in libprivgraph-learn.so.0, which was not found beside" in done.stderr


# What Python does not need, and names the package puts together.
WITHOUT = {"pvg_learn_constant_value", "pvg_learn_version_string", "pvg_allocator_set",
           "pvg_constant_value", "pvg_version_number", "pvg_sampler_new", "pvg_release_draw_text"}
COMPOSED = re.compile(r"pvg_\w+_free|pvg_rng_draw_\w+")
LEAVING = re.compile(r"pvg_(embedder|propagator|perturber|statistic|degrees|histogram)_\w+|pvg_synthesis_draw|pvg_release_draw_\w+"
                     r"|pvg_(scaling|joint)_name")  # queries take their place


def test_functions_are_wrapped():
    declared = set(re.findall(r"\b(pvg_\w+)\(", DECLARATIONS))
    folder, text = os.path.join(PACKAGE, "privgraph"), ""
    for name in os.listdir(folder):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text += file.read()
    used = set(re.findall(r"\bpvg_\w+\b", text))
    assert len(declared & used) > 150 and WITHOUT <= declared and not WITHOUT & used
    missing = sorted(name for name in declared - used - WITHOUT if not COMPOSED.fullmatch(name)
                     and not LEAVING.fullmatch(name))
    if missing:  # a function may come to the library before it comes to Python
        pytest.skip("not wrapped: " + ", ".join(missing))


def run_installed(folder):
    program = ("import privgraph, os; print(os.path.dirname(privgraph.__file__));"
               "print(privgraph.PrivateEmbedding('edge').fit_transform(privgraph.Graph.cycle(9)).shape);"
               "import privgraph._ffi, sys; assert 'pycparser' not in sys.modules and 'cffi' not in sys.modules")
    env = dict(os.environ, PYTHONPATH=str(folder), PRIVGRAPH_LIBRARY=_native.LIBRARY)
    out = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True,
                         env=env, cwd=folder).stdout.splitlines()
    assert out == [os.path.join(str(folder), "privgraph"), "(1, 1)"]
    assert os.path.isfile(os.path.join(folder, "privgraph", "py.typed"))


def copy_tree(place):
    shutil.copytree(PACKAGE, place / "bindings" / "python",
                    ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    shutil.copytree(INCLUDE, place / "include")
    shutil.copy(os.path.join(INCLUDE, "..", "LICENSE"), place / "LICENSE")
    return place / "bindings" / "python"


def test_pip_installs_from_the_source_tree(tmp_path):
    pytest.importorskip("pip")
    source, target = copy_tree(tmp_path / "tree"), tmp_path / "target"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps",
                    "--no-index", "--disable-pip-version-check", "--target", str(target), str(source)],
                   check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    run_installed(target)


def test_version_is_the_project_s():
    with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as file:
        version = re.search(r"version: '([\d.]+)'", file.read()).group(1)
    with open(os.path.join(PACKAGE, "pyproject.toml"), encoding="utf-8") as file:
        assert f'version = "{version}"' in file.read()
    assert pg.__version__ == version == pg._version.VERSION


def test_a_library_of_another_version_is_refused(tmp_path):
    package = tmp_path / "privgraph"
    shutil.copytree(os.path.join(PACKAGE, "privgraph"), package)
    shutil.copytree(INCLUDE, tmp_path / "include")
    (package / "_version.py").write_text('VERSION = "9.9"\n')
    subprocess.run([sys.executable, os.path.join(PACKAGE, "make_ffi.py"), str(package / "_ffi.py"), INCLUDE], check=True,
                   stdout=subprocess.PIPE)
    env = dict(os.environ, PYTHONPATH=str(tmp_path), PRIVGRAPH_LIBRARY=_native.LIBRARY)
    done = subprocess.run([sys.executable, "-c", "import privgraph"], stderr=subprocess.PIPE, text=True, env=env,
                          cwd=tmp_path)
    assert done.returncode == 1 and f"is version {pg.__version__}, this package is 9.9" in done.stderr


def test_a_wheel_carries_the_library(tmp_path):
    """Built, installed into an environment of its own without an index, and used."""
    for module in ("pip", "wheel", "venv"):
        pytest.importorskip(module)
    source = copy_tree(tmp_path / "tree")
    out = subprocess.run([sys.executable, str(source / "make_wheel.py"), _native.LIBRARY, str(tmp_path / "dist"),
                          "--any-place"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert out.returncode == 0, out.stdout
    name, = os.listdir(tmp_path / "dist")
    assert name.startswith(f"privgraph-{pg.__version__}-py3-none-manylinux_2_")
    import zipfile
    wheel = zipfile.ZipFile(tmp_path / "dist" / name)
    held = wheel.namelist()
    # the tag is what the files ask for: neither older, so that it starts, nor newer than one of them needs
    asked = set()
    for part in held:
        if wheel.read(part)[:4] == b"\x7fELF":
            shown = subprocess.run(["readelf", "--version-info", "--wide", wheel.extract(part, tmp_path / "unpacked")],
                                   stdout=subprocess.PIPE, text=True, check=True).stdout
            asked |= {int(minor) for minor in re.findall(r"\bGLIBC_2\.(\d+)", shown)}
    assert f"manylinux_2_{max(asked)}_{os.uname().machine}" in name
    terms = [part for part in held if ".dist-info/" in part and "LICEN" in os.path.basename(part)]
    texts = "".join(wheel.read(part).decode() for part in terms)
    assert "The libprivgraph authors" in texts and "libsodium" in texts and "Permission to use, copy" in texts
    for part in ("libprivgraph.so.0", "libprivgraph-learn.so.0", "LICENCES.txt"):
        assert f"privgraph/_lib/{part}" in held
    assert any("libsodium" in part for part in held)


def test_meson_installs_every_file():
    with open(os.path.join(PACKAGE, "meson.build"), encoding="utf-8") as file:
        listed = set(re.findall(r"'privgraph/(\w+\.\w+)'", file.read()))
    there = {name for name in os.listdir(os.path.join(PACKAGE, "privgraph")) if not name.startswith("__py")}
    assert listed == there - {"_ffi.py"}
    tests = {name for name in os.listdir(os.path.join(PACKAGE, "tests")) if name.startswith("test_")}
    with open(os.path.join(PACKAGE, "meson.build"), encoding="utf-8") as file:
        block = re.search(r"foreach name : \[(.*?)\]", file.read(), flags=re.S).group(1)
    assert {f"test_{name}.py" for name in re.findall(r"'(\w+)'", block)} == tests


def public_things():
    for name in pg.__all__:
        thing = getattr(pg, name)
        yield name, thing
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            for key, value in vars(thing).items():
                if not key.startswith("_") and (callable(value) or isinstance(value, (property, classmethod, staticmethod))):
                    yield f"{name}.{key}", value


def test_everything_is_documented_and_typed():
    seen = 0
    for name, thing in public_things():
        if isinstance(thing, str) or type(thing).__name__ in ("member_descriptor", "_tuplegetter"):
            continue
        plain = thing.fget if isinstance(thing, property) else getattr(thing, "__func__", thing)
        assert inspect.getdoc(plain), f"{name} has no docstring"
        if inspect.isfunction(plain):
            hints = plain.__annotations__
            missing = [p for p in inspect.signature(plain).parameters if p not in ("self", "cls") and p not in hints]
            assert not missing and "return" in hints, f"{name}: {missing}"
        seen += 1
    assert seen > 150


def test_exact_things_say_so():
    for name, thing in public_things():
        if name.endswith("_exact") and "max_degree" not in name:
            assert "NOT FOR PUBLICATION" in inspect.getdoc(getattr(thing, "__func__", thing)), name


def test_a_missing_library_is_explained(tmp_path):
    env = dict(os.environ, PRIVGRAPH_LIBRARY=str(tmp_path / "none.so"))
    done = subprocess.run([sys.executable, "-c", "import privgraph"], stderr=subprocess.PIPE, text=True, env=env)
    assert done.returncode == 1 and "PRIVGRAPH_LIBRARY" in done.stderr
