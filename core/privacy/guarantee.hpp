#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pm {

/// Which two data sets must be hard to tell apart.
enum class Neighbours {
  kReplaceOne,  ///< one unit replaced by another; the number of units is public
  kAddRemove,   ///< one unit added or removed; of rows, their number is private
};

/// What one neighbour step changes: the unit of privacy.
enum class Unit {
  kRow,          ///< one row
  kParticipant,  ///< all rows of one participant, released as their average
};

/// In which arithmetic the guarantee is proved.
enum class Numerics {
  kExact,      ///< for the integers the code computes with
  kIdealized,  ///< for real numbers only; floating point may leak low-order bits
};

/// A promise in numbers alone, as those of `Guarantee`.
struct Promise {
  double epsilon;
  double delta;
  double gdp;
  double zcdp;
  double total_variation = 0;
};

/// What one step of a release costs by itself.
struct Part {
  std::string what;  ///< e.g. "directions"
  double epsilon;
  double delta;
  double gdp;   ///< infinite where the step has no such bound
  double zcdp;  ///< likewise
  double total_variation = 0;
};

/// A privacy promise, always computed from parameters. For all neighbours X, X' and all sets S of
/// outputs, P(M(X) in S) <= e^epsilon P(M(X') in S) + delta.
struct Guarantee {
  double epsilon;
  double delta;
  double gdp;   ///< mu of mu-GDP (Dong, Roth, Su 2022); infinite where no such bound is known
  double zcdp;  ///< rho of rho-zCDP (Bun, Steinke 2016); likewise
  /// gdp and zcdp are those of a law so close, in total variation, to that of the release, whose
  /// noise is bounded; 0 where they are its own. Counted in delta, (1 + e^epsilon) times.
  double total_variation = 0;
  Neighbours neighbours;
  Unit unit;
  Numerics numerics;
  std::vector<std::string> assumes;  ///< what must hold outside this code, in plain words
  std::vector<Part> parts;           ///< of a release made in several steps; else empty

  /// Of a sum behind masks: how many honest releases in it have the noise of the promise; else 0.
  int honest = 0;
  /// And what is left if all others give away what they hold; nothing where it is absent.
  std::optional<Promise> floor;
  /// What one message would promise if nobody saw the others: the claim of a calibration as
  /// published. Else absent.
  std::optional<Promise> alone;
};

/// "replace-one" or "add-remove".
const char* name(Neighbours neighbours);
/// "row" or "participant".
const char* name(Unit unit);
/// "exact" or "idealized".
const char* name(Numerics numerics);

}  // namespace pm
