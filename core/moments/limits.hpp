#pragma once

#include <cstdint>

namespace pm {

/// Maximum number of features of a study.
constexpr int kMaxFeatures = 1000;

/// Bits of the row grid: |q| <= 2^bits. With more, sums of products would not be exact in doubles;
/// with fewer, the constant coordinate would not be an integer.
constexpr int kMinBits = 14;
constexpr int kMaxBits = 24;

/// The constant coordinate A of every augmented integer row: a = A / 2^bits = 11585/16384, which is
/// 1/sqrt 2 to 14 bits (a^2 = 0.49998). It has few bits so that the entry of the count, a^2 n,
/// stays exact in doubles. Precondition: kMinBits <= bits <= kMaxBits.
constexpr std::uint64_t constantCoordinate(int bits) {
  return std::uint64_t{11585} << (bits - kMinBits);
}

/// T, the largest squared length of an augmented integer row (A, q): 2^2b + A^2.
constexpr std::uint64_t augmentedNormSquared(int bits) {
  const std::uint64_t a = constantCoordinate(bits);
  return (std::uint64_t{1} << (2 * bits)) + a * a;
}

/// Entries of the packed upper triangle of an n x n matrix.
constexpr std::size_t packedSize(std::size_t n) { return n * (n + 1) / 2; }

}  // namespace pm
