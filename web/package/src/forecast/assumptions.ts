/**
 * What a forecast assumes of columns that nobody has looked at: on the sceptical side, so that a verdict does
 * not promise what a typical table would not give (docs/forecast.md has the measurements).
 */
export const ASSUMPTIONS = {
  /** Correlation of the columns of one view. */
  withinViews: 0.8,
  /** Distance of means from the middle of their bounds, as a share of the range. */
  offCentre: 0.2,
  /** Standard deviation, likewise. */
  spread: 0.2,
} as const;
