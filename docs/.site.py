"""Hooks of the documentation site (mkdocs.yml).

Pages link to files of the source tree, which the site does not hold: such a link becomes the path it
leads to. Fences may say how a block is tested (```sh run); the site shows the language only.
"""
import posixpath
import re


def _outside(match):
    text, target = match.group(1), match.group(2)
    path = posixpath.normpath(target.split("#")[0])[3:]
    return f"{text} (`{path}` in the source)" if text.strip("`") != path else f"`{path}`"


def on_page_markdown(markdown, **_):
    markdown = re.sub(r"(?<!!)\[([^\]]*)\]\((\.\./[^)]*)\)", _outside, markdown)
    return re.sub(r"^```(\w+)[ \t]+run.*$", r"```\1", markdown, flags=re.M)
