// CCA with rotation-invariant Gaussian noise (replace-one, delta 1e-5) on two data sets of
// experiments/cca_data.mjs, 20 runs. For each epsilon and estimator it prints the sum of true
// canonical correlations between the subspaces that the weights span, and the mean error of the
// correlations. Rows are centred and divided by the largest length, so that the noise is that of
// Imtiaz & Sarwate's experiments. Exits with 1 if this library is worse than both other estimators.
//
// usage: cca_table <folder>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/gaussian.hpp"
#include "experiments/two_views.hpp"

namespace {

using two_views::blockOf;
using two_views::captured;
using two_views::Data;
using two_views::Estimate;
using two_views::Matrix;
using two_views::ours;
using two_views::scaledCovariance;
using two_views::Vector;
using two_views::whitened;

constexpr int kRuns = 20;
constexpr double kDelta = 1e-5;
constexpr std::array kEpsilons{0.1, 0.3, 1.0, 3.0};

Data digits(const std::filesystem::path& file) {
  const Matrix scores = two_views::digitScores(file);
  return {"digits, upper and lower halves", scaledCovariance(scores), two_views::kDigitComponents,
          double(scores.rows()), 10};
}

/// Three psychological variables and five on school results, standardised; every student 20 times.
Data students(const std::filesystem::path& file) {
  constexpr int kColumns = 8;
  constexpr int kRepeats = 20;
  std::ifstream in(file);
  const std::vector<double> numbers((std::istream_iterator<double>(in)), {});
  const auto n = static_cast<Eigen::Index>(numbers.size()) / kColumns;
  Matrix rows(n, kColumns);
  for (Eigen::Index i = 0; i < n * kColumns; ++i) {
    rows(i / kColumns, i % kColumns) = numbers[static_cast<std::size_t>(i)];
  }
  rows.rowwise() -= rows.colwise().mean().eval();
  rows.array().rowwise() /= rows.array().square().colwise().mean().sqrt().eval();
  return {"students", scaledCovariance(rows), 3, double(n) * kRepeats, 3};
}

/// The textbook's inverse square root, with the absolute value of an eigenvalue that noise made
/// negative.
Matrix rawWhitener(const Matrix& block) {
  const pm::Spectrum decomposed = pm::spectrum(block);
  return decomposed.vectors * decomposed.values.cwiseAbs().cwiseSqrt().cwiseInverse().asDiagonal();
}

using Estimator = Estimate (*)(const Data&, const Matrix& noisy, const pm::NoiseLaw&);

Estimate raw(const Data& data, const Matrix& noisy, const pm::NoiseLaw&) {
  return whitened(data, noisy, rawWhitener(blockOf(data, noisy, 0, 0)),
                  rawWhitener(blockOf(data, noisy, 1, 1)));
}

Estimate floored(const Data& data, const Matrix& noisy, const pm::NoiseLaw& law) {
  const double edge = pm::spectralEdge(law, int(noisy.rows()));
  Estimate result = whitened(data, noisy, pm::flooredWhitener(blockOf(data, noisy, 0, 0), edge),
                             pm::flooredWhitener(blockOf(data, noisy, 1, 1), edge));
  result.correlations = result.correlations.cwiseMin(1.0);
  return result;
}

Estimate ridged(const Data& data, const Matrix& noisy, const pm::NoiseLaw& law) {
  const double edge = pm::spectralEdge(law, int(noisy.rows()));
  const Matrix clean = pm::projectTrace(noisy, 1).value();
  return whitened(data, clean, pm::ridgedWhitener(blockOf(data, clean, 0, 0), edge),
                  pm::ridgedWhitener(blockOf(data, clean, 1, 1), edge));
}

struct Named {
  const char* name;
  Estimator estimate;
};

constexpr std::array<Named, 4> kEstimators{{{"raw whitening", raw},
                                            {"floor at the edge", floored},
                                            {"projection + ridge", ridged},
                                            {"this library", ours}}};

struct Score {
  double captured = 0;
  double captured_squares = 0;
  double error = 0;
  double error_squares = 0;
  double above = 0;
};

/// Standard error of a mean over all runs.
double standardError(double sum, double squares) {
  const double mean = sum / kRuns;
  return std::sqrt(std::max(0.0, squares / kRuns - mean * mean) / (kRuns - 1));
}

pm::Drbg seeded(std::uint8_t number) {
  pm::Seed seed{};
  seed[0] = number;
  return pm::Drbg(seed);
}

/// Prints the table of one data set. Returns false if this library is worse than both others.
bool run(const Data& data) {
  const Matrix& c = data.covariance;
  const Vector truth = two_views::truthOf(data);
  std::printf("%s: %.0f rows, %d + %d columns, %d pairs; without privacy: %.3f\n",
              data.name.c_str(), data.rows, data.dx, int(c.rows()) - data.dx, data.components,
              truth.sum());
  std::printf("%-8s", "epsilon");
  for (const Named& estimator : kEstimators) std::printf("%21s", estimator.name);
  std::printf("   its pairs above the floor\n");

  bool good = true;
  for (const double epsilon : kEpsilons) {
    // Off-diagonal entries have 1 / sqrt 2 of sqrt 2 / mu.
    const double sd = 1 / (pm::gdpOfEpsilonDelta(epsilon, kDelta) * data.rows);
    const pm::NoiseLaw law{std::numbers::sqrt2 * sd, sd};
    const pm::NoiseDraw noise(pm::SumNoise::everywhere(law), int(c.rows()));
    pm::Drbg random = seeded(1);
    std::array<Score, kEstimators.size()> scores;
    for (int round = 0; round < kRuns; ++round) {
      const Matrix noisy = c + noise.draw(random).bottomRightCorner(c.rows(), c.cols());
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const Estimate estimate = kEstimators[i].estimate(data, noisy, law);
        const double sum = captured(data, estimate);
        const double error = (estimate.correlations - truth).cwiseAbs().mean();
        scores[i].captured += sum;
        scores[i].captured_squares += sum * sum;
        scores[i].error += error;
        scores[i].error_squares += error * error;
        scores[i].above += estimate.above;
      }
    }
    std::printf("%-8g", epsilon);
    for (const Score& score : scores) {
      std::printf("       %6.3f / %5.3f", score.captured / kRuns, score.error / kRuns);
    }
    std::printf("   %.1f\n", scores.back().above / kRuns);

    // Two standard errors of our own score; for correlations at least 0.01.
    const Score& mine = scores.back();
    const double most = std::max(scores[1].captured, scores[2].captured);
    const double least = std::min(scores[1].error, scores[2].error);
    const double of_captured = 2 * standardError(mine.captured, mine.captured_squares);
    const double of_error = std::max(0.01, 2 * standardError(mine.error, mine.error_squares));
    const bool subspaces = mine.captured / kRuns >= most / kRuns - of_captured;
    const bool correlations = mine.error / kRuns <= least / kRuns + of_error;
    if (!subspaces) std::printf("MISSED: captured at epsilon %g\n", epsilon);
    if (!correlations) std::printf("MISSED: correlations at epsilon %g\n", epsilon);
    good = good && subspaces && correlations;
  }
  std::printf("\n");
  return good;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const std::filesystem::path folder = arguments[1];
  bool good = true;
  struct Source {
    const char* file;
    Data (*load)(const std::filesystem::path&);
  };
  for (const auto& [file, load] : {Source{"mnist.bin", digits}, Source{"mmreg.txt", students}}) {
    if (std::filesystem::exists(folder / file)) {
      good = run(load(folder / file)) && good;
    } else {
      std::printf("skipped: %s is not there\n", file);
    }
  }
  return good ? 0 : 1;
}
