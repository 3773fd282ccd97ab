import { concat, hashOf, toBase64 } from '../base/binary.js';
import {
  Collector,
  type CollectorData,
  type CollectorOptions,
  type Progress,
} from './collector.js';
import { agree, isPair, type RoleKeys } from './keys.js';
import { ended, late, Refused, unexpected, type Message, type MessageOf } from './message.js';
import type { MaskSeed } from '../intake/protocol.js';
import { freshData, requireMode, requireOwnKeys, type Outgoing } from './role.js';
import { DEALT_BYTES } from './ring-participant.js';
import { groupOf, memberOf, pairInfo, pairSign, selfCommitment, type Member } from './roster.js';
import { digestOfSet, type Session } from './session.js';
import { maskStream } from '../intake/stream.js';
import { joinShares, SHARE_BYTES } from './shares.js';

interface CoordinatorData extends CollectorData {
  joins: Map<string, { member: Member; bytes: Uint8Array }>;
  /** Digest of the roster; '' until there is one. */
  roster: string;
  shares: Map<string, { self: string; payload: Uint8Array }>;
  /** Pids whose masks are in the releases, sorted. */
  dealers: string[];
  group: string;
  /** Pids whose releases are summed, sorted. */
  survivors: string[];
  agrees: Map<string, Uint8Array>;
  reveals: Map<string, Uint8Array>;
}

/**
 * Gathers the members of a ring, passes on the messages between them without being able to read them,
 * and learns the sum of their releases and nothing else.
 */
export class RingCoordinator extends Collector<CoordinatorData> {
  /** @throws PrivateMomentsError `invalid-session`, `unsupported-suite` */
  static async create(
    session: Session,
    { sign, seal }: RoleKeys,
    options: CollectorOptions = {},
  ): Promise<RingCoordinator> {
    await requireMode(session, ['ring', 'correlated']);
    requireOwnKeys(session.collector.sign, sign, 'coordinator.sign');
    requireOwnKeys(session.collector.seal, seal, 'coordinator.seal');
    const data: CoordinatorData = {
      ...freshData('joining', sign),
      ...{ seal, roster: '', dealers: [], group: '', survivors: [] },
      releases: new Map(),
      joins: new Map(),
      shares: new Map(),
      agrees: new Map(),
      reveals: new Map(),
    };
    return new RingCoordinator(session, data, options);
  }

  static restore(session: Session, data: unknown, options: CollectorOptions = {}): RingCoordinator {
    return new RingCoordinator(session, data as CoordinatorData, options);
  }

  override get progress(): Progress {
    const { least, sites, threshold, recovers } = this.session;
    const { phase, joins, shares, releases, dealers, agrees, reveals, survivors } = this.data;
    switch (phase) {
      case 'joining':
        return { have: joins.size, least, most: sites };
      case 'sharing':
        return { have: shares.size, least, most: joins.size };
      case 'collecting':
        return {
          have: releases.size,
          // Without shares the masks of missing members cannot be recovered.
          least: recovers ? least : dealers.length,
          most: dealers.length,
        };
      case 'agreeing':
        return { have: agrees.size, least: threshold, most: survivors.length };
      default:
        return { have: reveals.size, least: threshold, most: survivors.length };
    }
  }

  protected override admit(message: Message): void {
    const { joins } = this.data;
    if (message.type === 'join' || joins.has(message.pid)) return;
    throw new Refused('unknown-participant', 'its sender is not in the roster');
  }

  protected override handle(message: Message): Promise<Outgoing[]> {
    const { phase } = this.data;
    if (phase === 'aborted') return Promise.reject(ended());
    switch (message.type) {
      case 'join':
        return this.#takeJoin(message);
      case 'shares':
        return this.#takeShares(message);
      case 'masked':
        return this.#takeRelease(message);
      case 'agree':
        return this.#takeAgree(message);
      case 'reveal':
        return this.#takeReveal(message);
      default:
        return Promise.reject(unexpected(message.type));
    }
  }

  /** The last two phases end by themselves with enough answers. */
  protected override closable(): boolean {
    return ['joining', 'sharing', 'collecting'].includes(this.data.phase);
  }

  protected override advance(): Promise<Outgoing[]> {
    const { phase } = this.data;
    if (phase === 'joining') return this.#closeJoining();
    return phase === 'sharing' ? this.#closeSharing() : this.#closeCollecting();
  }

  protected override forget(): void {
    this.data.shares.clear();
    this.data.agrees.clear();
    this.data.reveals.clear();
  }

  #pids(): string[] {
    return [...this.data.joins.keys()].sort();
  }

  async #takeJoin(message: MessageOf<'join'>): Promise<Outgoing[]> {
    const { session, data } = this;
    if (data.phase !== 'joining') throw late();
    const member = memberOf(session, message);
    for (const key of [member.mask, member.share]) {
      // An invalid key would stop all other members.
      if (key !== null && (await agree(session.suite, data.seal, key, 'probe')) === undefined) {
        throw new Refused('message-unreadable', 'a key in its message is invalid');
      }
    }
    for (const { member: other } of data.joins.values()) {
      if (other.mask !== member.mask) continue;
      throw new Refused('message-unreadable', 'another member has joined with the same key');
    }
    data.joins.set(message.pid, { member, bytes: message.bytes });
    return data.joins.size === session.sites ? this.#closeJoining() : [];
  }

  async #closeJoining(): Promise<Outgoing[]> {
    const { session, data } = this;
    const joins = this.#pids().map((pid) => data.joins.get(pid)?.bytes ?? new Uint8Array(0));
    const payload = concat(joins);
    const contents = { joins: joins.map(({ length }) => length) };
    const message = await this.write('roster', contents, payload);
    data.roster = hashOf(payload);
    data.phase = session.recovers ? 'sharing' : 'collecting';
    if (!session.recovers) {
      data.dealers = this.#pids();
      data.group = groupOf(data.roster, data.dealers);
    }
    return [{ to: 'all', message }];
  }

  async #takeShares({ header, payload, pid }: MessageOf<'shares'>): Promise<Outgoing[]> {
    const { data, session } = this;
    if (data.phase !== 'sharing') throw session.recovers ? late() : unexpected('shares');
    this.#requireGroup(header.roster, data.roster);
    if (payload.length !== DEALT_BYTES * (data.joins.size - 1)) {
      throw new Refused('wrong-length', 'it must have two shares for each other member');
    }
    data.shares.set(pid, { self: header.self, payload: payload.slice() });
    return data.shares.size === data.joins.size ? this.#closeSharing() : [];
  }

  async #closeSharing(): Promise<Outgoing[]> {
    const { data } = this;
    const members = this.#pids();
    const dealers = [...data.shares.keys()].sort();
    const contents = { roster: data.roster, dealers };
    const send: Outgoing[] = [];
    for (const pid of dealers) {
      const parts = dealers
        .filter((dealer) => dealer !== pid)
        .map((dealer) => {
          const at = members.filter((other) => other !== dealer).indexOf(pid) * DEALT_BYTES;
          return (
            data.shares.get(dealer)?.payload.subarray(at, at + DEALT_BYTES) ?? new Uint8Array(0)
          );
        });
      send.push({ to: pid, message: await this.write('deal', contents, concat(parts)) });
    }
    data.dealers = dealers;
    data.group = groupOf(data.roster, dealers);
    data.phase = 'collecting';
    return send;
  }

  async #takeRelease(message: MessageOf<'masked'>): Promise<Outgoing[]> {
    const { data } = this;
    const { phase } = data;
    if (phase === 'joining' || phase === 'sharing') {
      throw new Refused('wrong-roster', 'the release came before there was a roster');
    }
    if (phase !== 'collecting') throw late();
    this.#requireGroup(message.header.group, data.group);
    this.#requireDealer(message.pid);
    data.releases.set(message.pid, await this.hold(message));
    return data.releases.size === data.dealers.length ? this.#closeCollecting() : [];
  }

  async #closeCollecting(): Promise<Outgoing[]> {
    const { session, data } = this;
    const survivors = [...data.releases.keys()].sort();
    if (!session.recovers) return this.end(survivors, await this.#masked(survivors, []));
    const message = await this.write('survivors', { group: data.group, survivors });
    data.survivors = survivors;
    data.phase = 'agreeing';
    return [{ to: 'all', message }];
  }

  async #takeAgree({ header, bytes, pid }: MessageOf<'agree'>): Promise<Outgoing[]> {
    const { data, session } = this;
    this.#requireAnswer(header, pid, 'agreeing');
    if (data.phase !== 'agreeing') return [];
    if (data.agrees.size + 1 < session.threshold) {
      data.agrees.set(pid, bytes);
      return [];
    }
    const agrees = [...data.agrees.values(), bytes];
    const { group, survivors } = header;
    const contents = { group, survivors, agrees: agrees.map(({ length }) => length) };
    const message = await this.write('agreed', contents, concat(agrees));
    data.agrees.set(pid, bytes);
    data.phase = 'revealing';
    return data.survivors.map((to) => ({ to, message }));
  }

  async #takeReveal(message: MessageOf<'reveal'>): Promise<Outgoing[]> {
    const { data, session } = this;
    const { header, pid } = message;
    this.#requireAnswer(header, pid, 'revealing');
    if (data.phase !== 'revealing') return [];
    const shares = await this.unseal(message, data.seal);
    if (shares.length !== SHARE_BYTES * data.dealers.length) {
      throw new Refused('wrong-length', 'it must have one share for each member');
    }
    data.reveals.set(pid, shares);
    return data.reveals.size < session.threshold ? [] : this.#unmask();
  }

  async #unmask(): Promise<Outgoing[]> {
    const { data } = this;
    const keys: MaskSeed[] = [];
    for (const [at, dealer] of data.dealers.entries()) {
      const parts = [...data.reveals.values()].map((shares) =>
        shares.subarray(at * SHARE_BYTES, (at + 1) * SHARE_BYTES),
      );
      const secret = await joinShares(parts);
      const found = data.survivors.includes(dealer)
        ? this.#selfMask(dealer, secret)
        : await this.#pairMasks(dealer, secret);
      if (found === undefined) return this.giveUp('wrong-share');
      keys.push(...found);
    }
    return this.end(data.survivors, await this.#masked(data.survivors, keys));
  }

  /** The self mask of a survivor, if the seed matches its commitment. */
  #selfMask(pid: string, secret: Uint8Array | undefined): MaskSeed[] | undefined {
    if (secret === undefined) return undefined;
    const isCommitted =
      selfCommitment(this.session, pid, secret) === this.data.shares.get(pid)?.self;
    return isCommitted ? [{ key: secret, sign: 1 }] : undefined;
  }

  /** The masks that survivors share with a member that dropped out, if the key is the one it joined with. */
  async #pairMasks(pid: string, secret: Uint8Array | undefined): Promise<MaskSeed[] | undefined> {
    const { session, data } = this;
    const own = data.joins.get(pid)?.member.mask ?? '';
    if (secret === undefined || !(await isPair(session.suite, secret, own))) return undefined;
    const pair = { public: own, secret: toBase64(secret) };
    const found: MaskSeed[] = [];
    for (const survivor of data.survivors) {
      const info = pairInfo(session, data.group, pid, survivor);
      const other = data.joins.get(survivor)?.member.mask ?? '';
      const key = await agree(session.suite, pair, other, info);
      if (key === undefined) return undefined;
      found.push({ key, sign: pairSign(survivor, pid) });
    }
    return found;
  }

  /** The sum of these members' releases without these masks. */
  async #masked(pids: readonly string[], masks: readonly MaskSeed[]): Promise<Uint8Array> {
    const { session, data } = this;
    const sum = this.arithmetic.sum(session.length);
    for (const pid of pids) {
      const release = data.releases.get(pid);
      if (release !== undefined) await sum.add(release.payload, 1);
    }
    for (const { key, sign } of masks) {
      await sum.add(await maskStream(key, session.length), sign === 1 ? -1 : 1);
    }
    return sum.bytes();
  }

  #requireGroup(stated: string | undefined, expected: string): void {
    if (stated === expected) return;
    throw new Refused('wrong-roster', 'it was made for a different set of members');
  }

  #requireDealer(pid: string): void {
    if (this.data.dealers.includes(pid)) return;
    throw new Refused('unknown-participant', 'its sender did not send shares in time');
  }

  #requireAnswer(
    { group, survivors }: { group: string; survivors: string },
    pid: string,
    first: 'agreeing' | 'revealing',
  ): void {
    const order = ['joining', 'sharing', 'collecting', 'agreeing', 'revealing', 'done'];
    if (order.indexOf(this.data.phase) < order.indexOf(first)) {
      throw new Refused('wrong-roster', 'it answers a question that was not asked yet');
    }
    this.#requireGroup(group, this.data.group);
    this.#requireGroup(survivors, digestOfSet(this.data.survivors));
    if (this.data.survivors.includes(pid)) return;
    throw new Refused('unknown-participant', 'the release of its sender is not in the sum');
  }
}
