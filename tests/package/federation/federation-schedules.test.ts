import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Outgoing } from '../../../web/package/src/federation/role.js';
import {
  restoreCollector,
  restoreHelper,
  restoreParticipant,
} from '../../../web/package/src/federation/roles.js';
import {
  closing,
  masking,
  roomOf,
  sumOf,
  type AnyRole,
  type Room,
  type Terms,
} from './federation-support.js';

/** One event; `pick` chooses a message or a role. */
interface Happening {
  what: 'deliver' | 'twice' | 'lose' | 'tamper' | 'restart' | 'resend' | 'close' | 'vanish';
  pick: number;
}

const happening = (vanish: number): fc.Arbitrary<Happening> =>
  fc.record({
    what: fc.oneof(
      ...(
        [
          ['deliver', 60],
          ['twice', 8],
          ['lose', 8],
          ['tamper', 6],
          ['restart', 5],
          ['resend', 3],
          ['close', 4],
          ['vanish', vanish],
        ] as const
      ).map(([what, weight]) => ({ arbitrary: fc.constant(what), weight })),
    ),
    pick: fc.nat({ max: 1 << 20 }),
  });

/** The roles, the messages on their way, and the roles that are gone for good. */
class World {
  readonly room: Room;
  readonly pool: { to: string; message: Uint8Array }[] = [];
  readonly gone = new Set<string>();
  readonly collects: string;

  constructor(room: Room) {
    this.room = room;
    this.collects = room.session.mode === 'split' ? 'analyst' : 'coordinator';
  }

  roles(): Map<string, AnyRole> {
    const { collector, helper, participants } = this.room;
    return new Map<string, AnyRole>([
      [this.collects, collector],
      ...(helper === undefined ? [] : [['helper', helper] as [string, AnyRole]]),
      ...participants.map((role): [string, AnyRole] => [role.pid, role]),
    ]);
  }

  send(from: string, outgoing: readonly Outgoing[]): void {
    for (const { to, message } of outgoing) {
      const names = to === 'all' ? [...this.roles().keys()] : [to];
      for (const name of names) if (name !== from) this.pool.push({ to: name, message });
    }
  }

  async deliver(to: string, message: Uint8Array): Promise<void> {
    if (this.gone.has(to)) return;
    const step = await this.roles().get(to)?.receive(message);
    if (step !== undefined) this.send(to, step.send);
  }

  async start(): Promise<void> {
    for (const participant of this.room.participants) {
      this.send(participant.pid, (await participant.start()).send);
    }
  }

  async happen({ what, pick }: Happening): Promise<void> {
    const { room, pool } = this;
    if (what === 'close') return this.close();
    if (what === 'restart') {
      this.restart(pick);
      return;
    }
    if (what === 'resend') {
      const names = [...this.roles().keys()];
      this.resend(names[pick % names.length] ?? '');
      return;
    }
    if (what === 'vanish') {
      const { pid } = room.participants[pick % room.participants.length] ?? { pid: '' };
      this.gone.add(pid);
      return;
    }
    const at = pick % Math.max(pool.length, 1);
    const item = pool[at];
    if (item === undefined) return;
    if (what === 'tamper') {
      const message = item.message.slice();
      const bit = pick % (8 * message.length);
      message[bit >> 3] = (message[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return this.deliver(item.to, message);
    }
    pool.splice(at, 1);
    if (what === 'lose') return;
    await this.deliver(item.to, item.message);
    if (what === 'twice') await this.deliver(item.to, item.message);
  }

  async close(): Promise<void> {
    this.send(this.collects, await closing(this.room.collector));
  }

  resend(name: string): void {
    const role = this.roles().get(name);
    if (role !== undefined && !this.gone.has(name)) this.send(name, role.resend());
  }

  /** Closes a tab and opens it again. */
  restart(pick: number): void {
    const { room } = this;
    const at = pick % (room.participants.length + 2);
    const participant = room.participants[at];
    if (participant !== undefined) {
      const mask = masking(at, room.calls[at]);
      room.participants[at] = restoreParticipant(participant.save(), { mask });
    } else if (at === room.participants.length) {
      room.collector = restoreCollector(room.collector.save());
    } else if (room.helper !== undefined) {
      room.helper = restoreHelper(room.helper.save());
    }
  }

  /** Lets all roles resend until nothing new comes of it. */
  async settle(): Promise<void> {
    for (let round = 0; round < 8 && !this.isOver(); round++) {
      for (const name of this.roles().keys()) this.resend(name);
      await this.drain();
      if (round > 0) await this.close();
      await this.drain();
    }
  }

  isOver(): boolean {
    return [...this.roles()].every(
      ([name, { state }]) => name === 'helper' || this.gone.has(name) || state === 'done',
    );
  }

  async drain(): Promise<void> {
    for (let item = this.pool.shift(); item !== undefined; item = this.pool.shift()) {
      await this.deliver(item.to, item.message);
    }
  }
}

/** Asserts what must hold whatever happened. */
function requireSafe({ room, gone }: World): void {
  const { collector, participants, session } = room;
  for (const calls of room.calls) expect(calls.length).toBeLessThanOrEqual(1);
  for (const role of [collector, ...participants]) {
    const { outcome } = role;
    expect(role.state === 'done').toBe(outcome !== null);
    if (outcome === null) continue;
    const indexes = outcome.participants.map(room.indexOf);
    expect(indexes.length).toBeGreaterThanOrEqual(session.least);
    expect(outcome.total).toEqual(sumOf(indexes));
    expect(outcome.rows).toBe(indexes.reduce((sum, index) => sum + 10 + index, 0));
    expect(outcome).toEqual(collector.outcome);
  }
  if (gone.size > 0) return;
  // Losing, repeating, reordering and damaging messages prevents no one from getting the sum for good.
  expect(collector.state).toBe('done');
  for (const participant of participants) expect(participant.state).toBe('done');
}

const ringTerms: fc.Arbitrary<Terms> = fc
  .record({ sites: fc.integer({ min: 2, max: 7 }), honest: fc.nat(), threshold: fc.nat() })
  .map(({ sites, ...drawn }) => {
    const honest = 1 + (drawn.honest % sites);
    const least = sites - Math.ceil(honest / 2) + 1;
    const threshold = least + (drawn.threshold % (sites - least + 1));
    return { mode: 'ring', sites, honest, threshold };
  });

const splitTerms: fc.Arbitrary<Terms> = fc
  .record({ sites: fc.integer({ min: 2, max: 8 }), honest: fc.nat(), dropouts: fc.nat() })
  .map(({ sites, ...drawn }) => {
    const honest = 1 + (drawn.honest % sites);
    const dropouts = drawn.dropouts % Math.min(honest, sites - 1);
    return { mode: 'split', sites, honest, dropouts };
  });

const correlatedTerms: fc.Arbitrary<Terms> = fc
  .integer({ min: 2, max: 6 })
  .map((sites) => ({ mode: 'correlated', sites, honest: 1 }));

/** Whether there was a sum. */
async function run(terms: Terms, happenings: readonly Happening[]): Promise<boolean> {
  const world = new World(await roomOf(terms));
  await world.start();
  for (const one of happenings) await world.happen(one);
  await world.settle();
  requireSafe(world);
  return world.room.collector.state === 'done';
}

describe('messages that are lost, repeated, reordered, damaged or interrupted', () => {
  const cases: [string, fc.Arbitrary<Terms>, number, number, number][] = [
    ['split', splitTerms, 0, 30, 40],
    ['split with dropouts', splitTerms, 3, 30, 40],
    ['ring', ringTerms, 0, 30, 100],
    ['ring with dropouts', ringTerms, 2, 50, 100],
    ['correlated', correlatedTerms, 0, 15, 60],
  ];
  for (const [name, terms, vanish, numRuns, maxLength] of cases) {
    const ends =
      vanish === 0
        ? 'all end with the exact sum'
        : 'all who end have the exact sum of the same set';
    it(`${name}: ${ends}, and no one is asked for a release twice`, async () => {
      const schedule = fc.array(happening(vanish), { minLength: maxLength / 2, maxLength });
      let sums = 0;
      const property = fc.asyncProperty(terms, schedule, async (session, happenings) => {
        if (await run(session, happenings)) sums++;
      });
      await fc.assert(property, { seed: 20260101, numRuns, endOnFailure: true });
      // The checks of those who end mean something only if enough of them do.
      expect(sums).toBeGreaterThan(numRuns / 3);
    }, 60_000);
  }
});
