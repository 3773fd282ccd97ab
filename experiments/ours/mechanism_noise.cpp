// The error of mechanisms without delta and of `gaussian`, and the shapes of Gaussian noise, under
// replace-one. Rows are known to lie within their ranges and are about their exact mean, with
// length at most 1. Error: |Ĉ - C|_F / |C|_F of the plain release.
//
// usage: mechanism_noise <folder of sets> <folder for results> [quick]
// Writes pure-epsilon.csv, pure-dimension.csv and noise-shape.csv.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/research/comparison/comparison.hpp"
#include "experiments/ours/real_rows.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"

namespace {

using experiments::MeanRatio;
using experiments::Moments;
using experiments::ResultsFile;
using ours::Index;
using ours::MatrixXd;
using ours::RealSet;

constexpr double kDelta = 1e-6;
constexpr const char* kPublished = "laplace-published";

pm::MechanismParams paramsFor(Index features, double epsilon, pm::Neighbours neighbours) {
  pm::MechanismParams params = experiments::rowParams(epsilon, kDelta, int(features));
  params.neighbours = neighbours;
  return params;
}

/// Runs of a study's mechanism, or of the published Laplace mechanism.
pm::EstimateRun runsOf(const std::string& name, const pm::MechanismParams& params,
                       const pm::ComparedRows& rows) {
  if (name == kPublished) {
    const pm::PublishedParams published{params.epsilon, 0, params.neighbours, rows.rows};
    return pm::publishedRuns(*pm::findPublished("laplace-2d"), published, rows).value();
  }
  return pm::studyRuns(pm::findMechanism(name)->plan(params).value(), rows).value();
}

/// |Ĉ - C|_F / |C|_F of repetitions.
Moments errorsOf(const pm::EstimateRun& run, const pm::ComparedRows& rows, int repetitions,
                 std::uint64_t seed) {
  Moments errors;
  pm::Drbg random = experiments::seeded(seed);
  for (int i = 0; i < repetitions; ++i) {
    errors.add((run(random).scatter - rows.scatter).norm() / rows.scatter.norm());
  }
  return errors;
}

pm::ComparedRows comparedRowsOf(const RealSet& set) {
  return pm::comparedRows(ours::centredCovariance(ours::inRanges(set.cells)),
                          double(set.cells.rows()), 1)
      .value();
}

void againstEpsilon(const std::vector<RealSet>& sets, const std::filesystem::path& out,
                    bool quick) {
  ResultsFile file(out / "pure-epsilon.csv", {"set", "rows", "features", "method", "epsilon",
                                              "error", "error_low", "error_high", "repetitions"});
  std::uint64_t seed = 1;
  for (const RealSet& set : sets) {
    const pm::ComparedRows rows = comparedRowsOf(set);
    const Index d = set.cells.cols();
    const int repetitions = quick ? 3 : d > 50 ? 20 : 60;
    for (const std::string method :
         {"two-sided-wishart", "frobenius", "laplace", kPublished, "gaussian"}) {
      for (const double epsilon : {0.1, 0.3, 1.0, 3.0, 10.0}) {
        const auto params = paramsFor(d, epsilon, pm::Neighbours::kReplaceOne);
        file.line(set.name, std::size_t(set.cells.rows()), int(d), method, epsilon,
                  errorsOf(runsOf(method, params, rows), rows, repetitions, ++seed), repetitions);
      }
    }
  }
}

/// Noise does not depend on the rows, so these are simulated.
void againstDimension(const std::filesystem::path& out, bool quick) {
  ResultsFile file(out / "pure-dimension.csv", {"neighbours", "features", "method", "ratio",
                                                "ratio_low", "ratio_high", "repetitions"});
  std::uint64_t seed = 1000;
  for (const auto& [name, neighbours] : {std::pair{"replace-one", pm::Neighbours::kReplaceOne},
                                         std::pair{"add-remove", pm::Neighbours::kAddRemove}}) {
    for (const int d : {2, 3, 4, 5, 6, 8, 12, 20, 40, 80}) {
      const MatrixXd identity = MatrixXd::Identity(d, d) / d;
      const pm::ComparedRows rows = pm::comparedRows(identity, 1000, 1).value();
      const int repetitions = quick ? 20 : d > 10 ? 100 : 2000;
      const auto params = paramsFor(d, 1, neighbours);
      const auto measured = [&](const std::string& method) {
        return errorsOf(runsOf(method, params, rows), rows, repetitions, ++seed);
      };
      const Moments reference = measured("two-sided-wishart");
      file.line(name, d, "two-sided-wishart", 1.0, 1.0, 1.0, repetitions);
      for (const std::string method : {"frobenius", "laplace", kPublished, "gaussian"}) {
        // The paper has it for replace-one.
        if (method == kPublished && neighbours == pm::Neighbours::kAddRemove) continue;
        const MeanRatio ratio(measured(method), reference);
        file.line(name, d, method, ratio, repetitions);
      }
    }
  }
}

/// Root mean square error of the upper triangle's shape over that of the rotation-invariant one.
void shapes(const std::vector<RealSet>& sets, const std::filesystem::path& out, bool quick) {
  ResultsFile file(out / "noise-shape.csv", {"set", "features", "method", "ratio", "ratio_low",
                                             "ratio_high", "repetitions"});
  const auto squares = [](const pm::EstimateRun& run, const pm::ComparedRows& rows, int repetitions,
                          std::uint64_t seed) {
    Moments result;
    pm::Drbg random = experiments::seeded(seed);
    for (int i = 0; i < repetitions; ++i) {
      result.add((run(random).scatter - rows.scatter).squaredNorm());
    }
    return result;
  };
  std::uint64_t seed = 5000;
  const auto measure = [&](const std::string& name, const pm::ComparedRows& rows) {
    const Index d = rows.scatter.rows();
    auto params = paramsFor(d, 1, pm::Neighbours::kReplaceOne);
    const int repetitions = quick ? 50 : d > 50 ? 100 : 2000;
    const auto run = [&]() { return runsOf("gaussian", params, rows); };
    const Moments invariant = squares(run(), rows, repetitions, ++seed);
    params.options.set(pm::kShape, pm::GaussianShape::kUpperTriangle);
    const MeanRatio ratio(squares(run(), rows, repetitions, ++seed), invariant);
    file.line(name, int(d), "gaussian-upper", std::sqrt(ratio.mean), std::sqrt(ratio.low),
              std::sqrt(ratio.high), repetitions);
    const double theory = std::sqrt(2.0 * double(d) / double(d + 1));
    file.line(name, int(d), "theory", theory, theory, theory, 1);
  };
  for (const int d : {2, 4}) {
    const MatrixXd identity = MatrixXd::Identity(d, d) / d;
    measure("simulated", pm::comparedRows(identity, 1000, 1).value());
  }
  // By their number of columns, so that the formula is a curve.
  std::vector<const RealSet*> sorted;
  for (const RealSet& set : sets) sorted.push_back(&set);
  std::sort(sorted.begin(), sorted.end(),
            [](const RealSet* a, const RealSet* b) { return a->cells.cols() < b->cells.cols(); });
  for (const RealSet* set : sorted) measure(set->name, comparedRowsOf(*set));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: mechanism_noise <folder of sets> <folder for results> [quick]\n");
    return 2;
  }
  const bool quick = count > 3;
  const std::filesystem::path out = arguments[2];
  const std::vector<RealSet> sets = ours::setsFrom(
      arguments[1], {"mmreg", "diabetes", "wine", "breast_cancer", "digits", "adult"});
  againstEpsilon(sets, out, quick);
  againstDimension(out, quick);
  shapes(sets, out, quick);
  return 0;
}
