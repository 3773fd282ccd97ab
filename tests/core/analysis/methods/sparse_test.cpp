// Sparse components and pairs. The programmes are compared with solutions of numpy that their duals
// certify (tests/vectors/sparse_reference.py).
#include "core/analysis/methods/sparse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/packed.hpp"
#include "tests/core/analysis/planted.hpp"

namespace pm {
namespace sparse_test {

using fixtures::matrixOf;
using fixtures::readVectors;

/// Largest error of an objective, in scaled units.
constexpr double kTolerance = 1e-6;

Eigen::MatrixXd symmetricOf(const nlohmann::json& packed) {
  const auto entries = packed.get<std::vector<double>>();
  const auto size = static_cast<Eigen::Index>(std::sqrt(2.0 * double(entries.size())));
  return unpacked(std::span<const double>(entries), size);
}

std::vector<int> rowsOf(const Eigen::MatrixXd& matrix) {
  std::vector<int> rows;
  for (int i = 0; i < matrix.rows(); ++i) {
    if (matrix.row(i).cwiseAbs().maxCoeff() > 1e-5 * matrix.cwiseAbs().maxCoeff()) {
      rows.push_back(i);
    }
  }
  return rows;
}

double objective(const Eigen::MatrixXd& at, const Eigen::MatrixXd& gains,
                 const Eigen::MatrixXd& penalties) {
  return at.cwiseProduct(gains).sum() - at.cwiseAbs().cwiseProduct(penalties).sum();
}

TEST(SparseProjection, HasTheObjectiveAndTheSupportOfCertifiedSolutions) {
  const nlohmann::json cases = readVectors("sparse.json")["projections"];
  ASSERT_GE(cases.size(), 8U);
  for (const auto& expected : cases) {
    ASSERT_LT(expected["gap"].get<double>(), 1e-7);
    const Eigen::MatrixXd covariance = symmetricOf(expected["covariance"]);
    const Eigen::MatrixXd penalties = symmetricOf(expected["penalties"]);
    Eigen::MatrixXd taken(covariance.rows(), 0);
    if (!expected["taken"].empty()) taken = matrixOf(expected["taken"]).transpose();
    const Eigen::MatrixXd found = sparseProjection(covariance, penalties, taken);
    EXPECT_NEAR(objective(found, covariance, penalties), expected["objective"].get<double>(),
                kTolerance)
        << expected["table"];
    EXPECT_EQ(rowsOf(found), expected["support"].get<std::vector<int>>()) << expected["table"];
    EXPECT_LT((found * taken).cwiseAbs().sum(), 1e-5);
  }
}

TEST(SparsePairing, HasTheObjectiveAndTheSupportOfCertifiedSolutions) {
  const nlohmann::json cases = readVectors("sparse.json")["pairings"];
  ASSERT_GE(cases.size(), 4U);
  for (const auto& expected : cases) {
    ASSERT_LT(expected["gap"].get<double>(), 1e-7);
    const Eigen::MatrixXd cross = matrixOf(expected["cross"]);
    const Eigen::MatrixXd penalties = matrixOf(expected["penalties"]);
    const Eigen::MatrixXd found =
        sparsePairing(cross, penalties, symmetricOf(expected["x"]), symmetricOf(expected["y"]),
                      Eigen::MatrixXd(cross.rows(), 0), Eigen::MatrixXd(cross.cols(), 0));
    EXPECT_NEAR(objective(found, cross, penalties), expected["objective"].get<double>(), kTolerance)
        << expected["table"];
    EXPECT_EQ(rowsOf(found), expected["supportX"].get<std::vector<int>>()) << expected["table"];
    EXPECT_EQ(rowsOf(found.transpose()), expected["supportY"].get<std::vector<int>>())
        << expected["table"];
  }
}

/// Two blocks of three correlated features each, of variances 0.3 and 0.2, and six of variance 0.02
/// on their own.
constexpr int kFeatures = 12;
Eigen::MatrixXd blocks() {
  Eigen::MatrixXd covariance = 0.02 * Eigen::MatrixXd::Identity(kFeatures, kFeatures);
  covariance.block(0, 0, 3, 3).setConstant(0.27);
  covariance.block(3, 3, 3, 3).setConstant(0.17);
  covariance.block(0, 0, 3, 3).diagonal().setConstant(0.3);
  covariance.block(3, 3, 3, 3).diagonal().setConstant(0.2);
  return covariance;
}

template <class Input>
void fillInput(Input& input, const Eigen::MatrixXd& covariance, const NoiseLaw& noise) {
  input.covariance = covariance;
  input.noise = noise;
  input.trace_bound = static_cast<double>(covariance.rows());
  input.half = Eigen::VectorXd::LinSpaced(covariance.rows(), 1, 4);
}

SparsePcaInput blocksWith(double noise, std::uint64_t seed = 1) {
  SparsePcaInput input;
  const NoiseLaw law = fixtures::rotationInvariant(noise);
  fillInput(input, blocks() + fixtures::Deterministic(seed).noise(kFeatures, law), law);
  input.components = 2;
  return input;
}

TEST(SparsePca, FindsTheFeaturesOfEachPlantedBlockAndGivesOthersNoWeight) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SparsePca result = sparsePca(blocksWith(0.01, seed)).value();
    for (Eigen::Index i = 0; i < kFeatures; ++i) {
      EXPECT_EQ(result.weights(i, 0) != 0, i < 3) << seed;
      EXPECT_EQ(result.weights(i, 1) != 0, i >= 3 && i < 6) << seed;
    }
    EXPECT_EQ(result.explained[0].nonzeros, 3);
    EXPECT_NEAR(result.explained[0].value, 0.84, 0.1);
    EXPECT_NEAR(result.explained[1].value, 0.54, 0.1);
    EXPECT_FALSE(result.explained[0].below_noise_floor);
  }
}

TEST(SparsePca, WithoutSparsityIsPlainPca) {
  SparsePcaInput input = blocksWith(0.01);
  input.sparsity = 0;
  const SparsePca sparse = sparsePca(input).value();
  PcaInput plain;
  static_cast<NoisyCovariance&>(plain) = input;
  plain.components = 2;
  const Pca expected = pca(plain).value();
  EXPECT_LT((sparse.loadings - expected.loadings).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((sparse.weights - expected.weights).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((sparse.correlations - expected.correlations).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(sparse.explained[1].value, expected.explained[1].value, 1e-9);
  EXPECT_NEAR(sparse.explained[1].share, expected.explained[1].share, 1e-9);
  EXPECT_EQ(sparse.explained[0].nonzeros, kFeatures);
}

TEST(SparsePca, HasOrthonormalLoadingsAndFewerFeaturesTheMoreSparsity) {
  SparsePcaInput input = blocksWith(0.03);
  input.components = 5;
  int before = kFeatures * input.components + 1;
  for (const double sparsity : {0.0, 0.5, 1.0, 2.0}) {
    input.sparsity = sparsity;
    const SparsePca result = sparsePca(input).value();
    const Eigen::MatrixXd products = result.loadings.transpose() * result.loadings;
    EXPECT_LT((products - Eigen::MatrixXd::Identity(5, 5)).cwiseAbs().maxCoeff(), 1e-6);
    int nonzeros = 0;
    for (const SparseComponent& each : result.explained) {
      nonzeros += each.nonzeros;
      // Fewer features can hold less noise.
      const bool lower = each.noise_floor < result.noise_floor;
      EXPECT_TRUE(each.nonzeros > 1 || lower) << sparsity;
    }
    EXPECT_LT(nonzeros, before) << sparsity;
    before = nonzeros;
  }
}

TEST(SparsePca, OfNoiseAloneIsBelowTheFloor) {
  int below = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SparsePcaInput input;
    const NoiseLaw law = fixtures::rotationInvariant(0.05);
    fillInput(input, fixtures::Deterministic(seed).noise(kFeatures, law), law);
    input.components = 1;
    below += sparsePca(input).value().explained[0].below_noise_floor ? 1 : 0;
  }
  // A count of chance 0.95 at least, seven standard deviations below its mean.
  EXPECT_GE(below, 79);
}

TEST(SparsePca, ChoosesFeaturesByTheNoiseOfEachInAFrame) {
  // The first feature has ten times the unit of the others, so ten times their noise.
  constexpr int kSize = 8;
  int chosen = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SparsePcaInput input;
    const NoiseLaw law = fixtures::rotationInvariant(0.02);
    Eigen::MatrixXd of_x = 0.02 * Eigen::MatrixXd::Identity(kSize, kSize);
    of_x.block(5, 5, 3, 3).setConstant(0.2);
    of_x.diagonal().tail(3).setConstant(0.25);
    Frame frame{Eigen::VectorXd::Zero(kSize), Eigen::VectorXd::Ones(kSize)};
    frame.units[0] = 10;
    fillInput(input, frame.covarianceOfZ(of_x) + fixtures::Deterministic(seed).noise(kSize, law),
              law);
    input.frame = frame;
    input.components = 1;
    const SparsePca result = sparsePca(input).value();
    chosen += result.weights(0, 0) != 0 ? 1 : 0;
    EXPECT_EQ(result.weights.col(0).tail(3).cwiseAbs().minCoeff() > 0, true) << seed;
  }
  EXPECT_EQ(chosen, 0);
}

/// Views of eight features each; the first two of each share a variate, with correlation `rho`.
constexpr int kView = 8;
SparseCcaInput viewsWith(double noise, double rho, std::uint64_t seed = 1) {
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(2 * kView, 2 * kView);
  covariance.block(0, kView, 2, 2).setConstant(0.15 * rho);
  covariance.block(kView, 0, 2, 2).setConstant(0.15 * rho);
  SparseCcaInput input;
  const NoiseLaw law = fixtures::rotationInvariant(noise);
  fillInput(input, covariance + fixtures::Deterministic(seed).noise(2 * kView, law), law);
  input.x = fixtures::indices(0, kView);
  input.y = fixtures::indices(kView, kView);
  input.components = 2;
  return input;
}

TEST(SparseCca, FindsThePlantedFeaturesAndNoSecondPair) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SparseCca result = sparseCca(viewsWith(0.008, 0.8, seed)).value();
    for (Eigen::Index i = 0; i < kView; ++i) {
      EXPECT_EQ(result.x.weights(i, 0) != 0, i < 2) << seed;
      EXPECT_EQ(result.y.weights(i, 0) != 0, i < 2) << seed;
    }
    EXPECT_NEAR(result.correlations[0].value, 0.8, 0.15);
    EXPECT_FALSE(result.correlations[0].below_noise_floor);
    EXPECT_EQ(result.correlations[0].nonzeros_x, 2);
    EXPECT_LT(result.correlations[0].noise_floor, result.correlations[0].value);
  }
}

TEST(SparseCca, HasNoWeightsWhereNothingExceedsTheNoise) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const SparseCca result = sparseCca(viewsWith(0.05, 0, seed)).value();
    found += result.correlations[0].below_noise_floor ? 0 : 1;
    if (result.correlations[0].nonzeros_x > 0) continue;
    EXPECT_EQ(result.correlations[0].value, 0);
    EXPECT_TRUE(result.correlations[0].below_noise_floor);
    EXPECT_EQ(result.correlations[1].nonzeros_y, 0);
  }
  // A count of chance 0.05 at most, seven standard deviations above its mean.
  EXPECT_LE(found, 20);
}

TEST(SparseCca, WithoutSparsityOrNoiseIsPlainCca) {
  SparseCcaInput input = viewsWith(0, 0.8);
  input.covariance.block(2, kView + 3, 1, 1).setConstant(0.1);
  input.covariance.block(kView + 3, 2, 1, 1).setConstant(0.1);
  input.sparsity = 0;
  const SparseCca sparse = sparseCca(input).value();
  CcaInput plain;
  static_cast<NoisyCovariance&>(plain) = input;
  plain.x = input.x;
  plain.y = input.y;
  plain.components = 2;
  const Cca expected = cca(plain).value();
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(sparse.correlations[j].value, expected.correlations[j].value, 1e-9);
  }
  EXPECT_LT((sparse.x.weights - expected.x.weights).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((sparse.y.loadings - expected.y.loadings).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(SparseCca, DoesNotDependOnTheUnitsOfFeatures) {
  SparseCcaInput input = viewsWith(0.008, 0.8);
  const SparseCca before = sparseCca(input).value();
  // Without the ridge, which is in the units of z.
  input.noise = {};
  input.rows = 400;
  const SparseCca plain = sparseCca(input).value();
  Eigen::VectorXd units = Eigen::VectorXd::LinSpaced(2 * kView, 0.5, 1);
  input.covariance = units.asDiagonal() * input.covariance * units.asDiagonal();
  input.half = input.half.cwiseQuotient(units);
  const SparseCca scaled = sparseCca(input).value();
  EXPECT_NEAR(scaled.correlations[0].value, plain.correlations[0].value, 1e-9);
  EXPECT_LT((scaled.x.weights - plain.x.weights).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(plain.correlations[0].value, before.correlations[0].value, 0.2);
}

TEST(Sparse, RefusesSparsityBelowZeroAndWhatTheOtherAnalysesRefuse) {
  SparsePcaInput components = blocksWith(0.01);
  components.sparsity = -1;
  EXPECT_EQ(sparsePca(components).error().code, Code::kInvalidAlpha);
  components.sparsity = 1;
  components.components = kFeatures + 1;
  EXPECT_EQ(sparsePca(components).error().code, Code::kInvalidComponents);
  SparseCcaInput pairs = viewsWith(0.01, 0.5);
  pairs.sparsity = std::nan("");
  EXPECT_EQ(sparseCca(pairs).error().code, Code::kInvalidAlpha);
  pairs.sparsity = 1;
  pairs.y[0] = 0;
  EXPECT_EQ(sparseCca(pairs).error().code, Code::kInvalidView);
}

}  // namespace sparse_test
}  // namespace pm
