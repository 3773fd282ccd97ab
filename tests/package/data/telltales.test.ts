import { afterEach, describe, expect, it, vi } from 'vitest';
import { Worker } from 'node:worker_threads';
import { privatize } from '../../../web/package/src/release/privatize.js';
import { inspect } from '../../../web/package/src/release/privatize.js';
import { defineStudy } from '../../../web/package/src/study/study.js';
import { createLedger } from '../../../web/package/src/ledger/ledger.js';
import { memoryStorage } from '../../../web/package/src/ledger/ledger-storage.js';
import type { Data } from '../../../web/package/src/data/data.js';
import { found, TELLTALE_FILES, TELLTALE_ROWS, TELLTALE_STUDY } from './telltales.js';

/** Everything that workers sent to this thread, and that was logged, since the last test. */
let heard: unknown[] = [];

// eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
const emit = Worker.prototype.emit;
Worker.prototype.emit = function (this: Worker, event: string, ...args: unknown[]) {
  if (event === 'message' || event === 'error') heard.push(args);
  return (emit as (...all: unknown[]) => boolean).call(this, event, ...args);
} as typeof emit;

for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  vi.spyOn(console, level).mockImplementation((...args) => heard.push(args));
}

afterEach(() => {
  heard = [];
});

type Call = (data: Data, missing: 'centre' | 'drop' | 'error') => Promise<unknown>;

const studyWith = (missing: 'centre' | 'drop' | 'error') =>
  defineStudy({
    ...TELLTALE_STUDY,
    missing,
    // Only here may rows be left out.
    ...(missing === 'drop' && { neighbours: 'add-remove' as const }),
  });

const calls: Record<string, Call> = {
  privatize: async (data, missing) => {
    const ledger = createLedger(memoryStorage());
    const release = await privatize(studyWith(missing), data, { ledger });
    return [release.toJSON(), release.local, release.summary(), await ledger.export()];
  },
  inspect: (data, missing) => inspect(studyWith(missing), data),
  standing: (data, missing) => createLedger(memoryStorage()).standing(studyWith(missing), data),
};

describe('what a call returns, throws, logs and receives from workers has no cell of the data', () => {
  for (const [call, act] of Object.entries(calls)) {
    for (const missing of ['centre', 'drop', 'error'] as const) {
      it(`${call}, missing cells under the rule ${missing}`, async () => {
        const sources: [string, () => Data][] = [
          ...Object.entries(TELLTALE_FILES).flatMap(([name, bytes]): [string, () => Data][] => [
            [name, () => new Blob([bytes])],
            [`${name}, as a stream`, () => new Blob([bytes]).stream()],
          ]),
          ...Object.entries(TELLTALE_ROWS).map(([name, rows]): [string, () => Data] => [
            name,
            () => rows as Data,
          ]),
        ];
        const ends = new Set<string>();
        let messages = 0;
        for (const [name, data] of sources) {
          const outcome = await act(data(), missing).catch((error: unknown) => {
            ends.add((error as { code?: string }).code ?? 'no code');
            return error;
          });
          expect(found([outcome, heard]), name).toEqual([]);
          messages += heard.length;
          heard = [];
        }
        expect(messages).toBeGreaterThan(sources.length);
        // The files do break in different ways.
        expect(ends.size).toBeGreaterThan(4);
        expect(ends).not.toContain('no code');
        expect(ends).not.toContain('internal');
      });
    }
  }

  it('and the search finds a cell wherever it is', () => {
    const error = new Error('x', { cause: new TypeError('a Zwetschgenkuchen in it') });
    expect(found(error)).toEqual(['Zwetschgenkuchen']);
    expect(found({ a: [new Map([['k', Float64Array.of(1, 7319.4421)]])] })).toEqual(['7319.4421']);
    expect(found(new TextEncoder().encode('row: Quittengelee').buffer)).toEqual(['Quittengelee']);
  });
});
