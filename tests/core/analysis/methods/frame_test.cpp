// Analyses of moments whose coordinates are not the study's scaled units.
#include "core/analysis/noise/frame.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/pca.hpp"
#include "core/analysis/methods/regression.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/synthesis/rows/moments_model.hpp"
#include "tests/core/analysis/fixtures.hpp"

namespace pm {
namespace frame_test {

using namespace fixtures;

constexpr double kTolerance = 1e-9;
constexpr int kFeatures = 11;
constexpr int kRowCount = 400;

/// Three numbers, a category of three levels, two numbers, a category of two levels, a number.
const std::vector<int> kColumns = {0, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7};

/// Rows whose features depend on each other, in original units with other bounds for each number.
MomentSums tableSums() {
  Deterministic random(201);
  const Eigen::MatrixXd mix = random.normals(kFeatures, kFeatures);
  Eigen::MatrixXd rows(kRowCount, kFeatures);
  for (int i = 0; i < kRowCount; ++i) {
    const Eigen::VectorXd row = mix * random.normals(kFeatures, 1);
    const int level = row[3] < -2 ? 0 : row[3] < 2 ? 1 : 2;
    rows.row(i) = 0.04 * row.transpose();
    for (int l = 0; l < 3; ++l) rows(i, 3 + l) = l == level ? 1 : 0;
    rows(i, 8) = row[8] < 1 ? 1 : 0;
    rows(i, 9) = 1 - rows(i, 8);
  }
  MomentSums sums;
  sums.dimension = kFeatures;
  sums.constant = 1.7;
  sums.rows = kRowCount;
  sums.mid = Eigen::VectorXd::Zero(kFeatures);
  sums.half = Eigen::VectorXd::Ones(kFeatures);
  for (const int number : {0, 1, 2, 6, 7, 10}) {
    sums.mid[number] = number - 3;
    sums.half[number] = 1 + number;
  }
  Eigen::MatrixXd augmented(kRowCount, kFeatures + 1);
  augmented << Eigen::VectorXd::Constant(kRowCount, sums.constant), rows;
  sums.packed = pack(augmented.transpose() * augmented);
  return sums;
}

template <class Input>
Input inputOf(const MomentSums& sums) {
  const AssembledMoments moments = assembleMoments(sums).value();
  Input input;
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  const double unit = sums.frame.isIdentity() ? 1 : sums.frame.units.minCoeff();
  input.trace_bound = kFeatures / (unit * unit);
  input.half = sums.half;
  input.columns = kColumns;
  input.frame = sums.frame;
  return input;
}

Pca pcaOf(const MomentSums& sums) {
  PcaInput input = inputOf<PcaInput>(sums);
  input.components = 6;
  return pca(input).value();
}

Cca ccaOf(const MomentSums& sums) {
  CcaInput input = inputOf<CcaInput>(sums);
  input.x = indices(0, 6);
  input.y = indices(6, 5);
  input.components = 3;
  return cca(input).value();
}

Gcca gccaOf(const MomentSums& sums) {
  GccaInput input = inputOf<GccaInput>(sums);
  input.views = {indices(0, 3), indices(3, 4), indices(7, 4)};
  input.components = 2;
  return gcca(input).value();
}

Regression regressionOf(const MomentSums& sums, double alpha) {
  RegressionInput input = inputOf<RegressionInput>(sums);
  input.mean = assembleMoments(sums).value().mean;
  input.target = 10;
  input.features = indices(0, 10);
  input.alpha = alpha;
  input.rows = kRowCount;
  input.level = 0.9;
  return regress(input).value();
}

void expectNear(const Eigen::MatrixXd& is, const Eigen::MatrixXd& expected, double tolerance) {
  ASSERT_EQ(is.size(), expected.size());
  EXPECT_LT((is - expected).cwiseAbs().maxCoeff(),
            tolerance * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

void expectNear(const CanonicalView& is, const CanonicalView& expected, double tolerance) {
  expectNear(is.weights, expected.weights, tolerance);
  expectNear(is.loadings, expected.loadings, tolerance);
}

/// Figures, not floors: those depend on the law of the noise.
void expectSameFigures(const MomentSums& sums, const MomentSums& expected, double tolerance) {
  const Pca components = pcaOf(sums);
  const Pca true_components = pcaOf(expected);
  for (std::size_t j = 0; j < components.explained.size(); ++j) {
    EXPECT_NEAR(components.explained[j].value, true_components.explained[j].value, tolerance);
    EXPECT_NEAR(components.explained[j].share, true_components.explained[j].share, tolerance);
  }
  // The sign of a component with two equally large entries is that of the rounding error.
  const Eigen::MatrixXd signs =
      components.loadings.cwiseProduct(true_components.loadings).colwise().sum().cwiseSign();
  const auto signedAlike = [&](const Eigen::MatrixXd& figures) -> Eigen::MatrixXd {
    return figures * signs.row(0).asDiagonal();
  };
  expectNear(signedAlike(components.loadings), true_components.loadings, tolerance);
  expectNear(signedAlike(components.weights), true_components.weights, tolerance);
  expectNear(signedAlike(components.correlations), true_components.correlations, tolerance);

  const Cca pairs = ccaOf(sums);
  const Cca true_pairs = ccaOf(expected);
  for (std::size_t j = 0; j < pairs.correlations.size(); ++j) {
    EXPECT_NEAR(pairs.correlations[j].value, true_pairs.correlations[j].value, tolerance);
  }
  expectNear(pairs.x, true_pairs.x, tolerance);
  expectNear(pairs.y, true_pairs.y, tolerance);

  const Gcca shared = gccaOf(sums);
  const Gcca true_shared = gccaOf(expected);
  for (std::size_t j = 0; j < shared.components.size(); ++j) {
    EXPECT_NEAR(shared.components[j].value, true_shared.components[j].value, tolerance);
  }
  for (std::size_t v = 0; v < shared.views.size(); ++v) {
    expectNear(shared.views[v], true_shared.views[v], tolerance);
  }

  for (const double alpha : {0.0, 1e-3, 0.3}) {
    const Regression fit = regressionOf(sums, alpha);
    const Regression true_fit = regressionOf(expected, alpha);
    const auto near = [&](const RegressionFigure& is, const RegressionFigure& should) {
      const double scale = std::max(1.0, std::abs(should.value));
      EXPECT_NEAR(is.value, should.value, tolerance * scale) << alpha;
      EXPECT_NEAR(is.low, should.low, tolerance * scale) << alpha;
      EXPECT_NEAR(is.high, should.high, tolerance * scale) << alpha;
    };
    for (std::size_t i = 0; i < fit.coefficients.size(); ++i) {
      near(fit.coefficients[i], true_fit.coefficients[i]);
    }
    near(fit.r2, true_fit.r2);
    EXPECT_NEAR(fit.intercept, true_fit.intercept, tolerance * 10);
    EXPECT_NEAR(fit.residual_sd, true_fit.residual_sd, tolerance);
    // The weights of a category have sum 0 in scaled units, which are original units here.
    double sum = 0;
    for (std::size_t i = 3; i < 6; ++i) sum += fit.coefficients[i].value;
    EXPECT_NEAR(sum, 0, tolerance);
  }
}

TEST(Frame, OfMomentsWithoutNoiseDoesNotAffectAnyAnalysis) {
  const MomentSums plain = tableSums();
  for (const std::uint64_t seed : {1, 2, 3}) {
    expectSameFigures(inFrame(plain, someFrame(kFeatures, 7, seed)), plain, kTolerance);
  }
}

TEST(Frame, OfMomentsWithVeryLittleNoiseHardlyAffectsAnyAnalysis) {
  // Noise takes other paths through the analyses than none. Its edge is far below all variances.
  const MomentSums plain = tableSums();
  MomentSums silent = plain;
  silent.noise = SumNoise::everywhere(rotationInvariant(1e-11));
  const MomentSums moved = inFrame(silent, someFrame(kFeatures, 3, 4));
  expectSameFigures(silent, plain, 1e-6);
  expectSameFigures(moved, plain, 1e-6);
}

TEST(Frame, OfEqualUnitsDoesNotAffectAnyAnalysisOfNoisyMoments) {
  MomentSums plain = tableSums();
  const double unit = 0.125;
  const Frame frame{Eigen::VectorXd::Zero(kFeatures), Eigen::VectorXd::Constant(kFeatures, unit)};
  const double sd = 0.4;
  Deterministic random(203);
  const Eigen::MatrixXd noise = random.noise(kFeatures, rotationInvariant(sd));
  Eigen::MatrixXd moments = unpacked(std::span<const double>(plain.packed), kFeatures + 1);
  moments.bottomRightCorner(kFeatures, kFeatures) += noise;
  plain.packed = pack(moments);
  plain.noise = SumNoise::everywhere(rotationInvariant(sd));
  MomentSums moved = inFrame(plain, frame);
  for (double* law : {&moved.noise.diagonal, &moved.noise.off_diagonal}) *law /= unit * unit;
  moved.noise.linear /= unit;
  expectSameFigures(moved, plain, kTolerance);

  EXPECT_NEAR(pcaOf(moved).noise_floor, pcaOf(plain).noise_floor, kTolerance);
  EXPECT_NEAR(ccaOf(moved).noise_floor, ccaOf(plain).noise_floor, kTolerance);
  EXPECT_NEAR(gccaOf(moved).noise_floor, gccaOf(plain).noise_floor, kTolerance);
  const Regression fit = regressionOf(moved, 1e-3);
  const Regression plain_fit = regressionOf(plain, 1e-3);
  EXPECT_NEAR(fit.r2.noise_floor, plain_fit.r2.noise_floor, kTolerance);
  for (std::size_t i = 0; i < fit.coefficients.size(); ++i) {
    EXPECT_NEAR(fit.coefficients[i].noise_floor, plain_fit.coefficients[i].noise_floor, kTolerance);
  }
}

TEST(Frame, DoesNotAffectAssembledMomentsInScaledOrOriginalUnits) {
  for (const bool count_is_public : {true, false}) {
    MomentSums plain = tableSums();
    if (!count_is_public) plain.rows.reset();
    const MomentSums moved = inFrame(plain, someFrame(kFeatures, 7, 5));
    const AssembledMoments expected = assembleMoments(plain).value();
    const AssembledMoments moments = assembleMoments(moved).value();
    expectNear(moments.mean, expected.mean, kTolerance);
    expectNear(moments.covariance, expected.covariance, kTolerance);
    expectNear(moments.second_moments, expected.second_moments, kTolerance);
    EXPECT_EQ(moments.second_moments, moments.second_moments.transpose());
    const AssembledMoments clean = denoiseMoments(moved, 1e9).value().moments;
    expectNear(clean.second_moments, expected.second_moments, kTolerance);
  }
}

TEST(Frame, DoesNotAffectTheModelOfSyntheticRows) {
  const MomentSums plain = tableSums();
  const MomentSums moved = inFrame(plain, someFrame(kFeatures, 7, 6));
  for (const LabelFeatures label : {LabelFeatures{}, LabelFeatures{3, 3}}) {
    const RowModel expected =
        modelOfSums(plain, denoiseMoments(plain, kFeatures).value().moments, label);
    const RowModel model = modelOfSums(moved, denoiseMoments(moved, 1e9).value().moments, label);
    ASSERT_EQ(model.components.size(), label.count == 0 ? 1U : 3U);
    for (std::size_t c = 0; c < model.components.size(); ++c) {
      EXPECT_NEAR(model.components[c].weight, expected.components[c].weight, kTolerance);
      expectNear(model.components[c].mean, expected.components[c].mean, kTolerance);
      expectNear(model.components[c].covariance, expected.components[c].covariance, kTolerance);
    }
  }
}

TEST(Frame, MovesTheNoiseOfASharesMeanWithItsUnit) {
  // With as much noise in each share of a class, in scaled units, the class means are the same.
  const MomentSums plain = tableSums();
  const AssembledMoments moments = assembleMoments(plain).value();
  const Frame frame{Eigen::VectorXd::Zero(kFeatures), Eigen::VectorXd::Constant(kFeatures, 0.25)};
  MomentSums moved = inFrame(plain, frame);
  const AssembledMoments moved_moments = assembleMoments(moved).value();
  MomentSums noisy = plain;
  noisy.noise.linear = 40;
  moved.noise.linear = 160;
  const RowModel expected = modelOfSums(noisy, moments, {3, 3});
  const RowModel model = modelOfSums(moved, moved_moments, {3, 3});
  for (std::size_t c = 0; c < 3; ++c) {
    expectNear(model.components[c].mean, expected.components[c].mean, kTolerance);
  }
}

TEST(Frame, MustFitItsFeatures) {
  const MomentSums good = inFrame(tableSums(), someFrame(kFeatures, 2, 7));
  PcaInput input = inputOf<PcaInput>(good);
  input.components = 1;
  const auto expect_code = [&](const Frame& frame, Code code) {
    MomentSums sums = good;
    sums.frame = frame;
    EXPECT_EQ(assembleMoments(sums).error().code, code);
    PcaInput data = input;
    data.frame = frame;
    EXPECT_EQ(pca(data).error().code, code);
  };
  ASSERT_TRUE(pca(input).ok());
  Frame frame = good.frame;
  frame.units.conservativeResize(kFeatures - 1);
  expect_code(frame, Code::kWrongLength);
  frame = good.frame;
  frame.centre.resize(0);
  expect_code(frame, Code::kWrongLength);
  frame = good.frame;
  frame.units.resize(0);
  expect_code(frame, Code::kWrongLength);
  for (const double unit : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    frame = good.frame;
    frame.units[2] = unit;
    expect_code(frame, Code::kInvalidBounds);
  }
  frame = good.frame;
  frame.centre[3] = std::numeric_limits<double>::quiet_NaN();
  expect_code(frame, Code::kInvalidBounds);
}

}  // namespace frame_test
}  // namespace pm
