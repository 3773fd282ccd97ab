// What fixed clipping about the middle of the bounds costs behind masks: the error of the
// covariance (covariance_error.hpp) of rows split among sites, in the median of many runs,
//   independent  releases with private centring, each in coordinates of its own
//   split        a sum behind masks about the middle of the bounds
//   two rounds   such a sum for a share of the budget, whose means and spreads become the
//                coordinates of another for the rest
// Two thirds of the sites and one more site at most are assumed honest, as the designer proposes.
//
// usage: masked_sites [runs] [part of a set's name] [rules]
// With `rules`, two rounds for several shares and several lengths to which rows are clipped.
// Tables: node experiments/real_tables.mjs.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/moments/centred_assembly.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/square.hpp"
#include "experiments/covariance_error.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDelta = 1e-6;
constexpr double kShare = 0.1;
constexpr double kTimesRoot = 2;

/// Coordinates z = (x - centre) / scale of the scaled features, and the length to clip to.
struct Frame {
  std::vector<double> centre;
  std::vector<double> scale;
  double radius = 0;
};

class Sites {
 public:
  Sites(const Table& table, int sites)
      : table_(table), truth_(table, table.columns), sites_(sites) {}

  double independent(double epsilon, double delta) const {
    pm::MechanismParams p = params(epsilon, delta);
    p.clipping = pm::Clipping::kCentred;
    for (const pm::Column& column : table_.columns) {
      (column.kind == pm::Column::Kind::kNumber ? p.numbers : p.categories) += 1;
    }
    const pm::Plan plan = pm::planCentring(mechanismFor(delta), p).value();
    pm::CentredAssembly assembly = pm::CentredAssembly::create(table_.features).value();
    for (int s = 0; s < sites_; ++s) {
      const pm::CentredRelease release =
          pm::releaseCentred(
              plan, table_.columns, pm::MissingRule::kCentre,
              [&](const auto& add) { return add(rowsOf(s)); }, &fillFromSeed)
              .value();
      const double radius = release.radius(), grid = std::ldexp(radius * radius, -2 * plan.bits);
      pm::CentredScale scale;
      scale.radius = radius;
      scale.unit = std::ldexp(grid, plan.release_shift);
      scale.constant = std::ldexp(double(plan.constant), -plan.bits) * radius;
      scale.mean = plan.noise_mean * grid;
      scale.diagonal = plan.sd_diagonal * grid;
      scale.off_diagonal = plan.sd_off_diagonal * grid;
      scale.centre = release.survey.coordinates.centre;
      scale.scale = release.survey.coordinates.scale;
      if (assembly.add(release.moments.values, scale, release.moments.rows)) std::abort();
    }
    pm::CentredSums sums = assembly.sum().value();
    pm::MomentSums moments;
    moments.packed = std::move(sums.packed);
    moments.dimension = table_.features;
    moments.constant = 1;
    moments.rows = double(*sums.rows);
    return errorIn(sums.units, pm::scaledMoments(moments));
  }

  double split(double epsilon, double delta) const {
    const Frame middle = middleOfBounds();
    return errorIn(middle.scale, sum(planOf(epsilon, delta, middle), middle));
  }

  /// @param share      of the budget, for the first round
  /// @param times_root rows are clipped to this many times the root of the number of features
  double twoRounds(double epsilon, double delta, double share, double times_root) const {
    double first = epsilon * share, second = epsilon - first;
    if (delta > 0) {
      const double mu = pm::gdpOfEpsilonDelta(epsilon, delta);
      first = pm::epsilonOfGdp(mu * std::sqrt(share), delta);
      second = pm::epsilonOfGdp(mu * std::sqrt(1 - share), delta);
    }
    const Frame middle = middleOfBounds();
    const pm::Plan plan = planOf(first, delta, middle);
    const Frame found = frameAbout(plan, middle.radius, sum(plan, middle), times_root);
    return errorIn(found.scale, sum(planOf(second, delta, found), found));
  }

 private:
  pm::MechanismParams params(double epsilon, double delta) const {
    pm::MechanismParams p{};
    p.epsilon = epsilon;
    p.delta = delta;
    p.neighbours = pm::Neighbours::kReplaceOne;
    p.unit = pm::Unit::kRow;
    p.dimension = table_.features;
    p.sites = sites_;
    return p;
  }

  std::span<const double> rowsOf(int site) const {
    const Index n = table_.cells.cols(), columns = table_.cells.rows();
    const Index from = n * site / sites_, to = n * (site + 1) / sites_;
    return {table_.cells.data() + from * columns, std::size_t((to - from) * columns)};
  }

  Frame middleOfBounds() const {
    return {{},
            std::vector<double>(std::size_t(table_.features), 1.0),
            std::sqrt(double(table_.columns.size()))};
  }

  pm::Plan planOf(double epsilon, double delta, const Frame& frame) const {
    pm::MechanismParams p = params(epsilon, delta);
    p.row_norm = frame.radius;
    p.sharing.mode = pm::Federation::kSplit;
    p.sharing.honest = 2 * sites_ / 3 + 1;
    if (!frame.centre.empty()) p.constant = pm::Constant::kCentred;
    return pm::planFederated(mechanismFor(delta), p).value();
  }

  /// The moments of all sites. Masks cancel, so they are left out.
  pm::ScaledMoments sum(const pm::Plan& plan, const Frame& frame) const {
    pm::MaskSum words(plan.length);
    std::uint64_t rows = 0;
    for (int s = 0; s < sites_; ++s) {
      pm::IntakeTerms terms{};
      terms.columns = table_.columns;
      terms.row_norm = frame.radius;
      terms.missing = pm::MissingRule::kCentre;
      terms.neighbours = plan.params.neighbours;
      terms.bits = plan.bits;
      terms.max_rows = plan.max_rows;
      terms.constant = plan.params.constant;
      terms.centre = frame.centre;
      if (!frame.centre.empty()) terms.scale = frame.scale;
      pm::Intake intake = pm::Intake::create(std::move(terms)).value();
      if (intake.add(rowsOf(s))) std::abort();
      std::vector<std::uint64_t> mask(plan.length);
      const pm::Masked masked = pm::releaseBehind(mask, plan, intake, &fillFromSeed).value();
      if (words.add(masked.payload)) std::abort();
      rows += *masked.rows;
    }
    return momentsOf(plan, pm::unmask(plan, words.words(), rows).value(), double(rows),
                     frame.radius);
  }

  /// The rule of `centredStudy` in the package: number columns about their noisy means, shrunk
  /// towards the middle of the bounds as far as they may be noise, in units of their noisy spread
  /// or, where that is larger, of what noise alone would show as spread.
  Frame frameAbout(const pm::Plan& plan, double radius, const pm::ScaledMoments& moments,
                   double times_root) const {
    const double grid = std::ldexp(radius * radius, -2 * plan.bits);
    const double all = std::sqrt(double(sites_)), n = moments.rows;
    const double constant = std::ldexp(double(plan.constant), -plan.bits) * radius;
    const double noise = plan.sd_off_diagonal * grid * all / (constant * n);
    Frame found = middleOfBounds();
    found.centre.resize(found.scale.size());
    double longest = 0, squares = 0;
    std::size_t j = 0;
    for (const pm::Column& column : table_.columns) {
      if (column.kind != pm::Column::Kind::kNumber) {
        j += std::size_t(column.features());
        longest += 1;
        squares += 1;
        continue;
      }
      const double mean = moments.scaled_mean[Index(j)];
      const double signal = std::max(0.0, pm::square(mean) - pm::square(noise));
      const double shrunk = signal > 0 ? mean * signal / (signal + pm::square(noise)) : 0;
      const double centre = std::clamp(shrunk, -1.0, 1.0);
      const double about =
          moments.scaled_covariance(Index(j), Index(j)) + pm::square(mean - centre);
      const double doubt = std::hypot(plan.sd_diagonal * grid * all / n, 2 * mean * noise);
      const double scale = std::sqrt(std::clamp(std::max(about, doubt), 0x1p-40, 1.0));
      found.centre[j] = centre;
      found.scale[j] = scale;
      longest += pm::square((1 + std::abs(centre)) / scale);
      squares += 1;
      ++j;
    }
    found.radius = std::min(times_root * std::sqrt(squares), std::sqrt(longest));
    return found;
  }

  double errorIn(const std::vector<double>& units, const pm::ScaledMoments& moments) const {
    const Eigen::Map<const VectorXd> unit(units.data(), table_.features);
    MatrixXd covariance = moments.scaled_covariance;
    covariance.array() *= (unit * unit.transpose()).array();
    return truth_.errorOf(covariance);
  }

  const Table& table_;
  TrueCovariance truth_;
  int sites_;
};

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 21;
  const std::string part = argc > 2 ? argv[2] : "";
  const bool rules = argc > 3;
  std::vector<Table> tables = realTables();
  tables.insert(tables.begin(), farFromCentre());
  for (const Table& table : tables) {
    if (table.name.find(part) == std::string::npos || table.cells.cols() < 100) continue;
    for (const int count : {2, 5, 20}) {
      const Sites sites(table, count);
      for (const double delta : {kDelta, 0.0}) {
        for (const double epsilon : {1.0, 3.0, 10.0}) {
          std::printf("%-20s S %-3d delta %-6g eps %-4g", table.name.c_str(), count, delta,
                      epsilon);
          std::printf(" %8.3g", median(runs, [&] { return sites.independent(epsilon, delta); }));
          std::printf(" %8.3g  ", median(runs, [&] { return sites.split(epsilon, delta); }));
          if (rules) {
            for (const double share : {0.1, 0.2}) {
              std::printf(" |");
              for (const double times : {1.0, 1.5, 2.0, 2.5, 3.0})
                std::printf(" %7.3g", median(runs, [&] {
                              return sites.twoRounds(epsilon, delta, share, times);
                            }));
            }
          } else {
            std::printf(" %8.3g", median(runs, [&] {
                          return sites.twoRounds(epsilon, delta, kShare, kTimesRoot);
                        }));
          }
          std::printf("\n");
          std::fflush(stdout);
        }
      }
    }
  }
}
