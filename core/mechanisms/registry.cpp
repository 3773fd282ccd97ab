#include "core/mechanisms/registry.hpp"

#include <algorithm>
#include <array>

#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/frobenius.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/power_method.hpp"
#include "core/mechanisms/ppca.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/mechanisms/wishart.hpp"

namespace pm {
namespace {

constexpr const MechanismRecord* kRecords[] = {
    &kGaussianRecord, &kTwoSidedWishartRecord,     &kLaplaceRecord, &kFrobeniusRecord,
    &kWishartRecord,  &kEigenvectorSamplingRecord, &kPpcaRecord,    &kPowerMethodRecord,
};

// Copied at compile time, so that modules which need no texts do not contain them.
constexpr auto kMechanisms = [] {
  std::array<Mechanism, std::size(kRecords)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = kRecords[i]->mechanism;
  return all;
}();

static_assert(std::all_of(std::begin(kRecords), std::end(kRecords), [](auto* record) {
  return record->option_words.size() == record->mechanism.options.size();
}));
static_assert(std::all_of(kMechanisms.begin(), kMechanisms.end(), [](const Mechanism& mechanism) {
  return mechanism.options.size() <= kMostOptions;
}));

}  // namespace

std::span<const Mechanism> mechanisms() { return kMechanisms; }

std::span<const MechanismRecord* const> mechanismRecords() { return kRecords; }

const Mechanism* findMechanism(std::string_view name) {
  for (const Mechanism& mechanism : kMechanisms) {
    if (mechanism.name == name) return &mechanism;
  }
  return nullptr;
}

}  // namespace pm
