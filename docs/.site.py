"""Hooks of the documentation site (mkdocs.yml).

Pages link to files of the source tree, which the site does not hold: such a link becomes the path it
leads to. Fences may say how a block is tested (```sh run); the site shows the language only.
"""
import posixpath
import re


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
