import { blobBytes, readFailed, type Bytes } from '../base/bytes.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Peer } from '../threads/peer.js';
import type { JobPage, NextPiece, Piece, PostedSource } from './protocol.js';

/**
 * Data in the order they are asked for, by whichever worker. Of numbers the next piece is on its
 * way while one is looked at, so two are held at any time; and the buffer of what was looked at,
 * overwritten by then, goes back to the page to be filled again.
 * @param stopped nothing more is asked for then; what was asked for before still comes
 */
export async function* piecesOf(
  page: Pick<Peer<JobPage>, 'call'>,
  stopped: () => boolean = () => false,
): AsyncGenerator<{ piece: Piece; rowsBefore: number }, void> {
  let spent: ArrayBuffer | null = null;
  const ask = (): Promise<NextPiece> => page.call('next', [spent], spent === null ? [] : [spent]);
  for (let next = ask(); ;) {
    const answer = await next;
    // The page knows better what went wrong.
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

/** The bytes of a file, from the page where the worker cannot read it itself. */
export function bytesOf(page: Pick<Peer<JobPage>, 'call'>, source: PostedSource): Bytes {
  if (source.kind === 'blob') return blobBytes(source.blob);
  if (source.kind !== 'slices') {
    throw new PrivateMomentsError('internal', 'these data are no file');
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
