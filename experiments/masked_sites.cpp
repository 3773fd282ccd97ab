// What fixed clipping about the middle of the bounds costs behind masks: the error of the
// covariance (covariance_error.hpp) of rows split among sites, in the median of many runs,
//   independent  releases with private centring, each in coordinates of its own
//   split        a sum behind masks about the middle of the bounds
//   two rounds   such a sum for a share of the budget, whose means and spreads become the
//                coordinates of another for the rest
// Two thirds of the sites and one more site at most are assumed honest, as the designer proposes.
//
// usage: masked_sites [runs] [part of a set's name]
// Tables: node experiments/real_tables.mjs.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/federation/masked.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/square.hpp"
#include "experiments/covariance_error.hpp"
#include "experiments/support/centred_sum.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDelta = 1e-6;
/// Smaller tables have too few rows for twenty sites.
constexpr int kLeastRows = 100;
/// Shares of the budget for the first of two rounds.
constexpr double kShares[] = {0.1, 0.2};

/// Coordinates z = (x - centre) / scale of the scaled features, and the length to clip to.
struct Frame {
  std::vector<double> centre;
  std::vector<double> scale;
  double radius = 0;
  double typical = 1;  ///< squared length of a typical row over the number of columns
};

class Sites {
 public:
  Sites(const Table& table, int sites)
      : table_(table), truth_(table, table.columns), sites_(sites) {}

  double independent(double epsilon, double delta) const {
    const pm::Plan plan = experiments::centredPlan(params(epsilon, delta), table_.columns);
    pm::CentredSums sums = centredSum(plan, table_.columns, std::size_t(sites_),
                                      [&](std::size_t site) { return rowsOf(int(site)); });
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

  /// @param share of mu^2, or of a pure epsilon, for the first round
  double twoRounds(double epsilon, double delta, double share) const {
    double first = epsilon * share, second = epsilon - first;
    if (delta > 0) {
      const double mu = pm::gdpOfEpsilonDelta(epsilon, delta);
      first = pm::epsilonOfGdp(mu * std::sqrt(share), delta);
      second = pm::epsilonOfGdp(mu * std::sqrt(1 - share), delta);
    }
    const Frame middle = middleOfBounds();
    const pm::Plan plan = planOf(first, delta, middle);
    Frame found = frameAbout(plan, middle.radius, sum(plan, middle));
    found.radius = radiusFor(planOf(second, delta, {found.centre, found.scale, 1}), found);
    return errorIn(found.scale, sum(planOf(second, delta, found), found));
  }

 private:
  pm::MechanismParams params(double epsilon, double delta) const {
    pm::MechanismParams p = experiments::rowParams(epsilon, delta, table_.features);
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
    return pm::planFederated(experiments::mechanismFor(delta), p).value();
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
      const pm::Masked masked =
          pm::releaseBehind(mask, plan, intake, &experiments::repeatableEntropy).value();
      if (words.add(masked.payload)) std::abort();
      rows += *masked.rows;
    }
    return momentsOf(plan, pm::unmask(plan, words.words(), rows).value(), double(rows),
                     frame.radius);
  }

  /// The rule of `Moments.centredStudy` in the package. Its radius is the longest possible row.
  Frame frameAbout(const pm::Plan& plan, double radius, const pm::ScaledMoments& moments) const {
    const double grid = std::ldexp(radius * radius, -2 * plan.bits);
    const double n = moments.rows, unit = grid * std::sqrt(double(sites_)) / n;
    const double constant = std::ldexp(double(plan.constant), -plan.bits) * radius;
    const double noise = plan.sd_off_diagonal * unit / constant;
    Frame found = middleOfBounds();
    found.centre.resize(found.scale.size());
    // As NoiseLaw states it: the root mean square over all features.
    const double sd = std::sqrt(pm::square(plan.sd_diagonal * unit) +
                                4 * pm::square(noise) * moments.scaled_mean.squaredNorm() /
                                    double(table_.features));
    struct Spread {
      std::size_t feature;
      double variance;
    };
    std::vector<Spread> spreads;
    double longest = 0, mean_variance = 0;
    std::size_t j = 0;
    for (const pm::Column& column : table_.columns) {
      if (column.kind != pm::Column::Kind::kNumber) {
        longest += 1;
      } else {
        const double mean = moments.scaled_mean[Index(j)];
        const double signal = std::max(0.0, pm::square(mean) - pm::square(noise));
        const double shrunk = signal > 0 ? mean * signal / (signal + pm::square(noise)) : 0;
        found.centre[j] = std::clamp(shrunk, -1.0, 1.0);
        spreads.push_back({j, moments.scaled_covariance(Index(j), Index(j)) +
                                  pm::square(mean - found.centre[j])});
        mean_variance += spreads.back().variance;
      }
      j += std::size_t(column.features());
    }
    const double numbers = std::max(1.0, double(spreads.size()));
    mean_variance /= numbers;
    double differences = 0;
    for (const Spread& s : spreads) {
      differences += pm::square(s.variance - mean_variance) / numbers;
    }
    const double own = std::max(0.0, differences - pm::square(sd)) / differences;
    const double common = std::max(mean_variance, sd / std::sqrt(numbers));
    const double columns = double(table_.columns.size());
    double typical = columns - double(spreads.size()), doubt = 0;
    for (const Spread& s : spreads) {
      const double shrunk = std::max(common + own * (s.variance - common), std::min(sd, common));
      const double variance = std::clamp(shrunk, 0x1p-40, 1.0);
      found.scale[s.feature] = std::sqrt(variance);
      typical += s.variance / variance;
      doubt += pm::square(sd / variance);
      longest += pm::square(1 + std::abs(found.centre[s.feature])) / variance;
    }
    found.typical = std::clamp((typical + std::sqrt(doubt) / 2) / columns, 0.25, 1.0);
    found.radius = std::sqrt(longest);
    return found;
  }

  /// @param plan of the second round, for rows clipped to 1
  double radiusFor(const pm::Plan& plan, const Frame& frame) const {
    const double d = table_.features, columns = double(table_.columns.size());
    const double sd = std::ldexp(plan.sd_off_diagonal, -2 * plan.bits) * std::sqrt(double(sites_)) /
                      double(table_.cells.cols());
    double best = 0, least = 0, k = 0.35;
    for (int step = 0; step < 14; ++step, k *= std::pow(2, 0.25)) {
      const double lost = columns * frame.typical * std::exp(-2 * k / std::sqrt(frame.typical));
      const double error =
          pm::square(lost) / std::sqrt(d) + pm::square(k * k * columns * sd) * d * (d + 1);
      if (best > 0 && error >= least) continue;
      least = error;
      best = k;
    }
    return std::min(best * std::sqrt(columns), frame.radius);
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

/// How often one way beats another, where either says anything: with an error below 1.
struct Tally {
  std::vector<double> split, rounds, rounds_of_split, shares;

  void add(const std::vector<double>& errors) {
    const double two = errors.back();
    if (std::min(errors[0], errors[1]) < 1) split.push_back(errors[0] / errors[1]);
    if (std::min(errors[0], two) < 1) rounds.push_back(errors[0] / two);
    if (std::min(errors[1], two) < 1) rounds_of_split.push_back(errors[1] / two);
    if (std::min(errors[2], two) < 1) shares.push_back(errors[2] / two);
  }

  void print() {
    print("independent, split", split);
    print("independent, two rounds", rounds);
    print("split, two rounds", rounds_of_split);
    print("10 %, 20 %", shares);
    std::printf("\n");
  }

  static void print(const char* name, std::vector<double>& ratios) {
    if (ratios.empty()) return;
    std::sort(ratios.begin(), ratios.end());
    const auto won = ratios.end() - std::upper_bound(ratios.begin(), ratios.end(), 1.0);
    std::printf("; %s: %zu, %td, %.2g", name, ratios.size(), won, ratios[ratios.size() / 2]);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 21;
  const std::string part = argc > 2 ? argv[2] : "";
  std::vector<Table> tables = realTables();
  tables.insert(tables.begin(), farFromCentre());
  std::printf("error of the covariance, and its ratio to that of the best\n");
  std::printf("%-20s %-5s %-6s %-7s %17s %17s", "", "sites", "delta", "epsilon", "independent",
              "split");
  for (const double share : kShares) std::printf("  two rounds (%.0f %%)", 100 * share);
  std::printf("\n");
  std::map<std::pair<int, double>, Tally> tallies;
  for (const Table& table : tables) {
    if (table.name.find(part) == std::string::npos || table.cells.cols() < kLeastRows) continue;
    for (const int count : {2, 5, 20}) {
      const Sites sites(table, count);
      for (const double delta : {kDelta, 0.0}) {
        for (const double epsilon : {1.0, 3.0, 10.0}) {
          std::vector<double> errors = {
              median(runs, [&] { return sites.independent(epsilon, delta); }),
              median(runs, [&] { return sites.split(epsilon, delta); })};
          for (const double share : kShares) {
            errors.push_back(median(runs, [&] { return sites.twoRounds(epsilon, delta, share); }));
          }
          const double best = *std::min_element(errors.begin(), errors.end());
          std::printf("%-20s %-5d %-6g %-7g", table.name.c_str(), count, delta, epsilon);
          for (const double error : errors) std::printf(" %9.3g (%5.3g)", error, error / best);
          std::printf("\n");
          std::fflush(stdout);
          tallies[{count, delta}].add(errors);
        }
      }
    }
  }
  std::printf(
      "\nwhere the better of the two has an error below 1: cases, how many the second wins,"
      " and the median of\nthe first error over the second\n");
  for (auto& [setting, tally] : tallies) {
    std::printf("%-3d sites, delta %-6g", setting.first, setting.second);
    tally.print();
  }
}
