// Canonical correlations of real sets from covariances with rotation-invariant Gaussian noise
// (replace-one, delta 1e-6; rows about their exact mean, the longest of length 1, columns in units
// of their range), by four ways to read the noisy matrix: the true correlation of the first pair
// that is found, relative to the largest, and the error of three correlations, |r* - r|_2 / 3.
// `random` are directions drawn without data, and zero for every correlation.
//
// usage: noise_aware_cca <folder of sets> <folder for results> [quick]
// Writes noise-aware-cca.csv.
#include <Eigen/QR>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "experiments/ours/real_rows.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/two_views.hpp"

namespace {

using experiments::ResultsFile;
using ours::Index;
using ours::MatrixXd;
using ours::RealSet;
using two_views::Estimate;
using two_views::Set;

constexpr double kDelta = 1e-6;
constexpr int kPairs = 3;

/// Columns less their mean that no others determine. One level of each category is left out, as it
/// follows from the other levels.
MatrixXd independentColumns(const MatrixXd& cells, const std::vector<Index>& columns) {
  const MatrixXd view = cells(Eigen::all, columns);
  const MatrixXd centred = view.rowwise() - view.colwise().mean();
  Eigen::ColPivHouseholderQR<MatrixXd> qr(centred.transpose() * centred);
  qr.setThreshold(1e-9);
  std::vector<Index> kept;
  for (Index i = 0; i < qr.rank(); ++i) kept.push_back(qr.colsPermutation().indices()[i]);
  std::sort(kept.begin(), kept.end());
  return centred(Eigen::all, kept);
}

/// A set in two views: numbers and categories, psychology and school, means and standard errors, or
/// the first half of the columns and the rest.
Set viewsOf(const RealSet& set) {
  const Index d = set.cells.cols();
  std::vector<Index> first, second;
  for (Index j = 0; j < d; ++j) {
    const bool goes_first = set.name == "adult"           ? !ours::isIndicator(set.cells, j)
                            : set.name == "mmreg"         ? j < 3
                            : set.name == "breast_cancer" ? j < 10
                                                          : j < d / 2;
    if (set.name == "breast_cancer" && j >= 20) break;
    (goes_first ? first : second).push_back(j);
  }
  const MatrixXd scaled = ours::inRanges(set.cells);
  const MatrixXd x = independentColumns(scaled, first), y = independentColumns(scaled, second);
  Set views{set.name, MatrixXd(x.rows(), x.cols() + y.cols()), int(x.cols()), kPairs, 1, 0};
  views.rows << x, y;
  views.rows /= views.rows.rowwise().norm().maxCoeff();
  return views;
}

/// Directions that know nothing of the data, and zero for every correlation.
Estimate guess(const Set& set, pm::Drbg& random) {
  Estimate estimate = two_views::randomDirections(set, random);
  estimate.correlations = Eigen::VectorXd::Zero(set.pairs);
  return estimate;
}

struct Way {
  const char* name;
  two_views::Reading read;
};

const Way kWays[] = {{"cca-aware", two_views::readAware},
                     {"cca-floor", two_views::readFloored},
                     {"cca-ridge", two_views::readRidged},
                     {"cca-raw", two_views::readPlainly}};

void measure(const RealSet& real, bool quick, ResultsFile& file) {
  const Set set = viewsOf(real);
  const two_views::Judge judge(set);
  const MatrixXd moments = two_views::secondMoments(set, 0, set.rows.rows());
  const int repetitions = quick ? 4 : set.dimension() > 50 ? 20 : 60;
  for (const double epsilon : {0.1, 0.3, 1.0, 3.0, 10.0, 30.0}) {
    const pm::NoiseLaw law = two_views::rotationInvariant(epsilon, kDelta, double(set.rows.rows()));
    pm::Drbg random = experiments::seeded(1);
    two_views::Scores scores[std::size(kWays)], guessed;
    for (int i = 0; i < repetitions; ++i) {
      guessed.add(judge.score(guess(set, random)));
      const MatrixXd noisy = two_views::withNoise(moments, law, random);
      for (std::size_t w = 0; w < std::size(kWays); ++w) {
        scores[w].add(judge.score(kWays[w].read(set, noisy, law)));
      }
    }
    for (std::size_t w = 0; w < std::size(kWays); ++w) {
      file.line(set.name, std::size_t(set.rows.rows()), set.dx, set.dy(), kWays[w].name, epsilon,
                scores[w].captured, scores[w].error, repetitions);
    }
    file.line(set.name, std::size_t(set.rows.rows()), set.dx, set.dy(), "random", epsilon,
              guessed.captured, guessed.error, repetitions);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: noise_aware_cca <folder of sets> <folder for results> [quick]\n");
    return 2;
  }
  ResultsFile file(
      std::filesystem::path(arguments[2]) / "noise-aware-cca.csv",
      {"set", "rows", "first", "second", "method", "epsilon", "captured", "captured_low",
       "captured_high", "error", "error_low", "error_high", "repetitions"});
  for (const RealSet& set :
       ours::setsFrom(arguments[1], {"mmreg", "wine", "breast_cancer", "adult"})) {
    measure(set, count > 3, file);
  }
  return 0;
}
