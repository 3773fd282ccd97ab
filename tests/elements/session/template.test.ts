import { defineStudy, inspect } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exampleOf } from '../../../web/elements/src/session/example.js';
import { templateOf } from '../../../web/elements/src/session/template.js';
import { definition } from '../../package/support.js';

describe('an example of a column', () => {
  it.each([
    [18, 90, '54'],
    [0, 1, '1'],
    [0, 4.5, '2.3'],
    [3.5, 9.5, '6.5'],
    [-5, 5, '0'],
    [0, 0.001, '0.0005'],
    [1e9, 1e9 + 0.25, '1000000000.13'],
  ])('with the range %f to %f is %s', (min, max, example) => {
    expect(exampleOf({ name: 'a', type: 'number', min, max })).toBe(example);
  });
});

describe('the template of a study', () => {
  it('has the names and one row that the study can read', async () => {
    const study = defineStudy(definition());
    expect(templateOf(study)).toBe('age,sleep,work,mood\r\n54,6,day,0\r\n');
    const counts = await inspect(study, templateOf(study));
    expect(counts).toMatchObject({ rows: 1, used: 1 });
    expect(counts.columns.every(({ outside }) => outside === 0)).toBe(true);
  });
});
