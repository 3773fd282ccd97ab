#include "core/federation/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/federation/collusion.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/privacy/zcdp.hpp"
#include "core/random/wishart.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// A finer grid is taken only while every site may have so many rows.
constexpr std::uint64_t kRowsWorthAGrid = std::uint64_t{1} << 16;

// The floor is solved at this much less than delta, which leaves room for the sampler.
constexpr double kFloorMargin = 1 - 0x1p-30;

constexpr double kLargestRatio = 1e6;
constexpr int kMostSites = 1 << 30;
constexpr int kMostPaired = 1000;

constexpr const char* kSamplerTooShort =
    "at this epsilon the sampler's tail is not long enough for the requested delta: "
    "treat the sum as not private";

Error invalid(const char* message, const char* field) {
  return {Code::kInvalidFederation, message, field};
}

Status checkSharing(const MechanismParams& params) {
  const Sharing& sharing = params.sharing;
  const bool paired = sharing.mode == Federation::kCorrelated;
  if (params.sites < 2 || params.sites > (paired ? kMostPaired : kMostSites)) {
    return invalid("behind masks there are 2 to 2^30 sites, or 1000 where masks are Gaussian",
                   "federation.sites");
  }
  if (sharing.honest < 1 || sharing.honest > params.sites) {
    return invalid("honest must be a whole number from 1 to sites", "federation.honest");
  }
  if (!(sharing.ratio > 0) || sharing.ratio > kLargestRatio) {
    return invalid("ratio must lie above 0 and not above 10^6", "federation.ratio");
  }
  if (params.adaptive) {
    return invalid("behind masks clipping must be fixed: counts would leave without a mask",
                   "clipping");
  }
  return {};
}

std::vector<std::string> assumptions(const Sharing& sharing) {
  std::vector<std::string> all = {
      "at least " + std::to_string(sharing.honest) +
          " of the releases in a sum are of participants who keep their noise and their masks to "
          "themselves",
      "nobody without its key can tell a mask from random numbers",
  };
  if (sharing.mode == Federation::kSplit) {
    all.push_back("the analyst and the helper do not put together what each of them received");
  }
  if (sharing.mode == Federation::kRing) {
    all.push_back("all participants are shown the same list of those whose releases are summed");
  }
  return all;
}

void stateHonest(Plan& plan) {
  Guarantee& g = plan.guarantee;
  g.honest = plan.params.sharing.honest;
  for (std::string& each : assumptions(plan.params.sharing)) g.assumes.push_back(std::move(each));
}

// What mu-GDP is as (epsilon, delta) with so many samples; none where delta would be 1.
std::optional<Part> promiseOf(const char* what, double mu, double rho, double samples,
                              double delta) {
  const double epsilon = epsilonOfGdp(mu, delta * kFloorMargin);
  const double certified = std::max(delta, certifiedDelta(epsilon, mu, samples));
  if (certified >= 1) return {};
  return Part{what, epsilon, certified, mu, rho};
}

double square(double x) { return x * x; }

// The finest shared grid on which the sums of all sites have room: `widen` fills in the noise of
// one site and returns the standard deviations of the smallest sum that may be looked at and a
// bound on the noise of the largest, both in grid units; 0 where the noise does not fit the
// sampler.
struct SumNoise {
  double least_sd = 0;
  double most = 0;
};
template <class Widen>
Result<Plan> planOnSharedGrid(const MechanismParams& params, Widen widen) {
  for (int bits = kFinestSharedBits; bits >= kMinBits; --bits) {
    Plan plan = planAt(params, bits);
    const SumNoise noise = widen(plan);
    if (noise.least_sd == 0 || noise.most > std::ldexp(1.0, kSumBits - 2)) continue;
    setMomentsGrid(plan, noise.least_sd);
    const std::uint64_t room = (std::uint64_t{1} << kSumBits) - std::uint64_t(noise.most);
    plan.max_rows_of_sum = std::min(plan.max_rows, room / augmentedNormSquared(bits));
    const std::uint64_t each = plan.max_rows_of_sum / std::uint64_t(params.sites);
    // A participant's average is as long as one row, whatever the number of rows.
    plan.max_rows = params.unit == Unit::kParticipant ? (std::uint64_t{1} << 53) - 1 : each;
    if (each >= kRowsWorthAGrid || params.unit == Unit::kParticipant || bits == kMinBits) {
      if (each == 0) return invalid("the grid has no room for so many sites", "federation.sites");
      return plan;
    }
  }
  return noiseTooLarge();
}

// Beyond 14 standard deviations a sum of discrete Gaussians has less than 2^-140 of its mass.
constexpr double kGaussianTail = 14;

bool fits(std::uint64_t w) { return w <= kMaxGaussianWidth; }

std::uint64_t offDiagonal(const Plan& plan, std::uint64_t w) {
  return plan.params.shape == GaussianShape::kRotationInvariant ? offDiagonalWidth(w) : w;
}

void setWidths(Plan& plan, std::uint64_t w) {
  plan.w_diagonal = w;
  plan.w_off_diagonal = offDiagonal(plan, w);
  plan.sd_diagonal = 16.0 * double(plan.w_diagonal);
  plan.sd_off_diagonal = 16.0 * double(plan.w_off_diagonal);
}

void setSensitivity(Plan& plan) {
  const MechanismParams& p = plan.params;
  plan.sensitivity_squared = frobeniusSensitivitySquared(augmentedNormSquared(plan.bits),
                                                         p.dimension + 1, p.neighbours, p.unit);
}

void addGaussian(const Plan& plan, Drbg& random, std::span<std::uint64_t> words) {
  std::vector<std::int64_t> noise =
      gaussianMatrix(plan, plan.w_diagonal, plan.w_off_diagonal, random);
  for (std::size_t i = 0; i < noise.size(); ++i) words[i] += std::uint64_t(noise[i]);
  wipe(noise.data(), noise.size() * sizeof(std::int64_t));
}

void addTwoSidedWishart(const Plan& plan, Drbg& random, std::span<std::uint64_t> words) {
  const int n = plan.params.dimension + 1;
  std::vector<double> noise(words.size());
  addWishart(n, plan.freedom, 1 / (2 * plan.scale), random, noise);
  addWishart(n, plan.freedom, -1 / (2 * plan.scale), random, noise);
  if (plan.params.neighbours == Neighbours::kReplaceOne) noise[0] = 0;  // the count is public
  for (std::size_t i = 0; i < words.size(); ++i) words[i] += std::uint64_t(toGrid(noise[i]));
  wipe(noise.data(), noise.size() * sizeof(double));
}

// A mask of a pair has at least `ratio` times the variance; what a double rounds off is far less
// than the calibration leaves.
std::uint64_t pairWidth(std::uint64_t w, double ratio) {
  return std::uint64_t(std::max(1.0, std::ceil(std::sqrt(ratio) * double(w))));
}

// mu^2 or 2 rho of all messages: variances of `less` are taken off first.
double jointSquared(const Plan& plan, double less) {
  const double h = plan.params.sharing.honest;
  const double own = square(16.0 * double(plan.w_diagonal));
  const double pair = square(16.0 * double(plan.w_pair_diagonal));
  return double(plan.sensitivity_squared) *
         ((1 / h) / (own - less) + (1 - 1 / h) / (own + h * pair - less));
}

}  // namespace

bool isMasked(const Plan& plan) { return plan.add_noise != nullptr; }

Result<Plan> planFederated(const Mechanism& mechanism, const MechanismParams& params) {
  switch (params.sharing.mode) {
    case Federation::kIndependent: return mechanism.plan(params);
    case Federation::kCorrelated:
      if (mechanism.name == "gaussian") return planCorrelated(params);
      break;
    case Federation::kSplit:
    case Federation::kRing:
      if (mechanism.name == "gaussian") return planMaskedGaussian(params);
      if (mechanism.name == "two-sided-wishart") return planMaskedWishart(params);
  }
  return invalid("the noise of this mechanism cannot be shared among sites", "mechanism");
}

Result<Plan> planMaskedGaussian(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kApproximate)) return *wrong;
  if (const Status wrong = checkSharing(params)) return *wrong;
  const double h = params.sharing.honest;
  const double mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  Result<Plan> planned = planOnSharedGrid(params, [&](Plan& plan) -> SumNoise {
    setSensitivity(plan);
    const std::uint64_t w = gaussianWidth(mu * std::sqrt(h), plan.sensitivity_squared);
    if (!fits(w)) return {};
    setWidths(plan, w);
    return {plan.sd_off_diagonal * std::sqrt(h),
            kGaussianTail * plan.sd_diagonal * std::sqrt(double(params.sites))};
  });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const double sensitivity = std::sqrt(double(plan.sensitivity_squared));
  const double own = square(plan.sd_diagonal);
  const double samples = double(noisyEntries(params));
  certifyGaussian(plan, sensitivity / std::sqrt(h * own - 18),
                  zcdpOfGdp(sensitivity / std::sqrt(h * own)), h * samples, kSamplerTooShort);
  stateHonest(plan);
  plan.guarantee.floor =
      promiseOf("all others collude", sensitivity / std::sqrt(own - 18),
                zcdpOfGdp(sensitivity / plan.sd_diagonal), samples, params.delta);
  // rho of the sum of h noises, as of one release (gaussian.cpp).
  plan.facts.push_back(Fact::exactly(
      "rhoDenominator",
      Uint128(512) * Uint128(unsigned(params.sharing.honest)) * plan.w_diagonal * plan.w_diagonal));
  plan.facts.push_back(Fact::exactly("wDiagonal", plan.w_diagonal));
  plan.facts.push_back(Fact::exactly("wOffDiagonal", plan.w_off_diagonal));
  plan.add_noise = &addGaussian;
  return planned;
}

Result<Plan> planMaskedWishart(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  if (const Status wrong = checkSharing(params)) return *wrong;
  const int n = params.dimension + 1, h = params.sharing.honest;
  const int freedom = (n + h) / h;  // (n + 1)/h, rounded up
  std::uint64_t sensitivity = 0;
  Result<Plan> planned = planOnSharedGrid(params, [&](Plan& plan) -> SumNoise {
    sensitivity =
        nuclearSensitivity(augmentedNormSquared(plan.bits), n, params.neighbours, params.unit);
    const double unit = double(sensitivity) / params.epsilon;  // 1/c
    plan.scale = 1 / unit;
    plan.freedom = freedom;
    plan.sd_diagonal = std::sqrt(double(freedom)) * unit;
    plan.sd_off_diagonal = std::sqrt(freedom / 2.0) * unit;
    // Beyond 16 s + 200/c an entry of standard deviation s has less than 2 e^-98 of its mass.
    return {plan.sd_off_diagonal * std::sqrt(double(h)),
            16 * plan.sd_diagonal * std::sqrt(double(params.sites)) + 200 * unit};
  });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.guarantee = guaranteeFor(params, Numerics::kIdealized);
  setPure(plan.guarantee, params.epsilon);
  stateHonest(plan);
  if (h == 1) {
    const Guarantee& g = plan.guarantee;
    plan.guarantee.floor = Part{"all others collude", g.epsilon, 0, g.gdp, g.zcdp};
  }
  plan.distribution = "two-sided-wishart";
  plan.sampler = "bartlett/1";
  plan.facts = {
      Fact::exactly("nuclearSensitivity", sensitivity),
      Fact::exactly("degreesOfFreedom", Uint128(unsigned(freedom))),
  };
  plan.add_noise = &addTwoSidedWishart;
  return planned;
}

Result<Plan> planCorrelated(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kApproximate)) return *wrong;
  if (const Status wrong = checkSharing(params)) return *wrong;
  const Sharing& sharing = params.sharing;
  const double h = sharing.honest, sites = params.sites;
  const double mu = gdpOfEpsilonDelta(params.epsilon, params.delta);
  const View calibrated = sharing.joint ? View::kPairMasks : View::kOneMessage;
  const double share = exposure(calibrated, params.sites, sharing.honest, sharing.ratio);
  Result<Plan> planned = planOnSharedGrid(params, [&](Plan& plan) -> SumNoise {
    setSensitivity(plan);
    const std::uint64_t w = gaussianWidth(mu / std::sqrt(share), plan.sensitivity_squared);
    const std::uint64_t pair = pairWidth(w, sharing.ratio);
    if (!fits(w) || !fits(pair)) return {};
    setWidths(plan, w);
    plan.w_pair_diagonal = pair;
    plan.w_pair_off_diagonal = offDiagonal(plan, pair);
    // Without masks that cancel, at worst.
    return {plan.sd_off_diagonal * std::sqrt(sites),
            kGaussianTail * std::sqrt(sites) *
                std::hypot(plan.sd_diagonal, 16.0 * double(pair) * std::sqrt(sites))};
  });
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const double samples = double(noisyEntries(params));
  certifyGaussian(plan, std::sqrt(jointSquared(plan, 18)), jointSquared(plan, 0) / 2,
                  samples * h * (h + 1) / 2,
                  sharing.joint ? kSamplerTooShort
                                : "the noise is calibrated as published, for one message alone; of "
                                  "all messages together delta is larger");
  stateHonest(plan);
  const double sensitivity = std::sqrt(double(plan.sensitivity_squared));
  const double own = square(plan.sd_diagonal);
  plan.guarantee.floor =
      promiseOf("all others collude", sensitivity / std::sqrt(own - 18),
                zcdpOfGdp(sensitivity / plan.sd_diagonal), samples, params.delta);
  if (!sharing.joint) {
    const double message = own + (sites - 1) * square(16.0 * double(plan.w_pair_diagonal));
    const double alone = sensitivity / std::sqrt(message - 18);
    const double delta = certifiedDelta(params.epsilon, alone, samples * sites);
    plan.guarantee.alone = Part{"one message alone", params.epsilon, std::max(params.delta, delta),
                                alone, zcdpOfGdp(sensitivity / std::sqrt(message))};
  }
  plan.facts.push_back(Fact::exactly("wDiagonal", plan.w_diagonal));
  plan.facts.push_back(Fact::exactly("wOffDiagonal", plan.w_off_diagonal));
  plan.facts.push_back(Fact::exactly("wPairDiagonal", plan.w_pair_diagonal));
  plan.facts.push_back(Fact::exactly("wPairOffDiagonal", plan.w_pair_off_diagonal));
  plan.add_noise = &addGaussian;
  return planned;
}

}  // namespace pm
