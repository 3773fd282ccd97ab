#include "core/moments/survey.hpp"

#include <algorithm>
#include <utility>

#include "core/moments/fingerprint.hpp"
#include "core/moments/gram_kernel.hpp"
#include "core/moments/quantiser.hpp"
#include "core/moments/row_rules.hpp"
#include "core/pair.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// r + H/2 of a number column. q^2 / H, at most 2^16, has 16 bits after the point, so what is added
// decides ties only, and everything is exact. In integers a row of 20 numbers took 2.7 times as
// long in WebAssembly, most of it for conversions.
Pair roundedSquare(Pair q) {
  return roundTiesToEven(q * q * broadcast(1 / double(kSurveySteps)) + broadcast(0x1p-18));
}

std::uint64_t fingerprintOf(const SurveyTerms& terms) {
  Fingerprint fingerprint;
  fingerprint.mixColumns(terms.columns);
  fingerprint.mix(std::uint64_t(terms.missing));
  fingerprint.mix(std::uint64_t(terms.neighbours));
  fingerprint.mix(terms.max_rows);
  return fingerprint.value();
}

std::size_t numberColumns(const RowEncoder& encoder) {
  std::size_t count = 0;
  for (const RowEncoder::Run& run : encoder.runs()) count += run.numbers ? run.columns : 0;
  return count;
}

}  // namespace

SurveyPart::~SurveyPart() { wipe(sums); }

Result<Survey> Survey::create(SurveyTerms terms) {
  if (const Status wrong = checkMissingRule(terms.missing, terms.neighbours)) return *wrong;
  if (const Status wrong = refuseMarks(terms.missing)) return *wrong;
  Result<RowEncoder> encoder = RowEncoder::create(terms.columns, countsGaps(terms.missing));
  if (!encoder.ok()) return encoder.error();
  terms.max_rows = std::min(terms.max_rows, kMaxSurveyRows);
  return Survey(std::move(terms), std::move(encoder).value());
}

Survey::Survey(SurveyTerms terms, RowEncoder encoder)
    : terms_(std::move(terms)),
      fingerprint_(fingerprintOf(terms_)),
      encoder_(std::move(encoder)),
      short_rows_(encoder_, {.row_norm = 1, .steps = double(kSurveySteps), .any_length = true}),
      sums_(1 + std::size_t(encoder_.features()) + numberColumns(encoder_)),
      pending_(sums_.size() - 1),
      scaled_(std::size_t(encoder_.features())),
      quantised_(scaled_.size()),
      lengths_(kPanelRows),
      panel_(tileCount(scaled_.size()) * kTileStride),
      squares_(scaled_.size()) {
  counts_.columns.resize(std::size_t(encoder_.columns()));
  std::size_t square = quantised_.size();
  for (const RowEncoder::Run& run : encoder_.runs()) {
    for (std::size_t c = 0; run.numbers && c < run.columns; ++c) {
      squares_[run.feature + c] = square++;
    }
  }
}

Survey::~Survey() {
  wipe(sums_);
  wipe(pending_);
}

Status Survey::add(std::span<const double> cells) {
  if (closed_) return alreadyReleased();
  const std::size_t width = std::size_t(encoder_.columns());
  Status status;
  if (cells.size() % width != 0) status = notWholeRows();
  for (std::size_t rows = 0; !status && !cells.empty(); cells = cells.subspan(rows * width)) {
    rows = std::min(cells.size() / width, kPanelRows);
    status = addBlock(cells.first(rows * width), rows);
  }
  addPending();
  wipe(scaled_);
  wipe(quantised_);
  closed_ = status.has_value();
  return status;
}

Status Survey::addBlock(std::span<const double> cells, std::size_t rows) {
  const std::size_t width = cells.size() / rows;
  short_rows_.quantise(cells.data(), rows, panel_.data(), lengths_.data());
  const std::uint64_t before = counts_.used;
  for (std::size_t r = 0; r < rows; ++r) {
    if (lengths_[r] >= 0 && counts_.used < terms_.max_rows) {
      ++counts_.rows;
      ++counts_.used;
      continue;
    }
    if (const Status status = quantiseRow(cells.subspan(r * width, width))) return status;
    for (std::size_t j = 0; j < quantised_.size(); ++j) panel_[panelIndex(j, r)] = quantised_[j];
  }
  addPanel(rows);
  pending_rows_ += std::int64_t(counts_.used - before);
  return std::nullopt;
}

// Quantises any row by the rules. All integers of one that is dropped are zero.
Status Survey::quantiseRow(std::span<const double> cells) {
  const std::int64_t row = std::int64_t(counts_.rows);
  const Result<RowUse> use = encodeByRule(encoder_, terms_.missing, cells, scaled_, counts_);
  if (!use.ok()) return use.error();
  std::fill(quantised_.begin(), quantised_.end(), 0.0);
  if (use.value() == RowUse::kDropped) return std::nullopt;
  if (counts_.used >= terms_.max_rows) return tooManyRows(row);
  roundRow(scaled_, 1, double(kSurveySteps), quantised_);
  ++counts_.used;
  return std::nullopt;
}

// Adds the integers in the panel, two features at a time.
void Survey::addPanel(std::size_t rows) {
  const std::size_t features = quantised_.size();
  for (std::size_t j = 0; j < features; j += 2) {
    const double* q = panel_.data() + panelIndex(j, 0);
    Pair sum{}, squares{};
    for (std::size_t r = 0; r < rows; ++r, q += kTile) {
      sum += loadPair(q);
      squares += roundedSquare(loadPair(q));
    }
    for (std::size_t lane = 0; lane < std::min<std::size_t>(2, features - j); ++lane) {
      pending_[j + lane] += sum[lane];
      if (const std::size_t at = squares_[j + lane]) pending_[at] += squares[lane];
    }
  }
}

void Survey::addPending() {
  sums_[0] += pending_rows_ * kSurveySteps;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const bool is_square = i >= quantised_.size();
    sums_[i + 1] +=
        std::int64_t(pending_[i]) - (is_square ? pending_rows_ * (kSurveySteps / 2) : 0);
  }
  if (countsGaps(terms_.missing)) uncountSquares();
  std::fill(pending_.begin(), pending_.end(), 0.0);
  pending_rows_ = 0;
}

// A missing cell has r = 0 instead of -H/2.
void Survey::uncountSquares() {
  std::size_t square = 1 + quantised_.size();
  for (const RowEncoder::Run& run : encoder_.runs()) {
    if (!run.numbers) continue;
    const double* const marks = pending_.data() + encoder_.marks() + run.column;
    for (std::size_t c = 0; c < run.columns; ++c) sums_[square++] += std::int64_t(marks[c]) / 2;
  }
}

Result<SurveyPart> Survey::sums() const {
  if (closed_) return alreadyReleased();
  SurveyPart part;
  part.terms = fingerprint_;
  part.counts = counts_;
  part.sums = sums_;
  return part;
}

Result<SurveyPart> Survey::part() {
  Result<SurveyPart> part = sums();
  closed_ = true;
  return part;
}

Status Survey::check(const SurveyPart& part) const {
  const IntakeCounts& counts = part.counts;
  if (part.terms != fingerprint_ || part.sums.size() != sums_.size() ||
      counts.columns.size() != counts_.columns.size() || counts.used > counts.rows) {
    return wrongPart();
  }
  if (counts.used > terms_.max_rows - counts_.used) return tooManyRows();
  const std::int64_t most = std::int64_t(counts.used) * kSurveySteps;
  if (part.sums[0] != most) return wrongPart();
  for (std::size_t i = 1; i < part.sums.size(); ++i) {
    const std::int64_t bound = i <= scaled_.size() ? most : most / 2;
    if (part.sums[i] > bound || part.sums[i] < -bound) return wrongPart();
  }
  return std::nullopt;
}

Status Survey::merge(const SurveyPart& part) {
  if (closed_) return alreadyReleased();
  const Status status = check(part);
  closed_ = status.has_value();
  if (status) return status;
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += part.sums[i];
  addCounts(counts_, part.counts);
  return std::nullopt;
}

Result<std::vector<std::int64_t>> Survey::take() {
  if (closed_) return alreadyReleased();
  // If the number of rows is private, zero rows must not be distinguishable.
  if (counts_.used == 0 && terms_.neighbours == Neighbours::kReplaceOne) return noRows();
  closed_ = true;
  return std::move(sums_);
}

}  // namespace pm
