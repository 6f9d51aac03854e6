#!/usr/bin/env python3
"""The recipes of packaging/, as far as a machine without vcpkg, Conan and conda can tell: they parse, and the version,
the options, the files and the targets that they name are those of the source.

usage: recipes.py SOURCE_ROOT
"""
import ast
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])


def read(*names):
    with open(os.path.join(ROOT, *names), encoding="utf-8") as file:
        return file.read()


def options_of(text):
    """-Dname=value in a recipe."""
    return dict(re.findall(r"-D(\w+)=([\w${}]+)", text))


def main():
    wrong = []
    version = re.search(r"version: '([^']+)'", read("meson.build")).group(1)
    known = {}
    for name, kind, rest in re.findall(r"^option\('(\w+)', type: '(\w+)'(.*)$", read("meson_options.txt"), flags=re.M):
        choices = re.search(r"choices: \[(.*?)\]", rest)
        known[name] = {"boolean": ["true", "false"], "feature": ["enabled", "disabled", "auto"]}.get(
            kind, re.findall(r"'(\w+)'", choices.group(1)) if choices else None)

    def check_options(where, given):
        for name, value in given.items():
            if name not in known:
                wrong.append(f"{where}: no option {name}")
            elif known[name] and value not in known[name] and "$" not in value:
                wrong.append(f"{where}: {name} is not {value}")
        if given.get("tests") != "disabled":
            wrong.append(f"{where}: tests need Unity, which a recipe has not")

    # vcpkg
    port, manifest = read("packaging", "vcpkg", "portfile.cmake"), json.loads(read("packaging", "vcpkg", "vcpkg.json"))
    if manifest["version"] != version:
        wrong.append(f"vcpkg.json: version {manifest['version']}")
    check_options("portfile.cmake", options_of(port))
    for feature in re.findall(r'"(\w+)" IN_LIST FEATURES', port):
        if feature not in manifest["features"]:
            wrong.append(f"portfile.cmake: no feature {feature}")
    if shutil.which("cmake"):
        with tempfile.TemporaryDirectory() as work:  # a file is read whole before its first line runs
            with open(os.path.join(work, "port.cmake"), "w", encoding="utf-8") as out:
                out.write("return()\n" + port)
            done = subprocess.run(["cmake", "-P", out.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            wrong.append(done.stdout)

    # Conan
    recipe = read("packaging", "conan", "conanfile.py")
    tree = ast.parse(recipe)
    if f'version = "{version}"' not in recipe:
        wrong.append("conanfile.py: another version")
    given = dict(re.findall(r'project_options\["(\w+)"\] = "?(\w+)', recipe))
    check_options("conanfile.py", {name: {"False": "false", "True": "true"}.get(value, value) for name, value in given.items()
                                   if value not in ("bool", "str")})
    for name in given:
        if name not in known:
            wrong.append(f"conanfile.py: no option {name}")
    patterns = next(node for node in ast.walk(tree) if isinstance(node, ast.For) and getattr(node.target, "id", "") == "pattern")
    taken = [item.value for item in patterns.iter.elts]
    # every folder that the main meson.build enters without tests, examples, bench and fuzz
    for folder in re.findall(r"^(?:  )?subdir\('(\w+)'\)", read("meson.build"), flags=re.M):
        if folder not in ("test", "examples", "bench", "studies") and f"{folder}/*" not in taken:
            wrong.append(f"conanfile.py does not export {folder}")
    for pattern in taken:
        if not glob.glob(os.path.join(ROOT, pattern)):
            wrong.append(f"conanfile.py: nothing is {pattern}")

    # conda: a template whose lines are YAML once what Jinja does is done
    meta = read("packaging", "conda", "meta.yaml")
    if f'set version = "{version}"' not in meta:
        wrong.append("meta.yaml: another version")
    check_options("meta.yaml", options_of(meta))
    try:
        import yaml
    except ImportError:
        print("no yaml here: meta.yaml was not parsed")
    else:
        plain = re.sub(r"{%.*?%}", "", meta)
        parsed = yaml.safe_load(re.sub(r"{{.*?}}", "x", plain))
        if not os.path.exists(os.path.join(ROOT, parsed["about"]["license_file"])):
            wrong.append("meta.yaml: no such licence file")
        if os.path.normpath(os.path.join(ROOT, "packaging", "conda", parsed["source"]["path"])) != ROOT:
            wrong.append("meta.yaml: source.path is not the source")

    # targets that recipes and the CMake package promise
    config = read("pkgconfig", "privgraph-config.cmake.in")
    for target in re.findall(r'cmake_target_name", "(\S+)"', recipe):
        if f"add_library({target} " not in config:
            wrong.append(f"conanfile.py: {target} is not in the CMake package")
    print("\n".join(wrong) or "recipes agree with the source")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
