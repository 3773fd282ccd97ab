#pragma once

#include <vector>

#include "core/arithmetic.hpp"
#include "core/privacy/zcdp.hpp"

namespace pm {

/// The privacy cost of one access to the data, in the measure in which it was proved.
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

/// The increase of delta if a law is only within total-variation distance `distance` of one that is
/// (epsilon, delta)-private: (1 + e^epsilon) distance.
double deltaOfDistance(double distance, double epsilon);

/// Composes accesses to the same data. Each access may be chosen after seeing earlier results, but
/// the costs are fixed in advance. Every figure is a valid bound, rounded up (upward.hpp), the
/// smallest of several; another access never lowers it. The composition theorems:
/// docs/composition.md.
class Accountant {
 public:
  void add(const Cost& cost);

  /// Records that the law of the access just added is only within total-variation distance
  /// `distance` of one with that cost; counted in delta (deltaOfDistance). pure(), gdp() and zcdp()
  /// hold for a law within distance() of the law of the whole.
  void addDistance(double distance);
  double distance() const { return distance_; }

  /// Sum of epsilon; infinity if any access has no pure guarantee.
  double pure() const;
  /// mu of the whole (Dong, Roth, Su 2022); infinity if any access has no GDP bound.
  double gdp() const;
  /// rho of the whole (Bun, Steinke 2016); infinity if any access has no zCDP bound.
  double zcdp() const;

  /// The whole is (result, delta)-private; infinity if no bound is known, for example if delta is
  /// less than the sum of the deltas. Precondition: 0 <= delta < 1.
  double epsilonAt(double delta) const;
  /// The whole is (epsilon, result)-private; at most 1. Precondition: epsilon >= 0.
  double deltaAt(double epsilon) const;

 private:
  struct Pure {
    double epsilon;
    double rho;
  };
  double renyi(const RenyiOrder& order) const;
  double renyiAtLeast(const RenyiOrder& order) const;
  using Bound = double (*)(const RenyiOrder& order, double divergence, double given);
  double leastOverOrders(Bound bound, double given) const;
  bool isGdpExactly() const;
  double epsilonWithin(double room) const;

  std::vector<Pure> pure_;
  double pure_epsilon_ = 0;     // sum over pure_
  double pure_mu_squared_ = 0;  // squared GDP parameter of pure_
  double mu_squared_ = 0;       // sum over GDP costs
  double rho_ = 0;              // sum over GDP and zCDP costs
  bool all_gdp_ = true;         // no cost has a zCDP bound only
  double approximate_epsilon_ = 0;
  double approximate_delta_ = 0;
  double distance_ = 0;
};

}  // namespace pm
