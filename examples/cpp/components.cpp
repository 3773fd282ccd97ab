// Rows become exact sums, one release with noise, and principal components with their noise floor.
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "private_moments/analysis/methods/pca.hpp"
#include "private_moments/analysis/noise/moments.hpp"
#include "private_moments/mechanisms/registry.hpp"
#include "private_moments/mechanisms/release.hpp"

int main() {
  // Public: three columns from 0 to 10, and the promise. No row of scaled features is longer.
  const std::vector<pm::Column> columns(3, {pm::Column::Kind::kNumber, 0, 10});
  const Eigen::VectorXd mid = Eigen::VectorXd::Constant(3, 5), half = mid;
  const pm::MechanismParams params{.epsilon = 1,
                                   .delta = 1e-6,
                                   .neighbours = pm::Neighbours::kReplaceOne,
                                   .unit = pm::Unit::kRow,
                                   .dimension = 3,
                                   .row_norm = std::sqrt(3)};
  const auto plan = pm::findMechanism("gaussian")->plan(params);
  if (!plan.ok()) return std::puts(plan.error().message.c_str()), 1;
  const pm::Guarantee& promise = plan.value().guarantee;
  std::printf("Guarantee: epsilon %g, delta %g, %s, %s arithmetic, if\n", promise.epsilon,
              promise.delta, name(promise.neighbours), name(promise.numerics));
  for (const std::string& condition : promise.assumes) std::printf("- %s\n", condition.c_str());

  // Private: rows, here of an invented kind with one strong direction, to integers, to one release.
  auto intake = pm::Intake::create({.columns = columns,
                                    .row_norm = params.row_norm,
                                    .missing = pm::MissingRule::kCentre,
                                    .neighbours = params.neighbours,
                                    .bits = plan.value().bits,
                                    .max_rows = plan.value().max_rows});
  if (!intake.ok()) return std::puts(intake.error().message.c_str()), 1;
  std::mt19937 random(1);
  std::normal_distribution<double> strong(5, 1.5), weak(0, 0.05);
  for (int i = 0; i < 20000; ++i) {
    const double x = strong(random);
    const double row[] = {x + weak(random), x + weak(random), 10 - x + weak(random)};
    if (const pm::Status failed = intake.value().add(row)) {
      return std::puts(failed->message.c_str()), 1;
    }
  }
  const auto released = pm::release(plan.value(), intake.value());
  if (!released.ok()) return std::puts(released.error().message.c_str()), 1;

  // The analyst: releases, here of one site, to sums, to moments, to components.
  auto sites = pm::Assembly::create(3);
  if (sites.value().add(released.value().values, 0, released.value().rows)) return 1;
  const pm::ReleaseScale scale = pm::releaseScale(plan.value(), params.row_norm);
  const auto sums = sites.value().sum({&scale, 1}, scale.constant);
  if (!sums.ok()) return 1;
  const auto& [packed, diagonal, off_diagonal, linear, count, rows, bound] = sums.value();
  const auto moments = pm::assembleMoments({.packed = packed,
                                            .dimension = 3,
                                            .constant = scale.constant,
                                            .rows = double(*rows),
                                            .noise = {diagonal, off_diagonal, linear, count},
                                            .mid = mid,
                                            .half = half});
  if (!moments.ok()) return std::puts(moments.error().message.c_str()), 1;
  const auto found = pm::pca({{.covariance = moments.value().scaled_covariance,
                               .noise = moments.value().covariance_noise,
                               .trace_bound = bound,
                               .half = half,
                               .mean_noise = moments.value().mean_noise},
                              3});
  if (!found.ok()) return std::puts(found.error().message.c_str()), 1;
  std::printf("%llu rows; variance that noise alone would cause: %.4f\n",
              static_cast<unsigned long long>(*rows), found.value().noise_floor);
  for (const auto& [variance, share, below] : found.value().explained) {
    std::printf("component: variance %.4f%s\n", variance, below ? ", below the noise floor" : "");
  }
}
