import { defineStudy, PrivateMomentsError, privatize, type Release } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  assembleAll,
  markForeign,
  type Entry,
} from '../../../web/elements/src/analyse/release-entries.js';
import { definition, people } from '../../package/support.js';

const study = defineStudy(definition());
const other = defineStudy({ ...definition(), title: 'Another' });
const rows = people(20, 1, 1);

function entry(name: string, release: Release): Entry {
  return { name, bytes: 1, saved: 0, release };
}

const refusalsOf = (entries: readonly Entry[]) =>
  entries.map(({ name, refusal }) => [name, refusal?.words]);

describe('the releases of an analyst', () => {
  it('keep their marks if the usable ones give no result together', async () => {
    const [own, foreign] = [await privatize(study, rows), await privatize(other, rows)];
    const files = [entry('own', own), entry('foreign', foreign), entry('again', own)];
    const few = new PrivateMomentsError('too-few-rows', 'drowned');
    const { entries, result, error } = await assembleAll(
      study,
      files,
      () => Promise.reject(few),
      () => Promise.resolve(),
    );
    expect(result).toBeUndefined();
    expect(error).toBe(few);
    expect(refusalsOf(entries)).toEqual([
      ['own', undefined],
      ['foreign', 'left out: another study'],
      ['again', 'left out: same release as own'],
    ]);
  });

  it('of another study are marked before assembling, and used once their study is opened', async () => {
    const files = [entry('own', await privatize(study, rows))];
    const marked = markForeign(other, files);
    expect(refusalsOf(marked)).toEqual([['own', 'left out: another study']]);
    const done = () => Promise.resolve('done');
    const { entries, result } = await assembleAll(study, marked, done, done);
    expect(result).toBe('done');
    expect(refusalsOf(entries)).toEqual([['own', undefined]]);
  });
});
