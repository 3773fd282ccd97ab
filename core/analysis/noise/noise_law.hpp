#pragma once

#include <string_view>

#include "core/arithmetic.hpp"

namespace pm {

/// The families of noise in releases of moments. Standard deviations complete the law.
enum class NoiseFamily {
  kGaussian,         ///< independent normal entries
  kLaplace,          ///< independent Laplace entries
  kFrobenius,        ///< density proportional to exp(-|E|_F / scale)
  kTwoSidedWishart,  ///< difference of two Wishart matrices
  kWishart,          ///< a Wishart matrix minus its mean
};

/// The family of a distribution by its name in releases; Gaussian for other names.
NoiseFamily noiseFamily(std::string_view distribution);

/// The public law of the noise, with mean zero, in a symmetric matrix; by default independent
/// normal entries on and above the diagonal. The rotation-invariant shape has `diagonal` = sqrt 2 x
/// `off_diagonal`, the upper-triangle shape has both equal. All zero means no noise.
struct NoiseLaw {
  double diagonal = 0;      ///< standard deviation of a diagonal entry
  double off_diagonal = 0;  ///< standard deviation of an entry above the diagonal
  NoiseFamily family = NoiseFamily::kGaussian;
  int releases = 1;  ///< number of equal draws in the sum, at least 1
  int freedom = 0;   ///< Wishart families: degrees of freedom of each draw, positive
};

/// The noise in a sum of releases over augmented rows (constant, z): mean zero, independent between
/// releases.
struct SumNoise {
  double diagonal = 0;      ///< sd of an entry z_i z_i of the sum
  double off_diagonal = 0;  ///< sd of an entry z_i z_j, i != j
  double linear = 0;        ///< sd of an entry constant z_i
  double count = 0;         ///< sd of entry (0, 0); 0 if the number of rows is public
  NoiseFamily family = NoiseFamily::kGaussian;
  int releases = 1;  ///< number of draws in the sum, at least 1
  int freedom = 0;   ///< Wishart families: degrees of freedom of each draw

  /// Noise of one law on the whole augmented matrix, including the count if that is private.
  static SumNoise everywhere(const NoiseLaw& law, bool count_is_public = true) {
    return {law.diagonal, law.off_diagonal, law.off_diagonal, count_is_public ? 0 : law.diagonal,
            law.family,   law.releases,     law.freedom};
  }
};

/// Whether no noise was added, so that estimators must be the textbook ones.
inline bool isNoiseless(const NoiseLaw& noise) {
  return noise.diagonal == 0 && noise.off_diagonal == 0;
}

/// Ratio of the largest eigenvalue of this noise to that of normal noise with the same standard
/// deviations, to leading order in the dimension d; at least 1. Wishart noise is skewed, and the
/// difference of two has heavier tails: with f degrees of freedom in all and
/// c = d / f,
///   Wishart            1 + sqrt(c) / 2                      (Marchenko & Pastur 1967),
///   two-sided Wishart  min over 0 < y < 1 of (a y / (1 - y^2) + 1 / y) / (2 sqrt a),  a = 2 / c,
/// the latter the edge of the free difference of two Marchenko-Pastur laws (Voiculescu 1986), 1.18
/// at c = 1. The ratio is 1 for independent entries of any law with four moments (Bai & Yin 1988),
/// and for noise that is radial about 0 in many dimensions.
/// @param dimension d, of the matrix or of the block under consideration; at least 1
double spectralReach(const NoiseLaw& noise, int dimension);

/// Largest eigenvalue of a `dimension` x `dimension` matrix of this noise alone, to leading order:
/// 2 s sqrt(dimension) `spectralReach`, s the off-diagonal sd (Wigner's semicircle). The diagonal,
/// with D of D^2 entries, does not affect the edge, so it is the same for both noise shapes.
double spectralEdge(const NoiseLaw& noise, int dimension);

/// A level that the largest eigenvalue of the noise exceeds in at most about one draw in twenty:
/// the edge plus `spectralMargin`, which is 0.8 s, for Laplace entries (0.8 + 0.3 / releases) s.
/// The margins are from simulation, which the tests repeat.
double spectralFloor(const NoiseLaw& noise, int dimension);
double spectralMargin(const NoiseLaw& noise);

}  // namespace pm
