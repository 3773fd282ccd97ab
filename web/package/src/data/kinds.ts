import { PrivateMomentsError } from '../base/errors.js';

/** The kind of a file, by its first bytes; the name is ignored. */
export type FileKind = 'text' | 'gzip' | 'parquet' | 'arrow-file' | 'arrow-stream';

/** How many bytes `kindOf` needs, if the file has that many. */
export const SIGNATURE_BYTES = 6;

const SIGNATURES: readonly [kind: FileKind, start: string][] = [
  ['gzip', '\x1f\x8b'],
  ['parquet', 'PAR1'],
  ['arrow-file', 'ARROW1'],
  // Never the start of text: no byte of UTF-8 is 0xff.
  ['arrow-stream', '\xff\xff\xff\xff'],
];

/** Old and new. */
const EXCEL = 'this is an Excel or zip file; in Excel, save it as CSV UTF-8, then use that file';

/** Well-known formats that cannot be read, with what to do instead. */
const UNSUPPORTED: readonly [message: string, start: string][] = [
  [EXCEL, 'PK\x03\x04'],
  [EXCEL, '\xd0\xcf\x11\xe0'],
  ['this Parquet file is encrypted; write it again without encryption', 'PARE'],
  ['this is a Feather version 1 file; write it again as Feather version 2 (Arrow)', 'FEA1'],
];

/** @throws PrivateMomentsError unsupported-data */
export function kindOf(start: Uint8Array): FileKind {
  const head = String.fromCharCode(...start.subarray(0, SIGNATURE_BYTES));
  const unsupported = UNSUPPORTED.find(([, signature]) => head.startsWith(signature));
  if (unsupported !== undefined) throw new PrivateMomentsError('unsupported-data', unsupported[0]);
  return SIGNATURES.find(([, signature]) => head.startsWith(signature))?.[0] ?? 'text';
}
