import { PrivateMomentsError } from '../../base/errors.js';
import { fromPart, MAX_LINK_CHARACTERS, toPart } from '../../base/link.js';
import { fromBase64, hashLarge, unshared, toBase64 } from '../../base/binary.js';
import { MAX_MESSAGE_BYTES } from '../message.js';
import type { Recipient } from '../role.js';
import {
  addressOf,
  closedError,
  Inbox,
  requireMessage,
  requireTransportOptions,
  requireRecipient,
  type Received,
  type Transport,
  type TransportOptions,
} from './transport.js';

export interface FileTransportOptions extends TransportOptions {
  /** Hands a file to the person who passes it on, usually as a download. */
  save: (name: string, file: Blob) => void | Promise<void>;
}

export interface FileTransport extends Transport {
  /**
   * Adds a file, which is then received like any message. Returns false if it was added before. The name
   * is checked only if it has the form that this transport gives to files.
   * @throws PrivateMomentsError `message-unreadable`, `wrong-session`, `wrong-recipient`,
   * `read-failed`
   */
  add(file: Blob): Promise<boolean>;
}

/**
 * A name made by `fileName`, also after words about the file, and with the suffix that browsers add if the
 * file already exists.
 */
const NAME = /(?:^|-)([0-9a-f]{8})-([0-9a-z]+)-([0-9a-f]{8})(?: ?\(\d+\))?\.pmr$/;
const LINK_KEY = 'pmr';

/**
 * A transport that turns messages into files, which people pass on by email, on a USB stick, or in a
 * shared folder.
 * @throws PrivateMomentsError `invalid-session`, `wrong-recipient`
 */
export function fileTransport(options: FileTransportOptions): FileTransport {
  requireTransportOptions(options, ['save']);
  const { session, mailboxes, save } = options;
  const inbox = new Inbox();
  return {
    async send(to, message) {
      requireRecipient(to);
      requireMessage(message);
      const name = fileName(session, to, await hashLarge(message));
      if (inbox.closed) throw closedError();
      await save(name, new Blob([unshared(message)], { type: 'application/octet-stream' }));
    },
    receive: (signal) => inbox.receive(signal),
    close() {
      inbox.close();
    },
    async add(file) {
      const message = await readFile(file);
      const named = NAME.exec('name' in file ? String(file.name) : '');
      if (named) requireNamed(named, message.id, session, mailboxes);
      return inbox.add(message);
    },
  };
}

/** `<session>-<to>-<id>.pmr`, with the first 8 digits of each id. */
export function fileName(session: string, to: Recipient, id: string): string {
  return `${session.slice(0, 8)}-${short(to)}-${id.slice(0, 8)}.pmr`;
}

/**
 * A link to `page` with a small message in its fragment, which browsers never send to a server.
 * @throws PrivateMomentsError `message-unreadable`, `link-too-large`, `invalid-link`
 */
export function messageToLink(page: string | URL, message: Uint8Array): string {
  requireMessage(message);
  const url = addressOf(page);
  if (url === undefined) {
    const text = 'the address of the page must be absolute';
    throw new PrivateMomentsError('invalid-link', text);
  }
  const packed = toPart(message, toBase64(message));
  if (packed.length > MAX_LINK_CHARACTERS) throw tooLarge();
  url.hash = `${LINK_KEY}=${packed}`;
  return url.href;
}

/**
 * Reads the message in a link from any source.
 * @throws PrivateMomentsError `invalid-link`, `damaged-link`, `link-too-large`, `message-unreadable`
 */
export function messageFromLink(link: string | URL): Uint8Array {
  const text = String(link);
  const hash = text.indexOf('#');
  const packed = new URLSearchParams(hash < 0 ? '' : text.slice(hash + 1)).get(LINK_KEY) ?? '';
  if (packed === '') {
    throw new PrivateMomentsError('invalid-link', 'the link has no message after its #');
  }
  if (packed.length > MAX_LINK_CHARACTERS) throw tooLarge();
  const message = fromPart(packed, fromBase64);
  requireMessage(message);
  return message;
}

async function readFile(file: Blob): Promise<Received> {
  if (!(file instanceof Blob)) {
    throw new PrivateMomentsError('message-unreadable', 'the message must be a File or a Blob');
  }
  if (file.size > MAX_MESSAGE_BYTES) {
    const text = 'the file is too large for a message of a session';
    throw new PrivateMomentsError('message-unreadable', text);
  }
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch (cause) {
    throw new PrivateMomentsError('read-failed', 'the file could not be read', {}, cause);
  }
  requireMessage(bytes);
  return { id: await hashLarge(bytes), bytes };
}

/** Checks the file's name, for early and clear errors. The roles check the contents. */
function requireNamed(
  [, session = '', to = '', id = '']: RegExpExecArray,
  actualId: string,
  ownSession: string,
  mailboxes: readonly Recipient[],
): void {
  if (!ownSession.startsWith(session)) {
    const text = 'the file belongs to another session or to another attempt';
    throw new PrivateMomentsError('wrong-session', text);
  }
  if (!mailboxes.some((mailbox) => short(mailbox) === to)) {
    const text = `the file is for somebody else: ${to}`;
    throw new PrivateMomentsError('wrong-recipient', text);
  }
  if (!actualId.startsWith(id)) {
    const text = 'the file was cut or changed on its way; ask for it again';
    throw new PrivateMomentsError('message-unreadable', text);
  }
}

function short(to: Recipient): string {
  return to.length === 64 ? to.slice(0, 8) : to;
}

function tooLarge(): PrivateMomentsError {
  const text = 'the message is too large for a link; send it as a file';
  return new PrivateMomentsError('link-too-large', text);
}
