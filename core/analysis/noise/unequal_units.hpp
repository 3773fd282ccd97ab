#pragma once

#include <Eigen/Core>

namespace pm {

/// Largest eigenvalue, to leading order in the dimension, of U (E - (t w^T + w t^T)) U: noise in
/// coordinates z, in the units x = U z. E is symmetric with independent entries of standard
/// deviation 1 off the diagonal, w independent with variance 1.
///
/// With a_j = units_j^2, the entries of U E U have the variances a_i a_j. Dyson's equation for that
/// profile (Ajanki, Erdős & Krüger 2017), g_i = 1 / (y - a_i v), v = sum a_j g_j, gives with v = u
/// y
///   y^2 = sum a_j / (u (1 - a_j u)),
/// and the edge is its minimum over 0 < u < 1 / max a: 2 sqrt(D) a if all are equal. The rank-two
/// part has an eigenvalue beyond the edge, at y, if
///   (t^T U g U t) (sum a_j g_j) = u sum a_j t_j^2 / (1 - a_j u) = 1
/// for a u below that of the edge; for equal units that is sqrt(D) a (|t| + 1/|t|) if |t| > 1.
/// @param units D >= 1, positive
/// @param means t, D; zero for the edge
double edgeInUnits(const Eigen::VectorXd& units, const Eigen::VectorXd& means);

}  // namespace pm
