#pragma once

#include "core/mechanisms/option.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/result.hpp"

// What mechanisms make their plans of.
namespace pm {

/// Factor on noise scales calibrated for pure epsilon. It covers their rounding errors and the
/// sampler's epsilon, and is too small to affect accuracy.
constexpr double kScaleMargin = 1 + 0x1p-40;

/// Checks epsilon, delta, dimension and row norm.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm.
Status checkParams(const MechanismParams& params, Budget budget);

/// Checks 1 <= components <= dimension. Error: kInvalidComponents.
Status checkDirections(const MechanismParams& params);

/// Checks that `value` is the index of one of the option's choices, or lies in its range.
/// Error: kInvalidMechanism.
Status checkOption(const Option& option, int value);

/// A plan on the finest grid, b = kFinestBits or less, on which the noise, `sd(bits)` grid units,
/// is at most `limit`. Errors: kNoiseTooLarge.
template <class StandardDeviation>
Result<Plan> planOnGrid(const MechanismParams& params, double limit, StandardDeviation sd);

/// The finest row grid.
constexpr int kFinestBits = 22;

/// A plan with `params` and `bits`, still without everything else.
Plan planAt(const MechanismParams& params, int bits);

Error noiseTooLarge();

/// Fills in release_shift, max_rows and length of a moments release whose smallest standard
/// deviation is `sd` grid units; that is at least 2^12 steps of the released grid.
void setMomentsGrid(Plan& plan, double sd);

/// The same for a release of k directions, with k values if sd > 0; their noise has the standard
/// deviation `sd` in grid units, at least 2^12 steps of the released grid.
void setComponentsGrid(Plan& plan, int components, double sd);

/// The part of a guarantee that every plan has: neighbours, unit, numerics and assumptions, with
/// epsilon and delta as requested. The mechanism overwrites what it computes.
Guarantee guaranteeFor(const MechanismParams& params, Numerics numerics);

/// Sets a pure epsilon, with the GDP and zCDP that it implies. docs/privacy.md
void setPure(Guarantee& guarantee, double epsilon);

template <class StandardDeviation>
Result<Plan> planOnGrid(const MechanismParams& params, double limit, StandardDeviation sd) {
  for (int bits = kFinestBits; bits >= 14; --bits) {
    if (sd(bits) <= limit) return planAt(params, bits);
  }
  return noiseTooLarge();
}

}  // namespace pm
