#include "core/random/ball.hpp"

#include <cstdlib>

namespace pm {

// Not inline: there are hundreds of places in templates.
[[gnu::noinline]] Ball operator+(Ball a, Ball b) {
  const double mid = a.mid_ + b.mid_;
  return {mid, Ball::up(a.radius_ + b.radius_ + std::fabs(mid) * Ball::kRounding)};
}

[[gnu::noinline]] Ball operator*(Ball a, Ball b) {
  const double mid = a.mid_ * b.mid_;
  return {mid, Ball::up((std::fabs(a.mid_) + a.radius_) * b.radius_ +
                        std::fabs(b.mid_) * a.radius_ + std::fabs(mid) * Ball::kRounding)};
}

[[gnu::noinline]] Ball operator/(Ball a, Ball b) {
  // |x/y - a/b| <= (|x - a| + |a/b| |y - b|) / |y|
  const double least = std::fabs(b.mid_) - b.radius_;
  if (!(least > 0)) return Ball::unknown();
  const double mid = a.mid_ / b.mid_;
  return {mid, Ball::up((a.radius_ + std::fabs(mid) * b.radius_ + Ball::kTiny) / least +
                        std::fabs(mid) * Ball::kRounding)};
}

[[gnu::noinline]] Ball sqrt(Ball a) {
  if (a.mid_ == 0 && a.radius_ == 0) return a;
  if (!(a.mid_ > 0)) return Ball::unknown();
  // |sqrt(x) - sqrt(a)| = |x - a| / (sqrt(x) + sqrt(a))
  const double mid = std::sqrt(a.mid_);
  const double factor = a.radius_ < a.mid_ * 0x1p-20 ? 0.5 + 0x1p-20 : 1;
  return {mid, Ball::up(a.radius_ / mid * factor + mid * Ball::kRounding)};
}

Ball Ball::ofInteger(Int128 x) {
  const auto mid = double(x);
  return {mid, std::fabs(mid) < 0x1p53 ? 0 : up(std::fabs(mid) * kRounding)};
}

Ball Ball::ofDigits(bool negative, std::uint64_t cell, std::span<const std::uint64_t> digits) {
  // Rounded three times; the tail is below 2^-64 / 32.
  const double mid = (double(cell) + double(digits[0]) * 0x1p-64) / 32;
  return {negative ? -mid : mid, up(mid * 4 * kRounding + 0x1p-69)};
}

std::optional<Int128> Ball::nearest(int bits) const {
  const double scaled = std::ldexp(mid_, bits);
  if (!(std::fabs(scaled) < 0x1p120)) return std::nullopt;
  // rest = scaled - result, in [-1/2, 1/2), without rounding.
  auto result = Int128(scaled);
  double rest = scaled - double(result);
  if (rest >= 0.5) {
    ++result;
    rest -= 1;
  } else if (rest < -0.5) {
    --result;
    rest += 1;
  }
  if (radius_ == 0) return result;
  const double radius = up(std::ldexp(radius_, bits));
  const double room = 1 - 0x1p-49;
  if (radius <= (rest + 0.5) * room && radius < (0.5 - rest) * room) return result;
  return std::nullopt;
}

Ball log(Ball a) {
  const double least = a.mid_ - a.radius_;
  if (!(least > 0)) return Ball::unknown();
  int exponent = 0;
  double fraction = std::frexp(a.mid_, &exponent);
  if (fraction < 0.70710678) {
    fraction *= 2;
    --exponent;
  }
  // log(fraction) = 2 atanh(s), |s| < 0.1716: terms from s^27 on are below 2^-70 of it. The
  // numerator is exact, so s is off by 2.1 roundings, the sum 1 + s^2/3 + ... by 1.5, twice their
  // product by 5.
  const double s = (fraction - 1) / (fraction + 1), square = s * s;
  double sum = 0;
  for (int k = 25; k > 0; k -= 2) sum = sum * square + 1.0 / k;
  const double small = 2 * s * sum;
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;  // within 2^-54 of it
  const double mid = exponent * kLog2 + small;
  return {mid, Ball::up((8 * std::fabs(small) + 2 * std::abs(exponent) + std::fabs(mid)) *
                            Ball::kRounding +
                        a.radius_ / least)};
}

}  // namespace pm
