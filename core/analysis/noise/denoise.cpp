#include "core/analysis/noise/denoise.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "core/analysis/noise/checks.hpp"
#include "core/matrix/order.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

/// In units of the standard deviation of the squared norm of normal noise.
double signalEnergy(const Eigen::VectorXd& values, const NoiseLaw& noise) {
  const double d = static_cast<double>(values.size());
  const double diagonal = noise.diagonal * noise.diagonal;
  const double rest = noise.off_diagonal * noise.off_diagonal;
  const double mean = d * diagonal + d * (d - 1) * rest;
  const double variance = 2 * d * diagonal * diagonal + 4 * d * (d - 1) * rest * rest;
  return (values.squaredNorm() - mean) / std::sqrt(variance);
}

/// Step 1 of `denoise`: the share of a trace t >= 0 that is kept.
double traceShare(double trace, double sd) {
  if (trace == 0) return 0;
  const double ratio = sd / trace;
  return 1 / (1 + ratio * ratio);
}

/// Step 3 of `denoise`: the share of the deviations x0 that is kept.
double shapeShare(const Eigen::VectorXd& deviations, double trace, const NoiseLaw& noise) {
  const double d = static_cast<double>(deviations.size());
  const SpectralShape shape = spectralShape(noise, static_cast<int>(deviations.size()));
  const double of_noise =
      (2 + 3 * shape.skew + 4 * shape.tail) * noise.off_diagonal * noise.off_diagonal * (d - 1);
  const double of_signal =
      std::min(deviations.squaredNorm() - of_noise, trace * trace * (1 - 1 / d));
  return of_signal > 0 ? 1 / (1 + of_noise / of_signal) : 0;
}

/// Everything but `covariance`, and the eigenvalues changed.
DenoisedCovariance takeOff(Eigen::VectorXd& values, const NoiseLaw& noise, double bound) {
  DenoisedCovariance result;
  result.signal_energy = std::numeric_limits<double>::infinity();
  if (isNoiseless(noise) || values.size() == 0) {
    values = values.cwiseMax(0.0);
    return result;
  }
  const double d = static_cast<double>(values.size());
  result.signal_energy = signalEnergy(values, noise);

  const double possible = std::clamp(values.sum(), 0.0, bound);
  result.trace_kept = traceShare(possible, noise.diagonal * std::sqrt(d));
  const double trace = result.trace_kept * possible;

  const Eigen::VectorXd estimate = rotationInvariantEstimate(values, noise);
  const Eigen::VectorXd deviations = estimate.array() - estimate.mean();
  result.shape_kept = shapeShare(deviations, trace, noise);
  values = result.shape_kept * deviations.array() + trace / d;
  values = projectOntoCappedSimplex(values, trace);
  return result;
}

DenoisedCovariance takeOff(const Eigen::MatrixXd& matrix, const NoiseLaw& noise, double bound) {
  DenoisedCovariance result;
  Eigen::MatrixXd covariance = recomposed(matrix, [&](Eigen::VectorXd values) {
    result = takeOff(values, noise, bound);
    return values;
  });
  result.covariance = std::move(covariance);
  return result;
}

}  // namespace

Eigen::VectorXd nearestDescending(const Eigen::VectorXd& values) {
  struct Pool {
    double mean;
    Eigen::Index count;
  };
  std::vector<Pool> pools;
  for (const double value : values) {
    Pool last{value, 1};
    while (!pools.empty() && pools.back().mean < last.mean) {
      const Pool& before = pools.back();
      const Eigen::Index count = before.count + last.count;
      const double weight = static_cast<double>(last.count) / static_cast<double>(count);
      last = {before.mean + weight * (last.mean - before.mean), count};
      pools.pop_back();
    }
    pools.push_back(last);
  }
  Eigen::VectorXd result(values.size());
  Eigen::Index next = 0;
  for (const Pool& pool : pools) {
    result.segment(next, pool.count).setConstant(pool.mean);
    next += pool.count;
  }
  return result;
}

Eigen::VectorXd projectOntoCappedSimplex(const Eigen::VectorXd& values, double cap) {
  const Eigen::VectorXd clipped = values.cwiseMax(0.0);
  if (clipped.sum() <= cap) return clipped;

  const std::vector<int> order =
      descendingOrder({values.data(), static_cast<std::size_t>(values.size())});
  double sum = 0;
  double theta = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double next = values[order[k]];
    sum += next;
    const double candidate = (sum - cap) / static_cast<double>(k + 1);
    if (k > 0 && next <= candidate) break;
    theta = candidate;
  }
  return (values.array() - theta).cwiseMax(0.0);
}

Eigen::VectorXd projectEigenvalues(const Eigen::VectorXd& values, double bound) {
  return projectOntoCappedSimplex(values, std::min(bound, std::max(0.0, values.sum())));
}

Result<Eigen::MatrixXd> projectTrace(const Eigen::MatrixXd& matrix, double bound) {
  if (const Status wrong = checkMatrix(matrix, "matrix")) return *wrong;
  if (const Status wrong = checkTraceBound(bound)) return *wrong;
  Spectrum decomposed = spectrum(matrix);
  decomposed.values = projectEigenvalues(decomposed.values, bound);
  return compose(decomposed);
}

SpectralShape spectralShape(const NoiseLaw& noise, int dimension) {
  if (noise.freedom < 1 || noise.releases < 1) return {};
  const double ratio = dimension / (static_cast<double>(noise.releases) * noise.freedom);
  if (noise.family == NoiseFamily::kWishart) return {std::sqrt(ratio), 0};
  if (noise.family == NoiseFamily::kTwoSidedWishart) return {0, ratio / 2};
  return {};
}

Eigen::VectorXd rotationInvariantEstimate(const Eigen::VectorXd& values, const NoiseLaw& noise) {
  const double sd = noise.off_diagonal;
  if (sd == 0) return values;
  const Eigen::Index d = values.size();
  const double variance = static_cast<double>(d);  // of the spectrum of the noise, in units of sd
  const SpectralShape shape = spectralShape(noise, static_cast<int>(d));
  // d times g at each value, summed by pairs: its real part changes its sign with the order. Not by
  // Eigen's accessors, which are calls in a file that is compiled for size.
  const double* const at = values.data();
  std::vector<double> real_parts(static_cast<std::size_t>(d), 0),
      imaginary_parts(real_parts.size(), 1);
  double* const real = real_parts.data();
  double* const imaginary = imaginary_parts.data();
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = i + 1; j < d; ++j) {
      const double x = (at[i] - at[j]) / sd;
      const double part = 1 / (1 + x * x);
      const double odd = part > 0 ? x * part : 0;  // x may be infinite
      real[i] += odd;
      real[j] -= odd;
      imaginary[i] += part;
      imaginary[j] += part;
    }
  }
  Eigen::VectorXd estimate(d);
  for (Eigen::Index i = 0; i < d; ++i) {
    const std::complex<double> g = std::complex<double>(real[i], imaginary[i]) / variance;
    const std::complex<double> r =
        variance * g / (1.0 - shape.skew * std::sqrt(variance) * g - shape.tail * variance * g * g);
    estimate[i] = values[i] - sd * (r * g).imag() / g.imag();
  }
  return nearestDescending(estimate);
}

Eigen::MatrixXd denoised(const Eigen::MatrixXd& matrix, const NoiseLaw& noise, double bound) {
  return takeOff(matrix, noise, bound).covariance;
}

Eigen::MatrixXd denoised(const Spectrum& decomposed, const NoiseLaw& noise, double bound) {
  Spectrum changed = decomposed;
  takeOff(changed.values, noise, bound);
  return compose(changed);
}

Result<DenoisedCovariance> denoise(const NoisyCovariance& data) {
  if (const Status wrong = checkNoisyCovariance(data)) return *wrong;
  return takeOff(data.covariance, data.noise, data.trace_bound);
}

Result<DenoisedMoments> denoiseMoments(const MomentSums& sums, double bound) {
  if (const Status wrong = checkTraceBound(bound)) return *wrong;
  Result<AssembledMoments> assembled = assembleMoments(sums);
  if (!assembled.ok()) return assembled.error();
  AssembledMoments moments = std::move(assembled).value();
  const DenoisedCovariance clean =
      takeOff(moments.scaled_covariance, moments.covariance_noise, bound);
  setScaledCovariance(moments, clean.covariance, sums);
  return DenoisedMoments{moments, clean.signal_energy, clean.trace_kept, clean.shape_kept};
}

}  // namespace pm
