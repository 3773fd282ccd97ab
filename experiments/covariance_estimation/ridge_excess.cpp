// Ridge regression from private estimates of the scatter matrix, as in the paper's appendix C: how
// much larger the objective is than at its minimum, against epsilon and against the error of the
// matrix, beside a bound of the former by the latter.
//
// usage: ridge_excess <folder with the tables> <folder of the results> <runs>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/research/published/output_perturbation.hpp"
#include "experiments/covariance_estimation/matrix_methods.hpp"
#include "experiments/covariance_estimation/ridge_sets.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"

namespace covariance_estimation {
namespace {

using experiments::Moments;
using experiments::ResultsFile;

constexpr double kEpsilons[] = {0.1, 0.2, 0.5, 1, 2, 4, 10, 30};
constexpr double kPenalties[] = {0.01, 0.1};
constexpr double kDelta = 1e-6;

/// (1/n) sum (w^T x - y)^2/2 + alpha |w|^2.
double objective(const UnitScatter& data, double alpha, const VectorXd& weights) {
  VectorXd v(weights.size() + 1);
  v << -weights, 1;
  return v.dot(data.matrix * v) / (2 * data.rows) + alpha * weights.squaredNorm();
}

/// The page's bound of the excess, from the spectral norm of the error over n.
double boundOf(double error, double alpha) {
  const double lengths = 1 + 1 / (8 * alpha);
  return lengths * std::min(error, error * error * (1 / (4 * alpha) + error / (8 * alpha * alpha)));
}

std::vector<MatrixMethod> methods() {
  return {publishedLaplace(),
          tightLaplace(),
          wishartMethod(),
          gaussianMethod(kDelta),
          publishedAdaptive(),
          eigenMethod("ad", pm::EigenMethod::kAdaptive),
          eigenMethod("it-r", pm::EigenMethod::kRayleigh)};
}

/// One method's results at one epsilon and penalty.
struct Outcome {
  Moments excess, error, bound;
  double ratio = 0;  ///< the largest excess over its bound
  std::vector<double> all;

  void add(double found) {
    excess.add(found);
    all.push_back(found);
  }
};

/// Ridge regression of one set with one penalty.
class RidgeCase {
 public:
  RidgeCase(const UnitScatter& data, double alpha, ResultsFile& file)
      : data_(data),
        alpha_(alpha),
        least_(objective(data, alpha, pm::ridgeWeights(data.matrix, data.rows, alpha))),
        file_(file) {}

  void run(int runs) {
    const std::vector<MatrixMethod> all = methods();
    for (const double epsilon : kEpsilons) {
      Outcome zero;
      zero.add(excess(VectorXd::Zero(data_.dimension() - 1)));
      write("zero", epsilon, zero);
      write("output-perturbation", epsilon, output(epsilon, runs));
      for (std::size_t m = 0; m < all.size(); ++m) {
        const Outcome found = fromMatrix(all[m], epsilon, runs, 420 + m);
        write(all[m].key, epsilon, found);
        smallest_ = std::min(smallest_, found.error.mean());
        largest_ = std::max(largest_, found.error.mean());
      }
    }
    writeBound();
  }

 private:
  double excess(const VectorXd& weights) const {
    return objective(data_, alpha_, weights) - least_;
  }

  Outcome output(double epsilon, int runs) const {
    pm::PublishedParams params{epsilon, 0, pm::Neighbours::kReplaceOne, data_.rows};
    params.penalty = alpha_;
    Outcome outcome;
    for (int i = 0; i < runs; ++i) {
      pm::Drbg random = experiments::seeded(std::uint64_t(i), 410);
      outcome.add(excess(pm::outputPerturbation(data_.matrix, params, random)));
    }
    return outcome;
  }

  Outcome fromMatrix(const MatrixMethod& method, double epsilon, int runs,
                     std::uint64_t stream) const {
    Outcome outcome;
    for (int i = 0; i < runs; ++i) {
      pm::Drbg random = experiments::seeded(std::uint64_t(i), stream);
      pm::Spectrum found = pm::spectrum(method.run(data_, epsilon, random));
      found.values = possible(found.values, data_.rows, "clamp");
      const MatrixXd estimate = pm::compose(found);
      const double error =
          pm::eigenvalues(estimate - data_.matrix).cwiseAbs().maxCoeff() / data_.rows;
      const double bound = boundOf(error, alpha_);
      outcome.add(excess(pm::ridgeWeights(estimate, data_.rows, alpha_)));
      outcome.error.add(error);
      outcome.bound.add(bound);
      outcome.ratio = std::max(outcome.ratio, outcome.all.back() / bound);
    }
    return outcome;
  }

  void write(const std::string& key, double epsilon, const Outcome& outcome) {
    const experiments::Median median = experiments::medianOf(outcome.all);
    const auto line = [&](const auto&... of_matrix) {
      file_.line(data_.name, caseOf(data_.name, alpha_), alpha_, key, epsilon, outcome.excess,
                 median, of_matrix..., outcome.excess.count());
    };
    if (outcome.error.count() > 0) {
      line(outcome.error.mean(), outcome.bound.mean(), outcome.ratio);
    } else {
      line("", "", "");
    }
  }

  /// The bound as a curve over the errors that occurred.
  void writeBound() {
    constexpr int kPoints = 12;
    for (int i = 0; i <= kPoints; ++i) {
      const double error = smallest_ * std::pow(largest_ / smallest_, double(i) / kPoints);
      const double bound = boundOf(error, alpha_);
      file_.line(data_.name, caseOf(data_.name, alpha_), alpha_, "bound", "", bound, bound, bound,
                 "", "", "", error, bound, "", 1);
    }
  }

  const UnitScatter& data_;
  double alpha_;
  double least_;
  ResultsFile& file_;
  double smallest_ = std::numeric_limits<double>::infinity();
  double largest_ = 0;
};

}  // namespace
}  // namespace covariance_estimation

int main(int argc, char** argv) {
  using namespace covariance_estimation;
  if (argc != 4) {
    std::fprintf(stderr, "usage: ridge_excess <tables> <results> <runs>\n");
    return 2;
  }
  experiments::ResultsFile file(
      std::filesystem::path(argv[2]) / "ridge-excess.csv",
      {"set", "case", "alpha", "method", "epsilon", "excess", "excess_low", "excess_high", "median",
       "median_low", "median_high", "error", "bound", "ratio", "repetitions"});
  for (const UnitScatter& data : ridgeSets(argv[1])) {
    for (const double alpha : kPenalties) RidgeCase(data, alpha, file).run(std::atoi(argv[3]));
  }
  return 0;
}
