#pragma once

namespace pm {

/// The distributions that releases of moments draw from; what standard deviations leave open.
enum class NoiseFamily {
  kGaussian,         ///< independent normal entries
  kLaplace,          ///< independent Laplace entries
  kFrobenius,        ///< density proportional to exp(-|E|_F / scale)
  kTwoSidedWishart,  ///< difference of two Wishart matrices
  kWishart,          ///< a Wishart matrix less its mean
};

/// The public law of the noise in a symmetric matrix, mean zero. Of independent normal entries on
/// and above the diagonal unless it says otherwise. The rotation-invariant shape has `diagonal` =
/// sqrt 2 x `offDiagonal`, the upper-triangle shape has both equal. All zero: nothing was added.
struct NoiseLaw {
  double diagonal = 0;     ///< standard deviation of a diagonal entry
  double offDiagonal = 0;  ///< standard deviation of an entry above the diagonal
  NoiseFamily family = NoiseFamily::kGaussian;
  int releases = 1;  ///< how many equal draws it is the sum of, at least 1
  int freedom = 0;   ///< Wishart families: degrees of freedom of each draw, positive
};

/// The noise in a sum of releases over augmented rows (constant, z): mean zero, each release's
/// drawn by itself.
struct SumNoise {
  double diagonal = 0;     ///< sd of an entry z_i z_i of the sum
  double offDiagonal = 0;  ///< sd of an entry z_i z_j, i != j
  double linear = 0;       ///< sd of an entry constant z_i
  double count = 0;        ///< sd of entry (0, 0); 0 where the number of rows is public
  NoiseFamily family = NoiseFamily::kGaussian;
  int releases = 1;  ///< how many draws were summed, at least 1
  int freedom = 0;   ///< Wishart families: degrees of freedom of each draw

  /// Noise of one law on the whole augmented matrix, and on the count where that is private.
  static SumNoise everywhere(const NoiseLaw& law, bool countIsPublic = true) {
    return {law.diagonal, law.offDiagonal, law.offDiagonal, countIsPublic ? 0 : law.diagonal,
            law.family,   law.releases,    law.freedom};
  }
};

/// True where no noise was added, so that estimators must be the textbook ones.
inline bool isNoiseless(const NoiseLaw& noise) {
  return noise.diagonal == 0 && noise.offDiagonal == 0;
}

/// How much farther the largest eigenvalue of this noise reaches than that of normal noise with the
/// same standard deviations, to leading order in the dimension d, at least 1. Wishart noise is
/// skewed, and the difference of two has heavier tails: with f degrees of freedom in all and
/// c = d / f,
///   Wishart            1 + sqrt(c) / 2                      (Marchenko & Pastur 1967),
///   two-sided Wishart  min over 0 < y < 1 of (a y / (1 - y^2) + 1 / y) / (2 sqrt a),  a = 2 / c,
/// the latter the edge of the free difference of two Marchenko-Pastur laws (Voiculescu 1986), 1.18
/// at c = 1. Independent entries of any law with four moments reach as far as normal ones
/// (Bai & Yin 1988), and so does noise that is radial about 0 in many dimensions.
/// @param dimension d, of the matrix or of the block looked at; at least 1
double spectralReach(const NoiseLaw& noise, int dimension);

/// Largest eigenvalue of a `dimension` x `dimension` matrix of nothing but this noise, to leading
/// order: 2 s sqrt(dimension) `spectralReach`, s the off-diagonal sd (Wigner's semicircle). The
/// diagonal is D of D^2 entries and does not move the edge, so both noise shapes share it.
double spectralEdge(const NoiseLaw& noise, int dimension);

/// What the largest eigenvalue of the noise exceeds in about one draw of twenty, or fewer: the edge
/// and 0.8 s, for Laplace entries (0.8 + 0.3 / releases) s. The margins are from simulation; the
/// tests repeat it.
double spectralFloor(const NoiseLaw& noise, int dimension);

}  // namespace pm
