#include "core/analysis/methods/whitening.hpp"

#include <cmath>

#include "core/matrix/cholesky.hpp"
#include "core/matrix/spectrum.hpp"

namespace pm {
namespace {

template <class Regularize>
Eigen::MatrixXd whitener(const Eigen::MatrixXd& block, Regularize regularize) {
  const Spectrum decomposed = spectrum(block);
  const double least = leastVariance(decomposed.values[0]);
  Eigen::MatrixXd result(block.rows(), block.rows());
  Eigen::Index rank = 0;
  for (Eigen::Index j = 0; j < block.rows(); ++j) {
    const double variance = regularize(decomposed.values[j]);
    if (variance <= least) continue;
    result.col(rank++) = decomposed.vectors.col(j) / std::sqrt(variance);
  }
  return result.leftCols(rank);
}

}  // namespace

Eigen::MatrixXd flooredWhitener(const Eigen::MatrixXd& block, double floor) {
  return whitener(block, [&](double variance) { return std::max(variance, floor); });
}

// Explicit loops: this file is compiled for size, so that Eigen's reductions become calls, which
// took a tenth of the time of an interval.
void multiplyByFlooredWhitener(const Eigen::MatrixXd& block, double floor,
                               Eigen::MatrixXd& matrix) {
  // The trace bounds the largest variance if none is negative; otherwise there is no factor.
  const Eigen::Index n = block.rows();
  double trace = 0;
  for (Eigen::Index i = 0; i < n; ++i) trace += block.data()[i * (n + 1)];
  const double all = std::max(floor, leastVariance(trace));
  if (choleskyAbove(block, all)) {
    divideByTransposed(*choleskyAbove(block, 0), matrix);
    return;
  }
  double largest = 0;
  for (const double* entry = block.data(); entry < block.data() + n * n; ++entry) {
    const double magnitude = std::abs(*entry);
    if (magnitude > largest) largest = magnitude;
  }
  const double most = static_cast<double>(n) * largest;
  if (floor > leastVariance(most) && multiplyByInverseRoot(block, floor, matrix)) return;
  const Eigen::VectorXd variances = multiplyByEigenvectors(block, matrix);
  const double least = leastVariance(variances.maxCoeff());
  for (Eigen::Index j = 0; j < variances.size(); ++j) {
    const double variance = std::max(variances[j], floor);
    matrix.col(j) *= variance > least ? 1 / std::sqrt(variance) : 0.0;
  }
}

Eigen::MatrixXd ridgedWhitener(const Eigen::MatrixXd& block, double ridge) {
  const Eigen::Index n = block.rows();
  // The trace bounds the largest variance, as none is negative.
  const double least = leastVariance(block.trace());
  if (n > 0 && choleskyAbove(block, least - ridge)) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Identity(n, n);
    divideByTransposed(*choleskyAbove(block, -ridge), result);
    return result;
  }
  return whitener(block, [&](double variance) { return variance + ridge; });
}

}  // namespace pm
