/** Checks of the pages of a Parquet column, before a page is unpacked. */
import type { ColumnMetaData, DataReader, PageHeader } from 'hyparquet';
import { PrivateMomentsError } from '../base/errors.js';
import { maxUnpacked, type UnpackedBudget } from './budget.js';
import { crc32 } from './crc32.js';

/** The most that a byte of each codec unpacks to. */
const EXPANSION: Readonly<Record<string, number>> = {
  UNCOMPRESSED: 1,
  SNAPPY: 24,
  GZIP: 1040,
  ZSTD: 1 << 16,
};

/** Texts of a column chunk that are objects of their own: MAX_TEXTS, and MAX_TEXTS_PER_BYTE for each packed byte. */
const MAX_TEXTS = 1 << 20;
const MAX_TEXTS_PER_BYTE = 8;

/** What the library calls before it unpacks a page; `web/package/bounded.mjs` adds the call. */
export type CheckPage = (
  header: PageHeader,
  reader: DataReader,
  chunk: Pick<ColumnMetaData, 'codec' | 'type' | 'num_values'>,
) => void;

/** Checks the pages of one column chunk, in order; with a page index, those of one range of its rows. */
export class PageChecks {
  readonly #file: UnpackedBudget;
  readonly #column: string;
  /** As a person counts. */
  readonly #group: number;
  #page = 0;
  #packed = 0;
  #unpacked = 0;
  #texts = 0;

  /** @param file of the whole file, as its columns together are */
  constructor(column: string, group: number, file: UnpackedBudget) {
    this.#file = file;
    this.#column = column;
    this.#group = group;
  }

  /**
   * @param reader at the first byte after the header
   * @throws PrivateMomentsError `read-failed` if the page does not have the checksum that it states, or
   * its sizes are impossible; `unsupported-data` if it has too many texts
   */
  check(...[header, { view, offset }, chunk]: Parameters<CheckPage>): void {
    this.#page += 1;
    const { compressed_page_size: packed, uncompressed_page_size: unpacked, crc } = header;
    if (!(packed >= 0 && packed <= view.byteLength - offset && unpacked >= 0))
      throw this.#damaged();
    this.#packed += packed;
    this.#unpacked += unpacked;
    const possible = (EXPANSION[chunk.codec] ?? 1) * packed + 64;
    const isPossible =
      unpacked <= possible &&
      this.#unpacked <= maxUnpacked(this.#packed) &&
      this.#file.spend(unpacked);
    if (!isPossible) throw this.#damaged();
    if (crc !== undefined) {
      const found = crc32(new Uint8Array(view.buffer, view.byteOffset + offset, packed));
      if (found !== crc >>> 0) throw this.#damaged(' does not have its checksum');
    }
    this.#checkCounts(header, chunk);
  }

  #checkCounts(header: PageHeader, { type, num_values }: Parameters<CheckPage>[2]): void {
    const { uncompressed_page_size: unpacked, compressed_page_size: packed } = header;
    const v2 = header.data_page_header_v2;
    if (v2 !== undefined) {
      const { num_nulls: nulls, num_rows: rows } = v2;
      const parts = [v2.definition_levels_byte_length, v2.repetition_levels_byte_length];
      const levels = (parts[0] ?? -1) + (parts[1] ?? -1);
      const isPossible =
        parts.every((part) => part >= 0) &&
        levels <= Math.min(packed, unpacked) &&
        nulls >= 0 &&
        nulls <= v2.num_values &&
        rows >= 0;
      if (!isPossible) throw this.#damaged();
    }
    const data = header.data_page_header ?? v2;
    const dictionary = header.dictionary_page_header;
    const values = data?.num_values ?? 0;
    const entries = dictionary?.num_values ?? 0;
    if (!(values >= 0 && values <= Number(num_values))) throw this.#damaged();
    if (!(entries >= 0 && entries <= 8 * unpacked)) throw this.#damaged();
    if (type !== 'BYTE_ARRAY' && type !== 'FIXED_LEN_BYTE_ARRAY') return;
    this.#texts += entries + (data?.encoding.endsWith('_DICTIONARY') === true ? 0 : values);
    if (this.#texts <= MAX_TEXTS + MAX_TEXTS_PER_BYTE * this.#packed) return;
    const message =
      `the column "${this.#column}" of this Parquet file has more texts than its size makes likely; ` +
      'write it again with a dictionary for the column, or as CSV';
    throw new PrivateMomentsError('unsupported-data', message, { column: this.#column });
  }

  #damaged(how = ' states sizes that cannot be'): PrivateMomentsError {
    const message =
      `the column "${this.#column}" of this Parquet file is damaged: page ${this.#page} of it in row group ` +
      `${this.#group}${how}; get the file again, or write it again`;
    return new PrivateMomentsError('read-failed', message, { column: this.#column });
  }
}
