#include "core/random/continuous.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace pm {

double uniformOpen(Drbg& random) { return double((random.next64() >> 11) * 2 + 1) * 0x1p-54; }

namespace {

class Xoshiro {
 public:
  explicit Xoshiro(Drbg& random) {
    for (std::uint64_t& word : state_) word = random.next64();
  }

  std::uint64_t next64() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  double uniformOpen() { return double((next64() >> 11) * 2 + 1) * 0x1p-54; }

 private:
  std::array<std::uint64_t, 4> state_;
};

// The area under exp(-x^2 / 2), x >= 0, covered by layers of equal area: the lowest includes the
// tail beyond kTail, the others are rectangles.
class Ziggurat {
 public:
  Ziggurat() {
    widths_[0] = kArea / heightAt(kTail);
    widths_[1] = kTail;
    for (std::size_t i = 1; i + 1 < kLayers; ++i) {
      widths_[i + 1] = std::sqrt(-2 * std::log(kArea / widths_[i] + heightAt(widths_[i])));
    }
    widths_[kLayers] = 0;
    for (std::size_t i = 0; i <= kLayers; ++i) heights_[i] = heightAt(widths_[i]);
  }

  double draw(Xoshiro& source) const {
    for (;;) {
      const std::uint64_t bits = source.next64();
      const std::size_t layer = bits % kLayers;
      const double x = double(bits >> 11) * 0x1p-53 * widths_[layer];
      const double sign = bits & kLayers ? -1 : 1;
      if (x < widths_[layer + 1]) return sign * x;
      if (layer == 0) return sign * tail(source);
      const double low = heights_[layer], high = heights_[layer + 1];
      if (low + source.uniformOpen() * (high - low) < heightAt(x)) return sign * x;
    }
  }

 private:
  static constexpr std::size_t kLayers = 256;
  static constexpr double kTail = 3.6541528853610088;
  static constexpr double kArea = 0.00492867323399;

  static double heightAt(double x) { return std::exp(-x * x / 2); }

  // Marsaglia's tail algorithm (1964).
  static double tail(Xoshiro& source) {
    for (;;) {
      const double x = -std::log(source.uniformOpen()) / kTail;
      const double y = -std::log(source.uniformOpen());
      if (2 * y > x * x) return kTail + x;
    }
  }

  std::array<double, kLayers + 1> widths_;
  std::array<double, kLayers + 1> heights_;
};

}  // namespace

double standardNormal(Drbg& random) {
  for (;;) {
    const double u = 2 * uniformOpen(random) - 1;
    const double v = 2 * uniformOpen(random) - 1;
    const double s = u * u + v * v;
    if (s < 1 && s > 0) return u * std::sqrt(-2 * std::log(s) / s);
  }
}

void simulateNormals(std::span<double> out, Drbg& random) {
  static const Ziggurat ziggurat;
  Xoshiro source(random);
  for (double& normal : out) normal = ziggurat.draw(source);
}

double standardExponential(Drbg& random) { return -std::log(uniformOpen(random)); }

double standardLaplace(Drbg& random) {
  const double magnitude = standardExponential(random);
  return random.next64() >> 63 ? -magnitude : magnitude;
}

double standardGamma(double shape, Drbg& random) {
  if (shape < 1) {
    const double boosted = standardGamma(shape + 1, random);
    return boosted * std::exp(std::log(uniformOpen(random)) / shape);
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = standardNormal(random);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(uniformOpen(random)) < x * x / 2 + d * (1 - v + std::log(v))) return d * v;
  }
}

double chiSquare(double freedom, Drbg& random) { return 2 * standardGamma(freedom / 2, random); }

}  // namespace pm
