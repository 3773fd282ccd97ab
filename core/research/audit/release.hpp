#pragma once

#include <Eigen/Core>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/random/drbg.hpp"
#include "core/research/audit/subject.hpp"

/// Shared by the audits of a study's mechanisms: encoded sums, releases, mutants.
namespace pm::auditing {

/// The numbers of one release or of its sums.
using Packed = std::vector<double>;

/// The sums of both data sets.
struct DataSets {
  std::vector<Int128> exact[2];
  Packed totals[2];
};

bool replaces(const AuditParams& params);

MechanismParams paramsOf(const AuditParams& params, int dimension);

/// The exact sums of encoded rows, with all columns in [-1, 1].
std::vector<Int128> totalsOf(const Plan& plan, const AuditRows& rows);

/// The symmetric matrix in multiples of `unit`.
Eigen::MatrixXd matrixOf(const Packed& packed, double unit);

/// One release in grid units.
Packed releaseOf(const Plan& plan, const std::vector<Int128>& totals, Drbg& random);

/// The plan with noise `factor` times as large; discrete widths are at least 1. For additive noise
/// except that of `two-sided-wishart`, and for `power-method`.
Plan withNoise(Plan plan, double factor);

/// The same for plans made from exponents: `two-sided-wishart`, `eigenvector-sampling` and `ppca`.
Plan withExponent(Plan plan, double factor);

/// The parts that all mechanisms of a study share: guarantee, rows, and sums in units of the
/// longest row's square. Writes the sums of both data sets to `sets`.
AuditSubject subjectOf(const Plan& plan, AuditRows first, AuditRows second, DataSets& sets);

}  // namespace pm::auditing
