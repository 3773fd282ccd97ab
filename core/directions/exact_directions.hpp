#pragma once

#include <cstdint>
#include <span>

#include "core/directions/eigenbasis.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// Directions and subspaces of R^D drawn from the exponential mechanism, rounded exactly: what is
/// returned is the multiple of a unit that is nearest to a real number with the stated law, however
/// many digits of random numbers that takes. Proofs: docs/exact-noise.md.

/// Multiples of 2^-kProjectionBits are the entries of a released projection, before directions are
/// computed of it: finer than the directions.
constexpr int kProjectionBits = 20;

/// The largest exponent per squared row norm that mechanisms ask for: beyond it a direction differs
/// from an eigenvector by less than the last bit.
constexpr double kMaxKappa = 0x1p36;

/// A unit vector u of the basis's subspace with density proportional to exp(kappa u^T C u) relative
/// to the uniform law. Precondition: 0 <= kappa <= kMaxKappa.
/// @param out D multiples of 2^-kDirectionBits, the nearest ones
/// @param undecided increased by the decisions and roundings that first words left open
void drawDirection(const Eigenbasis& basis, double kappa, Drbg& random, std::span<double> out,
                   std::uint64_t& undecided);

/// The projection P onto a subspace of k dimensions with density proportional to exp(kappa tr P C)
/// relative to the uniform law. Preconditions: as above; 1 <= k < D; no direction has been left.
/// @param out upper triangle of P, row by row, multiples of 2^-kProjectionBits, the nearest ones
void drawSubspace(const Eigenbasis& basis, int k, double kappa, Drbg& random, std::span<double> out,
                  std::uint64_t& undecided);

}  // namespace pm
