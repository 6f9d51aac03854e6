#!/usr/bin/env python3
"""What each binding reaches of the library, and what it does not.

usage: reach.py SOURCE_ROOT

Prints the functions that none of the hand-written files of a binding uses. Fails if one of them is
something that every user of the binding needs (NEEDED): budgets, every perturber, every draw.
"""
import glob
import os
import re
import sys

# Hand-written wrappers; generated declarations reach everything.
WRAPPERS = {"Python": "bindings/python/privgraph/*.py", "Rust": "bindings/rust/privgraph/src/*.rs",
            "C++": "bindings/cpp/privgraph.hpp", "Julia": "bindings/julia/PrivGraph.jl/src/PrivGraph.jl"}
# Statistics and what is learnt from them have no wrappers outside Python yet.
NEEDED = (r"pvg_ledger_(new|create|open|free|object|charge|fits|copy_config|object_at|spent|remaining|copy_json)"
          r"|pvg_perturber_(new_\w+|guarantee|estimate_\w+)|pvg_release_draw_(?!statistic)\w+|pvg_release_view\w*"
          r"|pvg_guarantee_(epsilon|notion|holds|curve|copy_json|copy_text)")


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
        needed = [name for name in missing if re.fullmatch(NEEDED, name) and binding != "Julia"]
        print(f"{binding}: {len(names) - len(missing)} of {len(names)}; not: {', '.join(missing)}\n")
        wrong += len(needed)
        if needed:
            print(f"{binding} needs {', '.join(needed)}\n")
    return 1 if wrong or not names else 0


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(sys.argv[1], "include"))
    import api
    sys.exit(main())
