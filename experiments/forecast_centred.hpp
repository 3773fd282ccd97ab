// Forecasts of private centring against releases of real tables and of normal rows, from their own
// mean and covariance: what a forecast misses is then the law of the rows.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/noise/frame.hpp"
#include "core/analysis/noise/moments.hpp"
#include "core/analysis/uncertainty/forecast.hpp"
#include "core/mechanisms/choices.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/moments/encoding.hpp"
#include "core/random/continuous.hpp"
#include "experiments/support/centred_sum.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"
#include "experiments/table.hpp"

/// The rows of a table in scaled units, dealt to sites in turn.
class DealtTable {
 public:
  DealtTable(const Table& table, int sites) : table_(table), cells_(std::size_t(sites)) {
    const Eigen::Index rows = table.cells.cols();
    Eigen::MatrixXd features = Eigen::MatrixXd::Zero(table.features, rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const Eigen::VectorXd row = table.cells.col(i);
      auto& own = cells_[std::size_t(i) % cells_.size()];
      own.insert(own.end(), row.begin(), row.end());
      Eigen::Index j = 0;
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const pm::Column& column = table.columns[c];
        const double cell = row[Eigen::Index(c)];
        if (column.kind == pm::Column::Kind::kNumber) {
          const double half = (column.max - column.min) / 2;
          features(j, i) = std::clamp((cell - column.min) / half - 1, -1.0, 1.0);
        } else {
          features(j + Eigen::Index(cell), i) = 1;
        }
        j += column.features();
      }
    }
    mean_ = features.rowwise().mean();
    features.colwise() -= mean_;
    covariance_ = features * features.transpose() / double(rows);
  }

  const Table& table() const { return table_; }
  std::size_t sites() const { return cells_.size(); }
  double rows() const { return double(table_.cells.cols()); }
  const Eigen::VectorXd& mean() const { return mean_; }
  const Eigen::MatrixXd& covariance() const { return covariance_; }

  pm::Plan plan(double epsilon, double delta) const {
    pm::MechanismParams params = experiments::rowParams(epsilon, delta, table_.features);
    params.sites = int(sites());
    return experiments::centredPlan(params, table_.columns);
  }

  /// The question to the forecast, as the package asks it.
  pm::Forecast forecast(const pm::Plan& plan) const {
    pm::ForecastInput input;
    input.mean = mean_;
    input.covariance = covariance_;
    input.columns = table_.sources;
    input.rows = rows();
    const double each = rows() / double(sites());
    const Eigen::VectorXd variance = covariance_.diagonal();
    const auto frameOf = [&](const pm::Coordinates& at) {
      return pm::Frame{Eigen::Map<const Eigen::VectorXd>(at.centre.data(), mean_.size()),
                       Eigen::Map<const Eigen::VectorXd>(at.scale.data(), mean_.size())};
    };
    pm::Drbg random = experiments::seeded(1);
    const std::vector<pm::CentringChoice> drawn =
        pm::expectedChoices(
            plan, table_.columns,
            {each,
             {mean_.data(), std::size_t(mean_.size())},
             {variance.data(), std::size_t(variance.size())}},
            [&](const pm::Coordinates& at, std::span<const double> radii) {
              return pm::forecastLengths(input, {radii.begin(), radii.end()}, frameOf(at));
            },
            32, random)
            .value();
    const std::vector<pm::CentringChoice> study = pm::middleStudy(drawn, double(sites()), random);
    for (const pm::CentringChoice& choice : study) {
      input.radii.push_back(
          {choice.radius(), 1.0 / double(study.size()), frameOf(choice.coordinates)});
    }
    const pm::CentredSums sums = pm::expectedNoise(plan, study, each, double(sites())).value();
    input.frame = {Eigen::Map<const Eigen::VectorXd>(sums.centre.data(), mean_.size()),
                   Eigen::Map<const Eigen::VectorXd>(sums.units.data(), mean_.size())};
    input.constant = 1;
    input.noise.diagonal = sums.diagonal;
    input.noise.off_diagonal = sums.off_diagonal;
    input.noise.linear = sums.linear;
    input.trace_bound = sums.mean_squared_radius;
    input.simulate_denoised = false;
    return pm::forecast(input).value();
  }

  /// |covariance of real releases - covariance of the rows|_F.
  double error(const pm::Plan& plan) const {
    const pm::CentredSums all = centredSum(
        plan, table_.columns,
        cells_.size(), [&](std::size_t site) -> const auto& { return cells_[site]; });
    pm::MomentSums sums;
    sums.packed = all.packed;
    sums.dimension = table_.features;
    sums.constant = 1;
    sums.rows = double(*all.rows);
    const Eigen::MatrixXd of_z = pm::scaledMoments(sums).scaled_covariance;
    const pm::Frame frame = {Eigen::Map<const Eigen::VectorXd>(all.centre.data(), mean_.size()),
                             Eigen::Map<const Eigen::VectorXd>(all.units.data(), mean_.size())};
    return (frame.covariance(of_z) - covariance_).norm();
  }

 private:
  const Table& table_;
  std::vector<std::vector<double>> cells_;  // of each site
  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_;
};

/// Normal rows of six columns far from the middle of their bounds.
inline Table normalTable(int rows) {
  Table table;
  table.name = "normal " + std::to_string(rows);
  table.columns.assign(6, {pm::Column::Kind::kNumber, 0, 10, 0});
  table.views = {0, 0, 0, 1, 1, 1};
  table.cells.resize(6, rows);
  pm::Drbg random = experiments::seeded(5);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < 6; ++j) {
      const double shared = j < 3 ? 0 : 0.7 * (table.cells(j - 3, i) - (2 + 1.2 * double(j - 3)));
      table.cells(j, i) = 2 + 1.2 * double(j) + shared + 0.5 * pm::standardNormal(random);
    }
  }
  table.finish();
  return table;
}

/// Prints forecast, median and root mean square of the errors of `releases` studies.
struct CentredTally {
  std::vector<double> to_median, to_rms;
};

inline CentredTally centredTable(const std::vector<Table>& tables, int releases) {
  CentredTally tally;
  std::printf(
      "\n%-14s%5s%9s%8s%6s%7s%8s  error: forecast, median, rms of releases, ratio to median\n",
      "centred", "D", "rows", "delta", "eps", "sites", "zero");
  for (const Table& table : tables) {
    if (table.features > 100) continue;
    for (const int sites : {1, 4}) {
      if (table.cells.cols() < 40 * sites) continue;
      const DealtTable dealt(table, sites);
      for (const double delta : {1e-6, 0.0}) {
        for (const double epsilon : {0.3, 1.0, 3.0, 10.0}) {
          const pm::Plan plan = dealt.plan(epsilon, delta);
          const pm::Forecast forecast = dealt.forecast(plan);
          const double expected =
              std::sqrt(forecast.noise * forecast.noise + forecast.clipping * forecast.clipping);
          std::vector<double> errors;
          double energy = 0;
          for (int i = 0; i < releases; ++i) {
            errors.push_back(dealt.error(plan));
            energy += errors.back() * errors.back() / releases;
          }
          std::nth_element(errors.begin(), errors.begin() + releases / 2, errors.end());
          const double median = errors[std::size_t(releases) / 2];
          const double rms = std::sqrt(energy);
          const bool counts = median < forecast.zero;
          std::printf("%-14s%5d%9g%8g%6g%7d%8.3f  %8.3g %8.3g %8.3g %6.2f%s\n", table.name.c_str(),
                      table.features, dealt.rows(), delta, epsilon, sites, forecast.zero, expected,
                      median, rms, expected / median, counts ? "" : "(");
          std::fflush(stdout);
          if (!counts) continue;
          tally.to_median.push_back(expected / median);
          tally.to_rms.push_back(expected / rms);
        }
      }
    }
  }
  return tally;
}
