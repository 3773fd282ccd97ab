import { describe, expect, it } from 'vitest';
import type { DesignerForm } from '../../../web/elements/src/design/designer-form.js';
import { emptyDraft } from '../../../web/elements/src/design/draft.js';
import { leversOf } from '../../../web/elements/src/design/forecast/levers.js';
import { modesEditor } from '../../../web/elements/src/design/sites-editor.js';
import { said } from '../said.js';

describe('the choice of how noise is shared', () => {
  it('says that independent sites still trust their own computer and the page', () => {
    const form = { draft: emptyDraft(), error: () => undefined } as unknown as DesignerForm;
    const results = { noise: [], modes: '', guarantee: undefined, helpPage: '' };
    expect(said(modesEditor(form, results))).toMatch(
      /has to trust its own computer and the page it loaded, and nobody else/,
    );
    const [column] = emptyDraft().columns;
    if (column === undefined) throw new Error('no column');
    const columns = ['a', 'b'].map((name, i) => ({
      ...column,
      key: i + 1,
      name,
      min: '0',
      max: '1',
    }));
    const lever = leversOf({ ...emptyDraft(), columns, mode: 'split' }).find(
      ({ id }) => id === 'independent',
    );
    expect(lever?.asks).toMatch(/only its own computer and the page it loaded/);
  });
});
