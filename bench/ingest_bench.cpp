// Speed of the CSV reader, alone and with exact sums, compared with parsing the same numbers
// without a reader. All columns are numeric; all of them are wanted, then few of many. Built
// natively and as WebAssembly.
#include <fast_float/fast_float.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bench/turns.hpp"
#include "core/ingest/csv_layout.hpp"
#include "core/ingest/csv_reader.hpp"
#include "core/moments/intake.hpp"

namespace {

using namespace pm::bench;

constexpr std::size_t kPieceBytes = 1 << 16;

volatile double sink;

class Adder : public pm::RowSink {
 public:
  pm::Status take(std::span<const double> rows) override {
    for (const double cell : rows) sum_ += cell;
    return std::nullopt;
  }
  double sum() const { return sum_; }

 private:
  double sum_ = 0;
};

class Feeder : public pm::RowSink {
 public:
  explicit Feeder(pm::Intake intake) : intake_(std::move(intake)) {}
  pm::Status take(std::span<const double> rows) override { return intake_.add(rows); }

 private:
  pm::Intake intake_;
};

// Header and rows of numbers in -10 .. 10 with six decimals.
std::string madeUpFile(int columns, std::size_t bytes) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-10, 10);
  std::string file;
  for (int i = 0; i < columns; ++i) file += (i > 0 ? ",c" : "c") + std::to_string(i);
  file += '\n';
  char cell[32];
  while (file.size() < bytes) {
    for (int i = 0; i < columns; ++i) {
      std::snprintf(cell, sizeof cell, "%s%.6f", i > 0 ? "," : "", uniform(random));
      file += cell;
    }
    file += '\n';
  }
  return file;
}

pm::Bytes bytesOf(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void read(const std::string& file, const pm::CsvLayout& layout, pm::RowSink& rows) {
  const std::size_t columns = layout.positions.size();
  auto reader = pm::CsvReader::create(layout, std::vector<pm::CsvColumn>(columns));
  const pm::Bytes bytes = bytesOf(file);
  reader.value().begin({layout.header_bytes});
  for (std::size_t at = layout.header_bytes; at < bytes.size(); at += kPieceBytes) {
    const std::size_t count = std::min(kPieceBytes, bytes.size() - at);
    if (reader.value().push(bytes.subspan(at, count), rows)) std::abort();
  }
  if (reader.value().end(rows)) std::abort();
}

double numbersAlone(const std::string& file, std::size_t start) {
  double sum = 0;
  const char* at = file.data() + start;
  const char* const end = file.data() + file.size();
  while (at < end) {
    double value = 0;
    at = fast_float::from_chars(at, end, value).ptr + 1;
    sum += value;
  }
  return sum;
}

void measure(int columns, int wanted, std::size_t bytes) {
  const std::string file = madeUpFile(columns, bytes);
  std::vector<std::string> names;
  pm::IntakeTerms terms{};
  for (int i = 0; i < wanted; ++i) {
    names.emplace_back("c").append(std::to_string(i * (columns / wanted)));
    terms.columns.push_back({pm::Column::Kind::kNumber, -10, 10, 0});
  }
  terms.row_norm = 3;
  terms.bits = 20;
  terms.max_rows = std::uint64_t(1) << 40;
  const pm::CsvLayout layout = *pm::findCsvLayout(bytesOf(file), true, names, {}).value();
  const std::vector<double> best = bestOf([&] { sink = numbersAlone(file, layout.header_bytes); },
                                          [&] {
                                            Adder adder;
                                            read(file, layout, adder);
                                            sink = adder.sum();
                                          },
                                          [&] {
                                            Feeder feeder(pm::Intake::create(terms).value());
                                            read(file, layout, feeder);
                                          });
  const double megabytes = double(file.size()) * 1e-6;
  std::printf("%6d %6d %8.0f %10.0f %10.0f %10.0f\n", columns, wanted, megabytes,
              megabytes / best[0], megabytes / best[1], megabytes / best[2]);
}

}  // namespace

int main() {
  std::printf("CSV, MB/s on one core, best of %d\n", kRepetitions);
  std::printf("%6s %6s %8s %10s %10s %10s\n", "fields", "wanted", "MB", "numbers", "reader",
              "with sums");
  constexpr std::size_t kBytes = 20'000'000;
  measure(20, 20, kBytes);
  measure(20, 4, kBytes);
  measure(100, 100, kBytes);
  measure(2000, 20, kBytes);
  return 0;
}
