import {
  PrivateMomentsError,
  createLedger,
  defineStudy,
  inspect,
  parseStudy,
} from 'private-moments';
import { parseSession } from 'private-moments/federation';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  NOT_LOADED,
  describe as wordsFor,
  isAboutPage,
  refusalOf,
  studyProblem,
} from '../../../web/elements/src/base/failure.js';
import { OwnWorker } from '../../../web/elements/src/base/own-worker.js';
import { definition } from '../../package/support.js';

/** Words that only programmers know. */
const FOR_PROGRAMMERS = /createLedger|worker|Content-Security|wasm file|Error\b|\bAPI\b|server/i;

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing failed');
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('errors in words for participants', () => {
  it('blame the page if the page failed, and name no file or part of a program', () => {
    for (const code of ['worker-failed', 'core-unavailable'] as const) {
      const error = new PrivateMomentsError(code, 'check that worker.js is served');
      expect(isAboutPage(error)).toBe(true);
      expect(wordsFor(error)).toBe(NOT_LOADED);
    }
    expect(NOT_LOADED).not.toMatch(FOR_PROGRAMMERS);
    expect(isAboutPage(new PrivateMomentsError('ragged-row', 'row 1: x'))).toBe(false);
    expect(isAboutPage(new TypeError('x'))).toBe(false);
  });

  it('know the errors of another copy of the package on the same page', async () => {
    vi.resetModules();
    const other = await import('../../../web/package/src/base/errors.js');
    expect(other.PrivateMomentsError).not.toBe(PrivateMomentsError);
    expect(isAboutPage(new other.PrivateMomentsError('worker-failed', 'x'))).toBe(true);
    expect(wordsFor(new other.PrivateMomentsError('ragged-row', 'row 1: x'))).toBe('Row 1: x.');
  });

  it('blame the page and not the file for what nobody expected', () => {
    const internal = new PrivateMomentsError('internal', 'the worker failed unexpectedly (x)');
    for (const error of [internal, new TypeError('x')]) {
      expect(wordsFor(error)).toMatch(/a fault of the page and not of your file: please report it/);
      expect(wordsFor(error)).not.toMatch(/worker/);
    }
  });

  it('leave out what callers of the package can pass', async () => {
    const study = defineStudy(definition());
    const columns = 'age,sleep,work,mood\n';
    for (const [text, option, words] of [
      [`${columns}40,"6,5",day,1\n`, 'csv.decimal', /points and no separators\.$/],
      ['age,sleep,work\n40,6,day\n', 'columns', /^The header has no column "mood"\.$/],
    ] as const) {
      const error: unknown = await inspect(study, text).catch((reason: unknown) => reason);
      expect((error as Error).message).toContain(`pass ${option} `);
      expect(wordsFor(error)).toMatch(words);
    }
  });

  it('tell the host of the element why a study was refused', () => {
    const error = new PrivateMomentsError('invalid-epsilon', 'epsilon must be above 0');
    expect(refusalOf(error)).toEqual({
      code: 'invalid-epsilon',
      message: 'Epsilon must be above 0.',
    });
    expect(refusalOf(new TypeError('x')).code).toBe('internal');
  });

  it('say that WebAssembly is missing', () => {
    vi.stubGlobal('WebAssembly', undefined);
    for (const error of [
      new ReferenceError('WebAssembly is not defined'),
      new PrivateMomentsError('core-unavailable', 'x'),
    ]) {
      expect(isAboutPage(error)).toBe(true);
      expect(wordsFor(error)).toMatch(/^This page needs WebAssembly/);
    }
  });

  it('say what to do if the browser stores nothing', async () => {
    const storage = { update: () => Promise.reject(new Error('closed')) };
    const error: unknown = await createLedger(storage)
      .entries()
      .catch((reason: unknown) => reason);
    expect(wordsFor(error)).toMatch(/allow it to store data/);
    expect(wordsFor(error)).not.toMatch(FOR_PROGRAMMERS);
  });

  it.each([
    ['study', parseStudy],
    ['session', parseSession],
  ] as const)('report another version of a %s, whatever else is in it', (what, parse) => {
    const text = `{"format":"private-moments/${what}@9","rows":[]}`;
    const problem = studyProblem(thrownBy(() => parse(text)));
    expect(problem.title).toBe(`This ${what} was made with another version.`);
    expect(problem.body).toContain('This page cannot read its format.');
    expect(problem.detail).toMatch(/format/);
  });

  it.each([
    [{ evil: 1 }, /evil/],
    [{ privacy: { epsilon: 0, delta: 0 } }, /epsilon must be above 0/],
    [{ mechanism: { name: 'sn' } }, /sn/],
    [{ columns: [] }, /column/],
  ])('send a study with %j back to its maker, with a detail on what is wrong', (change, said) => {
    const made = { ...definition(), ...change };
    const problem = studyProblem(thrownBy(() => defineStudy(made)));
    expect(problem.title).toBe('The study file is invalid.');
    expect(problem.body).toMatch(/Ask the sender for a corrected file/);
    expect(problem.detail).toMatch(said);
  });

  it('say that a file is not a study', () => {
    const problem = studyProblem(thrownBy(() => parseStudy('{}')));
    expect(problem).toMatchObject({ title: 'This study cannot be opened.', detail: '' });
    expect(problem.body).toMatch(/not a study/);
  });
});

describe('the worker of an element', () => {
  it('reports that it cannot start after the question was posted', async () => {
    const failed: string[] = [];
    const worker = new OwnWorker<string, string>(
      () => {
        throw new DOMException('no', 'SecurityError');
      },
      () => undefined,
      (reason) => failed.push(reason),
    );
    worker.post('question');
    expect(failed).toEqual([]);
    await Promise.resolve();
    expect(failed).toEqual([NOT_LOADED]);
    expect(worker.isRunning).toBe(false);
  });

  it('reports a later failure once, and starts again for the next question', () => {
    const started: Worker[] = [];
    const failed: string[] = [];
    vi.stubGlobal('location', new URL('https://site.example/'));
    vi.stubGlobal('Worker', function () {
      const one = { postMessage: vi.fn(), terminate: vi.fn() } as unknown as Worker;
      started.push(one);
      return one;
    });
    const worker = new OwnWorker<string, string>(
      () => new Worker('worker.js', { type: 'module' }),
      () => undefined,
      (reason) => failed.push(reason),
    );
    worker.post('question');
    const [first] = started;
    const event = { preventDefault: vi.fn() } as unknown as ErrorEvent;
    first?.onerror?.(event);
    first?.onerror?.(event);
    expect(failed).toEqual([NOT_LOADED]);
    worker.post('another');
    expect(started).toHaveLength(2);
  });
});
