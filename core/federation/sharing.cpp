#include "core/federation/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/federation/collusion.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/square.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// A finer grid is used only while every site may have this many rows.
constexpr std::uint64_t kRowsWorthAGrid = std::uint64_t{1} << 16;

// The floor is solved for this share of delta, to leave room for the sampler's distance.
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
    return invalid("a masked study has 2 to 2^30 sites, with Gaussian masks 2 to 1000",
                   "federation.sites");
  }
  if (sharing.honest < 1 || sharing.honest > params.sites) {
    return invalid("honest must be a whole number from 1 to sites", "federation.honest");
  }
  if (sharing.dropouts < 0 || (paired && sharing.dropouts > 0)) {
    return invalid("dropouts must be a whole number of at least 0, and 0 with Gaussian masks",
                   "federation.dropouts");
  }
  if (sharing.honestInSum() < 1) {
    return invalid("a sum might contain no honest release: allow fewer dropouts than honest sites",
                   "federation.dropouts");
  }
  if (!(sharing.ratio > 0) || sharing.ratio > kLargestRatio) {
    return invalid("ratio must be above 0 and at most 10^6", "federation.ratio");
  }
  if (params.clipping != Clipping::kFixed) {
    return invalid(
        "a masked study needs fixed clipping, because the others send counts without a mask",
        "clipping");
  }
  return {};
}

void stateHonest(Plan& plan) {
  const Sharing& sharing = plan.params.sharing;
  Guarantee& g = plan.guarantee;
  g.honest = sharing.honestInSum();
  g.assumes.push_back("without its key, a mask cannot be distinguished from random numbers");
  if (sharing.mode == Federation::kSplit) {
    g.assumes.push_back(
        "the helper learns nothing from the SHA-256 of a masked release and 32 random bytes");
  }
}

// The (epsilon, delta) of mu-GDP with this many samples; nothing if delta would be 1.
std::optional<Promise> floorOf(double mu, double rho, double samples, double delta) {
  const double epsilon = epsilonOfGdp(mu, delta * kFloorMargin);
  const double certified = std::max(delta, certifiedDelta(epsilon, mu, samples));
  if (certified >= 1) return {};
  return Promise{epsilon, certified, mu, rho, samplerDistance(samples)};
}

// In grid units: the standard deviation of the noise in the sum of the fewest sites, and a bound on
// the noise in the sum of all; 0 if the noise does not fit the sampler.
struct SumNoise {
  double least_sd = 0;
  double most = 0;
};

// A plan on the finest shared grid that can hold the sums of all sites; `set` fills in the noise of
// one site.
Result<Plan> planOnSharedGrid(const MechanismParams& params, SumNoise (*set)(Plan&)) {
  for (int bits = kFinestSharedBits; bits >= kMinBits; --bits) {
    Plan plan = planAt(params, bits);
    const SumNoise noise = set(plan);
    if (noise.least_sd == 0 || noise.most > std::ldexp(1.0, kSumBits - 2)) continue;
    setMomentsGrid(plan, noise.least_sd);
    const std::uint64_t room = (std::uint64_t{1} << kSumBits) - std::uint64_t(noise.most);
    plan.max_rows_of_sum =
        std::min(plan.max_rows, room / augmentedNormSquared(bits, params.constant));
    const std::uint64_t each = plan.max_rows_of_sum / std::uint64_t(params.sites);
    // A participant's average is at most as long as one row, whatever the number of rows.
    plan.max_rows = params.unit == Unit::kParticipant ? (std::uint64_t{1} << 53) - 1 : each;
    if (each >= kRowsWorthAGrid || params.unit == Unit::kParticipant || bits == kMinBits) {
      if (each == 0)
        return invalid("the grid cannot hold one row for each site; reduce sites",
                       "federation.sites");
      return plan;
    }
  }
  return noiseTooLarge();
}

// A sum of discrete Gaussians has less than 2^-140 of its mass beyond 14 standard deviations.
constexpr double kGaussianTail = 14;

bool isPaired(const MechanismParams& params) {
  return params.sharing.mode == Federation::kCorrelated;
}

// One site's share of the variance of a whole release. Uniform masks are the limit of Gaussian ones
// of growing variance.
double shareOf(const MechanismParams& params) {
  const Sharing& sharing = params.sharing;
  if (!isPaired(params)) return 1.0 / sharing.honestInSum();
  return exposure(sharing.joint ? View::kPairMasks : View::kOneMessage, params.sites,
                  sharing.honest, sharing.ratio);
}

SumNoise setGaussian(Plan& plan) {
  const MechanismParams& p = plan.params;
  plan.sensitivity_squared = frobeniusSensitivitySquared(
      augmentedNormSquared(plan.bits, p.constant), p.dimension + 1, p.neighbours, p.unit);
  const double mu = gdpOfEpsilonDelta(p.epsilon, p.delta) / std::sqrt(shareOf(p));
  const std::uint64_t w = gaussianWidth(mu, plan.sensitivity_squared);
  // A pair's mask has at least `ratio` times the variance; rounding in doubles is far below the
  // margin of the calibration.
  const std::uint64_t pair =
      isPaired(p) ? std::uint64_t(std::max(1.0, std::ceil(std::sqrt(p.sharing.ratio) * double(w))))
                  : 0;
  if (std::max(w, pair) > kMaxGaussianWidth) return {};
  const bool halved = p.options[kShape] == GaussianShape::kRotationInvariant;
  GaussianNoise noise;
  noise.w_diagonal = w;
  noise.w_off_diagonal = halved ? offDiagonalWidth(w) : w;
  noise.w_pair_diagonal = pair;
  noise.w_pair_off_diagonal = halved ? offDiagonalWidth(pair) : pair;
  plan.own_parameters = OwnParameters(noise);
  plan.sd_diagonal = 16.0 * double(noise.w_diagonal);
  plan.sd_off_diagonal = 16.0 * double(noise.w_off_diagonal);
  const double all = std::sqrt(double(p.sites));
  // In the worst case no pair mask cancels.
  return {plan.sd_off_diagonal * (isPaired(p) ? all : std::sqrt(double(p.sharing.honestInSum()))),
          kGaussianTail * all * std::hypot(plan.sd_diagonal, 16.0 * double(pair) * all)};
}

// An entry of standard deviation s has less than 2 e^-98 of its mass beyond 16 s + 200/c.
SumNoise setWishart(Plan& plan) {
  const MechanismParams& p = plan.params;
  const int n = p.dimension + 1, h = p.sharing.honestInSum();
  const std::uint64_t sensitivity =
      nuclearSensitivity(augmentedNormSquared(plan.bits, p.constant), n, p.neighbours, p.unit);
  const TwoSidedWishartNoise noise{scaleAbove(sensitivity, 2 * p.epsilon)};
  const double unit = 1 / noise.c();
  plan.own_parameters = OwnParameters(noise);
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
  const GaussianNoise& own = plan.own<GaussianNoise>();
  std::vector<std::int64_t> noise =
      gaussianMatrix(plan, own.w_diagonal, own.w_off_diagonal, random);
  for (std::size_t i = 0; i < noise.size(); ++i) words[i] += std::uint64_t(noise[i]);
  wipe(noise.data(), noise.size() * sizeof(std::int64_t));
}

void addTwoSidedWishart(const Plan& plan, Drbg& random, std::span<std::uint64_t> words) {
  std::vector<Int128> noise(words.size());
  twoSidedWishartNoise(plan.params.dimension + 1, plan.freedom,
                       plan.own<TwoSidedWishartNoise>().scale, random, noise);
  if (plan.params.neighbours == Neighbours::kReplaceOne) noise[0] = 0;  // the count is public
  for (std::size_t i = 0; i < words.size(); ++i) words[i] += std::uint64_t(noise[i]);
  wipe(noise);
}

// More than the rounding error of a sum of a few positive terms, and less than the margin of the
// calibration.
constexpr double kAboveRounding = 1 + 0x1p-46;

// The squared distance of neighbours in standard deviations of the noise of h honest sites. With
// variances reduced by less = 18 it is mu^2, with less = 0 it is 2 rho.
double honestSquared(const Plan& plan, double less) {
  const double h = plan.params.sharing.honestInSum();
  const double own = square(plan.sd_diagonal);
  const double pair = square(16.0 * double(plan.own<GaussianNoise>().w_pair_diagonal));
  const double squared = isPaired(plan.params)
                             ? (1 / h) / (own - less) + (1 - 1 / h) / (own + h * pair - less)
                             : 1 / (h * own - less);
  return double(plan.sensitivity_squared) * squared * kAboveRounding;
}

}  // namespace

bool isMasked(const Plan& plan) { return plan.add_noise != nullptr; }

bool canShare(const Mechanism& mechanism, Federation mode) {
  switch (mechanism.division) {
    case Division::kNone: return mode == Federation::kIndependent;
    case Division::kWishart: return mode != Federation::kCorrelated;
    case Division::kGaussian: break;
  }
  return true;
}

Result<Plan> planFederated(const Mechanism& mechanism, const MechanismParams& params) {
  const Federation mode = params.sharing.mode;
  if (mode == Federation::kIndependent) {
    return params.clipping == Clipping::kCentred ? planCentring(mechanism, params)
                                                 : mechanism.plan(params);
  }
  if (!canShare(mechanism, mode)) {
    return invalid("the noise of this mechanism cannot be shared among sites", "mechanism");
  }
  return mechanism.division == Division::kWishart ? planSharedWishart(params)
                                                  : planSharedGaussian(params);
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
                  sharing.joint ? "at this epsilon the sampler's tail is too short for the "
                                  "requested delta: treat the sum as not private"
                                : "the noise is calibrated as published, for one message alone; "
                                  "for all messages together delta is larger");
  stateHonest(plan);
  const GaussianNoise& noise = plan.own<GaussianNoise>();
  plan.guarantee.floor =
      floorOf(gaussianMu(plan.sensitivity_squared, noise.w_diagonal),
              gaussianRho(plan.sensitivity_squared, noise.w_diagonal), entries, params.delta);
  if (!sharing.joint) {
    const double own = square(plan.sd_diagonal);
    const double message = own + (sites - 1) * square(16.0 * double(noise.w_pair_diagonal));
    const double squared = double(plan.sensitivity_squared) * kAboveRounding;
    const double mu = std::sqrt(squared / (message - 18));
    const double delta = certifiedDelta(params.epsilon, mu, entries * sites);
    plan.guarantee.alone = Promise{params.epsilon, std::max(params.delta, delta), mu,
                                   squared / message / 2, samplerDistance(entries * sites)};
  }
  plan.facts.push_back(Fact::exactly("wDiagonal", noise.w_diagonal));
  plan.facts.push_back(Fact::exactly("wOffDiagonal", noise.w_off_diagonal));
  if (isPaired(params)) {
    plan.facts.push_back(Fact::exactly("wPairDiagonal", noise.w_pair_diagonal));
    plan.facts.push_back(Fact::exactly("wPairOffDiagonal", noise.w_pair_off_diagonal));
  } else {
    // rho of the sum of h independent noises, as for one release (gaussian.cpp).
    plan.facts.push_back(
        Fact::exactly("rhoDenominator", Uint128(512) * Uint128(unsigned(sharing.honestInSum())) *
                                            noise.w_diagonal * noise.w_diagonal));
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
  plan.guarantee = guaranteeFor(params, Numerics::kExact);
  setPure(plan.guarantee, params.epsilon);
  if (params.sharing.honestInSum() > 1) {
    plan.guarantee.numerics = Numerics::kIdealized;
    plan.guarantee.assumes.push_back(
        "the proof is for the sum of real shares of noise, and each site rounds its own");
  }
  stateHonest(plan);
  if (params.sharing.honestInSum() == 1) {
    const Guarantee& g = plan.guarantee;
    plan.guarantee.floor = Promise{g.epsilon, 0, g.gdp, g.zcdp};
  }
  plan.distribution = kDistributionOf<kTwoSidedWishartRecord>;
  plan.sampler = "lazy-normals/1";
  plan.add_noise = &addTwoSidedWishart;
  return planned;
}

}  // namespace pm
