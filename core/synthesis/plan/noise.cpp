#include "core/synthesis/plan/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/directions/eigenbasis.hpp"
#include "core/mechanisms/frobenius.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/mechanisms/planning.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/sensitivity.hpp"
#include "core/random/discrete_laplace.hpp"
#include "core/synthesis/plan/selection.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

// Noise on the grid must stay well within 128 bits.
constexpr double kMostContinuous = 0x1p100;

Uint128 squareOf(std::uint64_t x) { return Uint128(x) * x; }

// Number of coordinates of a block.
std::size_t coordinates(const Query& query) {
  const std::size_t size = std::size_t(query.size);
  return query.shape == Query::Shape::kMatrix ? packedSize(size) : size;
}

void addGaussian(const Step& step, Drbg& random, std::span<Int128> sums) {
  const Query& query = step.query;
  const std::size_t blocks = std::size_t(query.blocks), size = std::size_t(query.size);
  const std::size_t off = query.shape == Query::Shape::kMatrix ? size * (size - 1) / 2 : 0;
  std::vector<std::int64_t> diagonal = gaussianNoise(step.width, blocks * size, random);
  std::vector<std::int64_t> elsewhere;
  if (off > 0) elsewhere = gaussianNoise(step.off_width, blocks * off, random);
  std::size_t entry = 0, next = 0, next_off = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t i = 0; i < size; ++i) {
      sums[entry++] += diagonal[next++];
      if (off == 0) continue;
      for (std::size_t j = i + 1; j < size; ++j) sums[entry++] += elsewhere[next_off++];
    }
  }
  wipe(diagonal.data(), diagonal.size() * sizeof(std::int64_t));
  wipe(elsewhere.data(), elsewhere.size() * sizeof(std::int64_t));
}

}  // namespace

const char* name(SynthesisNoise noise) {
  switch (noise) {
    case SynthesisNoise::kLaplace: return "laplace";
    case SynthesisNoise::kGaussian: return "gaussian";
    case SynthesisNoise::kFrobenius: return "frobenius";
    case SynthesisNoise::kTwoSidedWishart: break;
  }
  return "two-sided-wishart";
}

std::size_t Query::entries() const { return std::size_t(blocks) * coordinates(*this); }

Query countsQuery(int classes) {
  const std::uint64_t row = std::uint64_t{1} << kCountBits;
  const std::uint64_t moved = std::uint64_t(std::min(classes, 2));
  const Uint128 squared = moved * squareOf(row);
  return {Query::Shape::kVector, 1,       classes,           std::ldexp(1.0, -kCountBits),
          moved * row,           squared, ceilSqrt(squared), 0};
}

Query sumsQuery(int classes, int size, int bits) {
  const Uint128 squared = Uint128(4) << (2 * bits);
  return {Query::Shape::kVector,
          classes,
          size,
          std::ldexp(1.0, -bits),
          ceilSqrt(squared * unsigned(size)),
          squared,
          ceilSqrt(squared),
          0};
}

Query labelledSumQuery(int features, int bits) {
  const Uint128 squared = Uint128(4) << (2 * bits);
  return {Query::Shape::kVector,
          1,
          features + 1,
          std::ldexp(1.0, -bits),
          ceilSqrt(squared * unsigned(features)) + ceilSqrt(squared),
          2 * squared,
          ceilSqrt(2 * squared),
          0};
}

Query scatterQuery(int classes, int size, int bits, std::uint64_t largest, bool moves) {
  const std::uint64_t length = std::uint64_t{1} << bits, trace = length * length;
  Query query{Query::Shape::kMatrix, classes, size, std::ldexp(1.0, -2 * bits), 0, 0, 0, 0};
  if (moves) {
    const std::uint64_t n = std::uint64_t(size);
    query.l1 = std::min((n + 1) * trace, n * (n + 1) * largest * largest);
    query.l2_squared = 2 * squareOf(trace);
    query.blocks_l2 = query.nuclear = 2 * trace;
    return query;
  }
  query.l1 = upperL1Sensitivity({0, length, largest, size}, Neighbours::kReplaceOne, Unit::kRow);
  query.l2_squared = (size == 1 ? 1 : 2) * squareOf(trace);
  query.blocks_l2 = ceilSqrt(query.l2_squared);
  query.nuclear = (size == 1 ? 1 : 2) * trace;
  return query;
}

std::uint64_t momentsConstant(int classes, int bits) {
  return std::uint64_t{1} << (classes > 0 ? bits : bits - 1);
}

Query momentsQuery(int classes, int features, bool labelled, int bits, bool moves) {
  const std::uint64_t length = std::uint64_t{1} << bits;
  const std::uint64_t constant = momentsConstant(classes, bits);
  const std::uint64_t beside = (labelled ? 2 : 1) * length * length;
  const std::uint64_t trace = constant * constant + beside;
  const int size = features + labelled;
  Query query{Query::Shape::kMatrix,
              std::max(classes, 1),
              size + 1,
              std::ldexp(1.0, -2 * bits),
              0,
              2 * squareOf(trace),
              2 * trace,
              2 * trace};
  if (moves) {
    query.l1 = (std::uint64_t(size) + 2) * trace;
    return query;
  }
  query.l1 = upperL1Sensitivity({constant, ceilSqrt(beside), length, size}, Neighbours::kReplaceOne,
                                Unit::kRow);
  query.blocks_l2 = ceilSqrt(query.l2_squared);
  return query;
}

Query spectrumQuery(int features, int size, int bits) {
  const std::uint64_t trace = std::uint64_t{1} << (2 * bits);
  const unsigned moved = unsigned(std::min({features, size, 2}));
  // For each of two neighbours rounding moves an eigenvalue by up to half, and doubles move all of
  // them together by up to `error`, a Euclidean norm.
  const std::uint64_t p = unsigned(size);
  const std::uint64_t error = 2 * eigenvalueError(features, bits, kMaxRowsOfSpectrum);
  const std::uint64_t l1 = moved * trace + p + ceilSqrt(p * squareOf(error));
  const std::uint64_t l2 = ceilSqrt(moved * squareOf(trace)) + ceilSqrt(p) + error;
  return {Query::Shape::kVector, 1, size, std::ldexp(1.0, -2 * bits), l1, squareOf(l2), l2, 0};
}

SynthesisNoise kindFor(const Query& query, SynthesisNoise kind) {
  if (kind == SynthesisNoise::kLaplace || kind == SynthesisNoise::kGaussian) return kind;
  if (query.size == 1) return SynthesisNoise::kLaplace;
  return query.shape == Query::Shape::kMatrix ? kind : leastPureNoise(query);
}

double noiseEnergy(const Query& query, SynthesisNoise kind, double budget) {
  const bool matrix = query.shape == Query::Shape::kMatrix;
  const double blocks = query.blocks, n = query.size, unit = query.unit / budget;
  switch (kind) {
    case SynthesisNoise::kLaplace: {
      const double scale = double(query.l1) * unit;
      return blocks * 2 * scale * scale * (matrix ? n * n : n);
    }
    case SynthesisNoise::kGaussian:
      return blocks * double(query.l2_squared) * unit * unit * (matrix ? n * (n + 1) / 2 : n);
    case SynthesisNoise::kFrobenius: {
      const double scale = double(query.blocks_l2) * unit, m = double(coordinates(query));
      return blocks * m * (m + 1) * scale * scale;
    }
    case SynthesisNoise::kTwoSidedWishart: break;
  }
  const double scale = double(query.nuclear) * unit;
  return blocks * n * (n + 1) * (n + 1) / 2 * scale * scale;
}

SynthesisNoise leastPureNoise(const Query& query) {
  SynthesisNoise least = SynthesisNoise::kLaplace;
  const auto consider = [&](SynthesisNoise kind) {
    // Ignore differences within rounding.
    if (noiseEnergy(query, kind, 1) < noiseEnergy(query, least, 1) * (1 - 0x1p-20)) least = kind;
  };
  if (query.size == 1) return least;
  consider(SynthesisNoise::kFrobenius);
  if (query.shape == Query::Shape::kMatrix) consider(SynthesisNoise::kTwoSidedWishart);
  return least;
}

Result<Step> calibrate(const char* what, const Query& query, SynthesisNoise kind, double budget) {
  Step step{what, query, kind, budget};
  bool fits = true;
  switch (kind) {
    case SynthesisNoise::kLaplace:
      step.width = laplaceWidth(budget, query.l1);
      fits = step.width < kLaplaceWidthLimit;
      break;
    case SynthesisNoise::kGaussian:
      step.width = gaussianWidth(budget, query.l2_squared);
      fits = step.width <= kMaxGaussianWidth;
      if (fits) step.off_width = offDiagonalWidth(step.width);
      break;
    case SynthesisNoise::kFrobenius:
      fits = double(query.blocks_l2) / budget * double(coordinates(query)) < kMostContinuous;
      if (fits) step.scale = scaleAbove(query.blocks_l2, budget);
      break;
    case SynthesisNoise::kTwoSidedWishart:
      fits = double(query.nuclear) / budget * query.size < kMostContinuous;
      if (fits) step.scale = scaleAbove(query.nuclear, 2 * budget);
  }
  if (!fits) return noiseTooLarge();
  return step;
}

double Step::sd() const {
  const double discrete = 16 * double(width) * query.unit;
  switch (kind) {
    case SynthesisNoise::kLaplace: return std::numbers::sqrt2 * discrete;
    case SynthesisNoise::kGaussian: return discrete;
    case SynthesisNoise::kFrobenius:
      return std::sqrt(double(coordinates(query)) + 1) * scale.value() * query.unit;
    case SynthesisNoise::kTwoSidedWishart: break;
  }
  return std::sqrt(query.size + 1.0) * 2 * scale.value() * query.unit;
}

double Step::sdOff() const {
  if (query.shape == Query::Shape::kVector || kind == SynthesisNoise::kLaplace) return sd();
  if (kind == SynthesisNoise::kGaussian) return 16 * double(off_width) * query.unit;
  return sd() / std::numbers::sqrt2;
}

double Step::mu() const { return gaussianMu(query.l2_squared, width); }

void DrawnNoise::add(const Step& step, std::span<Int128> sums) {
  if (step.kind == SynthesisNoise::kGaussian) return addGaussian(step, random_, sums);
  if (step.kind == SynthesisNoise::kLaplace) {
    std::vector<Int128> noise = laplaceNoise(step.width, sums.size(), random_);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += noise[i];
    wipe(noise.data(), noise.size() * sizeof(Int128));
    return;
  }
  std::vector<Int128> noise(coordinates(step.query));
  for (std::size_t at = 0; at < sums.size(); at += noise.size()) {
    if (step.kind == SynthesisNoise::kTwoSidedWishart) {
      twoSidedWishartNoise(step.query.size, step.query.size + 1, step.scale, random_, noise);
    } else if (step.query.shape == Query::Shape::kMatrix) {
      frobeniusNoise(step.query.size, step.scale, false, random_, noise);
    } else {
      radialNoise(step.scale, random_, noise);
    }
    for (std::size_t i = 0; i < noise.size(); ++i) sums[at + i] += noise[i];
  }
  wipe(noise);
}

std::size_t DrawnNoise::choose(std::span<const std::uint64_t> scores, double epsilon) {
  return permuteAndFlip(scores, epsilon, random_);
}

}  // namespace pm
