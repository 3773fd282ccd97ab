// DP-CCA (Imtiaz, Sarwate 2017): canonical correlations from one trusted holder's noisy second
// moments, against epsilon, delta and the number of rows. Two mechanisms, that of the paper and
// this library's at the same guarantee for one row replaced, and readings of what they release: as
// if there were no noise (the paper's), and those that know the noise.
//
// usage: dp_cca <folder of data sets> <folder of results> <quick: 0 or 1>
#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/research/published/additive.hpp"
#include "experiments/support/cca_sets.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/table_file.hpp"
#include "experiments/support/two_views.hpp"

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using experiments::ResultsFile;
using std::filesystem::path;
using two_views::Judge;
using two_views::Scores;
using two_views::Set;

/// The promise, and how many rows there are.
struct Point {
  double epsilon = 0;
  double delta = 0;
  Index rows = 0;
};

struct Method {
  const char* name;
  bool published;  ///< the paper's mechanism; otherwise this library's
  two_views::Reading read;
};

/// The mechanisms and readings of the paper's figures.
const std::vector<Method> kCompared{{"dp-cca", true, two_views::readPlainly},
                                    {"dp-cca-aware", true, two_views::readAware},
                                    {"pooled-published", false, two_views::readPlainly},
                                    {"pooled-denoised", false, two_views::readDenoised},
                                    {"pooled", false, two_views::readAware}};

/// Readings of one mechanism's releases.
const std::vector<Method> kReadings{{"pooled-published", false, two_views::readPlainly},
                                    {"pooled-floored", false, two_views::readFloored},
                                    {"pooled-ridged", false, two_views::readRidged},
                                    {"pooled-denoised", false, two_views::readDenoised},
                                    {"pooled", false, two_views::readAware}};

/// Analyze Gauss as in the paper, whose sensitivity of the mean is sqrt(2) over the number of rows.
pm::NoiseLaw publishedLaw(const Point& at) {
  return two_views::upperTriangle(std::numbers::sqrt2 *
                                  pm::classicalDeviation(at.epsilon, at.delta) / double(at.rows));
}

class Table {
 public:
  explicit Table(const path& file)
      : file_(file, {"set", "method", "epsilon", "delta", "rows", "captured", "captured_low",
                     "captured_high", "error", "error_low", "error_high", "clusters",
                     "clusters_low", "clusters_high", "repetitions"}) {}

  /// All methods at one point, with the same random numbers.
  void add(const Judge& judge, const Set& set, const std::vector<Method>& methods, const Point& at,
           int runs) {
    const MatrixXd moments = two_views::secondMoments(set, 0, at.rows);
    const pm::NoiseLaw published = publishedLaw(at);
    const pm::NoiseLaw ours = two_views::rotationInvariant(at.epsilon, at.delta, double(at.rows));
    Scores without;
    without.add(judge.score(two_views::readPlainly(set, moments)));
    line(set, "non-private", at, without);
    Scores by_chance;
    std::vector<Scores> scores(methods.size());
    for (int run = 0; run < runs; ++run) {
      const auto released = [&](const pm::NoiseLaw& law) {
        pm::Drbg random = pm::simulationDrbg(1, std::uint64_t(run));
        return two_views::withNoise(moments, law, random);
      };
      pm::Drbg chance = pm::simulationDrbg(4, std::uint64_t(run));
      by_chance.add(judge.score(two_views::randomDirections(set, chance)));
      const MatrixXd of_paper = released(published), of_library = released(ours);
      for (std::size_t i = 0; i < methods.size(); ++i) {
        const Method& method = methods[i];
        scores[i].add(judge.score(method.read(set, method.published ? of_paper : of_library,
                                              method.published ? published : ours)));
      }
    }
    line(set, "random", at, by_chance);
    for (std::size_t i = 0; i < methods.size(); ++i) line(set, methods[i].name, at, scores[i]);
  }

 private:
  void line(const Set& set, const char* method, const Point& at, const Scores& scores) {
    file_.line(set.name, method, at.epsilon, at.delta, double(at.rows), scores.captured,
               scores.error, scores.clusters, scores.captured.count());
  }

  ResultsFile file_;
};

struct Run {
  bool quick;
  Table epsilon, delta, rows, readings;

  void figures(const Set& set, const two_views::Plan& plan) {
    const Judge judge(set);
    const auto on = [&](Table& table) {
      return [&, figure = &table](double e, double d, Index n) {
        figure->add(judge, set, kCompared, {e, d, n}, quick ? 2 : plan.runs);
      };
    };
    two_views::eachPlace(set, plan, quick, on(epsilon), on(delta), on(rows));
  }

  void allReadings(const Set& set, Index of_rows) {
    constexpr double kDelta = 1e-5;
    const Judge judge(set);
    for (const double e : quick ? std::vector{1.0} : std::vector{0.1, 0.3, 1.0, 3.0}) {
      readings.add(judge, set, kReadings, {e, kDelta, of_rows}, quick ? 2 : 20);
    }
  }
};

/// What the paper's formula guarantees for one row replaced.
void guarantees(const path& file) {
  ResultsFile out(file, {"method", "delta", "epsilon", "actual"});
  for (const double delta : {1e-5, 1e-2}) {
    for (const double epsilon : {0.01, 0.05, 0.1, 0.3, 1.0, 3.0, 5.0, 10.0, 20.0}) {
      out.line("claimed", delta, epsilon, epsilon);
      const double mu = 1 / pm::classicalDeviation(epsilon, delta);
      out.line("one-holder", delta, epsilon, pm::epsilonOfGdp(mu, delta));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const path data = arguments[1], out = arguments[2];
  const bool quick = std::string_view(arguments[3]) == "1";
  Run run{quick, Table(out / "epsilon.csv"), Table(out / "delta.csv"), Table(out / "rows.csv"),
          Table(out / "readings.csv")};
  two_views::eachSet(data, quick, [&](const Set& set, const two_views::Plan& plan) {
    run.figures(set, plan);
    if (set.name == "mnist") run.allReadings(set, set.rows.rows());
    if (set.name == "synthetic") run.allReadings(set, plan.rows_by_epsilon);
  });
  if (experiments::haveTable(data, "mmreg")) {
    const Set students = two_views::students(data);
    run.allReadings(students, students.rows.rows());
  }
  guarantees(out / "guarantees.csv");
  return 0;
}
