// A black-box audit of every algorithm: two neighbouring tables, some with a row that changes its
// label, many syntheses of each, and the likelihood ratio of everything released. Its error rates
// bound epsilon from below; the bound must not exceed the guarantee.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/matrix/spectrum.hpp"
#include "core/mechanisms/gaussian.hpp"
#include "core/mechanisms/laplace.hpp"
#include "core/synthesis/fit/synthesis.hpp"
#include "tests/support/effort.hpp"
#include "tests/support/likelihood_audit.hpp"
#include "tests/support/synthesis_fixtures.hpp"
#include "tests/support/unsafe_test_noise.hpp"

namespace pm {
namespace synthesis_audit_test {

using namespace testing_support;

constexpr double kEpsilon = 2, kGaussianEpsilon = 0.5, kDelta = 0.05;

// Exact noise is drawn in blocks of thousands, but a table needs only a few numbers: it takes the
// next ones of the last block. Each number is used once.
class Pool {
 public:
  Int128 next(const Step& step, std::uint64_t width, Drbg& random) {
    std::vector<Int128>& left = left_[{step.kind, width}];
    if (left.empty()) {
      if (step.kind == SynthesisNoise::kLaplace) {
        left = laplaceNoise(width, 1, random);
      } else {
        const std::vector<std::int64_t> drawn = gaussianNoise(width, 1, random);
        left.assign(drawn.begin(), drawn.end());
      }
    }
    const Int128 noise = left.back();
    left.pop_back();
    return noise;
  }

 private:
  std::map<std::pair<SynthesisNoise, std::uint64_t>, std::vector<Int128>> left_;
};

// Draws noise and records the releases; the noise is too small if `shrink` > 1.
class Transcript final : public NoiseSource {
 public:
  Transcript(Drbg& random, Pool& pool, std::uint64_t shrink)
      : random_(random), pool_(pool), shrink_(shrink) {}
  std::vector<std::vector<Int128>> released;

  void add(const Step& step, std::span<Int128> sums) override {
    if (step.kind == SynthesisNoise::kTwoSidedWishart || step.kind == SynthesisNoise::kFrobenius) {
      DrawnNoise(random_).add(step, sums);
    } else {
      addDiscrete(step, sums);
    }
    released.emplace_back(sums.begin(), sums.end());
  }
  std::size_t choose(std::span<const std::uint64_t>, double) override { return 0; }

 private:
  void addDiscrete(const Step& step, std::span<Int128> sums) {
    const bool matrix = step.query.shape == Query::Shape::kMatrix;
    std::size_t entry = 0;
    for (int block = 0; block < step.query.blocks; ++block) {
      for (int i = 0; i < step.query.size; ++i) {
        for (int j = i; j < (matrix ? step.query.size : i + 1); ++j, ++entry) {
          const bool off = i != j && step.kind == SynthesisNoise::kGaussian;
          const std::uint64_t width = (off ? step.off_width : step.width) / shrink_;
          sums[entry] += pool_.next(step, width, random_);
        }
      }
    }
  }

  Drbg& random_;
  Pool& pool_;
  std::uint64_t shrink_;
};

double sizeOf(const Step& step, const std::vector<double>& e) {
  double size = 0;
  const std::size_t n = std::size_t(step.query.size);
  std::size_t entry = 0;
  for (int block = 0; block < step.query.blocks; ++block) {
    double square = 0;
    Eigen::MatrixXd matrix(step.query.size, step.query.size);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t end = step.query.shape == Query::Shape::kMatrix ? n : i + 1;
      for (std::size_t j = i; j < end; ++j, ++entry) {
        const double sigma = 16 * double(i == j ? step.width : step.off_width);
        if (step.kind == SynthesisNoise::kLaplace)
          size += std::fabs(e[entry]) / (16 * double(step.width));
        if (step.kind == SynthesisNoise::kGaussian) {
          size += e[entry] * e[entry] / (2 * sigma * sigma);
        }
        square += (i == j ? 1 : 2) * e[entry] * e[entry];
        matrix(Eigen::Index(i), Eigen::Index(j)) = matrix(Eigen::Index(j), Eigen::Index(i)) =
            e[entry];
      }
    }
    if (step.kind == SynthesisNoise::kFrobenius) size += std::sqrt(square) / step.scale.value();
    // Not the density, which has a further factor, but its most informative part.
    if (step.kind == SynthesisNoise::kTwoSidedWishart) {
      size += eigenvalues(matrix).cwiseAbs().sum() / (2 * step.scale.value());
    }
  }
  return size;
}

// Repeats the same releases for another table and returns minus the logarithm of their density, up
// to a constant.
class Replay final : public NoiseSource {
 public:
  explicit Replay(const Transcript& transcript) : released_(transcript.released) {}
  double unlikely = 0;

  void add(const Step& step, std::span<Int128> sums) override {
    const std::vector<Int128>& repeated = released_[next_++];
    std::vector<double> e(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      e[i] = double(repeated[i] - sums[i]);
      sums[i] = repeated[i];
    }
    unlikely += sizeOf(step, e);
  }
  std::size_t choose(std::span<const std::uint64_t>, double) override { return 0; }

 private:
  const std::vector<std::vector<Int128>>& released_;
  std::size_t next_ = 0;
};

struct Case {
  const char* name;
  SynthesisTerms terms;
  std::vector<double> first, second;
};

double unlikely(const SynthesisTerms& terms, const std::vector<double>& cells,
                const Transcript& transcript) {
  Replay replay(transcript);
  SynthesisTable table = tableOf(terms, cells);
  EXPECT_TRUE(synthesise(table, replay).ok());
  return replay.unlikely;
}

std::vector<double> scores(const Case& c, bool first, std::uint64_t count, std::uint64_t seed,
                           std::uint64_t shrink) {
  std::vector<double> result;
  Drbg random(unsafeTestSeed(seed));
  Pool pool;
  for (std::uint64_t i = 0; i < count; ++i) {
    Transcript transcript(random, pool, shrink);
    SynthesisTable table = tableOf(c.terms, first ? c.first : c.second);
    EXPECT_TRUE(synthesise(table, transcript).ok());
    result.push_back(unlikely(c.terms, c.second, transcript) -
                     unlikely(c.terms, c.first, transcript));
  }
  return result;
}

// Rows that differ most for every mean: two classes, and the last row changes from one to the
// other.
Case classes(double epsilon, double delta) {
  return {"classes",
          synthesisTerms(2, 2, epsilon, delta),
          {0.3, 0.3, 0, -0.2, 0.4, 1, 1, 1, 0},
          {0.3, 0.3, 0, -0.2, 0.4, 1, 1, -1, 1}};
}

Case density(double epsilon, double delta) {
  return {"density", synthesisTerms(2, 0, epsilon, delta), {0.3, 0.3, 1, 1}, {0.3, 0.3, 1, -1}};
}

Case regression(double epsilon, double delta) {
  return {"regression",
          regressionTerms(3, epsilon, delta),
          {0.3, 0.3, 0, 1, 1, 1},
          {0.3, 0.3, 0, -1, -1, -1}};
}

Case projected(double epsilon, double delta) {
  Case c{"projected",
         synthesisTerms(3, 0, epsilon, delta),
         {0.3, 0.3, 0, 1, 1, 1},
         {0.3, 0.3, 0, 1, -1, 0}};
  c.terms.components = 1;
  c.terms.projection.source = ProjectionSource::kPrivate;
  return c;
}

Case spectrumCase(double epsilon, double delta) {
  Case c{"spectrum", synthesisTerms(2, 0, epsilon, delta), {1, 1, 1, 1}, {1, 1, 1, -1}};
  c.terms.task = SynthesisTask::kSpectrum;
  return c;
}

Case jointly(Case c) {
  c.terms.sums = SumsForm::kJoint;
  return c;
}

std::vector<Case> cases(double epsilon, double delta) {
  return {classes(epsilon, delta),         density(epsilon, delta),
          regression(epsilon, delta),      projected(epsilon, delta),
          spectrumCase(epsilon, delta),    jointly(classes(epsilon, delta)),
          jointly(density(epsilon, delta))};
}

double refutedPure(const Case& c, std::uint64_t count, std::uint64_t seed, std::uint64_t shrink) {
  return epsilonAtLeast(scores(c, true, count, seed, shrink),
                        scores(c, false, count, seed + 1, shrink), kEpsilon);
}

TEST(SynthesisAudit, OfPureAlgorithmsStaysBelowTheGuaranteeAndAboveZero) {
  std::uint64_t seed = 0;
  for (const SynthesisNoise noise : {SynthesisNoise::kLaplace, SynthesisNoise::kTwoSidedWishart}) {
    for (Case c : cases(kEpsilon, 0)) {
      c.terms.noise = noise;
      const double refuted = refutedPure(c, draws(1'000), seed += 2, 1);
      EXPECT_LE(refuted, kEpsilon) << c.name;
      if (!kSlowBuild) {
        EXPECT_GT(refuted, 0.05) << c.name;
      }
    }
  }
}

TEST(SynthesisAudit, OfGaussianAlgorithmsStaysBelowTheGuaranteeAndAboveZero) {
  std::uint64_t seed = 100;
  for (Case c : cases(kGaussianEpsilon, kDelta)) {
    c.terms.noise = SynthesisNoise::kGaussian;
    const SynthesisPlan plan = planSynthesis(c.terms).value();
    EXPECT_EQ(plan.guarantee.delta, kDelta);
    const std::uint64_t count = draws(600);
    std::vector<double> first = scores(c, true, count, seed, 1);
    std::vector<double> second = scores(c, false, count, seed + 1, 1);
    for (std::vector<double>* list : {&first, &second}) {
      for (double& score : *list) score /= plan.guarantee.gdp;
    }
    seed += 2;
    const GaussianAudit audit = gaussianAudit(first, second, kDelta, 5);
    EXPECT_LE(audit.epsilon_at_least, kGaussianEpsilon) << c.name;
    // Neighbours at most mu apart; the standard error of the distance is sqrt(2 / count).
    EXPECT_LE(audit.distance, plan.guarantee.gdp + 5.5 * std::sqrt(2 / double(count))) << c.name;
    EXPECT_GT(audit.distance, 0.3 * plan.guarantee.gdp) << c.name;
  }
}

TEST(SynthesisAudit, CatchesNoiseFiveTimesTooSmall) {
  std::uint64_t seed = 200;
  for (Case c : cases(kEpsilon, 0)) {
    c.terms.noise = SynthesisNoise::kLaplace;
    EXPECT_GT(refutedPure(c, 1'000, seed += 2, 5), kEpsilon) << c.name;
  }
}

}  // namespace synthesis_audit_test
}  // namespace pm
