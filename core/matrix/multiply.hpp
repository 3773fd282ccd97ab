#pragma once

#include <Eigen/Core>

namespace pm {

/// Zero matrix. In the browser Eigen's own sets entries one by one, in whichever copy of that code
/// the linker keeps.
Eigen::MatrixXd zeros(Eigen::Index rows, Eigen::Index columns);

Eigen::MatrixXd transposed(const Eigen::MatrixXd& a);

/// a b. One kernel for every product of this room: Eigen instantiates a blocked product for each
/// kind of operand (transposed, block, scaled), in the browser several kB each and without SIMD.
/// Entries may differ from Eigen's in the last bits, as the order of summation differs.
Eigen::MatrixXd multiply(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a^T b.
Eigen::MatrixXd multiplyTransposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a b for lower triangular a and b, n x n: a sixth of the operations of `multiply`.
Eigen::MatrixXd multiplyLowers(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a a^T, exactly symmetric, for half of the work.
Eigen::MatrixXd multiplyByTranspose(const Eigen::MatrixXd& a);

/// a a^T for a lower triangular a, n x n, for a sixth of the work.
Eigen::MatrixXd multiplyLowerByTranspose(const Eigen::MatrixXd& a);

}  // namespace pm
