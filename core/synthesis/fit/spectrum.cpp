#include "core/synthesis/fit/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "core/matrix/packed.hpp"
#include "core/matrix/spectrum.hpp"
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
  Eigen::MatrixXd moments = unpacked(std::span<const Int128>(packed), plan.features);
  wipe(packed.data(), packed.size() * sizeof(Int128));
  Eigen::VectorXd values = eigenvalues(moments);
  wipe(moments.data(), std::size_t(moments.size()) * sizeof(double));

  QuerySums sums(*plan.spectrum);
  for (int i = 0; i < plan.components; ++i) {
    sums.block(0)[std::size_t(i)] = Int128(std::nearbyint(values[i]));
  }
  wipe(values.data(), std::size_t(values.size()) * sizeof(double));
  sums.release(noise);

  Eigen::VectorXd noisy = sums.vector(0) / double(rows.rows());
  for (double& value : noisy) value = std::max(value, 0.0);
  std::sort(noisy.begin(), noisy.end(), std::greater<>());
  return noisy;
}

}  // namespace pm
