"""Hooks of the documentation site (mkdocs.yml).

Pages link to files of the source tree, which the site does not hold: such a link becomes the path it
leads to. A link that names a page by its file gets the title of the page. Fences may say how a block
is tested (```sh run, ```c file PATH); the site shows the language only. What a block prints (```output) hangs on
below it, and neighbours that say `tab` share one place. index.js is what search.js looks through.
"""
import glob
import html
import json
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
sys.path.insert(0, os.path.join(ROOT, "bindings", "python"))
import reference  # noqa: E402

_made = tempfile.TemporaryDirectory()
_titles, _sections = {}, []


def _entries(nav):
    for item in nav:
        for title, target in item.items():
            if isinstance(target, str):
                yield target, title
            else:
                yield from _entries(target)


def shown(output):
    """An output of a notebook: a picture, a table, or words."""
    data = output.get("data", {})
    if "image/png" in data:
        return f'<p><img src="data:image/png;base64,{data["image/png"]}" alt="What the cell draws"></p>'
    if "text/html" in data:
        kept = re.sub(r"<style.*?</style>", "", "".join(data["text/html"]), flags=re.S)
        return '<div class="shown">' + re.sub(r"\n\s*", "", kept) + "</div>"
    words = "".join(output.get("text", data.get("text/plain", [])))
    return f'<pre class="output">{html.escape(words)}</pre>'


def notebooks():
    """{file name: Markdown} of examples/notebooks, with the outputs they hold."""
    pages = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "notebooks", "*.ipynb"))):
        with open(path, encoding="utf-8") as file:
            cells = json.load(file)["cells"]
        parts = []
        for cell in cells:
            text = "".join(cell["source"])
            parts += [text] if cell["cell_type"] == "markdown" else ["```python\n" + text + "\n```",
                                                                     *map(shown, cell["outputs"])]
        name = os.path.basename(path)
        parts.append(f"The notebook is `examples/notebooks/{name}` in the source.")
        pages[name[:-6] + ".md"] = "\n\n".join(parts) + "\n"
    return pages


def on_config(config, **_):
    """Notebooks stand behind the guide. The references are made from the headers and from the Python package, one
    page for each module, and stand before Inside."""
    for title, folder, pages, place in (
            ("C reference", "reference", manual.site_pages(os.path.join(ROOT, "include")), -1),
            ("Python reference", "python", reference.site_pages(), -1), ("Notebooks", "notebooks", notebooks(), 2)):
        os.makedirs(os.path.join(_made.name, folder), exist_ok=True)
        for name, text in pages.items():
            with open(os.path.join(_made.name, folder, name), "w", encoding="utf-8") as out:
                out.write(text)
        titles = {name: text.split("\n")[0][2:] if folder == "notebooks" else name[:-3] for name, text in pages.items()}
        config["nav"].insert(place, {title: [{titles[name]: f"{folder}/{name}"} for name in pages]})
    _titles.update(_entries(config["nav"]))
    config["extra"]["classes"] = {f"python/{name}.md": reference.classes(name) for name in reference.modules()}
    return config


def on_files(files, config, **_):
    for folder in ("reference", "python", "notebooks"):
        for name in sorted(os.listdir(os.path.join(_made.name, folder))):
            files.append(File(f"{folder}/{name}", _made.name, config["site_dir"], config["use_directory_urls"]))
    return files


LANGUAGES = {"sh": "Command line", "python": "Python", "c": "C", "cpp": "C++", "rust": "Rust"}
OUTPUT = r"^```output[^\n]*\n(.*?)^```$"


def outputs(markdown):
    """Lines of a table stay whole, sentences may wrap."""
    def one(match):
        prose = " prose" if max(map(len, match.group(1).split("\n"))) > 120 else ""
        return f'<pre class="output{prose}">{html.escape(match.group(1))}</pre>'

    return re.sub(OUTPUT, one, markdown, flags=re.M | re.S)


def tabs(markdown):
    """Neighbouring blocks that say `tab`, with what they print, as buttons and panes; no script needed."""
    one = r"^```\w+ tab[^\n]*\n(?:.*?)^```$(?:\s+^```output[^\n]*\n(?:.*?)^```$)?"
    count = 0

    def group(match):
        nonlocal count
        count += 1
        parts = re.findall(one, match.group(0), flags=re.M | re.S)
        out = ['<div class="tabs" markdown="1">']
        for number, part in enumerate(parts):
            language = re.match(r"```(\w+)", part).group(1)
            out.append(f'<input type="radio" name="tabs{count}" id="tab{count}-{number}"'
                       f'{" checked" if number == 0 else ""}><label for="tab{count}-{number}">{LANGUAGES[language]}</label>')
        for part in parts:
            out += ['<div class="pane" markdown="1">', "", part, "", "</div>"]
        return "\n".join([*out, "</div>"])

    return re.sub(rf"(?:{one}\n*)+", lambda match: group(match) + "\n\n", markdown, flags=re.M | re.S)


def on_page_markdown(markdown, page, **_):
    folder = posixpath.dirname(page.file.src_uri)

    def outside(match):
        text, target = match.group(1), match.group(2)
        path = posixpath.normpath(posixpath.join(folder, target.split("#")[0]))
        if not path.startswith("../"):
            named = text.strip("`").endswith(".md") and path in _titles
            return f"[{_titles[path]}]({target})" if named else match.group(0)
        path = path[3:]
        return f"{text} (`{path}` in the source)" if text.strip("`") != path else f"`{path}`"

    markdown = re.sub(r"(?<!!)\[([^\]]*)\]\(([^):]*)\)", outside, markdown)
    markdown = outputs(tabs(markdown))
    return re.sub(r"^```(\w+)[ \t]+(?:run|file|tab).*$", r"```\1", markdown, flags=re.M)


def cells(text):
    """Cells of tables say what they hold, so that numbers stay on one line and words get room for a few. Long names in
    them may break behind a dot, a comma or an underscore."""
    def names(match):
        return "<code>" + re.sub(r"(?<=\w)([_.,=/]|::)(?=\w)", r"\1<wbr>", match.group(1)) + "</code>"

    def kind(match):
        plain = html.unescape(re.sub(r"<[^>]*>", "", match.group(2)))
        named = ("number" if re.fullmatch(r"[-+~<>\d.,eE%/()\u00b1 ]{1,24}", plain) else
                 "long" if len(plain) > 48 else "words" if len(plain) > 16 else "")
        shape = f' class="{named}"' if named else ""
        inside = re.sub(r"<code>([^<]*)</code>", names, match.group(2))
        return f'<td{shape}{match.group(1)}>{inside}</td>'

    return re.sub(r"<td([^>]*)>(.*?)</td>", kind, text, flags=re.S)


def pictures(text):
    """A picture leads to itself: on a phone its letters are small, and a file of its own can be zoomed."""
    return re.sub(r'(<a [^>]*>)?<img [^>]*src="([^":]+)"[^>]*>', lambda match: match.group(0) if match.group(1) else
                  f'<a class="picture" href="{match.group(2)}">{match.group(0)}</a>', text)


def options(text):
    """An option in a sentence does not break after its dashes."""
    def code(match):
        return match.group(1) + re.sub(r"(?<![\w-])--?[a-z][\w-]*", r'<span class="whole">\g<0></span>', match.group(2)) + "</code>"

    return re.sub(r"((?<!<pre>)<code>)([^<]*)</code>", code, text)


def on_page_content(text, page, **_):
    """Remembers the sections of a page for the search, and gives tables their shape."""
    parts = re.split(r'<h[123] id="([^"]*)">(.*?)</h[123]>', text, flags=re.S)
    for anchor, title, body in zip(parts[1::3], parts[2::3], parts[3::3]):
        plain = [" ".join(html.unescape(re.sub(r"<[^>]*>", " ", part)).split()) for part in
                 (re.sub(r'<a class="headerlink".*?</a>', "", title), body)]
        _sections.append({"url": f"{page.url}#{anchor}", "page": page.title, "title": plain[0], "text": plain[1]})
    return options(cells(pictures(text)))


def on_post_build(config, **_):
    with open(os.path.join(config["site_dir"], "index.js"), "w", encoding="utf-8") as out:
        out.write("window.privgraphPages = " + json.dumps(_sections, separators=(",", ":")) + ";\n")
