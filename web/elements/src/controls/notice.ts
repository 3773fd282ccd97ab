import { css, html, nothing, type TemplateResult } from 'lit';
import { doneRing, stopRing, warning } from '../look/icons.js';

export type NoticeKind = 'bad' | 'warn' | 'stopped' | 'done';

export interface Notice {
  kind: NoticeKind;
  /** What happened. */
  title: string;
  /** Where, and what it means. */
  body?: unknown;
  /** Buttons for the next step. */
  actions?: unknown;
}

const icons = { bad: warning, warn: warning, stopped: stopRing, done: doneRing };

/** What happened, where, and the next step. Only a refusal interrupts a screen reader. */
export function notice({ kind, title, body, actions }: Notice): TemplateResult {
  return html`<div class="notice ${kind}" role=${kind === 'bad' ? 'alert' : 'status'}>
    ${icons[kind]}
    <div>
      <p class="notice-title">${title}</p>
      ${body === undefined ? nothing : html`<div class="help">${body}</div>`}
      ${actions === undefined ? nothing : html`<div class="actions">${actions}</div>`}
    </div>
  </div>`;
}

export const noticeStyles = css`
  .notice {
    display: grid;
    grid-template-columns: 20px minmax(0, 1fr);
    gap: 12px;
  }

  .notice > svg {
    margin-top: 3px;
  }

  .notice.bad,
  .notice.warn {
    padding: 4px 0 4px 16px;
    border-left: 3px solid var(--_bad);
  }

  .notice.warn {
    border-left-color: var(--_warn);
  }

  .notice.bad > svg {
    color: var(--_bad);
  }

  .notice.warn > svg {
    color: var(--_warn);
  }

  .notice.done > svg {
    color: var(--_accent);
  }

  .notice.stopped > svg {
    color: var(--_ink-3);
  }

  .notice-title {
    font-weight: 600;
  }

  .notice.done .notice-title {
    font-weight: 400;
  }

  .notice .help {
    margin-top: 2px;
  }

  .notice .actions {
    margin-top: 16px;
  }
`;
