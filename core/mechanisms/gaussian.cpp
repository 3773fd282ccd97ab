#include "core/mechanisms/gaussian.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/moments/limits.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr int kFinestBits = 22;

// The released grid keeps at least 2^12 steps in one standard deviation: rounding to it adds less
// than 2^-27 of the noise's variance.
constexpr int kReleaseStepsLog2 = 12;

// Relative room above the root finder's error, far below any effect on accuracy.
constexpr double kCalibrationMargin = 1 + 0x1p-40;

// The sampler is drawn in blocks of this many, so that its running time says less about the noise.
constexpr std::size_t kNoiseBlock = 4096;

std::uint64_t noisyEntries(const GaussianParams& params) {
  const std::uint64_t n = std::uint64_t(params.dimension) + 1;
  return n * (n + 1) / 2 - (params.neighbours == Neighbours::kReplaceOne ? 1 : 0);
}

// delta of the discrete mechanism at the requested epsilon. By the theorem in
// docs/mechanisms/gaussian.md it is at most that of continuous noise with variance 9 less in each
// entry (18 less seen from the diagonal, as off-diagonal entries carry half), plus the sampler's.
void certify(GaussianPlan& plan) {
  const GaussianParams& p = plan.params;
  const double sigma = 16.0 * double(plan.w_diagonal);
  const double sensitivity = std::sqrt(double(plan.sensitivity_squared));
  const double mu = sensitivity / std::sqrt(sigma * sigma - 18);
  const double samples = double(noisyEntries(p));
  plan.sampler_delta_log2 =
      (p.epsilon + std::log1p(std::exp(-p.epsilon)) + std::log(samples)) / std::numbers::ln2 +
      kGaussianSamplerDistanceLog2;
  const double total = std::exp(logDeltaOfGdp(p.epsilon, mu)) +
                       std::exp(std::min(plan.sampler_delta_log2, 1.0) * std::numbers::ln2);
  Guarantee& g = plan.guarantee;
  g.epsilon = p.epsilon;
  g.delta = total <= p.delta ? p.delta : std::min(total, 1.0);
  g.gdp = mu;
  g.zcdp = zcdpOfGdp(sensitivity / sigma);
  g.neighbours = p.neighbours;
  g.unit = p.unit;
  g.numerics = Numerics::kExact;
  g.assumes = {
      p.unit == Unit::kRow ? "one person is one row, at one participant"
                           : "one person's rows are all at one participant",
      "the participant's machine and its random number generator are sound",
      "each data set is released once under this study",
  };
  if (g.delta > p.delta) {
    g.assumes.push_back(
        "at this epsilon the sampler's tail is not long enough for the requested delta: "
        "treat the release as not private");
  }
}

// The average of one participant, entry by entry towards zero (never a longer matrix), is made
// before this file sees the totals; rows are then 1.
std::uint64_t maxRows(const GaussianPlan& plan, std::uint64_t row_norm_squared) {
  // |sum| <= rows T and the noise stays within 14 sigma < 2^5 sigma, sigma < 2^(13+1) steps.
  const Uint128 room = ((Uint128(1) << 53) - (Uint128(1) << 20)) << plan.release_shift;
  const Uint128 rows = room / row_norm_squared;
  return std::uint64_t(std::min<Uint128>(rows, (Uint128(1) << 53) - 1));
}

}  // namespace

std::uint64_t gaussianWidth(double epsilon, double delta, Uint128 sensitivity_squared) {
  const double sigma_hat = kCalibrationMargin / gdpOfEpsilonDelta(epsilon, delta);
  const double sigma = sigma_hat * std::sqrt(double(sensitivity_squared)) / 16;
  if (!(sigma < 0x1p60)) return std::uint64_t{1} << 60;
  return std::uint64_t(sigma) + 2;
}

std::uint64_t offDiagonalWidth(std::uint64_t w) {
  const Uint128 square = Uint128(w) * w;
  std::uint64_t half = std::uint64_t(double(w) / std::numbers::sqrt2);
  while (2 * Uint128(half) * half < square) ++half;
  while (half > 0 && 2 * Uint128(half - 1) * (half - 1) >= square) --half;
  return half;
}

Result<GaussianPlan> planGaussian(const GaussianParams& params) {
  if (!(params.epsilon > 0) || !std::isfinite(params.epsilon)) {
    return Error{Code::kInvalidEpsilon, "epsilon must be a finite number above 0", "epsilon"};
  }
  if (!(params.delta > 0 && params.delta < 1)) {
    return Error{Code::kInvalidDelta,
                 "delta must lie strictly between 0 and 1 for the gaussian mechanism", "delta"};
  }
  if (params.dimension < 1 || params.dimension > kMaxFeatures) {
    return Error{Code::kInvalidDimension,
                 "a study has 1 to 1000 features (a category counts "
                 "once for each of its levels)",
                 "columns"};
  }
  GaussianPlan plan{};
  plan.params = params;
  // The finest grid on which the noise fits the sampler; it depends on public numbers alone.
  for (plan.bits = kFinestBits; plan.bits >= kMinBits; --plan.bits) {
    plan.constant = constantCoordinate(plan.bits);
    const std::uint64_t row_norm_squared = augmentedNormSquared(plan.bits);
    plan.sensitivity_squared = frobeniusSensitivitySquared(row_norm_squared, params.dimension + 1,
                                                           params.neighbours, params.unit);
    plan.w_diagonal = gaussianWidth(params.epsilon, params.delta, plan.sensitivity_squared);
    if (plan.w_diagonal <= kMaxGaussianWidth) break;
  }
  if (plan.bits < kMinBits) {
    return Error{Code::kNoiseTooLarge,
                 "so small an epsilon needs more noise than the grid holds; raise epsilon or delta",
                 "epsilon"};
  }
  plan.w_off_diagonal = params.shape == GaussianShape::kRotationInvariant
                            ? offDiagonalWidth(plan.w_diagonal)
                            : plan.w_diagonal;
  const int sigma_log2 = std::bit_width(16 * plan.w_off_diagonal) - 1;
  plan.release_shift = std::max(0, sigma_log2 - kReleaseStepsLog2);
  plan.max_rows = maxRows(plan, augmentedNormSquared(plan.bits));
  certify(plan);
  return plan;
}

void releaseGaussian(const GaussianPlan& plan, std::span<const Int128> totals, Drbg& random,
                     std::span<double> out) {
  const std::size_t n = std::size_t(plan.params.dimension) + 1;
  const auto rounded_up = [](std::size_t count) {
    return (count + kNoiseBlock - 1) / kNoiseBlock * kNoiseBlock;
  };
  std::vector<std::int64_t> diagonal(rounded_up(n));
  std::vector<std::int64_t> off_diagonal(rounded_up(n * (n - 1) / 2));
  fillDiscreteGaussian(plan.w_diagonal, diagonal.data(), diagonal.size(), random);
  fillDiscreteGaussian(plan.w_off_diagonal, off_diagonal.data(), off_diagonal.size(), random);

  const bool count_is_public = plan.params.neighbours == Neighbours::kReplaceOne;
  const Int128 half_step = plan.release_shift > 0 ? Int128(1) << (plan.release_shift - 1) : 0;
  std::size_t entry = 0, next_off_diagonal = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j, ++entry) {
      Int128 noise = 0;
      if (i != j)
        noise = off_diagonal[next_off_diagonal++];
      else if (i != 0 || !count_is_public)
        noise = diagonal[i];
      out[entry] = double((totals[entry] + noise + half_step) >> plan.release_shift);
    }
  }
  wipe(diagonal.data(), diagonal.size() * sizeof(std::int64_t));
  wipe(off_diagonal.data(), off_diagonal.size() * sizeof(std::int64_t));
}

}  // namespace pm
