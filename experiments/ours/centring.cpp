// What private centring brings: the error of the covariance, |S^-1 (C' - C) S^-1|_F over
// |S^-1 C S^-1|_F with S the standard deviations of the columns, with it and without (adaptive
// clipping; without delta a fixed norm). Each table is released with careful bounds, with an
// expert's (mean -+ 3 standard deviations), and with bounds three times as wide as the careful
// ones, by one site or as the sum of several. Errors are medians of studies, as few of them are
// very large; the interval is that between two order statistics.
//
// usage: centring <folder for results> [quick]
// Writes centring.csv. Tables: experiments/real_tables.mjs.
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

#include "experiments/covariance_error.hpp"
#include "experiments/ours/releases.hpp"
#include "experiments/support/centred_sum.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"

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
    pm::MechanismParams p = experiments::rowParams(epsilon, delta, table_.features);
    p.row_norm = std::sqrt(double(columns_.size()));
    p.sites = int(rows_.size());
    return p;
  }

  double uncentred(double epsilon, double delta) const {
    pm::MechanismParams p = params(epsilon, delta);
    if (delta > 0) p.clipping = pm::Clipping::kAdaptive;
    const pm::Plan plan = experiments::mechanismFor(delta).plan(p).value();
    std::vector<pm::IntakePart> sites;
    for (const std::vector<double>& rows : rows_) {
      sites.push_back(ours::sumsOf(plan, columns_, rows));
    }
    return errorOf(ours::independentSum(plan, columns_, sites).scaled_covariance);
  }

  double centred(double epsilon, double delta) const {
    const pm::Plan plan = experiments::centredPlan(params(epsilon, delta), columns_);
    const pm::CentredSums sums = centredSum(
        plan, columns_, rows_.size(), [&](std::size_t site) -> const auto& { return rows_[site]; });
    const MatrixXd covariance =
        ours::momentsFrom(plan, sums, 1, int(rows_.size())).scaled_covariance;
    const Eigen::Map<const VectorXd> units(sums.units.data(), table_.features);
    return errorOf(units.asDiagonal() * covariance * units.asDiagonal());
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
          file.line(table.name, int(table.cells.cols()), table.features, name, sites,
                    std::string(experiments::mechanismFor(delta).name),
                    std::string(centred ? "centred-" : "uncentred-") + name, epsilon,
                    experiments::medianOf(std::move(errors)), studies);
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
