#pragma once

#include <bit>
#include <cstdint>

#include "core/int128.hpp"

namespace pm {

/// Decides U < a/q for a uniform real U in [0,1) whose first 64 bits are `word`, drawing further
/// words from `random` only while the bits so far do not decide. Exact.
/// Precondition: 0 <= a, 0 < q < 2^127.
template <class Random>
bool lessExact(Uint128 a, Uint128 q, std::uint64_t word, Random& random) {
  if (a >= q) return true;
  for (;;) {
    for (int i = 63; i >= 0; --i) {
      a += a;
      const bool digit = a >= q;
      if (digit) a -= q;
      if (bool((word >> i) & 1) != digit) return digit;
    }
    if (a == 0) return false;
    word = random.next64();
  }
}

/// The same decision for a/(n b), a <= b, in 64-bit arithmetic except for one draw in about 2^60.
/// With both a and b shifted so that the top bit of b is set, A = top64(a), B = top64(b),
/// q = floor(A/n) and hi = floor(u B / 2^64):
///   u n b >= a is certain when hi >= q + 2, as u B >= hi 2^64 >= (A + 1)/n 2^64;
///   u n b <  a is certain when q >= 3 and hi <= q - 3, as (u + 1)(B + 1) < (hi + 3) 2^64 <= q
///   2^64.
/// Precondition: 0 <= a <= b, 0 < b, 1 <= n, n b < 2^127.
template <class Random>
bool lessRatio(Uint128 a, std::uint32_t n, Uint128 b, std::uint64_t word, Random& random) {
#ifndef PM_SLOW_BERNOULLI
  const std::uint64_t high = std::uint64_t(b >> 64);
  const std::uint64_t low = std::uint64_t(b) | 1;  // b > 0, so this bit never decides
  const int shift = high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low);
  const std::uint64_t top_a = std::uint64_t((a << shift) >> 64);
  const std::uint64_t top_b = std::uint64_t((b << shift) >> 64);
  const std::uint64_t q = top_a / n;
  const std::uint64_t hi = std::uint64_t((Uint128(word) * top_b) >> 64);
  if (hi > q && hi - q >= 2) return false;
  if (q >= 3 && hi <= q - 3) return true;
#endif
  return lessExact(a, b * n, word, random);
}

/// Bernoulli(exp(-a/b)) for 0 <= a <= b: true with exactly that probability.
/// Source: Canonne, Kamath, Steinke 2020 (arXiv 2004.00010), Algorithm 1.
/// Precondition: b < 2^118, so that n b < 2^127 for every n reached (n = 512 has probability
/// below 2^-3900).
template <class Random>
bool bernoulliExp(Uint128 a, Uint128 b, Random& random) {
  std::uint32_t n = 1;
  while (lessRatio(a, n, b, random.next64(), random)) ++n;
  return n % 2 == 1;
}

/// Bernoulli(exp(-a/b)) for any a >= 0, as a product of ones with a <= b.
/// Precondition: that of `bernoulliExp`.
template <class Random>
bool bernoulliExpBeyond(Uint128 a, Uint128 b, Random& random) {
  for (; a > b; a -= b) {
    if (!bernoulliExp(b, b, random)) return false;
  }
  return bernoulliExp(a, b, random);
}

/// Uniform on {0, ..., n-1}, n >= 1. Source: Lemire 2019 (arXiv 1805.10941).
template <class Random>
std::uint64_t uniformBelow(std::uint64_t n, Random& random) {
  Uint128 product = Uint128(random.next64()) * n;
  if (std::uint64_t(product) < n) {
    const std::uint64_t threshold = (0 - n) % n;
    while (std::uint64_t(product) < threshold) product = Uint128(random.next64()) * n;
  }
  return std::uint64_t(product >> 64);
}

}  // namespace pm
