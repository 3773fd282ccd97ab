import { openAsBlob } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import {
  parseStudy,
  PrivateMomentsError,
  studyFromLink,
  type Data,
  type Study,
} from 'private-moments';
import { isPackageError, UsageError } from 'private-moments/internal';

/** Standard input in place of a file. */
export const STDIN = '-';

/** The text of a file or of standard input. @throws PrivateMomentsError `input-unreadable`, `cancelled` */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  try {
    return path === STDIN
      ? await textOf(addAbortSignal(signal, process.stdin))
      : await readFile(path, { encoding: 'utf8', signal });
  } catch (cause) {
    if (signal.aborted) throw new PrivateMomentsError('cancelled', 'cancelled', {}, cause);
    throw unreadable(path, cause);
  }
}

/** A study from its file, from standard input or from its link. Errors name the file. */
export async function readStudy(path: string, signal: AbortSignal): Promise<Study> {
  if (/^https?:\/\//.test(path)) return studyFromLink(path);
  const text = await readText(path, signal);
  try {
    return parseStudy(text);
  } catch (error) {
    throw inFile(path, error);
  }
}

/** Rows from a file, which is read in pieces, or from standard input. */
export async function openData(path: string): Promise<Data> {
  if (path === STDIN) return Readable.toWeb(process.stdin) as unknown as Data;
  try {
    if ((await stat(path)).isDirectory()) throw new Error('it is a folder');
    const file = await openAsBlob(path);
    // A file as pages have it: the ledger records its name.
    return Object.defineProperty(file, 'name', { value: basename(path) });
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** A release or sum as text, and what to call it. */
export interface ReleaseText {
  name: string;
  text: string;
}

/**
 * The releases that arguments name: files, all files of a folder that end in .json, and for `-` those on
 * standard input, one on each line.
 */
export async function readReleases(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReleaseText[]> {
  const found: ReleaseText[] = [];
  for (const path of paths) {
    if (path === STDIN) found.push(...onLines(await readText(path, signal)));
    else {
      for (const file of await filesAt(path)) {
        found.push({ name: file, text: await readText(file, signal) });
      }
    }
  }
  return found;
}

/** A release is canonical JSON, one line; other JSON has several lines and is one release. */
function onLines(text: string): ReleaseText[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.every(
    (line) => line.trimStart().startsWith('{') && line.trimEnd().endsWith('}'),
  );
  if (!isLines) return [{ name: 'standard input', text }];
  return lines.map((line, index) => ({ name: `standard input, line ${index + 1}`, text: line }));
}

async function filesAt(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path)).filter((name) => name.endsWith('.json')).sort();
    if (names.length === 0) throw new Error('the folder has no file that ends in .json');
    return names.map((name) => join(path, name));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Only one argument can be standard input. @throws UsageError */
export function requireOneStdin(paths: readonly string[]): void {
  if (paths.filter((path) => path === STDIN).length > 1) {
    throw new UsageError('only one argument can be -, standard input');
  }
}

/** The same error, whose message begins with the file; other errors unchanged. */
export function inFile(path: string, error: unknown): unknown {
  if (!isPackageError(error)) return error;
  const name = path === STDIN ? 'standard input' : path;
  return new PrivateMomentsError(error.code, `${name}: ${error.message}`, error, error);
}

/** The error about an argument that cannot be read. */
export function unreadable(path: string, cause: unknown): PrivateMomentsError {
  const name = path === STDIN ? 'standard input' : path;
  return new PrivateMomentsError('input-unreadable', `${name}: ${reasonOf(cause)}`, {}, cause);
}

/** Why a file cannot be opened, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file; check the path',
    EACCES: 'it may not be opened; check its permissions',
    EISDIR: 'it is a folder; name a file',
    ENOTDIR: 'a part of the path is not a folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk is read-only',
  };
  return (code === undefined ? undefined : words[code]) ?? message;
}
