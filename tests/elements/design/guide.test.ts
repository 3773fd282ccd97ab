import { existsSync } from 'node:fs';
import { nothing } from 'lit';
import { describe, expect, it } from 'vitest';
import { guideLink } from '../../../web/elements/src/controls/guide-link.js';
import type { DesignerForm } from '../../../web/elements/src/design/designer-form.js';
import { emptyDraft } from '../../../web/elements/src/design/draft.js';
import { privacyEditor } from '../../../web/elements/src/design/privacy-editor.js';
import { sourcesIn, textOf } from '../documented.js';
import { said } from '../said.js';

const form = { draft: emptyDraft(), error: () => undefined } as unknown as DesignerForm;
const results = { study: undefined, advice: undefined, guarantee: undefined };

describe('links to the guide', () => {
  it('are on the page only where there is a guide', () => {
    expect(said(privacyEditor(form, results, './docs/'))).toContain(
      'href="./docs/how-to/choose-epsilon-and-delta.html"',
    );
    expect(said(privacyEditor(form, results, ''))).not.toContain('how-to');
    expect(guideLink('', 'how-to/choose-bounds', 'Limits')).toBe(nothing);
  });

  it('lead to pages of docs/', () => {
    const pages = sourcesIn('web/elements/src').flatMap((path) =>
      [...textOf(path).matchAll(/guideLink\([\w.]+, '([^']+)'/g)].map(([, page]) => page),
    );
    expect(pages.length).toBeGreaterThanOrEqual(2);
    for (const page of pages) expect(existsSync(`docs/${page}.md`), page).toBe(true);
  });
});
