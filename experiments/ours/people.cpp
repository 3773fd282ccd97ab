// Error of the covariance against the number of people who have several rows each, epsilon 1 and
// delta 1e-6 under replace-one, fresh people in each repetition. Ways:
// * participant: unit participant, every person a release of their own, summed behind masks;
// * participant-unmasked: the same without masks, each person adding all noise;
// * row-claimed: unit row for all rows. It protects a row, and a person k times less;
// * row-divided: the same with the noise that protects a person with k rows;
// * first-row, mean-row: one row of each person, the first or the mean of theirs, unit row.
// People are simulated (half of the variance of a row is between people), or groups of rows of
// `adult` at random, so that their rows have nothing in common.
//
// usage: people <folder of sets> <folder for results> [quick]
// Writes people.csv.
#include <Eigen/Cholesky>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/registry.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "experiments/ours/real_rows.hpp"
#include "experiments/ours/releases.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"
#include "experiments/support/table_file.hpp"

namespace {

using experiments::Moments;
using experiments::ResultsFile;
using ours::Index;
using ours::MatrixXd;
using ours::VectorXd;

constexpr double kEpsilon = 1;
constexpr double kDelta = 1e-6;
/// Rows of a person.
constexpr int kRows = 5;

/// Rows in scaled units, those of a person one after another.
struct Population {
  std::string name;
  double row_norm;
  MatrixXd covariance;
  std::function<MatrixXd(int people, pm::Drbg& random)> draw;
};

/// Six columns with bounds of four standard deviations; pairs of columns are correlated.
Population simulatedPeople() {
  static constexpr Index kColumns = 6;
  static constexpr double kReach = 4, kBetween = 0.5, kShared = 0.6;
  MatrixXd covariance = MatrixXd::Identity(kColumns, kColumns);
  for (Index j = 0; j + 3 < kColumns; ++j) covariance(j, j + 3) = covariance(j + 3, j) = kShared;
  covariance /= kReach * kReach;
  const MatrixXd root = covariance.llt().matrixL();
  const auto draw = [root](int people, pm::Drbg& random) {
    const auto normals = [&]() {
      return VectorXd(
          root * VectorXd::NullaryExpr(kColumns, [&]() { return pm::standardNormal(random); }));
    };
    MatrixXd rows(people * kRows, kColumns);
    for (Index i = 0; i < people; ++i) {
      const VectorXd own = std::sqrt(kBetween) * normals();
      for (Index k = 0; k < kRows; ++k) {
        rows.row(i * kRows + k) = own + std::sqrt(1 - kBetween) * normals();
      }
    }
    return rows;
  };
  return {"simulated", 1.1, covariance, draw};
}

/// The six numbers of `adult` in units of their range, in groups at random.
Population adultPeople(const MatrixXd& cells) {
  std::vector<Index> numbers;
  for (Index j = 0; j < cells.cols(); ++j) {
    if (cells.col(j).maxCoeff() > 1) numbers.push_back(j);
  }
  const MatrixXd rows = ours::inRanges(cells(Eigen::all, numbers));
  const MatrixXd centred = rows.rowwise() - rows.colwise().mean();
  const auto draw = [rows](int people, pm::Drbg& random) {
    // The beginning of a random order.
    std::vector<Index> order(std::size_t(rows.rows()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = Index(i);
    const auto wanted = std::size_t(people * kRows);
    for (std::size_t i = 0; i < wanted; ++i) {
      std::swap(order[i], order[i + random.next64() % (order.size() - i)]);
    }
    order.resize(wanted);
    return MatrixXd(rows(order, Eigen::all));
  };
  return {"adult", rows.rowwise().norm().maxCoeff(),
          centred.transpose() * centred / double(rows.rows()), draw};
}

class Curve {
 public:
  explicit Curve(const Population& population) : population_(population) {}

  /// |Ĉ - C|_F / |C|_F
  double errorOf(const std::string& way, const MatrixXd& rows) const {
    const pm::ScaledMoments moments = way.starts_with("participant")
                                          ? ofParticipants(rows, way == "participant")
                                          : ofHolder(way, rows);
    return (moments.scaled_covariance - population_.covariance).norm() /
           population_.covariance.norm();
  }

 private:
  pm::MechanismParams params(pm::Unit unit) const {
    pm::MechanismParams p =
        experiments::rowParams(kEpsilon, kDelta, int(population_.covariance.rows()));
    p.unit = unit;
    p.row_norm = population_.row_norm;
    return p;
  }

  std::vector<pm::Column> columns() const {
    return ours::columnsWithin(population_.covariance.rows(), 1);
  }

  /// Two thirds of the people are assumed to keep their noise to themselves.
  pm::ScaledMoments ofParticipants(const MatrixXd& rows, bool masked) const {
    const int people = int(rows.rows()) / kRows;
    pm::MechanismParams p = params(pm::Unit::kParticipant);
    p.sites = people;
    p.sharing.mode = masked ? pm::Federation::kSplit : pm::Federation::kIndependent;
    p.sharing.honest = masked ? experiments::honestOf(people) : 1;
    const pm::Plan plan = pm::planFederated(*pm::findMechanism("gaussian"), p).value();
    const MatrixXd cells = rows.transpose();
    std::vector<pm::IntakePart> parts;
    for (Index i = 0; i < people; ++i) {
      parts.push_back(ours::sumsOf(
          plan, columns(),
          std::span(cells.data() + i * kRows * cells.rows(), std::size_t(kRows * cells.rows()))));
    }
    if (!masked) return ours::independentSum(plan, columns(), parts);
    const auto seed = std::uint64_t(people) * 1000 + ++runs_;
    return ours::momentsOfSum(plan, ours::maskedSum(plan, columns(), parts, seed, true),
                              std::uint64_t(people), people);
  }

  /// One trusted holder of all rows, unit row.
  pm::ScaledMoments ofHolder(const std::string& way, const MatrixXd& rows) const {
    pm::MechanismParams p = params(pm::Unit::kRow);
    MatrixXd own = rows;
    if (way == "row-divided") {
      const double mu = pm::gdpOfEpsilonDelta(kEpsilon, kDelta) / kRows;
      p.epsilon = pm::epsilonOfGdp(mu, kDelta);
    } else if (way != "row-claimed") {
      own.resize(rows.rows() / kRows, rows.cols());
      for (Index i = 0; i < own.rows(); ++i) {
        const auto of_person = rows.middleRows(i * kRows, kRows);
        if (way == "first-row") {
          own.row(i) = of_person.row(0);
        } else {
          own.row(i) = of_person.colwise().mean();
        }
      }
    }
    const pm::Plan plan = pm::findMechanism("gaussian")->plan(p).value();
    const pm::IntakePart sums = ours::sumsOf(plan, columns(), own, 0, 1);
    return ours::independentSum(plan, columns(), std::span(&sums, 1));
  }

  const Population& population_;
  mutable std::uint64_t runs_ = 0;
};

/// The epsilon at delta that a person with kRows rows has.
double epsilonOfPerson(const std::string& way) {
  if (way != "row-claimed") return kEpsilon;
  return pm::epsilonOfGdp(kRows * pm::gdpOfEpsilonDelta(kEpsilon, kDelta), kDelta);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: people <folder of sets> <folder for results> [quick]\n");
    return 2;
  }
  const bool quick = count > 3;
  ResultsFile file(std::filesystem::path(arguments[2]) / "people.csv",
                   {"set", "people", "method", "epsilon_of_a_person", "error", "error_low",
                    "error_high", "repetitions"});
  std::vector<Population> populations{simulatedPeople()};
  if (experiments::haveTable(arguments[1], "adult")) {
    populations.push_back(adultPeople(experiments::readTableFile(arguments[1], "adult")));
  } else {
    std::printf("adult: skipped, it is not there\n");
  }
  for (const Population& population : populations) {
    const Curve curve(population);
    for (const int people :
         quick ? std::vector{30, 300} : std::vector{30, 100, 300, 1000, 3000, 9000}) {
      const int repetitions = quick ? 3 : 24;
      for (const std::string way : {"participant", "participant-unmasked", "row-claimed",
                                    "row-divided", "first-row", "mean-row"}) {
        pm::Drbg random = experiments::seeded(std::uint64_t(people));
        experiments::repeatEntropy(std::uint64_t(people) + 1);
        Moments errors;
        for (int i = 0; i < repetitions; ++i) {
          errors.add(curve.errorOf(way, population.draw(people, random)));
        }
        file.line(population.name, people, way, epsilonOfPerson(way), errors, repetitions);
      }
    }
  }
  return 0;
}
