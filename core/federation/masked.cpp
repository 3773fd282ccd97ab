#include "core/federation/masked.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/federation/sharing.hpp"
#include "core/mechanisms/released_integers.hpp"
#include "core/mechanisms/seeding.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Words are read and written in native byte order.
static_assert(std::endian::native == std::endian::little);

Error wrongLength(const char* field) {
  return {Code::kWrongLength,
          "a payload or mask must have 8 bytes for each entry of the study's sums", field};
}

Error outOfRange() {
  return {Code::kSumOverflow,
          "the sum is impossible in this study: a mask was not removed, or a payload is corrupt or "
          "forged; start a new session",
          "values"};
}

std::vector<std::uint8_t> bytesOf(std::span<const std::uint64_t> words) {
  std::vector<std::uint8_t> bytes(words.size_bytes());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

Status addNoiseAndTotals(std::span<std::uint64_t> words, const Plan& plan, Intake& intake,
                         EntropySource source) {
  std::optional<Drbg> random;
  if (const Status failed = seedRelease(plan, source, random)) return *failed;

  Result<std::vector<Int128>> totals = intake.take(plan.params.unit);
  if (!totals.ok()) return totals.error();
  random->stir<Int128>(totals.value());
  plan.add_noise(plan, *random, words);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] += std::uint64_t(totals.value()[i]);
  wipe(totals.value().data(), totals.value().size() * sizeof(Int128));
  return {};
}

}  // namespace

Result<Masked> releaseMasked(const Plan& plan, Intake& intake, std::span<const std::uint8_t> mask,
                             EntropySource source) {
  const Federation mode = plan.params.sharing.mode;
  if (mode != Federation::kSplit && mode != Federation::kRing) {
    return Error{Code::kInvalidFederation, "this study does not use uniform masks",
                 "federation.mode"};
  }
  if (mask.size() != 8 * plan.length) return wrongLength("mask");
  if (std::all_of(mask.begin(), mask.end(), [](std::uint8_t byte) { return byte == 0; })) {
    return Error{Code::kNoEntropy, "the mask is all zeros and would hide nothing; create new keys",
                 "mask"};
  }
  std::vector<std::uint64_t> words(plan.length);
  std::memcpy(words.data(), mask.data(), mask.size());
  return releaseBehind(words, plan, intake, source);
}

Result<Masked> releaseBehind(std::span<std::uint64_t> mask, const Plan& plan, Intake& intake,
                             EntropySource source) {
  Masked masked;
  if (plan.params.neighbours == Neighbours::kReplaceOne) {
    masked.rows = plan.params.unit == Unit::kRow ? intake.counts().used : 1;
  }
  const Status status = addNoiseAndTotals(mask, plan, intake, source);
  if (!status) masked.payload = bytesOf(mask);
  wipe(mask.data(), mask.size_bytes());
  if (status) return *status;
  return masked;
}

MaskSum::~MaskSum() { wipe(words_.data(), words_.size() * sizeof(std::uint64_t)); }

Status MaskSum::add(std::span<const std::uint8_t> bytes, bool subtract) {
  if (bytes.size() != words_.size() * sizeof(std::uint64_t)) return wrongLength("payload");
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + i * sizeof word, sizeof word);
    words_[i] += subtract ? -word : word;
  }
  return {};
}

std::vector<std::uint8_t> MaskSum::bytes() const { return bytesOf(words_); }

Result<std::vector<double>> unmask(const Plan& plan, std::span<const std::uint64_t> words,
                                   std::optional<std::uint64_t> rows) {
  if (!isMasked(plan)) {
    return Error{Code::kInvalidFederation, "this study does not use masks", "federation.mode"};
  }
  if (words.size() != plan.length) return wrongLength("payload");
  if (plan.params.neighbours == Neighbours::kReplaceOne && rows &&
      words[0] != plan.constant * plan.constant * *rows) {
    return outOfRange();
  }
  // Rounded sums up to this limit are exact in a double.
  const Int128 limit = Int128(1) << std::min(kSumBits, 53 + plan.release_shift);
  std::vector<double> values(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Int128 sum = Int128(std::int64_t(words[i]));
    if (sum > limit || sum < -limit) return outOfRange();
    values[i] = releasedInteger(plan, sum, 0);
  }
  return values;
}

}  // namespace pm
