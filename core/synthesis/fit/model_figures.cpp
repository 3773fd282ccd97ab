#include "core/synthesis/fit/model_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"
#include "core/synthesis/fit/joint.hpp"
#include "core/synthesis/rows/repair.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kDraws = 200;

struct Moments {
  VectorXd mean;
  MatrixXd covariance;
};

// Moments of all features of the study, including the indicators of a class label.
Moments momentsOf(const SynthesisPlan& plan, const RowModel& model) {
  const Index classes = plan.classes;
  const Index own = model.components.front().mean.size();
  const Index d = own + classes;
  VectorXd mean = VectorXd::Zero(d);
  MatrixXd square = MatrixXd::Zero(d, d);
  std::vector<Index> places;
  for (Index i = 0; i < own; ++i) {
    places.push_back(classes > 0 && i >= plan.label_feature ? i + classes : i);
  }
  for (const RowComponent& component : model.components) {
    VectorXd centre = VectorXd::Zero(d);
    centre(places) = component.mean;
    if (classes > 0) centre[plan.label_feature + component.level] = 1;
    mean += component.weight * centre;
    square += component.weight * centre * centre.transpose();
    square(places, places) += component.weight * component.covariance;
  }
  return {mean, square - mean * mean.transpose()};
}

// A symmetric matrix of normal variates, with variance 1 off the diagonal and 2 on it.
MatrixXd symmetricNormals(Index size, Drbg& random) {
  MatrixXd draws(size, size);
  simulateNormals({draws.data(), std::size_t(draws.size())}, random);
  return (draws + draws.transpose()) / std::sqrt(2.0);
}

VectorXd normals(Index size, Drbg& random) {
  VectorXd draws(size);
  simulateNormals({draws.data(), std::size_t(size)}, random);
  return draws;
}

// The noise of a step on a symmetric matrix.
MatrixXd matrixNoise(const Step& step, Index size, Drbg& random) {
  MatrixXd noise = symmetricNormals(size, random);
  noise *= step.sdOff();
  noise.diagonal() *= step.sd() / (step.sdOff() * std::sqrt(2.0));
  return noise;
}

// Simulates another release from equally many rows, with the released Gaussians as the truth.
class Redraw {
 public:
  Redraw(const SynthesisPlan& plan, const Synthesis& synthesis)
      : plan_(plan), synthesis_(synthesis) {
    for (const ReleasedGaussian& gaussian : synthesis.gaussians) {
      total_ += gaussian.rows;
      roots_.push_back(squareRoot(gaussian.covariance));
    }
  }

  std::vector<ReleasedGaussian> operator()(Drbg& random) const {
    std::vector<ReleasedGaussian> drawn = otherRows(random);
    if (plan_.moments) return jointly(drawn, random);
    addNoise(drawn, random);
    return drawn;
  }

 private:
  // The exact moments of new rows drawn from the same Gaussians.
  std::vector<ReleasedGaussian> otherRows(Drbg& random) const {
    std::vector<ReleasedGaussian> drawn;
    for (std::size_t c = 0; c < roots_.size(); ++c) {
      const ReleasedGaussian& truth = synthesis_.gaussians[c];
      const MatrixXd& root = roots_[c];
      ReleasedGaussian next = truth;
      if (roots_.size() > 1) {
        next.rows += std::sqrt(truth.rows * (1 - truth.rows / total_)) * normals(1, random)[0];
        next.rows = std::max(next.rows, 1.0);
      }
      next.mean += root * normals(size(), random) / std::sqrt(truth.rows);
      next.covariance +=
          root * symmetricNormals(size(), random) * root.transpose() / std::sqrt(truth.rows);
      drawn.push_back(std::move(next));
    }
    return drawn;
  }

  // Adds the noise of the steps and repairs the covariances.
  void addNoise(std::vector<ReleasedGaussian>& drawn, Drbg& random) const {
    // If the choice was private, the common covariance contains the noise of all classes.
    const bool chosen = plan_.terms.covariance == CovarianceChoice::kChosen;
    const double times = chosen ? std::sqrt(double(roots_.size())) : 1;
    MatrixXd common;
    if (synthesis_.shared) common = matrixNoise(*plan_.scatter, size(), random) * (times / total_);
    for (std::size_t c = 0; c < roots_.size(); ++c) {
      const double rows = synthesis_.gaussians[c].rows;
      ReleasedGaussian& next = drawn[c];
      if (plan_.counts) {
        next.rows = std::max(next.rows + plan_.counts->sd() * normals(1, random)[0], 1.0);
      }
      next.mean += plan_.means->sd() / rows * normals(size(), random);
      next.covariance +=
          synthesis_.shared ? common : matrixNoise(*plan_.scatter, size(), random) / rows;
      next.covariance = repairCovariance(next.covariance, plan_.terms.radius);
    }
  }

  // The Gaussians that joint sums of these rows would give.
  std::vector<ReleasedGaussian> jointly(const std::vector<ReleasedGaussian>& exact,
                                        Drbg& random) const {
    const VectorXd scale = jointUnits(plan_).cwiseInverse();
    const double a = jointConstant(plan_);
    std::vector<MatrixXd> sums;
    std::vector<double> rows;
    for (const ReleasedGaussian& gaussian : exact) {
      const VectorXd mean = scale.cwiseProduct(gaussian.mean);
      MatrixXd sum(size() + 1, size() + 1);
      sum(0, 0) = a * a;
      sum.col(0).tail(size()) = a * mean;
      sum.row(0).tail(size()) = a * mean.transpose();
      sum.bottomRightCorner(size(), size()) =
          scale.asDiagonal() * gaussian.covariance * scale.asDiagonal();
      sum.bottomRightCorner(size(), size()) += mean * mean.transpose();
      sums.push_back(gaussian.rows * sum + matrixNoise(*plan_.moments, size() + 1, random));
      if (plan_.classes == 0 || plan_.terms.labels_public) rows.push_back(gaussian.rows);
    }
    const bool shared = synthesis_.shared || plan_.classes == 0;
    std::vector<ReleasedGaussian> result =
        gaussiansOf(plan_, std::move(sums), std::move(rows), shared);
    for (std::size_t c = 0; c < result.size(); ++c) result[c].level = exact[c].level;
    return result;
  }

  Index size() const { return synthesis_.gaussians.front().mean.size(); }

  static MatrixXd squareRoot(const MatrixXd& covariance) {
    const Spectrum parts = spectrum(covariance);
    return parts.vectors * parts.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
  }

  const SynthesisPlan& plan_;
  const Synthesis& synthesis_;
  double total_ = 0;
  std::vector<MatrixXd> roots_;
};

// Standard deviation of a figure over draws, from sums of it and of its square.
template <class T>
class Spread {
 public:
  void add(const T& figure) {
    if (draws_++ == 0) {
      first_ = figure;
      sum_ = square_ = T::Zero(figure.rows(), figure.cols());
    }
    const T off = figure - first_;
    sum_ += off;
    square_ += off.cwiseAbs2();
  }
  T deviation() const {
    const double n = draws_;
    return ((square_ - sum_.cwiseAbs2() / n) / (n - 1)).cwiseMax(0.0).cwiseSqrt();
  }

 private:
  int draws_ = 0;
  T first_, sum_, square_;
};

}  // namespace

Result<RowFigures> figuresWithoutErrors(const SynthesisPlan& plan, const RowModel& model,
                                        const std::vector<ViewPair>& pairs, int most) {
  const Moments moments = momentsOf(plan, model);
  return figuresOfMoments(moments.mean, moments.covariance, plan.terms.columns, pairs, most);
}

Result<RowFigures> figuresOfModel(const SynthesisPlan& plan, const Synthesis& synthesis,
                                  const std::vector<ViewPair>& pairs, int most, Drbg& random) {
  Result<RowFigures> released = figuresWithoutErrors(plan, synthesis.model, pairs, most);
  if (!released.ok()) return released.error();
  RowFigures& figures = released.value();
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  if (figures.means.size() > kMostSimulatedFeatures) {
    figures.mean_errors.setConstant(kUnknown);
    figures.deviation_errors.setConstant(kUnknown);
    figures.correlation_errors.setConstant(kUnknown);
    for (VectorXd& errors : figures.canonical_errors) errors.setConstant(kUnknown);
    return released;
  }
  const Redraw redraw(plan, synthesis);
  Spread<VectorXd> means, deviations;
  Spread<MatrixXd> correlations;
  std::vector<Spread<VectorXd>> canonical(pairs.size());
  for (int draw = 0; draw < kDraws; ++draw) {
    const Result<RowFigures> drawn = figuresWithoutErrors(
        plan, modelOf(plan, synthesis.projection, redraw(random)), pairs, most);
    if (!drawn.ok()) return drawn.error();
    means.add(drawn.value().means);
    deviations.add(drawn.value().deviations);
    correlations.add(drawn.value().correlations);
    for (std::size_t i = 0; i < pairs.size(); ++i) canonical[i].add(drawn.value().canonical[i]);
  }
  figures.mean_errors = means.deviation();
  figures.deviation_errors = deviations.deviation();
  figures.correlation_errors = correlations.deviation();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    figures.canonical_errors[i] = canonical[i].deviation();
  }
  return released;
}

}  // namespace pm
