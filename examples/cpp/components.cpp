// Rows become exact sums, one release with noise, and principal components with their noise floor.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "private_moments/analysis/methods/pca.hpp"
#include "private_moments/study/study.hpp"

template <class T>
T valueOf(pm::Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::puts(result.error().message.c_str());
  std::exit(1);
}

int main() {
  // Public: three columns from 0 to 10, and the promise.
  const auto study = valueOf(pm::Study::create({.columns = {3, {pm::Column::Kind::kNumber, 0, 10}},
                                                .mechanism = "gaussian",
                                                .epsilon = 1,
                                                .delta = 1e-6,
                                                .neighbours = pm::Neighbours::kReplaceOne}));
  for (const auto& condition : study.plan().guarantee.assumes) std::puts(condition.c_str());

  // Private: rows, here of an invented kind with one strong direction, and their only release.
  std::mt19937 random(1);
  std::normal_distribution<double> strong(5, 1.5), weak(0, 0.05);
  std::vector<double> rows;
  for (int i = 0; i < 20000; ++i) {
    const double x = strong(random);
    rows.insert(rows.end(), {x + weak(random), x + weak(random), 10 - x + weak(random)});
  }
  const pm::Released release = valueOf(study.release(rows));

  // The analyst: releases, here of one site, to moments, to components.
  const pm::StudyMoments moments = valueOf(study.assemble({&release, 1}));
  const pm::Pca found = valueOf(pm::pca({moments.input, 3}));
  std::printf("%.0f rows; noise alone: variance %.4f\n", moments.rows, found.noise_floor);
  for (const auto& each : found.explained) std::printf("component: %.4f\n", each.value);
}
