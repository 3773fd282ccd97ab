#pragma once

#include <vector>

#include "bindings/convert.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"

// What the simulations of several analyses share.
namespace pm::js {

/// From the options `level`, `draws` and `seed`.
Result<Bootstrap> bootstrapOf(const MomentSums& sums, const std::vector<int>& columns,
                              const val& options);

/// `part`, from 0, and the number of parts, `of`.
Result<DrawPart> drawPartIn(const val& options);

/// The parts of a simulation, each with this number of rows. The core rejects a part of another
/// size by its shape.
std::vector<Eigen::MatrixXd> partsIn(const val& parts, Eigen::Index rows);

/// { draws }
val drawsOut(const Result<Eigen::MatrixXd>& draws);

}  // namespace pm::js
