#include "core/analysis/noise_draw.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/random/wishart.hpp"

namespace pm {
namespace {

template <class Entry>
Eigen::MatrixXd symmetric(int size, Entry entry) {
  Eigen::MatrixXd matrix(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = i; j < size; ++j) matrix(i, j) = matrix(j, i) = entry(i, j);
  }
  return matrix;
}

/// Wishart(freedom, I), less its mean, or less a second one; entries off the diagonal have sd 1.
Eigen::MatrixXd wishartNoise(int size, double freedom, bool twoSided, Drbg& random) {
  std::vector<double> packed(static_cast<std::size_t>(size) * (size + 1) / 2, 0.0);
  addWishart(size, freedom, 1, random, packed);
  if (twoSided) addWishart(size, freedom, -1, random, packed);
  const double mean = twoSided ? 0 : freedom;
  const double scale = 1 / std::sqrt(twoSided ? 2 * freedom : freedom);
  std::size_t next = 0;
  return symmetric(size,
                   [&](int i, int j) { return scale * (packed[next++] - (i == j ? mean : 0.0)); });
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

/// Entries off the diagonal have sd 1; those on it sqrt 2, or 1 for independent Laplace entries.
Eigen::MatrixXd NoiseDraw::standardised(Drbg& random) const {
  const double releases = std::max(1, noise_.releases);
  const auto normal = [&](double scale) {
    std::vector<double> normals(static_cast<std::size_t>(size_) * (size_ + 1) / 2);
    simulateNormals(normals, random);
    const double* next = normals.data();
    return symmetric(size_, [&](int i, int j) {
      return scale * (i == j ? std::numbers::sqrt2 : 1.0) * *next++;
    });
  };
  switch (noise_.family) {
    case NoiseFamily::kGaussian: return normal(1);
    case NoiseFamily::kLaplace:
      return symmetric(size_, [&](int, int) {
        return (standardGamma(releases, random) - standardGamma(releases, random)) /
               std::sqrt(2 * releases);
      });
    case NoiseFamily::kFrobenius: {
      const double coordinates = size_ * (size_ + 1) / 2.0 - (noise_.count == 0 ? 1 : 0);
      const double freedom = releases * (coordinates + 1);
      return normal(std::sqrt(chiSquare(freedom, random) / freedom));
    }
    case NoiseFamily::kTwoSidedWishart:
      return wishartNoise(size_, releases * noise_.freedom, true, random);
    case NoiseFamily::kWishart:
      return wishartNoise(size_, releases * noise_.freedom, false, random);
  }
  return {};
}

Eigen::MatrixXd NoiseDraw::draw(Drbg& random) const {
  const int d = size_ - 1;
  const double onDiagonal = noise_.family == NoiseFamily::kLaplace ? 1 : std::numbers::sqrt2;
  Eigen::MatrixXd noise = standardised(random);
  noise(0, 0) *= noise_.count / onDiagonal;
  noise.row(0).tail(d) *= noise_.linear;
  noise.col(0).tail(d) *= noise_.linear;
  const Eigen::VectorXd diagonal = noise.diagonal().tail(d) * (noise_.diagonal / onDiagonal);
  noise.bottomRightCorner(d, d) *= noise_.offDiagonal;
  noise.diagonal().tail(d) = diagonal;
  return noise;
}

}  // namespace pm
