#pragma once

#include <vector>

#include "core/analysis/methods/cca.hpp"
#include "core/analysis/methods/gcca.hpp"
#include "core/analysis/uncertainty/bootstrap.hpp"
#include "core/result.hpp"

namespace pm {

/// p-values of canonical correlations, or of what several views share, one after another: p_j is
/// for the hypothesis that at most j - 1 of them are not zero. If pairs are counted until the first
/// p_j above alpha, more are counted than there are with a probability of at most about alpha,
/// however many are tested (a closed test: Marcus, Peritz & Gabriel 1976).
///
/// The statistic is the j-th value T_j. Under the j-th hypothesis the population has the noisy
/// blocks of the views and between them the first j - 1 pairs as they were found, all others 0;
/// rows are sampled from it and noise of the known law is added (`Bootstrap::sample`), so that
/// p_j = (1 + number of draws with T*_j >= T_j) / (1 + draws), which counts the sampling error, the
/// privacy noise and that T_j is the largest of what is left. p_j is at least p_(j-1).
/// @param input covariance, noise and frame are taken from `bootstrap`
/// @returns p, `components` of them; the errors of `cca` and `gcca`
Result<std::vector<double>> ccaTests(const Bootstrap& bootstrap, CcaInput input);
Result<std::vector<double>> gccaTests(const Bootstrap& bootstrap, GccaInput input);

}  // namespace pm
