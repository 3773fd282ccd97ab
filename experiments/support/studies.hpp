// What the studies of experiments have in common.
#pragma once

#include <span>

#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/registry.hpp"

namespace experiments {

/// The default mechanism.
inline const pm::Mechanism& mechanismFor(double delta) {
  return *pm::findMechanism(delta > 0 ? "gaussian" : "two-sided-wishart");
}

/// Unit row, one row replaced.
inline pm::MechanismParams rowParams(double epsilon, double delta, int dimension) {
  pm::MechanismParams params{};
  params.epsilon = epsilon;
  params.delta = delta;
  params.neighbours = pm::Neighbours::kReplaceOne;
  params.unit = pm::Unit::kRow;
  params.dimension = dimension;
  return params;
}

/// The default mechanism with private centring.
inline pm::Plan centredPlan(pm::MechanismParams params, std::span<const pm::Column> columns) {
  params.clipping = pm::Clipping::kCentred;
  for (const pm::Column& column : columns) {
    (column.kind == pm::Column::Kind::kNumber ? params.numbers : params.categories) += 1;
  }
  return pm::planCentring(mechanismFor(params.delta), params).value();
}

/// Two thirds of the sites, rounded up, keep their noise and masks to themselves.
inline int honestOf(int sites) { return (2 * sites + 2) / 3; }

}  // namespace experiments
