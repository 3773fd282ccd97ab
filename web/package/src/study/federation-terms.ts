import { checker, type Check } from '../base/check.js';
import { PrivateMomentsError, type ErrorCode } from '../base/errors.js';
import { count, plural } from '../base/counts.js';
import type { Clipping, Federation, FederationMode, Mechanism, MechanismName } from './types.js';
import { MECHANISM_FACTS } from '../generated/mechanisms.js';
import { mechanismsWith } from './mechanism.js';

export const FEDERATION_MODES: readonly FederationMode[] = [
  'independent',
  'split',
  'ring',
  'correlated',
];

/** Maximum number of sites for which messages and rosters are made. */
export const MAX_SITES = 2 ** 30;
/** Maximum where every pair of sites shares masks. */
const MAX_PAIRED_SITES = 1000;
/** Shares are the non-zero points of a field of 256 elements. */
const MAX_SHARING_SITES = 255;
const MAX_RATIO = 1e6;

/** A federation whose releases are summed behind masks. */
export type MaskedFederation = Exclude<Federation, { mode: 'independent' }>;

/** How many of the sites are assumed honest where nobody says: just over two thirds. */
export function usualHonest(sites: number): number {
  return Math.max(1, Math.floor((2 * sites) / 3) + 1);
}

/** How many sites may be missing from a sum. */
export function dropoutsOf(federation: MaskedFederation): number {
  return federation.mode === 'correlated' ? 0 : federation.dropouts;
}

/** No role completes a sum of fewer releases than this; 1 for independent releases, which are read singly. */
export function minSummed(federation: Federation): number {
  return federation.mode === 'independent' ? 1 : federation.sites - dropoutsOf(federation);
}

/** The fewest honest releases in a sum (all missing sites may be honest). Together they have the full noise. */
export function honestInSum(federation: MaskedFederation): number {
  return federation.honest - dropoutsOf(federation);
}

/**
 * Who may collude, and what the guarantee of a sum depends on, worded to follow "This holds if". Guarantees,
 * consent texts, pages and reports all use this text.
 * @throws PrivateMomentsError `invalid-federation`, also for mode `independent`.
 */
export function collusionTerms(federation: MaskedFederation): string {
  const terms = readFederation(federation);
  if (terms.mode === 'independent') {
    const message =
      'collusion does not matter with federation independent: each release has all of its noise';
    return fail(IN_STUDY.code, `${IN_STUDY.prefix}mode`, message);
  }
  const { mode, sites, honest } = terms;
  const collector = mode === 'split' ? 'the analyst' : 'the coordinator';
  const who =
    honest === sites
      ? `all ${count(sites)} sites are honest`
      : `at least ${count(honest)} of the ${count(sites)} sites ${honest === 1 ? 'is' : 'are'} honest`;
  const apart = mode === 'split' ? ' and the analyst and the helper never share files' : '';
  const colluders = sites - honest;
  const others =
    colluders === 0
      ? `no participant, real or made up, may collude with ${collector} or with others`
      : `up to ${plural(colluders, 'participant')}, real or made up, may collude with ${collector}${colluders === 1 ? '' : ' and with each other'}`;
  const least = minSummed(terms);
  const sum = least === sites ? 'exactly' : `at least ${count(least)} of the`;
  return `${who}${apart}: ${others}, and a sum has ${sum} ${plural(sites, 'release')}`;
}

/** How errors about the numbers of a federation refer to them. */
export interface TermsContext {
  code: ErrorCode;
  /** What precedes the name of a field, such as `federation.`. */
  prefix: string;
}

const IN_STUDY: TermsContext = { code: 'invalid-federation', prefix: 'federation.' };

/** @throws PrivateMomentsError `invalid-federation` with the field at fault. */
export function readFederation(value: unknown): Federation {
  if (value === undefined) return { mode: 'independent' };
  const check = checker(IN_STUDY.code);
  const keys = ['sites', 'honest', 'dropouts', 'threshold', 'ratio', 'calibration'];
  const mode = check.oneOf(
    check.object(value, 'federation', ['mode'], keys).mode,
    'federation.mode',
    FEDERATION_MODES,
  );
  switch (mode) {
    case 'independent':
      return readIndependent(value, check);
    case 'split': {
      const fields = check.object(value, 'federation', ['mode', 'sites', 'honest'], ['dropouts']);
      return { mode, ...readSplitTerms({ dropouts: 0, ...fields }, IN_STUDY) };
    }
    case 'ring': {
      const optional = ['dropouts', 'threshold'];
      const fields = check.object(value, 'federation', ['mode', 'sites', 'honest'], optional);
      return { mode, ...readRingTerms(fields, IN_STUDY) };
    }
    case 'correlated': {
      const optional = ['ratio', 'calibration'];
      const fields = check.object(value, 'federation', ['mode', 'sites', 'honest'], optional);
      return {
        mode,
        ...readSites(fields, IN_STUDY, MAX_PAIRED_SITES),
        ratio: readRatio(fields.ratio, check),
        calibration:
          fields.calibration === undefined
            ? 'joint'
            : check.oneOf(fields.calibration, 'federation.calibration', ['joint', 'paper']),
      };
    }
  }
}

/** Whether sites can share the noise of this mechanism, so that the sum of their releases has all of it. */
export function isShareable({ mode }: Federation, mechanism: MechanismName): boolean {
  return mode === 'independent' || MECHANISM_FACTS[mechanism].federations.includes(mode);
}

/**
 * Requires noise that sites can share, and a release that consists of the masked sums alone.
 * @throws PrivateMomentsError `invalid-mechanism` or `invalid-clipping`.
 */
export function requireShareable(
  federation: Federation,
  mechanism: Mechanism,
  clipping: Clipping,
): void {
  if (federation.mode === 'independent') return;
  if (!isShareable(federation, mechanism.name)) {
    const { mode } = federation;
    const names = mechanismsWith(({ federations }) => federations.includes(mode));
    const message = `with federation ${mode} the mechanism must be ${names.join(' or ')}`;
    fail('invalid-mechanism', 'mechanism.name', message);
  }
  if (clipping !== 'fixed') {
    const [what, sums] =
      clipping === 'adaptive' ? ['adaptive clipping', 'counts'] : ['private centring', 'sums'];
    const message = `${what} would reveal ${sums} of each single site: with federation ${federation.mode} use fixed`;
    fail('invalid-clipping', 'clipping', message);
  }
}

type Fields = Record<string, unknown>;

function readIndependent(value: unknown, check: Check): Federation {
  const fields = check.object(value, 'federation', ['mode'], ['sites', 'honest']);
  const count = (key: 'sites' | 'honest', min: number): number | undefined =>
    fields[key] === undefined
      ? undefined
      : check.wholeNumber(fields[key], `federation.${key}`, min);
  const sites = count('sites', 1);
  const honest = count('honest', 0);
  if (sites !== undefined && honest !== undefined) requireHonest(sites, honest, IN_STUDY);
  return {
    mode: 'independent',
    ...(sites === undefined ? {} : { sites }),
    ...(honest === undefined ? {} : { honest }),
  };
}

/**
 * The number of sites, 2 to `max`, and of honest ones: 1 <= honest <= sites.
 * @throws PrivateMomentsError with the code and the field prefix of `context`.
 */
export function readSites(
  fields: Fields,
  context: TermsContext,
  max: number,
): { sites: number; honest: number } {
  const check = checker(context.code);
  const sites = check.wholeNumber(fields.sites, `${context.prefix}sites`, 2, max);
  const honest = check.wholeNumber(fields.honest, `${context.prefix}honest`, 1);
  requireHonest(sites, honest, context);
  return { sites, honest };
}

/**
 * The numbers of mode `split`: a sum without `dropouts` sites must have an honest release, and another.
 * @throws PrivateMomentsError with the code and the field prefix of `context`.
 */
export function readSplitTerms(
  fields: Fields,
  context: TermsContext,
): { sites: number; honest: number; dropouts: number } {
  const { sites, honest } = readSites(fields, context, MAX_SITES);
  const dropouts = readDropouts(fields, context);
  const max = Math.min(honest - 1, sites - 2);
  if (dropouts > max) {
    const message = `without ${plural(dropouts, 'site')} a sum may hold no honest release, or one release alone: set ${context.prefix}dropouts to ${count(max)}${max === 0 ? '' : ' or less'}, or raise ${context.prefix}honest`;
    fail(context.code, `${context.prefix}dropouts`, message);
  }
  return { sites, honest, dropouts };
}

/**
 * The numbers of mode `ring`. `threshold` members must answer before masks are removed. Any two groups of
 * that size must share an honest member, who answers for one set only, whatever the coordinator does:
 * 2 threshold > 2 sites - honest. It follows that the colluding sites are fewer than `threshold`. When
 * `dropouts` sites are missing, `threshold` must remain. Each of the two defaults to what the other
 * implies; without both, every site must send and answer.
 * @throws PrivateMomentsError with the code and the field prefix of `context`.
 */
export function readRingTerms(
  fields: Fields,
  context: TermsContext,
): { sites: number; honest: number; dropouts: number; threshold: number } {
  const { sites, honest } = readSites(fields, context, MAX_PAIRED_SITES);
  const minThreshold = sites - Math.ceil(honest / 2) + 1;
  const ring = `a ring of ${count(sites)} sites of which ${count(honest)} ${honest === 1 ? 'is' : 'are'} honest`;
  const answering =
    fields.threshold === undefined ? undefined : readThreshold(fields, context, sites);
  if (answering !== undefined && answering < minThreshold) {
    const message = `in ${ring} two groups of ${count(answering)} may have no honest site in common, and could answer for two sums: set ${context.prefix}threshold to ${count(minThreshold)} or more, or raise ${context.prefix}honest`;
    fail(context.code, `${context.prefix}threshold`, message);
  }
  const dropouts =
    fields.dropouts === undefined ? sites - (answering ?? sites) : readDropouts(fields, context);
  const max = sites - minThreshold;
  if (dropouts > max) {
    const message = `${ring} cannot do without ${max === 0 ? 'any site' : `more than ${count(max)}`}: set ${context.prefix}dropouts to ${count(max)}${max === 0 ? '' : ' or less'}, or raise ${context.prefix}honest`;
    fail(context.code, `${context.prefix}dropouts`, message);
  }
  const threshold = answering ?? sites - dropouts;
  if (threshold > sites - dropouts) {
    const message = `${context.prefix}threshold cannot exceed sites minus dropouts (${count(sites - dropouts)}): more sites may not be present`;
    fail(context.code, `${context.prefix}threshold`, message);
  }
  if (threshold < sites && sites > MAX_SHARING_SITES) {
    const message = `more than ${MAX_SHARING_SITES} sites cannot share secrets, so all must answer: set ${context.prefix}threshold to ${count(sites)} and ${context.prefix}dropouts to 0`;
    fail(context.code, `${context.prefix}threshold`, message);
  }
  return { sites, honest, dropouts, threshold };
}

function readThreshold(fields: Fields, { code, prefix }: TermsContext, sites: number): number {
  return checker(code).wholeNumber(fields.threshold, `${prefix}threshold`, 2, sites);
}

function readDropouts(fields: Fields, { code, prefix }: TermsContext): number {
  return checker(code).wholeNumber(fields.dropouts, `${prefix}dropouts`, 0);
}

function requireHonest(sites: number, honest: number, { code, prefix }: TermsContext): void {
  if (honest <= sites) return;
  fail(code, `${prefix}honest`, `${prefix}honest cannot exceed ${prefix}sites`);
}

function readRatio(value: unknown, check: Check): number {
  if (value === undefined) return 1;
  const ratio = check.number(value, 'federation.ratio');
  if (ratio > 0 && ratio <= MAX_RATIO) return ratio;
  const message = `federation.ratio must be above 0 and at most ${MAX_RATIO}`;
  return fail('invalid-federation', 'federation.ratio', message);
}

function fail(code: ErrorCode, field: string, message: string): never {
  throw new PrivateMomentsError(code, message, { field });
}
