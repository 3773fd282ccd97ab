#include "core/analysis/methods/rotation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/analysis/methods/whitening.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/order.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

/// Turns by a smaller angle are rounding.
constexpr double kLeastTurn = 1e-13;
constexpr int kMostSweeps = 500;

/// Two columns for which varimax changes by less than this part of its size at any angle.
constexpr double kEvenVarimax = 1e-14;

/// Promax's power of loadings.
constexpr int kPower = 4;

/// A matrix whose eigenvalues are further apart than this has dependent columns.
constexpr double kLeastOfLargest = 1e-12;

/// The angle by which columns x and y have the most varimax when turned; 0 if all angles are alike.
/// @param rows number of rows that are not zero
double turnOf(const Eigen::VectorXd& x, const Eigen::VectorXd& y, double rows) {
  const Eigen::ArrayXd u = x.array().square() - y.array().square();
  const Eigen::ArrayXd v = 2 * x.array() * y.array();
  const double sine = 2 * ((u * v).sum() - u.sum() * v.sum() / rows);
  const double cosine =
      (u.square() - v.square()).sum() - (std::pow(u.sum(), 2) - std::pow(v.sum(), 2)) / rows;
  const double size = (u.square() + v.square()).sum();
  return std::hypot(sine, cosine) <= kEvenVarimax * size ? 0 : std::atan2(sine, cosine) / 4;
}

/// Turns columns j and k of a matrix.
void turnColumns(Eigen::MatrixXd& matrix, Eigen::Index j, Eigen::Index k, double angle) {
  const Eigen::VectorXd x = matrix.col(j);
  matrix.col(j) = std::cos(angle) * x + std::sin(angle) * matrix.col(k);
  matrix.col(k) = std::cos(angle) * matrix.col(k) - std::sin(angle) * x;
}

/// The orthogonal transform of varimax.
Eigen::MatrixXd varimaxOf(const Eigen::MatrixXd& loadings) {
  const Eigen::Index m = loadings.cols();
  Eigen::MatrixXd unit = loadings;
  double rows = 0;
  for (Eigen::Index i = 0; i < unit.rows(); ++i) {
    const double length = unit.row(i).norm();
    if (length <= 0) continue;
    unit.row(i) /= length;
    rows += 1;
  }
  Eigen::MatrixXd transform = Eigen::MatrixXd::Identity(m, m);
  for (int sweep = 0; sweep < kMostSweeps && rows > 0; ++sweep) {
    double most = 0;
    for (Eigen::Index j = 0; j < m; ++j) {
      for (Eigen::Index k = j + 1; k < m; ++k) {
        const double angle = turnOf(unit.col(j), unit.col(k), rows);
        if (std::abs(angle) <= kLeastTurn) continue;
        turnColumns(unit, j, k, angle);
        turnColumns(transform, j, k, angle);
        most = std::max(most, std::abs(angle));
      }
    }
    if (most <= kLeastTurn) break;
  }
  return transform;
}

/// The inverse of a positive definite matrix; empty if it is singular.
Eigen::MatrixXd inverseOf(const Eigen::MatrixXd& matrix) {
  Spectrum found = spectrum(matrix);
  if (!(found.values.minCoeff() > kLeastOfLargest * found.values[0])) return {};
  found.values = found.values.cwiseInverse();
  return compose(found);
}

/// The transform from varimax's loadings to promax's; empty if they do not determine it.
Eigen::MatrixXd promaxOf(const Eigen::MatrixXd& loadings) {
  const Eigen::MatrixXd inverse = inverseOf(multiplyTransposed(loadings, loadings));
  if (inverse.size() == 0) return {};
  const Eigen::MatrixXd target =
      loadings.array() * loadings.array().abs().pow(static_cast<double>(kPower - 1));
  Eigen::MatrixXd transform = multiply(inverse, multiplyTransposed(loadings, target));
  const Eigen::MatrixXd spread = inverseOf(multiplyTransposed(transform, transform));
  if (spread.size() == 0) return {};
  for (Eigen::Index j = 0; j < transform.cols(); ++j) transform.col(j) *= std::sqrt(spread(j, j));
  return transform;
}

/// Makes column j of the result column `sources[j]`, times `signs[j]`.
void takeColumns(const std::vector<int>& sources, const Eigen::VectorXd& signs,
                 RotatedLoadings& loadings) {
  RotatedLoadings taken = loadings;
  const auto m = static_cast<Eigen::Index>(sources.size());
  for (Eigen::Index j = 0; j < m; ++j) {
    const int source = sources[static_cast<std::size_t>(j)];
    taken.transform.col(j) = signs[j] * loadings.transform.col(source);
    taken.pattern.col(j) = signs[j] * loadings.pattern.col(source);
    taken.structure.col(j) = signs[j] * loadings.structure.col(source);
    for (Eigen::Index k = 0; k < m; ++k) {
      taken.phi(k, j) =
          signs[j] * signs[k] * loadings.phi(sources[static_cast<std::size_t>(k)], source);
    }
  }
  loadings = std::move(taken);
}

}  // namespace

RotatedLoadings rotated(const Eigen::MatrixXd& loadings, Rotation rotation) {
  const Eigen::Index m = loadings.cols();
  const Eigen::MatrixXd same = Eigen::MatrixXd::Identity(m, m);
  if (m < 2 || rotation == Rotation::kNone) return {same, loadings, loadings, same};
  const Eigen::MatrixXd turn = varimaxOf(loadings);
  const Eigen::MatrixXd turned = multiply(loadings, turn);
  const Eigen::MatrixXd bend = rotation == Rotation::kPromax ? promaxOf(turned) : Eigen::MatrixXd();
  if (bend.size() == 0) return {turn, turned, turned, same};
  RotatedLoadings result;
  result.transform = multiply(turn, bend);
  result.pattern = multiply(turned, bend);
  result.phi = inverseOf(multiplyTransposed(bend, bend));
  result.phi.diagonal().setOnes();
  result.structure = multiply(result.pattern, result.phi);
  return result;
}

void arrange(const Eigen::VectorXd& explained, RotatedLoadings& loadings) {
  const std::vector<int> order =
      descendingOrder({explained.data(), static_cast<std::size_t>(explained.size())});
  Eigen::VectorXd signs = Eigen::VectorXd::Ones(explained.size());
  for (Eigen::Index j = 0; j < signs.size(); ++j) {
    const auto column = loadings.pattern.col(order[static_cast<std::size_t>(j)]);
    Eigen::Index largest = 0;
    column.cwiseAbs().maxCoeff(&largest);
    if (column[largest] < 0) signs[j] = -1;
  }
  takeColumns(order, signs, loadings);
}

void alignWith(const Eigen::MatrixXd& reported, RotatedLoadings& loadings) {
  const Eigen::Index m = reported.cols();
  Eigen::MatrixXd cosines = multiplyTransposed(reported, loadings.structure);
  for (Eigen::Index j = 0; j < m; ++j) {
    for (Eigen::Index k = 0; k < m; ++k) {
      const double lengths = reported.col(j).norm() * loadings.structure.col(k).norm();
      cosines(j, k) = lengths > 0 ? cosines(j, k) / lengths : 0;
    }
  }
  std::vector<int> sources(static_cast<std::size_t>(m));
  Eigen::VectorXd signs = Eigen::VectorXd::Ones(m);
  Eigen::MatrixXd left = cosines.cwiseAbs();
  for (Eigen::Index pair = 0; pair < m; ++pair) {
    Eigen::Index j = 0;
    Eigen::Index k = 0;
    left.maxCoeff(&j, &k);
    sources[static_cast<std::size_t>(j)] = static_cast<int>(k);
    if (cosines(j, k) < 0) signs[j] = -1;
    left.row(j).setConstant(-1);
    left.col(k).setConstant(-1);
  }
  takeColumns(sources, signs, loadings);
}

RotatedComponents rotateComponents(const LeadingComponents& leading, Rotation rotation,
                                   const Eigen::MatrixXd& reported) {
  const Eigen::Index m = leading.values.size();
  RotatedLoadings found = rotated(leading.correlations, rotation);
  const auto shares_of = [&] {
    const Eigen::MatrixXd inverse = multiply(found.transform, found.phi);
    return Eigen::VectorXd(
        multiplyTransposed(found.transform.cwiseProduct(inverse), leading.shares));
  };
  if (reported.size() > 0) {
    alignWith(reported, found);
  } else {
    arrange(shares_of(), found);
  }
  RotatedComponents result;
  result.components = static_cast<int>(m);
  Eigen::MatrixXd standard = leading.weights;
  for (Eigen::Index j = 0; j < m; ++j) {
    standard.col(j) *= leading.values[j] > kNoVariance ? 1 / std::sqrt(leading.values[j]) : 0;
  }
  result.weights = multiply(standard, multiply(found.transform, found.phi));
  result.shares = shares_of();
  result.pattern = std::move(found.pattern);
  result.structure = found.structure.cwiseMax(-1.0).cwiseMin(1.0);
  result.phi = std::move(found.phi);
  return result;
}

}  // namespace pm
