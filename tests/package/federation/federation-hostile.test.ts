import { afterEach, describe, expect, it, vi } from 'vitest';
import { concat, hashOf, toHex } from '../../../web/package/src/base/binary.js';
import { newRoleKeys, pidOf } from '../../../web/package/src/federation/keys.js';
import { maskSeed } from '../../../web/package/src/federation/mask-seed.js';
import { packPids } from '../../../web/package/src/federation/participant.js';
import { restoreHelper } from '../../../web/package/src/federation/roles.js';
import { type SplitHelper } from '../../../web/package/src/federation/split-helper.js';
import type { MaskSeed } from '../../../web/package/src/intake/protocol.js';
import { maskStream } from '../../../web/package/src/intake/stream.js';
import { seeded } from '../support.js';
import {
  closeBy,
  closeFor,
  expectSum,
  forged,
  masking,
  packed,
  Post,
  readAs,
  RING,
  roomOf,
  SPLIT,
  startAll,
  sumOf,
  type Room,
} from './federation-support.js';

const words = (bytes: Uint8Array | undefined): bigint[] => [
  ...new BigUint64Array((bytes ?? new Uint8Array()).slice().buffer),
];

/** The sum that everybody should get, with `by` added to one of its words. */
const shiftedSum = (by: bigint): Uint8Array =>
  packed(words(sumOf([0, 1, 2, 3, 4])).map((word, at) => (at === 1 ? word + by : word)));

function helperOf({ helper }: Room): SplitHelper {
  if (helper === undefined) throw new TypeError('a split without a helper');
  return helper;
}

/** A room whose helper answers with masks that are off by a number in one word. */
async function answerOff(by: bigint): Promise<Room> {
  const room = await roomOf(SPLIT);
  const post = new Post(room);
  await startAll(room, post);
  const [request] = (await room.collector.close()).send;
  const stream = [0n, 0n, 0n];
  for (const calls of room.calls) {
    const own = words(await maskStream(calls[0]?.[0]?.key ?? new Uint8Array(32), 3));
    for (const [at, word] of own.entries()) stream[at] = (stream[at] ?? 0n) + word;
  }
  const masks = packed(stream.map((word, at) => BigInt.asUintN(64, at === 1 ? word - by : word)));
  const close = hashOf(readAs(request?.message ?? new Uint8Array(), 'close').signed);
  const pids = room.participants.map(({ pid }) => pid).sort();
  const answer = await forged(
    ...([room.session, room.helperKeys?.sign ?? room.keys.sign, 'masks'] as const),
    { releases: 5, close },
    concat([packPids(pids), masks]),
    room.session.collector.seal,
  );
  await room.collector.receive(answer);
  return room;
}

describe('a helper that falsifies the sum of the masks', () => {
  it('shifts the result by as much, which nobody can see: the helper is trusted with that', async () => {
    const { collector } = await answerOff(1000n);
    expect(collector.state).toBe('done');
    expect(collector.outcome?.total).toEqual(shiftedSum(1000n));
  });

  it('ends the session where the result is too large for a sum', async () => {
    const { collector } = await answerOff(3n << 61n);
    expect(collector.reason).toBe('sum-overflow');
    expect(collector.outcome).toBeNull();
  });
});

describe('a participant that makes numbers up', () => {
  it('shifts the result within the range of sums, under its own signature', async () => {
    const room = await roomOf(SPLIT, {
      participant: (index) => ({
        mask: async (seeds: MaskSeed[]) => {
          const { payload, rows } = await masking(index)(seeds);
          const own = words(payload);
          if (index === 2) own[1] = BigInt.asUintN(64, (own[1] ?? 0n) + 1000n);
          return { payload: packed(own), rows };
        },
      }),
    });
    const post = new Post(room);
    await startAll(room, post);
    await closeBy(room, post);
    expect(room.collector.outcome?.total).toEqual(shiftedSum(1000n));
    expect(room.collector.outcome?.participants).toContain(room.participants[2]?.pid);
  });
});

describe('a helper that is set back to before its answer', () => {
  async function setBack() {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    const restored = restoreHelper(helperOf(room).save());
    const otherSet = await closeFor(room, 4);
    const step = await closeBy(room, post);
    const result = room.collector.resend().find(({ to }) => to === 'all');
    if (result === undefined) throw new TypeError('a result');
    return { room, restored, otherSet, request: step.send[0], result: result.message };
  }

  it('gives the masks of the same set again, which the analyst does not need', async () => {
    const { room, restored, request } = await setBack();
    const again = await restored.receive(request?.message ?? new Uint8Array());
    expect(again.send.map(({ to }) => to)).toEqual(['analyst']);
    const taken = await room.collector.receive(again.send[0]?.message ?? new Uint8Array());
    expect(taken.refused?.code).toBe('message-changed');
    expectSum(room, [0, 1, 2, 3, 4]);
  });

  it('gives no second set once it has met the first request again, as over a relay', async () => {
    const { restored, request, otherSet } = await setBack();
    await restored.receive(request?.message ?? new Uint8Array());
    expect((await restored.receive(otherSet)).refused?.code).toBe('second-set');
  });

  it('gives no set once it has met the result, and has forgotten all seeds', async () => {
    const { restored, request, result, otherSet } = await setBack();
    expect((await restored.receive(result)).refused).toBeNull();
    expect([restored.state, restored.seeds]).toEqual(['done', 0]);
    for (const asked of [otherSet, request?.message ?? new Uint8Array()]) {
      const step = await restored.receive(asked);
      expect([step.refused?.code, step.send]).toEqual(['second-set', []]);
    }
  });

  it('knows nothing of its answer before, and would answer another set: its owner must not restore it', async () => {
    const { restored, otherSet } = await setBack();
    expect((await restored.receive(otherSet)).send.map(({ to }) => to)).toEqual(['analyst']);
  });
});

describe('a random generator that repeats itself', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** The system's generator as after a restored snapshot: always the same bytes. */
  function repeatGenerator(): void {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      const view = bytes as unknown as Uint8Array;
      for (let at = 0; at < view.length; at += 1) view[at] = 3 * at + 1;
      return bytes;
    });
  }

  it('gives masks that differ between sessions, participants and moments', () => {
    repeatGenerator();
    vi.useFakeTimers({ now: 1000, toFake: ['Date'] });
    const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const seeds = [maskSeed(one, one), maskSeed(one, two), maskSeed(two, one)];
    vi.setSystemTime(1001);
    seeds.push(maskSeed(one, one));
    expect(new Set(seeds.map(toHex)).size).toBe(4);
  });

  for (const terms of [SPLIT, RING]) {
    it(`gives no two participants one mask, mode ${terms.mode}`, async () => {
      const room = await roomOf(terms);
      repeatGenerator();
      await startAll(room, new Post(room));
      const own = room.calls.map(([seeds]) => toHex(seeds?.[0]?.key ?? new Uint8Array()));
      expect(own).toHaveLength(5);
      expect(new Set(own).size).toBe(5);
    });
  }

  it('is named by the helper if two seeds are the same, whose releases would give away their difference', async () => {
    const room = await roomOf(SPLIT);
    const helper = helperOf(room);
    const [one, two] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
    const seedOf = ({ sign }: typeof one, byte: number) =>
      forged(
        room.session,
        sign,
        'seed',
        { commitment: 'ab'.repeat(32) },
        new Uint8Array(32).fill(byte),
        room.session.helper?.seal,
      );
    expect((await helper.receive(await seedOf(one, 7))).refused).toBeNull();
    const step = await helper.receive(await seedOf(two, 7));
    expect(step.refused).toMatchObject({ code: 'repeated-seed', from: pidOf(two.sign.public) });
    expect(helper.seeds).toBe(1);
  });
});

describe('garbage in bulk', () => {
  it('gets a code each, and leaves nothing in a role', async () => {
    const room = await roomOf(SPLIT);
    const post = new Post(room);
    await startAll(room, post);
    const genuine = post.delivered.map(({ message }) => message);
    const random = seeded(11);
    for (const role of [room.collector, helperOf(room)]) {
      const before = role.save();
      const codes = new Set<string>();
      for (let index = 0; index < 2000; index += 1) {
        const message = (genuine[index % genuine.length] ?? new Uint8Array()).slice();
        const at = Math.floor(random() * message.length);
        message[at] = (message[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        const damaged = index % 3 === 0 ? message.subarray(0, at) : message;
        const step = await role.receive(damaged);
        if (step.refused === null) expect(signedOf(damaged)).toEqual(signedOf(genuine[index % 10]));
        else codes.add(step.refused.code);
        expect(step.send).toEqual([]);
      }
      expect(role.save()).toBe(before);
      expect([...codes].every((code) => /^[a-z-]+$/.test(code))).toBe(true);
      expect(codes).toContain('message-unreadable');
    }
  });
});

/** A message without its signature: one that differs only there was taken before. */
const signedOf = (message: Uint8Array | undefined): Uint8Array | undefined =>
  message?.slice(0, -64);
