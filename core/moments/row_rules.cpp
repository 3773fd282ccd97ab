#include "core/moments/row_rules.hpp"

#include <algorithm>
#include <cmath>

namespace pm {
namespace {

// A row on the sphere may exceed the norm by rounding; only longer rows count as clipped.
constexpr double kRowNormTolerance = 1 + 1e-9;

}  // namespace

Status checkMissingRule(MissingRule rule, Neighbours neighbours) {
  if (rule != MissingRule::kDrop || neighbours != Neighbours::kReplaceOne) return std::nullopt;
  return Error{Code::kInvalidMissingRule,
               "dropping rows changes their number, which is public under replace-one; use "
               "centre or error",
               "missing"};
}

Status refuseMarks(MissingRule rule) {
  if (!marksGaps(rule)) return std::nullopt;
  return Error{Code::kInvalidMissingRule,
               "pairwise is for second moments without private centring; use mean, centre or error",
               "missing"};
}

Status refusePartialRows(MissingRule rule) {
  if (!marksGaps(rule) && !countsGaps(rule)) return std::nullopt;
  return Error{Code::kInvalidMissingRule,
               "pairwise and mean are for second moments; use centre or error", "missing"};
}

Result<RowUse> encodeByRule(const RowEncoder& encoder, MissingRule rule,
                            std::span<const double> cells, std::span<double> scaled,
                            IntakeCounts& counts) {
  const std::int64_t row = std::int64_t(counts.rows);
  const Result<int> encoded = encoder.encode(cells, scaled, counts.columns);
  if (!encoded.ok()) {
    Error error = encoded.error();
    error.row = row;
    return error;
  }
  ++counts.rows;
  if (const int missing = encoded.value(); missing >= 0) {
    switch (rule) {
      case MissingRule::kError:
        return Error{
            Code::kMissingCell,
            "a cell is missing or unreadable, and this study does not accept rows with gaps", "",
            row, missing};
      case MissingRule::kDrop: ++counts.dropped; return RowUse::kDropped;
      case MissingRule::kCentre:
        ++counts.centred;
        std::fill(scaled.begin(), scaled.end(), 0.0);
        return RowUse::kCentred;
      case MissingRule::kPairwise:
      case MissingRule::kMean: break;
    }
  }
  return RowUse::kWhole;
}

bool isLonger(std::span<const double> row, double row_norm) {
  double square = 0;
  for (const double z : row) square += z * z;
  return std::sqrt(square) > row_norm * kRowNormTolerance;
}

void addCounts(IntakeCounts& counts, const IntakeCounts& more) {
  counts.rows += more.rows;
  counts.used += more.used;
  counts.centred += more.centred;
  counts.dropped += more.dropped;
  for (std::size_t level = 0; level < counts.longer.size(); ++level) {
    counts.longer[level] += more.longer[level];
  }
  for (std::size_t c = 0; c < counts.columns.size(); ++c) {
    counts.columns[c].missing += more.columns[c].missing;
    counts.columns[c].outside += more.columns[c].outside;
  }
}

Error alreadyReleased() {
  return {Code::kAlreadyReleased,
          "these rows have already been released or rejected; start again from the file"};
}

Error notWholeRows() {
  return {Code::kWrongLength, "the values do not fill whole rows of the study's columns", "values"};
}

Error noRows() { return {Code::kNoRows, "there are no rows to release", "rows"}; }

Error tooManyRows(std::int64_t row) {
  return {Code::kTooManyRows, "the data set has more rows than the study's grid can hold; split it",
          "rows", row};
}

Error wrongPart() {
  return {Code::kIntegrity,
          "partial sums are corrupt or belong to another study; start again from the file"};
}

}  // namespace pm
