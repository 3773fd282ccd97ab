#include "core/mechanisms/release.hpp"

#include <cmath>
#include <utility>

#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/seeding.hpp"
#include "core/wipe.hpp"

namespace pm {

IntakeTerms intakeTerms(const Plan& plan, std::vector<Column> columns, MissingRule missing) {
  IntakeTerms terms{};
  terms.columns = std::move(columns);
  terms.row_norm = plan.params.row_norm;
  terms.missing = missing;
  terms.neighbours = plan.params.neighbours;
  terms.bits = plan.bits;
  terms.max_rows = plan.max_rows;
  terms.constant = plan.params.constant;
  terms.adaptive = plan.clip_width > 0;
  return terms;
}

ReleaseScale releaseScale(const Plan& plan, double radius) {
  const double grid = std::ldexp(radius * radius, -2 * plan.bits);
  return {radius,
          std::ldexp(grid, plan.release_shift),
          std::ldexp(double(plan.constant), -plan.bits) * radius,
          plan.noise_mean * grid,
          plan.sd_diagonal * grid,
          plan.sd_off_diagonal * grid};
}

Result<Released> release(const Plan& plan, Intake& intake, EntropySource source) {
  if (plan.release == nullptr) {
    return Error{Code::kInvalidFederation,
                 "the noise of one site alone is too small; release with a mask",
                 "federation.mode"};
  }
  std::optional<Drbg> random;
  if (const Status failed = seedRelease(plan, source, random)) return *failed;
  if (plan.clip_width > 0) stirCounts(intake.counts(), *random);

  const std::uint64_t rows = intake.counts().used;
  Released released;
  if (plan.params.neighbours == Neighbours::kReplaceOne) {
    released.rows = plan.params.unit == Unit::kRow ? rows : 1;
  }
  if (plan.survey_width > 0) {
    released.clip_counts = noisyRungCounts(plan, intake.ladder(), intake.counts(), *random);
    released.clip_level = chooseRung(plan, intake.ladder(), released.clip_counts);
  } else if (plan.clip_width > 0) {
    released.clip_counts = releaseClipCounts(plan, intake.counts(), *random);
    released.clip_level = chooseClipLevel(plan, released.clip_counts, released.rows);
  }
  Result<std::vector<Int128>> totals = intake.take(plan.params.unit, released.clip_level);
  if (!totals.ok()) return totals.error();
  random->stir<Int128>(totals.value());
  released.values.resize(plan.length);
  plan.release(plan, totals.value(), *random, released.values);
  wipe(totals.value().data(), totals.value().size() * sizeof(Int128));
  return released;
}

}  // namespace pm
