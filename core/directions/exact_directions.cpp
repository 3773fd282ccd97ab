#include "core/directions/exact_directions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/directions/exact_frames.hpp"
#include "core/directions/real_matrix.hpp"
#include "core/moments/limits.hpp"
#include "core/wipe.hpp"

namespace pm {
namespace {

/// The multiples of 2^-bits nearest to y_i / length, if all are decided.
template <class Real>
bool roundAll(const std::vector<Real>& y, const Real& length, int bits, std::span<double> out) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    const std::optional<Int128> nearest = (y[i] / length).nearest(bits);
    if (!nearest) return false;
    out[i] = double(*nearest);
  }
  return true;
}

/// V x in R^D, in doubles with the bound of their errors.
std::vector<Ball> inSpace(const Eigenbasis& basis, const std::vector<Ball>& x, bool reversed,
                          Maker<Ball>) {
  std::vector<double> mids, y(std::size_t(basis.dimension()));
  double squared = 0, radii = 0;
  for (const Ball& entry : x) {
    mids.push_back(entry.mid());
    squared += entry.mid() * entry.mid();
    radii += entry.radius() * entry.radius();
  }
  basis.inSpace(mids, reversed, y);
  const double error = (std::sqrt(radii) + basis.roundings() * 0x1p-53 * std::sqrt(squared)) * 1.01;
  std::vector<Ball> result;
  result.reserve(y.size());
  for (const double entry : y) result.push_back(Ball::within(entry, error));
  wipe(mids);
  wipe(y);
  return result;
}

std::vector<Wide> inSpace(const Eigenbasis& basis, const std::vector<Wide>& x, bool reversed,
                          Maker<Wide> make) {
  return basis.inSpace(x, reversed, make);
}

template <class Real>
bool roundDirection(const Eigenbasis& basis, const BinghamEnvelope& envelope,
                    const Proposal& proposal, Maker<Real> make, std::span<double> out) {
  const std::vector<Real> x = binghamPoint(envelope, proposal, make);
  const std::vector<Real> y = inSpace(basis, x, false, make);
  return roundAll(y, sqrt(dot(y, y, make)), kDirectionBits, out);
}

/// The projection onto the span of Y = V X, or onto its complement.
template <class Real>
bool roundProjection(const Eigenbasis& basis, const DrawnFrame& frame, bool complement,
                     Maker<Real> make, std::span<double> out) {
  const std::size_t q = std::size_t(basis.size());
  const std::vector<Real> x = frame.basis(make);
  const std::size_t k = x.size() / q;
  std::vector<Real> y;
  for (std::size_t c = 0; c < k; ++c) {
    const std::vector<Real> column(x.begin() + std::ptrdiff_t(c * q),
                                   x.begin() + std::ptrdiff_t((c + 1) * q));
    const std::vector<Real> image = inSpace(basis, column, complement, make);
    y.insert(y.end(), image.begin(), image.end());
  }
  // (Y^T Y)^-1 Y^T, q columns of k entries.
  SquareMatrix<Real> identity{k, std::vector<Real>(k * k, make(0))};
  for (std::size_t c = 0; c < k; ++c) identity.at(c, c) = make(1);
  std::vector<Real> pivots;
  const SquareMatrix<Real> inverse = quotient(products<Real>(y, y, q, make), identity, pivots);
  std::vector<Real> entries, dual;
  for (std::size_t j = 0; j < q; ++j) {
    for (std::size_t c = 0; c < k; ++c) {
      Real sum = make(0);
      for (std::size_t e = 0; e < k; ++e) sum = sum + inverse.at(c, e) * y[e * q + j];
      dual.push_back(sum);
    }
  }
  for (std::size_t i = 0; i < q; ++i) {
    for (std::size_t j = i; j < q; ++j) {
      Real entry = make(0);
      for (std::size_t c = 0; c < k; ++c) entry = entry + y[c * q + i] * dual[j * k + c];
      entries.push_back(complement ? make(i == j ? 1 : 0) - entry : entry);
    }
  }
  return roundAll(entries, make(1), kProjectionBits, out);
}

}  // namespace

void drawDirection(const Eigenbasis& basis, double kappa, Drbg& random, std::span<double> out,
                   std::uint64_t& undecided) {
  const BinghamEnvelope envelope(basis.exponents(kappa));
  const EigenbasisFactor factor(basis, kappa, envelope.alphas, 1);
  const Proposal proposal = drawBingham(envelope, &factor, random, undecided);
  if (roundDirection(basis, envelope, proposal, Maker<Ball>{}, out)) return;
  ++undecided;
  for (int words = 3; !roundDirection(basis, envelope, proposal, Maker<Wide>{words}, out);) {
    words += words;
  }
}

void drawSubspace(const Eigenbasis& basis, int k, double kappa, Drbg& random, std::span<double> out,
                  std::uint64_t& undecided) {
  // tr P C is tr C less that of the complement, whose law has -kappa.
  const bool complement = 2 * k > basis.size();
  const int columns = complement ? basis.size() - k : k;
  const double exponent = complement ? -kappa : kappa;
  const PrivateNumbers alphas = basis.exponents(exponent);
  const EigenbasisFactor factor(basis, exponent, alphas, columns);
  const std::unique_ptr<DrawnFrame> frame = drawFrame(alphas, columns, &factor, random, undecided);
  if (roundProjection(basis, *frame, complement, Maker<Ball>{}, out)) return;
  ++undecided;
  for (int words = 3; !roundProjection(basis, *frame, complement, Maker<Wide>{words}, out);) {
    words += words;
  }
}

}  // namespace pm
