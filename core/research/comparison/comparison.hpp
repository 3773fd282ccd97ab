#pragma once

#include <Eigen/Core>
#include <functional>

#include "core/mechanisms/plan.hpp"
#include "core/random/drbg.hpp"
#include "core/research/published/registry.hpp"
#include "core/result.hpp"

namespace pm {

/// The moments of the rows on which mechanisms are compared: n rows x of length at most 1 about a
/// public centre, which is their mean.
struct ComparedRows {
  Eigen::MatrixXd scatter;    ///< C = sum x x^T, d x d
  double rows = 0;            ///< n, an integer
  int components = 1;         ///< k, the number of directions for the share
  Eigen::VectorXd variances;  ///< eigenvalues of C, largest first
};

/// From the mean of x x^T, d x d, symmetric, positive semidefinite, and the number of rows. Errors:
/// kInvalidDimension for a matrix that is not square, at least 2 x 2, not symmetric, or zero;
/// kNotFinite; kInvalidRowNorm for a trace above 1 or an eigenvalue below 0, both by more than
/// rounding to six decimals can explain; kNoRows unless `rows` is an integer from 1 to 2^53;
/// kInvalidComponents unless `components` is from 1 to d.
Result<ComparedRows> comparedRows(const Eigen::MatrixXd& mean, double rows, int components);

/// The estimate of C from one run of a mechanism.
struct Estimate {
  Eigen::MatrixXd scatter;     ///< d x d; empty if the mechanism does not estimate C
  Eigen::MatrixXd directions;  ///< d x k as released; if empty, those of `scatter`
};

/// Every call is a new run with noise from the generator.
using EstimateRun = std::function<Estimate(Drbg&)>;

/// Runs of a study's mechanism: its release of the exact integer sums of `rows`, read as an analyst
/// would, with the mean of the noise subtracted. Values with directions form a matrix.
/// Preconditions: the plan is for unit row, row norm 1, and as many features as `rows` has columns.
/// Errors: kInvalidFederation for a masked plan, kTooManyRows beyond plan.max_rows.
Result<EstimateRun> studyRuns(const Plan& plan, const ComparedRows& rows);

/// Runs of a published mechanism. `params.rows` is overwritten. Errors: those of checkPublished.
Result<EstimateRun> publishedRuns(const Published& mechanism, PublishedParams params,
                                  const ComparedRows& rows);

/// Errors of an estimate of C; NaN if it does not apply or is not finite.
struct ComparisonFigures {
  double distance;   ///< |estimate - C|_F / n
  double truncated;  ///< the same with the eigenvalues of the estimate clamped to [0, n]
  double
      share;  ///< variance along its first k directions, relative to the maximum for k directions
};

ComparisonFigures figuresOf(const Estimate& estimate, const ComparedRows& rows);

/// The matrix with its eigenvalues clamped to [0, most], as the papers do with estimates of C for
/// `most` rows. Precondition: finite.
Eigen::MatrixXd truncated(const Eigen::MatrixXd& estimate, double most);

}  // namespace pm
