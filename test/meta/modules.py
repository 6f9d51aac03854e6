#!/usr/bin/env python3
"""The rules of the house (docs/inside/architecture.md), checked on the text of lib/ and on the objects
of the static libraries.

usage: modules.py SOURCE_ROOT LIBPRIVGRAPH.a [LIBPRIVGRAPH-LEARN.a] [--pending MODULE,MODULE]
       modules.py --self-test

 direction   a file includes headers of its own module and of earlier modules only
 lanes       modules of the public lane never name private data; exact modules never draw noise
 doors       files, BLAS, libsodium, threads and the heap are used in named places only
 silence     nothing prints, reads the environment or ends the process
 entry file  lib/MODULE/MODULE.c defines exactly the functions of include/privgraph/MODULE.h
 state       no writable global besides the listed ones
 shared      what libprivgraph-learn calls of the other's inside is marked PVGI_SHARED, and nothing else is
 templates   a body that is included ends in .inc and stands before the first line of code; a header has a guard
 cases       a switch names every case: no `default:` that guesses what a later constant means
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "include"))
sys.path.insert(0, os.path.join(ROOT, "lib"))
import api  # noqa: E402
import map as private  # noqa: E402

MODULES = api.modules(ROOT)

# module -> modules it must not include although they are earlier.
BANNED_INCLUDES = {
    "layer": ["rng", "graph", "io", "pattern"],
    "sensitivity": ["graph", "io", "density", "propagate"],
    "mechanism": ["graph", "io", "density", "propagate", "pattern"],
    "preview": ["graph", "io", "density", "propagate"],
    "guarantee": ["graph", "density", "propagate", "pattern", "sensitivity", "preview"],
    "ledger": ["graph", "density", "propagate", "pattern", "sensitivity", "preview"],
    "density": ["rng"],
    "propagate": ["rng"],
}
# module -> names it must not use, however they became visible.
BANNED_NAMES = {
    "layer": r"\bpvgi?_(?:rng|graph|graphset|features|labels|pattern)\w*",
    "sensitivity": r"\bpvgi?_(?:graph|graphset|features|labels)\w*",
    "mechanism": r"\bpvgi?_(?:graph|graphset|features|labels|pattern)\w*",
    "preview": r"\bpvgi?_(?:graph|graphset|features|labels)\w*",
    "guarantee": r"\bpvgi?_(?:graph|graphset|features|labels|pattern)\w*",
    "ledger": r"\bpvgi?_(?:graph|graphset|features|labels|pattern)\w*",
    "density": r"\bpvgi?_rng\w*",
    "propagate": r"\bpvgi?_rng\w*",
}
# system header -> the files that may include it.
NAMED_HEADERS = {
    "sodium.h": ["base/memory.c", "base/info.c", "rng/digest.c", "rng/sodium.c"],
    "lapacke.h": [],
    "cblas.h": [],
    "dlfcn.h": ["base/blas.c"],
}
# names of functions -> where they may be called: folders or files of lib.
NAMED_CALLS = [
    ("mmap|munmap", ["io", "base/process.c"]),
    ("fopen|freopen|fdopen|open|openat|creat|opendir|rename|unlink|remove|mkstemp|stat|"
     "fstat|fwrite|fread|fprintf|fputs|fputc|fgets|getline|read|write|fclose|close|"
     "pread|pwrite|ftruncate|fsync|fdatasync|flock|lockf|fcntl|link",
     ["io"] + [f"rng/sodium.c:{used}" for used in ("open", "fstat", "read", "close")]),
    ("malloc|calloc|realloc|reallocarray|aligned_alloc|posix_memalign|free|alloca|strdup|strndup|"
     "asprintf|vasprintf", ["base/memory.c"]),
    ("pthread_create", ["base/crew.c"]),
    ("printf|vprintf|puts|putchar|perror|syslog|getenv|secure_getenv|setenv|putenv|setlocale|abort|"
     "exit|_exit|_Exit|assert|signal|sigaction|system|popen|rand|srand|random|drand48", []),
    ("sodium_init|getrandom", ["rng/sodium.c"]),
]

# Files whose switches are over plain numbers, and may have a `default:`.
PLAIN_SWITCHES = ["propagate/spmm_kernel.inc"]

# Generated functions live outside the entry file. The border has the names that hosts call
# (include/border.py); what it asks is called pvgi_entry_... in the objects.
GENERATED = {"pvg_constant_value": "constants.c.o", "pvg_learn_constant_value": "learn_constants.c.o"}
BORDER, ENTRY = "crossing.c.o", "pvgi_entry_"

# Writable memory of the library: name -> why it may be there.
STATE = {
    "allocator": "the set-once allocator",
    "allocator_state": "whether it is set",
    "log_hook": "the set-once hook for messages",
    "log_state": "whether it is set",
    "message": "the last failure, one per thread",
    "calls": "how many calls a thread is in, and the threads they have started, one per thread",
    "sodium_once": "whether libsodium was started",
    "blas": "the functions of the BLAS that was found, and its name",
    "blas_once": "whether it was looked for",
    "blas_lock": "of the two below",
    "blas_callers": "calls of ours that are in it",
    "blas_threads_of_host": "what the host had set before them",
}


def module_of_include(path, module):
    """Module that an include "path" in a file of `module` leads to; None if it is no module."""
    parts = path.split("/")
    if parts[0] == "privgraph" and len(parts) == 2:
        return parts[1][:-2]
    if len(parts) == 1 and path != "privgraph.h":
        return module
    return parts[0] if parts[0] in MODULES else None


def check_file(name, text):
    """Violations of one file; name is relative to lib/."""
    wrong = []
    module = name.split("/")[0]
    if module not in MODULES:
        return [f"{name}: '{module}' is no module"]
    uncommented = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)
    code = api.without_comments(text)
    for kind, target in re.findall(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', uncommented,
                                   flags=re.M):
        if kind == "<":
            if target in NAMED_HEADERS and name not in NAMED_HEADERS[target]:
                wrong.append(f"{name}: includes <{target}>, which only {NAMED_HEADERS[target]} may")
            if target.startswith("privgraph"):
                wrong.append(f"{name}: <{target}> should be a quoted module header")
            continue
        other = module_of_include(target, module)
        if other is None or other not in MODULES:
            wrong.append(f'{name}: "{target}" belongs to no module')
        elif MODULES.index(other) > MODULES.index(module):
            wrong.append(f'{name}: "{target}" belongs to the later module {other}')
        elif other in BANNED_INCLUDES.get(module, []):
            wrong.append(f'{name}: "{target}": {module} must not know {other}')
    if module in BANNED_NAMES:
        for used in sorted(set(re.findall(BANNED_NAMES[module], code))):
            wrong.append(f"{name}: {module} must not use {used}")
    for names, places in NAMED_CALLS:
        for used in sorted(set(re.findall(rf"(?<![\w.>])({names})\s*\(", code))):
            if not any(place in (module, name, f"{name}:{used}") for place in places):
                wrong.append(f"{name}: calls {used}()")
    if name not in PLAIN_SWITCHES and re.search(r"\bdefault\s*:", code):
        wrong.append(f"{name}: has a default: that guesses; name every case of the enum")
    for handle, first in re.findall(r"^struct (pvg_\w+) \{\s*([^;]*;)", code, flags=re.M):
        if first != "PVGI_HANDLE;":
            wrong.append(f"{name}: {handle} is a handle the border cannot tell from others; begin with PVGI_HANDLE")
    return wrong


def check_templates(name, text):
    """A file is code of its own, a header that may be included twice, or a body (.inc) that others parameterise by
    macros and include before any code, so that a reader finds all of it listed in one place."""
    wrong = []
    code = re.sub(r"\\\n", " ", re.sub(r"/\*.*?\*/", " ", text, flags=re.S))
    before = True
    for line in code.splitlines():
        included = re.match(r'\s*#\s*include\s*"([^"]+)"', line)
        if included and included[1].endswith(".c"):
            wrong.append(f"{name}: includes {included[1]}: a body ends in .inc")
        elif included and included[1].endswith(".inc") and not before:
            wrong.append(f"{name}: includes {included[1]} after code: bodies are listed first")
        before = before and (not line.strip() or line.lstrip().startswith("#"))
    guarded = re.match(r"\s*#\s*ifndef (\w+)\s*\n\s*#\s*define \1\s*\n", code)
    if name.endswith(".h") and not guarded:
        wrong.append(f"{name}: no guard: a header has one, a body ends in .inc")
    if name.endswith(".inc") and guarded:
        wrong.append(f"{name}: has a guard: a header ends in .h")
    if name.endswith(".h"):
        for function in re.findall(r"^static (?!inline\b)[^;={]*?(\w+)\([^;{]*\) *\{", code, flags=re.M):
            wrong.append(f"{name}: the body of {function}: static inline, or in a file of its own")
    return wrong


def check_entry_files(declared, defined, pending):
    """declared: {module: [function]}; defined: {object file: {global symbol}}."""
    wrong = []
    owner = {name: module for module, names in declared.items() for name in names}
    for member, names in sorted(defined.items()):
        module = member.split("_")[0]
        entry = re.fullmatch(f"{module}_{module}(_[a-z]+)?.c.o", member)
        for name in sorted(names):
            if member.endswith(BORDER):
                if name not in owner:
                    wrong.append(f"{member}: {name} is in no header")
                continue
            if name.startswith(ENTRY):
                name = "pvg_" + name[len(ENTRY):]
            if name in GENERATED:
                if not member.endswith(GENERATED[name]):
                    wrong.append(f"{name}: should be generated, is in {member}")
            elif entry and owner.get(name) != module:
                wrong.append(f"{member}: an entry file defines only its header's functions, not {name}")
            elif not entry and name.startswith("pvg_"):
                wrong.append(f"{member}: {name} belongs to an entry file")
            elif not entry and module != "base" and module in MODULES and \
                    not name.startswith(f"pvgi_{module}_"):
                wrong.append(f"{member}: {name} should be named pvgi_{module}_...")
    everywhere = {re.sub(f"^{ENTRY}", "pvg_", name) for names in defined.values() for name in names}
    for module, names in declared.items():
        if module not in pending:
            wrong += [f"{name}: declared in {module}.h, defined nowhere"
                      for name in names if name not in everywhere]
    return wrong


def check_shared(marked, entries, used, core):
    """marked: {name: header}; entries: those in the map; used: {name: object that calls it}, defined elsewhere; core:
    what libprivgraph defines."""
    wrong = [f"{marked[name]}: {name} is marked PVGI_SHARED, and libprivgraph-learn does not call it"
             for name in sorted(set(marked) - set(used))]
    wrong += [f"{name}: in the private version of the map, and libprivgraph-learn does not call it"
              for name in sorted(set(entries) - set(used))]
    for name, member in sorted(used.items()):
        if name.startswith("pvgi_") and name in core and name not in marked and name not in entries:
            wrong.append(f"{member}: calls {name} of libprivgraph, which is not marked PVGI_SHARED")
    return wrong


def check_state(table):
    """table: lines of objdump -t."""
    wrong = []
    for line in table:
        found = re.match(r"[0-9a-f]+ .{7} (\.(?:data|bss|tdata|tbss)(?!\.rel\.ro)\S*)\s+[0-9a-f]+ (.*)$",
                         line)
        if not found:
            continue
        name = found.group(2).split()[-1].split(".")[0]
        if not found.group(2).startswith(".") and name and name not in STATE:
            wrong.append(f"{name}: writable global state in {found.group(1)}")
    return wrong


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def self_test():
    cases = [
        ("rng/x.c", '#include "graph/graph_internal.h"', "later module"),
        ("rng/x.c", '#include "privgraph/io.h"', "later module"),
        ("graph/x.c", '#include "privgraph.h"', "no module"),
        ("graph/x.c", "#include <privgraph.h>", "quoted"),
        ("graph/x.c", '#include "cellar/x.h"', "no module"),
        ("cellar/x.c", "", "is no module"),
        ("mechanism/x.c", '#include "privgraph/graph.h"', "must not know graph"),
        ("sensitivity/x.c", '#include "density/density_internal.h"', "must not know density"),
        ("mechanism/x.c", "int f(const pvg_graph *g);", "must not use pvg_graph"),
        ("layer/x.c", '#include "privgraph/graph.h"', "must not know graph"),
        ("layer/x.c", "int f(const pvg_features *x);", "must not use pvg_features"),
        ("layer/x.c", '#include "density/density_internal.h"', "later module"),
        ("density/x.c", '#include "rng/rng_internal.h"', "must not know rng"),
        ("propagate/x.c", "void f(void) { pvgi_rng_fill(0); }", "must not use pvgi_rng_fill"),
        ("graph/x.c", "#include <sodium.h>", "<sodium.h>"),
        ("graph/x.c", "#  include <lapacke.h>", "<lapacke.h>"),
        ("graph/x.c", "#include <cblas.h>", "<cblas.h>"),
        ("graph/x.c", "FILE *f = fopen(0, 0);", "calls fopen"),
        ("graph/x.c", "void *p = mmap (0);", "calls mmap"),
        ("graph/x.c", "void *p = malloc(1);", "calls malloc"),
        ("base/run.c", "free(p);", "calls free"),
        ("io/x.c", "printf(x);", "calls printf"),
        ("io/x.c", "return getenv(x);", "calls getenv"),
        ("io/x.c", "abort();", "calls abort"),
        ("graph/x.c", "pthread_create(&t, 0, f, 0);", "calls pthread_create"),
        ("graph/x.c", "switch (x) { case 1: return 0; default: return 1; }", "a default: that guesses"),
        ("graph/x.h", "struct pvg_x {\n    int32_t a;\n};", "begin with PVGI_HANDLE"),
    ]
    for name, text, part in cases:
        wrong = check_file(name, text)
        assert any(part in line for line in wrong), (name, text, part, wrong)
    templates = [
        ("graph/x.c", '#include "a.h"\nint a;\n#include "x.inc"', "after code"),
        ("graph/x.inc", 'static int f(void) {\n}\n#include "x.inc"', "after code"),
        ("graph/x.c", '#include "y.c"', "ends in .inc"),
        ("graph/x.h", "int f(void);", "no guard"),
        ("graph/x.inc", "#ifndef X\n#define X\n#endif", "has a guard"),
        ("graph/x.h", "#ifndef X\n#define X\nstatic int32_t f(int a,\n             int b) {\n}\n#endif", "body of f"),
    ]
    for name, text, part in templates:
        wrong = check_templates(name, text)
        assert any(part in line for line in wrong), (name, text, part, wrong)
    for name, text in [
            ("graph/x.c", '/* why */\n#include "a.h"\n#define A(x) \\\n    x\n#include "x.inc"\n#undef A\n#include "x.inc"\nint a;'),
            ("graph/x.inc", "#ifndef HOLD\n#define HOLD(x)\n#endif\nint a;"),
            ("graph/x.h", "/* X */\n#ifndef X\n#define X\nstatic inline int f(void) {\n}\n#endif")]:
        assert check_templates(name, text) == [], (name, check_templates(name, text))
    for name, text in [
            ("io/x.c", '#include "graph/graph_internal.h"\n#include "io_internal.h"\n'
                       '#include "privgraph/base.h"\n#include <stdio.h>\nfopen(path);'),
            ("graph/x.c", '/* malloc(1), #include "io/x.h" */ "abort()"; allocator.release(free_it);'),
            ("base/memory.c", "#include <sodium.h>\nmalloc(1);"),
            ("graph/x.h", "struct pvg_x {\n    PVGI_HANDLE;\n    int32_t a;\n};"),
            ("graph/x.c", "options->open(1); x.write(2); pvgi_free(p); snprintf(0);")]:
        assert check_file(name, text) == [], (name, check_file(name, text))
    declared = {"base": ["pvg_a", "pvg_constant_value"], "rng": ["pvg_r"]}
    good = {"base_base.c.o": {"pvg_a"}, "base_in.c.o": {"pvgi_x"}, "rng_rng.c.o": {"pvg_r"},
            "rng_in.c.o": {"pvgi_rng_x"}, "constants.c.o": {"pvg_constant_value"}}
    assert check_entry_files(declared, good, []) == []
    assert check_entry_files(declared, {**good, "base_base.c.o": set(), "base_base_more.c.o": {"pvg_a"}}, []) == []
    for change, part in [
            ({"base_base.c.o": {"pvg_a", "pvgi_b"}}, "not pvgi_b"),
            ({"base_base.c.o": {"pvg_a", "pvg_r"}}, "not pvg_r"),
            ({"base_base.c.o": set(), "base_in.c.o": {"pvg_a"}}, "belongs to an entry file"),
            ({"base_base_more.c.o": {"pvg_r"}}, "not pvg_r"),
            ({"rng_in.c.o": {"pvgi_x"}}, "should be named pvgi_rng_"),
            ({"rng_in.c.o": {"pvgi_entry_r"}}, "belongs to an entry file"),
            ({"a_crossing.c.o": {"pvg_s"}}, "is in no header"),
            ({"rng_rng.c.o": set()}, "defined nowhere"),
            ({"base_base.c.o": {"pvg_a", "pvg_constant_value"}}, "should be generated")]:
        wrong = check_entry_files(declared, {**good, **change}, [])
        assert any(part in line for line in wrong), (change, part, wrong)
    assert check_entry_files(declared, {**good, "rng_rng.c.o": set()}, ["rng"]) == []
    used = {"pvgi_a": "learn_x.c.o", "pvg_f": "learn_x.c.o", "memcpy": "learn_x.c.o"}
    core, entry = {"pvgi_a", "pvgi_b", "pvgi_entry_f"}, {"pvgi_entry_f": "learn_y.c.o"}
    assert check_shared({"pvgi_a": "a.h"}, {"pvgi_entry_f"}, {**used, **entry}, core) == []
    for marked, more, part in [({}, {}, "not marked"), ({"pvgi_a": "a.h", "pvgi_b": "a.h"}, {}, "does not call it"),
                               ({"pvgi_a": "a.h"}, {"pvgi_b": "learn_y.c.o"}, "pvgi_b of libprivgraph"),
                               ({"pvgi_a": "a.h"}, entry, "pvgi_entry_f of libprivgraph")]:
        wrong = check_shared(marked, set(), {**used, **more}, core)
        assert any(part in line for line in wrong), (marked, more, part, wrong)
    assert "does not call it" in check_shared({"pvgi_a": "a.h"}, {"pvgi_entry_f"}, used, core)[0]
    state = "0000000000000000 l     O %s\t0000000000000008 %s"
    assert check_state([state % (".bss", "counter")]) != []
    assert check_state([state % (".tbss", "scratch.0")]) != []
    assert check_state([state % (".data", "x"), ]) != []
    assert check_state([state % (".data.rel.ro.local", "names.0"), state % (".bss", "allocator"),
                        state % (".rodata", "table")]) == []
    print(f"self-test: {len(cases) + len(templates) + 17} violations rejected")


def main():
    if "--self-test" in sys.argv:
        return self_test()
    arguments = sys.argv[1:]
    pending = arguments[arguments.index("--pending") + 1].split(",") if "--pending" in arguments else []
    root, *libraries = arguments[:arguments.index("--pending")] if "--pending" in arguments else arguments
    lib = os.path.join(root, "lib")
    files = [path for path in sorted(glob.glob(os.path.join(lib, "*", "**", "*.*"), recursive=True))
             if path.endswith((".c", ".h", ".inc"))]
    wrong = []
    for path in files:
        name, text = os.path.relpath(path, lib), api.read(path)
        wrong += check_file(name, text) + check_templates(name, text)
    for path in sorted(glob.glob(os.path.join(root, "tools", "*.[ch]"))):
        wrong += check_templates(os.path.relpath(path, root), api.read(path))
    declared = {}
    for path in glob.glob(os.path.join(root, "include", "privgraph", "*.h")):
        module = os.path.basename(path)[:-2]
        declared[module] = api.functions(api.read(path))
        if module not in MODULES:
            wrong.append(f"{module}.h: no such module")
    library_of = api.library_of(os.path.join(root, "include"))
    defined, own = {}, {}
    for library in libraries:
        for line in run("nm", "-A", "-g", "--defined-only", library).splitlines():
            where, _, name = line.rsplit(None, 2)
            defined.setdefault(where.split(":")[1], set()).add(name)
            own.setdefault(library, set()).add(name)
        wrong += check_state(run("objdump", "-t", library).splitlines())
    if len(libraries) > 1:
        used = {}
        for line in run("nm", "-A", "-u", libraries[1]).splitlines():
            where, _, name = line.rsplit(None, 2)
            if name not in own[libraries[1]]:
                used[name] = where.split(":")[1]
        wrong += check_shared(private.shared(root), private.entries(root), used, own[libraries[0]])
    else:
        declared = {module: names for module, names in declared.items() if library_of.get(module) == api.CORE}
    wrong += check_entry_files(declared, defined, pending)
    for line in wrong:
        print(line)
    print(f"{len(files)} files, {len(defined)} objects")
    sys.exit(1 if wrong or not files or not defined else 0)


if __name__ == "__main__":
    main()
