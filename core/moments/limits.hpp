#pragma once

#include <cstdint>

namespace pm {

/// The most features a study may have.
constexpr int kMaxFeatures = 1000;

/// The constant coordinate A = round(2^b / sqrt 2) of every augmented integer row, so that
/// a^2 = (A / 2^b)^2 is 1/2 to within 2^-b. Exact integer: A^2 is the integer nearest 2^(2b-1)
/// that a square reaches. Precondition: 1 <= bits <= 24.
constexpr std::uint64_t constantCoordinate(int bits) {
  const std::uint64_t target = std::uint64_t{1} << (2 * bits - 1);
  std::uint64_t root = 0;
  for (int bit = bits; bit >= 0; --bit) {
    const std::uint64_t candidate = root | std::uint64_t{1} << bit;
    if (candidate * candidate <= target) root = candidate;
  }
  const std::uint64_t below = target - root * root;
  const std::uint64_t above = (root + 1) * (root + 1) - target;
  return above < below ? root + 1 : root;
}

/// T, the largest squared length of an augmented integer row (A, q): 2^2b + A^2.
constexpr std::uint64_t augmentedNormSquared(int bits) {
  const std::uint64_t a = constantCoordinate(bits);
  return (std::uint64_t{1} << (2 * bits)) + a * a;
}

/// Entries of the packed upper triangle of an n x n matrix.
constexpr std::size_t packedSize(std::size_t n) { return n * (n + 1) / 2; }

}  // namespace pm
