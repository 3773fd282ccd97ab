#include "core/mechanisms/gaussian.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/accountant.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/upward.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Relative margin above the root finder's error, too small to affect accuracy.
constexpr double kCalibrationMargin = 1 + 0x1p-40;

// log2 of (1 + e^epsilon) samples 2^-144, also where that overflows.
double samplerDeltaLog2(double epsilon, double samples) {
  return (epsilon + std::log1p(std::exp(-epsilon)) + std::log(samples)) / std::numbers::ln2 +
         kGaussianSamplerDistanceLog2;
}

// More than the rounding error of that logarithm.
constexpr double kLog2Margin = 0x1p-30;

// The variance of the noise in squared grid units.
Uint128 varianceOf(std::uint64_t w) { return Uint128(256) * w * w; }

}  // namespace

double gaussianMu(Uint128 sensitivity_squared, std::uint64_t w) {
  return rootUp(quotientUp(realUp(sensitivity_squared), realDown(varianceOf(w) - 18)));
}

double gaussianRho(Uint128 sensitivity_squared, std::uint64_t w) {
  return quotientUp(realUp(sensitivity_squared), realDown(varianceOf(w))) / 2;
}

double samplerDistance(double samples) { return std::ldexp(samples, kGaussianSamplerDistanceLog2); }

Part gaussianPart(std::string what, double mu, double rho, double samples, const Guarantee& whole) {
  Part part{std::move(what), 0, 0, mu, rho, samplerDistance(samples)};
  certifyPart(part, whole);
  return part;
}

void certifyPart(Part& part, const Guarantee& whole) {
  part.epsilon = whole.epsilon;
  part.delta = whole.delta;
  const double sampler = deltaOfDistance(part.total_variation, whole.epsilon);
  const double room = differenceDown(whole.delta, sampler);
  if (room > 0) part.epsilon = std::min(whole.epsilon, epsilonOfGdp(part.gdp, room));
}

std::uint64_t noisyEntries(const MechanismParams& params) {
  const std::uint64_t n = std::uint64_t(params.dimension) + 1;
  return n * (n + 1) / 2 - (params.neighbours == Neighbours::kReplaceOne ? 1 : 0);
}

double certifiedDelta(double epsilon, double mu, double samples) {
  return std::min(
      1.0, sumUp(deltaOfGdp(epsilon, mu), deltaOfDistance(samplerDistance(samples), epsilon)));
}

// delta of the discrete mechanism at the requested epsilon. By the theorem in
// docs/mechanisms/gaussian.md it is at most that of continuous noise whose variance is smaller by 9
// in each entry (by 18 on the scale of the diagonal, as off-diagonal entries have half), plus the
// sampler's.
void certifyGaussian(Plan& plan, double samples) {
  const std::uint64_t w = plan.own<GaussianNoise>().w_diagonal;
  const double mu = gaussianMu(plan.sensitivity_squared, w);
  const double rho = gaussianRho(plan.sensitivity_squared, w);
  const char* beyond =
      "at this epsilon the sampler's tail is too short for the requested delta: treat the release "
      "as not private";
  if (plan.clip_width > 0) {
    const ClipCost clip = clipCost(plan);
    const double counts = double(clipCounts(plan)), mus[] = {mu, clip.gdp};
    certifyGaussian(plan, composeGdp(mus, 2), sumUp(rho, clip.zcdp), samples, beyond);
    Guarantee& g = plan.guarantee;
    g.parts = {gaussianPart("clip radius", clip.gdp, clip.zcdp, counts, g),
               gaussianPart("second moments", mu, rho, samples - counts, g)};
  } else {
    certifyGaussian(plan, mu, rho, samples, beyond);
  }
  // rho as a fraction of integers: sensitivity^2 / (2 (16 w)^2).
  plan.facts.push_back(Fact::exactly("rhoDenominator", Uint128(512) * w * w));
}

void certifyGaussian(Plan& plan, double mu, double rho, double samples, const char* beyond) {
  const MechanismParams& p = plan.params;
  double& sampler_delta_log2 = plan.own<GaussianNoise>().sampler_delta_log2;
  sampler_delta_log2 = samplerDeltaLog2(p.epsilon, samples);
  plan.distribution = kDistributionOf<kGaussianRecord>;
  plan.sampler = "block16/1";
  plan.facts = {
      Fact::exactly("sensitivitySquared", plan.sensitivity_squared),
      Fact::of("samplerDeltaLog2", std::ceil(sampler_delta_log2 + kLog2Margin)),
  };
  const double total = certifiedDelta(p.epsilon, mu, samples);
  Guarantee& g = plan.guarantee = guaranteeFor(p, Numerics::kExact);
  g.delta = std::max(p.delta, total);
  g.gdp = mu;
  g.zcdp = rho;
  g.total_variation = samplerDistance(samples);
  if (g.delta > p.delta) g.assumes.push_back(beyond);
}

std::uint64_t gaussianWidth(double mu, Uint128 sensitivity_squared) {
  const double sigma_hat = kCalibrationMargin / mu;
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

Result<Plan> planGaussianMoments(const MechanismParams& params, double mu) {
  Result<Plan> planned = calibrateGaussian(
      params,
      [&](int bits) {
        return frobeniusSensitivitySquared(augmentedNormSquared(bits, params.constant),
                                           params.dimension + 1, params.neighbours, params.unit);
      },
      mu);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  GaussianNoise& noise = plan.own<GaussianNoise>();
  noise.w_off_diagonal = params.options[kShape] == GaussianShape::kRotationInvariant
                             ? offDiagonalWidth(noise.w_diagonal)
                             : noise.w_diagonal;
  plan.sd_diagonal = 16.0 * double(noise.w_diagonal);
  plan.sd_off_diagonal = 16.0 * double(noise.w_off_diagonal);
  setMomentsGrid(plan, plan.sd_off_diagonal);
  plan.release = &releaseGaussian;
  return planned;
}

Result<Plan> planGaussian(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kApproximate)) return *wrong;
  const bool adaptive = params.clipping == Clipping::kAdaptive;
  if (adaptive && params.unit != Unit::kRow) {
    return Error{Code::kInvalidUnit, "adaptive clipping needs unit row", "clipping"};
  }
  const double mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  Result<Plan> planned =
      planGaussianMoments(params, adaptive ? mu * std::sqrt(1 - kClipShare) : mu);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  if (adaptive) {
    plan.clip_width =
        gaussianWidth(mu * std::sqrt(kClipShare), clipSensitivitySquared(params.neighbours));
    if (plan.clip_width > kMaxClipWidth) return noiseTooLarge();
  }
  certifyGaussian(plan, double(noisyEntries(params) + clipCounts(plan)));
  const GaussianNoise& noise = plan.own<GaussianNoise>();
  plan.facts.push_back(Fact::exactly("wDiagonal", noise.w_diagonal));
  plan.facts.push_back(Fact::exactly("wOffDiagonal", noise.w_off_diagonal));
  if (adaptive) {
    plan.facts.push_back(Fact::exactly("wClip", plan.clip_width));
    plan.max_rows = std::min(plan.max_rows, kMaxClipRows);
  }
  return planned;
}

std::vector<std::int64_t> gaussianNoise(std::uint64_t w, std::size_t count, Drbg& random) {
  std::vector<std::int64_t> noise(wholeNoiseBlocks(count));
  fillDiscreteGaussian(w, noise.data(), noise.size(), random);
  return noise;
}

std::vector<std::int64_t> gaussianMatrix(const Plan& plan, std::uint64_t w_diagonal,
                                         std::uint64_t w_off_diagonal, Drbg& random) {
  const std::size_t n = std::size_t(plan.params.dimension) + 1;
  std::vector<std::int64_t> diagonal = gaussianNoise(w_diagonal, n, random);
  std::vector<std::int64_t> off_diagonal = gaussianNoise(w_off_diagonal, n * (n - 1) / 2, random);
  if (plan.params.neighbours == Neighbours::kReplaceOne) diagonal[0] = 0;  // the count is public
  std::vector<std::int64_t> packed(packedSize(n));
  std::size_t entry = 0, next_off_diagonal = 0;
  for (std::size_t i = 0; i < n; ++i) {
    packed[entry++] = diagonal[i];
    for (std::size_t j = i + 1; j < n; ++j) packed[entry++] = off_diagonal[next_off_diagonal++];
  }
  wipe(diagonal.data(), diagonal.size() * sizeof(std::int64_t));
  wipe(off_diagonal.data(), off_diagonal.size() * sizeof(std::int64_t));
  return packed;
}

void releaseGaussian(const Plan& plan, std::span<const Int128> totals, Drbg& random,
                     std::span<double> out) {
  const GaussianNoise& own = plan.own<GaussianNoise>();
  std::vector<std::int64_t> noise =
      gaussianMatrix(plan, own.w_diagonal, own.w_off_diagonal, random);
  for (std::size_t entry = 0; entry < noise.size(); ++entry) {
    out[entry] = releasedInteger(plan, totals[entry], noise[entry]);
  }
  wipe(noise.data(), noise.size() * sizeof(std::int64_t));
}

}  // namespace pm
