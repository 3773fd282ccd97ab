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

/// The parameters of an audit.
struct AuditParams {
  double epsilon;
  double delta;  ///< in (0, 1) for a mechanism that needs it
  Neighbours neighbours;
  /// Factor on the mechanism's noise, from 0.01 to 1; below 1 for a mutant that the audit must
  /// detect.
  double noise = 1;
};

/// Error: kInvalidInterval for a `noise` out of range.
Status checkAuditNoise(double noise);

/// Whether one number determines the whole curve of (epsilon, delta).
enum class AuditCurve {
  kNone,    ///< no; the bound is for one delta, from counts alone
  kNormal,  ///< the noise is normal: mu is bounded, and epsilon follows for the delta
};

/// The norm in which sums of neighbours are compared.
enum class AuditNorm {
  kFrobenius,
  kUpperL1,  ///< sum of absolute values of the upper triangle
  kUpperL2,  ///< Euclidean norm of the upper triangle
  kNuclear,  ///< sum of absolute eigenvalues
  kRange,    ///< largest eigenvalue minus the smallest
  kTrace,
};

/// Rows of one width, row-major.
struct AuditRows {
  int columns;
  std::vector<double> values;
};

/// A mechanism prepared for attacks: its release code with two neighbouring data sets, the most
/// distant pair that the analysis of the mechanism provides.
struct AuditSubject {
  /// The guaranteed or claimed epsilon at `delta`; nothing if there is no claim.
  std::optional<double> epsilon;
  double delta = 0;  ///< the delta of the bound; 0 for a pure claim
  double gdp = 0;    ///< mu that the claim allows, if the noise is normal
  /// The guarantee according to the library's own analysis; empty if it finds none.
  std::optional<Guarantee> guarantee;
  Neighbours neighbours;

  AuditRows first, second;

  /// Scores one release of the first or second data set; a larger score favours the first. Ideally
  /// the logarithm of the likelihood ratio; may be infinite.
  std::function<double(bool of_first, Drbg&)> attack;
  AuditCurve curve = AuditCurve::kNone;
  /// The guess is "the first" for scores above it. If absent, it is chosen on a part of the runs.
  std::optional<double> threshold;

  /// Computes at least `count` numbers of known law from releases of the real code and appends the
  /// distribution function at each: uniform on [0, 1] if law and code agree. For `noise` see
  /// AuditParams. Empty if the law is not known in closed form.
  std::function<void(double noise, std::size_t count, Drbg&, std::vector<double>&)> uniforms;
  std::size_t law_draws = 0;  ///< number of draws that detects 5 % too little noise

  AuditNorm norm = AuditNorm::kFrobenius;
  double sensitivity =
      0;  ///< to which the noise is calibrated, in units of the longest row's square
  /// The symmetric matrix of sums of rows in these units.
  std::function<Eigen::MatrixXd(const AuditRows&)> sums;
};

/// Whether this mechanism of a study can be audited.
bool isAudited(std::string_view mechanism);

/// Mechanisms that can be audited: those of a study, then all published ones.
std::vector<std::string_view> auditSubjects();

/// Errors: kInvalidMechanism for another name, kInvalidEpsilon, kInvalidDelta (also for a delta of
/// 0 if the mechanism needs one), kInvalidNeighbours if the mechanism has no claim for them,
/// kInvalidInterval for the noise, and those of its plan.
Result<AuditSubject> auditSubject(std::string_view name, const AuditParams& params);

}  // namespace pm
