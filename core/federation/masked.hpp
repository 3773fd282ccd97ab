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

/// The message of one site of a masked study: total + own noise + mask, each entry modulo 2^64, as
/// little-endian bytes. Uniform masks make it uniform; the noise of one site alone would not
/// protect it.
struct Masked {
  std::vector<std::uint8_t> payload;  ///< 8 bytes an entry
  /// See Released::rows.
  std::optional<std::uint64_t> rows;
};

/// Turns an intake into the only message of its site. `mask` has 8 bytes an entry, the sum of the
/// site's keystreams; the caller must wipe it. As in `release`, the seed is drawn before the totals
/// are taken. Everything private is wiped, and the intake is closed.
/// Errors: kInvalidFederation for a plan without uniform masks; kWrongLength for a mask of another
/// length; kNoEntropy, also for a mask of zeros (nothing was read and the intake can still be
/// used); kNoRows (replace-one only), kAlreadyReleased, kIntegrity.
Result<Masked> releaseMasked(const Plan& plan, Intake& intake, std::span<const std::uint8_t> mask,
                             EntropySource source = systemEntropy());

/// The last step of every masked release: adds own noise and totals to the words of a mask, then
/// wipes them. Errors: kNoEntropy, kNoRows, kAlreadyReleased, kIntegrity, as above. Precondition: a
/// masked plan, and plan.length words.
Result<Masked> releaseBehind(std::span<std::uint64_t> mask, const Plan& plan, Intake& intake,
                             EntropySource source);

/// A sum of payloads and keystreams modulo 2^64, initially zero. Adding and subtracting the same
/// bytes cancels.
class MaskSum {
 public:
  /// Precondition: length >= 1.
  explicit MaskSum(std::size_t length) : words_(length) {}
  ~MaskSum();
  MaskSum(MaskSum&&) = default;
  MaskSum& operator=(MaskSum&&) = delete;

  /// Adds 8 little-endian bytes an entry, or subtracts them if `subtract`. Error: kWrongLength;
  /// nothing is added.
  Status add(std::span<const std::uint8_t> bytes, bool subtract = false);

  std::span<const std::uint64_t> words() const { return words_; }
  std::vector<std::uint8_t> bytes() const;

 private:
  std::vector<std::uint64_t> words_;
};

/// The sum without its masks as integers in released units, each exact in a double: words are read
/// as signed numbers and rounded to the released grid. `rows` is the total of the messages. Errors:
/// kInvalidFederation for a plan without masks; kWrongLength; kSumOverflow if an entry is larger
/// than the study's sums can be or, with a public number of rows, if entry (0, 0) contradicts it:
/// masks remain, or a payload is corrupt or forged.
Result<std::vector<double>> unmask(const Plan& plan, std::span<const std::uint64_t> words,
                                   std::optional<std::uint64_t> rows);

}  // namespace pm
