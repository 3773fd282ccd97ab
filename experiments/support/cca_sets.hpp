// The data of Imtiaz and Sarwate's experiments on canonical correlations, made as their scripts
// make it: facts from github.com/hafizimtiaz/capeCCA, no code.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/random/continuous.hpp"
#include "experiments/support/table_file.hpp"
#include "experiments/support/two_views.hpp"

namespace two_views {

/// Scores of the leading principal components.
inline MatrixXd principalScores(MatrixXd rows, int components) {
  rows.rowwise() -= rows.colwise().mean().eval();
  const pm::Spectrum decomposed = pm::spectrum(pm::multiplyTransposed(rows, rows));
  return pm::multiply(rows, decomposed.vectors.leftCols(components));
}

/// Upper and lower halves of handwritten digits, 50 principal components each; every row is scaled
/// to length 1. All 50 correlations are compared, and the leading 25 pairs span the subspaces, as
/// all 50 span everything.
inline Set digitHalves(const std::filesystem::path& folder, Index most) {
  constexpr int kComponents = 50, kHalf = 392;
  MatrixXd pixels = experiments::readTableFile(folder, "mnist");
  const Index n = std::min(most, pixels.rows());
  MatrixXd rows(n, 2 * kComponents);
  rows << principalScores(pixels.topRows(n).leftCols(kHalf), kComponents),
      principalScores(pixels.topRows(n).middleCols(kHalf, kHalf), kComponents);
  rows.rowwise().normalize();
  return {"mnist", std::move(rows), kComponents, kComponents, 25, 10};
}

/// Centres the columns and divides by the largest length.
inline MatrixXd centredAndScaled(MatrixXd rows) {
  rows.rowwise() -= rows.colwise().mean().eval();
  return rows / rows.rowwise().norm().maxCoeff();
}

/// Five equally likely sources; source i has mean i in all 20 columns of the first view and
/// 2 i - 5 in those of the second, and independent normal columns of variance i about them. (A
/// comment there calls the second view's law Laplace; the generator is normal for both.)
inline Set fiveSources(Index n) {
  constexpr int kColumns = 20, kSources = 5;
  pm::Drbg random = pm::simulationDrbg(3);
  MatrixXd rows(n, 2 * kColumns);
  for (Index r = 0; r < n; ++r) {
    const double source = 1 + std::floor(kSources * pm::uniformOpen(random));
    const double spread = std::sqrt(source);
    for (int c = 0; c < kColumns; ++c) {
      rows(r, c) = source + spread * pm::standardNormal(random);
      rows(r, kColumns + c) = 2 * source - 5 + spread * pm::standardNormal(random);
    }
  }
  return {"synthetic", centredAndScaled(std::move(rows)), kColumns, kSources, kSources, kSources};
}

/// Two random sets of centred orthonormal columns, in which the i-th columns have the i-th
/// correlation.
inline std::pair<MatrixXd, MatrixXd> profiles(Index subjects, const VectorXd& correlations) {
  pm::Drbg random = pm::simulationDrbg(2);
  const Index k = correlations.size();
  MatrixXd columns(subjects, 2 * k);
  for (Index i = 0; i < columns.size(); ++i) columns(i) = pm::standardNormal(random);
  columns.rowwise() -= columns.colwise().mean().eval();
  columns *= pm::flooredWhitener(pm::multiplyTransposed(columns, columns), 0);
  MatrixXd second(subjects, k);
  for (Index i = 0; i < k; ++i) {
    const double r = correlations[i];
    second.col(i) = r * columns.col(i) + std::sqrt(1 - r * r) * columns.col(k + i);
  }
  return {columns.leftCols(k), second};
}

/// Five smooth blobs on a grid of 50 x 50, in place of the spatial maps of functional magnetic
/// resonance imaging, which are not public.
inline MatrixXd blobs() {
  constexpr int kSide = 50;
  constexpr std::array<std::array<double, 3>, 5> kPlaces{
      {{12, 12, 5}, {12, 38, 4}, {26, 24, 7}, {38, 10, 4}, {39, 39, 6}}};
  MatrixXd maps(5, kSide * kSide);
  for (int k = 0; k < 5; ++k) {
    const auto [x, y, width] = kPlaces[std::size_t(k)];
    for (int i = 0; i < kSide * kSide; ++i) {
      const double dx = i % kSide - x, dy = i / kSide - y;
      maps(k, i) = std::exp(-(dx * dx + dy * dy) / (2 * width * width));
    }
  }
  return maps;
}

/// Subjects whose profiles over five maps and over five components of EEG have correlations .9, .7,
/// .5, .3 and .1. Each view consists of its five principal components, divided by the largest
/// length of its rows.
inline Set imaging(const std::filesystem::path& folder, Index subjects) {
  constexpr int kComponents = 5;
  VectorXd correlations(kComponents);
  correlations << .9, .7, .5, .3, .1;
  const MatrixXd eeg = experiments::readTableFile(folder, "eeg").transpose();
  const auto [first, second] = profiles(subjects, correlations);
  // The principal components of profiles x maps depend on the maps only through their products.
  const auto scores = [](const MatrixXd& profile, const MatrixXd& maps) {
    const pm::Spectrum inner = pm::spectrum(pm::multiplyByTranspose(maps));
    const MatrixXd root = inner.vectors * inner.values.cwiseMax(0).cwiseSqrt().asDiagonal();
    return centredAndScaled(principalScores(profile * root, kComponents));
  };
  MatrixXd rows(subjects, 2 * kComponents);
  rows << scores(first, blobs()), scores(second, eeg);
  return {"imaging", centredAndScaled(std::move(rows)), kComponents, kComponents, 3, 0};
}

/// Students: three psychological variables and five on school results, standardised; each student
/// 20 times.
inline Set students(const std::filesystem::path& folder) {
  constexpr int kRepeats = 20;
  MatrixXd rows = experiments::readTableFile(folder, "mmreg");
  rows.rowwise() -= rows.colwise().mean().eval();
  rows.array().rowwise() /= rows.array().square().colwise().mean().sqrt().eval();
  return {"students", centredAndScaled(rows.replicate(kRepeats, 1)), 3, 3, 2, 0};
}

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
