import type { Ledger, Progress, Standing, Study } from 'private-moments';
import type { Outgoing, Session } from 'private-moments/federation';
import { keptRole, withRole } from './kept-roles.js';
import { federation, filesOf, type SessionFile } from './session-files.js';

/** A participant's part in a session: the files that leave, made once. */
export interface Part {
  files: SessionFile[];
  /** Who this is to analyst and helper. */
  pid: string;
  /** When it was made, ISO 8601. */
  at: string;
  /** Name of the data file. */
  from: string;
  /** How many rows it counts; null where that number is private. */
  rows: number | null;
  /** Its entry in the ledger. */
  entry: string | null;
}

/** A part, and whether it was made now; one that was not may be of another file. */
export interface Taken {
  part: Part;
  isNew: boolean;
}

/** Null until there are files: the role was kept before noise is drawn. */
type Notes = Pick<Part, 'at' | 'from' | 'rows' | 'entry'> | null;

/** The part taken from this browser, if one was. @throws PrivateMomentsError `session-unkept` */
export async function keptPart(session: Session): Promise<Part | undefined> {
  const kept = await keptRole<Notes>('participant', session.id);
  if (kept === undefined || kept.notes === null) return undefined;
  const { restoreParticipant } = await federation();
  // Its mask is never asked for again: what it made is among what it sent.
  const role = restoreParticipant(kept.role, { mask: unasked });
  return partOf(session, { ...kept.notes, pid: role.pid }, role.resend());
}

/**
 * Masks the data of a file in a worker and keeps what leaves, before anybody gets it. Where a part was
 * taken already, in another tab, that one is given: noise is drawn once a session.
 * @throws PrivateMomentsError as `maskData` does, and `session-unkept`
 */
export async function takePart(
  study: Study,
  session: Session,
  file: File,
  options: {
    ledger: Ledger;
    standing: Standing | undefined;
    columns: Readonly<Record<string, string>>;
    signal: AbortSignal;
    onEntry: (id: string) => void;
    onProgress: (progress: Progress) => void;
  },
): Promise<Taken> {
  const { createParticipant, maskData, restoreParticipant } = await federation();
  return withRole<Notes, Taken>('participant', session.id, async (kept, keep) => {
    if (kept !== undefined && kept.notes !== null) {
      const role = restoreParticipant(kept.role, { mask: unasked });
      const part = await partOf(session, { ...kept.notes, pid: role.pid }, role.resend());
      return { part, isNew: false };
    }
    let entry: string | null = null;
    let rows: number | null = null;
    const onEntry = (id: string): void => {
      entry = id;
      options.onEntry(id);
    };
    const data = maskData(study, file, { ...options, onEntry });
    const mask: typeof data.mask = async (seeds) => {
      const masked = await data.mask(seeds);
      ({ rows } = masked);
      return masked;
    };
    const role =
      kept === undefined
        ? await createParticipant(session, { mask })
        : restoreParticipant(kept.role, { mask });
    // A browser that keeps nothing is found out here, while nothing has been made.
    await keep({ role: role.save(), study: study.id, notes: null });
    const { send } = await role.start();
    const notes = { at: new Date().toISOString(), from: file.name, rows, entry };
    await keep({ role: role.save(), study: study.id, notes });
    return { part: await partOf(session, { ...notes, pid: role.pid }, send), isNew: true };
  });
}

async function partOf(
  session: Session,
  about: Omit<Part, 'files'>,
  send: readonly Outgoing[],
): Promise<Part> {
  return { ...about, files: await filesOf(session.id, send) };
}

function unasked(): Promise<never> {
  return Promise.reject(new TypeError('a part that was taken is not made again'));
}
