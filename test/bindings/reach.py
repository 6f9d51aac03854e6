#!/usr/bin/env python3
"""What each binding reaches of the library, and what it does not, with a reason for each.

usage: reach.py SOURCE_ROOT

Reads the hand-written files of a binding; generated declarations reach everything. Fails if a
function of the headers is neither used there nor on the list below, and if one on the list is used
after all: the lists only ever shrink, or say why not.
"""
import glob
import os
import re
import sys

WRAPPERS = {"Python": "bindings/python/privgraph/*.py", "Rust": "bindings/rust/privgraph/src/*.rs",
            "C++": "bindings/cpp/*.hpp", "Julia": "bindings/julia/PrivGraph.jl/src/PrivGraph.jl"}

ALLOCATOR = "once per process, before anything else: by the C function itself"
CONSTANTS = "constants are part of the declarations"
PARTS = "several processes draw one release: by C, which libprivgraph-mpi calls"
ADVICE = "advice for people: the tool and Python show it; others by the C function"
PAIR = "the version of the other library, as the loader sees to"
# Modules of which PrivGraph.jl has what the releases need and no more.
JULIA = [r"pvg_\w+_exact", r"pvg_(status|version|build|log)_\w+", r"pvg_(rng|graph|graphset|features|labels|lists)_\w+",
         r"pvg_(patterns|class|sampler|layers|density|propagate|sensitivity)_\w+",
         r"pvg_(curve|pld|gaussian|contractive|mechanism|noise|smooth|preview|advice|allocation|scaling|joint|format)_\w+",
         r"pvg_recommend_own", r"pvg_(notion|guarantee|ledger|perturber|kprop|statistic|embedder|propagator|query|composition|estimate|release)_\w+",
         r"pvg_(degrees|synthesis|network|dataset|model|trainer|directions|logistic|histogram|pipeline|attack|audit|reconstruction)_\w+"]
# What came to the library a moment ago. Whoever adds a function may leave its wrappers to the next
# change by naming it here, for all bindings; a release has none.
LATER = ["pvg_release_pay", "pvg_release_stack"]
# {binding: {reason: names or patterns}}
UNREACHED = {
    "Python": {
        "the allocator of the interpreter is not ours to change": ["pvg_allocator_set"],
        CONSTANTS: ["pvg_constant_value", "pvg_learn_constant_value"], PAIR: ["pvg_learn_version_string"],
        PARTS: [r"pvg_parts_\w+", "pvg_release_gather", r"pvg_csr_file_\w+"],
        "version_string tells the same": ["pvg_version_number"],
        "Query.parse(text).draw(...) is the same": ["pvg_release_draw_text"],
        "Sampler calls pvg_sampler_from_name, which takes the same settings": ["pvg_sampler_new"],
    },
    "Rust": {ADVICE: ["pvg_advice_copy_json"], ALLOCATOR: ["pvg_allocator_set"], CONSTANTS: ["pvg_constant_value", "pvg_learn_constant_value"], PAIR: ["pvg_learn_version_string"],
        PARTS: [r"pvg_parts_\w+", "pvg_release_gather", r"pvg_csr_file_\w+"]},
    "C++": {ADVICE: ["pvg_advice_copy_json"], ALLOCATOR: ["pvg_allocator_set"], CONSTANTS: ["pvg_constant_value", "pvg_learn_constant_value"], PAIR: ["pvg_learn_version_string"],
        PARTS: [r"pvg_parts_\w+", "pvg_release_gather", r"pvg_csr_file_\w+"]},
    "Julia": {
        ALLOCATOR: ["pvg_allocator_set"], CONSTANTS: ["pvg_constant_value", "pvg_learn_constant_value"], PAIR: ["pvg_learn_version_string"],
        PARTS: [r"pvg_parts_\w+", "pvg_release_gather", r"pvg_csr_file_\w+"],
        "not run here, so it stays small: what releases need; the rest by the declarations of lib.jl": JULIA,
    },
}


def unreached(root, names):
    """{binding: functions it does not name}. Python puts some names together: "pvg_rng_draw_" + law
    reaches all that begin so, _type + "_free" that of every type."""
    found = {}
    for binding, pattern in WRAPPERS.items():
        text = "".join(api.read(path) for path in sorted(glob.glob(os.path.join(root, pattern))))
        used = set(re.findall(r"\bpvg_\w+", text))
        used |= {kind + end for kind in re.findall(r'_type = "(pvg_\w+)"', text)
                 for end in re.findall(r'_type \+ "(_\w+)"', text)}
        starts = tuple(re.findall(r"\b(pvg_\w+_)[{\"']", text)) or ("none",)
        found[binding] = [name for name in names if name not in used and not name.startswith(starts)]
    return found


def main():
    root = sys.argv[1]
    names = sorted(item["name"] for item in api.each(api.load(os.path.join(root, "include")), "function"))
    wrong = 0
    for binding, missing in unreached(root, names).items():
        excused = [pattern for patterns in UNREACHED[binding].values() for pattern in patterns]
        print(f"{binding}: {len(names) - len(missing)} of {len(names)}; not: {', '.join(missing)}")
        for name in missing:
            if not any(re.fullmatch(pattern, name) for pattern in excused + LATER):
                print(f"  {name}: not reached, and no reason given")
                wrong += 1
        for pattern in excused:
            if binding != "Julia" and not any(re.fullmatch(pattern, name) for name in missing):
                print(f"  {pattern}: is reached; take it off the list")
                wrong += 1
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(sys.argv[1], "include"))
    import api
    sys.exit(main())
