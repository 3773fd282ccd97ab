#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/analysis/methods/factors.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/result.hpp"

namespace pm {

/// Intervals of the figures of `FactorAnalysis`, in the same shapes.
struct FactorIntervals {
  std::vector<Interval> values;  ///< k, not negative
  Eigen::MatrixXd weights_low;   ///< original units
  Eigen::MatrixXd weights_high;
  Eigen::MatrixXd pattern_low;
  Eigen::MatrixXd pattern_high;
  Eigen::MatrixXd structure_low;  ///< in [-1, 1]
  Eigen::MatrixXd structure_high;
  Eigen::MatrixXd phi_low;  ///< in [-1, 1]
  Eigen::MatrixXd phi_high;
  std::vector<Interval> uniquenesses;   ///< p, in [0, 1]
  std::vector<Interval> communalities;  ///< p, not negative
};

/// Intervals for the factors of the population from which the rows are a sample: as for rotated
/// components (`pcaIntervals`), from draws of a population with the denoised covariance, in which
/// as many factors are rotated as in the report and aligned with the reported ones. Of a factor
/// below the floor, loadings are within 1, and weights within 1 / sqrt u of a standardised feature.
/// @param input covariance, noise, frame and rows are taken from `bootstrap`
/// @param parts from `factorDraws`, `factorDrawRows` rows; if empty, the simulation is run here
/// @returns the errors of `factorAnalysis`, and kWrongLength (draws)
Result<FactorIntervals> factorIntervals(const Bootstrap& bootstrap, FactorInput input,
                                        const std::vector<Eigen::MatrixXd>& parts = {});
Result<Eigen::MatrixXd> factorDraws(const Bootstrap& bootstrap, FactorInput input, DrawPart part);

/// Rows of a part for k factors of p features.
Eigen::Index factorDrawRows(Eigen::Index features, Eigen::Index factors);

}  // namespace pm
