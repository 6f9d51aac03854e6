#!/usr/bin/env python3
"""The documents: the site builds, every link leads somewhere, no page is wider than its window.

usage: test_docs.py site SOURCE_ROOT
       test_docs.py widths SOURCE_ROOT
       test_docs.py self-test

What pages show is run by others: run_pages.py, and the tests of tool, Python package and installation.
"""
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SKIP = 77


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.names, self.links = set(), []

    def handle_starttag(self, tag, attrs):
        for key, value in attrs:
            if key in ("id", "name"):
                self.names.add(value)
            if (tag, key) in (("a", "href"), ("img", "src"), ("link", "href"), ("script", "src")):
                self.links.append(value)


def below(folder, end):
    """Files below a folder whose name ends so, as paths relative to it."""
    return sorted(os.path.relpath(os.path.join(place, name), folder)
                  for place, _, names in os.walk(folder) for name in names if name.endswith(end))


def broken_links(folder):
    pages = {}
    for name in below(folder, ".html"):
        pages[name] = Page()
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            pages[name].feed(file.read())
    wrong = []
    for name, page in sorted(pages.items()):
        if name == "404.html":  # its links are absolute by design
            continue
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme in ("mailto", "data"):
                continue
            if parts.scheme or parts.netloc:
                wrong.append(f"{name}: {link} leaves the site")
                continue
            path = urllib.parse.unquote(parts.path)
            path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not os.path.exists(os.path.join(folder, path)):
                wrong.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and path in pages and parts.fragment not in pages[path].names:
                wrong.append(f"{name}: {link}: no such place in {path}")
    return wrong


# A page that opens the others one after the other in frames as wide as a phone and as a small desktop screen.
RULER = """<!doctype html><meta charset="utf-8"><pre id="out"></pre><script>
const pages = %s, widths = %s, wide = [];
function next(i) {
  if (i === widths.length * pages.length) return document.getElementById("out").textContent = JSON.stringify([i, wide]);
  const frame = document.createElement("iframe"), width = widths[Math.floor(i / pages.length)];
  frame.style.cssText = "border: 0; height: 900px; width: " + width + "px";
  frame.onload = function () {
    const page = frame.contentDocument, found = page.documentElement.scrollWidth;
    if (found > width) wide.push([frame.name, width, found]);
    for (const picture of page.querySelectorAll("main img"))
      if (picture.getBoundingClientRect().right > width) wide.push([frame.name + " " + picture.alt, width, picture.width]);
    frame.remove();
    next(i + 1);
  };
  frame.src = frame.name = pages[i %% pages.length];
  document.body.append(frame);
}
next(0);
</script>"""
WIDTHS = (390, 1280)


def too_wide(folder, browser):
    """Pages of a site that have to be scrolled sideways, and pictures that stick out, [[page, window, width]]."""
    pages = [name for name in below(folder, ".html") if name != "404.html"]
    ruler = os.path.join(os.path.abspath(folder), "ruler.html")
    with open(ruler, "w", encoding="utf-8") as out:
        out.write(RULER % (json.dumps(pages), json.dumps(WIDTHS)))
    try:
        with tempfile.TemporaryDirectory() as profile:
            done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000",
                                   f"--user-data-dir={profile}", "--allow-file-access-from-files",
                                   "--virtual-time-budget=200000", "--dump-dom", "file://" + ruler],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    finally:
        os.unlink(ruler)
    said = re.search(r'<pre id="out">(.*?)</pre>', done.stdout, flags=re.S)
    opened, wide = json.loads(html.unescape(said.group(1))) if said and said.group(1) else (0, [])
    if opened != len(pages) * len(WIDTHS):
        sys.exit(f"the browser opened {opened} of {len(pages) * len(WIDTHS)} pages")
    return wide


def widths(source):
    browser = shutil.which("chromium")
    if not browser or not shutil.which("mkdocs"):
        print("no chromium or no mkdocs here (./dev deps browser docs): widths of pages are not measured")
        return SKIP
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "a.html"), "w", encoding="utf-8") as out:
            out.write("<!doctype html><div style='width: 500px'>x</div>")
        if too_wide(work, browser) != [["a.html", 390, 508]]:  # eight pixels are the margin of the body
            sys.exit("a page that is too wide was not found")
        build(source, work)  # empties the folder first
        wide = too_wide(work, browser)
    for name, window, found in wide:
        print(f"{name} is {found} pixels wide in a window of {window}")
    return 1 if wide else 0


def build(source, folder):
    subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--site-dir", folder], cwd=source, check=True)


def other_files(source, name, text):
    """Blocks that say ```c file PATH and are not that file."""
    wrong = []
    for path, code in re.findall(r"^```\w+ file (\S+)\n(.*?)^```$", text, flags=re.M | re.S):
        with open(os.path.join(source, path), encoding="utf-8") as file:
            if file.read() != code:
                wrong.append(f"docs/{name}: the block is not {path}")
    return wrong


def raw_marks(folder):
    """Marks of other dialects of Markdown, which pages would show as they are."""
    found = []
    for name in below(folder, ".html"):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            found += [f"{name}: {mark} is shown" for mark in re.findall(r'<p>((?:===|!!!|\?\?\?|:::|```)[^<]{0,20})', file.read())]
    return found


# What people type, and the page that must answer: a section of it has every word in its title, as search.js
# counts most.
SEARCHED = {"quickstart": "index.html", "progress": "guide/python.html", "error bars": "guide/python.html",
            "which epsilon": "privacy/epsilon.html"}


def unfound(sections):
    """Searches that do not lead to their page."""
    return [f"search: {words!r} does not lead to {page}" for words, page in SEARCHED.items()
            if not any(one["url"].startswith(page + "#") and all(word in one["title"].lower() for word in words.split())
                       for one in sections)]


def site(source):
    if not shutil.which("mkdocs"):
        print("no mkdocs here: the site is not built")
        return SKIP
    with tempfile.TemporaryDirectory() as work:
        build(source, work)
        wrong = broken_links(work) + raw_marks(work)
        with open(os.path.join(work, "index.js"), encoding="utf-8") as file:
            wrong += unfound(json.loads(file.read().split("=", 1)[1].strip().rstrip(";")))
        listed = re.findall(r"^\s+- [^:]+: (\S+\.md)$|^  - [^:]+: (\S+\.md)$",
                            open(os.path.join(source, "mkdocs.yml"), encoding="utf-8").read(), flags=re.M)
        listed = {one or other for one, other in listed}
    there = set(below(os.path.join(source, "docs"), ".md"))
    sys.path.insert(0, os.path.join(source, "bindings", "python"))
    sys.dont_write_bytecode = True
    import reference
    wrong += [f"privgraph.{name} has no docstring" for name in reference.unsaid()]
    for name in sorted(there):
        with open(os.path.join(source, "docs", name), encoding="utf-8") as file:
            wrong += other_files(source, name, file.read())
    wrong += [f"docs/{name} is not in the navigation of mkdocs.yml" for name in sorted(there - listed)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def self_test():
    with tempfile.TemporaryDirectory() as work:
        for name, content in (("a.html", '<a href="b.html#x">1</a><a href="b.html#y">2</a><a href="c.html">3</a>'
                               '<a href="https://example.org/">4</a><img src="d.svg">'),
                              ("b.html", '<h1 id="x">x</h1>')):
            with open(os.path.join(work, name), "w", encoding="utf-8") as out:
                out.write(content)
        assert len(broken_links(work)) == 4 and raw_marks(work) == [], broken_links(work)
        with open(os.path.join(work, "b.html"), "a", encoding="utf-8") as out:
            out.write('<p>=== "C"</p>')
        assert len(raw_marks(work)) == 1, raw_marks(work)
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "a.c"), "w", encoding="utf-8") as out:
            out.write("x\n")
        assert other_files(work, "p", "```c file a.c\nx\n```\n") == []
        assert other_files(work, "p", "```c file a.c\ny\n```\n") != []
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bindings", "python"))
    sys.dont_write_bytecode = True
    import reference
    told = reference.markdown("Does it.\n\nParameters\n----------\na, b : the first,\n    and more\nc : int, optional\n"
                              "    The last.\n\nExamples\n--------\n>>> f(1)\n2\n\nSo it is.")
    assert told.split("\n") == ["Does it.", "", "**Parameters**", "", "`a`, `b`", ":   the first, and more", "",
                                "`c` (int, optional)", ":   The last.", "", "**Examples**", "", "```pycon", ">>> f(1)", "2",
                                "```", "", "", "So it is."], told
    found = [{"url": page + "#x", "title": words.title()} for words, page in SEARCHED.items()]
    assert unfound(found) == [] and len(unfound(found[1:])) == 1
    print("self-test: 4 broken links, 1 other file, 1 lost search found")


if __name__ == "__main__":
    sys.exit({"site": site, "widths": widths, "self-test": self_test}[sys.argv[1]](*sys.argv[2:]))
