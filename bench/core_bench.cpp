// Speed of the core's inner loops, each compared with a reference in the same run: the Gram kernel
// with the engine's multiply-add peak and with Eigen, the steps from numbers to sums with the
// multiplications alone, the discrete Gaussian with std::normal_distribution, exact Wishart noise
// and exact directions with the same laws in doubles. Built natively and as WebAssembly.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "bench/turns.hpp"
#include "core/directions/eigenbasis.hpp"
#include "core/directions/exact_directions.hpp"
#include "core/matrix/multiply.hpp"
#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/centring.hpp"
#include "core/mechanisms/two_sided_wishart.hpp"
#include "core/moments/assembly.hpp"
#include "core/moments/gram.hpp"
#include "core/moments/gram_kernel.hpp"
#include "core/moments/intake.hpp"
#include "core/moments/limits.hpp"
#include "core/moments/quantiser.hpp"
#include "core/random/discrete_gaussian.hpp"
#include "core/random/wishart.hpp"
#include "core/research/idealized/bingham.hpp"
#include "core/research/idealized/matrix_bingham.hpp"

namespace {

using namespace pm::bench;

typedef double Pair __attribute__((vector_size(16)));
Pair both(double x) { return Pair{x, x}; }

volatile double sink;
volatile double one = 1.0;
volatile double zero = 0.0;

// Unrolled, the loops would need more registers than there are, which halves the peak.
#ifdef __clang__
#define KEEP_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define KEEP_ROLLED
#endif

// Multiplications and additions in registers only, in two shapes: the most that the engine can do
// with the kernel's instructions. Both return the number of floating-point operations.
//
// Eight sums of products, as in the kernel. The right factors change, as the products would
// otherwise be constants.
__attribute__((noinline)) double sumsOfProducts(int steps) {
  const Pair v0 = both(one), v1 = both(one + one), v2 = both(one * 3), v3 = both(one * 4);
  const Pair move = both(zero);
  Pair q0 = both(one), q1 = both(zero);
  Pair s0{}, s1{}, s2{}, s3{}, s4{}, s5{}, s6{}, s7{};
  KEEP_ROLLED
  for (int step = 0; step < steps; ++step) {
    s0 += v0 * q0, s1 += v0 * q1, s2 += v1 * q0, s3 += v1 * q1;
    s4 += v2 * q0, s5 += v2 * q1, s6 += v3 * q0, s7 += v3 * q1;
    q0 += move, q1 += move;
  }
  sink = (s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7)[0];
  return (8.0 * 2 + 2) * 2 * steps;
}

// Twelve independent chains of multiply, then add.
__attribute__((noinline)) double chains(int steps) {
  const Pair m = both(one), c = both(zero);
  // With equal starts the compiler would merge the chains.
  Pair a0 = both(1), a1 = both(2), a2 = both(3), a3 = both(4), a4 = both(5), a5 = both(6),
       a6 = both(7), a7 = both(8), a8 = both(9), a9 = both(10), a10 = both(11), a11 = both(12);
  KEEP_ROLLED
  for (int step = 0; step < steps; ++step) {
    a0 = a0 * m + c, a1 = a1 * m + c, a2 = a2 * m + c, a3 = a3 * m + c;
    a4 = a4 * m + c, a5 = a5 * m + c, a6 = a6 * m + c, a7 = a7 * m + c;
    a8 = a8 * m + c, a9 = a9 * m + c, a10 = a10 * m + c, a11 = a11 * m + c;
  }
  sink = (a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11)[0];
  return 12.0 * 2 * 2 * steps;
}

// Called by pointer, as in one large function with everything else the sums would not stay in
// registers, which halves the peak.
double (*volatile sums_of_products)(int) = sumsOfProducts;
double (*volatile chains_of_both)(int) = chains;

void benchGram() {
  std::printf(
      "Gram kernel, one thread, GFLOP/s counting d^2 n; peak = multiply-add in registers\n");
  std::printf("%6s %8s %10s %10s %10s %8s %8s %14s\n", "d", "rows", "peak", "kernel", "exact sum",
              "Eigen", "/peak", "exact sum/peak");
  for (const int d : {20, 50, 100, 200, 400, 784}) {
    const std::size_t tiles = pm::tileCount(std::size_t(d));
    const int panels = std::max(2, 12'000'000 / (d * d) / 2 * 2);
    const int rows = panels * int(pm::kPanelRows);
    std::vector<double> panel(tiles * pm::kTileStride);
    std::vector<double> blocks(tiles * (tiles + 1) / 2 * pm::kTile * pm::kTile);
    std::vector<double> linear(tiles * pm::kTile);
    std::mt19937_64 random(1);
    for (double& v : panel) v = double(int(random() % 2001) - 1000);
    Eigen::MatrixXd x(d, int(pm::kPanelRows));
    for (int i = 0; i < x.size(); ++i) x.data()[i] = double(int(random() % 2001) - 1000);
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(d, d);
    std::vector<std::uint64_t> lengths(pm::kPanelRows);
    for (int r = 0; r < x.cols(); ++r) lengths[r] = std::uint64_t(x.col(r).squaredNorm());

    constexpr int kSteps = 3'000'000;
    double sum_operations = 0, chain_operations = 0;
    const auto best = bestOf([&] { sum_operations = sums_of_products(kSteps); },
                             [&] { chain_operations = chains_of_both(kSteps); },
                             [&] {
                               std::fill(blocks.begin(), blocks.end(), 0.0);
                               for (int p = 0; p < panels; ++p) {
                                 pm::addGramPanel(panel.data(), tiles, pm::kPanelRows,
                                                  blocks.data(), linear.data());
                               }
                               sink = blocks[0];
                             },
                             [&] {
                               pm::ExactGram exact(d, 22);
                               for (int p = 0; p < panels; ++p) {
                                 for (int r = 0; r < x.cols(); ++r) {
                                   exact.add({x.col(r).data(), std::size_t(d)}, lengths[r]);
                                 }
                               }
                               sink = double(exact.totals().value()[0]);
                             },
                             [&] {
                               gram.setZero();
                               for (int p = 0; p < panels; ++p) {
                                 gram.selfadjointView<Eigen::Upper>().rankUpdate(x);
                               }
                               sink = gram(0, 0);
                             });
    const double peak = std::max(sum_operations / best[0], chain_operations / best[1]) / 1e9;
    const double work = double(d) * d * rows / 1e9;
    const double kernel = work / best[2], exact = work / best[3], eigen = work / best[4];
    std::printf("%6d %8d %10.1f %10.1f %10.1f %8.1f %8.2f %14.2f\n", d, rows, peak, kernel, exact,
                eigen, kernel / peak, exact / peak);
  }
}

/// Number columns for standard normal values with bounds -4 and 4, as in a study.
pm::IntakeTerms normalTerms(int d, bool adaptive) {
  pm::IntakeTerms terms{};
  terms.columns.assign(std::size_t(d), {pm::Column::Kind::kNumber, -4, 4, 0});
  terms.row_norm = std::sqrt(double(d));
  terms.missing = pm::MissingRule::kCentre;
  terms.neighbours = pm::Neighbours::kReplaceOne;
  terms.bits = 22;
  terms.max_rows = std::uint64_t{1} << 36;
  terms.adaptive = adaptive;
  return terms;
}

/// The second reading of private centring, about the mean and in units of the deviation.
pm::IntakeTerms centredTerms(int d) {
  pm::IntakeTerms terms = normalTerms(d, true);
  terms.row_norm = 2.5 * std::sqrt(double(d));
  terms.ladder = pm::centringLadder(10);
  terms.centre.assign(std::size_t(d), 0);
  terms.scale.assign(std::size_t(d), 0.25);
  return terms;
}

pm::Intake intakeOf(const pm::IntakeTerms& terms) {
  return std::move(pm::Intake::create(terms)).value();
}

std::vector<double> normalCells(std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> cells(count);
  for (double& v : cells) v = std::clamp(normal(random), -4.0, 4.0);
  return cells;
}

void benchIntake() {
  std::printf("\nFrom numbers to exact sums, ns per row, the same 128 rows repeatedly\n");
  std::printf("%6s %8s %10s %10s %12s %14s %14s %14s %14s\n", "d", "encode", "quantise",
              "sum of it", "multiply only", "fixed, all", "adaptive, all", "survey",
              "centred, all");
  for (const std::size_t d : {20, 100}) {
    constexpr std::size_t kRows = pm::kPanelRows;
    const int rounds = int(40'000 / d);
    const pm::IntakeTerms terms = normalTerms(int(d), false);
    const auto encoder = std::move(pm::RowEncoder::create(terms.columns)).value();
    const std::vector<double> cells = normalCells(kRows * d);
    std::vector<double> scaled(cells.size()), quantised(cells.size());
    std::vector<pm::ColumnCounts> counts(d);
    std::vector<std::uint64_t> lengths(kRows);
    const auto row = [d](auto& values, std::size_t r) {
      return std::span(values.data() + r * d, d);
    };
    const auto each_row = [&](auto f) {
      for (int round = 0; round < rounds; ++round) {
        for (std::size_t r = 0; r < kRows; ++r) f(r);
      }
    };
    const std::size_t tiles = pm::tileCount(d);
    std::vector<double> panel(tiles * pm::kTileStride), linear(tiles * pm::kTile);
    std::vector<double> blocks(tiles * (tiles + 1) / 2 * pm::kTile * pm::kTile);
    pm::ExactGram gram(int(d), terms.bits);
    pm::Intake fixed = intakeOf(terms), adaptive = intakeOf(normalTerms(int(d), true));
    pm::Intake centred = intakeOf(centredTerms(int(d)));
    pm::Survey survey =
        pm::Survey::create({terms.columns, terms.missing, terms.neighbours, terms.max_rows})
            .value();
    const auto best = bestOf(
        [&] {
          each_row([&](std::size_t r) {
            sink = encoder.encode(row(cells, r), row(scaled, r), counts).value();
          });
        },
        [&] {
          each_row([&](std::size_t r) {
            lengths[r] =
                pm::quantiseRow(row(scaled, r), terms.row_norm, terms.bits, row(quantised, r));
          });
        },
        [&] { each_row([&](std::size_t r) { gram.add(row(quantised, r), lengths[r]); }); },
        [&] {
          for (int round = 0; round < rounds; ++round) {
            pm::addGramPanel(panel.data(), tiles, kRows, blocks.data(), linear.data());
          }
        },
        [&] {
          for (int round = 0; round < rounds; ++round) {
            if (fixed.add(cells)) sink = 0;
          }
        },
        [&] {
          for (int round = 0; round < rounds; ++round) {
            if (adaptive.add(cells)) sink = 0;
          }
        },
        [&] {
          for (int round = 0; round < rounds; ++round) {
            if (survey.add(cells)) sink = 0;
          }
        },
        [&] {
          for (int round = 0; round < rounds; ++round) {
            if (centred.add(cells)) sink = 0;
          }
        });
    const auto ns = [&](std::size_t i) { return best[i] / (rounds * double(kRows)) * 1e9; };
    std::printf("%6zu %8.1f %10.1f %10.1f %12.1f %14.1f %14.1f %14.1f %14.1f\n", d, ns(0), ns(1),
                ns(2), ns(3), ns(4), ns(5), ns(6), ns(7));
  }
}

#ifndef __EMSCRIPTEN__
// Both halves of the rows on two threads and merged, compared with all rows on one thread.
void benchThreads() {
  constexpr int kFeatures = 100;
  constexpr std::size_t kRows = 40'000;
  const pm::IntakeTerms terms = normalTerms(kFeatures, false);
  const std::vector<double> cells = normalCells(kRows * kFeatures);
  const std::span<const double> all(cells);
  bool same = true;
  std::vector<pm::Int128> expected;
  const auto best = bestOf(
      [&] {
        pm::Intake intake = intakeOf(terms);
        if (!intake.add(all)) expected = intake.take(pm::Unit::kRow).value();
      },
      [&] {
        pm::Intake first = intakeOf(terms), second = intakeOf(terms);
        std::thread other([&] { same = !second.add(all.subspan(all.size() / 2)) && same; });
        same = !first.add(all.first(all.size() / 2)) && same;
        other.join();
        same = !first.merge(second.part().value()) && same;
        same = first.take(pm::Unit::kRow).value() == expected && same;
      });
  std::printf(
      "\n%zu rows of %d numbers, two threads compared with one: %.2f times as fast, sums %s\n",
      kRows, kFeatures, best[0] / best[1], same ? "equal" : "DIFFER");
}
#endif

// So many releases that they do not fit in the cache.
void benchAssembly() {
  constexpr int kFeatures = 100;
  constexpr std::size_t kReleases = 2000;
  const std::size_t entries = pm::packedSize(kFeatures + 1);
  std::vector<double> values(entries * kReleases), copy(values.size());
  std::mt19937_64 random(1);
  for (double& v : values) v = double(std::int64_t(random() >> 12) - (std::int64_t{1} << 51));
  const auto best = bestOf([&] { std::copy(values.begin(), values.end(), copy.begin()); },
                           [&] {
                             auto assembly = pm::Assembly::create(kFeatures);
                             for (std::size_t k = 0; k < kReleases; ++k) {
                               const std::span<const double> release(&values[k * entries], entries);
                               if (assembly.value().add(release, 0, 1)) std::abort();
                             }
                           });
  sink = copy[entries];
  const double gigabytes = double(values.size()) * sizeof(double) / 1e9;
  std::printf("\nSumming %zu releases of %d features, GB of released values per second\n",
              kReleases, kFeatures);
  std::printf("%-52s %8.2f\n", "checked and summed exactly", gigabytes / best[1]);
  std::printf("%-52s %8.2f\n", "copied from one place to another", gigabytes / best[0]);
  std::printf("%-52s %8.2f\n", "ratio", best[0] / best[1]);
}

void benchNoise() {
  constexpr std::size_t kSamples = 500'500;  // the upper triangle at 1000 features
  std::vector<std::int64_t> discrete(kSamples);
  std::vector<double> continuous(kSamples);
  pm::Seed seed;
  if (pm::drawSeed(pm::systemEntropy(), seed) != pm::EntropyStatus::kOk) {
    std::printf("no entropy\n");
    return;
  }
  pm::Drbg random(seed);
  std::mt19937_64 twister(seed[0]);
  const auto best = bestOf(
      [&] {
        pm::fillDiscreteGaussian(std::uint64_t{1} << 42, discrete.data(), kSamples, random);
        sink = double(discrete[kSamples / 2]);
      },
      [&] {
        std::normal_distribution<double> normal(0.0, 1e6);
        for (double& v : continuous) v = normal(twister);
        sink = continuous[kSamples / 2];
      });
  std::printf("\nNoise for 1000 features, %zu samples\n", kSamples);
  std::printf("%-52s %8.1f ms\n", "exact discrete Gaussian on ChaCha20", best[0] * 1e3);
  std::printf("%-52s %8.1f ms\n", "std::normal_distribution on mt19937_64 (not private)",
              best[1] * 1e3);
  std::printf("%-52s %8.2f\n", "ratio", best[0] / best[1]);
}

// At epsilon 1, beside the same law in doubles, which the library draws for simulations alone.
void benchWishart() {
  pm::Seed seed;
  if (pm::drawSeed(pm::systemEntropy(), seed) != pm::EntropyStatus::kOk) return;
  pm::Drbg random(seed);
  std::printf(
      "\nTwo-sided Wishart noise at epsilon 1, ms: every entry rounded exactly, in doubles, "
      "ratio\n");
  for (const int features : {13, 100, 400, 1000}) {
    const int n = features + 1;
    const pm::DyadicScale scale = pm::scaleAbove(pm::augmentedNormSquared(22), 2);
    std::vector<pm::Int128> exact(pm::packedSize(std::size_t(n)));
    std::vector<double> rounded(exact.size());
    const auto best = bestOf(
        [&] {
          pm::twoSidedWishartNoise(n, n + 1, scale, random, exact);
          sink = double(exact[0]);
        },
        [&] {
          std::fill(rounded.begin(), rounded.end(), 0.0);
          pm::addWishart(n, n + 1, scale.value(), random, rounded);
          pm::addWishart(n, n + 1, -scale.value(), random, rounded);
          sink = rounded[0];
        });
    std::printf("%6d features %33.3f %9.3f %8.2f\n", features, best[0] * 1e3, best[1] * 1e3,
                best[0] / best[1]);
  }
}

// Rows of which the i-th feature has the variance 1/i, times 5000, in integers.
struct Scatter {
  std::vector<pm::Int128> triangle;
  Eigen::MatrixXd doubles;
};

Scatter decayingScatter(int features) {
  constexpr double kRows = 5000;
  std::mt19937_64 twister(1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd rows(features, 2 * features);
  for (Eigen::Index r = 0; r < rows.cols(); ++r) {
    for (Eigen::Index i = 0; i < features; ++i) {
      rows(i, r) = normal(twister) / std::sqrt(double(i + 1));
    }
    rows.col(r).normalize();
  }
  Scatter scatter{{}, pm::multiplyByTranspose(rows) * (kRows / double(rows.cols()))};
  for (int i = 0; i < features; ++i) {
    for (int j = i; j < features; ++j) {
      scatter.triangle.push_back(pm::Int128(std::nearbyint(std::ldexp(scatter.doubles(i, j), 44))));
    }
  }
  return scatter;
}

// Draws at epsilon 1 under replace-one, beside the same law in doubles. The time of a subspace
// depends on chance, so several are drawn at a time.
void benchDirections() {
  pm::Seed seed;
  if (pm::drawSeed(pm::systemEntropy(), seed) != pm::EntropyStatus::kOk) return;
  pm::Drbg random(seed);
  std::printf("\nDrawn from 5000 rows at epsilon 1, ms: rounded exactly, in doubles, ratio\n");
  for (const int features : {13, 100, 400, 1000}) {
    const Scatter scatter = decayingScatter(features);
    std::vector<double> direction(std::size_t(features), 0.0);
    std::vector<double> projection(pm::packedSize(std::size_t(features)));
    std::uint64_t undecided = 0;
    for (const int k : {1, 5}) {
      const std::vector<double> kappas(std::size_t(k), 0.25 / k);
      const auto best = bestOf(
          [&] {
            pm::Eigenbasis basis(scatter.triangle, features, 22);
            for (int i = 0; i < k; ++i) {
              pm::drawDirection(basis, kappas[0], random, direction, undecided);
              if (i + 1 < k) basis.leave(direction);
            }
            sink = direction[0];
          },
          [&] {
            sink =
                pm::idealized::drawDirections(pm::spectrum(scatter.doubles), kappas, random)(0, 0);
          });
      std::printf("%6d features, %d in turn %24.3f %9.3f %8.2f\n", features, k, best[0] * 1e3,
                  best[1] * 1e3, best[0] / best[1]);
    }
    const int draws = features > 100 ? 2 : 20;
    const auto best = bestOf(
        [&] {
          for (int i = 0; i < draws; ++i) {
            const pm::Eigenbasis basis(scatter.triangle, features, 22);
            pm::drawSubspace(basis, 2, 0.5, random, projection, undecided);
          }
          sink = projection[0];
        },
        [&] {
          for (int i = 0; i < draws; ++i) {
            const pm::Spectrum pairs = pm::spectrum(scatter.doubles);
            std::vector<double> alphas;
            for (const double value : pairs.values) alphas.push_back((pairs.values[0] - value) / 2);
            sink = pm::idealized::sampleMatrixBingham(alphas, 2, random)(0, 0);
          }
        });
    std::printf("%6d features, plane of 2 %25.3f %9.3f %8.2f\n", features, best[0] * 1e3 / draws,
                best[1] * 1e3 / draws, best[0] / best[1]);
  }
}

}  // namespace

int main() {
  benchGram();
  benchIntake();
#ifndef __EMSCRIPTEN__
  benchThreads();
#endif
  benchAssembly();
  benchNoise();
  benchWishart();
  benchDirections();
}
