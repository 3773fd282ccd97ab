import {
  LitElement,
  css,
  html,
  nothing,
  type CSSResultGroup,
  type PropertyDeclarations,
  type TemplateResult,
} from 'lit';
import { describe } from './failure.js';
import { notice, noticeStyles } from './notice.js';
import { fileList, fileListStyles, type Handed } from './session-file-list.js';
import type { SessionFile } from './session-files.js';
import { messageTableStyles, type Brought } from './session-table.js';
import { styles } from './styles.js';

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

  constructor() {
    super();
    this.refused = [];
    this.problem = '';
  }

  protected refuse(file: File, refusal: string, who: Pick<Brought, 'pid' | 'again'> = {}): void {
    const { name, size: bytes } = file;
    this.refused = [...this.refused, { name, bytes, refusal, ...who }];
  }

  /** Shows why where it fails. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    this.problem = '';
    try {
      await work();
    } catch (error) {
      this.problem = describe(error);
    }
  }

  protected failed(): TemplateResult | typeof nothing {
    if (this.problem === '') return nothing;
    return html`<div class="step">
      ${notice({ kind: 'bad', title: 'This did not work.', body: this.problem })}
    </div>`;
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
