#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/record.hpp"

namespace pm {

/// `eigenvector-sampling`: k orthonormal directions of the feature block C, in units of the squared
/// row norm, drawn in turn: each has density proportional to exp(kappa u^T C u) on the unit sphere
/// orthogonal to the released previous ones (the exponential mechanism; Amin et al. 2019, algorithm
/// 2, with an exact sampler and the exponent that the sensitivity allows). Each is released with a
/// value with discrete Laplace noise. Proofs: docs/mechanisms/eigenvector-sampling.md.

/// plan.own.
struct EigenvectorNoise {
  std::uint64_t w;  ///< the Laplace noise on a value has the scale 16 w, grid units
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
                  .numerics = Numerics::kExact,
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

/// With the methods that release eigenvalues first, the most rows of a release: their error in
/// doubles, which the noise pays for, grows with the rows.
constexpr std::uint64_t kMaxRowsOfEigenvalues = std::uint64_t{1} << 22;

/// The parameters of the noise of a run. Lengths are in units of the squared row norm.
struct EigenBudget {
  EigenMethod method;
  int components;                  ///< k
  int bits;                        ///< b of the row grid
  double directions;               ///< epsilon of all draws together
  double kappa;                    ///< exponent per unit of epsilon
  std::uint64_t w;                 ///< the Laplace noise on a value has the scale 16 w, grid units
  std::uint64_t eigenvalue_error;  ///< that the noise pays for, of each eigenvalue, grid units

  double valueScale() const;  ///< 16 w
};

/// The budget of a plan on a grid of `bits`. One draw at kappa = c has pure epsilon
/// c (lambda_max - lambda_min)(C - C'), so c = epsilon/2 under replace-one and epsilon under
/// add-remove. One neighbour step moves the values by at most 1 in total, by 2 under replace-one
/// with k > 1, and by what rounding adds.
EigenBudget eigenBudget(const MechanismParams& params, int bits);

/// Noisy values, largest first, in grid units, and their directions, each D multiples of
/// 2^-kDirectionBits.
struct NoisyEigenpairs {
  std::vector<Int128> values;
  std::vector<double> directions;
};

/// The mechanism on exact totals: packed, see ExactGram::totals, of D features.
/// Precondition: 1 <= budget.components <= D
NoisyEigenpairs noisyEigenpairs(std::span<const Int128> totals, int dimension,
                                const EigenBudget& budget, Drbg& random);

/// Shares of a budget, proportional to sqrt(max(value + tau, 0)), with sum 1; equal if all are 0.
/// Source: Amin et al. 2019, corollary 1.
std::vector<double> adaptiveShares(std::span<const double> values, double tau);

}  // namespace pm
