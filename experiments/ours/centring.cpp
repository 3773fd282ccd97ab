// What private centring brings: the error of the covariance, |S^-1 (C' - C) S^-1|_F over
// |S^-1 C S^-1|_F with S the standard deviations of the columns, with it and without (adaptive
// clipping; without delta a fixed norm). Each table is released with careful bounds, with an
// expert's (mean -+ 3 standard deviations), and with bounds three times as wide as the careful
// ones, by one site or as the sum of several. Errors are medians of studies, as few of them are
// very large; the interval is that between two order statistics.
//
// usage: centring <folder for results> [quick]
// Writes centring.csv. Tables: experiments/real_tables.mjs.
#include "core/mechanisms/centring.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "experiments/covariance_error.hpp"
#include "experiments/support/centred_sum.hpp"
#include "experiments/support/results.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using experiments::ResultsFile;

constexpr double kDelta = 1e-6;
/// Sets with more features take minutes and say the same.
constexpr int kMostFeatures = 100;

enum class Bounds { kTable, kExpert, kWide };

std::vector<pm::Column> columnsWith(const Table& table, Bounds bounds) {
  std::vector<pm::Column> columns = table.columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    pm::Column& column = columns[c];
    if (column.kind != pm::Column::Kind::kNumber || bounds == Bounds::kTable) continue;
    double middle = (column.min + column.max) / 2, reach = 1.5 * (column.max - column.min);
    if (bounds == Bounds::kExpert) {
      const auto cells = table.cells.row(Index(c)).array();
      middle = cells.mean();
      reach = std::max(1e-9, 3 * std::sqrt((cells - middle).square().mean()));
    }
    column.min = middle - reach;
    column.max = middle + reach;
  }
  return columns;
}

/// Covariance of features in the units of the sums.
MatrixXd covarianceOf(const Table& table, const pm::AssembledSums& assembled, double constant) {
  pm::MomentSums sums;
  sums.packed = assembled.packed;
  sums.dimension = table.features;
  sums.constant = constant;
  sums.rows = double(*assembled.rows);
  return pm::scaledMoments(sums).scaled_covariance;
}

/// Releases rows about the middle of their bounds, and returns the level of the clip radius.
int addRelease(pm::Assembly& assembly, const pm::Plan& plan, const std::vector<pm::Column>& columns,
               std::span<const double> rows) {
  pm::IntakeTerms terms{};
  terms.columns = columns;
  terms.row_norm = plan.params.row_norm;
  terms.missing = pm::MissingRule::kCentre;
  terms.neighbours = plan.params.neighbours;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  terms.constant = plan.params.constant;
  terms.adaptive = plan.params.clipping == pm::Clipping::kAdaptive;
  pm::Intake intake = pm::Intake::create(std::move(terms)).value();
  if (intake.add(rows)) std::abort();
  const pm::Released released = pm::release(plan, intake, &fillFromSeed).value();
  if (assembly.add(released.values, released.clip_level, released.rows)) std::abort();
  return released.clip_level;
}

class Study {
 public:
  Study(const Table& table, Bounds bounds, int sites)
      : table_(table), columns_(columnsWith(table, bounds)), truth_(table, columns_) {
    // Rows go to the sites in turn, so that all sites have rows of all kinds.
    const Index width = table.cells.rows();
    rows_.resize(std::size_t(sites));
    for (Index i = 0; i < table.cells.cols(); ++i) {
      std::vector<double>& rows = rows_[std::size_t(i % sites)];
      rows.insert(rows.end(), table.cells.data() + i * width, table.cells.data() + (i + 1) * width);
    }
  }

  double errorOf(const MatrixXd& covariance) const { return truth_.errorOf(covariance); }

  pm::MechanismParams params(double epsilon, double delta) const {
    pm::MechanismParams p{};
    p.epsilon = epsilon;
    p.delta = delta;
    p.neighbours = pm::Neighbours::kReplaceOne;
    p.unit = pm::Unit::kRow;
    p.dimension = table_.features;
    p.row_norm = std::sqrt(double(columns_.size()));
    p.sites = int(rows_.size());
    return p;
  }

  pm::Plan centredPlan(double epsilon, double delta) const {
    pm::MechanismParams p = params(epsilon, delta);
    p.clipping = pm::Clipping::kCentred;
    for (const pm::Column& column : columns_) {
      (column.kind == pm::Column::Kind::kNumber ? p.numbers : p.categories) += 1;
    }
    return pm::planCentring(mechanismFor(delta), p).value();
  }

  double uncentred(double epsilon, double delta) const {
    pm::MechanismParams p = params(epsilon, delta);
    if (delta > 0) p.clipping = pm::Clipping::kAdaptive;
    const pm::Plan plan = mechanismFor(delta).plan(p).value();
    pm::Assembly assembly = pm::Assembly::create(table_.features).value();
    int shortest = 0;
    for (const std::vector<double>& rows : rows_) {
      shortest = std::max(shortest, addRelease(assembly, plan, columns_, rows));
    }
    std::vector<pm::ReleaseScale> scales;
    for (int level = 0; level <= shortest; ++level) {
      scales.push_back(pm::releaseScale(plan, pm::clipRadius(p.row_norm, level)));
    }
    const double constant = scales[0].constant;
    return errorOf(covarianceOf(table_, assembly.sum(scales, constant).value(), constant));
  }

  double centred(double epsilon, double delta) const {
    const pm::Plan plan = centredPlan(epsilon, delta);
    const pm::CentredSums sums = centredSum(
        plan, columns_, rows_.size(), [&](std::size_t site) -> const auto& { return rows_[site]; });
    const Eigen::Map<const VectorXd> units(sums.units.data(), table_.features);
    return errorOf(units.asDiagonal() * covarianceOf(table_, sums, 1) * units.asDiagonal());
  }

 private:
  const Table& table_;
  std::vector<pm::Column> columns_;
  std::vector<std::vector<double>> rows_;  // of each site
  TrueCovariance truth_;
};

constexpr std::pair<Bounds, const char*> kBounds[] = {
    {Bounds::kExpert, "expert"}, {Bounds::kTable, "careful"}, {Bounds::kWide, "wide"}};

/// A site with fewer rows makes no release here.
constexpr Index kFewestRows = 5;

/// Small sets take more studies: they cost little, and their errors vary most.
int studiesOf(const Table& table, int sites) {
  const Index cells = table.cells.size();
  if (cells < 10'000) return sites == 1 ? 51 : 15;
  return cells < 100'000 ? (sites == 1 ? 21 : 9) : 7;
}

struct Median {
  double middle, low, high;

  /// 95 %: the number of errors below the true median is binomial.
  explicit Median(std::vector<double> errors) {
    std::sort(errors.begin(), errors.end());
    const auto n = double(errors.size());
    const auto from = std::size_t(std::max(0.0, std::floor((n - 1.96 * std::sqrt(n)) / 2)));
    middle = errors[errors.size() / 2];
    low = errors[from];
    high = errors[errors.size() - 1 - from];
  }
};

void measure(const Table& table, int sites, bool quick, ResultsFile& file) {
  const int studies = quick ? 3 : studiesOf(table, sites);
  for (const auto& [bounds, name] : kBounds) {
    const Study study(table, bounds, sites);
    for (const double delta : {kDelta, 0.0}) {
      for (const double epsilon : {0.3, 1.0, 3.0, 10.0}) {
        for (const bool centred : {false, true}) {
          std::vector<double> errors;
          for (int i = 0; i < studies; ++i) {
            errors.push_back(centred ? study.centred(epsilon, delta)
                                     : study.uncentred(epsilon, delta));
          }
          const Median median(errors);
          file.line(table.name, int(table.cells.cols()), table.features, name, sites,
                    delta > 0 ? "gaussian" : "two-sided-wishart",
                    std::string(centred ? "centred-" : "uncentred-") + name, epsilon, median.middle,
                    median.low, median.high, studies);
        }
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: centring <folder for results> [quick]\n");
    return 2;
  }
  const bool quick = count > 2;
  std::vector<Table> tables = realTables();
  tables.insert(tables.begin(), farFromCentre());
  ResultsFile file(std::filesystem::path(arguments[1]) / "centring.csv",
                   {"set", "rows", "features", "bounds", "sites", "mechanism", "method", "epsilon",
                    "error", "error_low", "error_high", "repetitions"});
  for (const Table& table : tables) {
    if (table.features > kMostFeatures || (quick && table.cells.size() > 5'000)) continue;
    for (const int sites : {1, 5, 20}) {
      if (table.cells.cols() >= sites * kFewestRows) measure(table, sites, quick, file);
    }
  }
  return 0;
}
