import {
  defineStudy,
  guaranteeOf,
  privatize,
  type FederationMode,
  type Guarantee,
  type Neighbours,
  type Study,
  type StudyDefinition,
  type Unit,
} from 'private-moments';
import { createSession, newRoleKeys } from 'private-moments/federation';
import { html } from 'lit';
import { describe, expect, it } from 'vitest';
import { consentText } from '../../../web/elements/src/design/consent.js';
import { draftOf, emptyDraft } from '../../../web/elements/src/design/draft.js';
import {
  guaranteeSection,
  inequality,
} from '../../../web/elements/src/take-part/guarantee-section.js';
import { advancedSettings } from '../../../web/elements/src/design/advanced.js';
import { privacyEditor } from '../../../web/elements/src/design/privacy-editor.js';
import { partyFacts } from '../../../web/elements/src/session/session-words.js';
import { modesEditor } from '../../../web/elements/src/design/sites-editor.js';
import { studyDetails, studyFacts } from '../../../web/elements/src/session/study-view.js';
import { collusionTerms, minSummed } from '../../../web/package/src/study/federation-terms.js';
import {
  bestGuess,
  difference,
  guaranteeInWords,
  guessInWords,
  timesInHundred,
} from '../../../web/package/src/report/guarantee.js';
import { said } from '../said.js';

function flat(text: string): string {
  return text.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
}

/** True statements about each kind of protection, in every mode. */
const TRUE: Record<
  Unit,
  Record<
    Neighbours,
    { change: string; yours: string; theirs: string; asks: string; consent: string; hint: string }
  >
> = {
  row: {
    'replace-one': {
      change: 'one row replaced by any other',
      yours: 'that differ in one row,',
      theirs: 'that differ in one row,',
      asks: 'has narrowed one row down to two versions',
      consent: 'whether your record says one thing or another',
      hint: 'The number of rows is not hidden.',
    },
    'add-remove': {
      change: 'one row added or left out',
      yours: 'of which one has one row more,',
      theirs: 'of which one has one row more,',
      asks: 'asks whether one more, which they know too, is in',
      consent: 'whether your record was there at all',
      hint: 'The number of rows is hidden too.',
    },
  },
  participant: {
    'replace-one': {
      change: 'the file of one participant replaced by any other',
      yours: 'that differ in your file alone, in whatever way,',
      theirs: 'that differ in the file of one participant alone, in whatever way,',
      asks: 'knows the files of all other participants and has narrowed',
      consent: 'whether your file says one thing or another',
      hint: 'That a participant takes part is not hidden.',
    },
    'add-remove': {
      change: 'the file of one participant replaced by an empty one, or the other way round',
      yours: 'of which one has your file and the other an empty one in its place,',
      theirs:
        'of which one has the file of one participant and the other an empty one in its place,',
      asks: 'counted or an empty one in its place',
      consent: 'whether your file counted or an empty one in its place',
      hint: 'Whether it has these rows or none is hidden. That a participant takes part is not.',
    },
  },
};

const units: Unit[] = ['row', 'participant'];
const kinds: Neighbours[] = ['replace-one', 'add-remove'];
const modes: FederationMode[] = ['independent', 'split', 'ring', 'correlated'];

const DEFINITION = {
  title: 'T',
  columns: [
    { name: 'a', type: 'number', min: 0, max: 1 },
    { name: 'b', type: 'number', min: 0, max: 1 },
  ],
} satisfies Partial<StudyDefinition>;

function studyOf(
  unit: Unit,
  neighbours: Neighbours,
  mode: FederationMode,
  privacy: { epsilon: number; delta: number },
): Study {
  return defineStudy({
    ...DEFINITION,
    unit,
    neighbours,
    privacy,
    federation:
      mode === 'independent'
        ? { mode, sites: 5 }
        : { mode, sites: 5, honest: 3, ...(mode === 'correlated' ? {} : { dropouts: 1 }) },
  });
}

/** What the designer says of the strength of the promise and, with `advanced`, of whom it protects. */
function hint(study: Study, guarantee: Guarantee, advanced = true): string {
  const draft = draftOf(study, 100);
  const form = { draft, error: () => undefined, change: () => 0, leave: () => 0, focus: () => 0 };
  const results = { study, advice: undefined, guarantee, noise: [], modes: '', helpPage: '' };
  return [privacyEditor, ...(advanced ? [advancedSettings] : [])]
    .map((editor) => flat(said(editor(form as never, results))))
    .join(' ');
}

const cases = units.flatMap((unit) =>
  kinds.flatMap((neighbours) =>
    modes.flatMap((mode) =>
      [0, 1e-6]
        // Gaussian masks have a delta.
        .filter((delta) => mode !== 'correlated' || delta > 0)
        .map((delta) => ({ unit, neighbours, mode, delta })),
    ),
  ),
);

const others = kinds.flatMap((neighbours) => units.map((unit) => TRUE[unit][neighbours]));

describe.each(cases)('$unit, $neighbours, $mode, delta $delta', (one) => {
  const { unit, neighbours, mode, delta } = one;
  const study = studyOf(unit, neighbours, mode, { epsilon: 1, delta });
  const is = TRUE[unit][neighbours];
  const seen = mode === 'independent' ? 'file' : 'sum';

  /** Checks that a text has this statement, and none that is true only of another kind of protection. */
  function saysOnly(text: string, what: keyof typeof is): void {
    expect(text).toContain(is[what]);
    for (const other of others) {
      if (!is[what].includes(other[what])) expect(text).not.toContain(other[what]);
    }
  }

  it('the definition, the attacker and the terms are about the same two data sets', async () => {
    const guarantee = await guaranteeOf(study);
    saysOnly(flat(said(inequality(guarantee, seen))), 'yours');
    saysOnly(`${difference(guarantee, 'theirs')},`, 'theirs');
    saysOnly(guessInWords(guarantee, 'yours', 'it'), 'asks');
    // With unequal chances beforehand, guesses may be right more often.
    expect(guessInWords(guarantee, 'yours', 'it')).toContain('are equally likely to them.');
    saysOnly(guessInWords(guarantee, 'theirs', 'it'), 'asks');
    saysOnly(guaranteeInWords(guarantee).join(' '), 'change');
    const terms = flat(said(studyDetails(study)))
      .replace('One row', 'one row')
      .replace('The file', 'the file');
    saysOnly(terms, 'change');
  });

  it('the consent text promises that and no more', async () => {
    const guarantee = await guaranteeOf(study);
    for (const known of [guarantee, undefined]) {
      const text = consentText(study, known);
      saysOnly(text, 'consent');
      expect(text.includes('That you take part is not hidden')).toBe(unit === 'participant');
      expect(text.includes('How many records there are is not hidden')).toBe(
        unit === 'row' && neighbours === 'replace-one',
      );
      expect(text.includes('slack, δ')).toBe(delta > 0);
      expect(text).not.toMatch(/chance of|except|barely/);
      expect(text.includes('at least 3 of the 5 sites')).toBe(mode !== 'independent');
      expect(text.includes('share files, they can read your')).toBe(mode === 'split');
    }
    const text = consentText(study, guarantee);
    const seenBy = {
      independent: 'With what leaves,',
      split: 'With a sum of at least 4 sites,',
      ring: 'With a sum of at least 4 sites,',
      correlated: 'With what all sites send,',
    };
    expect(text).toContain(seenBy[mode]);
    if (mode === 'split') {
      expect(text).toContain(
        delta === 0
          ? 'which carry half of the noise: no guarantee would remain.'
          : 'which carry half of the noise: the guarantee that would remain is ε = ',
      );
    }
  });

  it('the designer’s hints and the study’s facts summarise it', async () => {
    const guarantee = await guaranteeOf(study);
    const times = timesInHundred(bestGuess(guarantee));
    saysOnly(hint(study, guarantee), 'hint');
    expect(hint(study, guarantee)).toContain(`at most ${String(times)} times in 100`);
    const facts = flat(said(studyFacts(study, guarantee)));
    expect(facts).toContain(`at most ${String(times)} times in 100. A coin gets 50.`);
    expect(facts).toContain(delta === 0 ? 'δ = 0.' : 'δ = 10⁻⁶.');
    expect(flat(said(studyFacts(study)))).not.toContain('guess');
  });

  if (mode === 'independent') {
    it('the summary of a release states it, with delta as an addition', async () => {
      const rows = Array.from({ length: 30 }, (_, i) => ({ a: i / 30, b: (i % 7) / 7 }));
      const release = await privatize(study, rows);
      expect(await guaranteeOf(study)).toEqual(release.guarantee);
      const summary = release.summary();
      saysOnly(summary, 'change');
      expect(summary).toContain('no set of outcomes becomes more');
      expect(summary.includes(', plus ')).toBe(delta > 0);
      expect(summary).not.toContain('except with probability');
      expect(summary.includes('the participant counts as one')).toBe(unit === 'participant');
      expect(summary.includes(`It states the number of rows, 30`)).toBe(
        unit === 'row' && neighbours === 'replace-one',
      );
    });
  }
});

describe('the least number of sites in a sum', () => {
  /** All texts about a masked sum, for participants and for the designer. */
  const wordsOf = async (study: Study): Promise<string[]> => {
    const guarantee = await guaranteeOf(study);
    const limits = { definition: html``, limits: html`` };
    return [
      consentText(study, guarantee),
      consentText(study),
      flat(said(guaranteeSection(study, guarantee, 'sum', limits))),
      hint(study, guarantee, false),
      ...(study.federation.mode === 'split'
        ? [flat(said(partyFacts(study, guarantee, 'six words')))]
        : []),
    ];
  };

  it.each<[StudyDefinition['federation'] & object, string]>([
    [{ mode: 'split', sites: 5, honest: 4, dropouts: 3 }, 'a sum of at least 2 sites'],
    [{ mode: 'split', sites: 5, honest: 4, dropouts: 1 }, 'a sum of at least 4 sites'],
    [{ mode: 'split', sites: 5, honest: 1 }, 'the sum of all sites'],
    [{ mode: 'ring', sites: 5, honest: 2 }, 'the sum of all sites'],
    [{ mode: 'ring', sites: 7, honest: 6, dropouts: 1 }, 'a sum of at least 6 sites'],
    [{ mode: 'ring', sites: 7, honest: 6, threshold: 5 }, 'a sum of at least 5 sites'],
    [{ mode: 'ring', sites: 7, honest: 6, dropouts: 0, threshold: 5 }, 'the sum of all sites'],
    [{ mode: 'correlated', sites: 5, honest: 2 }, 'what all sites send'],
  ])('is stated for %j as in its sessions', async (federation, seen) => {
    const study = defineStudy({ ...DEFINITION, privacy: { epsilon: 1, delta: 1e-6 }, federation });
    const keys = await newRoleKeys('p256');
    const helper = federation.mode === 'split' ? { helper: await newRoleKeys('p256') } : {};
    expect(minSummed(study.federation)).toBe(
      createSession(study, { collector: keys, ...helper }).least,
    );
    for (const text of await wordsOf(study)) {
      expect(text).toContain(seen);
      const claims = text.match(/(the sum of all|a sum of at least \d+) sites/g) ?? [];
      // Gaussian masks cancel only in the sum of all sites.
      if (federation.mode !== 'correlated') expect(new Set(claims)).toEqual(new Set([seen]));
    }
  });
});

describe('who may collude', () => {
  it.each<[StudyDefinition['federation'] & object, string]>([
    [
      { mode: 'split', sites: 10, honest: 7, dropouts: 2 },
      'This holds if at least 7 of the 10 sites are honest and the analyst and the helper never share files: up to 3 participants, real or made up, may collude with the analyst and with each other, and a sum has at least 8 of the 10 releases.',
    ],
    [
      { mode: 'split', sites: 4, honest: 3 },
      'This holds if at least 3 of the 4 sites are honest and the analyst and the helper never share files: up to 1 participant, real or made up, may collude with the analyst, and a sum has exactly 4 releases.',
    ],
    [
      { mode: 'ring', sites: 5, honest: 5, dropouts: 1 },
      'This holds if all 5 sites are honest: no participant, real or made up, may collude with the coordinator or with others, and a sum has at least 4 of the 5 releases.',
    ],
    [
      { mode: 'correlated', sites: 3, honest: 1 },
      'This holds if at least 1 of the 3 sites is honest: up to 2 participants, real or made up, may collude with the coordinator and with each other, and a sum has exactly 3 releases.',
    ],
  ])('is stated for %j in the same words everywhere', async (federation, words) => {
    const study = defineStudy({ ...DEFINITION, privacy: { epsilon: 1, delta: 1e-6 }, federation });
    if (study.federation.mode === 'independent') throw new TypeError('nothing is masked');
    const guarantee = await guaranteeOf(study);
    expect(`This holds if ${collusionTerms(study.federation)}.`).toBe(words);
    expect(`This holds if ${guarantee.assumes[0] ?? ''}.`).toBe(words);
    expect(guaranteeInWords(guarantee)).toContain(words);
    for (const known of [guarantee, undefined]) expect(consentText(study, known)).toContain(words);
    expect(flat(said(partyFacts(study, guarantee, 'six words')))).toContain(words);
    const draft = draftOf(study, 100);
    const form = { draft, error: () => undefined, change: () => 0, leave: () => 0, focus: () => 0 };
    const known = { noise: [], modes: '', guarantee, helpPage: '' };
    expect(flat(said(modesEditor(form as never, known)))).toContain(words);
  });

  it('is not stated by the designer while the numbers contradict each other', () => {
    const draft = { ...emptyDraft(), mode: 'split' as const, honest: '3', dropouts: '3' };
    const form = { draft, error: () => undefined, change: () => 0, leave: () => 0, focus: () => 0 };
    const known = { noise: [], modes: '', guarantee: undefined, helpPage: '' };
    expect(flat(said(modesEditor(form as never, known)))).not.toContain('This holds if');
  });
});

describe('how strong a promise is', () => {
  const consentAt = async (privacy: { epsilon: number; delta: number }): Promise<string> => {
    const study = studyOf('row', 'replace-one', 'independent', privacy);
    return consentText(study, await guaranteeOf(study));
  };

  it('is stated in words that match its best guess', async () => {
    expect(await consentAt({ epsilon: 1, delta: 1e-6 })).toContain('learns very little about');
    expect(await consentAt({ epsilon: 5, delta: 1e-6 })).toContain('may learn something about');
    expect(await consentAt({ epsilon: 10, delta: 1e-6 })).toContain('may learn much about');
    expect(await consentAt({ epsilon: 1, delta: 0.3 })).toContain('may learn much about');
    const none = await consentAt({ epsilon: 1000, delta: 1e-6 });
    expect(none).toContain('may be able to tell almost for certain whether your record says');
    expect(none).toContain('right at most 100 times in 100');
  });

  it('is rounded up as a number of guesses', () => {
    expect(timesInHundred(54.001)).toBe(55);
    expect(timesInHundred(55)).toBe(55);
    const pure = { epsilon: 1, delta: 0 };
    // 73.1
    expect(timesInHundred(bestGuess(pure))).toBe(74);
  });

  it('is shown as beyond the scale if it is', async () => {
    const facts = async (epsilon: number): Promise<string> => {
      const study = studyOf('row', 'replace-one', 'independent', { epsilon, delta: 0 });
      return said(studyFacts(study, await guaranteeOf(study)));
    };
    expect(await facts(20)).toContain('Weaker than this scale shows.');
    expect(await facts(20)).toContain('epsilon 20, beyond the end, on a scale from 0.1');
    expect(await facts(0.05)).toContain('Stronger than this scale shows.');
    for (const epsilon of [0.1, 1, 10])
      expect(await facts(epsilon)).not.toMatch(/scale shows|beyond the/);
  });

  it('is called weak from epsilon 5 on, in the designer', async () => {
    const at = async (epsilon: number): Promise<string> => {
      const study = studyOf('row', 'replace-one', 'independent', { epsilon, delta: 1e-6 });
      return hint(study, await guaranteeOf(study));
    };
    expect(await at(4.9)).not.toContain('protection is weak');
    expect(await at(5)).toContain('This protection is weak. ');
    expect(await at(50)).toContain('This protection is weak, beyond the end of the scale. ');
  });
});
