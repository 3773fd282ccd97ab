#include "core/analysis/uncertainty/pair_tests.hpp"

#include <algorithm>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/uncertainty/shared_values.hpp"
#include "core/matrix/multiply.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Adds the noise of the means of releases with centres of their own, sum_k a_k u_k^T + u_k a_k^T,
/// which draws from one centre do not have.
class NoiseOfCentres {
 public:
  NoiseOfCentres(const MatrixXd& columns, std::uint64_t seed) : columns_(columns), seed_(seed) {}

  MatrixXd add(const MatrixXd& covariance) {
    if (columns_.cols() < 2) return covariance;
    Drbg random = simulationDrbg(~seed_, draw_++);
    MatrixXd normals(columns_.rows(), columns_.cols());
    simulateNormals({normals.data(), static_cast<std::size_t>(normals.size())}, random);
    const MatrixXd added = multiply(columns_, transposed(normals));
    return covariance + added + added.transpose();
  }

 private:
  MatrixXd columns_;
  std::uint64_t seed_;
  std::uint64_t draw_ = 0;
};

std::vector<double> sequentialTests(const Bootstrap& bootstrap, const NoisyCovariance& data,
                                    const std::vector<std::vector<int>>& views, int k) {
  const SharedValues shared(data, views, k);
  const VectorXd found = shared.of(data.covariance, data.noise);
  const MatrixXd spread = spreadBetween(data.centre_spread, views);
  std::vector<double> p;
  double before = 0;
  for (int j = 0; j < k; ++j) {
    NoiseOfCentres means(data.mean_noise, bootstrap.seed());
    const Statistic statistic = [&](const ScaledMoments& moments) {
      return shared.of(means.add(moments.scaled_covariance), moments.covariance_noise);
    };
    MatrixXd covariance = shared.onlyFirst(j);
    if (spread.size() != 0) covariance += spread;
    const MatrixXd drawn = bootstrap.sample(covariance, statistic);
    const auto as_large = static_cast<double>((drawn.row(j).array() >= found[j]).count());
    before = std::max(before, (1 + as_large) / (1 + static_cast<double>(drawn.cols())));
    p.push_back(before);
  }
  return p;
}

}  // namespace

Result<std::vector<double>> ccaTests(const Bootstrap& bootstrap, CcaInput input) {
  setFrom(bootstrap, input);
  if (const Status wrong = checkCca(input)) return *wrong;
  return sequentialTests(bootstrap, input, {input.x, input.y}, input.components);
}

Result<std::vector<double>> gccaTests(const Bootstrap& bootstrap, GccaInput input) {
  setFrom(bootstrap, input);
  if (const Status wrong = checkGcca(input)) return *wrong;
  return sequentialTests(bootstrap, input, input.views, input.components);
}

}  // namespace pm
