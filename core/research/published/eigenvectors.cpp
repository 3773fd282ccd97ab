#include "core/research/published/eigenvectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "core/research/idealized/bingham.hpp"

namespace pm {
namespace {

Guarantee pure(const PublishedParams& params, double epsilon) {
  MechanismParams asked{};
  asked.neighbours = params.neighbours;
  asked.unit = Unit::kRow;
  Guarantee g = guaranteeFor(asked, Numerics::kIdealized);
  setPure(g, epsilon);
  return g;
}

bool replaces(const PublishedParams& params) {
  return params.neighbours == Neighbours::kReplaceOne;
}

}  // namespace

KapralovTalwarStep kapralovTalwarStep(const PublishedParams& params) {
  const double epsilon = params.epsilon / (2 * params.components);
  return {epsilon, replaces(params) ? epsilon / 2 : epsilon, 1 / epsilon};
}

std::optional<Guarantee> kapralovTalwarGuarantee(const PublishedParams& params) {
  Guarantee g = pure(params, params.epsilon);
  const double k = params.components, step = kapralovTalwarStep(params).epsilon;
  g.parts = {
      {"directions", k * step, 0, std::sqrt(k) * gdpOfPure(step), k * step * step / 8},
      {"values", k * step, 0, std::sqrt(k) * gdpOfPure(step), k * step * step / 2},
  };
  g.gdp = std::min(g.gdp, std::hypot(g.parts[0].gdp, g.parts[1].gdp));
  g.zcdp = g.parts[0].zcdp + g.parts[1].zcdp;
  return g;
}

Eigen::MatrixXd kapralovTalwar(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random) {
  const KapralovTalwarStep step = kapralovTalwarStep(params);
  const double most = replaces(params) ? params.rows : std::numeric_limits<double>::infinity();
  Eigen::MatrixXd left = scatter;
  Eigen::MatrixXd estimate = Eigen::MatrixXd::Zero(scatter.rows(), scatter.cols());
  for (int i = 0; i < params.components; ++i) {
    const Eigen::MatrixXd v = idealized::drawDirections(spectrum(left), {&step.kappa, 1}, random);
    const double quotient = (left * v).cwiseProduct(v).sum();
    const double noisy = quotient + step.value_scale * standardLaplace(random);
    const Eigen::MatrixXd found = std::clamp(noisy, 0.0, most) * v * v.transpose();
    left -= found;
    estimate += found;
  }
  return estimate;
}

double aminTau(double epsilon, Eigen::Index dimension, double beta) {
  return 4 / epsilon * std::log(2 * double(dimension) / beta);
}

std::optional<Guarantee> aminIterativeGuarantee(const PublishedParams& params) {
  const double values = replaces(params) ? params.epsilon / 2 : params.epsilon / 4;
  const double directions = values / 2;
  Guarantee g = pure(params, values + directions);
  // The shares depend on the noisy eigenvalues; the worst case for zCDP is one draw with the whole
  // budget.
  g.parts = {
      {"values", values, 0, gdpOfPure(values), values * values / 2},
      {"directions", directions, 0, gdpOfPure(directions), directions * directions / 8},
  };
  g.gdp = std::min(g.gdp, std::hypot(g.parts[0].gdp, g.parts[1].gdp));
  g.zcdp = g.parts[0].zcdp + g.parts[1].zcdp;
  return g;
}

Eigen::MatrixXd aminIterative(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                              Drbg& random) {
  Spectrum exact = spectrum(scatter);
  Spectrum noisy{exact.values, {}};
  for (double& value : noisy.values) value += 4 / params.epsilon * standardLaplace(random);
  const std::size_t d = std::size_t(scatter.rows());
  std::vector<double> kappas =
      adaptiveShares({noisy.values.data(), d}, aminTau(params.epsilon, scatter.rows()));
  for (double& kappa : kappas) kappa *= params.epsilon / 2 / 4;
  noisy.vectors = idealized::drawDirections(std::move(exact), kappas, random);
  return compose(noisy);
}

}  // namespace pm
