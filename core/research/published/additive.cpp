#include "core/research/published/additive.hpp"

#include <cmath>
#include <numbers>

#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/continuous.hpp"
#include "core/research/published/entrywise.hpp"

namespace pm {
namespace {

using Eigen::MatrixXd;

Guarantee start(const PublishedParams& params) {
  MechanismParams plain{};
  plain.epsilon = params.epsilon;
  plain.delta = params.delta;
  plain.neighbours = params.neighbours;
  plain.unit = Unit::kRow;
  return guaranteeFor(plain, Numerics::kIdealized);
}

// Adds normal noise on the scale of C; `sensitivity` is n times the assumed one of C/n.
MatrixXd gauss(const MatrixXd& scatter, double sensitivity, const PublishedParams& params,
               Drbg& random) {
  const double sigma = sensitivity * classicalDeviation(params.epsilon, params.delta);
  return plusSymmetric(scatter, [&] { return sigma * standardNormal(random); });
}

// The true guarantee of that noise: the upper triangle of C moves by sqrt 2 under replace-one, by 1
// if a row is added or removed.
std::optional<Guarantee> gaussGuarantee(double sensitivity, const PublishedParams& params) {
  if (!(params.delta > 0)) return {};
  const double moves = params.neighbours == Neighbours::kReplaceOne ? std::numbers::sqrt2 : 1;
  Guarantee g = start(params);
  g.gdp = moves / (sensitivity * classicalDeviation(params.epsilon, params.delta));
  g.zcdp = zcdpOfGdp(g.gdp);
  g.epsilon = epsilonOfGdp(g.gdp, params.delta);
  return g;
}

}  // namespace

double classicalDeviation(double epsilon, double delta) {
  return std::sqrt(2 * std::log(1.25 / delta)) / epsilon;
}

MatrixXd laplace2d(const MatrixXd& scatter, const PublishedParams& params, Drbg& random) {
  const double scale = 2 * double(scatter.rows()) / params.epsilon;
  return plusSymmetricLaplace(scatter, scale, random);
}

std::optional<Guarantee> laplace2dGuarantee(const PublishedParams& params) {
  Guarantee g = start(params);
  const double share = params.neighbours == Neighbours::kReplaceOne ? std::sqrt(5.0) / 4 : 3.0 / 8;
  setPure(g, share * params.epsilon);
  return g;
}

MatrixXd classicalGauss(const MatrixXd& scatter, const PublishedParams& params, Drbg& random) {
  return gauss(scatter, std::numbers::sqrt2, params, random);
}

std::optional<Guarantee> classicalGaussGuarantee(const PublishedParams& params) {
  return gaussGuarantee(std::numbers::sqrt2, params);
}

MatrixXd classicalGaussOneOverN(const MatrixXd& scatter, const PublishedParams& params,
                                Drbg& random) {
  return gauss(scatter, 1, params, random);
}

std::optional<Guarantee> classicalGaussOneOverNGuarantee(const PublishedParams& params) {
  return gaussGuarantee(1, params);
}

}  // namespace pm
