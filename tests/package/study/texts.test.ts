import {
  createLedger,
  defineStudy,
  memoryStorage,
  parseStudy,
  privatize,
  type StudyDefinition,
} from 'private-moments';
import { escapedJson } from 'private-moments/internal';
import { describe, expect, it } from 'vitest';
import { failure } from '../support.js';

/** A study in which every text is `text`, or contains it. */
function studyOf(text: string): StudyDefinition {
  const [name, level] = [`n${text}n`, `l${text}l`];
  return {
    title: `t${text}t`,
    description: `d${text}d`,
    organizer: `o${text}o`,
    contact: `c${text}c`,
    columns: [
      {
        ...{ name, type: 'category', levels: [level, 'b'], levelLabels: { b: `B${text}B` } },
        ...{ label: `L${text}L`, unit: `u${text}u`, description: `D${text}D` },
      },
      { name: 'x', type: 'number', min: 0, max: 1 },
    ],
    views: { [`v${text}v`]: [name], other: ['x'] },
    missingValues: [`m${text}m`],
    privacy: { epsilon: 1, delta: 1e-6 },
  };
}

/** Where the texts of such a study are, and the error of each. */
const PLACES = [
  ['title', 'invalid-study'],
  ['description', 'invalid-study'],
  ['organizer', 'invalid-study'],
  ['contact', 'invalid-study'],
  ['columns[0].name', 'invalid-column'],
  ['columns[0].levels[0]', 'invalid-levels'],
  ['columns[0].levelLabels.b', 'invalid-levels'],
  ['columns[0].label', 'invalid-column'],
  ['columns[0].unit', 'invalid-column'],
  ['columns[0].description', 'invalid-column'],
  ['views', 'invalid-view'],
  ['missingValues[0]', 'invalid-missing-rule'],
] as const;

/** The study with the text in one place, and `-` in the others. */
function withTextAt(place: string, text: string): StudyDefinition {
  const study = structuredClone(studyOf('-')) as unknown as Record<string, unknown>;
  const source = studyOf(text) as unknown as Record<string, unknown>;
  const keys = place.split(/[.[\]]+/).filter(Boolean);
  const last = keys.pop() ?? '';
  const at = (from: unknown) =>
    keys.reduce((value, key) => (value as Record<string, unknown>)[key], from) as Record<
      string,
      unknown
    >;
  at(study)[last] = at(source)[last];
  if (place === 'views') study.views = { [`v${text}v`]: ['n-n'], other: ['x'] };
  return study as unknown as StudyDefinition;
}

const HIDDEN = [
  ...['\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029'],
  ...['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
  ...['\u200e', '\u200f', '\u061c', '\u200b', '\u2060', '\ufeff', '\u00ad', '\u3164'],
  ...['\u{e0041}', '\ud800', '\udc00'],
];

describe('a text of a study', () => {
  it.each(PLACES)(
    'in %s has no character that is hidden or turns text around',
    async (place, code) => {
      expect(defineStudy(withTextAt(place, '-')).title).toBe('t-t');
      for (const hidden of HIDDEN) {
        const study = withTextAt(place, hidden);
        const expected = { code, field: place, message: /\(U\+[0-9A-F]{4,5}\): remove it/ };
        await failure(() => defineStudy(study), expected);
        const json = JSON.stringify({ format: 'private-moments/study@1', ...study });
        await failure(() => parseStudy(json), expected);
      }
    },
  );

  it('has line breaks and tabs in descriptions only', async () => {
    for (const [place, code] of PLACES) {
      for (const layout of ['\n', '\r\n', '\t']) {
        const define = () => defineStudy(withTextAt(place, layout));
        if (place.endsWith('description')) define();
        else await failure(define, { code, field: place });
      }
    }
  });

  it('may have what scripts and emoji need, and what spreadsheets take for formulas', () => {
    for (const text of [
      'می\u200cخواهم',
      'क्\u200dष',
      '❤\ufe0f',
      '👩\u200d🔬',
      '=1+1',
      '-log10 p',
      '@x',
    ]) {
      const study = defineStudy(studyOf(text));
      expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
    }
  });
});

describe('names that other people chose', () => {
  it('of unknown fields cannot steer a terminal from an error', async () => {
    const error = await failure(
      () => defineStudy({ ...studyOf('-'), 'x\u001b[2J\u202e': 1 } as never),
      { code: 'invalid-study' },
    );
    expect(error.message).toContain('x\ufffd[2J\ufffd');
  });

  it('of files are in a ledger without characters that are hidden', async () => {
    const ledger = createLedger(memoryStorage());
    const file = new File(['n-n,x\nl-l,1\n'], 'a\u202egpj\n\u001b.csv');
    await privatize(defineStudy(studyOf('-')), file, { ledger });
    expect((await ledger.entries())[0]?.file).toBe('a\ufffdgpj \ufffd.csv');
  });

  it('of data sets are refused by a ledger if they have such characters', async () => {
    const ledger = createLedger(memoryStorage());
    await failure(
      () => privatize(defineStudy(studyOf('-')), 'n-n,x\nl-l,1\n', { ledger, dataSet: 'a\u202e' }),
      { code: 'unsupported-option', field: 'dataSet' },
    );
  });

  it('are escaped in JSON for a terminal, which means the same', () => {
    const value = { 'a\u009b': ['\u202e', '\ue000', '\u{e0041}', 'ü👩\u200d🔬\n'] };
    const text = escapedJson(JSON.stringify(value, null, 2));
    expect(text).toMatch(/^[\n\x20-\x7e\u00a1-\uffff]*$/);
    expect(text).not.toMatch(/[\u009b\u202e]|\u{e0041}/u);
    expect(JSON.parse(text)).toEqual(value);
  });
});
