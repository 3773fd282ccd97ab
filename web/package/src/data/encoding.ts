/** CSV text that is not UTF-8, as spreadsheets write it. The core reads UTF-8 only. */
import { peek } from '../base/bytes.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { CsvEncoding } from '../study/types.js';

/** Bytes of a byte order mark that says UTF-16. */
const MARK_BYTES = 2;

/** The encoding of a text, from its byte order mark; else the stated one. */
export function encodingOf(start: Uint8Array, stated: CsvEncoding): CsvEncoding | 'utf-16be' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return stated;
}

/**
 * The text as UTF-8. Bytes that are not valid UTF-8 pass through where that is the encoding: the core refuses
 * them where they matter, with their place.
 * @throws PrivateMomentsError csv-encoding
 */
export async function* inUtf8(
  pieces: AsyncIterable<Uint8Array>,
  stated: CsvEncoding,
): AsyncGenerator<Uint8Array, void> {
  const { head, all } = await peek(pieces, MARK_BYTES);
  const encoding = encodingOf(head, stated);
  if (encoding === 'utf-8') {
    yield* all;
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  const decode = (...piece: Parameters<typeof decoder.decode>): Uint8Array => {
    try {
      return encoder.encode(decoder.decode(...piece));
    } catch {
      const message = `the file is damaged or not ${encoding.toUpperCase()} text; save it again as "CSV UTF-8"`;
      throw new PrivateMomentsError('csv-encoding', message);
    }
  };
  for await (const piece of all) yield decode(piece, { stream: true });
  yield decode();
}
