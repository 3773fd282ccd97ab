import { PrivateMomentsError, type ErrorCode } from '../base/errors.js';
import { isWithinRange, plainArithmetic, type MaskArithmetic } from './arithmetic.js';
import { commitmentOf, SALT_BYTES } from './commitment.js';
import type { KeyPair } from './keys.js';
import { Refused, type MessageOf } from './message.js';
import { packResult } from './participant.js';
import { Role, type Outcome, type Outgoing, type Phase, type RoleData, type Step } from './role.js';
import type { Session } from './session.js';

/** A masked release that the collector received. */
export interface HeldRelease {
  commitment: string;
  rows: number | null;
  payload: Uint8Array;
}

export interface CollectorData extends RoleData {
  seal: KeyPair;
  releases: Map<string, HeldRelease>;
}

export interface CollectorOptions {
  /** Default: sums in JavaScript. */
  arithmetic?: MaskArithmetic;
}

/** Progress of the current phase. */
export interface Progress {
  /** Number of answers received. */
  have: number;
  /** Number of answers needed before `close` can go on without the others. */
  least: number;
  /** Maximum number of answers. With all of them the next phase begins by itself, except in split. */
  most: number;
}

/** The role that collects releases: the analyst of split, the coordinator of a ring. */
export abstract class Collector<D extends CollectorData = CollectorData> extends Role<D> {
  protected readonly keepsMessages = false;
  protected readonly name = 'collector';
  protected readonly arithmetic: MaskArithmetic;

  protected constructor(session: Session, data: D, { arithmetic }: CollectorOptions = {}) {
    super(session, data);
    this.arithmetic = arithmetic ?? plainArithmetic;
  }

  abstract get progress(): Progress;

  /** The masked releases received, by pid, with their numbers of rows; empty once the session has ended. */
  get releases(): { pid: string; rows: number | null }[] {
    const held = [...this.data.releases].map(([pid, { rows }]) => ({ pid, rows }));
    return held.sort((a, b) => (a.pid < b.pid ? -1 : 1));
  }

  /**
   * Ends the current phase and goes on with those who have answered. An error changes nothing.
   * @throws PrivateMomentsError `too-few-releases` if too few have answered, `session-ended` if the
   * phase cannot be closed
   */
  close(): Promise<Step> {
    return this.acting(() => {
      const { have, least } = this.progress;
      if (!this.closable()) {
        const message = `the phase ${this.data.phase} cannot be closed`;
        throw new PrivateMomentsError('session-ended', message);
      }
      if (have >= least) return this.advance();
      const message = `only ${have} have answered and at least ${least} are needed; wait for more, or abort`;
      throw new PrivateMomentsError('too-few-releases', message);
    });
  }

  /** Ends the session without a result and notifies everyone. Masked releases stay masked. */
  abort(): Promise<Step> {
    return this.acting(() => this.giveUp('session-aborted'));
  }

  protected abstract closable(): boolean;

  /** Starts the next phase. */
  protected abstract advance(): Promise<Outgoing[]>;

  /** Forgets everything that could remove masks. */
  protected abstract forget(): void;

  /** Opens and checks a masked release. @throws Refused */
  protected async hold(message: MessageOf<'masked'>): Promise<HeldRelease> {
    const { commitment, rows } = message.header;
    // Keeps the total exact, and names the sender who would prevent that.
    if (rows !== null && rows > Number.MAX_SAFE_INTEGER / this.session.sites) {
      throw new Refused('too-many-rows', 'the release states more rows than any site can have');
    }
    const salted = await this.unseal(message, this.data.seal);
    const [salt, payload] = [salted.subarray(0, SALT_BYTES), salted.subarray(SALT_BYTES)];
    if (payload.length !== this.session.payloadBytes) {
      const reason = `the release has ${payload.length} bytes instead of ${this.session.payloadBytes}`;
      throw new Refused('wrong-length', reason);
    }
    if ((await commitmentOf(salt, payload)) === commitment) return { commitment, rows, payload };
    throw new Refused('wrong-commitment', 'the release does not match its commitment');
  }

  /** Ends with the sum of these participants, if the total can be a sum. */
  protected async end(participants: string[], total: Uint8Array): Promise<Outgoing[]> {
    if (!isWithinRange(total)) return this.giveUp('sum-overflow');
    const rows = this.#rowsOf(participants);
    const outcome: Outcome = { participants, rows, total };
    const contents = { releases: participants.length, rows };
    const message = await this.write('result', contents, packResult(outcome));
    this.data.outcome = outcome;
    this.#finish('done');
    return [{ to: 'all', message }];
  }

  protected async giveUp(reason: ErrorCode): Promise<Outgoing[]> {
    if (this.data.phase === 'done' || this.data.phase === 'aborted') return [];
    const message = await this.write('abort', { reason });
    this.data.reason = reason;
    this.#finish('aborted');
    return [{ to: 'all', message }];
  }

  #finish(phase: Phase): void {
    this.data.phase = phase;
    this.data.releases.clear();
    this.forget();
  }

  /** Total rows; null if one of the numbers is private. */
  #rowsOf(participants: readonly string[]): number | null {
    let sum = 0;
    for (const pid of participants) {
      const rows = this.data.releases.get(pid)?.rows ?? null;
      if (rows === null) return null;
      sum += rows;
    }
    return sum;
  }
}
