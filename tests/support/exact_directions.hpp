#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/directions/exact_directions.hpp"
#include "core/directions/exact_frames.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/ppca.hpp"
#include "core/moments/limits.hpp"

namespace pm::testing_support {

/// The exact samplers with the interface of those in doubles.

/// A unit vector of Bingham's law, in doubles.
inline void exactBingham(std::span<const double> alphas, Drbg& random, std::span<double> x) {
  const BinghamEnvelope envelope(alphas);
  std::uint64_t undecided = 0;
  for (;;) {
    const std::optional<Proposal> kept = tryBingham(envelope, nullptr, random, undecided);
    if (!kept) continue;
    double squared = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = envelope.spreads[i] * kept->normal(i);
      squared += x[i] * x[i];
    }
    for (double& entry : x) entry /= std::sqrt(squared);
    return;
  }
}

/// The upper triangle of a symmetric matrix, row by row, rounded to multiples of 2^-2bits.
inline std::vector<Int128> gridTriangle(const Eigen::MatrixXd& matrix, int bits) {
  std::vector<Int128> triangle;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index j = i; j < matrix.cols(); ++j) {
      triangle.push_back(Int128(std::nearbyint(std::ldexp(matrix(i, j), 2 * bits))));
    }
  }
  return triangle;
}

/// The same behind the entries of the constant coordinate, which are 0: the totals of a release.
inline std::vector<Int128> gridTotals(const Eigen::MatrixXd& matrix, int bits) {
  std::vector<Int128> totals(std::size_t(matrix.rows()) + 1);
  const std::vector<Int128> triangle = gridTriangle(matrix, bits);
  totals.insert(totals.end(), triangle.begin(), triangle.end());
  return totals;
}

/// The released directions of a subspace (D x k), of length 1 up to 2^-16.
inline Eigen::MatrixXd exactSubspace(const Eigen::MatrixXd& scatter, int k, double kappa,
                                     Drbg& random) {
  const int d = int(scatter.rows());
  constexpr int kBits = 22;
  const Eigenbasis basis(gridTriangle(scatter, kBits), d, kBits);
  std::vector<double> projection(packedSize(std::size_t(d)));
  std::uint64_t undecided = 0;
  drawSubspace(basis, k, kappa, random, projection, undecided);
  Eigen::MatrixXd frame(d, k);
  directionsOf(projection, d, k, {frame.data(), std::size_t(d * k)});
  return frame * std::ldexp(1.0, -kDirectionBits);
}

/// A basis of a drawn span, orthonormalised in doubles.
inline Eigen::MatrixXd orthonormalBasis(const DrawnFrame& frame, int k) {
  const std::vector<Ball> balls = frame.basis(Maker<Ball>{});
  Eigen::MatrixXd x(Eigen::Index(balls.size()) / k, k);
  for (std::size_t i = 0; i < balls.size(); ++i) x.data()[i] = balls[i].mid();
  for (Eigen::Index j = 0; j < k; ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index i = 0; i < j; ++i) x.col(j) -= x.col(i).dot(x.col(j)) * x.col(i);
    }
    x.col(j).normalize();
  }
  return x;
}

}  // namespace pm::testing_support
