#include "core/analysis/noise/mean_gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/square.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// All releases together.
struct CountedTogether {
  double rows = 0;
  double sd = 0;
  std::vector<double> cells;  ///< C
};

Status checkGaps(std::span<const CountedGaps> releases) {
  for (const CountedGaps& release : releases) {
    if (release.cells.size() != releases[0].cells.size()) {
      return Error{Code::kWrongLength, "releases count the gaps of other columns", "releases"};
    }
    if (!(release.sd >= 0) || !(release.rows >= 1)) {
      return Error{Code::kInvalidNoise, "a number of rows or its noise is not positive",
                   "releases"};
    }
  }
  return {};
}

/// Precondition: equally many columns.
CountedTogether sumOf(std::span<const CountedGaps> releases) {
  CountedTogether sum;
  double variance = 0;
  sum.cells.resize(releases.empty() ? 0 : releases[0].cells.size());
  for (const CountedGaps& release : releases) {
    sum.rows += release.rows;
    variance += square(release.sd);
    for (std::size_t k = 0; k < sum.cells.size(); ++k) sum.cells[k] += release.cells[k];
  }
  sum.sd = std::sqrt(variance);
  return sum;
}

/// By how much the shares of releases differ beyond their noise: a variance.
double spreadOf(std::span<const CountedGaps> releases, std::size_t column, double rows,
                double mean) {
  double spread = 0, noise = 0, squares = 0;
  for (const CountedGaps& release : releases) {
    const double weight = release.rows / rows;
    spread += weight * square(1 - release.cells[column] / release.rows - mean);
    noise += weight * (1 - weight) * square(release.sd / release.rows);
    squares += square(weight);
  }
  return squares < 1 ? std::max(0.0, (spread - noise) / (1 - squares)) : 0;
}

}  // namespace

Result<std::vector<std::vector<double>>> presentShares(std::span<const CountedGaps> releases) {
  if (const Status wrong = checkGaps(releases)) return *wrong;
  const CountedTogether all = sumOf(releases);
  std::vector<std::vector<double>> shares(releases.size());
  for (std::size_t k = 0; k < all.cells.size(); ++k) {
    const double mean = 1 - all.cells[k] / all.rows;
    const double spread = spreadOf(releases, k, all.rows, mean);
    for (std::size_t s = 0; s < releases.size(); ++s) {
      const double own = 1 - releases[s].cells[k] / releases[s].rows;
      const double noise = square(releases[s].sd / releases[s].rows);
      const double kept = spread > 0 ? spread / (spread + noise) : 0;
      const double share = std::min(1.0, mean + kept * (own - mean));
      if (!(share >= kLeastShare)) {
        return Error{Code::kNoRows, "too few rows have a column to correct for its missing cells",
                     "missing", std::int64_t(s), std::int64_t(k)};
      }
      shares[s].push_back(share);
    }
  }
  return shares;
}

Result<WithoutGaps> withMeans(const MeanGapSums& data) {
  const Result<AssembledMoments> assembled = assembleMoments(data.sums);
  if (!assembled.ok()) return assembled.error();
  if (const Status wrong = checkGaps(data.releases)) return *wrong;
  const CountedTogether all = sumOf(data.releases);
  const auto columns = static_cast<Index>(all.cells.size());
  const Index d = data.sums.dimension;
  const std::vector<int>& of = data.columns;
  if (Index(of.size()) != d || !std::is_sorted(of.begin(), of.end()) || of.front() < 0 ||
      of.back() >= columns || data.shares.size() != data.releases.size()) {
    return Error{Code::kWrongLength, "There must be one column for each feature, in order.",
                 "columns"};
  }
  VectorXd inverse = VectorXd::Zero(columns);
  for (std::size_t s = 0; s < data.releases.size(); ++s) {
    for (Index k = 0; k < columns; ++k) {
      inverse[k] += data.releases[s].rows / all.rows / data.shares[s][std::size_t(k)];
    }
  }
  const auto share = [&](Index column) { return 1 / inverse[column]; };
  const auto column_of = [&](Index i) { return Index(of[std::size_t(i)]); };
  const double n = assembled.value().rows;
  const Eigen::MatrixXd& covariance = assembled.value().scaled_covariance;
  const auto rate = [&](Index column) { return square(all.sd / all.rows / share(column)); };

  double off_diagonal = 0, diagonal = 0, within = 0, inverse_rows = 0;
  const double pairs = double(d) * double(d - 1) / 2;
  VectorXd excess(d);
  for (Index i = 0; i < d; ++i) {
    const Index a = column_of(i);
    excess[i] = std::max(0.0, inverse[a] - 1);
    within += square(share(a)) / double(d);
    diagonal += square(covariance(i, i)) * rate(a) / double(d);
    if (d == 1) inverse_rows = 1 / (n * share(a));
    for (Index j = i + 1; j < d; ++j) {
      const Index b = column_of(j);
      const double product = square(covariance(i, j));
      if (a == b) {
        inverse_rows += 1 / (n * share(a)) / pairs;
        off_diagonal += product * rate(a) / pairs;
        continue;
      }
      inverse_rows += 1 / (n * share(a) * share(b)) / pairs;
      off_diagonal +=
          product * (rate(a) + rate(b) + (inverse[a] - 1) * (inverse[b] - 1) / n) / pairs;
    }
  }

  WithoutGaps result;
  MomentSums& sums = result.sums;
  sums = data.sums;
  const double rows = 1 / inverse_rows;
  const double fewer = rows / n;
  if (sums.rows) sums.rows = rows;
  for (double& sum : sums.packed) sum *= fewer;
  sums.noise.diagonal =
      fewer * std::sqrt(square(sums.noise.diagonal) * within + square(n) * diagonal);
  sums.noise.off_diagonal =
      fewer * std::sqrt(square(sums.noise.off_diagonal) + square(n) * off_diagonal);
  sums.noise.linear *= fewer;
  sums.noise.count *= fewer;
  if (excess.maxCoeff() > 0) sums.gaps = {std::max(2.0, n), excess};
  result.trace_bound = data.trace_bound;

  Gaps& gaps = result.gaps;
  gaps.rows = n;
  gaps.cells.resize(columns);
  for (Index k = 0; k < columns; ++k) {
    gaps.cells[k] = std::clamp(all.cells[std::size_t(k)], 0.0, n);
  }
  gaps.cells_sd = all.sd;
  gaps.fewest = std::numeric_limits<double>::infinity();
  for (Index a = 0; a < columns; ++a) {
    for (Index b = columns == 1 ? a : a + 1; b < columns; ++b) {
      const double both = n * share(a) * (a == b ? 1 : share(b));
      if (both >= gaps.fewest) continue;
      gaps.first = int(a);
      gaps.second = int(b);
      gaps.fewest = both;
      gaps.fewest_sd = both * std::sqrt(rate(a) + (a == b ? 0 : rate(b)));
    }
  }
  return result;
}

}  // namespace pm
