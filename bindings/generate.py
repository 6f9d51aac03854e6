#!/usr/bin/env python3
"""Writes the lowest layer of the Rust and Julia bindings from the public headers (include/api.py),
so that no declaration is copied by hand.

usage: generate.py BINDINGS_FOLDER    (./dev abi-update does this)

The tests in test/bindings compare the results with privgraph_ffi.h through another parser.
"""
import os
import sys

INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "include")
sys.path.insert(0, INCLUDE)
import api  # noqa: E402

NUMBERS = {  # C: (Rust, Julia)
    "int8_t": ("i8", "Int8"), "uint8_t": ("u8", "UInt8"),
    "int32_t": ("i32", "Int32"), "uint32_t": ("u32", "UInt32"),
    "int64_t": ("i64", "Int64"), "uint64_t": ("u64", "UInt64"),
    "size_t": ("usize", "Csize_t"), "float": ("f32", "Cfloat"), "double": ("f64", "Cdouble"),
    "char": ("c_char", "Cchar"), "void": ("c_void", "Cvoid"),
}
RUST_WORDS = {"type", "move", "ref", "fn", "in", "match", "loop", "use", "where", "final"}


def rust_name(name):
    return f"r#{name}" if name in RUST_WORDS else name


def arrow(result):
    return "" if result["base"] == "void" and not result["pointers"] else f" -> {rust(result)}"


def rust(kind):
    if "function" in kind:
        inside = ", ".join(f"{one['name']}: {rust(one)}" for one in kind["function"]["parameters"])
        return f'Option<unsafe extern "C" fn({inside}){arrow(kind["function"]["result"])}>'
    text = NUMBERS.get(kind["base"], (kind["base"],))[0]
    for const in kind["pointers"]:
        text = f"*{'const' if const else 'mut'} {text}"
    return text


def julia(kind, hidden):
    """hidden: opaque structs and callbacks, which Julia sees as pointers to nothing."""
    if "function" in kind or (kind["base"] in hidden and not kind["pointers"]):
        return "Ptr{Cvoid}"
    if kind["base"] == "char" and len(kind["pointers"]) == 1:
        return "Ptr{UInt8}"  # text goes out as bytes of a String or a buffer
    text = "Cvoid" if kind["base"] in hidden else NUMBERS.get(kind["base"], ("", kind["base"]))[1]
    for _ in kind["pointers"]:
        text = f"Ptr{{{text}}}"
    return text


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_rust(found, path):
    out = ["// Made by bindings/generate.py from the C headers, which say what each declaration means.",
           "use std::os::raw::{c_char, c_void};", ""]
    for one in api.all_constants(found):
        kind = "i32" if -2 ** 31 <= one["value"] < 2 ** 31 else "i64"
        out.append(f"pub const {one['name']}: {kind} = {one['value']};")
    for one in api.each(found, "opaque"):
        out += ["", "#[repr(C)]", f"pub struct {one['name']} {{", "    _private: [u8; 0],", "}"]
    for one in api.each(found, "struct"):
        out += ["", "#[repr(C)]", "#[derive(Clone, Copy, Debug)]", f"pub struct {one['name']} {{"]
        out += [f"    pub {rust_name(field['name'])}: {rust(field)}," for field in one["fields"]] + ["}"]
        if one["fields"][0]["name"] == "size":
            out += ["", f"impl Default for {one['name']} {{",
                    "    /// All zero, which is all defaults, with the size filled in.",
                    "    fn default() -> Self {",
                    "        let mut it: Self = unsafe { std::mem::zeroed() };",
                    "        it.size = std::mem::size_of::<Self>() as u32;",
                    "        it", "    }", "}"]
    for one in api.each(found, "callback"):
        out += ["", f"pub type {one['name']} = {rust(one)};"]
    for library in api.LIBRARIES:
        # of what is not linked nothing can be called; types and constants do no harm
        out += ["", *(['#[cfg(feature = "learn")]'] if library == api.LEARN else []), 'extern "C" {']
        for one in api.each(api.only(found, library), "function"):
            inside = ", ".join(f"{rust_name(each['name'])}: {rust(each)}" for each in one["parameters"])
            out.append(f"    pub fn {one['name']}({inside}){arrow(one['result'])};")
        out.append("}")
    write(path, out)


def write_layout(found, path):
    """A program that prints what test/abi/layout.py's C program prints, as Rust sees it."""
    out = ["// Made by bindings/generate.py. Prints sizes, offsets and constants as Rust sees them; the",
           "// tests compare them with what the C compiler says.", "use privgraph_sys::*;",
           "use std::mem::{align_of, size_of, MaybeUninit};", "",
           "fn size_of_pointed<T>(_: *const T) -> usize {", "    size_of::<T>()", "}", "", "fn main() {"]
    for one in sorted(api.each(found, "struct"), key=lambda struct: struct["name"]):
        name = one["name"]
        out += [f'    println!("struct {name} {{}} {{}}", size_of::<{name}>(), align_of::<{name}>());',
                f"    let it = MaybeUninit::<{name}>::uninit();",
                "    let start = it.as_ptr();"]
        for field in one["fields"]:
            out += [f"    let at = unsafe {{ std::ptr::addr_of!((*start).{rust_name(field['name'])}) }};",
                    "    let offset = at as usize - start as usize;",
                    f'    println!("field {name}.{field["name"]} {{offset}} {{}}", size_of_pointed(at));']
    for one in api.all_constants(found):
        out.append(f'    println!("constant {one["name"]} {{{one["name"]}}}");')
    write(path, out + ["}"])


JULIA_LIBRARIES = {api.CORE: "libprivgraph", api.LEARN: "libprivgraph_learn"}  # constants of PrivGraph.jl


def write_julia(found, path):
    hidden = {one["name"] for one in api.each(found, "opaque") + api.each(found, "callback")}
    out = ["# Made by bindings/generate.py from the C headers, which say what each function means.", ""]
    out += [f"const {one['name']} = {one['value']}" for one in api.all_constants(found)]
    for one in api.each(found, "struct"):
        name, kinds = one["name"], [(field["name"], julia(field, hidden)) for field in one["fields"]]
        out += ["", f"struct {name}"] + [f"    {field}::{kind}" for field, kind in kinds] + ["end"]
        if kinds[0][0] == "size":
            keywords = ", ".join(f"{field} = {'C_NULL' if 'Ptr' in kind else 0}" for field, kind in kinds[1:])
            out += [f"{name}(; {keywords}) =",
                    f"    {name}(sizeof({name}){''.join(', ' + field for field, _ in kinds[1:])})"]
    for library, one in ((module["library"], one) for module in found["modules"] for one in module["items"]):
        if one["kind"] != "function":
            continue
        names = [each["name"] for each in one["parameters"]]
        kinds = ", ".join(julia(each, hidden) for each in one["parameters"]) + ("," if len(names) == 1 else "")
        out += ["", f"{one['name']}({', '.join(names)}) =",
                f"    ccall((:{one['name']}, {JULIA_LIBRARIES[library]}), {julia(one['result'], hidden)}, "
                f"({kinds}){''.join(', ' + name for name in names)})"]
    write(path, out)


def main():
    found, folder = api.load(INCLUDE), sys.argv[-1]
    write_rust(found, f"{folder}/rust/privgraph-sys/src/bindings.rs")
    write_layout(found, f"{folder}/rust/privgraph-sys/examples/layout.rs")
    write_julia(found, f"{folder}/julia/PrivGraph.jl/src/lib.jl")


if __name__ == "__main__":
    main()
