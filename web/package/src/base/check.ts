import { PrivateMomentsError, type ErrorCode } from './errors.js';
import { hiddenIn, onOneLine } from './visible.js';

/** Reads untrusted JSON. Each method returns the value in its type, or throws `code` with the path of the field. */
export interface Check {
  object(
    value: unknown,
    field: string,
    keys: readonly string[],
    optional?: readonly string[],
  ): Record<string, unknown>;
  list(value: unknown, field: string): readonly unknown[];
  /**
   * A string on one line that is not blank, has at most `maxLength` characters (default 200), and none that
   * people do not see or that turn text around.
   */
  text(value: unknown, field: string, maxLength?: number): string;
  /** The same, with line breaks and tabs. */
  lines(value: unknown, field: string, maxLength: number): string;
  number(value: unknown, field: string): number;
  wholeNumber(value: unknown, field: string, min: number, max?: number): number;
  oneOf<T extends string>(value: unknown, field: string, choices: readonly T[]): T;
}

export function checker(code: ErrorCode): Check {
  const fail = (field: string, message: string): never => {
    throw new PrivateMomentsError(code, message, { field });
  };
  const string = (value: unknown, field: string, maxLength: number, hasLines: boolean): string => {
    if (typeof value !== 'string' || value.trim() === '') {
      return fail(field, `${field} must be a non-empty string`);
    }
    if (value.length > maxLength) fail(field, `${field} is longer than ${maxLength} characters`);
    const hidden = hiddenIn(hasLines ? onOneLine(value) : value);
    if (hidden !== undefined) {
      fail(
        field,
        `${field} has a character that is invisible or turns text around (${hidden}): remove it`,
      );
    }
    return value;
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
            `${field} has an unknown key: ${key}${didYouMean(key, [...keys, ...optional])}`,
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
    text: (value, field, maxLength = 200) => string(value, field, maxLength, false),
    lines: (value, field, maxLength) => string(value, field, maxLength, true),
    number(value, field) {
      return typeof value === 'number' && Number.isFinite(value)
        ? value
        : fail(field, `${field} must be a finite number`);
    },
    wholeNumber(value, field, min, max = Infinity) {
      const number = Number.isSafeInteger(value) ? (value as number) : NaN;
      if (number >= min && number <= max) return number;
      const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
      return fail(field, `${field} must be a whole number ${range}`);
    },
    oneOf(value, field, choices) {
      const found = choices.find((choice) => choice === value);
      return found ?? fail(field, `${field} must be ${choices.join(' or ')}`);
    },
  };
}

/** Names of options in other libraries, and ours for the same thing. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  lambda: ['penalty'],
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

/** `: did you mean ...?` if one of the allowed names is close or has this alias; else nothing. */
export function didYouMean(name: string, allowed: readonly string[]): string {
  const isAllowed = (one: string): boolean => allowed.includes(one.split('.')[0] ?? '');
  const aliases = Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? []) : [];
  const near = allowed.filter((one) => distance(name.toLowerCase(), one.toLowerCase()) <= 2);
  const suggestion = [...aliases.filter(isAllowed), ...near][0];
  return suggestion === undefined ? '' : `: did you mean ${suggestion}?`;
}

/** Levenshtein distance: how many letters to insert, delete or change. */
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
 * Checks that `options` is an object whose keys are all in `allowed` (null: any keys). Unknown options are
 * an error because somebody's privacy or result may depend on the one that would be ignored.
 * @throws PrivateMomentsError `unsupported-option` with the name as field.
 */
export function requireOptions(
  options: unknown,
  allowed: readonly string[] | null,
  what = 'options',
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const names = allowed === null ? '' : ` with the keys ${allowed.join(', ')}`;
    throw new PrivateMomentsError('unsupported-option', `${what} must be an object${names}`, {
      field: what,
    });
  }
  if (allowed === null) return;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || allowed.includes(name)) continue;
    const message = `unknown option ${name}${didYouMean(name, allowed)}`;
    throw new PrivateMomentsError('unsupported-option', message, { field: name });
  }
}

/** An own property of a value of any type; undefined if there is none. */
export function part(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/**
 * Checks the `format` of a document before the rest is read, because other versions may have other fields.
 * @param format such as "private-moments/study@1".
 * @throws PrivateMomentsError `version` for another version of this format, `invalid` for anything else.
 */
export function requireFormat(
  json: unknown,
  format: string,
  { invalid, version }: { invalid: ErrorCode; version: ErrorCode },
): void {
  const actual = part(json, 'format');
  if (actual === format) return;
  const prefix = format.slice(0, format.indexOf('@') + 1);
  const kind = prefix.slice(prefix.indexOf('/') + 1, -1);
  const isOtherVersion = typeof actual === 'string' && actual.startsWith(prefix);
  const message = isOtherVersion
    ? `this ${kind} was made with another version (its format is not ${format}): ask for a new one`
    : `this is not a ${kind}: its format is not ${format}`;
  throw new PrivateMomentsError(isOtherVersion ? version : invalid, message, { field: 'format' });
}

/** Whether the value is a whole number from 0 to 2^53 - 1. */
export function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
