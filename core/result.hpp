#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/arithmetic.hpp"

namespace pm {

/// Everything that can go wrong in the core. The name of a code (`codeName`) is public API:
/// it is documented in docs/formats.md and never changes meaning.
enum class Code {
  kInvalidEpsilon,      ///< epsilon is not a finite positive number
  kInvalidDelta,        ///< delta is outside (0, 1)
  kInvalidDimension,    ///< no features, or more than kMaxFeatures
  kInvalidRowNorm,      ///< the public row norm is not a finite positive number
  kInvalidBounds,       ///< min >= max, or not finite
  kInvalidLevels,       ///< a category without levels
  kInvalidMissingRule,  ///< the missing rule does not exist, or does not fit the neighbours
  kInvalidMechanism,    ///< unknown mechanism or shape
  kInvalidNeighbours,   ///< unknown neighbour relation
  kInvalidUnit,         ///< unknown unit of privacy
  kInvalidClipping,     ///< a rule of clipping that the mechanism does not have
  kNoiseTooLarge,       ///< the noise does not fit the finest usable grid
  kWrongLength,         ///< an array does not have the length that its shape requires
  kMissingCell,         ///< a cell is missing and the study refuses such rows
  kInvalidLevel,        ///< a category cell is not one of 0 .. levels-1
  kNoRows,              ///< nothing to release
  kTooManyRows,         ///< more rows than exact sums of this study can hold
  kIntegrity,           ///< the trace check failed: memory or code is corrupt
  kNoEntropy,           ///< the machine has no usable source of randomness
  kAlreadyReleased,     ///< a release has already been made from these moments
  kNotFinite,           ///< an input number is NaN or infinite
  kInvalidComponents,   ///< components outside 1 .. the largest possible
  kInvalidView,         ///< a view is empty, or names a feature that does not exist or twice
  kInvalidNoise,        ///< a standard deviation is negative or not finite
  kInvalidAlpha,        ///< a ridge penalty is negative or not finite
  kEmptyFile,           ///< a file without a header line
  kMissingColumn,       ///< the header lacks a column of the study
  kDuplicateHeader,     ///< a column of the study appears twice
  kRaggedRow,           ///< a row has fewer or more fields than the header
  kCsvMalformed,        ///< a quoted field is not closed properly, or not at all
  kCsvEncoding,         ///< a text is not UTF-8
  kDecimalMark,         ///< a number uses the other decimal mark, or thousands separators
  kInvalidFederation,   ///< sites, honest, ratio or the shared statistic are inconsistent
  kSumOverflow,         ///< an unmasked sum is larger than this study allows
  kInvalidInterval,     ///< a level outside (0, 1), or draws or seed out of range
  kInvalidSynthesis,    ///< label, task, share or fraction of synthetic rows are inconsistent
  kUnsupportedData,     ///< more rows of a stream than can be kept for a second reading
};

/// A stable machine-readable name, e.g. "invalid-epsilon".
const char* codeName(Code code);

/// An error is a value: what happened (`code`), in words (`message`, never a private value),
/// and where. `row` and `column` are zero-based; -1 means "does not apply".
struct Error {
  // Out of line, taking views: errors are constructed in a hundred places, and each would add bytes
  // to the download.
  Error(Code code, std::string_view message, std::string_view field = {}, std::int64_t row = -1,
        std::int64_t column = -1);

  Code code;
  std::string message;
  std::string field;
  std::int64_t row;
  std::int64_t column;
};

/// Either a value or an Error. The core throws nothing.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }
  const T& value() const& { return *value_; }
  T& value() & { return *value_; }
  T&& value() && { return *std::move(value_); }
  const Error& error() const { return *error_; }

 private:
  std::optional<T> value_;
  std::optional<Error> error_;
};

/// Success without a value, or an Error.
using Status = std::optional<Error>;

}  // namespace pm
