import {
  LitElement,
  css,
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type TemplateResult,
} from 'lit';
import type { Study } from 'private-moments';
import type { Recipient, Session } from 'private-moments/federation';
import { describe } from './failure.js';
import { withRole, type RoleName } from './kept-roles.js';
import { notice, noticeStyles } from './notice.js';
import { fileList, fileListStyles, type Handed } from './session-file-list.js';
import { federation, messageIn, type SessionFile } from './session-files.js';
import { messageTableStyles, type Brought } from './session-table.js';
import { styles } from './styles.js';

/** A role of a session as it is kept: how it comes back, or begins, and where it is shown. */
interface Part<Role, Notes> {
  name: RoleName;
  study: Study;
  session: Session;
  restore: (saved: string) => Role;
  /** Where nothing was kept. */
  create: () => Promise<{ role: Role; notes: Notes }>;
  show: (role: Role, notes: Notes) => Promise<void>;
}

/** A message that somebody brought as a file: what kind it is, and whose. */
export interface Heard {
  file: File;
  bytes: Uint8Array;
  type: string;
  pid: string;
}

/** What the collector and the helper of a session by hand have in common: files in, files out, mishaps. */
export abstract class SessionRole extends LitElement {
  static override properties: PropertyDeclarations = {
    refused: { state: true },
    problem: { state: true },
  };

  static override styles: CSSResultGroup = [
    styles,
    noticeStyles,
    fileListStyles,
    messageTableStyles,
    css`
      h2 {
        margin-bottom: 6px;
      }

      .step,
      .table {
        margin-top: 28px;
      }

      pm-drop-zone {
        --pm-drop-zone-height: 180px;
        margin-top: 20px;
      }
    `,
  ];

  declare refused: readonly Brought[];
  declare problem: string;
  /** The session that is open. */
  protected abstract readonly shown: { readonly session: Session } | undefined;

  constructor() {
    super();
    this.refused = [];
    this.problem = '';
  }

  /** Whether it is shown still: what comes late of a session is not told in another. */
  protected isOpen(session: Session): boolean {
    return this.shown?.session.id === session.id;
  }

  protected refuse(
    session: Session,
    file: File,
    refusal: string,
    who: Pick<Brought, 'pid' | 'again'> = {},
  ): void {
    if (!this.isOpen(session)) return;
    const { name, size: bytes } = file;
    this.refused = [...this.refused, { name, bytes, refusal, ...who }];
  }

  /** Shows why where it fails, unless the page is about something else by then. */
  protected async attempt(
    work: () => Promise<void>,
    isStillShown: () => boolean = () => true,
  ): Promise<void> {
    this.problem = '';
    try {
      await work();
    } catch (error) {
      if (isStillShown()) this.problem = describe(error);
    }
  }

  protected failed(): TemplateResult | typeof nothing {
    if (this.problem === '') return nothing;
    return html`<div class="step">
      ${notice({ kind: 'bad', title: 'This did not work.', body: this.problem })}
    </div>`;
  }

  /** Works on a role as it was kept last, and keeps it before anything of it is shown or handed out. */
  protected async work<Role extends { save(): string }, Notes>(
    { name, study, session, restore, create, show }: Part<Role, Notes>,
    work: (role: Role, notes: Notes) => Promise<void>,
  ): Promise<void> {
    await withRole<Notes, unknown>(name, session.id, async (kept, keep) => {
      const { role, notes } =
        kept === undefined ? await create() : { role: restore(kept.role), notes: kept.notes };
      await work(role, notes);
      await keep({ role: role.save(), study: study.id, notes });
      await show(role, notes);
    });
  }

  /** The messages in these files; a file that is none of this session, or for somebody else, is refused. */
  protected async *hear(
    session: Session,
    mailboxes: readonly Recipient[],
    files: readonly File[],
  ): AsyncGenerator<Heard> {
    const { inspectMessage } = await federation();
    for (const file of files) {
      let heard: Heard;
      try {
        const bytes = await messageIn(session.id, mailboxes, file);
        const { type, from: pid } = inspectMessage(bytes);
        heard = { file, bytes, type, pid };
      } catch (error) {
        this.refuse(session, file, describe(error));
        continue;
      }
      yield heard;
    }
  }

  /** A file for the other role, once there is one. */
  protected outgoing(
    file: SessionFile | undefined,
    about: Omit<Handed, 'file'>,
  ): TemplateResult | typeof nothing {
    return file === undefined
      ? nothing
      : html`<div class="step">${fileList([{ file, ...about }])}</div>`;
  }

  protected async focusOn(selector: string): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }
}
