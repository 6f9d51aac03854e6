#!/usr/bin/env python3
"""scipy.sparse on the matrix that bench wrote.

usage: peers.py FILE COLUMNS BUDGET

Prints the median seconds of one product CSR times dense and the sum of absolute values of the result.
"""
import sys
import time

import numpy
import scipy.sparse


def main():
    with open(sys.argv[1], "rb") as file:
        order, entries = numpy.fromfile(file, dtype=numpy.int64, count=2)
        offsets = numpy.fromfile(file, dtype=numpy.int64, count=order + 1)
        columns = numpy.fromfile(file, dtype=numpy.int32, count=entries)
        values = numpy.fromfile(file, dtype=numpy.float64, count=entries)
    width, budget = int(sys.argv[2]), float(sys.argv[3])
    matrix = scipy.sparse.csr_matrix((values, columns, offsets.astype(numpy.int32)), shape=(order, order))
    number = (numpy.arange(order * width, dtype=numpy.uint64) * 2654435761) & 0xFFFFFFFF
    x = (number * 2.0**-32 - 0.5).reshape(order, width)
    del number
    matrix @ x
    seconds, start = [], time.perf_counter()
    while len(seconds) < 3 or (time.perf_counter() - start < budget and len(seconds) < 1000):
        begin = time.perf_counter()
        out = matrix @ x
        seconds.append(time.perf_counter() - begin)
    print(f"{sorted(seconds)[len(seconds) // 2]:.9g} {float(numpy.abs(out).sum()):.17g}")


if __name__ == "__main__":
    main()
