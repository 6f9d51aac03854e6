#!/usr/bin/env python3
"""Writes C programs that call every function of the public headers (include/api.py) with the objects
of zoo.h.

usage: calls.py nulls|strangers|structs|stack|together|sequence INCLUDE_DIR ZOO.h OUTPUT.c LIBRARY...

 nulls    each pointer in turn is NULL: what the headers do not call PVG_OPT is refused with PVG_E_ARGUMENT,
          and no message blames another argument for being NULL; what they do call so is not refused
          for it. An array whose length comes from other arrays is empty here, and may be NULL
 strangers  each handle in turn, alone, in a list or in a struct, is one of every other type: refused by name and
          type, or taken for NULL by functions without a status. The same with handles that were freed, by
          an allocator that keeps them
 stack    each function with good arguments, on a painted stack: none uses more than PVG_STACK_MAX
 together  each function with good arguments, by several threads at once on the same objects: those that do not
          change, a ledger, a secure generator. What races is ThreadSanitizer's to say
 structs  a fuzz target: functions that take structs, with fields from the input. Failures leave no
          object and say why; nothing is ever PVG_E_INTERNAL

Every handle of the headers must be in the zoo. A function that touches files is never called with all
arguments good.
"""
import os
import re
import sys

NUMBERS = {"int32_t": "1", "uint32_t": "1", "int64_t": "1", "uint64_t": "1", "size_t": "1", "double": "0.5"}
# fields of structs that are never useful as zero
SAMPLES = {"epsilon": "1", "order": "6", "columns": "2", "ranges": "1", "kind": "1", "notion": "1", "classes": "2"}
LARGEST = 4096  # entries of an array made for a call


class Call:
    """C code of one function: locals, good arguments, what to free."""

    def __init__(self, function, found, animals, fuzzed=False):
        self.function, self.locals, self.good, self.frees = function, [], {}, []
        self.missing = False
        structs = {item["name"]: item for item in api.each(found, "struct")}
        for at, one in enumerate(function["parameters"]):
            base, role, name = one["base"], one["role"], one["name"]
            local = f"a{at}"
            if role == "handle":
                self.missing = self.missing or (base not in animals and not one.get("opt"))
                good = f"zoo.{base}" if base in animals and not one.get("opt") else "NULL"
            elif role == "new":
                self.locals.append(f"{base} *{local} = NULL;")
                self.frees.append((base, local))
                good = "&" + local
            elif role in ("lent array", "lent handle"):
                self.locals.append(f"const {base} *{local} = NULL;")
                good = "&" + local
            elif role in ("struct", "out struct"):
                self.locals.append(f"{base} {local} = {{.size = sizeof {local}}};")
                if fuzzed and role == "struct" and base != "pvg_run":
                    self.locals.append(f"fill_{base}(in, &{local});")
                else:
                    self.locals += [f"{local}.{field['name']} = {SAMPLES[field['name']]};"
                                    for field in structs[base]["fields"] if field["name"] in SAMPLES]
                good = "NULL" if base == "pvg_run" else "&" + local
            elif role == "array" and len(one["pointers"]) == 2:
                self.missing = self.missing or base not in animals
                const = "const " if one["pointers"][0] else ""
                self.locals.append(f"{const}{base} *{local}[] = {{{f'zoo.{base}' if base in animals else 'NULL'}}};")
                good = local
            elif role == "array":
                good = f"(const {base} *)zeros"
            elif role in ("out", "out array", "buffer"):
                good = f"({base} *)scratch"
            elif role == "text":
                good = '"edge"'
            elif role == "callback":
                good = f"stub_{base}" if base else "NULL"
            elif role == "context":
                good = "NULL"
            elif name == "capacity":
                good = "sizeof scratch"
            elif "enum" in one:
                good = api.family(found, one["enum"])[0]["name"]
            else:
                good = f"({base})pick_int(in)" if fuzzed and base != "double" else \
                    "pick_double(in)" if fuzzed else NUMBERS[base]
                if fuzzed:
                    self.locals.append(f"const {base} {local} = {good};")
                    good = local
            self.good[name] = good

    def text(self, **change):
        inside = {**self.good, **change}
        return f"{self.function['name']}({', '.join(inside.values())})"

    def touches_files(self):
        return any(one["role"] == "text" and one["name"] in ("path", "folder") for one in self.function["parameters"])


def stubs(found, wanted):
    """A callback of each of these types that gives up."""
    out = []
    for item in (item for item in api.each(found, "callback") if item["name"] in wanted):
        inside = ", ".join(map(api.c_type, item["function"]["parameters"]))
        used = " ".join(f"(void){one['name']};" for one in item["function"]["parameters"])
        result = api.c_type(item["function"]["result"], "x").rsplit("x", 1)[0].strip()
        out += [f"static {result} stub_{item['name']}({inside}) {{", f"    {used}", "    return PVG_E_CANCELLED;", "}", ""]
    return out


def prologue(what, *headers):
    return [f"/* Made by test/api/calls.py {what} from the public headers. */",
            *(f'#include "{name}"' for name in ("zoo.h", *headers)), "#include <string.h>", "",
            "static pvgt_zoo zoo;", f"static const double zeros[{2 * LARGEST}];", f"static double scratch[{2 * LARGEST}];", ""]


def nulls(found, animals):
    out = prologue("nulls", "support.h") + ["static int wrong;", "",
        "enum { REFUSED, MAY_BE_EMPTY, ALLOWED };", "",
        "static void judge(int kind, int32_t status, const char *function, const char *argument) {",
        "    char words[200];",
        '    snprintf(words, sizeof words, "%s: %s is NULL", function, argument);',
        '    const int blames = status && strstr(pvg_error_message(), " is NULL") != NULL;',
        "    const int named = status && strcmp(pvg_error_message(), words) == 0;",
        "    if (kind == ALLOWED && !named) return;",
        "    if (kind != ALLOWED && status == PVG_E_ARGUMENT && named == blames) return;",
        "    if (kind == MAY_BE_EMPTY && status == PVG_OK) return;",
        '    printf("%s with %s NULL: %s: %s\\n", function, argument, pvg_status_name(status),',
        '           status ? pvg_error_message() : "");', "    wrong++;", "}", "", *stubs(found, {item["name"] for item in api.each(found, "callback")})]
    names = []
    for function in api.each(found, "function"):
        call = Call(function, found, animals)
        pointers = [one for one in function["parameters"] if one["role"] not in ("number", "context")]
        if not pointers:
            continue
        names.append(function["name"])
        out += [f"static void call_{function['name']}(void) {{", *("    " + line for line in call.locals if not call.missing)]
        everything = {one["name"]: "NULL" for one in pointers}
        if not function["status"]:
            out += [f"    {'' if function['result']['base'] == 'void' and not function['result']['pointers'] else '(void)'}"
                    f"{call.text(**everything)};", "}", ""]
            continue
        out.append(f"    if ({call.text(**everything)} == PVG_OK) {{")
        out += [f'        printf("{function["name"]} takes NULL for everything\\n");', "        wrong++;", "    }"]
        for one in pointers if not call.missing else []:
            free = not one.get("opt") or call.touches_files() or any(p["role"] == "callback" for p in pointers)
            if one.get("opt") and free:
                continue
            kind = "ALLOWED" if one.get("opt") else "MAY_BE_EMPTY" if "[" in one.get("len", "") else "REFUSED"
            out.append(f'    judge({kind}, {call.text(**{one["name"]: "NULL"})}, '
                       f'"{function["name"]}", "{one["name"]}");')
            for base, local in call.frees:
                out += [f"    {base}_free({local});", f"    {local} = NULL;"]
        out += ["}", ""]
    out += ["static void test_null_is_refused_by_name_unless_the_header_allows_it(void) {"]
    out += [f"    call_{name}();" for name in names]
    out += ["    TEST_ASSERT_EQUAL_INT(0, wrong);", "}", "", "void setUp(void) {", "}", "", "void tearDown(void) {", "}", "",
            "int main(void) {", "    pvgt_begin();", "    UNITY_BEGIN();",
            "    if (pvgt_zoo_open(&zoo)) return 1;",
            "    RUN_TEST(test_null_is_refused_by_name_unless_the_header_allows_it);",
            "    pvgt_zoo_close(&zoo);", "    return pvgt_end(UNITY_END());", "}"]
    return out


def strangers(found, animals):
    structs = {item["name"]: item for item in api.each(found, "struct")}
    opaque = {item["name"] for item in api.each(found, "opaque")}
    begin = prologue("strangers", "support.h", "morgue.h") + [
        "static int wrong, calls;", "",
        "static void judge(int told, const char *function, const char *argument, const char *type,",
        "                  const pvgt_stranger *one) {",
        "    char words[300];",
        '    snprintf(words, sizeof words, "%s: %s is not a %s%s%s", function, argument, type,',
        '             one->dead ? ", or not any more" : " but a ", one->dead ? "" : one->type);',
        "    calls++;",
        "    if (told && strcmp(pvg_error_message(), words) == 0) return;",
        '    printf("%s, %s a %s%s: %s\\n", function, argument, one->dead ? "dead " : "", one->type,',
        "           pvg_error_message());", "    wrong++;", "}", "",
        "/* A failure to tell the last one from. */",
        "static void forget(void) {", "    (void)pvg_constant_value(NULL, NULL);", "}", ""]
    out, names, callbacks = [], [], set()
    for function in api.each(found, "function"):
        places = []  # (argument, type, change of the call, C that prepares it)
        for at, one in enumerate(function["parameters"]):
            if one["role"] == "handle":
                places.append((one["name"], one["base"], {one["name"]: "one->handle"}, ""))
            elif one["role"] == "array" and one["base"] in opaque:
                places.append((one["name"], one["base"], {}, f"a{at}[0] = one->handle;"))
            elif one["role"] == "struct":
                places += [(f"{one['name']}->{field['name']}", field["base"], {}, f"a{at}.{field['name']} = one->handle;"
                            if len(field["pointers"]) == 1 else
                            f"const {field['base']} *list[] = {{one->handle}}; a{at}.{field['name']} = list; "
                            f"a{at}.{field['len']} = 1;")
                           for field in structs[one["base"]]["fields"] if field["base"] in opaque]
        callbacks |= {one["base"] for one in function["parameters"] if one["role"] == "callback" and places}
        for argument, base, change, prepare in places:
            call = Call(function, found, animals)
            name = f"call_{function['name']}_{re.sub(r'[^a-z]+', '_', argument)}"
            names.append((name, base))
            told = f"{call.text(**change)} == PVG_E_ARGUMENT" if function["status"] else "1"
            out += [f"static void {name}(const pvgt_stranger *one) {{", *("    " + line for line in call.locals),
                    *(["    " + prepare] if prepare else []), "    forget();"]
            if not function["status"]:
                void = function["result"]["base"] == "void" and not function["result"]["pointers"]
                out.append(f"    {'' if void else '(void)'}{call.text(**change)};")
            out += [f'    judge({told}, "{function["name"]}", "{argument}", "{base}", one);']
            out += [f"    {type_}_free({local});" for type_, local in call.frees] + ["}", ""]
    out += ["static const struct {", "    void (*call)(const pvgt_stranger *);", "    const char *type;", "} places[] = {",
            *(f'    {{{name}, "{base}"}},' for name, base in names), "};", "",
            "static void walk(const pvgt_stranger *all, size_t count) {",
            "    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)",
            "        for (size_t k = 0; k < count; k++)",
            "            if ((strcmp(places[i].type, all[k].type) == 0) == all[k].dead) places[i].call(&all[k]);",
            '    PVGT_CHECK(wrong == 0, "%d of %d calls", wrong, calls);',
            "    TEST_ASSERT_TRUE(calls > 0);", "    calls = 0;", "}", "",
            "static void test_handles_of_other_types_are_refused_by_name(void) {",
            "    pvgt_stranger all[PVGT_STRANGERS];", "    walk(all, pvgt_strangers(all, &zoo));", "}", "",
            "static void test_freed_handles_are_refused_while_their_memory_is_free(void) {",
            "    pvgt_stranger all[PVGT_STRANGERS];", "    const size_t count = pvgt_strangers(all, &zoo);",
            "    pvgt_zoo good = {0};", "    pvgt_zoo_close(&zoo);", "    zoo = good;",
            "    for (size_t i = 0; i < count; i++) all[i].dead = 1;",
            "    if (pvgt_zoo_open(&zoo)) TEST_FAIL_MESSAGE(pvg_error_message());", "    walk(all, count);", "}", "",
            "void setUp(void) {", "}", "", "void tearDown(void) {", "}", "",
            "int main(void) {", "    pvgt_morgue_begin();", "    UNITY_BEGIN();",
            "    if (pvgt_zoo_open(&zoo)) return 1;",
            "    RUN_TEST(test_handles_of_other_types_are_refused_by_name);",
            "    RUN_TEST(test_freed_handles_are_refused_while_their_memory_is_free);",
            "    pvgt_zoo_close(&zoo);", "    return pvgt_morgue_end(UNITY_END());", "}"]
    return begin + stubs(found, callbacks) + out


def stack(found, animals):
    out = prologue("stack", "support.h", "stack.h") + stubs(found, {item["name"] for item in api.each(found, "callback")})
    names = []
    for function in api.each(found, "function"):
        call = Call(function, found, animals)
        ends = function["name"].endswith("_free") or function["name"] == "pvg_allocator_set"
        if call.missing or ends or call.touches_files():
            continue
        names.append(function["name"])
        void = function["result"]["base"] == "void" and not function["result"]["pointers"]
        out += [f"static void call_{function['name']}(void *none) {{", "    (void)none;",
                *("    " + line for line in call.locals), f"    {'' if void else '(void)'}{call.text()};",
                *(f"    {base}_free({local});" for base, local in call.frees), "}", ""]
    out += ["static const struct {", "    void (*body)(void *);", "    const char *name;", "} calls[] = {",
            *(f'    {{call_{name}, "{name}"}},' for name in names), "};", "",
            "static void test_no_call_needs_more_stack_than_promised(void) {",
            "    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {",
            "        const size_t used = pvgt_stack_used(calls[i].body, NULL);",
            '        PVGT_CHECK(used <= PVG_STACK_MAX, "%s: %zu bytes", calls[i].name, used);',
            "    }", "}", "", "void setUp(void) {", "}", "", "void tearDown(void) {", "}", "",
            "int main(void) {", "    pvgt_begin();", "    UNITY_BEGIN();",
            "    if (pvgt_zoo_open(&zoo)) return 1;",
            "    RUN_TEST(test_no_call_needs_more_stack_than_promised);",
            "    pvgt_zoo_close(&zoo);", "    return pvgt_end(UNITY_END());", "}"]
    return out


# what any number of threads may change at once; the generator is a secure one
SHARED = ("pvg_ledger", "pvg_rng")


def together(found, animals):
    out = prologue("together", "support.h") + stubs(found, {item["name"] for item in api.each(found, "callback")})
    out = [line.replace("static double scratch", "static _Thread_local double scratch") for line in out]
    out += ["#include <fenv.h>", "#include <pthread.h>", "", "enum { THREADS = 4, ROUNDS = 3 };",
            "static const pvg_run two = {.size = sizeof two, .threads = 2};", ""]
    names = []
    for function in api.each(found, "function"):
        call = Call(function, found, animals)
        alone = any(one["role"] == "handle" and not one["pointers"][0] and one["base"] not in SHARED
                    for one in function["parameters"])
        once = function["name"].endswith("_free") or function["name"] in ("pvg_allocator_set", "pvg_log_set")
        if call.missing or alone or once or call.touches_files():
            continue
        names.append(function["name"])
        run = {one["name"]: "&two" for one in function["parameters"] if one["base"] == "pvg_run" and one["role"] == "struct"}
        own = {one["name"]: "zoo.pvg_ledger" for one in function["parameters"] if one["base"] == "pvg_ledger" and one["role"] == "handle"}
        void = function["result"]["base"] == "void" and not function["result"]["pointers"]
        out += [f"static void call_{function['name']}(void) {{", *("    " + line for line in call.locals),
                f"    {'' if void else '(void)'}{call.text(**run, **own)};",
                *(f"    (void)a{at};" for at, one in enumerate(function["parameters"])
                  if one["name"] in run and one["role"] == "struct"),
                *(f"    {base}_free({local});" for base, local in call.frees), "}", ""]
    out += ["static void (*const calls[])(void) = {", *(f"    call_{name}," for name in names), "};",
            "enum { CALLS = sizeof calls / sizeof calls[0] };", "",
            "/* All but the first are threads of a host that traps every floating-point exception. */",
            "static void *all_of_them(void *first) {",
            "    const int traps = first ? FE_ALL_EXCEPT : 0;",
            "    feenableexcept(traps);",
            "    for (size_t i = 0; i < ROUNDS * CALLS; i++) calls[(i + (size_t)(uintptr_t)first) % CALLS]();",
            "    const int kept = fegetexcept();",
            "    fedisableexcept(FE_ALL_EXCEPT);",
            "    return kept == traps ? NULL : first;", "}", "",
            "static void test_threads_share_objects(void) {",
            "    pthread_t threads[THREADS];",
            "    for (size_t i = 0; i < THREADS; i++)",
            "        TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, all_of_them,",
            "                                                (void *)(uintptr_t)(i * CALLS / THREADS)));",
            "    for (size_t i = 0; i < THREADS; i++) {",
            "        void *lost = NULL;",
            "        TEST_ASSERT_EQUAL_INT(0, pthread_join(threads[i], &lost));",
            "        TEST_ASSERT_NULL(lost);", "    }",
            '    printf("%d functions, %d threads, %d rounds\\n", (int)CALLS, THREADS, ROUNDS);', "}", "",
            "void setUp(void) {", "}", "", "void tearDown(void) {", "}", "",
            "int main(void) {", "    pvgt_begin();", "    UNITY_BEGIN();",
            "    if (pvgt_zoo_open(&zoo)) return 1;",
            "    pvg_rng_free(zoo.pvg_rng); /* a seeded one is for one thread */", "    zoo.pvg_rng = NULL;",
            "    if (pvg_rng_new_secure(&zoo.pvg_rng)) return 1;",
            "    RUN_TEST(test_threads_share_objects);",
            "    pvgt_zoo_close(&zoo);", "    return pvgt_end(UNITY_END());", "}"]
    return out


def fill(struct, found):
    out = [f"static void fill_{struct['name']}(source *in, {struct['name']} *s) {{"]
    for field in struct["fields"]:
        name = field["name"]
        if name == "size" or field["pointers"] or "function" in field:
            continue
        if "enum" in field:
            values = ", ".join(one["name"] for one in api.family(found, field["enum"]))
            out += [f"    static const int64_t {name}_values[] = {{{values}}};",
                    f"    s->{name} = ({field['base']})pick_of(in, {name}_values, sizeof {name}_values / "
                    f"sizeof {name}_values[0]);"]
        elif "bool" in field or name == "reserved":
            out.append(f"    s->{name} = ({field['base']})(byte(in) % 16 ? byte(in) & {0 if name == 'reserved' else 1} : pick_int(in));")
        else:
            out.append(f"    s->{name} = pick_double(in);" if field["base"] == "double" else
                       f"    s->{name} = ({field['base']})pick_int(in);")
    return out + ["}", ""]


def structs(found, animals):
    functions = []
    used = set()
    for function in api.each(found, "function"):
        kinds = {one["base"] for one in function["parameters"] if one["role"] == "struct"} - {"pvg_run"}
        call = Call(function, found, animals, fuzzed=True)
        if kinds and not call.missing and not call.touches_files() and function["name"] != "pvg_allocator_set":
            functions.append((function, call))
            used |= kinds
    out = prologue("structs", "fuzz.h") + ["typedef struct {", "    const uint8_t *data;", "    size_t left;", "} source;", "",
        "static uint8_t byte(source *in) {", "    if (in->left == 0) return 0;", "    in->left--;", "    return *in->data++;", "}", "",
        "static int64_t pick_int(source *in) {",
        "    const uint8_t kind = byte(in);",
        "    int64_t raw = 0;",
        "    if (kind < 160) return kind % 10;",
        "    if (kind < 224) return (int64_t)byte(in) - 8;",
        "    for (int i = 0; i < 8; i++) raw = (int64_t)((uint64_t)raw << 8 | byte(in));",
        "    return raw;", "}", "",
        "static double pick_double(source *in) {",
        "    static const double values[] = {0, 1, 0.5, 1e-6, 1e-3, 2, 8, 0.9, 1e-300, 1e300, -1, 0.1};",
        "    const uint8_t kind = byte(in);", "    double raw;",
        "    if (kind < 224) return values[kind % 12];",
        "    const int64_t bits = pick_int(in) ^ (int64_t)((uint64_t)byte(in) << 55);",
        "    memcpy(&raw, &bits, sizeof raw);", "    return raw;", "}", "",
        "static int64_t pick_of(source *in, const int64_t *values, size_t count) {",
        "    const uint8_t kind = byte(in);",
        "    return kind < 240 ? values[kind % count] : pick_int(in);", "}", "",
        "static void check(int32_t status, const void *made, const char *name) {",
        "    if (status > 0 || status <= PVG_E_INTERNAL)",
        '        fprintf(stderr, "%s: %d\\n", name, (int)status);',
        "    PVGF_CHECK(status <= 0 && status > PVG_E_INTERNAL);",
        "    PVGF_CHECK(status == PVG_OK || (made == NULL && pvg_error_message()[0]));", "}", ""]
    callbacks = {one["base"] for function, _ in functions for one in function["parameters"] if one["role"] == "callback"}
    out += stubs(found, callbacks)
    for struct in api.each(found, "struct"):
        if struct["name"] in used:
            out += fill(struct, found)
    for function, call in functions:
        out += [f"static void call_{function['name']}(source *in) {{", *("    " + line for line in call.locals)]
        change = {}
        for at, one in enumerate(function["parameters"]):
            if one["role"] not in ("array", "out array") or one.get("len", '"')[0] == '"':
                continue
            shape = " * ".join(f"(double)({part})" for part in one["shape"])
            for other_at, other in enumerate(function["parameters"]):
                if other["role"] == "struct":
                    shape = shape.replace(other["name"] + "->", f"a{other_at}.")
                elif other["role"] == "number" and other["name"] != "capacity":
                    shape = re.sub(rf"\b{other['name']}\b", call.good[other["name"]], shape)
                elif other["role"] == "handle":
                    shape = re.sub(rf"(?<![.\w]){other['name']}\b(?!\()", call.good[other["name"]], shape)
            out.append(f"    if (!({shape} <= {LARGEST})) return;")
            if one.get("opt"):
                out.append(f"    const int given{at} = byte(in) & 1;")
                change[one["name"]] = f"given{at} ? {call.good[one['name']]} : NULL"
        made = call.frees[0][1] if call.frees else "NULL"
        out.append(f"    const int32_t status = {call.text(**change)};" if function["status"] else
                   f"    (void){call.text(**change)};")
        if function["status"]:
            out.append(f'    check(status, {made}, "{function["name"]}");')
        out += [f"    {base}_free({local});" for base, local in call.frees] + ["}", ""]
    out += ["static void (*const calls[])(source *in) = {", *(f"    call_{function['name']}," for function, _ in functions),
            "};", "",
            "int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {",
            "    source in = {data, size < 4096 ? size : 4096};",
            "    if (!zoo.pvg_rng && pvgt_zoo_open(&zoo)) abort();",
            "    while (in.left > 0) calls[byte(&in) % (sizeof calls / sizeof calls[0])](&in);",
            "    return 0;", "}"]
    return out


# numbers that say how often something is done again
REPEATS = {"batch", "cuts", "depth", "draws", "epochs", "folds", "hidden", "hops", "iterations", "patience", "repeats", "rounds",
           "runs", "samples", "steps", "target_rounds", "tests", "times", "trials", "warmup", "window", "windows", "layers"}


def drawn(one, found, put):
    """C for a number of the input; put(line) declares what it needs."""
    base, name = one["base"], one["name"]
    if base == "double":
        return "pvgf_double(in)"
    if "enum" in one or "flags" in one:
        values = ", ".join(each["name"] for each in api.family(found, one.get("enum") or one["flags"]))
        put(f"static const int64_t of_{name}[] = {{{values}}};")
        return f"({base})pvgf_{'of' if 'enum' in one else 'flags'}(in, of_{name}, sizeof of_{name} / sizeof of_{name}[0])"
    if name.startswith("reserved"):
        return f"({base})(pvgf_byte(in) == 255)"
    if "bool" in one:
        return f"({base})(pvgf_byte(in) == 255 ? pvgf_int(in) : pvgf_byte(in) & 1)"
    return f"({base})pvgf_{'times' if name in REPEATS else 'int'}(in)"


def drawn_struct(struct, found, opaque):
    """Most structs differ from a good one in few fields; a few are of chance alone."""
    out = [f"static void fill_{struct['name']}(pvgf_source *in, {struct['name']} *s) {{", "    const int wild = pvgf_byte(in) < 24;"]
    good = {**SAMPLES, "allow_seeded": "1", "delta": "pvgf_byte(in) & 1 ? 1e-6 : 0", "high": "1"}
    lists = {}
    for field in struct["fields"]:
        name = field["name"]
        if name == "size" or "function" in field or (field["pointers"] and field["base"] not in opaque):
            continue
        if len(field["pointers"]) == 2:  # a list of handles; its length is a later field
            lists[field["len"]] = name
            out += [f"    static const {field['base']} *{name}[4];",
                    f"    for (int i = 0; i < 4; i++) {name}[i] = pvgf_pick(in, PVGF_{field['base']}, 0);",
                    f"    s->{name} = pvgf_byte(in) & 1 ? {name} : NULL;"]
            continue
        if name in lists:
            out.append(f"    s->{name} = s->{lists[name]} ? pvgf_byte(in) % 5 : 0;")
            continue
        any_one = f"pvgf_pick(in, PVGF_{field['base']}, 1)" if field["pointers"] else \
            drawn(field, found, lambda line: out.append("    " + line))
        plain = "NULL" if field["pointers"] else good.get(name, "0")
        out += [f"    if (wild || pvgf_byte(in) % 5 == 0) s->{name} = {any_one};", f"    else s->{name} = {plain};"]
    return out + ["}", ""]


def answers(found):
    """A callback of each type: middling scores, and the status that the sequence wants."""
    out = []
    for item in api.each(found, "callback"):
        parameters = item["function"]["parameters"]
        names = {one["name"] for one in parameters}
        out.append(f"static int32_t answer_{item['name']}({', '.join(map(api.c_type, parameters))}) {{")
        for one in parameters:
            if one["base"] == "double" and one["pointers"] == [False]:
                out.append(f"    for (int64_t i = 0; i < count; i++) {one['name']}[i] = 0.5;" if "count" in names else
                           f"    *{one['name']} = 0.5;")
            elif one["name"] != "count":
                out.append(f"    (void){one['name']};")
        out += ["    return pvgf_answer;", "}", ""]
    return out


def length_in_c(one, function):
    """The length of an array as a double; None if the header has only words for it."""
    if one["len"].startswith('"') or "*" in one["len"].replace(" * ", ""):
        return None
    parts = []
    for part in one["shape"]:
        part = re.sub(r"\bpvg_\w+\(", r"(double)\g<0>", part)
        for at, other in enumerate(function["parameters"]):
            name = other["name"]
            if other["role"] == "struct":
                part = part.replace(name + "->", f"(double)a{at}.")
            elif other["role"] == "number":
                part = re.sub(rf"(?<![.\w>]){name}\b(?!\()", f"(double)a{at}", part)
                part = re.sub(r"(\((?:[^()]*, )?)\(double\)(a\d+)\)", r"\1\2)", part)  # arguments stay whole numbers
            elif other["role"] == "handle":
                part = re.sub(rf"(?<![.\w>]){name}\b(?!\()", f"a{at}", part)
        for _ in range(2):
            for at, other in enumerate(function["parameters"]):
                if other["role"] == "array":
                    part = re.sub(rf"\b{other['name']}\[([^\[\]]*)\]", rf"(double)pvgf_at(a{at}, n{at}, \1)", part)
        parts.append(f"({part})")
    # a field of 0 stands for a default that the header has in words: none is above 64
    return re.sub(r"\(double\)(a\d+\.\w+)", r"(\1 == 0 ? 64.0 : (double)\1)", " * ".join(parts))


def sequence_call(function, found, opaque):
    """The body of one call: numbers and structs, then objects, then arrays of the lengths that follow."""
    numbers, objects, arrays, after, given = [], [], [], [], {}
    name, parameters = function["name"], function["parameters"]
    if name.endswith("_free") and len(parameters) == 1:
        return [f'    pvgf_before("{name}", NULL);', f"    pvgf_drop(in, PVGF_{parameters[0]['base']});",
                "    pvgf_after(PVG_OK, NULL);"]
    measured = " ".join(" ".join(one.get("shape", [])) for one in parameters)
    tame = any(one.get("len", "").startswith('"') and one["role"] == "array" for one in parameters)
    contents = {one["len"]: at for at, one in enumerate(parameters)
                if one["role"] == "array" and one["base"] == "char" and one["len"].isidentifier()}
    ledger = "NULL"
    for at, one in enumerate(parameters):
        base, role, local = one["base"], one["role"], f"a{at}"
        const = "const " if one["pointers"] and one["pointers"][0] else ""
        given[at] = local
        if role == "number" and one["name"] == "capacity":
            numbers.append(f"const size_t {local} = pvgf_byte(in) % 4 ? {16 * 1024} : pvgf_byte(in);")
        elif role == "number" and one["name"] in contents:
            numbers += [f"size_t {local}s;", f"const char *a{contents[one['name']]} = pvgf_content(in, &{local}s);",
                        f"const {base} {local} = ({base}){local}s;"]
        elif role == "number":
            value = drawn(one, found, numbers.append)
            numbers.append(f"const {base} {local} = {value};")
        elif role == "handle":
            objects.append(f"{const}{base} *{local} = pvgf_pick(in, PVGF_{base}, {int(bool(one.get('opt')))});")
            ledger = local if base == "pvg_ledger" else ledger
        elif role == "new":
            objects.append(f"{base} *{local} = PVGF_POISON;")
            given[at] = "&" + local
            if one.get("opt"):
                numbers.append(f"const int given{at} = pvgf_byte(in) & 1;")
                given[at] = f"given{at} ? &{local} : NULL"
                objects.append(f"if (!given{at}) {local} = NULL;")
            # releases that were paid are handed back though something failed later, where the header says so
            kept = re.search(r"whatever\s+fails|handed\s+back", function["doc"])
            after += [f"pvgf_made({'PVG_OK' if kept else 'status'}, {local});", f"pvgf_put(in, PVGF_{base}, {local});"]
        elif role in ("lent array", "lent handle"):
            objects.append(f"const {base} *{local} = NULL;")
            given[at] = "&" + local
            if role == "lent array":
                length = length_in_c(one, function)
                if length:
                    after.append(f"if (status == PVG_OK) pvgf_touch({local}, {length}, sizeof *{local});")
        elif base == "pvg_run":
            numbers.append(f"const pvg_run *{local} = pvgf_run(in);")
        elif role in ("struct", "out struct"):
            numbers.append(f"{base} {local} = {{.size = sizeof {local}}};")
            if role == "struct":
                numbers.append(f"fill_{base}(in, &{local});")
            numbers.append(f"{base} *b{at} = pvgf_offer(in, &{local}, sizeof {local}, {int(role != 'struct')});")
            given[at] = f"b{at}"
            if one.get("opt") and one["name"] + "->" not in measured:
                numbers.append(f"if (pvgf_byte(in) % 3 == 0) b{at} = NULL;")
        elif role == "text":
            numbers.append(f"const char *{local} = pvgf_text(in, {int(one['name'] in ('path', 'folder', 'copy'))});")
        elif role == "callback":
            given[at] = f"answer_{base}"
        elif role == "context":
            given[at] = "NULL"
        elif role == "buffer":
            objects.append(f"char *{local} = pvgf_block((double)a{at + 1}, 1);")
            after.append(f"if (status == PVG_OK && *a{at + 2} < a{at + 1}) pvgf_keep_text({local}, *a{at + 2});")
        elif role == "out":
            objects.append(f"{base} *{local} = pvgf_block(1, sizeof *{local});")
        elif one["name"] not in {parameters[i]["name"] for i in contents.values()}:
            arrays.append((at, one))
    # arrays that others measure come first
    arrays.sort(key=lambda pair: one_depends(pair[1]))
    lines = []
    for at, one in arrays:
        length = length_in_c(one, function) or "PVGF_PLENTY"
        lines.append(f"const double n{at} = {length};")
        base = one["base"]
        if base in opaque:
            const = "const " if one["pointers"][0] else ""
            lines += [f"{const}{base} **a{at} = n{at} <= 64 ? pvgf_block(n{at}, sizeof *a{at}) : NULL;",
                      f"for (int i = 0; a{at} && i < n{at}; i++) a{at}[i] = pvgf_pick(in, PVGF_{base}, 0);"]
        elif one["role"] == "out array":
            lines.append(f"{base} *a{at} = pvgf_block(n{at}, sizeof *a{at});")
        else:
            lines.append(f"const {base} *a{at} = " + (f"pvgf_doubles(in, n{at});" if base == "double" else
                                                     f"pvgf_ints(in, n{at}, sizeof *a{at}, {int(tame)});"))
        lines.append(f"if (!a{at}) return;")
        if one.get("opt"):
            lines.append(f"if (pvgf_byte(in) % 3 == 0) a{at} = NULL;")
        elif one["role"] == "array":
            lines.append(f"if (pvgf_byte(in) == 255) a{at} = NULL;")
    call = f"{name}({', '.join(given[at] for at in range(len(parameters)))})"
    void = function["result"]["base"] == "void" and not function["result"]["pointers"]
    lines.append(f'pvgf_before("{name}", {ledger});')
    if function["status"]:
        lines += [f"const int32_t status = {call};", *after, f"pvgf_after(status, {ledger});"]
    else:
        lines += [f"{'' if void else '(void)'}{call};", "pvgf_after(PVG_OK, NULL);"]
    return ["    " + line for line in numbers + objects + lines]


def one_depends(one):
    return one["len"].count("[")


def sequence(found, animals):
    opaque = {item["name"] for item in api.each(found, "opaque")}
    out = ["/* Made by test/api/calls.py sequence from the public headers. */", '#include "sequence.h"', ""] + answers(found)
    functions = [function for function in api.each(found, "function") if function["name"] != "pvg_allocator_set"]
    filled = {one["base"] for function in functions for one in function["parameters"] if one["role"] == "struct"} - {"pvg_run"}
    for struct in api.each(found, "struct"):
        if struct["name"] in filled:
            out += drawn_struct(struct, found, opaque)
    for function in functions:
        out += [f"static void call_{function['name']}(pvgf_source *in) {{", "    (void)in;",
                *sequence_call(function, found, opaque), "}", ""]
    return out + ["const pvgf_call_row pvgf_calls[] = {", *(f'    {{"{one["name"]}", call_{one["name"]}}},' for one in functions), "};",
                  "const size_t pvgf_call_count = sizeof pvgf_calls / sizeof pvgf_calls[0];"]


def main():
    what, include_dir, zoo, output, *libraries = sys.argv[1:]
    found = api.only(api.load(include_dir), *libraries)
    animals = set(re.findall(r"X\((pvg_\w+)\)", api.read(zoo)))
    handles = {item["name"] for item in api.each(found, "opaque")}
    absent, animals = handles - animals, animals & handles
    if absent:
        sys.exit("test/api/zoo.h: not in the zoo: " + ", ".join(sorted(absent)))
    lines = {"nulls": nulls, "strangers": strangers, "stack": stack, "together": together, "structs": structs,
             "sequence": sequence}[what](found, animals)
    with open(output, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[2])
    import api
    main()
