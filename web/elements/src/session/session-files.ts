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

/** Messages as files, with the names that the file transport gives them. */
export async function filesOf(
  session: string,
  messages: readonly Outgoing[],
): Promise<SessionFile[]> {
  const { fileTransport } = await federation();
  const files: SessionFile[] = [];
  for (const { to, message } of messages) {
    const save = (name: string, blob: Blob): void => {
      files.push({ to, name, blob });
    };
    await fileTransport({ session, mailboxes: [], save }).send(to, message);
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
