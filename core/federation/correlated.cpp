#include "core/federation/correlated.hpp"

#include <algorithm>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

Status checkKeys(std::span<const PairKey> keys, int sites) {
  if (keys.size() != std::size_t(sites) - 1) {
    return Error{Code::kInvalidFederation, "there must be one key for each of the other sites",
                 "keys"};
  }
  bool repeated = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    repeated |= keys[i].bytes == decltype(PairKey::bytes){};
    for (std::size_t j = 0; j < i; ++j) repeated |= keys[i].bytes == keys[j].bytes;
  }
  if (!repeated) return {};
  return Error{Code::kInvalidFederation,
               "two keys are the same, or one is all zeros; exchange new keys", "keys"};
}

}  // namespace

void addPairMask(const Plan& plan, const PairKey& key, std::span<std::uint64_t> words) {
  Seed seed{};
  std::copy(key.bytes.begin(), key.bytes.end(), seed.begin());
  Drbg random(seed);
  wipe(seed.data(), seed.size());
  const GaussianNoise& own = plan.own<GaussianNoise>();
  std::vector<std::int64_t> mask =
      gaussianMatrix(plan, own.w_pair_diagonal, own.w_pair_off_diagonal, random);
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const std::uint64_t word = std::uint64_t(mask[i]);
    words[i] += key.subtract ? -word : word;
  }
  wipe(mask.data(), mask.size() * sizeof(std::int64_t));
}

Result<Masked> releaseCorrelated(const Plan& plan, Intake& intake, std::span<const PairKey> keys,
                                 EntropySource source) {
  if (plan.params.sharing.mode != Federation::kCorrelated) {
    return Error{Code::kInvalidFederation, "this study does not use Gaussian masks",
                 "federation.mode"};
  }
  if (const Status wrong = checkKeys(keys, plan.params.sites)) return *wrong;
  std::vector<std::uint64_t> words(plan.length);
  for (const PairKey& key : keys) addPairMask(plan, key, words);
  return releaseBehind(words, plan, intake, source);
}

}  // namespace pm
