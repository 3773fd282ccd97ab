#include "core/random/bingham.hpp"

#include <cmath>

#include "core/random/continuous.hpp"

namespace pm {

double binghamB(std::span<const double> alphas) {
  // The sum is decreasing and convex in b, so Newton's steps from 1 increase to the root and never
  // pass it.
  double b = 1;
  for (int i = 0; i < 100; ++i) {
    double sum = 0, slope = 0;
    for (const double alpha : alphas) {
      const double term = 1 / (b + 2 * alpha);
      sum += term;
      slope += term * term;
    }
    const double next = b + (sum - 1) / slope;
    if (!(next > b)) break;
    b = next;
  }
  return b;
}

double binghamLogAcceptance(double b, double u, int q) {
  const double over = (b - q + 2 * u) / q;  // t - 1
  return q * (std::log1p(over) - over) / 2;
}

void sampleBingham(std::span<const double> alphas, Drbg& random, std::span<double> x) {
  const int q = int(alphas.size());
  const double b = binghamB(alphas);
  for (;;) {
    double squared = 0, u = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      x[i] = standardNormal(random) / std::sqrt(1 + 2 * alphas[i] / b);
      squared += x[i] * x[i];
      u += alphas[i] * x[i] * x[i];
    }
    if (!(squared > 0)) continue;
    if (std::log(uniformOpen(random)) >= binghamLogAcceptance(b, u / squared, q)) continue;
    const double length = std::sqrt(squared);
    for (double& entry : x) entry /= length;
    return;
  }
}

}  // namespace pm
