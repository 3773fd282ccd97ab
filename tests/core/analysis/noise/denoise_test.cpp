#include "core/analysis/noise/denoise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <limits>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/support/effort.hpp"

namespace pm {
namespace denoise_test {

using fixtures::Deterministic;
using fixtures::matrixOf;
using fixtures::readVectors;
using fixtures::rotationInvariant;
using fixtures::vectorOf;

constexpr double kTolerance = 1e-12;

/// Slow and simple: bisection for theta in sum max(v - theta, 0) = cap.
Eigen::VectorXd projectByBisection(const Eigen::VectorXd& values, double cap) {
  double low = 0;
  double high = std::max(0.0, values.maxCoeff());
  if (values.cwiseMax(0.0).sum() <= cap) return values.cwiseMax(0.0);
  for (int step = 0; step < 200; ++step) {
    const double theta = (low + high) / 2;
    ((values.array() - theta).cwiseMax(0.0).sum() > cap ? low : high) = theta;
  }
  return (values.array() - high).cwiseMax(0.0);
}

TEST(CappedSimplex, ProjectsAsTheReferenceVectorsDo) {
  const auto vectors = readVectors("analysis.json")["projection"];
  const Eigen::VectorXd values = vectorOf(vectors["eigenvalues"]);
  EXPECT_TRUE(projectOntoCappedSimplex(values, 3).isApprox(vectorOf(vectors["trace_cap_3_eigs"]),
                                                           kTolerance));
  EXPECT_TRUE(projectOntoCappedSimplex(values, 2).isApprox(vectorOf(vectors["trace_cap_2_eigs"]),
                                                           kTolerance));
}

TEST(CappedSimplex, AgreesWithBisectionForRandomValuesAndCaps) {
  Deterministic random(11);
  for (int round = 0; round < 200; ++round) {
    const Eigen::VectorXd values = random.normals(1 + round % 17, 1);
    const double cap = 3 * random.uniform();
    EXPECT_LT((projectOntoCappedSimplex(values, cap) - projectByBisection(values, cap)).norm(),
              1e-10);
  }
}

TEST(CappedSimplex, DoesNotMoveAPointOfTheSet) {
  const Eigen::Vector3d inside(0.5, 0, 0.25);
  EXPECT_EQ(projectOntoCappedSimplex(inside, 1), inside);
}

TEST(CappedSimplex, GivesZeroForACapOfZero) {
  EXPECT_TRUE(projectOntoCappedSimplex(Eigen::Vector3d(3, 1, -2), 0).isZero());
}

TEST(TraceProjection, ProjectsAsTheReferenceVectorsDo) {
  const auto vectors = readVectors("analysis.json")["projection"];
  Spectrum decomposed = spectrum(matrixOf(vectors["M"]));
  EXPECT_TRUE(decomposed.values.isApprox(vectorOf(vectors["eigenvalues"]), kTolerance));

  decomposed.values = projectOntoCappedSimplex(vectorOf(vectors["eigenvalues"]), 3);
  EXPECT_TRUE(compose(decomposed).isApprox(matrixOf(vectors["trace_cap_3"]), kTolerance));
  decomposed.values = projectOntoCappedSimplex(vectorOf(vectors["eigenvalues"]), 100);
  EXPECT_TRUE(compose(decomposed).isApprox(matrixOf(vectors["psd"]), kTolerance));
}

TEST(TraceProjection, CapsTheSpectrumAtTheTraceOfTheMatrixItself) {
  // Eigenvalues 3, 0.5, -1: the trace 2.5 is below the bound and is therefore the cap.
  const Eigen::MatrixXd matrix = matrixOf(readVectors("analysis.json")["projection"]["M"]);
  const auto projected = projectTrace(matrix, 3);
  ASSERT_TRUE(projected.ok());
  EXPECT_NEAR(projected.value().trace(), 2.5, kTolerance);
}

TEST(TraceProjection, CapsTheSpectrumAtThePublicBound) {
  const Eigen::MatrixXd matrix = matrixOf(readVectors("analysis.json")["projection"]["M"]);
  const auto projected = projectTrace(matrix, 2);
  ASSERT_TRUE(projected.ok());
  EXPECT_NEAR(projected.value().trace(), 2, kTolerance);
}

TEST(TraceProjection, DoesNotChangeACovarianceWithinTheBound) {
  Deterministic random(12);
  const Eigen::MatrixXd root = random.normals(6, 6);
  const Eigen::MatrixXd covariance = root * root.transpose() / 36;
  EXPECT_LT((projectTrace(covariance, 100).value() - covariance).norm(), 1e-12);
}

TEST(TraceProjection, IsZeroForANegativeTrace) {
  EXPECT_TRUE(projectTrace(Eigen::Vector2d(1, -3).asDiagonal(), 1).value().isZero());
}

TEST(TraceProjection, IsAtLeastAsCloseToTheTruthAsTheNoisyMatrix) {
  // Projection onto a convex set that contains the truth; the cap is the noisy trace, which needs
  // slack.
  Deterministic random(13);
  int closer = 0;
  for (int round = 0; round < 50; ++round) {
    const Eigen::MatrixXd root = random.normals(20, 3);
    const Eigen::MatrixXd truth = root * root.transpose() / 60;
    const Eigen::MatrixXd noisy = truth + random.noise(20, fixtures::rotationInvariant(0.1));
    const Eigen::MatrixXd projected = projectTrace(noisy, 20).value();
    closer += (projected - truth).norm() < 0.8 * (noisy - truth).norm() ? 1 : 0;
  }
  EXPECT_EQ(closer, 50);
}

TEST(TraceProjection, RejectsAnythingButAFiniteSquareMatrixWithAPositiveBound) {
  EXPECT_EQ(projectTrace(Eigen::MatrixXd(0, 0), 1).error().code, Code::kInvalidDimension);
  EXPECT_EQ(projectTrace(Eigen::MatrixXd::Zero(2, 3), 1).error().code, Code::kWrongLength);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(2, 2);
  EXPECT_EQ(projectTrace(matrix, 0).error().code, Code::kInvalidRowNorm);
  EXPECT_EQ(projectTrace(matrix, -1).error().code, Code::kInvalidRowNorm);
  matrix(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(projectTrace(matrix, 1).error().code, Code::kNotFinite);
}

NoiseLaw lawOf(const nlohmann::json& entry) {
  NoiseLaw law;
  law.diagonal = entry.value("diagonal", 0.0);
  law.off_diagonal = entry["offDiagonal"].get<double>();
  law.releases = entry["releases"].get<int>();
  law.freedom = entry["freedom"].get<int>();
  const auto name = entry["family"].get<std::string>();
  if (name == "two-sided-wishart") law.family = NoiseFamily::kTwoSidedWishart;
  if (name == "wishart") law.family = NoiseFamily::kWishart;
  return law;
}

/// Noise of one two-sided Wishart release in the covariance of `dimension` features.
NoiseLaw twoSidedWishart(int dimension, double sd) {
  NoiseLaw law = rotationInvariant(sd);
  law.family = NoiseFamily::kTwoSidedWishart;
  law.freedom = dimension + 2;
  return law;
}

NoisyCovariance inputOf(const Eigen::MatrixXd& covariance, const NoiseLaw& noise, double bound) {
  return {covariance, noise, bound, Eigen::VectorXd::Ones(covariance.rows()), {}};
}

/// Random eigenvectors, these eigenvalues.
Eigen::MatrixXd rotated(const Eigen::VectorXd& values, Deterministic& random) {
  const Eigen::MatrixXd axes = random.orthogonal(static_cast<int>(values.size()));
  return axes * values.asDiagonal() * axes.transpose();
}

/// Draws of noise of any law for a block of D features.
class BlockNoise {
 public:
  BlockNoise(const NoiseLaw& law, int dimension, std::uint8_t seed)
      : draw_(SumNoise::everywhere(law), dimension), random_(Seed{seed}), dimension_(dimension) {}

  Eigen::MatrixXd next() { return draw_.draw(random_).bottomRightCorner(dimension_, dimension_); }

 private:
  NoiseDraw draw_;
  Drbg random_;
  int dimension_;
};

/// Rounds of a simulation; at least 20, as fewer would be too random.
int roundsOf(std::uint64_t usual) {
  return static_cast<int>(std::max<std::uint64_t>(20, testing_support::draws(usual)));
}

TEST(RotationInvariantEstimate, IsTheReferenceForEveryLawOfNoise) {
  const auto vectors = readVectors("denoise.json")["estimates"];
  for (const auto& entry : vectors) {
    const Eigen::VectorXd estimate =
        rotationInvariantEstimate(vectorOf(entry["values"]), lawOf(entry));
    EXPECT_TRUE(estimate.isApprox(vectorOf(entry["estimate"]), 1e-10)) << entry["family"];
  }
}

using Estimator = std::function<Eigen::VectorXd(const Eigen::VectorXd&, const NoiseLaw&)>;

/// Mean distance of estimated eigenvalues from the best ones, v_i^T C v_i, as a share of the
/// distance that the noisy ones are at.
double shareOfDistanceLeft(const Estimator& estimate, const NoiseLaw& law) {
  constexpr int kDimension = 60;
  const int rounds = roundsOf(20);
  Deterministic random(21);
  BlockNoise noise(law, kDimension, 21);
  double left = 0;
  double all = 0;
  for (int round = 0; round < rounds; ++round) {
    Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(kDimension, 1, 0);
    values.head(3) << 6, 4, 3;
    const Eigen::MatrixXd truth = rotated(values, random);
    const Spectrum noisy = spectrum(truth + noise.next());
    const Eigen::VectorXd best =
        noisy.vectors.cwiseProduct(truth * noisy.vectors).colwise().sum().transpose();
    left += (estimate(noisy.values, law) - best).norm();
    all += (noisy.values - best).norm();
  }
  return left / all;
}

/// x_i = l_i - factor Re G(l_i - i s), the semicircle's with factor = 2 s^2 D.
Eigen::VectorXd semicircleWithFactor(const Eigen::VectorXd& values, double sd, double factor) {
  Eigen::VectorXd estimate(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    std::complex<double> g = 0;
    for (const double other : values) g += 1.0 / std::complex<double>(values[i] - other, -sd);
    estimate[i] = values[i] - factor * g.real() / static_cast<double>(values.size());
  }
  return estimate;
}

// Remaining distance: 0.16 with the estimate, 0.19 before its values are sorted, and 0.56 to 1.9
// with the mutants.
TEST(RotationInvariantEstimate, FindsTheBestEigenvaluesAndMutantsDoNot) {
  constexpr double kBar = 0.3;
  const NoiseLaw law = rotationInvariant(0.2);
  const auto mutant = [](double factor) {
    return [factor](const Eigen::VectorXd& values, const NoiseLaw& noise) {
      const double s = noise.off_diagonal;
      const auto d = static_cast<double>(values.size());
      return semicircleWithFactor(values, s, factor * s * s * d);
    };
  };
  EXPECT_LT(shareOfDistanceLeft(rotationInvariantEstimate, law), kBar);
  EXPECT_LT(shareOfDistanceLeft(mutant(2), law), kBar);
  EXPECT_GT(shareOfDistanceLeft(mutant(-2), law), kBar) << "wrong sign of the Stieltjes term";
  EXPECT_GT(shareOfDistanceLeft(mutant(1), law), kBar) << "without the 2";
  EXPECT_GT(shareOfDistanceLeft(mutant(2.0 / 60), law), kBar) << "without D";
}

// Remaining distance: 0.225 with the law, 0.275 assuming normal noise. Over seeds the ratio of 20
// rounds is 0.81 with a standard deviation of 0.0143, so the limit is six standard deviations away.
TEST(RotationInvariantEstimate, UsesTheLawOfTwoSidedWishartNoise) {
  const NoiseLaw law = twoSidedWishart(60, 0.2);
  const double knowing = shareOfDistanceLeft(rotationInvariantEstimate, law);
  const double ignorant = shareOfDistanceLeft(
      [](const Eigen::VectorXd& values, const NoiseLaw& noise) {
        return rotationInvariantEstimate(values, rotationInvariant(noise.off_diagonal));
      },
      law);
  EXPECT_LT(knowing, 0.9 * ignorant);
}

TEST(RotationInvariantEstimate, KeepsTheOrderOfEigenvaluesAndTheirSum) {
  Deterministic random(22);
  for (int dimension = 1; dimension < 20; ++dimension) {
    const NoiseLaw law = rotationInvariant(0.3);
    const Spectrum noisy = spectrum(random.noise(dimension, law));
    const Eigen::VectorXd estimate = rotationInvariantEstimate(noisy.values, law);
    EXPECT_NEAR(estimate.sum(), noisy.values.sum(), 1e-10);
    for (int i = 1; i < dimension; ++i) EXPECT_LE(estimate[i], estimate[i - 1]);
  }
}

TEST(Denoise, GivesTheReferenceCovariances) {
  const auto vectors = readVectors("denoise.json")["denoised"];
  for (const auto& entry : vectors) {
    const auto result =
        denoise(inputOf(matrixOf(entry["matrix"]), lawOf(entry), entry["bound"].get<double>()));
    ASSERT_TRUE(result.ok());
    const Eigen::MatrixXd expected = matrixOf(entry["covariance"]);
    EXPECT_LT((result.value().covariance - expected).norm(), 1e-10) << entry["family"];
    EXPECT_NEAR(result.value().signal_energy, entry["signalEnergy"].get<double>(), 1e-9);
    EXPECT_NEAR(result.value().trace_kept, entry["traceKept"].get<double>(), 1e-12);
    EXPECT_NEAR(result.value().shape_kept, entry["shapeKept"].get<double>(), 1e-10);
  }
}

TEST(Denoise, DoesNotChangeACovarianceWithoutNoise) {
  Deterministic random(23);
  const Eigen::MatrixXd root = random.normals(7, 7);
  const Eigen::MatrixXd covariance = root * root.transpose();
  // The trace is far above the bound, which without noise is not enforced.
  const auto result = denoise(inputOf(covariance, NoiseLaw{}, 1e-3)).value();
  EXPECT_LT((result.covariance - covariance).norm(), 1e-12 * covariance.norm());
  EXPECT_EQ(result.trace_kept, 1);
  EXPECT_EQ(result.shape_kept, 1);
  EXPECT_EQ(result.signal_energy, std::numeric_limits<double>::infinity());
  const Eigen::MatrixXd indefinite = Eigen::Vector2d(1, -1e-17).asDiagonal();
  EXPECT_GE(spectrum(denoised(indefinite, NoiseLaw{}, 1)).values[1], 0);
}

TEST(Denoise, TendsToTheMatrixItselfAsTheNoiseVanishes) {
  Deterministic random(24);
  const Eigen::MatrixXd truth = rotated(Eigen::Vector4d(0.4, 0.2, 0.1, 0.05), random);
  for (const double sd : {1e-4, 1e-8, 1e-12, 1e-300}) {
    const double distance = (denoised(truth, rotationInvariant(sd), 1) - truth).norm();
    EXPECT_LT(distance, 4 * sd + 1e-14);
  }
}

TEST(Denoise, GivesAPossibleCovarianceForAnyInput) {
  Deterministic random(25);
  for (int round = 0; round < 300; ++round) {
    const int dimension = 1 + round % 12;
    const double sd = std::pow(10, -4 + 8 * random.uniform());
    const NoiseLaw law = round % 3 == 0 ? twoSidedWishart(dimension, sd) : rotationInvariant(sd);
    const Eigen::MatrixXd noisy =
        random.noise(dimension, law) + rotated(random.normals(dimension, 1), random);
    const auto result = denoise(inputOf(noisy, law, 2)).value();
    EXPECT_GE(spectrum(result.covariance).values.minCoeff(), -1e-12);
    EXPECT_LE(result.covariance.trace(), 2 + 1e-12);
    EXPECT_GE(result.trace_kept, 0);
    EXPECT_LE(result.trace_kept, 1);
    EXPECT_GE(result.shape_kept, 0);
    EXPECT_LE(result.shape_kept, 1);
  }
}

TEST(Denoise, DoesNotDependOnTheUnitOrTheAxes) {
  Deterministic random(26);
  const NoiseLaw law = rotationInvariant(0.05);
  const Eigen::MatrixXd noisy =
      Eigen::VectorXd::LinSpaced(9, 0.4, 0).asDiagonal().toDenseMatrix() + random.noise(9, law);
  const Eigen::MatrixXd clean = denoised(noisy, law, 3);
  const Eigen::MatrixXd axes = random.orthogonal(9);
  EXPECT_LT(
      (denoised(axes * noisy * axes.transpose(), law, 3) - axes * clean * axes.transpose()).norm(),
      1e-12);
  for (const double unit : {1e-60, 1e-6, 1e6, 1e60}) {
    const NoiseLaw scaled = rotationInvariant(0.05 * unit);
    EXPECT_LT((denoised(unit * noisy, scaled, 3 * unit) / unit - clean).norm(), 1e-12);
  }
}

TEST(Denoise, IsNearlyZeroIfTheNoiseIsFarAboveTheBound) {
  Deterministic random(27);
  for (const double sd : {1e2, 1e4, 1e200}) {
    for (int round = 0; round < 20; ++round) {
      const NoiseLaw law = rotationInvariant(sd);
      EXPECT_LT(denoised(random.noise(8, law), law, 1).norm(), 1e-4);
    }
  }
}

TEST(Denoise, IsAMultipleOfTheIdentityIfOnlyTheTraceIsAboveTheNoise) {
  // sd of the trace 0.2 of 3, of the eigenvalues nearly 3 times their size.
  constexpr int kDimension = 60;
  Deterministic random(28);
  const Eigen::MatrixXd truth = Eigen::MatrixXd::Identity(kDimension, kDimension) * 0.05;
  const NoiseLaw law = rotationInvariant(0.2 / std::sqrt(2.0 * kDimension));
  double error = 0;
  for (int round = 0; round < 10; ++round) {
    const auto result = denoise(inputOf(truth + random.noise(kDimension, law), law, 10)).value();
    error += (result.covariance - truth).norm() / truth.norm() / 10;
    EXPECT_LT(result.shape_kept, 0.7);
    EXPECT_GT(result.trace_kept, 0.98);
  }
  EXPECT_LT(error, 0.35);
}

TEST(Denoise, ReportsNoiseAlone) {
  Deterministic random(29);
  const NoiseLaw law = rotationInvariant(0.1);
  double sum = 0;
  double squares = 0;
  const auto rounds = static_cast<int>(testing_support::draws(2000));
  for (int round = 0; round < rounds; ++round) {
    const double z = denoise(inputOf(random.noise(6, law), law, 1)).value().signal_energy;
    sum += z;
    squares += z * z;
  }
  // Mean 0 and variance 1 of a nearly normal law: 6 standard errors.
  EXPECT_LT(std::fabs(sum / rounds), 6 / std::sqrt(rounds));
  EXPECT_LT(std::fabs(squares / rounds - 1), 6 * std::sqrt(4.0 / rounds));
  const Eigen::MatrixXd strong = Eigen::MatrixXd::Identity(6, 6) + random.noise(6, law);
  EXPECT_GT(denoise(inputOf(strong, law, 10)).value().signal_energy, 40);
}

struct Errors {
  double ours = 0;
  double best = 0;  ///< best of zero, trace projection, and soft threshold at the edge
};

Errors errorsOf(const Eigen::VectorXd& values, const NoiseLaw& law) {
  const auto dimension = static_cast<int>(values.size());
  const int rounds = roundsOf(60);
  Deterministic random(30);
  BlockNoise noise(law, dimension, 30);
  double zero = 0;
  double projected = 0;
  double soft = 0;
  Errors errors;
  for (int round = 0; round < rounds; ++round) {
    const Eigen::MatrixXd truth = rotated(values, random);
    const Eigen::MatrixXd noisy = truth + noise.next();
    Spectrum thresholded = spectrum(noisy);
    thresholded.values = (thresholded.values.array() - spectralEdge(law, dimension)).cwiseMax(0.0);
    zero += truth.norm();
    projected += (projectTrace(noisy, 1).value() - truth).norm();
    soft += (compose(thresholded) - truth).norm();
    errors.ours += (denoised(noisy, law, 1) - truth).norm();
  }
  errors.best = std::min({zero, projected, soft});
  return errors;
}

// The whole comparison, on data, is experiments/ours/denoise.cpp. Means of 60: the largest ratio
// here is 1.02 with a standard error of 0.01.
TEST(Denoise, IsNeverMuchWorseThanTheBestOfSimplerEstimates) {
  const Eigen::VectorXd ranks = Eigen::VectorXd::LinSpaced(20, 1, 20);
  const Eigen::VectorXd decaying = 0.2 * ranks.cwiseInverse();
  for (const double sd : {1.0, 0.1, 0.03, 0.01, 0.003, 0.0003}) {
    for (const NoiseLaw& law : {rotationInvariant(sd), twoSidedWishart(20, sd)}) {
      const Errors errors = errorsOf(decaying, law);
      EXPECT_LT(errors.ours, 1.08 * errors.best) << sd;
    }
  }
}

TEST(Denoise, GivesTheTraceForASingleFeature) {
  const auto one = [](double value, double sd) {
    const Eigen::MatrixXd matrix = Eigen::MatrixXd::Constant(1, 1, value);
    return denoised(matrix, rotationInvariant(sd), 1)(0, 0);
  };
  EXPECT_NEAR(one(0.5, 0.5 / std::sqrt(2.0)), 0.25, 1e-12);  // as large as its noise: half of it
  EXPECT_NEAR(one(0.5, 1e-6), 0.5, 1e-9);
  EXPECT_EQ(one(-0.5, 0.1), 0);
  EXPECT_LE(one(50, 0.1), 1);
}

TEST(Denoise, GivesZeroForZeroAndNothingForNothing) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(5, 5);
  EXPECT_TRUE(denoised(zero, rotationInvariant(0.1), 1).isZero());
  EXPECT_TRUE(denoised(zero, NoiseLaw{}, 1).isZero());
  EXPECT_EQ(denoised(Eigen::MatrixXd(0, 0), rotationInvariant(0.1), 1).size(), 0);
}

TEST(Denoise, RejectsInvalidInput) {
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(2, 2);
  const NoiseLaw law = rotationInvariant(0.1);
  const auto refused = [](const NoisyCovariance& data) { return denoise(data).error().code; };
  EXPECT_EQ(refused(inputOf(Eigen::MatrixXd(0, 0), law, 1)), Code::kInvalidDimension);
  EXPECT_EQ(refused(inputOf(Eigen::MatrixXd::Zero(2, 3), law, 1)), Code::kWrongLength);
  EXPECT_EQ(refused(inputOf(matrix, {-1, 1}, 1)), Code::kInvalidNoise);
  EXPECT_EQ(refused(inputOf(matrix, law, 0)), Code::kInvalidRowNorm);
}

TEST(DenoisedMoments, KeepCountAndMeansAndAreConsistent) {
  Deterministic random(31);
  MomentSums sums = fixtures::sumsOf(random.normals(50, 4));
  sums.noise = SumNoise::everywhere(rotationInvariant(2));
  Eigen::MatrixXd noise = random.noise(5, rotationInvariant(2));
  noise(0, 0) = 0;
  const std::vector<double> added = fixtures::pack(noise);
  for (std::size_t i = 0; i < added.size(); ++i) sums.packed[i] += added[i];

  const AssembledMoments before = assembleMoments(sums).value();
  const DenoisedMoments result = denoiseMoments(sums, 4).value();
  const AssembledMoments& after = result.moments;
  EXPECT_EQ(after.rows, before.rows);
  EXPECT_EQ(after.mean, before.mean);
  EXPECT_EQ(after.second_moments.row(0), before.second_moments.row(0));
  EXPECT_EQ(after.covariance_noise.off_diagonal, before.covariance_noise.off_diagonal);
  EXPECT_EQ(after.scaled_covariance,
            denoised(before.scaled_covariance, before.covariance_noise, 4));
  EXPECT_LT(result.shape_kept, 1);
  EXPECT_EQ(before.covariance, before.covariance.transpose());
  EXPECT_EQ(after.covariance, after.covariance.transpose());
  EXPECT_EQ(after.covariance_sd, after.covariance_sd.transpose());
  EXPECT_EQ(after.covariance_sd(1, 1) / after.covariance_noise.diagonal,
            sums.half[1] * sums.half[1]);

  // Interpreted as sums they give the same covariances.
  sums.packed = fixtures::pack(after.second_moments);
  const AssembledMoments again = assembleMoments(sums).value();
  EXPECT_LT((again.scaled_covariance - after.scaled_covariance).norm(), 1e-12);
  EXPECT_LT((again.covariance - after.covariance).norm(), 1e-12);
}

TEST(DenoisedMoments, OfExactSumsAreTheExactOnes) {
  Deterministic random(32);
  const MomentSums sums = fixtures::sumsOf(random.normals(50, 4));
  const AssembledMoments exact = assembleMoments(sums).value();
  const DenoisedMoments result = denoiseMoments(sums, 4).value();
  EXPECT_LT((result.moments.covariance - exact.covariance).norm(), 1e-12);
  EXPECT_LT((result.moments.second_moments - exact.second_moments).norm(), 1e-10);
  EXPECT_EQ(denoiseMoments(sums, 0).error().code, Code::kInvalidRowNorm);
  MomentSums none = sums;
  none.packed.clear();
  EXPECT_EQ(denoiseMoments(none, 4).error().code, Code::kWrongLength);
}

}  // namespace denoise_test
}  // namespace pm
