#pragma once

#include <algorithm>
#include <cmath>

#include "bindings/fields/fields.hpp"
#include "core/mechanisms/record.hpp"
#include "core/privacy/guarantee.hpp"

namespace pm {

inline constexpr Numerics kEveryNumerics[] = {Numerics::kExact, Numerics::kIdealized};

// One copy for all three of them.
template <class Field>
[[gnu::noinline]] void fields(Field& field, const Promise& cost) {
  field("epsilon", cost.epsilon);
  field("delta", cost.delta, "0 for pure mechanisms, whatever the study allows.");
  field.when(std::isfinite(cost.gdp), "gdp", cost.gdp,
             "The same noise as mu-Gaussian differential privacy; absent where no bound is known.");
  field.when(std::isfinite(cost.zcdp), "zcdp", cost.zcdp,
             "The same noise as rho-zCDP; absent where no bound is known.");
  field.when(
      std::isfinite(std::min(cost.gdp, cost.zcdp)), "totalVariation", cost.total_variation,
      "Beside `gdp` or `zcdp`, which hold up to so much: the release has the law of an output "
      "that keeps them exactly, but for at most this probability (total variation distance). "
      "Above 0 where the noise is bounded; 0 where they are exact. `delta` counts it, "
      "(1 + e^epsilon) times.");
}

/// The cost of a part or a guarantee.
template <class Stated>
Promise costOf(const Stated& stated) {
  return {stated.epsilon, stated.delta, stated.gdp, stated.zcdp, stated.total_variation};
}

template <class Field>
void fields(Field& field, const Part& part) {
  field.base(costOf(part));
  field("what", part.what, "What the step makes.");
}

template <class Field>
void fields(Field& field, const Guarantee& g) {
  field.base(costOf(g));
  field.oneOf("neighbours", g.neighbours, kEitherNeighbours);
  field.oneOf("unit", g.unit, kEveryUnit);
  field.oneOf(
      "numerics", g.numerics, kEveryNumerics,
      "`exact`: no floating-point number depended on private data before the noise was in.");
  field("assumes", g.assumes);
  field.when(g.honest > 0, "honest", g.honest,
             "Of a sum behind masks: how many honest releases in it have the noise of the promise. "
             "That there are as many follows from who may collude, which the first of `assumes` "
             "says.");
  field.when(g.honest > 0, "floor", g.floor,
             "And what is left of it if all others give away what they hold; null: nothing.");
  field.when(!g.parts.empty(), "parts", g.parts,
             "Of a release made in several steps: what each costs. The whole is what is above.");
  field.when(g.alone.has_value(), "alone", g.alone.value_or(Promise{}),
             "Of Gaussian masks calibrated as published: what one message promises to whoever sees "
             "no other. The promise above is about all of them.");
}

}  // namespace pm
