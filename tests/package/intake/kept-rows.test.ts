import { defineStudy, load, privatize } from 'private-moments';
import { expect, it, vi } from 'vitest';
import { keptOfFile, keptOfStream } from '../../../web/package/src/intake/kept-rows.js';
import type { JobPage } from '../../../web/package/src/intake/protocol.js';
import { service } from '../../../web/package/src/intake/release-service.js';
import type { Peer } from '../../../web/package/src/threads/peer.js';
import { csvLayout, RowFeed } from '../../../web/package/src/data/ingest.js';
import { intakeOptions, planOf } from '../../../web/package/src/core/plan.js';
import type { KeptRows, ReleaseCore } from '../../../web/package/src/core/raw.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';
import { failure } from '../support.js';

const core = await builtCore<ReleaseCore>('private-moments');

const TERMS = {
  title: 'T',
  columns: ['a', 'b'].map((name) => ({ name, type: 'number' as const, min: 0, max: 9 })),
  privacy: { epsilon: 1, delta: 1e-6 },
};
const study = defineStudy({ ...TERMS, clipping: 'fixed' });
const plan = planOf(study);

/** Reads a file of two rows into an intake, and returns its counts. */
function readCsv(kept: KeptRows | null) {
  const text = new TextEncoder().encode('b,a\n1,2\n3,4\n');
  const layout = csvLayout(core, plan, text, true);
  if (layout === null) throw new Error('the text has no header');
  const { reader } = unwrap(core.createCsvReader(layout, plan.columns, plan.codes, plan.words));
  const { intake } = unwrap(core.createIntake(intakeOptions(plan)));
  reader.begin({ at: layout.headerBytes, seek: false, stop: Infinity });
  unwrap(reader.push(intake, text.subarray(layout.headerBytes), kept));
  unwrap(reader.end(intake, kept));
  return intake.counts();
}

/** The exact sums of what `fill` adds to an intake. */
function sumsOf(fill: (intake: ReturnType<typeof newIntake>) => void): Uint8Array {
  const intake = newIntake();
  fill(intake);
  return unwrap(intake.part()).bytes;
}

function newIntake() {
  return unwrap(core.createIntake(intakeOptions(plan))).intake;
}

const direct = (...cells: number[]) =>
  sumsOf((intake) => unwrap(intake.add(Float64Array.from(cells))));

it('gives a second reading the rows of a file, and then has none', () => {
  const kept = keptOfFile(core, 2, 12);
  if (kept === null) throw new Error('a small file is kept');
  expect(readCsv(kept).rows).toBe(2);
  expect(kept.cells()).toBe(4);
  expect(sumsOf((intake) => unwrap(kept.passTo(intake)))).toEqual(direct(2, 1, 4, 3));
  expect(kept.cells()).toBe(0);
});

it('gives a second reading the rows of a table, without what stands for a missing cell', async () => {
  const kept = keptOfStream(core, 2);
  const coded = planOf(study, { missingValues: ['9'] });
  const feed = new RowFeed(newIntake(), coded, core, undefined, kept);
  await feed.rows((push) => {
    push(Float64Array.of(2, 1, 9, 3));
  });
  expect(sumsOf((intake) => unwrap(kept.passTo(intake)))).toEqual(direct(2, 1, NaN, 3));
});

it('refuses more cells of a stream than it may keep, and keeps none', async () => {
  const kept = keptOfStream(core, 2, 3);
  await failure(() => readCsv(kept), {
    code: 'unsupported-data',
    message: /pass a file, or let the study name clipping adaptive or fixed/,
  });
  expect(kept.cells()).toBe(0);
});

it('of a file keeps nothing once there are too many cells, and passes all of them on', () => {
  const kept = keptOfFile(core, 2, 12, 3);
  expect(readCsv(kept).rows).toBe(2);
  expect(kept?.cells()).toBe(0);
});

it('does not begin to keep a file that is probably too large', () => {
  expect(keptOfFile(core, 1, 40, 4)).not.toBeNull();
  expect(keptOfFile(core, 1, 41, 4)).toBeNull();
});

it('lets private centring read a file once', async () => {
  const centred = defineStudy(TERMS);
  const rows = 50_000;
  const file = new Blob([`a,b\n${'1.25,7.5\n'.repeat(rows)}`]);
  await load({ worker: false });
  const slice = vi.spyOn(Blob.prototype, 'slice');
  const release = await privatize(centred, file, { workers: 1 });
  const read = slice.mock.calls.reduce((sum, [start = 0, end = 0]) => sum + end - start, 0);
  slice.mockRestore();
  expect(release.rows).toBe(rows);
  // The start of a file is read once more, to know its kind.
  expect(read).toBeGreaterThanOrEqual(file.size);
  expect(read).toBeLessThan(1.5 * file.size);
});

it('lets the page end a worker that kept many rows, once that is idle', async () => {
  const messagesFor = async (rows: number, last = ''): Promise<string[]> => {
    const names: string[] = [];
    const page = {
      tell: (name: string) => names.push(name),
      pause: () => Promise.resolve(),
    } as unknown as Peer<JobPage>;
    const bytes = new TextEncoder().encode(`a,b\n${'1,2\n'.repeat(rows)}${last}`);
    const run = service().functions.run?.(core, page, {
      order: { task: 'release' },
      plan: planOf(defineStudy(TERMS)),
      source: { kind: 'bytes', bytes },
      workers: 1,
      secrets: null,
      context: '',
    });
    await Promise.resolve(run).catch(() => names.push('failed'));
    return names;
  };
  const few = await messagesFor(1000);
  expect(few).not.toContain('failed');
  expect(few).not.toContain('grown');
  const many = await messagesFor(1_000_000);
  expect(many).not.toContain('failed');
  expect(many).toContain('grown');
  const messages = await messagesFor(1_000_000, '1,2,3\n');
  expect(messages).toContain('failed');
  expect(messages, 'its memory has grown, too').toContain('grown');
});
