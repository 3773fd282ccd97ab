// Tests the analyses on real data, which are off-centre, skewed and collinear and have categories.
// The mechanisms release rows drawn from a table as the population, so the true values are known.
//
//   coverage    of the 95 % intervals of canonical correlations, for each set, resolved and not
//   shuffled    how often a result is above its floor although the views share nothing
//   regression  the share of the population's variance that a fit explains, for fits above and
//               below the floor of R^2
//
// usage: real_coverage coverage|shuffled|regression [trials] [part of a set's name]
// Tables: node experiments/real_tables.mjs.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/regression.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/matrix/multiply.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/encoding.hpp"
#include "core/random/continuous.hpp"
#include "experiments/table.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLevel = 0.95;
constexpr int kDraws = 300;
constexpr double kDelta = 1e-6;
constexpr int kMostPairs = 4;

// Synthetic tables: views with this number of columns between 0 and 1, filled by `fill` from a row
// of normals.
template <class Fill>
Table madeUp(const char* name, const std::vector<int>& sizes, int rows, Fill fill) {
  Table table;
  table.name = name;
  for (std::size_t v = 0; v < sizes.size(); ++v) {
    for (int c = 0; c < sizes[v]; ++c) {
      table.columns.push_back({pm::Column::Kind::kNumber, 0, 1, 0});
      table.views.push_back(int(v));
    }
  }
  table.cells.resize(Index(table.columns.size()), rows);
  pm::Drbg random = seeded(5);
  VectorXd normals(table.cells.rows());
  for (Index i = 0; i < rows; ++i) {
    for (double& z : normals) z = pm::standardNormal(random);
    table.cells.col(i) = fill(normals);
  }
  table.finish();
  return table;
}

// Each view has two nearly equal columns; the other view correlates only with their difference.
Table nearlyEqual() {
  return madeUp("nearly equal", {2, 2}, 20000, [](const VectorXd& z) {
    VectorXd row(4);
    row[0] = 0.5 + 0.15 * z[0];
    row[1] = row[0] + 0.01 * z[1];
    row[2] = 0.5 + 0.15 * (0.9 * z[1] + std::sqrt(1 - 0.81) * z[2]);
    row[3] = 0.5 + 0.15 * (0.3 * z[0] + std::sqrt(1 - 0.09) * z[3]);
    return VectorXd(row.cwiseMax(0.0).cwiseMin(1.0));
  });
}

Table wellBehaved() {
  return madeUp("well-behaved", {4, 4}, 20000, [](const VectorXd& z) {
    const std::array<double, 4> planted = {0.8, 0.5, 0.3, 0};
    VectorXd row(8);
    for (int j = 0; j < 4; ++j) {
      const double rho = planted[std::size_t(j)];
      row[j] = 0.45 + 0.15 * z[j];
      row[4 + j] = 0.55 + 0.15 * (rho * z[j] + std::sqrt(1 - rho * rho) * z[4 + j]);
    }
    return VectorXd(row.cwiseMax(0.0).cwiseMin(1.0));
  });
}

// Columns lie around `centre`; if `middling`, those of the last view lie around 0.5.
Table offCentre(const char* name, const std::vector<int>& sizes, double centre, double spread,
                bool middling = false) {
  return madeUp(name, sizes, 2000, [=](const VectorXd& z) {
    VectorXd row = (centre + spread * z.array()).max(0.0).min(1.0);
    if (middling) row.tail(sizes.back()).array() += 0.5 - centre;
    return row;
  });
}

Table frequentIndicators() {
  return madeUp("indicators, 0.93 are 1", {70, 70}, 2000,
                [](const VectorXd& z) { return VectorXd((z.array() < 1.48).cast<double>()); });
}

std::vector<Table> tablesNamed(const std::string& part) {
  std::vector<Table> tables;
  const auto add = [&](Table table) {
    if (table.name.find(part) != std::string::npos) tables.push_back(std::move(table));
  };
  for (Table& table : realTables()) add(std::move(table));
  add(nearlyEqual());
  add(wellBehaved());
  return tables;
}

struct Setting {
  const char* mechanism;
  double epsilon;
  int rows;
};

// Second moments of the rows that `pick` chooses for each view, released and assembled.
template <class Pick>
pm::MomentSums released(const Table& table, const Setting& setting, Pick pick) {
  pm::MechanismParams params{};
  params.epsilon = setting.epsilon;
  const bool gaussian = std::string(setting.mechanism) == "gaussian";
  params.delta = gaussian ? kDelta : 0;
  params.neighbours = pm::Neighbours::kReplaceOne;
  params.unit = pm::Unit::kRow;
  params.dimension = table.features;
  params.row_norm = std::sqrt(double(table.columns.size()));
  if (gaussian) params.clipping = pm::Clipping::kAdaptive;
  const pm::Plan plan = pm::findMechanism(setting.mechanism)->plan(params).value();

  pm::IntakeTerms terms{};
  terms.columns = table.columns;
  terms.row_norm = params.row_norm;
  terms.missing = pm::MissingRule::kCentre;
  terms.neighbours = params.neighbours;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  terms.adaptive = plan.clip_width > 0;
  pm::Intake intake = pm::Intake::create(std::move(terms)).value();
  std::vector<double> row(table.columns.size());
  for (int i = 0; i < setting.rows; ++i) {
    const std::vector<Index> picked = pick();
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = table.cells(Index(c), picked[std::size_t(table.views[c])]);
    }
    if (intake.add(row)) std::abort();
  }
  const pm::Released release = pm::release(plan, intake, &fillFromSeed).value();

  pm::Assembly assembly = pm::Assembly::create(table.features).value();
  if (assembly.add(release.values, release.clip_level, release.rows)) std::abort();
  std::vector<pm::ReleaseScale> scales;
  for (int level = 0; level <= release.clip_level; ++level) {
    const double radius = pm::clipRadius(params.row_norm, level);
    const double grid = std::ldexp(radius * radius, -2 * plan.bits);
    scales.push_back({radius, std::ldexp(grid, plan.release_shift),
                      std::ldexp(double(plan.constant), -plan.bits) * radius,
                      plan.noise_mean * grid, plan.sd_diagonal * grid,
                      plan.sd_off_diagonal * grid});
  }
  const pm::AssembledSums summed = assembly.sum(scales, scales[0].constant).value();
  pm::MomentSums sums;
  sums.packed = summed.packed;
  sums.dimension = table.features;
  sums.constant = scales[0].constant;
  sums.rows = double(*summed.rows);
  sums.noise = {summed.diagonal, summed.off_diagonal, summed.linear, summed.count};
  sums.noise.family = gaussian ? pm::NoiseFamily::kGaussian : pm::NoiseFamily::kTwoSidedWishart;
  sums.noise.freedom = plan.freedom;
  sums.mid = VectorXd::Zero(table.features);
  sums.half = VectorXd::Ones(table.features);
  return sums;
}

Index anyRow(const Table& table, pm::Drbg& random) {
  return std::min(table.cells.cols() - 1,
                  Index(double(table.cells.cols()) * pm::uniformOpen(random)));
}

// Rows of the population.
pm::MomentSums sampled(const Table& table, const Setting& setting, pm::Drbg& random) {
  return released(table, setting, [&] {
    return std::vector<Index>(table.features_of.size(), anyRow(table, random));
  });
}

// Each view comes from a different row, so nothing is shared.
pm::MomentSums shuffled(const Table& table, const Setting& setting, pm::Drbg& random) {
  return released(table, setting, [&] {
    std::vector<Index> picked;
    for (std::size_t v = 0; v < table.features_of.size(); ++v) {
      picked.push_back(anyRow(table, random));
    }
    return picked;
  });
}

// Mean and covariance of the population, in scaled units.
struct Exact {
  VectorXd mean;
  MatrixXd covariance;
};

Exact exactOf(const Table& table) {
  MatrixXd scaled = MatrixXd::Zero(table.features, table.cells.cols());
  for (Index i = 0; i < scaled.cols(); ++i) {
    int next = 0;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const pm::Column& column = table.columns[c];
      const double cell = table.cells(Index(c), i);
      if (column.kind == pm::Column::Kind::kNumber) {
        scaled(next, i) = (2 * cell - column.min - column.max) / (column.max - column.min);
      } else {
        scaled(next + int(cell), i) = 1;
      }
      next += column.features();
    }
  }
  Exact exact{scaled.rowwise().mean(), {}};
  scaled.colwise() -= exact.mean;
  exact.covariance = pm::multiplyByTranspose(scaled) / double(scaled.cols());
  return exact;
}

template <class Input>
void fill(const Table& table, const pm::AssembledMoments& moments, Input& input) {
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.trace_bound = double(table.columns.size());
  input.half = VectorXd::Ones(table.features);
  input.columns = table.sources;
}

pm::CcaInput ccaOf(const Table& table, const pm::AssembledMoments& moments) {
  pm::CcaInput input;
  fill(table, moments, input);
  input.x = table.features_of[0];
  input.y = table.features_of[1];
  input.components = std::min<int>(kMostPairs, int(std::min(input.x.size(), input.y.size())));
  return input;
}

VectorXd truthOf(const Table& table) {
  pm::AssembledMoments exact{};
  exact.scaled_covariance = exactOf(table).covariance;
  const pm::Cca found = pm::cca(ccaOf(table, exact)).value();
  VectorXd truth(Index(found.correlations.size()));
  for (Index j = 0; j < truth.size(); ++j) truth[j] = found.correlations[std::size_t(j)].value;
  return truth;
}

// Coverage ---------------------------------------------------------------------------------------

struct Coverage {
  int pairs = 0;
  int too_high = 0;  // intervals above the truth
  int too_low = 0;
  double width = 0;

  void add(const Coverage& other) {
    pairs += other.pairs;
    too_high += other.too_high;
    too_low += other.too_low;
    width += other.width;
  }

  void print() const {
    if (pairs == 0) {
      std::printf(" %28s |", "");
      return;
    }
    const double n = pairs;
    std::printf(" %5.1f of %5d (%4.1f, %4.1f) %.2f |", 100 * (n - too_high - too_low) / n, pairs,
                100 * too_high / n, 100 * too_low / n, width / n);
  }
};

// Resolved first pairs, other resolved pairs, and the same for pairs that are not resolved.
using Row = std::array<Coverage, 4>;

void print(const std::string& name, const Row& row, double lost) {
  std::printf("| %-14s |", name.c_str());
  for (const Coverage& each : row) each.print();
  std::printf(" %4.1f |\n", lost);
  std::fflush(stdout);
}

void coverage(int trials, const std::string& part) {
  std::printf(
      "95 %% intervals of canonical correlations above their floors: per cent that contain the "
      "population's, of how many\n(per cent that lie above it, below it), mean width; last column: "
      "per cent of pairs below the floor\n\n");
  std::printf(
      "| set | resolved, first pair | resolved, others | not resolved, first | not "
      "resolved, others | below |\n|---|---|---|---|---|---|\n");
  Row all{};
  std::map<std::string, Row> by_mechanism;
  for (const Table& table : tablesNamed(part)) {
    const VectorXd truth = truthOf(table);
    pm::Drbg random = seeded(31);
    Row row{};
    int below = 0;
    int count = 0;
    std::uint64_t seed = 0;
    for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
      for (const double epsilon : {1.0, 3.0, 10.0}) {
        for (const int rows : {1000, 5000, 20000}) {
          if (table.features > 30 && rows > 5000) continue;
          for (int t = 0; t < trials; ++t) {
            const pm::MomentSums sums = sampled(table, {mechanism, epsilon, rows}, random);
            const pm::Bootstrap bootstrap =
                pm::Bootstrap::create(sums, {kLevel, kDraws, ++seed}, table.sources).value();
            const pm::SharedIntervals found =
                pm::ccaIntervals(bootstrap, ccaOf(table, bootstrap.moments())).value();
            for (std::size_t j = 0; j < found.values.size(); ++j) {
              const pm::FigureInterval& pair = found.values[j];
              ++count;
              below += pair.below_noise_floor;
              if (pair.below_noise_floor) continue;
              const double value = truth[Index(j)];
              const Coverage one{1, value<pair.low, value> pair.high, pair.high - pair.low};
              const std::size_t place = (found.resolved ? 0 : 2) + (j == 0 ? 0 : 1);
              row[place].add(one);
              all[place].add(one);
              by_mechanism[mechanism][place].add(one);
            }
          }
        }
      }
    }
    print(table.name, row, 100.0 * below / std::max(1, count));
  }
  for (const auto& [name, row] : by_mechanism) print(name, row, 0);
  print("all", all, 0);
}

// False positives ---------------------------------------------------------------------------------

// Whether a release of equal rows, at the mean of all numeric columns, shows a component.
bool constantStandsOut(const Table& table, const Setting& setting) {
  Table constant = table;
  for (Index c = 0; c < constant.cells.rows(); ++c) {
    const bool is_number = table.columns[std::size_t(c)].kind == pm::Column::Kind::kNumber;
    constant.cells.row(c).setConstant(is_number ? table.cells.row(c).mean() : 0);
  }
  const pm::MomentSums sums =
      released(constant, setting, [&] { return std::vector<Index>(table.features_of.size(), 0); });
  pm::PcaInput input;
  fill(table, pm::assembleMoments(sums).value(), input);
  input.components = 1;
  return !pm::pca(input).value().explained[0].below_noise_floor;
}

bool anyAbove(const pm::Cca& found) {
  return std::any_of(found.correlations.begin(), found.correlations.end(),
                     [](const pm::CanonicalCorrelation& pair) { return !pair.below_noise_floor; });
}

struct Positives {
  int runs = 0;
  std::array<int, 6> found{};
};

void falsePositives(const Table& table, int trials) {
  for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
    for (const double epsilon : {1.0, 10.0}) {
      Positives positives;
      double first = 0;
      pm::Drbg random = seeded(32);
      for (int t = 0; t < trials; ++t) {
        const pm::MomentSums sums = shuffled(table, {mechanism, epsilon, 2000}, random);
        const pm::AssembledMoments moments = pm::assembleMoments(sums).value();
        const pm::CcaInput alone = ccaOf(table, moments);
        pm::CcaInput input = alone;
        input.rows = moments.rows;
        ++positives.runs;
        const pm::Cca found = pm::cca(input).value();
        first += found.correlations[0].noise_floor / trials;
        bool weightless = false;
        for (Index j = 0; j < Index(found.correlations.size()); ++j) {
          weightless |= !found.correlations[std::size_t(j)].below_noise_floor &&
                        (found.x.weights.col(j).isZero(0) || found.y.weights.col(j).isZero(0));
        }
        positives.found[0] += anyAbove(found);
        positives.found[1] += anyAbove(pm::cca(alone).value());
        positives.found[2] += weightless;

        pm::GccaInput general;
        static_cast<pm::NoisyCovariance&>(general) = input;
        const std::size_t half = input.x.size() / 2;
        general.views = {{input.x.begin(), input.x.begin() + Index(half)}, input.y};
        if (table.features_of.size() > 2) general.views = table.features_of;
        general.components = 1;
        general.rows = moments.rows;
        positives.found[3] += !pm::gcca(general).value().components[0].below_noise_floor;

        pm::RegressionInput regression;
        static_cast<pm::NoisyCovariance&>(regression) = input;
        regression.mean = moments.mean;
        regression.target = input.y[0];
        regression.features = input.x;
        regression.rows = moments.rows;
        positives.found[4] += !pm::regress(regression).value().r2.below_noise_floor;
        positives.found[5] += constantStandsOut(table, {mechanism, epsilon, 2000});
      }
      const auto share = [&](int place) {
        return 100.0 * positives.found[std::size_t(place)] / positives.runs;
      };
      std::printf(
          "| %-24s | %3d | %-17s | %4.0f | %4d | %5.1f | %5.1f | %5.1f | %5.1f | %5.1f | %5.1f | "
          "%.2f |\n",
          table.name.c_str(), table.features, mechanism, epsilon, positives.runs, share(0),
          share(1), share(2), share(3), share(4), share(5), first);
      std::fflush(stdout);
    }
  }
}

void shuffledViews(int trials, const std::string& part) {
  std::printf(
      "Views of different rows, 2000 of them: per cent of runs with anything above its floor\n\n"
      "| set | D | mechanism | epsilon | runs | cca | the same, noise alone counted | without "
      "weights | "
      "gcca | R^2 | pca of equal rows | mean floor "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Table> tables = tablesNamed(part);
  const auto add = [&](Table table) {
    if (table.name.find(part) != std::string::npos) tables.push_back(std::move(table));
  };
  add(offCentre("off-centre, 0.95", {70, 70}, 0.95, 0.02));
  add(offCentre("off-centre, 0.8", {70, 70}, 0.8, 0.05));
  add(offCentre("off-centre in one view", {120, 20}, 0.95, 0.02, true));
  add(offCentre("off-centre, three views", {10, 10, 10}, 0.95, 0.02));
  add(frequentIndicators());
  for (const Table& table : tables) falsePositives(table, trials);
}

// Regression --------------------------------------------------------------------------------------

struct Fits {
  std::vector<double> explained;
  std::vector<double> stated;

  void print() {
    if (explained.empty()) {
      std::printf(" %38s |", "");
      return;
    }
    std::sort(explained.begin(), explained.end());
    const double n = double(explained.size());
    const double mean = std::accumulate(explained.begin(), explained.end(), 0.0) / n;
    const double said = std::accumulate(stated.begin(), stated.end(), 0.0) / n;
    std::printf(" %5.0f: %7.2f %6.2f %6.2f (said %.2f) |", n, explained[0],
                explained[explained.size() / 10], mean, said);
  }
};

void regression(int trials, const std::string& part) {
  std::printf(
      "Regressions of each column of the second view on the first: share of the variance that fits "
      "explain in the population.\nFits, worst, tenth percentile, mean (mean of the R^2 stated)\n\n"
      "| set | R^2 above its floor | R^2 below |\n|---|---|---|\n");
  Fits all_above;
  Fits all_below;
  for (const Table& table : tablesNamed(part)) {
    const Exact exact = exactOf(table);
    pm::Drbg random = seeded(33);
    Fits above;
    Fits below;
    for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
      for (const double epsilon : {0.3, 1.0, 3.0}) {
        for (const int rows : {500, 2000}) {
          for (int t = 0; t < trials; ++t) {
            const pm::MomentSums sums = sampled(table, {mechanism, epsilon, rows}, random);
            const pm::AssembledMoments moments = pm::assembleMoments(sums).value();
            for (const int target : table.features_of[1]) {
              if (exact.covariance(target, target) < 1e-12) continue;
              pm::RegressionInput input;
              fill(table, moments, input);
              input.mean = moments.mean;
              input.target = target;
              input.features = table.features_of[0];
              input.rows = moments.rows;
              const pm::Regression fit = pm::regress(input).value();
              // Prediction error in the population, including its offset.
              VectorXd u = VectorXd::Zero(table.features);
              u[target] = 1;
              for (std::size_t i = 0; i < input.features.size(); ++i) {
                u[input.features[i]] = -fit.coefficients[i].value;
              }
              const double offset = u.dot(exact.mean) - fit.intercept;
              const double missed = u.dot(exact.covariance * u) + offset * offset;
              Fits& fits = fit.r2.below_noise_floor ? below : above;
              fits.explained.push_back(1 - missed / exact.covariance(target, target));
              fits.stated.push_back(fit.r2.value);
            }
          }
        }
      }
    }
    for (const auto& [from, to] : {std::pair(&above, &all_above), std::pair(&below, &all_below)}) {
      to->explained.insert(to->explained.end(), from->explained.begin(), from->explained.end());
      to->stated.insert(to->stated.end(), from->stated.begin(), from->stated.end());
    }
    std::printf("| %-14s |", table.name.c_str());
    above.print();
    below.print();
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("| %-14s |", "all");
  all_above.print();
  all_below.print();
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int trials = argc > 2 ? std::atoi(argv[2]) : 20;
  const std::string part = argc > 3 ? argv[3] : "";
  if (what == "coverage") {
    coverage(trials, part);
  } else if (what == "shuffled") {
    shuffledViews(trials, part);
  } else if (what == "regression") {
    regression(trials, part);
  } else {
    std::fprintf(stderr, "usage: real_coverage coverage|shuffled|regression [trials] [set]\n");
    return 1;
  }
  return 0;
}
