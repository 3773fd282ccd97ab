#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/research/audit/subject.hpp"

namespace pm {

/// The result of an audit after some runs, each of which attacks one release of each data set.
struct AuditLook {
  std::uint64_t runs = 0;
  /// Lower bound on the mechanism's epsilon at the audited delta.
  double epsilon = 0;
  /// Lower bound on mu if the noise is normal; else 0.
  double gdp = 0;
  /// Number of times the attack guessed "the first" in `tried` releases of the first data set, and
  /// of the second.
  std::uint64_t tried = 0, hits = 0, alarms = 0;
};

/// A black-box audit (docs/audit.md): scores many releases of two neighbouring data sets, and
/// derives a lower bound on epsilon from the error rates of the rule "the first, if the score is
/// above t".
///
/// The bound may be observed at any time, and the audit stopped at any time: the bound is updated
/// after 10, 15, 20, 30, 50, 70, 100, ... runs, the k-th time with error probability alpha/(k (k +
/// 1)), which sum to alpha, and the largest is kept. All bounds hold simultaneously with
/// probability 1 - alpha. If the subject has no threshold of its own, every fourth run is used to
/// choose it, and the others to evaluate it.
class Audit {
 public:
  Audit(const AuditSubject& subject, double alpha);

  /// Attacks `count` more releases of each data set.
  void run(std::uint64_t count, Drbg& random);

  std::uint64_t runs() const { return scores_[0].size(); }
  /// One for each update of the bound.
  const std::vector<AuditLook>& looks() const { return looks_; }

 private:
  void look();

  const AuditSubject* subject_;
  double alpha_;
  std::array<std::vector<double>, 2> scores_;  // for each data set
  std::vector<AuditLook> looks_;
  std::uint64_t next_look_;
};

/// A lower bound on epsilon, ln((hit - delta)/alarm), if the probability of some set of outputs is
/// at least `hit` for one data set and at most `alarm` for the other. The complement of the set
/// gives another bound; returns the larger of the two, at least 0.
double epsilonShown(double hit, double alarm, double delta);

/// Test of draws against their exact law: chi-square over 40 equally likely cells.
struct LawTest {
  std::uint64_t draws;
  double p;
};
/// For `noise` see AuditParams. Precondition: subject.uniforms is not empty.
/// Error: kInvalidInterval for a noise out of range.
Result<LawTest> testLaw(const AuditSubject& subject, double noise, Drbg& random);

/// A mechanism whose draws have a smaller p does not match its description. A correct one fails
/// once in 10^5 tests.
constexpr double kLawLevel = 1e-5;

/// The distance between the exact sums of neighbours in the norm to which the noise is calibrated:
/// the maximum over the audited pair and `pairs` random ones, computed with the encoder of studies
/// if the mechanism uses it.
double measuredSensitivity(const AuditSubject& subject, int pairs, Drbg& random);

}  // namespace pm
