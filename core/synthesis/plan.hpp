#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/privacy/guarantee.hpp"
#include "core/result.hpp"
#include "core/synthesis/noise.hpp"
#include "core/synthesis/terms.hpp"

namespace pm {

/// Rows, and rows after projection, lie on a grid of 2^kRowBits steps to the unit ball's radius.
constexpr int kRowBits = 22;

/// Synthesis terms made concrete: noise scales and the guarantee computed from them. Public.
struct SynthesisPlan {
  SynthesisTerms terms;
  int features = 0;        ///< D' of the rows without the label
  int components = 0;      ///< p; the features where there is no projection
  int classes = 0;         ///< levels of a class label; else 0
  int label_feature = -1;  ///< the label's (first) place among the study's features
  /// The radius of the unit ball in scaled units: row_norm, or if smaller the square root of the
  /// number of columns without the label, which no row's scaled norm is above.
  double unit = 0;

  std::optional<Step> projection;
  std::optional<Step> counts;    ///< of classes, where they are private
  std::optional<Step> means;     ///< sums, of each class or of all rows
  std::optional<Step> scatter;   ///< of residuals about the released means
  std::optional<Step> moments;   ///< instead of counts, means and scatter
  std::optional<Step> spectrum;  ///< instead of scatter
  int scatter_bits = 0;          ///< grid of scatter or moments: 2^bits steps to R
  double choice_epsilon = 0;     ///< of CovarianceChoice::kChosen

  std::vector<Step> steps() const;  ///< those there are, in the order in which they are made
  Guarantee guarantee;
};

/// Checks the terms and spends the budget on the steps: pure epsilon in parts that add up, mu of
/// Gaussian steps in parts whose squares do, as much as `Accountant` can show to be within
/// (epsilon, delta). Never sees data.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidBounds, kInvalidLevels, kInvalidDimension,
/// kInvalidRowNorm (also of `radius`), kInvalidMissingRule, kInvalidNeighbours, kInvalidUnit,
/// kInvalidComponents, kInvalidSynthesis (label, task, share, fraction), kNoiseTooLarge.
Result<SynthesisPlan> planSynthesis(const SynthesisTerms& terms);

}  // namespace pm
