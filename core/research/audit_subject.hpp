#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// What is asked of an audit.
struct AuditParams {
  double epsilon;
  double delta;  ///< in (0, 1) for a mechanism that needs it
  Neighbours neighbours;
  /// Times the noise that the mechanism has, from 0.01 to 1: below 1 for a mutant that must be
  /// caught.
  double noise = 1;
};

/// Error: kInvalidInterval for a `noise` that AuditParams does not allow.
Status checkAuditNoise(double noise);

/// The law that ties one number to the whole curve of (epsilon, delta).
enum class AuditCurve {
  kNone,    ///< the bound is at one delta, from counts alone
  kNormal,  ///< the noise is normal: mu is bounded, and epsilon read off at the delta
};

/// The norm in which sums of neighbours are compared.
enum class AuditNorm {
  kFrobenius,
  kUpperL1,  ///< sum of absolute values of the upper triangle
  kUpperL2,  ///< Euclidean norm of the upper triangle
  kNuclear,  ///< sum of absolute eigenvalues
  kRange,    ///< largest eigenvalue less the smallest
  kTrace,
};

/// Rows of one width, row-major.
struct AuditRows {
  int columns;
  std::vector<double> values;
};

/// A mechanism made ready for attacks: its real release code at two neighbouring data sets that are
/// as far apart as the analysis of the mechanism knows.
struct AuditSubject {
  /// What is promised, or was claimed, at `delta`; nothing where there is no claim.
  std::optional<double> epsilon;
  double delta = 0;  ///< at which the bound is made; 0 for a pure claim
  double gdp = 0;    ///< mu that the claim allows, where the noise is normal
  /// What holds according to the library's own analysis; nothing where nothing does.
  std::optional<Guarantee> guarantee;
  Neighbours neighbours;

  AuditRows first, second;

  /// One release of the first or second data set, scored: larger speaks for the first. Best the
  /// logarithm of the likelihood ratio; may be infinite.
  std::function<double(bool of_first, Drbg&)> attack;
  AuditCurve curve = AuditCurve::kNone;
  /// "The first" above it, fixed beforehand; else it is chosen on a part of the runs.
  std::optional<double> threshold;

  /// Draws a number of known law from releases of the real code until `count` are there, and
  /// appends its distribution function at each: uniform on [0, 1] if law and code agree. `noise` as
  /// in AuditParams. Empty where no law is known in closed form.
  std::function<void(double noise, std::size_t count, Drbg&, std::vector<double>&)> uniforms;
  std::size_t law_draws = 0;  ///< how many show 5 % too little noise

  AuditNorm norm = AuditNorm::kFrobenius;
  double sensitivity =
      0;  ///< that the noise is calibrated to, in units of the longest row's square
  /// The symmetric matrix of sums of rows in these units.
  std::function<Eigen::MatrixXd(const AuditRows&)> sums;
};

/// Names that can be audited: all that a study can name, then all published ones.
std::vector<std::string_view> auditSubjects();

/// Errors: kInvalidMechanism for another name, kInvalidEpsilon, kInvalidDelta (also a delta of 0
/// where the mechanism needs one), kInvalidNeighbours where the mechanism has no claim for them,
/// kInvalidInterval for the noise, and those of its plan.
Result<AuditSubject> auditSubject(std::string_view name, const AuditParams& params);

}  // namespace pm
