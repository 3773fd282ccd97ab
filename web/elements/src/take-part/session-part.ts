import type { CsvReadOptions, Ledger, Progress, Standing, Study } from 'private-moments';
import type { Outgoing, Session } from 'private-moments/federation';
import { loadRole, withRole } from '../session/saved-roles.js';
import { federation, filesOf, type SessionFile } from '../session/session-files.js';

/** A participant's part in a session: the files that leave, made once. */
export interface Part {
  files: SessionFile[];
  /** The participant's id, by which analyst and helper know it. */
  pid: string;
  /** When it was made, ISO 8601. */
  at: string;
  /** Name of the data file. */
  from: string;
  /** How many rows it counts; null if that number is private. */
  rows: number | null;
  /** Its entry in the ledger. */
  entry: string | null;
}

/** A part, and whether it was made now; an earlier one may come from another file. */
export interface PartResult {
  part: Part;
  isNew: boolean;
}

/** Null until there are files: the role is saved before noise is drawn. */
type Notes = Pick<Part, 'at' | 'from' | 'rows' | 'entry'> | null;

/** The part that this browser made earlier, if any. @throws PrivateMomentsError `session-unkept` */
export async function savedPart(study: Study, session: Session): Promise<Part | undefined> {
  const saved = await loadRole<Notes>('participant', session.id);
  if (saved === undefined || saved.notes === null) return undefined;
  const { restoreParticipant } = await federation();
  // A restored participant resends its messages and never computes its mask again.
  const role = restoreParticipant(saved.role, { mask: refuseMask });
  return partOf(session, study.title, { ...saved.notes, pid: role.pid }, role.resend());
}

/**
 * Masks the data of a file in a worker, and saves the resulting messages before they are shown. If
 * another tab already made a part, that one is returned: noise is drawn once per session.
 * @throws PrivateMomentsError as `maskData` does, and `session-unkept`
 */
export async function takePart(
  study: Study,
  session: Session,
  file: File,
  options: {
    ledger: Ledger;
    standing: Standing | undefined;
    columns?: Readonly<Record<string, string>>;
    csv?: CsvReadOptions;
    missingValues?: readonly string[];
    signal: AbortSignal;
    onEntry: (id: string) => void;
    onProgress: (progress: Progress) => void;
  },
): Promise<PartResult> {
  const { createParticipant, maskData, restoreParticipant } = await federation();
  return withRole<Notes, PartResult>('participant', session.id, async (saved, persist) => {
    if (saved !== undefined && saved.notes !== null) {
      const role = restoreParticipant(saved.role, { mask: refuseMask });
      const part = await partOf(
        session,
        study.title,
        { ...saved.notes, pid: role.pid },
        role.resend(),
      );
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
      saved === undefined
        ? await createParticipant(session, { mask })
        : restoreParticipant(saved.role, { mask });
    // Fails here, before anything is made, if the browser cannot store the role.
    await persist({ role: role.save(), study: study.id, notes: null });
    const { send } = await role.start();
    const notes = { at: new Date().toISOString(), from: file.name, rows, entry };
    await persist({ role: role.save(), study: study.id, notes });
    return {
      part: await partOf(session, study.title, { ...notes, pid: role.pid }, send),
      isNew: true,
    };
  });
}

async function partOf(
  session: Session,
  study: string,
  about: Omit<Part, 'files'>,
  send: readonly Outgoing[],
): Promise<Part> {
  return { ...about, files: await filesOf({ id: session.id, study }, send) };
}

function refuseMask(): Promise<never> {
  return Promise.reject(
    new TypeError('a participant with a saved part must not mask its data again'),
  );
}
