#include "core/moments/intake.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/moments/quantiser.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// A row on the sphere may exceed the norm by rounding; only longer rows were really shortened.
constexpr double kRowNormTolerance = 1 + 1e-9;

Error alreadyReleased() {
  return {Code::kAlreadyReleased,
          "these rows were released, or refused, before; start again from the file"};
}

Error tooManyRows(std::int64_t row = -1) {
  return {Code::kTooManyRows, "the study's grid holds no more rows; split the data set", "rows",
          row};
}

// FNV-1a over everything that decides what a row becomes.
std::uint64_t fingerprintOf(const IntakeTerms& terms) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&hash](std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (word >> 8 * byte & 0xff)) * 0x100000001b3;
  };
  const auto mixReal = [&mix](double real) {
    std::uint64_t bits;
    std::memcpy(&bits, &real, sizeof bits);  // Emscripten's library has no std::bit_cast yet
    mix(bits);
  };
  for (const Column& column : terms.columns) {
    mix(std::uint64_t(column.kind));
    mixReal(column.min);
    mixReal(column.max);
    mix(std::uint64_t(column.levels));
  }
  mixReal(terms.row_norm);
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
      scaled_(std::size_t(encoder_.features())),
      quantised_(scaled_.size()) {
  counts_.columns.resize(std::size_t(encoder_.columns()));
  const int levels = terms_.adaptive ? kClipLevels : 1;
  grams_.reserve(std::size_t(levels));
  for (int level = 0; level < levels; ++level) {
    grams_.emplace_back(encoder_.features(), terms_.bits);
  }
}

Status Intake::add(std::span<const double> cells) {
  if (closed_) return alreadyReleased();
  const std::size_t width = std::size_t(encoder_.columns());
  Status status;
  if (cells.size() % width != 0) {
    status = Error{Code::kWrongLength, "the values do not fill whole rows of the study's columns",
                   "values"};
  }
  for (std::size_t at = 0; !status && at < cells.size(); at += width) {
    status = addRow(cells.subspan(at, width));
  }
  wipe(scaled_.data(), scaled_.size() * sizeof(double));
  wipe(quantised_.data(), quantised_.size() * sizeof(double));
  closed_ = status.has_value();
  return status;
}

Status Intake::addRow(std::span<const double> cells) {
  const std::int64_t row = std::int64_t(counts_.rows);
  Result<int> encoded = encoder_.encode(cells, scaled_, counts_.columns);
  if (!encoded.ok()) {
    Error error = encoded.error();
    error.row = row;
    return error;
  }
  ++counts_.rows;
  if (const int missing = encoded.value(); missing >= 0) {
    switch (terms_.missing) {
      case MissingRule::kError:
        return Error{Code::kMissingCell,
                     "a cell is missing or unreadable, and this study refuses such rows", "", row,
                     missing};
      case MissingRule::kDrop: ++counts_.dropped; return std::nullopt;
      case MissingRule::kCentre: ++counts_.centred; std::fill(scaled_.begin(), scaled_.end(), 0.0);
    }
  }
  if (counts_.used >= terms_.max_rows) {
    return tooManyRows(row);
  }
  double length = 0;
  for (const double z : scaled_) length += z * z;
  length = std::sqrt(length);
  for (std::size_t level = 0; level < grams_.size(); ++level) {
    const double radius = clipRadius(terms_.row_norm, int(level));
    if (length > radius * kRowNormTolerance) ++counts_.longer[level];
    const std::uint64_t squared = quantiseRow(scaled_, radius, terms_.bits, quantised_);
    grams_[level].add(quantised_, squared);
  }
  ++counts_.used;
  return std::nullopt;
}

Result<IntakePart> Intake::part() {
  if (closed_) return alreadyReleased();
  closed_ = true;
  IntakePart part;
  part.terms = fingerprint_;
  part.counts = counts_;
  part.sums.reserve(grams_.size());
  for (ExactGram& gram : grams_) {
    Result<GramSums> sums = gram.sums();
    if (!sums.ok()) return sums.error();
    part.sums.push_back(std::move(sums).value());
  }
  return part;
}

Status Intake::check(const IntakePart& part) const {
  const Error wrong{Code::kIntegrity,
                    "partial sums are damaged or were made on other terms: do not use them"};
  const IntakeCounts& counts = part.counts;
  if (part.terms != fingerprint_ || part.sums.size() != grams_.size() ||
      counts.columns.size() != counts_.columns.size() || counts.used > counts.rows) {
    return wrong;
  }
  if (counts.used > terms_.max_rows - counts_.used) return tooManyRows();
  for (const GramSums& sums : part.sums) {
    if (sums.rows != counts.used || !plausible(sums, features(), terms_.bits)) return wrong;
  }
  return std::nullopt;
}

Status Intake::merge(const IntakePart& part) {
  if (closed_) return alreadyReleased();
  const Status status = check(part);
  closed_ = status.has_value();
  if (status) return status;
  for (std::size_t i = 0; i < grams_.size(); ++i) grams_[i].add(part.sums[i]);
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
  if (counts_.used == 0) {
    return Error{Code::kNoRows, "there are no rows to release", "rows"};
  }
  closed_ = true;
  counts_.level = level;
  Result<std::vector<Int128>> totals = grams_[std::size_t(level)].totals();
  if (totals.ok() && unit == Unit::kParticipant) {
    for (Int128& total : totals.value()) total /= Int128(counts_.used);
  }
  return totals;
}

}  // namespace pm
