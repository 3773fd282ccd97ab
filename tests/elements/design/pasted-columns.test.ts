import { describe, expect, it } from 'vitest';
import { emptyDraft } from '../../../web/elements/src/design/draft.js';
import {
  pastedColumns,
  pastedInWords,
  withPasted,
} from '../../../web/elements/src/design/pasted-columns.js';

const block = (...rows: string[][]): string => rows.map((cells) => cells.join('\t')).join('\r\n');

function names(text: string): string[] | undefined {
  const pasted = pastedColumns(text);
  return pasted !== undefined && 'columns' in pasted
    ? pasted.columns.map(({ name }) => name)
    : undefined;
}

describe('cells pasted into the columns of a study', () => {
  it('are names, in a row or in a column', () => {
    expect(names(block(['age', 'bmi', 'sleep h']))).toEqual(['age', 'bmi', 'sleep h']);
    expect(names('age\nbmi\n\n')).toEqual(['age', 'bmi']);
    expect(names('Name\nage\nbmi\n')).toEqual(['age', 'bmi']);
  });

  it('are left to the field if they are one text', () => {
    for (const text of ['', 'age', 'age\n', 'age, bmi', '\t\t\n']) {
      expect(pastedColumns(text), JSON.stringify(text)).toBeUndefined();
    }
  });

  it('may be a table with headings in any order, some of which are not used', () => {
    const pasted = pastedColumns(
      block(
        ['Unit', 'Variable', 'Meaning', 'Min', 'Max', 'mean', 'Levels', 'View', 'min'],
        ['years', 'age', 'Age', '18', '90', '51.3', '', 'people', '20'],
        ['', 'ward', '', '', '', '', 'a; b', 'care', ''],
      ),
    );
    if (pasted === undefined || 'problem' in pasted) throw new Error('refused');
    expect(pasted.unused).toEqual(['mean', 'min']);
    const { columns, views } = withPasted(emptyDraft(), pasted.columns);
    expect(columns).toMatchObject([
      { key: 1, name: 'age', label: 'Age', min: '18', max: '90', unit: 'years', view: 1 },
      { key: 2, name: 'ward', type: 'category', levels: 'a, b', min: '', view: 2 },
    ]);
    expect(views).toEqual([
      { key: 1, name: 'people' },
      { key: 2, name: 'care' },
    ]);
    expect(pastedInWords(pasted)).toBe(
      '2 columns pasted. Check that the limits are what any textbook would give, not the extremes of your data. Not used: mean and min.',
    );
  });

  it('complete the columns that are there, and keep all else', () => {
    const first = pastedColumns('age\nbmi');
    const second = pastedColumns(
      block(['name', 'min', 'max'], ['bmi', '12', '48'], ['hba1c', '4', '14']),
    );
    if (first === undefined || second === undefined) throw new Error('no cells');
    if ('problem' in first || 'problem' in second) throw new Error('refused');
    const { columns } = withPasted(withPasted(emptyDraft(), first.columns), second.columns);
    expect(columns.map(({ key, name, min }) => [key, name, min])).toEqual([
      [1, 'age', ''],
      [2, 'bmi', '12'],
      [3, 'hba1c', '4'],
    ]);
  });

  it('never give limits or names where they may be rows of data', () => {
    const data = [
      block(['age', 'bmi'], ['47', '23.4'], ['61', '31.1']),
      block(['name', 'age', 'bmi'], ['Meyer', '47', '23.4']),
      block(['Meyer', 'm', 'Bern', '47', '91']),
      block(['47', '23.4', '1']),
      'age\n47\n61',
      'sex\nm\nf\nm',
      block(['name', 'min', 'max'], ['47', '1', '2']),
    ];
    for (const text of data) {
      const pasted = pastedColumns(text);
      expect(pasted, text).toHaveProperty('problem');
      for (const value of ['47', '23', 'Meyer', 'Bern']) {
        expect(JSON.stringify(pasted), text).not.toContain(value);
      }
    }
    expect(pastedColumns(block(['name', 'min'], ['age', '18'], ['', '19']))).toEqual({
      problem: 'Nothing was filled in: row 2 below the headings has no name.',
    });
  });
});
