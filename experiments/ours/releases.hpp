// Studies as an experiment runs them again and again: exact sums of rows, which stay, and releases
// of them, each with new noise, on the library's own path.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/analysis/noise/moments.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/intake.hpp"
#include "experiments/ours/real_rows.hpp"

namespace ours {

/// Number columns with bounds for which scaled cells are those of `inRanges`.
std::vector<pm::Column> columnsInRange(const MatrixXd& cells);

std::vector<pm::Column> columnsWithin(Index count, double reach);

/// The exact sums of rows, one after another in `cells`.
pm::IntakePart sumsOf(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                      std::span<const double> cells);

/// The same of rows from, from + step, ..
pm::IntakePart sumsOf(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                      const MatrixXd& rows, Index from, Index step);

pm::ScaledMoments momentsFrom(const pm::Plan& plan, const pm::AssembledSums& sums, double constant,
                              int releases);

/// The sum of one release of each site, with a fixed or an adaptive radius.
pm::ScaledMoments independentSum(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                                 std::span<const pm::IntakePart> sites);

/// The sum of one release of each site behind uniform masks, which are taken off the sum, modulo
/// 2^64. Equal seeds give the sites equal noise.
/// @param masked without, all masks are 0
std::vector<std::uint64_t> maskedSum(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                                     std::span<const pm::IntakePart> sites, std::uint64_t seed,
                                     bool masked);

/// The moments of such a sum.
pm::ScaledMoments momentsOfSum(const pm::Plan& plan, std::span<const std::uint64_t> words,
                               std::uint64_t rows, int sites);

}  // namespace ours
