// The sum of releases with private centring, as an analyst assembles it.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/choices.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/centred_assembly.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/table.hpp"

/// @param rows_of the rows of each site, one after another
template <class RowsOf>
pm::CentredSums centredSum(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                           std::size_t sites, RowsOf rows_of) {
  const double sd = pm::releaseScale(plan, std::sqrt(double(columns.size()))).off_diagonal;
  pm::CentredAssembly assembly = pm::CentredAssembly::create(plan.params.dimension, sd).value();
  for (std::size_t site = 0; site < sites; ++site) {
    const pm::CentredRelease released =
        pm::releaseCentred(
            plan, columns, pm::MissingRule::kCentre,
            [&](const auto& add) { return add(std::span<const double>(rows_of(site))); },
            &experiments::repeatableEntropy)
            .value();
    const pm::CentredScale scale =
        pm::centredScale(plan, released.survey.coordinates, released.moments.clip_level);
    if (assembly.add(released.moments.values, scale, released.moments.rows)) std::abort();
  }
  return assembly.sum().value();
}
