#pragma once

#include <span>

#include "core/mechanisms/record.hpp"

namespace pm {

/// `ppca`: k directions V (D x k, orthonormal) with density proportional to
/// exp(kappa tr V^T C V), C the D x D feature block in units of the squared row norm; kappa is
/// PpcaDraws::kappa. Chaudhuri, Sarwate, Sinha 2013; McSherry, Talwar 2007.
/// docs/mechanisms/ppca.md.
///
/// If one draw is feasible for every C (ppcaIsExact), it is made, its projection V V^T is rounded,
/// and the directions are computed of the rounded projection alone, so that their order says
/// nothing. Otherwise PpcaDraws::sequential: k draws of one direction each, orthogonal to the
/// released previous ones, with epsilon/k each. Delta is always 0.

/// plan.own.
struct PpcaDraws {
  double kappa;
  bool sequential;
};

/// Errors: those of checkParams and checkDirections; kInvalidComponents also for k = D, where the
/// subspace is the whole space.
Result<Plan> planPpca(const MechanismParams& params);

inline constexpr MechanismRecord kPpcaRecord = {
    .mechanism = {.name = "ppca",
                  .plan = &planPpca,
                  .budget = Budget::kPure,
                  .numerics = Numerics::kExact,
                  .directions = Directions{.needs_count = true,
                                           .fewer_than_features = true,
                                           .with_values = false,
                                           .ordered = false}},
    .title = "PPCA",
    .summary = "Draws one principal subspace, without variances.",
    .law =
        "The directions are drawn together at random: the more the rows spread along them, the "
        "likelier they are.",
    .error_order = "sqrt(d / (epsilon gap))",
    .source = "Chaudhuri, Sarwate and Sinha 2013",
};

/// Whether one draw of k of d directions is feasible. Depends on d and k alone, as switching after
/// seeing rejections would depend on the data: true if the limit of the acceptance rate at high
/// concentration, with k' = min(k, d - k), is at least 10^-4.5. It is 1 for k' <= 1.
bool ppcaIsExact(int d, int k);

/// kappa for `epsilon` in one draw: epsilon/2 under replace-one, epsilon under add-remove, both
/// reduced for the truncation of averages under unit participant.
double ppcaKappa(const MechanismParams& params, double epsilon, int bits);

/// k orthonormal directions of D multiples of 2^-kDirectionBits, for the subspace of k dimensions
/// that a rounded projection (upper triangle, row by row) is nearest to.
void directionsOf(std::span<const double> projection, int dimension, int k, std::span<double> out);

/// Turns integer totals into k directions of D multiples of 2^-kDirectionBits.
void releasePpca(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                 std::span<double> out);

}  // namespace pm
