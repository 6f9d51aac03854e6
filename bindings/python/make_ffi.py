#!/usr/bin/env python3
"""Writes the declarations of the C headers as a Python module that cffi reads without parsing C: an
out-of-line module in ABI mode. It is the same for every Python and machine; to use it takes cffi's
backend only.

usage: make_ffi.py OUTPUT INCLUDE
"""
import os
import runpy
import sys

import cffi


def write(path, include):
    """The module `path`, from the headers in the folder `include`."""
    builder = cffi.FFI()
    builder.set_source("privgraph." + os.path.splitext(os.path.basename(path))[0], None)
    builder.cdef(runpy.run_path(os.path.join(include, "api.py"))["declarations"](include))
    builder.emit_python_code(path)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2])
