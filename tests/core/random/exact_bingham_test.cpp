#include "core/random/exact_bingham.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/bingham_law.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace exact_bingham_test {

using namespace testing_support;

// ln of the share of proposals that are kept, by quadrature: the normaliser over the envelope's
// mass.
double logAcceptance(const std::vector<double>& alphas) {
  const double q = double(alphas.size()), b = binghamB(alphas);
  double sum = std::log(binghamNormaliser(alphas)) + (q - b) / 2 + q / 2 * std::log(b / q);
  for (const double alpha : alphas) sum += 0.5 * std::log1p(2 * alpha / b);
  return sum;
}

TEST(BinghamAcceptance, IsNeverBelowThatOfOneDominantDirection) {
  UnsafeTestRandom random(1);
  double closest = 1;
  for (int trial = 0; trial < 3000; ++trial) {
    const int q = 2 + int(random.below(12));  // for more the quadrature loses digits
    std::vector<double> alphas(std::size_t(q), 0.0);
    const double size = std::pow(10, 3 + 3 * random.symmetric()),
                 slope = 2 + 2 * random.symmetric();
    for (std::size_t i = 1; i < alphas.size(); ++i) {
      alphas[i] = size * std::pow(double(i) / q, slope) * (1 + 0.5 * random.symmetric());
    }
    const double above = logAcceptance(alphas) - binghamLimitLogAcceptance(q);
    EXPECT_GT(above, -1e-8) << trial;
    closest = std::min(closest, above);
  }
  EXPECT_LT(closest, 0.01);  // and the bound is attained in the limit
}

TEST(BinghamProposals, RunOutWithProbabilityBelowTwoToTheMinusForty) {
  // As the docs say.
  EXPECT_EQ(binghamProposals(13), 105);
  EXPECT_EQ(binghamProposals(100), 320);
  for (const int q : {2, 13, 100, 1000}) {
    const double kept = std::exp(binghamLimitLogAcceptance(q) - 0.02);
    EXPECT_LT(binghamProposals(q) * std::log1p(-kept), -40 * std::log(2)) << q;
    EXPECT_GT((binghamProposals(q) - 1) * std::log1p(-kept), -42 * std::log(2)) << q;
  }
}

TEST(DrawBingham, ReturnsTheFirstProposalKeptAndDrawsAsManyWhateverIsKept) {
  for (const double alpha : {0.0, 3.0, 1e6}) {
    const BinghamEnvelope envelope(std::vector{0.0, alpha / 3, alpha});
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Drbg random(unsafeTestSeed(seed)), same(unsafeTestSeed(seed));
      std::uint64_t undecided = 0;
      const Proposal drawn = drawBingham(envelope, nullptr, random, undecided);
      std::vector<double> first;
      for (int i = 0; i < binghamProposals(3); ++i) {
        const std::optional<Proposal> kept = tryBingham(envelope, nullptr, same, undecided);
        if (kept && first.empty()) first = {kept->normal(0), kept->normal(1), kept->normal(2)};
      }
      EXPECT_EQ(first, (std::vector<double>{drawn.normal(0), drawn.normal(1), drawn.normal(2)}));
      EXPECT_EQ(random.next64(), same.next64());
    }
  }
}

// A factor of 1 whose bound leaves half of the decisions to more words.
class Vague final : public BinghamFactor {
 public:
  double bound() const override { return 0.5; }
  Wide logAt(std::span<const Wide>, Maker<Wide> make) const override { return make(0); }
};

TEST(TryBingham, DecidesAsNumbersOf512BitsDo) {
  UnsafeTestRandom cases(2);
  const Vague vague;
  std::uint64_t undecided = 0;
  int kept = 0;
  constexpr int kCases = 4000;
  for (int i = 0; i < kCases; ++i) {
    std::vector<double> alphas(1 + cases.below(6), 0.0);
    const double size = std::pow(10, 3 * cases.symmetric());
    for (std::size_t j = 1; j < alphas.size(); ++j) alphas[j] = size * std::fabs(cases.symmetric());
    const BinghamEnvelope envelope(alphas);
    const BinghamFactor* factor = i % 2 == 0 ? &vague : nullptr;
    Drbg random(unsafeTestSeed(std::uint64_t(i))), same(unsafeTestSeed(std::uint64_t(i)));
    const bool is_kept = tryBingham(envelope, factor, random, undecided).has_value();
    // The ratio of densities at y = x/|x|, over its bound.
    const Proposal proposal(alphas.size(), same);
    const Maker<Wide> make{8};
    const std::vector<Wide> x = binghamPoint(envelope, proposal, make);
    Wide squared = make(0);
    for (const Wide& entry : x) squared = squared + entry * entry;
    Wide exponent = make(0), form = make(0);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Wide share = x[j] * x[j] / squared, spread = make(envelope.spreads[j]);
      exponent = exponent + make(alphas[j]) * share;
      form = form + share / spread / spread;
    }
    const Wide q = make(double(alphas.size())), b = make(envelope.b), half = make(0.5);
    const Wide bound = half * (q * (log(q) - log(b)) - q + b);
    Wide ahead = half * q * log(form) - exponent - bound - proposal.logDecision(make);
    if (factor != nullptr) ahead = ahead - make(factor->bound());
    ASSERT_TRUE(ahead.sign().has_value());
    EXPECT_EQ(is_kept, *ahead.sign() > 0) << i;
    kept += is_kept;
  }
  EXPECT_GT(undecided, kCases / 8u);
  EXPECT_GT(kept, kCases / 8);
}

TEST(TryBingham, OfOneCoordinateKeepsAlmostAllAndLeavesTheSign) {
  const BinghamEnvelope envelope(std::vector{0.0});
  Drbg random(unsafeTestSeed(3));
  std::uint64_t undecided = 0;
  int positive = 0, kept = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::optional<Proposal> proposal = tryBingham(envelope, nullptr, random, undecided);
    if (!proposal) continue;
    ++kept;
    positive += proposal->normal(0) > 0;
  }
  EXPECT_GT(kept, 990);
  // 5.5 standard errors.
  EXPECT_NEAR(positive, kept / 2.0, 5.5 * std::sqrt(kept / 4.0));
}

}  // namespace exact_bingham_test
}  // namespace pm
