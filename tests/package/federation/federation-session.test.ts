import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../web/package/src/base/canonical.js';
import { newRoleKeys, newSigningKeys } from '../../../web/package/src/federation/keys.js';
import {
  createCollector,
  createHelper,
  createParticipant,
} from '../../../web/package/src/federation/roles.js';
import {
  createSession,
  parseSession,
  publicKeys,
  requireSessionOf,
} from '../../../web/package/src/federation/session.js';
import { pack } from '../../../web/package/src/base/link.js';
import {
  sessionFromLink,
  sessionToLink,
} from '../../../web/package/src/federation/session-link.js';
import { defineStudy } from '../../../web/package/src/study/study.js';
import { masking, RING, SPLIT, studyOf } from './federation-support.js';
import { definition, failure } from '../support.js';

const keys = await newRoleKeys('25519');
const helper = await newRoleKeys('25519');

describe('a session', () => {
  it('has the terms of its study and the digest of its canonical JSON as id', () => {
    const study = studyOf(RING);
    const session = createSession(study, { collector: keys });
    expect(session.toJSON()).toEqual({
      format: 'private-moments/session@2',
      study: study.id,
      mode: 'ring',
      suite: '25519',
      attempt: 1,
      sites: 5,
      honest: 3,
      dropouts: 1,
      threshold: 4,
      length: 3,
      coordinator: publicKeys(keys),
    });
    const digest = createHash('sha256').update(canonicalJson(session.toJSON())).digest('hex');
    expect(session.id).toBe(digest);
    expect(parseSession(JSON.stringify(session)).id).toBe(session.id);
    expect(Object.isFrozen(session.collector)).toBe(true);
  });

  it('sums at least as many releases as its sites minus dropouts', () => {
    const least = (terms: Parameters<typeof studyOf>[0]): number =>
      createSession(studyOf(terms), {
        collector: keys,
        ...(terms.mode === 'split' ? { helper } : {}),
      }).least;
    expect(least(SPLIT)).toBe(3);
    expect(least({ mode: 'split', sites: 5, honest: 3 })).toBe(5);
    expect(least(RING)).toBe(4);
    expect(least({ mode: 'ring', sites: 5, honest: 3 })).toBe(5);
    expect(least({ ...RING, dropouts: 0 })).toBe(5);
    expect(least({ mode: 'correlated', sites: 6, honest: 2 })).toBe(6);
  });

  it('contains no secret of the collector or the helper', () => {
    const text = JSON.stringify(createSession(studyOf(SPLIT), { collector: keys, helper }));
    for (const { secret } of [keys.sign, keys.seal, helper.sign, helper.seal]) {
      expect(text).not.toContain(secret);
    }
  });

  it('lists each participant that may take part once, in any order', async () => {
    const allow = await Promise.all(
      [1, 2, 3].map(async () => (await newSigningKeys('25519')).public),
    );
    const one = createSession(studyOf(RING), { collector: keys, allow });
    const other = createSession(studyOf(RING), {
      collector: keys,
      allow: [...allow, ...allow].reverse(),
    });
    expect(one.id).toBe(other.id);
    expect(one.admits(allow[1] ?? '')).toBe(true);
    expect(one.admits(keys.sign.public)).toBe(false);
  });

  it('is refused with the invalid field', async () => {
    const ring = createSession(studyOf(RING), { collector: keys }).toJSON();
    const split = createSession(studyOf(SPLIT), { collector: keys, helper }).toJSON();
    const p256 = publicKeys(await newRoleKeys('p256'));
    const wrong: [object, string][] = [
      [{ ...ring, format: 'private-moments/study@1' }, 'format'],
      [{ ...ring, mode: 'independent' }, 'mode'],
      [{ ...ring, study: 'x' }, 'study'],
      [{ ...ring, suite: 'p256' }, 'coordinator.sign'],
      [{ ...ring, suite: 'none' }, 'suite'],
      [{ ...ring, attempt: 0 }, 'attempt'],
      [{ ...ring, sites: 1 }, 'sites'],
      [{ ...ring, honest: 6 }, 'honest'],
      [{ ...ring, threshold: 2 }, 'threshold'],
      [{ ...ring, dropouts: 2 }, 'dropouts'],
      [{ ...ring, dropouts: -1 }, 'dropouts'],
      [{ ...ring, dropouts: undefined }, 'session.dropouts'],
      [{ ...split, dropouts: 3 }, 'dropouts'],
      [{ ...ring, threshold: 6 }, 'threshold'],
      [{ ...ring, sites: 300, honest: 300, threshold: 299 }, 'threshold'],
      [{ ...ring, length: 0 }, 'length'],
      [{ ...ring, more: 1 }, 'session.more'],
      [{ ...ring, helper: publicKeys(helper) }, 'session.helper'],
      [{ ...ring, coordinator: p256 }, 'coordinator.sign'],
      [
        { ...ring, coordinator: { ...p256, ...publicKeys(keys), seal: p256.seal } },
        'coordinator.seal',
      ],
      [{ ...ring, allow: [] }, 'allow'],
      [{ ...ring, allow: [keys.sign.public, keys.sign.public] }, 'allow[1]'],
      [{ ...split, threshold: 3 }, 'session.threshold'],
      [{ ...split, helper: publicKeys(keys) }, 'helper'],
    ];
    for (const [json, field] of wrong) {
      await failure(() => parseSession(json), { code: 'invalid-session', field });
    }
    await failure(() => parseSession('{'), { code: 'invalid-session' });
    await failure(() => parseSession('null'), { code: 'invalid-session', field: 'format' });
    const independent = defineStudy(definition());
    await failure(() => createSession(independent, { collector: keys }), {
      code: 'invalid-session',
      field: 'mode',
    });
    await failure(() => createSession(studyOf(SPLIT), { collector: keys }), {
      code: 'invalid-session',
      field: 'session.helper',
    });
  });

  it('of another version is reported as such whatever else is in it, also from a link', async () => {
    const refused = { code: 'session-version', field: 'format' } as const;
    const format = 'private-moments/session@3';
    await failure(() => parseSession({ format, rounds: 3 }), refused);
    const link = `${studyOf(RING).toLink('https://example.org/')}&session=${pack(JSON.stringify({ format }))}`;
    await failure(() => sessionFromLink(link), refused);
  });

  it('of another study, or with terms that differ from its study, is refused by participants', async () => {
    const study = studyOf({ ...RING, dropouts: 0 });
    const session = createSession(study, { collector: keys });
    requireSessionOf(study, session);
    await failure(
      () => {
        requireSessionOf(studyOf(RING, 'Another'), session);
      },
      {
        code: 'wrong-study',
      },
    );
    for (const [field, terms] of [
      ['honest', { honest: 4 }],
      ['dropouts', { dropouts: 1 }],
      ['threshold', { threshold: 5 }],
      ['sites', { sites: 6, threshold: 5 }],
      ['length', { length: 6 }],
    ] as const) {
      const other = parseSession({ ...session.toJSON(), ...terms });
      await failure(
        () => {
          requireSessionOf(study, other);
        },
        { code: 'invalid-session', field },
      );
    }
  });

  it('can be in the link of its study', async () => {
    const study = studyOf(SPLIT);
    const session = createSession(study, { collector: keys, helper });
    const link = sessionToLink(study, session, 'https://example.org/join/?lang=en');
    expect(link).toMatch(/^https:\/\/example\.org\/join\/\?lang=en#study=[\w.-]+&session=[\w.-]+$/);
    expect(link).toContain(`&session=${session.id.slice(0, 8)}.`);
    const read = sessionFromLink(link);
    expect(read.study.id).toBe(study.id);
    expect(read.session.id).toBe(session.id);
    const plain = study.toLink('https://example.org/');
    await failure(() => sessionFromLink(plain), { code: 'invalid-link' });
    const [, packed] = link.split('&session=');
    const other = studyOf(SPLIT, 'Another').toLink('https://example.org/');
    await failure(() => sessionFromLink(`${other}&session=${packed ?? ''}`), {
      code: 'wrong-study',
    });
    const code = 'damaged-link';
    await failure(() => sessionFromLink(`${plain}&session=${'A'.repeat(99)}`), { code });
    const again = createSession(study, { collector: keys, helper, attempt: 2 });
    const mixed = link.replace(`=${session.id.slice(0, 8)}`, `=${again.id.slice(0, 8)}`);
    await failure(() => sessionFromLink(mixed), { code });
    await failure(() => sessionToLink(studyOf(RING), session, 'https://example.org/'), {
      code: 'wrong-study',
    });
  });

  it('has roles only for the keys that it names', async () => {
    const session = createSession(studyOf(SPLIT), { collector: keys, helper });
    await failure(() => createCollector(session, helper), {
      code: 'invalid-session',
      field: 'analyst.sign',
    });
    await failure(() => createHelper(session, keys), {
      code: 'invalid-session',
      field: 'helper.sign',
    });
    const ring = createSession(studyOf(RING), { collector: keys });
    await failure(() => createHelper(ring, helper), { code: 'invalid-session', field: 'mode' });
    await failure(() => createCollector(ring, { ...keys, seal: helper.seal }), {
      code: 'invalid-session',
      field: 'coordinator.seal',
    });
  });

  it('suggests the other suite in an engine without its curves', async () => {
    const generate = crypto.subtle.generateKey.bind(crypto.subtle);
    const session = createSession(studyOf(RING), { collector: keys });
    const { requireSuite } = await freshKeys(generate);
    await failure(() => requireSuite('25519'), {
      code: 'unsupported-suite',
      message: /suite p256/,
    });
    await requireSuite('p256');
    const participant = await createParticipant(session, { mask: masking(0) });
    expect(participant.state).toBe('new');
  });
});

/** The module as in an engine that has neither X25519 nor Ed25519. */
async function freshKeys(
  generate: typeof crypto.subtle.generateKey,
): Promise<typeof import('../../../web/package/src/federation/keys.js')> {
  const { vi } = await import('vitest');
  vi.resetModules();
  const spy = vi.spyOn(crypto.subtle, 'generateKey');
  spy.mockImplementation(((algorithm: { name: string }, ...rest: [boolean, KeyUsage[]]) =>
    algorithm.name.endsWith('25519')
      ? Promise.reject(new DOMException('no such curve', 'NotSupportedError'))
      : generate(algorithm as EcKeyGenParams, ...rest)) as never);
  const module = await import('../../../web/package/src/federation/keys.js');
  const [best, modern] = [await module.bestSuite(), await module.isSupported('25519')];
  await module.isSupported('p256');
  spy.mockRestore();
  if (best !== 'p256' || modern) throw new Error('the curves were not missed');
  return module;
}
