// Noise of PCA-Gauss as published and of its baselines, and audits of them: neighbours that differ
// most, many runs on each, and the likelihood ratio as the distinguisher. Its error rates bound the
// true epsilon from below, so that a claim can be refuted, with an error probability below 10^-6
// each. If a claim holds, the bound must stay below it and come near.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/research/synthesizers/basis.hpp"
#include "core/research/synthesizers/blocki.hpp"
#include "core/research/synthesizers/identity_query.hpp"
#include "core/research/synthesizers/modips.hpp"
#include "core/research/synthesizers/pca_gauss_paper.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/matrix_vectors.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace published_synthesis_audit_test {

using namespace testing_support;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Independent Laplace laws.
struct LaplaceLaw {
  VectorXd centre, scale;

  double logDensity(const VectorXd& at) const {
    return -((at - centre).cwiseAbs().cwiseQuotient(scale).array() + scale.array().log()).sum();
  }
};

VectorXd entriesOf(const MatrixXd& matrix) { return matrix.reshaped(); }

// Two-sided p-value of the mean size of noise being that of Laplace laws, for the noise that
// `draw(random)` returns over its scale.
template <class Draw>
double sizeLaw(Draw draw, double scale, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  double sum = 0, count = 0;
  for (std::uint64_t i = 0; i < draws(15'000); ++i) {
    const VectorXd noise = draw(random);
    sum += noise.cwiseAbs().sum() / scale;
    count += double(noise.size());
  }
  return normalTail((sum / count - 1) * std::sqrt(count));
}

TEST(PublishedSynthesisNoise, HasTheScaleThatIsStatedInEveryStep) {
  const MatrixXd rows =
      (MatrixXd(6, 2) << 0.9, 0.2, -0.4, 0.6, 0.1, -0.8, 0.5, 0.5, -0.7, -0.3, 0.2, 0.9).finished();
  SynthesisParams params{0.5};
  params.components = 2;
  params.centre = Centre::kPublic;
  const MatrixXd moments = secondMoments(rows);
  const VectorXd spectrum = moments.selfadjointView<Eigen::Lower>().eigenvalues() / 2;
  const MatrixXd diagonal = spectrum.reverse().asDiagonal();
  const NoisyGaussian exact = {meanOf(rows), secondMoments(rows.rowwise() - meanOf(rows))};
  SynthesisParams classes = params;
  classes.label = LabelKind::kClass;
  classes.classes = 2;
  const LabelledRows labelled{rows, VectorXd::Zero(6)};
  const auto upper = [](const MatrixXd& m) { return Eigen::Vector3d(m(0, 0), m(0, 1), m(1, 1)); };
  struct Step {
    const char* what;
    double scale;
    std::function<VectorXd(Drbg&)> noise;
  };
  const Step steps[] = {
      {"spectrum", 2 / (6 * 0.5),
       [&](Drbg& random) { return entriesOf(noisySpectrum(rows, params, random) - diagonal); }},
      {"labelled moments", 6 / (6 * 0.5),
       [&](Drbg& random) { return entriesOf(noisyLabelledMoments(rows, 0.5, random) - moments); }},
      {"mean", 2 * 2 / (6 * 0.05),
       [&](Drbg& random) {
         return entriesOf(publishedGaussian(rows, Centre::kData, 0.5, random).mean - exact.mean);
       }},
      {"covariance", 4 / (6 * 0.45),
       [&](Drbg& random) {
         const MatrixXd noisy = publishedGaussian(rows, Centre::kData, 0.5, random).covariance;
         return entriesOf(noisy - exact.covariance);
       }},
      {"MODIPS moments", 3 / (6 * 0.45),
       [&](Drbg& random) {
         const ModipsRelease out = modipsRelease({rows, {}}, params, random);
         const MatrixXd residuals = (rows.rowwise() - out.means[0]).cwiseMax(-1).cwiseMin(1);
         return upper(out.moments[0] - secondMoments(residuals));
       }},
      {"MODIPS scatters of classes", 6 / (0.855 * 0.5),
       [&](Drbg& random) {
         const ModipsRelease out = modipsRelease(labelled, classes, random);
         const MatrixXd residuals = (rows.rowwise() - out.means[0]).cwiseMax(-1).cwiseMin(1);
         return upper(out.moments[0] - residuals.transpose() * residuals);
       }},
  };
  for (std::uint64_t i = 0; i < std::size(steps); ++i) {
    EXPECT_GT(sizeLaw(steps[i].noise, steps[i].scale, 10 + i), kAlarm / 6) << steps[i].what;
    // 30 000 numbers detect a scale that is 5 % off in either direction.
    for (const double mutant : {0.95, 1.05}) {
      EXPECT_LT(sizeLaw(steps[i].noise, steps[i].scale * mutant, 10 + i), kAlarm / 6)
          << steps[i].what << mutant;
    }
  }
}

// The epsilon that runs refute. `run(second, random)` runs the algorithm on the first or second of
// two neighbours and returns the logarithm of the likelihood ratio, whose size matters up to
// `most`.
template <class Run>
double refuted(Run run, double most, std::uint64_t seed, std::uint64_t runs = draws(10'000)) {
  std::vector<double> scores[2];
  Drbg random(unsafeTestSeed(seed));
  for (const bool second : {false, true}) {
    for (std::uint64_t i = 0; i < runs; ++i) scores[second].push_back(run(second, random));
  }
  return epsilonAtLeast(scores[0], scores[1], most);
}

// Rows at one end, and neighbours whose first row is at the other end.
std::pair<MatrixXd, MatrixXd> flipped(int n, int columns) {
  const MatrixXd second = MatrixXd::Constant(n, columns, -1);
  MatrixXd first = second;
  first.row(0).setOnes();
  return {first, second};
}

double auditAlgorithm1(const MatrixXd& first, const MatrixXd& second, SynthesisParams params,
                       std::uint64_t seed) {
  // The centres, from a run with negligible noise.
  Drbg quiet(unsafeTestSeed(0));
  SynthesisParams exact = params;
  exact.epsilon = 1e12;
  const double p = params.components;
  const VectorXd scale = VectorXd::Constant(
      int(p * p), claimedSpectrumSensitivity(p, double(first.rows())) / params.epsilon);
  const LaplaceLaw laws[2] = {{entriesOf(noisySpectrum(first, exact, quiet)), scale},
                              {entriesOf(noisySpectrum(second, exact, quiet)), scale}};
  const auto run = [&](bool other, Drbg& random) {
    const VectorXd out = entriesOf(noisySpectrum(other ? second : first, params, random));
    return laws[0].logDensity(out) - laws[1].logDensity(out);
  };
  return refuted(run, (laws[0].centre - laws[1].centre).cwiseQuotient(scale).cwiseAbs().sum(),
                 seed);
}

TEST(PublishedAlgorithm1Audit, RefutesTheClaimAboutTheDatasMean) {
  const auto [first, second] = flipped(20, 1);
  SynthesisParams params{1};
  EXPECT_GT(auditAlgorithm1(first, second, params, 100), 2);  // the truth is 4 (n - 1)/n = 3.8
}

TEST(PublishedAlgorithm1Audit, StaysBelowTheGuaranteeAboutAPublicCentre) {
  const auto vectors = readVectors("pca_gauss.json")["spectrum_witness"];
  SynthesisParams params{4};
  params.components = 4;
  params.centre = Centre::kPublic;
  const double promised = pcaGauss1Guarantee(params, 6, 4)->epsilon;
  const double found =
      auditAlgorithm1(matrixOf(vectors["X"]), matrixOf(vectors["Xp"]), params, 200);
  EXPECT_LE(found, promised);
  EXPECT_GT(found, 0.7 * promised);
}

double auditAlgorithm2(const MatrixXd& first, const MatrixXd& second, double epsilon,
                       std::uint64_t seed) {
  const double p = double(first.cols() - 1);
  const VectorXd scale = VectorXd::Constant(
      first.cols() * first.cols(), claimedLabelledSensitivity(p, double(first.rows())) / epsilon);
  const LaplaceLaw laws[2] = {{entriesOf(secondMoments(first)), scale},
                              {entriesOf(secondMoments(second)), scale}};
  const auto run = [&](bool other, Drbg& random) {
    const VectorXd out = entriesOf(noisyLabelledMoments(other ? second : first, epsilon, random));
    return laws[0].logDensity(out) - laws[1].logDensity(out);
  };
  return refuted(run, (laws[0].centre - laws[1].centre).cwiseQuotient(scale).cwiseAbs().sum(),
                 seed);
}

TEST(PublishedAlgorithm2Audit, RefutesTheClaimAboutTheDatasMeans) {
  auto [first, second] = flipped(20, 2);  // one direction and the label
  first.rowwise() -= meanOf(first).eval();
  second.rowwise() -= meanOf(second).eval();
  EXPECT_GT(auditAlgorithm2(first, second, 1, 300), 1.5);  // the truth is 2.5
}

TEST(PublishedAlgorithm2Audit, StaysBelowTheGuaranteeAboutAPublicCentre) {
  MatrixXd first = MatrixXd::Zero(3, 2), second = first;
  first.row(0).setOnes();
  SynthesisParams params{3};
  params.centre = Centre::kPublic;
  params.label = LabelKind::kNumber;
  const double promised = pcaGauss2Guarantee(params, 3, 1)->epsilon;
  const double found = auditAlgorithm2(first, second, 3, 400);
  EXPECT_LE(found, promised);
  EXPECT_GT(found, 0.7 * promised);
}

// The release of algorithm 3 for some classes, from the rows of each class.
double auditAlgorithm3(const std::vector<MatrixXd> (&classes)[2], double epsilon, double most,
                       std::uint64_t seed) {
  LaplaceLaw laws[2];
  for (int side = 0; side < 2; ++side) {
    std::vector<double> centre, scale;
    for (const MatrixXd& z : classes[side]) {
      const double p = double(z.cols()), n = double(z.rows());
      const Eigen::RowVectorXd mean = meanOf(z);
      for (const double entry : mean) {
        centre.push_back(entry);
        scale.push_back(claimedMeanSensitivity(p, n) / (0.1 * epsilon));
      }
      const MatrixXd covariance = secondMoments(z.rowwise() - mean);
      for (const double entry : covariance.reshaped()) {
        centre.push_back(entry);
        scale.push_back(claimedCovarianceSensitivity(p, n) / (0.9 * epsilon));
      }
    }
    laws[side] = {Eigen::Map<VectorXd>(centre.data(), Eigen::Index(centre.size())),
                  Eigen::Map<VectorXd>(scale.data(), Eigen::Index(scale.size()))};
  }
  const auto run = [&](bool second, Drbg& random) {
    std::vector<double> out;
    for (const MatrixXd& z : classes[second]) {
      const NoisyGaussian law = publishedGaussian(z, Centre::kData, epsilon, random);
      for (const double entry : law.mean) out.push_back(entry);
      for (const double entry : law.covariance.reshaped()) out.push_back(entry);
    }
    const VectorXd at = Eigen::Map<VectorXd>(out.data(), Eigen::Index(out.size()));
    return laws[0].logDensity(at) - laws[1].logDensity(at);
  };
  return refuted(run, most, seed);
}

TEST(PublishedAlgorithm3Audit, RefutesTheClaimAboutTheClassesOwnMean) {
  const auto [first, second] = flipped(50, 1);
  // The truth is 3.63.
  EXPECT_GT(auditAlgorithm3({{first}, {second}}, 1, 3.63, 500), 2);
}

TEST(PublishedAlgorithm3Audit, RefutesTheClaimIfALabelChanges) {
  // All rows are equal: only the size of the noise reveals which class has one row more.
  const MatrixXd two = MatrixXd::Zero(2, 3), three = MatrixXd::Zero(3, 3);
  EXPECT_GT(auditAlgorithm3({{three, two}, {two, three}}, 0.25, 8, 600), 0.5);
}

TEST(PublishedAlgorithm3Audit, RefutesNothingIfTheNoiseIsSufficient) {
  // Four directions, fixed classes: a row changes its covariance by no more than the claim.
  MatrixXd first = MatrixXd::Constant(50, 4, -0.5), second = first;
  first.row(0) *= -1;
  const double found = auditAlgorithm3({{first}, {second}}, 2, 2, 700);
  EXPECT_LE(found, 2);
  EXPECT_GT(found, 0.3);  // twenty small noises hide what one large one would show
}

// One row and its label through a registered identity query: the row's columns, then a class label
// or a numeric label.
double auditIdentity(const char* name, SynthesisParams params, const SynthesisData& first,
                     const SynthesisData& second, double moves, std::uint64_t seed) {
  const PublishedSynthesizer& query = *findSynthesizer(name);
  const double epsilon = params.epsilon;
  const bool classes = params.label == LabelKind::kClass;
  const double of_rows = classes ? (1 - params.label_share) * epsilon : epsilon;
  const double of_labels = classes ? params.label_share * epsilon : 0;
  const double scale = movesWithLabel(moves, params) / of_rows;
  const auto run = [&](bool other, Drbg& random) {
    const PublishedSynthesis out = query.run(other ? second : first, params, random);
    const auto distance = [&](const SynthesisData& data) {
      const VectorXd z = (data.secret.rows.row(0) * out.projection).transpose();
      double sum = (out.drawn.rows.row(0).transpose() - z).cwiseAbs().sum() / scale;
      if (params.label == LabelKind::kNumber) {
        sum += std::fabs(out.drawn.labels[0] - data.secret.labels[0]) / scale;
      } else if (classes && out.drawn.labels[0] != data.secret.labels[0]) {
        sum += of_labels;
      }
      return sum;
    };
    return distance(second) - distance(first);
  };
  return refuted(run, epsilon, seed);
}

TEST(IdentityQueryAudit, StaysBelowTheClaimAndComesNear) {
  // Public rows whose directions are the axes; a row and its label from one corner to the other.
  SynthesisData first;
  first.open.rows = (MatrixXd(4, 2) << 0.9, 0, 0, 0.5, -0.9, 0, 0, -0.5).finished();
  first.open.labels = (VectorXd(4) << 1, 1, 0, 0).finished();
  first.secret.rows = MatrixXd::Zero(2, 2);
  first.secret.rows.row(0).setOnes();
  first.secret.labels = VectorXd::Ones(2);
  SynthesisData second = first;
  second.secret.rows.row(0) *= -1;
  // A projection under which that corner is farthest away.
  SynthesisParams params{2};
  while (std::fabs(bernoulliProjection(2, 2, params.public_seed).colwise().sum().cwiseAbs().sum() -
                   projectedMoves(bernoulliProjection(2, 2, params.public_seed)) / 2) > 1e-9) {
    ++params.public_seed;
  }
  const double moves = projectedMoves(bernoulliProjection(2, 2, params.public_seed));
  for (const LabelKind label : {LabelKind::kNumber, LabelKind::kClass}) {
    params.label = label;
    params.classes = label == LabelKind::kClass ? 2 : 0;
    params.components = 2;
    second.secret.labels[0] = label == LabelKind::kClass ? 0 : -1;
    const double pca = auditIdentity("jiang-pca", params, first, second, 2 * std::sqrt(2.0), 800);
    EXPECT_LE(pca, 2) << int(label);
    EXPECT_GT(pca, 1.2) << int(label);
    const double li =
        auditIdentity("li-bernoulli", params, first, second, moves / std::sqrt(2.0), 900);
    EXPECT_LE(li, 2) << int(label);
    EXPECT_GT(li, 1.2) << int(label);
    if (label == LabelKind::kNumber) continue;
    EXPECT_LE(auditIdentity("jiang-lda", params, first, second, 2, 1000), 2);
  }
}

// Moments conditional on the means released before them, and on counts.
double auditModips(const LabelledRows& first, const LabelledRows& second, SynthesisParams params,
                   std::uint64_t seed) {
  const bool classes = params.label == LabelKind::kClass;
  const double n = double(first.rows.rows());
  const ModipsScales scales = modipsScales(1, first.rows.rows(), params);
  const auto run = [&](bool other, Drbg& random) {
    const ModipsRelease out = modipsRelease(other ? second : first, params, random);
    const auto logDensity = [&](const LabelledRows& data) {
      double sum = 0;
      for (std::size_t c = 0; c < out.counts.size(); ++c) {
        double count = 0, total = 0, scatter = 0;
        for (int i = 0; i < int(n); ++i) {
          if (classes && data.labels[i] != double(c)) continue;
          const double x = data.rows(i, 0);
          const double w = std::clamp(x - out.means[c][0], -1.0, 1.0);
          count += 1, total += x, scatter += w * w;
        }
        if (classes) {
          sum -= std::fabs(out.counts[c] - count) / scales.counts;
          sum -= std::fabs(out.counts[c] * out.means[c][0] - total) / scales.means;
          sum -= std::fabs(out.moments[c](0, 0) - scatter) / scales.moments;
        } else {
          sum -= std::fabs(out.means[c][0] - total / n) / scales.means;
          sum -= std::fabs(out.moments[c](0, 0) - scatter / n) / scales.moments;
        }
      }
      return sum;
    };
    return logDensity(first) - logDensity(second);
  };
  return refuted(run, params.epsilon, seed, draws(4'000));
}

TEST(ModipsAudit, StaysBelowTheClaimAndComesNear) {
  // Half of the rows at each end, so that means are near 0 and are not clipped; one moves to the
  // middle, or from one class to the other end of another.
  LabelledRows first{MatrixXd(200, 1), VectorXd(200)};
  for (int i = 0; i < 200; ++i) {
    first.rows(i, 0) = i % 2 == 0 ? 1 : -1;
    first.labels[i] = i % 4 < 2 ? 0 : 1;
  }
  LabelledRows second = first;
  second.rows(0, 0) = 0;
  const double plain = auditModips(first, second, {2}, 1100);
  EXPECT_LE(plain, 2);
  EXPECT_GT(plain, 1);
  second.rows(0, 0) = -1;
  second.labels[0] = 1;
  SynthesisParams params{2};
  params.label = LabelKind::kClass;
  params.classes = 2;
  const double classes = auditModips(first, second, params, 1200);
  EXPECT_LE(classes, 2);
  EXPECT_GT(classes, 1);
}

// The logarithm of the ratio of two centred normal densities, over the rows of a sketch.
double auditSketch(double w_squared, int r, double delta, std::uint64_t seed) {
  // Rows (1, x), B^2 = 2: from (1, 1) to (1, -1).
  const MatrixXd first = (MatrixXd(2, 2) << 1, 1, 1, 1).finished();
  const MatrixXd second = (MatrixXd(2, 2) << 1, -1, -1, 1).finished();
  const MatrixXd noise = w_squared * MatrixXd::Identity(2, 2);
  const MatrixXd difference = ((second + noise).inverse() - (first + noise).inverse()) / 2;
  std::vector<double> scores[2];
  Drbg random(unsafeTestSeed(seed));
  for (const bool other : {false, true}) {
    for (std::uint64_t i = 0; i < draws(20'000); ++i) {
      MatrixXd normals(r, 2);
      for (double& entry : normals.reshaped()) entry = standardNormal(random);
      const MatrixXd h = sketchOf(other ? second : first, w_squared, normals);
      scores[other].push_back((h * difference).cwiseProduct(h).sum());
    }
  }
  std::vector<double> thresholds;
  for (int i = 0; i < 13; ++i) thresholds.push_back(-3 + 0.5 * i);
  return epsilonRefuted(scores[0], scores[1], thresholds, delta, kAlarm / (4 * 13));
}

TEST(BlockiAudit, StaysBelowTheClaimAndFindsNoiseThatIsTooSmall) {
  const double epsilon = 1, delta = 0.01;
  const int r = 10;
  const double enough = 2 * sketchNoiseSquared(r, epsilon, delta);
  EXPECT_LE(auditSketch(enough, r, delta, 1300), epsilon);
  EXPECT_GT(auditSketch(enough / 10, r, delta, 1400), epsilon);
}

}  // namespace published_synthesis_audit_test
}  // namespace pm
