#pragma once

#include <cstdint>

#include "core/int128.hpp"

namespace pm::testing_support {

/// An independent sampler of the discrete Gaussian: Canonne, Kamath and Steinke 2020 (arXiv
/// 2004.00010), algorithms 1 to 3, written from the paper as an oracle for the block16 sampler. No
/// table, no fast path; every comparison of a uniform number with a fraction is decided bit by bit.
/// `Random` has next64(). Preconditions: 1 <= sigma <= 2^56.
template <class Random>
class CksSampler {
 public:
  explicit CksSampler(Random& random) : random_(random) {}

  /// N_Z(0, sigma^2): a discrete Laplace of scale sigma, accepted with probability
  /// exp(-(|y| - sigma)^2 / (2 sigma^2)) (algorithm 3 with t = sigma).
  std::int64_t gaussian(std::uint64_t sigma) {
    for (;;) {
      const std::int64_t y = laplace(sigma);
      const std::uint64_t size = std::uint64_t(y < 0 ? -y : y);
      const Uint128 distance = size > sigma ? size - sigma : sigma - size;
      if (exponential(distance * distance, Uint128(2) * sigma * sigma)) return y;
    }
  }

  /// P(y) proportional to exp(-|y| / scale) (algorithm 2).
  std::int64_t laplace(std::uint64_t scale) {
    for (;;) {
      const std::uint64_t u = uniform(scale);
      if (!exponentialBelowOne(u, scale)) continue;
      std::uint64_t v = 0;
      while (exponentialOfOne()) ++v;
      const std::int64_t y = std::int64_t(u + scale * v);
      const bool negative = random_.next64() & 1;
      if (negative && y == 0) continue;
      return negative ? -y : y;
    }
  }

 private:
  // Bernoulli(exp(-a/b)) for any a >= 0 (algorithm 1, second case).
  bool exponential(Uint128 a, Uint128 b) {
    for (; a > b; a -= b) {
      if (!exponentialOfOne()) return false;
    }
    return exponentialBelowOne(a, b);
  }

  // Algorithm 1, first case, 0 <= a <= b.
  bool exponentialBelowOne(Uint128 a, Uint128 b) { return countFrom(1, a, b) % 2 == 1; }

  // The same with a = b, whose first comparison U < 1 needs no random bits.
  bool exponentialOfOne() { return countFrom(2, 1, 1) % 2 == 1; }

  unsigned countFrom(unsigned n, Uint128 a, Uint128 b) {
    while (below(a, b * n)) ++n;
    return n;
  }

  // U < a/q: the first binary digit in which U and a/q differ decides.
  bool below(Uint128 a, Uint128 q) {
    std::uint64_t bits = random_.next64();
    if (a == q) return true;
    for (int used = 0;; ++used) {
      if (used == 64) {
        if (a == 0) return false;
        bits = random_.next64(), used = 0;
      }
      const bool digit = 2 * a >= q, bit = bits >> 63;
      if (digit != bit) return digit;
      a = digit ? 2 * a - q : 2 * a;
      bits <<= 1;
    }
  }

  // Uniform on {0, ..., n-1}: the high half of a product, redrawn for the few low halves that would
  // bias the result.
  std::uint64_t uniform(std::uint64_t n) {
    const std::uint64_t surplus = (~std::uint64_t{0} % n + 1) % n;
    for (;;) {
      const Uint128 product = Uint128(random_.next64()) * n;
      if (std::uint64_t(product) >= surplus) return std::uint64_t(product >> 64);
    }
  }

  Random& random_;
};

}  // namespace pm::testing_support
