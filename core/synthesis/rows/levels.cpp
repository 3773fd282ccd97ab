#include "core/synthesis/rows/levels.hpp"

#include <algorithm>
#include <cmath>

#include "core/analysis/noise/denoise.hpp"
#include "core/analysis/noise/noise_draw.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/random/continuous.hpp"

namespace pm {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kLevelSteps = 500;
constexpr double kLevelClose = 1e-9;
/// Quadratic penalty on moving the coefficients: negligible if all scenarios are enumerated, and
/// above the resolution of a sample otherwise.
constexpr double kLevelTether = 1e-6;
constexpr double kSampledTether = 3;

/// The Lipschitz constant of the gradient by the constant and the coefficients: the largest
/// eigenvalue of the mean square of (1, innovations). It is 1 if the scenarios match the moments of
/// the innovations, and larger if they cannot.
double curvature(const VectorXd& weights, const MatrixXd& innovations) {
  MatrixXd design(innovations.rows(), 1 + innovations.cols());
  design << VectorXd::Ones(innovations.rows()), innovations;
  const MatrixXd scaled = weights.cwiseSqrt().asDiagonal() * design;
  return eigenvalues(multiplyTransposed(scaled, scaled)).maxCoeff();
}

}  // namespace

VectorXd sharesOf(const VectorXd& means) {
  const VectorXd shares = projectOntoCappedSimplex(means, 1);
  const double sum = shares.sum();
  if (sum > 0) return shares / sum;
  return VectorXd::Constant(means.size(), 1.0 / double(means.size()));
}

void moveOntoSimplex(VectorXd& chances) {
  if (chances.minCoeff() >= 0) return;
  chances = projectOntoCappedSimplex(chances, 1);
}

CategoryLaw::CategoryLaw(const std::vector<int>& levels, const VectorXd& shares,
                         const MatrixXd& root, Index most, std::uint64_t seed)
    : root_(root), scenarios_{VectorXd::Ones(1), zeros(1, shares.size())} {
  Index first = 0;
  for (const int count : levels) {
    const VectorXd own = shares.segment(first, count);
    Category category{first, own, own, root.block(first, 0, count, first)};
    fit(category);
    branch(category, most, seed);
    categories_.push_back(std::move(category));
    first += count;
  }
}

void CategoryLaw::fit(Category& category) const {
  const Index count = category.shares.size();
  const MatrixXd before = scenarios_.innovations.leftCols(category.first);
  const MatrixXd target =
      multiply(before, transposed(category.coefficients)).rowwise() + category.shares.transpose();
  if (target.minCoeff() >= -kLevelClose) return;

  const double tether = sampled_ ? kSampledTether / double(target.rows()) : kLevelTether;
  const MatrixXd linear = category.coefficients;
  const double stride = 1 / (curvature(scenarios_.weights, before) + tether);
  // Accelerated (Nesterov 1983), restarted whenever a step goes backwards (O'Donoghue & Candes
  // 2015).
  VectorXd constant = category.constant;
  MatrixXd coefficients = category.coefficients;
  VectorXd chances(count);
  double pace = 1;
  for (int step = 0; step < kLevelSteps; ++step) {
    MatrixXd missing = multiply(before, transposed(coefficients)).rowwise() + constant.transpose();
    for (Index s = 0; s < missing.rows(); ++s) {
      chances = missing.row(s).transpose();
      moveOntoSimplex(chances);
      missing.row(s) = scenarios_.weights[s] * (target.row(s) - chances.transpose());
    }
    const VectorXd up = missing.colwise().sum().transpose() - tether * (constant - category.shares);
    const MatrixXd across = multiplyTransposed(missing, before) - tether * (coefficients - linear);
    if (std::max(up.cwiseAbs().maxCoeff(), across.size() ? across.cwiseAbs().maxCoeff() : 0.0) <
        kLevelClose) {
      category.constant = constant;
      category.coefficients = coefficients;
      return;
    }
    const VectorXd next_constant = constant + stride * up;
    const MatrixXd next_coefficients = coefficients + stride * across;
    const VectorXd along_constant = next_constant - category.constant;
    const MatrixXd along = next_coefficients - category.coefficients;
    if (up.dot(along_constant) + across.cwiseProduct(along).sum() < 0) pace = 1;
    const double next = (1 + std::sqrt(1 + 4 * pace * pace)) / 2;
    const double momentum = (pace - 1) / next;
    pace = next;
    category.constant = next_constant;
    category.coefficients = next_coefficients;
    constant = next_constant + momentum * along_constant;
    coefficients = next_coefficients + momentum * along;
  }
}

void CategoryLaw::innovate(const Category& category, Index level, double* innovations,
                           Index stride) const {
  // Forward substitution in the rows of the category; earlier ones are done.
  const Index end = category.first + category.shares.size();
  for (Index i = category.first; i < end; ++i) {
    double& own = innovations[i * stride];
    own = 0;
    if (root_(i, i) == 0) continue;
    double rest = (i - category.first == level ? 1.0 : 0.0) - category.shares[i - category.first];
    for (Index j = 0; j < i; ++j) rest -= root_(i, j) * innovations[j * stride];
    own = rest / root_(i, i);
  }
}

void CategoryLaw::branch(const Category& category, Index most, std::uint64_t seed) {
  const Index count = category.shares.size();
  const MatrixXd& before = scenarios_.innovations;
  MatrixXd all =
      multiply(before.leftCols(category.first), transposed(category.coefficients)).rowwise() +
      category.constant.transpose();
  VectorXd chances(count);
  Index possible = 0;
  for (Index s = 0; s < all.rows(); ++s) {
    chances = all.row(s).transpose();
    moveOntoSimplex(chances);
    all.row(s) = scenarios_.weights[s] * chances.transpose();
    possible += (all.row(s).array() > 0).count();
  }

  // If there are too many, draw one from each stratum of equal weight, with a fixed seed.
  Drbg random = simulationDrbg(seed, std::uint64_t(category.first));
  const bool sampled = possible > most;
  sampled_ = sampled_ || sampled;
  const Index size = sampled ? most : possible;
  Scenarios next{VectorXd::Constant(size, 1.0 / double(size)), zeros(size, before.cols())};
  double passed = 0;
  double place = uniformOpen(random) / double(size);
  Index taken = 0;
  Index last_scenario = 0;
  Index last_level = 0;
  const auto take = [&](Index scenario, Index level) {
    next.innovations.row(taken) = before.row(scenario);
    innovate(category, level, &next.innovations(taken, 0), size);
    ++taken;
  };
  const double total = all.sum();
  for (Index s = 0; s < all.rows(); ++s) {
    for (Index level = 0; level < count; ++level) {
      const double weight = all(s, level) / total;
      if (!(weight > 0)) continue;
      last_scenario = s;
      last_level = level;
      if (!sampled) {
        next.weights[taken] = weight;
        take(s, level);
        continue;
      }
      passed += weight;
      while (taken < size && place <= passed) {
        take(s, level);
        place = (double(taken) + uniformOpen(random)) / double(size);
      }
    }
  }
  // Rounding may omit the last one.
  while (taken < size) take(last_scenario, last_level);
  scenarios_ = std::move(next);
}

void CategoryLaw::draw(Drbg& random, int* levels, VectorXd& innovations) const {
  for (std::size_t c = 0; c < categories_.size(); ++c) {
    const Category& category = categories_[c];
    VectorXd chances = category.constant;
    for (Index j = 0; j < category.first; ++j) {
      chances += innovations[j] * category.coefficients.col(j);
    }
    moveOntoSimplex(chances);
    double left = uniformOpen(random) * chances.sum();
    Index level = 0;
    Index last = 0;
    for (; level < chances.size(); ++level) {
      if (chances[level] <= 0) continue;
      last = level;
      left -= chances[level];
      if (left <= 0) break;
    }
    levels[c] = int(last);
    innovate(category, last, innovations.data(), 1);
  }
}

}  // namespace pm
