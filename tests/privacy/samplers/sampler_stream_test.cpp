// Compiled twice: with the sampler as it is, and with PM_SLOW_BERNOULLI, where every comparison is
// decided exactly, bit by bit. Both must give the same samples from the same random words.
#include <gtest/gtest.h>

#include <vector>

#include "core/random/discrete_gaussian.hpp"
#include "core/random/discrete_laplace.hpp"
#include "tests/support/unsafe_test_noise.hpp"
#include "tests/support/vectors.hpp"

namespace pm {
namespace sampler_stream_test {

using namespace testing_support;

template <class Sample>
void expectReferenceStreams(const char* file, const char* sampler,
                            void (*fill)(std::uint64_t, Sample*, std::size_t, Drbg&)) {
  constexpr std::size_t kSamples = 3'000'000, kChunk = 30'000;
  const auto streams = readVectors(file)["streams"];
  const Seed seed = unsafeTestSeedOfHex(streams["seed"].get<std::string>());
  int checked = 0;
  for (const auto& vector : streams["vectors"]) {
    if (vector["sampler"] != sampler) continue;
    ++checked;
    const std::uint64_t w = integerOf(vector["param"]) / 16;
    Drbg random(seed);
    StreamDigest digest;
    std::vector<Sample> samples(kChunk);
    for (std::size_t done = 0; done < kSamples; done += kChunk) {
      fill(w, samples.data(), kChunk, random);
      for (const Sample x : samples) digest.add(std::uint64_t(x));
      for (std::size_t i = 0; done == 0 && i < 16; ++i) {
        EXPECT_EQ(std::int64_t(samples[i]), signedOf(vector["first16"][i]));
      }
    }
    EXPECT_EQ(digest.value(), integerOf(vector["fnv64_of_3e6"])) << "w = " << w;

    UnsafeTestRandom words(seed);
    const std::uint64_t used = vector["words_used"].get<std::uint64_t>();
    while (words.words() < used) words.next64();
    EXPECT_EQ(random.next64(), words.next64()) << "w = " << w;
  }
  EXPECT_EQ(checked, 3);
}

TEST(Block16, ReproducesTheReferenceStreamsAndUsesAsManyWords) {
  expectReferenceStreams("noise.json", "block16_gauss", &fillDiscreteGaussian);
}

TEST(Block16Laplace, ReproducesTheReferenceStreamsAndUsesAsManyWords) {
  expectReferenceStreams("laplace.json", "block16_laplace", &fillDiscreteLaplace);
}

TEST(Block16, GivesTheSameSamplesForEveryChunkSize) {
  Drbg at_once(unsafeTestSeed(70)), one_by_one(unsafeTestSeed(70));
  std::vector<std::int64_t> samples(1000), singles(1000);
  fillDiscreteGaussian(12345, samples.data(), samples.size(), at_once);
  for (std::int64_t& x : singles) fillDiscreteGaussian(12345, &x, 1, one_by_one);
  EXPECT_EQ(samples, singles);
}

}  // namespace sampler_stream_test
}  // namespace pm
