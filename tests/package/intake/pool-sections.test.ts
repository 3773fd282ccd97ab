import { defineStudy } from 'private-moments';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { blobBytes, type Bytes } from '../../../web/package/src/base/bytes.js';
import { CellsToCheck } from '../../../web/package/src/data/cells-to-check.js';
import { Readers } from '../../../web/package/src/intake/readers.js';
import { csvLayout } from '../../../web/package/src/data/ingest.js';
import type { JobPage } from '../../../web/package/src/intake/protocol.js';
import type { Peer } from '../../../web/package/src/threads/peer.js';
import { intakeOptions, planOf, type Plan } from '../../../web/package/src/core/plan.js';
import type { SectionOrder, SectionRead } from '../../../web/package/src/intake/protocol.js';
import type { ReleaseCore } from '../../../web/package/src/core/raw.js';
import { serveReader } from '../../../web/package/src/intake/reader.js';
import { Sections } from '../../../web/package/src/intake/sections.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';
import { definition, seeded } from '../support.js';
import { errorAt, toWire } from '../../../web/package/src/base/errors.js';

const study = defineStudy({ ...definition(), clipping: 'fixed' });
const plan = planOf(study);
let core: ReleaseCore;

beforeAll(async () => {
  core = await builtCore<ReleaseCore>('private-moments');
});

/** This number of readers in this thread, by their ports. */
function readersOf(bytes: Bytes, plan: Plan, count: number): MessagePort[] {
  return Array.from({ length: count }, () => {
    const { port1, port2 } = new MessageChannel();
    const slice = async (start: number, end: number) => (await bytes.read(start, end)).buffer;
    const page = {
      call: (_: string, [start, end]: [number, number]) => slice(start, end),
    } as unknown as Peer<JobPage>;
    serveReader(core, page, { plan, source: { kind: 'slices', size: bytes.size }, port: port2 });
    return port1;
  });
}

/** Exact sums as bytes, by this number of readers in this thread; 1 reads directly. */
async function exact(text: string, workers: number) {
  const bytes = blobBytes(new Blob([text]));
  const { intake } = unwrap(core.createIntake(intakeOptions(plan)));
  const layout = csvLayout(core, plan, new TextEncoder().encode(text), true);
  if (layout === null) throw new Error('the text has no header');
  const toCheck = new CellsToCheck(plan);
  if (workers === 1) {
    const { reader } = unwrap(core.createCsvReader(layout, plan.columns, plan.codes, plan.words));
    reader.begin({ at: layout.headerBytes, seek: false, stop: Infinity });
    unwrap(reader.push(intake, await bytes.read(layout.headerBytes, bytes.size), null));
    unwrap(reader.end(intake, null));
    toCheck.add(reader.toCheck(), 0);
  } else {
    const ports = readersOf(bytes, plan, workers);
    const readers = new Readers(ports, intake, toCheck, () => undefined);
    await readers.readCsv(layout, bytes.size);
  }
  const counts = intake.counts();
  return { counts, toCheck: toCheck.columns, ...unwrap(intake.part()) };
}

describe('a file in sections', () => {
  const random = seeded(17);
  const pick = (...choices: string[]) => choices[Math.floor(choices.length * random())] ?? '';
  /** Cells and notes in which a cut is hard to recognise. */
  const row = () => {
    const age = pick('34', '"51"', '', '90.25', ' 18 ', '"9""9"', '1e1');
    const work = pick('day', '"night"', 'none', '"day\n"', 'never');
    const note = pick('', 'x', '"a,b"', '"\n"', '"\r\n1,2,day,3,4"', '"""\n"""', '"\n""\n\n"');
    return [age, (12 * random()).toFixed(3), work, (5 * random()).toFixed(1), note].join(',');
  };

  it('has the same sums to the bit for any number of workers', async () => {
    for (let run = 0; run < 30; run++) {
      const end = pick('\n', '\r\n', '\r');
      const rows = Array.from({ length: 1 + Math.floor(80 * random()) }, row);
      const blank = pick('', end, `${end}${end}`);
      const text = ['age,sleep,work,mood,note', ...rows].join(`${end}${blank}`) + pick('', end);
      const one = await exact(text, 1);
      expect(one.counts.rows).toBe(rows.length);
      for (const workers of [2, 3, 7]) expect(await exact(text, workers)).toEqual(one);
    }
  });
});

describe('the second reading of private centring', () => {
  const centred = planOf(defineStudy({ ...definition(), clipping: 'centred' }));
  const rows = Array.from({ length: 500 }, (_, i) => `${20 + (i % 60)},${i % 12},night,${i % 5}`);
  const text = `age,sleep,work,mood\n${rows.join('\n')}`;
  const bytes = blobBytes(new Blob([text]));

  /** The survey's result, a destination for the second reading, and the readers after the first. */
  async function surveyed(keeps: boolean) {
    const { survey } = unwrap(core.createSurvey(intakeOptions(centred)));
    const layout = csvLayout(core, centred, new TextEncoder().encode(text), true);
    if (layout === null) throw new Error('the text has no header');
    const ports = readersOf(bytes, centred, 3);
    const nothing = () => undefined;
    const toCheck = new CellsToCheck(centred);
    const readers = new Readers(ports, survey, toCheck, nothing, undefined, keeps);
    await readers.readCsv(layout, bytes.size);
    const { coordinates } = unwrap(survey.release());
    const own = { ...centred, coordinates };
    const open = () =>
      unwrap(core.createIntake({ ...intakeOptions(own), surveyed: rows.length })).intake;
    return { readers, layout, coordinates, own, open };
  }

  it('has the same sums from kept rows as from the file', async () => {
    const { readers, layout, coordinates, own, open } = await surveyed(true);
    const again = open();
    expect(await readers.readAgain(again, coordinates)).toBe(true);
    readers.close();
    const whole = open();
    const { reader } = unwrap(core.createCsvReader(layout, own.columns, own.codes, own.words));
    reader.begin({ at: layout.headerBytes, seek: false, stop: Infinity });
    unwrap(reader.push(whole, await bytes.read(layout.headerBytes, bytes.size), null));
    unwrap(reader.end(whole, null));
    expect(again.counts()).toEqual(whole.counts());
    expect(again.counts().rows).toBe(rows.length);
    expect(unwrap(again.part())).toEqual(unwrap(whole.part()));
  });

  it('is one of the file where readers kept nothing', async () => {
    const { readers, coordinates, open } = await surveyed(false);
    const intake = open();
    expect(await readers.readAgain(intake, coordinates)).toBe(false);
    expect(intake.counts().rows).toBe(0);
  });
});

describe('sections', () => {
  const read = (start: number, end: number, rows: number, error = false): SectionRead => ({
    section: { start, end, rows },
    sums: error ? null : Uint8Array.of(start),
    toCheck: [],
    isKept: false,
    error: error ? toWire(errorAt('ragged-row', 'ragged', { row: 2 })) : null,
  });
  const open = (accepted: number[]) =>
    new Sections({ start: 10, end: 110, count: 4, window: 8 }, (sums) => accepted.push(...sums));
  const orders = (sections: Sections): SectionOrder[] => {
    const all: SectionOrder[] = [];
    for (let next = sections.order(); next !== undefined; next = sections.order()) all.push(next);
    return all;
  };

  it('divide the file after its header, and all but the first begin with a guess', () => {
    expect(orders(open([]))).toEqual([
      { index: 0, at: 10, seek: false, stop: 35 },
      { index: 1, at: 34, seek: true, stop: 60 },
      { index: 2, at: 59, seek: true, stop: 85 },
      { index: 3, at: 84, seek: true, stop: 110 },
    ]);
  });

  test.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[2, 0, 3, 1]]])(
    'count in the order of the file when read in the order %j',
    (order) => {
      const accepted: number[] = [];
      const sections = open(accepted);
      const asked = orders(sections);
      const answers = [read(10, 37, 1), read(37, 61, 2), read(61, 88, 1), read(88, 110, 1)];
      for (const index of order) {
        expect(sections.done).toBe(false);
        sections.take(nth(asked, index), nth(answers, index));
      }
      expect(accepted).toEqual([10, 37, 61, 88]);
      expect(sections.done).toBe(true);
    },
  );

  it('are read again after a wrong guess, whose sums do not count', () => {
    const accepted: number[] = [];
    const sections = open(accepted);
    const asked = orders(sections);
    sections.take(nth(asked, 0), read(10, 40, 1));
    sections.take(nth(asked, 2), read(61, 85, 1));
    sections.take(nth(asked, 1), read(36, 61, 5, true));
    expect(accepted).toEqual([10]);
    const again = nth([sections.order()], 0);
    expect(again).toEqual({ index: 1, at: 40, seek: false, stop: 60 });
    expect(sections.order()).toBeUndefined();
    sections.take(again, read(40, 61, 1));
    sections.take(nth(asked, 3), read(85, 110, 1));
    expect(accepted).toEqual([10, 40, 61, 85]);
    expect(sections.done).toBe(true);
  });

  it('are skipped within a record of an earlier section', () => {
    const accepted: number[] = [];
    const sections = open(accepted);
    const asked = orders(sections);
    sections.take(nth(asked, 1), read(35, 60, 9, true));
    sections.take(nth(asked, 0), read(10, 90, 1));
    sections.take(nth(asked, 3), read(90, 110, 1));
    expect(accepted).toEqual([10, 90]);
    expect(sections.done).toBe(true);
  });

  it('fail with the first error of the file, with its row number in the file', () => {
    const sections = open([]);
    const asked = orders(sections);
    sections.take(nth(asked, 2), read(60, 80, 4, true));
    sections.take(nth(asked, 1), read(35, 60, 5));
    expect(() => {
      sections.take(nth(asked, 0), read(10, 35, 7));
    }).toThrow(expect.objectContaining({ code: 'ragged-row', row: 14, message: 'row 14: ragged' }));
  });

  it('wait for earlier ones, so that few sums are held', () => {
    const sections = new Sections({ start: 0, end: 100, count: 10, window: 2 }, () => undefined);
    const asked = orders(sections);
    expect(asked).toHaveLength(2);
    sections.take(nth(asked, 1), read(10, 20, 1));
    expect(sections.order()).toBeUndefined();
    sections.take(nth(asked, 0), read(0, 10, 1));
    expect(orders(sections).map(({ index }) => index)).toEqual([2, 3]);
  });
});

function nth<T>(list: readonly (T | undefined)[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
