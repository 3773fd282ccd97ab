#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/synthesis/fit/synthesis.hpp"

namespace pm::testing_support {

/// Number columns in [-1, 1], and with `classes` > 0 a category as last column, the label.
inline SynthesisTerms synthesisTerms(int numbers, int classes = 0, double epsilon = 1,
                                     double delta = 0) {
  SynthesisTerms terms;
  terms.columns.assign(std::size_t(numbers), Column{Column::Kind::kNumber, -1, 1, 0});
  if (classes > 0) {
    terms.columns.push_back(Column{Column::Kind::kCategory, 0, 0, classes});
    terms.label = numbers;
    terms.task = SynthesisTask::kClassification;
  }
  terms.epsilon = epsilon;
  terms.delta = delta;
  terms.row_norm = std::sqrt(double(numbers));
  return terms;
}

/// The same for a regression of the last number.
inline SynthesisTerms regressionTerms(int numbers, double epsilon = 1, double delta = 0) {
  SynthesisTerms terms = synthesisTerms(numbers, 0, epsilon, delta);
  terms.label = numbers - 1;
  terms.task = SynthesisTask::kRegression;
  return terms;
}

/// A table of these rows; a rejected row ends the test program.
inline SynthesisTable tableOf(const SynthesisTerms& terms, const std::vector<double>& cells) {
  Result<SynthesisTable> table = SynthesisTable::create(terms);
  if (!table.ok() || table.value().add(cells)) std::abort();
  return std::move(table).value();
}

/// Fixed noise for a test, by step, in units of the query; zero for other steps.
class GivenNoise final : public NoiseSource {
 public:
  std::map<std::string, std::vector<double>> noise;
  std::map<std::string, Step> steps;                ///< the steps made so far
  std::map<std::string, std::vector<double>> sums;  ///< the exact sums, in units of the query
  std::vector<std::uint64_t> scores;
  std::size_t choice = 0;

  void add(const Step& step, std::span<Int128> totals) override {
    steps.insert_or_assign(step.what, step);
    std::vector<double>& exact = sums[step.what];
    for (const Int128 total : totals) exact.push_back(double(total) * step.query.unit);
    const std::vector<double>& fixed = noise[step.what];
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      totals[i] += Int128(std::nearbyint(fixed[i] / step.query.unit));
    }
  }
  std::size_t choose(std::span<const std::uint64_t> of, double) override {
    scores.assign(of.begin(), of.end());
    return choice;
  }
};

/// Rows of numbers in JSON, one after the other.
inline std::vector<double> flat(const nlohmann::json& rows, double factor = 1) {
  std::vector<double> numbers;
  for (const auto& row : rows) {
    if (row.is_array()) {
      for (const auto& x : row) numbers.push_back(factor * x.get<double>());
    } else {
      numbers.push_back(factor * row.get<double>());
    }
  }
  return numbers;
}

/// The scale of a pure step's Laplace noise, or of another's where it has one number, in units of
/// the query.
inline double laplaceScale(const Step& step) { return step.sd() / std::sqrt(2.0); }

}  // namespace pm::testing_support
