// The gain from a radius that a release chooses itself. Columns have bounds of ten standard
// deviations about the mean, so that only the length to which rows are clipped matters:
// * clip-right: longer than 95 % of the rows, which is what someone who had seen them would choose;
// * clip-wide, clip-narrow: four times that, and a quarter of it;
// * clip-adaptive: chosen by the release, for a row norm of four times the right one.
// One site, delta 1e-6, replace-one. Error: |Ĉ - C|_F / |C|_F in units of the columns' standard
// deviations.
//
// usage: adaptive_clipping <folder of sets> <folder for results> [quick]
// Writes adaptive-clipping.csv.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/mechanisms/registry.hpp"
#include "experiments/ours/real_rows.hpp"
#include "experiments/ours/releases.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"

namespace {

using experiments::Moments;
using experiments::ResultsFile;
using ours::Index;
using ours::MatrixXd;
using ours::RealSet;

/// Bounds in standard deviations, and a row norm of this many right ones.
constexpr double kReach = 10;
constexpr double kTooFar = 4;

/// Columns less their mean, in units of their spread. Constant ones are left out.
MatrixXd standardised(const MatrixXd& cells) {
  std::vector<Index> varying;
  const MatrixXd centred = cells.rowwise() - cells.colwise().mean();
  const Eigen::RowVectorXd sd = centred.colwise().norm() / std::sqrt(double(cells.rows()));
  for (Index j = 0; j < cells.cols(); ++j) {
    if (sd[j] > 0) varying.push_back(j);
  }
  const MatrixXd kept = centred(Eigen::all, varying);
  return kept.array().rowwise() / sd(varying).array();
}

double quantile(Eigen::VectorXd values, double share) {
  const auto at = Index(share * double(values.size() - 1));
  std::nth_element(values.data(), values.data() + at, values.data() + values.size());
  return values[at];
}

void measure(const RealSet& set, bool quick, ResultsFile& file) {
  const MatrixXd rows = standardised(set.cells);
  const MatrixXd truth = rows.transpose() * rows / (kReach * kReach * double(rows.rows()));
  const double right = quantile(rows.rowwise().norm(), 0.95) / kReach;
  const auto columns = ours::columnsWithin(rows.cols(), kReach);
  for (const double epsilon : {0.1, 0.3, 1.0, 3.0, 10.0}) {
    for (const auto& [name, times] :
         {std::pair{"clip-right", 1.0}, std::pair{"clip-wide", kTooFar},
          std::pair{"clip-narrow", 1 / kTooFar}, std::pair{"clip-adaptive", kTooFar}}) {
      pm::MechanismParams params = experiments::rowParams(epsilon, 1e-6, int(rows.cols()));
      params.row_norm = times * right;
      if (name == std::string("clip-adaptive")) params.clipping = pm::Clipping::kAdaptive;
      const pm::Plan plan = pm::findMechanism("gaussian")->plan(params).value();
      const pm::IntakePart sums = ours::sumsOf(plan, columns, rows, 0, 1);
      experiments::repeatEntropy(7);
      Moments errors;
      const int repetitions = quick ? 4 : 40;
      for (int i = 0; i < repetitions; ++i) {
        const pm::ScaledMoments moments = ours::independentSum(plan, columns, std::span(&sums, 1));
        errors.add((moments.scaled_covariance - truth).norm() / truth.norm());
      }
      file.line(set.name, std::size_t(rows.rows()), int(rows.cols()), name, epsilon, errors,
                repetitions);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr,
                 "usage: adaptive_clipping <folder of sets> <folder for results> [quick]\n");
    return 2;
  }
  ResultsFile file(std::filesystem::path(arguments[2]) / "adaptive-clipping.csv",
                   {"set", "rows", "features", "method", "epsilon", "error", "error_low",
                    "error_high", "repetitions"});
  for (const RealSet& set : ours::setsFrom(
           arguments[1], {"mmreg", "diabetes", "wine", "breast_cancer", "digits", "adult"})) {
    measure(set, count > 3, file);
  }
  return 0;
}
