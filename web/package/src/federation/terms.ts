import { checker, type Check } from '../check.js';
import { PrivateMomentsError, type ErrorCode } from '../errors.js';
import type { Clipping, Federation, FederationMode, Mechanism, MechanismName } from '../types.js';

export const FEDERATION_MODES: readonly FederationMode[] = [
  'independent',
  'split',
  'ring',
  'correlated',
];

/** Messages, and with them a roster, are made for no more than so many. */
export const MOST_SITES = 2 ** 30;
const MOST_SITES_THAT_MEET = 1000;
/** Shares are points over 256 elements. */
const MOST_WITH_SHARES = 255;
const MOST_RATIO = 1e6;

/** What can be shared among sites so that any `honest` of them have it all. */
const SHAREABLE: Readonly<Record<Exclude<FederationMode, 'independent'>, readonly string[]>> = {
  split: ['gaussian', 'two-sided-wishart'],
  ring: ['gaussian', 'two-sided-wishart'],
  correlated: ['gaussian'],
};

/** @throws PrivateMomentsError `invalid-federation` with the field at fault. */
export function readFederation(value: unknown): Federation {
  if (value === undefined) return { mode: 'independent' };
  const check = checker('invalid-federation');
  const keys = ['sites', 'honest', 'threshold', 'ratio', 'calibration'];
  const mode = check.oneOf(
    check.object(value, 'federation', ['mode'], keys).mode,
    'federation.mode',
    FEDERATION_MODES,
  );
  switch (mode) {
    case 'independent':
      return readIndependent(value, check);
    case 'split':
      check.object(value, 'federation', ['mode', 'sites', 'honest']);
      return { mode, ...readSites(value as Given, check, MOST_SITES) };
    case 'ring': {
      const given = check.object(value, 'federation', ['mode', 'sites', 'honest'], ['threshold']);
      const { sites, honest } = readSites(given, check, MOST_SITES_THAT_MEET);
      return { mode, sites, honest, threshold: thresholdOf(given, sites, honest) };
    }
    case 'correlated': {
      const optional = ['ratio', 'calibration'];
      const given = check.object(value, 'federation', ['mode', 'sites', 'honest'], optional);
      const { sites, honest } = readSites(given, check, MOST_SITES_THAT_MEET);
      return {
        mode,
        sites,
        honest,
        ratio: readRatio(given.ratio, check),
        calibration:
          given.calibration === undefined
            ? 'joint'
            : check.oneOf(given.calibration, 'federation.calibration', ['joint', 'paper']),
      };
    }
  }
}

/** Whether the noise of a mechanism is whole in the sum of the releases of a study. */
export function isShareable({ mode }: Federation, mechanism: MechanismName): boolean {
  return mode === 'independent' || SHAREABLE[mode].includes(mechanism);
}

/**
 * What is summed must be noise that can be shared, and nothing may leave beside the masked sums.
 * @throws PrivateMomentsError `invalid-mechanism` or `invalid-clipping`.
 */
export function requireShareable(
  federation: Federation,
  mechanism: Mechanism,
  clipping: Clipping,
): void {
  if (federation.mode === 'independent') return;
  if (!isShareable(federation, mechanism.name)) {
    const names = SHAREABLE[federation.mode];
    const message = `with federation ${federation.mode} the mechanism must be ${names.join(' or ')}`;
    fail('invalid-mechanism', 'mechanism.name', message);
  }
  if (clipping === 'adaptive') {
    const message = `adaptive clipping would tell counts of each site by itself: with federation ${federation.mode} use fixed`;
    fail('invalid-clipping', 'clipping', message);
  }
}

type Given = Record<string, unknown>;

function readIndependent(value: unknown, check: Check): Federation {
  const given = check.object(value, 'federation', ['mode'], ['sites', 'honest']);
  const count = (key: 'sites' | 'honest', least: number): number | undefined =>
    given[key] === undefined
      ? undefined
      : check.wholeNumber(given[key], `federation.${key}`, least);
  const sites = count('sites', 1);
  const honest = count('honest', 0);
  if (sites !== undefined && honest !== undefined) requireHonest(sites, honest);
  return {
    mode: 'independent',
    ...(sites === undefined ? {} : { sites }),
    ...(honest === undefined ? {} : { honest }),
  };
}

function readSites(given: Given, check: Check, most: number): { sites: number; honest: number } {
  const sites = check.wholeNumber(given.sites, 'federation.sites', 2, most);
  const honest = check.wholeNumber(given.honest, 'federation.honest', 1);
  requireHonest(sites, honest);
  return { sites, honest };
}

function requireHonest(sites: number, honest: number): void {
  if (honest <= sites) return;
  fail(
    'invalid-federation',
    'federation.honest',
    'federation.honest cannot exceed federation.sites',
  );
}

/** Of a study: two thirds of the sites where it says nothing, all where there are too many for shares. */
function thresholdOf(given: Given, sites: number, honest: number): number {
  if (given.threshold !== undefined) {
    const at = { code: 'invalid-federation', field: 'federation.threshold' } as const;
    return readThreshold(given.threshold, sites, honest, at);
  }
  if (sites > MOST_WITH_SHARES) return sites;
  return Math.max(leastThreshold(sites, honest), Math.floor((2 * sites) / 3) + 1);
}

/**
 * How many must answer before masks are taken off; where it is all sites, nobody is made up for and
 * nothing has to be shared.
 * @throws PrivateMomentsError with the code and the field of the caller.
 */
export function readThreshold(
  value: unknown,
  sites: number,
  honest: number,
  { code, field }: { code: ErrorCode; field: string },
): number {
  const least = leastThreshold(sites, honest);
  const threshold = checker(code).wholeNumber(value, field, least, sites);
  if (threshold === sites || sites <= MOST_WITH_SHARES) return threshold;
  const message = `with more than ${MOST_WITH_SHARES} sites ${field} must be sites: secrets are shared among no more`;
  return fail(code, field, message);
}

/**
 * All who are not honest together must be fewer, or they could take off whose masks they like; and so
 * few that two disjoint groups could both answer must not be enough.
 */
function leastThreshold(sites: number, honest: number): number {
  return Math.max(sites - honest + 1, Math.floor(sites / 2) + 1, 2);
}

function readRatio(value: unknown, check: Check): number {
  if (value === undefined) return 1;
  const ratio = check.number(value, 'federation.ratio');
  if (ratio > 0 && ratio <= MOST_RATIO) return ratio;
  const message = `federation.ratio must lie above 0 and not above ${MOST_RATIO}`;
  return fail('invalid-federation', 'federation.ratio', message);
}

function fail(code: ErrorCode, field: string, message: string): never {
  throw new PrivateMomentsError(code, message, { field });
}
