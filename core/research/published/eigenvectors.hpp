#pragma once

#include <Eigen/Core>
#include <optional>

#include "core/research/published/registry.hpp"

namespace pm {

/// Kapralov and Talwar 2013: k times a direction v from exp(kappa v^T C v) on the whole sphere, its
/// noisy Rayleigh quotient l, and C <- C - l v v^T. Claimed: pure epsilon. Holds: each of the 2k
/// steps has epsilon/(2k), and kappa is half of that under replace-one and all of it under
/// add-remove, as a step subtracts released quantities only. Returns sum l v v^T. Their own sampler
/// is approximate; here the draw is exact. l is clamped to [0, n] under replace-one; under
/// add-remove n is private, and l is clamped to be at least 0.
Eigen::MatrixXd kapralovTalwar(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random);
std::optional<Guarantee> kapralovTalwarGuarantee(const PublishedParams& params);

/// The parameters of one round: its epsilon, kappa, and the scale of the Laplace noise.
struct KapralovTalwarStep {
  double epsilon;
  double kappa;
  double value_scale;
};
KapralovTalwarStep kapralovTalwarStep(const PublishedParams& params);

/// Amin, Dick, Kulesza, Munoz Medina, Vassilvitskii 2019, the adaptive split (AD): all noisy
/// eigenvalues with epsilon/2, then D directions at kappa_i = epsilon_i/4, the epsilon_i summing to
/// epsilon/2. Claimed: pure epsilon for one record replaced. Holds with a margin: the score u^T C u
/// changes by at most 1, not 2, so the directions cost half of their budget. True cost: 3/4 epsilon
/// under replace-one, 3/8 epsilon under add-remove. Returns sum value v v^T.
Eigen::MatrixXd aminIterative(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                              Drbg& random);
std::optional<Guarantee> aminIterativeGuarantee(const PublishedParams& params);

/// tau of their corollary 1, by default with beta = 0.05: (2/epsilon_0) ln(2D/beta), epsilon_0 =
/// epsilon/2.
double aminTau(double epsilon, Eigen::Index dimension, double beta = 0.05);

}  // namespace pm
