#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/cell_checks.hpp"
#include "core/ingest/csv_layout.hpp"
#include "core/ingest/private_bytes.hpp"
#include "core/ingest/text.hpp"
#include "core/ingest/text_index.hpp"
#include "core/result.hpp"

namespace pm {

/// Receives whole rows: cells of the wanted columns, row by row, NaN where one is missing. An error
/// stops the reader.
class RowSink {
 public:
  virtual Status take(std::span<const double> rows) = 0;

 protected:
  ~RowSink() = default;
};

/// What stands for a missing cell: numbers, by value in columns without levels, and words, as whole
/// trimmed cells. Words decide only what CellsToCheck counts, as such cells are missing anyway.
struct MissingCodes {
  std::vector<double> numbers;
  std::vector<std::string> words;
};

/// A part of a file, in bytes from the file's start.
struct CsvSection {
  /// Offset of the first byte that will be pushed.
  std::uint64_t at = 0;
  /// Whether that may be inside a record: reading then starts after the first line end.
  bool seek = false;
  /// Reading stops after the first record that ends here or later.
  std::uint64_t stop = std::numeric_limits<std::uint64_t>::max();
};

/// The part of a section that has been read.
struct CsvProgress {
  /// Where the first record began and the last one ended.
  std::uint64_t start;
  std::uint64_t end;
  /// Rows sent to the sink.
  std::uint64_t rows;
};

/// Reads the rows of a CSV file whose bytes arrive in pieces, cut anywhere, and converts them to
/// numbers.
///
/// A record ends at LF, CRLF or CR. A field that starts with a quote extends to the closing quote,
/// after which only spaces may follow; two quotes within it stand for one. A quote anywhere else is
/// an ordinary byte. Blank lines are not rows, except in files of one column, where they are
/// missing cells: skipping those would let the cells decide the number of rows. Memory is constant:
/// one batch of rows, and the text of at most one field that spans pieces.
///
/// Sections. Several readers can read one file, each from a place chosen by its size alone. Write
/// b(x) for the first record boundary at or after byte x. The first reader starts at the end of the
/// header, a boundary, and stops at s1: it ends at b(s1). The next seeks from s1 - 1: it starts
/// after the first line end there, which is b(s1) unless that line end is within quotes. A reader
/// cannot tell from there, so nothing is guessed: a section is accepted only if it started where
/// the one before it ended, and is otherwise read again from there. As the first one's start is a
/// boundary, and a reader that starts at a boundary ends at one, by induction every accepted
/// section has read exactly the records between its start and end, and together they have read the
/// whole file, each row once and in order.
///
/// Errors, with the row counted from the section's start: kCsvMalformed (a misplaced quote, or a
/// record of more than kLongestRecord bytes), kRaggedRow, kCsvEncoding (a cell of a column with
/// levels is not UTF-8), kDecimalMark (a cell in a column of numbers uses the other decimal mark or
/// thousands separators, or satisfies isFormattedNumber(); read as NaN it would pass for a missing
/// cell), and those of the sink. All rows before the error have gone to the sink. If one record has
/// two errors, the first in this order is reported, so it does not matter where pieces end.
class CsvReader {
 public:
  /// @param columns one for each position of the layout. Error: kWrongLength if the counts differ
  /// or a position is outside the layout's width.
  static Result<CsvReader> create(CsvLayout layout, std::vector<CsvColumn> columns,
                                  MissingCodes missing = {});

  CsvReader(CsvReader&&) = default;
  ~CsvReader() { wipe(); }

  /// Starts a section and discards the state of the previous one.
  void begin(const CsvSection& section);

  /// Reads the next bytes. Bytes after the end of the section are ignored.
  Status push(Bytes piece, RowSink& sink);

  /// Ends the file after the bytes pushed; its last line need not end in a line end.
  Status end(RowSink& sink);

  /// Whether the section has been read to its end or to an error.
  bool done() const { return place_ == Place::kDone; }

  CsvProgress progress() const { return {start_, record_, rows_}; }

  /// For each column, what there is to check in the section's rows so far.
  const std::vector<CellsToCheck>& toCheck() const { return checks_.found(); }

 private:
  // Where the next byte is.
  enum class Place {
    kSeek,    // before the first line end
    kPair,    // after a CR that ended a line: an LF may follow
    kField,   // at the first byte of a field; of a record if that field is 0
    kPlain,   // in a field without quotes
    kQuoted,  // within quotes
    kQuote,   // after a quote within quotes: either escaped or closing
    kClosed,  // after the closing quote: only spaces may follow
    kDone,
  };

  // A wanted column, by its position in the file.
  struct Target {
    std::uint32_t position;
    std::uint32_t index;
    // A number in a column that is wanted once can be parsed without copying.
    bool in_place;
  };

  CsvReader(CsvLayout layout, std::vector<CsvColumn> columns, MissingCodes missing);

  using Byte = std::uint8_t;
  void read(const Byte* at, const Byte* end, RowSink& sink);
  const Byte* readFields(const Byte* at, const Byte* end, RowSink& sink);
  const Byte* readNumbers(const Byte* at, const Byte* end, RowSink& sink);
  const Byte* readClosed(const Byte* at, const Byte* end, RowSink& sink);
  const Byte* skipFields(const Byte* at, const Byte* end);
  const Byte* endOfField(const Byte* at, const Byte* end) const;
  const Byte* endField(Bytes text, const Byte* at, const Byte* end, RowSink& sink);
  const Byte* endLine(Bytes last, const Byte* at, const Byte* end, RowSink& sink);
  void endRecord(Bytes last, RowSink& sink);
  void startRecord(std::uint64_t offset);
  void keep(Bytes text);
  void takeText(Bytes text);
  double cellIn(Bytes text, std::uint32_t index);
  void countUnreadable(Bytes text, std::uint32_t index);
  std::uint64_t offset(const Byte* at) const { return piece_ + std::uint64_t(at - piece_data_); }
  double* row() { return batch_.data() + filled_ * columns_; }
  void fail(Code code, const char* message, std::int64_t column = -1);
  void failQuote();
  void flush(RowSink& sink);
  void wipe();

  CsvLayout layout_;
  // In the order of their positions; the last is a sentinel that no field reaches.
  std::vector<Target> targets_;
  std::vector<TextIndex> levels_;
  std::vector<std::string> words_;
  std::size_t columns_;

  Place place_ = Place::kDone;
  // Offsets in the file: the section's first record, the current record, the first byte of the
  // current piece, and where to stop.
  std::uint64_t start_ = 0;
  std::uint64_t record_ = 0;
  std::uint64_t piece_ = 0;
  std::uint64_t stop_ = 0;
  const Byte* piece_data_ = nullptr;
  bool seeking_ = false;
  std::uint64_t rows_ = 0;
  CellChecks checks_;
  Status status_;

  // The current record: the field that contains the next byte, the next wanted column, the column
  // of the first cell that is not UTF-8, and the column of the first number in a form that is not
  // accepted: with the other mark, or formatted.
  std::uint32_t field_ = 0;
  const Target* next_ = nullptr;
  std::int64_t not_utf8_ = -1;
  std::int64_t other_form_ = -1;
  bool is_formatted_ = false;
  // The part of the current field that earlier pieces contained.
  PrivateBytes text_;
  // The first bytes of a multi-byte space after a closing quote.
  Byte space_[3] = {};
  std::uint32_t space_bytes_ = 0;

  // Whole rows, then the current one.
  std::vector<double> batch_;
  std::size_t filled_ = 0;
};

}  // namespace pm
