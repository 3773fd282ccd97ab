/** Reads arguments strictly: what is unknown, repeated or incomplete is an error that says what is near. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { didYouMean, UsageError } from 'private-moments/internal';

export type Options = NonNullable<ParseArgsConfig['options']>;

/** The values of options, by name. */
export type Values<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>['values'];

interface Token {
  kind: string;
  name?: string;
  rawName?: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

/**
 * The options of a command and its positional arguments.
 * @param names of the positional arguments; one that ends in `...` stands for one or more, and one in
 * brackets may be missing
 * @throws UsageError
 */
export function readArguments<T extends Options>(
  args: readonly string[],
  options: T,
  names: readonly string[],
): { values: Values<T>; positionals: string[] } {
  const config = { args: [...args], options, allowPositionals: true } as const;
  const { tokens } = parseArgs({ ...config, strict: false, tokens: true });
  checkOptions(tokens, options);
  const parsed = parseArgs({ ...config, strict: true });
  checkPositionals(parsed.positionals, names);
  return parsed;
}

function checkOptions(tokens: readonly Token[], options: Options): void {
  const seen = new Set<string>();
  for (const { kind, name = '', rawName = '', value, inlineValue } of tokens) {
    if (kind !== 'option') continue;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) {
      const near = didYouMean(name, Object.keys(options)).replace('mean ', 'mean --');
      throw new UsageError(`there is no option ${rawName}${near}`);
    }
    if (option.type === 'boolean' && value !== undefined) {
      throw new UsageError(`${rawName} takes no value`);
    }
    const isOption = inlineValue === false && value !== undefined && /^-./.test(value);
    if (option.type === 'string' && (value === undefined || isOption)) {
      const hint = isOption ? `; write ${rawName}=VALUE if it begins with a dash` : '';
      throw new UsageError(`${rawName} needs a value${hint}`);
    }
    if (seen.has(name) && option.multiple !== true) {
      throw new UsageError(`${rawName} may be given once`);
    }
    seen.add(name);
  }
}

function checkPositionals(found: readonly string[], names: readonly string[]): void {
  const needed = names.filter((name) => !name.startsWith('['));
  const missing = needed[found.length];
  if (missing !== undefined) {
    throw new UsageError(`${missing.replace('...', '')} is missing`);
  }
  const isOpen = /\.\.\.\]?$/.test(names.at(-1) ?? '');
  if (found.length > names.length && !isOpen) {
    const expected = names.length === 0 ? 'no arguments' : names.join(' ');
    throw new UsageError(`there are too many arguments: it takes ${expected}`);
  }
}

/** A number; undefined if the option is not there. @throws UsageError */
export function numberOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) throw new UsageError(`${name} must be a number`);
  return value;
}

/** @throws UsageError */
export function requiredNumber(name: string, text: string | undefined): number {
  const value = numberOf(name, text);
  if (value === undefined) throw new UsageError(`${name} is missing`);
  return value;
}

/** Names between commas; undefined if the option is not there. @throws UsageError */
export function listOf(name: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const items = text.split(',').map((item) => item.trim());
  if (items.some((item) => item === '')) {
    throw new UsageError(`${name} must be a list with commas, without empty items`);
  }
  return items;
}

/** One of several words; undefined if the option is not there. @throws UsageError */
export function choiceOf<T extends string>(
  name: string,
  text: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (text === undefined) return undefined;
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`${name} must be ${choices.join(' or ')}${didYouMean(text, choices)}`);
}

/** Without the keys whose values are undefined: options of the package are absent rather than undefined. */
export function present<T extends object>(
  options: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
