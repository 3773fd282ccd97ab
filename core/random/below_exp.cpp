#include "core/random/below_exp.hpp"

#include <cstddef>
#include <utility>

#include "core/int128.hpp"
#include "core/random/words.hpp"

namespace pm {
namespace {

constexpr std::size_t kWord = 64;

/// x m / d, truncated; whether anything is left.
bool scale(Words& x, std::uint64_t m, std::uint64_t d) {
  Uint128 carry = 0;
  for (std::uint64_t& word : x) {
    carry += Uint128(word) * m;
    word = std::uint64_t(carry);
    carry >>= kWord;
  }
  Uint128 rest = carry;
  std::uint64_t all = 0;
  for (std::size_t i = x.size(); i-- > 0;) {
    rest = rest << kWord | x[i];
    x[i] = std::uint64_t(rest / d);
    rest %= d;
    all |= x[i];
  }
  return all != 0;
}

/// multiple e^{-a/b} with `digits` words after the point and one before it; at most 1 + 2^-10 units
/// of the last word too small, and 2^-10 too large.
///
/// By its series with more words on either side: with t = a/b the terms and the sum of the
/// truncation errors are at most e^t times the result's unit and number of terms, and
/// e^t < 2^(3 (t + 1) / 2).
Words expDigits(std::uint64_t multiple, std::uint64_t a, std::uint32_t b, std::size_t digits) {
  const std::size_t spread = std::size_t(a / b + 2) * 3 / 2;
  const std::size_t guard = (spread + 24) / kWord + 1;
  const std::size_t above = spread / kWord + 3;
  Words term(guard + digits + above, 0);
  term[guard + digits] = multiple;
  Words result = term, negative(term.size(), 0);
  for (std::uint64_t n = 1; scale(term, a, n * b); ++n) add(n % 2 == 1 ? negative : result, term);
  subtract(result, negative);
  result.erase(result.begin(), result.begin() + std::ptrdiff_t(guard));
  result.resize(digits + 1);
  return result;
}

/// The sign of x - y if they differ by more than one unit, else 0.
int clearSign(Words x, Words y) {
  x.push_back(0);
  y.push_back(0);
  subtract(x, y);
  const bool is_negative = x.back() != 0;
  const std::uint64_t fill = is_negative ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x[i] != fill) return is_negative ? -1 : 1;
  }
  if (is_negative) return x[0] < std::uint64_t(-1) ? -1 : 0;
  return x[0] > 1 ? 1 : 0;
}

}  // namespace

bool belowExp(std::uint64_t multiple, std::uint64_t whole, std::uint64_t a, std::uint32_t b,
              int zeros, Drbg& random) {
  Words drawn;  // of U 2^-zeros, most significant first
  for (;;) {
    std::uint64_t word = 0;
    if (zeros < int(kWord)) word = random.next64() >> zeros;
    zeros = zeros < int(kWord) ? 0 : zeros - int(kWord);
    drawn.push_back(word);
    Words left(drawn.rbegin(), drawn.rend());
    left.push_back(whole);
    const int sign = clearSign(expDigits(multiple, a, b, drawn.size()), std::move(left));
    if (sign != 0) return sign > 0;
  }
}

std::uint64_t ceilOfExp(std::uint64_t multiple, std::uint64_t a, std::uint32_t b) {
  if (a == 0) return multiple;
  for (std::size_t digits = 1;; ++digits) {
    const Words value = expDigits(multiple, a, b, digits);
    // e^{-a/b} is irrational, so some digit tells on which side of a whole number it lies.
    for (std::size_t i = 1; i < digits; ++i) {
      if (value[i] != 0 && value[i] != ~std::uint64_t{0}) return value.back() + 1;
    }
    if (value[0] > 1 && value[0] < std::uint64_t(-3)) return value.back() + 1;
  }
}

}  // namespace pm
