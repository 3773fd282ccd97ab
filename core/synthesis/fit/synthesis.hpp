#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/random/entropy.hpp"
#include "core/result.hpp"
#include "core/synthesis/fit/gaussian.hpp"
#include "core/synthesis/plan/plan.hpp"
#include "core/synthesis/plan/table.hpp"
#include "core/synthesis/rows/model.hpp"

namespace pm {

/// The release of one synthesis. All of it is public.
struct Synthesis {
  std::uint64_t rows = 0;  ///< n, public
  /// The law for drawing rows, in scaled units: mean `unit` P m, covariance `unit`^2 P C P^T, with
  /// P = I without a projection; a number label at its own index. No components for the spectrum
  /// task.
  RowModel model;
  /// The spectrum task: variances in scaled units along p directions that are not released, largest
  /// first; else empty.
  Eigen::VectorXd variances;
  std::vector<ReleasedGaussian> gaussians;
  /// D' x p, multiples of 2^-16; empty without one. Public, or released.
  Eigen::MatrixXd projection;
  bool shared = false;  ///< whether the classes have a common covariance
  Guarantee guarantee;
};

/// The model of released Gaussians, weighted by their rows (see `Synthesis::model`).
RowModel modelOf(const SynthesisPlan& plan, const Eigen::MatrixXd& projection,
                 const std::vector<ReleasedGaussian>& gaussians);

/// Turns a table into its only synthesis. A new generator is seeded first, so that a machine
/// without entropy fails before a row is read; then noise is added to the exact sums of every step,
/// and everything private is wiped. The table is then closed.
/// Errors: kNoEntropy (nothing was read and the table can still be used), kNoRows, also for the
/// public rows, kAlreadyReleased, kIntegrity.
Result<Synthesis> synthesise(SynthesisTable& table, EntropySource source = systemEntropy());

/// The same with noise from `noise`, on which the guarantee depends: for tests.
Result<Synthesis> synthesise(SynthesisTable& table, NoiseSource& noise);

}  // namespace pm
