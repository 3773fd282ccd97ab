#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/random/ball.hpp"
#include "core/random/drbg.hpp"
#include "core/random/exact_normal.hpp"
#include "core/random/wide.hpp"
#include "core/wipe.hpp"

namespace pm {

/// Bingham's distribution on the unit sphere in q dimensions, density proportional to
/// exp(-sum alpha_i x_i^2) relative to the uniform one, drawn exactly: by rejection from an angular
/// central Gaussian envelope (Kent, Ganeiber, Mardia 2018), whose normals have as many digits as
/// are looked at, and whose decisions are those of real numbers. Proofs: docs/exact-noise.md.

/// The root b in [1, q] of sum 1/(b + 2 alpha_i) = 1.
/// Precondition: alphas not empty, finite, >= 0, one of them 0.
double binghamB(std::span<const double> alphas);

/// ln of the least probability of accepting a proposal, whatever the q alphas: that of one alpha 0
/// and the others infinite, Gamma(q/2) (2 e)^((q-1)/2) / (sqrt(pi) q^(q/2)). q >= 1.
double binghamLimitLogAcceptance(int q);

/// ln Gamma(n/2). n >= 1.
double logGammaOfHalf(int n);

/// The spread of a proposal's coordinate: at least (1 + 2 alpha / b)^-1/2, and within 2^-49 of it.
double spreadAbove(double alpha, double b);

/// Proposals x = spread_i z_i, z standard normal; x/|x| is kept with the probability
///   (t e^(1-t))^(q/2) at least, t = b |z|^2 / (q |x|^2), less where spreads are rounded up.
///
/// Private, as the alphas may be: wiped on destruction.
struct BinghamEnvelope {
  PrivateNumbers alphas;
  PrivateNumbers spreads;  ///< spreadAbove(alpha_i, b)
  double b = 1;

  /// Precondition: as for binghamB; sums of alphas below 2^100.
  explicit BinghamEnvelope(std::span<const double> exponents);
  int size() const { return int(alphas.size()); }
};

/// The sums of a proposal that decide whether it is kept: |z|^2, |x|^2 and sum alpha_i x_i^2.
template <class Real>
struct ProposalSums {
  Real normals, weighted, exponent;
};

/// ln of the probability with which a proposal is kept:
///   (q/2) ln(b |z|^2 / (q |x|^2)) + (q - b)/2 - sum alpha_i x_i^2 / |x|^2  <=  0.
template <class Real>
Real binghamLogAcceptance(const BinghamEnvelope& envelope, const ProposalSums<Real>& sums,
                          Maker<Real> make) {
  const Real q = make(envelope.size()), b = make(envelope.b);
  return make(0.5) * (q * log(b * sums.normals / (q * sums.weighted)) + q - b) -
         sums.exponent / sums.weighted;
}

/// Normals and the uniform number of a decision about them, of which any digit can be asked for.
class Proposal {
 public:
  Proposal(std::size_t count, Drbg& random) : normals_(count, random), decision_(random.next64()) {}

  std::size_t size() const { return normals_.size(); }
  /// Number i: by its first word, and with the words of the maker's precision.
  double normal(std::size_t i) const;
  Ball normal(std::size_t i, Maker<Ball>) const;
  Wide normal(std::size_t i, Maker<Wide> make) const;
  /// ln of the uniform number.
  Ball logDecision(Maker<Ball>) const;
  Wide logDecision(Maker<Wide> make) const;

 private:
  ExactNormals normals_;
  std::uint64_t decision_;
};

/// x of a proposal, with as many digits as its maker has.
template <class Real>
std::vector<Real> binghamPoint(const BinghamEnvelope& envelope, const Proposal& proposal,
                               Maker<Real> make) {
  std::vector<Real> x;
  x.reserve(proposal.size());
  for (std::size_t i = 0; i < proposal.size(); ++i) {
    x.push_back(make(envelope.spreads[i]) * proposal.normal(i, make));
  }
  return x;
}

/// A factor of a density besides that of Bingham's law, on the sphere or of a subspace.
class BinghamFactor {
 public:
  virtual ~BinghamFactor() = default;
  /// |ln(factor)| is at most this, a constant >= 0.
  virtual double bound() const { return 0; }
  /// ln(factor) at the span of the columns of a matrix with q rows, column by column.
  virtual Wide logAt(std::span<const Wide> columns, Maker<Wide> make) const = 0;
};

/// Whether a proposal is kept. `ahead` is ln of the probability of keeping it without a factor,
/// over the uniform number of the decision, in doubles, which decide nearly always; `by_more_words`
/// is the same with the words of a maker, and with the factor where there is one.
/// @param factor null for none, or where it is decided about later
/// @param undecided increased if doubles left the decision open
template <class ByMoreWords>
bool isKept(const Ball& ahead, const BinghamFactor* factor, std::uint64_t& undecided,
            ByMoreWords by_more_words) {
  // A factor makes it less by 0 to twice its bound.
  const Ball at_least = ahead - Ball(factor != nullptr ? 2 * factor->bound() : 0);
  if (at_least.sign().value_or(0) > 0) return true;
  if (ahead.sign().value_or(0) < 0) return false;
  ++undecided;
  for (int words = 3;; words += words) {
    if (const std::optional<int> sign = by_more_words(Maker<Wide>{words}).sign()) return *sign > 0;
  }
}

/// A proposal x whose direction, if it is kept, has the density of `envelope` times that of
/// `factor`.
/// @param factor null for none
/// @param undecided increased if first words left the decision open
std::optional<Proposal> tryBingham(const BinghamEnvelope& envelope, const BinghamFactor* factor,
                                   Drbg& random, std::uint64_t& undecided);

/// How many proposals are drawn at a time for q coordinates: enough that none is kept with
/// probability below 2^-40, whatever the alphas, where the bound of a factor is at most 1/100.
int binghamProposals(int q);

/// The first proposal that is kept, of as many whole times `binghamProposals` as it takes: all of
/// them are drawn and looked at, so that their number says nothing of the alphas but with
/// probability 2^-40.
Proposal drawBingham(const BinghamEnvelope& envelope, const BinghamFactor* factor, Drbg& random,
                     std::uint64_t& undecided);

}  // namespace pm
