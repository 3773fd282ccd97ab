#include "core/synthesis/plan/table.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/moments/quantiser.hpp"
#include "core/moments/row_rules.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

constexpr std::size_t kBlockNumbers = std::size_t{1} << 18;

// Row indices fit into 32 bits.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 31;

Error tooManyRowsFor(SynthesisTask task, std::int64_t row) {
  if (task != SynthesisTask::kSpectrum) return tooManyRows(row);
  return {Code::kTooManyRows,
          "the spectrum task takes at most " + std::to_string(kMaxRowsOfSpectrum) +
              " rows; use the task density, or fewer rows",
          "rows", row};
}

void wipeNumbers(std::vector<double>& numbers) {
  wipe(numbers.data(), numbers.size() * sizeof(double));
}

}  // namespace

IntegerRows::IntegerRows(int width)
    : width_(std::size_t(width)),
      rows_per_block_(std::max<std::size_t>(1, kBlockNumbers / width_)) {}

IntegerRows::~IntegerRows() {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::size_t held = std::min(rows_per_block_, rows_ - i * rows_per_block_);
    wipe(blocks_[i].get(), held * width_ * sizeof(std::int32_t));
  }
}

void IntegerRows::add(std::span<const double> row) {
  const std::size_t place = rows_ % rows_per_block_;
  if (place == 0) {
    // Not zeroed: a table of a few rows would pay for a megabyte.
    blocks_.emplace_back(new std::int32_t[rows_per_block_ * width_]);
  }
  std::int32_t* to = blocks_.back().get() + place * width_;
  for (const double x : row) *to++ = std::int32_t(x);
  ++rows_;
}

Result<SynthesisTable> SynthesisTable::create(SynthesisTerms terms) {
  Result<SynthesisPlan> plan = planSynthesis(terms);
  if (!plan.ok()) return plan.error();
  Result<RowEncoder> encoder = RowEncoder::create(std::move(terms.columns));
  if (!encoder.ok()) return encoder.error();
  return SynthesisTable(std::move(plan).value(), std::move(encoder).value());
}

SynthesisTable::SynthesisTable(SynthesisPlan plan, RowEncoder encoder)
    : plan_(std::move(plan)),
      encoder_(std::move(encoder)),
      label_at_(std::size_t(std::max(plan_.label_feature, 0))),
      label_width_(std::size_t(encoder_.features() - plan_.features)),
      rows_(plan_.features + (plan_.terms.task == SynthesisTask::kRegression), 1),
      scaled_(std::size_t(encoder_.features())),
      features_(std::size_t(plan_.features)),
      quantised_(std::size_t(rows_.values.width())) {
  counts_.columns.resize(plan_.terms.columns.size());
  public_counts_.columns.resize(plan_.terms.columns.size());
}

std::uint64_t SynthesisTable::quantise() {
  const auto label = scaled_.begin() + std::ptrdiff_t(label_at_);
  std::copy(label + std::ptrdiff_t(label_width_), scaled_.end(),
            std::copy(scaled_.begin(), label, features_.begin()));
  const std::uint64_t squared =
      quantiseRow(features_, plan_.unit, kRowBits, std::span(quantised_).first(features_.size()));
  if (plan_.terms.task == SynthesisTask::kRegression) {
    quantised_.back() = std::nearbyint(std::ldexp(*label, kRowBits));
  }
  return squared;
}

Status SynthesisTable::add(std::span<const double> cells) {
  if (closed_) return alreadyReleased();
  const std::size_t width = plan_.terms.columns.size();
  Status status;
  if (cells.size() % width != 0) status = notWholeRows();
  for (std::size_t at = 0; !status && at < cells.size(); at += width) {
    status = addRow(cells.subspan(at, width));
  }
  for (std::vector<double>* numbers : {&scaled_, &features_, &quantised_}) wipeNumbers(*numbers);
  closed_ = status.has_value();
  return status;
}

Status SynthesisTable::addRow(std::span<const double> cells) {
  const Result<RowUse> use = encodeByRule(encoder_, plan_.terms.missing, cells, scaled_, counts_);
  if (!use.ok()) return use.error();
  if (counts_.used >= (plan_.spectrum ? kMaxRowsOfSpectrum : kMostRows)) {
    return tooManyRowsFor(plan_.terms.task, std::int64_t(counts_.rows) - 1);
  }
  quantise();
  counts_.longer[0] += isLonger(features_, plan_.unit);
  rows_.values.add(quantised_);
  if (plan_.classes > 0) {
    // A centred row is in no class, unless classes are public; then it must stay in its own.
    const bool whole = use.value() == RowUse::kWhole || plan_.terms.labels_public;
    const double cell = cells[std::size_t(plan_.terms.label)];
    const double level = whole && std::isfinite(cell) ? cell : -1;
    rows_.classes.add(std::span(&level, 1));
  }
  ++counts_.used;
  return {};
}

Status SynthesisTable::addPublic(std::span<const double> cells) {
  if (plan_.terms.projection.source != ProjectionSource::kPublic) {
    return Error{Code::kInvalidSynthesis, "the projection of this study does not use public rows",
                 "projection"};
  }
  const std::size_t width = plan_.terms.columns.size();
  if (cells.size() % width != 0) return notWholeRows();
  if (!public_) public_ = std::make_unique<ExactGram>(plan_.features, kRowBits);
  for (std::size_t at = 0; at < cells.size(); at += width) {
    const Result<RowUse> use = encodeByRule(encoder_, plan_.terms.missing, cells.subspan(at, width),
                                            scaled_, public_counts_);
    if (!use.ok()) return use.error();
    const std::uint64_t squared = quantise();
    public_->add(std::span(quantised_).first(features_.size()), squared);
  }
  return {};
}

Result<SynthesisTable::Rows> SynthesisTable::take() {
  if (closed_) return alreadyReleased();
  if (counts_.used == 0) return noRows();
  closed_ = true;
  return std::move(rows_);
}

Result<GramSums> SynthesisTable::publicSums() {
  if (!public_ || public_->rows() == 0) {
    return Error{Code::kNoRows, "the projection needs public rows", "projection"};
  }
  return public_->sums();
}

}  // namespace pm
