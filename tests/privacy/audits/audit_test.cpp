// The audits of the research module: their bound is valid, no mechanism in the registries exceeds a
// guarantee that holds, and broken ones do.
#include "core/research/audit/audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/statistics.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace audit_test {

using namespace testing_support;

constexpr Neighbours kReplace = Neighbours::kReplaceOne, kAdd = Neighbours::kAddRemove;

AuditParams asked(Neighbours neighbours, double noise = 1) { return {1, 1e-6, neighbours, noise}; }

// The final bound of an audit, wrong with probability below kAlarm / 100. Fewer than 100 audits are
// made here.
AuditLook auditOf(std::string_view name, const AuditParams& params, std::uint64_t runs,
                  std::uint64_t seed) {
  const AuditSubject subject = auditSubject(name, params).value();
  Audit audit(subject, kAlarm / 100);
  Drbg random(unsafeTestSeed(seed));
  audit.run(runs, random);
  return audit.looks().back();
}

// ---- the bound

// A release is one bit, kept with probability e^epsilon/(1 + e^epsilon): randomised response, whose
// epsilon is exact.
AuditSubject randomisedResponse(double epsilon, std::optional<double> threshold) {
  AuditSubject subject;
  subject.epsilon = epsilon;
  subject.threshold = threshold;
  const double kept = 1 / (1 + std::exp(-epsilon));
  subject.attack = [kept](bool of_first, Drbg& random) {
    return (uniformOpen(random) < kept) == of_first ? 1.0 : 0.0;
  };
  return subject;
}

// How many of `audits` exceed the true epsilon at some look, at 80 % confidence.
std::uint64_t mistaken(const AuditSubject& subject, std::uint64_t audits, double alpha) {
  Drbg random(unsafeTestSeed(7));
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < audits; ++i) {
    Audit audit(subject, alpha);
    audit.run(1'000, random);
    wrong += audit.looks().back().epsilon > *subject.epsilon;
  }
  return wrong;
}

TEST(AuditBound, HoldsAtAllLooksJointlyWithTheStatedConfidence) {
  // Each audit has 13 looks. Two tests: the p-value of more errors than alpha allows.
  const std::uint64_t audits = repetitions(600, 100);
  for (const std::optional<double> threshold :
       {std::optional<double>(0.5), std::optional<double>()}) {
    const AuditSubject subject = randomisedResponse(1, threshold);
    const std::uint64_t wrong = mistaken(subject, audits, 0.2);
    EXPECT_EQ(probabilityAtLeast(wrong, audits, kAlarm / 2) > 0.2, false) << wrong;
    // The test has power: with forty times the error probability most exceed it.
    if (!kSlowBuild) {
      EXPECT_GT(probabilityAtLeast(mistaken(subject, audits, 8), audits, kAlarm / 2), 0.2);
    }
  }
}

TEST(AuditBound, NeverDecreasesAndIsUpdatedAtFixedRuns) {
  const AuditSubject subject = randomisedResponse(2, std::nullopt);
  Audit audit(subject, 0.05);
  Drbg random(unsafeTestSeed(8));
  for (const std::uint64_t runs : {1, 9, 5, 1'985}) audit.run(runs, random);
  std::vector<std::uint64_t> at;
  double before = 0;
  for (const AuditLook& look : audit.looks()) {
    at.push_back(look.runs);
    EXPECT_GE(look.epsilon, before);
    EXPECT_LT(look.tried, look.runs);  // some chose the threshold
    before = look.epsilon;
  }
  EXPECT_EQ(at, (std::vector<std::uint64_t>{10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700,
                                            1'000, 1'500, 2'000}));
  EXPECT_GT(before, 1.2);
  EXPECT_EQ(audit.runs(), 2'000u);
}

TEST(AuditBound, OfNormalNoiseIsTakenFromItsTradeOffCurve) {
  AuditSubject subject;
  subject.delta = 1e-5;
  subject.threshold = 0;
  subject.curve = AuditCurve::kNormal;
  subject.attack = [](bool of_first, Drbg& random) {
    return standardNormal(random) + (of_first ? 0.5 : -0.5);
  };
  Audit audit(subject, kAlarm);
  Drbg random(unsafeTestSeed(9));
  audit.run(repetitions(20'000, 2'000), random);
  const AuditLook look = audit.looks().back();
  EXPECT_LT(look.gdp, 1);
  EXPECT_GT(look.gdp, kSlowBuild ? 0.6 : 0.85);
  EXPECT_EQ(look.epsilon, epsilonOfGdp(look.gdp, subject.delta));
}

TEST(AuditBound, UsesASetAndItsComplement) {
  EXPECT_DOUBLE_EQ(epsilonShown(0.5, 0.25, 0), std::log(2));
  EXPECT_DOUBLE_EQ(epsilonShown(0.9, 0.8, 0), std::log(2));
  EXPECT_DOUBLE_EQ(epsilonShown(0.6, 0.25, 0.1), std::log(2));
  EXPECT_EQ(epsilonShown(0.5, 0.5, 0), 0);
  EXPECT_EQ(epsilonShown(0, 0.5, 0.6), 0);
}

// ---- mechanisms

struct Case {
  std::string_view name;
  Neighbours neighbours;
  double epsilon;
  std::uint64_t runs;
  double least;  ///< fraction of epsilon that the audit must show: about half of what is observed
};

// Releases that draw their noise in blocks of 4096 are attacked less often.
constexpr Case kHonest[] = {
    {"gaussian", kReplace, 4, 5'000, 0.3},
    {"gaussian", kAdd, 4, 5'000, 0.3},
    {"two-sided-wishart", kReplace, 1, 10'000, 0.1},
    {"two-sided-wishart", kAdd, 1, 10'000, 0.2},
    {"laplace", kReplace, 1, 5'000, 0.2},
    {"laplace", kAdd, 1, 5'000, 0.2},
    {"frobenius", kReplace, 1, 10'000, 0.25},
    {"frobenius", kAdd, 1, 10'000, 0.2},
    {"wishart", kReplace, 1, 10'000, 0},
    {"wishart", kAdd, 1, 10'000, 0},
    {"eigenvector-sampling", kReplace, 1, 10'000, 0.15},
    {"eigenvector-sampling", kAdd, 1, 10'000, 0.15},
    {"power-method", kReplace, 4, 5'000, 0.3},
    {"power-method", kAdd, 4, 5'000, 0.3},
    {"ppca", kReplace, 1, 10'000, 0.1},
    {"ppca", kAdd, 1, 10'000, 0.1},
    {"laplace-2d", kReplace, 1, 10'000, 0.05},
    {"laplace-2d", kAdd, 1, 40'000, 0.05},
    {"analyze-gauss-classical", kReplace, 1, 40'000, 0.2},
    {"sheffet-wishart", kAdd, 1, 10'000, 0},
    {"kapralov-talwar", kReplace, 1, 10'000, 0.15},
    {"amin-iterative", kReplace, 1, 10'000, 0},
    {"hardt-price", kReplace, 1, 10'000, 0},
    {"output-perturbation", kReplace, 1, 10'000, 0.15},
};

TEST(Audit, StaysBelowEveryValidGuaranteeAndIsNotVacuous) {
  std::uint64_t seed = 1000;
  for (const Case& c : kHonest) {
    const std::string where = std::string(c.name) + ' ' + name(c.neighbours);
    AuditParams params = asked(c.neighbours);
    params.epsilon = c.epsilon;
    const AuditSubject subject = auditSubject(c.name, params).value();
    ASSERT_TRUE(subject.guarantee.has_value()) << where;
    const AuditLook look = auditOf(c.name, params, repetitions(c.runs, c.runs / 10), ++seed);
    EXPECT_LE(look.epsilon, *subject.epsilon) << where;
    EXPECT_LE(look.epsilon, subject.guarantee->epsilon) << where;
    if (!kSlowBuild) {
      EXPECT_GE(look.epsilon, c.least * c.epsilon) << where;
    }
  }
}

TEST(Audit, ShowsAFractionOfWishartGuaranteesIfDeltaIsNotTooSmall) {
  // From counts alone; at epsilon 1 and delta 10^-6 they show nothing.
  for (const auto& [name, least] : {std::pair{"wishart", 0.1}, {"sheffet-wishart", 0.02}}) {
    AuditParams params = asked(kAdd);
    params.epsilon = 4, params.delta = 0.01;
    const double found = auditOf(name, params, 20'000, 1200).epsilon;
    EXPECT_LE(found, 4) << name;
    EXPECT_GE(found, 4 * least) << name;
  }
}

TEST(Audit, ExceedsTheClaimOfBrokenMechanisms) {
  for (const Neighbours neighbours : {kReplace, kAdd}) {
    for (const std::string_view broken : {"symmetric-noise", "jiang-wishart"}) {
      EXPECT_FALSE(auditSubject(broken, asked(neighbours)).value().guarantee.has_value());
      const AuditLook few = auditOf(broken, asked(neighbours), 1'000, 1100);
      const AuditLook many = auditOf(broken, asked(neighbours), 10'000, 1101);
      EXPECT_GT(few.epsilon, 1) << broken;
      // No finite epsilon holds, and the bound grows without limit.
      EXPECT_GT(many.epsilon, few.epsilon + 1) << broken;
    }
  }
  // Nothing is claimed, and every guess is right.
  const AuditLook exact = auditOf("non-private", asked(kReplace), 1'000, 1102);
  EXPECT_FALSE(auditSubject("non-private", asked(kReplace)).value().epsilon.has_value());
  EXPECT_EQ(exact.hits, exact.tried);
  EXPECT_EQ(exact.alarms, 0u);
}

TEST(Audit, ExceedsTheClaimOfASensitivityForOtherNeighbours) {
  // 1/n in place of sqrt(2)/n.
  AuditParams params = asked(kReplace);
  params.epsilon = 4;
  const AuditSubject subject = auditSubject("analyze-gauss-one-over-n", params).value();
  EXPECT_GT(subject.guarantee->epsilon, 4);
  EXPECT_GT(auditOf("analyze-gauss-one-over-n", params, 20'000, 1300).epsilon, 4);
}

TEST(Audit, CatchesMutants) {
  // Noise that is five times too small, and noise calibrated for add-remove under replace-one.
  constexpr std::string_view kCheap[] = {
      "frobenius",  "eigenvector-sampling", "ppca",
      "laplace-2d", "kapralov-talwar",      "output-perturbation"};
  for (const std::string_view name : kCheap) {
    EXPECT_GT(auditOf(name, asked(kReplace, 0.2), 10'000, 1400).epsilon, 1) << name;
  }
  for (const char* name : {"gaussian", "laplace", "power-method"}) {
    EXPECT_GT(auditOf(name, asked(kReplace, 0.2), 1'000, 1401).epsilon, 1) << name;
  }
  EXPECT_GT(auditOf("two-sided-wishart", asked(kAdd, 0.2), 10'000, 1402).epsilon, 1);
  AuditParams wishart = asked(kAdd, 0.2);
  wishart.delta = 0.01;
  EXPECT_GT(auditOf("wishart", wishart, 10'000, 1403).epsilon, 1);
  AuditParams gaussian = asked(kReplace, std::sqrt(0.5));
  gaussian.epsilon = 4;
  EXPECT_GT(auditOf("gaussian", gaussian, 5'000, 1404).epsilon, 4);
}

TEST(AuditLaw, FitsEveryMechanismAndNoneWithFivePercentLessNoise) {
  int laws = 0;
  for (const std::string_view name : auditSubjects()) {
    const AuditSubject subject = auditSubject(name, asked(kReplace)).value();
    if (!subject.uniforms) continue;
    ++laws;
    Drbg random(unsafeTestSeed(1500));
    EXPECT_GT(testLaw(subject, 1, random).value().p, kAlarm / 20) << name;
    EXPECT_LT(testLaw(subject, 0.95, random).value().p, kLawLevel / 10) << name;
  }
  EXPECT_GE(laws, 16);
}

TEST(AuditLaw, IsNotTestedWithoutNoiseOrWithMore) {
  const AuditSubject subject = auditSubject("frobenius", asked(kReplace)).value();
  Drbg random(unsafeTestSeed(1501));
  for (const double noise : {-1.0, 0.0, 1e-15, 0.0099, 1.01, std::nan("")}) {
    EXPECT_EQ(testLaw(subject, noise, random).error().code, Code::kInvalidInterval) << noise;
    EXPECT_EQ(auditSubject("gaussian", asked(kReplace, noise)).error().code, Code::kInvalidInterval)
        << noise;
  }
}

TEST(AuditLaw, IsUndefinedIfTheNoiseIsBelowTheGrid) {
  // An epsilon so large that the correct width is one or two units.
  AuditParams params = asked(kReplace, 0.01);
  params.epsilon = 1e12;
  const AuditSubject subject = auditSubject("laplace", params).value();
  Drbg random(unsafeTestSeed(1502));
  Audit audit(subject, 0.05);
  audit.run(10, random);
  EXPECT_EQ(audit.runs(), 10u);
  EXPECT_LT(testLaw(subject, 0.01, random).value().p, kLawLevel);
}

TEST(AuditSensitivity, IsNeverAboveTheCalibrationOfAValidGuarantee) {
  for (const Case& c : kHonest) {
    const AuditSubject subject = auditSubject(c.name, asked(c.neighbours)).value();
    Drbg random(unsafeTestSeed(1600));
    const double measured = measuredSensitivity(subject, 1'000, random);
    EXPECT_LE(measured, subject.sensitivity * (1 + 1e-12)) << c.name << ' ' << name(c.neighbours);
    // At least a third of it; otherwise the pair is uninformative.
    EXPECT_GE(measured, subject.sensitivity / 3) << c.name << ' ' << name(c.neighbours);
  }
  for (const char* reached : {"gaussian", "laplace", "two-sided-wishart", "power-method"}) {
    const AuditSubject subject = auditSubject(reached, asked(kReplace)).value();
    Drbg random(unsafeTestSeed(1601));
    EXPECT_GT(measuredSensitivity(subject, 10, random), 0.999 * subject.sensitivity) << reached;
  }
  const AuditSubject assumed = auditSubject("analyze-gauss-one-over-n", asked(kReplace)).value();
  Drbg random(unsafeTestSeed(1602));
  EXPECT_NEAR(measuredSensitivity(assumed, 10, random), std::sqrt(2) * assumed.sensitivity, 1e-9);
}

TEST(AuditSubject, ExistsForEveryMechanismAndStatesWhatItCannotAudit) {
  for (const std::string_view name : auditSubjects()) {
    EXPECT_TRUE(auditSubject(name, asked(kReplace)).ok()) << name;
  }
  const auto code = [](std::string_view name, const AuditParams& params) {
    return auditSubject(name, params).error().code;
  };
  EXPECT_EQ(code("nonesuch", asked(kReplace)), Code::kInvalidMechanism);
  EXPECT_EQ(code("output-perturbation", asked(kAdd)), Code::kInvalidNeighbours);
  EXPECT_EQ(code("gaussian", {0, 1e-6, kReplace}), Code::kInvalidEpsilon);
  EXPECT_EQ(code("symmetric-noise", {-1, 0, kReplace}), Code::kInvalidEpsilon);
  EXPECT_EQ(code("sheffet-wishart", {1, 0, kReplace}), Code::kInvalidDelta);
  EXPECT_EQ(code("gaussian", {1, 0, kReplace}), Code::kInvalidDelta);
}

}  // namespace audit_test
}  // namespace pm
