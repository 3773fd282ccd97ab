#include "core/directions/eigenbasis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/directions/real_matrix.hpp"
#include "core/matrix/multiply.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUnit = 0x1p-53;  // the rounding of doubles

/// For bounds that are themselves computed in doubles.
constexpr double kUp = 1 + 0x1p-20;

/// The relative error of a sum of n products (Higham 2002, section 3.1), and a little more.
double sumError(double n) { return (n + 4) * kUnit * kUp; }

double frobenius(const MatrixXd& m) {
  double sum = 0;
  for (Index j = 0; j < m.cols(); ++j) {
    for (Index i = 0; i < m.rows(); ++i) sum += m(i, j) * m(i, j);
  }
  return std::sqrt(sum) * kUp;
}

double dot(const VectorXd& a, const double* b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void reflect(const VectorXd& v, double* x) {
  const double factor = 2 * dot(v, x) / dot(v, v.data());
  for (Index i = 0; i < v.size(); ++i) x[i] -= factor * v[i];
}

void reflect(const VectorXd& v, std::span<Wide> x, Maker<Wide> make) {
  Wide along = make(0), squared = make(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Wide entry = make(v[Index(i)]);
    along = along + entry * x[i];
    squared = squared + entry * entry;
  }
  const Wide factor = make(2) * along / squared;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] - factor * make(v[Index(i)]);
}

}  // namespace

std::uint64_t eigenvalueError(int dimension, int bits, std::uint64_t rows) {
  const std::uint64_t d = std::uint64_t(dimension) + 8;
  const int shift = 50 - 2 * bits;
  return (rows * d * d + (std::uint64_t{1} << shift) - 1) >> shift;
}

Eigenbasis::Eigenbasis(std::span<const Int128> scatter, int dimension, int bits)
    : scatter_(scatter.begin(), scatter.end()),
      dimension_(dimension),
      bits_(bits),
      inside_(dimension, dimension) {
  const double unit = std::ldexp(1.0, -2 * bits);
  const Int128* entry = scatter_.data();
  for (Index i = 0; i < dimension; ++i) {
    for (Index j = i; j < dimension; ++j) inside_(i, j) = inside_(j, i) = double(*entry++) * unit;
  }
  norm_ = frobenius(inside_);
  inside_error_ = kUnit * norm_;
  spectrum_ = spectrum(inside_);
  boundErrors();
}

Eigenbasis::~Eigenbasis() {
  wipe(scatter_);
  wipe(inside_);
  wipe(spectrum_.values);
  wipe(spectrum_.vectors);
}

void Eigenbasis::boundErrors() {
  const double q = double(inside_.rows());
  const MatrixXd& v = spectrum_.vectors;
  // V V^T - I has the singular values of V^T V - I.
  MatrixXd overlap = multiplyByTranspose(v);
  for (Index i = 0; i < inside_.rows(); ++i) overlap(i, i) -= 1;
  // Sums of q products of the entries of rows of length 1, nearly.
  overlap_ = frobenius(overlap) + 1.01 * q * sumError(q);
  // V^T B V - diag(values) = V^T R + (V^T V - I) diag(values), R = B V - V diag(values).
  MatrixXd rest = multiply(inside_, v);
  double largest = 0;
  for (Index j = 0; j < inside_.rows(); ++j) {
    const double value = spectrum_.values[j];
    largest = std::max(largest, std::fabs(value));
    for (Index i = 0; i < inside_.rows(); ++i) rest(i, j) -= v(i, j) * value;
  }
  const double rounding = (1.05 * std::sqrt(q) * sumError(q) + 4 * kUnit) * norm_;
  residual_ =
      ((frobenius(rest) + rounding + inside_error_) * (1 + overlap_) + overlap_ * largest) * kUp;
  wipe(rest);
}

double Eigenbasis::valueError() const {
  // Hoffman and Wielandt for V^T B V, and Ostrowski for V, whose squared singular values are within
  // 1 +- overlap.
  return (residual_ + overlap_ * norm_) / (1 - overlap_) * kUp;
}

std::size_t Eigenbasis::countAbove(Int128 v) const {
  // The number of positive pivots of 2 C - (2 v - 1) I, by Sylvester's law of inertia. All of its
  // leading minors are odd integers, so every pivot has a sign, which enough words show.
  const std::size_t d = std::size_t(dimension_);
  for (int words = 3;; words += words) {
    const Maker<Wide> make{words};
    SquareMatrix<Wide> shifted{d, std::vector<Wide>(d * d, make(0))};
    const Int128* entry = scatter_.data();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = i; j < d; ++j) {
        const Int128 twice = 2 * *entry++ - (i == j ? 2 * v - 1 : 0);
        shifted.at(i, j) = shifted.at(j, i) = make.integer(twice);
      }
    }
    std::vector<Wide> pivots;
    quotient(shifted, SquareMatrix<Wide>{d, std::vector<Wide>(d * d, make(0))}, pivots);
    std::size_t above = 0, decided = 0;
    for (const Wide& pivot : pivots) {
      const std::optional<int> sign = pivot.sign();
      if (!sign) break;
      ++decided;
      above += *sign > 0 ? 1 : 0;
    }
    if (decided == d) return above;
  }
}

void Eigenbasis::addValues(std::uint64_t error, std::span<Int128> values) const {
  const double units = std::ldexp(1.0, 2 * bits_);
  if (valueError() * units <= double(error)) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] += Int128(std::nearbyint(spectrum_.values[Index(i)] * units));
    }
    return;
  }
  // Doubles may be too far off, which no backward stable decomposition is: by bisection, slowly.
  for (std::size_t i = 0; i < values.size(); ++i) {
    Int128 high = Int128(norm_ * units) + 1, low = -high;
    while (low < high) {
      const Int128 middle = high - (high - low) / 2;
      if (countAbove(middle) > i) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    values[i] += low;
  }
}

void Eigenbasis::leave(std::span<const double> direction) {
  const Index q = inside_.rows(), first = Index(reflections_.size());
  VectorXd u(dimension_);
  for (Index i = 0; i < dimension_; ++i) u[i] = direction[std::size_t(i)];
  for (Index i = 0; i < first; ++i) reflect(reflections_[std::size_t(i)], u.data() + i);
  VectorXd v(q);
  double squared = 0;
  for (Index i = 0; i < q; ++i) squared += u[first + i] * u[first + i];
  const double length = std::sqrt(squared);
  for (Index i = 0; i < q; ++i) v[i] = u[first + i] / length;
  // Away from the nearer end of the axis, so that v is not small; whatever v is, the reflection of
  // these very doubles is orthogonal.
  v[0] += std::copysign(1.0, v[0]);
  // B - v w^T - w v^T, w = s (p - (s/2) (v^T p) v), p = B v, s = 2 / v^T v.
  VectorXd w = VectorXd::Zero(q);
  for (Index j = 0; j < q; ++j) {
    for (Index i = 0; i < q; ++i) w[i] += inside_(i, j) * v[j];
  }
  const double s = 2 / dot(v, v.data()), along = s / 2 * dot(v, w.data());
  for (Index i = 0; i < q; ++i) w[i] = s * (w[i] - along * v[i]);
  MatrixXd next(q - 1, q - 1);
  for (Index j = 1; j < q; ++j) {
    for (Index i = 1; i < q; ++i) {
      next(i - 1, j - 1) = inside_(i, j) - (v[i] * w[j] + w[i] * v[j]);
    }
  }
  wipe(w);
  wipe(inside_);
  inside_ = std::move(next);
  // v w^T and w v^T are at most 4 |B| each, with at most 4 q + 40 roundings.
  inside_error_ = (inside_error_ + 32 * (double(q) + 10) * kUnit * norm_) * kUp;
  reflections_.push_back(std::move(v));
  spectrum_ = spectrum(inside_);
  boundErrors();
}

PrivateNumbers Eigenbasis::exponents(double kappa) const {
  PrivateNumbers alphas;
  const double first = spectrum_.values[columnOf(0, kappa < 0)];
  for (std::size_t j = 0; j < std::size_t(size()); ++j) {
    alphas.push_back(kappa * (first - spectrum_.values[columnOf(j, kappa < 0)]));
  }
  return alphas;
}

std::vector<Wide> Eigenbasis::inSpace(std::span<const Wide> x, bool reversed,
                                      Maker<Wide> make) const {
  std::vector<Wide> y(std::size_t(dimension_), make(0));
  const std::span<Wide> inside = std::span(y).last(x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      inside[i] = inside[i] + make(spectrum_.vectors(Index(i), columnOf(j, reversed))) * x[j];
    }
  }
  for (std::size_t i = reflections_.size(); i-- > 0;) {
    reflect(reflections_[i], std::span(y).subspan(i), make);
  }
  return y;
}

void Eigenbasis::inSpace(std::span<const double> x, bool reversed, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0);
  double* inside = y.data() + (y.size() - x.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double* column = &spectrum_.vectors.coeffRef(0, columnOf(j, reversed));
    for (std::size_t i = 0; i < x.size(); ++i) inside[i] += column[i] * x[j];
  }
  for (std::size_t i = reflections_.size(); i-- > 0;) reflect(reflections_[i], y.data() + i);
}

double Eigenbasis::roundings() const {
  const double q = size(), d = dimension_;
  return (std::sqrt(q) * (q + 4) + double(reflections_.size()) * (4 * d + 40)) * 1.01;
}

EigenbasisFactor::EigenbasisFactor(const Eigenbasis& basis, double kappa,
                                   std::span<const double> alphas, int columns)
    : basis_(basis),
      kappa_(kappa),
      alphas_(alphas),
      top_(kappa * basis.spectrum_.values[basis.columnOf(0, kappa < 0)]) {
  // With F = kappa V^T B V - diag(top - alpha) and G = V^T V - I, for one column
  //   |ln factor| <= (|F| + max |top - alpha| |G|) / (1 - |G|) + (q/2) |G| / (1 - |G|),
  // and sqrt k times that for k.
  double largest = std::fabs(top_), rounding = 0;
  for (const double alpha : alphas) {
    largest = std::max(largest, std::fabs(top_ - alpha));
    rounding += 4 * kUnit * (std::fabs(top_) + alpha);
  }
  const double residual = std::fabs(kappa) * basis.residual_ + rounding;
  const double q = double(alphas.size()), overlap = basis.overlap_;
  bound_ =
      std::sqrt(double(columns)) * (residual + (largest + q / 2) * overlap) / (1 - overlap) * kUp;
}

Wide EigenbasisFactor::logAt(std::span<const Wide> columns, Maker<Wide> make) const {
  const std::size_t q = alphas_.size(), k = columns.size() / q;
  const std::size_t d = std::size_t(basis_.dimension_);
  std::vector<Wide> mapped, images, weighted;
  for (std::size_t c = 0; c < k; ++c) {
    const std::span<const Wide> x = columns.subspan(c * q, q);
    for (std::size_t i = 0; i < q; ++i) weighted.push_back(make(alphas_[i]) * x[i]);
    const std::vector<Wide> y = basis_.inSpace(x, kappa_ < 0, make);
    std::vector<Wide> image(d, make(0));
    const Int128* entry = basis_.scatter_.data();
    for (std::size_t i = 0; i < d; ++i) {
      image[i] = image[i] + make.integer(*entry++) * y[i];
      for (std::size_t j = i + 1; j < d; ++j, ++entry) {
        image[i] = image[i] + make.integer(*entry) * y[j];
        image[j] = image[j] + make.integer(*entry) * y[i];
      }
    }
    mapped.insert(mapped.end(), y.begin(), y.end());
    images.insert(images.end(), image.begin(), image.end());
  }
  // kappa tr (Y^T Y)^-1 Y^T C Y - k top + tr (X^T X)^-1 X^T A X - (q/2) ln(|Y^T Y| / |X^T X|).
  const SquareMatrix<Wide> before = products<Wide>(columns, columns, q, make);
  const SquareMatrix<Wide> after = products<Wide>(mapped, mapped, d, make);
  const SquareMatrix<Wide> form = products<Wide>(mapped, images, d, make);
  const SquareMatrix<Wide> exponent = products<Wide>(columns, weighted, q, make);
  const Wide unit = make(std::ldexp(kappa_, -2 * basis_.bits_));
  return unit * traceOfQuotient(after, form, make) - make(double(k)) * make(top_) +
         traceOfQuotient(before, exponent, make) -
         make(double(q) / 2) * (logDeterminant(after, make) - logDeterminant(before, make));
}

}  // namespace pm
