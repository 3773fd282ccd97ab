#pragma once

#include <vector>

#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/moments/encoding.hpp"
#include "tests/support/release_fixtures.hpp"

namespace pm::centring_fixtures {

inline const Column kNumber{Column::Kind::kNumber, -1, 1, 0};

inline const Mechanism& mechanismFor(double delta) {
  return *findMechanism(delta > 0 ? "gaussian" : "two-sided-wishart");
}

/// Parameters of a study of these columns with private centring.
inline MechanismParams paramsFor(const std::vector<Column>& columns, double delta,
                                 double epsilon = 1,
                                 Neighbours neighbours = Neighbours::kReplaceOne) {
  MechanismParams params =
      testing_support::gaussianParams(0, neighbours, Unit::kRow, epsilon, delta);
  params.clipping = Clipping::kCentred;
  for (const Column& column : columns) {
    (column.kind == Column::Kind::kNumber ? params.numbers : params.categories) += 1;
    params.dimension += column.features();
  }
  return params;
}

inline Plan planFor(const std::vector<Column>& columns, double delta, double epsilon = 1,
                    Neighbours neighbours = Neighbours::kReplaceOne) {
  return planCentring(mechanismFor(delta), paramsFor(columns, delta, epsilon, neighbours)).value();
}

}  // namespace pm::centring_fixtures
