import { createHash } from 'node:crypto';
import { assemble, defineStudy, parseRelease, privatize, type ReleaseJSON } from 'private-moments';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { canonicalJson } from '../../../web/package/src/base/canonical.js';
import { definition, failure, forged } from '../support.js';

const study = defineStudy(definition());
const rows = Array.from({ length: 40 }, (_, i) => ({
  age: 20 + i,
  sleep: 5 + (i % 5),
  work: 'day',
  mood: (i % 7) - 3,
}));
let json: ReleaseJSON;
let text: string;

beforeAll(async () => {
  const release = await privatize(study, rows);
  json = release.toJSON();
  text = await release.toBlob().text();
});

const forge = (change: (release: Record<string, unknown>) => void) => forged(json, change);

describe('a release', () => {
  it('is canonical JSON with the SHA-256 of the rest as id', () => {
    const { id, ...content } = JSON.parse(text) as ReleaseJSON;
    expect(text).toBe(canonicalJson({ ...content, id }));
    expect(id).toBe(createHash('sha256').update(canonicalJson(content)).digest('hex'));
  });

  it('has exactly the documented fields', () => {
    expect(Object.keys(json).sort()).toEqual([
      'centring',
      'clipping',
      'content',
      'format',
      'guarantee',
      'id',
      'library',
      'mechanism',
      'noise',
      'numerics',
      'rows',
      'study',
      'values',
    ]);
  });

  test.each<[string, () => string | Uint8Array | object]>([
    ['text', () => text],
    ['indented text', () => JSON.stringify(json, null, 2)],
    ['bytes', () => new TextEncoder().encode(text)],
    ['parsed JSON', () => structuredClone(json)],
    ['a release', () => parseRelease(text)],
  ])('can be read from %s', (_, form) => {
    expect(parseRelease(form()).toJSON()).toEqual(json);
  });

  it('cannot be changed', () => {
    const release = parseRelease(text);
    expect(() => release.values.push(1)).toThrow(TypeError);
    expect(() => (release.guarantee.epsilon = 0)).toThrow(TypeError);
    release.toJSON().values.push(1);
    expect(release.values).toHaveLength(json.values.length);
  });

  it('describes in words what leaves', () => {
    const words = parseRelease(text).summary();
    expect(words).toContain(`${json.values.length} whole numbers`);
    expect(words).toContain(`${text.length} bytes`);
    expect(words).toContain('It states the number of rows, 40');
    expect(words).toContain('epsilon 1, delta 0.000001');
  });
});

describe('a release is refused if', () => {
  it('ends too early, wherever', () => {
    for (let length = 1; length < text.length; length++) {
      expect(() => parseRelease(text.slice(0, length))).toThrow(
        expect.objectContaining({ code: 'release-truncated' }),
      );
    }
  });

  test.each<[string, () => string | Uint8Array | object, string]>([
    ['it is empty', () => '', 'release-unreadable'],
    ['it is other text', () => 'age,mood\n1,2\n', 'release-unreadable'],
    ['it is other JSON', () => '{"a":1}', 'release-unreadable'],
    ['it is a list', () => '[]', 'release-unreadable'],
    ['it is null', () => 'null', 'release-unreadable'],
    ['it is not UTF-8', () => Uint8Array.of(0x7b, 0xff), 'release-unreadable'],
    ['it is huge', () => ' '.repeat(2 ** 24 + 1), 'release-unreadable'],
    ['it ends too early', () => text.slice(0, -10), 'release-truncated'],
    [
      'a value was changed',
      () => text.replace(/"values":\[(-?)/, '"values":[$11'),
      'release-altered',
    ],
    [
      'its guarantee was changed',
      () => ({ ...json, guarantee: { ...json.guarantee, epsilon: 0.1 } }),
      'release-altered',
    ],
    ['its id was changed', () => ({ ...json, id: '0'.repeat(64) }), 'release-altered'],
    [
      'it has a newer format',
      () => ({ ...json, format: 'private-moments/release@2' }),
      'release-version',
    ],
    ['it has an extra field', () => forge((r) => (r.note = 'hi')), 'release-unreadable'],
    ['a field is missing', () => forge((r) => delete r.noise), 'release-unreadable'],
    [
      'a value is a fraction',
      () => forge((r) => ((r.values as number[])[0] = 0.5)),
      'release-unreadable',
    ],
    [
      'a value is beyond exact integers',
      () => forge((r) => ((r.values as number[])[0] = 2 ** 53)),
      'release-unreadable',
    ],
    ['it has no values', () => forge((r) => (r.values = [])), 'release-unreadable'],
    ['rows is negative', () => forge((r) => (r.rows = -1)), 'release-unreadable'],
    ['rows is not a number', () => forge((r) => (r.rows = '40')), 'release-unreadable'],
    [
      'its numerics differ from those of its guarantee',
      () => forge((r) => (r.numerics = 'idealized')),
      'release-unreadable',
    ],
    [
      'its numerics are unknown',
      () => forge((r) => (r.numerics = (r.guarantee as { numerics: string }).numerics = 'rough')),
      'release-unreadable',
    ],
    [
      'its mechanism is unknown',
      () => forge((r) => (r.mechanism = { name: 'sn', shape: 'x' })),
      'release-unreadable',
    ],
    ['its mechanism is missing', () => forge((r) => (r.mechanism = null)), 'release-unreadable'],
    [
      'its mechanism has an option of another mechanism',
      () => forge((r) => (r.mechanism = { name: 'laplace', shape: 'upper-triangle' })),
      'release-unreadable',
    ],
    [
      'its content differs from that of its mechanism',
      () => forge((r) => (r.content = 'components')),
      'release-unreadable',
    ],
    [
      'a bound in its guarantee is not a number',
      () => forge((r) => ((r.guarantee as { gdp: unknown }).gdp = 'small')),
      'release-unreadable',
    ],
    [
      'a part of its guarantee has an unknown key',
      () => {
        const part = { what: 'noise', epsilon: 1, delta: 0, note: 'hi' };
        return forge((r) => ((r.guarantee as { parts: unknown }).parts = [part]));
      },
      'release-unreadable',
    ],
    ...[
      ['a parameter is a text', { wDiagonal: 'twelve' }],
      ['a parameter is an object', { wDiagonal: {} }],
      ['a parameter is not in camelCase', { 'w-diagonal': 1 }],
      ['its parameters are a list', ['1']],
      ['its parameters are missing', null],
      [
        'it has 33 parameters',
        Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, index])),
      ],
    ].map(([name, parameters]): [string, () => object, string] => [
      name as string,
      () => forge((r) => ((r.noise as { parameters: unknown }).parameters = parameters)),
      'release-unreadable',
    ]),
    [
      'its randomness was a test seed',
      () => forge((r) => ((r.noise as { rng: string }).rng = 'UNSAFE-TEST-SEED')),
      'release-unsafe',
    ],
    ['it says it is not private', () => forge((r) => (r.private = false)), 'release-unsafe'],
    [
      'it comes from a test build',
      () => forge((r) => (r.library = `${json.library}+UNSAFE-TEST-RNG`)),
      'release-unsafe',
    ],
  ])('%s', async (_, make, code) => {
    await failure(() => parseRelease(make()), { code });
  });

  it('any single character of its file was changed', () => {
    const step = Math.max(1, Math.floor(text.length / 500));
    for (let at = 0; at < text.length; at += step) {
      const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1);
      const changed = text.slice(0, at) + flipped + text.slice(at + 1);
      let read: unknown;
      try {
        read = parseRelease(changed).toJSON();
      } catch (error) {
        expect(error).toHaveProperty('code', expect.stringMatching(/^release-/));
        continue;
      }
      // Different last digits of a fraction may mean the same number.
      expect(read, `character ${at}`).toEqual(json);
    }
  });
});

describe('assembling refuses', () => {
  const other = defineStudy({ ...definition(), title: 'Another' });

  it('a release of another study, and names the release', async () => {
    const stranger = await privatize(other, rows);
    const error = await failure(() => assemble(study, [text, stranger]), { code: 'wrong-study' });
    expect(error).toMatchObject({ release: { index: 1, id: stranger.id } });
    expect(error.message).toContain('release 2');
  });

  it('the same release twice, in any form', async () => {
    const error = await failure(() => assemble(study, [json, JSON.stringify(json, null, 1)]), {
      code: 'duplicate-release',
    });
    expect(error).toMatchObject({ release: { index: 1, id: json.id } });
  });

  it('a changed release, and names it', async () => {
    const good = await privatize(study, rows);
    const error = await failure(() => assemble(study, [good, { ...json, rows: 41 }]), {
      code: 'release-altered',
    });
    expect(error).toMatchObject({ release: { index: 1, id: null } });
  });

  it('a truncated release, and names it', async () => {
    const error = await failure(() => assemble(study, [text.slice(0, -1)]), {
      code: 'release-truncated',
    });
    expect(error).toMatchObject({ release: { index: 0, id: null } });
  });

  it('releases of incompatible versions', async () => {
    const newer = forge((r) => (r.library = 'private-moments/99.0.0'));
    const error = await failure(() => assemble(study, [json, newer]), { code: 'mixed-versions' });
    expect(error).toMatchObject({ release: { index: 1, id: newer.id } });
  });

  test.each<[string, (release: Record<string, unknown>) => void]>([
    ['a smaller epsilon', (r) => ((r.guarantee as { epsilon: number }).epsilon = 0.5)],
    ['less noise', (r) => ((r.noise as { sdDiagonal: number }).sdDiagonal /= 2)],
    ['another sampler', (r) => ((r.noise as { sampler: string }).sampler = 'block16/2')],
    [
      'another parameter',
      (r) => ((r.noise as { parameters: { wDiagonal: string } }).parameters.wDiagonal += '0'),
    ],
    [
      'a further parameter',
      (r) => ((r.noise as { parameters: { odd?: number } }).parameters.odd = 1),
    ],
    ['a missing bound', (r) => delete (r.guarantee as { gdp?: number }).gdp],
    [
      'parts that do not exist',
      (r) => ((r.guarantee as { parts?: unknown }).parts = [{ what: 'x', epsilon: 1, delta: 0 }]),
    ],
    ['another shape', (r) => ((r.mechanism as { shape: string }).shape = 'upper-triangle')],
  ])('a release whose claims differ from those of its study: %s', async (_, change) => {
    await failure(() => assemble(study, [forge(change)]), { code: 'wrong-guarantee' });
  });

  it('to take the assumptions of the guarantee from a file', async () => {
    const rosy = forge((r) => ((r.guarantee as { assumes: string[] }).assumes = ['nothing']));
    const { guarantee } = await assemble(study, [rosy]);
    expect(guarantee?.assumes).toEqual(json.guarantee.assumes);
  });

  it('a release whose values or rows do not fit the study', async () => {
    const short = forge((r) => (r.values as number[]).pop());
    await failure(() => assemble(study, [short]), { code: 'release-unreadable' });
    const hidden = forge((r) => (r.rows = null));
    await failure(() => assemble(study, [hidden]), { code: 'release-unreadable' });
    const fixed = defineStudy({ ...definition(), clipping: 'fixed' });
    const whole = (await privatize(fixed, rows)).toJSON();
    const endless = forged(whole, (r) => (r.rows = Number.MAX_SAFE_INTEGER));
    await failure(() => assemble(fixed, [endless]), { code: 'release-unreadable' });
    // With private centring the survey has the number of rows too.
    const surveyed = forge((r) => (r.rows = Number.MAX_SAFE_INTEGER));
    await failure(() => assemble(study, [surveyed]), { code: 'wrong-guarantee' });
  });

  it('an empty list', async () => {
    await failure(() => assemble(study, []), { code: 'no-releases' });
    await failure(() => assemble(study, undefined as never), { code: 'no-releases' });
    await failure(() => assemble(study, text as never), { code: 'no-releases' });
  });
});
