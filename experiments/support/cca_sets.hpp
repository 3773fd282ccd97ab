// The data of Imtiaz and Sarwate's experiments on canonical correlations, made as their scripts
// make it: facts from github.com/hafizimtiaz/capeCCA, no code.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

#include "experiments/support/table_file.hpp"
#include "experiments/support/two_views.hpp"

namespace two_views {

/// Upper and lower halves of handwritten digits, 50 principal components each; every row is scaled
/// to length 1. All 50 correlations are compared, and the leading 25 pairs span the subspaces, as
/// all 50 span everything.
Set digitHalves(const std::filesystem::path& folder, Index most);

/// Five equally likely sources; source i has mean i in all 20 columns of the first view and
/// 2 i - 5 in those of the second, and independent normal columns of variance i about them. (A
/// comment there calls the second view's law Laplace; the generator is normal for both.)
Set fiveSources(Index n);

/// Subjects whose profiles over five maps and over five components of EEG have correlations .9, .7,
/// .5, .3 and .1. Each view consists of its five principal components, divided by the largest
/// length of its rows.
Set imaging(const std::filesystem::path& folder, Index subjects);

/// Students: three psychological variables and five on school results, standardised; each student
/// 20 times.
Set students(const std::filesystem::path& folder);

/// Where a set is tried: what stays fixed on the axis of each figure.
struct Plan {
  Index rows_by_epsilon, rows_by_delta;
  double epsilon_by_delta, epsilon_by_rows;
  std::vector<Index> rows;
  int runs;
};

/// The delta of the paper, where delta is not the axis.
constexpr double kPaperDelta = 0.01;

/// Calls epsilon, delta and rows, the figures over these axes, with (epsilon, delta, rows) at each
/// of their places.
template <class Figure>
void eachPlace(const Set& set, const Plan& plan, bool quick, Figure epsilon, Figure delta,
               Figure rows) {
  const auto all = [&](Index wanted) { return std::min(wanted, set.rows.rows()); };
  for (const double e :
       quick ? std::vector{0.1, 10.0} : std::vector{0.001, 0.01, 0.05, 0.1, 0.3, 1.0, 3.0, 10.0}) {
    epsilon(e, kPaperDelta, all(plan.rows_by_epsilon));
  }
  for (const double d : quick ? std::vector{1e-5, 5e-2}
                              : std::vector{1e-5, 5e-5, 1e-4, 5e-4, 1e-3, 5e-3, 1e-2, 5e-2}) {
    delta(plan.epsilon_by_delta, d, all(plan.rows_by_delta));
  }
  for (const Index n : plan.rows) {
    if (n > set.rows.rows() || (quick && n != plan.rows.front())) continue;
    rows(plan.epsilon_by_rows, kPaperDelta, n);
  }
}

/// Calls use(set, plan) with the sets of both papers that are there, and the simulated one.
template <class Use>
void eachSet(const std::filesystem::path& folder, bool quick, Use use) {
  if (experiments::haveTable(folder, "mnist")) {
    use(digitHalves(folder, quick ? 3000 : 60000),
        Plan{60000, 60000, 0.5, 0.5, {3000, 6000, 12000, 30000, 60000}, 20});
  }
  use(fiveSources(quick ? 10000 : 200000),
      Plan{10000, 50000, 1, 0.5, {10000, 20000, 50000, 100000, 200000}, 20});
  if (experiments::haveTable(folder, "eeg")) {
    use(imaging(folder, quick ? 2000 : 20000),
        Plan{2000, 2000, 0.5, 0.5, {500, 1000, 2000, 5000, 20000}, 100});
  }
}

}  // namespace two_views
