#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pm {

/// Rounds a row to the grid: q_i is about 2^bits x_i / row_norm, an integer held in a double, with
/// sum q_i^2 <= 2^(2 bits) verified in integers. Returns that sum.
///
/// 1. A NaN or infinite x_i makes the row zero (a rule of this row alone).
/// 2. q_i = round to nearest even of x_i / max(row_norm, max|x_i|) * 2^bits.
/// 3. If the integer squared length exceeds 2^(2 bits), the q_i are scaled back, towards zero.
///
/// Only IEEE add, multiply, divide, square root and integers are used, so every platform returns
/// the same integers. SIMD operations work cell by cell, and their only reductions, a maximum and a
/// sum of integers, are exact in any order, so the alignment of the row does not matter.
/// Preconditions: row_norm > 0 finite, 1 <= bits <= 24, x.size() <= 2^(63 - 2 bits).
std::uint64_t quantiseRow(std::span<const double> x, double row_norm, int bits,
                          std::span<double> q);

/// The largest |x_i|; infinite if one is NaN or infinite.
double largestCell(std::span<const double> x);

/// Step 2 alone, on a grid of `steps` steps per row norm: q_i = round to nearest even of
/// x_i / row_norm * steps. Returns the squared length.
/// Preconditions: |x_i| <= row_norm, finite, steps <= 2^24, x.size() <= 2^15.
std::uint64_t roundRow(std::span<const double> x, double row_norm, double steps,
                       std::span<double> q);

/// Step 3 alone, for rows of any length except zero: scales integers of squared length `length` to
/// a length of at most, and nearly, 2^bits, truncating each towards zero. Returns the new squared
/// length.
std::uint64_t scaleToSphere(std::span<double> q, std::uint64_t length, int bits);

/// The same of a row in the tiles of a panel, each `stride` numbers after the one before, written
/// to another panel. Returns a squared length of more than 2^(2 bits) where truncation does not
/// suffice, so that the row is not on the sphere.
std::uint64_t scaleTiles(const double* row, std::size_t tiles, std::size_t stride,
                         std::uint64_t length, int bits, double* scaled);

}  // namespace pm
