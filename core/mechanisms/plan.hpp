#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/int128.hpp"
#include "core/mechanisms/option.hpp"
#include "core/mechanisms/own_parameters.hpp"
#include "core/moments/limits.hpp"
#include "core/privacy/guarantee.hpp"
#include "core/random/drbg.hpp"

namespace pm {

/// What a release consists of.
enum class Content {
  /// The packed upper triangle of the (D+1) x (D+1) second-moment matrix, constant first.
  kMoments,
  /// Directions in feature space, largest first, each preceded by its value if the mechanism
  /// releases values: (value?, D entries). Relative to the public centre, without the constant
  /// coordinate.
  kComponents,
};

/// How the releases of several sites are summed.
enum class Federation {
  kIndependent,  ///< each release has all of its noise
  kSplit,        ///< behind uniform masks, which a helper can remove from the sum
  kRing,         ///< behind uniform masks between pairs, which cancel in the sum
  kCorrelated,   ///< behind Gaussian masks between pairs, which cancel in the sum
};

/// How sites share the noise of a sum. All fields but `mode` apply to masked releases only.
struct Sharing {
  Federation mode = Federation::kIndependent;
  int honest = 1;     ///< h: at least this many of the sites do not collude
  double ratio = 1;   ///< `correlated`: variance of a pair's mask over that of a site's own noise
  bool joint = true;  ///< `correlated`: calibrated for all messages together, not for one alone
  int dropouts = 0;   ///< d: at most this many sites are missing from a sum; 0 for `correlated`

  /// h - d, the smallest number of honest releases in a sum, as all missing sites may be honest.
  /// Together they have the noise that the guarantee states.
  int honestInSum() const { return honest - dropouts; }
};

/// How the radius is chosen to which rows are clipped.
enum class Clipping {
  kFixed,     ///< it is the row norm
  kAdaptive,  ///< from private counts of longer rows (clipping.hpp)
  kCentred,   ///< the same about a private centre, in units of a private scale (centring.hpp)
};

/// What determines a mechanism's noise and guarantee; all public.
struct MechanismParams {
  double epsilon;  ///< > 0, finite
  double delta;    ///< in [0, 1); above 0 where the mechanism needs it
  Neighbours neighbours;
  Unit unit;
  int dimension;  ///< D features, 1 .. kMaxFeatures; the matrix has D + 1 rows

  /// R > 0, finite: the public bound on rows in scaled units. Not used by kCentred.
  double row_norm = 1;
  int components = 0;         ///< k, for mechanisms that release directions; 1 .. D
  OptionValues options = {};  ///< those of the mechanism's record

  /// kAdaptive and kCentred: for mechanisms whose record allows it, with unit row only.
  Clipping clipping = Clipping::kFixed;
  /// kCentred: how many of the study's columns are numbers and categories, with D features in all.
  int numbers = 0;
  int categories = 0;
  bool counts_gaps = false;  ///< likewise: whether the survey counts each column's missing cells
  Constant constant = Constant::kDefault;  ///< of augmented rows
  int sites = 1;  ///< how many releases are expected to be summed, which decides the radius

  Sharing sharing = {};  ///< plans behind masks are made by core/federation
};

/// A public number that a release states about its plan: a double or an exact integer.
struct Fact {
  const char* name;  ///< camelCase
  double number = 0;
  Uint128 integer = 0;
  bool exact = false;

  static Fact of(const char* name, double number) { return {name, number, 0, false}; }
  static Fact exactly(const char* name, Uint128 integer) { return {name, 0, integer, true}; }
};

/// A mechanism with concrete parameters: what every release states, and in `own` the noise scales,
/// in a type that the mechanism's header declares. The guarantee is computed from these scales.
/// Grid units are 2^-2b of the squared row norm, b = `bits`.
struct Plan {
  MechanismParams params;
  Content content = Content::kMoments;
  int bits = 0;                ///< b
  std::uint64_t constant = 0;  ///< A, the constant coordinate (limits.hpp)
  int release_shift = 0;       ///< released integers are in units of 2^shift grid units
  std::uint64_t max_rows = 0;  ///< with more rows, a released integer could exceed +-2^53
  std::size_t length = 0;      ///< number of released integers

  /// Squared sensitivity in the norm that the mechanism is calibrated to, grid units squared,
  /// exact; 0 if it uses none.
  Uint128 sensitivity_squared = 0;

  /// Adaptive clipping and centring: w of the noise on each count in units of 2^-kClipCountBits
  /// rows; 0 where the clip radius is fixed. The noise is discrete Gaussian of standard deviation
  /// 16 w, or discrete Laplace of scale 16 w if `laplace_steps`.
  std::uint64_t clip_width = 0;
  /// Centring: the same for the sums of the survey in steps of 2^-kSurveyBits; otherwise 0.
  std::uint64_t survey_width = 0;
  bool laplace_steps = false;

  /// The law of the noise in a moments release, grid units: mean of the diagonal entries, standard
  /// deviations, and degrees of freedom if the law has them. Zero for components.
  double noise_mean = 0;
  double sd_diagonal = 0;
  double sd_off_diagonal = 0;
  int freedom = 0;

  /// The mechanism's own parameters.
  OwnParameters own_parameters;

  /// The same as type T. Precondition: a mechanism with parameters of this type made the plan.
  template <class T>
  const T& own() const {
    return *own_parameters.find<T>();
  }
  template <class T>
  T& own() {
    return *own_parameters.find<T>();
  }

  std::string_view distribution;  ///< as the release names it
  const char* sampler = "";       ///< name/version of the sampler
  std::vector<Fact> facts;        ///< further public numbers for the release
  Guarantee guarantee;

  /// Turns exact integer totals (packed, see ExactGram::totals) into `length` released integers,
  /// each exact in a double. Null behind masks.
  void (*release)(const Plan&, std::span<const Int128> totals, Drbg& random,
                  std::span<double> out) = nullptr;

  /// Behind masks, in place of `release`: adds one site's own share of the noise, grid units, to
  /// packed words modulo 2^64. `max_rows` is then that of one site, and released units are those
  /// of the sum.
  void (*add_noise)(const Plan&, Drbg& random, std::span<std::uint64_t> words) = nullptr;
  std::uint64_t max_rows_of_sum = 0;  ///< for unit participant: participants
};

/// Which budgets a mechanism can work with.
enum class Budget {
  kPure,         ///< delta >= 0; the guarantee has delta 0 whatever is requested
  kApproximate,  ///< delta > 0
};

}  // namespace pm
