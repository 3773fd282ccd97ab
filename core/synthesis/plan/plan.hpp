#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/privacy/guarantee.hpp"
#include "core/result.hpp"
#include "core/synthesis/plan/noise.hpp"
#include "core/synthesis/plan/terms.hpp"

namespace pm {

/// Rows, before and after projection, lie on a grid of 2^kRowBits steps per radius of the unit
/// ball.
constexpr int kRowBits = 22;

/// The plan for synthesis terms: noise scales and the guarantee computed from them. Public.
struct SynthesisPlan {
  SynthesisTerms terms;
  int features = 0;        ///< D', those of a row without the label
  int components = 0;      ///< p; equals `features` without projection
  int classes = 0;         ///< levels of a class label; else 0
  int label_feature = -1;  ///< index of the label's (first) feature in the study
  /// The radius of the unit ball in scaled units: row_norm or, if smaller, the square root of the
  /// number of columns without the label, which no scaled row exceeds.
  double unit = 0;

  std::optional<Step> projection;
  std::optional<Step> counts;    ///< of classes, if they are private
  std::optional<Step> means;     ///< sums over each class or over all rows
  std::optional<Step> scatter;   ///< of residuals about the released means
  std::optional<Step> moments;   ///< instead of counts, means and scatter
  std::optional<Step> spectrum;  ///< instead of scatter
  int scatter_bits = 0;          ///< grid of scatter or moments: 2^bits steps to R
  double choice_epsilon = 0;     ///< spent by CovarianceChoice::kChosen

  std::vector<Step> steps() const;  ///< all that exist, in order of execution
  Guarantee guarantee;
};

/// Checks the terms and spends the budget on the steps: for pure epsilon in shares that add up, for
/// Gaussian steps in shares of mu whose squares add up, as much as `Accountant` can certify to be
/// within (epsilon, delta). Never sees data.
/// Errors: kInvalidEpsilon, kInvalidDelta, kInvalidBounds, kInvalidLevels, kInvalidDimension,
/// kInvalidRowNorm (also of `radius`), kInvalidMissingRule, kInvalidNeighbours, kInvalidUnit,
/// kInvalidComponents, kInvalidSynthesis (label, task, share, fraction), kNoiseTooLarge.
Result<SynthesisPlan> planSynthesis(const SynthesisTerms& terms);

}  // namespace pm
