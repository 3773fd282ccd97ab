#pragma once

#include <Eigen/Core>

#include "core/result.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/plan.hpp"
#include "core/synthesis/plan/table.hpp"

namespace pm {

/// The p largest eigenvalues of (1/n) sum u u^T with noise, largest first, none below 0. Rows u are
/// in the unit ball, about the public centre, or about the released mean and then clipped to R.
/// Directions are not released. Precondition: at most kMaxRowsOfSpectrum rows. Algorithm 1 of
/// Chanyaswad, Liu, Mittal 2017; docs/mechanisms/pca-gauss.md. Error kIntegrity.
Result<Eigen::VectorXd> releaseSpectrum(const SynthesisPlan& plan, const IntegerRows& rows,
                                        NoiseSource& noise);

}  // namespace pm
