#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/int128.hpp"
#include "core/random/drbg.hpp"
#include "core/result.hpp"

namespace pm {

/// The law of the noise on a matrix of sums; vectors and counts get what goes with it (`kindFor`).
enum class SynthesisNoise {
  kLaplace,          ///< discrete, exact; pure
  kGaussian,         ///< discrete, exact; needs delta > 0
  kFrobenius,        ///< of density exp(-|E|_F / s), a vector's exp(-|e|_2 / s); pure, idealized
  kTwoSidedWishart,  ///< for matrices; pure, idealized
};

/// "laplace", "gaussian", "frobenius" or "two-sided-wishart".
const char* name(SynthesisNoise noise);

/// Exact sums that one step asks of the rows, as integers, and how far replacing one row moves them
/// at most, in four norms. `blocks` vectors, or packed upper triangles, one after the other.
struct Query {
  enum class Shape { kVector, kMatrix };
  Shape shape;
  int blocks;   ///< >= 1
  int size;     ///< entries of a vector, rows of a matrix; >= 1
  double unit;  ///< what 1 on the grid is: rows, or sums in units of the unit ball

  std::uint64_t l1;         ///< absolute values, of the upper triangles
  Uint128 l2_squared;       ///< Frobenius norm, squared, of all blocks as one vector
  std::uint64_t blocks_l2;  ///< sum of the blocks' Frobenius norms
  std::uint64_t nuclear;    ///< sum of the blocks' nuclear norms; matrices only

  std::size_t entries() const;  ///< in all blocks
};

/// Counts are in units of 2^-kCountBits rows.
constexpr int kCountBits = 20;

// In all of these every integer row is at most L = 2^bits long. A class is that of the row: where
// it `moves`, the replacing row may have another one, or none, and is then in no block. Proofs of
// the bounds: docs/mechanisms/pca-gauss.md.

/// How many rows each class has.
Query countsQuery(int classes);
/// The sum of the rows of each class, `size` entries each.
Query sumsQuery(int classes, int size, int bits);
/// The sum of rows with a label in [-L, L] as last entry, `features` + 1 entries.
Query labelledSumQuery(int features, int bits);
/// The sum of q q^T over the rows of each class; entries of rows at most `largest` <= L. Without
/// `moves` a row stays in its class, and there may be one for all.
Query scatterQuery(int classes, int size, int bits, std::uint64_t largest, bool moves);
/// The sum of (A, w)(A, w)^T over the rows of each class, A = `momentsConstant`: rows, sums and
/// second moments at once. w is a row of `features` entries, at most L long, and where `labelled` a
/// label in [-L, L]. No classes: of all rows, whose number is public.
Query momentsQuery(int classes, int features, bool labelled, int bits, bool moves);
/// L with classes; without, where only the mean needs it, L / 2.
std::uint64_t momentsConstant(int classes, int bits);
/// The `size` largest eigenvalues of the sum of q q^T over rows of `features` entries, each rounded
/// to an integer.
Query spectrumQuery(int features, int size, int bits);

/// A query with noise for a budget: pure epsilon, or for kGaussian mu of GDP.
struct Step {
  const char* what;  ///< "projection", "counts", "means", "scatter", "spectrum"
  Query query;
  SynthesisNoise kind;
  double budget;  ///< as asked for; what the noise costs is no more

  std::uint64_t width = 0;      ///< discrete noise: scale or standard deviation 16 w, grid units
  std::uint64_t off_width = 0;  ///< kGaussian: off the diagonal of a matrix
  double scale = 0;             ///< continuous noise: s, or c of the two-sided Wishart law

  double sd() const;      ///< of an entry of a vector or on a diagonal, in units of the query
  double sd_off() const;  ///< off the diagonal of a matrix; of a vector the same
  double mu() const;      ///< kGaussian: what it costs
};

/// What kind a step on this query has where the matrices of a release have `kind`: for vectors
/// there is no Wishart law, and of one number (and of counts) every pure noise is Laplace's.
SynthesisNoise kindFor(const Query& query, SynthesisNoise kind);

/// The expected squared Frobenius norm of the noise of kind `kindFor`, in units of the query.
double noiseEnergy(const Query& query, SynthesisNoise kind, double budget);

/// The kind of least energy among those for pure epsilon; the exact one where nothing is gained.
SynthesisNoise leastPureNoise(const Query& query);

/// The noise for a budget. Error: kNoiseTooLarge for this grid.
Result<Step> calibrate(const char* what, const Query& query, SynthesisNoise kind, double budget);

/// What makes a release private. There is one kind for releases; tests give numbers.
class NoiseSource {
 public:
  /// Adds the noise of a step to its exact sums.
  virtual void add(const Step& step, std::span<Int128> sums) = 0;
  /// A choice as `permuteAndFlip` makes it.
  virtual std::size_t choose(std::span<const std::uint64_t> scores, double epsilon) = 0;

 protected:
  ~NoiseSource() = default;
};

/// Noise that is drawn.
class DrawnNoise final : public NoiseSource {
 public:
  explicit DrawnNoise(Drbg& random) : random_(random) {}
  void add(const Step& step, std::span<Int128> sums) override;
  std::size_t choose(std::span<const std::uint64_t> scores, double epsilon) override;

 private:
  Drbg& random_;
};

}  // namespace pm
