#include "core/random/wide.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace pm {
namespace {

// In words of 64 bits. Beyond it a midpoint is unknown, and no bound is smaller.
constexpr std::int64_t kMostExponent = std::int64_t{1} << 30;
constexpr Magnitude kUnknown{std::numeric_limits<double>::infinity(), 2 * kMostExponent};

/// A bound on m 2^(64 e), where m >= 0 is the result of at most four roundings.
Magnitude upTo(double m, std::int64_t e) {
  m *= 1 + 0x1p-50;
  if (m == 0) return {};
  if (!(m < kUnknown.m)) return kUnknown;
  for (; m >= 0x1p64; ++e) m *= 0x1p-64;
  for (; m < 1; --e) m *= 0x1p64;
  if (e > kMostExponent) return kUnknown;
  return e < -kMostExponent ? Magnitude{1, -kMostExponent} : Magnitude{m, e};
}

Magnitude operator+(Magnitude a, Magnitude b) {
  if (a.m == 0 || b.m == 0) return a.m == 0 ? b : a;
  if (a.e < b.e) std::swap(a, b);
  if (a.e == b.e) return upTo(a.m + b.m, a.e);
  return upTo(a.m + (a.e == b.e + 1 ? b.m * 0x1p-64 : 0x1p-64), a.e);
}

Magnitude operator*(Magnitude a, Magnitude b) { return upTo(a.m * b.m, a.e + b.e); }

bool operator<(Magnitude a, Magnitude b) {
  if (a.m == 0 || b.m == 0 || a.e == b.e) return a.m < b.m;
  return a.e < b.e;
}

double upperDouble(Magnitude a) {
  if (a.m == 0) return 0;
  if (a.e < -14) return 0x1p-896;
  return a.e < 16 ? std::ldexp(a.m, int(64 * a.e)) : kUnknown.m;
}

/// At least e / (1 - e).
Magnitude overComplement(Magnitude e) {
  const double rest = 1 - upperDouble(e);
  return rest > 0 ? e * upTo(1 / rest, 0) : kUnknown;
}

}  // namespace

Wide::Wide(const Wide& other) = default;
Wide::Wide(Wide&& other) noexcept = default;
Wide& Wide::operator=(const Wide& other) = default;
Wide& Wide::operator=(Wide&& other) noexcept = default;
Wide::~Wide() = default;

[[gnu::noinline]] Wide operator-(const Wide& a, const Wide& b) { return a + -b; }

Wide Wide::ofBits(bool negative, Uint128 magnitude, int exponent, int words) {
  Wide result(words);
  const int bits = ((exponent % 64) + 64) % 64;
  const auto high = std::uint64_t(magnitude >> 64), low = std::uint64_t(magnitude);
  const auto carried = [&](std::uint64_t word) { return bits == 0 ? 0 : word >> (64 - bits); };
  result.digits_ = {low << bits, high << bits | carried(low), carried(high)};
  result.lowest_ = (exponent - bits) / 64;
  result.negative_ = negative;
  return std::move(result).cutOff();
}

Wide Wide::ofInteger(Int128 x, int words) {
  return ofBits(x < 0, x < 0 ? -Uint128(x) : Uint128(x), 0, words);
}

Wide::Wide(double x, int words) : precision_(words) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(x), &exponent);
  if (fraction < 1) {
    *this = ofBits(x < 0, Uint128(fraction * 0x1p53), exponent - 53, words);
  } else {
    radius_ = kUnknown;
  }
}

Wide Wide::unknown(int words) {
  Wide result(words);
  result.radius_ = kUnknown;
  return result;
}

Wide Wide::ofDigits(bool negative, std::uint64_t cell, std::span<const std::uint64_t> digits,
                    int words) {
  // The middle of the cell of the last digit, half a unit from its ends.
  Wide result(words);
  result.digits_ = {std::uint64_t{1} << 63};
  result.digits_.insert(result.digits_.end(), digits.rbegin(), digits.rend());
  result.digits_.push_back(cell);
  result.lowest_ = -std::int64_t(digits.size()) - 1;
  result.negative_ = negative;
  result.radius_ = {0x1p63, result.lowest_};
  return std::move(result).cutOff() * Wide(1.0 / 32, words);
}

Wide Wide::cutOff() && {
  while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  const std::size_t kept = std::min(digits_.size(), std::size_t(precision_) + 1);
  const auto first = digits_.end() - std::ptrdiff_t(kept);
  const auto is_set = [](std::uint64_t word) { return word != 0; };
  lowest_ += first - digits_.begin();
  if (std::any_of(digits_.begin(), first, is_set)) radius_ = radius_ + Magnitude{1, lowest_};
  const auto lowest_set = std::find_if(first, digits_.end(), is_set);
  lowest_ += lowest_set - first;
  digits_.erase(digits_.begin(), lowest_set);
  const bool in_range = std::abs(lowest_) < kMostExponent;
  if (!digits_.empty() && !in_range) radius_ = kUnknown;
  if (!(radius_.m < kUnknown.m)) digits_.clear();
  if (digits_.empty()) lowest_ = 0;
  return std::move(*this);
}

void Wide::addRadius(Magnitude by) {
  radius_ = radius_ + by;
  if (!(radius_.m < kUnknown.m)) digits_.clear();
}

Wide Wide::centre() const {
  Wide result = *this;
  result.radius_ = {};
  return result;
}

/// The words of exponents `low` to `top`.
Words Wide::from(std::int64_t low, std::int64_t top) const {
  Words result(std::size_t(top - low + 1), 0);
  for (std::size_t i = 0; i < digits_.size(); ++i) {
    const std::int64_t at = lowest_ + std::int64_t(i) - low;
    if (at >= 0) result[std::size_t(at)] = digits_[i];
  }
  return result;
}

Wide::Leading Wide::leading() const {
  const std::size_t size = digits_.size();
  if (size == 0) return {0, 0};
  const double second = size > 1 ? double(digits_[size - 2]) : 0;
  return {double(digits_[size - 1]) * 0x1p64 + second, lowest_ + std::int64_t(size) - 2};
}

/// At least the absolute value of all numbers of the ball.
Magnitude Wide::most() const {
  const Leading first = leading();
  return upTo(first.value * (1 + 0x1p-48), first.e) + radius_;
}

/// At most the absolute value of the midpoint.
Magnitude Wide::least() const {
  const Leading first = leading();
  return upTo(first.value * (1 - 0x1p-48), first.e);
}

double Wide::mid() const {
  const Leading first = leading();
  const double value =
      std::ldexp(first.value, int(std::clamp<std::int64_t>(first.e, -99, 99)) * 64);
  return negative_ ? -value : value;
}

double Wide::radius() const { return upperDouble(radius_); }

Wide Wide::widened(double by) const {
  Wide result = *this;
  result.addRadius(by >= 0 ? Wide(by, 1).most() : kUnknown);
  return result;
}

std::optional<int> Wide::sign() const {
  if (digits_.empty() && radius_.m == 0) return 0;
  if (radius_ < least()) return negative_ ? -1 : 1;
  return std::nullopt;
}

std::optional<Int128> Wide::nearest(int bits) const {
  const Wide one(1, precision_);
  const Wide x = *this * ofBits(false, 1, bits, precision_) + Wide(0.5, precision_);
  if (!(x.most() < Magnitude{0x1p56, 1})) return std::nullopt;
  const auto word = [&](std::int64_t exponent) {
    const std::int64_t i = exponent - x.lowest_;
    return i >= 0 && i < std::int64_t(x.digits_.size()) ? x.digits_[std::size_t(i)] : 0;
  };
  auto whole = Int128(Uint128(word(1)) << 64 | word(0));
  if (x.negative_) whole = -whole;
  Wide rest = x - ofInteger(whole, precision_);
  if (rest.negative_ && !rest.digits_.empty()) {
    --whole;
    rest = rest + one;
  }
  if (rest.sign().value_or(-1) >= 0 && (one - rest).sign() == 1) return whole;
  return std::nullopt;
}

Wide Wide::operator-() const {
  Wide result = *this;
  result.negative_ = !negative_;
  return result;
}

[[gnu::noinline]] Wide operator+(const Wide& a, const Wide& b) {
  Wide result(std::max(a.precision_, b.precision_));
  result.radius_ = a.radius_ + b.radius_;
  if (a.digits_.empty() || b.digits_.empty()) {
    const Wide& other = a.digits_.empty() ? b : a;
    result.digits_ = other.digits_;
    result.lowest_ = other.lowest_;
    result.negative_ = other.negative_;
    return std::move(result).cutOff();
  }
  // Exact, but for words far below the precision of the larger.
  const std::int64_t top = std::max(a.lowest_ + std::int64_t(a.digits_.size()),
                                    b.lowest_ + std::int64_t(b.digits_.size()));
  const std::int64_t low =
      std::max(std::min(a.lowest_, b.lowest_), top - 2 * (result.precision_ + 2));
  if (a.lowest_ < low) result.radius_ = result.radius_ + Magnitude{1, low};
  if (b.lowest_ < low) result.radius_ = result.radius_ + Magnitude{1, low};
  result.digits_ = a.from(low, top);
  result.lowest_ = low;
  result.negative_ = a.negative_;
  if (a.negative_ == b.negative_) {
    add(result.digits_, b.from(low, top));
  } else {
    subtract(result.digits_, b.from(low, top));
    if (isNegative(result.digits_)) {
      negate(result.digits_);
      result.negative_ = !result.negative_;
    }
  }
  return std::move(result).cutOff();
}

[[gnu::noinline]] Wide operator*(const Wide& a, const Wide& b) {
  Wide result(std::max(a.precision_, b.precision_));
  result.radius_ = a.most() * b.radius_ + b.most() * a.radius_;
  result.digits_ = Words(a.digits_.size() + b.digits_.size(), 0);
  addProduct(result.digits_, a.digits_, b.digits_);
  result.lowest_ = a.lowest_ + b.lowest_;
  result.negative_ = a.negative_ != b.negative_;
  return std::move(result).cutOff();
}

/// Divided by a small number >= 1.
Wide Wide::over(std::uint64_t divisor) const {
  Wide result = *this;
  const std::size_t size = std::max(digits_.size(), std::size_t(precision_) + 2);
  result.digits_.insert(result.digits_.begin(), size - digits_.size(), 0);
  result.lowest_ -= std::int64_t(size - digits_.size());
  Uint128 rest = 0;
  for (std::size_t i = size; i-- > 0;) {
    rest = rest << 64 | result.digits_[i];
    result.digits_[i] = std::uint64_t(rest / divisor);
    rest %= divisor;
  }
  result.radius_ = radius_ * upTo(1.0 / double(divisor), 0);
  if (rest != 0) result.radius_ = result.radius_ + Magnitude{1, result.lowest_};
  return std::move(result).cutOff();
}

[[gnu::noinline]] Wide operator/(const Wide& a, const Wide& b) {
  const int words = std::max(a.precision_, b.precision_);
  const Wide one(1, words), middle = b.centre();
  const Wide::Leading first = b.leading();
  Wide inverse(first.value > 0 ? 1 / first.value : 0, words);
  inverse.lowest_ -= first.e;
  inverse.negative_ = b.negative_;
  // Newton's method doubles the correct bits of any approximation.
  for (int bits = 48; bits < 64 * (words + 1); bits *= 2) {
    inverse = (inverse + inverse * (one - middle * inverse)).centre();
  }
  // With e = 1 - b r: 1/b = r / (1 - e), and |1 / (1 - e) - 1| <= |e| / (1 - |e|).
  Wide result = a * inverse;
  result.addRadius(result.most() * overComplement((one - b * inverse).most()));
  return result;
}

Wide sqrt(const Wide& a) {
  if (a.digits_.empty() && a.radius_.m == 0) return a;
  if (a.negative_ || a.digits_.empty()) return Wide::unknown(a.precision_);
  const Wide one(1, a.precision_), middle = a.centre();
  Wide::Leading first = a.leading();
  if (first.e % 2 != 0) {
    first.value *= 0x1p64;
    --first.e;
  }
  // The inverse root r by Newton's method; with e = 1 - a r^2 the root of the midpoint a is
  // a r / sqrt(1 - e), and |1 / sqrt(1 - e) - 1| <= |e| / (1 - |e|).
  Wide inverse(1 / std::sqrt(first.value), a.precision_);
  inverse.lowest_ -= first.e / 2;
  const auto error = [&] { return one - middle * inverse * inverse; };
  for (int bits = 48; bits < 64 * (a.precision_ + 1); bits *= 2) {
    inverse = (inverse + (inverse * error()).over(2)).centre();
  }
  const Magnitude off = overComplement(error().most());
  Wide result = middle * inverse;
  result.addRadius(result.most() * off);
  // |sqrt(x) - sqrt(a)| = |x - a| / (sqrt(x) + sqrt(a)), and 1 / sqrt(a) = r / sqrt(1 - e).
  const bool narrow = a.radius_ * Magnitude{0x1p20, 0} < a.least();
  const Magnitude factor{narrow ? 0x1.00002p63 : 1, narrow ? -1 : 0};
  result.addRadius(a.radius_ * inverse.most() * (Magnitude{1, 0} + off) * factor);
  return result;
}

/// e^x: Taylor's series of x 2^-k < 2^-8, squared k times.
Wide Wide::exp(double x, int words) {
  int squarings = 0;
  for (; std::fabs(x) > 0x1p-8; ++squarings) x /= 2;
  const Wide small(x, words);
  Wide term(1, words), result = term;
  for (std::uint64_t k = 1;; ++k) {
    term = (term * small).over(k);
    // This term and all after it are below twice its size.
    if (term.most() < Magnitude{1, -words - 2}) break;
    result = result + term;
  }
  result.addRadius(term.most() * Magnitude{2, 0});
  while (squarings-- > 0) result = result * result;
  return result;
}

Wide log(const Wide& a) {
  const Magnitude least = a.least();
  if (a.negative_ || !(a.radius_ < least)) return Wide::unknown(a.precision_);
  // With any y near log of the midpoint a: log(a) = y + log(1 + r), r = a e^-y - 1.
  const int words = a.precision_ + 1;
  const Wide::Leading first = a.leading();
  constexpr double kLog2OfWord = 0x1.62e42fefa39efp+5;
  double y = log(Ball(first.value)).mid() + double(first.e) * kLog2OfWord;
  if (std::fabs(y) < 0x1p-10) y = 0;  // r has no error then, so that log(1 + r) is as precise as r
  const Wide r = a.centre() * Wide::exp(-y, words) - Wide(1, words);
  if (!(r.most() < Magnitude{0x1p56, -1})) return Wide::unknown(a.precision_);
  Wide result = Wide(y, words) + r, power = r;
  for (std::uint64_t k = 2;; ++k) {
    power = -(power * r);
    if (power.most() < Magnitude{1, -words - 2}) break;
    result = result + power.over(k);
  }
  // What is left out is less than twice its first term.
  result.addRadius(power.most() * Magnitude{2, 0});
  // |log(x) - log(a)| <= t / (1 - t), t = |x - a| / a
  result.addRadius(overComplement(upTo(a.radius_.m / least.m, a.radius_.e - least.e)));
  result.precision_ = a.precision_;
  return std::move(result).cutOff();
}

}  // namespace pm
