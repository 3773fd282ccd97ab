import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../web/package/src/intake/page.js';
import type { JobPage, NextPiece, Piece } from '../../../web/package/src/intake/protocol.js';
import type { Peer } from '../../../web/package/src/threads/peer.js';

/** A page that answers one request at each call of `answer`. */
function pageOf(...pieces: (Piece | null)[]) {
  const asked: (ArrayBuffer | null)[] = [];
  const waiting: ((answer: NextPiece) => void)[] = [];
  let rowsBefore = 0;
  const call = (_: 'next', [spent]: [ArrayBuffer | null]): Promise<NextPiece> => {
    asked.push(spent);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    page: { call } as unknown as Peer<JobPage>,
    asked,
    answer: (): void => {
      const piece = pieces.shift() ?? null;
      waiting.shift()?.({ piece, rowsBefore });
      rowsBefore += piece?.length ?? 0;
    },
  };
}

const numbers = (...values: number[]) => Float64Array.of(...values);

describe('pieces for a worker', () => {
  it('are requested one ahead if they are numbers', async () => {
    const { page, asked, answer } = pageOf(numbers(1), numbers(2), null);
    const pieces = piecesOf(page);
    const first = pieces.next();
    expect(asked).toHaveLength(1);
    answer();
    expect((await first).value).toEqual({ piece: numbers(1), rowsBefore: 0 });
    expect(asked).toHaveLength(2);
    answer();
    expect((await pieces.next()).value).toEqual({ piece: numbers(2), rowsBefore: 1 });
    expect(asked).toHaveLength(3);
    answer();
    expect((await pieces.next()).done).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it('of a stream are requested only when needed', async () => {
    const { page, asked, answer } = pageOf(Uint8Array.of(1), null);
    const pieces = piecesOf(page);
    const first = pieces.next();
    answer();
    await first;
    expect(asked).toHaveLength(1);
    const second = pieces.next();
    await Promise.resolve();
    expect(asked).toHaveLength(2);
    answer();
    expect((await second).done).toBe(true);
  });

  it('return their buffers after use, and not before', async () => {
    const [one, two] = [numbers(1), numbers(2)];
    const { page, asked, answer } = pageOf(one, two, numbers(3), null);
    const pieces = piecesOf(page);
    for (let turn = 0; turn < 3; turn++) {
      const next = pieces.next();
      answer();
      await next;
    }
    expect(asked).toEqual([null, null, one.buffer, two.buffer]);
  });

  it('still come after a stop if they were requested before, and no others do', async () => {
    let stopped = false;
    const { page, asked, answer } = pageOf(numbers(1), numbers(2), numbers(3));
    const pieces = piecesOf(page, () => stopped);
    const first = pieces.next();
    answer();
    await first;
    stopped = true;
    answer();
    expect((await pieces.next()).value).toEqual({ piece: numbers(2), rowsBefore: 1 });
    expect((await pieces.next()).done).toBe(true);
    expect(asked).toHaveLength(2);
  });
});
