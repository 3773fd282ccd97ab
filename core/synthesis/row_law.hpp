#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/synthesis/levels.hpp"

namespace pm {

/// Which features of a component are a category's indicators, and which numbers.
struct RowLayout {
  struct Category {
    Eigen::Index feature;  ///< of its first indicator
    int levels;
  };
  std::vector<Category> categories;
  std::vector<Eigen::Index> numbers;  ///< features
};

/// Rows with the second moments of a Gaussian as far as rows of these types can have them: the
/// general location model (Olkin & Tate 1961). Categories come first (`CategoryLaw`), with shares
/// moved onto the simplex. Numbers are then normal with a regression on the indicators and common
/// residual covariances, moved to the nearest bound where they lie beyond; the regressions,
/// deviations and correlations before that are chosen so that those after it are the Gaussian's.
class RowLaw {
 public:
  /// @param mean       one entry a feature, scaled units, finite
  /// @param covariance symmetric, finite; where it is not that of any rows the nearest is taken
  /// @param rows       how many will be drawn: scenarios of categories that are too many to be
  /// listed
  ///                   are sampled no finer than the rows can tell
  /// @param component  of a mixture, so that no two have errors of one sample in common
  RowLaw(const RowLayout& layout, const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
         std::int64_t rows, std::uint64_t component);

  /// Positions in `RowLayout::numbers` whose variance is larger than numbers within the bounds with
  /// that mean have: theirs is the largest there is.
  const std::vector<int>& narrowed() const { return narrowed_; }

  /// @param rows    how many
  /// @param levels  rows x categories, row by row, written
  /// @param numbers rows x numbers, row by row, written: scaled units, in [-1, 1]
  void draw(Drbg& random, Eigen::Index rows, int* levels, double* numbers) const;

 private:
  void fitNumbers(const Eigen::VectorXd& mean, const Eigen::MatrixXd& regression,
                  const Eigen::MatrixXd& residual);

  std::size_t categoryCount_;
  std::optional<CategoryLaw> categories_;
  Eigen::VectorXd constant_;      ///< n: of the latent numbers
  Eigen::MatrixXd coefficients_;  ///< n x q: on innovations
  Eigen::MatrixXd root_;          ///< n x n, lower: of the latent residual covariance
  std::vector<int> narrowed_;
};

/// Second moments of rows with these types, near to the given ones and positive semidefinite:
/// shares on the simplex, the indicators of a category with the covariance that follows, means of
/// numbers within the bounds. What is between columns stays where it can; otherwise negative
/// eigenvalues become 0 and each column gets its own covariance back by a congruence.
/// @param mean, covariance in the order of the columns; both are changed, categories come first
void makePossible(const RowLayout& layout, Eigen::VectorXd& mean, Eigen::MatrixXd& covariance);

}  // namespace pm
