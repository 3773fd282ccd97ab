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

/** The recipient of a message: a role, everyone, or one participant by pid. */
export type Recipient = 'analyst' | 'coordinator' | 'helper' | 'all' | (string & {});

export interface Outgoing {
  to: Recipient;
  /** The bytes to send, unchanged. */
  message: Uint8Array;
}

/**
 * The phase of a role. Participants: `new`, `joined` (waits for the roster), `roster` (waits for
 * `accept`), `shared`, `released`, `agreed`, `revealed`. Collectors: `joining`, `sharing`, `collecting`,
 * `agreeing`, `revealing`, and in split `closed` (waits for the helper). All end in `done` or `aborted`.
 * A participant whose release came too late is `left-out` until there is a result.
 */
export type Phase =
  | ('new' | 'joined' | 'roster' | 'shared' | 'released' | 'agreed' | 'revealed' | 'left-out')
  | ('joining' | 'sharing' | 'collecting' | 'agreeing' | 'revealing' | 'closed')
  | ('done' | 'aborted');

/** The effect of one message or call. */
export interface Step {
  /** Messages to send, after storing `save()`: a role that forgot what it sent might contradict itself. */
  send: Outgoing[];
  state: Phase;
  /** Why the message, or one that had waited for it, was refused. A refused message changes nothing. */
  refused: Refusal | null;
}

/** The sum over all `participants`, exact modulo 2^64. */
export interface Outcome {
  /** Pids, sorted. */
  participants: string[];
  /** Their number of rows; null if that number is private. */
  rows: number | null;
  /** The sum of their releases as little-endian words, 8 bytes each. */
  total: Uint8Array;
}

/** The state of every role. */
export interface RoleData {
  phase: Phase;
  sign: KeyPair;
  /** All messages sent, each with the key of the message it answers, or '' if it answers none. */
  sent: { to: Recipient; message: Uint8Array; by: string }[];
  /** Messages taken, by type and sender: the digest without the signature, and the bytes if they are kept as evidence. */
  taken: Map<string, { digest: string; bytes?: Uint8Array }>;
  /** Signed messages that came too early to be taken. */
  early: Map<string, Uint8Array>;
  outcome: Outcome | null;
  /** Why there is no result. */
  reason: string | null;
}

/**
 * A state machine: messages in, messages out. It has no transport and no clock, and handles calls one
 * after another. No message makes it throw; a refused message and a call that fails do not change it.
 */
export abstract class Role<D extends RoleData> {
  readonly session: Session;
  protected readonly data: D;
  /** Whether messages are kept as evidence: only the collector's, as there are few. */
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

  /** The sum once `state` is `done`; null before. */
  get outcome(): Outcome | null {
    return this.data.outcome;
  }

  /** The error code if there will be no result; null while there may be one. */
  get reason(): string | null {
    return this.data.reason;
  }

  /**
   * Takes one message. They may come in any order, and a repeated one gets the same answer again.
   * Rejects only for a failure on this machine, such as that of `mask`; then take the same message again.
   */
  receive(bytes: Uint8Array): Promise<Step> {
    return this.inTurn(() => this.#receive(new Uint8Array(bytes)));
  }

  /** Everything sent so far. Sending it again is harmless. */
  resend(): Outgoing[] {
    return this.data.sent.map(({ to, message }) => ({ to, message }));
  }

  /** The role as text, for `restore`. It holds secrets: keep it on this machine, and keep only the latest. */
  save(): string {
    return saveRole(this.name, this.session, this.data);
  }

  /** Calls `work` once earlier calls have ended. If it fails, the role is as before. */
  protected inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#turn.then(async () => {
      const before = copyOf(this.data);
      try {
        return await work();
      } catch (error) {
        Object.assign(this.data, before);
        throw error;
      }
    });
    this.#turn = next.catch(() => undefined);
    return next;
  }

  /** Checks that the sender may send this type. The signature is checked afterwards. @throws Refused */
  protected abstract admit(message: Message): void;

  /** Takes a message whose sender and signature were checked. @throws Refused, Early */
  protected abstract handle(message: Message): Promise<Outgoing[]>;

  async #receive(bytes: Uint8Array): Promise<Step> {
    const step = await this.#one(bytes);
    if (step.refused !== null) return step;
    // Early messages may be taken now, and each may allow others to be taken.
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
        'the message belongs to another session or to another attempt',
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
    throw new Refused('bad-signature', "the message does not match its sender's signature");
  }

  /** The earlier answers to a message with the same content; undefined if none was taken. */
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

  /** Only one message with each key is taken. Two signatures of the same content may differ. */
  protected keyOf(message: Message): string {
    return `${message.type}/${message.pid}`;
  }

  #taking(send: Outgoing[]): Step {
    return { send, state: this.data.phase, refused: null };
  }

  #refusing(refused: Refusal): Step {
    return { send: [], state: this.data.phase, refused };
  }

  /** Records messages as sent. */
  protected keep(send: readonly Outgoing[], by: string): void {
    for (const { to, message } of send) this.data.sent.push({ to, message, by });
  }

  /** Carries out a call of this role's owner. @param by key of the message that it answers, if any */
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

  /** Like `write`, with a payload that only the owner of `to` can read, and only with this header. */
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
    throw new Refused(
      'seal-broken',
      'the sealed part of the message cannot be opened with this key',
    );
  }
}

function contradicted({ type, bytes }: Message, first: Uint8Array | undefined): Refused {
  const reason = 'its sender sent a different message before; the first one counts';
  const evidence = first === undefined ? undefined : [first, bytes];
  return new Refused(type === 'survivors' ? 'second-set' : 'message-changed', reason, evidence);
}

function infoOf(type: MessageType): string {
  return `pm/v1/${type}`;
}

/** A copy whose lists and maps are its own. What these contain never changes. */
function copyOf<D extends RoleData>(data: D): D {
  const copied = Object.entries(data).map(([name, value]: [string, unknown]) => {
    if (value instanceof Map) return [name, new Map(value)];
    return [name, Array.isArray(value) ? [...(value as unknown[])] : value];
  });
  return Object.fromEntries(copied) as D;
}

/** The state of a new role. */
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
    const message = `this role does not exist in a session of mode ${session.mode}`;
    throw new PrivateMomentsError('invalid-session', message, { field: 'mode' });
  }
  await requireSuite(session.suite);
}

/** Checks that a new role has the keys that the session names. @throws PrivateMomentsError `invalid-session` */
export function requireOwnKeys(expected: string | undefined, pair: KeyPair, field: string): void {
  if (expected === pair.public) return;
  const message = `these are not the keys that the session names as ${field}`;
  throw new PrivateMomentsError('invalid-session', message, { field });
}
