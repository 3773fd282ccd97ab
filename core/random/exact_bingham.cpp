#include "core/random/exact_bingham.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr double kUnit = 0x1p-53;  // the rounding of doubles

/// The sums in doubles. A normal is within 2 kUnit of its size + 2^-69 of its first word's, and
/// each square, product and sum adds a rounding; by Cauchy and Schwarz the second part moves
/// |x|^2 by at most 2^-68 |spreads| |x|.
ProposalSums<Ball> sumsOf(const BinghamEnvelope& envelope, const Proposal& proposal) {
  const std::size_t q = envelope.alphas.size();
  double sums[3] = {};
  for (std::size_t i = 0; i < q; ++i) {
    const double z = proposal.normal(i), x = envelope.spreads[i] * z, square = x * x;
    sums[0] += z * z;
    sums[1] += square;
    sums[2] += envelope.alphas[i] * square;
  }
  // |spreads|^2 <= 1.01 b, and sum alpha_i spread_i^2 <= 1.01 q b / 2.
  const double squared_scales[3] = {double(q), 1.01 * envelope.b,
                                    1.01 * double(q) * envelope.b / 2};
  const auto ball = [&](int i) {
    const double error =
        (double(q) + 16) * kUnit * sums[i] + 0x1p-67 * std::sqrt(squared_scales[i] * sums[i]);
    return Ball::within(sums[i], error * 1.01 + double(q) * 0x1p-130 * squared_scales[i]);
  };
  return {ball(0), ball(1), ball(2)};
}

/// ln of the probability of keeping a proposal over the uniform number of its decision.
Wide aheadByMoreWords(const BinghamEnvelope& envelope, const Proposal& proposal,
                      const BinghamFactor* factor, Maker<Wide> make) {
  const std::vector<Wide> x = binghamPoint(envelope, proposal, make);
  ProposalSums<Wide> sums{make(0), make(0), make(0)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Wide z = proposal.normal(i, make), square = x[i] * x[i];
    sums.normals = sums.normals + z * z;
    sums.weighted = sums.weighted + square;
    sums.exponent = sums.exponent + make(envelope.alphas[i]) * square;
  }
  const Wide ahead = binghamLogAcceptance(envelope, sums, make) - proposal.logDecision(make);
  return factor == nullptr ? ahead : ahead + factor->logAt(x, make) - make(factor->bound());
}

}  // namespace

double binghamB(std::span<const double> alphas) {
  // The sum is decreasing and convex in b, so Newton's steps from 1 increase to the root and never
  // pass it.
  double b = 1;
  for (int i = 0; i < 100; ++i) {
    double sum = 0, slope = 0;
    for (const double alpha : alphas) {
      const double term = 1 / (b + 2 * alpha);
      sum += term;
      slope += term * term;
    }
    const double next = b + (sum - 1) / slope;
    if (!(next > b)) break;
    b = next;
  }
  return b;
}

double logGammaOfHalf(int n) {
  double sum = n % 2 == 1 ? 0.5 * std::log(std::numbers::pi) : 0;
  for (int m = n - 2; m > 0; m -= 2) sum += std::log(0.5 * m);
  return sum;
}

double spreadAbove(double alpha, double b) { return (1 + 0x1p-50) / std::sqrt(1 + 2 * alpha / b); }

double binghamLimitLogAcceptance(int q) {
  return logGammaOfHalf(q) + 0.5 * (q - 1) * (1 + std::numbers::ln2) -
         0.5 * std::log(std::numbers::pi) - 0.5 * q * std::log(double(q));
}

BinghamEnvelope::BinghamEnvelope(std::span<const double> exponents)
    : alphas(exponents.begin(), exponents.end()), b(binghamB(alphas)) {
  for (const double alpha : alphas) {
    spreads.push_back(spreadAbove(alpha, b));
  }
}

double Proposal::normal(std::size_t i) const {
  const double first = double(normals_.firstWord(i)) * 0x1p-64;
  const double size = (double(normals_.cell(i)) + first) / kCellsPerUnit;
  return normals_.isNegative(i) ? -size : size;
}

Ball Proposal::normal(std::size_t i, Maker<Ball>) const {
  const double mid = normal(i);
  return Ball::within(mid, 2.1 * kUnit * std::fabs(mid) + 0x1p-69);
}

Wide Proposal::normal(std::size_t i, Maker<Wide> make) const {
  std::vector<std::uint64_t> digits(std::size_t(make.words), 0);
  for (std::size_t depth = 0; depth < digits.size(); ++depth) {
    normals_.readWords(i, depth, std::span(digits).subspan(depth, 1));
  }
  Wide result = make.ofDigits(normals_.isNegative(i), normals_.cell(i), digits);
  wipe(digits);
  return result;
}

Ball Proposal::logDecision(Maker<Ball>) const {
  const double mid = std::ldexp(double(decision_), -64);
  return log(Ball::within(mid, kUnit * mid + 0x1p-64));
}

Wide Proposal::logDecision(Maker<Wide> make) const {
  std::vector<std::uint64_t> digits(std::size_t(make.words), decision_);
  // Further words from the streams of the normals, of a number after the last.
  for (std::size_t depth = 1; depth < digits.size(); ++depth) {
    normals_.readWords(normals_.size(), depth, std::span(digits).subspan(depth, 1));
  }
  return log(make(kCellsPerUnit) * make.ofDigits(false, 0, digits));
}

std::optional<Proposal> tryBingham(const BinghamEnvelope& envelope, const BinghamFactor* factor,
                                   Drbg& random, std::uint64_t& undecided) {
  Proposal proposal(envelope.alphas.size(), random);
  const Maker<Ball> make;
  const Ball ahead =
      binghamLogAcceptance(envelope, sumsOf(envelope, proposal), make) - proposal.logDecision(make);
  const bool kept = isKept(ahead, factor, undecided, [&](Maker<Wide> words) {
    return aheadByMoreWords(envelope, proposal, factor, words);
  });
  if (!kept) return std::nullopt;
  return proposal;
}

int binghamProposals(int q) {
  // A thirty-second less than the limit pays for the factor's bound and for spreads rounded up.
  const double accepted = std::exp(binghamLimitLogAcceptance(q)) * 31 / 32;
  return int(std::ceil(-40 * std::numbers::ln2 / std::log1p(-accepted)));
}

Proposal drawBingham(const BinghamEnvelope& envelope, const BinghamFactor* factor, Drbg& random,
                     std::uint64_t& undecided) {
  const int proposals = binghamProposals(envelope.size());
  std::optional<Proposal> found;
  do {
    for (int i = 0; i < proposals; ++i) {
      std::optional<Proposal> kept = tryBingham(envelope, factor, random, undecided);
      if (kept && !found) found.emplace(std::move(*kept));
    }
  } while (!found);
  return std::move(*found);
}

}  // namespace pm
