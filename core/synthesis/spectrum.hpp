#pragma once

#include <Eigen/Core>

#include "core/result.hpp"
#include "core/synthesis/noise.hpp"
#include "core/synthesis/plan.hpp"
#include "core/synthesis/table.hpp"

namespace pm {

/// The p largest eigenvalues of (1/n) sum u u^T, rows u in the unit ball, about the public centre
/// or about the released mean, and then shortened to R, with noise: largest first, none below 0.
/// Directions stay untold. Algorithm 1 of Chanyaswad, Liu, Mittal 2017;
/// docs/mechanisms/pca-gauss.md. Error kIntegrity.
Result<Eigen::VectorXd> releaseSpectrum(const SynthesisPlan& plan, const IntegerRows& rows,
                                        NoiseSource& noise);

}  // namespace pm
