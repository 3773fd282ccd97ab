"""Makes reals.json: logarithms and square roots of doubles to 212 digits after the point, by decimal.

usage: python3 reals_reference.py > reals.json
"""

import decimal
import json
import random
import sys
from fractions import Fraction

decimal.getcontext().prec = 1200
BITS = 704  # 212 digits after the point
random.seed(5)


def floor_bits(value):
    """floor(value 2^BITS) in hexadecimal, with its sign."""
    scaled = (value * 2**BITS).to_integral_value(rounding=decimal.ROUND_FLOOR)
    return format(int(scaled), "x")


def exact(x):
    fraction = Fraction(x)
    return decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)


doubles = [1.0, 2.0, 0.5, 3.0, 10.0, 1 + 2**-52, 1 - 2**-53, 0.70710678, 0.70710677, 1.41421356, 2.0**1000, 2.0**-1000, 5e-324, sys.float_info.max]
doubles += [random.random() for _ in range(20)] + [random.lognormvariate(0, 100) for _ in range(20)]
doubles += [1 + random.uniform(-1, 1) * 2.0 ** -random.randrange(1, 50) for _ in range(15)]
cases = [{"x": x.hex(), "log": floor_bits(exact(x).ln()), "sqrt": floor_bits(exact(x).sqrt())} for x in doubles]
json.dump({"bits": BITS, "cases": cases}, sys.stdout, indent=1)
print()
