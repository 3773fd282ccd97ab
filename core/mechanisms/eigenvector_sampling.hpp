#pragma once

#include <Eigen/Core>
#include <span>
#include <string_view>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/record.hpp"

namespace pm {

/// `eigenvector-sampling`: k orthonormal directions of the feature block C, in units of the squared
/// row norm, drawn in turn: each has density proportional to exp(kappa u^T C u) on the unit sphere
/// orthogonal to the previous ones (the exponential mechanism; Amin et al. 2019, algorithm 2, with
/// an exact sampler and the exponent that the sensitivity allows). Each is released with a value
/// with Laplace noise. Proofs: docs/mechanisms/eigenvector-sampling.md.

/// plan.own.
struct EigenvectorNoise {
  double scale;  ///< of the Laplace noise on a value, grid units
};

/// How the budget is spent.
enum class EigenMethod {
  kRayleigh,  ///< directions first, then their Rayleigh quotients (IT-R)
  kUniform,   ///< eigenvalues first, then equal shares for the directions (IT-U)
  kAdaptive,  ///< eigenvalues first, then shares by the noisy eigenvalues (AD)
};

inline constexpr std::string_view kEigenMethods[] = {"rayleigh", "uniform", "adaptive"};
inline constexpr OptionOf<EigenMethod> kEigenMethod = {
    {.name = "method", .choices = kEigenMethods}};
inline constexpr const Option* kEigenvectorOptions[] = {&kEigenMethod};
inline constexpr OptionWords kEigenvectorOptionWords[] = {
    {"How the budget is spent (docs/mechanisms/eigenvector-sampling.md).", "EigenMethod"}};

/// The guarantee is pure; a requested delta is not used. Half of epsilon is spent on the
/// directions, half on the values; all of it on the value if there is only one feature.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidDimension, kInvalidRowNorm, kInvalidComponents,
/// kNoiseTooLarge.
Result<Plan> planEigenvectorSampling(const MechanismParams& params);

inline constexpr MechanismRecord kEigenvectorSamplingRecord = {
    .mechanism = {.name = "eigenvector-sampling",
                  .plan = &planEigenvectorSampling,
                  .budget = Budget::kPure,
                  .numerics = Numerics::kIdealized,
                  .directions = Directions{.needs_count = false,
                                           .fewer_than_features = false,
                                           .with_values = true,
                                           .ordered = true},
                  .options = kEigenvectorOptions},
    .title = "Eigenvector sampling",
    .summary =
        "Draws principal directions one by one, with their variances. For few rows and delta 0.",
    .law =
        "Each direction is drawn at random: the more the rows spread along it, the likelier it "
        "is.",
    .error_order = "sqrt(d components / (epsilon gap))",
    .source = "Amin, Dick, Kulesza, Muñoz Medina and Vassilvitskii 2019",
    .option_words = kEigenvectorOptionWords,
};

/// The parameters of the noise of a run. Lengths are in units of the squared row norm.
struct EigenBudget {
  EigenMethod method;
  int components;      ///< k
  double directions;   ///< epsilon of all draws together
  double kappa;        ///< exponent per unit of epsilon
  double value_scale;  ///< scale of the Laplace noise on a value
};

/// The budget of a plan on a grid of `bits`. One draw at kappa = c has pure epsilon
/// c (lambda_max - lambda_min)(C - C'), so c = epsilon/2 under replace-one and epsilon under
/// add-remove. One neighbour step moves the values by at most 1 in total, by 2 under replace-one
/// with k > 1.
EigenBudget eigenBudget(const MechanismParams& params, int bits);

/// The mechanism on a plain matrix: noisy values, largest first, and their directions.
/// @param scatter symmetric, D x D, 1 <= budget.components <= D
Spectrum noisyEigenpairs(const Eigen::MatrixXd& scatter, const EigenBudget& budget, Drbg& random);

/// Shares of a budget, proportional to sqrt(max(value + tau, 0)), with sum 1; equal if all are 0.
/// Source: Amin et al. 2019, corollary 1.
std::vector<double> adaptiveShares(std::span<const double> values, double tau);

/// k orthonormal directions (D x k), drawn in turn from exp(kappas_i u^T C u) on the complement of
/// the previous ones; a D-th one is determined up to its sign.
/// @param remaining the spectrum of C
/// @param kappas k of them, >= 0
Eigen::MatrixXd drawDirections(Spectrum remaining, std::span<const double> kappas, Drbg& random);

}  // namespace pm
