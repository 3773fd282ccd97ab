#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/ingest/csv_layout.hpp"
#include "core/ingest/private_bytes.hpp"
#include "core/ingest/text.hpp"
#include "core/ingest/text_index.hpp"
#include "core/result.hpp"

namespace pm {

/// How the cells of a wanted column become numbers: as numberIn() reads them or, where there are
/// levels, as the index of the level that the cell is, spaces around it aside. Levels are UTF-8,
/// without spaces around them, each there once.
struct CsvColumn {
  std::vector<std::string> levels;
};

/// Takes whole rows: cells of the wanted columns, row by row, NaN where one is missing. An error
/// ends the reading.
class RowSink {
 public:
  virtual Status take(std::span<const double> rows) = 0;

 protected:
  ~RowSink() = default;
};

/// A part of a file, in bytes from the file's start.
struct CsvSection {
  /// Where the bytes that will be pushed begin.
  std::uint64_t at = 0;
  /// Whether that may be in the midst of a record: then reading starts after the first line end.
  bool seek = false;
  /// Reading ends with the first record that ends here or later.
  std::uint64_t stop = std::numeric_limits<std::uint64_t>::max();
};

/// What was read of a section.
struct CsvProgress {
  /// Where the first record began and the last one ended.
  std::uint64_t start;
  std::uint64_t end;
  /// Rows given out.
  std::uint64_t rows;
};

/// Reads the rows of a CSV file whose bytes arrive in pieces, cut anywhere, as numbers.
///
/// A record ends at LF, CRLF or CR. A field that starts with a quote goes to the closing quote,
/// after which only spaces may come; two quotes within it are one. A quote anywhere else is a byte
/// like any other. Blank lines are no rows, except in files of one column, where they are missing
/// cells: skipping those would let the cells decide the number of rows. Memory is constant: one
/// batch of rows, and of the text no more than a field that does not lie in one piece.
///
/// Sections. Several readers can read one file, each from a place chosen by its size alone. Write
/// b(x) for the first record boundary at or after byte x. The first reader starts at the end of the
/// header, a boundary, and stops at s1: it ends at b(s1). The next seeks from s1 - 1: it starts
/// behind the first line end there, which is b(s1) unless that line end is within quotes, which
/// nobody can tell from there. So nobody guesses: it is accepted only if it started where the one
/// before it ended, and else read again from there. As the first one's start is a boundary, and a
/// reader that starts at a boundary ends at one, by induction every accepted section has read
/// exactly the records between its start and end, and all of them together the whole file, each row
/// once and in order.
///
/// Errors, with the row counted from the section's start: kCsvMalformed (a quote that does not fit,
/// or a record of more than kLongestRecord bytes), kRaggedRow, kCsvEncoding (a cell of a column
/// with levels is not UTF-8), kDecimalMark (a cell of numbers is one with the other decimal mark,
/// with thousands separators, or as isDressedNumber() has them, which nobody could tell from a
/// missing one afterwards), and those of the sink. All rows before it have gone to the sink. Of two
/// errors in one record this order decides, so it does not matter where pieces end.
class CsvReader {
 public:
  /// @param columns one for each position of the layout. Error: kWrongLength where they are not, or
  /// a position is outside the layout's width.
  static Result<CsvReader> create(CsvLayout layout, std::vector<CsvColumn> columns);

  CsvReader(CsvReader&&) = default;
  ~CsvReader() { wipe(); }

  /// Starts a section and forgets the one before.
  void begin(const CsvSection& section);

  /// The next bytes. Those after the end of the section are not looked at.
  Status push(Bytes piece, RowSink& sink);

  /// The file ends with the bytes pushed; its last line need not end in a line end.
  Status end(RowSink& sink);

  /// The section was read to its end, or to an error.
  bool done() const { return place_ == Place::kDone; }

  CsvProgress progress() const { return {start_, record_, rows_}; }

 private:
  // What the next byte is.
  enum class Place {
    kSeek,    // before the first line end
    kPair,    // after a CR that ended a line: its LF, perhaps
    kField,   // the first of a field; of a record, where that field is 0
    kPlain,   // in a field without quotes
    kQuoted,  // within quotes
    kQuote,   // after a quote within quotes: the second of two, or after the field
    kClosed,  // after the closing quote: spaces
    kDone,
  };

  // A wanted column, by its position in the file.
  struct Target {
    std::uint32_t position;
    std::uint32_t index;
    // A number in a column that is wanted once can be read where it lies.
    bool in_place;
  };

  CsvReader(CsvLayout layout, std::vector<CsvColumn> columns);

  using Byte = std::uint8_t;
  void read(const Byte* at, const Byte* end, RowSink& sink);
  const Byte* readFields(const Byte* at, const Byte* end, RowSink& sink);
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
  std::uint64_t offset(const Byte* at) const { return piece_ + std::uint64_t(at - piece_data_); }
  double* row() { return batch_.data() + filled_ * columns_; }
  void fail(Code code, const char* message, std::int64_t column = -1);
  void failQuote();
  void flush(RowSink& sink);
  void wipe();

  CsvLayout layout_;
  // In the order of their positions; last one that no field reaches.
  std::vector<Target> targets_;
  std::vector<TextIndex> levels_;
  std::size_t columns_;

  Place place_ = Place::kDone;
  // Offsets in the file: of the section's first record, of the current record, of the first byte of
  // the current piece, and where to stop.
  std::uint64_t start_ = 0;
  std::uint64_t record_ = 0;
  std::uint64_t piece_ = 0;
  std::uint64_t stop_ = 0;
  const Byte* piece_data_ = nullptr;
  bool seeking_ = false;
  std::uint64_t rows_ = 0;
  Status status_;

  // The current record: the field the next byte is in, the next wanted one, the first cell whose
  // text is not UTF-8, and the first number in a form that is not read: with the other mark, or
  // dressed.
  std::uint32_t field_ = 0;
  const Target* next_ = nullptr;
  std::int64_t foreign_ = -1;
  std::int64_t marked_ = -1;
  bool is_dressed_ = false;
  // Of the current field what earlier pieces had.
  PrivateBytes text_;
  // The bytes of a space after a closing quote that was cut.
  Byte space_[3] = {};
  std::uint32_t space_bytes_ = 0;

  // Whole rows, then the current one.
  std::vector<double> batch_;
  std::size_t filled_ = 0;
};

}  // namespace pm
