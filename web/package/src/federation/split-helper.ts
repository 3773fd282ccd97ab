import { PrivateMomentsError } from '../base/errors.js';
import { plainArithmetic, type MaskArithmetic } from './arithmetic.js';
import { concat, hashOf, sameBytes, toHex } from '../base/binary.js';
import { type CollectorOptions } from './collector.js';
import { SEED_BYTES, type KeyPair, type RoleKeys } from './keys.js';
import { ended, late, Refused, unexpected, type Message, type MessageOf } from './message.js';
import { packPids, unpackPids } from './participant.js';
import {
  freshData,
  requireMode,
  requireOwnKeys,
  Role,
  type Outgoing,
  type RoleData,
} from './role.js';
import type { Session } from './session.js';
import { maskStream } from '../intake/stream.js';

/** An entry of `close`: a pid and a commitment. */
const ENTRY_BYTES = 64;

interface HelperData extends RoleData {
  seal: KeyPair;
  seeds: Map<string, { commitment: string; seed: Uint8Array }>;
  /** The only message that was ever answered with masks; null before, and if only the result shows that there was one. */
  answered: Uint8Array | null;
}

/**
 * Sums the masks of the releases that the analyst has, once. It sees seeds but no release, so it learns
 * nothing about data. The analyst learns one sum and no other, whatever it asks.
 */
export class SplitHelper extends Role<HelperData> {
  protected readonly keepsMessages = false;
  protected readonly name = 'helper';
  readonly #arithmetic: MaskArithmetic;

  private constructor(session: Session, data: HelperData, { arithmetic }: CollectorOptions) {
    super(session, data);
    this.#arithmetic = arithmetic ?? plainArithmetic;
  }

  /** @throws PrivateMomentsError `invalid-session`, `unsupported-suite` */
  static async create(
    session: Session,
    { sign, seal }: RoleKeys,
    options: CollectorOptions = {},
  ): Promise<SplitHelper> {
    await requireMode(session, ['split']);
    requireOwnKeys(session.helper?.sign, sign, 'helper.sign');
    requireOwnKeys(session.helper?.seal, seal, 'helper.seal');
    const data = { ...freshData('collecting', sign), seal, seeds: new Map(), answered: null };
    return new SplitHelper(session, data, options);
  }

  static restore(session: Session, data: unknown, options: CollectorOptions = {}): SplitHelper {
    return new SplitHelper(session, data as HelperData, options);
  }

  /** Number of seeds held; 0 once they were used. */
  get seeds(): number {
    return this.data.seeds.size;
  }

  /**
   * Previews a request of the analyst without answering it: the number of releases in it (`asked`), and
   * for how many of these there is a seed (`here`). Null for any other message, and for one that
   * `receive` would refuse; `receive` says why.
   */
  weigh(request: Uint8Array): Promise<{ asked: number; here: number } | null> {
    return this.inTurn(async () => {
      if (this.data.phase !== 'collecting') return null;
      try {
        const message = await this.look(new Uint8Array(request));
        if (message.type !== 'close') return null;
        const { releases: asked } = message.header;
        const pids = this.#both(await this.unseal(message, this.data.seal), asked);
        return { asked, here: pids.length };
      } catch (error) {
        if (error instanceof Refused || error instanceof PrivateMomentsError) return null;
        throw error;
      }
    });
  }

  /** Forgets all seeds: nothing will be unmasked. */
  abort(): ReturnType<Role<HelperData>['receive']> {
    return this.acting(() => {
      this.#finish('aborted', 'session-aborted');
      return Promise.resolve([]);
    });
  }

  protected override admit(message: Message): void {
    if (message.type === 'seed') {
      if (this.session.admits(message.key)) return;
      throw new Refused('unknown-participant', 'the session does not list this participant');
    }
    if (message.key === this.session.collector.sign) return;
    throw new Refused('wrong-sender', 'only the analyst may send this to the helper');
  }

  /** While there are too few seeds, the analyst may ask again with more releases. */
  protected override keyOf(message: Message): string {
    const key = super.keyOf(message);
    return message.type === 'close' ? `${key}/${hashOf(message.signed)}` : key;
  }

  protected override handle(message: Message): Promise<Outgoing[]> {
    switch (message.type) {
      case 'seed':
        return this.#takeSeed(message);
      case 'close':
        return this.#answer(message);
      case 'abort':
        return this.#takeAbort(message);
      case 'result':
        return this.#takeResult();
      default:
        return Promise.reject(unexpected(message.type));
    }
  }

  async #takeSeed(message: MessageOf<'seed'>): Promise<Outgoing[]> {
    const { phase, seeds, seal } = this.data;
    if (phase === 'aborted') throw ended();
    if (phase === 'done') throw late();
    if (seeds.size >= this.session.sites) {
      throw new Refused('too-many-participants', 'more seeds than the session has sites');
    }
    const seed = await this.unseal(message, seal);
    if (seed.length !== SEED_BYTES) throw new Refused('wrong-length', 'a seed has 32 bytes');
    if ([...seeds.values()].some((held) => sameBytes(held.seed, seed))) {
      const reason =
        'another participant sent the same seed: the random generator of one repeats itself';
      throw new Refused('repeated-seed', reason);
    }
    seeds.set(message.pid, { commitment: message.header.commitment, seed });
    return [];
  }

  async #answer(message: MessageOf<'close'>): Promise<Outgoing[]> {
    const { session, data } = this;
    if (data.phase === 'aborted') throw ended();
    if (data.phase === 'done' && data.answered === null) {
      throw new Refused('second-set', 'there is a result, so masks of a set were already sent');
    }
    if (data.answered !== null) {
      const reason =
        'the masks of one set were already sent; a second set would reveal the difference';
      throw new Refused('second-set', reason, [data.answered, message.bytes]);
    }
    const pids = this.#both(await this.unseal(message, data.seal), message.header.releases);
    const contents = { releases: pids.length, close: hashOf(message.signed) };
    if (pids.length < session.least) {
      return [{ to: 'analyst', message: await this.write('short', contents) }];
    }
    const sum = this.#arithmetic.sum(session.length);
    for (const pid of pids) {
      const { seed } = data.seeds.get(pid) ?? {};
      if (seed !== undefined) await sum.add(await maskStream(seed, session.length), 1);
    }
    const payload = concat([packPids(pids), await sum.bytes()]);
    const answer = await this.writeSealed(session.collector.seal, 'masks', contents, payload);
    this.#finish('done');
    data.answered = message.bytes;
    return [{ to: 'analyst', message: answer }];
  }

  /** The participants whose seed belongs to the release that the analyst has. */
  #both(payload: Uint8Array, releases: number): string[] {
    if (payload.length !== ENTRY_BYTES * releases) {
      throw new Refused('wrong-length', 'the list has the wrong length');
    }
    const commitments = new Map<string, string>();
    for (let at = 0; at < payload.length; at += ENTRY_BYTES) {
      const pid = toHex(payload.subarray(at, at + 32));
      commitments.set(pid, toHex(payload.subarray(at + 32, at + ENTRY_BYTES)));
    }
    const { seeds } = this.data;
    return [...commitments]
      .filter(([pid, commitment]) => seeds.get(pid)?.commitment === commitment)
      .map(([pid]) => pid)
      .sort();
  }

  /** A helper that was set back to before its answer learns from the result that it has answered. */
  #takeResult(): Promise<Outgoing[]> {
    if (this.data.phase === 'collecting') this.#finish('done');
    return Promise.resolve([]);
  }

  #takeAbort({ header }: MessageOf<'abort'>): Promise<Outgoing[]> {
    if (this.data.phase === 'collecting') this.#finish('aborted', header.reason);
    return Promise.resolve([]);
  }

  #finish(phase: 'done' | 'aborted', reason: string | null = null): void {
    this.data.phase = phase;
    this.data.reason = reason;
    this.data.seeds.clear();
  }
}

/** The payload of `close`: pid and commitment of each release. */
export function packClose(releases: ReadonlyMap<string, { commitment: string }>): Uint8Array {
  const pids = [...releases.keys()].sort();
  return packPids(pids.flatMap((pid) => [pid, releases.get(pid)?.commitment ?? '']));
}

/** Reads the payload of `masks`. @throws Refused */
export function readMasks(
  payload: Uint8Array,
  releases: number,
  session: Session,
): { pids: string[]; masks: Uint8Array } {
  const head = 32 * releases;
  if (payload.length !== head + session.payloadBytes) {
    throw new Refused('wrong-length', 'the masks have the wrong length');
  }
  const pids = unpackPids(payload.subarray(0, head));
  if (pids === undefined) {
    throw new Refused('message-unreadable', 'the participants are unsorted or have duplicates');
  }
  return { pids, masks: payload.subarray(head) };
}
