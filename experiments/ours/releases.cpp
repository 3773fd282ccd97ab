#include "experiments/ours/releases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/federation/masked.hpp"
#include "core/mechanisms/clipping.hpp"
#include "core/mechanisms/release.hpp"
#include "core/moments/assembly.hpp"
#include "experiments/ours/real_rows.hpp"
#include "experiments/support/seeded.hpp"

namespace ours {
namespace {

pm::Intake intakeFor(const pm::Plan& plan, const std::vector<pm::Column>& columns) {
  return pm::Intake::create(pm::intakeTerms(plan, columns, pm::MissingRule::kCentre)).value();
}

pm::Intake intakeOf(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                    const pm::IntakePart& sums) {
  pm::Intake intake = intakeFor(plan, columns);
  if (intake.merge(sums)) std::abort();
  return intake;
}

}  // namespace

std::vector<pm::Column> columnsInRange(const MatrixXd& cells) {
  std::vector<pm::Column> columns;
  for (Index j = 0; j < cells.cols(); ++j) {
    const double low = isIndicator(cells, j) ? -1 : cells.col(j).minCoeff();
    const double high = cells.col(j).maxCoeff();
    columns.push_back({pm::Column::Kind::kNumber, low, high > low ? high : low + 1, 0});
  }
  return columns;
}

std::vector<pm::Column> columnsWithin(Index count, double reach) {
  return std::vector<pm::Column>(std::size_t(count), {pm::Column::Kind::kNumber, -reach, reach, 0});
}

pm::IntakePart sumsOf(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                      std::span<const double> cells) {
  pm::Intake intake = intakeFor(plan, columns);
  if (intake.add(cells)) std::abort();
  return intake.part().value();
}

pm::IntakePart sumsOf(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                      const MatrixXd& rows, Index from, Index step) {
  const MatrixXd own = rows(Eigen::seq(from, rows.rows() - 1, step), Eigen::all).transpose();
  return sumsOf(plan, columns, std::span(own.data(), std::size_t(own.size())));
}

pm::ScaledMoments momentsFrom(const pm::Plan& plan, const pm::AssembledSums& sums, double constant,
                              int releases) {
  pm::MomentSums result;
  result.packed = sums.packed;
  result.dimension = plan.params.dimension;
  result.constant = constant;
  result.rows = double(*sums.rows);
  result.noise = {
      sums.diagonal, sums.off_diagonal, sums.linear, sums.count, pm::noiseFamily(plan.distribution),
      releases,      plan.freedom};
  return pm::scaledMoments(result);
}

pm::ScaledMoments independentSum(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                                 std::span<const pm::IntakePart> sites) {
  pm::Assembly assembly = pm::Assembly::create(plan.params.dimension).value();
  int shortest = 0;
  for (const pm::IntakePart& sums : sites) {
    pm::Intake intake = intakeOf(plan, columns, sums);
    const pm::Released released =
        pm::release(plan, intake, &experiments::repeatableEntropy).value();
    if (assembly.add(released.values, released.clip_level, released.rows)) std::abort();
    shortest = std::max(shortest, released.clip_level);
  }
  std::vector<pm::ReleaseScale> scales;
  for (int level = 0; level <= shortest; ++level) {
    scales.push_back(pm::releaseScale(plan, pm::clipRadius(plan.params.row_norm, level)));
  }
  const double constant = scales[0].constant;
  return momentsFrom(plan, assembly.sum(scales, constant).value(), constant, int(sites.size()));
}

std::vector<std::uint64_t> maskedSum(const pm::Plan& plan, const std::vector<pm::Column>& columns,
                                     std::span<const pm::IntakePart> sites, std::uint64_t seed,
                                     bool masked) {
  experiments::repeatEntropy(seed);
  pm::Drbg random = experiments::seeded(~seed);
  pm::MaskSum sum(plan.length);
  std::vector<std::uint64_t> mask(plan.length), masks(plan.length);
  for (const pm::IntakePart& rows : sites) {
    for (std::size_t e = 0; e < mask.size(); ++e) {
      mask[e] = masked ? random.next64() : 0;
      masks[e] += mask[e];
    }
    pm::Intake intake = intakeOf(plan, columns, rows);
    const auto sent = pm::releaseBehind(mask, plan, intake, &experiments::repeatableEntropy);
    if (sum.add(sent.value().payload)) std::abort();
  }
  std::vector<std::uint64_t> words(sum.words().begin(), sum.words().end());
  for (std::size_t e = 0; e < words.size(); ++e) words[e] -= masks[e];
  return words;
}

pm::ScaledMoments momentsOfSum(const pm::Plan& plan, std::span<const std::uint64_t> words,
                               std::uint64_t rows, int sites) {
  const std::vector<double> values = pm::unmask(plan, words, rows).value();
  const pm::ReleaseScale scale = pm::releaseScale(plan, plan.params.row_norm);
  pm::MomentSums result;
  for (const double value : values) result.packed.push_back(value * scale.unit);
  result.dimension = plan.params.dimension;
  result.constant = scale.constant;
  result.rows = double(rows);
  const double growth = std::sqrt(double(sites));
  result.noise = {growth * scale.diagonal,
                  growth * scale.off_diagonal,
                  growth * scale.off_diagonal,
                  0,
                  pm::noiseFamily(plan.distribution),
                  sites,
                  plan.freedom};
  return pm::scaledMoments(result);
}

}  // namespace ours
