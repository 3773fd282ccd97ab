#include "core/research/synthesizers/psd_repair.hpp"

#include <algorithm>

#include "core/matrix/spectrum.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {

using Eigen::MatrixXd;

MatrixXd repaired(const MatrixXd& matrix, Repair repair) {
  if (repair == Repair::kPolar) {
    const double scale = matrix.cwiseAbs().maxCoeff();  // singularPairs needs entries of order one
    if (scale == 0) return matrix;
    const SingularPairs pairs = singularPairs(matrix / scale);
    return compose({scale * pairs.values, pairs.right});
  }
  if (repair == Repair::kClip) return nearestCovariance(matrix);
  Spectrum s = spectrum(matrix);
  s.values.array() += std::max(0.0, -s.values.minCoeff());
  return compose(s);
}

}  // namespace pm
