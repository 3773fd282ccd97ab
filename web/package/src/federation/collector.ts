import { PrivateMomentsError, type ErrorCode } from '../base/errors.js';
import { isWithinRange, plainArithmetic, type MaskArithmetic } from './arithmetic.js';
import { commitmentOf, SALT_BYTES } from './commitment.js';
import type { KeyPair } from './keys.js';
import { Refused, type MessageOf } from './message.js';
import { packResult } from './participant.js';
import { Role, type Outcome, type Outgoing, type Phase, type RoleData, type Step } from './role.js';
import type { Session } from './session.js';

/** A masked vector as it came. */
export interface Held {
  commitment: string;
  rows: number | null;
  payload: Uint8Array;
}

export interface CollectorData extends RoleData {
  seal: KeyPair;
  releases: Map<string, Held>;
}

export interface CollectorOptions {
  /** Default: sums in JavaScript. */
  arithmetic?: MaskArithmetic;
}

/** How far the present phase is. */
export interface Progress {
  /** How many have answered. */
  have: number;
  /** How many must, before `close` goes on without the others. */
  least: number;
  /** How many can; with all of them it goes on by itself, but in split. */
  most: number;
}

/** Who collects: the analyst of split, the coordinator of a ring. */
export abstract class Collector<D extends CollectorData = CollectorData> extends Role<D> {
  protected readonly keepsMessages = false;
  protected readonly name = 'collector';
  protected readonly arithmetic: MaskArithmetic;

  protected constructor(session: Session, data: D, { arithmetic }: CollectorOptions = {}) {
    super(session, data);
    this.arithmetic = arithmetic ?? plainArithmetic;
  }

  abstract get progress(): Progress;

  /** Whose masked release is here, by pid, with its number of rows; none once the session has ended. */
  get releases(): { pid: string; rows: number | null }[] {
    const held = [...this.data.releases].map(([pid, { rows }]) => ({ pid, rows }));
    return held.sort((a, b) => (a.pid < b.pid ? -1 : 1));
  }

  /**
   * Goes on with those who have answered in this phase.
   * @throws PrivateMomentsError `too-few-releases` where they are not enough, `session-ended` where
   * there is nothing to close. Nothing has happened then.
   */
  close(): Promise<Step> {
    return this.acting(() => {
      const { have, least } = this.progress;
      if (!this.closable()) {
        const message = `in the phase ${this.data.phase} there is nothing to close`;
        throw new PrivateMomentsError('session-ended', message);
      }
      if (have >= least) return this.advance();
      const message = `${have} have answered, and fewer than ${least} are not summed: wait, or abort`;
      throw new PrivateMomentsError('too-few-releases', message);
    });
  }

  /** Gives up: there will be no result, and everybody is told. What was masked stays masked. */
  abort(): Promise<Step> {
    return this.acting(() => this.giveUp('session-aborted'));
  }

  protected abstract closable(): boolean;

  /** From one phase to the next. */
  protected abstract advance(): Promise<Outgoing[]>;

  /** Forgets whatever could still unmask. */
  protected abstract forget(): void;

  /** Checks a masked vector that was opened. @throws Refused */
  protected async hold(message: MessageOf<'masked'>): Promise<Held> {
    const { commitment, rows } = message.header;
    const salted = await this.unseal(message, this.data.seal);
    const [salt, payload] = [salted.subarray(0, SALT_BYTES), salted.subarray(SALT_BYTES)];
    if (payload.length !== this.session.payloadBytes) {
      const reason = `the release has ${payload.length} bytes where the study's have ${this.session.payloadBytes}`;
      throw new Refused('wrong-length', reason);
    }
    if ((await commitmentOf(salt, payload)) === commitment) return { commitment, rows, payload };
    throw new Refused('wrong-commitment', 'the release is not the one it commits to');
  }

  /** Ends with the sum of these, if it can be one. */
  protected async end(participants: string[], total: Uint8Array): Promise<Outgoing[]> {
    const rows = this.#rowsOf(participants);
    if (rows === undefined || !isWithinRange(total)) return this.giveUp('sum-overflow');
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

  /** Null where one of them is private; undefined where they are more than a number can say. */
  #rowsOf(participants: readonly string[]): number | null | undefined {
    let sum = 0;
    for (const pid of participants) {
      const rows = this.data.releases.get(pid)?.rows ?? null;
      if (rows === null) return null;
      sum += rows;
    }
    return Number.isSafeInteger(sum) ? sum : undefined;
  }
}
