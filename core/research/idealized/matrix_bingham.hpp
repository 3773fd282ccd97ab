#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "core/directions/exact_frames.hpp"
#include "core/random/drbg.hpp"

namespace pm::idealized {

/// The matrix Bingham law (core/directions/exact_frames.hpp) drawn in doubles, as a comparison:
/// exact in real arithmetic only. Frames X (q x k, X^T X = I) with density proportional to exp(-tr
/// X^T A X) relative to the uniform law, A = diag(alphas). `alphas` is ascending with alphas[0] =
/// 0.

/// One draw, exact in real arithmetic. The basis of the span is uniformly random and independent of
/// everything else, because the basis in which the span is drawn would reveal the axes of A, while
/// the law depends on the span alone. If k > q/2 the complement is drawn; k = q gives a uniform
/// basis of the whole space. Precondition: 1 <= k <= q.
Eigen::MatrixXd sampleMatrixBingham(std::span<const double> alphas, int k, Drbg& random);

/// ln of the probability with which a proposed frame is accepted. At most 0 up to rounding.
double macgLogAccept(std::span<const double> alphas, const MacgEnvelope& envelope,
                     const Eigen::MatrixXd& frame);

/// SACG: conditions column i on the columns s_1, ..., s_(i-1) of S drawn so far. With
/// M = I - sum_l s_l s_l^T, M^-1 = I + U U^T, column i is s = M^(1/2) w, (w_0, w) on the sphere in
/// p + 1 dimensions, p = q - k, with density proportional to exp(-s^T diag(gaps) s).
class ChartPast {
 public:
  ChartPast(int p, int columns);

  int columns() const { return columns_; }
  void clear() { columns_ = 0; }
  /// Updates U for another column. `w0` is |w_0| > 0 of that column.
  void append(const Eigen::VectorXd& s, double w0);
  /// |w|^2 = s^T M^-1 s = 1 - w_0^2.
  double squaredLength(const Eigen::VectorXd& s) const;
  /// Turns `z`, independent N(0, 1/D_j), into a draw from N(0, (M^-1 + diag(D) - I)^-1), and
  /// returns ln det(I + U^T D^-1 U) >= 0.
  double condition(const Eigen::VectorXd& precision, Eigen::VectorXd& z) const;

 private:
  int columns_ = 0;
  Eigen::MatrixXd u_;
};

/// ln of the mass of the angular central Gaussian envelope of one column with parameter b, where
/// `log_det` is ln det(I + U^T D^-1 U), D = 1 + 2 gaps/b.
double chartLogEnvelope(std::span<const double> gaps, double b, double log_det);

/// [(I - S^T S)^1/2; S] with the symmetric root: a basis of the span that S represents.
/// Precondition: S^T S <= I.
Eigen::MatrixXd liftChart(const Eigen::MatrixXd& s);

/// The samplers alone, for 1 <= k <= q/2. They return a basis of the span whose law as a frame is
/// not matrix Bingham. `proposals` is increased by the number of frames proposed, for SACG by the
/// number of first columns drawn.
Eigen::MatrixXd drawMacg(std::span<const double> alphas, int k, const MacgEnvelope& envelope,
                         Drbg& random, std::uint64_t& proposals);
Eigen::MatrixXd drawSacg(std::span<const double> alphas, int k, Drbg& random,
                         std::uint64_t& proposals);

}  // namespace pm::idealized
