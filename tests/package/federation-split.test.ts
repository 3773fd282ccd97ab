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

  it('tells who collects whose release is here, and the helper what a request is about', async () => {
    const room = await roomOf(SPLIT);
    const [analyst, helper] = [room.collector, room.helper];
    if (helper === undefined) throw new TypeError('a split without a helper');
    for (const [index, participant] of room.participants.entries()) {
      const [release, seed] = (await participant.start()).send;
      if (release === undefined || seed === undefined) throw new TypeError('two messages');
      await analyst.receive(release.message);
      if (index < 4) await helper.receive(seed.message);
      expect(await helper.weigh(seed.message)).toBeNull();
    }
    const pids = room.participants.map(({ pid }) => pid).sort();
    expect(analyst.releases.map(({ pid }) => pid)).toEqual(pids);
    expect(analyst.releases.map(({ rows }) => rows).sort()).toEqual([10, 11, 12, 13, 14]);

    const [request] = (await analyst.close()).send;
    if (request === undefined) throw new TypeError('a request');
    const before = helper.save();
    expect(await helper.weigh(request.message)).toEqual({ asked: 5, here: 4 });
    expect(helper.save()).toBe(before);
    // A changed request is not weighed, and neither is one that was answered.
    const changed = request.message.slice();
    changed[changed.length - 70] = (changed.at(-70) ?? 0) ^ 1;
    expect(await helper.weigh(changed)).toBeNull();
    expect(await helper.weigh(new Uint8Array(3))).toBeNull();
    await helper.receive(request.message);
    expect(await helper.weigh(request.message)).toBeNull();
  });
});
