import { blobBytes, memoryBytes, readFailed, type Bytes } from '../base/bytes.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Peer } from '../threads/peer.js';
import type { JobPage, NextPiece, Piece, PostedSource } from './protocol.js';

/**
 * Pieces of data from the page; each goes to the worker that asks next. While the caller works on one
 * batch of numbers the next one is on its way, so two are held at any time. The caller overwrites a
 * batch, and its buffer goes back to the page to be reused.
 * @param stopped once true, nothing more is requested; a piece that was already requested still comes
 */
export async function* piecesOf(
  page: Pick<Peer<JobPage>, 'call'>,
  stopped: () => boolean = () => false,
): AsyncGenerator<{ piece: Piece; rowsBefore: number }, void> {
  let spent: ArrayBuffer | null = null;
  const ask = (): Promise<NextPiece> => page.call('next', [spent], spent === null ? [] : [spent]);
  for (let next = ask(); ;) {
    const answer = await next;
    // The page reports the actual cause.
    if (answer === 'failed') throw readFailed();
    const { piece, rowsBefore } = answer;
    if (piece === null) return;
    const isNumbers = piece instanceof Float64Array;
    // A stream that is being read cannot be stopped before it has answered.
    const ahead = isNumbers && !stopped() ? ask() : undefined;
    yield { piece, rowsBefore };
    if (isNumbers) spent = piece.buffer as ArrayBuffer;
    if (ahead === undefined && stopped()) return;
    next = ahead ?? ask();
  }
}

/** The bytes of a file or a short text, through the page if the worker cannot read the file itself. */
export function bytesOf(page: Pick<Peer<JobPage>, 'call'>, source: PostedSource): Bytes {
  if (source.kind === 'blob') return blobBytes(source.blob);
  if (source.kind === 'bytes') return memoryBytes(source.bytes);
  if (source.kind !== 'slices') {
    throw new PrivateMomentsError('internal', 'these data are not a file');
  }
  return {
    size: source.size,
    read: async (start, end) => {
      const bytes = await page.call('slice', [start, end]);
      if (bytes === null) throw readFailed();
      return new Uint8Array(bytes);
    },
  };
}
