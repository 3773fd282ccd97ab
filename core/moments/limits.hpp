#pragma once

#include <cstdint>

namespace pm {

/// Maximum number of features of a study.
constexpr int kMaxFeatures = 1000;

/// Bits of the row grid: |q| <= 2^bits. With more, sums of products would not be exact in doubles;
/// with fewer, the constant coordinate would not be an integer.
constexpr int kMinBits = 14;
constexpr int kMaxBits = 24;

/// The constant coordinate a of every augmented row, in units of the row norm: a multiple of
/// 2^-kMinBits, with so few bits that the entry of the count, a^2 n, stays exact in doubles. Larger
/// ones make means more accurate and everything else less.
enum class Constant : std::uint64_t {
  kDefault = 11585,  ///< a^2 = .49998
  kCentred = 5181,   ///< a^2 = .09999, for rows close to their centre, whose means matter less
};

/// A = a 2^bits. Precondition: kMinBits <= bits <= kMaxBits.
constexpr std::uint64_t constantCoordinate(int bits, Constant constant = Constant::kDefault) {
  return std::uint64_t(constant) << (bits - kMinBits);
}

/// T, the largest squared length of an augmented integer row (A, q): 2^2b + A^2.
constexpr std::uint64_t augmentedNormSquared(int bits, Constant constant = Constant::kDefault) {
  const std::uint64_t a = constantCoordinate(bits, constant);
  return (std::uint64_t{1} << (2 * bits)) + a * a;
}

/// Directions are released in multiples of 2^-kDirectionBits.
constexpr int kDirectionBits = 16;

/// Entries of the packed upper triangle of an n x n matrix.
constexpr std::size_t packedSize(std::size_t n) { return n * (n + 1) / 2; }

}  // namespace pm
