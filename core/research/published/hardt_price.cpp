#include "core/research/published/hardt_price.hpp"

#include <cmath>
#include <numbers>

#include "core/matrix/multiply.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/research/published/entrywise.hpp"

namespace pm {
namespace {

using Eigen::MatrixXd;

// Gram-Schmidt, twice.
MatrixXd orthonormal(MatrixXd columns) {
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index i = 0; i < j; ++i) {
        columns.col(j) -= columns.col(i).dot(columns.col(j)) * columns.col(i);
      }
      columns.col(j) /= columns.col(j).norm();
    }
  }
  return columns;
}

}  // namespace

MatrixXd noisyPowerMethod(const MatrixXd& scatter, int components, int rounds, double sigma,
                          Drbg& random) {
  MatrixXd v = orthonormal(normals(scatter.rows(), components, random));
  for (int round = 0; round < rounds; ++round) {
    v = orthonormal(multiply(scatter, v) + sigma * normals(v.rows(), v.cols(), random));
  }
  return v;
}

double hardtPriceDeviation(const PublishedParams& params) {
  return std::sqrt(-4.0 * params.components * params.rounds * std::log(params.delta)) /
         params.epsilon;
}

MatrixXd hardtPrice(const MatrixXd& scatter, const PublishedParams& params, Drbg& random) {
  if (!(params.delta > 0)) return noisyPowerMethod(scatter, params.components, 0, 0, random);
  return noisyPowerMethod(scatter, params.components, params.rounds, hardtPriceDeviation(params),
                          random);
}

std::optional<Guarantee> hardtPriceGuarantee(const PublishedParams& params) {
  if (!(params.delta > 0)) return {};
  MechanismParams plain{};
  plain.delta = params.delta;
  plain.neighbours = params.neighbours;
  Guarantee g = guaranteeFor(plain, Numerics::kIdealized);
  const bool both = params.neighbours == Neighbours::kReplaceOne && params.components > 1;
  g.gdp = (both ? std::numbers::sqrt2 : 1) * std::sqrt(double(params.rounds)) /
          hardtPriceDeviation(params);
  g.zcdp = zcdpOfGdp(g.gdp);
  g.epsilon = epsilonOfGdp(g.gdp, params.delta);
  return g;
}

}  // namespace pm
