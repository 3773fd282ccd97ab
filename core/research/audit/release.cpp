#include "core/research/audit/release.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "core/matrix/packed.hpp"
#include "core/mechanisms/frobenius.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/ppca.hpp"
#include "core/mechanisms/release.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/mechanisms/wishart.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/limits.hpp"

namespace pm::auditing {
namespace {

using Eigen::MatrixXd;

Packed inDoubles(const std::vector<Int128>& totals) { return {totals.begin(), totals.end()}; }

}  // namespace

bool replaces(const AuditParams& params) { return params.neighbours == Neighbours::kReplaceOne; }

MechanismParams paramsOf(const AuditParams& params, int dimension) {
  MechanismParams result{};
  result.epsilon = params.epsilon;
  result.delta = params.delta;
  result.neighbours = params.neighbours;
  result.unit = Unit::kRow;
  result.dimension = dimension;
  return result;
}

std::vector<Int128> totalsOf(const Plan& plan, const AuditRows& rows) {
  std::vector<Column> columns(std::size_t(rows.columns), {Column::Kind::kNumber, -1, 1, 0});
  std::vector<Int128> nothing(packedSize(std::size_t(rows.columns) + 1));
  Result<Intake> intake =
      Intake::create(intakeTerms(plan, std::move(columns), MissingRule::kCentre));
  if (rows.values.empty() || !intake.ok() || intake.value().add(rows.values)) return nothing;
  Result<std::vector<Int128>> totals = intake.value().take(Unit::kRow);
  return totals.ok() ? std::move(totals).value() : nothing;
}

MatrixXd matrixOf(const Packed& packed, double unit) {
  Eigen::Index n = 0;
  while (packedSize(std::size_t(n)) < packed.size()) ++n;
  return unpacked(std::span<const double>(packed), n, 1 / unit);
}

Packed releaseOf(const Plan& plan, const std::vector<Int128>& totals, Drbg& random) {
  Packed out(plan.length);
  plan.release(plan, totals, random, out);
  for (double& x : out) x = std::ldexp(x, plan.release_shift);
  return out;
}

namespace {

/// Precondition: factor <= 4, so that the numerator keeps its bits.
DyadicScale rescaled(DyadicScale scale, double factor) {
  return {std::uint64_t(double(scale.numerator) * factor / 4), scale.log2_denominator - 2};
}

}  // namespace

Plan withNoise(Plan plan, double factor) {
  // Samplers need a width of at least 1.
  const auto times = [&](std::uint64_t w) {
    return std::max(std::uint64_t{1}, std::uint64_t(double(w) * factor));
  };
  plan.noise_mean *= factor;
  OwnParameters& own = plan.own_parameters;
  if (auto* gaussian = own.find<GaussianNoise>()) {
    gaussian->w_diagonal = times(gaussian->w_diagonal);
    gaussian->w_off_diagonal = times(gaussian->w_off_diagonal);
  } else if (auto* laplace = own.find<LaplaceNoise>()) {
    laplace->w = times(laplace->w);
  } else if (auto* frobenius = own.find<FrobeniusNoise>()) {
    frobenius->scale = rescaled(frobenius->scale, factor);
  } else if (auto* wishart = own.find<WishartNoise>()) {
    wishart->scale = rescaled(wishart->scale, factor);
  }
  return plan;
}

Plan withExponent(Plan plan, double factor) {
  plan.params.epsilon /= factor;
  OwnParameters& own = plan.own_parameters;
  if (auto* wishart = own.find<TwoSidedWishartNoise>())
    wishart->scale = rescaled(wishart->scale, factor);
  if (auto* ppca = own.find<PpcaDraws>()) ppca->kappa /= factor;
  return plan;
}

AuditSubject subjectOf(const Plan& plan, AuditRows first, AuditRows second, DataSets& sets) {
  AuditSubject subject;
  subject.guarantee = plan.guarantee;
  subject.epsilon = plan.guarantee.epsilon;
  subject.delta = plan.guarantee.delta;
  subject.neighbours = plan.params.neighbours;
  subject.first = std::move(first);
  subject.second = std::move(second);
  for (int side = 0; side < 2; ++side) {
    sets.exact[side] = totalsOf(plan, side == 0 ? subject.first : subject.second);
    sets.totals[side] = inDoubles(sets.exact[side]);
  }
  const double longest = double(augmentedNormSquared(plan.bits));
  subject.sums = [plan, longest](const AuditRows& rows) {
    MatrixXd sums = matrixOf(inDoubles(totalsOf(plan, rows)), longest);
    // The count is public and does not change.
    if (plan.params.neighbours == Neighbours::kReplaceOne) sums(0, 0) = 0;
    return sums;
  };
  subject.norm = AuditNorm::kFrobenius;
  subject.sensitivity = std::sqrt(double(plan.sensitivity_squared)) / longest;
  return subject;
}

}  // namespace pm::auditing
