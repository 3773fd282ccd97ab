// PCA-Gauss as published, its baselines and its measures, against numbers from an independent
// program.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/continuous.hpp"
#include "core/research/synthesizers/basis.hpp"
#include "core/research/synthesizers/blocki.hpp"
#include "core/research/synthesizers/blum_ligett_roth.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"
#include "core/research/synthesizers/identity_query.hpp"
#include "core/research/synthesizers/modips.hpp"
#include "core/research/synthesizers/pca_gauss_paper.hpp"
#include "core/research/synthesizers/psd_repair.hpp"
#include "core/research/synthesizers/sir.hpp"
#include "tests/support/matrix_vectors.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace published_synthesis_test {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using nlohmann::json;

const json& vectors() {
  static const json all = readVectors("pca_gauss.json");
  return all;
}

MatrixXd sampleRows() { return matrixOf(vectors()["data"]["X"]); }

LabelledRows sampleClasses() { return {sampleRows(), vectorOf(vectors()["data"]["y_cls"])}; }

MatrixXd projector(const MatrixXd& basis) { return basis * basis.transpose(); }

TEST(PublishedNoise, HasTheQuantilesOfLaplacesLaw) {
  const json& law = vectors()["laplace_inverse_cdf"];
  const std::vector<double> chances = law["u"], places = law["x"];
  constexpr std::uint64_t kDraws = 400'000;
  Drbg random(unsafeTestSeed(11));
  std::vector<std::uint64_t> below(places.size());
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const double noise = law["b"].get<double>() * standardLaplace(random);
    for (std::size_t i = 0; i < places.size(); ++i) below[i] += noise < places[i];
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_GT(double(places.size()) * binomialTail(below[i], kDraws, chances[i]), kAlarm) << i;
  }
}

TEST(PublishedConstants, AreThoseOfThePapers) {
  for (const json& v : vectors()["sensitivities"]) {
    const double m = v["m"], p = v["p"], n = v["n"], a = v["a"], b = v["a_y"];
    EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(m, n, a), v["paper_prop3_cov"]);
    EXPECT_DOUBLE_EQ(claimedSpectrumSensitivity(p, n, a), v["paper_thm4_alg1"]);
    EXPECT_DOUBLE_EQ(claimedLabelledSensitivity(p, n, a, b), v["paper_thm5_alg2"]);
    EXPECT_DOUBLE_EQ(claimedMeanSensitivity(p, n, a), v["paper_thm6_mean"]);
    EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(p, n, a), v["paper_thm6_cov"]);
    EXPECT_DOUBLE_EQ(codeCovarianceSensitivity(m, n, a), v["authors_code_dppca"]);
  }
  const json& scales = vectors()["noise_scales"]["paper"];
  EXPECT_DOUBLE_EQ(claimedSpectrumSensitivity(4, 1000), scales["alg1"]);
  EXPECT_DOUBLE_EQ(claimedLabelledSensitivity(4, 1000), scales["alg2"]);
  EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(4, 500) / 0.9, scales["alg3_cov_nc500_eps09"]);
  EXPECT_DOUBLE_EQ(claimedMeanSensitivity(4, 500) / 0.1, scales["alg3_mean_nc500_eps01"]);
  EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(20, 1000), scales["lap_pca"]);
  EXPECT_DOUBLE_EQ(codeCovarianceSensitivity(20, 1000), scales["code_dppca"]);
  for (const json& v : vectors()["prop4_condition"]) {
    EXPECT_DOUBLE_EQ(ownBasisLimit(v["m"], v["n"]), v["p_max"]);
  }
}

TEST(PublishedConstants, OfALaterPaperAreBelowTheChangeByOneRow) {
  for (const json& v : vectors()["ron_gauss_constants"]) {
    const int p = v["p"];
    const double exact = unitBallSensitivity(p, Neighbours::kReplaceOne).full_l1;
    EXPECT_NEAR(exact, v["exact_full_p_even"].get<double>(), 1e-12);
    EXPECT_NEAR(std::max(1.0, exact / v["published_cov"].get<double>()),
                v["actual_eps_per_eps"].get<double>(), 1e-12);
  }
}

TEST(PublishedConstants, AreExceededAboutTheDatasOwnMeanInFewDimensions) {
  for (const json& v : vectors()["own_mean_centring_ball"]) {
    const int p = v["p"], n = v["n"];
    // All other rows are at one end of the ball, and one row moves there from the other end.
    const auto moved = [&](bool labelled) {
      MatrixXd rows = MatrixXd::Constant(n, p, -1 / std::sqrt(double(p)));
      if (labelled) rows = withLabels(rows, VectorXd::Constant(n, -1));
      const MatrixXd neighbour = rows;
      rows.row(0) *= -1;
      const auto about = [](const MatrixXd& x) { return secondMoments(x.rowwise() - meanOf(x)); };
      return (about(rows) - about(neighbour)).cwiseAbs().sum();
    };
    EXPECT_NEAR(moved(false), v["full"].get<double>(), 1e-10);
    EXPECT_NEAR(moved(true), v["augmented_full"].get<double>(), 1e-10);
    EXPECT_NEAR(claimedCovarianceSensitivity(p, n), v["paper_alg3"].get<double>(), 1e-12);
    EXPECT_NEAR(claimedLabelledSensitivity(p, n), v["paper_alg2"].get<double>(), 1e-12);
    EXPECT_EQ(moved(false) > claimedCovarianceSensitivity(p, n), p < 4) << p;
    EXPECT_GT(moved(true), claimedLabelledSensitivity(p, n)) << p;
  }
}

TEST(PublishedConstants, AreExceededFourfoldInTheBoxAboutTheDatasOwnMean) {
  const json& v = vectors()["centred_cov_witness"];
  const auto about = [](const MatrixXd& x) { return secondMoments(x.rowwise() - meanOf(x)); };
  const MatrixXd first = about(matrixOf(v["X"])), second = about(matrixOf(v["Xp"]));
  expectNear(first, v["C"]);
  expectNear(second, v["Cp"]);
  EXPECT_NEAR((first - second).cwiseAbs().sum(), v["full"].get<double>(), 1e-12);
  EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(2, 5), v["paper_prop3"]);
}

TEST(PublishedConstants, OfAPrivateClassSizeHaveNoBoundedLogRatio) {
  const json& v = vectors()["private_scale_violation"];
  const double k = v["K"], n = v["n_c"];
  const auto log_density = [](double t, double scale) {
    return -std::fabs(t) / scale - std::log(2 * scale);
  };
  for (std::size_t i = 0; i < v["t"].size(); ++i) {
    const double t = v["t"][i];
    // Means of one column with noise of scale 2 p/(n_c epsilon), K = 2 at epsilon 1.
    const double with = k / 2 * claimedMeanSensitivity(1, n);
    const double without = k / 2 * claimedMeanSensitivity(1, n - 1);
    EXPECT_NEAR(log_density(t, with) - log_density(t, without), v["log_ratio"][i].get<double>(),
                1e-9);
  }
}

TEST(Repairs, TransformANoisyMatrixAsDocumented) {
  const json& v = vectors()["psd_repair"];
  const MatrixXd a = matrixOf(v["A"]);
  expectNear(repaired(a, Repair::kClip), v["clip"]);
  expectNear(repaired(a, Repair::kPolar), v["abs"]);
  expectNear(repaired(a, Repair::kShift), v["shift"]);
  const json& other = vectors()["psd_abs_nonsymmetric"];
  expectNear(repaired(matrixOf(other["A"]), Repair::kPolar), other["abs"]);
  // Whatever the size of the entries.
  expectNear(repaired(1e6 * matrixOf(other["A"]), Repair::kPolar) / 1e6, other["abs"]);
  EXPECT_EQ(repaired(MatrixXd::Zero(2, 2), Repair::kPolar), MatrixXd::Zero(2, 2));
}

TEST(PublishedAlgorithm1, ReleasesADiagonalMatrixInUnnamedCoordinates) {
  const json& v = vectors()["alg1"];
  const MatrixXd rows = sampleRows();
  const MatrixXd p = leadingEigenvectors(secondMoments(rows), v["p"]);
  expectNear(projector(p), projector(matrixOf(v["P_sign_fixed"])));
  EXPECT_DOUBLE_EQ(claimedSpectrumSensitivity(2, 8), v["paper"]["scale_b"]);
  // With negligible noise, the matrix of the vectors; with their noise, the matrix that is sampled
  // from.
  SynthesisParams params{1e9};
  params.components = 2;
  params.centre = Centre::kPublic;
  Drbg random(unsafeTestSeed(1));
  EXPECT_LT(
      (noisySpectrum(rows, params, random) - matrixOf(v["C_projected"])).cwiseAbs().maxCoeff(),
      1e-7);
  expectNear(repaired(matrixOf(v["C_projected"]) + matrixOf(v["paper"]["noise"]), Repair::kPolar),
             v["paper"]["C_sampled_from"]);
}

TEST(PublishedAlgorithm2, PutsTheLabelNextToTheProjectedColumns) {
  const json& v = vectors()["alg2"]["paper"];
  const json& basis = vectors()["pub_pca_projection"];
  const MatrixXd z = sampleRows() * matrixOf(basis["P"]) / 2;
  expectNear(z, basis["Z_normalised"]);
  const MatrixXd labelled = withLabels(z, vectorOf(vectors()["data"]["y_reg"]));
  expectNear(secondMoments(labelled), v["C"]);
  EXPECT_DOUBLE_EQ(claimedLabelledSensitivity(2, 8), v["scale_b"]);
  Drbg random(unsafeTestSeed(2));
  EXPECT_LT((noisyLabelledMoments(labelled, 1e9, random) - matrixOf(v["C"])).cwiseAbs().maxCoeff(),
            1e-6);
  expectNear(repaired(matrixOf(v["C"]) + matrixOf(v["noise"]), Repair::kPolar),
             v["C_sampled_from"]);
}

TEST(PublishedAlgorithm3, TakesMeanAndCovarianceOfEachClassSeparately) {
  const MatrixXd z = matrixOf(vectors()["pub_pca_projection"]["Z_normalised"]);
  const LabelledRows labelled{z, vectorOf(vectors()["data"]["y_cls"])};
  for (const json& v : vectors()["alg3"]["paper"]) {
    const MatrixXd of = rowsOfClass(labelled, v["cls"]);
    ASSERT_EQ(of.rows(), v["n_c"].get<int>());
    const double n = double(of.rows());
    EXPECT_DOUBLE_EQ(claimedMeanSensitivity(2, n) / 0.1, v["scale_mean_eps01"]);
    EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(2, n) / 0.9, v["scale_cov_eps09"]);
    Drbg random(unsafeTestSeed(3));
    const NoisyGaussian law = publishedGaussian(of, Centre::kData, 1e9, random);
    EXPECT_LT((law.mean.transpose() - vectorOf(v["mean"])).norm(), 1e-6);
    EXPECT_LT((law.covariance - matrixOf(v["C"])).norm(), 1e-6);
  }
}

TEST(LapPca, HasTheThreeScalesAndTheDirectionsOfTheNoisyMatrix) {
  const json& v = vectors()["lap_pca"];
  const double epsilon = v["eps"];
  EXPECT_DOUBLE_EQ(laplaceBasisScale(4, 8, epsilon), v["scale_b_corrected"]);
  EXPECT_DOUBLE_EQ(laplaceBasisScale(20, 1000, 1),
                   vectors()["noise_scales"]["corrected"]["lap_pca_box_upper"]);
  EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(4, 8) / epsilon, v["scale_b_paper"]);
  EXPECT_DOUBLE_EQ(codeCovarianceSensitivity(4, 8) / epsilon, v["scale_b_code"]);
  expectNear(projector(leadingEigenvectors(matrixOf(v["C_noisy"]), v["p"])), v["projector"]);
  // All three find the true directions if the noise is negligible.
  const MatrixXd rows = sampleRows();
  const MatrixXd truth = projector(leadingEigenvectors(secondMoments(rows), 2));
  Drbg random(unsafeTestSeed(4));
  EXPECT_LT((projector(laplaceBasis(rows, 2, 1e9, random)) - truth).norm(), 1e-6);
  for (const BasisSource source : {BasisSource::kLaplace, BasisSource::kLaplaceCode}) {
    const MatrixXd found = publishedLaplaceBasis(rows, 2, 1e9, source, random);
    EXPECT_LT((projector(found) - truth).norm(), 1e-6);
  }
}

TEST(IdentityQueries, ChangeByAsMuchAsThePublicProjectionAllows) {
  const json& v = vectors()["li_bernoulli"];
  const MatrixXd phi = matrixOf(v["Phi"]).transpose();
  EXPECT_NEAR(projectedMoves(phi), v["used"].get<double>(), 1e-12);
  EXPECT_NEAR(projectedMoves(phi), v["exact_l1_sensitivity"].get<double>(), 1e-12);
  expectNear(sampleRows() * phi, v["Y"]);
  // Beyond ten columns it is a bound: at least the change of any pair of rows, at most the simplest
  // bound.
  const MatrixXd wide = bernoulliProjection(6, 12, 5);
  EXPECT_EQ(wide.cwiseAbs().minCoeff(), wide.cwiseAbs().maxCoeff());
  EXPECT_NEAR(wide(0, 0) * wide(0, 0), 1.0 / 12, 1e-15);
  double reached = 0;
  for (int signs = 0; signs < 64; ++signs) {
    VectorXd x(6);
    for (int j = 0; j < 6; ++j) x[j] = signs >> j & 1 ? 1 : -1;
    reached = std::max(reached, (2 * x.transpose() * wide).cwiseAbs().sum());
  }
  EXPECT_LE(reached, projectedMoves(wide) * (1 + 1e-12));
  EXPECT_LE(projectedMoves(wide), 2 * 6 * std::sqrt(12.0) * (1 + 1e-12));
  // For ten and fewer it is exact.
  const MatrixXd narrow = bernoulliProjection(6, 3, 5);
  reached = 0;
  for (int signs = 0; signs < 64; ++signs) {
    VectorXd x(6);
    for (int j = 0; j < 6; ++j) x[j] = signs >> j & 1 ? 1 : -1;
    reached = std::max(reached, (2 * x.transpose() * narrow).cwiseAbs().sum());
  }
  EXPECT_NEAR(projectedMoves(narrow), reached, 1e-12);
}

// The mean absolute noise that `name` adds to the sample's rows, divided by its scale.
double noiseSize(const char* name, const SynthesisParams& params, const MatrixXd& exact,
                 double scale) {
  SynthesisData data{sampleClasses(), sampleClasses()};
  if (params.label == LabelKind::kNumber) data.secret.labels = vectorOf(vectors()["data"]["y_reg"]);
  if (params.label == LabelKind::kNone) data.secret.labels.resize(0);
  Drbg random(unsafeTestSeed(77));
  double sum = 0;
  for (int i = 0; i < 4'000; ++i) {
    const PublishedSynthesis run = findSynthesizer(name)->run(data, params, random);
    sum += (run.drawn.rows - exact).cwiseAbs().mean() / scale / 4'000;
  }
  return sum;
}

TEST(IdentityQueries, HaveNoiseOfTheirScaleOnTheProjectedRows) {
  SynthesisParams params{1};
  params.components = 2;
  // Entries of noise over their scale have mean 1 and deviation 1: 64 000 of them (32 000 for one
  // direction) stay within 5.5 standard errors but for a chance below 10^-7.
  const MatrixXd basis = leadingEigenvectors(secondMoments(sampleRows()), 2);
  const MatrixXd z = sampleRows() * basis / 2;
  const json& pca = vectors()["jiang_pca_identity"];
  EXPECT_NEAR(noiseSize("jiang-pca", params, z, pca["scale_l2"]), 1, 5.5 / std::sqrt(64'000));
  params.label = LabelKind::kNumber;
  EXPECT_NEAR(noiseSize("jiang-pca", params, z, pca["scale_l2"].get<double>() + 2), 1,
              5.5 / std::sqrt(64'000));
  params.label = LabelKind::kClass;
  params.classes = 2;
  const json& lda = vectors()["jiang_lda_identity"];
  const VectorXd w = discriminant(sampleClasses(), lda["ridge"]);
  const VectorXd expected = vectorOf(lda["w_up_to_sign"]);
  EXPECT_NEAR(std::fabs(w.dot(expected)), 1, 1e-12);
  const double sign = w.dot(expected) < 0 ? -1 : 1;
  const VectorXd on = sampleRows() * w / 2;
  EXPECT_LT((sign * on - vectorOf(lda["projection_normalised"])).norm(), 1e-10);
  EXPECT_NEAR(noiseSize("jiang-lda", params, on, 2 * lda["scale_l2"].get<double>()), 1,
              5.5 / std::sqrt(32'000));
}

TEST(IdentityQueries, KeepAClassLabelAsOftenAsRandomisedResponse) {
  const json& v = vectors()["krr_label"];
  const int k = v["k"];
  const double keep = v["keep"], other = v["other"];
  EXPECT_NEAR(keepProbability(k, v["eps"]), keep, 1e-12);
  EXPECT_NEAR((1 - keepProbability(k, v["eps"])) / (k - 1), other, 1e-12);
  Drbg random(unsafeTestSeed(9));
  std::vector<std::uint64_t> counts(3);
  for (int i = 0; i < 30'000; ++i)
    ++counts[std::size_t(randomisedResponse(1, k, v["eps"], random))];
  EXPECT_GT(goodnessOfFit(counts, {30'000 * other, 30'000 * keep, 30'000 * other}), kAlarm);
  EXPECT_LT(goodnessOfFit(counts, {30'000 * other * 1.1, 30'000 * (keep - 0.2 * other),
                                   30'000 * other * 1.1}),
            kAlarm);
}

TEST(BlumLigettRoth, ScoresCandidatesByTheirLargestError) {
  const json& v = vectors()["blum_expmech"];
  const LabelledRows data{matrixOf(v["X"]), {}};
  const std::vector<std::int64_t> counts = thresholdCounts(data, 0);
  std::vector<std::uint64_t> errors;
  for (const json& candidate : v["candidates"]) {
    errors.push_back(largestError(counts, 8, thresholdCounts({matrixOf(candidate), {}}, 0), 3));
    EXPECT_NEAR(-double(errors.back()) / 24, v["scores"][errors.size() - 1].get<double>(), 1e-12);
  }
  EXPECT_DOUBLE_EQ(3.0 / 24, v["score_sensitivity"]);
  Drbg random(unsafeTestSeed(10));
  const auto drawn = [&](double epsilon) {
    std::vector<std::uint64_t> places(errors.size());
    for (int i = 0; i < 40'000; ++i) ++places[exponentialMechanism(errors, 3, epsilon, random)];
    return places;
  };
  std::vector<double> expected;
  for (const json& p : v["probabilities"]) expected.push_back(40'000 * p.get<double>());
  EXPECT_GT(goodnessOfFit(drawn(v["eps"]), expected), kAlarm);
  // With all of epsilon for the choice, or 20 % more, the law differs.
  EXPECT_LT(goodnessOfFit(drawn(2 * v["eps"].get<double>()), expected), kAlarm);
  EXPECT_LT(goodnessOfFit(drawn(1.2 * v["eps"].get<double>()), expected), kAlarm);
}

TEST(BlumLigettRoth, HasErrorsThatOneRowChangesByAtMostOneOverACandidatesRows) {
  UnsafeTestRandom random(21);
  const auto random_rows = [&](Index rows) {
    LabelledRows data{MatrixXd(rows, 2), VectorXd(rows)};
    for (double& entry : data.rows.reshaped()) entry = random.symmetric();
    for (double& label : data.labels) label = double(random.below(2));
    return data;
  };
  const LabelledRows candidate = random_rows(5);
  std::int64_t most = 0;
  for (int i = 0; i < 300; ++i) {
    LabelledRows data = random_rows(4), other = random_rows(1);
    const auto error = [&] {
      return std::int64_t(
          largestError(thresholdCounts(data, 2), 4, thresholdCounts(candidate, 2), 5));
    };
    const std::int64_t before = error();
    data.rows.row(0) = other.rows.row(0), data.labels[0] = other.labels[0];
    most = std::max(most, std::abs(before - error()));
  }
  EXPECT_EQ(most, 5);
}

TEST(BlumLigettRoth, CountsEachClassSeparately) {
  const LabelledRows data{(MatrixXd(3, 1) << -1, 0, 1).finished(),
                          (VectorXd(3) << 0, 1, 1).finished()};
  EXPECT_EQ(thresholdCounts(data, 2), (std::vector<std::int64_t>{1, 1, 1, 0, 1, 1}));
}

TEST(Blocki, HasTheNoiseOfThePaperAndTheSufficientNoise) {
  const json& v = vectors()["blocki"];
  for (const json& w : v["w"]) {
    EXPECT_NEAR(publishedSketchNoise(w["r"], w["eps"], w["delta"]) / w["w"].get<double>(), 1,
                1e-12);
  }
  EXPECT_EQ(publishedSketchRows(v["r"]["eta"], v["r"]["nu"]), v["r"]["r"].get<int>());
  for (const json& w : vectors()["blocki_rdp"]["w2"]) {
    const double enough = sketchNoiseSquared(w["r"], w["eps"], w["delta"]);
    EXPECT_NEAR(enough / w["w2"].get<double>(), 1, w["rel_tol"].get<double>());
    EXPECT_NEAR(sketchEpsilon(enough, w["r"], w["delta"]), w["eps"].get<double>(), 1e-6);
    EXPECT_LT(sketchEpsilon(w["blocki_w2"], w["r"], w["delta"]), 0.05 * w["eps"].get<double>());
  }
}

TEST(Blocki, SketchesTheScatterOfTheRows) {
  const json& v = vectors()["blocki"]["jl"];
  const MatrixXd rows = sampleRows() / 4;
  const MatrixXd centred = rows.rowwise() - meanOf(rows);
  const MatrixXd scatter = centred.transpose() * centred;
  const double w = v["w"];
  // Singular vectors are unique up to sign: one choice of signs gives the matrix of the vectors.
  const MatrixXd g = matrixOf(v["G"]);
  double best = 1;
  MatrixXd estimate;
  for (int signs = 0; signs < 16; ++signs) {
    MatrixXd flipped = g;
    for (int j = 0; j < 4; ++j) flipped.col(j) *= signs >> j & 1 ? -1 : 1;
    const MatrixXd sketch = sketchOf(scatter, w * w, flipped);
    const double off =
        (sketch.transpose() * sketch / 3 - matrixOf(v["C_tilde"])).cwiseAbs().maxCoeff();
    if (off < best) best = off, estimate = scatterOf(sketch, w * w) * 16 / 8;
  }
  EXPECT_LT(best, v["tol"].get<double>());
  EXPECT_LT((estimate - matrixOf(v["second_moment_estimate_over_n"])).norm(), 1e-8);
}

TEST(Blocki, OnColumnsHasTheNoiseOfTheGaussianMechanism) {
  SynthesisParams params{0.5, 1e-5};
  Drbg random(unsafeTestSeed(14));
  const MatrixXd z = sampleRows() / 2;
  double sum = 0;
  for (int i = 0; i < 2'000; ++i) {
    const std::vector<MatrixXd> noisy = noisyFeatureScatters(z, {}, params, random);
    const MatrixXd noise = noisy[0].bottomRightCorner(4, 4) - z.transpose() * z;
    EXPECT_EQ(noisy[0], noisy[0].transpose());
    for (Index j = 0; j < 4; ++j) sum += noise.row(j).tail(4 - j).squaredNorm() / 20'000;
  }
  const double sigma = std::sqrt(2.0) * 2 / gdpOfEpsilonDelta(0.5, 1e-5);
  // 20 000 squares of deviation sqrt 2: 5.5 standard errors.
  EXPECT_NEAR(sum / (sigma * sigma), 1, 5.5 * std::sqrt(2.0 / 20'000));
}

TEST(Modips, HasTheScalesOfTheBox) {
  const json& v = vectors()["modips"];
  SynthesisParams params{v["eps"]};
  const ModipsScales plain = modipsScales(v["m"], v["n"], params);
  EXPECT_DOUBLE_EQ(plain.means, v["scale_mean"]);
  EXPECT_DOUBLE_EQ(plain.moments, v["scale_cov_corrected"]);
  EXPECT_DOUBLE_EQ(claimedCovarianceSensitivity(4, 8) / 0.9, v["scale_cov_paper"]);
  params.label = LabelKind::kClass;
  params.classes = 2;
  const ModipsScales classes = modipsScales(v["m"], v["n"], params);
  for (const json& s : vectors()["sensitivities"]) {
    if (s["a"] != 1.0) continue;
    const ModipsScales of = modipsScales(s["p"], 1, params);
    EXPECT_DOUBLE_EQ(of.counts, s["gmm_counts"].get<double>() / 0.05);
    EXPECT_DOUBLE_EQ(of.means, s["gmm_sums_box"].get<double>() / 0.095);
    EXPECT_DOUBLE_EQ(of.moments, s["gmm_scatter_box_upper"].get<double>() / 0.855);
  }
  EXPECT_GT(classes.moments, plain.moments);
}

TEST(Modips, EstimatesMeansAndCovariancesOfTheClasses) {
  SynthesisParams params{1e9};
  params.label = LabelKind::kClass;
  params.classes = 3;  // and one of them is empty
  Drbg random(unsafeTestSeed(11));
  const LabelledRows data = sampleClasses();
  const ModipsRelease release = modipsRelease(data, params, random);
  ASSERT_EQ(release.counts.size(), 3u);
  for (int level = 0; level < 2; ++level) {
    const MatrixXd of = rowsOfClass(data, level);
    const std::size_t c = std::size_t(level);
    EXPECT_NEAR(release.counts[c], 4, 1e-6);
    EXPECT_LT((release.means[c] - meanOf(of)).norm(), 1e-6);
    const MatrixXd centred = of.rowwise() - meanOf(of);
    EXPECT_LT((release.moments[c] - centred.transpose() * centred).norm(), 1e-5);
  }
  EXPECT_EQ(release.counts[2], 1);
  EXPECT_LT(release.moments[2].norm(), 1e-5);
}

TEST(Modips, DrawsFromThePosteriorAboutTheReleasedLaw) {
  RowComponent law{1, VectorXd::Constant(2, 0.3), MatrixXd::Identity(2, 2)};
  law.covariance(0, 1) = law.covariance(1, 0) = 0.6;
  Drbg random(unsafeTestSeed(12));
  MatrixXd covariance = MatrixXd::Zero(2, 2);
  VectorXd mean = VectorXd::Zero(2);
  for (int i = 0; i < 4'000; ++i) {
    const RowComponent drawn = posteriorDraw(law, 101, random);
    covariance += drawn.covariance / 4'000;
    mean += drawn.mean / 4'000;
  }
  // Inverse Wishart: n Sigma/(n - 1 - q - 1) on average; deviations of the means of draws are below
  // 0.003 and 0.002.
  EXPECT_LT((covariance - 101.0 / 97 * law.covariance).cwiseAbs().maxCoeff(), 0.02);
  EXPECT_LT((mean - law.mean).cwiseAbs().maxCoeff(), 0.01);
}

TEST(SignalToSensitivity, HasAVariantForEachClaim) {
  const json& v = vectors()["sir"];
  const std::vector<double> values = v["singular_values"];
  const std::pair<const char*, SensitivityGain> variants[] = {
      {"linear", SensitivityGain::kLinear},     {"quadratic", SensitivityGain::kQuadratic},
      {"upper", SensitivityGain::kUpper},       {"corrected_alg23", SensitivityGain::kCorrected},
      {"retained", SensitivityGain::kSpectrum},
  };
  for (const auto& [name, gain] : variants) {
    for (int p = 1; p <= 8; ++p) {
      EXPECT_NEAR(signalToSensitivity(values, p, gain), v[name][std::size_t(p - 1)].get<double>(),
                  1e-10)
          << name << " " << p;
    }
  }
}

TEST(SignalToNoise, EqualsThatOfThePapersTheorems) {
  const json& v = vectors()["snr"];
  EXPECT_DOUBLE_EQ(identitySignalToNoise(v["x"], v["a"], v["eps"], v["m"]), v["snr_full"]);
  EXPECT_DOUBLE_EQ(identitySignalToNoise(v["x"], v["a"], v["eps"], v["p"]), v["snr_reduced"]);
}

TEST(DrawnRows, AreDistributedOverComponentsByWeightAndHaveTheirLaws) {
  const RowComponent a{1, VectorXd::Constant(2, 0.5), MatrixXd::Identity(2, 2) * 0.01, 4};
  const RowComponent b{2.5, VectorXd::Constant(2, -0.5), MatrixXd::Ones(2, 2) * 0.04, 7};
  const RowComponent c{1e-9, VectorXd::Zero(2), MatrixXd::Zero(2, 2), 8};
  EXPECT_EQ(rowsOfComponents({a, b, c}, 7'000), (std::vector<Index>{2000, 5000, 2}));
  const json& shares = vectors()["alg3_recentred"];
  std::vector<RowComponent> laws{a, b};
  for (std::size_t i = 0; i < 2; ++i)
    laws[i].weight = vectors()["alg3"]["corrected"]["classes"][i]["N_priv"];
  EXPECT_EQ(rowsOfComponents(laws, shares["n_synthetic_total"]),
            shares["n_synthetic"].get<std::vector<Index>>());
  Drbg random(unsafeTestSeed(13));
  const LabelledRows drawn = drawComponents({a, b, c}, LabelKind::kClass, 7'000, random);
  ASSERT_EQ(drawn.rows.rows(), 7'002);
  const MatrixXd second = rowsOfClass(drawn, 7);
  ASSERT_EQ(second.rows(), 5'000);
  EXPECT_LT((meanOf(second).array() + 0.5).abs().maxCoeff(), 0.02);
  // A law of rank one stays on its line.
  EXPECT_LT((second.col(0) - second.col(1)).cwiseAbs().maxCoeff(), 1e-6);
  const MatrixXd centred = second.rowwise() - meanOf(second);
  EXPECT_NEAR(secondMoments(centred)(0, 0), 0.04, 0.005);
}

}  // namespace published_synthesis_test
}  // namespace pm
