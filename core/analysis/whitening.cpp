#include "core/analysis/whitening.hpp"

#include <cmath>

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

Eigen::MatrixXd ridgedWhitener(const Eigen::MatrixXd& block, double ridge) {
  return whitener(block, [&](double variance) { return variance + ridge; });
}

}  // namespace pm
