#include "core/synthesis/rows/repair.hpp"

#include <cmath>

#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {

Eigen::MatrixXd nearestCovariance(const Eigen::MatrixXd& matrix, double trace) {
  Spectrum repaired = spectrum(matrix);
  repaired.values = projectOntoCappedSimplex(repaired.values, trace);
  return compose(repaired);
}

Eigen::MatrixXd repairCovariance(const Eigen::MatrixXd& matrix, double radius) {
  Spectrum repaired = spectrum(matrix);
  repaired.values = projectEigenvalues(repaired.values, radius * radius);
  return compose(repaired);
}

Eigen::VectorXd shortened(const Eigen::VectorXd& vector, double length) {
  double square = 0;
  for (Eigen::Index i = 0; i < vector.size(); ++i) square += vector[i] * vector[i];
  const double norm = std::sqrt(square);
  if (norm <= length) return vector;
  Eigen::VectorXd result = vector;
  for (Eigen::Index i = 0; i < result.size(); ++i) result[i] *= length / norm;
  return result;
}

}  // namespace pm
