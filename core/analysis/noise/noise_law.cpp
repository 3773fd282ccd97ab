#include "core/analysis/noise/noise_law.hpp"

#include <cmath>

namespace pm {
namespace {

constexpr double kFloorMargin = 0.8;
constexpr double kLaplaceMargin = 0.3;

/// Free difference of two Marchenko-Pastur laws, a = 2 f / d > 0 (see noise_law.hpp). The minimum
/// is at (a - 1) x^2 + (a + 2) x = 1, x = y^2.
double reachOfDifference(double a) {
  const double x = 2 / (a + 2 + std::sqrt(a * a + 8 * a));
  const double y = std::sqrt(x);
  return (a * y / (1 - x) + 1 / y) / (2 * std::sqrt(a));
}

}  // namespace

NoiseFamily noiseFamily(std::string_view distribution) {
  if (distribution == "discrete-laplace") return NoiseFamily::kLaplace;
  if (distribution == "frobenius-gamma") return NoiseFamily::kFrobenius;
  if (distribution == "two-sided-wishart") return NoiseFamily::kTwoSidedWishart;
  if (distribution == "wishart") return NoiseFamily::kWishart;
  return NoiseFamily::kGaussian;
}

double spectralReach(const NoiseLaw& noise, int dimension) {
  const double freedom = static_cast<double>(noise.freedom) * noise.releases;
  if (freedom <= 0) return 1;
  if (noise.family == NoiseFamily::kWishart) return 1 + 0.5 * std::sqrt(dimension / freedom);
  if (noise.family == NoiseFamily::kTwoSidedWishart)
    return reachOfDifference(2 * freedom / dimension);
  return 1;
}

double spectralEdge(const NoiseLaw& noise, int dimension) {
  return 2 * noise.off_diagonal * std::sqrt(static_cast<double>(dimension)) *
         spectralReach(noise, dimension);
}

double spectralFloor(const NoiseLaw& noise, int dimension) {
  return spectralEdge(noise, dimension) + spectralMargin(noise);
}

double spectralMargin(const NoiseLaw& noise) {
  const double margin = noise.family == NoiseFamily::kLaplace
                            ? kFloorMargin + kLaplaceMargin / noise.releases
                            : kFloorMargin;
  return margin * noise.off_diagonal;
}

}  // namespace pm
