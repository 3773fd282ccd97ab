#include "core/directions/exact_frames.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/directions/real_matrix.hpp"
#include "core/golden_section.hpp"

namespace pm {
namespace {

double macgLogMassAt(std::span<const double> alphas, int k, double b) {
  double sum = macgLogCap(alphas, k, b);
  for (const double alpha : alphas) sum -= 0.5 * k * std::log1p(2 * alpha / b);
  return sum;
}

/// eta_i, where h is largest.
double cappedAt(std::span<const double> alphas, int k, double b, std::size_t i) {
  const double upper = alphas[i + alphas.size() - std::size_t(k)];
  return std::min(std::max((double(alphas.size()) - b) / 2, alphas[i]), upper);
}

/// A bound of the cap. An eta that is off by a rounding changes h by far less than 2^-30, as h is
/// flat there.
double capAbove(std::span<const double> alphas, int k, double b) {
  const Maker<Ball> make;
  const Ball q = make(double(alphas.size()));
  Ball sum = make(double(k) * 0x1p-30);
  for (std::size_t i = 0; i < std::size_t(k); ++i) {
    const Ball eta = make(cappedAt(alphas, k, b, i));
    sum = sum + make(0.5) * q * log(make(1) + make(2) * eta / make(b)) - eta;
  }
  return (sum.mid() + sum.radius()) * (1 + std::copysign(0x1p-50, sum.mid()));
}

/// 0 and the gaps of column i: alphas[k + j] - alphas[i].
PrivateNumbers columnAlphas(std::span<const double> alphas, int k, int i) {
  PrivateNumbers result(alphas.size() - std::size_t(k) + 1, 0.0);
  for (std::size_t j = 1; j < result.size(); ++j) {
    result[j] = alphas[std::size_t(k) + j - 1] - alphas[std::size_t(i)];
  }
  return result;
}

/// ln of the mass of the angular central Gaussian envelope of one column with nothing before it.
double columnLogEnvelope(std::span<const double> column) {
  const double q = double(column.size()), b = binghamB(column);
  double sum = -0.5 * (q - b) + 0.5 * q * std::log(q / b);
  for (const double gap : column.subspan(1)) sum -= 0.5 * std::log1p(2 * gap / b);
  return sum;
}

// ---------------------------------------------------------------- MACG

class MacgFrame final : public DrawnFrame {
 public:
  MacgFrame(PrivateNumbers spreads, std::size_t columns, Drbg& random)
      : spreads_(std::move(spreads)), proposal_(spreads_.size() * columns, random) {}

  std::vector<Ball> basis(Maker<Ball> make) const override { return columns(make); }
  std::vector<Wide> basis(Maker<Wide> make) const override { return columns(make); }

  /// ln of the probability of keeping the proposal over the uniform number of the decision:
  /// (q/2) ln(|Z^T Z| / |X^T X|) - tr (X^T X)^-1 X^T A X - cap.
  template <class Real>
  Real ahead(std::span<const double> alphas, double cap, Maker<Real> make) const {
    const std::size_t q = spreads_.size();
    const std::vector<Real> x = columns(make);
    std::vector<Real> z, weighted;
    for (std::size_t i = 0; i < x.size(); ++i) {
      z.push_back(proposal_.normal(i, make));
      weighted.push_back(make(alphas[i % q]) * x[i]);
    }
    const SquareMatrix<Real> inner = products<Real>(x, x, q, make);
    return make(double(q) / 2) *
               (logDeterminant(products<Real>(z, z, q, make), make) - logDeterminant(inner, make)) -
           traceOfQuotient(inner, products<Real>(x, weighted, q, make), make) - make(cap) -
           proposal_.logDecision(make);
  }

 private:
  template <class Real>
  std::vector<Real> columns(Maker<Real> make) const {
    std::vector<Real> x;
    x.reserve(proposal_.size());
    for (std::size_t i = 0; i < proposal_.size(); ++i) {
      x.push_back(make(spreads_[i % spreads_.size()]) * proposal_.normal(i, make));
    }
    return x;
  }

  PrivateNumbers spreads_;
  Proposal proposal_;
};

// ---------------------------------------------------------------- SACG

/// The columns of S proposed so far, and U with (I - S S^T)^-1 = I + U U^T.
template <class Real>
class Chart {
 public:
  explicit Chart(Maker<Real> make) : make_(make) {}

  /// Adds a column; `envelope` is that of its gaps behind a coordinate of exponent 0. Returns ln of
  /// the probability of keeping it over the uniform number of the decision.
  Real add(const BinghamEnvelope& envelope, const Proposal& proposal) {
    const std::size_t p = proposal.size() - 1;
    const Real first = proposal.normal(0, make_);
    ProposalSums<Real> sums{first * first, first * first, make_(0)};
    std::vector<Real> s;
    for (std::size_t r = 0; r < p; ++r) {
      const Real z = proposal.normal(r + 1, make_);
      sums.normals = sums.normals + z * z;
      s.push_back(make_(envelope.spreads[r + 1]) * z);
    }
    const Real log_det = condition(envelope, s);
    for (std::size_t r = 0; r < p; ++r) {
      const Real square = s[r] * s[r];
      sums.weighted = sums.weighted + square;
      sums.exponent = sums.exponent + make_(envelope.alphas[r + 1]) * square;
    }
    std::vector<Real> along;
    for (const std::vector<Real>& u : u_) {
      along.push_back(dot(u, s, make_));
      sums.weighted = sums.weighted + along.back() * along.back();
    }
    // s and |first| over the length are a column and w_0; U gets (s + U U^T s) / w_0.
    const Real length = sqrt(sums.weighted);
    const Real w0 = first / length, scale = make_(1) / first;
    std::vector<Real> u;
    for (std::size_t r = 0; r < p; ++r) {
      Real entry = s[r];
      for (std::size_t l = 0; l < u_.size(); ++l) entry = entry + u_[l][r] * along[l];
      u.push_back(entry * scale);
      s[r] = s[r] / length;
    }
    u_.push_back(std::move(u));
    columns_.push_back(std::move(s));
    w0_squared_.push_back(w0 * w0);
    return binghamLogAcceptance(envelope, sums, make_) - make_(0.5) * log_det -
           proposal.logDecision(make_);
  }

  /// [(I - S^T S)^1/2; S] with the symmetric root.
  std::vector<Real> lift() const {
    const std::size_t k = columns_.size();
    SquareMatrix<Real> rest{k, std::vector<Real>(k * k, make_(0))};
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < k; ++j) {
        rest.at(i, j) = make_(i == j ? 1 : 0) - dot(columns_[i], columns_[j], make_);
      }
    }
    Real determinant = make_(1);
    for (const Real& square : w0_squared_) determinant = determinant * square;
    const SquareMatrix<Real> root = symmetricRoot(rest, determinant, make_);
    std::vector<Real> x;
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < k; ++i) x.push_back(root.at(i, j));
      x.insert(x.end(), columns_[j].begin(), columns_[j].end());
    }
    return x;
  }

 private:
  /// Turns s, of precision diag(spread^-2), into a vector of precision P = diag(spread^-2) + U U^T
  /// by rank-one updates, and returns ln(|P| prod spread^2) >= 0: with Q = P^-1, P + u u^T has the
  /// inverse Q - a a^T/(1 + tau), a = Q u, tau = u^T a, and (I - c a u^T) s has that covariance if
  /// s has covariance Q, c = 1/(1 + tau + sqrt(1 + tau)).
  Real condition(const BinghamEnvelope& envelope, std::vector<Real>& s) const {
    std::vector<std::vector<Real>> a;
    std::vector<Real> one_tau;
    Real log_det = make_(0);
    for (std::size_t l = 0; l < u_.size(); ++l) {
      std::vector<Real> image;
      for (std::size_t r = 0; r < s.size(); ++r) {
        const Real spread = make_(envelope.spreads[r + 1]);
        image.push_back(u_[l][r] * spread * spread);
      }
      for (std::size_t m = 0; m < l; ++m) {
        const Real factor = dot(a[m], u_[l], make_) / one_tau[m];
        for (std::size_t r = 0; r < s.size(); ++r) image[r] = image[r] - factor * a[m][r];
      }
      const Real sum = make_(1) + dot(image, u_[l], make_);
      const Real along = dot(u_[l], s, make_) / (sum + sqrt(sum));
      for (std::size_t r = 0; r < s.size(); ++r) s[r] = s[r] - along * image[r];
      log_det = log_det + log(sum);
      one_tau.push_back(sum);
      a.push_back(std::move(image));
    }
    return log_det;
  }

  Maker<Real> make_;
  std::vector<std::vector<Real>> u_, columns_;
  std::vector<Real> w0_squared_;
};

class SacgFrame final : public DrawnFrame {
 public:
  SacgFrame(std::span<const BinghamEnvelope> envelopes, std::vector<Proposal> proposals)
      : envelopes_(envelopes.begin(), envelopes.end()), proposals_(std::move(proposals)) {}

  std::vector<Ball> basis(Maker<Ball> make) const override { return lift(make); }
  std::vector<Wide> basis(Maker<Wide> make) const override { return lift(make); }

 private:
  template <class Real>
  std::vector<Real> lift(Maker<Real> make) const {
    Chart<Real> chart(make);
    for (std::size_t i = 0; i < proposals_.size(); ++i) chart.add(envelopes_[i], proposals_[i]);
    return chart.lift();
  }

  std::vector<BinghamEnvelope> envelopes_;
  std::vector<Proposal> proposals_;
};

}  // namespace

double macgLogCap(std::span<const double> alphas, int k, double b) {
  double sum = 0;
  for (std::size_t i = 0; i < std::size_t(k); ++i) {
    const double eta = cappedAt(alphas, k, b, i);
    sum += 0.5 * double(alphas.size()) * std::log1p(2 * eta / b) - eta;
  }
  return sum;
}

MacgEnvelope macgEnvelope(std::span<const double> alphas, int k) {
  // Minimise over ln b around Kent's value; every b is valid.
  const double kent = std::log(binghamB(alphas));
  const auto mass = [&](double log_b) { return macgLogMassAt(alphas, k, std::exp(log_b)); };
  const double high = std::log(double(alphas.size()) + alphas.back()) + 3;
  const Minimum found = goldenSection(kent - 3, high, 60, mass);
  const double best = mass(kent) < found.value ? kent : found.argument;
  const double value = std::exp(best);
  return {value, macgLogCap(alphas, k, value), mass(best)};
}

double chartLogMass(std::span<const double> alphas, int k) {
  const int q = int(alphas.size()), p = q - k;
  // k ln B - ln K, B half the area of the sphere in p + 1 dimensions and K the integral of
  // det(I - S^T S)^-1/2.
  double sum = 0.5 * k * std::log(std::numbers::pi);
  for (int i = 0; i < k; ++i) {
    sum += columnLogEnvelope(columnAlphas(alphas, k, i)) - alphas[std::size_t(i)] +
           logGammaOfHalf(q - i) - logGammaOfHalf(k - i) - logGammaOfHalf(p + 1);
  }
  return sum;
}

std::unique_ptr<DrawnFrame> drawMacg(std::span<const double> alphas, int k,
                                     const MacgEnvelope& envelope, const BinghamFactor* factor,
                                     Drbg& random, std::uint64_t& undecided,
                                     std::uint64_t& proposals) {
  PrivateNumbers spreads;
  for (const double alpha : alphas) spreads.push_back(spreadAbove(alpha, envelope.b));
  const double cap = capAbove(alphas, k, envelope.b);
  for (;;) {
    ++proposals;
    auto frame = std::make_unique<MacgFrame>(spreads, std::size_t(k), random);
    const auto by_more_words = [&](Maker<Wide> make) {
      const Wide ahead = frame->ahead(alphas, cap, make);
      return factor == nullptr
                 ? ahead
                 : ahead + factor->logAt(frame->basis(make), make) - make(factor->bound());
    };
    if (isKept(frame->ahead(alphas, cap, Maker<Ball>{}), factor, undecided, by_more_words)) {
      return frame;
    }
  }
}

std::unique_ptr<DrawnFrame> drawSacg(std::span<const double> alphas, int k,
                                     const BinghamFactor* factor, Drbg& random,
                                     std::uint64_t& undecided, std::uint64_t& proposals) {
  std::vector<BinghamEnvelope> envelopes;
  envelopes.reserve(std::size_t(k));
  for (int i = 0; i < k; ++i) envelopes.emplace_back(columnAlphas(alphas, k, i));
  for (;;) {
    Chart<Ball> chart(Maker<Ball>{});
    std::vector<Proposal> columns;
    bool is_kept = true;
    // If any column is rejected, all are drawn again: the law of earlier columns is correct only
    // among complete draws.
    while (is_kept && columns.size() < envelopes.size()) {
      const BinghamEnvelope& envelope = envelopes[columns.size()];
      columns.emplace_back(envelope.alphas.size(), random);
      // The factor is one of all columns.
      const BinghamFactor* now = columns.size() == envelopes.size() ? factor : nullptr;
      const auto by_more_words = [&](Maker<Wide> make) {
        Chart<Wide> again(make);
        Wide ahead = make(0);
        for (std::size_t i = 0; i < columns.size(); ++i)
          ahead = again.add(envelopes[i], columns[i]);
        return now == nullptr ? ahead : ahead + now->logAt(again.lift(), make) - make(now->bound());
      };
      is_kept = isKept(chart.add(envelope, columns.back()), now, undecided, by_more_words);
      if (is_kept && columns.size() == 1) ++proposals;
    }
    if (is_kept) return std::make_unique<SacgFrame>(envelopes, std::move(columns));
  }
}

std::unique_ptr<DrawnFrame> drawFrame(std::span<const double> alphas, int k,
                                      const BinghamFactor* factor, Drbg& random,
                                      std::uint64_t& undecided) {
  std::uint64_t proposals = 0;
  if (k > 1) {
    const MacgEnvelope envelope = macgEnvelope(alphas, k);
    if (chartLogMass(alphas, k) > envelope.mass) {
      return drawMacg(alphas, k, envelope, factor, random, undecided, proposals);
    }
  }
  return drawSacg(alphas, k, factor, random, undecided, proposals);
}

}  // namespace pm
