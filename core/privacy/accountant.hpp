#pragma once

#include <span>
#include <vector>

namespace pm {

/// What one access to the data costs, in the measure in which it was proved.
struct Cost {
  enum class Kind {
    kPure,          ///< epsilon
    kBoundedRange,  ///< epsilon-bounded range: the exponential mechanism (Durfee, Rogers 2019)
    kGdp,           ///< mu
    kZcdp,          ///< rho
    kApproximate,   ///< (epsilon, delta)
  };

  Kind kind;
  double size;  ///< epsilon, mu or rho; >= 0, finite
  double delta = 0;

  static Cost pure(double epsilon) { return {Kind::kPure, epsilon}; }
  static Cost boundedRange(double epsilon) { return {Kind::kBoundedRange, epsilon}; }
  static Cost gdp(double mu) { return {Kind::kGdp, mu}; }
  static Cost zcdp(double rho) { return {Kind::kZcdp, rho}; }
  static Cost approximate(double epsilon, double delta) {
    return {delta > 0 ? Kind::kApproximate : Kind::kPure, epsilon, delta};
  }
};

/// What a law within `distance`, in total variation, of one that is (epsilon, delta)-private adds
/// to delta: (1 + e^epsilon) distance.
double deltaOfDistance(double distance, double epsilon);

/// The same access for groups of `size` >= 1 units instead of one. With 2 it is also the price of
/// replace-one for a cost under add-remove, where nothing better is known.
Cost costForGroup(const Cost& cost, int size);

/// Adds up accesses to the same data, each chosen in the light of the results before it; the costs
/// are fixed beforehand. Every figure is a valid bound, rounded up (upward.hpp); of several the
/// smallest is given, and one more access never lowers it. Which composition theorem gives what:
/// docs/composition.md.
class Accountant {
 public:
  void add(const Cost& cost);

  /// The output just added has a law within `distance`, in total variation, of one with that cost:
  /// counted in delta (deltaOfDistance). pure(), gdp() and zcdp() are those of a law within
  /// distance() of the whole.
  void addDistance(double distance);
  double distance() const { return distance_; }

  /// Sum of epsilon; infinity if any access has no pure guarantee.
  double pure() const;
  /// mu of the whole (Dong, Roth, Su 2022); infinity if any access has no such bound.
  double gdp() const;
  /// rho of the whole (Bun, Steinke 2016); likewise.
  double zcdp() const;

  /// The whole is (result, delta)-private; infinity where nothing is known, as below the sum of
  /// the deltas. Precondition: 0 <= delta < 1.
  double epsilonAt(double delta) const;
  /// The whole is (epsilon, result)-private; at most 1. Precondition: epsilon >= 0.
  double deltaAt(double epsilon) const;

 private:
  struct Pure {
    double epsilon;
    double rho;
  };
  double renyi(double alpha) const;
  double epsilonWithin(double room) const;

  std::vector<Pure> pure_;
  double pure_epsilon_ = 0;     // of pure_, summed
  double pure_mu_squared_ = 0;  // the same as GDP
  double mu_squared_ = 0;       // of GDP costs
  double rho_ = 0;              // of GDP and zCDP costs
  bool all_gdp_ = true;         // no cost is known as zCDP only
  double approximate_epsilon_ = 0;
  double approximate_delta_ = 0;
  double distance_ = 0;
};

/// Accesses to disjoint parts of the data: the worst of them. Under replace-one this holds only
/// where a unit cannot move from one part to another, that is where the replacing unit falls into
/// the part of the replaced one.
double epsilonOfParallel(std::span<const Accountant> parts, double delta);
double deltaOfParallel(std::span<const Accountant> parts, double epsilon);

}  // namespace pm
