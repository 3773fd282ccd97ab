#include "core/analysis/methods/lda.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/noise/checks.hpp"

namespace pm {
namespace {

/// Least share of a variate's variance that counts as within classes.
constexpr double kLeastWithin = 1e-12;

/// Most noise of a class mean, in units of z, and the fewest rows.
constexpr double kMostNoise = 0.5;
constexpr double kFewestRows = 2;

Status checkLda(const LdaInput& input) {
  if (const Status wrong = checkNoisyCovariance(input)) return wrong;
  const Eigen::Index d = input.covariance.rows();
  if (input.mean.size() != d || !input.mean.allFinite()) {
    return Error{Code::kWrongLength, "There must be one finite mean for each feature.", "mean"};
  }
  std::vector<bool> taken(static_cast<std::size_t>(d), false);
  if (const Status wrong = checkView(input.features, "features", taken)) return wrong;
  if (const Status wrong = checkView(input.classes, "target", taken)) return wrong;
  if (input.classes.size() < 2) {
    return Error{Code::kInvalidView, "There must be at least two classes.", "target"};
  }
  return checkComponents(input.components, static_cast<Eigen::Index>(std::min(
                                               input.features.size(), input.classes.size() - 1)));
}

/// Fills in the share of each class, and its means.
void describeClasses(const LdaInput& input, Lda& result) {
  const auto p = static_cast<Eigen::Index>(input.features.size());
  result.means.resize(static_cast<Eigen::Index>(input.classes.size()), p);
  for (std::size_t c = 0; c < input.classes.size(); ++c) {
    const int feature = input.classes[c];
    DiscriminantClass& described = result.classes.emplace_back();
    described.share = std::clamp(input.mean[feature], 0.0, 1.0);
    const double scale = described.share > 0 ? input.half[feature] / described.share : 0;
    described.noise = input.noise.off_diagonal * scale;
    const bool few = input.rows > 0 && described.share * input.rows < kFewestRows;
    described.below_noise_floor = described.share == 0 || few || described.noise > kMostNoise;
    for (Eigen::Index i = 0; i < p; ++i) {
      const int own = input.features[static_cast<std::size_t>(i)];
      const double from_all =
          described.below_noise_floor ? 0 : input.covariance(own, feature) * scale;
      result.means(static_cast<Eigen::Index>(c), i) = input.mean[own] + input.half[own] * from_all;
    }
  }
}

}  // namespace

Result<Lda> lda(const LdaInput& input) {
  if (const Status wrong = checkLda(input)) return *wrong;
  CcaInput pairs;
  static_cast<NoisyCovariance&>(pairs) = input;
  pairs.x = input.features;
  pairs.y = input.classes;
  pairs.components = input.components;
  pairs.rows = input.rows;
  const Result<Cca> found = cca(pairs);
  if (!found.ok()) return found.error();
  const Cca& variates = found.value();

  Lda result;
  result.correlations = variates.correlations;
  result.weights = variates.x.weights;
  result.loadings = variates.x.loadings;
  result.noise_floor = variates.noise_floor;
  result.hidden = variates.hidden;
  const auto classes = double(input.classes.size());
  const double freedom = input.rows > classes ? 1 - classes / input.rows : 1;
  for (Eigen::Index j = 0; j < result.weights.cols(); ++j) {
    const double r = result.correlations[static_cast<std::size_t>(j)].value;
    result.weights.col(j) *= std::sqrt(freedom / std::max(kLeastWithin, 1 - r * r));
  }
  describeClasses(input, result);
  const Eigen::VectorXd mean = input.mean(input.features);
  result.centroids = (result.means.rowwise() - mean.transpose()) * result.weights;
  return result;
}

}  // namespace pm
