import { css, html, type TemplateResult } from 'lit';
import type { ReportInput } from 'private-moments/report';
import { inOrder, piecesOf } from 'private-moments/internal';
import { codeOf } from 'private-moments/words';

/** Code that computes the results on the page. */
export function codeFor(results: readonly ReportInput[]): string {
  return codeOf(inOrder(results.filter((result) => 'analysis' in result)));
}

/** The language of a code sample. */
export type Language = 'typescript' | 'python' | 'r';

/** The code with keywords, strings and comments highlighted. */
export function highlighted(code: string, language: Language = 'typescript'): TemplateResult {
  const all = language === 'typescript' ? piecesOf(code) : piecesOfScript(code);
  const pieces = all.map(({ text, kind }) =>
    kind === 'plain' ? text : html`<span class=${kind}>${text}</span>`,
  );
  return html`<pre class="code" tabindex="0" role="region" aria-label="Code">${pieces}</pre>`;
}

function piecesOfScript(code: string): ReturnType<typeof piecesOf> {
  const pieces = code.split(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#.*$)/m);
  return pieces.map((text) => {
    const kind = text.startsWith('#') ? 'quiet' : /^["']/.test(text) ? 'string' : 'plain';
    return { text, kind };
  });
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
