#include "core/moments/intake.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/moments/fingerprint.hpp"
#include "core/moments/limits.hpp"
#include "core/moments/quantiser.hpp"
#include "core/moments/row_rules.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Grid steps per row norm: for p, the integer row that serves all levels, or for q.
double gridSteps(const IntakeTerms& terms) {
  const double steps = double(std::uint64_t{1} << terms.bits);
  return terms.adaptive ? steps / terms.ladder.multiples[0] : steps;
}

// Whether a row is close to the sphere, as every clipped row is: it is at most 3 sqrt 1000 of at
// least 2^14 steps shorter.
bool onSphere(std::uint64_t squared, int bits) {
  const std::uint64_t limit = std::uint64_t{1} << (2 * bits);
  return squared >= limit - limit / 64;
}

std::uint64_t fingerprintOf(const IntakeTerms& terms) {
  Fingerprint print;
  print.mixColumns(terms.columns);
  print.mixReal(terms.row_norm);
  print.mix(std::uint64_t(terms.missing));
  print.mix(std::uint64_t(terms.neighbours));
  print.mix(std::uint64_t(terms.bits));
  print.mix(terms.max_rows);
  print.mix(std::uint64_t(terms.constant));
  print.mix(terms.adaptive);
  for (int level = 0; level < terms.ladder.levels; ++level) {
    print.mix(std::uint64_t(terms.ladder.multiples[std::size_t(level)]));
  }
  for (const double centre : terms.centre) print.mixReal(centre);
  for (const double scale : terms.scale) print.mixReal(scale);
  return print.value();
}

}  // namespace

Result<Intake> Intake::create(IntakeTerms terms) {
  if (!(terms.row_norm > 0) || !std::isfinite(terms.row_norm)) {
    return Error{Code::kInvalidRowNorm, "rowNorm must be a finite number above 0", "rowNorm"};
  }
  if (const Status wrong = checkMissingRule(terms.missing, terms.neighbours)) return *wrong;
  Result<RowEncoder> encoder = RowEncoder::create(terms.columns, marksGaps(terms.missing));
  if (!encoder.ok()) return encoder.error();
  const std::size_t features = std::size_t(encoder.value().marks());
  if (countsGaps(terms.missing) && terms.centre.empty()) {
    return Error{Code::kInvalidMissingRule,
                 "mean needs private centring, whose survey has the means; use pairwise",
                 "missing"};
  }
  if (terms.centre.size() != terms.scale.size() ||
      (!terms.centre.empty() && terms.centre.size() != features)) {
    return Error{Code::kWrongLength, "centre and scale need a number for each feature", "centre"};
  }
  for (std::size_t j = 0; j < terms.centre.size(); ++j) {
    if (!(std::abs(terms.centre[j]) <= 1) || !(terms.scale[j] > 0) || !(terms.scale[j] <= 1)) {
      return Error{Code::kInvalidBounds,
                   "a centre lies between -1 and 1, and a scale above 0 and at most at 1",
                   "centre"};
    }
  }
  if (!terms.centre.empty()) {
    terms.centre.resize(std::size_t(encoder.value().features()), 0);
    terms.scale.resize(terms.centre.size(), 1);
  }
  return Intake(std::move(terms), std::move(encoder).value());
}

Intake::Intake(IntakeTerms terms, RowEncoder encoder)
    : terms_(std::move(terms)),
      fingerprint_(fingerprintOf(terms_)),
      encoder_(std::move(encoder)),
      short_rows_(encoder_, {.row_norm = terms_.row_norm,
                             .steps = gridSteps(terms_),
                             .centre = terms_.centre,
                             .scale = terms_.scale}),
      scaled_(std::size_t(encoder_.features())),
      quantised_(scaled_.size()) {
  counts_.columns.resize(std::size_t(encoder_.columns()));
  grams_.resize(terms_.adaptive ? 2 * levels() : 1);
  for (std::size_t level = 0; level < levels(); ++level) {
    const std::uint64_t multiple = std::uint64_t(terms_.ladder.multiples[level]);
    longest_.push_back((std::uint64_t{1} << (2 * terms_.bits)) / (multiple * multiple));
  }
}

// The factor by which a slot's rows are multiplied at a level, 0 if they do not count. A fixed norm
// has one slot and level 0.
int Intake::multipleAt(std::size_t slot, int level) const {
  if (!terms_.adaptive) return 1;
  if (slot < unclipped(1)) return slot <= std::size_t(level) ? 1 : 0;
  return slot > unclipped(std::size_t(level)) ? terms_.ladder.multiples[std::size_t(level)] : 0;
}

// Whether the rows of all slots are consistent with the counts: a row that is clipped from level k
// > 0 on is in two slots, as it is and clipped.
bool Intake::rowsAddUp(const IntakePart& part) const {
  const IntakeCounts& counts = part.counts;
  if (!terms_.adaptive) return part.sums[0].rows == counts.used;
  Uint128 rows = part.sums[clipped(0)].rows;
  for (std::size_t k = 1; k <= levels(); ++k) {
    if (k < levels()) {
      if (counts.longer[k] != rows + part.sums[clipped(k)].rows) return false;
      if (part.sums[clipped(k)].rows != part.sums[unclipped(k)].rows) return false;
    }
    rows += part.sums[unclipped(k)].rows;
  }
  return rows == counts.used;
}

ExactGram& Intake::gram(std::size_t slot) {
  if (!grams_[slot]) {
    grams_[slot] = std::make_unique<ExactGram>(encoder_.features(), terms_.bits, terms_.constant);
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
  const Result<RowUse> use = encodeByRule(encoder_, terms_.missing, cells, scaled_, counts_);
  if (!use.ok()) return use.error();
  if (use.value() == RowUse::kDropped) return std::nullopt;
  if (use.value() == RowUse::kWhole) moveToCentre(cells);
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

void Intake::moveToCentre(std::span<const double> cells) {
  for (std::size_t j = 0; j < terms_.centre.size(); ++j) {
    scaled_[j] = (scaled_[j] - terms_.centre[j]) / terms_.scale[j];
  }
  if (!terms_.centre.empty()) clearGaps(cells);
}

// Sets the features of missing cells to the centre.
void Intake::clearGaps(std::span<const double> cells) {
  std::size_t feature = 0;
  for (std::size_t column = 0; column < cells.size(); ++column) {
    const std::size_t count = std::size_t(terms_.columns[column].features());
    if (!std::isfinite(cells[column])) {
      std::fill_n(scaled_.begin() + std::ptrdiff_t(feature), count, 0.0);
    }
    feature += count;
  }
}

void Intake::addClipped() {
  const int bits = terms_.bits;
  if (largestCell(scaled_) <= terms_.row_norm) {
    const std::uint64_t squared = roundRow(scaled_, terms_.row_norm, gridSteps(terms_), quantised_);
    if (squared <= longest_[0]) return addClipped(squared);
  }
  const std::uint64_t squared = quantiseRow(scaled_, terms_.row_norm, bits, quantised_);
  gram(clipped(0)).add(quantised_, squared);
  counts_.longer[0] += isLonger(scaled_, terms_.row_norm);
  for (std::size_t level = 1; level < levels(); ++level) ++counts_.longer[level];
}

// Adds the row p of this squared length. It is unclipped at the levels where m^2 |p|^2 <= 2^2b
// holds in integers, which includes level 0.
void Intake::addClipped(std::uint64_t squared) {
  const int bits = terms_.bits;
  std::size_t level = 1;
  while (level < levels() && squared <= longest_[level]) ++level;
  gram(unclipped(level)).add(quantised_, squared);
  if (level == levels()) return;
  squared = scaleToSphere(quantised_, squared, bits);
  gram(clipped(level)).add(quantised_, squared);
  for (; level < levels(); ++level) ++counts_.longer[level];
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
  const IntakeCounts& counts = part.counts;
  if (part.terms != fingerprint_ || part.sums.size() != grams_.size() ||
      counts.columns.size() != counts_.columns.size() || counts.used > counts.rows) {
    return wrongPart();
  }
  if (counts.used > terms_.max_rows - counts_.used) return tooManyRows();
  for (const GramSums& sums : part.sums) {
    if (!plausible(sums, features(), terms_.bits)) return wrongPart();
  }
  return rowsAddUp(part) ? Status() : Status(wrongPart());
}

Status Intake::merge(const IntakePart& part) {
  if (closed_) return alreadyReleased();
  const Status status = check(part);
  closed_ = status.has_value();
  if (status) return status;
  for (std::size_t slot = 0; slot < grams_.size(); ++slot) {
    if (part.sums[slot].rows > 0) gram(slot).add(part.sums[slot]);
  }
  addCounts(counts_, part.counts);
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
  const Int128 constant = Int128(constantCoordinate(terms_.bits, terms_.constant));
  totals[0] = constant * constant * Int128(counts_.used);
  for (std::size_t slot = 0; slot < grams_.size(); ++slot) {
    const int multiple = multipleAt(slot, level);
    if (!grams_[slot] || multiple == 0) continue;
    if (const Status damaged = grams_[slot]->addTo(totals, multiple)) return *damaged;
  }
  if (unit == Unit::kParticipant && counts_.used > 0) {
    for (Int128& total : totals) total /= Int128(counts_.used);
  }
  return totals;
}

}  // namespace pm
