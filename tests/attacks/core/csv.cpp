// The bytes of a CSV file, read whole, in pieces and in sections: all three must give the same
// rows, bit for bit, or the same error at the same row.

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/csv_layout.hpp"
#include "core/ingest/csv_reader.hpp"
#include "tests/attacks/core/input.hpp"

namespace pm::fuzz {
namespace {

struct Reading {
  std::vector<double> cells;
  Status status;
  CsvProgress progress{};
  std::vector<CellsToCheck> to_check;
};

class Collector : public RowSink {
 public:
  explicit Collector(std::vector<double>& cells) : cells_(cells) {}
  Status take(std::span<const double> rows) override {
    cells_.insert(cells_.end(), rows.begin(), rows.end());
    return std::nullopt;
  }

 private:
  std::vector<double>& cells_;
};

// Pushes the bytes in pieces of 1 to `longest` bytes, which a small generator chooses.
Reading readIn(CsvReader& reader, Bytes bytes, const CsvSection& section, std::size_t longest,
               std::uint32_t seed) {
  Reading reading;
  Collector sink(reading.cells);
  reader.begin(section);
  for (Bytes rest = bytes; !rest.empty() && !reading.status;) {
    seed = seed * 1664525 + 1013904223;
    const std::size_t size = std::min(rest.size(), 1 + (seed >> 8) % longest);
    // A copy of its own size, so that reading beyond a piece is found.
    const std::vector<std::uint8_t> piece(rest.begin(), rest.begin() + std::ptrdiff_t(size));
    reading.status = reader.push(piece, sink);
    rest = rest.subspan(size);
  }
  if (!reading.status) reading.status = reader.end(sink);
  reading.progress = reader.progress();
  reading.to_check = reader.toCheck();
  return reading;
}

void requireSame(const Reading& a, const Reading& b) {
  require(a.status.has_value() == b.status.has_value(), "one reading failed and one did not");
  if (a.status) {
    require(a.status->code == b.status->code, "the readings failed differently");
    require(a.status->row == b.status->row && a.status->column == b.status->column,
            "the readings failed at different cells");
  }
  const std::size_t bytes = a.cells.size() * sizeof(double);
  require(a.cells.size() == b.cells.size(), "the readings have different numbers of cells");
  require(bytes == 0 || std::memcmp(a.cells.data(), b.cells.data(), bytes) == 0,
          "the readings have different cells");
}

// The file in two sections: accepted only if the second begins where the first ended.
void readSections(CsvReader& reader, Bytes rows, std::uint64_t from, const Reading& whole,
                  std::uint32_t seed) {
  if (whole.status || rows.size() < 2) return;
  const std::size_t cut = 1 + seed % (rows.size() - 1);
  const Reading first = readIn(reader, rows, {from, false, from + cut}, rows.size(), seed);
  if (first.status) return;
  const Reading second = readIn(reader, rows.subspan(cut - 1), {from + cut - 1, true}, 7, seed);
  if (second.status || first.progress.end != second.progress.start) return;
  Reading joined;
  joined.cells = first.cells;
  joined.cells.insert(joined.cells.end(), second.cells.begin(), second.cells.end());
  requireSame(whole, joined);
}

void read(Input input) {
  const auto choice = input.take<std::uint8_t>();
  const auto seed = input.take<std::uint32_t>();
  static constexpr char kDelimiters[] = {0, ',', ';', '\t', '|'};
  CsvOptions options;
  options.delimiter = kDelimiters[choice % 5];
  options.mark = (choice & 0x80) != 0 ? DecimalMark::kComma : DecimalMark::kPoint;
  const std::vector<std::string> wanted =
      (choice & 0x40) != 0 ? std::vector<std::string>{"a"} : std::vector<std::string>{"a", "b"};
  const Bytes file = input.rest();
  const auto found = findCsvLayout(file, true, wanted, options);
  if (!found.ok()) return;
  require(found.value().has_value(), "the header of a whole file was not found");
  const CsvLayout& layout = *found.value();
  require(layout.header_bytes <= file.size(), "the header is longer than the file");

  std::vector<CsvColumn> columns(wanted.size());
  columns[0].codes = {-99, 999};
  columns[0].max = 90;
  if (columns.size() > 1) columns[1].levels = {"day", "night", "1"};
  auto created = CsvReader::create(layout, columns, {{-99}, {"NA"}});
  require(created.ok(), "the layout of a header does not suit its reader");
  CsvReader reader = std::move(created).value();
  const Bytes rows = file.subspan(std::size_t(layout.header_bytes));
  const std::uint64_t from = layout.header_bytes;
  const Reading whole = readIn(reader, rows, {from}, rows.size() + 1, 1);
  requireSame(whole, readIn(reader, rows, {from}, 1 + seed % 20, seed));
  readSections(reader, rows, from, whole, seed);
}

}  // namespace
}  // namespace pm::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pm::fuzz::read({data, size});
  return 0;
}
