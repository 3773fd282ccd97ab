import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSupported, newSigningKeys, sign } from '../../../web/package/src/federation/keys.js';
import { maskData } from '../../../web/package/src/federation/mask-data.js';
import { createLedger } from '../../../web/package/src/ledger/ledger.js';
import { memoryStorage } from '../../../web/package/src/ledger/ledger-storage.js';
import { addresses, expectSum, Post, roomOf, studyOf } from './federation-support.js';

const RING = { mode: 'ring', sites: 4, honest: 3, threshold: 3 } as const;
const SPLIT = { mode: 'split', sites: 3, honest: 3 } as const;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets the next signature fail, as when memory runs out. */
function failToSign(): void {
  vi.spyOn(crypto.subtle, 'sign').mockRejectedValueOnce(new Error('no memory'));
}

describe('a role whose call fails on this machine', () => {
  it('is as before, so that a ring goes on with the same message', async () => {
    const room = await roomOf(RING);
    const post = new Post(room);
    const joins = [];
    for (const participant of room.participants) {
      joins.push(...(await participant.start()).send);
    }
    const last = joins.pop();
    for (const { message } of joins) await room.collector.receive(message);
    const before = room.collector.save();
    failToSign();
    const message = last?.message ?? new Uint8Array(0);
    await expect(room.collector.receive(message)).rejects.toThrow('no memory');
    expect(room.collector.save()).toBe(before);
    const step = await room.collector.receive(message);
    expect(step).toMatchObject({ refused: null, state: 'sharing' });
    post.send(step.send, 'coordinator');
    await post.run();
    expectSum(room, [0, 1, 2, 3]);
  });

  it('goes on at every signature and every key of a session, without a second mask', async () => {
    for (const terms of [SPLIT, RING]) {
      const room = await roomOf(terms);
      const roles = addresses(room);
      const post = new Post(room);
      for (const participant of room.participants) {
        failToSign();
        await expect(participant.start()).rejects.toThrow('no memory');
        expect(participant.state).toBe('new');
        post.send((await participant.start()).send);
      }
      for (let item = post.queue[0]; item !== undefined; item = post.queue[0]) {
        failToSign();
        const role = roles.get(item.to);
        const before = role?.state;
        await role?.receive(item.message).catch(() => {
          expect(role.state).toBe(before);
        });
        vi.restoreAllMocks();
        post.queue.shift();
        await post.deliver(item);
      }
      if (terms.mode === 'split') {
        post.send((await room.collector.close()).send, 'analyst');
        await post.run();
      }
      expect(post.refusals).toEqual([]);
      expectSum(room, terms.mode === 'split' ? [0, 1, 2] : [0, 1, 2, 3]);
      for (const calls of room.calls) expect(calls).toHaveLength(1);
    }
  });

  it('can use a key that once could not be imported', async () => {
    const keys = await newSigningKeys('25519');
    vi.spyOn(crypto.subtle, 'importKey').mockRejectedValueOnce(new Error('no memory'));
    await expect(sign('25519', keys, new Uint8Array(1))).rejects.toThrow('no memory');
    expect(await sign('25519', keys, new Uint8Array(1))).toHaveLength(64);
  });

  it('tries again whether the engine has its curves', async () => {
    vi.spyOn(crypto.subtle, 'generateKey').mockRejectedValueOnce(new Error('no memory'));
    expect(await isSupported('p256')).toBe(false);
    expect(await isSupported('p256')).toBe(true);
  });
});

describe('data whose masked release could not be recorded', () => {
  it('can be masked again, and the first attempt counts', async () => {
    const storage = memoryStorage();
    let writes = 0;
    const ledger = createLedger({
      update: (change) =>
        storage.update((stored) => {
          const next = change(stored);
          // The key of the ledger, the intention, the confirmation.
          if (next !== null && ++writes === 3) throw new Error('the disk is full');
          return next;
        }),
    });
    const { mask } = maskData(studyOf(SPLIT), [{ a: 0.5 }, { a: 0.25 }], { ledger });
    const seeds = [{ key: new Uint8Array(32), sign: 1 as const }];
    await expect(mask(seeds)).rejects.toMatchObject({ code: 'ledger-unavailable' });
    expect((await mask(seeds)).rows).toBe(2);
    expect((await ledger.entries()).map(({ state }) => state)).toEqual(['intended', 'made']);
    await expect(mask(seeds)).rejects.toMatchObject({ code: 'already-released' });
  });
});
