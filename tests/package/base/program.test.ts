import { assemble, defineStudy, inspect, privatize, PrivateMomentsError } from 'private-moments';
import { printable, runProgram, UsageError, type Command } from 'private-moments/internal';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { definition, failure, people } from '../support.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a group of two commands; returns its status and what it said. */
async function run(args: string[], action: Command['run'] = () => Promise.resolve()) {
  vi.restoreAllMocks();
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const printed = vi.spyOn(console, 'log').mockReturnValue();
  const group = {
    help: 'both',
    names: ['privatize', 'pca'],
    find: (name: string) =>
      Promise.resolve(name === 'pca' ? { help: 'one', run: action } : undefined),
  };
  const status = await runProgram('program', '1.2.3', group, args);
  const textOf = (spy: typeof said): string => spy.mock.calls.flat().join('\n');
  return { status, said: textOf(said), printed: textOf(printed) };
}

describe('a program of several commands', () => {
  it('suggests the command that was meant', async () => {
    expect(await run(['privatise'])).toMatchObject({
      status: 2,
      said: 'program: there is no command privatise: did you mean privatize?',
    });
    expect((await run(['else'])).said).toBe('program: there is no command else');
  });

  it('prints help in the ways that people ask for it', async () => {
    for (const args of [[], ['help'], ['--help'], ['-h']]) {
      expect(await run(args)).toMatchObject({ status: 0, printed: 'both' });
    }
    for (const args of [
      ['help', 'pca'],
      ['pca', '--help'],
      ['pca', '-h'],
    ]) {
      expect(await run(args)).toMatchObject({ status: 0, printed: 'one' });
    }
  });

  it('tells failures, wrong arguments, cancelling and refuted checks apart', async () => {
    const fails = (error: Error) => run(['pca'], () => Promise.reject<number>(error));
    const error = new PrivateMomentsError('no-rows', 'the data have no rows');
    expect(await fails(error)).toMatchObject({
      status: 1,
      said: 'program: no-rows: the data have no rows',
    });
    expect(await fails(new UsageError('--x is missing'))).toMatchObject({
      status: 2,
      said: 'program: --x is missing\nprogram pca --help lists the options',
    });
    expect((await fails(new PrivateMomentsError('cancelled', 'cancelled'))).status).toBe(130);
    expect((await run(['pca'], () => Promise.resolve(3))).status).toBe(3);
  });

  it('removes control characters, and those that hide or turn text, from what it says', () => {
    expect(printable('a\tb\nc\u001b[31md\u009b')).toBe('a\tb\nc\ufffd[31md\ufffd');
    expect(printable('\u202egpj\r\u200b')).toBe('\ufffdgpj\ufffd\ufffd');
  });
});

describe('names of columns and views', () => {
  const study = defineStudy(definition());

  it('that are nearly right lead to a suggestion', async () => {
    const moments = await assemble(study, [await privatize(study, people(300, 1, 1))]);
    const code = 'invalid-view';
    const suggestion = (name: string) => ({
      code,
      message: new RegExp(`: did you mean ${name}\\?$`),
    });
    await failure(() => moments.ridge({ target: 'moood' }), suggestion('mood'));
    await failure(() => moments.cca({ x: 'lief', y: 'mind' }), suggestion('life'));
    await failure(() => moments.cca({ x: ['agee'], y: 'mind' }), suggestion('age'));
    await failure(() => inspect(study, 'age\n1\n', { columns: { slep: 'x' } }), {
      code: 'invalid-mapping',
      message: /: did you mean sleep\?$/,
    });
  });

  it('that are far from every other lead to none', async () => {
    await failure(() => inspect(study, 'age\n1\n', { columns: { weight: 'x' } }), {
      code: 'invalid-mapping',
      message: /not a column of the study$/,
    });
  });
});
