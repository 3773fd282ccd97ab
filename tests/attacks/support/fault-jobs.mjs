// Jobs that faults.mjs interrupts at every step: releases, and calls of a ledger. Each returns what was
// wrong afterwards, in words; nothing if all is as promised.
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const ROWS = 40;

export const COLUMNS = [
  { name: 'a', type: 'number', min: 0, max: 1 },
  { name: 'b', type: 'number', min: -1, max: 1 },
  { name: 'c', type: 'category', levels: ['x', 'y'] },
];

export const PRIVACY = { epsilon: 1, delta: 1e-6 };

export function rows() {
  return Array.from({ length: ROWS }, (_, i) => ({
    a: i / ROWS,
    b: Math.cos(i),
    c: i % 2 === 0 ? 'x' : 'y',
  }));
}

export function csv() {
  const lines = rows().map(({ a, b, c }) => `${a},${b},${c}`);
  return new Blob([['a,b,c', ...lines, ''].join('\n')], { type: 'text/csv' });
}

/** What is released, and how: every way by which rows come to the worker. */
const releases = {
  'a file': { data: csv },
  'a file by two workers': { data: csv, options: { workers: 2 } },
  'rows in memory': { data: rows },
  'a stream': { data: () => csv().stream() },
  'a fixed clip radius': { data: csv, study: { clipping: 'fixed' } },
};

/** An error as promised: ours with a code, or the fault itself. */
export function isPromised(error, { Fault }, codes) {
  if (error instanceof Fault || error?.cause instanceof Fault) return true;
  return error?.name === 'PrivateMomentsError' && codes.includes(error.code);
}

/** A release with a ledger whose budget is enough for one. */
export function releaseJob(name, { data, options = {}, study: terms = {} }, storageOf) {
  return {
    name,
    async run({ main, attempt, isCoded }) {
      const study = main.defineStudy({ title: 'T', columns: COLUMNS, privacy: PRIVACY, ...terms });
      const { storage, leftovers } = storageOf();
      const ledger = main.createLedger(storage);
      await ledger.budget(PRIVACY);
      const release = (signal) => main.privatize(study, data(), { ledger, signal, ...options });
      const first = await attempt(release);
      const problems = [];
      if (first.isStuck) return ['it hangs'];
      const made = first.value === undefined ? [] : [first.value];
      if (first.value === undefined && !isCoded(first.error)) {
        problems.push(`an error without a code: ${first.error}`);
      }
      const after = await ledger.entries();
      if (made.length > 0 && after[0]?.release !== made[0].id) {
        problems.push('a release that is not in the ledger');
      }
      const isCancelled = first.error?.code === 'cancelled';
      if (first.drawn > 0 && after.length === 0 && !isCancelled) {
        problems.push('noise was drawn, and nothing counts it');
      }
      // The same again: it works unless the budget is spent, and never twice.
      const second = await attempt(release, { without: true });
      if (second.isStuck) return [...problems, 'the next release hangs'];
      if (second.value !== undefined) made.push(second.value);
      else if (after.length === 0) problems.push(`the next release fails: ${second.error}`);
      else if (second.error.code !== 'over-budget') {
        problems.push(`the next release is refused as ${second.error.code}`);
      }
      const counted = await ledger.entries();
      problems.push(...leftovers());
      if (counted.length !== 1) problems.push(`${counted.length} entries for one budget`);
      if (made.length > 1) problems.push('two releases from a budget for one');
      for (const one of made) {
        const read = main.parseRelease(await one.toBlob().text());
        if (read.id !== one.id) problems.push('half a release');
      }
      return problems;
    },
  };
}

/** One call that changes a ledger or reads it. It happens as a whole or not at all. */
function ledgerJob(name, call, storageOf) {
  return {
    name,
    async run({ main, attempt, isCoded, exported }) {
      const { storage, leftovers } = storageOf();
      const ledger = main.createLedger(storage);
      await ledger.import(exported);
      const before = await ledger.export();
      const id = (await ledger.entries())[0].id;
      const study = main.defineStudy({ title: 'T', columns: COLUMNS, privacy: PRIVACY });
      const first = await attempt(() => call(ledger, { id, study, exported }));
      if (first.isStuck) return ['it hangs'];
      const problems = [];
      if ('error' in first && !isCoded(first.error)) {
        problems.push(`an error without a code: ${first.error}`);
      }
      const after = await ledger.export();
      if (JSON.parse(after).entries.length !== JSON.parse(before).entries.length) {
        problems.push('entries were lost or invented');
      }
      // Another ledger reads the same storage, and the call works or was carried out.
      const again = main.createLedger(storage);
      const second = await attempt(() => call(again, { id, study, exported }), { without: true });
      if (second.isStuck) return [...problems, 'the next call hangs'];
      const isDone = second.error?.code === 'unknown-entry' && after !== before;
      if ('error' in second && !isDone) problems.push(`the next call fails: ${second.error}`);
      problems.push(...leftovers());
      return problems;
    },
  };
}

const calls = {
  'a budget': (ledger) => ledger.budget({ epsilon: 5, delta: 1e-5 }),
  'the entries': (ledger) => ledger.entries(),
  'the data sets': (ledger) => ledger.dataSets(),
  'a removal': (ledger, { id }) => ledger.remove(id, 'never sent'),
  'an export': (ledger) => ledger.export({ secret: true }),
  'an import': (ledger, { exported }) => ledger.import(exported),
  'the standing': (ledger, { study }) => ledger.standing(study, csv()),
};

/** Locks that are left although a later call has ended well, which tidies up. */
function leftIn(folder) {
  return () => {
    const left = readdirSync(folder).filter((name) => name.includes('.lock'));
    return left.length === 0
      ? []
      : [`it leaves ${left.join(', ').replace(/[0-9a-f-]{36}/g, 'ID')}`];
  };
}

/** @returns all jobs with these storages, and what they need: an exported ledger with one entry */
export async function ledgerJobs(main, node, scratch) {
  const inMemory = () => ({ storage: main.memoryStorage(), leftovers: () => [] });
  const inFile = () => {
    const folder = mkdtempSync(join(scratch, 'ledger-'));
    return {
      storage: node.fileStorage(join(folder, 'ledger.json')),
      leftovers: leftIn(folder),
    };
  };
  const ledger = main.createLedger(main.memoryStorage());
  const study = main.defineStudy({ title: 'T', columns: COLUMNS, privacy: PRIVACY });
  await main.privatize(study, csv(), { ledger });
  const jobs = [
    ...Object.entries(releases).map(([name, one]) => releaseJob(name, one, inMemory)),
    releaseJob('a file, with a ledger in a file', releases['a file'], inFile),
    ...Object.entries(calls).map(([name, call]) => ledgerJob(name, call, inFile)),
  ];
  return { jobs, exported: await ledger.export({ secret: true }) };
}
