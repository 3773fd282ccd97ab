#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/int128.hpp"
#include "core/random/ball.hpp"
#include "core/random/words.hpp"

namespace pm {

/// m 2^(64 e), an upper bound: 0, or 1 <= m < 2^64, or infinite.
struct Magnitude {
  double m = 0;
  std::int64_t e = 0;
};

/// Ball with a midpoint of any precision and exponent. A number carries its precision, at least 1
/// word of 64 bits: a result has the larger one of its operands', is cut off after that many words
/// and at least one bit, and what is cut off is in its radius. Wiped on destruction.
class Wide {
 public:
  Wide(double x, int words);
  // Once, not wherever one goes: they go in many places.
  [[gnu::noinline]] Wide(const Wide& other);
  [[gnu::noinline]] Wide(Wide&& other) noexcept;
  [[gnu::noinline]] Wide& operator=(const Wide& other);
  [[gnu::noinline]] Wide& operator=(Wide&& other) noexcept;
  [[gnu::noinline]] ~Wide();
  static Wide ofInteger(Int128 x, int words);
  /// +-(cell + 0.w0 w1 ...) / 32 with only the first words w0 w1 ... known. A number of
  /// ExactNormals.
  static Wide ofDigits(bool negative, std::uint64_t cell, std::span<const std::uint64_t> digits,
                       int words);

  /// Cut off to a double; 0 or infinite where it is beyond.
  double mid() const;
  /// At least the radius of the ball around its own midpoint, which mid() cuts off.
  double radius() const;

  Wide widened(double by) const;
  /// The midpoint, exactly.
  Wide centre() const;
  std::optional<int> sign() const;
  std::optional<Int128> nearest(int bits) const;

  Wide operator-() const;
  friend Wide operator+(const Wide& a, const Wide& b);
  friend Wide operator-(const Wide& a, const Wide& b);
  friend Wide operator*(const Wide& a, const Wide& b);
  friend Wide operator/(const Wide& a, const Wide& b);
  friend Wide sqrt(const Wide& a);
  friend Wide log(const Wide& a);

 protected:
  /// The two highest words, as (first 2^64 + second) 2^(64 e), off by less than 2^-51 of it.
  struct Leading {
    double value;
    std::int64_t e;
  };

  explicit Wide(int words) : precision_(words) {}
  static Wide unknown(int words);
  /// magnitude 2^exponent.
  static Wide ofBits(bool negative, Uint128 magnitude, int exponent, int words);
  static Wide exp(double x, int words);

  Wide over(std::uint64_t divisor) const;
  Wide cutOff() &&;
  Words from(std::int64_t low, std::int64_t top) const;
  Leading leading() const;
  Magnitude most() const;
  Magnitude least() const;
  void addRadius(Magnitude by);

  int precision_;
  bool negative_ = false;
  Words digits_;             ///< of the midpoint; the highest is not 0
  std::int64_t lowest_ = 0;  ///< the midpoint is +-digits 2^(64 lowest)
  Magnitude radius_;
};

Wide sqrt(const Wide& a);
Wide log(const Wide& a);

template <>
struct Maker<Wide> {
  int words;

  Wide operator()(double exact) const { return {exact, words}; }
  Wide integer(Int128 x) const { return Wide::ofInteger(x, words); }
  Wide ofDigits(bool negative, std::uint64_t cell, std::span<const std::uint64_t> digits) const {
    return Wide::ofDigits(negative, cell, digits, words);
  }
};

}  // namespace pm
