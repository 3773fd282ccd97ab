import { PrivateMomentsError } from '../base/errors.js';
import { hashOf } from '../base/binary.js';
import { open, requireSuite, seal, verify, type KeyPair } from './keys.js';
import {
  compose,
  Early,
  headerBytes,
  readMessage,
  Refused,
  type Contents,
  type Message,
  type MessageOf,
  type MessageType,
  type Refusal,
} from './message.js';
import { saveRole } from './saved.js';
import type { Session } from './session.js';

/** Who a message is for: a role, everybody, or one participant by pid. */
export type Recipient = 'analyst' | 'coordinator' | 'helper' | 'all' | (string & {});

export interface Outgoing {
  to: Recipient;
  /** To be carried as it is. */
  message: Uint8Array;
}

/**
 * Where a role stands. Participants: `new`, `joined` (waits for the roster), `roster` (waits for
 * `accept`), `shared`, `released`, `agreed`, `revealed`. Who collects: `joining`, `sharing`,
 * `collecting`, `agreeing`, `revealing`, and of split `closed` (waits for the helper). All end in
 * `done`, or `aborted`; a participant whose release came too late in `left-out`, until there is a
 * result.
 */
export type Phase =
  | ('new' | 'joined' | 'roster' | 'shared' | 'released' | 'agreed' | 'revealed' | 'left-out')
  | ('joining' | 'sharing' | 'collecting' | 'agreeing' | 'revealing' | 'closed')
  | ('done' | 'aborted');

/** What came of one message, or of one call. */
export interface Step {
  /** To be sent, once `save()` was kept: a role that forgot what it sent might contradict itself. */
  send: Outgoing[];
  state: Phase;
  /** Why it was not taken, or one that had waited for it; a refused message changes nothing. */
  refused: Refusal | null;
}

/** The sum over everybody in `participants`, exact modulo 2^64. */
export interface Outcome {
  /** Pids, sorted. */
  participants: string[];
  /** Their rows; null where that number is private. */
  rows: number | null;
  /** Little-endian words, 8 bytes each: the sum of what they masked. */
  total: Uint8Array;
}

/** What every role remembers. */
export interface RoleData {
  phase: Phase;
  sign: KeyPair;
  /** All messages sent, each with the key of the message it answers; '' where it answers none. */
  sent: { to: Recipient; message: Uint8Array; by: string }[];
  /** What was taken, by type and sender: its digest without the signature, and it where it is evidence. */
  taken: Map<string, { digest: string; bytes?: Uint8Array }>;
  /** Signed messages that came before their turn. */
  early: Map<string, Uint8Array>;
  outcome: Outcome | null;
  /** Why there is no result. */
  reason: string | null;
}

/**
 * A state machine: messages in, messages out. It knows no transport and no clock; calls are worked
 * off one after the other. No message makes it throw, and a refused one leaves it as it was.
 */
export abstract class Role<D extends RoleData> {
  readonly session: Session;
  protected readonly data: D;
  /** Whether messages are kept as evidence: those of who collects, who sends few. */
  protected abstract readonly keepsMessages: boolean;
  protected abstract readonly name: string;
  #turn: Promise<unknown> = Promise.resolve();

  protected constructor(session: Session, data: D) {
    this.session = session;
    this.data = data;
  }

  get state(): Phase {
    return this.data.phase;
  }

  /** There once `state` is `done`. */
  get outcome(): Outcome | null {
    return this.data.outcome;
  }

  /** The code of why there will be no result; null while there may be one. */
  get reason(): string | null {
    return this.data.reason;
  }

  /**
   * Takes one message, in whichever order they come; the same one twice is answered as the first
   * time. Rejects only for what happens on this machine: a `mask` that fails.
   */
  receive(bytes: Uint8Array): Promise<Step> {
    return this.inTurn(() => this.#receive(new Uint8Array(bytes)));
  }

  /** Everything sent so far, to be sent again: nobody minds. */
  resend(): Outgoing[] {
    return this.data.sent.map(({ to, message }) => ({ to, message }));
  }

  /** The role as text, for `restore`. It holds secrets: keep it on this machine, and only the last. */
  save(): string {
    return saveRole(this.name, this.session, this.data);
  }

  protected inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(work, work);
    this.#turn = next.catch(() => undefined);
    return next;
  }

  /** Who may send this type; the signature is checked after. @throws Refused */
  protected abstract admit(message: Message): void;

  /** Takes a message that is signed by who may send it. @throws Refused, Early */
  protected abstract handle(message: Message): Promise<Outgoing[]>;

  async #receive(bytes: Uint8Array): Promise<Step> {
    const step = await this.#one(bytes);
    if (step.refused !== null) return step;
    // What came early may have its turn now, and bring on the turn of another.
    for (let before = -1; before !== this.data.early.size;) {
      before = this.data.early.size;
      for (const [key, kept] of this.data.early) {
        const next = await this.#one(kept);
        if (this.data.taken.has(key) || next.refused !== null) this.data.early.delete(key);
        step.send.push(...next.send);
        step.refused ??= next.refused;
      }
    }
    return { ...step, state: this.data.phase };
  }

  async #one(bytes: Uint8Array): Promise<Step> {
    let message: Message;
    try {
      message = readMessage(bytes);
    } catch (error) {
      if (!(error instanceof PrivateMomentsError)) throw error;
      return this.#refusing({ code: error.code, from: null, reason: error.message });
    }
    let from: string | null = null;
    try {
      this.#requireOurs(message);
      const digest = hashOf(message.signed);
      const again = this.#answered(message, digest);
      if (again !== undefined) return this.#taking(again);
      await this.#requireSigned(message);
      from = message.pid;
      return await this.#answer(message, digest);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { code, message: reason, evidence } = error;
      return this.#refusing({
        ...{ code, from, reason },
        ...(evidence === undefined ? {} : { evidence }),
      });
    }
  }

  #requireOurs(message: Message): void {
    if (message.header.session !== this.session.id) {
      throw new Refused(
        'wrong-session',
        'the message belongs to another session, or another attempt',
      );
    }
    this.admit(message);
  }

  /** Reads a message without taking it. @throws Refused, PrivateMomentsError `message-unreadable` */
  protected async look(bytes: Uint8Array): Promise<Message> {
    const message = readMessage(bytes);
    this.#requireOurs(message);
    await this.#requireSigned(message);
    return message;
  }

  async #requireSigned({ key, signature, signed }: Message): Promise<void> {
    if (await verify(this.session.suite, key, signature, signed)) return;
    throw new Refused('bad-signature', 'the message is not what its sender signed');
  }

  /** What was sent for a message with the same content, if one was taken. */
  #answered(message: Message, digest: string): Outgoing[] | undefined {
    const key = this.keyOf(message);
    if (this.data.taken.get(key)?.digest !== digest) return undefined;
    const send = this.data.sent.filter(({ by }) => by === key);
    return send.map(({ to, message: bytes }) => ({ to, message: bytes }));
  }

  async #answer(message: Message, digest: string): Promise<Step> {
    const { data } = this;
    const key = this.keyOf(message);
    const first = data.taken.get(key);
    if (first !== undefined) throw contradicted(message, first.bytes);
    try {
      const send = await this.handle(message);
      data.taken.set(key, { digest, ...(this.keepsMessages ? { bytes: message.bytes } : {}) });
      this.keep(send, key);
      return this.#taking(send);
    } catch (error) {
      if (!(error instanceof Early)) throw error;
      const waiting = data.early.get(key);
      if (waiting !== undefined && hashOf(readMessage(waiting).signed) !== digest) {
        throw contradicted(message, waiting);
      }
      data.early.set(key, message.bytes);
      return this.#taking([]);
    }
  }

  /** Of messages with one key only one is taken. Signatures may differ where the content does not. */
  protected keyOf(message: Message): string {
    return `${message.type}/${message.pid}`;
  }

  #taking(send: Outgoing[]): Step {
    return { send, state: this.data.phase, refused: null };
  }

  #refusing(refused: Refusal): Step {
    return { send: [], state: this.data.phase, refused };
  }

  /** Remembers what is sent. */
  protected keep(send: readonly Outgoing[], by: string): void {
    for (const { to, message } of send) this.data.sent.push({ to, message, by });
  }

  /** A call of this role's owner, as a step; `by` is the message it answers, if it does. */
  protected acting(work: () => Promise<Outgoing[]>, by = ''): Promise<Step> {
    return this.inTurn(async () => {
      const send = await work();
      this.keep(send, by);
      return this.#taking(send);
    });
  }

  protected write<T extends MessageType>(
    type: T,
    contents: Contents[T],
    payload: Uint8Array = new Uint8Array(0),
  ): Promise<Uint8Array> {
    const { suite, id } = this.session;
    const { sign } = this.data;
    return compose(suite, sign, headerBytes(type, id, sign.public, contents), payload);
  }

  /** The same with a payload that only the owner of `to` can read, and only beside this header. */
  protected async writeSealed<T extends MessageType>(
    to: string,
    type: T,
    contents: Contents[T],
    payload: Uint8Array,
  ): Promise<Uint8Array> {
    const { suite, id } = this.session;
    const { sign } = this.data;
    const header = headerBytes(type, id, sign.public, contents);
    const sealed = await seal(suite, to, infoOf(type), header, payload);
    return compose(suite, sign, header, sealed);
  }

  /** The payload of a sealed message. @throws Refused `seal-broken` */
  protected async unseal(message: MessageOf<MessageType>, pair: KeyPair): Promise<Uint8Array> {
    const header = message.signed.subarray(8, message.signed.length - message.payload.length);
    const info = infoOf(message.type);
    const plain = await open(this.session.suite, pair, info, header, message.payload);
    if (plain !== undefined) return plain;
    throw new Refused('seal-broken', 'the sealed part of the message was not sealed to this key');
  }
}

function contradicted({ type, bytes }: Message, first: Uint8Array | undefined): Refused {
  const reason = 'its sender sent something else before; the first one counts';
  const evidence = first === undefined ? undefined : [first, bytes];
  return new Refused(type === 'survivors' ? 'second-set' : 'message-changed', reason, evidence);
}

function infoOf(type: MessageType): string {
  return `pm/v1/${type}`;
}

/** What a new role begins with. */
export function freshData(phase: Phase, sign: KeyPair): RoleData {
  return {
    ...{ phase, sign, sent: [], outcome: null, reason: null },
    taken: new Map(),
    early: new Map(),
  };
}

/** @throws PrivateMomentsError `unsupported-suite`, `invalid-session` */
export async function requireMode(session: Session, modes: readonly string[]): Promise<void> {
  if (!modes.includes(session.mode)) {
    const message = `a session of mode ${session.mode} has no such role`;
    throw new PrivateMomentsError('invalid-session', message, { field: 'mode' });
  }
  await requireSuite(session.suite);
}

/** The session's keys must be those of the role that is being made. */
export function requireOwnKeys(expected: string | undefined, pair: KeyPair, field: string): void {
  if (expected === pair.public) return;
  const message = `these are not the keys the session names as ${field}`;
  throw new PrivateMomentsError('invalid-session', message, { field });
}
