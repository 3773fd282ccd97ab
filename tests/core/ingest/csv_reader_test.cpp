#include "core/ingest/csv_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/ingest/csv_layout.hpp"

namespace pm {
namespace csv_reader_test {

using Rows = std::vector<std::vector<double>>;

Bytes bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class Collector : public RowSink {
 public:
  explicit Collector(std::size_t columns) : columns_(columns) {}
  Status take(std::span<const double> rows) override {
    for (; !rows.empty(); rows = rows.subspan(columns_)) {
      this->rows.emplace_back(rows.begin(), rows.begin() + std::ptrdiff_t(columns_));
    }
    return std::nullopt;
  }
  Rows rows;

 private:
  std::size_t columns_;
};

// The result of reading: rows, then possibly an error.
struct Reading {
  Rows rows;
  Status error;
  CsvProgress progress{};
};

// NaN equals NaN; everything else is compared bit for bit.
bool same(const Rows& a, const Rows& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size() != b[i].size()) return false;
    for (std::size_t j = 0; j < a[i].size(); ++j) {
      const bool missing = std::isnan(a[i][j]) && std::isnan(b[i][j]);
      if (!missing && std::memcmp(&a[i][j], &b[i][j], sizeof(double)) != 0) return false;
    }
  }
  return true;
}

std::string codeOf(const Status& status) { return status ? codeName(status->code) : "none"; }
std::int64_t rowOf(const Status& status) { return status ? status->row : -1; }

// The first cell that differs, for messages.
std::string difference(const Rows& a, const Rows& b) {
  std::ostringstream text;
  text.precision(17);
  text << a.size() << " and " << b.size() << " rows";
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    for (std::size_t j = 0; j < a[i].size(); ++j) {
      if (same({{a[i][j]}}, {{b[i][j]}})) continue;
      text << "; row " << i << " column " << j << ": " << a[i][j] << " and " << b[i][j];
      return text.str();
    }
  }
  return text.str();
}

// ---- The simple reference: a whole file at once, character by character, numbers by strtod. ----

struct TwinRecord {
  std::vector<std::string> fields;
  bool is_malformed = false;
  // After its line end.
  std::size_t end = 0;
};

TwinRecord twinRecord(const std::string& file, std::size_t at, char delimiter) {
  TwinRecord record;
  const std::size_t start = at;
  for (;;) {
    std::string field;
    if (at < file.size() && file[at] == '"') {
      for (++at;; ++at) {
        if (at >= file.size()) return {{}, true, at};
        if (file[at] != '"') {
          field += file[at];
        } else if (at + 1 < file.size() && file[at + 1] == '"') {
          field += file[at++];
        } else {
          break;
        }
      }
      for (++at; at < file.size() && file[at] != delimiter && file[at] != '\n' && file[at] != '\r';
           ++at) {
        if (file[at] != ' ' && file[at] != '\t') return {{}, true, at};
      }
    } else {
      while (at < file.size() && file[at] != delimiter && file[at] != '\n' && file[at] != '\r') {
        field += file[at++];
      }
    }
    record.fields.push_back(field);
    if (at >= file.size() || file[at] != delimiter) break;
    ++at;
  }
  if (at - start > kLongestRecord) return {{}, true, at};
  if (file.compare(at, 2, "\r\n") == 0) {
    at += 2;
  } else if (at < file.size()) {
    at += 1;
  }
  record.end = at;
  return record;
}

std::string twinTrim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

double twinNumber(std::string text, char mark) {
  text = twinTrim(text);
  bool digits = false, point = false, exponent = false, exponent_digits = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char& c = text[i];
    if (c >= '0' && c <= '9') {
      (exponent ? exponent_digits : digits) = true;
    } else if (c == '+' || c == '-') {
      const bool leads = i == 0 || (exponent && (text[i - 1] == 'e' || text[i - 1] == 'E'));
      if (!leads) return NAN;
    } else if (c == mark && !point && !exponent) {
      point = true;
      c = '.';
    } else if ((c == 'e' || c == 'E') && digits && !exponent) {
      exponent = true;
      exponent_digits = false;
    } else {
      return NAN;
    }
  }
  if (!digits || !exponent_digits) return NAN;
  const double value = std::strtod(text.c_str(), nullptr);
  return std::isfinite(value) ? value : NAN;
}

// One expression for each separator: not every library knows \1 within (?! ).
bool twinGrouped(const std::string& text) {
  static const std::vector<std::regex> grouped = [] {
    std::vector<std::regex> made;
    for (const std::string separator :
         {"\\.", ",", "'", " ", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\x99", "\xE2\x80\xAF"}) {
      const std::string marks = separator == "\\." ? "," : separator == "," ? "." : ".,";
      made.emplace_back("[+-]?[1-9][0-9]{0,2}" + separator + "(?:[0-9]{2,3}" + separator +
                        ")*[0-9]{3}(?:[" + marks + "][0-9]*)?");
    }
    return made;
  }();
  const std::string trimmed = twinTrim(text);
  return std::any_of(grouped.begin(), grouped.end(),
                     [&](const std::regex& form) { return std::regex_match(trimmed, form); });
}

// ASCII only, as in random files.
bool twinFormatted(const std::string& text) {
  static const std::regex formatted(
      "(\\()?[ \t]*([+-])?[ \t]*(\\$)?[ \t]*([+-])?[ \t]*([0-9.,].*?)"
      "[ \t]*([+-])?[ \t]*([%$])?[ \t]*(\\))?");
  std::smatch parts;
  const std::string trimmed = twinTrim(text);
  if (!std::regex_match(trimmed, parts, formatted)) return false;
  const bool is_open = parts[1].matched;
  const bool is_closed = parts[8].matched;
  const int signs = parts[2].matched + parts[4].matched + parts[6].matched;
  const int sums = parts[3].matched + (parts[7].matched && parts[7] == "$");
  if (is_open != is_closed || signs > 1 || sums > 1) return false;
  const std::string core = parts[5];
  return !std::isnan(twinNumber(core, '.')) || !std::isnan(twinNumber(core, ',')) ||
         twinGrouped(core);
}

Reading twinRead(const std::string& file, const CsvLayout& layout,
                 const std::vector<CsvColumn>& columns) {
  Reading reading;
  std::size_t at = layout.header_bytes;
  while (at < file.size()) {
    const TwinRecord record = twinRecord(file, at, layout.delimiter);
    at = record.end;
    const std::int64_t row = std::int64_t(reading.rows.size());
    if (record.is_malformed) {
      reading.error = Error(Code::kCsvMalformed, "", "", row);
      return reading;
    }
    const bool blank = record.fields.size() == 1 && twinTrim(record.fields[0]).empty();
    if (blank && layout.width > 1) continue;
    if (record.fields.size() != layout.width) {
      reading.error = Error(Code::kRaggedRow, "", "", row);
      return reading;
    }
    std::vector<double> cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& text = record.fields[layout.positions[i]];
      const std::vector<std::string>& levels = columns[i].levels;
      const char other = layout.mark == DecimalMark::kPoint ? ',' : '.';
      if (levels.empty() && std::isnan(twinNumber(text, char(layout.mark))) &&
          (!std::isnan(twinNumber(text, other)) || twinGrouped(text))) {
        reading.error = Error(Code::kDecimalMark, "", "", row);
        return reading;
      }
      if (levels.empty() && std::isnan(twinNumber(text, char(layout.mark))) &&
          twinFormatted(text)) {
        reading.error = Error(Code::kDecimalMark, "", "", row);
        return reading;
      }
      const auto found = std::find(levels.begin(), levels.end(), twinTrim(text));
      cells.push_back(levels.empty()          ? twinNumber(text, char(layout.mark))
                      : found != levels.end() ? double(found - levels.begin())
                                              : NAN);
    }
    reading.rows.push_back(cells);
  }
  return reading;
}

// ---- The reader under test. ----

CsvLayout layoutOf(const std::string& file, const std::vector<std::string>& wanted,
                   const CsvOptions& options = {}) {
  const auto found = findCsvLayout(bytesOf(file), true, wanted, options);
  EXPECT_TRUE(found.ok()) << (found.ok() ? "" : found.error().message);
  return *found.value();
}

CsvReader readerOf(const CsvLayout& layout, const std::vector<CsvColumn>& columns) {
  return CsvReader::create(layout, columns).value();
}

// Reads a section in pieces that end at `cut`.
template <class Cut>
Reading readSection(CsvReader& reader, const std::string& file, const CsvSection& section,
                    std::size_t columns, Cut cut) {
  Collector sink(columns);
  reader.begin(section);
  std::size_t at = std::size_t(section.at);
  while (at < file.size() && !reader.done()) {
    const std::size_t next = std::min<std::size_t>(file.size(), cut(at));
    // A separate copy, so that the sanitizer detects reads beyond it.
    const std::vector<std::uint8_t> piece(file.begin() + std::ptrdiff_t(at),
                                          file.begin() + std::ptrdiff_t(next));
    (void)reader.push(piece, sink);
    at = next;
  }
  Reading reading;
  reading.error = at == file.size() ? reader.end(sink) : reader.push({}, sink);
  reading.rows = sink.rows;
  reading.progress = reader.progress();
  return reading;
}

Reading read(const std::string& file, const CsvLayout& layout,
             const std::vector<CsvColumn>& columns) {
  CsvReader reader = readerOf(layout, columns);
  return readSection(reader, file, {layout.header_bytes}, columns.size(),
                     [&](std::size_t) { return file.size(); });
}

Reading readNumbers(const std::string& file, const std::vector<std::string>& wanted,
                    const CsvOptions& options = {}) {
  return read(file, layoutOf(file, wanted, options), std::vector<CsvColumn>(wanted.size()));
}

// ---- Random files. ----

struct MadeUp {
  std::string file;
  std::vector<std::string> wanted;
  std::vector<CsvColumn> columns;
  CsvOptions options;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::size_t pick(std::size_t count) { return random_() % count; }
  bool oneIn(std::size_t count) { return pick(count) == 0; }

  // With `faults`, ragged rows and misplaced quotes occur occasionally.
  MadeUp file(bool faults) {
    MadeUp made;
    made.options.mark = oneIn(3) ? DecimalMark::kComma : DecimalMark::kPoint;
    made.options.delimiter = ",;\t|"[pick(4)];
    const std::size_t width = 1 + pick(oneIn(4) ? 60 : 5);
    for (std::size_t i = 0; i < width; ++i) {
      made.file += (i > 0 ? std::string(1, made.options.delimiter) : "") + "c" + std::to_string(i);
    }
    made.file += lineEnd();
    const std::size_t columns = 1 + pick(std::min<std::size_t>(width, 6));
    for (std::size_t i = 0; i < columns; ++i) {
      made.wanted.push_back("c" + std::to_string(pick(width)));
      made.columns.emplace_back();
      if (oneIn(3)) made.columns.back().levels = {"x", "yes", "no", "a b", "1", "caf\xC3\xA9"};
    }
    const std::size_t rows = pick(30);
    for (std::size_t row = 0; row < rows; ++row) {
      if (oneIn(12))
        made.file += oneIn(2) ? "  " : "";
      else
        made.file += record(width, made.options, faults);
      if (row + 1 < rows || oneIn(2)) made.file += lineEnd();
    }
    return made;
  }

 private:
  std::string lineEnd() { return std::string(oneIn(3) ? "\r\n" : oneIn(5) ? "\r" : "\n"); }

  std::string record(std::size_t width, const CsvOptions& options, bool faults) {
    if (faults && oneIn(40)) ++width;
    std::string text;
    for (std::size_t i = 0; i < width; ++i) {
      if (i > 0) text += options.delimiter;
      text += field(options, faults);
    }
    return text;
  }

  std::string field(const CsvOptions& options, bool faults) {
    static const std::vector<std::string> texts = {
        "",    "x",   " yes ",     "no",      "a b",   "caf\xC3\xA9", "NA",
        "nan", "inf", "-Infinity", "5' 10\"", "--1",   "1e",          "1e+",
        ".",   "-",   "0x10",      "10 00",   "1.5.2", "+-1"};
    std::string cell = oneIn(3) ? texts[pick(texts.size())] : number(char(options.mark));
    const bool needs_quotes = cell.find_first_of("\n\r") != std::string::npos ||
                              cell.find(options.delimiter) != std::string::npos;
    if (oneIn(8))
      cell += oneIn(2) ? "\n" : oneIn(2) ? "\r\n" : std::string(1, options.delimiter);
    else if (!needs_quotes && !oneIn(5))
      return cell;
    std::string quoted = "\"";
    for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
    if (!(faults && oneIn(60))) quoted += "\"";
    if (oneIn(6)) quoted += " ";
    if (faults && oneIn(60)) quoted += "x";
    return quoted;
  }

  std::string number(char mark) {
    std::string text = oneIn(3) ? "-" : oneIn(8) ? "+" : "";
    const auto digits = [&](std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) text += char('0' + pick(10));
    };
    digits(oneIn(9) ? pick(25) : 1 + pick(5));
    if (!oneIn(3)) {
      text += oneIn(12) ? '.' : mark;
      digits(oneIn(9) ? pick(25) : pick(9));
    }
    if (oneIn(5)) {
      text += oneIn(2) ? 'e' : 'E';
      text += oneIn(2) ? "-" : oneIn(2) ? "+" : "";
      digits(1 + pick(3));
    }
    if (oneIn(10)) text = " " + text;
    if (oneIn(10)) text += "  ";
    return text;
  }

  std::mt19937 random_;
};

TEST(CsvReader, AgreesWithTheSimpleReaderHoweverPiecesAreCut) {
  std::size_t rows = 0, errors = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Maker maker(seed);
    const MadeUp made = maker.file(seed % 2 == 0);
    const CsvLayout layout = layoutOf(made.file, made.wanted, made.options);
    const Reading expected = twinRead(made.file, layout, made.columns);
    CsvReader reader = readerOf(layout, made.columns);
    const std::size_t longest = 1 + maker.pick(seed % 3 == 0 ? 3 : 80);
    const Reading pieces =
        readSection(reader, made.file, {layout.header_bytes}, made.columns.size(),
                    [&](std::size_t at) { return at + 1 + maker.pick(longest); });
    const Reading whole = read(made.file, layout, made.columns);
    for (const Reading* found : {&whole, &pieces}) {
      ASSERT_TRUE(same(found->rows, expected.rows))
          << "seed " << seed << ": " << difference(found->rows, expected.rows);
      ASSERT_EQ(codeOf(found->error), codeOf(expected.error)) << "seed " << seed;
      ASSERT_EQ(rowOf(found->error), rowOf(expected.error)) << "seed " << seed;
    }
    rows += expected.rows.size();
    errors += expected.error ? 1 : 0;
  }
  // Make sure that there was something to compare.
  EXPECT_GT(rows, 20000U);
  EXPECT_GT(errors, 300U);
}

// The coordinator of several readers, section by section; see csv_reader.hpp.
Reading readInSections(const MadeUp& made, const CsvLayout& layout,
                       const std::vector<std::uint64_t>& cuts, Maker& maker, int& guesses_right,
                       int& guesses_wrong) {
  const auto cut = [&](std::size_t at) { return at + 1 + maker.pick(50); };
  Reading all;
  std::uint64_t place = layout.header_bytes;
  for (std::size_t k = 0; k <= cuts.size(); ++k) {
    const std::uint64_t stop = k < cuts.size() ? cuts[k] : ~std::uint64_t(0);
    CsvReader reader = readerOf(layout, made.columns);
    Reading part;
    if (k == 0) {
      part = readSection(reader, made.file, {place, false, stop}, made.columns.size(), cut);
    } else {
      part =
          readSection(reader, made.file, {cuts[k - 1] - 1, true, stop}, made.columns.size(), cut);
      const bool is_right = part.progress.start == place;
      ++(is_right ? guesses_right : guesses_wrong);
      if (!is_right) {
        part = readSection(reader, made.file, {place, false, stop}, made.columns.size(), cut);
      }
    }
    EXPECT_EQ(part.progress.start, place);
    EXPECT_TRUE(part.error || part.progress.rows == part.rows.size());
    all.error = part.error;
    if (all.error) all.error->row += std::int64_t(all.rows.size());
    all.rows.insert(all.rows.end(), part.rows.begin(), part.rows.end());
    if (all.error) return all;
    place = part.progress.end;
  }
  EXPECT_EQ(place, made.file.size());
  return all;
}

TEST(CsvReader, SectionsTogetherReadExactlyTheFileHoweverTheyAreCut) {
  int guesses_right = 0, guesses_wrong = 0, errors = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Maker maker(seed + 100000);
    const MadeUp made = maker.file(seed % 3 == 0);
    const CsvLayout layout = layoutOf(made.file, made.wanted, made.options);
    const Reading expected = read(made.file, layout, made.columns);
    std::vector<std::uint64_t> cuts;
    const std::uint64_t rest = made.file.size() - layout.header_bytes;
    for (std::size_t i = 1 + maker.pick(5); rest > 0 && i > 0; --i) {
      cuts.push_back(layout.header_bytes + 1 + maker.pick(rest));
    }
    std::sort(cuts.begin(), cuts.end());
    const Reading found = readInSections(made, layout, cuts, maker, guesses_right, guesses_wrong);
    ASSERT_TRUE(same(found.rows, expected.rows))
        << "seed " << seed << ": " << difference(found.rows, expected.rows);
    ASSERT_EQ(codeOf(found.error), codeOf(expected.error)) << "seed " << seed;
    ASSERT_EQ(rowOf(found.error), rowOf(expected.error)) << "seed " << seed;
    errors += expected.error ? 1 : 0;
  }
  // Make sure that both outcomes of seeking, and errors, occurred.
  EXPECT_GT(guesses_right, 1000);
  EXPECT_GT(guesses_wrong, 300);
  EXPECT_GT(errors, 100);
}

TEST(CsvReader, EndsASectionAfterTheLineEndAtItsStopWhereTheNextOneStarts) {
  // 0a 1\n 2-3 "1\r\n" ..: boundaries at 2, 5, 7, 9
  const std::string file = "a\n1\r\n2\r3\n";
  const CsvLayout layout = layoutOf(file, {"a"});
  ASSERT_EQ(layout.header_bytes, 2U);
  CsvReader reader = readerOf(layout, {CsvColumn{}});
  const std::vector<std::uint64_t> boundaries = {2, 5, 7, 9};
  const auto boundary_from = [&](std::uint64_t at) {
    return *std::lower_bound(boundaries.begin(), boundaries.end(), at);
  };
  for (std::uint64_t stop = 2; stop <= file.size(); ++stop) {
    for (std::size_t step = 1; step <= file.size(); ++step) {
      const auto cut = [&](std::size_t at) { return at + step; };
      const Reading first = readSection(reader, file, {2, false, stop}, 1, cut);
      EXPECT_EQ(first.progress.end, boundary_from(stop)) << stop << " in steps of " << step;
      const Reading next = readSection(reader, file, {stop - 1, true}, 1, cut);
      EXPECT_EQ(next.progress.start, boundary_from(stop)) << stop << " in steps of " << step;
      EXPECT_EQ(first.rows.size() + next.rows.size(), 3U);
    }
  }
}

TEST(CsvReader, ReadsNothingInASectionThatEndsBeforeItBegins) {
  const std::string file = "a\n1\n2\n";
  CsvReader reader = readerOf(layoutOf(file, {"a"}), {CsvColumn{}});
  reader.begin({4, false, 3});
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(reader.progress().end, 4U);
}

TEST(CsvReader, SeeksToTheEndOfAFileWithoutAnotherLine) {
  const std::string file = "a\n1\n2";
  CsvReader reader = readerOf(layoutOf(file, {"a"}), {CsvColumn{}});
  const Reading found =
      readSection(reader, file, {4, true}, 1, [](std::size_t at) { return at + 1; });
  EXPECT_EQ(found.progress.start, file.size());
  EXPECT_EQ(found.progress.end, file.size());
  EXPECT_TRUE(found.rows.empty());
}

TEST(CsvReader, ParsesNumbersExactly) {
  const Rows rows = readNumbers(
                        "a,b\n0.1,1e-5\n-0,4.9e-324\n123456789012345678901234567890,1e308\n"
                        "1e-400,2.2250738585072011e-308\n",
                        {"a", "b"})
                        .rows;
  const Rows expected = {
      {0.1, 1e-5}, {-0.0, 4.9e-324}, {1.2345678901234568e29, 1e308}, {0, 2.2250738585072011e-308}};
  EXPECT_TRUE(same(rows, expected)) << difference(rows, expected);
}

TEST(CsvReader, TreatsAnythingButPlainDecimalsAsMissing) {
  const std::vector<std::string> texts = {
      "",      " ",     "NaN",   "nan(1)", "Infinity",  "-inf",  "0x1",     "0b1",
      "10 00", "1_000", "1e",    "1e+",    "--1",       "+-1",   "1 1",     ".",
      "e5",    "1e999", "1.2.3", "12kg",   "\"1\"\"\"", "1\xC2", "\xEF\xBB"};
  for (const std::string& text : texts) {
    const Reading found = readNumbers("a,b\n" + text + ",2\n", {"a", "b"});
    ASSERT_EQ(found.rows.size(), 1U) << text;
    EXPECT_TRUE(std::isnan(found.rows[0][0])) << text << " is " << found.rows[0][0];
    EXPECT_EQ(found.rows[0][1], 2) << text;
  }
}

TEST(CsvReader, TrimsTheSameSpacesAsJavaScript) {
  const std::vector<std::string> spaces = {
      "\t",           "\v",           "\f",           " ",
      "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x8A",
      "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F",
      "\xE3\x80\x80", "\xEF\xBB\xBF"};
  for (const std::string& space : spaces) {
    const std::string file =
        "a,b\n" + space + "1" + space + ",2\n\"3\"" + space + "," + space + "4\n" + space + "\n";
    const Rows expected = {{1, 2}, {3, 4}};
    for (std::size_t step = 1; step < 6; ++step) {
      const CsvLayout layout = layoutOf(file, {"a", "b"});
      CsvReader reader = readerOf(layout, std::vector<CsvColumn>(2));
      const Reading found = readSection(reader, file, {layout.header_bytes}, 2,
                                        [&](std::size_t at) { return at + step; });
      EXPECT_FALSE(found.error) << step;
      EXPECT_TRUE(same(found.rows, expected)) << difference(found.rows, expected);
    }
  }
  // Similar characters that are not spaces.
  for (const std::string text : {"\xC2\x85", "\xE2\x80\x8B", "\xE1\xA0\x8E", "\xE2\x80"}) {
    EXPECT_EQ(codeOf(readNumbers("a,b\n\"1\"" + text + ",2\n", {"a", "b"}).error), "csv-malformed");
  }
}

TEST(CsvReader, RejectsARecordThatNeverEndsHoweverPiecesAreCut) {
  const std::string start = "a,b\n1,2\n";
  const CsvLayout layout = layoutOf(start, {"a", "b"});
  for (const char* opening : {"1,\"", "1,x"}) {
    const std::string room(kLongestRecord - 3, 'x');
    const std::string closing = *(opening + 2) == '"' ? "\"" : "x";
    // The maximum length, and one byte more.
    for (const bool longer : {false, true}) {
      const std::string file =
          start + opening + room.substr(1) + (longer ? "x" : "") + closing + "\n3,4\n";
      for (const std::size_t step : {file.size(), std::size_t(1 << 20), std::size_t(12345)}) {
        CsvReader reader = readerOf(layout, std::vector<CsvColumn>(2));
        const Reading found = readSection(reader, file, {layout.header_bytes}, 2,
                                          [&](std::size_t at) { return at + step; });
        EXPECT_EQ(codeOf(found.error), longer ? "csv-malformed" : "none") << step;
        EXPECT_EQ(found.rows.size(), longer ? 1U : 3U);
        EXPECT_EQ(rowOf(found.error), longer ? 1 : -1);
      }
    }
  }
}

TEST(CsvReader, StopsReadingIfARecordNeverEnds) {
  const CsvLayout layout = layoutOf("a,b\n", {"a", "b"});
  CsvReader reader = readerOf(layout, std::vector<CsvColumn>(2));
  Collector sink(2);
  reader.begin({layout.header_bytes});
  ASSERT_FALSE(reader.push(bytesOf("1,\""), sink));
  const std::string piece(1 << 22, 'x');
  int pieces = 0;
  while (!reader.done() && pieces < 10) {
    (void)reader.push(bytesOf(piece), sink);
    ++pieces;
  }
  EXPECT_EQ(pieces, 4);
  EXPECT_EQ(codeOf(reader.end(sink)), "csv-malformed");
}

TEST(CsvReader, DoesNotTreatALineThatEndsInSpacesAsBlank) {
  const std::string spaces(40, ' ');
  EXPECT_EQ(codeOf(readNumbers("a,b\n" + spaces + "\n1,2\n", {"b"}).error), "none");
  EXPECT_EQ(codeOf(readNumbers("a,b\nx" + spaces + "\n1,2\n", {"b"}).error), "ragged-row");
}

TEST(CsvReader, NamesTheCellThatIsNotUtf8UnlessItsRowIsInvalid) {
  const std::string file = "a,b\nx,1\n\xE9,2\n";
  const CsvLayout layout = layoutOf(file, {"b", "a"});
  const std::vector<CsvColumn> columns = {{}, {{"x"}}};
  const Status error = read(file, layout, columns).error;
  ASSERT_EQ(codeOf(error), "csv-encoding");
  EXPECT_EQ(error->row, 1);
  EXPECT_EQ(error->column, 1);
  EXPECT_EQ(codeOf(read("a,b\n\xE9\n", layout, columns).error), "ragged-row");
  EXPECT_EQ(codeOf(read("a,b\n\xE9,\"\n", layout, columns).error), "csv-malformed");
  // In a column that is not wanted it is ignored.
  EXPECT_FALSE(readNumbers(file, {"b"}).error);
}

TEST(CsvReader, NamesTheNumberWithTheOtherMarkUnlessItsRowIsInvalid) {
  const std::string file = "a;b\n1;2\n1,5;2,5\n";
  const CsvLayout layout = layoutOf(file, {"b", "a"});
  const Status error = read(file, layout, {{}, {}}).error;
  ASSERT_EQ(codeOf(error), "decimal-mark");
  EXPECT_EQ(error->row, 1);
  // The first one in the file.
  EXPECT_EQ(error->column, 1);
  EXPECT_EQ(codeOf(read("a;b\n1,5\n", layout, {{}, {}}).error), "ragged-row");
  // In a column that is not wanted it is ignored.
  EXPECT_FALSE(readNumbers("a;b\n1,5;2\n", {"b"}).error);
  // A cell that is not a number with either mark is missing.
  EXPECT_FALSE(readNumbers("a;b\n1,5,2;2\n,;2\nx,y;2\n", {"a"}).error);
}

TEST(CsvReader, RejectsThousandsSeparatorsWithEitherMark) {
  const auto reading = [](const std::string& cell, DecimalMark mark) {
    return readNumbers("a;b\n\"" + cell + "\";2\n", {"a"}, {';', mark});
  };
  const auto code = [&](const std::string& cell, DecimalMark mark) {
    return codeOf(reading(cell, mark).error);
  };
  const std::vector<std::string> refused = {"1.234,56",
                                            "1,234.56",
                                            "-1.234,5",
                                            "+12.345.678,9",
                                            " 123,456.0 ",
                                            "1.234.567",
                                            "1,234,567",
                                            "1.234.567,",
                                            "12,34,567.8",
                                            "1,23,45,678",
                                            "1 234",
                                            "1 234,56",
                                            "1 234.56",
                                            "1 234 567",
                                            "1'234.50",
                                            "1'234",
                                            "1\xE2\x80\x99"
                                            "234,5",
                                            "1\xC2\xA0"
                                            "234,5",
                                            "1\xE2\x80\xAF"
                                            "234,5",
                                            "999\xE2\x80\x89"
                                            "999"};
  for (const std::string& cell : refused) {
    EXPECT_EQ(code(cell, DecimalMark::kPoint), "decimal-mark") << cell;
    EXPECT_EQ(code(cell, DecimalMark::kComma), "decimal-mark") << cell;
    EXPECT_TRUE(twinGrouped(cell)) << cell;
  }
  const std::vector<std::string> missing = {"",
                                            "NA",
                                            "1.5.2",
                                            "1,5,2",
                                            "12.34",
                                            "12,34.5.6",
                                            "1.23,456.7",
                                            "1.2345,6",
                                            "1234,567.8",
                                            "01.234,5",
                                            "0,123.4",
                                            "1..234,5",
                                            "1.234,,5",
                                            "1.234,5 kg",
                                            "1,234 567",
                                            "1'23",
                                            "1' 234",
                                            "01.02.2024",
                                            "192.168.0.1",
                                            "1.234,5e",
                                            "1_000",
                                            "1\xC2"
                                            "234",
                                            "1.234-5",
                                            ".234,567.8",
                                            "1 234 ,5"};
  for (const std::string& cell : missing) {
    for (const DecimalMark mark : {DecimalMark::kPoint, DecimalMark::kComma}) {
      if (!std::isnan(twinNumber(cell, '.')) || !std::isnan(twinNumber(cell, ','))) continue;
      EXPECT_EQ(code(cell, mark), "none") << cell;
      EXPECT_TRUE(std::isnan(reading(cell, mark).rows.at(0).at(0))) << cell;
    }
    EXPECT_FALSE(twinGrouped(cell)) << cell;
  }
  // A number with the requested mark is read as that number, even if it could be something else.
  EXPECT_EQ(reading("1.234", DecimalMark::kPoint).rows, (Rows{{1.234}}));
  EXPECT_EQ(reading("-123,456", DecimalMark::kComma).rows, (Rows{{-123.456}}));
  EXPECT_EQ(reading("1234567.890", DecimalMark::kPoint).rows, (Rows{{1234567.89}}));
}

TEST(CsvReader, ReadsTheUnicodeMinusSignAsAMinus) {
  const std::string minus = "\xE2\x88\x92";
  const Rows expected = {{-1.5, -0.25}, {-3e-2, 4}};
  const Rows rows =
      readNumbers("a;b\n" + minus + "1.5;\"" + minus + ".25\"\n " + minus + "3e" + minus + "2;4\n",
                  {"a", "b"}, {';', DecimalMark::kPoint})
          .rows;
  EXPECT_TRUE(same(rows, expected)) << difference(rows, expected);
  EXPECT_EQ(readNumbers("a;b\n" + minus + "1,5;2\n", {"a"}, {';', DecimalMark::kComma}).rows,
            (Rows{{-1.5}}));
  // Numbers rejected with a hyphen are rejected with it too.
  EXPECT_EQ(codeOf(readNumbers("a;b\n" + minus + "1,5;2\n", {"a"}).error), "decimal-mark");
  EXPECT_EQ(codeOf(readNumbers("a;b\n" + minus + "1.234,5;2\n", {"a"}).error), "decimal-mark");
  // By itself it is not a number.
  const Reading alone = readNumbers("a;b\n" + minus + ";2\n", {"a"});
  EXPECT_TRUE(!alone.error && std::isnan(alone.rows.at(0).at(0)));
}

TEST(CsvReader, RejectsNumbersInUnsupportedForms) {
  const std::vector<std::string> refused = {
      "\xE2\x80\x93"
      "5",  // en dash
      "\xE2\x80\x94"
      "1,5",  // em dash
      "\xEF\xBC\x8D"
      "5",             // full-width hyphen
      "\xEF\xBC\x95",  // full-width five
      "1\xEF\xBC\x8E"
      "5",                         // full-width point
      "\xD9\xA3\xD9\xAB\xD9\xA5",  // Arabic 3.5
      "\xDB\xB1\xDB\xB2",          // Persian 12
      "12 %",
      "12%",
      "1,5\xEF\xBC\x85",
      "$5",
      "5 \xE2\x82\xAC",
      "\xC2\xA3"
      "1,234.50",
      "-$5",
      "$-5",
      "(5)",
      "(1.234,5)",
      "($5.50)",
      "5-",
      "1,5-",
      "- 5",
      "+ 5",
      "1.234,5-"};
  for (const std::string& cell : refused) {
    for (const DecimalMark mark : {DecimalMark::kPoint, DecimalMark::kComma}) {
      const Reading found = readNumbers("a;b\n1;2\n\"" + cell + "\";2\n", {"a"}, {';', mark});
      EXPECT_EQ(codeOf(found.error), "decimal-mark") << cell;
      EXPECT_EQ(rowOf(found.error), 1) << cell;
    }
  }
  const std::vector<std::string> missing = {"",
                                            "-",
                                            "\xE2\x80\x93",
                                            "$",
                                            "%",
                                            "()",
                                            "(NA)",
                                            "5 kg",
                                            "5%%",
                                            "(5",
                                            "5)",
                                            "--5",
                                            "-5-",
                                            "1-2",
                                            "$5$",
                                            "2024-01-31",
                                            "31.12.2024",
                                            "NA%",
                                            "\xE2\x80\x93 \xE2\x80\x93",
                                            "\xE2\x80",
                                            "\xD9",
                                            "5\xF0\x9F\x92\xA9"};
  for (const std::string& cell : missing) {
    const Reading found = readNumbers("a;b\n\"" + cell + "\";2\n", {"a"});
    EXPECT_EQ(codeOf(found.error), "none") << cell;
    ASSERT_EQ(found.rows.size(), 1U) << cell;
    EXPECT_TRUE(std::isnan(found.rows[0][0])) << cell;
  }
}

TEST(CsvReader, RejectsInvalidUtf8InCategoriesOnly) {
  const std::vector<std::string> wrong = {"\x80",
                                          "\xC0\xAF",
                                          "\xC3",
                                          "\xE0\x80\x80",
                                          "\xED\xA0\x80",
                                          "\xF5\x80\x80\x80",
                                          "\xF4\x90\x80\x80",
                                          "\xF0\x80\x80\x80",
                                          "\xE2\x82",
                                          "\xFE"};
  const std::vector<std::string> right = {"\xC3\xA9",         "\xE0\xA0\x80",     "\xED\x9F\xBF",
                                          "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "\xE2\x82\xAC"};
  const CsvLayout layout = layoutOf("a\n", {"a"});
  for (const std::string& text : wrong) {
    EXPECT_EQ(codeOf(read("a\n" + text + "\n", layout, {{{"x"}}}).error), "csv-encoding");
  }
  for (const std::string& text : right) {
    EXPECT_FALSE(read("a\n" + text + "\n", layout, {{{"x"}}}).error);
  }
}

TEST(CsvReader, ReadsNumbersThatStandForMissingAsMissing) {
  const double nan = std::nan("");
  std::string file = "a,b,c\n-999,-998,-999\n";
  Rows expected = {{nan, -998, 0}};
  // More rows than one batch, so that codes are found in all of them.
  for (int i = 0; i < 5000; ++i) {
    file += "-999.0,1,-999\n.,9,x\n99,99,x\n";
    expected.insert(expected.end(), {{nan, 1, 0}, {nan, 9, 1}, {nan, nan, 1}});
  }
  Result<CsvReader> made = CsvReader::create(layoutOf(file, {"a", "b", "c"}),
                                             {{}, {}, {{"-999", "x"}}}, {{-999, 99, 0, 1e9}, {}});
  ASSERT_TRUE(made.ok());
  CsvReader reader = std::move(made).value();
  Collector sink(3);
  reader.begin({6, false});
  EXPECT_FALSE(reader.push(bytesOf(file).subspan(6), sink));
  EXPECT_FALSE(reader.end(sink));
  EXPECT_TRUE(same(sink.rows, expected)) << difference(sink.rows, expected);
}

TEST(CsvReader, CountsCellsThatAreNotEmptyAndCannotBeRead) {
  // Long enough rows that numbers are parsed in place.
  const std::string rest = ",x," + std::string(40, 'z') + "\n";
  const std::string file = "a,b,c\n 1" + rest + rest + "  " + rest + "low" + rest + "inf" + rest +
                           "1e999" + rest + "12 mg,y, \nNA,y,\nna,none,\n\"\",x,\n-9,x,\n";
  const CsvLayout layout = layoutOf(file, {"b", "a"});
  for (std::size_t piece = 1; piece < file.size(); piece += piece < 12 ? 1 : 97) {
    CsvReader reader = CsvReader::create(layout, {{{"x"}}, {}}, {{-9}, {"NA", "none"}}).value();
    Collector sink(2);
    reader.begin({layout.header_bytes});
    for (std::size_t at = layout.header_bytes; at < file.size(); at += piece) {
      EXPECT_FALSE(reader.push(bytesOf(file).subspan(at, std::min(piece, file.size() - at)), sink));
    }
    EXPECT_FALSE(reader.end(sink));
    ASSERT_EQ(sink.rows.size(), 11u);
    EXPECT_EQ(reader.toCheck()[0].unreadable, 2u);
    EXPECT_EQ(reader.toCheck()[0].rows, (std::vector<std::uint64_t>{6, 7}));
    EXPECT_EQ(reader.toCheck()[1].unreadable, 5u);
    EXPECT_EQ(reader.toCheck()[1].rows, (std::vector<std::uint64_t>{3, 4, 5}));
    reader.begin({layout.header_bytes});
    EXPECT_EQ(reader.toCheck()[1].unreadable, 0u);
  }
}

TEST(CsvReader, FindsCodesAmongNumbersOutOfBoundsThatNobodyNamed) {
  std::string file = "a,b\n-9,-9\n99,99\n5,99\n";
  // More rows than one batch.
  for (int i = 0; i < 500; ++i) file += "3,-9\n1000,2\n";
  const std::vector<double> codes = {-9, -99, 9, 99};
  const CsvLayout layout = layoutOf(file + "-99,1\n", {"a", "b"});
  CsvReader reader =
      CsvReader::create(layout, {{{}, codes, 0, 10}, {{}, codes, -50, 50}}, {{99}, {}}).value();
  Collector sink(2);
  reader.begin({layout.header_bytes});
  EXPECT_FALSE(reader.push(bytesOf(file).subspan(layout.header_bytes), sink));
  EXPECT_FALSE(reader.push(bytesOf("-99,1\n"), sink));
  EXPECT_FALSE(reader.end(sink));
  // 99 was named; -9 is within the bounds of the second column.
  EXPECT_EQ(reader.toCheck()[0].codes, (std::vector<double>{-9, -99}));
  EXPECT_EQ(reader.toCheck()[1].codes, std::vector<double>());
}

TEST(CsvReader, ReadsOneColumnOfTheFileForTwoOfTheStudy) {
  const std::string file = "a,b\n1,2\n x ,3\n";
  const Reading found = read(file, layoutOf(file, {"a", "a", "b"}),
                             {CsvColumn{}, CsvColumn{{"x", "1"}}, CsvColumn{}});
  const Rows expected = {{1, 1, 2}, {NAN, 0, 3}};
  EXPECT_TRUE(same(found.rows, expected)) << difference(found.rows, expected);
}

TEST(CsvReader, SkipsThousandsOfColumnsCorrectly) {
  std::mt19937 random(5);
  std::string file = "c0";
  for (int i = 1; i < 3000; ++i) file += ",c" + std::to_string(i);
  file += "\n";
  Rows expected;
  const std::vector<int> wanted = {0, 17, 18, 1500, 2999};
  for (int row = 0; row < 20; ++row) {
    expected.emplace_back();
    for (int i = 0; i < 3000; ++i) {
      if (i > 0) file += ",";
      const bool is_wanted = std::find(wanted.begin(), wanted.end(), i) != wanted.end();
      if (is_wanted) {
        expected.back().push_back(row * 10000 + i);
        file += std::to_string(row * 10000 + i);
      } else if (random() % 50 == 0) {
        file += "\"quoted, \"\"and\"\"\n broken\"";
      } else {
        file += std::string(random() % 30, "x\" 5"[random() % 4]).insert(0, random() % 3, 'y');
        if (file[file.rfind(',') + 1] == '"') file += "\"";
      }
    }
    file += row % 2 == 0 ? "\n" : "\r\n";
  }
  std::vector<std::string> names;
  for (const int i : wanted) names.push_back("c" + std::to_string(i));
  const CsvLayout layout = layoutOf(file, names);
  const Reading whole = read(file, layout, std::vector<CsvColumn>(names.size()));
  const Reading twin = twinRead(file, layout, std::vector<CsvColumn>(names.size()));
  EXPECT_EQ(codeOf(whole.error), codeOf(twin.error));
  EXPECT_TRUE(same(whole.rows, twin.rows)) << difference(whole.rows, twin.rows);
}

class Refusing : public RowSink {
 public:
  Status take(std::span<const double>) override { return Error(Code::kMissingCell, "no"); }
};

TEST(CsvReader, StopsWhenTheSinkRejectsRows) {
  const std::string file = "a,b\n1,2\n3\n";
  CsvReader reader = readerOf(layoutOf(file, {"a"}), {CsvColumn{}});
  Refusing sink;
  reader.begin({4});
  // The rejected row comes before the ragged one.
  EXPECT_EQ(codeOf(reader.push(bytesOf(file).subspan(4), sink)), "missing-cell");
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(codeOf(reader.push(bytesOf("5,6\n"), sink)), "missing-cell");
  EXPECT_EQ(codeOf(reader.end(sink)), "missing-cell");
}

TEST(CsvReader, RejectsColumnsThatDoNotMatchTheLayout) {
  const CsvLayout layout = layoutOf("a,b\n", {"a"});
  EXPECT_FALSE(CsvReader::create(layout, {}).ok());
  EXPECT_FALSE(CsvReader::create(layout, std::vector<CsvColumn>(2)).ok());
  CsvLayout beyond = layout;
  beyond.positions = {2};
  EXPECT_FALSE(CsvReader::create(beyond, std::vector<CsvColumn>(1)).ok());
}

}  // namespace csv_reader_test
}  // namespace pm
