#include "core/research/published/wishart.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/privacy/wishart.hpp"
#include "core/random/wishart.hpp"

namespace pm {
namespace {

Eigen::MatrixXd plusWishart(const Eigen::MatrixXd& scatter, double freedom, double scale,
                            Drbg& random) {
  const Eigen::Index d = scatter.rows();
  std::vector<double> noise(std::size_t(d * (d + 1) / 2));
  addWishart(int(d), freedom, scale, random, noise);
  Eigen::MatrixXd result = scatter;
  const double* entry = noise.data();
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = i; j < d; ++j, ++entry) {
      result(i, j) += *entry;
      if (i != j) result(j, i) += *entry;
    }
  }
  return result;
}

}  // namespace

Eigen::MatrixXd symmetricNoise(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random) {
  return plusWishart(scatter, double(scatter.rows()) + 1, 0.5 / params.epsilon, random);
}

Eigen::MatrixXd jiangWishart(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                             Drbg& random) {
  return plusWishart(scatter, double(scatter.rows()) + 1, 1.5 / params.epsilon, random);
}

double sheffetShape(double epsilon, double delta) {
  return std::floor(28 * std::log(4 / delta) / (epsilon * epsilon)) + 1;
}

Eigen::MatrixXd sheffetWishart(const Eigen::MatrixXd& scatter, const PublishedParams& params,
                               Drbg& random) {
  const Eigen::Index d = scatter.rows();
  if (!(params.delta > 0)) {
    return Eigen::MatrixXd::Constant(d, d, std::numeric_limits<double>::quiet_NaN());
  }
  const double k = sheffetShape(params.epsilon, params.delta) + double(d) - 1;
  Eigen::MatrixXd result = plusWishart(scatter, k, 1, random);
  for (Eigen::Index i = 0; i < d; ++i) result(i, i) -= k;
  return result;
}

std::optional<Guarantee> sheffetWishartGuarantee(const PublishedParams& params) {
  if (!(params.delta > 0)) return {};
  const double m = sheffetShape(params.epsilon, params.delta);
  MechanismParams asked{};
  asked.epsilon = params.epsilon;
  asked.neighbours = params.neighbours;
  asked.unit = Unit::kRow;
  Guarantee g = guaranteeFor(asked, Numerics::kIdealized);
  g.delta = m < 2 ? 1 : wishartDelta(params.epsilon, m, 1, params.neighbours);
  return g;
}

}  // namespace pm
