#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "core/arithmetic.hpp"
#include "core/int128.hpp"

namespace pm {

/// A real number known to lie within `radius` of `mid`. Every operation returns a ball that
/// contains the result for all numbers in the operands; where it cannot (overflow, a divisor or an
/// argument of log that may be 0), the radius is infinite, and nothing is ever decided of it.
///
/// Only + - * / and sqrt of IEEE doubles, rounded to nearest, are relied on: each is off by at most
/// 2^-53 of its result or by 2^-1075. Radii are at most 10 such operations on numbers >= 0, so the
/// factor 1 + 2^-49 and the summand 2^-1000 round them up. Fused multiply-add only leaves out
/// roundings that were allowed for.
///
/// Wide has the same interface with any precision, so that one template runs over either.
class Ball {
 public:
  /// Exactly x.
  explicit Ball(double x) : mid_(x), radius_(x - x) {}
  static Ball within(double mid, double radius) { return Ball(mid).widened(radius); }
  static Ball ofInteger(Int128 x);
  /// +-(cell + 0.w0 w1 ...) / 32 with only the first words w0 w1 ... known, of which w0 is used. A
  /// number of ExactNormals. Precondition: at least one word.
  static Ball ofDigits(bool negative, std::uint64_t cell, std::span<const std::uint64_t> digits);

  double mid() const { return mid_; }
  /// >= 0; infinite if nothing is known.
  double radius() const { return radius_ < kInfinity ? radius_ : kInfinity; }

  /// With `by` >= 0 added to the radius.
  Ball widened(double by) const { return {mid_, up(radius_ + (by >= 0 ? by : kInfinity))}; }

  /// The midpoint, exactly.
  Ball centre() const { return Ball(mid_); }

  /// 1 or -1 if all numbers of the ball have that sign, 0 if it is exactly 0.
  std::optional<int> sign() const {
    if (mid_ > radius_) return 1;
    if (mid_ < -radius_) return -1;
    if (mid_ == 0 && radius_ == 0) return 0;
    return std::nullopt;
  }
  /// floor(x 2^bits + 1/2), if it is the same for all x of the ball and below 2^120 in size.
  std::optional<Int128> nearest(int bits) const;

  Ball operator-() const { return {-mid_, radius_}; }
  friend Ball operator+(Ball a, Ball b);
  friend Ball operator-(Ball a, Ball b) { return a + -b; }
  friend Ball operator*(Ball a, Ball b);
  friend Ball operator/(Ball a, Ball b);
  /// If some numbers are negative, of the others where mid > 0; else unknown.
  friend Ball sqrt(Ball a);
  friend Ball log(Ball a);

 private:
  Ball(double mid, double radius) : mid_(mid), radius_(radius) {}
  static Ball unknown() { return {0, kInfinity}; }
  static double up(double radius) { return radius * (1 + 0x1p-49) + kTiny; }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kRounding = 0x1p-53;
  static constexpr double kTiny = 0x1p-1000;

  double mid_;
  double radius_;  ///< not a number where nothing is known, too
};

Ball sqrt(Ball a);
Ball log(Ball a);

/// Makes constants of templates over Ball and Wide: make(0.5), make.integer(n).
template <class Real>
struct Maker;

template <>
struct Maker<Ball> {
  Ball operator()(double exact) const { return Ball(exact); }
  Ball integer(Int128 x) const { return Ball::ofInteger(x); }
  Ball ofDigits(bool negative, std::uint64_t cell, std::span<const std::uint64_t> digits) const {
    return Ball::ofDigits(negative, cell, digits);
  }
};

}  // namespace pm
