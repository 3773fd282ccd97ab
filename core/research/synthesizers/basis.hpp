#pragma once

#include <Eigen/Core>

#include "core/random/drbg.hpp"
#include "core/research/synthesizers/synthesizers.hpp"

namespace pm {

/// Sources of projections. Rows are n x m with entries in [-1, 1]; a basis is m x p with
/// orthonormal columns. C is the second-moment matrix of the rows about 0, divided by n.

/// C.
Eigen::MatrixXd secondMoments(const Eigen::MatrixXd& rows);

/// The mean of the rows.
Eigen::RowVectorXd meanOf(const Eigen::MatrixXd& rows);

/// Eigenvectors of the `components` algebraically largest eigenvalues of a symmetric matrix,
/// without rounding.
Eigen::MatrixXd leadingEigenvectors(const Eigen::MatrixXd& symmetric, int components);

/// Lap-PCA with the required noise: Laplace noise of scale m (m + 1)/(2 n epsilon) in the upper
/// triangle of C. Pure epsilon, idealized: replacing a row moves the upper triangle by at most m (m
/// + 1)/(2 n) in L1 norm (docs/sensitivity.md, rows with bounded features).
Eigen::MatrixXd laplaceBasis(const Eigen::MatrixXd& rows, int components, double epsilon,
                             Drbg& random);
double laplaceBasisScale(Eigen::Index m, Eigen::Index n, double epsilon);

/// Lap-PCA as published (Chanyaswad, Liu, Mittal 2017, theorem 7): independent noise of scale
/// m^2/(n epsilon) in every entry of C, which is then not symmetric, and its right singular
/// vectors. Singular values have no sign, so directions of large negative noise rank high.
/// `kLaplaceCode` follows the authors' code: scale (m^2 + 4 m + 1)/(n epsilon), which is the
/// formula for labelled rows, and before the singular vectors a ridge of 1.1 times the most
/// negative eigenvalue of the mirrored lower triangle.
Eigen::MatrixXd publishedLaplaceBasis(const Eigen::MatrixXd& rows, int components, double epsilon,
                                      BasisSource source, Drbg& random);

/// The L1 sensitivity of C (epsilon times the scale) that these two assume: m^2 a^2/n and (m^2 + 4
/// m + 1) a^2/n for entries in [-a, a].
double claimedCovarianceSensitivity(double m, double n, double a = 1);
double codeCovarianceSensitivity(double m, double n, double a = 1);

/// Fisher's direction w of two classes, unit length: (S_w/n + ridge I) w ~ mean_1 - mean_0, with
/// S_w the scatter about the classes' means.
/// @param data public rows with labels 0 and 1, both of which occur
Eigen::VectorXd discriminant(const LabelledRows& data, double ridge);

}  // namespace pm
