"""Canonical JSON (RFC 8785) and digests of it."""

import hashlib
import json
import math


def number(x):
    """A number as ECMAScript writes it."""
    if x == 0:
        return "0"
    if isinstance(x, int) and abs(x) < 2**53:
        return str(x)
    x = float(x)
    if not math.isfinite(x):
        raise ValueError("a number is not finite")
    sign = "-" if x < 0 else ""
    # repr has the shortest digits that mean the same double, as ECMAScript has.
    mantissa, _, exponent = repr(abs(x)).partition("e")
    whole, _, rest = mantissa.partition(".")
    digits = whole + rest
    point = len(whole) + int(exponent or 0)
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    power = f"e{point - 1:+d}"
    return sign + digits[0] + ("." + digits[1:] if count > 1 else "") + power


def canonical(value):
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(f"{canonical(key)}:{canonical(value[key])}" for key in keys) + "}"


def digest(value):
    return hashlib.sha256(canonical(value).encode()).hexdigest()
