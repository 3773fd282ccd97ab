#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/random/drbg.hpp"

namespace pm {

/// Combinations of levels that the categories of a row can have, with probabilities: all of them,
/// or if there are too many, a stratified sample of equal weights. Innovations are the parts of the
/// indicators that earlier categories do not explain, uncorrelated and of variance 1; a coordinate
/// without variance of its own is 0.
struct Scenarios {
  Eigen::VectorXd weights;      ///< k, with sum 1
  Eigen::MatrixXd innovations;  ///< k x q
};

/// The law of several categories with given shares and covariances of their indicators. Categories
/// are drawn in turn. The probabilities of the levels of each are those of its linear regression on
/// earlier ones, projected onto {p >= 0, sum p = 1} in Euclidean norm. If no projection is needed,
/// all two-way tables match the moments. Otherwise the coefficients are adjusted until the tables
/// match again: the projection is the gradient of a convex function (Martins & Astudillo 2016), so
/// the mismatch is one too, and majorisation steps (Hunter & Lange 2004) bring it to zero, unless
/// no law has these tables.
class CategoryLaw {
 public:
  /// @param levels number of levels of each category
  /// @param shares q in all, not negative, with sum 1 within each category
  /// @param root   q x q, lower: root root^T is the covariance; a zero on the diagonal has a zero
  ///               column below it
  /// @param most   maximum number of scenarios, at least 1
  /// @param seed   of their sample, if there are too many
  CategoryLaw(const std::vector<int>& levels, const Eigen::VectorXd& shares,
              const Eigen::MatrixXd& root, Eigen::Index most, std::uint64_t seed);

  const Scenarios& scenarios() const { return scenarios_; }

  /// @param levels      output: one for each category
  /// @param innovations output: q numbers
  void draw(Drbg& random, int* levels, Eigen::VectorXd& innovations) const;

 private:
  struct Category {
    Eigen::Index first;            ///< index of its first indicator
    Eigen::VectorXd shares;        ///< l
    Eigen::VectorXd constant;      ///< l
    Eigen::MatrixXd coefficients;  ///< l x first, for earlier innovations
  };

  void fit(Category& category) const;
  void branch(const Category& category, Eigen::Index most, std::uint64_t seed);
  void innovate(const Category& category, Eigen::Index level, double* innovations,
                Eigen::Index stride) const;

  std::vector<Category> categories_;
  Eigen::MatrixXd root_;
  Scenarios scenarios_;
  bool sampled_ = false;  ///< whether the scenarios are a sample
};

/// Shares of a category's levels from the means of its indicators. An excess is removed by
/// Euclidean projection; a deficit, from rows with a missing cell, is distributed in proportion.
/// Equal shares if all are 0.
Eigen::VectorXd sharesOf(const Eigen::VectorXd& means);

/// Moves `chances`, whose sum is 1, to the nearest point of {p >= 0, sum p = 1}.
void moveOntoSimplex(Eigen::VectorXd& chances);

}  // namespace pm
