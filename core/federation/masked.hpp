#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/mechanisms/plan.hpp"
#include "core/moments/intake.hpp"
#include "core/random/entropy.hpp"
#include "core/result.hpp"

namespace pm {

/// What leaves one site of a study behind masks: total + own noise + mask, each entry modulo 2^64,
/// as little-endian bytes. Uniform masks make it uniform; the noise of one site alone would not be
/// enough.
struct Masked {
  std::vector<std::uint8_t> payload;  ///< 8 bytes an entry
  /// As Released::rows.
  std::optional<std::uint64_t> rows;
};

/// Turns an intake into the one message of its site. `mask` is 8 bytes an entry, the site's
/// keystreams added up; the caller wipes it. As `release`, randomness comes first, then the totals;
/// what there is of them in memory is masked before the noise is added, and everything private is
/// wiped. The intake gives nothing more after that.
/// Errors: kInvalidFederation for a plan without uniform masks; kWrongLength for a mask of another
/// length; kNoEntropy, also for a mask of zeros (nothing was read; the intake is still whole);
/// kNoRows (replace-one only), kAlreadyReleased, kIntegrity.
Result<Masked> releaseMasked(const Plan& plan, Intake& intake, std::span<const std::uint8_t> mask,
                             EntropySource source = pmSystemEntropy);

/// The end of every way out: adds own noise and totals to the words of a mask, which it wipes.
/// Errors: as above, from kNoEntropy of the machine on. Precondition: a plan behind masks, and
/// plan.length words.
Result<Masked> releaseBehind(std::span<std::uint64_t> mask, const Plan& plan, Intake& intake,
                             EntropySource source);

/// A sum of payloads and keystreams modulo 2^64, beginning at zero. What is added twice with
/// different signs is gone.
class MaskSum {
 public:
  /// Precondition: length >= 1.
  explicit MaskSum(std::size_t length) : words_(length) {}
  ~MaskSum();
  MaskSum(MaskSum&&) = default;
  MaskSum& operator=(MaskSum&&) = delete;

  /// Adds 8 little-endian bytes an entry, or takes them off where `subtract`.
  /// Error: kWrongLength; nothing was added.
  Status add(std::span<const std::uint8_t> bytes, bool subtract = false);

  std::span<const std::uint64_t> words() const { return words_; }
  std::vector<std::uint8_t> bytes() const;

 private:
  std::vector<std::uint64_t> words_;
};

/// The sum without its masks as integers in released units, each exact in a double: words read as
/// signed numbers, rounded to the released grid. `rows` as added up from the messages.
/// Errors: kInvalidFederation for a plan without masks; kWrongLength; kSumOverflow where an entry
/// is beyond what the study's sums can be or, where the number of rows is public, entry (0, 0) does
/// not agree with it: masks are left, or a payload is damaged or made up.
Result<std::vector<double>> unmask(const Plan& plan, std::span<const std::uint64_t> words,
                                   std::optional<std::uint64_t> rows);

}  // namespace pm
