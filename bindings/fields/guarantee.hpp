#pragma once

#include <algorithm>
#include <cmath>

#include "bindings/fields/fields.hpp"
#include "core/mechanisms/record.hpp"
#include "core/privacy/guarantee.hpp"

namespace pm {

inline constexpr Numerics kEveryNumerics[] = {Numerics::kExact, Numerics::kIdealized};

// Not inlined, so that its three callers share one copy.
template <class Field>
[[gnu::noinline]] void fields(Field& field, const Promise& cost) {
  field("epsilon", cost.epsilon);
  field("delta", cost.delta, "0 for pure mechanisms, whatever the study allows.");
  field.when(std::isfinite(cost.gdp), "gdp", cost.gdp,
             "mu of Gaussian differential privacy; absent if no bound is known.");
  field.when(std::isfinite(cost.zcdp), "zcdp", cost.zcdp,
             "rho of zero-concentrated differential privacy; absent if no bound is known.");
  field.when(
      std::isfinite(std::min(cost.gdp, cost.zcdp)), "totalVariation", cost.total_variation,
      "The distance up to which `gdp` and `zcdp` hold: the law of the release is within this total "
      "variation distance of the law of an output that satisfies them exactly. Above 0 if the "
      "noise is bounded, 0 if they hold exactly. Included in `delta`, (1 + e^epsilon) times.");
}

/// The cost of a part or a guarantee.
template <class Stated>
Promise costOf(const Stated& stated) {
  return {stated.epsilon, stated.delta, stated.gdp, stated.zcdp, stated.total_variation};
}

template <class Field>
void fields(Field& field, const Part& part) {
  field.base(costOf(part));
  field("what", part.what, "The result of the step.");
}

template <class Field>
void fields(Field& field, const Guarantee& g) {
  field.base(costOf(g));
  field.oneOf("neighbours", g.neighbours, kEitherNeighbours);
  field.oneOf("unit", g.unit, kEveryUnit);
  field.oneOf(
      "numerics", g.numerics, kEveryNumerics,
      "`exact`: no floating-point number depended on private data before the noise was added.");
  field("assumes", g.assumes);
  field.when(g.honest > 0, "honest", g.honest,
             "For a masked sum: the number of honest releases in it that together have the noise "
             "of this guarantee. That at least this many are honest follows from the assumption "
             "about collusion, the first of `assumes`.");
  field.when(g.honest > 0, "floor", g.floor,
             "For a masked sum: the guarantee that remains if all others disclose everything they "
             "hold; null if none remains.");
  field.when(!g.parts.empty(), "parts", g.parts,
             "For a release made in several steps: the cost of each. The cost of the whole release "
             "is above.");
  field.when(g.alone.has_value(), "alone", g.alone.value_or(Promise{}),
             "For Gaussian masks calibrated as published: the guarantee of a single message "
             "against an observer who sees no other message. The guarantee above covers all "
             "messages together.");
}

}  // namespace pm
