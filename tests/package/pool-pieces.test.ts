import { describe, expect, it } from 'vitest';
import { Page } from '../../web/package/src/page.js';
import type { FromWorker, Piece } from '../../web/package/src/protocol.js';

/** A page that answers each question when told to. */
function pageOf(...given: (Piece | null)[]) {
  const asked: FromWorker<never>[] = [];
  let rowsBefore = 0;
  const page = new Page<never>({ post: (message) => asked.push(message) });
  return {
    page,
    asked,
    answer: (): void => {
      const piece = given.shift() ?? null;
      page.take({ type: 'piece', piece, rowsBefore });
      rowsBefore += piece?.length ?? 0;
    },
  };
}

const numbers = (...values: number[]) => Float64Array.of(...values);

describe('pieces for a worker', () => {
  it('are asked for one ahead, where they are numbers', async () => {
    const { page, asked, answer } = pageOf(numbers(1), numbers(2), null);
    const pieces = page.pieces();
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

  it('of a stream are asked for when they are wanted', async () => {
    const { page, asked, answer } = pageOf(Uint8Array.of(1), null);
    const pieces = page.pieces();
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

  it('give their buffers back once they were looked at, and not before', async () => {
    const [one, two] = [numbers(1), numbers(2)];
    const { page, asked, answer } = pageOf(one, two, numbers(3), null);
    const pieces = page.pieces();
    for (let turn = 0; turn < 3; turn++) {
      const next = pieces.next();
      answer();
      await next;
    }
    expect(asked.map((message) => (message.type === 'next' ? message.spent : undefined))).toEqual([
      null,
      null,
      one.buffer,
      two.buffer,
    ]);
  });

  it('that were asked for still come after a stop, and no others', async () => {
    let stopped = false;
    const { page, asked, answer } = pageOf(numbers(1), numbers(2), numbers(3));
    const pieces = page.pieces(() => stopped);
    const first = pieces.next();
    answer();
    await first;
    stopped = true;
    answer();
    expect((await pieces.next()).value).toEqual({ piece: numbers(2), rowsBefore: 1 });
    expect((await pieces.next()).done).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it('of the next job are not taken for those of one that failed', async () => {
    const { page, answer } = pageOf(numbers(1), numbers(2), null);
    const failed = page.pieces();
    const first = failed.next();
    answer();
    await first;
    // One that was asked for ahead, and that the page does not send any more.
    await failed.return();
    const pieces = page.pieces();
    const next = pieces.next();
    answer();
    expect((await next).value).toMatchObject({ piece: numbers(2) });
  });
});
