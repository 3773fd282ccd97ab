#include "core/random/continuous.hpp"

#include <cmath>

namespace pm {

double uniformOpen(Drbg& random) { return double((random.next64() >> 11) * 2 + 1) * 0x1p-54; }

namespace {

struct NormalPair {
  double first;
  double second;
};

NormalPair normalPair(Drbg& random) {
  for (;;) {
    const double u = 2 * uniformOpen(random) - 1;
    const double v = 2 * uniformOpen(random) - 1;
    const double s = u * u + v * v;
    if (s >= 1 || s <= 0) continue;
    const double factor = std::sqrt(-2 * std::log(s) / s);
    return {u * factor, v * factor};
  }
}

}  // namespace

double standardNormal(Drbg& random) { return normalPair(random).first; }

void fillNormals(std::span<double> out, Drbg& random) {
  for (std::size_t i = 0; i < out.size(); i += 2) {
    const NormalPair pair = normalPair(random);
    out[i] = pair.first;
    if (i + 1 < out.size()) out[i + 1] = pair.second;
  }
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
