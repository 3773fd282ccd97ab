import { checker } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { collusionTerms } from './federation-terms.js';
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

/** Twice the largest possible release: 1000 features, 17 characters a number. */
const MAX_TEXT_LENGTH = 1 << 24;

/** No mechanism has more public parameters. */
const MAX_PARAMETERS = 32;
const PARAMETER = /^[a-z][a-zA-Z0-9]{0,39}$/;

const GUARANTEE_KEYS = ['epsilon', 'delta', 'neighbours', 'unit', 'numerics', 'assumes'];
const BOUND_KEYS = ['gdp', 'zcdp', 'totalVariation'];
const NOISE_NUMBERS = ['bits', 'gridLog2', 'unit', 'mean', 'sdDiagonal', 'sdOffDiagonal'] as const;
const NOISE_TEXTS = ['distribution', 'sampler', 'rng'] as const;
const NUMERICS: readonly Numerics[] = ['exact', 'idealized'];

/** The only random generator accepted. */
const SECURE_RNG = 'chacha20-fke/1';

/** For reading releases and sums of releases. */
export const check = checker('release-unreadable');

/**
 * A copy of the fields of a guarantee, from a description by the core or from another guarantee. For a
 * study whose releases are summed behind masks, the collusion terms become the first of `assumes`.
 */
export function pickGuarantee(source: Guarantee, federation?: Federation): Guarantee {
  const { epsilon, delta, gdp, zcdp, totalVariation, neighbours, unit, numerics } = source;
  const { assumes, parts, honest, floor, alone } = source;
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

/** Parses a JSON text (a string, or bytes in UTF-8); returns any other value as it is. */
export function parseIfText(input: unknown): unknown {
  return typeof input === 'string' || input instanceof Uint8Array ? parseText(input) : input;
}

function parseText(input: string | Uint8Array): unknown {
  if (input.length > MAX_TEXT_LENGTH) throw notARelease('it is larger than any release can be');
  let text: string;
  try {
    text =
      typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch (cause) {
    throw notARelease('it is not UTF-8 text', cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (isCutOff(text)) {
      const message = 'the release is cut off at the end; copy or download it again';
      throw new PrivateMomentsError('release-truncated', message, {}, cause);
    }
    throw notARelease('it is not JSON text', cause);
  }
}

/** Whether a JSON object is open at the end of the text; its last character may be any bracket. */
function isCutOff(text: string): boolean {
  const start = text.trimStart();
  let open = 0;
  let isString = false;
  for (let i = 0; i < start.length; i++) {
    const character = start[i];
    if (isString && character === '\\') i++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    else if (character === '{') open++;
    else if (character === '}') open--;
  }
  return start.startsWith('{') && open > 0;
}

/** The two kinds of document that have a guarantee and a noise envelope. */
type Carrier = 'release' | 'sum';

/** @throws PrivateMomentsError `release-version` if `actual` is not the format that this version reads. */
export function requireReleaseFormat(carrier: Carrier, actual: string, format: string): void {
  if (actual === format) return;
  const message = `the ${carrier} has the format ${actual.slice(0, 60)}; this version reads ${format}`;
  throw new PrivateMomentsError('release-version', message, { field: 'format' });
}

/** @throws PrivateMomentsError `release-unsafe` if the noise came from an insecure random generator. */
export function requireSecure(carrier: Carrier, json: unknown): void {
  const { library, private: own, noise } = json as Stated;
  const rng = noise?.rng;
  const isUnsafeBuild = typeof library === 'string' && library.includes('UNSAFE');
  const isMarkedPublic = own === false || noise?.private === false;
  const isInsecureRng = typeof rng === 'string' && rng !== SECURE_RNG;
  if (!isUnsafeBuild && !isMarkedPublic && !isInsecureRng) return;
  const message = `the ${carrier} was made with an insecure random generator, so it protects nobody; ask for a new one`;
  throw new PrivateMomentsError('release-unsafe', message, { field: 'noise.rng' });
}

/** What parsed JSON may say about its randomness. */
interface Stated {
  library?: unknown;
  private?: unknown;
  noise?: { rng?: unknown; private?: unknown } | null;
}

/** @throws PrivateMomentsError `release-altered` if the two digests differ. */
export function requireUnaltered(carrier: Carrier, stated: string, computed: string): void {
  if (stated === computed) return;
  const message = `the ${carrier} was changed or damaged after it was made`;
  throw new PrivateMomentsError('release-altered', message);
}

/** The mechanism that a release states; the study's number of features is not checked here. */
export function readStatedMechanism(value: unknown): Mechanism {
  const { name: stated } = (value ?? {}) as { name?: unknown };
  const name = check.oneOf(stated, 'mechanism.name', MECHANISMS);
  return readMechanism(value, name, MAX_FEATURES, check, check);
}

/** The guarantee that a release states; whether it is the study's is not checked here. */
export function readGuarantee(value: unknown): Guarantee {
  const fields = check.object(value, 'guarantee', GUARANTEE_KEYS, [
    ...BOUND_KEYS,
    ...['parts', 'honest', 'floor', 'alone'],
  ]);
  return {
    ...readCost(fields, 'guarantee'),
    neighbours: check.oneOf(fields.neighbours, 'guarantee.neighbours', [
      'replace-one',
      'add-remove',
    ]),
    unit: check.oneOf(fields.unit, 'guarantee.unit', ['row', 'participant']),
    numerics: check.oneOf(fields.numerics, 'guarantee.numerics', NUMERICS),
    assumes: check
      .list(fields.assumes, 'guarantee.assumes')
      .map((item, index) => check.text(item, `guarantee.assumes[${index}]`, 400)),
    ...(fields.parts === undefined ? {} : { parts: readParts(fields.parts) }),
    ...(fields.honest === undefined
      ? {}
      : { honest: check.wholeNumber(fields.honest, 'guarantee.honest', 1) }),
    ...(fields.floor === undefined ? {} : { floor: readFloor(fields.floor) }),
    ...(fields.alone === undefined ? {} : { alone: readBound(fields.alone, 'guarantee.alone') }),
  };
}

function readParts(value: unknown): GuaranteePart[] {
  return check.list(value, 'guarantee.parts').map((item, index) => {
    const field = `guarantee.parts[${index}]`;
    const fields = check.object(item, field, ['what', 'epsilon', 'delta'], BOUND_KEYS);
    return { what: check.text(fields.what, `${field}.what`), ...readCost(fields, field) };
  });
}

function readFloor(value: unknown): Cost | null {
  return value === null ? null : readBound(value, 'guarantee.floor');
}

function readBound(value: unknown, field: string): Cost {
  return readCost(check.object(value, field, ['epsilon', 'delta'], BOUND_KEYS), field);
}

function readCost(fields: Record<string, unknown>, field: string): Cost {
  const number = (key: string): number => check.number(fields[key], `${field}.${key}`);
  return {
    epsilon: number('epsilon'),
    delta: number('delta'),
    ...(fields.gdp === undefined ? {} : { gdp: number('gdp') }),
    ...(fields.zcdp === undefined ? {} : { zcdp: number('zcdp') }),
    ...(fields.totalVariation === undefined ? {} : { totalVariation: number('totalVariation') }),
  };
}

/** The noise that a release states. */
export function readNoise(value: unknown): NoiseEnvelope {
  const fields = check.object(value, 'noise', [...NOISE_NUMBERS, ...NOISE_TEXTS, 'parameters']);
  const number = (key: (typeof NOISE_NUMBERS)[number]) => check.number(fields[key], `noise.${key}`);
  const text = (key: (typeof NOISE_TEXTS)[number]) => check.text(fields[key], `noise.${key}`);
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
    parameters: readParameters(fields.parameters),
  };
}

function readParameters(value: unknown): Record<string, number | string> {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const isValid = names.length <= MAX_PARAMETERS && names.every((name) => PARAMETER.test(name));
  if (!isValid) throw notARelease('noise.parameters must be at most 32 named numbers');
  const fields = check.object(value, 'noise.parameters', names);
  return Object.fromEntries(
    names.map((name) => {
      const item = fields[name];
      const isInteger = typeof item === 'string' && /^\d{1,40}$/.test(item);
      return [name, isInteger ? item : check.number(item, `noise.parameters.${name}`)];
    }),
  );
}

export function readIntegers(value: unknown, field: string, maxLength: number): number[] {
  const list = check.list(value, field);
  if (list.length === 0 || list.length > maxLength) {
    throw notARelease(`it has ${list.length} ${field} (1 to ${maxLength} are possible)`);
  }
  return list.map((item, index) => {
    if (Number.isSafeInteger(item)) return (item as number) + 0;
    throw notARelease(`${field}[${index}] is not a whole number`);
  });
}

export function hex(value: unknown, field: string): string {
  const text = check.text(value, field);
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new PrivateMomentsError('release-unreadable', `${field} must be 64 hex digits`, { field });
}

export function notARelease(reason: string, cause?: unknown): PrivateMomentsError {
  return new PrivateMomentsError(
    'release-unreadable',
    `this is not a release: ${reason}`,
    {},
    cause,
  );
}
