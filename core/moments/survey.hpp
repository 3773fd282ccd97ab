#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/moments/encoding.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/short_rows.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/result.hpp"
#include "core/wipe.hpp"

namespace pm {

/// Bits of the survey's grid: H = 2^16 steps per scaled unit.
constexpr int kSurveyBits = 16;
constexpr std::int64_t kSurveySteps = std::int64_t{1} << kSurveyBits;

/// Maximum number of rows of a survey. No sum exceeds 2^52, so sums are exact in doubles too.
constexpr std::uint64_t kMaxSurveyRows = std::uint64_t{1} << 36;

/// The public terms of a survey.
struct SurveyTerms {
  std::vector<Column> columns;
  MissingRule missing;
  Neighbours neighbours;
  std::uint64_t max_rows;  ///< limit of the plan; kMaxSurveyRows applies if it is larger
};

/// The exact sums of one survey, to be merged into another; as private as the rows, wiped on
/// destruction.
struct SurveyPart {
  SurveyPart() = default;
  SurveyPart(SurveyPart&&) = default;
  ~SurveyPart();

  std::uint64_t terms = 0;  ///< fingerprint of the terms
  IntakeCounts counts;
  std::vector<std::int64_t> sums;  ///< as `Survey::take` returns them
};

/// Exact sums and sums of squares of the columns, in steps of 1/H scaled units (see RowEncoder).
/// For every feature, q is the nearest integer to x H, ties to even, so |q| <= H. For every number
/// column, r is q^2 / H rounded to the nearest integer, halves up, less H/2: the square in the same
/// units, moved so that |r| <= H/2. A category has no r, as an indicator is its own square. Centred
/// rows (MissingRule::kCentre) have q = 0 and r = -H/2, like any row at the centre. Where gaps are
/// counted (MissingRule::kMean) a missing cell has q = r = 0, and its column's count gets H. The
/// only outputs that depend on the rows are the local counts and, for a mechanism or another
/// survey, the sums.
class Survey {
 public:
  /// Errors: kInvalidBounds, kInvalidLevels, kInvalidDimension, kInvalidMissingRule (drop under
  /// replace-one would change the public number of rows; pairwise).
  static Result<Survey> create(SurveyTerms terms);

  ~Survey();
  Survey(Survey&&) = default;
  Survey& operator=(Survey&&) = delete;

  int features() const { return encoder_.marks(); }
  const IntakeCounts& counts() const { return counts_; }

  /// Adds rows, row-major, one number per column (see RowEncoder::encode). On an error no later row
  /// is read and the survey is closed. Errors: kWrongLength, kMissingCell and kInvalidLevel (row
  /// and column, counted from the first row received), kTooManyRows, kAlreadyReleased (after take,
  /// part or an error).
  Status add(std::span<const double> cells);

  /// The sums of all rows so far, for a keyed digest of the data; the survey stays open.
  /// Error: kAlreadyReleased.
  Result<SurveyPart> sums() const;

  /// The same, for `merge` of another survey on the same terms; can be called once. Error:
  /// kAlreadyReleased.
  Result<SurveyPart> part();

  /// Adds the rows of another survey. The sums do not depend on how rows are split among surveys.
  /// On an error nothing is added and the survey is closed. Errors: kIntegrity for a part of other
  /// terms, or an inconsistent one; kTooManyRows; kAlreadyReleased.
  Status merge(const SurveyPart& part);

  /// The sums of all rows used; can be called once. First the number of rows times H, then the sum
  /// of q of each feature, where gaps are counted H times the missing cells of each column, then
  /// the sum of r of each number column, in the order of the columns. Without rows all are zero.
  /// Errors: kNoRows under replace-one, where the number of rows is public; kAlreadyReleased.
  Result<std::vector<std::int64_t>> take();

 private:
  Survey(SurveyTerms terms, RowEncoder encoder);
  Status addBlock(std::span<const double> cells, std::size_t rows);
  Status quantiseRow(std::span<const double> cells);
  void addPanel(std::size_t rows);
  void addPending();
  void uncountSquares();
  Status check(const SurveyPart& part) const;

  SurveyTerms terms_;
  std::uint64_t fingerprint_;
  RowEncoder encoder_;
  ShortRows short_rows_;
  std::vector<std::int64_t> sums_;  ///< as `take` returns them
  /// The sums of the rows of one `add` without their number, whole numbers within 2^53, and with
  /// r + H/2 for r.
  std::vector<double> pending_;
  std::int64_t pending_rows_ = 0;
  IntakeCounts counts_;
  std::vector<double> scaled_;
  std::vector<double> quantised_;
  PrivateNumbers lengths_;            ///< squared, of the rows of a block
  PrivateNumbers panel_;              ///< the integers of the rows of a block
  std::vector<std::size_t> squares_;  ///< by feature, the place of its r in `pending_`, or 0
  bool closed_ = false;
};

}  // namespace pm
