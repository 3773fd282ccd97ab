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
#include "core/random/wishart.hpp"
#include "core/square.hpp"
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
  if (sharing.dropouts < 0 || (paired && sharing.dropouts > 0)) {
    return invalid("dropouts must be a whole number of at least 0, and 0 where masks are Gaussian",
                   "federation.dropouts");
  }
  if (sharing.honestInSum() < 1) {
    return invalid(
        "a sum might have no honest release: there must be fewer dropouts than honest sites",
        "federation.dropouts");
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

void stateHonest(Plan& plan) {
  const Sharing& sharing = plan.params.sharing;
  Guarantee& g = plan.guarantee;
  g.honest = sharing.honestInSum();
  g.assumes.push_back("nobody without its key can tell a mask from random numbers");
  if (sharing.mode == Federation::kSplit) {
    g.assumes.push_back(
        "the SHA-256 of a masked release and 32 random bytes tells the helper nothing about it");
  }
}

// What mu-GDP is as (epsilon, delta) with so many samples; none where delta would be 1.
std::optional<Promise> floorOf(double mu, double rho, double samples, double delta) {
  const double epsilon = epsilonOfGdp(mu, delta * kFloorMargin);
  const double certified = std::max(delta, certifiedDelta(epsilon, mu, samples));
  if (certified >= 1) return {};
  return Promise{epsilon, certified, mu, rho, samplerDistance(samples)};
}

// The standard deviation of the smallest sum that may be looked at and a bound on the noise of the
// largest, in grid units; 0 where the noise does not fit the sampler.
struct SumNoise {
  double least_sd = 0;
  double most = 0;
};

// The finest shared grid on which the sums of all sites have room; `set` fills in the noise of one
// site.
Result<Plan> planOnSharedGrid(const MechanismParams& params, SumNoise (*set)(Plan&)) {
  for (int bits = kFinestSharedBits; bits >= kMinBits; --bits) {
    Plan plan = planAt(params, bits);
    const SumNoise noise = set(plan);
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

bool isPaired(const MechanismParams& params) {
  return params.sharing.mode == Federation::kCorrelated;
}

// The share of a whole release's variance that one site has: uniform masks are the limit of ever
// larger Gaussian ones.
double shareOf(const MechanismParams& params) {
  const Sharing& sharing = params.sharing;
  if (!isPaired(params)) return 1.0 / sharing.honestInSum();
  return exposure(sharing.joint ? View::kPairMasks : View::kOneMessage, params.sites,
                  sharing.honest, sharing.ratio);
}

SumNoise setGaussian(Plan& plan) {
  const MechanismParams& p = plan.params;
  plan.sensitivity_squared = frobeniusSensitivitySquared(augmentedNormSquared(plan.bits),
                                                         p.dimension + 1, p.neighbours, p.unit);
  const double mu = gdpOfEpsilonDelta(p.epsilon, p.delta) / std::sqrt(shareOf(p));
  const std::uint64_t w = gaussianWidth(mu, plan.sensitivity_squared);
  // A pair's mask has at least `ratio` times the variance; what a double rounds off is far less
  // than the calibration leaves.
  const std::uint64_t pair =
      isPaired(p) ? std::uint64_t(std::max(1.0, std::ceil(std::sqrt(p.sharing.ratio) * double(w))))
                  : 0;
  if (std::max(w, pair) > kMaxGaussianWidth) return {};
  const bool halved = p.shape == GaussianShape::kRotationInvariant;
  plan.w_diagonal = w;
  plan.w_off_diagonal = halved ? offDiagonalWidth(w) : w;
  plan.w_pair_diagonal = pair;
  plan.w_pair_off_diagonal = halved ? offDiagonalWidth(pair) : pair;
  plan.sd_diagonal = 16.0 * double(plan.w_diagonal);
  plan.sd_off_diagonal = 16.0 * double(plan.w_off_diagonal);
  const double all = std::sqrt(double(p.sites));
  // At worst no mask of a pair cancels.
  return {plan.sd_off_diagonal * (isPaired(p) ? all : std::sqrt(double(p.sharing.honestInSum()))),
          kGaussianTail * all * std::hypot(plan.sd_diagonal, 16.0 * double(pair) * all)};
}

// Beyond 16 s + 200/c an entry of standard deviation s has less than 2 e^-98 of its mass.
SumNoise setWishart(Plan& plan) {
  const MechanismParams& p = plan.params;
  const int n = p.dimension + 1, h = p.sharing.honestInSum();
  const std::uint64_t sensitivity =
      nuclearSensitivity(augmentedNormSquared(plan.bits), n, p.neighbours, p.unit);
  const double unit = double(sensitivity) * kScaleMargin / p.epsilon;  // 1/c
  plan.scale = 1 / unit;
  plan.freedom = (n + h) / h;  // (n + 1)/h, rounded up
  plan.sd_diagonal = std::sqrt(double(plan.freedom)) * unit;
  plan.sd_off_diagonal = std::sqrt(plan.freedom / 2.0) * unit;
  plan.facts = {
      Fact::exactly("nuclearSensitivity", sensitivity),
      Fact::exactly("degreesOfFreedom", Uint128(unsigned(plan.freedom))),
  };
  return {plan.sd_off_diagonal * std::sqrt(double(h)),
          16 * plan.sd_diagonal * std::sqrt(double(p.sites)) + 200 * unit};
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

// More than the roundings of a sum of a few positive terms take off, and less than the calibration
// leaves.
constexpr double kAboveRounding = 1 + 0x1p-46;

// The squared distance of neighbours in deviations of what h honest sites hide: mu^2 with variances
// smaller by 18, 2 rho as they are.
double honestSquared(const Plan& plan, double less) {
  const double h = plan.params.sharing.honestInSum();
  const double own = square(plan.sd_diagonal);
  const double pair = square(16.0 * double(plan.w_pair_diagonal));
  const double squared = isPaired(plan.params)
                             ? (1 / h) / (own - less) + (1 - 1 / h) / (own + h * pair - less)
                             : 1 / (h * own - less);
  return double(plan.sensitivity_squared) * squared * kAboveRounding;
}

}  // namespace

bool isMasked(const Plan& plan) { return plan.add_noise != nullptr; }

Result<Plan> planFederated(const Mechanism& mechanism, const MechanismParams& params) {
  switch (params.sharing.mode) {
    case Federation::kIndependent: return mechanism.plan(params);
    case Federation::kSplit:
    case Federation::kRing:
      if (mechanism.name == "two-sided-wishart") return planSharedWishart(params);
      [[fallthrough]];
    case Federation::kCorrelated:
      if (mechanism.name == "gaussian") return planSharedGaussian(params);
  }
  return invalid("the noise of this mechanism cannot be shared among sites", "mechanism");
}

Result<Plan> planSharedGaussian(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kApproximate)) return *wrong;
  if (const Status wrong = checkSharing(params)) return *wrong;
  Result<Plan> planned = planOnSharedGrid(params, &setGaussian);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  const Sharing& sharing = params.sharing;
  const double h = sharing.honestInSum(), sites = params.sites;
  const double entries = double(noisyEntries(params));
  const double pairs = isPaired(params) ? h * (h - 1) / 2 : 0;
  certifyGaussian(plan, std::sqrt(honestSquared(plan, 18)), honestSquared(plan, 0) / 2,
                  entries * (h + pairs),
                  sharing.joint ? "at this epsilon the sampler's tail is not long enough for the "
                                  "requested delta: treat the sum as not private"
                                : "the noise is calibrated as published, for one message alone; of "
                                  "all messages together delta is larger");
  stateHonest(plan);
  plan.guarantee.floor =
      floorOf(gaussianMu(plan.sensitivity_squared, plan.w_diagonal),
              gaussianRho(plan.sensitivity_squared, plan.w_diagonal), entries, params.delta);
  if (!sharing.joint) {
    const double own = square(plan.sd_diagonal);
    const double message = own + (sites - 1) * square(16.0 * double(plan.w_pair_diagonal));
    const double squared = double(plan.sensitivity_squared) * kAboveRounding;
    const double mu = std::sqrt(squared / (message - 18));
    const double delta = certifiedDelta(params.epsilon, mu, entries * sites);
    plan.guarantee.alone = Promise{params.epsilon, std::max(params.delta, delta), mu,
                                   squared / message / 2, samplerDistance(entries * sites)};
  }
  plan.facts.push_back(Fact::exactly("wDiagonal", plan.w_diagonal));
  plan.facts.push_back(Fact::exactly("wOffDiagonal", plan.w_off_diagonal));
  if (isPaired(params)) {
    plan.facts.push_back(Fact::exactly("wPairDiagonal", plan.w_pair_diagonal));
    plan.facts.push_back(Fact::exactly("wPairOffDiagonal", plan.w_pair_off_diagonal));
  } else {
    // rho of the sum of h noises, as of one release (gaussian.cpp).
    plan.facts.push_back(
        Fact::exactly("rhoDenominator", Uint128(512) * Uint128(unsigned(sharing.honestInSum())) *
                                            plan.w_diagonal * plan.w_diagonal));
  }
  plan.add_noise = &addGaussian;
  return planned;
}

Result<Plan> planSharedWishart(const MechanismParams& params) {
  if (const Status wrong = checkParams(params, Budget::kPure)) return *wrong;
  if (const Status wrong = checkSharing(params)) return *wrong;
  Result<Plan> planned = planOnSharedGrid(params, &setWishart);
  if (!planned.ok()) return planned;
  Plan& plan = planned.value();
  plan.guarantee = guaranteeFor(params, Numerics::kIdealized);
  setPure(plan.guarantee, params.epsilon);
  stateHonest(plan);
  if (params.sharing.honestInSum() == 1) {
    const Guarantee& g = plan.guarantee;
    plan.guarantee.floor = Promise{g.epsilon, 0, g.gdp, g.zcdp};
  }
  plan.distribution = "two-sided-wishart";
  plan.sampler = "bartlett/1";
  plan.add_noise = &addTwoSidedWishart;
  return planned;
}

}  // namespace pm
