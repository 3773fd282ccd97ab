#pragma once

#include <cstdint>
#include <span>

namespace pm {

/// Puts a row on the grid: q_i is about 2^bits x_i / row_norm, an integer held in a double, with
/// sum q_i^2 <= 2^(2 bits) verified in integers. Returns that sum.
///
/// 1. A NaN or infinite x_i makes the row zero (a rule of this row alone).
/// 2. q_i = round to nearest even of x_i / max(row_norm, max|x_i|) * 2^bits.
/// 3. If the integer squared length exceeds 2^(2 bits), the q_i are scaled back, towards zero.
///
/// Only IEEE add, multiply, divide, square root and integers are used, so every platform returns
/// the same integers; no vectorised reduction decides a clip, whose bits would depend on where in
/// memory the row lies.
/// Preconditions: row_norm > 0 finite, 1 <= bits <= 24, x.size() <= 2^(63 - 2 bits).
std::uint64_t quantiseRow(std::span<const double> x, double row_norm, int bits,
                          std::span<double> q);

}  // namespace pm
