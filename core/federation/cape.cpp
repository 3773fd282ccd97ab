#include "core/federation/cape.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/random/continuous.hpp"
#include "core/square.hpp"

namespace pm {
namespace {

// Tolerance for equal deviations in floating point.
constexpr double kRounding = 1 + 1e-12;

// Independent numbers are used if the largest variance is at most this share of the sum of the
// others; at 1 their own variances would be infinite.
constexpr double kNearlyAll = 1 - 1e-6;

Error impossible() {
  return {Code::kInvalidFederation,
          "the sites' masks cannot sum to zero, because one is larger than all others together; "
          "weight the sites by their rows",
          "rows"};
}

// Variances x_s of independent numbers whose variances, conditioned on sum zero, are
//   v_s = x_s - x_s^2 / T,  T the sum of all x.
// x_s = (T - sqrt(T^2 - 4 T v_s))/2, except that the largest may be the other root. Precondition:
// the largest v is less than the sum of the others.
std::vector<double> independentVariances(const std::vector<double>& v) {
  const std::size_t largest = std::size_t(std::max_element(v.begin(), v.end()) - v.begin());
  const auto smaller = [&](double total, double variance) {
    const double root = std::sqrt(std::max(0.0, square(total) - 4 * total * variance));
    return 2 * total * variance / (total + root);
  };
  const auto others = [&](double total) {
    double sum = 0;
    for (std::size_t s = 0; s < v.size(); ++s) sum += s == largest ? 0 : smaller(total, v[s]);
    return sum;
  };
  // All roots must sum to T. If the largest takes its other root, T - (its smaller root), the rest
  // must sum to its smaller root.
  const double least = 4 * v[largest];
  const bool other_root = others(least) < least / 2;
  const auto excess = [&](double total) {
    const double small = smaller(total, v[largest]);
    return other_root ? small - others(total) : others(total) + small - total;
  };
  double low = least, high = 2 * least;
  while (excess(high) > 0 && high < 0x1p60 * least) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  std::vector<double> x;
  x.reserve(v.size());
  for (const double variance : v) x.push_back(smaller(high, variance));
  if (other_root) x[largest] = high - x[largest];
  return x;
}

std::size_t largestOf(std::span<const double> deviations) {
  return std::size_t(std::max_element(deviations.begin(), deviations.end()) - deviations.begin());
}

// Lower triangular Cholesky factor of a positive semidefinite matrix, with zero columns for
// vanishing pivots.
std::vector<double> factorOf(const std::vector<double>& matrix, std::size_t n) {
  std::vector<double> factor(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) rest -= factor[i * n + k] * factor[j * n + k];
      const double pivot = factor[j * n + j];
      if (i == j) {
        factor[i * n + i] = rest > 1e-12 * matrix[i * n + i] ? std::sqrt(rest) : 0;
      } else {
        factor[i * n + j] = pivot > 0 ? rest / pivot : 0;
      }
    }
  }
  return factor;
}

// Masks are multiples of 2^-40 of the largest deviation, so that adding 2^10 of them is exact.
double unitOf(double largest) { return std::ldexp(1.0, std::ilogb(largest) - 40); }

// tau_s^2 [V^-1]_ss, where V has the masks' covariance plus `own`, tau_s^2 / S, on its diagonal.
std::vector<double> exposureOf(std::vector<double> covariance, const std::vector<double>& own) {
  const std::size_t sites = own.size();
  for (std::size_t s = 0; s < sites; ++s) covariance[s * sites + s] += own[s];
  const std::vector<double> factor = factorOf(covariance, sites);
  std::vector<double> exposure(sites), solved(sites);
  for (std::size_t s = 0; s < sites; ++s) {
    // [V^-1]_ss is the squared length of L^-1 e_s, which is 0 before s.
    for (std::size_t i = s; i < sites; ++i) {
      double rest = i == s ? 1 : 0;
      for (std::size_t j = s; j < i; ++j) rest -= factor[i * sites + j] * solved[j];
      solved[i] = rest / factor[i * sites + i];
      exposure[s] += square(solved[i]);
    }
    exposure[s] *= double(sites) * own[s];
  }
  return exposure;
}

Status check(const CapeParams& params, std::span<const std::vector<double>> matrices) {
  const std::size_t sites = params.rows.size();
  for (const double sigma : params.sigma) {
    if (sigma > 0 && std::isfinite(sigma)) continue;
    return Error{Code::kInvalidNoise, "sigma must be a finite number above 0", "sigma"};
  }
  if (sites < 2) {
    return Error{Code::kInvalidFederation, "there must be at least two sites", "rows"};
  }
  if (params.sigma.size() != 1 && params.sigma.size() != sites) {
    return Error{Code::kWrongLength, "there must be one sigma for all sites, or one for each",
                 "sigma"};
  }
  for (const double rows : params.rows) {
    if (!(rows >= 1) || !std::isfinite(rows)) {
      return Error{Code::kNoRows, "every site needs at least one row", "rows"};
    }
  }
  if (matrices.size() != sites || matrices[0].empty()) {
    return Error{Code::kWrongLength, "there must be one matrix for each site", "matrices"};
  }
  for (const std::vector<double>& matrix : matrices) {
    if (matrix.size() == matrices[0].size()) continue;
    return Error{Code::kWrongLength, "all matrices must have the same size", "matrices"};
  }
  std::vector<int> dropped = params.dropped;
  std::sort(dropped.begin(), dropped.end());
  const bool valid = std::adjacent_find(dropped.begin(), dropped.end()) == dropped.end() &&
                     (dropped.empty() || (dropped.front() >= 0 && dropped.back() < int(sites))) &&
                     dropped.size() < sites;
  if (valid) return {};
  return Error{Code::kInvalidFederation, "dropped must list distinct sites, and not all of them",
               "dropped"};
}

}  // namespace

Result<std::vector<double>> zeroSumCovariance(std::span<const double> deviations) {
  const std::size_t sites = deviations.size();
  const std::size_t largest = largestOf(deviations);
  std::vector<double> v;
  double sum = 0, squares = 0;
  for (const double deviation : deviations) {
    v.push_back(square(deviation));
    sum += deviation, squares += square(deviation);
  }
  const double others = sum - deviations[largest], other_squares = squares - v[largest];
  if (deviations[largest] > others * kRounding) return impossible();
  std::vector<double> covariance(sites * sites);
  if (v[largest] < other_squares * kNearlyAll) {
    const std::vector<double> x = independentVariances(v);
    double total = 0;
    for (const double variance : x) total += variance;
    for (std::size_t s = 0; s < sites; ++s) {
      for (std::size_t t = 0; t < sites; ++t) {
        covariance[s * sites + t] = (s == t ? x[s] : 0) - x[s] * x[t] / total;
      }
    }
    return covariance;
  }
  // The others have correlation r, so that their sum has the variance of the largest.
  const double room = square(others) - other_squares;
  const double r = room > 0 ? std::min(1.0, (v[largest] - other_squares) / room) : 0;
  for (std::size_t s = 0; s < sites; ++s) {
    for (std::size_t t = 0; t < sites; ++t) {
      if (s == largest || t == largest) continue;
      const double each = (s == t ? 1 : r) * deviations[s] * deviations[t];
      covariance[s * sites + t] = each;
      covariance[s * sites + largest] -= each;
      covariance[largest * sites + t] -= each;
      covariance[largest * sites + largest] += each;
    }
  }
  return covariance;
}

Result<std::vector<std::vector<double>>> zeroSumMasks(std::span<const double> deviations,
                                                      std::size_t entries, Drbg& random) {
  const Result<std::vector<double>> covariance = zeroSumCovariance(deviations);
  if (!covariance.ok()) return covariance.error();
  const std::size_t sites = deviations.size(), largest = largestOf(deviations);
  const std::vector<double> factor = factorOf(covariance.value(), sites);
  const double unit = unitOf(deviations[largest]);
  std::vector<std::vector<double>> masks(sites, std::vector<double>(entries));
  std::vector<double> normals(sites);
  for (std::size_t e = 0; e < entries; ++e) {
    for (double& normal : normals) normal = standardNormal(random);
    // All except the largest are rounded to units; the largest is minus their sum, which is exact.
    double sum = 0;
    for (std::size_t s = 0; s < sites; ++s) {
      if (s == largest) continue;
      double mask = 0;
      for (std::size_t t = 0; t <= s; ++t) mask += factor[s * sites + t] * normals[t];
      sum += masks[s][e] = std::nearbyint(mask / unit) * unit;
    }
    masks[largest][e] = -sum;
  }
  return masks;
}

Result<CapeRun> runCape(const CapeParams& params, std::span<const std::vector<double>> matrices,
                        Drbg& random) {
  if (const Status wrong = check(params, matrices)) return *wrong;
  const std::size_t sites = params.rows.size(), entries = matrices[0].size();
  const double s = double(sites), mask = std::sqrt(1 - 1 / s);
  double rows = 0, left_rows = 0;
  for (const double each : params.rows) rows += each;
  const bool by_rows = params.weights == CapeWeights::kRows;
  std::vector<bool> is_left(sites, true);
  for (const int dropped : params.dropped) is_left[std::size_t(dropped)] = false;
  for (std::size_t i = 0; i < sites; ++i) left_rows += is_left[i] ? params.rows[i] : 0;
  const double left = s - double(params.dropped.size());
  // The factor to the unit in which the masks sum to zero: means, or sums over rows.
  const auto scale = [&](std::size_t i) { return by_rows ? params.rows[i] : 1.0; };

  std::vector<double> taus, deviations, own;
  for (std::size_t i = 0; i < sites; ++i) {
    taus.push_back(params.sigma[params.sigma.size() == 1 ? 0 : i] / params.rows[i]);
    deviations.push_back(mask * taus[i] * scale(i));
    own.push_back(square(taus[i] * scale(i)) / s);
  }
  Result<std::vector<std::vector<double>>> masks = zeroSumMasks(deviations, entries, random);
  if (!masks.ok()) {
    Error wrong = masks.error();
    // Sums of rows have masks of equal size at sites of equal sigma.
    if (by_rows)
      wrong = {wrong.code, "one site's sigma is larger than all others together", "sigma"};
    return wrong;
  }

  CapeRun run;
  run.aggregate.assign(entries, 0);
  std::vector<double> shares(sites);  // weight of each mask in the aggregate
  double variance = 0, conventional = 0;
  for (std::size_t i = 0; i < sites; ++i) {
    const double tau = taus[i];
    const double weight = !is_left[i] ? 0 : by_rows ? params.rows[i] / left_rows : 1 / left;
    std::vector<double> message = matrices[i], zero_sum = masks.value()[i];
    for (double& each : zero_sum) each /= scale(i);
    for (std::size_t e = 0; e < entries; ++e) {
      const double known = mask * tau * standardNormal(random);
      message[e] += zero_sum[e] + known + tau / std::sqrt(s) * standardNormal(random);
      run.aggregate[e] += weight * (message[e] - known);
    }
    run.messages.push_back(std::move(message));
    run.masks.push_back(std::move(zero_sum));
    shares[i] = weight / scale(i);
    variance += square(weight * tau) / s;
    conventional += square(weight * tau);
  }
  std::vector<double> covariance = zeroSumCovariance(deviations).value();
  double unrecovered = 0;
  for (std::size_t i = 0; i < sites; ++i) {
    for (std::size_t j = 0; j < sites; ++j) {
      unrecovered += shares[i] * covariance[i * sites + j] * shares[j];
    }
  }
  run.sd = std::sqrt(variance + std::max(0.0, unrecovered));
  run.conventional_sd = std::sqrt(conventional);
  run.pooled_sd = *std::max_element(params.sigma.begin(), params.sigma.end()) / rows;
  run.exposure = exposureOf(std::move(covariance), own);
  return run;
}

}  // namespace pm
