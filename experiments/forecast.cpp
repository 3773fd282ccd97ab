// Compares forecasts with simulated releases of the mechanisms themselves: root mean square errors
// of the covariance (as released and denoised) and of canonical correlations, and how often a test
// at 5 % counts them. Columns are numbers between public bounds with a standard deviation of a
// quarter of their range; half of them are one view, half the other, with planted correlations.
// Then forecasts of private centring with releases of real tables. Exits with 1 if a forecast is
// off by more than 10 % (denoised 20 %) plus the uncertainty of the simulation, unless noise drowns
// the figure, if a power is off by more than 0.1 plus that uncertainty (0.2 with more features than
// are simulated), or if with private centring fewer than three quarters are within a factor of 1.5
// of the median of releases.
//
// usage: forecast [power]     with "power" that table alone
// Tables: node experiments/real_tables.mjs.
#include "core/analysis/uncertainty/forecast.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/analysis/uncertainty/pair_tests.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/random/continuous.hpp"
#include "experiments/forecast_centred.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/table.hpp"

namespace {

using pm::Drbg;
using Matrix = Eigen::MatrixXd;

constexpr double kVariance = 0.25;  // a quarter of a range of 2, squared

struct Case {
  const char* mechanism;
  int columns;
  double epsilon;
  double rows;
  int sites;
  pm::Neighbours neighbours = pm::Neighbours::kReplaceOne;
  double near = 0;  // correlation of neighbouring columns, falling with their distance
};

pm::Plan planOf(const Case& c) {
  pm::MechanismParams params{};
  params.epsilon = c.epsilon;
  params.delta = 1e-6;
  params.neighbours = c.neighbours;
  params.unit = pm::Unit::kRow;
  params.dimension = c.columns;
  params.row_norm = std::sqrt(double(c.columns));
  return pm::findMechanism(c.mechanism)->plan(params).value();
}

double unitOf(const pm::Plan& plan) {
  return std::ldexp(plan.params.row_norm * plan.params.row_norm,
                    plan.release_shift - 2 * plan.bits);
}

Matrix covarianceOf(const Case& c) {
  Matrix covariance(c.columns, c.columns);
  for (int i = 0; i < c.columns; ++i) {
    for (int j = 0; j < c.columns; ++j) {
      covariance(i, j) = kVariance * (i == j ? 1 : std::pow(c.near, std::abs(i - j)));
    }
  }
  return covariance;
}

// The question to the forecast, as the package asks it.
pm::ForecastInput questionOf(const Case& c, const pm::Plan& plan,
                             const std::vector<double>& correlations) {
  const double grid = std::ldexp(plan.params.row_norm * plan.params.row_norm, -2 * plan.bits);
  const double growth = grid * std::sqrt(double(c.sites));
  pm::ForecastInput input;
  input.rows = c.rows;
  input.rows_are_public = c.neighbours == pm::Neighbours::kReplaceOne;
  input.constant = std::ldexp(double(plan.constant), -plan.bits) * plan.params.row_norm;
  input.noise.diagonal = plan.sd_diagonal * growth;
  input.noise.off_diagonal = input.noise.linear = plan.sd_off_diagonal * growth;
  input.noise.count = input.rows_are_public ? 0 : plan.sd_diagonal * growth;
  input.noise.releases = c.sites;
  input.noise.freedom = plan.freedom;
  const std::string name = c.mechanism;
  if (name == "laplace") input.noise.family = pm::NoiseFamily::kLaplace;
  if (name == "frobenius") input.noise.family = pm::NoiseFamily::kFrobenius;
  if (name == "two-sided-wishart") input.noise.family = pm::NoiseFamily::kTwoSidedWishart;
  if (name == "wishart") input.noise.family = pm::NoiseFamily::kWishart;
  input.radii = {{plan.params.row_norm, 1}};
  input.trace_bound = plan.params.row_norm * plan.params.row_norm;
  input.mean = Eigen::VectorXd::Zero(c.columns);
  input.covariance = covarianceOf(c);
  for (int i = 0; i < c.columns; ++i) {
    input.columns.push_back(i);
    (i < c.columns / 2 ? input.x : input.y).push_back(i);
  }
  input.correlations = correlations;
  return input;
}

// The sum of the participants' releases: the noise of real releases of zero rows, minus its mean.
std::vector<double> noiseOf(const Case& c, const pm::Plan& plan, Drbg& random) {
  const std::vector<pm::Int128> nothing(plan.length);
  std::vector<double> out(plan.length);
  std::vector<double> sums(plan.length);
  const double unit = unitOf(plan);
  const double mean = plan.noise_mean * unit / std::ldexp(1.0, plan.release_shift);
  for (int site = 0; site < c.sites; ++site) {
    plan.release(plan, nothing, random, out);
    for (std::size_t i = 0; i < out.size(); ++i) sums[i] += out[i] * unit;
    for (std::size_t entry = 0, row = std::size_t(c.columns) + 1; row > 0; entry += row--) {
      sums[entry] -= mean;
    }
  }
  return sums;
}

struct Simulated {
  double raw = 0;
  double denoised = 0;
  std::vector<double> errors;   // of the correlations
  std::vector<double> below;    // share of runs
  std::vector<double> counted;  // share of runs in which the test counts a pair, if asked for
};

Matrix randomRotation(int size, Drbg& random) {
  Matrix normals(size, size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) normals(i, j) = pm::standardNormal(random);
  }
  return Eigen::HouseholderQR<Matrix>(normals).householderQ();
}

// The columns of a view are uncorrelated; the correlations lie in random directions.
Matrix plantedCovariance(const Case& c, const std::vector<double>& correlations, Drbg& random) {
  Matrix covariance = covarianceOf(c);
  if (correlations.empty()) return covariance;
  const int half = c.columns / 2;
  const Matrix left = randomRotation(half, random), right = randomRotation(half, random);
  Matrix cross = Matrix::Zero(half, half);
  for (std::size_t j = 0; j < correlations.size(); ++j) {
    cross += correlations[j] * kVariance * left.col(int(j)) * right.col(int(j)).transpose();
  }
  covariance.topRightCorner(half, half) = cross;
  covariance.bottomLeftCorner(half, half) = cross.transpose();
  return covariance;
}

// So that p = .05 can be reached exactly.
constexpr int kTestDraws = 199;

Simulated simulate(const Case& c, const pm::Plan& plan, const pm::ForecastInput& question,
                   const std::vector<double>& correlations, int runs, bool tests = false) {
  pm::MomentSums silent;
  silent.dimension = c.columns;
  silent.packed.resize(plan.length);
  silent.constant = question.constant;
  silent.rows = c.rows;
  silent.mid = Eigen::VectorXd::Zero(c.columns);
  silent.half = Eigen::VectorXd::Ones(c.columns);

  Simulated result;
  result.errors.resize(correlations.size());
  result.below.resize(correlations.size());
  result.counted.resize(correlations.size());
  for (int run = 0; run < runs; ++run) {
    Drbg random = experiments::seeded(4711 + std::uint64_t(run));
    const Matrix covariance = plantedCovariance(c, correlations, random);
    const pm::AssembledMoments exact =
        pm::Population(silent, c.rows, question.mean, covariance).draw(random);
    pm::MomentSums sums = silent;
    sums.noise = question.noise;
    sums.packed = noiseOf(c, plan, random);
    const double n = c.rows, a = question.constant;
    std::size_t next = 0;
    for (int i = 0; i <= c.columns; ++i) {
      for (int j = i; j <= c.columns; ++j, ++next) {
        const double left = i == 0 ? a : exact.scaled_mean[i - 1];
        const double right = j == 0 ? a : exact.scaled_mean[j - 1];
        sums.packed[next] +=
            n * (left * right + (i == 0 ? 0 : exact.scaled_covariance(i - 1, j - 1)));
      }
    }
    if (!question.rows_are_public) sums.rows.reset();
    const pm::AssembledMoments released = pm::assembleMoments(sums).value();
    result.raw += (released.scaled_covariance - exact.scaled_covariance).squaredNorm() / runs;
    result.denoised +=
        (pm::denoised(released.scaled_covariance, released.covariance_noise, question.trace_bound) -
         exact.scaled_covariance)
            .squaredNorm() /
        runs;
    if (correlations.empty()) continue;
    pm::CcaInput input;
    input.covariance = released.scaled_covariance;
    input.noise = released.covariance_noise;
    input.trace_bound = question.trace_bound;
    input.half = silent.half;
    input.x = question.x;
    input.y = question.y;
    input.components = int(correlations.size());
    if (tests) {
      const pm::BootstrapOptions options{0.95, kTestDraws, std::uint64_t(run) + 1};
      const pm::Bootstrap bootstrap = pm::Bootstrap::create(sums, options).value();
      const std::vector<double> p = pm::ccaTests(bootstrap, input).value();
      for (std::size_t j = 0; j < p.size(); ++j) result.counted[j] += double(p[j] <= 0.05) / runs;
    }
    const pm::Cca found = pm::cca(input).value();
    for (std::size_t j = 0; j < correlations.size(); ++j) {
      result.errors[j] += std::pow(found.correlations[j].value - correlations[j], 2) / runs;
      result.below[j] += double(found.correlations[j].below_noise_floor) / runs;
    }
  }
  result.raw = std::sqrt(result.raw);
  result.denoised = std::sqrt(result.denoised);
  for (double& error : result.errors) error = std::sqrt(error);
  return result;
}

// A forecast must be within 10 %, plus the uncertainty of the simulation; after `denoise`, which
// turns small differences in the spectrum into large ones, within 20 %.
constexpr double kBar = 0.1;
constexpr double kDenoisedBar = 0.2;
// With private centring, this share of the forecasts must be within this factor of the median.
constexpr double kCentredFactor = 1.5;
constexpr double kCentredShare = 0.75;
double worst = 1;
int missed = 0;

void compare(double forecast, double simulated, double doubt, bool counts, double bar = kBar) {
  const double ratio = forecast / simulated;
  const double off = std::max(ratio, 1 / ratio);
  std::printf("  %7.4f %7.4f %6.3f", forecast, simulated, ratio);
  if (!counts) {
    std::printf("(");
  } else if (off > 1 + bar + 3 * doubt) {
    std::printf("!");
    ++missed;
  } else {
    std::printf(" ");
  }
  if (counts) worst = std::max(worst, off);
}

void covarianceTable(const std::vector<Case>& cases) {
  std::printf("%-18s%5s%6s%9s%6s%8s  %24s  %24s\n", "covariance", "D", "eps", "rows", "sites",
              "zero", "released: forecast,", "denoised: forecast,");
  std::printf("%-52s  %24s  %24s\n", "", "simulated, ratio", "simulated, ratio");
  for (const Case& c : cases) {
    const pm::Plan plan = planOf(c);
    pm::ForecastInput question = questionOf(c, plan, {});
    question.x.clear();
    question.y.clear();
    const pm::Forecast forecast = pm::forecast(question).value();
    const int runs = c.columns >= 50 ? 40 : c.columns >= 13 ? 150 : 400;
    const Simulated simulated = simulate(c, plan, question, {}, runs);
    std::printf("%-18s%5d%6g%9g%6d%8.3f", c.mechanism, c.columns, c.epsilon, c.rows, c.sites,
                forecast.zero);
    const double entries = c.columns * (c.columns + 1) / 2.0;
    const double doubt = 1 / std::sqrt(2 * runs * std::min(entries, 400.0));
    compare(forecast.noise, simulated.raw, doubt, true);
    // If noise drowns the data, the remaining error depends on few numbers, such as the trace.
    compare(forecast.denoised, simulated.denoised, 1 / std::sqrt(20.0 * runs),
            forecast.noise < forecast.zero, kDenoisedBar);
    std::printf("\n");
  }
}

void correlationTable(const std::vector<Case>& cases, const std::vector<double>& correlations) {
  std::printf("\n%-18s%5s%6s%9s%6s%7s%8s%8s%7s%7s  error: forecast, simulated, ratio\n",
              "correlations", "D", "eps", "rows", "sites", "truth", "expect", "floor", "below",
              "simul.");
  for (const Case& c : cases) {
    const pm::Plan plan = planOf(c);
    const pm::ForecastInput question = questionOf(c, plan, correlations);
    const pm::Forecast forecast = pm::forecast(question).value();
    const int runs = c.columns >= 50 ? 200 : c.columns >= 40 ? 600 : 2000;
    const Simulated simulated = simulate(c, plan, question, correlations, runs);
    for (std::size_t j = 0; j < correlations.size(); ++j) {
      const pm::CorrelationForecast& f = forecast.correlations[j];
      std::printf("%-18s%5d%6g%9g%6d%7g%8.3f%8.3f%7.2f%7.2f", c.mechanism, c.columns, c.epsilon,
                  c.rows, c.sites, f.truth, f.expected, f.noise_floor, f.chance_below_floor,
                  simulated.below[j]);
      compare(f.error, simulated.errors[j], 1 / std::sqrt(2.0 * runs),
              f.truth > f.noise_floor && simulated.below[j] < 0.5);
      std::printf("\n");
    }
  }
}

constexpr double kPowerBar = 0.1;
constexpr double kThinnedPowerBar = 0.2;
// More features are thinned.
constexpr int kMostFeatures = 40;

// The usual three correlations, or as many as a view has columns.
std::vector<double> plannedIn(const Case& c) {
  const std::vector<double> all = {0.5, 0.3, 0.1};
  return {all.begin(), all.begin() + std::min(3, c.columns / 2)};
}

bool powerTable(const std::vector<Case>& cases) {
  std::printf("\n%-18s%5s%6s%9s%6s%7s  test at 5 %%: forecast, counted, difference\n", "power", "D",
              "eps", "rows", "sites", "truth");
  double furthest = 0;
  bool holds = true;
  for (const Case& c : cases) {
    const std::vector<double> correlations = plannedIn(c);
    const pm::Plan plan = planOf(c);
    const pm::ForecastInput question = questionOf(c, plan, correlations);
    const pm::Forecast forecast = pm::forecast(question).value();
    const int runs = c.columns > 12 ? 100 : 400;
    const Simulated simulated = simulate(c, plan, question, correlations, runs, true);
    for (std::size_t j = 0; j < correlations.size(); ++j) {
      const double power = forecast.correlations[j].power;
      const double counted = simulated.counted[j];
      const double doubt = std::sqrt(std::max(power * (1 - power), 1.0 / runs) / runs);
      const double bar = c.columns > kMostFeatures ? kThinnedPowerBar : kPowerBar;
      const bool is_off = std::abs(power - counted) > bar + 3 * doubt;
      holds = holds && !is_off;
      if (c.columns <= kMostFeatures) furthest = std::max(furthest, std::abs(power - counted));
      std::printf("%-18s%5d%6g%9g%6d%7g  %6.2f %6.2f %+6.2f%s\n", c.mechanism, c.columns, c.epsilon,
                  c.rows, c.sites, correlations[j], power, counted, power - counted,
                  is_off ? "!" : "");
    }
  }
  std::printf("largest difference with at most %d features: %.2f\n", kMostFeatures, furthest);
  return holds;
}

std::vector<Case> powerCases() {
  std::vector<Case> cases;
  for (const char* mechanism : {"gaussian", "two-sided-wishart", "laplace"}) {
    cases.push_back({mechanism, 2, 0.5, 500, 1});
    cases.push_back({mechanism, 4, 1, 500, 1});
    cases.push_back({mechanism, 4, 0.2, 5000, 5});
    cases.push_back({mechanism, 12, 4, 2000, 1});
    cases.push_back({mechanism, 12, 1, 20000, 10});
  }
  cases.push_back({"gaussian", 8, 1, 5000, 5, pm::Neighbours::kAddRemove});
  cases.push_back({"gaussian", 30, 2, 50000, 5});
  cases.push_back({"gaussian", 80, 4, 50000, 5});
  return cases;
}

// The radius of such releases depends on how the rows are distributed, which their mean and
// covariance do not say.
bool centredForecasts(const std::vector<Table>& tables) {
  const CentredTally tally = centredTable(tables, 41);
  const auto share = [](const std::vector<double>& ratios, double factor) {
    const auto within = std::count_if(ratios.begin(), ratios.end(), [&](double ratio) {
      return ratio <= factor && ratio >= 1 / factor;
    });
    return double(within) / double(ratios.size());
  };
  std::printf("%zu studies with an error below that of answering zero; share of forecasts within\n",
              tally.to_median.size());
  for (const double factor : {1.1, 1.25, 1.5, 2.0}) {
    std::printf("  a factor of %-5g median %5.1f %%, root mean square %5.1f %%\n", factor,
                100 * share(tally.to_median, factor), 100 * share(tally.to_rms, factor));
  }
  const bool holds = share(tally.to_median, kCentredFactor) >= kCentredShare;
  std::printf("bar: %g %% within a factor of %g of the median: %s\n", 100 * kCentredShare,
              kCentredFactor, holds ? "holds" : "missed");
  return holds;
}

}  // namespace

int main(int count, char** arguments) {
  const bool power_holds = powerTable(powerCases());
  if (count > 1 && std::string(arguments[1]) == "power") return power_holds ? 0 : 1;
  const auto add_remove = pm::Neighbours::kAddRemove;
  const auto replace_one = pm::Neighbours::kReplaceOne;
  std::vector<Case> cases;
  for (const char* mechanism :
       {"gaussian", "two-sided-wishart", "laplace", "frobenius", "wishart"}) {
    for (const int columns : {4, 13, 50}) {
      cases.push_back({mechanism, columns, 0.1, 500, 1});
      cases.push_back({mechanism, columns, 1, 500, 1});
      cases.push_back({mechanism, columns, 4, 2000, 5});
      cases.push_back({mechanism, columns, 1, 50000, 20});
      cases.push_back({mechanism, columns, 0.5, 1e6, 5});
    }
  }
  cases.push_back({"gaussian", 100, 1, 50000, 5});
  cases.push_back({"two-sided-wishart", 100, 4, 1e6, 1});
  cases.push_back({"gaussian", 13, 1, 2000, 1, add_remove});
  cases.push_back({"gaussian", 13, 1, 50000, 5, add_remove});
  cases.push_back({"laplace", 4, 4, 500, 1, add_remove});
  cases.push_back({"gaussian", 13, 1, 500, 1, replace_one, 0.8});
  cases.push_back({"gaussian", 13, 4, 2000, 5, replace_one, 0.8});
  cases.push_back({"two-sided-wishart", 13, 1, 50000, 20, replace_one, 0.8});
  cases.push_back({"gaussian", 100, 1, 50000, 5, replace_one, 0.8});
  covarianceTable(cases);
  std::printf("largest ratio %.3f; in brackets: noise above the error of answering zero\n", worst);

  worst = 1;
  cases.clear();
  for (const char* mechanism :
       {"gaussian", "two-sided-wishart", "laplace", "frobenius", "wishart"}) {
    cases.push_back({mechanism, 4, 4, 500, 1});
    cases.push_back({mechanism, 4, 1, 2000, 1});
    cases.push_back({mechanism, 4, 0.1, 50000, 5});
    cases.push_back({mechanism, 12, 4, 2000, 1});
    cases.push_back({mechanism, 12, 1, 50000, 20});
    cases.push_back({mechanism, 12, 0.5, 1e6, 5});
    cases.push_back({mechanism, 40, 4, 50000, 5});
    cases.push_back({mechanism, 40, 1, 1e6, 20});
  }
  cases.push_back({"gaussian", 100, 4, 50000, 1});
  cases.push_back({"gaussian", 100, 1, 1e6, 5});
  cases.push_back({"two-sided-wishart", 100, 4, 1e6, 1});
  cases.push_back({"gaussian", 12, 4, 2000, 1, add_remove});
  correlationTable(cases, {0.7, 0.4});
  std::printf("largest ratio above the noise floor %.3f\n", worst);
  std::printf(
      "in brackets: the truth or most runs are below the noise floor, so no limit applies\n");
  std::printf("%d forecasts more than 10 %% off, denoised 20 %%\n", missed);

  std::vector<Table> tables = {normalTable(1500), normalTable(20000)};
  for (Table& table : realTables()) tables.push_back(std::move(table));
  const bool centred_hold = centredForecasts(tables);
  return missed == 0 && power_holds && centred_hold ? 0 : 1;
}
