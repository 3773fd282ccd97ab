#include "core/mechanisms/ppca.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/directions/exact_directions.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"
#include "core/random/exact_bingham.hpp"

namespace pm {
namespace {

// Below this an unlucky spectrum could take minutes in a browser.
constexpr double kLeastLogAcceptance = -4.5 * std::numbers::ln10;

}  // namespace

bool ppcaIsExact(int d, int k) {
  const int smaller = std::min(k, d - k);
  return smaller <= 1 ||
         (smaller - 1) * binghamLimitLogAcceptance(d - smaller + 1) >= kLeastLogAcceptance;
}

double ppcaKappa(const MechanismParams& params, double epsilon, int bits) {
  // Truncation moves each entry of an average by less than 2^-2b, so tr V^T C V by less than
  // sqrt(k) D 2^-2b, for either of two neighbours.
  const double truncation =
      params.unit == Unit::kParticipant
          ? std::ldexp(std::sqrt(double(params.components)) * double(params.dimension), -2 * bits)
          : 0;
  return epsilon / (params.neighbours == Neighbours::kReplaceOne ? 2 : 1) /
         ((1 + 2 * truncation) * kScaleMargin);
}

Result<Plan> planPpca(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  if (const Status wrong = checkDirections(params)) return *wrong;
  const int k = params.components;
  if (k == params.dimension) {
    return Error{Code::kInvalidComponents,
                 "ppca releases a subspace: components must be below the number of features",
                 "components"};
  }
  Plan plan = planAt(params, kFinestBits);
  const bool sequential = !ppcaIsExact(params.dimension, k);
  const int draws = sequential ? k : 1;
  const double each = quotientUp(params.epsilon, draws);
  const double kappa = std::min(ppcaKappa(params, each, plan.bits), kMaxKappa);
  plan.own_parameters = OwnParameters(PpcaDraws{kappa, sequential});
  setComponentsGrid(plan, k, 0);
  plan.distribution = sequential ? "bingham-in-turn" : "matrix-bingham";
  plan.sampler = sequential ? "lazy-bingham/1" : "lazy-matrix-bingham/1";
  plan.facts = {Fact::of("kappa", kappa), Fact::exactly("draws", Uint128(draws))};

  Guarantee& g = plan.guarantee = guaranteeFor(params, Numerics::kExact);
  setPure(g, params.epsilon);
  // The exponential mechanism has bounded range, so its zCDP is epsilon^2/8 instead of epsilon^2/2.
  const double zcdp = productUp(each, each) / 8;
  g.zcdp = productUp(draws, zcdp);
  g.gdp = std::min(g.gdp, productUp(rootUp(draws), gdpOfPure(each)));
  if (!sequential) {
    g.assumes.push_back(
        "nobody can measure how long the draw takes, because the running time of rejection "
        "sampling depends on the rows");
  } else {
    for (int i = 0; i < k; ++i) {
      g.parts.push_back({"direction", each, 0, gdpOfPure(each), zcdp});
    }
  }
  plan.release = &releasePpca;
  return plan;
}

void directionsOf(std::span<const double> projection, int dimension, int k, std::span<double> out) {
  const std::size_t d = std::size_t(dimension), count = std::size_t(k);
  std::vector<double> full(d * d), basis(count * d), left(d);
  const double* entry = projection.data();
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = i; j < d; ++j) full[i * d + j] = full[j * d + i] = *entry++;
    left[i] = full[i * d + i];
  }
  // The columns with the most left of them, then one step of subspace iteration, which averages
  // the roundings of the others.
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t pivot =
        std::size_t(std::max_element(left.begin(), left.end()) - left.begin());
    std::copy_n(&full[pivot * d], d, &basis[c * d]);
    orthonormalise(std::span(basis).first((c + 1) * d), d, c);
    for (std::size_t i = 0; i < d; ++i) {
      left[i] -= basis[c * d + i] * basis[c * d + i] * std::ldexp(1.0, kProjectionBits);
    }
  }
  std::vector<double> images(basis.size());
  for (std::size_t c = 0; c < count; ++c) {
    for (std::size_t j = 0; j < d; ++j) {
      for (std::size_t i = 0; i < d; ++i) images[c * d + i] += full[j * d + i] * basis[c * d + j];
    }
  }
  orthonormalise(images, d, 0);
  releaseDirection(images, out);
}

void releasePpca(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                 std::span<double> out) {
  const int dimension = plan.params.dimension, k = plan.params.components;
  const std::size_t d = std::size_t(dimension);
  const auto [kappa, sequential] = plan.own<PpcaDraws>();
  Eigenbasis basis(totals.subspan(d + 1), dimension, plan.bits);
  std::uint64_t undecided = 0;
  if (sequential) {
    for (int i = 0; i < k; ++i) {
      const std::span<double> direction = out.subspan(std::size_t(i) * d, d);
      drawDirection(basis, kappa, random, direction, undecided);
      if (i + 1 < k) basis.leave(direction);
    }
    return;
  }
  std::vector<double> projection(packedSize(d));
  drawSubspace(basis, k, kappa, random, projection, undecided);
  directionsOf(projection, dimension, k, out);
}

}  // namespace pm
