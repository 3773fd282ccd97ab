#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/mechanisms/option.hpp"
#include "core/mechanisms/plan.hpp"

namespace pm {

/// What there is to know about the directions that a mechanism releases.
struct Directions {
  bool needs_count;          ///< a study must say how many; else all of them is the default
  bool fewer_than_features;  ///< not all D of them
  bool with_values;          ///< each comes with its value
  bool ordered;              ///< largest first; else they are a random basis of what they span
};

/// What bounds P(|noise| > t standard deviations) for an entry of a moments release.
enum class Tail {
  kSubgaussian,  ///< 2 exp(-t^2 / 2)
  kLogConcave,   ///< exp(1 - t)
};

/// The law of the noise in a moments release.
struct MomentsNoise {
  std::string_view distribution;  ///< as releases name it
  Tail tail;
};

/// How several sites can make the noise of one release together (core/federation).
enum class Division {
  kNone,
  kGaussian,  ///< behind uniform masks, and behind Gaussian ones
  kWishart,   ///< behind uniform masks
};

inline constexpr Unit kEveryUnit[] = {Unit::kRow, Unit::kParticipant};
inline constexpr Unit kRowsOnly[] = {Unit::kRow};
inline constexpr Neighbours kEitherNeighbours[] = {Neighbours::kReplaceOne, Neighbours::kAddRemove};

/// A mechanism as a study names it: what it promises, and what makes its plan.
struct Mechanism {
  std::string_view name;
  /// Public parameters to noise scales, guarantee and release. Never sees data.
  Result<Plan> (*plan)(const MechanismParams&);
  Budget budget;
  Numerics numerics;
  bool additive = false;  ///< releases of several participants sum to a release of their sum
  bool psd = false;       ///< what is released is positive semidefinite
  std::optional<MomentsNoise> noise = {};     ///< for mechanisms that release moments
  std::optional<Directions> directions = {};  ///< for mechanisms that release directions
  std::span<const Option* const> options = {};
  std::span<const Unit> units = kEveryUnit;
  std::span<const Neighbours> neighbours = kEitherNeighbours;
  Division division = Division::kNone;
  bool adaptive_clipping = false;  ///< for unit row

  constexpr Content content() const {
    return directions ? Content::kComponents : Content::kMoments;
  }
};

/// All that is known about a mechanism without running it. Everything outside the core that says
/// something about mechanisms is made from these records (tools/generate.mjs). Formulas are in
/// letters, as "d sqrt(log(1/delta)) / epsilon".
struct MechanismRecord {
  Mechanism mechanism;
  std::string_view title;
  std::string_view summary;      ///< what it does and when to take it
  std::string_view law;          ///< where the randomness enters, in one sentence
  std::string_view error_order;  ///< how the error grows: with d features, and rows of length 1
  std::string_view source;       ///< the publication, by authors and year
  std::span<const OptionWords> option_words = {};  ///< one for each of mechanism.options
};

/// What plans name the law of their noise, without the rest of the record at run time.
template <const MechanismRecord& kRecord>
inline constexpr std::string_view kDistributionOf = kRecord.mechanism.noise->distribution;

}  // namespace pm
