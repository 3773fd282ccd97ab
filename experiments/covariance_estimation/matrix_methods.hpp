// Estimates of a scatter matrix C, in real arithmetic and without a constant coordinate, under
// replace-one with a public number of rows.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/random/drbg.hpp"
#include "core/research/published/registry.hpp"
#include "experiments/covariance_estimation/unit_scatter.hpp"

namespace covariance_estimation {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// One run of a mechanism.
using Estimator = std::function<MatrixXd(const UnitScatter&, double epsilon, pm::Drbg&)>;

/// A mechanism with its key in experiments/support/methods.mjs.
struct MatrixMethod {
  std::string key;
  double delta;
  Estimator run;
};

/// sigma for sensitivity 1, exactly.
double exactSigma(double epsilon, double delta);

/// How Gaussian noise is calibrated, and the shape that it has.
struct GaussianForm {
  double (*sigma)(double epsilon, double delta);
  double sensitivity;
  bool rotation_invariant;  ///< half of the variance off the diagonal
};

inline const double kReplaceOne = std::sqrt(2.0);  // |xx' - yy'|_F <= sqrt 2
/// As Dwork, Talwar, Thakurta and Zhang 2014 state it: for a row that is left out.
constexpr double kLeftOut = 1;

Estimator gaussian(double delta, GaussianForm form);

MatrixXd twoSidedWishart(const UnitScatter& data, double epsilon, pm::Drbg& random);

MatrixXd frobenius(const UnitScatter& data, double epsilon, pm::Drbg& random);

/// Bits of the grid on which `eigenvector-sampling` sees C.
constexpr int kRowBits = 20;

/// C as exact totals; the entries of the constant coordinate come first, and play no part.
std::vector<pm::Int128> totalsOf(const MatrixXd& scatter);

/// A mechanism from the registry of published ones.
Estimator published(MatrixXd (*run)(const MatrixXd&, const pm::PublishedParams&, pm::Drbg&));

/// Noisy eigenvalues and the exponents of the draws in the authors' code. The exponents 2 epsilon_i
/// cost 4 epsilon_i, and the eigenvalues twice what they are given.
struct CodeDraws {
  VectorXd values;
  std::vector<double> kappas;
};

CodeDraws drawsOfCode(const VectorXd& exact, double rows, double epsilon, pm::Drbg& random);

/// AD with the constants of the authors' code.
MatrixXd adaptiveOfCode(const UnitScatter& data, double epsilon, pm::Drbg& random);

/// Kapralov and Talwar with the constants of the authors' code, whose exponents 4 epsilon/d cost
/// 8 epsilon in all.
MatrixXd kapralovTalwarOfCode(const UnitScatter& data, double epsilon, pm::Drbg& random);

MatrixMethod publishedLaplace();
MatrixMethod tightLaplace();
MatrixMethod wishartMethod();
MatrixMethod kapralovTalwarMethod();
MatrixMethod publishedAdaptive();
MatrixMethod eigenMethod(const char* key, pm::EigenMethod method);
MatrixMethod gaussianMethod(double delta);

/// The ways to make a possible matrix of an estimate.
constexpr const char* kPostprocessings[] = {"clamp", "rescale", "trace"};

/// Eigenvalues after "clamp", to [0, n], as in the papers; "rescale", the negative ones 0 and all
/// divided if the largest is above n, as the authors' code treats added noise; "trace", this
/// library's projection of the trace.
VectorXd possible(const VectorXd& values, double rows, std::string_view how);

/// |C^ - C|_F / n of an estimate after each of kPostprocessings.
std::vector<double> errorsOf(const UnitScatter& data, const MatrixXd& estimate);

}  // namespace covariance_estimation
