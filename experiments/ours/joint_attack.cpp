// capeCCA's guarantee for all messages together: what follows from its calibrations, and what an
// attack on the messages achieves. One row is added at one site and moves that site's sum by the
// whole sensitivity. Three calibrations:
// * cape-published: the paper's formula for the noise of one message, masks from a generator;
// * cape-message: the least noise with which one message keeps the claim, exactly calibrated;
// * cape-joint: the least noise with which all messages together keep it.
// The first is simulated from the law of its messages, with the masks of the library's
// reproduction; the other two run the library's own path, releases in integers behind masks
// between pairs. The attack is the likelihood-ratio test on all messages, which is linear.
// Colluding sites tell the attacker all their masks.
//
// usage: joint_attack <folder for results> [quick]
// Writes joint-accounting.csv and joint-attack.csv.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/federation/cape.hpp"
#include "core/federation/collusion.hpp"
#include "core/federation/correlated.hpp"
#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/release.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "core/research/audit/tails.hpp"
#include "core/research/published/additive.hpp"
#include "experiments/support/results.hpp"
#include "experiments/support/seeded.hpp"
#include "experiments/support/studies.hpp"

namespace {

using experiments::ResultsFile;

/// The guarantee that is claimed, and how many sites keep their noise and masks secret.
struct Claim {
  double epsilon, delta;
  int sites, honest;
};

/// All honest, or two thirds of the sites rounded up.
int honestOf(int sites, bool all) { return all ? sites : experiments::honestOf(sites); }

std::string settingOf(const Claim& claim, bool all) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), "epsilon %g and delta %g%s", claim.epsilon, claim.delta,
                all ? "" : "; a third colludes");
  return text.data();
}

/// mu of all messages under the published formula.
double publishedMu(const Claim& claim) {
  return std::sqrt(pm::kappa(pm::View::kGeneratedMasks, claim.sites, claim.honest, 1)) /
         pm::classicalDeviation(claim.epsilon, claim.delta);
}

constexpr int kDimension = 200;
constexpr std::size_t kSide = kDimension + 1;

pm::Plan planOf(const Claim& claim, bool joint) {
  pm::MechanismParams params = experiments::rowParams(claim.epsilon, claim.delta, kDimension);
  params.neighbours = pm::Neighbours::kAddRemove;
  params.sites = claim.sites;
  params.sharing = {pm::Federation::kCorrelated, claim.honest, 1, joint};
  return pm::planSharedGaussian(params).value();
}

double muOf(const Claim& claim, const std::string& method) {
  if (method == "cape-published") return publishedMu(claim);
  return planOf(claim, method == "cape-joint").guarantee.gdp;
}

constexpr const char* kMethods[] = {"cape-published", "cape-message", "cape-joint"};

void accounting(const std::filesystem::path& out) {
  ResultsFile file(out / "joint-accounting.csv",
                   {"setting", "sites", "honest", "method", "claimed_epsilon", "claimed_delta",
                    "epsilon", "delta"});
  for (const auto& [epsilon, delta] : {std::pair{1.0, 1e-5}, std::pair{1.0, 1e-2}}) {
    for (const bool all : {true, false}) {
      for (const int sites : {2, 3, 5, 10, 20, 50, 100}) {
        const Claim claim{epsilon, delta, sites, honestOf(sites, all)};
        if (!all && claim.honest == sites) continue;
        for (const char* method : kMethods) {
          const double mu = muOf(claim, method);
          file.line(settingOf(claim, all), sites, claim.honest, method, epsilon, delta,
                    pm::epsilonOfGdp(mu, delta), pm::deltaOfGdp(epsilon, mu));
        }
        file.line(settingOf(claim, all), sites, claim.honest, "claim", epsilon, delta, epsilon,
                  delta);
      }
    }
  }
}

/// Counts how often a log-likelihood ratio exceeds epsilon, with the row and without it.
class Attack {
 public:
  /// @param mu of what is seen
  Attack(double epsilon, double mu) : epsilon_(epsilon), mu_(mu) {}

  /// @param score of the noise alone: normal with variance mu^2, and mean 0 without the row
  void add(double score) {
    const double half = mu_ * mu_ / 2;
    hits_ += score + half > epsilon_;
    alarms_ += score - half > epsilon_;
    ++count_;
  }
  std::uint64_t count() const { return count_; }
  double achieved() const {
    return (double(hits_) - std::exp(epsilon_) * double(alarms_)) / double(count_);
  }
  /// 95 %: each of the two probabilities is within its bounds with 97.5 %.
  double low() const { return bound(hits_, true) - std::exp(epsilon_) * bound(alarms_, false); }
  double high() const { return bound(hits_, false) - std::exp(epsilon_) * bound(alarms_, true); }

 private:
  double bound(std::uint64_t hits, bool below) const {
    constexpr double kTail = 0.0125;
    return below ? pm::probabilityAtLeast(hits, count_, kTail)
                 : pm::probabilityAtMost(hits, count_, kTail);
  }

  double epsilon_, mu_;
  std::uint64_t hits_ = 0, alarms_ = 0, count_ = 0;
};

/// Messages as published, less what the attacker knows, in units of the sensitivity.
void attackPublished(const Claim& claim, std::uint64_t experiments, Attack& attack) {
  const double tau = pm::classicalDeviation(claim.epsilon, claim.delta);
  const double s = claim.sites, h = claim.honest;
  const std::vector<double> deviations(std::size_t(claim.sites), tau * std::sqrt(1 - 1 / s));
  // The inverted covariance of the honest messages: on (1, .., 1) / sqrt h, and across it.
  const double along = s / (tau * tau), across = s / (tau * tau * (1 + s));
  pm::Drbg random = experiments::seeded(std::uint64_t(1000 * claim.sites + claim.honest));
  constexpr std::size_t kAtOnce = 10'000;
  for (std::uint64_t done = 0; done < experiments; done += kAtOnce) {
    const auto masks = pm::zeroSumMasks(deviations, kAtOnce, random).value();
    for (std::size_t e = 0; e < kAtOnce; ++e) {
      double victim = 0, sum = 0;
      for (int site = 0; site < claim.honest; ++site) {
        const double message =
            masks[std::size_t(site)][e] + tau / std::sqrt(s) * pm::standardNormal(random);
        if (site == 0) victim = message;
        sum += message;
      }
      // The masks of the others, which are known, are as much less.
      double known = 0;
      for (int site = claim.honest; site < claim.sites; ++site) {
        known += masks[std::size_t(site)][e];
      }
      const double mean = (sum + known) / h;
      attack.add(across * (victim + known / h - mean) + along * mean);
    }
  }
}

std::vector<pm::PairKey> keysOf(int site, int sites, std::uint64_t run) {
  std::vector<pm::PairKey> keys;
  for (int other = 0; other < sites; ++other) {
    if (other == site) continue;
    pm::PairKey key{};
    const std::uint64_t pair =
        (run << 32) + std::uint64_t(1000 * std::min(site, other) + std::max(site, other) + 1);
    for (std::size_t i = 0; i < 8; ++i) key.bytes[i] = std::uint8_t(pair >> (8 * i));
    key.subtract = site > other;
    keys.push_back(key);
  }
  return keys;
}

/// The noise of a site's message, less the masks that colluding sites know, in deviations of the
/// site's own noise.
std::vector<double> messageOf(const pm::Plan& plan, int site, std::uint64_t run) {
  const int sites = plan.params.sites, honest = plan.params.sharing.honest;
  pm::Intake intake =
      pm::Intake::create(
          pm::intakeTerms(
              plan, std::vector<pm::Column>(kDimension, {pm::Column::Kind::kNumber, -1, 1, 0}),
              pm::MissingRule::kCentre))
          .value();
  const std::vector<double> row(kDimension, 0.0);
  if (intake.add(row)) std::abort();
  const std::vector<pm::PairKey> keys = keysOf(site, sites, run);
  pm::MaskSum words(plan.length);
  if (words.add(pm::releaseCorrelated(plan, intake, keys, &experiments::repeatableEntropy)
                    .value()
                    .payload)) {
    std::abort();
  }
  std::vector<std::uint64_t> noise(words.words().begin(), words.words().end());
  noise[0] -= plan.constant * plan.constant;
  // Keys are in the order of the other sites, of which the last collude.
  for (std::size_t k = std::size_t(honest) - 1; k < keys.size(); ++k) {
    pm::PairKey known = keys[k];
    known.subtract = !known.subtract;
    pm::addPairMask(plan, known, noise);
  }
  const auto& own = plan.own<pm::GaussianNoise>();
  std::vector<double> result;
  for (std::size_t i = 0, entry = 0; i < kSide; ++i) {
    for (std::size_t j = i; j < kSide; ++j, ++entry) {
      const double sd = 16.0 * double(i == j ? own.w_diagonal : own.w_off_diagonal);
      result.push_back(double(std::int64_t(noise[entry])) / sd);
    }
  }
  return result;
}

/// Every entry of every run is one experiment.
void attackPairs(const Claim& claim, bool joint, std::uint64_t experiments, Attack& attack) {
  const pm::Plan plan = planOf(claim, joint);
  const double shift = std::sqrt(double(plan.sensitivity_squared)) / plan.sd_diagonal;
  for (std::uint64_t run = 0; attack.count() < experiments; ++run) {
    std::vector<double> victim, sum(plan.length);
    for (int site = 0; site < claim.honest; ++site) {
      const std::vector<double> message = messageOf(plan, site, run);
      if (site == 0) victim = message;
      for (std::size_t e = 0; e < message.size(); ++e) sum[e] += message[e];
    }
    // Covariance I + (h I - 11'), whose inverse is (I + 11') / (1 + h).
    for (std::size_t e = 0; e < plan.length; ++e) {
      attack.add(shift * (victim[e] + sum[e]) / (1 + claim.honest));
    }
  }
}

void attacks(const std::filesystem::path& out, bool quick) {
  ResultsFile file(out / "joint-attack.csv",
                   {"setting", "sites", "honest", "method", "claimed_delta", "predicted",
                    "achieved", "achieved_low", "achieved_high", "repetitions"});
  const std::uint64_t experiments = quick ? 20'000 : 100'000;
  for (const double epsilon : {1.0, 3.0}) {
    for (const bool all : {true, false}) {
      for (const int sites : quick ? std::vector{2, 5} : std::vector{2, 5, 10, 20}) {
        const Claim claim{epsilon, 1e-2, sites, honestOf(sites, all)};
        if (!all && claim.honest == sites) continue;
        for (const std::string method : kMethods) {
          const double mu = muOf(claim, method);
          Attack attack(epsilon, mu);
          if (method == "cape-published") {
            attackPublished(claim, 10 * experiments, attack);
          } else {
            attackPairs(claim, method == "cape-joint", experiments, attack);
          }
          file.line(settingOf(claim, all), sites, claim.honest, method, claim.delta,
                    pm::deltaOfGdp(epsilon, mu), attack.achieved(), attack.low(), attack.high(),
                    std::size_t(attack.count()));
        }
        file.line(settingOf(claim, all), sites, claim.honest, "claim", claim.delta, claim.delta,
                  claim.delta, claim.delta, claim.delta, 1);
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: joint_attack <folder for results> [quick]\n");
    return 2;
  }
  experiments::repeatEntropy(77);
  accounting(arguments[1]);
  attacks(arguments[1], count > 2);
  return 0;
}
