#include "core/analysis/noise/frame.hpp"

#include <cmath>
#include <string>

#include "core/matrix/multiply.hpp"

namespace pm {
namespace {

// In this order the result is exactly as symmetric as `matrix`.
Eigen::MatrixXd scaledOnBothSides(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& factors) {
  return matrix.cwiseProduct(factors * factors.transpose());
}

// a m a for symmetric a, exactly symmetric.
Eigen::MatrixXd betweenTwo(const Eigen::MatrixXd& a, const Eigen::MatrixXd& m) {
  const Eigen::MatrixXd product = multiply(multiply(a, m), a);
  return (product + product.transpose()) / 2;
}

}  // namespace

Eigen::VectorXd Frame::mean(const Eigen::VectorXd& of_z) const {
  if (isIdentity()) return of_z;
  return centre + units.cwiseProduct(mixedMean(of_z));
}

Eigen::VectorXd Frame::mixedMean(const Eigen::VectorXd& of_z) const {
  if (!isMixed()) return of_z;
  return multiply(mix, of_z);
}

Eigen::MatrixXd Frame::mixed(const Eigen::MatrixXd& of_z) const {
  return isMixed() ? betweenTwo(mix, of_z) : of_z;
}

Eigen::MatrixXd Frame::covariance(const Eigen::MatrixXd& of_z) const {
  return isIdentity() ? of_z : scaledOnBothSides(mixed(of_z), units);
}

Eigen::MatrixXd Frame::covarianceOfZ(const Eigen::MatrixXd& of_x) const {
  if (isIdentity()) return of_x;
  const Eigen::MatrixXd plain = scaledOnBothSides(of_x, units.cwiseInverse());
  return isMixed() ? betweenTwo(unmix, plain) : plain;
}

Eigen::MatrixXd Frame::secondMoments(const Eigen::MatrixXd& of_z, double constant) const {
  if (isIdentity()) return of_z;
  const Eigen::Index d = units.size();
  Eigen::VectorXd factors(d + 1);
  factors << 1, units;
  Eigen::MatrixXd result = scaledOnBothSides(of_z, factors);
  const Eigen::VectorXd moved = centre / constant;
  const Eigen::VectorXd linear = result.col(0).tail(d);
  const double count = result(0, 0);
  for (Eigen::Index j = 0; j < d; ++j) {
    for (Eigen::Index i = 0; i <= j; ++i) {
      const double added =
          linear[i] * moved[j] + linear[j] * moved[i] + count * moved[i] * moved[j];
      result(i + 1, j + 1) += added;
      if (i != j) result(j + 1, i + 1) += added;
    }
    result(0, j + 1) += count * moved[j];
    result(j + 1, 0) += count * moved[j];
  }
  return result;
}

Eigen::VectorXd Frame::half(const Eigen::VectorXd& per_z) const {
  if (isIdentity()) return per_z;
  return per_z.cwiseQuotient(units);
}

Status checkFrame(const Frame& frame, Eigen::Index dimension) {
  if (frame.centre.size() == 0 && frame.units.size() == 0 && !frame.isMixed()) return {};
  if (frame.units.size() != dimension) {
    return Error{Code::kWrongLength,
                 "There must be one unit for each of " + std::to_string(dimension) +
                     " features, but there are " + std::to_string(frame.units.size()) + ".",
                 "units"};
  }
  if (frame.centre.size() != dimension) {
    return Error{Code::kWrongLength,
                 "There must be one centre for each of " + std::to_string(dimension) +
                     " features, but there are " + std::to_string(frame.centre.size()) + ".",
                 "centre"};
  }
  if (!frame.centre.allFinite()) {
    return Error{Code::kInvalidBounds, "A centre is not finite.", "centre"};
  }
  for (Eigen::Index i = 0; i < dimension; ++i) {
    if (std::isfinite(frame.units[i]) && frame.units[i] > 0) continue;
    return Error{Code::kInvalidBounds,
                 "The unit of feature " + std::to_string(i) + " must be finite and positive.",
                 "units"};
  }
  for (const Eigen::MatrixXd* matrix : {&frame.mix, &frame.unmix}) {
    if (matrix->size() == 0 && frame.mix.size() == 0 && frame.unmix.size() == 0) continue;
    if (matrix->rows() == dimension && matrix->cols() == dimension && matrix->allFinite()) continue;
    return Error{Code::kWrongLength, "The mix and its inverse must be finite, features x features.",
                 "mix"};
  }
  return {};
}

}  // namespace pm
