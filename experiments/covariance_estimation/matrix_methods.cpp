#include "experiments/covariance_estimation/matrix_methods.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/noise/denoise.hpp"
#include "core/golden_section.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/eigenvector_sampling.hpp"
#include "core/mechanisms/frobenius.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/privacy/gaussian.hpp"
#include "core/random/continuous.hpp"
#include "core/research/idealized/bingham.hpp"
#include "core/research/published/additive.hpp"
#include "core/research/published/eigenvectors.hpp"
#include "core/research/published/entrywise.hpp"
#include "experiments/covariance_estimation/unit_scatter.hpp"

namespace covariance_estimation {
namespace {

// Laplace noise of the smallest scale that the upper triangle allows.
MatrixXd laplace(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  const double d = data.dimension();
  return pm::plusSymmetricLaplace(data.matrix, std::sqrt(d * (d + 3) / 2) / epsilon, random);
}

// log2 of the steps of a unit on which exact noise is drawn.
constexpr int kGridBits = 30;

// C plus the noise that `fill` draws: integers, the upper triangle row by row.
template <class Fill>
MatrixXd plusIntegers(const MatrixXd& scatter, Fill fill) {
  const auto d = std::size_t(scatter.rows());
  std::vector<pm::Int128> packed(d * (d + 1) / 2);
  fill(packed);
  std::size_t next = 0;
  return pm::plusSymmetric(scatter, [&] { return std::ldexp(double(packed[next++]), -kGridBits); });
}

// The budget of `eigenvector-sampling` with as many directions as features.
pm::EigenBudget eigenBudget(int dimension, double epsilon, pm::EigenMethod method) {
  pm::MechanismParams params{epsilon, 0, pm::Neighbours::kReplaceOne, pm::Unit::kRow, dimension};
  params.components = dimension;
  params.options.set(pm::kEigenMethod, method);
  return pm::eigenBudget(params, kRowBits);
}

// `eigenvector-sampling`: AD, IT-U or IT-R with the exponents that the sensitivity allows.
Estimator eigenvectors(pm::EigenMethod method) {
  return [=](const UnitScatter& data, double epsilon, pm::Drbg& random) {
    const int d = data.dimension();
    const pm::NoisyEigenpairs noisy =
        pm::noisyEigenpairs(totalsOf(data.matrix), d, eigenBudget(d, epsilon, method), random);
    pm::Spectrum pairs{VectorXd(d), MatrixXd(d, d)};
    for (int i = 0; i < d; ++i) {
      pairs.values[i] = std::ldexp(double(noisy.values[std::size_t(i)]), -2 * kRowBits);
      for (int r = 0; r < d; ++r) {
        pairs.vectors(r, i) =
            std::ldexp(noisy.directions[std::size_t(i * d + r)], -pm::kDirectionBits);
      }
    }
    return pm::compose(pairs);
  };
}

// The share of epsilon that the authors' code (google-research, private_covariance_estimation)
// spends on eigenvalues: the least of its bound of the error.
double eigenvalueShare(double epsilon, double d, double n) {
  double roots = 0;
  for (double i = 1; i <= d; ++i) roots += std::sqrt(i);
  const double least = epsilon / (d * d);
  return pm::goldenSection(least, epsilon - least, 60,
                           [&](double t) {
                             return std::sqrt(d) / t +
                                    roots * std::sqrt(n) / std::sqrt(epsilon - t);
                           })
      .argument;
}

}  // namespace

double exactSigma(double epsilon, double delta) {
  return 1 / pm::gdpOfEpsilonDelta(epsilon, delta);
}

Estimator gaussian(double delta, GaussianForm form) {
  return [=](const UnitScatter& data, double epsilon, pm::Drbg& random) {
    const double sd = form.sensitivity * form.sigma(epsilon, delta);
    const double off = form.rotation_invariant ? sd * std::sqrt(0.5) : sd;
    MatrixXd noise = MatrixXd::Zero(data.dimension(), data.dimension());
    noise = pm::plusSymmetric(std::move(noise), [&] { return off * pm::standardNormal(random); });
    noise.diagonal() *= sd / off;
    return MatrixXd(data.matrix + noise);
  };
}

MatrixXd twoSidedWishart(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  return plusIntegers(data.matrix, [&](std::vector<pm::Int128>& packed) {
    const int d = data.dimension();
    const pm::DyadicScale scale = pm::scaleAbove(std::uint64_t{1} << kGridBits, epsilon);
    pm::twoSidedWishartNoise(d, d + 1, scale, random, packed);
  });
}

MatrixXd frobenius(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  return plusIntegers(data.matrix, [&](std::vector<pm::Int128>& packed) {
    const pm::DyadicScale scale =
        pm::scaleAbove(std::uint64_t{1} << kGridBits, epsilon / kReplaceOne);
    pm::frobeniusNoise(data.dimension(), scale, false, random, packed);
  });
}

std::vector<pm::Int128> totalsOf(const MatrixXd& scatter) {
  std::vector<pm::Int128> totals(std::size_t(scatter.rows()) + 1);
  for (Eigen::Index i = 0; i < scatter.rows(); ++i) {
    for (Eigen::Index j = i; j < scatter.cols(); ++j) {
      totals.push_back(pm::Int128(std::nearbyint(std::ldexp(scatter(i, j), 2 * kRowBits))));
    }
  }
  return totals;
}

Estimator published(MatrixXd (*run)(const MatrixXd&, const pm::PublishedParams&, pm::Drbg&)) {
  return [=](const UnitScatter& data, double epsilon, pm::Drbg& random) {
    pm::PublishedParams params{epsilon, 0, pm::Neighbours::kReplaceOne, data.rows};
    params.components = data.dimension();
    return run(data.matrix, params, random);
  };
}

CodeDraws drawsOfCode(const VectorXd& exact, double rows, double epsilon, pm::Drbg& random) {
  const Eigen::Index d = exact.size();
  const double share = eigenvalueShare(epsilon, double(d), rows);
  CodeDraws draws{exact, std::vector<double>(static_cast<std::size_t>(d))};
  for (double& value : draws.values) {
    value = std::clamp(value + pm::standardLaplace(random) / share, 0.0, rows);
  }
  std::sort(draws.values.begin(), draws.values.end(), std::greater<>());
  double sum = 0;
  for (Eigen::Index i = 0; i < d; ++i) {
    sum += draws.kappas[std::size_t(i)] = std::sqrt(draws.values[i] * double(d - 1 - i));
  }
  if (sum > 0) {
    for (double& kappa : draws.kappas) kappa *= 2 * (epsilon - share) / sum;
  }
  return draws;
}

MatrixXd adaptiveOfCode(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  pm::Spectrum exact = pm::spectrum(data.matrix);
  CodeDraws draws = drawsOfCode(exact.values, data.rows, epsilon, random);
  return pm::compose({std::move(draws.values),
                      pm::idealized::drawDirections(std::move(exact), draws.kappas, random)});
}

MatrixXd kapralovTalwarOfCode(const UnitScatter& data, double epsilon, pm::Drbg& random) {
  const double d = data.dimension(), kappa = 4 * epsilon / d;
  MatrixXd left = data.matrix;
  for (int i = 0; i < data.dimension(); ++i) {
    const MatrixXd v = pm::idealized::drawDirections(pm::spectrum(left), {&kappa, 1}, random);
    const double quotient = (left * v).cwiseProduct(v).sum();
    const double noisy = quotient + 2 * d / epsilon * pm::standardLaplace(random);
    left -= std::clamp(noisy, 0.0, data.rows) * v * v.transpose();
  }
  return data.matrix - left;
}

MatrixMethod publishedLaplace() { return {"laplace-published", 0, published(pm::laplace2d)}; }

MatrixMethod tightLaplace() { return {"laplace", 0, laplace}; }

MatrixMethod wishartMethod() { return {"two-sided-wishart", 0, twoSidedWishart}; }

MatrixMethod kapralovTalwarMethod() { return {"kt", 0, published(pm::kapralovTalwar)}; }

MatrixMethod publishedAdaptive() { return {"ad-published", 0, published(pm::aminIterative)}; }

MatrixMethod eigenMethod(const char* key, pm::EigenMethod method) {
  return {key, 0, eigenvectors(method)};
}

MatrixMethod gaussianMethod(double delta) {
  return {"gaussian", delta, gaussian(delta, {exactSigma, kReplaceOne, true})};
}

VectorXd possible(const VectorXd& values, double rows, std::string_view how) {
  if (how == "trace") return pm::projectEigenvalues(values, rows);
  const VectorXd positive = values.cwiseMax(0);
  if (how == "clamp") return positive.cwiseMin(rows);
  const double largest = positive.maxCoeff();
  return largest > rows ? VectorXd(positive * (rows / largest)) : positive;
}

std::vector<double> errorsOf(const UnitScatter& data, const MatrixXd& estimate) {
  const pm::Spectrum found = pm::spectrum(estimate);
  const VectorXd quotients =
      (data.matrix * found.vectors).cwiseProduct(found.vectors).colwise().sum();
  std::vector<double> errors;
  for (const char* how : kPostprocessings) {
    const VectorXd values = possible(found.values, data.rows, how);
    const double squared =
        (values - quotients).squaredNorm() + data.matrix.squaredNorm() - quotients.squaredNorm();
    errors.push_back(std::sqrt(std::max(squared, 0.0)) / data.rows);
  }
  return errors;
}

}  // namespace covariance_estimation
