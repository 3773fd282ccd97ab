#pragma once

#include <Eigen/Core>
#include <functional>

#include "core/mechanisms/plan.hpp"
#include "core/random/drbg.hpp"
#include "core/research/registry.hpp"
#include "core/result.hpp"

namespace pm {

/// The rows on which mechanisms are compared, as far as they matter: n rows x of length at most 1
/// about a public centre, whose mean is that centre.
struct ComparedRows {
  Eigen::MatrixXd scatter;    ///< C = sum x x^T, d x d
  double rows = 0;            ///< n, whole
  int components = 1;         ///< k: of how many directions the share is asked
  Eigen::VectorXd variances;  ///< eigenvalues of C, largest first
};

/// From the mean of x x^T, d x d, symmetric, positive semidefinite, and any number of rows that
/// have it.
/// Errors: kInvalidDimension for a matrix that is not square, at least 2 x 2, not symmetric, or
/// zero; kNotFinite; kInvalidRowNorm for a trace above 1 or an eigenvalue below 0, each by more
/// than rounding to six decimals makes; kNoRows unless `rows` is a whole number from 1 to 2^53;
/// kInvalidComponents unless `components` is from 1 to d.
Result<ComparedRows> comparedRows(const Eigen::MatrixXd& mean, double rows, int components);

/// What one run of a mechanism says of C.
struct Estimate {
  Eigen::MatrixXd scatter;     ///< d x d; empty where the mechanism gives no such matrix
  Eigen::MatrixXd directions;  ///< d x k, as given; empty where those of `scatter` are meant
};

/// Another run at every call, with the noise of that generator.
using EstimateRun = std::function<Estimate(Drbg&)>;

/// Runs of a mechanism that a study can name: its own release of the exact integer sums of `rows`,
/// read as an analyst would, the mean of the noise taken off. Values with directions make a matrix.
/// Preconditions: the plan is for unit row, row norm 1, as many features as `rows` has columns.
/// Errors: kInvalidFederation for a plan behind masks, kTooManyRows beyond plan.max_rows.
Result<EstimateRun> studyRuns(const Plan& plan, const ComparedRows& rows);

/// Runs of a published one. `params.rows` is overwritten. Errors: those of checkPublished.
Result<EstimateRun> publishedRuns(const Published& mechanism, PublishedParams params,
                                  const ComparedRows& rows);

/// How far an estimate is from C; NaN where it says nothing of the kind, or is not finite.
struct ComparisonFigures {
  double distance;   ///< |estimate - C|_F / n
  double truncated;  ///< the same, the eigenvalues of the estimate moved into [0, n]
  double share;      ///< variance along its first k directions over the most k directions can have
};

ComparisonFigures figuresOf(const Estimate& estimate, const ComparedRows& rows);

/// The matrix with its eigenvalues moved into [0, most], as the papers do with estimates of C of
/// `most` rows. Precondition: finite.
Eigen::MatrixXd truncated(const Eigen::MatrixXd& estimate, double most);

}  // namespace pm
