#pragma once

namespace pm {

/// A normal number, moved to the nearest of -1 and 1 where it lies beyond: a number of the study in
/// scaled units.
struct Censored {
  double mean = 0;       ///< before it is moved
  double deviation = 0;  ///< likewise; not negative
};

/// What it is after it has been moved.
struct CensoredMoments {
  double mean = 0;
  double square = 0;  ///< mean of its square
  double inside = 0;  ///< the chance that it is not moved: what `mean` gains with the latent mean
  double meanByDeviation = 0;  ///< derivatives, by the latent deviation
  double squareByDeviation = 0;
  double squareByMean = 0;  ///< by the latent mean
};

/// In closed form, by the density and the distribution function of the normal law (Tobin 1958).
CensoredMoments censoredMoments(const Censored& latent);

/// Beyond this latent deviation a number is at one bound or the other but once in a thousand times.
constexpr double kMostLatentDeviation = 1000;

/// True where hardly any of the normal law with these moments lies beyond the bounds: less than
/// 1e-11.
bool isUncensored(double mean, double deviation);

/// How many of `censoredSeries` there are at most.
constexpr int kSeriesTerms = 64;

/// The terms a_k / sqrt(k!), k = 1 .. kSeriesTerms, of the expansion of the moved number in Hermite
/// polynomials of its standardised latent one,
///   a_1 = s P(inside),  a_k = s (He_{k-2}(a) phi(a) - He_{k-2}(b) phi(b)),
/// a and b the bounds in latent deviations s. By Mehler's formula (1866) two such numbers whose
/// latent ones have the correlation r have the covariance sum_k r^k a_k a'_k / k!, increasing in r
/// (Price 1958).
void censoredSeries(const Censored& latent, double* terms);

/// The r in [-1, 1] with sum_k r^k products_k = covariance, or the bound that is nearer to it.
/// @param products a_k a'_k / k!, k = 1 .. `terms`, or sums of such
double latentCorrelation(const double* products, int terms, double covariance);

}  // namespace pm
