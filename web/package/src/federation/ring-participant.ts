import { concat, fromBase64, sameBytes } from '../base/binary.js';
import {
  agree,
  decryptOnce,
  encryptOnce,
  newAgreementKeys,
  newSigningKeys,
  pidOf,
  type KeyPair,
} from './keys.js';
import { maskSeed } from './mask-seed.js';
import { Early, ended, Refused, unexpected, type Message, type MessageOf } from './message.js';
import type { MaskSeed } from '../intake/protocol.js';
import {
  isSorted,
  Participant,
  type Mask,
  type ParticipantOptions,
  type Roster,
} from './participant.js';
import { freshData, requireMode, type Outgoing, type RoleData, type Step } from './role.js';
import {
  cut,
  groupOf,
  pairInfo,
  pairSign,
  readPart,
  readRoster,
  selfCommitment,
  shareInfo,
  type Ring,
} from './roster.js';
import { digestOfSet, type Session } from './session.js';
import { SHARE_BYTES, shareSecret } from './shares.js';
import { fingerprint } from './words.js';

/** Size of the shares for one member: one of the self mask, one of the key of the pair masks, and the tag. */
export const DEALT_BYTES = 2 * SHARE_BYTES + 16;

interface RingParticipantData extends RoleData {
  confirm: boolean;
  join: Uint8Array;
  /** Keys for masks and for shares; null once they must not be used again. */
  mask: KeyPair | null;
  share: KeyPair | null;
  ring: Ring | null;
  /** The seed of the self mask. */
  self: Uint8Array | null;
  /** The two shares from each dealer, its own included. */
  held: Map<string, Uint8Array>;
  /** Pids whose masks are in the release. */
  dealers: string[];
  /** The digest of roster and dealers. */
  group: string | null;
  /** Pids whose releases are summed. Accepted once only. */
  survivors: { pids: string[]; bytes: Uint8Array } | null;
}

/**
 * Masks its release with one mask for each other member; these cancel in the sum. If the session can
 * recover from dropouts, it adds a self mask, which only `threshold` members together can remove, and
 * only if its release is in the one set of survivors that it was sent.
 */
export class RingParticipant extends Participant<RingParticipantData> {
  static async create(session: Session, options: ParticipantOptions): Promise<RingParticipant> {
    await requireMode(session, ['ring', 'correlated']);
    const { suite, recovers } = session;
    const keys = options.keys ?? (await newSigningKeys(suite));
    const data: RingParticipantData = {
      ...freshData('new', keys),
      confirm: options.confirm ?? false,
      join: new Uint8Array(0),
      mask: await newAgreementKeys(suite),
      share: recovers ? await newAgreementKeys(suite) : null,
      ...{ ring: null, self: null, held: new Map(), dealers: [], group: null, survivors: null },
    };
    return new RingParticipant(session, data, options.mask);
  }

  static restore(session: Session, data: unknown, mask: Mask): RingParticipant {
    return new RingParticipant(session, data as RingParticipantData, mask);
  }

  override get roster(): Roster | null {
    const { ring } = this.data;
    if (ring === null) return null;
    return { pids: ring.members.map(({ pid }) => pid), fingerprint: fingerprint(ring.digest) };
  }

  override accept(): Promise<Step> {
    return this.acting(
      async () => {
        const { phase, ring } = this.data;
        return phase === 'roster' && ring !== null ? this.#join(ring) : [];
      },
      `roster/${pidOf(this.session.collector.sign)}`,
    );
  }

  protected override async begin(): Promise<Outgoing[]> {
    const { mask, share } = this.data;
    if (mask === null) throw new TypeError('a new participant without its key');
    const contents = { mask: mask.public, ...(share === null ? {} : { share: share.public }) };
    const message = await this.write('join', contents);
    this.data.join = message;
    this.data.phase = 'joined';
    return [{ to: 'coordinator', message }];
  }

  protected override async handle(message: Message): Promise<Outgoing[]> {
    const { phase } = this.data;
    if (phase === 'done' || phase === 'aborted') throw ended();
    switch (message.type) {
      case 'result':
        return this.takeResult(message);
      case 'abort':
        return this.takeAbort(message);
      case 'survivors':
        return this.#takeSurvivors(message);
    }
    // A participant that was left out has deleted its keys.
    if (phase === 'left-out') throw ended();
    switch (message.type) {
      case 'roster':
        return this.#takeRoster(message);
      case 'deal':
        return this.#takeDeal(message);
      case 'agreed':
        return this.#takeAgreed(message);
      default:
        throw unexpected(message.type);
    }
  }

  protected override requireExpected(pids: readonly string[]): void {
    const { survivors, ring } = this.data;
    const expected =
      survivors?.pids ?? (this.session.recovers ? undefined : ring?.members.map(({ pid }) => pid));
    if (expected === undefined || expected.join() === pids.join()) return;
    throw new Refused('wrong-roster', 'the result is not the sum over the announced participants');
  }

  protected override forget(): void {
    this.data.mask = null;
    this.data.share = null;
    this.data.self = null;
    this.data.held.clear();
  }

  async #takeRoster(message: MessageOf<'roster'>): Promise<Outgoing[]> {
    const { data, pid } = this;
    if (data.phase === 'new') throw new Early();
    const ring = await readRoster(this.session, message);
    const at = ring.members.findIndex((member) => member.pid === pid);
    if (at < 0) {
      this.finish('left-out', 'message-late');
      return [];
    }
    const join = cut(message.payload, message.header.joins)[at];
    if (join === undefined || !sameBytes(join, data.join)) {
      throw new Refused('wrong-roster', 'the roster has this participant with other keys');
    }
    const send = data.confirm ? [] : await this.#join(ring);
    data.ring = ring;
    if (data.confirm) data.phase = 'roster';
    return send;
  }

  /** Sends the first message that depends on the other members. */
  async #join(ring: Ring): Promise<Outgoing[]> {
    if (this.session.recovers) return this.#deal(ring);
    const pids = ring.members.map(({ pid }) => pid);
    return this.#release(ring, pids, []);
  }

  async #deal(ring: Ring): Promise<Outgoing[]> {
    const { session, data, pid } = this;
    const { mask, share } = data;
    const secret = mask === null ? undefined : fromBase64(mask.secret);
    if (secret === undefined || share === null) throw new TypeError('a participant without keys');
    const self = maskSeed(session.id, pid);
    const { members } = ring;
    const selfShares = await shareSecret(self, members.length, session.threshold);
    const secretShares = await shareSecret(secret, members.length, session.threshold);
    const parts: Uint8Array[] = [];
    const own = new Map<string, Uint8Array>();
    for (const [at, member] of members.entries()) {
      const both = concat([selfShares[at] ?? self, secretShares[at] ?? self]);
      if (member.pid === pid) {
        own.set(pid, both);
        continue;
      }
      const info = shareInfo(session, ring.digest, pid, member.pid);
      parts.push(await encryptOnce(await this.#agree(share, member.share, info), both));
    }
    const contents = { roster: ring.digest, self: selfCommitment(session, pid, self) };
    const message = await this.write('shares', contents, concat(parts));
    data.self = self;
    data.held = own;
    data.phase = 'shared';
    return [{ to: 'coordinator', message }];
  }

  async #takeDeal({ header, payload }: MessageOf<'deal'>): Promise<Outgoing[]> {
    const { session, data, pid } = this;
    const { phase, ring, share, self } = data;
    if (phase === 'new' || phase === 'joined' || phase === 'roster') throw new Early();
    if (phase !== 'shared' || ring === null || share === null || self === null) throw ended();
    const { dealers } = header;
    const members = new Map(ring.members.map((member) => [member.pid, member]));
    const isFit =
      header.roster === ring.digest &&
      isSorted(dealers) &&
      dealers.includes(pid) &&
      dealers.every((dealer) => members.has(dealer));
    if (!isFit) throw new Refused('wrong-roster', 'the shares belong to another roster');
    if (dealers.length < session.least) {
      throw new Refused('too-few-releases', 'too few members have sent shares');
    }
    const others = dealers.filter((dealer) => dealer !== pid);
    const parts = cut(
      payload,
      others.map(() => DEALT_BYTES),
    );
    const held = new Map(data.held);
    for (const [at, dealer] of others.entries()) {
      const info = shareInfo(session, ring.digest, dealer, pid);
      const key = await this.#agree(share, members.get(dealer)?.share, info);
      const both = await decryptOnce(key, parts[at] ?? payload);
      if (both === undefined) {
        throw new Refused(
          'seal-broken',
          `the shares from ${dealer.slice(0, 12)} cannot be opened with this key`,
        );
      }
      held.set(dealer, both);
    }
    const send = await this.#release(ring, dealers, [{ key: self, sign: 1 }]);
    data.held = held;
    data.share = null;
    return send;
  }

  async #release(ring: Ring, dealers: string[], seeds: MaskSeed[]): Promise<Outgoing[]> {
    const { session, data, pid } = this;
    const { mask } = data;
    if (mask === null) throw ended();
    const group = groupOf(ring.digest, dealers);
    const others = ring.members.filter(
      (member) => member.pid !== pid && dealers.includes(member.pid),
    );
    for (const other of others) {
      const info = pairInfo(session, group, pid, other.pid);
      seeds.push({
        key: await this.#agree(mask, other.mask, info),
        sign: pairSign(pid, other.pid),
      });
    }
    const { salted, rows, commitment } = await this.masked(seeds);
    const contents = { commitment, rows, group };
    const message = await this.writeSealed(session.collector.seal, 'masked', contents, salted);
    data.dealers = dealers;
    data.group = group;
    data.phase = 'released';
    // From here on only the shares of the other members can remove the masks.
    data.mask = null;
    data.self = null;
    return [{ to: 'coordinator', message }];
  }

  async #takeSurvivors(message: MessageOf<'survivors'>): Promise<Outgoing[]> {
    const { session, data, pid } = this;
    const { group, survivors } = message.header;
    if (!survivors.includes(pid)) {
      // Its pair masks may be revealed now, so it must not send anything else.
      this.finish('left-out', 'message-late');
      return [];
    }
    if (data.phase !== 'released') throw new Early();
    const isFit =
      group === data.group &&
      isSorted(survivors) &&
      survivors.every((survivor) => data.dealers.includes(survivor));
    if (!isFit) throw new Refused('wrong-roster', 'the survivors belong to another group');
    if (survivors.length < session.least) {
      throw new Refused('too-few-releases', 'there are too few releases for a sum');
    }
    const send = await this.write('agree', { group, survivors: digestOfSet(survivors) });
    data.survivors = { pids: survivors, bytes: message.bytes };
    data.phase = 'agreed';
    return [{ to: 'coordinator', message: send }];
  }

  /** Answers only if enough members have signed the one set that this one was sent. */
  async #takeAgreed(message: MessageOf<'agreed'>): Promise<Outgoing[]> {
    const { session, data } = this;
    const { survivors } = data;
    const { header, payload } = message;
    if (survivors === null) throw new Early();
    if (data.phase !== 'agreed') throw ended();
    const digest = digestOfSet(survivors.pids);
    if (header.group !== data.group || header.survivors !== digest) {
      const reason = 'other members were asked about another set of releases';
      throw new Refused('second-set', reason, [survivors.bytes, message.bytes]);
    }
    const signers = new Set<string>();
    for (const part of cut(payload, header.agrees)) {
      const { header: agreed, pid } = await readPart(session, part, 'agree');
      if (agreed.group !== data.group || agreed.survivors !== digest) {
        throw new Refused('second-set', 'a member agreed to another set', [survivors.bytes, part]);
      }
      if (survivors.pids.includes(pid)) signers.add(pid);
    }
    if (signers.size < session.threshold) {
      throw new Refused('too-few-releases', 'too few members have agreed');
    }
    const contents = { group: header.group, survivors: digest };
    const reveal = await this.writeSealed(
      session.collector.seal,
      'reveal',
      contents,
      this.#answerFor(survivors.pids),
    );
    data.phase = 'revealed';
    this.forget();
    return [{ to: 'coordinator', message: reveal }];
  }

  /** For each dealer one share: of the self mask if its release is in the sum, otherwise of its key. Never both. */
  #answerFor(survivors: readonly string[]): Uint8Array {
    const { dealers, held } = this.data;
    return concat(
      dealers.map((dealer) => {
        const both = held.get(dealer) ?? new Uint8Array(2 * SHARE_BYTES);
        return survivors.includes(dealer)
          ? both.subarray(0, SHARE_BYTES)
          : both.subarray(SHARE_BYTES);
      }),
    );
  }

  async #agree(pair: KeyPair, other: string | null | undefined, info: string): Promise<Uint8Array> {
    const key =
      typeof other === 'string' ? await agree(this.session.suite, pair, other, info) : undefined;
    if (key !== undefined) return key;
    throw new Refused('wrong-roster', 'a member joined with an invalid key');
  }
}
