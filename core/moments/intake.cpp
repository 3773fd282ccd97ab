#include "core/moments/intake.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/moments/limits.hpp"
#include "core/moments/quantiser.hpp"
#include "core/moments/row_rules.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr std::size_t kLevels = kClipLevels;

// The slots of rows that are clipped from level k on: as they are, k = 1 .. kLevels, and clipped, k
// = 0 .. kLevels - 1.
constexpr std::size_t unclipped(std::size_t k) { return kLevels + k - 1; }
constexpr std::size_t clipped(std::size_t k) { return k; }

// The factor by which a slot's rows are multiplied at a level, 0 if they do not count. A fixed norm
// has one slot and level 0.
int multipleAt(std::size_t slot, bool adaptive, int level) {
  if (!adaptive) return 1;
  if (slot < unclipped(1)) return slot <= std::size_t(level) ? 1 : 0;
  return slot > unclipped(std::size_t(level)) ? kClipMultiples[std::size_t(level)] : 0;
}

// Grid steps per row norm: for p, the integer row that serves all levels, or for q.
double gridSteps(int bits, bool adaptive) {
  const double steps = double(std::uint64_t{1} << bits);
  return adaptive ? steps / kClipMultiples[0] : steps;
}

// The largest |p|^2 that is not clipped at a level.
std::uint64_t longestAt(std::size_t level, int bits) {
  const std::uint64_t multiple = std::uint64_t(kClipMultiples[level]);
  return (std::uint64_t{1} << (2 * bits)) / (multiple * multiple);
}

// Whether a row is close to the sphere, as every clipped row is: it is at most 3 sqrt 1000 of at
// least 2^14 steps shorter.
bool onSphere(std::uint64_t squared, int bits) {
  const std::uint64_t limit = std::uint64_t{1} << (2 * bits);
  return squared >= limit - limit / 64;
}

// Whether the rows of all slots are consistent with the counts: a row that is clipped from level k
// > 0 on is in two slots, as it is and clipped.
bool rowsAddUp(const IntakePart& part, bool adaptive) {
  const IntakeCounts& counts = part.counts;
  if (!adaptive) return part.sums[0].rows == counts.used;
  Uint128 rows = part.sums[clipped(0)].rows;
  for (std::size_t k = 1; k <= kLevels; ++k) {
    if (k < kLevels) {
      if (counts.longer[k] != rows + part.sums[clipped(k)].rows) return false;
      if (part.sums[clipped(k)].rows != part.sums[unclipped(k)].rows) return false;
    }
    rows += part.sums[unclipped(k)].rows;
  }
  return rows == counts.used;
}

// FNV-1a over everything that determines how a row is processed.
std::uint64_t fingerprintOf(const IntakeTerms& terms) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&hash](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (word >> 8 * byte & 0xff)) * 0x100000001b3;
  };
  const auto mix_real = [&mix](double real) {
    std::uint64_t bits;
    std::memcpy(&bits, &real, sizeof bits);  // Emscripten's library has no std::bit_cast yet
    mix(bits);
  };
  for (const Column& column : terms.columns) {
    mix(std::uint64_t(column.kind));
    mix_real(column.min);
    mix_real(column.max);
    mix(std::uint64_t(column.levels));
  }
  mix_real(terms.row_norm);
  mix(std::uint64_t(terms.missing));
  mix(std::uint64_t(terms.neighbours));
  mix(std::uint64_t(terms.bits));
  mix(terms.max_rows);
  mix(terms.adaptive);
  return hash;
}

}  // namespace

Result<Intake> Intake::create(IntakeTerms terms) {
  if (!(terms.row_norm > 0) || !std::isfinite(terms.row_norm)) {
    return Error{Code::kInvalidRowNorm, "rowNorm must be a finite number above 0", "rowNorm"};
  }
  if (terms.missing == MissingRule::kDrop && terms.neighbours == Neighbours::kReplaceOne) {
    return Error{Code::kInvalidMissingRule,
                 "dropping rows changes their number, which is public under replace-one; use "
                 "centre or error",
                 "missing"};
  }
  Result<RowEncoder> encoder = RowEncoder::create(terms.columns);
  if (!encoder.ok()) return encoder.error();
  return Intake(std::move(terms), std::move(encoder).value());
}

Intake::Intake(IntakeTerms terms, RowEncoder encoder)
    : terms_(std::move(terms)),
      fingerprint_(fingerprintOf(terms_)),
      encoder_(std::move(encoder)),
      short_rows_(encoder_, terms_.row_norm, gridSteps(terms_.bits, terms_.adaptive)),
      scaled_(std::size_t(encoder_.features())),
      quantised_(scaled_.size()) {
  counts_.columns.resize(std::size_t(encoder_.columns()));
  grams_.resize(terms_.adaptive ? 2 * kLevels : 1);
}

ExactGram& Intake::gram(std::size_t slot) {
  if (!grams_[slot]) {
    grams_[slot] = std::make_unique<ExactGram>(encoder_.features(), terms_.bits);
  }
  return *grams_[slot];
}

Status Intake::add(std::span<const double> cells) {
  if (closed_) return alreadyReleased();
  const std::size_t width = std::size_t(encoder_.columns());
  Status status;
  if (cells.size() % width != 0) status = notWholeRows();
  for (std::size_t at = 0; !status && at < cells.size(); at += width) {
    if (!addShort(cells.data() + at)) status = addRow(cells.subspan(at, width));
  }
  wipe(scaled_.data(), scaled_.size() * sizeof(double));
  wipe(quantised_.data(), quantised_.size() * sizeof(double));
  closed_ = status.has_value();
  return status;
}

// Adds a row that ShortRows can quantise, if there is capacity; otherwise returns false and leaves
// the row to addRow.
bool Intake::addShort(const double* cells) {
  if (counts_.used >= terms_.max_rows) return false;
  const double length = short_rows_.quantise(cells, quantised_.data());
  if (length < 0) return false;
  const std::uint64_t squared = std::uint64_t(std::int64_t(length));
  if (terms_.adaptive) {
    addClipped(squared);
  } else {
    gram(0).add(quantised_, squared);
  }
  ++counts_.rows;
  ++counts_.used;
  return true;
}

Status Intake::addRow(std::span<const double> cells) {
  const std::int64_t row = std::int64_t(counts_.rows);
  const Result<bool> encoded = encodeByRule(encoder_, terms_.missing, cells, scaled_, counts_);
  if (!encoded.ok()) return encoded.error();
  if (!encoded.value()) return std::nullopt;
  if (counts_.used >= terms_.max_rows) {
    return tooManyRows(row);
  }
  if (terms_.adaptive) {
    addClipped();
  } else {
    const std::uint64_t squared = quantiseRow(scaled_, terms_.row_norm, terms_.bits, quantised_);
    if (onSphere(squared, terms_.bits)) counts_.longer[0] += isLonger(scaled_, terms_.row_norm);
    gram(0).add(quantised_, squared);
  }
  ++counts_.used;
  return std::nullopt;
}

void Intake::addClipped() {
  const int bits = terms_.bits;
  if (largestCell(scaled_) <= terms_.row_norm) {
    const std::uint64_t squared =
        roundRow(scaled_, terms_.row_norm, gridSteps(bits, true), quantised_);
    if (squared <= longestAt(0, bits)) return addClipped(squared);
  }
  const std::uint64_t squared = quantiseRow(scaled_, terms_.row_norm, bits, quantised_);
  gram(clipped(0)).add(quantised_, squared);
  counts_.longer[0] += isLonger(scaled_, terms_.row_norm);
  for (std::size_t level = 1; level < kLevels; ++level) ++counts_.longer[level];
}

// Adds the row p of this squared length. It is unclipped at the levels where m^2 |p|^2 <= 2^2b
// holds in integers, which includes level 0.
void Intake::addClipped(std::uint64_t squared) {
  const int bits = terms_.bits;
  std::size_t level = 1;
  while (level < kLevels && squared <= longestAt(level, bits)) ++level;
  gram(unclipped(level)).add(quantised_, squared);
  if (level == kLevels) return;
  squared = scaleToSphere(quantised_, squared, bits);
  gram(clipped(level)).add(quantised_, squared);
  for (; level < kLevels; ++level) ++counts_.longer[level];
}

Result<IntakePart> Intake::part() {
  Result<IntakePart> part = sums();
  closed_ = true;
  return part;
}

Result<IntakePart> Intake::sums() {
  if (closed_) return alreadyReleased();
  IntakePart part;
  part.terms = fingerprint_;
  part.counts = counts_;
  part.sums.reserve(grams_.size());
  for (const auto& gram : grams_) {
    Result<GramSums> sums = gram ? gram->sums() : GramSums();
    if (!sums.ok()) return sums.error();
    part.sums.push_back(std::move(sums).value());
  }
  return part;
}

Status Intake::check(const IntakePart& part) const {
  const Error wrong{
      Code::kIntegrity,
      "partial sums are corrupt or belong to another study; start again from the file"};
  const IntakeCounts& counts = part.counts;
  if (part.terms != fingerprint_ || part.sums.size() != grams_.size() ||
      counts.columns.size() != counts_.columns.size() || counts.used > counts.rows) {
    return wrong;
  }
  if (counts.used > terms_.max_rows - counts_.used) return tooManyRows();
  for (const GramSums& sums : part.sums) {
    if (!plausible(sums, features(), terms_.bits)) return wrong;
  }
  return rowsAddUp(part, terms_.adaptive) ? Status() : wrong;
}

Status Intake::merge(const IntakePart& part) {
  if (closed_) return alreadyReleased();
  const Status status = check(part);
  closed_ = status.has_value();
  if (status) return status;
  for (std::size_t slot = 0; slot < grams_.size(); ++slot) {
    if (part.sums[slot].rows > 0) gram(slot).add(part.sums[slot]);
  }
  counts_.rows += part.counts.rows;
  counts_.used += part.counts.used;
  counts_.centred += part.counts.centred;
  counts_.dropped += part.counts.dropped;
  for (std::size_t level = 0; level < counts_.longer.size(); ++level) {
    counts_.longer[level] += part.counts.longer[level];
  }
  for (std::size_t c = 0; c < counts_.columns.size(); ++c) {
    counts_.columns[c].missing += part.counts.columns[c].missing;
    counts_.columns[c].outside += part.counts.columns[c].outside;
  }
  return std::nullopt;
}

Result<std::vector<Int128>> Intake::take(Unit unit, int level) {
  if (closed_) return alreadyReleased();
  // If the number of rows is private, zero rows must not be distinguishable.
  if (counts_.used == 0 && terms_.neighbours == Neighbours::kReplaceOne) return noRows();
  closed_ = true;
  counts_.level = level;
  const std::size_t d = std::size_t(features());
  std::vector<Int128> totals(packedSize(d + 1));
  const Int128 constant = Int128(constantCoordinate(terms_.bits));
  totals[0] = constant * constant * Int128(counts_.used);
  for (std::size_t slot = 0; slot < grams_.size(); ++slot) {
    const int multiple = multipleAt(slot, terms_.adaptive, level);
    if (!grams_[slot] || multiple == 0) continue;
    if (const Status damaged = grams_[slot]->addTo(totals, multiple)) return *damaged;
  }
  if (unit == Unit::kParticipant && counts_.used > 0) {
    for (Int128& total : totals) total /= Int128(counts_.used);
  }
  return totals;
}

}  // namespace pm
