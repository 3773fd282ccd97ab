#include "core/synthesis/fit/mixture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/matrix/spectrum.hpp"
#include "core/synthesis/fit/joint.hpp"
#include "core/synthesis/plan/sums.hpp"
#include "core/synthesis/rows/repair.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Minimum variance in every direction of the Gaussians that score the candidates, as a share of
// their mean variance.
constexpr double kLeastShare = 0.01;

// The indices of the rows of each class, private.
class ClassIndex {
 public:
  ClassIndex(const IntegerRows& classes, int count) : begin_(std::size_t(count) + 1) {
    for (std::size_t r = 0; r < classes.rows(); ++r) {
      if (const int c = classes.row(r)[0]; c >= 0) ++begin_[std::size_t(c) + 1];
    }
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    std::vector<std::size_t> next = begin_;
    places_.resize(begin_.back());
    for (std::size_t r = 0; r < classes.rows(); ++r) {
      if (const int c = classes.row(r)[0]; c >= 0) {
        places_[next[std::size_t(c)]++] = std::uint32_t(r);
      }
    }
    wipe(next.data(), next.size() * sizeof(std::size_t));
  }
  ~ClassIndex() {
    wipe(begin_.data(), begin_.size() * sizeof(std::size_t));
    wipe(places_.data(), places_.size() * sizeof(std::uint32_t));
  }
  ClassIndex(const ClassIndex&) = delete;
  ClassIndex& operator=(const ClassIndex&) = delete;

  std::span<const std::uint32_t> of(int c) const {
    const std::size_t from = begin_[std::size_t(c)];
    return std::span(places_).subspan(from, begin_[std::size_t(c) + 1] - from);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> places_;
};

// Classifies rows by the most likely of these Gaussians.
class Classifier {
 public:
  explicit Classifier(const std::vector<ReleasedGaussian>& gaussians) : gaussians_(gaussians) {
    for (const ReleasedGaussian& gaussian : gaussians) {
      Spectrum inverse = spectrum(gaussian.covariance);
      const double least =
          kLeastShare * std::max(gaussian.covariance.trace() / double(inverse.values.size()),
                                 kLeastShare * kLeastShare);
      double log_weight = std::log(gaussian.rows);
      for (double& value : inverse.values) {
        value += least;
        log_weight -= std::log(value) / 2;
        value = 1 / std::sqrt(value);
      }
      whitening_.push_back(inverse.vectors * inverse.values.asDiagonal());
      log_weight_.push_back(log_weight);
    }
  }

  int classOf(const Eigen::VectorXd& row) const {
    int best = -1;
    double most = 0;
    for (std::size_t c = 0; c < gaussians_.size(); ++c) {
      const Eigen::VectorXd& mean = gaussians_[c].mean;
      double squares = 0;
      for (Eigen::Index j = 0; j < row.size(); ++j) {
        double white = 0;
        for (Eigen::Index i = 0; i < row.size(); ++i) {
          white += whitening_[c](i, j) * (row[i] - mean[i]);
        }
        squares += white * white;
      }
      const double log_density = log_weight_[c] - squares / 2;
      if (best < 0 || log_density > most) {
        best = gaussians_[c].level;
        most = log_density;
      }
    }
    return best;
  }

 private:
  const std::vector<ReleasedGaussian>& gaussians_;
  std::vector<Eigen::MatrixXd> whitening_;
  std::vector<double> log_weight_;
};

// Number of rows that the Gaussians classify correctly.
std::uint64_t score(const std::vector<ReleasedGaussian>& gaussians, const IntegerRows& rows,
                    const ClassIndex& members, int classes) {
  const Classifier classifier(gaussians);
  Eigen::VectorXd row(rows.width());
  std::uint64_t right = 0;
  for (int c = 0; c < classes; ++c) {
    for (const std::uint32_t place : members.of(c)) {
      Eigen::Index i = 0;
      for (const std::int32_t x : rows.row(place)) row[i++] = std::ldexp(double(x), -kRowBits);
      right += classifier.classOf(row) == c;
    }
  }
  wipe(row.data(), std::size_t(row.size()) * sizeof(double));
  return right;
}

// The Gaussians of all classes with rows and means, without covariances.
std::vector<ReleasedGaussian> releaseMeans(const SynthesisPlan& plan, const IntegerRows& rows,
                                           const ClassIndex& members, NoiseSource& noise) {
  std::vector<ReleasedGaussian> gaussians(std::size_t(plan.classes));
  if (plan.counts) {
    QuerySums counts(*plan.counts);
    for (int c = 0; c < plan.classes; ++c) {
      counts.block(0)[std::size_t(c)] = Int128(members.of(c).size()) << kCountBits;
    }
    counts.release(noise);
    for (int c = 0; c < plan.classes; ++c) {
      gaussians[std::size_t(c)].rows = std::max(counts.number(0, c), 1.0);
    }
  } else {
    for (int c = 0; c < plan.classes; ++c) {
      gaussians[std::size_t(c)].rows = double(members.of(c).size());
    }
  }
  QuerySums sums(*plan.means);
  for (int c = 0; c < plan.classes; ++c) {
    const std::span<Int128> block = sums.block(c);
    for (const std::uint32_t place : members.of(c)) {
      Int128* sum = block.data();
      for (const std::int32_t x : rows.row(place)) *sum++ += x;
    }
  }
  sums.release(noise);
  for (int c = 0; c < plan.classes; ++c) {
    ReleasedGaussian& gaussian = gaussians[std::size_t(c)];
    gaussian.level = c;
    gaussian.mean = shortened(sums.vector(c) / std::max(gaussian.rows, 1.0), 1);
  }
  return gaussians;
}

void share(std::vector<ReleasedGaussian>& gaussians, const Eigen::MatrixXd& covariance) {
  for (ReleasedGaussian& gaussian : gaussians) gaussian.covariance = covariance;
}

// Gaussians with a covariance for each class, and with a common one. Only the requested one is
// filled in; if the choice is private, both.
struct Candidates {
  std::vector<ReleasedGaussian> per_class;
  std::vector<ReleasedGaussian> pooled;
};

Result<Candidates> stepwise(const SynthesisPlan& plan, const IntegerRows& rows,
                            const ClassIndex& members, NoiseSource& noise) {
  const double radius = plan.terms.radius;
  Candidates result;
  result.per_class = releaseMeans(plan, rows, members, noise);
  result.pooled = result.per_class;

  const bool shared = plan.terms.covariance == CovarianceChoice::kShared;
  QuerySums scatter(*plan.scatter);
  for (int c = 0; c < plan.classes; ++c) {
    Scatter residuals(rows.width(), plan.scatter_bits);
    for (const std::uint32_t place : members.of(c)) {
      residuals.addResidual(rows.row(place), result.per_class[std::size_t(c)].mean, radius);
    }
    if (const Status damaged = residuals.addTo(scatter.block(shared ? 0 : c))) return *damaged;
  }
  scatter.release(noise);

  if (shared) {
    share(result.pooled, repairCovariance(scatter.matrix(0) / double(rows.rows()), radius));
    return result;
  }
  Eigen::MatrixXd pooled = Eigen::MatrixXd::Zero(rows.width(), rows.width());
  double pooled_rows = 0;
  for (int c = 0; c < plan.classes; ++c) {
    ReleasedGaussian& gaussian = result.per_class[std::size_t(c)];
    const Eigen::MatrixXd sum = scatter.matrix(c);
    gaussian.covariance = repairCovariance(sum / std::max(gaussian.rows, 1.0), radius);
    pooled += sum;
    pooled_rows += gaussian.rows;
  }
  if (plan.terms.covariance == CovarianceChoice::kChosen) {
    share(result.pooled, repairCovariance(pooled / std::max(pooled_rows, 1.0), radius));
  }
  return result;
}

Result<Candidates> joint(const SynthesisPlan& plan, const IntegerRows& rows,
                         const ClassIndex& members, NoiseSource& noise) {
  const std::uint64_t constant = momentsConstant(plan.classes, plan.scatter_bits);
  QuerySums sums(*plan.moments);
  std::vector<double> public_rows;
  for (int c = 0; c < plan.classes; ++c) {
    Scatter scatter(rows.width(), plan.scatter_bits);
    for (const std::uint32_t place : members.of(c)) {
      scatter.addShortened(rows.row(place), plan.terms.radius);
    }
    if (const Status damaged = scatter.addMomentsTo(sums.block(c), constant)) return *damaged;
    if (plan.terms.labels_public) public_rows.push_back(double(members.of(c).size()));
  }
  sums.release(noise);
  std::vector<Eigen::MatrixXd> noisy;
  noisy.reserve(std::size_t(plan.classes));
  for (int c = 0; c < plan.classes; ++c) noisy.push_back(sums.matrix(c));
  Candidates result;
  if (plan.terms.covariance != CovarianceChoice::kShared) {
    result.per_class = gaussiansOf(plan, noisy, public_rows, false);
  }
  if (plan.terms.covariance != CovarianceChoice::kPerClass) {
    result.pooled = gaussiansOf(plan, noisy, public_rows, true);
  }
  return result;
}

}  // namespace

Result<ReleasedMixture> fitMixture(const SynthesisPlan& plan, const IntegerRows& rows,
                                   const IntegerRows& classes, NoiseSource& noise) {
  const ClassIndex members(classes, plan.classes);
  Result<Candidates> candidates =
      plan.moments ? joint(plan, rows, members, noise) : stepwise(plan, rows, members, noise);
  if (!candidates.ok()) return candidates.error();
  auto& [per_class, pooled] = candidates.value();
  ReleasedMixture result;
  result.shared = plan.terms.covariance == CovarianceChoice::kShared;
  if (plan.choice_epsilon > 0) {
    const std::uint64_t scores[] = {score(per_class, rows, members, plan.classes),
                                    score(pooled, rows, members, plan.classes)};
    result.shared = noise.choose(scores, plan.choice_epsilon) == 1;
  }
  result.gaussians = std::move(result.shared ? pooled : per_class);
  std::erase_if(result.gaussians, [](const ReleasedGaussian& g) { return g.rows == 0; });
  return result;
}

}  // namespace pm
