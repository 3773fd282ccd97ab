import { PrivateMomentsError } from './errors.js';

/** What a file is, by its first bytes; its name says nothing. */
export type FileKind = 'text' | 'gzip' | 'parquet' | 'arrow-file' | 'arrow-stream';

/** How many bytes `kindOf` needs, where there are so many. */
export const LONGEST_SIGNATURE = 6;

const SIGNATURES: readonly [kind: FileKind, start: string][] = [
  ['gzip', '\x1f\x8b'],
  ['parquet', 'PAR1'],
  ['arrow-file', 'ARROW1'],
  // Never the start of text: no byte of UTF-8 is 0xff.
  ['arrow-stream', '\xff\xff\xff\xff'],
];

/** Well-known formats that are not read get their own words instead of "not UTF-8". */
const REFUSED: readonly [name: string, start: string][] = [
  ['an Excel or zip', 'PK\x03\x04'],
  ['an encrypted Parquet', 'PARE'],
  ['a Feather version 1', 'FEA1'],
];

/** @throws PrivateMomentsError unsupported-data */
export function kindOf(start: Uint8Array): FileKind {
  const head = String.fromCharCode(...start.subarray(0, LONGEST_SIGNATURE));
  const refused = REFUSED.find(([, signature]) => head.startsWith(signature));
  if (refused !== undefined) {
    const message = `this is ${refused[0]} file; CSV, Parquet and Arrow files can be read`;
    throw new PrivateMomentsError('unsupported-data', message);
  }
  return SIGNATURES.find(([, signature]) => head.startsWith(signature))?.[0] ?? 'text';
}
