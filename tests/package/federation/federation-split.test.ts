import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inspectMessage, readMessage } from '../../../web/package/src/federation/message.js';
import { fromBase64, hashOf, toBase64, toHex } from '../../../web/package/src/base/binary.js';
import { open, type KeyPair } from '../../../web/package/src/federation/keys.js';
import { createParticipant } from '../../../web/package/src/federation/roles.js';
import { maskStream } from '../../../web/package/src/intake/stream.js';
import {
  addresses,
  closeBy,
  expectSumForAll,
  insideOf,
  packed,
  Post,
  readAs,
  roomOf,
  SPLIT,
  startAll,
  wordsOf,
} from './federation-support.js';

describe('split', () => {
  for (const suite of ['25519', 'p256'] as const) {
    it(`ends with the exact sum for everyone, suite ${suite}`, async () => {
      const room = await roomOf(SPLIT, { suite });
      const post = new Post(room);
      await startAll(room, post);
      expect(room.collector.progress).toEqual({ have: 5, least: 3, most: 5 });
      await closeBy(room, post);
      expectSumForAll(room, post);
      expect(room.collector.outcome?.rows).toBe(60);
    });
  }

  it('takes one step by each participant: a release of 8 bytes a number, and a seed', async () => {
    const room = await roomOf(SPLIT);
    const step = await room.participants[0]?.start();
    expect(step?.state).toBe('released');
    expect(step?.send.map(({ to }) => to)).toEqual(['analyst', 'helper']);
    const types = step?.send.map(({ message }) => inspectMessage(message).type);
    expect(types).toEqual(['masked', 'seed']);
  });

  it('shows the analyst only masked numbers, and the helper none', async () => {
    const room = await roomOf(SPLIT);
    await startAll(room, new Post(room));
    const { releases } = insideOf(room.collector);
    const plain = [0, 1, 2, 3, 4].map((index) => hashOf(packed(wordsOf(index))));
    for (const [, { commitment }] of releases.$map) expect(plain).not.toContain(commitment);
    const { seeds } = insideOf(room.helper ?? room.collector);
    for (const [, held] of seeds.$map) expect(Object.keys(held)).toEqual(['commitment', 'seed']);
  });

  it('shows the analyst whose releases have come, and the helper what a request asks', async () => {
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
    // A changed request gets no preview, and neither does one that was answered.
    const changed = request.message.slice();
    changed[changed.length - 70] = (changed.at(-70) ?? 0) ^ 1;
    expect(await helper.weigh(changed)).toBeNull();
    expect(await helper.weigh(new Uint8Array(3))).toBeNull();
    await helper.receive(request.message);
    expect(await helper.weigh(request.message)).toBeNull();
  });
});

/** The payload sealed in a message. */
async function unsealed(message: Uint8Array, pair: KeyPair): Promise<Uint8Array> {
  const { type, signed, payload } = readMessage(message);
  const header = signed.subarray(8, signed.length - payload.length);
  return (await open('25519', pair, `pm/v1/${type}`, header, payload)) ?? new Uint8Array();
}

describe('the messages to the helper of a split session', () => {
  /** Sums of one feature, with the small noise of a session with very many sites. */
  const NOISE = 8;
  const SUM = 731n;
  const NOISY = [40n, SUM + 3n, SUM - 5n];

  /** The sum that gives this digest with some noise, found by trying all of them, as anyone with the mask can. */
  async function guessed(digest: string, seed: Uint8Array): Promise<bigint | undefined> {
    const mask = new BigUint64Array((await maskStream(seed, 3)).buffer);
    for (let sum = 700n; sum < 760n; sum += 1n) {
      for (let a = -NOISE; a <= NOISE; a += 1) {
        for (let b = -NOISE; b <= NOISE; b += 1) {
          const words = [40n, sum + BigInt(a), sum + BigInt(b)];
          const masked = words.map((word, i) => BigInt.asUintN(64, word + (mask[i] ?? 0n)));
          if (hashOf(packed(masked)) === digest) return sum;
        }
      }
    }
    return undefined;
  }

  it('do not let it confirm a guess of a release, although it has the mask', async () => {
    const room = await roomOf(SPLIT, { present: 0 });
    let plain = '';
    const mask = async ([seed]: { key: Uint8Array }[]) => {
      const stream = new BigUint64Array((await maskStream(seed?.key ?? mustBe(), 3)).buffer);
      const masked = NOISY.map((word, i) => BigInt.asUintN(64, word + (stream[i] ?? 0n)));
      plain = hashOf(packed(masked));
      return { payload: packed(masked), rows: 40 };
    };
    const participant = await createParticipant(room.session, { mask });
    for (const { to, message } of (await participant.start()).send) {
      if (to === 'helper') await room.helper?.receive(message);
    }
    const [held] = insideOf(room.helper ?? room.collector).seeds.$map.map(([, one]) => one);
    const { commitment, seed } = held as { commitment: string; seed: { $bytes: string } };
    const key = fromBase64(seed.$bytes) ?? mustBe();
    // From a digest without a salt the helper finds the sum in 17,340 tries.
    expect(await guessed(plain, key)).toBeDefined();
    expect(await guessed(commitment, key)).toBeUndefined();
  });

  it('do not contain the salt of a release in any form', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    await closeBy(room, post);
    const sentTo = (name: string): Uint8Array[] =>
      post.delivered.filter(({ to }) => to === name).map(({ message }) => message);
    expect([...addresses(room).keys()]).toContain('helper');
    const inside = await Promise.all(
      sentTo('helper').map((message) => unsealed(message, room.helperKeys?.seal ?? mustBe())),
    );
    const all = [...sentTo('helper'), ...inside].map((bytes) => Buffer.from(bytes));
    const releases = sentTo('analyst').filter((one) => inspectMessage(one).type === 'masked');
    expect(releases).toHaveLength(5);
    const salts = await Promise.all(
      releases.map(async (one) => (await unsealed(one, room.keys.seal)).subarray(0, 32)),
    );
    expect(new Set(salts.map(toHex)).size).toBe(5);
    for (const salt of salts) {
      for (const form of [
        Buffer.from(salt),
        toHex(salt),
        toBase64(salt),
        toBase64(salt).slice(0, 40),
      ]) {
        expect(all.some((bytes) => bytes.includes(form))).toBe(false);
      }
    }
  });

  it('contain a commitment that anyone with the release and its salt can check', async () => {
    const room = await roomOf(SPLIT, { present: 1 });
    const [release] = (await room.participants[0]?.start())?.send ?? [];
    const { header } = readAs(release?.message ?? mustBe(), 'masked');
    const salted = await unsealed(release?.message ?? mustBe(), room.keys.seal);
    const text = Buffer.concat([Buffer.from('pm/v1|commitment|'), Buffer.from(salted)]);
    expect(header.commitment).toBe(createHash('sha256').update(text).digest('hex'));
    expect(salted.length).toBe(32 + 8 * 3);
  });
});

function mustBe(): never {
  throw new TypeError('something is missing');
}
