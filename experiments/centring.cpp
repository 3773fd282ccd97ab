// The gain from private centring: the error of the covariance, |S^-1 (C' - C) S^-1|_F over
// |S^-1 C S^-1|_F with S the standard deviations of the columns, in the median of many studies.
// Each set is released with the bounds of its table, with an expert's (mean -+ 3 standard
// deviations), and with bounds three times as wide as the table's, by one site or as the sum of
// several. Ends with the targets of private centring, and how many cases meet each. Beside those
// that do not is the error that private centring could have at best: with the true means and
// spreads for nothing, the whole budget for the moments, and the best of a dozen radii.
//
// usage: centring FOLDER [studies] [part of a set's name]
// Writes FOLDER/centring.csv. Tables: node experiments/real_tables.mjs.
#include "core/mechanisms/centring.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "experiments/centred_sum.hpp"
#include "experiments/covariance_error.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

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

  /// The error that private centring could have at best.
  double atBest(double epsilon, double delta, int studies) const {
    double least = 1;  // of answering zero
    for (const double length : {.1, .3, .5, .7, 1., 1.2, 1.4, 1.7, 2., 3., 4., 6., 10., 20.}) {
      const double error = median(studies, [&] { return known(epsilon, delta, length); });
      least = std::min(least, error);
    }
    return least;
  }

 private:
  /// The error with known means and spreads.
  /// @param length the clip radius, in typical lengths of a row
  double known(double epsilon, double delta, double length) const {
    const MatrixXd& standardised = truth_.standardisedRows();
    const Index d = standardised.rows();
    const double most = standardised.cwiseAbs().maxCoeff();
    const std::vector<pm::Column> columns(std::size_t(d),
                                          {pm::Column::Kind::kNumber, -most, most, 0});
    pm::MechanismParams p = params(epsilon, delta);
    p.row_norm = std::min(length / most, 1.0) * std::sqrt(double(d));
    p.constant = pm::Constant::kCentred;
    const pm::Plan plan = mechanismFor(delta).plan(p).value();
    pm::Assembly assembly = pm::Assembly::create(int(d)).value();
    const Index sites = Index(rows_.size());
    for (Index site = 0; site < sites; ++site) {
      const MatrixXd rows =
          standardised(Eigen::all, Eigen::seq(site, standardised.cols() - 1, sites));
      addRelease(assembly, plan, columns, {rows.data(), std::size_t(rows.size())});
    }
    const pm::ReleaseScale scale = pm::releaseScale(plan, p.row_norm);
    const pm::AssembledSums sums = assembly.sum(std::span(&scale, 1), scale.constant).value();
    return truth_.errorOfStandardised(most * most * covarianceOf(table_, sums, scale.constant));
  }

  const Table& table_;
  std::vector<pm::Column> columns_;
  std::vector<std::vector<double>> rows_;  // of each site
  TrueCovariance truth_;
};

constexpr double kEpsilons[] = {0.3, 1, 3, 10};
constexpr const char* kBoundsNames[] = {"table", "expert", "wide"};

/// A site with fewer rows makes no release here.
constexpr Index kFewestRows = 5;

struct Case {
  const Table* table;
  Bounds bounds;
  int sites;
  double delta, epsilon;
  int studies = 0;               // of which the errors are medians
  double before = 0, after = 0;  // error without and with centring

  double signal() const {  // n epsilon / D of a site
    return double(table->cells.cols()) / sites * epsilon / table->features;
  }
};

/// Numbers of studies for a measure and, where a median may miss a target by chance, for a second
/// one. Small sets take many: they cost little and their errors vary most.
struct Effort {
  int first, again;
};

Effort effortFor(const Table& table, int sites, int studies) {
  const Index cells = table.cells.size();
  const int times = cells < 10'000 ? 10 : cells < 100'000 ? 4 : 1;
  const int first = std::max(5, 2 * studies * times / (sites + 1));
  return {first, 5 * first};
}

void measure(Case& c, const Study& study, int studies) {
  c.studies = studies;
  c.before = median(studies, [&] { return study.uncentred(c.epsilon, c.delta); });
  c.after = median(studies, [&] { return study.centred(c.epsilon, c.delta); });
}

using Cases = std::vector<Case>;

/// The same with an expert's bounds.
Case& expertOf(Cases& cases, const Case& c) {
  return *std::find_if(cases.begin(), cases.end(), [&](const Case& other) {
    return other.bounds == Bounds::kExpert && other.table == c.table && other.sites == c.sites &&
           other.delta == c.delta && other.epsilon == c.epsilon;
  });
}

/// What all cases that it applies to should have: a ratio that is not above the bar.
struct Target {
  const char* what;
  double bar;
  bool (*applies)(const Case&);
  double (*ratio)(const Case& c, const Case& expert);
};

bool madeUp(const Case& c) {
  return c.table->name == kMadeUp && c.bounds == Bounds::kTable && c.epsilon == 1 && c.sites == 1;
}

const Target kTargets[] = {
    {"error of the made-up set, epsilon 1, delta 1e-6", 0.35,
     [](const Case& c) { return madeUp(c) && c.delta > 0; },
     [](const Case& c, const Case&) { return c.after; }},
    {"error of the made-up set, epsilon 1, pure", 1,
     [](const Case& c) { return madeUp(c) && c.delta == 0; },
     [](const Case& c, const Case&) { return c.after; }},
    {"centred over uncentred, table bounds, n epsilon / D > 50", 0.5,
     [](const Case& c) { return c.bounds == Bounds::kTable && c.signal() > 50; },
     [](const Case& c, const Case&) { return c.after / c.before; }},
    {"centred over uncentred, everywhere", 1.05, [](const Case&) { return true; },
     [](const Case& c, const Case&) { return c.after / c.before; }},
    {"table bounds over an expert's, n epsilon / D > 100", 1.3,
     [](const Case& c) { return c.bounds == Bounds::kTable && c.signal() > 100; },
     [](const Case& c, const Case& expert) { return c.after / expert.after; }},
};

/// Studies of which the error at best is the median.
constexpr int kBestStudies = 7;

/// Prints how many cases meet a target, after those that do not, for releases of this number of
/// sites.
void check(const Target& target, Cases& cases, int sites, int studies) {
  int count = 0, missed = 0, beyond = 0;
  double worst = 0;
  const Case* of = nullptr;
  const auto print = [](const char* before, const Case& c) {
    std::printf("%s%s, %s bounds, delta %g, epsilon %g", before, c.table->name.c_str(),
                kBoundsNames[int(c.bounds)], c.delta, c.epsilon);
  };
  for (Case& c : cases) {
    if (c.sites != sites || !target.applies(c)) continue;
    Case& expert = expertOf(cases, c);
    const Effort effort = effortFor(*c.table, sites, studies);
    if (target.ratio(c, expert) > target.bar && c.studies < effort.again) {
      measure(c, Study(*c.table, c.bounds, sites), effort.again);
      measure(expert, Study(*c.table, Bounds::kExpert, sites), effort.again);
    }
    const double ratio = target.ratio(c, expert);
    ++count;
    if (ratio > target.bar) {
      ++missed;
      Case best = c;
      best.after = Study(*c.table, c.bounds, sites).atBest(c.epsilon, c.delta, kBestStudies);
      const double least = target.ratio(best, expert);
      beyond += least > target.bar;
      print("  ", c);
      std::printf(": %.3g, at best %.3g\n", ratio, least);
    }
    if (ratio <= worst) continue;
    worst = ratio;
    of = &c;
  }
  if (count == 0) return;
  std::printf("%-10s  %s, %d %s: at most %g in %d of %d cases",
              missed == 0 ? "holds" : "not in all", target.what, sites,
              sites == 1 ? "site" : "sites", target.bar, count - missed, count);
  if (beyond > 0) std::printf(", and in %d not at best", beyond);
  std::printf("; worst %.3g", worst);
  print(" (", *of);
  std::printf(")\n");
}

/// Prints how many times smaller the error is with centring, in the median over sets and epsilons.
void printGains(const Cases& cases, int sites) {
  std::printf("%d %s: error without centring over error with it, median\n", sites,
              sites == 1 ? "site" : "sites");
  for (const Bounds bounds : {Bounds::kExpert, Bounds::kTable, Bounds::kWide}) {
    for (const double delta : {kDelta, 0.0}) {
      std::vector<double> gains;
      for (const Case& c : cases) {
        if (c.sites == sites && c.bounds == bounds && c.delta == delta) {
          gains.push_back(c.before / c.after);
        }
      }
      const auto middle = gains.begin() + std::ptrdiff_t(gains.size() / 2);
      std::nth_element(gains.begin(), middle, gains.end());
      if (middle != gains.end()) {
        std::printf("  %-7s delta %-6g %.3g\n", kBoundsNames[int(bounds)], delta, *middle);
      }
    }
  }
}

void write(const std::filesystem::path& file, const Cases& cases) {
  std::ofstream out(file);
  out << "set,rows,features,bounds,sites,delta,epsilon,studies,uncentred,centred\n";
  for (const Case& c : cases) {
    out << c.table->name << ',' << c.table->cells.cols() << ',' << c.table->features << ','
        << kBoundsNames[int(c.bounds)] << ',' << c.sites << ',' << c.delta << ',' << c.epsilon
        << ',' << c.studies << ',' << c.before << ',' << c.after << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: centring FOLDER [studies] [part of a set's name]\n");
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  const int studies = argc > 2 ? std::atoi(argv[2]) : 21;
  const std::string part = argc > 3 ? argv[3] : "";
  std::vector<Table> tables = realTables();
  tables.insert(tables.begin(), farFromCentre());
  std::erase_if(tables, [&](const Table& table) {
    return table.name.find(part) == std::string::npos || table.features > kMostFeatures;
  });
  Cases cases;
  constexpr int kSites[] = {1, 5, 20};
  for (const int sites : kSites) {
    std::printf(
        "%d %s: error of the covariance without centring (adaptive clipping; pure: fixed "
        "norm) and with it\n%-20s %-7s %-6s %7s",
        sites, sites == 1 ? "site" : "sites", "", "bounds", "delta", "studies");
    for (const double epsilon : kEpsilons) std::printf("       epsilon %-4g", epsilon);
    std::printf("\n");
    for (const Table& table : tables) {
      if (table.cells.cols() < sites * kFewestRows) continue;
      for (const Bounds bounds : {Bounds::kExpert, Bounds::kTable, Bounds::kWide}) {
        const Study study(table, bounds, sites);
        for (const double delta : {kDelta, 0.0}) {
          const int first = effortFor(table, sites, studies).first;
          std::printf("%-20s %-7s %-6g %7d", table.name.c_str(), kBoundsNames[int(bounds)], delta,
                      first);
          for (const double epsilon : kEpsilons) {
            Case& c = cases.emplace_back(Case{&table, bounds, sites, delta, epsilon});
            measure(c, study, first);
            std::printf("  %8.3g %8.3g", c.before, c.after);
          }
          std::printf("\n");
          std::fflush(stdout);
        }
      }
    }
    std::printf("\n");
  }
  for (const int sites : kSites) printGains(cases, sites);
  for (const Target& target : kTargets) {
    for (const int sites : kSites) check(target, cases, sites, studies);
  }
  write(folder / "centring.csv", cases);
  return 0;
}
