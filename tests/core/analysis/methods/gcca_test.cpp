#include "core/analysis/methods/gcca.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace gcca_test {

using fixtures::Deterministic;
using fixtures::indices;
using fixtures::rotationInvariant;
using fixtures::sumsOf;

constexpr double kTolerance = 1e-9;

/// Analysis without noise of consecutive views of the given sizes.
GccaInput exact(const Eigen::MatrixXd& covariance, const std::vector<int>& sizes) {
  GccaInput input;
  input.covariance = covariance;
  input.trace_bound = 1e6;
  input.half = Eigen::VectorXd::Ones(covariance.rows());
  int start = 0;
  input.components = sizes.front();
  for (const int size : sizes) {
    input.views.push_back(indices(start, size));
    input.components = std::min(input.components, size);
    start += size;
  }
  return input;
}

GccaInput exactOfRows(const Eigen::MatrixXd& rows, const std::vector<int>& sizes) {
  const MomentSums sums = sumsOf(rows);
  GccaInput input = exact(assembleMoments(sums).value().scaled_covariance, sizes);
  input.half = sums.half;
  return input;
}

/// A covariance of d features without structure.
Eigen::MatrixXd randomCovariance(Deterministic& random, int d) {
  const Eigen::MatrixXd root = random.normals(d, 2 * d);
  return root * root.transpose() / d;
}

CcaInput pairOf(const GccaInput& input) {
  CcaInput two;
  static_cast<NoisyCovariance&>(two) = input;
  two.x = input.views[0];
  two.y = input.views[1];
  two.components = input.components;
  return two;
}

/// One variate that `views` views of d features share with the given weight, the rest independent.
Eigen::MatrixXd planted(int views, int d, double shared) {
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(views * d, views * d) * 0.1;
  for (int v = 0; v < views; ++v) {
    for (int w = 0; w < views; ++w) {
      if (v != w) covariance(v * d, w * d) = 0.1 * shared;
    }
  }
  return covariance;
}

TEST(ExactGcca, OfTwoViewsIsCca) {
  Deterministic random(81);
  for (int round = 0; round < 10; ++round) {
    GccaInput input = exact(randomCovariance(random, 7), {3, 4});
    input.half = Eigen::VectorXd::LinSpaced(7, 0.5, 20);
    const Gcca general = gcca(input).value();
    const Cca two = cca(pairOf(input)).value();
    for (std::size_t j = 0; j < 3; ++j) {
      const double rho = two.correlations[j].value;
      EXPECT_NEAR(general.components[j].value, rho, kTolerance);
      EXPECT_NEAR(general.components[j].eigenvalue, 1 + rho, kTolerance);
      EXPECT_NEAR(general.components[j].correlations(0, 1), rho, kTolerance);
    }
    EXPECT_LT((general.views[0].weights - two.x.weights).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((general.views[1].weights - two.y.weights).cwiseAbs().maxCoeff(), kTolerance);
    EXPECT_LT((general.views[1].loadings - two.y.loadings).cwiseAbs().maxCoeff(), kTolerance);
  }
}

TEST(NoiseAwareGcca, OfTwoViewsIsCcaWithItsNoiseFloors) {
  Deterministic random(82);
  GccaInput input = exact(planted(2, 6, 0.9), {6, 6});
  input.noise = rotationInvariant(0.004);
  input.trace_bound = 12;
  input.covariance += random.noise(12, input.noise);
  const Gcca general = gcca(input).value();
  const Cca two = cca(pairOf(input)).value();
  EXPECT_NEAR(general.noise_floor, two.noise_floor, kTolerance);
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(general.components[j].value, two.correlations[j].value, kTolerance);
    EXPECT_NEAR(general.components[j].noise_floor, two.correlations[j].noise_floor, kTolerance);
    EXPECT_EQ(general.components[j].below_noise_floor, two.correlations[j].below_noise_floor);
  }
  EXPECT_LT((general.views[0].weights.col(0) - two.x.weights.col(0)).norm(), 1e-8);
}

TEST(ExactGcca, MaximisesTheLargestEigenvalueOfTheVariatesCorrelations) {
  Deterministic random(83);
  const Eigen::MatrixXd covariance = randomCovariance(random, 8);
  const Gcca result = gcca(exact(covariance, {2, 3, 3})).value();
  const std::vector<int> starts{0, 2, 5};
  const auto largest = [&](const std::vector<Eigen::VectorXd>& weights) {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(8, 3);
    for (int v = 0; v < 3; ++v) {
      const Eigen::VectorXd& w = weights[static_cast<std::size_t>(v)];
      all.col(v).segment(starts[static_cast<std::size_t>(v)], w.size()) = w;
    }
    const Eigen::MatrixXd c = all.transpose() * covariance * all;
    const Eigen::VectorXd inverse = c.diagonal().cwiseSqrt().cwiseInverse();
    return spectrum(inverse.asDiagonal() * c * inverse.asDiagonal()).values[0];
  };
  std::vector<Eigen::VectorXd> best;
  for (const CanonicalView& view : result.views) best.emplace_back(view.weights.col(0));
  const double found = largest(best);
  EXPECT_NEAR(found, result.components[0].eigenvalue, kTolerance);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Eigen::VectorXd> other = best;
    for (Eigen::VectorXd& weights : other) {
      weights += (trial < 100 ? 0.05 : 2) * random.normals(static_cast<int>(weights.size()), 1);
    }
    EXPECT_LE(largest(other), found + kTolerance);
  }
}

TEST(ExactGcca, ReportsTheCorrelationsOfVariatesOfUnitVariance) {
  Deterministic random(84);
  const Eigen::MatrixXd rows = random.normals(60, 7) * random.normals(7, 7);
  const Gcca result = gcca(exactOfRows(rows, {2, 2, 3})).value();
  std::vector<Eigen::MatrixXd> variates;
  int start = 0;
  for (const CanonicalView& view : result.views) {
    const auto d = static_cast<int>(view.weights.rows());
    Eigen::MatrixXd scores = rows.middleCols(start, d) * view.weights;
    scores.rowwise() -= scores.colwise().mean().eval();
    variates.push_back(scores);
    start += d;
  }
  for (int j = 0; j < 2; ++j) {
    for (std::size_t v = 0; v < 3; ++v) {
      EXPECT_NEAR(variates[v].col(j).squaredNorm() / 60, 1, kTolerance);
      for (std::size_t w = 0; w < 3; ++w) {
        EXPECT_NEAR(variates[v].col(j).dot(variates[w].col(j)) / 60,
                    result.components[static_cast<std::size_t>(j)].correlations(
                        static_cast<int>(v), static_cast<int>(w)),
                    1e-8);
      }
    }
  }
}

TEST(ExactGcca, OfViewsThatAreTheSameSharesEverything) {
  Deterministic random(85);
  const Eigen::MatrixXd x = random.normals(50, 2);
  Eigen::MatrixXd rows(50, 8);
  rows << x, x * random.normals(2, 2), 3 * x, x.rowwise().reverse();
  const Gcca result = gcca(exactOfRows(rows, {2, 2, 2, 2})).value();
  for (const SharedComponent& component : result.components) {
    EXPECT_NEAR(component.value, 1, kTolerance);
    EXPECT_NEAR(component.eigenvalue, 4, 1e-8);
    EXPECT_LT((component.correlations.array() - 1).abs().maxCoeff(), 1e-8);
  }
}

TEST(ExactGcca, OfUnrelatedViewsSharesNothing) {
  const Gcca result = gcca(exact(Eigen::MatrixXd::Identity(6, 6), {2, 2, 2})).value();
  for (const SharedComponent& component : result.components) {
    EXPECT_EQ(component.value, 0);
    EXPECT_EQ(component.eigenvalue, 1);
    EXPECT_TRUE(component.below_noise_floor);
  }
  for (const CanonicalView& view : result.views) EXPECT_TRUE(view.weights.isZero());
}

TEST(ExactGcca, DoesNotDependOnUnitsOrOnTheOrderOfViews) {
  Deterministic random(86);
  const Eigen::MatrixXd rows = random.normals(80, 6) * random.normals(6, 6);
  const Gcca result = gcca(exactOfRows(rows, {2, 2, 2})).value();
  Eigen::MatrixXd other(80, 6);
  other << 1e4 * rows.col(4), rows.col(5), rows.col(0), 1 - 1e-3 * rows.col(1).array(),
      rows.middleCols(2, 2);
  const Gcca turned = gcca(exactOfRows(other, {2, 2, 2})).value();
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(turned.components[j].eigenvalue, result.components[j].eigenvalue, kTolerance);
  }
  EXPECT_NEAR(std::abs(turned.views[1].weights(0, 0)), std::abs(result.views[0].weights(0, 0)),
              1e-8);
}

TEST(ExactGcca, ChangesSignsOfAllViewsTogether) {
  Eigen::MatrixXd covariance = planted(3, 1, 0.8);
  covariance.row(1) *= -1;
  covariance.col(1) *= -1;
  const Gcca result = gcca(exact(covariance, {1, 1, 1})).value();
  EXPECT_NEAR(result.components[0].value, 0.8, kTolerance);
  EXPECT_GT(result.views[0].loadings(0, 0), 0);
  EXPECT_LT(result.views[1].loadings(0, 0), 0);
  EXPECT_GT(result.views[2].loadings(0, 0), 0);
}

TEST(ExactGcca, GivesAnUnrelatedViewNoWeightsAndNoCorrelations) {
  // The third view is unrelated to the other two.
  Eigen::MatrixXd covariance = planted(3, 2, 0.6);
  covariance.block(4, 0, 1, 4).setZero();
  covariance.block(0, 4, 4, 1).setZero();
  const Gcca result = gcca(exact(covariance, {2, 2, 2})).value();
  EXPECT_NEAR(result.components[0].eigenvalue, 1.6, kTolerance);
  EXPECT_NEAR(result.components[0].value, 0.3, kTolerance);
  EXPECT_NEAR(result.components[0].correlations(0, 1), 0.6, kTolerance);
  EXPECT_TRUE(result.components[0].correlations.row(2).isZero());
  EXPECT_TRUE(result.views[2].weights.isZero());
}

TEST(NoiseAwareGcca, FindsWhatTheViewsShareAboveTheNoise) {
  Deterministic random(87);
  double error = 0;
  for (int round = 0; round < 20; ++round) {
    GccaInput input = exact(planted(3, 8, 0.8), {8, 8, 8});
    input.noise = rotationInvariant(0.002);
    input.trace_bound = 24;
    input.covariance += random.noise(24, input.noise);
    const Gcca result = gcca(input).value();
    error += std::abs(result.components[0].value - 0.8) / 20;
    EXPECT_FALSE(result.components[0].below_noise_floor);
    EXPECT_TRUE(result.components[1].below_noise_floor);
    for (const CanonicalView& view : result.views) EXPECT_GT(view.loadings(0, 0), 0.9);
  }
  EXPECT_LT(error, 0.06);
}

TEST(NoiseAwareGcca, OfNoiseAloneStaysBelowItsFloorInNinetyFivePercentOfReleases) {
  constexpr int kRounds = 200;
  Deterministic random(88);
  for (const auto& [views, d, sd] :
       {std::tuple{2, 1, 0.003}, std::tuple{3, 1, 0.003}, std::tuple{3, 5, 0.01},
        std::tuple{4, 6, 0.03}, std::tuple{6, 3, 0.003}}) {
    int below = 0;
    for (int round = 0; round < kRounds; ++round) {
      GccaInput input = exact(planted(views, d, 0), std::vector<int>(std::size_t(views), d));
      input.noise = rotationInvariant(sd);
      input.trace_bound = views * d;
      input.covariance += random.noise(views * d, input.noise);
      const Gcca result = gcca(input).value();
      bool all = true;
      for (const SharedComponent& component : result.components) all &= component.below_noise_floor;
      below += all ? 1 : 0;
    }
    std::cout << views << " views of " << d << ", noise sd " << sd << ": all below in " << below
              << " of " << kRounds << "\n";
    EXPECT_GE(below, kRounds * 95 / 100);
  }
}

TEST(NoiseAwareGcca, NeverLeavesItsRangesHoweverLargeTheNoise) {
  Deterministic random(89);
  for (const double sd : {0.01, 0.1, 10.0}) {
    GccaInput input = exact(planted(3, 4, 0.5), {4, 4, 4});
    input.noise = rotationInvariant(sd);
    input.trace_bound = 12;
    input.covariance += random.noise(12, input.noise);
    const Gcca result = gcca(input).value();
    double last = 1;
    for (const SharedComponent& component : result.components) {
      EXPECT_GE(component.value, 0);
      EXPECT_LE(component.value, last);
      EXPECT_LE(component.noise_floor, result.noise_floor);
      EXPECT_LE(component.correlations.cwiseAbs().maxCoeff(), 1);
      last = component.value;
    }
    EXPECT_LE(result.noise_floor, 1);
    for (const CanonicalView& view : result.views) {
      EXPECT_TRUE(view.weights.allFinite());
      EXPECT_LE(view.loadings.cwiseAbs().maxCoeff(), 1);
    }
  }
}

TEST(Gcca, NeedsAtLeastTwoViewsThatAreNotEmptyUnknownOrOverlapping) {
  const GccaInput good = exact(Eigen::MatrixXd::Identity(6, 6), {2, 2, 2});
  const std::vector<std::vector<std::vector<int>>> wrong{
      {}, {{0, 1}}, {{0}, {}}, {{0}, {6}}, {{0}, {-1}}, {{0}, {1}, {0}}, {{0, 0}, {1}}};
  for (const auto& views : wrong) {
    GccaInput input = good;
    input.views = views;
    input.components = 1;
    EXPECT_EQ(gcca(input).error().code, Code::kInvalidView);
    EXPECT_EQ(gcca(input).error().field, "views");
  }
}

TEST(Gcca, AcceptsFromOneComponentToTheSizeOfTheSmallestView) {
  GccaInput input = exact(Eigen::MatrixXd::Identity(6, 6), {2, 1, 3});
  for (const int wrong : {-1, 0, 2}) {
    input.components = wrong;
    EXPECT_EQ(gcca(input).error().code, Code::kInvalidComponents);
  }
  input.components = 1;
  EXPECT_TRUE(gcca(input).ok());
}

TEST(Gcca, RejectsInconsistentInput) {
  const GccaInput good = exact(Eigen::MatrixXd::Identity(4, 4), {2, 2});
  GccaInput input = good;
  input.half = Eigen::VectorXd::Ones(3);
  EXPECT_EQ(gcca(input).error().code, Code::kWrongLength);
  input = good;
  input.noise.off_diagonal = -1;
  EXPECT_EQ(gcca(input).error().code, Code::kInvalidNoise);
  input = good;
  input.covariance(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(gcca(input).error().code, Code::kNotFinite);
}

}  // namespace gcca_test
}  // namespace pm
