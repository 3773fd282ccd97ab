// Gaussian masks between pairs: their law across sites, and a joint attack on all messages that
// defeats a calibration for one message.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/federation/collusion.hpp"
#include "core/federation/correlated.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/privacy/gaussian.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/release_fixtures.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace correlated_masks_test {

using namespace testing_support;

constexpr int kDimension = 200;
constexpr std::size_t kSide = kDimension + 1;

Plan planOf(int sites, bool joint, double epsilon = 1, double delta = 1e-2) {
  MechanismParams params =
      gaussianParams(kDimension, Neighbours::kAddRemove, Unit::kRow, epsilon, delta);
  params.sites = sites;
  params.sharing = {Federation::kCorrelated, sites, 1, joint};
  return planSharedGaussian(params).value();
}

std::vector<PairKey> keysOf(int site, int sites, std::uint64_t run, bool signs = true) {
  std::vector<PairKey> keys;
  for (int other = 0; other < sites; ++other) {
    if (other == site) continue;
    PairKey key{};
    const Seed seed = unsafeTestSeed(
        (run << 32) + std::uint64_t(1000 * std::min(site, other) + std::max(site, other) + 1));
    std::copy_n(seed.begin(), 32, key.bytes.begin());
    key.subtract = signs && site > other;
    keys.push_back(key);
  }
  return keys;
}

// Each entry in standard deviations of a site's own noise.
std::vector<double> standardised(const Plan& plan, const std::vector<std::uint64_t>& words) {
  std::vector<double> result;
  for (std::size_t i = 0, entry = 0; i < kSide; ++i) {
    for (std::size_t j = i; j < kSide; ++j, ++entry) {
      result.push_back(double(std::int64_t(words[entry])) / noiseSigma(plan, i, j));
    }
  }
  return result;
}

// The smallest of the p-values for masks of this number of sites having covariance
// tau^2 (I - 11'/S), tau^2 = S, in units of own noise: in an orthonormal basis (Helmert's) they are
// zero along 11' and across it independent with variance S.
double masksLaw(const Plan& plan, int sites, std::uint64_t runs, bool signs) {
  const std::size_t s = std::size_t(sites);
  std::vector<double> squares(s), products(s * s);
  double count = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::vector<std::vector<double>> masks;
    for (int site = 0; site < sites; ++site) {
      std::vector<std::uint64_t> words(plan.length);
      for (const PairKey& key : keysOf(site, sites, run, signs)) addPairMask(plan, key, words);
      masks.push_back(standardised(plan, words));
    }
    for (std::size_t e = 0; e < plan.length; ++e, ++count) {
      std::vector<double> y(s);
      double sum = masks[0][e];
      for (std::size_t k = 1; k < s; ++k) {
        y[k] = (sum - double(k) * masks[k][e]) / std::sqrt(double(k * (k + 1)) * double(sites));
        sum += masks[k][e];
      }
      y[0] = sum / std::sqrt(double(sites));
      for (std::size_t i = 0; i < s; ++i) {
        squares[i] += y[i] * y[i];
        for (std::size_t j = 0; j < i; ++j) products[i * s + j] += y[i] * y[j];
      }
    }
  }
  // Sums of whole numbers cancel exactly; as multiples of a deviation, to the last bits.
  if (squares[0] > 1e-20 * count) return 0;
  double least = 1;
  for (std::size_t i = 1; i < s; ++i) {
    const double upper = chiSquareTail(squares[i], count);
    least = std::min(least, 2 * std::min(upper, 1 - upper));
    for (std::size_t j = 1; j < i; ++j) {
      least = std::min(least, normalTail(products[i * s + j] / std::sqrt(count)));
    }
  }
  return least * double(s * (s - 1) / 2);
}

TEST(PairMasks, HaveTheCovarianceOfIdealMasks) {
  // Six sites, 5 variances and 10 correlations of 100 000 entries: false alarm below 1e-6.
  const std::uint64_t runs = std::max<std::uint64_t>(1, draws(5));
  EXPECT_GT(masksLaw(planOf(6, true), 6, runs, true), kAlarm);
  EXPECT_GT(masksLaw(planOf(6, false), 6, runs, true), kAlarm);
}

TEST(PairMasks, DifferFromMasksWithAForgottenSignOrAWrongScale) {
  EXPECT_LT(masksLaw(planOf(6, true), 6, 1, false), 1e-12);
  for (const double scale : {0.95, 1.05}) {
    Plan plan = planOf(6, true);
    plan.own<GaussianNoise>().w_pair_diagonal =
        std::uint64_t(double(plan.own<GaussianNoise>().w_pair_diagonal) * scale);
    plan.own<GaussianNoise>().w_pair_off_diagonal =
        std::uint64_t(double(plan.own<GaussianNoise>().w_pair_off_diagonal) * scale);
    // A change of a tenth in the variance, which 20 000 entries estimate to a hundredth.
    EXPECT_LT(masksLaw(plan, 6, 1, true), 1e-12) << scale;
  }
}

std::uint64_t next_seed = 0;
int countedEntropy(std::uint8_t* out, std::size_t bytes) {
  const Seed seed = unsafeTestSeed(++next_seed);
  std::copy_n(seed.begin(), bytes, out);
  return 0;
}

struct Attack {
  double joint = 0, alone = 0;  ///< delta reached at epsilon, by all messages and the victim's own
  double error = 0;             ///< a bound on the standard error of either
};

// Every entry of every run is one experiment: the messages of ten sites, one of which is moved by
// the sensitivity or not. The best test on all messages is linear, with the weights of the inverted
// covariance; the best test on one message is the message itself.
Attack attack(const Plan& plan, std::uint64_t runs) {
  const int sites = plan.params.sites;
  const double epsilon = plan.params.epsilon;
  const double shift = std::sqrt(double(plan.sensitivity_squared)) / plan.sd_diagonal;
  // Own noise has variance 1, masks S (I - 11'/S): the inverse is (I + 11')/(1 + S).
  const double all = kappa(View::kPairMasks, sites, sites, 1) / sites;  // its diagonal entry
  const double message = sites;                                         // variance of one
  double hits = 0, alarms = 0, alone_hits = 0, alone_alarms = 0, count = 0;
  const std::vector<double> row(kDimension, 0.0);
  const double constant = double(plan.constant) * double(plan.constant);
  next_seed = 77'000'000;
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::vector<double> victim, sum(plan.length);
    for (int site = 0; site < sites; ++site) {
      Intake intake = unitIntake(plan);
      if (intake.add(row)) return {};
      const auto sent =
          releaseCorrelated(plan, intake, keysOf(site, sites, 1000 + run), countedEntropy);
      MaskSum words(plan.length);
      if (!sent.ok() || words.add(sent.value().payload)) return {};
      std::vector<std::uint64_t> noise(words.words().begin(), words.words().end());
      noise[0] -= std::uint64_t(constant);
      const std::vector<double> each = standardised(plan, noise);
      if (site == 0) victim = each;
      for (std::size_t e = 0; e < each.size(); ++e) sum[e] += each[e];
    }
    for (std::size_t e = 0; e < plan.length; ++e, ++count) {
      // The log-likelihood ratio is shift * statistic - shift^2 * entry / 2.
      const double statistic = (victim[e] + sum[e]) / (1 + sites);
      const double half = shift * shift * all / 2;
      hits += shift * (statistic + shift * all) - half > epsilon;
      alarms += shift * statistic - half > epsilon;
      const double alone = shift * victim[e] / message, alone_half = shift * shift / message / 2;
      alone_hits += alone + 2 * alone_half - alone_half > epsilon;
      alone_alarms += alone - alone_half > epsilon;
    }
  }
  const double e = std::exp(epsilon);
  const auto reached = [&](double hit, double alarm) { return (hit - e * alarm) / count; };
  return {reached(hits, alarms), reached(alone_hits, alone_alarms),
          std::sqrt((std::max(hits, alone_hits) + e * e * std::max(alarms, alone_alarms))) / count};
}

TEST(JointAttack, ExceedsTheClaimIfNoiseIsCalibratedForOneMessage) {
  // Ten sites, label (1, 0.01): 400 000 experiments, standard error below 7e-4. Bounds are 5.2
  // errors wide, false alarm below 1e-6.
  const Plan plan = planOf(10, false);
  const Attack result = attack(plan, std::max<std::uint64_t>(1, draws(20)));
  EXPECT_NEAR(plan.guarantee.delta, 0.04215, 1e-5) << "what the plan says of itself";
  EXPECT_NEAR(result.joint, plan.guarantee.delta, 5.2 * result.error);
  EXPECT_NEAR(result.alone, 0.01, 5.2 * result.error) << "the claim is true of one message";
  if (!kSlowBuild) {
    EXPECT_GT(result.joint - 5.2 * result.error, 3 * 0.01);
  }
}

TEST(JointAttack, StaysWithinTheGuaranteeIfNoiseIsCalibratedForAllMessages) {
  const Plan plan = planOf(10, true);
  const Attack result = attack(plan, std::max<std::uint64_t>(1, draws(20)));
  EXPECT_EQ(plan.guarantee.delta, 0.01);
  EXPECT_LT(result.joint, 0.01 + 5.2 * result.error);
  EXPECT_GT(result.joint, 0.01 - 5.2 * result.error) << "the attack is the best there is";
  EXPECT_LT(result.alone, result.joint);
}

}  // namespace correlated_masks_test
}  // namespace pm
