#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/published/registry.hpp"

namespace pm {

/// `output-perturbation`: ridge regression of the last column on the others, its weights plus noise
/// of density proportional to exp(-epsilon |b|/Delta) (Chaudhuri, Monteleoni, Sarwate 2011,
/// algorithm 1). Claimed: pure epsilon, for losses with a bounded derivative, which the squared
/// loss does not have. Here it holds for replacing one row (x, y) of length at most 1, with a
/// public number of rows n and with the Delta of the squared loss on such rows. Returns d - 1
/// weights.
Eigen::MatrixXd outputPerturbation(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                                   Drbg& random);
/// Pure epsilon under replace-one; nothing under add-remove, where n is not public.
std::optional<Guarantee> outputPerturbationGuarantee(const PublishedParams& params);

/// The minimiser of (1/n) sum (w^T x - y)^2/2 + penalty |w|^2.
Eigen::MatrixXd ridgeWeights(const Eigen::MatrixXd& scatter, double rows, double penalty);

/// How far replacing one row can move the minimiser.
struct RidgeSensitivity {
  double weights;   ///< R = 1/(2 sqrt(2 penalty)) bounds the length of the minimiser
  double gradient;  ///< G = (R + sqrt(R^2 + 1))/2 bounds the gradient of one row's loss there
  double distance;  ///< Delta = G/(n penalty)
};
RidgeSensitivity ridgeSensitivity(double rows, double penalty);

}  // namespace pm
