/**
 * What a forecast assumes about columns before any data are seen. It is on the sceptical side, so that a
 * verdict does not promise more than a typical table gives (docs/forecast.md has the measurements).
 */
export const ASSUMPTIONS = {
  /** Correlation between the columns of one view. */
  withinViews: 0.8,
  /** Distance of means from the middle of the bounds, as a share of the range. */
  offCentre: 0.2,
  /** Standard deviation, as a share of the range. */
  spread: 0.2,
} as const;
