#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/mechanisms/option.hpp"
#include "core/mechanisms/plan.hpp"
#include "core/result.hpp"

namespace pm {

/// Properties of the directions that a mechanism releases.
struct Directions {
  bool needs_count;          ///< a study must state their number; otherwise the default is all D
  bool fewer_than_features;  ///< at most D - 1
  bool with_values;          ///< each comes with its value
  bool ordered;              ///< largest first; otherwise a basis of their span in no order
};

/// The bound on P(|noise| > t standard deviations) for an entry of a moments release.
enum class Tail {
  kSubgaussian,  ///< 2 exp(-t^2 / 2)
  kLogConcave,   ///< exp(1 - t)
};

/// The law of the noise in a moments release.
struct MomentsNoise {
  std::string_view distribution;  ///< its name in releases
  Tail tail;
};

/// How several sites can share the noise of one release (core/federation).
enum class Division {
  kNone,
  kGaussian,  ///< behind uniform or Gaussian masks
  kWishart,   ///< behind uniform masks
};

inline constexpr Unit kEveryUnit[] = {Unit::kRow, Unit::kParticipant};
inline constexpr Unit kRowsOnly[] = {Unit::kRow};
inline constexpr Neighbours kEitherNeighbours[] = {Neighbours::kReplaceOne, Neighbours::kAddRemove};

/// A mechanism that a study can name: its properties and the function that makes its plan.
struct Mechanism {
  std::string_view name;
  /// Turns public parameters into noise scales, a guarantee and a release function. Never sees
  /// data.
  Result<Plan> (*plan)(const MechanismParams&);
  Budget budget;
  Numerics numerics;
  bool additive = false;  ///< releases of several participants sum to a release of their sum
  bool psd = false;       ///< releases are positive semidefinite
  std::optional<MomentsNoise> noise = {};     ///< if the mechanism releases moments
  std::optional<Directions> directions = {};  ///< if the mechanism releases directions
  std::span<const Option* const> options = {};
  std::span<const Unit> units = kEveryUnit;
  std::span<const Neighbours> neighbours = kEitherNeighbours;
  Division division = Division::kNone;
  bool adaptive_clipping = false;  ///< supported, for unit row
  bool centring = false;           ///< the same

  constexpr Content content() const {
    return directions ? Content::kComponents : Content::kMoments;
  }
};

/// All facts and texts about a mechanism. Everything outside the core that describes mechanisms is
/// generated from these records (tools/generate.mjs). Formulas are spelled out, as in
/// "d sqrt(log(1/delta)) / epsilon".
struct MechanismRecord {
  Mechanism mechanism;
  std::string_view title;
  std::string_view summary;      ///< what it does and when to use it
  std::string_view law;          ///< where the randomness enters, in one sentence
  std::string_view error_order;  ///< growth of the error, for d features and rows of length 1
  std::string_view source;       ///< the publication, by authors and year
  std::span<const OptionWords> option_words = {};  ///< one for each of mechanism.options
};

/// The name of a mechanism's noise in releases, without the rest of its record at run time.
template <const MechanismRecord& kRecord>
inline constexpr std::string_view kDistributionOf = kRecord.mechanism.noise->distribution;

}  // namespace pm
