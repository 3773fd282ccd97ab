import { describe, expect, it } from 'vitest';
import { releaseName } from '../../../web/elements/src/base/save.js';

const ID = '0123456789abcdef'.repeat(4);

describe('the file name of a release', () => {
  it('says the study and the release', () => {
    expect(releaseName('Sleep & mood, 2026', ID)).toBe('sleep-mood-2026-01234567.release.json');
    expect(releaseName('睡眠', ID)).toBe('睡眠-01234567.release.json');
    expect(releaseName('???', ID)).toBe('study-01234567.release.json');
  });

  it('has no path, no dot at its start and no mark that turns text around', () => {
    for (const title of ['../../etc/passwd', '.hidden', 'a\u202egpj.exe', 'con:\\x']) {
      expect(releaseName(title, ID)).toMatch(/^[a-z]+(-[a-z]+)*-01234567\.release\.json$/);
    }
  });
});
