#!/usr/bin/env python3
"""Typed constructors of queries, from the table of kinds (kinds.json).

usage: kinds.py c|cpp KINDS_JSON OUTPUT

The table is what pvg_query_copy_kinds prints: ./dev abi-update stores it, the test abi_kinds compares it
with the library. It is data, so that builds which cannot run the program have the headers as well.
"""
import json
import sys

CPP_WORDS = {"operator", "auto", "class", "new", "delete", "default", "this", "template", "union", "export", "public",
             "private", "register", "switch", "for", "if", "do", "while", "case", "short", "long", "int"}
TAKEN = {"new", "join", "free", "reads", "shape", "guarantee", "preview", "covariance", "builder", "kinds"}
# In every struct but this: a part of a joined query has a share, and joined queries are text.
NOT_FIELDS = {"share"}
WIDTH = 90


def identifier(word):
    name = word.replace("-", "_")
    return name + "_" if name in CPP_WORDS else name


def upper(word):
    return word.replace("-", "_").upper()


def wrapped(text, first, rest, end=" */"):
    """A C comment of lines that fit."""
    lines, line = [], first
    for word in text.split():
        if len(line) + 1 + len(word) + len(end) > WIDTH and line.strip() not in ("/*", "*"):
            lines.append(line)
            line = rest
        line += " " + word
    return lines + [line + end]


def said(option):
    """What stands beside a field: what it is, what it may be, what 0 means."""
    about = [option["help"]]
    if option["type"] != "choice" and option["type"] != "flag" and option.get("values"):
        about.append(option["values"])
    default = option.get("default")
    if option["type"] == "text":
        about.append("NULL: " + (default if default else "none"))
    elif option["type"] == "flag":
        about.append("1: yes")
    elif "must be given" not in option.get("values", "") and not (option.get("word") is None and default == "0"):
        about.append(f"0: {default}")
    if option["type"] == "whole" and option.get("word") and option["word"] != default:
        about.append(f"PVG_WORD: {option['word']}")
    if option["type"] in ("whole", "real") and default not in (None, "0") and zero_is_legal(option):
        about.append("PVG_ZERO: 0" if option["type"] == "whole" else "PVG_ZERO_REAL: 0")
    return "; ".join(about)


def zero_is_legal(option):
    values = option.get("values", "")
    return values.startswith(("in [0", "in [-1", "a number of at least 0")) or values == "a number"


def choices(option, prefix):
    """An enum whose 0 is the default."""
    name = prefix + "_" + upper(option["name"])
    lines = [f"enum {name.lower()} {{"]
    lines += [f"    {name}_{upper(word)} = {place + 1}," for place, word in enumerate(option["choices"])]
    lines[-1] = lines[-1].rstrip(",")
    return lines + ["};"]


def c_type(option):
    return {"text": "const char *", "whole": "int64_t ", "real": "double "}.get(option["type"], "int32_t ")


def field(option, prefix):
    name = identifier(option["name"])
    about = said(option)
    if option["type"] == "choice":
        about = f"{prefix}_{upper(option['name'])}_*: " + about
    return wrapped(about, "    /*", "     *") + [f"    {c_type(option)}{name};"]


def write_of(option):
    name = identifier(option["name"])
    key = f'"{option["name"]}"'
    value = f"options->{name}"
    if option["type"] == "text":
        return f"    pvg_kinds_word(to, {key}, {value});"
    if option["type"] == "whole":
        word = f'"{option["word"]}"' if option.get("word") else "NULL"
        return f"    pvg_kinds_whole(to, {key}, {value}, {word});"
    if option["type"] == "real":
        return f"    pvg_kinds_real(to, {key}, {value});"
    words = ["no", "yes"] if option["type"] == "flag" else option["choices"]
    half = (len(words) + 1) // 2
    table = "|".join(words)
    offset = 0 if option["type"] == "flag" else 1
    line = f'    pvg_kinds_choice(to, {key}, {value}, "{table}", {offset});'
    if len(line) <= WIDTH:
        return line
    return (f'    pvg_kinds_choice(to, {key}, {value},\n{" " * 21}"{"|".join(words[:half])}|"\n'
            f'{" " * 21}"{"|".join(words[half:])}", {offset});')


HEAD = """/* kinds: a struct of options and a constructor for every kind of query. Made by the build
 * from the table of kinds; include it after, or instead of, <privgraph.h>:
 *
 *     pvg_query *query = NULL;
 *     pvg_query_stars(&query, (pvg_stars_options){.leaves = 3}, NULL, &target, NULL);
 *
 * The constructors write the text and call pvg_query_new: the same query, the same
 * refusals. Nothing of this is part of the ABI; a program is compiled with the header that
 * it was written for, and the text is what the library sees.
 *
 * 0 and NULL mean the default, which stands beside each field. Where 0 itself is meant and
 * is not the default: PVG_ZERO, for real numbers PVG_ZERO_REAL. PVG_WORD is the word that a
 * whole number may be instead. Budget and noise are in the struct or in the target. */
#ifndef PRIVGRAPH_KINDS_H
#define PRIVGRAPH_KINDS_H

#include <privgraph.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PVG_ZERO INT64_MIN
#define PVG_ZERO_REAL (-(double)INFINITY)
#define PVG_WORD (INT64_MIN + 1)

/* --- how the text is written --------------------------------------------------------- */

/* Text that grows: what does not fit is counted, and written the second time. */
typedef struct pvg_kinds_text {
    char *out;
    size_t capacity, length;
} pvg_kinds_text;

static inline void pvg_kinds_put(pvg_kinds_text *to, const char *text) {
    for (; *text; text++, to->length++)
        if (to->length + 1 < to->capacity) to->out[to->length] = *text;
    if (to->capacity > 0)
        to->out[to->length < to->capacity ? to->length : to->capacity - 1] = '\\0';
}

static inline void pvg_kinds_key(pvg_kinds_text *to, const char *name) {
    pvg_kinds_put(to, " ");
    pvg_kinds_put(to, name);
    pvg_kinds_put(to, "=");
}

/* One word: whatever would end it stands there as a question mark, which no value has, so
 * that the library names the option and refuses; no value is a second option. */
static inline void pvg_kinds_word(pvg_kinds_text *to, const char *name,
                                  const char *value) {
    if (!value) return;
    pvg_kinds_key(to, name);
    for (; *value; value++) {
        char one[2] = {*value, '\\0'};
        if ((unsigned char)one[0] <= ' ' || one[0] == 0x7f) one[0] = '?';
        pvg_kinds_put(to, one);
    }
}

static inline void pvg_kinds_whole(pvg_kinds_text *to, const char *name, int64_t value,
                                   const char *word) {
    char digits[24];
    if (value == 0) return;
    snprintf(digits, sizeof digits, "%" PRId64, value == PVG_ZERO ? 0 : value);
    pvg_kinds_word(to, name, value == PVG_WORD && word ? word : digits);
}

/* As few digits as read back to the same number, with a point in every locale. */
static inline void pvg_kinds_real(pvg_kinds_text *to, const char *name, double value) {
    char digits[40], plain[40];
    size_t length = 0;
    if (value == 0.0) return;
    if (value == PVG_ZERO_REAL) value = 0.0;
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    for (const char *from = digits; *from; from++)
        if (strchr("0123456789+-abefinty", *from))
            plain[length++] = *from;
        else if (length > 0 && plain[length - 1] != '.')
            plain[length++] = '.';
    plain[length] = '\\0';
    pvg_kinds_word(to, name, plain);
}

/* Word number value - offset of "one|two|three"; a number of its own if there is none. */
static inline void pvg_kinds_choice(pvg_kinds_text *to, const char *name, int32_t value,
                                    const char *words, int32_t offset) {
    if (value == 0) return;
    pvg_kinds_key(to, name);
    for (int32_t left = value - offset; left > 0; left--) {
        const char *next = strchr(words, '|');
        if (!next) {
            pvg_kinds_put(to, "?");
            return;
        }
        words = next + 1;
    }
    for (; value > 0 && *words && *words != '|'; words++) {
        const char one[2] = {*words, '\\0'};
        pvg_kinds_put(to, one);
    }
}

/* The text as write writes it, asked of the library. */
static inline int32_t pvg_kinds_new(pvg_query **out,
                                    void (*write)(pvg_kinds_text *, const void *),
                                    const void *options, const pvg_arguments *arguments,
                                    const pvg_target *target, const pvg_run *run) {
    char small[512];
    pvg_kinds_text text = {small, sizeof small, 0};
    write(&text, options);
    if (text.length < sizeof small)
        return pvg_query_new(out, small, arguments, target, run);
    pvg_kinds_text longer = {(char *)malloc(text.length + 1), text.length + 1, 0};
    if (!longer.out) {
        if (out) *out = NULL;
        return PVG_E_NOMEM;
    }
    write(&longer, options);
    const int32_t status = pvg_query_new(out, longer.out, arguments, target, run);
    free(longer.out);
    return status;
}
"""


def c_header(table):
    out = [HEAD.rstrip("\n")]
    common = [option for option in table["common"]["options"] if option["name"] not in NOT_FIELDS]
    out += ["", "/* --- options of every kind "
            + "-" * 57 + " */", ""]
    for option in common:
        if option["type"] == "choice":
            out += choices(option, "PVG_OPTION") + [""]
    for kind in table["kinds"]:
        name = identifier(kind["kind"])
        assert name not in TAKEN and not name.startswith("copy_"), name
        prefix = "PVG_" + name.upper() + "_OPTION"
        out += ["/* --- " + kind["kind"] + " " + "-" * (79 - len(kind["kind"])) + " */", ""]
        for option in kind["options"]:
            if option["type"] == "choice":
                out += choices(option, prefix) + [""]
            assert option["type"] != "flag" or option["default"] == "no", option
        out += wrapped(kind["says"] + ".", "/*", " *")
        out += [f"typedef struct pvg_{name}_options {{"]
        for option in kind["options"]:
            out += field(option, prefix)
        for option in common:
            out += field(option, "PVG_OPTION")
        out += [f"}} pvg_{name}_options;", ""]
        out += [f"static inline void pvg_kinds_write_{name}(pvg_kinds_text *to, const void *from) {{",
                f"    const pvg_{name}_options *options = (const pvg_{name}_options *)from;",
                f'    pvg_kinds_put(to, "{kind["kind"]}");']
        out += [write_of(option) for option in kind["options"] + common]
        out += ["}", ""]
        arrays = ", ".join(kind["takes"])
        out += wrapped(f"New query of {kind['kind']}; arguments: {arrays}." if arrays
                       else f"New query of {kind['kind']}; it takes no arguments.", "/*", " *")
        out += ["static inline int32_t",
                f"pvg_query_{name}(pvg_query **out, pvg_{name}_options options,",
                "        const pvg_arguments *arguments, const pvg_target *target, const pvg_run *run) {",
                f"    return pvg_kinds_new(out, pvg_kinds_write_{name}, &options, arguments, target, run);",
                "}", ""]
    out += ["#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
    return "\n".join(out)


CPP_HEAD = """/* privgraph-kinds.hpp: a builder for every kind of query, made by the build from the table
 * of kinds:
 *
 *     privgraph::query stars = privgraph::kinds::stars().leaves(3).epsilon(1);
 *
 * Each writes text, as query::of does, and becomes a query. Choices are enums; what is not
 * said has its default. */
#ifndef PRIVGRAPH_KINDS_HPP
#define PRIVGRAPH_KINDS_HPP

#include <privgraph.hpp>

namespace privgraph {

namespace kinds {
"""


def cpp_setter(option, kind="Kind", done="own()"):
    name, key = identifier(option["name"]), option["name"]
    lines = wrapped(option["help"], "    /*", "     *")
    if option["type"] == "choice":
        words = ", ".join(identifier(word) for word in option["choices"])
        table = ", ".join(f'"{word}"' for word in option["choices"])
        lines = [f"    enum class {name}_is {{ {words} }};"] + lines
        return lines + [f"    {kind} &{name}({name}_is value) {{",
                        f"        static const char *const words[] = {{{table}}};",
                        f'        this->set("{key}", words[int(value)]);', f"        return {done};", "    }"]
    types = {"text": "const std::string &", "whole": "int64_t ", "real": "double ", "flag": "bool "}
    argument = f"{types[option['type']]}value" + (" = true" if option["type"] == "flag" else "")
    lines += [f"    {kind} &{name}({argument}) {{", f'        this->set("{key}", value);', f"        return {done};", "    }"]
    if option.get("word"):
        lines += [f"    {kind} &{name}_{option['word'].replace('-', '_')}() {{",
                  f'        this->set("{key}", "{option["word"]}");', f"        return {done};", "    }"]
    return lines


def cpp_header(table):
    out = [CPP_HEAD, "/* " + table["common"]["says"].capitalize() + ". */",
           "template <typename Kind> struct every_kind : query_builder {",
           "    explicit every_kind(const char *name) : query_builder(name) {}"]
    for option in table["common"]["options"]:
        out += cpp_setter(option)
    out += ["", "  private:", "    Kind &own() {", "        return static_cast<Kind &>(*this);", "    }", "};", ""]
    for kind in table["kinds"]:
        name = identifier(kind["kind"])
        out += wrapped(kind["says"] + ".", "/*", " *")
        out += [f"struct {name} : every_kind<{name}> {{", f'    {name}() : every_kind("{kind["kind"]}") {{}}']
        for option in kind["options"]:
            out += cpp_setter(option, name, "*this")
        out += ["};", ""]
    out += ["} // namespace kinds", "", "} // namespace privgraph", "", "#endif", ""]
    return "\n".join(out)


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        table = json.load(file)
    made = {"c": c_header, "cpp": cpp_header}[sys.argv[1]](table)
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
