#!/usr/bin/env python3
"""Writes the lowest layer of the Rust and Julia bindings from privgraph_ffi.h, so that no
declaration is copied by hand.

usage: generate.py FFI_HEADER BINDINGS_FOLDER    (./dev abi-update does this)

The header holds plain declarations in a narrow style: enums with values, structs, opaque
structs, pointers to functions, prototypes. Anything else stops the generator. The tests in
test/bindings compare the results with the header through another parser.
"""
import re
import sys

NUMBERS = {  # C: (Rust, Julia)
    "int8_t": ("i8", "Int8"), "uint8_t": ("u8", "UInt8"),
    "int32_t": ("i32", "Int32"), "uint32_t": ("u32", "UInt32"),
    "int64_t": ("i64", "Int64"), "uint64_t": ("u64", "UInt64"),
    "size_t": ("usize", "Csize_t"), "float": ("f32", "Cfloat"), "double": ("f64", "Cdouble"),
    "char": ("c_char", "Cchar"), "void": ("c_void", "Cvoid"),
}


class Type:
    """A base name, the constness of what each pointer level points to (innermost first), or a
    pointer to a function."""

    def __init__(self, base, pointers=(), function=None):
        self.base, self.pointers, self.function = base, list(pointers), function

    def rust(self):
        if self.function:
            result, parameters = self.function
            arrow = "" if result.is_void() else f" -> {result.rust()}"
            inside = ", ".join(f"{name}: {kind.rust()}" for name, kind in parameters)
            return f'Option<unsafe extern "C" fn({inside}){arrow}>'
        text = NUMBERS[self.base][0] if self.base in NUMBERS else self.base
        for const in self.pointers:
            text = f"*{'const' if const else 'mut'} {text}"
        return text

    def julia(self, opaque):
        if self.function:
            return "Ptr{Cvoid}"
        text = NUMBERS[self.base][1] if self.base in NUMBERS else self.base
        if self.base in opaque:
            text = "Cvoid"
        if self.base == "char" and len(self.pointers) == 1:
            return "Ptr{UInt8}"  # text goes out as bytes of a String or a buffer
        for _ in self.pointers:
            text = f"Ptr{{{text}}}"
        return text

    def is_void(self):
        return self.base == "void" and not self.pointers and not self.function


def split(text):
    """Parts between commas that are not inside parentheses."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def declarator(text, callbacks):
    """(name, Type) of 'const double *values' or 'int32_t (*load)(void *context)'."""
    pointer = re.fullmatch(r"(.*?)\(\s*\*\s*(\w+)\s*\)\s*\((.*)\)", text, flags=re.S)
    if pointer:
        result = declarator(pointer.group(1) + " result", callbacks)[1]
        return pointer.group(2), Type("", function=(result, parameters(pointer.group(3), callbacks)))
    words = re.findall(r"\w+|\*|\[.*?\]", text)
    name = words.pop()
    if name in ("*",) or name.startswith("[") or not words:
        sys.exit(f"generate.py: cannot read '{text}'")
    const = False
    base, pointers = None, []
    for word in words:
        if word == "const":
            if pointers:
                sys.exit(f"generate.py: constant pointer in '{text}'")
            const = True
        elif word == "*":
            pointers.append(const)
            const = False
        elif base is None:
            base = word
        else:
            sys.exit(f"generate.py: two types in '{text}'")
    if base in callbacks and not pointers:
        return name, callbacks[base]
    return name, Type(base, pointers)


def fields(text, callbacks):
    """[(name, Type)] of 'int32_t low, high' or one declarator."""
    first, *more = split(text)
    name, kind = declarator(first, callbacks)
    if more and (kind.pointers or kind.function):
        sys.exit(f"generate.py: cannot read '{text}'")
    return [(name, kind)] + [(each, kind) for each in more]


def parameters(text, callbacks):
    if text.strip() == "void":
        return []
    return [declarator(part, callbacks) for part in split(text)]


def parse(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = {"constants": [], "opaque": [], "structs": [], "callbacks": {}, "functions": []}
    # Declarations end at a semicolon outside braces.
    start = depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter != ";" or depth:
            continue
        one = text[start:at].strip()
        start = at + 1
        enum = re.fullmatch(r"enum\s*\{(.*)\}", one, flags=re.S)
        struct = re.fullmatch(r"typedef struct (\w+)\s*\{(.*)\}\s*\1", one, flags=re.S)
        opaque = re.fullmatch(r"typedef struct (\w+) \1", one)
        callback = re.fullmatch(r"typedef (.*)", one, flags=re.S)
        function = re.fullmatch(r"(.*?)(\w+)\s*\((.*)\)", one, flags=re.S)
        if enum:
            for item in split(enum.group(1)):
                name, value = item.split("=")
                found["constants"].append((name.strip(), int(value.strip(), 0)))
        elif struct:
            inside = [field for part in struct.group(2).split(";") if part.strip()
                      for field in fields(part.strip(), found["callbacks"])]
            found["structs"].append((struct.group(1), inside))
        elif opaque:
            found["opaque"].append(opaque.group(1))
        elif callback:
            name, kind = declarator(callback.group(1), found["callbacks"])
            found["callbacks"][name] = kind
        elif function:
            result = declarator(function.group(1) + " result", found["callbacks"])[1]
            found["functions"].append((function.group(2), result,
                                       parameters(function.group(3), found["callbacks"])))
        else:
            sys.exit(f"generate.py: cannot read '{one}'")
    return found


RUST_WORDS = {"type", "move", "ref", "fn", "in", "match", "loop", "use", "where", "final"}


def rust_name(name):
    return f"r#{name}" if name in RUST_WORDS else name


def write_rust(found, path):
    out = ["// Made by bindings/generate.py from privgraph_ffi.h. What each declaration means stands in",
           "// the C headers.", "use std::os::raw::{c_char, c_void};", ""]
    for name, value in found["constants"]:
        kind = "i32" if -2 ** 31 <= value < 2 ** 31 else "i64"
        out.append(f"pub const {name}: {kind} = {value};")
    for name in found["opaque"]:
        out += ["", "#[repr(C)]", f"pub struct {name} {{", "    _private: [u8; 0],", "}"]
    for name, inside in found["structs"]:
        out += ["", "#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {name} {{"]
        out += [f"    pub {rust_name(field)}: {kind.rust()}," for field, kind in inside] + ["}"]
        if inside[0][0] == "size":
            out += ["", f"impl Default for {name} {{",
                    "    /// All zero, which is all defaults, with the size filled in.",
                    "    fn default() -> Self {",
                    "        let mut it: Self = unsafe { std::mem::zeroed() };",
                    "        it.size = std::mem::size_of::<Self>() as u32;",
                    "        it", "    }", "}"]
    for name, kind in found["callbacks"].items():
        out += ["", f"pub type {name} = {kind.rust()};"]
    out += ["", 'extern "C" {']
    for name, result, arguments in found["functions"]:
        arrow = "" if result.is_void() else f" -> {result.rust()}"
        inside = ", ".join(f"{rust_name(each)}: {kind.rust()}" for each, kind in arguments)
        out.append(f"    pub fn {name}({inside}){arrow};")
    out += ["}", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def write_layout(found, path):
    """A program that prints what test/abi/layout.py's C program prints, as Rust sees it."""
    out = ["// Made by bindings/generate.py. Prints sizes, offsets and constants as Rust sees them; the",
           "// tests compare them with what the C compiler says.", "use privgraph_sys::*;",
           "use std::mem::{align_of, size_of, MaybeUninit};", "",
           "fn size_of_pointed<T>(_: *const T) -> usize {", "    size_of::<T>()", "}", "", "fn main() {"]
    for name, inside in sorted(found["structs"]):
        out += [f'    println!("struct {name} {{}} {{}}", size_of::<{name}>(), align_of::<{name}>());',
                f"    let it = MaybeUninit::<{name}>::uninit();",
                "    let start = it.as_ptr();"]
        for field, _ in inside:
            out += [f"    let at = unsafe {{ std::ptr::addr_of!((*start).{rust_name(field)}) }};",
                    f'    let offset = at as usize - start as usize;',
                    f'    println!("field {name}.{field} {{offset}} {{}}", size_of_pointed(at));']
    for name, _ in found["constants"]:
        out.append(f'    println!("constant {name} {{{name}}}");')
    out += ["}", ""]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def write_julia(found, path):
    opaque = set(found["opaque"])
    out = ["# Made by bindings/generate.py from privgraph_ffi.h. What each function means stands in",
           "# the C headers.", ""]
    for name, value in found["constants"]:
        out.append(f"const {name} = {value}")
    for name, inside in found["structs"]:
        out += ["", f"struct {name}"]
        out += [f"    {field}::{kind.julia(opaque)}" for field, kind in inside] + ["end"]
        if inside[0][0] == "size":
            keywords = ", ".join(f"{field} = {'C_NULL' if 'Ptr' in kind.julia(opaque) else 0}"
                                 for field, kind in inside[1:])
            values = "".join(f", {field}" for field, _ in inside[1:])
            out += [f"{name}(; {keywords}) =", f"    {name}(sizeof({name}){values})"]
    for name, result, arguments in found["functions"]:
        names = ", ".join(each for each, _ in arguments)
        kinds = ", ".join(kind.julia(opaque) for _, kind in arguments)
        kinds += "," if len(arguments) == 1 else ""
        values = "".join(f", {each}" for each, _ in arguments)
        out += ["", f"{name}({names}) =",
                f"    ccall((:{name}, libprivgraph), {result.julia(opaque)}, ({kinds}){values})"]
    out.append("")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = parse(file.read())
    folder = sys.argv[2]
    write_rust(found, f"{folder}/rust/privgraph-sys/src/bindings.rs")
    write_layout(found, f"{folder}/rust/privgraph-sys/examples/layout.rs")
    write_julia(found, f"{folder}/julia/PrivGraph.jl/src/lib.jl")


if __name__ == "__main__":
    main()
