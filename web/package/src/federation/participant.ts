import { concat, fromHex, toHex } from '../base/binary.js';
import type { MaskSeed } from '../intake/protocol.js';
import { isWithinRange } from './arithmetic.js';
import { commitmentOf } from './commitment.js';
import { pidOf, randomSeed, type KeyPair } from './keys.js';
import { Refused, type Message, type MessageOf } from './message.js';
import { Role, type Outcome, type Outgoing, type RoleData, type Step } from './role.js';
import type { Session } from './session.js';

export interface Masked {
  /** Noisy second moments plus the masks, modulo 2^64: packed little-endian words. */
  payload: Uint8Array;
  /** How many rows they count; null where that number is private. */
  rows: number | null;
}

/**
 * Makes the release and masks it, where the rows are: only what it returns is ever seen here. Called
 * once a session; again only where it failed, so that nothing had left.
 */
export type Mask = (seeds: MaskSeed[]) => Promise<Masked>;

export interface ParticipantOptions {
  mask: Mask;
  /** Who this is, where the session admits only some. Default: new keys. */
  keys?: KeyPair;
  /** Ring: wait for `accept` once the roster is here. Default false. */
  confirm?: boolean;
}

/** Everybody in a ring, as all of them must see it. */
export interface Roster {
  /** Sorted. */
  pids: string[];
  /** Six words that are the same for all, or the coordinator told them different things. */
  fingerprint: string;
}

/** Who has rows. */
export abstract class Participant<D extends RoleData = RoleData> extends Role<D> {
  protected readonly keepsMessages = true;
  protected readonly name = 'participant';
  readonly #mask: Mask;

  protected constructor(session: Session, data: D, mask: Mask) {
    super(session, data);
    this.#mask = mask;
  }

  /** Who this is to the others: SHA-256 of the signing key. */
  get pid(): string {
    return pidOf(this.data.sign.public);
  }

  /** Ring only: who takes part, once that is known. */
  abstract get roster(): Roster | null;

  /** Begins: split masks and sends, a ring joins. After a restart: everything sent so far, again. */
  start(): Promise<Step> {
    return this.data.phase === 'new'
      ? this.acting(() => this.begin())
      : this.inTurn(() =>
          Promise.resolve({ send: this.resend(), state: this.data.phase, refused: null }),
        );
  }

  /** Ring with `confirm`: the fingerprint is the one the others see. Else nothing happens. */
  accept(): Promise<Step> {
    return this.acting(() => Promise.resolve([]));
  }

  protected abstract begin(): Promise<Outgoing[]>;

  /** Whether the coordinator may say that these were summed. @throws Refused */
  protected abstract requireExpected(pids: readonly string[]): void;

  /** Forgets whatever could still unmask. */
  protected abstract forget(): void;

  protected admit(message: Message): void {
    if (message.key !== this.session.collector.sign) {
      throw new Refused('wrong-sender', 'only who collects may send messages to participants');
    }
  }

  /** The release with its masks, to be sealed behind a fresh salt, and the commitment to both. */
  protected async masked(
    seeds: MaskSeed[],
  ): Promise<{ salted: Uint8Array; rows: number | null; commitment: string }> {
    const { payload, rows } = await this.#mask(seeds);
    if (payload.length !== this.session.payloadBytes) {
      throw new TypeError(`mask must give ${this.session.payloadBytes} bytes`);
    }
    if (rows !== null && !(Number.isSafeInteger(rows) && rows >= 0)) {
      throw new TypeError('mask must give a whole number of rows, or null');
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

/** Pids, 32 bytes each. */
export function packPids(pids: readonly string[]): Uint8Array {
  return concat(pids.map((pid) => fromHex(pid)));
}

/** The inverse; undefined where they are not sorted, each once. */
export function unpackPids(bytes: Uint8Array): string[] | undefined {
  const pids: string[] = [];
  for (let at = 0; at < bytes.length; at += 32) pids.push(toHex(bytes.subarray(at, at + 32)));
  return isSorted(pids) ? pids : undefined;
}

/** Sorted, each once. */
export function isSorted(pids: readonly string[]): boolean {
  return pids.every((pid, at) => at === 0 || (pids[at - 1] ?? '') < pid);
}

export function packResult({ participants, total }: Outcome): Uint8Array {
  return concat([packPids(participants), total]);
}

function readResult({ header, payload }: MessageOf<'result'>, session: Session): Outcome {
  const head = 32 * header.releases;
  if (payload.length !== head + session.payloadBytes) {
    throw new Refused('wrong-length', 'the result has not the length it should have');
  }
  const participants = unpackPids(payload.subarray(0, head));
  if (participants === undefined) {
    throw new Refused('message-unreadable', 'the participants are not sorted, each once');
  }
  if (participants.length < session.least || participants.length > session.sites) {
    throw new Refused('too-few-releases', 'the result is not the sum of as many as it must be');
  }
  const total = payload.slice(head);
  if (isWithinRange(total)) return { participants, rows: header.rows, total };
  throw new Refused('sum-overflow', 'the result is larger than any sum can be');
}
