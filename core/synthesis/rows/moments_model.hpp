#pragma once

#include "core/analysis/noise/moments.hpp"
#include "core/synthesis/rows/model.hpp"

namespace pm {

/// The features of a class label: `count` indicators from `first`; none if `count` is 0.
struct LabelFeatures {
  int first = 0;
  int count = 0;
};

/// The law of synthetic rows if only moments are known.
///
/// Without a label, one Gaussian. With one, a mixture with a common covariance: for the label's
/// indicators, with shares p_c and covariances C_c with the other features,
///   class means   m + d_c,  d_c = C_c p_c / (p_c^2 + s^2), minus their mean over classes,
///   within        C - sum_c p_c d_c d_c^T, negative eigenvalues set to 0,
/// s the standard deviation of the noise in a share. Without noise these are the moments of the
/// rows. A share within the noise does not determine a mean (Tikhonov), and the class means of a
/// feature vary at most as much as the feature. A share is at least that of one row, as it cannot
/// be known whether a class is empty.
/// @param moments in scaled units, with a denoised covariance; finite
/// @param share_sd s, not negative
RowModel modelOfMoments(const ScaledMoments& moments, LabelFeatures label = {},
                        double share_sd = 0);

/// The same from moments in the frame of their sums, with the s of each share that follows from
/// the noise of the sums.
/// @param moments of `sums`, with a denoised covariance; finite
RowModel modelOfSums(const MomentSums& sums, const ScaledMoments& moments,
                     LabelFeatures label = {});

}  // namespace pm
