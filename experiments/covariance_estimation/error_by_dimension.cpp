// Errors of estimates of a scatter matrix against its number of columns, for Adult's columns in a
// fixed order and for simulated variances.
//
// usage: error_by_dimension <folder with the tables> <folder of the results> <runs> <columns>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "experiments/covariance_estimation/matrix_methods.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {
namespace {

using experiments::Moments;
using experiments::ResultsFile;

constexpr int kDimensions[] = {5, 10, 20, 50, 100};
constexpr double kEpsilons[] = {0.1, 1, 10};
constexpr double kSimulatedRows = 50000;

std::vector<MatrixMethod> methods() {
  return {publishedLaplace(),
          tightLaplace(),
          wishartMethod(),
          kapralovTalwarMethod(),
          publishedAdaptive(),
          eigenMethod("ad", pm::EigenMethod::kAdaptive),
          eigenMethod("it-r", pm::EigenMethod::kRayleigh)};
}

void write(const UnitScatter& data, int runs, ResultsFile& file) {
  const std::vector<MatrixMethod> all = methods();
  for (const double epsilon : kEpsilons) {
    const std::string panel = caseOf(data.name, epsilon);
    Moments zero;
    zero.add(data.matrix.norm() / data.rows);
    file.line(data.name, panel, "zero", epsilon, data.dimension(), zero, 1);
    for (std::size_t m = 0; m < all.size(); ++m) {
      Moments errors;
      for (int run = 0; run < runs; ++run) {
        pm::Drbg random = experiments::seeded(std::uint64_t(run), 300 + m);
        errors.add(errorsOf(data, all[m].run(data, epsilon, random)).front());
      }
      file.line(data.name, panel, all[m].key, epsilon, data.dimension(), errors, runs);
    }
  }
}

}  // namespace
}  // namespace covariance_estimation

int main(int argc, char** argv) {
  using namespace covariance_estimation;
  if (argc != 5) {
    std::fprintf(stderr, "usage: error_by_dimension <tables> <results> <runs> <columns>\n");
    return 2;
  }
  const int runs = std::atoi(argv[3]), most = std::atoi(argv[4]);
  experiments::ResultsFile file(
      std::filesystem::path(argv[2]) / "error-dimension.csv",
      {"set", "case", "method", "epsilon", "d", "error", "error_low", "error_high", "repetitions"});
  const Eigen::MatrixXd adult = featuresOf(argv[1], "adult", kAdultColumns);
  const std::vector<int> order = fixedOrder(kAdultColumns);
  for (const int d : kDimensions) {
    if (d > most) continue;
    if (adult.size() > 0) {
      const std::vector<int> chosen(order.begin(), order.begin() + d);
      write(unitScatter("adult", adult(Eigen::all, chosen)), runs, file);
    }
    write(decayingScatter(kSimulatedRows, d), runs, file);
  }
  return 0;
}
