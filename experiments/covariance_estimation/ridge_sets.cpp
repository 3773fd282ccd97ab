#include "experiments/covariance_estimation/ridge_sets.hpp"

#include <cmath>
#include <utility>

#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {

Eigen::MatrixXd populationOf(const RidgeDesign& design, pm::Drbg& random) {
  const int p = design.predictors;
  Eigen::MatrixXd normals(p, p + 1);
  for (double& value : normals.reshaped()) value = pm::standardNormal(random);
  const Eigen::MatrixXd axes =
      pm::spectrum(normals.leftCols(p) + normals.leftCols(p).transpose()).vectors;
  Eigen::VectorXd variances(p);
  for (int i = 0; i < p; ++i) variances[i] = 0.3 * std::pow(i + 1, -design.decay);
  const Eigen::MatrixXd block = axes * variances.asDiagonal() * axes.transpose();
  Eigen::VectorXd weights = normals.col(p);
  weights *= std::sqrt(0.2 * design.r2 / weights.dot(block * weights));
  Eigen::MatrixXd covariance(p + 1, p + 1);
  covariance << block, block * weights, (block * weights).transpose(), 0.2;
  return covariance;
}

std::vector<UnitScatter> ridgeSets(const std::filesystem::path& folder) {
  std::vector<UnitScatter> sets;
  Eigen::MatrixXd wine = featuresOf(folder, "wine", kWineColumns);
  if (wine.size() > 0) {
    wine.col(0).swap(wine.col(kWineColumns - 1));  // alcohol comes first
    sets.push_back(unitScatter("wine", std::move(wine)));
  }
  constexpr int kDiabetesColumns = 11;
  Eigen::MatrixXd diabetes = featuresOf(folder, "diabetes", kDiabetesColumns);
  if (diabetes.size() > 0) sets.push_back(unitScatter("diabetes", std::move(diabetes)));
  const RidgeDesign design{4, 1, 0.5, 2000, 0};
  pm::Drbg random = experiments::seeded(7, 400);
  sets.push_back({"simulated", design.rows, populationOf(design, random) * design.rows});
  return sets;
}

}  // namespace covariance_estimation
