// The sensitivity of each query, and the noise calibrated to it.
#include "core/synthesis/plan/noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/synthesis/plan/plan.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace synthesis_noise_test {

using namespace testing_support;
using nlohmann::json;

constexpr int kBits = 22;
constexpr std::uint64_t kLength = std::uint64_t{1} << kBits;

const json& vectors() {
  static const json read = readVectors("pca_gauss.json");
  return read;
}

double l1(const Query& query) { return double(query.l1) * query.unit; }
double l2(const Query& query) { return std::sqrt(double(query.l2_squared)) * query.unit; }

// Integer bounds are rounded up: by at most two grid steps of the length.
constexpr double kRounded = 1e-6;

// What pays for eigenvalues in doubles, relative to the sensitivity of a spectrum of up to 784
// features.
constexpr double kOfDoubles = 3e-4;

TEST(SynthesisQueries, HaveTheReferenceSensitivities) {
  for (const json& v : vectors()["sensitivities"]) {
    const int m = v["m"], p = v["p"];
    // Ours are for rows of length 1; the references' for rows of length a.
    const double n = v["n"], a = v["a"], square = a * a;
    const auto expect = [&](double bound, const char* name) {
      EXPECT_NEAR(bound, v[name].get<double>(), kRounded) << name << " of " << p;
      EXPECT_GE(bound, v[name].get<double>() * (1 - 1e-12)) << name << " of " << p;
    };
    expect(a * l1(sumsQuery(1, p, kBits)) / n, "mean_l2");
    const Query scatter = scatterQuery(1, p, kBits, kLength, false);
    expect(square * l1(scatter) / n, "cov_l2_upper");
    // For one number it is not sqrt 2.
    const double one = p == 1 ? std::numbers::sqrt2 : 1;
    expect(square * one * l2(scatter) / n, "cov_l2_frobenius");
    expect(square * one * double(scatter.blocks_l2) * scatter.unit / n, "cov_l2_frobenius");
    // About the public centre every feature of the unit ball is at most 1 / sqrt m: in raw units m
    // times as much.
    const std::uint64_t largest = featureBound(kBits, std::sqrt(double(m)));
    const double raw = square * l1(scatterQuery(1, m, kBits, largest, false)) * m / n;
    EXPECT_NEAR(raw, v["cov_box_upper"].get<double>(), 1e-4 * raw);
    const double of_spectrum = v["spectrum_l2"];
    EXPECT_GT(square * l1(spectrumQuery(m, p, kBits)) / n, of_spectrum);
    EXPECT_LT(square * l1(spectrumQuery(m, p, kBits)) / n, of_spectrum * (1 + kOfDoubles));
    expect(l1(countsQuery(3)), "gmm_counts");
    expect(a * l1(sumsQuery(7, p, kBits)), "gmm_sums_l2");
    expect(square * l1(scatterQuery(7, p, kBits, kLength, true)), "gmm_scatter_l2_upper");
  }
}

TEST(SynthesisQueries, OfOneCoordinateAreBoundedByItsRange) {
  EXPECT_EQ(scatterQuery(1, 1, kBits, kLength, false).l1, kLength * kLength);
  EXPECT_EQ(scatterQuery(1, 1, kBits, kLength, false).nuclear, kLength * kLength);
  for (const int features : {1, 5}) {
    const std::uint64_t of_doubles = 2 * eigenvalueError(features, kBits, kMaxRowsOfSpectrum);
    EXPECT_EQ(spectrumQuery(features, 1, kBits).l1, kLength * kLength + 1 + of_doubles);
  }
  // A row may have no class, so the count of a single class changes by one.
  EXPECT_EQ(countsQuery(1).l1, std::uint64_t{1} << kCountBits);
  EXPECT_EQ(scatterQuery(1, 1, kBits, kLength, true).l1, 2 * kLength * kLength);
}

struct Distance {
  double full = 0, upper = 0, frobenius = 0, nuclear = 0;
};

Distance between(const Eigen::VectorXd& x, const Eigen::VectorXd& y) {
  const Eigen::MatrixXd e = x * x.transpose() - y * y.transpose();
  Distance result;
  for (int i = 0; i < e.rows(); ++i) {
    for (int j = 0; j < e.cols(); ++j) {
      result.full += std::fabs(e(i, j));
      if (i <= j) result.upper += std::fabs(e(i, j));
    }
  }
  result.frobenius = e.norm();
  result.nuclear = eigenvalues(e).cwiseAbs().sum();
  return result;
}

Eigen::VectorXd vectorOf(const json& numbers) {
  Eigen::VectorXd result(Eigen::Index(numbers.size()));
  for (Eigen::Index i = 0; i < result.size(); ++i) result[i] = numbers[std::size_t(i)];
  return result;
}

TEST(SynthesisQueries, HaveSensitivitiesAttainedByTheReferenceWitnesses) {
  for (const json& v : vectors()["witnesses"]) {
    const Eigen::VectorXd x = vectorOf(v["x"]), y = vectorOf(v["xp"]);
    const Distance d = between(x, y);
    EXPECT_NEAR(d.full, v["full"], 1e-12);
    EXPECT_NEAR(d.upper, v["upper"], 1e-12);
    EXPECT_NEAR(d.frobenius, v["frobenius"], 1e-12);
    EXPECT_NEAR(d.nuclear, v["nuclear"], 1e-12);
    if (x.norm() > 1 + 1e-12) continue;
    const Query query = scatterQuery(1, int(x.size()), kBits, kLength, false);
    EXPECT_LE(d.upper, l1(query));
    EXPECT_LE(d.frobenius, l2(query) * (1 + 1e-12));
    EXPECT_LE(d.nuclear, double(query.nuclear) * query.unit + 1e-12);
  }
}

TEST(SynthesisQueries, HaveUpperTrianglesWithinFourPerCentOfTheAttainedChange) {
  for (const json& v : vectors()["upper_l2_exact_even_p"]) {
    const int p = v["p"];
    const double bound = l1(scatterQuery(1, p, kBits, kLength, false));
    if (v.contains("x")) {
      EXPECT_NEAR(between(vectorOf(v["x"]), vectorOf(v["xp"])).upper, v["upper"], 1e-12);
      EXPECT_LE(v["upper"].get<double>(), bound);
      continue;
    }
    EXPECT_NEAR(bound, v["rigorous"], kRounded);
    EXPECT_LT(bound, 1.04 * v["lower_witness"].get<double>());
  }
}

TEST(SynthesisQueries, ChangeMostIfARowChangesItsClass) {
  const json& v = vectors()["alg3_scatter_witness"];
  const Eigen::VectorXd z = vectorOf(v["z"]), moved = vectorOf(v["z_new"]);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(z.size());
  // From one class to another.
  const double reached = between(z, none).upper + between(none, moved).upper;
  EXPECT_NEAR(reached, v["l1"], 1e-12);
  EXPECT_NEAR(l1(scatterQuery(2, v["p"], kBits, kLength, true)), v["bound"], kRounded);
  EXPECT_NEAR(reached, v["bound"], 1e-12);

  const json& cross = vectors()["alg3_cross_class_neighbour"];
  EXPECT_LE(cross["l1_counts"].get<double>(), l1(countsQuery(2)));
  EXPECT_LE(cross["l1_sums"].get<double>(), l1(sumsQuery(2, 2, kBits)));
  EXPECT_LE(cross["l1_scatter"].get<double>(), l1(scatterQuery(2, 2, kBits, kLength, true)));
  EXPECT_NEAR(cross["bounds"]["sums"], l1(sumsQuery(2, 2, kBits)), kRounded);
  EXPECT_NEAR(cross["bounds"]["scatter"], l1(scatterQuery(2, 2, kBits, kLength, true)), kRounded);
}

// Second moments of rows about their own mean.
Eigen::MatrixXd centred(const Eigen::MatrixXd& rows) {
  const Eigen::MatrixXd about = rows.rowwise() - rows.colwise().mean();
  return about.transpose() * about / double(rows.rows());
}

Eigen::MatrixXd matrixOf(const json& rows) {
  Eigen::MatrixXd matrix(Eigen::Index(rows.size()), Eigen::Index(rows[0].size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
      matrix(i, j) = rows[std::size_t(i)][std::size_t(j)];
    }
  }
  return matrix;
}

TEST(OwnMeans, ChangeACovarianceMoreThanAnyReleasedMean) {
  const json& v = vectors()["centred_cov_witness"];
  const Eigen::MatrixXd e = centred(matrixOf(v["X"])) - centred(matrixOf(v["Xp"]));
  EXPECT_NEAR(e.cwiseAbs().sum(), v["full"], 1e-12);
  EXPECT_NEAR(e.cwiseAbs().sum(), v["bound_full"], 1e-12);
  EXPECT_GT(e.cwiseAbs().sum(), 3 * v["paper_prop3"].get<double>());
  // In the unit ball: x moves from the side opposite to the others to their side.
  for (const json& ball : vectors()["own_mean_centring_ball"]) {
    const int p = ball["p"], n = ball["n"];
    const double at = 1 / std::sqrt(double(p));
    const Eigen::MatrixXd same = Eigen::MatrixXd::Constant(n, p, -at);
    Eigen::MatrixXd moved = same;
    moved.row(0).setConstant(at);
    const double reached = (centred(moved) - centred(same)).cwiseAbs().sum();
    EXPECT_NEAR(reached, ball["full"], 1e-12);
    EXPECT_GT(reached, std::numbers::sqrt2 * p / n) << "the sensitivity about a released mean";
  }
}

TEST(SpectrumQuery, IsAttainedBetweenTwoDirectionsAndHardlyGrowsWithTheirNumber) {
  const json& v = vectors()["spectrum_witness"];
  const auto spectrum_of = [](const Eigen::MatrixXd& rows) {
    const Eigen::MatrixXd moments = rows.transpose() * rows;
    return Eigen::VectorXd(eigenvalues(moments / double(rows.rows() * rows.cols())));
  };
  const Eigen::VectorXd difference = spectrum_of(matrixOf(v["X"])) - spectrum_of(matrixOf(v["Xp"]));
  EXPECT_NEAR(difference.cwiseAbs().sum(), v["l1"], 1e-12);
  EXPECT_NEAR(l1(spectrumQuery(4, 4, kBits)) / 6, v["bound"], kRounded);
  EXPECT_NEAR(l1(spectrumQuery(400, 300, kBits)), l1(spectrumQuery(4, 2, kBits)), 0.006);
}

double laplaceScaleOf(const Query& query, double epsilon) {
  const Step step = calibrate("", query, SynthesisNoise::kLaplace, epsilon).value();
  return step.sd() / std::numbers::sqrt2;
}

TEST(SynthesisNoise, HasTheReferenceScales) {
  const json& v = vectors()["noise_scales"];
  const json& c = v["corrected"];
  const double n = v["n"];
  const int m = v["m"], p = v["p"];
  const double of_spectrum = laplaceScaleOf(spectrumQuery(m, p, kBits), 1) / n;
  EXPECT_GT(of_spectrum, c["alg1_spectrum"].get<double>());
  EXPECT_LT(of_spectrum, c["alg1_spectrum"].get<double>() * (1 + kOfDoubles));
  EXPECT_NEAR(laplaceScaleOf(scatterQuery(1, 5, kBits, kLength, false), 1) / n,
              c["alg2_l2_upper_q5_R1"], 1e-9);
  EXPECT_NEAR(laplaceScaleOf(sumsQuery(1, p, kBits), 0.1) / n, c["mean_l2"], 1e-7);
  const Query box = scatterQuery(1, m, kBits, featureBound(kBits, std::sqrt(double(m))), false);
  EXPECT_NEAR(laplaceScaleOf(box, 1) * m / n, c["lap_pca_box_upper"], 1e-6);
  EXPECT_NEAR(laplaceScaleOf(countsQuery(2), 0.05), c["gmm_counts_eps005"], 1e-3);
  EXPECT_NEAR(laplaceScaleOf(sumsQuery(2, p, kBits), 0.35), c["gmm_sums_eps035"], 1e-4);
  EXPECT_NEAR(laplaceScaleOf(scatterQuery(2, p, kBits, kLength, true), 0.6), c["gmm_scatter_eps06"],
              1e-6);
}

TEST(SynthesisNoise, IsTheAnalyticGaussianForDirections) {
  for (const json& v : vectors()["ag_pca_sigma"]) {
    const double mu = gdpOfEpsilonDelta(v["eps"], v["delta"]);
    const Query query = scatterQuery(1, 12, kBits, kLength, false);
    const Step step = calibrate("", query, SynthesisNoise::kGaussian, mu).value();
    EXPECT_NEAR(step.sd() / v["n"].get<double>(), v["analytic"], v["tol"]);
    // Off the diagonal half the variance, as an entry there counts twice.
    EXPECT_NEAR(step.sdOff(), step.sd() / std::numbers::sqrt2, 1e-9);
    EXPECT_LT(step.mu(), mu);
    EXPECT_GT(step.mu(), mu * (1 - 1e-9));
  }
}

TEST(SynthesisNoise, HasByDefaultTheLeastVarianceForTheDimension) {
  const auto scatter = [](int size) { return scatterQuery(1, size, kBits, kLength, false); };
  EXPECT_EQ(leastPureNoise(scatter(1)), SynthesisNoise::kLaplace);
  EXPECT_EQ(leastPureNoise(scatter(2)), SynthesisNoise::kFrobenius);
  EXPECT_EQ(leastPureNoise(scatter(3)), SynthesisNoise::kFrobenius);
  for (const int size : {4, 16, 300}) {
    EXPECT_EQ(leastPureNoise(scatter(size)), SynthesisNoise::kTwoSidedWishart) << size;
  }
  // If a row may change its class, Frobenius noise grows by a factor sqrt 2 and two-sided Wishart
  // noise does not.
  EXPECT_EQ(leastPureNoise(scatterQuery(3, 3, kBits, kLength, true)),
            SynthesisNoise::kTwoSidedWishart);
  // Many classes: independent Laplace noise is best for counts, and noise on a ball for sums.
  EXPECT_EQ(kindFor(countsQuery(5), SynthesisNoise::kTwoSidedWishart), SynthesisNoise::kLaplace);
  EXPECT_EQ(kindFor(sumsQuery(5, 6, kBits), SynthesisNoise::kTwoSidedWishart),
            SynthesisNoise::kFrobenius);
  EXPECT_EQ(kindFor(sumsQuery(5, 1, kBits), SynthesisNoise::kFrobenius), SynthesisNoise::kLaplace);
  EXPECT_EQ(kindFor(sumsQuery(5, 6, kBits), SynthesisNoise::kLaplace), SynthesisNoise::kLaplace);
  EXPECT_EQ(kindFor(sumsQuery(5, 6, kBits), SynthesisNoise::kGaussian), SynthesisNoise::kGaussian);
}

TEST(SynthesisNoise, HasTheEnergyThatItsStandardDeviationsImply) {
  for (const SynthesisNoise kind : {SynthesisNoise::kLaplace, SynthesisNoise::kGaussian,
                                    SynthesisNoise::kFrobenius, SynthesisNoise::kTwoSidedWishart}) {
    for (const int size : {1, 2, 7}) {
      const Query query = scatterQuery(3, size, kBits, kLength, true);
      const Step step = calibrate("", query, kind, 0.3).value();
      const double n = size;
      const double sum =
          3 * (n * step.sd() * step.sd() + n * (n - 1) * step.sdOff() * step.sdOff());
      EXPECT_NEAR(sum, noiseEnergy(query, kind, 0.3), 1e-6 * sum) << name(kind) << size;
    }
  }
}

TEST(SynthesisNoise, TooLargeForAnyGridIsRejected) {
  for (const SynthesisNoise kind : {SynthesisNoise::kLaplace, SynthesisNoise::kGaussian,
                                    SynthesisNoise::kFrobenius, SynthesisNoise::kTwoSidedWishart}) {
    const Result<Step> step = calibrate("", scatterQuery(1, 3, kBits, kLength, false), kind, 1e-30);
    ASSERT_FALSE(step.ok()) << name(kind);
    EXPECT_EQ(step.error().code, Code::kNoiseTooLarge);
  }
}

}  // namespace synthesis_noise_test
}  // namespace pm
