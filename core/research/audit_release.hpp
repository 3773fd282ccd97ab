#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/random/drbg.hpp"
#include "core/research/audit_subject.hpp"

/// What audits of the mechanisms of a study share: sums through the encoder, releases, mutants.
namespace pm::auditing {

/// Numbers of one release, or of the sums it is made of.
using Packed = std::vector<double>;

/// The sums of both data sets.
struct DataSets {
  std::vector<Int128> exact[2];
  Packed totals[2];
};

bool replaces(const AuditParams& params);

MechanismParams paramsOf(const AuditParams& params, int dimension);

/// The exact sums of rows of columns in [-1, 1], through the encoder.
std::vector<Int128> totalsOf(const Plan& plan, const AuditRows& rows);

/// The symmetric matrix, in units of `unit`.
Eigen::MatrixXd matrixOf(const Packed& packed, double unit);

/// One release in grid units.
Packed releaseOf(const Plan& plan, const std::vector<Int128>& totals, Drbg& random);

/// Discrete noise `factor` times as wide, at least 1, continuous noise as far as `scale` is its
/// size.
Plan withNoise(Plan plan, double factor);

/// The same for plans whose `scale` is the inverse of a size, or an exponent.
Plan withExponent(Plan plan, double factor);

/// What every mechanism of a study has: promise, rows, and sums in units of the longest row. Writes
/// the sums of both data sets to `sets`.
AuditSubject subjectOf(const Plan& plan, AuditRows first, AuditRows second, DataSets& sets);

}  // namespace pm::auditing
