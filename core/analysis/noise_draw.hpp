#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/analysis/noise_law.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// A generator for one draw of a simulation, or of what is random and public, the same for the same
/// numbers: nothing it draws is secret.
Drbg simulationDrbg(std::uint64_t seed, std::uint64_t draw = 0);

/// Draws from the law of the noise in a sum of releases, for simulation: idealized numerics
/// (core/random/continuous.hpp). Every family's sum over r equally scaled releases is drawn at the
/// cost of one, and exactly:
/// * normal: normal;
/// * Laplace of scale b: b (G - G'), G and G' independent Gamma(r);
/// * density exp(-|E|_F / s) in m coordinates: s sqrt(V) g with V ~ chi-square(r (m + 1)) and g
///   standard normal, because the density is that mixture with r = 1 (Andrews & Mallows 1974);
/// * Wishart matrices: degrees of freedom add up.
/// Entries are then scaled to the sds that `SumNoise` states. Where releases differ in scale, as
/// with row norms chosen by each, the variances are exact and the tails only nearly so.
class NoiseDraw {
 public:
  /// @param noise     finite sds that are not negative; releases >= 1; for the Wishart families
  ///                  freedom > D (otherwise the law has no density and normal noise is drawn)
  /// @param dimension D >= 1 features
  NoiseDraw(const SumNoise& noise, int dimension);

  /// Symmetric (D+1) x (D+1) noise in the sums, constant coordinate first.
  Eigen::MatrixXd draw(Drbg& random) const;

  /// The same numbers, its upper triangle row by row: as sums are kept.
  std::vector<double> drawPacked(Drbg& random) const;

 private:
  std::vector<double> standardised(Drbg& random) const;

  SumNoise noise_;
  int size_;
};

}  // namespace pm
