#include "core/research/published/output_perturbation.hpp"

#include <cmath>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/random/continuous.hpp"

namespace pm {

using Eigen::Index;
using Eigen::MatrixXd;

RidgeSensitivity ridgeSensitivity(double rows, double penalty) {
  const double r = 1 / (2 * std::sqrt(2 * penalty));
  const double g = (r + std::sqrt(r * r + 1)) / 2;
  return {r, g, g / (rows * penalty)};
}

MatrixXd ridgeWeights(const MatrixXd& scatter, double rows, double penalty) {
  const Index p = scatter.rows() - 1;
  const Spectrum s = spectrum(scatter.topLeftCorner(p, p));
  MatrixXd along = multiplyTransposed(s.vectors, scatter.topRightCorner(p, 1));
  for (Index i = 0; i < p; ++i) along(i, 0) /= s.values[i] + 2 * penalty * rows;
  return multiply(s.vectors, along);
}

MatrixXd outputPerturbation(const MatrixXd& scatter, const PublishedParams& params, Drbg& random) {
  MatrixXd weights = ridgeWeights(scatter, params.rows, params.penalty);
  MatrixXd direction(weights.rows(), 1);
  for (Index i = 0; i < weights.rows(); ++i) direction(i, 0) = standardNormal(random);
  const double scale = ridgeSensitivity(params.rows, params.penalty).distance / params.epsilon;
  const double radius = scale * standardGamma(double(weights.rows()), random);
  return weights + radius / direction.norm() * direction;
}

std::optional<Guarantee> outputPerturbationGuarantee(const PublishedParams& params) {
  if (params.neighbours != Neighbours::kReplaceOne) return {};
  Guarantee g = guaranteeFor({}, Numerics::kIdealized);
  g.neighbours = params.neighbours;
  setPure(g, params.epsilon);
  return g;
}

}  // namespace pm
