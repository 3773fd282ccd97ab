import { expect } from 'vitest';
import { concat, fromHex } from '../../../web/package/src/base/binary.js';
import { defineStudy, type Study } from '../../../web/package/src/study/study.js';
import { plainArithmetic } from '../../../web/package/src/federation/arithmetic.js';
import {
  newRoleKeys,
  seal,
  type KeyPair,
  type RoleKeys,
  type Suite,
} from '../../../web/package/src/federation/keys.js';
import type { MaskSeed } from '../../../web/package/src/intake/protocol.js';
import { maskStream } from '../../../web/package/src/intake/stream.js';
import {
  compose,
  headerBytes,
  readMessage,
  type Contents,
  type MessageOf,
  type MessageType,
} from '../../../web/package/src/federation/message.js';
import { type Collector } from '../../../web/package/src/federation/collector.js';
import {
  type Mask,
  type Participant,
  type ParticipantOptions,
} from '../../../web/package/src/federation/participant.js';
import {
  type Outgoing,
  type Role,
  type Step,
  type RoleData,
} from '../../../web/package/src/federation/role.js';
import {
  createCollector,
  createHelper,
  createParticipant,
} from '../../../web/package/src/federation/roles.js';
import {
  createSession,
  type Session,
  type SessionOptions,
} from '../../../web/package/src/federation/session.js';
import { type SplitHelper } from '../../../web/package/src/federation/split-helper.js';

export type Terms =
  | { mode: 'split'; sites: number; honest: number; dropouts?: number }
  | { mode: 'ring'; sites: number; honest: number; dropouts?: number; threshold?: number }
  | { mode: 'correlated'; sites: number; honest: number };

/** Terms under which two of five may be missing from the sum of split, and one from that of a ring. */
export const SPLIT = { mode: 'split', sites: 5, honest: 3, dropouts: 2 } as const;
export const RING = { mode: 'ring', sites: 5, honest: 3, threshold: 4 } as const;

/** One feature: three numbers a release. */
export function studyOf(federation: Terms, title = 'Three numbers'): Study {
  return defineStudy({
    title,
    columns: [{ name: 'a', type: 'number', min: 0, max: 1 }],
    privacy: { epsilon: 1, delta: 1e-6 },
    federation,
  });
}

/** A participant's release without a mask: three 64-bit words that identify the participant and the word. */
export function wordsOf(index: number): bigint[] {
  const seed = BigInt(index + 1);
  return [seed * 1_000_003n, -(seed ** 5n) << 30n, (seed << 52n) + 7n].map((word) =>
    BigInt.asUintN(64, word),
  );
}

export function packed(words: readonly bigint[]): Uint8Array {
  return new Uint8Array(BigUint64Array.from(words).buffer);
}

/** The sum modulo 2^64, computed the slow and obvious way. */
export function sumOf(indexes: readonly number[]): Uint8Array {
  const sum = [0n, 0n, 0n];
  for (const index of indexes) {
    for (const [at, word] of wordsOf(index).entries()) sum[at] = (sum[at] ?? 0n) + word;
  }
  return packed(sum.map((word) => BigInt.asUintN(64, word)));
}

/** Adds the masks to the words, as the worker would, and records the seeds of each call. */
export function masking(index: number, calls: MaskSeed[][] = []): Mask {
  return async (seeds) => {
    calls.push(seeds);
    const sum = plainArithmetic.sum(3);
    await sum.add(packed(wordsOf(index)), 1);
    for (const { key, sign } of seeds) await sum.add(await maskStream(key, 3), sign);
    return { payload: await sum.bytes(), rows: 10 + index };
  };
}

export interface Room {
  study: Study;
  session: Session;
  keys: RoleKeys;
  helperKeys: RoleKeys | undefined;
  collector: Collector;
  helper: SplitHelper | undefined;
  participants: Participant[];
  calls: MaskSeed[][][];
  /** Index of a participant by pid, in the order of creation. */
  indexOf: (pid: string) => number;
}

export interface RoomOptions {
  suite?: Suite;
  /** Number of participants. Default: all sites. */
  present?: number;
  session?: Partial<SessionOptions>;
  participant?: (index: number) => Partial<ParticipantOptions>;
}

/** A session with all its roles, before any of them has acted. */
export async function roomOf(terms: Terms, options: RoomOptions = {}): Promise<Room> {
  const study = studyOf(terms);
  const suite = options.suite ?? '25519';
  const keys = await newRoleKeys(suite);
  const helperKeys = terms.mode === 'split' ? await newRoleKeys(suite) : undefined;
  const session = createSession(study, {
    collector: keys,
    ...(helperKeys === undefined ? {} : { helper: helperKeys }),
    ...options.session,
  });
  const collector = await createCollector(session, keys);
  const helper = helperKeys === undefined ? undefined : await createHelper(session, helperKeys);
  const calls: MaskSeed[][][] = [];
  const participants: Participant[] = [];
  for (let index = 0; index < (options.present ?? terms.sites); index++) {
    calls[index] = [];
    participants.push(
      await createParticipant(session, {
        mask: masking(index, calls[index]),
        ...options.participant?.(index),
      }),
    );
  }
  return {
    ...{ study, session, keys, helperKeys, collector, helper, participants, calls },
    indexOf: (pid) => participants.findIndex((participant) => participant.pid === pid),
  };
}

export type AnyRole = Pick<Role<RoleData>, 'receive' | 'resend' | 'state' | 'outcome' | 'session'>;

/** Roles by the names to which messages are addressed. */
export function addresses(room: Room): Map<string, AnyRole> {
  const collects = room.session.mode === 'split' ? 'analyst' : 'coordinator';
  return new Map<string, AnyRole>([
    [collects, room.collector],
    ...(room.helper === undefined ? [] : [['helper', room.helper] as [string, AnyRole]]),
    ...room.participants.map((role): [string, AnyRole] => [role.pid, role]),
  ]);
}

/** A carrier that delivers in order, and messages to `all` to everyone. */
export class Post {
  readonly queue: { to: string; message: Uint8Array }[] = [];
  readonly delivered: { to: string; message: Uint8Array; step: Step }[] = [];
  readonly #roles: Map<string, AnyRole>;
  /** Names whose messages are not delivered. */
  readonly gone = new Set<string>();

  constructor(room: Room) {
    this.#roles = addresses(room);
  }

  send(outgoing: readonly Outgoing[], from?: string): void {
    for (const { to, message } of outgoing) {
      const names = to === 'all' ? [...this.#roles.keys()].filter((name) => name !== from) : [to];
      for (const name of names) this.queue.push({ to: name, message });
    }
  }

  async deliver(item: { to: string; message: Uint8Array }): Promise<Step | undefined> {
    const role = this.#roles.get(item.to);
    if (role === undefined || this.gone.has(item.to)) return undefined;
    const step = await role.receive(item.message);
    this.delivered.push({ ...item, step });
    this.send(step.send, item.to);
    return step;
  }

  /** Delivers until the queue is empty. */
  async run(): Promise<void> {
    for (let item = this.queue.shift(); item !== undefined; item = this.queue.shift()) {
      await this.deliver(item);
    }
  }

  get refusals(): { to: string; code: string }[] {
    return this.delivered.flatMap(({ to, step }) =>
      step.refused === null ? [] : [{ to, code: step.refused.code }],
    );
  }
}

/** Starts all participants and delivers their messages. */
export async function startAll(room: Room, post: Post): Promise<void> {
  for (const participant of room.participants) {
    if (post.gone.has(participant.pid)) continue;
    post.send((await participant.start()).send);
  }
  await post.run();
}

/** Lets the collector close its phase and delivers its messages. */
export async function closeBy(room: Room, post: Post): Promise<Step> {
  const step = await room.collector.close();
  post.send(step.send, room.session.mode === 'split' ? 'analyst' : 'coordinator');
  await post.run();
  return step;
}

/** Indexes of the participants in the sum, in the order of the room. */
export function summed(room: Room): number[] {
  return (room.collector.outcome?.participants ?? []).map(room.indexOf).sort((a, b) => a - b);
}

/** Asserts that the session has ended with the exact sum of these, in the order of the room. */
export function expectSum(room: Room, indexes: readonly number[]): void {
  expect(room.collector.state).toBe('done');
  expect(summed(room)).toEqual(indexes);
  expect(room.collector.outcome?.total).toEqual(sumOf(indexes));
}

/** Asserts the exact sum over all sites, that every participant has it, and that no message was refused. */
export function expectSumForAll(room: Room, post: Post): void {
  expect(post.refusals).toEqual([]);
  expectSum(room, [...room.participants.keys()]);
  for (const { state, outcome } of room.participants) {
    expect(state).toBe('done');
    expect(outcome).toEqual(room.collector.outcome);
  }
}

/** The messages sent when a phase is closed; none if it cannot be closed yet. */
export async function closing(collector: Collector): Promise<Outgoing[]> {
  try {
    return (await collector.close()).send;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'too-few-releases' || code === 'session-ended') return [];
    throw error;
  }
}

/** Any properly signed message, as anyone with these keys could send it. */
export async function forged<T extends MessageType>(
  session: Session,
  signer: KeyPair,
  type: T,
  contents: Contents[T],
  payload: Uint8Array = new Uint8Array(0),
  sealTo?: string,
): Promise<Uint8Array> {
  const { suite, id } = session;
  const header = headerBytes(type, id, signer.public, contents);
  const inside =
    sealTo === undefined ? payload : await seal(suite, sealTo, `pm/v1/${type}`, header, payload);
  return compose(suite, signer, header, inside);
}

/** Reads a message of a known type. */
export function readAs<T extends MessageType>(bytes: Uint8Array, type: T): MessageOf<T> {
  const message = readMessage(bytes);
  if (message.type !== type) throw new TypeError(`${message.type} instead of ${type}`);
  return message as MessageOf<T>;
}

/** What the owner of the machine can read of a role. Not every role has all of these. */
export interface Inside {
  sign: KeyPair;
  group: string;
  dealers: string[];
  releases: { $map: [string, { commitment: string }][] };
  seeds: { $map: [string, object][] };
  held: { $map: [string, { $bytes: string }][] };
}

export function insideOf(role: { save(): string }): Inside {
  const { data } = JSON.parse(role.save()) as { data: Inside };
  return data;
}

/** An analyst's request for the first few of a room, the first one with another commitment. */
export async function closeFor(room: Room, count: number, other?: string): Promise<Uint8Array> {
  const { releases } = insideOf(room.collector);
  const entries = releases.$map
    .slice(0, count)
    .map(([pid, { commitment }], at) => [pid, at === 0 ? (other ?? commitment) : commitment]);
  const payload = concat(entries.flat().map(fromHex));
  const to = room.session.helper?.seal;
  return forged(room.session, room.keys.sign, 'close', { releases: count }, payload, to);
}
