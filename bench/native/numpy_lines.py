"""The protocol of lines.cpp with numpy. `version` answers with its version and its BLAS library."""

import sys
import time

import numpy


def numbers(rows, columns):
    """See algebra.hpp."""
    h = numpy.arange(rows * columns, dtype=numpy.uint32)
    h = (h ^ (h >> 16)) * numpy.uint32(0x85EBCA6B)
    h = (h ^ (h >> 13)) * numpy.uint32(0xC2B2AE35)
    h ^= h >> 16
    return ((h % 2001).astype(numpy.float64) - 1000).reshape(rows, columns)


def product_library():
    """The BLAS library that numpy uses, from this process's memory map."""
    with open("/proc/self/maps") as maps:
        names = {line.split("/")[-1].strip() for line in maps if "blas" in line.lower()}
    return ", ".join(sorted(names)) or "built in"


def gram(x):
    product = x.T @ x
    return product[0, 0] + product[0, -1] + product[-1, -1]


def eigen(matrix):
    values, _ = numpy.linalg.eigh(matrix)
    return values[-1]


work = None
for line in sys.stdin:
    command, *sizes = line.split()
    if command == "version":
        print(f"{numpy.__version__}, {product_library()}", flush=True)
    elif command == "gram":
        x = numbers(int(sizes[1]), int(sizes[0]))
        work = lambda x=x: gram(x)
        print("ready", flush=True)
    elif command == "eigen":
        d = int(sizes[0])
        x = numbers(2 * d, d)
        matrix = x.T @ x / (2 * d)
        work = lambda matrix=matrix: eigen(matrix)
        print("ready", flush=True)
    else:
        times = int(sizes[0])
        start = time.perf_counter()
        for _ in range(times):
            check = work()
        spent = (time.perf_counter() - start) * 1e3 / times
        print(f"{spent:.6f} {check:.17g}", flush=True)
