#include "core/research/synthesizers/blum_ligett_roth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/int128.hpp"
#include "core/random/bernoulli.hpp"
#include "core/research/synthesizers/gaussian_rows.hpp"

namespace pm {
namespace {

using Eigen::Index;

constexpr int kEpsilonBits = 32;
constexpr double kMostEpsilon = 0x1p16;

double epsilonUsed(double epsilon) {
  return std::ldexp(std::floor(std::ldexp(std::min(epsilon, kMostEpsilon), kEpsilonBits)),
                    -kEpsilonBits);
}

LabelledRows randomCandidate(Index columns, const SynthesisParams& params, Drbg& random) {
  const Index rows = params.candidate_rows;
  const bool classes = params.label == LabelKind::kClass;
  LabelledRows candidate{Eigen::MatrixXd(rows, columns), Eigen::VectorXd(classes ? rows : 0)};
  for (double& entry : candidate.rows.reshaped()) {
    entry = kBlumGrid[uniformBelow(std::size(kBlumGrid), random)];
  }
  for (double& label : candidate.labels) {
    label = double(uniformBelow(std::uint64_t(params.classes), random));
  }
  return candidate;
}

}  // namespace

std::vector<std::int64_t> thresholdCounts(const LabelledRows& data, int classes) {
  constexpr Index kPer = Index(std::size(kBlumThresholds));
  const Index m = data.rows.cols();
  std::vector<std::int64_t> counts(std::size_t(std::max(1, classes) * m * kPer));
  for (Index i = 0; i < data.rows.rows(); ++i) {
    const Index first = (classes > 0 ? Index(data.labels[i]) : 0) * m * kPer;
    for (Index j = 0; j < m; ++j) {
      for (Index t = 0; t < kPer; ++t) {
        counts[std::size_t(first + j * kPer + t)] += data.rows(i, j) <= kBlumThresholds[t];
      }
    }
  }
  return counts;
}

std::uint64_t largestError(std::span<const std::int64_t> counts, std::int64_t rows,
                           std::span<const std::int64_t> candidate, std::int64_t candidate_rows) {
  std::int64_t largest = 0;
  for (std::size_t f = 0; f < counts.size(); ++f) {
    largest = std::max(largest, std::abs(candidate_rows * counts[f] - rows * candidate[f]));
  }
  return std::uint64_t(largest);
}

std::size_t exponentialMechanism(std::span<const std::uint64_t> errors, std::uint64_t moves,
                                 double epsilon, Drbg& random) {
  const Uint128 steps = Uint128(std::ldexp(epsilonUsed(epsilon), kEpsilonBits));
  const std::uint64_t least = *std::min_element(errors.begin(), errors.end());
  for (;;) {
    const std::size_t place = std::size_t(uniformBelow(errors.size(), random));
    const Uint128 behind = steps * (errors[place] - least);
    if (bernoulliExpBeyond(behind, Uint128(2 * moves) << kEpsilonBits, random)) return place;
  }
}

PublishedSynthesis blumLigettRoth(const SynthesisData& data, const SynthesisParams& params,
                                  Drbg& random) {
  const bool number = params.label == LabelKind::kNumber;
  const int classes = params.label == LabelKind::kClass ? params.classes : 0;
  const Index n = data.secret.rows.rows(), m = data.secret.rows.cols();
  const Index columns = m + (number ? 1 : 0);
  LabelledRows joined = data.secret;
  if (number) joined = {withLabels(joined.rows, joined.labels), {}};
  const std::vector<std::int64_t> counts = thresholdCounts(joined, classes);

  Drbg open = simulationDrbg(params.public_seed);
  std::vector<LabelledRows> list;
  std::vector<std::uint64_t> errors;
  for (int k = 0; k < params.candidates; ++k) {
    list.push_back(randomCandidate(columns, params, open));
    errors.push_back(
        largestError(counts, n, thresholdCounts(list.back(), classes), params.candidate_rows));
  }
  LabelledRows chosen = list[exponentialMechanism(errors, std::uint64_t(params.candidate_rows),
                                                  params.epsilon, random)];
  if (number) chosen = {chosen.rows.leftCols(m).eval(), chosen.rows.col(m).eval()};
  return {chosen, Eigen::MatrixXd::Identity(m, m)};
}

std::optional<Guarantee> blumLigettRothGuarantee(const SynthesisParams& params, Index, Index) {
  const std::pair<std::string_view, double> step{"choice", epsilonUsed(params.epsilon)};
  return pureSynthesis({&step, 1}, Numerics::kExact);
}

}  // namespace pm
