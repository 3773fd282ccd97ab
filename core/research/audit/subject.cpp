#include "core/research/audit/subject.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/analysis/noise/normal.hpp"
#include "core/mechanisms/frobenius.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/mechanisms/wishart.hpp"
#include "core/moments/limits.hpp"
#include "core/research/audit/directions.hpp"
#include "core/research/audit/laws.hpp"
#include "core/research/audit/published.hpp"
#include "core/research/audit/release.hpp"
#include "core/research/audit/tails.hpp"
#include "core/research/published/registry.hpp"

namespace pm::auditing {
namespace {

using Eigen::MatrixXd;

constexpr double kRoot = 0.8660254037844386;  // sqrt(3/4)
// A dimension in which one release has many independent entries.
constexpr int kWide = 60;

// Two columns: rows 120 degrees apart, or one additional row.
std::pair<AuditRows, AuditRows> farRows(Neighbours neighbours) {
  if (neighbours == Neighbours::kAddRemove) return {{2, {0.3, 0.3, 1, 0}}, {2, {0.3, 0.3}}};
  return {{2, {0.3, 0.3, 1, 0}}, {2, {0.3, 0.3, -0.5, kRoot}}};
}

// Uniforms from independent entries with standard deviation or scale 16 w each, from releases of
// zero sums in many columns.
template <class Below>
auto entryLaw(const Plan& honest, std::uint64_t w_diagonal, std::uint64_t w_off_diagonal,
              Below below) {
  return [=](double noise, std::size_t count, Drbg& random, Packed& uniforms) {
    const Plan plan = withNoise(honest, noise);
    const std::size_t n = std::size_t(plan.params.dimension) + 1;
    const std::vector<Int128> zeros(packedSize(n));
    while (uniforms.size() < count) {
      const Packed out = releaseOf(plan, zeros, random);
      std::size_t entry = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j, ++entry) {
          const double w = double(i == j ? w_diagonal : w_off_diagonal);
          if (entry > 0) uniforms.push_back(below(out[entry] / (16 * w)));
        }
      }
    }
  };
}

Result<AuditSubject> gaussianSubject(const AuditParams& params) {
  const Mechanism& mechanism = *findMechanism("gaussian");
  Result<Plan> planned = mechanism.plan(paramsOf(params, 2));
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  auto [first, second] = farRows(params.neighbours);
  DataSets sets;
  AuditSubject subject = subjectOf(plan, std::move(first), std::move(second), sets);
  // Normal with variance 1, means mu/2 and -mu/2.
  Packed weights(plan.length), centre(plan.length);
  double variance = 0;
  std::size_t entry = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++entry) {
      const double sigma = i == j ? plan.sd_diagonal : plan.sd_off_diagonal;
      const double distance = sets.totals[0][entry] - sets.totals[1][entry];
      const bool open = entry == 0 && replaces(params);
      weights[entry] = open ? 0 : distance / (sigma * sigma);
      centre[entry] = (sets.totals[0][entry] + sets.totals[1][entry]) / 2;
      variance += weights[entry] * distance;
    }
  }
  const Plan noisy = withNoise(plan, params.noise);
  subject.attack = [=](bool of_first, Drbg& random) {
    const Packed out = releaseOf(noisy, sets.exact[of_first ? 0 : 1], random);
    double score = 0;
    for (std::size_t i = 0; i < out.size(); ++i) score += weights[i] * (out[i] - centre[i]);
    return score / std::sqrt(variance);
  };
  subject.curve = AuditCurve::kNormal;
  subject.threshold = 0;
  subject.gdp = plan.guarantee.gdp;
  Result<Plan> wide = mechanism.plan(paramsOf(params, kWide));
  if (!wide.ok()) return wide.error();
  const GaussianNoise& widths = wide.value().own<GaussianNoise>();
  subject.uniforms = entryLaw(wide.value(), widths.w_diagonal, widths.w_off_diagonal,
                              [](double z) { return normalBelow(z); });
  subject.law_draws = 60'000;
  return subject;
}

Result<AuditSubject> laplaceSubject(const AuditParams& params) {
  const Mechanism& mechanism = *findMechanism("laplace");
  Result<Plan> planned = mechanism.plan(paramsOf(params, 1));
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  AuditRows second = {1, {0.4}};
  if (replaces(params)) second.values.push_back(-std::numbers::sqrt2 / 4);
  DataSets sets;
  AuditSubject subject = subjectOf(plan, {1, {0.4, 1}}, std::move(second), sets);
  const double scale = 16 * double(plan.own<LaplaceNoise>().w);
  const Plan noisy = withNoise(plan, params.noise);
  const std::size_t skipped = replaces(params) ? 1 : 0;
  subject.attack = [=](bool of_first, Drbg& random) {
    const Packed out = releaseOf(noisy, sets.exact[of_first ? 0 : 1], random);
    double score = 0;
    for (std::size_t i = skipped; i < out.size(); ++i) {
      score += std::fabs(out[i] - sets.totals[1][i]) - std::fabs(out[i] - sets.totals[0][i]);
    }
    return score / scale;
  };
  subject.norm = AuditNorm::kUpperL1;
  Result<Plan> wide = mechanism.plan(paramsOf(params, kWide));
  if (!wide.ok()) return wide.error();
  const std::uint64_t w = wide.value().own<LaplaceNoise>().w;
  subject.uniforms = entryLaw(wide.value(), w, w, laplaceBelow);
  subject.law_draws = 100'000;
  return subject;
}

Result<AuditSubject> frobeniusSubject(const AuditParams& params) {
  const Mechanism& mechanism = *findMechanism("frobenius");
  Result<Plan> planned = mechanism.plan(paramsOf(params, 1));
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  AuditRows second = {1, {0.4}};
  if (replaces(params)) second.values.push_back(-1);
  DataSets sets;
  AuditSubject subject = subjectOf(plan, {1, {0.4, 1}}, std::move(second), sets);
  const bool open = replaces(params);
  const double scale = plan.own<FrobeniusNoise>().scale.value();
  const auto distance = [open](const Packed& out, const Packed& totals) {
    const double a = open ? 0 : out[0] - totals[0], b = out[1] - totals[1], c = out[2] - totals[2];
    return std::sqrt(a * a + 2 * b * b + c * c);
  };
  const Plan noisy = withNoise(plan, params.noise);
  subject.attack = [=](bool of_first, Drbg& random) {
    const Packed out = releaseOf(noisy, sets.exact[of_first ? 0 : 1], random);
    return (distance(out, sets.totals[1]) - distance(out, sets.totals[0])) / scale;
  };
  subject.uniforms = [=](double noise, std::size_t count, Drbg& random, Packed& uniforms) {
    const Plan mutant = withNoise(plan, noise);
    while (uniforms.size() < count) {
      const Packed out = releaseOf(mutant, sets.exact[0], random);
      uniforms.push_back(gammaTail(plan.freedom, distance(out, sets.totals[0]) / scale));
    }
  };
  subject.law_draws = 60'000;
  return subject;
}

Result<AuditSubject> twoSidedSubject(const AuditParams& params) {
  const Mechanism& mechanism = *findMechanism("two-sided-wishart");
  Result<Plan> planned = mechanism.plan(paramsOf(params, replaces(params) ? 2 : 1));
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  auto [first, second] = replaces(params)
                             ? farRows(params.neighbours)
                             : std::pair<AuditRows, AuditRows>{{1, {0.3, 1}}, {1, {0.3}}};
  DataSets sets;
  AuditSubject subject = subjectOf(plan, std::move(first), std::move(second), sets);
  const Plan noisy = withExponent(plan, params.noise);
  const double longest = double(augmentedNormSquared(plan.bits));
  const MatrixXd one = matrixOf(sets.totals[0], longest), other = matrixOf(sets.totals[1], longest);
  if (replaces(params)) {
    // The noise along one row minus that along the other.
    const MatrixXd distance = one - other, centre = (one + other) / 2;
    subject.attack = [=](bool of_first, Drbg& random) {
      const Packed out = releaseOf(noisy, sets.exact[of_first ? 0 : 1], random);
      return distance.cwiseProduct(matrixOf(out, longest) - centre).sum();
    };
  } else {
    // Above both matrices the ratio of densities is e^epsilon, below both e^-epsilon.
    subject.attack = [=](bool of_first, Drbg& random) {
      const MatrixXd out =
          matrixOf(releaseOf(noisy, sets.exact[of_first ? 0 : 1], random), longest);
      return isPositive(out - one) ? 1.0 : isPositive(other - out) ? -1.0 : 0.0;
    };
  }
  subject.norm = AuditNorm::kNuclear;
  subject.sensitivity = params.epsilon / plan.own<TwoSidedWishartNoise>().c() / longest;
  AuditParams added = params;
  added.neighbours = Neighbours::kAddRemove;
  Result<Plan> lawful = mechanism.plan(paramsOf(added, 1));
  if (!lawful.ok()) return lawful.error();
  subject.uniforms = [honest = std::move(lawful).value()](double noise, std::size_t count,
                                                          Drbg& random, Packed& uniforms) {
    const Plan mutant = withExponent(honest, noise);
    const std::vector<Int128> zeros(3);
    while (uniforms.size() < count) {
      const Packed out = releaseOf(mutant, zeros, random);
      uniforms.push_back(
          gammaDifferenceTail(3, honest.own<TwoSidedWishartNoise>().c() * (out[0] + out[2])));
    }
  };
  subject.law_draws = 100'000;
  return subject;
}

Result<AuditSubject> wishartSubject(const AuditParams& params) {
  Result<Plan> planned = findMechanism("wishart")->plan(paramsOf(params, 2));
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  auto [first, second] = farRows(params.neighbours);
  DataSets sets;
  AuditSubject subject = subjectOf(plan, std::move(first), std::move(second), sets);
  // The public constant added to the diagonal.
  const double scale = plan.own<WishartNoise>().scale.value();
  const double lift = plan.noise_mean / scale - plan.freedom;
  const MatrixXd lifted = lift * MatrixXd::Identity(3, 3);
  const MatrixXd one = matrixOf(sets.totals[0], scale) + lifted;
  const MatrixXd other = matrixOf(sets.totals[1], scale) + lifted;
  const Plan noisy = withNoise(plan, params.noise);
  subject.attack = [=](bool of_first, Drbg& random) {
    const MatrixXd out = matrixOf(releaseOf(noisy, sets.exact[of_first ? 0 : 1], random), scale);
    return wishartScore(out - one, out - other, plan.freedom, 1);
  };
  // Calibrated to adding or removing a row of length 1; replacing is two such steps.
  subject.norm = AuditNorm::kNuclear;
  subject.sensitivity = replaces(params) ? 2 : 1;
  subject.uniforms = [=](double noise, std::size_t count, Drbg& random, Packed& uniforms) {
    const Plan mutant = withNoise(plan, noise);
    const std::vector<Int128> zeros(plan.length);
    while (uniforms.size() < count) {
      const Packed out = releaseOf(mutant, zeros, random);
      for (const std::size_t i : {0, 3, 5}) {
        uniforms.push_back(chiSquareTail(out[i] / scale - lift, plan.freedom));
      }
    }
  };
  subject.law_draws = 30'000;
  return subject;
}

struct Entry {
  std::string_view name;
  Result<AuditSubject> (*make)(const AuditParams&);
};

constexpr Entry kSubjects[] = {
    {"gaussian", &gaussianSubject},  {"two-sided-wishart", &twoSidedSubject},
    {"laplace", &laplaceSubject},    {"frobenius", &frobeniusSubject},
    {"wishart", &wishartSubject},    {"eigenvector-sampling", &eigenvectorSubject},
    {"power-method", &powerSubject}, {"ppca", &ppcaSubject},
};

}  // namespace
}  // namespace pm::auditing

namespace pm {

bool isAudited(std::string_view mechanism) {
  return std::any_of(std::begin(auditing::kSubjects), std::end(auditing::kSubjects),
                     [&](const auditing::Entry& entry) { return entry.name == mechanism; });
}

std::vector<std::string_view> auditSubjects() {
  std::vector<std::string_view> names;
  for (const Mechanism& mechanism : mechanisms()) {
    if (isAudited(mechanism.name)) names.push_back(mechanism.name);
  }
  for (const Published& mechanism : published()) names.push_back(mechanism.name);
  return names;
}

Status checkAuditNoise(double noise) {
  if (!(noise >= 0.01 && noise <= 1)) {
    return Error{Code::kInvalidInterval, "noise must be between 0.01 and 1", "noise"};
  }
  return {};
}

Result<AuditSubject> auditSubject(std::string_view name, const AuditParams& params) {
  if (const Status wrong = checkAuditNoise(params.noise)) return *wrong;
  for (const auditing::Entry& entry : auditing::kSubjects) {
    if (entry.name == name) return entry.make(params);
  }
  return publishedSubject(name, params);
}

}  // namespace pm
