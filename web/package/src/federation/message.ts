import { canonicalJson } from '../base/canonical.js';
import { checker } from '../base/check.js';
import { PrivateMomentsError, type ErrorCode } from '../base/errors.js';
import { concat, utf8 } from '../base/binary.js';
import {
  pidOf,
  publicBytes,
  sign,
  SIGNATURE_BYTES,
  SUITES,
  type KeyPair,
  type Suite,
} from './keys.js';

/** The contents of each type of message, besides sender and session. Sizes are in bytes. */
export interface Contents {
  /** Split, participant to helper. Sealed payload: the seed of the mask. */
  seed: { commitment: string };
  /** Participant to analyst or coordinator; `group` only in a ring. Sealed payload: salt, 32, and the masked vector. */
  masked: { commitment: string; rows: number | null; group?: string };
  /** Analyst to helper. Sealed payload: pid and commitment, 32 + 32, of each masked vector received. */
  close: { releases: number };
  /** Helper to analyst. Sealed payload: the pids summed, 32 each, and the sum of their masks. */
  masks: { releases: number; close: string };
  /** Helper to analyst: it has seeds of too few of the releases. */
  short: { releases: number; close: string };
  /** Participant to coordinator: one-time keys. */
  join: { mask: string; share?: string };
  /** Coordinator to all. Payload: the joins unchanged; `joins` are their lengths. */
  roster: { joins: number[] };
  /** Participant to coordinator. Payload: two encrypted shares for each other member of the roster. */
  shares: { roster: string; self: string };
  /** Coordinator to one participant. Payload: the shares for it from each other dealer. */
  deal: { roster: string; dealers: string[] };
  /** Coordinator to the dealers: the pids whose masked vectors it has. */
  survivors: { group: string; survivors: string[] };
  /** Participant to coordinator: the digest of the set of survivors that it received. */
  agree: { group: string; survivors: string };
  /** Coordinator to survivors. Payload: enough messages `agree`; `agrees` are their lengths. */
  agreed: { group: string; survivors: string; agrees: number[] };
  /** Participant to coordinator. Sealed payload: one share of each dealer, 33 each. */
  reveal: { group: string; survivors: string };
  /** Analyst or coordinator to all. Payload: the pids, 32 each, and the sum, 8 a word. */
  result: { releases: number; rows: number | null };
  /** Analyst or coordinator to all: there will be no result. */
  abort: { reason: string };
}

export type MessageType = keyof Contents;

type Header<T extends MessageType> = { type: T; session: string; key: string } & Contents[T];

/** A message as read. Its sender is certain only after the signature was checked. */
export type Message = {
  [T in MessageType]: {
    readonly type: T;
    readonly header: Header<T>;
    readonly payload: Uint8Array;
    /** The suite of `key`. */
    readonly suite: Suite;
    /** The signing key that the header names. */
    readonly key: string;
    /** The id of the owner of `key`. */
    readonly pid: string;
    /** The signed bytes: everything before the signature. */
    readonly signed: Uint8Array;
    readonly signature: Uint8Array;
    readonly bytes: Uint8Array;
  };
}[MessageType];

export type MessageOf<T extends MessageType> = Extract<Message, { type: T }>;

const MAGIC = utf8('PMR2');
/** The start of messages of an earlier version, whose commitments had no salt. */
const OLD_MAGIC = utf8('PMR1');
const MAX_HEADER_BYTES = 1 << 20;
/** A masked vector of 1000 features is 4 MB; the joins of 1000 sites are 0.5 MB. */
export const MAX_MESSAGE_BYTES = 1 << 28;
const MOST_ITEMS = 1 << 16;

const check = checker('message-unreadable');

const DIGEST = /^[0-9a-f]{64}$/;

function digestIn(value: unknown, field: string): string {
  if (typeof value === 'string' && DIGEST.test(value)) return value;
  throw unreadable(`${field} must be 64 hexadecimal digits`);
}

function listIn<T>(value: unknown, field: string, read: (item: unknown) => T): T[] {
  const list = check.list(value, field);
  if (list.length > MOST_ITEMS) throw unreadable(`${field} is too long`);
  return list.map(read);
}

const digests = (value: unknown, field: string): string[] =>
  listIn(value, field, (item) => digestIn(item, field));
const lengths = (value: unknown, field: string): number[] =>
  listIn(value, field, (item) => check.wholeNumber(item, field, 1, MAX_MESSAGE_BYTES));
const rows = (value: unknown): number | null =>
  value === null ? null : check.wholeNumber(value, 'rows', 0);
const count = (value: unknown): number => check.wholeNumber(value, 'releases', 0);

type Fields = Record<string, unknown>;

const READ: { readonly [T in MessageType]: (fields: Fields) => Contents[T] } = {
  seed: ({ commitment }) => ({ commitment: digestIn(commitment, 'commitment') }),
  masked: ({ commitment, group, ...fields }) => ({
    commitment: digestIn(commitment, 'commitment'),
    rows: rows(fields.rows),
    ...(group === undefined ? {} : { group: digestIn(group, 'group') }),
  }),
  close: ({ releases }) => ({ releases: count(releases) }),
  masks: ({ releases, close }) => ({ releases: count(releases), close: digestIn(close, 'close') }),
  short: ({ releases, close }) => ({ releases: count(releases), close: digestIn(close, 'close') }),
  join: ({ mask, share }) => ({
    mask: check.text(mask, 'mask'),
    ...(share === undefined ? {} : { share: check.text(share, 'share') }),
  }),
  roster: ({ joins }) => ({ joins: lengths(joins, 'joins') }),
  shares: ({ roster, self }) => ({
    roster: digestIn(roster, 'roster'),
    self: digestIn(self, 'self'),
  }),
  deal: ({ roster, dealers }) => ({
    roster: digestIn(roster, 'roster'),
    dealers: digests(dealers, 'dealers'),
  }),
  survivors: ({ group, survivors }) => ({
    group: digestIn(group, 'group'),
    survivors: digests(survivors, 'survivors'),
  }),
  agree: ({ group, survivors }) => ({
    group: digestIn(group, 'group'),
    survivors: digestIn(survivors, 'survivors'),
  }),
  agreed: ({ group, survivors, agrees }) => ({
    group: digestIn(group, 'group'),
    survivors: digestIn(survivors, 'survivors'),
    agrees: lengths(agrees, 'agrees'),
  }),
  reveal: ({ group, survivors }) => ({
    group: digestIn(group, 'group'),
    survivors: digestIn(survivors, 'survivors'),
  }),
  result: ({ releases, ...fields }) => ({ releases: count(releases), rows: rows(fields.rows) }),
  abort: ({ reason }) => ({ reason: check.text(reason, 'reason') }),
};

const TYPES = Object.keys(READ) as MessageType[];

/** The bytes of a header. A sealed payload is bound to them. */
export function headerBytes<T extends MessageType>(
  type: T,
  session: string,
  key: string,
  contents: Contents[T],
): Uint8Array {
  return utf8(canonicalJson({ type, session, key, ...contents }));
}

/** Assembles and signs a message. */
export async function compose(
  suite: Suite,
  signer: KeyPair,
  header: Uint8Array,
  payload: Uint8Array,
): Promise<Uint8Array> {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, header.length, true);
  const signed = concat([MAGIC, length, header, payload]);
  return concat([signed, await sign(suite, signer, signed)]);
}

/**
 * Reads a message without checking its signature, which needs the session.
 * @throws PrivateMomentsError `message-unreadable`
 */
export function readMessage(bytes: Uint8Array): Message {
  if (!(bytes instanceof Uint8Array)) throw unreadable('it is not bytes');
  if (bytes.length < 8 + SIGNATURE_BYTES) throw unreadable('it is too short');
  if (bytes.length > MAX_MESSAGE_BYTES) throw unreadable('it is too large');
  if (OLD_MAGIC.every((byte, at) => byte === bytes[at])) {
    throw unreadable(
      'it was made by an earlier version. Everyone in a session needs the same version; begin a new session',
    );
  }
  if (!MAGIC.every((byte, at) => byte === bytes[at]))
    throw unreadable('it does not begin with PMR2');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headerLength = view.getUint32(4, true);
  const payloadAt = 8 + headerLength;
  const signatureAt = bytes.length - SIGNATURE_BYTES;
  if (headerLength > MAX_HEADER_BYTES || payloadAt > signatureAt)
    throw unreadable('it ends too early');
  const { type, session, key, ...fields } = readHeader(bytes.subarray(8, payloadAt));
  const kind = check.oneOf(type, 'type', TYPES);
  const signer = readKey(key);
  const contents = READ[kind](fields);
  const header = {
    type: kind,
    session: digestIn(session, 'session'),
    key: signer.key,
    ...contents,
  } as Message['header'];
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(contents, name))
      throw unreadable(`its header has an unknown key: ${name.slice(0, 40)}`);
  }
  return {
    type: kind,
    header,
    payload: bytes.subarray(payloadAt, signatureAt),
    ...signer,
    pid: pidOf(signer.key),
    signed: bytes.subarray(0, signatureAt),
    signature: bytes.subarray(signatureAt),
    bytes,
  } as Message;
}

/** What a carrier needs to sort messages. The signature is not checked. */
export function inspectMessage(bytes: Uint8Array): { type: string; session: string; from: string } {
  const { type, header, pid } = readMessage(bytes);
  return { type, session: header.session, from: pid };
}

function readHeader(bytes: Uint8Array): Fields {
  let json: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw unreadable('its header is not JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw unreadable('its header is not an object');
  }
  // Each header has exactly one text, so that the signed text is the one that was read.
  if (canonicalOrNot(json) !== text) throw unreadable('its header is not canonical JSON');
  return json as Fields;
}

/** Undefined if there is no canonical form, as for a lone surrogate written as an escape. */
function canonicalOrNot(json: object): string | undefined {
  try {
    return canonicalJson(json);
  } catch {
    return undefined;
  }
}

function readKey(value: unknown): { key: string; suite: Suite } {
  const key = check.text(value, 'key');
  const suite = SUITES.find((candidate) => publicBytes(candidate, 'sign', key) !== undefined);
  if (suite === undefined) throw unreadable('its key is not a signing key');
  return { key, suite };
}

function unreadable(why: string): PrivateMomentsError {
  return new PrivateMomentsError(
    'message-unreadable',
    `this is not a message of a session: ${why}`,
  );
}

/** Why a message was refused. */
export interface Refusal {
  code: ErrorCode;
  /** The pid of the signer; null if it could not be determined. */
  from: string | null;
  /** What is wrong, in words. */
  reason: string;
  /** Signed messages that contradict each other: evidence against their signer. */
  evidence?: Uint8Array[];
}

/** Thrown and caught inside a role: the message is invalid and changed nothing. */
export class Refused extends Error {
  constructor(
    readonly code: ErrorCode,
    reason: string,
    readonly evidence?: Uint8Array[],
  ) {
    super(reason);
  }
}

/** Thrown and caught inside a role: the message came too early and is kept until others have come. */
export class Early extends Error {}

export function late(): Refused {
  return new Refused('message-late', 'it came after its phase was closed and was not opened');
}

export function ended(): Refused {
  return new Refused('session-ended', 'the session has ended');
}

export function unexpected(type: string): Refused {
  return new Refused('wrong-recipient', `a message of type ${type} is for somebody else`);
}
