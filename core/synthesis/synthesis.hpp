#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/random/entropy.hpp"
#include "core/result.hpp"
#include "core/synthesis/gaussian.hpp"
#include "core/synthesis/model.hpp"
#include "core/synthesis/plan.hpp"
#include "core/synthesis/table.hpp"

namespace pm {

/// What one synthesis releases. Everything here may leave.
struct Synthesis {
  std::uint64_t rows = 0;  ///< n, public
  /// In scaled units, for drawing rows: mean `unit` P m, covariance `unit`^2 P C P^T, without a
  /// projection P = I; a number label in its place. No components for the spectrum task.
  RowModel model;
  /// The spectrum task: variances in scaled units along p directions that are not told, largest
  /// first; else empty.
  Eigen::VectorXd variances;
  std::vector<ReleasedGaussian> gaussians;
  /// D' x p, multiples of 2^-16; empty without one. Public, or released.
  Eigen::MatrixXd projection;
  bool shared = false;  ///< the classes have one covariance
  Guarantee guarantee;
};

/// The model of released Gaussians, weighted by their rows, as `Synthesis::model` has it.
RowModel modelOf(const SynthesisPlan& plan, const Eigen::MatrixXd& projection,
                 const std::vector<ReleasedGaussian>& gaussians);

/// Makes the one synthesis of a table: a fresh generator is seeded first, so that a machine without
/// entropy gives up before a row is read; then every step's exact sums get their noise, and all
/// that is private is wiped. The table gives nothing more after that.
/// Errors: kNoEntropy (nothing was read; the table is still whole), kNoRows, also of the public
/// rows, kAlreadyReleased, kIntegrity.
Result<Synthesis> synthesise(SynthesisTable& table, EntropySource source = pmSystemEntropy);

/// The same with noise from a source, which alone decides what it promises: for tests.
Result<Synthesis> synthesise(SynthesisTable& table, NoiseSource& noise);

}  // namespace pm
