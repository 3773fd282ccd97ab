#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/wipe.hpp"

namespace pm {

/// A whole number of any size, least significant word first; negative ones in two's complement.
/// Arithmetic is modulo 2^(64 size). Wiped on destruction, as digits of noise are private.
using Words = std::vector<std::uint64_t, WipingAllocator<std::uint64_t>>;

/// x += word 2^(64 from).
void addWord(Words& x, std::size_t from, std::uint64_t word);

/// x += y. Precondition: equal sizes, as for subtract.
void add(Words& x, const Words& y);

/// x -= y.
void subtract(std::span<std::uint64_t> x, std::span<const std::uint64_t> y);

void negate(Words& x);

inline bool isNegative(const Words& x) { return x.back() >> 63 != 0; }

/// x += a b, of whole numbers >= 0. Precondition: x.size() >= a.size() + b.size().
void addProduct(Words& x, std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

/// floor(x m 2^-shift + 1/2). Preconditions: shift >= 1, the result fits.
Int128 nearestOfProduct(Words x, std::uint64_t m, int shift);

/// floor(sqrt(x)). Precondition: x >= 0.
Words floorSqrt(Words x);

}  // namespace pm
