#include "core/mechanisms/power_method.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/continuous.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr Uint128 kUnitSquared = Uint128(1) << (2 * kBasisBits);

// The tolerance for a basis: 2^-16 in its squared norm.
constexpr Uint128 kLargestNormSquared = kUnitSquared + (kUnitSquared >> 16);

// Up to this many rounds, each is a part of its own.
constexpr int kNamedRounds = 10;

std::string decimal(int n) {
  return (n < 10 ? std::string() : decimal(n / 10)) + char('0' + n % 10);
}

// The squared spectral norm of V is the norm of V^T V, which is at most the largest absolute row
// sum of V^T V.
bool isNearlyOrthonormal(std::span<const std::int64_t> basis, std::size_t d) {
  const std::size_t k = basis.size() / d;
  std::vector<Uint128> row_sums(k);
  for (std::size_t m = 0; m < k; ++m) {
    for (std::size_t l = m; l < k; ++l) {
      Int128 product = 0;
      for (std::size_t i = 0; i < d; ++i) product += Int128(basis[m * d + i]) * basis[l * d + i];
      const Uint128 size = Uint128(product < 0 ? -product : product);
      row_sums[m] += size;
      if (l != m) row_sums[l] += size;
    }
  }
  return *std::max_element(row_sums.begin(), row_sums.end()) <= kLargestNormSquared;
}

// Lists the cost of each round, mu/sqrt L.
void stateParts(Plan& plan) {
  Guarantee& g = plan.guarantee;
  const int rounds = plan.params.options[kRounds];
  const std::uint64_t w = plan.own<GaussianNoise>().w_diagonal;
  const Uint128 squared = plan.sensitivity_squared / unsigned(rounds);  // exactly
  Part part = gaussianPart({}, gaussianMu(squared, w), gaussianRho(squared, w),
                           double(plan.params.dimension) * plan.params.components, g);
  if (rounds > kNamedRounds) {
    part.what = "each of " + decimal(rounds) + " rounds";
    g.parts.push_back(part);
    return;
  }
  for (int i = 1; i <= rounds; ++i) {
    part.what = "round " + decimal(i);
    g.parts.push_back(part);
  }
}

}  // namespace

std::uint64_t powerStepSensitivity(int bits, const MechanismParams& params) {
  const std::uint64_t k = std::uint64_t(params.components), d = std::uint64_t(params.dimension);
  const bool replace = params.neighbours == Neighbours::kReplaceOne;
  std::uint64_t distance = std::uint64_t{1} << (2 * bits);
  // The smallest integer that is at least sqrt 2 times as large.
  if (replace && k > 1) distance = offDiagonalWidth(2 * distance);
  if (replace && params.unit == Unit::kParticipant) distance += 2 * d;  // truncated averages
  distance += (distance >> 17) + 1;                                     // |V|_2 <= 1 + 2^-17
  return distance + ceilSqrt(d * k);  // each entry is rounded down
}

Result<Plan> planPowerMethod(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kApproximate)) return *wrong;
  if (const Status wrong = checkDirections(params)) return *wrong;
  const int rounds = params.options[kRounds];
  if (const Status wrong = checkOption(kRounds, rounds)) return *wrong;
  Result<Plan> planned = calibrateGaussian(params, [&](int bits) {
    const Uint128 one = powerStepSensitivity(bits, params);
    return one * one * unsigned(rounds);
  });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const std::uint64_t w = plan.own<GaussianNoise>().w_diagonal;
  setComponentsGrid(plan, params.components, 16.0 * double(w));
  plan.max_rows = std::min(plan.max_rows, kMaxRowsOfPowerStep);
  certifyGaussian(plan, double(rounds) * params.dimension * params.components);
  stateParts(plan);
  plan.facts.push_back(Fact::exactly("w", w));
  plan.release = &releasePowerMethod;
  return planned;
}

void integerBasis(std::span<double> columns, int dimension, std::span<std::int64_t> basis) {
  const std::size_t d = std::size_t(dimension), k = columns.size() / d;
  orthonormalise(columns, d, 0);
  bool usable = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    usable &= std::fabs(columns[i]) < 2;
    basis[i] = usable ? std::llrint(std::ldexp(columns[i], kBasisBits)) : 0;
  }
  if (usable && isNearlyOrthonormal(basis, d)) return;
  std::fill(basis.begin(), basis.end(), 0);
  for (std::size_t j = 0; j < k; ++j) basis[j * d + j] = std::int64_t{1} << kBasisBits;
}

void powerStep(std::span<const Int128> totals, std::span<const std::int64_t> basis, int dimension,
               std::span<Int128> out) {
  const std::size_t d = std::size_t(dimension);
  std::fill(out.begin(), out.end(), 0);
  for (std::size_t column = 0; column < basis.size(); column += d) {
    const std::int64_t* v = &basis[column];
    Int128* y = &out[column];
    std::size_t entry = d + 1;  // after the row of the constant
    for (std::size_t i = 0; i < d; ++i) {
      y[i] += totals[entry++] * v[i];
      for (std::size_t j = i + 1; j < d; ++j, ++entry) {
        y[i] += totals[entry] * v[j];
        y[j] += totals[entry] * v[i];
      }
    }
    for (std::size_t i = 0; i < d; ++i) y[i] >>= kBasisBits;
  }
}

void powerRound(const Plan& plan, std::span<const Int128> totals,
                std::span<const std::int64_t> basis, Drbg& random, std::span<Int128> out) {
  std::vector<std::int64_t> noise =
      gaussianNoise(plan.own<GaussianNoise>().w_diagonal, out.size(), random);
  powerStep(totals, basis, plan.params.dimension, out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += noise[i];
  wipe(noise.data(), noise.size() * sizeof(std::int64_t));
}

void releasePowerMethod(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                        std::span<double> out) {
  const MechanismParams& p = plan.params;
  const std::size_t d = std::size_t(p.dimension), k = std::size_t(p.components), size = d * k;
  std::vector<double> columns(size);
  std::vector<std::int64_t> basis(size);
  std::vector<Int128> noisy(size);
  for (double& x : columns) x = standardNormal(random);
  for (int round = 0; round < p.options[kRounds]; ++round) {
    integerBasis(columns, p.dimension, basis);
    powerRound(plan, totals, basis, random, noisy);
    for (std::size_t i = 0; i < size; ++i) columns[i] = double(noisy[i]);
  }

  Eigen::MatrixXd quotient(k, k);
  for (std::size_t m = 0; m < k; ++m) {
    for (std::size_t l = 0; l < k; ++l) {
      double sum = 0;
      for (std::size_t i = 0; i < d; ++i) sum += double(basis[m * d + i]) * columns[l * d + i];
      quotient(Eigen::Index(m), Eigen::Index(l)) = std::ldexp(sum, -kBasisBits);
    }
  }
  const Spectrum ritz = spectrum(quotient);
  std::vector<double> turned(size);
  for (std::size_t m = 0; m < k; ++m) {
    for (std::size_t l = 0; l < k; ++l) {
      const double w = ritz.vectors(Eigen::Index(l), Eigen::Index(m));
      for (std::size_t i = 0; i < d; ++i) turned[m * d + i] += w * columns[l * d + i];
    }
  }
  integerBasis(turned, p.dimension, basis);
  for (std::size_t m = 0; m < k; ++m) {
    double* at = &out[m * (d + 1)];
    at[0] = std::nearbyint(std::ldexp(ritz.values[Eigen::Index(m)], -plan.release_shift));
    for (std::size_t i = 0; i < d; ++i) {
      turned[i] = std::ldexp(double(basis[m * d + i]), -kBasisBits);
    }
    releaseDirection(std::span(turned).first(d), out.subspan(m * (d + 1) + 1, d));
  }
}

}  // namespace pm
