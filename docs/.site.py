"""Hooks of the documentation site (mkdocs.yml).

Pages link to files of the source tree, which the site does not hold: such a link becomes the path it
leads to. Fences may say how a block is tested (```sh run); the site shows the language only.
"""
import os
import posixpath
import re
import sys
import tempfile

from mkdocs.structure.files import File

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "include"))
sys.dont_write_bytecode = True
import manual  # noqa: E402

_made = tempfile.TemporaryDirectory()


def on_config(config, **_):
    """The C reference is made from the headers, one page for each room, and stands before Inside."""
    pages = manual.site_pages(os.path.join(ROOT, "include"))
    os.makedirs(os.path.join(_made.name, "reference"), exist_ok=True)
    for name, text in pages.items():
        with open(os.path.join(_made.name, "reference", name), "w", encoding="utf-8") as out:
            out.write(text)
    config["nav"].insert(-1, {"C reference": [{name[:-3]: "reference/" + name} for name in pages]})
    return config


def on_files(files, config, **_):
    for name in sorted(os.listdir(os.path.join(_made.name, "reference"))):
        files.append(File("reference/" + name, _made.name, config["site_dir"], config["use_directory_urls"]))
    return files


def on_page_markdown(markdown, page, **_):
    folder = posixpath.dirname(page.file.src_uri)

    def outside(match):
        text, target = match.group(1), match.group(2)
        path = posixpath.normpath(posixpath.join(folder, target.split("#")[0]))
        if not path.startswith("../"):
            return match.group(0)
        path = path[3:]
        return f"{text} (`{path}` in the source)" if text.strip("`") != path else f"`{path}`"

    markdown = re.sub(r"(?<!!)\[([^\]]*)\]\((\.\./[^)]*)\)", outside, markdown)
    return re.sub(r"^```(\w+)[ \t]+run.*$", r"```\1", markdown, flags=re.M)
