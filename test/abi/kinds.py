#!/usr/bin/env python3
"""The stored table of kinds is the library's, and typed constructors make the queries that text makes.

usage: kinds.py same TOOL KINDS_JSON
       kinds.py source KINDS_JSON OUTPUT     a C program that makes every kind both ways
"""
import json
import os
import subprocess
import sys

# for options that have no default
NEEDED = {"patterns": "edge,path3", "list": "edges,leaves", "columns": 5, "classes": 4, "cap": 4, "things": 40}
# numbers that are in range of most options, and whose digits must survive
WHOLE = [3, 7, 1000003, 2**53]
REAL = [0.1 + 0.2, 1 / 3, 0.5, 1e-7, 2.0**-1030 * 3, 123456789.125]

PROGRAM = r'''/* Made by test/abi/kinds.py: every kind with every option, as text and typed. */
#include <privgraph/kinds.h>

static int made, refused, wrong;

/* The same query, or the same refusal. */
static void compare(const char *text, pvg_query *typed, int32_t status) {
    const pvg_target target = {.size = sizeof target, .allow_seeded = 1};
    char message[512];
    uint64_t ids[4];
    pvg_query *plain = NULL;
    snprintf(message, sizeof message, "%s", status ? pvg_error_message() : "");
    const int32_t expected = pvg_query_new(&plain, text, NULL, &target, NULL);
    if (status != expected || (status != PVG_OK) != (typed == NULL)) {
        printf("%s: %d typed, %d as text: %s\n", text, status, expected, message);
        wrong++;
    } else if (status == PVG_OK) {
        pvg_query_copy_id(&ids[0], &ids[1], typed);
        pvg_query_copy_id(&ids[2], &ids[3], plain);
        if (ids[0] != ids[2] || ids[1] != ids[3]) printf("%s: another id\n", text), wrong++;
        made++;
    } else {
        if (strcmp(message, pvg_error_message()) != 0)
            printf("%s: %s, as text %s\n", text, message, pvg_error_message()), wrong++;
        refused++;
    }
    pvg_query_free(typed);
    pvg_query_free(plain);
}

#define CASE(kind, text, ...)                                                            \
    do {                                                                                 \
        const pvg_target target = {.size = sizeof target, .allow_seeded = 1};            \
        pvg_query *query = NULL;                                                         \
        const int32_t status = pvg_query_##kind(                                         \
            &query, (pvg_##kind##_options){__VA_ARGS__}, NULL, &target, NULL);           \
        compare(text, query, status);                                                    \
    } while (0)

/* What must be refused, whatever the table has. */
static void strangers(void) {
    const char *values[] = {"edge epsilon=100", "edge\tepsilon=100", "edge + stars", "", "edge,"};
    const pvg_target target = {.size = sizeof target, .epsilon = 1};
    pvg_query *query = NULL;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const pvg_embed_options options = {.patterns = values[i]};
        if (pvg_query_embed(&query, options, NULL, &target, NULL) == PVG_OK || query)
            printf("patterns '%s' were taken\n", values[i]), wrong++;
        else if (!strstr(pvg_error_message(), "embed"))
            printf("'%s': %s\n", values[i], pvg_error_message()), wrong++;
    }
    const pvg_dprr_options beyond[] = {{.reports = 4}, {.reports = -1}, {.degree_share = (double)NAN},
                                       {.degree_share = (double)INFINITY}};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        if (pvg_query_dprr(&query, beyond[i], NULL, &target, NULL) != PVG_E_ARGUMENT || query)
            printf("dprr: case %d was taken\n", (int)i), wrong++;
    const pvg_embed_options flag = {.patterns = "edge", .saturate = 2};
    if (pvg_query_embed(&query, flag, NULL, &target, NULL) != PVG_E_ARGUMENT || query)
        printf("a flag that is 2 was taken\n"), wrong++;
    if (pvg_query_stars(NULL, (pvg_stars_options){.leaves = 3}, NULL, &target, NULL) != PVG_E_ARGUMENT)
        printf("out NULL was taken\n"), wrong++;
}

/* Longer than the module on the stack. */
static void long_lists(void) {
    char names[8000] = "edge", text[8200];
    for (int i = 3; i < 400; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), ",path%d", i % 20 + 3);
    snprintf(text, sizeof text, "embed patterns=%s epsilon=2", names);
    CASE(embed, text, .patterns = names, .epsilon = 2);
}

int main(void) {
    strangers();
    long_lists();
'''


def identifier(word):
    return word.replace("-", "_") + ("_" if word == "operator" else "")


def needs(kind):
    """(text, initialisers) that every query of the kind has, in the order of the struct."""
    given = [(option, NEEDED[option["name"]]) for option in kind["options"] if option["name"] in NEEDED]
    return {option["name"]: value for option, value in given}


def values_of(kind, option):
    """[(text, C)] to try."""
    prefix = f"PVG_{identifier(kind).upper()}_OPTION" if kind else "PVG_OPTION"
    name = option["name"].replace("-", "_").upper()
    if option["type"] == "choice":
        return [(word, f"{prefix}_{name}_{word.replace('-', '_').upper()}") for word in option["choices"]]
    if option["type"] == "flag":
        return [("yes", "1")]
    if option["type"] == "whole":
        zero = [("0", "PVG_ZERO")]
        word = [(option["word"], "PVG_WORD")] if option.get("word") else []
        return [(str(value), str(value)) for value in WHOLE] + zero + word
    if option["type"] == "real":
        return [(repr(value), value.hex()) for value in REAL + [-2.5]] + [("0", "PVG_ZERO_REAL")]
    return []


def case(kind, common, given):
    """given: {option: (text, C)}."""
    name = identifier(kind["kind"])
    words, fields = [kind["kind"]], []
    for option in kind["options"] + common:
        if option["name"] in given:
            text, value = given[option["name"]]
            words.append(f"{option['name']}={text}")
            fields.append(f".{identifier(option['name'])} = {value}")
    return f'    CASE({name}, "{" ".join(words)}", {", ".join(fields)});'


def source(table):
    lines = []
    common = [option for option in table["common"]["options"] if option["name"] != "share"]
    for kind in table["kinds"]:
        base = {"epsilon": ("2", "2")}
        if "order" in kind["can"]:
            base["order"] = ("24", "24")
        for name, value in needs(kind).items():
            base[name] = (str(value), f'"{value}"' if isinstance(value, str) else str(value))
        lines.append(case(kind, common, base))
        lines.append(case(kind, common, {"epsilon": base["epsilon"]}))
        for option in kind["options"] + common:
            own = None if option in common else kind["kind"]
            for value in values_of(own, option):
                given = dict(base, **{option["name"]: value})
                if option["name"] == "parameter":
                    del given["epsilon"]
                lines.append(case(kind, common, given))
    least = 8 * len(table["kinds"])
    return PROGRAM + "\n".join(lines) + f'''
    printf("%d made, %d refused alike, %d wrong\\n", made, refused, wrong);
    return wrong || made < {least} || refused < {least};
}}
'''


def main():
    if sys.argv[1] == "same":
        text = subprocess.run([sys.argv[2], "--dump-kinds"], check=True, stdout=subprocess.PIPE, text=True).stdout
        with open(sys.argv[3], encoding="utf-8") as file:
            stored = file.read()
        if text == stored:
            return print(f"{len(json.loads(text)['kinds'])} kinds, as stored")
        changed = set(text.splitlines()) ^ set(stored.splitlines())
        print("\n".join(sorted(line[:100] for line in changed)))
        print(f"{os.path.basename(sys.argv[3])} is not what the library prints: ./dev abi-update")
        return 1
    with open(sys.argv[2], encoding="utf-8") as file:
        made = source(json.load(file))
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
