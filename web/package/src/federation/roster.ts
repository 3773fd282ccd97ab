import { hashOf } from '../base/binary.js';
import { publicBytes, verify } from './keys.js';
import { readMessage, Refused, type Message, type MessageOf } from './message.js';
import { isSorted } from './participant.js';
import type { Session } from './session.js';

/** A member of a ring, with the one-time keys that it joined with. */
export interface Member {
  pid: string;
  /** The key for agreeing on masks. */
  mask: string;
  /** The key for encrypting shares; null if the session cannot recover from dropouts. */
  share: string | null;
}

export interface Ring {
  /** SHA-256 of all joins concatenated, with their signatures. */
  digest: string;
  /** Sorted by pid. */
  members: Member[];
}

/** The member that a join describes, if the session admits it. @throws Refused */
export function memberOf(
  session: Session,
  { header, pid, key, payload }: MessageOf<'join'>,
): Member {
  if (!session.admits(key)) {
    throw new Refused('unknown-participant', 'the session does not list this participant');
  }
  const { mask, share = null } = header;
  const needed = session.recovers ? [mask, share] : [mask];
  const areKeys = needed.every(
    (text) => text !== null && publicBytes(session.suite, 'agree', text) !== undefined,
  );
  if (!areKeys || payload.length > 0 || (share !== null) !== session.recovers || mask === share) {
    throw new Refused(
      'message-unreadable',
      'the join message does not have the keys that the session needs',
    );
  }
  return { pid, mask, share };
}

/**
 * Reads a roster and checks every join in it like a message of its own.
 * @throws Refused
 */
export async function readRoster(session: Session, message: MessageOf<'roster'>): Promise<Ring> {
  const joins = cut(message.payload, message.header.joins);
  if (joins.length < session.least || joins.length > session.sites) {
    throw new Refused(
      'wrong-roster',
      'the roster has fewer or more members than the session allows',
    );
  }
  const members: Member[] = [];
  for (const bytes of joins) {
    const join = await readPart(session, bytes, 'join');
    members.push(memberOf(session, join));
  }
  if (!isSorted(members.map(({ pid }) => pid))) {
    throw new Refused('wrong-roster', 'the members of the roster are unsorted or have duplicates');
  }
  if (new Set(members.map(({ mask }) => mask)).size < members.length) {
    throw new Refused('wrong-roster', 'two members of the roster have the same key');
  }
  return { digest: hashOf(message.payload), members };
}

/** Cuts a payload into parts of these lengths. @throws Refused */
export function cut(payload: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  if (lengths.reduce((sum, length) => sum + length, 0) !== payload.length) {
    throw new Refused('wrong-length', 'the parts of the message do not have the stated lengths');
  }
  let at = 0;
  return lengths.map((length) => payload.subarray(at, (at += length)));
}

/** Reads a message inside a message, which has its own signature. @throws Refused */
export async function readPart<T extends Message['type']>(
  session: Session,
  bytes: Uint8Array,
  type: T,
): Promise<MessageOf<T>> {
  let part: Message;
  try {
    part = readMessage(bytes);
  } catch {
    throw new Refused(
      'message-unreadable',
      `a part of the message is not a message of type ${type}`,
    );
  }
  if (part.type !== type || part.header.session !== session.id) {
    throw new Refused(
      'wrong-session',
      `a part of the message is not a message of type ${type} of this session`,
    );
  }
  if (await verify(session.suite, part.key, part.signature, part.signed))
    return part as MessageOf<T>;
  throw new Refused('bad-signature', "a part of the message does not match its sender's signature");
}

/**
 * The context string from which the key of a pair's mask is derived. Members with different rosters have
 * different masks, which do not cancel, so a coordinator that sends different rosters gets only noise.
 */
export function pairInfo(session: Session, group: string, a: string, b: string): string {
  const [low, high] = a < b ? [a, b] : [b, a];
  const kind = session.mode === 'correlated' ? 'gauss' : 'mask';
  return ['pm/v1', kind, session.id, group, low, high, session.attempt].join('|');
}

/** The context string of the key under which `from` encrypts its shares for `to`. */
export function shareInfo(session: Session, roster: string, from: string, to: string): string {
  return ['pm/v1', 'share', session.id, roster, from, to].join('|');
}

/** In each pair the member with the smaller pid adds the mask and the other subtracts it. */
export function pairSign(own: string, other: string): 1 | -1 {
  return own < other ? 1 : -1;
}

/** Identifies the members whose masks are in a release: the roster, and the members that sent shares. */
export function groupOf(roster: string, dealers: readonly string[]): string {
  return hashOf([roster, ...dealers].join('|'));
}

/** A commitment to the seed of a self mask, which does not reveal the seed. */
export function selfCommitment(session: Session, pid: string, seed: Uint8Array): string {
  const digits = hashOf(seed);
  return hashOf(['pm/v1', 'self', session.id, pid, digits].join('|'));
}
