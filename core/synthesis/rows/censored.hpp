#pragma once

namespace pm {

/// A normal variable clamped to [-1, 1]: a number column of the study in scaled units.
struct Censored {
  double mean = 0;       ///< of the latent variable, before clamping
  double deviation = 0;  ///< of the latent variable; not negative
};

/// Moments of the clamped variable and their derivatives.
struct CensoredMoments {
  double mean = 0;
  double square = 0;             ///< mean of its square
  double inside = 0;             ///< probability of being inside; also d mean / d latent mean
  double mean_by_deviation = 0;  ///< derivative by the latent deviation
  double square_by_deviation = 0;
  double square_by_mean = 0;  ///< derivative by the latent mean
};

/// In closed form from the normal density and distribution function (Tobin 1958).
CensoredMoments censoredMoments(const Censored& latent);

/// With a larger latent deviation, less than one value in a thousand lies between the bounds.
constexpr double kMostLatentDeviation = 1000;

/// Whether less than 1e-11 of the normal law with these moments lies outside [-1, 1].
bool isUncensored(double mean, double deviation);

/// Number of terms of `censoredSeries`.
constexpr int kSeriesTerms = 64;

/// The terms a_k / sqrt(k!), k = 1 .. kSeriesTerms, of the expansion of the clamped variable in
/// Hermite polynomials of the standardised latent one,
///   a_1 = s P(inside),  a_k = s (He_{k-2}(a) phi(a) - He_{k-2}(b) phi(b)),
/// a and b the bounds in latent deviations s. By Mehler's formula (1866), if two latent variables
/// have correlation r, the clamped ones have the covariance sum_k r^k a_k a'_k / k!, which
/// increases with r (Price 1958).
void censoredSeries(const Censored& latent, double* terms);

/// The r in [-1, 1] with sum_k r^k products_k = covariance, or the nearer end if there is none.
/// @param products a_k a'_k / k!, k = 1 .. `terms`, or sums of these
double latentCorrelation(const double* products, int terms, double covariance);

}  // namespace pm
