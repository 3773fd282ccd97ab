#include "core/analysis/methods/cca.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/analysis/noise/checks.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

SingularPairs pairsOf(const Views& views, const Eigen::MatrixXd& covariance,
                      const std::vector<Eigen::MatrixXd>& whiteners, Eigen::Index count) {
  const Eigen::MatrixXd left = multiplyTransposed(whiteners[0], views.block(covariance, 0, 1));
  return singularPairs(multiply(left, whiteners[1]), count);
}

/// Fills in `correlations`, `noise_floor` and `hidden`.
void correlate(const Views& views, int components, double rows, Cca& result) {
  const std::vector<Eigen::MatrixXd> whiteners = views.flooredWhiteners();
  const SingularPairs pairs = pairsOf(views, views.noisy(), whiteners, components);
  const SharedNoise noise(views, whiteners);
  const double sampled = views.sampled(rows);
  result.hidden = views.hidden(whiteners);
  result.noise_floor = std::min(1.0, std::hypot(noise.floorOfLeading(), sampled));
  double before = 1;
  for (Eigen::Index j = 0; j < components; ++j) {
    CanonicalCorrelation correlation;
    // A value that is zero up to rounding has no pair.
    if (j < pairs.values.size() && pairs.values[j] > 0 && !pairs.left.col(j).isZero(0)) {
      const Ranked pair = ranked(noise.level({pairs.left.col(j) / std::numbers::sqrt2,
                                              pairs.right.col(j) / std::numbers::sqrt2},
                                             pairs.values[j]),
                                 before, sampled);
      correlation = {pair.value, pair.floor, pair.value <= pair.floor};
    } else {
      correlation.below_noise_floor = true;
    }
    before = correlation.value;
    result.noise_floor = std::max(result.noise_floor, correlation.noise_floor);
    result.correlations.push_back(correlation);
  }
}

Eigen::VectorXd meanSquares(const Eigen::MatrixXd& loadings, double features) {
  return loadings.colwise().squaredNorm().transpose() / std::max(1.0, features);
}

/// Fills in the quantities that follow from loadings and correlations.
void relate(const std::vector<CanonicalCorrelation>& correlations, double features, CcaView& view) {
  view.cross_loadings = view.loadings;
  for (Eigen::Index j = 0; j < view.loadings.cols(); ++j) {
    view.cross_loadings.col(j) *= correlations[static_cast<std::size_t>(j)].value;
  }
  view.variance_extracted = meanSquares(view.loadings, features);
  view.redundancy = meanSquares(view.cross_loadings, features);
}

/// Fills in the weights and loadings of both views; pairs without weights are below their floors.
void findVariates(const Views& views, int components, Cca& result) {
  std::vector<CanonicalView> found = ccaVariates(views, components);
  orient(found);
  for (Eigen::Index j = 0; j < components; ++j) {
    CanonicalCorrelation& pair = result.correlations[static_cast<std::size_t>(j)];
    if (hasVariates(found, j)) continue;
    pair.below_noise_floor = true;
    pair.noise_floor = std::max(pair.noise_floor, pair.value);
    result.noise_floor = std::max(result.noise_floor, pair.noise_floor);
  }
  static_cast<CanonicalView&>(result.x) = found[0];
  static_cast<CanonicalView&>(result.y) = found[1];
  relate(result.correlations, views.varyingFeatures(0), result.x);
  relate(result.correlations, views.varyingFeatures(1), result.y);
}

}  // namespace

std::vector<CanonicalView> ccaVariates(const Views& views, int components) {
  const std::vector<Eigen::MatrixXd> whiteners = views.ridgedWhiteners();
  const SingularPairs pairs = pairsOf(views, views.clean(), whiteners, components);
  std::vector<CanonicalView> result{views.empty(0, components), views.empty(1, components)};
  const Eigen::MatrixXd left = multiply(whiteners[0], pairs.left);
  const Eigen::MatrixXd right = multiply(whiteners[1], pairs.right);
  const Eigen::Index found = std::min<Eigen::Index>(components, pairs.values.size());
  for (Eigen::Index j = 0; j < found; ++j) {
    views.fill(0, left.col(j), j, result[0]);
    views.fill(1, right.col(j), j, result[1]);
  }
  return result;
}

Status checkCca(const CcaInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  const Eigen::Index d = input.covariance.rows();
  std::vector<bool> taken(static_cast<std::size_t>(d), false);
  if (const Status wrong = checkView(input.x, "x", taken)) return wrong;
  if (const Status wrong = checkView(input.y, "y", taken)) return wrong;
  return checkComponents(input.components,
                         static_cast<Eigen::Index>(std::min(input.x.size(), input.y.size())));
}

Result<Cca> cca(const CcaInput& input) {
  if (const Status wrong = checkCca(input)) return *wrong;
  if (hasNeedlessFrame(input)) return cca(withoutFrame(input));
  const Views views(input, {input.x, input.y});
  Cca result;
  correlate(views, input.components, input.rows, result);
  findVariates(views, input.components, result);
  return result;
}

}  // namespace pm
