#include "core/analysis/methods/pca.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {

Status checkPca(const PcaInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  return checkComponents(input.components, input.covariance.rows());
}

Result<Pca> pca(const PcaInput& input) {
  if (const Status wrong = checkPca(input)) return *wrong;
  return principalComponents(input);
}

Eigen::MatrixXd cleanCovariance(const NoisyCovariance& data, const Spectrum& found) {
  if (data.frame.isIdentity()) return denoised(found, data.noise, data.trace_bound);
  return data.frame.covariance(denoised(data.covariance, data.noise, data.trace_bound));
}

Pca principalComponents(const PcaInput& input) {
  if (hasNeedlessFrame(input)) return principalComponents(withoutFrame(input));
  const Eigen::Index d = input.covariance.rows();
  const Spectrum decomposed = spectrum(input.frame.covariance(input.covariance));
  const Eigen::MatrixXd clean = cleanCovariance(input, decomposed);
  const Eigen::MatrixXd along = multiply(clean, decomposed.vectors);
  // Adding zero makes -0, which is not below it, plain.
  const Eigen::VectorXd variances =
      decomposed.vectors.cwiseProduct(along).colwise().sum().transpose().array().max(0.0) + 0.0;
  const double total = variances.sum();

  Pca result;
  result.noise_floor = varianceFloor(input);
  result.loadings = decomposed.vectors.leftCols(input.components);
  result.correlations = Eigen::MatrixXd::Zero(d, input.components);
  for (int j = 0; j < input.components; ++j) {
    Eigen::Index largest = 0;
    result.loadings.col(j).cwiseAbs().maxCoeff(&largest);
    const double sign = result.loadings(largest, j) < 0 ? -1 : 1;
    if (sign < 0) result.loadings.col(j) *= -1;
    const double value =
        j == 0 ? variances[j] : std::min(variances[j], result.explained.back().value);
    result.explained.push_back({value, total > 0 ? value / total : 0, value <= result.noise_floor});
    if (value <= kNoVariance) continue;
    for (Eigen::Index i = 0; i < d; ++i) {
      if (clean(i, i) <= kNoVariance) continue;
      // Without a frame the denoised matrix has the same eigenvectors.
      const double correlation = input.frame.isIdentity()
                                     ? result.loadings(i, j) * std::sqrt(value / clean(i, i))
                                     : sign * along(i, j) / std::sqrt(variances[j] * clean(i, i));
      result.correlations(i, j) = std::clamp(correlation, -1.0, 1.0);
    }
  }
  result.weights = input.frame.half(input.half).cwiseInverse().asDiagonal() * result.loadings;
  if (input.rotation != Rotation::kNone) {
    result.rotated = rotatedComponents(result, rotatable(result), input.rotation);
  }
  return result;
}

int rotatable(const Pca& analysis) {
  int count = 0;
  for (const Explained& component : analysis.explained) {
    if (component.below_noise_floor || component.value <= kNoVariance) break;
    ++count;
  }
  return count;
}

RotatedComponents rotatedComponents(const Pca& analysis, int components, Rotation rotation,
                                    const Eigen::MatrixXd& reported) {
  LeadingComponents leading{analysis.correlations.leftCols(components),
                            analysis.weights.leftCols(components), Eigen::VectorXd(components),
                            Eigen::VectorXd(components)};
  for (Eigen::Index j = 0; j < components; ++j) {
    const Explained& component = analysis.explained[static_cast<std::size_t>(j)];
    leading.values[j] = component.value;
    leading.shares[j] = component.share;
  }
  return rotateComponents(leading, rotation, reported);
}

Result<double> capturedEnergy(const Eigen::MatrixXd& directions, const Eigen::MatrixXd& reference) {
  if (const Status wrong = checkMatrix(reference, "reference")) return *wrong;
  if (directions.rows() != reference.rows()) {
    return Error{Code::kWrongLength,
                 "The directions must have as many entries as the reference has rows.",
                 "directions"};
  }
  if (!directions.allFinite()) {
    return Error{Code::kNotFinite, "A direction contains a number that is not finite.",
                 "directions"};
  }
  const Eigen::Index k = directions.cols();
  if (const Status wrong = checkComponents(static_cast<int>(k), reference.rows())) return *wrong;
  Eigen::MatrixXd unit = directions;
  for (Eigen::Index j = 0; j < k; ++j) unit.col(j) /= std::max(1e-300, unit.col(j).norm());
  const Eigen::MatrixXd whitener = flooredWhitener(multiplyTransposed(unit, unit), 0);
  if (whitener.cols() < k) {
    return Error{Code::kInvalidComponents, "The directions are linearly dependent.", "directions"};
  }
  const Eigen::MatrixXd basis = multiply(unit, whitener);
  const double most = spectrum(reference).values.head(k).cwiseMax(0.0).sum();
  if (most <= 0) return 1.0;
  const double captured = basis.cwiseProduct(multiply(reference, basis)).sum();
  return std::clamp(captured / most, 0.0, 1.0);
}

}  // namespace pm
