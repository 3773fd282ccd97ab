#include "core/analysis/checks.hpp"

#include <cmath>
#include <string>

namespace pm {
namespace {

bool finiteAndPositive(double value) { return std::isfinite(value) && value > 0; }

bool finiteAndNotNegative(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

Status checkMatrix(const Eigen::MatrixXd& matrix, const char* field) {
  if (matrix.size() == 0) {
    return Error{Code::kInvalidDimension, "There are no features to analyse.", field};
  }
  if (matrix.rows() != matrix.cols()) {
    return Error{Code::kWrongLength, "The matrix is not square.", field};
  }
  if (!matrix.allFinite()) {
    return Error{Code::kNotFinite, "The matrix holds a number that is not finite.", field};
  }
  return {};
}

Status checkNoise(const NoiseLaw& noise) {
  if (!finiteAndNotNegative(noise.diagonal) || !finiteAndNotNegative(noise.offDiagonal)) {
    return Error{Code::kInvalidNoise, "A noise standard deviation must be finite and not negative.",
                 "noise"};
  }
  return {};
}

Status checkHalf(const Eigen::VectorXd& half, Eigen::Index dimension) {
  if (half.size() != dimension) {
    return Error{Code::kWrongLength,
                 "Expected one half-range for each of " + std::to_string(dimension) +
                     " features, but there are " + std::to_string(half.size()) + ".",
                 "half"};
  }
  for (Eigen::Index i = 0; i < dimension; ++i) {
    if (finiteAndPositive(half[i])) continue;
    return Error{Code::kInvalidBounds,
                 "The half-range of feature " + std::to_string(i) + " must be finite and positive.",
                 "half"};
  }
  return {};
}

Status checkTraceBound(double bound) {
  if (!finiteAndPositive(bound)) {
    return Error{Code::kInvalidRowNorm, "The bound on the trace must be finite and positive.",
                 "bound"};
  }
  return {};
}

Status checkComponents(int components, Eigen::Index largest) {
  if (components < 1 || components > largest) {
    return Error{Code::kInvalidComponents,
                 "Components must be between 1 and " + std::to_string(largest) + ", but are " +
                     std::to_string(components) + ".",
                 "components"};
  }
  return {};
}

}  // namespace pm
