#include "core/analysis/uncertainty/factor_intervals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/normal.hpp"
#include "core/analysis/uncertainty/detail_intervals.hpp"

namespace pm {
namespace {

FactorInput ofReleases(const Bootstrap& bootstrap, FactorInput input) {
  const AssembledMoments& moments = bootstrap.moments();
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.mean_noise = moments.mean_noise;
  input.frame = bootstrap.frame();
  input.rows = bootstrap.rows();
  return input;
}

/// Number of drawn figures.
Eigen::Index figuresOf(Eigen::Index features, Eigen::Index factors) {
  return factors * (3 * features + factors + 1) + 2 * features;
}

Eigen::VectorXd packedFactors(const FactorAnalysis& found) {
  Eigen::VectorXd result(figuresOf(found.pattern.rows(), found.pattern.cols()));
  double* next = result.data();
  for (const Eigen::MatrixXd* figures :
       {&found.weights, &found.pattern, &found.structure, &found.phi}) {
    next = std::copy_n(figures->data(), figures->size(), next);
  }
  for (const Factor& factor : found.factors) *next++ = factor.value;
  for (const Eigen::VectorXd* figures : {&found.uniquenesses, &found.communalities}) {
    next = std::copy_n(figures->data(), figures->size(), next);
  }
  return result;
}

/// A family whose details are the factors; nothing else of it is used. `input` and `observed` must
/// outlive it.
Family factorFamily(const FactorInput& input, const FactorAnalysis& observed) {
  Family family;
  family.parameters = 1;
  family.scales = {Scale::kVariance};
  family.floors = {0};
  family.statistic = [](const ScaledMoments& moments) {
    return Eigen::VectorXd::Constant(1, moments.scaled_covariance.trace());
  };
  const Eigen::MatrixXd clean = denoised(input.covariance, input.noise, input.trace_bound);
  family.observed = Eigen::VectorXd::Constant(1, clean.trace());
  family.covariance = [clean](const Eigen::VectorXd&) { return clean; };
  const auto find = [&input, &observed](const ScaledMoments& moments) {
    FactorInput drawn = input;
    drawn.covariance = moments.scaled_covariance;
    drawn.noise = moments.covariance_noise;
    return packedFactors(findFactors(drawn, &observed));
  };
  family.details = Details{static_cast<int>(figuresOf(input.covariance.rows(), input.factors)),
                           find, family.covariance};
  return family;
}

std::vector<Interval> clampedIntervals(const Eigen::VectorXd& figures, double most,
                                       const DetailDraws& draws, double z, Eigen::Index& place) {
  std::vector<Interval> result;
  for (Eigen::Index i = 0; i < figures.size(); ++i, ++place) {
    const Interval ends = weightAt(figures[i], place, draws, z);
    result.push_back({std::clamp(ends.low, 0.0, most), std::clamp(ends.high, 0.0, most)});
  }
  return result;
}

/// Extends the intervals of factors below the floor to all that is possible.
void widenBelowFloor(const FactorAnalysis& observed, FactorIntervals& result) {
  const Eigen::Index p = observed.pattern.rows();
  for (Eigen::Index j = observed.rotated; j < observed.pattern.cols(); ++j) {
    for (Eigen::MatrixXd* low : {&result.pattern_low, &result.structure_low}) {
      low->col(j) = low->col(j).cwiseMin(-1.0);
    }
    for (Eigen::MatrixXd* high : {&result.pattern_high, &result.structure_high}) {
      high->col(j) = high->col(j).cwiseMax(1.0);
    }
    for (Eigen::Index i = 0; i < p; ++i) {
      const double unit = observed.deviations[i];
      const double most = unit > 0 ? 1 / (std::sqrt(observed.uniquenesses[i]) * unit) : 0;
      result.weights_low(i, j) = std::min(result.weights_low(i, j), -most);
      result.weights_high(i, j) = std::max(result.weights_high(i, j), most);
    }
  }
}

}  // namespace

Result<FactorIntervals> factorIntervals(const Bootstrap& bootstrap, FactorInput input,
                                        const std::vector<Eigen::MatrixXd>& parts) {
  input = ofReleases(bootstrap, input);
  if (const Status wrong = checkFactors(input)) return *wrong;
  const FactorAnalysis observed = findFactors(input);
  const Family family = factorFamily(input, observed);
  const Result<DetailDraws> found = bootstrap.details(
      family, parts.empty() ? std::vector<Eigen::MatrixXd>{bootstrap.simulate(family)} : parts);
  if (!found.ok()) return found.error();
  const DetailDraws& draws = found.value();
  const double z = normalReach(bootstrap.level());
  const double any = std::numeric_limits<double>::infinity();
  // With uncorrelated factors the pattern is the structure.
  const bool are_angles = observed.phi.isIdentity(0);
  FactorIntervals result;
  Eigen::Index place = 0;
  matrixIntervals(observed.weights, false, draws, z, place, result.weights_low,
                  result.weights_high);
  matrixIntervals(observed.pattern, are_angles, draws, z, place, result.pattern_low,
                  result.pattern_high);
  matrixIntervals(observed.structure, true, draws, z, place, result.structure_low,
                  result.structure_high);
  matrixIntervals(observed.phi, true, draws, z, place, result.phi_low, result.phi_high);
  Eigen::VectorXd values(input.factors);
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    values[j] = observed.factors[static_cast<std::size_t>(j)].value;
  }
  result.values = clampedIntervals(values, any, draws, z, place);
  result.uniquenesses = clampedIntervals(observed.uniquenesses, 1, draws, z, place);
  result.communalities = clampedIntervals(observed.communalities, any, draws, z, place);
  widenBelowFloor(observed, result);
  return result;
}

Result<Eigen::MatrixXd> factorDraws(const Bootstrap& bootstrap, FactorInput input, DrawPart part) {
  input = ofReleases(bootstrap, input);
  if (const Status wrong = checkFactors(input)) return *wrong;
  const FactorAnalysis observed = findFactors(input);
  return bootstrap.simulate(factorFamily(input, observed), part);
}

Eigen::Index factorDrawRows(Eigen::Index features, Eigen::Index factors) {
  return 1 + figuresOf(features, factors);
}

}  // namespace pm
