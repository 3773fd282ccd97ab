#include "core/mechanisms/eigenvector_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/directions/eigenbasis.hpp"
#include "core/directions/exact_directions.hpp"
#include "core/matrix/order.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/power_method.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/upward.hpp"
#include "core/random/discrete_laplace.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr std::size_t kSpareNoise = 64;

// Parameter of the adaptive split; affects utility only.
constexpr double kAdaptiveBeta = 0.05;

// Number of draws that cost privacy: the last of D directions follows from the others.
int costlyDraws(const MechanismParams& params) {
  return std::min(params.components, params.dimension - 1);
}

double laplaceOnGrid(const MechanismParams& params, int bits) {
  return 16 * double(eigenBudget(params, bits).w);
}

/// floor(v^T C v 2^-2 kBasisBits) but for the rounding of C v, for each column of `basis`.
void addQuotients(std::span<const Int128> totals, std::span<const std::int64_t> basis,
                  int dimension, std::span<Int128> values) {
  const std::size_t d = std::size_t(dimension);
  std::vector<Int128> images(basis.size());
  powerStep(totals, basis, dimension, images);
  for (std::size_t i = 0; i < values.size(); ++i) {
    Int128 sum = 0;
    for (std::size_t r = 0; r < d; ++r) sum += images[i * d + r] * basis[i * d + r];
    values[i] += sum >> kBasisBits;
  }
  wipe(images);
}

// Theorems 1 to 3 of docs/mechanisms/eigenvector-sampling.md.
void certify(Plan& plan, const EigenBudget& budget) {
  const MechanismParams& p = plan.params;
  Guarantee& g = plan.guarantee = guaranteeFor(p, Numerics::kExact);
  setPure(g, p.epsilon);
  const auto part = [&](const char* what, double epsilon, double gdp, double zcdp) {
    g.parts.push_back({what, epsilon, 0, gdp, zcdp});
  };
  const double draws = costlyDraws(p);
  if (draws > 0) {
    const double all = budget.directions;
    // All that is known about the adaptive shares is their sum, 1; the worst case is one draw with
    // the whole budget.
    const double equal = p.options[kEigenMethod] == EigenMethod::kAdaptive ? 1 : draws;
    const double steps = productUp(rootUp(equal), gdpOfPure(quotientUp(all, equal)));
    part("directions", all, std::min(gdpOfPure(all), steps),
         quotientUp(productUp(all, all), 8 * equal));
  }
  const double rest = p.epsilon - budget.directions;
  part("values", rest, gdpOfPure(rest), productUp(rest, rest) / 2);
  double gdp_squared = 0, zcdp = 0;
  for (const Part& step : g.parts) {
    gdp_squared = sumUp(gdp_squared, productUp(step.gdp, step.gdp));
    zcdp = sumUp(zcdp, step.zcdp);
  }
  g.gdp = std::min(g.gdp, rootUp(gdp_squared));
  g.zcdp = zcdp;
}

void releaseEigenpairs(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                       std::span<double> out) {
  const std::size_t d = std::size_t(plan.params.dimension);
  const NoisyEigenpairs noisy =
      noisyEigenpairs(totals, plan.params.dimension, eigenBudget(plan.params, plan.bits), random);
  for (std::size_t i = 0; i < noisy.values.size(); ++i) {
    out[i * (d + 1)] = releasedInteger(plan, noisy.values[i], 0);
    std::copy_n(noisy.directions.begin() + std::ptrdiff_t(i * d), d,
                out.begin() + std::ptrdiff_t(i * (d + 1) + 1));
  }
}

}  // namespace

double EigenBudget::valueScale() const { return std::ldexp(16 * double(w), -2 * bits); }

EigenBudget eigenBudget(const MechanismParams& params, int bits) {
  const bool replace = params.neighbours == Neighbours::kReplaceOne;
  const bool averages = params.unit == Unit::kParticipant;
  const std::uint64_t d = std::uint64_t(params.dimension), k = std::uint64_t(params.components);
  const EigenMethod method = params.options[kEigenMethod];
  // Truncation moves each entry of a participant's average by less than one grid unit.
  const double slack =
      averages ? 1 + std::ldexp(2 * double(d) * std::sqrt(double(d)), -2 * bits) : 1;
  const double directions = costlyDraws(params) > 0 ? params.epsilon / 2 : 0;

  const std::uint64_t root = ceilSqrt(d);
  std::uint64_t sensitivity = std::uint64_t{1} << (2 * bits);
  if (averages) sensitivity += 2 * d * root;
  if (replace && k > 1) sensitivity *= 2;
  std::uint64_t error = 0;
  if (method == EigenMethod::kRayleigh) {
    sensitivity += (sensitivity >> 16) + 1;  // |V|_2^2 <= 1 + 2^-16
    sensitivity += k * (root + 2);           // roundings of C V and of the quotients
  } else {
    error = eigenvalueError(params.dimension, bits, averages ? 1 : kMaxRowsOfEigenvalues);
    sensitivity += 2 * k * (error + 1);
  }
  return {.method = method,
          .components = params.components,
          .bits = bits,
          .directions = directions,
          .kappa = 1 / (slack * (replace ? 2 : 1) * kScaleMargin),
          .w = laplaceWidth(params.epsilon - directions, sensitivity),
          .eigenvalue_error = error};
}

std::vector<double> adaptiveShares(std::span<const double> values, double tau) {
  std::vector<double> shares;
  for (const double value : values) shares.push_back(std::sqrt(std::max(value + tau, 0.0)));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = sum > 0 ? share / sum : 1 / double(shares.size());
  return shares;
}

NoisyEigenpairs noisyEigenpairs(std::span<const Int128> totals, int dimension,
                                const EigenBudget& budget, Drbg& random) {
  const std::size_t k = std::size_t(budget.components), d = std::size_t(dimension);
  Eigenbasis basis(totals.subspan(d + 1), dimension, budget.bits);
  // More than are needed, so that the time they take says less about them.
  std::vector<Int128> noise(k + kSpareNoise), values(k);
  fillDiscreteLaplace(budget.w, noise.data(), noise.size(), random);
  std::copy_n(noise.begin(), k, values.begin());
  wipe(noise);
  const bool values_first = budget.method != EigenMethod::kRayleigh;
  if (values_first) basis.addValues(budget.eigenvalue_error, values);
  const std::size_t costly = std::min(k, d - 1);
  std::vector<double> kappas(costly, 1 / double(costly));
  if (budget.method == EigenMethod::kAdaptive) {
    const double tau = budget.valueScale() * std::log(2 * double(k) / kAdaptiveBeta);
    std::vector<double> found(costly);
    for (std::size_t i = 0; i < costly; ++i) {
      found[i] = std::ldexp(double(values[i]), -2 * budget.bits);
    }
    kappas = adaptiveShares(found, tau);
  }
  for (double& kappa : kappas)
    kappa = std::min(kappa * budget.directions * budget.kappa, kMaxKappa);
  kappas.resize(k);
  std::vector<double> directions(k * d);
  std::uint64_t undecided = 0;
  for (std::size_t i = 0; i < k; ++i) {
    const std::span<double> direction = std::span(directions).subspan(i * d, d);
    drawDirection(basis, kappas[i], random, direction, undecided);
    if (i + 1 < k) basis.leave(direction);
  }
  if (!values_first) {
    std::vector<double> columns = directions;
    std::vector<std::int64_t> orthonormal(columns.size());
    integerBasis(columns, dimension, orthonormal);
    addQuotients(totals, orthonormal, dimension, values);
  }
  const std::vector<double> keys(values.begin(), values.end());
  NoisyEigenpairs noisy;
  for (const int i : descendingOrder({keys.data(), k})) {
    noisy.values.push_back(values[std::size_t(i)]);
    const auto first = directions.begin() + std::ptrdiff_t(std::size_t(i) * d);
    noisy.directions.insert(noisy.directions.end(), first, first + std::ptrdiff_t(d));
  }
  return noisy;
}

Result<Plan> planEigenvectorSampling(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  if (const Status wrong = checkDirections(params)) return *wrong;
  const auto sd = [&](int bits) { return std::numbers::sqrt2 * laplaceOnGrid(params, bits); };
  Result<Plan> planned = planOnGrid(params, 0x1p58, sd);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const EigenBudget budget = eigenBudget(params, plan.bits);
  plan.own_parameters = OwnParameters(EigenvectorNoise{budget.w});
  setComponentsGrid(plan, params.components, sd(plan.bits));
  plan.max_rows =
      std::min(plan.max_rows, budget.method == EigenMethod::kRayleigh ? kMaxRowsOfPowerStep
                                                                      : kMaxRowsOfEigenvalues);
  certify(plan, budget);
  plan.distribution = "bingham-discrete-laplace";
  plan.sampler = "lazy-bingham/1";
  plan.facts = {
      Fact::of("kappaPerEpsilon", budget.kappa),
      Fact::of("directionsEpsilon", budget.directions),
      Fact::exactly("w", budget.w),
  };
  plan.release = &releaseEigenpairs;
  return planned;
}

}  // namespace pm
