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
import { describe } from '../base/failure.js';
import { withRole, type RoleName } from './saved-roles.js';
import { notice, noticeStyles } from '../controls/notice.js';
import { fileList, fileListStyles, type ListedFile } from './session-file-list.js';
import { federation, messageIn, type SessionFile } from './session-files.js';
import { messageTableStyles, type AddedFile } from './session-table.js';
import { splitLanesStyles } from './split-lanes.js';
import { styles } from '../look/styles.js';

/** How to restore or create a role of a session, and how to show it. */
interface Part<Role, Notes> {
  name: RoleName;
  study: Study;
  session: Session;
  restore: (saved: string) => Role;
  /** Makes a new role if none was saved. */
  create: () => Promise<{ role: Role; notes: Notes }>;
  show: (role: Role, notes: Notes) => Promise<void>;
}

/** A message read from a file, with its type and sender. */
export interface ReadMessage {
  file: File;
  bytes: Uint8Array;
  type: string;
  pid: string;
}

/** What the pages of a session's collector and helper share: files in, files out, and errors. */
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
    splitLanesStyles,
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

  declare refused: readonly AddedFile[];
  declare problem: string;
  /** The session that is open. */
  protected abstract readonly shown: { readonly session: Session } | undefined;

  constructor() {
    super();
    this.refused = [];
    this.problem = '';
  }

  /** Whether the session is still on the page; results that come later are dropped. */
  protected isOpen(session: Session): boolean {
    return this.shown?.session.id === session.id;
  }

  protected refuse(
    session: Session,
    file: File,
    refusal: string,
    who: Pick<AddedFile, 'pid' | 'again'> = {},
  ): void {
    if (!this.isOpen(session)) return;
    const { name, size: bytes } = file;
    this.refused = [...this.refused, { name, bytes, refusal, ...who }];
  }

  /** Does the work, and shows its error unless the page shows something else by then. */
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

  /** Works on the saved role, and saves it again before anything of it is shown or handed out. */
  protected async work<Role extends { save(): string }, Notes>(
    { name, study, session, restore, create, show }: Part<Role, Notes>,
    work: (role: Role, notes: Notes) => Promise<void>,
  ): Promise<void> {
    await withRole<Notes, unknown>(name, session.id, async (saved, persist) => {
      const { role, notes } =
        saved === undefined ? await create() : { role: restore(saved.role), notes: saved.notes };
      await work(role, notes);
      await persist({ role: role.save(), study: study.id, notes });
      await show(role, notes);
    });
  }

  /** Reads the messages in these files; refuses files of other sessions or for other receivers. */
  protected async *readMessages(
    session: Session,
    mailboxes: readonly Recipient[],
    files: readonly File[],
  ): AsyncGenerator<ReadMessage> {
    const { inspectMessage } = await federation();
    for (const file of files) {
      let message: ReadMessage;
      try {
        const bytes = await messageIn(session.id, mailboxes, file);
        const { type, from: pid } = inspectMessage(bytes);
        message = { file, bytes, type, pid };
      } catch (error) {
        this.refuse(session, file, describe(error));
        continue;
      }
      yield message;
    }
  }

  /** A file for the other role, once there is one. */
  protected outgoing(
    file: SessionFile | undefined,
    about: Omit<ListedFile, 'file'>,
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
