#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/random/ball.hpp"
#include "core/random/wide.hpp"

namespace pm {

/// Small matrices of balls, `Ball` or `Wide`: k x k, where k is the number of directions.
template <class Real>
struct SquareMatrix {
  std::size_t size;
  std::vector<Real> entries;  ///< row by row

  Real& at(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  const Real& at(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
};

/// a . b
template <class Real, class Make>
Real dot(const std::vector<Real>& a, const std::vector<Real>& b, Make make) {
  Real sum = make(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i] * b[i];
  return sum;
}

/// A B.
template <class Real, class Make>
SquareMatrix<Real> product(const SquareMatrix<Real>& a, const SquareMatrix<Real>& b, Make make) {
  const std::size_t k = a.size;
  SquareMatrix<Real> result{k, std::vector<Real>(k * k, make(0))};
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      Real& sum = result.at(i, j);
      for (std::size_t m = 0; m < k; ++m) sum = sum + a.at(i, m) * b.at(m, j);
    }
  }
  return result;
}

template <class Real>
SquareMatrix<Real> transposed(SquareMatrix<Real> a) {
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = 0; j < i; ++j) std::swap(a.at(i, j), a.at(j, i));
  }
  return a;
}

/// A^T B for matrices of `rows` rows and equally many columns, stored column by column.
template <class Real, class Make>
SquareMatrix<Real> products(std::span<const Real> a, std::span<const Real> b, std::size_t rows,
                            Make make) {
  const std::size_t k = a.size() / rows;
  SquareMatrix<Real> result{k, std::vector<Real>(k * k, make(0))};
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      Real& sum = result.at(i, j);
      for (std::size_t r = 0; r < rows; ++r) sum = sum + a[i * rows + r] * b[j * rows + r];
    }
  }
  return result;
}

/// A^-1 B for a positive definite A by elimination, and in `pivots` the pivots of A.
template <class Real>
SquareMatrix<Real> quotient(SquareMatrix<Real> a, SquareMatrix<Real> b, std::vector<Real>& pivots) {
  const std::size_t k = a.size;
  pivots.clear();
  for (std::size_t p = 0; p < k; ++p) {
    pivots.push_back(a.at(p, p));
    for (std::size_t i = 0; i < k; ++i) {
      if (i == p) continue;
      const Real factor = a.at(i, p) / a.at(p, p);
      for (std::size_t j = p + 1; j < k; ++j) a.at(i, j) = a.at(i, j) - factor * a.at(p, j);
      for (std::size_t j = 0; j < k; ++j) b.at(i, j) = b.at(i, j) - factor * b.at(p, j);
    }
  }
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j) b.at(i, j) = b.at(i, j) / pivots[i];
  }
  return b;
}

/// tr A^-1 B.
template <class Real, class Make>
Real traceOfQuotient(const SquareMatrix<Real>& a, const SquareMatrix<Real>& b, Make make) {
  std::vector<Real> pivots;
  const SquareMatrix<Real> solved = quotient(a, b, pivots);
  Real trace = make(0);
  for (std::size_t i = 0; i < a.size; ++i) trace = trace + solved.at(i, i);
  return trace;
}

/// ln |A|.
template <class Real, class Make>
Real logDeterminant(const SquareMatrix<Real>& a, Make make) {
  std::vector<Real> pivots;
  quotient(a, a, pivots);
  Real sum = make(0);
  for (const Real& pivot : pivots) sum = sum + log(pivot);
  return sum;
}

/// Steps that gain at least 40 bits each after a start in doubles.
inline int rootSteps(Maker<Ball>) { return 1; }
inline int rootSteps(Maker<Wide> make) { return 2 + make.words * 64 / 40; }

/// N^1/2 of a positive definite N with eigenvalues of at most 1, where `determinant` is |N|:
/// unknown where its sign is. With any positive definite Y, |N^1/2 - Y| <= |N - Y^2| / |N|^1/2 in
/// the Frobenius norm, as A (A - Y) + (A - Y) Y = A^2 - Y^2 for A = N^1/2, whose least eigenvalue
/// is at least |A|. Y comes from Newton's method with the derivative in doubles.
template <class Real>
SquareMatrix<Real> symmetricRoot(const SquareMatrix<Real>& n, const Real& determinant,
                                 Maker<Real> make) {
  const std::size_t k = n.size;
  const auto exactly = [&](const Eigen::MatrixXd& doubles) {
    SquareMatrix<Real> result{k, {}};
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        result.entries.push_back(make(doubles(Eigen::Index(i), Eigen::Index(j))));
      }
    }
    return result;
  };
  Eigen::MatrixXd mids(k, k);
  for (std::size_t i = 0; i < k * k; ++i) mids.data()[i] = n.entries[i].mid();
  Spectrum roots = spectrum(mids);
  for (double& value : roots.values) value = std::sqrt(std::max(value, 0x1p-60));
  const SquareMatrix<Real> axes = exactly(roots.vectors), back = transposed(axes);
  SquareMatrix<Real> y = back;
  for (std::size_t e = 0; e < k * k; ++e) {
    y.entries[e] = y.entries[e] * make(roots.values[Eigen::Index(e / k)]);
  }
  y = product(axes, y, make);
  for (Real& entry : y.entries) entry = entry.centre();
  const auto missing = [&] {
    SquareMatrix<Real> rest = product(y, y, make);
    for (std::size_t e = 0; e < k * k; ++e) rest.entries[e] = n.entries[e] - rest.entries[e];
    return rest;
  };
  for (int step = 0; step < rootSteps(make); ++step) {
    // E with Y E + E Y = N - Y^2, in the axes.
    SquareMatrix<Real> change = product(product(back, missing(), make), axes, make);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        const double sum = roots.values[Eigen::Index(i)] + roots.values[Eigen::Index(j)];
        change.at(i, j) = make(1 / sum) * change.at(i, j);
      }
    }
    change = product(product(axes, change, make), back, make);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        y.at(i, j) = y.at(j, i) = (y.at(i, j) + change.at(i, j)).centre();
      }
    }
  }
  double off = 0;
  for (const Real& entry : missing().entries) off += std::fabs(entry.mid()) + entry.radius();
  const double least = determinant.mid() - determinant.radius();
  double bound = least > 0 ? off / std::sqrt(least) * (1 + 0x1p-40) + 0x1p-1000
                           : std::numeric_limits<double>::infinity();
  std::vector<Real> pivots;
  quotient(y, y, pivots);
  for (const Real& pivot : pivots) {
    const std::optional<int> sign = pivot.sign();
    if (!sign || *sign <= 0) bound = std::numeric_limits<double>::infinity();
  }
  for (Real& entry : y.entries) entry = entry.widened(bound);
  return y;
}

}  // namespace pm
