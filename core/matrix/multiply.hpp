#pragma once

#include <Eigen/Core>

namespace pm {

/// Zeros. Eigen's are set one by one in the browser, by whichever copy of that code the linker
/// keeps.
Eigen::MatrixXd zeros(Eigen::Index rows, Eigen::Index columns);

Eigen::MatrixXd transposed(const Eigen::MatrixXd& a);

/// a b. One kernel for every product of this room: Eigen compiles a blocked product anew for each
/// kind of operand (transposed, block, scaled), several kB each in the browser, and without vectors
/// there. Entries may differ from Eigen's in the last bits, as sums are taken in another order.
Eigen::MatrixXd multiply(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a^T b.
Eigen::MatrixXd multiplyTransposed(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a b for lower triangular a and b, n x n: a sixth of the operations of `multiply`.
Eigen::MatrixXd multiplyLowers(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

/// a a^T, symmetric to the last bit, for half of the work.
Eigen::MatrixXd multiplyByTranspose(const Eigen::MatrixXd& a);

/// The same for a lower triangular a, n x n: a sixth.
Eigen::MatrixXd multiplyLowerByTranspose(const Eigen::MatrixXd& a);

}  // namespace pm
