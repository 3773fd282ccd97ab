import { readFile } from 'node:fs/promises';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { parseStudy, type Study } from 'private-moments';
import { UsageError } from 'private-moments/internal';

/**
 * The options of a subcommand and its positional arguments, at least `least` of them.
 * @throws UsageError
 */
export function readArguments<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  least: number,
) {
  const parsed = parse(args, options);
  if (parsed.positionals.length >= least) return parsed;
  throw new UsageError('arguments are missing; --help lists them');
}

function parse<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** @throws Error that names the file */
export async function readStudy(path: string): Promise<Study> {
  const text = await readFile(path, 'utf8');
  try {
    return parseStudy(text);
  } catch (error) {
    throw inFile(path, error);
  }
}

/** An error that names its file. */
export function inFile(path: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return new Error(`${path}: ${message}`, { cause: error });
}
