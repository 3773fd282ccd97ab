#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/random/ball.hpp"
#include "core/random/drbg.hpp"
#include "core/random/exact_bingham.hpp"
#include "core/random/wide.hpp"

namespace pm {

/// The matrix Bingham law: subspaces of k dimensions in R^q, the span of X, X^T X = I, with density
/// proportional to exp(-tr X^T A X) relative to the uniform law, A = diag(alphas). `alphas` is
/// ascending from 0. Drawn exactly, by one of two rejection samplers: MACG, one matrix angular
/// central Gaussian proposal (Kent, Ganeiber, Mardia 2018, with a smaller bound), and SACG, which
/// proposes column by column in the chart X = [(I - S^T S)^1/2; S]. Their running time depends on
/// the alphas. Proofs: docs/mechanisms/ppca.md, docs/exact-noise.md.

/// MACG: proposals are the spans of q x k normal matrices with independent columns
/// N(0, (I + 2 A / b)^-1).
struct MacgEnvelope {
  double b;
  double cap;   ///< ln of the largest ratio of densities, up to a constant
  double mass;  ///< ln of the envelope's mass
};

/// The envelope of least mass.
MacgEnvelope macgEnvelope(std::span<const double> alphas, int k);

/// The cap at `b`: sum over i < k of the largest h(e) = (q/2) ln(1 + 2 e / b) - e with e between
/// alphas[i] and alphas[i + q - k].
double macgLogCap(std::span<const double> alphas, int k, double b);

/// ln of the mass of the envelope of all columns of SACG, comparable with MacgEnvelope::mass.
double chartLogMass(std::span<const double> alphas, int k);

/// A drawn subspace, of which any digit can be asked for.
class DrawnFrame {
 public:
  virtual ~DrawnFrame() = default;
  /// q x k entries of a basis, not orthonormal, column by column.
  virtual std::vector<Ball> basis(Maker<Ball>) const = 0;
  virtual std::vector<Wide> basis(Maker<Wide>) const = 0;
};

/// A subspace with the matrix Bingham law times `factor`, which is null for none.
/// Precondition: 1 <= k <= q/2.
/// @param undecided increased by the decisions that first words left open
std::unique_ptr<DrawnFrame> drawFrame(std::span<const double> alphas, int k,
                                      const BinghamFactor* factor, Drbg& random,
                                      std::uint64_t& undecided);

/// The two samplers alone. `proposals` is increased by the number of frames proposed, for SACG by
/// the number of first columns kept.
std::unique_ptr<DrawnFrame> drawMacg(std::span<const double> alphas, int k,
                                     const MacgEnvelope& envelope, const BinghamFactor* factor,
                                     Drbg& random, std::uint64_t& undecided,
                                     std::uint64_t& proposals);
std::unique_ptr<DrawnFrame> drawSacg(std::span<const double> alphas, int k,
                                     const BinghamFactor* factor, Drbg& random,
                                     std::uint64_t& undecided, std::uint64_t& proposals);

}  // namespace pm
