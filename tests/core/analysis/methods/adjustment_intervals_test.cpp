#include <gtest/gtest.h>

#include "core/analysis/methods/pca.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "core/matrix/spectrum.hpp"
#include "tests/core/analysis/adjusted.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/core/analysis/planted.hpp"

namespace pm {
namespace adjustment_intervals_test {

using namespace adjusted;
using namespace fixtures;

TEST(AdjustmentIntervals, CoverPartialCorrelationsAndVariances) {
  const MatrixXd covariance = confounded(0.5);
  const MatrixXd truth = partial(covariance, kBoth, kCovariates);
  const double variance = eigenvalues(truth)[0];
  std::uint64_t correlations = 0, loadings = 0, variances = 0;
  const std::uint64_t trials = 300;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    Drbg random = simulationDrbg(95, trial);
    const MomentSums sums = released(covariance, 0.006, random);
    const BootstrapOptions options{0.95, 150, trial};
    const Adjustment pair = adjust(inputOf(sums, {kX, kY})).value();
    const SharedIntervals found =
        ccaIntervals(Bootstrap::create(pair.sums, options).value(), ccaOf(pair, 1)).value();
    correlations += found.values[0].low <= 0.5 && 0.5 <= found.values[0].high ? 1 : 0;
    loadings += found.views[0].loadings_low(1, 0) <= 0 && 0 <= found.views[0].loadings_high(1, 0);
    const Adjustment all = adjust(inputOf(sums, {kBoth})).value();
    PcaInput input = analysisOf<PcaInput>(all, 7);
    input.components = 1;
    const PcaIntervals components =
        pcaIntervals(Bootstrap::create(all.sums, options).value(), input).value();
    variances += components.values[0].low <= variance && variance <= components.values[0].high;
  }
  expectNominalCoverage({correlations, loadings, variances}, trials);
}

}  // namespace adjustment_intervals_test
}  // namespace pm
