#include "core/moments/centred_assembly.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/random/continuous.hpp"
#include "core/random/drbg.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm::centred_assembly_test {

using namespace testing_support;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kFeatures = 3;
constexpr double kSd = 1;

/// A release of known rows, or of noise alone, in coordinates of its own.
struct Site {
  std::vector<double> centre, scale;
  double radius = 1, constant = 0.5, unit = 0x1p-30, diagonal = 0, off_diagonal = 0;

  CentredScale map() const {
    CentredScale map{};
    map.radius = radius;
    map.unit = unit;
    map.constant = constant;
    map.diagonal = diagonal;
    map.off_diagonal = off_diagonal;
    map.centre = centre;
    map.scale = scale;
    return map;
  }

  /// The whole numbers of a release of these scaled rows (rows x D), without noise.
  std::vector<double> valuesOf(const MatrixXd& rows) const {
    MatrixXd z(rows.rows(), kFeatures + 1);
    z.col(0).setConstant(constant);
    for (Index j = 0; j < kFeatures; ++j) {
      z.col(j + 1) = (rows.col(j).array() - centre[std::size_t(j)]) / scale[std::size_t(j)];
    }
    return packed(z.transpose() * z);
  }

  std::vector<double> packed(const MatrixXd& sums) const {
    std::vector<double> values;
    for (Index i = 0; i <= kFeatures; ++i) {
      for (Index j = i; j <= kFeatures; ++j) values.push_back(std::nearbyint(sums(i, j) / unit));
    }
    return values;
  }
};

MatrixXd rowsOf(Index count, std::uint64_t seed) {
  Drbg random(unsafeTestSeed(seed));
  MatrixXd rows(count, kFeatures);
  for (double& x : rows.reshaped()) x = 0.3 + 0.1 * standardNormal(random);
  rows.col(1) -= rows.col(0);
  return rows;
}

const std::vector<Site> kSites{{{0.25, -0.125, 0}, {0.5, 0.125, 1}},
                               {{-0.5, 0.75, 0x1p-16}, {0.25, 0.25, 0.0625}},
                               {{0.3125, 0, 0.5}, {0.125, 0.5, 0.5}}};

CentredSums summed(const std::vector<int>& order, const std::vector<MatrixXd>& rows,
                   bool rows_are_public = true) {
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  for (const int s : order) {
    const Site& site = kSites[std::size_t(s)];
    const MatrixXd& own = rows[std::size_t(s)];
    EXPECT_FALSE(
        assembly.add(site.valuesOf(own), site.map(),
                     rows_are_public ? std::optional(std::uint64_t(own.rows())) : std::nullopt));
  }
  return assembly.sum().value();
}

TEST(CentredAssembly, SumsReleasesOfDifferentCoordinatesToTheMomentsOfAllRows) {
  const std::vector<MatrixXd> rows{rowsOf(40, 1), rowsOf(7, 2), rowsOf(300, 3)};
  MatrixXd all(347, kFeatures);
  all << rows[0], rows[1], rows[2];
  for (const bool rows_are_public : {true, false}) {
    const CentredSums sums = summed({0, 1, 2}, rows, rows_are_public);
    EXPECT_NEAR(sums.packed[0], 347, 1e-6);
    EXPECT_EQ(sums.rows.has_value(), rows_are_public);
    MatrixXd z(347, kFeatures);
    for (Index j = 0; j < kFeatures; ++j) {
      const std::size_t at = std::size_t(j);
      z.col(j) = (all.col(j).array() - sums.centre[at]) / sums.units[at];
      EXPECT_NEAR(sums.packed[1 + at], z.col(j).sum(), 1e-5) << j;
    }
    const MatrixXd products = z.transpose() * z;
    std::size_t entry = kFeatures + 1;
    for (Index i = 0; i < kFeatures; ++i) {
      for (Index j = i; j < kFeatures; ++j, ++entry) {
        EXPECT_NEAR(sums.packed[entry], products(i, j), 1e-4) << i << " " << j;
      }
    }
  }
}

TEST(CentredAssembly, DoesNotDependOnTheOrderOfReleases) {
  const std::vector<MatrixXd> rows{rowsOf(40, 1), rowsOf(7, 2), rowsOf(300, 3)};
  const CentredSums first = summed({0, 1, 2}, rows);
  for (const auto& order : {std::vector{2, 1, 0}, {1, 2, 0}}) {
    const CentredSums other = summed(order, rows);
    EXPECT_EQ(first.packed, other.packed);
    EXPECT_EQ(first.centre, other.centre);
    EXPECT_EQ(first.units, other.units);
  }
}

TEST(CentredAssembly, KeepsTheCoordinatesOfASingleRelease) {
  Site site = kSites[1];
  site.radius = 3;
  site.diagonal = 2;
  site.off_diagonal = std::sqrt(2.0);
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  ASSERT_FALSE(assembly.add(site.valuesOf(rowsOf(9, 1)), site.map(), 9));
  const CentredSums sums = assembly.sum().value();
  EXPECT_EQ(sums.centre, site.centre);
  for (std::size_t j = 0; j < kFeatures; ++j) EXPECT_NEAR(sums.units[j], site.scale[j], 1e-15);
  EXPECT_DOUBLE_EQ(sums.diagonal, 2);
  EXPECT_DOUBLE_EQ(sums.off_diagonal, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(sums.linear, std::sqrt(2.0) / site.constant);
  EXPECT_NEAR(sums.mean_squared_radius, 9, 1e-12);
}

TEST(CentredAssembly, TakesAReleaseOfTheLargestRadiusThatNoisyCountsChoose) {
  // Noise makes the radius some 78 times the typical distance in one release of thousands, and the
  // variance of the sums grows with its fourth power.
  const double radius = 78.4, sd = 2.03;
  const std::vector<double> centre = {0.39, 0.41}, scale = {0.1, 0.06};
  CentredScale map{};
  map.radius = radius;
  map.unit = 0.8;
  map.constant = 0.316 * radius;
  map.off_diagonal = sd * radius * radius;
  map.diagonal = std::sqrt(2) * map.off_diagonal;
  map.centre = centre;
  map.scale = scale;
  CentredAssembly assembly = CentredAssembly::create(2, sd).value();
  const std::vector<double> values = {817953, 14736, -14898, 7469, -7989, -1250};
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(assembly.add(values, map, std::nullopt, {}));
  EXPECT_TRUE(assembly.sum().ok());
}

TEST(CentredAssembly, StatesTheVarianceOfItsNoise) {
  std::vector<Site> sites = kSites;
  const double sds[] = {1, 3, 0.5};
  for (std::size_t s = 0; s < 3; ++s) {
    sites[s].unit = 0x1p-20;
    sites[s].off_diagonal = sds[s];
    sites[s].diagonal = std::sqrt(2) * sds[s];
  }
  constexpr int kDraws = 4000;
  Drbg random(unsafeTestSeed(7));
  CentredSums sums;
  double diagonal = 0, off_diagonal = 0, linear = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
    for (const Site& site : sites) {
      MatrixXd noise(kFeatures + 1, kFeatures + 1);
      for (Index i = 0; i <= kFeatures; ++i) {
        for (Index j = i; j <= kFeatures; ++j) {
          noise(i, j) = (i == j ? site.diagonal : site.off_diagonal) * standardNormal(random);
        }
      }
      // Rows at the centre, so that without noise all sums about it are zero.
      ASSERT_FALSE(assembly.add(site.packed(noise), site.map(), 10));
    }
    sums = assembly.sum().value();
    // The products of three equally weighted centres.
    MatrixXd exact = MatrixXd::Zero(kFeatures, kFeatures);
    for (const Site& site : sites) {
      VectorXd from(kFeatures);
      for (std::size_t j = 0; j < kFeatures; ++j) {
        from[Index(j)] = (site.centre[j] - sums.centre[j]) / sums.units[j];
      }
      exact += 10 * from * from.transpose();
    }
    std::size_t entry = kFeatures + 1;
    for (Index i = 0; i < kFeatures; ++i) {
      linear += std::pow(sums.packed[1 + std::size_t(i)], 2) / kFeatures;
      for (Index j = i; j < kFeatures; ++j, ++entry) {
        const double noise = sums.packed[entry] - exact(i, j);
        (i == j ? diagonal : off_diagonal) += noise * noise / kFeatures;
      }
    }
  }
  // Each is a mean of 4000 (dependent) squares; 8 standard errors of the mean of as many squares of
  // normal numbers, all three entries of one draw taken as one.
  const double margin = 8 * std::sqrt(2.0 / kDraws);
  EXPECT_NEAR(diagonal / kDraws / std::pow(sums.diagonal, 2), 1, margin);
  EXPECT_NEAR(off_diagonal / kDraws / std::pow(sums.off_diagonal, 2), 1, margin);
  EXPECT_NEAR(linear / kDraws / std::pow(sums.linear, 2), 1, margin);
}

/// Three sites with noise, the first twice as often, and what clipping did to their rows.
struct Noisy {
  std::vector<Site> sites = kSites;
  std::vector<MatrixXd> rows{rowsOf(40, 1), rowsOf(7, 2), rowsOf(300, 3)};
  std::vector<int> order{0, 1, 2, 0};

  Noisy() {
    for (std::size_t s = 0; s < sites.size(); ++s) {
      sites[s].radius = 1 + double(s);
      sites[s].off_diagonal = 0.3 * double(s + 1);
      sites[s].diagonal = std::sqrt(2) * sites[s].off_diagonal;
    }
  }

  void addTo(CentredAssembly& assembly, int s, bool rows_are_public) const {
    const Site& site = sites[std::size_t(s)];
    const MatrixXd& own = rows[std::size_t(s)];
    const std::optional<std::uint64_t> count =
        rows_are_public ? std::optional(std::uint64_t(own.rows())) : std::nullopt;
    const double shortened = s == 1 ? -0.25 : 3.5;
    // Two such counts may be .25 rows off.
    const double count_sd = 0.125 / std::sqrt(2.0);
    double scales = 0;
    for (const double scale : site.scale) scales += scale * scale / kFeatures;
    const ClippedRows clipped{shortened, 2, 0.1 * (s + 1) / scales, count_sd};
    EXPECT_FALSE(assembly.add(site.valuesOf(own), site.map(), count, clipped));
  }
};

void expectEqual(const CentredSums& one, const CentredSums& other) {
  EXPECT_EQ(one.packed, other.packed);
  EXPECT_EQ(one.centre, other.centre);
  EXPECT_EQ(one.units, other.units);
  EXPECT_EQ(one.centre_spread, other.centre_spread);
  EXPECT_EQ(one.noise_centres, other.noise_centres);
  EXPECT_EQ(one.diagonal, other.diagonal);
  EXPECT_EQ(one.off_diagonal, other.off_diagonal);
  EXPECT_EQ(one.linear, other.linear);
  EXPECT_EQ(one.count, other.count);
  EXPECT_EQ(one.mean_squared_radius, other.mean_squared_radius);
  EXPECT_EQ(one.rows, other.rows);
  EXPECT_EQ(one.clipped.shortened, other.clipped.shortened);
  EXPECT_EQ(one.clipped.counts, other.clipped.counts);
  EXPECT_EQ(one.clipped.lost, other.clipped.lost);
}

TEST(CentredAssembly, GivesTheSameBitsForNumbersThatWereAddedUpElsewhere) {
  const Noisy all;
  for (const bool rows_are_public : {true, false}) {
    CentredAssembly together = CentredAssembly::create(kFeatures, kSd).value();
    std::vector<Int128> numbers(CentredSummands::length(kFeatures));
    std::vector<std::int64_t> reach(kFeatures);
    std::uint64_t rows = 0;
    for (const int s : all.order) {
      all.addTo(together, s, rows_are_public);
      CentredAssembly alone = CentredAssembly::create(kFeatures, kSd).value();
      all.addTo(alone, s, rows_are_public);
      const CentredSummands& own = alone.summands();
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += own.numbers()[k];
      for (std::size_t j = 0; j < reach.size(); ++j) reach[j] = std::max(reach[j], own.reach()[j]);
      rows += std::uint64_t(all.rows[std::size_t(s)].rows());
    }
    CentredAssembly summed = CentredAssembly::create(kFeatures, kSd).value();
    ASSERT_FALSE(summed.addSum(numbers, reach, all.order.size(),
                               rows_are_public ? std::optional(rows) : std::nullopt));
    EXPECT_EQ(summed.releases(), all.order.size());
    expectEqual(summed.sum().value(), together.sum().value());
  }
}

TEST(CentredAssembly, StatesWhatClippingDidAndHowFarItMovedRowsTogether) {
  const Noisy all;
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  for (const int s : all.order) all.addTo(assembly, s, true);
  const CentredSums sums = assembly.sum().value();
  EXPECT_DOUBLE_EQ(sums.clipped.shortened, 3.5 - 0.25 + 3.5 + 3.5);
  EXPECT_EQ(sums.clipped.counts, 8);
  EXPECT_NEAR(sums.clipped.lost, 0.1 + 0.2 + 0.3 + 0.1, 1e-8);
  MatrixXd spread = MatrixXd::Zero(kFeatures, kFeatures);
  for (const int s : all.order) {
    if (s == 1) continue;  // by its counts no row was shortened
    const double n = double(all.rows[std::size_t(s)].rows());
    VectorXd from(kFeatures);
    for (std::size_t j = 0; j < kFeatures; ++j) {
      from[Index(j)] = (all.sites[std::size_t(s)].centre[j] - sums.centre[j]) / sums.units[j];
    }
    spread += n * std::pow(3.75 / n, 2) * from * from.transpose() / double(*sums.rows);
  }
  std::size_t entry = 0;
  for (Index i = 0; i < kFeatures; ++i) {
    for (Index j = i; j < kFeatures; ++j, ++entry) {
      // Weights are multiples of 2^-10 rows.
      EXPECT_NEAR(sums.centre_spread[entry], spread(i, j), 0.02 * spread.cwiseAbs().maxCoeff())
          << i << " " << j;
    }
  }
  EXPECT_EQ(entry, sums.centre_spread.size());
}

TEST(CentredAssembly, SaysNothingOfSpreadCentresForOneRelease) {
  const Noisy all;
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  all.addTo(assembly, 0, true);
  EXPECT_TRUE(assembly.sum().value().centre_spread.empty());
}

TEST(CentredAssembly, WeighsCentresByTheNoiseOfTheirReleases) {
  const Noisy all;
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  for (const int s : all.order) all.addTo(assembly, s, true);
  const CentredSums sums = assembly.sum().value();
  MatrixXd exact = MatrixXd::Zero(kFeatures + 1, kFeatures + 1);
  double weights = 0;
  for (const int s : all.order) {
    const Site& site = all.sites[std::size_t(s)];
    VectorXd lifted(kFeatures + 1);
    lifted[0] = 1;
    double scales = 0;
    for (std::size_t j = 0; j < kFeatures; ++j) {
      lifted[Index(j) + 1] = (site.centre[j] - sums.centre[j]) / sums.units[j];
      scales += std::pow(site.scale[j], 2);
    }
    const double weight = std::pow(site.off_diagonal / site.constant, 2) * scales;
    weights += weight;
    exact += weight * lifted * lifted.transpose();
  }
  std::size_t entry = 0;
  for (Index i = 0; i <= kFeatures; ++i) {
    for (Index j = i; j <= kFeatures; ++j, ++entry) {
      const double size = 1e-9 * exact.cwiseAbs().maxCoeff() / weights;
      EXPECT_NEAR(sums.noise_centres[entry], exact(i, j) / weights, size) << i << " " << j;
    }
  }
}

TEST(CentredAssembly, RefusesSumsThatNoReleasesHave) {
  const Noisy all;
  CentredAssembly alone = CentredAssembly::create(kFeatures, kSd).value();
  all.addTo(alone, 0, true);
  const std::vector<Int128> numbers = alone.summands().numbers();
  const std::vector<std::int64_t> reach = alone.summands().reach();
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  const auto codeOf = [&](const std::vector<Int128>& sums, const std::vector<std::int64_t>& widest,
                          std::uint64_t releases, std::uint64_t rows) {
    const Status status = assembly.addSum(sums, widest, releases, rows);
    return status ? status->code : Code::kInvalidView;
  };
  EXPECT_EQ(codeOf(numbers, reach, 0, 40), Code::kNoRows);
  EXPECT_EQ(codeOf(numbers, reach, 1, 41), Code::kNoRows);
  EXPECT_EQ(codeOf({numbers.begin(), numbers.end() - 1}, reach, 1, 40), Code::kWrongLength);
  EXPECT_EQ(codeOf(numbers, {1, 1}, 1, 40), Code::kWrongLength);
  EXPECT_EQ(codeOf(numbers, {0, 1, 1}, 1, 40), Code::kNotFinite);
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    std::vector<Int128> large = numbers;
    large[k] = Int128(1) << 116;
    EXPECT_EQ(codeOf(large, reach, 1, 40), Code::kNotFinite) << k;
  }
  std::vector<Int128> without_noise = numbers;
  without_noise[6] = 0;  // the variance of a sum z_j z_j
  EXPECT_EQ(codeOf(without_noise, reach, 1, 40), Code::kNotFinite);
  EXPECT_EQ(assembly.releases(), 0U);
  EXPECT_EQ(codeOf(numbers, reach, 1, 40), Code::kInvalidView);
}

TEST(CentredAssembly, RefusesWhatIsNoRelease) {
  CentredAssembly assembly = CentredAssembly::create(kFeatures, kSd).value();
  const std::vector<double> values = kSites[0].valuesOf(rowsOf(5, 1));
  const auto codeOf = [&](const std::vector<double>& sent, const Site& site) {
    const Status status = assembly.add(sent, site.map(), 5);
    return status ? status->code : Code::kNoRows;
  };
  EXPECT_EQ(codeOf({1, 2}, kSites[0]), Code::kWrongLength);
  std::vector<double> broken = values;
  broken[3] = 0.5;
  EXPECT_EQ(codeOf(broken, kSites[0]), Code::kNotFinite);
  for (const auto& [centre, scale] : {std::pair(1.5, 0.5), {0.0, 0.0}, {0.0, 2.0}}) {
    Site site = kSites[0];
    site.centre[0] = centre;
    site.scale[0] = scale;
    EXPECT_EQ(codeOf(values, site), Code::kNotFinite);
  }
  EXPECT_EQ(assembly.sum().error().code, Code::kNoRows);
  EXPECT_EQ(CentredAssembly::create(0, kSd).error().code, Code::kInvalidDimension);
}

}  // namespace pm::centred_assembly_test
