#pragma once

// Header only: the suites are globbed as *_test.cpp.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iostream>

#include "core/analysis/noise/noise_draw.hpp"
#include "core/analysis/uncertainty/intervals.hpp"
#include "tests/core/analysis/fixtures.hpp"
#include "tests/support/statistics.hpp"

namespace pm::fixtures {

constexpr int kRows = 5000;

/// Two views of d features each, of variance 0.3, with one correlation planted between the first
/// features.
inline Eigen::MatrixXd plant(int d, double rho) {
  Eigen::MatrixXd covariance = 0.3 * Eigen::MatrixXd::Identity(2 * d, 2 * d);
  covariance(0, d) = covariance(d, 0) = 0.3 * rho;
  return covariance;
}

/// Sums without noise or sampling error, whose noise has the off-diagonal sd `noise` in the
/// covariance.
inline MomentSums exactSums(const Eigen::MatrixXd& covariance, double noise, double rows = kRows) {
  const Eigen::Index d = covariance.rows();
  MomentSums sums;
  sums.dimension = static_cast<int>(d);
  sums.constant = std::sqrt(0.5 * static_cast<double>(d));
  sums.rows = rows;
  sums.noise = SumNoise::everywhere(rotationInvariant(noise * rows));
  sums.mid = Eigen::VectorXd::Zero(d);
  sums.half = Eigen::VectorXd::Ones(d);
  Eigen::MatrixXd moments = Eigen::MatrixXd::Zero(d + 1, d + 1);
  moments(0, 0) = rows * sums.constant * sums.constant;
  moments.bottomRightCorner(d, d) = rows * covariance;
  sums.packed = pack(moments);
  return sums;
}

/// Sums of releases of `rows` rows that all equal `mean`, with the noise of `exactSums`.
inline AssembledMoments releasedConstant(const Eigen::VectorXd& mean, double noise, Drbg& random) {
  MomentSums sums = exactSums(Eigen::MatrixXd::Zero(mean.size(), mean.size()), noise);
  const Eigen::MatrixXd drawn = NoiseDraw(sums.noise, sums.dimension).draw(random);
  Eigen::VectorXd row(mean.size() + 1);
  row << sums.constant, mean;
  sums.packed = pack(kRows * row * row.transpose() + drawn);
  return assembleMoments(sums).value();
}

/// Sums of releases of new rows of that population.
inline MomentSums released(const Eigen::MatrixXd& covariance, double noise, Drbg& random) {
  MomentSums sums = exactSums(covariance, noise);
  const Eigen::VectorXd mean = Eigen::VectorXd::Zero(covariance.rows());
  sums.packed = pack(Population(sums, kRows, mean, covariance).draw(random).second_moments);
  return sums;
}

inline CcaInput inputOf(int d, int components) {
  CcaInput input;
  input.trace_bound = 2 * d;
  input.half = Eigen::VectorXd::Ones(2 * d);
  input.x = indices(0, d);
  input.y = indices(d, d);
  input.components = components;
  return input;
}

/// One component of both views, in the form for any number of views.
inline GccaInput generalInputOf(int d) {
  GccaInput input;
  static_cast<NoisyCovariance&>(input) = inputOf(d, 1);
  input.views = {indices(0, d), indices(d, d)};
  input.components = 1;
  return input;
}

inline SharedIntervals intervalsOf(const MomentSums& sums, int d, const BootstrapOptions& options) {
  return ccaIntervals(Bootstrap::create(sums, options).value(), inputOf(d, 1)).value();
}

/// Prints each share of `trials` whose 95 % interval covers, and checks that none is too small.
inline void expectNominalCoverage(std::initializer_list<std::uint64_t> hits, std::uint64_t trials) {
  using namespace testing_support;
  for (const std::uint64_t each : hits) {
    std::cout << "covered " << 100.0 * double(each) / double(trials) << " %\n";
    EXPECT_GT(binomialTail(each, trials, 0.95), kAlarm / double(hits.size()));
  }
}

/// The same check must reject each of these counts.
inline void expectTooFewCovered(std::initializer_list<std::uint64_t> hits, std::uint64_t trials) {
  using namespace testing_support;
  for (const std::uint64_t each : hits) EXPECT_LT(binomialTail(each, trials, 0.95), kAlarm);
}

}  // namespace pm::fixtures
