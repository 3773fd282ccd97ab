#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/mechanisms/gaussian.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/limits.hpp"

namespace pm::testing_support {

/// Parameters with the library's defaults.
inline MechanismParams gaussianParams(int dimension, Neighbours neighbours, Unit unit = Unit::kRow,
                                      double epsilon = 1, double delta = 1e-6) {
  MechanismParams params{};
  params.epsilon = epsilon;
  params.delta = delta;
  params.neighbours = neighbours;
  params.unit = unit;
  params.dimension = dimension;
  return params;
}

/// An intake of number columns in [-1, 1], for `plan`.
inline Intake unitIntake(const Plan& plan, double row_norm = 1) {
  IntakeTerms terms{};
  terms.columns.assign(static_cast<std::size_t>(plan.params.dimension),
                       Column{Column::Kind::kNumber, -1, 1, 0});
  terms.row_norm = row_norm;
  terms.missing = MissingRule::kCentre;
  terms.neighbours = plan.params.neighbours;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  terms.adaptive = plan.clip_width > 0;
  return std::move(Intake::create(std::move(terms))).value();
}

/// The exact totals of rows, row-major, for `plan`.
inline std::vector<Int128> exactTotals(const Plan& plan, std::span<const double> cells,
                                       double row_norm = 1) {
  Intake intake = unitIntake(plan, row_norm);
  if (intake.add(cells)) return {};
  auto totals = intake.take(plan.params.unit);
  return totals.ok() ? std::move(totals).value() : std::vector<Int128>{};
}

/// Position of entry (i, j), i <= j, in the packed upper triangle of an n x n matrix.
inline std::size_t packedIndex(std::size_t n, std::size_t i, std::size_t j) {
  return i * n - i * (i + 1) / 2 + j;
}

/// Standard deviation of entry (i, j) in grid units; 0 if the entry is public.
inline double noiseSigma(const Plan& plan, std::size_t i, std::size_t j) {
  if (i == 0 && j == 0 && plan.params.neighbours == Neighbours::kReplaceOne) return 0;
  return 16.0 * double(i == j ? plan.own<GaussianNoise>().w_diagonal
                              : plan.own<GaussianNoise>().w_off_diagonal);
}

}  // namespace pm::testing_support
