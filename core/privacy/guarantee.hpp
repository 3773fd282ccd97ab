#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/arithmetic.hpp"

namespace pm {

/// Which pairs of data sets must be hard to tell apart.
enum class Neighbours {
  kReplaceOne,  ///< one unit replaced by another; the number of units is public
  kAddRemove,   ///< one unit added or removed; the number of rows is private
};

/// The unit of privacy: what one neighbour step changes.
enum class Unit {
  kRow,          ///< one row
  kParticipant,  ///< all rows of one participant, released as their average
};

/// The arithmetic in which the guarantee is proved.
enum class Numerics {
  kExact,      ///< for the integers that the code computes with
  kIdealized,  ///< for real numbers only; floating point may leak low-order bits
};

/// The numbers of a `Guarantee` alone.
struct Promise {
  double epsilon;
  double delta;
  double gdp;
  double zcdp;
  double total_variation = 0;
};

/// The cost of one step of a release by itself.
struct Part {
  std::string what;  ///< e.g. "directions"
  double epsilon;
  double delta;
  double gdp;   ///< infinite if the step has no such bound
  double zcdp;  ///< likewise
  double total_variation = 0;
};

/// A privacy guarantee, always computed from parameters. For all neighbours X, X' and all sets S of
/// outputs, P(M(X) in S) <= e^epsilon P(M(X') in S) + delta.
struct Guarantee {
  double epsilon;
  double delta;
  double gdp;   ///< mu of mu-GDP (Dong, Roth, Su 2022); infinite if no such bound is known
  double zcdp;  ///< rho of rho-zCDP (Bun, Steinke 2016); likewise
  /// gdp and zcdp hold for a law within this total-variation distance of the law of the release,
  /// whose noise is bounded; 0 if they hold for the release itself. Counted in delta (1 +
  /// e^epsilon) times.
  double total_variation = 0;
  Neighbours neighbours;
  Unit unit;
  Numerics numerics;
  std::vector<std::string> assumes;  ///< what must hold outside this code, in plain words
  std::vector<Part> parts;           ///< steps of a release made in several; else empty

  /// For a masked sum, the number of honest releases whose noise the guarantee counts; else 0.
  int honest = 0;
  /// For a masked sum, what remains if everyone else reveals all they have; if absent, nothing.
  std::optional<Promise> floor;
  /// What one message would guarantee if nobody saw the others: the claim of a calibration as
  /// published. Otherwise absent.
  std::optional<Promise> alone;
};

/// "replace-one" or "add-remove".
const char* name(Neighbours neighbours);
/// "row" or "participant".
const char* name(Unit unit);
/// "exact" or "idealized".
const char* name(Numerics numerics);

}  // namespace pm
