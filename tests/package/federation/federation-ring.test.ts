import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../web/package/src/base/binary.js';
import { inspectMessage } from '../../../web/package/src/federation/message.js';
import {
  closeBy,
  expectSumForAll,
  forged,
  Post,
  readAs,
  RING,
  roomOf,
  startAll,
  sumOf,
} from './federation-support.js';

describe('a ring', () => {
  for (const suite of ['25519', 'p256'] as const) {
    it(`ends with the exact sum for everyone, suite ${suite}`, async () => {
      const room = await roomOf(RING, { suite });
      const post = new Post(room);
      await startAll(room, post);
      expectSumForAll(room, post);
      expect(room.collector.outcome?.rows).toBe(60);
    });
  }

  it('masks with one key for each pair, added by one and subtracted by the other, and a self mask', async () => {
    const room = await roomOf(RING);
    await startAll(room, new Post(room));
    const uses = new Map<string, number[]>();
    for (const calls of room.calls) {
      expect(calls.length).toBe(1);
      expect(calls[0]?.length).toBe(5);
      for (const { key, sign } of calls[0] ?? []) {
        uses.set(hashOf(key), [...(uses.get(hashOf(key)) ?? []), sign].sort());
      }
    }
    const pairs = [...uses.values()].filter((signs) => signs.length === 2);
    expect(pairs).toEqual(Array.from({ length: 10 }, () => [-1, 1]));
    expect([...uses.values()].filter((signs) => signs.length === 1)).toEqual([
      [1],
      [1],
      [1],
      [1],
      [1],
    ]);
  });

  it('keeps messages that come too early and answers them later', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    const [slow] = room.participants;
    const to = slow?.pid ?? '';
    const kept: Uint8Array[] = [];
    for (const participant of room.participants) post.send((await participant.start()).send);
    const early: string[] = [];
    for (let item = post.queue.shift(); item !== undefined; item = post.queue.shift()) {
      const { type } = inspectMessage(item.message);
      if (item.to === to && type === 'survivors') kept.push(item.message);
      else if (item.to === to && type === 'result') continue;
      else if (item.to === to && type === 'agreed') {
        const step = await post.deliver(item);
        expect(step).toEqual({ send: [], state: 'released', refused: null });
        const { group } = readAs(item.message, 'agreed').header;
        const survivors = hashOf('another set');
        const other = { group, survivors, agrees: [] };
        const message = await forged(room.session, room.keys.sign, 'agreed', other);
        expect((await post.deliver({ to, message }))?.refused).toMatchObject({
          code: 'message-changed',
          evidence: [item.message, message],
        });
        early.push(type);
      } else await post.deliver(item);
    }
    expect(early).toEqual(['agreed']);
    const step = await slow?.receive(kept[0] ?? new Uint8Array());
    expect(step?.send.map(({ message }) => inspectMessage(message).type)).toEqual([
      'agree',
      'reveal',
    ]);
    expect(step?.state).toBe('revealed');
  });

  it('goes on with fewer sites when joining is closed', async () => {
    const room = await roomOf(RING, { present: 4 });
    const post = new Post(room);
    await startAll(room, post);
    expect(room.collector.progress).toEqual({ have: 4, least: 4, most: 5 });
    await closeBy(room, post);
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3]));
  });

  it('without recovery needs two messages from each site and no shares', async () => {
    const room = await roomOf({ mode: 'ring', sites: 4, honest: 4, threshold: 4 });
    const post = new Post(room);
    await startAll(room, post);
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2, 3]));
    for (const participant of room.participants) expect(participant.resend().length).toBe(2);
    for (const calls of room.calls) expect(calls[0]?.length).toBe(3);
  });

  it('of mode correlated uses one key for each pair and no self mask', async () => {
    const room = await roomOf({ mode: 'correlated', sites: 3, honest: 2 });
    const post = new Post(room);
    await startAll(room, post);
    expect(room.collector.outcome?.total).toEqual(sumOf([0, 1, 2]));
    for (const calls of room.calls) expect(calls[0]?.length).toBe(2);
    const signs = room.calls.flatMap((calls) => calls[0]?.map(({ sign }) => sign) ?? []);
    expect(signs.reduce<number>((sum, sign) => sum + sign, 0)).toBe(0);
  });
});
