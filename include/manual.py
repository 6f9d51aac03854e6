#!/usr/bin/env python3
"""The manual of the C interface, from the comments of the headers (api.py): man(3) pages, one for
each function, and the reference on the site, one page for each module.

usage: manual.py INCLUDE_DIR FOLDER LIBRARY...   writes libprivgraph.3 and pvg_*.3 of these libraries (when
                                                 installing: FOLDER is relative to the prefix)
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import api  # noqa: E402


def wrapped(function, columns=90):
    """The prototype on lines of at most so many columns."""
    text, *rest = re.split(r"(?<=,) ", api.prototype(function) + ";")
    lines = [text]
    for part in rest:
        if len(lines[-1]) + 1 + len(part) > columns:
            lines.append("    " + part)
        else:
            lines[-1] += " " + part
    return lines


def facts(one):
    """What is known of a parameter, a result or a field besides its type, in words."""
    said = []
    role = one.get("role")
    if role == "new":
        said.append("receives a new object, to be freed by the caller")
    if role in ("lent array", "lent handle"):
        said.append("receives what is lent")
    if "len" in one:
        said.append("entries: " + one["len"].strip('"'))
    if role == "buffer":
        said.append("receives text; NULL asks for the length")
    if "enum" in one:
        said.append(f"one of PVG_{one['enum']}_*")
    if "flags" in one:
        said.append(f"PVG_{one['flags']}_* combined with |")
    if "bool" in one:
        said.append("0 or 1")
    if one.get("opt") and role not in ("context", "buffer"):
        said.append("may be NULL")
    return "; ".join(said)


# --- man pages -----------------------------------------------------------------------------

def roff(text):
    """Text as roff: nothing in it is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return "\n".join("\\&" + line if line.startswith(".") else line for line in text.split("\n"))


def paragraphs(text):
    """Paragraphs; indented lines stay lines."""
    lines = []
    for part in text.split("\n\n"):
        lines.append(".PP")
        for line in part.split("\n"):
            if line.startswith(" "):
                lines += [".nf", roff(line), ".fi"]
            else:
                lines.append(roff(line))
    return "\n".join(lines[1:]).replace(".fi\n.nf\n", "")


def head(name, section, version, summary):
    return [f'.TH {name.upper()} {section} "" "privgraph {version}" "privgraph"',
            ".SH NAME", f"{roff(name)} \\- {roff(summary)}"]


def listed(pairs):
    return [line for name, says in pairs for line in (".TP", f".B {roff(name)}", roff(says) or "\\&")]


def sentence(doc):
    """The first sentence of a comment, in one line, without its full stop."""
    first = re.split(r"(?<=[.:;])\s", " ".join(doc.split()))[0].rstrip(".:;")
    return first if len(first) < 120 else first[:117] + "..."


def function_page(found, module, group):
    """One page for functions that share a comment."""
    names = [function["name"] for function in group]
    lines = head(", ".join(names), 3, found["version"], sentence(group[0]["doc"]))
    lines[0] = f'.TH {names[0].upper()} 3 "" "privgraph {found["version"]}" "privgraph"'
    lines += [".SH SYNOPSIS", ".nf", f".B #include <{module['library']}.h>", ".PP"]
    for function in group:
        lines += [f"\\fB{roff(line)}\\fR" for line in wrapped(function, 78)]
    lines += [".fi", ".SH DESCRIPTION", paragraphs(group[0]["doc"])]
    known = {}
    for function in group:
        for one in function["parameters"]:
            if facts(one):
                known.setdefault(one["name"], facts(one))
    if known:
        lines += [".SH ARGUMENTS"] + listed(known.items())
    used = {one["base"] for function in group for one in function["parameters"]} - {"pvg_run"}
    for struct in api.each(found, "struct"):
        if struct["name"] in used:
            lines += [f".SH {roff(struct['name'])}"] + listed(
                (api.c_type(field), field["doc"]) for field in struct["fields"])
    if group[0]["status"]:
        lines += [".SH RETURN VALUE", "PVG_OK (zero), or a negative PVG_E_*; then",
                  ".BR pvg_error_message (3)", "says why, and outputs are untouched."]
    lines += [".SH SEE ALSO", f".BR lib{module['library']} (3), module {module['name']}"]
    return lines


SAYS = {api.CORE: "publishable releases of private graphs, for C programs",
        api.LEARN: "learning from releases, and what they leak, for C programs"}


def library_page(found, library):
    lines = head("lib" + library, 3, found["version"], SAYS[library])
    about = found["about"] if library == api.CORE else found["about_learn"]
    lines += [".SH SYNOPSIS", ".nf", f".B #include <{library}.h>", ".PP",
              f".B cc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs {roff(library)})", ".fi", ".SH DESCRIPTION",
              paragraphs(about + "\n\nLong calls take a pvg_run: threads, progress, cancellation, a limit "
                         "on memory. Results do not depend on the number of threads. The library prints nothing, "
                         "reads no environment variable and starts no thread unless asked.\n\n"
                         "Functions whose output must not be published end in _exact. What may be published is a "
                         "pvg_release, which carries its guarantee. Every function has a page of its own.")]
    for module in api.only(found, library)["modules"]:
        names = [item["name"] for item in module["items"] if item["kind"] == "function"]
        lines += [f".SS {module['name']}", paragraphs(module["about"]), ".PP"]
        lines += [f".BR {name} (3)" + (",\n.br" if name != names[-1] else "") for name in names]
    other = "libprivgraph" if library == api.LEARN else "libprivgraph-learn"
    return lines + [".SH FILES", f".I {library}.h", ".br", f".I {library}.pc", ".SH SEE ALSO",
                    f".BR privgraph (1), {roff(other)} (3)"]


def groups(module):
    """Runs of functions that share a comment."""
    found = {}
    for item in module["items"]:
        if item["kind"] == "function":
            found.setdefault((item["group"], item["doc"]), []).append(item)
    return found.values()


def man_pages(found, libraries):
    """{file name: lines}"""
    pages = {f"lib{library}.3": library_page(found, library) for library in libraries}
    for module in api.only(found, *libraries)["modules"]:
        for group in groups(module):
            pages[group[0]["name"] + ".3"] = function_page(found, module, group)
            for other in group[1:]:
                pages[other["name"] + ".3"] = [f".so man3/{group[0]['name']}.3"]
    return pages


# --- pages of the site -----------------------------------------------------------------------

def markdown(text, places):
    """A comment as Markdown: names of the interface are code and lead to their places."""
    def name(match):
        word = match.group(0)
        return f"[`{word}`]({places[word]})" if word in places else f"`{word}`"

    def plain(piece):
        return re.sub(r"([\\*_\[\]#|])", r"\\\1", piece.replace("&", "&amp;").replace("<", "&lt;"))

    out, code = [], False
    for line in text.split("\n"):
        if line.startswith("  ") or (code and line.startswith(" ")):
            out += ([] if code else ["", "```"]) + [line]
            code = True
            continue
        if code:
            out += ["```", ""]
        code, at, said = False, 0, ""
        for match in re.finditer(r"`[^`]*`|\b(?:pvg_|PVG_)\w+\*?", line):
            said += plain(line[at:match.start()])
            said += match.group(0) if match.group(0)[0] == "`" else name(match)
            at = match.end()
        out.append(said + plain(line[at:]))
    return "\n".join(out + (["```"] if code else []))


def cell(text, places):
    return " ".join(markdown(" ".join(text.split()), places).split())


def table(head_line, rows, places):
    width = len(head_line)
    return ["| " + " | ".join(head_line) + " |", "|" + "---|" * width,
            *(f"| `{first}` | " + " | ".join(cell(one, places) for one in rest) + " |" for first, *rest in rows), ""]


def module_page(found, module, places):
    out = [f"# {module['name']}", "", markdown(module["about"][0].upper() + module["about"][1:], places), ""]
    last = None
    for item in module["items"]:
        kind = item["kind"]
        if kind == "section":
            out += [f"## {item['title'][0].upper() + item['title'][1:]}", ""]
        elif kind == "text":
            out += [markdown(item["doc"], places), ""]
        elif kind == "enum":
            if item["doc"]:
                out += [markdown(item["doc"], places), ""]
            out += table(["Constant", "Value", ""], [(one["name"], str(one["value"]), one["doc"])
                                                    for one in item["constants"]], places)
        else:
            if (item["group"], item["doc"]) != last or kind != "function":
                members = [one for one in module["items"] if one.get("group") == item["group"] and
                           one["kind"] == kind == "function"] or [item]
                out += [f'<h3 id="{one["name"]}"><code>{one["name"]}</code></h3>' for one in members]
                if kind in ("function", "callback"):
                    out += ["", "```c"]
                    for one in members:
                        out += wrapped(one) if kind == "function" else [api.declare(one)]
                    out += ["```"]
                if item["doc"]:
                    out += ["", markdown(item["doc"], places)]
                out += [""]
                rows = {one["name"]: facts(one) for member in members for one in member.get("parameters", [])
                        if facts(one) and one["base"] != "pvg_run"}
                if rows:
                    out += table(["Argument", ""], rows.items(), places)
                if kind == "struct":
                    out += table(["Field", "", ""], [(api.c_type(field), facts(field), field["doc"])
                                                    for field in item["fields"]], places)
            last = (item["group"], item["doc"])
    return "\n".join(out) + "\n"


def site_pages(include_dir):
    """{file name: Markdown}, one page for each module."""
    found = api.load(include_dir)
    places = {item["name"]: f"{module['name']}.md#{item['name']}" for module in found["modules"]
              for item in module["items"] if item["kind"] in ("function", "struct", "opaque", "callback")}
    return {module["name"] + ".md": module_page(found, module, places) for module in found["modules"]}


def main():
    folder = os.path.join(os.environ.get("MESON_INSTALL_DESTDIR_PREFIX", ""), sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    for name, lines in man_pages(api.load(sys.argv[1]), sys.argv[3:]).items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
