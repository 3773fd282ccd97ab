#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/text.hpp"
#include "core/result.hpp"

namespace pm {

/// How a CSV file is to be read where its header does not say. Chosen, never found out from rows:
/// how one row is read must not depend on others.
struct CsvOptions {
  /// Comma, semicolon, tab or bar; 0: the one under which the header has most of the wanted
  /// columns.
  char delimiter = 0;
  DecimalMark mark = DecimalMark::kPoint;
};

/// What the header of a CSV file says of its rows.
struct CsvLayout {
  char delimiter;
  DecimalMark mark;
  /// Fields of a row.
  std::uint32_t width;
  /// Where each wanted column is, from 0, in the order asked for.
  std::vector<std::uint32_t> positions;
  /// Columns nobody asked for.
  std::vector<std::string> ignored;
  /// Bytes before the first row: the header, its line end, and what goes before it.
  std::uint64_t header_bytes;
};

/// Reads the header of a CSV file (RFC 4180, with LF, CRLF or CR as line ends, a byte order mark
/// and blank lines before it) from the first bytes of the file. A function of the header alone.
///
/// @param head     the file's first bytes
/// @param is_whole whether they are all of the file
/// @param wanted   names of columns; the same one may be asked for twice
/// @return nothing where the header may go on after `head`: ask again with more.
/// Errors: kEmptyFile, kCsvEncoding (not UTF-8), kCsvMalformed (quotes that do not fit, or a header
/// of more than kLongestRecord bytes), kMissingColumn and kDuplicateHeader with the first such
/// column's index in `wanted`.
Result<std::optional<CsvLayout>> findCsvLayout(Bytes head, bool is_whole,
                                               std::span<const std::string> wanted,
                                               const CsvOptions& options);

/// Bytes of a record at most: one this long is a quote that was never closed.
inline constexpr std::uint64_t kLongestRecord = 1 << 24;

}  // namespace pm
