#include "core/matrix/tridiagonal.hpp"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/matrix/multiply.hpp"
#include "core/pair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Reflectors that are applied together.
constexpr Index kBlock = 32;

/// Vectors that are reflected together: their sums hide each other's latency.
constexpr Index kTogether = 4;

/// Rows that are rotated together: four pairs, to hide latency.
constexpr Index kStrip = 8;

/// Rotations that are collected before they are applied: 256 kB.
constexpr std::size_t kBatch = 1 << 14;

/// The inverse of a squared cosine below this is not reliable.
constexpr double kTinyPivot = 1e-280;

/// Maximum QR steps per eigenvalue; two are usual.
constexpr Index kMostSteps = 30;

/// One reflector's update of the remaining matrix, and the vector to multiply it by.
struct Step {
  const double* v;  ///< A -= v w^T + w v^T
  const double* w;
  const double* u;
  double* product;  ///< A u is added
};

void updateEntry(MatrixXd& a, Index i, Index j, const Step& step) {
  double& entry = a(i, j);
  entry -= step.v[i] * step.w[j] + step.w[i] * step.v[j];
  step.product[i] += entry * step.u[j];
  if (i != j) step.product[j] += entry * step.u[i];
}

/// Updates columns j and j + 1 from row j + 2; each entry also stands for its mirror image.
void updateColumns(MatrixXd& a, Index j, const Step& step) {
  const Index n = a.rows();
  double* left = a.data() + j * n;
  double* right = left + n;
  const auto [v, w, u, product] = step;
  const Pair vl = broadcast(v[j]), wl = broadcast(w[j]), ul = broadcast(u[j]);
  const Pair vr = broadcast(v[j + 1]), wr = broadcast(w[j + 1]), ur = broadcast(u[j + 1]);
  Pair suml{}, sumr{};
  Index i = j + 2;
  for (; i + 2 <= n; i += 2) {
    const Pair vi = loadPair(v + i), wi = loadPair(w + i), ui = loadPair(u + i);
    const Pair l = loadPair(left + i) - (vi * wl + wi * vl);
    const Pair r = loadPair(right + i) - (vi * wr + wi * vr);
    storePair(left + i, l);
    storePair(right + i, r);
    suml += l * ui;
    sumr += r * ui;
    storePair(product + i, loadPair(product + i) + (l * ul + r * ur));
  }
  product[j] += suml[0] + suml[1];
  product[j + 1] += sumr[0] + sumr[1];
  for (; i < n; ++i) {
    updateEntry(a, i, j, step);
    updateEntry(a, i, j + 1, step);
  }
}

/// Updates the lower half from row and column `first`.
void updateLower(MatrixXd& a, Index first, const Step& step) {
  const Index n = a.rows();
  Index j = first;
  for (; j + 2 <= n; j += 2) {
    updateEntry(a, j, j, step);
    updateEntry(a, j + 1, j, step);
    updateEntry(a, j + 1, j + 1, step);
    updateColumns(a, j, step);
  }
  if (j < n) updateEntry(a, j, j, step);
}

/// Householder's H x = (norm, 0, .., 0): x becomes v, whose first entry is 1.
struct Reflected {
  double norm;
  double scale;
};

Reflected reflect(double* x, Index size) {
  double squares = 0;
  for (Index i = 1; i < size; ++i) squares += x[i] * x[i];
  const double first = x[0];
  x[0] = 1;
  if (squares <= std::numeric_limits<double>::min()) {
    std::fill(x + 1, x + size, 0.0);
    return {first, 0};
  }
  double norm = std::sqrt(first * first + squares);
  if (first >= 0) norm = -norm;
  for (Index i = 1; i < size; ++i) x[i] /= first - norm;
  return {norm, (norm - first) / norm};
}

/// The vectors V of `width` reflectors from `first`, without the rows where all are zero.
MatrixXd reflectorsOf(const Tridiagonal& reduced, Index first, Index width) {
  const Index size = reduced.diagonal.size() - first - 1;
  MatrixXd v = reduced.reflectors.block(first + 1, first, size, width);
  for (Index j = 1; j < width; ++j) v.col(j).head(j).setZero();
  return v;
}

/// T of I - V T V^T, the product of reflectors with the vectors V (Schreiber & Van Loan 1989).
MatrixXd triangleOf(const MatrixXd& v, const VectorXd& scales) {
  const MatrixXd products = multiplyTransposed(v, v);
  MatrixXd t = MatrixXd::Zero(v.cols(), v.cols());
  for (Index j = 0; j < v.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      double sum = 0;
      for (Index k = i; k < j; ++k) sum += t(i, k) * products(k, j);
      t(i, j) = -scales[j] * sum;
    }
    t(j, j) = scales[j];
  }
  return t;
}

/// x -= scale (v^T x) v for rows first .. n - 1. The sum has two parts, as in `reflectFour`, so
/// that a vector does not depend on how many there are.
void reflectOne(const double* v, double scale, Index first, Index n, double* x) {
  Pair sum{};
  Index i = first;
  for (; i + 2 <= n; i += 2) sum += loadPair(v + i) * loadPair(x + i);
  double all = sum[0] + sum[1];
  if (i < n) all += v[i] * x[i];
  const Pair factor = broadcast(scale * all);
  for (i = first; i + 2 <= n; i += 2) storePair(x + i, loadPair(x + i) - factor * loadPair(v + i));
  if (i < n) x[i] -= factor[0] * v[i];
}

/// The same for four vectors.
void reflectFour(const double* v, double scale, Index first, Index n, double* const* x) {
  double *a = x[0], *b = x[1], *c = x[2], *d = x[3];
  Pair sa{}, sb{}, sc{}, sd{};
  Index i = first;
  for (; i + 2 <= n; i += 2) {
    const Pair own = loadPair(v + i);
    sa += own * loadPair(a + i), sb += own * loadPair(b + i);
    sc += own * loadPair(c + i), sd += own * loadPair(d + i);
  }
  double sums[] = {sa[0] + sa[1], sb[0] + sb[1], sc[0] + sc[1], sd[0] + sd[1]};
  for (Index k = 0; k < 4; ++k) {
    if (i < n) sums[k] += v[i] * x[k][i];
    sums[k] *= scale;
    if (i < n) x[k][i] -= sums[k] * v[i];
  }
  sa = broadcast(sums[0]), sb = broadcast(sums[1]), sc = broadcast(sums[2]),
  sd = broadcast(sums[3]);
  for (i = first; i + 2 <= n; i += 2) {
    const Pair own = loadPair(v + i);
    storePair(a + i, loadPair(a + i) - sa * own);
    storePair(b + i, loadPair(b + i) - sb * own);
    storePair(c + i, loadPair(c + i) - sc * own);
    storePair(d + i, loadPair(d + i) - sd * own);
  }
}

/// Applies one sweep to `strip`: kStrip rows, column by column.
void rotateStrip(const Sweep& sweep, double* strip) {
  double* at = strip + sweep.first * kStrip;
  Pair x0 = loadPair(at), x1 = loadPair(at + 2), x2 = loadPair(at + 4), x3 = loadPair(at + 6);
  for (const ColumnRotation& rotation : sweep.rotations) {
    const Pair c = broadcast(rotation.cosine), s = broadcast(rotation.sine);
    const double* next = at + kStrip;
    const Pair y0 = loadPair(next), y1 = loadPair(next + 2);
    const Pair y2 = loadPair(next + 4), y3 = loadPair(next + 6);
    storePair(at, c * x0 - s * y0);
    storePair(at + 2, c * x1 - s * y1);
    storePair(at + 4, c * x2 - s * y2);
    storePair(at + 6, c * x3 - s * y3);
    x0 = s * x0 + c * y0, x1 = s * x1 + c * y1;
    x2 = s * x2 + c * y2, x3 = s * x3 + c * y3;
    at += kStrip;
  }
  storePair(at, x0);
  storePair(at + 2, x1);
  storePair(at + 4, x2);
  storePair(at + 6, x3);
}

/// Wilkinson's shift: the eigenvalue of the last 2 x 2 block that is closer to its last entry.
double shiftOf(const VectorXd& diagonal, double off, Index end) {
  const double half = (diagonal[end - 1] - diagonal[end]) / 2;
  if (half == 0) return diagonal[end] - std::abs(off);
  const double reach = std::hypot(half, off);
  // In this order nothing overflows or underflows.
  return diagonal[end] - off / ((half + (half > 0 ? reach : -reach)) / off);
}

/// One implicit QR step on rows start .. end of T.
Sweep stepOf(VectorXd& diagonal, VectorXd& subdiagonal, Index start, Index end) {
  Sweep sweep{start, {}};
  sweep.rotations.reserve(static_cast<std::size_t>(end - start));
  double x = diagonal[start] - shiftOf(diagonal, subdiagonal[end - 1], end);
  double z = subdiagonal[start];
  for (Index k = start; k < end && z != 0; ++k) {
    Eigen::JacobiRotation<double> rotation;
    rotation.makeGivens(x, z);
    const double c = rotation.c(), s = rotation.s();
    const double upper = diagonal[k], lower = diagonal[k + 1], off = subdiagonal[k];
    const double left = s * upper + c * off, right = s * off + c * lower;
    diagonal[k] = c * (c * upper - s * off) - s * (c * off - s * lower);
    diagonal[k + 1] = s * left + c * right;
    subdiagonal[k] = c * left - s * right;
    if (k > start) subdiagonal[k - 1] = c * subdiagonal[k - 1] - s * z;
    x = subdiagonal[k];
    if (k < end - 1) {
      z = -s * subdiagonal[k + 1];
      subdiagonal[k + 1] *= c;
    }
    sweep.rotations.push_back({c, s});
  }
  return sweep;
}

/// Whether an entry next to these two on the diagonal is within rounding of zero.
bool negligible(double off, double above, double below) {
  const double relative = off / std::numeric_limits<double>::epsilon();
  return std::abs(off) < std::numeric_limits<double>::min() ||
         relative * relative <= std::abs(above) + std::abs(below);
}

bool negligibleSquare(double square, double above, double below) {
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  return square < std::numeric_limits<double>::min() ||
         square <= kEpsilon * kEpsilon * (std::abs(above) + std::abs(below));
}

/// The step of `stepOf` on the squares of the off-diagonal entries.
void stepOfSquares(VectorXd& diagonal, VectorXd& squares, Index start, Index end) {
  const double shift = shiftOf(diagonal, std::sqrt(squares[end - 1]), end);
  double cosine = 1, sine = 0;  // both squared
  double gamma = diagonal[start] - shift;
  double pivot = gamma * gamma;
  for (Index i = start; i < end; ++i) {
    const double off = squares[i];
    const double sum = pivot + off;
    if (i > start) squares[i - 1] = sine * sum;
    const double before = cosine, turned = gamma;
    const double inverse = sum / pivot;
    cosine = pivot / sum;
    sine = off / sum;
    gamma = cosine * (diagonal[i + 1] - shift) - sine * turned;
    diagonal[i] = turned + (diagonal[i + 1] - gamma);
    pivot = cosine < kTinyPivot ? before * off : gamma * gamma * inverse;
  }
  squares[end - 1] = sine * pivot;
  diagonal[end] = shift + gamma;
}

}  // namespace

Tridiagonal tridiagonalise(MatrixXd matrix) {
  const Index n = matrix.rows();
  Tridiagonal result{VectorXd(n), VectorXd(n - 1), std::move(matrix), VectorXd(n - 1)};
  MatrixXd& a = result.reflectors;
  MatrixXd vectors = zeros(n, 3);
  double* v = vectors.data();
  double* w = v + n;
  double* product = w + n;
  for (Index k = 0; k + 1 < n; ++k) {
    double* column = a.data() + k * n;
    for (Index i = k; k > 0 && i < n; ++i) column[i] -= v[i] * w[k] + w[i] * v[k];
    result.diagonal[k] = column[k];
    const Index size = n - k - 1;
    const Reflected reflected = reflect(column + k + 1, size);
    result.subdiagonal[k] = reflected.norm;
    result.scales[k] = reflected.scale;

    std::fill_n(product + k + 1, size, 0.0);
    updateLower(a, k + 1, {v, w, column, product});
    double sum = 0;
    for (Index i = k + 1; i < n; ++i) {
      v[i] = column[i];
      w[i] = reflected.scale * product[i];
      sum += w[i] * v[i];
    }
    for (Index i = k + 1; i < n; ++i) w[i] -= reflected.scale / 2 * sum * v[i];
  }
  result.diagonal[n - 1] = a(n - 1, n - 1) - (n > 1 ? 2 * v[n - 1] * w[n - 1] : 0);
  return result;
}

MatrixXd orthogonalOf(const Tridiagonal& reduced) {
  const Index n = reduced.diagonal.size();
  MatrixXd q = MatrixXd::Identity(n, n);
  const Index count = n - 1;
  for (Index first = (count - 1) / kBlock * kBlock; count > 0 && first >= 0; first -= kBlock) {
    const Index width = std::min(kBlock, count - first);
    const Index size = n - first - 1;
    const MatrixXd v = reflectorsOf(reduced, first, width);
    const MatrixXd t = triangleOf(v, reduced.scales.segment(first, width));
    const MatrixXd rest = q.bottomRightCorner(size, size);
    q.bottomRightCorner(size, size) -= multiply(v, multiply(t, multiplyTransposed(v, rest)));
  }
  return q;
}

void multiplyByOrthogonal(const Tridiagonal& reduced, MatrixXd& matrix) {
  const Index count = reduced.diagonal.size() - 1;
  for (Index first = 0; first < count; first += kBlock) {
    const Index width = std::min(kBlock, count - first);
    const MatrixXd v = reflectorsOf(reduced, first, width);
    const MatrixXd t = triangleOf(v, reduced.scales.segment(first, width));
    const MatrixXd rest = matrix.rightCols(v.rows());
    matrix.rightCols(v.rows()) -= multiply(multiply(multiply(rest, v), t), v.transpose());
  }
}

void multiplyOrthogonalBy(const Tridiagonal& reduced, MatrixXd& vectors) {
  const Index n = reduced.diagonal.size();
  for (Index first = 0; first < vectors.cols(); first += kTogether) {
    double* columns[kTogether];
    for (Index c = 0; c < kTogether; ++c) {
      columns[c] = first + c < vectors.cols() ? vectors.data() + (first + c) * n : nullptr;
    }
    for (Index k = n - 2; k >= 0; --k) {
      const double* reflector = reduced.reflectors.data() + k * n;
      if (columns[kTogether - 1] != nullptr) {
        reflectFour(reflector, reduced.scales[k], k + 1, n, columns);
        continue;
      }
      for (double* column : columns) {
        if (column != nullptr) reflectOne(reflector, reduced.scales[k], k + 1, n, column);
      }
    }
  }
}

void rotateColumns(const std::vector<Sweep>& sweeps, MatrixXd& matrix) {
  const Index rows = matrix.rows(), columns = matrix.cols();
  std::vector<double> strip(static_cast<std::size_t>(columns * kStrip));
  for (Index first = 0; first < rows; first += kStrip) {
    const Index width = std::min(kStrip, rows - first);
    for (Index j = 0; j < columns; ++j) {
      std::copy_n(matrix.data() + j * rows + first, width, strip.data() + j * kStrip);
    }
    for (const Sweep& sweep : sweeps) rotateStrip(sweep, strip.data());
    for (Index j = 0; j < columns; ++j) {
      std::copy_n(strip.data() + j * kStrip, width, matrix.data() + j * rows + first);
    }
  }
}

void diagonalise(VectorXd& diagonal, VectorXd& subdiagonal, MatrixXd& vectors) {
  std::vector<Sweep> sweeps;
  std::size_t collected = 0;
  const auto flush = [&] {
    rotateColumns(sweeps, vectors);
    sweeps.clear();
    collected = 0;
  };
  Index end = diagonal.size() - 1, start = 0;
  for (Index step = kMostSteps * diagonal.size(); step > 0; --step) {
    for (Index i = start; i < end; ++i) {
      if (negligible(subdiagonal[i], diagonal[i], diagonal[i + 1])) subdiagonal[i] = 0;
    }
    while (end > 0 && subdiagonal[end - 1] == 0) --end;
    if (end <= 0) break;
    start = end - 1;
    while (start > 0 && subdiagonal[start - 1] != 0) --start;
    Sweep sweep = stepOf(diagonal, subdiagonal, start, end);
    collected += sweep.rotations.size();
    sweeps.push_back(std::move(sweep));
    if (collected >= kBatch) flush();
  }
  flush();
}

void diagonalise(VectorXd& diagonal, VectorXd& subdiagonal) {
  VectorXd& squares = subdiagonal;
  for (double& off : squares) off *= off;
  Index end = diagonal.size() - 1;
  for (Index step = kMostSteps * diagonal.size(); step > 0; --step) {
    while (end > 0 && negligibleSquare(squares[end - 1], diagonal[end - 1], diagonal[end])) --end;
    if (end <= 0) break;
    Index start = end - 1;
    while (start > 0 &&
           !negligibleSquare(squares[start - 1], diagonal[start - 1], diagonal[start])) {
      --start;
    }
    stepOfSquares(diagonal, squares, start, end);
  }
}

}  // namespace pm
