// Linear discriminants, compared with those of MASS::lda in R (tests/vectors/lda_reference.R).
#include "core/analysis/methods/lda.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace lda_test {

using fixtures::matrixOf;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-6;

/// Moments of a table in units in which one is half of the range of four standard deviations.
LdaInput inputOf(const nlohmann::json& table) {
  LdaInput input;
  const Eigen::MatrixXd covariance = matrixOf(table["covariance"]);
  const auto features = table["features"].get<int>();
  input.mean = vectorOf(table["mean"]);
  const auto d = static_cast<int>(input.mean.size());
  input.half = 4 * covariance.diagonal().cwiseSqrt();
  input.half.tail(d - features).setConstant(0.5);
  const Eigen::VectorXd inverse = input.half.cwiseInverse();
  input.covariance = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  input.trace_bound = d;
  input.features = fixtures::indices(0, features);
  input.classes = fixtures::indices(features, d - features);
  for (int i = 0; i < d; ++i) input.columns.push_back(std::min(i, features));
  input.rows = table["rows"].get<double>();
  input.components = std::min(features, d - features - 1);
  return input;
}

TEST(Lda, HasTheClassesAndDiscriminantsOfR) {
  const nlohmann::json tables = fixtures::readVectors("lda.json");
  ASSERT_EQ(tables.size(), 3U);
  for (const auto& [name, table] : tables.items()) {
    const LdaInput input = inputOf(table);
    const Lda result = lda(input).value();
    const Eigen::MatrixXd means = matrixOf(table["means"]);
    for (Eigen::Index i = 0; i < means.cols(); ++i) {
      EXPECT_LT((result.means.col(i) - means.col(i)).cwiseAbs().maxCoeff(),
                kTolerance * input.half[i])
          << name;
    }
    const Eigen::VectorXd shares = vectorOf(table["shares"]);
    const Eigen::MatrixXd scaling = matrixOf(table["scaling"]);
    const Eigen::VectorXd ratios = vectorOf(table["svd"]);
    const double g = double(shares.size());
    ASSERT_EQ(result.weights.cols(), scaling.cols());
    for (Eigen::Index j = 0; j < scaling.cols(); ++j) {
      const double sign = result.weights.col(j).dot(scaling.col(j)) < 0 ? -1 : 1;
      EXPECT_LT((sign * result.weights.col(j) - scaling.col(j))
                    .cwiseProduct(input.half.head(scaling.rows()))
                    .cwiseAbs()
                    .maxCoeff(),
                kTolerance)
          << name;
      const double r = result.correlations[static_cast<std::size_t>(j)].value;
      EXPECT_NEAR(std::sqrt(r * r / (1 - r * r) * (input.rows - g) / (g - 1)), ratios[j],
                  kTolerance * ratios[j])
          << name;
      EXPECT_FALSE(result.correlations[static_cast<std::size_t>(j)].below_noise_floor);
    }
    const Eigen::VectorXd centre = vectorOf(table["mean"]).head(scaling.rows());
    for (Eigen::Index c = 0; c < means.rows(); ++c) {
      EXPECT_NEAR(result.classes[static_cast<std::size_t>(c)].share, shares[c], kTolerance);
      const Eigen::VectorXd expected =
          result.weights.transpose() * (means.row(c).transpose() - centre);
      EXPECT_LT((result.centroids.row(c).transpose() - expected).cwiseAbs().maxCoeff(), 1e-4);
    }
  }
}

TEST(Lda, FindsDiscriminantsInNoiseAndFlagsThoseItHides) {
  const nlohmann::json tables = fixtures::readVectors("lda.json");
  const LdaInput exact = inputOf(tables["iris"]);
  const Lda truth = lda(exact).value();
  for (const double noise : {1e-3, 0.1}) {
    LdaInput input = exact;
    input.noise = fixtures::rotationInvariant(noise);
    input.covariance += fixtures::Deterministic(1).noise(7, input.noise);
    const Lda result = lda(input).value();
    const CanonicalCorrelation& first = result.correlations[0];
    EXPECT_EQ(first.below_noise_floor, noise > 0.01);
    EXPECT_EQ(result.correlations[1].below_noise_floor, noise > 0.01);
    if (first.below_noise_floor) continue;
    EXPECT_NEAR(first.value, truth.correlations[0].value, 0.1);
    EXPECT_GT(result.loadings.col(0).normalized().dot(truth.loadings.col(0).normalized()), 0.95);
  }
}

TEST(Lda, GivesClassesThatNoiseHidesOrThatHaveFewRowsTheMeansOfAll) {
  LdaInput input = inputOf(fixtures::readVectors("lda.json")["iris"]);
  input.noise = fixtures::rotationInvariant(0.05);
  // 0.05 x 0.5 / 0.333 = 0.075 units; with a share of 0.01, 2.5 units.
  const Lda even = lda(input).value();
  EXPECT_NEAR(even.classes[0].noise, 0.075, 1e-9);
  EXPECT_FALSE(even.classes[0].below_noise_floor);
  EXPECT_GT((even.means.row(0).transpose() - input.mean.head(4)).cwiseAbs().maxCoeff(), 0.1);

  LdaInput rare = input;
  rare.mean[4] = 0.01;
  const Lda hidden = lda(rare).value();
  EXPECT_TRUE(hidden.classes[0].below_noise_floor);
  EXPECT_EQ((hidden.means.row(0).transpose() - rare.mean.head(4)).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(hidden.centroids.row(0).cwiseAbs().maxCoeff(), 0);

  LdaInput few = input;
  few.noise = {};
  few.rows = 5;
  EXPECT_TRUE(lda(few).value().classes[1].below_noise_floor);
  few.mean[5] = 0;
  few.rows = 0;
  EXPECT_TRUE(lda(few).value().classes[1].below_noise_floor);
  EXPECT_FALSE(lda(few).value().classes[2].below_noise_floor);
}

TEST(Lda, RefusesOneClassAFeatureThatIsAClassAndTooManyDiscriminants) {
  const LdaInput input = inputOf(fixtures::readVectors("lda.json")["iris"]);
  const auto refused = [&](auto change) {
    LdaInput wrong = input;
    change(wrong);
    const Error error = lda(wrong).error();
    return std::pair{error.code, std::string(error.field)};
  };
  using Refusal = std::pair<Code, std::string>;
  EXPECT_EQ(refused([](LdaInput& in) { in.classes = {4}; }),
            (Refusal{Code::kInvalidView, "target"}));
  EXPECT_EQ(refused([](LdaInput& in) {
              in.classes = {3, 4};
            }),
            (Refusal{Code::kInvalidView, "target"}));
  EXPECT_EQ(refused([](LdaInput& in) { in.features = {9}; }),
            (Refusal{Code::kInvalidView, "features"}));
  EXPECT_EQ(refused([](LdaInput& in) { in.components = 3; }),
            (Refusal{Code::kInvalidComponents, "components"}));
  EXPECT_EQ(refused([](LdaInput& in) { in.mean.resize(2); }),
            (Refusal{Code::kWrongLength, "mean"}));
}

}  // namespace lda_test
}  // namespace pm
