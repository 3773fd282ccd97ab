#include "core/mechanisms/planning.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/moments/limits.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"

namespace pm {
namespace {

// The released grid keeps at least 2^12 steps in one standard deviation: rounding to it adds less
// than 2^-27 of the noise's variance.
constexpr int kReleaseStepsLog2 = 12;

int shiftFor(double sd) { return std::max(0, std::ilogb(sd) - kReleaseStepsLog2); }

// The number of rows up to which sums with their noise stay within +-2^53 released units, as
// |sum| <= rows T.
std::uint64_t maxRows(std::uint64_t row_norm_squared, int shift) {
  const Uint128 room = ((Uint128(1) << 53) - (Uint128(1) << 20)) << shift;
  return std::uint64_t(std::min<Uint128>(room / row_norm_squared, (Uint128(1) << 53) - 1));
}

// std::to_string would add half a kilobyte to the module.
std::string digitsOf(int n) {
  return (n < 10 ? std::string() : digitsOf(n / 10)) + char('0' + n % 10);
}

}  // namespace

Status checkParams(const MechanismParams& params, Budget budget) {
  if (!(params.epsilon > 0) || !std::isfinite(params.epsilon)) {
    return Error{Code::kInvalidEpsilon, "epsilon must be a finite number above 0", "epsilon"};
  }
  if (budget == Budget::kApproximate ? !(params.delta > 0 && params.delta < 1)
                                     : !(params.delta >= 0 && params.delta < 1)) {
    return Error{Code::kInvalidDelta,
                 budget == Budget::kApproximate
                     ? "this mechanism needs a delta strictly between 0 and 1"
                     : "delta must be at least 0 and below 1",
                 "delta"};
  }
  if (params.dimension < 1 || params.dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension,
                 "a study has 1 to 1000 features (a category counts "
                 "once for each of its levels)",
                 "columns"};
  }
  if (!(params.row_norm > 0) || !std::isfinite(params.row_norm)) {
    return Error{Code::kInvalidRowNorm, "rowNorm must be a finite number above 0", "rowNorm"};
  }
  return {};
}

Status checkDirections(const MechanismParams& params) {
  if (params.components >= 1 && params.components <= params.dimension) return {};
  return Error{Code::kInvalidComponents,
               "components must be a whole number from 1 to the number of features", "components"};
}

Status checkOption(const Option& option, int value) {
  if (option.allows(value)) return {};
  std::string message;
  if (option.choices.empty()) {
    message.append(option.name).append(" must be a whole number from ");
    message.append(digitsOf(option.least)).append(" to ").append(digitsOf(option.most));
  } else {
    message.append("the ").append(option.name).append(" must be ");
    for (std::size_t i = 0, n = option.choices.size(); i < n; ++i) {
      if (i > 0) message.append(i + 1 < n ? ", " : " or ");
      message.append(option.choices[i]);
    }
  }
  std::string field = "mechanism.";
  return Error{Code::kInvalidMechanism, message, field.append(option.name)};
}

Error noiseTooLarge() {
  return {Code::kNoiseTooLarge,
          "this epsilon needs more noise than the grid can hold; raise epsilon or delta",
          "epsilon"};
}

Plan planAt(const MechanismParams& params, int bits) {
  Plan plan;
  plan.params = params;
  plan.bits = bits;
  plan.constant = constantCoordinate(bits, params.constant);
  return plan;
}

void setMomentsGrid(Plan& plan, double sd) {
  plan.content = Content::kMoments;
  plan.release_shift = shiftFor(sd);
  plan.max_rows =
      maxRows(augmentedNormSquared(plan.bits, plan.params.constant), plan.release_shift);
  plan.length = packedSize(std::size_t(plan.params.dimension) + 1);
}

void setComponentsGrid(Plan& plan, int components, double sd) {
  plan.content = Content::kComponents;
  plan.release_shift = sd > 0 ? shiftFor(sd) : 0;
  // Directions do not grow with the rows; values do.
  plan.max_rows = maxRows(sd > 0 ? augmentedNormSquared(plan.bits) : 1, plan.release_shift);
  plan.length = std::size_t(components) * (std::size_t(plan.params.dimension) + (sd > 0 ? 1 : 0));
}

Guarantee guaranteeFor(const MechanismParams& params, Numerics numerics) {
  Guarantee g{};
  g.epsilon = params.epsilon;
  g.delta = params.delta;
  g.gdp = g.zcdp = std::numeric_limits<double>::infinity();
  g.neighbours = params.neighbours;
  g.unit = params.unit;
  g.numerics = numerics;
  g.assumes = {
      params.unit == Unit::kRow ? "one person is one row, at one participant"
                                : "one person's rows are all at one participant",
      "the participant's machine and its random number generator are sound",
      "each data set is released once under this study",
  };
  if (numerics == Numerics::kIdealized) {
    g.assumes.push_back(
        "the proof is for real numbers, and the noise is computed in floating point");
  }
  return g;
}

void setPure(Guarantee& guarantee, double epsilon) {
  guarantee.epsilon = epsilon;
  guarantee.delta = 0;
  guarantee.gdp = gdpOfPure(epsilon);
  guarantee.zcdp = productUp(epsilon, epsilon) / 2;
}

}  // namespace pm
