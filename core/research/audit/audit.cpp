#include "core/research/audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/noise/normal.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "core/research/audit/tails.hpp"

namespace pm {
namespace {

constexpr std::uint64_t kPilotEvery = 4;
constexpr std::size_t kCells = 40;

// 10, 15, 20, 30, 50, 70, 100, ...
std::uint64_t lookAfter(std::size_t looks) {
  constexpr std::uint64_t kSteps[] = {10, 15, 20, 30, 50, 70};
  std::uint64_t decade = 1;
  for (std::size_t i = 0; i < looks / std::size(kSteps); ++i) decade *= 10;
  return decade * kSteps[looks % std::size(kSteps)];
}

double quantile(double p) {
  if (p <= 0 || p >= 1) return std::copysign(std::numeric_limits<double>::infinity(), p - 0.5);
  return p == 0.5 ? 0 : std::copysign(normalReach(std::fabs(2 * p - 1)), p - 0.5);
}

// The bound from a set or its complement; may be negative, and then says nothing.
double logRatio(double hit, double alarm, double delta) {
  const auto one = [delta](double likely, double unlikely) {
    return likely > delta ? std::log((likely - delta) / unlikely)
                          : -std::numeric_limits<double>::infinity();
  };
  return std::max(one(hit, alarm), one(1 - alarm, 1 - hit));
}

double shareAbove(double threshold, const std::vector<double>& sorted) {
  const auto above = std::upper_bound(sorted.begin(), sorted.end(), threshold);
  return double(sorted.end() - above) / double(sorted.size());
}

// The threshold with the largest bound on the pilot runs, by a normal approximation of the bound
// that the other runs will prove. The choice affects the power only.
double chooseThreshold(std::array<std::vector<double>, 2> pilot, double delta, double alpha) {
  std::vector<double> pooled = pilot[0];
  pooled.insert(pooled.end(), pilot[1].begin(), pilot[1].end());
  for (std::vector<double>* list : {&pilot[0], &pilot[1], &pooled}) {
    std::sort(list->begin(), list->end());
  }
  const double others = double(kPilotEvery - 1) * double(pilot[0].size());
  const double square = -2 * std::log(alpha) / others;
  const auto beyond = [&](double p) { return std::sqrt(square * p * (1 - p)) + square / 2; };
  double best = pooled[pooled.size() / 2], most = -std::numeric_limits<double>::infinity();
  constexpr std::size_t kTried = 160;
  for (std::size_t i = 1; i < kTried; ++i) {
    const double threshold = pooled[i * pooled.size() / kTried];
    const double hit = shareAbove(threshold, pilot[0]), alarm = shareAbove(threshold, pilot[1]);
    const double found = logRatio(hit - beyond(hit), alarm + beyond(alarm), delta);
    if (found > most) best = threshold, most = found;
  }
  return best;
}

}  // namespace

double epsilonShown(double hit, double alarm, double delta) {
  return std::max(0.0, logRatio(hit, alarm, delta));
}

Audit::Audit(const AuditSubject& subject, double alpha)
    : subject_(&subject), alpha_(alpha), next_look_(lookAfter(0)) {}

void Audit::run(std::uint64_t count, Drbg& random) {
  for (std::uint64_t i = 0; i < count; ++i) {
    scores_[0].push_back(subject_->attack(true, random));
    scores_[1].push_back(subject_->attack(false, random));
    if (runs() == next_look_) look();
  }
}

void Audit::look() {
  const double k = double(looks_.size()) + 1;
  // Two probabilities, each with half the error probability.
  const double alpha = alpha_ / (k * (k + 1)) / 2;
  const bool pilot = !subject_->threshold.has_value();
  double threshold = subject_->threshold.value_or(0);
  if (pilot) {
    std::array<std::vector<double>, 2> chosen;
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < scores_[side].size(); i += kPilotEvery) {
        chosen[side].push_back(scores_[side][i]);
      }
    }
    threshold = chooseThreshold(std::move(chosen), subject_->delta, alpha);
  }
  AuditLook found = looks_.empty() ? AuditLook{} : looks_.back();
  found.runs = runs();
  found.tried = found.hits = found.alarms = 0;
  for (std::size_t i = 0; i < scores_[0].size(); ++i) {
    if (pilot && i % kPilotEvery == 0) continue;
    ++found.tried;
    found.hits += scores_[0][i] > threshold ? 1 : 0;
    found.alarms += scores_[1][i] > threshold ? 1 : 0;
  }
  const double hit = probabilityAtLeast(found.hits, found.tried, alpha);
  const double alarm = probabilityAtMost(found.alarms, found.tried, alpha);
  if (subject_->curve == AuditCurve::kNormal) {
    found.gdp = std::max(found.gdp, quantile(hit) - quantile(alarm));
    if (found.gdp > 0) found.epsilon = epsilonOfGdp(found.gdp, subject_->delta);
  } else {
    found.epsilon = std::max(found.epsilon, epsilonShown(hit, alarm, subject_->delta));
  }
  looks_.push_back(found);
  next_look_ = lookAfter(looks_.size());
}

Result<LawTest> testLaw(const AuditSubject& subject, double noise, Drbg& random) {
  if (const Status wrong = checkAuditNoise(noise)) return *wrong;
  std::vector<double> uniforms;
  subject.uniforms(noise, subject.law_draws, random, uniforms);
  std::vector<std::uint64_t> cells(kCells);
  for (const double u : uniforms) {
    ++cells[std::size_t(std::clamp(u * double(kCells), 0.0, double(kCells) - 1))];
  }
  const std::vector<double> expected(kCells, double(uniforms.size()) / double(kCells));
  return LawTest{uniforms.size(), goodnessOfFit(cells, expected)};
}

double measuredSensitivity(const AuditSubject& subject, int pairs, Drbg& random) {
  const auto size = [&](const AuditRows& one, const AuditRows& other) {
    const Eigen::MatrixXd moved = subject.sums(one) - subject.sums(other);
    const Eigen::MatrixXd upper = moved.triangularView<Eigen::Upper>();
    switch (subject.norm) {
      case AuditNorm::kFrobenius: return moved.norm();
      case AuditNorm::kUpperL1: return upper.lpNorm<1>();
      case AuditNorm::kUpperL2: return upper.norm();
      case AuditNorm::kNuclear: return eigenvalues(moved).lpNorm<1>();
      case AuditNorm::kTrace: return std::fabs(moved.trace());
      case AuditNorm::kRange: {
        const Eigen::VectorXd values = eigenvalues(moved);
        return std::max(values.maxCoeff(), 0.0) - std::min(values.minCoeff(), 0.0);
      }
    }
    return 0.0;
  };
  double most = size(subject.first, subject.second);
  const bool replace = subject.neighbours == Neighbours::kReplaceOne;
  const int columns = subject.first.columns;
  for (int i = 0; i < pairs; ++i) {
    // Rows in the unit ball, which every mechanism allows, with lengths 1, 0 and in between.
    const auto row = [&] {
      AuditRows rows{columns, std::vector<double>(std::size_t(columns))};
      double squares = 0;
      for (double& x : rows.values) x = standardNormal(random), squares += x * x;
      const double length = std::clamp(3 * uniformOpen(random) - 1, 0.0, 1.0);
      for (double& x : rows.values) x *= length / std::sqrt(squares);
      return rows;
    };
    most = std::max(most, size(row(), replace ? row() : AuditRows{columns, {}}));
  }
  return most;
}

}  // namespace pm
