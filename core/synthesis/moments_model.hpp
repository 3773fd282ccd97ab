#pragma once

#include "core/analysis/moments.hpp"
#include "core/synthesis/model.hpp"

namespace pm {

/// The features of a class label: `count` indicators from `first` on; none where count is 0.
struct LabelFeatures {
  int first = 0;
  int count = 0;
};

/// What synthetic rows are drawn from where only moments are known.
///
/// Without a label one Gaussian. With one, a mixture with a common covariance: of the label's
/// indicators, shares p_c and covariances C_c with the other features,
///   class means   m + d_c,  d_c = C_c p_c / (p_c^2 + s^2), less their mean over classes,
///   within        C - sum_c p_c d_c d_c^T, negative eigenvalues as 0,
/// s the standard deviation of the noise in a share. Without noise these are the rows' own; a share
/// that noise could have made tells no mean (Tikhonov), and no feature's class means vary more than
/// the feature. A share is at least that of one row, as that a class is empty cannot be told.
/// @param moments scaled covariance denoised; finite
/// @param shareSd s, not negative
RowModel modelOfMoments(const ScaledMoments& moments, LabelFeatures label = {}, double shareSd = 0);

}  // namespace pm
