#!/usr/bin/env python3
"""The reference of the Python package on the site, one page for each module, from its source: signatures,
types and docstrings. The package is read, not imported, so that neither the library nor NumPy is needed.

usage: reference.py FOLDER    writes MODULE.md files
"""
import ast
import os
import re
import sys

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "privgraph")
OWN = ("attack", "plot")  # modules whose names are not in the package itself
HIDDEN = {"Handle", "Immutable"}  # bases that say nothing to users


def read(name):
    with open(os.path.join(PACKAGE, name + ".py"), encoding="utf-8") as file:
        return ast.parse(file.read())


def modules():
    """Names of the modules whose names the package exports, in its order, and of those it has as they are."""
    return sorted([node.module for node in ast.walk(read("__init__"))
                   if isinstance(node, ast.ImportFrom) and node.level == 1 and node.names[0].name == "*"]
                  + list(OWN))


def exported(tree):
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return []


def words(kind):
    """A type as users read it."""
    text = re.sub(r"\bInts\b", "Sequence[int]", ast.unparse(kind).replace("'", ""))
    return re.sub(r"\bArray\b", "ndarray", text)


def arguments(function, skip):
    """The parameters of a function as text, one each."""
    given, out = function.args, []
    plain = given.posonlyargs + given.args
    defaults = [None] * (len(plain) - len(given.defaults)) + given.defaults

    def one(argument, default):
        text = argument.arg + (f": {words(argument.annotation)}" if argument.annotation else "")
        return text if default is None else f"{text} = {ast.unparse(default)}" if argument.annotation else \
            f"{text}={ast.unparse(default)}"
    out += [one(*pair) for pair in list(zip(plain, defaults))[skip:]]
    if given.vararg:
        out.append("*" + one(given.vararg, None))
    elif given.kwonlyargs:
        out.append("*")
    out += [one(argument, default) for argument, default in zip(given.kwonlyargs, given.kw_defaults)]
    return out + (["**" + one(given.kwarg, None)] if given.kwarg else [])


def signature(name, function, skip=0, columns=88):
    """name(parameters) -> type, a parameter on each line if it is long."""
    inside = arguments(function, skip)
    result = "" if function.returns is None or function.name == "__init__" else f" -> {words(function.returns)}"
    text = f"{name}({', '.join(inside)}){result}"
    if len(text) <= columns:
        return text
    return "\n".join([f"{name}(", *(f"    {part}," for part in inside), f"){result}"])


def decorators(function):
    return {ast.unparse(one).split("(")[0] for one in function.decorator_list}


def said(node):
    return (ast.get_docstring(node) or "").strip()


LISTED = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "Methods")
TITLE = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}$", flags=re.M)


def sections(text):
    """[(title, body)] of a docstring as numpydoc has it; what stands before the first title has none."""
    parts = TITLE.split(text)
    return [("", parts[0]), *zip(parts[1::2], parts[2::2])]


def prose(text):
    return text.strip().replace("<", "&lt;")


def items(body):
    """Entries `name : words`, or a type alone, each with the indented lines below it, as a definition list."""
    out = []
    for entry in re.split(r"\n(?=\S)", body.strip()):
        first, _, below = entry.partition("\n")
        name, told, words = first.partition(" : ")
        kind = ""
        if told and re.match(r"\s*[A-Z0-9\"]", below) and len(words.split()) < 8 and not words.endswith((".", ",")):
            kind, words = f" ({words})", ""  # a type, and what it means below
        names = ", ".join(f"`{one.strip()}`" for one in name.split(", "))
        out += [names + kind.replace("<", "&lt;"), ":   " + " ".join(f"{words} {below}".split()).replace("<", "&lt;"), ""]
    return out


def examples(body):
    """What a docstring runs, with what it prints, as blocks; words between them stay words."""
    out, code = [], []
    for line in [*body.strip().split("\n"), ""]:
        if line.startswith(">>> ") or (code and line.strip()):
            code.append(line)
            continue
        if code:
            out += ["```pycon", *code, "```", ""]
            code = []
        out += [prose(line)] if line.strip() else [""]
    return out


def markdown(text):
    """A docstring as Markdown: parameters as a list of definitions, examples as code, the rest as it stands."""
    out = []
    for title, body in sections(text):
        out += [f"**{title}**", ""] if title else []
        if title in LISTED:
            out += items(body)
        elif title == "Examples" or re.search(r"^>>> ", body, flags=re.M):
            out += examples(body)
        else:
            out += [prose(body), ""]
    return "\n".join(out).strip()


def block(text):
    return ["```python", *text.split("\n"), "```", ""]


def heading(level, anchor, title):
    return [f"{'#' * level} `{title}` {{#{anchor}}}", ""]


def class_page(node):
    bases = [words(base) for base in node.bases if words(base).split(".")[-1] not in HIDDEN]
    body = {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}
    out = heading(2, node.name, node.name)
    if "__init__" in body:
        out += block(signature(node.name, body["__init__"], skip=1))
    out += [markdown(said(node)), ""]
    if "Promising" in bases:
        out += ["Shows its guarantee as its own: `guarantee`, `notion`, `epsilon(delta)`, `curve()`, `claim`, `record`.", ""]
    fields = [child for child in node.body if isinstance(child, ast.AnnAssign) and not child.target.id.startswith("_")
              and ("NamedTuple" in bases or "dataclass" in decorators(node))]
    if fields and "Attributes\n---" not in said(node):
        out += ["| Field | Type |", "|---|---|"]
        out += [f"| `{field.target.id}` | `{words(field.annotation)}`"
                f"{'' if field.value is None else ' = `' + ast.unparse(field.value) + '`'} |".replace("|`", "|")
                for field in fields] + [""]
    for name, method in body.items():
        kinds = decorators(method)
        if name.startswith("_") or any(kind.endswith(".setter") for kind in kinds):
            continue
        if "property" in kinds:
            title, shown = f"{node.name}.{name}", f"{name}: {words(method.returns)}" if method.returns else name
        else:
            static = "staticmethod" in kinds
            owner = node.name + "." if static or "classmethod" in kinds else ""
            title, shown = f"{node.name}.{name}", signature(owner + name, method, skip=0 if static else 1)
        out += heading(3, f"{node.name}.{name}", title) + block(shown) + [markdown(said(method)), ""]
    return out


def module_page(name):
    tree = read(name)
    nodes = {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    also = "" if name in OWN else "; every name below is also in `privgraph`"
    out = [f"# {name}", "", f"`privgraph.{name}`{also}.", "", markdown(said(tree)), ""]
    for entry in exported(tree):
        node = nodes.get(entry)
        if isinstance(node, ast.ClassDef):
            out += class_page(node)
        elif node is not None:
            out += heading(2, entry, entry) + block(signature(entry, node)) + [markdown(said(node)), ""]
        else:  # a value
            out += heading(2, entry, entry)
    return "\n".join(out) + "\n"


def classes(name):
    """Names of the classes of a page, for the menu."""
    tree = read(name)
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name in exported(tree)]


def unsaid():
    """Public names without a docstring."""
    wrong = []
    for name in modules():
        tree = read(name)
        for node in tree.body:
            if getattr(node, "name", None) in exported(tree):
                members = [(f"{node.name}.{child.name}", child) for child in getattr(node, "body", [])
                           if isinstance(child, ast.FunctionDef) and not child.name.startswith("_")
                           and isinstance(node, ast.ClassDef)]
                wrong += [f"{name}.{title}" for title, child in [(node.name, node), *members] if not said(child)]
    return wrong


def site_pages():
    """{file name: Markdown}, one page for each module that exports something."""
    return {name + ".md": module_page(name) for name in modules() if exported(read(name))}


def main():
    for name, text in site_pages().items():
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main()
