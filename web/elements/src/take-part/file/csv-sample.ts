import type { CsvEncoding, Study } from 'private-moments';
import { csvRecords, withoutByteOrderMark } from 'private-moments/internal';

/** The start of a CSV file, for questions about how the file is written. */
export interface CsvSample {
  delimiter: string;
  /** The cells of the first line: the column names, if the file has them. */
  first: readonly string[];
  /** The rows below it. Only codes from a fixed list may be shown from these. */
  rows: readonly (readonly string[])[];
  /** How its bytes are text: from its byte order mark and its column names alone, never from its rows. */
  encoding: CsvEncoding;
  /** Length of its byte order mark. */
  markBytes: number;
  /** Whether the first line looks like data: none of its cells is a column of the study, and one is a number. */
  startsWithData: boolean;
}

/** A first line longer than this has too many columns to match by hand. */
const SAMPLE_BYTES = 1 << 18;
const GZIP = '\x1f\x8b';
/** The first bytes of Parquet, Arrow, zip (new Excel) and old Excel files. */
const BINARY_SIGNATURES = [
  ...['PAR1', 'ARROW1', '\xff\xff\xff\xff'],
  ...['PK\x03\x04', '\xd0\xcf\x11\xe0', GZIP],
];
/** Rows that decide between delimiters where the header does not. */
const TRIED_ROWS = 20;
/** In a file whose header does not decide, a comma is as likely a decimal mark as a delimiter. */
const PREFERRED = [';', '\t', '|', ','];

/**
 * The start of a CSV file, also of one that is compressed with gzip; undefined for files of other kinds, whose
 * columns are found when they are read.
 */
export async function readSample(file: Blob, study: Study): Promise<CsvSample | undefined> {
  const isPacked = startsWith(await bytesOf(file.slice(0, GZIP.length)), GZIP);
  const { bytes, isWhole } = isPacked
    ? await unpackedStart(file)
    : { bytes: await bytesOf(file.slice(0, SAMPLE_BYTES)), isWhole: file.size <= SAMPLE_BYTES };
  const start = bytes.subarray(0, 6);
  if (BINARY_SIGNATURES.some((signature) => startsWith(start, signature))) {
    return undefined;
  }
  const { encoding: written, markBytes } = writtenIn(bytes);
  const text = withoutByteOrderMark(new TextDecoder(written).decode(bytes));
  const names = new Set(study.columns.map((column) => plain(column.name)));
  const fits = (cells: readonly string[]): number =>
    cells.filter((cell) => names.has(plain(cell))).length;
  const tables = PREFERRED.map((delimiter) => ({ delimiter, ...tableIn(text, delimiter) }));
  const [best] = tables.sort(
    (a, b) =>
      fits(b.first) - fits(a.first) ||
      Number(isEven(b)) - Number(isEven(a)) ||
      (isEven(a) ? 0 : b.first.length - a.first.length),
  );
  const { delimiter, first, rows } = best ?? { delimiter: ',', first: [], rows: [] };
  // The end of a long file is cut off somewhere in a row.
  const whole = isWhole ? rows : rows.slice(0, -1);
  // Names cannot be put above the rows of a compressed file.
  const startsWithData = !isPacked && fits(first) === 0 && first.some(looksLikeNumber);
  // A row must not decide how others are read: if the file is refused, the participant decides.
  const encoding = startsWithData && written === 'windows-1252' ? 'utf-8' : written;
  return { delimiter, first, rows: whole, encoding, markBytes, startsWithData };
}

/** Without a mark it is UTF-8, unless the first line cannot be: then it is what Excel wrote for decades. */
function writtenIn(bytes: Uint8Array): { encoding: CsvEncoding; markBytes: number } {
  if (startsWith(bytes, '\xef\xbb\xbf')) return { encoding: 'utf-8', markBytes: 3 };
  if (startsWith(bytes, '\xff\xfe')) return { encoding: 'utf-16le', markBytes: 2 };
  const end = bytes.findIndex((byte) => byte === 10 || byte === 13);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(end < 0 ? bytes : bytes.subarray(0, end));
  } catch {
    return { encoding: 'windows-1252', markBytes: 0 };
  }
  return { encoding: 'utf-8', markBytes: 0 };
}

async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  return String.fromCharCode(...bytes.subarray(0, signature.length)) === signature;
}

/** The start of what is in a gzip file. What is wrong with the file is said when it is read. */
async function unpackedStart(
  file: Blob,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; isWhole: boolean }> {
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isWhole = false;
  try {
    while (size < SAMPLE_BYTES && !isWhole) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (value === undefined) continue;
      parts.push(value);
      size += value.length;
    }
    await reader.cancel();
  } catch {
    isWhole = false;
  }
  return { bytes: await bytesOf(new Blob(parts)), isWhole };
}

/** The column names in a header, each once. */
export function namesIn(sample: CsvSample): string[] {
  return [...new Set(sample.first.filter((name) => name !== ''))];
}

/** A file with the names "Column 1", "Column 2" and so on above the rows of one that has no header. */
export function withPositions(file: File, sample: CsvSample): File {
  const header = `${positionNames(sample).join(sample.delimiter)}\n`;
  const isWide = sample.encoding === 'utf-16le';
  const start = isWide
    ? Uint8Array.from([0xff, 0xfe, ...Array.from(header, (one) => [one.charCodeAt(0), 0]).flat()])
    : header;
  return new File([start, file.slice(sample.markBytes)], file.name);
}

export function positionNames({ first }: CsvSample): string[] {
  return first.map((_, index) => `Column ${index + 1}`);
}

/** Names that differ at most in case, spaces and punctuation are equal in this form. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function tableIn(text: string, delimiter: string): { first: string[]; rows: string[][] } {
  const [first = [], ...rows] = csvRecords(text, delimiter);
  return { first, rows: rows.filter((cells) => cells.length > 1 || cells[0] !== '') };
}

function isEven({ first, rows }: { first: string[]; rows: string[][] }): boolean {
  return (
    first.length > 1 && rows.slice(0, TRIED_ROWS).every(({ length }) => length === first.length)
  );
}

function looksLikeNumber(cell: string): boolean {
  return /^[-+\u2212]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(cell);
}
