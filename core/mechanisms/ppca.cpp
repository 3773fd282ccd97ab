#include "core/mechanisms/ppca.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/matrix_bingham.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

using Eigen::MatrixXd;

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
  // A cap on kappa keeps the exponents finite for enormous epsilon.
  const double kappa = std::min(ppcaKappa(params, each, plan.bits), 0x1p40);
  plan.own_parameters = OwnParameters(PpcaDraws{kappa, sequential});
  setComponentsGrid(plan, k, 0);
  plan.distribution = sequential ? "bingham-in-turn" : "matrix-bingham";
  plan.sampler = sequential ? "bingham-acg/1" : "matrix-bingham/1";
  plan.facts = {Fact::of("kappa", kappa), Fact::exactly("draws", Uint128(draws))};

  Guarantee& g = plan.guarantee = guaranteeFor(params, Numerics::kIdealized);
  setPure(g, params.epsilon);
  // The exponential mechanism has bounded range, so its zCDP is epsilon^2/8 instead of epsilon^2/2.
  const double zcdp = productUp(each, each) / 8;
  g.zcdp = productUp(draws, zcdp);
  g.gdp = std::min(g.gdp, productUp(rootUp(draws), gdpOfPure(each)));
  g.assumes.push_back(
      "nobody can measure how long the draw takes, because the running time of rejection sampling "
      "depends on the rows");
  if (sequential) {
    for (int i = 0; i < k; ++i) {
      g.parts.push_back({"direction", each, 0, gdpOfPure(each), zcdp});
    }
  }
  plan.release = &releasePpca;
  return plan;
}

MatrixXd drawPpca(const MatrixXd& scatter, int k, double kappa, bool sequential, Drbg& random) {
  Spectrum s = spectrum(scatter);
  if (sequential) {
    return drawDirections(std::move(s), std::vector<double>(std::size_t(k), kappa), random);
  }
  // In the eigenbasis: exponents kappa (largest - value), ascending from 0.
  std::vector<double> alphas;
  for (const double value : s.values) alphas.push_back(kappa * (s.values[0] - value));
  const MatrixXd frame = multiply(s.vectors, sampleMatrixBingham(alphas, k, random));
  wipe(s.vectors);
  return frame;
}

void releasePpca(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                 std::span<double> out) {
  const std::size_t d = std::size_t(plan.params.dimension);
  MatrixXd scatter(d, d);
  featureBlock(plan, totals, std::span(scatter.data(), d * d));
  const auto [kappa, sequential] = plan.own<PpcaDraws>();
  const MatrixXd frame = drawPpca(scatter, plan.params.components, kappa, sequential, random);
  wipe(scatter);
  for (std::size_t i = 0; i < std::size_t(plan.params.components); ++i) {
    releaseDirection(std::span(frame.data() + i * d, d), out.subspan(i * d, d));
  }
}

}  // namespace pm
