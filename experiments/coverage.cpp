// Coverage of the 95 % intervals for canonical correlations, weights and loadings and for principal
// components' variances, loadings and correlations, in simulated studies with a known population.
// Each trial plants a population, samples its rows, adds noise and computes intervals.
//
// usage: coverage [trials] [part of a case's name]
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/uncertainty/intervals.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "experiments/support/seeded.hpp"

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kDraws = 300;
constexpr double kLargestVariance = 0.33;

enum class Rows { kNormal, kUniform, kTwoPoint };

struct Case {
  std::string name;
  int dx;
  int dy;
  int rows;
  double noise;  // off-diagonal sd of the noise in the covariance
  double decay;  // variances fall as i^-decay
  std::vector<double> correlations;
  Rows kind = Rows::kNormal;
  pm::NoiseFamily family = pm::NoiseFamily::kGaussian;
  int releases = 1;
  double effort = 1;  // share of the trials
};

// D = dx + dy <= 8 in the first three blocks, up to 40 in the fourth. Variances are 0.33 unless
// they fall; the edge of the noise of the views is 2 noise sqrt(dx + dy).
const std::vector<Case> kCases = {
    {"one column each", 1, 1, 2000, 0.01, 0, {0.5}},
    {"sampling only, nearly", 4, 4, 500, 0.0005, 0, {0.8, 0.5, 0.2}},
    {"little noise", 4, 4, 2000, 0.003, 0, {0.8, 0.5, 0.2}},
    {"few rows", 4, 4, 500, 0.01, 0, {0.8, 0.5, 0.2}},
    {"noise", 4, 4, 24000, 0.01, 0, {0.8, 0.5, 0.2}},
    {"more noise", 4, 4, 24000, 0.02, 0, {0.8, 0.5, 0.2}},
    {"edge at half the variance", 4, 4, 24000, 0.03, 0, {0.8, 0.5, 0.2}},
    {"falling variances", 4, 4, 24000, 0.005, 1, {0.8, 0.5, 0.2}},
    {"falling towards the edge", 4, 4, 24000, 0.01, 1, {0.8, 0.5, 0.2}},
    {"near equal", 4, 4, 24000, 0.003, 0, {0.5, 0.45}},
    {"near equal, noise", 4, 4, 24000, 0.01, 0, {0.5, 0.45}},
    {"near one", 2, 2, 24000, 0.003, 0, {0.95, 0.9}},
    {"near one, noise", 2, 2, 24000, 0.01, 0, {0.95, 0.9}},
    {"uniform rows", 4, 4, 2000, 0.003, 0, {0.8, 0.5, 0.2}, Rows::kUniform},
    {"two-point rows", 4, 4, 2000, 0.01, 0, {0.8, 0.5, 0.2}, Rows::kTwoPoint},
    {"two-point rows, sampling only, nearly",
     4,
     4,
     2000,
     0.0005,
     0,
     {0.8, 0.5, 0.2},
     Rows::kTwoPoint},
    {"ten releases",
     4,
     4,
     24000,
     0.01,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kLaplace,
     10},
    {"Laplace", 4, 4, 24000, 0.01, 0, {0.8, 0.5, 0.2}, Rows::kNormal, pm::NoiseFamily::kLaplace},
    {"Frobenius",
     4,
     4,
     24000,
     0.01,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kFrobenius},
    {"two-sided Wishart",
     4,
     4,
     24000,
     0.01,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kTwoSidedWishart},
    {"Wishart", 4, 4, 24000, 0.01, 0, {0.8, 0.5, 0.2}, Rows::kNormal, pm::NoiseFamily::kWishart},
    {"D 16",
     8,
     8,
     24000,
     0.01,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kGaussian,
     1,
     0.5},
    {"D 16, few rows",
     8,
     8,
     500,
     0.005,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kGaussian,
     1,
     0.5},
    {"D 40, little noise",
     20,
     20,
     24000,
     0.002,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kGaussian,
     1,
     0.4},
    {"D 40, noise",
     20,
     20,
     24000,
     0.01,
     0,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kGaussian,
     1,
     0.4},
    {"some variances below the edge", 4, 4, 24000, 0.01, 2, {0.8, 0.5, 0.2}},
    {"most variances below the edge",
     12,
     12,
     24000,
     0.01,
     1,
     {0.8, 0.5, 0.2},
     Rows::kNormal,
     pm::NoiseFamily::kGaussian,
     1,
     0.3},
};

template <class Draw>
MatrixXd filled(int rows, int columns, Draw draw) {
  MatrixXd matrix(rows, columns);
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) matrix(i, j) = draw();
  }
  return matrix;
}

struct World {
  MatrixXd root;  // rows are `root` times independent factors of variance 1
  VectorXd correlations;
  VectorXd eigenvalues;
};

World plant(const Case& which, pm::Drbg& random) {
  const int d = which.dx + which.dy;
  const int k = std::min(which.dx, which.dy);
  const auto root_of = [&](int size) -> MatrixXd {
    const auto turn = [&] {
      const MatrixXd any = filled(size, size, [&] { return pm::standardNormal(random); });
      return MatrixXd(Eigen::HouseholderQR<MatrixXd>(any).householderQ());
    };
    VectorXd sds(size);
    for (int i = 0; i < size; ++i) {
      sds[i] = std::sqrt(kLargestVariance * std::pow(i + 1, -which.decay));
    }
    return turn() * sds.asDiagonal() * turn();
  };
  World world;
  world.correlations = VectorXd::Zero(k);
  for (std::size_t j = 0; j < which.correlations.size(); ++j) {
    world.correlations[Eigen::Index(j)] = which.correlations[j];
  }
  MatrixXd variates = MatrixXd::Zero(which.dy, d);
  for (int i = 0; i < which.dy; ++i) {
    const double rho = i < k ? world.correlations[i] : 0;
    if (i < k) variates(i, i) = rho;
    variates(i, which.dx + i) = std::sqrt(1 - rho * rho);
  }
  world.root = MatrixXd::Zero(d, d);
  world.root.topLeftCorner(which.dx, which.dx) = root_of(which.dx);
  world.root.bottomRows(which.dy) = root_of(which.dy) * variates;
  world.eigenvalues = pm::spectrum(world.root * world.root.transpose()).values;
  return world;
}

pm::MomentSums release(const Case& which, const World& world, pm::Drbg& random) {
  const int d = which.dx + which.dy;
  const double n = which.rows;
  VectorXd mean;
  MatrixXd scatter;
  if (which.kind == Rows::kNormal) {
    mean = world.root * filled(d, 1, [&] { return pm::standardNormal(random); }) / std::sqrt(n);
    MatrixXd factor = MatrixXd::Zero(d, d);
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < i; ++j) factor(i, j) = pm::standardNormal(random);
      factor(i, i) = std::sqrt(pm::chiSquare(n - 1 - i, random));
    }
    const MatrixXd z = world.root * factor;
    scatter = z * z.transpose();
  } else {
    MatrixXd z = world.root * filled(d, which.rows, [&] {
                   const double u = 2 * pm::uniformOpen(random) - 1;
                   if (which.kind == Rows::kUniform) return std::sqrt(3.0) * u;
                   return u < 0 ? -1.0 : 1.0;
                 });
    mean = z.rowwise().mean();
    z.colwise() -= mean;
    scatter = z * z.transpose();
  }
  pm::MomentSums sums;
  sums.dimension = d;
  sums.constant = std::sqrt(0.5 * d);
  sums.rows = n;
  const int freedom = which.family == pm::NoiseFamily::kWishart ? 4 * d : d + 2;
  sums.noise = pm::SumNoise::everywhere(
      {std::sqrt(2.0) * which.noise * n, which.noise * n, which.family, which.releases, freedom});
  if (which.family == pm::NoiseFamily::kLaplace) sums.noise.diagonal = sums.noise.off_diagonal;
  sums.mid = VectorXd::Zero(d);
  sums.half = VectorXd::Ones(d);
  MatrixXd moments = pm::NoiseDraw(sums.noise, d).draw(random);
  moments.row(0).tail(d) += n * sums.constant * mean.transpose();
  moments.bottomRightCorner(d, d) += scatter + n * mean * mean.transpose();
  for (int i = 0; i <= d; ++i) {
    for (int j = i; j <= d; ++j) sums.packed.push_back(moments(i, j));
  }
  return sums;
}

// Counts for one figure over the trials.
struct Tally {
  int trials = 0;
  int covered = 0;
  int above = 0;
  int covered_above = 0;
  int too_high = 0;  // intervals above the truth, among values above the floor
  int outside = 0;   // estimates outside their own interval
  double length = 0;
  double mean = 0;

  void add(double truth, double value, const pm::Interval& interval, bool below) {
    const bool covers = interval.low <= truth && truth <= interval.high;
    ++trials;
    covered += covers;
    if (below) return;
    ++above;
    covered_above += covers;
    too_high += truth < interval.low;
    outside += value < interval.low || value > interval.high;
    length += interval.high - interval.low;
    mean += value;
  }

  void print(const char* what, double truth) const {
    const double n = std::max(1, above);
    const double share = covered_above / n;
    std::printf("  %-9s %5.3f  above %5.1f %%", what, truth, 100.0 * above / trials);
    if (above > 0) {
      std::printf(
          "  covered %5.1f +- %.1f %% (too high %4.1f)  length %.3f  value %.3f  outside %.1f %%",
          100 * share, 100 * std::sqrt(std::max(share * (1 - share), 0.01) / n), 100 * too_high / n,
          length / n, mean / n, 100 * outside / n);
    }
    std::printf("  all %5.1f %%\n", 100.0 * covered / trials);
  }
};

// Counts for the weights or loadings of one component: for each trial the share, over the features
// of all views, of intervals that contain the population's value.
struct Directions {
  int trials = 0;
  int above = 0;
  double covered = 0;
  double squares = 0;
  double length = 0;

  void print(const char* what, double truth) const {
    const double n = std::max(1, above);
    const double share = covered / n;
    std::printf("  %-9s %5.3f  above %5.1f %%", what, truth, 100.0 * above / trials);
    if (above > 0) {
      std::printf("  covered %5.1f +- %.1f %%  length %.3f", 100 * share,
                  100 * std::sqrt(std::max(squares / n - share * share, 0.0) / n), length / n);
    }
    std::printf("\n");
  }

  void add(const MatrixXd& holds, const MatrixXd& lengths) {
    ++above;
    const double share = holds.mean();
    covered += share;
    squares += share * share;
    length += lengths.mean();
  }
};

struct Variates {
  std::vector<std::vector<int>> views;
  MatrixXd covariance;  // of the population
  std::vector<pm::CanonicalView> truth;
};

Variates variatesOf(const pm::NoisyCovariance& population,
                    const std::vector<std::vector<int>>& views, int components) {
  const pm::Views exact(population, views);
  return {
      views, population.covariance,
      views.size() == 2 ? pm::ccaVariates(exact, components) : pm::gccaVariates(exact, components)};
}

// Component j of the truth, with the sign in which its variates agree with the estimated ones.
void addVariates(const Variates& population, const std::vector<pm::CanonicalView>& found,
                 const std::vector<pm::ViewIntervals>& intervals, int j, bool below,
                 Directions& weights, Directions& loadings) {
  ++weights.trials;
  ++loadings.trials;
  if (below) return;
  const std::vector<std::vector<int>>& views = population.views;
  double agreement = 0;
  Eigen::Index features = 0;
  for (std::size_t v = 0; v < views.size(); ++v) {
    agreement += population.truth[v].weights.col(j).dot(population.covariance(views[v], views[v]) *
                                                        found[v].weights.col(j));
    features += Eigen::Index(views[v].size());
  }
  const double sign = agreement < 0 ? -1 : 1;
  MatrixXd holds(features, 2);
  MatrixXd lengths(features, 2);
  Eigen::Index next = 0;
  for (std::size_t v = 0; v < views.size(); ++v) {
    const pm::CanonicalView& truth = population.truth[v];
    const pm::ViewIntervals& own = intervals[v];
    for (std::size_t i = 0; i < views[v].size(); ++i, ++next) {
      const auto count = [&](int what, const MatrixXd& is, const MatrixXd& low,
                             const MatrixXd& high) {
        const Eigen::Index at = Eigen::Index(i);
        const double value = sign * is(at, j);
        // The loading of a view with one feature is 1 up to rounding, and so is its interval.
        constexpr double kRounding = 1e-9;
        holds(next, what) = low(at, j) - kRounding <= value && value <= high(at, j) + kRounding;
        lengths(next, what) = high(at, j) - low(at, j);
      };
      count(0, truth.weights, own.weights_low, own.weights_high);
      count(1, truth.loadings, own.loadings_low, own.loadings_high);
    }
  }
  weights.add(holds.col(0), lengths.col(0));
  loadings.add(holds.col(1), lengths.col(1));
}

// Counts for principal components.
struct Principal {
  std::vector<Directions> loadings;
  std::vector<Directions> correlations;

  explicit Principal(int components) : loadings(components), correlations(components) {}

  // Component j of `truth`, with the sign in which it agrees with the estimate.
  void add(const pm::Pca& truth, const pm::Pca& found, const pm::PcaIntervals& intervals, int j) {
    ++loadings[j].trials;
    ++correlations[j].trials;
    if (intervals.values[j].below_noise_floor) return;
    const double sign = truth.loadings.col(j).dot(found.loadings.col(j)) < 0 ? -1 : 1;
    const auto count = [&](const MatrixXd& is, const MatrixXd& low, const MatrixXd& high,
                           Directions& tally) {
      const Eigen::ArrayXd values = sign * is.col(j).array();
      const auto holds = low.col(j).array() <= values && values <= high.col(j).array();
      tally.add(holds.cast<double>().matrix(), high.col(j) - low.col(j));
    };
    count(truth.loadings, intervals.loadings_low, intervals.loadings_high, loadings[j]);
    count(truth.correlations, intervals.correlations_low, intervals.correlations_high,
          correlations[j]);
  }

  void print(const std::vector<double>& variances) const {
    for (std::size_t j = 0; j < loadings.size(); ++j) loadings[j].print("PC", variances[j]);
    for (std::size_t j = 0; j < loadings.size(); ++j)
      correlations[j].print("PC cor.", variances[j]);
  }
};

void run(const Case& which, int trials) {
  const int d = which.dx + which.dy;
  const auto planted = which.correlations.size();
  const int shown = std::min<int>(int(planted) + 1, std::min(which.dx, which.dy));
  const int components = std::min(2, d);
  std::vector<Tally> correlations(shown);
  std::vector<Tally> variances(components);
  std::vector<Tally> shares(components);
  Principal principals(components);
  std::vector<Directions> weights(planted);
  std::vector<Directions> loadings(planted);
  int resolved = 0;
  pm::Drbg random = experiments::seeded(17);
  VectorXd eigenvalues = VectorXd::Zero(d);
  for (int t = 0; t < trials; ++t) {
    const World world = plant(which, random);
    eigenvalues += world.eigenvalues / trials;
    const pm::MomentSums sums = release(which, world, random);
    const pm::Bootstrap bootstrap =
        pm::Bootstrap::create(sums, {0.95, kDraws, std::uint64_t(t) + 1}).value();
    pm::CcaInput input;
    input.covariance = bootstrap.moments().scaled_covariance;
    input.noise = bootstrap.moments().covariance_noise;
    input.trace_bound = d;
    input.half = VectorXd::Ones(d);
    input.x.resize(which.dx);
    std::iota(input.x.begin(), input.x.end(), 0);
    input.y.resize(which.dy);
    std::iota(input.y.begin(), input.y.end(), which.dx);
    input.components = shown;
    const pm::SharedIntervals found = pm::ccaIntervals(bootstrap, input).value();
    const pm::Cca analysed = pm::cca(input).value();
    resolved += found.resolved;
    for (int j = 0; j < shown; ++j) {
      const pm::FigureInterval& interval = found.values[j];
      correlations[j].add(world.correlations[j], analysed.correlations[j].value, interval,
                          interval.below_noise_floor);
    }
    pm::NoisyCovariance exact = input;
    exact.covariance = world.root * world.root.transpose();
    exact.noise = {};
    const Variates population = variatesOf(exact, {input.x, input.y}, shown);
    for (std::size_t j = 0; j < planted; ++j) {
      addVariates(population, {analysed.x, analysed.y}, found.views, int(j),
                  found.values[j].below_noise_floor, weights[j], loadings[j]);
    }
    pm::PcaInput all;
    static_cast<pm::NoisyCovariance&>(all) = input;
    all.components = components;
    const pm::PcaIntervals components_found = pm::pcaIntervals(bootstrap, all).value();
    const pm::Pca principal = pm::pca(all).value();
    static_cast<pm::NoisyCovariance&>(all) = exact;
    const pm::Pca whole = pm::pca(all).value();
    for (int j = 0; j < components; ++j) {
      const double truth = world.eigenvalues[j];
      const bool below = components_found.values[j].below_noise_floor;
      variances[j].add(truth, principal.explained[j].value, components_found.values[j], below);
      shares[j].add(truth / world.eigenvalues.sum(), principal.explained[j].share,
                    components_found.shares[j], below);
      principals.add(whole, principal, components_found, j);
    }
  }
  std::printf("%s: %d + %d features, %d rows, noise %g, resolved %.0f %%, %d trials\n",
              which.name.c_str(), which.dx, which.dy, which.rows, which.noise,
              100.0 * resolved / trials, trials);
  for (int j = 0; j < shown; ++j) {
    correlations[j].print("rho", j < int(planted) ? which.correlations[j] : 0);
  }
  for (std::size_t j = 0; j < planted; ++j) weights[j].print("weights", which.correlations[j]);
  for (std::size_t j = 0; j < planted; ++j) loadings[j].print("loadings", which.correlations[j]);
  for (int j = 0; j < components; ++j) variances[j].print("variance", eigenvalues[j]);
  for (int j = 0; j < components; ++j) shares[j].print("share", eigenvalues[j] / eigenvalues.sum());
  principals.print({eigenvalues.begin(), eigenvalues.end()});
  std::fflush(stdout);
}

// Categories: each view is a category of several levels, the first of them rare, and a number
// clamped to at most 1.
constexpr int kCategoryFeatures = 9;
const std::vector<int> kCategoryColumns = {0, 0, 0, 0, 1, 2, 2, 2, 3};

void fillRow(double dependence, pm::Drbg& random, VectorXd& row) {
  const auto normal = [&] { return pm::standardNormal(random); };
  const auto shared = [&](double common) {
    return dependence * common + std::sqrt(1 - dependence * dependence) * normal();
  };
  const double common = normal();
  const double x = shared(common);
  const double y = shared(common);
  row.setZero();
  row[x < -1.6 ? 0 : x < 0 ? 1 : x < 1.3 ? 2 : 3] = 1;
  row[y < -1.5 ? 5 : y < 0.5 ? 6 : 7] = 1;
  row[4] = std::clamp(0.4 * (common + normal()), -1.0, 1.0);
  row[8] = std::clamp(0.4 * (0.6 * common - normal()), -1.0, 1.0);
}

MatrixXd sumOfRows(int rows, double constant, double dependence, pm::Drbg& random) {
  VectorXd row(kCategoryFeatures);
  VectorXd augmented(kCategoryFeatures + 1);
  augmented[0] = constant;
  MatrixXd sum = MatrixXd::Zero(kCategoryFeatures + 1, kCategoryFeatures + 1);
  for (int i = 0; i < rows; ++i) {
    fillRow(dependence, random, row);
    augmented.tail(kCategoryFeatures) = row;
    sum.noalias() += augmented * augmented.transpose();
  }
  return sum;
}

void runCategories(double dependence, int rows, double noise, int trials) {
  constexpr int kPopulation = 3000000;
  constexpr int kPairs = 2;
  pm::Drbg random = experiments::seeded(18);
  const MatrixXd all = sumOfRows(kPopulation, 1, dependence, random) / kPopulation;
  const VectorXd mean = all.col(0).tail(kCategoryFeatures);
  pm::CcaInput input;
  input.covariance =
      all.bottomRightCorner(kCategoryFeatures, kCategoryFeatures) - mean * mean.transpose();
  input.trace_bound = kCategoryFeatures;
  input.half = VectorXd::Ones(kCategoryFeatures);
  input.columns = kCategoryColumns;
  input.x = {0, 1, 2, 3, 4};
  input.y = {5, 6, 7, 8};
  input.components = kPairs;
  const pm::Cca truth = pm::cca(input).value();
  pm::PcaInput principal;
  static_cast<pm::NoisyCovariance&>(principal) = input;
  principal.components = kPairs;
  const pm::Pca variances = pm::pca(principal).value();

  const Variates population = variatesOf(input, {input.x, input.y}, kPairs);
  std::vector<Directions> weights(kPairs);
  std::vector<Directions> loadings(kPairs);
  std::vector<Tally> correlations(kPairs);
  std::vector<Tally> values(kPairs);
  Principal principals(kPairs);
  std::vector<Tally> shares(kPairs);
  pm::MomentSums sums;
  sums.dimension = kCategoryFeatures;
  sums.constant = std::sqrt(0.5 * kCategoryFeatures);
  sums.rows = rows;
  sums.noise = pm::SumNoise::everywhere({std::sqrt(2.0) * noise * rows, noise * rows});
  sums.mid = VectorXd::Zero(kCategoryFeatures);
  sums.half = VectorXd::Ones(kCategoryFeatures);
  for (int t = 0; t < trials; ++t) {
    const MatrixXd moments = sumOfRows(rows, sums.constant, dependence, random) +
                             pm::NoiseDraw(sums.noise, kCategoryFeatures).draw(random);
    sums.packed.clear();
    for (int i = 0; i <= kCategoryFeatures; ++i) {
      for (int j = i; j <= kCategoryFeatures; ++j) sums.packed.push_back(moments(i, j));
    }
    const pm::Bootstrap bootstrap =
        pm::Bootstrap::create(sums, {0.95, kDraws, std::uint64_t(t) + 1}, kCategoryColumns).value();
    input.covariance = bootstrap.moments().scaled_covariance;
    input.noise = bootstrap.moments().covariance_noise;
    static_cast<pm::NoisyCovariance&>(principal) = input;
    const pm::SharedIntervals found = pm::ccaIntervals(bootstrap, input).value();
    const pm::Cca analysed = pm::cca(input).value();
    const pm::PcaIntervals components = pm::pcaIntervals(bootstrap, principal).value();
    const pm::Pca explained = pm::pca(principal).value();
    for (int j = 0; j < kPairs; ++j) {
      correlations[j].add(truth.correlations[j].value, analysed.correlations[j].value,
                          found.values[j], found.values[j].below_noise_floor);
      addVariates(population, {analysed.x, analysed.y}, found.views, j,
                  found.values[j].below_noise_floor, weights[j], loadings[j]);
      const bool below = components.values[j].below_noise_floor;
      values[j].add(variances.explained[j].value, explained.explained[j].value,
                    components.values[j], below);
      shares[j].add(variances.explained[j].share, explained.explained[j].share,
                    components.shares[j], below);
      principals.add(variances, explained, components, j);
    }
  }
  std::printf("categories, dependence %g: %d rows, noise %g, %d trials\n", dependence, rows, noise,
              trials);
  for (int j = 0; j < kPairs; ++j) correlations[j].print("rho", truth.correlations[j].value);
  for (int j = 0; j < kPairs; ++j) weights[j].print("weights", truth.correlations[j].value);
  for (int j = 0; j < kPairs; ++j) loadings[j].print("loadings", truth.correlations[j].value);
  for (int j = 0; j < kPairs; ++j) values[j].print("variance", variances.explained[j].value);
  for (int j = 0; j < kPairs; ++j) shares[j].print("share", variances.explained[j].share);
  principals.print({variances.explained[0].value, variances.explained[1].value});
  std::fflush(stdout);
}

// Three views of three features. Their first variates all correlate with 0.6, the second with 0.3.
void runThreeViews(int rows, double noise, int trials) {
  constexpr int kViews = 3;
  constexpr int kSize = 3;
  constexpr int kFeatures = kViews * kSize;
  const std::vector<double> truth = {0.6, 0.3};
  MatrixXd covariance = kLargestVariance * MatrixXd::Identity(kFeatures, kFeatures);
  for (int v = 0; v < kViews; ++v) {
    for (int w = 0; w < kViews; ++w) {
      for (int j = 0; v != w && j < int(truth.size()); ++j) {
        covariance(v * kSize + j, w * kSize + j) = kLargestVariance * truth[j];
      }
    }
  }
  pm::MomentSums sums;
  sums.dimension = kFeatures;
  sums.constant = std::sqrt(0.5 * kFeatures);
  sums.rows = rows;
  sums.noise = pm::SumNoise::everywhere({std::sqrt(2.0) * noise * rows, noise * rows});
  sums.mid = VectorXd::Zero(kFeatures);
  sums.half = VectorXd::Ones(kFeatures);
  sums.packed.resize((kFeatures + 1) * (kFeatures + 2) / 2);
  const pm::Population population(sums, rows, VectorXd::Zero(kFeatures), covariance);
  pm::GccaInput input;
  input.trace_bound = kFeatures;
  input.half = VectorXd::Ones(kFeatures);
  for (int v = 0; v < kViews; ++v) {
    std::vector<int> view(kSize);
    std::iota(view.begin(), view.end(), v * kSize);
    input.views.push_back(view);
  }
  input.components = int(truth.size());
  input.covariance = covariance;
  const Variates whole = variatesOf(input, input.views, input.components);
  std::vector<Tally> shared(truth.size());
  std::vector<Directions> weights(truth.size());
  std::vector<Directions> loadings(truth.size());
  pm::Drbg random = experiments::seeded(19);
  for (int t = 0; t < trials; ++t) {
    const pm::AssembledMoments drawn = population.draw(random);
    sums.packed.clear();
    for (int i = 0; i <= kFeatures; ++i) {
      for (int j = i; j <= kFeatures; ++j) sums.packed.push_back(drawn.second_moments(i, j));
    }
    const pm::Bootstrap bootstrap =
        pm::Bootstrap::create(sums, {0.95, kDraws, std::uint64_t(t) + 1}).value();
    input.covariance = bootstrap.moments().scaled_covariance;
    input.noise = bootstrap.moments().covariance_noise;
    const pm::SharedIntervals found = pm::gccaIntervals(bootstrap, input).value();
    const pm::Gcca analysed = pm::gcca(input).value();
    for (std::size_t j = 0; j < truth.size(); ++j) {
      shared[j].add(truth[j], analysed.components[j].value, found.values[j],
                    found.values[j].below_noise_floor);
      addVariates(whole, analysed.views, found.views, int(j), found.values[j].below_noise_floor,
                  weights[j], loadings[j]);
    }
  }
  std::printf("three views: %d rows, noise %g, %d trials\n", rows, noise, trials);
  for (std::size_t j = 0; j < truth.size(); ++j) shared[j].print("shared", truth[j]);
  for (std::size_t j = 0; j < truth.size(); ++j) weights[j].print("weights", truth[j]);
  for (std::size_t j = 0; j < truth.size(); ++j) loadings[j].print("loadings", truth[j]);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const int trials = argc > 1 ? std::atoi(argv[1]) : 1000;
  const std::string part = argc > 2 ? argv[2] : "";
  for (const Case& which : kCases) {
    if (which.name.find(part) == std::string::npos) continue;
    run(which, std::max(20, int(trials * which.effort)));
  }
  if (std::string("three views").find(part) != std::string::npos) {
    for (const auto& [rows, noise] : {std::pair{2000, 0.003}, std::pair{500, 0.01},
                                      std::pair{24000, 0.01}, std::pair{24000, 0.02}}) {
      runThreeViews(rows, noise, trials);
    }
  }
  if (std::string("categories").find(part) == std::string::npos) return 0;
  runCategories(0.7, 2000, 0.0005, trials);
  runCategories(0.7, 2000, 0.005, trials);
  runCategories(0.95, 2000, 0.0005, trials);
}
