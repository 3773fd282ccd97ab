#include "core/moments/part_bytes.hpp"

#include <cstring>

namespace pm {
namespace {

// The first word identifies the format.
constexpr std::uint64_t kFormat = 0x3274726170'6d70;  // "pmpart2"

constexpr std::size_t kCountWords = 4 + kMostClipLevels;

std::size_t bytesNeeded(const IntakePart& part) {
  std::size_t words = 2 + kCountWords + 1 + 2 * part.counts.columns.size() + 1;
  for (const GramSums& sums : part.sums) words += 4 + 2 * sums.packed.size();
  return 8 * words;
}

class Writer {
 public:
  explicit Writer(std::uint8_t* at) : at_(at) {}
  void word(std::uint64_t value) { put(&value, sizeof value); }
  void wide(Uint128 value) { put(&value, sizeof value); }

 private:
  void put(const void* value, std::size_t size) {
    std::memcpy(at_, value, size);
    at_ += size;
  }
  std::uint8_t* at_;
};

// Beyond the end it returns zeros and good() is false.
class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
  bool good() const { return good_; }
  std::size_t left() const { return rest_.size(); }
  std::uint64_t word() { return get<std::uint64_t>(); }
  Uint128 wide() { return get<Uint128>(); }

 private:
  template <class T>
  T get() {
    T value = 0;
    if (rest_.size() < sizeof value) {
      good_ = false;
      rest_ = {};
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  std::span<const std::uint8_t> rest_;
  bool good_ = true;
};

}  // namespace

std::vector<std::uint8_t> bytesOf(const IntakePart& part) {
  std::vector<std::uint8_t> bytes(bytesNeeded(part));
  Writer out(bytes.data());
  const IntakeCounts& counts = part.counts;
  out.word(kFormat);
  out.word(part.terms);
  for (const std::uint64_t count : {counts.rows, counts.used, counts.centred, counts.dropped}) {
    out.word(count);
  }
  for (const std::uint64_t count : counts.longer) out.word(count);
  out.word(counts.columns.size());
  for (const ColumnCounts& column : counts.columns) {
    out.word(column.missing);
    out.word(column.outside);
  }
  out.word(part.sums.size());
  for (const GramSums& sums : part.sums) {
    out.word(sums.rows);
    out.wide(sums.trace);
    out.word(sums.packed.size());
    for (const Int128 entry : sums.packed) out.wide(Uint128(entry));
  }
  return bytes;
}

Result<IntakePart> partOf(std::span<const std::uint8_t> bytes) {
  const Error wrong{Code::kIntegrity,
                    "the bytes are not partial sums of this version; start again from the file"};
  Reader in(bytes);
  if (in.word() != kFormat) return wrong;
  IntakePart part;
  part.terms = in.word();
  IntakeCounts& counts = part.counts;
  for (std::uint64_t* count : {&counts.rows, &counts.used, &counts.centred, &counts.dropped}) {
    *count = in.word();
  }
  for (std::uint64_t& count : counts.longer) count = in.word();
  // Check lengths before allocating memory for them.
  const std::uint64_t columns = in.word();
  if (columns > in.left() / 16) return wrong;
  counts.columns.resize(std::size_t(columns));
  for (ColumnCounts& column : counts.columns) {
    column.missing = in.word();
    column.outside = in.word();
  }
  const std::uint64_t grams = in.word();
  if (grams > in.left() / 32) return wrong;
  part.sums.resize(std::size_t(grams));
  for (GramSums& sums : part.sums) {
    sums.rows = in.word();
    sums.trace = in.wide();
    const std::uint64_t entries = in.word();
    if (entries > in.left() / 16) return wrong;
    sums.packed.resize(std::size_t(entries));
    for (Int128& entry : sums.packed) entry = Int128(in.wide());
  }
  if (!in.good() || in.left() != 0) return wrong;
  return part;
}

}  // namespace pm
