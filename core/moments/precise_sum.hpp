#pragma once

namespace pm {

/// A sum of doubles kept in two of them (Knuth's two-sum), so that for fewer than 2^40 addends of
/// one size its value does not depend on their order.
class PreciseSum {
 public:
  void add(double x) {
    const double sum = high_ + x;
    const double part = sum - high_;
    low_ += (high_ - (sum - part)) + (x - part);
    high_ = sum;
  }
  double value() const { return high_ + low_; }

 private:
  double high_ = 0;
  double low_ = 0;
};

}  // namespace pm
