import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defineStudy, studyFromLink } from '../../../web/package/src/study/study.js';
import { definition, failure } from '../support.js';

const PAGE = 'https://example.org/join/?lang=en';
const linkTo = (bytes: Uint8Array, digits = '00000000') =>
  `${PAGE}#study=${digits}.${Buffer.from(bytes).toString('base64url')}`;
const digitsOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const compressed = (text: string) => deflateRawSync(Buffer.from(text));

describe('a study link', () => {
  it('has the whole study in its fragment and nowhere else', () => {
    const study = defineStudy({ ...definition(), title: 'Schlaf — été 😴' });
    const url = new URL(study.toLink(PAGE));
    expect(`${url.origin}${url.pathname}${url.search}`).toBe(PAGE);
    expect(url.hash).toMatch(/^#study=[0-9a-f]{8}\.[A-Za-z0-9_-]+$/);
    expect(url.hash.slice(7, 15)).toBe(study.id.slice(0, 8));
    expect(studyFromLink(url).id).toBe(study.id);
    expect(studyFromLink(url.href).title).toBe('Schlaf — été 😴');
  });

  it('replaces an existing fragment of the address', () => {
    const study = defineStudy(definition());
    expect(study.toLink(`${PAGE}#old`)).toBe(study.toLink(PAGE));
  });

  it('is found among other parts of a fragment', () => {
    const study = defineStudy(definition());
    const { hash } = new URL(study.toLink(PAGE));
    expect(studyFromLink(`${PAGE}#lang=en&${hash.slice(1)}`).id).toBe(study.id);
  });

  it('can hold a study of 1000 columns', () => {
    const columns = Array.from({ length: 1000 }, (_, i) => ({
      name: `marker ${i * 7919}`,
      type: 'number' as const,
      min: -i,
      max: i + 0.125,
    }));
    const study = defineStudy({
      ...definition(),
      columns,
      views: { first: ['marker 0'], second: ['marker 7919'] },
    });
    expect(studyFromLink(study.toLink(PAGE)).id).toBe(study.id);
  });

  it('needs an absolute address', async () => {
    await failure(() => defineStudy(definition()).toLink('/join'), { code: 'invalid-link' });
  });

  it('without a study is refused', async () => {
    await failure(() => studyFromLink(PAGE), { code: 'invalid-link' });
    await failure(() => studyFromLink(`${PAGE}#study=`), { code: 'invalid-link' });
  });

  it('that was cut or changed is refused', async () => {
    const link = defineStudy(definition()).toLink(PAGE);
    const code = 'damaged-link';
    await failure(() => studyFromLink(link.slice(0, -20)), { code });
    await failure(() => studyFromLink(`${link}!`), { code });
    await failure(() => studyFromLink(linkTo(new Uint8Array(40).fill(255))), { code });
  });

  it('that says another study than its digits is refused', async () => {
    const study = defineStudy(definition());
    const other = defineStudy({ ...definition(), title: 'Another study' });
    const digits = study.id.slice(0, 8);
    const swapped = other.toLink(PAGE).replace(other.id.slice(0, 8), digits);
    await failure(() => studyFromLink(swapped), {
      code: 'damaged-link',
      message: /copy the whole/,
    });
    const without = study.toLink(PAGE).replace(`${digits}.`, '');
    await failure(() => studyFromLink(without), { code: 'damaged-link', message: /a new one/ });
  });

  it('with one character swapped, lost or written in the other case opens no other study', () => {
    const study = defineStudy(definition());
    const link = study.toLink(PAGE);
    const opened = new Set<string>();
    for (let at = link.indexOf('#') + 1; at < link.length; at += 1) {
      const [before, own, next, after] = [
        link.slice(0, at),
        link.charAt(at),
        link.charAt(at + 1),
        link.slice(at + 2),
      ];
      const damages = [next + own, next, own + own + next, own.toUpperCase() + next, `A${next}`];
      for (const damage of [...damages, `a${next}`, `4${next}`, `_${next}`]) {
        try {
          opened.add(studyFromLink(before + damage + after).id);
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^(damaged|invalid)-link$/);
        }
      }
    }
    expect([...opened]).toEqual([study.id]);
  });

  it('with other contents is refused', async () => {
    const text = '{"a":1}';
    const link = linkTo(compressed(text), digitsOf(text));
    await failure(() => studyFromLink(link), { code: 'invalid-study' });
  });

  it('that would expand to 60 megabytes is refused after the first', async () => {
    const bomb = compressed(' '.repeat(60_000_000));
    expect(bomb.length).toBeLessThan(2 ** 18);
    // Damage after the first megabyte is never found, because nothing more is expanded.
    bomb.fill(255, 4096);
    await failure(() => studyFromLink(linkTo(bomb)), { code: 'link-too-large' });
    bomb.fill(255, 512);
    await failure(() => studyFromLink(linkTo(bomb)), { code: 'damaged-link' });
  });

  it('that is too long is refused unread', async () => {
    await failure(() => studyFromLink(`${PAGE}#study=${'A'.repeat(2 ** 18 + 1)}`), {
      code: 'link-too-large',
    });
  });
});
