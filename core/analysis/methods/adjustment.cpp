#include "core/analysis/methods/adjustment.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/analysis/methods/indicators.hpp"
#include "core/analysis/methods/whitening.hpp"
#include "core/analysis/noise/checks.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/packed.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Status checkAdjustment(const AdjustmentInput& input) {
  const auto d = static_cast<std::size_t>(input.sums.dimension);
  if (!input.columns.empty() && input.columns.size() != d) {
    return Error{Code::kWrongLength, "There must be one column for each feature.", "columns"};
  }
  if (const Status wrong = checkCentreSpread(input.centre_spread, Index(d))) return wrong;
  if (input.views.empty()) {
    return Error{Code::kInvalidView, "There must be features to adjust.", "views"};
  }
  std::vector<bool> taken(d, false);
  for (const std::vector<int>& view : input.views) {
    if (const Status wrong = checkView(view, "views", taken)) return wrong;
  }
  return checkView(input.covariates, "adjust", taken);
}

/// The covariates in the directions in which they can vary, and the inverse of their covariance.
class Covariates {
 public:
  Covariates(const MatrixXd& covariance, const NoiseLaw& noise, const AdjustmentInput& input)
      : covariance_(covariance),
        covariates_(input.covariates),
        basis_(varyingDirections(covariates_, input.columns, input.sums.frame)) {
    const MatrixXd block =
        multiply(multiplyTransposed(basis_, covariance(covariates_, covariates_)), basis_);
    const Spectrum found = spectrum(block);
    const double edge = spectralEdge(noise, static_cast<int>(block.rows()));
    const double least = leastVariance(found.values[0]);
    axes_ = multiply(basis_, found.vectors);
    inverse_.resize(found.values.size());
    for (Index k = 0; k < inverse_.size(); ++k) {
      const double variance = found.values[k];
      const bool is_hidden = edge > 0 && variance <= edge;
      hidden_ += is_hidden ? 1 : 0;
      if (is_hidden) {
        inverse_[k] = 1 / (2 * edge);
      } else {
        inverse_[k] = variance <= least ? 0 : 1 / variance;
      }
      gains_ += inverse_[k] * (2 - inverse_[k] * std::max(0.0, variance));
    }
  }

  int hidden() const { return hidden_; }

  /// sum_k g_k.
  double gains() const { return gains_; }

  /// B: view features x covariates, units of z. Noise of a category's sum does not count.
  MatrixXd coefficients(const std::vector<int>& view, const MatrixXd& varying) const {
    const MatrixXd along = multiply(covariance_(view, covariates_), axes_);
    const MatrixXd solved = multiply(along * inverse_.asDiagonal(), axes_.transpose());
    return multiply(varying, multiplyTransposed(varying, solved));
  }

 private:
  const MatrixXd& covariance_;
  std::vector<int> covariates_;
  MatrixXd basis_;
  MatrixXd axes_;  ///< covariates x varying directions
  VectorXd inverse_;
  int hidden_ = 0;
  double gains_ = 0;
};

/// L = (I + B B^T)^(1/2) and its inverse.
struct Root {
  MatrixXd root;
  MatrixXd inverse;
};

Root rootOfMetric(const MatrixXd& b) {
  MatrixXd metric = multiplyByTranspose(b);
  metric.diagonal().array() += 1;
  Spectrum found = spectrum(metric);
  found.values = found.values.cwiseMax(1).cwiseSqrt();
  Root result;
  result.root = compose(found);
  found.values = found.values.cwiseInverse();
  result.inverse = compose(found);
  return result;
}

MatrixXd mappedBothSides(const MatrixXd& map, const MatrixXd& matrix) {
  return multiply(multiply(map, matrix), transposed(map));
}

/// (I + |N|^2)^(1/2), the largest over pairs of views.
double betweenViews(const MatrixXd& map, const std::vector<std::vector<int>>& views) {
  double most = 0;
  Index start = 0;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const auto rows = static_cast<Index>(views[v].size());
    Index other = start + rows;
    for (std::size_t w = v + 1; w < views.size(); ++w) {
      const auto more = static_cast<Index>(views[w].size());
      const MatrixXd product =
          multiply(map.middleRows(start, rows), transposed(map.middleRows(other, more)));
      most = std::max(most, eigenvalues(multiplyByTranspose(product))[0]);
      other += more;
    }
    start += rows;
  }
  return std::sqrt(1 + most);
}

}  // namespace

Result<Adjustment> adjust(const AdjustmentInput& input) {
  const Result<AssembledMoments> assembled = assembleMoments(input.sums);
  if (!assembled.ok()) return assembled.error();
  if (const Status wrong = checkAdjustment(input)) return *wrong;
  const ScaledMoments& moments = assembled.value();
  const MomentSums& sums = input.sums;
  const Covariates covariates(moments.scaled_covariance, moments.covariance_noise, input);
  const auto q = static_cast<Index>(input.covariates.size());
  std::vector<int> kept;
  for (const std::vector<int>& view : input.views)
    kept.insert(kept.end(), view.begin(), view.end());
  const auto d = static_cast<Index>(kept.size());

  Adjustment result;
  result.hidden = covariates.hidden();
  result.coefficients.resize(d, q);
  Frame& frame = result.sums.frame;
  frame.mix = MatrixXd::Zero(d, d);
  frame.unmix = MatrixXd::Zero(d, d);
  MatrixXd residuals = MatrixXd::Zero(d, sums.dimension);  // L^-1 A
  Index start = 0;
  for (const std::vector<int>& view : input.views) {
    const auto rows = static_cast<Index>(view.size());
    const MatrixXd b =
        covariates.coefficients(view, varyingDirections(view, input.columns, sums.frame));
    const Root metric = rootOfMetric(b);
    const MatrixXd own = multiply(metric.inverse, b);
    frame.mix.block(start, start, rows, rows) = metric.root;
    frame.unmix.block(start, start, rows, rows) = metric.inverse;
    for (Index j = 0; j < rows; ++j) {
      residuals.block(start, view[static_cast<std::size_t>(j)], rows, 1) = metric.inverse.col(j);
    }
    for (Index j = 0; j < q; ++j) {
      residuals.block(start, input.covariates[static_cast<std::size_t>(j)], rows, 1) = -own.col(j);
    }
    result.coefficients.middleRows(start, rows) =
        sums.half(view).asDiagonal() * b * sums.half(input.covariates).cwiseInverse().asDiagonal();
    start += rows;
  }

  MomentSums& adjusted = result.sums;
  adjusted.dimension = static_cast<int>(d);
  adjusted.constant = sums.constant;
  adjusted.rows = sums.rows;
  adjusted.noise = sums.noise;
  adjusted.mid = sums.mid(kept);
  adjusted.half = sums.half(kept);
  frame.centre = VectorXd::Zero(d);
  frame.units = sums.frame.isIdentity() ? VectorXd::Ones(d) : VectorXd(sums.frame.units(kept));
  adjusted.noise_map = MatrixXd::Zero(d + 1, sums.dimension + 1);
  adjusted.noise_map(0, 0) = 1;
  adjusted.noise_map.bottomRightCorner(d, sums.dimension) = residuals;
  const auto all = static_cast<Index>(sums.dimension) + 1;
  MatrixXd products =
      mappedBothSides(adjusted.noise_map, unpacked(std::span<const double>(sums.packed), all));
  const double noise = moments.covariance_noise.off_diagonal;
  result.restored = noise * noise * covariates.gains();
  products.diagonal().tail(d).array() += moments.rows * result.restored;
  adjusted.packed = packedUpper(products);
  if (!sums.noise_centres.empty()) {
    adjusted.noise_centres = packedUpper(mappedBothSides(
        adjusted.noise_map, unpacked(std::span<const double>(sums.noise_centres), all)));
  }
  if (input.centre_spread.size() != 0) {
    result.centre_spread = mappedBothSides(residuals, input.centre_spread);
  }
  result.between_views = betweenViews(residuals, input.views);
  return result;
}

}  // namespace pm
