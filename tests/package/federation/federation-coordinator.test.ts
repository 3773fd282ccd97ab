import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, fromBase64 } from '../../../web/package/src/base/binary.js';
import { open } from '../../../web/package/src/federation/keys.js';
import { DEALT_BYTES } from '../../../web/package/src/federation/ring-participant.js';
import { joinShares, SHARE_BYTES } from '../../../web/package/src/federation/shares.js';
import { digestOfSet } from '../../../web/package/src/federation/session.js';
import { forged, insideOf, readAs, roomOf, type Room, type Terms } from './federation-support.js';
import { seeded } from '../support.js';

/** A release and its masks, as known to someone who has read all messages. */
interface Seen {
  group: string;
  dealers: string[];
}

/**
 * A coordinator that can send anything, and something different to everyone. It colludes with the first
 * few participants, whose keys and shares it has.
 */
class Adversary {
  readonly room: Room;
  readonly #random: () => number;
  readonly #colluders: Set<string>;
  readonly releases = new Map<string, Seen>();
  /** The shares it received: by owner of the secret, then by holder. */
  readonly selfShares = new Map<string, Map<string, Uint8Array>>();
  readonly keyShares = new Map<string, Map<string, Uint8Array>>();
  readonly #agrees = new Map<string, Map<string, Uint8Array>>();
  readonly #proposed = new Map<string, { group: string; survivors: string[] }[]>();

  constructor(room: Room, colluders: number, random: () => number) {
    this.room = room;
    this.#random = random;
    this.#colluders = new Set(room.participants.slice(0, colluders).map(({ pid }) => pid));
  }

  get pids(): string[] {
    return this.room.participants.map(({ pid }) => pid).sort();
  }

  isHonest(pid: string): boolean {
    return !this.#colluders.has(pid);
  }

  async #tell(pid: string, message: Uint8Array): Promise<Uint8Array | undefined> {
    const step = await this.room.participants[this.room.indexOf(pid)]?.receive(message);
    return step?.send[0]?.message;
  }

  /** Collects correct joins and shares. It may send everyone a different list of dealers. */
  async collect(isConsistent: boolean): Promise<void> {
    const { room } = this;
    const { sign } = room.keys;
    const joins = new Map<string, Uint8Array>();
    for (const participant of room.participants) {
      const [join] = (await participant.start()).send;
      joins.set(participant.pid, join?.message ?? new Uint8Array());
    }
    const parts = this.pids.map((pid) => joins.get(pid) ?? new Uint8Array());
    const lengths = { joins: parts.map(({ length }) => length) };
    const roster = await forged(room.session, sign, 'roster', lengths, concat(parts));
    const shares = new Map<string, Uint8Array>();
    let name = '';
    for (const pid of this.pids) {
      const message = readAs((await this.#tell(pid, roster)) ?? new Uint8Array(), 'shares');
      shares.set(pid, message.payload);
      name = message.header.roster;
    }
    for (const pid of this.pids) {
      const dealers =
        !isConsistent && this.#random() < 0.3 ? this.#someWith(pid, this.pids) : this.pids;
      const dealt = dealers
        .filter((dealer) => dealer !== pid)
        .map((dealer) => {
          const at = this.pids.filter((other) => other !== dealer).indexOf(pid) * DEALT_BYTES;
          return shares.get(dealer)?.subarray(at, at + DEALT_BYTES) ?? new Uint8Array();
        });
      const contents = { roster: name, dealers };
      const deal = await forged(room.session, sign, 'deal', contents, concat(dealt));
      const release = readAs((await this.#tell(pid, deal)) ?? new Uint8Array(), 'masked');
      this.releases.set(pid, { group: release.header.group ?? '', dealers });
    }
    for (const pid of this.#colluders) this.#takeAllSharesOf(pid);
  }

  #takeAllSharesOf(holder: string): void {
    const participant = this.room.participants[this.room.indexOf(holder)];
    if (participant === undefined) return;
    for (const [owner, { $bytes }] of insideOf(participant).held.$map) {
      const both = fromBase64($bytes) ?? new Uint8Array();
      note(this.selfShares, owner, holder, both.subarray(0, SHARE_BYTES));
      note(this.keyShares, owner, holder, both.subarray(SHARE_BYTES));
    }
  }

  #someWith(pid: string, of: readonly string[]): string[] {
    const { least } = this.room.session;
    const others = of.filter((other) => other !== pid);
    while (others.length + 1 > least && this.#random() < 0.6) {
      others.splice(Math.floor(this.#random() * others.length), 1);
    }
    return [...others, pid].sort();
  }

  /** Asks random participants for anything they might answer. */
  async ask(times: number): Promise<void> {
    const sets = new Map<string, string[]>();
    for (let time = 0; time < times; time++) {
      const pid = this.pids[Math.floor(this.#random() * this.pids.length)] ?? '';
      const { group, dealers } = this.releases.get(pid) ?? { group: '', dealers: [] };
      // There are few different sets, so that several participants are asked for the same one.
      const name = `${group} ${Math.floor(this.#random() * 3)}`;
      const survivors = sets.get(name) ?? this.#someWith(pid, dealers);
      sets.set(name, survivors);
      if (this.#random() < 0.5) await this.#propose(pid, group, survivors);
      else await this.#demand(pid);
    }
    for (const pid of this.pids) await this.#demand(pid);
  }

  /** Asks like an honest coordinator. */
  async askForAll(): Promise<void> {
    for (const pid of this.pids) {
      const { group } = this.releases.get(pid) ?? { group: '' };
      await this.#propose(pid, group, this.pids);
    }
    for (const pid of this.pids) await this.#demand(pid);
  }

  /**
   * The best attack on members who each answer for one set, with too few of them for the same set: it
   * picks a few members and tells each participant that as many of these as possible have dropped out, so
   * that it gets the keys of those few and the self masks of the others.
   */
  async askToSplit(): Promise<void> {
    const { sites, least } = this.room.session;
    const most = sites - least;
    // Turns are counted among the honest. Counted among all, whose order is that of random keys, enough
    // members could be asked for the same set, and their sum is allowed.
    const honest = this.pids.filter((pid) => this.isHonest(pid));
    const few = honest.slice(0, most + 1);
    for (const pid of this.pids) {
      const { group } = this.releases.get(pid) ?? { group: '' };
      const others = few.filter((other) => other !== pid);
      const first = Math.max(0, honest.indexOf(pid));
      const missing = others.map((_, turn) => others[(first + turn) % others.length]);
      const gone = missing.slice(0, most);
      await this.#propose(
        pid,
        group,
        this.pids.filter((other) => !gone.includes(other)),
      );
    }
    for (const pid of this.pids) await this.#demand(pid);
  }

  async #propose(pid: string, group: string, survivors: string[]): Promise<void> {
    const { session, keys, participants, indexOf } = this.room;
    const message = await forged(session, keys.sign, 'survivors', { group, survivors });
    const answer = await this.#tell(pid, message);
    const digest = digestOfSet(survivors);
    const proposed = this.#proposed.get(pid) ?? [];
    this.#proposed.set(pid, [...proposed, { group, survivors }]);
    if (answer !== undefined) note(this.#agrees, `${group} ${digest}`, pid, answer);
    for (const colluder of this.#colluders) {
      const participant = participants[indexOf(colluder)];
      if (participant === undefined || !survivors.includes(colluder)) continue;
      const { sign } = insideOf(participant);
      const agree = await forged(session, sign, 'agree', { group, survivors: digest });
      note(this.#agrees, `${group} ${digest}`, colluder, agree);
    }
  }

  async #demand(pid: string): Promise<void> {
    const { session, keys } = this.room;
    for (const { group, survivors } of this.#proposed.get(pid) ?? []) {
      const digest = digestOfSet(survivors);
      const agrees = [...(this.#agrees.get(`${group} ${digest}`)?.values() ?? [])];
      const contents = { group, survivors: digest, agrees: agrees.map(({ length }) => length) };
      const message = await forged(session, keys.sign, 'agreed', contents, concat(agrees));
      const answer = await this.#tell(pid, message);
      if (answer !== undefined) await this.#read(pid, survivors, answer);
    }
  }

  async #read(pid: string, survivors: readonly string[], answer: Uint8Array): Promise<void> {
    const { session, keys } = this.room;
    const { signed, payload } = readAs(answer, 'reveal');
    const header = signed.subarray(8, signed.length - payload.length);
    const shares = await open(session.suite, keys.seal, 'pm/v1/reveal', header, payload);
    for (const [at, dealer] of (this.releases.get(pid)?.dealers ?? []).entries()) {
      const share = shares?.subarray(at * SHARE_BYTES, (at + 1) * SHARE_BYTES) ?? new Uint8Array();
      note(survivors.includes(dealer) ? this.selfShares : this.keyShares, dealer, pid, share);
    }
  }

  knows(shares: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>, pid: string): boolean {
    return !this.isHonest(pid) || (shares.get(pid)?.size ?? 0) >= this.room.session.threshold;
  }

  /**
   * The sets of honest participants whose sum it can compute: those in which it knows every self mask, and
   * every pair mask is known or cancels within the set.
   */
  computable(): string[][] {
    const honest = this.pids.filter((pid) => this.isHonest(pid));
    const blocked = new Set(honest.filter((pid) => !this.knows(this.selfShares, pid)));
    const linked = new Map(honest.map((pid) => [pid, new Set([pid])]));
    for (const pid of honest) {
      const seen = this.releases.get(pid);
      for (const other of seen?.dealers ?? []) {
        if (other === pid || !this.isHonest(other)) continue;
        if (this.knows(this.keyShares, pid) || this.knows(this.keyShares, other)) continue;
        if (this.releases.get(other)?.group !== seen?.group) blocked.add(pid);
        else linked.get(pid)?.add(other);
      }
    }
    const components: string[][] = [];
    const left = new Set(honest);
    for (const start of honest) {
      if (!left.delete(start)) continue;
      const component = [start];
      for (const pid of component) {
        for (const next of linked.get(pid) ?? []) if (left.delete(next)) component.push(next);
      }
      if (component.every((pid) => !blocked.has(pid))) components.push(component);
    }
    return components;
  }
}

function note(
  map: Map<string, Map<string, Uint8Array>>,
  key: string,
  holder: string,
  bytes: Uint8Array,
): void {
  const inner = map.get(key) ?? new Map<string, Uint8Array>();
  map.set(key, inner.set(holder, bytes));
}

/** Rings in which two sets of `threshold` share an honest member, and dropouts can be recovered. */
const terms: fc.Arbitrary<Extract<Terms, { mode: 'ring' }>> = fc
  .record({
    sites: fc.integer({ min: 3, max: 6 }),
    honest: fc.nat(),
    threshold: fc.nat(),
    dropouts: fc.nat(),
  })
  .map(({ sites, ...drawn }) => {
    const honest = 3 + (drawn.honest % (sites - 2));
    const least = Math.floor((2 * sites - honest) / 2) + 1;
    const threshold = least + (drawn.threshold % (sites - least));
    const dropouts = drawn.dropouts % (sites - threshold + 1);
    return { mode: 'ring', sites, honest, dropouts, threshold };
  });

describe('a dishonest coordinator, with the maximum number of colluders', () => {
  it('computes at most one sum, which has the minimum number of honest releases', async () => {
    let sums = 0;
    const property = fc.asyncProperty(terms, fc.nat(), async (ring, seed) => {
      const room = await roomOf(ring);
      const colluders = ring.sites - ring.honest;
      const adversary = new Adversary(room, colluders, seeded(seed));
      await adversary.collect(false);
      await adversary.ask(3 * ring.sites);
      for (const pid of adversary.pids.filter((one) => adversary.isHonest(one))) {
        const both = [adversary.selfShares, adversary.keyShares].every((shares) =>
          adversary.knows(shares, pid),
        );
        expect(both).toBe(false);
      }
      const found = adversary.computable();
      expect(found.length).toBeLessThanOrEqual(1);
      for (const component of found) {
        const { honest, dropouts } = room.session;
        expect(component.length).toBeGreaterThanOrEqual(honest - dropouts);
      }
      sums += found.length;
    });
    await fc.assert(property, { seed: 7, numRuns: 30, endOnFailure: true });
    // It does get the allowed sum if it asks everyone for the same set.
    expect(sums).toBeGreaterThan(5);
  }, 60_000);

  it('gets nothing if too few members were asked for the same set', async () => {
    const room = await roomOf({ mode: 'ring', sites: 8, honest: 5, threshold: 6 });
    const adversary = new Adversary(room, 3, () => 0);
    await adversary.collect(true);
    await adversary.askToSplit();
    expect(adversary.computable()).toEqual([]);
    expect([...adversary.keyShares.values()].every((shares) => shares.size === 3)).toBe(true);
  });

  it('restores secrets from a threshold of shares, and not from one fewer', async () => {
    const room = await roomOf({ mode: 'ring', sites: 4, honest: 4, threshold: 3 });
    const adversary = new Adversary(room, 0, () => 0);
    await adversary.collect(true);
    await adversary.askForAll();
    expect(adversary.computable()).toEqual([adversary.pids]);
    for (const participant of room.participants) {
      const shares = [...(adversary.selfShares.get(participant.pid)?.values() ?? [])];
      expect(shares.length).toBe(4);
      const [self] = room.calls[room.indexOf(participant.pid)]?.[0] ?? [];
      expect(await joinShares(shares.slice(0, 3))).toEqual(new Uint8Array(self?.key ?? []));
      expect(await joinShares(shares.slice(1))).toEqual(new Uint8Array(self?.key ?? []));
      expect(await joinShares(shares.slice(0, 2))).not.toEqual(new Uint8Array(self?.key ?? []));
    }
  });
});
