// Data for ridge regression: scatter matrices whose last coordinate is the target.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <vector>

#include "core/random/drbg.hpp"
#include "experiments/covariance_estimation/unit_scatter.hpp"

namespace covariance_estimation {

/// A population: predictors whose variances fall as 0.3 / i^decay in random directions, a target of
/// variance 0.2, and the noise of its observation.
struct RidgeDesign {
  int predictors;
  double decay;
  double r2;
  double rows;
  double sd;  ///< of the noise off the diagonal
};

/// Its covariance.
Eigen::MatrixXd populationOf(const RidgeDesign& design, pm::Drbg& random);

/// The wines with alcohol as the target, the patients with the progression of their disease, and a
/// simulated set; sets that are not there are skipped.
std::vector<UnitScatter> ridgeSets(const std::filesystem::path& folder);

}  // namespace covariance_estimation
