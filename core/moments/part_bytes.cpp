#include "core/moments/part_bytes.hpp"

#include <cstring>

namespace pm {
namespace {

// The first word identifies the format.
constexpr std::uint64_t kFormat = 0x3374726170'6d70;          // "pmpart3"
constexpr std::uint64_t kSurveyFormat = 0x327976727573'6d70;  // "pmsurvy2"

constexpr std::size_t kCountWords = 4 + kMostClipLevels;

// Words of the format, the terms and the counts.
std::size_t wordsOfHead(const IntakeCounts& counts) {
  return 2 + kCountWords + 1 + 2 * counts.columns.size();
}

std::size_t bytesNeeded(const IntakePart& part) {
  std::size_t words = wordsOfHead(part.counts) + 1;
  for (const GramSums& sums : part.sums) words += 4 + 2 * sums.packed.size();
  return 8 * words;
}

Error notAPart() {
  return {Code::kIntegrity,
          "the bytes are not partial sums of this version; start again from the file"};
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

void writeHead(Writer& out, std::uint64_t format, std::uint64_t terms, const IntakeCounts& counts) {
  out.word(format);
  out.word(terms);
  for (const std::uint64_t count : {counts.rows, counts.used, counts.centred, counts.dropped}) {
    out.word(count);
  }
  for (const std::uint64_t count : counts.longer) out.word(count);
  out.word(counts.columns.size());
  for (const ColumnCounts& column : counts.columns) {
    out.word(column.missing);
    out.word(column.outside);
  }
}

// Returns whether the bytes may be of this format. Lengths are checked before memory for them is
// allocated.
bool readHead(Reader& in, std::uint64_t format, std::uint64_t& terms, IntakeCounts& counts) {
  if (in.word() != format) return false;
  terms = in.word();
  for (std::uint64_t* count : {&counts.rows, &counts.used, &counts.centred, &counts.dropped}) {
    *count = in.word();
  }
  for (std::uint64_t& count : counts.longer) count = in.word();
  const std::uint64_t columns = in.word();
  if (columns > in.left() / 16) return false;
  counts.columns.resize(std::size_t(columns));
  for (ColumnCounts& column : counts.columns) {
    column.missing = in.word();
    column.outside = in.word();
  }
  return true;
}

}  // namespace

std::vector<std::uint8_t> bytesOf(const IntakePart& part) {
  std::vector<std::uint8_t> bytes(bytesNeeded(part));
  Writer out(bytes.data());
  writeHead(out, kFormat, part.terms, part.counts);
  out.word(part.sums.size());
  for (const GramSums& sums : part.sums) {
    out.word(sums.rows);
    out.wide(sums.trace);
    out.word(sums.packed.size());
    for (const Int128 entry : sums.packed) out.wide(Uint128(entry));
  }
  return bytes;
}

std::vector<std::uint8_t> bytesOf(const SurveyPart& part) {
  std::vector<std::uint8_t> bytes(8 * (wordsOfHead(part.counts) + 1 + part.sums.size()));
  Writer out(bytes.data());
  writeHead(out, kSurveyFormat, part.terms, part.counts);
  out.word(part.sums.size());
  for (const std::int64_t sum : part.sums) out.word(std::uint64_t(sum));
  return bytes;
}

Result<SurveyPart> surveyPartOf(std::span<const std::uint8_t> bytes) {
  Reader in(bytes);
  SurveyPart part;
  if (!readHead(in, kSurveyFormat, part.terms, part.counts)) return notAPart();
  const std::uint64_t sums = in.word();
  if (sums > in.left() / 8) return notAPart();
  part.sums.resize(std::size_t(sums));
  for (std::int64_t& sum : part.sums) sum = std::int64_t(in.word());
  if (!in.good() || in.left() != 0) return notAPart();
  return part;
}

Result<IntakePart> partOf(std::span<const std::uint8_t> bytes) {
  Reader in(bytes);
  IntakePart part;
  if (!readHead(in, kFormat, part.terms, part.counts)) return notAPart();
  const std::uint64_t grams = in.word();
  if (grams > in.left() / 32) return notAPart();
  part.sums.resize(std::size_t(grams));
  for (GramSums& sums : part.sums) {
    sums.rows = in.word();
    sums.trace = in.wide();
    const std::uint64_t entries = in.word();
    if (entries > in.left() / 16) return notAPart();
    sums.packed.resize(std::size_t(entries));
    for (Int128& entry : sums.packed) entry = Int128(in.wide());
  }
  if (!in.good() || in.left() != 0) return notAPart();
  return part;
}

}  // namespace pm
