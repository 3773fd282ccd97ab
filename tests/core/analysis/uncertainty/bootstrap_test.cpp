#include "core/analysis/uncertainty/bootstrap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "core/analysis/noise/normal.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/random/continuous.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/core/analysis/planted.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace bootstrap_test {

using namespace testing_support;
using namespace fixtures;

/// Number of `trials` in which the interval covers a planted correlation if the bootstrap assumes
/// `factor` times the actual noise.
std::uint64_t covered(int d, double rho, double noise, double factor, std::uint64_t trials) {
  const Eigen::MatrixXd covariance = plant(d, rho);
  Drbg random(unsafeTestSeed(71));
  std::uint64_t hits = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    MomentSums sums = released(covariance, noise, random);
    sums.noise = exactSums(covariance, factor * noise).noise;
    const Interval interval = intervalsOf(sums, d, {0.95, 100, t}).values[0];
    hits += interval.low <= rho && rho <= interval.high;
  }
  return hits;
}

TEST(CorrelationIntervals, HaveTheirNominalCoverage) {
  const std::uint64_t trials = draws(400);
  for (const auto& [d, rho, noise] :
       {std::tuple{1, 0.5, 0.01}, std::tuple{3, 0.8, 0.01}, std::tuple{3, 0.4, 0.02}}) {
    const std::uint64_t hits = covered(d, rho, noise, 1, trials);
    std::cout << "d " << d << ", correlation " << rho << ", noise " << noise << ": covered "
              << 100.0 * double(hits) / double(trials) << " %\n";
    EXPECT_GT(binomialTail(hits, trials, 0.95), kAlarm / 3);
  }
}

TEST(CorrelationIntervals, ThatIgnorePrivacyNoiseDoNotHaveIt) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(400);
  EXPECT_LT(binomialTail(covered(3, 0.5, 0.02, 0, trials), trials, 0.95), kAlarm);
  EXPECT_LT(binomialTail(covered(3, 0.5, 0.02, 0.5, trials), trials, 0.95), kAlarm);
}

TEST(CorrelationIntervals, AreTheSameForTheSameSeedAndNearlySoForAnother) {
  Drbg random(unsafeTestSeed(72));
  const MomentSums sums = released(plant(2, 0.6), 0.01, random);
  const Interval first = intervalsOf(sums, 2, {0.95, 500, 1}).values[0];
  const Interval again = intervalsOf(sums, 2, {0.95, 500, 1}).values[0];
  const Interval other = intervalsOf(sums, 2, {0.95, 500, 2}).values[0];
  EXPECT_EQ(first.low, again.low);
  EXPECT_EQ(first.high, again.high);
  EXPECT_NE(first.low, other.low);
  EXPECT_NEAR(first.low, other.low, 0.3 * (first.high - first.low));
  EXPECT_NEAR(first.high, other.high, 0.3 * (first.high - first.low));
}

TEST(Simulations, DrawTheSameReleaseIndependentlyOfEarlierDraws) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0.01);
  const Population population(sums, kRows, Eigen::VectorXd::Zero(4), plant(2, 0.6));
  const auto draw_of = [&](std::uint64_t seed, std::uint64_t draw) {
    Drbg random = simulationDrbg(seed, draw);
    return population.drawScaled(random).scaled_covariance;
  };
  EXPECT_EQ(draw_of(1, 7), draw_of(1, 7));
  EXPECT_NE(draw_of(1, 7), draw_of(1, 8));
  EXPECT_NE(draw_of(1, 7), draw_of(7, 1));
}

TEST(Simulations, DrawTheSameReleaseInTwoStepsAsInOne) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0.01);
  const Population one(sums, kRows, Eigen::VectorXd::Zero(4), plant(2, 0.6));
  const Population other(sums, kRows, Eigen::VectorXd::Zero(4), plant(2, 0.1));
  Drbg first = simulationDrbg(1, 7), second = simulationDrbg(1, 7);
  const Eigen::MatrixXd whole = other.drawScaled(first).scaled_covariance;
  EXPECT_EQ(whole, other.drawScaled(one.chance(second)).scaled_covariance);
}

/// Two values, each of which changes with its parameter, from the first two variances.
Family variancesOf(const MomentSums& sums) {
  const Eigen::MatrixXd covariance = plant(2, 0.6);
  Family family;
  family.parameters = 2;
  family.scales.assign(2, Scale::kVariance);
  family.floors.assign(2, 0);
  family.statistic = [](const ScaledMoments& moments) {
    return Eigen::VectorXd(moments.scaled_covariance.diagonal().head(2));
  };
  family.observed = family.statistic(assembleMoments(sums).value());
  family.covariance = [covariance](const Eigen::VectorXd& shift) {
    Eigen::MatrixXd moved = covariance;
    moved.diagonal().head(2) += shift;
    return moved;
  };
  return family;
}

TEST(Simulations, InPartsGiveTheIntervalsOfTheWholeToTheBit) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0.01);
  const Family family = variancesOf(sums);
  for (const int draws : {50, 331, 501}) {
    const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, draws, 3}).value();
    const std::vector<Interval> whole = bootstrap.intervals(family);
    for (const int of : {1, 2, 3, 7}) {
      std::vector<Eigen::MatrixXd> parts;
      for (int i = 0; i < of; ++i) parts.push_back(bootstrap.simulate(family, {i, of}));
      const std::vector<Interval> joined = bootstrap.intervals(family, parts).value();
      for (std::size_t j = 0; j < whole.size(); ++j) {
        EXPECT_EQ(joined[j].low, whole[j].low);
        EXPECT_EQ(joined[j].high, whole[j].high);
      }
    }
  }
}

TEST(Simulations, OfDetailsDoNotChangeTheIntervals) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0.01);
  Family family = variancesOf(sums);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 101, 3}).value();
  const std::vector<Interval> plain = bootstrap.intervals(family);
  const Statistic variances = [](const ScaledMoments& moments) {
    return Eigen::VectorXd(moments.scaled_covariance.diagonal());
  };
  family.details = Details{4, variances, family.covariance};
  const std::vector<Interval> beside = bootstrap.intervals(family);
  for (std::size_t j = 0; j < plain.size(); ++j) {
    EXPECT_EQ(beside[j].low, plain[j].low);
    EXPECT_EQ(beside[j].high, plain[j].high);
  }
}

TEST(Simulations, AreRejectedIfTheirPartsDoNotMatch) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0.01);
  const Family family = variancesOf(sums);
  const Bootstrap bootstrap = Bootstrap::create(sums, {0.95, 51, 3}).value();
  const Eigen::MatrixXd first = bootstrap.simulate(family, {0, 2});
  const Eigen::MatrixXd second = bootstrap.simulate(family, {1, 2});
  EXPECT_TRUE(bootstrap.intervals(family, {first, second}).ok());
  for (const std::vector<Eigen::MatrixXd>& parts :
       {std::vector<Eigen::MatrixXd>{}, {first}, {second, first}, {first, first, second}}) {
    const auto refused = bootstrap.intervals(family, parts);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::kWrongLength);
    EXPECT_EQ(refused.error().field, "draws");
  }
}

TEST(Simulations, GiveAnalysesTheSameMomentsAsAnalysts) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0.01);
  const Population population(sums, kRows, Eigen::VectorXd::Constant(4, 0.1), plant(2, 0.6));
  Drbg one = simulationDrbg(1, 1), other = simulationDrbg(1, 1);
  const AssembledMoments whole = population.draw(one);
  const ScaledMoments scaled = population.drawScaled(other);
  EXPECT_EQ(whole.rows, scaled.rows);
  EXPECT_EQ(whole.scaled_mean, scaled.scaled_mean);
  EXPECT_EQ(whole.scaled_covariance, scaled.scaled_covariance);
  EXPECT_EQ(whole.covariance_noise.off_diagonal, scaled.covariance_noise.off_diagonal);
}

TEST(CorrelationIntervals, WidenWithTheLevel) {
  Drbg random(unsafeTestSeed(73));
  const MomentSums sums = released(plant(2, 0.6), 0.01, random);
  const Interval narrow = intervalsOf(sums, 2, {0.8, 500, 1}).values[0];
  const Interval wide = intervalsOf(sums, 2, {0.99, 500, 1}).values[0];
  EXPECT_LT(wide.low, narrow.low);
  EXPECT_GT(wide.high, narrow.high);
}

TEST(CorrelationIntervals, ShrinkToTheTruthAsRowsIncreaseAndNoiseVanishes) {
  const MomentSums sums = exactSums(plant(2, 0.6), 0, 1e9);
  const Interval interval = intervalsOf(sums, 2, {0.95, 100, 1}).values[0];
  EXPECT_NEAR(interval.low, 0.6, 1e-3);
  EXPECT_NEAR(interval.high, 0.6, 1e-3);
  EXPECT_LT(interval.low, interval.high);
}

TEST(CorrelationIntervals, AreFishersWithoutNoise) {
  // artanh r is nearly normal with sd 1 / sqrt(n - 3).
  const MomentSums sums = exactSums(plant(1, 0.5), 0, 400);
  const Interval interval = intervalsOf(sums, 1, {0.95, 4000, 1}).values[0];
  EXPECT_NEAR(interval.low, std::tanh(std::atanh(0.5) - 1.96 / std::sqrt(397)), 0.01);
  EXPECT_NEAR(interval.high, std::tanh(std::atanh(0.5) + 1.96 / std::sqrt(397)), 0.01);
}

TEST(CorrelationIntervals, BeginAtZeroBelowTheFloorWhichIncludesSamplingError) {
  const MomentSums noisy = exactSums(plant(3, 0.1), 0.05);
  const SharedIntervals drowned = intervalsOf(noisy, 3, {});
  EXPECT_TRUE(drowned.values[0].below_noise_floor);
  EXPECT_EQ(drowned.values[0].low, 0);
  EXPECT_GT(drowned.values[0].high, 0.1);
  const MomentSums few = exactSums(plant(3, 0.5), 0, 20);
  EXPECT_TRUE(intervalsOf(few, 3, {}).values[0].below_noise_floor);
}

TEST(CorrelationIntervals, DoNotDependOnRoundingForACorrelationOfOne) {
  // The population cannot be shifted up further, except by rounding.
  MomentSums sums = exactSums(plant(2, 1), 0.01);
  const Interval interval = intervalsOf(sums, 2, {0.95, 100, 1}).values[0];
  for (int i = 1; i <= 8; ++i) {
    for (double& sum : sums.packed) sum *= 1 + 3e-16 * i;
    const Interval moved = intervalsOf(sums, 2, {0.95, 100, 1}).values[0];
    EXPECT_NEAR(moved.low, interval.low, 1e-6);
    EXPECT_NEAR(moved.high, interval.high, 1e-6);
  }
}

TEST(CorrelationIntervals, ReportVariancesThatAreHiddenByNoise) {
  Eigen::MatrixXd covariance = plant(3, 0.8);
  EXPECT_TRUE(intervalsOf(exactSums(covariance, 0.005), 3, {}).resolved);
  covariance(2, 2) = 0.001;
  EXPECT_FALSE(intervalsOf(exactSums(covariance, 0.005), 3, {}).resolved);
}

TEST(CorrelationIntervals, ReachOneIfANearlyDuplicateColumnHidesACorrelation) {
  // The second column of each view is nearly the first, and the small differences correlate with
  // 0.9.
  Eigen::MatrixXd covariance = plant(2, 0.3);
  covariance(1, 1) = covariance(3, 3) = 1e-4;
  covariance(1, 3) = covariance(3, 1) = 0.9e-4;
  const Eigen::Matrix2d copies{{1, 1}, {0, 1}};
  Eigen::Matrix4d mix = Eigen::Matrix4d::Zero();
  mix.topLeftCorner(2, 2) = mix.bottomRightCorner(2, 2) = copies.transpose();
  const MomentSums sums = exactSums(mix * covariance * mix.transpose(), 0.005);
  const SharedIntervals found = intervalsOf(sums, 2, {});
  EXPECT_FALSE(found.values[0].below_noise_floor);
  EXPECT_FALSE(found.resolved);
  EXPECT_EQ(found.values[0].high, 1);
  EXPECT_LT(found.values[0].low, 0.3);
}

TEST(CorrelationIntervals, ReachThePreviousPairIfADirectionIsHidden) {
  // One direction is hidden: it may carry the first pair, and then the first visible pair is the
  // second.
  Eigen::MatrixXd covariance = plant(3, 0.8);
  covariance(1, 4) = covariance(4, 1) = 0.3 * 0.4;
  covariance(2, 2) = 1e-3;
  const Bootstrap bootstrap = Bootstrap::create(exactSums(covariance, 0.002), {}).value();
  const std::vector<FigureInterval> pairs = ccaIntervals(bootstrap, inputOf(3, 2)).value().values;
  EXPECT_EQ(pairs[0].high, 1);
  EXPECT_GT(pairs[1].high, 0.8);
  EXPECT_LT(pairs[1].high, 0.9);
}

TEST(CorrelationIntervals, BeginAShareOfTheFloorBelowTheValueIfDirectionsAreHidden) {
  Eigen::MatrixXd covariance = plant(3, 0.8);
  covariance(2, 2) = 1e-3;
  const Bootstrap bootstrap = Bootstrap::create(exactSums(covariance, 0.005), {}).value();
  CcaInput input = inputOf(3, 2);
  input.covariance = bootstrap.moments().scaled_covariance;
  input.noise = bootstrap.moments().covariance_noise;
  const std::vector<CanonicalCorrelation> found = cca(input).value().correlations;
  const std::vector<FigureInterval> pairs = ccaIntervals(bootstrap, input).value().values;
  EXPECT_LE(pairs[0].low, found[0].value - 0.6 * pairs[0].noise_floor);
  EXPECT_GT(pairs[0].low, 0.3);
}

TEST(CorrelationIntervals, OfTwoViewsAreThoseOfGcca) {
  Drbg random(unsafeTestSeed(74));
  const MomentSums sums = released(plant(3, 0.6), 0.005, random);
  const Bootstrap bootstrap = Bootstrap::create(sums, {}).value();
  const Interval two = ccaIntervals(bootstrap, inputOf(3, 1)).value().values[0];
  const Interval many = gccaIntervals(bootstrap, generalInputOf(3)).value().values[0];
  EXPECT_NEAR(two.low, many.low, 0.01);
  EXPECT_NEAR(two.high, many.high, 0.01);
}

TEST(VarianceIntervals, CoverTheLargestEigenvalueAndItsShare) {
  const std::uint64_t trials = draws(400);
  Eigen::MatrixXd covariance = 0.2 * Eigen::MatrixXd::Identity(4, 4);
  covariance(0, 0) = 0.5;
  Drbg random(unsafeTestSeed(75));
  PcaInput input;
  input.trace_bound = 4;
  input.half = Eigen::VectorXd::Ones(4);
  input.components = 1;
  std::uint64_t values = 0, shares = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = released(covariance, 0.02, random);
    const PcaIntervals found =
        pcaIntervals(Bootstrap::create(sums, {0.95, 100, t}).value(), input).value();
    values += found.values[0].low <= 0.5 && 0.5 <= found.values[0].high;
    shares += found.shares[0].low <= 0.5 / 1.1 && 0.5 / 1.1 <= found.shares[0].high;
  }
  EXPECT_GT(binomialTail(values, trials, 0.95), kAlarm / 2);
  EXPECT_GT(binomialTail(shares, trials, 0.95), kAlarm / 2);
}

TEST(VarianceIntervals, ReachFartherUpByWhatClippingTookFromTheTrace) {
  Eigen::MatrixXd covariance = 0.2 * Eigen::MatrixXd::Identity(4, 4);
  covariance(0, 0) = 0.5;
  const Bootstrap bootstrap = Bootstrap::create(exactSums(covariance, 0.02), {}).value();
  PcaInput input;
  input.trace_bound = 4;
  input.half = Eigen::VectorXd::Ones(4);
  input.components = 1;
  const PcaIntervals without = pcaIntervals(bootstrap, input).value();
  input.trace_lost = 0.3;
  const PcaIntervals with = pcaIntervals(bootstrap, input).value();
  EXPECT_EQ(with.values[0].low, without.values[0].low);
  EXPECT_EQ(with.values[0].high, without.values[0].high + 0.3);
  // The trace is between 1.1 and 1.4: a share is smallest if the rest lost everything.
  EXPECT_NEAR(with.shares[0].low, without.shares[0].low * 1.1 / 1.4, 1e-12);
  EXPECT_NEAR(with.shares[0].high, (without.shares[0].high * 1.1 + 0.3) / 1.4, 1e-12);
}

TEST(CorrelationIntervals, CallWhatClippingAboutNoisyCentresMayHaveAddedBelowTheFloor) {
  // Nothing is shared but a direction along which releases' centres differ.
  Eigen::VectorXd centre = Eigen::VectorXd::Constant(6, 0.5);
  const Eigen::MatrixXd spread = centre * centre.transpose();
  const Eigen::MatrixXd covariance = 0.1 * Eigen::MatrixXd::Identity(6, 6) + spread;
  const Bootstrap bootstrap = Bootstrap::create(exactSums(covariance, 0.005), {}).value();
  CcaInput input = inputOf(3, 1);
  EXPECT_FALSE(ccaIntervals(bootstrap, input).value().values[0].below_noise_floor);
  input.centre_spread = spread;
  EXPECT_TRUE(ccaIntervals(bootstrap, input).value().values[0].below_noise_floor);
  GccaInput general = generalInputOf(3);
  EXPECT_FALSE(gccaIntervals(bootstrap, general).value().values[0].below_noise_floor);
  general.centre_spread = spread;
  EXPECT_TRUE(gccaIntervals(bootstrap, general).value().values[0].below_noise_floor);
}

TEST(Population, DrawsHaveTheStatedStandardErrors) {
  const std::uint64_t count = draws(4000);
  Eigen::MatrixXd covariance = plant(2, 0.5);
  for (const bool count_is_public : {true, false}) {
    MomentSums sums = exactSums(covariance, 0.01);
    Eigen::VectorXd mean(4);
    mean << 0.3, -0.2, 0, 0.1;
    if (!count_is_public) {
      sums.rows.reset();
      sums.noise.count = 40;
    }
    const Population population(sums, kRows, mean, covariance);
    const MomentErrors errors = momentErrors(sums, population.exact());
    Drbg random(unsafeTestSeed(76));
    double rows = 0;
    Eigen::VectorXd means = Eigen::VectorXd::Zero(4);
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(4, 4);
    for (std::uint64_t i = 0; i < count; ++i) {
      const AssembledMoments drawn = population.draw(random);
      rows += std::pow(drawn.rows - kRows, 2);
      means += (drawn.scaled_mean - mean).cwiseAbs2();
      products += (drawn.scaled_covariance - covariance).cwiseAbs2();
    }
    // Mean squares of 4000 are within 2.3 % (one sd); 12 % are more than five.
    const double tolerance = 0.12 * std::sqrt(4000 / double(count));
    const auto near = [&](double sum, double sd) {
      EXPECT_NEAR(sum / double(count), sd * sd, tolerance * sd * sd);
    };
    near(rows, errors.rows);
    for (int i = 0; i < 4; ++i) {
      near(means[i], errors.mean[i]);
      for (int j = 0; j < 4; ++j) near(products(i, j), errors.covariance(i, j));
    }
  }
}

TEST(Population, DrawsIndicatorsWhoseSquaresAreThemselvesAndWhoseProductsAreZero) {
  const Eigen::Vector4d mean(0.1, 0.6, 0.3, 0.2);  // three levels and a number
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(4, 4);
  covariance.diagonal() = mean;
  covariance(3, 3) = 0.3;
  covariance.topLeftCorner(3, 3) -= mean.head(3) * mean.head(3).transpose();
  const MomentSums sums = exactSums(covariance, 0);
  const Population population(sums, kRows, mean, covariance, {0, 0, 0, 1});
  Drbg random(unsafeTestSeed(78));
  for (int t = 0; t < 20; ++t) {
    const AssembledMoments drawn = population.draw(random);
    const Eigen::MatrixXd& m = drawn.second_moments;
    for (int i = 1; i <= 3; ++i) {
      for (int j = 1; j <= 3; ++j) {
        EXPECT_NEAR(m(i, j), i == j ? m(0, i) / sums.constant : 0, 1e-9 * kRows);
      }
    }
    EXPECT_NE(m(4, 4), m(0, 4) / sums.constant);
    EXPECT_NEAR(drawn.scaled_mean.head(3).sum(), 1, 1e-9);
  }
}

TEST(Population, DrawsTheSameRowsInAnyFrame) {
  // The triangular root of a covariance moves with the frame, so the same chance gives the same
  // rows; noise, which does not, is zero.
  Eigen::VectorXd mean(6);
  mean << 0.1, 0.6, 0.3, 0.2, 0.7, 0.3;  // three levels, a number, two levels
  Deterministic mixing(79);
  const Eigen::MatrixXd mix = 0.2 * mixing.normals(6, 6);
  Eigen::MatrixXd covariance = mix * mix.transpose();
  covariance.diagonal().array() += 0.1;
  const MomentSums plain = exactSums(covariance, 0);
  const std::vector<int> columns = {0, 0, 0, 1, 2, 2};
  const Population population(plain, kRows, mean, covariance, columns);
  for (const std::uint64_t seed : {1, 2}) {
    const Frame frame = someFrame(6, 5, seed);
    const MomentSums moved = inFrame(plain, frame);
    const Population other(moved, kRows, (mean - frame.centre).cwiseQuotient(frame.units),
                           frame.covarianceOfZ(covariance), columns);
    for (std::uint64_t draw = 0; draw < 5; ++draw) {
      Drbg one = simulationDrbg(80, draw);
      Drbg two = simulationDrbg(80, draw);
      const Eigen::MatrixXd expected = population.draw(one).second_moments;
      const Eigen::MatrixXd drawn = other.draw(two).second_moments;
      EXPECT_LT((drawn - expected).cwiseAbs().maxCoeff(), 1e-9 * kRows);
    }
  }
}

TEST(Population, CanHaveFewRows) {
  const Eigen::MatrixXd covariance = plant(2, 0.5);
  const MomentSums sums = exactSums(covariance, 0.01, 3);
  Drbg random(unsafeTestSeed(77));
  const AssembledMoments drawn =
      Population(sums, 3, Eigen::VectorXd::Zero(4), covariance).draw(random);
  EXPECT_TRUE(drawn.scaled_covariance.allFinite());
  const SharedIntervals found = intervalsOf(sums, 2, {0.95, 100, 1});
  EXPECT_TRUE(std::isfinite(found.values[0].high));
}

TEST(Bootstrap, RejectsImpossibleLevelsAndDraws) {
  const MomentSums sums = exactSums(plant(1, 0.5), 0.01);
  for (const double level : {0.0, 1.0, -0.5, std::nan("")}) {
    const auto refused = Bootstrap::create(sums, {level, 100, 1});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::kInvalidInterval);
    EXPECT_EQ(refused.error().field, "level");
  }
  for (const int count : {0, -5, kFewestDraws - 1, kMostDraws + 1}) {
    const auto refused = Bootstrap::create(sums, {0.95, count, 1});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().field, "draws");
  }
}

TEST(Bootstrap, RejectsColumnsOfOtherFeatures) {
  const auto refused = Bootstrap::create(exactSums(plant(1, 0.5), 0.01), {}, {0, 1, 2});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::kWrongLength);
}

TEST(Bootstrap, ConvertsALevelToStandardErrors) {
  EXPECT_NEAR(normalReach(0.95), 1.959963985, 1e-8);
  EXPECT_NEAR(normalReach(0.5), 0.674489750, 1e-8);
}

}  // namespace bootstrap_test
}  // namespace pm
