#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "core/research/synthesizers.hpp"
#include "core/synthesis/model.hpp"

namespace pm {

/// MODIPS with a normal law (Liu 2016): means and covariances of all columns, a number label being
/// one more column, classes apart; q columns with entries in [-1, 1].

/// `modips`: in the form that keeps its promise, with the smallest constants for that box.
///   without classes: mean, scale 2 q/(n 0.1 epsilon); residuals about the noisy mean, cut to the
///     box, and their second moments over n, upper triangle, scale q (q + 1)/(2 n 0.9 epsilon);
///   classes: counts, scale 2/(0.05 epsilon); sums, scale 2 q/(0.095 epsilon); scatters of the
///     residuals, scale q (q + 1)/(0.855 epsilon), each for all classes together, since a row can
///     move between two.
/// Pure epsilon: each step is one query whose L1 sensitivity is the numerator
/// (docs/sensitivity.md), the last given the means that came out of the first.
PublishedSynthesis modips(const SynthesisData& data, const SynthesisParams& params, Drbg& random);
std::optional<Guarantee> modipsGuarantee(const SynthesisParams& params, Eigen::Index n,
                                         Eigen::Index m);

/// What it spends and how much noise that makes.
struct ModipsScales {
  double counts;   ///< 0 without classes
  double means;    ///< of means over n; with classes of sums
  double moments;  ///< of second moments over n; with classes of scatters
};
ModipsScales modipsScales(Eigen::Index q, Eigen::Index n, const SynthesisParams& params);

/// The noisy numbers, one entry a class (one class without labels).
struct ModipsRelease {
  std::vector<double> counts;             ///< at least 1; n without classes
  std::vector<Eigen::RowVectorXd> means;  ///< in the box
  std::vector<Eigen::MatrixXd> moments;   ///< over n, or scatters: symmetric, unrepaired
};
ModipsRelease modipsRelease(const LabelledRows& data, const SynthesisParams& params, Drbg& random);

/// `modips-published`: `publishedGaussian` of all columns: about the data's own mean, the noise in
/// every entry that a public centre would need, and with classes its scale after their private
/// sizes. About a public centre and without classes the claim holds.
PublishedSynthesis publishedModips(const SynthesisData& data, const SynthesisParams& params,
                                   Drbg& random);
std::optional<Guarantee> publishedModipsGuarantee(const SynthesisParams& params, Eigen::Index n,
                                                  Eigen::Index m);

/// A draw of mean and covariance given the released ones, as if they were those of `n` normal rows:
/// inverse Wishart with max(n - 1, q) degrees of freedom, then normal. Post-processing.
RowComponent posteriorDraw(const RowComponent& released, double n, Drbg& random);

}  // namespace pm
