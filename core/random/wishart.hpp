#pragma once

#include <span>

#include "core/random/drbg.hpp"

namespace pm {

/// Adds `scale` times a draw of Wishart_n(freedom, I), the law of the sum of z z^T over `freedom`
/// standard normal n-vectors, to the packed upper triangle of an n x n matrix, row by row. A
/// negative scale subtracts. By Bartlett's decomposition L L^T, L lower triangular with
/// L_ii^2 ~ chi-square(freedom + 1 - i), i = 1 .. n, and standard normal entries below (1933). With
/// freedom < n, L has only `freedom` columns, and the law is singular (Srivastava 2003). Idealized
/// numerics (continuous.hpp). About n^3 / 6 multiplications. Preconditions: n >= 1; freedom > n -
/// 1, or a whole number >= 1; packed.size() = n (n + 1) / 2.
void addWishart(int n, double freedom, double scale, Drbg& random, std::span<double> packed);

}  // namespace pm
