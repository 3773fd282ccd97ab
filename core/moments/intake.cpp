#include "core/moments/intake.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/moments/fingerprint.hpp"
#include "core/moments/gram_kernel.hpp"
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

std::uint64_t squaredLength(double length) { return std::uint64_t(std::int64_t(length)); }

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
      quantised_(scaled_.size()),
      lengths_(kPanelRows),
      panel_(terms_.adaptive ? tileCount(scaled_.size()) * kTileStride : 0) {
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
  std::size_t rows = 0;
  for (; !status && !cells.empty(); cells = cells.subspan(rows * width)) {
    const std::size_t room = terms_.adaptive ? kPanelRows : gram(0).room();
    rows = std::min(cells.size() / width, room);
    status = addBlock(cells.first(rows * width), rows);
  }
  wipe(scaled_);
  wipe(quantised_);
  closed_ = status.has_value();
  return status;
}

// Adds rows that fit one panel, all at once if ShortRows can quantise all of them.
Status Intake::addBlock(std::span<const double> cells, std::size_t rows) {
  const std::size_t width = cells.size() / rows;
  double* const placed = terms_.adaptive ? panel_.data() : gram(0).nextRows();
  short_rows_.quantise(cells.data(), rows, placed, lengths_.data());
  std::size_t next = 0;
  if (!terms_.adaptive && terms_.max_rows - counts_.used >= rows) {
    std::uint64_t squares = 0;
    for (; next < rows && lengths_[next] >= 0; ++next) squares += squaredLength(lengths_[next]);
    gram(0).addPlaced(next, squares);
    counts_.rows += next;
    counts_.used += next;
  }
  for (; next < rows; ++next) {
    if (lengths_[next] >= 0 && counts_.used < terms_.max_rows) {
      addQuantised(placed + panelIndex(0, next), squaredLength(lengths_[next]));
    } else if (const Status status = addRow(cells.subspan(next * width, width))) {
      return status;
    }
  }
  return std::nullopt;
}

// Adds a row that ShortRows has quantised.
void Intake::addQuantised(const double* row, std::uint64_t squared) {
  if (terms_.adaptive) {
    addClipped(row, squared);
  } else {
    gram(0).addFromPanel(row, squared);
  }
  ++counts_.rows;
  ++counts_.used;
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
    if (squared <= longest_[0]) {
      const std::size_t level = clippedFrom(squared);
      gram(unclipped(level)).add(quantised_, squared);
      return addScaled(level, squared);
    }
  }
  const std::uint64_t squared = quantiseRow(scaled_, terms_.row_norm, bits, quantised_);
  gram(clipped(0)).add(quantised_, squared);
  counts_.longer[0] += isLonger(scaled_, terms_.row_norm);
  countLonger(1);
}

// Adds the row p of this squared length, at most longest_[0], which is in a panel.
void Intake::addClipped(const double* row, std::uint64_t squared) {
  const std::size_t level = clippedFrom(squared);
  gram(unclipped(level)).addFromPanel(row, squared);
  if (level == levels()) return;
  ExactGram& sums = gram(clipped(level));
  const std::uint64_t length = scaleTiles(row, tileCount(quantised_.size()), kTileStride, squared,
                                          terms_.bits, sums.nextRows());
  if (length > std::uint64_t{1} << (2 * terms_.bits)) {
    for (std::size_t j = 0; j < quantised_.size(); ++j) quantised_[j] = row[panelIndex(j, 0)];
    return addScaled(level, squared);
  }
  sums.addPlaced(1, length);
  countLonger(level);
}

// The first level at which the row p of this squared length is clipped: it is unclipped where
// m^2 |p|^2 <= 2^2b holds in integers, which includes level 0.
std::size_t Intake::clippedFrom(std::uint64_t squared) const {
  std::size_t level = 1;
  while (level < levels() && squared <= longest_[level]) ++level;
  return level;
}

// Adds the row p in `quantised_` as it is where it is clipped, from this level on.
void Intake::addScaled(std::size_t level, std::uint64_t squared) {
  if (level == levels()) return;
  squared = scaleToSphere(quantised_, squared, terms_.bits);
  gram(clipped(level)).add(quantised_, squared);
  countLonger(level);
}

// Counts a row that is clipped from this level on.
void Intake::countLonger(std::size_t level) {
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
