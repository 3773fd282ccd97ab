// The tasks with Eigen alone, in doubles. Compiled for SSE2, and again for this machine.
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "bench/native/algebra.hpp"

namespace {

Eigen::MatrixXd x;
Eigen::MatrixXd symmetric;  // empty for the Gram matrix

Eigen::MatrixXd numbers(int d, int n) {
  Eigen::MatrixXd columns(d, n);
  for (Eigen::Index i = 0; i < columns.size(); ++i) columns.data()[i] = number(std::size_t(i));
  return columns;
}

}  // namespace

void setUpGram(int d, int n) {
  x = numbers(d, n);
  symmetric.resize(0, 0);
}

void setUpEigen(int d) {
  x = numbers(d, 2 * d);
  symmetric = x * x.transpose() / (2.0 * d);
}

double run() {
  const Eigen::Index d = x.rows();
  if (symmetric.size() == 0) {
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(d, d);
    gram.selfadjointView<Eigen::Upper>().rankUpdate(x);
    return gram(0, 0) + gram(0, d - 1) + gram(d - 1, d - 1);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return solver.eigenvectors().allFinite() ? solver.eigenvalues()[d - 1] : 0;
}
