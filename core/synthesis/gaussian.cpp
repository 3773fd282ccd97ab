#include "core/synthesis/gaussian.hpp"

#include <cmath>

#include "core/synthesis/repair.hpp"
#include "core/synthesis/sums.hpp"

namespace pm {

Eigen::VectorXd releaseMean(const SynthesisPlan& plan, const IntegerRows& rows,
                            NoiseSource& noise) {
  QuerySums means(*plan.means);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    Int128* sum = means.block(0).data();
    for (const std::int32_t x : rows.row(r)) *sum++ += x;
  }
  means.release(noise);
  const bool labelled = plan.terms.task == SynthesisTask::kRegression;
  return shortened(means.vector(0) / double(rows.rows()), std::sqrt(labelled ? 2.0 : 1.0));
}

Result<ReleasedGaussian> fitGaussian(const SynthesisPlan& plan, const IntegerRows& rows,
                                     NoiseSource& noise) {
  ReleasedGaussian result;
  result.rows = double(rows.rows());
  result.mean = releaseMean(plan, rows, noise);

  const double radius = plan.terms.radius;
  Scatter residuals(rows.width(), plan.scatter_bits);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    residuals.addResidual(rows.row(r), result.mean, radius);
  }
  QuerySums scatter(*plan.scatter);
  if (const Status damaged = residuals.addTo(scatter.block(0))) return *damaged;
  scatter.release(noise);
  result.covariance = repairCovariance(scatter.matrix(0) / result.rows, radius);
  return result;
}

}  // namespace pm
