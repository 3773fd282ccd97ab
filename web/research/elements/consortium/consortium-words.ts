import { csvText } from 'private-moments/internal';
import type { ConsortiumOutcome, ConsortiumWay } from 'private-moments-research';
import type { Curves } from './consortium-curves.js';
import type { Along, Setting } from './consortium-setting.js';
import { bound, correlation, count, list, plural, probability } from 'private-moments/words';

/** The measures that a figure can show. */
export type Shown = 'first' | 'all' | 'error';

export const TITLES: Record<Shown, string> = {
  first: 'How much of the strongest link survives the noise',
  all: 'How much of all links survives the noise',
  error: 'Error of the correlations',
};

export const WAYS: Record<ConsortiumWay, string> = {
  'non-private': 'without privacy',
  pooled: 'pooled',
  split: 'split',
  cape: 'capeCCA',
  conventional: 'conventional',
  local: 'local',
  'cape-published': 'capeCCA as published',
};

/** The ways in which all sites together make one result and keep one promise. */
const SHARED: readonly ConsortiumWay[] = ['pooled', 'split', 'cape', 'conventional'];

export const AXES: Record<Along, string> = {
  epsilon: 'privacy ε, log scale (stronger to the left)',
  delta: 'chance of a larger leak δ, log scale (stronger to the left)',
  sites: 'sites, log scale',
  rows: 'rows of each site, log scale',
};

/** A value as shown on an axis, on a slider or in a table. */
export function written(along: Along, value: number): string {
  if (along === 'delta') return probability(value);
  return along === 'epsilon' ? bound(value) : count(value);
}

/** A share as text, rounded down so that it is never overstated. */
export function share(value: number): string {
  return `${Math.floor(value * 100 + 1e-6)}%`;
}

/** An error as text, rounded up. */
export function miss(value: number): string {
  if (value < 0.0005) return '.001';
  return value < 0.0095
    ? correlation(Math.ceil(value * 1000 - 1e-6) / 1000, 3)
    : correlation(Math.ceil(value * 100 - 1e-6) / 100);
}

export function shownValue(shown: Shown, value: number): string {
  return shown === 'error' ? miss(value) : share(value);
}

/** The outcome of a way. */
export function outcomeOf(
  outcomes: readonly ConsortiumOutcome[],
  way: ConsortiumWay,
): ConsortiumOutcome | undefined {
  return outcomes.find((outcome) => outcome.way === way);
}

/** Above this share, the finding does not list how the ways differ. */
const NEARLY_ALL = 0.9;
/** The same for the error of a correlation, below this. */
const HARDLY = 0.02;

/** The finding at the present setting. */
export function finding({ present, setting }: Curves, shown: Shown): string {
  const value = (way: ConsortiumWay): number => outcomeOf(present, way)?.[shown] ?? NaN;
  const at = `At ε = ${bound(setting.epsilon)}`;
  const isError = shown === 'error';
  if (setting.sites === 1) {
    const own = shownValue(shown, value('local'));
    return isError
      ? `With one site there is nothing to share. ${at}, it misses a correlation by ${own}.`
      : `With one site there is nothing to share. ${at}, it recovers ${own}.`;
  }
  const shares = SHARED.map(value);
  const worst = isError ? Math.max(...shares) : Math.min(...shares);
  const alone = shownValue(shown, value('local'));
  const last = isError ? `One site alone misses by ${alone}.` : `One site alone gets ${alone}.`;
  if (isError ? worst <= HARDLY : worst >= NEARLY_ALL) {
    return isError
      ? `${at}, every shared way misses a correlation by ${shownValue(shown, worst)} or less. ${last}`
      : `${at}, every shared way recovers at least ${shownValue(shown, worst)}. ${last}`;
  }
  const each = [...SHARED, 'local' as const].map(
    (way) => `${way === 'local' ? 'one site alone' : WAYS[way]} ${shownValue(shown, value(way))}`,
  );
  return `${at}, these ${isError ? 'miss a correlation by' : 'recover'}: ${each.join(', ')}.`;
}

/** What was measured, on which data, and how often. */
export function caption({ set, correlations, runs, setting }: Curves, shown: Shown): string {
  const [first = 0] = correlations;
  const all = list(correlations.map((value) => correlation(value)));
  const what = {
    first: `Share of the true first canonical correlation (${correlation(first)}) captured by the released weights.`,
    all: `Share of the sum of all true canonical correlations (${all}) captured by the released weights.`,
    error: `Distance of a released canonical correlation from the true one (${all}), mean over pairs; one below its noise floor is not found, and counts as 0.`,
  }[shown];
  const total = setting.sites * setting.rows;
  const like =
    set.rows === null || Math.abs(total - set.rows) <= setting.sites
      ? ''
      : ` As if there were ${count(total)} ${set.rowsAre} like the ${count(set.rows)} of the set.`;
  return `${what} Mean of ${plural(runs, 'run')}.${like}`;
}

/** A description of the figure with its numbers. */
export function description(curves: Curves, shown: Shown, ways: readonly ConsortiumWay[]): string {
  const { along, grid, outcomes, setting } = curves;
  const axis = {
    epsilon: 'epsilon',
    delta: 'delta',
    sites: 'the number of sites',
    rows: 'the rows of each site',
  }[along];
  const places = [0, Math.floor((grid.length - 1) / 2), grid.length - 1];
  const said = ways.map((way) => {
    const at = places.map((place) => {
      const value = outcomeOf(outcomes[place] ?? [], way)?.[shown] ?? NaN;
      return `${shownValue(shown, value)} at ${written(along, grid[place] ?? NaN)}`;
    });
    return `${WAYS[way]} ${list(at)}`;
  });
  return `${TITLES[shown]} along ${axis}, log scale. ${said.join('; ')}. ${others(along, setting)}`;
}

/** The settings that stay fixed along an axis. */
export function others(along: Along, { epsilon, delta, sites, honest, rows }: Setting): string {
  const parts = [
    along === 'epsilon' ? '' : `ε = ${bound(epsilon)}`,
    along === 'delta' ? '' : `δ = ${probability(delta)}`,
    along === 'sites'
      ? `${share(honest / sites)} of the sites honest`
      : `${plural(sites, 'site')}, ${count(honest)} honest`,
    along === 'rows' ? '' : `${plural(rows, 'row')} each`,
  ];
  return `${list(parts.filter((part) => part !== ''))}.`;
}

/** The data of the figure as CSV: each way at each point of the axis. */
export function csvOf({ set, settings, outcomes, runs }: Curves): string {
  const header = [
    ...['data', 'epsilon', 'delta', 'sites', 'rows_per_site', 'honest', 'way', 'promised_epsilon'],
    ...['noise_sd', 'first_pair', 'all_pairs', 'error', 'runs'],
  ];
  const lines = settings.flatMap(({ epsilon, delta, sites, rows, honest }, i) =>
    (outcomes[i] ?? []).map((outcome) => [
      ...[set.id, epsilon, delta, sites, rows, honest, outcome.way],
      ...[outcome.epsilon === Infinity ? '' : outcome.epsilon, outcome.deviation],
      ...[outcome.first, outcome.all, outcome.error, runs],
    ]),
  );
  return csvText(header, lines);
}
