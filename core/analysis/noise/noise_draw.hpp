#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/analysis/noise/noise_law.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// A generator for one draw of a simulation or for public random choices. Equal arguments give
/// equal numbers; nothing it draws is secret.
Drbg simulationDrbg(std::uint64_t seed, std::uint64_t draw = 0);

/// Draws from the law of the noise in a sum of releases, for simulation: idealized numerics
/// (core/random/continuous.hpp). For every family, the sum over r equally scaled releases is drawn
/// exactly, at the cost of one:
/// * normal: normal;
/// * Laplace of scale b: b (G - G'), G and G' independent Gamma(r);
/// * density exp(-|E|_F / s) in m coordinates: s sqrt(V) g with V ~ chi-square(r (m + 1)) and g
///   standard normal, because the density is that mixture with r = 1 (Andrews & Mallows 1974);
/// * Wishart matrices: degrees of freedom add up.
/// Entries are then scaled to the sds of `SumNoise`. If releases differ in scale, as when each
/// chooses its row norm, the variances are exact and the tails approximate.
class NoiseDraw {
 public:
  /// @param noise     finite sds that are not negative; releases >= 1; for the Wishart families
  ///                  freedom > D (otherwise the law has no density and normal noise is drawn)
  /// @param dimension D >= 1 features
  NoiseDraw(const SumNoise& noise, int dimension);

  /// Symmetric (D+1) x (D+1) noise in the sums, constant coordinate first.
  Eigen::MatrixXd draw(Drbg& random) const;

  /// The same numbers as a packed upper triangle, row by row, like sums.
  std::vector<double> drawPacked(Drbg& random) const;

 private:
  std::vector<double> standardised(Drbg& random) const;

  SumNoise noise_;
  int size_;
};

}  // namespace pm
