#!/usr/bin/env python3
"""The one reader of the public headers. Bindings, manual pages, the reference on the site, the
constants of the library and several tests are made from what it finds.

usage: api.py json|ffi|constants OUTPUT INCLUDE_DIR LIBRARY...

 json       everything, with comments: api.json
 ffi        plain declarations for parsers without a preprocessor (cffi, LuaJIT): privgraph_ffi.h
 constants  the table behind pvg_constant_value or pvg_learn_constant_value: constants.c

LIBRARY: privgraph, privgraph-learn. What belongs to which its header says (privgraph.h, privgraph-learn.h).

The headers are written in a narrow style: comments, enums with values, opaque structs, structs,
pointers to functions, prototypes. Anything else stops the reader. A test compares the declarations
with what the C preprocessor makes of the same headers.

What C types do not say is annotated (base.h). The role of a parameter follows from both:
 handle, new, lent handle   pvg_x *, pvg_x **, const pvg_x **
 struct, out struct         const pvg_x_config *, pvg_x_line *
 array, out array           numbers with PVG_LEN; lent array: const T **
 out                        one number that is written
 text, buffer               const char *; char *out with capacity and length behind it
 callback, context, number
"""
import json
import os
import re
import sys

ANNOTATIONS = {"OPT": False, "BOOL": False, "LEN": True, "ENUM": True, "FLAGS": True}
TRIPLE = ("out", "capacity", "length")  # text that is copied
CORE, LEARN = LIBRARIES = ("privgraph", "privgraph-learn")


def fail(text):
    raise ValueError("api.py: cannot read '" + " ".join(text.split()) + "'")


# --- text ----------------------------------------------------------------------------------

def without_comments(text):
    """Blanks comments, string and character literals, keeping line numbers."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
                  lambda match: re.sub(r"[^\n]", " ", match.group(0)), text, flags=re.S)


def comment_text(comment):
    """What a comment says, line by line, indented as inside the comment."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment[2:-2].split("\n")]
    return "\n".join(line.rstrip() for line in [lines[0].strip(), *lines[1:]]).strip("\n ")


def split(text):
    """Parts between commas that are not inside parentheses."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


# --- declarators ---------------------------------------------------------------------------

def annotations(text):
    """({annotation: True or its argument}, what follows them)."""
    found = {}
    while True:
        text = text.lstrip()
        macro = re.match(r"PVG_(OPT|BOOL|LEN|ENUM|FLAGS)\b", text)
        if not macro:
            return found, text
        name, at = macro.group(1), macro.end()
        if ANNOTATIONS[name]:
            depth, start = 0, at
            while True:
                depth += {"(": 1, ")": -1}.get(text[at:at + 1], 0)
                at += 1
                if depth == 0 or at > len(text):
                    break
            if at > len(text) or text[start] != "(":
                fail(text)
            found[name.lower()] = " ".join(text[start + 1:at - 1].split())
        else:
            found[name.lower()] = True
        text = text[at:]


def declarator(text):
    """{name, base, pointers, ...} of 'PVG_LEN(n) const double *values' or 'int32_t (*f)(void *c)'.
    pointers: whether what each level points to is constant, innermost first."""
    found, text = annotations(text)
    pointer = re.fullmatch(r"(.*?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)", text, flags=re.S)
    if pointer:
        return {"name": pointer.group(2), "base": "", "pointers": [], **found,
                "function": {"result": declarator(pointer.group(1) + " result"),
                             "parameters": parameters(pointer.group(3))}}
    words = re.findall(r"\w+|\*|\S", text)
    name, base, pointers, const = words.pop(), None, [], False
    for word in words:
        if word == "*":
            pointers.append(const)
            const = False
        elif word == "const" and not pointers:
            const = True
        elif base is None and re.fullmatch(r"\w+", word):
            base = word
        else:
            fail(text)
    if base is None or not re.fullmatch(r"\w+", name):
        fail(text)
    return {"name": name, "base": base, "pointers": pointers, **found}


def parameters(text):
    return [] if text.strip() == "void" else [declarator(part) for part in split(text)]


def members(body, end):
    """[(text, comment)] of what `end` separates; a comment belongs to what it follows on its line,
    else to what comes next."""
    entries, text, before, last = [], "", "", 0
    for piece in re.finditer(r"/\*.*?\*/|[%s]|[^%s/]+|/" % (end, end), body, flags=re.S):
        word = piece.group(0)
        if word.startswith("/*"):
            said = comment_text(word)
            same_line = "\n" not in body[last:piece.start()]
            if text.strip() or (same_line and not entries):
                before = (before + "\n" + said).strip()
            elif same_line and entries:
                entries[-1][1] = (entries[-1][1] + "\n" + said).strip()
            else:
                before = said
        elif word == end:
            entries.append([text.strip(), before])
            text, before, last = "", "", piece.end()
        else:
            text += word
            if word.strip():
                last = piece.start() + len(word.rstrip())
    if text.strip():
        entries.append([text.strip(), before])
    return entries


def fields(body):
    found = []
    for text, doc in members(body, ";"):
        first, *more = split(text)
        one = {**declarator(first), "doc": doc}
        if more and (one["pointers"] or "function" in one):
            fail(text)
        found += [one] + [{**one, "name": name} for name in more]
    return found


def constants(body):
    found = []
    for text, doc in members(body, ","):
        match = re.fullmatch(r"(\w+)\s*=\s*(-?\w+)", text)
        if not match:
            fail(text)
        found.append({"name": match.group(1), "value": int(match.group(2), 0), "doc": doc})
    return found


# --- headers -------------------------------------------------------------------------------

def declaration(text):
    """One item without its comment."""
    enum = re.fullmatch(r"enum\s*(?:pvg_\w+\s*)?\{(.*)\}", text, flags=re.S)
    struct = re.fullmatch(r"typedef\s+struct\s+(\w+)\s*\{(.*)\}\s*\1", text, flags=re.S)
    opaque = re.fullmatch(r"typedef\s+struct\s+(\w+)\s+\1", text)
    if enum:
        return {"kind": "enum", "constants": constants(enum.group(1))}
    if struct:
        return {"kind": "struct", "name": struct.group(1), "fields": fields(struct.group(2))}
    if opaque:
        return {"kind": "opaque", "name": opaque.group(1)}
    plain = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    callback = re.fullmatch(r"typedef\s+(.*)", plain, flags=re.S)
    if callback:
        return {"kind": "callback", **declarator(callback.group(1))}
    function = re.fullmatch(r"PRIVGRAPH_API\s+(.*?[\s*])(\w+)\s*\((.*)\)", plain, flags=re.S)
    if not function:
        fail(text)
    return {"kind": "function", "name": function.group(2),
            "result": declarator(function.group(1) + " result"),
            "parameters": parameters(function.group(3))}


def pieces(text):
    """(start, text) of blanks, comments and declarations, which end at a semicolon outside braces."""
    code, at = without_comments(text), 0
    while at < len(text):
        blank = re.compile(r"\s+|/\*.*?\*/", flags=re.S).match(text, at)
        end = blank.end() if blank else at
        depth = 0
        while not blank and (end == at or code[end - 1] != ";" or depth):
            if end == len(text):
                fail(text[at:])
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        yield at, text[at:end]
        at = end


def items(text):
    """Sections, free comments and declarations of a header, in order. Declarations without an
    empty line between them share the comment above them: `group` counts such runs."""
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n?", "", text, flags=re.S | re.M)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    found, doc, group, at = [], "", 0, 0
    for start, word in pieces(text):
        at = start + len(word)
        if not word.strip():
            if word.count("\n") > 1:
                if doc and not (found and found[-1].get("group") == group):
                    found.append({"kind": "text", "doc": doc})
                doc, group = "", group + 1
        elif word.startswith("/*"):
            section = re.fullmatch(r"/\* --- (.*?) -+\s*\*/", word, flags=re.S)
            same_line = found and found[-1].get("group") == group and \
                "\n" not in text[found[-1]["end"]:start]
            if section:
                found.append({"kind": "section", "title": section.group(1)})
            elif same_line:
                found[-1]["doc"] = (found[-1]["doc"] + "\n" + comment_text(word)).strip()
            else:
                doc = comment_text(word)
        else:
            since = re.search(r"\bSince\s+(\d+\.\d+)", doc)
            found.append({**declaration(word[:-1].strip()), "doc": doc, "group": group,
                          "since": since.group(1) if since else "", "end": at})
    for item in found:
        item.pop("end", None)
    return found


def role(parameter, opaque, structs, following):
    base, pointers = parameter["base"], parameter["pointers"]
    if "function" in parameter or parameter.get("callback"):
        return "callback"
    if not pointers:
        return "number"
    if base in opaque and "len" in parameter:
        return "array"
    if base in opaque:
        return "handle" if len(pointers) == 1 else "lent handle" if pointers[0] else "new"
    if base in structs:
        return "struct" if pointers[0] else "out struct"
    if base == "void":
        return "context"
    if base == "char" and not pointers[0] and following[:1] == ["capacity"]:
        return "buffer"
    if base == "char" and pointers == [True] and "len" not in parameter:
        return "text"
    if len(pointers) == 2:
        return "lent array"
    return "array" if pointers[0] else "out array" if "len" in parameter else "out"


def expand(text, function, functions):
    """A length as C: words that are no arguments are asked of a handle, so that `order` in a
    function of a pvg_graph *graph is pvg_graph_order(graph)."""
    arguments = {one["name"]: one for one in function["parameters"]}

    def ask(match):
        word = match.group(0)
        if word in arguments or word in functions:
            return word
        for one in arguments.values():
            asked = functions.get(f"{one['base']}_{word}") if one["role"] == "handle" else None
            names = [each["name"] for each in asked["parameters"]] if asked else []
            if names and set(names[1:]) <= set(arguments):
                return f"{asked['name']}({', '.join([one['name'], *names[1:]])})"
        return word

    return text if text.startswith('"') else re.sub(r"(?<![\w>.])[a-z]\w*", ask, text)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def library_of(include_dir):
    """{module: library} in the order of the headers that include them."""
    return {name: library for library in LIBRARIES for name in re.findall(
        r'^#include "privgraph/(\w+)\.h"', read(os.path.join(include_dir, library + ".h")), flags=re.M)}


def only(api, *libraries):
    """What belongs to these libraries."""
    return {**api, "modules": [module for module in api["modules"] if module["library"] in libraries]}


def load(include_dir):
    """{version, modules: [{name, library, about, items}]} of the headers of both libraries."""
    top = read(os.path.join(include_dir, CORE + ".h"))
    modules = []
    for name, library in library_of(include_dir).items():
        text = read(os.path.join(include_dir, "privgraph", name + ".h"))
        lead = re.match(r"/\*.*?\*/\s*", text, flags=re.S)
        about = re.sub(r"\s*Include\s+<privgraph(-learn)?\.h>\.", "", comment_text(lead.group(0).strip()))
        modules.append({"name": name, "library": library, "about": re.sub(r"^\w+:\s*", "", about),
                      "items": items(text[lead.end():])})
    base = read(os.path.join(include_dir, "privgraph", "base.h"))
    version = [re.search(rf"VERSION_{part} (\d+)", base).group(1) for part in ("MAJOR", "MINOR", "PATCH")]
    api = {"version": ".".join(version), "about": comment_text(re.match(r"/\*.*?\*/", top, flags=re.S).group(0)),
           "modules": modules}
    learn = read(os.path.join(include_dir, LEARN + ".h"))
    api["about_learn"] = comment_text(re.match(r"/\*.*?\*/", learn, flags=re.S).group(0))
    opaque = {item["name"] for item in each(api, "opaque")}
    structs = {item["name"] for item in each(api, "struct")}
    callbacks = {item["name"] for item in each(api, "callback")}
    functions = {item["name"]: item for item in each(api, "function")}
    for function in functions.values():
        names = [parameter["name"] for parameter in function["parameters"]]
        for at, parameter in enumerate(function["parameters"]):
            if parameter["base"] in callbacks:
                parameter["callback"] = parameter["base"]
            parameter["role"] = role(parameter, opaque, structs, names[at + 1:])
            if parameter["base"] == "pvg_run" or parameter["role"] in ("context", "buffer"):
                parameter["opt"] = True
        for parameter in function["parameters"]:
            if "len" in parameter:
                parameter["shape"] = [expand(part, function, functions) for part in split(parameter["len"])]
                parameter["len"] = " * ".join(parameter["shape"])
        result = function["result"]
        function["status"] = result["base"] == "int32_t" and not result["pointers"] and \
            not {"bool", "enum", "flags"} & set(result)
    return api


def modules(root):
    """Names of the modules in the order of inclusion."""
    return [line.split()[0] for line in read(os.path.join(root, "lib", "modules.txt")).splitlines()
            if not line.startswith("#")]


def each(api, kind):
    """All items of a kind, in the order of the headers."""
    return [item for module in api["modules"] for item in module["items"] if item["kind"] == kind]


def functions(text):
    """Names of the functions that a piece of a header declares."""
    code = re.sub(r"^[ \t]*#.*$", "", without_comments(text), flags=re.M)
    return re.findall(r"\bPRIVGRAPH_API\b[^;{]*?\b(pvg_\w+)\s*\(", code)


def all_constants(api):
    return [constant for enum in each(api, "enum") for constant in enum["constants"]]


def family(api, word):
    """The constants PVG_WORD_* of an enum, or those of the enum that has PVG_WORD."""
    for enum in each(api, "enum"):
        inside = [one for one in enum["constants"] if one["name"].startswith(f"PVG_{word}_")]
        if inside or any(one["name"] == "PVG_" + word for one in enum["constants"]):
            return inside or enum["constants"]
    return []


def prefix_of(enum):
    """What the names of an enum begin with, up to an underscore; limits (..._MAX) and PVG_OK apart."""
    names = [one["name"] for one in enum["constants"]
             if not re.search(r"_(MAX|BITS)(_|$)", one["name"]) and one["name"] != "PVG_OK"]
    return os.path.commonprefix(names).rpartition("_")[0] + "_" if len(names) > 1 else ""


def shared_prefixes(api):
    """Enums whose names begin alike, one line each: a word would then be one of either."""
    wrong = []
    enums = [(prefix_of(enum), enum) for enum in each(api, "enum")]
    for at, (prefix, enum) in enumerate(enums):
        for other_at, (other_prefix, other) in enumerate(enums):
            if prefix and other_prefix and at != other_at and other_prefix.startswith(prefix):
                wrong.append(f"{enum['constants'][0]['name']} and {other['constants'][0]['name']} are of two enums "
                             f"that both begin with {prefix}")
    return wrong


def unannotated(api):
    """What a program cannot know of the interface, one line each."""
    def numbers(kind):
        return kind["base"] not in structs
    structs = {item["name"] for item in each(api, "struct") + each(api, "opaque")} | {"void"}
    names = {function["name"] for function in each(api, "function")}
    wrong = []
    for function in each(api, "function"):
        for one in function["parameters"]:
            if one["role"] in ("array", "lent array") and numbers(one) and "len" not in one:
                wrong.append(f"{function['name']}: {one['name']} has no PVG_LEN")
    places = [(f"{struct['name']}.{field['name']}", field) for struct in each(api, "struct")
              for field in struct["fields"]]
    for name, field in places:
        if field["base"] in ("int32_t", "uint32_t") and re.match(r"PVG_\w+_\*", field["doc"]) and \
                not {"enum", "flags"} & set(field):
            wrong.append(f"{name} has no PVG_ENUM or PVG_FLAGS")
    places += [(f"{function['name']}: {one['name']}", one) for function in each(api, "function")
               for one in [*function["parameters"], function["result"]]]
    for name, one in places:
        word = one.get("enum") or one.get("flags")
        if word and not family(api, word):
            wrong.append(f"{name}: there is no PVG_{word}_*")
    for function in each(api, "function"):
        known = {one["name"] for one in function["parameters"]} | {"result"}
        for one in function["parameters"]:
            for word in re.findall(r"(?<![\w>.])[a-z]\w*", re.sub(r'".*"', "", one.get("len", ""))):
                if word not in known | names:
                    wrong.append(f"{function['name']}: PVG_LEN of {one['name']} names {word}")
    return wrong


# --- what is written -----------------------------------------------------------------------

def c_type(kind, name=""):
    """The C declaration of a declarator, under another name if one is given."""
    name = name or kind["name"]
    if "function" in kind:
        inside = ", ".join(map(c_type, kind["function"]["parameters"])) or "void"
        return c_type(kind["function"]["result"], f"(*{name})") + f"({inside})"
    text = kind["base"]
    for const in kind["pointers"]:
        text = ("const " if const else "") + text + (" *" if text[-1] != "*" else "*")
    return text + ("" if text[-1] == "*" else " ") + name


def prototype(function):
    inside = ", ".join(map(c_type, function["parameters"])) or "void"
    return c_type(function["result"], function["name"]) + f"({inside})"


def declare(item):
    if item["kind"] == "enum":
        inside = ", ".join(f"{one['name']} = {one['value']}" for one in item["constants"])
        return f"enum {{ {inside} }};"
    if item["kind"] == "opaque":
        return f"typedef struct {item['name']} {item['name']};"
    if item["kind"] == "struct":
        inside = "".join(f"    {c_type(field)};\n" for field in item["fields"])
        return f"typedef struct {item['name']} {{\n{inside}}} {item['name']};"
    return ("typedef " + c_type(item) if item["kind"] == "callback" else prototype(item)) + ";"


def declarations(include_dir, *libraries):
    """Everything a foreign-function interface needs to know of these libraries (none: of both), as plain C."""
    modules = only(load(include_dir), *(libraries or LIBRARIES))["modules"]
    return "".join(declare(item) + "\n" for module in modules for item in module["items"]
                   if item["kind"] not in ("section", "text"))


def constants_source(api, library):
    name = "pvg_constant_value" if library == CORE else "pvg_learn_constant_value"
    rows = "".join(f'    {{"{one["name"]}", {one["name"]}}},\n' for one in all_constants(api))
    includes = "".join(f'#include "privgraph/{module["name"]}.h"\n' for module in api["modules"])
    return f"""/* Made by include/api.py from the public headers. */
{includes}#include "base/base_internal.h"
#include <string.h>

static const struct {{ const char *name; int64_t value; }} constants[] = {{
{rows}}};

int32_t {name}(int64_t *out, const char *name) {{
    if (!out) return pvgi_fail_null("{name}", "out");
    if (!name) return pvgi_fail_null("{name}", "name");
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++)
        if (strcmp(constants[i].name, name) == 0) {{
            *out = constants[i].value;
            return PVG_OK;
        }}
    return pvgi_fail(PVG_E_ARGUMENT, "{name}: no constant '%.64s'", name);
}}
"""


def main():
    what, output, include_dir, *libraries = sys.argv[1:]
    if what == "json":
        text = json.dumps(only(load(include_dir), *libraries), indent=1) + "\n"
    elif what == "ffi":
        text = ("/* Made from the public headers for foreign-function interfaces; see there what\n"
                " * each declaration means. */\n" + declarations(include_dir, *libraries))
    else:
        text = constants_source(only(load(include_dir), *libraries), *libraries)
    with open(output, "w", encoding="utf-8") as out:
        out.write(text)


if __name__ == "__main__":
    main()
