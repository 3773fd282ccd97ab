// The sum of S sites behind uniform masks, compared with one trusted holder of all rows and with
// sites that each add all noise: errors of the covariance, |Ĉ - C|_F / |C|_F with columns in units
// of their range, and of the canonical correlations of two views, at epsilon 10 under replace-one.
// All on the library's own path: integers behind masks modulo 2^64, which cancel. Every masked sum
// is also computed without masks, from the same noise, and compared word by word.
//
// usage: split_pooled <folder of sets> <folder for results> [quick]
// Writes split-pooled.csv.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/registry.hpp"
#include "experiments/ours/real_rows.hpp"
#include "experiments/ours/releases.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"
#include "experiments/support/two_views.hpp"

namespace {

using experiments::MeanRatio;
using experiments::Moments;
using experiments::ResultsFile;
using ours::Index;
using ours::MatrixXd;
using ours::RealSet;

/// At this epsilon correlations can be seen on small sets, too; ratios of errors of the covariance
/// do not depend on it.
constexpr double kEpsilon = 10;
constexpr double kDelta = 1e-6;

struct Way {
  const char* name;
  pm::Federation mode;
  int (*honest)(int sites);
  bool pooled = false;
};

constexpr Way kWays[] = {
    {"pooled", pm::Federation::kIndependent, [](int) { return 1; }, true},
    {"split-honest", pm::Federation::kSplit, [](int sites) { return sites; }},
    {"split", pm::Federation::kSplit, experiments::honestOf},
    {"conventional", pm::Federation::kIndependent, [](int) { return 1; }},
};

struct Errors {
  Moments covariance, correlations;
  bool masks_cancel = true;
};

/// A set whose true covariance and correlations are known.
class Study {
 public:
  Study(const RealSet& set, double delta)
      : set_(set), delta_(delta), columns_(ours::columnsInRange(set.cells)) {
    const MatrixXd scaled = ours::inRanges(set.cells);
    longest_ = scaled.rowwise().norm().maxCoeff();
    const MatrixXd centred = scaled.rowwise() - scaled.colwise().mean();
    truth_ = centred.transpose() * centred / double(scaled.rows());
    views_.name = set.name;
    views_.rows = centred / longest_;
    views_.dx = int(set.cells.cols() / 2);
    views_.pairs = views_.directions = int(std::min<Index>(3, set.cells.cols() / 2));
    const auto exact = two_views::readAware(views_, truth_ / (longest_ * longest_), {});
    correlations_ = exact.correlations;
  }

  Errors measure(const Way& way, int sites, int repetitions) const {
    const int releases = way.pooled ? 1 : sites;
    pm::MechanismParams params = experiments::rowParams(kEpsilon, delta_, int(set_.cells.cols()));
    params.row_norm = longest_;
    params.sites = releases;
    params.sharing.mode = way.mode;
    params.sharing.honest = way.honest(sites);
    const pm::Plan plan = pm::planFederated(experiments::mechanismFor(delta_), params).value();
    std::vector<pm::IntakePart> parts;
    for (int site = 0; site < releases; ++site) {
      parts.push_back(ours::sumsOf(plan, columns_, set_.cells, site, releases));
    }
    Errors errors;
    for (int i = 0; i < repetitions; ++i) {
      pm::ScaledMoments moments;
      if (way.mode == pm::Federation::kSplit) {
        const auto seed = std::uint64_t(i);
        const auto words = ours::maskedSum(plan, columns_, parts, seed, true);
        errors.masks_cancel &= words == ours::maskedSum(plan, columns_, parts, seed, false);
        moments = ours::momentsOfSum(plan, words, std::uint64_t(set_.cells.rows()), releases);
      } else {
        experiments::repeatEntropy(std::uint64_t(i) + 1'000'000);
        moments = ours::independentSum(plan, columns_, parts);
      }
      add(moments, errors);
    }
    return errors;
  }

 private:
  void add(const pm::ScaledMoments& moments, Errors& errors) const {
    errors.covariance.add((moments.scaled_covariance - truth_).norm() / truth_.norm());
    const double square = longest_ * longest_;
    pm::NoiseLaw law = moments.covariance_noise;
    law.diagonal /= square;
    law.off_diagonal /= square;
    const auto found = two_views::readAware(views_, moments.scaled_covariance / square, law);
    errors.correlations.add((found.correlations - correlations_).cwiseAbs().mean());
  }

  const RealSet& set_;
  double delta_;
  std::vector<pm::Column> columns_;
  double longest_ = 0;
  MatrixXd truth_;
  two_views::Set views_;
  Eigen::VectorXd correlations_;
};

void measure(const RealSet& set, double delta, bool quick, ResultsFile& file) {
  const Study study(set, delta);
  const int repetitions = quick ? 3 : set.cells.cols() > 50 ? 12 : 60;
  const Errors pooled = study.measure(kWays[0], 1, 4 * repetitions);
  for (const int sites : quick ? std::vector{2, 10} : std::vector{2, 5, 10, 50}) {
    for (const Way& way : kWays) {
      const Errors errors = way.pooled ? pooled : study.measure(way, sites, repetitions);
      const MeanRatio ratio(errors.covariance, pooled.covariance);
      const MeanRatio correlation_ratio(errors.correlations, pooled.correlations);
      file.line(set.name, std::size_t(set.cells.rows()), int(set.cells.cols()),
                experiments::mechanismFor(delta).name, way.name, sites, errors.covariance,
                errors.correlations, ratio, correlation_ratio,
                way.mode != pm::Federation::kSplit ? "no masks"
                : errors.masks_cancel              ? "equal"
                                                   : "not equal",
                errors.covariance.count());
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: split_pooled <folder of sets> <folder for results> [quick]\n");
    return 2;
  }
  ResultsFile file(std::filesystem::path(arguments[2]) / "split-pooled.csv",
                   {"set",
                    "rows",
                    "features",
                    "mechanism",
                    "method",
                    "sites",
                    "error",
                    "error_low",
                    "error_high",
                    "correlation_error",
                    "correlation_error_low",
                    "correlation_error_high",
                    "ratio",
                    "ratio_low",
                    "ratio_high",
                    "correlation_ratio",
                    "correlation_ratio_low",
                    "correlation_ratio_high",
                    "masks",
                    "repetitions"});
  for (const RealSet& set :
       ours::setsFrom(arguments[1], {"mmreg", "wine", "breast_cancer", "adult"})) {
    for (const double delta : {kDelta, 0.0}) measure(set, delta, count > 3, file);
  }
  return 0;
}
