import { checker } from './check.js';
import { PrivateMomentsError } from './errors.js';
import { collusionTerms } from './federation/terms.js';
import { MECHANISMS, readMechanism } from './mechanism.js';
import {
  MAX_FEATURES,
  type Cost,
  type Federation,
  type Guarantee,
  type GuaranteePart,
  type Mechanism,
  type NoiseEnvelope,
  type Numerics,
} from './types.js';

/** Twice the largest release there can be: 1000 features, 17 characters a number. */
const LONGEST_TEXT = 1 << 24;

/** More public numbers than any mechanism has, in camelCase. */
const MOST_PARAMETERS = 32;
const PARAMETER = /^[a-z][a-zA-Z0-9]{0,39}$/;

const GUARANTEE_KEYS = ['epsilon', 'delta', 'neighbours', 'unit', 'numerics', 'assumes'];
const BOUND_KEYS = ['gdp', 'zcdp', 'totalVariation'];
const NOISE_NUMBERS = ['bits', 'gridLog2', 'unit', 'mean', 'sdDiagonal', 'sdOffDiagonal'] as const;
const NOISE_TEXTS = ['distribution', 'sampler', 'rng'] as const;
const NUMERICS: readonly Numerics[] = ['exact', 'idealized'];

/** For whatever is read of a release or of a sum of them. */
export const check = checker('release-unreadable');

/**
 * A copy of the guarantee alone, from a description by the core or another guarantee. Of a study whose
 * releases are summed behind masks its federation says who may collude, which comes first.
 */
export function guaranteeOf(stated: Guarantee, federation?: Federation): Guarantee {
  const { epsilon, delta, gdp, zcdp, totalVariation, neighbours, unit, numerics } = stated;
  const { assumes, parts, honest, floor, alone } = stated;
  return structuredClone({
    epsilon,
    delta,
    ...(gdp === undefined ? {} : { gdp }),
    ...(zcdp === undefined ? {} : { zcdp }),
    ...(totalVariation === undefined ? {} : { totalVariation }),
    neighbours,
    unit,
    numerics,
    assumes:
      federation === undefined || federation.mode === 'independent'
        ? assumes
        : [collusionTerms(federation), ...assumes],
    ...(parts === undefined ? {} : { parts }),
    ...(honest === undefined ? {} : { honest }),
    ...(floor === undefined ? {} : { floor }),
    ...(alone === undefined ? {} : { alone }),
  });
}

/** What a text, bytes, or an object that was read already say. */
export function jsonOf(input: unknown): unknown {
  return typeof input === 'string' || input instanceof Uint8Array ? read(input) : input;
}

function read(input: string | Uint8Array): unknown {
  if (input.length > LONGEST_TEXT) throw unreadable('it is larger than any release can be');
  let text: string;
  try {
    text =
      typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch (cause) {
    throw unreadable('it is not UTF-8 text', cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const trimmed = text.trim();
    if (trimmed.startsWith('{') && !trimmed.endsWith('}')) {
      const message = 'the release ends too early; it was not copied or downloaded to its end';
      throw new PrivateMomentsError('release-truncated', message, {}, cause);
    }
    throw unreadable('it is not JSON text', cause);
  }
}

/** What carries an envelope. */
type Carrier = 'release' | 'sum';

/** @throws PrivateMomentsError `release-version` where the format stated is not the one that is read. */
export function requireFormat(carrier: Carrier, stated: string, format: string): void {
  if (stated === format) return;
  const message = `the ${carrier} has the format ${stated.slice(0, 60)}; this version reads ${format}`;
  throw new PrivateMomentsError('release-version', message, { field: 'format' });
}

/** @throws PrivateMomentsError `release-altered` where the digest stated is not the one found. */
export function requireUnaltered(carrier: Carrier, stated: string, found: string): void {
  if (stated === found) return;
  const message = `the ${carrier} was changed or damaged after it was made`;
  throw new PrivateMomentsError('release-altered', message);
}

/** The mechanism, as stated, of a study with as many features as there can be. */
export function readStatedMechanism(value: unknown): Mechanism {
  const { name: stated } = (value ?? {}) as { name?: unknown };
  const name = check.oneOf(stated, 'mechanism.name', MECHANISMS);
  return readMechanism(value, name, MAX_FEATURES, check, check);
}

/** The promise, as stated; whether it is the study's is for others to find out. */
export function readGuarantee(value: unknown): Guarantee {
  const given = check.object(value, 'guarantee', GUARANTEE_KEYS, [
    ...BOUND_KEYS,
    ...['parts', 'honest', 'floor', 'alone'],
  ]);
  return {
    ...readCost(given, 'guarantee'),
    neighbours: check.oneOf(given.neighbours, 'guarantee.neighbours', [
      'replace-one',
      'add-remove',
    ]),
    unit: check.oneOf(given.unit, 'guarantee.unit', ['row', 'participant']),
    numerics: check.oneOf(given.numerics, 'guarantee.numerics', NUMERICS),
    assumes: check
      .list(given.assumes, 'guarantee.assumes')
      .map((item, index) => check.text(item, `guarantee.assumes[${index}]`, 400)),
    ...(given.parts === undefined ? {} : { parts: readParts(given.parts) }),
    ...(given.honest === undefined
      ? {}
      : { honest: check.wholeNumber(given.honest, 'guarantee.honest', 1) }),
    ...(given.floor === undefined ? {} : { floor: readFloor(given.floor) }),
    ...(given.alone === undefined ? {} : { alone: readBound(given.alone, 'guarantee.alone') }),
  };
}

function readParts(value: unknown): GuaranteePart[] {
  return check.list(value, 'guarantee.parts').map((item, index) => {
    const field = `guarantee.parts[${index}]`;
    const given = check.object(item, field, ['what', 'epsilon', 'delta'], BOUND_KEYS);
    return { what: check.text(given.what, `${field}.what`), ...readCost(given, field) };
  });
}

function readFloor(value: unknown): Cost | null {
  return value === null ? null : readBound(value, 'guarantee.floor');
}

function readBound(value: unknown, field: string): Cost {
  return readCost(check.object(value, field, ['epsilon', 'delta'], BOUND_KEYS), field);
}

function readCost(given: Record<string, unknown>, field: string): Cost {
  const number = (key: string): number => check.number(given[key], `${field}.${key}`);
  return {
    epsilon: number('epsilon'),
    delta: number('delta'),
    ...(given.gdp === undefined ? {} : { gdp: number('gdp') }),
    ...(given.zcdp === undefined ? {} : { zcdp: number('zcdp') }),
    ...(given.totalVariation === undefined ? {} : { totalVariation: number('totalVariation') }),
  };
}

/** The law of the noise, as stated. */
export function readNoise(value: unknown): NoiseEnvelope {
  const given = check.object(value, 'noise', [...NOISE_NUMBERS, ...NOISE_TEXTS, 'parameters']);
  const number = (key: (typeof NOISE_NUMBERS)[number]) => check.number(given[key], `noise.${key}`);
  const text = (key: (typeof NOISE_TEXTS)[number]) => check.text(given[key], `noise.${key}`);
  return {
    distribution: text('distribution'),
    sampler: text('sampler'),
    rng: text('rng'),
    bits: number('bits'),
    gridLog2: number('gridLog2'),
    unit: number('unit'),
    mean: number('mean'),
    sdDiagonal: number('sdDiagonal'),
    sdOffDiagonal: number('sdOffDiagonal'),
    parameters: readParameters(given.parameters),
  };
}

function readParameters(value: unknown): Record<string, number | string> {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const fit = names.length <= MOST_PARAMETERS && names.every((name) => PARAMETER.test(name));
  if (!fit) throw unreadable('noise.parameters must be at most 32 named numbers');
  const given = check.object(value, 'noise.parameters', names);
  return Object.fromEntries(
    names.map((name) => {
      const item = given[name];
      const exact = typeof item === 'string' && /^\d{1,40}$/.test(item);
      return [name, exact ? item : check.number(item, `noise.parameters.${name}`)];
    }),
  );
}

export function readIntegers(value: unknown, field: string, most: number): number[] {
  const list = check.list(value, field);
  if (list.length === 0 || list.length > most) {
    throw unreadable(`it has ${list.length} ${field}`);
  }
  return list.map((item, index) => {
    if (Number.isSafeInteger(item)) return (item as number) + 0;
    throw unreadable(`${field}[${index}] is not a whole number`);
  });
}

export function hex(value: unknown, field: string): string {
  const text = check.text(value, field);
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new PrivateMomentsError('release-unreadable', `${field} must be 64 hex digits`, { field });
}

export function unreadable(reason: string, cause?: unknown): PrivateMomentsError {
  return new PrivateMomentsError(
    'release-unreadable',
    `this is not a release: ${reason}`,
    {},
    cause,
  );
}
