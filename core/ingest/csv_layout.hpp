#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/text.hpp"
#include "core/result.hpp"

namespace pm {

/// How to read a CSV file where its header does not say. The caller chooses; nothing is inferred
/// from rows, because how one row is read must not depend on others.
struct CsvOptions {
  /// Comma, semicolon, tab or bar; 0 chooses the one with which the header has the most wanted
  /// columns.
  char delimiter = 0;
  DecimalMark mark = DecimalMark::kPoint;
};

/// What the header of a CSV file says about its rows.
struct CsvLayout {
  char delimiter;
  DecimalMark mark;
  /// Fields in a row.
  std::uint32_t width;
  /// Position of each wanted column, from 0, in the order requested.
  std::vector<std::uint32_t> positions;
  /// Columns that were not requested.
  std::vector<std::string> ignored;
  /// Bytes before the first row: the header, its line end, and whatever precedes it.
  std::uint64_t header_bytes;
};

/// Reads the header of a CSV file (RFC 4180, with LF, CRLF or CR as line ends, a byte order mark
/// and blank lines before it) from the first bytes of the file. The result depends on the header
/// alone.
///
/// @param head     the file's first bytes
/// @param is_whole whether `head` is the whole file
/// @param wanted   names of columns; a name may occur twice
/// @return nothing if the header may continue after `head`: call again with more bytes.
/// Errors: kEmptyFile, kCsvEncoding (not UTF-8), kCsvMalformed (misplaced quotes, or a header of
/// more than kLongestRecord bytes or kMostFields fields), kMissingColumn and kDuplicateHeader with
/// the index in `wanted` of the first such column.
Result<std::optional<CsvLayout>> findCsvLayout(Bytes head, bool is_whole,
                                               std::span<const std::string> wanted,
                                               const CsvOptions& options);

/// Maximum bytes in a record: anything longer is a quote that was never closed.
inline constexpr std::uint64_t kLongestRecord = 1 << 24;

/// Maximum fields in a header: a second's work, and more than any table of data has columns.
inline constexpr std::size_t kMostFields = 1 << 20;

}  // namespace pm
