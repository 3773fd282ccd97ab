#pragma once

#include <cstddef>
#include <cstdint>

// The tasks of every contender in the tables of linear algebra, on the same numbers.

/// Prepares the Gram matrix of n x d numbers `number(i)`, row by row.
extern "C" void setUpGram(int d, int n);

/// Prepares the eigen-decomposition of X^T X / n for n = 2d such rows.
extern "C" void setUpEigen(int d);

/// Runs the prepared task once. Returns the sum of the entries (0, 0), (0, d-1) and (d-1, d-1) of
/// the Gram matrix, or the largest eigenvalue.
extern "C" double run();

/// Pseudorandom integers from -1000 to 1000, by the finaliser of MurmurHash3. page/algebra.js and
/// numpy_lines.py use the same ones.
inline double number(std::size_t i) {
  auto h = static_cast<std::uint32_t>(i);
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  h ^= h >> 16;
  return double(int(h % 2001) - 1000);
}
