import { concat, fromHex, toHex } from '../base/binary.js';
import type { MaskSeed } from '../intake/protocol.js';
import { isWithinRange } from './arithmetic.js';
import { commitmentOf } from './commitment.js';
import { randomSeed } from '../base/random.js';
import { pidOf, type KeyPair } from './keys.js';
import { Refused, type Message, type MessageOf } from './message.js';
import { Role, type Outcome, type Outgoing, type RoleData, type Step } from './role.js';
import type { Session } from './session.js';

export interface Masked {
  /** Noisy second moments plus the masks, modulo 2^64, as packed little-endian words. */
  payload: Uint8Array;
  /** Number of rows in the moments; null if that number is private. */
  rows: number | null;
}

/**
 * Makes and masks the release where the rows are; the role sees only the return value. Called once in a
 * session, and again only if it has failed itself.
 */
export type Mask = (seeds: MaskSeed[]) => Promise<Masked>;

export interface ParticipantOptions {
  mask: Mask;
  /** The participant's signing keys, needed if the session lists who may take part. Default: new keys. */
  keys?: KeyPair;
  /** Ring: whether to wait for `accept` once the roster has come. Default false. */
  confirm?: boolean;
}

/** The members of a ring, which all of them must see alike. */
export interface Roster {
  /** Sorted. */
  pids: string[];
  /** Six words. If they differ between members, the coordinator sent them different rosters. */
  fingerprint: string;
}

/** The role of a site with rows. */
export abstract class Participant<D extends RoleData = RoleData> extends Role<D> {
  protected readonly keepsMessages = true;
  protected readonly name = 'participant';
  readonly #mask: Mask;
  /** What `mask` made for these seeds, until the call that asked for it has ended well. */
  protected draft: { seeds: MaskSeed[]; masked: Masked } | undefined;

  protected constructor(session: Session, data: D, mask: Mask) {
    super(session, data);
    this.#mask = mask;
  }

  /** The participant's id in the session: SHA-256 of the signing key. */
  get pid(): string {
    return pidOf(this.data.sign.public);
  }

  /** Ring only: the members, once joining was closed; null before. */
  abstract get roster(): Roster | null;

  /**
   * Starts taking part: in split it masks and sends the release, in a ring it joins. After a restart it
   * returns everything sent so far.
   */
  start(): Promise<Step> {
    return this.data.phase === 'new'
      ? this.acting(() => this.begin())
      : this.inTurn(() =>
          Promise.resolve({ send: this.resend(), state: this.data.phase, refused: null }),
        );
  }

  /** Ring with `confirm`: states that the others see the same fingerprint. Otherwise does nothing. */
  accept(): Promise<Step> {
    return this.acting(() => Promise.resolve([]));
  }

  protected override async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const value = await super.inTurn(work);
    if (this.data.phase === 'released') this.draft = undefined;
    return value;
  }

  protected abstract begin(): Promise<Outgoing[]>;

  /** Checks that a result may be the sum over these participants. @throws Refused */
  protected abstract requireExpected(pids: readonly string[]): void;

  /** Forgets everything that could remove masks. */
  protected abstract forget(): void;

  protected admit(message: Message): void {
    if (message.key !== this.session.collector.sign) {
      throw new Refused('wrong-sender', 'only the collector may send messages to participants');
    }
  }

  /** The masked release after a fresh salt, ready to be sealed, and the commitment to both. */
  protected async masked(
    seeds: MaskSeed[],
  ): Promise<{ salted: Uint8Array; rows: number | null; commitment: string }> {
    if (this.draft === undefined || textOf(this.draft.seeds) !== textOf(seeds)) {
      this.draft = { seeds, masked: await this.#mask(seeds) };
    }
    const { payload, rows } = this.draft.masked;
    if (payload.length !== this.session.payloadBytes) {
      throw new TypeError(`mask must return ${this.session.payloadBytes} bytes`);
    }
    if (rows !== null && !(Number.isSafeInteger(rows) && rows >= 0)) {
      throw new TypeError('mask must return a whole number of rows, or null');
    }
    const salt = randomSeed();
    const commitment = await commitmentOf(salt, payload);
    return { salted: concat([salt, payload]), rows, commitment };
  }

  protected takeResult(message: MessageOf<'result'>): Outgoing[] {
    const outcome = readResult(message, this.session);
    this.requireExpected(outcome.participants);
    this.finish('done');
    this.data.outcome = outcome;
    return [];
  }

  protected takeAbort({ header }: MessageOf<'abort'>): Outgoing[] {
    this.finish('aborted', header.reason);
    return [];
  }

  protected finish(phase: 'done' | 'aborted' | 'left-out', reason: string | null = null): void {
    this.data.phase = phase;
    this.data.reason = reason;
    this.forget();
    if (phase !== 'left-out') this.data.early.clear();
  }
}

function textOf(seeds: readonly MaskSeed[]): string {
  return seeds.map(({ key, sign }) => `${toHex(key)} ${sign}`).join();
}

/** The bytes of pids, 32 each. */
export function packPids(pids: readonly string[]): Uint8Array {
  return concat(pids.map((pid) => fromHex(pid)));
}

/** Reads what `packPids` wrote; undefined if the pids are unsorted or have duplicates. */
export function unpackPids(bytes: Uint8Array): string[] | undefined {
  const pids: string[] = [];
  for (let at = 0; at < bytes.length; at += 32) pids.push(toHex(bytes.subarray(at, at + 32)));
  return isSorted(pids) ? pids : undefined;
}

/** Whether pids are sorted and without duplicates. */
export function isSorted(pids: readonly string[]): boolean {
  return pids.every((pid, at) => at === 0 || (pids[at - 1] ?? '') < pid);
}

export function packResult({ participants, total }: Outcome): Uint8Array {
  return concat([packPids(participants), total]);
}

function readResult({ header, payload }: MessageOf<'result'>, session: Session): Outcome {
  const head = 32 * header.releases;
  if (payload.length !== head + session.payloadBytes) {
    throw new Refused('wrong-length', 'the result has the wrong length');
  }
  const participants = unpackPids(payload.subarray(0, head));
  if (participants === undefined) {
    throw new Refused('message-unreadable', 'the participants are unsorted or have duplicates');
  }
  if (participants.length < session.least || participants.length > session.sites) {
    throw new Refused('too-few-releases', 'the result is the sum of too few or too many releases');
  }
  const total = payload.slice(head);
  if (isWithinRange(total)) return { participants, rows: header.rows, total };
  throw new Refused('sum-overflow', 'the result is larger than any sum of this session can be');
}
