// What the rules for missing cells cost, on the tables of real_tables.mjs and on a planted one:
// bias of correlations, and coverage of the 95 % intervals of covariances and of the first
// canonical correlation, when cells are missing at random, the more often the larger they are, or
// half of a table's columns together.
//
// usage: missing [trials] [part of a table's name]. QUICK=1: fewer rows, and epsilon 1 alone.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/noise/mean_gaps.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/choices.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/random/continuous.hpp"
#include "core/study/study.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/table.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const bool kQuick = std::getenv("QUICK") != nullptr;
const int kRows = kQuick ? 2000 : 20000;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kDraws = 200;

// Twelve normal columns of two views with means off centre. Columns of one view correlate by .8,
// two pairs between the views by .5 and .3.
Table planted() {
  Table table;
  table.name = "planted";
  table.cells.resize(12, 50000);
  pm::Drbg random = experiments::seeded(7);
  VectorXd normals(14);
  for (Index i = 0; i < table.cells.cols(); ++i) {
    pm::simulateNormals({normals.data(), 14}, random);
    const double tie = 0.5 * normals[12] + std::sqrt(0.75) * normals[13];
    for (Index c = 0; c < 12; ++c) {
      const double common = c < 6 ? normals[12] : tie;
      table.cells(c, i) = 0.3 + 0.15 * (std::sqrt(0.8) * common + std::sqrt(0.2) * normals[c]);
    }
  }
  for (int c = 0; c < 12; ++c) {
    table.columns.push_back({pm::Column::Kind::kNumber, -1, 1, 0});
    table.views.push_back(c / 6);
  }
  table.finish();
  return table;
}

double uniform(pm::Drbg& random) { return double(random.next64() >> 11) * 0x1p-53; }

// The share of a column's cells that are at most as large as each, half of equal ones.
MatrixXd ranksOf(const MatrixXd& cells) {
  MatrixXd ranks(cells.rows(), cells.cols());
  for (Index c = 0; c < cells.rows(); ++c) {
    std::vector<double> sorted(cells.row(c).begin(), cells.row(c).end());
    std::sort(sorted.begin(), sorted.end());
    for (Index i = 0; i < cells.cols(); ++i) {
      const auto [from, to] = std::equal_range(sorted.begin(), sorted.end(), cells(c, i));
      ranks(c, i) =
          double((from - sorted.begin()) + (to - sorted.begin())) / 2 / double(sorted.size());
    }
  }
  return ranks;
}

MatrixXd correlations(const MatrixXd& covariance) {
  VectorXd scales = covariance.diagonal().cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
  for (Index i = 0; i < scales.size(); ++i) scales[i] = covariance(i, i) > 0 ? scales[i] : 0;
  return scales.asDiagonal() * covariance * scales.asDiagonal();
}

struct Setting {
  const char* name;
  pm::MissingRule rule;
  bool centred;  // with private centring
};
constexpr int kRuleCount = 4;
constexpr Setting kRules[kRuleCount] = {{"centre", pm::MissingRule::kCentre, false},
                                        {"pairwise", pm::MissingRule::kPairwise, false},
                                        {"centre, private", pm::MissingRule::kCentre, true},
                                        {"mean", pm::MissingRule::kMean, true}};

enum class Gaps { kRandom, kByValue, kTogether };

struct Found {
  double products = 0, squares = 0;  // of estimated with true correlations, and of true ones
  double errors = 0;
  long pairs = 0;
  long covered = 0, intervals = 0;
  int first_covered = 0, firsts = 0;
};

pm::Study studyOf(const Table& table, pm::MissingRule rule, double epsilon) {
  return pm::Study::create({.columns = table.columns,
                            .mechanism = "gaussian",
                            .epsilon = epsilon,
                            .delta = 1e-6,
                            .neighbours = pm::Neighbours::kReplaceOne,
                            .missing = rule})
      .value();
}

// The moments of one release with private centring, in scaled units.
pm::StudyMoments centredMoments(const Table& table, const MatrixXd& cells, pm::MissingRule rule,
                                double epsilon) {
  int numbers = 0;
  for (const pm::Column& column : table.columns) {
    numbers += column.kind == pm::Column::Kind::kNumber;
  }
  const pm::Plan plan = pm::planCentring(*pm::findMechanism("gaussian"),
                                         {.epsilon = epsilon,
                                          .delta = 1e-6,
                                          .neighbours = pm::Neighbours::kReplaceOne,
                                          .unit = pm::Unit::kRow,
                                          .dimension = table.features,
                                          .clipping = pm::Clipping::kCentred,
                                          .numbers = numbers,
                                          .categories = int(table.columns.size()) - numbers,
                                          .counts_gaps = rule == pm::MissingRule::kMean})
                            .value();
  const pm::CentredRelease released = pm::releaseCentred(
                                          plan, table.columns, rule,
                                          [&](const auto& add) {
                                            return add({cells.data(), std::size_t(cells.size())});
                                          },
                                          &experiments::repeatableEntropy)
                                          .value();
  pm::CentredScale scale =
      pm::centredScale(plan, released.survey.coordinates, released.moments.clip_level);
  pm::MeanGapSums gaps;
  gaps.columns = table.sources;
  std::vector<double> present;
  if (rule == pm::MissingRule::kMean) {
    const pm::SurveyedGaps counted = pm::surveyedGaps(plan, released.survey.sums).value();
    gaps.releases = {{double(cells.cols()), counted.cells, counted.sd}};
    gaps.shares = pm::presentShares(gaps.releases).value();
    for (const int column : table.sources) present.push_back(gaps.shares[0][std::size_t(column)]);
    scale.present = present;
    scale.columns = table.sources;
  }
  const double sd = pm::releaseScale(plan, std::sqrt(double(table.columns.size()))).off_diagonal;
  pm::CentredAssembly assembly = pm::CentredAssembly::create(table.features, sd).value();
  if (assembly.add(released.moments.values, scale, released.moments.rows)) std::abort();
  const pm::CentredSums sums = assembly.sum().value();

  pm::StudyMoments moments;
  moments.sums.packed = sums.packed;
  moments.sums.dimension = table.features;
  moments.sums.constant = 1;
  moments.sums.rows = double(*sums.rows);
  moments.sums.noise = {sums.diagonal,
                        sums.off_diagonal,
                        sums.linear,
                        sums.count,
                        pm::noiseFamily(plan.distribution),
                        1,
                        plan.freedom};
  moments.sums.frame = {Eigen::Map<const VectorXd>(sums.centre.data(), table.features),
                        Eigen::Map<const VectorXd>(sums.units.data(), table.features)};
  moments.sums.mid = moments.sums.frame.centre;
  moments.sums.half = moments.sums.frame.units;
  moments.sums.noise_centres = sums.noise_centres;
  double bound = sums.mean_squared_radius;
  if (rule == pm::MissingRule::kMean) {
    gaps.sums = moments.sums;
    gaps.trace_bound = bound;
    pm::WithoutGaps complete = pm::withMeans(gaps).value();
    moments.sums = std::move(complete.sums);
    moments.gaps = std::move(complete.gaps);
    bound = complete.trace_bound;
  }
  static_cast<pm::AssembledMoments&>(moments) = pm::assembleMoments(moments.sums).value();
  moments.input = {.covariance = moments.scaled_covariance,
                   .noise = moments.covariance_noise,
                   .trace_bound = bound,
                   .half = moments.sums.half,
                   .columns = table.sources,
                   .mean_noise = moments.mean_noise,
                   .frame = moments.sums.frame};
  return moments;
}

pm::StudyMoments momentsOf(const Table& table, const MatrixXd& cells, const Setting& setting,
                           double epsilon) {
  if (setting.centred) return centredMoments(table, cells, setting.rule, epsilon);
  const pm::Study study = studyOf(table, setting.rule, epsilon);
  const pm::Released release =
      study.release({cells.data(), std::size_t(cells.size())}, &experiments::repeatableEntropy)
          .value();
  return study.assemble({&release, 1}).value();
}

pm::CcaInput ccaOf(const Table& table, const pm::StudyMoments& moments) {
  pm::CcaInput input;
  static_cast<pm::NoisyCovariance&>(input) = moments.input;
  input.x = table.features_of[0];
  input.y = table.features_of[1];
  input.components = 1;
  input.rows = moments.rows;
  return input;
}

// The population's moments, without noise and gaps.
struct Truth {
  MatrixXd covariance;
  double first = 0;
};

Truth truthOf(const Table& table) {
  pm::Intake intake =
      pm::Intake::create(pm::intakeTerms(studyOf(table, pm::MissingRule::kCentre, 1).plan(),
                                         table.columns, pm::MissingRule::kCentre))
          .value();
  (void)intake.add({table.cells.data(), std::size_t(table.cells.size())});
  const pm::Plan plan = studyOf(table, pm::MissingRule::kCentre, 1).plan();
  const std::vector<pm::Int128> totals = intake.take(pm::Unit::kRow).value();
  pm::MomentSums sums;
  const double grid = table.columns.size() * std::ldexp(1.0, -2 * plan.bits);
  for (const pm::Int128 total : totals) sums.packed.push_back(double(total) * grid);
  sums.dimension = table.features;
  sums.constant = std::sqrt(sums.packed[0] / double(table.cells.cols()));
  sums.rows = double(table.cells.cols());
  sums.mid = VectorXd::Zero(table.features);
  sums.half = VectorXd::Ones(table.features);
  const pm::AssembledMoments moments = pm::assembleMoments(sums).value();
  pm::CcaInput input;
  input.covariance = moments.scaled_covariance;
  input.trace_bound = double(table.columns.size());
  input.half = sums.half;
  input.columns = table.sources;
  input.x = table.features_of[0];
  input.y = table.features_of[1];
  input.components = 1;
  return {moments.scaled_covariance, pm::cca(input).value().correlations[0].value};
}

void add(const Table& table, const Truth& truth, const pm::StudyMoments& moments, bool simulate,
         Found& found) {
  const MatrixXd scaled = moments.input.frame.covariance(moments.scaled_covariance);
  const MatrixXd actual = correlations(truth.covariance);
  const MatrixXd estimated = correlations(scaled);
  const pm::MomentErrors errors = pm::momentErrors(moments.sums, moments);
  const VectorXd half = moments.input.frame.half(moments.input.half);
  for (Index i = 0; i < actual.rows(); ++i) {
    for (Index j = i; j < actual.cols(); ++j) {
      if (table.sources[std::size_t(i)] == table.sources[std::size_t(j)] && i != j) continue;
      const double off = scaled(i, j) - truth.covariance(i, j);
      found.covered += std::abs(off) <= 1.96 * errors.covariance(i, j) / (half[i] * half[j]);
      ++found.intervals;
      if (i == j || truth.covariance(i, i) <= 0 || truth.covariance(j, j) <= 0) continue;
      found.products += estimated(i, j) * actual(i, j);
      found.squares += actual(i, j) * actual(i, j);
      found.errors += std::pow(estimated(i, j) - actual(i, j), 2);
      ++found.pairs;
    }
  }
  if (!simulate) return;
  const auto bootstrap =
      pm::Bootstrap::create(moments.sums, {.level = 0.95, .draws = kDraws}, table.sources);
  const auto intervals = pm::ccaIntervals(bootstrap.value(), ccaOf(table, moments));
  if (!intervals.ok()) return;
  const pm::Interval first = intervals.value().values[0];
  ++found.firsts;
  found.first_covered += first.low <= truth.first && truth.first <= first.high;
}

void measure(const Table& table, int trials) {
  const Truth truth = truthOf(table);
  const MatrixXd ranks = ranksOf(table.cells);
  std::printf("\n%s: %d columns, %d features, first canonical correlation %.3f\n",
              table.name.c_str(), int(table.columns.size()), table.features, truth.first);
  for (const double epsilon : {1.0, 100.0}) {
    if (kQuick && epsilon > 1) continue;
    for (const Gaps gaps : {Gaps::kRandom, Gaps::kByValue, Gaps::kTogether}) {
      for (const double share : {0.0, 0.05, 0.2, 0.5}) {
        if (share == 0 && gaps != Gaps::kRandom) continue;
        Found found[kRuleCount];
        pm::Drbg random = experiments::seeded(11);
        for (int t = 0; t < trials; ++t) {
          MatrixXd cells(table.cells.rows(), kRows);
          for (Index i = 0; i < kRows; ++i) {
            const Index row = Index(uniform(random) * double(table.cells.cols()));
            const bool block = uniform(random) < share;
            for (Index c = 0; c < cells.rows(); ++c) {
              const double chance = gaps == Gaps::kByValue ? 2 * share * ranks(c, row) : share;
              const bool gap =
                  gaps == Gaps::kTogether ? c % 2 == 0 && block : uniform(random) < chance;
              cells(c, i) = gap ? kNan : table.cells(c, row);
            }
          }
          for (int r = 0; r < kRuleCount; ++r) {
            const pm::StudyMoments moments = momentsOf(table, cells, kRules[r], epsilon);
            add(table, truth, moments, table.features <= 40, found[r]);
          }
        }
        for (int r = 0; r < kRuleCount; ++r) {
          const char* const names[] = {"at random", "by value", "together"};
          const Found& f = found[r];
          std::printf(
              "epsilon %5.0f  %-10s %3.0f %%  %-15s r x %.3f  rms %.3f  covariances %5.1f %%",
              epsilon, names[int(gaps)], 100 * share, kRules[r].name, f.products / f.squares,
              std::sqrt(f.errors / double(f.pairs)),
              100.0 * double(f.covered) / double(f.intervals));
          if (f.firsts > 0) {
            std::printf("  first canonical %5.1f %%", 100.0 * f.first_covered / f.firsts);
          }
          std::printf("\n");
        }
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 40;
  const std::string part = argc > 2 ? argv[2] : "";
  std::vector<Table> tables = realTables();
  tables.insert(tables.begin(), planted());
  for (const Table& table : tables) {
    if (table.name.find(part) != std::string::npos && table.cells.cols() >= 500) {
      measure(table, trials);
    }
  }
}
