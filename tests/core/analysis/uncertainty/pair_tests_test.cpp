#include "core/analysis/uncertainty/pair_tests.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/analysis/noise/population.hpp"
#include "tests/core/analysis/planted.hpp"

namespace pm {
namespace pair_tests_test {

using namespace fixtures;

constexpr int kTrials = 500;
/// So that p = .05 can be reached exactly.
constexpr int kDraws = 99;

struct Setting {
  int d;
  double noise;
  double rows;
  double rho;
};

MomentSums releasedIn(const Setting& setting, std::uint64_t trial) {
  Drbg random = simulationDrbg(401, trial);
  const Eigen::MatrixXd covariance = plant(setting.d, setting.rho);
  MomentSums sums = exactSums(covariance, setting.noise, setting.rows);
  const Eigen::VectorXd mean = Eigen::VectorXd::Zero(2 * setting.d);
  sums.packed = pack(Population(sums, setting.rows, mean, covariance).draw(random).second_moments);
  return sums;
}

/// Trials in which the j-th p-value is at most .05.
std::uint64_t rejections(const Setting& setting, std::size_t j) {
  std::uint64_t rejected = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    const Bootstrap bootstrap =
        Bootstrap::create(releasedIn(setting, trial), {0.95, kDraws, trial + 1}).value();
    rejected += ccaTests(bootstrap, inputOf(setting.d, 2)).value()[j] <= 0.05 ? 1 : 0;
  }
  std::cout << "d " << setting.d << ", noise " << setting.noise << ", rho " << setting.rho
            << ": rejected " << 100.0 * double(rejected) / kTrials << " %\n";
  return rejected;
}

/// 4 to 6 %, but for the simulation: under either, the counts beyond have a probability below 1e-6.
void expectNominalLevel(std::uint64_t rejected) {
  EXPECT_GE(rejected, 3U);
  EXPECT_LE(rejected, 59U);
}

TEST(PairTests, OfUnrelatedViewsHaveTheirLevelWithoutNoise) {
  expectNominalLevel(rejections({3, 0, 1000, 0}, 0));
}

TEST(PairTests, OfUnrelatedViewsHaveTheirLevelInLittleNoise) {
  expectNominalLevel(rejections({8, 0.005, 2000, 0}, 0));
}

TEST(PairTests, OfUnrelatedViewsHaveTheirLevelInMuchNoise) {
  // Noise hides some directions of the views.
  expectNominalLevel(rejections({8, 0.05, 2000, 0}, 0));
}

TEST(PairTests, CountOneRealPairAndSeldomMore) {
  const Setting setting{3, 0.02, 1000, 0.5};
  EXPECT_GT(rejections(setting, 0), 480U);
  expectNominalLevel(rejections(setting, 1));
}

TEST(PairTests, OfAnyNumberOfViewsAreThoseOfCcaForTwo) {
  const MomentSums sums = releasedIn({3, 0.02, 1000, 0.5}, 1);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, kDraws, 1}).value();
  CcaInput pair = inputOf(3, 1);
  EXPECT_EQ(ccaTests(bootstrap, pair).value(), gccaTests(bootstrap, generalInputOf(3)).value());
}

TEST(PairTests, NeverDecreaseAndAreOneAtMost) {
  const Bootstrap bootstrap =
      Bootstrap::create(releasedIn({8, 0.02, 2000, 0.6}, 2), {0.95, 60, 1}).value();
  const std::vector<double> p = ccaTests(bootstrap, inputOf(8, 8)).value();
  ASSERT_EQ(p.size(), 8U);
  EXPECT_GE(p.front(), 1.0 / 61);
  EXPECT_TRUE(std::is_sorted(p.begin(), p.end()));
  EXPECT_LE(p.back(), 1);
}

TEST(PairTests, RefuseWhatCcaRefuses) {
  const Bootstrap bootstrap =
      Bootstrap::create(releasedIn({3, 0.02, 1000, 0.5}, 1), {0.95, 60, 1}).value();
  EXPECT_EQ(ccaTests(bootstrap, inputOf(3, 4)).error().code, Code::kInvalidComponents);
}

}  // namespace pair_tests_test
}  // namespace pm
