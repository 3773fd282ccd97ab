// How many proposals Kent, Ganeiber and Mardia's sampler takes for a direction, for the spectra
// that occur when a matrix is drawn direction by direction.
//
// usage: bingham_proposals <folder with the tables> <folder of the results> <runs> <runs on Adult>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/directions/exact_directions.hpp"
#include "core/random/continuous.hpp"
#include "core/random/exact_bingham.hpp"
#include "core/research/published/eigenvectors.hpp"
#include "experiments/covariance_estimation/matrix_methods.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {
namespace {

using experiments::Moments;
using experiments::ResultsFile;

constexpr double kEpsilons[] = {0.01, 0.1, 0.2, 0.5, 1, 2, 4};

/// The exponents of the draws of a run, from the eigenvalues of n rows.
using Kappas =
    std::function<std::vector<double>(const VectorXd& values, double n, double epsilon, pm::Drbg&)>;

struct ExponentRule {
  std::string key;
  Kappas kappas;
};

/// Equal shares of half of epsilon, with the exponents that the sensitivity allows.
std::vector<double> equalKappas(const VectorXd& values, double, double epsilon, pm::Drbg&) {
  const auto d = std::size_t(values.size());
  return std::vector<double>(d, epsilon / 4 / double(d - 1));
}

/// Shares by noisy eigenvalues, with `per_epsilon` times a draw's share of epsilon as exponent.
Kappas adaptiveKappas(double per_epsilon) {
  return [per_epsilon](const VectorXd& values, double, double epsilon, pm::Drbg& random) {
    std::vector<double> noisy(values.begin(), values.end());
    for (double& value : noisy) value += 4 / epsilon * pm::standardLaplace(random);
    std::vector<double> kappas = pm::adaptiveShares(noisy, pm::aminTau(epsilon, values.size()));
    for (double& kappa : kappas) kappa *= epsilon / 2 * per_epsilon;
    return kappas;
  };
}

std::vector<double> codeKappas(const VectorXd& values, double n, double epsilon, pm::Drbg& random) {
  return drawsOfCode(values, n, epsilon, random).kappas;
}

const ExponentRule kRules[] = {{"it-u", equalKappas},
                               {"ad-published", adaptiveKappas(0.25)},
                               {"ad", adaptiveKappas(0.5)},
                               {"ad-code", codeKappas}};

/// Proposals until one is kept.
int proposalsOf(const pm::BinghamEnvelope& envelope, pm::Drbg& random) {
  std::uint64_t undecided = 0;
  int proposals = 1;
  while (!pm::tryBingham(envelope, nullptr, random, undecided)) ++proposals;
  return proposals;
}

/// The first direction takes the most proposals: how often it is drawn in a run for its mean.
constexpr int kFirstDraws = 50;

double meanProposals(const pm::BinghamEnvelope& envelope, pm::Drbg& random) {
  double sum = 0;
  for (int i = 0; i < kFirstDraws; ++i) sum += proposalsOf(envelope, random);
  return sum / kFirstDraws;
}

/// The proposals of all draws of all runs, and means over runs.
struct Counts {
  std::vector<double> all;
  Moments mean;
  Moments first;  ///< of the first direction
};

Counts countProposals(const UnitScatter& data, const ExponentRule& rule, double epsilon, int runs,
                      std::uint64_t stream) {
  const int d = data.dimension();
  const std::vector<pm::Int128> totals = totalsOf(data.matrix);
  Counts counts;
  for (int run = 0; run < runs; ++run) {
    pm::Drbg random = experiments::seeded(std::uint64_t(run), 200 + stream);
    pm::Eigenbasis basis(std::span<const pm::Int128>(totals).subspan(std::size_t(d) + 1), d,
                         kRowBits);
    const std::vector<double> kappas = rule.kappas(basis.values(), data.rows, epsilon, random);
    Moments own;
    for (int q = d; q >= 2; --q) {
      const double kappa = kappas[std::size_t(d - q)];
      const pm::BinghamEnvelope envelope(basis.exponents(kappa));
      const int proposals = proposalsOf(envelope, random);
      counts.all.push_back(proposals);
      own.add(proposals);
      if (q == d) counts.first.add(meanProposals(envelope, random));
      std::vector<double> direction(static_cast<std::size_t>(d));
      std::uint64_t undecided = 0;
      pm::drawDirection(basis, kappa, random, direction, undecided);
      basis.leave(direction);
    }
    counts.mean.add(own.mean());
  }
  std::sort(counts.all.begin(), counts.all.end());
  return counts;
}

/// The most that the mean number can be in q dimensions, whatever the spectrum.
double mostProposals(int q) { return std::exp(-pm::binghamLimitLogAcceptance(q)); }

/// The mean of these for d, d - 1, .. 2 dimensions.
double meanMost(int d) {
  double sum = 0;
  for (int q = 2; q <= d; ++q) sum += mostProposals(q);
  return sum / (d - 1);
}

void write(const UnitScatter& data, int runs, ResultsFile& file) {
  std::uint64_t stream = 0;  // of each rule and epsilon
  for (const double epsilon : kEpsilons) {
    for (const ExponentRule& rule : kRules) {
      const Counts counts = countProposals(data, rule, epsilon, runs, stream++);
      const auto quantile = [&](double share) {
        return counts.all[std::size_t(share * double(counts.all.size() - 1))];
      };
      file.line(data.name, rule.key, epsilon, counts.mean, counts.first, quantile(0.5),
                quantile(0.9), counts.all.back(), counts.all.size(), runs);
    }
    const double mean = meanMost(data.dimension()), first = mostProposals(data.dimension());
    file.line(data.name, "bound", epsilon, mean, mean, mean, first, first, first, "", "", "", "",
              1);
  }
}

}  // namespace
}  // namespace covariance_estimation

int main(int argc, char** argv) {
  using namespace covariance_estimation;
  if (argc != 5) {
    std::fprintf(stderr, "usage: bingham_proposals <tables> <results> <runs> <runs on Adult>\n");
    return 2;
  }
  experiments::ResultsFile file(
      std::filesystem::path(argv[2]) / "proposals.csv",
      {"set", "method", "epsilon", "mean", "mean_low", "mean_high", "first", "first_low",
       "first_high", "median", "quantile_90", "most", "draws", "repetitions"});
  for (const UnitScatter& data : comparedSets(argv[1])) {
    write(data, std::atoi(argv[data.name == "adult" ? 4 : 3]), file);
  }
  return 0;
}
