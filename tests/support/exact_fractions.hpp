#pragma once

// Fractions of whole numbers of any size, for comparison with Ball and Wide, and random expressions
// computed as both.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/random/ball.hpp"
#include "core/random/wide.hpp"
#include "core/random/words.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::testing_support {

/// +-size 2^(64 exponent).
struct Signed {
  bool negative = false;
  Words size{0};
  std::int64_t exponent = 0;
};

inline Signed exactOf(double x) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  exponent -= 53;
  const int bits = ((exponent % 64) + 64) % 64;
  const Uint128 shifted = Uint128(fraction * 0x1p53) << bits;
  return {x < 0, {std::uint64_t(shifted), std::uint64_t(shifted >> 64)}, (exponent - bits) / 64};
}

inline Signed operator*(const Signed& a, const Signed& b) {
  Words size(a.size.size() + b.size.size(), 0);
  addProduct(size, a.size, b.size);
  while (size.size() > 1 && size.back() == 0) size.pop_back();
  return {a.negative != b.negative, size, a.exponent + b.exponent};
}

inline Signed operator+(const Signed& a, const Signed& b) {
  const std::int64_t low = std::min(a.exponent, b.exponent);
  const auto top = std::size_t(
      std::max(a.exponent + std::int64_t(a.size.size()), b.exponent + std::int64_t(b.size.size())) -
      low + 1);
  const auto complement = [&](const Signed& x) {
    Words words(top, 0);
    std::copy(x.size.begin(), x.size.end(), words.begin() + (x.exponent - low));
    if (x.negative) negate(words);
    return words;
  };
  Words sum = complement(a);
  add(sum, complement(b));
  const bool negative = isNegative(sum);
  if (negative) negate(sum);
  while (sum.size() > 1 && sum.back() == 0) sum.pop_back();
  return {negative, sum, low};
}

inline Signed operator-(Signed x) {
  x.negative = !x.negative;
  return x;
}
inline bool isZero(const Signed& x) {
  return std::all_of(x.size.begin(), x.size.end(), [](std::uint64_t word) { return word == 0; });
}
inline Signed absolute(Signed x) {
  x.negative = false;
  return x;
}

struct Fraction {
  Signed p;
  Signed q = exactOf(1.0);
};

inline Fraction operator+(const Fraction& a, const Fraction& b) {
  return {a.p * b.q + b.p * a.q, a.q * b.q};
}
inline Fraction operator*(const Fraction& a, const Fraction& b) { return {a.p * b.p, a.q * b.q}; }
inline Fraction operator/(const Fraction& a, const Fraction& b) { return {a.p * b.q, a.q * b.p}; }
inline Fraction operator-(const Fraction& a) { return {-a.p, a.q}; }

/// Whether |mid - x| <= radius, exactly.
inline bool isWithin(const Signed& mid, const Signed& radius, const Fraction& x) {
  const Signed distance = absolute(mid * x.q + -x.p);
  const Signed left = radius * absolute(x.q) + -distance;
  return !left.negative || isZero(left);
}

inline Signed midpointOf(const Ball& x) { return exactOf(x.mid()); }
inline Signed radiusOf(const Ball& x) { return exactOf(x.radius()); }

/// All digits of a Wide.
class OpenWide : public Wide {
 public:
  explicit OpenWide(const Wide& x) : Wide(x) {}
  Signed midpoint() const { return {negative_, digits_.empty() ? Words{0} : digits_, lowest_}; }
  Signed ownRadius() const {
    Signed result = testing_support::exactOf(radius_.m);
    result.exponent += radius_.e;
    return result;
  }
};
inline Signed midpointOf(const Wide& x) { return OpenWide(x).midpoint(); }
inline Signed radiusOf(const Wide& x) { return OpenWide(x).ownRadius(); }

template <class Real>
bool contains(const Real& ball, const Fraction& x) {
  if (ball.radius() == std::numeric_limits<double>::infinity()) return true;
  return isWithin(midpointOf(ball), radiusOf(ball), x);
}

template <class Real>
struct Checked {
  Real ball;
  Fraction exact;
};

/// A double of random length and exponent, exactly or somewhere within a random radius.
template <class Real>
Checked<Real> randomNumber(const Maker<Real>& make, UnsafeTestRandom& random) {
  const double mid = std::ldexp(double(std::int64_t(random.next64()) >> random.below(60)),
                                int(random.below(80)) - 90);
  if (random.below(2) == 0) return {make(mid), {exactOf(mid)}};
  const double radius = std::ldexp(std::fabs(mid), -int(random.below(70)));
  const double part = double(random.below(17)) / 8 - 1;  // at an end, now and then
  return {make(mid).widened(radius), {exactOf(mid) + exactOf(radius * part)}};
}

/// Computes random expressions of some random numbers. The count of those whose ball does not
/// contain the exact result; of those with a finite ball in `finite`.
template <class Real>
int countWrong(const Maker<Real>& make, std::uint64_t seed, std::uint64_t runs, int& finite) {
  UnsafeTestRandom random(seed);
  int wrong = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::array<Checked<Real>, 3> pool{randomNumber(make, random), randomNumber(make, random),
                                      randomNumber(make, random)};
    for (int step = 0; step < 6; ++step) {
      const Checked<Real> a = pool[random.below(3)], b = pool[random.below(3)];
      Checked<Real>& result = pool[random.below(3)];
      switch (random.below(5)) {
        case 0: result = {a.ball + b.ball, a.exact + b.exact}; break;
        case 1: result = {a.ball - b.ball, a.exact + -b.exact}; break;
        case 2: result = {a.ball * b.ball, a.exact * b.exact}; break;
        case 3:
          if (isZero(b.exact.p)) continue;
          result = {a.ball / b.ball, a.exact / b.exact};
          break;
        default: {
          const Fraction size{absolute(a.exact.p), absolute(a.exact.q)};
          result = {sqrt(a.ball * a.ball), size};
        }
      }
      if (!contains(result.ball, result.exact)) ++wrong;
      if (result.ball.radius() < std::numeric_limits<double>::infinity()) ++finite;
    }
  }
  return wrong;
}

}  // namespace pm::testing_support
