#include "core/ingest/csv_layout.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/ingest/text_index.hpp"

namespace pm {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";

Bytes withoutByteOrderMark(Bytes head) {
  const bool has = head.size() >= 3 && head[0] == 0xEF && head[1] == 0xBB && head[2] == 0xBF;
  return has ? head.subspan(3) : head;
}

bool isUtf16(Bytes head) {
  return head.size() >= 2 &&
         ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] == 0xFE && head[1] == 0xFF));
}

// Where the first record ends, whatever the delimiter: at the first line end outside quotes, or at
// the end of the text.
std::size_t recordEnd(Bytes text) {
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (!quoted && isLineEnd(text[at])) return at;
  }
  return text.size();
}

std::string textOf(Bytes bytes) { return std::string(bytes.begin(), bytes.end()); }

// Removes the first field from `text` and returns it; nothing if its quotes are misplaced.
std::optional<std::string> takeField(Bytes& text, std::uint8_t delimiter) {
  std::string field;
  std::size_t at = 0;
  if (!text.empty() && text[0] == '"') {
    for (at = 1;; ++at) {
      if (at == text.size()) return std::nullopt;
      if (text[at] == '"') {
        ++at;
        if (at == text.size() || text[at] != '"') break;
      }
      field.push_back(char(text[at]));
    }
    const std::size_t close = at;
    while (at < text.size() && text[at] != delimiter) ++at;
    if (!trimmed(text.subspan(close, at - close)).empty()) return std::nullopt;
  } else {
    for (; at < text.size() && text[at] != delimiter; ++at) {
      if (isLineEnd(text[at])) return std::nullopt;
    }
    field = textOf(text.first(at));
  }
  text = text.subspan(at);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(field.data());
  return textOf(trimmed({bytes, field.size()}));
}

// The names in a header line; nothing if its quotes do not match the delimiter.
std::optional<std::vector<std::string>> namesIn(Bytes header, std::uint8_t delimiter) {
  std::vector<std::string> names;
  for (;;) {
    std::optional<std::string> name = takeField(header, delimiter);
    if (!name) return std::nullopt;
    names.push_back(*std::move(name));
    if (header.empty()) return names;
    header = header.subspan(1);
  }
}

Error malformed() {
  return {Code::kCsvMalformed, "the header has a quoted field that is not closed properly"};
}

Error notUtf8() {
  return {Code::kCsvEncoding,
          "the file is not UTF-8 text; save it again as \"CSV UTF-8\", or pass csv.encoding"};
}

Error tooWide() {
  return {Code::kCsvMalformed, "the header has more than " + std::to_string(kMostFields) +
                                   " columns; save the file with fewer, the study's among them"};
}

std::size_t countFound(const TextIndex& names, std::span<const std::string> wanted) {
  return std::size_t(std::count_if(wanted.begin(), wanted.end(), [&](const std::string& name) {
    return names.find(name).times > 0;
  }));
}

Status findColumns(const TextIndex& index, std::span<const std::string> wanted, CsvLayout& layout) {
  const std::vector<std::string>& names = index.texts();
  std::string missing;
  std::int64_t first_missing = -1;
  std::int64_t first_double = -1;
  std::vector<bool> used(names.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto [times, position] = index.find(wanted[i]);
    layout.positions.push_back(position);
    used[position] = true;
    if (times == 0) {
      if (first_missing < 0) first_missing = std::int64_t(i);
      missing += (missing.empty() ? "\"" : ", \"") + wanted[i] + "\"";
    } else if (times > 1 && first_double < 0) {
      first_double = std::int64_t(i);
    }
  }
  if (first_missing >= 0) {
    return Error{Code::kMissingColumn,
                 "the header has no column " + missing + "; pass columns to match other names", "",
                 -1, first_missing};
  }
  if (first_double >= 0) {
    const std::string& name = wanted[std::size_t(first_double)];
    return Error{Code::kDuplicateHeader, "the header has the column \"" + name + "\" twice", "", -1,
                 first_double};
  }
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (!used[at]) layout.ignored.push_back(names[at]);
  }
  return std::nullopt;
}

}  // namespace

Result<std::optional<CsvLayout>> findCsvLayout(Bytes head, bool is_whole,
                                               std::span<const std::string> wanted,
                                               const CsvOptions& options) {
  if (isUtf16(head)) return notUtf8();
  Bytes text = withoutByteOrderMark(head);
  while (!text.empty() && isLineEnd(text[0])) text = text.subspan(1);
  const std::size_t length = recordEnd(text);
  if (length > kLongestRecord) return malformed();
  // A carriage return at the end may be the first half of a line end.
  const bool is_complete =
      length + 1 < text.size() || (length < text.size() && text[length] == '\n');
  if (!is_complete && !is_whole) return std::optional<CsvLayout>();

  const Bytes header = text.first(length);
  if (!isUtf8(header) || std::find(header.begin(), header.end(), 0) != header.end()) {
    return notUtf8();
  }
  if (trimmed(header).empty()) {
    return Error{Code::kEmptyFile, "the file is empty: it has no header line"};
  }
  std::optional<TextIndex> names;
  bool is_too_wide = false;
  CsvLayout layout{0, options.mark, 0, {}, {}, 0};
  std::ptrdiff_t most_found = -1;
  for (const char delimiter : kDelimiters) {
    if (options.delimiter != 0 && delimiter != options.delimiter) continue;
    // Those within quotes count too, so that nothing is copied to find out.
    if (std::size_t(std::count(header.begin(), header.end(), delimiter)) >= kMostFields) {
      is_too_wide = true;
      continue;
    }
    std::optional<std::vector<std::string>> texts = namesIn(header, std::uint8_t(delimiter));
    if (!texts) continue;
    TextIndex tried(*std::move(texts));
    const std::ptrdiff_t found = std::ptrdiff_t(countFound(tried, wanted));
    const bool is_better =
        found > most_found || (found == most_found && tried.texts().size() > names->texts().size());
    if (!is_better) continue;
    most_found = found;
    names = std::move(tried);
    layout.delimiter = delimiter;
  }
  if (is_too_wide && most_found < std::ptrdiff_t(wanted.size())) return tooWide();
  if (!names) return malformed();
  if (Status status = findColumns(*names, wanted, layout)) return *std::move(status);
  layout.width = std::uint32_t(names->texts().size());
  const bool has_pair =
      length + 1 < text.size() && text[length] == '\r' && text[length + 1] == '\n';
  const std::size_t line_end = length == text.size() ? 0 : has_pair ? 2 : 1;
  layout.header_bytes = head.size() - text.size() + length + line_end;
  return std::optional<CsvLayout>(std::move(layout));
}

}  // namespace pm
