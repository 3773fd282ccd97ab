// Coverage of 95 % intervals of ridge regression from noisy moments, in simulated populations: by
// the delta method, which this library uses, and by a bootstrap.
//
// usage: ridge_intervals <folder of the results> <populations>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analysis/methods/regression.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "experiments/covariance_estimation/ridge_sets.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

pm::MomentSums sumsOf(const RidgeDesign& design) {
  const int d = design.predictors + 1;
  pm::MomentSums sums;
  sums.dimension = d;
  sums.constant = std::sqrt(0.5 * d);
  sums.rows = design.rows;
  sums.mid = VectorXd::Zero(d);
  sums.half = VectorXd::Ones(d);
  sums.packed.resize(static_cast<std::size_t>((d + 1) * (d + 2) / 2));
  const double sd = design.sd * design.rows;
  sums.noise = pm::SumNoise::everywhere({std::sqrt(2.0) * sd, sd});
  return sums;
}

pm::Regression fitted(const pm::AssembledMoments& moments, double level) {
  const auto d = static_cast<int>(moments.mean.size());
  pm::RegressionInput input;
  input.covariance = moments.scaled_covariance;
  input.noise = moments.covariance_noise;
  input.trace_bound = d;
  input.half = VectorXd::Ones(d);
  input.mean = moments.mean;
  input.target = d - 1;
  for (int j = 0; j + 1 < d; ++j) input.features.push_back(j);
  input.rows = moments.rows;
  input.level = level;
  return pm::regress(input).value();
}

/// Coefficients, followed by R^2.
std::vector<double> numbersOf(const pm::Regression& regression) {
  std::vector<double> numbers;
  for (const pm::RegressionFigure& figure : regression.coefficients) {
    numbers.push_back(figure.value);
  }
  numbers.push_back(regression.r2.value);
  return numbers;
}

/// Counts how often an interval covers the true value.
struct Count {
  int of = 0;
  int covered = 0;
  void add(bool covers) {
    ++of;
    covered += covers ? 1 : 0;
  }
  double share() const { return of > 0 ? double(covered) / of : 0; }
};

/// Coverage of 95 % intervals for the population's values, by the delta method and by the basic
/// bootstrap from the population after the trace projection (Davison and Hinkley 1997, 5.2).
void writeCoverage(const RidgeDesign& design, int populations, experiments::ResultsFile& file) {
  constexpr int kDraws = 200;
  constexpr double kLevel = 0.95;
  const pm::MomentSums sums = sumsOf(design);
  // For all coefficients, those whose true value is above the floor, and R^2; by each of the two
  // methods.
  std::vector<Count> counts(6);
  for (int run = 0; run < populations; ++run) {
    pm::Drbg random = experiments::seeded(500000 + std::uint64_t(run));
    const MatrixXd covariance = populationOf(design, random);
    const VectorXd mean = VectorXd::Zero(covariance.rows());
    const pm::Population population(sums, design.rows, mean, covariance);
    const std::vector<double> truth = numbersOf(fitted(population.exact(), 0));
    const pm::AssembledMoments released = population.draw(random);
    const pm::Regression regression = fitted(released, kLevel);
    const std::vector<double> found = numbersOf(regression);

    const pm::Population plugged(
        sums, design.rows, mean,
        pm::projectTrace(released.scaled_covariance, double(covariance.rows())).value());
    const std::vector<double> own = numbersOf(fitted(plugged.exact(), 0));
    std::vector<std::vector<double>> shifts(found.size());
    for (int draw = 0; draw < kDraws; ++draw) {
      const std::vector<double> drawn = numbersOf(fitted(plugged.draw(random), 0));
      for (std::size_t i = 0; i < found.size(); ++i) {
        shifts[i].push_back(found[i] - (drawn[i] - own[i]));
      }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const bool is_r2 = i + 1 == found.size();
      const pm::RegressionFigure& figure = is_r2 ? regression.r2 : regression.coefficients[i];
      std::sort(shifts[i].begin(), shifts[i].end());
      constexpr int kTail = int(kDraws * (1 - kLevel) / 2);
      const bool covered[] = {
          figure.low <= truth[i] && truth[i] <= figure.high,
          shifts[i][kTail] <= truth[i] && truth[i] <= shifts[i][kDraws - 1 - kTail]};
      for (std::size_t way = 0; way < 2; ++way) {
        counts[3 * way + (is_r2 ? 2 : 0)].add(covered[way]);
        if (!is_r2 && std::fabs(truth[i]) > figure.noise_floor)
          counts[3 * way + 1].add(covered[way]);
      }
    }
  }
  // Empty where no coefficient is above its floor.
  const auto above = [](const Count& count) {
    return count.of > 0 ? std::to_string(count.share()) : std::string();
  };
  file.line(design.predictors, design.decay, design.r2, design.rows, design.sd,
            double(counts[1].of) / counts[0].of, counts[0].share(), above(counts[1]),
            counts[2].share(), counts[3].share(), above(counts[4]), counts[5].share(), populations);
}

constexpr RidgeDesign kDesigns[] = {{4, 0, 0.5, 5000, 0.001},     {4, 1, 0.1, 500, 0.003},
                                    {4, 1, 0.9, 500, 0.003},      {4, 1, 0.9, 500, 0.01},
                                    {10, 0.5, 0.5, 5000, 0.003},  {10, 0.5, 0.5, 5000, 0.01},
                                    {10, 1.5, 0.5, 5000, 0.0003}, {10, 1.5, 0.5, 5000, 0.001},
                                    {10, 1.5, 0.5, 5000, 0.003},  {25, 1, 0.5, 50000, 0.001}};

}  // namespace
}  // namespace covariance_estimation

int main(int argc, char** argv) {
  using namespace covariance_estimation;
  if (argc != 3) {
    std::fprintf(stderr, "usage: ridge_intervals <results> <populations>\n");
    return 2;
  }
  experiments::ResultsFile file(
      std::filesystem::path(argv[1]) / "ridge-intervals.csv",
      {"predictors", "decay", "r2", "rows", "sd", "above_floor", "delta_all", "delta_above",
       "delta_r2", "bootstrap_all", "bootstrap_above", "bootstrap_r2", "repetitions"});
  for (const RidgeDesign& design : kDesigns) writeCoverage(design, std::atoi(argv[2]), file);
  return 0;
}
