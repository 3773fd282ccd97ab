#include "core/analysis/noise/noise_draw.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "core/matrix/packed.hpp"
#include "core/random/continuous.hpp"
#include "core/random/wishart.hpp"

namespace pm {
namespace {

/// Wishart(freedom, I) minus its mean, or minus a second draw, scaled so that off-diagonal entries
/// have sd 1.
std::vector<double> wishartNoise(int size, double freedom, bool two_sided, Drbg& random) {
  std::vector<double> packed(static_cast<std::size_t>(size) * (size + 1) / 2, 0.0);
  addWishart(size, freedom, 1, random, packed);
  if (two_sided) addWishart(size, freedom, -1, random, packed);
  const double mean = two_sided ? 0 : freedom;
  const double scale = 1 / std::sqrt(two_sided ? 2 * freedom : freedom);
  double* next = packed.data();
  for (int i = 0; i < size; ++i) {
    for (int j = i; j < size; ++j, ++next) *next = scale * (*next - (i == j ? mean : 0.0));
  }
  return packed;
}

}  // namespace

Drbg simulationDrbg(std::uint64_t number, std::uint64_t draw) {
  Seed seed{};
  for (std::size_t i = 0; i < 8; ++i) {
    seed[i] = static_cast<std::uint8_t>(number >> (8 * i));
    seed[i + 8] = static_cast<std::uint8_t>(draw >> (8 * i));
  }
  return Drbg(seed);
}

NoiseDraw::NoiseDraw(const SumNoise& noise, int dimension) : noise_(noise), size_(dimension + 1) {
  const bool wishart =
      noise.family == NoiseFamily::kTwoSidedWishart || noise.family == NoiseFamily::kWishart;
  if (wishart && noise.freedom < size_) noise_.family = NoiseFamily::kGaussian;
}

/// Off-diagonal entries have sd 1, diagonal ones sqrt 2, or 1 for independent Laplace entries.
std::vector<double> NoiseDraw::standardised(Drbg& random) const {
  const double releases = std::max(1, noise_.releases);
  std::vector<double> entries(static_cast<std::size_t>(size_) * (size_ + 1) / 2);
  const auto normal = [&](double scale) {
    simulateNormals(entries, random);
    double* next = entries.data();
    for (int i = 0; i < size_; ++i) {
      *next++ *= scale * std::numbers::sqrt2;
      for (int j = i + 1; j < size_; ++j) *next++ *= scale;
    }
  };
  switch (noise_.family) {
    case NoiseFamily::kGaussian: normal(1); break;
    case NoiseFamily::kLaplace:
      for (double& entry : entries) {
        entry = (standardGamma(releases, random) - standardGamma(releases, random)) /
                std::sqrt(2 * releases);
      }
      break;
    case NoiseFamily::kFrobenius: {
      const double coordinates = size_ * (size_ + 1) / 2.0 - (noise_.count == 0 ? 1 : 0);
      const double freedom = releases * (coordinates + 1);
      normal(std::sqrt(chiSquare(freedom, random) / freedom));
      break;
    }
    case NoiseFamily::kTwoSidedWishart:
      return wishartNoise(size_, releases * noise_.freedom, true, random);
    case NoiseFamily::kWishart:
      return wishartNoise(size_, releases * noise_.freedom, false, random);
  }
  return entries;
}

std::vector<double> NoiseDraw::drawPacked(Drbg& random) const {
  const double on_diagonal = noise_.family == NoiseFamily::kLaplace ? 1 : std::numbers::sqrt2;
  std::vector<double> noise = standardised(random);
  double* next = noise.data();
  for (int i = 0; i < size_; ++i) {
    *next++ *= (i == 0 ? noise_.count : noise_.diagonal) / on_diagonal;
    const double rest = i == 0 ? noise_.linear : noise_.off_diagonal;
    for (int j = i + 1; j < size_; ++j) *next++ *= rest;
  }
  return noise;
}

Eigen::MatrixXd NoiseDraw::draw(Drbg& random) const {
  const std::vector<double> packed = drawPacked(random);
  return unpacked(std::span<const double>(packed), size_);
}

}  // namespace pm
