#include "core/ingest/csv_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "core/ingest/number.hpp"
#include "core/ingest/scan.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Rows per call of the sink: enough to hide the cost of the call, few enough for the first-level
// cache.
constexpr std::size_t kBatchRows = 64;

constexpr std::uint32_t kNoField = std::numeric_limits<std::uint32_t>::max();

const char* otherFormMessage(DecimalMark mark) {
  return mark == DecimalMark::kPoint
             ? "the number has a comma or thousands separators; save the file with decimal points "
               "and no separators, or pass csv.decimal if commas are its decimal marks"
             : "the number has a point or thousands separators; save the file with decimal commas "
               "and no separators, or pass csv.decimal if points are its decimal marks";
}

constexpr const char* kFormattedNumberMessage =
    "the number has a dash, a percent or currency sign, parentheses or digits of another script; "
    "save the file with plain numbers such as -1.5";

}  // namespace

Result<CsvReader> CsvReader::create(CsvLayout layout, std::vector<CsvColumn> columns,
                                    MissingCodes missing) {
  const bool fits = !columns.empty() && columns.size() == layout.positions.size() &&
                    std::all_of(layout.positions.begin(), layout.positions.end(),
                                [&](std::uint32_t position) { return position < layout.width; });
  if (!fits) {
    return Error{Code::kWrongLength, "the columns do not match the file's layout", "columns"};
  }
  return CsvReader(std::move(layout), std::move(columns), std::move(missing));
}

CsvReader::CsvReader(CsvLayout layout, std::vector<CsvColumn> columns, MissingCodes missing)
    : layout_(std::move(layout)),
      words_(std::move(missing.words)),
      columns_(columns.size()),
      checks_(columns, std::move(missing.numbers)),
      batch_((kBatchRows + 1) * columns.size()) {
  // If the decimal mark is also the delimiter, the end of the field must be found first.
  const bool in_place = char(layout_.mark) != layout_.delimiter;
  for (std::size_t i = 0; i < columns_; ++i) {
    const Target target{layout_.positions[i], std::uint32_t(i),
                        in_place && columns[i].levels.empty()};
    const auto place = std::find_if(targets_.begin(), targets_.end(), [&](const Target& other) {
      return other.position > target.position;
    });
    targets_.insert(place, target);
    levels_.emplace_back(std::move(columns[i].levels));
  }
  for (std::size_t i = 1; i < targets_.size(); ++i) {
    if (targets_[i].position == targets_[i - 1].position) targets_[i - 1].in_place = false;
  }
  targets_.push_back({kNoField, 0, false});
  next_ = targets_.data();
}

void CsvReader::begin(const CsvSection& section) {
  piece_ = section.at;
  stop_ = section.stop;
  rows_ = 0;
  checks_.reset();
  status_.reset();
  field_ = 0;
  next_ = targets_.data();
  not_utf8_ = other_form_ = -1;
  text_.clear();
  filled_ = 0;
  seeking_ = section.seek;
  start_ = record_ = section.at;
  if (seeking_) {
    place_ = Place::kSeek;
  } else {
    startRecord(section.at);
  }
}

Status CsvReader::push(Bytes piece, RowSink& sink) {
  if (done()) return status_;
  piece_data_ = piece.data();
  read(piece.data(), piece.data() + piece.size(), sink);
  piece_ += piece.size();
  const bool in_record = !done() && place_ != Place::kPair && !seeking_;
  if (in_record && piece_ - record_ > kLongestRecord) failQuote();
  flush(sink);
  if (done()) wipe();
  return status_;
}

Status CsvReader::end(RowSink& sink) {
  if (done()) return status_;
  const bool is_cut = place_ == Place::kQuoted || (place_ == Place::kClosed && space_bytes_ > 0);
  const bool in_record =
      place_ != Place::kSeek && place_ != Place::kPair && (place_ != Place::kField || field_ > 0);
  if (is_cut) {
    failQuote();
  } else if (in_record) {
    takeText(text_.all());
    endRecord(text_.all(), sink);
  }
  if (!done()) startRecord(piece_);
  flush(sink);
  place_ = Place::kDone;
  wipe();
  return status_;
}

void CsvReader::read(const Byte* at, const Byte* end, RowSink& sink) {
  while (at != end) {
    switch (place_) {
      case Place::kSeek:
        while (at != end && !isLineEnd(*at)) ++at;
        if (at == end) return;
        if (*at++ == '\r') {
          place_ = Place::kPair;
        } else {
          startRecord(offset(at));
        }
        break;
      case Place::kPair:
        if (*at == '\n') ++at;
        startRecord(offset(at));
        break;
      case Place::kField: at = readFields(at, end, sink); break;
      case Place::kPlain: {
        const Byte* const field_end = endOfField(at, end);
        keep({at, field_end});
        at = field_end == end ? end : endField(text_.all(), field_end, end, sink);
        break;
      }
      case Place::kQuoted: {
        const void* const found = std::memchr(at, '"', std::size_t(end - at));
        const Byte* const quote = found == nullptr ? end : static_cast<const Byte*>(found);
        keep({at, quote});
        if (quote == end) return;
        place_ = Place::kQuote;
        at = quote + 1;
        break;
      }
      case Place::kQuote:
        if (*at == '"') {
          keep({at, 1});
          place_ = Place::kQuoted;
          ++at;
        } else {
          place_ = Place::kClosed;
          space_bytes_ = 0;
        }
        break;
      case Place::kClosed: at = readClosed(at, end, sink); break;
      case Place::kDone: return;
    }
  }
}

// Reads from the start of a field for as long as whole fields lie in the piece.
const CsvReader::Byte* CsvReader::readFields(const Byte* at, const Byte* end, RowSink& sink) {
  const Byte delimiter = Byte(layout_.delimiter);
  while (place_ == Place::kField && at != end) {
    at = readNumbers(at, end, sink);
    if (place_ != Place::kField || at == end) break;
    const bool is_wanted = next_->position == field_;
    if (*at == '"') {
      place_ = Place::kQuoted;
      return at + 1;
    }
    const Byte* const start = at;
    if (!is_wanted) {
      at = skipFields(at, end);
      if (at != start && at[-1] == delimiter) continue;
    }
    // All of the first field, as in keep(). Any other field here is wanted, so nothing was skipped.
    const Byte* const text = field_ == 0 ? start : at;
    at = endOfField(at, end);
    if (at == end) {
      keep({text, end});
      place_ = Place::kPlain;
      return end;
    }
    at = endField({text, at}, at, end, sink);
  }
  return at;
}

// The usual case: reads numbers and empty fields in wanted columns, for as many lines as there are.
// Returns the start of the first other field, or where the section or the piece ends.
const CsvReader::Byte* CsvReader::readNumbers(const Byte* at, const Byte* end, RowSink& sink) {
  const Byte delimiter = Byte(layout_.delimiter);
  const DecimalMark mark = layout_.mark;
  const Byte* const begin = piece_data_;
  while (place_ == Place::kField) {
    double* const cells = row();
    const Target* next = next_;
    std::uint32_t field = field_;
    const Byte* line_end = nullptr;
    while (at != end && next->position == field && next->in_place) {
      const LeadingNumber number = leadingNumber(begin, at, end, mark);
      // Words such as "inf" and numbers that overflow end like a number, but are text to count.
      const bool is_text = std::isnan(number.value) && number.end != at;
      if (is_text || number.end == end) break;
      const bool ends_field = *number.end == delimiter;
      if (!ends_field && !isLineEnd(*number.end)) break;
      cells[next->index] = number.value;
      if (!ends_field) {
        line_end = number.end;
        break;
      }
      ++next;
      ++field;
      at = number.end + 1;
    }
    next_ = next;
    field_ = field;
    if (line_end == nullptr) return at;
    at = endLine({at, line_end}, line_end, end, sink);
  }
  return at;
}

// Skips unwanted fields while there are no quotes and no line ends, to a position before the next
// wanted field, perhaps inside a field. If 1 column of 100 is wanted, reading is 2.3 times as fast
// as field by field.
const CsvReader::Byte* CsvReader::skipFields(const Byte* at, const Byte* end) {
  const Byte delimiter = Byte(layout_.delimiter);
  const std::uint32_t next = next_->position;
  for (; end - at >= Chunk::kBytes; at += Chunk::kBytes) {
    const Chunk chunk(at);
    if (((chunk == '"') | (chunk == '\n') | (chunk == '\r')).any()) break;
    const std::uint32_t fields = field_ + std::uint32_t((chunk == delimiter).count());
    if (fields >= next) break;
    field_ = fields;
  }
  return at;
}

// Reads spaces after a closing quote, byte by byte.
const CsvReader::Byte* CsvReader::readClosed(const Byte* at, const Byte* end, RowSink& sink) {
  for (; at != end; ++at) {
    const bool is_end = *at == Byte(layout_.delimiter) || isLineEnd(*at);
    if (is_end && space_bytes_ == 0) return endField(text_.all(), at, end, sink);
    space_[space_bytes_++] = *at;
    const int length = spaceLength({space_, space_bytes_});
    if (length == 0) {
      failQuote();
      return at;
    }
    if (length > 0) space_bytes_ = 0;
  }
  return at;
}

const CsvReader::Byte* CsvReader::endOfField(const Byte* at, const Byte* end) const {
  const Byte delimiter = Byte(layout_.delimiter);
  for (; end - at >= Chunk::kBytes; at += Chunk::kBytes) {
    const Chunk chunk(at);
    const Chunk::Mask ends = (chunk == delimiter) | (chunk == '\n') | (chunk == '\r');
    if (ends.any()) return at + ends.first();
  }
  while (at != end && *at != delimiter && !isLineEnd(*at)) ++at;
  return at;
}

// The field has `text` and ends before `at`. Returns where the next one starts.
const CsvReader::Byte* CsvReader::endField(Bytes text, const Byte* at, const Byte* end,
                                           RowSink& sink) {
  takeText(text);
  if (*at != Byte(layout_.delimiter)) return endLine(text, at, end, sink);
  text_.clear();
  ++field_;
  place_ = Place::kField;
  return at + 1;
}

// The record's last field has the text `last`, and its line ends at `at`.
const CsvReader::Byte* CsvReader::endLine(Bytes last, const Byte* at, const Byte* end,
                                          RowSink& sink) {
  if (offset(at) - record_ > kLongestRecord) {
    failQuote();
    return at;
  }
  endRecord(last, sink);
  if (done()) return at;
  const bool may_be_pair = *at++ == '\r';
  if (may_be_pair && at == end) {
    place_ = Place::kPair;
    return at;
  }
  if (may_be_pair && *at == '\n') ++at;
  startRecord(offset(at));
  return at;
}

void CsvReader::endRecord(Bytes last, RowSink& sink) {
  const std::uint32_t fields = field_ + 1;
  const bool is_blank = fields == 1 && layout_.width > 1 && trimmed(last).empty();
  field_ = 0;
  next_ = targets_.data();
  text_.clear();
  if (is_blank) return;
  if (fields != layout_.width) {
    fail(Code::kRaggedRow, "the row does not have as many cells as the header");
    return;
  }
  if (not_utf8_ >= 0) {
    fail(Code::kCsvEncoding,
         "the cell is not UTF-8 text; save the file again as \"CSV UTF-8\", or pass csv.encoding",
         not_utf8_);
    return;
  }
  if (other_form_ >= 0) {
    fail(Code::kDecimalMark,
         is_formatted_ ? kFormattedNumberMessage : otherFormMessage(layout_.mark), other_form_);
    return;
  }
  ++rows_;
  if (++filled_ == kBatchRows) flush(sink);
}

// A record starts, or the section ends, at `offset`.
void CsvReader::startRecord(std::uint64_t offset) {
  record_ = offset;
  if (seeking_) start_ = offset;
  seeking_ = false;
  place_ = offset >= stop_ ? Place::kDone : Place::kField;
}

// The first field is kept even if it is not wanted: it may be a whole blank line.
void CsvReader::keep(Bytes text) {
  if (next_->position == field_ || field_ == 0) text_.append(text);
}

void CsvReader::takeText(Bytes text) {
  for (; next_->position == field_; ++next_) row()[next_->index] = cellIn(text, next_->index);
}

double CsvReader::cellIn(Bytes text, std::uint32_t index) {
  const TextIndex& levels = levels_[index];
  if (levels.texts().empty()) {
    const double number = numberIn(text, layout_.mark);
    if (std::isnan(number) && other_form_ < 0) {
      const bool is_other =
          !std::isnan(numberIn(text, otherMark(layout_.mark))) || isGroupedNumber(text);
      is_formatted_ = !is_other && isFormattedNumber(text);
      if (is_other || is_formatted_) other_form_ = index;
    }
    if (std::isnan(number)) countUnreadable(text, index);
    return number;
  }
  const Bytes label = trimmed(text);
  const auto [times, level] =
      levels.find({reinterpret_cast<const char*>(label.data()), label.size()});
  if (times > 0) return level;
  if (not_utf8_ < 0 && !isUtf8(text)) not_utf8_ = index;
  countUnreadable(text, index);
  return kMissing;
}

// Counts a cell that was not read, unless it is empty or stands for a missing value.
void CsvReader::countUnreadable(Bytes text, std::uint32_t index) {
  const Bytes cell = trimmed(text);
  if (cell.empty()) return;
  const std::string_view word(reinterpret_cast<const char*>(cell.data()), cell.size());
  if (std::find(words_.begin(), words_.end(), word) != words_.end()) return;
  checks_.addUnreadable(index, rows_);
}

void CsvReader::fail(Code code, const char* message, std::int64_t column) {
  status_ = Error{code, message, "", std::int64_t(rows_), column};
  place_ = Place::kDone;
}

void CsvReader::failQuote() { fail(Code::kCsvMalformed, "a quoted field is not closed properly"); }

// Rows before an error reach the sink first, and may cause an error of their own.
void CsvReader::flush(RowSink& sink) {
  if (filled_ == 0) return;
  const std::span<double> rows(batch_.data(), filled_ * columns_);
  checks_.check(rows, rows_ - filled_);
  Status status = sink.take(rows);
  // The next row may have begun.
  std::copy_n(row(), columns_, batch_.data());
  filled_ = 0;
  if (!status) return;
  status_ = std::move(status);
  place_ = Place::kDone;
}

void CsvReader::wipe() {
  pm::wipe(batch_.data(), batch_.size() * sizeof(double));
  text_.wipe();
}

}  // namespace pm
