#!/bin/sh
# No floating-point function and no other generator may take part before the noise is in: the
# sampler's object code must contain no floating-point arithmetic at all, the quantiser's and the
# Gram matrix's nothing but plus, times, divided by, square root and truncation.
#
# Usage: no_floating_point.sh ARCHIVE NM OBJDUMP      (static library of the core)
set -eu

archive=$1
nm=$2
objdump=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$archive" "$folder/core.a"
cd "$folder"

fail() {
  echo "no_floating_point: $1" >&2
  exit 1
}

# What an object file asks other files for, one plain name a line.
undefined_of() {
  "$nm" --undefined-only --demangle core.a | awk -v member="$1:" '
    /^[^ ].*:$/ { inside = ($0 == member); next }
    inside && NF { sub(/^ *[Uwv] /, ""); print }'
}

forbidden='^(std::)?(exp|log|pow|rand|erfc?|lgamma|tgamma|sin|cos|random|drand48)(2|10|m1|1p|f|l|_r)?(@.*|\(.*)?$'

# The check can see: this file does use exp, and is found to.
undefined_of zcdp.cpp.o | grep -Eq "$forbidden" ||
  fail "cannot see that zcdp.cpp uses exp; the check would find nothing"

for member in chacha20.cpp.o drbg.cpp.o block_table.cpp.o discrete_gaussian.cpp.o \
  discrete_laplace.cpp.o entropy.cpp.o system_entropy.cpp.o encoding.cpp.o quantiser.cpp.o \
  gram.cpp.o gram_kernel.cpp.o intake.cpp.o survey.cpp.o masked.cpp.o correlated.cpp.o; do
  "$nm" core.a 2>/dev/null | grep -qx "$member:" || fail "$member is not in the library"
  found=$(undefined_of "$member" | grep -E "$forbidden" || true)
  [ -z "$found" ] || fail "$member uses $found"
done

# Floating-point arithmetic and conversions; moves and bit operations are not arithmetic.
case $(uname -m) in
  x86_64) arithmetic='\b(v?(add|sub|mul|div|sqrt|min|max|u?comi|round)[sp][sd]|v?cvt[a-z0-9]*|vfn?m(add|sub)[a-z0-9]*|f(ld|add|mul|div|ild)[a-z]*)\b' ;;
  aarch64) arithmetic='\b(fn?m?(add|sub|mul|div|sqrt|adda?|madd|msub|cmpe?)|[su]cvtf|fcvt[a-z]*)\b' ;;
  *) fail "teach this check the floating-point instructions of $(uname -m)" ;;
esac
disassembly_of() {
  ar p core.a "$1" >"$1"
  "$objdump" -d --no-show-raw-insn "$1"
}
disassembly_of quantiser.cpp.o | grep -Eqw "$arithmetic" ||
  fail "cannot see the floating-point arithmetic of quantiser.cpp; the check would find nothing"
for member in chacha20.cpp.o drbg.cpp.o block_table.cpp.o discrete_gaussian.cpp.o \
  discrete_laplace.cpp.o correlated.cpp.o; do
  found=$(disassembly_of "$member" | grep -Ew "$arithmetic" | head -n 3 || true)
  [ -z "$found" ] || fail "floating-point arithmetic in $member: $found"
done
