import { css, html, type TemplateResult } from 'lit';
import type { ReportInput } from 'private-moments/report';
import { codeOf, piecesOf } from '../../package/src/report/code.js';
import { inOrder } from '../../package/src/report/input.js';

/** The lines of code that give the results on the page. */
export function codeFor(results: readonly ReportInput[]): string {
  return codeOf(inOrder(results.filter((result) => 'analysis' in result)));
}

/** The code with its words, strings and comments told apart by weight of ink. */
export function highlighted(code: string): TemplateResult {
  const pieces = piecesOf(code).map(({ text, kind }) =>
    kind === 'plain' ? text : html`<span class=${kind}>${text}</span>`,
  );
  return html`<pre class="code" tabindex="0" role="region" aria-label="Code">${pieces}</pre>`;
}

export const codeStyles = css`
  .code {
    padding: 20px 24px;
    overflow-x: auto;
    border-radius: 8px;
    background: var(--_surface);
    font-family: var(--_font-mono);
    font-size: 13px;
    line-height: 22px;
  }

  .code .quiet {
    color: var(--_ink-3);
  }

  .code .string {
    color: var(--_accent);
  }
`;
