import type { Outgoing, Recipient } from 'private-moments/federation';

/** A message as a file, for people to send. */
export interface SessionFile {
  to: Recipient;
  name: string;
  blob: Blob;
}

/** Loads the federation module, which only sessions need. */
export function federation(): Promise<typeof import('private-moments/federation')> {
  return import('private-moments/federation');
}

/** Whether the first bytes of a file are those of a message of any version. */
export async function isMessage(file: Blob): Promise<boolean> {
  try {
    return /^PMR\d$/.test(await file.slice(0, 4).text());
  } catch {
    return false;
  }
}

/** What messages are, in the order of the steps of a session. */
const CONTENTS: Record<string, string> = {
  masked: '3-masked-sums',
  seed: '3-mask-seeds',
  close: '4-request',
  masks: '5-answer',
  short: '5-too-few-seeds',
  abort: 'session-is-over',
};

const LONGEST_TITLE = 40;

/** Letters and digits of a title, for the name of a file. */
export function slug(title: string): string {
  const words = title.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const joined = words.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, LONGEST_TITLE);
  return joined.replaceAll(/^-+|-+$/g, '') || 'study';
}

/**
 * Messages as files. Their names say which study, step and site they are from; the end of a name is the one
 * that the file transport gives it, and checks.
 */
export async function filesOf(
  { id, study }: { id: string; study: string },
  messages: readonly Outgoing[],
): Promise<SessionFile[]> {
  const { fileTransport, inspectMessage } = await federation();
  const files: SessionFile[] = [];
  for (const { to, message } of messages) {
    const { type, from } = inspectMessage(message);
    const isFromSite = type === 'masked' || type === 'seed';
    const about = [
      slug(study),
      CONTENTS[type] ?? type,
      ...(isFromSite ? [`site-${from.slice(0, 8)}`] : []),
    ];
    const save = (name: string, blob: Blob): void => {
      files.push({ to, name: `${about.join('-')}-${name}`, blob });
    };
    await fileTransport({ session: id, mailboxes: [], save }).send(to, message);
  }
  return files;
}

/**
 * The message in a file.
 * @throws PrivateMomentsError `message-unreadable`, `wrong-session`, `wrong-recipient`, `read-failed`
 */
export async function messageIn(
  session: string,
  mailboxes: readonly Recipient[],
  file: File,
): Promise<Uint8Array> {
  const { fileTransport } = await federation();
  const transport = fileTransport({ session, mailboxes, save: () => undefined });
  await transport.add(file);
  for await (const { bytes } of transport.receive()) return bytes;
  return new Uint8Array(0);
}

/** The first digits of a participant's id, in two groups, for people to compare. */
export function shortId(pid: string): string {
  return `${pid.slice(0, 4)} ${pid.slice(4, 8)}`;
}
