// Compares `denoise` with answering zero and with four other estimates, on the covariances of
// experiments/scatter.mjs and of two simulated sets. For every data set, mechanism and epsilon it
// prints the mean of |C_hat - C|_F / |C|_F, with the same draws for all estimates. Exits with 1 if
// ours is more than 1.05 times the best of the others.
//
// usage: denoise <folder with the .moments.txt files>
#include "core/analysis/noise/denoise.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/random/continuous.hpp"

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kBar = 1.05;
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

pm::Drbg seeded(std::uint64_t number) {
  pm::Seed seed{};
  for (std::size_t i = 0; i < 8; ++i) seed[i] = std::uint8_t(number >> (8 * i));
  return pm::Drbg(seed);
}

Data read(const std::filesystem::path& path) {
  std::ifstream in(path);
  Data data;
  int d = 0;
  in >> data.name >> data.n >> d >> data.norm;
  data.mean.resize(d);
  data.second.resize(d, d);
  for (int i = 0; i < d; ++i) in >> data.mean[i];
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) in >> data.second(i, j);
  }
  return data;
}

/// n normal rows with these population variances along random directions, divided by the largest
/// length.
Data simulated(const std::string& name, int n, const Vector& variances, std::uint64_t seed) {
  const Eigen::Index d = variances.size();
  pm::Drbg random = seeded(seed);
  const auto normals = [&](Eigen::Index rows) {
    return Matrix(Matrix::NullaryExpr(rows, d, [&]() { return pm::standardNormal(random); }));
  };
  const Matrix axes = Eigen::HouseholderQR<Matrix>(normals(d)).householderQ();
  Matrix rows = normals(n) * variances.cwiseSqrt().asDiagonal() * axes.transpose();
  rows /= rows.rowwise().norm().maxCoeff();
  return {name, double(n), 1, rows.colwise().mean(), rows.transpose() * rows / n};
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
                                   "trace projection",
                                   "RIE of the semicircle",
                                   "James-Stein, release",
                                   "James-Stein, projection",
                                   "James-Stein, RIE",
                                   "soft threshold",
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
          error(projection),
          error(rie),
          error(j * noisy.values),
          error(j * projection),
          error(j * rie),
          error(soft),
          (pm::denoise(input).value().covariance - truth).norm()};
}

struct Cell {
  std::array<double, kEstimates.size()> means{};
  std::size_t best = 0;  ///< best of the others
  double ratio = 0;      ///< ours / best
  double error = 0;      ///< standard error of that ratio
};

Cell summary(const std::vector<std::array<double, kEstimates.size()>>& all) {
  const double runs = double(all.size());
  Cell cell;
  for (const auto& run : all) {
    for (std::size_t e = 0; e < cell.means.size(); ++e) cell.means[e] += run[e] / runs;
  }
  for (std::size_t e = 0; e < kOurs; ++e) {
    if (cell.means[e] < cell.means[cell.best]) cell.best = e;
  }
  cell.ratio = cell.means[kOurs] / cell.means[cell.best];
  double squares = 0;
  for (const auto& run : all) squares += std::pow(run[kOurs] - cell.ratio * run[cell.best], 2);
  cell.error = std::sqrt(squares) / runs / cell.means[cell.best];
  return cell;
}

/// Draws until the standard error of the ratio is 0.5 %.
Cell measure(const Data& data, const NamedFamily& mechanism, double epsilon) {
  constexpr int kFewest = 50, kMost = 2000;
  constexpr double kPrecise = 0.005;
  const pm::SumNoise law = noiseOf(mechanism, epsilon, data);
  const Matrix truth = data.covariance();
  std::vector<std::array<double, kEstimates.size()>> all;
  Cell cell;
  do {
    for (int run = 0; run < kFewest; ++run) {
      pm::Drbg random = seeded(1000 + all.size());
      all.push_back(errors(data, law, truth, random));
    }
    cell = summary(all);
  } while (cell.error > kPrecise && all.size() < kMost);
  return cell;
}

constexpr std::array kEpsilons = {.01, .02, .05, .1, .2, .5, 1., 2., 4.};

/// Prints all errors if `whole`, and the ratio; returns the largest ratio.
double print(const Data& data, const NamedFamily& mechanism, bool whole) {
  std::vector<Cell> cells;
  for (const double epsilon : kEpsilons) cells.push_back(measure(data, mechanism, epsilon));
  for (std::size_t e = 1; whole && e < kEstimates.size(); ++e) {
    std::printf("%-18s%-24s", mechanism.name, kEstimates[e]);
    for (const Cell& cell : cells) std::printf("%7.3f", cell.means[e] / cell.means[0]);
    std::printf("\n");
  }
  std::printf("%-18s%-24s", mechanism.name, "denoise / best other");
  double worst = 0;
  for (const Cell& cell : cells) {
    std::printf("%7.3f", cell.ratio);
    worst = std::max(worst, cell.ratio);
  }
  std::printf("\n");
  std::fflush(stdout);
  return worst;
}

/// `whole`: prints every estimate's error, for the two mechanisms that a study would choose.
double print(const Data& data, bool whole) {
  const double square = data.norm * data.norm;
  const Matrix covariance = data.covariance();
  std::printf("%s: %g rows, %d columns, R %.3g, trace %.3g R^2, |C| %.3g R^2\n", data.name.c_str(),
              data.n, data.dimension(), data.norm, covariance.trace() / square,
              covariance.norm() / square);
  std::printf("%-42s", "mean error / |C|, epsilon =");
  for (const double epsilon : kEpsilons) std::printf("%7g", epsilon);
  std::printf("\n");
  double worst = 0;
  for (const NamedFamily& mechanism : kFamilies) {
    const bool chosen = mechanism.family == pm::NoiseFamily::kGaussian ||
                        mechanism.family == pm::NoiseFamily::kTwoSidedWishart;
    worst = std::max(worst, print(data, mechanism, whole && chosen));
  }
  std::printf("\n");
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: denoise <folder of moments>\n");
    return 2;
  }
  std::vector<Data> sets;
  for (const char* name : {"wine", "adult", "digits"}) {
    const std::filesystem::path path =
        std::filesystem::path(argv[1]) / (std::string(name) + ".moments.txt");
    if (std::filesystem::exists(path)) {
      sets.push_back(read(path));
    } else {
      std::printf("%s: skipped, there is no %s\n", name, path.c_str());
    }
  }
  const Vector ranks = Vector::LinSpaced(100, 1, 100);
  Vector factors = Vector::Constant(100, 0.05);
  factors.head(5) << 10, 6, 4, 2, 1;
  sets.push_back(simulated("decaying, simulated (variances 1/k)", 50000, ranks.cwiseInverse(), 1));
  sets.push_back(
      simulated("factors, simulated (variances 10, 6, 4, 2, 1 and 95 of .05)", 50000, factors, 2));

  double worst = 0;
  for (const Data& data : sets) worst = std::max(worst, print(data, true));
  // With this few numbers, no estimate can be near the best one everywhere, so there is no limit.
  print(
      simulated("five, simulated (variances 4, 2, 1, .5, .1)", 2000, Vector{{4, 2, 1, .5, .1}}, 3),
      false);
  print(simulated("one, simulated", 500, Vector::Ones(1), 4), false);
  std::printf("largest denoise / best other, but for the last two: %.3f (bar %.2f) %s\n", worst,
              kBar, worst <= kBar ? "holds" : "MISSED");
  return worst <= kBar ? 0 : 1;
}
