#pragma once

#include <Eigen/Core>

#include "core/matrix/alignment.hpp"
#include "core/result.hpp"

namespace pm {

/// Where the coordinates z of released moments lie in the study's scaled units x: x_j = centre_j +
/// units_j z_j (docs/mechanisms/centring.md). The noise has its law in z, so whatever depends on
/// that law is done there; what a study asks for may be defined in x: principal components, the
/// penalty of a ridge, that the weights of a category have sum 0. Original values are mid + half z
/// = mid_x + half_x x, with mid = mid_x + half_x centre and half = half_x units.
struct Frame {
  Eigen::VectorXd centre;  ///< D, scaled units; empty with `units` empty: z is x
  Eigen::VectorXd units;   ///< D, scaled units per z, positive
  /// D x D, symmetric and positive, and its inverse; or both empty. Then x = centre + units_j (mix
  /// z)_j. Residuals of features have such coordinates (core/analysis/methods/adjustment.hpp).
  /// Between views `mix` is zero if there are several.
  Eigen::MatrixXd mix = {};
  Eigen::MatrixXd unmix = {};

  /// Whether z is x. Then the following return their arguments, bit for bit.
  bool isIdentity() const { return units.size() == 0; }
  bool isMixed() const { return mix.size() != 0; }

  /// A mean in scaled units, from one in z.
  Eigen::VectorXd mean(const Eigen::VectorXd& of_z) const;

  /// A D x D covariance in scaled units, exactly symmetric if `of_z` is, and back.
  Eigen::MatrixXd covariance(const Eigen::MatrixXd& of_z) const;
  Eigen::MatrixXd covarianceOfZ(const Eigen::MatrixXd& of_x) const;

  /// mix z, and mix C mix^T, the covariance of that, exactly symmetric; z and C without `mix`.
  Eigen::VectorXd mixedMean(const Eigen::VectorXd& of_z) const;
  Eigen::MatrixXd mixed(const Eigen::MatrixXd& of_z) const;

  /// (D+1) x (D+1) second moments of (constant, x), from those of (constant, z), which is not
  /// mixed.
  Eigen::MatrixXd secondMoments(const Eigen::MatrixXd& of_z, double constant) const;

  /// D: original units per scaled unit, from those per z or, if mixed, per mix z.
  Eigen::VectorXd half(const Eigen::VectorXd& per_z) const;
};

/// Both empty or both of D entries, finite, units positive; `mix` and `unmix` both empty or D x D,
/// only beside units: kWrongLength, kInvalidBounds (centre, units, mix).
Status checkFrame(const Frame& frame, Eigen::Index dimension);

}  // namespace pm
