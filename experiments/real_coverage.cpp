// Tests the analyses on real data, which are off-centre, skewed and collinear and have categories.
// The mechanisms release rows drawn from a table as the population, so the true values are known.
//
//   coverage    of the 95 % intervals of canonical correlations, for each set, resolved and not
//   shuffled    how often a result is above its floor although the views share nothing
//   adjusted    the same two for canonical correlations adjusted for the first view's first columns
//   tests       the level of tests of pairs and coefficients at 5 %, where nothing is shared
//   regression  the share of the population's variance that a fit explains, for fits above and
//               below the floor of R^2
//
// usage: real_coverage coverage|shuffled|adjusted|tests|regression [trials] [part of a set's name]
// Tables: node experiments/real_tables.mjs.
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/methods/adjustment.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/methods/regression.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/analysis/uncertainty/pair_tests.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/packed.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/choices.hpp"
#include "core/mechanisms/clip_loss.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/moments/encoding.hpp"
#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/table.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLevel = 0.95;
constexpr int kDraws = 300;
constexpr double kDelta = 1e-6;
constexpr int kMostPairs = 4;
constexpr int kMostComponents = 3;
constexpr int kSites = 5;

// A larger share of clipped rows is counted apart.
constexpr double kFewShortened = 0.01;

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
  pm::Drbg random = experiments::seeded(5);
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

// How a study has its releases made.
struct Setting {
  const char* mechanism;
  double epsilon;
  int rows;  // of all sites together
  int sites = 1;
  bool centred = true;

  bool gaussian() const { return std::string(mechanism) == "gaussian"; }
};

// The sum of a study's releases, and what the analyses know about it.
struct Sums : pm::MomentSums {
  double bound = 0;      // of the trace, units of z
  double shortened = 0;  // share of the rows that were clipped
  // What clipping may have added to the covariance, and taken from it (NoisyCovariance).
  MatrixXd centre_spread;
  double trace_lost = 0;
};

pm::MechanismParams paramsOf(const Table& table, const Setting& setting) {
  pm::MechanismParams params{};
  params.epsilon = setting.epsilon;
  params.delta = setting.gaussian() ? kDelta : 0;
  params.neighbours = pm::Neighbours::kReplaceOne;
  params.unit = pm::Unit::kRow;
  params.dimension = table.features;
  params.row_norm = std::sqrt(double(table.columns.size()));
  params.sites = setting.sites;
  if (setting.gaussian()) params.clipping = pm::Clipping::kAdaptive;
  if (setting.centred) {
    params.clipping = pm::Clipping::kCentred;
    for (const pm::Column& column : table.columns) {
      (column.kind == pm::Column::Kind::kNumber ? params.numbers : params.categories) += 1;
    }
  }
  return params;
}

// What the analyses know, from the sum of releases by this plan.
Sums sumsOf(const Table& table, const Setting& setting, const pm::Plan& plan,
            const pm::AssembledSums& summed, double constant) {
  Sums sums;
  sums.packed = summed.packed;
  sums.dimension = table.features;
  sums.constant = constant;
  sums.rows = double(*summed.rows);
  sums.noise = {summed.diagonal, summed.off_diagonal, summed.linear, summed.count};
  sums.noise.family =
      setting.gaussian() ? pm::NoiseFamily::kGaussian : pm::NoiseFamily::kTwoSidedWishart;
  sums.noise.releases = setting.sites;
  sums.noise.freedom = plan.freedom;
  sums.mid = VectorXd::Zero(table.features);
  sums.half = VectorXd::Ones(table.features);
  sums.bound = summed.mean_squared_radius;
  return sums;
}

// The rows of one site, one after another.
using Rows = std::vector<double>;

Sums centred(const Table& table, const Setting& setting, const std::vector<Rows>& sites) {
  const pm::Plan plan =
      pm::planCentring(*pm::findMechanism(setting.mechanism), paramsOf(table, setting)).value();
  const double sd = pm::releaseScale(plan, std::sqrt(double(table.features))).off_diagonal;
  pm::CentredAssembly assembly = pm::CentredAssembly::create(table.features, sd).value();
  for (const Rows& rows : sites) {
    const pm::CentredRelease release =
        pm::releaseCentred(
            plan, table.columns, pm::MissingRule::kCentre,
            [&](const auto& add) { return add(std::span<const double>(rows)); },
            &experiments::repeatableEntropy)
            .value();
    const pm::CentredScale scale =
        pm::centredScale(plan, release.survey.coordinates, release.moments.clip_level);
    const pm::ClippedRows clipped = pm::clippedRows(
        plan, release.survey.coordinates, release.moments.clip_counts, release.moments.clip_level);
    if (assembly.add(release.moments.values, scale, release.moments.rows, clipped)) std::abort();
  }
  const pm::CentredSums summed = assembly.sum().value();
  Sums sums = sumsOf(table, setting, plan, summed, 1);
  sums.frame = {Eigen::Map<const VectorXd>(summed.centre.data(), table.features),
                Eigen::Map<const VectorXd>(summed.units.data(), table.features)};
  sums.mid = sums.frame.centre;
  sums.half = sums.frame.units;
  sums.noise_centres = summed.noise_centres;
  sums.trace_lost = summed.clipped.lost / setting.rows;
  if (!summed.centre_spread.empty()) {
    sums.centre_spread = pm::unpacked(std::span(summed.centre_spread), table.features);
  }
  sums.shortened = summed.clipped.shortened / setting.rows;
  return sums;
}

Sums uncentred(const Table& table, const Setting& setting, const std::vector<Rows>& sites) {
  const pm::MechanismParams params = paramsOf(table, setting);
  const pm::Plan plan = pm::findMechanism(setting.mechanism)->plan(params).value();
  pm::Assembly assembly = pm::Assembly::create(table.features).value();
  int longest = 0;
  double shortened = 0;
  double lost = 0;
  for (const Rows& rows : sites) {
    pm::IntakeTerms terms{};
    terms.columns = table.columns;
    terms.row_norm = params.row_norm;
    terms.missing = pm::MissingRule::kCentre;
    terms.neighbours = params.neighbours;
    terms.bits = plan.bits;
    terms.max_rows = plan.max_rows;
    terms.adaptive = plan.clip_width > 0;
    pm::Intake intake = pm::Intake::create(std::move(terms)).value();
    if (intake.add(rows)) std::abort();
    const pm::Released release = pm::release(plan, intake, &experiments::repeatableEntropy).value();
    if (assembly.add(release.values, release.clip_level, release.rows)) std::abort();
    longest = std::max(longest, release.clip_level);
    lost += params.row_norm * params.row_norm *
            pm::clipLoss(plan, {}, {release.clip_counts, release.clip_level});
    if (release.clip_level > 0) {
      const auto rung = std::size_t(release.clip_level) - 1;
      shortened += std::ldexp(release.clip_counts[rung], -pm::kClipCountBits);
    }
  }
  std::vector<pm::ReleaseScale> scales;
  for (int level = 0; level <= longest; ++level) {
    scales.push_back(pm::releaseScale(plan, pm::clipRadius(params.row_norm, level)));
  }
  const double constant = scales[0].constant;
  Sums sums = sumsOf(table, setting, plan, assembly.sum(scales, constant).value(), constant);
  sums.shortened = shortened / setting.rows;
  sums.trace_lost = lost / setting.rows;
  return sums;
}

// Second moments of the rows that `pick` chooses for each view, released and assembled.
template <class Pick>
Sums released(const Table& table, const Setting& setting, Pick pick) {
  std::vector<Rows> sites(std::size_t(setting.sites));
  for (int i = 0; i < setting.rows; ++i) {
    const std::vector<Index> picked = pick();
    Rows& rows = sites[std::size_t(i % setting.sites)];
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      rows.push_back(table.cells(Index(c), picked[std::size_t(table.views[c])]));
    }
  }
  return setting.centred ? centred(table, setting, sites) : uncentred(table, setting, sites);
}

Index anyRow(const Table& table, pm::Drbg& random) {
  return std::min(table.cells.cols() - 1,
                  Index(double(table.cells.cols()) * pm::uniformOpen(random)));
}

// Rows of the population.
Sums sampled(const Table& table, const Setting& setting, pm::Drbg& random) {
  return released(table, setting, [&] {
    return std::vector<Index>(table.features_of.size(), anyRow(table, random));
  });
}

// Each view comes from a different row, so nothing is shared.
Sums shuffled(const Table& table, const Setting& setting, pm::Drbg& random) {
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
void fill(const Table& table, const Sums& sums, const pm::AssembledMoments& moments, Input& input) {
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.trace_bound = sums.bound;
  input.half = sums.half;
  input.frame = sums.frame;
  input.columns = table.sources;
  input.trace_lost = sums.trace_lost;
  input.centre_spread = sums.centre_spread;
}

void fill(const Table& table, const Exact& exact, pm::NoisyCovariance& input) {
  input.covariance = exact.covariance;
  input.trace_bound = double(table.columns.size());
  input.half = VectorXd::Ones(table.features);
  input.columns = table.sources;
}

void askFor(const Table& table, pm::CcaInput& input) {
  input.x = table.features_of[0];
  input.y = table.features_of[1];
  input.components = std::min<int>(kMostPairs, int(std::min(input.x.size(), input.y.size())));
}

pm::CcaInput ccaOf(const Table& table, const Sums& sums, const pm::AssembledMoments& moments) {
  pm::CcaInput input;
  fill(table, sums, moments, input);
  askFor(table, input);
  return input;
}

pm::PcaInput pcaOf(const Table& table, const Sums& sums, const pm::AssembledMoments& moments) {
  pm::PcaInput input;
  fill(table, sums, moments, input);
  input.components = std::min(kMostComponents, table.features);
  return input;
}

// Coverage ---------------------------------------------------------------------------------------

struct Coverage {
  double figures = 0;
  double too_high = 0;  // intervals above the truth
  double too_low = 0;
  double width = 0;

  void add(double truth, double low, double high) {
    // A loading may be 1 up to rounding, and so may its interval.
    constexpr double kRounding = 1e-9;
    figures += 1;
    too_high += truth < low - kRounding;
    too_low += truth > high + kRounding;
    width += high - low;
  }

  void add(const Coverage& other) {
    figures += other.figures;
    too_high += other.too_high;
    too_low += other.too_low;
    width += other.width;
  }

  void print() const {
    if (figures == 0) {
      std::printf(" |");
      return;
    }
    std::printf(" %.1f of %.0f (%.1f, %.1f) %.3g |", 100 * (figures - too_high - too_low) / figures,
                figures, 100 * too_high / figures, 100 * too_low / figures, width / figures);
  }
};

// Correlations above their floors, by whether all directions are resolved, of first pairs and of
// others; and those below.
enum Pairs { kFirst, kOthers, kFirstHidden, kOthersHidden, kPairsBelow, kPairKinds };

// Variances above their floors, by whether more than 1 % of the rows were clipped; and those below.
enum Components { kVariances, kVariancesClipped, kShares, kSharesClipped, kBelow, kComponentKinds };

// Weights and loadings of pairs above their floors; loadings and structure correlations of
// components above theirs.
enum Directions {
  kWeights,
  kLoadings,
  kWeightsHidden,
  kLoadingsHidden,
  kPcaLoadings,
  kPcaCorrelations,
  kDirectionKinds
};

struct Counts {
  std::array<Coverage, kPairKinds> pairs{};
  std::array<Coverage, kComponentKinds> components{};
  std::array<Coverage, kDirectionKinds> directions{};
  double releases = 0;
  double shortened = 0;  // sum of the shares of rows that were clipped
  double errors = 0;     // sum of the errors of all correlations, whether above their floors or not

  void add(const Counts& other) {
    const auto all = [](auto& to, const auto& from) {
      for (std::size_t i = 0; i < to.size(); ++i) to[i].add(from[i]);
    };
    all(pairs, other.pairs);
    all(components, other.components);
    all(directions, other.directions);
    releases += other.releases;
    shortened += other.shortened;
    errors += other.errors;
  }
};

struct Truth {
  Exact exact;
  pm::Cca pairs;
  pm::Pca components;

  explicit Truth(const Table& table) : exact(exactOf(table)) {
    pm::CcaInput cca;
    fill(table, exact, cca);
    askFor(table, cca);
    pairs = pm::cca(cca).value();
    pm::PcaInput pca;
    fill(table, exact, pca);
    pca.components = std::min(kMostComponents, table.features);
    components = pm::pca(pca).value();
  }
};

// Counts column j, with the given sign of the truth.
void add(const MatrixXd& truth, double sign, const MatrixXd& low, const MatrixXd& high, Index j,
         Coverage& count) {
  for (Index i = 0; i < truth.rows(); ++i) count.add(sign * truth(i, j), low(i, j), high(i, j));
}

void addPairs(const Table& table, const Truth& truth, const Sums& sums,
              const pm::Bootstrap& bootstrap, Counts& counts) {
  const pm::CcaInput input = ccaOf(table, sums, bootstrap.moments());
  const pm::SharedIntervals found = pm::ccaIntervals(bootstrap, input).value();
  const pm::Cca pairs = pm::cca(input).value();
  for (std::size_t j = 0; j < found.values.size(); ++j) {
    const pm::FigureInterval& pair = found.values[j];
    const int hidden = found.resolved ? kFirst : kFirstHidden;
    const int place = pair.below_noise_floor ? int(kPairsBelow) : hidden + (j == 0 ? 0 : 1);
    const double exact_value = truth.pairs.correlations[j].value;
    counts.pairs[std::size_t(place)].add(exact_value, pair.low, pair.high);
    counts.errors += std::abs(pairs.correlations[j].value - exact_value);
    if (pair.below_noise_floor) continue;

    const pm::CcaView* exact[] = {&truth.pairs.x, &truth.pairs.y};
    const pm::CcaView* shown[] = {&pairs.x, &pairs.y};
    double agreement = 0;
    for (std::size_t v = 0; v < 2; ++v) {
      const std::vector<int>& view = table.features_of[v];
      agreement += exact[v]->weights.col(Index(j)).dot(truth.exact.covariance(view, view) *
                                                       shown[v]->weights.col(Index(j)));
    }
    const double sign = agreement < 0 ? -1 : 1;
    for (std::size_t v = 0; v < 2; ++v) {
      const pm::ViewIntervals& own = found.views[v];
      add(exact[v]->weights, sign, own.weights_low, own.weights_high, Index(j),
          counts.directions[found.resolved ? kWeights : kWeightsHidden]);
      add(exact[v]->loadings, sign, own.loadings_low, own.loadings_high, Index(j),
          counts.directions[found.resolved ? kLoadings : kLoadingsHidden]);
    }
  }
}

void addComponents(const Table& table, const Truth& truth, const Sums& sums,
                   const pm::Bootstrap& bootstrap, Counts& counts) {
  const pm::PcaInput input = pcaOf(table, sums, bootstrap.moments());
  const pm::PcaIntervals found = pm::pcaIntervals(bootstrap, input).value();
  const pm::Pca components = pm::pca(input).value();
  const bool clipped = sums.shortened > kFewShortened;
  for (std::size_t j = 0; j < found.values.size(); ++j) {
    const pm::Explained& exact = truth.components.explained[j];
    const pm::FigureInterval& value = found.values[j];
    if (value.below_noise_floor) {
      counts.components[kBelow].add(exact.value, value.low, value.high);
      continue;
    }
    const pm::Interval& share = found.shares[j];
    counts.components[clipped ? kVariancesClipped : kVariances].add(1, value.low / exact.value,
                                                                    value.high / exact.value);
    counts.components[clipped ? kSharesClipped : kShares].add(exact.share, share.low, share.high);

    const auto at = Index(j);
    const double agreement = truth.components.loadings.col(at).dot(components.loadings.col(at));
    const double sign = agreement < 0 ? -1 : 1;
    add(truth.components.loadings, sign, found.loadings_low, found.loadings_high, at,
        counts.directions[kPcaLoadings]);
    add(truth.components.correlations, sign, found.correlations_low, found.correlations_high, at,
        counts.directions[kPcaCorrelations]);
  }
}

template <std::size_t n>
void print(const std::string& name, const std::array<Coverage, n>& row) {
  std::printf("| %s |", name.c_str());
  for (const Coverage& each : row) each.print();
}

void coverage(int trials, const std::string& part, bool centred) {
  std::printf(
      "95 %% intervals, %s: per cent that contain the population's value, of how many (per cent "
      "that lie above it, below it), mean width\n\n"
      "Canonical correlations; last columns: per cent of pairs below the floor, mean error of all "
      "values\n\n"
      "| set | resolved, first pair | resolved, others | not resolved, first | not resolved, "
      "others "
      "| below the floor | below | error |\n|---|---|---|---|---|---|---|---|\n",
      centred ? "releases with private centring" : "releases without");
  std::vector<std::pair<std::string, Counts>> sets;
  Counts all;
  std::map<std::string, Counts> kinds;
  const auto show = [](const std::string& name, const Counts& counts) {
    double pairs = 0;
    for (const Coverage& each : counts.pairs) pairs += each.figures;
    print(name, counts.pairs);
    std::printf(" %.1f | %.3f |\n", 100 * counts.pairs[kPairsBelow].figures / std::max(1.0, pairs),
                counts.errors / std::max(1.0, pairs));
    std::fflush(stdout);
  };
  for (const Table& table : tablesNamed(part)) {
    const Truth truth(table);
    pm::Drbg random = experiments::seeded(31);
    Counts own;
    std::uint64_t seed = 0;
    for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
      for (const double epsilon : {1.0, 3.0, 10.0}) {
        for (const int rows : {1000, 5000, 20000}) {
          if (table.features > 30 && rows > 5000) continue;
          for (int t = 0; t < trials; ++t) {
            const int sites = t % 2 == 0 ? 1 : kSites;
            const Sums sums = sampled(table, {mechanism, epsilon, rows, sites, centred}, random);
            const pm::Bootstrap bootstrap =
                pm::Bootstrap::create(sums, {kLevel, kDraws, ++seed}, table.sources).value();
            Counts counts;
            counts.releases = 1;
            counts.shortened = std::max(0.0, sums.shortened);
            addPairs(table, truth, sums, bootstrap, counts);
            addComponents(table, truth, sums, bootstrap, counts);
            own.add(counts);
            kinds[mechanism].add(counts);
            kinds[sites == 1 ? "one site" : "five sites"].add(counts);
          }
        }
      }
    }
    show(table.name, own);
    all.add(own);
    sets.emplace_back(table.name, own);
  }
  sets.insert(sets.end(), kinds.begin(), kinds.end());
  sets.emplace_back("all", all);
  for (std::size_t i = sets.size() - kinds.size() - 1; i < sets.size(); ++i) {
    show(sets[i].first, sets[i].second);
  }
  std::printf(
      "\nPrincipal components: variances (width relative to the truth) and shares, above the "
      "floor; "
      "variances below it; last column: per cent of rows clipped\n\n"
      "| set | variances, at most 1 %% of rows clipped | more clipped | shares | more clipped | "
      "below "
      "the floor | clipped |\n|---|---|---|---|---|---|---|\n");
  for (const auto& [name, counts] : sets) {
    print(name, counts.components);
    std::printf(" %.1f |\n", 100 * counts.shortened / counts.releases);
  }
  std::printf(
      "\nWeights and loadings, above the floor\n\n"
      "| set | resolved, weights | loadings | not resolved, weights | loadings | components' "
      "loadings | structure correlations |\n|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, counts] : sets) {
    print(name, counts.directions);
    std::printf("\n");
  }
}

// False positives ---------------------------------------------------------------------------------

// Whether a release of equal rows, at the mean of all numeric columns, shows a component.
bool constantStandsOut(const Table& table, const Setting& setting) {
  Table constant = table;
  for (Index c = 0; c < constant.cells.rows(); ++c) {
    const bool is_number = table.columns[std::size_t(c)].kind == pm::Column::Kind::kNumber;
    constant.cells.row(c).setConstant(is_number ? table.cells.row(c).mean() : 0);
  }
  const Sums sums =
      released(constant, setting, [&] { return std::vector<Index>(table.features_of.size(), 0); });
  pm::PcaInput input = pcaOf(table, sums, pm::assembleMoments(sums).value());
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

void falsePositives(const Table& table, int trials, bool centred) {
  for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
    for (const auto& [epsilon, sites] :
         {std::pair(1.0, 1), {1.0, kSites}, {10.0, 1}, {10.0, kSites}}) {
      const Setting setting{mechanism, epsilon, 2000, sites, centred};
      Positives positives;
      double first = 0;
      pm::Drbg random = experiments::seeded(32);
      for (int t = 0; t < trials; ++t) {
        const Sums sums = shuffled(table, setting, random);
        const pm::AssembledMoments moments = pm::assembleMoments(sums).value();
        const pm::CcaInput alone = ccaOf(table, sums, moments);
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
        positives.found[5] += constantStandsOut(table, setting);
      }
      const auto share = [&](int place) {
        return 100.0 * positives.found[std::size_t(place)] / positives.runs;
      };
      std::printf(
          "| %-24s | %3d | %-17s | %4.0f | %d | %4d | %5.1f | %5.1f | %5.1f | %5.1f | %5.1f | "
          "%5.1f | "
          "%.2f |\n",
          table.name.c_str(), table.features, mechanism, epsilon, sites, positives.runs, share(0),
          share(1), share(2), share(3), share(4), share(5), first);
      std::fflush(stdout);
    }
  }
}

void shuffledViews(int trials, const std::string& part, bool centred) {
  std::printf(
      "Views of different rows, 2000 of them: per cent of runs with anything above its floor\n\n"
      "| set | D | mechanism | epsilon | sites | runs | cca | the same, noise alone counted | "
      "without "
      "weights | "
      "gcca | R^2 | pca of equal rows | mean floor "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<Table> tables = tablesNamed(part);
  const auto add = [&](Table table) {
    if (table.name.find(part) != std::string::npos) tables.push_back(std::move(table));
  };
  add(offCentre("off-centre, 0.95", {70, 70}, 0.95, 0.02));
  add(offCentre("off-centre, 0.8", {70, 70}, 0.8, 0.05));
  add(offCentre("off-centre in one view", {120, 20}, 0.95, 0.02, true));
  add(offCentre("off-centre, three views", {10, 10, 10}, 0.95, 0.02));
  add(frequentIndicators());
  for (const Table& table : tables) falsePositives(table, trials, centred);
}

// Adjusted for covariates ------------------------------------------------------------------------

// The first columns of the first view, up to two, as covariates; the rest of it and the second view
// are analysed.
struct Split {
  std::vector<int> covariates;
  std::vector<int> x;

  explicit Split(const Table& table) {
    const std::vector<int>& view = table.features_of[0];
    int columns = 0;
    int last = -1;
    const std::set<int> all(table.sources.begin() + view.front(),
                            table.sources.begin() + view.back() + 1);
    const int most = all.size() > 3 ? 2 : 1;
    for (const int feature : view) {
      const int source = table.sources[std::size_t(feature)];
      columns += source == last ? 0 : 1;
      last = source;
      (columns <= most ? covariates : x).push_back(feature);
    }
  }
};

// What the analysis of residuals knows, as the package passes it on.
struct Residuals {
  pm::Adjustment adjusted;
  pm::CcaInput input;
  std::vector<int> columns;

  Residuals(const Table& table, const Split& split, const Sums& sums) {
    pm::AdjustmentInput question;
    question.sums = sums;
    question.views = {split.x, table.features_of[1]};
    question.covariates = split.covariates;
    question.columns = table.sources;
    question.centre_spread = sums.centre_spread;
    adjusted = pm::adjust(question).value();
    const auto rows = int(split.x.size());
    const auto all = int(adjusted.sums.dimension);
    for (int i = 0; i < all; ++i) {
      (i < rows ? input.x : input.y).push_back(i);
      const int from =
          i < rows ? split.x[std::size_t(i)] : table.features_of[1][std::size_t(i - rows)];
      columns.push_back(table.sources[std::size_t(from)]);
    }
    input.components = std::min<int>(kMostPairs, std::min(rows, all - rows));
    ask(sums, input);
  }

  void ask(const Sums& sums, pm::CcaInput& to) const {
    const pm::AssembledMoments moments = pm::assembleMoments(adjusted.sums).value();
    to.covariance = moments.scaled_covariance;
    to.noise = moments.covariance_noise;
    to.mean_noise = moments.mean_noise;
    const double shared = std::sqrt(std::pow(adjusted.between_views, 2) - 1);
    to.trace_bound = sums.bound * (1 + shared);
    to.half = adjusted.sums.half;
    to.frame = adjusted.sums.frame;
    to.columns = columns;
    to.between_views = adjusted.between_views;
    to.centre_spread = adjusted.centre_spread;
    to.trace_lost = sums.trace_lost;
    to.rows = moments.rows;
  }
};

// The population as a sum without noise.
Sums populationOf(const Table& table) {
  const Exact exact = exactOf(table);
  Sums sums;
  sums.dimension = table.features;
  sums.constant = 1;
  sums.rows = 1e6;
  sums.mid = VectorXd::Zero(table.features);
  sums.half = VectorXd::Ones(table.features);
  sums.bound = double(table.columns.size());
  MatrixXd moments(table.features + 1, table.features + 1);
  moments(0, 0) = 1;
  moments.topRightCorner(1, table.features) = exact.mean.transpose();
  moments.bottomLeftCorner(table.features, 1) = exact.mean;
  moments.bottomRightCorner(table.features, table.features) =
      exact.covariance + exact.mean * exact.mean.transpose();
  sums.packed = pm::packedUpper(1e6 * moments);
  return sums;
}

void adjustedCoverage(int trials, const std::string& part, bool centred) {
  std::printf(
      "CCA adjusted for the first columns of the first view: 95 %% intervals as above, and per "
      "cent "
      "of runs with anything above its floor where views come from different rows\n\n"
      "| set | covariates | first pair: unadjusted, adjusted | resolved, first pair | resolved, "
      "others | not resolved, first | not resolved, others | below the floor | false positives | "
      "covariates with hidden directions |\n|---|---|---|---|---|---|---|---|---|---|\n");
  std::array<Coverage, kPairKinds> all{};
  int every_false = 0, every_run = 0, every_hidden = 0;
  const auto show = [](const std::array<Coverage, kPairKinds>& pairs, double positives,
                       double hidden) {
    for (const Coverage& each : pairs) each.print();
    std::printf(" %.1f | %.0f |\n", 100 * positives, 100 * hidden);
    std::fflush(stdout);
  };
  for (const Table& table : tablesNamed(part)) {
    const Split split(table);
    const Residuals population(table, split, populationOf(table));
    const pm::Cca truth = pm::cca(population.input).value();
    const double unadjusted = Truth(table).pairs.correlations[0].value;
    pm::Drbg random = experiments::seeded(34);
    std::array<Coverage, kPairKinds> own{};
    int runs = 0, hidden = 0, false_positives = 0;
    std::uint64_t seed = 0;
    for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
      for (const double epsilon : {1.0, 10.0}) {
        for (const int rows : {1000, 5000}) {
          if (table.features > 60 && rows > 1000) continue;
          for (int t = 0; t < trials; ++t) {
            const Setting setting{mechanism, epsilon, rows, t % 2 == 0 ? 1 : kSites, centred};
            const Sums sums = sampled(table, setting, random);
            const Residuals found(table, split, sums);
            const pm::Bootstrap bootstrap =
                pm::Bootstrap::create(found.adjusted.sums, {kLevel, kDraws, ++seed}, found.columns)
                    .value();
            const pm::SharedIntervals intervals = pm::ccaIntervals(bootstrap, found.input).value();
            ++runs;
            hidden += found.adjusted.hidden > 0 ? 1 : 0;
            for (std::size_t j = 0; j < intervals.values.size(); ++j) {
              const pm::FigureInterval& pair = intervals.values[j];
              const int kind = intervals.resolved ? kFirst : kFirstHidden;
              const int place = pair.below_noise_floor ? int(kPairsBelow) : kind + (j == 0 ? 0 : 1);
              own[std::size_t(place)].add(truth.correlations[j].value, pair.low, pair.high);
            }
            const Sums nothing = shuffled(table, setting, random);
            false_positives += anyAbove(pm::cca(Residuals(table, split, nothing).input).value());
          }
        }
      }
    }
    std::printf("| %s | %zu | %.2f, %.2f |", table.name.c_str(), split.covariates.size(),
                unadjusted, truth.correlations[0].value);
    show(own, double(false_positives) / runs, double(hidden) / runs);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].add(own[i]);
    every_false += false_positives;
    every_run += runs;
    every_hidden += hidden;
  }
  std::printf("| all | | |");
  show(all, double(every_false) / every_run, double(every_hidden) / every_run);
}

// Tests
// --------------------------------------------------------------------------------------------

// Views that share nothing: how often a test at 5 % still counts a pair, and how often the p-value
// of a coefficient is at most 5 % although the coefficient is 0.
void testLevels(int trials, const std::string& part, bool centred) {
  std::printf(
      "Views of different rows: per cent of p-values of at most .05, of how many: that there is a "
      "pair; coefficients of the first column of the second view on the first\n\n| set | pairs | "
      "coefficients |\n|---|---|---|\n");
  double all_pairs = 0, all_runs = 0, all_small = 0, all_coefficients = 0;
  const auto show = [](const std::string& name, double pairs, double runs, double small,
                       double coefficients) {
    std::printf("| %s | %.1f of %.0f | %.1f of %.0f |\n", name.c_str(), 100 * pairs / runs, runs,
                100 * small / std::max(1.0, coefficients), coefficients);
    std::fflush(stdout);
  };
  for (const Table& table : tablesNamed(part)) {
    pm::Drbg random = experiments::seeded(35);
    double pairs = 0, runs = 0, small = 0, coefficients = 0;
    std::uint64_t seed = 0;
    for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
      for (const double epsilon : {1.0, 10.0}) {
        for (int t = 0; t < trials; ++t) {
          const Setting setting{mechanism, epsilon, 2000, t % 2 == 0 ? 1 : kSites, centred};
          const Sums sums = shuffled(table, setting, random);
          const pm::Bootstrap bootstrap =
              pm::Bootstrap::create(sums, {kLevel, 99, ++seed}, table.sources).value();
          pm::CcaInput input = ccaOf(table, sums, bootstrap.moments());
          input.components = 1;
          ++runs;
          pairs += pm::ccaTests(bootstrap, input).value()[0] <= 0.05 ? 1 : 0;

          pm::RegressionInput regression;
          static_cast<pm::NoisyCovariance&>(regression) = input;
          regression.mean = bootstrap.moments().mean;
          regression.target = input.y[0];
          regression.features = input.x;
          regression.rows = bootstrap.rows();
          regression.level = kLevel;
          const pm::Regression fit = pm::regress(regression).value();
          for (const pm::RegressionFigure& each : fit.coefficients) {
            ++coefficients;
            small += each.p <= 0.05 ? 1 : 0;
          }
        }
      }
    }
    show(table.name, pairs, runs, small, coefficients);
    all_pairs += pairs;
    all_runs += runs;
    all_small += small;
    all_coefficients += coefficients;
  }
  show("all", all_pairs, all_runs, all_small, all_coefficients);
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

void regression(int trials, const std::string& part, bool centred) {
  std::printf(
      "Regressions of each column of the second view on the first: share of the variance that fits "
      "explain in the population.\nFits, worst, tenth percentile, mean (mean of the R^2 stated)\n\n"
      "| set | R^2 above its floor | R^2 below |\n|---|---|---|\n");
  Fits all_above;
  Fits all_below;
  for (const Table& table : tablesNamed(part)) {
    const Exact exact = exactOf(table);
    pm::Drbg random = experiments::seeded(33);
    Fits above;
    Fits below;
    for (const char* mechanism : {"gaussian", "two-sided-wishart"}) {
      for (const double epsilon : {0.3, 1.0, 3.0}) {
        for (const int rows : {500, 2000}) {
          for (int t = 0; t < trials; ++t) {
            const Sums sums = sampled(table, {mechanism, epsilon, rows, 1, centred}, random);
            const pm::AssembledMoments moments = pm::assembleMoments(sums).value();
            for (const int target : table.features_of[1]) {
              if (exact.covariance(target, target) < 1e-12) continue;
              pm::RegressionInput input;
              fill(table, sums, moments, input);
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
  const bool centred = argc <= 4 || std::string(argv[4]) != "uncentred";
  if (what == "coverage") {
    coverage(trials, part, centred);
  } else if (what == "shuffled") {
    shuffledViews(trials, part, centred);
  } else if (what == "adjusted") {
    adjustedCoverage(trials, part, centred);
  } else if (what == "tests") {
    testLevels(trials, part, centred);
  } else if (what == "regression") {
    regression(trials, part, centred);
  } else {
    std::fprintf(stderr,
                 "usage: real_coverage coverage|shuffled|adjusted|tests|regression [trials] [set] "
                 "[uncentred]\n");
    return 1;
  }
  return 0;
}
