// Compares `denoise` with answering zero, the plain release and six other estimates, on covariances
// of real sets and of simulated ones: the mean of |Ĉ - C|_F / |C|_F, with the same draws for all
// estimates. Studies know the range of each column and the length of the longest row (replace-one,
// delta 1e-6 where a mechanism has one).
//
// usage: denoise <folder of sets> <folder for results> [quick]
// Writes denoise.csv, and in denoise-worst.csv the largest error relative to the best of the
// others.
#include "core/analysis/noise/denoise.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/registry.hpp"
#include "experiments/ours/real_rows.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace {

using experiments::Moments;
using experiments::ResultsFile;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kDelta = 1e-6;

/// The exact moments of rows in scaled units that are no longer than `norm`.
struct Data {
  std::string name;
  double n = 0;
  double norm = 0;
  Vector mean;
  Matrix second;  ///< divided by n

  int dimension() const { return int(mean.size()); }
  Matrix covariance() const { return second - mean * mean.transpose(); }
};

Data dataOf(const std::string& name, const Matrix& rows) {
  return {name, double(rows.rows()), rows.rowwise().norm().maxCoeff(), rows.colwise().mean(),
          rows.transpose() * rows / double(rows.rows())};
}

struct NamedFamily {
  const char* name;
  pm::NoiseFamily family;
};

constexpr NamedFamily kFamilies[] = {
    {"gaussian", pm::NoiseFamily::kGaussian},
    {"two-sided-wishart", pm::NoiseFamily::kTwoSidedWishart},
    {"laplace", pm::NoiseFamily::kLaplace},
    {"frobenius", pm::NoiseFamily::kFrobenius},
    {"wishart", pm::NoiseFamily::kWishart},
};

/// The noise of one release of a study of these data, in scaled units.
pm::SumNoise noiseOf(const NamedFamily& mechanism, double epsilon, const Data& data) {
  pm::MechanismParams params{};
  params.epsilon = epsilon;
  params.delta = kDelta;
  params.neighbours = pm::Neighbours::kReplaceOne;
  params.unit = pm::Unit::kRow;
  params.dimension = data.dimension();
  params.row_norm = data.norm;
  const pm::Plan plan = pm::findMechanism(mechanism.name)->plan(params).value();
  const double unit = std::ldexp(data.norm * data.norm, -2 * plan.bits);
  const bool wishart = mechanism.family == pm::NoiseFamily::kTwoSidedWishart ||
                       mechanism.family == pm::NoiseFamily::kWishart;
  pm::SumNoise noise;
  noise.diagonal = plan.sd_diagonal * unit;
  noise.off_diagonal = noise.linear = plan.sd_off_diagonal * unit;
  noise.family = mechanism.family;
  noise.freedom = wishart ? plan.freedom : 0;
  return noise;
}

/// A release of the data, assembled as an analyst would.
pm::AssembledMoments released(const Data& data, const pm::SumNoise& law, pm::Drbg& random) {
  const int d = data.dimension();
  pm::MomentSums sums;
  sums.dimension = d;
  sums.constant = data.norm / std::sqrt(2.0);
  sums.rows = data.n;
  sums.noise = law;
  sums.mid = Vector::Zero(d);
  sums.half = Vector::Ones(d);
  Matrix exact(d + 1, d + 1);
  exact(0, 0) = sums.constant * sums.constant;
  exact.row(0).tail(d) = sums.constant * data.mean.transpose();
  exact.bottomRightCorner(d, d) = data.second;
  exact = data.n * exact + pm::NoiseDraw(law, d).draw(random);
  for (int i = 0; i <= d; ++i) {
    for (int j = i; j <= d; ++j) sums.packed.push_back(exact(i, j));
  }
  return pm::assembleMoments(sums).value();
}

// The estimates for comparison, which map eigenvalues to eigenvalues.

/// l - 2 s^2 D Re G(l - i s) (Bun et al. 2016, for the semicircle), moved into [0, bound], then the
/// trace projection.
Vector semicircle(const Vector& values, double s, double bound) {
  Vector moved(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    std::complex<double> g = 0;
    for (const double other : values) g += 1.0 / std::complex<double>(values[i] - other, -s);
    moved[i] = std::clamp(values[i] - 2 * s * s * g.real(), 0.0, bound);
  }
  return pm::projectOntoCappedSimplex(moved, std::clamp(values.sum(), 0.0, bound));
}

double jamesStein(const Vector& values, double s) {
  const double m = double(values.size() * (values.size() + 1)) / 2;
  return std::max(0.0, 1 - 2 * s * s * std::max(0.0, m - 2) / values.squaredNorm());
}

constexpr std::array kEstimates = {"zero",
                                   "raw",
                                   "trace-projection",
                                   "rie",
                                   "james-stein",
                                   "james-stein-projected",
                                   "james-stein-rie",
                                   "soft-threshold",
                                   "denoise"};
constexpr std::size_t kOurs = kEstimates.size() - 1;

/// |C_hat - C|_F of every estimate for one draw.
std::array<double, kEstimates.size()> errors(const Data& data, const pm::SumNoise& law,
                                             const Matrix& truth, pm::Drbg& random) {
  const pm::AssembledMoments moments = released(data, law, random);
  const double bound = data.norm * data.norm;
  const pm::Spectrum noisy = pm::spectrum(moments.scaled_covariance);
  const pm::NoiseLaw& noise = moments.covariance_noise;
  const double s = noise.off_diagonal;

  const Vector projection = pm::projectEigenvalues(noisy.values, bound);
  const Vector rie = semicircle(noisy.values, s, bound);
  const double j = jamesStein(noisy.values, s);
  const double edge = pm::spectralEdge(noise, data.dimension());
  const Vector soft = (noisy.values.array() - edge).cwiseMax(0.0);

  // For estimates with the noisy eigenvectors |C_hat - C|^2 = |C|^2 - 2 w . (v' C v) + |w|^2.
  const Vector inside = (noisy.vectors.cwiseProduct(truth * noisy.vectors)).colwise().sum();
  const double square = truth.squaredNorm();
  const auto error = [&](const Vector& w) {
    return std::sqrt(std::max(0.0, square - 2 * w.dot(inside) + w.squaredNorm()));
  };
  const pm::NoisyCovariance input{
      moments.scaled_covariance, noise, bound, Vector::Ones(data.dimension()), {}};
  return {std::sqrt(square),
          error(noisy.values),
          error(projection),
          error(rie),
          error(j * noisy.values),
          error(j * projection),
          error(j * rie),
          error(soft),
          (pm::denoise(input).value().covariance - truth).norm()};
}

struct Cell {
  std::array<Moments, kEstimates.size()> errors;
  double worst = 0;  ///< ours over the best of the others
};

Cell measure(const Data& data, const NamedFamily& mechanism, double epsilon, int repetitions) {
  const pm::SumNoise law = noiseOf(mechanism, epsilon, data);
  const Matrix truth = data.covariance();
  const double norm = truth.norm();
  Cell cell;
  for (int run = 0; run < repetitions; ++run) {
    pm::Drbg random = experiments::seeded(1000 + std::uint64_t(run));
    const auto all = errors(data, law, truth, random);
    for (std::size_t e = 0; e < all.size(); ++e) cell.errors[e].add(all[e] / norm);
  }
  double best = cell.errors[0].mean();
  for (std::size_t e = 1; e < kOurs; ++e) best = std::min(best, cell.errors[e].mean());
  cell.worst = cell.errors[kOurs].mean() / best;
  return cell;
}

void measure(const Data& data, bool quick, ResultsFile& file, ResultsFile& worst) {
  const int repetitions = quick ? 4 : data.dimension() > 50 ? 60 : 400;
  for (const NamedFamily& mechanism : kFamilies) {
    double largest = 0;
    for (const double epsilon : {.01, .03, .1, .3, 1., 3., 10.}) {
      const Cell cell = measure(data, mechanism, epsilon, repetitions);
      largest = std::max(largest, cell.worst);
      for (std::size_t e = 0; e < kEstimates.size(); ++e) {
        file.line(data.name, int(data.n), data.dimension(), mechanism.name, kEstimates[e], epsilon,
                  cell.errors[e], repetitions);
      }
    }
    worst.line(data.name, data.dimension(), mechanism.name, largest, repetitions);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: denoise <folder of sets> <folder for results> [quick]\n");
    return 2;
  }
  const bool quick = count > 3;
  const std::filesystem::path out = arguments[2];
  ResultsFile file(out / "denoise.csv",
                   {"set", "rows", "features", "mechanism", "method", "epsilon", "error",
                    "error_low", "error_high", "repetitions"});
  ResultsFile worst(out / "denoise-worst.csv",
                    {"set", "features", "mechanism", "ratio", "repetitions"});
  std::vector<Data> all;
  for (const auto& set :
       ours::setsFrom(arguments[1], {"wine", "breast_cancer", "digits", "adult"})) {
    all.push_back(dataOf(set.name, ours::inRanges(set.cells)));
  }
  // With this few numbers no estimate can be near the best one everywhere.
  all.push_back(dataOf("five columns", ours::normalRows(2000, Vector{{4, 2, 1, .5, .1}}, 3)));
  all.push_back(dataOf("one column", ours::normalRows(500, Vector::Ones(1), 4)));
  for (const Data& data : all) measure(data, quick, file, worst);
  return 0;
}
