#include "core/synthesis/fit/spectrum.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/moments/limits.hpp"
#include "core/synthesis/fit/gaussian.hpp"
#include "core/synthesis/plan/sums.hpp"
#include "core/wipe.hpp"

namespace pm {

Result<Eigen::VectorXd> releaseSpectrum(const SynthesisPlan& plan, const IntegerRows& rows,
                                        NoiseSource& noise) {
  Scatter scatter(plan.features, kRowBits);
  if (plan.means) {
    const Eigen::VectorXd mean = releaseMean(plan, rows, noise);
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      scatter.addResidual(rows.row(r), mean, plan.terms.radius);
    }
  } else {
    for (std::size_t r = 0; r < rows.rows(); ++r) scatter.add(rows.row(r));
  }
  std::vector<Int128> packed(packedSize(std::size_t(plan.features)));
  if (const Status damaged = scatter.addTo(packed)) return *damaged;
  QuerySums sums(*plan.spectrum);
  Eigenbasis(packed, plan.features, kRowBits)
      .addValues(eigenvalueError(plan.features, kRowBits, kMaxRowsOfSpectrum), sums.block(0));
  wipe(packed);
  sums.release(noise);

  Eigen::VectorXd noisy = sums.vector(0) / double(rows.rows());
  for (double& value : noisy) value = std::max(value, 0.0);
  std::sort(noisy.begin(), noisy.end(), std::greater<>());
  return noisy;
}

}  // namespace pm
