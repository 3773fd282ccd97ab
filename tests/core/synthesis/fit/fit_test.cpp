// The deterministic part of every algorithm against reference numbers: the noise is fixed.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/matrix/packed.hpp"
#include "core/synthesis/fit/projection.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "core/synthesis/plan/sums.hpp"
#include "core/synthesis/rows/repair.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/support/matrix_vectors.hpp"
#include "tests/support/synthesis_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace synthesis_fit_test {

using namespace testing_support;
using nlohmann::json;

const json& vectors() {
  static const json read = readVectors("pca_gauss.json");
  return read;
}

double distance(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

using RealMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using RealVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// Eight rows and the row grid's 2^-22: the rounding error of a mean of squares, with a margin.
constexpr double kGrid = 2e-6;

// The columns of each row of `rows` followed by an entry of `label`.
std::vector<double> labelled(const json& rows, const json& label) {
  std::vector<double> cells;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& x : rows[i]) cells.push_back(x.get<double>());
    cells.push_back(label[i].get<double>());
  }
  return cells;
}

// Rows that lie in the unit ball without clipping.
SynthesisTerms unitTerms(SynthesisTerms terms) {
  terms.row_norm = 1;
  terms.noise = SynthesisNoise::kLaplace;
  return terms;
}

TEST(Repair, IsTheNearestCovarianceWithAndWithoutACapOnItsTrace) {
  const json& v = vectors()["psd_repair"];
  const Eigen::MatrixXd a = matrixOf(v["A"]);
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_LT(distance(nearestCovariance(a, none), matrixOf(v["clip"])), 1e-12);
  EXPECT_LT(distance(nearestCovariance(a, v["trace_cap"]), matrixOf(v["trace_capped"])), 1e-12);
  // The cap of the reference is this matrix's own trace, which is below R^2 = 1.
  EXPECT_NEAR(a.trace(), v["trace_cap"].get<double>(), 1e-12);
  EXPECT_LT(distance(repairCovariance(a, 1), matrixOf(v["trace_capped"])), 1e-12);
  EXPECT_NEAR(repairCovariance(a, 0.5).trace(), 0.25, 1e-12);
  EXPECT_LT(repairCovariance(-Eigen::MatrixXd::Identity(2, 2), 1).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Spectrum, HasTheReferenceEigenvaluesAndNoise) {
  const json& v = vectors()["alg1"];
  SynthesisTerms terms = synthesisTerms(4);
  terms.task = SynthesisTask::kSpectrum;
  terms.components = v["p"];
  terms.noise = SynthesisNoise::kLaplace;
  const json& corrected = v["corrected"];
  GivenNoise noise;
  noise.noise["spectrum"] = flat(corrected["noise"], 8);
  SynthesisTable table = tableOf(terms, flat(vectors()["data"]["X"]));
  const Synthesis made = synthesise(table, noise).value();
  const std::vector<double> exact = noise.sums["spectrum"];
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(exact[i] / 8, v["eigenvalues_over_m"][i].get<double>(), kGrid);
    // Scaled units: four columns.
    EXPECT_NEAR(made.variances[Eigen::Index(i)], 4 * corrected["spectrum_noisy"][i].get<double>(),
                4 * kGrid);
  }
  // Beside it the scale pays for eigenvalues in doubles.
  const double scale = laplaceScale(noise.steps.at("spectrum")) / 8,
               reference = corrected["scale_b"];
  EXPECT_GT(scale, reference);
  EXPECT_LT(scale, reference * (1 + 1e-6));
  EXPECT_TRUE(made.model.components.empty());
  EXPECT_EQ(made.projection.size(), 0);
}

// The eigenvalues of the sum of q q^T over the integer rows, largest first, with 11 bits more than
// doubles have.
RealVector longEigenvalues(const IntegerRows& rows) {
  RealMatrix scatter = RealMatrix::Zero(rows.width(), rows.width());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const std::span<const std::int32_t> row = rows.row(r);
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        scatter(Eigen::Index(i), Eigen::Index(j)) += static_cast<long double>(row[i]) * row[j];
      }
    }
  }
  return Eigen::SelfAdjointEigenSolver<RealMatrix>(scatter).eigenvalues().reverse();
}

// Keeps the exact sums.
class Kept final : public NoiseSource {
 public:
  std::vector<Int128> sums;
  void add(const Step&, std::span<Int128> totals) override {
    sums.assign(totals.begin(), totals.end());
  }
  std::size_t choose(std::span<const std::uint64_t>, double) override { return 0; }
};

// How far the integers of a table's spectrum are from its eigenvalues beside their rounding,
// relative to the error that noise for this number of rows would pay for.
double errorOfSpectrum(const Eigen::MatrixXd& rows) {
  const int d = int(rows.cols());
  SynthesisTerms terms = synthesisTerms(d);
  terms.task = SynthesisTask::kSpectrum;
  const Eigen::MatrixXd across = rows.transpose();
  const std::vector<double> cells(across.data(), across.data() + across.size());
  SynthesisTable table = tableOf(terms, cells), same = tableOf(terms, cells);
  Kept kept;
  if (!synthesise(table, kept).ok()) return 2;
  const RealVector exact = longEigenvalues(same.take().value().values);
  long double squared = 0;
  for (std::size_t i = 0; i < kept.sums.size(); ++i) {
    const long double off = static_cast<long double>(kept.sums[i]) - exact[Eigen::Index(i)];
    squared += off * off;
  }
  return (double(std::sqrt(squared)) - std::sqrt(d) / 2) /
         double(eigenvalueError(d, kRowBits, std::uint64_t(rows.rows())));
}

TEST(Spectrum, IsWithinTheErrorThatItsNoisePaysFor) {
  UnsafeTestRandom random(5);
  const auto numbers = [&](Eigen::Index n, Eigen::Index d) {
    Eigen::MatrixXd result(n, d);
    for (double& entry : result.reshaped()) entry = random.symmetric();
    return result;
  };
  const Eigen::MatrixXd wide = numbers(4, 30), few = numbers(4000, 4);
  const Eigen::MatrixXd tied = Eigen::MatrixXd::Identity(12, 12).replicate(300, 1);
  EXPECT_LE(errorOfSpectrum(numbers(3000, 20)), 1) << "no structure";
  EXPECT_LE(errorOfSpectrum(tied), 1) << "all eigenvalues tied";
  EXPECT_LE(errorOfSpectrum(few.col(0).replicate(1, 9)), 1) << "collinear";
  EXPECT_LE(errorOfSpectrum(wide), 1) << "fewer rows than features";
  EXPECT_LE(errorOfSpectrum(few * numbers(4, 15) / 4), 1) << "of rank 4";
  EXPECT_LE(errorOfSpectrum(Eigen::MatrixXd::Zero(5, 7)), 1) << "nothing but zeros";
}

TEST(Spectrum, OfRealRowsIsWithinTheErrorThatItsNoisePaysFor) {
  for (const char* file : {"wine/wine_data.csv", "breast_cancer/breast_cancer.csv"}) {
    const std::string text = fixtures::readDataOrSayWhy(file);
    if (text.empty()) continue;
    Eigen::MatrixXd rows = fixtures::parseTable(text, ',');
    const Eigen::RowVectorXd low = rows.colwise().minCoeff(), high = rows.colwise().maxCoeff();
    rows = (2 * (rows.rowwise() - low)).array().rowwise() / (high - low).array() - 1;
    EXPECT_LE(errorOfSpectrum(rows), 1) << file;
  }
}

TEST(Spectrum, IsSortedAndNotNegativeAfterItsNoise) {
  SynthesisTerms terms = synthesisTerms(2);
  terms.task = SynthesisTask::kSpectrum;
  GivenNoise noise;
  noise.noise["spectrum"] = {-0.9, 0.3};
  SynthesisTable table = tableOf(terms, {1, 0, 0, 0.5});
  const Synthesis made = synthesise(table, noise).value();
  // Sums 0.5 and 0.125 in the unit ball, with noise -0.4 and 0.425; over two rows, scaled units.
  EXPECT_NEAR(made.variances[0], 0.425, kGrid);
  EXPECT_EQ(made.variances[1], 0);
}

TEST(Spectrum, IsComputedFromResidualsAboutAReleasedMean) {
  SynthesisTerms terms = synthesisTerms(2);
  terms.task = SynthesisTask::kSpectrum;
  terms.about_mean = true;
  terms.row_norm = 1;
  terms.radius = 0.5;
  GivenNoise noise;
  noise.noise["means"] = {0.2, -0.6};
  noise.noise["spectrum"] = {0.01, 0.02};
  // The mean is (0.2, 0.3) and released as (0.3, 0): residuals (-0.2, 0), and (0, 0.6) clipped.
  SynthesisTable table = tableOf(terms, {0.1, 0, 0.3, 0.6});
  const Synthesis made = synthesise(table, noise).value();
  EXPECT_NEAR(noise.sums["spectrum"][0], 0.25, kGrid);
  EXPECT_NEAR(noise.sums["spectrum"][1], 0.04, kGrid);
  EXPECT_NEAR(made.variances[0], 0.13, kGrid);
  EXPECT_NEAR(made.variances[1], 0.03, kGrid);
  // In units of R^2.
  EXPECT_NEAR(noise.steps.at("spectrum").query.unit, std::ldexp(0.25, -2 * kRowBits), 1e-30);
}

// Rows of four numbers, reduced to two by a projection made of them.
SynthesisTerms projectedTerms(SynthesisTerms terms) {
  terms.components = 2;
  terms.projection.source = ProjectionSource::kPrivate;
  terms.noise = SynthesisNoise::kLaplace;
  return terms;
}

TEST(Projection, EqualsTheReferenceFromNoisySecondMoments) {
  const json& v = vectors()["lap_pca"];
  GivenNoise noise;
  // The reference is in raw units, four times those of the unit ball.
  noise.noise["projection"] = flat(v["noise_upper"], 8.0 / 4);
  const SynthesisTerms terms = projectedTerms(synthesisTerms(4));
  SynthesisTable table = tableOf(terms, flat(vectors()["data"]["X"]));
  const Synthesis made = synthesise(table, noise).value();
  EXPECT_LT(distance(made.projection, matrixOf(v["P_sign_fixed"])), 1e-5);
  EXPECT_LT(distance(made.projection * made.projection.transpose(), matrixOf(v["projector"])),
            3e-5);
  // At epsilon 1 and a share of 0.3.
  EXPECT_NEAR(4 * laplaceScale(noise.steps.at("projection")) / 8, v["scale_b_corrected"], 1e-9);
  for (const double entry : made.projection.reshaped()) {
    EXPECT_EQ(std::ldexp(entry, 16), std::nearbyint(std::ldexp(entry, 16)));
  }
}

TEST(Projection, MapsRowsToTheReferences) {
  const json& v = vectors()["pub_pca_projection"];
  SynthesisTable table = tableOf(synthesisTerms(4), flat(vectors()["data"]["X"]));
  SynthesisTable::Rows rows = table.take().value();
  const Eigen::MatrixXd p = matrixOf(v["P"]);
  Eigen::MatrixXd rounded = p;
  for (double& x : rounded.reshaped()) x = std::ldexp(std::nearbyint(std::ldexp(x, 16)), -16);
  const IntegerRows z = projected(rounded, rows.values, 0);
  ASSERT_EQ(z.rows(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t m = 0; m < 2; ++m) {
      EXPECT_NEAR(std::ldexp(z.row(i)[m], -kRowBits), v["Z_normalised"][i][m].get<double>(), 2e-5);
    }
  }
}

TEST(Projection, IsTheSameFromEqualPublicRows) {
  SynthesisTerms terms = synthesisTerms(4);
  terms.components = 2;
  terms.projection.source = ProjectionSource::kPublic;
  SynthesisTable table = tableOf(terms, flat(vectors()["data"]["X"]));
  ASSERT_FALSE(table.addPublic(flat(vectors()["data"]["X"])));
  GivenNoise noise;
  const Synthesis made = synthesise(table, noise).value();
  EXPECT_LT(distance(made.projection, matrixOf(vectors()["alg1"]["P_sign_fixed"])), 1e-5);
  EXPECT_EQ(noise.steps.count("projection"), 0u);
}

TEST(Gaussian, HasTheReferenceMeanAndMomentsWithANumberLabel) {
  const json& v = vectors()["alg2"]["corrected"];
  const json& z = vectors()["pub_pca_projection"]["Z_normalised"];
  SynthesisTerms terms = unitTerms(regressionTerms(3));
  terms.radius = v["R_clip"];
  GivenNoise noise;
  noise.noise["means"] = flat(v["mean_noise"], 8);
  noise.noise["scatter"] = flat(v["noise_upper"], 8);
  SynthesisTable table = tableOf(terms, labelled(z, vectors()["data"]["y_reg"]));
  const Synthesis made = synthesise(table, noise).value();
  ASSERT_EQ(made.gaussians.size(), 1u);
  EXPECT_LT(distance(made.gaussians[0].mean, vectorOf(v["mean_private"])), kGrid);
  const Eigen::MatrixXd exact = matrixOf(v["moment"]);
  std::size_t entry = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      EXPECT_NEAR(noise.sums["scatter"][entry++] / 8, exact(i, j), kGrid);
    }
  }
  EXPECT_LT(distance(made.gaussians[0].covariance, matrixOf(v["Sigma_sampled_from"])), kGrid);
  EXPECT_NEAR(laplaceScale(noise.steps.at("means")) / 8, v["scale_b_mean"], 1e-6);
  EXPECT_NEAR(laplaceScale(noise.steps.at("scatter")) / 8, v["scale_b_moment"], 1e-9);
  // The label is the last coordinate and the last column; the unit is 1.
  ASSERT_EQ(made.model.components.size(), 1u);
  EXPECT_LT(distance(made.model.components[0].mean, made.gaussians[0].mean), 1e-12);
  EXPECT_LT(distance(made.model.components[0].covariance, made.gaussians[0].covariance), 1e-12);
}

TEST(Gaussian, IsLiftedThroughTheProjectionWithTheLabelInItsPlace) {
  SynthesisTerms terms = regressionTerms(5);
  terms.label = 1;
  terms.columns[1].max = 3;
  terms.components = 2;
  terms.projection.source = ProjectionSource::kPrivate;
  GivenNoise noise;
  SynthesisTable table =
      tableOf(terms, {0.5, 3, 0.1, 0.2, -0.3, -0.4, -1, 0.3, 0.1, 0.6, 0.1, 2, -0.7, 0.3, 0.2});
  const Synthesis made = synthesise(table, noise).value();
  const ReleasedGaussian& z = made.gaussians[0];
  Eigen::MatrixXd lift = Eigen::MatrixXd::Zero(5, 3);
  lift.row(0) << 2 * made.projection.row(0), 0;
  lift(1, 2) = 1;
  for (int i = 1; i < 4; ++i) lift.row(i + 1) << 2 * made.projection.row(i), 0;
  const RowComponent& row = made.model.components[0];
  EXPECT_EQ(row.weight, 1);
  EXPECT_EQ(row.level, -1);
  EXPECT_LT(distance(row.mean, lift * z.mean), 1e-12);
  EXPECT_LT(distance(row.covariance, lift * z.covariance * lift.transpose()), 1e-12);
  // 3, -1 and 2 on a scale of -1 to 3.
  EXPECT_NEAR(row.mean[1], 0.5 / 3, kGrid);
}

TEST(Gaussian, HasAMeanNoLongerThanARowCanBe) {
  for (const bool labelled : {false, true}) {
    GivenNoise noise;
    noise.noise["means"] = {30, -40};
    SynthesisTable table = tableOf(labelled ? regressionTerms(2) : synthesisTerms(2), {0, 0, 0, 0});
    const Eigen::VectorXd mean = synthesise(table, noise).value().gaussians[0].mean;
    const double length = labelled ? std::sqrt(2) : 1;
    EXPECT_NEAR(mean[0], 0.6 * length, 1e-9);
    EXPECT_NEAR(mean[1], -0.8 * length, 1e-9);
  }
}

struct Mixture {
  GivenNoise noise;
  Synthesis made;
};

Mixture mixtureOf(CovarianceChoice covariance, double radius, std::vector<double> scatter_noise) {
  const json& v = vectors()["alg3"]["corrected"];
  const json& z = vectors()["pub_pca_projection"]["Z_normalised"];
  SynthesisTerms terms = unitTerms(synthesisTerms(2, 2));
  terms.covariance = covariance;
  terms.radius = radius;
  Mixture result;
  result.noise.noise["counts"] = flat(v["noise_counts"]);
  result.noise.noise["means"] = flat(v["noise_sums"]);
  result.noise.noise["scatter"] = std::move(scatter_noise);
  SynthesisTable table = tableOf(terms, labelled(z, vectors()["data"]["y_cls"]));
  result.made = synthesise(table, result.noise).value();
  return result;
}

TEST(Mixture, HasTheReferenceCountsSumsAndMeans) {
  const json& v = vectors()["alg3"]["corrected"];
  const Mixture mixture = mixtureOf(CovarianceChoice::kPerClass, 1, {});
  const json& scales = v["scales"];
  EXPECT_NEAR(laplaceScale(mixture.noise.steps.at("counts")), scales["counts"], 1e-3);
  EXPECT_NEAR(laplaceScale(mixture.noise.steps.at("means")), scales["sums"], 1e-5);
  EXPECT_NEAR(laplaceScale(mixture.noise.steps.at("scatter")), scales["scatter"], 1e-9);
  double rows = 0;
  for (const json& expected : v["classes"]) rows += expected["N_priv"].get<double>();
  for (std::size_t c = 0; c < 2; ++c) {
    const json& expected = v["classes"][c];
    const ReleasedGaussian& gaussian = mixture.made.gaussians[c];
    EXPECT_EQ(gaussian.level, int(c));
    EXPECT_EQ(mixture.noise.sums.at("counts")[c], expected["N"].get<double>());
    EXPECT_NEAR(gaussian.rows, expected["N_priv"].get<double>(), kGrid);
    EXPECT_LT(distance(gaussian.mean, vectorOf(expected["mean"])), kGrid);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(mixture.noise.sums.at("means")[2 * c + i], expected["S"][i].get<double>(), kGrid);
    }
    EXPECT_NEAR(mixture.made.model.components[c].weight, gaussian.rows / rows, kGrid);
    EXPECT_EQ(mixture.made.model.components[c].level, int(c));
  }
}

TEST(Mixture, HasTheReferenceSecondMomentsAboutTheOrigin) {
  const json& z = vectors()["pub_pca_projection"]["Z_normalised"];
  SynthesisTable table =
      tableOf(unitTerms(synthesisTerms(2, 2)), labelled(z, vectors()["data"]["y_cls"]));
  const SynthesisTable::Rows rows = table.take().value();
  for (const json& expected : vectors()["alg3"]["corrected"]["classes"]) {
    Scatter scatter(2, kRowBits);
    for (std::size_t r = 0; r < rows.values.rows(); ++r) {
      if (rows.classes.row(r)[0] == expected["cls"].get<int>()) scatter.add(rows.values.row(r));
    }
    std::vector<Int128> packed(3);
    ASSERT_FALSE(scatter.addTo(packed));
    const Eigen::MatrixXd sum =
        unpacked(std::span<const Int128>(packed), 2, std::ldexp(1.0, -2 * kRowBits));
    EXPECT_LT(distance(sum, matrixOf(expected["T"])), 4 * kGrid);
  }
}

TEST(Mixture, HasTheReferenceCovariancesOfResidualsAboutItsMeans) {
  const json& v = vectors()["alg3_recentred"];
  const Mixture mixture =
      mixtureOf(CovarianceChoice::kPerClass, v["R"], flat(v["noise_scatter_upper"]));
  EXPECT_NEAR(laplaceScale(mixture.noise.steps.at("scatter")), v["scale_scatter"], 1e-9);
  EXPECT_FALSE(mixture.made.shared);
  for (std::size_t c = 0; c < 2; ++c) {
    const json& expected = v["classes"][c];
    const Eigen::MatrixXd exact = matrixOf(expected["T"]);
    const std::vector<double>& sums = mixture.noise.sums.at("scatter");
    EXPECT_NEAR(sums[3 * c], exact(0, 0), 4 * kGrid);
    EXPECT_NEAR(sums[3 * c + 1], exact(0, 1), 4 * kGrid);
    EXPECT_NEAR(sums[3 * c + 2], exact(1, 1), 4 * kGrid);
    EXPECT_LT(distance(mixture.made.gaussians[c].covariance, matrixOf(expected["Sigma"])),
              2 * kGrid);
  }
}

TEST(Mixture, HasTheReferencePooledCovariance) {
  const json& v = vectors()["alg3_recentred"];
  const json& shared = v["shared"];
  const Mixture mixture =
      mixtureOf(CovarianceChoice::kShared, v["R"], flat(shared["noise_upper"], 8));
  EXPECT_TRUE(mixture.made.shared);
  EXPECT_NEAR(laplaceScale(mixture.noise.steps.at("scatter")) / 8, shared["scale"], 1e-9);
  for (const ReleasedGaussian& gaussian : mixture.made.gaussians) {
    EXPECT_LT(distance(gaussian.covariance, matrixOf(shared["Sigma"])), 2 * kGrid);
  }
}

TEST(Mixture, ChoosesAmongItsCovariancesByTheNumberOfRowsTheyClassify) {
  const json& v = vectors()["alg3_recentred"];
  SynthesisTerms terms = unitTerms(synthesisTerms(2, 2));
  terms.covariance = CovarianceChoice::kChosen;
  terms.radius = v["R"];
  const std::vector<double> cells =
      labelled(vectors()["pub_pca_projection"]["Z_normalised"], vectors()["data"]["y_cls"]);
  const Mixture apart = mixtureOf(CovarianceChoice::kPerClass, v["R"], {});
  GivenNoise noise;
  noise.noise["counts"] = {0.4, -0.7};
  noise.noise["means"] = flat(vectors()["alg3"]["corrected"]["noise_sums"]);
  SynthesisTable first = tableOf(terms, cells);
  const Synthesis kept = synthesise(first, noise).value();
  // The classes are well separated, and both candidates classify all eight rows correctly.
  EXPECT_EQ(noise.scores, (std::vector<std::uint64_t>{8, 8}));
  EXPECT_FALSE(kept.shared);
  EXPECT_LT(distance(kept.gaussians[0].covariance, apart.made.gaussians[0].covariance), 1e-12);

  noise.choice = 1;
  SynthesisTable second = tableOf(terms, cells);
  const Synthesis pooled = synthesise(second, noise).value();
  EXPECT_TRUE(pooled.shared);
  EXPECT_LT(distance(pooled.gaussians[0].covariance, pooled.gaussians[1].covariance), 1e-15);
  const auto sums = [&](std::size_t i) {
    return (noise.sums["scatter"][i] + noise.sums["scatter"][3 + i]) / 7.7;
  };
  EXPECT_NEAR(pooled.gaussians[0].covariance(0, 1), sums(1), 1e-9);
}

TEST(Mixture, WithPublicLabelsDividesByTheirCountsAndOmitsEmptyClasses) {
  SynthesisTerms terms = unitTerms(synthesisTerms(1, 3));
  terms.labels_public = true;
  GivenNoise noise;
  SynthesisTable table = tableOf(terms, {0.5, 0, 0.25, 0, -0.5, 2});
  const Synthesis made = synthesise(table, noise).value();
  EXPECT_EQ(noise.steps.count("counts"), 0u);
  ASSERT_EQ(made.gaussians.size(), 2u);
  EXPECT_EQ(made.gaussians[0].rows, 2);
  EXPECT_NEAR(made.gaussians[0].mean[0], 0.375, kGrid);
  EXPECT_NEAR(made.gaussians[0].covariance(0, 0), 0.125 * 0.125, kGrid);
  EXPECT_EQ(made.gaussians[1].level, 2);
  EXPECT_NEAR(made.model.components[1].weight, 1.0 / 3, 1e-12);
}

}  // namespace synthesis_fit_test
}  // namespace pm
