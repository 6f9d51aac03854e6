#!/usr/bin/env python3
"""The lowest layer of the Rust and Julia bindings against the C header.

usage: declarations.py SOURCE_ROOT LAYOUT_PROGRAM FFI_HEADER...
       declarations.py --self-test

cffi parses the header; the two bindings are read with regular expressions, each declaration on its
own, and compared by name, number of arguments and types. Nothing of bindings/generate.py is used,
except that its output must be what is committed. Julia is not run: Debian 12 has none.
"""
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile

import cffi

NUMBERS = {  # C: (Rust, Julia)
    "int8_t": ("i8", "Int8"), "uint8_t": ("u8", "UInt8"), "int32_t": ("i32", "Int32"),
    "uint32_t": ("u32", "UInt32"), "int64_t": ("i64", "Int64"), "uint64_t": ("u64", "UInt64"),
    "size_t": ("usize", "Csize_t"), "float": ("f32", "Cfloat"), "double": ("f64", "Cdouble"),
    "char": ("c_char", "Cchar"),
}


def rust_type(kind):
    """Without the difference between *const and *mut, which cffi does not keep."""
    if kind.kind == "function":  # how cffi calls a pointer to a function
        result = "" if kind.result.kind == "void" else " -> " + rust_type(kind.result)
        return "fn(" + ", ".join(map(rust_type, kind.args)) + ")" + result
    if kind.kind == "pointer":
        return "*" + rust_type(kind.item)
    if kind.kind == "void":
        return "c_void"
    return NUMBERS[kind.cname][0] if kind.kind == "primitive" else kind.cname


def julia_type(kind):
    if kind.kind == "function":
        return "Ptr{Cvoid}"
    if kind.kind == "pointer" and kind.item.cname == "char":
        return "Ptr{UInt8}"
    if kind.kind == "pointer":
        return "Ptr{" + julia_type(kind.item) + "}"
    if kind.kind == "void" or (kind.kind == "struct" and kind.fields is None):
        return "Cvoid"
    return NUMBERS[kind.cname][1] if kind.kind == "primitive" else kind.cname


def split(text):
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [part for part in parts + [text[start:].strip()] if part]


def plain_rust(text):
    """A Rust type as rust_type writes it."""
    text = re.sub(r"\*(const|mut) ", "*", text)
    text = re.sub(r'Option<unsafe extern "C" fn\((.*)\)( -> .*)?>', lambda found: "fn(" + ", ".join(
        part.split(": ", 1)[1] for part in split(found.group(1))) + ")" + (found.group(2) or ""), text)
    return text


def rust_functions(text):
    found = {}
    for name, inside, result in re.findall(r"pub fn (\w+)\((.*)\)(?: -> ([^;()]+))?;$", text,
                                           flags=re.M):
        kinds = [plain_rust(part.split(": ", 1)[1]) for part in split(inside)]
        found[name] = (kinds, plain_rust(result or "void"))
    for name, kind in re.findall(r"pub type (\w+) = (.*);", text):
        for function in found.values():
            function[0][:] = [plain_rust(kind) if each == name else each for each in function[0]]
    return found


def julia_functions(text):
    """Every ccall, its declared arguments, and how many values it passes."""
    found = {}
    for call in re.finditer(r"^(\w+)\((.*)\) =\n    ccall\(\(:(\w+), libprivgraph(?:_learn)?\), (\S+), \((.*?)\)((?:, \w+)*)\)$",
                            text, flags=re.M):
        wrapper, names, name, result, kinds, values = call.groups()
        if wrapper != name or split(names) != split(values):
            sys.exit(f"{wrapper}: passes ({values}) for ({names}) to {name}")
        found[name] = (split(kinds), result)
    if text.count("ccall(") != len(found):
        sys.exit(f"{text.count('ccall(')} ccalls, {len(found)} understood")
    return found


def compare(header, rust, julia):
    """Messages about what differs."""
    ffi = cffi.FFI()
    ffi.cdef(header)
    wrong = []
    names = re.findall(r"\b(pvg_\w+)\s*\(", re.sub(r"\(\*.*?\)\s*\(", "", header))
    rust_found, julia_found = rust_functions(rust), julia_functions(julia)
    rust_lines = dict(re.findall(r"pub fn (\w+)\((.*)\)(?: -> [^;()]+)?;$", rust, flags=re.M))
    declared = {found.group(1): found for found in (
        re.search(r"\b(pvg_\w+)\s*\((.*)\)$", each.strip(), flags=re.S)
        for each in re.sub(r"\{[^{}]*\}", "", header).split(";")) if found}
    # all of them in one struct: cffi takes long to begin to parse, however little it is
    ffi.cdef("struct every_function {" + "".join(
        found.string[:found.start()] + f"(*{name})({found.group(2)});" for name, found in declared.items()) + "};")
    kinds = {field: info.type for field, info in ffi.typeof("struct every_function").fields}
    for name in names:
        kind = kinds[name]
        want = ([rust_type(each) for each in kind.args],
                "void" if kind.result.kind == "void" else rust_type(kind.result))
        if rust_found.get(name) != want:
            wrong.append(f"Rust {name}: {rust_found.get(name)}, header says {want}")
        want = ([julia_type(each) for each in kind.args], julia_type(kind.result))
        if julia_found.get(name) != want:
            wrong.append(f"Julia {name}: {julia_found.get(name)}, header says {want}")
        inside = declared[name].group(2)
        parameters = [] if inside.strip() == "void" else split(inside)
        for parameter, mine in zip(parameters, split(rust_lines.get(name, ""))):
            first = mine.split(": ", 1)[1]
            if "*" in parameter and "(" not in parameter:
                # the innermost pointer is the one a leading const speaks about
                innermost = re.findall(r"\*(const|mut)", first)[-1:]
                if (innermost == ["const"]) != parameter.startswith("const "):
                    wrong.append(f"Rust {name}: {mine} for {parameter}")
    for mine, language in ((rust_found, "Rust"), (julia_found, "Julia")):
        wrong += [f"{language} {name}: not in the header" for name in set(mine) - set(names)]
    for name, fields in re.findall(r"^struct (\w+)\n((?:    \w+::\S+\n)*)end", julia, flags=re.M):
        kind = ffi.typeof(name)
        want = [(field, julia_type(info.type)) for field, info in kind.fields]
        if re.findall(r"(\w+)::(\S+)", fields) != want:
            wrong.append(f"Julia struct {name} differs")
    stated = dict(re.findall(r"^const (\w+) = (-?\d+)$", julia, flags=re.M))
    for name, value in re.findall(r"\b(PVG_\w+)\s*=\s*(-?\w+)", header):
        if stated.get(name) is None or int(stated[name]) != int(value, 0):
            wrong.append(f"Julia {name}: {stated.get(name)}, header says {value}")
    return wrong


def libraries(ffi_headers, rust, julia):
    """Functions that are asked of the wrong library."""
    parts = re.split(r'#\[cfg\(feature = "learn"\)\]\nextern', rust)
    wrong = [] if len(parts) == 2 else ["Rust: functions of libprivgraph-learn are not apart"]
    for header, library, part in zip(ffi_headers, ("libprivgraph", "libprivgraph_learn"), parts):
        for name in re.findall(r"\b(pvg_\w+)\s*\(", re.sub(r"\(\*.*?\)\s*\(", "", read(header))):
            if f"ccall((:{name}, {library})," not in julia:
                wrong.append(f"Julia {name}: is of {library}")
            if f"pub fn {name}(" not in part:
                wrong.append(f"Rust {name}: is of {library}")
    return wrong


def arguments_at(text, start):
    """How many arguments the call whose parenthesis opens at start has."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            inside = text[start + 1:at]
            inside = re.sub(r"\[[^\[\]]*\]", "[]", inside)
            return len(split(inside))
    return -1


def julia_calls(module, julia):
    """Calls of the hand-written module into lib.jl that pass a wrong number of arguments."""
    known = {name: len(kinds) for name, (kinds, _) in julia_functions(julia).items()}
    structs = set(re.findall(r"^struct (\w+)", julia, flags=re.M))
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', re.sub(r"^\s*#.*$", "", module, flags=re.M))
    wrong = []
    for call in re.finditer(r"\b(pvg_\w+)\(", code):
        name = call.group(1)
        if name in structs or name not in known:
            wrong += [] if name in structs or name.endswith("_") else [f"PrivGraph.jl: no function {name}"]
        elif arguments_at(code, call.end() - 1) != known[name]:
            wrong.append(f"PrivGraph.jl: {name} takes {known[name]} arguments")
    for name in set(re.findall(r"\bPVG_\w+", code)):
        if not re.search(rf"^const {name} =", julia, flags=re.M):
            wrong.append(f"PrivGraph.jl: no constant {name}")
    for name in set(re.findall(r":(pvg_\w+_free)\b", code)):
        if name not in known:
            wrong.append(f"PrivGraph.jl: no function {name}")
    return wrong


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


GENERATED = ["rust/privgraph-sys/src/bindings.rs", "rust/privgraph-sys/examples/layout.rs",
             "julia/PrivGraph.jl/src/lib.jl"]


def committed_is_current(source):
    """The committed files are what the generator makes today."""
    with tempfile.TemporaryDirectory() as work:
        for path in GENERATED:
            os.makedirs(os.path.join(work, os.path.dirname(path)), exist_ok=True)
        subprocess.run([sys.executable, os.path.join(source, "bindings", "generate.py"), work], check=True)
        return [f"bindings/{path} is not current: run ./dev abi-update" for path in GENERATED
                if not filecmp.cmp(os.path.join(work, path), os.path.join(source, "bindings", path),
                                   shallow=False)]


def rust_layout(source, layout_program):
    """Sizes, offsets and constants as rustc sees them."""
    if not shutil.which("cargo"):
        print("no cargo here: the layout in Rust is not checked")
        return []
    expected = subprocess.run([layout_program], check=True, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory() as work:
        # the program only needs the crate's declarations, not the library
        program = os.path.join(work, "layout")
        crate = os.path.join(source, "bindings", "rust", "privgraph-sys")
        library = os.path.join(work, "libprivgraph_sys.rlib")
        subprocess.run(["rustc", "--edition=2021", "--crate-type=rlib", "--crate-name=privgraph_sys",
                        "-o", library, os.path.join(crate, "src", "lib.rs")], check=True)
        subprocess.run(["rustc", "--edition=2021", "--extern", f"privgraph_sys={library}", "-o", program,
                        os.path.join(crate, "examples", "layout.rs")], check=True)
        found = subprocess.run([program], check=True, stdout=subprocess.PIPE, text=True).stdout
    return sorted(set(expected.splitlines()) ^ set(found.splitlines()))


def self_test():
    header = ("enum { PVG_X = 3 };\ntypedef struct pvg_a pvg_a;\ntypedef struct pvg_b { uint32_t size; double x; } pvg_b;\n"
              "int32_t pvg_f(pvg_a **out, const pvg_b *b, const char *name);\nvoid pvg_g(pvg_a *a);\n"
              "int32_t pvg_h(int32_t (*go)(void *context, double x));\n")
    rust = ('pub fn pvg_f(out: *mut *mut pvg_a, b: *const pvg_b, name: *const c_char) -> i32;\n'
            'pub fn pvg_g(a: *mut pvg_a);\n'
            'pub fn pvg_h(go: Option<unsafe extern "C" fn(context: *mut c_void, x: f64) -> i32>) -> i32;\n')
    julia = ("const PVG_X = 3\nstruct pvg_b\n    size::UInt32\n    x::Cdouble\nend\n"
             "pvg_f(out, b, name) =\n    ccall((:pvg_f, libprivgraph), Int32, (Ptr{Ptr{Cvoid}}, Ptr{pvg_b}, Ptr{UInt8}), out, b, name)\n"
             "pvg_g(a) =\n    ccall((:pvg_g, libprivgraph), Cvoid, (Ptr{Cvoid},), a)\n"
             "pvg_h(go) =\n    ccall((:pvg_h, libprivgraph), Int32, (Ptr{Cvoid},), go)\n")
    assert compare(header, rust, julia) == [], compare(header, rust, julia)
    for old, new in [("b: *const pvg_b", "b: *mut pvg_b"), ("-> i32;\npub fn pvg_g", ";\npub fn pvg_g"),
                     ("a: *mut pvg_a", "a: i32"), ("x: f64", "x: f32"), ("pvg_g(", "pvg_gg("),
                     (", name: *const c_char", "")]:
        assert old in rust and compare(header, rust.replace(old, new), julia), old
    for old, new in [("Cvoid, (Ptr{Cvoid},), a", "Int32, (Ptr{Cvoid},), a"), ("x::Cdouble", "x::Cfloat"),
                     ("PVG_X = 3", "PVG_X = 4"), ("Ptr{pvg_b}, Ptr", "Ptr{Cvoid}, Ptr")]:
        assert old in julia and compare(header, rust, julia.replace(old, new)), old
    module = "check(pvg_f(out, Ref(b), String(name)))\nx = PVG_X\n"
    assert julia_calls(module, julia) == [], julia_calls(module, julia)
    for old, new in [(", String(name)", ""), ("PVG_X", "PVG_Y"), ("pvg_f", "pvg_q")]:
        assert julia_calls(module.replace(old, new), julia), old
    print("self-test: 13 wrong declarations noticed")


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    source, layout_program, *ffi_headers = sys.argv[1:]
    bindings = os.path.join(source, "bindings")
    wrong = libraries(ffi_headers, read(bindings, GENERATED[0]), read(bindings, GENERATED[2]))
    if len(ffi_headers) < 2:
        print("-Dlearn=false: there is no header of libprivgraph-learn to compare with")
        return 1 if wrong else 0
    wrong += compare("".join(map(read, ffi_headers)), read(bindings, GENERATED[0]), read(bindings, GENERATED[2]))
    wrong += julia_calls(read(bindings, "julia/PrivGraph.jl/src/PrivGraph.jl"), read(bindings, GENERATED[2]))
    wrong += committed_is_current(source)
    wrong += rust_layout(source, layout_program)
    for line in wrong:
        print(line)
    return 1 if wrong else print("bindings agree with the header")


if __name__ == "__main__":
    sys.exit(main())
