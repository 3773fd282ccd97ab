import { describe, expect, it } from 'vitest';
import { inspectMessage } from '../../web/package/src/federation/message.js';
import { hashOf } from '../../web/package/src/federation/binary.js';
import {
  closeBy,
  expectSumForAll,
  insideOf,
  packed,
  Post,
  roomOf,
  SPLIT,
  startAll,
  wordsOf,
} from './federation-support.js';

describe('split', () => {
  for (const suite of ['25519', 'p256'] as const) {
    it(`ends with the exact sum for everybody, suite ${suite}`, async () => {
      const room = await roomOf(SPLIT, { suite });
      const post = new Post(room);
      await startAll(room, post);
      expect(room.collector.progress).toEqual({ have: 5, least: 3, most: 5 });
      await closeBy(room, post);
      expectSumForAll(room, post);
      expect(room.collector.outcome?.rows).toBe(60);
    });
  }

  it('takes one step of each participant: a release of 8 bytes a number, and a seed', async () => {
    const room = await roomOf(SPLIT);
    const step = await room.participants[0]?.start();
    expect(step?.state).toBe('released');
    expect(step?.send.map(({ to }) => to)).toEqual(['analyst', 'helper']);
    const types = step?.send.map(({ message }) => inspectMessage(message).type);
    expect(types).toEqual(['masked', 'seed']);
  });

  it('shows the analyst masked numbers only, and the helper none at all', async () => {
    const room = await roomOf(SPLIT);
    await startAll(room, new Post(room));
    const { releases } = insideOf(room.collector);
    const plain = [0, 1, 2, 3, 4].map((index) => hashOf(packed(wordsOf(index))));
    for (const [, { commitment }] of releases.$map) expect(plain).not.toContain(commitment);
    const { seeds } = insideOf(room.helper ?? room.collector);
    for (const [, held] of seeds.$map) expect(Object.keys(held)).toEqual(['commitment', 'seed']);
  });
});
