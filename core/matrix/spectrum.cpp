#include "core/matrix/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/matrix/leading.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/order.hpp"
#include "core/matrix/tridiagonal.hpp"
#include "core/matrix/twisted.hpp"
#include "core/pair.hpp"

namespace pm {
namespace {

constexpr double kZeroSingularValue = 1e-10;

/// Computing eigenvectors one by one is worthwhile if at most 1 in kFew is needed: with two of 50
/// above the floor, the draws of an interval took two thirds of the time.
constexpr Eigen::Index kFew = 8;

/// Smallest eigenvalue of a Gram matrix, relative to its largest, that is not mostly rounding.
constexpr double kLeastLeading = 1e-8;

/// Powers of two with exponents within this range have representable inverses.
constexpr int kMostExponent = 1020;

/// The tridiagonal form of a symmetric matrix, of which the lower half is read, divided by a power
/// of two near its largest entry: nothing overflows or underflows, and the scaling is exact.
struct Reduced {
  double scale;
  Tridiagonal form;

  explicit Reduced(Eigen::MatrixXd symmetric) {
    // Explicit loops over the lower half: Eigen's expressions took as long as the reduction.
    const Eigen::Index n = symmetric.rows();
    Pair largest{};
    for (Eigen::Index j = 0; j < n; ++j) {
      const double* column = symmetric.data() + j * n;
      Eigen::Index i = j;
      for (; i + 2 <= n; i += 2) largest = pairMax(largest, magnitude(loadPair(column + i)));
      if (i < n) largest = pairMax(largest, magnitude(broadcast(column[i])));
    }
    int exponent = 0;
    std::frexp(std::max(largest[0], largest[1]), &exponent);
    exponent = std::clamp(exponent, -kMostExponent, kMostExponent);
    scale = std::ldexp(1, exponent);
    const Pair inverse = broadcast(std::ldexp(1, -exponent));
    for (Eigen::Index j = 0; j < n; ++j) {
      double* column = symmetric.data() + j * n;
      Eigen::Index i = j;
      for (; i + 2 <= n; i += 2) storePair(column + i, loadPair(column + i) * inverse);
      if (i < n) column[i] *= inverse[0];
    }
    form = tridiagonalise(std::move(symmetric));
  }

  /// The eigenvalues of the scaled matrix, largest first.
  Eigen::VectorXd values() const {
    Eigen::VectorXd diagonal = form.diagonal, subdiagonal = form.subdiagonal;
    diagonalise(diagonal, subdiagonal);
    return diagonal(descendingOrder({diagonal.data(), static_cast<std::size_t>(diagonal.size())}));
  }

  std::vector<int> order() const {
    const auto size = static_cast<std::size_t>(form.diagonal.size());
    return descendingOrder({form.diagonal.data(), size});
  }
};

/// A few eigenvectors of a Gram matrix, for its `count` largest eigenvalues, unless it is as well
/// to compute all: if they are many, or if the last of them are only rounding.
std::optional<Eigen::MatrixXd> leadingVectors(const Eigen::MatrixXd& gram, Eigen::Index count) {
  if (count < 1 || count > gram.rows() / kFew) return {};
  const Reduced reduced(gram);
  const Eigen::VectorXd values = reduced.values();
  if (!(values[count - 1] > kLeastLeading * values[0])) return {};
  std::optional<Eigen::MatrixXd> vectors = twistedVectors(reduced.form, values, count);
  if (vectors) multiplyOrthogonalBy(reduced.form, *vectors);
  return vectors;
}

/// The singular pairs whose left vectors are some of `lefts`.
SingularPairs pairsOf(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& lefts) {
  const Eigen::MatrixXd images = multiplyTransposed(matrix, lefts);
  const Eigen::VectorXd lengths = images.colwise().norm();

  // The Gram matrix squares the values, so its order of those near zero is only rounding.
  const std::vector<int> order =
      descendingOrder({lengths.data(), static_cast<std::size_t>(lengths.size())});

  SingularPairs pairs;
  pairs.values = lengths(order);
  pairs.left = Eigen::MatrixXd::Zero(matrix.rows(), lengths.size());
  pairs.right = Eigen::MatrixXd::Zero(matrix.cols(), lengths.size());
  for (int j = 0; j < lengths.size(); ++j) {
    if (pairs.values[j] <= kZeroSingularValue) break;
    const int source = order[static_cast<std::size_t>(j)];
    pairs.left.col(j) = lefts.col(source);
    pairs.right.col(j) = images.col(source) / pairs.values[j];
  }
  return pairs;
}

}  // namespace

Spectrum spectrum(const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0) return {};
  Reduced reduced(0.5 * matrix + 0.5 * matrix.transpose());
  Eigen::MatrixXd vectors = orthogonalOf(reduced.form);
  diagonalise(reduced.form.diagonal, reduced.form.subdiagonal, vectors);
  const std::vector<int> order = reduced.order();
  return {reduced.scale * reduced.form.diagonal(order), vectors(Eigen::all, order)};
}

Eigen::VectorXd eigenvalues(const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0) return {};
  Reduced reduced(matrix);
  diagonalise(reduced.form.diagonal, reduced.form.subdiagonal);
  return reduced.scale * reduced.form.diagonal(reduced.order());
}

bool multiplyByInverseRoot(const Eigen::MatrixXd& symmetric, double floor,
                           Eigen::MatrixXd& matrix) {
  const Reduced reduced(symmetric);
  std::optional<Spectrum> above =
      leadingPairs(reduced.form, floor / reduced.scale, symmetric.rows() / kFew);
  if (!above) return false;
  multiplyOrthogonalBy(reduced.form, above->vectors);
  const double usual = 1 / std::sqrt(floor);
  const Eigen::VectorXd more =
      (reduced.scale * above->values).cwiseSqrt().cwiseInverse().array() - usual;
  const Eigen::MatrixXd parts = multiply(matrix, above->vectors * more.asDiagonal());
  const Eigen::MatrixXd added = multiply(parts, above->vectors.transpose());
  double* entry = matrix.data();
  for (Eigen::Index i = 0; i < matrix.size(); ++i) entry[i] = entry[i] * usual + added.data()[i];
  return true;
}

Eigen::VectorXd multiplyByEigenvectors(const Eigen::MatrixXd& symmetric, Eigen::MatrixXd& matrix) {
  Reduced reduced(symmetric);
  multiplyByOrthogonal(reduced.form, matrix);
  diagonalise(reduced.form.diagonal, reduced.form.subdiagonal, matrix);
  return reduced.scale * reduced.form.diagonal;
}

Eigen::MatrixXd recomposed(const Eigen::MatrixXd& symmetric,
                           const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& f) {
  if (symmetric.size() == 0) return {};
  const Reduced reduced(symmetric);
  const Eigen::VectorXd values = reduced.values();
  const Eigen::Index n = values.size();
  // A multiple of the identity apart: rounding must not relate directions that it does not relate.
  // The eigenvectors of it alone are not needed.
  const Eigen::VectorXd changed = f(reduced.scale * values);
  const double least = changed.minCoeff();
  Eigen::Index above = n;
  while (above > 0 && changed[above - 1] == least) --above;
  std::optional<Eigen::MatrixXd> vectors = twistedVectors(reduced.form, values, above);
  if (!vectors) {
    Spectrum decomposed = spectrum(symmetric);
    decomposed.values = f(decomposed.values);
    return compose(decomposed);
  }
  for (Eigen::Index j = 0; j < above; ++j) {
    double* column = vectors->data() + j * n;
    const double root = std::sqrt(changed[j] - least);
    for (Eigen::Index i = 0; i < n; ++i) column[i] *= root;
  }
  multiplyOrthogonalBy(reduced.form, *vectors);
  Eigen::MatrixXd result = multiplyByTranspose(*vectors);
  result.diagonal().array() += least;
  return result;
}

Eigen::MatrixXd compose(const Spectrum& spectrum) {
  const Eigen::MatrixXd product =
      multiply(spectrum.vectors * spectrum.values.asDiagonal(), spectrum.vectors.transpose());
  return 0.5 * (product + product.transpose());
}

SingularPairs singularPairs(const Eigen::MatrixXd& matrix) {
  return singularPairs(matrix, std::min(matrix.rows(), matrix.cols()));
}

SingularPairs singularPairs(const Eigen::MatrixXd& matrix, Eigen::Index count) {
  if (matrix.rows() > matrix.cols()) {
    SingularPairs pairs = singularPairs(matrix.transpose(), count);
    std::swap(pairs.left, pairs.right);
    return pairs;
  }
  const Eigen::MatrixXd gram = multiplyByTranspose(matrix);
  std::optional<Eigen::MatrixXd> leading = leadingVectors(gram, count);
  SingularPairs pairs = pairsOf(matrix, leading ? *leading : spectrum(gram).vectors);
  if (pairs.values.size() <= count) return pairs;
  return {pairs.values.head(count), pairs.left.leftCols(count), pairs.right.leftCols(count)};
}

}  // namespace pm
