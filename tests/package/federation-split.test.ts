import { describe, expect, it } from 'vitest';
import { closeBy, Post, roomOf, startAll, summed, sumOf } from './federation-support.js';

const SPLIT = { mode: 'split', sites: 5, honest: 3 } as const;

describe('split', () => {
  for (const suite of ['25519', 'p256'] as const) {
    it(`ends with the exact sum for everybody, suite ${suite}`, async () => {
      const room = await roomOf(SPLIT, { suite });
      const post = new Post(room);
      await startAll(room, post);
      await closeBy(room, post);
      expect(post.refusals).toEqual([]);
      expect(room.collector.state).toBe('done');
      expect(summed(room)).toEqual([0, 1, 2, 3, 4]);
      expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3, 4]));
      expect(room.collector.outcome?.rows).toBe(60);
      for (const participant of room.participants) {
        expect(participant.state).toBe('done');
        expect(participant.outcome).toEqual(room.collector.outcome);
      }
    });
  }
});
