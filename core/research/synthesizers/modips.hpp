#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/research/synthesizers/synthesizers.hpp"
#include "core/synthesis/rows/model.hpp"

namespace pm {

/// MODIPS with a normal law (Liu 2016): means and covariances of all columns, separately for each
/// class; a number label is another column; q columns with entries in [-1, 1].

/// `modips`: a form that satisfies the claim, with the smallest constants for that box.
///   without classes: mean, scale 2 q/(n 0.1 epsilon); residuals about the noisy mean, clamped to
///     the box, and their second moments divided by n, upper triangle, scale
///     q (q + 1)/(2 n 0.9 epsilon);
///   classes: counts, scale 2/(0.05 epsilon); sums, scale 2 q/(0.095 epsilon); scatters of the
///     residuals, scale q (q + 1)/(0.855 epsilon), each for all classes together, since a row can
///     move between two classes.
/// Pure epsilon: each step is one query whose L1 sensitivity is the numerator
/// (docs/sensitivity.md), the last conditional on the released means.
PublishedSynthesis modips(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> modipsGuarantee(const SynthesisParams& params, Eigen::Index n,
                                         Eigen::Index m);

/// Scales of its noise.
struct ModipsScales {
  double counts;   ///< 0 without classes
  double means;    ///< for means; with classes, for sums
  double moments;  ///< for second moments divided by n; with classes, for scatters
};
ModipsScales modipsScales(Eigen::Index q, Eigen::Index n, const SynthesisParams& params);

/// The noisy figures, one entry per class (one class without labels).
struct ModipsRelease {
  std::vector<double> counts;             ///< at least 1; n without classes
  std::vector<Eigen::RowVectorXd> means;  ///< in the box
  std::vector<Eigen::MatrixXd> moments;   ///< divided by n, or scatters; symmetric, not repaired
};
ModipsRelease modipsRelease(const LabelledRows& data, const SynthesisParams& params, Drbg& random);

/// `modips-published`: `publishedGaussian` of all columns. About the data's own mean it uses the
/// noise that suffices for a public centre only, and with classes the scale follows their private
/// sizes. About a public centre and without classes the claim holds.
PublishedSynthesis publishedModips(const SynthesisData& data, const SynthesisParams& params,
                                   Drbg& random);
std::optional<Guarantee> publishedModipsGuarantee(const SynthesisParams& params, Eigen::Index n,
                                                  Eigen::Index m);

/// A draw of mean and covariance from the posterior, as if the released ones were those of `n`
/// normal rows: inverse Wishart with max(n - 1, q) degrees of freedom, then normal.
/// Post-processing.
RowComponent posteriorDraw(const RowComponent& released, double n, Drbg& random);

}  // namespace pm
