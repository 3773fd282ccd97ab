#include "core/matrix/leading.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A value that is isolated after the minimum number of bisections, in a thousandth of the range,
/// is refined by iteration: bisecting down to 1e-10 took a tenth of the time of an interval. Equal
/// values are never isolated.
constexpr int kFewestBisections = 10;
constexpr int kMostBisections = 34;

/// Steps of inverse iteration from the midpoint; each later step, from the quotient, triples the
/// number of digits.
constexpr int kSteady = 2;
constexpr int kIterations = 8;
constexpr double kResidual = 1e-11;
constexpr double kTiny = 1e-150;

/// Number of eigenvalues above x: that of positive pivots of T - x I (Sylvester).
Index countAbove(const Tridiagonal& form, double x) {
  Index count = 0;
  double pivot = 1;
  for (Index i = 0; i < form.diagonal.size(); ++i) {
    const double off = i > 0 ? form.subdiagonal[i - 1] : 0;
    pivot = form.diagonal[i] - x - off * off / pivot;
    if (std::abs(pivot) < kTiny) pivot = -kTiny;
    count += pivot > 0;
  }
  return count;
}

VectorXd timesT(const Tridiagonal& form, const VectorXd& v) {
  const Index n = v.size();
  VectorXd result(n);
  for (Index i = 0; i < n; ++i) {
    result[i] = form.diagonal[i] * v[i];
    if (i > 0) result[i] += form.subdiagonal[i - 1] * v[i - 1];
    if (i + 1 < n) result[i] += form.subdiagonal[i] * v[i + 1];
  }
  return result;
}

/// Replaces v by (T - x I)^-1 v, by elimination with row exchanges. Vanishing pivots count as
/// rounding.
void solve(const Tridiagonal& form, double x, VectorXd& v) {
  const Index n = v.size();
  VectorXd first = form.diagonal.array() - x, second = VectorXd::Zero(n), third = second;
  second.head(n - 1) = form.subdiagonal;
  for (Index i = 0; i + 1 < n; ++i) {
    double below = form.subdiagonal[i];
    if (std::abs(below) > std::abs(first[i])) {
      std::swap(first[i], below);
      std::swap(second[i], first[i + 1]);
      std::swap(third[i], second[i + 1]);
      std::swap(v[i], v[i + 1]);
    }
    if (first[i] == 0) first[i] = std::numeric_limits<double>::epsilon();
    const double factor = below / first[i];
    first[i + 1] -= factor * second[i];
    second[i + 1] -= factor * third[i];
    v[i + 1] -= factor * v[i];
  }
  if (first[n - 1] == 0) first[n - 1] = std::numeric_limits<double>::epsilon();
  for (Index i = n - 1; i >= 0; --i) {
    if (i + 1 < n) v[i] -= second[i] * v[i + 1];
    if (i + 2 < n) v[i] -= third[i] * v[i + 2];
    v[i] /= first[i];
  }
}

struct Bracket {
  double low;
  double high;
};

/// A bracket of the j-th largest eigenvalue, and of no other unless they are numerically equal.
Bracket bracketOf(const Tridiagonal& form, Index j, Bracket range) {
  bool alone_below = false, alone_above = j == 0;
  for (int i = 0; i < kMostBisections; ++i) {
    if (i >= kFewestBisections && alone_below && alone_above) break;
    const double middle = (range.low + range.high) / 2;
    const Index above = countAbove(form, middle);
    (above > j ? range.low : range.high) = middle;
    alone_below = alone_below || above == j + 1;
    alone_above = alone_above || above == j;
  }
  return range;
}

}  // namespace

std::optional<Spectrum> leadingPairs(const Tridiagonal& form, double floor, Index most) {
  const Index n = form.diagonal.size();
  const Index count = countAbove(form, floor);
  if (count > most) return {};
  Spectrum pairs{VectorXd(count), MatrixXd(n, count)};
  const double offs = n > 1 ? 2 * form.subdiagonal.cwiseAbs().maxCoeff() : 0;
  const double highest = form.diagonal.maxCoeff() + offs;
  for (Index j = 0; j < count; ++j) {
    const auto [low, high] = bracketOf(form, j, {floor, highest});
    double value = (low + high) / 2;
    double residual = kResidual + 1;
    VectorXd v = VectorXd::LinSpaced(n, 1, 2);
    for (int i = 0; i < kIterations && !(residual <= kResidual); ++i) {
      const double shift = i < kSteady ? (low + high) / 2 : value;
      solve(form, shift, v);
      for (Index k = 0; k < j; ++k) v -= pairs.vectors.col(k).dot(v) * pairs.vectors.col(k);
      v /= v.norm();
      const VectorXd image = timesT(form, v);
      value = v.dot(image);
      residual = (image - value * v).norm();
    }
    const bool own = low - kResidual <= value && value <= high + kResidual;
    if (!own || !(residual <= kResidual)) return {};
    pairs.values[j] = value;
    pairs.vectors.col(j) = v;
  }
  return pairs;
}

}  // namespace pm
