#include "core/mechanisms/clipping.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/mechanisms/gaussian.hpp"
#include "core/moments/clip_ladder.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr std::size_t kRadii = kClipLevels - 1;

/// Maximum share of rows to clip, and the margin for the noise in standard deviations.
constexpr double kMostShortened = 0.25;
constexpr double kDoubt = 2;

std::size_t countsUnder(Neighbours neighbours) {
  return kRadii + (neighbours == Neighbours::kAddRemove ? 1 : 0);
}

/// The mean of a tail that falls exponentially from `more` to `fewer` rows: the logarithmic mean.
/// Less than half a row counts as none.
double meanOfTail(double more, double fewer) {
  if (more < 0.5) return 0;
  fewer = std::max(fewer, 0.5);
  return more > fewer ? (more - fewer) / std::log(more / fewer) : more;
}

}  // namespace

std::size_t clipCounts(const Plan& plan) {
  return plan.clip_width > 0 && plan.survey_width == 0 ? countsUnder(plan.params.neighbours) : 0;
}

Uint128 clipSensitivitySquared(Neighbours neighbours) {
  return Uint128(countsUnder(neighbours)) << (2 * kClipCountBits);
}

double clipCountSd(const Plan& plan) {
  const double sd = (plan.laplace_steps ? std::numbers::sqrt2 : 1) * 16 * double(plan.clip_width);
  return std::ldexp(sd, -kClipCountBits);
}

ClipCost clipCost(const Plan& plan) {
  const Uint128 squared = clipSensitivitySquared(plan.params.neighbours);
  return {gaussianMu(squared, plan.clip_width), gaussianRho(squared, plan.clip_width)};
}

std::vector<double> releaseClipCounts(const Plan& plan, const IntakeCounts& counts, Drbg& random) {
  std::vector<std::int64_t> noise = gaussianNoise(plan.clip_width, clipCounts(plan), random);
  std::vector<double> released(clipCounts(plan));
  for (std::size_t i = 0; i < released.size(); ++i) {
    const std::uint64_t count = i < kRadii ? counts.longer[i + 1] : counts.used;
    released[i] = double(std::int64_t(count << kClipCountBits) + noise[i]);
  }
  wipe(noise.data(), noise.size() * sizeof(std::int64_t));
  return released;
}

int chooseClipLevel(const Plan& plan, std::span<const double> counts,
                    std::optional<std::uint64_t> rows) {
  std::array<double, kClipLevels> longer{};
  for (std::size_t i = 0; i < counts.size() && i < longer.size(); ++i) {
    longer[i] = std::max(0.0, std::ldexp(counts[i], -kClipCountBits));
  }
  const double all = rows ? double(*rows) : longer[kRadii];
  const double most = kMostShortened * all - kDoubt * clipCountSd(plan);

  // The number of rows longer than a radius decreases with the radius. One standard deviation is
  // subtracted so that noise in counts of zero does not pass for long rows.
  std::array<double, kClipLevels> tail{};  // tail[0] = 0
  double fewest = all;
  for (std::size_t level = kRadii; level >= 1; --level) {
    fewest = std::min(fewest, std::max(0.0, longer[level - 1] - clipCountSd(plan)));
    tail[level] = fewest;
  }

  // All quantities in units of R^2.
  const double d = plan.params.dimension;
  const double sd = std::ldexp(plan.sd_off_diagonal, -2 * plan.bits);
  const double noise = sd * sd * d * (d + 1) / plan.params.sites;
  int best = 0;
  double least = noise;
  double lost = 0;
  for (int level = 1; level < kClipLevels; ++level) {
    const double radius = clipRadius(1, level), above = clipRadius(1, level - 1);
    const double squared = radius * radius;
    lost += (above * above - squared) *
            meanOfTail(tail[std::size_t(level)], tail[std::size_t(level) - 1]);
    const double error = lost * lost + noise * squared * squared;
    if (longer[std::size_t(level) - 1] > most || error >= least) continue;
    best = level;
    least = error;
  }
  return best;
}

}  // namespace pm
