// Figure 1 of the paper and what belongs to it: errors of estimates of a scatter matrix against
// epsilon, the delta that Gaussian noise of a published calibration really has, and the size of
// noise that the pages of the mechanisms state.
//
// usage: covariance_error <folder with the tables> <folder of the results> <runs> <runs on Adult>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/privacy/gaussian.hpp"
#include "core/research/published/additive.hpp"
#include "experiments/covariance_estimation/matrix_methods.hpp"
#include "experiments/support/parallel.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {
namespace {

using experiments::Moments;
using experiments::ResultsFile;

constexpr double kEpsilons[] = {0.01, 0.1, 0.2, 0.5, 1, 2, 4};
constexpr double kDeltas[] = {1e-16, 1e-10, 1e-3};

std::vector<MatrixMethod> methods() {
  std::vector<MatrixMethod> all = {
      publishedLaplace(),
      tightLaplace(),
      {"frobenius", 0, frobenius},
      wishartMethod(),
      kapralovTalwarMethod(),
      {"kt-code", 0, kapralovTalwarOfCode},
      eigenMethod("it-u", pm::EigenMethod::kUniform),
      publishedAdaptive(),
      eigenMethod("ad", pm::EigenMethod::kAdaptive),
      {"ad-code", 0, adaptiveOfCode},
      eigenMethod("it-r", pm::EigenMethod::kRayleigh),
  };
  for (const double delta : kDeltas) {
    const GaussianForm classical{pm::classicalDeviation, kLeftOut, false};
    const GaussianForm code{exactSigma, kLeftOut, false};
    const GaussianForm exact{exactSigma, kReplaceOne, false};
    all.push_back({"gaussian-classical", delta, gaussian(delta, classical)});
    all.push_back({"gaussian-code", delta, gaussian(delta, code)});
    all.push_back({"gaussian-analytic", delta, gaussian(delta, exact)});
    all.push_back(gaussianMethod(delta));
  }
  return all;
}

/// Answers that ignore the data: an estimate with a larger error is useless.
void writeBaselines(const UnitScatter& data, double epsilon, ResultsFile& file) {
  const Eigen::Index d = data.matrix.rows();
  Moments zero, multiple;
  zero.add(data.matrix.norm() / data.rows);
  multiple.add((data.matrix - MatrixXd::Identity(d, d) * data.matrix.diagonal().mean()).norm() /
               data.rows);
  for (const char* how : kPostprocessings) {
    file.line(data.name, "zero", epsilon, 0, how, zero, 1);
    file.line(data.name, "multiple-of-identity", epsilon, 0, how, multiple, 1);
  }
}

/// Errors after each of kPostprocessings.
using Errors = std::vector<Moments>;

Errors errorsOfRuns(const UnitScatter& data, const MatrixMethod& method, double epsilon, int runs,
                    std::uint64_t stream) {
  Errors errors(std::size(kPostprocessings));
  for (int run = 0; run < runs; ++run) {
    pm::Drbg random = experiments::seeded(std::uint64_t(run), stream);
    const std::vector<double> found = errorsOf(data, method.run(data, epsilon, random));
    for (std::size_t p = 0; p < found.size(); ++p) errors[p].add(found[p]);
  }
  return errors;
}

void writeErrors(const UnitScatter& data, int runs, ResultsFile& file) {
  const std::vector<MatrixMethod> all = methods();
  std::vector<Errors> found(std::size(kEpsilons) * all.size());
  experiments::inParallel(found.size(), [&](std::size_t i) {
    const std::size_t m = i % all.size();
    found[i] = errorsOfRuns(data, all[m], kEpsilons[i / all.size()], runs, m);
  });
  for (std::size_t i = 0; i < found.size(); ++i) {
    const MatrixMethod& method = all[i % all.size()];
    const double epsilon = kEpsilons[i / all.size()];
    if (i % all.size() == 0) writeBaselines(data, epsilon, file);
    for (std::size_t p = 0; p < found[i].size(); ++p) {
      file.line(data.name, method.key, epsilon, method.delta, kPostprocessings[p], found[i][p],
                runs);
    }
  }
}

/// The delta under replace-one of noise that a formula gives for `asked`.
double trueDelta(double epsilon, double sigma) {
  return pm::deltaOfGdp(epsilon, kReplaceOne / sigma);
}

void writeDeltas(const std::filesystem::path& out) {
  ResultsFile file(out / "true-delta.csv",
                   {"epsilon", "asked", "classical", "classical_replace_one", "code"});
  for (const double epsilon : kEpsilons) {
    for (const double delta : kDeltas) {
      const double classical = pm::classicalDeviation(epsilon, delta);
      file.line(epsilon, delta, trueDelta(epsilon, classical),
                trueDelta(epsilon, kReplaceOne * classical),
                trueDelta(epsilon, exactSigma(epsilon, delta)));
    }
  }
}

/// Root mean squares of the noise of two-sided Wishart over what its page states, and how much
/// larger Gaussian noise on the upper triangle is than `gaussian` at the same sensitivity.
void writeNoise(const UnitScatter& data, int runs, ResultsFile& file) {
  const double d = data.dimension(), epsilon = 1, delta = 1e-5;
  const auto rms = [&](const Estimator& method, std::uint64_t stream) {
    double squares = 0;
    for (int run = 0; run < runs; ++run) {
      pm::Drbg random = experiments::seeded(std::uint64_t(run), stream);
      squares += (method(data, epsilon, random) - data.matrix).squaredNorm();
    }
    return std::sqrt(squares / runs);
  };
  const double wishart = rms(twoSidedWishart, 100);
  const double ours = rms(gaussian(delta, {exactSigma, kReplaceOne, true}), 101);
  const double upper = rms(gaussian(delta, {exactSigma, kReplaceOne, false}), 102);
  const double classical = rms(gaussian(delta, {pm::classicalDeviation, kReplaceOne, false}), 103);
  const double stated = (d + 1) * std::sqrt(d / 2) / (epsilon / 2);
  file.line(data.name, wishart / stated, classical / ours, upper / ours, std::sqrt(2 * d / (d + 1)),
            runs);
}

}  // namespace
}  // namespace covariance_estimation

int main(int argc, char** argv) {
  using namespace covariance_estimation;
  if (argc != 5) {
    std::fprintf(stderr, "usage: covariance_error <tables> <results> <runs> <runs on Adult>\n");
    return 2;
  }
  const std::filesystem::path out = argv[2];
  const int runs = std::atoi(argv[3]), adult = std::atoi(argv[4]);
  experiments::ResultsFile errors(out / "error-epsilon.csv",
                                  {"set", "method", "epsilon", "delta", "postprocessing", "error",
                                   "error_low", "error_high", "repetitions"});
  experiments::ResultsFile noise(out / "noise-size.csv",
                                 {"set", "wishart_over_stated", "classical_over_gaussian",
                                  "upper_over_gaussian", "shape", "repetitions"});
  for (const UnitScatter& data : comparedSets(argv[1])) {
    const int own = data.name == "adult" ? adult : runs;
    writeErrors(data, own, errors);
    writeNoise(data, own, noise);
  }
  writeDeltas(out);
  return 0;
}
