import { nothing } from 'lit';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../web/elements/src/base/answer.js';
import type { Proposal } from '../../../web/elements/src/design/designer-protocol.js';
import { ExampleBox } from '../../../web/elements/src/design/example-box.js';
import { said } from '../said.js';

const column = { name: 'age', type: 'number', min: 0, max: 100, from: 'rounded outward' } as const;

/** A box whose answers the test controls. */
function boxWithFile() {
  const answers: ((answer: Answer<Proposal>) => void)[] = [];
  const used: Proposal[] = [];
  const box = new ExampleBox(
    { requestUpdate: () => undefined },
    {
      propose: () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
      use: (proposal) => used.push(proposal),
      focus: () => undefined,
    },
  );
  return { box, answers, used };
}

const answer = { value: { columns: [column], rows: 2, leftOut: [] } };

describe('the box of an example file', () => {
  it('can be closed while the file is read, and a late proposal does not open it again', async () => {
    const { box, answers } = boxWithFile();
    box.start();
    const reading = box.read(new File(['age'], 'example.csv'));
    expect(said(box.render())).toMatch(/Reading example\.csv[^]*Cancel/);
    box.close();
    answers[0]?.(answer);
    await reading;
    expect(box.isOpen).toBe(false);
    expect(box.render()).toBe(nothing);
  });

  it('shows the proposal from the file chosen last', async () => {
    const { box, answers } = boxWithFile();
    box.start();
    const first = box.read(new File(['age'], 'first.csv'));
    box.close();
    box.start();
    const second = box.read(new File(['age'], 'second.csv'));
    answers[1]?.(answer);
    answers[0]?.({ error: 'too late' });
    await Promise.all([first, second]);
    const shown = said(box.render());
    expect(shown).toContain('1 column from second.csv');
    expect(shown).not.toContain('too late');
  });

  it('says which columns it leaves out, and why', async () => {
    const { box, answers } = boxWithFile();
    const reading = box.read(new File(['age'], 'example.csv'));
    const leftOut = [{ name: 'patient_id', why: 'identifies rows' }];
    answers[0]?.({ value: { columns: [column], rows: 2, leftOut } });
    await reading;
    expect(said(box.render())).toContain('Left out: patient_id (identifies rows).');
    expect(said(box.render())).toContain('rounded outward');
  });

  it('says why there is no proposal, and accepts another file', async () => {
    const { box, answers } = boxWithFile();
    const reading = box.read(new File(['age'], 'first.csv'));
    answers[0]?.({ error: 'The example file has no rows.' });
    await reading;
    expect(said(box.render())).toContain('The example file has no rows.');
    expect(said(box.render())).toContain('Drop the example here');
  });
});
