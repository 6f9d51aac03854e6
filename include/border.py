#!/usr/bin/env python3
"""Writes the border between host and library, from the public headers (api.py).

usage: border.py entries OUTPUT INCLUDE_DIR
       border.py crossing OUTPUT INCLUDE_DIR LIBRARY

 entries     entries.h, which is included before every file of the libraries: pvg_x becomes pvgi_entry_x, so that
           calls inside go to the entry file at once, also those of libprivgraph-learn to libprivgraph
 crossing  crossing.c, what hosts call: a pvg_x that sets the floating-point mode where something is computed,
           looks at each handle and then asks the entry file

A handle begins with a word that says what it is (PVGI_HANDLE in lib/base/base_internal.h). It is written
here when a handle leaves, and wiped with the handle. What comes in under another word is refused: with
PVG_E_ARGUMENT where a function has a status, as NULL where it has none, so that freeing does nothing.

A graph whose rows are in a mapped file is asked before and after the call whether the file is what it was; what
was made of a file that changed meanwhile is freed again, and the call fails.

Each library has a border of its own.
"""
import hashlib
import sys

import api


def word(name):
    """The type word of a handle: eight bytes that no number, pointer or text is likely to be."""
    return "0x" + hashlib.sha256(name.encode()).hexdigest()[:16]


class Crossing:
    """What one function does with handles."""

    def __init__(self, function, module, found):
        opaque = {item["name"] for item in api.each(found, "opaque")}
        structs = {item["name"]: item for item in api.each(found, "struct")}
        self.function = function
        parameters = function["parameters"]
        self.given = [one for one in parameters if one["role"] == "handle"]
        self.lists = [one for one in parameters if one["role"] == "array" and one["base"] in opaque]
        self.made = [one for one in parameters if one["role"] in ("new", "lent handle")]
        self.inside = [(one, field) for one in parameters if one["role"] == "struct"
                       for field in structs[one["base"]]["fields"] if field["base"] in opaque]
        self.lends = function["result"]["base"] in opaque
        result = function["result"]
        self.computes = module != "base" and not result["pointers"] and result["base"] in ("int32_t", "double")

    def matters(self):
        return bool(self.given or self.lists or self.made or self.inside or self.lends or self.computes)

    def checks(self):
        """(condition, argument, handle, type) of each thing that is wrong."""
        for one in self.given:
            yield f"alien({one['name']}, {one['base']}_word)", one["name"], one["name"], one["base"]
        for one in self.lists:
            name = one["name"]
            first = f"first_alien((const void *const *){name}, (int64_t)({one['len']}), {one['base']}_word)"
            yield first, name, first, one["base"]
        for one, field in self.inside:
            name = f"{one['name']}->{field['name']}"
            if len(field["pointers"]) == 2:  # a list, whose length is a later field
                first = (f"first_alien((const void *const *){name}, {one['name']}->{field['len']}, "
                         f"{field['base']}_word)")
                yield (f"{one['name']} && {one['name']}->size >= offsetof({one['base']}, {field['len']}) + "
                       f"sizeof(int64_t) && {first}", name, first, field["base"])
                continue
            yield (f"{one['name']} && {one['name']}->size >= offsetof({one['base']}, {field['name']}) + "
                   f"sizeof(void *) && alien({name}, {field['base']}_word)",
                   name, name, field["base"])

    def graphs(self):
        """Each graph that comes in, as an expression."""
        for one in self.given:
            if one["base"] == "pvg_graph":
                yield one["name"]
        for one, field in self.inside:
            if field["base"] == "pvg_graph" and len(field["pointers"]) == 1:
                yield (f"({one['name']} && {one['name']}->size >= offsetof({one['base']}, {field['name']}) + "
                       f"sizeof(void *) ? {one['name']}->{field['name']} : NULL)")

    def text(self):
        function, name = self.function, self.function["name"]
        asked = f"pvgi_entry_{name[4:]}({', '.join(one['name'] for one in function['parameters'])})"
        out = [api.prototype(function) + " {", *(["    PVGI_BORDER;"] if self.computes else [])]
        if not function["status"]:
            out += [f"    if ({condition}) {handle} = refused(\"{name}\", \"{argument}\", {handle}, {base}_word);"
                    for condition, argument, handle, base in self.checks()]
            if self.lends:
                base = function["result"]["base"]
                out += [f"    const {base} *lent = {asked};", f"    if (lent) mark(lent, {base}_word);", "    return lent;"]
            else:
                void = function["result"]["base"] == "void" and not function["result"]["pointers"]
                out.append(f"    {'' if void else 'return '}{asked};")
            return out + ["}"]
        out += [f"    if ({one['name']}) *{one['name']} = NULL;" for one in self.made]
        for condition, argument, handle, base in self.checks():
            out += [f"    if ({condition})", f'        return refuse("{name}", "{argument}", {handle}, {base}_word);']
        graphs = list(self.graphs())
        out += [f"    PVGI_TRY(pvgi_graph_same({graph}));" for graph in graphs]
        if not self.made and not graphs:
            return out + [f'    return named("{name}", {asked});', "}"]
        out.append(f'    {"" if graphs else "const "}int32_t status = named("{name}", {asked});')
        # several outputs: some may be there though the call failed
        out += [f"    if ({one['name']} && *{one['name']}) mark(*{one['name']}, {one['base']}_word);" for one in self.made]
        if graphs:
            changed = " || ".join(f"pvgi_graph_same({graph}) != PVG_OK" for graph in graphs)
            out += [f"    if (status == PVG_OK && ({changed})) {{", "        status = PVG_E_IO;"]
            for one in self.made:
                out += [f"        if ({one['name']}) pvgi_entry_{one['base'][4:]}_free(*{one['name']});" for _ in [0] if one["role"] == "new"]
                out += [f"        if ({one['name']}) *{one['name']} = NULL;"]
            out += ["    }"]
        return out + ["    return status;", "}"]


def all_crossings(found, *libraries):
    """Those of the functions of these libraries that need one."""
    crossings = [Crossing(item, module["name"], found) for module in api.only(found, *libraries)["modules"]
                 for item in module["items"] if item["kind"] == "function"]
    return [one for one in crossings if one.matters()]


def entries(crossings):
    out = ["/* Made by include/border.py: names of the entry files inside the libraries. */",
           "#ifndef PVGI_DESKS_H", "#define PVGI_DESKS_H"]
    out += [f"#define {one.function['name']} pvgi_entry_{one.function['name'][4:]}" for one in crossings]
    return out + ["#endif"]


def crossing(crossings, found):
    handles = [item["name"] for item in api.each(found, "opaque")]
    out = ["/* Made by include/border.py from the public headers. */"]
    out += [f'#include "privgraph/{module["name"]}.h"' for module in found["modules"]]
    out += ['#include "graph/graph_internal.h"', "", "#include <string.h>", ""]
    out += [f"#undef {one.function['name']}" for one in crossings] + [""]
    out += [f"#define {name}_word UINT64_C({word(name)})" for name in handles]
    out += ["", "static const struct {", "    uint64_t word;", "    const char *name;", "} types[] = {"]
    out += [f'    {{{name}_word, "{name}"}},' for name in handles] + ["};", HELPERS]
    for one in crossings:
        out += [f"PRIVGRAPH_API {api.prototype(one.function)};", *one.text(), ""]
    return out


HELPERS = """
static const char *name_of(uint64_t word) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].word == word) return types[i].name;
    return NULL;
}

/* Two threads may read or lend the same handle at once. */
static uint64_t word_of(const void *handle) {
    return (uintptr_t)handle % sizeof(uint64_t)
               ? 0
               : __atomic_load_n((const uint64_t *)handle, __ATOMIC_RELAXED);
}

static void mark(const void *handle, uint64_t word) {
    if (word_of(handle) != word)
        __atomic_store_n((uint64_t *)(uintptr_t)handle, word, __ATOMIC_RELAXED);
}

static inline bool alien(const void *handle, uint64_t word) {
    return __builtin_expect(handle && word_of(handle) != word, 0);
}

/* Not every library takes lists of handles. */
__attribute__((unused)) static const void *first_alien(const void *const *handles, int64_t count, uint64_t word) {
    for (int64_t i = 0; handles && i < count; i++)
        if (alien(handles[i], word)) return handles[i];
    return NULL;
}

static int32_t refuse(const char *function, const char *argument, const void *handle,
                      uint64_t word) {
    const char *other = name_of(word_of(handle));
    return pvgi_fail(PVG_E_ARGUMENT, "%s: %s is not a %s%s%s", function, argument,
                     name_of(word), other ? " but a " : ", or not any more",
                     other ? other : "");
}

/* A function that asks others says their names: first comes the one that was called. */
static int32_t named(const char *function, int32_t status) {
    if (__builtin_expect(status == PVG_OK, 1)) return status;
    const char *text = pvg_error_message();
    const size_t length = strlen(function);
    if (strncmp(text, "pvg_", 4) == 0 &&
        (strncmp(text, function, length) != 0 || text[length] != ':'))
        pvgi_message_prefix(function);
    return status;
}

static void *refused(const char *function, const char *argument, const void *handle,
                     uint64_t word) {
    (void)refuse(function, argument, handle, word);
    return NULL;
}
"""


def main():
    what, output, include_dir, *libraries = sys.argv[1:]
    found = api.load(include_dir)
    crossings = all_crossings(found, *(libraries or api.LIBRARIES))
    lines = entries(crossings) if what == "entries" else crossing(crossings, found)
    with open(output, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
