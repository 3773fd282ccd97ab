#include "core/matrix/twisted.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/pair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Largest |T v - l v| of an accurate vector, per row.
constexpr double kAccurate = 1e-14;

/// Eigenvalues closer than this, relative to the largest in absolute value, have vectors that are
/// not orthogonal to ten digits.
constexpr double kClose = 1e-5;

/// What must be left of a unit vector without its parts along those of close eigenvalues.
constexpr double kLeastLeft = 0.5;

/// The factorisations of T - l I from above and from below, for two eigenvalues l at a time. A
/// pivot that is 0 may leave no number, so that the vector counts as not accurate.
class Twisted {
 public:
  explicit Twisted(const Tridiagonal& form)
      : form_(form),
        n_(form.diagonal.size()),
        from_above_(rooms()),
        from_below_(rooms()),
        sums_(rooms()) {}

  void factor(Pair values) {
    const double* diagonal = form_.diagonal.data();
    const double* off = form_.subdiagonal.data();
    Pair pivot = broadcast(diagonal[0]) - values;
    store(sums_, 0, Pair{});
    for (Index i = 0; i + 1 < n_; ++i) {
      const Pair ratio = broadcast(off[i]) / pivot;
      store(from_above_, i, ratio);
      const Pair taken = broadcast(off[i]) * ratio;
      store(sums_, i + 1, taken);
      pivot = broadcast(diagonal[i + 1]) - values - taken;
    }
    pivot = broadcast(diagonal[n_ - 1]) - values;
    store(sums_, n_ - 1, pivot - load(sums_, n_ - 1));
    for (Index i = n_ - 1; i-- > 0;) {
      const Pair ratio = broadcast(off[i]) / pivot;
      store(from_below_, i, ratio);
      pivot = broadcast(diagonal[i]) - values - broadcast(off[i]) * ratio;
      store(sums_, i, pivot - (i > 0 ? load(sums_, i) : Pair{}));
    }
  }

  /// The unit vector for the eigenvalue in this lane; its residual.
  double vector(int lane, double* v) const {
    const auto at = [lane](const std::vector<double>& pairs, Index i) {
      return pairs[static_cast<std::size_t>(2 * i + lane)];
    };
    Index twist = 0;
    for (Index i = 1; i < n_; ++i) {
      if (std::abs(at(sums_, i)) < std::abs(at(sums_, twist))) twist = i;
    }
    double squares = 1;
    v[twist] = 1;
    for (Index i = twist; i-- > 0;) {
      v[i] = -at(from_above_, i) * v[i + 1];
      squares += v[i] * v[i];
    }
    for (Index i = twist; i + 1 < n_; ++i) {
      v[i + 1] = -at(from_below_, i) * v[i];
      squares += v[i + 1] * v[i + 1];
    }
    const double norm = std::sqrt(squares);
    for (Index i = 0; i < n_; ++i) v[i] /= norm;
    return std::abs(at(sums_, twist)) / norm;
  }

 private:
  std::vector<double> rooms() const {
    return std::vector<double>(static_cast<std::size_t>(2 * n_));
  }
  static Pair load(const std::vector<double>& pairs, Index i) {
    return loadPair(pairs.data() + 2 * i);
  }
  static void store(std::vector<double>& pairs, Index i, Pair pair) {
    storePair(pairs.data() + 2 * i, pair);
  }

  const Tridiagonal& form_;
  Index n_;
  std::vector<double> from_above_;  ///< off-diagonal entries over the pivots above them
  std::vector<double> from_below_;  ///< the same over those below
  std::vector<double> sums_;        ///< the pivot of row i if the others are eliminated
};

/// Takes from vector j its parts along those before it whose eigenvalues form a cluster with its
/// own. Returns the length that is left.
double separate(const VectorXd& values, double close, Index j, MatrixXd& vectors) {
  const Index n = vectors.rows();
  double* own = vectors.data() + j * n;
  Index first = j;
  while (first > 0 && values[first - 1] - values[first] < close) --first;
  if (first == j) return 1;
  for (Index k = first; k < j; ++k) {
    const double* other = vectors.data() + k * n;
    double along = 0;
    for (Index i = 0; i < n; ++i) along += own[i] * other[i];
    for (Index i = 0; i < n; ++i) own[i] -= along * other[i];
  }
  double squares = 0;
  for (Index i = 0; i < n; ++i) squares += own[i] * own[i];
  const double left = std::sqrt(squares);
  for (Index i = 0; i < n; ++i) own[i] /= left;
  return left;
}

}  // namespace

std::optional<MatrixXd> twistedVectors(const Tridiagonal& form, const VectorXd& values,
                                       Index count) {
  const Index n = form.diagonal.size();
  MatrixXd vectors(n, count);
  Twisted twisted(form);
  const double close = kClose * std::max(std::abs(values[0]), std::abs(values[n - 1]));
  const double accurate = kAccurate * static_cast<double>(n);
  for (Index j = 0; j < count; ++j) {
    const Index even = j - j % 2;
    if (j == even) twisted.factor(Pair{values[j], values[j + 1 < n ? j + 1 : j]});
    const double residual = twisted.vector(static_cast<int>(j % 2), vectors.data() + j * n);
    if (!(residual <= accurate)) return {};
    if (!(separate(values, close, j, vectors) >= kLeastLeft)) return {};
  }
  return vectors;
}

}  // namespace pm
