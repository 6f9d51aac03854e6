#!/usr/bin/env python3
"""The shared library as a binding sees it: cffi parses privgraph_ffi.h and calls by name.

usage: test_ffi.py LIBRARY FFI_HEADER
"""
import re
import sys
import unittest

import cffi

LIBRARY, FFI_HEADER = sys.argv[1], sys.argv[2]
ffi = cffi.FFI()
with open(FFI_HEADER, encoding="utf-8") as file:
    DECLARATIONS = file.read()
ffi.cdef(DECLARATIONS)
pvg = ffi.dlopen(LIBRARY)


def message():
    return ffi.string(pvg.pvg_error_message()).decode()


class Base(unittest.TestCase):
    def test_header_is_plain(self):
        for word in ("#", "__attribute__", "__extension__", "PRIVGRAPH_API"):
            self.assertNotIn(word, DECLARATIONS)

    def test_version(self):
        text = ffi.string(pvg.pvg_version_string()).decode()
        major, minor, patch = map(int, text.split("."))
        self.assertEqual(pvg.pvg_version_number(), major * 1000000 + minor * 1000 + patch)

    def test_every_constant_has_a_function_twin(self):
        names = re.findall(r"\b(PVG_\w+)\s*=", DECLARATIONS)
        self.assertIn("PVG_E_INTERNAL", names)
        value = ffi.new("int64_t *")
        for name in names:
            self.assertEqual(pvg.pvg_constant_value(value, name.encode()), 0, name)
            self.assertEqual(value[0], getattr(pvg, name), name)

    def test_failure_leaves_output_and_message(self):
        value = ffi.new("int64_t *", 77)
        self.assertEqual(pvg.pvg_constant_value(value, b"PVG_NO_SUCH"), pvg.PVG_E_ARGUMENT)
        self.assertEqual(value[0], 77)
        self.assertIn("PVG_NO_SUCH", message())
        self.assertEqual(ffi.string(pvg.pvg_status_name(pvg.PVG_E_ARGUMENT)), b"PVG_E_ARGUMENT")

    def test_text_convention(self):
        length = ffi.new("size_t *")
        self.assertEqual(pvg.pvg_build_info_copy(ffi.NULL, 0, length), 0)
        text = ffi.new("char[]", length[0] + 1)
        self.assertEqual(pvg.pvg_build_info_copy(text, length[0], length), pvg.PVG_E_LIMIT)
        self.assertEqual(pvg.pvg_build_info_copy(text, length[0] + 1, length), 0)
        self.assertEqual(len(ffi.string(text)), length[0])


# What may cross the border besides pointers.
NUMBERS = {"int32_t", "uint32_t", "int64_t", "uint64_t", "uint8_t", "size_t", "double", "char"}


def border_faults(kind):
    """Why a type may not appear in the ABI: [] if it may."""
    if kind.kind == "function":
        faults = ["varargs"] if kind.ellipsis else []
        for part in (kind.result, *kind.args):
            faults += ["struct by value"] if part.kind in ("struct", "union") else border_faults(part)
        return faults
    if kind.kind == "pointer":
        # arrays of floats may cross, a single float may not
        return [] if kind.item.kind in ("void", "struct") or kind.item.cname == "float" \
            else border_faults(kind.item)
    if kind.kind == "primitive":
        return [] if kind.cname in NUMBERS else [kind.cname]
    return [] if kind.kind == "void" else [kind.kind]


class Border(unittest.TestCase):
    def test_functions(self):
        names = re.findall(r"\b(pvg_\w+)\s*\(", DECLARATIONS)
        self.assertGreater(len(names), 50)
        for name in names:
            if hasattr(pvg, name):
                self.assertEqual(border_faults(ffi.typeof(getattr(pvg, name))), [], name)

    def test_structs(self):
        """Every public struct can grow: size first, and no bit fields."""
        known = [ffi.typeof(name) for name in ffi.list_types()[0]]
        open_structs = [kind for kind in known if kind.kind == "struct" and kind.fields is not None]
        self.assertGreater(len(open_structs), 2)
        for kind in open_structs:
            first, info = kind.fields[0]
            self.assertEqual((first, info.type.cname), ("size", "uint32_t"), kind.cname)
            for field, info in kind.fields:
                self.assertEqual(info.bitsize, -1, field)
                self.assertEqual(border_faults(info.type), [], f"{kind.cname}.{field}")

    def test_the_rule_can_say_no(self):
        for text in ("int (*)(int32_t)", "int32_t (*)(int32_t, ...)", "float (*)(void)",
                     "int32_t (*)(pvg_run)", "int32_t (*)(long *)", "_Bool (*)(void)"):
            self.assertNotEqual(border_faults(ffi.typeof(text)), [], text)
        self.assertEqual(border_faults(ffi.typeof("int32_t (*)(pvg_graph **, double *)")), [])


class Noise(unittest.TestCase):
    def draw(self, seed, count=1000, sigma=1 << 20):
        rng, out = ffi.new("pvg_rng **"), ffi.new("int64_t[]", count)
        self.assertEqual(pvg.pvg_rng_new_seeded(rng, seed), 0, message())
        self.assertEqual(pvg.pvg_rng_draw_rounded_gaussian(out, count, sigma, rng[0]), 0, message())
        pvg.pvg_rng_free(rng[0])
        return list(out)

    def test_seeded_noise_repeats_and_has_its_scale(self):
        first = self.draw(7)
        self.assertEqual(first, self.draw(7))
        self.assertNotEqual(first, self.draw(8))
        root_mean_square = (sum(x * x for x in first) / len(first)) ** 0.5
        self.assertTrue(0.8 < root_mean_square / (1 << 20) < 1.2, root_mean_square)

    def test_secure_generator(self):
        rng, out = ffi.new("pvg_rng **"), ffi.new("uint8_t[]", 64)
        self.assertEqual(pvg.pvg_rng_new_secure(rng), 0, message())
        self.assertEqual(pvg.pvg_rng_is_secure(rng[0]), 1)
        self.assertEqual(pvg.pvg_rng_draw_bytes(out, 64, rng[0]), 0, message())
        self.assertNotEqual(bytes(out), bytes(64))
        pvg.pvg_rng_free(rng[0])


class Graph(unittest.TestCase):
    def test_edges_in_edges_out(self):
        edges = [(0, 1), (0, 2), (1, 2), (2, 3)]
        graph = ffi.new("pvg_graph **")
        sources = ffi.new("int64_t[]", [v for _, v in edges])
        targets = ffi.new("int64_t[]", [u for u, _ in edges])
        seen = []

        @ffi.callback("int32_t(void *, double)")
        def progress(_, fraction):
            seen.append(fraction)
            return 0

        run = ffi.new("pvg_run *", {"size": ffi.sizeof("pvg_run"), "threads": 2,
                                    "progress": progress})
        status = pvg.pvg_graph_from_edges(graph, 5, sources, targets, len(edges),
                                          pvg.PVG_EDGES_STRICT, run)
        self.assertEqual(status, 0, message())
        self.assertEqual((pvg.pvg_graph_order(graph[0]), pvg.pvg_graph_size(graph[0])), (5, 4))
        self.assertEqual([pvg.pvg_graph_degree(graph[0], v) for v in range(6)], [2, 2, 3, 1, 0, -1])
        out = ffi.new("int64_t[]", 4), ffi.new("int64_t[]", 4)
        self.assertEqual(pvg.pvg_graph_copy_edges(*out, graph[0]), 0, message())
        self.assertEqual(list(zip(*map(list, out))), edges)
        self.assertTrue(all(0 <= fraction <= 1 for fraction in seen))
        pvg.pvg_graph_free(graph[0])

    def test_large_blocks_are_left_out_of_core_dumps(self):
        """A graph of a million nodes: its pages have the flag while it lives, and not afterwards."""
        def left_out():
            pages, here = 0, 0
            with open("/proc/self/smaps", encoding="utf-8") as lines:
                for line in lines:
                    if line.startswith("Size:"):
                        here = int(line.split()[1])
                    elif line.startswith("VmFlags:") and "dd" in line.split():
                        pages += here
            return pages

        graph, before = ffi.new("pvg_graph **"), left_out()
        self.assertEqual(pvg.pvg_graph_new_cycle(graph, 1 << 20), 0, message())
        self.assertGreaterEqual(left_out() - before, (8 + 8) * 1024)  # offsets and columns, in KiB
        pvg.pvg_graph_free(graph[0])
        self.assertLessEqual(left_out(), before)

    def test_refusal_names_the_position(self):
        graph = ffi.new("pvg_graph **")
        sources, targets = ffi.new("int64_t[]", [0, 1]), ffi.new("int64_t[]", [1, 9])
        status = pvg.pvg_graph_from_edges(graph, 3, sources, targets, 2, 0, ffi.NULL)
        self.assertEqual(status, pvg.PVG_E_ARGUMENT)
        self.assertEqual(graph[0], ffi.NULL)
        self.assertIn("1", message())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
