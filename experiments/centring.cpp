// The gain from private centring: the error of the covariance of one release, |S^-1 (C' - C)
// S^-1|_F over |S^-1 C S^-1|_F with S the standard deviations of the columns, in the median of many
// releases. Each set is released with the bounds of its table, with an expert's (mean -+ 3 standard
// deviations), and with bounds three times as wide as the table's.
//
// usage: centring [releases] [part of a set's name]
// Tables: node experiments/real_tables.mjs.
#include "core/mechanisms/centring.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/release.hpp"
#include "core/random/continuous.hpp"
#include "core/random/drbg.hpp"
#include "experiments/table.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDelta = 1e-6;
/// Sets with more features take minutes and say the same.
constexpr int kMostFeatures = 100;

enum class Bounds { kTable, kExpert, kWide };

// 1500 rows of six columns with bounds 0 .. 10, means 2 .. 8 and standard deviations .4 .. .8.
Table farFromCentre() {
  Table table;
  table.name = "made up, off-centre";
  table.columns.assign(6, {pm::Column::Kind::kNumber, 0, 10, 0});
  table.views = {0, 0, 0, 1, 1, 1};
  table.cells.resize(6, 1500);
  pm::Drbg random = seeded(5);
  const VectorXd mean = VectorXd::LinSpaced(6, 2, 8), sd = VectorXd::LinSpaced(6, 0.4, 0.8);
  for (Index i = 0; i < table.cells.cols(); ++i) {
    VectorXd z(6);
    for (double& x : z) x = pm::standardNormal(random);
    for (Index j = 3; j < 6; ++j) z[j] = 0.7 * z[j - 3] + std::sqrt(0.51) * z[j];
    table.cells.col(i) = mean + sd.cwiseProduct(z);
  }
  table.finish();
  return table;
}

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

/// Covariance of features in scaled units.
MatrixXd covarianceOf(const pm::Plan& plan, const std::vector<double>& values, double rows,
                      double radius) {
  const double unit = std::ldexp(radius * radius, plan.release_shift - 2 * plan.bits);
  pm::MomentSums sums;
  for (const double value : values) sums.packed.push_back(value * unit);
  sums.dimension = plan.params.dimension;
  sums.constant = std::ldexp(double(plan.constant), -plan.bits) * radius;
  sums.rows = rows;
  return pm::scaledMoments(sums).scaled_covariance;
}

const pm::Mechanism& mechanismFor(double delta) {
  return *pm::findMechanism(delta > 0 ? "gaussian" : "two-sided-wishart");
}

class Study {
 public:
  Study(const Table& table, Bounds bounds)
      : table_(table), columns_(columnsWith(table, bounds)), half_(table.features) {
    // Errors are in original units, as expert's bounds clip cells.
    Index j = 0;
    MatrixXd features = MatrixXd::Zero(table.features, table.cells.cols());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const bool number = columns_[c].kind == pm::Column::Kind::kNumber;
      for (Index i = 0; i < table.cells.cols(); ++i) {
        if (number) {
          features(j, i) = table.cells(Index(c), i);
        } else {
          features(j + Index(table.cells(Index(c), i)), i) = 1;
        }
      }
      half_.segment(j, columns_[c].features())
          .setConstant(number ? (columns_[c].max - columns_[c].min) / 2 : 1);
      j += columns_[c].features();
    }
    features.colwise() -= features.rowwise().mean().eval();
    truth_ = features * features.transpose() / double(features.cols());
  }

  double errorOf(MatrixXd covariance) const {
    covariance.array() *= (half_ * half_.transpose()).array();
    double off = 0, all = 0;
    for (Index i = 0; i < truth_.rows(); ++i) {
      for (Index k = 0; k < truth_.cols(); ++k) {
        const double scale = truth_(i, i) * truth_(k, k);
        if (scale <= 0) continue;
        off += std::pow(covariance(i, k) - truth_(i, k), 2) / scale;
        all += std::pow(truth_(i, k), 2) / scale;
      }
    }
    return std::sqrt(off / all);
  }

  pm::MechanismParams params(double epsilon, double delta) const {
    pm::MechanismParams p{};
    p.epsilon = epsilon;
    p.delta = delta;
    p.neighbours = pm::Neighbours::kReplaceOne;
    p.unit = pm::Unit::kRow;
    p.dimension = table_.features;
    p.row_norm = std::sqrt(double(columns_.size()));
    return p;
  }

  pm::Status read(const std::function<pm::Status(std::span<const double>)>& add) const {
    return add({table_.cells.data(), std::size_t(table_.cells.size())});
  }

  double uncentred(double epsilon, double delta) const {
    pm::MechanismParams p = params(epsilon, delta);
    if (delta > 0) p.clipping = pm::Clipping::kAdaptive;
    const pm::Plan plan = mechanismFor(delta).plan(p).value();
    pm::IntakeTerms terms{};
    terms.columns = columns_;
    terms.row_norm = p.row_norm;
    terms.missing = pm::MissingRule::kCentre;
    terms.neighbours = p.neighbours;
    terms.bits = plan.bits;
    terms.max_rows = plan.max_rows;
    terms.adaptive = delta > 0;
    pm::Intake intake = pm::Intake::create(std::move(terms)).value();
    if (read([&](auto cells) { return intake.add(cells); })) std::abort();
    const pm::Released released = pm::release(plan, intake, &fillFromSeed).value();
    return errorOf(covarianceOf(plan, released.values, double(*released.rows),
                                pm::clipRadius(p.row_norm, released.clip_level)));
  }

  double centred(double epsilon, double delta) const {
    pm::MechanismParams p = params(epsilon, delta);
    p.clipping = pm::Clipping::kCentred;
    for (const pm::Column& column : columns_) {
      (column.kind == pm::Column::Kind::kNumber ? p.numbers : p.categories) += 1;
    }
    const pm::Plan plan = pm::planCentring(mechanismFor(delta), p).value();
    const pm::CentredRelease released =
        pm::releaseCentred(
            plan, columns_, pm::MissingRule::kCentre, [&](const auto& add) { return read(add); },
            &fillFromSeed)
            .value();
    MatrixXd covariance = covarianceOf(plan, released.moments.values, double(*released.survey.rows),
                                       released.radius());
    const Eigen::Map<const VectorXd> scale(released.survey.coordinates.scale.data(),
                                           table_.features);
    covariance.array() *= (scale * scale.transpose()).array();
    return errorOf(covariance);
  }

 private:
  const Table& table_;
  std::vector<pm::Column> columns_;
  VectorXd half_;
  MatrixXd truth_;
};

template <class Error>
double median(int releases, Error error) {
  std::vector<double> errors;
  for (int i = 0; i < releases; ++i) errors.push_back(error());
  std::nth_element(errors.begin(), errors.begin() + releases / 2, errors.end());
  return errors[std::size_t(releases) / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int releases = argc > 1 ? std::atoi(argv[1]) : 21;
  const std::string part = argc > 2 ? argv[2] : "";
  std::vector<Table> tables = realTables();
  tables.insert(tables.begin(), farFromCentre());
  std::printf("error of the covariance: adaptive clipping (pure: fixed norm), centred\n");
  std::printf("%-22s %-7s %-6s", "", "bounds", "delta");
  const double epsilons[] = {0.3, 1, 3, 10};
  for (const double epsilon : epsilons) std::printf("       epsilon %-4g", epsilon);
  std::printf("\n");
  for (const Table& table : tables) {
    if (table.name.find(part) == std::string::npos || table.features > kMostFeatures) continue;
    for (const Bounds bounds : {Bounds::kExpert, Bounds::kTable, Bounds::kWide}) {
      const Study study(table, bounds);
      for (const double delta : {kDelta, 0.0}) {
        const char* names[] = {"table", "expert", "wide"};
        std::printf("%-22s %-7s %-6g", table.name.c_str(), names[int(bounds)], delta);
        for (const double epsilon : epsilons) {
          std::printf("  %8.3g %8.3g",
                      median(releases, [&] { return study.uncentred(epsilon, delta); }),
                      median(releases, [&] { return study.centred(epsilon, delta); }));
        }
        std::printf("\n");
        std::fflush(stdout);
      }
    }
  }
}
