#include "core/mechanisms/eigenvector_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/matrix/multiply.hpp"
#include "core/matrix/order.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/upward.hpp"
#include "core/random/bingham.hpp"
#include "core/random/continuous.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

using Eigen::Index;

// Parameter of the adaptive split; affects utility only.
constexpr double kAdaptiveBeta = 0.05;

// Number of draws that cost privacy: the last of D directions follows from the others.
int costlyDraws(const MechanismParams& params) {
  return std::min(params.components, params.dimension - 1);
}

// Turns the spectrum of C on a subspace into that on the part orthogonal to the vector with
// coordinates x.
// H = I - v v^T, v = (x + s e_1)/sqrt(1 + |x_1|), s the sign of x_1, maps e_1 to -s x, so its other
// columns are an orthonormal basis of the complement.
void restrictToComplement(Spectrum& remaining, std::span<const double> x) {
  const Index q = remaining.values.size(), d = remaining.vectors.rows();
  const Eigen::VectorXd& values = remaining.values;
  Eigen::VectorXd v(q), w(q), image = Eigen::VectorXd::Zero(d);
  const double root = std::sqrt(1 + std::fabs(x[0]));
  double inner = 0;
  for (Index i = 0; i < q; ++i) {
    v[i] = (x[std::size_t(i)] + (i == 0 ? std::copysign(1.0, x[0]) : 0)) / root;
    inner += v[i] * v[i] * values[i];
    for (Index r = 0; r < d; ++r) image[r] += remaining.vectors(r, i) * v[i];
  }
  for (Index i = 0; i < q; ++i) w[i] = values[i] * v[i] - inner / 2 * v[i];
  // H diag(values) H = diag(values) - v w^T - w v^T.
  Eigen::MatrixXd restricted(q - 1, q - 1), basis(d, q - 1);
  for (Index j = 1; j < q; ++j) {
    for (Index i = 1; i < q; ++i) {
      restricted(i - 1, j - 1) = (i == j ? values[i] : 0) - (v[i] * w[j] + w[i] * v[j]);
    }
    for (Index r = 0; r < d; ++r) basis(r, j - 1) = remaining.vectors(r, j) - image[r] * v[j];
  }
  const Spectrum inside = spectrum(restricted);
  remaining = {inside.values, multiply(basis, inside.vectors)};
}

double laplaceOnGrid(const MechanismParams& params, int bits) {
  return std::ldexp(eigenBudget(params, bits).value_scale, 2 * bits);
}

// Theorems 1 to 3 of docs/mechanisms/eigenvector-sampling.md.
void certify(Plan& plan, const EigenBudget& budget) {
  const MechanismParams& p = plan.params;
  Guarantee& g = plan.guarantee = guaranteeFor(p, Numerics::kIdealized);
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
  const Index d = plan.params.dimension;
  Eigen::MatrixXd scatter(d, d);
  featureBlock(plan, totals, {scatter.data(), std::size_t(d * d)});
  const Spectrum noisy = noisyEigenpairs(scatter, eigenBudget(plan.params, plan.bits), random);
  wipe(scatter);
  for (std::size_t i = 0, stride = std::size_t(d) + 1; i * stride < out.size(); ++i) {
    out[i * stride] =
        std::nearbyint(std::ldexp(noisy.values[Index(i)], 2 * plan.bits - plan.release_shift));
    releaseDirection({noisy.vectors.data() + Index(i) * d, std::size_t(d)},
                     out.subspan(i * stride + 1, std::size_t(d)));
  }
}

}  // namespace

EigenBudget eigenBudget(const MechanismParams& params, int bits) {
  const bool replace = params.neighbours == Neighbours::kReplaceOne;
  const double d = params.dimension;
  // Truncation moves each entry of a participant's average by less than one grid unit.
  const double slack =
      params.unit == Unit::kParticipant ? 1 + std::ldexp(2 * d * std::sqrt(d), -2 * bits) : 1;
  const double directions = costlyDraws(params) > 0 ? params.epsilon / 2 : 0;
  const double sensitivity = slack * (replace && params.components > 1 ? 2 : 1);
  return {params.options[kEigenMethod], params.components, directions,
          1 / (slack * (replace ? 2 : 1) * kScaleMargin),
          sensitivity * kScaleMargin / (params.epsilon - directions)};
}

std::vector<double> adaptiveShares(std::span<const double> values, double tau) {
  std::vector<double> shares;
  for (const double value : values) shares.push_back(std::sqrt(std::max(value + tau, 0.0)));
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share = sum > 0 ? share / sum : 1 / double(shares.size());
  return shares;
}

Eigen::MatrixXd drawDirections(Spectrum remaining, std::span<const double> kappas, Drbg& random) {
  const Index d = remaining.values.size();
  Eigen::MatrixXd directions = Eigen::MatrixXd::Zero(d, Index(kappas.size()));
  std::vector<double> alphas, x;
  for (std::size_t i = 0; i < kappas.size(); ++i) {
    const Index q = remaining.values.size();
    alphas.resize(std::size_t(q));
    x.resize(std::size_t(q));
    for (Index j = 0; j < q; ++j) {
      alphas[std::size_t(j)] = kappas[i] * (remaining.values[0] - remaining.values[j]);
    }
    sampleBingham(alphas, random, x);
    for (Index j = 0; j < q; ++j) {
      for (Index r = 0; r < d; ++r) {
        directions(r, Index(i)) += remaining.vectors(r, j) * x[std::size_t(j)];
      }
    }
    if (i + 1 < kappas.size()) restrictToComplement(remaining, x);
  }
  wipe(remaining.vectors);
  return directions;
}

Spectrum noisyEigenpairs(const Eigen::MatrixXd& scatter, const EigenBudget& budget, Drbg& random) {
  const std::size_t k = std::size_t(budget.components);
  const Index d = scatter.rows();
  Spectrum exact = spectrum(scatter);
  std::vector<double> values(k);
  const bool values_first = budget.method != EigenMethod::kRayleigh;
  if (values_first) {
    for (std::size_t i = 0; i < k; ++i) {
      values[i] = exact.values[Index(i)] + budget.value_scale * standardLaplace(random);
    }
  }
  const std::size_t costly = std::min(k, std::size_t(d - 1));
  std::vector<double> kappas(costly, 1 / double(costly));
  if (budget.method == EigenMethod::kAdaptive) {
    const double tau = budget.value_scale * std::log(2 * double(k) / kAdaptiveBeta);
    kappas = adaptiveShares(std::span(values).first(costly), tau);
  }
  for (double& kappa : kappas) kappa *= budget.directions * budget.kappa;
  kappas.resize(k);
  const Eigen::MatrixXd directions = drawDirections(std::move(exact), kappas, random);
  if (!values_first) {
    for (std::size_t i = 0; i < k; ++i) {
      double quotient = 0;
      for (Index c = 0; c < d; ++c) {
        double image = 0;
        for (Index r = 0; r < d; ++r) image += scatter(r, c) * directions(r, Index(i));
        quotient += image * directions(c, Index(i));
      }
      values[i] = quotient + budget.value_scale * standardLaplace(random);
    }
  }
  const std::vector<int> order = descendingOrder({values.data(), k});
  Spectrum noisy{Eigen::VectorXd(Index(k)), Eigen::MatrixXd(d, Index(k))};
  for (std::size_t i = 0; i < k; ++i) {
    noisy.values[Index(i)] = values[std::size_t(order[i])];
    for (Index r = 0; r < d; ++r) noisy.vectors(r, Index(i)) = directions(r, order[i]);
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
  const double scale = laplaceOnGrid(params, plan.bits);
  plan.own_parameters = OwnParameters(EigenvectorNoise{scale});
  setComponentsGrid(plan, params.components, sd(plan.bits));
  certify(plan, budget);
  plan.distribution = "bingham-laplace";
  plan.sampler = "bingham-acg/1";
  plan.facts = {
      Fact::of("kappaPerEpsilon", budget.kappa),
      Fact::of("directionsEpsilon", budget.directions),
      Fact::of("laplaceScale", scale),
  };
  plan.release = &releaseEigenpairs;
  return planned;
}

}  // namespace pm
