#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/int128.hpp"
#include "core/mechanisms/dyadic_scale.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// The law of the noise on a matrix of sums; `kindFor` gives the matching law for vectors and
/// counts.
enum class SynthesisNoise {
  kLaplace,          ///< discrete, exact; pure
  kGaussian,         ///< discrete, exact; needs delta > 0
  kFrobenius,        ///< density exp(-|E|_F / s), for a vector exp(-|e|_2 / s); exact; pure
  kTwoSidedWishart,  ///< for matrices; exact; pure
};

/// "laplace", "gaussian", "frobenius" or "two-sided-wishart".
const char* name(SynthesisNoise noise);

/// Exact integer sums over the rows that one step needs, with their sensitivities to replacing one
/// row in four norms. There are `blocks` consecutive vectors or packed upper triangles.
struct Query {
  enum class Shape { kVector, kMatrix };
  Shape shape;
  int blocks;   ///< >= 1
  int size;     ///< entries of a vector or rows of a matrix; >= 1
  double unit;  ///< value of one grid unit: rows, or sums in units of the unit ball

  std::uint64_t l1;         ///< sum of absolute values, of upper triangles
  Uint128 l2_squared;       ///< Frobenius norm, squared, of all blocks as one vector
  std::uint64_t blocks_l2;  ///< sum of the blocks' Frobenius norms
  std::uint64_t nuclear;    ///< sum of the blocks' nuclear norms; matrices only

  std::size_t entries() const;  ///< in all blocks
};

/// Counts are in units of 2^-kCountBits rows.
constexpr int kCountBits = 20;

// In all queries every integer row has length at most L = 2^bits. If `moves`, the replacing row may
// belong to another class, or to none and then to no block. Proofs of the bounds:
// docs/mechanisms/pca-gauss.md.

/// The number of rows of each class.
Query countsQuery(int classes);
/// The sum of the rows of each class, `size` entries each.
Query sumsQuery(int classes, int size, int bits);
/// The sum of rows of `features` + 1 entries, the last of which is a label in [-L, L].
Query labelledSumQuery(int features, int bits);
/// The sum of q q^T over the rows of each class; entries of rows are at most `largest` <= L.
/// Without `moves` a row stays in its class, and all rows may form one class.
Query scatterQuery(int classes, int size, int bits, std::uint64_t largest, bool moves);
/// The sum of (A, w)(A, w)^T over the rows of each class, A = `momentsConstant`: counts, sums and
/// second moments at once. w is a row of `features` entries, of length at most L, followed by a
/// label in [-L, L] if `labelled`. If `classes` is 0, the sum is over all rows, whose number is
/// public.
Query momentsQuery(int classes, int features, bool labelled, int bits, bool moves);
/// L with classes; L / 2 without, where only the mean needs it.
std::uint64_t momentsConstant(int classes, int bits);
/// The most rows of a spectrum: the error of eigenvalues in doubles, which the noise pays for,
/// grows with the rows.
constexpr std::uint64_t kMaxRowsOfSpectrum = std::uint64_t{1} << 20;
/// The `size` largest eigenvalues of the sum of q q^T over rows of `features` entries, computed in
/// doubles with an error of at most eigenvalueError and rounded to integers.
Query spectrumQuery(int features, int size, int bits);

/// A query with noise for a budget: pure epsilon, or mu of GDP for kGaussian.
struct Step {
  const char* what;  ///< "projection", "counts", "means", "scatter", "spectrum"
  Query query;
  SynthesisNoise kind;
  double budget;  ///< as requested; an upper bound on the cost of the noise

  std::uint64_t width = 0;      ///< discrete noise: scale or standard deviation 16 w, grid units
  std::uint64_t off_width = 0;  ///< kGaussian: width off the diagonal of a matrix
  DyadicScale scale{};          ///< s, or 1/(2c) of the two-sided Wishart law

  double sd() const;     ///< of an entry of a vector or of a diagonal, in units of the query
  double sdOff() const;  ///< off the diagonal of a matrix; equals sd() for a vector
  double mu() const;     ///< kGaussian: the cost in GDP
};

/// The kind of noise for this query if the matrices of a release have `kind`: the Wishart law does
/// not exist for vectors, and for a single number all pure noise is Laplace noise.
SynthesisNoise kindFor(const Query& query, SynthesisNoise kind);

/// The expected squared Frobenius norm of the noise of kind `kindFor`, in units of the query.
double noiseEnergy(const Query& query, SynthesisNoise kind, double budget);

/// The kind of noise with the smallest energy among those for pure epsilon; the exact one on a tie.
SynthesisNoise leastPureNoise(const Query& query);

/// The noise for a budget. Error: kNoiseTooLarge for this grid.
Result<Step> calibrate(const char* what, const Query& query, SynthesisNoise kind, double budget);

/// The source of all randomness that makes a release private. Tests replace it by fixed numbers.
class NoiseSource {
 public:
  /// Adds the noise of a step to its exact sums.
  virtual void add(const Step& step, std::span<Int128> sums) = 0;
  /// A private choice, see `permuteAndFlip`.
  virtual std::size_t choose(std::span<const std::uint64_t> scores, double epsilon) = 0;

 protected:
  ~NoiseSource() = default;
};

/// Noise for releases, drawn from a generator.
class DrawnNoise final : public NoiseSource {
 public:
  explicit DrawnNoise(Drbg& random) : random_(random) {}
  void add(const Step& step, std::span<Int128> sums) override;
  std::size_t choose(std::span<const std::uint64_t> scores, double epsilon) override;

 private:
  Drbg& random_;
};

}  // namespace pm
