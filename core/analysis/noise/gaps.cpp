#include "core/analysis/noise/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/analysis/noise/checks.hpp"
#include "core/matrix/packed.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A count of rows is at least this many standard deviations of its noise.
constexpr double kLeastCount = 4;

double squareOf(double x) { return x * x; }

/// Standard deviations of the noise in sums of z, of z z, and in the number of rows, and counts of
/// rows, all as estimated.
struct NoisySums {
  double products, squares, linear, count;
  double rows;
  VectorXd sums;      ///< D + C
  MatrixXd moments;   ///< D + C square
  VectorXd missing;   ///< C, within 0 .. rows
  MatrixXd together;  ///< C x C, rows without either of two columns, within what `missing` allows
};

/// An entry of the covariance, and the variance of its noise times N_ij^2.
struct PairEntry {
  double rows;  ///< N_ij
  double value;
  double variance;
};

Status checkGapColumns(const GapSums& data, Index columns) {
  const std::vector<int>& of = data.columns;
  const auto d = static_cast<std::size_t>(data.sums.dimension);
  const bool fit = of.size() == d && std::is_sorted(of.begin(), of.end()) && of.front() >= 0 &&
                   of.back() < columns;
  if (fit) return {};
  return Error{Code::kWrongLength, "There must be one column for each feature, in order.",
               "columns"};
}

/// C, from the length of the packed sums, or 0.
Index columnsIn(const GapSums& data) {
  const double size = (std::sqrt(8 * static_cast<double>(data.sums.packed.size()) + 1) - 1) / 2;
  const auto columns = static_cast<Index>(size) - 1 - data.sums.dimension;
  return size == std::floor(size) && columns > 0 ? columns : 0;
}

NoisySums noisySumsOf(const MomentSums& sums, Index columns) {
  const Index d = sums.dimension;
  const Index all = d + columns;
  const double c = sums.constant;
  const MatrixXd whole = unpacked(std::span<const double>(sums.packed), all + 1);
  NoisySums released{sums.noise.off_diagonal,
                     sums.noise.diagonal,
                     sums.noise.linear / c,
                     sums.noise.count / (c * c),
                     sums.rows ? *sums.rows : std::max(1.0, whole(0, 0) / (c * c)),
                     whole.col(0).tail(all) / c,
                     whole.bottomRightCorner(all, all),
                     {},
                     {}};
  const double n = released.rows;
  released.missing = released.sums.tail(columns).cwiseMax(0.0).cwiseMin(n);
  const VectorXd& missing = released.missing;
  released.together = released.moments.bottomRightCorner(columns, columns);
  for (Index a = 0; a < columns; ++a) {
    for (Index b = 0; b < columns; ++b) {
      const double most = std::min(missing[a], missing[b]);
      const double least = std::max(0.0, missing[a] + missing[b] - n);
      released.together(a, b) = std::clamp(released.together(a, b), least, most);
    }
  }
  return released;
}

class PairCounts {
 public:
  PairCounts(const NoisySums& released, const GapSums& data) : r_(released), data_(data) {}

  /// N_ij of two columns and the standard deviation of its noise; a = b: rows that have a.
  double rows(Index a, Index b) const {
    double found = r_.rows - r_.missing[a];
    if (a != b) found += r_.together(a, b) - r_.missing[b];
    return std::min(r_.rows, std::max({found, kLeastCount * rowsSd(a, b), 1.0}));
  }
  double rowsSd(Index a, Index b) const {
    const double own = squareOf(r_.linear) + squareOf(r_.count);
    return std::sqrt(a == b ? own : own + squareOf(r_.linear) + squareOf(r_.products));
  }

  double mean(Index i) const { return r_.sums[i] / rows(column(i), column(i)); }
  double meanVariance(Index i) const {
    const double own =
        squareOf(r_.linear) * (1 + squareOf(mean(i))) + squareOf(r_.count) * squareOf(mean(i));
    return own / squareOf(rows(column(i), column(i)));
  }

  PairEntry entry(Index i, Index j) const {
    return column(i) == column(j) ? within(i, j) : between(i, j);
  }

  Index column(Index i) const { return data_.columns[static_cast<std::size_t>(i)]; }

 private:
  PairEntry within(Index i, Index j) const {
    const double n = rows(column(i), column(i));
    const double left = mean(i);
    const double right = mean(j);
    const double value = r_.moments(i, j) / n - left * right;
    const double means = (i == j ? 4 : 2) * (squareOf(left) + squareOf(right)) / 2;
    const double slope = left * right - value;
    const double counts = squareOf(r_.linear) + squareOf(r_.count);
    return {n, value,
            squareOf(i == j ? r_.squares : r_.products) + squareOf(r_.linear) * means +
                counts * squareOf(slope)};
  }

  PairEntry between(Index i, Index j) const {
    const Index marks = data_.sums.dimension;
    const double n = rows(column(i), column(j));
    const double left = (r_.sums[i] - r_.moments(i, marks + column(j))) / n;
    const double right = (r_.sums[j] - r_.moments(j, marks + column(i))) / n;
    const double value = r_.moments(i, j) / n - left * right;
    const double of_means = squareOf(r_.linear) + squareOf(r_.products);
    return {n, value,
            squareOf(r_.products) + of_means * (squareOf(left) + squareOf(right)) +
                squareOf(left * right - value) * squareOf(rowsSd(column(i), column(j)))};
  }

  const NoisySums& r_;
  const GapSums& data_;
};

/// For each column u, at least 1, such that u_a u_b is close to n / N_ab: least squares of the
/// logarithms over all pairs.
VectorXd unitsOfPairs(const PairCounts& complete, double rows, Index columns) {
  const auto log = [&](Index a, Index b) { return std::log(rows / complete.rows(a, b)); };
  VectorXd logs = VectorXd::Zero(columns);
  if (columns == 1) {
    logs[0] = log(0, 0) / 2;
  } else if (columns == 2) {
    const double first = log(0, 0);
    const double both = first + log(1, 1);
    const double share = both > 0 ? first / both : 0.5;
    logs << share * log(0, 1), (1 - share) * log(0, 1);
  } else {
    const auto count = static_cast<double>(columns);
    for (Index a = 0; a < columns; ++a) {
      for (Index b = 0; b < columns; ++b) {
        if (a != b) logs[a] += log(a, b);
      }
    }
    const double total = logs.sum() / (2 * (count - 1));
    logs = (logs.array() - total) / (count - 2);
  }
  return logs.cwiseMax(0.0).array().exp();
}

/// The fewest rows that have a pair of columns.
Gaps gapsIn(const PairCounts& complete, const NoisySums& released, Index columns) {
  Gaps gaps;
  gaps.rows = released.rows;
  gaps.cells = released.missing;
  gaps.cells_sd = released.linear;
  gaps.fewest = std::numeric_limits<double>::infinity();
  for (Index a = 0; a < columns; ++a) {
    for (Index b = columns == 1 ? a : a + 1; b < columns; ++b) {
      const double rows = complete.rows(a, b);
      if (rows >= gaps.fewest) continue;
      gaps.first = static_cast<int>(a);
      gaps.second = static_cast<int>(b);
      gaps.fewest = rows;
      gaps.fewest_sd = complete.rowsSd(a, b);
    }
  }
  return gaps;
}

/// Means of the noise variances in z / u, and of 1 / N_ij.
struct GapNoise {
  double diagonal = 0, off_diagonal = 0, mean = 0;
  double inverse_rows = 0;
};

}  // namespace

Result<WithoutGaps> withoutGaps(const GapSums& data) {
  const Index d = data.sums.dimension;
  const Index columns = columnsIn(data);
  if (d < 1 || columns == 0) {
    return Error{Code::kWrongLength, "The sums have no features that mark gaps.", "sums"};
  }
  if (const Status wrong = checkGapColumns(data, columns)) return *wrong;
  if (const Status wrong = checkTraceBound(data.trace_bound)) return *wrong;
  const NoisySums released = noisySumsOf(data.sums, columns);
  const PairCounts complete(released, data);
  const double n = released.rows;
  const VectorXd by_column = unitsOfPairs(complete, n, columns);

  VectorXd units(d), means(d), shares(d);
  for (Index i = 0; i < d; ++i) {
    units[i] = by_column[complete.column(i)];
    shares[i] = complete.rows(complete.column(i), complete.column(i)) / n;
    means[i] = complete.mean(i) / units[i];
  }
  MatrixXd covariance(d, d);
  GapNoise noise;
  for (Index i = 0; i < d; ++i) {
    noise.mean += complete.meanVariance(i) / squareOf(units[i]) / double(d);
    for (Index j = i; j < d; ++j) {
      const PairEntry entry = complete.entry(i, j);
      const double scale = units[i] * units[j];
      covariance(i, j) = covariance(j, i) = entry.value / scale;
      const double variance = entry.variance / squareOf(entry.rows * scale);
      if (i == j) {
        noise.diagonal += variance / double(d);
        if (d == 1) noise.inverse_rows = 1 / entry.rows;
        continue;
      }
      const double pairs = double(d) * double(d - 1) / 2;
      noise.off_diagonal += variance / pairs;
      noise.inverse_rows += 1 / entry.rows / pairs;
    }
  }

  WithoutGaps result;
  result.gaps = gapsIn(complete, released, columns);
  MomentSums& sums = result.sums;
  sums = data.sums;
  const double c = sums.constant;
  const double rows = 1 / noise.inverse_rows;
  if (sums.rows) sums.rows = rows;
  sums.packed.clear();
  sums.packed.push_back(c * c * rows);
  for (Index i = 0; i < d; ++i) sums.packed.push_back(c * rows * means[i]);
  for (Index i = 0; i < d; ++i) {
    for (Index j = i; j < d; ++j) {
      sums.packed.push_back(rows * (covariance(i, j) + means[i] * means[j]));
    }
  }
  sums.half = sums.half.cwiseProduct(units);
  sums.frame = {data.sums.frame.isIdentity() ? VectorXd(VectorXd::Zero(d)) : data.sums.frame.centre,
                data.sums.frame.isIdentity() ? units : data.sums.frame.units.cwiseProduct(units)};

  // The noise of the means and of the count is part of that of the covariance, which
  // `assembleMoments` adds up again: what they leave is that of the products. The means of z / u
  // are not those that their noise is multiplied by, so that noise has a centre of its own.
  const double spread = std::sqrt(noise.mean);
  const VectorXd pulled =
      spread > 0 ? VectorXd(means.cwiseProduct(units) * (released.linear / (n * spread))) : means;
  const VectorXd centre = means - pulled;
  sums.noise_centres = {1};
  sums.noise_centres.insert(sums.noise_centres.end(), centre.begin(), centre.end());
  for (Index i = 0; i < d; ++i) {
    for (Index j = i; j < d; ++j) sums.noise_centres.push_back(centre[i] * centre[j]);
  }
  sums.noise.linear = c * rows * spread;
  sums.noise.count = c * c * rows * released.count / n;
  sums.noise.diagonal = sums.noise.off_diagonal = 0;
  const NoiseLaw others = scaledMoments(sums).covariance_noise;
  const auto rest = [&](double variance, double other) {
    return rows * std::sqrt(std::max(variance - other * other, variance / 4));
  };
  sums.noise.diagonal = rest(noise.diagonal, others.diagonal);
  sums.noise.off_diagonal = rest(d > 1 ? noise.off_diagonal : noise.diagonal, others.off_diagonal);

  const double base = std::clamp(shares.cwiseProduct(units).squaredNorm() / double(d), 0.0, 1.0);
  const VectorXd excess = (units.array() * std::sqrt(base) - 1).cwiseMax(0.0);
  if (excess.maxCoeff() > 0) sums.gaps = {std::max(2.0, base * n), excess};
  result.inflation = 1 / shares.minCoeff();
  const VectorXd squares = shares.cwiseProduct(units.cwiseAbs2());
  result.trace_bound = data.trace_bound * std::max(1.0, 1 / squares.minCoeff());
  return result;
}

}  // namespace pm
