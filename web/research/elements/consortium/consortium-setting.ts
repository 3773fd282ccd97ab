import type { ConsortiumSetting } from 'private-moments-research';
import type { ConsortiumSet } from './consortium-sets.js';

/** A setting with its number of honest sites. */
export type Setting = Required<ConsortiumSetting>;

/** The axes that a figure can be drawn along. */
export type Along = 'epsilon' | 'delta' | 'sites' | 'rows';

/** The ranges of the sliders and axes. The papers on private PCA and CCA use delta 0.01 and 0.05. */
export const RANGES: Record<Along, readonly [least: number, most: number]> = {
  epsilon: [0.01, 10],
  delta: [1e-9, 0.05],
  sites: [1, 100],
  rows: [50, 100_000],
};

const EPSILON = 1;
const DELTA = 1e-6;
const SITES = 10;
const ROWS = 1000;

/** The default setting: the rows of the set over ten sites, or over fewer if each had too few. */
export function settingOf({ rows }: ConsortiumSet): Setting {
  const [fewest] = RANGES.rows;
  const sites = rows === null ? SITES : Math.min(SITES, Math.max(3, Math.floor(rows / 100)));
  const each = rows === null ? ROWS : Math.max(fewest, Math.round(rows / sites));
  return { epsilon: EPSILON, delta: DELTA, sites, honest: sites - 1, rows: each };
}

/** The setting with another number of sites and the same share of honest ones, rounded up. */
export function withSites(setting: Setting, sites: number): Setting {
  const honest = Math.max(1, Math.ceil((setting.honest / setting.sites) * sites - 1e-9));
  return { ...setting, sites, honest: Math.min(sites, honest) };
}

/** Preferred numbers with two digits, twelve to a decade (IEC 60063, E12). */
const STEPS = [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2];

/** Round numbers across the range of an axis, at about even distances on its log scale. */
export function gridOf(along: Along): number[] {
  const [least, most] = RANGES[along];
  const powers = Array.from({ length: 12 }, (_, i) => i + Math.floor(Math.log10(least)));
  const steps = powers.flatMap((power) => STEPS.map((step) => Number(`${step}e${power}`)));
  const within = steps.filter((value) => value > least && value < most);
  return [...new Set([least, ...(along === 'sites' ? within.map(Math.round) : within), most])];
}

/** The settings along an axis, through the present one. */
export function settingsAlong(along: Along, present: Setting): Setting[] {
  return gridOf(along).map((value) =>
    along === 'sites' ? withSites(present, value) : { ...present, [along]: value },
  );
}
