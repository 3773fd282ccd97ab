#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "core/random/drbg.hpp"

namespace pm {

/// What categories of a row can be, with chances: all there is, or where that is too much a spread
/// sample of equal weights. Innovations are what a level tells beyond those of the categories
/// before it, uncorrelated and of variance 1; a place without a variance of its own has 0.
struct Scenarios {
  Eigen::VectorXd weights;      ///< k, adding up to 1
  Eigen::MatrixXd innovations;  ///< k x q
};

/// The law of several categories with given shares and covariances of their indicators. One after
/// another, each has the chances that its linear regression on those before gives to its levels,
/// moved onto {p >= 0, sum p = 1} by Euclidean projection. Where none is moved, all tables of two
/// categories are those of the moments. Where some are, the coefficients are changed until the
/// tables are as they were: the gradient of a convex function, as the projection is one (Martins &
/// Astudillo 2016), is brought to zero by steps of its majorant (Hunter & Lange 2004); it does not
/// get there where no law has such tables.
class CategoryLaw {
 public:
  /// @param levels of each category, in turn
  /// @param shares q in all: of each category not negative, adding up to 1
  /// @param root   q x q, lower: root root^T is the covariance, a zero on the diagonal has a zero
  ///               column below it
  /// @param most   scenarios, at least 1
  /// @param seed   of their sample, where they are too many
  CategoryLaw(const std::vector<int>& levels, const Eigen::VectorXd& shares,
              const Eigen::MatrixXd& root, Eigen::Index most, std::uint64_t seed);

  const Scenarios& scenarios() const { return scenarios_; }

  /// @param levels      one for each category, written
  /// @param innovations q, written
  void draw(Drbg& random, int* levels, Eigen::VectorXd& innovations) const;

 private:
  struct Category {
    Eigen::Index first;            ///< of its indicators
    Eigen::VectorXd shares;        ///< l
    Eigen::VectorXd constant;      ///< l
    Eigen::MatrixXd coefficients;  ///< l x first: of the innovations before
  };

  void fit(Category& category) const;
  void branch(const Category& category, Eigen::Index most, std::uint64_t seed);
  void innovate(const Category& category, Eigen::Index level, double* innovations,
                Eigen::Index stride) const;

  std::vector<Category> categories_;
  Eigen::MatrixXd root_;
  Scenarios scenarios_;
  bool sampled_ = false;  ///< they are not all there are
};

/// Shares of a category's levels from the means of its indicators: what is too much is taken off by
/// Euclidean projection; what is missing, of rows without the cell, is shared alike. Equal where
/// all are 0.
Eigen::VectorXd sharesOf(const Eigen::VectorXd& means);

/// The point of {p >= 0, sum p = 1} nearest to `chances`, which add up to 1.
void moveOntoSimplex(Eigen::VectorXd& chances);

}  // namespace pm
