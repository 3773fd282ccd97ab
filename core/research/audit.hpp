#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/research/audit_subject.hpp"

namespace pm {

/// What an audit has shown after some runs, each of which attacks one release of either data set.
struct AuditLook {
  std::uint64_t runs = 0;
  /// The mechanism's epsilon at the audited delta is at least this.
  double epsilon = 0;
  /// Where the noise is normal: its mu is at least this. Else 0.
  double gdp = 0;
  /// How often the attack said "the first" in `tried` releases of the first data set, and of the
  /// second.
  std::uint64_t tried = 0, hits = 0, alarms = 0;
};

/// An audit from outside (docs/audit.md): many releases of two neighbouring data sets, a score
/// of each, and the lower bound on epsilon that the error rates of "the first, if the score is
/// above t" prove.
///
/// The bound may be watched while it climbs, and the audit be stopped at any time: it is renewed
/// after 10, 15, 20, 30, 50, 70, 100, ... runs, the k-th time with error probability
/// alpha/(k (k + 1)), which sum to alpha, and the largest stands. All bounds together are true with
/// probability 1 - alpha. Where the subject has no threshold of its own, every fourth run serves to
/// choose it, and the others to try it.
class Audit {
 public:
  Audit(const AuditSubject& subject, double alpha);

  /// Attacks `count` more releases of each data set.
  void run(std::uint64_t count, Drbg& random);

  std::uint64_t runs() const { return scores_[0].size(); }
  /// One for each time the bound was renewed.
  const std::vector<AuditLook>& looks() const { return looks_; }

 private:
  void look();

  const AuditSubject* subject_;
  double alpha_;
  std::array<std::vector<double>, 2> scores_;  // of each data set
  std::vector<AuditLook> looks_;
  std::uint64_t next_look_;
};

/// ln((hit - delta)/alarm), where the one data set gives an output of some set with probability at
/// least `hit`, the other at most `alarm`: a lower bound on epsilon. The complement of the set
/// gives another; the larger of the two, at least 0.
double epsilonShown(double hit, double alarm, double delta);

/// Draws against their exact law: chi-square over 40 equally likely cells.
struct LawTest {
  std::uint64_t draws;
  double p;
};
/// `noise` as in AuditParams. Precondition: subject.uniforms is there.
/// Error: kInvalidInterval for another noise.
Result<LawTest> testLaw(const AuditSubject& subject, double noise, Drbg& random);

/// A mechanism whose draws fail with a smaller p is not the one that is described. An honest one
/// does once in 10^5 tests.
constexpr double kLawLevel = 1e-5;

/// How far the exact sums of neighbours are apart in the norm that the noise is calibrated to: the
/// largest of the audited pair and `pairs` random ones, through the encoder that studies use where
/// the mechanism does.
double measuredSensitivity(const AuditSubject& subject, int pairs, Drbg& random);

}  // namespace pm
