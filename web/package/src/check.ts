import { PrivateMomentsError, type ErrorCode } from './errors.js';

/** Reads the parts of untrusted JSON; every failure carries `code` and the path of the field. */
export interface Check {
  object(
    value: unknown,
    field: string,
    keys: readonly string[],
    optional?: readonly string[],
  ): Record<string, unknown>;
  list(value: unknown, field: string): readonly unknown[];
  text(value: unknown, field: string, longest?: number): string;
  number(value: unknown, field: string): number;
  wholeNumber(value: unknown, field: string, least: number, most?: number): number;
  oneOf<T extends string>(value: unknown, field: string, choices: readonly T[]): T;
}

/** A lone surrogate has no UTF-8 form, so it could not be digested. */
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

export function checker(code: ErrorCode): Check {
  const fail = (field: string, message: string): never => {
    throw new PrivateMomentsError(code, message, { field });
  };
  return {
    object(value, field, keys, optional = []) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return fail(field, `${field} must be an object`);
      }
      const record = value as Record<string, unknown>;
      for (const key of Object.keys(record)) {
        if (!keys.includes(key) && !optional.includes(key)) {
          fail(
            `${field}.${key}`,
            `${field} has an unknown key: ${key}${hint(key, [...keys, ...optional])}`,
          );
        }
      }
      for (const key of keys) {
        if (record[key] === undefined) fail(`${field}.${key}`, `${field}.${key} is missing`);
      }
      return record;
    },
    list(value, field) {
      if (!Array.isArray(value)) return fail(field, `${field} must be a list`);
      return value as unknown[];
    },
    text(value, field, longest = 200) {
      if (typeof value !== 'string' || value.trim() === '') {
        return fail(field, `${field} must be a text that is not empty`);
      }
      if (value.length > longest) fail(field, `${field} is longer than ${longest} characters`);
      if (LONE_SURROGATE.test(value)) fail(field, `${field} is not well-formed Unicode`);
      return value;
    },
    number(value, field) {
      return typeof value === 'number' && Number.isFinite(value)
        ? value
        : fail(field, `${field} must be a finite number`);
    },
    wholeNumber(value, field, least, most = Infinity) {
      const number = Number.isSafeInteger(value) ? (value as number) : NaN;
      if (number >= least && number <= most) return number;
      const range = most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`;
      return fail(field, `${field} must be a whole number ${range}`);
    },
    oneOf(value, field, choices) {
      const found = choices.find((choice) => choice === value);
      return found ?? fail(field, `${field} must be ${choices.join(' or ')}`);
    },
  };
}

/** What other libraries, and other spellings of English, call ours. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  lambda: ['alpha', 'penalty'],
  penalty: ['alpha'],
  alpha: ['penalty', 'level'],
  n_components: ['components'],
  k: ['components'],
  confidence: ['level', 'confidence'],
  ci: ['level'],
  conf_level: ['level'],
  y: ['target'],
  X: ['features'],
  predictors: ['features'],
  delimiter: ['csv.delimiter'],
  separator: ['csv.delimiter', 'delimiter'],
  sep: ['csv.delimiter', 'delimiter'],
  decimal: ['csv.decimal'],
  random_state: ['seed'],
  n: ['rows'],
  eps: ['epsilon'],
  threads: ['workers'],
  dataset: ['dataSet'],
};

/** `: did you mean ...?` where one of the names may have been meant; nothing else. */
function hint(name: string, known: readonly string[]): string {
  const isKnown = (one: string): boolean => known.includes(one.split('.')[0] ?? '');
  const aliases = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? []) : [];
  const near = known.filter((one) => distance(name.toLowerCase(), one.toLowerCase()) <= 2);
  const meant = [...aliases.filter(isKnown), ...near][0];
  return meant === undefined ? '' : `: did you mean ${meant}?`;
}

/** How many letters to add, leave out or change (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * An object with options of these names and no others, or of any for null: one that is silently ignored could be one
 * somebody's privacy or result depends on.
 * @throws PrivateMomentsError unsupported-option with the name as field
 */
export function requireKnown(
  options: unknown,
  known: readonly string[] | null,
  what = 'options',
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const names = known === null ? '' : ` with ${known.join(', ')}`;
    throw new PrivateMomentsError('unsupported-option', `${what} must be an object${names}`, {
      field: what,
    });
  }
  if (known === null) return;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const message = `unknown option ${name}${hint(name, known)}`;
    throw new PrivateMomentsError('unsupported-option', message, { field: name });
  }
}

/** A property of a value that may not even be an object. */
export function part(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/**
 * Before anything else is read, as JSON of another version may have other parts: its format is `format`,
 * "private-moments/study@1" say. `invalid` is the code for what is something else, `version` for another
 * version of the same.
 */
export function requireFormat(
  json: unknown,
  format: string,
  { invalid, version }: { invalid: ErrorCode; version: ErrorCode },
): void {
  const given = part(json, 'format');
  if (given === format) return;
  const known = format.slice(0, format.indexOf('@') + 1);
  const what = known.slice(known.indexOf('/') + 1, -1);
  const isOther = typeof given === 'string' && given.startsWith(known);
  const message = isOther
    ? `the ${what} was made with another version, its format is not ${format}: ask for a new one`
    : `this is not a ${what}: its format is not ${format}`;
  throw new PrivateMomentsError(isOther ? version : invalid, message, { field: 'format' });
}

/** A number from 0 that counts exactly. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
