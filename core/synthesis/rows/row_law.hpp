#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/random/drbg.hpp"
#include "core/synthesis/rows/levels.hpp"

namespace pm {

/// Which features of a component are indicators of a category, and which are numbers.
struct RowLayout {
  struct Category {
    Eigen::Index feature;  ///< index of its first indicator
    int levels;
  };
  std::vector<Category> categories;
  std::vector<Eigen::Index> numbers;  ///< features
};

/// Rows with the second moments of a Gaussian, as far as rows of these types can have them: the
/// general location model (Olkin & Tate 1961). Categories are drawn first (`CategoryLaw`), with
/// shares projected onto the simplex. Numbers are then normal with a regression on the indicators
/// and a common residual covariance, and are clamped to the bounds. The regressions, deviations and
/// correlations of the latent numbers are chosen so that those after clamping equal the Gaussian's.
class RowLaw {
 public:
  /// @param mean       one entry per feature, in scaled units, finite
  /// @param covariance symmetric, finite; replaced by the nearest possible one if no rows have it
  /// @param rows       number of rows to be drawn; limits the scenarios that are sampled if they
  /// are too many to enumerate
  /// @param component  index in a mixture, so that the samples of components are independent
  RowLaw(const RowLayout& layout, const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
         std::int64_t rows, std::uint64_t component);

  /// Indices in `RowLayout::numbers` whose variance is larger than any with that mean within the
  /// bounds; they get the largest possible one.
  const std::vector<int>& narrowed() const { return narrowed_; }

  /// @param rows    number of rows
  /// @param levels  output: rows x categories, row by row
  /// @param numbers output: rows x numbers, row by row, scaled units, in [-1, 1]
  void draw(Drbg& random, Eigen::Index rows, int* levels, double* numbers) const;

 private:
  void fitNumbers(const Eigen::VectorXd& mean, const Eigen::MatrixXd& regression,
                  const Eigen::MatrixXd& residual);

  std::size_t category_count_;
  std::optional<CategoryLaw> categories_;
  Eigen::VectorXd constant_;      ///< n, of the latent numbers
  Eigen::MatrixXd coefficients_;  ///< n x q, on innovations
  Eigen::MatrixXd root_;          ///< n x n, lower root of the latent residual covariance
  std::vector<int> narrowed_;
};

/// Replaces second moments by close ones that rows of these types can have and that are positive
/// semidefinite: shares lie on the simplex, the indicators of a category have the covariance that
/// their shares imply, and means of numbers lie within the bounds. Covariances between columns are
/// kept if possible; otherwise negative eigenvalues become 0 and a congruence restores the
/// covariance within each column.
/// @param mean, covariance in the order of the columns; changed in place, with categories first
void makePossible(const RowLayout& layout, Eigen::VectorXd& mean, Eigen::MatrixXd& covariance);

}  // namespace pm
