// Ridge regression from a private covariance, by several ways to make weights of it: the median
// share of the target's variance that the weights leave unexplained. It is compared with answering
// 0 (which leaves 1), the fit without privacy, and output perturbation (Chaudhuri, Monteleoni,
// Sarwate 2011), which spends its whole budget on one target, one set of predictors and one alpha.
//
// usage: ridge_fits <folder with the tables> <folder of the results> <runs>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/methods/regression.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/research/published/output_perturbation.hpp"
#include "experiments/covariance_estimation/matrix_methods.hpp"
#include "experiments/covariance_estimation/ridge_sets.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {
namespace {

constexpr double kDelta = 1e-6;
constexpr double kEpsilons[] = {.1, .5, 1, 2, 4, 10, 30};
constexpr double kPenalties[] = {0, 0.01, 0.1};

/// A noisy C / n, and the law of its noise.
struct NoisyMatrix {
  MatrixXd covariance;
  pm::NoiseLaw noise;
};

NoisyMatrix withGaussian(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  const double sd = exactSigma(epsilon, kDelta) / data.rows;
  return {gaussianMethod(kDelta).run(data, epsilon, random) / data.rows, {std::sqrt(2.0) * sd, sd}};
}

NoisyMatrix withWishart(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  const int d = data.dimension();
  const double sd = std::sqrt(double(d + 1) / 2) / (epsilon / 2) / data.rows;
  NoisyMatrix release{twoSidedWishart(data, epsilon, random) / data.rows,
                      {std::sqrt(2.0) * sd, sd}};
  release.noise.family = pm::NoiseFamily::kTwoSidedWishart;
  release.noise.freedom = d + 1;
  return release;
}

/// Weights from a noisy covariance whose last feature is the target.
using Fit = std::function<VectorXd(const NoisyMatrix&, double alpha)>;

VectorXd normalEquations(const NoisyMatrix& release, double alpha) {
  return pm::ridgeWeights(release.covariance, 1, alpha);
}

VectorXd projected(const NoisyMatrix& release, double alpha) {
  return pm::ridgeWeights(pm::projectTrace(release.covariance, 1).value(), 1,
                          std::max(alpha, 1e-9));
}

VectorXd ridgeAtEdge(const NoisyMatrix& release, double alpha) {
  const int predictors = int(release.covariance.rows()) - 1;
  return pm::ridgeWeights(pm::projectTrace(release.covariance, 1).value(), 1,
                          alpha + pm::spectralEdge(release.noise, predictors) / 2);
}

VectorXd regression(const NoisyMatrix& release, double alpha) {
  const auto d = static_cast<int>(release.covariance.rows());
  pm::RegressionInput input;
  input.covariance = release.covariance;
  input.noise = release.noise;
  input.trace_bound = 1;
  input.half = VectorXd::Ones(d);
  input.mean = VectorXd::Zero(d);
  input.target = d - 1;
  for (int j = 0; j + 1 < d; ++j) input.features.push_back(j);
  input.alpha = alpha;
  const pm::Regression fitted = pm::regress(input).value();
  VectorXd weights(d - 1);
  for (int j = 0; j + 1 < d; ++j) weights[j] = fitted.coefficients[std::size_t(j)].value;
  return weights;
}

double unexplained(const UnitScatter& data, const VectorXd& weights) {
  VectorXd u(weights.size() + 1);
  u << -weights, 1;
  return u.dot(data.matrix * u) / data.matrix(u.size() - 1, u.size() - 1);
}

/// How weights are found: what is released, and what is made of it.
struct WeightsMethod {
  std::string release;
  std::string fit;
  std::function<VectorXd(const UnitScatter&, double epsilon, double alpha, pm::Drbg&)> run;
};

WeightsMethod from(const char* key, const char* name,
                   NoisyMatrix (*release)(const UnitScatter&, double, pm::Drbg&), Fit fit) {
  return {key, name, [=](const UnitScatter& data, double epsilon, double alpha, pm::Drbg& random) {
            return fit(release(data, epsilon, random), alpha);
          }};
}

VectorXd output(const UnitScatter& data, double epsilon, double alpha, pm::Drbg& random) {
  pm::PublishedParams params{epsilon, 0, pm::Neighbours::kReplaceOne, data.rows};
  params.penalty = alpha;
  return pm::outputPerturbation(data.matrix, params, random);
}

experiments::Median medianUnexplained(const UnitScatter& data, const WeightsMethod& method,
                                      double epsilon, double alpha, int runs) {
  std::vector<double> shares;
  for (int run = 0; run < runs; ++run) {
    pm::Drbg random = experiments::seeded(std::uint64_t(run));
    shares.push_back(unexplained(data, method.run(data, epsilon, alpha, random)));
  }
  return experiments::medianOf(shares);
}

void write(const UnitScatter& data, int runs, experiments::ResultsFile& file) {
  const std::vector<WeightsMethod> methods = {
      {"output-perturbation", "weights", output},
      from("gaussian", "normal-equations", withGaussian, normalEquations),
      from("gaussian", "projection", withGaussian, projected),
      from("gaussian", "edge", withGaussian, ridgeAtEdge),
      from("gaussian", "regression", withGaussian, regression),
      from("two-sided-wishart", "regression", withWishart, regression),
  };
  for (const double alpha : kPenalties) {
    const double exact = unexplained(data, pm::ridgeWeights(data.matrix, data.rows, alpha));
    for (const double epsilon : kEpsilons) {
      file.line(data.name, alpha, "non-private", "weights", epsilon, exact, exact, exact, 1);
      for (const WeightsMethod& method : methods) {
        if (alpha == 0 && method.release == "output-perturbation") continue;  // needs a penalty
        file.line(data.name, alpha, method.release, method.fit, epsilon,
                  medianUnexplained(data, method, epsilon, alpha, runs), runs);
      }
    }
  }
}

}  // namespace
}  // namespace covariance_estimation

int main(int argc, char** argv) {
  using namespace covariance_estimation;
  if (argc != 4) {
    std::fprintf(stderr, "usage: ridge_fits <tables> <results> <runs>\n");
    return 2;
  }
  experiments::ResultsFile file(std::filesystem::path(argv[2]) / "ridge-fits.csv",
                                {"set", "alpha", "method", "fit", "epsilon", "unexplained",
                                 "unexplained_low", "unexplained_high", "repetitions"});
  for (const UnitScatter& data : ridgeSets(argv[1])) write(data, std::atoi(argv[3]), file);
  return 0;
}
