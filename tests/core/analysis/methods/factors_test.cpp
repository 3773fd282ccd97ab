// Factor analysis, compared with R's least squares (tests/vectors/rotation_reference.R).
#include "core/analysis/methods/factors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "core/analysis/noise/selection.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/core/analysis/planted.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace factors_test {

using namespace testing_support;
using fixtures::Deterministic;
using fixtures::exactSums;
using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::released;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-6;

/// The columns of `found` in the order and with the signs of `expected`.
Eigen::MatrixXd likeExpected(const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
  const Eigen::MatrixXd products = expected.transpose() * found;
  Eigen::MatrixXd result = expected;
  for (Eigen::Index j = 0; j < expected.cols(); ++j) {
    Eigen::Index best = 0;
    products.row(j).cwiseAbs().maxCoeff(&best);
    result.col(j) = (products(j, best) < 0 ? -1 : 1) * found.col(best);
  }
  return result;
}

FactorInput factorInputOf(const Eigen::MatrixXd& covariance, int factors, Rotation rotation) {
  FactorInput input;
  input.covariance = covariance;
  input.trace_bound = static_cast<double>(covariance.rows());
  input.half = Eigen::VectorXd::Ones(covariance.rows());
  input.factors = factors;
  input.rotation = rotation;
  return input;
}

Eigen::MatrixXd scaledCovarianceOf(const nlohmann::json& table) {
  MomentSums sums;
  sums.packed = table["sums"].get<std::vector<double>>();
  sums.mid = vectorOf(table["mid"]);
  sums.half = vectorOf(table["half"]);
  sums.dimension = static_cast<int>(sums.half.size());
  sums.constant = table["constant"].get<double>();
  sums.rows = table["rows"].get<double>();
  return assembleMoments(sums).value().scaled_covariance;
}

TEST(FactorsOfRealTables, AreThoseOfR) {
  const nlohmann::json tables = readVectors("analysis_reference.json");
  const nlohmann::json answers = readVectors("rotation.json");
  int compared = 0;
  std::size_t heywood = 0;
  for (const auto& [name, expected] : answers.items()) {
    if (!expected.contains("factors")) continue;
    ++compared;
    const Eigen::MatrixXd covariance = scaledCovarianceOf(tables[name]);
    const Eigen::MatrixXd loadings = matrixOf(expected["factors"]);
    const auto k = static_cast<int>(loadings.cols());
    const FactorAnalysis plain =
        factorAnalysis(factorInputOf(covariance, k, Rotation::kNone)).value();
    // nlminb leaves the flattest direction about 1e-6 from the minimum.
    EXPECT_LT((plain.uniquenesses - vectorOf(expected["uniquenesses"])).cwiseAbs().maxCoeff(), 1e-5)
        << name;
    EXPECT_LT((likeExpected(plain.pattern, loadings) - loadings).cwiseAbs().maxCoeff(), kTolerance)
        << name;
    const Eigen::MatrixXd psych = matrixOf(expected["minres"]);
    EXPECT_LT((likeExpected(plain.pattern, psych) - psych).cwiseAbs().maxCoeff(), 1e-4) << name;
    const FactorAnalysis turned =
        factorAnalysis(factorInputOf(covariance, k, Rotation::kVarimax)).value();
    const Eigen::MatrixXd varimax = matrixOf(expected["factors_varimax"]);
    EXPECT_LT((likeExpected(turned.pattern, varimax) - varimax).cwiseAbs().maxCoeff(), kTolerance)
        << name;
    const FactorAnalysis bent =
        factorAnalysis(factorInputOf(covariance, k, Rotation::kPromax)).value();
    const Eigen::MatrixXd promax = matrixOf(expected["factors_promax"]);
    EXPECT_LT((likeExpected(bent.pattern, promax) - promax).cwiseAbs().maxCoeff(), kTolerance)
        << name;
    std::vector<int> at_bound;
    const Eigen::VectorXd uniquenesses = vectorOf(expected["uniquenesses"]);
    for (Eigen::Index i = 0; i < uniquenesses.size(); ++i) {
      if (uniquenesses[i] <= kLeastUniqueness) at_bound.push_back(static_cast<int>(i));
    }
    EXPECT_EQ(plain.heywood, at_bound) << name;
    heywood += at_bound.size();
    std::cout << name << ": Heywood cases " << plain.heywood.size() << ", residual "
              << plain.residual << '\n';
  }
  EXPECT_EQ(compared, 3);
  EXPECT_GT(heywood, 0U);
}

/// p x 2: two groups of three features, each with a factor of its own.
Eigen::MatrixXd twoGroups() {
  Eigen::MatrixXd loadings = Eigen::MatrixXd::Zero(6, 2);
  loadings.col(0).head(3) << 0.9, 0.8, 0.7;
  loadings.col(1).tail(3) << 0.8, 0.7, 0.6;
  return loadings;
}

Eigen::MatrixXd correlationsOf(const Eigen::MatrixXd& loadings) {
  Eigen::MatrixXd result = loadings * loadings.transpose();
  result.diagonal().setOnes();
  return result;
}

FactorInput inputOfSums(const MomentSums& sums, int factors, Rotation rotation) {
  const AssembledMoments moments = assembleMoments(sums).value();
  FactorInput input = factorInputOf(moments.scaled_covariance, factors, rotation);
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.half = sums.half;
  input.frame = sums.frame;
  input.rows = moments.rows;
  return input;
}

TEST(Factors, OfAModelAreItsOwn) {
  const Eigen::MatrixXd loadings = twoGroups();
  const Eigen::VectorXd scale = (Eigen::VectorXd(6) << 0.2, 0.5, 1, 0.3, 0.4, 0.6).finished();
  const Eigen::MatrixXd correlations = correlationsOf(loadings);
  FactorInput input =
      factorInputOf(scale.asDiagonal() * correlations * scale.asDiagonal(), 2, Rotation::kVarimax);
  input.half = Eigen::VectorXd::Constant(6, 10);
  const FactorAnalysis found = factorAnalysis(input).value();
  EXPECT_LT((likeExpected(found.pattern, loadings) - loadings).cwiseAbs().maxCoeff(), kTolerance);
  const Eigen::VectorXd communalities = loadings.cwiseAbs2().rowwise().sum();
  EXPECT_LT((found.communalities - communalities).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_LT((found.uniquenesses.array() - 1 + communalities.array()).cwiseAbs().maxCoeff(),
            kTolerance);
  EXPECT_LT(found.residual, kTolerance);
  EXPECT_TRUE(found.heywood.empty());
  EXPECT_GT(found.factors[0].value, found.factors[1].value);
  // Thurstone's scores have the covariance L^T R^-1 L, and R^-1 L as weights of standardised rows.
  const Eigen::MatrixXd standard = (10 * scale).asDiagonal() * found.weights;
  EXPECT_LT((correlations * standard - found.structure).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Factors, OfASingleCauseThatIsAlsoAColumnSayThatItIsAHeywoodCase) {
  Eigen::MatrixXd loadings(5, 1);
  loadings << 1, 0.8, 0.7, 0.6, 0.5;
  const FactorAnalysis found =
      factorAnalysis(factorInputOf(correlationsOf(loadings), 1, Rotation::kNone)).value();
  EXPECT_EQ(found.heywood, std::vector<int>{0});
  EXPECT_EQ(found.uniquenesses[0], kLeastUniqueness);
}

/// How many of `trials` releases of unrelated columns of unequal spread have a factor above the
/// floor.
std::uint64_t above(double noise, bool has_rows, std::uint64_t trials) {
  constexpr int kFeatures = 8;
  Drbg random(unsafeTestSeed(311));
  const Eigen::VectorXd variances = Eigen::VectorXd::LinSpaced(kFeatures, 0.1, 0.5);
  std::uint64_t count = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    const MomentSums sums = released(variances.asDiagonal(), noise, random);
    FactorInput input = inputOfSums(sums, 2, Rotation::kNone);
    if (!has_rows) input.rows = 0;
    count += static_cast<std::uint64_t>(factorAnalysis(input).value().rotated > 0);
  }
  return count;
}

TEST(Factors, OfUnrelatedColumnsAreSeldomAboveTheFloor) {
  const std::uint64_t trials = draws(400);
  for (const double noise : {0.0005, 0.004, 0.02, 0.1, 3.0}) {
    const std::uint64_t count = above(noise, true, trials);
    std::cout << "noise " << noise << ": " << count << " of " << trials << " above the floor\n";
    EXPECT_TRUE(count * 20 <= trials || 4 * binomialTail(count, trials, 0.05) > kAlarm);
  }
}

TEST(Factors, WithoutRelatedColumnsAreAboveAFloorThatForgetsTheSamplingOfRows) {
  if (kSlowBuild) return;  // too few trials there
  const std::uint64_t trials = draws(400);
  EXPECT_GT(above(0.0005, false, trials), trials / 2);
}

TEST(Factors, ThatAreThereAreAboveTheFloor) {
  Drbg random(unsafeTestSeed(312));
  const MomentSums sums = released(0.3 * correlationsOf(twoGroups()), 0.003, random);
  const FactorAnalysis found = factorAnalysis(inputOfSums(sums, 3, Rotation::kPromax)).value();
  EXPECT_EQ(found.rotated, 2);
  EXPECT_TRUE(found.factors[2].below_noise_floor);
  EXPECT_GT(found.noise_floor, 1);
}

TEST(Factors, DoNotDependOnTheCoordinatesOfTheSums) {
  const Eigen::MatrixXd covariance = 0.3 * correlationsOf(twoGroups());
  FactorInput plain = factorInputOf(covariance, 2, Rotation::kVarimax);
  FactorInput framed = plain;
  Deterministic random(41);
  framed.frame.centre = Eigen::VectorXd::Zero(6);
  framed.frame.units = Eigen::VectorXd::LinSpaced(6, 0.5, 2);
  const Eigen::MatrixXd q = random.orthogonal(6);
  const Eigen::VectorXd stretch = Eigen::VectorXd::LinSpaced(6, 1, 2);
  framed.frame.mix = q * stretch.asDiagonal() * q.transpose();
  framed.frame.unmix = q * stretch.cwiseInverse().asDiagonal() * q.transpose();
  framed.covariance = framed.frame.covarianceOfZ(covariance);
  framed.half = framed.frame.units.cwiseProduct(plain.half);
  const FactorAnalysis expected = factorAnalysis(plain).value();
  const FactorAnalysis found = factorAnalysis(framed).value();
  EXPECT_LT((found.pattern - expected.pattern).cwiseAbs().maxCoeff(), kTolerance);
  EXPECT_LT((found.weights - expected.weights).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(Factors, AreAtMostAsManyAsCorrelationsCanTell) {
  EXPECT_EQ(mostFactors(2), 0);
  EXPECT_EQ(mostFactors(3), 1);
  EXPECT_EQ(mostFactors(5), 2);
  EXPECT_EQ(mostFactors(6), 3);
  EXPECT_EQ(mostFactors(10), 6);
  const Eigen::MatrixXd covariance = correlationsOf(twoGroups());
  for (const int factors : {0, 4}) {
    const auto found = factorAnalysis(factorInputOf(covariance, factors, Rotation::kNone));
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().code, Code::kInvalidComponents);
    EXPECT_EQ(found.error().field, "factors");
  }
}

TEST(SelectedSums, AreThoseOfTheFeaturesAlone) {
  MomentSums whole = exactSums(correlationsOf(twoGroups()), 0.01);
  whole.mid = Eigen::VectorXd::LinSpaced(6, 1, 6);
  const std::vector<int> features{4, 1, 2};
  const AssembledMoments all = assembleMoments(whole).value();
  const AssembledMoments some = assembleMoments(selected(whole, features).value()).value();
  for (Eigen::Index i = 0; i < 3; ++i) {
    const int from = features[static_cast<std::size_t>(i)];
    EXPECT_EQ(some.mean[i], all.mean[from]);
    for (Eigen::Index j = 0; j < 3; ++j) {
      EXPECT_EQ(some.covariance(i, j), all.covariance(from, features[static_cast<std::size_t>(j)]));
    }
  }
  const NoisyCovariance part = selected(inputOfSums(whole, 2, Rotation::kNone), features).value();
  EXPECT_EQ(part.covariance, some.scaled_covariance);
}

TEST(SelectedSums, AreNotOfResiduals) {
  MomentSums sums = exactSums(correlationsOf(twoGroups()), 0.01);
  sums.frame = {Eigen::VectorXd::Zero(6), Eigen::VectorXd::Ones(6), Eigen::MatrixXd::Identity(6, 6),
                Eigen::MatrixXd::Identity(6, 6)};
  const auto found = selected(sums, {0, 1, 2});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, Code::kInvalidBounds);
  EXPECT_FALSE(selected(inputOfSums(sums, 2, Rotation::kNone), {0, 1, 2}).ok());
}

}  // namespace factors_test
}  // namespace pm
