#pragma once

#include <cmath>

namespace pm {

/// The public law of the Gaussian noise in a symmetric matrix: independent entries on and above the
/// diagonal, mean zero. The rotation-invariant shape has `diagonal` = sqrt 2 x `offDiagonal`, the
/// upper-triangle shape has both equal. All zero: nothing was added.
struct NoiseLaw {
  double diagonal = 0;     ///< standard deviation of a diagonal entry
  double offDiagonal = 0;  ///< standard deviation of an entry above the diagonal
};

/// True where no noise was added, so that estimators must be the textbook ones.
inline bool isNoiseless(const NoiseLaw& noise) {
  return noise.diagonal == 0 && noise.offDiagonal == 0;
}

/// Largest eigenvalue of a `dimension` x `dimension` matrix of nothing but this noise, to leading
/// order: 2 s sqrt(dimension), s the off-diagonal sd (Wigner's semicircle). The diagonal is D of
/// D^2 entries and does not move the edge, so both noise shapes share it.
inline double spectralEdge(const NoiseLaw& noise, int dimension) {
  return 2 * noise.offDiagonal * std::sqrt(static_cast<double>(dimension));
}

}  // namespace pm
