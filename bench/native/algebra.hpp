#pragma once

#include <cstddef>
#include <cstdint>

// The work that every contender in the tables of linear algebra does, on the same numbers.

/// Prepares the Gram matrix of n x d numbers `number(i)`, row by row.
extern "C" void setUpGram(int d, int n);

/// Prepares the eigenvalues and vectors of X^T X / n for n = 2d such rows.
extern "C" void setUpEigen(int d);

/// Does what was prepared once. Returns the sum of the entries (0, 0), (0, d-1) and (d-1, d-1) of
/// the Gram matrix, or the largest eigenvalue.
extern "C" double run();

/// Integers from -1000 to 1000 without pattern: the finaliser of MurmurHash3. The same in
/// page/algebra.js and numpy_lines.py.
inline double number(std::size_t i) {
  auto h = static_cast<std::uint32_t>(i);
  h = (h ^ (h >> 16)) * 0x85ebca6bU;
  h = (h ^ (h >> 13)) * 0xc2b2ae35U;
  h ^= h >> 16;
  return double(int(h % 2001) - 1000);
}
