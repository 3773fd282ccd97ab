#include "core/research/audit/directions.hpp"

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/noise/normal.hpp"
#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/power_method.hpp"
#include "core/mechanisms/ppca.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/research/audit/laws.hpp"
#include "core/research/audit/release.hpp"

namespace pm::auditing {
namespace {

using Eigen::MatrixXd;

// Two columns, rows along the axes: directions differ most if one of the data sets is isotropic.
std::pair<AuditRows, AuditRows> axes(Neighbours neighbours) {
  if (neighbours == Neighbours::kAddRemove) return {{2, {1, 0, 0, 1}}, {2, {0, 1}}};
  return {{2, {1, 0, 0, 1}}, {2, {0, 1, 0, 1}}};
}

// Two columns and one direction.
Result<Plan> directionPlan(std::string_view name, const AuditParams& params) {
  MechanismParams asked = paramsOf(params, 2);
  asked.components = 1;
  return findMechanism(name)->plan(asked);
}

// The subject without its attack and the draws for its law.
AuditSubject directionSubject(const Plan& plan, DataSets& sets) {
  auto [first, second] = axes(plan.params.neighbours);
  AuditSubject subject = subjectOf(plan, std::move(first), std::move(second), sets);
  // Features alone, in units of the squared row norm.
  subject.sums = [plan](const AuditRows& rows) {
    const auto totals = totalsOf(plan, rows);
    const auto entry = [&](std::size_t i) { return std::ldexp(double(totals[i]), -2 * plan.bits); };
    return MatrixXd(Eigen::Matrix2d{{entry(3), entry(4)}, {entry(4), entry(5)}});
  };
  subject.norm = AuditNorm::kRange;
  subject.sensitivity = plan.params.neighbours == Neighbours::kReplaceOne ? 2 : 1;
  subject.law_draws = 150'000;
  return subject;
}

// Tests directions against Bingham's law, for sums that the mechanism multiplies by `kappa` in its
// exponent and for which the exponents of the two axes differ by AxisLaw::kConcentration. In a
// release the direction starts at `place`.
auto directionLaw(const Plan& plan, double kappa, std::size_t place) {
  return [=](double noise, std::size_t count, Drbg& random, Packed& uniforms) {
    const Plan mutant = withExponent(plan, noise);
    std::vector<Int128> totals(packedSize(3));
    totals[3] = Int128(std::ldexp(AxisLaw::kConcentration / kappa, 2 * plan.bits));
    const AxisLaw law(AxisLaw::kConcentration);
    Packed out(plan.length);
    while (uniforms.size() < count) {
      plan.release(mutant, totals, random, out);
      uniforms.push_back(law.below(std::atan2(std::fabs(out[place + 1]), std::fabs(out[place]))));
    }
  };
}

}  // namespace

Result<AuditSubject> eigenvectorSubject(const AuditParams& params) {
  Result<Plan> planned = directionPlan("eigenvector-sampling", params);
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  DataSets sets;
  AuditSubject subject = directionSubject(plan, sets);
  const EigenBudget budget = eigenBudget(plan.params, plan.bits);
  const double kappa = budget.directions * budget.kappa;
  const double unit = std::ldexp(1.0, plan.release_shift - 2 * plan.bits);
  const MatrixXd one = subject.sums(subject.first), other = subject.sums(subject.second);
  const Plan noisy = withExponent(plan, params.noise);
  subject.attack = [=](bool of_first, Drbg& random) {
    Packed out(plan.length);
    noisy.release(noisy, sets.exact[of_first ? 0 : 1], random, out);
    const Eigen::Vector2d u = Eigen::Vector2d(out[1], out[2]).normalized();
    const double in_one = u.dot(one * u), in_other = u.dot(other * u), value = out[0] * unit;
    return kappa * (in_one - in_other) +
           (std::fabs(value - in_other) - std::fabs(value - in_one)) / budget.valueScale();
  };
  subject.uniforms = directionLaw(plan, kappa, 1);
  return subject;
}

Result<AuditSubject> ppcaSubject(const AuditParams& params) {
  Result<Plan> planned = directionPlan("ppca", params);
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  DataSets sets;
  AuditSubject subject = directionSubject(plan, sets);
  const MatrixXd moved = subject.sums(subject.first) - subject.sums(subject.second);
  const double kappa = plan.own<PpcaDraws>().kappa;
  const Plan noisy = withExponent(plan, params.noise);
  subject.attack = [=](bool of_first, Drbg& random) {
    Packed out(plan.length);
    noisy.release(noisy, sets.exact[of_first ? 0 : 1], random, out);
    const Eigen::Vector2d u = Eigen::Vector2d(out[0], out[1]).normalized();
    return kappa * u.dot(moved * u);
  };
  subject.uniforms = directionLaw(plan, kappa, 0);
  return subject;
}

Result<AuditSubject> powerSubject(const AuditParams& params) {
  MechanismParams asked = paramsOf(params, 1);
  asked.components = 1;
  // The release shows the last round alone.
  asked.options.set(kRounds, 1);
  Result<Plan> planned = findMechanism("power-method")->plan(asked);
  if (!planned.ok()) return planned.error();
  const Plan plan = std::move(planned).value();
  AuditRows second = {1, {0.5}};
  if (replaces(params)) second.values.push_back(0);
  DataSets sets;
  AuditSubject subject = subjectOf(plan, {1, {0.5, 1}}, std::move(second), sets);
  const double sigma = 16 * double(plan.own<GaussianNoise>().w_diagonal);
  const double centre = (sets.totals[0][2] + sets.totals[1][2]) / 2;
  const auto value = [](const Plan& of, const std::vector<Int128>& totals, Drbg& random) {
    Packed out(of.length);
    of.release(of, totals, random, out);
    return std::ldexp(out[0], of.release_shift);
  };
  const Plan noisy = withNoise(plan, params.noise);
  subject.attack = [=](bool of_first, Drbg& random) {
    return (value(noisy, sets.exact[of_first ? 0 : 1], random) - centre) / sigma;
  };
  subject.curve = AuditCurve::kNormal;
  subject.threshold = 0;
  subject.gdp = plan.guarantee.gdp;
  const double squares = std::ldexp(1.0, 2 * plan.bits);
  subject.sums = [=](const AuditRows& rows) {
    return MatrixXd::Constant(1, 1, double(totalsOf(plan, rows)[2]) / squares);
  };
  subject.sensitivity = std::sqrt(double(plan.sensitivity_squared)) / squares;
  subject.law_draws = 12'000;
  subject.uniforms = [=](double noise, std::size_t count, Drbg& random, Packed& uniforms) {
    const Plan mutant = withNoise(plan, noise);
    while (uniforms.size() < count) {
      const double z = value(mutant, sets.exact[0], random) - sets.totals[0][2];
      uniforms.push_back(normalBelow(z / sigma));
    }
  };
  return subject;
}

}  // namespace pm::auditing
