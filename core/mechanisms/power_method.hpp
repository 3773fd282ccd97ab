#pragma once

#include <cstdint>
#include <span>

#include "core/mechanisms/gaussian.hpp"

namespace pm {

/// `power-method`: L rounds of Y = C V + noise, V = orth(Y), on the D x D matrix C of the integer
/// rows q, |q|^2 <= 2^2b, without the constant coordinate. V is computed from the public results of
/// earlier rounds, so it may be rounded: it is an integer matrix in units of 2^-kBasisBits, C V is
/// an exact integer product, rounded down to grid units, and each entry gets independent noise
/// N_Z(0, (16 w)^2), w = GaussianNoise::w_diagonal. plan.sensitivity_squared is the squared
/// sensitivity of all L rounds together. Proof: docs/mechanisms/power-method.md.
/// Matrices are D x k, column by column.

constexpr int kBasisBits = 32;

/// The most rows for powerStep: sums of products of 2^84 and 2^33 stay far below the limit of
/// Int128.
constexpr std::uint64_t kMaxRowsOfPowerStep = std::uint64_t{1} << 40;

inline constexpr OptionOf<int> kRounds = {
    {.name = "rounds", .least = 1, .most = 100, .fallback = 3}};
inline constexpr const Option* kPowerMethodOptions[] = {&kRounds};
inline constexpr OptionWords kPowerMethodOptionWords[] = {{"Number of rounds of the iteration."}};

/// L = kRounds of params.options, k = params.components. mu-GDP over the adaptive composition of
/// the L rounds (Dong, Roth, Su 2022), each costing mu/sqrt L, listed in guarantee.parts.
/// Errors: those of planGaussian; kInvalidComponents; kInvalidMechanism (rounds).
/// Sources: Hardt, Roth 2013; Hardt, Price 2014 (the iteration, not the scale).
Result<Plan> planPowerMethod(const MechanismParams& params);

inline constexpr MechanismRecord kPowerMethodRecord = {
    .mechanism = {.name = "power-method",
                  .plan = &planPowerMethod,
                  .budget = Budget::kApproximate,
                  .numerics = Numerics::kExact,
                  .directions = Directions{.needs_count = true,
                                           .fewer_than_features = false,
                                           .with_values = true,
                                           .ordered = true},
                  .options = kPowerMethodOptions},
    .title = "Power method",
    .summary = "Finds principal directions by power iteration, with Gaussian noise in each round.",
    .law = "Each round of the iteration that finds the directions adds Gaussian noise.",
    .error_order = "sqrt(d rounds log(1/delta)) / (epsilon gap)",
    .source = "Hardt and Price 2014",
    .option_words = kPowerMethodOptionWords,
};

/// An integer bound on how far, in Frobenius norm, one neighbour step moves the integer matrix that
/// powerStep computes, for every basis that integerBasis can return.
std::uint64_t powerStepSensitivity(int bits, const MechanismParams& params);

/// Orthonormalises `columns` in place (Gram-Schmidt, twice), and rounds them to integers V with
/// |V|_2^2 <= 2^(2 kBasisBits) (1 + 2^-16), which is checked in integers. If the check fails
/// (columns are linearly dependent or not finite), V consists of the first coordinate axes.
void integerBasis(std::span<double> columns, int dimension, std::span<std::int64_t> basis);

/// floor(C V 2^-kBasisBits), exactly; private. `totals` are those of a release: packed, constant
/// coordinate first. At most
/// kMaxRowsOfPowerStep rows.
void powerStep(std::span<const Int128> totals, std::span<const std::int64_t> basis, int dimension,
               std::span<Int128> out);

/// One round: powerStep plus noise.
void powerRound(const Plan& plan, std::span<const Int128> totals,
                std::span<const std::int64_t> basis, Drbg& random, std::span<Int128> out);

/// The rounds, from a random V_0, and then (theta, t) for each component, largest theta first:
/// theta_i and w_i are the eigenpairs of the symmetric part of V_(L-1)^T Y_L, and t_1, ..., t_k is
/// Y_L (w_1 ... w_k), orthonormalised in this order. Released: theta in units of 2^release_shift
/// grid units, t in units of 2^-kDirectionBits.
void releasePowerMethod(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                        std::span<double> out);

}  // namespace pm
