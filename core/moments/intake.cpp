#include "core/moments/intake.hpp"

#include <algorithm>
#include <cmath>
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
    return Error{Code::kTooManyRows, "the study's grid holds no more rows; split the data set",
                 "rows", row};
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
