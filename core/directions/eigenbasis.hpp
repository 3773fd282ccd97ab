#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/exact_bingham.hpp"
#include "core/wipe.hpp"

namespace pm {

/// The error of all eigenvalues together, a Euclidean norm in grid units of 2^-2bits, that the
/// noise of a release pays for: what a backward stable decomposition stays below for any D x D
/// scatter of up to `rows` rows of length at most 1. docs/mechanisms/eigenvector-sampling.md,
/// step 6. Precondition: dimension <= kMaxFeatures, rows <= 2^32, bits <= 24
std::uint64_t eigenvalueError(int dimension, int bits, std::uint64_t rows);

/// Approximate eigenvectors of an integer matrix C on a subspace, with bounds of their errors, in
/// which exact draws are proposed. The subspace is all of R^D at first, and after each `leave` the
/// part of it orthogonal to a released direction, nearly. Proofs: docs/exact-noise.md.
///
/// Private: wiped on destruction.
class Eigenbasis {
 public:
  /// @param scatter the upper triangle of C, D x D, row by row, in multiples of 2^-2bits of the
  /// squared row norm
  Eigenbasis(std::span<const Int128> scatter, int dimension, int bits);
  ~Eigenbasis();
  Eigenbasis(const Eigenbasis&) = delete;
  Eigenbasis& operator=(const Eigenbasis&) = delete;

  int dimension() const { return dimension_; }
  /// q, the dimension of the subspace.
  int size() const { return int(inside_.rows()); }

  /// The eigenvalues of C on the subspace, largest first, in units of the squared row norm.
  const Eigen::VectorXd& values() const { return spectrum_.values; }
  /// A bound on the Euclidean distance of all of them from the exact ones, and so on that of each.
  double valueError() const;
  /// Adds integers within `error` grid units of the largest eigenvalues, together, and 1/2 of each,
  /// to `values`. Precondition: no direction has been left.
  void addValues(std::uint64_t error, std::span<Int128> values) const;

  /// Goes on in the part of the subspace orthogonal to `direction`, or nearly so: the last
  /// coordinates after a reflection that maps `direction`, as far as doubles can tell, to the
  /// first. The reflection itself is exact. Precondition: size() >= 2.
  /// @param direction D multiples of 2^-kDirectionBits, public
  void leave(std::span<const double> direction);

  /// Exponents kappa (largest - value) of Bingham's law in the basis, ascending from 0; for a
  /// negative kappa |kappa| (value - smallest), and the basis in reverse.
  PrivateNumbers exponents(double kappa) const;

  /// The vector of R^D with coordinates x in the basis.
  std::vector<Wide> inSpace(std::span<const Wide> x, bool reversed, Maker<Wide> make) const;
  /// The same in doubles. The Euclidean error is at most `roundings()` 2^-53 |x|, where x is exact.
  void inSpace(std::span<const double> x, bool reversed, std::span<double> y) const;
  double roundings() const;

 protected:
  /// Bounds the errors of `spectrum_`, whatever it is.
  void boundErrors();

  Spectrum spectrum_;

 private:
  friend class EigenbasisFactor;

  /// How many eigenvalues of C are above v - 1/2 grid units, exactly.
  std::size_t countAbove(Int128 v) const;
  Eigen::Index columnOf(std::size_t j, bool reversed) const {
    return reversed ? spectrum_.values.size() - 1 - Eigen::Index(j) : Eigen::Index(j);
  }

  std::vector<Int128> scatter_;
  int dimension_;
  int bits_;
  double norm_;             ///< at least the Frobenius norm of C, units of the squared row norm
  Eigen::MatrixXd inside_;  ///< C in coordinates of the subspace, B, nearly
  double inside_error_;     ///< bound of its error in the Frobenius norm
  double residual_ = 0;     ///< bound of V^T B V - diag(values) in the Frobenius norm
  double overlap_ = 0;      ///< bound of V^T V - I in the Frobenius norm
  /// v of the reflections I - 2 v v^T / v^T v, the i-th of the coordinates from i on.
  std::vector<Eigen::VectorXd> reflections_;
};

/// The density of exp(kappa tr P C), P the projection onto the span of V X, X with k columns, over
/// that of the Bingham law exp(-tr X^T diag(alphas) X), X^T X = I, whose span V maps: V is only
/// nearly orthogonal, and C only nearly diagonal in its axes.
class EigenbasisFactor final : public BinghamFactor {
 public:
  /// @param alphas basis.exponents(kappa), which must outlive the factor, as must the basis
  EigenbasisFactor(const Eigenbasis& basis, double kappa, std::span<const double> alphas,
                   int columns);
  double bound() const override { return bound_; }
  Wide logAt(std::span<const Wide> columns, Maker<Wide> make) const override;

 private:
  const Eigenbasis& basis_;
  double kappa_;
  std::span<const double> alphas_;
  double top_;
  double bound_;
};

}  // namespace pm
